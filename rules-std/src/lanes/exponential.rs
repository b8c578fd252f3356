//! Exponentials and logarithms.

use mooncake_pack::{rule, scalar, wgsl};

rule! {
    /// For an integer `k` next to `x / ln 2` two numbers, the first one exact but for its last bit, with `eˣ / 2ᵏ = 1 + (first + second)`
    /// (Cephes, `expf`).
    private fn exp_parts(x: f32, k: f32) -> (f32, f32) {
        body: "
            let r = x - k * 0.693359375 + k * 2.12194440e-4 in
            let p = ((((1.9875691500e-4 * r + 1.3981999507e-3) * r + 8.3334519073e-3) * r + 4.1665795894e-2) * r
                + 1.6666665459e-1) * r + 5.0000001201e-1 in
            (r, p * (r * r))
        ",
    }
}

rule! {
    /// The same (msun, `e_exp.c`).
    private fn exp_parts(x: f64, k: f64) -> (f64, f64) {
        body: "
            let high = x - k * 6.93147180369123816490e-1 in
            let low = k * 1.90821492927058770002e-10 in
            let r = high - low in
            let t = r * r in
            let c = r - t * (1.66666666666666019037e-1 + t * (-2.77777777770155933842e-3 + t * (6.61375632143793436117e-5
                + t * (-1.65339022054652515390e-6 + t * 4.13813679705723846039e-8)))) in
            (high, r * c / (2 - c) - low)
        ",
    }
}

rule! {
    /// `eˣ / 2ᵏ` for an integer `k` next to `x / ln 2`.
    private fn exp_near_0(x: f32, k: f32) -> f32 {
        body: "
            let p = exp_parts(x, k) in
            1 + (p.0 + p.1)
        ",
    }
}

rule! {
    /// `eˣ / 2ᵏ` for an integer `k` next to `x / ln 2`.
    private fn exp_near_0(x: f64, k: f64) -> f64 {
        body: "
            let p = exp_parts(x, k) in
            1 + (p.0 + p.1)
        ",
    }
}

rule! {
    /// `eˣ` for `|x| < 80`.
    private fn exp_moderate(x: f32) -> f32 {
        body: "
            let m = x * 1.44269504 + 12583039 in
            exp_near_0(x, m - 12583039) * from_bits(shl(to_bits(m), 23))
        ",
    }
}

rule! {
    /// `eˣ` for `|x| < 700`.
    private fn exp_moderate(x: f64) -> f64 {
        body: "
            let m = x * 1.4426950408889634 + 6755399441056767 in
            exp_near_0(x, m - 6755399441056767) * from_bits(shl(to_bits(m), 52))
        ",
    }
}

rule! {
    /// `eˣ`. The power of two is the product of two, so that the result may be subnormal, and overflows where it has to.
    private fn exp_lanes(x: f32) -> f32 {
        body: "
            let c = select(x > 89, 89, select(x < -104, -104, x)) in
            let m = c * 1.44269504 + 12583166 in
            let n = to_bits(m) in
            let half = shr(n, 1) in
            exp_near_0(c, m - 12583166) * from_bits(shl(half, 23)) * from_bits(shl(n - half, 23))
        ",
    }
}

rule! {
    /// `eˣ`. The power of two is the product of two, so that the result may be subnormal, and overflows where it has to. Where it is zero, nothing is
    /// rounded to zero: a processor takes more than a hundred cycles to do that, and masks of attention ask for it all the time.
    private fn exp_lanes(x: f64) -> f64 {
        body: "
            let none = x < -746 in
            let c = select(x > 710, 710, select(none, 0, x)) in
            let m = c * 1.4426950408889634 + 6755399441057790 in
            let n = to_bits(m) in
            let half = shr(n, 1) in
            select(none, 0, exp_near_0(c, m - 6755399441057790) * from_bits(shl(half, 52)) * from_bits(shl(n - half, 52)))
        ",
    }
}

rule! {
    /// `2ˣ`, with two powers of two as in `exp_lanes`.
    private fn exp2_lanes(x: f32) -> f32 {
        body: "
            let c = select(x > 129, 129, select(x < -151, -151, x)) in
            let m = c + 12583166 in
            let n = to_bits(m) in
            let half = shr(n, 1) in
            exp_near_0((c - (m - 12583166)) * 0.69314718, 0) * from_bits(shl(half, 23)) * from_bits(shl(n - half, 23))
        ",
    }
}

