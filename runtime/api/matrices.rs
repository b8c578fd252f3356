//! Whole matrices of derivatives: Hessians and Jacobians, several rows or columns at a time.

use super::derived::{Derived, Kind, activity};
use super::frule::{directions, repeatable};
use super::leaves::{floats_into, set_unit};
use super::visit::Visit;
use super::{Argument, DifferentiableFn, Returned, Slot, Tangent};
use crate::context::Context;
use crate::diag::{Error, Result};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows of numbers: `m[i][j]`.
pub type Rows = Vec<Vec<f64>>;

/// Values with gradients and Hessians. Immutable, as [`RRule`](super::RRule) is.
///
/// It takes the derivative of the gradient along up to eight directions at once, which share the values and the control flow. Of large functions it
/// takes fewer at a time, and of those with native rules one.
///
/// ```
/// use mooncake::Const;
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn energy(x: &[f64], stiffness: f64) -> f64 {
///     stiffness * (x[0] - x[1]) * (x[0] - x[1]) + x[0] * x[0] * x[0]
/// }
///
/// # fn main() -> mooncake::Result<()> {
/// let hessian = Context::default().build_hessian::<energy>()?;
/// let (y, (dx, ()), h) = hessian.value_gradient_and_hessian((&[1.0, 2.0], Const(4.0)))?;
/// assert_eq!((y, dx), (5.0, vec![-5.0, 8.0]));
/// assert_eq!(h, [[14.0, -8.0], [-8.0, 8.0]]);
/// # Ok(())
/// # }
/// ```
pub struct Hessian<F> {
    derived: Arc<Derived>,
    function: PhantomData<fn() -> F>,
}

impl<F> Clone for Hessian<F> {
    fn clone(&self) -> Self {
        Hessian {
            derived: self.derived.clone(),
            function: PhantomData,
        }
    }
}

impl<F: DifferentiableFn> Hessian<F> {
    /// The value, the gradient and the Hessian: `h[i][j]`, where i and j count the floats of all arguments that are not [`Const`](crate::Const), in the
    /// order in which the gradient has them: fields as they are declared, elements by their indices, a cell where it is come to first. What the
    /// function writes to its arguments is undone.
    ///
    /// # Errors
    /// If the function fails on these arguments, or if its result is no single float.
    pub fn value_gradient_and_hessian<'a, A>(
        &self,
        mut args: A,
    ) -> Result<(F::Output, A::Gradient, Rows)>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: Slot<A::Gradient> + Tangent<F::Args<'a>, A> + Visit,
    {
        let active = activity::<F::Args<'a>, A>();
        let seed = match F::Output::ONE_NEEDS_VALUE {
            false => F::Output::one(None)?,
            true => self.one::<A>(&mut args)?,
        };
        let mut gradient = args.gradient();
        let mut chunks = Chunks::new(&self.derived, &mut gradient, || args.gradient())?;
        let mut products: Vec<A::Gradient> = chunks.units.iter().map(|_| args.gradient()).collect();
        let along = directions::<F::Args<'a>, A, A::Gradient>()?;
        let kind = Kind::Hvp(chunks.units.len());
        let compiled = self.derived.compiled(kind, active.and(&along))?;
        let mut rows = Rows::with_capacity(chunks.width);
        let mut found = None;
        while let Some(units) = chunks.next() {
            let value = compiled
                .value_gradient_and_hvps::<F::Args<'a>, A, A::Gradient, F::Output>(
                    &mut args,
                    units,
                    &seed,
                    &mut gradient,
                    &mut products,
                )?;
            found = Some(value);
            chunks.take(&mut products, &mut rows)?;
        }
        Ok((found.ok_or_else(nothing)?, gradient, rows))
    }

    /// The cotangent of a result whose shape has to be known.
    fn one<'a, A>(&self, args: &mut A) -> Result<<F::Output as Returned>::Cotangent>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: Slot<A::Gradient>,
    {
        let split = self
            .derived
            .compiled(Kind::Split, activity::<F::Args<'a>, A>())?;
        let mut gradient = args.gradient();
        let (value, _) =
            split.value_and_gradient::<F::Args<'a>, A, F::Output>(args, &mut gradient)?;
        F::Output::one(Some(&value))
    }
}

