//! What arrays can hold.

use super::cpu::pool::Pooled;
use crate::diag::{Error, Result};
use crate::front::float::{FLOAT, Float};
use crate::front::ty::{Trait, Ty};
use crate::front::types::{Hole, TypeArgumentLeftOut, Typed, Unknown};
use crate::ir::Type;
use half::f16;
use std::fmt::{Debug, Display};

/// An element of an [`Array`](super::Array): `f32`, `f64`, `i32`, `u32`, `bool`, or [`f16`](crate::f16).
///
/// Elements of `f16` are only stored, in 16 bits. Methods that move elements take them as they are; to compute with them, convert the array with
/// [`to_f32`](super::Array::to_f32), which in a differentiable function is part of the kernel that reads the array, and back with
/// [`to_f16`](super::Array::to_f16). Cotangents and tangents of an `Array<f16>` are arrays of `f32`.
///
/// ```
/// use mooncake::f16;
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn energy(x: &Array<f16>) -> f32 {
///     x.to_f32().sin().sum().to_scalar()
/// }
///
/// let x = Array::<f16>::zeros([3]);
/// let rule = Context::default().build_rrule::<energy>()?;
/// let (value, (dx,)) = rule.value_and_gradient((&x,))?;
/// assert_eq!((value, dx), (0.0, Array::<f32>::ones([3])));
/// # Ok::<(), mooncake::Error>(())
/// ```
pub trait Element:
    Copy + Send + Sync + PartialOrd + Debug + Display + sealed::Sealed + 'static
{
    /// What arrays hold in its place: bools are 0 and 1.
    #[doc(hidden)]
    type Stored: Pooled;
    /// The type in IR of what arrays hold.
    const TYPE: Type;
    /// The bits, zero-extended.
    fn to_bits(self) -> u64;
    /// The element with these bits.
    fn from_bits(bits: u64) -> Self;
    /// The number 0, or `false`.
    const ZERO: Self;
    /// The number 1, or `true`.
    const ONE: Self;
    /// These elements as arrays hold them.
    #[doc(hidden)]
    fn store(all: Vec<Self>) -> Vec<Self::Stored>;
    /// The elements that an array holds.
    #[doc(hidden)]
    fn restore(all: Vec<Self::Stored>) -> Vec<Self>;
}

/// An element that is a number to compute with: all but `bool` and [`f16`](crate::f16).
pub trait NumberElement: Element {}

/// An element that has derivatives: `f32` or `f64`. Functions and structs may be written for both:
///
/// ```
/// use mooncake::FloatElement;
/// use mooncake::prelude::*;
///
/// #[derive(Differentiable)]
/// struct Layer<T: FloatElement> {
///     weights: Array<T>,
///     bias: Array<T>,
/// }
///
/// #[differentiable]
/// fn energy<T: FloatElement>(layer: &Layer<T>, x: &Array<T>) -> Array<T> {
///     let y = (x.matmul(&layer.weights) + &layer.bias).tanh();
///     (&y * &y).mean() * T::from_f64(0.5)
/// }
///
/// let layer = Layer { weights: Array::<f32>::ones([2, 2]), bias: Array::zeros([2]) };
/// let rule = Context::default().build_rrule::<energy<f32>>()?;
/// let (_, (layer, _)) = rule.value_and_gradient((&layer, &Array::ones([1, 2])))?;
/// assert_eq!(layer.weights.shape(), [2, 2]);
/// # Ok::<(), mooncake::Error>(())
/// ```
pub trait FloatElement: NumberElement + Float {
    /// Says, where it bounds a type parameter, that the bound is this trait, which has the methods of `Float`.
    #[doc(hidden)]
    #[allow(non_snake_case, reason = "the name of the trait is in it")]
    fn __mc_trait_FloatElement() -> Option<&'static Trait> {
        Some(&FLOAT)
    }
}

mod sealed {
    /// Element types are those that the devices compute with.
    pub trait Sealed {}
}