rule! {
    /// `2ˣ`, with two powers of two, and a zero that is not rounded, as in `exp_lanes`.
    private fn exp2_lanes(x: f64) -> f64 {
        body: "
            let none = x < -1076 in
            let c = select(x > 1025, 1025, select(none, 0, x)) in
            let m = c + 6755399441057790 in
            let n = to_bits(m) in
            let half = shr(n, 1) in
            select(none, 0, exp_near_0((c - (m - 6755399441057790)) * 0.6931471805599453, 0) * from_bits(shl(half, 52)) * from_bits(shl(n - half, 52)))
        ",
    }
}

rule! {
    /// `eˣ - 1`: of `2ᵏ (1 + first + second) - 1` the large terms first. Half of it, because `2ᵏ` may overflow before the result does. Near 0 it is `x`, of
    /// which the half may be too small to be normal.
    private fn exp_m1_lanes(x: f32) -> f32 {
        body: "
            let c = select(x > 89, 89, select(x < -20, -20, x)) in
            let m = c * 1.44269504 + 12583038 in
            let p = exp_parts(c, m - 12583038) in
            let half = from_bits(shl(to_bits(m), 23)) in
            select(abs(x) < 5.9604645e-8, x, 2 * (half * p.0 + (half - 0.5) + half * p.1))
        ",
    }
}

rule! {
    /// `eˣ - 1`: of `2ᵏ (1 + first + second) - 1` the large terms first. Half of it, because `2ᵏ` may overflow before the result does.
    private fn exp_m1_lanes(x: f64) -> f64 {
        body: "
            let c = select(x > 710, 710, select(x < -50, -50, x)) in
            let m = c * 1.4426950408889634 + 6755399441056766 in
            let p = exp_parts(c, m - 6755399441056766) in
            let half = from_bits(shl(to_bits(m), 52)) in
            copysign(2 * (half * p.0 + (half - 0.5) + half * p.1), x)
        ",
    }
}

rule! {
    /// For `x = 2ᵉ (1 + f)`, with `1 + f` between `√½` and `√2`, the numbers `e`, `f`, `f² / 2` and the rest `ln(1 + f) - f + f² / 2` (Cephes, `logf`).
    private fn ln_parts(x: f32) -> (f32, f32, f32, f32) {
        body: "
            let i = to_bits(x) + 0x004afb0d in
            let e = from_bits(or(shr(i, 23), 0x4b000000)) - 8388735 in
            let f = from_bits(and(i, 0x007fffff) + 0x3f3504f3) - 1 in
            let z = f * f in
            let p = (((((((7.0376836292e-2 * f - 1.1514610310e-1) * f + 1.1676998740e-1) * f - 1.2420140846e-1) * f
                + 1.4249322787e-1) * f - 1.6668057665e-1) * f + 2.0000714765e-1) * f - 2.4999993993e-1) * f + 3.3333331174e-1 in
            (e, f, 0.5 * z, p * (f * z))
        ",
    }
}

rule! {
    /// The same (msun, `e_log.c`).
    private fn ln_parts(x: f64) -> (f64, f64, f64, f64) {
        body: "
            let i = to_bits(x) + 0x00095f6200000000 in
            let e = from_bits(or(shr(i, 52), 0x4330000000000000)) - 4503599627371519 in
            let f = from_bits(and(i, 0x000fffffffffffff) + 0x3fe6a09e00000000) - 1 in
            let s = f / (2 + f) in
            let z = s * s in
            let w = z * z in
            let odd = w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1)) in
            let even = z * (6.666666666666735130e-1 + w * (2.857142874366239149e-1 + w * (1.818357216161805012e-1
                + w * 1.479819860511658591e-1))) in
            let h = 0.5 * f * f in
            (e, f, h, s * (h + (even + odd)))
        ",
    }
}

rule! {
    /// `ln x`
    private fn ln_lanes(x: f32) -> f32 {
        body: "
            let p = ln_parts(x) in
            select(and(x >= 1.17549435e-38, x < inf), p.1 + (p.3 - 2.12194440e-4 * p.0 - p.2) + 0.693359375 * p.0, slow_ln(x))
        ",
    }
}

