//! What may be passed for a parameter.

use super::call::{Activity, Call};
use super::direct::{Direct, Numbers};
use super::layout::value_layout;
use super::reader::Reader;
use super::value::{Cotangent, InRc, Seen, Value, copy_slice, give_slice};
use crate::array::{Array, FloatElement};
use crate::diag::Result;
use crate::exec::Scalar;
use crate::front::types::{TypeBehind, Typed, for_functions};
use half::f16;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::rc::Rc;

/// Something that can be passed for a parameter of type `P`: a value, or a reference to it. Tuples of arguments are arguments for
/// tuples of parameters.
///
/// Where the parameter is a `&mut`, what the function writes is there after a call of the function, and undone after its gradient:
/// slices of numbers are changed in place, other things are copied in and out. So they are unchanged if the call fails.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed where `{P}` is expected",
    label = "expected `{P}`, found `{Self}`",
    note = "the arguments are one tuple with one element for each parameter, also of one: `(&x,)`",
    note = "each is of the parameter's type or a reference to it: for a slice `&x` or `&mut x` of a `Vec` or an array; `Const(x)` marks one as constant",
    note = "of a type of another crate pass what it holds, as a slice: `x.as_slice()` of a vector of `nalgebra`, `x.as_slice().unwrap()` of an array of `ndarray`",
    note = "functions and closures are made inside differentiable functions: pass what they capture"
)]
pub trait Argument<P> {
    /// Its cotangent; `()` if it has none.
    type Gradient;
    /// Says which of the parameters it stands for are active.
    #[doc(hidden)]
    fn activity(activity: &mut Activity);
    /// Adds it to the call.
    #[doc(hidden)]
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()>;
    /// What it stands for if it is nothing but numbers and slices of numbers that are only read: then it can be given to a [`Direct`] call, too.
    #[doc(hidden)]
    const NUMBERS: Option<Numbers> = None;
    /// Gives it to such a call.
    #[doc(hidden)]
    fn give<'s>(&'s self, call: &mut Direct<'_, 's>) {
        let _ = call;
    }
    /// A copy for another call that is made at the same time. `None` if the function may change the argument, or if a copy would have to copy memory.
    #[doc(hidden)]
    fn again(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
    /// A cotangent of the right shape.
    #[doc(hidden)]
    fn gradient(&self) -> Self::Gradient;
    /// Takes over what the call has changed.
    #[doc(hidden)]
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()>;
}

/// An argument that the gradient is not asked for: constant data, hyperparameters. Each pattern of constant arguments is
/// compiled apart, so nothing is computed for it.
///
/// ```
/// use mooncake::Const;
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn squared_error(weight: f64, x: &[f64], y: &[f64]) -> f64 {
///     x.iter().zip(y).map(|(x, y)| (weight * x - y) * (weight * x - y)).sum()
/// }
///
/// # fn main() -> mooncake::Result<()> {
/// let rule = Context::default().build_rrule::<squared_error>()?;
/// let (x, y) = (vec![1.0, 2.0], vec![2.0, 5.0]);
/// // A constant has no gradient: `()` stands in its place.
/// let (error, (gradient, (), ())) = rule.value_and_gradient((2.0, Const(&x), Const(&y)))?;
/// assert_eq!((error, gradient), (1.0, -4.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Const<A>(pub A);

impl<P, A: Argument<P>> Argument<P> for Const<A> {
    type Gradient = ();
    fn activity(activity: &mut Activity) {
        let start = activity.len();
        A::activity(activity);
        activity.deactivate_from(start);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        call.constant(|call| self.0.encode(call))
    }
    const NUMBERS: Option<Numbers> = Numbers::constant(A::NUMBERS);
    #[inline]
    fn give<'s>(&'s self, call: &mut Direct<'_, 's>) {
        call.constant(|call| self.0.give(call));
    }
    fn again(&self) -> Option<Self> {
        self.0.again().map(Const)
    }
    fn gradient(&self) {}
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        self.0.update(reader)
    }
}

