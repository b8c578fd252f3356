//! Array operations in normal form.

use mooncake::prelude::*;

// A layer, with a closure and a function that are mapped.
// stage: normal
#[differentiable]
pub fn layer(x: &Array<f32>, w: &Array<f32>, slope: f32) -> Array<f32> {
    let h = x.matmul(w) * 2.0 + 1.0;
    let limit = 0.5;
    let h = h.map(|v| if v > limit { v } else { slope * v });
    h.map(square).sum_axis(1).reshape([2, 1])
}

#[differentiable]
fn square(x: f32) -> f32 {
    x * x
}
// => fn @layer(%0: array<f32>, %1: array<f32>, %2: f32) -> array<f32> {
// => b0:
// =>     %3: array<f32> = call @matmul(%0, %1)
// =>     %4: f32 = 2.0
// =>     %5: f32 = 1.0
// =>     %6: f32 = 0.5
// =>     %7: array<f32> = map @layer.map0(%3, %2)
// =>     %8: usize = 1
// =>     %9: array<f32> = call @sum_axis(%7, %8)
// =>     %10: usize = 2
// =>     %11: usize = 16
// =>     %12: usize = 0
// =>     %13: () = ()
// =>     %14: (usize, usize) = tuple %10, %8
// =>     %15: array<f32> = call @reshape(%9, %14)
// =>     return %15
// => }
// =>
// => fn @layer.map0(%0: f32, %1: f32) -> f32 {
// => b0:
// =>     %2: f32 = 2.0
// =>     %3: f32 = mul %0, %2
// =>     %4: f32 = 1.0
// =>     %5: f32 = add %3, %4
// =>     %6: f32 = 0.5
// =>     %7: bool = gt %5, %6
// =>     branch %7, b1, b2
// => b1:
// =>     jump b3(%5)
// => b2:
// =>     %8: f32 = mul %1, %5
// =>     jump b3(%8)
// => b3(%9: f32):
// =>     %10: f32 = mul %9, %9
// =>     return %10
// => }
