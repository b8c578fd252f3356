//! `mooncake pack check`: every rule of a pack in a process of its own.
//!
//! A pack is native code: a rule that is wrong may crash, hang, use all memory, or end the process and call that success.
//! So this process loads nothing. It starts a child that lists the rules, and a child for each rule, limits their time
//! and memory, and believes only a report that ends with its end marker. The tests themselves are the library's
//! (`mooncake::testing::check`).

mod child;
mod report;

pub use child::{ChildOptions, child};

use super::{file, print};
use child::{Limits, Outcome, Work, start};
use indicatif::{ProgressBar, ProgressStyle};
use mooncake::{Pack, hex};
use report::{Failure, Report, RuleReport};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What to check, and how far it may go.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Options {
    /// The library, for example target/release/libgelu_pack.so
    path: PathBuf,
    /// Prints the report as JSON
    #[arg(long)]
    json: bool,
    /// Checks only the rules of these names
    #[arg(long = "rule", value_name = "NAME")]
    rules: Vec<String>,
    /// Packs whose functions the pack uses, loaded before it
    #[arg(long = "with", value_name = "PATH")]
    others: Vec<PathBuf>,
    /// Seconds that the check of one rule may take
    #[arg(long, default_value_t = 120)]
    timeout: u64,
    /// Memory that the check of one rule may reserve, in MiB (on Linux). Libraries of linear algebra reserve twice the size of the processor's cache for each thread
    #[arg(long, default_value_t = 16384, value_name = "MIB")]
    memory: u64,
    /// Rules that are checked at the same time [default: one for each core]
    #[arg(long)]
    jobs: Option<usize>,
    /// Where array code runs besides the CPU: `gpu` (if there is one) or `cpu` (nowhere)
    #[arg(long, default_value = "gpu", value_parser = ["gpu", "cpu"])]
    device: String,
}

const HELP: &str = "\
Examples:
  mooncake pack check target/release/libgelu_pack.so
  mooncake pack check --json --timeout 20 ./libgelu_pack.so
  mooncake pack check --rule gelu --rule mish ./libgelu_pack.so
  mooncake pack check --with ./libspecial_pack.so ./libmodels_pack.so

Each rule is tested in a process of its own: native code against body, WGSL on the adapter, partials and differences;
derivatives of partials against differences of partials; pullbacks against tangents and differences; cotangents that are
asked for alone and together; repeated and from four threads; with guarded memory; with the rounding mode looked after.
A crash, a hang, an exit or too much memory is a fault of the rule, and the other rules are tested all the
same. Exit code 0: every rule passed. The check contains accidents; it is no sandbox: the pack's code runs with your
rights. With MOONCAKE_REQUIRE_GPU=1 a missing adapter is a failure.";

/// Checks a pack; an error if anything is wrong with it.
pub fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let report = check(options)?;
    print(&match options.json {
        true => format!("{:#}\n", report.json()),
        false => report.text(),
    })?;
    match report.wrong() {
        None => Ok(()),
        Some(message) => Err(message.into()),
    }
}

fn check(options: &Options) -> Result<Report, Box<dyn std::error::Error>> {
    let path = file(&options.path);
    let mut report = Report::new(&path);
    let examined = match Pack::examine(&path) {
        Ok(examined) => examined,
        Err(error) => return Ok(report.refused("file", error.to_string())),
    };
    (report.name, report.version) = (examined.note.name, examined.note.version);
    report.sha256 = hex(&examined.sha256);
    if let Err(message) = examined.fits {
        return Ok(report.refused("file", message));
    }
    let limits = Limits {
        seconds: options.timeout,
        megabytes: options.memory,
    };
    let work = Work {
        path,
        sha256: report.sha256.clone(),
        others: options.others.iter().map(|path| file(path)).collect(),
        device: options.device.clone(),
        rule: None,
    };
    let Outcome { events, fault } = start(&work, limits)?;
    let rows = report::rows(&events);
    if let Some(fault) = fault {
        report.failures.push(fault);
    }
    report.failures.extend(report::failures(&events));
    if !report.failures.is_empty() {
        return Ok(report);
    }
    let unknown = |name: &&String| rows.iter().all(|row| row.name != **name);
    if let Some(name) = options.rules.iter().find(unknown) {
        let message = format!("the pack has no rule `{name}`");
        return Ok(report.refused("rules", message));
    }
    let asked = |name: &String| options.rules.is_empty() || options.rules.contains(name);
    let mut rules: Vec<RuleReport> = rows.into_iter().filter(|row| asked(&row.name)).collect();
    check_rules(&mut rules, &work, limits, options)?;
    report.rules = rules;
    Ok(report)
}

/// Checks the rules that can be checked, several at a time.
fn check_rules(
    rules: &mut [RuleReport],
    work: &Work,
    limits: Limits,
    options: &Options,
) -> Result<(), Box<dyn std::error::Error>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = options.jobs.unwrap_or(cores).clamp(1, rules.len().max(1));
    let progress = progress(rules.len());
    let next = AtomicUsize::new(0);
    let cells: Vec<Mutex<&mut RuleReport>> = rules.iter_mut().map(Mutex::new).collect();
    let trouble: Mutex<Option<std::io::Error>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut rule = cell.lock().unwrap_or_else(|e| e.into_inner());
                    progress.set_message(rule.signature.clone());
                    if let Err(error) = check_rule(&mut rule, work, limits) {
                        *trouble.lock().unwrap_or_else(|e| e.into_inner()) = Some(error);
                    }
                    progress.inc(1);
                }
            });
        }
    });
    progress.finish_and_clear();
    match trouble.into_inner().unwrap_or_else(|e| e.into_inner()) {
        None => Ok(()),
        Some(error) => Err(format!("cannot run the checks: {error}").into()),
    }
}

fn check_rule(rule: &mut RuleReport, work: &Work, limits: Limits) -> std::io::Result<()> {
    // A row that is bad has been reported by the child that lists them.
    if !rule.failures.is_empty() {
        return Ok(());
    }
    let work = Work {
        rule: Some(rule.name.clone()),
        ..work.clone()
    };
    let Outcome { events, fault } = start(&work, limits)?;
    rule.failures.extend(report::failures(&events));
    rule.failures.extend(fault);
    rule.notes = report::notes(&events);
    Ok(())
}

/// On a terminal a bar; elsewhere nothing.
fn progress(rules: usize) -> ProgressBar {
    use std::io::IsTerminal;
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(rules as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} rules  {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

/// A fault of a rule or of the whole pack.
fn failure(property: &str, message: impl Into<String>) -> Failure {
    Failure {
        property: property.to_owned(),
        message: message.into(),
    }
}
