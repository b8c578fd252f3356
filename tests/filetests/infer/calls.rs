//! Calls in normal form.

use mooncake::prelude::*;

// Tuples, and a call that is inlined.
// stage: normal
#[differentiable]
pub fn calls_pair(x: f64) -> f64 {
    let (a, b) = pair(x);
    a - b
}
// => fn @calls_pair(%0: f64) -> f64 {
// => b0:
// =>     %1: f64 = 2.0
// =>     %2: f64 = mul %1, %0
// =>     %3: f64 = sub %2, %0
// =>     return %3
// => }
// ---
// A tuple that is returned.
// stage: normal
#[differentiable]
pub fn pair(x: f64) -> (f64, f64) {
    let p = (x, 2.0 * x);
    (p.1, p.0)
}
// => fn @pair(%0: f64) -> (f64, f64) {
// => b0:
// =>     %1: f64 = 2.0
// =>     %2: f64 = mul %1, %0
// =>     %3: (f64, f64) = tuple %2, %0
// =>     return %3
// => }
// ---
// A function that calls itself.
// stage: normal
#[differentiable]
pub fn recursive_sum(x: &[f64]) -> f64 {
    if x.is_empty() {
        0.0
    } else {
        x[0] + recursive_sum(&x[1..])
    }
}
// => fn @recursive_sum(%0: [f64]) -> f64 {
// => b0:
// =>     %1: usize = len %0
// =>     %2: usize = 0
// =>     %3: bool = eq %1, %2
// =>     branch %3, b1, b2
// => b1:
// =>     %4: f64 = 0.0
// =>     jump b3(%4)
// => b2:
// =>     %5: usize = 0
// =>     %6: usize = len %0
// =>     %7: bool = lt %5, %6
// =>     assert %7 else index(%5, %6)
// =>     %9: f64 = load %0, %5
// =>     %10: usize = len %0
// =>     %11: usize = 1
// =>     %12: bool = le %11, %10
// =>     assert %12 else slice(%11, %10, %10)
// =>     %14: usize = sub %10, %11
// =>     %15: [f64] = subslice %0, %11, %14
// =>     %16: f64 = call @recursive_sum(%15)
// =>     %17: f64 = add %9, %16
// =>     jump b3(%17)
// => b3(%18: f64):
// =>     return %18
// => }
// ---
// A mutable slice that is passed for a shared one.
// stage: normal
#[differentiable]
pub fn sum_of_mutable(x: &mut [f64]) -> f64 {
    recursive_sum(x)
}
// => fn @sum_of_mutable(%0: [mut f64]) -> f64 {
// => b0:
// =>     %1: f64 = call @"recursive_sum#1"(%0)
// =>     return %1
// => }
// =>
// => fn @"recursive_sum#1"(%0: [mut f64]) -> f64 known_as @recursive_sum {
// => b0:
// =>     %1: usize = len %0
// =>     %2: usize = 0
// =>     %3: bool = eq %1, %2
// =>     branch %3, b1, b2
// => b1:
// =>     %4: f64 = 0.0
// =>     jump b3(%4)
// => b2:
// =>     %5: usize = 0
// =>     %6: usize = len %0
// =>     %7: bool = lt %5, %6
// =>     assert %7 else index(%5, %6)
// =>     %9: f64 = load %0, %5
// =>     %10: usize = len %0
// =>     %11: usize = 1
// =>     %12: bool = le %11, %10
// =>     assert %12 else slice(%11, %10, %10)
// =>     %14: usize = sub %10, %11
// =>     %15: [mut f64] = subslice %0, %11, %14
// =>     %16: f64 = call @"recursive_sum#1"(%15)
// =>     %17: f64 = add %9, %16
// =>     jump b3(%17)
// => b3(%18: f64):
// =>     return %18
// => }
