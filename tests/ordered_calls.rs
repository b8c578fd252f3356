//! Functions with effects, of a pack that is this test itself: a log says which calls happened, and in which order, forwards, backwards and along tangents.

use mooncake::inspect::Stage;
use mooncake::prelude::*;
use mooncake::testing::test_rule;
use mooncake_pack::{
    ArrayOut, ArrayView, Case, Cotangents, Float, Outcome, Tangents, Value, call, native,
};
use std::cell::RefCell;

mooncake_pack::pack!(cases);

thread_local! {
    static LOG: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn note(what: &str, n: usize) {
    LOG.with_borrow_mut(|log| log.push(format!("{what}{n}")));
}

/// What was noted since the last time, and the result.
fn logged<R>(run: impl FnOnce() -> R) -> (R, String) {
    LOG.take();
    let result = run();
    (result, LOG.take().join(" "))
}

native! {
    /// `2x`, noted as `f`; its pullback as `b` and its tangent as `t`.
    fn noted(x: T, n: usize) -> T {
        effects: ordered,
        primal: noted_primal,
        pullback: ["noted_back(dy, n)", ""],
        tangent: ["noted_tangent(dx, n)", ""],
    }
}
native! {
    /// The pullback of `noted`.
    private fn noted_back(x: T, n: usize) -> T {
        effects: ordered,
        primal: noted_back,
        pullback: ["noted_tangent(dy, n)", ""],
        tangent: ["noted_back(dx, n)", ""],
    }
}
native! {
    /// The tangent of `noted`.
    private fn noted_tangent(x: T, n: usize) -> T {
        effects: ordered,
        primal: noted_tangent,
        pullback: ["noted_back(dy, n)", ""],
        tangent: ["noted_tangent(dx, n)", ""],
    }
}

fn doubled<T: Float>(what: &str, x: T, n: usize, out: &mut T) -> Outcome {
    note(what, n);
    *out = x + x;
    Ok(())
}
fn noted_primal<T: Float>(x: T, n: usize, out: &mut T) -> Outcome {
    doubled("f", x, n, out)
}
fn noted_back<T: Float>(x: T, n: usize, out: &mut T) -> Outcome {
    doubled("b", x, n, out)
}
fn noted_tangent<T: Float>(x: T, n: usize, out: &mut T) -> Outcome {
    doubled("t", x, n, out)
}

native! {
    /// The elements doubled, noted as `F`, with a rule in machine code: `B` and `T`.
    fn noted_array(a: array<T>, n: usize) -> array<T> {
        effects: ordered,
        primal: array_primal,
        rrule: array_rrule,
        frule: array_frule,
    }
}

fn doubled_array<T: Float>(a: &[T], shape: &[usize], out: ArrayOut<T>) -> Outcome {
    let out = out.allocate(shape)?;
    out.iter_mut().zip(a).for_each(|(out, &x)| *out = x + x);
    Ok(())
}
fn array_primal<T: Float>(a: ArrayView<T>, n: usize, out: ArrayOut<T>) -> Outcome {
    note("F", n);
    doubled_array(a.data(), a.shape(), out)
}
fn array_rrule<T: Float>(
    a: ArrayView<T>,
    n: usize,
    out: ArrayOut<T>,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    array_primal(a, n, out)?;
    Ok(move |c: &Cotangents| {
        note("B", n);
        let seed = c.seed::<T>(0)?;
        if let Some(da) = c.of::<T>(0)? {
            let pairs = da.iter_mut().zip(seed);
            pairs.for_each(|(da, &dy)| *da = *da + dy + dy);
        }
        Ok(())
    })
}
fn array_frule<T: Float>(a: ArrayView<T>, n: usize, out: ArrayOut<T>, t: &Tangents) -> Outcome {
    note("T", n);
    doubled_array(a.data(), a.shape(), out)?;
    let zeros = vec![T::ZERO; a.data().len()];
    let da = t.of::<T>(0)?.unwrap_or(&zeros);
    doubled_array(da, a.shape(), t.array::<T>(0)?)
}

native! {
    /// The elements doubled, noted as `A`, with a rule of expressions: itself.
    fn noted_elements(a: array<T>, n: usize) -> array<T> {
        effects: ordered,
        primal: elements_primal,
        pullback: ["noted_elements(dy, n)", ""],
        tangent: ["noted_elements(dx, n)", ""],
    }
}

fn elements_primal<T: Float>(a: ArrayView<T>, n: usize, out: ArrayOut<T>) -> Outcome {
    note("A", n);
    doubled_array(a.data(), a.shape(), out)
}

native! {
    /// Doubles the elements where they are, noted as `M`.
    fn noted_slice(x: &mut [T], n: usize) {
        effects: ordered,
        primal: slice_primal,
        rrule: slice_rrule,
    }
}

fn slice_primal<T: Float>(x: &mut [T], n: usize) -> Outcome {
    note("M", n);
    x.iter_mut().for_each(|x| *x = *x + *x);
    Ok(())
}
fn slice_rrule<T: Float + Send>(
    x: &mut [T],
    n: usize,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    let before = x.to_vec();
    slice_primal(x, n)?;
    Ok(move |c: &Cotangents| {
        note("W", n);
        c.memory::<T>(0)?.copy_from_slice(&before);
        for dx in c.of::<T>(0)?.into_iter().flatten() {
            *dx = *dx + *dx;
        }
        Ok(())
    })
}

native! {
    /// Says how often it was called so far on this thread, noted as `c`. No derivative, no arguments.
    fn count() -> usize {
        effects: ordered,
        primal: count_primal,
    }
}

fn count_primal(out: &mut usize) -> Outcome {
    LOG.with_borrow_mut(|log| {
        *out = log.iter().filter(|entry| *entry == "c0").count();
        log.push("c0".to_owned());
    });
    Ok(())
}

native! {
    /// Puts a number into a box with this label; gives 0. Noted as `p`, its pullback, which takes the cotangent out of the box, as `-p`.
    fn put(x: T, n: usize) -> T {
        effects: linked,
        primal: put_primal,
        pullback: ["take_back(x, n) + 0 * dy", ""],
        tangent: ["put_tangent(dx, n)", ""],
    }
}
native! {
    /// Takes the number out of the box. Noted as `g`, its pullback, which puts the cotangent into the box, as `-g`.
    fn take(like: T, n: usize) -> T {
        effects: linked,
        primal: take_primal,
        pullback: ["0 * put_back(dy, n)", ""],
        tangent: ["take_tangent(dx, n)", ""],
    }
}
native! {
    /// What a pullback puts into the box.
    private fn put_back(x: T, n: usize) -> T {
        effects: linked,
        primal: put_back,
        pullback: ["take_tangent(x, n) + 0 * dy", ""],
        tangent: ["put_back(dx, n)", ""],
    }
}
native! {
    /// What a pullback takes out of the box.
    private fn take_back(like: T, n: usize) -> T {
        effects: linked,
        primal: take_back,
        pullback: ["0 * put_tangent(dy, n)", ""],
        tangent: ["take_back(dx, n)", ""],
    }
}
native! {
    /// What a tangent puts into the box.
    private fn put_tangent(x: T, n: usize) -> T {
        effects: linked,
        primal: put_tangent,
        pullback: ["take_back(x, n) + 0 * dy", ""],
        tangent: ["put_tangent(dx, n)", ""],
    }
}
native! {
    /// What a tangent takes out of the box.
    private fn take_tangent(like: T, n: usize) -> T {
        effects: linked,
        primal: take_tangent,
        pullback: ["0 * put_back(dy, n)", ""],
        tangent: ["take_tangent(dx, n)", ""],
    }
}

thread_local! {
    static BOXES: RefCell<Vec<(usize, f64)>> = const { RefCell::new(Vec::new()) };
}

fn into_box<T: Float>(what: &str, x: T, n: usize, out: &mut T) -> Outcome {
    note(what, n);
    BOXES.with_borrow_mut(|boxes| boxes.push((n, x.to_f64())));
    *out = T::ZERO;
    Ok(())
}
fn out_of_box<T: Float>(what: &str, n: usize, out: &mut T) -> Outcome {
    note(what, n);
    BOXES.with_borrow_mut(|boxes| {
        let found = boxes.iter().position(|(label, _)| *label == n);
        let at = found.ok_or_else(|| format!("box {n} is empty"))?;
        *out = T::from_f64(boxes.remove(at).1);
        Ok(())
    })
}
fn put_primal<T: Float>(x: T, n: usize, out: &mut T) -> Outcome {
    into_box("p", x, n, out)
}
fn put_back<T: Float>(x: T, n: usize, out: &mut T) -> Outcome {
    into_box("-g", x, n, out)
}
fn put_tangent<T: Float>(x: T, n: usize, out: &mut T) -> Outcome {
    into_box("p'", x, n, out)
}
fn take_primal<T: Float>(_: T, n: usize, out: &mut T) -> Outcome {
    out_of_box("g", n, out)
}
fn take_back<T: Float>(_: T, n: usize, out: &mut T) -> Outcome {
    out_of_box("-p", n, out)
}
fn take_tangent<T: Float>(_: T, n: usize, out: &mut T) -> Outcome {
    out_of_box("g'", n, out)
}

native! {
    /// Claims to be pure and calls what is ordered.
    fn hidden(x: T) -> T {
        primal: hidden_primal,
        pullback: ["2 * dy"],
        tangent: ["2 * dx"],
    }
}

fn hidden_primal<T: Float>(x: T, out: &mut T) -> Outcome {
    *out = call("noted", [x.into(), 1usize.into()])?;
    Ok(())
}

native! {
    /// Ordered itself, so it may call what is ordered.
    fn open(x: T) -> T {
        effects: ordered,
        primal: hidden_primal,
        pullback: ["noted_back(dy, 1)"],
        tangent: ["noted_tangent(dx, 1)"],
    }
}

fn cases() -> Vec<Case> {
    vec![Case::new("noted", [Value::Float(0.5), Value::Int(1)])]
}

#[differentiable]
extern "pack" {
    fn noted(x: f64, n: usize) -> f64;
    fn noted_array(a: &Array<f64>, n: usize) -> Array<f64>;
    fn noted_elements(a: &Array<f64>, n: usize) -> Array<f64>;
    fn noted_slice(x: &mut [f64], n: usize);
    fn count() -> usize;
    fn put(x: f64, n: usize) -> f64;
    fn take(like: f64, n: usize) -> f64;
    fn hidden(x: f64) -> f64;
    fn open(x: f64) -> f64;
}

/// Contexts that compile differently: optimised, with guards, and one in which rules that only save time are not in force.
fn contexts() -> Vec<Context> {
    let on_cpu = || Context::builder().device(Device::cpu());
    let built = [on_cpu(), on_cpu().debug(true), on_cpu().minimal()];
    built.map(|builder| builder.build().unwrap()).into()
}

/// The logs of the value, the gradient, the forward half with its pullback, the derivative and the Hessian product of a function of one number; and
/// that the numbers are right.
fn check<F>(x: f64, expected: [&str; 4])
where
    F: for<'a> DifferentiableFn<Args<'a> = (f64,), Output = f64, Gradient = (f64,)>,
{
    let [value, gradient, derivative, hvp] = expected;
    for ctx in contexts() {
        let rule = ctx.build_rrule::<F>().unwrap();
        let (_, log) = logged(|| rule.value((x,)).unwrap());
        assert_eq!(log, value, "value");
        let ((_, (dx,)), log) = logged(|| rule.value_and_gradient((x,)).unwrap());
        assert_eq!(log, gradient, "value and gradient");
        let ((_, pullback), log) = logged(|| rule.value_and_pullback((x,)).unwrap());
        assert_eq!(log, value, "forward half");
        let ((again,), log) = logged(|| pullback(1.0));
        let back = gradient.strip_prefix(value).unwrap().trim();
        assert_eq!((log.as_str(), again), (back, dx), "pullback");
        let rule = ctx.build_frule::<F>().unwrap();
        let ((_, dy), log) = logged(|| rule.value_and_derivative((x,), (1.0,)).unwrap());
        assert_eq!(log, derivative, "derivative");
        assert!((dy - dx).abs() < 1e-12 * dx.abs(), "{dy} {dx}");
        let rule = ctx.build_hvp::<F>().unwrap();
        let ((_, (g,), _), log) = logged(|| rule.value_gradient_and_hvp((x,), (1.0,)).unwrap());
        assert_eq!(log, hvp, "Hessian product");
        assert!((g - dx).abs() < 1e-12 * dx.abs(), "{g} {dx}");
        test_rule::<F>(&ctx, (x,)).unwrap();
    }
}

#[differentiable]
fn unused(x: f64) -> f64 {
    let _ = noted(x, 1);
    count();
    noted(3.0, 2);
    x * x
}

#[test]
fn what_nobody_uses_is_called_and_has_no_derivative() {
    check::<unused>(0.7, ["f1 c0 f2", "f1 c0 f2", "f1 t1 c0 f2", "f1 t1 c0 f2"]);
}

#[differentiable]
fn equal(x: f64) -> f64 {
    let a = noted(x, 1) * noted(x, 1);
    count();
    a * noted(x, 2) + noted(x, 1)
}

#[test]
fn equal_calls_stay_apart() {
    check::<equal>(
        0.7,
        [
            "f1 f1 c0 f2 f1",
            "f1 f1 c0 f2 f1 b1 b2 b1 b1",
            "f1 t1 f1 t1 c0 f2 t2 f1 t1",
            // The cotangent of the last call is 1, which has no tangent.
            "f1 t1 f1 t1 c0 f2 t2 f1 t1 b1 b2 b2 b1 b1 b1 b1",
        ],
    );
}

/// The sum is one whose reverse could run inside the forward loop.
#[differentiable]
fn in_loops(x: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        sum += noted(x, 7) + noted(x, i);
    }
    sum
}

