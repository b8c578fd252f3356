// Functions that kernels of this crate need more exactly than WGSL promises them, and tests by bits: floats in WGSL are
// fast-math, so `x != x` says nothing about NaN.

fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

// The float of these bits. Written so that no compiler folds it into a literal, which WGSL forbids for infinities and NaN.
fn from_bits(bits: u32) -> f32 {
    var hidden = bits;
    return bitcast<f32>(hidden);
}

fn negative_infinity() -> f32 {
    return from_bits(0xff800000u);
}

// 2^n for -126 <= n <= 127.
fn power_of_two(n: i32) -> f32 {
    return bitcast<f32>(u32(n + 127) << 23u);
}

// exp(x): x = n·ln 2 + r with |r| <= ln 2 / 2 (Cody and Waite), then the Taylor polynomial of degree 7, whose remainder is
// below 6e-9. The scaling is in two steps, so that results near the ends of the range are right.
fn exact_exp(x: f32) -> f32 {
    if (is_nan(x)) { return x; }
    if (x > 88.7228) { return from_bits(0x7f800000u); }
    if (x < -103.972) { return 0.0; }
    let n = i32(floor(x * 1.4426950408889634 + 0.5));
    let f = f32(n);
    let r = fma(f, -1.4286067653e-6, fma(f, -0.693145751953125, x));
    var p = 1.9841270e-4;
    p = fma(p, r, 1.3888889e-3);
    p = fma(p, r, 8.3333333e-3);
    p = fma(p, r, 4.1666667e-2);
    p = fma(p, r, 1.6666667e-1);
    p = fma(p, r, 0.5);
    let e = fma(p * r, r, r) + 1.0;
    let half = n / 2;
    return e * power_of_two(half) * power_of_two(n - half);
}

// ln(x) of a positive, finite, normal x, or NaN: x = 2^n · m with m in [sqrt(1/2), sqrt(2)), then 2·artanh(s) with s = (m - 1)/(m + 1).
fn exact_ln(x: f32) -> f32 {
    if (is_nan(x)) { return x; }
    let bits = bitcast<u32>(x) + 0x004afb0du;
    let n = i32(bits >> 23u) - 127;
    let m = bitcast<f32>((bits & 0x007fffffu) + 0x3f3504f3u);
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    var p = 0.24279079;
    p = fma(p, z, 0.28498787);
    p = fma(p, z, 0.40000972);
    p = fma(p, z, 0.66666663);
    let h = 0.5 * f * f;
    let k = f32(n);
    return fma(k, 0.693359375, (f - (h - fma(s, h + z * p, k * -2.12194440e-4))));
}
