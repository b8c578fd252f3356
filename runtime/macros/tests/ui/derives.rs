//! What `#[derive(Differentiable)]` does not read.
use mooncake::Differentiable;

#[derive(Clone, Copy, Differentiable)]
union Bits {
    float: f64,
    bits: u64,
}

#[derive(Differentiable)]
struct Matrix<const N: usize>([f64; N]);

fn main() {}
