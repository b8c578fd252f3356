//! What is derived from one function: its normal form, and the programs compiled from it so far.
//!
//! A program is compiled when it is first asked for, once for each pattern of active arguments.

pub mod dual_calls;

use super::call::{Activity, Call, CallState, Tables};
use super::direct::{Direct, Numbers};
use super::on_demand::{Callees, with_stack};
use super::pipeline;
use super::results::Results;
use super::{Argument, GradientSink, Returned, Tangent};
use crate::ad::forward::most_directions;
use crate::array::host::ArrayHost;
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::exec::{NoHost, Program, Stats};
use crate::front::tree::Instance;
use crate::ir::{HostOp, Module, Op, Symbol, Type};
use crate::tangent::{Sharing, shadow_leaves};
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, OnceLock};

/// The first root of a program: the primal, the gradient, or the forward half.
pub const FIRST: usize = 0;
/// The second root of a program in halves: the pullback.
pub const PULLBACK: usize = 1;

/// What a function was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramKind {
    /// The value.
    Primal,
    /// Value and gradient in one.
    Combined,
    /// Value and pullback, one after the other.
    Split,
    /// Value and derivatives along so many directions.
    Dual(usize),
    /// Value, gradient, and their derivatives along so many directions. Its activity is that of the gradient, then that of the derivatives.
    Hvp(usize),
}

/// A function, and what has been made of it.
pub struct Derived {
    ctx: Context,
    name: &'static str,
    function: Instance,
    normal: Arc<Module>,
    programs: Programs,
    callees: Arc<Callees>,
    /// Held while a program is compiled, so that none is compiled twice.
    compiling: Mutex<()>,
    most_directions: OnceLock<usize>,
}

/// Programs in the order in which they were compiled. It only grows, so they are found without a lock.
#[derive(Default)]
struct Programs(OnceLock<Box<(Arc<Compiled>, Programs)>>);

impl Programs {
    fn find(&self, is: impl Fn(&Compiled) -> bool) -> Option<&Arc<Compiled>> {
        let mut rest = self;
        loop {
            let (compiled, later) = &**rest.0.get()?;
            if is(compiled) {
                return Some(compiled);
            }
            rest = later;
        }
    }
    /// Adds one at the end.
    fn push(&self, compiled: Compiled) -> &Arc<Compiled> {
        let mut rest = self;
        while let Some(next) = rest.0.get() {
            rest = &next.1;
        }
        let next = || Box::new((Arc::new(compiled), Programs::default()));
        &rest.0.get_or_init(next).0
    }
}

/// One program.
pub struct Compiled {
    kind: ProgramKind,
    activity: Activity,
    pub program: Arc<Program>,
    /// The types of the primal's parameters, flat.
    params: Vec<Type>,
    /// For each of them whether it has a cotangent: also where none is asked for, if memory leads there.
    active: Vec<bool>,
    /// Whether the forward half takes shadows.
    takes_shadows: bool,
    /// Whether the forward half gives the shadows of the result.
    gives_shadows: bool,
    /// Whether rules are checked while they run.
    debug: bool,
    /// Whether a gradient makes its seed itself.
    is_seeded: bool,
    /// Of a gradient that makes its seed itself, and has a cotangent for each argument that it is asked for and for no others: its parameters as those of a
    /// call with numbers and slices of numbers.
    numbers: Option<Numbers>,
    /// If the program makes arrays: on the device of this context.
    context: Option<Context>,
}

/// A rule of a function of type `F`: copies share what has been derived, and it prints as `RRule(path::of_f)`.
macro_rules! shared {
    ($rule:ident { $($field:ident),* }) => {
        impl<F> Clone for $rule<F> {
            #[allow(clippy::clone_on_copy, reason = "one of the fields is `PhantomData`")]
            fn clone(&self) -> Self {
                $rule { $($field: self.$field.clone()),* }
            }
        }
        impl<F> std::fmt::Debug for $rule<F> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($rule), "({})"), self.derived.path())
            }
        }
    };
}
pub(super) use shared;

/// How many words a call of numbers and slices of numbers gives at most.
const MOST_RESULTS: usize = 16;

/// Room for the results of most functions without an allocation.
pub type Words = SmallVec<[u64; 32]>;

/// Places among the arguments of a call.
type Places = SmallVec<[usize; 32]>;

impl Derived {
    /// Reads and checks a function.
    pub fn new(ctx: &Context, function: &Instance) -> Result<Derived> {
        let normal = with_stack(|| pipeline::normal(ctx, pipeline::typed(ctx, function, true)?))?;
        Ok(Derived::of(ctx, function.clone(), normal))
    }

