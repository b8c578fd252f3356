//! What is derived from one function: its normal form, and the programs compiled from it so far.
//!
//! A program is compiled when it is first asked for, once for each pattern of active arguments.

use super::call::{Activity, Call, Results};
use super::pipeline;
use super::{Argument, Returned, Slot, Tangent};
use crate::array::host::ArrayHost;
use crate::codegen::cpu::words;
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::exec::{Args, Halves, Program, Stats};
use crate::front::tree::Instance;
use crate::ir::{Module, Symbol, Type};
use smallvec::SmallVec;
use std::sync::{Arc, Mutex};

/// The first root of a program: the primal, the gradient, or the forward half.
pub const FIRST: usize = 0;
/// The second root of a program in halves: the pullback.
pub const PULLBACK: usize = 1;

/// What a function was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The value.
    Primal,
    /// Value and gradient in one.
    Combined,
    /// Value and pullback, one after the other.
    Split,
    /// Value and derivative.
    Dual,
    /// Value, gradient, and their derivatives. Its activity is that of the gradient, then that of the derivatives.
    Hvp,
}

/// A function, and what has been made of it.
pub struct Derived {
    ctx: Context,
    name: &'static str,
    function: Instance,
    normal: Module,
    programs: Mutex<Vec<Arc<Compiled>>>,
}

/// One program.
pub struct Compiled {
    kind: Kind,
    activity: Activity,
    pub program: Arc<Program>,
    /// For each active slice of the primal the place of its length among the words, and the parameter it belongs to.
    lengths: Vec<(usize, usize)>,
    /// The words of the primal's arguments.
    primal_words: usize,
    /// Whether arrays are looked at.
    debug: bool,
}

/// Room for the results of most functions without an allocation.
pub type Words = SmallVec<[u64; 32]>;

impl Derived {
    /// Reads and checks a function.
    pub fn new(ctx: &Context, function: &Instance) -> Result<Derived> {
        Ok(Derived {
            ctx: ctx.clone(),
            name: function.0.name,
            normal: pipeline::normal(ctx, pipeline::typed(ctx, function, true)?)?,
            function: function.clone(),
            programs: Mutex::default(),
        })
    }

    /// The types of the parameters, flat.
    pub fn params(&self) -> Vec<Type> {
        self.normal.root().param_types()
    }

    /// The program for a pattern of active arguments.
    pub fn compiled(&self, kind: Kind, activity: Activity) -> Result<Arc<Compiled>> {
        let mut programs = self.programs.lock().unwrap_or_else(|e| e.into_inner());
        // The value does not depend on what is differentiated.
        let known = programs
            .iter()
            .find(|c| c.kind == kind && (kind == Kind::Primal || c.activity == activity));
        if let Some(compiled) = known {
            return Ok(compiled.clone());
        }
        let compiled = Arc::new(self.compile(kind, activity)?);
        programs.push(compiled.clone());
        Ok(compiled)
    }

    fn compile(&self, kind: Kind, activity: Activity) -> Result<Compiled> {
        let params = self.normal.root().param_types();
        let expected = match kind {
            Kind::Hvp => 2 * params.len(),
            Kind::Primal | Kind::Combined | Kind::Split | Kind::Dual => params.len(),
        };
        if activity.len() != expected {
            return Err(Error::Internal(format!(
                "{} has {} parameters in Rust and {} in IR",
                self.name,
                activity.len(),
                params.len()
            )));
        }
        let module = match kind {
            // What derivatives see may be another body.
            Kind::Primal => {
                let typed = pipeline::typed(&self.ctx, &self.function, false)?;
                pipeline::primal(&self.ctx, &pipeline::normal(&self.ctx, typed)?)?
            }
            Kind::Combined => pipeline::gradient(&self.ctx, &self.normal, activity.flags())?,
            Kind::Split => pipeline::halves(&self.ctx, &self.normal, activity.flags())?,
            Kind::Dual => pipeline::dual(&self.ctx, &self.normal, activity.flags())?,
            Kind::Hvp => {
                let (active, along) = activity.flags().split_at(params.len());
                pipeline::hvp(&self.ctx, &self.normal, active, along)?
            }
        };
        let roots: &[Symbol] = match kind {
            Kind::Split => &[module.root, pipeline::pullback_name(&module)],
            Kind::Primal | Kind::Combined | Kind::Dual | Kind::Hvp => &[module.root],
        };
        Ok(Compiled {
            kind,
            program: Program::compile(&module, self.ctx.registry(), roots)?,
            lengths: active_slices(&params, activity.flags()),
            primal_words: params.iter().map(|&ty| words(ty)).sum(),
            debug: self.ctx.debug(),
            activity,
        })
    }
}

