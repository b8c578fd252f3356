//! Step functions: derivative zero wherever they have one.

use crate::points;
use mooncake_pack::{Case, scalar, wgsl};

scalar! {
    /// The largest integer that is not above.
    fn floor(x: T) -> T {
        domain: [(-3.0, 3.0)],
        context: Minimal,
        partials: ["0"],
    }
}

scalar! {
    /// The smallest integer that is not below.
    fn ceil(x: T) -> T {
        domain: [(-3.0, 3.0)],
        context: Minimal,
        partials: ["0"],
    }
}

scalar! {
    /// The integer part.
    fn trunc(x: T) -> T {
        domain: [(-3.0, 3.0)],
        context: Minimal,
        partials: ["0"],
    }
}

scalar! {
    /// The nearest integer, halves away from zero. (WGSL's own goes to even.)
    fn round(x: T) -> T {
        domain: [(-3.0, 3.0)],
        context: Minimal,
        native: |x| x.round(),
        partials: ["0"],
        wgsl: wgsl!(
            round,
            include_str!("wgsl/bits.wgsl"),
            r#"
                fn mc_round(x: f32) -> f32 {
                    let t = trunc(x);
                    if (bitcast<u32>(x) & 0x7fffffffu) >= 0x4b000000u { return x; }
                    return $copysign(select(abs(t), abs(t) + 1.0, abs(x) - abs(t) >= 0.5), x);
                }
            "#,
            "// f64\n",
            include_str!("wgsl/bits_f64.wgsl"),
            r#"
                fn mc_round_f64(x: f64) -> f64 {
                    // Of some drivers `trunc` is wrong above 2^24.
                    let t = floor(abs(x));
                    if $f64_size(x) >= 0x4330000000000000lu { return x; }
                    return $f64_copysign(select(t, t + 1.0lf, abs(x) - t >= 0.5lf), x);
                }
            "#,
        ),
    }
}

scalar! {
    /// The nearest integer, halves to even.
    fn round_ties_even(x: T) -> T {
        domain: [(-3.0, 3.0)],
        context: Minimal,
        native: |x| x.round_ties_even(),
        partials: ["0"],
        wgsl: wgsl!(
            round_ties_even,
            include_str!("wgsl/bits.wgsl"),
            r#"
                fn mc_round_ties_even(x: f32) -> f32 {
                    if (bitcast<u32>(x) & 0x7fffffffu) >= 0x4b000000u { return x; }
                    return $copysign(round(x), x);
                }
            "#,
            "// f64\n",
            include_str!("wgsl/bits_f64.wgsl"),
            r#"
                fn mc_round_ties_even_f64(x: f64) -> f64 {
                    if $f64_size(x) >= 0x4330000000000000lu { return x; }
                    let t = floor(abs(x));
                    let rest = abs(x) - t;
                    let odd = floor(t * 0.5lf) * 2.0lf != t;
                    return $f64_copysign(select(t, t + 1.0lf, rest > 0.5lf || (rest == 0.5lf && odd)), x);
                }
            "#,
        ),
    }
}

scalar! {
    /// `x - trunc(x)`
    fn fract(x: T) -> T {
        domain: [(-3.0, 3.0)],
        native: |x| x.fract(),
        body: "x - trunc(x)",
        partials: ["1"],
    }
}

scalar! {
    /// ±1 by the sign bit, NaN for NaN.
    fn signum(x: T) -> T {
        domain: [(-10.0, 10.0)],
        context: Minimal,
        native: |x| x.signum(),
        partials: ["0"],
        wgsl: wgsl!(
            signum,
            include_str!("wgsl/bits.wgsl"),
            r#"
                fn mc_signum(x: f32) -> f32 {
                    if $is_nan(x) { return x; }
                    return $copysign(1.0, x);
                }
            "#,
            "// f64\n",
            include_str!("wgsl/bits_f64.wgsl"),
            r#"
                fn mc_signum_f64(x: f64) -> f64 {
                    if $f64_is_nan(x) { return x; }
                    return $f64_copysign(1.0lf, x);
                }
            "#,
        ),
    }
}

/// Calls on which the rules of this file are tested and timed.
pub fn cases() -> Vec<Case> {
    [
        "floor",
        "ceil",
        "trunc",
        "round",
        "round_ties_even",
        "fract",
        "signum",
    ]
    .into_iter()
    .flat_map(|function| points(function, &[-1.75, 0.25, 2.375]))
    .collect()
}
