//! Texts that are almost programs: the parser, the verifier, the printer, the optimiser and the interpreter return on
//! every one of them, and what they accept they agree on.
//!
//! The texts are the filetests, damaged. The same seeds give the same texts everywhere, so a failure repeats; it prints
//! the text, which then joins the filetests.

use mooncake::ad::{Mode, forward};
use mooncake::interp::Datum;
use mooncake::ir::eval::zero;
use mooncake::ir::parse::{parse_expressions, parse_module};
use mooncake::ir::verify::verify_generic;
use mooncake::ir::{Callee, Module, Op, Prim, Symbol, Type, canonical};
use mooncake::kernel::{Kernel, parse_kernel};
use mooncake::testing::programs::{
    compile, compile_halves, interpret, interpreted_kernel, kernel_on, normalised, optimised,
    reverse_module, verified, verified_kernel,
};
use mooncake::testing::random::Random;
use mooncake::{Context, Device, Error};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// All cases of the filetests of these stages that are programs.
fn corpus(stages: &[&str]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let mut cases = Vec::new();
    for stage in stages {
        let mut files: Vec<_> = fs::read_dir(folder.join(stage))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        for file in files {
            let text = fs::read_to_string(file).unwrap();
            let programs = text.split("; ---\n").map(without_comments);
            cases.extend(programs.filter(|text| !text.trim().is_empty()));
        }
    }
    cases
}

fn without_comments(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| line.split(" ; ").next().unwrap_or_default());
    lines
        .filter(|line| !line.starts_with(';'))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// What replaces a word now and then.
const WORDS: &[&str] = &[
    "fn",
    "declare",
    "on_demand",
    "%0",
    "%1",
    "%2",
    "%3",
    "b0",
    "b1",
    "b2",
    "f64",
    "f32",
    "i8",
    "u64",
    "usize",
    "bool",
    "()",
    "0",
    "1",
    "-1",
    "18446744073709551615",
    "1e999",
    "0.0",
    "nan",
    "inf",
    "null",
    "true",
    "[f64]",
    "[mut f64]",
    "array<f32>",
    "addr",
    "?7",
    "(",
    ")",
    ",",
    "->",
    "{",
    "}",
    "@f",
    "call",
    "map",
    "add",
    "div",
    "load",
    "store",
    "tape_push",
    "tape_pop",
    "peek.0",
    "poke.4",
    "field.1",
    "jump",
    "branch",
    "return",
    "select",
    "cast",
    "bitcast",
    "subslice",
    "offset",
    "assert",
];

/// A text with a few words changed, dropped, doubled or swapped, or a byte changed.
fn damaged(text: &str, random: &mut Random) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ',', '(']).collect();
    for _ in 0..1 + random.below(3) {
        if words.is_empty() {
            break;
        }
        let (at, other) = (random.below(words.len()), random.below(words.len()));
        match random.below(12) {
            0 => words[at] = WORDS[random.below(WORDS.len())],
            1 => drop(words.remove(at)),
            2 => words.insert(at, words[other]),
            3 => words.swap(at, other),
            // One of a kind for another: often still well-formed.
            _ => {
                let kind = |word: &str| word.chars().next();
                let alike = |i: &usize| kind(words[*i]) == kind(words[at]);
                let alike: Vec<usize> = (0..words.len()).filter(alike).collect();
                words[at] = words[alike[random.below(alike.len())]];
            }
        }
    }
    let mut text = words.concat();
    if random.below(8) == 0 {
        let at = random.below(text.len().max(1));
        let keep: String = text.chars().take(at).collect();
        let byte = char::from(random.below(128) as u8);
        text = format!(
            "{keep}{byte}{}",
            text.chars().skip(at + 1).collect::<String>()
        );
    }
    text
}

