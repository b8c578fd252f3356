//! How it is written: traits, generics, closures in data, patterns, iterators of one's own.

use mooncake::Float;
use mooncake::prelude::*;
use std::iter::Sum;
use std::marker::PhantomData;
use std::ops::{Add, Deref, Div, Mul, Neg, Sub};

check! {
    matrices(&[1.0, 0.5, -0.3, 2.0], &[0.2, 0.7, 1.1, -0.4]);
    fibonacci_sums(1.1, 0.7);
    builder(0.5, 2.0);
    machine(&[0.2, -0.5, 0.9, 1.4]);
    median(&[3.0, 1.0, 2.4, -0.5, 0.7]);
    fits(&[0.0, 1.0, 2.0, 3.0], &[1.0, 2.9, 5.2, 7.1], 0.3);
    schedule(0.6);
    tables(0.4, 3);
    diffusion(&[0.0, 1.0, 0.5, 0.2, 0.0], 0.2);
    shortest(&[vec![0.0, 1.5, 4.0], vec![1.5, 0.0, 0.7], vec![4.0, 0.7, 0.0]]);
    patterns(&[0.3, 1.2, -0.7, 2.2, 0.9]);
    conversions(0.8, 1.3_f32);
    measured(0.9, 0.4);
    linked(&[0.5, 1.5, -1.0]);
    energies(&[(0.5, 1.0), (1.5, -0.3), (-0.2, 0.8)]);
    parsed(&[1.0, 2.0, 3.0], 2);
    monte_carlo(17, 100.0, 0.2);
    gaussian_mixture(&[0.1, 1.9, 2.1], &[0.0, 2.0], &[0.5, 0.8]);
    bezier(&[[0.0, 0.0], [1.0, 2.0], [3.0, -1.0], [4.0, 0.5]], 0.3);
    running(&[1.0, 3.0, 2.0, 5.0, 4.0], 3);
    jacobi(&mut [0.0, 0.0, 0.0][..], &[1.0, 2.0, 3.0]);
    units(Meters(3.0), 2.0);
    levels(&Level { value: 0.5, children: vec![Level { value: 1.5, children: vec![] }, Level { value: -0.5, children: vec![Level { value: 2.0, children: vec![] }] }] });
    angles(0.7, 3);
    moments(0.7);
    grades(2.3);
    cash_flows(1.0, 2.0);
    held(0.7, 1.5);
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Matrix<T> {
    rows: usize,
    cols: usize,
    data: Vec<T>,
}
#[differentiable]
impl<T: Float> Matrix<T> {
    fn new(rows: usize, cols: usize, f: impl Fn(usize, usize) -> T) -> Self {
        let mut data = Vec::with_capacity(rows * cols);
        for i in 0..rows {
            for j in 0..cols {
                data.push(f(i, j));
            }
        }
        Matrix { rows, cols, data }
    }
    fn at(&self, i: usize, j: usize) -> T {
        self.data[i * self.cols + j]
    }
    fn transpose(&self) -> Self {
        Matrix::new(self.cols, self.rows, |i, j| self.at(j, i))
    }
    fn trace(&self) -> T {
        let mut sum = T::zero();
        for i in 0..self.rows.min(self.cols) {
            sum += self.at(i, i);
        }
        sum
    }
}
#[differentiable]
impl<'a, T: Float> Mul<&'a Matrix<T>> for &'a Matrix<T> {
    type Output = Matrix<T>;
    fn mul(self, other: &Matrix<T>) -> Matrix<T> {
        Matrix::new(self.rows, other.cols, |i, j| {
            (0..self.cols).fold(T::zero(), |sum, k| sum + self.at(i, k) * other.at(k, j))
        })
    }
}
#[differentiable]
fn matrices(a: &[f64], b: &[f64]) -> f64 {
    let a = Matrix::new(2, 2, |i, j| a[2 * i + j]);
    let b = Matrix {
        rows: 2,
        cols: 2,
        data: b.to_vec(),
    };
    let product = &(&a * &b) * &a.transpose();
    product.trace() + product.data.iter().sum::<f64>()
}

