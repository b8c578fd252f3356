//! Powers and roots.

use crate::points;
use mooncake_pack::{Case, Value, scalar, wgsl};

scalar! {
    /// `xⁿ` for an integer `n`. At `n = 0` the derivative is 0, also at `x = 0`. The smallest `n` has none before it.
    fn powi(x: T, n: i32) -> T {
        domain: [(0.25, 3.0), (-3.0, 4.0)],
        context: Minimal,
        native: |x, n| x.powi(n),
        partials: ["select(n == 0, 0, select(n < -2147483647, n * y / x, n * powi(x, n - 1)))", ""],
        wgsl: wgsl!(
            powi,
            r#"
            fn mc_powi(x: f32, n: i32) -> f32 {
                var base = x;
                var left = u32(abs(n));
                // The magnitude of the smallest integer is its own bits.
                var y = 1.0;
                loop {
                    if (left & 1u) == 1u { y = y * base; }
                    left = left >> 1u;
                    if left == 0u { break; }
                    base = base * base;
                }
                return select(y, 1.0 / y, n < 0);
            }
        "#,
            "// f64\n",
            r#"
                fn mc_powi_f64(x: f64, n: i32) -> f64 {
                    var base = x;
                    var left = u32(abs(n));
                    var y = 1.0lf;
                    loop {
                        if (left & 1u) == 1u { y = y * base; }
                        left = left >> 1u;
                        if left == 0u { break; }
                        base = base * base;
                    }
                    return select(y, 1.0lf / y, n < 0);
                }
            "#,
        ),
    }
}

scalar! {
    /// `xⁿ`. At `n = 0` the derivative by `x` is 0, where `y` is 0 the derivative by `n` is 0; and both at `0⁰`.
    fn powf(x: T, n: T) -> T {
        domain: [(0.25, 4.0), (-3.0, 3.0)],
        context: Minimal,
        native: |x, n| x.powf(n),
        partials: [
            "select(n == 0, 0, n * powf(x, n - 1))",
            "select(or(y == 0, and(x == 0, n == 0)), 0, y * ln(x))",
        ],
        wgsl: wgsl!(
            powf,
            include_str!("wgsl/bits.wgsl"),
            include_str!("wgsl/log2.wgsl"),
            include_str!("wgsl/powf.wgsl"),
            r#"
                fn mc_powf(x: f32, n: f32) -> f32 {
                    let bits = bitcast<u32>(x);
                    let size = bits & 0x7fffffffu;
                    let n_bits = bitcast<u32>(n);
                    let n_size = n_bits & 0x7fffffffu;
                    if n_size == 0u || bits == 0x3f800000u { return 1.0; }
                    if size > 0x7f800000u || n_size > 0x7f800000u { return $nan(x); }
                    let grows = n_bits < 0x80000000u;
                    if n_size == 0x7f800000u {
                        if size == 0x3f800000u { return 1.0; }
                        return select(0.0, $inf(x), (size > 0x3f800000u) == grows);
                    }
                    let negative = bits != size;
                    let flips = negative && $is_odd(n);
                    if size == 0u || size == 0x7f800000u {
                        let y = select(0.0, $inf(x), (size != 0u) == grows);
                        return select(y, -y, flips);
                    }
                    if negative && !$is_integer(n) { return $nan(x); }
                    let y = $pow_positive(bitcast<f32>(size), n);
                    return select(y, -y, flips);
                }
            "#,
            "// f64\n",
            include_str!("wgsl/bits_f64.wgsl"),
            include_str!("wgsl/powf_f64.wgsl"),
            r#"
                fn mc_powf_f64(x: f64, n: f64) -> f64 {
                    let bits = bitcast<u64>(x);
                    let size = $f64_size(x);
                    let n_size = $f64_size(n);
                    if n_size == 0lu || bits == 0x3ff0000000000000lu { return 1.0lf; }
                    if size > 0x7ff0000000000000lu || n_size > 0x7ff0000000000000lu { return $f64_nan(x); }
                    let grows = (bitcast<u64>(n) >> 63u) == 0lu;
                    if n_size == 0x7ff0000000000000lu {
                        if size == 0x3ff0000000000000lu { return 1.0lf; }
                        return select(0.0lf, $f64_inf(x), (size > 0x3ff0000000000000lu) == grows);
                    }
                    let parity = $f64_parity(n);
                    let flips = bits != size && parity == 1u;
                    if size == 0lu || size == 0x7ff0000000000000lu {
                        let y = select(0.0lf, $f64_inf(x), (size != 0lu) == grows);
                        return select(y, -y, flips);
                    }
                    if bits != size && parity == 0u { return $f64_nan(x); }
                    let y = $f64_pow(bitcast<f64>(size), n);
                    return select(y, -y, flips);
                }
            "#,
        ),
    }
}

