//! What a value leads to that is chosen at run time is derived when a call first comes to it.

use mooncake::Const;
use mooncake::prelude::*;
use std::rc::Rc;

/// Large once it is part of its caller.
#[differentiable]
fn stirred(mut x: f64, a: f64) -> f64 {
    x = (x * a).sin() + x / (1.0 + a * a);
    x = (x - a).cos() * x + (x * x + 1.0).sqrt();
    x = (x * 0.3).tanh() - x * a + (1.0 + a.abs()).ln();
    x = if x > 0.5 {
        x * 0.7 - a
    } else {
        x * x * 0.1 + a
    };
    x = (x * a).sin() + x / (1.0 + a * a);
    x = (x - a).cos() * x + (x * x + 1.0).sqrt();
    // Tame, or many of them in a row are chaotic.
    (0.2 * x).sin()
}

#[differentiable]
trait Stage {
    fn run(&self, x: f64) -> f64;
    /// Changes itself.
    fn learn(&mut self, rate: f64);
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Stir {
    a: f64,
    b: Vec<f64>,
}

#[differentiable]
impl Stage for Stir {
    fn run(&self, x: f64) -> f64 {
        let y = stirred(stirred(stirred(x, self.a), self.b[0]), self.b[1]);
        stirred(stirred(y, self.b[2]), self.a * self.b[0])
    }
    fn learn(&mut self, rate: f64) {
        for n in 0..self.b.len() {
            self.b[n] += rate * stirred(stirred(stirred(self.b[n], 0.1), rate), self.a);
        }
        self.a *= 1.0 + rate;
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Fold {
    weights: [f64; 3],
}

#[differentiable]
impl Stage for Fold {
    fn run(&self, x: f64) -> f64 {
        let mut y = stirred(stirred(x, 0.3), self.weights[0]);
        for w in self.weights {
            y = stirred(stirred(y * w, 0.2), w) - stirred(y, w);
        }
        y
    }
    fn learn(&mut self, rate: f64) {
        let [a, b, c] = self.weights;
        self.weights = [
            stirred(stirred(b, a), rate),
            stirred(stirred(c, b), rate),
            stirred(stirred(a, c), b),
        ];
    }
}

/// Runs others, itself among them.
#[derive(Differentiable)]
struct Chain {
    first: Box<dyn Stage>,
    rest: Option<Box<dyn Stage>>,
    gain: f64,
}

#[differentiable]
impl Stage for Chain {
    fn run(&self, x: f64) -> f64 {
        let y = stirred(stirred(self.first.run(x), self.gain), 0.1);
        match &self.rest {
            None => stirred(stirred(y, 0.4), self.gain),
            Some(rest) => rest.run(stirred(stirred(y, 0.2), self.gain)) + x,
        }
    }
    fn learn(&mut self, rate: f64) {
        self.first
            .learn(stirred(stirred(stirred(rate, 0.2), 0.3), self.gain));
        if let Some(rest) = &mut self.rest {
            rest.learn(stirred(stirred(rate, 0.2), self.gain));
        }
    }
}

#[differentiable]
fn pipeline(stages: &[Box<dyn Stage>], x: f64) -> f64 {
    stages.iter().fold(x, |x, stage| stage.run(x))
}

#[differentiable]
fn trained(stages: &mut [Box<dyn Stage>], x: f64, rate: f64) -> f64 {
    let mut total = 0.0;
    for _ in 0..2 {
        for stage in stages.iter_mut() {
            stage.learn(rate);
            total += stage.run(x + total);
        }
    }
    total
}

fn stir() -> Box<dyn Stage> {
    Box::new(Stir {
        a: 0.4,
        b: vec![0.2, -0.7, 0.5],
    })
}

fn fold() -> Box<dyn Stage> {
    Box::new(Fold {
        weights: [0.5, -0.3, 0.8],
    })
}

fn chain() -> Box<dyn Stage> {
    let inner = Chain {
        first: fold(),
        rest: Some(stir()),
        gain: 0.3,
    };
    Box::new(Chain {
        first: stir(),
        rest: Some(Box::new(inner)),
        gain: -0.2,
    })
}

fn contexts() -> [Context; 5] {
    let all = Context::builder;
    [
        all(),
        all().on_demand_above(0),
        all().on_demand_above(usize::MAX),
        all().debug(true),
        all().minimal(),
    ]
    .map(|builder| builder.build().unwrap())
}

#[test]
fn what_never_runs_is_never_derived() {
    let rule = Context::default().build_rrule::<pipeline>().unwrap();
    assert_eq!(rule.derived_on_demand(), [""; 0]);
    let empty: Vec<Box<dyn Stage>> = Vec::new();
    rule.value_and_gradient((&empty, 0.5)).unwrap();
    assert_eq!(rule.derived_on_demand(), [""; 0]);
    rule.value_and_gradient((&vec![stir(), stir()], 0.5))
        .unwrap();
    let derived = rule.derived_on_demand();
    assert!(
        derived.iter().all(|name| name.contains("Stir")),
        "{derived:?}"
    );
    assert_eq!(derived.len(), 2, "the two halves of one: {derived:?}");
    // A clone is the same rule; another stage is another callee.
    rule.clone()
        .value_and_gradient((&vec![stir(), fold()], 0.5))
        .unwrap();
    assert_eq!(rule.derived_on_demand().len(), 4);
    rule.value_and_gradient((&vec![chain()], 0.5)).unwrap();
    assert_eq!(rule.derived_on_demand().len(), 6);
}

#[test]
fn forward_mode_derives_on_demand_too() {
    let rule = Context::default().build_frule::<pipeline>().unwrap();
    let stages = vec![chain()];
    let (y, dy) = rule
        .value_and_derivative((&stages, 0.5), ((), 1.0))
        .unwrap();
    assert_eq!(y, pipeline(&stages, 0.5));
    let reverse = Context::default().build_rrule::<pipeline>().unwrap();
    let (_, (_, dx)) = reverse.value_and_gradient((&stages, 0.5)).unwrap();
    assert!((dy - dx).abs() <= 1e-12 * dx.abs(), "{dy} {dx}");
    assert_eq!(rule.derived_on_demand().len(), 3);
}

#[test]
fn rules_on_demand_are_right() {
    for ctx in contexts() {
        test_rule::<pipeline>(&ctx, (&vec![stir(), fold()], 0.5)).unwrap();
    }
    let ctx = Context::default();
    test_rule::<pipeline>(&ctx, (&vec![chain(), stir()], 0.5)).unwrap();
    test_rule::<trained>(&ctx, (&mut vec![chain(), fold()], 0.5, 0.1)).unwrap();
}

#[differentiable]
fn closures(x: f64, a: &[f64], which: usize) -> f64 {
    let twice =
        |x: f64| stirred(stirred(stirred(x, a[0]), a[1]), 0.1) * stirred(stirred(a[0], x), 0.3);
    let b = a[1] * 2.0;
    let steps: Vec<Box<dyn Fn(f64) -> f64 + '_>> = vec![
        Box::new(twice),
        Box::new(move |x| stirred(stirred(stirred(x, b), 0.2), stirred(stirred(b, x), a[0]))),
        Box::new(|x| x * a[0]),
    ];
    steps[which](x) + steps[2](x)
}

#[differentiable]
fn slow(x: f64) -> f64 {
    stirred(stirred(stirred(stirred(stirred(x, 0.1), x), 0.2), x), 0.3)
}

#[differentiable]
fn functions(x: f64, quick: bool) -> f64 {
    let f: fn(f64) -> f64 = if quick { f64::sin } else { slow };
    f(x) * f(x + 1.0)
}

#[test]
fn closures_and_functions_as_values_are_derived_on_demand() {
    for ctx in contexts() {
        for which in 0..3 {
            test_rule::<closures>(&ctx, (0.3, &[0.4, -0.6], which)).unwrap();
        }
        for quick in [false, true] {
            test_rule::<functions>(&ctx, (0.3, quick)).unwrap();
        }
    }
    let rule = Context::default().build_rrule::<closures>().unwrap();
    rule.value_and_gradient((0.3, &[0.4, -0.6], 2)).unwrap();
    assert_eq!(rule.derived_on_demand().len(), 0);
    rule.value_and_gradient((0.3, &[0.4, -0.6], 1)).unwrap();
    assert_eq!(rule.derived_on_demand().len(), 2);
    let rule = Context::default().build_rrule::<functions>().unwrap();
    rule.value_and_gradient((0.3, true)).unwrap();
    assert_eq!(rule.derived_on_demand().len(), 0);
    rule.value_and_gradient((0.3, false)).unwrap();
    assert_eq!(rule.derived_on_demand().len(), 2);
}

/// Cotangents that meet in one variable are added in another order: that is all.
#[test]
fn when_it_is_derived_changes_no_number() {
    let gradients = |ctx: Context| {
        let rule = ctx.build_rrule::<closures>().unwrap();
        (0..3).map(move |which| {
            let (y, (dx, da, ())) = rule.value_and_gradient((0.3, &[0.4, -0.6], which)).unwrap();
            (y, [dx, da[0], da[1]])
        })
    };
    let [later, all_later, at_once, ..] = contexts().map(gradients);
    for ((later, all_later), at_once) in later.zip(all_later).zip(at_once) {
        for found in [later, all_later] {
            assert_eq!(found.0, at_once.0);
            for (a, b) in found.1.iter().zip(at_once.1) {
                assert!((a - b).abs() <= 1e-15 * b.abs().max(1.0), "{a} {b}");
            }
        }
    }
}

#[differentiable]
fn slow_in_two(x: f64, a: f64) -> f64 {
    stirred(stirred(stirred(stirred(stirred(x, a), x), 0.2), x), a)
}

#[differentiable]
fn of_two(x: f64, a: f64, quick: bool) -> f64 {
    let f: fn(f64, f64) -> f64 = if quick { f64::atan2 } else { slow_in_two };
    f(x, a)
}

#[test]
fn active_arguments_are_part_of_the_signature() {
    let rule = Context::default().build_rrule::<of_two>().unwrap();
    let (_, (only, (), ())) = rule.value_and_gradient((0.3, Const(0.7), false)).unwrap();
    assert_eq!(rule.derived_on_demand().len(), 2);
    let (_, (dx, _, ())) = rule.value_and_gradient((0.3, 0.7, false)).unwrap();
    assert_eq!(rule.derived_on_demand().len(), 4);
    rule.value_and_gradient((0.4, Const(0.7), false)).unwrap();
    assert_eq!(rule.derived_on_demand().len(), 4);
    assert!((dx - only).abs() <= 1e-15);
}

#[test]
fn threads_that_come_at_once_derive_once() {
    let rule = Context::default().build_rrule::<closures>().unwrap();
    let expected = Context::default().build_rrule::<closures>().unwrap();
    let expected = expected.value_and_gradient((0.3, &[0.4, -0.6], 0)).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let found = rule.value_and_gradient((0.3, &[0.4, -0.6], 0)).unwrap();
                    assert_eq!(found, expected);
                }
            });
        }
    });
    assert_eq!(rule.derived_on_demand().len(), 2);
}

