//! An overlay is called with the parameters' names.
use mooncake::differentiable;

#[differentiable]
fn first((a, _): (f64, f64)) -> f64 {
    a
}

#[differentiable(overlay = first)]
fn unreadable((a, _b): (f64, f64)) -> f64 {
    let _ = env!("CARGO_PKG_NAME");
    a
}

fn main() {}
