//! Texts that are almost programs: the parser, the verifier, the printer, the optimiser and the interpreter return on
//! every one of them, and what they accept they agree on.
//!
//! The texts are the filetests, damaged. The same seeds give the same texts everywhere, so a failure repeats; it prints
//! the text, which then joins the filetests.

use mooncake::Context;
use mooncake::interp::Datum;
use mooncake::ir::eval::zero;
use mooncake::ir::parse::{parse_expressions, parse_module};
use mooncake::ir::verify::verify_generic;
use mooncake::ir::{Module, Symbol, Type, canonical};
use mooncake::testing::programs::{interpret, optimised, verified};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n.max(1)
    }
}

/// All cases of the filetests that are programs.
fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let mut cases = Vec::new();
    for stage in ["parse", "verify", "run"] {
        let mut files: Vec<_> = fs::read_dir(folder.join(stage))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        for file in files {
            let text = fs::read_to_string(file).unwrap();
            cases.extend(text.split("; ---\n").map(without_comments));
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
        let (at, other) = (random.below(words.len()), random.below(words.len()));
        if words.is_empty() {
            break;
        }
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
        let at = random.below(text.len());
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
    let corpus = corpus();
    let mut random = Random(2026);
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

#[test]
fn random_bytes_are_refused() {
    let mut random = Random(7);
    for _ in 0..2_000 {
        let length = random.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
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
    let known = |name: Symbol, types: &[Type]| ctx.registry().call_type(name, types);
    for open in ["(", "-", "sin(", "1 + (", "1 + ", "2 * "] {
        let text = open.repeat(100_000) + "x";
        let params = [("x", Type::F64)];
        assert!(parse_expressions(Symbol::new("f"), &params, &[&text], &known).is_err());
    }
}

#[test]
fn random_expressions_are_refused_or_built() {
    let ctx = Context::default();
    let known = |name: Symbol, types: &[Type]| ctx.registry().call_type(name, types);
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
    let mut random = Random(99);
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
