//! Rules of packs for functions that exist: of the pack `std`, and of a program. The pack is this test itself.

use mooncake::Type;
use mooncake::prelude::*;
use mooncake_pack::{rule, scalar};
use std::sync::Mutex;

mooncake_pack::pack!();

scalar! {
    /// The derivative of `loss`, divided by the value twice: so that it can be told from the derived one, and is still right.
    fn replaced_rules::loss(x: T, w: T) -> T {
        domain: [(0.5, 2.0), (0.5, 2.0)],
        partials: ["w * y / (x * w + 0)", "x * y / (x * w)"],
    }
}

scalar! {
    /// Wrong on purpose: twice the derivative.
    fn replaced_rules::wrong(x: T) -> T {
        domain: [(0.5, 2.0)],
        partials: ["4 * x"],
    }
}

scalar! {
    /// Ten times the derivative of `hypot`, so that it can be told from the one of `std`.
    fn std::hypot(a: T, b: T) -> T {
        domain: [(-2.0, 2.0), (-2.0, 2.0)],
        partials: ["10 * a / y", "10 * b / y"],
    }
}

rule! {
    /// Of a program's function of arrays.
    fn replaced_rules::energy(a: array<T>) -> array<T> {
        pullback: ["expand(dy, a) * a * 2"],
        tangent: ["sum(a * dx) * 2"],
    }
}

scalar! {
    /// Gives one number where the function gives two.
    fn replaced_rules::pair(x: T) -> T {
        domain: [(0.5, 2.0)],
        partials: ["42"],
    }
}

scalar! {
    /// Takes one number where the function takes two.
    fn replaced_rules::sum(x: T) -> T {
        domain: [(0.5, 2.0)],
        partials: ["42"],
    }
}

#[differentiable]
fn pair(x: f64) -> (f64, f64) {
    (x * x, x)
}

#[differentiable]
fn sum(x: f64, y: f64) -> f64 {
    x + y
}

#[differentiable]
fn of_pair(x: f64) -> f64 {
    let (a, b) = pair(x);
    a * b
}

#[differentiable]
fn of_sum(x: f64) -> f64 {
    sum(x, x)
}

#[differentiable]
fn loss(x: f64, w: f64) -> f64 {
    let mut y = x;
    for _ in 0..3 {
        y *= 1.0;
    }
    y * w
}

#[differentiable]
fn wrong(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn energy(a: &Array<f64>) -> Array<f64> {
    (a * a).sum()
}

#[differentiable]
fn program(x: f64, w: f64) -> f64 {
    let mut s = 0.0;
    for n in 1..4 {
        s += loss(x * n as f64, w) * x;
    }
    s
}

#[differentiable]
fn total(a: &Array<f64>) -> Array<f64> {
    energy(&(a * 3.0)).sqrt()
}

#[differentiable]
fn of_wrong(x: f64) -> f64 {
    wrong(x) + x
}

#[differentiable]
fn length(a: f64, b: f64) -> f64 {
    a.hypot(b)
}

#[differentiable]
fn mapped(a: &Array<f64>) -> Array<f64> {
    a.map(wrong).sum()
}

fn contexts() -> [Context; 2] {
    let builder = || Context::builder().device(Device::cpu());
    [
        builder().build().unwrap(),
        builder().minimal().build().unwrap(),
    ]
}

#[test]
fn a_rule_for_a_function_of_the_program_replaces_the_derivation() {
    let [default, minimal] = contexts();
    let gradient = |ctx: &Context| {
        let rule = ctx.build_rrule::<of_wrong>().unwrap();
        rule.value_and_gradient((3.0,)).unwrap()
    };
    assert_eq!(gradient(&default), (12.0, (13.0,)), "by the rule");
    assert_eq!(gradient(&minimal), (12.0, (7.0,)), "derived");
    let rule = default.build_rrule::<wrong>().unwrap();
    assert_eq!(rule.value_and_gradient((3.0,)).unwrap(), (9.0, (12.0,)));
    let tangent = default.build_frule::<of_wrong>().unwrap();
    assert_eq!(
        tangent.value_and_derivative((3.0,), (1.0,)).unwrap(),
        (12.0, 13.0)
    );
    let path = "replaced_rules::wrong";
    assert!(default.is_primitive(path, &[Type::F64]) && !minimal.is_primitive(path, &[Type::F64]));
}

#[differentiable]
fn within(x: f64) -> f64 {
    mooncake::gradient(of_wrong, x)
}

#[differentiable]
fn within_twice(x: f64) -> f64 {
    mooncake::gradient(|q| mooncake::derivative(of_wrong, q) * q, x)
}

/// `f64` and `f32` of one function.
#[differentiable]
fn generic<T: mooncake::Float>(x: T) -> T {
    x * x
}

scalar! {
    /// Wrong on purpose, for all types.
    fn replaced_rules::generic(x: T) -> T {
        domain: [(0.5, 2.0)],
        partials: ["10"],
    }
}

#[differentiable]
fn of_generic(x: f64, z: f32) -> f64 {
    generic(x) + f64::from(generic(z)) + mooncake::gradient(|q| generic(q) * q, x)
}

#[test]
fn derivatives_within_programs_use_the_rule_too() {
    let [default, minimal] = contexts();
    let gradient = |ctx: &Context| {
        let rule = ctx.build_rrule::<within>().unwrap();
        rule.value_and_gradient((3.0,)).unwrap()
    };
    // 4x + 1 by the rule, 2x + 1 derived.
    assert_eq!(gradient(&default), (13.0, (4.0,)));
    assert_eq!(gradient(&minimal), (7.0, (2.0,)));
    let gradient = |ctx: &Context| {
        let rule = ctx.build_rrule::<within_twice>().unwrap();
        rule.value_and_gradient((3.0,)).unwrap()
    };
    // The derivative of (4x + 1) x, and its derivative.
    assert_eq!(gradient(&default), (25.0, (8.0,)));
    assert_eq!(gradient(&minimal), (13.0, (4.0,)));
}

#[test]
fn the_rule_is_for_all_instances_of_a_generic_function() {
    let rule = contexts()[0].build_rrule::<of_generic>().unwrap();
    // By the rule the gradient of `generic(q) * q` is 10 q + q².
    let (y, gradient) = rule.value_and_gradient((3.0, 2.0)).unwrap();
    assert_eq!(y, 9.0 + 4.0 + 39.0);
    // And its derivative 10 + 10.
    assert_eq!(gradient, (30.0, 10.0));
}

#[test]
fn a_rule_of_another_signature_than_its_function_is_an_error() {
    let [default, minimal] = contexts();
    let text = |error: mooncake::Error| error.to_string();
    let help = "\n  help: the row that is named by the path of a function has the function's parameters and result";
    let pair = "the rule of the pack `mooncake-tests` for `replaced_rules::pair` gives f64, the function gives (f64, f64)";
    let sum = "the rule of the pack `mooncake-tests` for `replaced_rules::sum` takes 1 argument, the function takes 2 arguments";
    let found = default.build_rrule::<of_pair>().map(drop).map_err(text);
    assert_eq!(found, Err(format!("{pair}{help}")));
    let found = default.build_frule::<of_pair>().map(drop).map_err(text);
    assert_eq!(found, Err(format!("{pair}{help}")));
    let found = default.build_rrule::<of_sum>().map(drop).map_err(text);
    assert_eq!(found, Err(format!("{sum}{help}")));
    minimal.build_rrule::<of_pair>().unwrap();
}

scalar! {
    /// Takes a number where the function takes a slice.
    fn replaced_rules::of_slice(x: T) -> T {
        domain: [(0.5, 2.0)],
        partials: ["42"],
    }
}

#[differentiable]
fn of_slice(x: &[f64]) -> f64 {
    x[0] * x[0]
}

/// Keeps the warnings of this process.
struct Warnings(Mutex<Vec<String>>);

impl log::Log for Warnings {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        self.0.lock().unwrap().push(record.args().to_string());
    }
    fn flush(&self) {}
}

