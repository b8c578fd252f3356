// The arctangent of z / w for 0 <= z <= w (Cephes). From √2 - 1 on it is π/4 less that of a quotient, which is made of z and w: of z / w it would be
// rounded twice.
fn $atan(z: f32, w: f32) -> f32 {
    // A quarter, so that neither the sum overflows nor the reciprocal of w is subnormal.
    let large = $size(w) >= 0x7e800000u;
    let a = z * select(1.0, 0.25, large);
    let b = bitcast<f32>(bitcast<u32>(w) - select(0u, 0x01000000u, large));
    let far = a > 0.4142135624 * b;
    let t = $quotient(select(a, a - b, far), select(b, a + b, far));
    let s = t * t;
    let p = (((8.05374449538e-2 * s - 1.38776856032e-1) * s + 1.99777106478e-1) * s - 3.33329491539e-1) * s * t;
    return select(0.0, 0.785398163, far) + (t + (p + select(0.0, -2.18556941e-8, far)));
}
