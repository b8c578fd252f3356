//! Raw pointers cannot be differentiated.
use mooncake::differentiable;

static mut COUNT: usize = 0;

#[differentiable]
fn counts(x: f64) -> f64 {
    unsafe {
        COUNT += 1;
    }
    x
}

#[differentiable]
fn through_a_pointer(_x: *const f64) -> f64 {
    1.0
}

fn main() {}
