//! Const parameters of types are integers with many values; a `const` block is evaluated before they are known.
use mooncake::{Differentiable, differentiable};

#[derive(Differentiable)]
struct Filter<const WIDE: bool>(f64);

#[differentiable]
impl<const WIDE: bool> Filter<WIDE> {
    fn value(&self) -> f64 {
        self.0
    }
}

#[differentiable]
fn block<const N: usize>(x: f64) -> f64 {
    x * const { 2 * N } as f64
}

#[differentiable]
fn letter<const C: char>(x: f64) -> f64 {
    if C == 'a' { x } else { 0.0 }
}

#[derive(Differentiable)]
struct Pair<T>(T, T);

#[differentiable]
fn missing_arguments(x: f64) -> f64 {
    let p: Pair = Pair(x, x);
    p.0
}

fn main() {}
