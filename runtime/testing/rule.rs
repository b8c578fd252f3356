//! `test_rule`: the one test of a rule, hand-written or derived.

use super::argument::{Lend, TestArgument};
use super::differences::{Verdict, compare, derivative, near};
use super::leaves::{Numbers, floats_of, set_floats};
use super::part::{separate, shorten};
use super::random::Random;
use super::subject::{Arguments, Data, Held, Outcome, Pull, Rules, Subject, type_of};
use crate::api::Visit;
use crate::api::pipeline;
use crate::api::{Copies, DifferentiableFn, Number, RRule, Returned, Value, Visitor};
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::front::tree::Instance;
use crate::front::types::Typed;
use crate::ir::{Function, InstData, Op, Type};
use crate::registry::{ContextKind, EntryKind};
use std::cell::Cell;
use std::ops::Range;

/// How [`test_rule_with`] tests.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Gives the number of allocations that this thread has made so far. With it, a third `value_and_gradient_into` must
    /// make none: a test program counts them in its global allocator.
    pub allocations: Option<fn() -> u64>,
    /// The gradient as the rule's author declares it, for arguments at which it is a choice: a kink, a tie, a pole, NaN.
    /// Then nothing is compared with differences.
    pub declared: Option<&'static [f64]>,
    /// Other numbers for directions and cotangents.
    pub seed: u64,
}

impl Options {
    /// Counts allocations.
    pub fn allocations(mut self, count: fn() -> u64) -> Self {
        self.allocations = Some(count);
        self
    }
    /// Declares the gradient of a function that returns one float: a number for each float of the arguments that are not
    /// [`Const`](crate::Const), in order.
    pub fn declared(mut self, gradient: &'static [f64]) -> Self {
        self.declared = Some(gradient);
        self
    }
    /// Other directions and cotangents.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }
}

/// Tests the reverse and the forward rule of `F` at these arguments. In the words that the error uses:
///
/// - **value**: it is that of the native function, and so is what is written to `&mut` arguments, by every form of call: bit
///   for bit, or, where there are arrays or the context has `fast_math`, but for rounding; where the native function panics, the rule fails;
/// - **shape**: the gradient has the arguments' shapes;
/// - **gradient**, **pullback**: the derivative is that of central differences of the native function, extrapolated to step
///   zero, along each axis if they are few and in random directions, for a random cotangent, that of the final contents of
///   `&mut` arguments included; or that which [`Options::declared`] says;
/// - **forward**: the forward rule gives the native value, and along a random direction the derivative that goes with the
///   pullback's, ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩, but for rounding. Not tested where a function that is called has a rule of its own without an `frule`;
/// - **accumulation**: a pullback adds to what is there;
/// - **restoration**: after value and gradient, and after the pullback, the arguments are as they were;
/// - **reuse**: another call gives the same bits, also after calls at other arguments, after calls that fail, and for a
///   pullback that waits while others run;
/// - **aliasing**: one slice, vector or array passed for two `&` parameters, or in values of one type, has the gradient of two equal ones; and
///   where two arguments of one type can hold the same cells, all of this holds for arguments that do;
/// - **context**: the rule derived with only the minimal context's primitives has the same gradient, if there is one;
/// - **allocations**: see [`Options::allocations`].
///
/// # Arguments
/// Arguments and results are of every type that rules accept: structs, enums, tuples, `Vec`s, cells and so on. What the function
/// takes by `&` may be given by value. The test works on copies, in which cells are one that are one in the arguments: also those that
/// several arguments share, and cycles (whose copies stay in memory, as cycles of `Rc`s do).
///
/// Not tested are arguments that hold references (other than the arguments that are references themselves) or functions, which is an
/// error or does not compile, and text that numbers are formatted into in what is returned or changed: an error that says so. A `Cell` or `RefCell` that is passed by value and changed counts as changed for the caller: pass it by `&`.
/// One that is not in an `Rc` is not passed twice. Only slices and vectors of `f64`, `f32` and `usize` are shortened between calls.
///
/// # What it cannot see
/// It sees these arguments and no others: each branch, tie and special value needs a call of its own. It takes the native
/// function's value as right, so where that calls a pack, the pack's value is compared with itself. Differences have about
/// 10 digits in f64 and 3 in f32: an error below that, or one that is small against the other terms, passes them, though
/// seldom the comparison of the two modes. It cannot see state that a rule keeps and that these calls do not reveal, data
/// races, what is wrong only on another device, time, or memory that only grows.
///
/// # Errors
/// [`Error::Rule`] says which of these does not hold, for which argument, with the numbers. If differences do not settle,
/// because there is a kink nearby, that is an error too: choose other arguments, or declare the gradient.
pub fn test_rule<'a, F>(
    ctx: &Context,
    args: impl TestArgument<F::Args<'a>, Owned: for<'b> Lend<'b, F::Args<'b>>>,
) -> Result<()>
where
    F: DifferentiableFn,
    F::Output: Value + Returned<Cotangent = <F::Output as Typed>::Gradient>,
{
    test_rule_with::<F>(ctx, args, Options::default())
}

