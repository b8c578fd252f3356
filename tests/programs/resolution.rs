//! Which function a name means where several have it: rustc's order of looking for one.

#![allow(dead_code, reason = "what is not called is what could be")]

use mooncake::prelude::*;
use std::cell::{Cell, RefCell};
use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Not};
use std::rc::Rc;

check! {
    by_form(1.5);
    by_path(1.5);
    as_values(1.5);
    in_cells(1.5);
    converted(1.5);
    of_two_traits(1.5);
    of_parameters(1.5);
    of_its_own(1.5);
    of_std(1.5);
    of_any_number(1.5);
    of_std_vectors(1.5);
    unary(1.5);
    said_alike(1.5);
    of_references(1.5);
    stepped(1.5);
    cloned(1.5);
    named_like_std(1.5);
    place_first(1.5);
    as_it_comes(1.5);
    of_a_plain_trait(1.5);
    of_a_plain_trait_of_std_types(1.5);
}

#[differentiable]
trait Area {
    fn area(&self) -> f64;
    fn by(self) -> f64;
}
#[differentiable]
impl Area for f64 {
    fn area(&self) -> f64 {
        *self
    }
    fn by(self) -> f64 {
        self
    }
}
#[differentiable]
impl Area for &f64 {
    fn area(&self) -> f64 {
        2.0 * **self
    }
    fn by(self) -> f64 {
        2.0 * *self
    }
}
#[differentiable]
fn by_form(x: f64) -> f64 {
    let r = &x;
    x.area() + 10.0 * x.by() + 100.0 * (&x).area() + 1e3 * (&x).by() + 1e4 * r.area() + 1e5 * r.by()
}

/// A trait's function is that of the trait, a type's own its own.
#[derive(Differentiable, Clone, Copy)]
struct Point(f64);
#[differentiable]
trait Grown {
    fn scale(&self, by: f64) -> f64;
    fn make(x: f64) -> Self
    where
        Self: Sized;
}
#[differentiable]
trait Shrunk {
    fn scale(&self, by: f64) -> f64;
    fn make(x: f64) -> Self
    where
        Self: Sized;
}
#[differentiable]
impl Grown for Point {
    fn scale(&self, by: f64) -> f64 {
        self.0 * by
    }
    fn make(x: f64) -> Point {
        Point(x)
    }
}
#[differentiable]
impl Shrunk for Point {
    fn scale(&self, by: f64) -> f64 {
        self.0 / by
    }
    fn make(x: f64) -> Point {
        Point(7.0 * x)
    }
}
#[differentiable]
fn by_path(x: f64) -> f64 {
    let p = Point(x);
    let q = <Point as Shrunk>::make(x);
    Grown::scale(&p, 2.0) + 10.0 * <Point as Shrunk>::scale(&p, 2.0) + 100.0 * q.0
}
#[differentiable]
fn as_values(x: f64) -> f64 {
    let (grow, shrink) = (<Point as Grown>::scale, <Point as Shrunk>::scale);
    let make: fn(f64) -> Point = <Point as Shrunk>::make;
    let any: fn(&Point, f64) -> f64 = Shrunk::scale;
    grow(&Point(x), 3.0) + 10.0 * shrink(&Point(x), 3.0) + 100.0 * any(&make(x), 4.0)
}
#[differentiable]
fn of_both<T: Grown + Shrunk>(t: &T) -> f64 {
    Grown::scale(t, 2.0) + 100.0 * Shrunk::scale(t, 2.0)
}
#[differentiable]
fn of_two_traits(x: f64) -> f64 {
    of_both(&Point(x))
}