#[test]
fn loops_are_mirrored() {
    check::<in_loops>(
        0.7,
        [
            "f7 f0 f7 f1 f7 f2",
            "f7 f0 f7 f1 f7 f2 b2 b7 b1 b7 b0 b7",
            "f7 t7 f0 t0 f7 t7 f1 t1 f7 t7 f2 t2",
            // The cotangents are ones, which have no tangents.
            "f7 t7 f0 t0 f7 t7 f1 t1 f7 t7 f2 t2 b2 b7 b1 b7 b0 b7",
        ],
    );
}

/// Loops in loops, loops of unknown length that are left in the middle, calls in both branches and in one.
#[differentiable]
fn in_branches(x: f64) -> f64 {
    let mut y = x;
    for i in 0..3 {
        if y > 1.0 {
            y = noted(y, i) * 0.4;
        } else if i == 1 {
            y = noted(y, 10 + i) * 0.6;
            count();
        }
        let mut n = 0;
        while y < 4.0 {
            y = noted(y, 20 + n) * x;
            n += 1;
            if n == 2 {
                break;
            }
        }
    }
    y
}

#[test]
fn branches_and_ways_out_are_mirrored() {
    let doubled = |text: &str| -> String {
        let twice = |word: &str| match word.starts_with('f') {
            true => format!("{word} {}", word.replace('f', "t")),
            false if word.starts_with('b') => format!("{word} {word}"),
            false => word.to_owned(),
        };
        text.split(' ').map(twice).collect::<Vec<_>>().join(" ")
    };
    let ways = [
        (0.9, "f20 f21 f1 f20 f2 f20", "b20 b2 b20 b1 b21 b20"),
        (
            0.3,
            "f20 f21 f11 c0 f20 f21 f20 f21",
            "b21 b20 b21 b20 b11 b21 b20",
        ),
    ];
    for (x, forward, mirrored) in ways {
        let gradient = format!("{forward} {mirrored}");
        // Every cotangent depends on the number, so each has a tangent.
        let hvp = doubled(&gradient);
        check::<in_branches>(x, [forward, &gradient, &doubled(forward), &hvp]);
    }
}

