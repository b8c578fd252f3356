//! What may stand in a body.
use mooncake::differentiable;

#[differentiable]
fn items(x: f64) -> f64 {
    if x > 0.0 {
        struct Inner;
        trait Local {}
        impl Local for Inner {}
    }
    x
}

#[differentiable]
fn conditional(x: f64, n: usize) -> f64 {
    #[cfg(feature = "fast")]
    let x = 2.0 * x;
    match n {
        #[cfg(feature = "fast")]
        0 => x,
        _ => x,
    }
}

#[differentiable]
fn asynchronous(x: f64) -> f64 {
    let _ = async { x };
    let _ = async |y: f64| x + y;
    x
}

#[differentiable]
fn letters(x: f64) -> f64 {
    let _ = 'a';
    let _ = b"bytes";
    x
}

#[differentiable]
fn numbers(x: f64) -> f64 {
    let _ = 1_i128;
    let _ = 1e999;
    let _ = 1.00000005960464477539062500001;
    x
}

fn main() {}