macro_rules! element {
    ($t:ident, $ty:ident, $one:literal, $to:expr, $from:expr) => {
        impl sealed::Sealed for $t {}
        impl NumberElement for $t {}
        impl Element for $t {
            type Stored = $t;
            const TYPE: Type = Type::$ty;
            const ZERO: Self = $one - $one;
            const ONE: Self = $one;
            fn store(all: Vec<Self>) -> Vec<Self> {
                all
            }
            fn restore(all: Vec<Self>) -> Vec<Self> {
                all
            }
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

impl sealed::Sealed for bool {}
impl Element for bool {
    type Stored = u32;
    const TYPE: Type = Type::U32;
    const ZERO: Self = false;
    const ONE: Self = true;
    fn to_bits(self) -> u64 {
        self.into()
    }
    fn from_bits(bits: u64) -> Self {
        bits != 0
    }
    fn store(all: Vec<Self>) -> Vec<u32> {
        all.into_iter().map(u32::from).collect()
    }
    fn restore(all: Vec<u32>) -> Vec<Self> {
        all.into_iter().map(|x| x != 0).collect()
    }
}

impl sealed::Sealed for f16 {}
impl Element for f16 {
    type Stored = f16;
    const TYPE: Type = Type::F16;
    const ZERO: Self = f16::ZERO;
    const ONE: Self = f16::ONE;
    fn to_bits(self) -> u64 {
        f16::to_bits(self).into()
    }
    fn from_bits(bits: u64) -> Self {
        f16::from_bits(bits as u16)
    }
    fn store(all: Vec<Self>) -> Vec<Self> {
        all
    }
    fn restore(all: Vec<Self>) -> Vec<Self> {
        all
    }
}

impl FloatElement for f32 {}
impl FloatElement for f64 {}

/// The type that stands for a type parameter in the description of a function is an element as far as the bounds of types ask. No array ever holds it, so
/// nobody calls these functions.
impl<const N: u32> sealed::Sealed for Hole<N> {}
impl<const N: u32> NumberElement for Hole<N> {}
impl<const N: u32> FloatElement for Hole<N> {}
impl<const N: u32> Element for Hole<N> {
    type Stored = f64;
    const TYPE: Type = Type::F64;
    const ZERO: Self = TypeArgumentLeftOut;
    const ONE: Self = TypeArgumentLeftOut;
    fn to_bits(self) -> u64 {
        0
    }
    fn from_bits(_bits: u64) -> Self {
        TypeArgumentLeftOut
    }
    fn store(_all: Vec<Self>) -> Vec<f64> {
        Vec::new()
    }
    fn restore(_all: Vec<f64>) -> Vec<Self> {
        Vec::new()
    }
}

/// The bits of `x` as a float of type `ty`, zero-extended.
pub(super) fn float_bits(x: f64, ty: Type) -> Result<u64> {
    match ty {
        Type::F16 => Ok(f16::from_f64(x).to_bits().into()),
        Type::F32 => Ok((x as f32).to_bits().into()),
        Type::F64 => Ok(x.to_bits()),
        other => Err(Error::Array(format!(
            "found elements of type {other}: expected floats"
        ))),
    }
}

/// Arrays as parameters and results of differentiable functions.
macro_rules! typed {
    ($($t:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Typed for super::Array<$t> {
            type Gradient = ();
            type SliceGradient = Vec<()>;
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

/// Only arrays have elements of 16 bits: the language has no numbers of this type.
#[diagnostic::do_not_recommend]
impl Typed for super::Array<f16> {
    type Gradient = super::Array<f32>;
    type SliceGradient = Vec<super::Array<f32>>;
    fn ty() -> Ty {
        Ty::array(Ty::Scalar(Type::F16))
    }
}

#[diagnostic::do_not_recommend]
impl<T: FloatElement> Typed for super::Array<T> {
    type Gradient = super::Array<T>;
    type SliceGradient = Vec<super::Array<T>>;
    fn ty() -> Ty {
        Ty::array(T::ty())
    }
}

typed! { i32 u32 bool }
