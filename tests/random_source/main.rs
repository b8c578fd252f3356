//! Random well-typed programs of the language, from the surface tree to the derivative.
//!
//! A program is made (`make`) of all kinds of statements and values (`program`), and of functions and types that are
//! written down (`library`). It is run by walking its syntax (`eval`), which is the oracle; and as a surface tree, as the
//! macro would write it (`emit`), it goes through the whole pipeline. Interpreted and compiled, its value and memory are
//! the oracle's to the bit, and where the oracle panics there is an error; the reverse gradient is the same in one call
//! and in two halves, agrees with the forward derivative, and with differences of the oracle where they settle (`check`).
//!
//! Inside `map` a program has the value and the gradient that it has alone (`mapped`).
//!
//! A program that fails is made smaller (`shrink`) while it fails, and written as Rust (`print`) to a file that joins
//! `kept`: there it is compiled as users' programs are, and its native value is the oracle. Some programs are written in the
//! same way whenever the tests run, and compiled by rustc together with these tests: that shows that the printed, the walked
//! and the compiled program are the same.
//!
//! `MOONCAKE_RANDOM_SOURCES=20000 cargo test --release --test random_source` tests more of them;
//! with `MOONCAKE_RANDOM_FROM=27` and 1 just that one.
#![allow(
    unexpected_cfgs,
    reason = "`sample` is set where these tests compile themselves again, with a sample of programs"
)]

mod check;
mod emit;
mod eval;
mod kept;
mod library;
mod make;
mod mapped;
mod print;
mod program;
#[cfg(all(debug_assertions, not(sample)))]
#[path = "../support/rustc.rs"]
mod rustc;
mod shrink;
/// Programs as `make` makes them and `print` writes them.
#[cfg(sample)]
#[allow(clippy::all, unused, arithmetic_overflow, unconditional_panic)]
mod sample {
    include!(env!("MOONCAKE_SAMPLE"));
}

use check::{Args, Case, Seen, check};
use emit::Random as Function;
use mooncake::testing::random::Random;
use mooncake::{Context, Device};
use program::Program;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many unless told otherwise. Release builds, which make ten times as many in the same time, are what counts.
const PROGRAMS: u64 = if cfg!(debug_assertions) { 40 } else { 10_000 };
/// How many are in `sample`, and of how many statements at most. They are compiled as in debug builds, in which overflow is a
/// panic natively too.
#[cfg(debug_assertions)]
const SAMPLES: u64 = 120;
#[cfg(debug_assertions)]
const SAMPLE_SIZE: usize = 10;
/// A program takes a hundredth of it. One that takes so long does not end.
const LIMIT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 300 } else { 60 });

fn told(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a number"))
}

/// The kinds of contexts: the default, the minimal one, and one in which all that is chosen at run time is derived on demand.
fn contexts() -> [Context; 3] {
    let builder = || Context::builder().device(Device::cpu());
    let all = [builder(), builder().minimal(), builder().on_demand_above(0)];
    all.map(|builder| builder.build().expect("a context on the CPU"))
}
fn context<'c>(contexts: &'c [Context; 3], case: &Case) -> &'c Context {
    &contexts[match case.seed % 10 {
        9 => 1,
        4 | 7 => 2,
        _ => 0,
    }]
}

