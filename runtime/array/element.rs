//! What arrays can hold.

use super::cpu::pool::Pooled;
use crate::diag::{Error, Result};
use crate::front::ty::Ty;
use crate::front::types::{Typed, Unknown};
use crate::ir::Type;
use std::fmt::{Debug, Display};

/// An element of an [`Array`](super::Array): `f32`, `f64`, `i32` or `u32`.
pub trait Element: Pooled + PartialOrd + Debug + Display + sealed::Sealed {
    /// The type in IR.
    const TYPE: Type;
    /// The bits, zero-extended.
    fn to_bits(self) -> u64;
    /// The element with these bits.
    fn from_bits(bits: u64) -> Self;
    /// The number 1.
    const ONE: Self;
}

/// An element that has derivatives: `f32` or `f64`.
pub trait FloatElement: Element {
    /// The nearest float of this type.
    fn from_f64(x: f64) -> Self;
}

mod sealed {
    /// Element types are those that the devices compute with.
    pub trait Sealed {}
}

macro_rules! element {
    ($t:ident, $ty:ident, $one:literal, $to:expr, $from:expr) => {
        impl sealed::Sealed for $t {}
        impl Element for $t {
            const TYPE: Type = Type::$ty;
            const ONE: Self = $one;
            fn to_bits(self) -> u64 {
                $to(self)
            }
            fn from_bits(bits: u64) -> Self {
                $from(bits)
            }
        }
    };
}
element!(f32, F32, 1.0, |x: f32| x.to_bits().into(), |b| {
    f32::from_bits(b as u32)
});
element!(f64, F64, 1.0, f64::to_bits, f64::from_bits);
element!(i32, I32, 1, |x| u64::from(x as u32), |b| b as i32);
element!(u32, U32, 1, u64::from, |b| b as u32);

impl FloatElement for f32 {
    fn from_f64(x: f64) -> Self {
        x as f32
    }
}
impl FloatElement for f64 {
    fn from_f64(x: f64) -> Self {
        x
    }
}

/// The bits of `x` as a float of type `ty`, zero-extended.
pub(super) fn float_bits(x: f64, ty: Type) -> Result<u64> {
    match ty {
        Type::F32 => Ok((x as f32).to_bits().into()),
        Type::F64 => Ok(x.to_bits()),
        other => Err(Error::Array(format!(
            "found elements of type {other}: expected floats"
        ))),
    }
}

/// Arrays as parameters and results of differentiable functions.
macro_rules! typed {
    ($($t:ident $gradient:ty;)*) => {$(
        impl Typed for super::Array<$t> {
            type Gradient = $gradient;
            type SliceGradient = Vec<$gradient>;
            fn ty() -> Ty {
                Ty::array(<$t as Typed>::ty())
            }
        }
    )*};
}

/// What `Array::zeros` means in a differentiable function: see [`Open`](crate::front::types::Open).
impl super::Array<Unknown> {
    #[doc(hidden)]
    pub fn __mc_ty(_: Unknown) -> Ty {
        Ty::array(Unknown::ty())
    }
}

typed! { f32 super::Array<f32>; f64 super::Array<f64>; i32 (); u32 (); }
