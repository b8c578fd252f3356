//! The accepted language: for every form, what the interpreter makes of a function, before and after normalisation and in both
//! kinds of context, and what compiled code makes of it, is what rustc makes of it, bit for bit; and what panics there fails here with the
//! same words.

#![allow(
    clippy::all,
    unused_assignments,
    reason = "every form of the language occurs here, also those that have a nicer one"
)]

use super::programs::{self, normalised};
use crate::borrows::check_borrows;
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::elaborate::elaborate;
use crate::front::tree::Constant;
use crate::front::types::ToConstant;
use crate::interp::{Datum, Packs, run};
use crate::ir::verify::verify;
use crate::ir::{Const, Module};
use crate::lower::lower;
use crate::opt::optimise;
use crate::registry::ContextKind;
use expect_test::{Expect, expect};
use mooncake::{Array, Callable, DifferentiableFn, differentiable};

fn number(value: impl ToConstant) -> Const {
    match value.to_constant() {
        Constant::Scalar(number, _) => number,
        other => panic!("{other:?} is no number"),
    }
}

/// A native value as the interpreter has it.
pub(super) trait AsDatum {
    fn datum(&self) -> Datum;
}
macro_rules! numbers {
    ($($t:ty)*) => {$(
        impl AsDatum for $t {
            fn datum(&self) -> Datum {
                Datum::Scalar(number(*self))
            }
        }
    )*};
}
numbers! { bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 }
impl<T: ToConstant + Copy> AsDatum for [T] {
    fn datum(&self) -> Datum {
        Datum::slice(self.iter().map(|&x| number(x)).collect())
    }
}
impl<T: ToConstant + Copy, const N: usize> AsDatum for [T; N] {
    fn datum(&self) -> Datum {
        self[..].datum()
    }
}
impl<T: AsDatum + ?Sized> AsDatum for &T {
    fn datum(&self) -> Datum {
        (**self).datum()
    }
}
impl AsDatum for () {
    fn datum(&self) -> Datum {
        Datum::Scalar(Const::Unit)
    }
}
macro_rules! tuples {
    ($(($($t:ident $n:tt)*))*) => {$(
        impl<$($t: AsDatum),*> AsDatum for ($($t,)*) {
            fn datum(&self) -> Datum {
                Datum::Tuple(vec![$(self.$n.datum()),*])
            }
        }
    )*};
}
tuples! { (A 0) (A 0 B 1) (A 0 B 1 C 2) }

/// The forms of a function that must all mean the same.
fn modules<F: DifferentiableFn>() -> Result<Vec<(&'static str, Module)>> {
    let ctx = Context::default();
    let registry = ctx.registry();
    let (source, arguments) = F::callee();
    let program = check_borrows(elaborate(source, &arguments, registry, false)?)?;
    let typed = lower(&program, registry)?;
    verify(&typed, &|name, types| registry.call_type(name, types))
        .unwrap_or_else(|e| panic!("{e}\n{typed}"));
    let normal = |kind| normalised(&typed, registry, kind);
    let default = normal(ContextKind::Default)?;
    Ok(vec![
        ("compiled", optimise(default.clone(), registry, None)?),
        ("normal", default),
        ("minimal", normal(ContextKind::Minimal)?),
        ("typed", typed),
    ])
}

/// Arguments as a normal function takes them: tuples are their fields.
fn flattened(args: Vec<Datum>) -> Vec<Datum> {
    args.into_iter()
        .flat_map(|arg| match arg {
            Datum::Tuple(fields) => flattened(fields),
            Datum::Scalar(Const::Unit) => vec![],
            leaf => vec![leaf],
        })
        .collect()
}

/// Runs one form; gives the result and the arguments as they are afterwards.
fn interpret(form: &str, module: &Module, args: Vec<Datum>) -> Result<(Datum, Vec<Datum>)> {
    let ctx = Context::default();
    let args = match form {
        "typed" => args,
        _ => flattened(args),
    };
    let result = match form {
        "compiled" => programs::compile(module, ctx.registry())?.call(&args)?,
        _ => run(module, &args, &Packs(ctx.registry()))?,
    };
    Ok((result, flattened(args)))
}

