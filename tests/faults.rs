//! What a function fails with while it runs: native Rust's own words and the place in the source, in every mode; then the same rule
//! runs again. What natively takes the whole process is an error, too: seen from another process.

#![allow(
    clippy::all,
    unconditional_panic,
    arithmetic_overflow,
    reason = "the programs fail on purpose"
)]

use mooncake::prelude::*;
use mooncake::tangents::{dot, increment, scale};
use mooncake::{DifferentiableFn, Error, Result};
use std::cell::RefCell;
use std::process::Command;
use std::rc::Rc;

/// What native Rust says when it panics.
fn said(native: impl FnOnce() -> f64 + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(native).expect_err("it does not panic natively");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast::<&str>().unwrap().to_string(),
    }
}

#[track_caller]
fn fails<T: std::fmt::Debug>(outcome: Result<T>, says: &str, name: &str) {
    let Err(Error::Fault(fault)) = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!(fault.message, says);
    let drawn = fault.to_string();
    let place = format!("\n  --> {}:{}:", file!(), fault.span.line);
    assert!(drawn.contains(&place) && drawn.contains("^"), "{drawn}");
    assert!(drawn.contains(&format!("{name}(x, n)")), "{drawn}");
}

/// Functions that return for `n = 1` and fail for `n = 3`.
macro_rules! faults {
    ($($name:ident($x:ident, $n:ident) { $($body:tt)* })*) => {$(
        #[test]
        fn $name() {
            #[differentiable]
            fn f($x: f64, $n: usize) -> f64 { $($body)* }
            let ctx = Context::builder().device(Device::cpu()).build().unwrap();
            let says = said(|| f(1.5, 3));
            let (rule, frule) = (ctx.build_rrule::<f>().unwrap(), ctx.build_frule::<f>().unwrap());
            for _ in 0..2 {
                let native = f(1.5, 1);
                assert_eq!(rule.value_and_gradient((1.5, 1)).unwrap().0, native);
                fails(rule.value_and_gradient((1.5, 3)), &says, stringify!($name));
                assert_eq!(rule.pullback((1.5, 1)).unwrap().0, native);
                fails(rule.pullback((1.5, 3)).map(|_| ()), &says, stringify!($name));
                assert_eq!(rule.value((1.5, 1)).unwrap(), native);
                fails(rule.value((1.5, 3)), &says, stringify!($name));
                assert_eq!(frule.value_and_derivative((1.5, 1), (1.0, ())).unwrap().0, native);
                fails(frule.value_and_derivative((1.5, 3), (1.0, ())), &says, stringify!($name));
            }
        }
    )*};
}

#[differentiable]
fn equal_slices(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x, y, "two slices");
    x[0]
}

#[differentiable]
fn shown_otherwise(x: f64) -> f64 {
    assert!(x > 0.0, "found {x:.3}");
    assert!(x > 9.0, "found {:?}", [x]);
    x
}

/// What has no text here stands in the message as it is written.
#[test]
fn values_that_are_not_shown() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let message = |outcome: Result<f64>| match outcome {
        Err(Error::Fault(fault)) => fault.message,
        other => panic!("{other:?}"),
    };
    let slices = ctx.build_primal::<equal_slices>().unwrap();
    let text = "assertion `left == right` failed: two slices";
    assert_eq!(message(slices.call((&[1.0], &[2.0]))), text);
    let others = ctx.build_primal::<shown_otherwise>().unwrap();
    assert_eq!(message(others.call((-1.0,))), "found {x:.3}");
    assert_eq!(message(others.call((1.0,))), "found {:?}");
}

