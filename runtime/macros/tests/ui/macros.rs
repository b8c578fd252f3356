//! Only macros that are known.
use mooncake::differentiable;
use std::fmt::Write;

macro_rules! double {
    ($x:expr) => {
        2.0 * $x
    };
}

#[differentiable]
fn prints(x: f64) -> f64 {
    let mut text = String::new();
    let _ = write!(text, "{x}");
    x
}

#[differentiable]
fn reads(x: f64) -> f64 {
    let _ = env!("CARGO_PKG_NAME");
    double!(x)
}

fn main() {}