#[derive(Differentiable, Clone)]
struct Fibonacci {
    now: f64,
    next: f64,
}
#[differentiable]
impl Iterator for Fibonacci {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        let now = self.now;
        self.now = self.next;
        self.next += now;
        Some(now)
    }
}
#[differentiable]
fn fibonacci_sums(a: f64, b: f64) -> f64 {
    let mut total = 0.0;
    for (n, f) in (Fibonacci { now: a, next: b }).take(8).enumerate() {
        if n % 2 == 1 {
            continue;
        }
        total += f * f;
    }
    let big = Fibonacci { now: a, next: b }
        .skip_while(|f| *f < 5.0)
        .next()
        .unwrap_or(0.0);
    total
        + big.sqrt()
        + Fibonacci { now: b, next: a }
            .map(|f| f / 10.0)
            .take_while(|f| *f < 1.0)
            .sum::<f64>()
}

#[derive(Differentiable, Clone, Copy, Default)]
struct Settings {
    rate: f64,
    decay: Option<f64>,
    steps: usize,
}
#[differentiable]
impl Settings {
    fn new() -> Settings {
        Settings {
            rate: 0.1,
            decay: None,
            steps: 3,
        }
    }
    fn rate(mut self, rate: f64) -> Self {
        self.rate = rate;
        self
    }
    fn decay(self, decay: f64) -> Self {
        Settings {
            decay: Some(decay),
            ..self
        }
    }
    fn run(&self, x: f64) -> f64 {
        let Settings { rate, steps, .. } = *self;
        (0..steps).fold(x, |x, n| {
            x - rate * self.decay.unwrap_or(1.0).powi(n as i32) * 2.0 * x
        })
    }
}
#[differentiable]
fn builder(rate: f64, x: f64) -> f64 {
    let base = Settings::new();
    base.run(x) + base.rate(rate).decay(rate * 0.9).run(x)
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum State {
    Idle,
    Running { speed: f64, since: usize },
    Stopped(f64),
}
#[differentiable]
fn machine(signals: &[f64]) -> f64 {
    let mut state = State::Idle;
    let mut log = vec![];
    for (time, &signal) in signals.iter().enumerate() {
        state = match std::mem::replace(&mut state, State::Idle) {
            State::Idle if signal > 0.0 => State::Running {
                speed: signal,
                since: time,
            },
            State::Idle => State::Idle,
            State::Running { speed, since } if signal < 0.0 => {
                State::Stopped(speed * (time - since) as f64 - signal)
            }
            State::Running { speed, since } => State::Running {
                speed: speed + signal,
                since,
            },
            State::Stopped(way @ 0.0..=10.0) => State::Running {
                speed: way * signal,
                since: time,
            },
            State::Stopped(_) => break,
        };
        log.push(state.clone());
    }
    log.iter()
        .map(|state| match state {
            State::Idle => 0.0,
            State::Running { speed, .. } => speed.powi(2),
            State::Stopped(way) => way.exp(),
        })
        .sum()
}

#[differentiable]
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let middle = sorted.len() / 2;
    let median = if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        (sorted[middle - 1] + sorted[middle]) / 2.0
    };
    let mut deviations: Vec<f64> = sorted.iter().map(|v| (v - median).abs()).collect();
    deviations.sort_by(f64::total_cmp);
    median * deviations[middle]
        + sorted.first().copied().unwrap_or_default() * sorted.last().unwrap()
}

#[differentiable]
trait Model {
    fn predict(&self, x: f64) -> f64;
    fn penalty(&self) -> f64 {
        0.0
    }
    fn loss(&self, xs: &[f64], ys: &[f64]) -> f64 {
        let squares = xs
            .iter()
            .zip(ys)
            .map(|(x, y)| (self.predict(*x) - y).powi(2));
        squares.sum::<f64>() + self.penalty()
    }
}
#[derive(Differentiable, Clone)]
struct Line {
    slope: f64,
    offset: f64,
}
#[differentiable]
impl Model for Line {
    fn predict(&self, x: f64) -> f64 {
        self.slope * x + self.offset
    }
    fn penalty(&self) -> f64 {
        0.1 * self.slope.powi(2)
    }
}
#[derive(Differentiable, Clone)]
struct Scaled<M> {
    inner: M,
    factor: f64,
}
#[differentiable]
impl<M: Model> Model for Scaled<M> {
    fn predict(&self, x: f64) -> f64 {
        self.factor * self.inner.predict(x / self.factor)
    }
}
#[differentiable]
fn evaluate<M: Model>(model: &M, xs: &[f64], ys: &[f64]) -> f64 {
    model.loss(xs, ys) / xs.len() as f64
}
#[differentiable]
fn fits(xs: &[f64], ys: &[f64], slope: f64) -> f64 {
    let line = Line { slope, offset: 1.0 };
    let plain = evaluate(&line, xs, ys);
    plain
        + evaluate(
            &Scaled {
                factor: slope + 1.0,
                inner: line,
            },
            xs,
            ys,
        )
}

