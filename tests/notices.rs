//! What the library tells its user without failing: on stderr, unless the program has a logger.

use mooncake::prelude::*;
use std::process::{Command, Output};

/// What the child process of a test is to do; not set in the test itself.
const CHILD: &str = "MOONCAKE_NOTICES_CHILD";

/// Prints the records that it is given on stdout.
struct Printer;

impl log::Log for Printer {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        println!(
            "record: {} {}: {}",
            record.level(),
            record.target(),
            record.args()
        );
    }
    fn flush(&self) {}
}

/// Runs in a process of its own, because a process has one logger and says once where it runs.
#[test]
fn child() {
    let Ok(logger) = std::env::var(CHILD) else {
        return;
    };
    if logger == "logger" {
        log::set_logger(&Printer).unwrap();
        log::set_max_level(log::LevelFilter::Info);
    }
    let x = Array::from_vec(vec![1.0, 2.0], [2]);
    assert_eq!(x.sum().item().unwrap(), 3.0);
    Device::default_device();
}

/// What the child says with or without a logger.
fn child_with(logger: &str) -> Output {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, logger)
        .env("MOONCAKE_DEVICE", "cpu")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

/// The lines that end with this text.
fn lines<'t>(text: &'t [u8], end: &str) -> Vec<&'t str> {
    let lines = std::str::from_utf8(text).unwrap().lines();
    lines.filter(|line| line.ends_with(end)).collect()
}

const ASKED: &str = "running on the CPU: it was asked for";

#[test]
fn without_a_logger_the_device_is_named_on_stderr() {
    let output = child_with("none");
    assert_eq!(
        lines(&output.stderr, ASKED),
        ["mooncake: running on the CPU: it was asked for"]
    );
    assert!(lines(&output.stdout, ASKED).is_empty());
}

#[test]
fn a_logger_gets_what_would_be_on_stderr() {
    let output = child_with("logger");
    assert_eq!(
        lines(&output.stdout, ASKED),
        ["record: INFO mooncake: running on the CPU: it was asked for"]
    );
    assert!(lines(&output.stderr, ASKED).is_empty());
}
