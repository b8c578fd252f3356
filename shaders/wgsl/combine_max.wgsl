// How two elements become one: the greater, or the NaN if there is one.

fn identity() -> f32 {
    return from_bits(0xff800000u);
}

fn combine(a: f32, b: f32) -> f32 {
    if (is_nan(a) || (a > b && !is_nan(b))) { return a; }
    return b;
}
