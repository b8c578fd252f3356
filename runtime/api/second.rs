//! Derivatives of derivatives, and whole matrices of derivatives.

use super::derived::{Derived, Kind, activity};
use super::frule::directions;
use super::leaves::{floats_of, set_floats};
use super::visit::Visit;
use super::{Argument, DifferentiableFn, Returned, Slot, Tangent};
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::front::ty::Ty;
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

impl<F> Clone for Hvp<F> {
    fn clone(&self) -> Self {
        Hvp {
            derived: self.derived.clone(),
            function: PhantomData,
        }
    }
}

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
        mut direction: T,
    ) -> Result<(F::Output, A::Gradient, A::Gradient)>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: Slot<A::Gradient>,
        T: Tangent<F::Args<'a>, A>,
    {
        self.along(&mut args, &mut direction)
    }

    fn along<'a, A, T>(
        &self,
        args: &mut A,
        direction: &mut T,
    ) -> Result<(F::Output, A::Gradient, A::Gradient)>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: Slot<A::Gradient>,
        T: Tangent<F::Args<'a>, A>,
    {
        let active = activity::<F::Args<'a>, A>();
        let seed = match F::Output::ONE_NEEDS_VALUE {
            false => F::Output::one(None)?,
            true => {
                let split = self.derived.compiled(Kind::Split, active.clone())?;
                let mut gradient = args.gradient();
                let (value, _) =
                    split.value_and_gradient::<F::Args<'a>, A, F::Output>(args, &mut gradient)?;
                F::Output::one(Some(&value))?
            }
        };
        let along = directions::<F::Args<'a>, A, T>()?;
        let compiled = self.derived.compiled(Kind::Hvp, active.and(&along))?;
        let (mut gradient, mut product) = (args.gradient(), args.gradient());
        let value = compiled.value_gradient_and_hvp::<F::Args<'a>, A, T, F::Output>(
            args,
            direction,
            &seed,
            &mut gradient,
            &mut product,
        )?;
        Ok((value, gradient, product))
    }
}

/// Rows of numbers: `m[i][j]`.
pub type Rows = Vec<Vec<f64>>;

impl Context {
    /// Products with the Hessian of `F`: checked here, compiled on first use.
    pub fn build_hvp<F: DifferentiableFn>(&self) -> Result<Hvp<F>> {
        Hvp::new(self)
    }

    /// The value, the gradient and the Hessian: `h[i][j]`, where i and j count the floats of all arguments, in the order in which the gradient
    /// has them: fields as they are declared, elements by their indices, a cell where it is come to first. It takes one product for each of
    /// them.
    pub fn value_gradient_and_hessian<'a, F: DifferentiableFn>(
        &self,
        args: impl Smooth<'a, F>,
    ) -> Result<(F::Output, F::Gradient, Rows)> {
        args.hessian(self)
    }

    /// The value and the Jacobian: `jac[i][j]` is the derivative of the i-th float of the result with respect to the j-th of all
    /// arguments. It takes one forward pass for each of those.
    ///
    /// # Errors
    /// As for a forward rule; and for functions of `&mut` slices, which a second pass would find changed. What the function writes to other
    /// arguments is not taken over.
    pub fn value_and_jacobian<'a, F>(&self, args: impl Smooth<'a, F>) -> Result<(F::Output, Rows)>
    where
        F: DifferentiableFn<Output: Returned<Cotangent: Visit>>,
    {
        args.jacobian(self)
    }
}

/// All arguments of a function, none of them marked constant: what whole matrices of derivatives are taken for.
#[diagnostic::on_unimplemented(
    message = "no matrix of derivatives for `{Self}`: it does not give all arguments of `{F}`",
    note = "matrices are of derivatives for all arguments; for some of them use a forward rule or `build_hvp`, where others may be `Const`"
)]
pub trait Smooth<'a, F: DifferentiableFn> {
    #[doc(hidden)]
    fn hessian(self, ctx: &Context) -> Result<(F::Output, F::Gradient, Rows)>;
    #[doc(hidden)]
    fn jacobian(self, ctx: &Context) -> Result<(F::Output, Rows)>
    where
        F::Output: Returned<Cotangent: Visit>;
}