#[derive(Differentiable)]
struct Schedule {
    steps: Vec<Box<dyn Fn(f64) -> f64>>,
    last: Option<Box<dyn Fn(f64) -> f64>>,
}
#[differentiable]
fn schedule(x: f64) -> f64 {
    let mut schedule = Schedule {
        steps: Vec::new(),
        last: None,
    };
    for n in 1..=3 {
        let k = x * n as f64;
        schedule.steps.push(Box::new(move |v| v * k + 1.0));
    }
    schedule.steps.push(Box::new(f64::sin));
    schedule.last = Some(Box::new(|v| v.exp()));
    let value = schedule.steps.iter().fold(x, |v, f| f(v));
    match &schedule.last {
        Some(f) => f(value),
        None => value,
    }
}

#[differentiable]
fn twice(x: f64) -> f64 {
    2.0 * x
}
#[differentiable]
fn tables(x: f64, n: usize) -> f64 {
    let own: [fn(f64) -> f64; 2] = [twice, f64::tanh];
    let mut v = x;
    for i in 0..n {
        let f = match i % 3 {
            0 => own[0],
            1 => own[1],
            _ => f64::sqrt,
        };
        v += f(v);
    }
    v
}

#[differentiable]
fn diffusion(start: &[f64], k: f64) -> f64 {
    let n = start.len();
    let mut now = start.to_vec();
    let mut next = vec![0.0; n];
    for _ in 0..4 {
        for i in 0..n {
            let left = if i == 0 { now[n - 1] } else { now[i - 1] };
            let right = now[(i + 1) % n];
            next[i] = now[i] + k * (left - 2.0 * now[i] + right);
        }
        std::mem::swap(&mut now, &mut next);
    }
    now.iter().map(|v| v * v).sum::<f64>().ln()
}

#[differentiable]
fn shortest(weights: &[Vec<f64>]) -> f64 {
    let n = weights.len();
    let mut distance = vec![f64::INFINITY; n];
    let mut done = vec![false; n];
    distance[0] = 0.0;
    'search: loop {
        let mut best: Option<usize> = None;
        for i in 0..n {
            if !done[i] && distance[i].is_finite() && best.is_none_or(|b| distance[i] < distance[b])
            {
                best = Some(i);
            }
        }
        let Some(i) = best else { break 'search };
        done[i] = true;
        for (j, w) in weights[i].iter().enumerate().filter(|(_, w)| **w > 0.0) {
            if distance[i] + w < distance[j] {
                distance[j] = distance[i] + w;
            }
        }
    }
    distance[n - 1].powi(2)
}

