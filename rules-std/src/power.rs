//! Powers and roots.

use crate::points;
use mooncake_pack::{Case, Value, scalar};

scalar! {
    /// `xⁿ` for an integer `n`. At `n = 0` the derivative is 0, also at `x = 0`. The smallest `n` has none before it.
    fn powi(x: T, n: i32) -> T {
        domain: [(0.25, 3.0), (-3.0, 4.0)],
        context: Minimal,
        native: |x, n| x.powi(n),
        // Squares, of which `n` chooses by its bits, and the products of these: what Rust's own function multiplies.
        body: "
            let m = select(n < 0, 0 - n, n) in
            let x2 = x * x in
            let x4 = x2 * x2 in
            let x8 = x4 * x4 in
            let x16 = x8 * x8 in
            let y1 = select(and(m, 1) != 0, x, 1) in
            let y2 = select(and(m, 2) != 0, y1 * x2, y1) in
            let y4 = select(and(m, 4) != 0, y2 * x4, y2) in
            let y8 = select(and(m, 8) != 0, y4 * x8, y4) in
            let y = select(and(m, 16) != 0, y8 * x16, y8) in
            select(and(m >= 0, m < 32), select(n < 0, 1 / y, y), slow_powi(x, n))
        ",
        partials: ["select(n == 0, 0, select(n < -2147483647, n * y / x, n * powi(x, n - 1)))", ""],
    }
}

scalar! {
    /// `xⁿ`. At `n = 0` the derivative by `x` is 0, where `y` is 0 the derivative by `n` is 0; and both at `0⁰`.
    fn powf(x: T, n: T) -> T {
        domain: [(0.25, 4.0), (-3.0, 3.0)],
        context: Minimal,
        native: |x, n| x.powf(n),
        body: "powf_lanes(x, n)",
        // At `n = 0` the product is 0, and has the derivative by `n` that it should; but not where `powf(x, -1)` is infinite or NaN.
        partials: [
            "select(and(n == 0, or(x * x == 0, x != x)), 0, n * powf(x, n - 1))",
            "select(or(y == 0, and(x == 0, n == 0)), 0, y * ln(x))",
        ],
    }
}

scalar! {
    /// The cube root: infinite slope at 0.
    fn cbrt(x: T) -> T {
        domain: [(0.1, 10.0)],
        context: Minimal,
        native: |x| x.cbrt(),
        body: "cbrt_lanes(x)",
        partials: ["1 / (3 * y * y)"],
    }
}

scalar! {
    /// `√(a² + b²)` without overflow: 0 at the origin.
    fn hypot(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (0.1, 10.0)],
        context: Minimal,
        native: |a, b| a.hypot(b),
        body: "hypot_lanes(a, b)",
        partials: ["select(y == 0, 0, a / y)", "select(y == 0, 0, b / y)"],
    }
}

/// Calls on which the rules of this file are tested and timed.
pub fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = [-2, -1, 0, 1, 2, 5]
        .map(|n| Case::new("powi", [Value::Float(1.5), Value::Int(n)]))
        .to_vec();
    cases.push(Case::new("powi", [Value::Float(0.0), Value::Int(0)]));
    cases.push(Case::new(
        "powi",
        [Value::Float(1.0), Value::Int(i32::MIN.into())],
    ));
    cases.push(Case::new("powi", [Value::Float(-2.0), Value::Int(3)]));
    cases.extend(
        [[2.0, 0.5], [0.5, -2.25], [3.0, 2.0], [1.0, 1.5]].map(|args| Case::floats("powf", &args)),
    );
    cases.extend(points("cbrt", &[-8.0, 0.125, 5.0]));
    cases.extend([[3.0, 4.0], [-1.0, 0.5]].map(|args| Case::floats("hypot", &args)));
    cases
}