pub(super) fn check<F: DifferentiableFn>(
    args: impl Fn() -> Vec<Datum>,
    result: Datum,
    after: Vec<Datum>,
) {
    for (form, module) in modules::<F>().unwrap_or_else(|e| panic!("{e}")) {
        let found =
            interpret(form, &module, args()).unwrap_or_else(|e| panic!("{form}: {e}\n{module}"));
        assert_eq!(
            found,
            (result.clone(), flattened(after.clone())),
            "{form}\n{module}"
        );
    }
}

/// `agree!(f(a, b))`: the interpreter gives what the native call gives.
macro_rules! agree {
    ($f:ident($($arg:expr),* $(,)?)) => {{
        let result = $f($($arg),*).datum();
        check::<$f>(|| vec![$(($arg).datum()),*], result, vec![$(($arg).datum()),*]);
    }};
}

/// `agree_mut!(f(data; a, b))`: the first argument is a mutable slice, which must agree afterwards too.
macro_rules! agree_mut {
    ($f:ident($data:expr $(; $($arg:expr),*)?)) => {{
        let mut data = $data;
        let result = $f(&mut data $(, $($arg),*)?).datum();
        check::<$f>(
            || vec![($data).datum() $(, $(($arg).datum()),*)?],
            result,
            vec![data.datum() $(, $(($arg).datum()),*)?],
        );
    }};
}

fn check_fault<F: DifferentiableFn>(
    args: impl Fn() -> Vec<Datum>,
    line: u32,
    panic: Option<String>,
    text: &str,
) {
    if let Some(panic) = panic {
        assert_eq!(panic, text, "what rustc's panic says");
    }
    for (form, module) in modules::<F>().unwrap_or_else(|e| panic!("{e}")) {
        match interpret(form, &module, args()) {
            Err(Error::Fault(diagnostic)) => {
                assert_eq!(diagnostic.message, text, "{form}");
                // Methods written in the language take the place of their call when they are inlined.
                if form != "typed" || diagnostic.span.is_known() {
                    assert_eq!(diagnostic.span.line, line, "{form}: {diagnostic}");
                }
            }
            other => panic!("{form}: expected a fault, found {other:?}\n{module}"),
        }
    }
}

/// `fails!(f(a), line, "text")`: fails with the text of the native panic, `line` lines below the function's name.
/// Overflows panic natively only in debug builds.
macro_rules! fails {
    ($f:ident($($arg:expr),* $(,)?), $line:expr, $text:expr) => {{
        let native = std::panic::catch_unwind(|| { let _ = $f($($arg),*); });
        let text = native.err().map(|panic| match panic.downcast::<String>() {
            Ok(text) => *text,
            Err(panic) => panic.downcast_ref::<&str>().expect("panics carry text").to_string(),
        });
        assert!(text.is_some() || !cfg!(debug_assertions));
        let line = <$f as Callable>::callee().0.at.0 + $line;
        check_fault::<$f>(|| vec![$(($arg).datum()),*], line, text, $text);
    }};
}

pub(super) use {agree, agree_mut};

#[differentiable]
fn arithmetic(x: f64, y: f64) -> f64 {
    -x + y * 2.0 - x / (y - 0.5) % 3.0
}

#[differentiable]
fn single_precision(x: f32) -> f32 {
    let third = 1.0 / 3.0;
    let mut s = 0.1;
    s += x * third;
    s - 0.7f32 * x
}

#[differentiable]
fn integers(a: i32, b: i32) -> (i32, i32, i32) {
    (a / b + a % b, (a << 3) ^ (b & 0x0f) | 64 >> 2, -a - !b)
}

#[differentiable]
fn small_integers(a: u8, b: i8) -> (u8, i8) {
    (a / 3 + 7 * 2 - 1, b - -128i8 / 2)
}

#[differentiable]
fn casts(x: f64, n: i64, b: bool) -> (f32, i64, u8) {
    let single = x as f32 * n as f32;
    let whole = (x * 3.0) as i64 + 3_000_000_000;
    (single, whole, (x * 1000.0) as u8 - b as u8)
}

#[differentiable]
fn comparisons(x: f64, n: usize) -> (bool, bool, bool) {
    (
        x < 1.0 && n >= 2 || x == 0.0,
        !(n != 3) | (x > 2.0) ^ true,
        x <= n as f64,
    )
}

#[differentiable]
fn lazy(x: &[f64], i: usize) -> bool {
    i < x.len() && x[i] > 0.0 || i > 10 && x[i - 10] < 0.0
}

