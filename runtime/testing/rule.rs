//! `test_rule`: the one test of a rule, hand-written or derived.

use super::argument::{Direction, Lend, Lent, Owned, TestArgument, TestOutput};
use super::differences::{Verdict, compare, derivative};
use super::leaves::{Leaves, Traits, bits_of, floats_of};
use super::random::Random;
use crate::api::{DifferentiableFn, FRule, RRule, Returned};
use crate::context::Context;
use crate::diag::{Error, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How [`test_rule_with`] tests.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Gives the number of allocations that this thread has made so far. With it, a third `value_and_gradient_into` must
    /// make none: a test program counts them in its global allocator.
    pub allocations: Option<fn() -> u64>,
    /// Other numbers for directions and cotangents.
    pub seed: u64,
}

impl Options {
    /// Counts allocations.
    pub fn allocations(mut self, count: fn() -> u64) -> Self {
        self.allocations = Some(count);
        self
    }
    /// Other directions and cotangents.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }
}

/// Tests the reverse and the forward rule of `F` at these arguments:
///
/// - the **value** is that of the native function, and so is what is written to `&mut` arguments: bit for bit, or, where
///   arrays are summed, but for rounding; where the native function panics, the rule fails;
/// - the **derivative** is that of central differences of the native function, in random directions and for a random
///   cotangent, that of the final contents of `&mut` arguments included; also for arguments marked [`Const`](crate::Const);
/// - **gradient** and pullback agree, and give the native value too;
/// - **accumulation**: a pullback adds to what is there;
/// - **forward**: the derivative along a random direction is that which the pullback gives, ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩, final contents
///   included, and the forward rule gives the native value too;
/// - **restoration**: after value and gradient, and after the pullback, the arguments are as they were;
/// - **reuse**: a second call gives the same bits.
///
/// # Errors
/// [`Error::Rule`] says which of these does not hold. If differences do not settle, because there is a kink nearby,
/// that is an error too: choose other arguments.
pub fn test_rule<'a, F>(
    ctx: &Context,
    args: impl TestArgument<F::Args<'a>, Owned: for<'b> Lend<'b, F::Args<'b>>>,
) -> Result<()>
where
    F: DifferentiableFn<Output: TestOutput>,
    <F::Output as Returned>::Cotangent: Leaves,
{
    test_rule_with::<F>(ctx, args, Options::default())
}

/// As [`test_rule`], and counts allocations if it is told how.
pub fn test_rule_with<'a, F>(
    ctx: &Context,
    args: impl TestArgument<F::Args<'a>, Owned: for<'b> Lend<'b, F::Args<'b>>>,
    options: Options,
) -> Result<()>
where
    F: DifferentiableFn<Output: TestOutput>,
    <F::Output as Returned>::Cotangent: Leaves,
{
    Test::<F, _> {
        rule: ctx.build_rrule::<F>()?,
        forward: ctx.build_frule::<F>()?,
        args: args.own(),
        options,
        traits: Traits::default(),
    }
    .run()
}

/// A test in progress.
struct Test<F, O> {
    rule: RRule<F>,
    forward: FRule<F>,
    args: O,
    options: Options,
    traits: Traits,
}

/// A value, and the arguments after the call.
type After<F, O> = (<F as DifferentiableFn>::Output, O);

