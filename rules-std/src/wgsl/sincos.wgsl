// The sine of x + n π/2 (Cephes).
fn $turned(x: f32, n: u32) -> f32 {
    if $size(x) >= 0x7f800000u { return $nan(x); }
    let p = $reduce(x);
    let z = p.r * p.r;
    let sine = p.r + (p.r * z * ((-1.9515295891e-4 * z + 8.3321608736e-3) * z - 1.6666654611e-1) + p.low);
    let cosine = 1.0 - (0.5 * z - (((2.443315711809948e-5 * z - 1.388731625493765e-3) * z + 4.166664568298827e-2) * (z * z) - p.r * p.low));
    // Of a negative x the sine changes its sign, and the cosine does not.
    let q = p.q + n;
    let flips = ((q & 2u) == 2u) != (n == 0u && (bitcast<u32>(x) >> 31u) == 1u);
    let y = select(sine, cosine, (q & 1u) == 1u);
    return select(y, -y, flips);
}
