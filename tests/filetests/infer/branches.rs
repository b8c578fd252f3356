//! Branches in normal form.

use mooncake::prelude::*;

// Branches and returns.
// stage: normal
#[differentiable]
pub fn if_value(x: f64) -> f64 {
    let sign = if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        return 42.0;
    };
    sign * x
}
// => fn @if_value(%0: f64) -> f64 {
// => b0:
// =>     %1: f64 = 0.0
// =>     %2: bool = gt %0, %1
// =>     branch %2, b1, b2
// => b1:
// =>     %3: f64 = 1.0
// =>     jump b5(%3)
// => b2:
// =>     %4: f64 = 0.0
// =>     %5: bool = lt %0, %4
// =>     branch %5, b3, b4
// => b3:
// =>     %6: f64 = -1.0
// =>     jump b5(%6)
// => b4:
// =>     %7: f64 = 42.0
// =>     jump b6(%7)
// => b5(%8: f64):
// =>     %9: f64 = mul %8, %0
// =>     jump b6(%9)
// => b6(%10: f64):
// =>     return %10
// => }
// ---
// A search.
// stage: normal
#[differentiable]
pub fn early_return(x: &[f64], limit: f64) -> usize {
    for (i, &v) in x.iter().enumerate() {
        if v > limit {
            return i;
        }
    }
    x.len()
}
// => fn @early_return(%0: [f64], %1: f64) -> usize {
// => b0:
// =>     %2: usize = len %0
// =>     %3: usize = 0
// =>     jump b1(%3)
// => b1(%4: usize):
// =>     %5: bool = lt %4, %2
// =>     branch %5, b2, b3
// => b2:
// =>     %6: f64 = load %0, %4
// =>     %7: bool = gt %6, %1
// =>     branch %7, b4, b5
// => b3:
// =>     %8: usize = len %0
// =>     jump b6(%8)
// => b4:
// =>     jump b6(%4)
// => b5:
// =>     %9: usize = 1
// =>     %10: usize = add %4, %9
// =>     jump b1(%10)
// => b6(%11: usize):
// =>     return %11
// => }
// ---
// Conditions that are lazy.
// stage: normal
#[differentiable]
pub fn lazy(x: &[f64], i: usize) -> bool {
    i < x.len() && x[i] > 0.0 || i > 10 && x[i - 10] < 0.0
}
// => fn @lazy(%0: [f64], %1: usize) -> bool {
// => b0:
// =>     %2: usize = len %0
// =>     %3: bool = lt %1, %2
// =>     %4: bool = false
// =>     branch %3, b4, b5
// => b1:
// =>     %5: usize = 10
// =>     %6: bool = gt %1, %5
// =>     branch %6, b8, b9
// => b2(%7: bool):
// =>     return %7
// => b3(%8: bool):
// =>     jump b2(%8)
// => b4:
// =>     assert %3 else index(%1, %2)
// =>     %10: f64 = load %0, %1
// =>     %11: f64 = 0.0
// =>     %12: bool = gt %10, %11
// =>     %13: bool = true
// =>     branch %12, b6, b7
// => b5:
// =>     jump b1
// => b6:
// =>     jump b2(%13)
// => b7:
// =>     jump b1
// => b8:
// =>     %14: bool = sub_overflows %1, %5
// =>     %15: bool = not %14
// =>     assert %15 else overflow "attempt to subtract with overflow"
// =>     %17: usize = sub %1, %5
// =>     %18: bool = lt %17, %2
// =>     assert %18 else index(%17, %2)
// =>     %20: f64 = load %0, %17
// =>     %21: f64 = 0.0
// =>     %22: bool = lt %20, %21
// =>     jump b3(%22)
// => b9:
// =>     jump b3(%4)
// => }