/// Scalars: whether they have a cotangent, and of which type.
pub trait ScalarArgument: Scalar {}
impl<T: Scalar + Value> ScalarArgument for T {}

/// The activity of a value: that of its leaves.
fn leaves_active<T: Value>(activity: &mut Activity) {
    match T::SCALAR {
        Some(ty) => activity.push(ty.is_float()),
        None => {
            let some = !T::Gradient::is_none();
            let leaves = &value_layout::<T>().leaves;
            { leaves.iter() }.for_each(|ty| activity.push(some && ty.is_differentiable()));
        }
    }
}
fn skip<T: Value>(reader: &mut Reader<'_>) {
    reader.skip_leaves(match T::SCALAR {
        Some(_) => 1,
        None => value_layout::<T>().leaves.len(),
    });
}
/// The activity of a slice: as one leaf, or as an address and a length.
fn slice_active<T: Value>(activity: &mut Activity) {
    match T::SCALAR {
        Some(ty) => activity.push(ty.is_float()),
        None => {
            activity.push(!T::SliceGradient::is_none());
            activity.push(false);
        }
    }
}

/// What a value does as an argument for a parameter of its own type. There is no one `impl` for all values: tuples are arguments field
/// by field.
pub mod itself {
    use super::*;

    /// See [`Argument::activity`].
    pub fn activity<T: Value>(activity: &mut Activity) {
        leaves_active::<T>(activity);
    }
    /// See [`Argument::encode`].
    pub fn encode<T: Value>(value: &T, call: &mut Call<'_>) -> Result<()> {
        call.value::<T>(false, |call| value.encode(call))
    }
    /// See [`Argument::gradient`].
    pub fn gradient<T: Value>(value: &T) -> T::Gradient {
        value.zero(&mut Seen::default())
    }
    /// See [`Argument::update`].
    pub fn update<T: Value>(value: &T, reader: &mut Reader<'_>) -> Result<()> {
        skip::<T>(reader);
        value.refresh(reader)
    }
}

/// What arguments for parameters that are references do.
pub(crate) mod reference {
    use super::*;

    /// The activity of what is behind `&mut`.
    pub fn place_activity<T: Value>(activity: &mut Activity) {
        activity.push(!T::Gradient::is_none());
    }
    pub fn give_place<T: Value>(value: &T, call: &mut Call<'_>) -> Result<()> {
        call.place::<T>(value)
    }
    pub fn update_place<T: Value>(value: &mut T, reader: &mut Reader<'_>) -> Result<()> {
        // Not that of `&mut T`.
        T::refresh(value, reader)?;
        *value = reader.object(T::decode)?;
        Ok(())
    }
    /// The activity of a slice.
    pub fn slice_activity<T: Value>(activity: &mut Activity) {
        slice_active::<T>(activity);
    }
    pub fn give_slice<'s, T: Value>(values: &'s [T], call: &mut Call<'s>) -> Result<()> {
        match T::borrow(values) {
            Some(leaf) => call.borrowed(leaf),
            None => call.value::<&[T]>(true, |call| super::give_slice(values, false, call)),
        }
    }
    pub fn slice_gradient<T: Value>(values: &[T]) -> T::SliceGradient {
        values.zero(&mut Seen::default())
    }
    pub fn update_slice<T: Value>(values: &[T], reader: &mut Reader<'_>) -> Result<()> {
        skip::<&[T]>(reader);
        values.refresh(reader)
    }
    pub fn give_slice_mut<'s, T: Value>(values: &'s mut [T], call: &mut Call<'s>) -> Result<()> {
        match T::SCALAR {
            Some(_) => match T::borrow_mut(values) {
                Some(leaf) => call.borrowed(leaf),
                None => Ok(()),
            },
            None => call.slice_place::<&[T]>(|call| copy_slice(values, false, call)),
        }
    }
    pub fn update_slice_mut<T: Value>(values: &mut [T], reader: &mut Reader<'_>) -> Result<()> {
        (&*values).refresh(reader)?;
        let (spot, length, _) = reader.elements::<T>(false)?;
        if T::SCALAR.is_none() {
            let found = T::take_all(reader, spot, length)?;
            values
                .iter_mut()
                .zip(found)
                .for_each(|(place, value)| *place = value);
        }
        Ok(())
    }
}

