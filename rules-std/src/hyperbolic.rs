//! Hyperbolic functions and their inverses.

use crate::points;
use mooncake_pack::{Case, scalar};

scalar! {
    /// The hyperbolic sine. The derivative is `√(1 + y²)`, whose square would overflow; far out it is `|y|` to the last bit.
    fn sinh(x: T) -> T {
        domain: [(-4.0, 4.0)],
        context: Minimal,
        native: |x| x.sinh(),
        body: "sinh_lanes(x)",
        partials: ["select(abs(y) < 1e9, sqrt(1 + y * y), abs(y))"],
    }
}

scalar! {
    /// The hyperbolic cosine.
    fn cosh(x: T) -> T {
        domain: [(-4.0, 4.0)],
        context: Minimal,
        native: |x| x.cosh(),
        body: "cosh_lanes(x)",
        partials: ["sinh(x)"],
    }
}

scalar! {
    /// The hyperbolic tangent.
    fn tanh(x: T) -> T {
        domain: [(-4.0, 4.0)],
        context: Minimal,
        native: |x| x.tanh(),
        body: "tanh_lanes(x)",
        partials: ["1 - y * y"],
    }
}

scalar! {
    /// The inverse hyperbolic sine. Far out the derivative is `1 / |x|` to the last bit.
    fn asinh(x: T) -> T {
        domain: [(-10.0, 10.0)],
        context: Minimal,
        native: |x| x.asinh(),
        body: "asinh_lanes(x)",
        partials: ["1 / select(abs(x) < 1e9, sqrt(1 + x * x), abs(x))"],
    }
}

scalar! {
    /// The inverse hyperbolic cosine: infinite slope at 1. Two roots, because the product of their arguments overflows, and is positive below -1.
    fn acosh(x: T) -> T {
        domain: [(1.1, 10.0)],
        context: Minimal,
        native: |x| x.acosh(),
        body: "acosh_lanes(x)",
        partials: ["1 / (sqrt(x - 1) * sqrt(x + 1))"],
    }
}

scalar! {
    /// The inverse hyperbolic tangent: infinite slope at ±1.
    fn atanh(x: T) -> T {
        domain: [(-0.9, 0.9)],
        context: Minimal,
        native: |x| x.atanh(),
        body: "atanh_lanes(x)",
        partials: ["1 / ((1 - x) * (1 + x))"],
    }
}

/// Calls on which the rules of this file are tested and timed.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for function in ["sinh", "cosh", "tanh", "asinh"] {
        cases.extend(points(function, &[-2.5, 0.0, 1e-4, 0.75]));
    }
    cases.extend(points("acosh", &[1.25, 3.0]));
    cases.extend(points("atanh", &[-0.75, 0.0, 0.5]));
    cases
}
