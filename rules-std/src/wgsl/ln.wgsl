// ln(1 + f) for sqrt(1/2) - 1 <= f <= sqrt(2) - 1 (FreeBSD logf).
fn $ln_near_1(f: f32) -> f32 {
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let r = w * (0.40000972152 + w * 0.24279078841) + z * (0.66666662693 + w * 0.28498786688);
    let h = 0.5 * f * f;
    return f - (h - s * (h + r));
}
// The m and k of x = 2ᵏ (1 + m), x positive and finite: (ln(1 + m), k).
fn $ln_parts(x: f32) -> vec2<f32> {
    let tiny = bitcast<u32>(x) < 0x00800000u;
    // The bits of a subnormal number are an integer of which it is a multiple.
    let bits = bitcast<u32>(select(x, f32(bitcast<u32>(x)), tiny)) + 0x004afb0du;
    let k = f32(i32(bits >> 23u) - select(127, 276, tiny));
    let f = bitcast<f32>((bits & 0x007fffffu) + 0x3f3504f3u) - 1.0;
    return vec2<f32>($ln_near_1(f), k);
}
// The logarithm of a number that has none, or one that is not finite; `y` for all others.
fn $ln_special(x: f32, y: f32) -> f32 {
    let bits = bitcast<u32>(x);
    if (bits & 0x7fffffffu) == 0u { return -$inf(x); }
    if $is_nan(x) || bits == 0x7f800000u { return x; }
    if bits > 0x7fffffffu { return $nan(x); }
    return y;
}
fn $ln_joined(p: vec2<f32>, more: f32) -> f32 {
    return p.y * 0.69313812256 + (p.y * 9.0580006145e-6 + (p.x + more));
}
fn $ln(x: f32) -> f32 { return $ln_special(x, $ln_joined($ln_parts(x), 0.0)); }
// ln(1 + x) for a finite x > -1: the logarithm of a sum of few bits, and what it leaves.
fn $ln_1p(x: f32) -> f32 {
    let u = $short(1.0 + x);
    let left = ((select(1.0, x, x > 1.0) - u) + select(x, 1.0, x > 1.0)) / u;
    return select($ln_joined($ln_parts(u), left - 0.5 * left * left), $ln_near_1(x), abs(x) < 0.29);
}
