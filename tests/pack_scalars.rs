//! Functions of packs over numbers of every kind: floats of both types, integers and bools, in any position; declared in a program, called
//! natively, and tested in both modes.

use mooncake::prelude::*;
use mooncake::testing::{test_case, test_rule};
use mooncake_pack::{Case, Outcome, Value, native, rule, scalar};

mooncake_pack::pack!();

scalar! {
    /// `x · n`, or, if `negative`, `-x · n`; and a number more.
    fn signed(negative: bool, n: i64, x: T, more: u8) -> T {
        domain: [(0.0, 1.0), (1.0, 5.0), (-2.0, 2.0), (0.0, 3.0)],
        body: "select(negative, 0 - x, x) * n + more",
        partials: ["", "", "select(negative, -1, 1) * n", ""],
    }
}

rule! {
    /// Floats of both types: `w · x + x²`, unless `off`.
    fn both_floats(w: f32, off: bool, x: T) -> T {
        body: "select(off, 0, w * x + x * x)",
        pullback: ["f32(select(off, 0, dy * x))", "", "select(off, 0, dy * (w + x + x))"],
    }
}

native! {
    /// `n · w · x`, unless `off`: in machine code.
    fn weighed(n: u16, w: f32, off: bool, x: f64, wide: usize) -> (f64, f32, bool) {
        primal: weigh,
        pullback: [
            "",
            "select(off, 0, f32(dy.0 * x * n)) + dy.1 * n",
            "",
            "select(off, 0, dy.0 * w * n)",
            "",
        ],
        tangent: [
            "",
            "(select(off, 0, dx * x * n), dx * n)",
            "",
            "(select(off, 0, w * dx * n), ())",
            "",
        ],
    }
}

#[allow(clippy::too_many_arguments, reason = "what it is about")]
fn weigh(
    n: u16,
    w: f32,
    off: bool,
    x: f64,
    wide: usize,
    y: &mut f64,
    product: &mut f32,
    large: &mut bool,
) -> Outcome {
    *y = match off {
        true => 0.0,
        false => f64::from(n) * f64::from(w) * x,
    };
    *product = f32::from(n) * w;
    *large = wide > 1 << 40;
    Ok(())
}

#[differentiable]
extern "pack" {
    fn signed(negative: bool, n: i64, x: f64, more: u8) -> f64;
    fn both_floats(w: f32, off: bool, x: f64) -> f64;
    fn weighed(n: u16, w: f32, off: bool, x: f64, wide: usize) -> (f64, f32, bool);
}

mod singles {
    use super::*;

    #[differentiable]
    extern "pack" {
        pub fn signed(negative: bool, n: i64, x: f32, more: u8) -> f32;
    }
}

#[differentiable]
fn all(x: f64, w: f32, n: i64) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let y = signed(i % 2 == 0, i, x, i as u8);
        let (z, product, large) = weighed(3, w, i == 1, y, 1 << (39 + i as usize));
        if large {
            total += z * both_floats(product, i == 3, x);
        } else {
            total += y * w as f64;
        }
    }
    total + singles::signed(n > 2, n, w, 7) as f64
}

/// The same in Rust.
fn all_natively(x: f64, w: f32, n: i64) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let y = if i % 2 == 0 { -x } else { x } * i as f64 + i as f64;
        let z = if i == 1 { 0.0 } else { 3.0 * f64::from(w) * y };
        let product = f64::from(3.0 * w);
        total += match i > 1 {
            true if i == 3 => 0.0,
            true => z * (product * x + x * x),
            false => y * f64::from(w),
        };
    }
    let last = if n > 2 { -w } else { w } * n as f32 + 7.0;
    total + f64::from(last)
}

#[test]
fn numbers_of_every_kind_cross_in_any_position() {
    let ctx = Context::default();
    let rule = ctx.build_rrule::<all>().unwrap();
    for (x, w, n) in [(0.75, 0.5, 5), (-1.25, 1.5, 2), (0.3, -0.25, 0)] {
        assert_eq!(rule.value((x, w, n)).unwrap(), all_natively(x, w, n));
        assert_eq!(all(x, w, n), all_natively(x, w, n));
        test_rule::<all>(&ctx, (x, w, n)).unwrap();
    }
    let minimal = Context::builder().minimal().build().unwrap();
    test_rule::<all>(&minimal, (0.75, 0.5, 5)).unwrap();
}

