//! Starts this test again as the ranks of a job.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Whether this process is a rank that a test has started.
pub fn is_rank() -> bool {
    std::env::var_os("MOONCAKE_MPI_TEST").is_some()
}

/// What a rank was started for.
#[allow(dead_code, reason = "one of the tests has one purpose only")]
pub fn purpose() -> String {
    std::env::var("MOONCAKE_MPI_TEST").unwrap_or_default()
}

/// A job of several ranks.
pub struct Job {
    command: Command,
    limit: Duration,
}

/// What became of a job.
pub struct Ended {
    /// Its exit code; `None` if it had to be killed.
    pub code: Option<i32>,
    /// What it wrote, to both of its outputs.
    pub text: String,
    /// How long it took.
    #[allow(dead_code, reason = "one of the tests does not look at it")]
    pub took: Duration,
}

impl Job {
    /// This program with so many ranks, for a purpose.
    pub fn new(ranks: usize, purpose: &str) -> Job {
        let launcher = std::env::var("MPIRUN").unwrap_or_else(|_| {
            "mpirun --allow-run-as-root --oversubscribe --mca btl_vader_single_copy_mechanism none".into()
        });
        let mut words = launcher.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or("mpirun"));
        command.args(words).args(["-n", &ranks.to_string()]);
        command.arg(std::env::current_exe().expect("a program has a path"));
        command.env("MOONCAKE_MPI_TEST", purpose);
        command.env("MOONCAKE_MPI_TIMEOUT", "20");
        command.env("MOONCAKE_DEVICE", "cpu");
        Job {
            command,
            limit: Duration::from_secs(60),
        }
    }
    /// Ends it after this time.
    pub fn limit(mut self, limit: Duration) -> Job {
        self.limit = limit;
        self
    }
    /// Sets a variable of the environment.
    #[allow(dead_code, reason = "one of the tests sets none")]
    pub fn env(mut self, name: &str, value: &str) -> Job {
        self.command.env(name, value);
        self
    }
    /// Runs it to its end.
    pub fn run(mut self) -> Ended {
        let began = Instant::now();
        let (reader, writer) = std::io::pipe().expect("a pipe");
        self.command.stdin(Stdio::null());
        self.command.stdout(writer.try_clone().expect("a pipe"));
        self.command.stderr(writer);
        let mut child = self.command.spawn().expect("mpirun starts");
        // The command keeps the pipe's other end open.
        drop(self.command);
        let reading = std::thread::spawn(move || {
            let (mut text, mut reader) = (Vec::new(), reader);
            let _ = reader.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        let code = loop {
            match child.try_wait().expect("a child") {
                Some(status) => break status.code(),
                None if began.elapsed() > self.limit => {
                    let _ = child.kill();
                    let _ = child.wait();
                    break None;
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        let took = began.elapsed();
        let text = reading.join().expect("reading does not panic");
        Ended { code, text, took }
    }
}
