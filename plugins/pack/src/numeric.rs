//! What a pack's native functions may want of a float and of the platform's libm.

use crate::native::Element;

/// `f32` and `f64`, for helper functions that serve both.
pub trait Float:
    Element
    + PartialOrd
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
    + std::ops::Neg<Output = Self>
{
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;
    /// The nearest number of this type.
    fn from_f64(x: f64) -> Self;
    /// The same number.
    fn to_f64(self) -> f64;
    /// The square root.
    fn sqrt(self) -> Self;
    /// Without the sign.
    fn abs(self) -> Self;
    /// The sine and the cosine in one call, each bit for bit what `sin` and `cos` give.
    fn sine_and_cosine(self) -> (Self, Self);
}

/// glibc computes both for the price of one and a bit, from the same reduction and the same tables as its `sin` and
/// `cos`, hence with the same bits. Elsewhere that equality is not known, so two calls.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod libm {
    unsafe extern "C" {
        pub fn sincos(x: f64, sine: &mut f64, cosine: &mut f64);
        pub fn sincosf(x: f32, sine: &mut f32, cosine: &mut f32);
    }
}

/// Implements [`Float`].
macro_rules! float {
    ($ty:ident, $sincos:ident) => {
        impl Float for $ty {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            fn from_f64(x: f64) -> Self {
                x as $ty
            }
            fn to_f64(self) -> f64 {
                self.into()
            }
            fn sqrt(self) -> Self {
                self.sqrt()
            }
            fn abs(self) -> Self {
                self.abs()
            }
            #[cfg(all(target_os = "linux", target_env = "gnu"))]
            #[inline(always)]
            fn sine_and_cosine(self) -> (Self, Self) {
                let (mut sine, mut cosine) = (0.0, 0.0);
                // SAFETY: libm's function of this signature; it writes the two results and nothing else.
                unsafe { libm::$sincos(self, &mut sine, &mut cosine) };
                (sine, cosine)
            }
            #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
            #[inline(always)]
            fn sine_and_cosine(self) -> (Self, Self) {
                (self.sin(), self.cos())
            }
        }
    };
}
float!(f32, sincosf);
float!(f64, sincos);

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit patterns spread over all exponents by a multiplicative generator.
    fn patterns() -> impl Iterator<Item = u64> {
        std::iter::successors(Some(0x9e37_79b9_7f4a_7c15u64), |s| {
            Some(
                s.wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407),
            )
        })
    }

    #[test]
    fn sine_and_cosine_have_the_bits_of_sin_and_cos() {
        for bits in patterns().take(400_000) {
            let x = f64::from_bits(bits);
            let near = (bits >> 11) as f64 / (1u64 << 53) as f64 * 200.0 - 100.0;
            for x in [x, near].into_iter().filter(|x| x.is_finite()) {
                let (s, c) = x.sine_and_cosine();
                assert_eq!(
                    (s.to_bits(), c.to_bits()),
                    (x.sin().to_bits(), x.cos().to_bits()),
                    "{x:e}"
                );
            }
            for x in [f32::from_bits((bits >> 32) as u32), near as f32]
                .into_iter()
                .filter(|x| x.is_finite())
            {
                let (s, c) = x.sine_and_cosine();
                assert_eq!(
                    (s.to_bits(), c.to_bits()),
                    (x.sin().to_bits(), x.cos().to_bits()),
                    "{x:e}"
                );
            }
        }
    }
}