/// As [`test_rule`], with options.
pub fn test_rule_with<'a, F>(
    ctx: &Context,
    args: impl TestArgument<F::Args<'a>, Owned: for<'b> Lend<'b, F::Args<'b>>>,
    options: Options,
) -> Result<()>
where
    F: DifferentiableFn,
    F::Output: Value + Returned<Cotangent = <F::Output as Typed>::Gradient>,
{
    let args = args.own(&mut Copies::default())?;
    let rules = Rules {
        rule: ctx.build_rrule::<F>()?,
        forward: match has_forward(ctx, &F::callee())? {
            true => Some(ctx.build_frule::<F>()?),
            false => None,
        },
        minimal: minimal::<F>(ctx)?,
        args: type_of(&args),
    };
    run(&rules, Box::new(args), options, ctx.fast_math())
}

/// The test itself. It knows the function and its arguments only as `Subject` and `Arguments`, so it is compiled once, and not for every function.
fn run(
    subject: &dyn Subject,
    args: Box<dyn Arguments>,
    options: Options,
    rounds: bool,
) -> Result<()> {
    let test = Test {
        subject,
        args,
        options,
        single: false,
        rounds,
    };
    test.run()
}

/// The rule that only the minimal context's primitives give, if it is another one. A function may have none: what it calls
/// may have a rule for speed and no body to derive.
fn minimal<F: DifferentiableFn>(ctx: &Context) -> Result<Option<RRule<F>>> {
    let minimal = ctx.clone().with_kind(ContextKind::Minimal);
    match minimal.primal_ir::<F>() {
        Ok(text) if text != ctx.primal_ir::<F>()? => Ok(minimal.build_rrule::<F>().ok()),
        _ => Ok(None),
    }
}

/// Whether there is a forward rule: not if a function that is called has a rule of its own without an `frule`.
fn has_forward(ctx: &Context, callee: &Instance) -> Result<bool> {
    let registry = ctx.registry();
    let normal = pipeline::normal(ctx, pipeline::typed(ctx, callee, true)?)?;
    let is_missing = |function: &Function, row: &InstData| match row.op {
        Op::Call(callee) => {
            let types: Vec<Type> = row.args.iter().map(|&v| function.ty(v)).collect();
            let entry = registry.entry(callee, &types).map(|entry| &entry.kind);
            matches!(entry, Some(EntryKind::Native(rule)) if rule.frule.is_none())
        }
        _ => false,
    };
    let missing = normal.functions.values().any(|function| {
        let blocks = function.blocks_in_order();
        let insts = blocks.flat_map(|(_, block)| block.insts.iter());
        insts
            .map(|&inst| &function.insts[inst])
            .any(|row| is_missing(function, row))
    });
    Ok(!missing)
}

/// A test in progress.
struct Test<'t> {
    subject: &'t dyn Subject,
    args: Box<dyn Arguments>,
    options: Options,
    /// Some of the floats are f32.
    single: bool,
    /// Results are equal but for rounding: there are arrays, whose sums are in another order on every device, or the context has `fast_math`.
    rounds: bool,
}

/// A cotangent of the arguments' final contents, and of what is added to.
struct Last<'a> {
    /// Data of their form.
    form: &'a dyn Arguments,
    floats: Vec<f64>,
}

/// What a pullback gives: the gradient, and the cotangent that it was given.
struct Pulled {
    gradient: Vec<f64>,
    cotangent: Vec<f64>,
}

