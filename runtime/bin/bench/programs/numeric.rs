//! Programs as people write them: physics, statistics, learning, finance, geometry, algorithms. `tests/programs` tests them too, with
//! little data.

use mooncake::prelude::*;
use std::cell::RefCell;
use std::fmt;
use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub};
use std::rc::Rc;

/// A system of ordinary differential equations, solved by Runge and Kutta's method.
#[differentiable]
fn rk4(f: impl Fn(f64, [f64; 2]) -> [f64; 2], mut y: [f64; 2], end: f64, steps: usize) -> [f64; 2] {
    let h = end / steps as f64;
    let along = |y: [f64; 2], k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
    for n in 0..steps {
        let t = n as f64 * h;
        let k1 = f(t, y);
        let k2 = f(t + h / 2.0, along(y, k1, h / 2.0));
        let k3 = f(t + h / 2.0, along(y, k2, h / 2.0));
        let k4 = f(t + h, along(y, k3, h));
        for i in 0..2 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    y
}

#[differentiable]
pub fn pendulum(angle: f64, gravity: f64, friction: f64) -> f64 {
    let end = rk4(
        |_t, [angle, speed]| [speed, -gravity * angle.sin() - friction * speed],
        [angle, 0.0],
        1.0,
        8,
    );
    end[0].powi(2) + end[1]
}

/// A ray tracer's inner loop.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
pub struct Vec3 {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}
#[differentiable]
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, other: Vec3) -> Vec3 {
        Vec3 {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}
#[differentiable]
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, other: Vec3) -> Vec3 {
        self + -other
    }
}
#[differentiable]
impl Neg for Vec3 {
    type Output = Vec3;
    fn neg(self) -> Vec3 {
        self * -1.0
    }
}
#[differentiable]
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, k: f64) -> Vec3 {
        Vec3 {
            x: self.x * k,
            y: self.y * k,
            z: self.z * k,
        }
    }
}
#[differentiable]
impl AddAssign for Vec3 {
    fn add_assign(&mut self, other: Vec3) {
        *self = *self + other;
    }
}
#[differentiable]
impl Vec3 {
    const ZERO: Vec3 = Vec3 {
        x: 0.0,
        y: 0.0,
        z: 0.0,
    };
    fn dot(self, other: Vec3) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
    fn length(self) -> f64 {
        self.dot(self).sqrt()
    }
    fn normalized(self) -> Vec3 {
        self * (1.0 / self.length())
    }
}
#[derive(Differentiable, Clone, Copy)]
struct Ray {
    origin: Vec3,
    direction: Vec3,
}
#[derive(Differentiable, Clone)]
struct Hit {
    distance: f64,
    normal: Vec3,
}
#[differentiable]
trait Shape {
    fn hit(&self, ray: &Ray) -> Option<Hit>;
}
#[derive(Differentiable, Clone)]
struct Sphere {
    center: Vec3,
    radius: f64,
}
#[differentiable]
impl Shape for Sphere {
    fn hit(&self, ray: &Ray) -> Option<Hit> {
        let oc = ray.origin - self.center;
        let b = oc.dot(ray.direction);
        let d = b * b - (oc.dot(oc) - self.radius * self.radius);
        if d < 0.0 {
            return None;
        }
        let distance = -b - d.sqrt();
        let at = ray.origin + ray.direction * distance;
        (distance > 1e-6).then(|| Hit {
            distance,
            normal: (at - self.center).normalized(),
        })
    }
}
#[derive(Differentiable, Clone)]
struct Floor(f64);
#[differentiable]
impl Shape for Floor {
    fn hit(&self, ray: &Ray) -> Option<Hit> {
        let Floor(height) = *self;
        let distance = (height - ray.origin.y) / ray.direction.y;
        if !(distance > 0.0) {
            None
        } else {
            Some(Hit {
                distance,
                normal: Vec3 {
                    x: 0.0,
                    y: 1.0,
                    z: 0.0,
                },
            })
        }
    }
}
#[differentiable]
fn closest(shapes: &[Box<dyn Shape>], ray: &Ray) -> Option<Hit> {
    let mut best: Option<Hit> = None;
    for shape in shapes {
        if let Some(hit) = shape.hit(ray) {
            match &best {
                Some(other) if other.distance <= hit.distance => {}
                _ => best = Some(hit),
            }
        }
    }
    best
}
#[differentiable]
pub fn render(center: Vec3, radius: f64) -> f64 {
    let shapes: Vec<Box<dyn Shape>> =
        vec![Box::new(Sphere { center, radius }), Box::new(Floor(-1.5))];
    let light = Vec3 {
        x: 0.4,
        y: 1.0,
        z: -0.3,
    }
    .normalized();
    let mut total = 0.0;
    for i in -2..=2 {
        for j in -2..=2 {
            let direction = Vec3 {
                x: i as f64 * 0.15,
                y: j as f64 * 0.15 + 0.01,
                z: 1.0,
            }
            .normalized();
            let ray = Ray {
                origin: Vec3::ZERO,
                direction,
            };
            total += match closest(&shapes, &ray) {
                Some(Hit { distance, normal }) => {
                    normal.dot(light).max(0.0) / (1.0 + 0.1 * distance)
                }
                None => 0.2 * direction.y,
            };
        }
    }
    total
}

