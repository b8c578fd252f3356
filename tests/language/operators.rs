//! Operators and functions of types as values, and those that a type defines several times.

use mooncake::prelude::*;
use std::ops::{Add, Mul, Neg, Sub};

check! {
    reduced(&[1.0, 2.5, 0.5]);
    extremes(&[1.0, 2.5, 0.5]);
    folded_by_add(&[1.0, 2.5, 0.5]);
    folded_by_mul(&[1.0, 2.5, 0.5]);
    folded_by_method(&[1.0, 2.5, 0.5]);
    negated(&[1.0, 2.5, 0.5]);
    vectors_folded(&[1.0, 2.5, 0.5]);
    vectors_reduced(&[1.0, 2.5, 0.5]);
    from_numbers(&[1.0, 2.5, 0.5]);
    from_pairs(&[1.0, 2.5, 0.5]);
    into_vectors(&[1.0, 2.5, 0.5]);
    ordered(&[1.0, 2.5, 0.5]);
    cloned(&[1.0, 2.5, 0.5]);
    wrapped(&[1.0, 2.5, 0.5]);
    lengths(&[1.0, 2.5, 0.5]);
    method_of_several(&[1.0, 2.5, 0.5]);
    own_by_reference(0.7);
    own_by_value(0.7);
    literals(0.7);
    as_closures(&[1.0, 2.5, 0.5]);
    as_pointers(&[1.0, 2.5, 0.5]);
    in_lists(&[1.0, 2.5, 0.5]);
    called_by_path(&[1.0, 2.5, 0.5]);
    log_sum_exp(&[1.0, 2.5, 0.5]);
    of_references(&[1.0, 2.5, 0.5]);
    empty_vectors(&[1.0, 2.5, 0.5]);
    cells(&[1.0, 2.5, 0.5]);
    references_first(0.5);
    values_first(0.5);
}
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct V(f64, f64);
#[differentiable]
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        V(self.0 + o.0, self.1 + o.1)
    }
}
#[differentiable]
impl Mul<f64> for V {
    type Output = V;
    fn mul(self, o: f64) -> V {
        V(self.0 * o, self.1 * o)
    }
}
#[differentiable]
impl Mul for V {
    type Output = f64;
    fn mul(self, o: V) -> f64 {
        self.0 * o.0 + self.1 * o.1
    }
}
#[differentiable]
impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V(-self.0, -self.1)
    }
}
#[differentiable]
impl From<f64> for V {
    fn from(x: f64) -> V {
        V(x, 2.0 * x)
    }
}
#[differentiable]
impl From<(f64, f64)> for V {
    fn from(x: (f64, f64)) -> V {
        V(x.0, x.1)
    }
}
#[differentiable]
impl V {
    fn norm(&self) -> f64 {
        (self.0 * self.0 + self.1 * self.1).sqrt()
    }
}

