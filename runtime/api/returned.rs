//! What a differentiable function may return.

use super::call::{Call, Results};
use crate::array::Array;
use crate::diag::{Error, Result};

/// A result: scalars, `()`, arrays, and tuples of them.
#[diagnostic::on_unimplemented(
    message = "a differentiable function cannot return `{Self}`",
    note = "it returns scalars, `()`, arrays, or tuples of them; write to a `&mut [f64]` parameter instead"
)]
pub trait Returned: Sized {
    /// Its cotangent: floats and arrays for themselves, tuples field by field, `()` for the others.
    type Cotangent;
    /// The result of a call.
    #[doc(hidden)]
    fn read(results: &mut Results<'_>) -> Result<Self>;
    /// The tangent of the result of a call: it has the type of the cotangent.
    #[doc(hidden)]
    fn read_tangent(results: &mut Results<'_>) -> Result<Self::Cotangent>;
    /// Adds a cotangent to a call.
    #[doc(hidden)]
    fn seed(cotangent: &Self::Cotangent, call: &mut Call<'_>) -> Result<()>;
    /// Whether the cotangent whose pullback is the gradient depends on the value: that of an array has its shape. Then
    /// value and gradient are computed one after the other, else in one function.
    #[doc(hidden)]
    const ONE_NEEDS_VALUE: bool = false;
    /// The cotangent whose pullback is the gradient; an error if there is none. The value is given if it is needed.
    #[doc(hidden)]
    fn one(value: Option<&Self>) -> Result<Self::Cotangent>;
}

/// What to do instead of asking for a gradient that does not exist.
const USE_PULLBACK: &str =
    "call value_and_pullback and give the pullback a cotangent for the result";

fn no_gradient<T>(found: &str) -> Result<T> {
    Err(Error::Array(format!(
        "the function returns {found}: only a scalar float, or an array of one element, has a gradient; {USE_PULLBACK}"
    )))
}

macro_rules! floats {
    ($($ty:ident),*) => {$(
        impl Returned for $ty {
            type Cotangent = $ty;
            fn read(results: &mut Results<'_>) -> Result<$ty> {
                results.scalar()
            }
            fn read_tangent(results: &mut Results<'_>) -> Result<$ty> {
                results.scalar()
            }
            fn seed(cotangent: &$ty, call: &mut Call<'_>) -> Result<()> {
                call.scalar(*cotangent);
                Ok(())
            }
            fn one(_value: Option<&Self>) -> Result<$ty> {
                Ok(1.0)
            }
        }
        impl Returned for Array<$ty> {
            type Cotangent = Array<$ty>;
            fn read(results: &mut Results<'_>) -> Result<Array<$ty>> {
                results.array()
            }
            fn read_tangent(results: &mut Results<'_>) -> Result<Array<$ty>> {
                results.array()
            }
            fn seed(cotangent: &Array<$ty>, call: &mut Call<'_>) -> Result<()> {
                call.array(cotangent)
            }
            const ONE_NEEDS_VALUE: bool = true;
            fn one(value: Option<&Array<$ty>>) -> Result<Array<$ty>> {
                match value {
                    Some(y) if y.len() == 1 => Ok(Array::full_on(y.device(), y.shape(), 1.0)),
                    Some(y) => match y.error() {
                        Some(error) => Err(error.clone()),
                        None => no_gradient(&format!("an array of {} elements", y.len())),
                    },
                    None => no_gradient("an array"),
                }
            }
        }
    )*};
}
floats!(f32, f64);

macro_rules! integers {
    ($($ty:ident),*) => {$(
        impl Returned for $ty {
            type Cotangent = ();
            fn read(results: &mut Results<'_>) -> Result<$ty> {
                results.scalar()
            }
            fn read_tangent(_results: &mut Results<'_>) -> Result<()> {
                Ok(())
            }
            fn seed(_cotangent: &(), _call: &mut Call<'_>) -> Result<()> {
                Ok(())
            }
            fn one(_value: Option<&Self>) -> Result<()> {
                no_gradient(concat!("`", stringify!($ty), "`"))
            }
        }
    )*};
}
integers!(bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

macro_rules! index_arrays {
    ($($ty:ident),*) => {$(
        impl Returned for Array<$ty> {
            type Cotangent = ();
            fn read(results: &mut Results<'_>) -> Result<Array<$ty>> {
                results.array()
            }
            fn read_tangent(_results: &mut Results<'_>) -> Result<()> {
                Ok(())
            }
            fn seed(_cotangent: &(), _call: &mut Call<'_>) -> Result<()> {
                Ok(())
            }
            fn one(_value: Option<&Self>) -> Result<()> {
                no_gradient(concat!("an array of `", stringify!($ty), "`"))
            }
        }
    )*};
}
index_arrays!(i32, u32);

impl Returned for () {
    type Cotangent = ();
    fn read(_results: &mut Results<'_>) -> Result<()> {
        Ok(())
    }
    fn read_tangent(_results: &mut Results<'_>) -> Result<()> {
        Ok(())
    }
    fn seed(_cotangent: &(), _call: &mut Call<'_>) -> Result<()> {
        Ok(())
    }
    fn one(_value: Option<&Self>) -> Result<()> {
        no_gradient("nothing")
    }
}

macro_rules! tuples {
    () => {};
    ($($A:ident $P:ident $n:tt),*) => {
        impl<$($A: Returned),*> Returned for ($($A,)*) {
            type Cotangent = ($($A::Cotangent,)*);
            fn read(results: &mut Results<'_>) -> Result<Self> {
                Ok(($($A::read(results)?,)*))
            }
            fn read_tangent(results: &mut Results<'_>) -> Result<Self::Cotangent> {
                Ok(($($A::read_tangent(results)?,)*))
            }
            fn seed(cotangent: &Self::Cotangent, call: &mut Call<'_>) -> Result<()> {
                $($A::seed(&cotangent.$n, call)?;)*
                Ok(())
            }
            fn one(_value: Option<&Self>) -> Result<Self::Cotangent> {
                no_gradient("a tuple")
            }
        }
    };
}
super::for_tuples!(tuples);
