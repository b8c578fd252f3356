//! Hyperbolic functions and their inverses.

use mooncake_pack::rule;

rule! {
    /// `eᵃ / 4` for `a >= 0`, so that half of `eᵃ` overflows where the hyperbolic functions do.
    private fn quarter_exp(a: f32) -> f32 {
        body: "
            let c = select(a > 90, 90, a) in
            let m = c * 1.44269504 + 12583037 in
            exp_near_0(c, m - 12583037) * from_bits(shl(to_bits(m), 23))
        ",
    }
}

rule! {
    /// `eᵃ / 4` for `a >= 0`, so that half of `eᵃ` overflows where the hyperbolic functions do.
    private fn quarter_exp(a: f64) -> f64 {
        body: "
            let c = select(a > 711, 711, a) in
            let m = c * 1.4426950408889634 + 6755399441056765 in
            exp_near_0(c, m - 6755399441056765) * from_bits(shl(to_bits(m), 52))
        ",
    }
}

rule! {
    /// `cosh x`
    private fn cosh_lanes(x: f32) -> f32 {
        body: "
            let e = quarter_exp(abs(x)) in
            2 * e + 0.125 / e
        ",
    }
}

rule! {
    /// `cosh x`
    private fn cosh_lanes(x: f64) -> f64 {
        body: "
            let e = quarter_exp(abs(x)) in
            2 * e + 0.125 / e
        ",
    }
}

rule! {
    /// `sinh x` (Cephes, `sinhf`): a polynomial near 0, else half the difference of the exponentials.
    private fn sinh_lanes(x: f32) -> f32 {
        body: "
            let a = abs(x) in
            let z = a * a in
            let near = ((2.03721912945e-4 * z + 8.33028376239e-3) * z + 1.66667160211e-1) * z * a + a in
            let e = quarter_exp(a) in
            copysign(select(a < 1, near, 2 * e - 0.125 / e), x)
        ",
    }
}

rule! {
    /// `sinh x` (Cephes, `sinh`): a quotient of polynomials near 0, else half the difference of the exponentials, in one division.
    private fn sinh_lanes(x: f64) -> f64 {
        body: "
            let a = abs(x) in
            let z = a * a in
            let p = ((-7.89474443963537015605e-1 * z - 1.63725857525983828727e2) * z - 1.15614435765005216044e4) * z
                - 3.51754964808151394800e5 in
            let q = ((z - 2.77711081420602794433e2) * z + 3.61578279834431989373e4) * z - 2.11052978884890840399e6 in
            let e = quarter_exp(a) in
            let near = a < 1 in
            copysign(select(near, a, 2 * e) + select(near, a * z * p, -0.125) / select(near, q, e), x)
        ",
    }
}

rule! {
    /// `tanh x` (Cephes, `tanhf`): a polynomial near 0, else `1 - 2 / (e²ˣ + 1)`.
    private fn tanh_lanes(x: f32) -> f32 {
        body: "
            let a = abs(x) in
            let z = a * a in
            let near = ((((-5.70498872745e-3 * z + 2.06390887954e-2) * z - 5.37397155531e-2) * z + 1.33314422036e-1) * z
                - 3.33332819422e-1) * z * a + a in
            let far = 1 - 2 / (exp_moderate(2 * select(a > 10, 10, a)) + 1) in
            copysign(select(a < 0.625, near, far), x)
        ",
    }
}

rule! {
    /// `tanh x` (Cephes, `tanh`): a quotient of polynomials near 0, else `1 - 2 / (e²ˣ + 1)`, in one division.
    private fn tanh_lanes(x: f64) -> f64 {
        body: "
            let a = abs(x) in
            let z = a * a in
            let p = (-9.64399179425052238628e-1 * z - 9.92877231001918586564e1) * z - 1.61468768441708447952e3 in
            let q = ((z + 1.12811678491632931402e2) * z + 2.23548839060100448583e3) * z + 4.84406305325125486048e3 in
            let e = exp_moderate(2 * select(a > 20, 20, a)) in
            let near = a < 0.625 in
            copysign(select(near, a, 1) + select(near, a * z * p, -2) / select(near, q, e + 1), x)
        ",
    }
}

rule! {
    /// `ln(1 + x)` for `0 <= x < inf`, as `ln_1p_lanes`.
    private fn ln_1p_positive(x: f32) -> f32 {
        body: "
            let u = 1 + x in
            let v = u - 1 in
            let lost = (1 - (u - v) + (x - v)) / u in
            let p = ln_parts(u) in
            p.1 + ((p.3 + lost) - 2.12194440e-4 * p.0 - p.2) + 0.693359375 * p.0
        ",
    }
}

