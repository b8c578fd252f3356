//! What users type: functions by their types, rules that give values, gradients and derivatives.
//!
//! Everything here is typed by the differentiable function `F`: what may be passed for its parameters ([`Argument`]),
//! where the gradient goes ([`GradientSink`]), what a direction is ([`Tangent`]), what it returns ([`Returned`]). Which parameters are active is in the types
//! too ([`Const`]), so each pattern is compiled once.

/// Calls a macro with the list `A P 0, B Q 1, …` for every number of fields up to 12.
macro_rules! for_tuples {
    ($macro:ident) => {
        $macro!();
        $macro!(A P 0);
        $macro!(A P 0, B Q 1);
        $macro!(A P 0, B Q 1, C R 2);
        $macro!(A P 0, B Q 1, C R 2, D S 3);
        $macro!(A P 0, B Q 1, C R 2, D S 3, E T 4);
        $macro!(A P 0, B Q 1, C R 2, D S 3, E T 4, F U 5);
        $macro!(A P 0, B Q 1, C R 2, D S 3, E T 4, F U 5, G V 6);
        $macro!(A P 0, B Q 1, C R 2, D S 3, E T 4, F U 5, G V 6, H W 7);
        $macro!(A P 0, B Q 1, C R 2, D S 3, E T 4, F U 5, G V 6, H W 7, I X 8);
        $macro!(A P 0, B Q 1, C R 2, D S 3, E T 4, F U 5, G V 6, H W 7, I X 8, J Y 9);
        $macro!(A P 0, B Q 1, C R 2, D S 3, E T 4, F U 5, G V 6, H W 7, I X 8, J Y 9, K Z 10);
        $macro!(A P 0, B Q 1, C R 2, D S 3, E T 4, F U 5, G V 6, H W 7, I X 8, J Y 9, K Z 10, L N 11);
    };
}
pub(crate) use for_tuples;

mod argument;
mod call;
mod context;
mod derived;
mod direct;
mod fields;
mod on_demand;
mod frule;
pub mod own_rule;
mod packs;
pub(crate) mod leaves;
pub mod linear;
mod matrices;
pub(crate) mod pipeline;
mod primal;
mod reader;
mod results;
mod returned;
mod rows;
mod rrule;
mod second;
mod layout;
mod gradient_sink;
mod tangent;
mod value;
mod visit;
#[cfg(test)]
mod tests;

pub(crate) use argument::reference;
pub use argument::{Argument, Const, itself as argument_itself};
pub use call::{Activity, Call};
pub use direct::{Direct, Numbers};
pub use fields::{EachCotangent, EachField, EachGradient, EachPart, MakeField};
pub use frule::FRule;
pub use gradient_sink::{GradientSink, itself as gradient_sink_itself};
pub use linear::{Differ, Duplicates, Linear, Zip};
pub use matrices::{AllActive, Hessian, Jacobian, Pattern, Rows};
pub use packs::call_pack;
pub use primal::{Primal, compiled};
pub use reader::Reader;
pub use results::Results;
pub use returned::Returned;
pub use rows::{Plain, Variants};
pub use rrule::{Pullback, RRule};
pub use second::Hvp;
pub use tangent::{Along, Passed, Tangent, itself as tangent_itself};
pub use value::{
    Copies, Cotangent, DynGradient, InRc, NoValues, Seen, Value, dynamic_itself, empty_variant,
    one_ends, values_of,
};
pub use visit::{Number, Visit, Visitor};

use crate::front::tree::Instance;

/// A function that differentiable code can call. What can be called from outside too is a [`DifferentiableFn`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a differentiable function",
    label = "not differentiable",
    note = "write `#[differentiable]` before the function that is called here"
)]
pub trait Callable: 'static {
    /// Whether it does its work in compiled code only: then native functions that call it call what is compiled of them.
    #[doc(hidden)]
    const COMPILED: bool = false;
    /// Its source and type arguments.
    fn callee() -> Instance;
}

/// Functions of the library that programs call by name: beside each stands an enum of its name, as `#[differentiable]` puts one beside its functions. The word
/// before them is their [`Callable::COMPILED`].
macro_rules! library_functions {
    ($compiled:literal: $($name:ident)*) => {$(
        #[doc = concat!("[`", stringify!($name), "`](fn@", stringify!($name), ") in differentiable functions.")]
        #[allow(non_camel_case_types, reason = "it is found by the function's name")]
        pub enum $name {}

        impl $crate::Callable for $name {
            const COMPILED: bool = $compiled;
            fn callee() -> $crate::front::tree::Instance {
                let source = $crate::stdlib::library_function(stringify!($name));
                (source.expect("the library has these functions"), Vec::new())
            }
        }
    )*};
}
pub(crate) use library_functions;

/// A function that `#[differentiable]` has read. The macro implements it for an empty enum of the function's name, in
/// the type namespace, so that `build_rrule::<f>()` names both.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a differentiable function",
    label = "not differentiable",
    note = "write `#[differentiable]` before the function, and name the function itself here, without parentheses",
    note = "functions that take functions, or return references or functions, can only be called in differentiable functions"
)]
pub trait DifferentiableFn: Callable {
    /// The parameters as a tuple, also of one: `(&'a [f64], f64)`.
    type Args<'a>;
    /// What it returns.
    type Output: Returned;
    /// One cotangent for each parameter: `Vec<f64>` for `&[f64]` and `&mut [f64]`, `Array<f32>` for arrays, floats for themselves, tuples
    /// of cotangents for tuples, `()` for what has no derivative.
    type Gradient;
    /// The function itself, as rustc compiles it: what all that is derived from it is compared with.
    fn native(args: Self::Args<'_>) -> Self::Output;
}