/// Logistic regression.
#[differentiable]
pub fn log_likelihood(counts: &[f64], features: &[Vec<f64>], beta: &[f64]) -> f64 {
    counts
        .iter()
        .zip(features)
        .map(|(y, row)| {
            let eta: f64 = row.iter().zip(beta).map(|(x, b)| x * b).sum();
            y * eta - eta.exp().ln_1p()
        })
        .sum::<f64>()
        - 0.5 * beta.iter().map(|b| b.powi(2)).sum::<f64>()
}

/// A matrix of fixed size.
#[derive(Differentiable, Clone, Copy)]
struct Mat2([[f64; 2]; 2]);
#[differentiable]
impl Mul for Mat2 {
    type Output = Mat2;
    fn mul(self, other: Mat2) -> Mat2 {
        let mut out = [[0.0; 2]; 2];
        for (i, row) in out.iter_mut().enumerate() {
            for (j, cell) in row.iter_mut().enumerate() {
                for k in 0..2 {
                    *cell += self.0[i][k] * other.0[k][j];
                }
            }
        }
        Mat2(out)
    }
}
#[differentiable]
impl Mat2 {
    fn transposed(&self) -> Mat2 {
        let [[a, b], [c, d]] = self.0;
        Mat2([[a, c], [b, d]])
    }
}
#[differentiable]
pub fn kalman(observations: &[f64], q: f64, r: f64) -> f64 {
    let f = Mat2([[1.0, 1.0], [0.0, 1.0]]);
    let (mut x, mut p) = ([0.0, 0.0], Mat2([[1.0, 0.0], [0.0, 1.0]]));
    let mut log_likelihood = 0.0;
    for &z in observations {
        x = [x[0] + x[1], x[1]];
        p = f * p * f.transposed();
        p.0[0][0] += q;
        p.0[1][1] += q;
        let s = p.0[0][0] + r;
        let residual = z - x[0];
        log_likelihood -= 0.5 * (residual * residual / s + s.ln());
        let gain = [p.0[0][0] / s, p.0[1][0] / s];
        x = [x[0] + gain[0] * residual, x[1] + gain[1] * residual];
        let keep = Mat2([[1.0 - gain[0], 0.0], [-gain[1], 1.0]]);
        p = keep * p;
    }
    log_likelihood
}

/// Soft dynamic time warping: a table of minima.
#[differentiable]
pub fn alignment(a: &[f64], b: &[f64]) -> f64 {
    let (n, m) = (a.len(), b.len());
    let mut d = vec![vec![1e3_f64; m + 1]; n + 1];
    d[0][0] = 0.0;
    for i in 1..=n {
        for j in 1..=m {
            let cost = (a[i - 1] - b[j - 1]).powi(2);
            let least = [d[i - 1][j], d[i][j - 1], d[i - 1][j - 1]];
            let soft: f64 = least.iter().map(|v| (-v / 0.3).exp()).sum();
            d[i][j] = cost - 0.3 * soft.ln();
        }
    }
    d[n][m]
}