#[differentiable]
fn reduced(x: &[f64]) -> f64 {
    x.iter().copied().reduce(f64::max).unwrap()
}
#[differentiable]
fn extremes(x: &[f64]) -> f64 {
    x.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        + x.iter().cloned().fold(f64::INFINITY, f64::min)
}
#[differentiable]
fn folded_by_add(x: &[f64]) -> f64 {
    x.iter().fold(0.0, Add::add)
}
#[differentiable]
fn folded_by_mul(x: &[f64]) -> f64 {
    x.iter().copied().fold(1.0, Mul::mul)
}
#[differentiable]
fn folded_by_method(x: &[f64]) -> f64 {
    x.iter().copied().fold(1.0, f64::mul)
}
#[differentiable]
fn negated(x: &[f64]) -> f64 {
    x.iter().copied().map(f64::neg).map(Neg::neg).sum()
}
#[differentiable]
fn vectors_folded(x: &[f64]) -> f64 {
    x.iter()
        .map(|&x| V(x, x * x))
        .fold(V(0.0, 0.0), Add::add)
        .norm()
}
#[differentiable]
fn vectors_reduced(x: &[f64]) -> f64 {
    x.iter()
        .map(|&x| V(x, x * x))
        .reduce(V::add)
        .map_or(0.0, |v| v.norm())
}
#[differentiable]
fn from_numbers(x: &[f64]) -> f64 {
    let v: Vec<V> = x.iter().copied().map(V::from).collect();
    v.iter().map(V::norm).sum()
}
#[differentiable]
fn from_pairs(x: &[f64]) -> f64 {
    let v: Vec<V> = x.iter().map(|&x| (x, 1.0)).map(V::from).collect();
    v.iter().map(V::norm).sum()
}
#[differentiable]
fn into_vectors(x: &[f64]) -> f64 {
    let v: Vec<V> = x.iter().copied().map(Into::into).collect();
    v.iter().map(V::norm).sum()
}
#[differentiable]
fn ordered(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by(f64::total_cmp);
    v.iter().enumerate().map(|(i, x)| x * i as f64).sum::<f64>()
        + v.iter().copied().max_by(f64::total_cmp).unwrap()
}
#[differentiable]
fn cloned(x: &[f64]) -> f64 {
    x.iter().map(Clone::clone).map(f64::sin).sum::<f64>()
}
#[differentiable]
fn wrapped(x: &[f64]) -> f64 {
    x.iter()
        .copied()
        .map(Some)
        .map(Option::unwrap)
        .map(Box::new)
        .map(|b| *b)
        .sum::<f64>()
}
#[differentiable]
fn lengths(x: &[f64]) -> f64 {
    let r: Vec<Vec<f64>> = x.iter().map(|&x| vec![x; 2]).collect();
    r.iter().map(Vec::len).sum::<usize>() as f64 * x[0]
}
#[differentiable]
fn method_of_several(x: &[f64]) -> f64 {
    x.iter()
        .zip(x)
        .map(|(a, b)| V(*a, *b))
        .map(|v| v * 2.0)
        .zip(x)
        .map(|(v, x)| V::mul(v, *x))
        .reduce(|a, b| a + b)
        .unwrap()
        .norm()
}
#[differentiable]
fn applied(f: impl Fn(f64, f64) -> f64, a: f64, b: f64) -> f64 {
    f(a, b)
}
#[differentiable]
fn as_closures(x: &[f64]) -> f64 {
    applied(Add::add, x[0], x[1]) * applied(f64::powf, x[0], x[1])
        + applied(f64::hypot, x[0], x[1])
        + applied(Sub::sub, x[0], x[2])
}
#[differentiable]
fn as_pointers(x: &[f64]) -> f64 {
    let op: fn(f64, f64) -> f64 = if x[0] > 0.0 { f64::max } else { Add::add };
    op(x[0], x[1])
}
#[differentiable]
fn in_lists(x: &[f64]) -> f64 {
    let ops: [fn(f64, f64) -> f64; 3] = [Add::add, Mul::mul, f64::atan2];
    ops.iter().map(|op| op(x[0], x[1])).sum()
}
#[differentiable]
fn called_by_path(x: &[f64]) -> f64 {
    V::from(x[0]).norm()
        + V::from((x[0], x[1])).norm()
        + V(1.0, 2.0).mul(x[0]).norm()
        + V(1.0, x[0]).mul(V(x[1], 1.0))
}
#[differentiable]
fn log_sum_exp(x: &[f64]) -> f64 {
    let m = x
        .iter()
        .copied()
        .fold(None, |m: Option<f64>, x| Some(m.map_or(x, |m| m.max(x))))
        .unwrap();
    x.iter().map(|x| (x - m).exp()).sum::<f64>().ln()
        + m
        + x.iter().copied().map(f64::abs).fold(f64::NAN, f64::max)
}

