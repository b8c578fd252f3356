//! Programs in text, one stage of the pipeline each: `tests/filetests/STAGE/*.ir`.
//!
//! A file holds cases, separated by lines `; ---`. What a case expects stands in comments:
//!
//! - `; error: text` at the end of the guilty line: this stage refuses the case there, in words that contain the text;
//! - `; run: (2.0, [1.0]) == 4.0` calls the root, interpreted (also optimised) and compiled: equal bits are expected of all. `with [3.0]` after it
//!   gives what the mutable slices hold then, in order; `faults text` instead of `==` expects a fault, `with` may follow;
//! - `; reverse: 0 2` (stage reverse) gives the places of the active parameters; the case's `; run:` lines call the gradient
//!   in one function, with shadows and seeds after the arguments;
//! - `; forward: 0 2 | 3` (stage forward) gives those places and, after the bar, along how many directions there are tangents; the case's `; run:`
//!   lines call the dual, with the tangents after the arguments, direction by direction;
//! - in the folder `kernel` a case is a kernel of the kernel IR. `; run: ([1.0, 2.0], [3.0]) == ([4.0, 5.0])` runs it on these inputs, by the
//!   reference interpreter, in lanes of the CPU and on the GPU, and expects these outputs of all; `; from: 1 0` says with which element each input
//!   begins, `; within: 1e-6` allows that much, relative to the number. `; refused: text` expects that text whole of the parser or the verifier.
//!   `; fails: ([1.0], [7])` says that an index is out of range on these inputs;
//!   `; wgsl` prints the kernel's shader;
//! - `; pass: gvn` (stage passes) names the one pass of the optimiser that is run;
//! - `; refused: text` (stage gpu) expects that text whole instead of a function of a shader;
//! - in the folder `infer` a case is a function in Rust, and comments begin with `//`. `// stage: typed` or `normal` says what is printed;
//! - `; => ` before each line of what the stage prints. `BLESS=1 cargo test --test filetests` writes these lines.

use mooncake::ad::Mode;
use mooncake::interp::Datum;
use mooncake::ir::parse::{ParseError, parse_module};
use mooncake::ir::verify::verify_generic;
use mooncake::ir::{Const, Module, Type, canonical};
use mooncake::kernel::{Kernel, parse_kernel};
use mooncake::testing::programs::{
    clif, compile, dual_along, interpret, interpreted_kernel, kernel_on, normalised, optimised,
    passed, promoted, reverse_module, unrolled, verified, verified_kernel,
};
use mooncake::{Context, Device, Error, f16};
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "filetests/infer/mod.rs"]
mod infer;

/// Steps that no case needs.
const FUEL: u64 = 10_000_000;

/// One case of a file.
struct Case<'a> {
    file: &'a Path,
    /// The line of the file on which it begins, from 0.
    start: usize,
    text: &'a str,
    /// How a comment begins.
    comment: &'static str,
}

