//! Functions of a program with a rule of their own: `#[differentiable(rrule = …, frule = …)]`.

use expect_test::expect;
use mooncake::prelude::*;
use mooncake::{Const, Error, Type};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The sum of sines, with pointers and threads: what `#[differentiable]` does not read.
unsafe fn foreign(x: *const f64, n: usize, a: f64) -> f64 {
    // SAFETY: the caller's promise.
    let x = unsafe { std::slice::from_raw_parts(x, n) };
    std::thread::scope(|scope| {
        let sum = scope.spawn(|| x.iter().map(|x| (a * x).sin()).sum::<f64>());
        sum.join().unwrap()
    })
}

#[differentiable(rrule = energy_rrule, frule = energy_frule)]
fn energy(x: &[f64], a: f64) -> f64 {
    // SAFETY: the address and the length are of a slice.
    unsafe { foreign(x.as_ptr(), x.len(), a) }
}

fn energy_rrule(x: &[f64], a: f64) -> (f64, impl FnOnce(f64, &mut [f64]) -> f64 + use<>) {
    let kept = x.to_vec();
    let pullback = move |dy: f64, dx: &mut [f64]| {
        let mut da = 0.0;
        for (dx, x) in dx.iter_mut().zip(&kept) {
            *dx += dy * a * (a * x).cos();
            da += dy * x * (a * x).cos();
        }
        da
    };
    (energy(x, a), pullback)
}

fn energy_frule(x: &[f64], a: f64, dx: &[f64], da: f64) -> (f64, f64) {
    let pairs = x.iter().zip(dx);
    let dy = pairs.map(|(x, dx)| (a * x).cos() * (a * dx + x * da));
    (energy(x, a), dy.sum())
}

#[differentiable]
fn repeated(x: &[f64], a: f64) -> f64 {
    let mut own = vec![0.0; x.len()];
    let mut total: f64 = 0.0;
    for n in 0..3 {
        for i in 0..x.len() {
            own[i] += x[i] * (n as f64 + 1.0) * total.cos();
        }
        total += energy(&own, a) * energy(&x[1..], total);
    }
    total * total
}

#[test]
fn a_rule_over_numbers_and_slices_serves_both_modes() {
    let ctx = Context::default();
    let x = [0.5, -1.25, 2.0];
    test_rule::<energy>(&ctx, (&x, 0.75)).unwrap();
    test_rule::<energy>(&ctx, (Const(&x), 0.75)).unwrap();
    test_rule::<energy>(&ctx, (&x, Const(0.75))).unwrap();
    test_rule::<repeated>(&ctx, (&x, 0.75)).unwrap();
    let minimal = Context::builder().minimal().build().unwrap();
    test_rule::<repeated>(&minimal, (&x, 0.75)).unwrap();
}

/// Overwrites x by a x², and returns the sum of what was there.
#[differentiable(rrule = squares_rrule, frule = squares_frule)]
fn squares(x: &mut [f32], a: f32) -> f32 {
    let sum = x.iter().sum();
    x.iter_mut().for_each(|x| *x = a * *x * *x);
    sum
}

fn squares_rrule(x: &mut [f32], a: f32) -> (f32, impl FnOnce(f32, &mut [f32]) -> f32 + use<>) {
    let before = x.to_vec();
    let pullback = move |dy: f32, dx: &mut [f32]| {
        let mut da = 0.0;
        for (dx, x) in dx.iter_mut().zip(&before) {
            da += *dx * x * x;
            *dx = *dx * 2.0 * a * x + dy;
        }
        da
    };
    (squares(x, a), pullback)
}

fn squares_frule(x: &mut [f32], a: f32, dx: &mut [f32], da: f32) -> (f32, f32) {
    let dy = dx.iter().sum();
    for (dx, x) in dx.iter_mut().zip(&*x) {
        *dx = 2.0 * a * x * *dx + da * x * x;
    }
    (squares(x, a), dy)
}

#[differentiable]
fn squares_twice(x: &mut [f32], a: f32) -> f32 {
    let first = squares(x, a);
    let rest = squares(&mut x[1..], first);
    rest * x[0]
}

