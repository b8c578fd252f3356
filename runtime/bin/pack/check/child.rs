//! The child processes of `mooncake pack check`, from both sides.

use super::failure;
use super::report::{Failure, Line};
use mooncake::testing::check::{Event, PackCheck};
use mooncake::{Device, Error, hex};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What a child is asked for. Not for use by hand.
#[derive(clap::Args)]
pub struct ChildOptions {
    /// The pack
    path: PathBuf,
    /// What its bytes have to be
    #[arg(long)]
    sha256: String,
    /// The rule to check; without one the rules are listed
    #[arg(long)]
    rule: Option<String>,
    /// Packs to load before
    #[arg(long = "with")]
    others: Vec<PathBuf>,
    /// MiB
    #[arg(long)]
    memory: u64,
    /// gpu or cpu
    #[arg(long)]
    device: String,
    /// Where the report goes: what the pack prints must not get in between
    #[arg(long)]
    report: PathBuf,
}

/// What a child may use.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Of time.
    pub seconds: u64,
    /// MiB of memory.
    pub megabytes: u64,
}

/// What a child is to do.
#[derive(Clone)]
pub struct Work {
    /// The pack.
    pub path: PathBuf,
    /// Of its bytes, as they were examined.
    pub sha256: String,
    /// The packs to load before.
    pub others: Vec<PathBuf>,
    /// gpu or cpu
    pub device: String,
    /// The rule to check; `None`: to list them.
    pub rule: Option<String>,
}

/// What became of a child.
pub struct Outcome {
    /// Its report, without the end marker.
    pub events: Vec<Line>,
    /// What is wrong with how it ended.
    pub fault: Option<Failure>,
}

/// A folder that goes when this goes.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Folder> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("mooncake-check-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // A folder of that name would be somebody else's.
        std::fs::create_dir(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind is a few lines of text in a folder for such things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a child to its end, which may be a violent one.
pub fn start(work: &Work, limits: Limits) -> std::io::Result<Outcome> {
    let folder = Folder::new()?;
    let (report, log) = (folder.0.join("report"), folder.0.join("log"));
    let output = File::create(&log)?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["pack", "check-child"]).arg(&work.path);
    command.args(["--sha256", &work.sha256, "--device", &work.device]);
    command.args(["--memory", &limits.megabytes.to_string()]);
    command.arg("--report").arg(&report);
    for other in &work.others {
        command.arg("--with").arg(other);
    }
    if let Some(rule) = &work.rule {
        command.args(["--rule", rule]);
    }
    command.stdin(Stdio::null());
    command.stdout(output.try_clone()?).stderr(output);
    let status = wait(command.spawn()?, Duration::from_secs(limits.seconds))?;
    let mut events = Line::read(&std::fs::read_to_string(&report).unwrap_or_default());
    let finished = events.last() == Some(&Line::End);
    events.retain(|line| *line != Line::End);
    let step = events.iter().rev().find_map(|line| match line {
        Line::Step(step) => Some(step.as_str()),
        _ => None,
    });
    let log = std::fs::read(&log).unwrap_or_default();
    let log = String::from_utf8_lossy(&log);
    let step = match finished {
        true => "ending, after its tests",
        false => step.unwrap_or("starting"),
    };
    Ok(Outcome {
        fault: fault(status, finished, step, &log, limits),
        events,
    })
}

/// Waits for a child; one that takes too long is killed, and has no status.
fn wait(mut child: Child, time: Duration) -> std::io::Result<Option<ExitStatus>> {
    let begin = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begin.elapsed() >= time {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (2 * pause).min(Duration::from_millis(20));
    }
}

/// What is wrong with how a child ended; `step` is what it was doing.
fn fault(
    status: Option<ExitStatus>,
    finished: bool,
    step: &str,
    log: &str,
    limits: Limits,
) -> Option<Failure> {
    let Some(status) = status else {
        let seconds = limits.seconds;
        let message = format!("it did not end within {seconds} s, while: {step}");
        return Some(failure("time limit", message));
    };
    if finished && status.success() {
        return None;
    }
    let signal = signal(status);
    // What Rust's runtime says before it aborts.
    if signal.is_some() && log.contains("memory allocation of ") {
        let megabytes = limits.megabytes;
        let message = format!("it needed more than {megabytes} MiB, while: {step}");
        return Some(failure("memory limit", message));
    }
    if signal.is_some() && log.contains("has overflowed its stack") {
        return Some(failure("stack overflow", format!("while: {step}")));
    }
    Some(match (signal, status.code()) {
        (Some(signal), _) => failure(
            "crash",
            format!(
                "the process died by {signal}, while: {step}{}",
                last_words(log)
            ),
        ),
        (None, code) => failure(
            "exit",
            format!(
                "it ended the process (exit code {}), while: {step}{}",
                code.map_or("unknown".to_owned(), |code| code.to_string()),
                last_words(log)
            ),
        ),
    })
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<String> {
    use std::os::unix::process::ExitStatusExt;
    let number = status.signal()?;
    let name = match number {
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        31 => "SIGSYS",
        _ => return Some(format!("signal {number}")),
    };
    Some(format!("signal {number} ({name})"))
}
#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<String> {
    None
}

/// The last line of what a child printed.
fn last_words(log: &str) -> String {
    let line = log.lines().rev().find(|line| !line.trim().is_empty());
    let line = line.map(|line| line.trim().chars().take(200).collect::<String>());
    line.map_or(String::new(), |line| format!("; it printed: {line}"))
}

/// In the child: does what it is asked for, and writes the report as it goes.
pub fn child(options: &ChildOptions) -> Result<(), Box<dyn std::error::Error>> {
    let mut report = File::create(&options.report)?;
    let mut say = |line: Line| {
        // Without a report the parent knows that something is wrong.
        let _ = writeln!(report, "{}", line.json());
    };
    PackCheck::limit_memory(options.memory << 20);
    say(Line::Step("loading the pack".into()));
    match load(options) {
        Err(error) => say(Line::failed("refused", error.to_string())),
        Ok(check) => match &options.rule {
            None => check
                .rows()
                .into_iter()
                .for_each(|row| say(Line::Row(row.into()))),
            Some(rule) => {
                let asked = options.device == "gpu";
                let adapter = || match asked {
                    true => Device::gpu(),
                    false => Err(Error::Device {
                        device: "gpu".into(),
                        message: "not asked for".into(),
                    }),
                };
                check.check(rule, &adapter, &mut |event: Event| {
                    say(Line::of(event, asked))
                });
            }
        },
    }
    say(Line::End);
    Ok(())
}

/// Loads the pack, if it is still the one that was examined.
fn load(options: &ChildOptions) -> mooncake::Result<PackCheck> {
    let check = PackCheck::load(Path::new(&options.path), &options.others)?;
    let found = check.pack().sha256.map(|sha256| hex(&sha256));
    match found.as_deref() == Some(options.sha256.as_str()) {
        true => Ok(check),
        false => Err(Error::Pack {
            pack: check.pack().name.clone(),
            message: "the file changed while it was checked".into(),
        }),
    }
}
