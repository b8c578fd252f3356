//! Data structures, references, closures and dynamic values mean in all forms of a program what they mean in rustc. `tests/language` has every form of
//! the language; these are those that are lowered in different ways.

#![allow(
    clippy::all,
    dead_code,
    unused_assignments,
    reason = "every form of the language occurs here, also those that have a nicer one"
)]

use super::language::{AsDatum, agree, agree_mut, check};
use super::test_rule;
use crate::context::Context;
use mooncake::{Differentiable, differentiable, non_differentiable};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct Body {
    at: Point,
    speed: Point,
    mass: f64,
    name: usize,
}

#[differentiable]
impl Point {
    fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }
    fn norm(&self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }
    fn scale(&mut self, factor: f64) {
        self.x *= factor;
        self.y *= factor;
    }
    fn plus(self, other: Point) -> Point {
        Point {
            x: self.x + other.x,
            ..other
        }
    }
}

#[derive(Clone, Debug, Differentiable)]
enum Shape {
    Empty,
    Circle { at: Point, radius: f64 },
    Square(Point, f64),
    Many(Vec<Shape>),
}

#[differentiable]
fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Empty => 0.0,
        Shape::Circle { radius, .. } if *radius > 10.0 => 100.0,
        Shape::Circle { radius: r, at } => 3.0 * r * r + at.x,
        Shape::Square(_, side) => side * side,
        Shape::Many(shapes) => {
            let mut sum = 0.0;
            for shape in shapes {
                sum += area(shape);
            }
            sum
        }
    }
}

#[differentiable]
fn grow_shape(shape: &mut Shape, by: f64) {
    match shape {
        Shape::Circle { at, radius } => {
            *radius += by;
            at.scale(2.0);
        }
        Shape::Square(corner, side) => {
            corner.x = *side;
            *side *= by;
        }
        Shape::Many(shapes) => {
            for shape in shapes.iter_mut() {
                grow_shape(shape, by);
            }
            shapes.push(Shape::Empty);
        }
        Shape::Empty => {}
    }
}

#[differentiable]
fn shapes(x: f64, y: f64) -> f64 {
    let at = Point::new(x, y);
    let mut all = Shape::Many(vec![
        Shape::Circle { at, radius: x },
        Shape::Square(at, y),
        Shape::Many(vec![Shape::Empty, Shape::Circle { at, radius: 11.0 }]),
    ]);
    let before = area(&all);
    let copy = all.clone();
    grow_shape(&mut all, 2.0);
    before + 10.0 * area(&all) - 100.0 * area(&copy)
}

#[differentiable]
fn structs(x: f64, y: f64) -> f64 {
    let mut body = Body {
        speed: Point { x: y, y: x },
        at: Point { x, y },
        mass: 2.0,
        name: 3,
    };
    body.at.x += body.speed.y;
    body.at.scale(3.0);
    let Body {
        at: Point { x: a, .. },
        mass,
        ..
    } = body;
    let other = body.clone();
    body.at = body.at.plus(Point { y: mass, x: 1.0 });
    body.speed.scale(0.5);
    a + body.at.norm() + other.at.y + other.speed.x + body.name as f64
}

#[differentiable]
fn first_positive(x: &[f64]) -> Option<f64> {
    for &v in x {
        if v > 0.0 {
            return Some(v);
        }
    }
    None
}

#[differentiable]
fn checked_root(x: f64) -> Result<f64, usize> {
    if x < 0.0 { Err(7) } else { Ok(x.sqrt()) }
}

#[differentiable]
fn roots(x: f64, y: f64) -> Result<f64, usize> {
    let a = checked_root(x)?;
    let b = checked_root(y)?;
    Ok(a + b)
}

#[differentiable]
fn options(x: &[f64]) -> f64 {
    let a = match first_positive(x) {
        Some(v) if v > 1.0 => v,
        Some(v) => 10.0 * v,
        None => -1.0,
    };
    let b = if let Some(v) = first_positive(&x[1..])
        && v < 5.0
    {
        v
    } else {
        0.5
    };
    let Ok(c) = roots(a, b) else {
        return -2.0;
    };
    let nested = Some(Some(c));
    let d = match nested {
        Some(Some(v)) => v,
        Some(None) | None => 0.0,
    };
    a + b + c + d
}

