//! Methods that a trait of std provides, overridden; and names of built-in types that mean something else.
use mooncake::{Differentiable, differentiable};
use std::cmp::Ordering;

#[derive(Differentiable, Clone, Copy)]
struct Near(f64);

#[differentiable]
impl PartialEq for Near {
    fn eq(&self, other: &Near) -> bool {
        (self.0 - other.0).abs() < 0.5
    }
    fn ne(&self, _: &Near) -> bool {
        true
    }
}

#[differentiable]
impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Near) -> Option<Ordering> {
        self.0.partial_cmp(&other.0)
    }
    fn lt(&self, other: &Near) -> bool {
        self.0 > other.0
    }
}

mod again {
    pub use std::cmp::PartialOrd;
}

#[derive(Differentiable, Clone, Copy, PartialEq)]
struct Turned(f64);

#[differentiable]
impl crate::again::PartialOrd for Turned {
    fn partial_cmp(&self, other: &Turned) -> Option<Ordering> {
        self.0.partial_cmp(&other.0)
    }
    fn lt(&self, other: &Turned) -> bool {
        self.0 > other.0
    }
}

#[derive(Differentiable)]
struct Halves(f64);

#[differentiable]
impl Iterator for Halves {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        self.0 *= 0.5;
        (self.0 > 0.1).then_some(self.0)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, None)
    }
    fn fold<B, F: FnMut(B, f64) -> B>(self, first: B, _: F) -> B {
        first
    }
    fn count(self) -> usize {
        7
    }
}

#[differentiable]
impl ExactSizeIterator for Halves {
    fn len(&self) -> usize {
        3
    }
}

#[derive(Differentiable, Copy)]
struct Noted(f64);

#[differentiable]
impl Clone for Noted {
    fn clone(&self) -> Noted {
        Noted(self.0 + 1.0)
    }
}

#[derive(Differentiable)]
struct Copied(f64);

#[differentiable]
impl Clone for Copied {
    fn clone(&self) -> Copied {
        Copied(self.0)
    }
    fn clone_from(&mut self, _: &Copied) {}
}

mod units {
    pub fn sqrt(x: f64) -> f64 {
        x
    }
}

#[differentiable]
fn alias(x: f64) -> f64 {
    use units as f64;
    f64::sqrt(x)
}

fn main() {}