#[differentiable]
fn shadowing(x: f64) -> f64 {
    let y = x * 2.0;
    let x = y + 1.0;
    {
        let x = x * 10.0;
        let _ = x;
    }
    x
}

#[differentiable]
fn deferred(x: f64) -> f64 {
    let y;
    let z: f32;
    if x > 0.0 {
        y = x.sqrt();
        z = 1.0;
    } else {
        y = -x;
        z = 2.0;
    }
    y * z as f64
}

#[differentiable]
fn if_value(x: f64) -> f64 {
    let sign = if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        return 42.0;
    };
    sign * x
}

#[differentiable]
fn block_value(x: f64) -> f64 {
    let y = {
        let t = x * x;
        t + 1.0
    };
    y * y
}

#[differentiable]
fn tuples(p: (f64, (f64, bool)), (a, b): (f64, f64)) -> (f64, (f64, bool)) {
    let (x, inner) = p;
    let mut q: (f64, f64) = (a, inner.0);
    q.0 += x;
    q.1 = b * q.0;
    let (c, d) = if inner.1 { q } else { (q.1, q.0) };
    (c - d, (p.1.0, !inner.1))
}

#[differentiable]
fn swapped(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    (a, b) = (b, a);
    (a, b) = (b + a, b - a);
    a - 2.0 * b
}

#[differentiable]
fn sums(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i];
    }
    for v in x {
        s -= v * 0.5;
    }
    for v in x.iter() {
        s += *v;
    }
    for &v in x.iter() {
        s *= v;
    }
    for (i, v) in x.iter().enumerate() {
        s += i as f64 * v;
    }
    for pair in x.iter().enumerate() {
        s += pair.0 as f64 - pair.1;
    }
    s
}

#[differentiable]
fn ranges(n: i32) -> i64 {
    let mut s: i64 = 0;
    for i in 0..n {
        s = 2 * s + i as i64;
    }
    for i in 1..=n {
        s -= i as i64;
    }
    for i in (0..n).rev() {
        s = 3 * s + i as i64;
    }
    for i in (-3..=n).rev() {
        s += i as i64;
    }
    for _ in n..2 {
        s += 1;
    }
    s
}

#[differentiable]
fn steps(a: i8, b: i8, k: usize) -> i64 {
    let mut s = 0;
    for i in (a..b).step_by(k) {
        s = 5 * (s % 1000) + i as i64;
    }
    for i in (a..=b).step_by(2) {
        s -= i as i64;
    }
    for i in (0..10u64).step_by(k) {
        s ^= i as i64;
    }
    s
}

#[differentiable]
fn collatz(start: u64) -> u64 {
    let (mut n, mut count) = (start, 0);
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        count += 1;
    }
    count
}

#[differentiable]
fn newton(a: f64) -> f64 {
    let mut x = a;
    let steps = loop {
        let next = 0.5 * (x + a / x);
        if (next - x).abs() < 1e-12 {
            break next;
        }
        x = next;
    };
    steps
}

#[differentiable]
fn jumps(x: &[f64], limit: f64) -> f64 {
    let mut s = 0.0;
    'outer: for i in 0..x.len() {
        if x[i] < 0.0 {
            continue;
        }
        let mut t = x[i];
        loop {
            t *= 2.0;
            if t > limit {
                continue 'outer;
            }
            s += t;
            if s > 100.0 {
                break 'outer;
            }
        }
    }
    s
}

#[differentiable]
fn early_return(x: &[f64], limit: f64) -> usize {
    for (i, &v) in x.iter().enumerate() {
        if v > limit {
            return i;
        }
    }
    x.len()
}

#[differentiable]
fn nothing_but_returns(x: f64) -> f64 {
    if x > 0.0 {
        return x;
    } else {
        return -x;
    }
}

#[differentiable]
fn mutation(y: &mut [f64], x: &[f64], a: f64) {
    for i in 0..x.len() {
        y[i] += a * x[i];
        y[i] *= 0.5;
    }
    for v in y.iter_mut() {
        *v -= 1.0;
        if *v < 0.0 {
            *v = -*v;
        }
    }
    for (i, v) in y.iter_mut().enumerate() {
        *v += i as f64;
    }
    for v in &mut y[1..] {
        *v = v.max(0.25);
    }
    for v in y {
        *v *= 2.0;
    }
}