/// Where the type is a parameter, a trait's is meant.
#[derive(Differentiable)]
struct Square(f64);
#[differentiable]
impl Square {
    fn size(&self) -> f64 {
        1.0
    }
}
#[differentiable]
trait Size {
    fn size(&self) -> f64;
}
#[differentiable]
impl Size for Square {
    fn size(&self) -> f64 {
        self.0 * self.0
    }
}
#[differentiable]
fn doubled<T: Size>(shape: &T) -> f64 {
    2.0 * shape.size()
}
#[derive(Differentiable)]
struct Shapes<T> {
    one: T,
    all: [T; 2],
}
#[differentiable]
impl<T: Size> Shapes<T> {
    fn first(&self) -> f64 {
        self.one.size()
    }
}
#[differentiable]
fn in_places<T: Size>(shapes: &[T], pair: &Shapes<T>, known: &Shapes<Square>) -> f64 {
    let first = &shapes[0];
    let second: &T = &pair.all[1];
    let told = known.one.size() + known.all[0].size();
    first.size() + shapes[1].size() * second.size() + pair.one.size() * pair.first() + told
}
#[differentiable]
fn of_parameters(x: f64) -> f64 {
    let pair = |x: f64| Shapes {
        one: Square(x),
        all: [Square(2.0 * x), Square(x + 1.0)],
    };
    let shapes = [Square(3.0 * x), Square(x)];
    let placed = in_places(&shapes, &pair(x), &pair(0.5 * x)) + pair(x).one.size();
    doubled(&Square(x)) + 10.0 * Square(x).size() + placed
}

#[differentiable]
trait Pull {
    fn pull(&self) -> f64;
}
#[differentiable]
impl Pull for Cell<f64> {
    fn pull(&self) -> f64 {
        self.get()
    }
}
#[differentiable]
impl Pull for RefCell<f64> {
    fn pull(&self) -> f64 {
        2.0 * *self.borrow()
    }
}
#[differentiable]
fn in_cells(x: f64) -> f64 {
    let (a, b) = (RefCell::new(x), Rc::new(Cell::new(x)));
    a.pull() + 10.0 * b.pull() + 100.0 * Rc::new(RefCell::new(x)).pull()
}

#[derive(Differentiable, Clone, Copy)]
struct Converted(f64);
#[differentiable]
impl From<Point> for Converted {
    fn from(p: Point) -> Converted {
        Converted(p.0)
    }
}
#[differentiable]
impl From<&Point> for Converted {
    fn from(p: &Point) -> Converted {
        Converted(2.0 * p.0)
    }
}
#[differentiable]
impl From<Rc<Point>> for Converted {
    fn from(p: Rc<Point>) -> Converted {
        Converted(3.0 * p.0)
    }
}
#[differentiable]
fn converted(x: f64) -> f64 {
    let (p, r) = (Point(x), &Point(x));
    let (a, b, c): (Converted, Converted, Converted) = (p.into(), (&p).into(), r.into());
    a.0 + 10.0 * b.0 + 100.0 * c.0 + 1e3 * Converted::from(p).0 + 1e4 * Converted::from(r).0
}

/// A type's own method goes before that of a trait by the way it is found, not always.
#[derive(Differentiable, Clone, Copy)]
struct Own(f64);
#[differentiable]
impl Own {
    fn next(&mut self) -> f64 {
        self.0 += 1.0;
        self.0
    }
    fn last(self) -> f64 {
        self.0 * 5.0
    }
    fn same(&self) -> f64 {
        self.0
    }
}
#[differentiable]
trait Others {
    fn next(&self) -> f64;
    fn last(&self) -> f64;
    fn same(&self) -> f64;
}
#[differentiable]
impl Others for Own {
    fn next(&self) -> f64 {
        1000.0
    }
    fn last(&self) -> f64 {
        7.0 * self.0
    }
    fn same(&self) -> f64 {
        3.0 * self.0
    }
}
#[differentiable]
fn of_its_own(x: f64) -> f64 {
    let a = Own(x);
    let mut b = Own(x);
    let r = &mut b;
    let changed = r.next() + r.last();
    let named = Others::same(&a) + Own::same(&a) + <Own as Others>::last(&a) + Own::last(a);
    changed * named + a.last() + a.same() + (&a).same() + b.0
}

