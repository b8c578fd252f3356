//! Values that go into calls and come out of them, and their gradients.

use super::call::{Call, Spot, Table, stride};
use super::direct::{Direct, Numbers};
use super::fields::{self, EachCotangent, EachField, EachGradient, EachPart, MakeField};
use super::gradient_sink::GradientSink;
use super::linear::Linear;
use super::own_rule::{Given, Outcome, copy, read_array};
use super::reader::Reader;
use super::rows::{self, Cotangents, Place, Plain, Row, Variants};
use super::visit::Visit;
use crate::array::{Array, Device, FloatElement};
use crate::diag::{Error, Result};
use crate::exec::{Leaf, Scalar};
use crate::front::ty::Ty;
use crate::front::types::{TypeBehind, Typed};
use crate::ir::Type;
use half::f16;
use std::any::Any;
use std::rc::Rc;

/// A value that differentiable functions take from outside and give back: numbers, tuples, slices, `Vec`, `[T; N]`, `Box`, `Rc`, `Cell`,
/// `RefCell`, `Option`, `Result`, text, arrays, and structs and enums with `#[derive(Differentiable)]`.
///
/// Values are copied into a call and back; slices and vectors of numbers behind shared references are not copied where they
/// are parts of an argument itself, nor are those of fixed arrays, structs and tuples of numbers, if Rust keeps the fields in the order in which they are
/// written. An `Rc<RefCell<_>>` that is reached in several ways is one object, and has one gradient,
/// which is the sum over all ways.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed to a differentiable function from outside, nor returned",
    note = "structs and enums need `#[derive(Differentiable)]`",
    note = "a rule of a generic function is built for one list of type arguments: write them, `build_rrule::<f<f64>>()`"
)]
pub trait Value:
    Typed<Gradient: Cotangent, SliceGradient: Sequence<Item = <Self as Typed>::Gradient>>
    + Visit
    + Sized
{
    /// Whether it is a struct or a tuple: then it has its fields whatever its value is.
    #[doc(hidden)]
    const IS_STRUCT: bool = false;
    /// Goes through the fields of a struct, a tuple, or the live variant of an enum. Others have no fields.
    #[doc(hidden)]
    fn each<'s>(&'s self, fields: &mut impl EachField<'s>) {
        let _ = fields;
    }
    /// Makes a struct, a tuple, or this variant of an enum of its fields. `None` if there is no such variant, or if a field cannot be made.
    #[doc(hidden)]
    fn make(variant: usize, fields: &mut impl MakeField) -> Option<Self> {
        let _ = (variant, fields);
        None
    }
    /// Goes through the gradients of the fields. The gradient of an enum is first changed to one of this variant.
    #[doc(hidden)]
    fn each_gradient(
        gradient: &mut Self::Gradient,
        variant: usize,
        fields: &mut impl EachGradient,
    ) {
        let _ = (gradient, variant, fields);
    }
    /// Goes through the gradients of the fields.
    #[doc(hidden)]
    fn each_cotangent(gradient: &Self::Gradient, fields: &mut impl EachCotangent) {
        let _ = (gradient, fields);
    }
    /// The type in IR of a number.
    #[doc(hidden)]
    const SCALAR: Option<Type> = None;
    /// Whether it is a single leaf that has its cotangent by value: a number, an array.
    #[doc(hidden)]
    const IS_LEAF: bool = Self::SCALAR.is_some();
    /// A number by its word.
    #[doc(hidden)]
    fn of_word(word: u64) -> Option<Self> {
        let _ = word;
        None
    }
    /// What it stands for as an argument if it is a number, or a tuple or struct of numbers.
    #[doc(hidden)]
    const NUMBERS: Option<Numbers> = None;
    /// Gives these numbers.
    #[doc(hidden)]
    #[inline]
    fn give_numbers(&self, call: &mut Direct<'_, '_>) {
        self.each(&mut fields::GiveNumbers(call));
    }
    /// How it stands in objects if it is a number, or a tuple, struct, fixed array or vector of such: rows of it are written and read at once (`rows`).
    #[doc(hidden)]
    const PLAIN: Option<Plain> = None;
    /// Of an enum: how the fields of each variant stand in objects.
    #[doc(hidden)]
    const VARIANTS: Variants = &[];
    /// Writes a plain value to its place in a row: all of it, all but its floats, or the addresses of its vectors (`rows::{ALL, BLANK, ADDRESSES}`).
    #[doc(hidden)]
    #[inline]
    fn put<const WHAT: u8>(&self, place: &mut [u8], behind: &mut Row<'_>) {
        self.each(&mut rows::Put::<Self, WHAT>::new(place, behind));
    }
    /// The bytes that its arrays and vectors take behind a row; of a plain value. `None` if values that are not plain are in its vectors.
    #[doc(hidden)]
    #[inline]
    fn behind(&self) -> Option<usize> {
        rows::behind(self)
    }
    /// Reads its gradient from its place in a row; of a plain value.
    #[doc(hidden)]
    #[inline]
    fn pick(gradient: &mut Self::Gradient, place: Place<'_>, behind: &mut Cotangents<'_>) {
        rows::pick::<Self>(gradient, place, behind);
    }
    /// Adds its gradient to its shadow in a row; of a plain value without vectors and enums.
    #[doc(hidden)]
    #[inline]
    fn add(gradient: &Self::Gradient, shadow: &mut [u8]) {
        Self::each_cotangent(gradient, &mut rows::Add::<Self>::new(shadow));
    }
    /// Adds those of several, which stand one after the other.
    #[doc(hidden)]
    #[inline]
    fn add_all(gradients: &[Self::Gradient], shadows: &mut [u8]) {
        rows::add_each::<Self>(gradients, shadows);
    }
    /// Writes several, which stand one after the other.
    #[doc(hidden)]
    #[inline]
    fn put_all<const WHAT: u8>(values: &[Self], places: &mut [u8], behind: &mut Row<'_>) {
        rows::put_each::<Self, WHAT>(values, places, behind);
    }
    /// Reads the gradients of several, which stand one after the other.
    #[doc(hidden)]
    #[inline]
    fn pick_all(gradients: &mut [Self::Gradient], places: Place<'_>, behind: &mut Cotangents<'_>) {
        rows::pick_each::<Self>(gradients, places, behind);
    }
    /// Adds its leaves to a call.
    #[doc(hidden)]
    fn encode(&self, call: &mut Call<'_>) -> Result<()> {
        fields::encode(self, call)
    }
    /// Adds the leaves of something that is only read while the call lasts: its slices may be borrowed.
    #[doc(hidden)]
    fn give_shared<'s>(&'s self, call: &mut Call<'s>) -> Result<()> {
        match Self::IS_STRUCT {
            true => fields::share(self, call),
            // Which variant of an enum is live is not known before the call.
            false => self.encode(call),
        }
    }
    /// Adds it as an argument: by reference or, with `shared`, for a parameter that is a reference.
    #[doc(hidden)]
    fn give_argument<'s>(&'s self, shared: bool, call: &mut Call<'s>) -> Result<()> {
        call.value::<Self>(shared, |call| match shared {
            true => self.give_shared(call),
            false => self.encode(call),
        })
    }
    /// Adds the leaves of what an `Rc` holds.
    #[doc(hidden)]
    fn give_rc(this: &Rc<Self>, call: &mut Call<'_>) -> Result<()> {
        (**this).encode(call)
    }
    /// Reads a value.
    #[doc(hidden)]
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        fields::decode(reader)
    }
    /// Reads what an `Rc` holds.
    #[doc(hidden)]
    fn take_rc(reader: &mut Reader<'_>) -> Result<Rc<Self>> {
        Self::decode(reader).map(Rc::new)
    }
    /// Brings the cells in it up to date after a call.
    #[doc(hidden)]
    fn refresh(&self, reader: &mut Reader<'_>) -> Result<()> {
        fields::refresh(self, reader)
    }
    /// A copy that shares nothing that can change, with cells that are one in it where they are one here. An error for
    /// what cannot be copied: references to what has a gradient, and functions.
    #[doc(hidden)]
    fn copy(&self, seen: &mut Copies) -> Result<Self>;
    /// That of what an `Rc` holds.
    #[doc(hidden)]
    fn copy_rc(this: &Rc<Self>, seen: &mut Copies) -> Result<Rc<Self>> {
        (**this).copy(seen).map(Rc::new)
    }
    /// The gradient zero, of the value's form.
    #[doc(hidden)]
    fn zero(&self, seen: &mut Seen) -> Self::Gradient;
    /// That of what an `Rc` holds.
    #[doc(hidden)]
    fn zero_rc(this: &Rc<Self>, seen: &mut Seen) -> Rc<Self::Gradient> {
        Rc::new((**this).zero(seen))
    }
    /// Reads the gradient, in step with the value.
    #[doc(hidden)]
    fn read(gradient: &mut Self::Gradient, reader: &mut Reader<'_>) -> Result<()> {
        fields::read::<Self>(gradient, reader)
    }
    /// Reads the gradient of what an `Rc` holds.
    #[doc(hidden)]
    fn read_rc(gradient: &mut Rc<Self::Gradient>, reader: &mut Reader<'_>) -> Result<()> {
        Self::read(Rc::make_mut(gradient), reader)
    }
    /// Adds the gradient to the shadow of the value.
    #[doc(hidden)]
    fn write(gradient: &Self::Gradient, reader: &mut Reader<'_>) -> Result<()> {
        fields::write::<Self>(gradient, reader)
    }

    /// A slice of numbers as it is.
    #[doc(hidden)]
    fn borrow(values: &[Self]) -> Option<Leaf<'_>> {
        let _ = values;
        None
    }
    /// A slice of numbers as it is.
    #[doc(hidden)]
    fn borrow_mut(values: &mut [Self]) -> Option<Leaf<'_>> {
        let _ = values;
        None
    }
    /// Writes elements into an object.
    #[doc(hidden)]
    fn give_all(values: &[Self], call: &mut Call<'_>, spot: Spot) -> Result<()> {
        let stride = stride::<Self>();
        let mut values = values.iter().enumerate();
        deeper(|| {
            values.try_for_each(|(i, value)| {
                call.at(spot.offset(i * stride), |call| value.encode(call))
            })
        })
    }
    /// Reads elements from an object.
    #[doc(hidden)]
    fn take_all(reader: &mut Reader<'_>, spot: Spot, length: usize) -> Result<Vec<Self>> {
        let mut values = Vec::new();
        deeper(|| {
            reader.each::<Self>(spot, length, |reader, _| {
                values.push(Self::decode(reader)?);
                Ok(())
            })
        })?;
        Ok(values)
    }
    /// Reads the gradients of elements.
    #[doc(hidden)]
    fn read_all(
        gradients: &mut [Self::Gradient],
        reader: &mut Reader<'_>,
        spot: Spot,
    ) -> Result<()> {
        let is_row = Self::PLAIN.is_some() && !spot.shadow.is_null();
        if is_row && rows::read::<Self>(gradients, &reader.objects, spot) {
            return Ok(());
        }
        deeper(|| {
            reader.each::<Self>(spot, gradients.len(), |reader, i| {
                Self::read(&mut gradients[i], reader)
            })
        })
    }
    /// Adds the gradients of elements.
    #[doc(hidden)]
    fn write_all(gradients: &[Self::Gradient], reader: &mut Reader<'_>, spot: Spot) -> Result<()> {
        if rows::is_fixed::<Self>() {
            return match spot.shadow.is_null() || reader.cells_only {
                true => Ok(()),
                false => rows::add::<Self>(gradients, &mut reader.objects, spot.shadow),
            };
        }
        deeper(|| {
            reader.each::<Self>(spot, gradients.len(), |reader, i| {
                Self::write(&gradients[i], reader)
            })
        })
    }
    /// Adds the cotangent of a result to a call.
    #[doc(hidden)]
    fn seed(gradient: &Self::Gradient, call: &mut Call<'_>) -> Result<()> {
        call.seed::<Self>(gradient)
    }
    /// The cotangent of a result whose pullback is the gradient, if there is one.
    #[doc(hidden)]
    fn one(value: Option<&Self>) -> Result<Self::Gradient> {
        let _ = value;
        super::returned::no_gradient(&format!("`{}`", Self::ty()))
    }
    /// Whether `one` depends on the value.
    #[doc(hidden)]
    const ONE_NEEDS_VALUE: bool = false;
    /// See [`Returned`](super::Returned).
    #[doc(hidden)]
    fn has_gradient(&self) -> Result<()> {
        Ok(())
    }
    /// Reads the leaves that the host passes to a function with a rule of its own: numbers and arrays, and tuples and structs of them.
    #[doc(hidden)]
    fn of_leaves(given: &Given<'_>) -> std::result::Result<Self, String> {
        fields::of_leaves(given)
    }
    /// Writes them as results.
    #[doc(hidden)]
    fn to_leaves(&self, given: &Given<'_>) -> Outcome {
        fields::to_leaves(self, given)
    }
    /// The value that carries an error; `None` if values of the type cannot.
    #[doc(hidden)]
    fn failed(error: &Error) -> Option<Self> {
        let _ = error;
        None
    }
}

