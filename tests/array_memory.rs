//! How much memory arrays take while a value or a gradient is computed. The count is of the whole process, so this is one test.

#[path = "support/devices.rs"]
mod common;

use common::devices;
use mooncake::prelude::*;

/// Twenty operations on every element, then their sum, as a number.
#[differentiable]
fn chain(x: &Array<f32>) -> f32 {
    chain_as_array(x).to_scalar()
}

/// And as an array.
#[differentiable]
fn chain_as_array(x: &Array<f32>) -> Array<f32> {
    let y = (x * 1.01 + 0.5).sin();
    let y = (&y * &y + 1.0).sqrt();
    let y = (y - x).tanh();
    let y = (y * 0.5).exp();
    let y = &y / (&y + 1.0);
    let y = (y + 0.1).ln();
    let y = (y * x).cos();
    let y = (y * 2.0 - 1.0).atan();
    (y * 3.0).sum()
}

/// Many steps, of which each needs the last one's result alone.
#[differentiable]
fn steps(x: &Array<f32>, count: usize) -> f32 {
    let mut y = x * 1.0;
    for n in 0..count {
        let z = (&y * 0.5 + x).sin();
        y = &z - &(&z * &z * 0.1);
        if n % 2 == 1 {
            y = y.flip(0);
        }
    }
    y.sum().to_scalar()
}

/// The steps begin with the argument itself, which each of them reads as well.
#[differentiable]
fn steps_from_the_argument(x: &Array<f32>, count: usize) -> f32 {
    let mut y = x.clone();
    let mut z = x.clone();
    for _ in 0..count {
        let next = (&y * 0.5 + x).sin() * &z;
        z = y;
        y = next;
    }
    (y + z).sum().to_scalar()
}

#[test]
fn arrays_are_freed_when_nobody_reads_them_again() {
    the_gradient_of_a_chain_takes_three_arrays();
    a_loop_takes_as_much_as_a_few_of_its_steps();
    a_tape_has_what_derivatives_need();
    a_part_is_replaced_in_place();
    gradients_are_summed_in_place();
    a_loop_over_many_places_takes_a_few_arrays();
    gradients_of_parts_are_added_in_place();
}

/// By how far the rows move decides the plan: there are more of these than a cluster has plans for.
#[differentiable]
fn turned(x: &Array<f32>) -> f32 {
    let mut y = x.clone();
    for n in 1..x.dim(0) {
        y = y.roll(0, n as isize) + x;
    }
    y.sum().to_scalar()
}

/// Each row becomes the one before it.
#[differentiable]
fn spread(x: &Array<f32>) -> f32 {
    let mut y = x.clone();
    for n in 1..x.dim(0) {
        y = y.with_slice(n, y.slice(n - 1));
    }
    y.sum().to_scalar()
}

/// What an operation makes that is done by itself, and not in a plan, is let go of as well.
fn a_loop_over_many_places_takes_a_few_arrays() {
    let shape = [400, 256];
    let device = Device::cpu();
    let ctx = Context::builder().device(device.clone()).build().unwrap();
    let x = Array::from_vec_on(&device, vec![0.5_f32; shape[0] * shape[1]], shape);
    let rules = (
        ctx.build_rrule::<spread>().unwrap(),
        ctx.build_rrule::<turned>().unwrap(),
    );
    let count = shape[0] * shape[1];
    let mut of_spread = vec![0.0; count];
    of_spread[..shape[1]].fill(shape[0] as f32);
    let of_turned = vec![shape[0] as f32; count];
    for call in 0..4 {
        device.most_bytes();
        let ((_, (dx,)), expected) = match call % 2 {
            0 => (rules.0.value_and_gradient((&x,)).unwrap(), &of_spread),
            _ => (rules.1.value_and_gradient((&x,)).unwrap(), &of_turned),
        };
        let used = device.most_bytes() / (count * size_of::<f32>());
        assert!(used <= 8, "call {call}: {used} arrays, expected at most 8");
        assert_eq!(&dx.to_vec().unwrap(), expected);
    }
}

/// Each step reads both matrices.
#[differentiable]
fn recurrent(xs: &Array<f32>, wx: &Array<f32>, wh: &Array<f32>) -> f32 {
    let mut h = xs.index_axis(0, 0).matmul(wx).tanh();
    for n in 1..xs.dim(0) {
        h = (xs.index_axis(0, n).matmul(wx) + h.matmul(wh)).tanh();
    }
    (&h * &h).sum().to_scalar()
}