/// What std's types have by themselves goes before what a trait gives them.
#[differentiable]
trait Real: Sized {
    fn sin(self) -> Self;
    fn abs(self) -> Self;
    fn half(self) -> Self;
    fn relu(&self) -> Self;
}
#[differentiable]
impl Real for f64 {
    fn sin(self) -> f64 {
        self.sin()
    }
    fn abs(self) -> f64 {
        5.0
    }
    fn half(self) -> f64 {
        self.abs() * 0.5
    }
    fn relu(&self) -> f64 {
        self.max(0.0)
    }
}
#[differentiable]
fn of_std(x: f64) -> f64 {
    let values = x.sin() + x.abs() + x.half() + f64::sin(x) + x.relu();
    values * (Real::abs(x) + <f64 as Real>::abs(x)) + [x].map(f64::sin)[0] + [x].map(f64::abs)[0]
}
#[differentiable]
fn real<T: Real + Copy + Mul<Output = T>>(x: T) -> T {
    x.sin().half() * T::abs(x) * x.relu() * T::sin(x)
}
#[differentiable]
fn of_a_trait<T: Real + Copy>(x: T, y: &T) -> T {
    let z = x.abs();
    let _ = y.half();
    z
}
#[differentiable]
fn of_any_number(x: f64) -> f64 {
    real(x) * of_a_trait(x, &x)
}
#[differentiable]
trait Stats {
    fn len(&self) -> f64;
    fn push(&mut self, x: f64);
    fn mean(&self) -> f64;
}
#[differentiable]
impl Stats for Vec<f64> {
    fn len(&self) -> f64 {
        100.0
    }
    fn push(&mut self, x: f64) {
        self[0] = x;
    }
    fn mean(&self) -> f64 {
        self.iter().sum::<f64>() / self.len() as f64
    }
}
#[differentiable]
fn of_std_vectors(x: f64) -> f64 {
    let mut v = vec![x, 2.0 * x];
    v.push(x * x);
    let squares: Vec<f64> = v.iter().map(|x| x * x).collect();
    v.mean() * v.len() as f64 + Stats::len(&v) + squares.mean()
}

#[derive(Differentiable, Clone, Copy)]
struct Signed(f64);
#[differentiable]
impl Neg for Signed {
    type Output = Signed;
    fn neg(self) -> Signed {
        Signed(-self.0)
    }
}
#[differentiable]
impl Neg for &Signed {
    type Output = Signed;
    fn neg(self) -> Signed {
        Signed(-2.0 * self.0)
    }
}
#[differentiable]
impl Not for Signed {
    type Output = f64;
    fn not(self) -> f64 {
        self.0 * 3.0
    }
}
#[differentiable]
fn unary(x: f64) -> f64 {
    let v = Signed(x);
    let r = &v;
    (-v).0 + 10.0 * (-&v).0 + 100.0 * (-r).0 + 1000.0 * !v
}

