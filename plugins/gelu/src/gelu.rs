//! The Gaussian error linear unit (Hendrycks and Gimpel, *Gaussian Error Linear Units*, 2016) and its probability.

use crate::points;
use mooncake_pack::{Case, scalar, wgsl};

scalar! {
    /// `x Φ(x)`, Φ the distribution function of the standard normal: the exact form, not the tanh approximation.
    /// The derivative is `Φ(x) + x φ(x)`.
    fn gelu(x: T) -> T {
        domain: [(-4.0, 4.0)],
        native: |x| x.times(x.normal_cdf()),
        with_partials: |x| {
            let cdf = x.normal_cdf();
            (x.times(cdf), [cdf + x.times(x.normal_density())])
        },
        partials: ["normal_cdf(x) + 0.3989422804014327 * x * exp(-0.5 * x * x)"],
        wgsl: wgsl!(
            gelu,
            include_str!("wgsl/exp.wgsl"),
            include_str!("wgsl/normal_cdf.wgsl"),
            r#"
                fn mc_gelu(x: f32) -> f32 {
                    // The product is 0 long before; with -∞ it would be NaN.
                    if x < -15.0 { return 0.0; }
                    return x * $normal_cdf(x);
                }
            "#,
        ),
    }
}

scalar! {
    /// Φ, the distribution function of the standard normal: through `erfc`, which keeps its digits where Φ is small.
    /// gelu's derivative needs it.
    fn normal_cdf(x: T) -> T {
        domain: [(-4.0, 4.0)],
        native: |x| x.normal_cdf(),
        partials: ["0.3989422804014327 * exp(-0.5 * x * x)"],
        wgsl: wgsl!(
            normal_cdf,
            include_str!("wgsl/exp.wgsl"),
            include_str!("wgsl/normal_cdf.wgsl"),
            "fn mc_normal_cdf(x: f32) -> f32 { return $normal_cdf(x); }",
        ),
    }
}

/// What the natives need of a float beyond Rust's std.
trait Gaussian: Sized {
    /// Φ: through `erfc`, which keeps its digits where Φ is small.
    fn normal_cdf(self) -> Self;
    /// φ
    fn normal_density(self) -> Self;
    /// `self * weight`, and 0 where the weight is, also for an infinite `self`.
    fn times(self, weight: Self) -> Self;
}

/// Implements [`Gaussian`] for a float type with its `erfc` of libm.
macro_rules! gaussian {
    ($ty:ident, $erfc:path) => {
        impl Gaussian for $ty {
            fn normal_cdf(self) -> Self {
                0.5 * $erfc(-self * std::$ty::consts::FRAC_1_SQRT_2)
            }
            fn normal_density(self) -> Self {
                const TAU: $ty = std::$ty::consts::TAU;
                (-0.5 * self * self).exp() / TAU.sqrt()
            }
            fn times(self, weight: Self) -> Self {
                if weight == 0.0 { 0.0 } else { self * weight }
            }
        }
    };
}
gaussian!(f32, libm::erfcf);
gaussian!(f64, libm::erfc);

/// Cases of this file's rules.
pub fn cases() -> Vec<Case> {
    [
        points("normal_cdf", &[-2.5, -1.0, -0.3, 0.0, 0.3, 1.0, 2.5]),
        points("gelu", &[-3.0, -1.0, -0.25, 0.0, 0.25, 1.0, 3.0]),
    ]
    .concat()
}
