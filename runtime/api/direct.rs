//! Calls of numbers and slices of numbers: what most calls are.
//!
//! Such arguments are words, and such gradients are words or the memory that they are written to. Nothing has to be noted that would be needed
//! afterwards: no objects, no cells, no parts. What the arguments are is known when Rust compiles the call ([`Numbers`]). So these calls cost a fraction of
//! others (`call`), and otherwise do the same.

use super::value::Value;
use crate::exec::{Leaf, NumberArgs, Scalar};
use crate::ir::Type;

/// The parameters that an argument stands for, if these are numbers and slices of numbers alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// One bit for each: whether it is active.
    active: u64,
    count: u32,
}

impl Numbers {
    /// No parameters.
    const NONE: Numbers = Numbers {
        active: 0,
        count: 0,
    };
    /// One parameter, a number or a slice of numbers of this type.
    pub(super) const fn one(ty: Type) -> Numbers {
        Numbers {
            active: matches!(ty, Type::F32 | Type::F64) as u64,
            count: 1,
        }
    }
    /// The parameters of several, one after the other. `None` if one has none, or if these are more than a call of this kind has.
    #[doc(hidden)]
    pub const fn all(each: &[Option<Numbers>]) -> Option<Numbers> {
        let (mut all, mut n) = (Numbers::NONE, 0);
        while n < each.len() {
            match each[n] {
                Some(next) if all.count + next.count < u64::BITS => {
                    all.active |= next.active << all.count;
                    all.count += next.count;
                }
                _ => return None,
            }
            n += 1;
        }
        Some(all)
    }
    /// The same parameters where no gradient is asked for.
    pub(super) const fn constant(numbers: Option<Numbers>) -> Option<Numbers> {
        match numbers {
            Some(Numbers { count, .. }) => Some(Numbers { active: 0, count }),
            None => None,
        }
    }
    /// Parameters of which these are active.
    pub(super) fn of_flags(flags: &[bool]) -> Option<Numbers> {
        let each: Vec<_> = { flags.iter() }
            .map(|&active| {
                Some(Numbers {
                    active: u64::from(active),
                    count: 1,
                })
            })
            .collect();
        Numbers::all(&each)
    }
}

/// How many slices a call of this kind asks the gradients of at most.
const MOST_SLICES: usize = 8;

/// The arguments of such a call, and then the memory of gradients.
pub struct Direct<'p, 's> {
    pub(super) args: NumberArgs<'p, 's>,
    /// How long the slices are that have a gradient, in order, and how many there are.
    lengths: [usize; MOST_SLICES],
    slices: usize,
    /// The slice whose gradient is lent next.
    next: usize,
    /// Whether the gradient is not asked for.
    constant: bool,
    /// Whether each gradient is as long as its slice.
    pub(super) fits: bool,
}

impl<'p, 's> Direct<'p, 's> {
    #[inline]
    pub(super) fn new(args: NumberArgs<'p, 's>) -> Self {
        Direct {
            args,
            lengths: [0; MOST_SLICES],
            slices: 0,
            next: 0,
            constant: false,
            fits: true,
        }
    }
    /// Gives a number.
    #[inline]
    pub(super) fn scalar<T: Scalar>(&mut self, value: T) {
        self.args.scalar(value);
    }
    /// Gives a slice of numbers.
    #[inline]
    pub(super) fn slice<T: Value>(&mut self, slice: &'s [T]) {
        let Some(leaf) = T::borrow(slice) else {
            self.fits = false;
            return;
        };
        self.args.slice(&leaf);
        if T::SCALAR.is_some_and(Type::is_float) && !self.constant {
            match self.lengths.get_mut(self.slices) {
                Some(length) => *length = slice.len(),
                None => self.fits = false,
            }
            self.slices += 1;
        }
    }
    /// Gives what the gradient is not asked for.
    #[inline]
    pub(super) fn constant(&mut self, give: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.constant, true);
        give(self);
        self.constant = outer;
    }
    /// Lends the memory of the gradient of the next slice.
    #[inline]
    pub(super) fn lend(&mut self, floats: &Leaf<'s>) {
        let [_, length] = floats.words();
        let lengths = self.lengths.get(..self.slices).unwrap_or_default();
        self.fits &= lengths.get(self.next) == Some(&(length as usize));
        self.next += 1;
        self.args.slice(floats);
    }
}
