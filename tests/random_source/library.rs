//! What the programs are made with: types, functions and methods, as users write them. The oracle calls them natively.

use mooncake::{Differentiable, differentiable};

/// `S { a, b, n }`
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct S {
    pub a: f64,
    pub b: (f64, f64),
    pub n: i64,
}

/// An enum with variants of every kind.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub enum E {
    One(f64),
    Two { x: f64, n: i64 },
    None,
}

/// A recursive list.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub enum L {
    End,
    Node(f64, Box<L>),
}

#[differentiable]
pub fn bump(p: &mut f64, by: f64) {
    *p = p.sin() + by * *p;
}

#[differentiable]
pub fn shift(s: &mut S, by: f64) -> f64 {
    s.b.0 += by * s.a;
    s.a = s.b.1 - by;
    bump(&mut s.b.1, by);
    s.a
}

#[differentiable]
pub fn total(l: &L) -> f64 {
    match l {
        L::End => 0.25,
        L::Node(value, rest) => value.sin() - 0.5 * total(rest),
    }
}

#[differentiable]
pub fn grow(l: &mut L, by: f64) {
    match l {
        L::End => *l = L::Node(by, Box::new(L::End)),
        L::Node(value, rest) => {
            *value *= by;
            if by > 0.0 {
                grow(rest, *value);
            }
        }
    }
}

#[differentiable]
pub fn root(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.sqrt()) } else { None }
}

#[differentiable]
pub fn ratio(a: f64, b: f64) -> Result<f64, f64> {
    if b.abs() < 0.25 {
        return Err(a - b);
    }
    Ok(a / b)
}

#[differentiable]
pub fn both(a: f64, b: f64) -> Option<f64> {
    let left = root(a)?;
    Some(left * root(b)?)
}

#[differentiable]
pub fn chained(a: f64, b: f64) -> Result<f64, f64> {
    let first = ratio(a, b)?;
    let second = ratio(first, a)?;
    Ok(first + second)
}

#[differentiable]
impl S {
    pub fn size(&self, k: f64) -> f64 {
        (self.a * k + self.b.0 * self.b.1).tanh()
    }
    pub fn turn(&mut self, by: f64) {
        self.b = (self.b.1 - by, self.b.0 * by);
    }
}