/// What each accepted text must satisfy; says how far it came.
fn check(text: &str, ctx: &Context) -> Reached {
    let Ok(module) = parse_module(text) else {
        return Reached::Text;
    };
    let module = canonical(&module);
    let printed = module.to_string();
    assert_eq!(
        parse_module(&printed).as_ref(),
        Ok(&module),
        "printed:\n{printed}"
    );
    let generic = verify_generic(&module);
    if verified(&module, ctx.registry()).is_err() {
        return Reached::Module;
    }
    generic.expect("what is typed is well-formed");
    let result = run(&module, ctx);
    let optimised = optimised(&module, ctx.registry()).expect("the optimiser takes typed modules");
    // Only what runs to its end is compared: fuel and unguarded accidents are not promised to stay.
    if let Some(expected) = result {
        assert_eq!(
            run(&optimised, ctx),
            Some(expected),
            "optimised:\n{optimised}"
        );
    }
    Reached::Run
}

/// The root's value and what its memory holds afterwards, if it can be called at all and comes to an end.
fn run(module: &Module, ctx: &Context) -> Option<(Datum, Vec<Datum>)> {
    let args: Option<Vec<Datum>> = module
        .root()
        .param_types()
        .into_iter()
        .map(sample)
        .collect();
    let args = args?;
    let value = interpret(module, ctx.registry(), &args, 5_000).ok()?;
    Some((value, args))
}

fn sample(ty: Type) -> Option<Datum> {
    match ty {
        Type::Slice(element) | Type::SliceMut(element) => {
            Some(Datum::slice(vec![zero(*element); 3]))
        }
        Type::Tuple([]) => Some(Datum::UNIT),
        Type::Tuple(fields) => fields
            .iter()
            .copied()
            .map(sample)
            .collect::<Option<_>>()
            .map(Datum::Tuple),
        Type::Array(_) | Type::Addr => None,
        _ => Some(Datum::Scalar(zero(ty))),
    }
}

#[derive(PartialEq, Eq, Debug)]
enum Reached {
    Text,
    Module,
    Run,
}

#[test]
fn damaged_programs_are_refused_or_run() {
    let ctx = Context::default();
    let corpus = corpus(&["parse", "verify", "run"]);
    let mut random = Random::new(2026);
    let mut reached = Vec::new();
    for _ in 0..6_000 {
        let text = damaged(&corpus[random.below(corpus.len())], &mut random);
        match catch_unwind(AssertUnwindSafe(|| check(&text, &ctx))) {
            Ok(how_far) => reached.push(how_far),
            Err(_) => panic!("the panic above is on this text:\n{text}"),
        }
    }
    // The damage is neither too coarse nor too fine to test anything.
    for how_far in [Reached::Text, Reached::Module, Reached::Run] {
        let count = reached.iter().filter(|r| **r == how_far).count();
        assert!(
            count > 500,
            "{count} of 6000 texts came as far as {how_far:?}"
        );
    }
}

/// How long to look: `MOONCAKE_FUZZ_SECONDS`, or as long as a test may take.
fn budget() -> Duration {
    let given = std::env::var("MOONCAKE_FUZZ_SECONDS").ok();
    let seconds = given.and_then(|text| text.parse().ok()).unwrap_or(3);
    Duration::from_secs(seconds)
}

/// Normal form, both modes, the optimiser, machine code: what each stage gives, or why not.
fn pipeline(module: &Module, ctx: &Context) -> Vec<mooncake::Result<()>> {
    let (registry, kind) = (ctx.registry(), ctx.kind());
    let normal = match normalised(module, registry, kind) {
        Ok(normal) => normal,
        Err(error) => return vec![Err(error)],
    };
    let types = normal.root().param_types();
    let active: Vec<bool> = types.iter().map(|ty| ty.is_differentiable()).collect();
    let combined = || {
        let derived = reverse_module(&normal, registry, kind, &active, Mode::Combined)?;
        compile(&optimised(&derived, registry)?, registry).map(drop)
    };
    let split = || {
        let derived = reverse_module(&normal, registry, kind, &active, Mode::Split)?;
        compile_halves(&optimised(&derived, registry)?, registry).map(drop)
    };
    let dual = || {
        let derived = forward(&normal, registry, kind, &active, 1)?;
        verified(&derived, registry)?;
        compile(&optimised(&derived, registry)?, registry).map(drop)
    };
    let primal = || compile(&optimised(&normal, registry)?, registry).map(drop);
    vec![primal(), combined(), split(), dual()]
}

