//! Trigonometric functions and their inverses. The sine and the cosine of one argument have everything in common but the last operations.

use mooncake_pack::{rule, scalar, wgsl};

rule! {
    /// `a - n π/2` for the integer `n` next to `a / (π/2)`, as a float and its rounding error, and bits of which the lowest two are those of `n`
    /// (Cody and Waite). π/2 is the sum of three numbers of 11 bits, whose products with `n` are exact, and a rest; `0 <= a < 8192`.
    private fn reduced(a: f32) -> (f32, f32, u32) {
        body: "
            let m = a * 0.63661977 + 12582912 in
            let n = m - 12582912 in
            let t = a - n * 1.5703125 - n * 4.837512969970703125e-4 in
            let w = n * 7.549533620476723e-8 in
            let r = t - w in
            let v = n * 2.5633440682570896e-12 - (t - r - w) in
            let high = r - v in
            (high, r - high - v, to_bits(m))
        ",
    }
}

rule! {
    /// The same for `0 <= a < 1e5` (msun, `e_rem_pio2.c`): two numbers of 37 bits and a rest.
    private fn reduced(a: f64) -> (f64, f64, u64) {
        body: "
            let m = a * 0.6366197723675814 + 6755399441055744 in
            let n = m - 6755399441055744 in
            let t = a - n * 1.5707963267923333 in
            let w = n * 2.5633441515839558e-12 in
            let r = t - w in
            let v = n * 1.0562999066987428e-23 - (t - r - w) in
            let high = r - v in
            (high, r - high - v, to_bits(m))
        ",
    }
}

rule! {
    /// The sine of `r + low` for `|r| <= π/4` (Cephes, `sinf`).
    private fn sine_near_0(r: f32, low: f32) -> f32 {
        body: "
            let z = r * r in
            r + (r * z * ((-1.9515295891e-4 * z + 8.3321608736e-3) * z - 1.6666654611e-1) + low)
        ",
    }
}

rule! {
    /// The cosine of `r + low` for `|r| <= π/4` (Cephes, `cosf`).
    private fn cosine_near_0(r: f32, low: f32) -> f32 {
        body: "
            let z = r * r in
            let p = (2.443315711809948e-5 * z - 1.388731625493765e-3) * z + 4.166664568298827e-2 in
            1 - (0.5 * z - (p * (z * z) - r * low))
        ",
    }
}

rule! {
    /// The sine of `r + low` for `|r| <= π/4` (msun, `k_sin.c`).
    private fn sine_near_0(r: f64, low: f64) -> f64 {
        body: "
            let z = r * r in
            let p = 8.33333333332248946124e-3 + z * (-1.98412698298579493134e-4 + z * (2.75573137070700676789e-6
                + z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10))) in
            r - (z * (0.5 * low - r * z * p) - low + r * z * 1.66666666666666324348e-1)
        ",
    }
}

rule! {
    /// The cosine of `r + low` for `|r| <= π/4` (msun, `k_cos.c`).
    private fn cosine_near_0(r: f64, low: f64) -> f64 {
        body: "
            let z = r * r in
            let p = z * (4.16666666666666019037e-2 + z * (-1.38888888888741095749e-3 + z * (2.48015872894767294178e-5
                + z * (-2.75573143513906633035e-7 + z * (2.08757232129817482790e-9 + z * -1.13596475577881948265e-11))))) in
            let h = 0.5 * z in
            let w = 1 - h in
            w + (1 - w - h + (z * p - r * low))
        ",
    }
}

rule! {
    /// `sin x`: after an odd number of quarter turns a cosine; after two and three the other sign.
    private fn sin_lanes(x: f32) -> f32 {
        body: "
            let a = abs(x) in
            let p = reduced(a) in
            let s = select(and(p.2, 1) == 0, sine_near_0(p.0, p.1), cosine_near_0(p.0, p.1)) in
            let sign = xor(and(to_bits(x), 0x80000000), shl(and(p.2, 2), 30)) in
            select(a < 8192, from_bits(xor(to_bits(s), sign)), slow_sin(x))
        ",
    }
}