impl Case<'_> {
    fn fail(&self, message: impl std::fmt::Display) -> ! {
        panic!("{}:{}: {message}", self.file.display(), self.start + 1)
    }
    /// The lines that expect an error: their number in the case from 1, the code, the expected text.
    fn errors(&self) -> Vec<(usize, &str, &str)> {
        let lines = self.text.lines().enumerate();
        lines
            .filter_map(|(i, line)| {
                let (code, text) = line.split_once("; error:")?;
                Some((i + 1, code.trim(), text.trim()))
            })
            .collect()
    }
    fn parse(&self) -> Module {
        parse_module(self.text).unwrap_or_else(|error| self.fail(error))
    }
    /// A typed module that verifies.
    fn typed(&self, ctx: &Context) -> Module {
        let module = self.parse();
        verified(&module, ctx.registry()).unwrap_or_else(|error| self.fail(error));
        module
    }
    /// What stands after a word at the beginning of a comment.
    fn line(&self, word: &str) -> &str {
        let found = { self.text.lines() }.find_map(|line| line.strip_prefix(word));
        found.unwrap_or_else(|| self.fail(format!("no `{word}` line")))
    }
    /// Which parameters are active: those that are counted here, from 0.
    fn active(&self, places: &str, module: &Module) -> Vec<bool> {
        let places: Vec<&str> = places.split_whitespace().collect();
        let count = module.root().params().len();
        (0..count)
            .map(|i| places.contains(&i.to_string().as_str()))
            .collect()
    }
    /// Compares what a stage printed with the `; => ` lines; rewrites them if asked to.
    fn snapshot(&self, found: &str) -> Option<String> {
        let mark = format!("{} =>", self.comment);
        let is_expected = |line: &&str| line.starts_with(&mark);
        let expected: Vec<&str> = self
            .text
            .lines()
            .filter(is_expected)
            .map(|line| line[mark.len()..].trim())
            .collect();
        let lines: Vec<&str> = found.trim_end().lines().collect();
        if expected == lines.iter().map(|line| line.trim()).collect::<Vec<_>>() {
            return None;
        }
        if std::env::var_os("BLESS").is_none() {
            self.fail(format!(
                "printed:\n{found}\nwhich is not what the `{mark}` lines say. If it is right, run \
                 BLESS=1 cargo test --test filetests"
            ));
        }
        let kept: Vec<&str> = self
            .text
            .lines()
            .filter(|line| !is_expected(line))
            .collect();
        let blessed = lines
            .iter()
            .map(|line| format!("{mark} {line}").trim_end().to_owned());
        let blessed: Vec<String> = blessed.collect();
        Some(format!(
            "{}\n{}\n",
            kept.join("\n").trim_end(),
            blessed.join("\n")
        ))
    }
}

/// Runs `check` on every case of a stage; it gives the new text of a case that was blessed.
fn for_each_case(stage: &str, check: impl Fn(&Case) -> Option<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/filetests")
        .join(stage);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| !file.ends_with("mod.rs"));
    files.sort();
    assert!(!files.is_empty(), "{} has no files", folder.display());
    for file in files {
        let is_rust = file.extension().is_some_and(|extension| extension == "rs");
        let comment = if is_rust { "//" } else { ";" };
        let separator = format!("{comment} ---\n");
        let text = fs::read_to_string(&file).unwrap();
        let mut blessed = Vec::new();
        let (mut start, mut changed) = (0, false);
        for part in text.split_inclusive(&separator) {
            let body = part.strip_suffix(&separator).unwrap_or(part);
            let case = Case {
                file: &file,
                start,
                text: body,
                comment,
            };
            let new = check(&case);
            changed |= new.is_some();
            blessed.push(new.unwrap_or_else(|| body.to_owned()));
            start += part.lines().count();
        }
        if changed {
            fs::write(&file, blessed.join(&separator)).unwrap();
        }
    }
}

/// Checks that a case with `; error:` lines is refused on them.
fn expect_parse_error(case: &Case, error: &ParseError) {
    let [(line, _, text)] = case.errors()[..] else {
        case.fail(error);
    };
    let message = error.to_string();
    assert!(
        error.line as usize == line && message.contains(text),
        "{}: expected `{text}` in line {}, found {message}",
        case.file.display(),
        case.start + line
    );
}

#[test]
fn parse() {
    for_each_case("parse", |case| {
        let module = match parse_module(case.text) {
            Err(error) => {
                expect_parse_error(case, &error);
                return None;
            }
            Ok(_) if !case.errors().is_empty() => case.fail("expected an error, found none"),
            Ok(module) => canonical(&module),
        };
        let text = module.to_string();
        assert_eq!(parse_module(&text).as_ref(), Ok(&module), "{text}");
        case.snapshot(&text)
    });
}

