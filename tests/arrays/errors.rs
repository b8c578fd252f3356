//! What is said of shapes, axes, places and devices that do not fit: natively, and within programs with the place of the operation.

use crate::devices::devices;
use mooncake::prelude::*;

/// Operations that fail for arrays of shapes [2, 3], [4] and [2, 2], and what is said, natively and within a program: under the name of the method that
/// is called, also where the method consists of other operations or several elementwise operations are done as one.
macro_rules! wrong {
    ($($name:ident: |$x:ident, $y:ident, $ids:ident| $wrong:expr => $message:literal;)*) => {
        $(
            #[differentiable]
            #[allow(unused_variables)]
            fn $name($x: &Array<f32>, $y: &Array<f32>, $ids: &Array<u32>) -> Array<f32> {
                $wrong.sum()
            }
        )*
        mod natively {
            use mooncake::prelude::*;
            $(
                #[allow(unused_variables)]
                pub fn $name($x: &Array<f32>, $y: &Array<f32>, $ids: &Array<u32>) -> Array<f32> {
                    $wrong.sum()
                }
            )*
        }
        mod tests {
            $(
                #[test]
                fn $name() {
                    super::check::<super::$name>(stringify!($name), super::natively::$name, $message);
                }
            )*
        }
    };
}

type Native = fn(&Array<f32>, &Array<f32>, &Array<u32>) -> Array<f32>;

