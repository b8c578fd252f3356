//! Compute shaders of packs: functions over arrays that run where the arrays are.

use mooncake::prelude::*;
use mooncake::testing::{test_case, test_rule};
use mooncake_pack::{ArrayOut, ArrayView, Case, Float, Outcome, Value, native};

mooncake_pack::pack!();

native! {
    /// The elements in the opposite order, times a number.
    fn reversed(a: array<T>, w: T) -> array<T> {
        primal: reversed_primal,
        pullback: ["reversed(dy, w)", "item(sum(reversed(a, 1) * dy))"],
        tangent: ["reversed(dx, w)", "reversed(a, 1) * dx"],
        kernel: {
            wgsl: "
                @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                    if (id.x < params.n) { y[id.x] = a[params.n - 1u - id.x] * params.w; }
                }",
            params: ["n = a", "w = w"],
            shapes: ["a.0"],
            workgroups: "(a + 63) / 64",
        },
    }
}

fn reversed_primal<T: Float>(a: ArrayView<T>, w: T, out: ArrayOut<T>) -> Outcome {
    let n = a.data().len();
    let out = out.allocate(&[n])?;
    for i in 0..n {
        out[i] = a.data()[n - 1 - i] * w;
    }
    Ok(())
}

native! {
    /// The sums of the rows of a matrix and of its columns.
    fn margins(a: array<T>) -> (array<T>, array<T>) {
        primal: margins_primal,
        pullback: ["expand_axis(dy.0, a, 1) + expand_axis(dy.1, a, 0)"],
        tangent: ["(sum_axis(dx, 1), sum_axis(dx, 0))"],
        kernel: {
            wgsl: "
                fn sum(start: u32, count: u32, step: u32) -> f32 {
                    var s = 0.0;
                    for (var i = 0u; i < count; i++) { s += a[start + i * step]; }
                    return s;
                }
                @compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                    if (id.x < params.rows) { y0[id.x] = sum(id.x * params.columns, params.columns, 1u); }
                    if (id.x < params.columns) { y1[id.x] = sum(id.x, params.rows, params.columns); }
                }",
            params: ["rows = a.0", "columns = a.1"],
            shapes: ["a.0", "a.1"],
            workgroups: "(a.0 + a.1 + 7) / 8, 1",
        },
    }
}

fn margins_primal<T: Float>(a: ArrayView<T>, rows: ArrayOut<T>, columns: ArrayOut<T>) -> Outcome {
    let (m, n) = a.matrix()?;
    let (rows, columns) = (rows.allocate(&[m])?, columns.allocate(&[n])?);
    for i in 0..m {
        for j in 0..n {
            rows[i] = rows[i] + a.data()[i * n + j];
            columns[j] = columns[j] + a.data()[i * n + j];
        }
    }
    Ok(())
}

