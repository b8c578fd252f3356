//! Arguments of compiled functions: words for the machine, and the types and lifetimes that make the call safe.

use super::Address;
use crate::ir::Type;
use half::f16;
use smallvec::SmallVec;
use std::marker::PhantomData;
use std::mem::discriminant;

/// A type of Rust that compiled code reads and writes in place. Sealed: the runtime knows them all.
pub trait Scalar: Copy + Send + Sync + sealed::Sealed + 'static {
    /// The type in IR.
    const TYPE: Type;
    /// The bits in a word, zero-extended.
    fn to_word(self) -> u64;
    /// The value whose bits are the low ones of a word.
    fn from_word(word: u64) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! scalars {
    ($($ty:ty, $name:ident, $x:ident => $to:expr, $from:expr;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl Scalar for $ty {
            const TYPE: Type = Type::$name;
            #[inline]
            fn to_word(self) -> u64 { let $x = self; $to }
            #[inline]
            fn from_word($x: u64) -> $ty { $from }
        }
    )*};
}

scalars! {
    bool, Bool, x => u64::from(x), x & 1 != 0;
    i8, I8, x => u64::from(x as u8), x as i8;
    i16, I16, x => u64::from(x as u16), x as i16;
    i32, I32, x => u64::from(x as u32), x as i32;
    i64, I64, x => x as u64, x as i64;
    isize, Isize, x => x as u64, x as isize;
    u8, U8, x => u64::from(x), x as u8;
    u16, U16, x => u64::from(x), x as u16;
    u32, U32, x => u64::from(x), x as u32;
    u64, U64, x => x, x;
    usize, Usize, x => x as u64, x as usize;
    f16, F16, x => u64::from(x.to_bits()), f16::from_bits(x as u16);
    f32, F32, x => u64::from(x.to_bits()), f32::from_bits(x as u32);
    f64, F64, x => x.to_bits(), f64::from_bits(x);
    Address, Ptr, x => x.0 as u64, Address(x as usize);
}

/// The arguments of one call, in order. What it borrows stays borrowed until the call is over.
#[derive(Default)]
pub struct Args<'a> {
    words: SmallVec<[u64; 64]>,
    types: SmallVec<[Type; 32]>,
    /// What must lie in the objects of the frame: the address, and how many bytes.
    inside: SmallVec<[(Address, usize); 8]>,
    /// Which of it is `&mut`.
    exclusive: SmallVec<[(Address, usize); 8]>,
    borrowed: PhantomData<&'a mut ()>,
}

/// How many words there are in a call of numbers and slices of numbers at most.
const MOST_WORDS: usize = 24;

/// The arguments of a call of numbers and slices of numbers, in order. Each is compared with its parameter when it comes, so nothing is kept of it
/// but its words. What it borrows stays borrowed until the call is over.
pub struct NumberArgs<'p, 'a> {
    params: &'p [Type],
    /// How many arguments have come.
    given: usize,
    /// How many words they have.
    filled: usize,
    words: [u64; MOST_WORDS],
    /// Whether each was of the type of its parameter.
    fits: bool,
    borrowed: PhantomData<&'a mut ()>,
}

impl<'p, 'a> NumberArgs<'p, 'a> {
    #[inline]
    pub(super) fn new(params: &'p [Type]) -> Self {
        NumberArgs {
            params,
            given: 0,
            filled: 0,
            words: [0; MOST_WORDS],
            fits: true,
            borrowed: PhantomData,
        }
    }
    /// Adds a number.
    #[inline]
    pub fn scalar<T: Scalar>(&mut self, value: T) {
        match (self.params.get(self.given), self.words.get_mut(self.filled)) {
            // An address would have to lie in the frame.
            // Numbers have types without parts, which are told by their kind alone.
            (Some(param), Some(word))
                if discriminant(param) == discriminant(&T::TYPE)
                    && !matches!(T::TYPE, Type::Ptr) =>
            {
                *word = value.to_word();
            }
            _ => self.fits = false,
        }
        self.given += 1;
        self.filled += 1;
    }
    /// Adds a slice that lies outside of the frame. Its words stay in registers: to read both at once from memory, where they were just written one by
    /// one, would take as long as all the rest.
    #[inline(always)]
    pub fn slice(&mut self, leaf: &Leaf<'a>) {
        let param = self.params.get(self.given);
        let place = self.words.get_mut(self.filled..self.filled + 2);
        match (param, place) {
            (Some(param), Some([at, length]))
                if *param == leaf.ty
                    && matches!(leaf.ty, Type::Slice(_) | Type::SliceMut(_))
                    && leaf.is_borrowed =>
            {
                [*at, *length] = leaf.words;
            }
            _ => self.fits = false,
        }
        self.given += 1;
        self.filled += 2;
    }
    /// Whether all have come that a function with these parameters takes, as it takes them.
    pub(super) fn are_those_of(&self, params: &[Type]) -> bool {
        self.fits && self.given == params.len() && std::ptr::eq(self.params, params)
    }
    /// As compiled code gets them.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }
}

