//! Gradients of array functions: each operation with its pullback, against differences, on every device of this machine.
//!
//! Every function exists for f32 and f64. Differences are taken natively, in f64, where they are good to 1e-8; the derived gradients of
//! both types and on all devices must agree with them. Weights `w` give each element of a result a cotangent of its own.
//! Without a GPU adapter the GPU's half says so on stderr; with `MOONCAKE_REQUIRE_GPU=1` it fails instead.

use mooncake::Const;
use mooncake::Element;
use mooncake::prelude::*;

macro_rules! functions {
    ($t:ident) => {
        #[differentiable]
        pub fn add(x: &Array<$t>, y: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            ((x + y) * w).sum()
        }
        #[differentiable]
        pub fn sub(x: &Array<$t>, y: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            ((x - y) * w).sum()
        }
        #[differentiable]
        pub fn mul(x: &Array<$t>, y: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x * y * w).sum()
        }
        #[differentiable]
        pub fn div(x: &Array<$t>, y: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x / y * w).sum()
        }
        #[differentiable]
        pub fn maximum(x: &Array<$t>, y: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.max(y) * w).sum()
        }
        #[differentiable]
        pub fn power(x: &Array<$t>, y: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.powf(y) * w).sum()
        }
        #[differentiable]
        pub fn matmul(x: &Array<$t>, y: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.matmul(y) * w).sum()
        }
        #[differentiable]
        pub fn matmul_of_transposes(x: &Array<$t>, y: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.t().matmul(&y.t()) * w).sum()
        }
        #[differentiable]
        pub fn shared(x: &Array<$t>, y: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            let h = x * y;
            ((&h + x) * (&h - y) * w).sum() + h.sum() * x.sum()
        }
        #[differentiable]
        pub fn layers(x: &Array<$t>, y: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            let mut h = x + 0.0;
            for _ in 0..3 {
                h = h.matmul(y).tanh();
            }
            (h * w).sum()
        }
        #[differentiable]
        pub fn unused(x: &Array<$t>, _y: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x * w).sum()
        }

        #[differentiable]
        pub fn scalars(x: &Array<$t>, s: $t, w: &Array<$t>) -> Array<$t> {
            (((x + s) * s - x / s) * w).sum()
        }
        #[differentiable]
        pub fn scalars_left(x: &Array<$t>, s: $t, w: &Array<$t>) -> Array<$t> {
            (((s - x) * (s * x) + s / x) * w).sum()
        }
        #[differentiable]
        pub fn captures(x: &Array<$t>, s: $t, w: &Array<$t>) -> Array<$t> {
            let k = s * 0.5;
            (x.map(|v| v * v * s + (k * v).sin()) * w).sum()
        }
        #[differentiable]
        pub fn branches(x: &Array<$t>, s: $t, w: &Array<$t>) -> Array<$t> {
            (x.map(|v| if v > 1.4 { v.ln() * s } else { v * v * v }) * w).sum()
        }
        #[differentiable]
        pub fn nested_maps(x: &Array<$t>, s: $t, w: &Array<$t>) -> Array<$t> {
            (x.map(|v| v.exp()).map(|v| v.cos() * s).map(|v| v * v) * w).sum()
        }
        #[differentiable]
        pub fn repeated(x: &Array<$t>, s: $t, w: &Array<$t>) -> Array<$t> {
            let mut h = x * s;
            for i in 0..4 {
                if i % 2 == 0 {
                    h = h.sin() + x;
                } else {
                    h *= s;
                }
            }
            (h * w).sum()
        }

        #[differentiable]
        pub fn negate(x: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (-x * w).sum()
        }
        #[differentiable]
        pub fn transpose(x: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.t() * w).sum()
        }
        #[differentiable]
        pub fn reshape(x: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.t().reshape([3, 4]) * w).sum()
        }
        #[differentiable]
        pub fn sum(x: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.sum() * w).sum()
        }
        #[differentiable]
        pub fn mean(x: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.mean() * w).mean()
        }
        #[differentiable]
        pub fn sum_axis_0(x: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.sum_axis(0) * w).sum()
        }
        #[differentiable]
        pub fn sum_axis_1(x: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.sum_axis(1) * w).sum()
        }
        #[differentiable]
        pub fn max_axis_0(x: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.max_axis(0) * w).sum()
        }
        #[differentiable]
        pub fn max_axis_1(x: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.max_axis(1) * w).sum()
        }
        #[differentiable]
        pub fn softmax_0(x: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.softmax(0) * w).sum()
        }
        #[differentiable]
        pub fn softmax_1(x: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.softmax(1) * w).sum()
        }
        #[differentiable]
        pub fn log_softmax_0(x: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.log_softmax(0) * w).sum()
        }
        #[differentiable]
        pub fn log_softmax_1(x: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.log_softmax(1) * w).sum()
        }

        #[differentiable]
        pub fn gather_0(x: &Array<$t>, index: &Array<u32>, w: &Array<$t>) -> Array<$t> {
            (x.gather(0, index) * w).sum()
        }
        #[differentiable]
        pub fn gather_1(x: &Array<$t>, index: &Array<u32>, w: &Array<$t>) -> Array<$t> {
            (x.gather(1, index) * w).sum()
        }
    };
}