#[differentiable]
fn guarded(x: f64, n: usize, kind: usize) -> f64 {
    let table = [x, x * x, x * 0.5];
    let rules: [&dyn Fn(f64) -> f64; 2] = [
        &|y| {
            stirred(
                stirred(stirred(y, table[n]), 0.1),
                stirred(stirred(y, 0.4), table[n]),
            )
        },
        &|y| y * table[0],
    ];
    rules[kind](x)
}

#[test]
fn a_fault_in_what_was_derived_on_demand_is_told_and_forgotten() {
    for ctx in contexts() {
        let rule = ctx.build_rrule::<guarded>().unwrap();
        let good = rule.value_and_gradient((0.5, 1, 0)).unwrap();
        for _ in 0..2 {
            let error = rule
                .value_and_gradient((0.5, 7, 0))
                .unwrap_err()
                .to_string();
            assert!(
                error.contains("index out of bounds: the len is 3 but the index is 7"),
                "{error}"
            );
            assert!(error.contains("table[n]"), "{error}");
        }
        assert_eq!(rule.value_and_gradient((0.5, 1, 0)).unwrap(), good);
        test_rule::<guarded>(&ctx, (0.5, 1, 0)).unwrap();
    }
}

/// As deep as its list is long, through functions on demand.
#[differentiable]
trait Link {
    fn total(&self, x: f64) -> f64;
}