#[test]
fn memory_that_a_rule_overwrites_is_restored() {
    let ctx = Context::default();
    let mut x = [0.5, -0.25, 0.75];
    test_rule::<squares>(&ctx, (&mut x, 1.5)).unwrap();
    test_rule::<squares_twice>(&ctx, (&mut x, 1.5)).unwrap();
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Spring {
    k: f64,
    rest: f64,
    is_broken: bool,
}

/// Force and energy.
#[differentiable(rrule = pull_rrule, frule = pull_frule)]
fn pull(spring: &Spring, (x, times): (f64, i32)) -> (f64, Spring) {
    let far = x - spring.rest;
    let k = spring.k * f64::from(times);
    let next = Spring {
        k: k * far,
        rest: 0.5 * k * far * far,
        is_broken: spring.is_broken,
    };
    (-k * far, next)
}

#[allow(clippy::type_complexity, reason = "it is what a pullback is")]
fn pull_rrule(
    spring: &Spring,
    at: (f64, i32),
) -> (
    (f64, Spring),
    impl FnOnce((f64, SpringGradient)) -> (SpringGradient, (f64, ())) + use<>,
) {
    let (far, times) = (at.0 - spring.rest, f64::from(at.1));
    let k = spring.k;
    let pullback = move |(df, dnext): (f64, SpringGradient)| {
        let dk = -df * far * times + dnext.k * times * far + dnext.rest * 0.5 * times * far * far;
        let dfar = k * times * (-df + dnext.k + dnext.rest * far);
        let dspring = SpringGradient {
            k: dk,
            rest: -dfar,
            is_broken: (),
        };
        (dspring, (dfar, ()))
    };
    (pull(spring, at), pullback)
}

fn pull_frule(
    spring: &Spring,
    at: (f64, i32),
    dspring: &SpringGradient,
    dat: (f64, ()),
) -> ((f64, Spring), (f64, SpringGradient)) {
    let (far, times) = (at.0 - spring.rest, f64::from(at.1));
    let dfar = dat.0 - dspring.rest;
    let dforce = times * (dspring.k * far + spring.k * dfar);
    let denergy = times * far * (0.5 * dspring.k * far + spring.k * dfar);
    let dnext = SpringGradient {
        k: dforce,
        rest: denergy,
        is_broken: (),
    };
    (pull(spring, at), (-dforce, dnext))
}

#[differentiable]
fn pulled_twice(spring: &Spring, x: f64) -> f64 {
    let (force, next) = pull(spring, (x, 2));
    let (other, last) = pull(&next, (force, 3));
    if last.is_broken { 0.0 } else { other * last.k }
}

#[test]
fn structs_and_tuples_have_their_gradient_types() {
    let ctx = Context::default();
    let spring = Spring {
        k: 1.5,
        rest: 0.25,
        is_broken: false,
    };
    test_rule::<pull>(&ctx, (&spring, (0.75, 2))).unwrap();
    test_rule::<pulled_twice>(&ctx, (&spring, 0.75)).unwrap();
}

/// a over the sum of its elements, and that sum times s.
#[differentiable(rrule = shares_rrule, frule = shares_frule)]
fn shares(a: &Array<f64>, s: f32) -> (Array<f64>, f64) {
    let sum: f64 = a.to_vec().unwrap().into_iter().sum();
    (a / sum, sum * f64::from(s))
}

#[allow(clippy::type_complexity, reason = "it is what a pullback is")]
fn shares_rrule(
    a: &Array<f64>,
    s: f32,
) -> (
    (Array<f64>, f64),
    impl FnOnce((Array<f64>, f64)) -> (Array<f64>, f32) + use<>,
) {
    let (y, scaled) = shares(a, s);
    let (sum, own) = (scaled / f64::from(s), y.clone());
    let pullback = move |(dy, dscaled): (Array<f64>, f64)| {
        let inner: f64 = (&dy * &own).to_vec().unwrap().into_iter().sum();
        let da = (dy - inner) / sum + dscaled * f64::from(s);
        (da, (dscaled * sum) as f32)
    };
    ((y, scaled), pullback)
}

fn shares_frule(
    a: &Array<f64>,
    s: f32,
    da: &Array<f64>,
    ds: f32,
) -> ((Array<f64>, f64), (Array<f64>, f64)) {
    let (y, scaled) = shares(a, s);
    let total = |a: &Array<f64>| a.to_vec().unwrap().into_iter().sum::<f64>();
    let (sum, dsum) = (total(a), total(da));
    let dy = (da - &y * dsum) / sum;
    let dscaled = dsum * f64::from(s) + sum * f64::from(ds);
    ((y, scaled), (dy, dscaled))
}

#[differentiable]
fn of_shares(a: &Array<f64>, s: f32) -> Array<f64> {
    let (y, scaled) = shares(&(a * a + 1.0), s);
    (y * a).sum() * scaled
}

#[test]
fn arrays_are_given_and_returned() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let a = Array::from_vec_on(
        &Device::cpu(),
        vec![0.5, 1.0, -0.25, 2.0, 1.5, 0.75],
        [2, 3],
    );
    test_rule::<shares>(&ctx, (&a, 1.5)).unwrap();
    test_rule::<of_shares>(&ctx, (&a, 1.5)).unwrap();
}