native! {
    /// 1 where machine code runs, 2 where the kernel does.
    fn place(a: array<T>) -> array<T> {
        primal: place_primal,
        pullback: ["0 * dy"],
        tangent: ["0 * dx"],
        kernel: {
            wgsl: "@compute @workgroup_size(1) fn main() { y[0] = 2.0; }",
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
    /// Never ends on a device if the first element is positive.
    fn endless(a: array<T>) -> array<T> {
        primal: place_primal,
        pullback: ["0 * dy"],
        tangent: ["0 * dx"],
        kernel: {
            wgsl: "
                @compute @workgroup_size(1) fn main() {
                    var n = 0.0;
                    while (a[0] > 0.0) { n += 1.0; }
                    y[0] = n;
                }",
            shapes: ["1"],
            workgroups: "1",
        },
    }
}

native! {
    /// As many ones as go into the array, if each takes the place of `n`.
    fn every(a: array<T>, n: usize) -> array<T> {
        primal: every_primal,
        pullback: ["0 * a", ""],
        tangent: ["0 * every(a, n)", ""],
        kernel: {
            wgsl: "@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3<u32>) { y[id.x] = 1.0; }",
            shapes: ["a / n"],
            workgroups: "a / n",
        },
    }
}

fn every_primal<T: Float>(a: ArrayView<T>, n: usize, out: ArrayOut<T>) -> Outcome {
    let count = a.data().len().checked_div(n).ok_or("none takes no place")?;
    out.allocate(&[count])?.fill(T::ONE);
    Ok(())
}

#[differentiable]
extern "pack" {
    fn every(a: &Array<f32>, n: usize) -> Array<f32>;
    fn reversed(a: &Array<f32>, w: f32) -> Array<f32>;
    fn place(a: &Array<f32>) -> Array<f32>;
    fn endless(a: &Array<f32>) -> Array<f32>;
    fn margins(a: &Array<f32>) -> (Array<f32>, Array<f32>);
}

#[differentiable]
fn columns(a: &Array<f32>) -> Array<f32> {
    margins(a).1
}

#[differentiable]
fn twice(a: &Array<f32>, w: f32) -> Array<f32> {
    (reversed(&(reversed(a, w) * a), w) * a).sum()
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

#[test]
fn kernels_give_what_machine_code_gives_in_both_modes() {
    let ctx = Context::default();
    let cases = [
        Case::new("reversed", [Value::array(&[100]), Value::Float(0.75)]),
        Case::new("margins", [Value::array(&[5, 7])]),
    ];
    for device in [Some(Device::cpu()), gpu()].into_iter().flatten() {
        for case in &cases {
            test_case(&ctx, case, &device).unwrap();
        }
    }
}

#[test]
fn kernels_run_where_the_arrays_are() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let of = |device: &Device, n: usize| {
        let data: Vec<f32> = (0..n).map(|i| (i as f32 * 0.7).sin()).collect();
        Array::from_vec_on(device, data, [n])
    };
    let rule = ctx.build_rrule::<place>().unwrap();
    assert_eq!(
        rule.value((&of(&Device::cpu(), 3),))
            .unwrap()
            .to_vec()
            .unwrap(),
        [1.0]
    );
    let Some(gpu) = gpu() else { return };
    let ctx = Context::builder().device(gpu.clone()).build().unwrap();
    let rule = ctx.build_rrule::<place>().unwrap();
    assert_eq!(
        rule.value((&of(&gpu, 3),)).unwrap().to_vec().unwrap(),
        [2.0]
    );
    // What has no elements has nothing to be bound.
    assert_eq!(
        rule.value((&of(&gpu, 0),)).unwrap().to_vec().unwrap(),
        [1.0]
    );
    test_rule::<twice>(&ctx, (&of(&gpu, 70), 0.5)).unwrap();
}

#[test]
fn a_loop_without_an_end_is_an_error_of_the_call() {
    let Some(gpu) = gpu() else { return };
    let ctx = Context::builder().device(gpu.clone()).build().unwrap();
    let rule = ctx.build_rrule::<endless>().unwrap();
    let of = |x: f32| Array::from_vec_on(&gpu, vec![x], [1]);
    let error = rule.value((&of(1.0),)).unwrap().to_vec().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("a loop in the kernel of `tests::endless` ran for longer"),
        "{error}"
    );
    assert_eq!(rule.value((&of(-1.0),)).unwrap().to_vec().unwrap(), [0.0]);
}

#[test]
fn a_loop_without_an_end_is_no_error_of_other_calls() {
    let Some(gpu) = gpu() else { return };
    let ctx = Context::builder().device(gpu.clone()).build().unwrap();
    let (endless, margins) = (
        ctx.build_rrule::<endless>().unwrap(),
        ctx.build_rrule::<columns>().unwrap(),
    );
    let of = |x: f32| Array::from_vec_on(&gpu, vec![x], [1]);
    let matrix = Array::from_vec_on(&gpu, vec![1.0f32, 2.0, 3.0, 4.0], [2, 2]);
    let index = Array::from_vec_on(&gpu, vec![1u32, 0, 1], [3]);
    // What is not read yet stands between them in the same submission.
    let before: Vec<Array<f32>> = (0..3).map(|_| matrix.take(0, &index)).collect();
    let good = margins.value((&matrix,)).unwrap();
    let bad = [of(1.0), of(2.0)].map(|x| endless.value((&x,)).unwrap());
    let after: Vec<Array<f32>> = (0..3).map(|_| matrix.take(1, &index)).collect();
    let good_again = margins.value((&matrix,)).unwrap();
    for found in [&good_again, &good] {
        assert_eq!(found.to_vec().unwrap(), [4.0, 6.0]);
    }
    for found in bad.iter().rev() {
        let error = found.to_vec().unwrap_err().to_string();
        assert!(error.contains("the kernel of `tests::endless`"), "{error}");
    }
    for (found, again) in before.iter().zip(&after) {
        assert_eq!(found.to_vec().unwrap(), [3.0, 4.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(again.to_vec().unwrap(), [2.0, 1.0, 2.0, 4.0, 3.0, 4.0]);
    }
}

#[test]
fn a_plan_that_divides_by_zero_says_so() {
    let Some(gpu) = gpu() else { return };
    let ctx = Context::builder().device(gpu.clone()).build().unwrap();
    let rule = ctx.build_rrule::<every>().unwrap();
    let a = Array::from_vec_on(&gpu, vec![2.0f32; 4], [4]);
    let error = rule.value((&a, 0)).and_then(|y| y.to_vec()).unwrap_err();
    let expected = "tests::every: the kernel's plan: `div` is not defined on [4, 0]";
    assert!(error.to_string().contains(expected), "{error}");
    assert_eq!(rule.value((&a, 2)).unwrap().to_vec().unwrap(), [1.0, 1.0]);
}
