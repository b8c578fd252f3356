//! What an extern block may declare.
use mooncake::differentiable;

#[differentiable]
extern "pack" {
    fn gelu(x: f32) -> f64;
    fn softmax(x: &[f32]) -> f32;
    static LIMIT: f32;
    fn sigmoid<T>(x: T) -> T;
    fn swish(_: f32) -> f32;
}

#[differentiable]
extern "C" {
    fn j0(x: f64) -> f64;
}

fn main() {}