scalar! {
    /// `x³ + x²`, with a body of several operations.
    fn cubic(x: T) -> T {
        domain: [(-1.0, 1.0)],
        body: "let a = x * x in let b = a * x in let c = b in c + a",
        partials: ["3 * x * x + 2 * x"],
    }
}

scalar! {
    /// `n · x`, whose derivative is an integer, and half of `n`.
    fn times(x: T, n: i32) -> T {
        domain: [(0.5, 1.0), (-3.0, 3.0)],
        body: "x * n + 0.5 * n",
        partials: ["n", ""],
    }
}

rule! {
    /// The sum of `cubic` of the elements, whose rule is written with `cubic` of arrays.
    fn cubics(a: array<T>) -> array<T> {
        body: "sum(cubic(a))",
        pullback: ["dy * (3 * a * a + cubic(a) - a * a * a - a * a + 2 * a)"],
        tangent: ["sum(dx * (3 * a * a + 2 * a))"],
    }
}

#[differentiable]
extern "pack" {
    fn times(x: f64, n: i32) -> f64;
    fn cubic(x: f64) -> f64;
    fn cubics(a: &Array<f64>) -> Array<f64>;
}

#[differentiable]
fn mapped_by_name(a: &Array<f64>) -> Array<f64> {
    a.map(cubic).sum()
}

#[allow(clippy::redundant_closure, reason = "what it is about")]
#[differentiable]
fn mapped_by_closure(a: &Array<f64>) -> Array<f64> {
    a.map(|x| cubic(x)).sum()
}

#[test]
fn integers_are_floats_where_floats_are_expected() {
    let ctx = Context::default();
    let rule = ctx.build_rrule::<times>().unwrap();
    assert_eq!(
        rule.value_and_gradient((0.75, 3)).unwrap(),
        (3.75, (3.0, ()))
    );
    test_rule::<times>(&ctx, (0.75, 3)).unwrap();
}

/// In a minimal context the body is derived, whoever calls the function.
#[test]
fn bodies_are_derived_in_maps_too() {
    let a = Array::from_vec_on(&Device::cpu(), vec![0.5, -0.25], [2]);
    let builder = || Context::builder().device(Device::cpu());
    for builder in [
        builder(),
        builder().minimal(),
        builder().debug(true).minimal(),
    ] {
        let ctx = builder.build().unwrap();
        for rule in [
            ctx.build_rrule::<mapped_by_name>()
                .unwrap()
                .value_and_gradient((&a,)),
            ctx.build_rrule::<mapped_by_closure>()
                .unwrap()
                .value_and_gradient((&a,)),
            ctx.build_rrule::<cubics>()
                .unwrap()
                .value_and_gradient((&a,)),
        ] {
            let (y, (da,)) = rule.unwrap();
            assert_eq!(y.to_vec().unwrap(), [0.375 + 0.046875]);
            assert_eq!(da.to_vec().unwrap(), [1.75, -0.3125]);
        }
        test_rule::<mapped_by_name>(&ctx, (&a,)).unwrap();
        test_rule::<cubics>(&ctx, (&a,)).unwrap();
    }
}

/// d/dx of `w · x + x²` is `w + 2 x`, d/dw is `x`, whose type is that of `w`; the second derivatives are 2 and 1.
#[test]
fn floats_of_both_types_have_derivatives_of_their_own_types() {
    let ctx = Context::default();
    let rule = ctx.build_rrule::<both_floats>().unwrap();
    let (y, (dw, _, dx)) = rule.value_and_gradient((0.5, false, 1.25)).unwrap();
    assert_eq!((y, dw, dx), (0.625 + 1.5625, 1.25f32, 3.0));
    let hvp = ctx.build_hvp::<both_floats>().unwrap();
    let (_, _, (hw, _, hx)) = hvp
        .value_gradient_and_hvp((0.5, false, 1.25), (1.0, (), 0.5))
        .unwrap();
    assert_eq!((hw, hx), (0.5f32, 2.0));
}

