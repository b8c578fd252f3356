//! Maximum, minimum, bounds.

use mooncake_pack::{Case, scalar};

scalar! {
    /// The larger of two; ties share; a NaN is ignored.
    fn max(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (-10.0, 10.0)],
        context: Minimal,
        native: |a, b| a.max(b),
        body: "select(a > b, a, select(b == b, b, a))",
        partials: [
            "select(a > b, 1, select(a < b, 0, select(a == b, 0.5, select(a == a, 1, 0))))",
            "select(b > a, 1, select(b < a, 0, select(a == b, 0.5, select(b == b, 1, 0))))",
        ],
    }
}

scalar! {
    /// The smaller of two; ties share; a NaN is ignored.
    fn min(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (-10.0, 10.0)],
        context: Minimal,
        native: |a, b| a.min(b),
        body: "select(a < b, a, select(b == b, b, a))",
        partials: [
            "select(a < b, 1, select(a > b, 0, select(a == b, 0.5, select(a == a, 1, 0))))",
            "select(b < a, 1, select(b > a, 0, select(a == b, 0.5, select(b == b, 1, 0))))",
        ],
    }
}

scalar! {
    /// The greater of two, as [`max`], but NaN if one is NaN. `max` of arrays is this.
    fn max_or_nan(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (-10.0, 10.0)],
        context: Minimal,
        body: "select(a > b, a, select(b >= a, b, a + b))",
        partials: [
            "select(a > b, 1, select(a == b, 0.5, 0))",
            "select(b > a, 1, select(a == b, 0.5, 0))",
        ],
    }
}

scalar! {
    /// The smaller of two, as [`min`], but NaN if one is NaN. `min` of arrays is this.
    fn min_or_nan(a: T, b: T) -> T {
        domain: [(-10.0, 10.0), (-10.0, 10.0)],
        context: Minimal,
        body: "select(a < b, a, select(b <= a, b, a + b))",
        partials: [
            "select(a < b, 1, select(a == b, 0.5, 0))",
            "select(b < a, 1, select(a == b, 0.5, 0))",
        ],
    }
}

scalar! {
    /// `x` brought between two bounds; at a bound the two share. Bounds in the wrong order give NaN here; code that calls Rust's method is guarded before.
    fn clamp(x: T, low: T, high: T) -> T {
        domain: [(-10.0, 10.0), (-5.0, -1.0), (1.0, 5.0)],
        context: Minimal,
        native: |x, low, high| if low <= high { x.clamp(low, high) } else { T::NAN },
        body: "select(low <= high, select(x < low, low, select(x > high, high, x)), nan)",
        partials: [
            "select(x < low, 0, select(x > high, 0, select(x == low, 0.5, select(x == high, 0.5, 1))))",
            "select(x < low, 1, select(x == low, 0.5, 0))",
            "select(x > high, 1, select(x == high, 0.5, 0))",
        ],
    }
}

/// Calls on which the rules of this file are tested and timed.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for function in ["max", "max_or_nan", "min", "min_or_nan"] {
        cases.extend(
            [[1.0, 2.0], [2.0, -1.0], [0.5, 0.5]].map(|args| Case::floats(function, &args)),
        );
    }
    for x in [-2.0, 0.25, 3.0] {
        cases.push(Case::floats("clamp", &[x, -1.0, 1.0]));
    }
    cases
}