/// Newton's method, which may fail.
#[differentiable]
fn newton<F, G>(f: F, df: G, mut x: f64) -> Result<f64, f64>
where
    F: Fn(f64) -> f64,
    G: Fn(f64) -> f64,
{
    for _ in 0..50 {
        let slope = df(x);
        if slope.abs() < 1e-12 {
            return Err(x);
        }
        let step = f(x) / slope;
        x -= step;
        if step.abs() < 1e-13 {
            return Ok(x);
        }
    }
    Err(x)
}
#[differentiable]
fn cube_root(a: f64, start: f64) -> Result<f64, f64> {
    let x = newton(|x| x * x * x - a, |x| 3.0 * x * x, start)?;
    Ok(x + a)
}
#[differentiable]
pub fn root(a: f64, start: f64) -> f64 {
    match cube_root(a, start) {
        Ok(x) => x,
        Err(x) => 10.0 * x,
    }
}

/// Layers behind a trait, held by a struct, with gradients of all of it.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub struct Dense {
    weights: Vec<Vec<f64>>,
    biases: Vec<f64>,
}
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
pub enum Activation {
    Tanh,
    Leaky(f64),
}
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub struct Network {
    layers: Vec<(Dense, Activation)>,
    calls: usize,
    last: Option<Vec<f64>>,
}
#[differentiable]
impl Dense {
    fn apply(&self, x: &[f64]) -> Vec<f64> {
        let mut y = self.biases.clone();
        for (y, row) in y.iter_mut().zip(&self.weights) {
            for (w, x) in row.iter().zip(x) {
                *y += w * x;
            }
        }
        y
    }
}
impl Network {
    pub fn new(inputs: usize, hidden: usize) -> Network {
        let matrix = |n: usize, m: usize| -> Vec<Vec<f64>> {
            let weight = |i: usize, j: usize| ((i * 7 + j * 3) % 11) as f64 / 11.0 - 0.45;
            (0..n)
                .map(|i| (0..m).map(|j| weight(i, j)).collect())
                .collect()
        };
        let layer = |n, m| Dense {
            weights: matrix(n, m),
            biases: vec![0.1; n],
        };
        Network {
            layers: vec![
                (layer(hidden, inputs), Activation::Tanh),
                (layer(hidden, hidden), Activation::Leaky(0.1)),
                (layer(1, hidden), Activation::Tanh),
            ],
            calls: 0,
            last: None,
        }
    }
}
#[differentiable]
impl Activation {
    fn apply(self, x: f64) -> f64 {
        match self {
            Activation::Tanh => x.tanh(),
            Activation::Leaky(slope) if x < 0.0 => slope * x,
            Activation::Leaky(_) => x,
        }
    }
}
#[differentiable]
impl Network {
    fn forward(&mut self, x: &[f64]) -> f64 {
        let mut values = x.to_vec();
        for (layer, activation) in &self.layers {
            values = layer
                .apply(&values)
                .into_iter()
                .map(|v| activation.apply(v))
                .collect();
        }
        self.calls += 1;
        self.last = Some(values.clone());
        values[0]
    }
}
#[differentiable]
pub fn network(network: &mut Network, x: &[f64]) -> f64 {
    let first = network.forward(x);
    let second = network.forward(&[first, x[1], x[2]]);
    (first - 0.3).powi(2) + second * network.last.as_ref().map_or(0.0, |v| v[0])
}

/// A recurrent cell with its state in a closure.
#[differentiable]
pub fn recurrent(inputs: &[f64], w: f64, u: f64, b: f64) -> f64 {
    let mut state = 0.0;
    let mut history = Vec::with_capacity(inputs.len());
    let mut step = |x: f64| {
        let gate = 1.0 / (1.0 + (-(w * x + u * state + b)).exp());
        state = gate * state + (1.0 - gate) * x.tanh();
        history.push(state);
    };
    for &x in inputs {
        step(x);
    }
    history
        .iter()
        .enumerate()
        .map(|(n, h)| h * (n + 1) as f64)
        .sum()
}

