//! Structs and enums are not supported yet.
use mooncake::differentiable;

struct Point {
    x: f64,
    y: f64,
}

struct Wrapper(f64);

#[differentiable]
fn made(x: f64) -> f64 {
    let p = Point { x, y: x };
    p.x * p.y
}

#[differentiable]
fn wrapped(x: f64) -> f64 {
    Wrapper(x).0
}

#[differentiable]
struct NotAFunction {
    x: f64,
}

fn main() {}
