//! What `MOONCAKE_TRACE` prints, and what `mooncake bench` measures.

#[path = "support/devices.rs"]
mod devices;

use mooncake::kernel::parse_kernel;
use mooncake::prelude::*;
use std::process::Command;

/// The device of the child process of a test; not set in the test itself.
const CHILD: &str = "MOONCAKE_TRACES_CHILD";

#[differentiable]
fn loss(w: &Array<f32>, x: &Array<f32>) -> f32 {
    w.matmul(x).exp().cos().sum().to_scalar()
}

/// Runs in debug mode, which does each operation by itself.
#[differentiable]
fn in_turns(x: &Array<f32>, w: &Array<f32>) -> f32 {
    let mut x = x.clone();
    while x.sum().to_scalar() < 100.0 {
        x = x.concat(w, 0);
    }
    x.sum().to_scalar()
}

/// Runs in a process of its own, because a process reads the variable once.
#[test]
fn child() {
    let Ok(device) = std::env::var(CHILD) else {
        return;
    };
    let device = Device::by_name(&device).unwrap();
    let ctx = Context::builder().device(device.clone()).build().unwrap();
    let [w, x] = [[70, 80], [80, 90]].map(|shape: [usize; 2]| {
        Array::from_vec_on(&device, vec![0.01f32; shape[0] * shape[1]], shape)
    });
    let rule = ctx.build_rrule::<loss>().unwrap();
    let (_, (dw, _)) = rule.value_and_gradient((&w, &x)).unwrap();
    assert_eq!(dw.to_vec().unwrap().len(), 70 * 80);
    let ones = Array::from_vec_on(&device, vec![1.0f32; 40], 40);
    let ctx = Context::builder().device(device).debug(true);
    let rule = ctx.build().unwrap().build_rrule::<in_turns>().unwrap();
    assert_eq!(rule.value((&ones, &ones)).unwrap(), 120.0);
}

/// What the child prints about its run on stderr.
fn traced(device: &str, level: Option<&str>) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, device);
    match level {
        Some(level) => command.env("MOONCAKE_TRACE", level),
        None => command.env_remove("MOONCAKE_TRACE"),
    };
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// The lines about kernels and operations.
fn lines(text: &str) -> Vec<&str> {
    let is_one = |line: &&str| line.starts_with("mooncake: ") && line.contains(" us");
    text.lines().filter(is_one).collect()
}

/// The numbers before these units, which must be there.
fn measures(line: &str) -> [f64; 3] {
    [" us", " GB/s", " G operations/s"].map(|unit| {
        let (before, _) = line
            .split_once(unit)
            .unwrap_or_else(|| panic!("no{unit}: {line}"));
        let number = before.rsplit(' ').next().unwrap();
        number
            .parse()
            .unwrap_or_else(|e| panic!("{number}: {e}: {line}"))
    })
}

#[test]
fn a_trace_names_what_ran_with_its_time_and_bandwidth() {
    for device in devices::devices() {
        let name = if device.is_gpu() { "gpu" } else { "cpu" };
        assert!(lines(&traced(name, None)).is_empty());
        let text = traced(name, Some("1"));
        let lines = lines(&text);
        let kernels: Vec<&&str> = lines
            .iter()
            .filter(|line| line.contains(": rows ["))
            .collect();
        assert!(!kernels.is_empty(), "{text}");
        for line in &kernels {
            assert!(
                line.contains(" columns ") && line.contains(" inputs, "),
                "{line}"
            );
        }
        for product in ["matmul", "matmul_nt", "matmul_tn"] {
            let of = |line: &&&str| line.contains(&format!(": {product}, "));
            assert_eq!(lines.iter().filter(of).count(), 1, "{product}\n{text}");
        }
        // And in debug mode, each operation.
        for (operation, times) in [("sum", 3), ("concat", 2)] {
            let of = |line: &&&str| line.contains(&format!(": no cluster: {operation}, "));
            assert_eq!(lines.iter().filter(of).count(), times, "{text}");
        }
        for line in lines.iter().filter(|line| line.contains(" GB/s")) {
            let [microseconds, bandwidth, speed] = measures(line);
            assert!(
                microseconds > 0.0 && bandwidth >= 0.0 && speed >= 0.0,
                "{line}"
            );
        }
        assert!(!text.contains("kernel rows"), "{text}");
        // And with 2 the kernels themselves, as text.
        let text = traced(name, Some("2"));
        let (_, kernel) = text
            .split_once("kernel rows")
            .unwrap_or_else(|| panic!("{text}"));
        let (kernel, _) = kernel.split_once("\n}\n").unwrap();
        parse_kernel(&format!("kernel rows{kernel}\n}}\n")).unwrap();
    }
}

/// What `mooncake bench --json` prints, with these arguments.
fn rows(args: &[&str]) -> Vec<serde_json::Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_mooncake"))
        .args(["bench", "--json"])
        .args(args)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn fields(row: &serde_json::Value) -> Vec<&str> {
    let mut fields: Vec<_> = row.as_object().unwrap().keys().map(|f| &**f).collect();
    fields.sort();
    fields
}

#[test]
fn benchmarks_are_printed_as_json() {
    let rows = rows(&["--filter", "^sum_cos_exp$"]);
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(
        fields(row),
        [
            "first_gradient_ms",
            "gradient_ns",
            "n",
            "name",
            "native_ns",
            "primal_ns",
            "ratio",
            "tape_bytes"
        ]
    );
    assert_eq!(row["name"], "sum_cos_exp");
    assert_eq!((&row["n"], &row["tape_bytes"]), (&1024.into(), &0.into()));
    let number = |field: &str| row[field].as_f64().unwrap();
    assert!(number("primal_ns") > 0.0 && number("first_gradient_ms") > 0.0);
    let ratio = number("gradient_ns") / number("native_ns");
    // What is read of JSON may be off in the last place.
    assert!((number("ratio") / ratio - 1.0).abs() < 1e-12, "{row}");
}

#[test]
fn every_kind_of_call_of_packs_is_measured() {
    let rows = rows(&["--packs"]);
    let calls: Vec<_> = rows.iter().filter(|row| row["unit"] == "ns").collect();
    assert_eq!(calls.len(), 11);
    for row in rows {
        assert!(row["value"].as_f64().unwrap() > 0.0, "{row}");
    }
}

#[test]
fn array_benchmarks_are_printed_as_json() {
    let rows = rows(&["--arrays", "--filter", "^sum_axis1$"]);
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(
        fields(row),
        [
            "bytes",
            "first_ms",
            "gradient_ms",
            "kernels",
            "name",
            "value_ms"
        ]
    );
    assert_eq!(row["name"], "sum_axis1");
    for field in ["first_ms", "gradient_ms", "value_ms"] {
        assert!(row[field].as_f64().unwrap() > 0.0, "{row}");
    }
    assert!((1..=3).contains(&row["kernels"].as_u64().unwrap()), "{row}");
    // The matrix is read; its gradient is the same number along each row, and is not written.
    let matrix = 4 * 2000 * 2000;
    assert!(
        (matrix..2 * matrix).contains(&row["bytes"].as_u64().unwrap()),
        "{row}"
    );
}
