//! Programs whose types have to be found, and what becomes of places, borrows and captures: all forms of them are what rustc makes of them.

#![allow(
    clippy::all,
    unused_assignments,
    reason = "every form of the language occurs here, also those that have a nicer one"
)]

use super::language::{AsDatum, agree, check};
use super::test_rule;
use crate::borrows::check_borrows;
use crate::context::Context;
use crate::elaborate::elaborate;
use crate::interp::{Datum, Packs, run};
use crate::ir::Const;
use crate::lower::lower;
use mooncake::{Callable, Differentiable, Float, differentiable};
use std::cell::{Cell, RefCell};
use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub};
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
impl Point {
    fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }
    fn norm(&self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }
    fn scale(&mut self, by: f64) {
        self.x *= by;
        self.y *= by;
    }
    fn scaled(mut self, by: f64) -> Point {
        self.scale(by);
        self
    }
}
#[differentiable]
impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point::new(self.x + other.x, self.y + other.y)
    }
}
#[differentiable]
impl Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point::new(self.x - other.x, self.y - other.y)
    }
}
#[differentiable]
impl Mul<f64> for Point {
    type Output = Point;
    fn mul(self, by: f64) -> Point {
        self.scaled(by)
    }
}
#[differentiable]
impl Mul<Point> for f64 {
    type Output = Point;
    fn mul(self, point: Point) -> Point {
        point * self
    }
}
#[differentiable]
impl Mul for Point {
    type Output = f64;
    fn mul(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y
    }
}
#[differentiable]
impl Neg for Point {
    type Output = Point;
    fn neg(self) -> Point {
        Point {
            x: -self.x,
            y: -self.y,
        }
    }
}
#[differentiable]
impl AddAssign for Point {
    fn add_assign(&mut self, other: Point) {
        self.x += other.x;
        self.y += other.y;
    }
}

#[differentiable]
fn operators(x: f64) -> f64 {
    let a = Point::new(x, 2.0);
    let mut b = a + Point { x: 1.0, ..a } - -a;
    b += 2.0 * a;
    b.scale(0.5);
    (b * 3.0).norm() + a * b + b.scaled(x).x
}

#[derive(Clone, Debug, Differentiable)]
struct Matrix {
    rows: usize,
    columns: usize,
    data: Vec<f64>,
}
#[differentiable]
impl Matrix {
    fn zeros(rows: usize, columns: usize) -> Matrix {
        Matrix {
            rows,
            columns,
            data: vec![0.0; rows * columns],
        }
    }
    fn product(&self, other: &Matrix) -> Matrix {
        let mut out = Matrix::zeros(self.rows, other.columns);
        for i in 0..self.rows {
            for j in 0..other.columns {
                for k in 0..self.columns {
                    out[(i, j)] += self[(i, k)] * other[(k, j)];
                }
            }
        }
        out
    }
    fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.columns..(i + 1) * self.columns]
    }
    fn row_mut(&mut self, i: usize) -> &mut [f64] {
        let columns = self.columns;
        &mut self.data[i * columns..(i + 1) * columns]
    }
}
#[differentiable]
impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.columns + j]
    }
}
#[differentiable]
impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.columns + j]
    }
}

