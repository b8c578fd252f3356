// fmod: the remainder of the mantissas as integers, eleven bits of the quotient at a time. At most 192 steps.
fn $f64_rem(a: f64, b: f64) -> f64 {
    let sign = bitcast<u64>(a) & 0x8000000000000000lu;
    let bits_a = bitcast<u64>(a) & 0x7ffffffffffffffflu;
    let bits_b = bitcast<u64>(b) & 0x7ffffffffffffffflu;
    if (bits_a >= 0x7ff0000000000000lu || bits_b > 0x7ff0000000000000lu || bits_b == 0lu) {
        return bitcast<f64>((bits_a & 0lu) | 0x7ff8000000000000lu);
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
