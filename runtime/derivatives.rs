//! Derivatives inside differentiable functions: [`gradient()`], [`value_and_gradient()`], [`derivative()`], [`hvp()`].
//!
//! Each takes a function or closure of one argument and the place where its derivative is wanted. What the closure captures is constant
//! for this derivative, and as variable as everything else for the one that is taken of the function around it. Several arguments are a tuple.
//!
//! ```
//! use mooncake::prelude::*;
//!
//! // A loss with a penalty on its slope, to be minimised over the weights: its gradient takes the derivative of a derivative.
//! #[differentiable]
//! fn model(w: &[f64], x: f64) -> f64 {
//!     w[0] * (w[1] * x).sin()
//! }
//! #[differentiable]
//! fn penalised(w: &[f64], x: f64, y: f64) -> f64 {
//!     let error = model(w, x) - y;
//!     let slope = mooncake::gradient(|x| model(w, x), x);
//!     error * error + 0.1 * slope * slope
//! }
//!
//! # fn main() -> mooncake::Result<()> {
//! let rule = Context::default().build_rrule::<penalised>()?;
//! let (loss, (dw, ..)) = rule.value_and_gradient((&[1.0, 2.0], 0.5, 0.0))?;
//! let (sin, cos) = 1f64.sin_cos();
//! assert!((loss - (sin * sin + 0.4 * cos * cos)).abs() < 1e-15);
//! assert!((dw[0] - (2.0 * sin * sin + 0.8 * cos * cos)).abs() < 1e-15);
//! # Ok(())
//! # }
//! ```
//!
//! Derivatives of derivatives are forward mode over reverse mode, at any depth: where the function around is differentiated in reverse mode, the pullback of a
//! gradient is the derivative of that gradient along the cotangent, because Hessians are symmetric. So no two derivatives can be confused: the tangents of each are
//! values of their own (Siskind and Pearlmutter, "Perturbation confusion and referential transparency", 2005).
//!
//! A function that calls these runs as compiled code, natively too: `#[differentiable]` has it call what a default context compiles of it. Where that
//! is not possible, in methods and generic functions, they panic if they are called natively.

use crate::api::library_functions;
use crate::array::{Array, FloatElement};
use crate::front::float::Float;

/// What a derivative inside a program can be taken with respect to: floats, arrays, and tuples, slices, vectors and fixed arrays of floats.
#[diagnostic::on_unimplemented(
    message = "a derivative inside a program cannot be taken with respect to a `{Self}`",
    note = "take it with respect to floats, arrays, tuples, and slices, vectors and fixed arrays of floats",
    note = "let the closure capture the rest, and give the fields of a struct as a tuple"
)]
pub trait Variable {
    /// What its gradient is: a `Vec<f64>` of a `&[f64]`, otherwise a value of the same type.
    type Gradient;
}

impl Variable for f32 {
    type Gradient = f32;
}
impl Variable for f64 {
    type Gradient = f64;
}
impl<X: Variable> Variable for &X {
    type Gradient = X::Gradient;
}
impl<X: Variable> Variable for &[X] {
    type Gradient = Vec<X::Gradient>;
}
impl<X: Variable> Variable for Vec<X> {
    type Gradient = Vec<X::Gradient>;
}
impl<X: Variable, const N: usize> Variable for [X; N] {
    type Gradient = [X::Gradient; N];
}
impl<T: FloatElement> Variable for Array<T> {
    type Gradient = Array<T>;
}
/// What a gradient inside a program can be of: a float, or an array without axes, as `sum` gives.
#[diagnostic::on_unimplemented(
    message = "a gradient is of a function that gives one number, not a `{Self}`",
    note = "give a float, or the array without axes that `.sum()` gives; for the derivatives of several results use `derivative`"
)]
pub trait Loss {}
impl<T: FloatElement> Loss for T {}
impl<T: FloatElement> Loss for Array<T> {}

macro_rules! tuples {
    ($($($name:ident)+;)*) => {$(
        impl<$($name: Variable),+> Variable for ($($name,)+) {
            type Gradient = ($($name::Gradient,)+);
        }
    )*};
}
tuples! { A; A B; A B C; A B C D; A B C D E; A B C D E F; }

/// The gradient of `f` at `x`, inside a differentiable function.
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn energy((q, p): (f64, f64)) -> f64 {
///     0.5 * p * p - q.cos()
/// }
/// // Hamilton's equations of a pendulum.
/// #[differentiable]
/// fn field(q: f64, p: f64) -> (f64, f64) {
///     let (dq, dp) = mooncake::gradient(energy, (q, p));
///     (dp, -dq)
/// }
/// assert_eq!(field(0.0, 2.0), (2.0, 0.0));
/// ```
#[track_caller]
pub fn gradient<X: Variable, R: Loss>(f: impl Fn(X) -> R, x: X) -> X::Gradient {
    let _ = (f, x);
    called_natively("gradient")
}

/// The value and the gradient of `f` at `x`, inside a differentiable function.
///
/// ```
/// use mooncake::prelude::*;
///
/// // A step of Newton's method.
/// #[differentiable]
/// fn step(x: f64, a: f64) -> f64 {
///     let (y, slope) = mooncake::value_and_gradient(|x| x * x - a, x);
///     x - y / slope
/// }
/// assert_eq!(step(2.0, 2.0), 1.5);
/// ```
#[track_caller]
pub fn value_and_gradient<X: Variable, R: Loss>(f: impl Fn(X) -> R, x: X) -> (R, X::Gradient) {
    let _ = (f, x);
    called_natively("value_and_gradient")
}

/// The derivative of a function of one number, in forward mode: a number, or as many as the function gives.
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn second(x: f64) -> f64 {
///     mooncake::derivative(|x| mooncake::derivative(|x| x.powi(3), x), x)
/// }
/// assert_eq!(second(2.0), 12.0);
/// ```
#[track_caller]
pub fn derivative<X: Float + Variable, R: Variable>(f: impl Fn(X) -> R, x: X) -> R::Gradient {
    let _ = (f, x);
    called_natively("derivative")
}

/// The Hessian of `f` at `x` times a direction, which has the form of a gradient, inside a differentiable function.
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn curvature(x: &[f64], v: &[f64]) -> f64 {
///     let product = mooncake::hvp(|x: &[f64]| x[0] * x[0] * x[1], x, v.to_vec());
///     product[0] * v[0] + product[1] * v[1]
/// }
/// assert_eq!(curvature(&[2.0, 3.0], &[1.0, 0.0]), 6.0);
/// ```
#[track_caller]
pub fn hvp<X: Variable, R: Loss>(f: impl Fn(X) -> R, x: X, direction: X::Gradient) -> X::Gradient {
    let _ = (f, x, direction);
    called_natively("hvp")
}

#[track_caller]
fn called_natively<T>(name: &str) -> T {
    panic!(
        "`mooncake::{name}` was called natively: derivatives inside a program exist in compiled code only. Call the function that it is in by a rule \
         (`Context::default().build_primal::<f>()`), or from a `#[differentiable]` function that is neither generic nor a method. The gradient of a \
         `#[differentiable] fn f(x: f64) -> f64` itself is `Context::default().build_rrule::<f>()?.value_and_gradient((x,))?`"
    )
}

library_functions! { true: gradient value_and_gradient derivative hvp }
