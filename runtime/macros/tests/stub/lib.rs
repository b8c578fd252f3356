//! Stands for the crate `mooncake` in compile-fail tests: the macro, the surface tree and the traits that types must have are the real ones;
//! nothing is inferred or lowered. With the whole crate each of these tests would build all its dependencies twice.

pub use front::float::Float;
pub use mooncake_macros::{Differentiable, differentiable, non_differentiable};

/// The types and constants of the IR.
pub mod ir {
    use std::fmt;

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
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    }

    impl fmt::Display for Type {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{self:?}")
        }
    }

    /// See `mooncake::ir::Symbol`.
    pub type Symbol = &'static str;
}

#[path = "../../../front"]
mod front {
    pub mod float;
    pub mod tree;
    pub mod ty;
    pub mod types;
    pub mod written;
}

/// See `mooncake::Callable`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a differentiable function",
    label = "not differentiable",
    note = "write `#[differentiable]` before the function that is called here"
)]
pub trait Callable: 'static {
    /// The source and the type arguments.
    fn callee() -> __private::Instance;
}

/// See `mooncake::DifferentiableFn`.
pub trait DifferentiableFn: Callable {
    /// The parameters.
    type Args<'a>;
    /// The result.
    type Output: Returned;
    /// The cotangents of the parameters.
    type Gradient;
    /// The function itself.
    fn native(args: Self::Args<'_>) -> Self::Output;
}

/// See `mooncake::Returned`.
pub trait Returned {}
impl<T> Returned for T {}

/// See `mooncake::stop_gradient`.
pub fn stop_gradient<T>(x: T) -> T {
    x
}

/// See `mooncake`: nothing is called here.
#[doc(hidden)]
#[macro_export]
macro_rules! __marshal {
    ($($items:tt)*) => {};
}

/// See `mooncake::DynGradient`.
#[derive(Clone, Debug, PartialEq)]
pub struct DynGradient;

/// See `mooncake`.
pub struct Behind<'a>(std::marker::PhantomData<&'a ()>);
impl<'a> Behind<'a> {
    /// See `mooncake`.
    pub fn new<T: ?Sized>(_: &'a T) -> Self {
        Behind(std::marker::PhantomData)
    }
}

/// See `mooncake`.
pub struct BehindMut<'a>(std::marker::PhantomData<&'a mut ()>);
impl<'a> BehindMut<'a> {
    /// See `mooncake`.
    pub fn new<T: ?Sized>(_: &'a mut T) -> Self {
        BehindMut(std::marker::PhantomData)
    }
}

/// See `mooncake`: there are no values here.
#[doc(hidden)]
#[macro_export]
macro_rules! __values {
    ($($items:tt)*) => {
        || ::core::option::Option::None
    };
}

/// What the macro's output names.
pub mod __private {
    pub use crate::__marshal as marshal;
    pub use crate::__values as values;
    pub use crate::Callable;
    pub use crate::front::tree::*;
    pub use crate::front::ty::{Adt, ByHand, Dyn, Field, RefKind, Trait, Ty, Variant};
    pub use crate::front::types::{
        ConstantField, Described, FieldValue, FloatReference, Has, HasNot, Hole, Known, Lazy,
        LazyConstant, Made, Named, NamedConstant, NamedVariant, NoInherentFunction, NotFound, OPEN,
        OfTheType, Open, OtherField, OtherLazy, OtherNamed, Parameter, Scalar, Std, ToConstant,
        TypeBehind, Typed, TypedField, TypedLazy, Unheard, Unknown, WithLifetime,
        called_like_a_built_in_type, called_like_an_operator, hole, is_inherent, is_of_a_trait,
        made, one_function,
    };
    pub use crate::front::written::{Resolved, Written};
    pub use crate::ir::{Const, Type};
    pub use crate::{Behind, BehindMut, DynGradient};
    pub use inventory;

    /// See `mooncake::Array`.
    pub struct Array<T>(std::marker::PhantomData<T>);
    impl<T: 'static> Typed for Array<T> {
        type Gradient = ();
        type SliceGradient = ();
        fn ty() -> Ty {
            Ty::UNIT
        }
    }

    /// See `mooncake`.
    pub struct PackFunction;

    impl PackFunction {
        /// See `mooncake`.
        pub const fn new(_: &'static str) -> PackFunction {
            PackFunction
        }
        /// See `mooncake`.
        pub fn call<A, V>(&self, _: A) -> Option<V> {
            None
        }
    }
    /// See `mooncake`.
    pub fn call_pack<F: crate::DifferentiableFn>(_: F::Args<'_>) -> F::Output {
        panic!("a stub")
    }
}
