//! What is no ordinary function is refused.
use mooncake::differentiable;

#[differentiable]
fn generic<T: Copy>(x: T) -> T {
    x
}

#[differentiable]
fn sized<const N: usize>(x: f64) -> f64 {
    x
}

#[differentiable]
async fn later(x: f64) -> f64 {
    x
}

#[differentiable]
unsafe fn trusted(x: f64) -> f64 {
    x
}

#[differentiable]
extern "C" fn foreign(x: f64) -> f64 {
    x
}

#[differentiable]
fn never(_x: f64) -> ! {
    loop {}
}

#[differentiable(fast)]
fn with_arguments(x: f64) -> f64 {
    x
}

fn main() {}