/// Whether the derivations promise to take a program: not one with a tape, which is what they make, nor one whose function
/// has the name of a pack's, which is then called in its place.
fn is_taken(module: &Module, ctx: &Context) -> bool {
    let tape = |op: Op| matches!(op, Op::Prim(Prim::TapePush | Prim::TapePop));
    module.functions.values().all(|function| {
        let mut insts = function.insts.iter();
        ctx.registry().named(function.name).is_empty() && !insts.any(|(_, data)| tape(data.op))
    })
}

#[test]
fn whatever_verifies_is_differentiated_and_compiled_or_refused() {
    let ctx = Context::default();
    let corpus = corpus(&["normalise", "reverse", "opt", "run"]);
    let mut random = Random::new(50);
    let (start, mut tried, mut compiled) = (Instant::now(), 0, 0);
    while tried < 50 || start.elapsed() < budget() {
        let text = damaged(&corpus[random.below(corpus.len())], &mut random);
        let Ok(module) = parse_module(&text) else {
            continue;
        };
        if verified(&module, ctx.registry()).is_err() || !is_taken(&module, &ctx) {
            continue;
        }
        tried += 1;
        match catch_unwind(AssertUnwindSafe(|| pipeline(&module, &ctx))) {
            Ok(stages) => {
                let ours = |s: &mooncake::Result<()>| matches!(s, Err(Error::Internal(_)));
                if let Some(Err(error)) = stages.iter().find(|s| ours(s)) {
                    panic!("{error}\nis on this text:\n{text}");
                }
                compiled += usize::from(stages.iter().all(Result::is_ok));
            }
            Err(_) => panic!("the panic above is on this text:\n{text}"),
        }
    }
    assert!(
        compiled > tried / 4,
        "only {compiled} of {tried} were compiled"
    );
}

/// As [`check`], for kernels. What the verifier accepts is interpreted and run in lanes.
fn check_kernel(text: &str, ctx: &Context) -> Reached {
    let Ok(kernel) = parse_kernel(text) else {
        return Reached::Text;
    };
    let printed = kernel.to_string();
    let again = parse_kernel(&printed).expect("what was printed parses");
    assert_eq!(again.to_string(), printed);
    if verified_kernel(&kernel, ctx.registry()).is_err() {
        return Reached::Module;
    }
    // They are counted in numbers that do not overflow.
    let (_, points) = (kernel.bytes(), kernel.operations());
    let Some(inputs) = memory(&kernel).filter(|_| points < 100_000) else {
        return Reached::Module;
    };
    let expected = interpreted_kernel(&kernel, ctx.registry(), &inputs);
    let found = kernel_on(&Device::cpu(), &kernel, ctx.registry(), &inputs);
    match (expected, found) {
        (Ok(expected), Ok(found)) => {
            let lengths = |all: &[Vec<mooncake::ir::Const>]| -> Vec<usize> {
                all.iter().map(Vec::len).collect()
            };
            assert_eq!(lengths(&expected), lengths(&found));
            Reached::Run
        }
        _ => Reached::Module,
    }
}