#[differentiable]
fn order_of_evaluation(y: &mut [f64]) -> f64 {
    let mut i = 0;
    y[{
        i += 1;
        i
    }] = {
        i += 1;
        i as f64
    };
    let mut x = 1.0;
    x += {
        x = 5.0;
        2.0
    };
    y[i] += x;
    x
}

#[differentiable]
fn parts(x: &[f64], n: usize) -> (usize, f64, f64) {
    let head = &x[..n];
    let tail = &x[n..];
    let middle = &x[1..=n];
    let all = &x[..];
    (
        head.len() + all.len(),
        tail[0] - middle[0],
        first_or_zero(&tail[1..]),
    )
}

#[differentiable]
fn first_or_zero(x: &[f64]) -> f64 {
    if x.is_empty() { 0.0 } else { x[0] }
}

#[differentiable]
fn fill(y: &mut [f64], a: f64) {
    for v in y.iter_mut() {
        *v = a;
    }
}

#[differentiable]
fn calls(y: &mut [f64], a: f64) -> f64 {
    fill(&mut y[1..], a);
    fill(&mut y[..1], -a);
    let before = first_or_zero(y) + self::first_or_zero(&y[2..]);
    fill(y, 0.5);
    y.swap(0, 1);
    before * y[0]
}

#[differentiable]
fn fibonacci(n: u32) -> u64 {
    if n < 2 {
        n as u64
    } else {
        fibonacci(n - 1) + fibonacci(n - 2)
    }
}

#[differentiable]
fn is_even(n: u32) -> bool {
    if n == 0 { true } else { is_odd(n - 1) }
}

#[differentiable]
fn is_odd(n: u32) -> bool {
    if n == 0 { false } else { is_even(n - 1) }
}

#[differentiable]
fn halves(x: &mut [f64]) -> f64 {
    if x.len() <= 1 {
        return if x.is_empty() { 0.0 } else { x[0] };
    }
    let n = x.len() / 2;
    x[0] += 1.0;
    halves(&mut x[..n]) - halves(&mut x[n..])
}

#[differentiable]
fn recursive_sum(x: &[f64]) -> f64 {
    if x.is_empty() {
        0.0
    } else {
        x[0] + recursive_sum(&x[1..])
    }
}

#[differentiable]
fn sum_of_mutable(x: &mut [f64]) -> f64 {
    recursive_sum(x)
}

const GRAVITY: f64 = 9.81;
static OFFSET: i32 = -3;

#[differentiable]
fn constants(x: f64, n: i32) -> (f64, i32) {
    use std::f64::consts::{PI, TAU as FULL};
    const SCALE: f32 = 0.1;
    const COUNT: i32 = 4;
    (
        x * GRAVITY * PI + FULL - SCALE as f64 + f64::EPSILON + i8::MAX as f64,
        n * COUNT + OFFSET,
    )
}

#[differentiable]
fn float_methods(x: f64, y: f64) -> (f64, f64, bool) {
    let a = x.sin() * y.cos() + x.exp().ln_1p() - y.powi(3) + x.powf(1.5) + f64::hypot(x, y);
    let b = x.max(y).min(0.75) + x.mul_add(y, 2.0) + (x - y).abs().sqrt() + x.atan2(y) + y.floor()
        - x.signum();
    (a, b.copysign(-1.0) + x.clamp(0.0, 0.5), (x / y).is_finite())
}

#[differentiable]
fn sin_and_cos(x: f32) -> f32 {
    let (s, c) = x.sin_cos();
    s * 2.0 + c
}

#[differentiable]
fn integer_methods(a: i32, b: u32) -> (i32, u32, i32) {
    (
        a.abs().min(7).max(-2),
        b.saturating_sub(5).wrapping_sub(1),
        a.rem_euclid(3),
    )
}

#[differentiable]
fn integer_library(a: i32, b: i32, n: u32) -> (i32, i32, i32) {
    let power = (a % 5).pow(n) + 3i32.pow(2);
    (power, a.div_euclid(b), a.signum() * b.clamp(-2, 7))
}

#[differentiable]
fn slice_library(y: &mut [f64], x: &[f64]) -> f64 {
    y.copy_from_slice(x);
    y[1..].fill(0.5);
    y[0] + y[1]
}

#[differentiable]
fn large_power(a: i8, n: u32) -> i8 {
    a.pow(n)
}

#[differentiable]
fn unit(_: f64) {}

#[differentiable]
fn no_arguments() -> f64 {
    unit(1.0);
    1.0
}