/// A type of gradients.
pub trait Cotangent: Visit + Linear + GradientSink<Self> + Clone + 'static {
    /// Whether values of it say nothing: `()`.
    #[doc(hidden)]
    fn is_none() -> bool {
        false
    }
    /// Whether values of it are floats.
    #[doc(hidden)]
    const IS_FLOAT: bool = false;
    /// A slice of floats as it is.
    #[doc(hidden)]
    fn floats(slice: &mut [Self]) -> Option<Leaf<'_>> {
        let _ = slice;
        None
    }
    /// The same, to be read only.
    #[doc(hidden)]
    fn read_floats(slice: &[Self]) -> Option<Leaf<'_>> {
        let _ = slice;
        None
    }
    /// A value without content, to be filled.
    #[doc(hidden)]
    fn empty() -> Self;
    /// Whether `empty` is known to make nothing behind a box, where its own type might come again.
    #[doc(hidden)]
    const ENDS: bool = false;
    /// Goes through the fields of the gradient of a struct or a tuple.
    #[doc(hidden)]
    fn each_part<'s>(&'s mut self, parts: &mut impl EachPart<'s>) {
        let _ = parts;
    }
    /// Lends its vectors as shadows of the slices that an argument has borrowed.
    #[doc(hidden)]
    fn lend_parts<'s>(&'s mut self, call: &mut Call<'s>) {
        self.each_part(&mut fields::LendParts(call));
    }
    /// Lends a vector of it.
    #[doc(hidden)]
    fn lend_vec<'s>(vec: &'s mut Vec<Self>, call: &mut Call<'s>) {
        call.lend_row(vec);
    }
    /// Reads the gradient of an argument that is a single leaf.
    #[doc(hidden)]
    fn read_leaf(&mut self, results: &mut super::Results<'_>) -> Result<()> {
        let _ = results;
        Err(Error::Internal("a leaf of another type".to_owned()))
    }
    /// Reads the gradient of an argument that is a slice: from its shadow, if that is in objects.
    #[doc(hidden)]
    fn read_vec(vec: &mut Vec<Self>, results: &mut super::Results<'_>) -> Result<()> {
        let _ = (vec, results);
        Err(Error::Internal("a leaf of another type".to_owned()))
    }
}

