//! Random well-typed programs of the language, from the surface tree to the derivative.
//!
//! A program is made of all kinds of statements and values (`program`), and of functions and types that are written down
//! (`library`). It is run by walking its syntax (`eval`), which is the oracle; and as a surface tree, as the macro would
//! write it (`emit`), it goes through the whole pipeline. Interpreted and compiled, its value and memory are the oracle's
//! to the bit, and where the oracle panics there is an error; the reverse gradient is the same in one call and in two
//! halves, agrees with the forward derivative, and with differences of the oracle where they settle. A program that
//! fails is made smaller (`shrink`) while it fails and shown as Rust (`show`).
//!
//! `MOONCAKE_RANDOM_SOURCES=20000 cargo test --release --test random_source` tests more of them;
//! with `MOONCAKE_RANDOM_FROM=27` and 1 just that one.
#![cfg(feature = "rules-std")]

mod emit;
mod eval;
mod found;
mod library;
mod program;
mod show;
mod shrink;

use emit::Random as Function;
use mooncake::interp::Datum;
use mooncake::ir::Const;
use mooncake::testing::differences::{Verdict, compare, derivative};
use mooncake::testing::programs::{interpret, stages};
use mooncake::testing::random::Random;
use mooncake::{Context, Device};
use program::Program;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

/// How many unless told otherwise.
const PROGRAMS: u64 = if cfg!(debug_assertions) { 100 } else { 10_000 };

fn told(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a number"))
}

/// The arguments of a program.
#[derive(Clone, Debug)]
pub struct Args {
    x: Vec<f64>,
    u: Vec<f64>,
    a: f64,
    n: usize,
}

impl Args {
    /// Of numbers that are not round: those are where kinks and jumps are.
    fn random(random: &mut Random) -> Args {
        let mut float = || random.signed() + 0.015 * random.unit();
        Args {
            x: (0..4).map(|_| float()).collect(),
            u: (0..3).map(|_| float()).collect(),
            a: float(),
            n: random.below(4),
        }
    }
    /// The arguments, moved along a direction.
    fn moved(&self, along: &Args, by: f64) -> Args {
        let step = |x: &[f64], d: &[f64]| x.iter().zip(d).map(|(x, d)| x + by * d).collect();
        Args {
            x: step(&self.x, &along.x),
            u: step(&self.u, &along.u),
            a: self.a + by * along.a,
            n: self.n,
        }
    }
}

/// What is wrong, and whether it is that this is no program at all.
struct Fault {
    text: String,
    no_program: bool,
}

impl Fault {
    /// Its first words: programs that are made smaller should fail in the same way.
    fn kind(&self) -> String {
        let words = self.text.chars().filter(|c| c.is_alphabetic() || *c == ' ');
        words.take(24).collect()
    }
}

/// A program with what it is tested on.
struct Case {
    seed: u64,
    args: Args,
    along: Args,
}

/// How much a program without a fault has shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    /// It panics, as it should.
    Panic,
    /// Reverse agrees with forward.
    Modes,
    /// And both with differences.
    Differences,
}

/// What is wrong with a program, or what it has shown.
fn fault(contexts: &[Context; 2], program: &Program, case: &Case) -> Result<Seen, Fault> {
    let caught = |f: &dyn Fn() -> Result<Seen, String>| match catch_unwind(AssertUnwindSafe(f)) {
        Ok(done) => done,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Err(format!("a panic: {}", text.unwrap_or_default()))
        }
    };
    let walk = || {
        eval::run(program, &mut case.args.clone());
        emit::set(program);
        Ok(Seen::Modes)
    };
    caught(&walk).map_err(|text| Fault {
        text,
        no_program: true,
    })?;
    let ctx = &contexts[usize::from(case.seed % 10 == 9)];
    caught(&|| check(ctx, program, case)).map_err(|text| Fault {
        // Of a name that has gone with its declaration.
        no_program: text.contains("is not known here"),
        text,
    })
}