scalar! {
    /// The cube root: infinite slope at 0.
    fn cbrt(x: T) -> T {
        domain: [(0.1, 10.0)],
        context: Minimal,
        native: |x| x.cbrt(),
        partials: ["1 / (3 * y * y)"],
        wgsl: wgsl!(
            cbrt,
            include_str!("wgsl/bits.wgsl"),
            r#"
                fn mc_cbrt(x: f32) -> f32 {
                let bits = bitcast<u32>(x) & 0x7fffffffu;
                if bits >= 0x7f800000u || bits == 0u { return x; }
                // Into the middle of the range, by a power of 2⁻²⁴, so that no product over- or underflows.
                let tiny = bits < 0x20000000u;
                let huge = bits > 0x60000000u;
                let a = abs(x) * select(select(1.0, 5.9604644775390625e-8, huge), 16777216.0, tiny);
                // A third of the exponent, then two of Halley's steps and one of Newton's: 5, 16, 24 bits.
                var t = bitcast<f32>(bitcast<u32>(a) / 3u + 709958130u);
                var r = t * t * t;
                t = t * ((a + a + r) / (a + r + r));
                r = t * t * t;
                t = t * ((a + a + r) / (a + r + r));
                t = t - (t - a / (t * t)) * 0.333333333;
                return $copysign(t * select(select(1.0, 256.0, huge), 0.00390625, tiny), x);
            }
            "#,
            "// f64\n",
            include_str!("wgsl/bits_f64.wgsl"),
            r#"
                // A third of the exponent, a polynomial for 23 bits, and one of Newton's steps (msun, s_cbrt.c).
                fn mc_cbrt_f64(x: f64) -> f64 {
                    let size = $f64_size(x);
                    if size >= 0x7ff0000000000000lu || size == 0lu { return x; }
                    let tiny = size < 0x0010000000000000lu;
                    let a = bitcast<f64>(size) * select(1.0lf, 18014398509481984.0lf, tiny);
                    let third = u32(bitcast<u64>(a) >> 32u) / 3u + 715094163u;
                    var t = bitcast<f64>(u64(third) << 32u);
                    var r = (t * t) * (t / a);
                    t = t * ((1.87595182427177009643lf + r * (-1.88497981543377169875lf + r * 1.621429720105354466140lf))
                        + ((r * r) * r) * (-0.758397934778766047437lf + r * 0.145996192886612446982lf));
                    t = bitcast<f64>((bitcast<u64>(t) + 0x80000000lu) & 0xffffffffc0000000lu);
                    let s = t * t;
                    r = a / s;
                    r = (r - t) / (t + t + r);
                    return $f64_copysign((t + t * r) * select(1.0lf, 3.814697265625e-6lf, tiny), x);
                }
            "#,
        ),
    }
}

scalar! {
    /// `√(a² + b²)` without overflow: 0 at the origin.
    fn hypot(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (0.1, 10.0)],
        context: Minimal,
        native: |a, b| a.hypot(b),
        partials: ["select(y == 0, 0, a / y)", "select(y == 0, 0, b / y)"],
        wgsl: wgsl!(
            hypot,
            include_str!("wgsl/bits.wgsl"),
            r#"
                fn mc_hypot(a: f32, b: f32) -> f32 {
                    let p = bitcast<u32>(a) & 0x7fffffffu;
                    let q = bitcast<u32>(b) & 0x7fffffffu;
                    let large = bitcast<f32>(max(p, q));
                    let small = bitcast<f32>(min(p, q));
                    if p == 0x7f800000u || q == 0x7f800000u { return $inf(a); }
                    if max(p, q) > 0x7f800000u { return $nan(a); }
                    if max(p, q) == 0u { return 0.0; }
                    let t = small / large;
                    return large * sqrt(1.0 + t * t);
                }
            "#,
            "// f64\n",
            include_str!("wgsl/bits_f64.wgsl"),
            r#"
                fn mc_hypot_f64(a: f64, b: f64) -> f64 {
                    let p = $f64_size(a);
                    let q = $f64_size(b);
                    if p == 0x7ff0000000000000lu || q == 0x7ff0000000000000lu { return $f64_inf(a); }
                    if max(p, q) > 0x7ff0000000000000lu { return $f64_nan(a); }
                    // By powers of two, so that no square over- or underflows: 2^-600 and 2^600.
                    let huge = max(p, q) > 0x5fe0000000000000lu;
                    let tiny = max(p, q) < 0x2000000000000000lu;
                    let scale = select(select(0x3ff0000000000000lu, 0x1a70000000000000lu, huge), 0x6570000000000000lu, tiny);
                    let back = select(select(0x3ff0000000000000lu, 0x6570000000000000lu, huge), 0x1a70000000000000lu, tiny);
                    let x = bitcast<f64>(p) * bitcast<f64>(scale);
                    let y = bitcast<f64>(q) * bitcast<f64>(scale);
                    return sqrt(fma(x, x, y * y)) * bitcast<f64>(back);
                }
            "#,
        ),
    }
}

/// Calls on which the rules of this file are tested and timed.
pub fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = [-2, -1, 0, 1, 2, 5]
        .map(|n| Case::new("powi", [Value::Float(1.5), Value::Int(n)]))
        .to_vec();
    cases.push(Case::new("powi", [Value::Float(0.0), Value::Int(0)]));
    cases.push(Case::new(
        "powi",
        [Value::Float(1.0), Value::Int(i32::MIN.into())],
    ));
    cases.push(Case::new("powi", [Value::Float(-2.0), Value::Int(3)]));
    cases.extend(
        [[2.0, 0.5], [0.5, -2.25], [3.0, 2.0], [1.0, 1.5]].map(|args| Case::floats("powf", &args)),
    );
    cases.extend(points("cbrt", &[-8.0, 0.125, 5.0]));
    cases.extend([[3.0, 4.0], [-1.0, 0.5]].map(|args| Case::floats("hypot", &args)));
    cases
}
