// The same for f64 and 64-bit integers. Each function stands alone.

fn mcx_keep_f64(x: f64) -> f64 {
    return bitcast<f64>(bitcast<u64>(x) ^ mc_zero_f64);
}

fn mcx_greater_f64(a: f64, b: f64) -> f64 {
    return select(a, b, b > a || (bitcast<u64>(b) & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu);
}

fn mcx_bits_f64(bits: u64) -> f64 {
    return bitcast<f64>(bits ^ mc_zero_f64);
}

// A number of the parameters.
fn mcx_words_f64(low: u32, high: u32) -> f64 {
    return bitcast<f64>(((u64(high) << 32u) | u64(low)) ^ mc_zero_f64);
}

fn mcx_copysign_f64(x: f64, s: f64) -> f64 {
    return bitcast<f64>((bitcast<u64>(x) & 0x7ffffffffffffffflu) | (bitcast<u64>(s) & 0x8000000000000000lu));
}

// Mesa's `trunc` of 2022 leaves numbers above 2^24 as they are, and loses the sign of zero; its `floor` is right.
fn mcx_trunc_f64(x: f64) -> f64 {
    return bitcast<f64>(bitcast<u64>(floor(abs(x))) | (bitcast<u64>(x) & 0x8000000000000000lu));
}

fn mcx_f64_to_i32(x: f64) -> i32 {
    if ((bitcast<u64>(x) & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu) { return 0; }
    if (x >= 2147483647.0lf) { return 2147483647; }
    if (x <= -2147483648.0lf) { return i32(-2147483648); }
    return i32(x);
}

fn mcx_f64_to_u32(x: f64) -> u32 {
    if ((bitcast<u64>(x) & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu || x <= 0.0lf) { return 0u; }
    if (x >= 4294967295.0lf) { return 4294967295u; }
    return u32(x);
}

fn mcx_f64_to_i64(x: f64) -> i64 {
    if ((bitcast<u64>(x) & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu) { return 0li; }
    if (x >= 9223372036854775808.0lf) { return 9223372036854775807li; }
    if (x <= -9223372036854775808.0lf) { return -9223372036854775807li - 1li; }
    return i64(x);
}

fn mcx_f64_to_u64(x: f64) -> u64 {
    if ((bitcast<u64>(x) & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu || x <= 0.0lf) { return 0lu; }
    if (x >= 18446744073709551616.0lf) { return 18446744073709551615lu; }
    return u64(x);
}

// fmod: the remainder of the mantissas as integers, eleven bits of the quotient at a time. At most 192 steps.
fn mcx_rem_f64(a: f64, b: f64) -> f64 {
    let sign = bitcast<u64>(a) & 0x8000000000000000lu;
    let bits_a = bitcast<u64>(a) & 0x7ffffffffffffffflu;
    let bits_b = bitcast<u64>(b) & 0x7ffffffffffffffflu;
    if (bits_a >= 0x7ff0000000000000lu || bits_b > 0x7ff0000000000000lu || bits_b == 0lu) {
        return bitcast<f64>(0x7ff8000000000000lu ^ mc_zero_f64);
    }
    if (bits_a < bits_b) { return a; }
    // Subnormal numbers have the exponent 1 and no hidden bit.
    let exponent = max(i32(bits_b >> 52u), 1);
    var left = max(i32(bits_a >> 52u), 1) - exponent;
    var r = (bits_a & 0x000ffffffffffffflu) | select(0lu, 0x0010000000000000lu, bits_a >= 0x0010000000000000lu);
    let divisor = (bits_b & 0x000ffffffffffffflu) | select(0lu, 0x0010000000000000lu, bits_b >= 0x0010000000000000lu);
    r = r % divisor;
    loop {
        if (left <= 0) { break; }
        let n = min(left, 11);
        r = (r << u32(n)) % divisor;
        left = left - n;
    }
    if (r == 0lu) { return bitcast<f64>(sign); }
    let exact = bitcast<u64>(f64(r));
    let shifted = i32(exact >> 52u) + exponent - 1075;
    if (shifted > 0) {
        return bitcast<f64>((exact & 0x000ffffffffffffflu) | (u64(shifted) << 52u) | sign);
    }
    return bitcast<f64>((r << u32(exponent - 1)) | sign);
}

fn mcx_mul_overflows_i64(a: i64, b: i64) -> bool {
    if (a == 0li || b == 0li) { return false; }
    let least = -9223372036854775807li - 1li;
    if ((a == -1li && b == least) || (b == -1li && a == least)) { return true; }
    return (a * b) / b != a;
}

fn mcx_mul_overflows_u64(a: u64, b: u64) -> bool {
    if (b == 0lu) { return false; }
    return (a * b) / b != a;
}

fn mcx_load_wide(at: u32) -> u64 {
    return u64(mcx_load(at)) | (u64(mcx_load(at + 4u)) << 32u);
}

fn mcx_store_wide(at: u32, bits: u64) {
    mcx_store(at, u32(bits & 0xfffffffflu));
    mcx_store(at + 4u, u32(bits >> 32u));
}