#[derive(Differentiable)]
struct Cell {
    value: f64,
    next: Option<Rc<dyn Link>>,
}

#[differentiable]
impl Link for Cell {
    fn total(&self, x: f64) -> f64 {
        let here = stirred(stirred(stirred(stirred(x, 0.2), 0.3), self.value), 0.1);
        match &self.next {
            None => here,
            Some(next) => 0.5 * next.total(here) + stirred(self.value, 0.1),
        }
    }
}

#[differentiable]
fn listed(values: &[f64], x: f64) -> f64 {
    let mut list: Option<Rc<dyn Link>> = None;
    for value in values {
        list = Some(Rc::new(Cell {
            value: *value,
            next: list,
        }));
    }
    list.map_or(0.0, |list| list.total(x))
}

#[test]
fn recursion_through_functions_on_demand_is_as_deep_as_the_stack() {
    for ctx in contexts() {
        test_rule::<listed>(&ctx, (&[0.1, -0.4, 0.7, 0.2, 0.5], 0.3)).unwrap();
    }
    let rule = Context::builder()
        .on_demand_above(0)
        .build()
        .unwrap()
        .build_rrule::<listed>()
        .unwrap();
    let values = |n: usize| (0..n).map(|n| (n as f64).sin()).collect::<Vec<f64>>();
    rule.value_and_gradient((&values(500), 0.3)).unwrap();
    let error = rule
        .value_and_gradient((&values(2_000_000), 0.3))
        .unwrap_err();
    assert!(error.to_string().contains("too deep"), "{error}");
    rule.value_and_gradient((&values(500), 0.3)).unwrap();
    assert_eq!(rule.derived_on_demand().len(), 2);
}

