//! Constants are numbers, and lists and tuples of numbers.
use mooncake::differentiable;

struct Limits {
    low: f64,
}

const LIMITS: Limits = Limits { low: 0.0 };

#[differentiable]
fn of_a_struct(x: f64) -> f64 {
    x * LIMITS.low
}

fn main() {}