    fn of(ctx: &Context, function: Instance, normal: Module) -> Derived {
        let normal = Arc::new(normal);
        Derived {
            ctx: ctx.clone(),
            name: function.0.name,
            function,
            callees: Arc::new(Callees::new(ctx, &normal)),
            normal,
            programs: Programs::default(),
            compiling: Mutex::default(),
            most_directions: OnceLock::new(),
        }
    }

    /// Along how many directions derivatives are best taken at once, of so many that are wanted: as few as give the same number of passes.
    pub fn directions(&self, wanted: usize) -> usize {
        let (registry, kind) = (self.ctx.registry(), self.ctx.kind());
        let most =
            *(self.most_directions).get_or_init(|| most_directions(&self.normal, registry, kind));
        let passes = wanted.max(1).div_ceil(most);
        wanted.max(1).div_ceil(passes)
    }

    /// The path of the function.
    pub fn path(&self) -> &'static str {
        self.function.0.path
    }
    /// The names of what has been derived because a call came to it, in order.
    pub fn on_demand(&self) -> Vec<&'static str> {
        let made = self.callees.made().into_iter();
        made.map(|name| name.as_str()).collect()
    }

    /// A function by its normal form.
    #[cfg(test)]
    pub fn of_module(ctx: &Context, normal: Module) -> Derived {
        use crate::front::tree::{At, Body, Role, Source};
        static SOURCE: Source = Source {
            path: "f",
            name: "f",
            file: file!(),
            at: At(0, 0),
            generics: 0,
            params: &[],
            patterns: crate::front::written::Written::new("0 ", &[]),
            ret: || crate::front::ty::Ty::UNIT,
            ret_kind: crate::front::ty::RefKind::Value,
            body: Body::Required,
            role: Role::Derived,
            early: || true,
            of_references: &[],
            bounds: &[],
        };
        Derived::of(ctx, (&SOURCE, Vec::new()), normal)
    }

    /// The program for a pattern of active arguments.
    pub fn compiled(&self, kind: ProgramKind, activity: &Activity) -> Result<&Arc<Compiled>> {
        // The value does not depend on what is differentiated.
        let is = |compiled: &Compiled| {
            compiled.kind == kind && (kind == ProgramKind::Primal || compiled.activity == *activity)
        };
        if let Some(known) = self.programs.find(is) {
            return Ok(known);
        }
        let _compiling = self.compiling.lock().unwrap_or_else(|e| e.into_inner());
        // Another thread may have been faster.
        match self.programs.find(is) {
            Some(known) => Ok(known),
            None => {
                let compiled = with_stack(|| self.compile(kind, activity.clone()))?;
                Ok(self.programs.push(compiled))
            }
        }
    }

    fn compile(&self, kind: ProgramKind, activity: Activity) -> Result<Compiled> {
        let params = self.normal.root().param_types();
        let expected = match kind {
            ProgramKind::Hvp(_) => 2 * params.len(),
            ProgramKind::Primal
            | ProgramKind::Combined
            | ProgramKind::Split
            | ProgramKind::Dual(_) => params.len(),
        };
        if activity.len() != expected {
            return Err(Error::Internal(format!(
                "{} has {} parameters in Rust and {} in IR",
                self.name,
                activity.len(),
                params.len()
            )));
        }
        let root = self.normal.root();
        let sharing = Sharing::new(&self.normal);
        let active = sharing.active(root, &activity.flags()[..params.len()]);
        let mut is_seeded = false;
        let mut seeded = |(module, seeded): (Module, bool)| {
            is_seeded = seeded;
            module
        };
        let module = match kind {
            // What derivatives see may be another body, and what takes derivatives itself sees that too.
            ProgramKind::Primal => {
                let mut typed = pipeline::typed(&self.ctx, &self.function, false)?;
                if typed.asks_for_derivatives() {
                    typed = pipeline::typed(&self.ctx, &self.function, true)?;
                }
                pipeline::primal(&self.ctx, &pipeline::normal(&self.ctx, typed)?)?
            }
            ProgramKind::Combined => seeded(pipeline::gradient(
                &self.ctx,
                &self.normal,
                activity.flags(),
            )?),
            ProgramKind::Split => pipeline::halves(&self.ctx, &self.normal, activity.flags())?,
            ProgramKind::Dual(count) => pipeline::dual(&self.ctx, &self.normal, &active, count)?,
            ProgramKind::Hvp(count) => {
                let (active, along) = activity.flags().split_at(params.len());
                let hvp = pipeline::hvp(&self.ctx, &self.normal, active, along, count)?;
                seeded(hvp)
            }
        };
        let roots: &[Symbol] = match kind {
            ProgramKind::Split => &[module.root, pipeline::pullback_name(&module)],
            ProgramKind::Primal
            | ProgramKind::Combined
            | ProgramKind::Dual(_)
            | ProgramKind::Hvp(_) => &[module.root],
        };
        let shadowed = active.contains(&true);
        let is_direct = kind == ProgramKind::Combined && is_seeded && active == activity.flags();
        let numbers = Numbers::of_flags(activity.flags()).filter(|_| is_direct);
        Ok(Compiled {
            kind,
            program: Program::with(
                &module,
                self.ctx.registry(),
                roots,
                Some(self.callees.clone()),
            )?,
            params,
            takes_shadows: shadowed && sharing.forward_takes_shadows(root.name),
            numbers,
            gives_shadows: shadowed && !shadow_leaves(root.ret).is_empty(),
            active,
            debug: self.ctx.debug(),
            is_seeded,
            context: makes_arrays(&self.normal).then(|| self.ctx.clone()),
            activity,
        })
    }
}