/// The program of a seed, and what it is tested on. Of programs that may not end the next is taken.
fn draw(seed: u64, size: impl Fn(&mut Random) -> usize) -> (Program, Case) {
    let mut random = Random::new(seed + 1);
    loop {
        let size = size(&mut random);
        let program = Program::random(&mut random, size);
        let case = Case {
            seed,
            args: Args::random(&mut random),
            along: Args::random(&mut random),
            singles: program.has_singles(),
        };
        if !eval::run(&program, &mut case.args.clone()).endless {
            return (program, case);
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

/// What is wrong with a program, or what it has shown.
fn fault(contexts: &[Context; 3], program: &Program, case: &Case) -> Result<Seen, Fault> {
    if let Some(worker) = WORKER.get() {
        worker.count.fetch_add(1, Ordering::Relaxed);
    }
    let caught = |f: &dyn Fn() -> Result<Seen, String>| match catch_unwind(AssertUnwindSafe(f)) {
        Ok(done) => done,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Err(format!("a panic: {}", text.unwrap_or_default()))
        }
    };
    let walk = || {
        let outcome = eval::run(program, &mut case.args.clone());
        emit::set(program);
        match outcome.endless {
            true => Err("it does not end".to_owned()),
            false => Ok(Seen::Modes),
        }
    };
    caught(&walk).map_err(|text| Fault {
        text,
        no_program: true,
    })?;
    let oracle = |args: &mut Args| eval::run(program, args);
    let ctx = context(contexts, case);
    let checked = caught(&|| {
        let seen = check::<Function>(ctx, case, &oracle)?;
        if case.seed % 4 == 1 {
            mapped::check_mapped::<Function>(ctx, case)?;
        }
        Ok(seen)
    });
    checked.map_err(|text| Fault {
        // Of a name that has gone with its declaration.
        no_program: text.contains("is not known here"),
        text,
    })
}

/// A program as a module, with what it is tested on.
fn module(program: &Program, case: &Case) -> String {
    let functions = print::functions(&emit::set(program));
    format!("pub const CASE: Case = {case:?};\n\n{functions}")
}

/// Tests one program; a report if it fails.
fn test(contexts: &[Context; 3], seed: u64, seen: &mut Shown) -> Result<Seen, String> {
    let (program, case) = draw(seed, |random| 4 + random.below(24));
    let first = match fault(contexts, &program, &case) {
        Ok(what) => {
            seen.count(&program);
            return Ok(what);
        }
        Err(fault) => fault,
    };
    let small = shrink::shrink(program, &mut |p| {
        fault(contexts, p, &case)
            .is_err_and(|fault| !fault.no_program && fault.kind() == first.kind())
    });
    let fault = fault(contexts, &small, &case).map_or_else(|fault| fault.text, |_| String::new());
    let name = format!("seed_{seed}");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.rs"));
    let case = Case {
        singles: small.has_singles(),
        ..case
    };
    let text = format!(
        "//! {}\n\nuse super::*;\n\n{}",
        fault.replace('\n', "\n//! "),
        module(&small, &case)
    );
    let written = std::fs::write(&path, &text);
    Err(format!(
        "{} ({written:?}): once it is mended, move this file to tests/random_source/kept and add `{name}` to its mod.rs\n{text}",
        path.display()
    ))
}

/// In how many programs each form was: by the words of their syntax.
#[derive(Default)]
struct Shown(BTreeMap<String, usize>);

impl Shown {
    fn count(&mut self, program: &Program) {
        let text = format!("{program:?}");
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let mut words: Vec<&str> = words
            .filter(|w| w.starts_with(char::is_alphabetic))
            .collect();
        words.sort_unstable();
        words.dedup();
        for word in words {
            *self.0.entry(word.to_owned()).or_default() += 1;
        }
    }
    fn of(&self, word: &str) -> usize {
        self.0.get(word).copied().unwrap_or_default()
    }
}

/// What a thread is at.
#[derive(Default)]
struct Worker {
    seed: AtomicU64,
    /// How many programs, also smaller ones, it has come to.
    count: AtomicU64,
    done: AtomicBool,
}

thread_local! {
    static WORKER: Cell<Option<&'static Worker>> = const { Cell::new(None) };
}

/// Ends the process if a program does not: compiled code cannot be stopped otherwise.
fn watch(workers: &[&Worker]) {
    let mut since = vec![(0, Instant::now()); workers.len()];
    while workers.iter().any(|w| !w.done.load(Ordering::Relaxed)) {
        for (worker, (count, start)) in workers.iter().zip(&mut since) {
            let now = worker.count.load(Ordering::Relaxed);
            if now != *count || worker.done.load(Ordering::Relaxed) {
                (*count, *start) = (now, Instant::now());
            } else if start.elapsed() > LIMIT {
                let seed = worker.seed.load(Ordering::Relaxed);
                eprintln!("the program of seed {seed}, or a smaller one made of it, does not end");
                std::process::exit(1);
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn random_sources_are_differentiated() {
    let contexts = contexts();
    let first = told("MOONCAKE_RANDOM_FROM").unwrap_or(0);
    let count = told("MOONCAKE_RANDOM_SOURCES").unwrap_or(PROGRAMS);
    let next = AtomicU64::new(first);
    // Panics are caught and reported with their program.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let threads = threads.min(emit::WORKERS);
    let workers: Vec<&'static Worker> = (0..threads).map(|_| &*Box::leak(Box::default())).collect();
    let work = |index: usize| {
        let worker = workers[index];
        WORKER.set(Some(worker));
        emit::enter(index);
        let (mut done, mut shown) = (Vec::new(), Shown::default());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                break;
            }
            worker.seed.store(seed, Ordering::Relaxed);
            done.push(test(&contexts, seed, &mut shown));
        }
        worker.done.store(true, Ordering::Relaxed);
        (done, shown)
    };
    let mut done: Vec<Result<Seen, String>> = Vec::new();
    let mut shown = Shown::default();
    std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..threads).map(|n| scope.spawn(move || work(n))).collect();
        watch(&workers);
        for thread in threads {
            let (more, words) = thread.join().expect("a worker catches panics");
            done.extend(more);
            for (word, n) in words.0 {
                *shown.0.entry(word).or_default() += n;
            }
        }
    });
    std::panic::set_hook(hook);
    let failed: Vec<&str> = done
        .iter()
        .filter_map(|d| d.as_ref().err().map(|e| &**e))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    let seen = |what| done.iter().filter(|d| **d == Ok(what)).count();
    let (settled, panics) = (seen(Seen::Differences), seen(Seen::Panic));
    let fast = seen(Seen::Fast);
    println!(
        "{} programs: {settled} compared with differences, {fast} vary too fast for that, {panics} panic",
        done.len()
    );
    println!("in how many of them each form is: {:?}", shown.0);
    // The programs are worth running.
    let (all, worth) = (
        done.len(),
        2 * settled >= done.len() && 100 * panics >= done.len(),
    );
    assert!(count < 100 || worth && 100 * fast <= all);
    let functions = library::FUNCTIONS.iter().map(|f| f.name);
    let names = functions.chain(library::MUTATORS.iter().map(|m| m.name));
    let often = done.len() / 1000;
    let rare: Vec<&str> = names.filter(|name| shown.of(name) < often).collect();
    assert!(rare.is_empty(), "hardly any program calls {rare:?}");
}

/// The sample as Rust.
#[cfg(debug_assertions)]
fn sample_text() -> String {
    let mut text = String::from(
        "use crate::check::{Args, Case};\nuse crate::kept::{Native, native};\nuse crate::library::*;\n\
         use mooncake::differentiable;\nuse std::cell::RefCell;\nuse std::rc::Rc;\n\n",
    );
    for seed in 0..SAMPLES {
        let (program, case) = draw(seed, |_| SAMPLE_SIZE);
        text += &format!(
            "mod p{seed} {{\nuse super::*;\n{}}}\n\n",
            module(&program, &case)
        );
    }
    text += "pub const ALL: &[Native] = &[\n";
    for seed in 0..SAMPLES {
        text += &format!("    native!(p{seed}),\n");
    }
    text + "];\n"
}

/// Compiles these tests again, with the sample, and runs the one of the sample.
#[cfg(all(debug_assertions, not(sample)))]
#[test]
fn native_walked_and_compiled_are_one() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("sample.rs");
    std::fs::write(&path, sample_text()).expect("the file can be written");
    let compiled = rustc::rustc()
        .args(["--test", "--crate-name", "sampled"])
        .args(["--cfg", "sample"])
        .env("MOONCAKE_SAMPLE", &path)
        .env("CARGO_TARGET_TMPDIR", folder)
        .arg("tests/random_source/main.rs")
        .output()
        .expect("rustc runs");
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{}: {said}", path.display());
    let ran = std::process::Command::new(folder.join("sampled"))
        .args(["--exact", "native_walked_and_compiled_are_one"])
        .output()
        .expect("the sample runs");
    let said = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
    assert!(
        ran.status.success() && said.contains("1 passed"),
        "{}: {said}",
        path.display()
    );
}

#[cfg(sample)]
#[test]
fn native_walked_and_compiled_are_one() {
    let contexts = contexts();
    assert_eq!(sample::ALL.len() as u64, SAMPLES);
    for native in sample::ALL {
        let (program, case) = draw(native.case.seed, |_| SAMPLE_SIZE);
        let (mut args, mut walked) = (case.args, case.args);
        let found = (native.run)(&mut args).value;
        let expected = eval::run(&program, &mut walked).value;
        let what = format!("{} natively", native.name);
        assert_eq!(found.is_some(), expected.is_some(), "{what}");
        if let (Some(found), Some(expected)) = (found, expected) {
            check::same(&what, &[found], &[expected]).unwrap();
            check::same(&what, &args.u, &walked.u).unwrap();
        }
        let tested = (native.test)(context(&contexts, &case), &native.case);
        tested.unwrap_or_else(|error| panic!("{}: {error}", native.name));
    }
}