#[differentiable]
fn vectors(n: usize, x: f64) -> f64 {
    let mut v = Vec::new();
    for i in 0..n {
        v.push(x * i as f64);
    }
    let mut rows: Vec<Vec<f64>> = vec![vec![x; 2]; 3];
    rows[1][0] = 2.0 * x;
    rows.push(v.clone());
    let mut s = 0.0;
    while let Some(last) = v.pop() {
        s = 0.5 * s + last;
        if v.len() < 2 {
            break;
        }
    }
    let last = rows.len() - 1;
    rows[last].push(s);
    rows[last][0] += 1.0;
    for row in &mut rows {
        row[0] *= 2.0;
    }
    for row in rows.iter() {
        for (i, e) in row.iter().enumerate() {
            s += e * (i + 1) as f64;
        }
    }
    s + v.len() as f64
}

#[differentiable]
fn add_to(target: &mut f64, by: f64) {
    *target += by;
}

#[differentiable]
fn larger<'a>(a: &'a mut f64, b: &'a mut f64) -> &'a mut f64 {
    if *a > *b { a } else { b }
}

#[differentiable]
fn references(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    add_to(&mut a, 1.0);
    *larger(&mut a, &mut b) *= 3.0;
    std::mem::swap(&mut a, &mut b);
    let old = std::mem::replace(&mut a, 0.5);
    let r = &mut b;
    *r += old;
    let mut v = vec![a, b];
    add_to(&mut v[1], 2.0);
    let mut point = Point { x, y };
    add_to(&mut point.y, v[1]);
    a + 10.0 * b + 100.0 * v[1] + point.y
}

#[differentiable]
fn places(y: &mut [f64]) {
    for v in y.iter_mut() {
        add_to(v, 1.0);
        *v *= 2.0;
    }
    for (i, v) in y.iter_mut().enumerate().rev() {
        *v += i as f64;
    }
    let (left, right) = y.split_at_mut(1);
    left[0] = right[0];
    if let [first, .., last] = y {
        std::mem::swap(first, last);
    }
}

#[derive(Debug, Differentiable)]
struct Node {
    value: f64,
    next: Option<Rc<RefCell<Node>>>,
}

#[differentiable]
fn rings(x: f64) -> f64 {
    let a = Rc::new(RefCell::new(Node {
        value: x,
        next: None,
    }));
    let b = Rc::new(RefCell::new(Node {
        value: 2.0,
        next: Some(Rc::clone(&a)),
    }));
    a.borrow_mut().next = Some(b.clone());
    let mut at = a.clone();
    let mut s = 0.0;
    for _ in 0..5 {
        at.borrow_mut().value += 1.0;
        s = s * 2.0 + at.borrow().value;
        let next = at.borrow().next.clone();
        if let Some(next) = next {
            at = next;
        }
    }
    s
}

#[differentiable]
fn cells(x: f64) -> f64 {
    let counter = Cell::new(1.0);
    let bump = |by: f64| counter.set(counter.get() + by);
    bump(x);
    bump(2.0);
    counter.get()
}

#[differentiable]
fn apply<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

#[differentiable]
fn scaler(by: f64) -> impl Fn(f64) -> f64 {
    move |v| v * by
}

#[differentiable]
fn closures(x: f64) -> f64 {
    let a = 3.0;
    let mut total = 0.0;
    let mut add = |v: f64| total += v * a;
    add(x);
    add(1.0);
    let twice = scaler(2.0);
    let mut count = 0.0;
    let mut next = move || {
        count += 1.0;
        count
    };
    next();
    total + apply(&twice, x) + apply(|v| v + a, x) + next() + count
}

#[differentiable]
trait Cost {
    fn cost(&self, x: f64) -> f64;
    fn doubled(&self, x: f64) -> f64 {
        2.0 * self.cost(x)
    }
}

#[derive(Debug, Differentiable)]
struct Linear(f64);
#[derive(Debug, Differentiable)]
struct Quadratic {
    a: f64,
    b: f64,
}

#[differentiable]
impl Cost for Linear {
    fn cost(&self, x: f64) -> f64 {
        self.0 * x
    }
}
#[differentiable]
impl Cost for Quadratic {
    fn cost(&self, x: f64) -> f64 {
        self.a * x * x + self.b
    }
}

#[differentiable]
fn total_cost(costs: &[Box<dyn Cost>], x: f64) -> f64 {
    let mut s = 0.0;
    for c in costs.iter() {
        s = 3.0 * s + c.doubled(x);
    }
    s
}

#[differentiable]
fn dynamic(x: f64) -> f64 {
    let costs: Vec<Box<dyn Cost>> = vec![
        Box::new(Linear(2.0)),
        Box::new(Quadratic { a: x, b: 1.0 }),
        Box::new(Linear(x)),
    ];
    let k = 5.0;
    let functions: [&dyn Fn(f64) -> f64; 2] = [&|v| v * k, &|v| v - x];
    let mut y = total_cost(&costs, x);
    for f in functions {
        y = f(y);
    }
    y
}

