//! What is no type of the language is named.
use mooncake::differentiable;

struct Point {
    x: f64,
}

#[differentiable]
fn of_struct(_p: Point) -> f64 {
    1.0
}

#[differentiable]
fn of_tuples(_x: &[(f64, f64)]) -> f64 {
    1.0
}

fn main() {}
