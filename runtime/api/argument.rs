//! What may be passed for a parameter.

use super::call::{Activity, Call};
use crate::array::Array;
use crate::diag::Result;
use crate::exec::Scalar;

/// Something that can be passed for a parameter of type `P`. Tuples of arguments are arguments for tuples of parameters.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed for a parameter of type `{P}`",
    note = "arguments are a tuple, also of one: `(&x,)`; `Const(x)` marks one as constant"
)]
pub trait Argument<P> {
    /// Its cotangent; `()` if it has none.
    type Gradient;
    /// Says which of the parameters it stands for are active.
    #[doc(hidden)]
    fn activity(activity: &mut Activity);
    /// Adds it to the call.
    #[doc(hidden)]
    fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()>;
    /// A cotangent of the right shape.
    #[doc(hidden)]
    fn gradient(&self) -> Self::Gradient;
}

/// An argument that the gradient is not asked for: constant data, hyperparameters. Each pattern of constant arguments is
/// compiled apart, so nothing is computed for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Const<A>(pub A);

impl<P, A: Argument<P>> Argument<P> for Const<A> {
    type Gradient = ();
    fn activity(activity: &mut Activity) {
        let start = activity.len();
        A::activity(activity);
        activity.deactivate_from(start);
    }
    fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        self.0.give(call)
    }
    fn gradient(&self) {}
}

/// Scalars: whether they have a cotangent, and of which type.
pub trait ScalarArgument: Scalar {
    /// Of one value.
    type Gradient: Default;
    /// Of a slice.
    type SliceGradient;
    /// Whether there is a derivative.
    const ACTIVE: bool;
    /// The zero of a slice.
    fn slice_gradient(len: usize) -> Self::SliceGradient;
}

macro_rules! scalar_arguments {
    ($($ty:ty => $gradient:ty, $slice:ty, $active:literal, $len:ident => $zero:expr;)*) => {$(
        impl ScalarArgument for $ty {
            type Gradient = $gradient;
            type SliceGradient = $slice;
            const ACTIVE: bool = $active;
            fn slice_gradient($len: usize) -> $slice { $zero }
        }
        impl Argument<$ty> for $ty {
            type Gradient = $gradient;
            fn activity(activity: &mut Activity) {
                activity.push($active);
            }
            fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                call.scalar(*self);
                Ok(())
            }
            fn gradient(&self) -> $gradient {
                Default::default()
            }
        }
    )*};
}

scalar_arguments! {
    f32 => f32, Vec<f32>, true, len => vec![0.0; len];
    f64 => f64, Vec<f64>, true, len => vec![0.0; len];
    bool => (), (), false, _len => ();
    i8 => (), (), false, _len => ();
    i16 => (), (), false, _len => ();
    i32 => (), (), false, _len => ();
    i64 => (), (), false, _len => ();
    isize => (), (), false, _len => ();
    u8 => (), (), false, _len => ();
    u16 => (), (), false, _len => ();
    u32 => (), (), false, _len => ();
    u64 => (), (), false, _len => ();
    usize => (), (), false, _len => ();
}

/// `&x` for a parameter `&f64`: the compiled function gets the value.
impl<'a, T: ScalarArgument> Argument<&'a T> for &'a T {
    type Gradient = T::Gradient;
    fn activity(activity: &mut Activity) {
        activity.push(T::ACTIVE);
    }
    fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
        call.scalar(**self);
        Ok(())
    }
    fn gradient(&self) -> T::Gradient {
        T::Gradient::default()
    }
}

macro_rules! slice_arguments {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<'a, T: ScalarArgument, $($generics)*> Argument<&'a [T]> for &'a $ty {
            type Gradient = T::SliceGradient;
            fn activity(activity: &mut Activity) {
                activity.push(T::ACTIVE);
            }
            fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                call.slice(&self[..]);
                Ok(())
            }
            fn gradient(&self) -> T::SliceGradient {
                T::slice_gradient(self.len())
            }
        }
        impl<'a, T: ScalarArgument, $($generics)*> Argument<&'a mut [T]> for &'a mut $ty {
            type Gradient = T::SliceGradient;
            fn activity(activity: &mut Activity) {
                activity.push(T::ACTIVE);
            }
            fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                call.slice_mut(&mut self[..]);
                Ok(())
            }
            fn gradient(&self) -> T::SliceGradient {
                T::slice_gradient(self.len())
            }
        }
    )*};
}

slice_arguments! {
    [] [T];
    [] Vec<T>;
    [const N: usize] [T; N];
}

/// Arrays, by value and by reference.
macro_rules! array_arguments {
    ($($ty:ty => $gradient:ty, $active:literal, $array:ident => $cotangent:expr;)*) => {$(
        array_arguments!(@one Array<$ty>, ['a] &'a Array<$ty>, $gradient, $active, $array => $cotangent);
        array_arguments!(@one &'a Array<$ty>, ['a] &'a Array<$ty>, $gradient, $active, $array => $cotangent);
        array_arguments!(@one Array<$ty>, [] Array<$ty>, $gradient, $active, $array => $cotangent);
    )*};
    (@one $param:ty, [$($lifetime:lifetime)?] $ty:ty, $gradient:ty, $active:literal, $array:ident => $cotangent:expr) => {
        impl$(<$lifetime>)? Argument<$param> for $ty {
            type Gradient = $gradient;
            fn activity(activity: &mut Activity) {
                activity.push($active);
            }
            fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                call.array(self)
            }
            fn gradient(&self) -> $gradient {
                let $array = self;
                $cotangent
            }
        }
    };
}

// A cotangent is overwritten as a whole; until then it is the argument itself, which costs no memory.
array_arguments! {
    f32 => Array<f32>, true, array => Array::clone(array);
    f64 => Array<f64>, true, array => Array::clone(array);
    i32 => (), false, _array => ();
    u32 => (), false, _array => ();
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
            fn give<'s>(&'s mut self, call: &mut Call<'s>) -> Result<()> {
                $(self.$n.give(call)?;)*
                Ok(())
            }
            #[allow(clippy::unused_unit, reason = "the empty tuple")]
            fn gradient(&self) -> Self::Gradient {
                ($(self.$n.gradient(),)*)
            }
        }
    };
}
super::for_tuples!(tuple_arguments);
