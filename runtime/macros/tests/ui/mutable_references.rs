//! A number has one name.
use mooncake::differentiable;

#[differentiable]
fn to_a_variable(x: f64) -> f64 {
    let mut s = x;
    let r = &mut s;
    *r *= 2.0;
    s
}

#[differentiable]
fn to_an_element(x: &mut [f64]) {
    let r = &mut x[0];
    *r *= 2.0;
}

#[differentiable]
fn as_a_parameter(x: &mut f64) {
    *x *= 2.0;
}

fn main() {}
