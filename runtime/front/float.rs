//! `Float`: what generic differentiable functions ask of a number.

use super::ty::Trait;
use super::types::{Hole, Typed};
use std::fmt::{self, Debug, Display};
use std::iter::{Product, Sum};
use std::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

/// Writes the trait and its implementations from one table of methods: `self` and the parameters are floats of the type.
macro_rules! float {
    (
        functions { $($(#[$fdoc:meta])* $function:ident($($fparam:ident: $fty:ty),*) -> $fret:ty = |$type:ident| $value:expr;)* }
        methods { $($(#[$doc:meta])* $method:ident($($param:ident: $ty:ty),*) -> $ret:ty;)* }
    ) => {
        /// A float: `f32` or `f64`. Its methods are those of the two, its constants are functions.
        ///
        /// ```
        /// use mooncake::prelude::*;
        /// use mooncake::Float;
        ///
        /// #[differentiable]
        /// fn logistic<T: Float>(x: T) -> T {
        ///     T::one() / (T::one() + (-x).exp())
        /// }
        ///
        /// # fn main() -> mooncake::Result<()> {
        /// let rule = Context::default().build_rrule::<logistic<f32>>()?;
        /// assert_eq!(rule.value_and_gradient((0.0,))?, (0.5, (0.25,)));
        /// # Ok(())
        /// # }
        /// ```
        pub trait Float:
            Copy + PartialOrd + Debug + Display + Default + Send + Sync + Typed + 'static
            + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Rem<Output = Self>
            + AddAssign + SubAssign + MulAssign + DivAssign + RemAssign + Neg<Output = Self>
            + Sum + Product + for<'a> Sum<&'a Self> + for<'a> Product<&'a Self>
        {
            $($(#[$fdoc])* fn $function($($fparam: $fty),*) -> $fret;)*
            /// As an `f64`.
            fn to_f64(self) -> f64;
            /// Says, where it bounds a type parameter, that the bound is this trait, and not another of that name.
            #[doc(hidden)]
            #[allow(non_snake_case, reason = "the name of the trait is in it")]
            fn __mc_trait_Float() -> Option<&'static Trait> {
                Some(&FLOAT)
            }
            $($(#[$doc])* fn $method(self $(, $param: $ty)*) -> $ret;)*
        }
        float!(@of f32 { $($function($($fparam: $fty),*) -> $fret = |$type| $value;)* } { $($method($($param: $ty),*) -> $ret;)* });
        float!(@of f64 { $($function($($fparam: $fty),*) -> $fret = |$type| $value;)* } { $($method($($param: $ty),*) -> $ret;)* });

        impl<const N: u32> Float for Hole<N> {
            $(fn $function($(_: $fty),*) -> $fret { never() })*
            fn to_f64(self) -> f64 { never() }
            $(fn $method(self $(, _: $ty)*) -> $ret { never() })*
        }
    };
    (@of $float:ident
        { $($function:ident($($fparam:ident: $fty:ty),*) -> $fret:ty = |$type:ident| $value:expr;)* }
        { $($method:ident($($param:ident: $ty:ty),*) -> $ret:ty;)* }
    ) => {
        impl Float for $float {
            $(fn $function($($fparam: $fty),*) -> $fret {
                #[allow(dead_code, reason = "constants of std::f64::consts do not ask for the type")]
                type $type = $float;
                #[allow(clippy::unnecessary_cast, reason = "for one of the two types")]
                { $value as $float }
            })*
            #[allow(clippy::unnecessary_cast, reason = "for one of the two types")]
            fn to_f64(self) -> f64 {
                self as f64
            }
            // The inherent method: it hides the one of the trait.
            $(fn $method(self $(, $param: $ty)*) -> $ret { <$float>::$method(self $(, $param)*) })*
        }
    };
}

float! {
    functions {
        /// Rounds an `f64` to this type.
        from_f64(x: f64) -> Self = |F| x;
        /// `0`
        zero() -> Self = |F| 0.0;
        /// `1`
        one() -> Self = |F| 1.0;
        /// π
        pi() -> Self = |F| std::f64::consts::PI;
        /// Euler's number
        e() -> Self = |F| std::f64::consts::E;
        /// ∞
        infinity() -> Self = |F| F::INFINITY;
        /// -∞
        neg_infinity() -> Self = |F| F::NEG_INFINITY;
        /// Not a number
        nan() -> Self = |F| F::NAN;
        /// The distance from 1 to the next larger number
        epsilon() -> Self = |F| F::EPSILON;
        /// The largest finite number
        max_value() -> Self = |F| F::MAX;
        /// The smallest finite number
        min_value() -> Self = |F| F::MIN;
        /// The smallest positive normal number
        min_positive_value() -> Self = |F| F::MIN_POSITIVE;
    }
    methods {
        /// See [`f64::abs`].
        abs() -> Self;
        /// See [`f64::signum`].
        signum() -> Self;
        /// See [`f64::copysign`].
        copysign(sign: Self) -> Self;
        /// See [`f64::floor`].
        floor() -> Self;
        /// See [`f64::ceil`].
        ceil() -> Self;
        /// See [`f64::round`].
        round() -> Self;
        /// See [`f64::trunc`].
        trunc() -> Self;
        /// See [`f64::fract`].
        fract() -> Self;
        /// See [`f64::mul_add`].
        mul_add(a: Self, b: Self) -> Self;
        /// See [`f64::div_euclid`].
        div_euclid(divisor: Self) -> Self;
        /// See [`f64::rem_euclid`].
        rem_euclid(divisor: Self) -> Self;
        /// See [`f64::powi`].
        powi(n: i32) -> Self;
        /// See [`f64::powf`].
        powf(n: Self) -> Self;
        /// See [`f64::sqrt`].
        sqrt() -> Self;
        /// See [`f64::cbrt`].
        cbrt() -> Self;
        /// See [`f64::hypot`].
        hypot(other: Self) -> Self;
        /// See [`f64::recip`].
        recip() -> Self;
        /// See [`f64::exp`].
        exp() -> Self;
        /// See [`f64::exp2`].
        exp2() -> Self;
        /// See [`f64::exp_m1`].
        exp_m1() -> Self;
        /// See [`f64::ln`].
        ln() -> Self;
        /// See [`f64::ln_1p`].
        ln_1p() -> Self;
        /// See [`f64::log`].
        log(base: Self) -> Self;
        /// See [`f64::log2`].
        log2() -> Self;
        /// See [`f64::log10`].
        log10() -> Self;
        /// See [`f64::sin`].
        sin() -> Self;
        /// See [`f64::cos`].
        cos() -> Self;
        /// See [`f64::tan`].
        tan() -> Self;
        /// See [`f64::sin_cos`].
        sin_cos() -> (Self, Self);
        /// See [`f64::asin`].
        asin() -> Self;
        /// See [`f64::acos`].
        acos() -> Self;
        /// See [`f64::atan`].
        atan() -> Self;
        /// See [`f64::atan2`].
        atan2(x: Self) -> Self;
        /// See [`f64::sinh`].
        sinh() -> Self;
        /// See [`f64::cosh`].
        cosh() -> Self;
        /// See [`f64::tanh`].
        tanh() -> Self;
        /// See [`f64::asinh`].
        asinh() -> Self;
        /// See [`f64::acosh`].
        acosh() -> Self;
        /// See [`f64::atanh`].
        atanh() -> Self;
        /// See [`f64::to_degrees`].
        to_degrees() -> Self;
        /// See [`f64::to_radians`].
        to_radians() -> Self;
        /// See [`f64::max`].
        max(other: Self) -> Self;
        /// See [`f64::min`].
        min(other: Self) -> Self;
        /// See [`f64::clamp`].
        clamp(low: Self, high: Self) -> Self;
        /// See [`f64::is_nan`].
        is_nan() -> bool;
        /// See [`f64::is_finite`].
        is_finite() -> bool;
        /// See [`f64::is_infinite`].
        is_infinite() -> bool;
        /// See [`f64::is_sign_negative`].
        is_sign_negative() -> bool;
        /// See [`f64::is_sign_positive`].
        is_sign_positive() -> bool;
    }
}

/// [`Float`], as the bounds of type parameters are described.
pub static FLOAT: Trait = Trait {
    path: "mooncake::Float",
    name: "Float",
};

/// Nothing computes with what stands for a type parameter.
fn never() -> ! {
    unreachable!("`Hole` only describes types")
}

impl<const N: u32> Display for Hole<N> {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        never()
    }
}
impl<const N: u32> Neg for Hole<N> {
    type Output = Self;
    fn neg(self) -> Self {
        never()
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl<const N: u32> $operator for Hole<N> {
            type Output = Self;
            fn $method(self, _: Self) -> Self {
                never()
            }
        }
        impl<const N: u32> $assign for Hole<N> {
            fn $assign_method(&mut self, _: Self) {
                never()
            }
        }
    )*};
}
operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
    Rem rem RemAssign rem_assign;
}

macro_rules! folds {
    ($($fold:ident $method:ident;)*) => {$(
        impl<const N: u32> $fold for Hole<N> {
            fn $method<I: Iterator<Item = Self>>(_: I) -> Self {
                never()
            }
        }
        impl<'a, const N: u32> $fold<&'a Hole<N>> for Hole<N> {
            fn $method<I: Iterator<Item = &'a Self>>(_: I) -> Self {
                never()
            }
        }
    )*};
}
folds! { Sum sum; Product product; }

#[cfg(test)]
mod tests {
    use super::*;

    fn norm<T: Float>(x: &[T]) -> T {
        x.iter().map(|&v| v * v).sum::<T>().sqrt()
    }

    #[test]
    fn floats_are_themselves() {
        assert_eq!(norm(&[3.0, 4.0]), 5.0_f64);
        assert_eq!(norm(&[3.0, 4.0]), 5.0_f32);
        assert_eq!(f32::pi(), std::f32::consts::PI);
        assert_eq!(<f32 as Float>::max_value(), f32::MAX);
        assert_eq!(<f64 as Float>::from_f64(0.1).to_f64(), 0.1);
        assert_eq!(Float::max(1.0, 2.0), 2.0);
    }
}