/// Functions for values and for references that say the same may be taken for each other.
#[derive(Differentiable, Clone, Copy)]
struct Pair(f64, f64);
#[differentiable]
impl Mul<f64> for Pair {
    type Output = Pair;
    fn mul(self, k: f64) -> Pair {
        Pair(self.0 * k, self.1 * k)
    }
}
#[differentiable]
impl Mul<f64> for &Pair {
    type Output = Pair;
    fn mul(self, k: f64) -> Pair {
        *self * k
    }
}
#[differentiable]
impl Add for Pair {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}
#[differentiable]
impl Add<&Pair> for Pair {
    type Output = Pair;
    fn add(self, rhs: &Pair) -> Pair {
        Pair(self.0 + rhs.0, self.1 + rhs.1)
    }
}
#[differentiable]
impl<'a> Add<&'a Pair> for &'a Pair {
    type Output = Pair;
    fn add(self, rhs: &Pair) -> Pair {
        Pair((*self).0 + rhs.0, self.1 + rhs.1)
    }
}
#[differentiable]
impl Sum for Pair {
    fn sum<I: Iterator<Item = Pair>>(iter: I) -> Pair {
        iter.fold(Pair(0.0, 0.0), |a, b| a + b)
    }
}
#[differentiable]
impl<'a> Sum<&'a Pair> for Pair {
    fn sum<I: Iterator<Item = &'a Pair>>(iter: I) -> Pair {
        iter.copied().sum()
    }
}
#[differentiable]
trait Norm {
    fn norm(&self) -> f64;
    fn twice(&self) -> f64 {
        2.0 * self.norm()
    }
}
#[differentiable]
impl Norm for Pair {
    fn norm(&self) -> f64 {
        self.0.hypot(self.1)
    }
}
#[differentiable]
impl Norm for &Pair {
    fn norm(&self) -> f64 {
        (**self).norm()
    }
}
#[differentiable]
impl<T: Norm> Norm for Vec<T> {
    fn norm(&self) -> f64 {
        self.iter().map(|v| v.norm()).sum()
    }
}
#[differentiable]
fn said_alike(x: f64) -> f64 {
    let v = vec![Pair(x, 1.0), Pair(2.0, x)];
    let doubled: Pair = v.iter().map(|v| v * 2.0).sum();
    let sum: Pair = v.iter().sum();
    let folded = v.iter().fold(Pair(0.0, 0.0), |a, b| a + b);
    doubled.norm() + sum.norm() * folded.norm() + v.norm()
}
#[differentiable]
fn all<T: Norm>(t: &[T]) -> f64 {
    t.iter().map(T::norm).sum::<f64>() + t.iter().map(|t| t.twice()).sum::<f64>()
}
#[differentiable]
fn of_references(x: f64) -> f64 {
    let v = [Pair(x, 1.0), Pair(2.0, x)];
    let references: Vec<&Pair> = v.iter().collect();
    all(&v) + all(&references)
}

#[differentiable]
trait Step {
    fn step(&mut self) -> f64;
}
#[derive(Differentiable, Clone, Copy)]
struct Doubling(f64);
#[differentiable]
impl Step for Doubling {
    fn step(&mut self) -> f64 {
        self.0 *= 2.0;
        self.0
    }
}
#[differentiable]
impl<T: Step> Step for &mut T {
    fn step(&mut self) -> f64 {
        T::step(self)
    }
}
#[differentiable]
fn drive<T: Step>(mut t: T) -> f64 {
    t.step() + T::step(&mut t)
}
#[differentiable]
fn stepped(x: f64) -> f64 {
    let mut s = Doubling(x);
    drive(&mut s) + drive(s) * s.0
}

#[derive(Differentiable)]
struct Twice {
    v: f64,
}
#[differentiable]
impl Twice {
    fn clone(&self) -> Twice {
        Twice { v: self.v * 2.0 }
    }
}
#[differentiable]
fn shared_clone(q: Rc<Twice>) -> f64 {
    q.clone().v
}
#[differentiable]
fn cloned(x: f64) -> f64 {
    let q = Twice { v: x };
    let r = &q;
    q.clone().v
        + 10.0 * r.clone().v
        + 100.0 * Twice::clone(&q).v
        + 1e3 * shared_clone(Rc::new(Twice { v: x }))
}

/// A trait that is called like one of std is another.
mod called_like_std {
    use mooncake::prelude::*;

    #[derive(Differentiable, Clone)]
    pub struct Named(pub f64);
    #[differentiable]
    pub trait Neg {
        fn neg(&self) -> f64;
    }
    #[differentiable]
    impl Neg for Named {
        fn neg(&self) -> f64 {
            self.0 + 100.0
        }
    }
    #[differentiable]
    impl std::ops::Neg for Named {
        type Output = f64;
        fn neg(self) -> f64 {
            self.0 * 3.0
        }
    }
    #[differentiable]
    pub trait Copied {
        fn clone(&self) -> f64;
    }
    #[differentiable]
    impl Copied for Named {
        fn clone(&self) -> f64 {
            7.0 * self.0
        }
    }
}
#[differentiable]
fn named_like_std(x: f64) -> f64 {
    use called_like_std::{Copied, Named, Neg};
    let named = Named(x);
    let copy = Clone::clone(&named);
    -copy + 10.0 * <Named as Neg>::neg(&named) + 100.0 * Copied::clone(&named)
}

