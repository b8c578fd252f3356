// Four words of 2/π from word `n` <= 16 on, after a word of zeros. (An array with an index that is no constant is memory, from which software adapters read
// each number alone.)
fn $f64_two_over_pi(n: u32) -> vec4<u64> {
    let w0 = vec4<u64>(0x0000000000000000lu, 0xa2f9836e4e441529lu, 0xfc2757d1f534ddc0lu, 0xdb6295993c439041lu);
    let w1 = vec4<u64>(0xfe5163abdebbc561lu, 0xb7246e3a424dd2e0lu, 0x06492eea09d1921clu, 0xfe1deb1cb129a73elu);
    let w2 = vec4<u64>(0xe88235f52ebb4484lu, 0xe99c7026b45f7e41lu, 0x3991d639835339f4lu, 0x9c845f8bbdf9283blu);
    let w3 = vec4<u64>(0x1ff897ffde05980flu, 0xef2f118b5a0a6d1flu, 0x6d367ecf27cb09b7lu, 0x4f463f669e5fea2dlu);
    let w4 = vec4<u64>(0x7527bac7ebe5f17blu, 0x3d0739f78a5292ealu, 0x6bfb5fb11f8d5d08lu, 0x56033046fc7b6bablu);
    let part = n / 4u;
    let low = select(select(select(select(w0, w1, part == 1u), w2, part == 2u), w3, part == 3u), w4, part == 4u);
    let high = select(select(select(w1, w2, part == 1u), w3, part == 2u), w4, part == 3u);
    let by_two = (n & 2u) == 2u;
    let first = select(low, vec4<u64>(low.z, low.w, high.x, high.y), by_two);
    let after = select(high.x, high.z, by_two);
    return select(first, vec4<u64>(first.y, first.z, first.w, after), (n & 1u) == 1u);
}
// The upper half of a product of 64-bit numbers.
fn $f64_mul_high(a: u64, b: u64) -> u64 {
    let a0 = a & 0xfffffffflu;
    let a1 = a >> 32u;
    let b0 = b & 0xfffffffflu;
    let b1 = b >> 32u;
    let low = a0 * b0;
    let mid = a1 * b0 + (low >> 32u);
    let mid2 = a0 * b1 + (mid & 0xfffffffflu);
    return a1 * b1 + (mid >> 32u) + (mid2 >> 32u);
}
struct $f64_Reduced { r: f64, low: f64, q: u32 }
// The r of |x| = q π/2 + r, |r| <= π/4, with its rounding error, for a finite |x| >= 65536: the fraction of |x| 2/π in integers (Payne and Hanek). Of
// the product with the 53 bits of x, 126 bits below the quadrant.
fn $f64_reduce(x: f64) -> $f64_Reduced {
    let bits = $f64_size(x);
    let m = (bits & 0x000ffffffffffffflu) | 0x0010000000000000lu;
    let at = u32(bits >> 52u) - 1075u + 62u;
    let words = $f64_two_over_pi(at / 64u);
    let up = at % 64u;
    let down = 63u - up;
    let w0 = (words.x << up) | ((words.y >> 1u) >> down);
    let w1 = (words.y << up) | ((words.z >> 1u) >> down);
    let w2 = (words.z << up) | ((words.w >> 1u) >> down);
    let low = m * w1;
    let p1 = low + $f64_mul_high(m, w2);
    let p0 = m * w0 + $f64_mul_high(m, w1) + select(0lu, 1lu, p1 < low);
    // Two bits of quadrant, then the fraction, rounded to -1/2 .. 1/2.
    let q = (u32(p0 >> 62u) + u32((p0 >> 61u) & 1lu)) & 3u;
    var f = (p0 << 2u) | (p1 >> 62u);
    var g = p1 << 2u;
    let negative = (f >> 63u) == 1lu;
    if negative {
        g = ~g + 1lu;
        f = ~f + select(0lu, 1lu, g == 0lu);
    }
    let upper = u32(f >> 32u);
    let zeros = select(countLeadingZeros(upper), 32u + countLeadingZeros(u32(f & 0xfffffffflu)), upper == 0u);
    if zeros > 0u { f = (f << zeros) | (g >> (64u - zeros)); }
    // 53 bits and the 11 below them.
    let scale = bitcast<f64>(u64(959u - zeros) << 52u);
    let high = f64(f >> 11u) * (2048.0lf * scale);
    let rest = f64(f & 2047lu) * scale;
    let r = high * 1.5707963267948966lf;
    let lost = fma(high, 1.5707963267948966lf, -r) + (high * 6.123233995736766e-17lf + rest * 1.5707963267948966lf);
    return $f64_Reduced(select(r, -r, negative), select(lost, -lost, negative), q);
}
// Sine, cosine and tangent of r + low (msun and Cephes).
fn $f64_sine(p: $f64_Reduced) -> f64 {
    let z = p.r * p.r;
    let s = 8.33333333332248946124e-3lf + z * (-1.98412698298579493134e-4lf + z * (2.75573137070700676789e-6lf
        + z * (-2.50507602534068634195e-8lf + z * 1.58969099521155010221e-10lf)));
    return p.r - (z * (0.5lf * p.low - p.r * z * s) - p.low + p.r * z * 1.66666666666666324348e-1lf);
}
fn $f64_cosine(p: $f64_Reduced) -> f64 {
    let z = p.r * p.r;
    let c = z * (4.16666666666666019037e-2lf + z * (-1.38888888888741095749e-3lf + z * (2.48015872894767294178e-5lf
        + z * (-2.75573143513906633035e-7lf + z * (2.08757232129817482790e-9lf + z * -1.13596475577881948265e-11lf)))));
    let h = $f64_short(0.5lf * z);
    let rest = fma(0.5lf, z, -h);
    return (1.0lf - h) - (rest - (z * c - p.r * p.low));
}
fn $f64_tangent(p: $f64_Reduced) -> f64 {
    let z = p.r * p.r;
    let n = (-1.30936939181383734205e4lf * z + 1.15351664838587416140e6lf) * z - 1.79565251976484877988e7lf;
    let d = (((z + 1.36812963470692954678e4lf) * z - 1.32089234440210967447e6lf) * z + 2.50083801823357915839e7lf) * z
        - 5.38695755929454629881e7lf;
    let rest = p.r * z * n / d + (p.low + p.low * z);
    let t = p.r + rest;
    if (p.q & 1u) == 0u { return t; }
    // The reciprocal, with what its rounding lost.
    let high = $f64_short(t);
    let low = p.r - high + rest;
    let i = -1.0lf / t;
    let short = $f64_short(i);
    return short + i * (1.0lf + short * high + short * low);
}
// The sine of x + n π/2.
fn $f64_turned(x: f64, n: u32) -> f64 {
    if $f64_size(x) >= 0x7ff0000000000000lu { return $f64_nan(x); }
    var p = $f64_reduce(x);
    // Of a negative x the sine changes its sign, and the cosine does not.
    let q = p.q + n;
    let value = select($f64_sine(p), $f64_cosine(p), (q & 1u) == 1u);
    let flips = ((q & 2u) == 2u) != (n == 0u && (bitcast<u64>(x) >> 63u) == 1lu);
    return select(value, -value, flips);
}