rule! {
    /// `ln x`
    private fn ln_lanes(x: f64) -> f64 {
        body: "
            let p = ln_parts(x) in
            select(and(x >= 2.2250738585072014e-308, x < inf), p.0 * 6.93147180369123816490e-1 - (p.2 - (p.3 + p.0 * 1.90821492927058770002e-10) - p.1), slow_ln(x))
        ",
    }
}

rule! {
    /// `ln(1 + x)`: the logarithm of the rounded sum, and what the rounding lost over it, which is exact enough (msun, `s_log1p.c`).
    private fn ln_1p_lanes(x: f32) -> f32 {
        body: "
            let u = 1 + x in
            let v = u - 1 in
            let lost = (1 - (u - v) + (x - v)) / u in
            let p = ln_parts(u) in
            select(and(x > -1, x < inf), copysign(p.1 + ((p.3 + lost) - 2.12194440e-4 * p.0 - p.2) + 0.693359375 * p.0, x), slow_ln_1p(x))
        ",
    }
}

rule! {
    /// `ln(1 + x)`: the logarithm of the rounded sum, and what the rounding lost over it, which is exact enough (msun, `s_log1p.c`).
    private fn ln_1p_lanes(x: f64) -> f64 {
        body: "
            let u = 1 + x in
            let v = u - 1 in
            let lost = (1 - (u - v) + (x - v)) / u in
            let p = ln_parts(u) in
            select(and(x > -1, x < inf), copysign(p.0 * 6.93147180369123816490e-1 - (p.2 - ((p.3 + lost) + p.0 * 1.90821492927058770002e-10) - p.1), x), slow_ln_1p(x))
        ",
    }
}

rule! {
    /// `ln(1 + f)` as a number of few bits, whose product with another such number is exact, and the rest.
    private fn ln_split(f: f32, h: f32, q: f32) -> (f32, f32) {
        body: "
            let high = upper_bits(f - h) in
            (high, f - high - h + q)
        ",
    }
}

rule! {
    /// `ln(1 + f)` as a number of few bits, whose product with another such number is exact, and the rest.
    private fn ln_split(f: f64, h: f64, q: f64) -> (f64, f64) {
        body: "
            let high = upper_bits(f - h) in
            (high, f - high - h + q)
        ",
    }
}

rule! {
    /// `log₂ x` (msun, `e_log2f.c`).
    private fn log2_lanes(x: f32) -> f32 {
        body: "
            let p = ln_parts(x) in
            let l = ln_split(p.1, p.2, p.3) in
            let high = l.0 * 1.4428710938 in
            let w = p.0 + high in
            let low = (l.1 + l.0) * -1.7605285393e-4 + l.1 * 1.4428710938 + (p.0 - w + high) in
            select(and(x >= 1.17549435e-38, x < inf), low + w, slow_log2(x))
        ",
    }
}

rule! {
    /// `log₂ x` (msun, `e_log2.c`).
    private fn log2_lanes(x: f64) -> f64 {
        body: "
            let p = ln_parts(x) in
            let l = ln_split(p.1, p.2, p.3) in
            let high = l.0 * 1.44269504072144627571 in
            let w = p.0 + high in
            let low = (l.1 + l.0) * 1.67517131648865118353e-10 + l.1 * 1.44269504072144627571 + (p.0 - w + high) in
            select(and(x >= 2.2250738585072014e-308, x < inf), low + w, slow_log2(x))
        ",
    }
}

rule! {
    /// `log₂ x` as the sum of two numbers, of which the first is `log₂ x` rounded (msun, `e_log2f.c`).
    private fn log2_parts(x: f32) -> (f32, f32) {
        body: "
            let p = ln_parts(x) in
            let l = ln_split(p.1, p.2, p.3) in
            let high = l.0 * 1.4428710938 in
            let w = p.0 + high in
            let low = (l.1 + l.0) * -1.7605285393e-4 + l.1 * 1.4428710938 + (p.0 - w + high) in
            let s = w + low in
            (s, low - (s - w))
        ",
    }
}

rule! {
    /// `log₂ x` as the sum of two numbers, of which the first is `log₂ x` rounded (msun, `e_log2.c`).
    private fn log2_parts(x: f64) -> (f64, f64) {
        body: "
            let p = ln_parts(x) in
            let l = ln_split(p.1, p.2, p.3) in
            let high = l.0 * 1.44269504072144627571 in
            let w = p.0 + high in
            let low = (l.1 + l.0) * 1.67517131648865118353e-10 + l.1 * 1.44269504072144627571 + (p.0 - w + high) in
            let s = w + low in
            (s, low - (s - w))
        ",
    }
}

