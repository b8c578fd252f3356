// 2ᵏ (eʳ - 1) + (2ᵏ - 1), computed at half its size because 2¹²⁸ overflows.
fn $exp_m1(x: f32) -> f32 {
    if $is_nan(x) { return x; }
    if x > 88.722839 { return $inf(x); }
    if x < -17.5 { return -1.0; }
    let k = $exp_k(x);
    let r = $exp_r(x, k);
    let p = $exp_tail(r) * (r * r) + r;
    if k == 0.0 { return p; }
    let s = $pow2(i32(k) - 1);
    return 2.0 * (p * s + (s - 0.5));
}
