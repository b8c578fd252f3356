//! `mooncake bench --packs`: what calls of packs' functions cost, and loading a pack.
//!
//! The direct call computes `1 / x` as the pack `std` does, behind an `extern "C"` function that is not inlined: what is more is the way to it.
//! A native rule is called on slices of one element, so that its work is nothing beside the call.

use super::Filter;
use super::measure::{Contestant, SAMPLE, context, in_turns, median, milliseconds};
use mooncake::prelude::*;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

#[differentiable]
#[pack = "std"]
extern "pack" {
    fn recip(x: f64) -> f64;
}

#[differentiable]
#[pack = "linalg"]
extern "pack" {
    fn dot(n: usize, x: &[f64], incx: usize, y: &[f64], incy: usize) -> f64;
}

#[inline(never)]
extern "C" fn reciprocal(x: f64) -> f64 {
    1.0 / x
}

#[inline(always)]
fn direct(x: f64) -> f64 {
    reciprocal(x)
}

/// As many calls as the slice has elements.
#[differentiable]
fn recips(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for n in 0..x.len() {
        s += recip(x[n]);
    }
    s
}

#[differentiable]
fn dots(x: &[f64], w: &[f64]) -> f64 {
    let mut s = 0.0;
    for n in 0..x.len() {
        s += dot(1, &x[n..n + 1], 1, &w[n..n + 1], 1);
    }
    s
}

#[differentiable]
fn norms(x: &Array<f64>, count: usize) -> Array<f64> {
    let mut s = x.norm();
    for _ in 1..count {
        s = &s + &x.norm();
    }
    s
}

/// The calls in one run of a compiled function.
const CALLS: usize = 1000;
const THREADS: usize = 4;
/// One sample with threads: long against starting them.
const LONG: Duration = Duration::from_millis(20);
/// How often a pack is loaded.
const LOADS: usize = 15;

/// One line: what is measured, in nanoseconds per call or in milliseconds.
struct Row {
    name: &'static str,
    value: f64,
    unit: &'static str,
}

/// Measures all, and shows what has a name that matches.
pub fn run(json: bool, filter: Filter<'_>) -> Result<String, Box<dyn std::error::Error>> {
    let mut rows = calls()?;
    rows.extend(loads()?);
    let rows = filter.choose(rows, |row| row.name)?;
    if json {
        let rows = rows.iter().map(
            |row| serde_json::json!({ "name": row.name, "value": row.value, "unit": row.unit }),
        );
        let rows: Vec<serde_json::Value> = rows.collect();
        return Ok(format!("{}\n", serde_json::to_string_pretty(&rows)?));
    }
    let lines = rows.iter();
    let lines = lines.map(|row| format!("{:<34} {:>9.2} {}\n", row.name, row.value, row.unit));
    Ok(lines.collect())
}