/// Of references `op=` takes the place first, of numbers the number.
#[differentiable]
fn bump(i: &mut usize) -> usize {
    *i += 1;
    *i - 1
}
#[differentiable]
fn pick<'a>(i: &mut usize, w: &'a [f64]) -> &'a f64 {
    *i += 1;
    &w[*i - 1]
}
#[differentiable]
fn place_first(x: f64) -> f64 {
    let mut v = vec![x, 10.0 * x, 100.0 * x, 7.0];
    let w = vec![1.0, x, 3.0, x * x, 5.0, 2.0 * x, 0.5];
    let mut i = 0;
    v[bump(&mut i)] += &w[bump(&mut i)];
    v[bump(&mut i)] *= pick(&mut i, &w);
    i = 1;
    v[i] -= {
        i += 1;
        &w[i - 1]
    };
    v[0] + v[1] * 2.0 + v[2] + v[3]
}
#[differentiable]
fn at(w: &[f64], i: usize) -> usize {
    if w[i] > 0.0 { i } else { 0 }
}
#[differentiable]
fn as_it_comes(x: f64) -> f64 {
    let mut v = vec![x, 10.0 * x, 100.0 * x, 7.0];
    let w = vec![1.0, x, 3.0, x * x];
    let mut i = 0;
    v[bump(&mut i)] += w[0] * bump(&mut i) as f64;
    v[at(&w, 1)] += w[at(&w, 2)];
    let f = |j: usize| w[j];
    let mut rest = w.iter();
    for i in 0..2 {
        v[i] += f(i + 1);
        v[i] *= rest.next().unwrap();
    }
    v[0] + v[1] * 2.0 + v[2] + v[3]
}

// A trait without an attribute, of which nothing is known but that it is written.
#[derive(Clone, Copy, Differentiable)]
struct Yards(f64);
#[differentiable]
impl Yards {
    fn size(self) -> f64 {
        self.0
    }
}
trait Extent {
    fn size(&self) -> f64;
    fn to_degrees(&self) -> f64;
    fn reserve(&self) -> usize;
}
#[differentiable]
impl Extent for Yards {
    fn size(&self) -> f64 {
        -3.0 * self.0
    }
    fn to_degrees(&self) -> f64 {
        5.0 * self.0
    }
    fn reserve(&self) -> usize {
        6
    }
}
#[differentiable]
impl Extent for f64 {
    fn size(&self) -> f64 {
        2.0 * *self
    }
    fn to_degrees(&self) -> f64 {
        -*self
    }
    fn reserve(&self) -> usize {
        7
    }
}
#[differentiable]
impl Extent for Vec<f64> {
    fn size(&self) -> f64 {
        self[0]
    }
    fn to_degrees(&self) -> f64 {
        -self[0]
    }
    fn reserve(&self) -> usize {
        9
    }
}
#[differentiable]
fn of_a_plain_trait(x: f64) -> f64 {
    let m = Yards(x);
    let size = <Yards as Extent>::size;
    let [own, plain, value] = [Yards::size(m), <Yards as Extent>::size(&m), size(&m)];
    own + 10.0 * plain + 100.0 * value + 1e3 * <Yards as Clone>::clone(&m).0
}
#[differentiable]
fn of_a_plain_trait_of_std_types(x: f64) -> f64 {
    let degrees = <f64 as Extent>::to_degrees;
    let numbers = f64::to_degrees(x) + 10.0 * <f64 as Extent>::to_degrees(&x) + 100.0 * degrees(&x);
    let v = vec![x, x];
    let lens = Vec::len(&v) + 10 * <Vec<f64> as Extent>::reserve(&v);
    numbers * lens as f64 + <f64 as Default>::default()
}
