// eˣ for -110 <= x <= 88, to one unit in the last place: drivers' own is off by up to 60. (Cephes)
fn $exp(x: f32) -> f32 {
    let k = round(x * 1.44269504);
    // ln 2 in two parts, of which the first has nine bits, so that its product with k is exact.
    let r = (x - k * 0.693359375) + k * 2.12194440e-4;
    let tail = ((((1.9875691500e-4 * r + 1.3981999507e-3) * r + 8.3334519073e-3) * r + 4.1665795894e-2) * r
        + 1.6666665459e-1) * r + 5.0000001201e-1;
    let e = tail * (r * r) + r + 1.0;
    // 2ᵏ in two steps, so that results below 2⁻¹²⁶ are reached.
    let i = i32(k);
    let half = i / 2;
    return e * bitcast<f32>(u32(half + 127) << 23u) * bitcast<f32>(u32(i - half + 127) << 23u);
}