/// Where the lengths of the active slices stand among the words, and which parameters they are.
fn active_slices(params: &[Type], active: &[bool]) -> Vec<(usize, usize)> {
    let (mut found, mut at) = (Vec::new(), 0);
    for (n, (&ty, &active)) in params.iter().zip(active).enumerate() {
        if active && matches!(ty, Type::Slice(_) | Type::SliceMut(_)) {
            found.push((at + 1, n));
        }
        at += words(ty);
    }
    found
}

impl Compiled {
    /// Compiled code trusts that shadows are as long as what they shadow.
    pub fn check_shadows(&self, args: &Args<'_>) -> Result<()> {
        for (shadow, &(length, param)) in self.lengths.iter().enumerate() {
            let expected = args.words()[length];
            let found = args.words().get(self.primal_words + 2 * shadow + 1);
            if found != Some(&expected) {
                let found = found.copied().unwrap_or_default();
                return Err(Error::Array(format!(
                    "argument {} has {expected} elements: expected a gradient of that length, found {found}",
                    param + 1
                )));
            }
        }
        Ok(())
    }

    /// Compiled code trusts that tangents are as large as what they are tangents of. `flags` says which arguments have one, and
    /// `first` is the place of the first tangent among all.
    fn check_tangents(
        &self,
        args: &Args<'_>,
        host: &ArrayHost,
        flags: &[bool],
        first: usize,
    ) -> Result<()> {
        let places: Vec<usize> = (args.types().iter())
            .scan(0, |at, &ty| Some(std::mem::replace(at, *at + words(ty))))
            .collect();
        let active = (0..flags.len()).filter(|&n| flags[n]);
        for (n, tangent) in active.zip(first..) {
            let ty = args.types()[n];
            let Some(&at) = places.get(tangent) else {
                return Err(Error::Internal(format!("argument {n} has no tangent")));
            };
            let (value, tangent) = (&args.words()[places[n]..], &args.words()[at..]);
            let sizes = match ty {
                Type::Slice(_) | Type::SliceMut(_) => {
                    [value[1], tangent[1]].map(|len| format!("{len} elements"))
                }
                Type::Array(_) => {
                    let shape = |word| host.shape(word).map(|s| format!("the shape {s:?}"));
                    [shape(value[0])?, shape(tangent[0])?]
                }
                _ => continue,
            };
            if sizes[0] != sizes[1] {
                return Err(Error::Array(format!(
                    "argument {} has {}: expected a tangent like it, found {}",
                    n + 1,
                    sizes[0],
                    sizes[1]
                )));
            }
        }
        Ok(())
    }

    /// Calls the dual.
    pub fn value_and_derivative<P, A: Argument<P>, T: Tangent<P, A>, R: Returned>(
        &self,
        args: &mut A,
        tangents: &mut T,
    ) -> Result<(R, R::Cotangent)> {
        let host = self.host();
        let mut call = Call::new(&host);
        args.give(&mut call)?;
        tangents.give(&mut call)?;
        let flags = self.activity.flags();
        self.check_tangents(&call.args, &host, flags, flags.len())?;
        let mut results = self.room(FIRST);
        self.program.call(FIRST, &call.args, &mut results, &host)?;
        let mut results = Results::new(&results, &host, false);
        let value = R::read(&mut results)?;
        Ok((value, R::read_tangent(&mut results)?))
    }

    /// Calls the dual of the gradient: `gradient` and `product` are overwritten.
    pub fn value_gradient_and_hvp<P, A: Argument<P>, T: Tangent<P, A>, R: Returned>(
        &self,
        args: &mut A,
        direction: &mut T,
        seed: &R::Cotangent,
        gradient: &mut impl Slot<A::Gradient>,
        product: &mut impl Slot<A::Gradient>,
    ) -> Result<R> {
        gradient.clear();
        product.clear();
        let host = self.host();
        let mut call = Call::new(&host);
        args.give(&mut call)?;
        gradient.lend(&mut call);
        R::seed(seed, &mut call)?;
        self.check_shadows(&call.args)?;
        let first = call.args.types().len();
        direction.give(&mut call)?;
        product.lend(&mut call);
        let flags = &self.activity.flags()[self.activity.len() / 2..];
        self.check_tangents(&call.args, &host, flags, first)?;
        let mut results = self.room(FIRST);
        self.program.call(FIRST, &call.args, &mut results, &host)?;
        let mut results = Results::new(&results, &host, false);
        let value = R::read(&mut results)?;
        gradient.read(&mut results)?;
        R::read_tangent(&mut results)?;
        product.read(&mut results)?;
        Ok(value)
    }

