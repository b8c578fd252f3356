//! Hyperbolic functions.

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
