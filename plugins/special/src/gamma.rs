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
             let r = select(x > 0, 0.5, x - floor(x + 0.5)) in \
             let angle = 3.141592653589793 * r in \
             let reflected = 194.81818206800486 * (1 + 2 * powi(cos(angle), 2)) * powi(sin(angle), -4) in \
             select(x > 0, above, select(r == 0, inf - inf, reflected - above))",
        ],
    }
}

scalar! {
    /// `B(a, b) = Γ(a) Γ(b) / Γ(a + b)`, for positive arguments; NaN for others.
    fn beta(a: T, b: T) -> T {
        domain: [(0.5, 5.0), (0.5, 5.0)],
        native: |a, b| T::of_double(ln_beta(a.double(), b.double()).exp()),
        partials: ["-y * digamma_difference(a, b)", "-y * digamma_difference(b, a)"],
    }
}

scalar! {
    /// `ψ(a + b) − ψ(a)`, for positive arguments; NaN for others. Computed as a difference it would have no digits where `b` is far smaller than `a`.
    fn digamma_difference(a: T, b: T) -> T {
        domain: [(0.5, 5.0), (0.5, 5.0)],
        native: |a, b| T::of_double(digamma_difference(a.double(), b.double())),
        partials: ["trigamma(a + b) - trigamma(a)", "trigamma(a + b)"],
    }
}

/// From here on Stirling's series have all digits of an f64.
const LARGE: f64 = 10.0;

/// `t₀ + t₁ / x² + t₂ / x⁴ + …`
fn asymptotic(terms: &[f64], x: f64) -> f64 {
    let square = 1.0 / (x * x);
    terms
        .iter()
        .rev()
        .fold(0.0, |sum, term| sum * square + term)
}

/// `ln B(a, b)`. As a sum of the logarithms of the gamma function it would lose its digits where an argument is large. So the leading terms of these
/// logarithms, those of Stirling's formula, are subtracted from each other by hand.
fn ln_beta(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() || a <= 0.0 || b <= 0.0 {
        return f64::NAN;
    }
    let (b, a) = (a.min(b), a.max(b));
    // What `ln Γ(x)` has beyond `(x − ½) ln x − x + ½ ln 2π` (Abramowitz and Stegun, 6.1.41).
    const TERMS: [f64; 7] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360360.0,
        1.0 / 156.0,
    ];
    let rest = |x: f64| asymptotic(&TERMS, x) / x;
    let slope = -(a - 0.5) * (b / a).ln_1p();
    match (b < LARGE, a < LARGE) {
        (_, true) => a.log_gamma() + b.log_gamma() - (a + b).log_gamma(),
        (true, _) => b.log_gamma() + slope + b - b * (a + b).ln() + rest(a) - rest(a + b),
        (false, _) => {
            let half_ln_2_pi = 0.918_938_533_204_672_8;
            let rests = rest(a) + rest(b) - rest(a + b);
            slope - b * (a / b).ln_1p() - 0.5 * b.ln() + half_ln_2_pi + rests
        }
    }
}

/// `ψ(a + b) − ψ(a)`: by the recurrence up to large arguments, and there by the series (Abramowitz and Stegun, 6.3.6 and 6.3.18), whose leading terms are
/// subtracted from each other by hand.
fn digamma_difference(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() || a <= 0.0 || b <= 0.0 {
        return f64::NAN;
    }
    let (mut below, mut x) = (0.0, a);
    while x < LARGE {
        below += b / (x * (x + b));
        x += 1.0;
    }
    let y = x + b;
    const TERMS: [f64; 6] = [
        1.0 / 120.0,
        -1.0 / 252.0,
        1.0 / 240.0,
        -1.0 / 132.0,
        691.0 / 32760.0,
        -1.0 / 12.0,
    ];
    let rest = |x: f64| asymptotic(&TERMS, x) * x.powi(-4);
    let halves = b / (2.0 * x * y);
    let twelfths = b / x * ((x + y) / (12.0 * x * y * y));
    below + (b / x).ln_1p() + halves + twelfths + (rest(y) - rest(x))
}

/// What the natives take from other crates.
trait Gamma: Sized {
    fn double(self) -> f64;
    fn of_double(x: f64) -> Self;
    fn gamma_function(self) -> Self;
    fn log_gamma(self) -> Self;
    fn digamma(self) -> Self;
    fn trigamma(self) -> Self;
    fn tetragamma(self) -> Self;
}

macro_rules! implement {
    ($ty:ident, $pi:expr, $gamma:path, $log_gamma:path) => {
        impl Gamma for $ty {
            fn double(self) -> f64 {
                self as f64
            }
            fn of_double(x: f64) -> $ty {
                x as $ty
            }
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
                    false => {
                        special::Gamma::digamma(1.0 - self)
                            - $pi / ($pi * (self - self.round())).tan()
                    }
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
                    let beyond = self - self.round();
                    // The cosine is exactly 0 where `beyond` is a half.
                    let (sin, cos) = (($pi * beyond).sin(), ($pi * (0.5 - beyond.abs())).sin());
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
    for name in ["beta", "digamma_difference"] {
        cases.push(Case::new(name, [Value::Float(0.5), Value::Float(2.5)]));
        cases.push(Case::new(name, [Value::Float(3.0), Value::Float(1.5)]));
        cases.push(Case::new(name, [Value::Float(40.0), Value::Float(12.5)]));
        cases.push(Case::new(name, [Value::Float(1.5), Value::Float(30.0)]));
    }
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
        // At negative half-integers the term of the reflection is 0: ψ″(−100000.5) = ψ″(100001.5).
        close((-100_000.5f64).tetragamma(), 100_001.5f64.tetragamma());
    }

    /// Against closed forms: `B(a, 1) = 1 / a`, `B(a, 3) = 2 / (a (a + 1) (a + 2))`, factorials, and `ψ(a + 1) − ψ(a) = 1 / a`.
    #[test]
    fn large_arguments_do_not_cancel() {
        let close = |found: f64, expected: f64| {
            assert!(
                (found - expected).abs() <= 1e-13 * expected.abs(),
                "{found}, expected {expected}"
            );
        };
        let beta = |a: f64, b: f64| super::ln_beta(a, b).exp();
        for a in [0.5, 3.0, 9.5, 10.5, 1e3, 1e6, 1e12] {
            close(beta(a, 1.0), 1.0 / a);
            close(beta(3.0, a), 2.0 / (a * (a + 1.0) * (a + 2.0)));
            close(super::digamma_difference(a, 1.0), 1.0 / a);
            let two = 1.0 / a + 1.0 / (a + 1.0);
            close(super::digamma_difference(a, 2.0), two);
            let pole = 1.0 / (1e-9 * (1e-9 + a));
            let far = super::digamma_difference(1.0 + 1e-9, a);
            close(super::digamma_difference(1e-9, a), pole * a + far);
        }
        close(beta(20.0, 30.0), 1.7681885473062026e-15);
        close(beta(1e15, 0.5), (std::f64::consts::PI / 1e15).sqrt());
        assert!(beta(0.0, 1.0).is_nan() && beta(1.0, f64::NAN).is_nan());
        assert!(super::digamma_difference(-1.0, 1.0).is_nan());
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