#[differentiable]
fn recursive(x: f64, n: usize) -> f64 {
    if n == 0 {
        return x;
    }
    let y = noted(x, n);
    recursive(y, n - 1) * x
}

#[differentiable]
fn through_recursion(x: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..2 {
        sum += recursive(x, i + 1);
    }
    sum
}

#[test]
fn functions_that_stay_calls_are_mirrored() {
    check::<through_recursion>(
        0.7,
        [
            "f1 f2 f1",
            "f1 f2 f1 b1 b2 b1",
            "f1 t1 f2 t2 f1 t1",
            "f1 t1 f2 t2 f1 t1 b1 b1 b2 b2 b1 b1",
        ],
    );
}

/// Its cotangent is zero, but nobody knows that when the program is derived.
#[differentiable]
fn times_zero(x: f64) -> f64 {
    let zero = if x > 100.0 { 1.0 } else { 0.0 };
    noted(x, 1) * zero + x
}

#[test]
fn cotangents_that_happen_to_be_zero_are_passed() {
    check::<times_zero>(0.7, ["f1", "f1 b1", "f1 t1", "f1 t1 b1"]);
}

#[differentiable]
fn arrays(a: &Array<f64>) -> Array<f64> {
    let mut x = a * 0.5;
    let unused = noted_array(&x, 9);
    for i in 0..2 {
        let y = noted_array(&x, i);
        let z = noted_array(&y.sin(), 5);
        x = (&z + &y).tanh();
    }
    let _ = unused.sum();
    noted_array(&x, 3).sum()
}