/// Values with Jacobians. Immutable, as [`RRule`](super::RRule) is.
///
/// It goes forward along up to eight directions at once where there are few floats in the arguments, or many in the result; and backward
/// from each float of the result where there are far fewer of these. Each way is compiled when it is first gone.
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn polar(r: f64, phi: f64) -> (f64, f64) {
///     (r * phi.cos(), r * phi.sin())
/// }
///
/// # fn main() -> mooncake::Result<()> {
/// let jacobian = Context::default().build_jacobian::<polar>()?;
/// let (y, j) = jacobian.value_and_jacobian((2.0, 0.0))?;
/// assert_eq!(y, (2.0, 0.0));
/// assert_eq!(j, [[1.0, 0.0], [0.0, 2.0]]);
/// # Ok(())
/// # }
/// ```
pub struct Jacobian<F> {
    derived: Arc<Derived>,
    /// How many floats the last result had, plus one. 0 before the first.
    height: Arc<AtomicUsize>,
    function: PhantomData<fn() -> F>,
}

impl<F> Clone for Jacobian<F> {
    fn clone(&self) -> Self {
        Jacobian {
            derived: self.derived.clone(),
            height: self.height.clone(),
            function: PhantomData,
        }
    }
}

impl<F> Jacobian<F>
where
    F: DifferentiableFn<Output: Returned<Cotangent: Visit>>,
{
    /// The value and the Jacobian: `j[i][k]` is the derivative of the i-th float of the result with respect to the k-th of all arguments that are
    /// not [`Const`](crate::Const).
    ///
    /// # Errors
    /// If the function fails on these arguments; and for functions of `&mut` slices, which a second pass would find changed. What the function
    /// writes to other arguments is not taken over.
    pub fn value_and_jacobian<'a, A>(&self, mut args: A) -> Result<(F::Output, Rows)>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: Slot<A::Gradient> + Tangent<F::Args<'a>, A> + Visit,
    {
        repeatable::<F>()?;
        let mut first = args.gradient();
        let mut chunks = Chunks::new(&self.derived, &mut first, || args.gradient())?;
        if let Some(height) = self.height.load(Ordering::Relaxed).checked_sub(1)
            && chunks.is_tall(height)
        {
            return self.backward(args, chunks.width);
        }
        let along = directions::<F::Args<'a>, A, A::Gradient>()?;
        let compiled = self
            .derived
            .compiled(Kind::Dual(chunks.units.len()), along)?;
        let mut columns = Rows::with_capacity(chunks.width);
        let mut found = None;
        while let Some(units) = chunks.next() {
            let (value, mut derivatives) = compiled
                .value_and_derivatives::<F::Args<'a>, A, A::Gradient, F::Output>(
                    &mut args, units,
                )?;
            chunks.take(&mut derivatives, &mut columns)?;
            if found.is_none() {
                let height = count(&mut derivatives[0])?;
                self.height.store(height + 1, Ordering::Relaxed);
                if chunks.is_tall(height) {
                    return self.backward(args, chunks.width);
                }
                found = Some((value, height));
            }
        }
        let (value, height) = found.ok_or_else(nothing)?;
        let row = |i: usize| columns.iter().map(|column| column[i]).collect();
        Ok((value, (0..height).map(row).collect()))
    }

    /// Row by row, in reverse mode.
    fn backward<'a, A>(&self, mut args: A, width: usize) -> Result<(F::Output, Rows)>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: Slot<A::Gradient> + Visit,
    {
        let compiled = self
            .derived
            .compiled(Kind::Split, activity::<F::Args<'a>, A>())?;
        let host = compiled.host();
        let mut rows = Rows::new();
        let mut slot = args.gradient();
        loop {
            let (mut given, mut tables) = (compiled.start(true), super::call::Tables::default());
            let call = (&mut given, &mut tables);
            let value: F::Output = compiled.forward(call, &mut args, &host)?;
            let mut seed = value.zero_cotangent();
            let height = count(&mut seed)?;
            self.height.store(height + 1, Ordering::Relaxed);
            set_unit(&mut seed, rows.len());
            slot.clear();
            let call = (&mut given, &mut tables);
            compiled.pull_back::<F::Args<'a>, A, F::Output>(
                call, &mut args, &host, &seed, &mut slot, false,
            )?;
            if height > 0 {
                let mut row = Vec::with_capacity(width);
                floats_into(&mut slot, &mut row)?;
                rows.push(row);
            }
            if rows.len() >= height {
                return Ok((value, rows));
            }
        }
    }
}

