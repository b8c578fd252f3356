//! What may be given as the tangent of an argument.

use super::call::{Activity, Call};
use super::value::{Cotangent, Value};
use super::{Argument, GradientSink, Results, argument::ScalarArgument};
use crate::array::{Array, FloatElement};
use crate::diag::{Error, Result};
use half::f16;
use std::rc::Rc;

/// The tangent of an argument `A` for a parameter of type `P`: floats for floats, slices (also by value: `Vec`, arrays) for slices,
/// `&mut` ones for `&mut` ones, tuples for tuples, what is the gradient of a struct, an enum, a vector for one, `()` for whatever has no derivative, is constant, or does not move.
///
/// What is given by `&mut`, and what is in cells, holds the tangent of the argument's final contents afterwards.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tangent of `{A}`, which is passed for `{P}`",
    label = "no tangent of `{A}`",
    note = "tangents are a tuple with one element for each argument: `&dx` for a slice, an array or a number `&x`, the gradient itself for a struct, a vector or a slice of any of these, also behind `&`, `&mut du` for `&mut u`, `()` for what does not move, and for a `Const` argument; or all tangents in one: `Along(&mut (..))`"
)]
pub trait Tangent<P, A> {
    /// Says which of the parameters it stands for have tangents.
    #[doc(hidden)]
    fn activity(activity: &mut Activity);
    /// Adds it to the call.
    #[doc(hidden)]
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()>;
    /// Adds all tangents to the call. Gives what `moved` needs to know.
    #[doc(hidden)]
    fn move_along<'s>(&'s mut self, call: &mut Call<'s>) -> Result<Vec<u64>> {
        self.encode(call).map(|()| Vec::new())
    }
    /// Takes over what the call has made of the tangents of the next leaves.
    #[doc(hidden)]
    fn moved(&mut self, results: &mut Results<'_>) -> Result<()> {
        results.pass(width::<P, A, Self>());
        Ok(())
    }
}

/// The number of leaves.
fn width<P, A, T: Tangent<P, A> + ?Sized>() -> usize {
    let mut leaves = Activity::default();
    T::activity(&mut leaves);
    leaves.len()
}

/// The tangents of all arguments, in the form of their gradient: for arguments of every type. Afterwards it holds the tangents of their
/// final contents.
///
/// ```
/// use mooncake::{Along, prelude::*};
///
/// #[derive(Clone, Debug, PartialEq, Differentiable)]
/// struct Point {
///     x: f64,
///     y: f64,
/// }
/// #[differentiable]
/// fn double(p: &mut Point) -> f64 {
///     p.x *= 2.0;
///     p.x * p.y
/// }
///
/// let rule = Context::default().build_frule::<double>()?;
/// let (mut p, mut dp) = (Point { x: 3.0, y: 5.0 }, PointGradient { x: 1.0, y: 0.0 });
/// let (y, dy) = rule.value_and_derivative((&mut p,), Along(&mut (&mut dp,)))?;
/// assert_eq!((y, dy, dp.x), (30.0, 10.0, 2.0));
/// # Ok::<(), mooncake::Error>(())
/// ```
pub struct Along<'t, S>(pub &'t mut S);

impl<P, A: Argument<P>, S: GradientSink<A::Gradient>> Tangent<P, A> for Along<'_, S> {
    fn activity(activity: &mut Activity) {
        A::activity(activity);
    }
    fn encode<'s>(&'s mut self, _call: &mut Call<'s>) -> Result<()> {
        Err(Error::Array(
            "`Along` holds the tangents of all arguments: give it in place of the tuple of tangents".to_owned(),
        ))
    }
    fn move_along<'s>(&'s mut self, call: &mut Call<'s>) -> Result<Vec<u64>> {
        call.add_tangents(|call| self.0.lend(call))
    }
    fn moved(&mut self, results: &mut Results<'_>) -> Result<()> {
        self.0.read(results)
    }
}

impl<P, A: Argument<P>> Tangent<P, A> for () {
    fn activity(activity: &mut Activity) {
        let start = activity.len();
        A::activity(activity);
        activity.deactivate_from(start);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        let mut leaves = Activity::default();
        A::activity(&mut leaves);
        call.pass_tangents(leaves.len());
        Ok(())
    }
}

