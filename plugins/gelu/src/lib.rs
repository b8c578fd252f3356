//! A complete rule pack, as a third party would write it: the activation functions [`gelu`] and [`mish`].
//!
//! Each function is one row: where tests sample it, its native form for both float types, its derivative as an expression,
//! and its WGSL. `../../README.md` tells how to write a pack like this one. The loadable form is the one-line crate
//! `plugins/gelu-pack`.

#![deny(missing_docs)]

mooncake_pack::pack!(cases);

pub mod gelu;
pub mod mish;

use mooncake_pack::Case;

/// Calls on which the rules of this pack are tested.
pub fn cases() -> Vec<Case> {
    [gelu::cases(), mish::cases()].concat()
}

/// One case for each point.
fn points(function: &'static str, points: &[f64]) -> Vec<Case> {
    points
        .iter()
        .map(|&x| Case::floats(function, &[x]))
        .collect()
}
