//! What array programs are made of, natively and inside of differentiable functions: extents, new arrays, numbers out of arrays, parts,
//! joins, new orders, statistics. Each is tested like a rule on the CPU, in debug mode too, and compared with the CPU on the GPU.

#[path = "support/devices.rs"]
mod common;

use common::{devices, gpu};
use mooncake::prelude::*;
use mooncake::testing::test_rule;

macro_rules! functions {
    ($t:ident) => {
        #[differentiable]
        pub fn extents(x: &Array<$t>, s: $t) -> Array<$t> {
            let n = x.len() as $t + x.dim(0) as $t * s;
            let shape = x.shape();
            let last = shape[x.ndim() - 1] as $t;
            if x.is_empty() {
                x.sum()
            } else {
                x.sum() * n / last
            }
        }
        #[differentiable]
        pub fn numbers(x: &Array<$t>, s: $t) -> Array<$t> {
            let total = (x * x).sum().to_scalar();
            let factor = if total > 1.0 { total.sin() } else { total * s };
            (x * factor).sum()
        }
        #[differentiable]
        pub fn unwrapped(x: &Array<$t>, s: $t) -> Array<$t> {
            let total = x.sum().item().unwrap();
            x.map(|v| v * total * s).sum()
        }
        /// Integers that GPUs do not have, which a closure captures and computes with.
        #[differentiable]
        pub fn captured(x: &Array<$t>, s: $t) -> Array<$t> {
            let (n, k, m) = (x.len() as i64, x.ndim() as u8, x.dim(0) as u64 + (1 << 40));
            let scaled = |v: $t| {
                if n > 5 {
                    v * (n - 2) as $t
                } else {
                    v * s / $t::from(k + 1)
                }
            };
            x.map(|v| scaled(v) + v * v * ((m >> 39) as u32) as $t)
                .sum()
        }
        /// A whole number and a bool out of an array: neither has a derivative.
        #[differentiable]
        pub fn decided(x: &Array<$t>, s: $t) -> Array<$t> {
            let mut rest = x.reshape(x.len());
            let mut greatest = x.sum();
            for _ in 0..2 {
                let at = rest.argmax().item().unwrap() as usize;
                greatest += rest.slice(at) * s;
                rest = rest.cos();
            }
            let signed = rest.argmin().to_i32().map(|n| n - 3);
            let least = rest.slice((signed.item().unwrap() + 3) as usize);
            if x.gt(s).any().item().unwrap() && !x.gt(s).all().item().unwrap() {
                (x * greatest).sum() - least.sin()
            } else {
                least
            }
        }
        #[differentiable]
        pub fn listed_axes(x: &Array<$t>, s: $t) -> Array<$t> {
            let deep = x.stack(&(x * s), 1);
            let axes = vec![2, 0];
            let last = [1];
            let none = Vec::new();
            let means = deep.mean_keep(&last[..])
                * deep.argmax_axis(&axes).to_f64().sum().to_scalar() as $t;
            let all = deep.logsumexp_axis(&axes) * deep.sum_axis(&last[..]).sin().sum();
            (means - deep.sum_keep(&axes)).sin().sum() * all.sum() + x.sum_axis(&none).cos().sum()
        }
        #[differentiable]
        pub fn made(x: &Array<$t>, s: $t) -> Array<$t> {
            let n = x.dim(0);
            let mut sum = Array::zeros([n, x.dim(1)]);
            for k in 0..3 {
                sum += x * (k as $t + 1.0) + Array::full([n, 1], s * k as $t);
            }
            (sum * Array::ones([x.dim(1)]) + Array::scalar(s))
                .sin()
                .sum()
        }
        /// The element types of the new arrays are known only from what they meet later.
        #[differentiable]
        pub fn made_for_others(x: &Array<$t>, s: $t) -> Array<$t> {
            let (n, m) = (x.dim(0), x.dim(1));
            let mut rows = Array::zeros([n]);
            let mut columns = Array::zeros([m]);
            let mut decayed = Array::zeros([m]);
            for k in 0..2 {
                decayed = (&decayed * 0.5).tanh() + x.index_axis(0, k);
                rows = (columns.reshape([1, m]) - x).logsumexp_axis(1) * -s;
                columns = (rows.expand_dims(1) - x).logsumexp_axis(0) * -s;
            }
            let to = x.argmax_axis(1);
            let counts = columns.scatter_add(0, &to, &Array::ones([to.len()]));
            let start = Array::full([m, n], 0.5);
            (start.matmul(x).sin().sum_axis(0) * counts).sum() + (rows.sum() + decayed.sin().sum())
        }
        #[differentiable]
        pub fn broadcast(x: &Array<$t>, s: $t) -> Array<$t> {
            let rows = x.dim(0);
            (x.sum_axis(0).broadcast_to([rows, 3]) * x * s).sum()
        }
        #[differentiable]
        pub fn narrowed(x: &Array<$t>, s: $t) -> Array<$t> {
            let left = x.narrow(1, 0, 2);
            let right = x.narrow(1, 1, 2);
            ((&left * &right).sin() + right * s).sum()
        }
        #[differentiable]
        pub fn rows_in_a_loop(x: &Array<$t>, s: $t) -> Array<$t> {
            let mut state = x.index_axis(0, 0);
            for i in 1..x.dim(0) {
                state = (state * s + x.index_axis(0, i)).sin();
            }
            state.sum()
        }
        /// From the second turn on, plans of small arrays move the elements.
        #[differentiable]
        pub fn grid_in_a_loop(x: &Array<$t>, s: $t) -> Array<$t> {
            let mut u = x.concat(&(x * s), 1);
            for n in 0..5 {
                let middle = u.slice((.., 1..5));
                let around = u.slice((.., 2..6)) + u.slice((.., 0..4));
                let new = (&middle + (around - &middle * 2.0) * s).sin();
                u = u.with_slice((.., 1..5), &new);
                let every_other = u.slice((.., (0..6).step_by(2)));
                u = u.roll(1, n) + every_other.concat(&every_other.roll(0, -3), 1) * 0.3;
            }
            (&u * &u).sum()
        }
        /// And multiply the matrices.
        #[differentiable]
        pub fn filter_in_a_loop(x: &Array<$t>, s: $t) -> Array<$t> {
            let mut p = x.t().matmul(x) * s;
            for _ in 0..4 {
                let gain = p.matmul(&x.t());
                let rest = x.matmul(&p).matmul(&x.t());
                p = (p * 0.5 + gain.matmul(&(rest * 0.1).sin()).matmul(x) * 0.1).tanh();
            }
            (p.t() * s + p).sum()
        }
        #[differentiable]
        pub fn joined(x: &Array<$t>, s: $t) -> Array<$t> {
            let two = x.concat(&(x * s), 0);
            let deep = x.stack(&x.sin(), 2);
            (two.sin() * two).sum() + (&deep * &deep * s).sum_axis(2).sin().sum()
        }
        #[differentiable]
        pub fn reordered(x: &Array<$t>, s: $t) -> Array<$t> {
            let turned = x.swap_axes(0, 1).flip(0);
            let rolled = x.roll(1, 4);
            (turned.swap_axes(0, 1) * rolled.sin() * s).sum()
        }
        #[differentiable]
        pub fn more_axes(x: &Array<$t>, s: $t) -> Array<$t> {
            let a = x.expand_dims(0);
            let b = x.expand_dims(2) * s;
            let both = (a + b.squeeze(2)).squeeze(0);
            (both.sin() * x).sum()
        }
        #[differentiable]
        pub fn padded(x: &Array<$t>, s: $t) -> Array<$t> {
            let wide = x.pad(1, 1, 2);
            (wide.narrow(1, 0, 3) * x * s + wide.narrow(1, 2, 3).cos()).sum()
        }
        #[differentiable]
        pub fn scattered_parts(x: &Array<$t>, s: $t) -> Array<$t> {
            let to = x.argmax_axis(0);
            let all = x.scatter_add(1, &to, &(x * s));
            (all.sin() * x).sum()
        }
        #[differentiable]
        pub fn statistics(x: &Array<$t>, s: $t) -> Array<$t> {
            let normal =
                (x - x.mean_axis(1).expand_dims(1)) / (x.var_axis(1).expand_dims(1) + 1e-3).sqrt();
            (normal.sin() * s).sum() + x.min_axis(0).sum()
        }
    };
}