#[differentiable]
fn matrices(x: f64) -> f64 {
    let mut a = Matrix::zeros(2, 2);
    a[(0, 0)] = x;
    a[(0, 1)] = 2.0;
    a[(1, 1)] = a[(0, 0)] * 3.0;
    let mut b = a.product(&a);
    b.row_mut(1)[0] = x * x;
    for v in b.row_mut(0) {
        *v += 1.0;
    }
    b.row(0)[1] + b.row(1).len() as f64 + b[(1, 0)] + a.clone().product(&b)[(1, 1)]
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Expr {
    Number(f64),
    X,
    Sum(Box<Expr>, Box<Expr>),
    Product(Box<Expr>, Box<Expr>),
    Negate { of: Box<Expr> },
}
#[differentiable]
impl Expr {
    fn eval(&self, x: f64) -> f64 {
        match self {
            Expr::Number(n) => *n,
            Expr::X => x,
            Expr::Sum(a, b) => a.eval(x) + b.eval(x),
            Expr::Product(a, b) => a.eval(x) * b.eval(x),
            Expr::Negate { of } => -of.eval(x),
        }
    }
    fn depth(&self) -> usize {
        match self {
            Expr::Number(_) | Expr::X => 1,
            Expr::Sum(a, b) | Expr::Product(a, b) => 1 + a.depth().max(b.depth()),
            Expr::Negate { of } => 1 + of.depth(),
        }
    }
}
#[differentiable]
fn trees(x: f64) -> f64 {
    let x2 = Expr::Product(Box::new(Expr::X), Box::new(Expr::X));
    let number = Expr::Number(x);
    let e = Expr::Sum(
        Box::new(x2.clone()),
        Box::new(Expr::Negate {
            of: Box::new(number),
        }),
    );
    let same = x2 == x2.clone();
    e.eval(x + 1.0) + e.depth() as f64 + if same { 1.0 } else { 0.0 }
}

#[derive(Debug, Differentiable)]
struct Node {
    value: f64,
    next: Option<Box<Node>>,
}
#[differentiable]
fn linked(x: f64) -> f64 {
    let mut head: Option<Box<Node>> = None;
    for i in 0..4 {
        head = Some(Box::new(Node {
            value: x + i as f64,
            next: head,
        }));
    }
    let mut sum = 0.0;
    let mut at = &head;
    while let Some(node) = at {
        sum += node.value * node.value;
        at = &node.next;
    }
    let mut at = &mut head;
    while let Some(node) = at {
        node.value *= 2.0;
        at = &mut node.next;
    }
    if let Some(node) = &mut head {
        node.value += 1.0;
        if let Some(second) = node.next.as_mut() {
            second.value -= x;
        }
    }
    let mut at = head.as_ref();
    while let Some(node) = at {
        sum += node.value;
        at = node.next.as_ref();
    }
    let taken = head.take();
    sum + taken.map_or(0.0, |node| node.value) + if head.is_none() { 1.0 } else { 0.0 }
}

#[derive(Debug, Differentiable)]
struct Cyclic {
    value: f64,
    links: Vec<Rc<RefCell<Cyclic>>>,
}
#[differentiable]
fn graphs(x: f64) -> f64 {
    let a = Rc::new(RefCell::new(Cyclic {
        value: x,
        links: Vec::new(),
    }));
    let b = Rc::new(RefCell::new(Cyclic {
        value: 2.0,
        links: vec![Rc::clone(&a)],
    }));
    a.borrow_mut().links.push(b.clone());
    b.borrow_mut().value *= a.borrow().value;
    {
        let mut guard = a.borrow_mut();
        guard.value += 1.0;
        let first = &guard.links[0];
        first.borrow_mut().value += 3.0;
    }
    let mut sum = 0.0;
    for link in a.borrow().links.iter() {
        sum += link.borrow().value;
    }
    let counter = Cell::new(0.5);
    counter.set(counter.get() + sum);
    let old = counter.replace(x);
    sum + old * counter.get() + a.borrow().value
}

#[differentiable]
fn counter_of(start: f64) -> impl FnMut(f64) -> f64 {
    let mut total = start;
    move |by| {
        total += by;
        total
    }
}
#[differentiable]
fn compose<A, B>(f: A, g: B) -> impl Fn(f64) -> f64
where
    A: Fn(f64) -> f64,
    B: Fn(f64) -> f64,
{
    move |x| g(f(x))
}
#[differentiable]
fn boxed(by: f64) -> Box<dyn Fn(f64) -> f64> {
    if by > 0.0 {
        Box::new(move |x| x * by)
    } else {
        Box::new(f64::abs)
    }
}
#[differentiable]
fn double(x: f64) -> f64 {
    2.0 * x
}
#[differentiable]
fn call_dyn(f: &dyn Fn(f64) -> f64, x: f64) -> f64 {
    f(f(x))
}
#[differentiable]
fn call_mut(f: &mut impl FnMut(f64), x: f64) {
    f(x);
    f(x * 0.5);
}
#[differentiable]
fn call_pointer(f: fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}
#[derive(Differentiable)]
struct Layer {
    activation: fn(f64) -> f64,
    weight: f64,
}
#[differentiable]
fn functions(x: f64) -> f64 {
    let mut next = counter_of(x);
    let a = next(1.0) + next(2.0);
    let f = compose(|v| v * v, double);
    let g = compose(&f, |v| v - x);
    let mut list = Vec::new();
    let mut log = |v: f64| list.push(v);
    call_mut(&mut log, x);
    log(3.0);
    let h = double;
    let table: [fn(f64) -> f64; 2] = [double, h];
    let layer = Layer {
        activation: double,
        weight: x,
    };
    let parts = vec![boxed(x), boxed(2.0), Box::new(|v| v + 1.0)];
    let mut sum = 0.0;
    for part in &parts {
        sum += part(x);
    }
    let offset = 0.25;
    let add = |v: f64| -> f64 { v + offset };
    sum + a
        + f(x)
        + g(x)
        + list.len() as f64
        + list[1]
        + call_dyn(&add, x)
        + call_dyn(&double, x)
        + call_pointer(h, x)
        + table[1](x)
        + (layer.activation)(layer.weight)
}

#[differentiable]
trait Shape {
    fn area(&self) -> f64;
    fn grow(&mut self, by: f64);
    fn twice(&self) -> f64 {
        2.0 * self.area()
    }
}
#[derive(Clone, Differentiable)]
struct Circle(f64);
#[derive(Clone, Differentiable)]
struct Square {
    side: f64,
}
#[differentiable]
impl Shape for Circle {
    fn area(&self) -> f64 {
        3.0 * self.0 * self.0
    }
    fn grow(&mut self, by: f64) {
        self.0 += by;
    }
}
#[differentiable]
impl Shape for Square {
    fn area(&self) -> f64 {
        self.side * self.side
    }
    fn grow(&mut self, by: f64) {
        self.side *= by;
    }
    fn twice(&self) -> f64 {
        self.area() + self.area()
    }
}
#[differentiable]
fn area_of<S: Shape>(shape: &S) -> f64 {
    shape.area() + shape.twice()
}
#[differentiable]
fn area_dyn(shape: &dyn Shape) -> f64 {
    shape.area() * 0.5
}
#[differentiable]
fn traits(x: f64) -> f64 {
    let mut all: Vec<Box<dyn Shape>> = Vec::new();
    all.push(Box::new(Circle(x)));
    all.push(Box::new(Square { side: 2.0 }));
    for shape in all.iter_mut() {
        shape.grow(x);
    }
    let mut total = 0.0;
    for shape in &all {
        total += shape.area() + shape.twice();
    }
    let mut circle = Circle(0.5);
    circle.grow(x);
    let by_reference: &mut dyn Shape = &mut circle;
    by_reference.grow(1.0);
    total + area_of(&circle) + area_dyn(&circle) + area_dyn(&*all[1])
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Dual<T> {
    value: T,
    slope: T,
}
#[differentiable]
impl<T: Float> Dual<T> {
    fn variable(value: T) -> Self {
        Dual {
            value,
            slope: T::one(),
        }
    }
    fn square(self) -> Self {
        Dual {
            value: self.value * self.value,
            slope: T::from_f64(2.0) * self.value * self.slope,
        }
    }
    fn map<F: Fn(T) -> T>(self, f: F) -> Self {
        Dual {
            value: f(self.value),
            ..self
        }
    }
}
#[differentiable]
fn sum_of<T: Float>(x: &[T], start: T) -> T {
    let mut sum = start;
    for &v in x {
        sum += v;
    }
    sum
}
#[differentiable]
fn largest<T: Float>(a: T, b: T) -> T {
    if a > b { a } else { b.max(T::zero()) }
}
#[differentiable]
fn pair<A: Clone, B>(a: &A, b: B) -> (A, B) {
    (a.clone(), b)
}
#[differentiable]
fn generics(x: f64) -> f64 {
    let d = Dual::variable(x).square().map(|v| v + 1.0);
    let single = Dual::variable(x as f32).square();
    let (v, n) = pair(&vec![x, 2.0], 3);
    let total = sum_of(&v, 0.5) + sum_of(&[1.0f32, 2.0], 0.0) as f64;
    d.value
        + d.slope
        + single.slope as f64
        + total
        + n as f64
        + largest(x, 0.25)
        + largest::<f32>(0.5, 1.0) as f64
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Mode {
    Off,
    Linear { slope: f64 },
    Table([f64; 3]),
}
const TABLE: [f64; 3] = [0.5, 1.5, -2.0];
const LIMITS: (f64, usize) = (2.0, 7);
static OFFSET: f64 = 0.125;
#[differentiable]
fn matches(x: f64) -> f64 {
    let mode = match x {
        v if v < 0.0 => Mode::Off,
        v if v < 1.0 => Mode::Linear { slope: v },
        _ => Mode::Table(TABLE),
    };
    let mut copy = mode;
    if let Mode::Table(ref mut t) = copy {
        t[0] += x;
    }
    let value = |mode: &Mode| match *mode {
        Mode::Off => OFFSET,
        Mode::Linear { slope: s } => s * LIMITS.0,
        Mode::Table([a, .., c]) => a + c,
    };
    let n = 7 + (x > 0.0) as usize;
    let text = match n {
        0 => 0.0,
        1..=5 => 1.0,
        k @ 6..8 => k as f64,
        k if k % 2 == 0 => 8.5,
        _ => 9.0,
    };
    let nested = match (mode, n) {
        (Mode::Off, 0..=3) | (Mode::Linear { .. }, 8) => 1.0,
        (Mode::Off, _) => 2.0,
        (m, k) if m == Mode::Off && k == 1 => 3.0,
        _ => 4.0,
    };
    value(&mode) + value(&copy) + text + nested + LIMITS.1 as f64
}

#[derive(Debug, Differentiable)]
enum Failure {
    Negative(f64),
    Empty,
}
#[derive(Debug, Differentiable)]
struct Wrapped(Failure);
#[differentiable]
impl From<Failure> for Wrapped {
    fn from(failure: Failure) -> Self {
        Wrapped(failure)
    }
}
#[differentiable]
fn root(x: f64) -> Result<f64, Failure> {
    if x < 0.0 {
        return Err(Failure::Negative(x));
    }
    Ok(x.sqrt())
}
#[differentiable]
fn roots(x: &[f64]) -> Result<f64, Wrapped> {
    let first = x.first().copied().ok_or(Failure::Empty)?;
    let mut sum = root(first)?;
    for &v in x {
        sum += root(v)?;
    }
    Ok(sum)
}
#[differentiable]
fn failures(x: f64) -> f64 {
    let value = match roots(&[x, 4.0]) {
        Ok(v) => v,
        Err(Wrapped(Failure::Negative(v))) => v * 2.0,
        Err(Wrapped(Failure::Empty)) => 0.0,
    };
    let Ok(other) = root(x * x) else {
        panic!("no square is negative");
    };
    let third = root(x).unwrap_or(7.0);
    value + other + third + root(4.0).unwrap() + root(9.0).expect("positive")
}

#[differentiable]
fn is_even(n: u32, x: f64) -> f64 {
    if n == 0 { x } else { is_odd(n - 1, x * 1.5) }
}
#[differentiable]
fn is_odd(n: u32, x: f64) -> f64 {
    if n == 0 { -x } else { is_even(n - 1, x + 1.0) }
}
#[differentiable]
fn recursion(x: f64) -> f64 {
    #[differentiable]
    fn inner(x: f64) -> f64 {
        x + 1.0
    }
    let x = inner(x);
    is_even(5, x) + is_odd(4, x)
}

#[differentiable]
fn late(x: f64) -> f64 {
    let y;
    let mut v = Vec::new();
    if x > 0.0 {
        y = x;
        v.push(1.0);
    } else {
        y = -x;
    }
    let mut best = None;
    for i in 0..3 {
        let candidate = y * i as f64;
        if best.is_none() || best != Some(candidate) {
            best = Some(candidate);
        }
        v.push(candidate);
    }
    let (mut a, mut b) = (1.0, y);
    (a, b) = (b, a + b);
    std::mem::swap(&mut a, &mut b);
    let old = std::mem::replace(&mut a, 4.0);
    let z = 'found: {
        for (i, w) in v.iter().enumerate() {
            if *w > 1.5 {
                break 'found i as f64;
            }
        }
        -1.0
    };
    let n = loop {
        v.pop();
        if v.len() < 2 {
            break v.len();
        }
    };
    z + a + b + old + n as f64 + best.unwrap() + v[0]
}

#[differentiable]
fn slices(x: f64) -> f64 {
    let mut v = vec![x, 2.0, 3.0, 4.0, 5.0, 6.0];
    let (left, right) = v.split_at_mut(3);
    left[0] += right[2];
    right.copy_from_slice(left);
    v.swap(0, 5);
    for chunk in v.chunks_mut(4) {
        let n = chunk.len();
        chunk[n - 1] *= 2.0;
    }
    let mut windows = 0.0;
    for w in v.windows(2) {
        windows += w[0] * w[1];
    }
    let mut zipped = 0.0;
    for ((i, a), b) in v.iter().enumerate().zip(&v[1..]) {
        zipped += i as f64 * a * b;
    }
    for (a, &b) in v.iter_mut().zip([1.0, 2.0].iter()) {
        *a += b;
    }
    let mut grid = [[0.0; 3]; 2];
    for (i, row) in grid.iter_mut().enumerate() {
        for cell in row.iter_mut() {
            *cell = x + i as f64;
        }
        row[1] = 9.0;
    }
    let copy = grid;
    grid[0][0] = 100.0;
    let mut nested: Vec<Vec<f64>> = Vec::with_capacity(2);
    nested.push(v.clone());
    nested.push(Vec::new());
    nested[1].push(x);
    nested[1][0] += nested[0][1];
    let last = nested[0].last().copied().unwrap_or(0.0);
    v.fill(x);
    let tail = if let [first, .., z] = v[..] {
        first - z
    } else {
        0.0
    };
    windows
        + zipped
        + copy[0][0]
        + grid[1][2]
        + nested[1][0]
        + last
        + v[3]
        + tail
        + nested[0].get(1).unwrap()
}

#[differentiable]
fn captured(x: f64) -> f64 {
    let mut state = [x, 1.0];
    let mut count = 0usize;
    {
        let mut step = |by: f64| {
            state[0] += by;
            state[1] *= 0.5;
            count += 1;
            if count > 1 {
                state = [state[1], state[0]];
            }
        };
        step(1.0);
        step(x);
    }
    let mut moved = [x; 2];
    let mut change = move || {
        moved[0] += 1.0;
        moved[0]
    };
    let mut p = Point::new(x, x);
    let mut outer = |k: f64| {
        let mut inner = |j: f64| p.x += j;
        inner(k);
        inner(k * 2.0);
        p.y
    };
    let y = outer(2.0);
    let weights = vec![1.0, x];
    let dot = |v: &[f64]| {
        let mut s = 0.0;
        for (a, b) in v.iter().zip(&weights) {
            s += a * b;
        }
        s
    };
    state[0]
        + state[1]
        + count as f64
        + change()
        + change()
        + moved[0]
        + p.x
        + y
        + dot(&[2.0, 3.0])
        + dot(&weights)
}

#[differentiable]
fn boundaries(x: f64) -> f64 {
    let t = (x, (1usize, [x, 2.0]));
    let (a, (n, [b, c])) = t;
    let u = (t.1).1[0] + t.0;
    let i = 3u8 as usize + n;
    let y = if i > 3 && x.is_finite() || false {
        u
    } else {
        0.0
    };
    let big =
        f64::max(a, 1.0).min(f64::MAX) + f64::EPSILON + f64::from(3i32) + i32::pow(2, 3) as f64;
    let s: f64 = {
        let z = a * b;
        z + c
    };
    let f = f64::sin;
    let w = f(x) + core::f64::consts::PI;
    y + big + s + w
}

#[differentiable]
impl Mode {
    const STEPS: usize = 3;
    fn advance(&mut self) {
        *self = match self {
            Mode::Off => Mode::Linear { slope: 1.0 },
            Mode::Linear { slope } => Mode::Table([*slope; 3]),
            Mode::Table(_) => Mode::Off,
        };
    }
    fn weight(self) -> f64 {
        match self {
            Mode::Off => 0.0,
            Mode::Linear { slope } => slope,
            Mode::Table(t) => t.iter().sum(),
        }
    }
}
#[differentiable]
fn states(x: f64) -> f64 {
    let mut mode = Mode::Linear { slope: x };
    let mut total = 0.0;
    for _ in 0..Mode::STEPS {
        total += mode.weight();
        mode.advance();
        if let Mode::Table(t) = &mut mode {
            t[1] *= x;
        }
    }
    let mut modes = [mode, Mode::Off];
    modes[1].advance();
    let mut maybe = Some(modes[1]);
    while let Some(m) = maybe {
        total += m.weight();
        maybe = if total < 100.0 && m != Mode::Off {
            None
        } else {
            Some(Mode::Off)
        };
        if m == Mode::Off {
            break;
        }
    }
    total
}

#[differentiable]
fn points(x: f64) -> f64 {
    let mut all = vec![
        Point::new(x, 1.0),
        Point { x: 2.0, y: x },
        Point::new(0.5, 0.25),
    ];
    for p in &mut all {
        p.x += 1.0;
    }
    for p in all.iter_mut() {
        p.scale(2.0);
    }
    all[1].y += all[0].x;
    let other = all.clone();
    for (a, b) in all.iter_mut().zip(&other) {
        *a = *a + *b * x;
    }
    for (i, Point { x: u, .. }) in all.iter().enumerate() {
        if i == 1 && *u > 0.0 {
            continue;
        }
        all_work(u);
    }
    let last = all.pop().unwrap();
    let taken = std::mem::take(&mut all);
    let first = &taken[0];
    let mut grid = [[Point::new(0.0, 0.0); 2]; 2];
    grid[1][0].x = x;
    grid[0] = grid[1];
    grid[0][0].x += 1.0;
    let Point { x: a, y: b } = grid[0][0];
    let sum: f64 = taken.iter().map(|p| p.x * p.y).sum();
    first.norm() + last.y + all.len() as f64 + a + b + grid[1][0].x + sum
}
#[differentiable]
fn all_work(u: &f64) {
    let _ = *u;
}

#[derive(Differentiable)]
struct Countdown {
    left: usize,
    by: f64,
}
#[differentiable]
impl Iterator for Countdown {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        Some(self.left as f64 * self.by)
    }
}
#[differentiable]
fn iterators(x: f64) -> f64 {
    let mut sum = 0.0;
    for v in (Countdown { left: 4, by: x }) {
        sum += v;
    }
    for (i, v) in (Countdown { left: 3, by: x }).enumerate().skip(1) {
        sum += v * i as f64;
    }
    let v: Vec<f64> = (0..5).map(|i| x * i as f64).filter(|w| *w != x).collect();
    let squares = v.iter().map(|w| w * w).fold(0.0, |a, b| a + b);
    let (big, small): (f64, f64) = (
        v.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        v.iter().fold(x, |a, &b| a.min(b)),
    );
    let nested: Vec<Vec<f64>> = v.chunks(2).map(|c| c.to_vec()).collect();
    let flat: f64 = nested.iter().flatten().sum();
    let found = v.iter().position(|&w| w == 0.0).unwrap_or(9);
    let all = v.iter().all(|w| w.is_finite()) && !v.is_empty();
    let pairs: f64 = v.iter().zip(v.iter().skip(1)).map(|(a, b)| a * b).sum();
    let mut it = v.iter();
    let first = it.next().copied();
    let rest: f64 = it.rev().take(2).sum();
    let product: f64 = v.windows(2).map(|w| w[1] - w[0]).product();
    let best = v
        .iter()
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(b.1))
        .map(|(i, _)| i);
    let option: Option<Vec<f64>> = v
        .iter()
        .map(|&w| if w > -100.0 { Some(w) } else { None })
        .collect();
    sum + squares
        + big
        + small
        + flat
        + found as f64
        + if all { 1.0 } else { 0.0 }
        + pairs
        + first.unwrap_or(x)
        + rest
        + product
        + best.unwrap_or(0) as f64
        + option.map_or(0.0, |o| o.len() as f64)
}