/// Gaussian elimination with pivots.
#[differentiable]
pub fn solve(a: &[Vec<f64>], b: &[f64]) -> f64 {
    let n = b.len();
    let mut a = a.to_vec();
    let mut b = b.to_vec();
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if a[i][k].abs() > a[pivot][k].abs() {
                pivot = i;
            }
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        let (above, below) = a.split_at_mut(k + 1);
        let row = &above[k];
        for (i, other) in below.iter_mut().enumerate() {
            let factor = other[k] / row[k];
            for j in k..n {
                other[j] -= factor * row[j];
            }
            b[k + 1 + i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            let x = b[j];
            b[k] -= a[k][j] * x;
        }
        b[k] /= a[k][k];
    }
    b.iter().map(|x| x * x).sum()
}

/// Black and Scholes' formula, with a series for the normal distribution.
#[differentiable]
fn normal_cdf(x: f64) -> f64 {
    const A: [f64; 5] = [
        0.319381530,
        -0.356563782,
        1.781477937,
        -1.821255978,
        1.330274429,
    ];
    let k = 1.0 / (1.0 + 0.2316419 * x.abs());
    let poly = A.iter().rev().fold(0.0, |acc, a| (acc + a) * k);
    let tail = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt() * poly;
    if x >= 0.0 { 1.0 - tail } else { tail }
}
#[differentiable]
pub fn option_price(spot: f64, strike: f64, rate: f64, volatility: f64, years: f64) -> f64 {
    let d1 = ((spot / strike).ln() + (rate + volatility.powi(2) / 2.0) * years)
        / (volatility * years.sqrt());
    let d2 = d1 - volatility * years.sqrt();
    spot * normal_cdf(d1) - strike * (-rate * years).exp() * normal_cdf(d2)
}

