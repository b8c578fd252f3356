// log2 of a positive finite number in two floats: upper bits and the rest (FreeBSD powf).
fn $log2_parts(x: f32) -> vec2<f32> {
    let tiny = bitcast<u32>(x) < 0x00800000u;
    // The bits of a subnormal number are an integer of which it is a multiple.
    let bits = select(bitcast<u32>(x), bitcast<u32>(f32(bitcast<u32>(x))), tiny);
    var n = i32(bits >> 23u) - select(127, 276, tiny);
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
    let s_h = $short(ss);
    // The upper bits of ax + bp, made of bits.
    let t_h = bitcast<f32>((((ix >> 1u) & 0xfffff000u) | 0x20000000u) + 0x00400000u + select(0u, 0x00200000u, half));
    let t_l = ax - (t_h - bp);
    let s_l = v * ((u - s_h * t_h) - s_h * t_l);
    let s2 = ss * ss;
    let r = s2 * s2 * (6.0000002384e-1 + s2 * (4.2857143283e-1 + s2 * (3.3333334327e-1
        + s2 * (2.7272811532e-1 + s2 * (2.3066075146e-1 + s2 * 2.0697501302e-1))))) + s_l * (s_h + ss);
    let s_h2 = s_h * s_h;
    let th = $short(3.0 + s_h2 + r);
    let tl = r - ($apart(th - 3.0) - s_h2);
    let uu = s_h * th;
    let vv = s_l * th + tl * ss;
    let p_h = $short(uu + vv);
    let p_l = vv - (p_h - uu);
    // 2 / (3 ln 2) in two parts, of which the first has twelve bits.
    let z_h = 9.6191406250e-1 * p_h;
    let z_l = -1.1736857402e-4 * p_h + p_l * 9.6179670095e-1 + select(0.0, 1.5632208487e-6, half);
    let dp_h = select(0.0, 5.8496093750e-1, half);
    let t = f32(n);
    let t1 = $short(((z_h + z_l) + dp_h) + t);
    let t2 = z_l - (((t1 - t) - dp_h) - z_h);
    return vec2<f32>(t1, t2);
}