/// A type of gradients of sequences: a vector, or `()`.
pub trait Sequence: Cotangent {
    /// The gradient of an element.
    type Item: Cotangent;
    /// Gives it that length, and all its items; no items if it has none.
    #[doc(hidden)]
    fn fit(&mut self, length: usize) -> &mut [Self::Item];
    /// Its items, if it has any.
    #[doc(hidden)]
    fn items(&self) -> Option<&[Self::Item]>;
}

/// The gradients of the cells seen so far.
#[derive(Default)]
pub struct Seen {
    /// By address and type.
    cells: Table<(usize, Ty), Rc<dyn Any>>,
    /// One was borrowed: nobody knows the form of its gradient.
    borrowed: bool,
}

impl Seen {
    /// Whether the form of all cells was seen.
    pub(super) fn complete(&self) -> Result<()> {
        match self.borrowed {
            true => borrowed(),
            false => Ok(()),
        }
    }
}

/// The copies of the cells seen so far.
#[derive(Default)]
pub struct Copies {
    /// By address and type.
    cells: Table<(usize, Ty), Rc<dyn Any>>,
    /// Whether an `Rc` of a cell is copied as itself.
    shallow: bool,
}

impl Copies {
    /// Copies what is not in an `Rc` of a cell.
    pub(crate) fn shallow() -> Copies {
        Copies {
            shallow: true,
            ..Copies::default()
        }
    }
}

/// Goes behind a pointer or into a vector. Lists and trees may be deeper than the stacks of threads: where little of one is left, more is made.
pub(super) fn deeper<R>(go: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 << 10, 2 << 20, go)
}

fn copy_all<T: Value>(values: &[T], seen: &mut Copies) -> Result<Vec<T>> {
    deeper(|| values.iter().map(|value| value.copy(seen)).collect())
}

fn refuse<T>(found: &str, instead: &str) -> Result<T> {
    Err(Error::Array(format!("{found}; {instead}")))
}

