//! A slice of a vector on each way around a decided branch.

use super::*;

pub const CASE: Case = Case { seed: 0, args: Args { x: [0.31, -0.72, 0.45, 0.18], u: [0.52, -0.13, 0.64], a: -0.37, n: 1 }, along: Args { x: [0.2, 0.7, -0.4, 0.9], u: [0.6, -0.8, 0.3], a: 0.5, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], _u: &mut [f64], a: f64, n: usize) -> f64 {
    let mut v = vec![a, x[1]];
    let o = Some(a);
    if n > 2 {
        while let Some(_last) = v.pop() {}
        v.push(0.25);
    }
    let m = match o {
        Some(b) => b * 0.5,
        None => 0.5,
    };
    for p in v.iter_mut() {
        *p *= m;
    }
    v[0]
}