#[differentiable]
fn patterns(x: &[f64]) -> f64 {
    let ends = match x {
        [] => 0.0,
        [only] => *only,
        [first, .., last] => first * last,
    };
    let [a, b, rest @ ..] = x else { return 0.0 };
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    let sign = match (small.is_sign_negative(), rest.len()) {
        (true, _) => -1.0,
        (false, 0 | 1) => 0.5,
        (_, n @ 2..=9) => n as f64,
        _ => 1.0,
    };
    let (even, odd): (Vec<f64>, Vec<f64>) = rest.iter().partition(|v| **v > 0.0);
    ends + sign * large + even.iter().product::<f64>() - odd.iter().sum::<f64>()
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Celsius(f64);
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Kelvin(f64);
#[differentiable]
impl From<Celsius> for Kelvin {
    fn from(c: Celsius) -> Kelvin {
        Kelvin(c.0 + 273.15)
    }
}
#[differentiable]
fn conversions(x: f64, y: f32) -> f64 {
    let kelvin: Kelvin = Celsius(x).into();
    let wide = f64::from(y) * (y as f64).sqrt();
    let narrow = (x as f32 * y).cos();
    kelvin.0.ln() * wide + narrow as f64 + Kelvin::from(Celsius(wide)).0.recip()
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Measure<U> {
    value: f64,
    unit: PhantomData<U>,
}
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Joule;
#[differentiable]
impl<U> Add for Measure<U> {
    type Output = Measure<U>;
    fn add(self, other: Self) -> Self {
        Measure {
            value: self.value + other.value,
            unit: PhantomData,
        }
    }
}
#[differentiable]
impl<U> Measure<U> {
    fn of(value: f64) -> Self {
        Measure {
            value,
            unit: PhantomData,
        }
    }
}
#[differentiable]
fn measured(a: f64, b: f64) -> f64 {
    let all: Vec<Measure<Joule>> = [a, b, a * b].iter().map(|v| Measure::of(*v)).collect();
    let total: Measure<Joule> = all.into_iter().fold(Measure::of(0.0), |a, b| a + b);
    total.value.powi(3)
}

#[derive(Differentiable, Clone, Debug)]
enum List {
    Nil,
    Cons(f64, Box<List>),
}
#[differentiable]
impl List {
    fn push(&mut self, value: f64) {
        let rest = std::mem::replace(self, List::Nil);
        *self = List::Cons(value, Box::new(rest));
    }
    fn reversed(self) -> List {
        let (mut from, mut to) = (self, List::Nil);
        while let List::Cons(value, rest) = from {
            to.push(value);
            from = *rest;
        }
        to
    }
    fn iter_sum(&self) -> f64 {
        let mut sum = 0.0;
        let mut weight = 1.0;
        let mut here = self;
        while let List::Cons(value, rest) = here {
            sum += weight * value;
            weight *= value;
            here = rest;
        }
        sum
    }
    fn double(&mut self) {
        if let List::Cons(value, rest) = self {
            *value *= 2.0;
            rest.double();
        }
    }
}
#[differentiable]
fn linked(values: &[f64]) -> f64 {
    let mut list = List::Nil;
    values.iter().for_each(|v| list.push(*v));
    let mut other = list.clone().reversed();
    other.double();
    list.iter_sum() - other.iter_sum()
}

#[derive(Differentiable, Clone, Copy)]
struct Particle {
    position: f64,
    speed: f64,
}
#[derive(Differentiable)]
struct World<'a> {
    particles: &'a mut [Particle],
    stiffness: &'a f64,
}
#[differentiable]
impl World<'_> {
    fn step(&mut self, dt: f64) {
        for i in 0..self.particles.len() {
            let mut force = 0.0;
            for (j, other) in self.particles.iter().enumerate() {
                if i != j {
                    force += *self.stiffness * (other.position - self.particles[i].position);
                }
            }
            self.particles[i].speed += dt * force;
        }
        for Particle { position, speed } in self.particles.iter_mut() {
            *position += dt * *speed;
        }
    }
}
#[differentiable]
fn energies(start: &[(f64, f64)]) -> f64 {
    let mut particles: Vec<Particle> = start
        .iter()
        .map(|&(position, speed)| Particle { position, speed })
        .collect();
    let stiffness = 0.7;
    let mut world = World {
        particles: &mut particles,
        stiffness: &stiffness,
    };
    for _ in 0..3 {
        world.step(0.1);
    }
    particles
        .iter()
        .map(|p| 0.5 * p.speed * p.speed + p.position.powi(2))
        .sum()
}

#[differentiable]
fn checked(values: &[f64], at: usize) -> Result<f64, String> {
    let value = values
        .get(at)
        .ok_or_else(|| format!("there is no value {at}"))?;
    if !value.is_finite() {
        return Err("not finite".to_string());
    }
    Ok(value.sqrt())
}
#[differentiable]
fn parsed(values: &[f64], at: usize) -> Result<f64, String> {
    let a = checked(values, at)?;
    let b = checked(values, at + 5).unwrap_or(0.25);
    let c = checked(values, 0).map(|v| v * a).map_err(|e| e.clone());
    Ok(a * b + c.unwrap())
}