#[derive(Differentiable)]
struct Network<F> {
    activation: F,
    weights: Vec<f64>,
}
#[differentiable]
impl<F: Fn(f64) -> f64> Network<F> {
    fn run(&self, x: f64) -> f64 {
        let mut y = x;
        for &w in &self.weights {
            y = (self.activation)(w * y);
        }
        y
    }
}
#[differentiable]
fn run_boxed(f: Box<dyn FnMut(f64) -> f64>, x: f64) -> f64 {
    let mut f = f;
    f(x) + f(x)
}
#[differentiable]
fn each(values: &[f64], f: &mut dyn FnMut(usize, f64)) {
    for (i, &v) in values.iter().enumerate() {
        f(i, v);
    }
}
#[differentiable]
fn pick(n: usize) -> fn(f64) -> f64 {
    match n {
        0 => double,
        _ => |x| x * 3.0,
    }
}
#[differentiable]
fn of_slices(f: &impl Fn(&[f64]) -> f64, x: f64) -> f64 {
    f(&[x, 1.0]) + f(&vec![x; 3])
}
#[differentiable]
fn higher_order(x: f64) -> f64 {
    let network = Network {
        activation: |v: f64| v.tanh(),
        weights: vec![x, 0.5],
    };
    let scale = 2.0;
    let inner = move |v: f64| v * scale;
    let outer = |v: f64| inner(v) + inner(v + 1.0);
    let mut total = 0.0;
    each(&[x, 2.0, 3.0], &mut |i, v| total += v * i as f64);
    let mut n = 0.0;
    let counter = Box::new(move |v: f64| {
        n += 1.0;
        v * n
    });
    let table: Vec<(f64, Box<dyn Fn(f64) -> f64>)> =
        vec![(1.0, Box::new(inner)), (2.0, Box::new(|v| v - x))];
    let mut weighted = 0.0;
    for (w, f) in &table {
        weighted += w * f(x);
    }
    let shared: Rc<dyn Fn(f64) -> f64> = Rc::new(move |v| v * x);
    let again = shared.clone();
    let maybe: Option<Box<dyn Fn(f64) -> f64>> = if x > 0.0 { Some(Box::new(outer)) } else { None };
    let chosen = if let Some(f) = &maybe { f(1.0) } else { -1.0 };
    let early = |v: f64| -> Option<f64> {
        let w = if v > 0.0 { Some(v) } else { None }?;
        if w > 2.0 {
            return None;
        }
        Some(w * 2.0)
    };
    network.run(x)
        + outer(x)
        + total
        + run_boxed(counter, x)
        + weighted
        + shared(2.0)
        + again(3.0)
        + chosen
        + pick(0)(x)
        + pick(1)(x)
        + of_slices(&|v| v[0] * v.len() as f64, x)
        + early(x).unwrap_or(0.5)
}

