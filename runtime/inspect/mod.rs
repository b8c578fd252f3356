//! Looking at what is made of a function: every stage as text, the difference between two stages, and the rule that was chosen for each call.
//!
//! The first stage is the source before inference. Then come texts of the IR, which parse back, and at the end assembly. The IR contains no
//! effects of calls, so they are added to the text as comments (`ir::print::NotedText`).
//!
//! `mooncake ir` shows the same for files, from the typed IR on. It does not read Rust: the surface tree contains paths that rustc has resolved,
//! so a second resolver would be needed. `examples/stages.rs` shows the stages of a Rust function.

mod diff;
mod generic;
mod rules;

pub use diff::diff;
pub use rules::{How, RuleUsed, RulesUsed};

use crate::ad::Mode;
use crate::ad::ordered::Ordered;
use crate::api::{Argument, DifferentiableFn, GradientSink, pipeline};
use crate::array::cluster::trace::{Ran, watched};
use crate::codegen::cpu::assembly;
use crate::context::Context;
use crate::diag::{Diagnostic, Error, Result, Span};
use crate::ir::parse::parse_module;
use crate::ir::print::NotedText;
use crate::ir::{Callee, Function, Module, Symbol, Type, canonical, verify::verify};
use crate::registry::Effects;
use std::fmt;
use std::str::FromStr;

/// Declares the stages: variant, name, meaning.
macro_rules! stages {
    ($($name:ident = $text:literal, $doc:literal;)*) => {
        /// What a function has become, on its way to machine code.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Stage { $(#[doc = $doc] $name,)* }

        impl Stage {
            /// All of them, in order.
            pub const ALL: &'static [Stage] = &[$(Stage::$name,)*];
            /// Its name on the command line.
            pub const fn name(self) -> &'static str {
                match self { $(Stage::$name => $text,)* }
            }
            /// What it is, in a line.
            pub const fn meaning(self) -> &'static str {
                match self { $(Stage::$name => $doc,)* }
            }
        }
    };
}

stages! {
    Generic = "generic", "The function as it was written, with its type parameters, and those it calls by name: before inference.";
    Typed = "typed", "The function as it was written, typed: every call resolved.";
    Normal = "normal", "Everything inlined that is neither a primitive here nor recursive nor derived on demand, tuples split, loops in one shape.";
    Forward = "forward", "The forward half of the reverse rule: the primal, and what it leaves for the pullback.";
    Reverse = "reverse", "The pullback half of the reverse rule.";
    Gradient = "gradient", "Value and gradient in one function, as derived.";
    Dual = "dual", "Value and derivative along a direction, as derived.";
    Optimised = "optimised", "Value and gradient in one function, as compiled.";
    Assembly = "assembly", "The same as machine code.";
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Stage {
    type Err = String;
    fn from_str(text: &str) -> Result<Stage, String> {
        let found = Stage::ALL.iter().find(|stage| stage.name() == text);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = Stage::ALL.iter().map(|stage| stage.name()).collect();
            format!(
                "no stage is called `{text}`: there are {}",
                names.join(", ")
            )
        })
    }
}

#[doc(hidden)]
/// A module in the text format, checked against the rules in force. Its first function is the root.
pub fn read(ctx: &Context, text: &str) -> Result<Module> {
    let module = parse_module(text)
        .map_err(|error| Error::User(Diagnostic::new(Span::NONE, error.to_string())))?;
    let externals = |callee: Callee, types: &[Type]| ctx.registry().call_type(callee, types);
    verify(&module, &externals)
        .map_err(|error| Error::User(Diagnostic::new(Span::NONE, without_preamble(&error))))?;
    if let Some(name) = module.declared.keys().next() {
        let message = format!("`{name}` is declared without a body");
        return Err(Error::User(Diagnostic::new(Span::NONE, message)));
    }
    Ok(module)
}

/// What the verifier says of a text is the reader's mistake, not ours.
fn without_preamble(error: &Error) -> String {
    match error {
        Error::Internal(message) => message.clone(),
        other => other.to_string(),
    }
}

#[doc(hidden)]
/// A typed module at a later stage, as text.
pub fn stage(ctx: &Context, typed: Module, at: Stage) -> Result<String> {
    match at {
        Stage::Generic => {
            let message = "`generic` is a stage of functions in Rust, and what is read here is typed: print `ctx.ir::<f>(Stage::Generic)` in the program that has the function, as examples/stages.rs does";
            return Err(Error::User(Diagnostic::new(Span::NONE, message)));
        }
        Stage::Typed => return Ok(text(ctx, &typed)),
        _ => {}
    }
    let normal = pipeline::normal(ctx, typed)?;
    if at == Stage::Normal {
        return Ok(text(ctx, &normal));
    }
    // Who reads wants to see all of it.
    let normal = normal.at_once();
    let active = pipeline::all_active(&normal);
    let module = match at {
        Stage::Generic | Stage::Typed | Stage::Normal => normal,
        Stage::Forward => half(ctx, &normal, &active, ".pullback")?,
        Stage::Reverse => half(ctx, &normal, &active, ".forward")?,
        Stage::Gradient => pipeline::reverse_module(ctx, &normal, &active, Mode::Combined)?,
        Stage::Dual => pipeline::dual_module(ctx, &normal, &active, 1)?,
        Stage::Optimised => pipeline::gradient(ctx, &normal, &active)?.0,
        Stage::Assembly => {
            let (gradient, _) = pipeline::gradient(ctx, &normal, &active)?;
            return assembly(&gradient, ctx.registry());
        }
    };
    Ok(text(ctx, &module))
}