/// What is the same for all numbers, within `impl Value for $ty`.
macro_rules! number {
    ($ty:ident) => {
        const SCALAR: Option<Type> = Some(<$ty as Scalar>::TYPE);
        const PLAIN: Option<Plain> = Some(Plain::number::<$ty>());
        const NUMBERS: Option<Numbers> = Some(Numbers::one(<$ty as Scalar>::TYPE));
        fn of_word(word: u64) -> Option<Self> {
            Some(Scalar::from_word(word))
        }
        #[inline]
        fn give_numbers(&self, call: &mut Direct<'_, '_>) {
            call.scalar(*self);
        }
        fn encode(&self, call: &mut Call<'_>) -> Result<()> {
            call.scalar(*self)
        }
        fn decode(reader: &mut Reader<'_>) -> Result<Self> {
            reader.scalar()
        }
        fn of_leaves(given: &Given<'_>) -> std::result::Result<Self, String> {
            given.argument()
        }
        fn to_leaves(&self, given: &Given<'_>) -> Outcome {
            *given.out::<&mut $ty>()? = *self;
            Ok(())
        }
        fn copy(&self, _seen: &mut Copies) -> Result<Self> {
            Ok(*self)
        }
        #[inline]
        fn borrow(values: &[Self]) -> Option<Leaf<'_>> {
            Some(Leaf::slice(values))
        }
        #[inline]
        fn borrow_mut(values: &mut [Self]) -> Option<Leaf<'_>> {
            Some(Leaf::slice_mut(values))
        }
        fn give_all(values: &[Self], call: &mut Call<'_>, spot: Spot) -> Result<()> {
            call.write(spot.primal, values)
        }
        fn take_all(reader: &mut Reader<'_>, spot: Spot, length: usize) -> Result<Vec<Self>> {
            reader.objects.read_vec(spot.primal, length)
        }
    };
}

/// Numbers without derivative.
macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Value for $ty {
            number!($ty);
            #[inline]
            fn put<const WHAT: u8>(&self, place: &mut [u8], _behind: &mut Row<'_>) {
                if WHAT != rows::ADDRESSES {
                    rows::put_number(*self, place);
                }
            }
            #[inline]
            fn zero(&self, _seen: &mut Seen) {}
            #[inline]
            fn pick(_gradient: &mut (), _place: Place<'_>, _behind: &mut Cotangents<'_>) {}
            #[inline]
            fn add(_gradient: &(), _shadow: &mut [u8]) {}
            fn read(_gradient: &mut (), reader: &mut Reader<'_>) -> Result<()> {
                reader.scalar::<$ty>().map(drop)
            }
            fn write(_gradient: &(), reader: &mut Reader<'_>) -> Result<()> {
                reader.scalar::<$ty>().map(drop)
            }
            fn read_all(_gradients: &mut [()], _reader: &mut Reader<'_>, _spot: Spot) -> Result<()> {
                Ok(())
            }
            fn write_all(_gradients: &[()], _reader: &mut Reader<'_>, _spot: Spot) -> Result<()> {
                Ok(())
            }
        }
    )*};
}
integers! { bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

macro_rules! floats {
    ($($ty:ident $number:ident;)*) => {$(
        impl Value for $ty {
            number!($ty);
            #[inline]
            fn put<const WHAT: u8>(&self, place: &mut [u8], _behind: &mut Row<'_>) {
                if WHAT == rows::ALL {
                    rows::put_number(*self, place);
                }
            }
            #[inline]
            fn zero(&self, _seen: &mut Seen) -> $ty {
                0.0
            }
            #[inline]
            fn pick(gradient: &mut $ty, place: Place<'_>, _behind: &mut Cotangents<'_>) {
                *gradient = rows::pick_number(place.shadow);
            }
            #[inline]
            fn add(gradient: &$ty, shadow: &mut [u8]) {
                rows::put_number(rows::pick_number::<$ty>(shadow) + gradient, shadow);
            }
            fn read(gradient: &mut $ty, reader: &mut Reader<'_>) -> Result<()> {
                let (found, add) = reader.cotangent::<$ty>()?;
                *gradient = if add { *gradient + found } else { found };
                Ok(())
            }
            fn write(gradient: &$ty, reader: &mut Reader<'_>) -> Result<()> {
                reader.add_cotangent(*gradient)
            }
            fn read_all(gradients: &mut [$ty], reader: &mut Reader<'_>, spot: Spot) -> Result<()> {
                match spot.shadow.is_null() {
                    true => gradients.fill(0.0),
                    false => reader.objects.read_slice(spot.shadow, gradients)?,
                }
                Ok(())
            }
            fn write_all(gradients: &[$ty], reader: &mut Reader<'_>, spot: Spot) -> Result<()> {
                if spot.shadow.is_null() || reader.cells_only {
                    return Ok(());
                }
                let mut sums = reader.objects.read_vec::<$ty>(spot.shadow, gradients.len())?;
                { sums.iter_mut() }.zip(gradients).for_each(|(sum, x)| *sum += x);
                reader.objects.write_slice(spot.shadow, &sums)
            }
            fn seed(gradient: &$ty, call: &mut Call<'_>) -> Result<()> {
                call.scalar(*gradient)
            }
            fn one(_value: Option<&Self>) -> Result<$ty> {
                Ok(1.0)
            }
        }
        impl Cotangent for $ty {
            const IS_FLOAT: bool = true;
            const ENDS: bool = true;
            #[inline]
            fn floats(slice: &mut [$ty]) -> Option<Leaf<'_>> {
                Some(Leaf::slice_mut(slice))
            }
            fn read_floats(slice: &[$ty]) -> Option<Leaf<'_>> {
                Some(Leaf::slice(slice))
            }
            #[inline]
            fn empty() -> $ty {
                0.0
            }
            fn lend_vec<'s>(vec: &'s mut Vec<$ty>, call: &mut Call<'s>) {
                call.lend_next(|length| {
                    if let Some(length) = length {
                        vec.resize(length, 0.0);
                    }
                    &mut vec[..]
                });
            }
            fn read_leaf(&mut self, results: &mut super::Results<'_>) -> Result<()> {
                let before = if results.add() { *self } else { 0.0 };
                *self = before + results.scalar::<$ty>()?;
                Ok(())
            }
            fn read_vec(vec: &mut Vec<$ty>, results: &mut super::Results<'_>) -> Result<()> {
                results.floats(vec)
            }
        }
    )*};
}
floats! { f32 F32; f64 F64; }