#[test]
fn arrays_are_mirrored_between_clusters() {
    for ctx in contexts() {
        let a = Array::from_vec_on(&Device::cpu(), vec![0.1, 0.5, -0.3], [3]);
        let rule = ctx.build_rrule::<arrays>().unwrap();
        let (gradient, log) = logged(|| rule.value_and_gradient((&a,)));
        gradient.unwrap();
        assert_eq!(log, "F9 F0 F5 F1 F5 F3 B3 B5 B1 B5 B0");
        // Called again, the operations between run as kernels.
        let (gradient, again) = logged(|| rule.value_and_gradient((&a,)));
        gradient.unwrap();
        assert_eq!(again, log);
        let rule = ctx.build_frule::<arrays>().unwrap();
        let (moved, log) = logged(|| rule.value_and_derivative((&a,), (&a,)));
        moved.unwrap();
        assert_eq!(log, "T9 T0 T5 T1 T5 T3");
        test_rule::<arrays>(&ctx, (&a,)).unwrap();
    }
}

/// Nobody looks at the results where they are not wanted: their cotangents are arrays that there are not.
#[differentiable]
fn in_one_branch(a: &Array<f64>, wanted: bool) -> f64 {
    let y = noted_array(a, 1);
    let z = noted_elements(a, 2);
    match wanted {
        true => (y * z).sum().to_scalar(),
        false => 0.0,
    }
}