rule! {
    /// `ln(1 + x)` for `0 <= x < inf`, as `ln_1p_lanes`.
    private fn ln_1p_positive(x: f64) -> f64 {
        body: "
            let u = 1 + x in
            let v = u - 1 in
            let lost = (1 - (u - v) + (x - v)) / u in
            let p = ln_parts(u) in
            p.0 * 6.93147180369123816490e-1 - (p.2 - ((p.3 + lost) + p.0 * 1.90821492927058770002e-10) - p.1)
        ",
    }
}

rule! {
    /// `asinh x`: the logarithm of `1 + |x| + x² / (1 + √(1 + x²))`, and far out of `2 |x|`.
    private fn asinh_lanes(x: f32) -> f32 {
        body: "
            let a = abs(x) in
            let z = a * a in
            let far = a > 1e9 in
            let l = ln_1p_positive(select(far, a, a + z / (1 + sqrt(1 + z)))) in
            copysign(select(a < inf, l + select(far, 0.69314718, 0), a), x)
        ",
    }
}

rule! {
    /// `asinh x`: the logarithm of `1 + |x| + x² / (1 + √(1 + x²))`, and far out of `2 |x|`.
    private fn asinh_lanes(x: f64) -> f64 {
        body: "
            let a = abs(x) in
            let z = a * a in
            let far = a > 1e17 in
            let l = ln_1p_positive(select(far, a, a + z / (1 + sqrt(1 + z)))) in
            copysign(select(a < inf, l + select(far, 0.6931471805599453, 0), a), x)
        ",
    }
}

rule! {
    /// `acosh x`: near `x = 1 + z` the root of `2z` with a correction by a polynomial, else the logarithm of `1 + z + √(z (z + 2))`, and far out
    /// of `2x`. The root of a negative number is NaN.
    private fn acosh_lanes(x: f32) -> f32 {
        body: "
            let z = x - 1 in
            let p = ((((1.5525788e-4 * z - 6.4146230e-4) * z + 1.88476116e-3) * z - 5.57875274e-3) * z + 1.87499322e-2) * z - 8.33333329e-2 in
            let r = sqrt(2 * z) in
            let far = x > 1e9 in
            let l = ln_1p_positive(select(far, x, z + sqrt(z * (z + 2)))) in
            select(z < 0.5, r + r * (z * p), select(x < inf, l + select(far, 0.69314718, 0), x))
        ",
    }
}

rule! {
    /// `acosh x`: near `x = 1 + z` the root of `2z` with a correction by a polynomial, else the logarithm of `1 + z + √(z (z + 2))`, and far out
    /// of `2x`. The root of a negative number is NaN.
    private fn acosh_lanes(x: f64) -> f64 {
        body: "
            let z = x - 1 in
            let p = ((((((((((4.6030560681247566e-7 * z - 2.437850194405523e-6) * z + 7.443661550275125e-6) * z
                - 1.8733305120455416e-5) * z + 4.502425847529519e-5) * z - 1.0907996626744022e-4) * z + 2.711341830498839e-4) * z
                - 6.991297328100813e-4) * z + 1.8988715155341478e-3) * z - 5.5803571425315545e-3) * z + 1.87499999999966e-2) * z
                - 8.333333333333333e-2 in
            let r = sqrt(2 * z) in
            let far = x > 1e17 in
            let l = ln_1p_positive(select(far, x, z + sqrt(z * (z + 2)))) in
            select(z < 0.5, r + r * (z * p), select(x < inf, l + select(far, 0.6931471805599453, 0), x))
        ",
    }
}

rule! {
    /// `atanh x`: half the logarithm of `1 + 2 |x| / (1 - |x|)`. The root of a negative number is NaN.
    private fn atanh_lanes(x: f32) -> f32 {
        body: "
            let a = abs(x) in
            let l = 0.5 * ln_1p_positive((a + a) / (1 - a)) in
            copysign(select(a < 1, l, select(a == 1, inf, sqrt(1 - a))), x)
        ",
    }
}

rule! {
    /// `atanh x`: half the logarithm of `1 + 2 |x| / (1 - |x|)`. The root of a negative number is NaN.
    private fn atanh_lanes(x: f64) -> f64 {
        body: "
            let a = abs(x) in
            let l = 0.5 * ln_1p_positive((a + a) / (1 - a)) in
            copysign(select(a < 1, l, select(a == 1, inf, sqrt(1 - a))), x)
        ",
    }
}
