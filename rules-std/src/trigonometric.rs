//! Trigonometric functions and their inverses.

use crate::points;
use mooncake_pack::{Case, Float, scalar};

scalar! {
    /// The sine.
    fn sin(x: T) -> T {
        domain: [(-10.0, 10.0)],
        context: Minimal,
        native: |x| x.sin(),
        with_partials: |x| {
            let (sine, cosine) = x.sine_and_cosine();
            (sine, [cosine])
        },
        body: "sin_lanes(x)",
        partials: ["cos(x)"],
    }
}

scalar! {
    /// The cosine.
    fn cos(x: T) -> T {
        domain: [(-10.0, 10.0)],
        context: Minimal,
        native: |x| x.cos(),
        with_partials: |x| {
            let (sine, cosine) = x.sine_and_cosine();
            (cosine, [-sine])
        },
        body: "cos_lanes(x)",
        partials: ["-sin(x)"],
    }
}

scalar! {
    /// The tangent.
    fn tan(x: T) -> T {
        domain: [(-1.4, 1.4)],
        context: Minimal,
        native: |x| x.tan(),
        body: "tan_lanes(x)",
        partials: ["1 + y * y"],
    }
}

scalar! {
    /// The arcsine: infinite slope at ±1.
    fn asin(x: T) -> T {
        domain: [(-0.95, 0.95)],
        context: Minimal,
        native: |x| x.asin(),
        body: "asin_lanes(x)",
        partials: ["1 / sqrt((1 - x) * (1 + x))"],
    }
}

scalar! {
    /// The arccosine: infinite slope at ±1.
    fn acos(x: T) -> T {
        domain: [(-0.95, 0.95)],
        context: Minimal,
        native: |x| x.acos(),
        body: "acos_lanes(x)",
        partials: ["-1 / sqrt((1 - x) * (1 + x))"],
    }
}

scalar! {
    /// The arctangent.
    fn atan(x: T) -> T {
        domain: [(-10.0, 10.0)],
        context: Minimal,
        native: |x| x.atan(),
        body: "atan_lanes(x)",
        partials: ["1 / (1 + x * x)"],
    }
}

scalar! {
    /// The angle of the point `(b, a)`: NaN at the origin, which has none. Divided twice, because `a² + b²` overflows early.
    fn atan2(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (0.1, 10.0)],
        context: Minimal,
        native: |a, b| a.atan2(b),
        body: "atan2_lanes(a, b)",
        partials: ["b / hypot(a, b) / hypot(a, b)", "-a / hypot(a, b) / hypot(a, b)"],
    }
}

/// Calls on which the rules of this file are tested and timed.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for function in ["sin", "cos", "tan", "atan"] {
        cases.extend(points(function, &[-1.25, 0.0, 0.5, 1.0]));
    }
    for function in ["asin", "acos"] {
        cases.extend(points(function, &[-0.75, 0.0, 0.5]));
    }
    cases.extend([[1.0, 2.0], [-0.5, -1.5], [2.0, 0.0]].map(|args| Case::floats("atan2", &args)));
    cases
}
