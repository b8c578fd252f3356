//! Automatic differentiation of ordinary Rust.
#![doc = include_str!("../README.md")]
#![deny(missing_docs)]
// Types may contain functions as values. A function is known by its path; the text of it that has been read meanwhile makes no difference.
#![allow(clippy::mutable_key_type)]
// What only GPUs need stays where it belongs also where there are none.
#![cfg_attr(not(feature = "gpu"), allow(dead_code, unused_imports))]

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
pub mod kernel;
#[doc(hidden)]
pub mod tangent;
#[doc(hidden)]
pub mod registry;
mod plugin;
mod context;
#[doc(hidden)]
pub mod interp;
mod front;
mod stdlib;
mod resolve;
mod infer;
mod elaborate;
mod borrows;
mod lower;
mod normalise;
#[doc(hidden)]
pub mod ad;
mod opt;
mod codegen;
mod exec;
mod array;
mod api;
mod parallel;
pub mod derivatives;
pub mod inspect;
pub mod testing;

#[doc(inline)]
pub use api::linear as tangents;
pub use api::{
    Activity, AllActive, Along, Argument, Call, Callable, Const, Cotangent, DifferentiableFn,
    DynGradient, FRule, GradientSink, Hessian, Hvp, Jacobian, Pattern, Primal, Pullback, RRule,
    Reader, Results, Returned, Rows, Tangent, Value,
};
pub use array::{
    Array, ArrayIndex, Arrays, AxisIndex, Device, Element, FloatElement, IntoShape, MapArgument,
    NumberElement, Parts,
};
pub use context::{Context, ContextBuilder};
pub use derivatives::{derivative, gradient, hvp, value_and_gradient};
pub use diag::{Diagnostic, Error, Result, Span};
pub use exec::Stats;
pub use front::float::Float;
pub use front::tangents::{TangentType, needs_identity_map, tangent_type};
pub use half::f16;
pub use ir::Type;
pub use mooncake_macros::{Differentiable, differentiable, non_differentiable};
pub use parallel::{par_for, par_map, par_sum};
#[doc(hidden)]
pub use plugin::hex;
pub use plugin::{Declaration, Lock, Pack, PackFile};

/// How values go into calls and come back, as `#[derive(Differentiable)]` writes it. Where only syntax and types are tested, it is left out.
#[doc(hidden)]
#[macro_export]
macro_rules! __marshal {
    ($($items:tt)*) => { $($items)* };
}

/// What calls have to know of the values of a type that has a trait. Where only syntax and types are tested, it is nothing.
#[doc(hidden)]
#[macro_export]
macro_rules! __values {
    ($own:ty, $boxed:ident, $shared:ident, $($of:tt)*) => {
        || {
            trait NoDynamic {
                fn $boxed(self: ::std::boxed::Box<Self>) -> ::std::boxed::Box<dyn ::core::any::Any> {
                    ::std::boxed::Box::new(())
                }
                fn $shared(self: ::std::rc::Rc<Self>) -> ::std::boxed::Box<dyn ::core::any::Any> {
                    ::std::boxed::Box::new(())
                }
            }
            impl<T> NoDynamic for T {}
            struct Probe<T>(::core::marker::PhantomData<T>);
            impl<T: $($of)* + $crate::__private::Value + 'static> Probe<T> {
                fn values() -> ::core::option::Option<::std::boxed::Box<dyn ::core::any::Any + Send + Sync>> {
                    let values = $crate::__private::values_of::<T>(T::$boxed, T::$shared);
                    ::core::option::Option::Some(values)
                }
            }
            use $crate::__private::NoValues as _;
            Probe::<$own>::values()
        }
    };
}

/// What `#[differentiable]` writes; no part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::__marshal as marshal;
    pub use crate::__values as values;
    pub use crate::Array;
    pub use crate::api::own_rule;
    pub use crate::api::{
        Activity, Argument, Call, Callable, Copies, Cotangent, Differ, Direct, Duplicates,
        DynGradient, EachCotangent, EachField, EachGradient, EachPart, GradientSink, InRc, Linear,
        MakeField, NoValues, Numbers, Passed, Plain, Reader, Results, Seen, Tangent, Value,
        Variants, Visit, Visitor, Zip, argument_itself, call_pack, compiled, dynamic_itself,
        empty_variant, gradient_sink_itself, one_ends, tangent_itself, values_of,
    };
    pub use crate::diag::{Error, Result};
    pub use crate::exec::{Behind, BehindMut};
    pub use crate::front::tree::*;
    pub use crate::front::ty::{Adt, ByHand, Dyn, Field, RefKind, Trait, Ty, Variant};
    pub use crate::front::types::{
        ConstantField, Described, FieldValue, FloatReference, Has, HasNot, Hole, Known, Lazy,
        LazyConstant, Made, Named, NamedConstant, NamedVariant, NoInherentFunction, NotFound, OPEN,
        OfTheType, Open, OtherField, OtherLazy, OtherNamed, Parameter, Scalar, Std, ToConstant,
        TypeArgumentLeftOut, TypeBehind, Typed, TypedField, TypedLazy, Unheard, Unknown,
        WithLifetime, called_like_a_built_in_type, called_like_an_operator, hole, is_inherent,
        is_of_a_trait, made, one_function,
    };
    pub use crate::front::written::{Resolved, Written};
    pub use crate::ir::{Const, Type};
    pub use crate::plugin::Site as PackFunction;
    pub use crate::testing::{Own, TestArgument, own_value};
    pub use inventory;
}

/// The value itself; derivatives take it as a constant. Natively it does nothing.
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn half_stopped(x: f64) -> f64 {
///     x * stop_gradient(x)
/// }
///
/// # fn main() -> mooncake::Result<()> {
/// let rule = Context::default().build_rrule::<half_stopped>()?;
/// assert_eq!(rule.value_and_gradient((3.0,))?, (9.0, (3.0,)));
/// # Ok(())
/// # }
/// ```
pub fn stop_gradient<T>(x: T) -> T {
    x
}

/// What most programs need: `use mooncake::prelude::*;`
///
/// Names that other crates use as well (`Const`, `Error`, `Float`, `Primal`, `Type`) are imported by themselves: `use mooncake::Const;`.
pub mod prelude {
    pub use crate::testing::test_rule;
    pub use crate::{
        Array, Context, Device, Differentiable, DifferentiableFn, FRule, Hvp, RRule,
        differentiable, non_differentiable, par_for, par_map, par_sum, stop_gradient,
    };
}

/// The code in the guide to packs compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../plugins/README.md")]
struct PackGuide;
