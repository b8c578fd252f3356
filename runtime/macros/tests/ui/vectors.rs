//! Memory comes from outside.
use mooncake::differentiable;

#[differentiable]
fn grown(x: f64) -> f64 {
    let mut v = vec![x];
    v.push(x);
    v[0]
}

#[differentiable]
fn fixed(x: f64) -> f64 {
    let a = [x, x * x];
    a[0] + a[1]
}

#[differentiable]
fn taken(x: &Vec<f64>) -> f64 {
    x[0]
}

#[differentiable]
fn given(_x: f64) -> Vec<f64> {
    loop {}
}

fn main() {}
