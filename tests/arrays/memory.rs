//! Numbers in memory that become arrays, and arrays that become numbers in memory: `from_vec` and `to_vec` in programs, in every mode.

use crate::devices::devices;
use mooncake::prelude::*;
use mooncake::testing::test_rule;
use mooncake::{Const, gradient};

fn context(device: &Device, debug: bool) -> Context {
    let builder = Context::builder().device(device.clone()).debug(debug);
    builder.build().unwrap()
}

fn array(device: &Device, shape: &[usize]) -> Array<f64> {
    let data = [0.3, -0.7, 1.1, 0.4, 0.2, -0.9];
    let count = shape.iter().product();
    Array::from_vec_on(device, data[..count].to_vec(), shape)
}

/// A slice that becomes an array.
#[differentiable]
fn energy(x: &[f64], scale: f64) -> f64 {
    let a = Array::from_vec(x.to_vec(), [x.len()]);
    (&a * &a * scale).sum().to_scalar()
}

/// Numbers that a loop computes become an array, are overwritten, and become another.
#[differentiable]
fn written_again(x: &[f64]) -> f64 {
    let n = x.len();
    let mut v = x.to_vec();
    let mut sum = 0.0;
    for round in 0..3 {
        for i in 0..n {
            v[i] = (v[i] * x[(i + round) % n]).sin();
        }
        let a = Array::from_vec(v.clone(), [n, 1]);
        sum += a.matmul(&a.t()).exp().sum().to_scalar();
    }
    sum + v[0]
}

/// The elements of an array, to compute with one by one.
#[differentiable]
fn paired(x: &Array<f64>) -> f64 {
    let v = x.sin().to_vec().unwrap();
    let mut sum = 0.0;
    for i in 0..v.len() {
        sum += v[i] * v[v.len() - 1 - i] * (i as f64 + 1.0);
    }
    sum
}

/// From an array to a vector that is written to, and back.
#[differentiable]
fn back_and_forth(x: &Array<f64>, c: f64) -> Array<f64> {
    let mut v = x.to_vec().unwrap();
    for i in 1..v.len() {
        v[i] += c * v[i - 1] * v[i - 1];
    }
    let first = v[0];
    v[0] = first * v[1];
    Array::from_vec(v, x.shape()) * x
}

/// Both within a loop that goes on until a number is small.
#[differentiable]
fn settled(x: &Array<f64>) -> f64 {
    let mut y = x * 1.0;
    let mut total = 0.0;
    loop {
        let v = y.to_vec().unwrap();
        total += v[0] * v[1];
        if v[1].abs() < 0.1 {
            return total;
        }
        y = Array::from_vec(v.iter().map(|v| v * 0.5).collect(), [v.len()]).sin();
    }
}

/// Integers and truth values.
#[differentiable]
fn chosen(x: &Array<f64>, places: &[u32]) -> f64 {
    let index = Array::from_vec(places.to_vec(), [places.len()]);
    let weights = Array::from_vec(vec![2i32, -3], [2]).to_f64();
    let mask = Array::from_vec(places.iter().map(|p| *p > 1).collect(), [places.len()]);
    let taken = x.take(0, &index);
    let found = mask.select(&taken, &(&taken * &taken));
    let greater = found.gt(0.5).to_vec().unwrap();
    let best = x.argmax_axis(0).item().unwrap();
    let order = index.to_vec().unwrap();
    let same = x.gather(0, &Array::arange(x.len())) - x.take(0, &Array::arange(x.len()));
    assert!(same.to_vec().unwrap() == vec![0.0; x.len()]);
    let mut sum = (found.slice(..2) * weights).sum().to_scalar() * (best as f64 + 1.0);
    for k in 0..greater.len() {
        if greater[k] {
            sum += found.slice(k).to_scalar() * order[k] as f64;
        }
    }
    sum
}

/// Axes in an order that is computed.
#[differentiable]
fn turned(x: &Array<f64>, by: usize) -> Array<f64> {
    let mut axes: Vec<usize> = (0..x.ndim()).collect();
    axes.rotate_left(by);
    let y = x.permute(&axes);
    (&y * &y).sum_axis(0)
}

