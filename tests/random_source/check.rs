//! What must hold of a program: its value, memory and derivatives, in every form that there is.

use mooncake::interp::Datum;
use mooncake::ir::Const;
use mooncake::testing::differences::{Verdict, compare, derivative, of_neighbours};
use mooncake::testing::programs::{interpret, stages};
use mooncake::testing::random::Random;
use mooncake::{Context, DifferentiableFn};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The arguments of a program.
#[derive(Clone, Copy, Debug)]
pub struct Args {
    pub x: [f64; 4],
    pub u: [f64; 3],
    pub a: f64,
    pub n: usize,
}

impl Args {
    /// Of numbers that are not round: those are where kinks and jumps are.
    pub fn random(random: &mut Random) -> Args {
        let mut float = || random.signed() + 0.015 * random.unit();
        Args {
            x: std::array::from_fn(|_| float()),
            u: std::array::from_fn(|_| float()),
            a: float(),
            n: random.below(4),
        }
    }
    /// The arguments, moved along a direction.
    fn moved(&self, along: &Args, by: f64) -> Args {
        Args {
            x: std::array::from_fn(|i| self.x[i] + by * along.x[i]),
            u: std::array::from_fn(|i| self.u[i] + by * along.u[i]),
            a: self.a + by * along.a,
            n: self.n,
        }
    }
}

/// What a program is tested on.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Chooses the context and what is interpreted.
    pub seed: u64,
    pub args: Args,
    pub along: Args,
    /// Whether the program computes in single precision somewhere.
    pub singles: bool,
}

/// What a program does, as the oracle says.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// None if it panics.
    pub value: Option<f64>,
    /// The decisions on the way, as far as they are known.
    pub path: u64,
    /// Whether it was stopped before its end.
    pub endless: bool,
    /// Whether all numbers on the way were finite, as far as they are known.
    pub finite: bool,
}

/// How much a program without a fault has shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// It panics, as it should.
    Panic,
    /// Reverse agrees with forward.
    Modes,
    /// They agree, and the function varies faster than differences can tell.
    Fast,
    /// And both with differences.
    Differences,
}

/// A function of what all programs take: it is generic only in that name.
pub trait Program:
    for<'a> DifferentiableFn<
        Args<'a> = (&'a [f64], &'a mut [f64], f64, usize),
        Output = f64,
        Gradient = (Vec<f64>, Vec<f64>, f64, ()),
    >
{
}
impl<F> Program for F where
    F: for<'a> DifferentiableFn<
            Args<'a> = (&'a [f64], &'a mut [f64], f64, usize),
            Output = f64,
            Gradient = (Vec<f64>, Vec<f64>, f64, ()),
        >
{
}

/// The native function as an oracle; `u` in the arguments is changed.
pub fn native<F: Program>(args: &mut Args) -> Outcome {
    let Args { x, a, n, .. } = *args;
    let call = AssertUnwindSafe(|| F::native((&x, &mut args.u, a, n)));
    Outcome {
        value: catch_unwind(call).ok(),
        path: 0,
        endless: false,
        finite: true,
    }
}