#[test]
fn verify() {
    let ctx = Context::default();
    for_each_case("verify", |case| {
        let module = case.parse();
        let result = match case.text.contains("; generic") {
            true => verify_generic(&module),
            false => verified(&module, ctx.registry()),
        };
        match (result, &case.errors()[..]) {
            (Ok(()), []) => {}
            (Ok(()), _) => case.fail("expected an error, found none"),
            (Err(error), []) => case.fail(error),
            (Err(error), [(line, code, text), ..]) => {
                let message = error.to_string();
                let place = match code {
                    code if code.starts_with("fn ") => "function @".to_owned(),
                    code if code.ends_with(':') => {
                        let end = code.find(['(', ':']).unwrap_or(code.len());
                        format!(", {}: ", &code[..end])
                    }
                    code => format!("`{code}`"),
                };
                assert!(
                    message.contains(text) && message.contains(&place),
                    "{}:{}: expected `{text}` at {place}, found {message}",
                    case.file.display(),
                    case.start + line
                );
            }
        }
        None
    });
}

#[test]
fn run() {
    let ctx = Context::default();
    for_each_case("run", |case| {
        let module = case.typed(&ctx);
        check_runs(case, &module, &ctx);
        None
    });
}

/// Prints what the optimiser makes of a case, and runs it.
#[test]
fn opt() {
    let ctx = Context::default();
    for_each_case("opt", |case| {
        let module = case.typed(&ctx);
        check_runs(case, &module, &ctx);
        let module = optimised(&module, ctx.registry()).unwrap_or_else(|error| case.fail(error));
        case.snapshot(&canonical(&module).to_string())
    });
}

/// Prints what a case is before it is derived, and runs that.
#[test]
fn promote() {
    let ctx = Context::default();
    for_each_case("promote", |case| {
        let module = case.typed(&ctx);
        let normal = normalised(&module, ctx.registry(), ctx.kind());
        let promoted = normal.and_then(|normal| promoted(&normal, ctx.registry()));
        let promoted = promoted.unwrap_or_else(|error| case.fail(error));
        check_runs(case, &promoted, &ctx);
        case.snapshot(&canonical(&promoted).to_string())
    });
}

/// Prints what a case is when its loops over small objects are unrolled, and runs that.
#[test]
fn unroll() {
    let ctx = Context::default();
    for_each_case("unroll", |case| {
        let module = case.typed(&ctx);
        check_runs(case, &module, &ctx);
        let normal = normalised(&module, ctx.registry(), ctx.kind());
        let unrolled = normal.and_then(|normal| unrolled(&normal, ctx.registry()));
        let unrolled = unrolled.unwrap_or_else(|error| case.fail(error));
        check_runs(case, &unrolled, &ctx);
        case.snapshot(&canonical(&unrolled).to_string())
    });
}

/// Prints the normal form of a case, and runs it.
#[test]
fn normalise() {
    let ctx = Context::default();
    for_each_case("normalise", |case| {
        let module = case.typed(&ctx);
        check_runs(case, &module, &ctx);
        let normal = normalised(&module, ctx.registry(), ctx.kind());
        let normal = normal.unwrap_or_else(|error| case.fail(error));
        check_runs(case, &normal, &ctx);
        case.snapshot(&canonical(&normal).to_string())
    });
}

/// Prints value and gradient of a case in one function, optimised, and runs it as derived and optimised.
#[test]
fn reverse() {
    let ctx = Context::default();
    let (registry, kind) = (ctx.registry(), ctx.kind());
    for_each_case("reverse", |case| {
        let normal = normalised(&case.typed(&ctx), registry, kind);
        let normal = normal.unwrap_or_else(|error| case.fail(error));
        let active = case.active(case.line("; reverse:"), &normal);
        let derived = reverse_module(&normal, registry, kind, &active, Mode::Combined);
        let derived = derived.unwrap_or_else(|error| case.fail(error));
        check_runs(case, &derived, &ctx);
        let fewer = optimised(&derived, registry).unwrap_or_else(|error| case.fail(error));
        case.snapshot(&canonical(&fewer).to_string())
    });
}

/// Prints the dual of a case along some directions, optimised, and runs it as derived and optimised.
#[test]
fn forward() {
    let ctx = Context::default();
    let (registry, kind) = (ctx.registry(), ctx.kind());
    for_each_case("forward", |case| {
        let normal = normalised(&case.typed(&ctx), registry, kind);
        let normal = normal.unwrap_or_else(|error| case.fail(error));
        let (places, directions) = { case.line("; forward:").split_once('|') }
            .unwrap_or_else(|| case.fail("no number of directions"));
        let active = case.active(places, &normal);
        let directions = directions
            .trim()
            .parse()
            .unwrap_or_else(|error| case.fail(error));
        let derived = dual_along(&normal, registry, kind, &active, directions);
        let derived = derived.unwrap_or_else(|error| case.fail(error));
        check_runs(case, &derived, &ctx);
        let fewer = optimised(&derived, registry).unwrap_or_else(|error| case.fail(error));
        case.snapshot(&canonical(&fewer).to_string())
    });
}