faults! {
    bounds_the_wrong_way(x, n) { 4_usize.clamp(n, 2) as f64 * x }
    too_large_a_power_of_two(x, n) { (n as u8 * 60).next_power_of_two() as f64 * x }
    index(x, n) { let v = [x, 2.0]; v[n] }
    index_vec(x, n) { let v = vec![x, 2.0]; v[n] }
    index_mut(x, n) { let mut v = vec![x, 2.0]; v[n] = x; v[0] }
    index_nested(x, n) { let v = vec![vec![x]; 2]; v[1][n - 1] }
    range_end(x, n) { let v = [x, 2.0]; v[..n][0] }
    range_start(x, n) { let v = [x, 2.0]; v[n..].len() as f64 * x }
    range_order(x, n) { let v = [x, 2.0]; v[n - 1..1].len() as f64 * x }
    range_inclusive(x, n) { let v = [x, 2.0]; v[0..=n].len() as f64 * x }
    add(x, n) { x * (n as u8 + 253) as f64 }
    sub(x, n) { x * (2 - n) as f64 }
    mul(x, n) { x * (n as u8 * 100) as f64 }
    neg(x, n) { x * (-(i32::MIN + 3 - n as i32)) as f64 }
    shl(x, n) { x * (1_u8 << (3 * n - 1)) as f64 }
    shr(x, n) { x * (1_u8 >> (3 * n - 1)) as f64 }
    abs(x, n) { x * (i32::MIN + 3 - n as i32).abs() as f64 }
    pow(x, n) { x * 100_u8.pow(n as u32) as f64 }
    div(x, n) { x * (7 / (3 - n)) as f64 }
    rem(x, n) { x * (7 % (3 - n)) as f64 }
    div_overflow(x, n) { x * (i32::MIN / (2 - n as i32)) as f64 }
    rem_overflow(x, n) { x * (i32::MIN % (2 - n as i32)) as f64 }
    rem_euclid(x, n) { x * 7_i32.rem_euclid(3 - n as i32) as f64 }
    div_euclid(x, n) { x * 7_i32.div_euclid(3 - n as i32) as f64 }
    ilog(x, n) { x * (3 - n).ilog2() as f64 }
    unwrap_none(x, n) { let v = [x, 2.0]; *v.get(n).unwrap() }
    expect_none(x, n) { let v = [x, 2.0]; *v.get(n).expect("a third") }
    panics(x, n) { if n == 3 { panic!("three") } x }
    panics_plain(x, n) { if n == 3 { panic!() } x }
    asserts(x, n) { assert!(n < 3); x }
    asserts_text(x, n) { assert!(n < 3, "small n"); x }
    unreachables(x, n) { match n { 1 => x, _ => unreachable!() } }
    unreachables_text(x, n) { match n { 1 => x, _ => unreachable!("never") } }
    todos(x, n) { match n { 1 => x, _ => todo!() } }
    unimplementeds(x, n) { match n { 1 => x, _ => unimplemented!("later") } }
    chunks(x, n) { [x, 2.0].chunks(3 - n).map(|c| c[0]).sum() }
    windows(x, n) { [x, 2.0].windows(3 - n).map(|c| c[0]).sum() }
    step(x, n) { (0..4).step_by(3 - n).map(|c| c as f64 * x).sum() }
    split_at(x, n) { let v = [x, x]; v.split_at(n).0[0] }
    split_at_mut(x, n) { let mut v = [x, x]; v.split_at_mut(n).0[0] }
    drain(x, n) { let mut v = vec![x, x]; let s: f64 = v.drain(..n).sum(); s }
    drain_from(x, n) { let mut v = vec![x, x]; let s: f64 = v.drain(n..).sum(); s + x }
    swap(x, n) { let mut v = [x, 2.0]; v.swap(0, n); v[0] }
    rotate(x, n) { let mut v = [x, 2.0]; v.rotate_left(n); v[0] }
    range_sum(x, n) { x * [n as u8, 253].iter().sum::<u8>() as f64 }
    repeat(x, n) { x * vec![1; 3 - n][..1].len() as f64 }
    array_chunk(x, n) { let v = vec![x; n]; let [a] = v[..] else { panic!("not one") }; a }
    asserts_eq(x, n) { assert_eq!(n, 1); x }
    asserts_eq_text(x, n) { let y = x * n as f64; assert_eq!(y, 1.5, "a text"); x }
    asserts_ne(x, n) { assert_ne!(n, 3); x }
    asserts_eq_bool(x, n) { let small = n < 2; assert_eq!(small, true, "n is {n}"); x }
    unwrap_err(x, n) { let r: Result<f64, i32> = if n == 1 { Ok(x) } else { Err(-7) }; r.unwrap() }
    expect_err(x, n) { let r: Result<f64, f64> = if n == 1 { Ok(x) } else { Err(2.0 * x) }; r.expect("fine") }
    unwrap_ok(x, n) { let r: Result<usize, f64> = if n == 1 { Err(x) } else { Ok(n) }; r.unwrap_err() }
    clamp(x, n) { x.clamp(n as f64, 2.0) }
    clamp_single(x, n) { (x as f32).clamp(n as f32, 2.5) as f64 }
    insert(x, n) { let mut v = vec![x]; v.insert(n, x); v[0] }
    remove(x, n) { let mut v = vec![x, x]; v.remove(n) }
    swap_remove(x, n) { let mut v = vec![x, x]; v.swap_remove(n) }
    split_off(x, n) { let mut v = vec![x, x]; v.split_off(n).len() as f64 * x }
    copy_slice(x, n) { let mut v = [x, x]; let w = [2.0, x, x]; v[..1].copy_from_slice(&w[..n]); v[0] }
    panics_values(x, n) { if n == 3 { let y = -x; panic!("{n} and {y} or {y:?}") } x }
    panics_positions(x, n) { if n == 3 { let y = 4.0 * x; panic!("{1} and {0:?}", y, n) } x }
    asserts_values(x, n) { let v = [x, 2.0]; assert!(n < v.len(), "n = {n} of {}", v.len()); x }
    panics_braces(x, n) { if n == 3 { panic!("a {{b}}") } x }
    vec_capacity(x, n) { let mut v = Vec::with_capacity(usize::MAX / 4 * (n - 1)); v.push(x); v[0] }
    vec_repeat(x, n) { let v = vec![x; usize::MAX / 4 * (n - 1) + 1]; v[0] }
}

