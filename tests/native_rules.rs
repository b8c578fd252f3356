//! Rules in machine code, of a pack that is this test itself: values and derivatives on every device, and what goes wrong.

#[path = "support/devices.rs"]
mod common;

use common::devices;
use mooncake::prelude::*;
use mooncake::testing::{test_case, test_rule};
use mooncake_pack::{
    ArrayOut, ArrayView, Case, Cotangents, Float, Outcome, Tangents, Value, native,
};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

mooncake_pack::pack!();

native! {
    /// The elements squared, the sum of all, and how many are negative.
    fn summary(a: array<T>, scale: T) -> (array<T>, T, usize, array<u32>) {
        primal: summarise,
        pullback: ["scale * 2 * a * dy.0 + full_like(dy.1, a)", "item(sum(a * a * dy.0))"],
        tangent: ["(scale * 2 * a * dx, item(sum(dx)))", "(a * a * dx, ())"],
    }
}

fn summarise<T: Float>(
    a: ArrayView<T>,
    scale: T,
    squares: ArrayOut<T>,
    sum: &mut T,
    negative: &mut usize,
    signs: ArrayOut<u32>,
) -> Outcome {
    let squares = squares.allocate(a.shape())?;
    let signs = signs.allocate(&[a.data().len()])?;
    for (i, &x) in a.data().iter().enumerate() {
        squares[i] = scale * x * x;
        signs[i] = u32::from(x < T::ZERO);
        *sum = *sum + x;
        *negative += signs[i] as usize;
    }
    Ok(())
}

#[differentiable]
extern "pack" {
    fn summary(a: &Array<f64>, scale: f64) -> (Array<f64>, f64, usize, Array<u32>);
}

/// Some results are used, some are not, and which depends on the iteration.
#[differentiable]
fn program(a: &Array<f64>, scale: f64) -> (Array<f64>, f64) {
    let mut x = a * 1.0;
    let mut total = 0.0;
    for i in 0..3 {
        let (squares, sum, negative, _) = summary(&x, scale + i as f64 * 0.125);
        if negative > 4 {
            total += sum * 0.5;
        } else {
            x = &squares * 0.25;
            total += sum;
        }
    }
    (x.sum(), total)
}

native! {
    /// Gives what its number says: an error, a panic, no result.
    fn faulty(a: array<T>, how: i32) -> array<T> {
        primal: faulty,
        pullback: ["dy", ""],
        tangent: ["dx", ""],
    }
}

fn faulty<T: Float>(a: ArrayView<T>, how: i32, out: ArrayOut<T>) -> Outcome {
    match how {
        0 => Err("the matrix is not positive definite".to_owned()),
        1 => Ok(()),
        2 => out.allocate(&[usize::MAX, 2]).map(drop),
        3 => out.allocate(&[1 << 59]).map(drop),
        _ => {
            out.allocate(a.shape())?.copy_from_slice(a.data());
            Ok(())
        }
    }
}

#[test]
fn several_results_of_several_types_have_derivatives() {
    let ctx = Context::default();
    let case = Case::new("summary", [Value::array(&[3, 4]), Value::Float(0.75)]);
    for device in devices() {
        test_case(&ctx, &case, &device).unwrap();
    }
    let debug = Context::builder().debug(true).build().unwrap();
    test_case(&debug, &case, &Device::cpu()).unwrap();
}

#[test]
fn programs_use_several_results() {
    let data: Vec<f64> = (0..10).map(|i| (i as f64 * 1.3 + 0.4).sin()).collect();
    let a = Array::from_vec_on(&Device::cpu(), data, [10]);
    for debug in [false, true] {
        let builder = Context::builder().device(Device::cpu()).debug(debug);
        test_rule::<program>(&builder.build().unwrap(), (&a, 0.75)).unwrap();
    }
}

/// What a call of `faulty` says.
fn fault(how: i64) -> String {
    let ctx = Context::default();
    let case = Case::new("faulty", [Value::array(&[2, 2]), Value::Int(how)]);
    let error = test_case(&ctx, &case, &Device::cpu()).unwrap_err();
    error.to_string()
}

