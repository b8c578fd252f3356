// Operations of the IR that WGSL lacks or defines otherwise. Each function stands alone.

fn mcx_is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn mcx_greater(a: f32, b: f32) -> f32 {
    return select(a, b, b > a || mcx_is_nan(b));
}

// The number itself, of which no compiler knows how it came to be: see the documentation of the module.
fn mcx_keep(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ mc_zero);
}

// What a quotient is where the divisor is above 2^126, SPIR-V leaves to drivers: both numbers are divided by four first.
fn mcx_div(a: f32, b: f32) -> f32 {
    let scale = select(1.0, 0.25, abs(b) > 8.507059e37);
    let n = a * scale;
    let d = bitcast<f32>(bitcast<u32>(b * scale) ^ mc_zero);
    if (!mc_rough) { return n / d; }
    let inverse = 1.0 / d;
    let q = n * inverse;
    let better = fma(fma(-q, d, n), inverse, q);
    // The correction loses the sign of a zero, and gives NaN for an infinity, and where the inverse of a tiny divisor is infinite: there the device's own
    // quotient stays.
    if (q != 0.0 && abs(better) <= 3.4028234e38) { return better; }
    return n / d;
}

fn mcx_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits ^ mc_zero);
}

fn mcx_copysign(x: f32, s: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(s) & 0x80000000u));
}

fn mcx_f32_to_i32(x: f32) -> i32 {
    if ((bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u) { return 0; }
    if (x >= 2147483648.0) { return 2147483647; }
    if (x <= -2147483648.0) { return i32(-2147483648); }
    return i32(x);
}

fn mcx_f32_to_u32(x: f32) -> u32 {
    if ((bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u || x <= 0.0) { return 0u; }
    if (x >= 4294967296.0) { return 4294967295u; }
    return u32(x);
}

// fmod: subtracts b·2^k from |a| for falling k. Every subtraction is exact. At most 277 steps.
fn mcx_rem(a: f32, b: f32) -> f32 {
    let sign = bitcast<u32>(a) & 0x80000000u;
    let bits_a = bitcast<u32>(a) & 0x7fffffffu;
    let bits_b = bitcast<u32>(b) & 0x7fffffffu;
    if (bits_a >= 0x7f800000u || bits_b > 0x7f800000u || bits_b == 0u) {
        return bitcast<f32>(0x7fc00000u ^ mc_zero);
    }
    var r = bitcast<f32>(bits_a);
    if (bits_a < bits_b) { return a; }
    let divisor = bitcast<f32>(bits_b);
    var k = i32(bits_a >> 23u) - i32(bits_b >> 23u);
    loop {
        if (k < 0) { break; }
        let scaled = ldexp(divisor, k);
        if (r >= scaled) { r = r - scaled; }
        k = k - 1;
    }
    return bitcast<f32>(bitcast<u32>(r) | sign);
}

fn mcx_mul_overflows_i32(a: i32, b: i32) -> bool {
    if (a == 0 || b == 0) { return false; }
    if ((a == -1 && b == i32(-2147483648)) || (b == -1 && a == i32(-2147483648))) { return true; }
    return (a * b) / b != a;
}

fn mcx_mul_overflows_u32(a: u32, b: u32) -> bool {
    if (b == 0u) { return false; }
    return (a * b) / b != a;
}