#[test]
fn cotangents_of_arrays_that_there_are_not_are_passed_as_zeros() {
    for ctx in contexts() {
        let a = Array::from_vec_on(&Device::cpu(), vec![0.1, 0.5], [2]);
        let rule = ctx.build_rrule::<in_one_branch>().unwrap();
        for (wanted, expected) in [(true, [0.8, 4.0]), (false, [0.0; 2])] {
            for _ in 0..2 {
                let (gradient, log) = logged(|| rule.value_and_gradient((&a, wanted)));
                let (_, (da, ())) = gradient.unwrap();
                assert_eq!(log, "F1 A2 A2 B1", "{wanted}");
                assert_eq!(da.to_vec().unwrap(), expected);
            }
        }
    }
}

#[differentiable]
fn slices(x: &mut [f64]) -> f64 {
    let mut product = 1.0;
    for i in 0..2 {
        noted_slice(&mut x[1..], i);
        product *= x[0] + x[1];
        noted_slice(x, 5);
    }
    product
}

#[test]
fn memory_is_mirrored() {
    for ctx in contexts() {
        let rule = ctx.build_rrule::<slices>().unwrap();
        let (mut x, mut dx) = ([0.3, 0.4, 0.5], [0.0; 3]);
        let (done, log) = logged(|| rule.value_and_gradient_into((&mut x,), (&mut dx,)));
        done.unwrap();
        assert_eq!(log, "M0 M5 M1 M5 W5 W1 W5 W0");
    }
}