/// What is wrong with a program, or what it has shown.
pub fn check<F: Program>(
    ctx: &Context,
    case: &Case,
    oracle: &dyn Fn(&mut Args) -> Outcome,
) -> Result<Seen, String> {
    let text = |e: mooncake::Error| e.to_string();
    let Case { args, along, .. } = case;
    let mut after = *args;
    let outcome = oracle(&mut after);
    if case.seed.is_multiple_of(2) {
        interpreted::<F>(ctx, case, outcome, &after)?;
    }

    // The primal, compiled.
    let primal = ctx.build_primal::<F>().map_err(text)?;
    let mut u = args.u;
    let value = primal.call((&args.x, &mut u, args.a, args.n));
    let rule = ctx.build_rrule::<F>().map_err(text)?;
    let frule = ctx.build_frule::<F>().map_err(text)?;
    let forward_at = |args: &Args| {
        let (mut u, mut du) = (args.u, along.u);
        frule.value_and_derivative(
            (&args.x, &mut u, args.a, args.n),
            (&along.x[..], &mut du[..], along.a, ()),
        )
    };
    let forward = || forward_at(args);
    let shaken = |by: f64| Some(forward_at(&args.moved(along, by)).ok()?.1);
    let reverse = || {
        let mut u = args.u;
        let (value, gradient) = rule.value_and_gradient((&args.x, &mut u, args.a, args.n))?;
        Ok::<_, mooncake::Error>((value, gradient, u))
    };
    let Some(expected) = outcome.value else {
        // And again: a call that failed leaves nothing behind.
        for _ in 0..2 {
            let mut u = args.u;
            for (form, value) in [
                ("the primal", primal.call((&args.x, &mut u, args.a, args.n))),
                ("reverse", reverse().map(|r| r.0)),
                ("forward", forward().map(|r| r.0)),
            ] {
                match value {
                    Err(mooncake::Error::Fault(_)) => {}
                    other => return Err(format!("{form} gives {other:?}, expected a panic")),
                }
            }
        }
        return Ok(Seen::Panic);
    };
    let value = value.map_err(text)?;
    same("the compiled value", &[value], &[expected])?;
    same("the compiled function's memory", &u, &after.u)?;

    // Reverse, and reverse again, and in two halves.
    let (value, (dx, du, da, ()), u) = reverse().map_err(text)?;
    same("memory after the gradient", &u, &args.u)?;
    same("the value with the gradient", &[value], &[expected])?;
    let (_, again, _) = reverse().map_err(text)?;
    same("the gradient, asked for again", &again.0, &dx)?;
    {
        let mut u = args.u;
        let (value, pullback) = rule
            .value_and_pullback((&args.x, &mut u, args.a, args.n))
            .map_err(text)?;
        same("the value with the pullback", &[value], &[expected])?;
        let (px, pu, pa, ()) = pullback(1.0);
        near("the pullback's gradient of x", &px, &dx)?;
        near("the pullback's gradient of u", &pu, &du)?;
        near("the pullback's gradient of a", &[pa], &[da])?;
        same("memory after the pullback", &u, &args.u)?;
    }

    // Forward, along a direction.
    let terms = dx
        .iter()
        .zip(&along.x)
        .chain(du.iter().zip(&along.u))
        .chain([(&da, &along.a)]);
    let terms: Vec<f64> = terms.map(|(g, d)| g * d).collect();
    let slope: f64 = terms.iter().sum();
    let scale: f64 = terms.iter().map(|t| t.abs()).sum();
    let (value, moved) = forward().map_err(text)?;
    same("the value with the derivative", &[value], &[expected])?;
    let tolerance = if case.singles { 1e-3 } else { 1e-8 };
    let near = (slope - moved).abs() <= tolerance * scale.max(moved.abs()).max(1.0);
    // Where the program meets a number that is not finite, one of them may have met another.
    let both = slope.is_finite() && moved.is_finite();
    let one = slope.is_finite() != moved.is_finite();
    if !near && (both || one && outcome.finite) {
        if both && last_bits_decide(&shaken, moved, (slope - moved).abs()) {
            return Ok(Seen::Fast);
        }
        return Err(format!("reverse gives {slope:e}, forward {moved:e}"));
    }

    // Differences of the oracle, where it decides as it does here. Zero times infinity is no number.
    if case.singles || !slope.is_finite() && !outcome.finite {
        return Ok(Seen::Modes);
    }
    let along_path = |t: f64| {
        let moved = oracle(&mut args.moved(along, t));
        match moved.path == outcome.path {
            true => moved.value.unwrap_or(f64::NAN),
            false => f64::NAN,
        }
    };
    let estimate = derivative(along_path, f64::EPSILON);
    match compare(slope, estimate, scale, f64::EPSILON) {
        // Steps that are longer than what the program's sines turn in agree on anything; of what varies faster still no
        // difference says anything.
        Verdict::Differs
            if slope.is_finite() && (scale > 1e8 || near_by(&along_path, slope, scale)) =>
        {
            Ok(Seen::Fast)
        }
        Verdict::Differs if last_bits_decide(&shaken, moved, (slope - estimate.value).abs()) => {
            Ok(Seen::Fast)
        }
        Verdict::Differs => Err(format!(
            "reverse gives {slope:e}, differences {:e}",
            estimate.value
        )),
        Verdict::Agrees => Ok(Seen::Differences),
        Verdict::Unknown => Ok(Seen::Modes),
    }
}

