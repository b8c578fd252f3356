// The upper bits of a float: products of two such are nearly exact, and no compiler sees through the mask.
fn $upper(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u); }
fn $is_integer(n: f32) -> bool { return trunc(n) == n; }
fn $is_odd(n: f32) -> bool { return abs(n) < 16777216.0 && $is_integer(n) && (i32(n) & 1) != 0; }
// log2 of a positive finite number in two floats: upper bits and the rest (FreeBSD powf).
fn $log2_parts(x: f32) -> vec2<f32> {
    let tiny = bitcast<u32>(x) < 0x00800000u;
    let scaled = select(x, x * 16777216.0, tiny);
    let bits = bitcast<u32>(scaled);
    var n = i32(bits >> 23u) - select(127, 151, tiny);
    let mantissa = bits & 0x007fffffu;
    var ix = mantissa | 0x3f800000u;
    // Near 1, near 1.5, or near 2 (taken as 1 with the next exponent).
    var half = false;
    if mantissa <= 0x1cc471u {
    } else if mantissa < 0x5db3d7u {
        half = true;
    } else {
        n = n + 1;
        ix = ix - 0x00800000u;
    }
    let ax = bitcast<f32>(ix);
    let bp = select(1.0, 1.5, half);
    let u = ax - bp;
    let v = 1.0 / (ax + bp);
    let ss = u * v;
    let s_h = $upper(ss);
    // The upper bits of ax + bp, made of bits.
    let t_h = bitcast<f32>((((ix >> 1u) & 0xfffff000u) | 0x20000000u) + 0x00400000u + select(0u, 0x00200000u, half));
    let t_l = ax - (t_h - bp);
    let s_l = v * ((u - s_h * t_h) - s_h * t_l);
    let s2 = ss * ss;
    let r = s2 * s2 * (6.0000002384e-1 + s2 * (4.2857143283e-1 + s2 * (3.3333334327e-1
        + s2 * (2.7272811532e-1 + s2 * (2.3066075146e-1 + s2 * 2.0697501302e-1))))) + s_l * (s_h + ss);
    let s_h2 = s_h * s_h;
    let th = $upper(3.0 + s_h2 + r);
    let tl = r - ((th - 3.0) - s_h2);
    let uu = s_h * th;
    let vv = s_l * th + tl * ss;
    let p_h = $upper(uu + vv);
    let p_l = vv - (p_h - uu);
    // 2 / (3 ln 2) in two parts.
    let z_h = 9.6179199219e-1 * p_h;
    let z_l = 4.7017383622e-6 * p_h + p_l * 9.6179670095e-1 + select(0.0, 1.5632208487e-6, half);
    let dp_h = select(0.0, 5.8496093750e-1, half);
    let t = f32(n);
    let t1 = $upper(((z_h + z_l) + dp_h) + t);
    let t2 = z_l - (((t1 - t) - dp_h) - z_h);
    return vec2<f32>(t1, t2);
}
// xⁿ for positive finite x and finite n.
fn $pow_positive(x: f32, n: f32) -> f32 {
    let l = $log2_parts(x);
    let n1 = $upper(n);
    let p_l = (n - n1) * l.x + n * l.y;
    let p_h = n1 * l.x;
    let z = p_l + p_h;
    if z >= 128.0 { return $inf(x); }
    if z < -150.0 { return 0.0; }
    let k = round(z);
    let h = p_h - k;
    let t = $upper(p_l + h);
    let u = t * 6.9314575195e-1;
    let v = (p_l - (t - h)) * 6.9314718246e-1 + t * 1.4286067653e-6;
    let r = u + v;
    let w = v - (r - u);
    let s = r * r;
    let c = r - s * (1.6666667163e-1 + s * (-2.7777778450e-3 + s * (6.6137559770e-5
        + s * (-1.6533901999e-6 + s * 4.1381369442e-8))));
    let e = 1.0 - (((r * c) / (c - 2.0) - (w + r * w)) - r);
    let i = i32(k);
    let half = i / 2;
    return e * bitcast<f32>(u32(half + 127) << 23u) * bitcast<f32>(u32(i - half + 127) << 23u);
}