#[test]
fn what_goes_wrong_is_an_error_of_the_call() {
    assert!(
        fault(0).contains("`tests::faulty`: the matrix is not positive definite"),
        "{}",
        fault(0)
    );
    assert!(
        fault(1).contains("`tests::faulty`: it gave no array as its result 0"),
        "{}",
        fault(1)
    );
    assert!(fault(2).contains("is too large"), "{}", fault(2));
    assert!(
        fault(3).contains("there is no memory for an array of shape"),
        "{}",
        fault(3)
    );
    test_case(
        &Context::default(),
        &Case::new("faulty", [Value::array(&[2, 2]), Value::Int(4)]),
        &Device::cpu(),
    )
    .unwrap();
}

native! {
    /// The elements times a number, and the sum of their squares.
    fn scaled(a: array<T>, w: T) -> (array<T>, T) {
        primal: scaled_primal,
        rrule: scaled_rrule,
        frule: scaled_frule,
    }
}

fn scaled_primal<T: Float>(a: ArrayView<T>, w: T, out: ArrayOut<T>, sum: &mut T) -> Outcome {
    for (out, &x) in out.allocate(a.shape())?.iter_mut().zip(a.data()) {
        *out = w * x;
        *sum = *sum + x * x;
    }
    Ok(())
}

fn scaled_rrule<T: Float + Send>(
    a: ArrayView<T>,
    w: T,
    out: ArrayOut<T>,
    sum: &mut T,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    scaled_primal(a, w, out, sum)?;
    Ok(move |c: &Cotangents| {
        let a: ArrayView<T> = c.argument(0)?;
        let out = c.result::<T>(0)?;
        assert_eq!(out.shape(), a.shape());
        let (dout, dsum) = (c.seed::<T>(0)?, c.seed::<T>(1)?[0]);
        let two = T::ONE + T::ONE;
        if let Some(da) = c.of::<T>(0)? {
            for i in 0..da.len() {
                da[i] = da[i] + w * dout[i] + two * a.data()[i] * dsum;
            }
        }
        if let Some(dw) = c.of::<T>(1)? {
            for i in 0..dout.len() {
                dw[0] = dw[0] + dout[i] * a.data()[i];
            }
        }
        Ok(())
    })
}

fn scaled_frule<T: Float>(
    a: ArrayView<T>,
    w: T,
    out: ArrayOut<T>,
    sum: &mut T,
    t: &Tangents,
) -> Outcome {
    scaled_primal(a, w, out, sum)?;
    let dout = t.array::<T>(0)?.allocate(a.shape())?;
    let dsum = t.scalar::<T>(1)?;
    if let Some(dw) = t.of::<T>(1)? {
        for i in 0..dout.len() {
            dout[i] = dout[i] + dw[0] * a.data()[i];
        }
    }
    if let Some(da) = t.of::<T>(0)? {
        let two = T::ONE + T::ONE;
        for i in 0..dout.len() {
            dout[i] = dout[i] + w * da[i];
            *dsum = *dsum + two * a.data()[i] * da[i];
        }
    }
    Ok(())
}

native! {
    /// `y += alpha·x`; gives the last y.
    fn axpy(alpha: T, x: &[T], y: &mut [T]) -> T {
        primal: axpy_primal,
        rrule: axpy_rrule,
        frule: axpy_frule,
    }
}

fn axpy_primal<T: Float>(alpha: T, x: &[T], y: &mut [T], last: &mut T) -> Outcome {
    if x.len() != y.len() {
        return Err(format!("x has {} elements and y has {}", x.len(), y.len()));
    }
    for (y, &x) in y.iter_mut().zip(x) {
        *y = *y + alpha * x;
        *last = *y;
    }
    Ok(())
}

fn axpy_rrule<T: Float + Send>(
    alpha: T,
    x: &[T],
    y: &mut [T],
    last: &mut T,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    let before = y.to_vec();
    axpy_primal(alpha, x, y, last)?;
    Ok(move |c: &Cotangents| {
        let x: &[T] = c.argument(1)?;
        c.memory::<T>(2)?.copy_from_slice(&before);
        let dlast = c.seed::<T>(0)?[0];
        // The shadow of what is overwritten stays: the new y depends on the old one as it is.
        let Some(dy) = c.of::<T>(2)? else {
            return match (c.of::<T>(0)?, c.of::<T>(1)?) {
                (None, None) => Ok(()),
                _ => Err("only the last element has a cotangent".to_owned()),
            };
        };
        if let Some(end) = dy.last_mut() {
            *end = *end + dlast;
        }
        if let Some(dalpha) = c.of::<T>(0)? {
            for (&x, &dy) in x.iter().zip(&*dy) {
                dalpha[0] = dalpha[0] + x * dy;
            }
        }
        if let Some(dx) = c.of::<T>(1)? {
            for (dx, &dy) in dx.iter_mut().zip(&*dy) {
                *dx = *dx + alpha * dy;
            }
        }
        Ok(())
    })
}