mod single {
    use mooncake::prelude::*;
    functions!(f32);
}
mod double {
    use mooncake::prelude::*;
    functions!(f64);
}

/// 2 rows of 3.
const X: [f64; 6] = [0.5, -1.25, 2.0, 0.3, -0.7, 1.1];

fn x64(device: &Device) -> Array<f64> {
    Array::from_vec_on(device, X.to_vec(), [2, 3])
}
fn x32(device: &Device) -> Array<f32> {
    Array::from_vec_on(device, X.iter().map(|&x| x as f32).collect(), [2, 3])
}
fn on(device: Device) -> Context {
    Context::builder().device(device).build().unwrap()
}

macro_rules! tests {
    ($($name:ident)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn as_a_rule() {
                // Natively, new arrays are on the default device, and what they meet has to be there too.
                let device = match stringify!($name).starts_with("made") {
                    true => Device::from_env().unwrap(),
                    false => Device::cpu(),
                };
                let x = x64(&device);
                for debug in [false, true] {
                    let ctx = Context::builder().device(device.clone()).debug(debug).build().unwrap();
                    test_rule::<double::$name>(&ctx, (&x, 0.8)).unwrap();
                }
            }
            /// Products with Hessians are differences of gradients.
            #[test]
            fn twice() {
                devices().into_iter().for_each(twice_on);
            }
            fn twice_on(device: Device) {
                let ctx = on(device.clone());
                let (x, v) = (x64(&device), x64(&device).cos());
                let hvp = ctx.build_hvp::<double::$name>().unwrap();
                let (_, _, (hx, hs)) = hvp.value_gradient_and_hvp((&x, 0.8), (&v, 0.4)).unwrap();
                let rule = ctx.build_rrule::<double::$name>().unwrap();
                let gradient = |h: f64| {
                    let (_, (dx, ds)) = rule.value_and_gradient((&(&x + &v * h), 0.8 + 0.4 * h)).unwrap();
                    let mut all = dx.to_vec().unwrap();
                    all.push(ds);
                    all
                };
                let h = 1e-5;
                let slopes = gradient(h).into_iter().zip(gradient(-h)).map(|(a, b)| (a - b) / (2.0 * h));
                let mut found = hx.to_vec().unwrap();
                found.push(hs);
                for (found, expected) in found.into_iter().zip(slopes) {
                    let close = (found - expected).abs() < 1e-6 * (1.0 + expected.abs());
                    assert!(close, "{found}, by differences {expected}");
                }
            }
            #[test]
            fn on_the_gpu() {
                let Some(gpu) = gpu() else { return };
                let doubles = |device: Device| {
                    let rule = on(device.clone()).build_rrule::<double::$name>().unwrap();
                    let (y, (dx, ds)) = rule.value_and_gradient((&x64(&device), 0.8)).unwrap();
                    let mut all = vec![y.item().unwrap(), ds];
                    all.extend(dx.to_vec().unwrap());
                    all
                };
                for (found, expected) in doubles(gpu.clone()).into_iter().zip(doubles(Device::cpu())) {
                    let close = (found - expected).abs() <= 1e-13 * (1.0 + expected.abs());
                    assert!(close, "{found} on the GPU, {expected} on the CPU");
                }
                let all = |device: Device| {
                    let ctx = on(device.clone());
                    let x = x32(&device);
                    // Natively, new arrays are on the default device.
                    let native = match stringify!($name).starts_with("made") {
                        true => x.sum(),
                        false => single::$name(&x, 0.8),
                    };
                    let rule = ctx.build_rrule::<single::$name>().unwrap();
                    let (y, (dx, ds)) = rule.value_and_gradient((&x, 0.8)).unwrap();
                    assert_eq!(y.device(), &device);
                    let frule = ctx.build_frule::<single::$name>().unwrap();
                    let (_, dy) = frule.value_and_derivative((&x, 0.8), (&dx, 1.0)).unwrap();
                    let mut all = vec![native.item().unwrap(), y.item().unwrap(), ds, dy.item().unwrap()];
                    all.extend(dx.to_vec().unwrap());
                    all
                };
                let (found, expected) = (all(gpu), all(Device::cpu()));
                for (found, expected) in found.into_iter().zip(expected) {
                    let close = (found - expected).abs() <= 1e-4 * (1.0 + expected.abs());
                    assert!(close, "{found} on the GPU, {expected} on the CPU");
                }
            }
        }
    )*};
}
tests! {
    extents numbers unwrapped captured decided listed_axes made made_for_others broadcast narrowed rows_in_a_loop grid_in_a_loop filter_in_a_loop joined reordered more_axes padded scattered_parts
    statistics
}