/// Scalar functions as methods, each a map, with the interval to sample.
macro_rules! elementwise {
    ($t:ident: $($name:ident)*) => {$(
        #[differentiable]
        pub fn $name(x: &Array<$t>, w: &Array<$t>) -> Array<$t> {
            (x.$name() * w).sum()
        }
    )*};
}

mod single {
    use mooncake::prelude::*;
    functions!(f32);
    pub mod maps {
        use mooncake::prelude::*;
        elementwise!(f32: abs sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan sinh cosh tanh
            asinh acosh atanh recip);
    }
}

mod double {
    use mooncake::prelude::*;
    functions!(f64);
    pub mod maps {
        use mooncake::prelude::*;
        elementwise!(f64: abs sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan sinh cosh tanh
            asinh acosh atanh recip);
    }
}

/// An argument of a function: shape and elements. A scalar has no dimensions.
#[derive(Clone)]
struct Plain {
    shape: Vec<usize>,
    data: Vec<f64>,
}

impl Plain {
    /// Elements spread over an interval without order; no two of an array are closer than its length allows.
    fn within(shape: &[usize], low: f64, high: f64, seed: usize) -> Plain {
        let count: usize = shape.iter().product();
        let step = |n: usize| ((n * 7919 + seed * 31) % 1009) as f64 / 1009.0;
        let data = (0..count).map(|n| f64::from((low + (high - low) * step(n)) as f32));
        Plain {
            shape: shape.to_vec(),
            data: data.collect(),
        }
    }
    fn double(&self, device: &Device) -> Array<f64> {
        Array::from_vec_on(device, self.data.clone(), &self.shape)
    }
    fn single(&self, device: &Device) -> Array<f32> {
        let data = self.data.iter().map(|&x| x as f32).collect();
        Array::from_vec_on(device, data, &self.shape)
    }
}

fn weights(shape: &[usize]) -> Plain {
    Plain::within(shape, -1.0, 1.5, 77)
}

/// The contexts to test: on the CPU, and on the GPU if there is one.
fn contexts() -> Vec<Context> {
    let on = |device| Context::builder().device(device).build().unwrap();
    match Device::gpu() {
        Ok(gpu) => vec![on(Device::cpu()), on(gpu)],
        Err(error) => {
            let required = std::env::var("MOONCAKE_REQUIRE_GPU").is_ok_and(|v| v == "1");
            assert!(!required, "MOONCAKE_REQUIRE_GPU=1, but: {error}");
            eprintln!("not tested on a GPU: {error}");
            vec![on(Device::cpu())]
        }
    }
}

/// Value and gradients, flat.
type Found = (f64, Vec<Vec<f64>>);