/// Prints a function in Rust, with its types found or in normal form.
#[test]
fn inferred() {
    let ctx = Context::default();
    let names: Vec<&str> = infer::ALL.iter().map(|(_, name, _)| *name).collect();
    let unseen = RefCell::new(names);
    for_each_case("infer", |case| {
        let (_, code) = { case.text.split_once("#[differentiable]\npub fn ") }
            .unwrap_or_else(|| case.fail("no function"));
        let name = code.split(['(', '<']).next().unwrap_or_default();
        let file = case.file.file_stem().and_then(|stem| stem.to_str());
        let found = { infer::ALL.iter() }.find(|(f, n, _)| Some(*f) == file && *n == name);
        let (_, _, print) = found.unwrap_or_else(|| case.fail("infer/mod.rs does not list it"));
        unseen.borrow_mut().retain(|other| *other != name);
        let stage = case.line("// stage:").trim().parse();
        let stage = stage.unwrap_or_else(|error: String| case.fail(error));
        let text = print(&ctx, stage).unwrap_or_else(|error| case.fail(error));
        case.snapshot(&text.replace(&format!("filetests::infer::{}::", file.unwrap()), ""))
    });
    let unseen = unseen.into_inner();
    assert!(
        unseen.is_empty(),
        "infer/mod.rs lists {unseen:?}, which no case has"
    );
}

/// Prints what one pass of the optimiser makes of a case.
#[test]
fn passes() {
    let ctx = Context::default();
    for_each_case("passes", |case| {
        let pass = case.line("; pass:").trim();
        let module = passed(&case.parse(), ctx.registry(), pass);
        let module = module.unwrap_or_else(|error| case.fail(error));
        case.snapshot(&canonical(&module).to_string())
    });
}

/// Prints what Cranelift is given for a case, and runs it.
#[test]
fn cpu() {
    let ctx = Context::default();
    for_each_case("cpu", |case| {
        let module = case.typed(&ctx);
        check_runs(case, &module, &ctx);
        let text = clif(&module, ctx.registry());
        case.snapshot(&text.unwrap_or_else(|error| case.fail(error)))
    });
}

/// Prints a case as a function of a shader.
#[cfg(feature = "gpu")]
#[test]
fn gpu() {
    let ctx = Context::default();
    for_each_case("gpu", |case| {
        let refused = { case.text.lines() }.find_map(|line| line.strip_prefix("; refused: "));
        let text = mooncake::testing::programs::shader_function(&case.parse(), ctx.registry());
        match (text, refused) {
            (Ok(text), None) => return case.snapshot(&text),
            (Err(error), Some(expected)) if error.to_string() == expected => {}
            (Err(error), _) => case.fail(error),
            (Ok(_), Some(_)) => case.fail("expected an error, found none"),
        }
        None
    });
}