#[differentiable]
trait Activation {
    fn apply(&self, x: f64) -> f64;
    fn slope() -> f64;
    fn both(&self, x: f64) -> f64 {
        self.apply(x) + Self::slope()
    }
}
#[derive(Clone, Copy, Differentiable)]
struct Relu;
#[derive(Clone, Copy, Differentiable)]
struct Leaky(f64);
#[differentiable]
impl Activation for Relu {
    fn apply(&self, x: f64) -> f64 {
        x.max(0.0)
    }
    fn slope() -> f64 {
        1.0
    }
}
#[differentiable]
impl Activation for Leaky {
    fn apply(&self, x: f64) -> f64 {
        if x < 0.0 { x * self.0 } else { x }
    }
    fn slope() -> f64 {
        0.5
    }
}
#[derive(Differentiable)]
struct Stack<A> {
    layers: Vec<A>,
    bias: f64,
}
#[differentiable]
impl<A: Activation> Stack<A> {
    fn new(layers: Vec<A>) -> Self {
        Stack {
            layers,
            bias: A::slope(),
        }
    }
    fn run(&self, mut x: f64) -> f64 {
        for layer in &self.layers {
            x = layer.both(x) + self.bias;
        }
        x
    }
}
#[differentiable]
fn statics(x: f64) -> f64 {
    let a = Stack::new(vec![Relu, Relu]);
    let b = Stack::new(vec![Leaky(0.1), Leaky(x)]);
    a.run(x) + b.run(x) + <Relu as Activation>::slope() + Leaky::apply(&Leaky(2.0), -x)
}