impl<T: FloatElement> Value for Array<T> {
    const IS_LEAF: bool = true;
    fn encode(&self, call: &mut Call<'_>) -> Result<()> {
        call.array(self)
    }
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        reader.array()
    }
    fn of_leaves(given: &Given<'_>) -> std::result::Result<Self, String> {
        super::own_rule::read_floats(given)
    }
    fn to_leaves(&self, given: &Given<'_>) -> Outcome {
        super::own_rule::copy_floats(self, given)
    }
    fn failed(error: &Error) -> Option<Self> {
        Some(Array::new(&Device::cpu(), Err(error.clone())))
    }
    // A cotangent is overwritten as a whole; until then it is one number, whatever the shape.
    fn copy(&self, _seen: &mut Copies) -> Result<Self> {
        Ok(self.clone())
    }
    fn zero(&self, _seen: &mut Seen) -> Self {
        Array::full_on(self.device(), self.shape(), T::ZERO)
    }
    fn read(gradient: &mut Self, reader: &mut Reader<'_>) -> Result<()> {
        let (found, add) = reader.array_cotangent::<T, T>()?;
        *gradient = if add { &*gradient + &found } else { found };
        Ok(())
    }
    fn write(gradient: &Self, reader: &mut Reader<'_>) -> Result<()> {
        reader.add_array_cotangent::<T, T>(gradient, |a, b| a + b)
    }
    fn seed(gradient: &Self, call: &mut Call<'_>) -> Result<()> {
        call.array(gradient)
    }
    const ONE_NEEDS_VALUE: bool = true;
    fn one(value: Option<&Self>) -> Result<Self> {
        super::returned::one_of_array(value)
    }
    fn has_gradient(&self) -> Result<()> {
        super::returned::has_one(self)
    }
}
impl<T: FloatElement> Cotangent for Array<T> {
    const ENDS: bool = true;
    fn empty() -> Self {
        Array::full_on(&Device::cpu(), [0], T::ZERO)
    }
    fn read_leaf(&mut self, results: &mut super::Results<'_>) -> Result<()> {
        let found = results.array()?;
        *self = if results.add() {
            &*self + &found
        } else {
            found
        };
        Ok(())
    }
}

macro_rules! index_arrays {
    ($($ty:ident { $($leaves:tt)* })*) => {$(
        impl Value for Array<$ty> {
            const IS_LEAF: bool = true;
            fn encode(&self, call: &mut Call<'_>) -> Result<()> {
                call.array(self)
            }
            fn decode(reader: &mut Reader<'_>) -> Result<Self> {
                reader.array()
            }
            $($leaves)*
            fn failed(error: &Error) -> Option<Self> {
                Some(Array::new(&Device::cpu(), Err(error.clone())))
            }
            fn copy(&self, _seen: &mut Copies) -> Result<Self> {
                Ok(self.clone())
            }
            fn zero(&self, _seen: &mut Seen) {}
            fn read(_gradient: &mut (), reader: &mut Reader<'_>) -> Result<()> {
                reader.array::<$ty>().map(drop)
            }
            fn write(_gradient: &(), reader: &mut Reader<'_>) -> Result<()> {
                reader.array::<$ty>().map(drop)
            }
        }
    )*};
}
index_arrays! {
    i32 {
        fn of_leaves(given: &Given<'_>) -> std::result::Result<Self, String> {
            read_array(given)
        }
        fn to_leaves(&self, given: &Given<'_>) -> Outcome {
            copy(self, given.out()?)
        }
    }
    u32 {
        fn of_leaves(given: &Given<'_>) -> std::result::Result<Self, String> {
            read_array(given)
        }
        fn to_leaves(&self, given: &Given<'_>) -> Outcome {
            copy(self, given.out()?)
        }
    }
    // Native rules know no bools.
    bool {}
}

/// The cotangent of an array that is stored in 16 bits is an array of `f32`: see [`widened`](crate::tangent::widened).
impl Value for Array<f16> {
    const IS_LEAF: bool = true;
    fn encode(&self, call: &mut Call<'_>) -> Result<()> {
        call.array(self)
    }
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        reader.array()
    }
    fn failed(error: &Error) -> Option<Self> {
        Some(Array::new(&Device::cpu(), Err(error.clone())))
    }
    fn copy(&self, _seen: &mut Copies) -> Result<Self> {
        Ok(self.clone())
    }
    fn zero(&self, _seen: &mut Seen) -> Array<f32> {
        Array::full_on(self.device(), self.shape(), 0.0)
    }
    fn read(gradient: &mut Array<f32>, reader: &mut Reader<'_>) -> Result<()> {
        let (found, add) = reader.array_cotangent::<f16, f32>()?;
        *gradient = if add { &*gradient + &found } else { found };
        Ok(())
    }
    fn write(gradient: &Array<f32>, reader: &mut Reader<'_>) -> Result<()> {
        reader.add_array_cotangent::<f16, f32>(gradient, |a, b| a + b)
    }
    fn seed(gradient: &Array<f32>, call: &mut Call<'_>) -> Result<()> {
        call.array(gradient)
    }
    const ONE_NEEDS_VALUE: bool = true;
    fn one(value: Option<&Self>) -> Result<Array<f32>> {
        super::returned::one_of_array(value)
    }
    fn has_gradient(&self) -> Result<()> {
        super::returned::has_one(self)
    }
}