/// Elements at positions, times their number.
#[differentiable(rrule = picked_rrule, frule = picked_frule)]
fn picked(x: &[f64], at: &[usize], twice: bool, n: u8) -> f64 {
    let sum: f64 = at.iter().map(|&i| x[i]).sum();
    sum * f64::from(n) * if twice { 2.0 } else { 1.0 }
}

fn picked_rrule(
    x: &[f64],
    at: &[usize],
    twice: bool,
    n: u8,
) -> (f64, impl FnOnce(f64, &mut [f64]) + use<>) {
    let positions = at.to_vec();
    let slope = f64::from(n) * if twice { 2.0 } else { 1.0 };
    let pullback = move |dy: f64, dx: &mut [f64]| {
        positions.iter().for_each(|&i| dx[i] += slope * dy);
    };
    (picked(x, at, twice, n), pullback)
}

fn picked_frule(x: &[f64], at: &[usize], twice: bool, n: u8, dx: &[f64]) -> (f64, f64) {
    (picked(x, at, twice, n), picked(dx, at, twice, n))
}

#[test]
fn what_has_no_derivative_has_no_shadow() {
    let at = [2, 0, 2];
    test_rule::<picked>(&Context::default(), (&[0.5, 1.5, -1.0], &at[..], true, 3)).unwrap();
}

#[differentiable]
impl Spring {
    #[differentiable(rrule = Self::stored_rrule, frule = stored_frule)]
    fn stored(&self, x: f64) -> f64 {
        0.5 * self.k * (x - self.rest).powi(2)
    }
}

impl Spring {
    fn stored_rrule(&self, x: f64) -> (f64, impl FnOnce(f64) -> (SpringGradient, f64) + use<>) {
        let (k, far) = (self.k, x - self.rest);
        let pullback = move |dy: f64| {
            let dspring = SpringGradient {
                k: dy * 0.5 * far * far,
                rest: -dy * k * far,
                is_broken: (),
            };
            (dspring, dy * k * far)
        };
        (self.stored(x), pullback)
    }
}

fn stored_frule(spring: &Spring, x: f64, dspring: &SpringGradient, dx: f64) -> (f64, f64) {
    let far = x - spring.rest;
    let dy = 0.5 * dspring.k * far * far + spring.k * far * (dx - dspring.rest);
    (spring.stored(x), dy)
}

#[differentiable]
trait Potential {
    fn at(&self, x: f64) -> f64;
}

#[differentiable]
impl Potential for Spring {
    #[differentiable(rrule = Self::stored_rrule, frule = stored_frule)]
    fn at(&self, x: f64) -> f64 {
        self.stored(x)
    }
}

#[differentiable]
fn of_methods(spring: &Spring, x: f64) -> f64 {
    let first: &dyn Potential = spring;
    spring.stored(x * x) + first.at(x) * x
}

#[test]
fn methods_have_rules_of_their_own() {
    let spring = Spring {
        k: 1.5,
        rest: 0.25,
        is_broken: false,
    };
    test_rule::<of_methods>(&Context::default(), (&spring, 0.75)).unwrap();
}

/// How often pullbacks were dropped. Tests that count take turns.
static DROPPED: AtomicUsize = AtomicUsize::new(0);
static TURN: Mutex<()> = Mutex::new(());

struct Counted;
impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::SeqCst);
    }
}