/// Whether a program makes arrays that no other array says the device of.
fn makes_arrays(module: &Module) -> bool {
    let makes = [HostOp::Full, HostOp::Arange, HostOp::Eye, HostOp::FromSlice];
    let makes = makes.map(|op| Op::Call(op.into()));
    let mut functions = module.functions.values();
    functions.any(|function| {
        let mut insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
        insts.any(|&inst| makes.contains(&function.insts[inst].op))
    })
}

impl Compiled {
    /// Whether it is of this kind, and its arguments may be these numbers. A value does not depend on what is differentiated.
    #[inline]
    fn takes(&self, kind: ProgramKind, numbers: Numbers) -> bool {
        self.kind == kind && (kind == ProgramKind::Primal || self.numbers == Some(numbers))
    }

    /// What a call of this program is given. With `shadowed` its objects have shadows.
    #[inline]
    pub fn start(&self, shadowed: bool) -> CallState {
        CallState::new(self.program.start(), shadowed)
    }

    /// Calls the dual along one direction. Arguments that were copied into the call are brought up to date.
    pub fn value_and_derivative<P, A: Argument<P>, T: Tangent<P, A>, R: Returned>(
        &self,
        args: &mut A,
        tangents: &mut T,
    ) -> Result<(R, R::Cotangent)> {
        let host = self.host();
        let mut given = self.start(true);
        let mut tables = Tables::default();
        let (mut words, mut moved) = (Words::new(), Vec::new());
        let all = (&mut given, &mut tables);
        self.call(FIRST, all, &host, &mut words, |call| {
            args.encode(call)?;
            call.expect_tangents(&self.active, self.activity.flags());
            moved = tangents.move_along(call)?;
            call.zero_tangents()?;
            self.check_tangents(&call.args, &host, &self.active, &[self.active.len()])
        })?;
        let all = (&mut given, &mut tables);
        let mut results = Results::new(&words, &host, all, &self.active, false);
        let value = R::read(&mut results)?;
        let derivative = R::read_tangent(&mut results)?;
        tables.gradients.clear();
        let all = (&mut given, &mut tables);
        tangents.moved(&mut Results::new(&moved, &host, all, &self.active, false))?;
        given.update(&mut tables, &host, |reader| args.update(reader))?;
        Ok((value, derivative))
    }

    /// Calls the primal or the gradient with numbers and slices of numbers. `None` if something does not fit, or the result is no float: then the call is to
    /// be made as others are, which says what is wrong.
    #[inline]
    pub(super) fn direct<P, A: Argument<P>, R: Returned, S: GradientSink<G>, G>(
        &self,
        args: &A,
        shadows: &mut S,
    ) -> Option<Result<(R, Stats)>> {
        let mut words = [0; MOST_RESULTS];
        let words = words.get_mut(..self.program.result_words(FIRST))?;
        R::of_float(*words.first()?)?;
        let mut call = Direct::new(self.program.numbers(FIRST));
        args.give(&mut call);
        shadows.lend_direct(&mut call);
        if !call.fits {
            return None;
        }
        let done = match self.program.uses_host() {
            true => (self.program).call_numbers(FIRST, &call.args, words, &self.host()),
            false => (self.program).call_numbers(FIRST, &call.args, words, &NoHost),
        };
        Some(match done? {
            Ok(stats) => {
                let (first, rest) = words.split_first()?;
                let value = R::of_float(*first)?;
                shadows.take_direct(&mut &*rest);
                Ok((value, stats))
            }
            Err(error) => {
                shadows.fail(&error);
                Err(error)
            }
        })
    }

