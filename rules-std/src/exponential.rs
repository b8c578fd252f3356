//! Exponentials and logarithms.

use crate::points;
use mooncake_pack::{Case, scalar};

scalar! {
    /// `eˣ`: its own derivative.
    fn exp(x: T) -> T {
        domain: [(-5.0, 5.0)],
        context: Minimal,
        native: |x| x.exp(),
        body: "exp_lanes(x)",
        partials: ["y"],
    }
}

scalar! {
    /// `2ˣ`
    fn exp2(x: T) -> T {
        domain: [(-5.0, 5.0)],
        context: Minimal,
        native: |x| x.exp2(),
        body: "exp2_lanes(x)",
        partials: ["y * 0.6931471805599453"],
    }
}

scalar! {
    /// `eˣ - 1`, accurate near 0.
    fn exp_m1(x: T) -> T {
        domain: [(-5.0, 5.0)],
        context: Minimal,
        native: |x| x.exp_m1(),
        body: "exp_m1_lanes(x)",
        partials: ["y + 1"],
    }
}

scalar! {
    /// The natural logarithm.
    fn ln(x: T) -> T {
        domain: [(0.1, 10.0)],
        context: Minimal,
        native: |x| x.ln(),
        body: "ln_lanes(x)",
        partials: ["1 / x"],
    }
}

scalar! {
    /// `ln(1 + x)`, accurate near 0.
    fn ln_1p(x: T) -> T {
        domain: [(-0.9, 10.0)],
        context: Minimal,
        native: |x| x.ln_1p(),
        body: "ln_1p_lanes(x)",
        partials: ["1 / (1 + x)"],
    }
}

scalar! {
    /// The logarithm to base 2.
    fn log2(x: T) -> T {
        domain: [(0.1, 10.0)],
        context: Minimal,
        native: |x| x.log2(),
        body: "log2_lanes(x)",
        partials: ["1 / (x * 0.6931471805599453)"],
    }
}

scalar! {
    /// The logarithm to base 10.
    fn log10(x: T) -> T {
        domain: [(0.1, 10.0)],
        context: Minimal,
        native: |x| x.log10(),
        body: "log10_lanes(x)",
        partials: ["1 / (x * 2.302585092994046)"],
    }
}

scalar! {
    /// The logarithm to any base.
    fn log(x: T, b: T) -> T {
        domain: [(0.1, 10.0), (1.5, 10.0)],
        context: Minimal,
        native: |x, b| x.log(b),
        body: "log_lanes(x, b)",
        partials: ["1 / (x * ln(b))", "-y / (b * ln(b))"],
    }
}

/// Calls on which the rules of this file are tested and timed.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for function in ["exp", "exp2", "exp_m1"] {
        cases.extend(points(function, &[-2.5, 0.0, 1e-6, 1.25]));
    }
    for function in ["ln", "log2", "log10"] {
        cases.extend(points(function, &[0.125, 1.0, 7.5]));
    }
    cases.extend(points("ln_1p", &[-0.5, 0.0, 1e-6, 4.0]));
    cases.push(Case::floats("log", &[5.0, 3.0]));
    cases
}
