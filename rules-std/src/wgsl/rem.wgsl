// C's fmod, exact: long division on the mantissas, one bit at a time (musl).
fn $rem(x: f32, d: f32) -> f32 {
    let sign = bitcast<u32>(x) & 0x80000000u;
    let a = bitcast<u32>(x) & 0x7fffffffu;
    let b = bitcast<u32>(d) & 0x7fffffffu;
    if b == 0u || b > 0x7f800000u || a >= 0x7f800000u { return $nan(x); }
    if a < b { return x; }
    if a == b { return bitcast<f32>(sign); }
    var ea = i32(a >> 23u);
    var eb = i32(b >> 23u);
    var ma = a & 0x007fffffu;
    var mb = b & 0x007fffffu;
    // Subnormals are brought to the form of the others.
    if ea == 0 {
        let shift = countLeadingZeros(ma) - 8u;
        ma = ma << shift;
        ea = 1 - i32(shift);
    } else { ma = ma | 0x00800000u; }
    if eb == 0 {
        let shift = countLeadingZeros(mb) - 8u;
        mb = mb << shift;
        eb = 1 - i32(shift);
    } else { mb = mb | 0x00800000u; }
    for (; ea > eb; ea -= 1) {
        if ma >= mb { ma = ma - mb; }
        ma = ma << 1u;
    }
    if ma >= mb { ma = ma - mb; }
    if ma == 0u { return bitcast<f32>(sign); }
    let shift = countLeadingZeros(ma) - 8u;
    ma = ma << shift;
    ea = ea - i32(shift);
    if ea > 0 { return bitcast<f32>(sign | (u32(ea) << 23u) | (ma & 0x007fffffu)); }
    return bitcast<f32>(sign | (ma >> u32(1 - ea)));
}
