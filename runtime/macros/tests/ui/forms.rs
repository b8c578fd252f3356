//! Forms of expressions, patterns and types that are not read.
use mooncake::differentiable;

macro_rules! number {
    () => {
        f64
    };
}
macro_rules! pair {
    ($a:ident, $b:ident) => {
        ($a, $b)
    };
}

#[allow(non_camel_case_types)]
#[derive(Clone, Copy)]
struct f16(u16);

#[differentiable]
fn in_macros(x: f64) -> f64 {
    let y: number!() = x;
    let pair!(a, b) = (x, y);
    a * b
}

#[differentiable]
fn raw(x: f64) -> f64 {
    let _p = &raw const x;
    x
}

#[differentiable]
fn unstable(x: f64) -> f64 {
    let _y: Option<f64> = try { x };
    x
}

#[differentiable]
fn half(_x: f16) -> f64 {
    1.0_f16 as f64
}

fn main() {}