/// Compares derived gradients with differences of the native function. `derived` tries f32 (`true`) or f64.
fn check(
    name: &str,
    arguments: &[Plain],
    native: &dyn Fn(&[Array<f64>]) -> Array<f64>,
    derived: &dyn Fn(&Context, bool) -> mooncake::Result<Found>,
) {
    let cpu = Device::cpu();
    let value = |arguments: &[Plain]| {
        let arrays: Vec<Array<f64>> = arguments.iter().map(|p| p.double(&cpu)).collect();
        native(&arrays)
            .item()
            .unwrap_or_else(|e| panic!("{name}, native: {e}"))
    };
    let slope = |which: usize, n: usize| {
        let h = 1e-5;
        let moved = |by: f64| {
            let mut arguments = arguments.to_vec();
            arguments[which].data[n] += by;
            value(&arguments)
        };
        (8.0 * (moved(h) - moved(-h)) - (moved(2.0 * h) - moved(-2.0 * h))) / (12.0 * h)
    };
    for ctx in contexts() {
        for (single, tolerance) in [(true, 3e-4), (false, 1e-7)] {
            let what = format!(
                "{name}, {} on {}",
                if single { "f32" } else { "f64" },
                ctx.device()
            );
            let (found, gradients) =
                derived(&ctx, single).unwrap_or_else(|e| panic!("{what}: {e}"));
            near(
                &format!("{what}: the value"),
                found,
                value(arguments),
                tolerance,
            );
            assert_eq!(gradients.len(), arguments.len(), "{what}");
            for (which, gradient) in gradients.iter().enumerate() {
                assert_eq!(
                    gradient.len(),
                    arguments[which].data.len(),
                    "{what}: argument {which}"
                );
                for (n, &g) in gradient.iter().enumerate() {
                    let place = format!("{what}: argument {which}, element {n}");
                    near(&place, g, slope(which, n), tolerance);
                }
            }
        }
    }
}

fn near(what: &str, found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs() / expected.abs().max(1.0);
    assert!(
        error <= tolerance,
        "{what}: found {found}, expected {expected}"
    );
}

/// An array's elements; its shape must be the argument's.
fn flat<T: Element + Into<f64>>(array: &Array<T>, like: &Plain) -> mooncake::Result<Vec<f64>> {
    let data = array.to_vec()?;
    assert_eq!(
        array.shape(),
        like.shape,
        "a gradient has the shape of its argument"
    );
    Ok(data.into_iter().map(Into::into).collect())
}

fn one<T: Element + Into<f64>>(array: &Array<T>) -> mooncake::Result<f64> {
    array.item().map(Into::into)
}

/// A function of arrays only.
macro_rules! of_arrays {
    ($($path:ident)::+; $x:expr, $w:expr) => {{
        let p = [$x, $w];
        check(
            stringify!($($path)::+),
            &p,
            &|a| double::$($path)::+(&a[0], &a[1]),
            &|ctx, single| match single {
                true => {
                    let [x, w] = p.each_ref().map(|p| p.single(ctx.device()));
                    let rule = ctx.build_rrule::<single::$($path)::+>()?;
                    let (y, (dx, dw)) = rule.value_and_gradient((&x, &w))?;
                    Ok((one(&y)?, vec![flat(&dx, &p[0])?, flat(&dw, &p[1])?]))
                }
                false => {
                    let [x, w] = p.each_ref().map(|p| p.double(ctx.device()));
                    let rule = ctx.build_rrule::<double::$($path)::+>()?;
                    let (y, (dx, dw)) = rule.value_and_gradient((&x, &w))?;
                    Ok((one(&y)?, vec![flat(&dx, &p[0])?, flat(&dw, &p[1])?]))
                }
            },
        );
    }};
    ($name:ident; $x:expr, $y:expr, $w:expr) => {{
        let p = [$x, $y, $w];
        check(
            stringify!($name),
            &p,
            &|a| double::$name(&a[0], &a[1], &a[2]),
            &|ctx, single| match single {
                true => {
                    let [x, y, w] = p.each_ref().map(|p| p.single(ctx.device()));
                    let rule = ctx.build_rrule::<single::$name>()?;
                    let (v, (dx, dy, dw)) = rule.value_and_gradient((&x, &y, &w))?;
                    Ok((one(&v)?, vec![flat(&dx, &p[0])?, flat(&dy, &p[1])?, flat(&dw, &p[2])?]))
                }
                false => {
                    let [x, y, w] = p.each_ref().map(|p| p.double(ctx.device()));
                    let rule = ctx.build_rrule::<double::$name>()?;
                    let (v, (dx, dy, dw)) = rule.value_and_gradient((&x, &y, &w))?;
                    Ok((one(&v)?, vec![flat(&dx, &p[0])?, flat(&dy, &p[1])?, flat(&dw, &p[2])?]))
                }
            },
        );
    }};
}

