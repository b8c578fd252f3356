//! Array programs in few kernels: how many there are, and that they give what the operations give one by one (a debug context).

use mooncake::prelude::*;
use mooncake::testing::{Ran, kernels_run};

#[differentiable]
fn cosexp(x: &Array<f64>) -> f64 {
    x.exp().cos().sum().to_scalar()
}

#[differentiable]
fn chain(x: &Array<f64>) -> f64 {
    let y = (x * 1.01 + 0.5).sin();
    let y = (&y * &y + 1.0).sqrt();
    let y = (y - x).tanh();
    let y = (y * 0.5).exp();
    let y = &y / (&y + 1.0);
    let y = (y + 0.1).ln();
    let y = (y * x).cos();
    (y * 2.0 - 1.0).sum().to_scalar()
}

#[differentiable]
fn layer_norm(x: &Array<f64>, g: &Array<f64>, b: &Array<f64>) -> f64 {
    let n = x.dim(1) as f64;
    let c = x - &(x.sum_axis(1) / n).expand_dims(1);
    let v = ((&c * &c).sum_axis(1) / n + 1e-5).sqrt().expand_dims(1);
    let y = c / v * g + b;
    (&y * &y).sum().to_scalar()
}

#[differentiable]
fn cross_entropy(x: &Array<f64>, p: &Array<f64>) -> f64 {
    -(x.log_softmax(1) * p).sum().to_scalar()
}

#[differentiable]
fn softmax_of_columns(x: &Array<f64>, w: &Array<f64>) -> f64 {
    (x.softmax(0) * w).sum().to_scalar()
}

#[differentiable]
fn log_sum_exp(x: &Array<f64>, g: &Array<f64>) -> f64 {
    ((x.exp() * 2.0 + 1.0).sum_axis(1).ln() * g)
        .sum()
        .to_scalar()
}

#[differentiable]
fn two_layers(x: &Array<f64>, w: &Array<f64>, b: &Array<f64>, v: &Array<f64>) -> f64 {
    let h = (x.matmul(w) + b).tanh();
    let y = h.matmul(v);
    (&y * &y).mean().to_scalar()
}

#[differentiable]
fn turned(x: &Array<f64>, y: &Array<f64>) -> f64 {
    let z = x.t() * y;
    (z.sum_axis(0) * x.max_axis(1)).sum().to_scalar() * z.mean().to_scalar()
}

#[differentiable]
fn repeated(x: &Array<f64>, y: &Array<f64>) -> f64 {
    let z = (x + &y.exp()).reshape([6, 2]);
    let mut s = z.narrow(0, 1, 4).sum_axis(1).flip(0).sum();
    for n in 0..3 {
        s = (s * z.index_axis(0, n).sum()).sin();
    }
    s.to_scalar()
}

fn array(shape: &[usize], seed: usize) -> Array<f64> {
    let count: usize = shape.iter().product();
    let data = (0..count).map(|n| ((n * 37 + seed * 11) % 101) as f64 / 50.0 - 1.0);
    Array::from_vec_on(&Device::cpu(), data.collect(), shape)
}

/// How many kernels there were, and what else.
#[derive(Default, PartialEq, Debug)]
struct Count {
    kernels: usize,
    operations: Vec<String>,
}

impl Count {
    fn of(ran: &[Ran]) -> Count {
        let others = ran.iter().filter(|ran| !ran.is_kernel());
        Count {
            kernels: ran.iter().filter(|ran| ran.is_kernel()).count(),
            operations: others
                .map(|ran| ran.to_string().trim().to_owned())
                .collect(),
        }
    }
    /// At most so many kernels, and nothing else.
    #[track_caller]
    fn is_at_most(&self, kernels: usize) {
        let few = (1..=kernels).contains(&self.kernels);
        assert!(few && self.operations.is_empty(), "{self:?}");
    }
}

