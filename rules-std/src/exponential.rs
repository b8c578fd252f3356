//! Exponentials and logarithms.

use crate::points;
use mooncake_pack::{Case, scalar, wgsl};

scalar! {
    /// `eˣ`: its own derivative.
    fn exp(x: T) -> T {
        domain: [(-5.0, 5.0)],
        context: Minimal,
        native: |x| x.exp(),
        body: "exp_lanes(x)",
        partials: ["y"],
        wgsl: wgsl!(
            exp,
            include_str!("wgsl/bits.wgsl"),
            include_str!("wgsl/exp.wgsl"),
            "fn mc_exp(x: f32) -> f32 { return $exp(x); }",
        ),
    }
}

scalar! {
    /// `2ˣ`
    fn exp2(x: T) -> T {
        domain: [(-5.0, 5.0)],
        context: Minimal,
        native: |x| x.exp2(),
        body: "exp2_lanes(x)",
        partials: ["y * 0.6931471805599453"],
        wgsl: wgsl!(
            exp2,
            include_str!("wgsl/bits.wgsl"),
            include_str!("wgsl/exp.wgsl"),
            r#"
                fn mc_exp2(x: f32) -> f32 {
                    let k = round(clamp(x, -160.0, 160.0));
                    let r = x - k;
                    let e = (((((1.535336188319500e-4 * r + 1.339887440266574e-3) * r + 9.618437357674640e-3) * r
                        + 5.550332471162809e-2) * r + 2.402264791363012e-1) * r + 6.931472028550421e-1) * r + 1.0;
                    let i = i32(k);
                    let half = i / 2;
                    let y = e * $pow2(clamp(half, -126, 127)) * $pow2(clamp(i - half, -126, 127));
                    if $is_nan(x) { return x; }
                    if x >= 128.0 { return $inf(x); }
                    if x < -150.0 { return 0.0; }
                    return y;
                }
            "#,
        ),
    }
}

scalar! {
    /// `eˣ - 1`, accurate near 0.
    fn exp_m1(x: T) -> T {
        domain: [(-5.0, 5.0)],
        context: Minimal,
        native: |x| x.exp_m1(),
        body: "exp_m1_lanes(x)",
        partials: ["y + 1"],
        wgsl: wgsl!(
            exp_m1,
            include_str!("wgsl/bits.wgsl"),
            include_str!("wgsl/exp.wgsl"),
            include_str!("wgsl/exp_m1.wgsl"),
            "fn mc_exp_m1(x: f32) -> f32 { return $exp_m1(x); }",
        ),
    }
}

scalar! {
    /// The natural logarithm.
    fn ln(x: T) -> T {
        domain: [(0.1, 10.0)],
        context: Minimal,
        native: |x| x.ln(),
        body: "ln_lanes(x)",
        partials: ["1 / x"],
        wgsl: wgsl!(
            ln,
            include_str!("wgsl/bits.wgsl"),
            include_str!("wgsl/ln.wgsl"),
            "fn mc_ln(x: f32) -> f32 { return $ln(x); }",
        ),
    }
}

scalar! {
    /// `ln(1 + x)`, accurate near 0.
    fn ln_1p(x: T) -> T {
        domain: [(-0.9, 10.0)],
        context: Minimal,
        native: |x| x.ln_1p(),
        body: "ln_1p_lanes(x)",
        partials: ["1 / (1 + x)"],
        wgsl: wgsl!(
            ln_1p,
            include_str!("wgsl/bits.wgsl"),
            include_str!("wgsl/ln.wgsl"),
            r#"
                fn mc_ln_1p(x: f32) -> f32 {
                    if x > -0.29289323 && x < 0.41421354 { return $ln_near_1(x); }
                    return $ln(1.0 + x);
                }
            "#,
        ),
    }
}

scalar! {
    /// The logarithm to base 2.
    fn log2(x: T) -> T {
        domain: [(0.1, 10.0)],
        context: Minimal,
        native: |x| x.log2(),
        body: "log2_lanes(x)",
        partials: ["1 / (x * 0.6931471805599453)"],
        wgsl: wgsl!(
            log2,
            include_str!("wgsl/bits.wgsl"),
            include_str!("wgsl/ln.wgsl"),
            r#"
                fn mc_log2(x: f32) -> f32 {
                    let p = $ln_parts(x);
                    return $ln_special(x, p.y + p.x * 1.44269504);
                }
            "#,
        ),
    }
}

scalar! {
    /// The logarithm to base 10.
    fn log10(x: T) -> T {
        domain: [(0.1, 10.0)],
        context: Minimal,
        native: |x| x.log10(),
        body: "log10_lanes(x)",
        partials: ["1 / (x * 2.302585092994046)"],
        wgsl: wgsl!(
            log10,
            include_str!("wgsl/bits.wgsl"),
            include_str!("wgsl/ln.wgsl"),
            r#"
                fn mc_log10(x: f32) -> f32 {
                    let p = $ln_parts(x);
                    return $ln_special(x, p.y * 3.0102920532e-1 + (p.y * 7.9034151668e-7 + p.x * 4.3429448190e-1));
                }
            "#,
        ),
    }
}

scalar! {
    /// The logarithm to any base.
    fn log(x: T, b: T) -> T {
        domain: [(0.1, 10.0), (1.5, 10.0)],
        context: Minimal,
        native: |x, b| x.log(b),
        partials: ["1 / (x * ln(b))", "-y / (b * ln(b))"],
        wgsl: wgsl!(
            log,
            include_str!("wgsl/bits.wgsl"),
            include_str!("wgsl/ln.wgsl"),
            "fn mc_log(x: f32, b: f32) -> f32 { return $ln(x) / $ln(b); }",
            "// f64\n",
            include_str!("wgsl/bits_f64.wgsl"),
            include_str!("wgsl/ln_f64.wgsl"),
            "fn mc_log_f64(x: f64, b: f64) -> f64 { return $f64_ln(x) / $f64_ln(b); }",
        ),
    }
}

/// Calls on which the rules of this file are tested and timed.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for function in ["exp", "exp2", "exp_m1"] {
        cases.extend(points(function, &[-2.5, 0.0, 1e-6, 1.25]));
    }
    for function in ["ln", "log2", "log10"] {
        cases.extend(points(function, &[0.125, 1.0, 7.5]));
    }
    cases.extend(points("ln_1p", &[-0.5, 0.0, 1e-6, 4.0]));
    cases.push(Case::floats("log", &[5.0, 3.0]));
    cases
}
