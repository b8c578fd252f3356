//! Which function a name means: the typed form has it by its full name.

use mooncake::prelude::*;

#[derive(Clone, Copy, Differentiable)]
pub struct Metres(f64);

#[differentiable]
impl Metres {
    fn size(self) -> f64 {
        self.0
    }
}

#[differentiable]
trait Size {
    fn size(&self) -> f64;
    fn twice(&self) -> f64 {
        2.0 * self.size()
    }
}
#[differentiable]
impl Size for Metres {
    fn size(&self) -> f64 {
        -self.0
    }
}

// A method of the type's own is found before one of a trait.
// stage: typed
#[differentiable]
pub fn chosen(x: f64) -> f64 {
    let m = Metres(x);
    m.size() + m.twice()
}
// => fn @chosen(%0: f64) -> f64 {
// => b0:
// =>     %1: (f64,) = tuple %0
// =>     %2: f64 = call @Metres::size(%1)
// =>     %3: f64 = call @"Size::twice#1"(%1)
// =>     %4: f64 = add %2, %3
// =>     return %4
// => }
// =>
// => fn @"<Metres as Size>::size"(%0: (f64,)) -> f64 {
// => b0:
// =>     %1: f64 = field.0 %0
// =>     %2: f64 = neg %1
// =>     return %2
// => }
// =>
// => fn @Metres::size(%0: (f64,)) -> f64 {
// => b0:
// =>     %1: f64 = field.0 %0
// =>     return %1
// => }
// =>
// => fn @"Size::twice#1"(%0: (f64,)) -> f64 known_as @Size::twice {
// => b0:
// =>     %1: f64 = 2.0
// =>     %2: f64 = call @"<Metres as Size>::size"(%0)
// =>     %3: f64 = mul %1, %2
// =>     return %3
// => }
// ---
// A name means the last variable of that name.
// stage: typed
#[differentiable]
pub fn shadowed(x: f64) -> f64 {
    let y = x * 2.0;
    let y = {
        let x = y + 1.0;
        x * y
    };
    y - x
}
// => fn @shadowed(%0: f64) -> f64 {
// => b0:
// =>     %1: f64 = 2.0
// =>     %2: f64 = mul %0, %1
// =>     %3: f64 = 1.0
// =>     %4: f64 = add %2, %3
// =>     %5: f64 = mul %4, %2
// =>     %6: f64 = sub %5, %0
// =>     return %6
// => }
// ---
// A function with a type parameter is one function for each type.
// stage: typed
#[differentiable]
pub fn generic(x: f64, y: f32) -> f64 {
    larger(x, 1.0) + larger(y, 2.0) as f64
}

#[differentiable]
fn larger<T: mooncake::Float>(a: T, b: T) -> T {
    if a > b { a } else { b }
}
// => fn @generic(%0: f64, %1: f32) -> f64 {
// => b0:
// =>     %2: f64 = 1.0
// =>     %3: f64 = call @"larger#1"(%0, %2)
// =>     %4: f32 = 2.0
// =>     %5: f32 = call @"larger#2"(%1, %4)
// =>     %6: f64 = cast %5
// =>     %7: f64 = add %3, %6
// =>     return %7
// => }
// =>
// => fn @"larger#1"(%0: f64, %1: f64) -> f64 known_as @larger {
// => b0:
// =>     %2: bool = gt %0, %1
// =>     branch %2, b1, b2
// => b1:
// =>     jump b3(%0)
// => b2:
// =>     jump b3(%1)
// => b3(%3: f64):
// =>     return %3
// => }
// =>
// => fn @"larger#2"(%0: f32, %1: f32) -> f32 known_as @larger {
// => b0:
// =>     %2: bool = gt %0, %1
// =>     branch %2, b1, b2
// => b1:
// =>     jump b3(%0)
// => b2:
// =>     jump b3(%1)
// => b3(%3: f32):
// =>     return %3
// => }
// ---
// A closure is a function that takes what it captures.
// stage: typed
#[differentiable]
pub fn captured(x: f64) -> f64 {
    let mut sum = 0.0;
    let mut add = |v: f64| sum += v * x;
    add(1.0);
    add(x);
    sum
}
// => fn @captured(%0: f64) -> f64 {
// => b0:
// =>     %1: f64 = 0.0
// =>     %2: usize = 8
// =>     %3: ptr = alloc %2
// =>     set.0 %3, %1
// =>     %5: (ptr, f64) = tuple %3, %0
// =>     %6: f64 = 1.0
// =>     call @captured.closure0(%5, %6)
// =>     call @captured.closure0(%5, %0)
// =>     %9: f64 = get.0 %3
// =>     return %9
// => }
// =>
// => fn @captured.closure0(%0: (ptr, f64), %1: f64) -> () {
// => b0:
// =>     %2: f64 = field.1 %0
// =>     %3: f64 = mul %1, %2
// =>     %4: ptr = field.0 %0
// =>     %5: f64 = get.0 %4
// =>     %6: f64 = add %5, %3
// =>     set.0 %4, %6
// =>     %8: () = ()
// =>     return %8
// => }