/// A recursive data type, built and evaluated.
#[derive(Differentiable, Clone, Debug)]
enum Expr {
    Num(f64),
    Var,
    Add(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
    Sin(Box<Expr>),
}
#[differentiable]
impl Expr {
    fn eval(&self, x: f64) -> f64 {
        match self {
            Expr::Num(c) => *c,
            Expr::Var => x,
            Expr::Add(a, b) => a.eval(x) + b.eval(x),
            Expr::Mul(a, b) => a.eval(x) * b.eval(x),
            Expr::Sin(a) => a.eval(x).sin(),
        }
    }
    fn power(self, n: u32) -> Expr {
        match n {
            0 => Expr::Num(1.0),
            1 => self,
            n => {
                let half = self.clone().power(n - 1);
                Expr::Mul(Box::new(self), Box::new(half))
            }
        }
    }
}
#[differentiable]
pub fn expression(x: f64) -> f64 {
    let inner = Expr::Add(Box::new(Expr::Var.power(3)), Box::new(Expr::Num(x * 0.5)));
    let whole = Expr::Mul(Box::new(Expr::Sin(Box::new(inner))), Box::new(Expr::Var));
    whole.eval(x) + whole.clone().eval(2.0 * x)
}

/// A graph of shared cells.
#[derive(Differentiable, Clone)]
struct Neuron {
    value: f64,
    inputs: Vec<(Rc<RefCell<Neuron>>, f64)>,
}
#[differentiable]
impl Neuron {
    fn fire(&mut self) {
        for (input, weight) in &self.inputs {
            self.value += weight * input.borrow().value.tanh();
        }
    }
}
#[differentiable]
pub fn graph(x: f64, w: f64) -> f64 {
    let a = Rc::new(RefCell::new(Neuron {
        value: x,
        inputs: Vec::new(),
    }));
    let b = Rc::new(RefCell::new(Neuron {
        value: 0.0,
        inputs: vec![(a.clone(), w), (Rc::clone(&a), 2.0 * w)],
    }));
    a.borrow_mut().inputs.push((b.clone(), w * w));
    for _ in 0..3 {
        for cell in [&a, &b] {
            let mut neuron = cell.borrow().clone();
            neuron.fire();
            *cell.borrow_mut() = neuron;
        }
    }
    let total = a.borrow().value * b.borrow().value;
    total
}

/// Energy of springs, by index into a list of positions.
#[differentiable]
pub fn springs(positions: &[f64], edges: &[(usize, usize)], rest: f64) -> f64 {
    let mut forces = vec![0.0; positions.len()];
    for &(i, j) in edges {
        let stretch = (positions[j] - positions[i]).abs() - rest;
        forces[i] += stretch;
        forces[j] -= stretch;
    }
    forces.iter().map(|f| f * f).sum::<f64>().sqrt()
}

/// The best path through a hidden Markov model: sorting out by comparison.
#[differentiable]
pub fn viterbi(emissions: &[Vec<f64>], transitions: [[f64; 2]; 2]) -> f64 {
    let mut scores = [0.5_f64.ln(); 2];
    for row in emissions {
        let mut next = [f64::NEG_INFINITY; 2];
        for (to, cell) in next.iter_mut().enumerate() {
            for from in 0..2 {
                let score = scores[from] + transitions[from][to].ln() + row[to].ln();
                if score > *cell {
                    *cell = score;
                }
            }
        }
        scores = next;
    }
    scores[0].max(scores[1])
}

/// A type with operators on indices.
#[derive(Differentiable, Clone, Debug, PartialEq, Default)]
struct Poly {
    coefficients: Vec<f64>,
}
#[differentiable]
impl Index<usize> for Poly {
    type Output = f64;
    fn index(&self, n: usize) -> &f64 {
        &self.coefficients[n]
    }
}
#[differentiable]
impl IndexMut<usize> for Poly {
    fn index_mut(&mut self, n: usize) -> &mut f64 {
        &mut self.coefficients[n]
    }
}
#[differentiable]
impl Poly {
    fn degree(&self) -> usize {
        self.coefficients.len().saturating_sub(1)
    }
    fn at(&self, x: f64) -> f64 {
        self.coefficients
            .iter()
            .rev()
            .fold(0.0, |sum, c| sum * x + c)
    }
    fn derivative(&self) -> Poly {
        let coefficients = (1..=self.degree()).map(|n| self[n] * n as f64).collect();
        Poly { coefficients }
    }
    fn times(&self, other: &Poly) -> Poly {
        let mut product = Poly {
            coefficients: vec![0.0; self.degree() + other.degree() + 1],
        };
        for i in 0..=self.degree() {
            for j in 0..=other.degree() {
                product[i + j] += self[i] * other[j];
            }
        }
        product
    }
}
#[differentiable]
pub fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    let p = Poly {
        coefficients: coefficients.to_vec(),
    };
    let d = p.derivative();
    p.times(&d).at(x) + d.derivative().at(x * x)
}

/// Recursion with closures, and tolerance that decides how deep.
#[differentiable]
fn simpson(f: &dyn Fn(f64) -> f64, a: f64, b: f64, depth: u32) -> f64 {
    let m = 0.5 * (a + b);
    let rule = |a: f64, b: f64| (b - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + b)) + f(b));
    let (whole, halves) = (rule(a, b), rule(a, m) + rule(m, b));
    if depth == 0 || (whole - halves).abs() < 1e-4 {
        return halves;
    }
    simpson(f, a, m, depth - 1) + simpson(f, m, b, depth - 1)
}
#[differentiable]
pub fn quadrature(k: f64) -> f64 {
    simpson(&|x: f64| (k * x * x).exp() * x.cos(), 0.0, 2.0, 6)
}

/// A search tree of boxes.
#[derive(Differentiable, Clone, Debug, Default)]
struct Tree {
    root: Option<Box<Node>>,
    size: usize,
}
#[derive(Differentiable, Clone, Debug)]
struct Node {
    key: f64,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}
