//! Functions of the standard library that are not known.
use mooncake::differentiable;

#[differentiable]
fn sizes(x: f64) -> f64 {
    x * std::mem::size_of::<f64>() as f64
}

#[differentiable]
fn as_value(x: f64) -> f64 {
    let f = core::convert::identity::<f64>;
    std::hint::spin_loop();
    f(x)
}

/// It is not that of the operator.
trait Neg {
    fn neg(&self) -> f64;
}
impl Neg for f64 {
    fn neg(&self) -> f64 {
        *self
    }
}
#[differentiable]
fn a_trait_called_like_one_of_std(x: f64) -> f64 {
    Neg::neg(&x)
}

fn main() {}