/// What the tangent of a value does: it has the type of the gradient.
pub mod itself {
    use super::*;

    /// See [`Tangent::activity`].
    pub fn activity<P, A: Argument<P>>(activity: &mut Activity) {
        A::activity(activity);
    }
    /// See [`Tangent::encode`].
    pub fn encode<G: Cotangent>(tangent: &G, call: &mut Call<'_>) -> Result<()> {
        call.tangent(tangent)
    }
    /// See [`Tangent::moved`].
    pub fn moved<P, A, G: Cotangent + Tangent<P, A>>(
        tangent: &mut G,
        results: &mut Results<'_>,
    ) -> Result<()> {
        results.moved(width::<P, A, G>(), tangent)
    }
}

/// The ways in which a parameter takes a value: as it is, or behind a reference.
pub trait Passed<T> {}
impl<T> Passed<T> for T {}
impl<T> Passed<T> for &T {}
impl<T> Passed<T> for &mut T {}

/// What is behind a `&mut` has its tangent behind another.
impl<'a, T: Value, Arg: Argument<&'a mut T>> Tangent<&'a mut T, Arg> for &mut T::Gradient {
    fn activity(activity: &mut Activity) {
        itself::activity::<&'a mut T, Arg>(activity);
    }
    fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        if T::Gradient::is_none() {
            call.pass_tangents(width::<&'a mut T, Arg, Self>());
            return Ok(());
        }
        call.tangent::<T::Gradient>(self)
    }
    fn moved(&mut self, results: &mut Results<'_>) -> Result<()> {
        results.moved::<T::Gradient>(width::<&'a mut T, Arg, Self>(), self)
    }
}

