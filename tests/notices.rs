//! What the library tells its user without failing: on stderr, unless the program has a logger.

#[path = "support/devices.rs"]
#[allow(dead_code, reason = "of what several tests share, one needs a part")]
mod devices;

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
    if logger == "pullback" {
        let rule = Context::default().build_rrule::<doubled>().unwrap();
        let (y, pullback) = rule.value_and_pullback((&[1.0, 2.0],)).unwrap();
        assert_eq!(y, [2.0, 4.0]);
        let (gradient,) = pullback(vec![1.0]);
        assert!(gradient.iter().all(|x| x.is_nan()));
        return;
    }
    let x = Array::from_vec(vec![1.0f32, 2.0], [2]);
    assert_eq!(x.sum().item().unwrap(), 3.0);
    for _ in 0..2 {
        assert_eq!(x.map(|a| a + 1.0).to_vec().unwrap(), [2.0, 3.0]);
        assert_eq!(x.map2(&x, |a, b| a * b).to_vec().unwrap(), [1.0, 4.0]);
        let all = x.map3(&x, &x, |a, b, c| a * b + c);
        assert_eq!(all.to_vec().unwrap(), [2.0, 6.0]);
    }
    println!("is_gpu: {}", Device::default_device().is_gpu());
}

#[differentiable]
fn doubled(x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| 2.0 * x).collect()
}

/// What the child says with or without a logger.
fn child_with(logger: &str) -> Output {
    child_on("cpu", logger)
}

/// What it says on a device.
fn child_on(device: &str, logger: &str) -> Output {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, logger)
        .env("MOONCAKE_DEVICE", device)
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

/// A cotangent of another length than the value has no gradient, and a closure that returns one has no `Result`.
#[test]
fn a_pullback_that_fails_says_why() {
    let output = child_with("pullback");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said.trim_end(),
        "mooncake: a pullback failed, so the gradient is NaN: a cotangent has 1 elements, the value has 2"
    );
}

/// `auto` takes hardware alone, and says why it takes no GPU; `gpu` takes what there is, and says so if that is software.
#[test]
fn a_software_adapter_is_taken_only_when_asked_for() {
    let gpu = devices::gpu();
    let is_software = gpu
        .as_ref()
        .is_some_and(|gpu| gpu.name().ends_with(", software)"));
    let has_hardware = gpu.is_some() && !is_software;
    let auto = child_on("auto", "none");
    assert_eq!(
        lines(&auto.stdout, &format!("is_gpu: {has_hardware}")).len(),
        1
    );
    let said = String::from_utf8(auto.stderr).unwrap();
    let said: Vec<&str> = { said.lines() }
        .filter(|line| line.starts_with("mooncake: "))
        .collect();
    let Some(gpu) = gpu else {
        assert!(
            said[0].starts_with("mooncake: running on the CPU: "),
            "{said:?}"
        );
        return;
    };
    let name = gpu.name();
    let reason = format!(
        "mooncake: running on the CPU: device gpu: the only adapter is {name}, which is slower than the CPU (MOONCAKE_DEVICE=gpu takes it all the same)"
    );
    let expected: &[&str] = if is_software { &[&reason] } else { &[] };
    assert_eq!(said, expected);
    let asked = child_on("gpu", "none");
    assert_eq!(lines(&asked.stdout, "is_gpu: true").len(), 1);
    let notice =
        format!("mooncake: the GPU is a software adapter: {name} (the CPU itself is faster)");
    let expected: &[&str] = if is_software { &[&notice] } else { &[] };
    assert_eq!(lines(&asked.stderr, "(the CPU itself is faster)"), expected);
}

/// Native closures run on the host. For arrays on a GPU that is said once for each method.
#[test]
fn a_native_closure_leaves_the_gpu_with_a_notice() {
    const END: &str = "use it inside a differentiable function to run it on ";
    let said_on = |device: &str| -> Vec<String> {
        let output = child_on(device, "none");
        let said = String::from_utf8(output.stderr).unwrap();
        let lines = said.lines().filter_map(|line| line.split_once(END));
        lines.map(|(start, _)| start.to_owned()).collect()
    };
    assert!(said_on("cpu").is_empty());
    if devices::gpu().is_none() {
        return;
    }
    let expected = ["map", "map2", "map3"]
        .map(|method| format!("mooncake: `{method}` with a native closure runs on the host: "));
    assert_eq!(said_on("gpu"), expected);
}