#[differentiable]
fn exact(x: f64) -> f64 {
    x * x
}
#[differentiable(overlay = exact)]
fn rounded(x: f64) -> f64 {
    (x * x).round()
}
#[differentiable]
fn calls_rounded(x: f64) -> f64 {
    rounded(x) + 1.0
}

#[differentiable]
fn references(x: f64) -> f64 {
    let mut a = x;
    let mut b = 2.0;
    {
        let r = if x > 0.0 { &mut a } else { &mut b };
        *r += 1.0;
        let s = &mut *r;
        *s *= 2.0;
    }
    let mut pair = (x, [1.0, 2.0]);
    let (p, q) = (&mut pair.0, &mut pair.1);
    *p += 1.0;
    q[0] = *p;
    std::mem::swap(p, &mut q[1]);
    let mut v = vec![1.0, x];
    if let Some(last) = v.last_mut() {
        *last += 1.0;
    }
    let first = v.first_mut().unwrap();
    *first -= x;
    let [ref mut m, n] = [x, 3.0];
    *m += n;
    let mut boxed = Box::new(x);
    *boxed += 1.0;
    let unboxed = *boxed;
    let mut nested = Box::new(Box::new(Point::new(x, 1.0)));
    nested.x += 1.0;
    nested.scale(2.0);
    let t = &nested;
    let mut o = Some(1.0);
    if let Some(w) = o.as_mut() {
        *w += x;
    }
    for w in o.iter_mut() {
        *w *= 2.0;
    }
    let mut rows = vec![vec![1.0; 2]; 2];
    let (top, bottom) = rows.split_at_mut(1);
    std::mem::swap(&mut top[0], &mut bottom[0]);
    bottom[0][1] += x;
    a + b
        + pair.0
        + pair.1[0]
        + pair.1[1]
        + v[0]
        + v[1]
        + *m
        + unboxed
        + t.y
        + t.x
        + o.unwrap_or_default()
        + rows[1][1]
}

