//! Forward rules: values with derivatives along a direction.

use super::derived::dual_calls::Derivatives;
use super::derived::{Derived, ProgramKind};
use super::{Activity, Argument, DifferentiableFn, Returned, Tangent};
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::front::ty::Ty;
use std::marker::PhantomData;
use std::sync::Arc;

/// The forward rule of `F`. Immutable: clone it, share it between threads, call it while a call of it runs.
///
/// What is compiled, and when: each pattern of tangents that are `()` on its first call.
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64], a: f64) -> f64 {
///     a * x[0] * x[1]
/// }
///
/// # fn main() -> mooncake::Result<()> {
/// let rule = Context::default().build_frule::<f>()?;
/// // Along the direction in which x[0] grows, and a stays as it is.
/// let (value, derivative) = rule.value_and_derivative((&[2.0, 3.0], 5.0), (&[1.0, 0.0], ()))?;
/// assert_eq!((value, derivative), (30.0, 15.0));
/// # Ok(())
/// # }
/// ```
pub struct FRule<F> {
    derived: Arc<Derived>,
    function: PhantomData<fn() -> F>,
}

super::derived::shared!(FRule { derived, function });

impl<F: DifferentiableFn> FRule<F> {
    pub(super) fn new(ctx: &Context) -> Result<FRule<F>> {
        Ok(FRule {
            derived: Arc::new(Derived::new(ctx, &F::callee())?),
            function: PhantomData,
        })
    }

    /// What has been derived so far because a call came to it, by the names of the derived functions: large functions and closures that
    /// are chosen at run time (`dyn`, functions as values) are derived when they are first called with these active arguments, once
    /// for all clones of the rule. Small ones are derived with their callers.
    pub fn derived_on_demand(&self) -> Vec<&'static str> {
        self.derived.on_demand()
    }

    /// The value, and its derivative along the tangents: one for each argument, in order. A tangent `()` is zero, and nothing
    /// is computed for it. What the function writes to a `&mut` argument it does write, and the derivative of that to
    /// the argument's tangent: give that as `&mut` too.
    ///
    /// # Errors
    /// If the function fails on these arguments; what it has written until then stays. If a tangent has not the shape of
    /// its argument.
    ///
    /// ```
    /// use mooncake::prelude::*;
    ///
    /// #[differentiable]
    /// fn f(x: &[f64], a: f64, n: usize) -> f64 {
    ///     a * x[n] * x[n]
    /// }
    ///
    /// let rule = Context::default().build_frule::<f>()?;
    /// let (y, dy) = rule.value_and_derivative((&[1.0, 2.0], 3.0, 1), (&[0.0, 1.0], 0.5, ()))?;
    /// assert_eq!((y, dy), (12.0, 14.0));
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    #[allow(clippy::type_complexity, reason = "a pair has no shorter type")]
    pub fn value_and_derivative<'a, A, T>(
        &self,
        mut args: A,
        mut tangents: T,
    ) -> Result<(F::Output, <F::Output as Returned>::Cotangent)>
    where
        A: Argument<F::Args<'a>>,
        T: Tangent<F::Args<'a>, A>,
    {
        let directions = directions::<F::Args<'a>, A, T>()?;
        let compiled = self.derived.compiled(ProgramKind::Dual(1), &directions)?;
        compiled.value_and_derivative::<F::Args<'a>, A, T, F::Output>(&mut args, &mut tangents)
    }

    /// The value, and its derivative along each of several directions: tangents as for [`value_and_derivative`](Self::value_and_derivative). Up to
    /// eight are taken at once and share the values and the control flow; of large functions fewer, and of those with native rules one. Each number
    /// of directions is compiled on its first call.
    ///
    /// # Errors
    /// As there; and for functions of `&mut` slices, which a second pass would find changed. What the function writes to other arguments is not
    /// taken over.
    ///
    /// ```
    /// use mooncake::prelude::*;
    ///
    /// #[differentiable]
    /// fn f(x: &[f64], a: f64) -> f64 {
    ///     a * x[0] * x[1]
    /// }
    ///
    /// let rule = Context::default().build_frule::<f>()?;
    /// let directions = vec![(&[1.0, 0.0], 0.0), (&[0.0, 1.0], 0.0), (&[0.0, 0.0], 1.0)];
    /// let (y, dy) = rule.value_and_derivatives((&[2.0, 3.0], 5.0), directions)?;
    /// assert_eq!((y, dy), (30.0, vec![15.0, 10.0, 6.0]));
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    #[allow(clippy::type_complexity, reason = "a pair has no shorter type")]
    pub fn value_and_derivatives<'a, A, T>(
        &self,
        mut args: A,
        tangents: Vec<T>,
    ) -> Result<(F::Output, Vec<<F::Output as Returned>::Cotangent>)>
    where
        A: Argument<F::Args<'a>>,
        T: Tangent<F::Args<'a>, A>,
    {
        repeatable::<F>()?;
        let directions = directions::<F::Args<'a>, A, T>()?;
        let mut derivatives = Vec::with_capacity(tangents.len());
        let at_once = self.derived.directions(tangents.len());
        let mut tangents = tangents.into_iter();
        loop {
            let mut pass = Derivatives {
                directions: tangents.by_ref().take(at_once).collect(),
                found: Vec::new(),
            };
            let kind = ProgramKind::Dual(pass.directions.len());
            let compiled = self.derived.compiled(kind, &directions)?;
            let value = compiled.call_dual::<F::Args<'a>, A, F::Output>(&mut args, &mut pass)?;
            derivatives.append(&mut pass.found);
            if tangents.len() == 0 {
                return Ok((value, derivatives));
            }
        }
    }
}

/// Whether a function may be called several times with the same arguments. Of `&mut` slices a second call would find what the first has written; other
/// things are copied into every call.
pub(super) fn repeatable<F: DifferentiableFn>() -> Result<()> {
    let (source, _) = F::callee();
    let mut params = source.params.iter();
    match params.any(|param| matches!((param.ty)(), Ty::SliceMut(_))) {
        true => Err(Error::Array(format!(
            "`{}` has a `&mut` slice as a parameter: return the output instead of writing it to `&mut [T]`, or take derivatives along one direction at a time",
            source.name
        ))),
        false => Ok(()),
    }
}

/// Which parameters have tangents. A constant argument has none.
pub(super) fn directions<P, A: Argument<P>, T: Tangent<P, A>>() -> Result<Activity> {
    let (mut active, mut given) = (Activity::default(), Activity::default());
    A::activity(&mut active);
    T::activity(&mut given);
    let pairs = active.flags().iter().zip(given.flags());
    match { pairs }.position(|(&active, &given)| given && !active) {
        Some(n) => Err(Error::Array(format!(
            "argument {} is constant: its tangent is `()`",
            n + 1
        ))),
        None => Ok(given),
    }
}