/// Whether the last bits of the arguments change a derivative by as much as it is off: it is a number of rounding errors, or a branch hangs on them, as
/// that of `if a > a.sqrt() * a.sqrt()`. A rule that is wrong is wrong at the neighbours, too. The value may jump at the branch, so differences there can
/// be anything, and `differences::hangs_on_last_bits` would ask too much.
fn last_bits_decide(shaken: &dyn Fn(f64) -> Option<f64>, derivative: f64, gap: f64) -> bool {
    of_neighbours(shaken).any(|near| (near - derivative).abs() > 0.1 * gap)
}

/// Whether a difference over a step that is short for how much the function varies is near a slope.
fn near_by(f: &dyn Fn(f64) -> f64, slope: f64, scale: f64) -> bool {
    let step = 1e-2 / scale.max(1e6);
    let difference = (f(step) - f(-step)) / (2.0 * step);
    (difference - slope).abs() <= 1e-3 * scale
}

/// The primal, interpreted at one of two stages.
fn interpreted<F: Program>(
    ctx: &Context,
    case: &Case,
    outcome: Outcome,
    after: &Args,
) -> Result<(), String> {
    let args = &case.args;
    let (typed, normal) = stages::<F>(ctx).map_err(|e| e.to_string())?;
    let (stage, module) = match case.seed % 4 {
        0 => ("typed", typed),
        _ => ("normal", normal),
    };
    let data = [
        Datum::floats(&args.x),
        Datum::floats(&args.u),
        Datum::float(args.a),
        Datum::index(args.n),
    ];
    let value = interpret(&module, ctx.registry(), &data, 10_000_000);
    let value = value.map(|value| value.as_float());
    match (value, outcome.value) {
        (Ok(Some(value)), Some(expected)) => {
            same(&format!("the {stage} form's value"), &[value], &[expected])?;
            let Datum::Slice(u) = &data[1] else {
                return Err("u is no slice".to_owned());
            };
            let float = |c: Const| Datum::Scalar(c).as_float().unwrap_or_default();
            let u: Vec<f64> = u.elements().into_iter().map(float).collect();
            same(&format!("the {stage} form's memory"), &u, &after.u)
        }
        (Err(mooncake::Error::Fault(_)), None) => Ok(()),
        (value, expected) => Err(format!(
            "the {stage} form gives {value:?}, expected {expected:?}"
        )),
    }
}

/// To the bit.
pub fn same(what: &str, found: &[f64], expected: &[f64]) -> Result<(), String> {
    let bits = |x: &[f64]| {
        x.iter()
            .map(|x| if x.is_nan() { 1 } else { x.to_bits() })
            .collect::<Vec<u64>>()
    };
    match bits(found) == bits(expected) {
        true => Ok(()),
        false => Err(format!("{what} is {found:?}, expected {expected:?}")),
    }
}

/// To rounding: sums of cotangents may be made in another order.
pub fn near(what: &str, found: &[f64], expected: &[f64]) -> Result<(), String> {
    let finite = expected.iter().filter(|x| x.is_finite());
    let size = finite.fold(1.0, |size: f64, x| size.max(x.abs()));
    let near = |a: f64, b: f64| match a.is_finite() && b.is_finite() {
        true => (a - b).abs() <= 1e-9 * size,
        false => !a.is_finite() && !b.is_finite(),
    };
    match found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| near(*a, *b)) {
        true => Ok(()),
        false => Err(format!("{what} is {found:?}, expected {expected:?}")),
    }
}
