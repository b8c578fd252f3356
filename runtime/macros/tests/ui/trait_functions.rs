//! A function of a trait is called as a method.
use mooncake::differentiable;

#[differentiable]
trait Shape {
    fn area(&self) -> f64;
}

#[differentiable]
fn called<T: Shape>(s: &T) -> f64 {
    Shape::area(s)
}

fn main() {}