impl Cotangent for () {
    const ENDS: bool = true;
    fn is_none() -> bool {
        true
    }
    fn empty() {}
}
impl Sequence for () {
    type Item = ();
    fn fit(&mut self, _length: usize) -> &mut [()] {
        &mut []
    }
    fn items(&self) -> Option<&[()]> {
        None
    }
}
impl<G: Cotangent> Cotangent for Vec<G> {
    const ENDS: bool = true;
    fn empty() -> Self {
        Vec::new()
    }
    fn lend_parts<'s>(&'s mut self, call: &mut Call<'s>) {
        G::lend_vec(self, call);
    }
    fn read_leaf(&mut self, results: &mut super::Results<'_>) -> Result<()> {
        G::read_vec(self, results)
    }
}
impl<G: Cotangent> Sequence for Vec<G> {
    type Item = G;
    fn fit(&mut self, length: usize) -> &mut [G] {
        self.resize_with(length, G::empty);
        self
    }
    fn items(&self) -> Option<&[G]> {
        Some(self)
    }
}

/// The parts of `Value` for sequences, which differ in how they are given and taken.
macro_rules! sequence {
    ($buffer:literal) => {
        const PLAIN: Option<Plain> = Some(Plain::list(if $buffer { 3 } else { 2 }, T::SCALAR));
        fn behind(&self) -> Option<usize> {
            rows::bytes(self)
        }
        #[inline]
        fn put<const WHAT: u8>(&self, place: &mut [u8], behind: &mut Row<'_>) {
            behind.list::<T, WHAT>(self, place);
        }
        #[inline]
        fn pick(gradient: &mut Self::Gradient, place: Place<'_>, behind: &mut Cotangents<'_>) {
            behind.list::<T>(gradient, place);
        }
        fn refresh(&self, reader: &mut Reader<'_>) -> Result<()> {
            match rows::is_fixed::<T>() {
                true => Ok(()),
                false => deeper(|| self.iter().try_for_each(|value| value.refresh(reader))),
            }
        }
        fn zero(&self, seen: &mut Seen) -> Self::Gradient {
            zeros(self, seen)
        }
        fn read(gradient: &mut Self::Gradient, reader: &mut Reader<'_>) -> Result<()> {
            let (spot, length, lent) = reader.elements::<T>($buffer)?;
            match lent {
                true => Ok(()),
                false => T::read_all(gradient.fit(length), reader, spot),
            }
        }
        fn write(gradient: &Self::Gradient, reader: &mut Reader<'_>) -> Result<()> {
            let (spot, length, lent) = reader.elements::<T>($buffer)?;
            match gradient.items() {
                Some(items) if items.len() != length => {
                    Err(Reader::wrong_length(items.len(), length))
                }
                Some(items) if !lent => T::write_all(items, reader, spot),
                _ => Ok(()),
            }
        }
    };
}

fn zeros<T: Value>(values: &[T], seen: &mut Seen) -> T::SliceGradient {
    let mut gradient = T::SliceGradient::empty();
    let places = gradient.fit(values.len()).iter_mut().zip(values);
    let zero = |(place, value): (&mut T::Gradient, &T)| *place = value.zero(seen);
    match rows::is_fixed::<T>() {
        true => places.for_each(zero),
        false => deeper(|| places.for_each(zero)),
    }
    gradient
}

/// Gives a slice: borrowed, or copied.
pub(super) fn give_slice<'s, T: Value>(
    values: &'s [T],
    buffer: bool,
    call: &mut Call<'s>,
) -> Result<()> {
    match T::borrow(values) {
        Some(leaf) => {
            call.borrowed(leaf)?;
            match buffer {
                true => call.scalar(values.len()),
                false => Ok(()),
            }
        }
        None if call.passes_rows_in_place::<T>() => {
            call.row_in_place(values)?;
            lengths(values.len(), buffer, call)
        }
        None => copy_slice(values, buffer, call),
    }
}
/// Gives how many elements there are behind an address; with `buffer` also how many there is room for.
fn lengths(length: usize, buffer: bool, call: &mut Call<'_>) -> Result<()> {
    call.scalar(length)?;
    match buffer {
        true => call.scalar(length),
        false => Ok(()),
    }
}
/// Gives a copy of a slice, or with `buffer` of a vector.
pub(super) fn copy_slice<T: Value>(values: &[T], buffer: bool, call: &mut Call<'_>) -> Result<()> {
    // In objects, parts of values begin at words.
    let spot = call.elements(values)?;
    match T::SCALAR {
        Some(ty) if buffer => {
            call.view(Type::slice_mut(ty), spot, values.len())?;
            call.scalar(values.len())
        }
        Some(ty) => call.view(Type::slice(ty), spot, values.len()),
        None => {
            call.pointer(spot)?;
            lengths(values.len(), buffer, call)
        }
    }
}

impl<T: Value> Value for Vec<T> {
    fn encode(&self, call: &mut Call<'_>) -> Result<()> {
        copy_slice(self, true, call)
    }
    fn give_shared<'s>(&'s self, call: &mut Call<'s>) -> Result<()> {
        give_slice(self, true, call)
    }
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        let (spot, length, _) = reader.elements::<T>(true)?;
        T::take_all(reader, spot, length)
    }
    fn copy(&self, seen: &mut Copies) -> Result<Self> {
        copy_all(self, seen)
    }
    sequence!(true);
}
impl<T: Value> Value for Box<[T]> {
    fn encode(&self, call: &mut Call<'_>) -> Result<()> {
        copy_slice(self, true, call)
    }
    fn give_shared<'s>(&'s self, call: &mut Call<'s>) -> Result<()> {
        give_slice(self, true, call)
    }
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Vec::decode(reader).map(Vec::into_boxed_slice)
    }
    fn copy(&self, seen: &mut Copies) -> Result<Self> {
        copy_all(self, seen).map(Vec::into_boxed_slice)
    }
    sequence!(true);
}
impl<T: Value> Value for &[T] {
    fn encode(&self, call: &mut Call<'_>) -> Result<()> {
        copy_slice(self, false, call)
    }
    fn give_shared<'s>(&'s self, call: &mut Call<'s>) -> Result<()> {
        give_slice(self, false, call)
    }
    fn decode(_reader: &mut Reader<'_>) -> Result<Self> {
        no_reference()
    }
    fn copy(&self, _seen: &mut Copies) -> Result<Self> {
        match T::SliceGradient::is_none() {
            true => Ok(*self),
            false => reference_inside(),
        }
    }
    sequence!(false);
}

