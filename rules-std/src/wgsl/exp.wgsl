// eʳ - 1 - r over r², |r| <= ln 2 / 2 (Cephes).
fn $exp_tail(r: f32) -> f32 {
    return ((((1.9875691500e-4 * r + 1.3981999507e-3) * r + 8.3334519073e-3) * r + 4.1665795894e-2) * r
        + 1.6666665459e-1) * r + 5.0000001201e-1;
}
// 2ⁿ for -126 <= n <= 127.
fn $pow2(n: i32) -> f32 { return bitcast<f32>(u32(n + 127) << 23u); }
// The k of x = k ln 2 + r.
fn $exp_k(x: f32) -> f32 { return round(clamp(x, -160.0, 160.0) * 1.44269504); }
// The r: ln 2 in two parts, of which the first has nine bits, so that its product with k is exact.
fn $exp_r(x: f32, k: f32) -> f32 { return (x - k * 0.693359375) + k * 2.12194440e-4; }
fn $exp(x: f32) -> f32 {
    let k = $exp_k(x);
    let r = $exp_r(x, k);
    let e = $exp_tail(r) * (r * r) + r + 1.0;
    // In two steps, so that results below 2⁻¹²⁶ are reached.
    let i = i32(k);
    let half = i / 2;
    let y = e * $pow2(clamp(half, -126, 127)) * $pow2(clamp(i - half, -126, 127));
    if $is_nan(x) { return x; }
    if x > 88.722839 { return $inf(x); }
    if x < -103.97208 { return 0.0; }
    return y;
}