#[differentiable]
fn assertions(x: f64, n: usize) -> f64 {
    assert!(x > 0.0);
    assert!(n < 5, "too many");
    assert_eq!(n % 2, 0);
    debug_assert!(x < 100.0);
    if x > 50.0 {
        panic!("out of the blue");
    }
    if n == 4 {
        unreachable!()
    }
    x
}

#[differentiable]
fn reassigned_slice(x: &[f64]) -> f64 {
    let mut rest = x;
    let mut s = 0.0;
    while rest.len() > 1 {
        s += rest[0] * rest[rest.len() - 1];
        rest = &rest[1..rest.len() - 1];
    }
    s
}

#[differentiable]
fn local_recursion_depth(n: usize) -> usize {
    if n == 0 {
        0
    } else {
        1 + local_recursion_depth(n - 1)
    }
}

#[test]
fn numbers() {
    agree!(arithmetic(0.3, 1.7));
    agree!(arithmetic(-0.0, f64::INFINITY));
    agree!(single_precision(0.3));
    agree!(integers(17, -5));
    agree!(integers(-17, 3));
    agree!(small_integers(200, -3));
    agree!(casts(0.7, -3, true));
    agree!(casts(f64::NAN, 1_i64 << 40, false));
    agree!(casts(-5.0, 7, false));
    for (x, n) in [(0.0, 2), (0.5, 3), (3.0, 3), (f64::NAN, 0)] {
        agree!(comparisons(x, n));
    }
}

#[test]
fn names_and_blocks() {
    agree!(shadowing(3.0));
    agree!(deferred(2.0));
    agree!(deferred(-2.0));
    for x in [2.0, -3.0, 0.0] {
        agree!(if_value(x));
    }
    agree!(block_value(1.5));
    for b in [true, false] {
        agree!(tuples((1.5, (2.0, b)), (3.0, 4.0)));
    }
    agree!(swapped(1.0, 2.5));
    agree!(constants(0.25, 7));
    agree!(unit(1.0));
    agree!(no_arguments());
}

#[test]
fn conditions_are_lazy() {
    for i in [0, 1, 2, 5, 11, 12] {
        agree!(lazy(&[1.0, -1.0, 3.0], i));
    }
}

#[test]
fn loops() {
    agree!(sums(&[0.5, -1.5, 2.25]));
    agree!(sums(&[0.0; 0]));
    for n in [-5, 0, 1, 6] {
        agree!(ranges(n));
    }
    for (a, b, k) in [
        (-100, 100, 7),
        (-128, 126, 255),
        (3, 3, 1),
        (5, -5, 2),
        (0, 10, 3),
        (0, 9, 3),
    ] {
        agree!(steps(a, b, k));
    }
    agree!(collatz(27));
    agree!(newton(2.0));
    agree!(jumps(&[1.0, -1.0, 3.0, 0.1], 10.0));
    agree!(jumps(&[1.0, 50.0, 30.0, 0.1], 100.0));
    agree!(early_return(&[1.0, 2.0, 3.0], 1.5));
    agree!(early_return(&[1.0, 2.0, 3.0], 5.0));
    agree!(nothing_but_returns(-1.0));
}

#[test]
fn slices() {
    agree_mut!(mutation([1.0, -2.0, 3.0]; &[0.5, 0.25, -1.0], 2.0));
    agree_mut!(order_of_evaluation([0.0, 0.0, 0.0]));
    agree!(parts(&[1.0, 2.0, 3.0, 4.0], 2));
    agree!(parts(&[1.0, 2.0, 3.0, 4.0], 3));
    agree!(reassigned_slice(&[1.0, 2.0, 3.0, 4.0, 5.0]));
}

#[test]
fn functions() {
    agree_mut!(calls([1.0, 2.0, 3.0]; 4.0));
    agree!(fibonacci(10));
    agree!(is_even(7));
    agree_mut!(halves([1.0, 2.0, 3.0, 4.0, 5.0]));
    agree!(recursive_sum(&[0.1, 0.2, 0.3]));
    agree_mut!(sum_of_mutable([0.1, 0.2, 0.3]));
    agree!(local_recursion_depth(500));
}

