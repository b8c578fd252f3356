//! Bounds of products that no integer holds.

use super::*;

pub const CASE: Case = Case { seed: 0, args: Args { x: [0.31, -0.72, 0.45, 0.18], u: [0.52, -0.13, 0.64], a: -0.37, n: 1 }, along: Args { x: [0.2, 0.7, -0.4, 0.9], u: [0.6, -0.8, 0.3], a: 0.5, n: 0 }, singles: false };

#[differentiable]
pub fn program(_x: &[f64], _u: &mut [f64], a: f64, n: usize) -> f64 {
    let m = n as i64;
    if m * (n as i64) == n as i64 { a } else { 0.5 }
}
