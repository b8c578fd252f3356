//! Methods are read in a differentiable `impl`.
use mooncake::{differentiable, non_differentiable};

struct Scale(f64);

impl Scale {
    #[differentiable]
    fn apply(&self, x: f64) -> f64 {
        self.0 * x
    }
}

#[differentiable]
impl Scale {
    fn not_described(&self) -> f64 {
        self.0
    }
}

#[differentiable]
impl f64x2 {
    fn prints(&self) {
        println!("{}", self.0);
    }
    unsafe fn trusted(&self) {}
    #[differentiable(fast)]
    fn fast(&self) {}
}

#[allow(non_camel_case_types)]
struct f64x2(f64, f64);

#[non_differentiable]
impl Scale {
    fn whole_impl(&self) {}
}

#[differentiable]
trait Shape {
    fn area(&self) -> f64;
    async fn later(&self) -> f64;
}

#[differentiable]
trait Area {
    fn area(&self, scale: f64) -> f64;
}

#[differentiable]
impl<T: Area> Area for std::rc::Rc<T> {
    fn area(&self, scale: f64) -> f64 {
        2.0 * (**self).area(scale)
    }
}

#[differentiable]
impl<T: Area> Area for &T {
    fn area(&self, scale: f64) -> f64 {
        (**self).area(scale)
    }
}

fn main() {}