/// A function of an array, a scalar and weights.
macro_rules! with_scalar {
    ($name:ident; $x:expr, $s:expr, $w:expr) => {{
        let s: f64 = $s;
        let p = [
            $x,
            Plain {
                shape: vec![],
                data: vec![s],
            },
            $w,
        ];
        check(
            stringify!($name),
            &p,
            &|a| match a[1].item() {
                Ok(s) => double::$name(&a[0], s, &a[2]),
                Err(_) => a[1].clone(),
            },
            &|ctx, single| match single {
                true => {
                    let (x, w) = (p[0].single(ctx.device()), p[2].single(ctx.device()));
                    let rule = ctx.build_rrule::<single::$name>()?;
                    let (v, (dx, ds, dw)) = rule.value_and_gradient((&x, s as f32, &w))?;
                    Ok((
                        one(&v)?,
                        vec![flat(&dx, &p[0])?, vec![ds.into()], flat(&dw, &p[2])?],
                    ))
                }
                false => {
                    let (x, w) = (p[0].double(ctx.device()), p[2].double(ctx.device()));
                    let rule = ctx.build_rrule::<double::$name>()?;
                    let (v, (dx, ds, dw)) = rule.value_and_gradient((&x, s, &w))?;
                    Ok((
                        one(&v)?,
                        vec![flat(&dx, &p[0])?, vec![ds], flat(&dw, &p[2])?],
                    ))
                }
            },
        );
    }};
}

/// A function of an array, an index and weights.
macro_rules! with_index {
    ($name:ident; $x:expr, $index:expr, $shape:expr) => {{
        let p = [$x, weights(&$shape)];
        let index = |device: &Device| Array::<u32>::from_vec_on(device, $index, $shape);
        check(
            stringify!($name),
            &p,
            &|a| double::$name(&a[0], &index(&Device::cpu()), &a[1]),
            &|ctx, single| match single {
                true => {
                    let [x, w] = p.each_ref().map(|p| p.single(ctx.device()));
                    let rule = ctx.build_rrule::<single::$name>()?;
                    let (v, (dx, (), dw)) =
                        rule.value_and_gradient((&x, &index(ctx.device()), &w))?;
                    Ok((one(&v)?, vec![flat(&dx, &p[0])?, flat(&dw, &p[1])?]))
                }
                false => {
                    let [x, w] = p.each_ref().map(|p| p.double(ctx.device()));
                    let rule = ctx.build_rrule::<double::$name>()?;
                    let (v, (dx, (), dw)) =
                        rule.value_and_gradient((&x, &index(ctx.device()), &w))?;
                    Ok((one(&v)?, vec![flat(&dx, &p[0])?, flat(&dw, &p[1])?]))
                }
            },
        );
    }};
}

fn x(shape: &[usize]) -> Plain {
    Plain::within(shape, -2.0, 2.0, 1)
}

fn positive(shape: &[usize]) -> Plain {
    Plain::within(shape, 0.5, 2.5, 2)
}

