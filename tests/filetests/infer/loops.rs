//! Loops in normal form.

use mooncake::prelude::*;

// A counted loop.
// stage: normal
#[differentiable]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * y[i];
    }
    s
}
// => fn @dot(%0: [f64], %1: [f64]) -> f64 {
// => b0:
// =>     %2: f64 = 0.0
// =>     %3: usize = 0
// =>     %4: usize = len %0
// =>     jump b1(%3, %2)
// => b1(%5: usize, %6: f64):
// =>     %7: bool = lt %5, %4
// =>     branch %7, b2, b3
// => b2:
// =>     %8: usize = len %0
// =>     %9: bool = lt %5, %8
// =>     assert %9 else index(%5, %8)
// =>     %11: f64 = load %0, %5
// =>     %12: usize = len %1
// =>     %13: bool = lt %5, %12
// =>     assert %13 else index(%5, %12)
// =>     %15: f64 = load %1, %5
// =>     %16: f64 = mul %11, %15
// =>     %17: f64 = add %6, %16
// =>     %18: usize = 1
// =>     %19: usize = add %5, %18
// =>     jump b1(%19, %17)
// => b3:
// =>     return %6
// => }
// ---
// A loop that counts down.
// stage: normal
#[differentiable]
pub fn downwards(n: u32) -> u32 {
    let mut s = 0;
    for i in (1..=n).rev() {
        s ^= i;
    }
    s
}
// => fn @downwards(%0: u32) -> u32 {
// => b0:
// =>     %1: u32 = 0
// =>     %2: u32 = 1
// =>     %3: bool = le %2, %0
// =>     %4: i64 = 1
// =>     %5: i64 = cast %0
// =>     %6: i64 = sub %5, %4
// =>     %7: usize = cast %6
// =>     %8: usize = 0
// =>     %9: usize = 1
// =>     %10: usize = add %7, %9
// =>     %11: usize = select %3, %10, %8
// =>     jump b1(%11, %1)
// => b1(%12: usize, %13: u32):
// =>     %14: bool = gt %12, %8
// =>     branch %14, b2, b3
// => b2:
// =>     %15: usize = 1
// =>     %16: usize = sub %12, %15
// =>     %17: u32 = cast %16
// =>     %18: u32 = add %2, %17
// =>     %19: u32 = xor %13, %18
// =>     %20: usize = 1
// =>     %21: usize = sub %12, %20
// =>     jump b1(%21, %19)
// => b3:
// =>     return %13
// => }
// ---
// A loop whose condition is a value.
// stage: normal
#[differentiable]
pub fn halving(x: f64) -> f64 {
    let mut x = x;
    while x > 1.0 {
        x *= 0.5;
    }
    x
}
// => fn @halving(%0: f64) -> f64 {
// => b0:
// =>     jump b1(%0)
// => b1(%1: f64):
// =>     %2: f64 = 1.0
// =>     %3: bool = gt %1, %2
// =>     branch %3, b2, b3
// => b2:
// =>     %4: f64 = 0.5
// =>     %5: f64 = mul %1, %4
// =>     jump b1(%5)
// => b3:
// =>     return %1
// => }
// ---
// Places that a loop writes to.
// stage: normal
#[differentiable]
pub fn scale_in_place(y: &mut [f32]) {
    for v in y {
        *v *= 2.0;
    }
}
// => fn @scale_in_place(%0: [mut f32]) -> () {
// => b0:
// =>     %1: usize = len %0
// =>     %2: usize = 0
// =>     jump b1(%2)
// => b1(%3: usize):
// =>     %4: bool = lt %3, %1
// =>     branch %4, b2, b3
// => b2:
// =>     %5: f32 = 2.0
// =>     %6: f32 = load %0, %3
// =>     %7: f32 = mul %6, %5
// =>     store %0, %3, %7
// =>     %9: usize = 1
// =>     %10: usize = add %3, %9
// =>     jump b1(%10)
// => b3:
// =>     %11: () = ()
// =>     return %11
// => }
