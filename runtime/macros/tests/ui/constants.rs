//! Constants are numbers, and lists and tuples of numbers.
use mooncake::{Float, differentiable};

struct Limits {
    low: f64,
}

const LIMITS: Limits = Limits { low: 0.0 };

trait Scaled {
    const SCALE: f64;
}

#[differentiable]
fn of_a_struct(x: f64) -> f64 {
    x * LIMITS.low
}

#[differentiable]
fn of_a_parameter<T: Float + Scaled>(x: T) -> T {
    x * T::from_f64(T::SCALE) * T::from_f64(<T as Scaled>::SCALE)
}

fn main() {}