#[differentiable]
fn endless(x: f64, n: usize) -> f64 {
    if n == 0 {
        x
    } else {
        (x * 0.999).sin() + endless(x * 0.5, n - 1)
    }
}

#[differentiable]
fn there(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { x * back(x, n - 1) }
}
#[differentiable]
fn back(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { x + there(x * 0.5, n - 1) }
}

#[differentiable]
fn through_a_closure(x: f64, n: usize) -> f64 {
    let next: &dyn Fn(f64) -> f64 = &|y| through_a_closure(y * 0.5, n - 1);
    if n == 0 { x } else { x * next(x) }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Link {
    value: f64,
    next: Option<Box<Link>>,
}

#[differentiable]
trait Factor {
    fn product(&self) -> f64;
}
#[derive(Differentiable)]
struct Chain {
    value: f64,
    next: Option<Box<dyn Factor>>,
}
#[differentiable]
impl Factor for Chain {
    fn product(&self) -> f64 {
        match &self.next {
            Some(next) => self.value * next.product(),
            None => self.value,
        }
    }
}
#[differentiable]
fn chained(chain: &Chain) -> f64 {
    chain.product()
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Shared {
    value: f64,
    next: Option<Rc<RefCell<Shared>>>,
}

#[differentiable]
fn product(list: &Link) -> f64 {
    let (mut product, mut here) = (list.value, list);
    while let Some(next) = &here.next {
        product *= next.value;
        here = next;
    }
    product
}

#[differentiable]
fn first_two(list: &Shared) -> f64 {
    match &list.next {
        Some(next) => list.value * next.borrow().value,
        None => list.value,
    }
}

#[differentiable]
fn count_down(x: f64, n: usize) -> Link {
    let mut list = Link {
        value: x,
        next: None,
    };
    for _ in 0..n {
        list = Link {
            value: 1.0,
            next: Some(Box::new(list)),
        };
    }
    list
}

#[differentiable]
fn many(x: f64, n: usize) -> f64 {
    let v = vec![x; n];
    v[0]
}

#[differentiable]
fn room(x: f64, n: usize) -> f64 {
    let mut v = Vec::with_capacity(n);
    v.push(x);
    v[0]
}

/// All modes of a function of a number and a depth, as deep as they get and deeper: none takes the process along.
fn deep<F>()
where
    F: DifferentiableFn<Output = f64>,
    for<'a> F: DifferentiableFn<Args<'a> = (f64, usize)>,
{
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let (rule, frule) = (
        ctx.build_rrule::<F>().unwrap(),
        ctx.build_frule::<F>().unwrap(),
    );
    let hvp = ctx.build_hvp::<F>().unwrap();
    let too_deep = |error: Error| assert!(error.to_string().contains("too deep"), "{error}");
    for exponent in 6..28 {
        let n = 1 << exponent;
        rule.value((1.5, n)).map(drop).unwrap_or_else(too_deep);
        rule.value_and_gradient((1.5, n))
            .map(drop)
            .unwrap_or_else(too_deep);
        frule
            .value_and_derivative((1.5, n), (1.0, ()))
            .map(drop)
            .unwrap_or_else(too_deep);
        hvp.value_gradient_and_hvp((1.5, n), (1.0, ()))
            .map(drop)
            .unwrap_or_else(too_deep);
        match rule.pullback((1.5, n)) {
            Ok((_, pullback)) => pullback.apply(1.0).map(drop).unwrap_or_else(too_deep),
            Err(error) => too_deep(error),
        }
    }
    too_deep(rule.value_and_gradient((1.5, 1 << 27)).unwrap_err());
    assert!(rule.value_and_gradient((1.5, 3)).is_ok());
}

/// Lists that are deeper than the stack of a thread, in and out.
fn long() {
    const LINKS: usize = 3_000;
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let (mut list, mut shared) = (
        Link {
            value: 2.0,
            next: None,
        },
        Shared {
            value: 2.0,
            next: None,
        },
    );
    for _ in 0..LINKS {
        list = Link {
            value: 1.0,
            next: Some(Box::new(list)),
        };
        shared = Shared {
            value: 1.5,
            next: Some(Rc::new(RefCell::new(shared))),
        };
    }
    let (y, (dy,)) = ctx
        .build_rrule::<product>()
        .unwrap()
        .value_and_gradient((&list,))
        .unwrap();
    let mut twice = scale(1.0, &dy).unwrap();
    increment(&mut twice, &dy).unwrap();
    assert_eq!(
        (twice.value, dot(&twice, &dy).unwrap()),
        (4.0, 2.0 * (4.0 * LINKS as f64 + 1.0))
    );
    let (mut thrice, held) = (Rc::new(twice), Rc::new(dy));
    increment(&mut thrice, &held).unwrap();
    assert_eq!(
        dot(&thrice, &held).unwrap(),
        3.0 * (4.0 * LINKS as f64 + 1.0)
    );
    let next = held.next.as_ref().unwrap();
    assert_eq!((y, held.value, next.value), (2.0, 2.0, 2.0));
    let (y, (dy,)) = ctx
        .build_rrule::<first_two>()
        .unwrap()
        .value_and_gradient((&shared,))
        .unwrap();
    assert_eq!(
        (y, dy.value, dy.next.unwrap().borrow().value),
        (2.25, 1.5, 1.5)
    );
    let mut chain = Chain {
        value: 2.0,
        next: None,
    };
    for _ in 0..LINKS {
        let next = Some(Box::new(chain) as Box<dyn Factor>);
        chain = Chain { value: 1.0, next };
    }
    let rule = ctx.build_rrule::<chained>().unwrap();
    let (y, (dy,)) = rule.value_and_gradient((&chain,)).unwrap();
    assert_eq!((y, dy.value), (2.0, 2.0));
    let made = ctx
        .build_primal::<count_down>()
        .unwrap()
        .call((2.0, LINKS))
        .unwrap();
    assert_eq!(made, list);
}

/// More memory than there is.
fn large() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let (many, room) = (
        ctx.build_rrule::<many>().unwrap(),
        ctx.build_rrule::<room>().unwrap(),
    );
    let frule = ctx.build_frule::<many>().unwrap();
    let check = |n: usize, error: Error| match (n, error) {
        (..0x1000_0000_0000_0000, Error::Memory(text)) => {
            assert!(text.contains("does not fit"), "{text}")
        }
        (_, Error::Fault(fault)) => assert_eq!(fault.message, "capacity overflow"),
        (_, error) => panic!("{error:?}"),
    };
    for n in [1 << 44, 1 << 50, usize::MAX / 8, usize::MAX] {
        check(n, many.value((1.5, n)).unwrap_err());
        check(n, many.value_and_gradient((1.5, n)).unwrap_err());
        check(n, room.value_and_gradient((1.5, n)).unwrap_err());
        check(
            n,
            frule.value_and_derivative((1.5, n), (1.0, ())).unwrap_err(),
        );
        assert_eq!(many.value_and_gradient((1.5, 3)).unwrap().0, 1.5);
    }
}

const CASES: &[(&str, fn())] = &[
    ("endless", deep::<endless>),
    ("there_and_back", deep::<there>),
    ("through_a_closure", deep::<through_a_closure>),
    ("large", large),
    ("long", long),
];

/// Runs a case if this is the process for it, else each in a process of its own.
#[test]
fn no_failure_takes_the_process_with_it() {
    const CASE: &str = "MOONCAKE_FAULTS_CASE";
    if let Ok(name) = std::env::var(CASE) {
        let (_, run) = CASES.iter().find(|case| case.0 == name).unwrap();
        return run();
    }
    for (name, _) in CASES {
        let mut this = Command::new(std::env::current_exe().unwrap());
        this.args([
            "--exact",
            "no_failure_takes_the_process_with_it",
            "--nocapture",
        ]);
        let output = this.env(CASE, name).output().unwrap();
        let text =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        let ran = output.status.success() && text.contains("1 passed");
        assert!(ran, "{name}: {}\n{text}", output.status);
    }
}