#[differentiable]
impl<'a> Add<&'a V> for V {
    type Output = V;
    fn add(self, o: &V) -> V {
        self + *o
    }
}
#[differentiable]
impl<'a> Add<&'a V> for &'a V {
    type Output = V;
    fn add(self, o: &V) -> V {
        *self + *o
    }
}
#[differentiable]
impl Mul<V> for f64 {
    type Output = V;
    fn mul(self, o: V) -> V {
        o * self
    }
}
#[differentiable]
impl Mul<&V> for f64 {
    type Output = V;
    fn mul(self, o: &V) -> V {
        self * *o
    }
}
#[differentiable]
fn of_references(x: &[f64]) -> f64 {
    let v: Vec<V> = x.iter().copied().map(V::from).collect();
    let s = v.iter().fold(V(0.0, 0.0), |a, b| a + b);
    (&s + &v[1]).norm() * (x[0] * &s).norm()
        + (2.0 * s).norm()
        + v.iter().copied().reduce(V::add).unwrap().1
}
#[differentiable]
fn empty_vectors(x: &[f64]) -> f64 {
    let mut v: Vec<Vec<f64>> = Vec::new();
    v.resize_with(2, Vec::new);
    v[0].push(x[0]);
    v[1].extend(x);
    let o: Option<Vec<f64>> = None;
    v.iter().map(|v| v.len() as f64).sum::<f64>() * v[1][1]
        + o.unwrap_or_else(Vec::new).iter().sum::<f64>()
}
#[differentiable]
fn cells(x: &[f64]) -> f64 {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;
    let r: Vec<Rc<RefCell<f64>>> = x.iter().copied().map(RefCell::new).map(Rc::new).collect();
    for r in &r {
        *r.borrow_mut() *= 2.0;
    }
    let c: Vec<Cell<f64>> = x.iter().copied().map(Cell::new).collect();
    c[0].set(x[1]);
    r.iter().map(|r| *r.borrow()).sum::<f64>() + c.iter().map(Cell::get).sum::<f64>()
}

/// Written on references first, the others with it.
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Poly(Vec<f64>);
#[differentiable]
impl<'a, 'b> Mul<&'b Poly> for &'a Poly {
    type Output = Poly;
    fn mul(self, o: &Poly) -> Poly {
        let mut out = vec![0.0; self.0.len() + o.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in o.0.iter().enumerate() {
                out[i + j] += a * b;
            }
        }
        Poly(out)
    }
}
#[differentiable]
impl Mul<Poly> for Poly {
    type Output = Poly;
    fn mul(self, o: Poly) -> Poly {
        &self * &o
    }
}
#[differentiable]
impl<'a> Mul<&'a Poly> for Poly {
    type Output = Poly;
    fn mul(self, o: &'a Poly) -> Poly {
        &self * o
    }
}
#[differentiable]
impl<'a> Mul<Poly> for &'a Poly {
    type Output = Poly;
    fn mul(self, o: Poly) -> Poly {
        self * &o
    }
}
#[differentiable]
impl Mul<f64> for Poly {
    type Output = Poly;
    fn mul(self, o: f64) -> Poly {
        Poly(self.0.iter().map(|x| x * o).collect())
    }
}
#[differentiable]
fn references_first(x: f64) -> f64 {
    let (a, b) = (Poly(vec![1.0, x]), Poly(vec![x, 2.0, -1.0]));
    let c = &a * &b;
    let d = c.clone() * a.clone() * 2.0;
    let e = &d * (b.clone() * &a);
    e.0.iter().sum::<f64>()
        + d.0[1] * c.0[1]
        + [a, b].into_iter().fold(Poly(vec![1.0]), Mul::mul).0[1]
}
/// Written on values first.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct C(f64, f64);
#[differentiable]
impl Mul for C {
    type Output = C;
    fn mul(self, o: C) -> C {
        C(self.0 * o.0 - self.1 * o.1, self.0 * o.1 + self.1 * o.0)
    }
}
#[differentiable]
impl Mul<&C> for C {
    type Output = C;
    fn mul(self, o: &C) -> C {
        self * *o
    }
}
#[differentiable]
impl Mul<C> for &C {
    type Output = C;
    fn mul(self, o: C) -> C {
        *self * o
    }
}
#[differentiable]
impl Mul<&C> for &C {
    type Output = C;
    fn mul(self, o: &C) -> C {
        *self * *o
    }
}
#[differentiable]
impl std::ops::MulAssign<&C> for C {
    fn mul_assign(&mut self, o: &C) {
        *self = *self * *o;
    }
}
#[differentiable]
impl std::ops::MulAssign for C {
    fn mul_assign(&mut self, o: C) {
        *self *= &o;
    }
}
#[differentiable]
fn values_first(x: f64) -> f64 {
    let (mut a, b) = (C(x, 1.0), C(2.0, -x));
    a *= b;
    a *= &b;
    let c = (&a * &b) * &(a * b) * (&a * b);
    c.0 * c.1
}