/// Zeros for a kernel to read, if they are few.
fn memory(kernel: &Kernel) -> Option<Vec<(Vec<mooncake::ir::Const>, usize)>> {
    let extents = kernel.rows.iter().chain([&kernel.columns]);
    let extents: Vec<usize> = extents.copied().collect();
    let inputs = kernel.inputs.iter().map(|input| {
        let (mut before, mut after) = (0, 1);
        for (&extent, &step) in extents.iter().zip(&input.steps) {
            let reach = (extent - 1).checked_mul(step.unsigned_abs())?;
            let side = if step < 0 { &mut before } else { &mut after };
            *side = reach.checked_add(*side).filter(|n| *n < 100_000)?;
        }
        Some((vec![zero(input.ty); before + after], before))
    });
    inputs.collect()
}

#[test]
fn damaged_kernels_are_refused_or_run() {
    let ctx = Context::default();
    let corpus = corpus(&["kernel"]);
    let mut random = Random::new(2027);
    let mut reached = Vec::new();
    for _ in 0..3_000 {
        let text = damaged(&corpus[random.below(corpus.len())], &mut random);
        match catch_unwind(AssertUnwindSafe(|| check_kernel(&text, &ctx))) {
            Ok(how_far) => reached.push(how_far),
            Err(_) => panic!("the panic above is on this text:\n{text}"),
        }
    }
    for how_far in [Reached::Text, Reached::Module, Reached::Run] {
        let count = reached.iter().filter(|r| **r == how_far).count();
        assert!(count > 150, "{how_far:?}: {count} of {}", reached.len());
    }
}

#[test]
fn random_bytes_are_refused() {
    let mut random = Random::new(7);
    for _ in 0..2_000 {
        let length = random.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
        let text = String::from_utf8_lossy(&bytes);
        assert!(parse_module(&text).is_err());
    }
}

#[test]
fn nesting_is_refused_before_the_stack_ends() {
    for (open, close) in [("(", ")"), ("[", "]"), ("array<", ">"), ("[mut ", "]")] {
        let ty = open.repeat(100_000) + "f64" + &close.repeat(100_000);
        assert!(parse_module(&format!("fn @f() -> {ty} {{")).is_err());
    }
    let ctx = Context::default();
    let known = |callee: Callee, types: &[Type]| ctx.registry().call_type(callee, types);
    for open in ["(", "-", "sin(", "1 + (", "1 + ", "2 * "] {
        let text = open.repeat(100_000) + "x";
        let params = [("x", Type::F64)];
        assert!(parse_expressions(Symbol::new("f"), &params, &[&text], &known).is_err());
    }
}

#[test]
fn random_expressions_are_refused_or_built() {
    let ctx = Context::default();
    let known = |callee: Callee, types: &[Type]| ctx.registry().call_type(callee, types);
    let params = [
        ("x", Type::F64),
        ("n", Type::I32),
        ("a", Type::array(Type::F32)),
        ("b", Type::Bool),
    ];
    let words = [
        "x",
        "n",
        "a",
        "b",
        "1",
        "0.5",
        "pi",
        "inf",
        "+",
        "-",
        "*",
        "/",
        "%",
        "<",
        "==",
        "(",
        ")",
        ",",
        "sin(",
        "select(",
        "powi(",
        "matmul(",
        "sum(",
        "abs(",
        "sum_axis(",
        "and(",
        "shl(",
        "1e400",
        "99999999999999999999",
    ];
    let mut random = Random::new(99);
    let mut built = 0;
    for _ in 0..20_000 {
        let length = 1 + random.below(7);
        let text: String = (0..length)
            .map(|_| words[random.below(words.len())].to_owned() + " ")
            .collect();
        let made = catch_unwind(|| parse_expressions(Symbol::new("f"), &params, &[&text], &known));
        let Ok(Ok(function)) = made else {
            assert!(made.is_ok(), "the panic above is on `{text}`");
            continue;
        };
        let module = Module::new(function);
        verified(&module, ctx.registry()).unwrap_or_else(|e| panic!("`{text}`: {e}\n{module}"));
        built += 1;
    }
    assert!(built > 500, "{built} expressions were built");
}