fn calls() -> mooncake::Result<Vec<Row>> {
    // The first context makes the linked packs known to native calls.
    let ctx = context()?;
    let x: Vec<f64> = (0..CALLS).map(|n| 1.0 + n as f64).collect();
    let array = Array::from_vec(x[..16].to_vec(), [16]);
    let primal = ctx.build_primal::<recips>()?;
    let gradient = ctx.build_rrule::<recips>()?;
    let slices = ctx.build_primal::<dots>()?;
    let of_slices = ctx.build_rrule::<dots>()?;
    let arrays = ctx.build_primal::<norms>()?;
    let of_arrays = ctx.build_rrule::<norms>()?;
    let w = x.clone();
    let [mut dx, mut ddots, mut dw] = [(); 3].map(|()| vec![0.0; CALLS]);
    let mut alone: [Contestant<'_>; 9] = [
        ("direct call", Box::new(|count| repeat(count, direct))),
        ("native call", Box::new(|count| repeat(count, recip))),
        (
            "compiled call",
            whole(|| Ok(black_box(primal.call((&x[..],))?))),
        ),
        (
            "compiled call and its derivative",
            whole(|| gradient.value_and_gradient_into((&x[..],), (&mut dx[..],))),
        ),
        (
            "native rule on slices: primal",
            whole(|| slices.call((&x[..], &w[..]))),
        ),
        (
            "native rule on slices: both halves",
            whole(|| {
                of_slices.value_and_gradient_into((&x[..], &w[..]), (&mut ddots[..], &mut dw[..]))
            }),
        ),
        (
            "native call of a method of arrays",
            Box::new(|count| {
                (0..count).for_each(|_| drop(black_box(black_box(&array).norm())));
                Ok(())
            }),
        ),
        (
            "native rule on arrays: primal",
            whole(|| arrays.call((&array, CALLS))),
        ),
        (
            "native rule on arrays: gradient",
            whole(|| of_arrays.value_and_gradient((&array, CALLS))),
        ),
    ];
    let times = in_turns(&mut alone, SAMPLE)?;
    let times = alone.iter().zip(times).enumerate();
    // Of the compiled functions one run is many calls.
    let mut rows: Vec<Row> = times
        .map(|(i, ((name, _), time))| Row {
            name,
            value: match i {
                0 | 1 | 6 => time,
                _ => time / CALLS as f64,
            },
            unit: "ns",
        })
        .collect();
    let mut together: [Contestant<'_>; 2] = [
        (
            "direct call, 4 threads",
            Box::new(|count| on_threads(count, direct)),
        ),
        (
            "native call, 4 threads",
            Box::new(|count| on_threads(count, recip)),
        ),
    ];
    let times = in_turns(&mut together, LONG)?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let share = THREADS.min(processors) as f64 / THREADS as f64;
    let times = together.iter().zip(times);
    rows.extend(times.map(|((name, _), time)| Row {
        name,
        value: time * share,
        unit: "ns",
    }));
    Ok(rows)
}

/// So many calls, each with an argument that is not known.
#[inline(always)]
fn repeat(count: u32, f: impl Fn(f64) -> f64) -> mooncake::Result<()> {
    for _ in 0..count {
        black_box(f(black_box(3.0)));
    }
    Ok(())
}

/// So many calls on each of the threads.
fn on_threads(count: u32, f: impl Fn(f64) -> f64 + Copy + Send + Sync) -> mooncake::Result<()> {
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(move || repeat(count, f));
        }
    });
    Ok(())
}

/// So many runs of a compiled function.
fn whole<'a, T>(
    mut run: impl FnMut() -> mooncake::Result<T> + 'a,
) -> Box<dyn FnMut(u32) -> mooncake::Result<()> + 'a> {
    Box::new(move |count| {
        for _ in 0..count {
            black_box(run()?);
        }
        Ok(())
    })
}

/// The time to load each of the sample packs that cargo has built beside the tool: the first time, and once it is in the process.
fn loads() -> mooncake::Result<Vec<Row>> {
    let packs = [
        ("load of gelu", "load of gelu, again", "gelu-pack"),
        ("load of special", "load of special, again", "special-pack"),
        ("load of fft", "load of fft, again", "fft-pack"),
    ];
    let mut rows = Vec::new();
    for (first, again, package) in packs {
        let Some(path) = beside(package) else {
            eprintln!("mooncake: {package} is not built: `cargo build --release -p {package}`");
            continue;
        };
        let load = || {
            let mut ctx = context()?;
            milliseconds(|| ctx.load_pack(&path))
        };
        let value = load()?;
        let unit = "ms";
        rows.push(Row {
            name: first,
            value,
            unit,
        });
        let others: mooncake::Result<Vec<f64>> = (0..LOADS).map(|_| load()).collect();
        let value = median(others?);
        rows.push(Row {
            name: again,
            value,
            unit,
        });
    }
    Ok(rows)
}

/// The library of a package, where cargo puts it: beside the tool.
fn beside(package: &str) -> Option<PathBuf> {
    let tool = std::env::current_exe().ok()?;
    let name = format!(
        "{}{}{}",
        std::env::consts::DLL_PREFIX,
        package.replace('-', "_"),
        std::env::consts::DLL_SUFFIX
    );
    Some(tool.parent()?.join(name)).filter(|path| path.is_file())
}