/// Kernels of the kernel IR.
#[test]
fn kernel() {
    let ctx = Context::default();
    let gpu = adapter();
    for_each_case("kernel", |case| {
        let lines = case.text.lines().filter(|line| !line.starts_with(';'));
        let code: String = lines.map(|line| format!("{line}\n")).collect();
        let read = parse_kernel(&code)
            .and_then(|kernel| verified_kernel(&kernel, ctx.registry()).map(|()| kernel));
        let refused = { case.text.lines() }.find_map(|line| line.strip_prefix("; refused: "));
        let kernel = match (read, refused) {
            (Ok(kernel), None) => kernel,
            (Ok(_), Some(_)) => case.fail("expected an error, found none"),
            (Err(Error::Internal(found)), Some(expected)) => {
                // After the message comes the kernel.
                let found = found.lines().next().unwrap_or_default();
                if found != expected {
                    case.fail(format!("expected `{expected}`, found `{found}`"));
                }
                return None;
            }
            (Err(error), _) => case.fail(error),
        };
        if kernel.to_string() != code {
            case.fail(format!("prints as\n{kernel}"));
        }
        let runs = case.text.lines().filter(|line| line.starts_with("; run:"));
        let mut devices = vec![Device::cpu()];
        devices.extend(gpu.clone());
        for run in runs {
            let run = KernelRun::parse(case, run, &kernel);
            let (registry, inputs) = (ctx.registry(), &run.inputs[..]);
            run.check(
                case,
                "interpreted",
                interpreted_kernel(&kernel, registry, inputs),
            );
            for device in &devices {
                let has_f64 = kernel.to_string().contains("f64");
                if has_f64 && !device.holds(Type::F64) {
                    eprintln!("SKIPPED: {} does not have f64", device.name());
                    continue;
                }
                let found = kernel_on(device, &kernel, registry, inputs);
                run.check(case, device.name(), found);
            }
        }
        for line in case
            .text
            .lines()
            .filter(|line| line.starts_with("; fails:"))
        {
            let mut reader = Reader {
                rest: &line["; fails:".len()..],
            };
            let inputs = KernelRun::inputs(case, &mut reader, &kernel);
            let found = interpreted_kernel(&kernel, ctx.registry(), &inputs);
            KernelRun::fails(case, "interpreted", found);
            for device in &devices {
                let found = kernel_on(device, &kernel, ctx.registry(), &inputs);
                KernelRun::fails(case, device.name(), found);
            }
        }
        #[cfg(feature = "gpu")]
        if case.text.lines().any(|line| line == "; wgsl") {
            let text = mooncake::testing::programs::kernel_shader(&kernel, ctx.registry());
            return case.snapshot(&text.unwrap_or_else(|error| case.fail(error)));
        }
        None
    });
}

/// The GPU. Without an adapter this says so; `MOONCAKE_REQUIRE_GPU=1` makes that a failure.
fn adapter() -> Option<Device> {
    match Device::gpu() {
        Ok(device) => Some(device),
        Err(error) if std::env::var_os("MOONCAKE_REQUIRE_GPU").is_some() => panic!("{error}"),
        Err(error) => {
            eprintln!("SKIPPED, no GPU: {error}");
            None
        }
    }
}

/// A `; run:` line of a kernel.
struct KernelRun {
    inputs: Vec<(Vec<Const>, usize)>,
    outputs: Vec<Vec<Const>>,
    /// How far a number may be off, relative to itself.
    within: f64,
}

impl KernelRun {
    fn parse(case: &Case, line: &str, kernel: &Kernel) -> KernelRun {
        let within = { case.text.lines() }.find_map(|line| line.strip_prefix("; within:"));
        let mut reader = Reader {
            rest: &line["; run:".len()..],
        };
        let inputs = KernelRun::inputs(case, &mut reader, kernel);
        let types = (0..kernel.outputs.len()).map(|n| kernel.output_type(n));
        let outputs = reader.expect("==").and_then(|()| reader.lists(types));
        KernelRun {
            inputs,
            outputs: outputs.unwrap_or_else(|error| case.fail(error)),
            within: within.map_or(0.0, |text| text.trim().parse().unwrap()),
        }
    }
    /// The inputs of a run, each with the place where it begins.
    fn inputs(case: &Case, reader: &mut Reader, kernel: &Kernel) -> Vec<(Vec<Const>, usize)> {
        let starts = { case.text.lines() }.find_map(|line| line.strip_prefix("; from:"));
        let starts = starts.unwrap_or_default().split_whitespace();
        let mut starts = starts.map(|n| n.parse().unwrap());
        let types = kernel.inputs.iter().map(|input| input.ty);
        let inputs = reader.lists(types).unwrap_or_else(|error| case.fail(error));
        { inputs.into_iter() }
            .map(|all| (all, starts.next().unwrap_or(0)))
            .collect()
    }
    /// A run has found an index out of range.
    fn fails(case: &Case, how: &str, found: mooncake::Result<Vec<Vec<Const>>>) {
        match found {
            Ok(found) => case.fail(format!("{how}: expected an error, found {found:?}")),
            Err(Error::Array(message)) if message.contains("index") => {}
            Err(error) => case.fail(format!("{how}: {error}")),
        }
    }
    fn check(&self, case: &Case, how: &str, found: mooncake::Result<Vec<Vec<Const>>>) {
        let found = found.unwrap_or_else(|error| case.fail(format!("{how}: {error}")));
        let close = |(a, b): (&Const, &Const)| match (a, b) {
            (Const::Float(a), Const::Float(b)) if self.within > 0.0 => {
                (a - b).abs() <= self.within * b.abs()
            }
            (Const::Float(a), Const::Float(b)) => {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }
            (a, b) => a == b,
        };
        let same =
            |(a, b): (&Vec<Const>, &Vec<Const>)| a.len() == b.len() && a.iter().zip(b).all(close);
        if found.len() != self.outputs.len() || !found.iter().zip(&self.outputs).all(same) {
            case.fail(format!("{how}: {found:?}"));
        }
    }
}