/// On the CPU the sum of the gradients of all steps has the memory of the sum of those so far. What the caller has stays as it is.
fn gradients_are_summed_in_place() {
    const COUNT: usize = 64;
    const STEPS: usize = 10;
    let device = Device::cpu();
    let ctx = Context::builder().device(device.clone()).build().unwrap();
    let make = |scale: f32, shape: &[usize]| {
        let count: usize = shape.iter().product();
        let numbers = (0..count).map(|n| ((n * 37 % 101) as f32 - 50.0) * scale);
        Array::from_vec_on(&device, numbers.collect(), shape.to_vec())
    };
    let xs = make(0.01, &[STEPS, 1, COUNT]);
    let (wx, wh) = (make(0.003, &[COUNT, COUNT]), make(0.002, &[COUNT, COUNT]));
    let before = [wx.to_vec().unwrap(), wh.to_vec().unwrap()];
    let rule = ctx.build_rrule::<recurrent>().unwrap();
    let mut first: Option<(f32, Vec<Vec<f32>>)> = None;
    let mut kept = Vec::new();
    for call in 0..3 {
        device.most_bytes();
        let (value, gradient) = rule.value_and_gradient((&xs, &wx, &wh)).unwrap();
        let used = device.most_bytes() / (COUNT * COUNT * size_of::<f32>());
        // The matrices, their gradients, and the gradients of the calls before.
        let most = 4 + 2 * call;
        assert!(
            used <= most,
            "call {call}: {used} matrices, expected {most}"
        );
        let found = [&gradient.1, &gradient.2].map(|own| own.to_vec().unwrap());
        kept.push(gradient);
        let (expected, of_matrices) = first.get_or_insert((value, found.to_vec()));
        assert_eq!((value, &found.to_vec()), (*expected, &*of_matrices));
    }
    let (_, of_matrices) = first.unwrap();
    for gradient in kept {
        let found = [&gradient.1, &gradient.2].map(|own| own.to_vec().unwrap());
        assert_eq!(found.to_vec(), of_matrices);
    }
    assert_eq!(before, [wx.to_vec().unwrap(), wh.to_vec().unwrap()]);
}

/// Adds parts of rows, which a loop takes one after the other: by an index and ranges, and from a list of all rows.
macro_rules! of_rows {
    ($($name:ident $x:ident $n:ident $width:ident $row:expr;)*) => {$(
        #[differentiable]
        fn $name($x: &Array<f32>) -> f32 {
            let $width = $x.dim(1);
            let mut sum = Array::zeros([]);
            for $n in 0..$x.dim(0) {
                sum = sum * 0.5 + $row;
            }
            sum.sum().to_scalar()
        }
    )*};
}
of_rows! {
    by_index x n _width x.slice(n);
    by_index_and_all x n _width x.slice((n, ..));
    by_index_and_range x n width x.slice((n, 1..width));
    by_index_and_steps x n width x.slice((n, (0..width).step_by(2)));
}

#[differentiable]
fn listed(x: &Array<f32>) -> f32 {
    let rows: Vec<Array<f32>> = (0..x.dim(0)).map(|n| x.slice(n)).collect();
    let mut sum = Array::zeros([]);
    for row in &rows {
        sum = sum * 0.5 + row;
    }
    sum.sum().to_scalar()
}

/// On the CPU the gradient of a part is added to that of the whole in its place, for each of many shapes: there are the argument, its gradient and some
/// rows.
fn gradients_of_parts_are_added_in_place() {
    const WIDTH: usize = 4096;
    let device = Device::cpu();
    let ctx = Context::builder().device(device.clone()).build().unwrap();
    macro_rules! check {
        ($copies:literal: $($name:ident)*) => {$({
            let rule = ctx.build_rrule::<$name>().unwrap();
            for rows in [48, 32, 64, 40, 56] {
                let x = Array::from_vec_on(&device, vec![1.0_f32; rows * WIDTH], [rows, WIDTH]);
                device.most_bytes();
                let (_, (dx,)) = rule.value_and_gradient((&x,)).unwrap();
                let used = device.most_bytes() / (WIDTH * size_of::<f32>());
                let most = $copies * rows + 8;
                assert!(used <= most, "{} of {rows}: {used} rows, expected at most {most}", stringify!($name));
                let dx = dx.to_vec().unwrap();
                assert_eq!((dx[2], dx[(rows - 3) * WIDTH + 2]), (0.5_f32.powi(rows as i32 - 1), 0.25));
            }
        })*};
    }
    check!(2: by_index by_index_and_all by_index_and_range by_index_and_steps);
    // The list has the gradients of all rows.
    check!(3: listed);
}

/// Each step replaces a row of an array that nobody else has.
#[differentiable]
fn replaced(x: &Array<f32>) -> Array<f32> {
    let mut y = x * 1.0;
    for n in 0..x.dim(0) {
        y = y.with_slice((n, ..), x.index_axis(0, n).sin());
    }
    y
}

/// The same as an array.
#[differentiable]
fn steps_as_array(x: &Array<f32>, count: usize) -> Array<f32> {
    let mut y = x * 1.0;
    for _ in 0..count {
        let z = (&y * 0.5 + x).sin();
        y = &z - &(&z * &z * 0.1);
    }
    y
}

/// Each part is read once; of its gradient there is one array, to which each part's is added.
#[differentiable]
fn parts(x: &Array<f32>) -> f32 {
    let mut sum = 0.0;
    for n in 0..x.dim(0) {
        sum += x.index_axis(0, n).sin().sum().to_scalar();
    }
    sum
}

/// The same with slices.
#[differentiable]
fn slices(x: &Array<f32>) -> f32 {
    let mut sum = 0.0;
    for n in 0..x.dim(0) {
        sum += x.slice(n).sin().sum().to_scalar();
    }
    sum
}

