//! The wide language: data structures, references, closures and dynamic values mean in the interpreter what they mean in rustc.

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
fn arrays(x: f64) -> f64 {
    let a = [x, 2.0 * x, 3.0];
    let mut b = a;
    b[0] = 5.0;
    let mut grid = [[x; 2]; 3];
    let row = grid[1];
    grid[1][0] = 7.0;
    let mut pair = (a, 1.0);
    let copy = pair;
    pair.0[2] += 1.0;
    let mut s = 0.0;
    for mut row in grid {
        row[0] += 1.0;
        s += row[0];
    }
    for row in &grid {
        s += row[0] * 10.0;
    }
    a[0] + b[0] + row[0] + grid[1][0] + copy.0[2] * pair.0[2] + s + b.len() as f64
}

const WEIGHTS: [f64; 3] = [0.5, 0.25, 0.125];
const TABLE: [(f64, usize); 2] = [(1.5, 1), (2.5, 2)];

#[differentiable]
fn tables(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += WEIGHTS[i % 3] * x[i] + TABLE[i % 2].0;
        for w in WEIGHTS {
            s *= w + 1.0;
        }
        for w in WEIGHTS.iter() {
            s -= w;
        }
    }
    s
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

#[derive(Clone, Debug, Differentiable)]
enum List {
    Nil,
    Cons(f64, Box<List>),
}

#[differentiable]
fn sum_list(list: &List) -> f64 {
    match list {
        List::Nil => 0.0,
        List::Cons(head, tail) => head + 0.5 * sum_list(tail),
    }
}