#[differentiable]
fn long_chain(x: f64) -> f64 {
    (0..3)
        .map(|i| i as f64 * x)
        .map(|v| v + 1.0)
        .map(|v| v + 1.0)
        .map(|v| v + 1.0)
        .filter(|v| *v > -1e9)
        .map(|v| v + 1.0)
        .map(|v| v + 1.0)
        .map(|v| v + 1.0)
        .enumerate()
        .map(|(i, v)| v + i as f64)
        .map(|v| v + 1.0)
        .map(|v| v + 1.0)
        .filter(|v| *v > -1e9)
        .map(|v| v + 1.0)
        .map(|v| v + 1.0)
        .map(|v| v + 1.0)
        .map(|v| v + 1.0)
        .map(|v| v + 1.0)
        .map(|v| v + 1.0)
        .skip(1)
        .map(|v| v + 1.0)
        .map(|v| v + 1.0)
        .sum()
}

#[differentiable]
fn make(x: f64) -> Option<Point> {
    if x > 0.0 {
        Some(Point::new(x, 1.0))
    } else {
        None
    }
}
#[differentiable]
fn temporaries(x: f64) -> f64 {
    let mut sum = 0.0;
    if let Some(ref mut p) = make(x) {
        p.scale(2.0);
        sum += p.x;
    }
    match make(-x) {
        Some(Point {
            x: ref mut a,
            y: ref mut b,
        }) => {
            std::mem::swap(a, b);
            *a += 1.0;
            sum += *a * *b;
        }
        None => sum -= 1.0,
    }
    Point::new(x, 2.0).scale(3.0);
    let p = &mut Point::new(x, 2.0);
    p.scale(3.0);
    (0.5..2.0).contains(&x) as usize as f64 + sum + p.norm()
}

