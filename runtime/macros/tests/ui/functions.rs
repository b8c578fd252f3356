//! What is no ordinary function is refused.
use mooncake::{differentiable, non_differentiable};

#[differentiable]
async fn later(x: f64) -> f64 {
    x
}

#[differentiable]
unsafe fn trusted(x: f64) -> f64 {
    x
}

#[differentiable]
extern "C" fn foreign(x: f64) -> f64 {
    x
}

#[differentiable(fast)]
fn with_arguments(x: f64) -> f64 {
    x
}

#[differentiable(overlay)]
fn without_a_name(x: f64) -> f64 {
    x
}

#[non_differentiable]
struct NoFunction;

fn main() {}