    /// Calls the primal.
    fn value<P, A: Argument<P>, R: Returned>(&self, mut args: A) -> Result<R> {
        let host = self.host();
        let mut given = self.start(false);
        let mut tables = Tables::default();
        let mut words = Words::new();
        let all = (&mut given, &mut tables);
        self.call(FIRST, all, &host, &mut words, |call| args.encode(call))?;
        let all = (&mut given, &mut tables);
        let value = R::read(&mut Results::new(&words, &host, all, &self.active, false))?;
        given.update(&mut tables, &host, |reader| args.update(reader))?;
        Ok(value)
    }

    /// Calls the gradient: `shadows` are overwritten.
    pub(super) fn value_and_gradient<
        P,
        A: Argument<P>,
        R: Returned,
        S: GradientSink<A::Gradient>,
    >(
        &self,
        args: &mut A,
        shadows: &mut S,
    ) -> Result<(R, Stats)> {
        let host = self.host();
        let done = match self.kind {
            ProgramKind::Split => self.halves_in_turn(args, shadows, &host),
            _ => self.combined(args, shadows, &host),
        };
        // What was written until the error is no gradient.
        done.inspect_err(|error| shadows.fail(error))
    }

    fn combined<P, A: Argument<P>, R: Returned>(
        &self,
        args: &mut A,
        shadows: &mut impl GradientSink<A::Gradient>,
        host: &ArrayHost,
    ) -> Result<(R, Stats)> {
        let mut given = self.start(true);
        let mut tables = Tables::default();
        let mut words = Words::new();
        let all = (&mut given, &mut tables);
        self.call(FIRST, all, host, &mut words, |call| {
            args.encode(call)?;
            call.rest();
            call.lend_zeros(shadows);
            call.add_shadows(&self.active)?;
            match self.is_seeded {
                true => can_be_seeded::<R>(),
                false => R::seed(&R::one(None)?, call),
            }
        })?;
        given.halves.balance(&self.program)?;
        let stats = given.halves.stats();
        let all = (&mut given, &mut tables);
        let mut results = Results::new(&words, host, all, &self.active, false);
        let value = R::read(&mut results)?;
        if self.is_seeded {
            value.has_gradient()?;
        }
        shadows.read(&mut results)?;
        Ok((value, stats))
    }

    fn halves_in_turn<P, A: Argument<P>, R: Returned>(
        &self,
        args: &mut A,
        shadows: &mut impl GradientSink<A::Gradient>,
        host: &ArrayHost,
    ) -> Result<(R, Stats)> {
        let mut given = self.start(true);
        let mut tables = Tables::default();
        let call = (&mut given, &mut tables);
        let value: R = self.forward(call, args, host)?;
        let stats = given.halves.stats();
        let one = R::one(Some(&value))?;
        let call = (&mut given, &mut tables);
        self.pull_back::<P, A, R>(call, args, host, &one, shadows, false)?;
        Ok((value, stats))
    }

    /// Calls the forward half of what was started.
    pub fn forward<P, A: Argument<P>, R: Returned>(
        &self,
        (given, tables): (&mut CallState, &mut Tables),
        args: &mut A,
        host: &ArrayHost,
    ) -> Result<R> {
        let mut words = Words::new();
        self.call(FIRST, (given, tables), host, &mut words, |call| {
            args.encode(call)?;
            call.rest();
            if self.takes_shadows {
                call.shadow_borrowed(&self.active)?;
                call.add_shadows(&self.active)?;
            }
            Ok(())
        })?;
        let has_owners = !tables.owners.is_empty();
        let mut results = Results::new(&words, host, (given, tables), &self.active, false);
        let value = R::read(&mut results)?;
        if self.gives_shadows {
            results.shadows()?;
        }
        given.update(tables, host, |reader| args.update(reader))?;
        if !has_owners {
            // Those of the result are of no more use.
            tables.owners.clear();
        }
        Ok(value)
    }

    /// Calls the pullback: overwrites `shadows`, or adds to them.
    pub fn pull_back<P, A: Argument<P>, R: Returned>(
        &self,
        (given, tables): (&mut CallState, &mut Tables),
        args: &mut A,
        host: &ArrayHost,
        cotangent: &R::Cotangent,
        shadows: &mut impl GradientSink<A::Gradient>,
        add: bool,
    ) -> Result<()> {
        let mut words = Words::new();
        self.call(PULLBACK, (given, tables), host, &mut words, |call| {
            call.add = add;
            args.encode(call)?;
            call.rest();
            match add {
                true => shadows.lend(call),
                false => call.lend_zeros(shadows),
            }
            call.add_shadows(&self.active)?;
            let first = call.args.types().len();
            R::seed(cotangent, call)?;
            call.check_seeds(first)
        })?;
        given.halves.balance(&self.program)?;
        let mut results = Results::new(&words, host, (given, tables), &self.active, add);
        shadows.read(&mut results)?;
        given.update(tables, host, |reader| args.update(reader))
    }