fn axpy_frule<T: Float>(alpha: T, x: &[T], y: &mut [T], last: &mut T, t: &Tangents) -> Outcome {
    axpy_primal(alpha, x, y, last)?;
    let Some(dy) = t.memory::<T>(2)? else {
        return Err("y has no tangent".to_owned());
    };
    if let Some(dalpha) = t.of::<T>(0)? {
        for (dy, &x) in dy.iter_mut().zip(x) {
            *dy = *dy + dalpha[0] * x;
        }
    }
    if let Some(dx) = t.of::<T>(1)? {
        for (dy, &dx) in dy.iter_mut().zip(dx) {
            *dy = *dy + alpha * dx;
        }
    }
    *t.scalar::<T>(0)? = dy.last().copied().unwrap_or(T::ZERO);
    Ok(())
}

native! {
    /// The inner product of two slices, without a forward rule.
    fn inner(x: &[T], y: &[T]) -> T {
        primal: inner_primal,
        rrule: inner_rrule,
    }
}

fn inner_primal<T: Float>(x: &[T], y: &[T], out: &mut T) -> Outcome {
    for (&x, &y) in x.iter().zip(y) {
        *out = *out + x * y;
    }
    Ok(())
}

fn inner_rrule<T: Float>(
    x: &[T],
    y: &[T],
    out: &mut T,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    inner_primal(x, y, out)?;
    Ok(|c: &Cotangents| {
        let (x, y): (&[T], &[T]) = (c.argument(0)?, c.argument(1)?);
        let seed = c.seed::<T>(0)?[0];
        // Both at once: they must be apart even if x and y are one slice.
        let (dx, dy) = (c.of::<T>(0)?, c.of::<T>(1)?);
        if let Some(dx) = dx {
            dx.iter_mut().zip(y).for_each(|(d, &y)| *d = *d + seed * y);
        }
        if let Some(dy) = dy {
            dy.iter_mut().zip(x).for_each(|(d, &x)| *d = *d + seed * x);
        }
        Ok(())
    })
}

#[differentiable]
extern "pack" {
    fn scaled(a: &Array<f64>, w: f64) -> (Array<f64>, f64);
    fn axpy(alpha: f64, x: &[f64], y: &mut [f64]) -> f64;
    fn inner(x: &[f64], y: &[f64]) -> f64;
    fn counted(x: f64, key: usize, how: i32) -> f64;
}

#[differentiable]
fn arrays_in_a_loop(a: &Array<f64>, w: f64) -> (Array<f64>, f64) {
    let mut x = a * 1.0;
    let mut total = 0.0;
    for i in 0..4 {
        let (y, sum) = scaled(&x, w + i as f64 * 0.1);
        if sum > 2.0 {
            x = y * 0.5;
        }
        total += sum * w;
    }
    (x.sum(), total)
}

#[differentiable]
fn memory_in_a_loop(alpha: f64, x: &[f64], y: &mut [f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..3 {
        let last = axpy(alpha * (i + 1) as f64, &x[i..i + 3], &mut y[1..4]);
        y[2] *= last;
        total += last + y[0];
        y[0] = total;
    }
    total
}

#[differentiable]
fn one_slice_twice(x: &[f64]) -> f64 {
    inner(x, x) + inner(&x[..3], &x[1..4]) * 0.5
}

/// Pullbacks made, called and dropped, for each test.
static COUNTS: [[AtomicUsize; 3]; 16] = [const { [const { AtomicUsize::new(0) }; 3] }; 16];

fn counts(key: usize) -> [usize; 3] {
    [0, 1, 2].map(|i| COUNTS[key][i].load(Relaxed))
}

struct Counted(usize);

impl Drop for Counted {
    fn drop(&mut self) {
        COUNTS[self.0][2].fetch_add(1, Relaxed);
    }
}

native! {
    /// `x²`, which counts its pullbacks and goes wrong if it is told so.
    fn counted(x: T, key: usize, how: i32) -> T {
        primal: counted_primal,
        rrule: counted_rrule,
    }
}

fn counted_primal<T: Float>(x: T, _: usize, _: i32, y: &mut T) -> Outcome {
    *y = x * x;
    Ok(())
}

fn counted_rrule<T: Float + Send>(
    x: T,
    key: usize,
    how: i32,
    y: &mut T,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    match how {
        1 => return Err("no square today".to_owned()),
        2 => panic!("the square is a circle"),
        _ => {}
    }
    *y = x * x;
    let kept = Counted(key);
    COUNTS[key][0].fetch_add(1, Relaxed);
    Ok(move |c: &Cotangents| {
        let kept = kept;
        COUNTS[kept.0][1].fetch_add(1, Relaxed);
        if how == 3 {
            return Err("no way back".to_owned());
        }
        if let Some(dx) = c.of::<T>(0)? {
            dx[0] = dx[0] + (x + x) * c.seed::<T>(0)?[0];
        }
        Ok(())
    })
}

/// Counts what each thread allocates.
struct Counting;

thread_local!(static ALLOCATIONS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) });