/// How many pullbacks are dropped while `f` runs.
fn dropped(f: impl FnOnce()) -> usize {
    let _turn = TURN.lock().unwrap_or_else(|e| e.into_inner());
    let before = DROPPED.load(Ordering::SeqCst);
    f();
    DROPPED.load(Ordering::SeqCst) - before
}

#[differentiable(rrule = counted_rrule)]
fn counted(x: f64) -> f64 {
    x * x
}

fn counted_rrule(x: f64) -> (f64, impl FnOnce(f64) -> f64) {
    assert!(x < 100.0, "too large");
    let held = Counted;
    let pullback = move |dy: f64| {
        let _held = &held;
        assert!(dy < 100.0, "a cotangent too large");
        2.0 * x * dy
    };
    (counted(x), pullback)
}

#[differentiable]
fn count_many(x: f64, n: usize, list: &[f64]) -> f64 {
    let mut y = x;
    for i in 0..n {
        y = counted(y) * list[i];
    }
    y
}

#[test]
fn a_pullback_is_dropped_once_when_it_is_called() {
    let rule = Context::default().build_rrule::<count_many>().unwrap();
    let list = [0.5; 5];
    let count = dropped(|| {
        rule.value_and_gradient((1.5, 3, &list)).unwrap();
    });
    assert_eq!(count, 3);
    let count = dropped(|| {
        let (_, pullback) = rule.value_and_pullback((1.5, 4, &list)).unwrap();
        pullback(1.0);
    });
    assert_eq!(count, 4);
}

#[test]
fn a_pullback_is_dropped_once_when_it_is_not_called() {
    let rule = Context::default().build_rrule::<count_many>().unwrap();
    let list = [0.5; 5];
    let count = dropped(|| {
        let (_, pullback) = rule.value_and_pullback((1.5, 4, &list)).unwrap();
        drop(pullback);
    });
    assert_eq!(count, 4, "the pullback of the whole is dropped uncalled");
    let count = dropped(|| {
        let error = rule.value_and_gradient((1.5, 9, &list)).unwrap_err();
        assert!(error.to_string().contains("index out of bounds"), "{error}");
    });
    assert_eq!(count, 6, "the list ends after five, one call later");
    let count = dropped(|| {
        let error = rule.value_and_gradient((1e3, 2, &list)).unwrap_err();
        assert!(error.to_string().contains("too large"), "{error}");
    });
    assert_eq!(count, 0, "the rule itself panics");
    let count = dropped(|| {
        let (_, pullback) = rule.pullback((1.5, 2, &list)).unwrap();
        let error = pullback.apply(1e6).unwrap_err();
        assert!(
            error.to_string().contains("a cotangent too large"),
            "{error}"
        );
    });
    assert_eq!(count, 2, "a pullback panics");
}

#[test]
fn a_pullback_is_called_and_dropped_on_another_thread() {
    let rule = Context::default().build_rrule::<count_many>().unwrap();
    let list = [0.5; 5];
    let count = dropped(|| {
        let (_, called) = rule.pullback((1.5, 3, &list)).unwrap();
        let (_, left) = rule.pullback((1.5, 2, &list)).unwrap();
        let gradient = std::thread::scope(|scope| {
            scope.spawn(move || drop(left));
            let called = scope.spawn(move || called.apply(1.0).unwrap());
            called.join().unwrap()
        });
        let here = rule.value_and_gradient((1.5, 3, &list)).unwrap().1;
        assert_eq!(gradient, here);
    });
    assert_eq!(count, 8);
}

