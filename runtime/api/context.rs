//! What a context makes of a function.

use super::pipeline;
use super::{DifferentiableFn, FRule, Primal, RRule};
use crate::context::{Context, ContextBuilder};
use crate::diag::Result;
use crate::ir::Module;

impl Context {
    /// The reverse rule of `F`: checked here, compiled on first use.
    ///
    /// A function is named as a type argument, `ctx.build_rrule::<f>()`, a generic one with its own: `ctx.build_rrule::<f<f64>>()`. If rustc *expected a type,
    /// found function `f`*, the attribute `#[differentiable]` is missing before the function. A method has the name that
    /// `#[differentiable(function = name)]` before it gives it.
    pub fn build_rrule<F: DifferentiableFn>(&self) -> Result<RRule<F>> {
        RRule::new(self)
    }
    /// The forward rule of `F`: checked here, compiled on first use.
    pub fn build_frule<F: DifferentiableFn>(&self) -> Result<FRule<F>> {
        FRule::new(self)
    }
    /// `F` itself: checked here, compiled on first use.
    pub fn build_primal<F: DifferentiableFn>(&self) -> Result<Primal<F>> {
        Primal::new(self)
    }
}

impl ContextBuilder {
    /// Changes every derived module before it is compiled: how tests make rules that are wrong.
    #[doc(hidden)]
    pub fn change_derived(self, change: impl Fn(&mut Module) + Send + Sync + 'static) -> Self {
        self.attach(pipeline::Change::new(change))
    }
    /// Above how many instructions a function that is chosen at run time is derived apart from its callers, when a call first comes
    /// to it: 0 for all of them. The default is where calls begin to cost less than deriving what may never run.
    #[doc(hidden)]
    pub fn on_demand_above(self, instructions: usize) -> Self {
        self.attach(pipeline::Large(instructions))
    }
}