    /// The host of one call.
    pub fn host(&self) -> ArrayHost {
        ArrayHost::of(self.debug, self.context.clone())
    }

    /// Calls a root with what `fill` gives to the call. `words` become its results.
    #[inline]
    fn call<'s>(
        &'s self,
        root: usize,
        (given, tables): (&'s mut CallState, &'s mut Tables),
        host: &'s ArrayHost,
        words: &mut Words,
        fill: impl FnOnce(&mut Call<'s>) -> Result<()>,
    ) -> Result<()> {
        (0..self.program.result_words(root)).for_each(|_| words.push(0));
        let mut call = match root {
            PULLBACK => Call::again(given, tables, host, &self.params),
            _ => Call::new(given, tables, host, &self.params),
        };
        fill(&mut call)?;
        call.run(&self.program, root, words)
    }
}

impl Derived {
    /// The value. The program is compiled if this is the first call.
    #[inline]
    pub fn value<P, A: Argument<P>, R: Returned>(&self, args: A) -> Result<R> {
        if let Some(numbers) = A::NUMBERS
            && let Some(primal) = self
                .programs
                .find(|program| program.takes(ProgramKind::Primal, numbers))
            && let Some(done) = primal.direct::<P, A, R, (), ()>(&args, &mut ())
        {
            return done.map(|(value, _)| value);
        }
        let all = activity::<P, A>();
        self.compiled(ProgramKind::Primal, &all)?.value(args)
    }

    /// The value and the gradient: `gradient` is overwritten. The program is compiled if this is the first call with this pattern of constant arguments.
    #[inline]
    pub fn value_and_gradient<P, A: Argument<P>, R: Returned, S: GradientSink<A::Gradient>>(
        &self,
        args: &mut A,
        gradient: &mut S,
    ) -> Result<(R, Stats)> {
        if S::IS_DIRECT
            && let Some(numbers) = A::NUMBERS
            && let Some(program) = self
                .programs
                .find(|program| program.takes(ProgramKind::Combined, numbers))
            && let Some(done) = program.direct(args, gradient)
        {
            return done;
        }
        let activity = activity::<P, A>();
        let program = self.with_gradient::<R>(&activity)?;
        program.value_and_gradient(args, gradient)
    }

    /// The program for values with gradients: in halves only if the cotangent depends on the value and the gradient cannot make it.
    pub fn with_gradient<R: Returned>(&self, activity: &Activity) -> Result<&Arc<Compiled>> {
        let combined = self.compiled(ProgramKind::Combined, activity)?;
        match R::ONE_NEEDS_VALUE && !combined.is_seeded {
            true => self.compiled(ProgramKind::Split, activity),
            false => Ok(combined),
        }
    }

    /// The cotangent of the result for which the pullback is the gradient, for a program that takes it.
    pub fn one<P, A: Argument<P>, R: Returned>(
        &self,
        compiled: &Compiled,
        args: &mut A,
    ) -> Result<Option<R::Cotangent>>
    where
        A::Gradient: GradientSink<A::Gradient>,
    {
        if compiled.is_seeded {
            return can_be_seeded::<R>().map(|()| None);
        }
        if !R::ONE_NEEDS_VALUE {
            return R::one(None).map(Some);
        }
        let split = self.compiled(ProgramKind::Split, &activity::<P, A>())?;
        let (value, _) = split.value_and_gradient::<P, A, R, _>(args, &mut args.gradient())?;
        R::one(Some(&value)).map(Some)
    }
}

/// An error if results of the type have no gradient, whatever they are.
fn can_be_seeded<R: Returned>() -> Result<()> {
    match R::ONE_NEEDS_VALUE {
        true => Ok(()),
        false => R::one(None).map(drop),
    }
}

/// The pattern of active arguments that a type of argument stands for.
pub fn activity<P, A: Argument<P>>() -> Activity {
    let mut activity = Activity::default();
    A::activity(&mut activity);
    let numbers = |_| A::NUMBERS == Numbers::of_flags(activity.flags());
    debug_assert!(A::NUMBERS.is_none_or(numbers), "{activity:?}");
    activity
}