rule! {
    /// `cos x`
    private fn cos_lanes(x: f32) -> f32 {
        body: "
            let a = abs(x) in
            let p = reduced(a) in
            let c = select(and(p.2, 1) == 0, cosine_near_0(p.0, p.1), sine_near_0(p.0, p.1)) in
            let sign = shl(and(p.2 + 1, 2), 30) in
            select(a < 8192, from_bits(xor(to_bits(c), sign)), slow_cos(x))
        ",
    }
}

rule! {
    /// `sin x`: after an odd number of quarter turns a cosine; after two and three the other sign.
    private fn sin_lanes(x: f64) -> f64 {
        body: "
            let a = abs(x) in
            let p = reduced(a) in
            let s = select(and(p.2, 1) == 0, sine_near_0(p.0, p.1), cosine_near_0(p.0, p.1)) in
            let sign = xor(and(to_bits(x), 0x8000000000000000), shl(and(p.2, 2), 62)) in
            select(a < 1e5, from_bits(xor(to_bits(s), sign)), slow_sin(x))
        ",
    }
}

rule! {
    /// `cos x`
    private fn cos_lanes(x: f64) -> f64 {
        body: "
            let a = abs(x) in
            let p = reduced(a) in
            let c = select(and(p.2, 1) == 0, cosine_near_0(p.0, p.1), sine_near_0(p.0, p.1)) in
            let sign = shl(and(p.2 + 1, 2), 62) in
            select(a < 1e5, from_bits(xor(to_bits(c), sign)), slow_cos(x))
        ",
    }
}

rule! {
    /// The tangent of `r + low` for `|r| <= π/4`, as a sum and rounded (Cephes, `tanf`). Of a small number the sum's second part may be flushed to zero.
    private fn tangent_near_0(r: f32, low: f32) -> (f32, f32, f32) {
        body: "
            let z = r * r in
            let p = ((((9.38540185543e-3 * z + 3.11992232697e-3) * z + 2.44301354525e-2) * z + 5.34112807005e-2) * z
                + 1.33387994085e-1) * z + 3.33331568548e-1 in
            let rest = r * z * p + (low + low * z) in
            let high = from_bits(and(to_bits(r + rest), 0xfffff000)) in
            (high, r - high + rest, r + rest)
        ",
    }
}

rule! {
    /// The tangent of `r + low` for `|r| <= π/4` as a sum (Cephes, `tan`).
    private fn tangent_near_0(r: f64, low: f64) -> (f64, f64) {
        body: "
            let z = r * r in
            let p = (-1.30936939181383734205e4 * z + 1.15351664838587416140e6) * z - 1.79565251976484877988e7 in
            let q = (((z + 1.36812963470692954678e4) * z - 1.32089234440210967447e6) * z + 2.50083801823357915839e7) * z
                - 5.38695755929454629881e7 in
            let rest = r * z * p / q + (low + low * z) in
            let high = from_bits(and(to_bits(r + rest), 0xfffffffff8000000)) in
            (high, r - high + rest)
        ",
    }
}

rule! {
    /// `tan x`: after an odd number of quarter turns the reciprocal, with what its rounding lost, and the other sign (msun, `k_tan.c`).
    private fn tan_lanes(x: f32) -> f32 {
        body: "
            let a = abs(x) in
            let p = reduced(a) in
            let t = tangent_near_0(p.0, p.1) in
            let i = 1 / t.2 in
            let high = from_bits(and(to_bits(i), 0xfffff000)) in
            let c = high + i * (1 - t.0 * high - t.1 * high) in
            let sign = xor(and(to_bits(x), 0x80000000), shl(p.2, 31)) in
            let r = select(and(p.2, 1) == 0, t.2, c) in
            select(a < 8192, from_bits(xor(to_bits(r), sign)), slow_tan(x))
        ",
    }
}