/// One end sends, the other receives: neither sees that it depends on the other.
#[differentiable]
fn by_post(x: f64) -> f64 {
    put(x * x, 1);
    put(4.0, 2);
    let y = take(0.0, 1);
    let z = take(0.0, 2);
    y * y * x + z * x
}

#[test]
fn linked_calls_are_differentiated_whatever_their_arguments_are() {
    let value = "p1 p2 g1 g2";
    check::<by_post>(
        0.7,
        [
            value,
            "p1 p2 g1 g2 -g2 -g1 -p2 -p1",
            "p1 p'1 p2 p'2 g1 g'1 g2 g'2",
            "p1 p'1 p2 p'2 g1 g'1 g2 g'2 -g2 -g2 -g1 -g1 -p2 -p2 -p1 -p1",
        ],
    );
    let rule = Context::default().build_rrule::<by_post>().unwrap();
    let (y, (dx,)) = rule.value_and_gradient((0.7,)).unwrap();
    let (expected, derivative) = (0.7f64.powi(5) + 2.8, 5.0 * 0.7f64.powi(4) + 4.0);
    assert!((y - expected).abs() < 1e-12 && (dx - derivative).abs() < 1e-12);
}

/// What is taken is not used, so what is put has a cotangent of zero; the other end does not know that.
#[differentiable]
fn lost(x: f64) -> f64 {
    put(x * x, 1);
    take(x, 1);
    x
}

#[test]
fn what_is_taken_and_not_used_has_a_cotangent_of_zero() {
    check::<lost>(
        0.7,
        [
            "p1 g1",
            "p1 g1 -g1 -p1",
            "p1 p'1 g1 g'1",
            "p1 p'1 g1 g'1 -g1 -g1 -p1 -p1",
        ],
    );
}

/// A function that stays a call, whose ends are linked to what its caller does.
#[differentiable]
fn sender(x: f64, n: usize) {
    if n > 0 {
        put(x, n);
        sender(2.0, n - 1);
    }
}

#[differentiable]
fn linked_through_calls(x: f64) -> f64 {
    sender(x, 2);
    sender(3.0, 1);
    let a = take(x, 2);
    let b = take(x, 1);
    let c = take(x, 1);
    a * x + b * c
}

#[test]
fn linked_calls_in_functions_that_stay_calls_are_differentiated() {
    check::<linked_through_calls>(
        0.7,
        [
            "p2 p1 p1 g2 g1 g1",
            "p2 p1 p1 g2 g1 g1 -g1 -g1 -g2 -p1 -p1 -p2",
            "p2 p'2 p1 p'1 p1 p'1 g2 g'2 g1 g'1 g1 g'1",
            "p2 p'2 p1 p'1 p1 p'1 g2 g'2 g1 g'1 g1 g'1 -g1 -g1 -g1 -g1 -g2 -g2 -p1 -p1 -p1 -p1 -p2 -p2",
        ],
    );
}

#[differentiable]
fn mapped(a: &Array<f64>) -> Array<f64> {
    a.map(|v| noted(v, 1) * v).sum()
}

