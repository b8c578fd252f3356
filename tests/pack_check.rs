//! `mooncake pack check` against packs with every fault that a pack can have: each has its own message, the rules that are right pass,
//! and the process that checks lives on.
#![cfg(unix)]

mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};
use support::{built, built_c, gelu_pack};

fn tool(args: &[&str], pack: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mooncake"))
        .args(["pack", "check", "--json"])
        .args(args)
        .arg(pack)
        .output()
        .unwrap()
}

/// The report on a pack, and whether the tool found it right.
fn report(args: &[&str], pack: &Path) -> (Value, bool) {
    let output = tool(args, pack);
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 1)), "{:?}: {said}", output.status);
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {said}"));
    assert_eq!(report["ok"], Value::Bool(code == Some(0)));
    (report, code == Some(0))
}

/// What is wrong, as `property: message`.
fn failures(of: &Value) -> Vec<String> {
    let failures = of["failures"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    failures
        .map(|f| format!("{}: {}", text(&f["property"]), text(&f["message"])))
        .collect()
}

/// What is wrong with each rule.
fn rules(report: &Value) -> BTreeMap<String, Vec<String>> {
    let rules = report["rules"].as_array().unwrap().iter();
    rules
        .map(|rule| (rule["rule"].as_str().unwrap().to_owned(), failures(rule)))
        .collect()
}

/// That each rule has a failure that starts with a text and has another in it, and that no other rule has one.
fn expect_faults(found: &BTreeMap<String, Vec<String>>, expected: &[(&str, &str, &str)]) {
    for (rule, start, part) in expected {
        let failures = found
            .get(*rule)
            .unwrap_or_else(|| panic!("no rule {rule}: {found:#?}"));
        assert!(
            failures
                .iter()
                .any(|f| f.starts_with(start) && f.contains(part)),
            "{rule}: expected `{start}…{part}…`, found {failures:#?}"
        );
    }
    for (rule, failures) in found {
        let known = expected.iter().any(|(name, ..)| name == rule);
        assert_eq!(known, !failures.is_empty(), "{rule}: {failures:#?}");
    }
}

#[test]
fn every_planted_fault_has_its_own_message() {
    let pack = built_c("tests/planted/planted.c", "planted", &[]);
    let mut args = vec![];
    let (all, _) = report(&["--rule", "right"], &pack);
    assert_eq!(rules(&all)["right"], Vec::<String>::new());
    let named = [
        "right",
        "wrong_partial",
        "wrong_curvature",
        "wrong_value",
        "wrong_together",
        "wrong_width",
        "wrong_body",
        "writes_behind",
        "writes_before",
        "writes_nothing",
        "remembers",
        "shares",
        "rounds",
        "crashes",
        "aborts",
        "leaves",
        "wrong_domain",
        "nan_in_domain",
        "wrong_wgsl",
        "wrong_wgsl_of_f64",
        "endless_wgsl",
        "wrong_pullback",
        "wrong_shape",
        "wrong_tangent",
        "without_case",
        "misspelled",
        "native_body",
        "native_forgets",
        "native_shares",
        "native_rounds",
        "native_no_result",
        "native_crashes",
        "native_fails",
        "native_reverse_only",
        "rule_right",
        "rule_in_place",
        "rule_overwrites",
        "rule_strays",
        "rule_wrong_back",
        "rule_writes_input",
        "rule_wrong_forward",
        "rule_wrong_frule",
        "rule_keeps",
        "rule_of_two",
        "rule_asks_both",
        "rule_moves_both",
        "rule_of_equals",
        "rule_of_one",
    ];
    for name in named {
        args.extend(["--rule", name]);
    }
    let (report, ok) = report(&args, &pack);
    assert!(!ok);
    let mut expected = vec![
        ("wrong_partial", "partials: ", "differences say"),
        (
            "wrong_curvature",
            "second derivative: ",
            "differences of the partial say",
        ),
        (
            "wrong_value",
            "with_partials: ",
            "the native function gives",
        ),
        ("wrong_together", "with_partials: ", "as partial 0"),
        ("wrong_width", "value: ", "that for f64"),
        ("wrong_body", "body: ", "the body gives"),
        (
            "writes_behind",
            "stray write: ",
            "outside of the memory for its 1 partials",
        ),
        (
            "writes_before",
            "stray write: ",
            "outside of the memory for its 1 partials",
        ),
        (
            "writes_nothing",
            "missing partial: ",
            "does not write partial 0",
        ),
        (
            "remembers",
            "deterministic: ",
            "a pure function gives equal bits",
        ),
        ("nan_in_domain", "domain: ", "the function is NaN"),
        ("shares", "thread safe: ", "while 4 threads call it"),
        (
            "rounds",
            "rounding mode: ",
            "changes how this thread computes with floats",
        ),
        (
            "crashes",
            "crash: ",
            "signal 11 (SIGSEGV), while: native calls for (f32)",
        ),
        (
            "aborts",
            "crash: ",
            "signal 6 (SIGABRT), while: native calls for (f32)",
        ),
        (
            "leaves",
            "exit: ",
            "it ended the process (exit code 0), while: native calls for (f32)",
        ),
        (
            "wrong_domain",
            "domain: ",
            "choose a domain away from poles",
        ),
        ("wrong_pullback", "pullback: ", "differences say"),
        ("wrong_shape", "shape: ", "the argument [3]"),
        ("wrong_tangent", "tangent: ", "the pullback says"),
        ("without_case", "cases: ", "no case calls it"),
        (
            "misspelled",
            "row: ",
            "a case calls it, but the pack has no row",
        ),
        ("native_body", "body: ", "the native function gives"),
        ("native_forgets", "deterministic: ", "differ at number 1"),
        ("native_shares", "thread safe: ", "while 4 threads call it"),
        (
            "native_rounds",
            "rounding mode: ",
            "changes how this thread computes",
        ),
        (
            "native_no_result",
            "error: ",
            "it gave no array as its result 0",
        ),
        (
            "native_crashes",
            "crash: ",
            "signal 11 (SIGSEGV), while: native calls",
        ),
        ("native_fails", "error: ", "it does not feel like it"),
        ("rule_overwrites", "accumulation: ", "expected it to add"),
        (
            "rule_strays",
            "stray write: ",
            "its pullback writes outside of the memory that it is lent",
        ),
        ("rule_wrong_back", "pullback: ", "differences say"),
        (
            "rule_writes_input",
            "stray write: ",
            "its primal writes to argument 0, which it may only read",
        ),
        ("rule_wrong_forward", "rrule: ", "the primal"),
        ("rule_wrong_frule", "tangent: ", "the pullback says"),
        (
            "rule_keeps",
            "restores: ",
            "after its pullback argument 0 is",
        ),
        (
            "rule_asks_both",
            "active arguments: ",
            "if the gradient is asked for argument 0 alone, its cotangent is Some([0.0, 0.0, 0.0])",
        ),
        (
            "rule_moves_both",
            "absent tangents: ",
            "if those of the arguments 1 are absent; with zeros in their place",
        ),
        (
            "rule_of_one",
            "cases: ",
            "which are not the arguments that it takes",
        ),
    ];
    if has_gpu(&report) {
        expected.push(("wrong_wgsl", "WGSL: ", "on the CPU"));
        expected.push(("wrong_wgsl_of_f64", "WGSL: ", "on the CPU"));
        expected.push(("endless_wgsl", "error: ", "a loop in the WGSL of"));
        expect_faults(&rules(&report), &expected);
    }
    let all = report["rules"].as_array().unwrap().iter();
    let told = all.filter(|rule| {
        rule["notes"]
            .to_string()
            .contains("are equal in every case")
    });
    let told: Vec<&str> = told.map(|rule| rule["rule"].as_str().unwrap()).collect();
    assert_eq!(told, ["rule_of_equals"]);
}

/// Whether there was an adapter to test on; `MOONCAKE_REQUIRE_GPU=1` makes that a failure of the check itself.
fn has_gpu(report: &Value) -> bool {
    let text = report.to_string();
    let missing = text.contains("not run on a GPU");
    if missing {
        assert!(std::env::var_os("MOONCAKE_REQUIRE_GPU").is_none(), "{text}");
        eprintln!("not tested on a GPU");
    }
    !missing
}

#[test]
fn a_rule_that_hangs_is_ended() {
    let pack = built_c("tests/planted/planted.c", "hangs", &[]);
    let (report, _) = report(&["--timeout", "6", "--rule", "hangs"], &pack);
    let start = "time limit: it did not end within 6 s, while: native calls for (f32)";
    assert_eq!(rules(&report)["hangs"], [start]);
}

#[test]
fn the_longest_time_limit_is_one() {
    let pack = built_c("plugins/c-sample/c_sample.c", "long_time", &[]);
    let longest = u64::MAX.to_string();
    let (report, _) = report(&["--timeout", &longest, "--rule", "cube"], &pack);
    assert!(rules(&report)["cube"].is_empty());
}

#[test]
fn panics_memory_and_stack_are_told_apart() {
    let pack = built("faulty-pack");
    let args = [
        "--rule", "explodes", "--rule", "hungry", "--rule", "deep", "--memory", "1024",
    ];
    let (report, _) = report(&args, &pack);
    let expected = [
        ("explodes", "panics: ", "`explodes` panicked: "),
        ("deep", "stack overflow: ", "while: native calls for (f32)"),
        #[cfg(target_os = "linux")]
        (
            "hungry",
            "memory limit: ",
            "it needed more than 1024 MiB, while: native calls for (f32)",
        ),
    ];
    expect_faults(&rules(&report), &expected);
}

#[test]
fn bad_rows_are_told_by_name_and_the_others_are_checked() {
    let pack = built_c("tests/planted/rows.c", "rows", &[]);
    let (report, _) = report(&[], &pack);
    let found = rules(&report);
    assert_eq!(found["right"], Vec::<String>::new());
    let all: Vec<&String> = found.values().flatten().collect();
    let rows = report["rules"].as_array().unwrap();
    let unread: Vec<String> = (rows.iter().filter(|row| row["rule"] == ""))
        .flat_map(failures)
        .collect();
    for part in [
        "`no_primal(x: T) -> T`: no primal for f32",
        "`bad_body(x: T) -> T`: body: 1:7: expected",
        "`bad_name(x: T) -> T`: partials: 1:5: unknown name `z`",
        "`bad_wgsl(x: T) -> T`: WGSL 1:40: no definition in scope",
        "`entry_point(x: T) -> T`: WGSL: an entry point",
    ] {
        assert!(all.iter().any(|f| f.contains(part)), "{part}: {all:#?}");
    }
    for part in [
        "unknown type `real`",
        "`bad_count`: 1 sampling ranges for 2 arguments",
        "`bad_flags`: context 7",
        "`no_domain`: no sampling ranges at their address 0x0",
        "`too_small`: an entry of 8 bytes",
        "a text is not UTF-8",
        "a text of 5 bytes at no address",
    ] {
        assert!(
            unread.iter().any(|f| f.contains(part)),
            "{part}: {unread:#?}"
        );
    }
    let output = Command::new(env!("CARGO_BIN_EXE_mooncake"))
        .args(["pack", "list"])
        .arg(&pack)
        .output()
        .unwrap();
    let listed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(listed.matches("    BAD: ").count(), 12, "{listed}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("12 of 14 entries are bad"));
}

#[test]
fn packs_that_die_while_they_are_loaded_are_told_apart() {
    let what = |name: &str, flag: &str, args: &[&str]| {
        let pack = built_c("tests/planted/start.c", name, &[flag]);
        let (report, _) = report(args, &pack);
        failures(&report).join("\n")
    };
    let loading = "while: loading the pack";
    let check = |found: String, start: &str| {
        assert!(found.starts_with(start) && !found.contains('\n'), "{found}")
    };
    check(
        what("dies", "-DIN_CONSTRUCTOR=(void)*nowhere", &[]),
        &format!("crash: the process died by signal 11 (SIGSEGV), {loading}"),
    );
    check(
        what("ends", "-DIN_CONSTRUCTOR=exit(0)", &[]),
        &format!("exit: it ended the process (exit code 0), {loading}"),
    );
    check(
        what(
            "waits",
            "-DIN_CONSTRUCTOR=while(always){}",
            &["--timeout", "2"],
        ),
        &format!("time limit: it did not end within 2 s, {loading}"),
    );
    check(
        what("start_dies", "-DIN_START=(void)*nowhere", &[]),
        &format!("crash: the process died by signal 11 (SIGSEGV), {loading}"),
    );
    check(
        what("refuses", "-DIN_START=return 7", &[]),
        "refused: pack starts-badly: it refused to start (status 7)",
    );
    check(
        what("twice", "-DTWICE", &[]),
        "refused: pack starts-badly: `square(x: T) -> T` is declared twice",
    );
    check(
        what("late", "-DIN_START=atexit(abort)", &["--rule", "square"]),
        "crash: the process died by signal 6 (SIGABRT), while: ending, after its tests",
    );
}

#[test]
fn the_sample_in_c_passes() {
    let pack = built_c("plugins/c-sample/c_sample.c", "c_sample", &[]);
    let (report, ok) = report(&[], &pack);
    assert!(ok, "{report:#}");
    assert_eq!(rules(&report).len(), 5);
}

#[test]
fn a_pack_in_rust_passes() {
    let (report, ok) = report(&[], gelu_pack());
    assert!(ok, "{report:#}");
    let names: Vec<String> = rules(&report).into_keys().collect();
    assert_eq!(names, ["gelu", "mish", "normal_cdf"]);
    assert_eq!(report["sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn the_report_for_people_says_the_same() {
    let output = Command::new(env!("CARGO_BIN_EXE_mooncake"))
        .args(["pack", "check", "--rule", "right", "--rule", "aborts"])
        .arg(built_c("tests/planted/planted.c", "told", &[]))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("planted 0.1.0, SHA-256 "), "{text}");
    assert_eq!(lines[1], "ok    right(x: T) -> T");
    // What fails stands last.
    assert_eq!(lines[lines.len() - 2], "FAIL  aborts(x: T) -> T");
    assert!(
        lines[lines.len() - 1].starts_with("      crash: the process died by signal 6"),
        "{text}"
    );
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        said,
        "mooncake: pack planted: 1 of 2 rules failed the check\n"
    );
}

#[test]
fn a_rule_that_the_pack_does_not_have_is_said() {
    let (report, _) = report(&["--rule", "nothing"], gelu_pack());
    assert_eq!(failures(&report), ["rules: the pack has no rule `nothing`"]);
}

#[test]
fn what_is_no_pack_is_refused_before_anything_runs() {
    let (report, _) = report(&[], Path::new("./Cargo.toml"));
    let found = failures(&report);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("file: pack ./Cargo.toml: not a shared library"),
        "{found:?}"
    );
}

#[test]
fn rules_for_functions_that_exist_are_tested_with_those_functions() {
    let pack = built_c("tests/planted/existing.c", "existing", &[]);
    let (report, ok) = report(&[], &pack);
    assert!(!ok);
    let expected = [("std::cbrt", "partials: ", "differences say")];
    expect_faults(&rules(&report), &expected);
    let of_program = report["rules"].as_array().unwrap().iter();
    let mut of_program = of_program.filter(|rule| rule["rule"] == "program::loss");
    assert_eq!(
        of_program.next().unwrap()["notes"],
        serde_json::json!([
            "not tested: the function that it is for is not here; in its program `test_rule::<loss>(&ctx, args)` tests this rule"
        ])
    );
}
