// The same for f64.

fn is_nan(x: f64) -> bool {
    return (bitcast<u64>(x) & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu;
}

fn from_bits(bits: u64) -> f64 {
    var hidden = bits;
    return bitcast<f64>(hidden);
}

fn negative_infinity() -> f64 {
    return from_bits(0xfff0000000000000lu);
}

// 2^n for -1022 <= n <= 1023.
fn power_of_two(n: i32) -> f64 {
    return bitcast<f64>(u64(n + 1023) << 52u);
}

// exp(x): x = n·ln 2 + r with |r| <= ln 2 / 2 as a number and its correction, then a quotient of polynomials (msun, e_exp.c).
fn exact_exp(x: f64) -> f64 {
    if (is_nan(x)) { return x; }
    if (x > 709.782712893384lf) { return from_bits(0x7ff0000000000000lu); }
    if (x < -745.1332191019411lf) { return 0.0lf; }
    let f = floor(x * 1.4426950408889634lf + 0.5lf);
    let n = i32(f);
    let high = fma(f, -6.93147180369123816490e-1lf, x);
    let low = f * 1.90821492927058770002e-10lf;
    let r = high - low;
    let t = r * r;
    var p = fma(t, 4.13813679705723846039e-8lf, -1.65339022054652515390e-6lf);
    p = fma(t, p, 6.61375632143793436117e-5lf);
    p = fma(t, p, -2.77777777770155933842e-3lf);
    p = fma(t, p, 1.66666666666666019037e-1lf);
    let c = r - t * p;
    let e = 1.0lf - ((low - r * c / (2.0lf - c)) - high);
    let half = n / 2;
    return e * power_of_two(half) * power_of_two(n - half);
}

// ln(x) of a positive, finite, normal x, or NaN (msun, e_log.c).
fn exact_ln(x: f64) -> f64 {
    if (is_nan(x)) { return x; }
    let bits = bitcast<u64>(x) + 0x00095f6200000000lu;
    let k = f64(i32(bits >> 52u) - 1023);
    let m = bitcast<f64>((bits & 0x000ffffffffffffflu) + 0x3fe6a09e00000000lu);
    let f = m - 1.0lf;
    let s = f / (2.0lf + f);
    let z = s * s;
    let w = z * z;
    let odd = w * fma(w, fma(w, 1.531383769920937332e-1lf, 2.222219843214978396e-1lf), 3.999999999940941908e-1lf);
    let even = z * fma(w, fma(w, fma(w, 1.479819860511658591e-1lf, 1.818357216161805012e-1lf), 2.857142874366239149e-1lf), 6.666666666666735130e-1lf);
    let h = 0.5lf * f * f;
    return k * 6.93147180369123816490e-1lf - ((h - fma(k, 1.90821492927058770002e-10lf, s * (h + (even + odd)))) - f);
}
