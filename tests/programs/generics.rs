//! Types with parameters: sizes that are known to the compiler, constants and operators of one's own types.

use mooncake::prelude::*;
use mooncake::{Float, FloatElement};
use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub};

check! {
    kalman(&[0.1, 0.4, 0.3, 0.9], 0.05, 0.2);
    quadratic_form(Matrix { data: [[1.0, 0.5, -0.3], [2.0, 0.2, 0.7]] }, Vector([0.3, -1.2]));
    products(&Matrix { data: [[1.0, 0.5, -0.3], [2.0, 0.2, 0.7]] }, &Matrix { data: [[0.4], [1.5], [-0.6]] });
    traces(0.7);
    rotations(0.3, &[1.0, -0.5, 0.25]);
    solved([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]], [1.0, 2.0, 3.0]);
    layers(&Network { first: Dense { w: [[0.5, -0.2], [0.1, 0.9], [0.3, 0.3]], b: [0.1, -0.1, 0.2] }, last: Dense { w: [[1.0, -1.0, 0.5]], b: [0.0] } }, &[0.7, -1.3]);
    polynomials(0.9, 0.5);
    windows_of_three(&[1.0, 2.0, 4.0, 7.0, 11.0]);
    dual_numbers(1.3);
    center(&[(1.0, Point { x: 0.5, y: 1.0 }), (2.0, Point { x: -0.5, y: 0.3 })]);
    rotation_by_steps(&[0.1, 0.2, -0.4]);
    ring(&mut Ring { items: [1.0, 2.0, 3.0, 4.0], next: 1 }, 0.5);
    in_layer(&visible::Layer { w: Array::from_vec(vec![1.0, 2.0], [2, 1]), b: Array::from_vec(vec![0.5], [1]) }, &Array::from_vec(vec![0.1, 0.2], [1, 2]));
    powers(1.5);
    in_equation(0.7, 2.0);
    hidden_inside(0.3);
    three_steps(&visible::Oscillator { stiffness: 0.5 }, 2.0);
    borrowed(&[0.5, 2.0], 3.0);
    grown(Grown { inner: Stacked([Vector([1.0, 2.0]), Vector([3.0, 4.0]), Vector([5.0, 6.0])]), scale: 0.5 });
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Matrix<const R: usize, const C: usize> {
    data: [[f64; C]; R],
}

#[differentiable]
impl<const R: usize, const C: usize> Matrix<R, C> {
    const SIZE: usize = R * C;
    const IS_WIDE: bool = C > R;

    fn new(data: [[f64; C]; R]) -> Self {
        Self { data }
    }
    fn zeros() -> Self {
        Matrix {
            data: [[0.0; C]; R],
        }
    }
    fn from_fn(f: impl Fn(usize, usize) -> f64) -> Self {
        let mut out = Self::zeros();
        for i in 0..R {
            for j in 0..C {
                out.data[i][j] = f(i, j);
            }
        }
        out
    }
    fn transpose(&self) -> Matrix<C, R> {
        let mut out = Matrix::zeros();
        for i in 0..R {
            for j in 0..C {
                out.data[j][i] = self.data[i][j];
            }
        }
        out
    }
    fn times<const K: usize>(&self, other: &Matrix<C, K>) -> Matrix<R, K> {
        let mut out = Matrix::<R, K>::zeros();
        for i in 0..R {
            for j in 0..K {
                for k in 0..C {
                    out.data[i][j] += self.data[i][k] * other.data[k][j];
                }
            }
        }
        out
    }
    fn column(&self, j: usize) -> Vector<R> {
        Vector(std::array::from_fn(|i| self.data[i][j]))
    }
    fn mean(&self) -> f64 {
        self.data.iter().flatten().sum::<f64>() / Self::SIZE as f64
    }
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self {
            data: self.data.map(|row| row.map(|x| f(x))),
        }
    }
}

#[differentiable]
impl<const N: usize> Matrix<N, N> {
    fn identity() -> Self {
        Self::from_fn(|i, j| if i == j { 1.0 } else { 0.0 })
    }
    fn trace(&self) -> f64 {
        (0..N).map(|i| self.data[i][i]).sum()
    }
    fn power(&self, n: u32) -> Self {
        let mut out = Self::identity();
        for _ in 0..n {
            out = out.times(self);
        }
        out
    }
}