#[differentiable]
impl Tree {
    fn new() -> Self {
        Tree {
            root: None,
            size: 0,
        }
    }
    fn insert(&mut self, key: f64) {
        let mut place = &mut self.root;
        while let Some(node) = place {
            place = if key < node.key {
                &mut node.left
            } else {
                &mut node.right
            };
        }
        *place = Some(Box::new(Node {
            key,
            left: None,
            right: None,
        }));
        self.size += 1;
    }
}
#[differentiable]
fn weighted(node: &Option<Box<Node>>, depth: f64) -> f64 {
    match node {
        Some(n) => {
            n.key * depth + weighted(&n.left, depth * 2.0) + weighted(&n.right, depth * n.key)
        }
        None => 0.0,
    }
}
#[differentiable]
pub fn tree(keys: &[f64]) -> f64 {
    let mut tree = Tree::new();
    for &key in keys {
        tree.insert(key);
    }
    weighted(&tree.root, 1.0) / tree.size as f64
}

/// The loss after some steps of an optimiser: a gradient through a gradient written by hand.
#[differentiable]
pub fn adam(start: &[f64], steps: usize) -> f64 {
    let loss = |x: &[f64]| (1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2);
    let slope = |x: &[f64]| {
        let t = x[1] - x[0] * x[0];
        [-2.0 * (1.0 - x[0]) - 400.0 * x[0] * t, 200.0 * t]
    };
    let mut x = start.to_vec();
    let (mut m, mut v) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    for t in 1..=steps {
        let g = slope(&x);
        for (((x, g), m), v) in x.iter_mut().zip(g).zip(&mut m).zip(&mut v) {
            *m = 0.9 * *m + 0.1 * g;
            *v = 0.999 * *v + 0.001 * g * g;
            let (mh, vh) = (
                *m / (1.0 - 0.9_f64.powi(t as i32)),
                *v / (1.0 - 0.999_f64.powi(t as i32)),
            );
            *x -= 0.01 * mh / (vh.sqrt() + 1e-8);
        }
    }
    loss(&x)
}

/// Errors of a type of one's own.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub enum Bad {
    Empty,
    Negative { index: usize, weight: f64 },
}
impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bad::Empty => write!(f, "no weights"),
            Bad::Negative { index, weight } => write!(f, "weight {index} is {weight}"),
        }
    }
}
#[differentiable]
fn normalised(weights: &[f64]) -> Result<Vec<f64>, Bad> {
    if weights.is_empty() {
        return Err(Bad::Empty);
    }
    if let Some(index) = weights.iter().position(|w| *w < 0.0) {
        return Err(Bad::Negative {
            index,
            weight: weights[index],
        });
    }
    let total: f64 = weights.iter().sum();
    Ok(weights.iter().map(|w| w / total).collect())
}
#[differentiable]
pub fn portfolio(weights: &[f64], returns: &[f64]) -> Result<f64, Bad> {
    let w = normalised(weights)?;
    let mean: f64 = w.iter().zip(returns).map(|(w, r)| w * r).sum();
    let risk = w
        .iter()
        .zip(returns)
        .map(|(w, r)| w * (r - mean).powi(2))
        .sum::<f64>()
        .sqrt();
    Ok(mean - 0.5 * risk)
}
#[differentiable]
pub fn utility(weights: &[f64], returns: &[f64]) -> f64 {
    match portfolio(weights, returns) {
        Ok(utility) => utility,
        Err(Bad::Negative { weight, .. }) => weight,
        Err(Bad::Empty) => 0.0,
    }
}

/// Windows of a signal.
#[differentiable]
pub fn convolution(signal: &[f64], kernel: &[f64]) -> f64 {
    let out: Vec<f64> = signal
        .windows(kernel.len())
        .map(|window| {
            window
                .iter()
                .zip(kernel.iter().rev())
                .map(|(a, b)| a * b)
                .sum()
        })
        .collect();
    let peak = out.iter().copied().fold(f64::MIN, f64::max);
    let energy: f64 = out
        .chunks(2)
        .map(|pair| pair.iter().sum::<f64>().powi(2))
        .sum();
    peak * energy
}

