// sin and cos of |r| <= π/4 (Cephes).
fn $sin_near_0(r: f32) -> f32 {
    let z = r * r;
    return ((-1.9515295891e-4 * z + 8.3321608736e-3) * z - 1.6666654611e-1) * z * r + r;
}
fn $cos_near_0(r: f32) -> f32 {
    let z = r * r;
    return ((2.443315711809948e-5 * z - 1.388731625493765e-3) * z + 4.166664568298827e-2) * z * z - 0.5 * z + 1.0;
}
// sin(x + quadrant π/2)
fn $sin_shifted(x: f32, quadrant: u32) -> f32 {
    if (bitcast<u32>(x) & 0x7f800000u) == 0x7f800000u { return $nan(x); }
    let p = $reduce(x);
    let q = (u32(p.y) + quadrant) & 3u;
    let y = select($sin_near_0(p.x), $cos_near_0(p.x), (q & 1u) == 1u);
    return select(y, -y, q >= 2u);
}
