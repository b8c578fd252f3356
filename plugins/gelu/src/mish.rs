//! Mish (Misra, *Mish: A Self Regularized Non-Monotonic Activation Function*, 2019).

use crate::points;
use mooncake_pack::{Case, scalar, wgsl};

scalar! {
    /// `x tanh(ln(1 + eˣ))`.
    ///
    /// With `n = eˣ (eˣ + 2)` the hyperbolic tangent is `n / (n + 2)`: one exponential, and no cancellation.
    fn mish(x: T) -> T {
        domain: [(-5.0, 5.0)],
        native: |x| if x > 20.0 { x } else {
            let e = x.exp();
            let n = e * (e + 2.0);
            if n == 0.0 { 0.0 } else { x * n / (n + 2.0) }
        },
        with_partials: |x| if x > 20.0 { (x, [1.0]) } else {
            let e = x.exp();
            let n = e * (e + 2.0);
            let t = n / (n + 2.0);
            if n == 0.0 { (0.0, [0.0]) } else { (x * n / (n + 2.0), [t + x * (e / (1.0 + e)) * (1.0 - t * t)]) }
        },
        partials: ["tanh(ln_1p(exp(x))) + x * (1 - tanh(ln_1p(exp(x))) * tanh(ln_1p(exp(x)))) / (1 + exp(-x))"],
        wgsl: wgsl!(
            mish,
            include_str!("wgsl/exp.wgsl"),
            r#"
                fn mc_mish(x: f32) -> f32 {
                    // A NaN has to pass: comparisons with it may be anything.
                    if (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u { return x; }
                    if x > 20.0 { return x; }
                    if x < -80.0 { return 0.0; }
                    let e = $exp(x);
                    let n = e * (e + 2.0);
                    return x * n / (n + 2.0);
                }
            "#,
        ),
    }
}

/// Cases of this file's rules.
pub fn cases() -> Vec<Case> {
    points("mish", &[-4.0, -1.0, -0.25, 0.0, 0.25, 1.0, 4.0, 25.0])
}