mod other {
    use super::*;
    /// Of the same name as another.
    #[derive(Clone, Debug, PartialEq, Differentiable)]
    pub struct Point {
        pub x: f64,
        pub tag: usize,
    }
}
#[differentiable]
fn namesakes(x: f64) -> f64 {
    let here = Point::new(x, 1.0) == Point::new(x, 2.0);
    let there = other::Point { x, tag: 1 } == other::Point { x, tag: 1 };
    let f: Box<dyn Fn(Point) -> f64> = Box::new(|p| p.y);
    let g: Box<dyn Fn(other::Point) -> f64> = Box::new(|p| p.x);
    f(Point::new(x, 3.0))
        + g(other::Point { x, tag: 0 })
        + here as i32 as f64
        + 10.0 * there as i32 as f64
}

/// A test for each program.
macro_rules! programs {
    ($($f:ident)*) => {
        mod agrees {
            $(#[test]
            fn $f() {
                use super::*;
                for x in [0.75, -1.5, 3.0] {
                    agree!($f(x));
                }
            })*
        }
    };
}
programs! {
    operators matrices trees linked graphs functions traits captured generics
    matches failures recursion late boundaries slices states points iterators
    higher_order statics references long_chain temporaries namesakes
}

#[test]
fn an_overlay_is_what_derivatives_see() {
    let ctx = Context::default();
    let value = |overlays: bool| {
        let (source, arguments) = <calls_rounded as Callable>::callee();
        let program = elaborate(source, &arguments, ctx.registry(), overlays).unwrap();
        let program = check_borrows(program).unwrap();
        let module = lower(&program, ctx.registry()).unwrap();
        let x = Datum::Scalar(Const::Float(1.2));
        run(&module, &[x], &Packs(ctx.registry())).unwrap()
    };
    assert_eq!(value(false), Datum::Scalar(Const::Float(2.0)));
    assert_eq!(value(true), Datum::Scalar(Const::Float(1.2 * 1.2 + 1.0)));
}

