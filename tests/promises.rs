//! What a rule promises beside numbers: errors leave it usable, threads share it, constant arguments cost nothing,
//! steady state allocates nothing.

use mooncake::prelude::*;
use mooncake::{Const, Error};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the allocations of each thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|n| n.set(n.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(f: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    f();
    ALLOCATIONS.with(Cell::get) - before
}

#[differentiable]
fn weighted(x: &[f64], w: &[f64], a: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += a * w[i] * x[i] * x[i];
    }
    s
}

#[differentiable]
fn until_large(x: &[f64]) -> f64 {
    let mut y: f64 = 1.0;
    let mut i = 0;
    while y < 100.0 {
        y += 0.5 * y.sin() * x[i] + x[i];
        i += 1;
    }
    y
}

#[test]
fn into_overwrites_and_allocates_nothing() {
    let ctx = Context::default();
    let (x, w) = (vec![1.0, 2.0, 3.0], [1.0, 0.5, 0.25]);
    let (mut dx, mut dw, mut da) = (vec![9.0; 3], [9.0; 3], 9.0);
    let rule = ctx.build_rrule::<weighted>().unwrap();
    let mut call = || {
        let y = rule.value_and_gradient_into((&x, &w, 2.0), (&mut dx, &mut dw, &mut da));
        assert_eq!(y.unwrap(), 10.5);
    };
    call();
    assert_eq!(allocations(call), 0);
    assert_eq!(dx, [4.0, 4.0, 3.0]);
    assert_eq!(dw, [2.0, 8.0, 18.0]);
    assert_eq!(da, 5.25);

    let rule = ctx.build_rrule::<until_large>().unwrap();
    let x = vec![0.5; 1000];
    let mut dx = vec![0.0; 1000];
    let mut call = || {
        rule.value_and_gradient_into((&x,), (&mut dx,)).unwrap();
    };
    call();
    assert_eq!(allocations(call), 0, "also with a tape");
}

#[differentiable]
fn small_steps(x: &Array<f64>, turns: usize) -> f64 {
    let mut y = x.clone();
    for _ in 0..turns {
        y = (&y * 1.01 + 0.5).sin() * x;
    }
    y.sum().to_scalar()
}

/// An array of eight elements is computed where the program's numbers are: more turns of a loop are no reason for more memory.
#[test]
fn steps_on_small_arrays_allocate_nothing() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let x = Array::from_vec_on(&Device::cpu(), vec![0.3; 8], 8);
    let rule = ctx.build_rrule::<small_steps>().unwrap();
    let value = |turns: usize| {
        rule.value((&x, turns)).unwrap();
    };
    value(1000);
    let gradient = |turns: usize| {
        rule.value_and_gradient((&x, turns)).unwrap();
    };
    gradient(1000);
    // Some for the results, and a table that grows by doubling.
    for allocated in [allocations(|| value(1000)), allocations(|| gradient(1000))] {
        assert!(allocated < 30, "{allocated} allocations in 1000 turns");
    }
}

#[test]
fn constant_arguments_have_no_gradient() {
    let rule = Context::default().build_rrule::<weighted>().unwrap();
    let (x, w) = ([1.0, 2.0], [1.0, 0.5]);
    let (y, (dx, (), ())) = rule
        .value_and_gradient((&x, Const(&w), Const(2.0)))
        .unwrap();
    assert_eq!((y, dx), (6.0, vec![4.0, 4.0]));
    let mut da = 0.0;
    let places = (&mut (), &mut (), &mut da);
    rule.value_and_gradient_into((Const(&x), Const(&w), 2.0), places)
        .unwrap();
    assert_eq!(da, 3.0);
    assert_eq!(rule.value((&x, &w, 2.0)).unwrap(), 6.0);
}

#[test]
fn a_gradient_of_another_length_is_refused() {
    let rule = Context::default().build_rrule::<weighted>().unwrap();
    let (mut dx, mut dw, mut da) = (vec![0.0; 2], vec![0.0; 3], 0.0);
    let error = rule
        .value_and_gradient_into((&[1.0; 3], &[1.0; 3], 2.0), (&mut dx, &mut dw, &mut da))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "argument 1 has 3 elements: expected a gradient of that length, found 2"
    );
}

#[test]
fn an_index_out_of_range_is_an_error_and_the_next_call_works() {
    let rule = Context::default().build_rrule::<weighted>().unwrap();
    let Err(Error::Fault(fault)) = rule.value_and_gradient((&[1.0; 3], &[1.0; 2], 2.0)) else {
        panic!("w[2] is out of range");
    };
    assert_eq!(
        fault.message,
        "index out of bounds: the len is 2 but the index is 2"
    );
    assert!(
        fault.span.file.ends_with("promises.rs") && fault.span.line > 0,
        "{}",
        fault.span
    );
    let (y, _) = rule
        .value_and_gradient((&[1.0; 2], &[1.0; 2], 2.0))
        .unwrap();
    assert_eq!(y, 4.0);

    let rule = Context::default().build_rrule::<until_large>().unwrap();
    for _ in 0..3 {
        assert!(rule.value_and_gradient((&[0.5; 10],)).is_err(), "too short");
        assert!(rule.value_and_gradient((&[0.5; 1000],)).is_ok());
    }
}

#[differentiable]
fn checked(x: f64, n: u8, d: i32) -> f64 {
    assert!(x > 0.0, "x must be positive");
    let m = n + 250;
    let q = 10 / d;
    if q == 7 {
        panic!("seven");
    }
    x * m as f64 * q as f64
}

