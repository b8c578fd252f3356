//! Arithmetic. Where the core has the primal, this pack has only the derivatives.

use crate::points;
use mooncake_pack::{Case, scalar, wgsl};

scalar! {
    /// `a + b`
    fn add(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (-10.0, 10.0)],
        context: Minimal,
        partials: ["1", "1"],
    }
}

scalar! {
    /// `a - b`
    fn sub(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (-10.0, 10.0)],
        context: Minimal,
        partials: ["1", "-1"],
    }
}

scalar! {
    /// `a * b`
    fn mul(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (-10.0, 10.0)],
        context: Minimal,
        partials: ["b", "a"],
    }
}

scalar! {
    /// `a / b`. Both partials share one division.
    fn div(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (0.1, 10.0)],
        context: Minimal,
        partials: ["1 / b", "-(y * (1 / b))"],
    }
}

scalar! {
    /// `a % b`, with the sign of `a`: `a - b q` for an integer `q`, which is `(a - y) / b` up to its rounding.
    fn rem(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (1.0, 3.0)],
        context: Minimal,
        partials: ["1", "-round((a - y) / b)"],
    }
}

scalar! {
    /// `-x`
    fn neg(x: T) -> T {
        domain: [(-10.0, 10.0)],
        context: Minimal,
        partials: ["-1"],
    }
}

scalar! {
    /// `√x`: infinite slope at 0.
    fn sqrt(x: T) -> T {
        domain: [(0.1, 10.0)],
        context: Minimal,
        partials: ["0.5 / y"],
    }
}

scalar! {
    /// `|x|`: 0 at 0, NaN at NaN.
    fn abs(x: T) -> T {
        domain: [(-10.0, 10.0)],
        context: Minimal,
        // At 0 a number, and not `x`, which has a derivative of its own.
        partials: ["select(x > 0, 1, select(x < 0, -1, select(x == 0, 0, x)))"],
    }
}

scalar! {
    /// The magnitude of `a` with the sign of `b`; also where `a` is negative, or a zero of either sign.
    fn copysign(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (-10.0, 10.0)],
        context: Minimal,
        partials: ["copysign(1, a) * copysign(1, b)", "0"],
    }
}

scalar! {
    /// `x * a + b`, rounded once.
    fn mul_add(x: T, a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (-10.0, 10.0), (-10.0, 10.0)],
        context: Minimal,
        native: |x, a, b| x.mul_add(a, b),
        partials: ["a", "x", "1"],
        wgsl: wgsl!(
            mul_add,
            "fn mc_mul_add(x: f32, a: f32, b: f32) -> f32 { return fma(x, a, b); }",
            "// f64\n",
            "fn mc_mul_add_f64(x: f64, a: f64, b: f64) -> f64 { return fma(x, a, b); }",
        ),
    }
}

scalar! {
    /// `1 / x`
    fn recip(x: T) -> T {
        domain: [(0.1, 10.0)],
        native: |x| x.recip(),
        body: "1 / x",
        partials: ["-y * y"],
    }
}

scalar! {
    /// From radians to degrees.
    fn to_degrees(x: T) -> T {
        domain: [(-10.0, 10.0)],
        native: |x| x.to_degrees(),
        body: "x * 57.29577951308232",
        partials: ["57.29577951308232"],
    }
}

scalar! {
    /// From degrees to radians.
    fn to_radians(x: T) -> T {
        domain: [(-360.0, 360.0)],
        native: |x| x.to_radians(),
        body: "x * 0.017453292519943295",
        partials: ["0.017453292519943295"],
    }
}

scalar! {
    /// The middle of two numbers, without overflow.
    fn midpoint(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (-10.0, 10.0)],
        context: Minimal,
        native: |a, b| a.midpoint(b),
        partials: ["0.5", "0.5"],
        wgsl: wgsl!(
            midpoint,
            r#"
            // Half a number, by its exponent if it is large: a compiler takes 0.5 a + 0.5 b for 0.5 (a + b), which overflows.
            fn mc_midpoint_half(x: f32) -> f32 {
                let bits = bitcast<u32>(x);
                let size = bits & 0x7fffffffu;
                return select(0.5 * x, bitcast<f32>(bits - 0x00800000u), size > 0x7e000000u && size < 0x7f800000u);
            }
            fn mc_midpoint(a: f32, b: f32) -> f32 { return mc_midpoint_half(a) + mc_midpoint_half(b); }
        "#,
            "// f64\n",
            r#"
                fn mc_midpoint_f64_half(x: f64) -> f64 {
                    let bits = bitcast<u64>(x);
                    let size = bits & 0x7ffffffffffffffflu;
                    return select(0.5lf * x, bitcast<f64>(bits - 0x0010000000000000lu), size > 0x7fc0000000000000lu && size < 0x7ff0000000000000lu);
                }
                fn mc_midpoint_f64(a: f64, b: f64) -> f64 { return mc_midpoint_f64_half(a) + mc_midpoint_f64_half(b); }
            "#,
        ),
    }
}

scalar! {
    /// The remainder that is not negative: `a - b q`.
    fn rem_euclid(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (1.0, 3.0)],
        context: Minimal,
        native: |a, b| a.rem_euclid(b),
        partials: ["1", "-round((a - y) / b)"],
        wgsl: wgsl!(
            rem_euclid,
            include_str!("wgsl/bits.wgsl"),
            include_str!("wgsl/rem.wgsl"),
            r#"
                fn mc_rem_euclid(a: f32, b: f32) -> f32 {
                    let r = $rem(a, b);
                    return select(r, r + abs(b), r < 0.0);
                }
            "#,
            "// f64\n",
            include_str!("wgsl/rem_f64.wgsl"),
            r#"
                fn mc_rem_euclid_f64(a: f64, b: f64) -> f64 {
                    let r = $f64_rem(a, b);
                    return select(r, r + abs(b), r < 0.0lf);
                }
            "#,
        ),
    }
}

scalar! {
    /// The quotient that goes with `rem_euclid`.
    fn div_euclid(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (1.0, 3.0)],
        context: Minimal,
        native: |a, b| a.div_euclid(b),
        body: "let q = trunc(a / b) in select(rem(a, b) < 0, select(b > 0, q - 1, q + 1), q)",
        partials: ["0", "0"],
    }
}

/// Calls on which the rules of this file are tested and timed.
pub fn cases() -> Vec<Case> {
    let pairs = [
        "add",
        "sub",
        "mul",
        "div",
        "rem",
        "copysign",
        "midpoint",
        "rem_euclid",
        "div_euclid",
    ];
    let of_two = |f| [[1.25, 2.5], [-3.5, 1.5], [-0.5, -2.0]].map(|args| Case::floats(f, &args));
    let mut cases: Vec<Case> = pairs.into_iter().flat_map(of_two).collect();
    for function in ["neg", "abs", "recip", "to_degrees", "to_radians"] {
        cases.extend(points(function, &[-1.5, 0.25, 3.0]));
    }
    cases.extend(points("abs", &[0.0, -0.0]));
    cases.extend(points("sqrt", &[0.25, 2.0]));
    cases.push(Case::floats("mul_add", &[1.5, -2.25, 0.5]));
    cases
}