rule! {
    /// The logarithm of `x` to the base `b`: a quotient of rounded logarithms, and what their rounding has lost.
    private fn log_lanes(x: f32, b: f32) -> f32 {
        body: "
            let p = log2_parts(x) in
            let d = log2_parts(b) in
            let q = p.0 / d.0 in
            let usual = and(and(and(x >= 1.17549435e-38, x < inf), and(b >= 1.17549435e-38, b < inf)), and(x != 1, b != 1)) in
            select(usual, q + (p.1 - q * d.1) / d.0, slow_log(x, b))
        ",
    }
}

rule! {
    /// The logarithm of `x` to the base `b`: a quotient of rounded logarithms, and what their rounding has lost.
    private fn log_lanes(x: f64, b: f64) -> f64 {
        body: "
            let p = log2_parts(x) in
            let d = log2_parts(b) in
            let q = p.0 / d.0 in
            let usual = and(and(and(x >= 2.2250738585072014e-308, x < inf), and(b >= 2.2250738585072014e-308, b < inf)), and(x != 1, b != 1)) in
            select(usual, q + (p.1 - q * d.1) / d.0, slow_log(x, b))
        ",
    }
}

rule! {
    /// `log₁₀ x` (msun, `e_log10f.c`).
    private fn log10_lanes(x: f32) -> f32 {
        body: "
            let p = ln_parts(x) in
            let l = ln_split(p.1, p.2, p.3) in
            let high = l.0 * 4.3432617188e-1 in
            let k = p.0 * 3.0102920532e-1 in
            let w = k + high in
            let low = p.0 * 7.9034151668e-7 + (l.1 + l.0) * -3.1689971365e-5 + l.1 * 4.3432617188e-1 + (k - w + high) in
            select(and(x >= 1.17549435e-38, x < inf), low + w, slow_log10(x))
        ",
    }
}

rule! {
    /// `log₁₀ x` (msun, `e_log10.c`).
    private fn log10_lanes(x: f64) -> f64 {
        body: "
            let p = ln_parts(x) in
            let l = ln_split(p.1, p.2, p.3) in
            let high = l.0 * 4.34294481878168880939e-1 in
            let k = p.0 * 3.01029995663611771306e-1 in
            let w = k + high in
            let low = p.0 * 3.69423907715893078616e-13 + (l.1 + l.0) * 2.50829467116452752298e-11 + l.1 * 4.34294481878168880939e-1 + (k - w + high) in
            select(and(x >= 2.2250738585072014e-308, x < inf), low + w, slow_log10(x))
        ",
    }
}

scalar! {
    /// The logarithm of subnormal numbers, zeros, negative numbers, infinity and NaN.
    private fn slow_ln(x: T) -> T {
        domain: [(0.1, 10.0)],
        native: |x| x.ln(),
        partials: ["1 / x"],
        wgsl: wgsl!(
            slow_ln,
            include_str!("../wgsl/bits.wgsl"),
            include_str!("../wgsl/ln.wgsl"),
            "fn mc_slow_ln(x: f32) -> f32 { return $ln(x); }",
            "// f64\n",
            include_str!("../wgsl/bits_f64.wgsl"),
            include_str!("../wgsl/ln_f64.wgsl"),
            "fn mc_slow_ln_f64(x: f64) -> f64 { return $f64_ln(x); }",
        ),
    }
}

scalar! {
    /// `ln(1 + x)` of infinity, NaN, and numbers up to -1.
    private fn slow_ln_1p(x: T) -> T {
        domain: [(-0.9, 10.0)],
        native: |x| x.ln_1p(),
        partials: ["1 / (1 + x)"],
        wgsl: wgsl!(
            slow_ln_1p,
            include_str!("../wgsl/bits.wgsl"),
            include_str!("../wgsl/ln.wgsl"),
            r#"
                fn mc_slow_ln_1p(x: f32) -> f32 {
                    let bits = bitcast<u32>(x);
                    // Between -1 and infinity.
                    if bits < 0x7f800000u || (bits >= 0x80000000u && bits < 0xbf800000u) { return $ln_1p(x); }
                    if bits == 0xbf800000u { return -$inf(x); }
                    return select($nan(x), x, bits == 0x7f800000u);
                }
            "#,
            "// f64\n",
            include_str!("../wgsl/bits_f64.wgsl"),
            include_str!("../wgsl/ln_f64.wgsl"),
            "fn mc_slow_ln_1p_f64(x: f64) -> f64 { return $f64_ln_1p(x); }",
        ),
    }
}

