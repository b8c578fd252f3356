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

fn main() {}
