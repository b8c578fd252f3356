//! Results are values.
use mooncake::differentiable;

#[differentiable]
fn part(x: &[f64]) -> &[f64] {
    &x[1..]
}

#[differentiable]
fn fallible(x: Result<f64, String>) -> f64 {
    x?
}

fn main() {}