/// The gradient for all arguments, as a function has it: `G` itself.
#[diagnostic::on_unimplemented(
    message = "a matrix of derivatives is for all arguments, and not all of these have one: their gradient is `{Self}`, expected `{G}`",
    label = "a `Const` among the arguments",
    note = "leave `Const` out; for derivatives with respect to some of the arguments use a forward rule or `build_hvp`, where the others may be `Const`"
)]
pub trait OfAllArguments<G> {
    #[doc(hidden)]
    fn whole(self) -> G;
}

impl<G> OfAllArguments<G> for G {
    fn whole(self) -> G {
        self
    }
}

impl<'a, F, A> Smooth<'a, F> for A
where
    F: DifferentiableFn,
    A: Argument<F::Args<'a>>,
    A::Gradient: OfAllArguments<F::Gradient> + Slot<A::Gradient> + Tangent<F::Args<'a>, A> + Visit,
{
    fn hessian(mut self, ctx: &Context) -> Result<(F::Output, F::Gradient, Rows)> {
        let hvp = ctx.build_hvp::<F>()?;
        let mut direction = self.gradient();
        let count = floats_of(&mut direction)?.len();
        let mut rows = Rows::with_capacity(count);
        let mut found = None;
        // Once also for no floats at all: for the value.
        for i in 0..count.max(1) {
            unit(&mut direction, i, count)?;
            let (value, gradient, mut product) = hvp.along(&mut self, &mut direction)?;
            rows.push(floats_of(&mut product)?);
            found = Some((value, gradient));
        }
        rows.truncate(count);
        let (value, gradient) = found.ok_or_else(nothing)?;
        Ok((value, gradient.whole(), rows))
    }

    fn jacobian(mut self, ctx: &Context) -> Result<(F::Output, Rows)>
    where
        F::Output: Returned<Cotangent: Visit>,
    {
        let derived = Derived::new(ctx, &F::callee())?;
        // Other things are copied into every pass.
        let (source, _) = F::callee();
        let mut params = source.params.iter();
        if params.any(|param| matches!((param.ty)(), Ty::SliceMut(_))) {
            return Err(Error::Array(format!(
                "`{}` has a `&mut` slice as a parameter: return the output instead of writing it to `&mut [T]`, or use a forward rule",
                source.name
            )));
        }
        let mut direction = self.gradient();
        let count = floats_of(&mut direction)?.len();
        let along = directions::<F::Args<'a>, A, A::Gradient>()?;
        let compiled = derived.compiled(Kind::Dual, along)?;
        let mut columns = Rows::with_capacity(count);
        let mut found = None;
        for j in 0..count.max(1) {
            unit(&mut direction, j, count)?;
            let (value, mut column) = compiled
                .value_and_derivative::<F::Args<'a>, A, A::Gradient, F::Output>(
                    &mut self,
                    &mut direction,
                    false,
                )?;
            columns.push(floats_of(&mut column)?);
            found = Some(value);
        }
        let height = columns.first().map_or(0, Vec::len);
        columns.truncate(count);
        let row = |i: usize| columns.iter().map(|column| column[i]).collect();
        let value = found.ok_or_else(nothing)?;
        Ok((value, (0..height).map(row).collect()))
    }
}

fn nothing() -> Error {
    Error::Internal("no pass was made".to_owned())
}

/// The i-th unit vector.
fn unit(direction: &mut impl Visit, i: usize, count: usize) -> Result<()> {
    let mut unit = vec![0.0; count];
    // There may be no floats at all.
    if let Some(place) = unit.get_mut(i) {
        *place = 1.0;
    }
    set_floats(direction, &unit)
}
