//! Methods and operators of traits that are not differentiable, where rustc finds them and inference could not: they are never taken for others.
use mooncake::__private::Array;
use mooncake::differentiable;

trait Total {
    fn sum(self) -> f64;
    fn max_axis(self, axis: usize) -> f64;
}
impl Total for Array<f64> {
    fn sum(self) -> f64 {
        3.0
    }
    fn max_axis(self, _: usize) -> f64 {
        3.0
    }
}

#[differentiable]
fn by_value(x: Array<f64>, y: Array<f64>) -> f64 {
    x.sum() + y.max_axis(0)
}

trait Product {
    fn mul(self, by: f64) -> f64;
}
impl Product for f64 {
    fn mul(self, by: f64) -> f64 {
        self - by
    }
}

#[differentiable]
fn as_a_value(x: f64) -> f64 {
    [x, 2.0].iter().copied().fold(1.0, f64::mul)
}

mod other {
    pub trait Add {
        fn add(self, by: f64) -> f64;
    }
    impl Add for f64 {
        fn add(self, by: f64) -> f64 {
            self - by
        }
    }
}
use other::Add;

#[differentiable]
fn called_like_that_of_std(x: f64) -> f64 {
    [x, 2.0].iter().copied().fold(1.0, Add::add)
}

fn main() {}