rule! {
    /// `tan x`: after an odd number of quarter turns the reciprocal, with what its rounding lost, and the other sign (msun, `k_tan.c`).
    private fn tan_lanes(x: f64) -> f64 {
        body: "
            let a = abs(x) in
            let p = reduced(a) in
            let t = tangent_near_0(p.0, p.1) in
            let i = 1 / (t.0 + t.1) in
            let high = from_bits(and(to_bits(i), 0xfffffffff8000000)) in
            let c = high + i * (1 - t.0 * high - t.1 * high) in
            let sign = xor(and(to_bits(x), 0x8000000000000000), shl(p.2, 63)) in
            let r = select(and(p.2, 1) == 0, t.0 + t.1, c) in
            select(a < 1e5, from_bits(xor(to_bits(r), sign)), slow_tan(x))
        ",
    }
}

rule! {
    /// `asin(s) / s - 1` for `s² = z <= 1/4` (Cephes, `asinf`).
    private fn arcsine_near_0(z: f32) -> f32 {
        body: "
            ((((4.2163199048e-2 * z + 2.4181311049e-2) * z + 4.5470025998e-2) * z + 7.4953002686e-2) * z + 1.6666752422e-1) * z
        ",
    }
}

rule! {
    /// `asin(s) / s - 1` for `s² = z <= 1/4` (msun, `e_asin.c`).
    private fn arcsine_near_0(z: f64) -> f64 {
        body: "
            let p = z * (1.66666666666666657415e-1 + z * (-3.25565818622400915405e-1 + z * (2.01212532134862925881e-1
                + z * (-4.00555345006794114027e-2 + z * (7.91534994289814532176e-4 + z * 3.47933107596021167570e-5))))) in
            let q = 1 + z * (-2.40339491173441421878 + z * (2.02094576023350569471 + z * (-6.88283971605453293030e-1
                + z * 7.70381505559019352791e-2))) in
            p / q
        ",
    }
}

rule! {
    /// What `asin` and `acos` have in common: `s` and `asin(s) - s`, where `s` is `|x|`, or from ½ on `√((1 - |x|) / 2)`, the sine of half the angle to 1.
    private fn half_angle(a: f32) -> (f32, f32) {
        body: "
            let z = select(a < 0.5, a * a, 0.5 * (1 - a)) in
            let s = select(a < 0.5, a, sqrt(z)) in
            (s, s * arcsine_near_0(z))
        ",
    }
}

rule! {
    /// What `asin` and `acos` have in common: `s` and `asin(s) - s`, where `s` is `|x|`, or from ½ on `√((1 - |x|) / 2)`, the sine of half the angle to 1.
    private fn half_angle(a: f64) -> (f64, f64) {
        body: "
            let z = select(a < 0.5, a * a, 0.5 * (1 - a)) in
            let s = select(a < 0.5, a, sqrt(z)) in
            (s, s * arcsine_near_0(z))
        ",
    }
}

rule! {
    /// `asin x`: from ½ on `π/2 - 2 asin s`.
    private fn asin_lanes(x: f32) -> f32 {
        body: "
            let a = abs(x) in
            let p = half_angle(a) in
            let d = 1.57079637 - 2 * p.0 in
            let lost = 1.57079637 - d - 2 * p.0 in
            copysign(select(a < 0.5, a + p.1, d - (2 * p.1 - (-4.37113883e-8 + lost))), x)
        ",
    }
}

rule! {
    /// `asin x`: from ½ on `π/2 - 2 asin s`.
    private fn asin_lanes(x: f64) -> f64 {
        body: "
            let a = abs(x) in
            let p = half_angle(a) in
            let d = 1.5707963267948966 - 2 * p.0 in
            let lost = 1.5707963267948966 - d - 2 * p.0 in
            copysign(select(a < 0.5, a + p.1, d - (2 * p.1 - (6.123233995736766e-17 + lost))), x)
        ",
    }
}