/// A linear congruential generator: its numbers have no derivative.
#[derive(Differentiable, Clone)]
struct Random(u64);
#[differentiable]
impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn normal(&mut self) -> f64 {
        let (u, v) = (self.uniform().max(1e-12), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
}
#[differentiable]
fn monte_carlo(seed: u64, spot: f64, volatility: f64) -> f64 {
    let mut random = Random(seed);
    let paths = 20;
    let mut total = 0.0;
    for _ in 0..paths {
        let mut price = spot;
        for _ in 0..4 {
            price *=
                (-0.5 * volatility * volatility * 0.25 + volatility * 0.5 * random.normal()).exp();
        }
        total += (price - 95.0).max(0.0);
    }
    total / paths as f64
}

#[differentiable]
fn log_sum_exp(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let max = values.clone().fold(f64::NEG_INFINITY, f64::max);
    max + values.map(|v| (v - max).exp()).sum::<f64>().ln()
}
#[differentiable]
fn gaussian_mixture(data: &[f64], means: &[f64], widths: &[f64]) -> f64 {
    data.iter()
        .map(|x| {
            log_sum_exp(means.iter().zip(widths).map(move |(m, w)| {
                let z = (x - m) / w;
                -0.5 * z * z - w.ln()
            }))
        })
        .sum()
}

#[differentiable]
fn casteljau(points: &[[f64; 2]], t: f64) -> [f64; 2] {
    match points {
        [point] => *point,
        _ => {
            let next: Vec<[f64; 2]> = points
                .windows(2)
                .map(|pair| {
                    [
                        pair[0][0] + t * (pair[1][0] - pair[0][0]),
                        pair[0][1] + t * (pair[1][1] - pair[0][1]),
                    ]
                })
                .collect();
            casteljau(&next, t)
        }
    }
}
#[differentiable]
fn bezier(points: &[[f64; 2]], t: f64) -> f64 {
    let [x, y] = casteljau(points, t);
    x.hypot(y)
}

#[differentiable]
fn running(values: &[f64], n: usize) -> f64 {
    let averages = values.windows(n).map(|w| w.iter().sum::<f64>() / n as f64);
    let (mut low, mut high) = (f64::MAX, f64::MIN);
    for average in averages.clone() {
        low = low.min(average);
        high = high.max(average);
    }
    let changes: Vec<_> = values
        .iter()
        .zip(values.iter().skip(1))
        .map(|(a, b)| b - a)
        .collect();
    let ups = changes.iter().filter(|c| c.is_sign_positive()).count();
    (high - low) * ups as f64
        + changes.chunks_exact(2).map(|c| c[0] * c[1]).sum::<f64>()
        + averages.last().unwrap_or(0.0)
}

#[differentiable]
fn jacobi(x: &mut [f64], b: &[f64]) {
    let mut old = [0.0; 3];
    for _ in 0..5 {
        old.copy_from_slice(x);
        for (i, (x, b)) in x.iter_mut().zip(b).enumerate() {
            let others: f64 = old
                .iter()
                .enumerate()
                .filter(|(j, _)| *j != i)
                .map(|(_, v)| v)
                .sum();
            *x = (b - others) / 4.0;
        }
    }
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Meters(f64);
#[differentiable]
impl Deref for Meters {
    type Target = f64;
    fn deref(&self) -> &f64 {
        &self.0
    }
}
#[differentiable]
impl Mul<Meters> for f64 {
    type Output = Meters;
    fn mul(self, m: Meters) -> Meters {
        Meters(self * m.0)
    }
}
#[differentiable]
impl Sub for Meters {
    type Output = Meters;
    fn sub(self, other: Meters) -> Meters {
        Meters(self.0 - other.0)
    }
}
#[differentiable]
fn units(way: Meters, k: f64) -> f64 {
    let longer = k * way;
    if longer.0 > way.0 {
        (longer - way).0.sqrt() + way.deref().sin()
    } else {
        0.0
    }
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Level {
    value: f64,
    children: Vec<Level>,
}
#[differentiable]
impl Level {
    fn fold<F: Fn(f64, &[f64]) -> f64 + Copy>(&self, f: F) -> f64 {
        let inner: Vec<f64> = self.children.iter().map(|child| child.fold(f)).collect();
        f(self.value, &inner)
    }
    fn depth(&self) -> usize {
        1 + self.children.iter().map(|c| c.depth()).max().unwrap_or(0)
    }
}
#[differentiable]
fn levels(level: &Level) -> f64 {
    level.fold(|v, inner| v.tanh() + inner.iter().map(|x| x * v).sum::<f64>())
        * level.depth() as f64
}

/// A number of one's own that becomes one of std's.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Degrees(f64);
#[differentiable]
impl From<Degrees> for f64 {
    fn from(angle: Degrees) -> f64 {
        angle.0.to_radians()
    }
}
#[differentiable]
impl From<f64> for Degrees {
    fn from(radians: f64) -> Degrees {
        Degrees(radians.to_degrees())
    }
}
#[differentiable]
fn angles(x: f64, n: u8) -> f64 {
    let angle = Degrees(x);
    let back: f64 = Degrees::from(x).into();
    f64::from(angle).sin()
        + f64::from(n) * back
        + f64::from(2.5_f32)
        + f64::from(3)
        + f64::from(true)
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Moments {
    count: usize,
    sum: f64,
}
#[differentiable]
impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut moments = Moments { count: 0, sum: 0.0 };
        for value in values {
            moments.count += 1;
            moments.sum += value;
        }
        moments
    }
}
#[differentiable]
impl<'a> FromIterator<&'a f64> for Moments {
    fn from_iter<I: IntoIterator<Item = &'a f64>>(values: I) -> Self {
        values.into_iter().copied().collect()
    }
}
#[differentiable]
fn moments(x: f64) -> f64 {
    let values = vec![x, 2.0 * x, x * x];
    let all: Moments = values.iter().collect();
    let sines = values.iter().map(|v| v.sin()).collect::<Moments>();
    let squares: Vec<f64> = values.iter().map(|v| v * v).collect();
    let rows: Vec<_> = { values.iter() }
        .map(|k| [*k; 3].into_iter().collect::<Moments>())
        .collect();
    let rest: f64 = rows.iter().map(|row| row.sum * row.count as f64).sum();
    all.sum * sines.sum * squares[0] + sines.count as f64 + rest
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    Low = -1,
    Fair,
    High = 10,
}
#[differentiable]
fn grades(x: f64) -> f64 {
    let mut all = [2.0 * x, x, -x].map(|v| match v {
        v if v > 3.0 => (Grade::High, v),
        v if v > 0.0 => (Grade::Fair, v * v),
        v => (Grade::Low, v),
    });
    all.sort_by_key(|graded| graded.0);
    let good = all.iter().filter(|graded| graded.0 >= Grade::Fair);
    all[0].1 * good.map(|graded| graded.1).sum::<f64>()
}

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Differentiable)]
struct Money(f64);
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Differentiable)]
struct Rate(f64);
#[differentiable]
impl Add for Money {
    type Output = Money;
    fn add(self, o: Money) -> Money {
        Money(self.0 + o.0)
    }
}
#[differentiable]
impl Neg for Money {
    type Output = Money;
    fn neg(self) -> Money {
        Money(-self.0)
    }
}
#[differentiable]
impl Mul<Rate> for Money {
    type Output = Money;
    fn mul(self, Rate(r): Rate) -> Money {
        Money(self.0 * r)
    }
}
#[differentiable]
impl<'a> Mul<&'a Rate> for &'a Money {
    type Output = Money;
    fn mul(self, r: &Rate) -> Money {
        *self * *r
    }
}
#[differentiable]
impl Div<Money> for Money {
    type Output = f64;
    fn div(self, o: Money) -> f64 {
        self.0 / o.0
    }
}
#[differentiable]
impl Sum for Money {
    fn sum<I: Iterator<Item = Money>>(it: I) -> Money {
        it.fold(Money::default(), |a, b| a + b)
    }
}
#[differentiable]
impl<'a> Sum<&'a Money> for Money {
    fn sum<I: Iterator<Item = &'a Money>>(it: I) -> Money {
        it.copied().sum()
    }
}
#[differentiable]
impl From<Money> for f64 {
    fn from(m: Money) -> f64 {
        m.0
    }
}
#[differentiable]
fn cash_flows(a: f64, r: f64) -> f64 {
    let flows = [Money(-a), Money(a * 0.6), Money(0.7 * a)];
    let d = Rate(1.0 / (1.0 + r));
    let npv: Money = flows
        .iter()
        .scan(Rate(1.0), |k, m| {
            let v = m * &*k;
            k.0 *= d.0;
            Some(v)
        })
        .sum();
    let total: Money = flows.iter().sum();
    let x: f64 = (-npv).into();
    x + npv / (total + Money(1.0)) + f64::from(if npv > Money(0.0) { npv } else { total * d })
}

/// What holds a shape is one.
#[differentiable]
trait Solid {
    fn volume(&self) -> f64;
    fn grow(&mut self, by: f64);
}
#[derive(Differentiable)]
struct Cube(f64);
#[differentiable]
impl Solid for Cube {
    fn volume(&self) -> f64 {
        self.0.powi(3)
    }
    fn grow(&mut self, by: f64) {
        self.0 *= by;
    }
}
#[differentiable]
impl<S: Solid + ?Sized> Solid for Box<S> {
    fn volume(&self) -> f64 {
        (**self).volume()
    }
    fn grow(&mut self, by: f64) {
        self.as_mut().grow(by)
    }
}
#[differentiable]
fn grown(mut solid: impl Solid, by: f64) -> f64 {
    solid.grow(by);
    solid.volume()
}
#[differentiable]
fn held(x: f64, by: f64) -> f64 {
    let some: Box<dyn Solid> = Box::new(Cube(2.0 * x));
    grown(Cube(x), by) + grown(Box::new(Cube(x * x)), by) + grown(some, by)
}