#[test]
fn rules_over_numbers_of_every_kind_pass() {
    let ctx = Context::default();
    let weighed = |off: i64| {
        let args = [
            Value::Int(3),
            Value::Float(0.5),
            Value::Int(off),
            Value::Float(-1.25),
            Value::Int(1 << 41),
        ];
        Case::new("weighed", args)
    };
    for case in [weighed(0), weighed(1)] {
        test_case(&ctx, &case, &Device::cpu()).unwrap();
    }
    let args = [
        Value::Int(1),
        Value::Int(3),
        Value::Float(0.5),
        Value::Int(2),
    ];
    test_case(&ctx, &Case::new("signed", args), &Device::cpu()).unwrap();
}

rule! {
    /// `x · ln x`, and 0 where there is no logarithm.
    fn x_ln_x(x: T) -> T {
        body: "select(x > 0, x * ln(x), 0)",
    }
}

rule! {
    /// Choices within choices: each way is a NaN, or has an infinite derivative, where another one is taken.
    fn pieces(x: T) -> T {
        body: "select(x > 0, select(x > 1, ln(x - 1) * ln(x - 1), sqrt(1 - x) * (ln(x) + exp(x))), x * x)",
    }
}

scalar! {
    /// `x · √x`, and `x` where there is no root.
    fn x_root(x: T) -> T {
        domain: [(-2.0, 2.0)],
        body: "select(x > 0, x * sqrt(x), x)",
        partials: ["select(x > 0, 1.5 * sqrt(x), 1)"],
    }
}

#[differentiable]
extern "pack" {
    fn x_ln_x(x: f64) -> f64;
    fn pieces(x: f64) -> f64;
    fn x_root(x: f64) -> f64;
}

#[differentiable]
fn sum_of_choices(x: f64) -> f64 {
    x_ln_x(x) + x * pieces(x) + x_root(x)
}

#[differentiable]
fn choices_mapped(x: &Array<f64>) -> f64 {
    x.map(|v| sum_of_choices(v) + v).sum().to_scalar()
}

/// `select` computes all ways, and those that it does not take have no part in derivatives, whatever theirs are.
#[test]
fn ways_that_are_not_taken_have_no_part_in_derivatives() {
    let slope = |x: f64| match x {
        x if x > 1.0 => {
            let ln = (x - 1.0).ln();
            x.ln() + 1.0 + ln * ln + 2.0 * x * ln / (x - 1.0) + 1.5 * x.sqrt()
        }
        x if x > 0.0 => {
            let (root, sum) = ((1.0 - x).sqrt(), x.ln() + x.exp());
            let pieces = root * sum;
            let slope = root * (1.0 / x + x.exp()) - 0.5 / root * sum;
            x.ln() + 1.0 + pieces + x * slope + 1.5 * x.sqrt()
        }
        x => 3.0 * x * x + 1.0,
    };
    for builder in [Context::builder(), Context::builder().minimal()] {
        let ctx = builder.device(Device::cpu()).build().unwrap();
        let points = [-0.75, 0.0, 0.25, 1.75];
        let rule = ctx.build_rrule::<sum_of_choices>().unwrap();
        for x in points {
            let (_, (dx,)) = rule.value_and_gradient((x,)).unwrap();
            let error = (dx - slope(x)).abs() / slope(x).abs();
            assert!(error < 1e-13, "at {x}: {dx}, expected {}", slope(x));
            if x != 0.0 {
                test_rule::<sum_of_choices>(&ctx, (x,)).unwrap();
            }
        }
        let x = Array::from_vec_on(&Device::cpu(), points.to_vec(), [4]);
        let rule = ctx.build_rrule::<choices_mapped>().unwrap();
        let (_, (dx,)) = rule.value_and_gradient((&x,)).unwrap();
        for (dx, x) in dx.to_vec().unwrap().into_iter().zip(points) {
            let dx = dx - 1.0;
            let error = (dx - slope(x)).abs() / slope(x).abs();
            assert!(error < 1e-13, "at {x}: {dx}, expected {}", slope(x));
        }
    }
}