    /// Calls the primal.
    pub fn value<P, A: Argument<P>, R: Returned>(&self, mut args: A) -> Result<R> {
        let host = self.host();
        let mut call = Call::new(&host);
        args.give(&mut call)?;
        let mut results = self.room(FIRST);
        self.program.call(FIRST, &call.args, &mut results, &host)?;
        R::read(&mut Results::new(&results, &host, false))
    }

    /// Calls the gradient: `shadows` are overwritten.
    pub fn value_and_gradient<P, A: Argument<P>, R: Returned>(
        &self,
        args: &mut A,
        shadows: &mut impl Slot<A::Gradient>,
    ) -> Result<(R, Stats)> {
        shadows.clear();
        let host = self.host();
        match R::ONE_NEEDS_VALUE {
            true => self.halves_in_turn(args, shadows, &host),
            false => self.combined(args, shadows, &host),
        }
    }

    fn combined<P, A: Argument<P>, R: Returned>(
        &self,
        args: &mut A,
        shadows: &mut impl Slot<A::Gradient>,
        host: &ArrayHost,
    ) -> Result<(R, Stats)> {
        let mut call = Call::new(host);
        args.give(&mut call)?;
        shadows.lend(&mut call);
        R::seed(&R::one(None)?, &mut call)?;
        self.check_shadows(&call.args)?;
        let mut results = self.room(FIRST);
        let stats = self.program.call(FIRST, &call.args, &mut results, host)?;
        let mut results = Results::new(&results, host, false);
        let value = R::read(&mut results)?;
        shadows.read(&mut results)?;
        Ok((value, stats))
    }

    fn halves_in_turn<P, A: Argument<P>, R: Returned>(
        &self,
        args: &mut A,
        shadows: &mut impl Slot<A::Gradient>,
        host: &ArrayHost,
    ) -> Result<(R, Stats)> {
        let mut halves = self.program.start();
        let value: R = self.forward(&mut halves, args, host)?;
        let stats = halves.stats();
        let one = R::one(Some(&value))?;
        self.pull_back::<P, A, R>(&mut halves, args, host, &one, shadows, false)?;
        Ok((value, stats))
    }

    /// Calls the forward half.
    pub fn forward<P, A: Argument<P>, R: Returned>(
        &self,
        halves: &mut Halves,
        args: &mut A,
        host: &ArrayHost,
    ) -> Result<R> {
        let mut call = Call::new(host);
        args.give(&mut call)?;
        let mut results = self.room(FIRST);
        halves.call(FIRST, &call.args, &mut results, host)?;
        R::read(&mut Results::new(&results, host, false))
    }

    /// Calls the pullback: adds to `shadows`.
    pub fn pull_back<P, A: Argument<P>, R: Returned>(
        &self,
        halves: &mut Halves,
        args: &mut A,
        host: &ArrayHost,
        cotangent: &R::Cotangent,
        shadows: &mut impl Slot<A::Gradient>,
        add: bool,
    ) -> Result<()> {
        let mut call = Call::new(host);
        args.give(&mut call)?;
        shadows.lend(&mut call);
        R::seed(cotangent, &mut call)?;
        self.check_shadows(&call.args)?;
        let mut results = self.room(PULLBACK);
        halves.call(PULLBACK, &call.args, &mut results, host)?;
        halves.balance()?;
        shadows.read(&mut Results::new(&results, host, add))
    }

    /// The host of one call.
    pub fn host(&self) -> ArrayHost {
        ArrayHost::checked(self.debug)
    }

    fn room(&self, root: usize) -> Words {
        Words::from_elem(0, self.program.result_words(root))
    }
}

/// The pattern of active arguments that a type of argument stands for.
pub fn activity<P, A: Argument<P>>() -> Activity {
    let mut activity = Activity::default();
    A::activity(&mut activity);
    activity
}