/// Makes every call that a case asks for, of this module's root: interpreted, as it is and optimised, and compiled.
fn check_runs(case: &Case, module: &Module, ctx: &Context) {
    let fewer = optimised(module, ctx.registry()).unwrap_or_else(|error| case.fail(error));
    let compile = |module| compile(module, ctx.registry()).unwrap_or_else(|error| case.fail(error));
    let (compiled, compiled_fewer) = (compile(module), compile(&fewer));
    let mut count = 0;
    for call in case
        .text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("; run:"))
    {
        let call = Call::parse(call, module).unwrap_or_else(|error| case.fail(error));
        let interpreted = call.outcome(|args| interpret(module, ctx.registry(), args, FUEL));
        call.check(case, "interpreted", interpreted);
        let interpreted = call.outcome(|args| interpret(&fewer, ctx.registry(), args, FUEL));
        call.check(case, "interpreted after the optimiser", interpreted);
        call.check(case, "compiled", call.outcome(|args| compiled.call(args)));
        let outcome = call.outcome(|args| compiled_fewer.call(args));
        call.check(case, "compiled after the optimiser", outcome);
        count += 1;
    }
    if count == 0 {
        case.fail("no `; run:` line");
    }
}

/// A `; run:` line.
struct Call {
    text: String,
    args: Vec<(String, Type)>,
    expected: Result<Datum, String>,
    /// What the mutable slices hold then.
    memory: Vec<Datum>,
}

impl Call {
    fn parse(text: &str, module: &Module) -> Result<Call, String> {
        let types = module.root().param_types();
        let mut reader = Reader { rest: text };
        let mut args = Vec::new();
        reader.expect("(")?;
        for (i, &ty) in types.iter().enumerate() {
            if i > 0 {
                reader.expect(",")?;
            }
            let before = reader.rest;
            reader.datum(ty)?;
            args.push((before[..before.len() - reader.rest.len()].to_owned(), ty));
        }
        reader.expect(")")?;
        let expected = match reader.accept("faults") {
            true => {
                let (message, memory) = reader
                    .rest
                    .split_once(" with ")
                    .unwrap_or((reader.rest, ""));
                reader.rest = memory;
                Err(message.trim().to_owned())
            }
            false => {
                reader.expect("==")?;
                let value = reader.datum(module.root().ret)?;
                reader.accept("with");
                Ok(value)
            }
        };
        let mut memory = Vec::new();
        // After a fault only if the line says something about it.
        let slices = types.iter().filter(|ty| matches!(ty, Type::SliceMut(_)));
        for &ty in slices.filter(|_| expected.is_ok() || !reader.rest.is_empty()) {
            if !memory.is_empty() {
                reader.expect(",")?;
            }
            memory.push(reader.datum(ty)?);
        }
        Ok(Call {
            text: text.trim().to_owned(),
            args,
            expected,
            memory,
        })
    }
    /// New memory for every call: they write to it.
    fn args(&self) -> Vec<Datum> {
        let datum = |(text, ty): &(String, Type)| Reader { rest: text }.datum(*ty).unwrap();
        self.args.iter().map(datum).collect()
    }
    /// The value or the error, and what the mutable slices hold.
    fn outcome(
        &self,
        run: impl FnOnce(&[Datum]) -> mooncake::Result<Datum>,
    ) -> (Result<Datum, String>, Vec<Datum>) {
        let args = self.args();
        let value = run(&args).map_err(|error| error.to_string());
        let mutable = |(arg, (_, ty)): (Datum, &(String, Type))| {
            matches!(ty, Type::SliceMut(_)).then_some(arg)
        };
        (
            value,
            args.into_iter()
                .zip(&self.args)
                .filter_map(mutable)
                .collect(),
        )
    }
    fn check(&self, case: &Case, how: &str, found: (Result<Datum, String>, Vec<Datum>)) {
        let same = match (&self.expected, &found.0) {
            (Err(expected), Err(found)) => found.contains(expected.as_str()),
            (expected, found) => expected == found,
        };
        let silent = self.expected.is_err() && self.memory.is_empty();
        if !same || !(silent || self.memory == found.1) {
            case.fail(format!("run: {}: {how} gives {found:?}", self.text));
        }
    }
}

