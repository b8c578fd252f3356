//! Native rules that call other functions while they run: functions of other packs, of their own, kernels on a device; and what goes wrong.

use mooncake::prelude::*;
use mooncake::testing::{test_case, test_rule};
use mooncake_pack::{
    Arg, ArrayOut, ArrayView, Case, Cotangents, Float, HostArray, Outcome, Tangents, Value, call,
    native,
};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

mooncake_pack::pack!();

native! {
    /// The logarithm of the determinant of a positive definite matrix.
    fn logdet(a: array<T>) -> T {
        primal: logdet_primal,
        rrule: logdet_rrule,
        frule: logdet_frule,
    }
}

/// Both triangles of the matrix count alike: those of `linalg::cholesky` do.
fn logdet_primal<T: Float>(a: ArrayView<T>, out: &mut T) -> Outcome {
    let n = a.square()?;
    let l: HostArray<T> = call("linalg::cholesky", [a.into()])?;
    for i in 0..n {
        let ln: T = call("ln", [l.data()[i * n + i].into()])?;
        *out = *out + ln + ln;
    }
    Ok(())
}

/// The inverse, which the forward pass asks for, is kept for the pullback; that asks once more, for the sum of it and its transpose.
fn logdet_rrule<T: Float + Send>(
    a: ArrayView<T>,
    out: &mut T,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    logdet_primal(a, out)?;
    let inverse: HostArray<T> = call("linalg::inv", [a.into()])?;
    Ok(move |c: &Cotangents| {
        let half = T::ONE / (T::ONE + T::ONE) * c.seed::<T>(0)?[0];
        let both: HostArray<T> = call("twice_symmetric", [(&inverse).into(), half.into()])?;
        if let Some(da) = c.of::<T>(0)? {
            for (da, &x) in da.iter_mut().zip(both.data()) {
                *da = *da + x;
            }
        }
        Ok(())
    })
}

fn logdet_frule<T: Float>(a: ArrayView<T>, out: &mut T, t: &Tangents) -> Outcome {
    logdet_primal(a, out)?;
    let dout = t.scalar::<T>(0)?;
    if let Some(da) = t.of::<T>(0)? {
        let n = a.square()?;
        let half = T::ONE / (T::ONE + T::ONE);
        let da = ArrayView::new(a.shape(), da)?;
        let da: HostArray<T> = call("twice_symmetric", [da.into(), half.into()])?;
        let x: HostArray<T> = call("linalg::solve", [a.into(), (&da).into()])?;
        for i in 0..n {
            *dout = *dout + x.data()[i * n + i];
        }
    }
    Ok(())
}

mooncake_pack::rule! {
    /// `(a + aᵀ) · w`, for the functions of this pack alone.
    private fn twice_symmetric(a: array<T>, w: T) -> array<T> {
        body: "(a + t(a)) * w",
    }
}

native! {
    /// `xᵀ · a · x`, for slices.
    fn quadratic(n: usize, a: &[T], x: &[T]) -> T {
        primal: quadratic_primal,
        rrule: quadratic_rrule,
        frule: quadratic_frule,
    }
}

/// `op(a) · x`
fn applied<T: Float>(trans: bool, n: usize, a: &[T], x: &[T]) -> Result<Vec<T>, String> {
    let mut y = vec![T::ZERO; n];
    let one = 1usize;
    call::<()>(
        "linalg::gemv",
        [
            trans.into(),
            n.into(),
            n.into(),
            T::ONE.into(),
            a.into(),
            n.into(),
            x.into(),
            one.into(),
            T::ZERO.into(),
            Arg::from(&mut y[..]),
            one.into(),
        ],
    )?;
    Ok(y)
}

fn quadratic_primal<T: Float>(n: usize, a: &[T], x: &[T], out: &mut T) -> Outcome {
    let y = applied(false, n, a, x)?;
    let one = 1usize;
    *out = call(
        "linalg::dot",
        [
            n.into(),
            x.into(),
            one.into(),
            Arg::from(&y[..]),
            one.into(),
        ],
    )?;
    Ok(())
}

