//! The error function and its complement.

use crate::points;
use mooncake_pack::{Case, scalar};

scalar! {
    /// `erf(x) = 2/√π ∫₀ˣ exp(−t²) dt`
    fn erf(x: T) -> T {
        domain: [(-3.0, 3.0)],
        native: |x| x.error_function(),
        partials: ["1.1283791670955126 * exp(-x * x)"],
    }
}

scalar! {
    /// `1 − erf(x)`, which keeps its digits where it is small.
    fn erfc(x: T) -> T {
        domain: [(-3.0, 3.0)],
        native: |x| x.complement(),
        partials: ["-1.1283791670955126 * exp(-x * x)"],
    }
}

/// What the natives take from libm.
trait Error {
    fn error_function(self) -> Self;
    fn complement(self) -> Self;
}

impl Error for f32 {
    fn error_function(self) -> f32 {
        libm::erff(self)
    }
    fn complement(self) -> f32 {
        libm::erfcf(self)
    }
}

impl Error for f64 {
    fn error_function(self) -> f64 {
        libm::erf(self)
    }
    fn complement(self) -> f64 {
        libm::erfc(self)
    }
}

/// Calls on which the rules of this file are tested.
pub(crate) fn cases() -> Vec<Case> {
    let points_of = |name| points(name, &[-2.0, -0.5, 0.0, 0.75, 2.5]);
    [points_of("erf"), points_of("erfc")].concat()
}
