//! The branch in `swapped` hangs on the last bit, `a > a.sqrt() * a.sqrt()`: differences of the native function are those of neither side.

use super::*;

pub const CASE: Case = Case { seed: 1031351, args: Args { x: [-0.33485167015479994, 0.3311567969149568, -0.8144560320257453, -0.26950693852584023], u: [0.3998973864838577, -0.55149561191474, 0.13964340854917398], a: 0.04575914662633632, n: 3 }, along: Args { x: [0.9015946998117705, -0.20388048226495115, 0.8338271725929112, 0.24089844265865457], u: [0.06344389671090686, 0.7798172625401338, 0.3658211339521418], a: 0.6818484606002909, n: 2 }, singles: false };

#[differentiable]
pub fn program(x: &[f64], u: &mut [f64], mut a: f64, mut n: usize) -> f64 {
    let mut v22 = swapped(a, both(a, a).unwrap_or(a));
    v22.1
}