fn reference_inside<T>() -> Result<T> {
    refuse(
        "a value that holds references to what has a gradient cannot be copied",
        "take the values themselves, and make the references inside the function",
    )
}

fn no_reference<T>() -> Result<T> {
    refuse(
        "a reference cannot be read back from a call",
        "return the value itself, or a copy of it",
    )
}

/// The elements are in memory: those of one in a struct or a slice are a part of it.
impl<T: Value, const N: usize> Value for [T; N] {
    const PLAIN: Option<Plain> = Plain::array(T::PLAIN, N);
    #[inline]
    fn put<const WHAT: u8>(&self, place: &mut [u8], behind: &mut Row<'_>) {
        T::put_all::<WHAT>(self, place, behind);
    }
    fn behind(&self) -> Option<usize> {
        rows::behind_all(self)
    }
    #[inline]
    fn pick(gradient: &mut Self::Gradient, place: Place<'_>, behind: &mut Cotangents<'_>) {
        T::pick_all(gradient, place, behind);
    }
    #[inline]
    fn add(gradient: &Self::Gradient, shadow: &mut [u8]) {
        T::add_all(gradient, shadow);
    }
    fn encode(&self, call: &mut Call<'_>) -> Result<()> {
        call.fixed_array(self)
    }
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        let spot = reader.fixed_array::<T, N>()?;
        let values = T::take_all(reader, spot, N)?;
        let short = |_| Error::Internal("too few elements".to_owned());
        values.try_into().map_err(short)
    }
    fn refresh(&self, reader: &mut Reader<'_>) -> Result<()> {
        self.iter().try_for_each(|value| value.refresh(reader))
    }
    fn copy(&self, seen: &mut Copies) -> Result<Self> {
        let short = |_| Error::Internal("too few elements".to_owned());
        copy_all(self, seen)?.try_into().map_err(short)
    }
    fn zero(&self, seen: &mut Seen) -> [T::Gradient; N] {
        std::array::from_fn(|i| self[i].zero(seen))
    }
    fn read(gradient: &mut [T::Gradient; N], reader: &mut Reader<'_>) -> Result<()> {
        let spot = reader.fixed_array::<T, N>()?;
        T::read_all(gradient, reader, spot)
    }
    fn write(gradient: &[T::Gradient; N], reader: &mut Reader<'_>) -> Result<()> {
        let spot = reader.fixed_array::<T, N>()?;
        T::write_all(gradient, reader, spot)
    }
}
impl<G: Cotangent, const N: usize> Cotangent for [G; N] {
    const ENDS: bool = G::ENDS;
    fn empty() -> Self {
        std::array::from_fn(|_| G::empty())
    }
}

impl<T: Value> Value for &T {
    fn encode(&self, call: &mut Call<'_>) -> Result<()> {
        (**self).encode(call)
    }
    fn give_shared<'s>(&'s self, call: &mut Call<'s>) -> Result<()> {
        (**self).give_shared(call)
    }
    fn decode(_reader: &mut Reader<'_>) -> Result<Self> {
        no_reference()
    }
    fn refresh(&self, reader: &mut Reader<'_>) -> Result<()> {
        (**self).refresh(reader)
    }
    fn copy(&self, _seen: &mut Copies) -> Result<Self> {
        match T::Gradient::is_none() {
            true => Ok(*self),
            false => reference_inside(),
        }
    }
    fn zero(&self, seen: &mut Seen) -> T::Gradient {
        (**self).zero(seen)
    }
    fn read(gradient: &mut T::Gradient, reader: &mut Reader<'_>) -> Result<()> {
        T::read(gradient, reader)
    }
    fn write(gradient: &T::Gradient, reader: &mut Reader<'_>) -> Result<()> {
        T::write(gradient, reader)
    }
}

impl<T: Value> Value for Box<T> {
    fn encode(&self, call: &mut Call<'_>) -> Result<()> {
        deeper(|| {
            call.object(super::layout::value_layout::<T>().size, |call| {
                (**self).encode(call)
            })
        })
    }
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        deeper(|| reader.object(T::decode).map(Box::new))
    }
    fn refresh(&self, reader: &mut Reader<'_>) -> Result<()> {
        deeper(|| (**self).refresh(reader))
    }
    fn copy(&self, seen: &mut Copies) -> Result<Self> {
        deeper(|| (**self).copy(seen).map(Box::new))
    }
    fn zero(&self, seen: &mut Seen) -> Box<T::Gradient> {
        deeper(|| Box::new((**self).zero(seen)))
    }
    fn read(gradient: &mut Box<T::Gradient>, reader: &mut Reader<'_>) -> Result<()> {
        deeper(|| reader.object(|reader| T::read(gradient, reader)))
    }
    fn write(gradient: &Box<T::Gradient>, reader: &mut Reader<'_>) -> Result<()> {
        deeper(|| reader.object(|reader| T::write(gradient, reader)))
    }
}
impl<G: Cotangent> Cotangent for Box<G> {
    fn empty() -> Self {
        Box::new(G::empty())
    }
}