fn check(ctx: &Context, program: &Program, case: &Case) -> Result<Seen, String> {
    let text = |e: mooncake::Error| e.to_string();
    let Case { seed, args, along } = case;
    let mut after = args.clone();
    let outcome = eval::run(program, &mut after);

    // The primal, interpreted at one of two stages.
    let (typed, normal) = stages::<Function>(ctx).map_err(text)?;
    let (stage, module) = match seed % 4 {
        0 => ("typed", typed),
        _ => ("normal", normal),
    };
    if seed % 2 == 0 {
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
                same(&format!("the {stage} form's memory"), &u, &after.u)?;
            }
            (Err(mooncake::Error::Fault(_)), None) => {}
            (value, expected) => {
                return Err(format!(
                    "the {stage} form gives {value:?}, expected {expected:?}"
                ));
            }
        }
    }

    // The primal, compiled.
    let primal = ctx.build_primal::<Function>().map_err(text)?;
    let mut u = args.u.clone();
    let value = primal.call((&args.x, &mut u, args.a, args.n));
    let rule = ctx.build_rrule::<Function>().map_err(text)?;
    let frule = ctx.build_frule::<Function>().map_err(text)?;
    let forward = || {
        let (mut u, mut du) = (args.u.clone(), along.u.clone());
        frule.value_and_derivative(
            (&args.x, &mut u, args.a, args.n),
            (&along.x, &mut du, along.a, ()),
        )
    };
    let reverse = || {
        let mut u = args.u.clone();
        let (value, gradient) = rule.value_and_gradient((&args.x, &mut u, args.a, args.n))?;
        Ok::<_, mooncake::Error>((value, gradient, u))
    };
    let Some(expected) = outcome.value else {
        // And again: a call that failed leaves nothing behind.
        for _ in 0..2 {
            for (form, value) in [
                (
                    "the primal",
                    primal.call((&args.x, &mut args.u.clone(), args.a, args.n)),
                ),
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
        let mut u = args.u.clone();
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
    let singles = program.has_singles();
    let tolerance = if singles { 1e-3 } else { 1e-8 };
    let near = (slope - moved).abs() <= tolerance * scale.max(moved.abs()).max(1.0);
    if !near && slope.is_finite() && moved.is_finite() {
        return Err(format!("reverse gives {slope:e}, forward {moved:e}"));
    }

    // Differences of the oracle, where it decides as it does here.
    if singles {
        return Ok(Seen::Modes);
    }
    let along_path = |t: f64| {
        let moved = eval::run(program, &mut args.moved(along, t));
        match moved.path == outcome.path {
            true => moved.value.unwrap_or(f64::NAN),
            false => f64::NAN,
        }
    };
    let estimate = derivative(along_path, f64::EPSILON);
    match compare(slope, estimate, scale, f64::EPSILON) {
        Verdict::Differs => Err(format!(
            "reverse gives {slope:e}, differences {:e}",
            estimate.value
        )),
        Verdict::Agrees => Ok(Seen::Differences),
        Verdict::Unknown => Ok(Seen::Modes),
    }
}

/// To the bit.
fn same(what: &str, found: &[f64], expected: &[f64]) -> Result<(), String> {
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
fn near(what: &str, found: &[f64], expected: &[f64]) -> Result<(), String> {
    let size = expected.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * size || !a.is_finite() || !b.is_finite();
    match found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| near(*a, *b)) {
        true => Ok(()),
        false => Err(format!("{what} is {found:?}, expected {expected:?}")),
    }
}

/// Tests one program; a report if it fails.
fn test(contexts: &[Context; 2], seed: u64) -> Result<Seen, String> {
    let mut random = Random::new(seed + 1);
    let program = Program::random(&mut random);
    let case = Case {
        seed,
        args: Args::random(&mut random),
        along: Args::random(&mut random),
    };
    let first = match fault(contexts, &program, &case) {
        Ok(seen) => return Ok(seen),
        Err(fault) => fault,
    };
    let small = shrink::shrink(program, &mut |p| {
        fault(contexts, p, &case)
            .is_err_and(|fault| !fault.no_program && fault.kind() == first.kind())
    });
    let fault = fault(contexts, &small, &case).map_or_else(|fault| fault.text, |_| String::new());
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("source-{seed}.rs"));
    let text = format!(
        "// seed {seed}, arguments {:?}\n// along {:?}\n// {}\n{small}",
        case.args,
        case.along,
        fault.replace('\n', "\n// ")
    );
    let written = std::fs::write(&path, &text);
    Err(format!("{} ({written:?})\n{text}", path.display()))
}

#[test]
fn random_sources_are_differentiated() {
    let built = |minimal: bool| {
        let builder = Context::builder().device(Device::cpu());
        match minimal {
            true => builder.minimal(),
            false => builder,
        }
        .build()
        .unwrap()
    };
    let contexts = [built(false), built(true)];
    let first = told("MOONCAKE_RANDOM_FROM").unwrap_or(0);
    let count = told("MOONCAKE_RANDOM_SOURCES").unwrap_or(PROGRAMS);
    let next = AtomicU64::new(first);
    // Panics are caught and reported with their program.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let work = |worker| {
        emit::enter(worker);
        let seeds = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let seeds = seeds.take_while(|&seed| seed < first + count);
        seeds.map(|seed| test(&contexts, seed)).collect::<Vec<_>>()
    };
    let done: Vec<Result<Seen, String>> = std::thread::scope(|scope| {
        let workers = 0..threads.min(emit::WORKERS);
        let workers: Vec<_> = workers
            .map(|n| {
                scope.spawn({
                    let work = &work;
                    move || work(n)
                })
            })
            .collect();
        let all = workers.into_iter().map(|worker| worker.join().unwrap());
        all.flatten().collect()
    });
    std::panic::set_hook(hook);
    let failed: Vec<&str> = done
        .iter()
        .filter_map(|d| d.as_ref().err().map(|e| &**e))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    let seen = |what| done.iter().filter(|d| **d == Ok(what)).count();
    let (settled, panics) = (seen(Seen::Differences), seen(Seen::Panic));
    println!(
        "{} programs: {settled} compared with differences, {panics} panic",
        done.len()
    );
    // The programs are worth running.
    assert!(count < 100 || 3 * settled >= done.len() && 100 * panics >= done.len());
}
