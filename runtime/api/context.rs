//! What a context makes of a function.

use super::pipeline;
use super::{DifferentiableFn, FRule, Primal, RRule};
use crate::context::{Context, ContextBuilder};
use crate::diag::Result;
use crate::ir::Module;

impl Context {
    /// The reverse rule of `F`: checked here, compiled on first use.
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
    /// The normal form of `F`, as text: typed, with everything inlined that is not a primitive here.
    pub fn primal_ir<F: DifferentiableFn>(&self) -> Result<String> {
        pipeline::primal_text(self, F::source())
    }
    /// Value and derivative in one function, as text.
    pub fn dual_ir<F: DifferentiableFn>(&self) -> Result<String> {
        pipeline::dual_text(self, F::source())
    }
    /// The forward half of the reverse rule, as text: the primal, and what it leaves for the pullback.
    pub fn forward_ir<F: DifferentiableFn>(&self) -> Result<String> {
        pipeline::forward_text(self, F::source())
    }
    /// The pullback half of the reverse rule, as text.
    pub fn reverse_ir<F: DifferentiableFn>(&self) -> Result<String> {
        pipeline::reverse_text(self, F::source())
    }
    /// Value and gradient in one function, as compiled.
    pub fn gradient_ir<F: DifferentiableFn>(&self) -> Result<String> {
        pipeline::gradient_text(self, F::source())
    }
    /// Value and gradient in one function, as the machine runs it.
    pub fn gradient_assembly<F: DifferentiableFn>(&self) -> Result<String> {
        pipeline::gradient_assembly(self, F::source())
    }
}

impl ContextBuilder {
    /// Changes every derived module before it is compiled: how tests make rules that are wrong.
    #[doc(hidden)]
    pub fn change_derived(self, change: impl Fn(&mut Module) + Send + Sync + 'static) -> Self {
        self.attach(pipeline::Change::new(change))
    }
}
