//! Only assertions and panics.
use mooncake::differentiable;

#[differentiable]
fn prints(x: f64) -> f64 {
    println!("{x}");
    dbg!(x);
    x
}

#[differentiable]
fn text(x: f64) -> f64 {
    let _s = "text";
    x
}

fn main() {}
