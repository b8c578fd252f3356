//! The gamma function, its logarithm and the derivatives of that, and the beta function.

use crate::points;
use mooncake_pack::{Case, Value, scalar};

scalar! {
    /// `Γ(x)`. NaN at 0 and at negative integers, its poles.
    fn gamma(x: T) -> T {
        domain: [(0.5, 5.0)],
        native: |x| x.gamma_function(),
        partials: ["y * digamma(x)"],
    }
}

scalar! {
    /// `ln |Γ(x)|`
    fn log_gamma(x: T) -> T {
        domain: [(0.5, 20.0)],
        native: |x| x.log_gamma(),
        partials: ["digamma(x)"],
    }
}

scalar! {
    /// `ψ(x) = Γ′(x) / Γ(x)`. NaN at 0 and at negative integers, its poles.
    fn digamma(x: T) -> T {
        domain: [(0.5, 20.0)],
        native: |x| x.digamma(),
        partials: ["trigamma(x)"],
    }
}

scalar! {
    /// `ψ′(x)`
    fn trigamma(x: T) -> T {
        domain: [(0.5, 20.0)],
        native: |x| x.trigamma(),
        partials: ["tetragamma(x)"],
    }
}

scalar! {
    /// `ψ″(x)`; NaN at the poles, where `x` is 0 or a negative whole number. From `x + 8` on the asymptotic series is used, below it the recurrence, and below 0
    /// the reflection `ψ″(x) = ψ″(1 − x) − 2π³ cos(πx) / sin³(πx)` (Abramowitz and Stegun, 6.4.6, 6.4.13 and 6.4.7). All of it is arithmetic and sines, and so
    /// are its derivatives.
    fn tetragamma(x: T) -> T {
        domain: [(0.5, 20.0)],
        native: |x| x.tetragamma(),
        partials: [
            "let z = select(x > 0, x, 1 - x) in \
             let above = 6 * (powi(z, -4) + powi(z + 1, -4) + powi(z + 2, -4) + powi(z + 3, -4) \
                            + powi(z + 4, -4) + powi(z + 5, -4) + powi(z + 6, -4) + powi(z + 7, -4)) \
                       + 2 * powi(z + 8, -3) + 3 * powi(z + 8, -4) + 2 * powi(z + 8, -5) \
                       - powi(z + 8, -7) + 4 / 3 * powi(z + 8, -9) - 3 * powi(z + 8, -11) + 10 * powi(z + 8, -13) in \
             let angle = select(x > 0, 1, 3.141592653589793 * x) in \
             let reflected = 194.81818206800486 * (1 + 2 * powi(cos(angle), 2)) * powi(sin(angle), -4) in \
             select(x > 0, above, reflected - above)",
        ],
    }
}

scalar! {
    /// `B(a, b) = Γ(a) Γ(b) / Γ(a + b)`, for positive arguments; NaN for others.
    fn beta(a: T, b: T) -> T {
        domain: [(0.5, 5.0), (0.5, 5.0)],
        native: |a, b| if a > 0.0 && b > 0.0 { (a.log_gamma() + b.log_gamma() - (a + b).log_gamma()).exp() } else { T::NAN },
        partials: ["y * (digamma(a) - digamma(a + b))", "y * (digamma(b) - digamma(a + b))"],
    }
}

/// What the natives take from other crates.
trait Gamma: Sized {
    fn gamma_function(self) -> Self;
    fn log_gamma(self) -> Self;
    fn digamma(self) -> Self;
    fn trigamma(self) -> Self;
    fn tetragamma(self) -> Self;
}