impl Test<'_> {
    fn run(mut self) -> Result<()> {
        let Some((value, _)) = self.subject.native(&*self.args) else {
            return self.fails();
        };
        let value = value?;
        for numbers in [&value.numbers, &numbers(&mut *self.args)?] {
            self.single |= numbers.single;
            self.rounds |= numbers.has_arrays();
        }
        self.derivatives()?;
        if value.single {
            self.allocations()?;
        }
        self.aliasing()
    }
    /// All that holds for the arguments as they are.
    fn derivatives(&self) -> Result<()> {
        let Some((value, mut after)) = self.subject.native(&*self.args) else {
            return Ok(());
        };
        let Outcome {
            single,
            numbers: value,
        } = value?;
        self.primal(&value, &mut *after)?;
        if single {
            self.gradient(&value)?;
        }
        self.pullback(&value, &mut *after)
    }
    /// The precision of the least precise float.
    fn epsilon(&self) -> f64 {
        match self.single {
            true => f32::EPSILON.into(),
            false => f64::EPSILON,
        }
    }

    fn error(&self, property: &'static str, message: impl Into<String>) -> Error {
        Error::Rule {
            rule: self.subject.name().to_owned(),
            property,
            message: message.into(),
        }
    }
    /// Whether two numbers are equal but for rounding.
    fn near(&self, a: f64, b: f64) -> bool {
        let tolerance = 64.0 * self.epsilon() * a.abs().max(b.abs()).max(1.0);
        near(a, b, tolerance) || a.is_nan() && b.is_nan()
    }
    /// Bits; floats but for rounding if that is all that can be expected.
    fn same(
        &self,
        property: &'static str,
        what: &str,
        found: &Numbers,
        expected: &Numbers,
    ) -> Result<()> {
        let near = |(a, b): (&f64, &f64)| self.near(*a, *b);
        let rounded = self.rounds
            && found.floats.len() == expected.floats.len()
            && found.floats.iter().zip(&expected.floats).all(near);
        if found.bits == expected.bits || rounded {
            return Ok(());
        }
        let message = format!("{what} {}, expected {}", shown(found), shown(expected));
        Err(self.error(property, message))
    }
    /// As `same`, of arguments or gradients: the first difference is named.
    fn same_by_argument(
        &self,
        property: &'static str,
        what: &str,
        found: &mut dyn Data,
        expected: &mut dyn Data,
    ) -> Result<()> {
        let (found, expected) = (numbers(found)?, numbers(expected)?);
        let differs =
            |(a, b): (&f64, &f64)| a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan());
        let pairs = found.floats.iter().zip(&expected.floats);
        match { pairs }.position(differs) {
            Some(i) if !self.rounds && found.floats.len() == expected.floats.len() => {
                let (place, found, expected) = (self.place(i), found.floats[i], expected.floats[i]);
                let message = format!("{what} {found:?} in {place}, expected {expected:?}");
                Err(self.error(property, message))
            }
            _ => self.same(property, what, &found, &expected),
        }
    }
    /// Where the `i`-th float of the arguments is, for messages.
    fn place(&self, i: usize) -> String {
        let mut args = self.args.again();
        let count = Cell::new(0);
        // What arguments share belongs to the first of them.
        let mut add = |number: Number<'_>, _| {
            count.set(count.get() + numbers_in(number));
        };
        let mut visitor = Visitor::new(&mut add);
        for (n, part) in args.parts().into_iter().enumerate() {
            let before = count.get();
            part.numbers(&mut visitor);
            match (before..count.get()).contains(&i) {
                true if count.get() == before + 1 => return format!("argument {}", n + 1),
                true => return format!("argument {}, element {}", n + 1, i - before),
                false => {}
            }
        }
        format!("number {i} of the arguments")
    }

    /// Where the native function panics.
    fn fails(self) -> Result<()> {
        match self.subject.value(&mut *self.args.again()) {
            Err(Error::Fault(_)) => Ok(()),
            Err(other) => Err(other),
            Ok(_) => Err(self.error(
                "value",
                "the native function panics, the compiled one does not",
            )),
        }
    }

    /// The compiled function is the native one.
    fn primal(&self, value: &Numbers, after: &mut dyn Data) -> Result<()> {
        let mut args = self.args.again();
        let found = self.subject.value(&mut *args)?;
        let is_nan = |numbers: &Numbers| numbers.floats.iter().any(|x| x.is_nan());
        let what = match is_nan(value) && !is_nan(&found) && numbers(&mut *args)?.has_arrays() {
            true => {
                "the native function gives NaN, as it does where arrays that it makes are on the default device and its arguments are on another; the compiled function gives"
            }
            false => "the compiled function gives",
        };
        self.same("value", what, &found, value)?;
        let what = "the compiled function leaves its arguments as";
        self.same_by_argument("value", what, &mut *args, after)
    }

    /// Value and gradient in one: right value, restored, reusable.
    fn gradient(&self, value: &Numbers) -> Result<()> {
        let mut args = self.args.again();
        let (found, mut first) = self.subject.gradient(&mut *args)?;
        self.same("value", "value_and_gradient gives the value", &found, value)?;
        self.restored("value_and_gradient leaves its arguments as", &mut *args)?;
        let numbers = numbers(&mut *first)?;
        self.shapes(&numbers)?;
        let gradient = numbers.floats;
        let mut second = args.zeros();
        for when in ["a second call", "a call after others"] {
            // Whatever the place holds is overwritten.
            set(&mut *second, &vec![f64::NAN; gradient.len()])?;
            let again = self.subject.gradient_into(&mut *args, &mut *second)?;
            self.same("reuse", &format!("{when} gives the value"), &again, &found)?;
            let what = format!("{when} gives the gradient");
            self.same_by_argument("reuse", &what, &mut *second, &mut *first)?;
            self.others(&mut |args| drop(self.subject.gradient(args)))?;
        }
        let mut random = Random::new(self.options.seed);
        let zeros = vec![0.0; gradient.len()];
        self.derivative("gradient", &gradient, &[1.0], &zeros, &mut random)
    }
    /// Calls something at other arguments, some of which may make it fail.
    fn others(&self, call: &mut dyn FnMut(&mut dyn Arguments)) -> Result<()> {
        let mut moved = self.args.again();
        let nearby: Vec<f64> = floats(&mut *moved)?
            .iter()
            .map(|x| x + 0.01 * x.abs().max(0.01))
            .collect();
        set(&mut *moved, &nearby)?;
        call(&mut *moved);
        moved.parts().into_iter().for_each(shorten);
        call(&mut *moved);
        Ok(())
    }
    /// What the arguments are after a gradient.
    fn restored(&self, what: &str, args: &mut dyn Data) -> Result<()> {
        self.same_by_argument("restoration", what, args, &mut *self.args.again())
    }
    /// The gradient has the arguments' shapes.
    fn shapes(&self, gradient: &Numbers) -> Result<()> {
        let expected = numbers(&mut *self.args.again())?.shapes;
        match { gradient.shapes.iter() }
            .zip(&expected)
            .find(|(f, e)| f != e)
        {
            Some((found, expected)) => Err(self.error(
                "shape",
                format!("the gradient of an array of shape {expected:?} has the shape {found:?}"),
            )),
            None => Ok(()),
        }
    }

    fn allocations(&self) -> Result<()> {
        let Some(count) = self.options.allocations else {
            return Ok(());
        };
        match self.subject.allocations(&mut *self.args.again(), count)? {
            0 => Ok(()),
            n => Err(self.error(
                "allocations",
                format!("a third call of value_and_gradient_into made {n}"),
            )),
        }
    }

    /// Value and pullback, apart: right value, restored, adds to what is there, and the same again.
    fn pullback(&self, value: &Numbers, after: &mut dyn Arguments) -> Result<()> {
        let mut args = self.args.again();
        let dropped = Pull {
            minimal: false,
            aliased: None,
            gradient: None,
            between: &mut || Ok(()),
            random: &mut || 0.0,
        };
        let (found, _) = self.subject.pullback(&mut *args, dropped)?;
        self.same("value", "value_and_pullback gives the value", &found, value)?;
        let what = "a pullback that is dropped leaves its arguments as";
        self.same_by_argument("value", what, &mut *args, &mut *after)?;

        let mut random = Random::new(self.options.seed + 1);
        // For what the function may overwrite the start is the cotangent of the final contents, which may be more or fewer
        // than the initial ones; to the others it is added.
        let mutable = numbers(&mut *after)?.mutable;
        let initial = numbers(&mut *self.args.again())?.mutable;
        let start: Vec<f64> = mutable.iter().map(|_| random.signed()).collect();
        let pairs = || start.iter().zip(&mutable);
        let last: Vec<f64> = pairs().map(|(&s, &m)| if m { s } else { 0.0 }).collect();
        let mut kept = pairs().filter(|(_, m)| !**m).map(|(&s, _)| s);
        let added: Vec<f64> = { initial.iter() }
            .map(|m| if *m { 0.0 } else { kept.next().unwrap_or(0.0) })
            .collect();
        let last = Last {
            form: after,
            floats: last,
        };
        let Pulled {
            gradient,
            cotangent,
        } = self.pulled(false, &last, &mut || Ok(()))?;
        let start = Last {
            form: last.form,
            floats: start,
        };
        self.accumulation(&gradient, &added, &start)?;
        let mut waiting =
            || self.others(&mut |args| drop(self.pulled_at(false, args, &last, &mut || Ok(()))));
        let again = self.pulled(false, &last, &mut waiting)?;
        let what = "a pullback that waits while others run gives the gradient";
        let expected = shown_floats(&gradient);
        let bits = |floats: &[f64]| -> Vec<u64> { floats.iter().map(|x| canonical(*x)).collect() };
        let near = |(a, b): (&f64, &f64)| self.near(*a, *b);
        let rounded = self.rounds && again.gradient.iter().zip(&gradient).all(near);
        if bits(&again.gradient) != bits(&gradient) && !rounded {
            let found = shown_floats(&again.gradient);
            return Err(self.error("reuse", format!("{what} {found}, expected {expected}")));
        }
        if self.subject.has_minimal() {
            self.context(&gradient, &last)?;
        }
        self.forward(value, &gradient, &cotangent, &last.floats, &mut random)?;
        self.derivative("pullback", &gradient, &cotangent, &last.floats, &mut random)
    }

    /// What the pullback, perhaps that of the minimal context, gives into shadows that hold `start`; between its halves something else is done.
    fn pulled(
        &self,
        minimal: bool,
        start: &Last<'_>,
        between: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Pulled> {
        let mut args = self.args.again();
        let pulled = self.pulled_at(minimal, &mut *args, start, between)?;
        self.restored("the pullback leaves its arguments as", &mut *args)?;
        Ok(pulled)
    }
    fn pulled_at(
        &self,
        minimal: bool,
        args: &mut dyn Arguments,
        start: &Last<'_>,
        between: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Pulled> {
        let mut gradient = start.form.zeros();
        set(&mut *gradient, &start.floats)?;
        let mut random = self.cotangent();
        let pull = Pull {
            minimal,
            aliased: None,
            gradient: Some(&mut *gradient),
            between,
            random: &mut || random.signed(),
        };
        let (_, cotangent) = self.subject.pullback(args, pull)?;
        let gradient = numbers(&mut *gradient)?;
        self.shapes(&gradient)?;
        Ok(Pulled {
            gradient: gradient.floats,
            cotangent,
        })
    }
    /// The numbers of a random cotangent of the result.
    fn cotangent(&self) -> Random {
        Random::new(self.options.seed + 2)
    }

    /// The same pullback adds to what is there.
    fn accumulation(&self, gradient: &[f64], added: &[f64], start: &Last<'_>) -> Result<()> {
        let found = self.pulled(false, start, &mut || Ok(()))?.gradient;
        let tolerance = self.epsilon().sqrt();
        for (i, (&found, (&own, &added))) in
            found.iter().zip(gradient.iter().zip(added)).enumerate()
        {
            let expected = own + added;
            let near = near(found, expected, tolerance * own.abs().max(1.0));
            if !(near || found.is_nan() && expected.is_nan()) {
                let message = format!(
                    "{}: the pullback makes {found:e} of {added:e}, expected {own:e} more",
                    self.place(i)
                );
                return Err(self.error("accumulation", message));
            }
        }
        Ok(())
    }

    /// The rule that has only the minimal context's primitives has the same gradient.
    fn context(&self, gradient: &[f64], last: &Last<'_>) -> Result<()> {
        let found = match self.pulled(true, last, &mut || Ok(())) {
            // What it calls has no rule there, and no body.
            Err(Error::User(d) | Error::Fault(d)) if d.message.starts_with("no rule") => {
                return Ok(());
            }
            found => found?.gradient,
        };
        let tolerance = self.epsilon().powf(0.75);
        let size = gradient.iter().filter(|g| g.is_finite());
        let size = size.fold(1.0, |size: f64, g| size.max(g.abs()));
        for (i, (&found, &expected)) in found.iter().zip(gradient).enumerate() {
            let near = near(found, expected, tolerance * size);
            if !(near || found.is_nan() && expected.is_nan()) {
                let message = format!(
                    "{}: derived in the minimal context it is {found:e}, in the default one {expected:e}",
                    self.place(i)
                );
                return Err(self.error("context", message));
            }
        }
        Ok(())
    }

    /// What two arguments of one type may share.
    fn aliasing(&self) -> Result<()> {
        let count = self.args.again().parts().len();
        for (from, to) in (0..count).flat_map(|to| (0..to).map(move |from| (from, to))) {
            if let Some(equal) = self.equal(from, to)? {
                self.one_memory(from, to, equal.again())?;
                self.one_cell(from, to, equal)?;
            }
        }
        Ok(())
    }
    /// The arguments, with the one a copy of the other, if they are of one type and form.
    fn equal(&self, from: usize, to: usize) -> Result<Option<Box<dyn Arguments>>> {
        let mut equal = self.args.again();
        let mut parts = equal.parts();
        let (before, rest) = parts.split_at_mut(to);
        if !rest[0].assign(before[from], &mut Copies::default()) {
            return Ok(None);
        }
        let (found, own) = (numbers(&mut *equal)?, numbers(&mut *self.args.again())?);
        let same = found.floats.len() == own.floats.len() && found.shapes == own.shapes;
        Ok(same.then_some(equal))
    }
    /// One memory for the slices and arrays of two `&` parameters: it is as with two equal ones.
    fn one_memory(&self, from: usize, to: usize, mut one: Box<dyn Arguments>) -> Result<()> {
        // Other arguments may be required to differ.
        if !one.parts()[from].lends() {
            return Ok(());
        }
        let mut apart = one.again();
        separate(apart.parts()[to]);
        // So may these.
        let Some((value, _)) = self.subject.native(&*apart) else {
            return Ok(());
        };
        let mut expected = self.called(&mut *apart, None)?;
        let widths: Vec<usize> = one.parts().iter().map(|part| part.width()).collect();
        let start = |n: usize| widths[..n].iter().sum::<usize>();
        let leaves = [from, to].map(|n| start(n)..start(n + 1));
        let mut found = self.called(&mut *one, Some(leaves))?;
        let what = format!(
            "with one memory for arguments {} and {} it",
            from + 1,
            to + 1
        );
        let gives = format!("{what} gives the value");
        self.same("aliasing", &gives, &found.0, &value?.numbers)?;
        let what = format!("{what} gives the gradient");
        self.same_by_argument("aliasing", &what, &mut *found.1, &mut *expected.1)
    }
    /// The cells of one argument in another one too: everything holds for these arguments as well.
    fn one_cell(&self, from: usize, to: usize, mut two: Box<dyn Arguments>) -> Result<()> {
        let count = |args: &mut dyn Data| numbers(args).map(|numbers| numbers.mutable.len());
        let mut one = self.args.again();
        let mut parts = one.parts();
        let (before, rest) = parts.split_at_mut(to);
        rest[0].assign(before[from], &mut Copies::shallow());
        // There may be no cells to share, or the function may require that they differ.
        if count(&mut *one)? == count(&mut *two)? || self.subject.native(&*one).is_none() {
            return Ok(());
        }
        let shared = Test { args: one, ..*self };
        shared.derivatives().map_err(|error| match error {
            Error::Rule {
                rule,
                property,
                message,
            } => Error::Rule {
                rule,
                property: "aliasing",
                message: format!(
                    "with the cells of argument {} in argument {} too: {property}: {message}",
                    from + 1,
                    to + 1
                ),
            },
            other => other,
        })
    }
    /// Value, and gradient for a cotangent, of one call, perhaps with one memory for two arguments.
    fn called(
        &self,
        args: &mut dyn Arguments,
        aliased: Option<[Range<usize>; 2]>,
    ) -> Result<(Numbers, Box<dyn Data>)> {
        let mut gradient = args.zeros();
        let mut random = self.cotangent();
        let pull = Pull {
            minimal: false,
            aliased,
            gradient: Some(&mut *gradient),
            between: &mut || Ok(()),
            random: &mut || random.signed(),
        };
        let (value, _) = self.subject.pullback(args, pull)?;
        Ok((value, gradient))
    }

    /// The forward rule: right value, and the derivative that goes with a pullback's gradient.
    fn forward(
        &self,
        value: &Numbers,
        gradient: &[f64],
        cotangent: &[f64],
        last: &[f64],
        random: &mut Random,
    ) -> Result<()> {
        if !self.subject.has_forward() {
            return Ok(());
        }
        let mut args = self.args.again();
        let mut direction = floats(&mut *args)?;
        for (x, g) in direction.iter_mut().zip(gradient) {
            // At a pole not every direction has a derivative.
            *x = if g.is_finite() { random.signed() } else { 0.0 };
        }
        let mut moved = args.zeros();
        set(&mut *moved, &direction)?;
        // As the rule sees it: in f32, perhaps.
        let direction = floats(&mut *moved)?;
        let (found, _) = self.subject.derivative(&mut *args, &mut *moved)?;
        let what = "value_and_derivative gives the value";
        self.same("forward", what, &found, value)?;
        if gradient.iter().any(|g| !g.is_finite()) {
            return Ok(());
        }
        if self.modes(gradient, cotangent, last, &direction)?.is_none() {
            return Ok(());
        }
        // Which of the arguments is it?
        let axes = (0..direction.len().min(64)).map(|i| {
            let mut axis = vec![0.0; direction.len()];
            axis[i] = direction[i];
            axis
        });
        for direction in axes.chain([direction.clone()]) {
            if let Some([forward, reverse]) = self.modes(gradient, cotangent, last, &direction)? {
                let (place, step) = self.along(&direction);
                let (forward, reverse) = (forward / step, reverse / step);
                let message =
                    format!("{place}: the forward rule says {forward:e}, the pullback {reverse:e}");
                return Err(self.error("forward", message));
            }
        }
        Ok(())
    }

    /// ⟨ȳ, J ẋ⟩ and ⟨Jᵀ ȳ, ẋ⟩, if they differ by more than rounding.
    fn modes(
        &self,
        gradient: &[f64],
        cotangent: &[f64],
        last: &[f64],
        direction: &[f64],
    ) -> Result<Option<[f64; 2]>> {
        let mut args = self.args.again();
        let mut moved = args.zeros();
        set(&mut *moved, direction)?;
        let (_, dy) = self.subject.derivative(&mut *args, &mut *moved)?;
        let terms = |a: &[f64], b: &[f64]| -> Vec<f64> {
            let pairs = a.iter().zip(b);
            pairs.map(|(a, b)| a * b).collect()
        };
        let forward = [terms(cotangent, &dy), terms(last, &floats(&mut *moved)?)].concat();
        let reverse = terms(gradient, direction);
        let sums = [&forward, &reverse].map(|t| t.iter().sum::<f64>());
        let size: f64 = forward.iter().chain(&reverse).map(|t| t.abs()).sum();
        let tolerance = match (self.single, self.rounds) {
            (true, true) => 1e-4,
            (true, false) => 1e-5,
            (false, _) => 1e-12,
        };
        // Where terms cancel, what is left are roundings of numbers that nobody sees here.
        let tolerance = tolerance * size + 64.0 * self.epsilon();
        let agree = near(sums[0], sums[1], tolerance);
        Ok((!agree).then_some(sums))
    }

    /// Compares a gradient with what is declared, or with differences.
    fn derivative(
        &self,
        property: &'static str,
        gradient: &[f64],
        cotangent: &[f64],
        last: &[f64],
        random: &mut Random,
    ) -> Result<()> {
        let (Some(declared), &[cotangent]) = (self.options.declared, cotangent) else {
            return self.differences(property, gradient, cotangent, last, random);
        };
        if gradient.len() != declared.len() {
            let (found, expected) = (gradient.len(), declared.len());
            let message = format!("{found} numbers, declared are {expected}");
            return Err(self.error(property, message));
        }
        for (i, (&found, declared)) in gradient.iter().zip(declared).enumerate() {
            let expected = declared * cotangent;
            if !self.near(found, expected) {
                let message = format!(
                    "{}: the rule says {found:e}, declared is {expected:e}",
                    self.place(i)
                );
                return Err(self.error(property, message));
            }
        }
        Ok(())
    }

    /// Compares a gradient, for a cotangent of the result and of the final contents, with differences.
    fn differences(
        &self,
        property: &'static str,
        gradient: &[f64],
        cotangent: &[f64],
        last: &[f64],
        random: &mut Random,
    ) -> Result<()> {
        let start = floats(&mut *self.args.again())?;
        if start.len() != gradient.len() {
            let message = match has_halves(&mut *self.args.again()) {
                true => "elements of an array of `f16` are not moved by small steps: pass the array as `Const`".to_owned(),
                false => format!("{} numbers for {} arguments", gradient.len(), start.len()),
            };
            return Err(self.error(property, message));
        }
        // At a pole there are no differences to compare with.
        if let Some(i) = gradient.iter().position(|g| !g.is_finite()) {
            let (place, found) = (self.place(i), gradient[i]);
            let message = format!(
                "{place}: the rule says {found}: choose other arguments, or declare that (`Options::declared`)"
            );
            return Err(self.error(property, message));
        }
        for direction in directions(&start, random) {
            let f = |t: f64| {
                self.weighted(&start, &direction, t, cotangent, last)
                    .unwrap_or(f64::NAN)
            };
            let estimate = derivative(f, self.epsilon());
            let terms = gradient.iter().zip(&direction).map(|(g, d)| g * d);
            let (found, scale) = terms.fold((0.0, 0.0), |(s, a), t| (s + t, a + t.abs()));
            match compare(found, estimate, scale, self.epsilon()) {
                Verdict::Agrees => {}
                Verdict::Differs => {
                    let (place, step) = self.along(&direction);
                    let message = format!(
                        "{place}: the rule says {:e}, differences say {:e} ± {:.0e}",
                        found / step,
                        estimate.value / step,
                        estimate.error / step
                    );
                    return Err(self.error(property, message));
                }
                Verdict::Unknown => {
                    let (place, step) = self.along(&direction);
                    let message = format!(
                        "{place}: differences do not settle (the rule says {:e}): choose arguments without a kink nearby, or declare the \
                         gradient (`Options::declared`)",
                        found / step
                    );
                    return Err(self.error(property, message));
                }
            }
        }
        Ok(())
    }

    /// A direction, for messages: which it is, and how long if it is an axis.
    fn along(&self, direction: &[f64]) -> (String, f64) {
        let nonzero: Vec<usize> = (0..direction.len())
            .filter(|&i| direction[i] != 0.0)
            .collect();
        match nonzero[..] {
            [i] => (self.place(i), direction[i]),
            _ => ("all arguments, along a random direction".to_owned(), 1.0),
        }
    }

    /// The cotangents' products with what the native function gives at `start + t direction`; `None` if it panics.
    fn weighted(
        &self,
        start: &[f64],
        direction: &[f64],
        t: f64,
        cotangent: &[f64],
        last: &[f64],
    ) -> Option<f64> {
        let mut args = self.args.again();
        let moved = start.iter().zip(direction).map(|(x, d)| x + t * d);
        set(&mut *args, &moved.collect::<Vec<f64>>()).ok()?;
        let (value, mut after) = self.subject.native(&*args)?;
        let dot = |a: &[f64], b: &[f64]| {
            let products = a
                .iter()
                .zip(b)
                .filter(|(_, w)| **w != 0.0)
                .map(|(x, w)| x * w);
            products.sum::<f64>()
        };
        let value = value.ok()?.numbers.floats;
        Some(dot(&value, cotangent) + dot(&floats(&mut *after).ok()?, last))
    }
}

/// Each axis if they are few, and a few random directions; each component in proportion to the argument.
fn directions(start: &[f64], random: &mut Random) -> Vec<Vec<f64>> {
    let scale: Vec<f64> = start.iter().map(|x| x.abs().clamp(0.1, 1e6)).collect();
    let mut directions = Vec::new();
    if start.len() <= 6 {
        for i in 0..start.len() {
            let axis = |j: usize| if i == j { scale[j] } else { 0.0 };
            directions.push((0..start.len()).map(axis).collect());
        }
    }
    if start.len() > 1 {
        directions.extend((0..3).map(|_| {
            scale
                .iter()
                .map(|s| s * random.signed())
                .collect::<Vec<f64>>()
        }));
    }
    directions
}

/// Whether there are arrays of `f16` among the data.
fn has_halves(data: &mut dyn Data) -> bool {
    let found = Cell::new(false);
    Held(data).visit(&mut Visitor::new(&mut |number, _| {
        found.set(found.get() || matches!(number, Number::F16s(_)));
    }));
    found.get()
}

/// How many floats a visitor has come to.
fn numbers_in(number: Number<'_>) -> usize {
    match number {
        Number::F32(_) | Number::F64(_) => 1,
        Number::F32s(array) => array.len(),
        Number::F64s(array) => array.len(),
        Number::F16s(_) | Number::Bits(_) => 0,
    }
}

/// The numbers of arguments or of a cotangent.
fn numbers(data: &mut dyn Data) -> Result<Numbers> {
    Numbers::of(&mut Held(data))
}
fn floats(data: &mut dyn Data) -> Result<Vec<f64>> {
    floats_of(&mut Held(data))
}
fn set(data: &mut dyn Data, floats: &[f64]) -> Result<()> {
    set_floats(&mut Held(data), floats)
}

/// Numbers, for messages.
fn shown(numbers: &Numbers) -> String {
    match numbers.floats.is_empty() {
        true => few(format!("{:?}", numbers.bits)),
        false => shown_floats(&numbers.floats),
    }
}
fn shown_floats(floats: &[f64]) -> String {
    few(format!("{floats:?}"))
}
fn few(text: String) -> String {
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
/// The bits; all NaNs are one.
fn canonical(x: f64) -> u64 {
    if x.is_nan() { u64::MAX } else { x.to_bits() }
}
