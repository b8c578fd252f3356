//! Debug mode: what it finds, and how it says so. Without it the same calls give NaN, or what a wrong shape makes of them.

mod support;

use expect_test::{Expect, expect};
use mooncake::Error;
use mooncake::Span;
use mooncake::ir::{Const, Function, Inst, Module, Op, Prim, Type};
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
        expect![
            "debug: the partial derivative of `faulty::nan_partial` by its argument 1 is NaN for 0.0"
        ],
    );
    check(
        rule.pullback((&[0.0],)).unwrap().1.apply(1.0),
        expect![
            "debug: the partial derivative of `faulty::nan_partial` by its argument 1 is NaN for 0.0"
        ],
    );
    let forward = faulty(true).build_frule::<partial>().unwrap();
    check(
        forward.value_and_derivative((&[0.0],), (&[1.0],)),
        expect![
            "debug: the partial derivative of `faulty::nan_partial` by its argument 1 is NaN for 0.0"
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
        expect![
            "debug: the partial derivative of `faulty::nan_together` by its argument 1 is NaN for 0.0"
        ],
    );
}

#[test]
fn a_value_that_is_not_finite_is_named() {
    let ctx = faulty(true);
    let rule = ctx.build_rrule::<primal>().unwrap();
    assert!(rule.value_and_gradient((1.0, 2.0)).is_ok());
    check(
        rule.value((0.0, 2.0)),
        expect!["debug: `faulty::pole` gives NaN for 0.0"],
    );
    check(
        rule.value_and_gradient((0.0, 2.0)),
        expect!["debug: `faulty::pole` gives NaN for 0.0"],
    );
    let forward = ctx.build_frule::<primal>().unwrap();
    check(
        forward.value_and_derivative((0.0, 2.0), (1.0, 0.0)),
        expect!["debug: `faulty::pole` gives NaN for 0.0"],
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
    let forward = faulty(true).build_frule::<steep>().unwrap();
    check(
        forward.value_and_derivative((1e-200,), (1.0,)),
        expect![
            "debug: `mul` gives, for its argument 1, the tangent inf, which is 1e200 times 1e200"
        ],
    );
    assert!(forward.value_and_derivative((1e-200,), (1e-100,)).is_ok());
}

#[differentiable]
fn fold(x: &[f64]) -> f64 {
    if x.is_empty() {
        1.0
    } else {
        x[0].sin() * fold(&x[1..])
    }
}

/// A context in debug mode that changes the derived functions with such a name.
fn broken(part: &'static str, change: impl Fn(&mut Function) + Send + Sync + 'static) -> Context {
    let change = move |module: &mut Module| {
        for (name, function) in &mut module.functions {
            if name.as_str().contains(part) {
                change(function);
            }
        }
    };
    let ctx = Context::builder().debug(true).change_derived(change);
    ctx.build().unwrap()
}

/// Instructions of a function, in order.
fn insts(function: &Function) -> Vec<Inst> {
    let blocks = function.blocks_in_order();
    blocks.flat_map(|(_, data)| data.insts.clone()).collect()
}

/// Makes the parts of a function's second parameter, which are shadows or tangents, empty.
fn shorten(function: &mut Function) {
    let second = function.params()[1];
    for inst in insts(function) {
        let row = &mut function.insts[inst];
        if row.op == Op::Prim(Prim::Subslice) && row.args[0] == second {
            row.args[2] = row.args[1];
        }
    }
}

/// Adds a tape operation to the end of the first block.
fn disturb(function: &mut Function, prim: Prim) {
    let entry = function.entry();
    let eight = function.make_inst(Op::Const(Const::Int(8)), &[], Type::Usize, Span::NONE);
    let bytes = function.insts[eight].result;
    let inst = function.make_inst(Op::Prim(prim), &[bytes], Type::Addr, Span::NONE);
    function.blocks[entry].insts.extend([eight, inst]);
}

const ONE: [f64; 3] = [1.0; 3];

#[test]
fn lengths_that_differ_are_named() {
    let rule = broken("fold.pullback", shorten)
        .build_rrule::<fold>()
        .unwrap();
    check(
        rule.pullback((&ONE,)).unwrap().1.apply(1.0),
        expect![
            "debug: `debug_mode::fold` is called with a slice as argument 1 whose derivative is of another length"
        ],
    );
    let rule = broken("fold.dual", shorten).build_frule::<fold>().unwrap();
    check(
        rule.value_and_derivative((&ONE,), (&ONE,)),
        expect![
            "debug: `debug_mode::fold` is called with a slice as argument 1 whose derivative is of another length"
        ],
    );
}

#[differentiable]
fn twice(x: &[f64]) -> f64 {
    fold(x) + fold(&x[1..])
}

#[test]
fn what_leaves_the_tape_out_of_balance_is_named() {
    let with = |prim: Prim| broken("fold.pullback", move |function| disturb(function, prim));
    let pulled = |ctx: Context| {
        let rule = ctx.build_rrule::<twice>().unwrap();
        rule.pullback((&ONE,)).unwrap().1.apply(1.0)
    };
    check(
        pulled(with(Prim::TapePush)),
        expect![
            "debug: `debug_mode::fold.pullback` does not find its record on the tape: a call has left one there, or has taken one too many"
        ],
    );
    check(
        pulled(with(Prim::TapePop)),
        expect![
            "debug: `debug_mode::fold.pullback` does not find its record on the tape: a call has left one there, or has taken one too many"
        ],
    );
    let rule = with(Prim::TapePush).build_rrule::<fold>().unwrap();
    let error = rule.value_and_gradient((&ONE,)).unwrap_err();
    expect![[r#"
        debug: `debug_mode::fold.pullback` does not find its record on the tape: a call has left one there, or has taken one too many
          --> tests/debug_mode.rs:179:9
             |
         179 |         x[0].sin() * fold(&x[1..])
             |         ^"#]].assert_eq(&error.to_string());
    for ctx in [with(Prim::TapePush), with(Prim::TapePop)] {
        assert!(
            ctx.build_frule::<twice>()
                .unwrap()
                .value_and_derivative((&ONE,), (&ONE,))
                .is_ok()
        );
    }
    let ctx = Context::builder().debug(true).build().unwrap();
    test_rule::<twice>(&ctx, (&ONE,)).unwrap();
    // The marks have no derivative.
    let product = |ctx: &Context| {
        let hvp = ctx.build_hvp::<twice>().unwrap();
        hvp.value_gradient_and_hvp((&ONE,), (&[1.0, 0.5, -2.0],))
            .unwrap()
    };
    assert_eq!(product(&ctx), product(&Context::default()));
}

#[test]
fn types_that_do_not_fit_are_named() {
    let twist = |function: &mut Function| {
        for inst in insts(function) {
            let row = &function.insts[inst];
            if row.op == Op::Prim(Prim::Mul) {
                let wrong = function.params()[0];
                function.insts[inst].args[0] = wrong;
                return;
            }
        }
    };
    let named = |error: Error, name: &str| match error {
        Error::Internal(text) => {
            let first = text.lines().next().unwrap_or_default();
            let types = "`mul` does not take arguments of types ([f64], f64)";
            assert!(first.contains(name) && first.ends_with(types), "{first}");
        }
        other => panic!("expected an internal error, found {other}"),
    };
    let rule = broken("fold.pullback", twist)
        .build_rrule::<fold>()
        .unwrap();
    let error = rule.value_and_gradient((&ONE,)).unwrap_err();
    named(error, "function @debug_mode::fold.pullback, b2");
    let rule = broken("fold.dual", twist).build_frule::<fold>().unwrap();
    let error = rule.value_and_derivative((&ONE,), (&ONE,)).unwrap_err();
    named(error, "function @debug_mode::fold.dual, b2");
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

/// Functions of two matrices, each with a test that its products with Hessians in debug mode are those without. Debug mode checks shapes and
/// numbers after each operation of the derived program, and makes no clusters.
macro_rules! hessian_products {
    ($($name:ident = |$x:ident, $y:ident| $body:expr;)*) => {
        mod hessian_products {
            use super::{in_both_modes, matrix};
            use mooncake::prelude::*;

            $(
                #[test]
                fn $name() {
                    #[differentiable]
                    fn value($x: &Array<f64>, $y: &Array<f64>) -> Array<f64> {
                        let made = $body;
                        (&made * &made).sin().sum()
                    }
                    in_both_modes(|ctx| {
                        let rule = ctx.build_hvp::<value>()?;
                        let (x, y) = (matrix(1), matrix(2));
                        let along = (matrix(3), matrix(4));
                        let (_, g, h) =
                            rule.value_gradient_and_hvp((&x, &y), (&along.0, &along.1))?;
                        let parts = [g.0, g.1, h.0, h.1].map(|part| part.to_vec());
                        Ok(parts.into_iter().collect::<mooncake::Result<Vec<_>>>()?.concat())
                    });
                }
            )*
        }
    };
}

hessian_products! {
    products = |x, y| x.matmul(&y.t()).matmul(x);
    batches = |x, y| x.expand_dims(0).matmul(&y.t().insert_axis(0, 2));
    broadcast = |x, y| x * &y.sum_axis(0) + y.sum_keep(1);
    softmax = |x, y| x.softmax(1) * y.log_softmax(0);
    statistics = |x, y| x.var_axis(1) + y.std_axis(1) * x.mean_axis(1);
    extremes = |x, y| x.max_axis(0) * y.min_axis(0) + x.amax();
    logarithms = |x, y| x.logsumexp_axis(1) * y.prod_axis(1);
    scans = |x, y| x.cumsum(1) * y.flip(0) + y.cumprod(1);
    parts = |x, y| x.slice((0..1, 1..)) * y.narrow(1, 0, 2);
    replaced = |x, y| x.with_slice((0..1, ..), y.slice((1..2, ..)));
    pieces = |x, y| x.concat(y, 0).pad(1, 1, 0).roll(1, 1);
    chosen = |x, y| x.gt(0.6).select(&(x * y), y);
    mapped = |x, y| x.map2(y, |a, b| if a > b { a * b.sin() } else { b.exp() });
    shapes = |x, y| x.permute([1, 0]).reshape([6]) * y.reshape([6]);
    triangles = |x, y| x.tril(0) + y.triu(0).repeat(0, 1);
    inverses = |x, y| x.atanh() * y.asinh() + (x + 1.0).acosh();
    numbers = |x, y| x * x.sum().to_scalar() + y.mean();
}

fn matrix(seed: usize) -> Array<f64> {
    let data = (0..6).map(|n| 0.21 + 0.13 * ((n * 5 + seed * 3) % 6) as f64);
    Array::from_vec_on(&Device::cpu(), data.collect(), [2, 3])
}

/// The same numbers in debug mode and without it, to some digits, and not all of them zero.
#[track_caller]
fn in_both_modes(run: impl Fn(&Context) -> mooncake::Result<Vec<f64>>) {
    let [debug, plain] = [true, false].map(|debug| {
        let ctx = Context::builder().device(Device::cpu()).debug(debug);
        run(&ctx.build().unwrap()).unwrap_or_else(|error| panic!("debug mode {debug}: {error}"))
    });
    assert_eq!(debug.len(), plain.len());
    for (a, b) in debug.iter().zip(&plain) {
        let close = (a - b).abs() <= 1e-12 * (1.0 + b.abs());
        assert!(close, "{debug:?} in debug mode, {plain:?} without");
    }
    assert!(plain.iter().any(|x| x.abs() > 1e-3), "{plain:?}");
}

mooncake_pack::pack!();

mooncake_pack::native! {
    /// `1 / x`, how often, and `n / x`.
    fn shares(x: f64, n: i32) -> (f64, i32, f32) {
        primal: shares_primal,
        pullback: ["0 - dy.0 / (x * x) - f64(dy.2) * n / (x * x)", ""],
        tangent: ["(0 - dx / (x * x), 0 - f32(dx * n / (x * x)))", ""],
    }
}

fn shares_primal(
    x: f64,
    n: i32,
    share: &mut f64,
    count: &mut i32,
    all: &mut f32,
) -> mooncake_pack::Outcome {
    (*share, *count, *all) = (x.recip(), n, (f64::from(n) / x) as f32);
    Ok(())
}

#[differentiable]
extern "pack" {
    fn shares(x: f64, n: i32) -> (f64, i32, f32);
}

#[differentiable]
fn of_shares(x: f64) -> f64 {
    shares(x, 0).0 + x
}

/// The logarithm, with a rule of its own.
#[differentiable(rrule = logarithm_rrule)]
fn logarithm(x: f64) -> f64 {
    x.ln()
}

fn logarithm_rrule(x: f64) -> (f64, impl FnOnce(f64) -> f64 + use<>) {
    (x.ln(), move |dy| dy / x)
}

#[differentiable]
fn of_logarithm(x: f64) -> f64 {
    logarithm(x) * 2.0
}

#[test]
fn a_value_that_machine_code_gives_is_named() {
    let ctx = Context::builder().debug(true).build().unwrap();
    let rule = ctx.build_rrule::<of_shares>().unwrap();
    assert_eq!(rule.value_and_gradient((2.0,)).unwrap(), (2.5, (0.75,)));
    for found in [
        rule.value((0.0,)).map(drop),
        rule.value_and_gradient((0.0,)).map(drop),
        { ctx.build_frule::<of_shares>().unwrap() }
            .value_and_derivative((0.0,), (1.0,))
            .map(drop),
    ] {
        check(found, expect!["debug: `tests::shares` gives inf for 0.0"]);
    }
    // An argument that is not finite is not the function's fault.
    assert!(rule.value((f64::NAN,)).unwrap().is_nan());

    let rule = ctx.build_rrule::<of_logarithm>().unwrap();
    assert!(rule.value_and_gradient((2.0,)).is_ok());
    for found in [
        rule.value((0.0,)).map(drop),
        rule.value_and_gradient((0.0,)).map(drop),
    ] {
        check(
            found,
            expect!["debug: `debug_mode::logarithm` gives -inf for 0.0"],
        );
    }
}