fn quadratic_rrule<T: Float + Send>(
    n: usize,
    a: &[T],
    x: &[T],
    out: &mut T,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    quadratic_primal(n, a, x, out)?;
    Ok(move |c: &Cotangents| {
        let (a, x): (&[T], &[T]) = (c.argument(1)?, c.argument(2)?);
        let seed = c.seed::<T>(0)?[0];
        if let Some(da) = c.of::<T>(1)? {
            let one = 1usize;
            call::<()>(
                "linalg::ger",
                [
                    n.into(),
                    n.into(),
                    seed.into(),
                    x.into(),
                    one.into(),
                    x.into(),
                    one.into(),
                    da.into(),
                    n.into(),
                ],
            )?;
        }
        if let Some(dx) = c.of::<T>(2)? {
            for trans in [false, true] {
                for (dx, y) in dx.iter_mut().zip(applied(trans, n, a, x)?) {
                    *dx = *dx + seed * y;
                }
            }
        }
        Ok(())
    })
}

fn quadratic_frule<T: Float>(n: usize, a: &[T], x: &[T], out: &mut T, t: &Tangents) -> Outcome {
    quadratic_primal(n, a, x, out)?;
    let dot = |a: &[T], b: &[T]| {
        let products = a.iter().zip(b).map(|(&a, &b)| a * b);
        products.fold(T::ZERO, |sum, product| sum + product)
    };
    let dout = t.scalar::<T>(0)?;
    if let Some(da) = t.of::<T>(1)? {
        *dout = *dout + dot(x, &applied(false, n, da, x)?);
    }
    if let Some(dx) = t.of::<T>(2)? {
        *dout = *dout + dot(dx, &applied(false, n, a, x)?) + dot(dx, &applied(true, n, a, x)?);
    }
    Ok(())
}

native! {
    /// 1 where machine code runs, 2 where the kernel does.
    private fn place(a: array<T>) -> array<T> {
        primal: place_primal,
        pullback: ["0 * dy"],
        tangent: ["0 * dx"],
        kernel: {
            wgsl: "@compute @workgroup_size(1) fn main() { y[0] = select(a[0], 2.0, true); }",
            shapes: ["1"],
            workgroups: "1",
        },
    }
}

fn place_primal<T: Float>(_: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    out.allocate(&[1])?[0] = T::ONE;
    Ok(())
}

native! {
    /// The elements times what [`place`] gives, which each of the three functions asks for by itself.
    fn placed(a: array<T>) -> array<T> {
        primal: placed_primal,
        rrule: placed_rrule,
        frule: placed_frule,
    }
}

/// Of the array as it was given, and of a copy.
fn factor<T: Float>(a: ArrayView<T>) -> Result<T, String> {
    let copy = a.data().to_vec();
    let copy = ArrayView::new(a.shape(), &copy)?;
    let (same, copied): (HostArray<T>, HostArray<T>) =
        (call("place", [a.into()])?, call("place", [copy.into()])?);
    match same.data() == copied.data() && same.shape() == [1] {
        true => Ok(same.data()[0]),
        false => Err("a copy of an array is elsewhere".to_owned()),
    }
}

fn placed_primal<T: Float>(a: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
    let factor = factor(a)?;
    for (out, &x) in out.allocate(a.shape())?.iter_mut().zip(a.data()) {
        *out = factor * x;
    }
    Ok(())
}

fn placed_rrule<T: Float + Send>(
    a: ArrayView<T>,
    out: ArrayOut<T>,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    placed_primal(a, out)?;
    Ok(|c: &Cotangents| {
        let factor = factor(c.argument::<ArrayView<T>>(0)?)?;
        let seed = c.seed::<T>(0)?;
        if let Some(da) = c.of::<T>(0)? {
            for (da, &seed) in da.iter_mut().zip(seed) {
                *da = *da + factor * seed;
            }
        }
        Ok(())
    })
}

