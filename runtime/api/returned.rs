//! What a differentiable function may return.

use super::call::Call;
use super::results::Results;
use super::value::{Seen, Value};
use crate::array::{Array, Element, FloatElement};
use crate::diag::{Error, Result};

/// A result: any [`Value`] that holds no references.
#[diagnostic::on_unimplemented(
    message = "a differentiable function cannot return `{Self}`",
    note = "structs and enums need `#[derive(Differentiable)]`; references cannot be returned"
)]
pub trait Returned: Sized {
    /// Its cotangent: floats and arrays for themselves, tuples and structs field by field, `Vec`s for vectors, `()` for the others.
    type Cotangent;
    /// The result of a call.
    #[doc(hidden)]
    fn read(results: &mut Results<'_>) -> Result<Self>;
    /// The result of a call of which the value is a float. `None` if results of the type are no floats.
    #[doc(hidden)]
    fn of_float(word: u64) -> Option<Self> {
        let _ = word;
        None
    }
    /// The tangent of the result of a call: it has the type of the cotangent.
    #[doc(hidden)]
    fn read_tangent(results: &mut Results<'_>) -> Result<Self::Cotangent>;
    /// The cotangent zero, of the result's form.
    #[doc(hidden)]
    fn zero_cotangent(&self) -> Self::Cotangent;
    /// Adds a cotangent to a call.
    #[doc(hidden)]
    fn seed(cotangent: &Self::Cotangent, call: &mut Call<'_>) -> Result<()>;
    /// Whether the cotangent whose pullback is the gradient depends on the value: that of an array has its shape. Then
    /// value and gradient are computed one after the other, unless the gradient makes that cotangent itself.
    #[doc(hidden)]
    const ONE_NEEDS_VALUE: bool = false;
    /// The cotangent whose pullback is the gradient; an error if there is none. The value is given if it is needed.
    #[doc(hidden)]
    fn one(value: Option<&Self>) -> Result<Self::Cotangent>;
    /// An error if there is no such cotangent for this value.
    #[doc(hidden)]
    fn has_gradient(&self) -> Result<()>;
    /// The result that carries an error; `None` if results of the type cannot.
    #[doc(hidden)]
    fn failed(error: &Error) -> Option<Self>;
}

impl<T: Value> Returned for T {
    type Cotangent = T::Gradient;
    fn read(results: &mut Results<'_>) -> Result<T> {
        results.value()
    }
    #[inline]
    fn of_float(word: u64) -> Option<T> {
        match T::SCALAR {
            Some(ty) if ty.is_float() => T::of_word(word),
            _ => None,
        }
    }
    fn read_tangent(results: &mut Results<'_>) -> Result<T::Gradient> {
        results.tangent::<T>()
    }
    fn zero_cotangent(&self) -> T::Gradient {
        self.zero(&mut Seen::default())
    }
    fn seed(cotangent: &T::Gradient, call: &mut Call<'_>) -> Result<()> {
        T::seed(cotangent, call)
    }
    const ONE_NEEDS_VALUE: bool = <T as Value>::ONE_NEEDS_VALUE;
    fn one(value: Option<&T>) -> Result<T::Gradient> {
        T::one(value)
    }
    fn has_gradient(&self) -> Result<()> {
        T::has_gradient(self)
    }
    fn failed(error: &Error) -> Option<T> {
        T::failed(error)
    }
}

/// What to do instead of asking for a gradient that does not exist.
const USE_PULLBACK: &str =
    "call value_and_pullback and give the pullback a cotangent for the result";

pub(super) fn no_gradient<T>(found: &str) -> Result<T> {
    Err(Error::Array(format!(
        "the function returns {found}: only a scalar float, or an array of one element, has a gradient; {USE_PULLBACK}"
    )))
}

/// The cotangent of an array of one element.
pub(super) fn one_of_array<P: Element, T: FloatElement>(
    value: Option<&Array<P>>,
) -> Result<Array<T>> {
    match value {
        Some(y) => has_one(y).map(|()| Array::full_on(y.device(), y.shape(), T::ONE)),
        None => no_gradient("an array"),
    }
}

/// An error if an array has not one element.
pub(super) fn has_one<T: Element>(y: &Array<T>) -> Result<()> {
    match (y.error(), y.len()) {
        (Some(error), _) => Err(error.clone()),
        (None, 1) => Ok(()),
        (None, count) => no_gradient(&format!("an array of {count} elements")),
    }
}
