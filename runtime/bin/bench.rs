//! `mooncake bench`: how much a gradient costs, as a multiple of the native function.
//!
//! Native function, compiled primal and gradient run in one process, in turns, because machines are noisy: a neighbour
//! that comes or goes then slows all three. Times are medians. The native functions are what rustc makes of the same
//! source, so measure a release build.

mod arrays;
mod calls;
mod cases;
mod long;
mod loops;
mod matrices;
mod measure;
mod packs;
mod programs;
mod small;
mod stages;
mod threads;

use super::pack::print;
use cases::CASES;
use indicatif::{ProgressBar, ProgressStyle};
use measure::{Row, median};
use mooncake::Device;
use programs::PROGRAMS;
use regex_lite::Regex;
use std::time::Duration;

/// What to measure and how to show it.
#[derive(clap::Args)]
pub struct Options {
    /// Print a JSON array instead of a table
    #[arg(long)]
    json: bool,
    /// Only benchmarks whose name matches this regular expression
    #[arg(long, value_name = "RE")]
    filter: Option<Regex>,
    /// Measure packs instead: what calls of their functions cost, and loading them
    #[arg(long)]
    packs: bool,
    /// Measure array programs instead: times of value and gradient, kernels, bytes
    #[arg(long, conflicts_with = "packs")]
    arrays: bool,
    /// Measure matrices of derivatives instead: Hessians and Jacobians
    #[arg(long, conflicts_with_all = ["packs", "arrays"])]
    matrices: bool,
    /// Measure threads instead: a log-density over 64 shards, in order and with `par_sum`
    #[arg(long, conflicts_with_all = ["packs", "arrays", "matrices"])]
    threads: bool,
    /// Measure programs as people write them instead: filters, solvers, trees, networks
    #[arg(long, conflicts_with_all = ["packs", "arrays", "matrices", "threads"])]
    programs: bool,
    /// Measure calls instead: what they cost beyond the work, by the form of their arguments
    #[arg(long, conflicts_with_all = ["packs", "arrays", "matrices", "threads", "programs"])]
    calls: bool,
    /// Where array programs run
    #[arg(long, value_name = "DEVICE", requires = "arrays", value_parser = ["cpu", "gpu"], default_value = "cpu")]
    device: String,
}

/// One benchmark.
pub struct Case {
    name: &'static str,
    /// The number of inputs.
    n: usize,
    /// What others reach: ratios of the same kind.
    published: &'static str,
    run: fn(&Case) -> mooncake::Result<Row>,
}

/// The regular expression for names, if there is one.
#[derive(Clone, Copy)]
struct Filter<'a>(Option<&'a Regex>);

impl Filter<'_> {
    /// Those whose name matches; if there are none, an error that lists the names.
    fn choose<T>(self, all: Vec<T>, name: impl Fn(&T) -> &'static str) -> Result<Vec<T>, String> {
        let mut names: Vec<&str> = all.iter().map(&name).collect();
        names.dedup();
        let matches = |one: &T| self.0.is_none_or(|re| re.is_match(name(one)));
        let chosen: Vec<T> = all.into_iter().filter(matches).collect();
        match chosen.is_empty() {
            true => Err(format!(
                "no benchmark matches; there are {}",
                names.join(", ")
            )),
            false => Ok(chosen),
        }
    }
}

/// Runs the subcommand.
pub fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    print(&measured(options)?)
}

/// What the subcommand prints.
fn measured(options: &Options) -> Result<String, Box<dyn std::error::Error>> {
    let filter = Filter(options.filter.as_ref());
    if options.packs {
        return packs::run(options.json, filter);
    }
    if options.arrays {
        let device = match options.device.as_str() {
            "gpu" => Some(Device::gpu()?),
            _ => None,
        };
        return arrays::run(options.json, device, filter);
    }
    if options.calls {
        return calls::run(options.json, filter);
    }
    if options.matrices {
        return matrices::run(options.json, filter);
    }
    if options.threads {
        return threads::run(options.json, filter);
    }
    let cases = if options.programs { PROGRAMS } else { CASES };
    let selected = filter.choose(cases.iter().collect(), |case| case.name)?;
    if cfg!(debug_assertions) {
        eprintln!("mooncake: this is a debug build: native times mean nothing (use --release)");
    }
    let rows = measure_all(&selected)?;
    Ok(match options.json {
        true => format!("{}\n", json(&rows)),
        false => table(&selected, &rows),
    })
}

fn measure_all(selected: &[&Case]) -> mooncake::Result<Vec<Row>> {
    let bar = ProgressBar::new(selected.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut rows = Vec::new();
    for case in selected {
        bar.set_message(case.name);
        rows.push((case.run)(case)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(rows)
}

fn json(rows: &[Row]) -> String {
    let values: Vec<serde_json::Value> = rows
        .iter()
        .map(|row| {
            serde_json::json!({
                "name": row.name,
                "n": row.n,
                "native_ns": row.native_ns,
                "primal_ns": row.primal_ns,
                "gradient_ns": row.gradient_ns,
                "ratio": row.ratio(),
                "tape_bytes": row.tape_bytes,
                "first_gradient_ms": row.first_gradient_ms,
            })
        })
        .collect();
    serde_json::to_string_pretty(&values).unwrap_or_default()
}

fn table(selected: &[&Case], rows: &[Row]) -> String {
    let mut text = format!(
        "{:<17} {:>5} {:>11} {:>11} {:>11} {:>6} {:>7} {:>8}  published ratios\n",
        "", "n", "native", "primal", "gradient", "ratio", "tape", "first"
    );
    for (case, row) in selected.iter().zip(rows) {
        text += &format!(
            "{:<17} {:>5} {:>8.2} µs {:>8.2} µs {:>8.2} µs {:>6.2} {:>7} {:>5.1} ms  {}\n",
            row.name,
            row.n,
            row.native_ns / 1e3,
            row.primal_ns / 1e3,
            row.gradient_ns / 1e3,
            row.ratio(),
            bytes(row.tape_bytes),
            row.first_gradient_ms,
            case.published,
        );
    }
    let ratios = rows.iter().map(Row::ratio).collect();
    text += &format!(
        "\nmedian of the ratios: {:.2}\nratio: value and gradient / native function. first: from build_rrule to the first gradient.\n",
        median(ratios)
    );
    text
}

fn bytes(bytes: usize) -> String {
    match bytes {
        0 => "none".to_owned(),
        1..10_000 => format!("{bytes} B"),
        _ => format!("{} kB", bytes / 1000),
    }
}
