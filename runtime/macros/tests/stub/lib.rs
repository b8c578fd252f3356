//! Stands for the crate `mooncake` in compile-fail tests: the macro, the surface tree and the traits that types must have are the real ones;
//! nothing is lowered. With the whole crate each of these tests would build all its dependencies twice.

pub use mooncake_macros::differentiable;

/// The types and constants of the IR.
pub mod ir {
    /// See `mooncake::ir::Const`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Const {
        /// A bool.
        Bool(bool),
        /// An integer.
        Int(i64),
        /// A float.
        Float(f64),
    }

    /// See `mooncake::Type`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[allow(missing_docs)]
    pub enum Type {
        Bool,
        I8,
        I16,
        I32,
        I64,
        Isize,
        U8,
        U16,
        U32,
        U64,
        Usize,
        F32,
        F64,
        Other,
    }

    impl Type {
        /// A type of no further interest.
        pub fn tuple(_: &[Type]) -> Type {
            Type::Other
        }
        /// A type of no further interest.
        pub fn slice(_: Type) -> Type {
            Type::Other
        }
        /// A type of no further interest.
        pub fn slice_mut(_: Type) -> Type {
            Type::Other
        }
    }
}

#[path = "../../../front/tree.rs"]
mod tree;
#[path = "../../../front/types.rs"]
mod types;

/// See `mooncake::DifferentiableFn`.
pub trait DifferentiableFn: 'static {
    /// The parameters.
    type Args<'a>;
    /// The result.
    type Output;
    /// The cotangents of the parameters.
    type Gradient;
    /// The source.
    fn source() -> &'static __private::Source;
    /// The function itself.
    fn native(args: Self::Args<'_>) -> Self::Output;
}

/// What the macro's output names.
pub mod __private {
    pub use crate::ir::{Const, Type};
    pub use crate::tree::*;
    pub use crate::types::{IntoConstant, Scalar, Typed};

    /// See `mooncake`.
    pub fn call_pack_f32(_: &str, _: &[f32]) -> f32 {
        f32::NAN
    }
    /// See `mooncake`.
    pub fn call_pack_f64(_: &str, _: &[f64]) -> f64 {
        f64::NAN
    }
}
