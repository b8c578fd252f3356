//! Iterators stand in the head of a loop.
use mooncake::differentiable;

#[differentiable]
fn chain(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

#[differentiable]
fn zipped(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for (a, b) in x.iter().zip(y) {
        s += a * b;
    }
    s
}

#[differentiable]
fn backwards(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x.iter().rev() {
        s = s * 0.5 + v;
    }
    s
}

#[differentiable]
fn endless(x: f64) -> f64 {
    let mut s = x;
    for i in 0.. {
        s *= 0.5;
        if i > 10 {
            break;
        }
    }
    s
}

fn main() {}