scalar! {
    /// As `slow_ln`.
    private fn slow_log2(x: T) -> T {
        domain: [(0.1, 10.0)],
        native: |x| x.log2(),
        partials: ["1 / (x * 0.6931471805599453)"],
        wgsl: wgsl!(
            slow_log2,
            include_str!("../wgsl/bits.wgsl"),
            include_str!("../wgsl/ln.wgsl"),
            r#"
                fn mc_slow_log2(x: f32) -> f32 {
                    let p = $ln_parts(x);
                    return $ln_special(x, p.y + p.x * 1.44269504);
                }
            "#,
            "// f64\n",
            include_str!("../wgsl/bits_f64.wgsl"),
            include_str!("../wgsl/ln_f64.wgsl"),
            r#"
                fn mc_slow_log2_f64(x: f64) -> f64 {
                    if $f64_size(x) == 0lu || bitcast<u64>(x) >= 0x7ff0000000000000lu { return $f64_ln(x); }
                    let p = $f64_parts(x);
                    return p.e - (p.h - p.rest - p.f) * 1.4426950408889634lf;
                }
            "#,
        ),
    }
}

scalar! {
    /// As `slow_ln`.
    private fn slow_log10(x: T) -> T {
        domain: [(0.1, 10.0)],
        native: |x| x.log10(),
        partials: ["1 / (x * 2.302585092994046)"],
        wgsl: wgsl!(
            slow_log10,
            include_str!("../wgsl/bits.wgsl"),
            include_str!("../wgsl/ln.wgsl"),
            r#"
                fn mc_slow_log10(x: f32) -> f32 {
                    let p = $ln_parts(x);
                    return $ln_special(x, p.y * 3.0102920532e-1 + (p.y * 7.9034151668e-7 + p.x * 4.3429448190e-1));
                }
            "#,
            "// f64\n",
            include_str!("../wgsl/bits_f64.wgsl"),
            include_str!("../wgsl/ln_f64.wgsl"),
            r#"
                fn mc_slow_log10_f64(x: f64) -> f64 {
                    if $f64_size(x) == 0lu || bitcast<u64>(x) >= 0x7ff0000000000000lu { return $f64_ln(x); }
                    let p = $f64_parts(x);
                    return p.e * 3.01029995663611771306e-1lf - ((p.h - p.rest - p.f) * 0.4342944819032518lf - p.e * 3.69423907715893078616e-13lf);
                }
            "#,
        ),
    }
}

scalar! {
    /// The logarithm to any base, where one of the arguments is 1, or as in `slow_ln`.
    private fn slow_log(x: T, b: T) -> T {
        domain: [(0.1, 10.0), (1.5, 10.0)],
        native: |x, b| x.log(b),
        partials: ["1 / (x * ln(b))", "-y / (b * ln(b))"],
        wgsl: wgsl!(
            slow_log,
            include_str!("../wgsl/bits.wgsl"),
            include_str!("../wgsl/ln.wgsl"),
            include_str!("../wgsl/log2.wgsl"),
            r#"
                // The quotient of two logarithms in two parts, where both are finite and none is 0.
                fn mc_slow_log(x: f32, b: f32) -> f32 {
                    let usual = max(bitcast<u32>(x) - 1u, bitcast<u32>(b) - 1u) < 0x7f7fffffu && x != 1.0 && b != 1.0;
                    let p = $log2_parts(x);
                    let d = $log2_parts(b);
                    let q = $short(p.x / d.x);
                    let rest = ((p.x - q * d.x) + (p.y - q * d.y)) / (d.x + d.y);
                    return select($ln(x) / $ln(b), q + rest, usual);
                }
            "#,
            "// f64\n",
            include_str!("../wgsl/bits_f64.wgsl"),
            include_str!("../wgsl/ln_f64.wgsl"),
            "fn mc_slow_log_f64(x: f64, b: f64) -> f64 { return $f64_ln(x) / $f64_ln(b); }",
        ),
    }
}
