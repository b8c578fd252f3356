//! Rules of packs for functions that exist: of the pack `std`, and of a program. The pack is this test itself.

use mooncake::Type;
use mooncake::prelude::*;
use mooncake_pack::{rule, scalar};

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