#[test]
fn operators_and_their_broadcasts() {
    type Case<'a> = (&'a [usize], &'a [usize], &'a [usize]);
    let cases: &[Case] = &[
        (&[], &[], &[]),
        (&[2, 3], &[2, 3], &[2, 3]),
        (&[2, 3], &[3], &[2, 3]),
        (&[3], &[2, 3], &[2, 3]),
        (&[2, 1], &[1, 3], &[2, 3]),
        (&[1, 1], &[2, 3], &[2, 3]),
        (&[], &[2, 1, 3], &[2, 2, 3]),
        (&[2, 3], &[2, 3], &[3]),
    ];
    for &(left, right, out) in cases {
        of_arrays!(add; x(left), positive(right), weights(out));
        of_arrays!(sub; x(left), positive(right), weights(out));
        of_arrays!(mul; x(left), positive(right), weights(out));
        of_arrays!(div; x(left), positive(right), weights(out));
        of_arrays!(maximum; x(left), positive(right), weights(out));
        of_arrays!(power; Plain::within(left, 0.3, 2.0, 9), positive(right), weights(out));
    }
}

#[test]
fn scalars_on_either_side() {
    for shape in [&[][..], &[5], &[3, 4]] {
        with_scalar!(scalars; x(shape), 1.7, weights(shape));
        with_scalar!(scalars_left; positive(shape), -0.6, weights(shape));
        of_arrays!(negate; x(shape), weights(shape));
    }
}

#[test]
fn maps_with_captures_and_branches() {
    for shape in [&[][..], &[7], &[3, 4]] {
        with_scalar!(captures; x(shape), 1.3, weights(shape));
        with_scalar!(branches; positive(shape), 0.8, weights(shape));
        with_scalar!(nested_maps; x(shape), -1.1, weights(shape));
    }
}

#[test]
fn loops_and_branches_around_arrays() {
    with_scalar!(repeated; x(&[3, 2]), 0.9, weights(&[3, 2]));
    with_scalar!(repeated; x(&[2]), 0.9, weights(&[3, 2]));
    of_arrays!(layers; x(&[2, 3]), x(&[3, 3]), weights(&[2, 3]));
    of_arrays!(shared; x(&[2, 3]), positive(&[2, 3]), weights(&[2, 3]));
    of_arrays!(shared; x(&[2, 3]), positive(&[3]), weights(&[2, 3]));
    of_arrays!(unused; x(&[4]), x(&[2, 2]), weights(&[4]));
}

#[test]
fn matrix_products() {
    for (m, k, n) in [(1, 1, 1), (2, 3, 4), (4, 1, 2), (5, 7, 1)] {
        of_arrays!(matmul; x(&[m, k]), positive(&[k, n]), weights(&[m, n]));
        of_arrays!(matmul_of_transposes; x(&[k, m]), positive(&[n, k]), weights(&[m, n]));
    }
}

#[test]
fn views_and_reductions() {
    let shape = &[4, 3];
    of_arrays!(transpose; x(shape), weights(&[3, 4]));
    of_arrays!(reshape; x(shape), weights(&[3, 4]));
    of_arrays!(sum; x(shape), weights(&[2]));
    of_arrays!(mean; x(shape), weights(&[2]));
    of_arrays!(sum_axis_0; x(shape), weights(&[3]));
    of_arrays!(sum_axis_1; x(shape), weights(&[4]));
    of_arrays!(max_axis_0; x(shape), weights(&[3]));
    of_arrays!(max_axis_1; x(shape), weights(&[4]));
    of_arrays!(sum_axis_1; x(&[2, 3, 4]), weights(&[2, 4]));
    of_arrays!(max_axis_1; x(&[2, 3, 4]), weights(&[2, 4]));
}

#[test]
fn softmax_along_each_axis() {
    for shape in [&[4, 3][..], &[1, 5], &[2, 3, 2]] {
        of_arrays!(softmax_0; x(shape), weights(shape));
        of_arrays!(softmax_1; x(shape), weights(shape));
        of_arrays!(log_softmax_0; x(shape), weights(shape));
        of_arrays!(log_softmax_1; x(shape), weights(shape));
    }
}