/// What an `Rc` holds: any value, and what is no value by itself: slices, text, `dyn` values.
#[diagnostic::on_unimplemented(
    message = "an `Rc<{Self}>` cannot be passed to a differentiable function from outside, nor returned",
    note = "structs and enums need `#[derive(Differentiable)]`, traits need `#[differentiable]`"
)]
pub trait InRc: TypeBehind<RcGradient: Cotangent> + Visit {
    /// See [`Value::encode`].
    #[doc(hidden)]
    fn give_in_rc(this: &Rc<Self>, call: &mut Call<'_>) -> Result<()>;
    /// See [`Value::give_shared`].
    #[doc(hidden)]
    fn lend_in_rc<'s>(this: &'s Rc<Self>, call: &mut Call<'s>) -> Result<()> {
        Self::give_in_rc(this, call)
    }
    /// See [`Value::decode`].
    #[doc(hidden)]
    fn take_in_rc(reader: &mut Reader<'_>) -> Result<Rc<Self>>;
    /// See [`Value::refresh`].
    #[doc(hidden)]
    fn refresh_in_rc(this: &Rc<Self>, reader: &mut Reader<'_>) -> Result<()> {
        let _ = (this, reader);
        Ok(())
    }
    /// See [`Value::copy`].
    #[doc(hidden)]
    fn copy_in_rc(this: &Rc<Self>, seen: &mut Copies) -> Result<Rc<Self>>;
    /// See [`Value::zero`].
    #[doc(hidden)]
    fn zero_in_rc(this: &Rc<Self>, seen: &mut Seen) -> Self::RcGradient;
    /// See [`Value::read`].
    #[doc(hidden)]
    fn read_in_rc(gradient: &mut Self::RcGradient, reader: &mut Reader<'_>) -> Result<()>;
    /// See [`Value::write`].
    #[doc(hidden)]
    fn write_in_rc(gradient: &Self::RcGradient, reader: &mut Reader<'_>) -> Result<()>;
}

impl<T: InRc + ?Sized> Value for Rc<T> {
    fn encode(&self, call: &mut Call<'_>) -> Result<()> {
        deeper(|| T::give_in_rc(self, call))
    }
    fn give_shared<'s>(&'s self, call: &mut Call<'s>) -> Result<()> {
        deeper(|| T::lend_in_rc(self, call))
    }
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        deeper(|| T::take_in_rc(reader))
    }
    fn refresh(&self, reader: &mut Reader<'_>) -> Result<()> {
        deeper(|| T::refresh_in_rc(self, reader))
    }
    fn copy(&self, seen: &mut Copies) -> Result<Self> {
        deeper(|| T::copy_in_rc(self, seen))
    }
    fn zero(&self, seen: &mut Seen) -> T::RcGradient {
        deeper(|| T::zero_in_rc(self, seen))
    }
    fn read(gradient: &mut T::RcGradient, reader: &mut Reader<'_>) -> Result<()> {
        deeper(|| T::read_in_rc(gradient, reader))
    }
    fn write(gradient: &T::RcGradient, reader: &mut Reader<'_>) -> Result<()> {
        deeper(|| T::write_in_rc(gradient, reader))
    }
}

impl<T: Value> InRc for T {
    fn give_in_rc(this: &Rc<T>, call: &mut Call<'_>) -> Result<()> {
        T::give_rc(this, call)
    }
    fn take_in_rc(reader: &mut Reader<'_>) -> Result<Rc<T>> {
        T::take_rc(reader)
    }
    fn refresh_in_rc(this: &Rc<T>, reader: &mut Reader<'_>) -> Result<()> {
        (**this).refresh(reader)
    }
    fn copy_in_rc(this: &Rc<T>, seen: &mut Copies) -> Result<Rc<T>> {
        T::copy_rc(this, seen)
    }
    fn zero_in_rc(this: &Rc<T>, seen: &mut Seen) -> Rc<<T as Typed>::Gradient> {
        T::zero_rc(this, seen)
    }
    fn read_in_rc(
        gradient: &mut Rc<<T as Typed>::Gradient>,
        reader: &mut Reader<'_>,
    ) -> Result<()> {
        T::read_rc(gradient, reader)
    }
    fn write_in_rc(gradient: &Rc<<T as Typed>::Gradient>, reader: &mut Reader<'_>) -> Result<()> {
        T::write(gradient, reader)
    }
}

impl<T: Value> InRc for [T] {
    fn give_in_rc(this: &Rc<[T]>, call: &mut Call<'_>) -> Result<()> {
        copy_slice(this, false, call)
    }
    fn lend_in_rc<'s>(this: &'s Rc<[T]>, call: &mut Call<'s>) -> Result<()> {
        give_slice(this, false, call)
    }
    fn take_in_rc(reader: &mut Reader<'_>) -> Result<Rc<[T]>> {
        let (spot, length, _) = reader.elements::<T>(false)?;
        T::take_all(reader, spot, length).map(Rc::from)
    }
    fn refresh_in_rc(this: &Rc<[T]>, reader: &mut Reader<'_>) -> Result<()> {
        this.iter().try_for_each(|value| value.refresh(reader))
    }
    fn copy_in_rc(this: &Rc<[T]>, seen: &mut Copies) -> Result<Rc<[T]>> {
        copy_all(this, seen).map(Rc::from)
    }
    fn zero_in_rc(this: &Rc<[T]>, seen: &mut Seen) -> T::SliceGradient {
        zeros(this, seen)
    }
    fn read_in_rc(gradient: &mut T::SliceGradient, reader: &mut Reader<'_>) -> Result<()> {
        <&[T]>::read(gradient, reader)
    }
    fn write_in_rc(gradient: &T::SliceGradient, reader: &mut Reader<'_>) -> Result<()> {
        <&[T]>::write(gradient, reader)
    }
}
impl<G: Cotangent> Cotangent for Rc<G> {
    fn empty() -> Self {
        Rc::new(G::empty())
    }
}

mod cell;
mod dynamic;
mod opaque;
mod variants;

pub use cell::borrowed;
pub use dynamic::{DynGradient, NoValues, itself as dynamic_itself, values_of};
pub use variants::{empty_variant, one_ends};
