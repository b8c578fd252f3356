//! Bessel functions of the first kind. Their derivatives are Bessel functions of the neighbouring orders (Abramowitz and Stegun, 9.1.27 and 9.1.28).

use crate::points;
use mooncake_pack::{Case, Value, scalar};

scalar! {
    /// `J₀(x)`
    fn bessel_j0(x: T) -> T {
        domain: [(-10.0, 10.0)],
        native: |x| x.bessel_j0(),
        partials: ["-bessel_j1(x)"],
    }
}

scalar! {
    /// `J₁(x)`
    fn bessel_j1(x: T) -> T {
        domain: [(-10.0, 10.0)],
        native: |x| x.bessel_j1(),
        partials: ["(bessel_j0(x) - bessel_j(x, 2)) * 0.5"],
    }
}

scalar! {
    /// `Jₙ(x)`
    fn bessel_j(x: T, n: i32) -> T {
        domain: [(-10.0, 10.0), (-3, 5)],
        native: |x, n| x.bessel_j(n),
        partials: ["(bessel_j(x, n - 1) - bessel_j(x, n + 1)) * 0.5", ""],
    }
}

/// What the natives take from libm.
trait Bessel {
    fn bessel_j0(self) -> Self;
    fn bessel_j1(self) -> Self;
    fn bessel_j(self, n: i32) -> Self;
}

macro_rules! implement {
    ($ty:ident, $j0:path, $j1:path, $jn:path) => {
        impl Bessel for $ty {
            fn bessel_j0(self) -> $ty {
                $j0(self)
            }
            fn bessel_j1(self) -> $ty {
                $j1(self)
            }
            fn bessel_j(self, n: i32) -> $ty {
                $jn(n, self)
            }
        }
    };
}
implement!(f32, libm::j0f, libm::j1f, libm::jnf);
implement!(f64, libm::j0, libm::j1, libm::jn);

/// Calls on which the rules of this file are tested.
pub(crate) fn cases() -> Vec<Case> {
    let at = [-4.0, 0.0, 0.5, 7.25];
    let mut cases = [points("bessel_j0", &at), points("bessel_j1", &at)].concat();
    for n in [-2, 0, 1, 3] {
        cases.push(Case::new("bessel_j", [Value::Float(2.5), Value::Int(n)]));
    }
    cases
}