#[test]
fn maps_of_ordered_functions_are_refused() {
    let ctx = Context::default();
    let error = ctx.build_rrule::<mapped>().err().map(|e| e.to_string());
    let a = Array::from_vec_on(&Device::cpu(), vec![0.1], [1]);
    let error = error.or_else(|| {
        let rule = ctx.build_rrule::<mapped>().unwrap();
        rule.value_and_gradient((&a,)).err().map(|e| e.to_string())
    });
    let error = error.unwrap();
    assert!(
        error.contains("applies a function that calls an ordered function of a pack, and the elements of an array have no order"),
        "{error}"
    );
}

#[differentiable]
fn zipped(x: &[f64]) -> f64 {
    x.iter()
        .zip(x.iter().map(|v| noted(*v, 1)))
        .map(|(a, b)| a * b)
        .sum()
}
#[differentiable]
fn zipped_first(x: &[f64]) -> f64 {
    x.iter().map(|v| open(*v)).zip(x).map(|(a, b)| a * b).sum()
}
#[differentiable]
fn zipped_by_name(x: &[f64]) -> f64 {
    x.iter().copied().map(open).zip(x).map(|(a, b)| a * b).sum()
}

#[test]
fn ordered_functions_run_only_in_iterators_whose_items_are_counted() {
    let ctx = Context::default();
    let message = "the first iterator of `zip` must not change captured variables";
    let error = ctx.build_rrule::<zipped_first>().err().unwrap().to_string();
    assert!(error.contains(message), "{error}");
    let error = ctx
        .build_rrule::<zipped_by_name>()
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains(message), "{error}");
    ctx.build_rrule::<zipped>().unwrap();
}

#[differentiable]
fn calls_hidden(x: f64) -> f64 {
    hidden(x)
}
#[differentiable]
fn calls_open(x: f64) -> f64 {
    open(x)
}

#[test]
fn what_is_pure_cannot_ask_for_what_is_ordered() {
    let rule = Context::default().build_rrule::<calls_hidden>().unwrap();
    let error = rule.value((0.5,)).unwrap_err().to_string();
    assert!(
        error.contains("`tests::hidden` is pure and calls `tests::noted`, which is ordered: it must say `effects: ordered` itself"),
        "{error}"
    );
    check::<calls_open>(0.7, ["f1", "f1 b1", "f1 t1", "f1 t1 b1"]);
}

/// Calls outside of differentiable functions happen as they are written.
#[test]
fn native_calls_happen_in_order() {
    let (sum, log) = logged(|| noted(1.0, 1) + noted(1.0, 2) + count() as f64);
    assert_eq!((sum, log.as_str()), (4.0, "f1 f2 c0"));
}

/// The lines with calls in a stage of a function as text, and the lines with comments in parentheses.
fn calls_and_notes<F: DifferentiableFn>(stage: Stage) -> [Vec<String>; 2] {
    let text = Context::default().ir::<F>(stage).unwrap();
    ["call ", "; ("].map(|part| {
        let lines = text.lines().filter(|line| line.contains(part));
        lines.map(str::to_owned).collect()
    })
}

#[differentiable]
fn with_sine(x: f64) -> f64 {
    count();
    noted(x.sin(), 1) * recursive(x, 2)
}

#[test]
fn the_text_of_the_ir_says_which_calls_are_ordered() {
    let stages = Stage::ALL.iter().copied();
    for stage in stages.filter(|&stage| !matches!(stage, Stage::Generic | Stage::Assembly)) {
        // All but the sine are of this pack, or call what is.
        let [mut calls, notes] = calls_and_notes::<with_sine>(stage);
        calls.retain(|line| !line.contains("@sin"));
        assert!(calls.len() >= 4, "{stage}: {calls:#?}");
        assert_eq!(notes, calls, "{stage}");
        let is_marked = |line: &String| line.ends_with(" ; (ordered)");
        assert!(notes.iter().all(is_marked), "{stage}: {notes:#?}");

        let [calls, notes] = calls_and_notes::<by_post>(stage);
        assert!(calls.len() >= 4, "{stage}: {calls:#?}");
        assert_eq!(notes, calls, "{stage}");
        let is_marked = |line: &String| line.ends_with(" ; (linked)");
        assert!(notes.iter().all(is_marked), "{stage}: {notes:#?}");
    }
}