#[differentiable]
fn slice_patterns(x: &[f64]) -> f64 {
    match x {
        [] => 0.0,
        [one] => *one,
        [a, b] => a - b,
        [first, rest @ .., last] => first * last + slice_patterns(rest),
    }
}

/// The rest may have no element.
#[differentiable]
fn both_ends(x: &[f64]) -> f64 {
    match x {
        [first, .., last] => first - 2.0 * last,
        _ => 7.0,
    }
}

#[differentiable]
fn labels(x: &[f64]) -> f64 {
    let found = 'search: {
        for (i, a) in x.iter().enumerate() {
            for b in &x[i + 1..] {
                if a + b > 5.0 {
                    break 'search a * b;
                }
            }
        }
        -1.0
    };
    let mut n = 0;
    let late = loop {
        n += 1;
        if n > 3 {
            break found * n as f64;
        }
    };
    late + found
}

#[differentiable]
fn numbers_by_pattern(n: i32) -> f64 {
    match n {
        i32::MIN..=-1 => -1.0,
        0 => 0.0,
        1 | 3 | 5 => 1.5,
        k @ 6..=9 if k % 2 == 0 => k as f64,
        _ => 9.5,
    }
}

/// `derives!(f(a, b))`: both modes give the derivatives that differences say.
macro_rules! derives {
    ($f:ident($($arg:expr),* $(,)?)) => {{
        let ctx = Context::default();
        if let Err(error) = test_rule::<$f>(&ctx, ($($arg,)*)) {
            panic!("{}{:?}: {error}", stringify!($f), ($($arg,)*));
        }
    }};
}

/// All forms agree, and both modes give the derivatives.
macro_rules! both {
    ($f:ident($($arg:expr),* $(,)?)) => {{
        agree!($f($($arg),*));
        derives!($f($($arg),*));
    }};
}

#[differentiable]
fn constant_part(x: f64) -> f64 {
    let p = Point { x, y: x * x };
    let q = mooncake::stop_gradient(p);
    let v = mooncake::stop_gradient(vec![x, 2.0 * x]);
    q.x * p.y + v[1] * x
}

#[non_differentiable]
fn rounded(v: &mut Vec<f64>, x: f64) -> (f64, Vec<f64>) {
    v.push(2.0 * x);
    v[0] *= x;
    (x.floor() + x, vec![x; 2])
}

#[differentiable]
fn constants_by_function(x: f64) -> f64 {
    let mut v = vec![x, x];
    let (a, own) = rounded(&mut v, x);
    // What is new in the vector is constant, what was there and is only moved is not.
    a * x + own[1] * x + v[0] * x + v[1] * x + v[2] * x
}

#[test]
fn data_structures() {
    both!(structs(0.5, -1.5));
    both!(shapes(0.5, -1.5));
    for x in [[2.0, 3.0], [0.5, -1.0], [-1.0, 2.0], [3.0, 9.0]] {
        both!(options(&x[..]));
    }
    for n in [0, 1, 5, 9] {
        both!(vectors(n, 1.25));
    }
    both!(rings(0.75));
    both!(cells(0.75));
}

#[test]
fn mutable_references() {
    both!(references(1.0, 3.0));
    both!(references(4.0, 3.0));
    agree_mut!(places([1.0, 2.0, 3.0]));
    derives!(places(&mut [1.0, 2.0, 3.0][..]));
}

#[test]
fn functions_as_values() {
    both!(closures(0.75));
    both!(dynamic(0.75));
}

#[test]
fn patterns() {
    for x in [&[3.0, 4.0][..], &[3.0]] {
        both!(both_ends(x));
    }
    for n in 0..5 {
        both!(slice_patterns(&[1.0, 2.0, 4.0, 8.0, 16.0][..n]));
    }
    both!(labels(&[1.0, 2.0, 3.5, 0.1][..]));
    both!(labels(&[1.0, 2.0, 0.1][..]));
    for n in [-5, 0, 3, 6, 7, 10] {
        agree!(numbers_by_pattern(n));
    }
}

#[test]
fn what_is_stopped_is_constant() {
    agree!(constant_part(1.5));
    agree!(constants_by_function(1.5));
    let ctx = Context::default();
    let rule = ctx.build_rrule::<constant_part>().unwrap();
    // q.x · 2x + v[1]
    assert_eq!(rule.value_and_gradient((1.5,)).unwrap().1, (7.5,));
    let rule = ctx.build_rrule::<constants_by_function>().unwrap();
    let x = 1.5_f64;
    let expected = (x.floor() + x) + x + x * x + 2.0 * x + 2.0 * x;
    assert_eq!(rule.value_and_gradient((x,)).unwrap().1, (expected,));
}
