//! Functions, structs and methods that are written for `Array<T>`, for both types of floats.

use mooncake::prelude::*;
use mooncake::testing::test_rule;
use mooncake::{FloatElement, gradient};

#[derive(Clone, Debug, Differentiable)]
enum Activation {
    Tanh,
    Relu,
}

#[derive(Clone, Debug, Differentiable)]
struct Layer<T: FloatElement> {
    weights: Array<T>,
    bias: Array<T>,
    scale: T,
    activation: Activation,
}

#[differentiable]
impl<T: FloatElement> Layer<T> {
    fn apply(&self, x: &Array<T>) -> Array<T> {
        let y = x.matmul(&self.weights) + &self.bias;
        let y = match self.activation {
            Activation::Tanh => y.tanh(),
            Activation::Relu => y.map(|y| y.max(T::zero())),
        };
        y * self.scale
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Network<T: FloatElement> {
    layers: Vec<Layer<T>>,
    offset: Option<Array<T>>,
}

/// What maps arrays to arrays.
#[differentiable]
trait Model<T: FloatElement> {
    fn forward(&self, x: &Array<T>) -> Array<T>;
}

#[differentiable]
impl<T: FloatElement> Model<T> for Network<T> {
    fn forward(&self, x: &Array<T>) -> Array<T> {
        let mut y = x.clone();
        for layer in &self.layers {
            y = layer.apply(&y);
        }
        match &self.offset {
            Some(offset) => y + offset,
            None => y,
        }
    }
}

/// Half of the squared norm, but linear where it is large.
#[differentiable]
fn clipped<T: FloatElement>(x: &Array<T>, limit: T) -> T {
    let norm = (x * x).sum().to_scalar().sqrt();
    if norm > limit {
        limit * (norm - limit * T::from_f64(0.5))
    } else {
        norm * norm / T::from_f64(2.0)
    }
}

#[differentiable]
fn loss<T: FloatElement, M: Model<T>>(model: &M, x: &Array<T>, y: &Array<T>) -> T {
    let found = model.forward(x);
    let mut sum = T::zero();
    for number in found.to_vec().unwrap() {
        sum += number * number.abs();
    }
    let again = Array::from_vec(found.to_vec().unwrap(), found.shape());
    let ones: Array<T> = Array::ones([2, 2]);
    clipped(&(again - y), T::one()) + sum + (ones * found).mean().to_scalar()
}

#[differentiable]
fn network_loss<T: FloatElement>(model: &Network<T>, x: &Array<T>, y: &Array<T>) -> T {
    loss(model, x, y)
}

/// The squares of a gradient, which the program takes itself.
#[differentiable]
fn steepness<T: FloatElement>(x: &Array<T>) -> T {
    let slope = gradient(|x: &Array<T>| clipped(&x.sin(), T::from_f64(0.25)), x);
    (&slope * &slope).sum().to_scalar()
}

fn array<T: FloatElement>(data: &[f64], shape: &[usize]) -> Array<T> {
    let data = data.iter().map(|&x| T::from_f64(x)).collect();
    Array::from_vec(data, shape)
}

fn network<T: FloatElement>() -> Network<T> {
    let layer = |activation| Layer {
        weights: array(&[0.5, 0.3, -0.25, 1.0], &[2, 2]),
        bias: array(&[0.1, -0.2], &[2]),
        scale: T::from_f64(1.5),
        activation,
    };
    Network {
        layers: vec![layer(Activation::Tanh), layer(Activation::Relu)],
        offset: Some(array(&[0.1, 0.2], &[2])),
    }
}

#[test]
fn one_text_serves_both_types() {
    let device = Device::default_device();
    let ctx = Context::builder().device(device.clone()).build().unwrap();
    fn input<T: FloatElement>() -> Array<T> {
        array(&[0.5, 3.0, 0.25, 1.0], &[2, 2])
    }
    fn wanted<T: FloatElement>() -> Array<T> {
        array(&[1.0, 1.0, 0.0, 0.0], &[2, 2])
    }
    let (wide, single) = (&network::<f64>(), &network::<f32>());
    // On other devices a fused sum is added in another order than the native one.
    if !device.is_gpu() {
        test_rule::<network_loss<f64>>(&ctx, (wide, &input(), &wanted())).unwrap();
        test_rule::<network_loss<f32>>(&ctx, (single, &input(), &wanted())).unwrap();
        test_rule::<clipped<f64>>(&ctx, (&input(), 9.0)).unwrap();
    }
    let rule = ctx.build_rrule::<steepness<f64>>().unwrap();
    let x = input::<f64>();
    let (_, (slope,)) = rule.value_and_gradient((&x,)).unwrap();
    let step = &slope * 1e-6;
    let [after, before] = [&x + &step, &x - &step].map(|x| rule.value((&x,)).unwrap());
    let difference = (after - before) / 2e-6 - (&slope * &slope).sum().to_scalar();
    assert!(difference.abs() < 1e-8, "{difference}");

    let rule = ctx.build_rrule::<network_loss<f64>>().unwrap();
    let of_wide = rule
        .value_and_gradient((wide, &input(), &wanted()))
        .unwrap();
    let rule = ctx.build_rrule::<network_loss<f32>>().unwrap();
    let of_single = rule
        .value_and_gradient((single, &input(), &wanted()))
        .unwrap();
    assert!((of_wide.0 - f64::from(of_single.0)).abs() < 1e-5);
    let weights = |layers: Vec<f64>| layers.iter().sum::<f64>();
    let wide = of_wide.1.0.layers[0].weights.to_vec().unwrap();
    let single = of_single.1.0.layers[0].weights.to_vec().unwrap();
    let difference = weights(wide) - weights(single.into_iter().map(f64::from).collect());
    assert!(difference.abs() < 1e-4, "{difference}");
}