#[test]
fn methods_that_are_functions_of_the_language() {
    for (a, b, n) in [(17, 5, 3), (-17, 5, 0), (17, -5, 1), (-17, -5, 7)] {
        agree!(integer_library(a, b, n));
    }
    agree_mut!(slice_library([1.0, 2.0, 3.0]; &[4.0, 5.0, 6.0]));
    agree!(large_power(-2, 7));
    fails!(large_power(2, 7), 1, "attempt to multiply with overflow");
    fails!(large_power(-128, 2), 1, "attempt to multiply with overflow");
}

#[test]
#[cfg(feature = "rules-std")]
fn methods_of_numbers() {
    agree!(float_methods(0.3, 1.7));
    agree!(float_methods(2.5, -0.0));
    agree!(sin_and_cos(0.7));
    agree!(integer_methods(-17, 3));
    agree!(integer_methods(5, 30));
}

#[differentiable]
fn element(x: &[f64], i: usize) -> f64 {
    let y = &x[1..];
    y[i]
}

#[differentiable]
fn part(x: &[f64], from: usize, to: usize) -> f64 {
    x[from..to][0]
}

#[differentiable]
fn overflow(a: i32, b: i32) -> i32 {
    a + b
}

#[differentiable]
fn difference(a: usize, b: usize) -> usize {
    a - b
}

#[differentiable]
fn product(a: i8, b: i8) -> i8 {
    a * b
}

#[differentiable]
fn quotient(a: i32, b: i32) -> i32 {
    a / b
}

#[differentiable]
fn remainder(a: i32, b: i32) -> i32 {
    a % b
}

#[differentiable]
fn negated(a: i16) -> i16 {
    -a
}

#[differentiable]
fn shifted(a: u32, n: i32) -> u32 {
    a << n
}

#[differentiable]
fn clamped(x: f64, low: f64, high: f64) -> f64 {
    x.clamp(low, high)
}

#[differentiable]
fn in_parts(x: &[f64], size: usize, apart: bool) -> f64 {
    let mut sum = 0.0;
    if apart {
        for part in x.chunks(size) {
            sum += part[0];
        }
    }
    for part in x.windows(size) {
        sum += part[0];
    }
    sum
}

#[differentiable]
fn reserved(n: usize) -> usize {
    let list: Vec<f64> = Vec::with_capacity(n);
    list.len()
}

#[test]
fn what_panics_fails_with_the_same_words() {
    fails!(
        clamped(1.0, 2.0, 1.0),
        1,
        "min > max, or either was NaN. min = 2.0, max = 1.0"
    );
    fails!(
        in_parts(&[1.0, 2.0], 0, false),
        7,
        "window size must be non-zero"
    );
    fails!(
        in_parts(&[1.0, 2.0], 0, true),
        3,
        "chunk size must be non-zero"
    );
    fails!(reserved(usize::MAX), 1, "capacity overflow");
    fails!(
        remainder(1, 0),
        1,
        "attempt to calculate the remainder with a divisor of zero"
    );
    fails!(
        element(&[1.0, 2.0], 1),
        2,
        "index out of bounds: the len is 1 but the index is 1"
    );
    fails!(
        part(&[1.0, 2.0], 1, 3),
        1,
        "range end index 3 out of range for slice of length 2"
    );
    fails!(overflow(i32::MAX, 1), 1, "attempt to add with overflow");
    fails!(difference(1, 2), 1, "attempt to subtract with overflow");
    fails!(product(64, 2), 1, "attempt to multiply with overflow");
    fails!(quotient(1, 0), 1, "attempt to divide by zero");
    fails!(quotient(i32::MIN, -1), 1, "attempt to divide with overflow");
    fails!(
        remainder(i32::MIN, -1),
        1,
        "attempt to calculate the remainder with overflow"
    );
    fails!(negated(i16::MIN), 1, "attempt to negate with overflow");
    fails!(shifted(1, 32), 1, "attempt to shift left with overflow");
    fails!(shifted(1, -1), 1, "attempt to shift left with overflow");
    fails!(assertions(-1.0, 0), 1, "assertion failed: x > 0.0");
    fails!(assertions(1.0, 5), 2, "too many");
    fails!(assertions(60.0, 2), 6, "out of the blue");
    fails!(
        assertions(1.0, 4),
        9,
        "internal error: entered unreachable code"
    );
    agree!(assertions(1.0, 2));
}

/// The text of a function as it is lowered.
fn lowered<F: DifferentiableFn>() -> String {
    let modules = modules::<F>().unwrap();
    modules[3].1.root().to_string()
}