#[test]
fn gathers_accumulate_at_repeated_indices() {
    with_index!(gather_0; x(&[3, 2]), vec![2, 2, 0, 2, 2, 1, 2, 0], [4, 2]);
    with_index!(gather_1; x(&[2, 4]), vec![3, 3, 3, 0, 0, 1], [2, 3]);
    with_index!(gather_0; x(&[5]), vec![1, 1, 4, 1], [4]);
    with_index!(gather_1; x(&[2, 3, 2]), vec![0, 0, 0, 0, 2, 1, 1, 2], [2, 2, 2]);
}

#[differentiable]
fn layer(x: &Array<f32>, w: &Array<f32>, b: &Array<f32>) -> Array<f32> {
    (x.matmul(w) + b).tanh()
}

#[differentiable]
fn product(x: &Array<f32>, w: &Array<f32>) -> Array<f32> {
    x.matmul(w)
}

#[differentiable]
fn two_results(x: &Array<f32>, s: f32) -> (Array<f32>, Array<f32>) {
    let y = x * s;
    let total = y.sum() * s;
    (y, total)
}

fn dense(device: &Device, shape: &[usize], seed: usize) -> Array<f32> {
    Plain::within(shape, -1.0, 1.0, seed).single(device)
}

#[track_caller]
fn same(found: &Array<f32>, expected: &Array<f32>) {
    let (found, expected) = (found.to_vec().unwrap(), expected.to_vec().unwrap());
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.into_iter().zip(expected) {
        near("an element", a.into(), b.into(), 1e-5);
    }
}

#[test]
fn pullbacks_take_any_cotangent() {
    for ctx in contexts() {
        let device = ctx.device();
        let [x, w, b] =
            [(vec![3, 4], 1), (vec![4, 2], 2), (vec![1, 2], 3)].map(|(s, n)| dense(device, &s, n));
        let rule = ctx.build_rrule::<layer>().unwrap();
        for seed in 4..7 {
            let (y, pullback) = rule.value_and_pullback((&x, &w, &b)).unwrap();
            same(&y, &layer(&x, &w, &b));
            let dy = dense(device, &[3, 2], seed);
            let (dx, dw, db) = pullback(dy.clone());
            let inner = &dy * (1.0 - &y * &y);
            same(&dx, &inner.matmul(&w.t()));
            same(&dw, &x.t().matmul(&inner));
            same(&db, &inner.sum_axis(0));
            assert_eq!(db.shape(), [1, 2]);
        }
    }
}

#[test]
fn several_results_have_several_cotangents() {
    for ctx in contexts() {
        let x = dense(ctx.device(), &[2, 2], 1);
        let rule = ctx.build_rrule::<two_results>().unwrap();
        let ((y, total), pullback) = rule.value_and_pullback((&x, 3.0)).unwrap();
        same(&y, &(&x * 3.0));
        let sum = x.sum().item().unwrap();
        near(
            "total",
            total.item().unwrap().into(),
            (9.0 * sum).into(),
            1e-5,
        );
        // The total is s² Σx.
        let (dx, ds) = pullback((
            dense(ctx.device(), &[2, 2], 2),
            Array::full_on(ctx.device(), [], 2.0),
        ));
        let dy = dense(ctx.device(), &[2, 2], 2);
        same(&dx, &(&dy * 3.0 + 18.0));
        let expected = (&dy * &x).sum().item().unwrap() + 2.0 * 2.0 * 3.0 * sum;
        near("ds", ds.into(), expected.into(), 1e-5);
    }
}

#[test]
fn one_element_of_any_shape_has_a_gradient() {
    for ctx in contexts() {
        let device = ctx.device();
        let [x, w, b] =
            [(vec![1, 3], 1), (vec![3, 1], 2), (vec![1, 1], 3)].map(|(s, n)| dense(device, &s, n));
        let rule = ctx.build_rrule::<layer>().unwrap();
        let (y, (dx, _, db)) = rule.value_and_gradient((&x, &w, &b)).unwrap();
        assert_eq!((y.shape(), db.shape()), (&[1, 1][..], &[1, 1][..]));
        let slope = 1.0 - y.item().unwrap().powi(2);
        same(&dx, &(w.t() * slope));
        let rule = ctx.build_rrule::<product>().unwrap();
        let (_, (dx, dw)) = rule.value_and_gradient((&x, &w)).unwrap();
        same(&dx, &w.t());
        same(&dw, &x.t());
    }
}