/// Numbers of 32 bits.
#[differentiable]
fn narrow(x: &[f32]) -> f32 {
    let a: Array<_> = Array::from_vec(x.to_vec(), [x.len()]);
    let v = a.cumsum(0).to_vec().unwrap();
    v.iter().map(|v| v * v).sum()
}

/// A network whose input is a list of numbers: its slope with respect to them is in the loss.
#[differentiable]
fn field(w: &Array<f64>, x: f64, t: f64) -> f64 {
    let input = Array::from_vec(vec![x, t], [1, 2]);
    input.matmul(w).tanh().sum().to_scalar()
}
#[differentiable]
fn residual(w: &Array<f64>, x: f64, t: f64) -> f64 {
    let slopes = gradient(|p: (f64, f64)| field(w, p.0, p.1), (x, t));
    let wave = slopes.0 - slopes.1 * field(w, x, t);
    wave * wave
}

/// A gradient within a program, of a function of memory.
#[differentiable]
fn penalty(x: &[f64]) -> f64 {
    let slopes = gradient(|x: &[f64]| energy(x, 0.5 * x[0]), x);
    slopes.iter().map(|s| s * s).sum()
}

/// Native functions make arrays on the default device. What is compared with them is compared where that is the CPU: on other devices, sums are added
/// in other orders.
fn is_native_on_the_cpu() -> bool {
    !Device::default_device().is_gpu()
}

#[test]
fn gradients_are_right_in_every_mode() {
    if !is_native_on_the_cpu() {
        return;
    }
    let x = [0.5, -1.25, 0.75, 2.0];
    for debug in [false, true] {
        let ctx = &context(&Device::cpu(), debug);
        let array = |shape: &[usize]| array(&Device::cpu(), shape);
        test_rule::<energy>(ctx, (&x[..], 0.7)).unwrap();
        test_rule::<energy>(ctx, (&x[..0], 0.7)).unwrap();
        test_rule::<written_again>(ctx, (&x[..],)).unwrap();
        test_rule::<paired>(ctx, (&array(&[2, 3]),)).unwrap();
        test_rule::<paired>(ctx, (&array(&[]),)).unwrap();
        test_rule::<back_and_forth>(ctx, (&array(&[3, 2]), 0.4)).unwrap();
        test_rule::<settled>(ctx, (&array(&[2]),)).unwrap();
        test_rule::<chosen>(ctx, (&array(&[3]), &[2u32, 0, 1][..])).unwrap();
        test_rule::<turned>(ctx, (&array(&[1, 3, 2]), 1usize)).unwrap();
        test_rule::<narrow>(ctx, (&[0.5f32, -1.0, 2.0][..],)).unwrap();
        test_rule::<residual>(ctx, (&array(&[2, 3]), 0.4, -0.3)).unwrap();
        test_rule::<penalty>(ctx, (&x[..],)).unwrap();
    }
}

/// The functions of arrays, as one of numbers.
#[differentiable]
fn of_arrays(x: &[f64]) -> f64 {
    let array = |count: usize| Array::from_vec(x[..count].to_vec(), [count]);
    let chosen = chosen(&array(3), &[2, 0, 1]);
    let moved = back_and_forth(&array(4), x[0]).sum().to_scalar();
    settled(&array(2)) + chosen + moved + residual(&array(2).reshape([2, 1]), x[0], x[1])
}

/// Gradients on the CPU and on other devices, as text of so many digits: sums are added in other orders there.
macro_rules! on_every_device {
    ($f:ident($($arg:expr),*)) => {
        let mut texts = devices().into_iter().map(|device| {
            let rule = context(&device, false).build_rrule::<$f>().unwrap();
            let found = rule.value_and_gradient(($($arg,)*)).unwrap();
            format!("{found:.9?}")
        });
        let on_cpu = texts.next().unwrap();
        assert!(texts.all(|text| text == on_cpu), "{}: {on_cpu}", stringify!($f));
    };
}

#[test]
fn gradients_are_the_same_on_every_device() {
    let x = &[0.5, -1.25, 0.75, 2.0][..];
    on_every_device!(energy(x, 0.7));
    on_every_device!(written_again(x));
    on_every_device!(penalty(x));
    on_every_device!(of_arrays(x));
}

