//! Derivatives of derivatives.

use super::derived::dual_calls::Products;
use super::derived::{Derived, ProgramKind, activity};
use super::frule::directions;
use super::matrices::nothing;
use super::{Argument, DifferentiableFn, GradientSink, Tangent};
use crate::context::Context;
use crate::diag::Result;
use smallvec::smallvec;
use std::marker::PhantomData;
use std::sync::Arc;

/// Values with gradients and products of the Hessian with directions: forward mode over reverse mode. Immutable, as [`RRule`](super::RRule) is.
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn f(x: f64, y: f64) -> f64 {
///     x * x * y
/// }
///
/// # fn main() -> mooncake::Result<()> {
/// let hvp = Context::default().build_hvp::<f>()?;
/// let (value, gradient, product) = hvp.value_gradient_and_hvp((3.0, 2.0), (1.0, 0.0))?;
/// assert_eq!((value, gradient), (18.0, (12.0, 9.0)));
/// // The first column of the Hessian, [[2y, 2x], [2x, 0]].
/// assert_eq!(product, (4.0, 6.0));
/// # Ok(())
/// # }
/// ```
pub struct Hvp<F> {
    derived: Arc<Derived>,
    function: PhantomData<fn() -> F>,
}

super::derived::shared!(Hvp { derived, function });

impl<F: DifferentiableFn> Hvp<F> {
    pub(super) fn new(ctx: &Context) -> Result<Hvp<F>> {
        Ok(Hvp {
            derived: Arc::new(Derived::new(ctx, &F::callee())?),
            function: PhantomData,
        })
    }

    /// The value, the gradient, and the Hessian times the direction: the derivative of the gradient along it. A direction is
    /// given as the tangents of a forward rule are, and the product has the form of the gradient. What the function writes
    /// to its arguments is undone.
    ///
    /// # Errors
    /// If the function fails on these arguments, or if a direction has not the shape of its argument.
    ///
    /// ```
    /// use mooncake::prelude::*;
    ///
    /// #[differentiable]
    /// fn f(x: f64, y: f64) -> f64 {
    ///     x * x * y
    /// }
    ///
    /// let hvp = Context::default().build_hvp::<f>()?;
    /// let (y, g, hv) = hvp.value_gradient_and_hvp((2.0, 3.0), (1.0, 0.5))?;
    /// assert_eq!((y, g, hv), (12.0, (12.0, 4.0), (8.0, 4.0)));
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn value_gradient_and_hvp<'a, A, T>(
        &self,
        mut args: A,
        direction: T,
    ) -> Result<(F::Output, A::Gradient, A::Gradient)>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: GradientSink<A::Gradient>,
        T: Tangent<F::Args<'a>, A>,
    {
        let active = activity::<F::Args<'a>, A>();
        let along = directions::<F::Args<'a>, A, T>()?;
        let compiled = self
            .derived
            .compiled(ProgramKind::Hvp(1), &active.and(&along))?;
        let seed = self
            .derived
            .one::<F::Args<'a>, A, F::Output>(compiled, &mut args)?;
        let mut products = Products {
            directions: smallvec![direction],
            seed: seed.as_ref(),
            gradient: args.gradient(),
            found: smallvec![args.gradient()],
        };
        let value = compiled.call_dual::<F::Args<'a>, A, F::Output>(&mut args, &mut products)?;
        let product = products.found.pop().ok_or_else(nothing)?;
        Ok((value, products.gradient, product))
    }
}

impl Context {
    /// Products with the Hessian of `F`: checked here, compiled on first use.
    pub fn build_hvp<F: DifferentiableFn>(&self) -> Result<Hvp<F>> {
        Hvp::new(self)
    }
}