#[test]
fn panics_of_the_function_are_faults() {
    let rule = Context::default().build_rrule::<checked>().unwrap();
    let message = |x: f64, n: u8, d: i32| match rule.value_and_gradient((x, n, d)) {
        Err(Error::Fault(fault)) => fault.message,
        other => panic!("{other:?}"),
    };
    assert_eq!(message(-1.0, 1, 1), "x must be positive");
    assert_eq!(message(1.0, 6, 1), "attempt to add with overflow");
    assert_eq!(message(1.0, 1, 0), "attempt to divide by zero");
    assert_eq!(
        rule.value_and_gradient((2.0, 1, 5)).unwrap(),
        (1004.0, (502.0, (), ()))
    );
}

#[differentiable]
fn endless(x: f64) -> f64 {
    if x < 0.0 { x } else { x + endless(x * 0.5) }
}

#[test]
fn endless_recursion_is_an_error() {
    let rule = Context::default().build_rrule::<endless>().unwrap();
    let thread = std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(move || {
            let error = rule.value_and_gradient((1.0,)).unwrap_err();
            assert!(error.to_string().contains("too deep"), "{error}");
        });
    thread.unwrap().join().unwrap();
}

#[test]
fn a_rule_is_shared_by_threads_and_clones() {
    let rule = Context::default().build_rrule::<until_large>().unwrap();
    let expected = rule.value_and_gradient((&[0.5; 1000],)).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let (shared, clone, expected) = (&rule, rule.clone(), &expected);
            scope.spawn(move || {
                for _ in 0..50 {
                    assert_eq!(
                        &shared.value_and_gradient((&[0.5; 1000],)).unwrap(),
                        expected
                    );
                    assert_eq!(
                        &clone.value_and_gradient((&[0.5; 1000],)).unwrap(),
                        expected
                    );
                }
            });
        }
    });
}

#[differentiable]
fn advance(u: &mut [f64], dt: f64) {
    for i in 0..u.len() {
        u[i] += dt * u[i] * u[i];
    }
}

#[test]
fn a_pullback_takes_cotangents_and_restores() {
    let ctx = Context::default();
    let rule = ctx.build_rrule::<weighted>().unwrap();
    let (x, w) = ([1.0, 2.0], [1.0, 0.5]);
    let (y, first) = rule.value_and_pullback((&x, &w, 2.0)).unwrap();
    let (_, second) = rule.value_and_pullback((&x, Const(&w), 3.0)).unwrap();
    let (_, dropped) = rule.value_and_pullback((&x, &w, 2.0)).unwrap();
    drop(dropped);
    assert_eq!(y, 6.0);
    assert_eq!(second(1.0), (vec![6.0, 6.0], (), 3.0));
    assert_eq!(first(10.0), (vec![40.0, 40.0], vec![20.0, 80.0], 30.0));

    let rule = ctx.build_rrule::<advance>().unwrap();
    let mut u = [1.0, 3.0];
    assert!(
        rule.value_and_gradient((&mut u, 0.5)).is_err(),
        "it returns nothing"
    );
    let ((), pullback) = rule.pullback((&mut u, 0.5)).unwrap();
    let (mut du, mut ddt) = ([1.0, 10.0], 100.0);
    pullback.accumulate((), (&mut du, &mut ddt)).unwrap();
    assert_eq!(u, [1.0, 3.0], "restored");
    assert_eq!(du, [2.0, 40.0]);
    assert_eq!(ddt, 100.0 + 1.0 + 90.0);
    let ((), unused) = rule.pullback((&mut u, 0.5)).unwrap();
    drop(unused);
    assert_eq!(u, [1.5, 7.5], "as the native function leaves it");
}

#[differentiable]
fn statistics(x: &[f64]) -> (f64, f64, usize) {
    let mut s = 0.0;
    let mut q = 0.0;
    for v in x {
        s += v;
        q += v * v;
    }
    (s, q, x.len())
}

#[test]
fn several_results_have_pullbacks_and_no_gradient() {
    let ctx = Context::default();
    let rule = ctx.build_rrule::<statistics>().unwrap();
    let (y, pullback) = rule.value_and_pullback((&[1.0, 2.0],)).unwrap();
    assert_eq!(y, (3.0, 5.0, 2));
    assert_eq!(pullback((10.0, 1.0, ())), (vec![12.0, 14.0],));
    let error = rule.value_and_gradient((&[1.0],)).unwrap_err();
    assert!(
        error.to_string().contains("call value_and_pullback"),
        "{error}"
    );
    let primal = ctx.build_primal::<statistics>().unwrap();
    assert_eq!(primal.call((&[1.0, 2.0],)).unwrap(), (3.0, 5.0, 2));
}

#[test]
fn the_stages_can_be_read() {
    let ctx = Context::default();
    let primal = ctx.primal_ir::<weighted>().unwrap();
    assert!(
        primal.contains("mul") && primal.contains("load"),
        "{primal}"
    );
    let forward = ctx.forward_ir::<until_large>().unwrap();
    assert!(forward.contains("tape_push"), "{forward}");
    let reverse = ctx.reverse_ir::<until_large>().unwrap();
    assert!(reverse.contains("tape_pop"), "{reverse}");
    let gradient = ctx.gradient_ir::<weighted>().unwrap();
    assert!(
        !gradient.contains("tape_push"),
        "independent iterations: {gradient}"
    );
}