#[test]
fn values_are_those_of_native_rust() {
    if !is_native_on_the_cpu() {
        return;
    }
    let ctx = context(&Device::cpu(), false);
    let x = [0.5, -1.25, 0.75, 2.0];
    let array = |shape: &[usize]| array(&Device::cpu(), shape);
    macro_rules! same {
        ($($f:ident($($arg:expr),*);)*) => {$(
            let rule = ctx.build_rrule::<$f>().unwrap();
            let value = rule.value(($($arg,)*)).unwrap();
            assert_eq!(format!("{value:?}"), format!("{:?}", $f($($arg),*)));
        )*};
    }
    same! {
        energy(&x[..], 0.7);
        written_again(&x[..]);
        paired(&array(&[4]));
        back_and_forth(&array(&[2, 2]), 0.4);
        settled(&array(&[3]));
        chosen(&array(&[4]), &[3, 0, 1, 1][..]);
        turned(&array(&[1, 2, 2]), 2);
    }
}

#[test]
fn constants_make_constant_arrays() {
    let ctx = context(&Device::cpu(), false);
    let rule = ctx.build_rrule::<energy>().unwrap();
    let x = [0.5, -1.25];
    let (value, (none, scale)) = rule.value_and_gradient((Const(&x[..]), 0.5)).unwrap();
    assert_eq!((value, scale), (0.90625, 1.8125));
    let () = none;
}

#[test]
fn hessian_products_go_through_memory() {
    let step = 1e-6;
    for device in devices() {
        let ctx = context(&device, false);
        let (hvp, rule) = (
            ctx.build_hvp::<written_again>().unwrap(),
            ctx.build_rrule::<written_again>().unwrap(),
        );
        let (x, along) = ([0.5, -1.25, 0.75], [0.3, 1.0, -0.6]);
        let (_, _, (found,)) = { &hvp }
            .value_gradient_and_hvp((&x[..],), (&along[..],))
            .unwrap();
        let at = |by: f64| {
            let moved: Vec<f64> = x.iter().zip(along).map(|(x, d)| x + by * d).collect();
            rule.value_and_gradient((&moved[..],)).unwrap().1.0
        };
        let (after, before) = (at(step), at(-step));
        for i in 0..x.len() {
            let difference = (after[i] - before[i]) / (2.0 * step);
            assert!(
                (found[i] - difference).abs() < 1e-7 * (1.0 + found[i].abs()),
                "{i}: {} and {difference} on {device}",
                found[i]
            );
        }
    }
}

#[test]
fn errors_name_what_was_called() {
    let ctx = context(&Device::cpu(), false);
    let rule = ctx.build_rrule::<too_few>().unwrap();
    let error = rule.value_and_gradient((&[1.0, 2.0][..],)).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("from_vec: "), "{text}");
    assert!(text.contains("[2]") && text.contains("[3]"), "{text}");
    let rule = ctx.build_rrule::<no_order>().unwrap();
    let x = Array::from_vec_on(&Device::cpu(), vec![1.0, 2.0], [2, 1]);
    for axes in [&[0, 0][..], &[0], &[0, 2], &[0, 1, 1]] {
        let error = rule.value_and_gradient((&x, axes)).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("permute: found axes ["), "{text}");
        assert!(text.contains("for an array of shape [2, 1]"), "{text}");
    }
    let refused = ctx.build_rrule::<halves>().err();
    let error = refused.expect("a refusal").to_string();
    assert!(error.contains("`Array<f16>` are only stored"), "{error}");
    assert!(error.contains("x.to_vec()"), "it shows the call: {error}");
}
#[differentiable]
fn halves(x: &Array<mooncake::f16>) -> usize {
    x.to_vec().unwrap().len()
}
#[differentiable]
fn too_few(x: &[f64]) -> f64 {
    Array::from_vec(x.to_vec(), [3]).sum().to_scalar()
}
#[differentiable]
fn no_order(x: &Array<f64>, axes: &[usize]) -> f64 {
    x.permute(axes).sum().to_scalar()
}
