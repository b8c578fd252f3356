// How two elements become one: the greater, or the NaN if there is one.

fn identity() -> Real {
    return negative_infinity();
}

fn combine(a: Real, b: Real) -> Real {
    if (is_nan(a) || (a > b && !is_nan(b))) { return a; }
    return b;
}
