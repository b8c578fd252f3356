//! The function itself, compiled.

use super::derived::Derived;
use super::{Argument, DifferentiableFn};
use crate::context::Context;
use crate::diag::Result;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

/// `F` as the compiler sees it. Gives what the native function gives, bit for bit where both use one libm.
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn f(x: f64) -> f64 {
///     x * x + 1.0
/// }
///
/// # fn main() -> mooncake::Result<()> {
/// let compiled = Context::default().build_primal::<f>()?;
/// assert_eq!(compiled.call((3.0,))?, f(3.0));
/// # Ok(())
/// # }
/// ```
pub struct Primal<F> {
    derived: Arc<Derived>,
    function: PhantomData<fn() -> F>,
}

super::derived::shared!(Primal { derived, function });

/// Calls what a context with all packs of the process compiles of a function. `#[differentiable]` writes this into functions that take derivatives, because
/// these do that in compiled code only.
///
/// # Panics
/// If the function fails, as native functions do.
#[track_caller]
pub fn compiled<'a, F>(rule: &OnceLock<Primal<F>>, args: F::Args<'a>) -> F::Output
where
    F: DifferentiableFn,
    F::Args<'a>: Argument<F::Args<'a>>,
{
    let known = match rule.get() {
        Some(known) => Ok(known),
        None => Primal::new(&Context::of_process()).map(|new| rule.get_or_init(|| new)),
    };
    match known.and_then(|known| known.call(args)) {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}

impl<F: DifferentiableFn> Primal<F> {
    pub(super) fn new(ctx: &Context) -> Result<Primal<F>> {
        Ok(Primal {
            derived: Arc::new(Derived::new(ctx, &F::callee())?),
            function: PhantomData,
        })
    }

    /// The value. Writes to its arguments as the native function does.
    #[inline]
    pub fn call<'a, A: Argument<F::Args<'a>>>(&self, args: A) -> Result<F::Output> {
        self.derived.value(args)
    }
}