/// A cotangent has the shape of the result, also where another one would broadcast.
#[test]
fn cotangents_have_the_shapes_of_results() {
    #[differentiable]
    fn same_and_turned(x: &Array<f32>) -> (Array<f32>, f64, Array<f32>) {
        (x.clone(), 2.0, x.sin().t())
    }
    for ctx in contexts() {
        let device = ctx.device();
        let x = dense(device, &[2, 3], 1);
        let rule = ctx.build_rrule::<same_and_turned>().unwrap();
        let pulled = |first: &[usize], second: &[usize]| {
            let (_, pullback) = rule.pullback((&x,)).unwrap();
            let gradient = pullback.apply((dense(device, first, 2), 1.0, dense(device, second, 3)));
            gradient.map(|(dx,)| dx.shape().to_vec())
        };
        assert_eq!(pulled(&[2, 3], &[3, 2]).unwrap(), [2, 3]);
        for other in [&[][..], &[3], &[1, 3], &[6], &[4, 2, 3]] {
            let error = pulled(other, &[3, 2]).unwrap_err().to_string();
            let expected =
                format!("the cotangent of the result has shape {other:?}; expected shape [2, 3]");
            assert!(error.contains(&expected), "{error}");
        }
        let error = pulled(&[2, 3], &[2, 3]).unwrap_err().to_string();
        let expected = "the cotangent of the result has shape [2, 3]; expected shape [3, 2]";
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn constants_have_no_gradient() {
    for ctx in contexts() {
        let device = ctx.device();
        let [x, w, b] =
            [(vec![1, 3], 1), (vec![3, 1], 2), (vec![1, 1], 3)].map(|(s, n)| dense(device, &s, n));
        let rule = ctx.build_rrule::<layer>().unwrap();
        let (_, (_, all, _)) = rule.value_and_gradient((&x, &w, &b)).unwrap();
        let (_, ((), dw, ())) = rule.value_and_gradient((Const(&x), &w, Const(&b))).unwrap();
        same(&dw, &all);
    }
}

#[test]
fn misfits_are_errors_with_a_place_and_the_next_call_works() {
    for ctx in contexts() {
        let device = ctx.device();
        let [x, w, b] =
            [(vec![3, 4], 1), (vec![4, 2], 2), (vec![2], 3)].map(|(s, n)| dense(device, &s, n));
        let rule = ctx.build_rrule::<layer>().unwrap();
        let error = rule
            .value_and_gradient((&w, &x, &b))
            .unwrap_err()
            .to_string();
        let expected = "matmul: found shapes [4, 2] and [3, 4]: expected matrices with equal inner extents\n  --> tests/array_gradients.rs:";
        assert!(error.starts_with(expected), "{error}");
        let error = rule.value((&x, &w, &x)).unwrap_err().to_string();
        assert!(
            error.contains("shapes [3, 2] and [3, 4] do not broadcast together"),
            "{error}"
        );
        let broken = x.reshape([5]);
        let error = rule.value((&broken, &w, &b)).unwrap_err().to_string();
        assert!(error.starts_with("reshape: found shape [5]"), "{error}");
        let y = rule.value((&x, &w, &b)).unwrap();
        same(&y, &layer(&x, &w, &b));
    }
}

#[test]
fn an_index_out_of_range_is_an_error() {
    for ctx in contexts() {
        let x = dense(ctx.device(), &[3, 2], 1);
        let index = Array::from_vec_on(ctx.device(), vec![0u32, 3], [1, 2]);
        let w = dense(ctx.device(), &[1, 2], 2);
        let rule = ctx.build_rrule::<single::gather_0>().unwrap();
        let error = rule.value((&x, &index, &w)).unwrap_err().to_string();
        assert!(error.starts_with("gather: found index 3"), "{error}");
        assert!(
            error.contains("expected indices below 3, the extent of axis 0\n  --> tests/"),
            "{error}"
        );
        let good = Array::from_vec_on(ctx.device(), vec![0u32, 2], [1, 2]);
        assert!(rule.value((&x, &good, &w)).unwrap().item().is_ok());
    }
}

#[test]
fn arguments_on_two_devices_do_not_mix() {
    for ctx in contexts().into_iter().filter(|ctx| ctx.device().is_gpu()) {
        let x = dense(ctx.device(), &[2, 2], 1);
        let w = dense(&Device::cpu(), &[2, 2], 2);
        let error = ctx
            .build_rrule::<layer>()
            .unwrap()
            .value((&x, &w, &x))
            .unwrap_err();
        assert!(error.to_string().contains("expected one device"), "{error}");
    }
}

#[test]
fn rules_are_shared_between_threads() {
    for ctx in contexts() {
        let rule = ctx.build_rrule::<single::layers>().unwrap();
        let device = ctx.device();
        let work = |seed: usize| {
            let [x, y, w] = [(vec![2, 3], 0), (vec![3, 3], 1), (vec![2, 3], 2)]
                .map(|(s, n)| dense(device, &s, seed + n));
            let (value, (dx, dy, _)) = rule.value_and_gradient((&x, &y, &w)).unwrap();
            [value.to_vec(), dx.to_vec(), dy.to_vec()].map(|found| found.unwrap())
        };
        let alone: Vec<_> = (0..4).map(work).collect();
        let together: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|n| scope.spawn(move || work(n))).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert_eq!(alone, together);
    }
}

/// At a tie no difference exists. The rule must give a subgradient: the cotangent, shared among the greatest.
#[test]
fn ties_of_a_maximum_share_the_cotangent() {
    for ctx in contexts() {
        let x = Array::from_vec_on(ctx.device(), vec![1.0f32, 3.0, 3.0, 2.0, 2.0, 2.0], [2, 3]);
        let w = Array::from_vec_on(ctx.device(), vec![6.0f32, 9.0], [2]);
        let rule = ctx.build_rrule::<single::max_axis_1>().unwrap();
        let (y, (dx, dw)) = rule.value_and_gradient((&x, &w)).unwrap();
        assert_eq!(y.item().unwrap(), 36.0);
        assert_eq!(dw.to_vec().unwrap(), [3.0, 2.0]);
        let dx = dx.to_vec().unwrap();
        let rows: Vec<f32> = dx.chunks(3).map(|row| row.iter().sum()).collect();
        assert_eq!(rows, [6.0, 9.0], "{dx:?}");
        assert!(dx.iter().all(|&g| g >= 0.0) && dx[0] == 0.0, "{dx:?}");
    }
}

/// Every scalar function on an interval inside its domain.
macro_rules! all_maps {
    ($($name:ident in $low:literal..$high:literal;)*) => {$(
        of_arrays!(maps::$name; Plain::within(&[3, 5], $low, $high, 4), weights(&[3, 5]));
    )*};
}

#[test]
fn scalar_functions_as_methods() {
    all_maps! {
        abs in -2.0..1.5;
        sqrt in 0.2..4.0;
        cbrt in 0.2..4.0;
        exp in -3.0..3.0;
        exp2 in -3.0..3.0;
        exp_m1 in -2.0..2.0;
        ln in 0.1..9.0;
        ln_1p in -0.8..9.0;
        log2 in 0.1..9.0;
        log10 in 0.1..9.0;
        sin in -7.0..7.0;
        cos in -7.0..7.0;
        tan in -1.2..1.2;
        asin in -0.9..0.9;
        acos in -0.9..0.9;
        atan in -3.0..3.0;
        sinh in -2.0..2.0;
        cosh in -2.0..2.0;
        tanh in -2.0..2.0;
        asinh in -3.0..3.0;
        acosh in 1.2..4.0;
        atanh in -0.8..0.8;
        recip in 0.4..3.0;
    }
}