#[test]
fn second_derivatives_take_everything_at_once() {
    let ctx = Context::default();
    let (_, gradient, h) = ctx.value_gradient_and_hessian::<slow>((0.3,)).unwrap();
    let hvp = ctx.build_hvp::<functions>().unwrap();
    let (y, (dx, _), (ddx, _)) = hvp.value_gradient_and_hvp((0.3, false), (1.0, ())).unwrap();
    assert_eq!(y, functions(0.3, false));
    let at = |x: f64| {
        ctx.build_rrule::<functions>()
            .unwrap()
            .value_and_gradient((x, false))
            .unwrap()
            .1
            .0
    };
    assert_eq!(dx, at(0.3));
    let step = 1e-5;
    let difference = (at(0.3 + step) - at(0.3 - step)) / (2.0 * step);
    assert!((ddx - difference).abs() < 1e-6, "{ddx} {difference}");
    assert!(gradient.0.is_finite() && h[0][0].is_finite());
}

#[test]
fn the_table_of_rules_says_what_is_derived_later() {
    let ctx = Context::default();
    let table = ctx.rules_used::<functions>().unwrap().to_string();
    let line = table.lines().find(|line| line.contains("slow")).unwrap();
    assert!(line.contains("derived when a call comes to it"), "{table}");
    // Who reads the derived code sees all of it.
    let reverse = ctx.reverse_ir::<functions>().unwrap();
    assert!(
        !reverse.contains("declare") && reverse.contains("slow.pullback"),
        "{reverse}"
    );
}

/// Every function that is chosen is derived apart.
fn all_later() -> Context {
    let all = Context::builder().device(Device::cpu());
    all.on_demand_above(0).build().unwrap()
}

/// A program that is broken while it is derived.
#[test]
fn a_panic_while_something_is_derived_is_an_error_of_that_call() {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    static BROKEN: AtomicBool = AtomicBool::new(false);
    let ctx = Context::builder()
        .on_demand_above(0)
        .change_derived(|_| assert!(!BROKEN.load(Relaxed), "broken on purpose"))
        .build()
        .unwrap();
    let rule = ctx.build_rrule::<closures>().unwrap();
    let call = |which| rule.value_and_gradient((0.3, &[0.4, -0.6], which));
    call(2).unwrap();
    BROKEN.store(true, Relaxed);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let error = call(0).unwrap_err().to_string();
                assert!(error.contains("a panic while"), "{error}");
                call(2).unwrap();
            });
        }
    });
    BROKEN.store(false, Relaxed);
    let plain = Context::default().build_rrule::<closures>().unwrap();
    let expected = plain.value_and_gradient((0.3, &[0.4, -0.6], 0)).unwrap().0;
    assert_eq!(call(0).unwrap().0, expected);
}

#[differentiable]
trait Step {
    fn go(&self, x: f64, path: &[usize]) -> f64;
}

#[derive(Differentiable)]
struct Inner {
    table: [f64; 3],
}

#[derive(Differentiable)]
struct Outer {
    table: [f64; 2],
    inner: Box<dyn Step>,
}

#[differentiable]
impl Step for Inner {
    fn go(&self, x: f64, path: &[usize]) -> f64 {
        assert!(path[1] != 9, "no way on");
        x.sin() * self.table[path[1]]
    }
}

