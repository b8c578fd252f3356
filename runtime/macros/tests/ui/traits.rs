//! Traits that are not differentiable, and functions called by their trait.
use mooncake::differentiable;

trait Shape {
    fn area(&self) -> f64;
}

impl Shape for f64 {
    fn area(&self) -> f64 {
        *self
    }
}

#[differentiable]
fn dynamic(s: &dyn Shape) -> f64 {
    s.area()
}

#[differentiable(blanket)]
fn no_trait(x: f64) -> f64 {
    x
}

fn main() {}
