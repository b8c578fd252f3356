//! A rule pack of special functions: gamma and its relatives, error functions, and Bessel functions of the first kind.
//!
//! The crates `special` and `libm` compute; this pack adds the derivatives. Each function has derivatives of any order, because
//! each partial is an expression over functions of the pack.

#![deny(missing_docs)]

mod bessel;
mod error;
mod gamma;

mooncake_pack::pack!(cases);

use mooncake_pack::{Case, Value};

/// Calls on which the rules of this pack are tested.
pub fn cases() -> Vec<Case> {
    [gamma::cases(), error::cases(), bessel::cases()].concat()
}

/// Calls of a function of one float.
fn points(name: &'static str, points: &[f64]) -> Vec<Case> {
    points
        .iter()
        .map(|&x| Case::new(name, [Value::Float(x)]))
        .collect()
}