/// An interpreter of a little machine.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
pub enum Op {
    Push(f64),
    Add,
    Mul,
    Sin,
}
#[differentiable]
pub fn stack_machine(program: &[Op], x: f64) -> f64 {
    let mut stack = vec![x];
    for op in program {
        match *op {
            Op::Push(value) => stack.push(value * x),
            Op::Sin => {
                if let Some(top) = stack.last_mut() {
                    *top = top.sin();
                }
            }
            Op::Add | Op::Mul => {
                let (Some(a), Some(b)) = (stack.pop(), stack.pop()) else {
                    return f64::NAN;
                };
                stack.push(if *op == Op::Add { a + b } else { a * b });
            }
        }
    }
    stack.into_iter().sum()
}

/// Attention over a few vectors.
#[differentiable]
fn softmax(x: &mut [f64]) {
    let max = x.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    x.iter_mut().for_each(|v| *v = (*v - max).exp());
    let total: f64 = x.iter().sum();
    for v in x {
        *v /= total;
    }
}
#[differentiable]
pub fn attention(tokens: &[Vec<f64>]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let mut mixed = Vec::new();
    for query in tokens {
        let mut scores: Vec<f64> = tokens
            .iter()
            .map(|key| dot(query, key) / 2.0_f64.sqrt())
            .collect();
        softmax(&mut scores);
        let mut sum = vec![0.0; query.len()];
        for (score, value) in scores.iter().zip(tokens) {
            sum.iter_mut().zip(value).for_each(|(s, v)| *s += score * v);
        }
        mixed.push(sum);
    }
    mixed.iter().flatten().map(|v| v * v * v).sum()
}

/// Distances from a scene of solids: a recursive enum whose variants are computed in different ways.
#[derive(Differentiable, Clone)]
enum Solid {
    Sphere([f64; 3], f64),
    Cuboid([f64; 3]),
    Union(Box<Solid>, Box<Solid>),
    Blend(f64, Box<Solid>, Rc<Solid>),
    Shift([f64; 3], Rc<Solid>),
}
#[differentiable]
impl Solid {
    fn distance(&self, p: [f64; 3]) -> f64 {
        match self {
            Solid::Sphere(centre, radius) => {
                let squares = p.iter().zip(centre).map(|(p, c)| (p - c).powi(2));
                squares.sum::<f64>().sqrt() - radius
            }
            Solid::Cuboid(half) => {
                let q: [f64; 3] = std::array::from_fn(|i| p[i].abs() - half[i]);
                let outside = q.iter().map(|q| q.max(0.0).powi(2)).sum::<f64>().sqrt();
                outside + q[0].max(q[1]).max(q[2]).min(0.0)
            }
            Solid::Union(a, b) => a.distance(p).min(b.distance(p)),
            Solid::Blend(k, a, b) => {
                let (a, b) = (a.distance(p), b.distance(p));
                let h = (0.5 + 0.5 * (b - a) / k).clamp(0.0, 1.0);
                b + (a - b) * h - k * h * (1.0 - h)
            }
            Solid::Shift(by, solid) => solid.distance([p[0] - by[0], p[1] - by[1], p[2] - by[2]]),
        }
    }
}
#[differentiable]
pub fn solids(radius: f64, half: f64, points: usize) -> f64 {
    let ball = Rc::new(Solid::Sphere([0.0; 3], radius));
    let cuboid = Solid::Cuboid([0.5, half, 0.4]);
    let shifted = Solid::Shift([0.3, 0.9, 0.0], ball.clone());
    let both = Solid::Union(Box::new(cuboid), Box::new(shifted));
    let scene = Solid::Blend(
        0.3,
        Box::new(both),
        Rc::new(Solid::Shift([0.2, 0.0, 0.5], ball)),
    );
    let mut sum = 0.0;
    for i in 0..points {
        let t = i as f64 / points as f64;
        sum += scene.distance([2.0 * t - 1.0, 0.3, t]);
    }
    sum
}
