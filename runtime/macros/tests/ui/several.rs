//! All refusals of a function are reported at once.
use mooncake::differentiable;

#[differentiable]
fn several(x: &Vec<f64>, n: usize) -> f64 {
    let _ = env!("CARGO_PKG_NAME");
    let f = std::convert::identity;
    let squares = x.iter().map(|v| v * v);
    match n {
        0 => squares.sum(),
        _ => unsafe { *x.as_ptr() },
    }
}

fn main() {}
