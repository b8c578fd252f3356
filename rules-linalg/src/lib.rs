//! Dense linear algebra: products, norms, decompositions, linear systems and determinants of arrays.
//!
//! An ordinary pack, written against `mooncake-pack` alone. `faer` computes; derivatives are expressions over the pack's own
//! functions, so they serve reverse mode, forward mode and derivatives of any order. Arrays on a GPU are moved to the host
//! and their results back.
//!
//! Programs over slices have BLAS and LAPACK as their users know them, with rules of first order (`slices`).

#![deny(missing_docs)]

pub mod dense;
mod factor;
mod products;
mod slices;
mod solve;

mooncake_pack::pack!(cases);

use mooncake_pack::Case;

/// Calls on which the rules of this pack are tested.
pub fn cases() -> Vec<Case> {
    [
        products::cases(),
        solve::cases(),
        factor::cases(),
        slices::cases(),
    ]
    .concat()
}
