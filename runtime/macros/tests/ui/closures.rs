//! Functions are called by name.
use mooncake::differentiable;

#[differentiable]
fn bound(x: f64) -> f64 {
    let square = |v: f64| v * v;
    square(x)
}

#[differentiable]
fn passed(x: f64, f: impl Fn(f64) -> f64) -> f64 {
    f(x)
}

fn main() {}