/// Tangents of values, for parameters by value and by reference. The derive macro writes the same for structs and enums.
macro_rules! value_tangents {
    ($([$($generics:tt)*] $tangent:ty => $param:ty;)*) => {$(
        impl<$($generics)* Arg: Argument<$param>> Tangent<$param, Arg> for $tangent {
            fn activity(activity: &mut Activity) {
                itself::activity::<$param, Arg>(activity);
            }
            fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                itself::encode(self, call)
            }
            fn moved(&mut self, results: &mut Results<'_>) -> Result<()> {
                itself::moved::<$param, Arg, Self>(self, results)
            }
        }
    )*};
}
value_tangents! {
    [G: Cotangent, T: Value<SliceGradient = Vec<G>>,] Vec<G> => Vec<T>;
    ['a, G: Cotangent, T: Value<SliceGradient = Vec<G>>,] Vec<G> => &'a Vec<T>;
    [G: Cotangent, T: Value<Gradient = G>, const N: usize,] [G; N] => [T; N];
    ['a, G: Cotangent, T: Value<Gradient = G>, const N: usize,] [G; N] => &'a [T; N];
    [G: Cotangent, T: Value<Gradient = G>,] Option<G> => Option<T>;
    ['a, G: Cotangent, T: Value<Gradient = G>,] Option<G> => &'a Option<T>;
    [G: Cotangent, T: Value<Gradient = G>,] Box<G> => Box<T>;
    ['a, G: Cotangent, T: Value<Gradient = G>,] Box<G> => &'a Box<T>;
    [G: Cotangent, T: Value<Gradient = G>,] Rc<G> => Rc<T>;
    ['a, G: Cotangent, T: Value<Gradient = G>,] Rc<G> => &'a Rc<T>;
}

/// Tangents of slices, whatever their elements are.
macro_rules! slice_tangents {
    ($($tangent:ty;)*) => {$(
        impl<'a, 't, G: Cotangent, T: Value<SliceGradient = Vec<G>>, Arg: Argument<&'a [T]>> Tangent<&'a [T], Arg> for $tangent {
            fn activity(activity: &mut Activity) {
                itself::activity::<&'a [T], Arg>(activity);
            }
            fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                call.slice_of(&*self)
            }
        }
    )*};
}
slice_tangents! {
    Vec<G>;
    &'t Vec<G>;
}

macro_rules! leaf_tangents {
    ($([$($generics:tt)*] $param:ty => $ty:ty, |$x:ident, $call:ident| $give:expr;)*) => {$(
        impl<$($generics)* Arg: Argument<$param>> Tangent<$param, Arg> for $ty {
            fn activity(activity: &mut Activity) {
                activity.push(true);
            }
            fn encode<'s>(&'s mut self, $call: &mut Call<'s>) -> Result<()> {
                let $x = self;
                $give;
                $call.pass_tangents(1);
                Ok(())
            }
        }
    )*};
}

leaf_tangents! {
    [] f32 => f32, |dx, call| call.scalar(*dx)?;
    [] f64 => f64, |dx, call| call.scalar(*dx)?;
    ['a,] &'a f32 => f32, |dx, call| call.scalar(*dx)?;
    ['a,] &'a f64 => f64, |dx, call| call.scalar(*dx)?;
    ['a, 't,] &'a f32 => &'t f32, |dx, call| call.scalar(**dx)?;
    ['a, 't,] &'a f64 => &'t f64, |dx, call| call.scalar(**dx)?;
    ['a, 't, T: ScalarArgument,] &'a [T] => &'t [T], |dx, call| call.slice(dx)?;
    ['a, 't, T: ScalarArgument, const N: usize,] &'a [T] => &'t [T; N], |dx, call| call.slice(&dx[..])?;
    ['a, T: ScalarArgument, const N: usize,] &'a [T] => [T; N], |dx, call| call.slice(dx)?;
    ['a, 't, T: ScalarArgument,] &'a mut [T] => &'t mut [T], |dx, call| call.slice_mut(dx)?;
    ['a, 't, T: ScalarArgument,] &'a mut [T] => &'t mut Vec<T>, |dx, call| call.slice_mut(&mut dx[..])?;
    ['a, 't, T: ScalarArgument, const N: usize,] &'a mut [T] => &'t mut [T; N], |dx, call| call.slice_mut(&mut dx[..])?;
    ['a, T: ScalarArgument,] &'a mut [T] => Vec<T>, |dx, call| call.slice_mut(dx)?;
    [] Array<f16> => Array<f32>, |dx, call| call.array(dx)?;
    [T: FloatElement,] Array<T> => Array<T>, |dx, call| call.array(dx)?;
    ['t,] Array<f16> => &'t Array<f32>, |dx, call| call.array(dx)?;
    ['t, T: FloatElement,] Array<T> => &'t Array<T>, |dx, call| call.array(dx)?;
    ['a,] &'a Array<f16> => Array<f32>, |dx, call| call.array(dx)?;
    ['a, T: FloatElement,] &'a Array<T> => Array<T>, |dx, call| call.array(dx)?;
    ['a, 't,] &'a Array<f16> => &'t Array<f32>, |dx, call| call.array(dx)?;
    ['a, 't, T: FloatElement,] &'a Array<T> => &'t Array<T>, |dx, call| call.array(dx)?;
}

macro_rules! tuple_tangents {
    ($($A:ident $P:ident $T:ident $n:tt),*) => {
        impl<$($A: Argument<$P>, $P, $T: Tangent<$P, $A>),*> Tangent<($($P,)*), ($($A,)*)> for ($($T,)*) {
            fn activity(activity: &mut Activity) {
                $($T::activity(activity);)*
            }
            fn encode<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                $(self.$n.encode(call)?;)*
                Ok(())
            }
            fn moved(&mut self, results: &mut Results<'_>) -> Result<()> {
                $(self.$n.moved(results)?;)*
                Ok(())
            }
        }
    };
}

/// Calls the macro for every number of fields from 1 on.
macro_rules! prefixes {
    ([$($done:tt)*]) => {};
    ([$($A:ident $P:ident $T:ident $n:tt),*] $B:ident $Q:ident $U:ident $m:tt $(, $($rest:tt)*)?) => {
        tuple_tangents!($($A $P $T $n,)* $B $Q $U $m);
        prefixes!([$($A $P $T $n,)* $B $Q $U $m] $($($rest)*)?);
    };
}
prefixes!([] A0 P0 T0 0, A1 P1 T1 1, A2 P2 T2 2, A3 P3 T3 3, A4 P4 T4 4, A5 P5 T5 5, A6 P6 T6 6, A7 P7 T7 7, A8 P8 T8 8,
    A9 P9 T9 9, A10 P10 T10 10, A11 P11 T11 11);