#[differentiable]
impl Matrix<2, 2> {
    fn determinant(&self) -> f64 {
        self[(0, 0)] * self[(1, 1)] - self[(0, 1)] * self[(1, 0)]
    }
    fn inverse(&self) -> Option<Self> {
        let d = self.determinant();
        (d.abs() > 1e-12).then(|| {
            Matrix::new([
                [self[(1, 1)] / d, -self[(0, 1)] / d],
                [-self[(1, 0)] / d, self[(0, 0)] / d],
            ])
        })
    }
}

#[differentiable]
impl<const R: usize, const C: usize> Add for Matrix<R, C> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::from_fn(|i, j| self.data[i][j] + other.data[i][j])
    }
}
#[differentiable]
impl<const R: usize, const C: usize> Sub for Matrix<R, C> {
    type Output = Matrix<R, C>;
    fn sub(self, other: Matrix<R, C>) -> Matrix<R, C> {
        Matrix::from_fn(|i, j| self[(i, j)] - other[(i, j)])
    }
}
#[differentiable]
impl<const R: usize, const C: usize, const K: usize> Mul<Matrix<C, K>> for Matrix<R, C> {
    type Output = Matrix<R, K>;
    fn mul(self, other: Matrix<C, K>) -> Matrix<R, K> {
        self.times(&other)
    }
}
#[differentiable]
impl<const R: usize, const C: usize> Mul<f64> for Matrix<R, C> {
    type Output = Self;
    fn mul(self, k: f64) -> Self {
        self.map(|x| k * x)
    }
}
#[differentiable]
impl<const R: usize, const C: usize> Neg for Matrix<R, C> {
    type Output = Self;
    fn neg(mut self) -> Self {
        for row in self.data.iter_mut() {
            for x in row {
                *x = -*x;
            }
        }
        self
    }
}
#[differentiable]
impl<const R: usize, const C: usize> Index<(usize, usize)> for Matrix<R, C> {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i][j]
    }
}
#[differentiable]
impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<R, C> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i][j]
    }
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Vector<const N: usize>([f64; N]);

#[differentiable]
impl<const N: usize> Vector<N> {
    fn dot(&self, other: &Self) -> f64 {
        self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum()
    }
    fn norm(&self) -> f64 {
        self.dot(self).sqrt()
    }
}
#[differentiable]
impl<const R: usize, const C: usize> Mul<Vector<C>> for Matrix<R, C> {
    type Output = Vector<R>;
    fn mul(self, v: Vector<C>) -> Vector<R> {
        let mut out = [0.0; R];
        for (o, row) in out.iter_mut().zip(&self.data) {
            for (a, b) in row.iter().zip(v.0) {
                *o += a * b;
            }
        }
        Vector(out)
    }
}
#[differentiable]
impl<const N: usize> AddAssign for Vector<N> {
    fn add_assign(&mut self, other: Self) {
        for i in 0..N {
            self.0[i] += other.0[i];
        }
    }
}

/// A filter of position and velocity, with positions measured.
#[differentiable]
fn kalman(measured: &[f64], q: f64, r: f64) -> f64 {
    let f = Matrix::new([[1.0, 1.0], [0.0, 1.0]]);
    let h = Matrix::new([[1.0, 0.0]]);
    let (mut x, mut p) = (Matrix::<2, 1>::zeros(), Matrix::<2, 2>::identity());
    let noise = Matrix::identity() * q;
    let mut likelihood = 0.0;
    for &z in measured {
        x = f * x;
        p = f * p * f.transpose() + noise;
        let innovation = Matrix::new([[z]]) - h * x;
        let s = (h * p * h.transpose())[(0, 0)] + r;
        let gain = p * h.transpose() * (1.0 / s);
        x = x + gain * innovation;
        p = (Matrix::identity() - gain * h) * p;
        likelihood -= 0.5 * (innovation[(0, 0)].powi(2) / s + s.ln());
    }
    likelihood + x[(1, 0)]
}

#[differentiable]
fn quadratic_form(m: Matrix<2, 3>, v: Vector<2>) -> (f64, Vector<3>) {
    let w = m.transpose() * v;
    (w.norm() + m.mean() + m.column(1).dot(&v), w)
}

