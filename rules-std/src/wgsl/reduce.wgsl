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
// One of four. (An array with an index that is no constant is memory, from which software adapters read each number alone.)
fn $one_of(n: u32, w: vec4<u32>) -> u32 {
    return select(select(w.x, w.y, n == 1u), select(w.z, w.w, n == 3u), n >= 2u);
}
struct $Reduced { r: f32, low: f32, q: u32 }
// The r of |x| = q π/2 + r, |r| <= π/4, with the bits below its last one, for a finite x: in integers (Payne and Hanek), but of small ones.
fn $reduce(x: f32) -> $Reduced {
    let size = abs(x);
    if size < 2.0 {
        let turned = size > 0.785398163;
        return $Reduced(select(size, size - 1.57079637, turned), select(0.0, 4.37113883e-8, turned), select(0u, 1u, turned));
    }
    let bits = bitcast<u32>(x);
    let at = ((bits >> 23u) & 0xffu) - 128u;
    let m = ((bits & 0x007fffffu) | 0x00800000u) << 8u;
    // 96 bits of 2/π, from bit `at` on after 32 zeros.
    let n = at >> 5u;
    let up = at & 31u;
    let down = 31u - up;
    let w0 = $one_of(n, vec4<u32>(0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u));
    let w1 = $one_of(n, vec4<u32>(0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u));
    let w2 = $one_of(n, vec4<u32>(0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u));
    let w3 = $one_of(n, vec4<u32>(0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u));
    let b0 = (w0 << up) | ((w1 >> 1u) >> down);
    let b1 = (w1 << up) | ((w2 >> 1u) >> down);
    let b2 = (w2 << up) | ((w3 >> 1u) >> down);
    // Of the product with 24 bits of x, 62 bits below the quadrant.
    let mid_low = m * b1;
    let mid = mid_low + $mul_high(m, b2);
    let high = m * b0 + $mul_high(m, b1) + select(0u, 1u, mid < mid_low);
    // Two bits of quadrant, then the fraction, rounded to -1/2 .. 1/2.
    let q = (high >> 30u) + ((high >> 29u) & 1u);
    let negative = (high & 0x20000000u) != 0u;
    let flip = select(0u, 0xffffffffu, negative);
    let f = ((high << 2u) | (mid >> 30u)) ^ flip;
    let g = (mid << 2u) ^ flip;
    // Of its product with π/2, 24 bits and the eight below them.
    let zeros = countLeadingZeros(f);
    let r = $mul_high((f << zeros) | ((g >> 1u) >> (31u - zeros)), 0xc90fdaa2u);
    let sign = select(0u, 0x80000000u, negative);
    let scale = bitcast<f32>(((96u - zeros) << 23u) | sign);
    return $Reduced(f32(r & 0xffffff00u) * scale, f32(r & 0xffu) * scale, q);
}