impl<F, O> Test<F, O>
where
    F: DifferentiableFn<Output: TestOutput>,
    <F::Output as Returned>::Cotangent: Leaves,
    O: Owned + for<'b> Lend<'b, F::Args<'b>>,
{
    fn run(mut self) -> Result<()> {
        let Some((value, after)) = native::<F, O>(&self.args) else {
            return self.fails();
        };
        self.args.describe(&mut self.traits);
        value.describe(&mut self.traits);
        self.primal(&value, &after)?;
        if value.is_single_float() {
            self.gradient(&value)?;
            self.allocations()?;
        }
        self.pullback(&value)
    }

    fn error(&self, property: &'static str, message: impl Into<String>) -> Error {
        Error::Rule {
            rule: F::callee().0.name.to_owned(),
            property,
            message: message.into(),
        }
    }
    /// Bits where there are no arrays; else floats but for rounding.
    fn same(
        &self,
        property: &'static str,
        what: &str,
        found: &impl Leaves,
        expected: &impl Leaves,
    ) -> Result<()> {
        let (bits, floats) = (bits_of(found)?, floats_of(found)?);
        let (expected_bits, expected_floats) = (bits_of(expected)?, floats_of(expected)?);
        let near = |(a, b): (&f64, &f64)| {
            (a - b).abs() <= 64.0 * self.traits.epsilon() * a.abs().max(b.abs()).max(1.0)
                || a.is_nan() && b.is_nan()
                || a == b
        };
        let rounded = self.traits.arrays
            && floats.len() == expected_floats.len()
            && floats.iter().zip(&expected_floats).all(near);
        if bits == expected_bits || rounded {
            return Ok(());
        }
        let message = format!(
            "{what} {}, expected {}",
            shown(&floats, &bits),
            shown(&expected_floats, &expected_bits)
        );
        Err(self.error(property, message))
    }

    /// Where the native function panics.
    fn fails(self) -> Result<()> {
        let mut args = self.args.clone();
        match self.rule.value(Lent(&mut args)) {
            Err(Error::Fault(_)) => Ok(()),
            Err(other) => Err(other),
            Ok(_) => Err(self.error(
                "value",
                "the native function panics, the compiled one does not",
            )),
        }
    }

    /// The compiled function is the native one.
    fn primal(&self, value: &F::Output, after: &O) -> Result<()> {
        let mut args = self.args.clone();
        let found = self.rule.value(Lent(&mut args))?;
        self.same("value", "the compiled function gives", &found, value)?;
        self.same(
            "value",
            "the compiled function leaves its arguments as",
            &args,
            after,
        )
    }

    /// Value and gradient in one: right value, restored, reusable.
    fn gradient(&self, value: &F::Output) -> Result<()> {
        let mut args = self.args.clone();
        let (found, first) = self.rule.value_and_gradient(Lent(&mut args))?;
        self.same("value", "value_and_gradient gives the value", &found, value)?;
        self.same(
            "restoration",
            "value_and_gradient leaves its arguments as",
            &args,
            &self.args,
        )?;
        let mut second = first.clone();
        let again = self
            .rule
            .value_and_gradient_into(Lent(&mut args), &mut second)?;
        self.same("reuse", "a second call gives the value", &again, &found)?;
        self.same("reuse", "a second call gives the gradient", &second, &first)?;
        let mut random = Random::new(self.options.seed);
        let gradient = floats_of(&first)?;
        self.differences(
            "gradient",
            &gradient,
            &[1.0],
            &vec![0.0; gradient.len()],
            &mut random,
        )
    }

    fn allocations(&self) -> Result<()> {
        let Some(count) = self.options.allocations else {
            return Ok(());
        };
        let mut args = self.args.clone();
        let mut gradient = args.gradient();
        let mut made = 0;
        for _ in 0..3 {
            let before = count();
            self.rule
                .value_and_gradient_into(Lent(&mut args), &mut gradient)?;
            made = count() - before;
        }
        match made {
            0 => Ok(()),
            n => Err(self.error(
                "allocations",
                format!("a third call of value_and_gradient_into made {n}"),
            )),
        }
    }

    /// Value and pullback, apart: right value, restored, adds to what is there.
    fn pullback(&self, value: &F::Output) -> Result<()> {
        let mut random = Random::new(self.options.seed + 1);
        let mut args = self.args.clone();
        let mut gradient = args.gradient();
        let start: Vec<f64> = floats_of(&gradient)?
            .iter()
            .map(|_| random.signed())
            .collect();
        gradient.set_floats(&mut start.iter().copied())?;
        let (found, pullback) = self.rule.pullback(Lent(&mut args))?;
        self.same("value", "value_and_pullback gives the value", &found, value)?;
        let cotangent = found.cotangent(&mut || random.signed());
        let cotangent_floats = floats_of(&cotangent)?;
        pullback.accumulate(cotangent, &mut gradient)?;
        self.same(
            "restoration",
            "the pullback leaves its arguments as",
            &args,
            &self.args,
        )?;
        // For what the function may overwrite the start is the cotangent of the final contents; to the others it is added.
        let mut mutable = Vec::new();
        self.args.mutable(&mut mutable);
        let split = |want: bool| {
            let parts = start.iter().zip(&mutable);
            parts
                .map(move |(&s, &m)| if m == want { s } else { 0.0 })
                .collect::<Vec<f64>>()
        };
        let (added, last) = (split(false), split(true));
        let own: Vec<f64> = floats_of(&gradient)?
            .iter()
            .zip(&added)
            .map(|(g, a)| g - a)
            .collect();
        self.forward(value, &own, &cotangent_floats, &last, &mut random)?;
        self.differences("pullback", &own, &cotangent_floats, &last, &mut random)
    }

    /// The forward rule: right value, and the derivative that goes with a pullback's gradient.
    fn forward(
        &self,
        value: &F::Output,
        gradient: &[f64],
        cotangent: &[f64],
        last: &[f64],
        random: &mut Random,
    ) -> Result<()> {
        let (mut args, mut moved) = (self.args.clone(), self.args.clone());
        let mut direction = floats_of(&self.args)?;
        for (x, g) in direction.iter_mut().zip(gradient) {
            // At a pole not every direction has a derivative.
            *x = if g.is_finite() { random.signed() } else { 0.0 };
        }
        moved.set_floats(&mut direction.iter().copied())?;
        // As the rule sees it: in f32, perhaps.
        let direction = floats_of(&moved)?;
        let rule = &self.forward;
        let (found, dy) = rule.value_and_derivative(Lent(&mut args), Direction(&mut moved))?;
        self.same(
            "forward",
            "value_and_derivative gives the value",
            &found,
            value,
        )?;
        if gradient.iter().any(|g| !g.is_finite()) {
            return Ok(());
        }
        let terms = |a: &[f64], b: &[f64]| {
            let products: Vec<f64> = a.iter().zip(b).map(|(a, b)| a * b).collect();
            products
        };
        let forward = [
            terms(cotangent, &floats_of(&dy)?),
            terms(last, &floats_of(&moved)?),
        ]
        .concat();
        let reverse = terms(gradient, &direction);
        let sums = [&forward, &reverse].map(|t| t.iter().sum::<f64>());
        let size: f64 = forward.iter().chain(&reverse).map(|t| t.abs()).sum();
        let tolerance = match (self.traits.single, self.traits.arrays) {
            (true, true) => 1e-4,
            (true, false) => 1e-5,
            (false, _) => 1e-10,
        };
        match (sums[0] - sums[1]).abs() <= tolerance * size.max(f64::MIN_POSITIVE) {
            true => Ok(()),
            false => Err(self.error(
                "forward",
                format!(
                    "along a random direction the forward rule gives {:e}, the pullback {:e}",
                    sums[0], sums[1]
                ),
            )),
        }
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
        let start = floats_of(&self.args)?;
        if start.len() != gradient.len() {
            let message = format!("{} numbers for {} arguments", gradient.len(), start.len());
            return Err(self.error(property, message));
        }
        if gradient.iter().any(|g| !g.is_finite()) {
            // At a pole there are no differences to compare with.
            return Ok(());
        }
        for direction in directions(&start, random) {
            let f = |t: f64| {
                self.weighted(&start, &direction, t, cotangent, last)
                    .unwrap_or(f64::NAN)
            };
            let estimate = derivative(f, self.traits.epsilon());
            let terms = gradient.iter().zip(&direction).map(|(g, d)| g * d);
            let (found, scale) = terms.fold((0.0, 0.0), |(s, a), t| (s + t, a + t.abs()));
            match compare(found, estimate, scale, self.traits.epsilon()) {
                Verdict::Agrees => {}
                Verdict::Differs => {
                    let message = format!(
                        "the derivative along {} is {found:e}, differences say {:e} ± {:.0e}",
                        along(&direction),
                        estimate.value,
                        estimate.error
                    );
                    return Err(self.error(property, message));
                }
                Verdict::Unknown => {
                    let message = format!(
                        "differences along {} do not settle (the rule says {found:e}): choose arguments without a kink nearby",
                        along(&direction)
                    );
                    return Err(self.error(property, message));
                }
            }
        }
        Ok(())
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
        let mut args = self.args.clone();
        let moved = start.iter().zip(direction).map(|(x, d)| x + t * d);
        args.set_floats(&mut moved.into_iter()).ok()?;
        let (value, after) = native::<F, O>(&args)?;
        let dot = |a: &[f64], b: &[f64]| {
            let products = a
                .iter()
                .zip(b)
                .filter(|(_, w)| **w != 0.0)
                .map(|(x, w)| x * w);
            products.sum::<f64>()
        };
        Some(dot(&floats_of(&value).ok()?, cotangent) + dot(&floats_of(&after).ok()?, last))
    }
}

/// The native value, and the arguments afterwards; `None` if it panics.
fn native<F, O>(args: &O) -> Option<After<F, O>>
where
    F: DifferentiableFn,
    O: Owned + for<'b> Lend<'b, F::Args<'b>>,
{
    let mut args = args.clone();
    let value = catch_unwind(AssertUnwindSafe(|| F::native(args.lend()))).ok()?;
    Some((value, args))
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

/// A direction, for messages.
fn along(direction: &[f64]) -> String {
    let nonzero: Vec<usize> = (0..direction.len())
        .filter(|&i| direction[i] != 0.0)
        .collect();
    match nonzero[..] {
        [i] => format!("the axis of number {i}"),
        _ => format!("a random direction of {} numbers", direction.len()),
    }
}

/// Numbers, for messages.
fn shown(floats: &[f64], bits: &[u64]) -> String {
    let few = |text: String| match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    };
    match floats.is_empty() {
        true => few(format!("{bits:?}")),
        false => few(format!("{floats:?}")),
    }
}
