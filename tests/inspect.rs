//! Stages, their differences and the rules chosen, of functions and of files.
#![allow(
    clippy::question_mark,
    clippy::len_zero,
    clippy::assign_op_pattern,
    reason = "the programs are what is tested"
)]

use expect_test::{Expect, expect};
use mooncake::Float;
use mooncake::inspect::Stage;
use mooncake::ir::parse::parse_module;
use mooncake::prelude::*;
use std::process::Command;

#[differentiable]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[differentiable]
fn halved(x: f64, n: usize) -> f64 {
    if n == 0 {
        cube(x)
    } else {
        halved(0.5 * x, n - 1)
    }
}

#[differentiable]
fn mixed(x: &[f64], n: usize) -> f64 {
    halved(x[0], n) + x[1].sin() - x[0].sin().powi(2)
}

#[differentiable]
fn layer(w: &Array<f32>, x: &Array<f32>) -> Array<f32> {
    w.matmul(x).tanh().mean()
}

/// Without the places, which are those of this file.
fn without_places(text: &str) -> String {
    let lines = text.lines().map(|line| line.split(", first at").next());
    lines.flatten().map(|line| format!("{line}\n")).collect()
}

#[test]
fn every_stage_is_text_that_parses_back() {
    let ctx = Context::default();
    for &stage in Stage::ALL {
        let text = ctx.ir::<mixed>(stage).unwrap();
        match stage {
            Stage::Generic => assert!(text.contains("fn inspect::mixed("), "{text}"),
            Stage::Assembly => assert!(text.contains("ret"), "{text}"),
            _ => drop(parse_module(&text).unwrap_or_else(|e| panic!("{stage}: {e}\n{text}"))),
        }
        assert_eq!(stage.name().parse(), Ok(stage));
    }
    assert!(
        "reversed"
            .parse::<Stage>()
            .unwrap_err()
            .contains("there are generic, typed, normal,")
    );
}

#[derive(Differentiable, Clone)]
enum Weight<T> {
    Fixed,
    Free { by: T, all: Vec<T> },
}

/// Every form of expression and statement.
#[differentiable]
fn weighted<T: Float>(x: &[T], weight: &Weight<T>, (low, high): (T, T)) -> Option<T> {
    let mut total = T::zero();
    'rows: for (n, v) in x.iter().enumerate().step_by(2) {
        let scaled = match weight {
            Weight::Fixed => *v,
            Weight::Free { by, all } if n < all.len() && !all.is_empty() => *by * all[n],
            Weight::Free { by, .. } => -*by,
        };
        if scaled > high || scaled < low {
            continue 'rows;
        }
        total += scaled.max(<T as Float>::one()).powi(2_i32);
    }
    let kept: Vec<T> = x[1..].iter().map(|v| *v + total).collect();
    let Some(last) = kept.last() else {
        return None;
    };
    assert!(kept.len() >= 1, "nothing is left");
    let pair = (total, [*last; 2]);
    let [a, ..] = pair.1;
    let value = if a <= high {
        clipped::<T>(a, high)
    } else {
        panic!("too high")
    };
    Some(value / T::from_f64(x.len() as f64))
}

#[differentiable]
fn clipped<T: Float>(x: T, high: T) -> T {
    let mut y = x;
    while y > high {
        y = y - T::one();
    }
    y
}