#[differentiable]
impl Step for Outer {
    fn go(&self, x: f64, path: &[usize]) -> f64 {
        let before = self.table[path[0]] * x;
        let inner = self.inner.go(before, path);
        let after = self.inner.go(inner, path) + before;
        after * self.table[path[2]]
    }
}

#[differentiable]
fn walked(steps: &[Box<dyn Step>], x: f64, path: &[usize]) -> f64 {
    let first = [x, 2.0 * x][path[3]];
    let walked = steps[0].go(first, path);
    walked * [first, x][path[4]]
}

/// Each program has its own table of what can fail, the frame is one.
#[test]
fn a_fault_is_that_of_the_function_that_fails() {
    let inner = Box::new(Inner {
        table: [0.5, 0.7, -0.2],
    });
    let step = Outer {
        table: [1.5, 0.3],
        inner,
    };
    let steps: Vec<Box<dyn Step>> = vec![Box::new(step)];
    let ctx = all_later();
    let rule = ctx.build_rrule::<walked>().unwrap();
    let frule = ctx.build_frule::<walked>().unwrap();
    test_rule::<walked>(&ctx, (&steps, 0.4, &[1, 2, 0, 1, 0])).unwrap();
    let bad = [
        (
            [7, 0, 0, 0, 0],
            "the len is 2 but the index is 7",
            "self.table[path[0]]",
        ),
        (
            [0, 8, 0, 0, 0],
            "the len is 3 but the index is 8",
            "self.table[path[1]]",
        ),
        ([0, 9, 0, 0, 0], "no way on", "assert!("),
        (
            [0, 0, 6, 0, 0],
            "the len is 2 but the index is 6",
            "self.table[path[2]]",
        ),
        (
            [0, 0, 0, 5, 0],
            "the len is 2 but the index is 5",
            "[x, 2.0 * x][path[3]]",
        ),
        (
            [0, 0, 0, 0, 4],
            "the len is 2 but the index is 4",
            "[first, x][path[4]]",
        ),
    ];
    for (path, says, place) in bad {
        let errors = [
            rule.value((&steps, 0.4, &path)).err(),
            rule.value_and_gradient((&steps, 0.4, &path))
                .map(drop)
                .err(),
            rule.pullback((&steps, 0.4, &path)).map(drop).err(),
            { frule.value_and_derivative((&steps, 0.4, &path), ((), 1.0, ())) }.err(),
        ];
        for error in errors {
            let error = error.expect("natively it panics").to_string();
            assert!(
                error.contains(says) && error.contains(place),
                "{says}: {error}"
            );
        }
        rule.value_and_gradient((&steps, 0.4, &[0; 5])).unwrap();
    }
}

/// The stack of the calling thread is not what derivation takes place on.
#[test]
fn a_small_stack_is_enough_for_a_call_that_derives() {
    let rule = all_later().build_rrule::<pipeline>().unwrap();
    let none: Vec<Box<dyn Stage>> = Vec::new();
    rule.value_and_gradient((&none, 0.5)).unwrap();
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let thread = small.spawn(move || {
        let found = rule.value_and_gradient((&vec![chain()], 0.5)).unwrap();
        (found.0, found.1.1, rule.derived_on_demand().len())
    });
    let (y, dx, derived) = thread.unwrap().join().unwrap();
    let stages = vec![chain()];
    let plain = Context::default().build_rrule::<pipeline>().unwrap();
    let expected = plain.value_and_gradient((&stages, 0.5)).unwrap();
    assert_eq!((y, derived), (expected.0, 6));
    assert!((dx - expected.1.1).abs() <= 1e-12, "{dx}");
}

/// The halves of one call run on two threads, and the rule is gone when the second does.
#[test]
fn a_pullback_outlives_its_rule_and_its_thread() {
    let rule = all_later().build_rrule::<closures>().unwrap();
    let expected = rule
        .value_and_gradient((0.3, Const(&[0.4, -0.6]), 1))
        .unwrap();
    let fresh = all_later().build_rrule::<closures>().unwrap();
    let (y, pullback) = fresh.pullback((0.3, Const(&[0.4, -0.6]), 1)).unwrap();
    drop(fresh);
    let thread = std::thread::spawn(move || pullback.apply(1.0).unwrap());
    assert_eq!((y, thread.join().unwrap()), expected);
}