/// One leaf of an argument: what one or two words of a call mean.
#[derive(Debug)]
pub struct Leaf<'a> {
    ty: Type,
    words: [u64; 2],
    /// How many bytes from the address on must lie in the frame's objects, if it is an address there.
    inside: Option<usize>,
    is_borrowed: bool,
    borrowed: PhantomData<&'a mut ()>,
}

impl<'a> Leaf<'a> {
    #[inline]
    fn new(ty: Type, words: [u64; 2], inside: Option<usize>, is_borrowed: bool) -> Self {
        Leaf {
            ty,
            words,
            inside,
            is_borrowed,
            borrowed: PhantomData,
        }
    }
    /// A scalar.
    #[inline]
    pub fn scalar<T: Scalar>(value: T) -> Self {
        Leaf::inside(T::TYPE, [value.to_word(), 0])
    }
    /// A leaf by its words. Addresses are in objects of the frame that the call is made on, or null.
    #[inline]
    pub fn inside(ty: Type, words: [u64; 2]) -> Self {
        let bytes = match ty {
            Type::Ptr if words[0] != 0 => Some(0),
            Type::Slice(element) | Type::SliceMut(element) if words[1] != 0 => {
                Some((words[1] as usize).saturating_mul(element.size().unwrap_or(usize::MAX)))
            }
            _ => None,
        };
        Leaf::new(ty, words, bytes, false)
    }
    /// A leaf by its words, of which addresses are of memory outside the frame.
    ///
    /// # Safety
    ///
    /// The memory is that of the type as long as `'a`, and, if it is mutable, nobody else's.
    pub(super) unsafe fn outside(ty: Type, words: [u64; 2]) -> Self {
        Leaf::new(ty, words, None, true)
    }
    /// `&[T]`
    #[inline]
    pub fn slice<T: Scalar>(slice: &'a [T]) -> Self {
        let words = [slice.as_ptr() as u64, slice.len() as u64];
        Leaf::new(Type::Slice(&T::TYPE), words, None, true)
    }
    /// `&mut [T]`
    #[inline]
    pub fn slice_mut<T: Scalar>(slice: &'a mut [T]) -> Self {
        let words = [slice.as_mut_ptr() as u64, slice.len() as u64];
        Leaf::new(Type::SliceMut(&T::TYPE), words, None, true)
    }
    /// The address of a row of values: of a type that Rust's memory has as objects do. With its length in bytes, which is not passed on.
    pub fn row<T>(values: &'a [T]) -> Self {
        let words = [values.as_ptr() as u64, size_of_val(values) as u64];
        Leaf::new(Type::Ptr, words, None, true)
    }
    /// The address of a row of values that compiled code writes floats to. `bytes` goes through the floats of a value, as bytes; `None` if they are not
    /// all that there is of it, in order.
    ///
    /// Whoever may write any bytes to all of a value may write any bytes to all values of the type: so this is safe, whatever `bytes` does.
    pub fn row_mut<T>(
        values: &'a mut [T],
        bytes: impl FnOnce(&mut T, &mut dyn FnMut(&mut [u8])),
    ) -> Option<Self> {
        let words = [values.as_mut_ptr() as u64, size_of_val(values) as u64];
        let Some(first) = values.first_mut() else {
            return Some(Leaf::new(Type::Ptr, words, None, true));
        };
        let (mut end, mut in_order) = (words[0], true);
        bytes(first, &mut |part| {
            in_order &= part.as_ptr() as u64 == end;
            end += part.len() as u64;
        });
        let is_all = in_order && end - words[0] == size_of::<T>() as u64;
        is_all.then(|| Leaf::new(Type::Ptr, words, None, true))
    }
    /// Its type.
    #[inline]
    pub fn ty(&self) -> Type {
        self.ty
    }
    /// Its words; the second is 0 if it has one.
    #[inline]
    pub fn words(&self) -> [u64; 2] {
        self.words
    }
    /// Whether it is a slice of memory outside the frame.
    #[inline]
    pub fn is_borrowed(&self) -> bool {
        self.is_borrowed
    }
}

