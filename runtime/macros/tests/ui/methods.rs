//! Methods are read in a differentiable `impl`.
use mooncake::{differentiable, non_differentiable};

struct Scale(f64);

impl Scale {
    #[differentiable]
    fn apply(&self, x: f64) -> f64 {
        self.0 * x
    }
}

#[differentiable]
impl Scale {
    fn not_described(&self) -> f64 {
        self.0
    }
}

#[differentiable]
impl f64x2 {
    fn prints(&self) {
        let _ = env!("CARGO_PKG_NAME");
    }
    unsafe fn trusted(&self) {}
    #[differentiable(fast)]
    fn fast(&self) {}
}

#[allow(non_camel_case_types)]
struct f64x2(f64, f64);

#[non_differentiable]
impl Scale {
    fn whole_impl(&self) {}
}

#[differentiable]
trait Shape {
    fn area(&self) -> f64;
    async fn later(&self) -> f64;
}

#[differentiable]
trait Area {
    fn area(&self, scale: f64) -> f64;
}

#[differentiable]
impl<T: Area> Area for std::rc::Rc<T> {
    fn area(&self, scale: f64) -> f64 {
        2.0 * (**self).area(scale)
    }
}

#[differentiable]
impl<T: Area> Area for &T {
    fn area(&self, scale: f64) -> f64 {
        (**self).area(scale)
    }
}

struct Doubled;

impl Doubled {
    fn area<T: Area>(it: &T, scale: f64) -> f64 {
        2.0 * it.area(scale)
    }
}

#[differentiable]
impl<T: Area> Area for Box<T> {
    fn area(&self, scale: f64) -> f64 {
        Doubled::area(&**self, scale)
    }
}

#[differentiable]
impl<T: Area + std::ops::Deref<Target = Disc>> Area for std::sync::Arc<T> {
    fn area(&self, scale: f64) -> f64 {
        (***self).area(scale)
    }
}

struct Disc;

impl Area for Disc {
    fn area(&self, scale: f64) -> f64 {
        scale
    }
}

#[differentiable]
trait Gain {
    const GAIN: f64;
    fn gain(self) -> f64;
}

#[differentiable]
impl<T: Gain + Copy> Gain for &T {
    const GAIN: f64 = <T as Gain>::GAIN;
    fn gain(self) -> f64 {
        <T as Gain>::gain(*self)
    }
}

#[differentiable]
impl<T: Gain> Gain for Box<T> {
    const GAIN: f64 = Other::GAIN;
    fn gain(self) -> f64 {
        T::gain(*self)
    }
}

struct Other;

impl Other {
    const GAIN: f64 = 2.0;
}

#[differentiable]
trait Energy {
    #[differentiable(function = energy)]
    fn energy(&self) -> f64;
}

#[differentiable]
impl f64x2 {
    #[differentiable(function = first)]
    fn first(&self) -> &f64 {
        &self.0
    }
    #[differentiable(function)]
    fn second(&self) -> f64 {
        self.1
    }
}

#[differentiable(function = other)]
fn alone(x: f64) -> f64 {
    x
}

trait Mean {
    fn mean(&self) -> f64;
}

#[differentiable]
impl Mean for [f64] {
    fn mean(&self) -> f64 {
        self.iter().sum::<f64>() / self.len() as f64
    }
}

#[differentiable]
impl dyn Mean {
    fn twice(&self) -> f64 {
        2.0 * self.mean()
    }
}

fn main() {}
