//! Packs at work: the library of `plugins/gelu`, loaded and used.

mod support;

#[path = "support/devices.rs"]
mod common;

use common::devices;
use expect_test::expect;
use mooncake::Type;
use mooncake::prelude::*;
use mooncake::registry::EntryKind;
use mooncake::testing::test_scalar;
use std::process::Command;
use support::{built, gelu_pack};

#[differentiable]
extern "pack" {
    fn gelu(x: f64) -> f64;
    fn mish(x: f32) -> f32;
}

#[differentiable]
fn chain(x: f64, w: f64) -> f64 {
    gelu(x * w) + w * w
}

#[differentiable]
fn repeated(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y += 0.5 * gelu(y);
    }
    y
}

#[differentiable]
fn activation(x: &Array<f32>) -> Array<f32> {
    x.map(mish).sum()
}

#[differentiable]
fn fused(x: &Array<f32>, a: f32) -> Array<f32> {
    (x * x).map(|v| mish(v * a) + v).mean()
}

/// A context with the pack on this device.
fn with_pack(device: &Device) -> Context {
    let builder = Context::builder().device(device.clone());
    let mut ctx = builder.build().unwrap();
    ctx.load_pack(gelu_pack()).unwrap();
    ctx
}

#[test]
fn a_loaded_pack_gives_primitives() {
    let mut ctx = Context::default();
    assert!(!ctx.is_primitive("gelu::gelu", &[Type::F64]));
    let before = ctx.clone();
    ctx.load_pack(gelu_pack()).unwrap();
    ctx.load_pack(gelu_pack()).unwrap();
    assert!(
        ctx.is_primitive("gelu::gelu", &[Type::F64])
            && ctx.is_primitive("gelu::mish", &[Type::F32])
    );
    assert!(
        !before.is_primitive("gelu::gelu", &[Type::F64]),
        "a clone made before is as it was"
    );
    let pack = ctx.packs().last().unwrap();
    assert_eq!(
        (pack.name.as_str(), pack.version.as_str(), pack.abi),
        ("gelu", "0.1.0", (1, 4))
    );
}

#[test]
fn a_loaded_function_is_differentiated() {
    let mut ctx = Context::default();
    ctx.load_pack(gelu_pack()).unwrap();
    let rule = ctx.build_rrule::<chain>().unwrap();
    let (y, (dx, dw)) = rule.value_and_gradient((0.7, -1.3)).unwrap();
    assert_eq!(
        y.to_bits(),
        chain(0.7, -1.3).to_bits(),
        "compiled code and Rust call one function"
    );
    let h = 1e-6;
    let slope = |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h);
    assert!((dx - slope(&|h| chain(0.7 + h, -1.3))).abs() < 1e-8);
    assert!((dw - slope(&|h| chain(0.7, -1.3 + h))).abs() < 1e-8);
}

#[test]
fn a_loaded_function_is_mapped_over_arrays() {
    let mut ctx = Context::default();
    ctx.load_pack(gelu_pack()).unwrap();
    let x = Array::from_vec(vec![-3.0, -0.5, 0.0, 2.0], [4]);
    let mapped = x.map(mish).to_vec().unwrap();
    assert_eq!(mapped, [-3.0, -0.5, 0.0, 2.0].map(mish));
}

#[test]
fn loops_call_loaded_functions() {
    let mut ctx = Context::default();
    ctx.load_pack(gelu_pack()).unwrap();
    test_rule::<repeated>(&ctx, (0.4, 3)).unwrap();
    let ir = ctx.primal_ir::<repeated>().unwrap();
    assert!(ir.contains("call @gelu::gelu("), "a primitive:\n{ir}");
}

/// `x tanh(ln(1 + eˣ))` and its derivative, in f64 and with Rust's own functions.
fn mish_by_definition(x: f64) -> (f64, f64) {
    let softplus = x.exp().ln_1p();
    let (t, sigmoid) = (softplus.tanh(), 1.0 / (1.0 + (-x).exp()));
    (x * t, t + x * sigmoid * (1.0 - t * t))
}

#[test]
fn gradients_of_arrays_go_through_the_pack_on_every_device() {
    let points: Vec<f32> = (0..1000).map(|i| i as f32 * 0.008 - 4.0).collect();
    let exact: Vec<_> = points
        .iter()
        .map(|&x| mish_by_definition(x.into()))
        .collect();
    let sum: f64 = exact.iter().map(|e| e.0).sum();
    for device in devices() {
        let rule = with_pack(&device).build_rrule::<activation>().unwrap();
        let x = Array::from_vec_on(&device, points.clone(), [10, 100]);
        let (y, (dx,)) = rule.value_and_gradient((&x,)).unwrap();
        let y = f64::from(y.item().unwrap());
        assert!((y - sum).abs() < 1e-5 * sum, "{device}: {y}, not {sum}");
        assert_eq!(dx.shape(), &[10, 100]);
        for (found, (_, expected)) in dx.to_vec().unwrap().iter().zip(&exact) {
            let error = f64::from(*found) - expected;
            assert!(error.abs() < 2e-6, "{device}: {found}, not {expected}");
        }
    }
}