impl<'a> Args<'a> {
    /// Adds a leaf for a parameter of type `param`. What the function knows not to change may be shared where the parameter is `&mut [T]`:
    /// so the buffers of vectors behind shared references.
    #[inline(always)]
    pub fn leaf(&mut self, leaf: &Leaf<'a>, param: Option<Type>) {
        let ty = match (leaf.ty, param) {
            (Type::Slice(a), Some(Type::SliceMut(b))) if a == b => Type::SliceMut(b),
            (Type::SliceMut(a), Some(Type::Slice(b))) if a == b => Type::Slice(b),
            (ty, _) => ty,
        };
        self.types.push(ty);
        self.words.push(leaf.words[0]);
        if matches!(ty, Type::Slice(_) | Type::SliceMut(_)) {
            self.words.push(leaf.words[1]);
        }
        if let Some(bytes) = leaf.inside {
            self.inside.push((Address::from_word(leaf.words[0]), bytes));
        }
    }
    /// No arguments yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds a scalar.
    pub fn scalar<T: Scalar>(&mut self, value: T) {
        self.types.push(T::TYPE);
        self.words.push(value.to_word());
    }
}

/// What the tests of this module pass; calls from outside pass leaves.
#[cfg(test)]
impl Args<'_> {
    /// Adds the address of an object of the frame that the call is made on, or null. What the function expects to find
    /// there must be there.
    pub fn pointer(&mut self, address: Address) {
        self.scalar(address);
        if !address.is_null() {
            self.inside.push((address, 0));
        }
    }
    /// Adds `&[T]` of elements that stand in an object of the frame.
    pub fn view<T: Scalar>(&mut self, at: Address, length: usize) {
        self.elements::<T>(Type::Slice(&T::TYPE), at, length);
    }
    /// Adds `&mut [T]` of elements that stand in an object of the frame. No two of a call may overlap: compiled code
    /// relies on it, for the shadows of slices too.
    pub fn view_mut<T: Scalar>(&mut self, at: Address, length: usize) {
        self.elements::<T>(Type::SliceMut(&T::TYPE), at, length);
        self.exclusive
            .push((at, length.saturating_mul(size_of::<T>())));
    }
    fn elements<T: Scalar>(&mut self, ty: Type, at: Address, length: usize) {
        self.types.push(ty);
        self.words.push(at.to_word());
        self.words.push(length as u64);
        if length > 0 {
            self.inside
                .push((at, length.saturating_mul(size_of::<T>())));
        }
    }
}

impl<'a> Args<'a> {
    /// Adds `&[T]`.
    pub fn slice<T: Scalar>(&mut self, slice: &'a [T]) {
        self.types.push(Type::Slice(&T::TYPE));
        self.words.push(slice.as_ptr() as u64);
        self.words.push(slice.len() as u64);
    }
    /// Adds `&mut [T]`.
    pub fn slice_mut<T: Scalar>(&mut self, slice: &'a mut [T]) {
        self.types.push(Type::SliceMut(&T::TYPE));
        self.words.push(slice.as_mut_ptr() as u64);
        self.words.push(slice.len() as u64);
    }
    /// Passes the memory of the leaf `from` for the leaf `to` as well, which is a shared slice of the same type and length, as it is itself:
    /// as `f(&x, &x)` does. Gives whether they are.
    pub fn share(&mut self, from: usize, to: usize) -> bool {
        let width = |ty: &Type| 1 + usize::from(matches!(ty, Type::Slice(_) | Type::SliceMut(_)));
        let place = |leaf: usize| self.types[..leaf].iter().map(width).sum::<usize>();
        let (source, target) = (place(from), place(to));
        let fits = self.types[from] == self.types[to]
            && width(&self.types[from]) == 2
            && self.words[source + 1] == self.words[target + 1];
        if fits {
            self.words[target] = self.words[source];
        }
        fits
    }
    /// Adds the handle of an array, which the call's host has given. 0 is the absent array.
    pub fn array<T: Scalar>(&mut self, handle: u64) {
        self.types.push(Type::Array(&T::TYPE));
        self.words.push(handle);
    }
    /// As compiled code gets them.
    pub fn words(&self) -> &[u64] {
        &self.words
    }
    /// What of them must lie in the frame's objects: addresses, and how many bytes from there on.
    pub(super) fn inside(&self) -> &[(Address, usize)] {
        &self.inside
    }
    /// Whether two mutable slices in the frame's objects overlap.
    pub(super) fn overlap(&self) -> bool {
        if self.exclusive.len() < 2 {
            return false;
        }
        let mut ranges = self.exclusive.clone();
        ranges.retain(|range| range.1 > 0);
        ranges.sort_by_key(|range| range.0.to_word());
        ranges
            .windows(2)
            .any(|pair| pair[0].0.to_word() + pair[0].1 as u64 > pair[1].0.to_word())
    }
    /// Their types.
    pub fn types(&self) -> &[Type] {
        &self.types
    }
}
