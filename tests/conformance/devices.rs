//! Section 5, arrays on devices: each program as a rule in both float types on the CPU, and on a GPU, if there is one, compared with that.

#[path = "../support/devices.rs"]
mod common;

use common::devices;
use mooncake::prelude::*;
use mooncake::testing::test_rule;

fn on(device: &Device) -> Context {
    let builder = Context::builder().device(device.clone());
    builder.build().unwrap()
}

/// Numbers at which no two of the programs' elements are equal and none is 0.
fn data(count: usize, seed: usize) -> Vec<f64> {
    let numbers = (0..count).map(|i| ((i * 37 + seed * 11) % 101) as f64);
    numbers.map(|n| (n - 50.3) / 40.0).collect()
}
fn double(device: &Device, shape: &[usize], seed: usize) -> Array<f64> {
    Array::from_vec_on(device, data(shape.iter().product(), seed), shape)
}
fn single(device: &Device, shape: &[usize], seed: usize) -> Array<f32> {
    let data = data(shape.iter().product(), seed).into_iter();
    Array::from_vec_on(device, data.map(|x| x as f32).collect(), shape)
}

/// Programs of two arrays and a number, of which some use fewer, and the shapes that they are tested with.
macro_rules! devices {
    ($($(#[doc = $doc:literal])* $name:ident($x:ident, $y:ident, $s:ident) $body:expr, $first:tt, $second:tt;)*) => {
        macro_rules! functions {
            ($t:ident) => {$(
                #[differentiable]
                #[allow(unused_variables)]
                pub fn $name($x: &Array<$t>, $y: &Array<$t>, $s: $t) -> Array<$t> {
                    $body
                }
            )*};
        }
        mod doubles {
            use mooncake::prelude::*;
            functions!(f64);
        }
        mod singles {
            use mooncake::prelude::*;
            functions!(f32);
        }
        $(
            $(#[doc = $doc])*
            #[test]
            fn $name() {
                let cpu = Device::cpu();
                let ctx = on(&cpu);
                let (x, y) = (single(&cpu, &$first, 1), single(&cpu, &$second, 2));
                if let Err(error) = test_rule::<singles::$name>(&ctx, (&x, &y, 0.75)) {
                    panic!("{error}, of f32");
                }
                let (x, y) = (double(&cpu, &$first, 1), double(&cpu, &$second, 2));
                if let Err(error) = test_rule::<doubles::$name>(&ctx, (&x, &y, 0.75)) {
                    panic!("{error}, of f64");
                }
                // What is right there is what a GPU gives.
                let all = |device: &Device| {
                    let ctx = on(device);
                    let (x, y) = (single(device, &$first, 1), single(device, &$second, 2));
                    let rule = ctx.build_rrule::<singles::$name>().unwrap();
                    let (value, pullback) = rule.value_and_pullback((&x, &y, 0.75)).unwrap();
                    let (dx, dy, ds) = pullback(value.cos());
                    let frule = ctx.build_frule::<singles::$name>().unwrap();
                    let (_, along) = frule.value_and_derivative((&x, &y, 0.75), (&dx, &dy, 0.5)).unwrap();
                    assert_eq!((value.device(), dx.device(), along.device()), (device, device, device));
                    [value, dx, dy, Array::from_vec_on(device, vec![ds], []), along]
                };
                for device in devices().iter().filter(|device| device.is_gpu()) {
                    for (n, (found, expected)) in all(device).iter().zip(&all(&cpu)).enumerate() {
                        assert_eq!(found.shape(), expected.shape(), "result {n} on {device}");
                        let (found, expected) = (found.to_vec().unwrap(), expected.to_vec().unwrap());
                        let largest = expected.iter().fold(1.0f32, |a, x| a.max(x.abs()));
                        for (a, b) in found.iter().zip(&expected) {
                            let close = (a - b).abs() <= 1e-4 * largest;
                            assert!(close, "result {n}: {found:?} on {device}, {expected:?} on the CPU");
                        }
                    }
                }
            }
        )*
    };
}

devices! {
    /// `adjoint`, `transpose`
    device_transpose(x, y, s) (x.t() * y).sin(), [3, 4], [4, 3];
    /// `sum(A')`
    device_sum_of_transpose(x, y, s) (x.t().sin() * s).sum(), [3, 4], [1];
    /// `sum(x^3, A')`
    device_sum_of_cubes_of_transpose(x, y, s) x.t().powi(3).sum(), [3, 4], [1];
    /// `reshape`
    device_reshape(x, y, s) x.reshape([2, 6]).sin() * y, [3, 4], [6];
    /// `lgetfield` of an array
    /// An array has extents.
    device_extents(x, y, s) x.narrow(0, 0, x.dim(0) - 1).reshape(x.len() - x.dim(x.ndim() - 1)) * s, [3, 2], [1];
    /// `mul!` of matrices
    device_matrices(x, y, s) x.matmul(y), [3, 4], [4, 5];
    /// `mul!` of a matrix and a vector
    device_matrix_vector(x, y, s) x.matmul(y), [3, 4], [4];
    /// `Array(device)` then `sum`
    /// A number of the host is the one element of an array of the device.
    device_number(x, y, s) x * x.sum().to_scalar().sin() * s, [5], [1];
    /// `Diagonal`
    device_diagonal(x, y, s) x.tril(0).triu(0).matmul(y), [3, 3], [3, 2];
    /// `Diagonal.diag` in a pipeline
    device_diagonal_of_matrix(x, y, s) x.tril(0).triu(0).sum_axis(1).sin() * y, [3, 3], [3];
    /// `sum`
    device_sum(x, y, s) x.sum(), [7], [1];
    /// `sum(sin, x)`
    device_sum_sin(x, y, s) x.map(|v| v.sin()).sum(), [7], [1];
    /// `sum(exp, x)`
    device_sum_exp(x, y, s) x.map(|v| v.exp()).sum(), [7], [1];
    /// `sum(abs2, x)`
    device_sum_abs2(x, y, s) x.map(|v| v * v).sum(), [3, 5], [1];
    /// `sum(abs, x)`
    device_sum_abs(x, y, s) x.map(|v| v.abs()).sum(), [7], [1];
    /// `sum(sin.(x))`
    device_broadcast_sin(x, y, s) x.sin().sum(), [7], [1];
    /// `sum(x .^ 7)`
    device_broadcast_power(x, y, s) x.powi(7).sum(), [7], [1];
    /// `sum(log.(x))`
    device_broadcast_ln(x, y, s) (x.abs() + 0.5).ln().sum(), [7], [1];
    /// `sum(exp.(x))`
    device_broadcast_exp(x, y, s) x.exp().sum(), [7], [1];
    /// `sum(2 .* x)`
    device_broadcast_literal(x, y, s) (2.0 * x).sum(), [7], [1];
    /// `sum(x .* y)`
    device_broadcast_product(x, y, s) (x * y).sum(), [7], [7];
    /// `sum(sin.(x) .^ 2)`
    device_broadcast_composed(x, y, s) x.sin().powi(2).sum(), [7], [1];
    /// `sum(sin.(A))`, `sum(abs2.(A))`
    device_broadcast_matrix(x, y, s) (x.sin() + x * x).sum(), [3, 5], [1];
    /// Leaves: `transpose`
    device_leaf_transposed(x, y, s) x.t() * y + x.t(), [3, 4], [3];
    /// Leaves: a view that is not contiguous
    device_leaf_view(x, y, s) (x.slice((1.., (0..5).step_by(2))) * y).sin(), [3, 5], [2, 3];
    /// `sum(view(x, …))`
    device_view_sum(x, y, s) (x.narrow(1, 1, 3) * s).sum(), [3, 5], [1];
    /// Vector ⊕ matrix: `v .+ A`
    device_vector_plus_matrix(x, y, s) (x + y).sin(), [4], [3, 4];
    /// Vector ⊕ matrix: `v .* A`
    device_vector_times_matrix(x, y, s) x * y, [3, 1], [3, 4];
    /// `map(sin, x)`
    device_map_sin(x, y, s) x.map(|v| v.sin()), [5], [1];
    /// `map(*, x, y)`
    device_map_product(x, y, s) x.map2(y, |a, b| a * b), [5], [5];
    /// `mapreduce(sin, +, x)`, `mapreduce(exp, +, x)`, `mapreduce(abs2, +, x)`
    device_mapreduce(x, y, s) x.map(|v| v.sin() + v.exp() + v * v).sum_axis(0), [4, 3], [1];
    /// `reduce(+, x)`
    device_reduce_sum(x, y, s) x.sum_axis([0, 2]), [2, 3, 2], [1];
    /// `reduce(*, x)`, `prod`
    device_reduce_product(x, y, s) x.prod(), [5], [1];
    /// `mapreduce` of other operations: an error there
    /// They have rules here.
    device_reduce_others(x, y, s) x.max_axis(1) * x.min_axis(1) + x.logsumexp_axis(1), [3, 4], [1];
    /// `norm`
    device_norm(x, y, s) x.norm() * x.norm_axis(0), [3, 4], [1];
    /// `dot`
    device_dot(x, y, s) x.dot(y), [6], [6];
    /// `cumsum`
    device_cumsum(x, y, s) x.cumsum(1).sin(), [2, 5], [1];
    /// `cumprod`
    device_cumprod(x, y, s) x.cumprod(0), [5, 2], [1];
    /// `accumulate(+, x)`
    device_accumulate(x, y, s) x.cumsum(0), [7], [1];
    /// A number captured in a broadcast: `x .* s`
    device_captured_product(x, y, s) x.map(|v| v * s), [3, 4], [1];
    /// A number captured in a broadcast: `x .+ s`
    device_captured_sum(x, y, s) (x.map(|v| v + s)).sin(), [5], [1];
    /// `copy`
    device_copy(x, y, s) {
        let copied = x.clone();
        copied * x
    }, [5], [1];
    /// `unsafe_copyto!` of everything
    device_copy_all(x, y, s) (x.with_slice(.., y) * x).sin(), [4], [4];
    /// `unsafe_copyto!` of a part
    device_copy_part(x, y, s) (x.with_slice(1..3, y) * x).sin(), [4], [2];
    /// A mask of bools
    device_mask(x, y, s) x.gt(0.0).select(&(x * y), s), [3, 4], [4];
    /// `fill!` of a vector, a matrix
    device_fill(x, y, s) x.with_slice((.., ..), s) * x, [3, 4], [1];
    /// `fill!` of a transposed matrix
    device_fill_transposed(x, y, s) x.t().with_slice((1.., ..), s) * x.t(), [3, 4], [1];
    /// `fill!` of a view
    device_fill_view(x, y, s) x.with_slice((.., (0..4).step_by(2)), s) * x, [3, 4], [1];
    /// `fill!` within a closure
    device_fill_within_closure(x, y, s) {
        let fill = |value| x.with_slice(0, value);
        fill(s) * x
    }, [3, 4], [1];
    /// `x .= sin.(x)`
    device_in_place_sin(x, y, s) {
        let mut x = x * s;
        x = x.sin();
        x
    }, [5], [1];
    /// `x .= x .+ y`
    device_in_place_aliased(x, y, s) {
        let mut x = x * s;
        x += y;
        x *= &x.clone();
        x
    }, [5], [5];
    /// A dense layer
    device_layer(x, y, s) (x.matmul(y) + x.sum_keep(1) * s).tanh(), [4, 3], [3, 2];
    /// `vcat`
    device_vcat(x, y, s) x.concat(y, 0).sin(), [2, 3], [1, 3];
    /// `hcat`
    device_hcat(x, y, s) x.concat(y, 1).sin(), [2, 3], [2, 2];
    /// `cat(dims = 3)`
    device_cat_3(x, y, s) x.concat(y, 2).sin(), [2, 2, 1], [2, 2, 3];
    /// `cat(dims = (1, 2))`: blocks on the diagonal
    device_cat_blocks(x, y, s) (x.pad(0, 0, 2).pad(1, 0, 3) + y.pad(0, 2, 0).pad(1, 2, 0)).sin(), [2, 2], [2, 3];
    /// `cat` of N arguments
    device_cat_several(x, y, s) x.concat(y, 0).concat(x, 0).concat(&x.sin(), 0), [2, 2], [1, 2];
    /// `cat` of wrappers
    device_cat_wrappers(x, y, s) x.t().concat(&y.narrow(1, 1, 2), 0).sin(), [2, 3], [1, 3];
    /// `cat` of vectors
    device_cat_vectors(x, y, s) x.concat(y, 0) * x.stack(x, 0).sum(), [3], [2];
    /// `permutedims` of a matrix
    device_permute_2(x, y, s) x.permute([1, 0]) * y, [3, 4], [4, 3];
    /// `permutedims` of three dimensions
    device_permute_3(x, y, s) x.permute([2, 0, 1]).sin(), [2, 3, 2], [1];
    /// `permutedims` of a wrapper
    device_permute_wrapper(x, y, s) x.swap_axes(0, 1).permute([2, 1, 0]) * y, [2, 3, 2], [3];
    /// `mean`, `varm`
    device_mean_variance(x, y, s) (x - x.mean_keep(1)) / (x.var_keep(1) + s).sqrt(), [3, 4], [1];
    /// More: a broadcast with more than eight leaves
    device_ten_leaves(x, y, s) x.map2(y, |a, b| a.sin() * b) + x * y - x / (y * y + 1.0) + x.exp() * x.t().sum_axis(1) + y.cos() * 2.0 + (x + y) * s + x * x * y, [3, 4], [4];
    /// More: control flow within the broadcast function
    device_control_flow(x, y, s) x.map2(y, |a, b| {
        let (mut sum, mut n) = (a, 0);
        while sum < 3.0 && n < 5 {
            sum = sum * 1.5 + if b > 0.0 { b } else { b.sin() - 1.0 };
            n += 1;
        }
        sum
    }), [3, 4], [4];
    /// More: a kernel that the user writes: rows of a matrix, reduced and combined again
    device_user_kernel(x, y, s) {
        let shifted = x.map2(&x.max_keep(1), |v, most| (v - most).exp());
        shifted.map2(&shifted.sum_keep(1), |v, sum| v / sum * s)
    }, [3, 4], [1];
}

#[differentiable]
fn of_host_numbers(x: &[f64], s: f64) -> Array<f64> {
    Array::from_vec(x.to_vec(), [x.len()]).sin() * s
}
#[differentiable]
fn transposed_product(x: &[f64], y: &Array<f64>) -> Array<f64> {
    Array::from_vec(x[1..].to_vec(), [3, 2]).t().matmul(y)
}
#[differentiable]
fn filled(x: &Array<f64>, s: f64) -> Array<f64> {
    (Array::full([3, 1], s) * x + Array::full(x.shape(), s * s)).sin()
}
/// Tests a rule on the device on which native calls make arrays.
macro_rules! check_on_default {
    ($f:ident, |$device:ident| $args:expr) => {{
        let $device = &Device::from_env().unwrap();
        if let Err(error) = test_rule::<$f>(&on($device), $args) {
            panic!("{error}, on {}", $device);
        }
    }};
}
/// `sum(cu(x))`, host → device
#[test]
fn device_of_host_numbers() {
    check_on_default!(of_host_numbers, |_device| (&data(5, 1)[..], 0.75));
}
/// A slice of the host, then the adjoint's product on the device
#[test]
fn device_host_slice_adjoint_product() {
    check_on_default!(transposed_product, |device| (
        &data(7, 1)[..],
        &double(device, &[3, 2], 2)
    ));
}
/// `fill!` with a number that has a derivative
#[test]
fn device_filled() {
    check_on_default!(filled, |device| (&double(device, &[3, 4], 1), 0.75));
}

#[differentiable]
fn gathered(x: &Array<f64>, index: &Array<u32>) -> Array<f64> {
    x.gather(1, index).sin()
}
#[differentiable]
fn scattered(x: &Array<f64>, index: &Array<u32>, y: &Array<f64>) -> Array<f64> {
    x.scatter_add(1, index, y).sin()
}
/// `gather` with distinct indices
/// Repeated ones too, which accumulate in a fixed order.
#[test]
fn device_gather_and_scatter() {
    for device in devices() {
        let x = double(&device, &[2, 4], 1);
        for places in [vec![3u32, 0, 1, 2], vec![2, 2, 0, 2]] {
            let index = Array::from_vec_on(&device, places, [2, 2]);
            let ctx = on(&device);
            test_rule::<gathered>(&ctx, (&x, &index)).unwrap();
            test_rule::<scattered>(&ctx, (&x, &index, &double(&device, &[2, 2], 3))).unwrap();
        }
    }
}

#[differentiable]
fn mixed_elements(x: &Array<f64>, y: &Array<f32>, n: &Array<u32>) -> Array<f64> {
    x * y.to_f64() + n.to_f64() * x.to_f32().sin().to_f64()
}
/// More: mixed element types
#[test]
fn device_mixed_elements() {
    for device in devices() {
        let n = Array::from_vec_on(&device, vec![3u32, 0, 1], [3]);
        let args = (&double(&device, &[2, 3], 1), &single(&device, &[3], 2), &n);
        test_rule::<mixed_elements>(&on(&device), args).unwrap();
    }
}

#[differentiable]
fn moved(x: &Array<f32>) -> Array<f32> {
    (x.sin() * x).sum()
}
/// GPU → CPU, CPU → GPU
/// Arrays move between calls. A gradient is where its argument is.
#[test]
fn device_moves() {
    let host = single(&Device::cpu(), &[3, 4], 1);
    let mut all = Vec::new();
    for device in devices() {
        let x = host.to_device(&device);
        let rule = on(&device).build_rrule::<moved>().unwrap();
        let (y, (dx,)) = rule.value_and_gradient((&x,)).unwrap();
        assert_eq!((y.device(), dx.device()), (&device, &device));
        all.push(dx.to_device(&Device::cpu()).to_vec().unwrap());
    }
    for dx in &all[1..] {
        for (a, b) in dx.iter().zip(&all[0]) {
            assert!((a - b).abs() < 1e-5, "{a} and {b}");
        }
    }
}

#[differentiable]
fn second(x: &Array<f32>, y: &Array<f32>) -> Array<f32> {
    let h = (x.matmul(y) + x.sum_keep(1)).tanh();
    (h.softmax(1) * y.sum_axis(0)).sum() + x.max_axis(1).sin().sum()
}
/// Hessian products through operations on arrays
/// Against differences of gradients.
#[test]
fn device_hessian_products() {
    for device in devices() {
        let ctx = on(&device);
        let (x, y) = (single(&device, &[3, 4], 1), single(&device, &[4, 2], 2));
        let (dx, dy) = (single(&device, &[3, 4], 5), single(&device, &[4, 2], 6));
        let hvp = ctx.build_hvp::<second>().unwrap();
        let (_, _, (hx, hy)) = hvp.value_gradient_and_hvp((&x, &y), (&dx, &dy)).unwrap();
        let rule = ctx.build_rrule::<second>().unwrap();
        let gradient = |h: f32| {
            let at = (&(&x + &dx * h), &(&y + &dy * h));
            let (_, (dx, dy)) = rule.value_and_gradient(at).unwrap();
            [dx.to_vec().unwrap(), dy.to_vec().unwrap()].concat()
        };
        let h = 1.0 / 64.0;
        let found = [hx.to_vec().unwrap(), hy.to_vec().unwrap()].concat();
        for ((found, up), down) in found.into_iter().zip(gradient(h)).zip(gradient(-h)) {
            let slope = (up - down) / (2.0 * h);
            let close = (found - slope).abs() < 5e-3 * (1.0 + slope.abs());
            assert!(close, "{found}, by differences {slope}, on {device}");
        }
    }
}

#[differentiable]
fn element(x: &Array<f32>, at: usize) -> f32 {
    x.index_axis(0, at).to_scalar()
}
/// Scalar indexing: an error there
/// An element can be read. One that there is not is an error, and the next call works.
#[test]
fn device_scalar_indexing() {
    for device in devices() {
        let rule = on(&device).build_rrule::<element>().unwrap();
        let x = single(&device, &[4], 1);
        let error = rule.value_and_gradient((&x, 4)).unwrap_err().to_string();
        assert!(
            error.starts_with("index_axis: found 4..5 along axis 0"),
            "{error}"
        );
        let (y, (dx, ())) = rule.value_and_gradient((&x, 2)).unwrap();
        assert_eq!(y, x.to_vec().unwrap()[2]);
        assert_eq!(dx.to_vec().unwrap(), [0.0, 0.0, 1.0, 0.0]);
    }
}

#[differentiable]
fn product(x: &Array<f32>, y: &Array<f32>) -> Array<f32> {
    (x * y).sum()
}
/// Arrays of two devices: an error
#[test]
fn device_mixed_devices() {
    for device in devices().into_iter().filter(Device::is_gpu) {
        let (x, y) = (single(&device, &[4], 1), single(&Device::cpu(), &[4], 2));
        let rule = on(&device).build_rrule::<product>().unwrap();
        let error = rule.value_and_gradient((&x, &y)).unwrap_err().to_string();
        assert!(error.contains("`to_device`"), "{error}");
        rule.value_and_gradient((&x, &y.to_device(&device)))
            .unwrap();
    }
}

/// More: streams
/// Threads share a device. Each gets what it gets alone.
#[test]
fn device_threads() {
    for device in devices() {
        let ctx = on(&device);
        let rule = ctx.build_rrule::<second>().unwrap();
        let work = |seed: usize| {
            let (x, y) = (
                single(&device, &[3, 4], seed),
                single(&device, &[4, 2], seed + 1),
            );
            let (_, (dx, dy)) = rule.value_and_gradient((&x, &y)).unwrap();
            [dx.to_vec().unwrap(), dy.to_vec().unwrap()]
        };
        let alone: Vec<_> = (0..4).map(work).collect();
        let together: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|n| scope.spawn(move || work(n))).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert_eq!(alone, together, "on {device}");
    }
}