#[differentiable]
fn products(a: &Matrix<2, 3>, b: &Matrix<3, 1>) -> Matrix<2, 1> {
    let mut c = a.times(b);
    c[(1, 0)] *= 2.0;
    if Matrix::<2, 3>::IS_WIDE { c * 0.5 } else { -c }
}

#[differentiable]
fn traces(x: f64) -> f64 {
    let m = Matrix::<3, 3>::from_fn(|i, j| (x * (1 + i) as f64).sin() / (1 + j) as f64);
    let small = Matrix::new([[x, 0.5], [0.3, x * x]]);
    m.power(3).trace()
        + small.inverse().map_or(0.0, |inverse| inverse.trace())
        + Matrix::<3, 3>::SIZE as f64 * x
}

#[differentiable]
fn rotations(angle: f64, at: &[f64; 3]) -> Vector<3> {
    let turn = |k: usize| {
        let mut m = Matrix::<3, 3>::identity();
        let (s, c) = (angle * (k + 1) as f64).sin_cos();
        m[(k, k)] = c;
        m[(k, (k + 1) % 3)] = -s;
        m[((k + 1) % 3, k)] = s;
        m[((k + 1) % 3, (k + 1) % 3)] = c;
        m
    };
    let mut sum = turn(0) * turn(1) * Vector(*at);
    sum += Vector(*at);
    sum
}

/// Gauss elimination of any size.
#[differentiable]
fn solve<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> [f64; N] {
    for k in 0..N {
        for i in k + 1..N {
            let factor = a[i][k] / a[k][k];
            for j in k..N {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    let mut x = [0.0; N];
    for k in (0..N).rev() {
        let mut s = b[k];
        for j in k + 1..N {
            s -= a[k][j] * x[j];
        }
        x[k] = s / a[k][k];
    }
    x
}
#[differentiable]
fn solved(a: [[f64; 3]; 3], b: [f64; 3]) -> [f64; 3] {
    solve(a, b)
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Dense<const IN: usize, const OUT: usize> {
    w: [[f64; IN]; OUT],
    b: [f64; OUT],
}
#[differentiable]
impl<const IN: usize, const OUT: usize> Dense<IN, OUT> {
    fn forward(&self, x: &[f64; IN]) -> [f64; OUT] {
        let mut y = self.b;
        for (y, row) in y.iter_mut().zip(&self.w) {
            *y += row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
        }
        y.map(f64::tanh)
    }
}
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Network<const IN: usize, const HIDDEN: usize> {
    first: Dense<IN, HIDDEN>,
    last: Dense<HIDDEN, 1>,
}
#[differentiable]
fn layers(network: &Network<2, 3>, x: &[f64; 2]) -> f64 {
    network.last.forward(&network.first.forward(x))[0]
}

/// Coefficients of a type of one's own.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Polynomial<T, const N: usize> {
    coefficients: [T; N],
}
#[differentiable]
impl<T: Float, const N: usize> Polynomial<T, N> {
    const DEGREE: usize = N - 1;

    fn at(&self, x: T) -> T {
        self.coefficients
            .iter()
            .rev()
            .fold(T::zero(), |sum, &c| sum * x + c)
    }
    fn scaled(self, k: T) -> Self {
        Polynomial {
            coefficients: self.coefficients.map(|c| c * k),
        }
    }
    fn degree(&self) -> usize {
        Self::DEGREE
    }
}
#[differentiable]
fn polynomials(x: f64, y: f32) -> f64 {
    let p = Polynomial {
        coefficients: [1.0, x, -0.5, 0.25],
    };
    let q = Polynomial::<f32, 2> {
        coefficients: [0.5, y],
    };
    p.scaled(x).at(2.0) * p.degree() as f64 + f64::from(q.at(0.5))
}

#[differentiable]
fn smoothed<const N: usize>(x: &[f64], weights: [f64; N]) -> f64 {
    x.windows(N)
        .map(|w| {
            w.iter()
                .zip(&weights)
                .map(|(x, w)| x * w)
                .sum::<f64>()
                .powi(2)
        })
        .sum()
}
#[differentiable]
fn windows_of_three(x: &[f64]) -> f64 {
    smoothed(x, [0.25, 0.5, 0.25]) + smoothed::<1>(x, [0.1])
}

/// Derivatives of derivatives, by hand.
#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Dual<const N: usize> {
    value: f64,
    parts: [f64; N],
}
#[differentiable]
impl<const N: usize> Dual<N> {
    fn variable(value: f64, n: usize) -> Self {
        let mut parts = [0.0; N];
        parts[n] = 1.0;
        Dual { value, parts }
    }
}
#[differentiable]
impl<const N: usize> Mul for Dual<N> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Dual {
            value: self.value * o.value,
            parts: std::array::from_fn(|i| self.value * o.parts[i] + o.value * self.parts[i]),
        }
    }
}
#[differentiable]
fn dual_numbers(x: f64) -> f64 {
    let (a, b) = (Dual::<2>::variable(x, 0), Dual::variable(x * x, 1));
    let y = a * b * a;
    y.parts[0] * y.parts[1]
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Point {
    x: f64,
    y: f64,
}
#[differentiable]
impl Point {
    const ZERO: Point = Point { x: 0.0, y: 0.0 };
}
#[differentiable]
impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}
#[differentiable]
impl Mul<Point> for f64 {
    type Output = Point;
    fn mul(self, p: Point) -> Point {
        Point {
            x: self * p.x,
            y: self * p.y,
        }
    }
}
#[differentiable]
impl std::iter::Sum for Point {
    fn sum<I: Iterator<Item = Point>>(iter: I) -> Point {
        iter.fold(Point::ZERO, |a, b| a + b)
    }
}
#[differentiable]
impl<'a> std::iter::Sum<&'a Point> for Point {
    fn sum<I: Iterator<Item = &'a Point>>(iter: I) -> Point {
        iter.copied().sum()
    }
}
#[differentiable]
fn center(points: &[(f64, Point)]) -> Point {
    let mass: f64 = points.iter().map(|p| p.0).sum();
    let moments = points.iter().map(|&(m, p)| m * p).sum::<Point>();
    let places: Vec<Point> = points.iter().map(|p| p.1).collect();
    let plain: Point = places.iter().sum();
    1.0 / mass * moments + 0.5 * plain
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Complex<T>(T, T);
#[differentiable]
impl<T: Float> Mul for Complex<T> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Complex(self.0 * o.0 - self.1 * o.1, self.0 * o.1 + self.1 * o.0)
    }
}
#[differentiable]
impl<T: Float> std::iter::Product for Complex<T> {
    fn product<I>(iter: I) -> Self
    where
        I: Iterator<Item = Self>,
    {
        iter.fold(Complex(T::one(), T::zero()), |a, b| a * b)
    }
}
#[differentiable]
fn rotation_by_steps(angles: &[f64]) -> (Complex<f64>, f64) {
    let turn = |angles: &[f64]| -> Complex<f64> {
        angles.iter().map(|a| Complex(a.cos(), a.sin())).product()
    };
    let whole = turn(angles);
    let mut half = turn(&angles[1..]);
    half = whole * [half, whole].into_iter().product();
    (half, whole.0)
}