#[test]
fn a_rule_for_other_types_than_its_function_takes_is_told() {
    static WARNINGS: Warnings = Warnings(Mutex::new(Vec::new()));
    log::set_logger(&WARNINGS).unwrap();
    log::set_max_level(log::LevelFilter::Warn);
    let rule = contexts()[0].build_rrule::<of_slice>().unwrap();
    let (_, (gradient,)) = rule.value_and_gradient((&[3.0],)).unwrap();
    assert_eq!(gradient, [6.0], "derived");
    let told = "the rules of packs for `replaced_rules::of_slice` are for arguments of other types than ([f64],), and are not used for these";
    let warnings = WARNINGS.0.lock().unwrap();
    assert!(warnings.iter().any(|text| text == told), "{warnings:?}");
}

#[test]
fn maps_use_the_rule_too() {
    let a = Array::from_vec_on(&Device::cpu(), vec![1.0, 2.0], [2]);
    let [default, minimal] = contexts();
    let gradient = |ctx: &Context| {
        let rule = ctx.build_rrule::<mapped>().unwrap();
        let (_, (da,)) = rule.value_and_gradient((&a,)).unwrap();
        da.to_vec().unwrap()
    };
    assert_eq!(gradient(&default), [4.0, 8.0]);
    assert_eq!(gradient(&minimal), [2.0, 4.0]);
}

#[test]
fn a_rule_for_a_row_of_std_replaces_it_in_the_default_context() {
    let [default, minimal] = contexts();
    let gradient = |ctx: &Context| {
        let rule = ctx.build_rrule::<length>().unwrap();
        rule.value_and_gradient((3.0, 4.0)).unwrap()
    };
    assert_eq!(gradient(&default), (5.0, (6.0, 8.0)));
    assert_eq!(gradient(&minimal), (5.0, (0.6, 0.8)));
}

#[test]
fn the_rules_that_are_used_are_told() {
    let [default, minimal] = contexts();
    let told = default.rules_used::<of_wrong>().unwrap().to_string();
    assert!(
        told.contains("rule of mooncake-tests (default context)"),
        "{told}"
    );
    let told = minimal.rules_used::<of_wrong>().unwrap().to_string();
    assert!(told.contains("inlined"), "{told}");
}

#[test]
fn rules_are_compared_with_what_they_replace() {
    let ctx = &contexts()[0];
    test_rule::<loss>(ctx, (0.7, 1.3)).unwrap();
    test_rule::<program>(ctx, (0.7, 1.3)).unwrap();
    let a = Array::from_vec_on(&Device::cpu(), vec![0.5, -1.0, 2.0], [3]);
    test_rule::<energy>(ctx, (&a,)).unwrap();
    test_rule::<total>(ctx, (&a,)).unwrap();
    test_rule::<of_wrong>(ctx, (0.7,)).unwrap_err();
}
