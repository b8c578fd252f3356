//! The loop has so many turns that what unrolling it would take overflowed.

use super::*;

pub const CASE: Case = Case { seed: 37, args: Args { x: [0.3292167561535372, -0.5057969479127324, -0.48208610956802284, -0.6866044941097258], u: [0.4487333819082032, -0.41811464798760833, 0.8651875447981728], a: 0.9223026764423455, n: 0 }, along: Args { x: [-0.38259707603081056, -0.17085776793017599, -0.48369541206292566, -0.010206444285343386], u: [0.14651151433450188, 0.949134823605778, -0.5496218023135352], a: -0.5407743123101412, n: 0 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    for p20 in u[1..].iter_mut() {
        let mut v20 = *p20;
        *p20 = renewed(x, 0i64);
    }
    0.5
}