/// Value and gradients in a plain context, twice, are those of a debug context; gives what ran.
macro_rules! kernels {
    ($function:ident, $($argument:expr),+) => {{
        let plain = Context::builder().device(Device::cpu()).build().unwrap();
        let debug = Context::builder().device(Device::cpu()).debug(true).build().unwrap();
        let one_by_one = debug.build_rrule::<$function>().unwrap();
        let rule = plain.build_rrule::<$function>().unwrap();
        let (expected, gradients) = one_by_one.value_and_gradient(($(&$argument,)+)).unwrap();
        let mut count = Count::default();
        for _ in 0..2 {
            let (done, ran) = kernels_run(|| rule.value_and_gradient(($(&$argument,)+)));
            let (value, found) = done.unwrap();
            assert!((value - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{value} instead of {expected}");
            let all = |gradient: &_| -> Vec<f64> { numbers(gradient) };
            let (found, wanted) = (all(&found), all(&gradients));
            let scale = wanted.iter().fold(1.0f64, |a, x| a.max(x.abs()));
            for (n, (a, b)) in found.iter().zip(&wanted).enumerate() {
                assert!((a - b).abs() <= 1e-12 * scale, "element {n}: {a} instead of {b}");
            }
            count = Count::of(&ran);
        }
        count
    }};
}

/// All numbers of a gradient.
fn numbers<G: Gradient>(gradient: &G) -> Vec<f64> {
    gradient.numbers()
}

trait Gradient {
    fn numbers(&self) -> Vec<f64>;
}

macro_rules! gradients {
    ($($name:ident)+) => {
        impl Gradient for ($(gradients!(@ty $name),)+) {
            fn numbers(&self) -> Vec<f64> {
                #[allow(non_snake_case)]
                let ($($name,)+) = self;
                [$($name.to_vec().unwrap()),+].concat()
            }
        }
    };
    (@ty $name:ident) => { Array<f64> };
}
gradients!(A);
gradients!(A B);
gradients!(A B C);
gradients!(A B C D);

#[test]
fn elementwise_gradients_are_one_kernel() {
    kernels!(cosexp, array(&[1000], 1)).is_at_most(1);
    kernels!(chain, array(&[1001], 1)).is_at_most(1);
    kernels!(chain, array(&[30, 1, 7], 1)).is_at_most(1);
    // Enough for several threads.
    kernels!(cosexp, array(&[300, 1000], 1)).is_at_most(1);
}

#[test]
fn normalised_rows_stay_in_a_kernel() {
    let (x, g, b) = (array(&[33, 20], 1), array(&[20], 2), array(&[20], 3));
    kernels!(layer_norm, x, g, b).is_at_most(2);
    kernels!(cross_entropy, array(&[17, 9], 1), array(&[17, 9], 2)).is_at_most(3);
    kernels!(log_sum_exp, array(&[9, 31], 1), array(&[9], 2)).is_at_most(3);
    kernels!(softmax_of_columns, array(&[9, 31], 1), array(&[9, 31], 2)).is_at_most(3);
}

#[test]
fn between_matrix_products_are_few_kernels() {
    let (x, w, b, v) = (
        array(&[8, 5], 1),
        array(&[5, 7], 2),
        array(&[7], 3),
        array(&[7, 3], 4),
    );
    let count = kernels!(two_layers, x, w, b, v);
    assert!((1..=4).contains(&count.kernels), "{count:?}");
    let is_product = |name: &String| name.starts_with("operation matmul");
    assert_eq!(count.operations.len(), 6, "{count:?}");
    assert!(count.operations.iter().all(is_product), "{count:?}");
}

#[test]
fn views_and_loops_are_right() {
    kernels!(turned, array(&[4, 6], 1), array(&[6, 4], 2));
    kernels!(repeated, array(&[3, 4], 1), array(&[4], 2));
    kernels!(repeated, array(&[3, 4], 1), array(&[1, 1], 2));
}

#[test]
fn what_does_not_fit_is_said_as_ever() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let rule = ctx.build_rrule::<turned>().unwrap();
    for _ in 0..2 {
        let error = rule
            .value_and_gradient((&array(&[4, 6], 1), &array(&[4, 6], 2)))
            .unwrap_err();
        assert!(error.to_string().contains("[6, 4] and [4, 6]"), "{error}");
        rule.value_and_gradient((&array(&[4, 6], 1), &array(&[6, 4], 2)))
            .unwrap();
    }
}

#[test]
fn kernels_can_be_seen() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let text = ctx.kernels::<cosexp>((&array(&[1000], 1),)).unwrap();
    assert!(
        text.starts_with("kernel rows 1 columns 1000\n  input f64 steps 0 1\n"),
        "{text}"
    );
    assert!(text.contains("bytes 16016, operations "), "{text}");
}

#[differentiable]
fn reshaped(x: &Array<f64>) -> f64 {
    (x.exp().reshape([6, 2]) * 2.0).sum().to_scalar()
}

/// The extents of a shape are numbers, not an object: what is before and after is one cluster.
#[test]
fn a_shape_is_no_object() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let normal = ctx.primal_ir::<reshaped>().unwrap();
    assert!(!normal.contains("alloc"), "{normal}");
    kernels!(reshaped, array(&[3, 4], 1)).is_at_most(3);
}
