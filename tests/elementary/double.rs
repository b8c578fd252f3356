//! Numbers of twice the precision of f64, as the sum of two: a reference for functions of f64. Errors are some units of 2⁻¹⁰⁰.
//!
//! Sums and products are Dekker's (1971); the functions are their Taylor series, or one step of Newton's from f64.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `high + low`, where `low` is at most half a unit in the last place of `high`.
#[derive(Clone, Copy, Debug)]
pub struct Double {
    pub high: f64,
    pub low: f64,
}

pub const ONE: Double = Double::new(1.0, 0.0);
pub const LN_2: Double = Double::new(std::f64::consts::LN_2, 2.3190468138462996e-17);
pub const LN_10: Double = Double::new(std::f64::consts::LN_10, -2.1707562233822494e-16);
const FRAC_PI_2: Double = Double::new(std::f64::consts::FRAC_PI_2, 6.123233995736766e-17);
/// π/2 minus `FRAC_PI_2`.
const FRAC_PI_2_REST: f64 = -1.4973849048591698e-33;

impl Double {
    pub const fn new(high: f64, low: f64) -> Double {
        Double { high, low }
    }
    /// The exact sum of two numbers.
    fn sum(a: f64, b: f64) -> Double {
        let high = a + b;
        let part = high - a;
        Double::new(high, (a - (high - part)) + (b - part))
    }
    /// The exact product of two numbers.
    fn product(a: f64, b: f64) -> Double {
        let high = a * b;
        Double::new(high, a.mul_add(b, -high))
    }
    /// Times a power of two.
    fn scaled(self, exponent: i32) -> Double {
        let half = exponent / 2;
        let (a, b) = (2f64.powi(half), 2f64.powi(exponent - half));
        Double::new(self.high * a * b, self.low * a * b)
    }
    fn is_small(self) -> bool {
        self.high.abs() < 0.5
    }
    /// The sum of `± xⁿ / n!` for `n = start, start + step, …`, where `start` is 0 or 1.
    fn series(self, start: i32, step: i32, alternating: bool) -> Double {
        let power = if step == 1 { self } else { self * self };
        let mut term = if start == 0 { ONE } else { self };
        let (mut sum, mut n) = (term, start);
        while term.high.abs() > 1e-36 * sum.high.abs() {
            term = term * power;
            for factor in n + 1..=n + step {
                term = term / Double::from(f64::from(factor));
            }
            term = if alternating { -term } else { term };
            sum = sum + term;
            n += step;
        }
        sum
    }
    pub fn exp(self) -> Double {
        let k = (self.high / LN_2.high).round();
        (self - LN_2 * k.into())
            .series(0, 1, false)
            .scaled(k as i32)
    }
    pub fn exp2(self) -> Double {
        (self * LN_2).exp()
    }
    pub fn exp_m1(self) -> Double {
        match self.is_small() {
            true => self.series(1, 1, false),
            false => self.exp() - ONE,
        }
    }
    pub fn ln(self) -> Double {
        match (0.5..2.0).contains(&self.high) {
            true => (self - ONE).ln_1p(),
            false => {
                let near = Double::from(self.high.ln());
                near + (self * (-near).exp() - ONE)
            }
        }
    }
    pub fn ln_1p(self) -> Double {
        match self.high > 1.0 {
            true => (self + ONE).ln(),
            false => {
                let near = Double::from(self.high.ln_1p());
                let off = (self - near.exp_m1()) / near.exp();
                near + off - off * off.half()
            }
        }
    }
    pub fn log2(self) -> Double {
        self.ln() / LN_2
    }
    pub fn log10(self) -> Double {
        self.ln() / LN_10
    }
    fn half(self) -> Double {
        self.scaled(-1)
    }
    /// Both, from `self - n π/2`.
    fn sine_and_cosine(self) -> (Double, Double) {
        let n = (self.high / FRAC_PI_2.high).round();
        let parts = [FRAC_PI_2.high, FRAC_PI_2.low, FRAC_PI_2_REST];
        let r = parts
            .iter()
            .fold(self, |r, &part| r - Double::product(n, part));
        let (s, c) = (r.series(1, 2, true), r.series(0, 2, true));
        match (n as i64).rem_euclid(4) {
            0 => (s, c),
            1 => (c, -s),
            2 => (-s, -c),
            _ => (-c, s),
        }
    }
    pub fn sin(self) -> Double {
        self.sine_and_cosine().0
    }
    pub fn cos(self) -> Double {
        self.sine_and_cosine().1
    }
    pub fn tan(self) -> Double {
        let (s, c) = self.sine_and_cosine();
        s / c
    }
    pub fn sinh(self) -> Double {
        match self.is_small() {
            true => self.series(1, 2, false),
            false => (self.exp() - (-self).exp()).half(),
        }
    }
    pub fn cosh(self) -> Double {
        (self.exp() + (-self).exp()).half()
    }
    pub fn tanh(self) -> Double {
        let e = (self + self).exp_m1();
        e / (e + ONE + ONE)
    }
    pub fn asinh(self) -> Double {
        let a = self.abs();
        let inverse = match a.high > 1e30 {
            true => a.ln() + LN_2,
            false => (a + a * a / (ONE + (ONE + a * a).sqrt())).ln_1p(),
        };
        inverse.with_sign_of(self)
    }
    pub fn acosh(self) -> Double {
        let z = self - ONE;
        match self.high > 1e30 {
            true => self.ln() + LN_2,
            false => (z + (z * (z + ONE + ONE)).sqrt()).ln_1p(),
        }
    }
    pub fn atanh(self) -> Double {
        let a = self.abs();
        ((a + a) / (ONE - a)).ln_1p().half().with_sign_of(self)
    }
    pub fn cbrt(self) -> Double {
        // Cubes neither over- nor underflow near 1.
        let third = (self.exponent() / 3).clamp(-300, 300);
        let scaled = self.scaled(-3 * third);
        let near = Double::from(scaled.high.cbrt());
        let off = (scaled - near * near * near) / (near * near);
        (near + off / Double::from(3.0)).scaled(third)
    }
    pub fn hypot(self, other: Double) -> Double {
        let exponent = self.exponent().max(other.exponent());
        let (a, b) = (self.scaled(-exponent), other.scaled(-exponent));
        (a * a + b * b).sqrt().scaled(exponent)
    }
    /// The angle of the point `(other, self)`.
    pub fn atan2(self, other: Double) -> Double {
        let exponent = self.exponent().max(other.exponent());
        let (y, x) = (self.scaled(-exponent), other.scaled(-exponent));
        let near = Double::from(y.high.atan2(x.high));
        if y.high.abs() < 1e-140 * x.high {
            // The angle is the quotient, which may be so small that its products underflow.
            return y / x;
        }
        let (s, c) = near.sine_and_cosine();
        near + (y * c - x * s) / (x * c + y * s)
    }
    /// Of a positive number.
    pub fn powf(self, exponent: Double) -> Double {
        (exponent * self.ln()).exp()
    }
    pub fn log(self, base: Double) -> Double {
        self.ln() / base.ln()
    }
    fn abs(self) -> Double {
        if self.high < 0.0 { -self } else { self }
    }
    fn with_sign_of(self, other: Double) -> Double {
        match self.high.is_sign_negative() == other.high.is_sign_negative() {
            true => self,
            false => -self,
        }
    }
    /// Of the power of two below it.
    fn exponent(self) -> i32 {
        match self.high == 0.0 {
            true => -2000,
            false => self.high.abs().log2().floor() as i32,
        }
    }
    pub fn sqrt(self) -> Double {
        match Double::from(self.high.sqrt()) {
            zero if zero.high == 0.0 => zero,
            near => (near + self / near).half(),
        }
    }
    /// The angle of the point `(c, s)` on the unit circle next to the angle `near`: the angle between them is small.
    fn angle(near: f64, s: Double, c: Double) -> Double {
        let near = Double::from(near);
        let (s0, c0) = near.sine_and_cosine();
        near + (s * c0 - c * s0)
    }
    pub fn asin(self) -> Double {
        Double::angle(self.high.asin(), self, ((ONE - self) * (ONE + self)).sqrt())
    }
    pub fn acos(self) -> Double {
        Double::angle(self.high.acos(), ((ONE - self) * (ONE + self)).sqrt(), self)
    }
    pub fn atan(self) -> Double {
        let near = Double::from(self.high.atan());
        let (s, c) = near.sine_and_cosine();
        near + (self * c - s) / (c + self * s)
    }
}

impl From<f64> for Double {
    fn from(x: f64) -> Double {
        Double::new(x, 0.0)
    }
}

impl Neg for Double {
    type Output = Double;
    fn neg(self) -> Double {
        Double::new(-self.high, -self.low)
    }
}

impl Add for Double {
    type Output = Double;
    fn add(self, other: Double) -> Double {
        let (high, low) = (
            Double::sum(self.high, other.high),
            Double::sum(self.low, other.low),
        );
        let high = Double::sum(high.high, high.low + low.high);
        Double::sum(high.high, high.low + low.low)
    }
}

impl Sub for Double {
    type Output = Double;
    fn sub(self, other: Double) -> Double {
        self + -other
    }
}

impl Mul for Double {
    type Output = Double;
    fn mul(self, other: Double) -> Double {
        let p = Double::product(self.high, other.high);
        Double::sum(
            p.high,
            p.low + (self.high * other.low + self.low * other.high),
        )
    }
}

impl Div for Double {
    type Output = Double;
    fn div(self, other: Double) -> Double {
        let first = self.high / other.high;
        let rest = self - other * first.into();
        let second = rest.high / other.high;
        let rest = rest - other * second.into();
        Double::sum(first, second) + (rest.high / other.high).into()
    }
}