#[test]
fn the_generic_stage_is_the_source() {
    let ctx = Context::default();
    let found = ctx.ir::<weighted<f64>>(Stage::Generic).unwrap();
    expect![[r#"
        fn inspect::weighted<T0>(x: &[T0], weight: Weight<T0>, (low, high): (T0, T0)) -> Option<T0> {
            let total = T0::zero();
            'rows: for (n, v) in x.iter().enumerate().step_by(2) {
                let scaled = match weight {
                    Weight<_>::Fixed => *v,
                    Weight<_>::Free { by: by, all: all } if (n < all.len()) && (!all.is_empty()) => (*by) * all[n],
                    Weight<_>::Free { by: by } => -(*by),
                };
                if (scaled > high) || (scaled < low) {
                    continue 'rows;
                };
                total += scaled.max(<T0 as Float>::one()).powi(2_i32);
            };
            let kept: Vec<T0> = x[1..].iter().map(|v| (*v) + total).collect();
            let Option<_>::Some(last) = kept.last() else {
                return Option<_>::None;
            };
            assert!(kept.len() >= 1, "nothing is left");
            let pair = (total, [*last; 2]);
            let [a, ..] = pair.1;
            let value = if a <= high {
                clipped::<T0>(a, high)
            } else {
                panic!("too high")
            };
            Option<_>::Some(value / T0::from_f64(x.len() as f64))
        }

        fn inspect::clipped<T0>(x: T0, high: T0) -> T0 {
            let y = x;
            while y > high {
                y = y - T0::one();
            };
            y
        }
    "#]].assert_eq(&found);
    // The types make no difference yet.
    assert_eq!(found, ctx.ir::<weighted<f32>>(Stage::Generic).unwrap());
    let changes = ctx
        .ir_diff::<weighted<f64>>(Stage::Generic, Stage::Typed)
        .unwrap();
    assert!(changes.starts_with("--- generic\n+++ typed\n"), "{changes}");
}

#[test]
fn a_stage_is_compared_with_another() {
    let ctx = Context::default();
    let found = ctx
        .ir_diff::<cube>(Stage::Gradient, Stage::Optimised)
        .unwrap();
    expect![[r#"
        --- gradient
        +++ optimised
        @@ -1,13 +1,9 @@
        -fn @inspect::cube.gradient(%0: f64, %1: f64) -> (f64, f64) {
        +fn @inspect::cube.gradient(%0: f64) -> (f64, f64) {
         b0:
        -    %2: f64 = mul %0, %0
        -    %3: f64 = mul %2, %0
        -    %4: f64 = mul %1, %0
        -    %5: f64 = mul %1, %2
        -    %6: f64 = mul %4, %0
        -    %7: f64 = add %5, %6
        -    %8: f64 = mul %4, %0
        -    %9: f64 = add %7, %8
        -    %10: (f64, f64) = tuple %3, %9
        -    return %10
        +    %1: f64 = mul %0, %0
        +    %2: f64 = mul %1, %0
        +    %3: f64 = add %1, %1
        +    %4: f64 = add %3, %1
        +    %5: (f64, f64) = tuple %2, %4
        +    return %5
         }
    "#]]
    .assert_eq(&found);
    assert_eq!(ctx.ir_diff::<cube>(Stage::Dual, Stage::Dual).unwrap(), "");
}

#[test]
fn rules_are_listed_with_the_reason() {
    let ctx = Context::default();
    let rules = ctx.rules_used::<mixed>().unwrap();
    expect![[r#"
        call                         times  by
        add(f64, f64)                    1  rule of mooncake-rules-std (minimal context)
        inspect::cube(f64)               1  inlined
        inspect::halved(f64, usize)      2  derived, called
        mul(f64, f64)                    3  rule of mooncake-rules-std (minimal context)
        powi(f64, i32)                   1  rule of mooncake-rules-std (minimal context)
        sin(f64)                         2  rule of mooncake-rules-std (minimal context)
        sub(f64, f64)                    1  rule of mooncake-rules-std (minimal context)
    "#]]
    .assert_eq(&without_places(&rules.to_string()));
    let sin = rules
        .rows
        .iter()
        .find(|row| row.call == "sin(f64)")
        .unwrap();
    assert_eq!((sin.count, sin.place.file), (2, file!()));
    let table = ctx.rules_used::<layer>().unwrap().to_string();
    expect![[r#"
        call                            times  by
        map tanh(array<f32>)                1  derived, elementwise
        matmul(array<f32>, array<f32>)      1  rule of mooncake-rules-std (minimal context)
        mean(array<f32>)                    1  rule of mooncake-rules-std (minimal context)
    "#]]
    .assert_eq(&without_places(&table));
}

#[test]
fn a_body_is_derived_where_its_rule_is_not_in_force() {
    let ir = "fn @f(%a: array<f32>) -> array<f32> {\nb0:\n    %y: array<f32> = call @linalg::norm(%a)\n    return %y\n}\n";
    let file = std::env::temp_dir().join(format!("mooncake-{}.ir", std::process::id()));
    std::fs::write(&file, ir).unwrap();
    let path = file.to_str().unwrap();
    let (default, minimal) = (
        tool(&["ir", path, "--rules"]),
        tool(&["ir", path, "--rules", "--minimal"]),
    );
    std::fs::remove_file(&file).unwrap();
    assert!(
        default
            .0
            .contains("rule of mooncake-rules-linalg (default context)"),
        "{}",
        default.0
    );
    assert!(
        minimal
            .0
            .contains("derived from the body in mooncake-rules-linalg"),
        "{}",
        minimal.0
    );
}

/// What the tool prints, and on stderr.
fn tool(args: &[&str]) -> (String, String) {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_mooncake"));
    let output = tool
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[track_caller]
fn check(args: &[&str], expected: Expect) {
    let (out, err) = tool(args);
    expected.assert_eq(&(out + &err));
}

const FILE: &str = "tests/inspect/example.ir";

/// A full disk is an error; a reader that has seen enough is none.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let run = |command: &str| {
        let script = format!("{} {command}", env!("CARGO_BIN_EXE_mooncake"));
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    for command in ["devices", "bench --filter '^sum_cos_exp$'"] {
        let said = run(&format!("{command} > /dev/full"));
        assert!(said.ends_with("mooncake: No space left on device (os error 28)\n"));
        let said = run(&format!("{command} | true"));
        assert!(
            !said.contains("panicked") && !said.contains("Broken pipe"),
            "{said}"
        );
    }
}

#[test]
fn a_filter_that_matches_no_benchmark_lists_the_names() {
    for (kind, name) in [
        (None, "sum_cos_exp"),
        (Some("--programs"), "pendulum"),
        (Some("--arrays"), "cosexp_1e6"),
        (Some("--calls"), "one number"),
        (Some("--matrices"), "hessian_dense"),
        (Some("--threads"), "gradient, of the data too"),
        (Some("--packs"), "native call"),
    ] {
        let args = ["bench", "--filter", "nosuch"].into_iter().chain(kind);
        let (out, err) = tool(&args.collect::<Vec<_>>());
        assert_eq!(out, "");
        let (_, names) = err
            .split_once("mooncake: no benchmark matches; there are ")
            .unwrap();
        assert!(names.contains(name), "{err}");
    }
}

/// A list of devices may say that the GPU is a software adapter, but not that something runs on it.
#[test]
fn a_list_of_devices_says_once_where_programs_run() {
    let listed = |device: &str| {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_mooncake"));
        let output = tool.arg("devices").env("MOONCAKE_DEVICE", device).output();
        let output = output.unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    };
    // An empty variable counts as none.
    let (out, err) = listed("");
    assert!(
        out.contains("\nMOONCAKE_DEVICE=auto: programs run on "),
        "{out}"
    );
    assert!(err.matches("mooncake: running on ").count() <= 1, "{err}");
    let (out, err) = listed("cpu");
    assert!(
        out.ends_with("MOONCAKE_DEVICE=cpu: programs run on cpu\n"),
        "{out}"
    );
    let notices = err.lines().filter(|line| line.starts_with("mooncake: "));
    let mut notices: Vec<&str> = notices.collect();
    notices.retain(|line| !line.starts_with("mooncake: the GPU is a software adapter: "));
    assert_eq!(notices, ["mooncake: running on the CPU: it was asked for"]);
}

#[test]
fn the_tool_shows_stages_of_files() {
    check(
        &["ir", FILE],
        expect![[r#"
        fn @f(%0: f64, %1: bool) -> f64 {
        b0:
            branch %1, b1, b2
        b1:
            %2: f64 = mul %0, %0
            jump b3(%2)
        b2:
            %3: f64 = call @exp(%0)
            jump b3(%3)
        b3(%4: f64):
            return %4
        }
    "#]],
    );
    check(
        &["ir", FILE, "--stage", "dual"],
        expect![[r#"
            fn @f.dual(%0: f64, %1: bool, %2: f64) -> (f64, f64) {
            b0:
                branch %1, b1, b2
            b1:
                %3: f64 = mul %0, %0
                %4: f64 = mul %2, %0
                %5: f64 = mul %2, %0
                %6: f64 = add %4, %5
                jump b3(%3, %6)
            b2:
                %7: f64 = call @exp(%0)
                %8: f64 = mul %2, %7
                jump b3(%7, %8)
            b3(%9: f64, %10: f64):
                %11: (f64, f64) = tuple %9, %10
                return %11
            }
        "#]],
    );
    check(
        &["ir", FILE, "--rules"],
        expect![[r#"
        call           times  by
        exp(f64)           1  rule of mooncake-rules-std (minimal context)
        mul(f64, f64)      1  rule of mooncake-rules-std (minimal context)
        square(f64)        1  inlined
    "#]],
    );
    check(
        &["ir", FILE, "--diff", "typed", "normal"],
        expect![[r#"
        --- typed
        +++ normal
        @@ -2,15 +2,11 @@
         b0:
             branch %1, b1, b2
         b1:
        -    %2: f64 = call @square(%0)
        -    return %2
        +    %2: f64 = mul %0, %0
        +    jump b3(%2)
         b2:
             %3: f64 = call @exp(%0)
        -    return %3
        -}
        -
        -fn @square(%0: f64) -> f64 {
        -b0:
        -    %1: f64 = mul %0, %0
        -    return %1
        +    jump b3(%3)
        +b3(%4: f64):
        +    return %4
         }
    "#]],
    );
    let (assembly, _) = tool(&["ir", FILE, "--stage", "assembly"]);
    assert!(assembly.contains("ret"), "{assembly}");
    let (help, _) = tool(&["ir", "--help"]);
    for stage in Stage::ALL {
        assert!(help.contains(stage.meaning()), "{help}");
    }
}

#[test]
fn the_tool_says_what_is_wrong() {
    check(
        &["ir", FILE, "--stage", "generic"],
        expect![[r#"
        mooncake: tests/inspect/example.ir: `generic` is a stage of functions in Rust, and what is read here is typed: print `ctx.ir::<f>(Stage::Generic)` in the program that has the function, as examples/stages.rs does
    "#]],
    );
    check(
        &["ir", FILE, "--stage", "final"],
        expect![[r#"
        error: invalid value 'final' for '--stage <STAGE>': no stage is called `final`: there are generic, typed, normal, forward, reverse, gradient, dual, optimised, assembly

        For more information, try '--help'.
    "#]],
    );
    check(
        &["ir", "tests/inspect.rs"],
        expect![[r#"
            mooncake: tests/inspect.rs: this is Rust, in which rustc says what types and names are: print `ctx.ir::<f>(stage)` in the program that has the function, as examples/stages.rs does; files are IR, as `ctx.typed_ir::<f>()` prints it
        "#]],
    );
    check(
        &["ir", "no/such.ir"],
        expect![[r#"
        mooncake: no/such.ir: No such file or directory (os error 2)
    "#]],
    );
    check(
        &["ir", "tests/filetests/verify/types.ir"],
        expect![[r#"
        mooncake: tests/filetests/verify/types.ir: function @f, b0, `%2: f64 = add %0, %1`: `add` does not take arguments of types (f64, i32)
    "#]],
    );
}

#[test]
fn a_file_has_all_its_functions() {
    let ir = "fn @f(%x: f64) -> f64 {\nb0:\n    %y: f64 = call @g(%x)\n    return %y\n}\ndeclare @g(f64) -> f64\n";
    let file = std::env::temp_dir().join(format!("mooncake-declared-{}.ir", std::process::id()));
    std::fs::write(&file, ir).unwrap();
    let (_, error) = tool(&["ir", file.to_str().unwrap()]);
    std::fs::remove_file(&file).unwrap();
    assert!(error.contains("`g` is declared without a body"), "{error}");
}

/// Matrix products are done by no kernel; their bytes and operations are printed all the same.
#[test]
fn kernels_and_products_say_what_they_move_and_compute() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let w = Array::from_vec_on(&Device::cpu(), vec![0.5f32; 200 * 300], [200, 300]);
    let x = Array::from_vec_on(&Device::cpu(), vec![0.5f32; 300 * 100], [300, 100]);
    let text = ctx.kernels::<layer>((&w, &x)).unwrap();
    let bytes = 4 * (200 * 300 + 300 * 100 + 200 * 100);
    let operations = 2 * 200 * 300 * 100;
    for name in ["matmul", "matmul_nt", "matmul_tn"] {
        let expected = format!("operation {name}\nbytes {bytes}, operations {operations}\n");
        assert!(text.contains(&expected), "{name}: {expected}\n{text}");
    }
    // The mean of the hyperbolic tangents.
    let kernel = text
        .split("operation ")
        .find(|part| part.contains("kernel rows"));
    let kernel = kernel.unwrap_or_else(|| panic!("{text}"));
    let bytes = format!("bytes {}, operations ", 4 * (200 * 100));
    assert!(
        text.contains("kernel rows") && !kernel.contains(&bytes),
        "{text}"
    );
}
