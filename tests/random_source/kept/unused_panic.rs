//! The primal gives 1, expected a panic: a loop whose results nobody uses may panic nevertheless.

use super::*;

pub const CASE: Case = Case { seed: 0, args: Args { x: [0.31, -0.72, 0.45, 0.18], u: [0.52, -0.13, 0.64], a: -0.37, n: 1 }, along: Args { x: [0.2, 0.7, -0.4, 0.9], u: [0.6, -0.8, 0.3], a: 0.5, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], _u: &mut [f64], _a: f64, _n: usize) -> f64 {
    let unused = |_x: f64| 0.5;
    unused(x.iter().map(|&v| root(v).unwrap()).sum::<f64>()) + unused(1.5)
}