/// Each step makes two arrays. Its derivative needs the second one, and of the first one the shape.
#[differentiable]
fn squashed(x: &Array<f32>, count: usize) -> f32 {
    let mut h = x * 0.5;
    for _ in 0..count {
        h = (h.flip(0) + x).tanh();
    }
    h.sum().to_scalar()
}

fn a_tape_has_what_derivatives_need() {
    const COUNT: usize = 1 << 16;
    const STEPS: usize = 30;
    for device in devices() {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let x = Array::from_vec_on(&device, vec![0.5f32; COUNT], [COUNT]);
        let rule = ctx.build_rrule::<squashed>().unwrap();
        for _ in 0..2 {
            device.most_bytes();
            rule.value_and_gradient((&x, STEPS)).unwrap();
            let used = device.most_bytes() / (COUNT * size_of::<f32>());
            let expected = STEPS..=STEPS + 8;
            assert!(
                expected.contains(&used),
                "{used} arrays on {device}, expected {expected:?}"
            );
        }
    }
}

/// On the CPU there is the argument, the array that changes, and a row; natively the argument is shared, and there is one copy.
fn a_part_is_replaced_in_place() {
    const ROWS: usize = 32;
    const COUNT: usize = 1 << 18;
    let device = Device::cpu();
    let ctx = Context::builder().device(device.clone()).build().unwrap();
    let x = Array::from_vec_on(&device, vec![0.5f32; COUNT], [ROWS, COUNT / ROWS]);
    let rule = ctx.build_rrule::<replaced>().unwrap();
    let most = 2 * COUNT * size_of::<f32>() + 3 * COUNT / ROWS * size_of::<f32>();
    for call in 0..3 {
        device.most_bytes();
        let y = rule.value((&x,)).unwrap();
        let used = device.most_bytes();
        assert!(
            used <= most,
            "call {call}: {used} bytes, expected at most {most}"
        );
        assert_eq!(y.to_vec().unwrap(), vec![0.5f32.sin(); COUNT]);
    }
    device.most_bytes();
    let y = x.with_slice((3, ..), 7.0);
    let used = device.most_bytes();
    assert!(
        used <= most,
        "natively: {used} bytes, expected at most {most}"
    );
    drop(y);
}

fn a_loop_takes_as_much_as_a_few_of_its_steps() {
    const COUNT: usize = 1 << 18;
    for device in devices() {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let x = Array::from_vec_on(&device, vec![0.5f32; COUNT], [COUNT]);
        let numbers = ctx.build_rrule::<steps>().unwrap();
        let arrays = ctx.build_rrule::<steps_as_array>().unwrap();
        let parts = ctx.build_rrule::<parts>().unwrap();
        let borrowed = ctx.build_rrule::<steps_from_the_argument>().unwrap();
        let rows = x.reshape([64, COUNT / 64]);
        let slices = ctx.build_rrule::<slices>().unwrap();
        for call in 0..10 {
            device.most_bytes();
            let done = match call % 5 {
                0 => numbers.value((&x, 100)).map(|_| ()),
                3 => borrowed.value((&x, 100)).map(|_| ()),
                1 => arrays.value((&x, 100)).map(|_| ()),
                4 if device == Device::cpu() => slices.value_and_gradient((&rows,)).map(|_| ()),
                2 if device == Device::cpu() => parts.value_and_gradient((&rows,)).map(|_| ()),
                _ => continue,
            };
            done.unwrap();
            let used = device.most_bytes();
            let most = 6 * COUNT * size_of::<f32>() + 4096;
            assert!(
                used <= most,
                "call {call}: {used} bytes, {most} at most, on {device}"
            );
        }
    }
}

/// The argument counts: it is one of the three, and the gradient another one.
fn the_gradient_of_a_chain_takes_three_arrays() {
    const COUNT: usize = 1 << 18;
    for device in devices() {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let data = (0..COUNT).map(|n| (n % 1009) as f32 / 500.0 - 1.0);
        let x = Array::from_vec_on(&device, data.collect(), [COUNT]);
        // And a few numbers.
        let most = 3 * COUNT * size_of::<f32>() + 4096;
        let numbers = ctx.build_rrule::<chain>().unwrap();
        let arrays = ctx.build_rrule::<chain_as_array>().unwrap();
        // The first call makes the plan.
        for call in 0..3 {
            device.most_bytes();
            let (_, (dx,)) = numbers.value_and_gradient((&x,)).unwrap();
            let used = device.most_bytes();
            assert!(
                used >= 2 * COUNT * size_of::<f32>(),
                "{used} bytes on {device}: nothing is counted"
            );
            assert!(
                used <= most,
                "call {call} on {device}: {used} bytes, expected at most {most}"
            );
            drop(dx);
            device.most_bytes();
            let (_, (dx,)) = arrays.value_and_gradient((&x,)).unwrap();
            let used = device.most_bytes();
            assert!(
                used <= most,
                "call {call} on {device}: {used} bytes, expected at most {most}, with an array as the result"
            );
            drop(dx);
        }
    }
}
