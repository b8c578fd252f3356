//! Powers and roots.

use mooncake_pack::{rule, scalar, wgsl};

scalar! {
    /// `xⁿ` of an `n` of many bits.
    private fn slow_powi(x: T, n: i32) -> T {
        domain: [(0.25, 3.0), (-3.0, 4.0)],
        native: |x, n| x.powi(n),
        partials: ["n * powi(x, n - 1)", ""],
        wgsl: wgsl!(
            slow_powi,
            r#"
            fn mc_slow_powi(x: f32, n: i32) -> f32 {
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
                fn mc_slow_powi_f64(x: f64, n: i32) -> f64 {
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

rule! {
    /// The upper bits of a number: the product of two such numbers is exact.
    private fn upper_bits(x: f32) -> f32 {
        body: "from_bits(and(to_bits(x), 0xfffff000))",
    }
}

rule! {
    /// The upper bits of a number: the product of two such numbers is exact.
    private fn upper_bits(x: f64) -> f64 {
        body: "from_bits(and(to_bits(x), 0xffffffff00000000))",
    }
}

rule! {
    /// `log₂ x` of a positive normal number, as the sum of a number of few bits and another one, which together are exact enough to be multiplied by
    /// an exponent (msun, `e_powf.c`). The series starts from 1 or from 1.5, whichever is nearer to the mantissa; a mantissa near 2 is
    /// halved, and the exponent is one more.
    private fn log2_of_base(x: f32) -> (f32, f32) {
        body: "
            let mantissa = from_bits(or(and(to_bits(x), 0x007fffff), 0x3f800000)) in
            let over = mantissa >= 1.7320508 in
            let far = and(mantissa > 1.2247448, mantissa < 1.7320508) in
            let e = from_bits(or(shr(to_bits(x), 23), 0x4b000000)) - select(over, 8388734, 8388735) in
            let a = select(over, 0.5 * mantissa, mantissa) in
            let point = select(far, 1.5, 1) in
            let u = a - point in
            let v = 1 / (a + point) in
            let s = u * v in
            let s_h = upper_bits(s) in
            let t_h = upper_bits(a + point) in
            let s_l = v * (u - s_h * t_h - s_h * (a - (t_h - point))) in
            let q = s * s in
            let r = q * q * (6.0000002384e-1 + q * (4.2857143283e-1 + q * (3.3333334327e-1 + q * (2.7272811532e-1 + q * (2.3066075146e-1
                + q * 2.0697501302e-1))))) + s_l * (s_h + s) in
            let w_h = upper_bits(3 + s_h * s_h + r) in
            let w_l = r - (w_h - 3 - s_h * s_h) in
            let m = s_l * w_h + w_l * s in
            let p_h = upper_bits(s_h * w_h + m) in
            let p_l = m - (p_h - s_h * w_h) in
            let z_h = 9.6191406250e-1 * p_h in
            let z_l = -1.1736857402e-4 * p_h + p_l * 9.6179670095e-1 + select(far, 1.5632208487e-6, 0) in
            let d = select(far, 5.8496093750e-1, 0) in
            let high = upper_bits(z_h + z_l + d + e) in
            (high, z_l - (high - e - d - z_h))
        ",
    }
}

rule! {
    /// `log₂ x` of a positive normal number, as the sum of a number of few bits and another one, which together are exact enough to be multiplied by
    /// an exponent (msun, `e_pow.c`). The series starts from 1 or from 1.5, whichever is nearer to the mantissa; a mantissa near 2 is
    /// halved, and the exponent is one more.
    private fn log2_of_base(x: f64) -> (f64, f64) {
        body: "
            let mantissa = from_bits(or(and(to_bits(x), 0x000fffffffffffff), 0x3ff0000000000000)) in
            let over = mantissa >= 1.7320508 in
            let far = and(mantissa > 1.2247448, mantissa < 1.7320508) in
            let e = from_bits(or(shr(to_bits(x), 52), 0x4330000000000000)) - select(over, 4503599627371518, 4503599627371519) in
            let a = select(over, 0.5 * mantissa, mantissa) in
            let point = select(far, 1.5, 1) in
            let u = a - point in
            let v = 1 / (a + point) in
            let s = u * v in
            let s_h = upper_bits(s) in
            let t_h = upper_bits(a + point) in
            let s_l = v * (u - s_h * t_h - s_h * (a - (t_h - point))) in
            let q = s * s in
            let r = q * q * (5.99999999999994648725e-1 + q * (4.28571428578550184252e-1 + q * (3.33333329818377432918e-1
                + q * (2.72728123808534006489e-1 + q * (2.30660745775561754067e-1 + q * 2.06975017800338417784e-1)))))
                + s_l * (s_h + s) in
            let w_h = upper_bits(3 + s_h * s_h + r) in
            let w_l = r - (w_h - 3 - s_h * s_h) in
            let m = s_l * w_h + w_l * s in
            let p_h = upper_bits(s_h * w_h + m) in
            let p_l = m - (p_h - s_h * w_h) in
            let z_h = 9.61796700954437255859e-1 * p_h in
            let z_l = -7.02846165095275826516e-9 * p_h + p_l * 9.61796693925975554329e-1 + select(far, 1.35003920212974897128e-8, 0) in
            let d = select(far, 5.84962487220764160156e-1, 0) in
            let high = upper_bits(z_h + z_l + d + e) in
            (high, z_l - (high - e - d - z_h))
        ",
    }
}

rule! {
    /// `xⁿ`: two to the power of `n log₂ x`, which is the sum of an integer, a number of few bits and a rest (msun, `e_powf.c`).
    private fn powf_lanes(x: f32, n: f32) -> f32 {
        body: "
            let l = log2_of_base(x) in
            let n_h = upper_bits(n) in
            let low = (n - n_h) * l.0 + n * l.1 in
            let high = n_h * l.0 in
            let m = low + high + 12583039 in
            let h = high - (m - 12583039) in
            let t = from_bits(and(to_bits(low + h), 0xffff8000)) in
            let b = t * 6.9314575195e-1 in
            let c = (low - (t - h)) * 6.9314718246e-1 + t * 1.4286067653e-6 in
            let g = b + c in
            let rest = c - (g - b) in
            let s = g * g in
            let f = g - s * (1.6666667163e-1 + s * (-2.7777778450e-3 + s * (6.6137559770e-5 + s * (-1.6533901999e-6
                + s * 4.1381369442e-8)))) in
            let y = 1 - (g * f / (f - 2) - (rest + g * rest) - g) in
            let usual = and(and(x >= 1.17549435e-38, x < inf), abs(low + high) < 125) in
            select(usual, y * from_bits(shl(to_bits(m), 23)), slow_powf(x, n))
        ",
    }
}

rule! {
    /// `xⁿ`: two to the power of `n log₂ x`, which is the sum of an integer, a number of few bits and a rest (msun, `e_pow.c`).
    private fn powf_lanes(x: f64, n: f64) -> f64 {
        body: "
            let l = log2_of_base(x) in
            let n_h = upper_bits(n) in
            let low = (n - n_h) * l.0 + n * l.1 in
            let high = n_h * l.0 in
            let m = low + high + 6755399441056767 in
            let h = high - (m - 6755399441056767) in
            let t = upper_bits(low + h) in
            let b = t * 6.93147182464599609375e-1 in
            let c = (low - (t - h)) * 6.93147180559945286227e-1 + t * -1.90465429995776804525e-9 in
            let g = b + c in
            let rest = c - (g - b) in
            let s = g * g in
            let f = g - s * (1.66666666666666019037e-1 + s * (-2.77777777770155933842e-3 + s * (6.61375632143793436117e-5
                + s * (-1.65339022054652515390e-6 + s * 4.13813679705723846039e-8)))) in
            let y = 1 - (g * f / (f - 2) - (rest + g * rest) - g) in
            let usual = and(and(x >= 2.2250738585072014e-308, x < inf), abs(low + high) < 1021) in
            select(usual, y * from_bits(shl(to_bits(m), 52)), slow_powf(x, n))
        ",
    }
}

rule! {
    /// The cube root: the exponential of a third of the logarithm, rounded to a number whose square is exact, and then one of Halley's steps. Subnormal
    /// numbers are multiplied by 2²⁴ first.
    private fn cbrt_lanes(x: f32) -> f32 {
        body: "
            let size = abs(x) in
            let tiny = size < 1.17549435e-38 in
            let a = size * select(tiny, 16777216, 1) in
            let p = ln_parts(a) in
            let root = exp_moderate((p.1 - p.2 + p.3 + p.0 * 0.69314718) * 0.33333333) in
            let t = from_bits(and(to_bits(root) + 0x800, 0xfffff000)) in
            let r = a / (t * t) in
            let y = t + t * ((r - t) / (t + t + r)) in
            select(and(size > 0, size < inf), copysign(y * select(tiny, 0.00390625, 1), x), x)
        ",
    }
}

rule! {
    /// The cube root: the exponential of a third of the logarithm, rounded to a number whose square is exact, and then one of Halley's steps. Subnormal
    /// numbers are multiplied by 2⁵⁴ first.
    private fn cbrt_lanes(x: f64) -> f64 {
        body: "
            let size = abs(x) in
            let tiny = size < 2.2250738585072014e-308 in
            let a = size * select(tiny, 18014398509481984, 1) in
            let p = ln_parts(a) in
            let root = exp_moderate((p.1 - p.2 + p.3 + p.0 * 0.6931471805599453) * 0.3333333333333333) in
            let t = from_bits(and(to_bits(root) + 0x80000000, 0xffffffffc0000000)) in
            let r = a / (t * t) in
            let y = t + t * ((r - t) / (t + t + r)) in
            select(and(size > 0, size < inf), copysign(y * select(tiny, 3.814697265625e-6, 1), x), x)
        ",
    }
}

rule! {
    /// `√(a² + b²)`. Both numbers are multiplied by a power of two first, so that no square overflows, and none that matters is too small to be normal.
    private fn hypot_lanes(a: f32, b: f32) -> f32 {
        body: "
            let p = abs(a) in
            let q = abs(b) in
            let large = select(p > q, p, q) in
            let huge = large > 4.611686018427388e18 in
            let tiny = large < 9.094947017729282e-13 in
            let scale = select(huge, 8.470329472543003e-22, select(tiny, 1.2676506002282294e30, 1)) in
            let back = select(huge, 1.1805916207174113e21, select(tiny, 7.888609052210118e-31, 1)) in
            let x = p * scale in
            let y = q * scale in
            select(or(p == inf, q == inf), inf, sqrt(x * x + y * y) * back)
        ",
    }
}

rule! {
    /// `√(a² + b²)`. Both numbers are multiplied by a power of two first, so that no square overflows, and none that matters is too small to be normal.
    private fn hypot_lanes(a: f64, b: f64) -> f64 {
        body: "
            let p = abs(a) in
            let q = abs(b) in
            let large = select(p > q, p, q) in
            let huge = large > 3.273390607896142e150 in
            let tiny = large < 3.8725919148493183e-121 in
            let scale = select(huge, 2.409919865102884e-181, select(tiny, 4.149515568880993e180, 1)) in
            let back = select(huge, 4.149515568880993e180, select(tiny, 2.409919865102884e-181, 1)) in
            let x = p * scale in
            let y = q * scale in
            select(or(p == inf, q == inf), inf, sqrt(x * x + y * y) * back)
        ",
    }
}

scalar! {
    /// `xⁿ` where `x` is not positive and normal, or where the result may be subnormal or infinite.
    private fn slow_powf(x: T, n: T) -> T {
        domain: [(0.25, 4.0), (-3.0, 3.0)],
        native: |x, n| x.powf(n),
        partials: ["n * powf(x, n - 1)", "y * ln(x)"],
        wgsl: wgsl!(
            slow_powf,
            include_str!("../wgsl/bits.wgsl"),
            include_str!("../wgsl/log2.wgsl"),
            include_str!("../wgsl/powf.wgsl"),
            r#"
                fn mc_slow_powf(x: f32, n: f32) -> f32 {
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
            include_str!("../wgsl/bits_f64.wgsl"),
            include_str!("../wgsl/powf_f64.wgsl"),
            r#"
                fn mc_slow_powf_f64(x: f64, n: f64) -> f64 {
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