#[differentiable]
fn looked_up(n: usize) -> f64 {
    let mut sum = 0.0;
    for _ in 0..2 {
        sum += [3.0, 4.0][n];
        for x in [5.0, 6.0] {
            sum += x;
        }
    }
    sum
}

#[differentiable]
fn incremented(x: &mut [f64]) {
    for x in x.iter_mut() {
        *x += 1.0;
    }
}

#[differentiable]
fn of_the_rest(x: &[f64]) -> f64 {
    let mut rest = x;
    rest = &rest[1..];
    first_or_zero(rest)
}

#[test]
fn what_is_lowered_takes_no_more_than_it_needs() {
    agree!(looked_up(1));
    let text = lowered::<looked_up>();
    let entry = text.split("\nb1").next().unwrap();
    assert_eq!(entry.matches("alloc").count(), 2, "{text}");
    assert_eq!(text.matches("alloc").count(), 2, "{text}");
    agree_mut!(incremented([1.0, 2.0]));
    let text = lowered::<incremented>();
    assert!(text.contains("store") && !text.contains("offset"), "{text}");
    agree!(of_the_rest(&[1.0, 2.0]));
    let text = lowered::<of_the_rest>();
    assert!(!text.contains("[mut"), "{text}");
}

/// The mistake that a function has: message, place, help.
fn check_mistake<F: DifferentiableFn>(expected: Expect) {
    let Err(Error::User(diagnostic)) = modules::<F>() else {
        panic!("expected a mistake of the user's");
    };
    let text = diagnostic.to_string();
    // Without the numbers of lines, which change whenever this file does.
    let place = |line: &str| match line.split_once(" | ") {
        Some((_, code)) => format!(" | {code}"),
        None => line
            .split_once("-->")
            .map_or(line, |(arrow, _)| arrow)
            .trim_end()
            .to_owned(),
    };
    let lines: Vec<String> = text
        .lines()
        .map(place)
        .filter(|line| line.trim() != "|")
        .collect();
    expected.assert_eq(&lines.join("\n"));
}

#[differentiable]
extern "pack" {
    fn no_pack_has_this(x: f64) -> f64;
}

#[differentiable]
fn calls_a_missing_pack(x: f64) -> f64 {
    2.0 * no_pack_has_this(x)
}

#[differentiable]
fn unknown_method(x: f64) -> f64 {
    x + x.to_radians().total_gamma()
}

trait TotalGamma {
    fn total_gamma(self) -> f64;
}
impl TotalGamma for f64 {
    fn total_gamma(self) -> f64 {
        self
    }
}

#[differentiable]
fn captures_a_slice(x: &Array<f32>, table: &[f32]) -> Array<f32> {
    x.map(|v| v * table[0])
}

#[test]
fn a_function_of_no_pack_is_named_with_the_ways_out() {
    check_mistake::<calls_a_missing_pack>(expect![[r#"
        no pack in force defines `no_pack_has_this` for (f64)

         |     2.0 * no_pack_has_this(x)
         |           ^^^^^^^^^^^^^^^^
          help: load the pack that defines it (`ctx.load_pack(path)`), or write a pack with a rule for it"#]]);
}

#[test]
fn an_unknown_method_is_named_with_its_types() {
    check_mistake::<unknown_method>(expect![[r#"
        nothing defines `total_gamma` for (f64)

         |     x + x.to_radians().total_gamma()
         |                        ^^^^^^^^^^^
          help: write `#[differentiable]` before the function, or before the trait and the `impl` that have it; a pack's function is declared in `extern "pack"` and called by that name"#]]);
}

#[test]
fn a_closure_captures_numbers() {
    check_mistake::<captures_a_slice>(expect![[r#"
        the closure of `map` captures a `&[f32]`, but only numbers can be captured

         |     x.map(|v| v * table[0])
         |       ^^^
          help: bind the numbers that it uses to names before the closure; an enum chooses between closures, in a `match` around the maps; arrays are combined with operators"#]]);
}

#[differentiable]
fn compares_texts(x: f64) -> bool {
    (x, "a") < (1.0, "b")
}

#[test]
fn texts_have_no_order() {
    check_mistake::<compares_texts>(expect![[r#"
        values of type `str` cannot be compared by order here

         |     (x, "a") < (1.0, "b")
         |     ^
          help: compare the numbers in them"#]]);
}
