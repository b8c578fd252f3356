// 32 bits of 2/π from bit `at` on.
fn $two_over_pi(at: u32) -> u32 {
    var words = array<u32, 8>(0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu);
    let word = at / 32u;
    let shift = at % 32u;
    let high = words[word] << shift;
    if shift == 0u { return high; }
    return high | (words[word + 1u] >> (32u - shift));
}
// The upper half of a product of 32-bit numbers.
fn $mul_high(a: u32, b: u32) -> u32 {
    let a0 = a & 0xffffu;
    let a1 = a >> 16u;
    let b0 = b & 0xffffu;
    let b1 = b >> 16u;
    let low = a0 * b0;
    let mid = a1 * b0 + (low >> 16u);
    let mid2 = a0 * b1 + (mid & 0xffffu);
    return a1 * b1 + (mid >> 16u) + (mid2 >> 16u);
}
// The r of x = q π/2 + r, |r| <= π/4, and q mod 4.
fn $reduce(x: f32) -> vec2<f32> {
    if abs(x) < 8192.0 {
        // π/2 in three parts; the products of the first two with q are exact (Cody and Waite).
        let q = round(x * 0.636619772);
        let r = ((x - q * 1.5703125) - q * 4.837512969970703125e-4) - q * 7.54978995489188216e-8;
        return vec2<f32>(r, f32(i32(q) & 3));
    }
    // The fraction of x 2/π in integers (Payne and Hanek): of the product with 24 bits of x, 64 bits below the quadrant.
    let bits = bitcast<u32>(x);
    let exponent = ((bits >> 23u) & 0xffu) - 127u;
    let m = ((bits & 0x007fffffu) | 0x00800000u) << 8u;
    let at = exponent - 1u;
    let low = $mul_high(m, $two_over_pi(at + 64u));
    let mid_low = m * $two_over_pi(at + 32u);
    let mid = mid_low + low;
    let carry = select(0u, 1u, mid < mid_low);
    let high = m * $two_over_pi(at) + $mul_high(m, $two_over_pi(at + 32u)) + carry;
    // Two bits of quadrant, then the fraction, rounded to -1/2 .. 1/2.
    let up = (high >> 29u) & 1u;
    let q = ((high >> 30u) + up) & 3u;
    let fraction = bitcast<i32>((high << 2u) | (mid >> 30u));
    var f = fraction;
    var rest = mid << 2u;
    let negative = f < 0;
    if negative {
        rest = ~rest + 1u;
        f = ~f + select(0, 1, rest == 0u);
    }
    let size = (f32(f) * 4294967296.0 + f32(rest)) * 5.42101086e-20;
    let r = select(size, -size, negative) * 1.57079633;
    return select(vec2<f32>(r, f32(q)), vec2<f32>(-r, f32((4u - q) & 3u)), (bits >> 31u) == 1u);
}