/// Values as arguments for parameters of their own type. The function is their [`Argument::again`].
macro_rules! values {
    ($again:expr; $([$($generics:tt)*] $ty:ty;)*) => {$(
        #[allow(coherence_leak_check, reason = "no type is both `fn(A)` and `fn(&A)`")]
        impl<$($generics)*> Argument<$ty> for $ty {
            type Gradient = <$ty as crate::front::types::Typed>::Gradient;
            fn activity(activity: &mut Activity) {
                itself::activity::<$ty>(activity);
            }
            fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                itself::encode::<$ty>(self, call)
            }
            const NUMBERS: Option<Numbers> = <$ty as Value>::NUMBERS;
            #[inline]
            fn give<'s>(&'s self, call: &mut Direct<'_, 's>) {
                self.give_numbers(call);
            }
            fn again(&self) -> Option<Self> {
                let again: fn(&Self) -> Option<Self> = $again;
                again(self)
            }
            fn gradient(&self) -> Self::Gradient {
                itself::gradient::<$ty>(self)
            }
            fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
                itself::update::<$ty>(self, reader)
            }
        }
    )*};
}
values! {
    |number| Some(*number);
    [] bool; [] i8; [] i16; [] i32; [] i64; [] isize; [] u8; [] u16; [] u32; [] u64; [] usize; [] f32; [] f64;
}
values! {
    |_| None;
    [T: FloatElement] Array<T>; [] Array<f16>; [] Array<i32>; [] Array<u32>; [] Array<bool>;
    [] String; ['a] &'a str;
    [T: ?Sized] PhantomData<T>;
    [T: Value] Vec<T>;
    [T: Value, const N: usize] [T; N];
    [T: Value] Option<T>;
    [T: Value, E: Value] std::result::Result<T, E>;
    [T: Value] Box<T>;
    [T: Value] Box<[T]>;
    [T: InRc + ?Sized] Rc<T>;
    [T: Value + 'static] RefCell<T>;
    [T: Value + Copy + 'static] Cell<T>;
}
macro_rules! functions {
    ([$($bound:tt)*] [$($param:tt)*] [$($ty:tt)*]) => {
        values! {
            |_| None;
            [$($bound)* R: Typed] fn($($param)*) -> R;
            ['f, $($bound)* R: Typed] Box<dyn Fn($($param)*) -> R + 'f>;
            ['a, 'f, $($bound)* R: Typed] &'a (dyn Fn($($param)*) -> R + 'f);
        }
    };
}
for_functions! { functions }

/// A reference for a value: the function gets a copy.
impl<T: Value> Argument<T> for &T {
    type Gradient = T::Gradient;
    fn activity(activity: &mut Activity) {
        leaves_active::<T>(activity);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        (**self).give_argument(false, call)
    }
    const NUMBERS: Option<Numbers> = T::NUMBERS;
    #[inline]
    fn give<'s>(&'s self, call: &mut Direct<'_, 's>) {
        (**self).give_numbers(call);
    }
    fn again(&self) -> Option<Self> {
        Some(*self)
    }
    fn gradient(&self) -> T::Gradient {
        (**self).zero(&mut Seen::default())
    }
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        skip::<T>(reader);
        (**self).refresh(reader)
    }
}

/// A reference for a reference.
impl<'a, T: Value> Argument<&'a T> for &'a T {
    type Gradient = T::Gradient;
    fn activity(activity: &mut Activity) {
        leaves_active::<T>(activity);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        (**self).give_argument(true, call)
    }
    const NUMBERS: Option<Numbers> = T::NUMBERS;
    #[inline]
    fn give<'s>(&'s self, call: &mut Direct<'_, 's>) {
        (**self).give_numbers(call);
    }
    fn again(&self) -> Option<Self> {
        Some(*self)
    }
    fn gradient(&self) -> T::Gradient {
        (**self).zero(&mut Seen::default())
    }
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        skip::<T>(reader);
        (**self).refresh(reader)
    }
}