#[test]
fn parts_and_orders_have_these_elements() {
    for device in devices() {
        let x = Array::<f32>::from_vec_on(&device, (0..6).map(|n| n as f32).collect(), [2, 3]);
        let is = |found: Array<f32>, shape: &[usize], data: &[f32]| {
            assert_eq!(found.to_vec().unwrap(), data, "on {device}");
            assert_eq!(found.shape(), shape);
        };
        is(x.narrow(1, 1, 2), &[2, 2], &[1.0, 2.0, 4.0, 5.0]);
        is(x.narrow(0, 2, 0), &[0, 3], &[]);
        is(x.index_axis(0, 1), &[3], &[3.0, 4.0, 5.0]);
        is(x.swap_axes(0, 1), &[3, 2], &[0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
        is(x.flip(1), &[2, 3], &[2.0, 1.0, 0.0, 5.0, 4.0, 3.0]);
        is(x.roll(1, 1), &[2, 3], &[2.0, 0.0, 1.0, 5.0, 3.0, 4.0]);
        is(x.roll(0, 2), &[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        is(
            x.pad(0, 1, 0),
            &[3, 3],
            &[0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
        );
        let y = x.narrow(1, 0, 1);
        is(
            x.concat(&y, 1),
            &[2, 4],
            &[0.0, 1.0, 2.0, 0.0, 3.0, 4.0, 5.0, 3.0],
        );
        is(y.stack(&y, 0), &[2, 2, 1], &[0.0, 3.0, 0.0, 3.0]);
        is(
            x.expand_dims(1).squeeze(1),
            &[2, 3],
            &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
        );
        is(x.min_axis(1), &[2], &[0.0, 3.0]);
        is(x.mean_axis(0), &[3], &[1.5, 2.5, 3.5]);
        is(x.var_axis(0), &[3], &[2.25, 2.25, 2.25]);
        // Parts go into other operations as they are.
        let part = x.narrow(1, 1, 2);
        is(part.matmul(&part.t()), &[2, 2], &[5.0, 14.0, 14.0, 41.0]);
        is(part.sum_axis(0), &[2], &[5.0, 7.0]);
        is(part.max_axis(1), &[2], &[2.0, 5.0]);
        is(part.reshape(4), &[4], &[1.0, 2.0, 4.0, 5.0]);
        assert_eq!(part.sum().to_scalar(), 12.0);
        assert!(part.to_scalar().is_nan());
    }
}

#[test]
fn misfits_name_the_shapes_and_the_axis() {
    for device in devices() {
        let x = Array::<f32>::full_on(&device, [2, 3], 0.0);
        let says = |found: Array<f32>, text: &str| {
            let error = found.error().map(ToString::to_string).unwrap_or_default();
            assert_eq!(error, text);
        };
        says(
            x.narrow(1, 2, 2),
            "narrow: found 2..4 along axis 1 of an array of shape [2, 3]: expected a range within the extent 3",
        );
        says(
            x.index_axis(2, 0),
            "index_axis: axis 2 of an array of shape [2, 3]: expected an axis below 2",
        );
        says(
            x.squeeze(0),
            "squeeze: axis 0 of an array of shape [2, 3] has extent 2: expected 1",
        );
        says(
            x.expand_dims(3),
            "expand_dims: axis 3 for an array of shape [2, 3]: expected an axis up to 2",
        );
        says(
            x.swap_axes(0, 5),
            "swap_axes: axis 5 of an array of shape [2, 3]: expected an axis below 2",
        );
        says(
            x.concat(&x.t(), 0),
            "concat: found shapes [2, 3] and [3, 2]: expected equal extents but along axis 0",
        );
        says(
            x.flip(2),
            "flip: axis 2 of an array of shape [2, 3]: expected an axis below 2",
        );
        says(
            x.pad(1, usize::MAX, 1),
            &format!(
                "pad: found {} and 1 elements to be added along axis 1 of an array of shape [2, 3]: expected fewer",
                usize::MAX
            ),
        );
    }
}

#[differentiable]
fn beyond(x: &Array<f64>, at: usize) -> Array<f64> {
    x.index_axis(0, at).sum()
}

/// Inside of a function an error has its place, and the next call works.
#[test]
fn misfits_inside_have_a_place() {
    let ctx = on(Device::cpu());
    let rule = ctx.build_rrule::<beyond>().unwrap();
    let x = x64(&Device::cpu());
    let error = rule.value_and_gradient((&x, 2)).unwrap_err().to_string();
    let (message, place) = error.split_once('\n').unwrap();
    assert_eq!(
        message,
        "index_axis: found 2..3 along axis 0 of an array of shape [2, 3]: expected a range within the extent 2"
    );
    assert!(place.contains("tests/array_programs.rs"), "{place}");
    let (y, _) = rule.value_and_gradient((&x, 1)).unwrap();
    assert!((y.item().unwrap() - 0.7).abs() < 1e-12);
}

#[differentiable]
fn along(x: &Array<f64>, axes: &[usize]) -> Array<f64> {
    x.sum_axis(axes).sum()
}

/// Also where the number of axes is known only when a program runs.
#[test]
fn misfitting_axes_of_a_list_are_named() {
    let rule = on(Device::cpu()).build_rrule::<along>().unwrap();
    let x = x64(&Device::cpu());
    for axes in [&[2][..], &[0, 0], &[1, 0, 1], &[0, 5]] {
        let error = rule.value((&x, axes)).unwrap_err().to_string();
        let said = "for an array of shape [2, 3]: expected axes below 2, each once";
        assert!(
            error.starts_with("sum_axis: found the axes ") && error.contains(said),
            "{error}"
        );
        assert!(along(&x, axes).error().is_some());
    }
    for axes in [&[][..], &[1], &[0, 1], &[1, 0]] {
        let y = rule.value((&x, axes)).unwrap().item().unwrap();
        assert!((y - x.sum().item().unwrap()).abs() < 1e-12);
    }
}

/// Both arrays of the state are large. The product needs the transpose in memory, and the second sum waits for it.
#[differentiable]
fn large_state(start: &Array<f64>, x: &Array<f64>) -> f64 {
    let mut a = start * 1.0;
    let mut b = start * 0.5;
    for _ in 0..4 {
        let turned = a.t();
        let p = turned.matmul(x).matmul(&x.t().matmul(x)).sum();
        let next = &a * 0.5;
        b = turned * (p * 0.01).sin() + b;
        a = next;
    }
    (a.sin() * b).sum().to_scalar()
}

/// A kernel writes its result into the memory of an array that nobody reads again: not while somebody has its transpose.
#[test]
fn what_is_seen_in_another_order_is_not_overwritten() {
    const N: usize = 40;
    let device = Device::cpu();
    let numbers = |count: usize| (0..count).map(|n| (n as f64 * 0.37).sin() * 0.2).collect();
    let start = Array::from_vec_on(&device, numbers(N * N), [N, N]);
    let x = Array::from_vec_on(&device, numbers(2 * N), [N, 2]);
    let run = |debug: bool| {
        let builder = Context::builder().device(device.clone());
        let ctx = builder.debug(debug).build().unwrap();
        let rule = ctx.build_rrule::<large_state>().unwrap();
        (0..3)
            .flat_map(|_| {
                let (y, (da, dx)) = rule.value_and_gradient((&start, &x)).unwrap();
                let mut all = vec![y, rule.value((&start, &x)).unwrap()];
                all.extend(da.to_vec().unwrap());
                all.extend(dx.to_vec().unwrap());
                all
            })
            .collect::<Vec<f64>>()
    };
    for (found, expected) in run(false).into_iter().zip(run(true)) {
        let close = (found - expected).abs() <= 1e-12 * (1.0 + expected.abs());
        assert!(close, "{found} in kernels, {expected} one by one");
    }
}

#[differentiable]
fn of_a_vector(x: &Array<f64>, shape: &[usize]) -> Array<f64> {
    x + Array::zeros(shape)
}

/// A shape may be a list that is known when a program runs.
#[test]
fn new_arrays_have_shapes_of_lists() {
    let device = Device::from_env().unwrap();
    let rule = on(device.clone()).build_rrule::<of_a_vector>().unwrap();
    let x = x64(&device);
    for shape in [&[2, 3][..], &[4, 2, 3], &[], &[0, 2, 3]] {
        let y = rule.value((&x, shape)).unwrap();
        let native = of_a_vector(&x, shape);
        assert_eq!(
            (y.shape(), y.to_vec().unwrap()),
            (native.shape(), native.to_vec().unwrap())
        );
    }
    let error = rule.value((&x, &[2, 2][..])).unwrap_err().to_string();
    let expected = "add: shapes [2, 3] and [2, 2] do not broadcast together";
    assert!(error.starts_with(expected), "{error}");
}

/// An array that a kernel computes, and beside it what lies in memory: a vector of numbers, a box, a vector of whole numbers.
#[differentiable]
fn arrays_and_vectors(
    x: &Array<f64>,
    s: f64,
) -> (Array<f64>, (Vec<f64>, Box<f64>), (Vec<usize>, Array<f64>)) {
    let y = x.sin() * s;
    let total = y.sum().to_scalar();
    let numbers = vec![s * total, total];
    let shape = x.shape().to_vec();
    (y.cos(), (numbers, Box::new(s * s)), (shape, y))
}

#[test]
fn arrays_are_returned_beside_vectors() {
    for debug in [false, true] {
        let context = Context::builder().device(Device::cpu()).debug(debug);
        let context = context.build().unwrap();
        let x = x64(&Device::cpu());
        test_rule::<arrays_and_vectors>(&context, (&x, 0.7)).unwrap();
        let rule = context.build_rrule::<arrays_and_vectors>().unwrap();
        let (y, (numbers, s2), (shape, z)) = rule.value((&x, 0.7)).unwrap();
        assert_eq!(shape, x.shape());
        assert_eq!((numbers[0], *s2), (0.7 * numbers[1], 0.7 * 0.7));
        assert_eq!(y.to_vec().unwrap(), z.cos().to_vec().unwrap());
    }
}

/// Nothing moves what is computed of no elements, in forward mode either.
#[differentiable]
fn of_none(x: &Array<f64>, s: f64) -> f64 {
    x.slice(0..0).prod().to_scalar() * s
}

/// No column is far enough from the diagonal for the greatest and the least number.
#[differentiable]
fn whole_triangles(x: &Array<f64>, s: f64) -> Array<f64> {
    let lower = x.tril(i32::MIN) + x.tril(i32::MAX) * 2.0;
    let upper = x.triu(i32::MIN) * 3.0 + x.triu(i32::MAX) * 4.0;
    ((lower + upper) * x).sum() * s
}

#[test]
fn limits_of_reductions_and_triangles_are_right() {
    let x = x64(&Device::cpu());
    let debug = Context::builder().device(Device::cpu()).debug(true);
    for ctx in [on(Device::cpu()), debug.build().unwrap()] {
        test_rule::<of_none>(&ctx, (&x, 1.5)).unwrap_or_else(|error| panic!("{error}"));
        test_rule::<whole_triangles>(&ctx, (&x, 1.5)).unwrap_or_else(|error| panic!("{error}"));
    }
    let squares = x.to_vec().unwrap().iter().map(|x| x * x).sum::<f64>();
    let found = whole_triangles(&x, 1.0).item().unwrap();
    assert!((found - 5.0 * squares).abs() < 1e-12);
}

#[differentiable]
fn counted(x: &Array<f64>, n: usize) -> Array<f64> {
    Array::<f64>::arange(n).sum() + x.sum()
}
#[differentiable]
fn identity(x: &Array<f64>, n: usize) -> Array<f64> {
    Array::eye(n).sum() + x.sum()
}
#[differentiable]
fn classes(x: &Array<f64>, n: usize) -> Array<f64> {
    x.gt(0.0).to_u32().one_hot(n).to_f64().sum() + x.sum()
}
#[differentiable]
fn spread(x: &Array<f64>, n: usize) -> Array<f64> {
    x.broadcast_to([n, n, 2, 3]).sum()
}

/// Arrays for which there is no memory are errors, and the next call works.
#[test]
fn new_arrays_that_are_too_large_are_errors() {
    // Natively, new arrays are on the default device.
    let device = Device::from_env().unwrap();
    let (x, ctx) = (x64(&device), on(device));
    macro_rules! too_large {
        ($function:ident, $n:expr, $message:literal) => {
            let rule = ctx.build_rrule::<$function>().unwrap();
            for n in $n {
                let native = $function(&x, n).error().unwrap().to_string();
                let compiled = rule.value_and_gradient((&x, n)).unwrap_err().to_string();
                for error in [native, compiled] {
                    assert!(
                        error.contains($message),
                        "{}: {error}",
                        stringify!($function)
                    );
                }
                let (y, _) = rule.value_and_gradient((&x, 3)).unwrap();
                let expected = $function(&x, 3).item().unwrap();
                assert!((y.item().unwrap() - expected).abs() < 1e-12);
            }
        };
    }
    too_large!(counted, [1 << 45, 1 << 50], "out of memory");
    too_large!(identity, [1 << 23, 1 << 25], "out of memory");
    too_large!(classes, [1 << 46, 1 << 50], "out of memory");
    too_large!(
        spread,
        [usize::MAX, 1 << 61, 1 << 32],
        "more elements than memory has addresses"
    );
}

/// Numbers that are added to parts of a product: of a product whose elements a GPU may go on computing with as they are made.
#[differentiable]
fn parts_of_a_product(x: &Array<f64>, w: &Array<f64>) -> Array<f64> {
    x.matmul(w) + Array::full([1, 4], x.sum().to_scalar()).pad(0, 1, 1)
}
#[differentiable]
fn rows_and_a_product(x: &Array<f64>, w: &Array<f64>) -> f64 {
    let row = x.matmul(w).index_axis(0, 2).sum().to_scalar();
    row + x.index_axis(0, 0).sum().to_scalar() + (w.slice((1, 1)) * 3.0).to_scalar()
}

#[test]
fn parts_of_products_are_the_same_on_every_device() {
    let numbers = |device: &Device, rows: usize| {
        let data = (0..4 * rows).map(|n| (n * 37 % 23) as f64 / 16.0 - 0.5);
        Array::from_vec_on(device, data.collect(), [rows, 4])
    };
    let found = devices().into_iter().map(|device| {
        let (x, w) = (numbers(&device, 3), numbers(&device, 4));
        let ctx = on(device);
        let sum = ctx.build_rrule::<parts_of_a_product>().unwrap();
        let rows = ctx.build_rrule::<rows_and_a_product>().unwrap();
        let value = sum.value((&x, &w)).unwrap().to_vec().unwrap();
        let (_, (dx, dw)) = rows.value_and_gradient((&x, &w)).unwrap();
        [value, dx.to_vec().unwrap(), dw.to_vec().unwrap()]
    });
    let found: Vec<[Vec<f64>; 3]> = found.collect();
    let w = numbers(&Device::cpu(), 4).sum_axis(1).to_vec().unwrap();
    let ones = [1.0; 4];
    let expected: Vec<f64> = [&ones[..], &[0.0; 4], &w].concat();
    assert_eq!(found[0][1], expected);
    for other in &found {
        assert_eq!(other, &found[0]);
    }
}

/// What is computed from an array has no derivative, except where the program does not come to.
#[differentiable]
fn counted_or_summed(w: &Array<f64>, most: f64) -> f64 {
    let v = w * 0.5;
    let n = v.gt(0.0).to_f64().sum().to_scalar() + v.floor().sum().to_scalar();
    if n > most { v.sum().to_scalar() } else { n }
}
#[differentiable]
fn perfect_or_uncertain(w: &Array<f64>) -> Array<f64> {
    let p = w.map(|v| 1.0 / (1.0 + (-v).exp()));
    let accuracy = p.gt(0.5).to_f64().mean();
    if accuracy.to_scalar() == 1.0 {
        return accuracy;
    }
    -(p.ln()).mean()
}
/// A product that is written twice, with a branch after it that uses one of the two.
#[differentiable]
fn written_twice(x: &Array<f64>, w: &Array<f64>) -> f64 {
    let _unused = w.matmul(w) * 0.5;
    let place = w.argmax_keep(1).to_f64().sum().to_scalar();
    let b = w.matmul(w) * 0.5;
    if place > 1.0 {
        x.matmul(w).tanh().sum().to_scalar() + b.sin().sum().to_scalar()
    } else {
        x.sum().to_scalar()
    }
}

#[test]
fn derivatives_that_no_way_gives_are_zero() {
    for debug in [false, true] {
        let builder = Context::builder().device(Device::cpu()).debug(debug);
        let ctx = builder.build().unwrap();
        let array = |data: &[f64]| Array::from_vec_on(&Device::cpu(), data.to_vec(), [data.len()]);
        test_rule::<counted_or_summed>(&ctx, (&array(&[0.3, -0.4]), 100.0)).unwrap();
        test_rule::<counted_or_summed>(&ctx, (&array(&[0.3, -0.4]), -2.0)).unwrap();
        test_rule::<perfect_or_uncertain>(&ctx, (&array(&[0.5, 0.7]),)).unwrap();
        test_rule::<perfect_or_uncertain>(&ctx, (&array(&[0.5, -0.7]),)).unwrap();
        let matrix = |rows: usize| {
            let data = (0..4 * rows).map(|n| (n * 37 % 23) as f64 / 16.0 - 0.5);
            Array::from_vec_on(&Device::cpu(), data.collect(), [rows, 4])
        };
        test_rule::<written_twice>(&ctx, (&matrix(3), &matrix(4))).unwrap();
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Masked {
    weights: Array<f64>,
    mask: Array<f64>,
}
/// Of the arrays in lists some have a gradient that does not move, others have none.
#[differentiable]
#[allow(clippy::ptr_arg)]
fn of_lists(m: &Vec<Array<f64>>, layers: &Vec<Masked>, more: &[Option<Array<f64>>; 2]) -> f64 {
    let mut sum = (&m[0] * &m[0]).sum().to_scalar() + m[1].sum().to_scalar();
    for layer in layers {
        sum += layer.weights.sin().sum().to_scalar();
    }
    if let Some(last) = &more[0] {
        sum += last.sum().to_scalar();
    }
    sum
}

#[test]
fn hessian_products_of_lists_of_arrays_have_zeros() {
    let ctx = on(Device::cpu());
    let array = |x: f64| Array::from_vec_on(&Device::cpu(), vec![x, 2.0 * x], [2]);
    let (m, zero) = (vec![array(0.5), array(1.5), array(2.5)], array(0.0));
    let layers = vec![Masked {
        weights: array(0.25),
        mask: array(1.0),
    }];
    let more = [Some(array(3.0)), None];
    let args = (&m, &layers, &more);
    let rule = ctx.build_rrule::<of_lists>().unwrap();
    let (_, gradient) = rule.value_and_gradient(args).unwrap();
    assert_eq!(gradient.1[0].mask, zero);
    let hvp = ctx.build_hvp::<of_lists>().unwrap();
    let (_, again, products) = hvp.value_gradient_and_hvp(args, gradient.clone()).unwrap();
    assert_eq!(again, gradient);
    let doubled = &gradient.0[0] * 2.0;
    assert_eq!(products.0, [doubled, zero.clone(), zero.clone()]);
    let bent = -layers[0].weights.sin() * &gradient.1[0].weights;
    let difference = (&products.1[0].weights - bent).abs().amax().to_scalar();
    assert!(difference < 1e-15, "{difference}");
    assert_eq!(products.1[0].mask, zero);
    assert_eq!(products.2, [Some(zero), None]);
}

/// Constants that a function makes of lists of its own.
#[non_differentiable]
fn weight(n: usize) -> f64 {
    let v = [1.0, 2.0];
    v.iter().sum::<f64>() * n as f64
}
#[non_differentiable]
fn noise(x: &Array<f64>) -> Array<f64> {
    let mut v = x.to_vec().unwrap();
    v.reverse();
    let small = v.iter().filter(|v| v.abs() < 1.0).count();
    Array::from_vec(v.iter().map(|v| v * small as f64).collect(), [v.len()])
}
#[differentiable]
fn weighted(x: &Array<f64>) -> f64 {
    weight(x.len()) * (noise(x) * x).sum().to_scalar()
}

/// Methods of arrays as values.
#[differentiable]
fn as_values(x: &Array<f64>, which: usize) -> f64 {
    let sine: Box<dyn Fn(&Array<f64>) -> Array<f64>> = Box::new(Array::sin);
    let sum: fn(&Array<f64>) -> Array<f64> = Array::<f64>::sum;
    if which == 0 {
        sum(&sine(x)).to_scalar()
    } else {
        sum(x).to_scalar()
    }
}

#[test]
fn constants_and_values_are_what_they_are_natively() {
    let ctx = on(Device::cpu());
    let x = Array::from_vec_on(&Device::cpu(), vec![0.5, -2.0, 0.25], [3]);
    let rule = ctx.build_rrule::<weighted>().unwrap();
    let (value, (gradient,)) = rule.value_and_gradient((&x,)).unwrap();
    assert_eq!(value, 76.5);
    assert_eq!(gradient.to_vec().unwrap(), [4.5, -36.0, 9.0]);
    test_rule::<as_values>(&ctx, (&x, 0usize)).unwrap();
    test_rule::<as_values>(&ctx, (&x, 1usize)).unwrap();
}

#[differentiable]
fn sum_of_slices(x: &Array<f32>, b: &Array<f32>) -> f32 {
    let mut sum = x.sum();
    for row in 0..b.dim(0) {
        sum = (b.slice(row) - b.slice(0)).sum() + sum;
    }
    sum.to_scalar()
}
#[differentiable]
fn sum_unless_empty(x: &Array<f32>, b: &Array<f32>, n: usize) -> f32 {
    let (mut sum, mut i) = (x.clone(), 0);
    while !b.is_empty() && i < n {
        sum = b.slice(0).sum() * x.matmul(x).sum() + sum;
        i += 1;
    }
    sum.sum().to_scalar()
}
#[differentiable]
fn sum_until_empty(x: &Array<f32>, b: &Array<f32>, n: usize) -> f32 {
    let mut sum = x.clone();
    for _ in 0..n {
        if b.dim(0) == 0 {
            break;
        }
        sum = b.slice(0).sum() + sum;
    }
    sum.sum().to_scalar()
}

/// What is the same in all iterations is not computed where there is none: it may not be possible.
#[test]
fn loops_without_iterations_compute_nothing() {
    for device in devices() {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let x = Array::from_vec_on(&device, vec![1.0_f32, 2.0, 3.0], [3]);
        let none = Array::from_vec_on(&device, Vec::<f32>::new(), [0, 2]);
        let ones = [1.0_f32; 3];
        let rule = ctx.build_rrule::<sum_of_slices>().unwrap();
        let (value, (dx, db)) = rule.value_and_gradient((&x, &none)).unwrap();
        assert_eq!((value, dx.to_vec().unwrap()), (6.0, ones.to_vec()));
        assert_eq!(db.shape(), [0, 2]);
        macro_rules! check {
            ($($f:ident)*) => {$(
                let rule = ctx.build_rrule::<$f>().unwrap();
                let (value, (dx, _, ())) = rule.value_and_gradient((&x, &none, 3)).unwrap();
                assert_eq!((value, dx.to_vec().unwrap()), (6.0, ones.to_vec()), "{}", stringify!($f));
                let rule = ctx.build_frule::<$f>().unwrap();
                let tangents = (&x, &none, ());
                let (value, derivative) =
                    rule.value_and_derivative((&x, &none, 3), tangents).unwrap();
                assert_eq!((value, derivative), (6.0, 6.0), "{}", stringify!($f));
            )*};
        }
        check! { sum_unless_empty sum_until_empty }
    }
}