/// The unit vectors of a space of gradients, some at a time.
struct Chunks<G> {
    /// The number of floats.
    width: usize,
    /// As many as are taken at once.
    units: Vec<G>,
    /// How many have been taken. It is none before the first time.
    done: Option<usize>,
}

impl<G: Visit> Chunks<G> {
    fn new(derived: &Derived, first: &mut G, make: impl Fn() -> G) -> Result<Chunks<G>> {
        let width = count(first)?;
        let units = (0..derived.directions(width)).map(|_| make()).collect();
        Ok(Chunks {
            width,
            units,
            done: None,
        })
    }
    /// Whether a matrix of so many rows, of which a pass has been made forward already, is made backward in less time: a pass forward takes
    /// about 1 + 0.7 k times as long as the function, with k directions, and a pass backward four times.
    fn is_tall(&self, height: usize) -> bool {
        let forward = self
            .width
            .div_ceil(self.units.len().max(1))
            .saturating_sub(1);
        40 * height < forward * (10 + 7 * self.units.len())
    }
    /// The next of them, and zeros once there are no more. It gives some also if there are no floats at all: for the value.
    fn next(&mut self) -> Option<&mut [G]> {
        let start = match self.done {
            None => 0,
            Some(done) if done >= self.width => return None,
            Some(done) => done,
        };
        for (n, direction) in self.units.iter_mut().enumerate() {
            set_unit(direction, start + n);
        }
        self.done = Some(start + self.units.len());
        Some(&mut self.units)
    }
    /// Adds what has been found along the last of them to the rows.
    fn take(&self, found: &mut [impl Visit], rows: &mut Rows) -> Result<()> {
        let left = self.width - rows.len();
        for whole in found.iter_mut().take(left) {
            let mut row = Vec::with_capacity(rows.last().map_or(self.width, Vec::len));
            floats_into(whole, &mut row)?;
            rows.push(row);
        }
        Ok(())
    }
}

/// The number of floats.
fn count(whole: &mut impl Visit) -> Result<usize> {
    let mut floats = Vec::new();
    floats_into(whole, &mut floats)?;
    Ok(floats.len())
}

fn nothing() -> Error {
    Error::Internal("no pass was made".to_owned())
}

impl Context {
    /// Hessians of `F`: checked here, compiled on first use.
    pub fn build_hessian<F: DifferentiableFn>(&self) -> Result<Hessian<F>> {
        Ok(Hessian {
            derived: Arc::new(Derived::new(self, &F::callee())?),
            function: PhantomData,
        })
    }

    /// Jacobians of `F`: checked here, compiled on first use.
    pub fn build_jacobian<F: DifferentiableFn>(&self) -> Result<Jacobian<F>> {
        Ok(Jacobian {
            derived: Arc::new(Derived::new(self, &F::callee())?),
            height: Arc::default(),
            function: PhantomData,
        })
    }

    /// The value, the gradient and the Hessian for all arguments, once: see [`Hessian`], which is kept, and which takes `Const` arguments.
    pub fn value_gradient_and_hessian<'a, F: DifferentiableFn>(
        &self,
        args: impl Smooth<'a, F>,
    ) -> Result<(F::Output, F::Gradient, Rows)> {
        args.hessian(self)
    }

    /// The value and the Jacobian for all arguments, once: see [`Jacobian`], which is kept, and which takes `Const` arguments.
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
    note = "these matrices are of derivatives for all arguments; for some of them use `build_hessian` or `build_jacobian`, where others may be `Const`"
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
    note = "leave `Const` out; for derivatives with respect to some of the arguments use `build_hessian` or `build_jacobian`, where the others may be `Const`"
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
    fn hessian(self, ctx: &Context) -> Result<(F::Output, F::Gradient, Rows)> {
        let rule = ctx.build_hessian::<F>()?;
        let (value, gradient, rows) = rule.value_gradient_and_hessian(self)?;
        Ok((value, gradient.whole(), rows))
    }
    fn jacobian(self, ctx: &Context) -> Result<(F::Output, Rows)>
    where
        F::Output: Returned<Cotangent: Visit>,
    {
        ctx.build_jacobian::<F>()?.value_and_jacobian(self)
    }
}
