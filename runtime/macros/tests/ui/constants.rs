//! Constants are numbers.
use mooncake::differentiable;

const WEIGHTS: [f64; 2] = [1.0, 2.0];

#[differentiable]
fn weighted(x: f64) -> f64 {
    x * WEIGHTS[0]
}

fn main() {}
