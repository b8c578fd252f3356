//! Reverse gives NaN: what a loop does not compute has no partial derivatives either.

use super::*;

pub const CASE: Case = Case { seed: 0, args: Args { x: [0.31, -0.72, 0.45, 0.18], u: [0.52, -0.13, 0.64], a: -0.37, n: 1 }, along: Args { x: [0.2, 0.7, -0.4, 0.9], u: [0.6, -0.8, 0.3], a: 0.5, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], a: f64, n: usize) -> f64 {
    for i in 1..n {
        u[0] += x[i] * a.abs().sqrt();
        if a > 0.0 {
            u[0] += x[i] * a.sqrt();
        }
    }
    for i in 4..n {
        u[1] += x[i] * a.ln();
    }
    u[0] + u[1]
}
