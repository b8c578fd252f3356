//! Functions as values whose parameters are references of any lifetime: `dyn Fn`, `impl Fn`, `fn`, as parameters, fields and results.

use mooncake::prelude::*;
use std::rc::Rc;

#[differentiable]
fn apply(f: &dyn Fn(&[f64]) -> f64, x: &[f64]) -> f64 {
    f(x)
}

#[differentiable]
fn apply_impl(f: impl Fn(&[f64]) -> f64, x: &[f64]) -> f64 {
    f(x) + 1.0
}

#[differentiable]
fn apply_generic<F>(f: F, x: &[f64]) -> f64
where
    F: for<'a> Fn(&'a [f64]) -> f64,
{
    2.0 * f(x)
}

#[differentiable]
fn apply_pointer(f: fn(&[f64]) -> f64, x: &[f64]) -> f64 {
    f(x)
}

#[differentiable]
fn sum_of_squares(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

#[differentiable]
fn boxed(k: f64) -> Box<dyn Fn(&[f64]) -> f64> {
    Box::new(move |x| k * x[0])
}

#[differentiable]
fn change(f: &mut dyn FnMut(&mut [f64], &f64), x: &mut [f64], a: f64) {
    f(x, &a);
}

type Term = Box<dyn Fn(&[f64], f64) -> f64>;

#[derive(Differentiable)]
struct Terms {
    all: Vec<Term>,
    slope: Rc<dyn Fn(&f64) -> f64>,
    norm: fn(&[f64]) -> f64,
}

#[differentiable]
fn parameters(x: &[f64], k: f64) -> f64 {
    apply(&|v: &[f64]| v[0] * k, x)
        + apply_impl(|v| v[1] * k, x)
        + apply_generic(|v| v[0] * v[1], x)
        + apply_pointer(sum_of_squares, x)
        + boxed(k)(x)
}

#[differentiable]
fn fields(x: &[f64], k: f64) -> f64 {
    let terms = Terms {
        all: vec![
            Box::new(|v, w| w * v[1]),
            Box::new(move |v, w| k * w + sum_of_squares(v)),
        ],
        slope: Rc::new(move |v| k * v),
        norm: sum_of_squares,
    };
    let mut total = (terms.slope)(&x[1]) * (terms.norm)(x);
    for term in &terms.all {
        total += term(x, k);
    }
    total
}

#[differentiable]
fn changes(x: &[f64], k: f64) -> f64 {
    let mut copy = x.to_vec();
    let mut calls = 0.0;
    change(
        &mut |v: &mut [f64], by: &f64| {
            calls += 1.0;
            v[0] *= by * calls;
        },
        &mut copy,
        k,
    );
    copy[0] * copy[1]
}

#[test]
fn functions_of_references_are_parameters_fields_and_results() {
    for ctx in [
        Context::default(),
        Context::builder().minimal().build().unwrap(),
    ] {
        let args = (&[0.5, 0.7], 2.0);
        test_rule::<parameters>(&ctx, args).unwrap();
        test_rule::<fields>(&ctx, args).unwrap();
        test_rule::<changes>(&ctx, args).unwrap();
    }
}

#[derive(Differentiable)]
struct Held {
    scale: f64,
    f: Box<dyn Fn(&[f64]) -> f64>,
}

#[differentiable]
fn held(held: &Held, x: &[f64]) -> f64 {
    held.scale * (held.f)(x)
}

/// Their code is rustc's: nothing could be derived from it.
#[test]
fn functions_from_outside_are_refused() {
    let rule = Context::default().build_rrule::<held>().unwrap();
    let made = Held {
        scale: 1.0,
        f: Box::new(|x| x[0]),
    };
    let error = rule.value_and_gradient((&made, &[1.0])).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("cannot be passed to a differentiable function from outside"),
        "{error}"
    );
}

/// What the macro calls arguments is nobody's name.
#[differentiable]
fn a1(a0: f64, x: f64) -> f64 {
    a0 * x
}

#[test]
fn functions_may_be_called_like_arguments() {
    let rule = Context::default().build_rrule::<a1>().unwrap();
    assert_eq!(
        rule.value_and_gradient((2.0, 3.0)).unwrap(),
        (6.0, (3.0, 2.0))
    );
    assert_eq!(a1(2.0, 3.0), 6.0);
}
