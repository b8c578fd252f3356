//! What is called is differentiable.
use mooncake::differentiable;

#[differentiable]
fn generic_call(x: f64) -> f64 {
    std::convert::identity::<f64>(x)
}

#[differentiable]
fn qualified(x: f64) -> f64 {
    <f64 as Clone>::clone(&x)
}

fn main() {}
