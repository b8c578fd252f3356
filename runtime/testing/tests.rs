//! Tests of the tests: right rules pass, each wrong one is found out by name.
#![allow(
    clippy::needless_range_loop,
    reason = "programs index as people write them"
)]

use super::*;
use crate::diag::Result;
use crate::ir::parse::parse_expressions;
use crate::ir::{Callee, Function, Symbol};
use crate::prelude::*;
use crate::registry::{ArrayRule, Entry, EntryKind, Registry, ScalarRule};
use crate::{Error, Type};
use mooncake_pack::{Case, Value};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

#[differentiable]
fn weighted(x: &[f64], a: f64, n: i32) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        if x[i] > 0.5 {
            s += (a * x[i]).sin();
        } else {
            s -= x[i].powi(n);
        }
    }
    s
}

#[differentiable]
fn smooth(x: &mut [f64], a: f64) -> f64 {
    for i in 1..x.len() {
        x[i] = x[i] * a + x[i - 1].sin();
    }
    x[0] * x[x.len() - 1]
}

#[differentiable]
fn pair(x: f32, y: f32) -> (f32, bool, f32) {
    (x * y.cos(), x < y, (x + y).exp())
}

#[differentiable]
fn second(x: &[f64]) -> f64 {
    x[1] * x[1]
}

#[differentiable]
fn kink(x: f64) -> f64 {
    (x - 1.0).abs()
}

#[differentiable]
fn layer(w: &Array<f32>, x: &Array<f32>, b: f32) -> Array<f32> {
    (w.matmul(x) + b).tanh().sum()
}

#[test]
fn right_rules_pass() {
    let ctx = Context::default();
    let x = [0.1, 0.7, -0.4, 2.0];
    test_rule::<weighted>(&ctx, (&x, 1.3, 3)).unwrap();
    test_rule::<weighted>(&ctx, (&x.to_vec(), crate::Const(1.3), 2)).unwrap();
    test_rule::<weighted>(&ctx, (&x[..0], 1.3, 3)).unwrap();
    test_rule::<smooth>(&ctx, (&mut x.clone(), 0.9)).unwrap();
    test_rule::<smooth>(&ctx, (&mut x.clone(), crate::Const(0.9))).unwrap();
    test_rule::<pair>(&ctx, (0.5, -1.25)).unwrap();
}

/// Nothing but roundings is left of the derivatives, and these differ from mode to mode.
#[differentiable]
fn cancelled(x: &[f64], s: f64) -> f64 {
    (x[0] * s) * x[1] - (x[1] * s) * x[0]
}

#[test]
fn where_terms_cancel_no_rule_is_wrong() {
    let x = [0.18059626789423291, -0.669239857276262];
    test_rule::<cancelled>(&Context::default(), (&x[..], 0.4)).unwrap();
}

#[test]
fn arrays_pass_on_the_cpu() {
    let ctx = Context::default();
    let device = Device::cpu();
    let array = |n: usize, shape: [usize; 2]| {
        let data = (0..n).map(|i| (i as f32 * 0.37).sin() * 0.5).collect();
        Array::from_vec_on(&device, data, shape)
    };
    let (w, x) = (array(6, [2, 3]), array(12, [3, 4]));
    test_rule::<layer>(&ctx, (&w, &x, 0.25)).unwrap();
    test_rule::<layer>(&ctx, (&w, crate::Const(&x), 0.25)).unwrap();
}

#[test]
fn where_the_native_function_panics_the_rule_fails() {
    let ctx = Context::default();
    test_rule::<second>(&ctx, (&[3.0],)).unwrap();
    test_rule::<second>(&ctx, (&[3.0, 2.0],)).unwrap();
}

