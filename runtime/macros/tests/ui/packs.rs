//! What an extern block may declare.
use mooncake::differentiable;

#[differentiable]
extern "pack" {
    fn apply(f: impl Fn(f32) -> f32) -> f32;
    fn first<'a>(x: &'a [f32]) -> &'a f32;
    static LIMIT: f32;
    fn sigmoid<T>(x: T) -> T;
    fn swish(_: f32) -> f32;
    #[pack(gelu)]
    fn gelu(x: f32) -> f32;
}

#[differentiable]
extern "C" {
    fn j0(x: f64) -> f64;
}

fn main() {}