/// Threads that come to different functions, in both modes, while others run.
#[test]
fn threads_derive_different_functions_at_once() {
    let ctx = all_later();
    let rule = ctx.build_rrule::<pipeline>().unwrap();
    let frule = ctx.build_frule::<pipeline>().unwrap();
    let makers: [fn() -> Box<dyn Stage>; 3] = [stir, fold, chain];
    let plain = Context::default().build_rrule::<pipeline>().unwrap();
    std::thread::scope(|scope| {
        for make in makers.iter().chain(&makers) {
            scope.spawn(|| {
                let stages = vec![make(), fold()];
                let (y, (_, expected)) = plain.value_and_gradient((&stages, 0.5)).unwrap();
                for _ in 0..2 {
                    let (value, (_, dx)) = rule.value_and_gradient((&stages, 0.5)).unwrap();
                    let forward = frule.value_and_derivative((&stages, 0.5), ((), 1.0));
                    let (moved, dy) = forward.unwrap();
                    assert_eq!((value, moved), (y, y));
                    assert!((dx - expected).abs() <= 1e-12, "{dx} {expected}");
                    assert!((dy - expected).abs() <= 1e-12, "{dy} {expected}");
                }
            });
        }
    });
    assert_eq!(
        (
            rule.derived_on_demand().len(),
            frule.derived_on_demand().len()
        ),
        (6, 3)
    );
}

#[differentiable]
trait Layer {
    fn run(&self, x: &Array<f64>) -> Array<f64>;
}

#[derive(Differentiable)]
struct Dense {
    w: Array<f64>,
}

#[derive(Differentiable)]
struct Twice {
    first: Box<dyn Layer>,
    gain: f64,
}

#[differentiable]
impl Layer for Dense {
    fn run(&self, x: &Array<f64>) -> Array<f64> {
        x.matmul(&self.w).tanh()
    }
}

#[differentiable]
impl Layer for Twice {
    fn run(&self, x: &Array<f64>) -> Array<f64> {
        let y = self.first.run(&(x * self.gain)).map(|v| v * v + 0.1);
        self.first.run(&y) + &y
    }
}

#[differentiable]
fn layered(layers: &[Box<dyn Layer>], x: &Array<f64>) -> Array<f64> {
    let mut y = x * 0.5;
    for layer in layers {
        y = layer.run(&y.sin()) * 0.8;
    }
    y.map(|v| v.cos()).sum()
}

/// Array operations of programs that call each other: each asks for its own.
#[test]
fn arrays_go_through_functions_on_demand() {
    let numbers = |n: usize| (0..n).map(|n| (n as f64 * 0.7).sin()).collect::<Vec<_>>();
    let array = |shape| Array::from_vec_on(&Device::cpu(), numbers(4), shape);
    let dense = || Box::new(Dense { w: array([2, 2]) });
    let layers: Vec<Box<dyn Layer>> = vec![
        dense(),
        Box::new(Twice {
            first: dense(),
            gain: 1.3,
        }),
        dense(),
    ];
    let x = array([2, 2]);
    test_rule::<layered>(&all_later(), (&layers, &x)).unwrap();
    let wrong = Array::from_vec_on(&Device::cpu(), numbers(6), [2, 3]);
    let rule = all_later().build_rrule::<layered>().unwrap();
    let error = rule
        .value_and_gradient((&layers, &wrong))
        .unwrap_err()
        .to_string();
    assert!(error.contains("x.matmul(&self.w)"), "{error}");
    rule.value_and_gradient((&layers, &x)).unwrap();
}

#[differentiable]
fn chosen_in_a_kernel(x: &Array<f64>, a: f64) -> Array<f64> {
    let y = x.map(|v| {
        let f: fn(f64) -> f64 = if v < a { f64::sin } else { slow };
        f(v * a)
    });
    let f: fn(f64) -> f64 = if a < 0.0 { f64::sin } else { slow };
    (y * f(a)).sum()
}

/// Kernels wait for nobody: what they run is derived with them.
#[test]
fn what_kernels_choose_is_derived_at_once() {
    let x = Array::from_vec_on(&Device::cpu(), vec![0.1, 0.4, 0.7], [3]);
    for ctx in [Context::default(), all_later()] {
        test_rule::<chosen_in_a_kernel>(&ctx, (&x, 0.3)).unwrap();
    }
    let rule = Context::default()
        .build_rrule::<chosen_in_a_kernel>()
        .unwrap();
    rule.value_and_gradient((&x, 0.3)).unwrap();
    assert_eq!(rule.derived_on_demand(), [""; 0]);
}