/// The error of an operation, the first time and again, and that of its gradient.
fn check<F>(name: &str, natively: Native, message: &str)
where
    F: DifferentiableFn<Output = Array<f32>>,
    for<'a> F: DifferentiableFn<Args<'a> = (&'a Array<f32>, &'a Array<f32>, &'a Array<u32>)>,
{
    for device in devices() {
        let x = Array::from_vec_on(&device, (1..7).map(|n| n as f32).collect(), [2, 3]);
        let y = Array::from_vec_on(&device, vec![0.5, 1.5, 2.5, 3.5], [4]);
        let ids = Array::from_vec_on(&device, vec![2u32, 0, 1, 2], [2, 2]);
        let native = natively(&x, &y, &ids).to_vec().expect_err("an error");
        assert_eq!(
            shortened(&native.to_string()),
            message,
            "natively on {device}"
        );
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let rule = ctx.build_rrule::<F>().unwrap();
        for round in 0..2 {
            let value = rule.value((&x, &y, &ids)).map(drop);
            placed(name, &value.expect_err("an error").to_string(), message);
            let args = (&x, &y, mooncake::Const(&ids));
            let gradient = match round {
                0 => rule.value_and_gradient(args).map(drop),
                _ => rule.value_and_pullback(args).map(drop),
            };
            placed(name, &gradient.expect_err("an error").to_string(), message);
        }
    }
}

/// Only the host says at which place an index is that is out of range.
fn shortened(message: &str) -> String {
    message.replace(" at [0, 0]", "")
}

/// Fails unless an error is that message, and then a place in the row of that name.
fn placed(name: &str, error: &str, message: &str) {
    let (found, place) = error.split_once("\n  --> ").unwrap_or((error, ""));
    assert_eq!(shortened(found), message, "within a program");
    let mut parts = place.split([':', '\n']);
    assert_eq!(parts.next(), Some("tests/arrays/errors.rs"), "{error}");
    let line: usize = parts
        .next()
        .and_then(|line| line.parse().ok())
        .expect("a line");
    let source = include_str!("errors.rs");
    let line = source.lines().nth(line - 1).expect("a line");
    assert!(
        line.trim().starts_with(&format!("{name}:")),
        "the place is at `{line}`"
    );
}

wrong! {
    add: |x, y, ids| x + y => "add: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    sub: |x, y, ids| x - y => "sub: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    mul: |x, y, ids| x * y => "mul: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    div: |x, y, ids| x / y => "div: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    power: |x, y, ids| x.powf(y) => "powf: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    arctangent: |x, y, ids| x.atan2(y) => "atan2: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    limited: |x, y, ids| x.clamp(y, 5.0) => "clamp: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    smaller: |x, y, ids| x.min(y) => "min: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    greater: |x, y, ids| x.max(y) => "max: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    compared: |x, y, ids| x.gt(y).to_f32() => "gt: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    equal: |x, y, ids| x.eq_elements(y).to_f32() => "eq_elements: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    masks: |x, y, ids| (x.gt(1.0) & y.gt(1.0)).to_f32() => "and: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    chosen: |x, y, ids| x.gt(1.0).select(y, 0.0) => "select: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    chosen_by_a_mask: |x, y, ids| y.gt(1.0).select(x, 0.0) => "select: shapes [4] and [2, 3] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    mapped_2: |x, y, ids| x.map2(y, |a, b| a * b) => "map2: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    mapped_3: |x, y, ids| x.map3(x, y, |a, b, c| a * b + c) => "map3: shapes [2, 3], [2, 3], [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    transposed: |x, y, ids| y.t() => "t: found an array of shape [4]: expected 2 dimensions";
    reshaped: |x, y, ids| x.reshape([4]) => "reshape: found shape [4] for an array of shape [2, 3]: expected 6 elements";
    reshaped_to_one: |x, y, ids| x.reshape(5) => "reshape: found shape [5] for an array of shape [2, 3]: expected 6 elements";
    reshaped_to_a_list: |x, y, ids| x.reshape(vec![2, 2]) => "reshape: found shape [2, 2] for an array of shape [2, 3]: expected 6 elements";
    broadcast: |x, y, ids| x.broadcast_to([3, 3]) => "broadcast_to: found an array of shape [2, 3]: expected one that broadcasts to [3, 3]";
    broadcast_to_a_list: |x, y, ids| x.broadcast_to(vec![3, 2]) => "broadcast_to: found an array of shape [2, 3]: expected one that broadcasts to [3, 2]";
    narrowed: |x, y, ids| x.narrow(1, 2, 2) => "narrow: found 2..4 along axis 1 of an array of shape [2, 3]: expected a range within the extent 3";
    narrowed_axis: |x, y, ids| x.narrow(2, 0, 1) => "narrow: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    indexed: |x, y, ids| x.index_axis(0, 2) => "index_axis: found 2..3 along axis 0 of an array of shape [2, 3]: expected a range within the extent 2";
    indexed_axis: |x, y, ids| x.index_axis(2, 0) => "index_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    sliced: |x, y, ids| x.slice((0..3, ..)) => "slice: found 0..3 along axis 0 of an array of shape [2, 3]: expected a range within the extent 2";
    sliced_at: |x, y, ids| x.slice((.., 3)) => "slice: found 3..4 along axis 1 of an array of shape [2, 3]: expected a range within the extent 3";
    sliced_by_steps: |x, y, ids| x.slice((.., (1..5).step_by(2))) => "slice: found 1..4 by steps of 2 along axis 1 of an array of shape [2, 3]: expected a range within the extent 3";
    sliced_backwards: |x, y, ids| x.slice(x.ndim()..1) => "slice: found 2..1 along axis 0 of an array of shape [2, 3]: expected a range within the extent 2";
    sliced_axis: |x, y, ids| x.slice((.., .., 1)) => "slice: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    replaced: |x, y, ids| x.with_slice((.., 2..4), 1.0) => "with_slice: found 2..4 along axis 1 of an array of shape [2, 3]: expected a range within the extent 3";
    replaced_by_another_shape: |x, y, ids| x.with_slice((0, ..), y) => "with_slice: shapes [3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    replaced_axis: |x, y, ids| y.with_slice((0, 0), 1.0) => "with_slice: axis 1 of an array of shape [4]: expected an axis below 1";
    swapped: |x, y, ids| x.swap_axes(0, 2) => "swap_axes: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    permuted: |x, y, ids| x.permute([0, 0]) => "permute: found axes [0, 0] for an array of shape [2, 3]: expected each axis once";
    permuted_in_part: |x, y, ids| x.permute([1]) => "permute: found axes [1] for an array of shape [2, 3]: expected each axis once";
    expanded: |x, y, ids| x.expand_dims(3) => "expand_dims: axis 3 for an array of shape [2, 3]: expected an axis up to 2";
    squeezed: |x, y, ids| x.squeeze(0) => "squeeze: axis 0 of an array of shape [2, 3] has extent 2: expected 1";
    squeezed_axis: |x, y, ids| x.squeeze(2) => "squeeze: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    inserted: |x, y, ids| x.insert_axis(3, 2) => "insert_axis: axis 3 for an array of shape [2, 3]: expected an axis up to 2";
    flipped: |x, y, ids| x.flip(2) => "flip: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    rolled: |x, y, ids| x.roll(2, 1) => "roll: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    padded: |x, y, ids| x.pad(2, 1, 1) => "pad: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    joined: |x, y, ids| x.concat(y, 0) => "concat: found shapes [2, 3] and [4]: expected equal extents but along axis 0";
    joined_axis: |x, y, ids| x.concat(x, 2) => "concat: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    joined_shapes: |x, y, ids| x.concat(&x.t(), 0) => "concat: found shapes [2, 3] and [3, 2]: expected equal extents but along axis 0";
    stacked: |x, y, ids| x.stack(y, 0) => "stack: found shapes [1, 2, 3] and [1, 4]: expected equal extents but along axis 0";
    stacked_axis: |x, y, ids| x.stack(x, 3) => "stack: axis 3 for an array of shape [2, 3]: expected an axis up to 2";
    split: |x, y, ids| x.split(1, 2)[0].clone() => "split: found 2 parts along axis 1 of an array of shape [2, 3]: expected a number that divides the extent 3";
    split_list: |x, y, ids| x.split(1, [2, 2])[0].clone() => "split: found parts of 4 in total along axis 1 of an array of shape [2, 3]: expected 3";
    joined_list: |x, y, ids| x.concat(&[&x.t(), x], 0) => "concat: found shapes [2, 3] and [3, 2]: expected equal extents but along axis 0";
    padded_with: |x, y, ids| x.pad_with(2, 1, 1, 0.5) => "pad_with: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    split_axis: |x, y, ids| x.split(2, 1)[0].clone() => "split: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    repeated: |x, y, ids| x.repeat(2, 2) => "repeat: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    taken: |x, y, ids| x.take(0, ids) => "take: found index 2: expected indices below 2, the extent of axis 0";
    taken_axis: |x, y, ids| x.take(2, ids) => "take: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    gathered: |x, y, ids| x.gather(0, ids) => "gather: found an index of u32 of shape [2, 2] for shape [2, 3]: expected u32 and equal extents but along axis 0";
    gathered_shape: |x, y, ids| y.gather(0, ids) => "gather: found an index of u32 of shape [2, 2] for shape [4]: expected u32 and equal extents but along axis 0";
    gathered_axis: |x, y, ids| x.gather(2, ids) => "gather: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    scattered: |x, y, ids| x.scatter_add(1, ids, y) => "scatter_add: found an array of shape [4]: expected the shape of the index, [2, 2]";
    scattered_axis: |x, y, ids| x.scatter_add(2, ids, x) => "scatter_add: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    scattered_shape: |x, y, ids| y.scatter_add(0, ids, y) => "scatter_add: found an index of u32 of shape [2, 2] for shape [4]: expected u32 and equal extents but along axis 0";
    triangle: |x, y, ids| y.tril(0) => "tril: axis -1 of an array of shape [4]: expected an axis below 1";
    sum_axis: |x, y, ids| x.sum_axis(2) => "sum_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    sum_axes: |x, y, ids| x.sum_axis([0, 2]) => "sum_axis: found the axes [0, 2] for an array of shape [2, 3]: expected axes below 2, each once";
    sum_axis_twice: |x, y, ids| x.sum_axis([1, 1]) => "sum_axis: found the axes [1, 1] for an array of shape [2, 3]: expected axes below 2, each once";
    sum_keep: |x, y, ids| x.sum_keep(2) => "sum_keep: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    mean_axis: |x, y, ids| x.mean_axis(2) => "mean_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    prod_axis: |x, y, ids| x.prod_axis(2) => "prod_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    max_axis: |x, y, ids| x.max_axis(2) => "max_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    min_axis: |x, y, ids| x.min_axis(2) => "min_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    argmax_axis: |x, y, ids| x.argmax_axis(2).to_f32() => "argmax_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    argmin_axis: |x, y, ids| x.argmin_axis(2).to_f32() => "argmin_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    var_axis: |x, y, ids| x.var_axis(2) => "var_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    std_axis: |x, y, ids| x.std_axis(2) => "std_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    norm_axis: |x, y, ids| x.norm_axis(2) => "norm_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    logsumexp_axis: |x, y, ids| x.logsumexp_axis(2) => "logsumexp_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    any_axis: |x, y, ids| x.gt(0.0).any_axis(2).to_f32() => "any_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    all_axis: |x, y, ids| x.gt(0.0).all_axis(2).to_f32() => "all_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    max_of_none: |x, y, ids| x.slice((.., 0..0)).max_axis(1) => "max_axis: found no elements along axis 1 of an array of shape [2, 0]: expected at least one";
    min_of_none: |x, y, ids| x.slice((.., 0..0)).min_axis(1) => "min_axis: found no elements along axis 1 of an array of shape [2, 0]: expected at least one";
    greatest_of_none: |x, y, ids| x.slice(0..0).amax() => "amax: found no elements along axis 0 of an array of shape [0]: expected at least one";
    place_of_none: |x, y, ids| x.slice(0..0).argmax().to_f32() => "argmax: found no elements along axis 0 of an array of shape [0]: expected at least one";
    cumsum: |x, y, ids| x.cumsum(2) => "cumsum: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    cumprod: |x, y, ids| x.cumprod(2) => "cumprod: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    softmax: |x, y, ids| x.softmax(2) => "softmax: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    log_softmax: |x, y, ids| x.log_softmax(2) => "log_softmax: axis 2 of an array of shape [2, 3]: expected an axis below 2";
    fused: |x, y, ids| ((x * 2.0 + 1.0) * y - 3.0) => "mul: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    fused_with_a_closure: |x, y, ids| (x * 2.0).map2(y, |a, b| a * b) + 1.0 => "map2: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    fused_into_a_closure: |x, y, ids| (x * 2.0 - y).map(|a| a * a) => "sub: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    product: |x, y, ids| x.matmul(x) => "matmul: found shapes [2, 3] and [2, 3]: expected matrices with equal inner extents";
    product_with_a_vector: |x, y, ids| x.matmul(y) => "matmul: found shapes [2, 3] and [4]: expected matrices with equal inner extents";
    product_of_vectors: |x, y, ids| y.matmul(&y.narrow(0, 0, 3)) => "matmul: found shapes [4] and [3]: expected matrices with equal inner extents";
    product_with_a_number: |x, y, ids| x.matmul(&y.sum()) => "matmul: found shapes [2, 3] and []: expected matrices with equal inner extents";
    inner: |x, y, ids| x.dot(y) => "dot: shapes [2, 3] and [4] do not broadcast together: expected equal extents, or 1, counting from the last axis";
    product_of_batches: |x, y, ids| x.insert_axis(0, 2).matmul(&x.t().insert_axis(0, 3)) => "matmul: found shapes [2, 2, 3] and [3, 3, 2]: expected matrices with equal inner extents and leading extents that broadcast";
}

#[differentiable]
fn of_two(x: &Array<f32>, y: &Array<f32>) -> Array<f32> {
    (x * y).sum()
}

#[differentiable]
fn made_here(x: &Array<f32>) -> Array<f32> {
    (x * Array::ones([3])).sum()
}

/// Arrays of two devices, among the arguments or made by the program on its context's device.
#[test]
fn devices_do_not_mix() {
    for gpu in devices().into_iter().filter(Device::is_gpu) {
        let on = |device: &Device| Array::from_vec_on(device, vec![1.0f32, 2.0, 3.0], [3]);
        let context = |device: &Device| Context::builder().device(device.clone()).build().unwrap();
        let cpu = Device::cpu();
        let first_line =
            |error: mooncake::Error| error.to_string().lines().next().unwrap().to_owned();
        let mixed = |a: &Device, b: &Device| {
            format!("mul: found arrays on {a} and on {b}: expected one device (`to_device` copies)")
        };
        for device in [&cpu, &gpu] {
            let rule = context(device).build_rrule::<of_two>().unwrap();
            let error = rule.value_and_gradient((&on(&gpu), &on(&cpu))).unwrap_err();
            assert_eq!(first_line(error), mixed(&gpu, &cpu));
            let error = rule.value((&on(&cpu), &on(&gpu))).unwrap_err();
            assert_eq!(first_line(error), mixed(&cpu, &gpu));
            let other = if device.is_gpu() { &cpu } else { &gpu };
            let rule = context(device).build_rrule::<made_here>().unwrap();
            let error = rule.value_and_gradient((&on(other),)).unwrap_err();
            assert_eq!(first_line(error), mixed(other, device));
            rule.value_and_gradient((&on(device),)).unwrap();
        }
    }
}
