//! Reverse rules: values with gradients and pullbacks.

use super::call::{CallState, Tables, Waiting};
use super::derived::{Compiled, Derived, ProgramKind, activity};
use super::{Argument, DifferentiableFn, GradientSink, Returned};
use crate::array::host::ArrayHost;
use crate::context::Context;
use crate::diag::{Result, notice};
use crate::exec::Stats;
use std::marker::PhantomData;
use std::sync::Arc;

/// The reverse rule of `F`. Immutable: clone it, share it between threads, call it while a call of it runs.
///
/// What is compiled, and when: each pattern of constant arguments on its first call.
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64], a: f64) -> f64 {
///     x.iter().map(|x| a * x * x).sum()
/// }
///
/// # fn main() -> mooncake::Result<()> {
/// let rule = Context::default().build_rrule::<f>()?;
/// let x = vec![1.0, 2.0];
/// // The arguments are a tuple, and so is the gradient.
/// let (value, (dx, da)) = rule.value_and_gradient((&x, 3.0))?;
/// assert_eq!((value, &dx[..], da), (15.0, &[6.0, 12.0][..], 5.0));
/// // Into places that are kept: called again, this allocates nothing.
/// let (mut dx, mut da) = (vec![0.0; 2], 0.0);
/// rule.value_and_gradient_into((&x, 3.0), (&mut dx, &mut da))?;
/// // The pullback takes any cotangent of the value.
/// let (_value, pullback) = rule.value_and_pullback((&x, 3.0))?;
/// assert_eq!(pullback(2.0), (vec![12.0, 24.0], 10.0));
/// # Ok(())
/// # }
/// ```
pub struct RRule<F> {
    derived: Arc<Derived>,
    function: PhantomData<fn() -> F>,
}

super::derived::shared!(RRule { derived, function });

impl<F: DifferentiableFn> RRule<F> {
    pub(super) fn new(ctx: &Context) -> Result<RRule<F>> {
        Ok(RRule {
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

    /// The value: compiled, without derivatives.
    pub fn value<'a, A: Argument<F::Args<'a>>>(&self, args: A) -> Result<F::Output> {
        self.derived.value(args)
    }

    /// The value and the gradient, in the arguments' order. What the function writes to its arguments is undone.
    ///
    /// # Errors
    /// If the function fails on these arguments; what it has written until then stays.
    pub fn value_and_gradient<'a, A>(&self, args: A) -> Result<(F::Output, A::Gradient)>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: GradientSink<A::Gradient>,
    {
        let mut gradient = args.gradient();
        let value = self.value_and_gradient_into(args, &mut gradient)?;
        Ok((value, gradient))
    }

    /// As [`value_and_gradient`](Self::value_and_gradient), into places that are overwritten. Called again it allocates nothing.
    pub fn value_and_gradient_into<'a, A, S>(&self, args: A, gradient: S) -> Result<F::Output>
    where
        A: Argument<F::Args<'a>>,
        S: GradientSink<A::Gradient>,
    {
        let (value, _) = self.value_gradient_and_stats_into(args, gradient)?;
        Ok(value)
    }

    /// As [`value_and_gradient_into`](Self::value_and_gradient_into), and what the call has used.
    pub fn value_gradient_and_stats_into<'a, A, S>(
        &self,
        mut args: A,
        mut gradient: S,
    ) -> Result<(F::Output, Stats)>
    where
        A: Argument<F::Args<'a>>,
        S: GradientSink<A::Gradient>,
    {
        self.derived.value_and_gradient(&mut args, &mut gradient)
    }

    /// The value, and the function from a cotangent of the value to the gradient. Until the pullback is called, what the
    /// function has written to its arguments stays written, as after a native call; a pullback that is dropped
    /// leaves it so. Should the pullback fail, as for a cotangent of another length than the value, its floats are NaN, its
    /// arrays carry the error, and a notice says why: call [`pullback`](Self::pullback) for a `Result`.
    #[allow(clippy::type_complexity, reason = "a closure has no shorter type")]
    pub fn value_and_pullback<'a, A>(
        &self,
        args: A,
    ) -> Result<(
        F::Output,
        impl FnOnce(<F::Output as Returned>::Cotangent) -> A::Gradient + use<'a, A, F>,
    )>
    where
        A: Argument<F::Args<'a>>,
        A::Gradient: GradientSink<A::Gradient>,
    {
        let (value, pullback) = self.pullback(args)?;
        let call = move |cotangent| {
            let mut gradient = pullback.args.gradient();
            if let Err(error) = pullback.run(&cotangent, &mut gradient, false) {
                let message = format_args!("a pullback failed, so the gradient is NaN: {error}");
                notice(log::Level::Warn, message);
                gradient.fail(&error);
            }
            gradient
        };
        Ok((value, call))
    }

    /// As [`value_and_pullback`](Self::value_and_pullback), with a pullback that can fail, and can add to a gradient.
    pub fn pullback<'a, A>(&self, mut args: A) -> Result<(F::Output, Pullback<'a, F, A>)>
    where
        A: Argument<F::Args<'a>>,
    {
        let compiled = self.compiled::<A>(ProgramKind::Split)?;
        let host = compiled.host();
        let mut given = compiled.start(true);
        let mut tables = Tables::default();
        let call = (&mut given, &mut tables);
        let value = compiled.forward::<_, _, F::Output>(call, &mut args, &host)?;
        let pullback = Pullback {
            compiled: compiled.clone(),
            given,
            tables: Waiting::new(tables),
            host,
            args,
            function: PhantomData,
        };
        Ok((value, pullback))
    }

    fn compiled<'a, A: Argument<F::Args<'a>>>(&self, kind: ProgramKind) -> Result<&Arc<Compiled>> {
        self.derived.compiled(kind, &activity::<F::Args<'a>, A>())
    }
}

/// The second half of a call: from a cotangent of the value to those of the arguments.
pub struct Pullback<'a, F, A> {
    compiled: Arc<Compiled>,
    given: CallState,
    tables: Waiting,
    host: ArrayHost,
    args: A,
    function: PhantomData<fn(&'a ()) -> F>,
}

impl<'a, F: DifferentiableFn, A: Argument<F::Args<'a>>> Pullback<'a, F, A> {
    /// The gradient for a cotangent of the value.
    pub fn apply(self, cotangent: <F::Output as Returned>::Cotangent) -> Result<A::Gradient>
    where
        A::Gradient: GradientSink<A::Gradient>,
    {
        let mut gradient = self.args.gradient();
        self.run(&cotangent, &mut gradient, false)?;
        Ok(gradient)
    }

    /// Adds the gradient to what is there. For what others see after the call, behind a `&mut` or in a cell, the place holds the cotangent of
    /// its final contents, and then that of its initial contents.
    ///
    /// # Errors
    /// As for [`apply`](Self::apply); if a place has not the form of its argument; and if the function has moved cells within an argument by
    /// value, whose final contents nobody knows then.
    pub fn accumulate(
        self,
        cotangent: <F::Output as Returned>::Cotangent,
        mut gradient: impl GradientSink<A::Gradient>,
    ) -> Result<()> {
        self.run(&cotangent, &mut gradient, true)
    }

    fn run(
        self,
        cotangent: &<F::Output as Returned>::Cotangent,
        gradient: &mut impl GradientSink<A::Gradient>,
        add: bool,
    ) -> Result<()> {
        let Pullback {
            compiled,
            mut given,
            mut tables,
            host,
            mut args,
            ..
        } = self;
        let call = (&mut given, &mut tables.take());
        compiled.pull_back::<F::Args<'a>, A, F::Output>(
            call, &mut args, &host, cotangent, gradient, add,
        )
    }
}