#[differentiable]
fn lists(x: f64) -> f64 {
    let mut list = List::Nil;
    for i in 0..4 {
        list = List::Cons(x + i as f64, Box::new(list));
    }
    let copy = list.clone();
    if let List::Cons(head, tail) = &mut list {
        *head = 100.0;
        if let List::Cons(second, _) = &mut **tail {
            *second *= 2.0;
        }
    }
    sum_list(&list) - sum_list(&copy)
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
fn iterators(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for (a, b) in x.iter().zip(y) {
        s = 0.5 * s + a * b;
    }
    for pair in x.windows(2) {
        s += pair[0] - 2.0 * pair[1];
    }
    for (i, part) in x.chunks(2).enumerate() {
        for v in part {
            s += v * i as f64;
        }
    }
    for v in x.iter().rev().step_by(2) {
        s = 0.5 * s - v;
    }
    for (i, v) in y.iter().enumerate().rev() {
        s += v / (i + 1) as f64;
    }
    s
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

#[differentiable]
fn norm_of<T: mooncake::Float>(x: &[T]) -> T {
    let mut s = T::zero();
    for &v in x {
        s += v * v;
    }
    s.sqrt()
}

#[differentiable]
fn generics(x: f64) -> f64 {
    norm_of(&[x, 2.0]) + norm_of(&[x as f32, 1.0f32]) as f64
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

#[differentiable]
fn double_norm(x: f64) -> f64 {
    norm_of(&[x, 2.0])
}

#[test]
fn data_structures() {
    agree!(structs(0.5, -1.5));
    agree!(shapes(0.5, -1.5));
    for x in [
        [2.0, 3.0],
        [0.5, -1.0],
        [-1.0, -2.0],
        [-1.0, 2.0],
        [3.0, 9.0],
    ] {
        agree!(options(&x));
    }
    agree!(lists(0.75));
    agree!(rings(0.75));
    agree!(cells(0.75));
}

#[test]
fn vectors_and_arrays() {
    for n in [0, 1, 5, 9] {
        agree!(vectors(n, 1.25));
    }
    agree!(arrays(0.75));
    agree!(tables(&[1.0, -2.0, 3.0, 0.5]));
}

#[test]
fn mutable_references() {
    agree!(references(1.0, 3.0));
    agree!(references(4.0, 3.0));
    agree_mut!(places([1.0, 2.0, 3.0]));
}

#[test]
fn functions_as_values() {
    agree!(closures(0.75));
    agree!(dynamic(0.75));
    agree!(generics(0.75));
}

#[test]
fn loops_and_patterns() {
    agree!(both_ends(&[3.0, 4.0]));
    agree!(both_ends(&[3.0]));
    agree!(iterators(&[1.0, 2.0, 3.0, 4.0, 5.0], &[0.5, -1.0, 2.0]));
    for n in 0..5 {
        agree!(slice_patterns(&[1.0, 2.0, 4.0, 8.0, 16.0][..n]));
    }
    agree!(labels(&[1.0, 2.0, 3.5, 0.1]));
    agree!(labels(&[1.0, 2.0, 0.1]));
    for n in [-5, 0, 3, 6, 7, 10] {
        agree!(numbers_by_pattern(n));
    }
}

#[test]
fn derivatives_of_data_structures() {
    derives!(structs(0.5, -1.5));
    derives!(shapes(0.5, -1.5));
    for x in [[2.0, 3.0], [0.5, -1.0], [-1.0, 2.0], [3.0, 9.0]] {
        derives!(options(&x[..]));
    }
    derives!(lists(0.75));
    derives!(rings(0.75));
    derives!(cells(0.75));
}

#[test]
fn derivatives_of_vectors_and_arrays() {
    for n in [1, 5] {
        derives!(vectors(n, 1.25));
    }
    derives!(arrays(0.75));
    derives!(tables(&[1.0, -2.0, 3.0, 0.5][..]));
}

#[test]
fn derivatives_through_mutable_references() {
    derives!(references(1.0, 3.0));
    derives!(references(4.0, 3.0));
    derives!(places(&mut [1.0, 2.0, 3.0][..]));
}

#[test]
fn derivatives_of_functions_as_values() {
    derives!(closures(0.75));
    derives!(dynamic(0.75));
    derives!(double_norm(0.75));
}

#[test]
fn derivatives_of_loops_and_patterns() {
    derives!(iterators(
        &[1.0, 2.0, 3.0, 4.0, 5.0][..],
        &[0.5, -1.0, 2.0][..]
    ));
    derives!(slice_patterns(&[1.0, 2.0, 4.0, 8.0, 16.0][..]));
    derives!(labels(&[1.0, 2.0, 3.5, 0.1][..]));
}

#[derive(Clone, Debug, Differentiable)]
struct Tree {
    key: f64,
    left: Option<Box<Tree>>,
    right: Option<Box<Tree>>,
}

#[differentiable]
fn insert(tree: &mut Option<Box<Tree>>, key: f64) {
    match tree {
        None => {
            *tree = Some(Box::new(Tree {
                key,
                left: None,
                right: None,
            }))
        }
        Some(node) => {
            if key < node.key {
                insert(&mut node.left, key)
            } else {
                insert(&mut node.right, key)
            }
        }
    }
}

#[differentiable]
fn weigh(tree: &Option<Box<Tree>>, depth: f64) -> f64 {
    match tree {
        None => 0.0,
        Some(node) => {
            node.key * depth + weigh(&node.left, depth + 1.0) * weigh(&node.right, depth + 2.0)
        }
    }
}

#[differentiable]
fn trees(x: &[f64]) -> f64 {
    let mut root = None;
    for &v in x {
        insert(&mut root, v);
    }
    weigh(&root, 1.0)
}

#[derive(Debug, Differentiable)]
struct Link {
    value: f64,
    next: Option<Box<Link>>,
}

#[differentiable]
fn chain(x: f64, n: usize) -> f64 {
    let mut head: Option<Box<Link>> = None;
    for i in 0..n {
        head = Some(Box::new(Link {
            value: x * (i + 1) as f64,
            next: head.take(),
        }));
    }
    let mut at = &mut head;
    while let Some(link) = at {
        link.value *= link.value;
        at = &mut link.next;
    }
    let mut sum = 0.0;
    let mut at = &head;
    while let Some(link) = at {
        sum = 0.5 * sum + link.value;
        at = &link.next;
    }
    sum
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
    fn at(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.columns + j]
    }
    fn set(&mut self, i: usize, j: usize, value: f64) {
        self.data[i * self.columns + j] = value;
    }
    fn times(&self, other: &Matrix) -> Matrix {
        let mut out = Matrix::zeros(self.rows, other.columns);
        for i in 0..self.rows {
            for j in 0..other.columns {
                let mut s = 0.0;
                for k in 0..self.columns {
                    s += self.at(i, k) * other.at(k, j);
                }
                out.set(i, j, s);
            }
        }
        out
    }
}

#[differentiable]
fn matrices(x: f64) -> f64 {
    let mut a = Matrix::zeros(2, 3);
    for i in 0..2 {
        for j in 0..3 {
            a.set(i, j, x * (i + 2 * j) as f64);
        }
    }
    let mut b = Matrix::zeros(3, 2);
    b.data[3] = x;
    b.data[0] = 1.0;
    let c = a.times(&b);
    c.data.len() as f64 + c.at(1, 0) + c.at(0, 1) * c.at(1, 1)
}

#[differentiable]
fn grid_product(x: f64) -> f64 {
    let a = [[x, 1.0], [2.0, x * x]];
    let b = [[1.0, x], [0.5, 3.0]];
    let mut c = [[0.0; 2]; 2];
    for i in 0..2 {
        for j in 0..2 {
            for k in 0..2 {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    let t = c;
    c[0][0] = 0.0;
    t[0][0] * t[1][1] - t[0][1] * t[1][0] + c[0][0]
}

#[differentiable]
fn sorted(x: &mut [f64]) -> f64 {
    let n = x.len();
    for i in 0..n {
        for j in 0..n - 1 - i {
            if x[j] > x[j + 1] {
                x.swap(j, j + 1);
            }
        }
    }
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        s += v * i as f64;
    }
    s
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Window<'a> {
    data: &'a [f64],
    start: usize,
}

#[differentiable]
impl<'a> Window<'a> {
    fn rest(self) -> Window<'a> {
        Window {
            data: &self.data[1..],
            start: self.start + 1,
        }
    }
    fn first(&self) -> Option<f64> {
        if self.data.is_empty() {
            None
        } else {
            Some(self.data[0])
        }
    }
}

#[differentiable]
fn windowed(x: &[f64]) -> f64 {
    let own = vec![1.0, x[0]];
    let mut window = Window { data: x, start: 0 };
    let mut s = 0.0;
    while let Some(v) = window.first() {
        s += v * window.start as f64;
        window = window.rest();
    }
    window = Window {
        data: &own,
        start: 3,
    };
    s + window.rest().first().unwrap() + window.data[0]
}

#[differentiable]
fn fill_up(v: &mut Vec<f64>, x: f64) -> usize {
    while v.len() < 3 {
        v.push(x * v.len() as f64);
    }
    v.len()
}

#[differentiable]
fn halves_of(x: f64) -> Vec<f64> {
    let mut all = Vec::with_capacity(2);
    all.push(x);
    fill_up(&mut all, x);
    all
}

#[differentiable]
fn stacks(x: f64) -> f64 {
    let mut stack = halves_of(x);
    let mut pairs: Vec<(f64, usize)> = Vec::new();
    while let Some(top) = stack.pop() {
        pairs.push((top, stack.len()));
        if top > 1.0 && pairs.len() < 8 {
            stack.push(top * 0.5);
            stack.push(top - 1.0);
        }
    }
    let mut s = 0.0;
    for &(v, n) in &pairs {
        s += v * (n + 1) as f64;
    }
    for (v, n) in pairs.iter_mut() {
        *v *= 2.0;
        *n += 1;
    }
    let last = pairs.len() - 1;
    s + pairs[last].0 + pairs[0].1 as f64
}

#[differentiable]
fn constant_part(x: f64) -> f64 {
    let p = Point { x, y: x * x };
    let q = mooncake::stop_gradient(p);
    let v = mooncake::stop_gradient(vec![x, 2.0 * x]);
    q.x * p.y + v[1] * x
}

#[differentiable]
fn function_table(x: f64, which: usize) -> f64 {
    let table: [fn(f64) -> f64; 2] = [square, twice];
    fn_of(table[1 - which], x) + table[which](x) + fn_of(square, x)
}
#[differentiable]
fn fn_of(f: fn(f64) -> f64, x: f64) -> f64 {
    f(x) + 1.0
}
#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}
#[differentiable]
fn twice(x: f64) -> f64 {
    2.0 * x
}

#[differentiable]
fn counters(x: f64) -> f64 {
    let mut log = Vec::new();
    let mut note = |v: f64| {
        log.push(v * x);
        log.len()
    };
    let a = note(1.0);
    let b = note(x);
    let mut acc = [0.0; 2];
    let mut each = |i: usize, v: f64| acc[i] += v;
    each(0, x);
    each(1, 2.0 * x);
    each(0, 1.0);
    log[0] + log[1] * (a + b) as f64 + acc[0] * acc[1]
}

#[differentiable]
fn make_adders(x: f64) -> Vec<Box<dyn Fn(f64) -> f64>> {
    let mut all: Vec<Box<dyn Fn(f64) -> f64>> = Vec::new();
    for i in 0..3 {
        let by = x * i as f64;
        all.push(Box::new(move |v| v + by));
    }
    all.push(Box::new(move |v| v * x));
    all
}

#[differentiable]
fn adders(x: f64) -> f64 {
    let mut v = 1.0;
    for f in make_adders(x).iter() {
        v = f(v);
    }
    v
}

#[derive(Debug, Differentiable)]
struct Countdown {
    left: usize,
    value: f64,
}
#[differentiable]
impl Countdown {
    fn next(&mut self) -> Option<f64> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        self.value *= 1.5;
        Some(self.value)
    }
}

#[differentiable]
fn countdown(x: f64) -> f64 {
    let mut c = Countdown { left: 4, value: x };
    let mut s = 0.0;
    while let Some(v) = c.next() {
        s += v;
        if s > 100.0 {
            break;
        }
    }
    s
}

#[differentiable]
fn shared_rows(x: f64) -> f64 {
    let row = Rc::new(vec![x, 2.0]);
    let rows = vec![row.clone(), Rc::clone(&row), Rc::new(vec![3.0, x])];
    let mut s = 0.0;
    for row in rows.iter() {
        s += row[0] * row[1];
    }
    s
}

#[derive(Debug, Differentiable)]
struct Vertex {
    value: f64,
    edges: Vec<Rc<RefCell<Vertex>>>,
}

#[differentiable]
fn graph(x: f64) -> f64 {
    let mut all = Vec::new();
    for i in 0..4 {
        all.push(Rc::new(RefCell::new(Vertex {
            value: x + i as f64,
            edges: Vec::new(),
        })));
    }
    for i in 0..4 {
        let to = all[(i + 1) % 4].clone();
        all[i].borrow_mut().edges.push(to);
        if i % 2 == 0 {
            let to = Rc::clone(&all[(i + 2) % 4]);
            all[i].borrow_mut().edges.push(to);
        }
    }
    for _ in 0..2 {
        for i in 0..all.len() {
            let mut sum = 0.0;
            for to in all[i].borrow().edges.iter() {
                sum += to.borrow().value;
            }
            all[i].borrow_mut().value += 0.1 * sum;
        }
    }
    let first = all[0].borrow();
    first.value + all[3].borrow().value * first.edges.len() as f64
}

#[differentiable]
fn nested_options(x: f64) -> f64 {
    let pair: (Option<f64>, Result<Point, f64>) = (Some(x), Ok(Point { x, y: 2.0 }));
    let mut best: Option<Point> = None;
    if let (Some(a), Ok(p)) = pair {
        best = Some(Point { x: a + p.x, ..p });
    }
    if let Some(p) = &mut best {
        p.y *= 3.0;
        p.scale(x);
    }
    if let Some(Point { x: a, .. }) = best.as_mut() {
        *a += 1.0;
    }
    match (best, pair.0) {
        (Some(Point { x: a, y: b }), Some(c)) if a > c => a * b + c,
        (Some(p), _) => p.norm(),
        (None, _) => -1.0,
    }
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
fn trees_chains_and_graphs() {
    agree!(trees(&[3.0, 1.0, 4.0, 1.5, 9.0, 2.0]));
    agree!(chain(1.25, 4));
    agree!(graph(1.5));
    agree!(shared_rows(1.5));
    agree!(nested_options(1.5));
    derives!(trees(&[3.0, 1.0, 4.0, 1.5, 9.0, 2.0][..]));
    derives!(chain(1.25, 4));
    derives!(graph(1.5));
    derives!(shared_rows(1.5));
    derives!(nested_options(1.5));
}

#[test]
fn matrices_stacks_and_windows() {
    agree!(matrices(0.75));
    agree!(grid_product(0.75));
    agree_mut!(sorted([3.0, -1.0, 2.0, 0.5]));
    agree!(windowed(&[1.0, 2.0, 3.0]));
    agree!(stacks(3.25));
    derives!(matrices(0.75));
    derives!(grid_product(0.75));
    derives!(sorted(&mut [3.0, -1.0, 2.0, 0.5][..]));
    derives!(windowed(&[1.0, 2.0, 3.0][..]));
    derives!(stacks(3.25));
}

#[test]
fn functions_in_tables_and_functions_with_state() {
    agree!(function_table(1.5, 0));
    agree!(function_table(1.5, 1));
    agree!(counters(1.5));
    agree!(adders(1.5));
    agree!(countdown(1.5));
    derives!(function_table(1.5, 1));
    derives!(counters(1.5));
    derives!(adders(1.5));
    derives!(countdown(1.5));
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