#[test]
fn all_scalar_rules_pass() {
    let ctx = Context::default();
    for entry in ctx.registry().entries() {
        if matches!(entry.kind, EntryKind::Scalar(_)) {
            test_scalar(&ctx, entry).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

#[test]
fn all_standard_cases_pass_on_the_cpu() {
    let ctx = Context::default();
    for case in rules_std::cases() {
        test_case(&ctx, &case, &Device::cpu()).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The default context with one function's entries changed.
fn context_with(name: &str, change: impl Fn(&mut Entry)) -> Context {
    let ctx = Context::default();
    let mut registry = Registry::default();
    for entry in ctx.registry().entries() {
        let mut entry = Entry::clone(entry);
        if entry.name.as_str() == name {
            change(&mut entry);
        }
        registry.insert(entry).unwrap();
    }
    ctx.with_registry(registry)
}

fn scalar(entry: &mut Entry) -> &mut ScalarRule {
    match &mut entry.kind {
        EntryKind::Scalar(rule) => rule,
        EntryKind::Array(_) | EntryKind::Native(_) => panic!("not scalar"),
    }
}

fn array_rule(entry: &mut Entry) -> &mut ArrayRule {
    match &mut entry.kind {
        EntryKind::Array(rule) => rule,
        EntryKind::Scalar(_) | EntryKind::Native(_) => panic!("not general"),
    }
}

/// A function of `x` and `y`, or of the arguments of a pullback.
fn expression(params: &[(&str, Type)], texts: &[&str]) -> Function {
    let ctx = Context::default();
    let known = |callee: Callee, types: &[Type]| ctx.registry().call_type(callee, types);
    parse_expressions(Symbol::new("wrong"), params, texts, &known).unwrap()
}

fn entry_of(ctx: &Context, name: &str) -> Entry {
    let found = ctx.registry().find(Symbol::new(name), &[Type::F64]);
    Entry::clone(found.unwrap())
}

/// The property that an error says does not hold.
#[track_caller]
fn check(found: Result<()>, expected: &str) {
    match found {
        Err(Error::Rule { property, .. }) if property == expected => {}
        other => panic!("expected {expected} not to hold, found {other:?}"),
    }
}

#[differentiable]
fn average(x: &Array<f32>) -> Array<f32> {
    x.mean()
}

#[differentiable]
fn average_of_first(x: &[Array<f32>]) -> Array<f32> {
    x[0].mean()
}

#[test]
fn wrong_partials_are_found() {
    let ctx = context_with("sin", |entry| {
        let params = [("x", entry.ret), ("y", entry.ret)];
        let rule = scalar(entry);
        rule.partials = expression(&params, &["1.001 * cos(x)"]);
        rule.with_partials = None;
    });
    check(test_scalar(&ctx, &entry_of(&ctx, "sin")), "partials");
    check(test_rule::<weighted>(&ctx, (&[0.7], 1.3, 3)), "gradient");
    check(
        test_case(&ctx, &Case::floats("sin", &[0.3]), &Device::cpu()),
        "partials",
    );
}

#[derive(Clone, Debug, Differentiable)]
struct Spring {
    rest: f64,
    ends: Rc<RefCell<(f64, f64)>>,
    same: Rc<RefCell<(f64, f64)>>,
    forces: Vec<f64>,
}

/// One cell held twice, and a vector that gets longer.
#[differentiable]
fn pull(spring: &mut Spring, by: f64) -> f64 {
    spring.ends.borrow_mut().1 += by.sin();
    let ends = *spring.same.borrow();
    let force = (ends.1 - ends.0 - spring.rest) * by;
    spring.forces.push(force);
    force * spring.forces[0]
}

fn spring() -> Spring {
    let ends = Rc::new(RefCell::new((0.25, 1.5)));
    Spring {
        rest: 1.0,
        same: ends.clone(),
        ends,
        forces: vec![0.75],
    }
}

#[test]
fn structs_with_cells_and_vectors_that_grow_are_tested() {
    let mut given = spring();
    test_rule::<pull>(&Context::default(), (&mut given, 0.5)).unwrap();
    // It works on copies.
    assert_eq!((given.forces.len(), *given.ends.borrow()), (1, (0.25, 1.5)));
    let ctx = context_with("sin", |entry| {
        let params = [("x", entry.ret), ("y", entry.ret)];
        let rule = scalar(entry);
        rule.partials = expression(&params, &["1.001 * cos(x)"]);
        rule.with_partials = None;
    });
    check(test_rule::<pull>(&ctx, (&mut given, 0.5)), "gradient");
}

#[derive(Clone, Differentiable)]
struct Ring {
    x: f64,
    next: Option<Rc<RefCell<Ring>>>,
}

#[differentiable]
fn first(ring: &Rc<RefCell<Ring>>) -> f64 {
    ring.borrow().x
}

#[test]
fn a_cycle_is_tested() {
    let ring = Rc::new(RefCell::new(Ring { x: 1.0, next: None }));
    test_rule::<first>(&Context::default(), (&ring,)).unwrap();
    ring.borrow_mut().next = Some(ring.clone());
    test_rule::<first>(&Context::default(), (&ring,)).unwrap();
    ring.borrow_mut().next = None;
}

#[test]
fn a_wrong_native_function_is_found() {
    let ctx = context_with("sin", |entry| {
        let rule = scalar(&mut entry_of(&Context::default(), "cos")).clone();
        if entry.ret == Type::F64 {
            scalar(entry).native = rule.native;
            scalar(entry).with_partials = None;
            // Else it is the body that the function does not agree with.
            scalar(entry).body = None;
        }
    });
    check(test_rule::<weighted>(&ctx, (&[0.7], 1.3, 3)), "value");
    check(test_scalar(&ctx, &entry_of(&ctx, "sin")), "partials");
}

#[test]
fn native_partials_that_differ_are_found() {
    let ctx = context_with("sin", |entry| {
        let rule = scalar(&mut entry_of(&Context::default(), "cos")).clone();
        if entry.ret == Type::F64 {
            assert!(rule.with_partials.is_some());
            scalar(entry).with_partials = rule.with_partials;
        }
    });
    check(test_scalar(&ctx, &entry_of(&ctx, "sin")), "with_partials");
}

#[test]
fn a_body_that_differs_is_found() {
    let ctx = context_with("tanh", |entry| {
        scalar(entry).body = Some(expression(&[("x", entry.ret)], &["sin(x)"]));
    });
    check(test_scalar(&ctx, &entry_of(&ctx, "tanh")), "body");
}

#[test]
fn wrong_pullbacks_are_found() {
    let twice = |pullback: &'static str| {
        context_with("mean", move |entry| {
            let params = [("a", entry.ret), ("y", entry.ret), ("dy", entry.ret)];
            array_rule(entry).pullback = expression(&params, &[pullback]);
        })
    };
    let case = Case::new("mean", [Value::array(&[2, 3])]);
    check(
        test_case(&twice("expand(dy, a)"), &case, &Device::cpu()),
        "pullback",
    );
    check(test_case(&twice(""), &case, &Device::cpu()), "pullback");
    check(
        test_case(&twice("dy / numel(a)"), &case, &Device::cpu()),
        "shape",
    );
    test_case(&twice("expand(dy / numel(a), a)"), &case, &Device::cpu()).unwrap();
}

#[test]
fn a_wrong_shape_is_found() {
    let wrong = |pullback: &'static str| {
        context_with("mean", move |entry| {
            let params = [("a", entry.ret), ("y", entry.ret), ("dy", entry.ret)];
            array_rule(entry).pullback = expression(&params, &[pullback]);
        })
    };
    let a = Array::from_vec_on(&Device::cpu(), vec![1.0, 2.0, 4.0, 8.0, 16.0, 32.0], [2, 3]);
    for (pullback, shape) in [
        ("dy / numel(a)", "[]"),
        ("t(expand(dy / numel(a), a))", "[3, 2]"),
    ] {
        let error = test_rule::<average>(&wrong(pullback), (&a,)).unwrap_err();
        let expected = format!("has shape {shape}, and its array shape [2, 3]");
        assert!(error.to_string().contains(&expected), "{error}");
    }
    test_rule::<average>(&wrong("expand(dy / numel(a), a)"), (&a,)).unwrap();
}

#[test]
fn wrong_tangents_are_found() {
    let with = |tangent: &'static str| {
        context_with("mean", move |entry| {
            let params = [("a", entry.ret), ("y", entry.ret), ("dx", entry.ret)];
            array_rule(entry).tangent = vec![Some(expression(&params, &[tangent]))];
        })
    };
    let case = Case::new("mean", [Value::array(&[2, 3])]);
    check(
        test_case(&with("sum(dx)"), &case, &Device::cpu()),
        "tangent",
    );
    let error = test_case(&with("dx / numel(a)"), &case, &Device::cpu()).unwrap_err();
    let expected = "has shape [2, 3], and its array shape []";
    assert!(error.to_string().contains(expected), "{error}");
    test_case(&with("sum(dx) / numel(a)"), &case, &Device::cpu()).unwrap();
    let x = Array::from_vec_on(&Device::cpu(), vec![0.5f32, 2.0], [2]);
    check(test_rule::<average>(&with("sum(dx)"), (&x,)), "forward");
    test_rule::<average>(&Context::default(), (&x,)).unwrap();
}

#[test]
fn debug_mode_names_the_call_whose_rule_gives_a_wrong_shape() {
    let debug = |ctx: &Context| {
        let debug = Context::builder().debug(true).build().unwrap();
        debug.with_registry((**ctx.registry()).clone())
    };
    let named = |error: Option<Error>, expected: &str| {
        let error = error.expect("a wrong shape").to_string();
        assert!(error.starts_with(expected), "{error}");
        assert!(error.contains("x.mean()"), "it shows the call: {error}");
    };
    let wrong = context_with("mean", move |entry| {
        let ty = entry.ret;
        let params = |d| [("a", ty), ("y", ty), (d, ty)];
        array_rule(entry).pullback = expression(&params("dy"), &["dy / numel(a)"]);
        array_rule(entry).tangent = vec![Some(expression(&params("dx"), &["dx / numel(a)"]))];
    });
    let a = Array::from_vec_on(&Device::cpu(), vec![1.0, 2.0, 4.0, 8.0], [2, 2]);
    let rule = wrong.build_rrule::<average>().unwrap();
    let error = rule.value_and_gradient((&a,)).unwrap_err().to_string();
    let expected = "a cotangent or a tangent has shape [], and its array shape [2, 2]";
    assert!(error.contains(expected), "{error}");
    let rule = wrong.build_rrule::<average_of_first>().unwrap();
    let inside = rule.value_and_gradient((&[a.clone()][..],)).unwrap_err();
    assert_eq!(
        inside.to_string().split(" shape").nth(1),
        error.split(" shape").nth(1)
    );
    let rule = wrong.build_frule::<average>().unwrap();
    let error = rule.value_and_derivative((&a,), (&a,)).unwrap_err();
    let expected = "a cotangent or a tangent has shape [2, 2], and its array shape []";
    assert!(error.to_string().contains(expected), "{error}");
    let rule = debug(&wrong).build_rrule::<average>().unwrap();
    named(
        rule.value_and_gradient((&a,)).err(),
        "debug: the pullback of `mean` gives its argument 1 a cotangent of shape [], expected [2, 2]",
    );
    let rule = debug(&wrong).build_frule::<average>().unwrap();
    named(
        rule.value_and_derivative((&a,), (&a,)).err(),
        "debug: `mean` gives, for its argument 1, a tangent of shape [2, 2], expected []",
    );
    let right = debug(&Context::default());
    let rule = right.build_rrule::<average>().unwrap();
    assert!(rule.value_and_gradient((&a,)).is_ok());
    let (_, pullback) = rule.pullback((&a,)).unwrap();
    let error = pullback.apply(a.clone()).unwrap_err().to_string();
    let expected = "the cotangent of the result has shape [2, 2]; expected shape []";
    assert!(error.contains(expected), "{error}");
    let rule = right.build_frule::<average>().unwrap();
    assert!(rule.value_and_derivative((&a,), (&a,)).is_ok());
}

#[test]
fn a_case_of_no_entry_is_an_error() {
    let case = Case::floats("no_such_function", &[1.0]);
    check(
        test_case(&Context::default(), &case, &Device::cpu()),
        "case",
    );
}

#[test]
fn a_domain_of_steps_and_poles_is_refused() {
    let ctx = context_with("ln", |entry| scalar(entry).domain = vec![(-2.0, 0.0)]);
    check(test_scalar(&ctx, &entry_of(&ctx, "ln")), "domain");
}

#[test]
fn a_kink_is_named_as_such() {
    let error = test_rule::<kink>(&Context::default(), (1.0 + 1e-5,))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("choose arguments without a kink nearby"),
        "{error}"
    );
    test_rule::<kink>(&Context::default(), (3.0,)).unwrap();
}

#[test]
fn allocations_are_counted() {
    thread_local!(static COUNT: Cell<u64> = const { Cell::new(0) });
    let more = Options::default().allocations(|| {
        COUNT.set(COUNT.get() + 1);
        COUNT.get()
    });
    check(
        test_rule_with::<kink>(&Context::default(), (3.0,), more),
        "allocations",
    );
    let none = Options::default().allocations(|| 0);
    test_rule_with::<kink>(&Context::default(), (3.0,), none).unwrap();
}
