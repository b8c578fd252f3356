// How two elements become one: their sum.

fn identity() -> Real {
    return Real();
}

fn combine(a: Real, b: Real) -> Real {
    return a + b;
}