macro_rules! implement {
    ($ty:ident, $pi:expr, $gamma:path, $log_gamma:path) => {
        impl Gamma for $ty {
            fn gamma_function(self) -> $ty {
                match self <= 0.0 && self == self.floor() {
                    true => $ty::NAN,
                    false => $gamma(self),
                }
            }
            fn log_gamma(self) -> $ty {
                $log_gamma(self)
            }
            fn digamma(self) -> $ty {
                if self > 0.0 {
                    return special::Gamma::digamma(self);
                }
                // By reflection: the crate's own recurrence would take as many steps as the argument is large.
                match self == self.floor() {
                    true => $ty::NAN,
                    false => special::Gamma::digamma(1.0 - self) - $pi / ($pi * self).tan(),
                }
            }
            fn trigamma(self) -> $ty {
                match self <= 0.0 && self == self.floor() {
                    true => $ty::NAN,
                    false => special::Gamma::trigamma(&self),
                }
            }
            fn tetragamma(self) -> $ty {
                if self <= 0.0 {
                    if self == self.floor() {
                        return $ty::NAN;
                    }
                    let (sin, cos) = ($pi * self).sin_cos();
                    return Gamma::tetragamma(1.0 - self) - 2.0 * ($pi / sin).powi(3) * cos;
                }
                let below: $ty = (0..8).map(|k| (self + k as $ty).powi(-3)).sum();
                let z = 1.0 / (self + 8.0);
                let w = z * z;
                let series = 1.0
                    + z
                    + w * (0.5 + w * (-1.0 / 6.0 + w * (1.0 / 6.0 + w * (-0.3 + w * (5.0 / 6.0)))));
                -2.0 * below - w * series
            }
        }
    };
}
implement!(f32, std::f32::consts::PI, libm::tgammaf, libm::lgammaf);
implement!(f64, std::f64::consts::PI, libm::tgamma, libm::lgamma);

/// Calls on which the rules of this file are tested.
pub(crate) fn cases() -> Vec<Case> {
    let small = [0.5, 1.0, 1.5, 3.25];
    let mut cases = points("gamma", &small);
    for name in ["log_gamma", "digamma", "trigamma", "tetragamma"] {
        cases.extend(points(name, &[0.25, 1.0, 2.5, 9.0, 40.0]));
    }
    for name in ["digamma", "trigamma", "tetragamma"] {
        cases.extend(points(name, &[-0.5, -0.25, -3.75]));
    }
    cases.push(Case::new("beta", [Value::Float(0.5), Value::Float(2.5)]));
    cases.push(Case::new("beta", [Value::Float(3.0), Value::Float(1.5)]));
    cases
}

#[cfg(test)]
mod tests {
    use super::Gamma;

    /// Values of Abramowitz and Stegun, tables 6.1 and 6.4, and of the closed forms at 1 and 1/2.
    #[test]
    fn values_are_those_of_the_tables() {
        let close = |found: f64, expected: f64| {
            assert!(
                (found - expected).abs() <= 2e-13 * expected.abs(),
                "{found}, expected {expected}"
            );
        };
        close(0.5f64.gamma_function(), std::f64::consts::PI.sqrt());
        close(1f64.digamma(), -0.577_215_664_901_532_9);
        close((-0.5f64).digamma(), 0.036_489_973_978_576_52);
        close(1f64.trigamma(), std::f64::consts::PI.powi(2) / 6.0);
        close(1f64.tetragamma(), -2.404_113_806_319_188_6);
        // ψ″(½) = −14 ζ(3), and ψ″(x) = ψ″(x + 1) − 2 / x³.
        close((-0.5f64).tetragamma(), 16.0 - 16.828_796_644_234_32);
    }

    #[test]
    fn poles_and_far_arguments_end_at_once() {
        assert!(
            (-3f64).digamma().is_nan()
                && 0f64.gamma_function().is_nan()
                && (-2f64).trigamma().is_nan()
                && (-2f64).tetragamma().is_nan()
                && f64::NAN.tetragamma().is_nan()
                && f64::NEG_INFINITY.tetragamma().is_nan()
        );
        assert!((-1e300f64).digamma().is_nan());
        assert!(f64::NEG_INFINITY.digamma().is_nan() && f64::NAN.digamma().is_nan());
        assert!((-1e6f64 - 0.5).digamma().is_finite());
    }
}