/// A buffer that is written over.
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Ring<const N: usize> {
    items: [f64; N],
    next: usize,
}
#[differentiable]
impl<const N: usize> Ring<N> {
    fn push(&mut self, x: f64) -> f64 {
        let old = std::mem::replace(&mut self.items[self.next], x);
        self.next = (self.next + 1) % N;
        old
    }
}
#[differentiable]
fn ring(buffer: &mut Ring<4>, x: f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..6 {
        sum += buffer.push(x * k as f64).sin();
    }
    sum
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Stacked<T, const N: usize>([T; N]);
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Grown<T> {
    inner: T,
    scale: f64,
}
#[differentiable]
fn grown(x: Grown<Stacked<Vector<2>, 3>>) -> Grown<Stacked<Vector<2>, 3>> {
    let Grown {
        inner: Stacked([a, b, c]),
        scale,
    } = x;
    Grown {
        inner: Stacked([c, Vector(a.0.map(|x| x * scale)), b]),
        scale: a.dot(&b),
    }
}

/// Public functions over types that ask for the bounds of their parameters.
mod visible {
    use super::*;

    #[derive(Differentiable, Clone, Debug, PartialEq)]
    pub struct Layer<T: FloatElement> {
        pub w: Array<T>,
        pub b: Array<T>,
    }
    #[differentiable]
    pub fn output<T: FloatElement>(layer: &Layer<T>, x: &Array<T>) -> T {
        (x.matmul(&layer.w) + &layer.b).tanh().sum().to_scalar()
    }

    #[derive(Differentiable, Clone, Debug, PartialEq)]
    pub struct Powers<const N: usize, T: Float> {
        pub of: [T; N],
    }
    #[differentiable]
    pub fn squared<T: Float>(x: T) -> Powers<2, T> {
        Powers { of: [x, x * x] }
    }
    #[differentiable]
    pub(crate) fn total<const N: usize, T>(powers: &Powers<N, T>) -> T
    where
        T: Float,
    {
        let mut sum = powers.of[0];
        for i in 1..N {
            sum = sum * powers.of[i];
        }
        sum
    }

    #[derive(Differentiable)]
    pub struct Equation<F>
    where
        F: Fn(f64) -> f64,
    {
        pub right: F,
    }
    #[differentiable]
    pub fn value<F: Fn(f64) -> f64>(equation: &Equation<F>, x: f64) -> f64 {
        (equation.right)(x) * x
    }

    /// A function is as private as the types of its parameters.
    #[derive(Differentiable)]
    struct Hidden<T> {
        x: T,
    }
    #[differentiable]
    #[allow(private_interfaces, reason = "that is what is tested")]
    pub fn of_hidden<T: Float>(hidden: &Hidden<T>) -> T {
        hidden.x.sin()
    }
    #[differentiable]
    pub fn hide<T: Float>(x: T) -> T {
        of_hidden(&Hidden { x })
    }

    /// Associated types in the parameters of a function.
    #[differentiable]
    pub trait Dynamics {
        type State;
        fn step(&self, state: &Self::State) -> Self::State;
    }
    #[derive(Differentiable, Clone, Debug, PartialEq)]
    pub struct Oscillator {
        pub stiffness: f64,
    }
    #[differentiable]
    impl Dynamics for Oscillator {
        type State = (f64, f64);
        fn step(&self, state: &(f64, f64)) -> (f64, f64) {
            let (position, speed) = *state;
            (position + speed, speed - self.stiffness * position)
        }
    }
    #[differentiable]
    pub fn twice<D: Dynamics>(dynamics: &D, state: &D::State) -> D::State {
        let next = dynamics.step(state);
        dynamics.step(&next)
    }

    /// The same for a trait of the program as the bound.
    #[derive(Differentiable)]
    struct Kept<D> {
        dynamics: D,
    }
    #[differentiable]
    #[allow(private_interfaces, reason = "that is what is tested")]
    pub fn step<D: Dynamics>(kept: &Kept<D>, state: &D::State) -> D::State {
        kept.dynamics.step(state)
    }
    #[differentiable]
    pub fn thrice<D: Dynamics + Clone>(dynamics: &D, state: &D::State) -> D::State {
        let next = twice(dynamics, state);
        let dynamics = dynamics.clone();
        step(&Kept { dynamics }, &next)
    }
}
#[differentiable]
fn in_layer(layer: &visible::Layer<f64>, x: &Array<f64>) -> f64 {
    visible::output(layer, x)
}
#[differentiable]
fn powers(x: f64) -> f64 {
    visible::total(&visible::squared(x))
}
#[differentiable]
fn in_equation(x: f64, a: f64) -> f64 {
    let equation = visible::Equation {
        right: |x: f64| (x * a).exp(),
    };
    visible::value(&equation, x)
}
#[differentiable]
fn hidden_inside(x: f64) -> f64 {
    visible::hide(x)
}

#[differentiable]
fn three_steps(oscillator: &visible::Oscillator, x: f64) -> f64 {
    let (position, speed) = visible::thrice(oscillator, &(x, 1.0));
    position * speed
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Borrowed<'a, T: Float + 'a> {
    of: &'a [T],
    by: T,
}
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Held<'a, 'b: 'a, T>
where
    T: 'a,
{
    of: &'a [T],
    last: &'b T,
}
#[differentiable]
fn product_of_borrowed(x: Borrowed<'_, f64>, held: &Held<'_, '_, f64>) -> f64 {
    x.of[0] * x.of[1] * x.by * held.of[0] * *held.last
}
#[differentiable]
fn borrowed(of: &[f64], by: f64) -> f64 {
    let last = &of[1];
    product_of_borrowed(Borrowed { of, by }, &Held { of, last })
}