/// A module in the text format, with a comment at each call that is ordered or linked, itself or by what it calls.
fn text(ctx: &Context, module: &Module) -> String {
    let module = canonical(module);
    let ordered = Ordered::new(&module, ctx.registry());
    let note = |function: &Function, inst| match ordered.of(function, inst) {
        Effects::Pure => None,
        Effects::Ordered => Some("ordered"),
        Effects::Linked => Some("linked"),
    };
    NotedText(&module, &note).to_string()
}

/// One of the halves, with the functions it calls: without those whose names contain that of the other.
fn half(ctx: &Context, normal: &Module, active: &[bool], other: &str) -> Result<Module> {
    let mut halves = pipeline::reverse_module(ctx, normal, active, Mode::Split)?;
    if halves.root.as_str().contains(other) {
        halves.root = pipeline::pullback_name(&halves);
    }
    let own = |name: &Symbol| !name.as_str().contains(other);
    halves.functions.retain(|name, _| own(name));
    Ok(halves)
}

#[doc(hidden)]
/// Which rule each call of a typed module is answered by.
pub fn rules_of(ctx: &Context, typed: &Module) -> Result<RulesUsed> {
    let normal = pipeline::normal(ctx, typed.clone())?;
    Ok(rules::used(ctx, typed, &normal))
}

/// Arguments of a function for which its gradient can be taken.
pub trait Gradients<'a, F: DifferentiableFn> {
    #[doc(hidden)]
    fn compute(self, ctx: &Context) -> Result<()>;
}

impl<'a, F, A> Gradients<'a, F> for A
where
    F: DifferentiableFn,
    A: Argument<F::Args<'a>>,
    A::Gradient: GradientSink<A::Gradient>,
{
    fn compute(self, ctx: &Context) -> Result<()> {
        ctx.build_rrule::<F>()?.value_and_gradient(self).map(drop)
    }
}

/// Stages of functions, as text.
impl Context {
    /// A stage of `F`.
    pub fn ir<F: DifferentiableFn>(&self, at: Stage) -> Result<String> {
        match at {
            Stage::Generic => Ok(generic::generic(&F::callee())),
            _ => stage(self, pipeline::typed(self, &F::callee(), true)?, at),
        }
    }
    /// How a stage of `F` differs from another: a unified diff.
    pub fn ir_diff<F: DifferentiableFn>(&self, from: Stage, to: Stage) -> Result<String> {
        let (old, new) = (self.ir::<F>(from)?, self.ir::<F>(to)?);
        Ok(diff(from.name(), &old, to.name(), &new))
    }
    /// What the value and the gradient of `F` run for these arguments, in order, as text: kernels, each with the bytes that it moves and the
    /// scalar operations that it computes, and operations that no kernel does, by name; matrix products with both numbers as well.
    ///
    /// # Errors
    ///
    /// Those of the call: it is done.
    ///
    /// ```
    /// use mooncake::prelude::*;
    ///
    /// #[differentiable]
    /// fn loss(x: &Array<f32>) -> f32 {
    ///     x.exp().cos().sum().to_scalar()
    /// }
    ///
    /// # fn main() -> mooncake::Result<()> {
    /// let ctx = Context::builder().device(Device::cpu()).build()?;
    /// let x = Array::from_vec_on(&Device::cpu(), vec![0.0f32; 1000], [1000]);
    /// println!("{}", ctx.kernels::<loss>((&x,))?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn kernels<'a, F: DifferentiableFn>(&self, args: impl Gradients<'a, F>) -> Result<String> {
        let (done, ran) = watched(|| args.compute(self));
        done?;
        let texts: Vec<String> = ran.iter().map(Ran::to_string).collect();
        Ok(texts.join("\n"))
    }
    /// Which rule is chosen for each call in `F`, and why: a table to print.
    pub fn rules_used<F: DifferentiableFn>(&self) -> Result<RulesUsed> {
        rules_of(self, &pipeline::typed(self, &F::callee(), true)?)
    }
    /// `F` as it was written, typed.
    pub fn typed_ir<F: DifferentiableFn>(&self) -> Result<String> {
        self.ir::<F>(Stage::Typed)
    }
    /// The normal form of `F`: typed, with everything inlined that is not a primitive here.
    pub fn primal_ir<F: DifferentiableFn>(&self) -> Result<String> {
        self.ir::<F>(Stage::Normal)
    }
    /// Value and derivative in one function.
    pub fn dual_ir<F: DifferentiableFn>(&self) -> Result<String> {
        self.ir::<F>(Stage::Dual)
    }
    /// The forward half of the reverse rule: the primal, and what it leaves for the pullback.
    pub fn forward_ir<F: DifferentiableFn>(&self) -> Result<String> {
        self.ir::<F>(Stage::Forward)
    }
    /// The pullback half of the reverse rule.
    pub fn reverse_ir<F: DifferentiableFn>(&self) -> Result<String> {
        self.ir::<F>(Stage::Reverse)
    }
    /// Value and gradient in one function, as compiled.
    pub fn gradient_ir<F: DifferentiableFn>(&self) -> Result<String> {
        self.ir::<F>(Stage::Optimised)
    }
    /// Value and gradient in one function, as the machine runs it.
    pub fn gradient_assembly<F: DifferentiableFn>(&self) -> Result<String> {
        self.ir::<F>(Stage::Assembly)
    }
}