/// What the function may change.
impl<'a, T: Value> Argument<&'a mut T> for &'a mut T {
    type Gradient = T::Gradient;
    fn activity(activity: &mut Activity) {
        reference::place_activity::<T>(activity);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        reference::give_place::<T>(self, call)
    }
    fn gradient(&self) -> T::Gradient {
        (**self).zero(&mut Seen::default())
    }
    fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        reference::update_place::<T>(self, reader)
    }
}

macro_rules! slice_arguments {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<'a, T: Value, $($generics)*> Argument<&'a [T]> for &'a $ty {
            type Gradient = T::SliceGradient;
            fn activity(activity: &mut Activity) {
                reference::slice_activity::<T>(activity);
            }
            fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                reference::give_slice(&self[..], call)
            }
            const NUMBERS: Option<Numbers> = match T::SCALAR {
                Some(ty) => Some(Numbers::one(ty)),
                None => None,
            };
            #[inline]
            fn give<'s>(&'s self, call: &mut Direct<'_, 's>) {
                call.slice(&self[..]);
            }
            fn again(&self) -> Option<Self> {
                Some(*self)
            }
            fn gradient(&self) -> T::SliceGradient {
                reference::slice_gradient(&self[..])
            }
            fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
                reference::update_slice(&self[..], reader)
            }
        }
        impl<'a, T: Value, $($generics)*> Argument<&'a mut [T]> for &'a mut $ty {
            type Gradient = T::SliceGradient;
            fn activity(activity: &mut Activity) {
                reference::slice_activity::<T>(activity);
            }
            fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                reference::give_slice_mut(&mut self[..], call)
            }
            fn gradient(&self) -> T::SliceGradient {
                reference::slice_gradient(&self[..])
            }
            fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
                reference::update_slice_mut(&mut self[..], reader)
            }
        }
    )*};
}

slice_arguments! {
    [] [T];
    [] Vec<T>;
    [const N: usize] [T; N];
}

macro_rules! tuple_arguments {
    ($($A:ident $P:ident $n:tt),*) => {
        impl<$($A: Argument<$P>, $P),*> Argument<($($P,)*)> for ($($A,)*) {
            type Gradient = ($($A::Gradient,)*);
            #[allow(unused_variables, reason = "the empty tuple")]
            fn activity(activity: &mut Activity) {
                $($A::activity(activity);)*
            }
            #[allow(unused_variables, reason = "the empty tuple")]
            fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                $(self.$n.encode(call)?;)*
                Ok(())
            }
            const NUMBERS: Option<Numbers> = Numbers::all(&[$($A::NUMBERS),*]);
            #[allow(unused_variables, reason = "the empty tuple")]
            #[inline]
            fn give<'s>(&'s self, call: &mut Direct<'_, 's>) {
                $(self.$n.give(call);)*
            }
            fn again(&self) -> Option<Self> {
                Some(($(self.$n.again()?,)*))
            }
            #[allow(clippy::unused_unit, reason = "the empty tuple")]
            fn gradient(&self) -> Self::Gradient {
                ($(self.$n.gradient(),)*)
            }
            #[allow(unused_variables, reason = "the empty tuple")]
            fn update(&mut self, reader: &mut Reader<'_>) -> Result<()> {
                $(self.$n.update(reader)?;)*
                Ok(())
            }
        }
    };
}
super::for_tuples!(tuple_arguments);
