//! Powers and roots.

use crate::points;
use mooncake_pack::{Case, Value, scalar, wgsl};

scalar! {
    /// `xⁿ` for an integer `n`. At `n = 0` the derivative is 0, also at `x = 0`. The smallest `n` has none before it.
    fn powi(x: T, n: i32) -> T {
        domain: [(0.25, 3.0), (-3.0, 4.0)],
        context: Minimal,
        native: |x, n| x.powi(n),
        partials: ["select(n == 0, 0, select(n < -2147483647, n * y / x, n * powi(x, n - 1)))", ""],
        wgsl: wgsl!(
            powi,
            r#"
            fn mc_powi(x: f32, n: i32) -> f32 {
                var base = x;
                var left = u32(abs(n));
                // The magnitude of the smallest integer is its own bits.
                var y = 1.0;
                loop {
                    if (left & 1u) == 1u { y = y * base; }
                    left = left >> 1u;
                    if left == 0u { break; }
                    base = base * base;
                }
                return select(y, 1.0 / y, n < 0);
            }
        "#,
            "// f64\n",
            r#"
                fn mc_powi_f64(x: f64, n: i32) -> f64 {
                    var base = x;
                    var left = u32(abs(n));
                    var y = 1.0lf;
                    loop {
                        if (left & 1u) == 1u { y = y * base; }
                        left = left >> 1u;
                        if left == 0u { break; }
                        base = base * base;
                    }
                    return select(y, 1.0lf / y, n < 0);
                }
            "#,
        ),
    }
}

scalar! {
    /// `xⁿ`. At `n = 0` the derivative by `x` is 0, where `y` is 0 the derivative by `n` is 0; and both at `0⁰`.
    fn powf(x: T, n: T) -> T {
        domain: [(0.25, 4.0), (-3.0, 3.0)],
        context: Minimal,
        native: |x, n| x.powf(n),
        body: "powf_lanes(x, n)",
        partials: [
            "select(n == 0, 0, n * powf(x, n - 1))",
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