fn placed_frule<T: Float>(a: ArrayView<T>, out: ArrayOut<T>, t: &Tangents) -> Outcome {
    placed_primal(a, out)?;
    let factor = factor(a)?;
    let dout = t.array::<T>(0)?.allocate(a.shape())?;
    if let Some(da) = t.of::<T>(0)? {
        for (dout, &da) in dout.iter_mut().zip(da) {
            *dout = factor * da;
        }
    }
    Ok(())
}

native! {
    /// Calls what its number says.
    fn asking(a: array<T>, how: i32) -> T {
        primal: asking_primal,
        pullback: ["full_like(dy, a)", ""],
        tangent: ["item(sum(dx))", ""],
    }
}

fn asking_primal<T: Float>(a: ArrayView<T>, how: i32, out: &mut T) -> Outcome {
    match how {
        0 => *out = call("nowhere", [a.into()])?,
        1 => *out = call("linalg::nowhere", [a.into()])?,
        2 => *out = call("linalg::private::share", [a.into()])?,
        3 => *out = call("linalg::cholesky", [1i32.into()])?,
        4 => *out = call("linalg::cholesky", [a.into()])?,
        5 => drop(call::<HostArray<T>>("linalg::cholesky", [a.into()])?),
        6 => *out = call("asking", [a.into(), 6i32.into()])?,
        7 => {
            let l: Result<HostArray<T>, String> = call("linalg::cholesky", [a.into()]);
            // What one call says does not stay behind for the next.
            let nothing: Result<T, String> = call("nowhere", [T::ONE.into()]);
            let message = "`linalg::cholesky`: the matrix is not positive definite";
            let expected = [message.to_owned(), nowhere("nowhere", T::ONE)];
            if [l.err(), nothing.err()] != expected.map(Some) {
                return Err("other messages".to_owned());
            }
            let (_, _, rows): (HostArray<T>, HostArray<T>, HostArray<u32>) =
                call("linalg::lu", [a.into()])?;
            *out = T::from_f64(rows.data().len() as f64);
        }
        8 => {
            let there = || call::<f64>("exp", [1.0.into()]);
            *out = T::from_f64(std::thread::spawn(there).join().unwrap()?);
        }
        9 => *out = call("failing", [T::ONE.into()])?,
        _ => *out = call("exp", [a.data()[0].into()])?,
    }
    Ok(())
}

/// What is said of a function that does not exist.
fn nowhere<T: Float>(name: &str, _: T) -> String {
    let float = if size_of::<T>() == 4 { "f32" } else { "f64" };
    format!("no pack in this process defines `{name}` for ({float})")
}

native! {
    /// An error, always.
    private fn failing(x: T) -> T {
        primal: failing,
        pullback: ["dy"],
        tangent: ["dx"],
    }
}

fn failing<T: Float>(_: T, _: &mut T) -> Outcome {
    Err("not today".to_owned())
}

#[differentiable]
#[pack = "tests"]
extern "pack" {
    fn logdet(a: &Array<f64>) -> f64;
    fn quadratic(n: usize, a: &[f64], x: &[f64]) -> f64;
    fn placed(a: &Array<f32>) -> Array<f32>;
    fn asking(a: &Array<f64>, how: i32) -> f64;
}

#[differentiable]
fn through_logdet(a: &Array<f64>, w: f64) -> f64 {
    let mut total = 0.0;
    for i in 0..3 {
        total += logdet(&(a * (w + i as f64))) * w;
    }
    total
}

#[differentiable]
fn through_placed(a: &Array<f32>) -> Array<f32> {
    (placed(a) * a).sum()
}

/// The GPU. Without an adapter this says so; `MOONCAKE_REQUIRE_GPU=1` makes that a failure.
fn gpu() -> Option<Device> {
    match Device::gpu() {
        Ok(gpu) => Some(gpu),
        Err(error) if std::env::var_os("MOONCAKE_REQUIRE_GPU").is_some() => panic!("{error}"),
        Err(error) => {
            eprintln!("not tested on a GPU: {error}");
            None
        }
    }
}

