//! Debug mode: what it finds, and how it says so. Without it the same calls give NaN, or what a wrong shape makes of them.

mod support;

use expect_test::{Expect, expect};
use mooncake::prelude::*;
use support::built;

mod pack {
    use mooncake::prelude::*;

    #[differentiable]
    extern "pack" {
        pub fn nan_partial(x: f64) -> f64;
        pub fn nan_together(x: f64) -> f64;
        pub fn pole(x: f64) -> f64;
        pub fn share_of(a: f64, r: f64) -> f64;
    }
}

fn faulty(debug: bool) -> Context {
    let ctx = Context::builder().device(Device::cpu()).debug(debug);
    let mut ctx = ctx.build().unwrap();
    ctx.load_pack(built("faulty-pack")).unwrap();
    ctx
}

/// The message of an error, and that it names this file.
#[track_caller]
fn check<T: std::fmt::Debug>(found: Result<T, Error>, expected: Expect) {
    match found {
        Err(Error::Fault(fault)) => {
            assert!(fault.span.file.ends_with("debug_mode.rs"), "{}", fault.span);
            expected.assert_eq(&fault.message);
        }
        other => panic!("expected a fault, found {other:?}"),
    }
}

#[differentiable]
fn partial(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += pack::nan_partial(*v);
    }
    s
}

#[differentiable]
fn together(x: f64) -> f64 {
    pack::nan_together(x)
}

#[differentiable]
fn primal(x: f64, y: f64) -> f64 {
    2.0 * pack::pole(x) + y
}

#[differentiable]
fn steep(x: f64) -> f64 {
    (1e200 * x) * 1e200
}

#[differentiable]
fn quotient(x: f64, y: f64) -> f64 {
    x / y
}

#[test]
fn a_partial_that_is_not_finite_is_named() {
    let rule = faulty(true).build_rrule::<partial>().unwrap();
    assert_eq!(
        rule.value_and_gradient((&[1.0, 2.0],)).unwrap(),
        (5.0, (vec![2.0, 4.0],))
    );
    check(
        rule.value_and_gradient((&[1.0, 0.0],)),
        expect!["debug: the partial derivative of `nan_partial` by its argument 1 is NaN for 0.0"],
    );
    check(
        rule.pullback((&[0.0],)).unwrap().1.apply(1.0),
        expect!["debug: the partial derivative of `nan_partial` by its argument 1 is NaN for 0.0"],
    );
    let forward = faulty(true).build_frule::<partial>().unwrap();
    check(
        forward.value_and_derivative((&[0.0],), (&[1.0],)),
        expect![
            "debug: the partial derivative of `nan_partial` by its argument 1 is NaN for 0.0 and 0.0"
        ],
    );
    // Where the argument is not finite, the rule is not to blame.
    assert!(rule.value_and_gradient((&[f64::NAN],)).is_ok());
    let silent = faulty(false).build_rrule::<partial>().unwrap();
    let (_, (dx,)) = silent.value_and_gradient((&[1.0, 0.0],)).unwrap();
    assert!(dx[1].is_nan());
}

#[differentiable]
fn share(a: f64, r: f64) -> f64 {
    pack::share_of(a, r)
}

#[test]
fn a_side_of_a_formula_that_is_not_selected_may_be_anything() {
    let ctx = Context::builder().minimal().debug(true);
    let mut ctx = ctx.build().unwrap();
    ctx.load_pack(built("faulty-pack")).unwrap();
    let rule = ctx.build_rrule::<share>().unwrap();
    assert_eq!(rule.value((2.0, 0.0)).unwrap(), 0.0);
    assert_eq!(rule.value((2.0, 4.0)).unwrap(), 1.0);
}

#[test]
fn a_native_partial_that_is_not_finite_is_named() {
    let rule = faulty(true).build_rrule::<together>().unwrap();
    assert!(rule.value_and_gradient((1.0,)).is_ok());
    check(
        rule.value_and_gradient((0.0,)),
        expect!["debug: the partial derivative of `nan_together` by its argument 1 is NaN for 0.0"],
    );
}

#[test]
fn a_value_that_is_not_finite_is_named() {
    let ctx = faulty(true);
    let rule = ctx.build_rrule::<primal>().unwrap();
    assert!(rule.value_and_gradient((1.0, 2.0)).is_ok());
    check(
        rule.value((0.0, 2.0)),
        expect!["debug: `pole` gives NaN for 0.0"],
    );
    check(
        rule.value_and_gradient((0.0, 2.0)),
        expect!["debug: `pole` gives NaN for 0.0"],
    );
    let forward = ctx.build_frule::<primal>().unwrap();
    check(
        forward.value_and_derivative((0.0, 2.0), (1.0, 0.0)),
        expect!["debug: `pole` gives NaN for 0.0"],
    );
    let rule = ctx.build_rrule::<quotient>().unwrap();
    check(
        rule.value_and_gradient((1.0, 0.0)),
        expect!["debug: `div` gives inf for 1.0 and 0.0"],
    );
}

#[test]
fn a_cotangent_that_overflows_is_named() {
    let rule = faulty(true).build_rrule::<steep>().unwrap();
    check(
        rule.value_and_gradient((1e-200,)),
        expect!["debug: `mul` gives its argument 2 the cotangent inf, which is 1e200 times 1e200"],
    );
}

#[differentiable]
fn logarithms(x: &Array<f32>) -> Array<f32> {
    let y = x.ln();
    y.sum()
}

#[test]
fn arrays_that_are_not_finite_are_named() {
    let rule = faulty(true).build_rrule::<logarithms>().unwrap();
    let array = |data: [f32; 2]| Array::from_vec_on(&Device::cpu(), data.to_vec(), [2]);
    assert!(rule.value_and_gradient((&array([1.0, 2.0]),)).is_ok());
    assert!(rule.value_and_gradient((&array([1.0, f32::NAN]),)).is_ok());
    check(
        rule.value_and_gradient((&array([1.0, 0.0]),)),
        expect!["debug: `map.ln.f32` gives what is not finite for arrays of finite numbers"],
    );
}

#[differentiable]
fn smooth(x: &mut [f64], a: f64) -> f64 {
    for i in 1..x.len() {
        if x[i] > a {
            x[i] = x[i] * a + x[i - 1].sin();
        }
    }
    x[0] * x[x.len() - 1].exp()
}

#[differentiable]
fn layer(w: &Array<f32>, x: &Array<f32>, b: f32) -> Array<f32> {
    let y = w.matmul(x) + b;
    y.map(|v| if v > 0.0 { v } else { v.exp() - 1.0 }).mean()
}

#[test]
fn right_rules_pass() {
    let ctx = faulty(true);
    test_rule::<smooth>(&ctx, (&mut [0.5, 0.25, 1.5], 0.75)).unwrap();
    let array = |shape: [usize; 2]| {
        let data = (0..shape[0] * shape[1]).map(|i| (i as f32 * 0.37).sin());
        Array::from_vec_on(&Device::cpu(), data.collect(), shape)
    };
    let (w, x) = (array([2, 3]), array([3, 4]));
    test_rule::<layer>(&ctx, (&w, &x, 0.25)).unwrap();
}