/// Reads values.
struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn accept(&mut self, mark: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
    fn expect(&mut self, mark: &str) -> Result<(), String> {
        match self.accept(mark) {
            true => Ok(()),
            false => Err(format!("expected `{mark}`, found `{}`", self.rest)),
        }
    }
    /// `([…], […])`: the elements of arrays with elements of these types.
    fn lists(&mut self, types: impl Iterator<Item = Type>) -> Result<Vec<Vec<Const>>, String> {
        let mut lists = Vec::new();
        self.expect("(")?;
        for (i, ty) in types.enumerate() {
            if i > 0 {
                self.expect(",")?;
            }
            let Datum::Slice(slice) = self.datum(Type::slice(ty))? else {
                return Err(format!("expected a list, found `{}`", self.rest));
            };
            lists.push(slice.elements());
        }
        self.expect(")")?;
        Ok(lists)
    }
    fn datum(&mut self, ty: Type) -> Result<Datum, String> {
        match ty {
            Type::Tuple([]) => {
                self.expect("(")?;
                self.expect(")")?;
                Ok(Datum::UNIT)
            }
            Type::Tuple(fields) => {
                self.expect("(")?;
                let mut read = Vec::new();
                for (i, &field) in fields.iter().enumerate() {
                    if i > 0 {
                        self.expect(",")?;
                    }
                    read.push(self.datum(field)?);
                }
                self.accept(",");
                self.expect(")")?;
                Ok(Datum::Tuple(read))
            }
            Type::Slice(element) | Type::SliceMut(element) => {
                self.expect("[")?;
                let mut read = Vec::new();
                while !self.accept("]") {
                    if !read.is_empty() {
                        self.expect(",")?;
                    }
                    read.push(self.datum(*element)?.scalar().map_err(|e| e.to_string())?);
                }
                Ok(Datum::slice(read))
            }
            _ => self.scalar(ty),
        }
    }
    fn scalar(&mut self, ty: Type) -> Result<Datum, String> {
        self.rest = self.rest.trim_start();
        let end = self
            .rest
            .find([',', ')', ']', ' '])
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        let fail = |_| format!("`{word}` is no {ty}");
        let c = match ty {
            Type::Bool => Const::Bool(word.parse().map_err(|_| format!("`{word}` is no bool"))?),
            Type::F32 => Const::Float(word.parse::<f32>().map_err(|e| fail(e.to_string()))?.into()),
            Type::F16 => Const::Float(word.parse::<f16>().map_err(|e| fail(e.to_string()))?.into()),
            Type::F64 => Const::Float(word.parse().map_err(|_| fail(String::new()))?),
            _ => Const::Int(word.parse::<i128>().map_err(|e| fail(e.to_string()))? as i64),
        };
        Ok(Datum::Scalar(c))
    }
}