rule! {
    /// `acos x`: `π/2 - asin x`, and from ½ on `2 asin s` or its difference from π.
    private fn acos_lanes(x: f32) -> f32 {
        body: "
            let a = abs(x) in
            let p = half_angle(a) in
            let near = 1.57079637 - (x - (-4.37113883e-8 - copysign(p.1, x))) in
            let far = 2 * (p.0 + p.1) in
            select(a < 0.5, near, select(x < 0, 3.14159274 - (far - -8.74227766e-8), far))
        ",
    }
}

rule! {
    /// `acos x`: `π/2 - asin x`, and from ½ on `2 asin s` or its difference from π.
    private fn acos_lanes(x: f64) -> f64 {
        body: "
            let a = abs(x) in
            let p = half_angle(a) in
            let near = 1.5707963267948966 - (x - (6.123233995736766e-17 - copysign(p.1, x))) in
            let far = 2 * (p.0 + p.1) in
            select(a < 0.5, near, select(x < 0, 3.141592653589793 - (far - 1.2246467991473532e-16), far))
        ",
    }
}

rule! {
    /// `atan t - t` for `|t| <= 7/16` (msun, `s_atanf.c`).
    private fn arctangent_near_0(t: f32) -> f32 {
        body: "
            let z = t * t in
            let w = z * z in
            let odd = z * (3.3333328366e-1 + w * (1.4253635705e-1 + w * 6.1687607318e-2)) in
            let even = w * (-1.9999158382e-1 + w * -1.0648017377e-1) in
            -t * (odd + even)
        ",
    }
}

