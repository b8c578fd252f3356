//! Hyperbolic functions and their inverses.

use crate::points;
use mooncake_pack::{Case, scalar, wgsl};

scalar! {
    /// The hyperbolic sine. The derivative is `√(1 + y²)`, whose square would overflow; far out it is `|y|` to the last bit.
    fn sinh(x: T) -> T {
        domain: [(-4.0, 4.0)],
        context: Minimal,
        native: |x| x.sinh(),
        body: "sinh_lanes(x)",
        partials: ["select(abs(y) < 1e9, sqrt(1 + y * y), abs(y))"],
    }
}

scalar! {
    /// The hyperbolic cosine.
    fn cosh(x: T) -> T {
        domain: [(-4.0, 4.0)],
        context: Minimal,
        native: |x| x.cosh(),
        body: "cosh_lanes(x)",
        partials: ["sinh(x)"],
    }
}

scalar! {
    /// The hyperbolic tangent.
    fn tanh(x: T) -> T {
        domain: [(-4.0, 4.0)],
        context: Minimal,
        native: |x| x.tanh(),
        body: "tanh_lanes(x)",
        partials: ["1 - y * y"],
    }
}

scalar! {
    /// The inverse hyperbolic sine. Far out the derivative is `1 / |x|` to the last bit.
    fn asinh(x: T) -> T {
        domain: [(-10.0, 10.0)],
        context: Minimal,
        native: |x| x.asinh(),
        partials: ["1 / select(abs(x) < 1e9, sqrt(1 + x * x), abs(x))"],
        wgsl: wgsl!(
            asinh,
            include_str!("wgsl/bits.wgsl"),
            include_str!("wgsl/ln.wgsl"),
            r#"
                fn mc_asinh(x: f32) -> f32 {
                    let a = abs(x);
                    if $size(x) >= 0x7f800000u || a < 1e-4 { return x; }
                    if a > 1e9 { return $copysign($ln(a) + 0.693147181, x); }
                    let z = a * a;
                    return $copysign($ln_1p(a + z / (1.0 + sqrt(1.0 + z))), x);
                }
            "#,
            "// f64\n",
            include_str!("wgsl/bits_f64.wgsl"),
            include_str!("wgsl/ln_f64.wgsl"),
            r#"
                fn mc_asinh_f64(x: f64) -> f64 {
                    let a = abs(x);
                    if $f64_size(x) >= 0x7ff0000000000000lu || a < 1e-9lf { return x; }
                    if a > 1e9lf { return $f64_copysign($f64_ln(a) + 0.6931471805599453lf, x); }
                    let z = a * a;
                    return $f64_copysign($f64_ln_1p(a + z / (1.0lf + sqrt(1.0lf + z))), x);
                }
            "#,
        ),
    }
}

scalar! {
    /// The inverse hyperbolic cosine: infinite slope at 1. Two roots, because the product of their arguments overflows, and is positive below -1.
    fn acosh(x: T) -> T {
        domain: [(1.1, 10.0)],
        context: Minimal,
        native: |x| x.acosh(),
        partials: ["1 / (sqrt(x - 1) * sqrt(x + 1))"],
        wgsl: wgsl!(
            acosh,
            include_str!("wgsl/bits.wgsl"),
            include_str!("wgsl/ln.wgsl"),
            r#"
                fn mc_acosh(x: f32) -> f32 {
                    if $is_nan(x) || x < 1.0 { return $nan(x); }
                    let z = x - 1.0;
                    if z < 0.5 {
                        return ((((1.7596881071e-3 * z - 7.5272886713e-3) * z + 2.6454905019e-2) * z - 1.1784741703e-1) * z
                            + 1.4142135263) * sqrt(z);
                    }
                    if x > 1e9 { return $ln(x) + 0.693147181; }
                    return $ln_1p(z + sqrt(z * (z + 2.0)));
                }
            "#,
            "// f64\n",
            include_str!("wgsl/bits_f64.wgsl"),
            include_str!("wgsl/ln_f64.wgsl"),
            r#"
                fn mc_acosh_f64(x: f64) -> f64 {
                    if $f64_is_nan(x) || x < 1.0lf { return $f64_nan(x); }
                    if x > 1e9lf { return $f64_ln(x) + select(0.6931471805599453lf, 0.0lf, $f64_size(x) == 0x7ff0000000000000lu); }
                    let z = x - 1.0lf;
                    return $f64_ln_1p(z + sqrt(z * (z + 2.0lf)));
                }
            "#,
        ),
    }
}

scalar! {
    /// The inverse hyperbolic tangent: infinite slope at ±1.
    fn atanh(x: T) -> T {
        domain: [(-0.9, 0.9)],
        context: Minimal,
        native: |x| x.atanh(),
        partials: ["1 / ((1 - x) * (1 + x))"],
        wgsl: wgsl!(
            atanh,
            include_str!("wgsl/bits.wgsl"),
            include_str!("wgsl/ln.wgsl"),
            r#"
                fn mc_atanh(x: f32) -> f32 {
                    let a = abs(x);
                    let z = x * x;
                    if $is_nan(x) { return x; }
                    if a < 0.5 {
                        return ((((1.81740078349e-1 * z + 8.24370301058e-2) * z + 1.46691431730e-1) * z + 1.99782164500e-1) * z
                            + 3.33337300303e-1) * z * x + x;
                    }
                    return $copysign(0.5 * $ln((1.0 + a) / (1.0 - a)), x);
                }
            "#,
            "// f64\n",
            include_str!("wgsl/bits_f64.wgsl"),
            include_str!("wgsl/ln_f64.wgsl"),
            r#"
                fn mc_atanh_f64(x: f64) -> f64 {
                    let a = abs(x);
                    if $f64_is_nan(x) || a > 1.0lf { return $f64_nan(x); }
                    if a == 1.0lf { return $f64_copysign($f64_inf(x), x); }
                    if a < 1e-9lf { return x; }
                    return $f64_copysign(0.5lf * $f64_ln_1p((a + a) / (1.0lf - a)), x);
                }
            "#,
        ),
    }
}

/// Calls on which the rules of this file are tested and timed.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for function in ["sinh", "cosh", "tanh", "asinh"] {
        cases.extend(points(function, &[-2.5, 0.0, 1e-4, 0.75]));
    }
    cases.extend(points("acosh", &[1.25, 3.0]));
    cases.extend(points("atanh", &[-0.75, 0.0, 0.5]));
    cases
}