/// The message of a function that is refused.
fn refusal<F: Callable>() -> String {
    let ctx = Context::default();
    let (source, arguments) = F::callee();
    match elaborate(source, &arguments, ctx.registry(), false).and_then(check_borrows) {
        Ok(_) => panic!("it is accepted"),
        Err(error) => error.to_string(),
    }
}

#[derive(Clone, Copy, PartialEq, PartialOrd, Differentiable)]
struct Meters(f64);
impl Sub for Meters {
    type Output = Meters;
    fn sub(self, other: Meters) -> Meters {
        Meters(self.0 - other.0)
    }
}
#[differentiable]
fn plain_operator(x: f64) -> f64 {
    (Meters(x) - Meters(1.0)).0
}
#[differentiable]
fn ordered(x: f64) -> bool {
    (Meters(x), "a") < (Meters(1.0), "b")
}

#[test]
fn what_is_refused_says_what_to_do() {
    let text = refusal::<plain_operator>();
    assert!(
        text.starts_with("nothing defines `sub` for `Meters` and `Meters`"),
        "{text}"
    );
    assert!(text.contains("(Meters(x) - Meters(1.0)).0"), "{text}");
    assert!(
        text.contains("help: write `#[differentiable]` before the `impl`"),
        "{text}"
    );
    let text = refusal::<ordered>();
    assert!(
        text.starts_with("values of type `str` cannot be compared by order here"),
        "{text}"
    );
}

/// A test of the derivatives of each program, in both modes.
macro_rules! derivatives {
    ($($f:ident)*) => {
        mod derives {
            $(#[test]
            fn $f() {
                use super::*;
                let tested = test_rule::<$f>(&Context::default(), (0.8,));
                tested.unwrap_or_else(|error| panic!("{error}"));
            })*
        }
    };
}
// `generics` computes in f32 on its way: differences of that show nothing.
derivatives! {
    operators matrices trees linked graphs functions traits captured
    matches failures recursion late boundaries slices states points iterators
    higher_order statics references long_chain temporaries namesakes
}