fn cpu() -> Context {
    Context::builder().device(Device::cpu()).build().unwrap()
}

fn matrix(data: &[f64], n: usize) -> Array<f64> {
    Array::from_vec_on(&Device::cpu(), data.to_vec(), [n, n])
}

#[test]
fn rules_made_of_other_functions_have_values_and_derivatives() {
    // The determinant of this matrix is 4 · 3 − 1 = 11.
    let a = matrix(&[4.0, 1.0, 1.0, 3.0], 2);
    let ctx = cpu();
    let rule = ctx.build_rrule::<logdet>().unwrap();
    let (y, (da,)) = rule.value_and_gradient((&a,)).unwrap();
    assert!((y - 11f64.ln()).abs() < 1e-14, "{y}");
    let expected = [3.0 / 11.0, -1.0 / 11.0, -1.0 / 11.0, 4.0 / 11.0];
    for (found, expected) in da.to_vec().unwrap().into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-14, "{found}: {expected}");
    }
    for debug in [false, true] {
        let builder = Context::builder().device(Device::cpu()).debug(debug);
        test_rule::<through_logdet>(&builder.build().unwrap(), (&a, 0.75)).unwrap();
    }
    let case = Value::Array(vec![2, 2], vec![4.0, 1.0, 1.0, 3.0]);
    for device in [Some(Device::cpu()), gpu()].into_iter().flatten() {
        test_case(&ctx, &Case::new("logdet", [case.clone()]), &device).unwrap();
    }
}

#[test]
fn slices_are_passed_on() {
    let a = [4.0, 1.0, -2.0, 3.0];
    let x = [0.5, -1.5];
    let ctx = cpu();
    // x · a · x with a in columns.
    let expected = 4.0 * 0.25 - 1.0 * 0.75 + 2.0 * 0.75 + 3.0 * 2.25;
    let rule = ctx.build_rrule::<quadratic>().unwrap();
    assert_eq!(rule.value((2, &a[..], &x[..])).unwrap(), expected);
    test_rule::<quadratic>(&ctx, (2, &a[..], &x[..])).unwrap();
}

#[test]
fn a_kernel_of_the_pack_runs_where_the_arrays_of_the_call_are() {
    let run = |device: &Device, factor: f32| {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let a = Array::from_vec_on(device, vec![0.5f32, -1.5, 3.0], [3]);
        let rule = ctx.build_rrule::<placed>().unwrap();
        let y = rule.value((&a,)).unwrap().to_vec().unwrap();
        assert_eq!(y, [0.5 * factor, -1.5 * factor, 3.0 * factor]);
        let rule = ctx.build_rrule::<through_placed>().unwrap();
        let (_, (da,)) = rule.value_and_gradient((&a,)).unwrap();
        let expected = [1.0 * factor, -3.0 * factor, 6.0 * factor];
        assert_eq!(da.to_vec().unwrap(), expected);
        let rule = ctx.build_frule::<placed>().unwrap();
        let (_, dy) = rule.value_and_derivative((&a,), (&a,)).unwrap();
        assert_eq!(dy.to_vec().unwrap(), y);
    };
    run(&Device::cpu(), 1.0);
    if let Some(gpu) = gpu() {
        run(&gpu, 2.0);
    }
}

