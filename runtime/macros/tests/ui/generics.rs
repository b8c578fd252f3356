//! Const parameters are lengths of lists that are passed.
use mooncake::{Differentiable, differentiable};

#[differentiable]
fn value<const N: usize>(x: f64) -> f64 {
    x * N as f64
}

#[differentiable]
fn list<const N: usize>(x: [f64; N]) -> f64 {
    let y = [0.0; N];
    y[0] + x[0]
}

#[differentiable]
fn argument(x: &[f64]) -> f64 {
    x.as_chunks::<2>().0[0][0]
}

struct Matrix<const N: usize>([f64; N]);

#[differentiable]
impl<const N: usize> Matrix<N> {
    fn trace(&self) -> f64 {
        self.0[0]
    }
}

#[derive(Differentiable)]
struct Pair<T>(T, T);

#[differentiable]
fn missing_arguments(x: f64) -> f64 {
    let p: Pair = Pair(x, x);
    p.0
}

fn main() {}
