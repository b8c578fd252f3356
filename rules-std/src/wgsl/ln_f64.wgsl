struct $f64_Parts { e: f64, f: f64, h: f64, rest: f64 }
// For a positive finite x = 2ᵉ (1 + f), with 1 + f between √½ and √2: e, f, f²/2 and the rest ln(1 + f) - f + f²/2 (msun, e_log.c).
fn $f64_parts(x: f64) -> $f64_Parts {
    let bits = bitcast<u64>(x);
    // The bits of a subnormal number are an integer of which it is a multiple.
    let tiny = bits < 0x0010000000000000lu;
    let i = select(bits, bitcast<u64>(f64(bits)), tiny) + 0x00095f6200000000lu;
    let e = f64(i32(i >> 52u) - select(1023, 2097, tiny));
    return $f64_parts_of(e, bitcast<f64>((i & 0x000ffffffffffffflu) + 0x3fe6a09e00000000lu) - 1.0lf);
}
fn $f64_parts_of(e: f64, f: f64) -> $f64_Parts {
    let s = f / (2.0lf + f);
    let z = s * s;
    let w = z * z;
    let odd = w * (3.999999999940941908e-1lf + w * (2.222219843214978396e-1lf + w * 1.531383769920937332e-1lf));
    let even = z * (6.666666666666735130e-1lf + w * (2.857142874366239149e-1lf + w * (1.818357216161805012e-1lf
        + w * 1.479819860511658591e-1lf)));
    let h = 0.5lf * f * f;
    return $f64_Parts(e, f, h, s * (h + (even + odd)));
}
fn $f64_joined(p: $f64_Parts, more: f64) -> f64 {
    return p.e * 6.93147180369123816490e-1lf - (p.h - ((p.rest + more) + p.e * 1.90821492927058770002e-10lf) - p.f);
}
// ln(x) of any x.
fn $f64_ln(x: f64) -> f64 {
    let size = $f64_size(x);
    if size == 0lu { return -$f64_inf(x); }
    if bitcast<u64>(x) > 0x7ff0000000000000lu { return $f64_nan(x); }
    if size == 0x7ff0000000000000lu { return x; }
    return $f64_joined($f64_parts(x), 0.0lf);
}
// ln(1 + x) of any x: the logarithm of a sum of few bits, and what it leaves.
fn $f64_ln_1p(x: f64) -> f64 {
    let size = $f64_size(x);
    if size > 0x7ff0000000000000lu || x < -1.0lf { return $f64_nan(x); }
    if x == -1.0lf { return -$f64_inf(x); }
    if size == 0x7ff0000000000000lu || size < 0x3c90000000000000lu { return x; }
    if abs(x) < 0.29lf {
        let p = $f64_parts_of(0.0lf, x);
        return p.f - (p.h - p.rest);
    }
    let u = $f64_short(1.0lf + x);
    let left = select((1.0lf - u) + x, (x - u) + 1.0lf, x > 1.0lf) / u;
    return $f64_joined($f64_parts(u), left - 0.5lf * left * left);
}
