//! Patterns are not supported yet.
use mooncake::differentiable;

#[differentiable]
fn with_match(x: f64, n: usize) -> f64 {
    match n {
        0 => x,
        _ => x * x,
    }
}

#[differentiable]
fn with_if_let(x: f64, n: usize) -> f64 {
    if let 0 = n { x } else { x * x }
}

#[differentiable]
fn with_let_else(x: f64, n: usize) -> f64 {
    let 0 = n else {
        return x;
    };
    x * x
}

fn main() {}