/// What a call of `asking` with a matrix that is not positive definite says.
fn refused(how: i32) -> String {
    let a = matrix(&[1.0, 2.0, 2.0, 1.0], 2);
    let rule = cpu().build_rrule::<asking>().unwrap();
    let error = rule.value((&a, how)).unwrap_err().to_string();
    let (_, message) = error.split_once("`tests::asking`: ").expect(&error);
    message.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn what_is_not_there_is_named() {
    let unknown = |name: &str| format!("no pack in this process defines `{name}` for (array<f64>)");
    assert_eq!(refused(0), unknown("nowhere"));
    assert_eq!(refused(1), unknown("linalg::nowhere"));
    assert_eq!(refused(2), unknown("linalg::private::share"));
    assert_eq!(
        refused(3),
        "`linalg::cholesky` is not defined for (i32); it is for (array<f32>) and (array<f64>)"
    );
    assert_eq!(
        refused(4),
        "`linalg::cholesky`: the matrix is not positive definite"
    );
    let a = matrix(&[4.0, 1.0, 1.0, 3.0], 2);
    let rule = cpu().build_rrule::<asking>().unwrap();
    let error = rule.value((&a, 4)).unwrap_err().to_string();
    assert!(
        error.contains(
            "`tests::asking`: `linalg::cholesky` gives (array<f64>); the call expects (f64)"
        ),
        "{error}"
    );
    assert_eq!(rule.value((&a, 11)).unwrap(), 4f64.exp());
}

#[test]
fn errors_of_what_is_called_are_errors_of_the_call_or_handled() {
    assert_eq!(
        refused(5),
        "`linalg::cholesky`: the matrix is not positive definite"
    );
    assert_eq!(refused(9), "`tests::private::failing`: not today");
    let a = matrix(&[1.0, 2.0, 2.0, 1.0], 2);
    let rule = cpu().build_rrule::<asking>().unwrap();
    assert_eq!(rule.value((&a, 7)).unwrap(), 2.0);
}

#[test]
fn a_function_that_calls_itself_without_an_end_is_an_error() {
    assert_eq!(
        refused(6).rsplit("`tests::asking`: ").next().unwrap(),
        "`tests::asking` calls `asking`: calls through the host are nested more than 16 deep"
    );
    // And the next call starts anew.
    assert_eq!(refused(5).lines().count(), 1);
}

#[test]
fn only_what_the_host_has_called_can_ask_it() {
    let outside = "`exp` is called outside of a native function: only functions that the host has called, on the thread they run on, can ask it";
    assert_eq!(call::<f64>("exp", [1.0.into()]), Err(outside.to_owned()));
    assert_eq!(refused(8), outside);
}

/// Counts the blocks of [`LARGE`] bytes that are alive.
struct Counting;

/// The bytes of an array that no other test makes, and that is small enough for the allocator: larger ones are kept for the next result.
const LARGE: usize = 22 * 22 * 8;

static ALIVE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all of it is the system's allocator; counting touches no memory that it hands out.
unsafe impl std::alloc::GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: std::alloc::Layout) -> *mut u8 {
        ALIVE.fetch_add(usize::from(layout.size() == LARGE), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { std::alloc::System.alloc(layout) }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: std::alloc::Layout) {
        ALIVE.fetch_sub(usize::from(layout.size() == LARGE), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { std::alloc::System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Each round the forward pass keeps an inverse for the pullback; half of the pullbacks are called, half of those on another thread.
#[test]
fn arrays_that_a_rule_keeps_go_back_once_with_its_pullback() {
    let n = 22;
    let data: Vec<f64> = (0..n * n)
        .map(|i| if i % (n + 1) == 0 { 2.0 } else { 0.0 })
        .collect();
    let a = matrix(&data, n);
    let rule = cpu().build_rrule::<logdet>().unwrap();
    let round = |how: usize| {
        let before = ALIVE.load(Relaxed);
        let (_, pullback) = rule.pullback((&a,)).unwrap();
        assert!(ALIVE.load(Relaxed) > before, "the inverse is not kept");
        let finish = move || match how % 2 {
            0 => drop(pullback),
            _ => drop(pullback.apply(1.0).unwrap()),
        };
        match how / 2 {
            0 => finish(),
            _ => std::thread::scope(|s| s.spawn(finish).join().unwrap()),
        }
    };
    (0..4).for_each(round);
    let before = ALIVE.load(Relaxed);
    (0..40).for_each(|i| round(i % 4));
    assert_eq!(ALIVE.load(Relaxed), before);
}
