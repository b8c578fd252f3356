//! Random well-typed programs of the language, from the surface tree to the derivative.
//!
//! A program is made of loops, branches, matches, mutation, structs, options, vectors, closures, calls and recursion
//! with fuel (`program`). It is run by walking its syntax (`eval`), which is the oracle; and as a surface tree, as the
//! macro would write it (`emit`), it goes through the whole pipeline. The compiled value and memory are the oracle's to
//! the bit; the reverse gradient agrees with the forward derivative, and with differences of the oracle where they
//! settle. A program that fails is made smaller while it fails and shown as Rust.
//!
//! `MOONCAKE_RANDOM_SOURCES=20000 cargo test --release --test random_source` tests more of them.
#![cfg(feature = "rules-std")]

mod emit;
mod eval;
mod program;
mod shrink;

use mooncake::testing::differences::{Verdict, compare, derivative};
use mooncake::testing::random::Random;
use mooncake::{Context, Device};
use program::Program;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many unless told otherwise.
const PROGRAMS: u64 = if cfg!(debug_assertions) { 150 } else { 10_000 };

fn count() -> u64 {
    std::env::var("MOONCAKE_RANDOM_SOURCES").map_or(PROGRAMS, |n| n.parse().expect("a number"))
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

/// What is wrong with a program, if anything is.
fn fault(ctx: &Context, program: &Program, args: &Args, along: &Args) -> Option<String> {
    let run = || check(ctx, program, args, along).err();
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(fault) => fault,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Some(format!("a panic: {}", text.unwrap_or_default()))
        }
    }
}

fn check(ctx: &Context, program: &Program, args: &Args, along: &Args) -> Result<(), String> {
    let text = |e: mooncake::Error| e.to_string();
    emit::set(program);
    let mut after = args.clone();
    let expected = eval::run(program, &mut after);

    // The primal.
    let primal = ctx.build_primal::<emit::Random>().map_err(text)?;
    let mut u = args.u.clone();
    let value = primal
        .call((&args.x, &mut u, args.a, args.n))
        .map_err(text)?;
    same("the compiled value", &[value], &[expected])?;
    same("the compiled function's memory", &u, &after.u)?;

    // Reverse, and reverse again.
    let rule = ctx.build_rrule::<emit::Random>().map_err(text)?;
    let reverse = || {
        let mut u = args.u.clone();
        let (value, gradient) = rule
            .value_and_gradient((&args.x, &mut u, args.a, args.n))
            .map_err(text)?;
        same("memory after the gradient", &u, &args.u)?;
        Ok::<_, String>((value, gradient))
    };
    let (value, (dx, du, da, ())) = reverse()?;
    same("the value with the gradient", &[value], &[expected])?;
    let (_, again) = reverse()?;
    same("the gradient, asked for again", &again.0, &dx)?;

    // Forward, along a direction.
    let terms = dx
        .iter()
        .zip(&along.x)
        .chain(du.iter().zip(&along.u))
        .chain([(&da, &along.a)]);
    let terms: Vec<f64> = terms.map(|(g, d)| g * d).collect();
    let slope: f64 = terms.iter().sum();
    let scale: f64 = terms.iter().map(|t| t.abs()).sum();
    let frule = ctx.build_frule::<emit::Random>().map_err(text)?;
    let (mut u, mut du) = (args.u.clone(), along.u.clone());
    let (value, derivative_forward) = frule
        .value_and_derivative(
            (&args.x, &mut u, args.a, args.n),
            (&along.x, &mut du, along.a, ()),
        )
        .map_err(text)?;
    same("the value with the derivative", &[value], &[expected])?;
    let near =
        (slope - derivative_forward).abs() <= 1e-8 * scale.max(derivative_forward.abs()).max(1.0);
    if !near && slope.is_finite() && derivative_forward.is_finite() {
        return Err(format!(
            "reverse gives {slope:e}, forward {derivative_forward:e}"
        ));
    }

    // Differences of the oracle.
    let along_path = |t: f64| eval::run(program, &mut args.moved(along, t));
    let estimate = derivative(along_path, f64::EPSILON);
    match compare(slope, estimate, scale, f64::EPSILON) {
        Verdict::Differs => Err(format!(
            "reverse gives {slope:e}, differences {:e}",
            estimate.value
        )),
        Verdict::Agrees | Verdict::Unknown => Ok(()),
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

#[test]
fn random_sources_are_differentiated() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let mut settled = 0;
    for seed in 0..count() {
        let mut random = Random::new(seed + 1);
        let program = Program::random(&mut random);
        let (args, along) = (Args::random(&mut random), Args::random(&mut random));
        if fault(&ctx, &program, &args, &along).is_some() {
            let small = shrink::shrink(program, &mut |p| fault(&ctx, p, &args, &along).is_some());
            let fault = fault(&ctx, &small, &args, &along).unwrap_or_default();
            let path =
                std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("source-{seed}.rs"));
            let text = format!(
                "// seed {seed}, arguments {args:?}\n// along {along:?}\n// {}\n{small}",
                fault.replace('\n', "\n// ")
            );
            std::fs::write(&path, &text).unwrap();
            panic!("{}\n{text}", path.display());
        }
        settled += 1;
    }
    assert_eq!(settled, count());
}