#[test]
fn a_rule_without_a_direction_says_so() {
    let ctx = Context::default();
    test_rule::<counted>(&ctx, (0.75,)).unwrap();
    let error = ctx.build_frule::<count_many>().and_then(|rule| {
        rule.value_and_derivative((1.5, 2, &[1.0, 2.0]), (1.0, (), ()))
            .map(drop)
    });
    expect![[r#"
        no rule gives the derivative of `own_rules::counted(f64)`, called in `own_rules::count_many` with arguments that depend on active parameters
          --> tests/own_rules.rs:379:13
             |
         379 |         y = counted(y) * list[i];
             |             ^^^^^^^
          help: its rule has no `frule`, which forward mode needs: use reverse mode, or add one"#]].assert_eq(&error.unwrap_err().to_string());

    #[differentiable(frule = forward_only_frule)]
    fn forward_only(x: f64) -> f64 {
        x.sin()
    }
    fn forward_only_frule(x: f64, dx: f64) -> (f64, f64) {
        (x.sin(), x.cos() * dx)
    }
    let frule = ctx.build_frule::<forward_only>().unwrap();
    let (y, dy) = frule.value_and_derivative((0.5,), (2.0,)).unwrap();
    assert_eq!((y, dy), (0.5_f64.sin(), 0.5_f64.cos() * 2.0));
    let error = { ctx.build_rrule::<forward_only>() }
        .and_then(|rule| rule.value_and_gradient((0.5,)).map(drop));
    expect![[r#"
        no rule gives the derivative of `own_rules::forward_only(f64)`, called in `own_rules::forward_only.call` with arguments that depend on active parameters
          --> tests/own_rules.rs:464:8
             |
         464 |     fn forward_only(x: f64) -> f64 {
             |        ^^^^^^^^^^^^
          help: its rule has no `rrule`, which reverse mode needs: use forward mode, or add one"#]].assert_eq(&error.unwrap_err().to_string());
}

#[test]
fn a_second_derivative_of_a_rule_is_refused() {
    let ctx = Context::default();
    let error = ctx.build_hvp::<repeated>().and_then(|rule| {
        let x = [0.5, 1.0];
        rule.value_gradient_and_hvp((&x, 0.5), (&[1.0, 0.0], 0.0))
            .map(drop)
    });
    expect![[r#"
        the rule of `own_rules::energy` is first order: its derivative, called in `own_rules::repeated.gradient`, is machine code, which cannot be differentiated again
          --> tests/own_rules.rs:53:18
            |
         53 |         total += energy(&own, a) * energy(&x[1..], total);
            |                  ^^^^^^
          help: for second derivatives give `own_rules::energy`, if it is a pack's, a `second`, which serves `hvp` (the derivative of a gradient) but not the gradient of a derivative, or a `pullback` and a `tangent` made of operations that have rules; if it is the program's, an `overlay` in place of the rule; or take differences of the gradient"#]].assert_eq(&error.unwrap_err().to_string());
}

#[test]
fn wrong_rules_are_found() {
    #[differentiable(rrule = wrong_rrule)]
    fn wrong(x: &[f64]) -> f64 {
        x[0] * x[1]
    }
    fn wrong_rrule(x: &[f64]) -> (f64, impl FnOnce(f64, &mut [f64]) + use<>) {
        let (y, a, b) = (wrong(x), x[0], x[1]);
        let pullback = move |dy: f64, dx: &mut [f64]| {
            dx[0] += dy * b;
            dx[1] += dy * a * 1.01;
        };
        (y, pullback)
    }
    let error = test_rule::<wrong>(&Context::default(), (&[0.5, 2.0],)).unwrap_err();
    assert!(
        matches!(
            error,
            Error::Rule {
                property: "gradient",
                ..
            }
        ),
        "{error}"
    );

    #[differentiable(rrule = misshapen_rrule)]
    fn misshapen(x: &Array<f64>) -> Array<f64> {
        x * 2.0
    }
    fn misshapen_rrule(
        x: &Array<f64>,
    ) -> (Array<f64>, impl FnOnce(Array<f64>) -> Array<f64> + use<>) {
        (misshapen(x), |dy: Array<f64>| dy.reshape([4]) * 2.0)
    }
    let x = Array::from_vec_on(&Device::cpu(), vec![1.0; 4], [2, 2]);
    let rule = Context::default().build_rrule::<misshapen>().unwrap();
    let (y, pullback) = rule.pullback((&x,)).unwrap();
    let error = pullback.apply(y).unwrap_err().to_string();
    assert!(
        error.contains("a cotangent of shape [4] for an argument of shape [2, 2]"),
        "{error}"
    );
}

#[test]
fn rules_of_the_program_are_primitives_by_their_paths() {
    let ctx = Context::default();
    let types = [Type::slice(Type::F64), Type::F64];
    assert!(ctx.is_primitive("own_rules::energy", &types));
    assert!(!ctx.is_primitive("own_rules::repeated", &types));
    assert!(ctx.is_primitive(
        "own_rules::Spring::stored",
        &[Type::F64, Type::F64, Type::Bool, Type::F64]
    ));
    let used = ctx.rules_used::<repeated>().unwrap().to_string();
    assert!(used.contains("own_rules::energy"), "{used}");
}

#[test]
fn functions_of_one_path_have_their_own_rules() {
    fn of_sines() -> f64 {
        #[differentiable(rrule = inner_rrule)]
        fn inner(x: f64) -> f64 {
            x.sin()
        }
        fn inner_rrule(x: f64) -> (f64, impl FnOnce(f64) -> f64) {
            (x.sin(), move |dy| dy * x.cos())
        }
        let rule = Context::default().build_rrule::<inner>().unwrap();
        rule.value_and_gradient((0.5,)).unwrap().1.0
    }
    fn of_squares() -> f64 {
        #[differentiable(rrule = inner_rrule)]
        fn inner(x: f64) -> f64 {
            x * x
        }
        fn inner_rrule(x: f64) -> (f64, impl FnOnce(f64) -> f64) {
            (x * x, move |dy| dy * 2.0 * x)
        }
        let rule = Context::default().build_rrule::<inner>().unwrap();
        rule.value_and_gradient((0.5,)).unwrap().1.0
    }
    assert_eq!(of_sines(), 0.5_f64.cos());
    assert_eq!(of_squares(), 1.0);
}

#[test]
fn a_panic_of_the_function_is_an_error_of_the_call() {
    #[differentiable(rrule = panics_rrule)]
    fn panics(x: f64) -> f64 {
        assert!(x > 0.0, "not positive: {x}");
        x
    }
    fn panics_rrule(x: f64) -> (f64, impl FnOnce(f64) -> f64) {
        (panics(x), |dy| dy)
    }
    assert!(catch_unwind(AssertUnwindSafe(|| panics(-1.0))).is_err());
    let ctx = Context::default();
    let error = ctx
        .build_primal::<panics>()
        .unwrap()
        .call((-1.0,))
        .unwrap_err();
    assert!(error.to_string().contains("not positive: -1"), "{error}");
    // The next call is not affected.
    assert_eq!(
        ctx.build_primal::<panics>().unwrap().call((1.0,)).unwrap(),
        1.0
    );
}

#[test]
fn gradients_add_up_where_one_argument_is_used_twice() {
    #[differentiable]
    fn twice(x: &[f64], a: f64) -> f64 {
        energy(x, a) * energy(x, a) + energy(&x[..1], a)
    }
    test_rule::<twice>(&Context::default(), (&[0.5, 0.25], 1.5)).unwrap();
}

#[test]
fn compiled_calls_give_the_native_value() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let spring = Spring {
        k: 1.5,
        rest: 0.25,
        is_broken: false,
    };
    let value = ctx.build_primal::<pulled_twice>().unwrap();
    assert_eq!(
        value.call((&spring, 0.75)).unwrap(),
        pulled_twice(&spring, 0.75)
    );
    let value = ctx.build_primal::<of_methods>().unwrap();
    assert_eq!(
        value.call((&spring, 0.75)).unwrap(),
        of_methods(&spring, 0.75)
    );
    let value = ctx.build_primal::<pull>().unwrap();
    assert_eq!(
        value.call((&spring, (0.5, 2))).unwrap(),
        pull(&spring, (0.5, 2))
    );
    let value = ctx.build_primal::<squares_twice>().unwrap();
    let (mut x, mut y) = ([0.5, -0.25, 0.75], [0.5, -0.25, 0.75]);
    assert_eq!(
        value.call((&mut x, 1.5)).unwrap(),
        squares_twice(&mut y, 1.5)
    );
    assert_eq!(x, y);
    let value = ctx.build_primal::<picked>().unwrap();
    let args = (&[0.5, 1.5, -1.0], &[2, 0, 2], true, 3);
    assert_eq!(
        value.call(args).unwrap(),
        picked(&args.0[..], &args.1[..], true, 3)
    );
}

/// The squares of the elements.
#[differentiable(rrule = squared_rrule, frule = squared_frule)]
fn squared(x: &Array<f32>) -> Array<f32> {
    x * x
}

fn squared_rrule(x: &Array<f32>) -> (Array<f32>, impl FnOnce(Array<f32>) -> Array<f32> + use<>) {
    let kept = x.clone();
    (squared(x), move |dy: Array<f32>| dy * kept * 2.0)
}

fn squared_frule(x: &Array<f32>, dx: &Array<f32>) -> (Array<f32>, Array<f32>) {
    (squared(x), x * dx * 2.0)
}

#[differentiable]
fn of_squared(x: &Array<f32>, w: &Array<f32>) -> Array<f32> {
    (squared(&(x * w)).sin() + squared(w)).sum()
}

#[test]
fn arrays_of_every_device_are_given_to_a_rule() {
    let mut devices = vec![Device::cpu()];
    match Device::gpu() {
        Ok(gpu) => devices.push(gpu),
        Err(error) if std::env::var_os("MOONCAKE_REQUIRE_GPU").is_some() => panic!("{error}"),
        Err(error) => eprintln!("not tested on a GPU: {error}"),
    }
    for device in devices {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let array = |data: [f32; 6]| Array::from_vec_on(&device, data.to_vec(), [2, 3]);
        let x = array([0.5, 1.0, -0.25, 0.75, 1.5, -1.0]);
        let w = array([1.5, -0.5, 0.25, 0.5, 1.0, 0.75]);
        test_rule::<of_squared>(&ctx, (&x, &w)).unwrap_or_else(|e| panic!("{device}: {e}"));
        let rule = ctx.build_rrule::<of_squared>().unwrap();
        let (y, (dx, _)) = rule.value_and_gradient((&x, &w)).unwrap();
        assert_eq!((y.device(), dx.device()), (&device, &device));
    }
}

#[test]
fn what_no_rule_takes_is_refused() {
    #[differentiable(rrule = of_vec_rrule)]
    fn of_vec(x: Vec<f64>) -> f64 {
        x[0]
    }
    fn of_vec_rrule(x: Vec<f64>) -> (f64, impl FnOnce(f64) -> Vec<f64>) {
        (x[0], move |dy| vec![dy; x.len()])
    }
    #[differentiable]
    fn calls(x: f64) -> f64 {
        of_vec(vec![x])
    }
    let error = Context::default().build_rrule::<calls>().err().unwrap();
    expect![[r#"
        `Vec<f64>` is not passed to `own_rules::of_vec`, which is a rule of its own
          --> tests/own_rules.rs:711:9
             |
         711 |         of_vec(vec![x])
             |         ^^^^^^
          help: rules take numbers, arrays, slices of numbers, and tuples and structs of numbers and arrays: pass a `Vec` as a slice, and the parts of other types"#]].assert_eq(&error.to_string());
}

#[differentiable]
fn halved(x: &[f64], a: f64) -> f64 {
    if x.len() < 2 {
        return energy(x, a);
    }
    let (left, right) = x.split_at(x.len() / 2);
    let mut total = halved(left, a);
    while total < 2.0 {
        total += energy(right, total) * 0.25 + 2.0;
    }
    total * halved(right, a)
}

#[differentiable]
fn of_springs(springs: &[Box<dyn Potential>], x: f64) -> f64 {
    let mut total = x;
    for spring in springs {
        total += spring.at(total);
    }
    total
}

#[test]
fn rules_are_called_in_recursions_and_through_dyn_and_in_debug_mode() {
    let spring = |k| -> Box<dyn Potential> {
        Box::new(Spring {
            k,
            rest: 0.25,
            is_broken: false,
        })
    };
    let springs = vec![spring(0.5), spring(0.75)];
    let x = [0.5, -1.25, 2.0, 0.75, 1.0];
    for debug in [false, true] {
        let ctx = Context::builder().debug(debug).build().unwrap();
        test_rule::<halved>(&ctx, (&x, 0.75)).unwrap();
        test_rule::<of_springs>(&ctx, (&springs, 0.5)).unwrap();
        test_rule::<repeated>(&ctx, (&x, 0.75)).unwrap();
        test_rule::<squares_twice>(&ctx, (&mut [0.5, -0.25, 0.75], 1.5)).unwrap();
    }
    let ctx = Context::builder().on_demand_above(0).build().unwrap();
    test_rule::<of_springs>(&ctx, (&springs, 0.5)).unwrap();
}
