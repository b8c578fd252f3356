//! Automatic differentiation of ordinary Rust.

// The default packs register themselves when they are linked; nothing else of them is used.
#[cfg(feature = "rules-linalg")]
use rules_linalg as _;
#[cfg(feature = "rules-std")]
use rules_std as _;

// The macro writes `::mooncake::…`, also in this crate's own tests.
extern crate self as mooncake;

mod arena;
mod diag;
// Public for the tests and tools of this repository alone: no part of the interface.
#[doc(hidden)]
pub mod ir;
#[doc(hidden)]
pub mod tangent;
#[doc(hidden)]
pub mod registry;
mod plugin;
mod context;
#[doc(hidden)]
pub mod interp;
mod front;
mod infer;
mod normalise;
#[doc(hidden)]
pub mod ad;
mod opt;
mod codegen;
mod exec;
mod array;
mod api;
pub mod inspect;
pub mod testing;

pub use api::{
    Activity, Argument, Call, Const, DifferentiableFn, FRule, Hvp, Primal, Pullback, RRule,
    Results, Returned, Slot, Smooth, Tangent,
};
pub use array::{Array, Device, Element, FloatElement, IntoShape, MapArgument};
pub use context::{Context, ContextBuilder};
pub use diag::{Diagnostic, Error, Result, Span};
pub use exec::Stats;
pub use ir::Type;
pub use mooncake_macros::differentiable;
pub use plugin::{Declaration, Pack};

/// What `#[differentiable]` writes; no part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::front::native::{call_pack_f32, call_pack_f64};
    pub use crate::front::tree::*;
    pub use crate::front::types::{IntoConstant, Scalar, Typed};
    pub use crate::ir::{Const, Type};
}

/// What most programs need: `use mooncake::prelude::*;`
pub mod prelude {
    pub use crate::testing::test_rule;
    pub use crate::{
        Array, Const, Context, Device, DifferentiableFn, Error, FRule, Hvp, Primal, RRule, Type,
        differentiable,
    };
}

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
