//! Scalar functions as methods of arrays: each is a map of the function of that name.
//!
//! On the CPU they have the accuracy that the page of `rules-std` says of kernels, and give the bits that they give in compiled programs.

use super::backend::in_method;
use super::element::{Element, FloatElement};
use super::operators::MapArgument;
use super::{Array, tensor::Argument};

/// Methods of one array.
macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident)*) => {
        impl<T: FloatElement> Array<T> {
            $($(#[$doc])* pub fn $name(&self) -> Array<T> {
                self.elementwise(stringify!($name), &[self.argument()])
            })*
        }
    };
}

unary! {
    /// `|x|`
    abs
    /// The square root.
    sqrt
    /// The cube root.
    cbrt
    /// eˣ
    exp
    /// 2ˣ
    exp2
    /// eˣ − 1, accurate near 0.
    exp_m1
    /// The natural logarithm.
    ln
    /// ln(1 + x), accurate near 0.
    ln_1p
    /// The logarithm to base 2.
    log2
    /// The logarithm to base 10.
    log10
    /// The sine.
    sin
    /// The cosine.
    cos
    /// The tangent.
    tan
    /// The arcsine.
    asin
    /// The arccosine.
    acos
    /// The arctangent.
    atan
    /// The hyperbolic sine.
    sinh
    /// The hyperbolic cosine.
    cosh
    /// The hyperbolic tangent.
    tanh
    /// The inverse hyperbolic sine.
    asinh
    /// The inverse hyperbolic cosine.
    acosh
    /// The inverse hyperbolic tangent.
    atanh
    /// 1 / x
    recip
    /// ±1 by the sign; NaN of NaN.
    signum
    /// The next integer towards −∞.
    floor
    /// The next integer towards +∞.
    ceil
    /// The next integer towards zero.
    trunc
    /// The nearest integer, halves away from zero.
    round
    /// What `trunc` takes away.
    fract
    /// From radians to degrees.
    to_degrees
    /// From degrees to radians.
    to_radians
}

/// Methods of an array and an array or scalar.
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident)*) => {
        impl<T: FloatElement> Array<T> {
            $($(#[$doc])* pub fn $name(&self, other: impl MapArgument<T>) -> Array<T> {
                self.elementwise(stringify!($name), &[self.argument(), other.argument()])
            })*
        }
    };
}

binary! {
    /// x to a power.
    powf
    /// The angle of the point (other, self).
    atan2
    /// The length of the hypotenuse.
    hypot
    /// The magnitude of self with the sign of other.
    copysign
}

impl<T: FloatElement> Array<T> {
    /// The greater of two; NaN if one is NaN, unlike `max` of numbers in a closure, which is Rust's and gives the other one. Of equal numbers each has half
    /// of the derivative.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, -1.0, f64::NAN], [3]).max(0.0).to_vec()?;
    /// assert!(x[0] == 1.0 && x[1] == 0.0 && x[2].is_nan());
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn max(&self, other: impl MapArgument<T>) -> Array<T> {
        in_method("max", || {
            self.elementwise("max_or_nan", &[self.argument(), other.argument()])
        })
    }
    /// The smaller of two; NaN if one is NaN, unlike `min` of numbers in a closure, which is Rust's and gives the other one. Of equal numbers each has half
    /// of the derivative.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, -1.0, f64::NAN], [3]).min(0.0).to_vec()?;
    /// assert!(x[0] == 0.0 && x[1] == -1.0 && x[2].is_nan());
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn min(&self, other: impl MapArgument<T>) -> Array<T> {
        in_method("min", || {
            self.elementwise("min_or_nan", &[self.argument(), other.argument()])
        })
    }
    /// x to a whole power.
    pub fn powi(&self, n: i32) -> Array<T> {
        let exponent = Argument::Scalar(n.to_bits(), i32::TYPE);
        self.elementwise("powi", &[self.argument(), Ok(exponent)])
    }
    /// Limited to `low..=high`; NaN where `low` is above `high`. The derivative at a limit is one half, as where [`max`](Array::max) meets equal numbers.
    pub fn clamp(&self, low: impl MapArgument<T>, high: impl MapArgument<T>) -> Array<T> {
        let arguments = [self.argument(), low.argument(), high.argument()];
        self.elementwise("clamp", &arguments)
    }
    /// self · factor + term, rounded once.
    pub fn mul_add(&self, factor: impl MapArgument<T>, term: impl MapArgument<T>) -> Array<T> {
        let arguments = [self.argument(), factor.argument(), term.argument()];
        self.elementwise("mul_add", &arguments)
    }
}
