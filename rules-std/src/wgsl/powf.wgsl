fn $is_integer(n: f32) -> bool { return trunc(n) == n; }
fn $is_odd(n: f32) -> bool { return abs(n) < 16777216.0 && $is_integer(n) && (i32(n) & 1) != 0; }
// xⁿ for positive finite x and finite n.
fn $pow_positive(x: f32, n: f32) -> f32 {
    let l = $log2_parts(x);
    let n1 = $short(n);
    let p_l = (n - n1) * l.x + n * l.y;
    let p_h = n1 * l.x;
    let z = p_l + p_h;
    if z >= 128.0 { return $inf(x); }
    if z < -150.0 { return 0.0; }
    let k = round(z);
    let h = p_h - k;
    // Nine bits, whose product with the first part of ln 2 is exact.
    let t = bitcast<f32>(bitcast<u32>(p_l + h) & 0xffff8000u);
    let u = t * 6.9314575195e-1;
    let v = (p_l - (t - h)) * 6.9314718246e-1 + t * 1.4286067653e-6;
    let r = $apart(u + v);
    let w = v - (r - u);
    let s = r * r;
    let c = r - s * (1.6666667163e-1 + s * (-2.7777778450e-3 + s * (6.6137559770e-5
        + s * (-1.6533901999e-6 + s * 4.1381369442e-8))));
    let e = 1.0 - (((r * c) / (c - 2.0) - (w + r * w)) - r);
    let i = i32(k);
    let half = i / 2;
    return e * bitcast<f32>(u32(half + 127) << 23u) * bitcast<f32>(u32(i - half + 127) << 23u);
}
