//! Structs are described by the derive macro.
use mooncake::differentiable;

struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
fn made(x: f64) -> f64 {
    let p = Point { x, y: x };
    p.x * p.y
}

#[differentiable]
fn taken(_p: Point) -> f64 {
    1.0
}

#[differentiable]
fn given(x: f64) -> Point {
    loop {}
}

#[differentiable]
struct NotAFunction {
    x: f64,
}

fn main() {}