#[test]
fn kernels_fuse_the_pack_with_code_around_it() {
    for device in devices() {
        let data = (0..60).map(|i| (i as f32 * 0.37).sin() * 2.0).collect();
        let x = Array::from_vec_on(&device, data, [3, 20]);
        test_rule::<fused>(&with_pack(&device), (&x, 0.75))
            .unwrap_or_else(|error| panic!("{device}: {error}"));
    }
}

#[test]
fn a_minimal_context_has_what_cannot_be_derived() {
    let mut ctx = Context::builder().minimal().build().unwrap();
    ctx.load_pack(gelu_pack()).unwrap();
    let rule = ctx.build_rrule::<chain>().unwrap();
    let (_, (dx, dw)) = rule.value_and_gradient((0.7, -1.3)).unwrap();
    assert!(dx.is_finite() && dw.is_finite());
}

#[test]
fn without_its_pack_a_function_is_unknown() {
    let error = Context::default()
        .build_rrule::<chain>()
        .and_then(|rule| rule.value_and_gradient((0.7, -1.3)));
    let message = error.expect_err("no pack in this context").to_string();
    expect![[r#"
        no pack in force defines `gelu` for (f64)
          --> tests/packs.rs:25:5
            |
         25 |     gelu(x * w) + w * w
            |     ^^^^
          help: load the pack that defines it (`ctx.load_pack(path)`), or write a pack with a rule for it"#]].assert_eq(&message);
}

#[test]
fn every_loaded_rule_has_the_derivative_of_its_value() {
    let mut ctx = Context::default();
    ctx.load_pack(gelu_pack()).unwrap();
    let of_gelu = |pack: &str| pack == "gelu";
    for entry in ctx
        .registry()
        .entries()
        .filter(|entry| of_gelu(entry.pack.as_str()))
    {
        assert!(matches!(entry.kind, EntryKind::Scalar(_)));
        test_scalar(&ctx, entry).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn the_loadable_form_of_a_linked_pack_is_the_same_pack() {
    let path = built("std-pack");
    let loaded = mooncake::Pack::load(&path).unwrap();
    let ctx = Context::default();
    let linked = ctx
        .packs()
        .iter()
        .find(|pack| pack.name == "mooncake-rules-std")
        .unwrap();
    let list = |pack: &mooncake::Pack| -> Vec<String> {
        pack.declarations
            .iter()
            .map(|d| format!("{} {:?}", d.signature, d.parts()))
            .collect()
    };
    assert_eq!(list(&loaded), list(linked));
    let error = Context::default().load_pack(&path).unwrap_err().to_string();
    assert!(
        error.starts_with("pack mooncake-rules-std: a pack of this name is in force already"),
        "{error}"
    );
}

#[test]
fn the_tool_refuses_what_is_no_pack() {
    for command in ["info", "list"] {
        let output = Command::new(env!("CARGO_BIN_EXE_mooncake"))
            .args(["pack", command, "Cargo.toml"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        expect![[r#"
            mooncake: pack ./Cargo.toml: not a shared library: it starts with `# The tests `; expected a 64-bit ELF library
        "#]].assert_eq(&String::from_utf8(output.stderr).unwrap());
    }
}

/// The tool, run on the pack.
fn tool(command: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mooncake"))
        .args(["pack", command])
        .arg(gelu_pack())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_tool_shows_packs() {
    let info = tool("info");
    let start = "pack      gelu 0.1.0\nlicence   MIT OR Apache-2.0\nauthors   Mooncake contributors\ncompiler  rustc ";
    assert!(info.starts_with(start), "{info}");
    assert!(info.contains("\npanics    unwind\nbytes     "), "{info}");
    let rows = "\nrows      3 scalar functions, 0 rules, 0 native functions\n";
    assert!(info.contains(rows), "{info}");
    assert!(info.ends_with("\nloads     yes\n"), "{info}");
    expect![[r#"
        gelu 0.1.0: 3 entries
        gelu(x: T) -> T
            `x Φ(x)`, Φ the distribution function of the standard normal: the exact form, not the tanh approximation.
            scalar, Minimal: native f32 f64, with_partials f32 f64, wgsl
        mish(x: T) -> T
            `x tanh(ln(1 + eˣ))`.
            scalar, Minimal: native f32 f64, with_partials f32 f64, wgsl
        normal_cdf(x: T) -> T
            Φ, the distribution function of the standard normal: through `erfc`, which keeps its digits where Φ is small.
            scalar, Minimal: native f32 f64, wgsl
    "#]].assert_eq(&tool("list"));
}

#[differentiable]
trait Split {
    fn share(self, n: f64) -> f64;
}
#[differentiable]
impl Split for f64 {
    fn share(self, n: f64) -> f64 {
        self * n
    }
}
#[differentiable]
fn split(x: f64) -> f64 {
    x.share(4.0)
}

#[test]
fn a_method_of_a_differentiable_trait_is_the_programs() {
    let rule = Context::default().build_rrule::<split>().unwrap();
    assert_eq!(rule.value_and_gradient((3.0,)).unwrap(), (12.0, (4.0,)));
}
