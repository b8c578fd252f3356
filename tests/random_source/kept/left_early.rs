//! A loop that may be left early calls a function whose pullback runs iterations again. These pushed onto the tape where the popped record of the loop was still read.

use super::*;

pub const CASE: Case = Case { seed: 386, args: Args { x: [-0.4669016738753545, -0.12419278995623487, -0.18197909663489062, -0.982026249311748], u: [0.28853923658265035, -0.9340007280171775, -0.6427812637209386], a: 0.5868804477319235, n: 1 }, along: Args { x: [0.8137804424629712, -0.47086724996314894, -0.26427103710092376, 0.2706735132383848], u: [0.08056444639389826, -0.9218088193395588, -0.6232458436696283], a: -0.8557126868127108, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v10 = x;
    'l12: for &v12 in v10 {
        stir(u, v12);
        if (0.5 < v12) {
            return v12;
        }
    }
    0.5
}
