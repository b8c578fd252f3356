//! Trigonometric functions and their inverses.

use crate::points;
use mooncake_pack::{Case, Float, scalar, wgsl};

scalar! {
    /// The sine.
    fn sin(x: T) -> T {
        domain: [(-10.0, 10.0)],
        context: Minimal,
        native: |x| x.sin(),
        with_partials: |x| {
            let (sine, cosine) = x.sine_and_cosine();
            (sine, [cosine])
        },
        body: "sin_lanes(x)",
        partials: ["cos(x)"],
    }
}

scalar! {
    /// The cosine.
    fn cos(x: T) -> T {
        domain: [(-10.0, 10.0)],
        context: Minimal,
        native: |x| x.cos(),
        with_partials: |x| {
            let (sine, cosine) = x.sine_and_cosine();
            (cosine, [-sine])
        },
        body: "cos_lanes(x)",
        partials: ["-sin(x)"],
    }
}

scalar! {
    /// The tangent.
    fn tan(x: T) -> T {
        domain: [(-1.4, 1.4)],
        context: Minimal,
        native: |x| x.tan(),
        body: "tan_lanes(x)",
        partials: ["1 + y * y"],
    }
}

scalar! {
    /// The arcsine: infinite slope at ±1.
    fn asin(x: T) -> T {
        domain: [(-0.95, 0.95)],
        context: Minimal,
        native: |x| x.asin(),
        body: "asin_lanes(x)",
        partials: ["1 / sqrt((1 - x) * (1 + x))"],
    }
}

scalar! {
    /// The arccosine: infinite slope at ±1.
    fn acos(x: T) -> T {
        domain: [(-0.95, 0.95)],
        context: Minimal,
        native: |x| x.acos(),
        body: "acos_lanes(x)",
        partials: ["-1 / sqrt((1 - x) * (1 + x))"],
    }
}

scalar! {
    /// The arctangent.
    fn atan(x: T) -> T {
        domain: [(-10.0, 10.0)],
        context: Minimal,
        native: |x| x.atan(),
        body: "atan_lanes(x)",
        partials: ["1 / (1 + x * x)"],
    }
}

scalar! {
    /// The angle of the point `(b, a)`: NaN at the origin, which has none. Divided twice, because `a² + b²` overflows early.
    fn atan2(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (0.1, 10.0)],
        context: Minimal,
        native: |a, b| a.atan2(b),
        partials: ["b / hypot(a, b) / hypot(a, b)", "-a / hypot(a, b) / hypot(a, b)"],
        wgsl: wgsl!(
            atan2,
            include_str!("wgsl/bits.wgsl"),
            include_str!("wgsl/atan.wgsl"),
            r#"
                fn mc_atan2(a: f32, b: f32) -> f32 {
                    let p = $size(a);
                    let q = $size(b);
                    if max(p, q) > 0x7f800000u { return $nan(a); }
                    let left = (bitcast<u32>(b) >> 31u) == 1u;
                    let x = bitcast<f32>(q);
                    let y = bitcast<f32>(p);
                    // The angle to the nearer axis; of two zeros and of two infinities by convention.
                    var t = 0.0;
                    if p == q {
                        t = select(0.785398163, 0.0, p == 0u);
                    } else if p != 0u && q != 0u && max(p, q) != 0x7f800000u {
                        t = $atan(min(x, y), max(x, y));
                    }
                    let up = select(1.57079637 - (t - -4.37113883e-8), 1.57079637 + (t + -4.37113883e-8), left);
                    let along = select(t, 3.14159274 - (t - -8.74227766e-8), left);
                    return $copysign(select(along, up, p > q), a);
                }
            "#,
            "// f64\n",
            include_str!("wgsl/bits_f64.wgsl"),
            include_str!("wgsl/atan_f64.wgsl"),
            r#"
                fn mc_atan2_f64(a: f64, b: f64) -> f64 {
                    let p = $f64_size(a);
                    let q = $f64_size(b);
                    if max(p, q) > 0x7ff0000000000000lu { return $f64_nan(a); }
                    let left = (bitcast<u64>(b) >> 63u) == 1lu;
                    let x = bitcast<f64>(q);
                    let y = bitcast<f64>(p);
                    // The angle to the nearer axis; of two zeros and of two infinities by convention.
                    var t = 0.0lf;
                    if p == q {
                        t = select(0.7853981633974483lf, 0.0lf, p == 0lu);
                    } else if p != 0lu && q != 0lu && max(p, q) != 0x7ff0000000000000lu {
                        t = $f64_atan(min(x, y), max(x, y));
                    }
                    let up = select(1.5707963267948966lf - (t - 6.123233995736766e-17lf), 1.5707963267948966lf + (t + 6.123233995736766e-17lf), left);
                    let along = select(t, 3.141592653589793lf - (t - 1.2246467991473532e-16lf), left);
                    return $f64_copysign(select(along, up, p > q), a);
                }
            "#,
        ),
    }
}

/// Calls on which the rules of this file are tested and timed.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for function in ["sin", "cos", "tan", "atan"] {
        cases.extend(points(function, &[-1.25, 0.0, 0.5, 1.0]));
    }
    for function in ["asin", "acos"] {
        cases.extend(points(function, &[-0.75, 0.0, 0.5]));
    }
    cases.extend([[1.0, 2.0], [-0.5, -1.5], [2.0, 0.0]].map(|args| Case::floats("atan2", &args)));
    cases
}
