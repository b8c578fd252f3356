//! The stable boundary between mooncake and its rule packs, and the kit to write a pack.
//!
//! A *rule pack* is a library of functions with their derivatives. It is an ordinary crate:
//!
//! ```
//! mooncake_pack::pack!();
//!
//! mooncake_pack::scalar! {
//!     /// `x²`
//!     fn square(x: T) -> T {
//!         domain: [(-10.0, 10.0)],
//!         native: |x| x * x,
//!         partials: ["2 * x"],
//!         wgsl: "fn mc_square(x: f32) -> f32 { return x * x; }",
//!     }
//! }
//! # fn main() {}
//! ```
//!
//! Linked into a program, its rows register themselves. To load it at run time, a second crate of `crate-type = ["cdylib"]`
//! holds one line, `mooncake_pack::export!(my_pack);`. Both ways go through the same tables ([`abi`]) and the same checks.
//!
//! Everything that crosses the boundary is in [`abi`] and [`note`]: text, numbers and `extern "C"` functions. It is
//! append-only; this crate's major version is the boundary's. Nothing here knows IR, devices or derivatives.

#![deny(missing_docs)]

pub mod abi;
pub mod note;
mod call;
mod case;
#[doc(hidden)]
pub mod check;
mod collect;
mod guard;
mod join;
mod macros;
mod native;
mod numeric;

pub use abi::Context;
pub use call::{Arg, HostArray, Results, call};
pub use case::{Case, Value};
pub use collect::{Declared, linked};
pub use native::{ArrayOut, ArrayView, Cotangents, Element, Outcome, ReadAgain, Tangents};
pub use numeric::Float;

/// What the macros of this crate expand to. Not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use crate::check;
    pub use crate::collect::{Linked, Row, note_of};
    pub use crate::guard::guarded;
    pub use crate::join::{bytes, joined, joined_len};
    pub use crate::native::{Array, Given, Passed, Tangents, give_pullback, run};
    pub use abi_stable;
    pub use inventory;
}