/// Its own `mul` is not that of the operator.
#[derive(Differentiable, Clone, Copy)]
struct Twofold(f64);
#[differentiable]
impl Twofold {
    fn mul(&self, by: f64) -> f64 {
        self.0 * by + 1.0
    }
    fn inside(&self, by: f64) -> f64 {
        self.mul(by)
    }
}
#[differentiable]
impl Mul<f64> for Twofold {
    type Output = f64;
    fn mul(self, by: f64) -> f64 {
        self.0 * by
    }
}
#[differentiable]
fn own_by_reference(x: f64) -> f64 {
    let a = Twofold(x);
    let b = &a;
    (&a).mul(2.0) + b.mul(x) * a.inside(x) + a * x
}

/// An operator is not what a type has under the name of its function.
#[derive(Differentiable, Clone, Copy, PartialEq)]
struct Tripled(f64);
#[differentiable]
impl Tripled {
    fn mul(self, by: f64) -> f64 {
        3.0 * self.0 * by
    }
    fn from(x: f64) -> Tripled {
        Tripled(3.0 * x)
    }
}
#[differentiable]
trait Group {
    fn add(self, other: Self) -> f64;
}
#[differentiable]
impl Group for Tripled {
    fn add(self, other: Tripled) -> f64 {
        self.0 - other.0
    }
}
#[differentiable]
impl Mul<f64> for Tripled {
    type Output = f64;
    fn mul(self, by: f64) -> f64 {
        self.0 * by
    }
}
#[differentiable]
impl Add for Tripled {
    type Output = f64;
    fn add(self, other: Tripled) -> f64 {
        self.0 + 2.0 * other.0
    }
}
#[differentiable]
impl From<f64> for Tripled {
    fn from(x: f64) -> Tripled {
        Tripled(x)
    }
}
#[differentiable]
fn own_by_value(x: f64) -> f64 {
    let a = Tripled(x);
    let b: Tripled = (x * x).into();
    a * 2.0 + (a + b) * b.0 + Tripled::from(x).0
}

/// A literal is an `f64` where an `f32` would do.
#[derive(Differentiable, Clone, Copy)]
struct Measure(f64);
#[differentiable]
impl From<f32> for Measure {
    fn from(x: f32) -> Measure {
        Measure(x as f64)
    }
}
#[differentiable]
impl From<f64> for Measure {
    fn from(x: f64) -> Measure {
        Measure(x)
    }
}
#[differentiable]
impl Mul<f32> for Measure {
    type Output = f64;
    fn mul(self, by: f32) -> f64 {
        self.0 * by as f64
    }
}
#[differentiable]
impl Mul<f64> for Measure {
    type Output = f64;
    fn mul(self, by: f64) -> f64 {
        self.0 * by
    }
}
#[differentiable]
fn literals(x: f64) -> f64 {
    let a = Measure::from(0.1);
    let b: Measure = 0.3.into();
    (a * 0.7 + Measure::from(x) * 0.1) * b.0
}