rule! {
    /// `atan t - t` for `|t| <= 0.66` (Cephes, `atan`).
    private fn arctangent_near_0(t: f64) -> f64 {
        body: "
            let z = t * t in
            let p = (((-8.750608600031904122785e-1 * z - 1.615753718733365076637e1) * z - 7.500855792314704667340e1) * z
                - 1.228866684490136173410e2) * z - 6.485021904942025371773e1 in
            let q = ((((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z + 4.328810604912902668951e2) * z
                + 4.853903996359136964868e2) * z + 1.945506571482613964425e2 in
            t * z * (p / q)
        ",
    }
}

rule! {
    /// `atan x`: the angle less one of four, so that the tangent of the difference is one quotient (msun, `s_atanf.c`).
    private fn atan_lanes(x: f32) -> f32 {
        body: "
            let a = abs(x) in
            let b0 = a > 0.4375 in
            let b1 = a > 0.6875 in
            let b2 = a > 1.1875 in
            let b3 = a > 2.4375 in
            let n = select(b3, -1, select(b2, a - 1.5, select(b1, a - 1, select(b0, 2 * a - 1, a)))) in
            let d = select(b3, a, select(b2, 1 + 1.5 * a, select(b1, a + 1, select(b0, 2 + a, 1)))) in
            let high = select(b3, 1.5707962513, select(b2, 9.8279368877e-1, select(b1, 7.8539812565e-1, select(b0, 4.6364760399e-1, 0)))) in
            let low = select(b3, 7.5497894159e-8, select(b2, 3.4473217170e-8, select(b1, 3.7748947079e-8, select(b0, 5.0121582440e-9, 0)))) in
            let t = n / d in
            copysign(high + (t + (arctangent_near_0(t) + low)), x)
        ",
    }
}

rule! {
    /// `atan x`: the angle less an eighth or a quarter of a turn, so that the tangent of the difference is one quotient (Cephes, `atan`).
    private fn atan_lanes(x: f64) -> f64 {
        body: "
            let a = abs(x) in
            let far = a > 2.414213562373095 in
            let middle = a > 0.66 in
            let t = select(far, -1, select(middle, a - 1, a)) / select(far, a, select(middle, a + 1, 1)) in
            let high = select(far, 1.5707963267948966, select(middle, 0.7853981633974483, 0)) in
            let low = select(far, 6.123233995736766e-17, select(middle, 3.061616997868383e-17, 0)) in
            copysign(high + (t + (arctangent_near_0(t) + low)), x)
        ",
    }
}

rule! {
    /// `n / d`, rounded almost correctly. Many GPUs multiply by a rounded reciprocal, so the remainder is divided once more. There is none if `d` is
    /// infinite.
    private fn quotient(n: f32, d: f32) -> f32 {
        body: "
            let q = n / d in
            let a = upper_bits(q) in
            let b = upper_bits(d) in
            select(d < inf, q + (n - a * b - a * (d - b) - (q - a) * d) / d, q)
        ",
    }
}

rule! {
    /// The angle whose tangent is `z / w`, for `0 <= z <= w`. One of three angles is subtracted from it, so that the tangent of the difference is small and
    /// one quotient of exact or once rounded numbers (msun, `s_atanf.c`). Through `z / w` it would be rounded twice.
    private fn angle(z: f32, w: f32) -> f32 {
        body: "
            let middle = z > 0.4375 * w in
            let far = z > 0.6875 * w in
            let n = select(far, z - w, select(middle, 2 * z - w, z)) in
            let d = select(far, z + w, select(middle, 2 * w + z, w)) in
            let high = select(far, 7.8539812565e-1, select(middle, 4.6364760399e-1, 0)) in
            let low = select(far, 3.7748947079e-8, select(middle, 5.0121582440e-9, 0)) in
            let t = quotient(n, d) in
            high + (t + (arctangent_near_0(t) + low))
        ",
    }
}

rule! {
    /// The angle whose tangent is `z / w`, for `0 <= z <= w`. An eighth of a turn is subtracted from large ones, so that the tangent of the difference is
    /// small (Cephes, `atan`).
    private fn angle(z: f64, w: f64) -> f64 {
        body: "
            let far = z > 0.66 * w in
            let t = select(far, z - w, z) / select(far, z + w, w) in
            let high = select(far, 0.7853981633974483, 0) in
            let low = select(far, 3.061616997868383e-17, 0) in
            high + (t + (arctangent_near_0(t) + low))
        ",
    }
}

rule! {
    /// The angle of the point `(b, a)`, computed from its angle to the nearer axis. If both numbers are zero, or both infinite, it is what C99 says. Huge
    /// numbers are divided by four first, so that their sum does not overflow; tiny ones are enlarged, so that no product is too small to be normal.
    private fn atan2_lanes(a: f32, b: f32) -> f32 {
        body: "
            let p = abs(a) in
            let q = abs(b) in
            let large = select(p > q, p, q) in
            let small = select(p > q, q, p) in
            let huge = large > 4.2535295865117308e37 in
            let tiny = large < 7.888609052210118e-31 in
            let z = select(p == q, select(p == 0, 0, 1), select(huge, 0.25 * small, select(tiny, 1.8446744073709552e19 * small, small))) in
            let w = select(p == q, 1, select(huge, 0.25 * large, select(tiny, 1.8446744073709552e19 * large, large))) in
            let t = angle(z, w) in
            let left = copysign(1, b) < 0 in
            let up = select(left, 1.57079637 + (t + -4.37113883e-8), 1.57079637 - (t - -4.37113883e-8)) in
            let along = select(left, 3.14159274 - (t - -8.74227766e-8), t) in
            copysign(select(p > q, up, along), a)
        ",
    }
}

rule! {
    /// The angle of the point `(b, a)`, computed from its angle to the nearer axis. If both numbers are zero, or both infinite, it is what C99 says. Huge
    /// numbers are divided by four first, so that their sum does not overflow; tiny ones are enlarged, so that no product is too small to be normal.
    private fn atan2_lanes(a: f64, b: f64) -> f64 {
        body: "
            let p = abs(a) in
            let q = abs(b) in
            let large = select(p > q, p, q) in
            let small = select(p > q, q, p) in
            let huge = large > 2.2471164185778949e307 in
            let tiny = large < 3.8725919148493183e-121 in
            let z = select(p == q, select(p == 0, 0, 1), select(huge, 0.25 * small, select(tiny, 1.3407807929942597e154 * small, small))) in
            let w = select(p == q, 1, select(huge, 0.25 * large, select(tiny, 1.3407807929942597e154 * large, large))) in
            let t = angle(z, w) in
            let left = copysign(1, b) < 0 in
            let up = select(left, 1.5707963267948966 + (t + 6.123233995736766e-17), 1.5707963267948966 - (t - 6.123233995736766e-17)) in
            let along = select(left, 3.141592653589793 - (t - 1.2246467991473532e-16), t) in
            copysign(select(p > q, up, along), a)
        ",
    }
}

scalar! {
    /// The sine of arguments that are too large for `reduced`, and of infinity and NaN.
    private fn slow_sin(x: T) -> T {
        domain: [(-10.0, 10.0)],
        native: |x| x.sin(),
        partials: ["cos(x)"],
        wgsl: wgsl!(
            slow_sin,
            include_str!("../wgsl/bits.wgsl"),
            include_str!("../wgsl/reduce.wgsl"),
            include_str!("../wgsl/sincos.wgsl"),
            "fn mc_slow_sin(x: f32) -> f32 { return $turned(x, 0u); }",
            "// f64\n",
            include_str!("../wgsl/bits_f64.wgsl"),
            include_str!("../wgsl/reduce_f64.wgsl"),
            "fn mc_slow_sin_f64(x: f64) -> f64 { return $f64_turned(x, 0u); }",
        ),
    }
}

scalar! {
    /// The cosine of such arguments.
    private fn slow_cos(x: T) -> T {
        domain: [(-10.0, 10.0)],
        native: |x| x.cos(),
        partials: ["-sin(x)"],
        wgsl: wgsl!(
            slow_cos,
            include_str!("../wgsl/bits.wgsl"),
            include_str!("../wgsl/reduce.wgsl"),
            include_str!("../wgsl/sincos.wgsl"),
            "fn mc_slow_cos(x: f32) -> f32 { return $turned(x, 1u); }",
            "// f64\n",
            include_str!("../wgsl/bits_f64.wgsl"),
            include_str!("../wgsl/reduce_f64.wgsl"),
            "fn mc_slow_cos_f64(x: f64) -> f64 { return $f64_turned(x, 1u); }",
        ),
    }
}

scalar! {
    /// The tangent of such arguments.
    private fn slow_tan(x: T) -> T {
        domain: [(-1.4, 1.4)],
        native: |x| x.tan(),
        partials: ["1 + y * y"],
        wgsl: wgsl!(
            slow_tan,
            include_str!("../wgsl/bits.wgsl"),
            include_str!("../wgsl/reduce.wgsl"),
            r#"
                fn mc_slow_tan(x: f32) -> f32 {
                    if $size(x) >= 0x7f800000u { return $nan(x); }
                    let p = $reduce(x);
                    let z = p.r * p.r;
                    let t = ((((9.38540185543e-3 * z + 3.11992232697e-3) * z + 2.44301354525e-2) * z + 5.34112807005e-2) * z
                        + 1.33387994085e-1) * z + 3.33331568548e-1;
                    let rest = p.r * z * t + (p.low + p.low * z);
                    // After an odd number of quarter turns the reciprocal, with what its rounding lost.
                    let high = $short(p.r + rest);
                    let i = -1.0 / (p.r + rest);
                    let short = $short(i);
                    let c = short + i * (1.0 + short * high + short * (p.r - high + rest));
                    let y = select(p.r + rest, c, (p.q & 1u) == 1u);
                    return select(y, -y, (bitcast<u32>(x) >> 31u) == 1u);
                }
            "#,
            "// f64\n",
            include_str!("../wgsl/bits_f64.wgsl"),
            include_str!("../wgsl/reduce_f64.wgsl"),
            r#"
                fn mc_slow_tan_f64(x: f64) -> f64 {
                    if $f64_size(x) >= 0x7ff0000000000000lu { return $f64_nan(x); }
                    let t = $f64_tangent($f64_reduce(x));
                    return select(t, -t, (bitcast<u64>(x) >> 63u) == 1lu);
                }
            "#,
        ),
    }
}
