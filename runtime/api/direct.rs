//! Calls of numbers and slices of numbers: what most calls are.
//!
//! Such arguments are words, and such gradients are words or the memory that they are written to. Nothing has to be noted that would be needed
//! afterwards: no objects, no cells, no parts. So these calls cost a fraction of others (`call`), and otherwise do the same.

use super::value::Value;
use crate::exec::{Args, Leaf};
use crate::ir::Type;
use smallvec::SmallVec;

/// The arguments of such a call, and then the memory of gradients.
pub struct Direct<'c, 's> {
    pub(super) args: &'c mut Args<'s>,
    /// The types of the function's parameters.
    params: &'c [Type],
    /// How long the slices are that have a gradient, in order.
    lengths: SmallVec<[usize; 8]>,
    /// The slice whose gradient is lent next.
    next: usize,
    /// Whether the gradient is not asked for.
    constant: bool,
    /// Whether each gradient is as long as its slice.
    pub(super) fits: bool,
}

impl<'c, 's> Direct<'c, 's> {
    #[inline]
    pub(super) fn new(args: &'c mut Args<'s>, params: &'c [Type]) -> Self {
        Direct {
            args,
            params,
            lengths: SmallVec::new(),
            next: 0,
            constant: false,
            fits: true,
        }
    }
    /// Gives a slice of numbers.
    #[inline]
    pub(super) fn slice<T: Value>(&mut self, slice: &'s [T]) {
        if let Some(leaf) = T::borrow(slice) {
            let param = self.params.get(self.args.types().len()).copied();
            self.args.leaf(&leaf, param);
            if T::SCALAR.is_some_and(Type::is_float) && !self.constant {
                self.lengths.push(slice.len());
            }
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
        self.fits &= self.lengths.get(self.next) == Some(&(length as usize));
        self.next += 1;
        self.args.leaf(floats, None);
    }
}