// SAFETY: all of it is the system's allocator; counting touches no memory that it hands out.
unsafe impl std::alloc::GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: std::alloc::Layout) -> *mut u8 {
        // A thread that ends has no counter any more.
        let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's promise.
        unsafe { std::alloc::System.alloc(layout) }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: std::alloc::Layout) {
        // SAFETY: the caller's promise.
        unsafe { std::alloc::System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Five pullbacks are five boxes, whose memory is the pack's; nothing else is asked for.
#[test]
fn a_call_allocates_what_its_rules_do() {
    let ctx = Context::default();
    let rule = ctx.build_rrule::<squares>().unwrap();
    let mut gradient = 0.0;
    let count = |f: &mut dyn FnMut()| {
        f();
        let before = ALLOCATIONS.get();
        f();
        ALLOCATIONS.get() - before
    };
    let call = &mut || {
        let into = (&mut gradient, &mut (), &mut ());
        rule.value_and_gradient_into((1.5, 7, 0), into).unwrap();
    };
    assert_eq!(count(call), 5);
    let rule = ctx.build_rrule::<one_slice_twice>().unwrap();
    let (x, mut dx) = ([0.5, -1.0, 2.0, 0.25], vec![0.0; 4]);
    let call = &mut || {
        rule.value_and_gradient_into((&x[..],), (&mut dx,)).unwrap();
    };
    // Two boxes, and, as the slices overlap, a place for the second cotangent of each call and a list of it.
    assert_eq!(count(call), 2 + 2 * 2);
}

/// Squares again and again; the last one goes wrong if it is told so.
#[differentiable]
fn squares(x: f64, key: usize, how: i32) -> f64 {
    let mut y = x;
    for i in 0..5 {
        y = counted(y, key, if i == 4 { how } else { 0 }) * 0.5;
    }
    y
}

#[test]
fn native_rules_pass_on_arrays() {
    let ctx = Context::default();
    let case = Case::new("scaled", [Value::array(&[3, 4]), Value::Float(0.75)]);
    for device in devices() {
        test_case(&ctx, &case, &device).unwrap();
    }
    let a = Array::from_vec_on(&Device::cpu(), vec![0.3, -1.2, 0.8, 2.0], [4]);
    for debug in [false, true] {
        let builder = Context::builder().device(Device::cpu()).debug(debug);
        test_rule::<arrays_in_a_loop>(&builder.build().unwrap(), (&a, 0.75)).unwrap();
    }
}

#[test]
fn native_rules_pass_on_memory_and_restore_it() {
    let x = [0.5, -1.0, 2.0, 0.25, 1.5];
    for debug in [false, true] {
        let ctx = Context::builder().debug(debug).build().unwrap();
        let mut y = [1.0, 0.75, -0.5, 2.0];
        test_rule::<memory_in_a_loop>(&ctx, (0.3, &x[..], &mut y[..])).unwrap();
        test_rule::<axpy>(&ctx, (0.3, &x[..4], &mut y[..])).unwrap();
    }
}

#[test]
fn a_slice_that_is_passed_twice_has_the_sum_of_both_cotangents() {
    let ctx = Context::default();
    let rule = ctx.build_rrule::<one_slice_twice>().unwrap();
    let x = [0.5, -1.0, 2.0, 0.25];
    let (y, (dx,)) = rule.value_and_gradient((&x[..],)).unwrap();
    let squares: f64 = x.iter().map(|x| x * x).sum();
    let shifted: f64 = (0..3).map(|i| x[i] * x[i + 1]).sum();
    assert_eq!(y, squares + 0.5 * shifted);
    let expected = |i: usize| {
        let below = if i > 0 { x[i - 1] } else { 0.0 };
        let above = if i < 3 { x[i + 1] } else { 0.0 };
        2.0 * x[i] + 0.5 * (below + above)
    };
    assert_eq!(dx, (0..4).map(expected).collect::<Vec<f64>>());
}

#[test]
fn what_has_no_forward_rule_says_so_and_so_does_what_has_no_second_derivative() {
    let ctx = Context::default();
    let x = [0.5, -1.0, 2.0, 0.25];
    let forward = ctx.build_frule::<one_slice_twice>().unwrap();
    let error = forward
        .value_and_derivative((&x[..],), (&x[..],))
        .unwrap_err()
        .to_string();
    assert!(error.contains("has no `frule`"), "{error}");
    // A Jacobian is made in reverse mode then.
    let (y, (dx,)) = { ctx.build_rrule::<one_slice_twice>().unwrap() }
        .value_and_gradient((&x[..],))
        .unwrap();
    let jacobian = ctx.build_jacobian::<one_slice_twice>().unwrap();
    for _ in 0..2 {
        let found = jacobian.value_and_jacobian((&x[..],)).unwrap();
        assert_eq!(found, (y, vec![dx.clone()]));
    }
    let second = ctx.build_hvp::<one_slice_twice>().unwrap();
    let error = second
        .value_gradient_and_hvp((&x[..],), (&x[..],))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("the rule of `tests::inner` is first order"),
        "{error}"
    );
}

#[test]
fn pullbacks_that_are_called_are_dropped_once() {
    let rule = Context::default().build_rrule::<squares>().unwrap();
    let (_, gradient) = rule.value_and_gradient((1.5, 1, 0)).unwrap();
    assert_eq!(counts(1), [5, 5, 5]);
    // y = x³² / 2³¹
    let expected = 32.0 * 1.5f64.powi(31) / 2f64.powi(31);
    assert!((gradient.0 - expected).abs() < 1e-12 * expected);
}

#[test]
fn pullbacks_that_are_not_called_are_dropped_once() {
    let rule = Context::default().build_rrule::<squares>().unwrap();
    let pullback = rule.pullback((1.5, 2, 0)).unwrap().1;
    assert_eq!(counts(2), [5, 0, 0]);
    drop(pullback);
    assert_eq!(counts(2), [5, 0, 5]);
}

#[test]
fn pullbacks_are_dropped_once_on_another_thread() {
    let rule = Context::default().build_rrule::<squares>().unwrap();
    let pullback = rule.pullback((1.5, 3, 0)).unwrap().1;
    std::thread::scope(|s| s.spawn(move || drop(pullback)).join().unwrap());
    assert_eq!(counts(3), [5, 0, 5]);
    let pullback = rule.pullback((1.5, 4, 0)).unwrap().1;
    let call = move || pullback.apply(1.0).map(drop);
    std::thread::scope(|s| s.spawn(call).join().unwrap()).unwrap();
    assert_eq!(counts(4), [5, 5, 5]);
}

#[test]
fn an_error_half_way_drops_the_pullbacks_once() {
    let rule = Context::default().build_rrule::<squares>().unwrap();
    let error = rule
        .value_and_gradient((1.5, 5, 1))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`tests::counted`: no square today"),
        "{error}"
    );
    assert_eq!(counts(5), [4, 0, 4]);
    let error = rule
        .value_and_gradient((1.5, 6, 3))
        .unwrap_err()
        .to_string();
    assert!(error.contains("`tests::counted`: no way back"), "{error}");
    assert_eq!(counts(6), [5, 1, 5]);
}

mod misdeclared {
    use super::*;

    #[differentiable]
    extern "pack" {
        pub fn axpy(alpha: f64, x: &[f64], y: &[f64]) -> f64;
    }

    #[differentiable]
    pub fn of_a_local(x: &[f64]) -> f64 {
        let y = [x[0], 2.0];
        axpy(x[1], x, &y) + y[0] * y[1]
    }
}

/// It wrote to memory that Rust takes for unchanged.
#[test]
fn what_a_function_writes_to_is_declared_so() {
    let error = Context::default()
        .build_rrule::<misdeclared::of_a_local>()
        .map(drop)
        .unwrap_err();
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    assert_eq!(
        first,
        "the pack's `axpy` writes to its argument 3, and is declared to read it"
    );
}
