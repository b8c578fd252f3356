//! Small values of fixed size are scalars before they are derived: of none of these programs is an object left.

#![allow(clippy::all, reason = "the programs are what is tested")]

#[macro_use]
#[path = "support/check.rs"]
mod check;
/// The functions of the benchmark.
#[path = "../runtime/bin/bench/small.rs"]
mod bench;

use bench::{
    Mass, kalman4, mat2_by_reference, mat2_by_value, mat2_generic, mat2_indexed, slice_of_lists,
    slice_of_structs, small_list, small_struct,
};
use mooncake::inspect::Stage;
use mooncake::prelude::*;
use std::ops::{Add, Deref, Index, IndexMut, Mul, Neg, Sub};

/// One test for each function, at these arguments: that it has no objects when it is derived, and that its gradient is right.
macro_rules! scalars {
    ($($f:ident($($arg:expr),*);)*) => {
        check! { $($f($($arg),*);)* }
        mod without_objects {
            use super::*;
            $(#[test]
            fn $f() {
                let text = Context::default().ir::<super::$f>(Stage::Normal).unwrap();
                assert!(!text.contains(" alloc "), "{text}");
            })*
        }
    };
}

const STEPS: usize = 20;

type Pairs = [[f64; 2]; 2];

#[differentiable]
fn transpose_product(a: &Pairs, b: &Pairs) -> Pairs {
    let mut c = *a;
    for (i, row) in c.iter_mut().enumerate() {
        for (j, v) in row.iter_mut().enumerate() {
            *v = a[i].iter().zip(&b[j]).map(|(x, y)| x * y).sum();
        }
    }
    c
}

#[differentiable]
fn a_nested_list_by_reference(x: &[f64]) -> f64 {
    let a = [[x[0], x[1]], [x[2], x[3]]];
    let mut m = [[1.0, 0.0], [0.0, 1.0]];
    for _ in 0..STEPS {
        m = transpose_product(&m, &a);
    }
    m[0][0] - m[0][1] + m[1][0] * m[1][1]
}

#[derive(Clone, Copy, Differentiable)]
struct Matrix<const R: usize, const C: usize>([[f64; C]; R]);

#[differentiable]
impl<const R: usize, const C: usize> Index<(usize, usize)> for Matrix<R, C> {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.0[i][j]
    }
}
#[differentiable]
impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<R, C> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.0[i][j]
    }
}
#[differentiable]
impl<const R: usize, const C: usize> Matrix<R, C> {
    fn from_fn(f: impl Fn(usize, usize) -> f64) -> Self {
        Matrix(std::array::from_fn(|i| std::array::from_fn(|j| f(i, j))))
    }
}
#[differentiable]
impl<const R: usize, const C: usize, const K: usize> Mul<Matrix<C, K>> for Matrix<R, C> {
    type Output = Matrix<R, K>;
    fn mul(self, other: Matrix<C, K>) -> Matrix<R, K> {
        Matrix::from_fn(|i, j| (0..C).map(|k| self[(i, k)] * other[(k, j)]).sum())
    }
}
#[differentiable]
impl<const R: usize, const C: usize> Add for Matrix<R, C> {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        for i in 0..R {
            for j in 0..C {
                self[(i, j)] += other[(i, j)];
            }
        }
        self
    }
}
#[differentiable]
impl<const R: usize, const C: usize> Neg for Matrix<R, C> {
    type Output = Self;
    fn neg(self) -> Self {
        Matrix(self.0.map(|row| row.map(|v| -v)))
    }
}

#[differentiable]
fn a_const_generic_matrix(x: &[f64]) -> f64 {
    let a = Matrix([[x[0], x[1]], [x[2], x[3]]]);
    let mut m = Matrix([[1.0, 0.0], [0.0, 1.0]]);
    for _ in 0..x.len() {
        m = -(m * a) + m;
    }
    m[(0, 0)] * m[(0, 1)] + m[(1, 0)] - m[(1, 1)]
}

#[derive(Clone, Copy, Differentiable)]
struct Vec3([f64; 3]);

#[differentiable]
impl Deref for Vec3 {
    type Target = [f64; 3];
    fn deref(&self) -> &[f64; 3] {
        &self.0
    }
}
#[differentiable]
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, other: Vec3) -> Vec3 {
        Vec3(std::array::from_fn(|i| self[i] + other[i]))
    }
}
#[differentiable]
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, other: Vec3) -> Vec3 {
        Vec3([self[0] - other[0], self[1] - other[1], self[2] - other[2]])
    }
}
#[differentiable]
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, k: f64) -> Vec3 {
        Vec3(self.map(|v| v * k))
    }
}
#[differentiable]
impl Vec3 {
    fn dot(&self, other: &Vec3) -> f64 {
        self.iter().zip(other.iter()).map(|(a, b)| a * b).sum()
    }
}

#[differentiable]
fn a_list_behind_deref(x: &[f64]) -> f64 {
    let mut v = Vec3([x[0], x[1], x[2]]);
    let g = Vec3([x[3], 0.5, -0.25]);
    for _ in 0..STEPS {
        v = v * 0.9 + g * v.dot(&g) - v * 0.01;
    }
    v.dot(&v)
}

#[derive(Clone, Copy, Differentiable)]
struct Ray {
    origin: Vec3,
    direction: Vec3,
}

#[differentiable]
fn hit(ray: &Ray, center: &Vec3, radius: f64) -> Option<Vec3> {
    let to = *center - ray.origin;
    let along = to.dot(&ray.direction);
    let d = radius * radius - to.dot(&to) + along * along;
    if d < 0.0 {
        return None;
    }
    Some(ray.origin + ray.direction * (along - d.sqrt()))
}

#[differentiable]
fn an_option_of_a_list(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() {
        let ray = Ray {
            origin: Vec3([0.0, 0.1 * x[i], -3.0]),
            direction: Vec3([0.0, 0.1, 0.9]),
        };
        if let Some(p) = hit(&ray, &Vec3([0.1, 0.2, x[0]]), 1.0) {
            total += p.dot(&p);
        }
    }
    total
}

#[derive(Clone, Copy, Differentiable)]
enum Shape {
    Point,
    Segment([f64; 2]),
    Triangle([f64; 3]),
}

#[differentiable]
fn an_enum_of_lists(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() {
        let shape = match i % 3 {
            0 => Shape::Point,
            1 => Shape::Segment([x[i], x[0]]),
            _ => Shape::Triangle([x[i], x[0], x[1]]),
        };
        total += match shape {
            Shape::Point => x[i].sin(),
            Shape::Segment([a, b]) => a * b,
            Shape::Triangle([a, b, c]) => a * b * c,
        };
    }
    total
}

#[differentiable]
fn a_captured_list(x: &[f64]) -> f64 {
    let w = [x[0], x[1] * x[2], x[3].sin()];
    let poly = |t: f64| w[0] + t * (w[1] + t * w[2]);
    let mut s = 0.0;
    for v in x {
        s += poly(*v);
    }
    s
}

#[differentiable]
fn stages_of_runge_kutta(x: &[f64]) -> f64 {
    let field = |s: [f64; 2]| [s[1], -x[2] * s[0] - x[3] * s[1]];
    let mut s = [x[0], x[1]];
    let h = 0.1;
    for _ in 0..STEPS {
        let k1 = field(s);
        let k2 = field([s[0] + 0.5 * h * k1[0], s[1] + 0.5 * h * k1[1]]);
        let mut next = s;
        for i in 0..2 {
            next[i] += h * (0.3 * k1[i] + 0.7 * k2[i]);
        }
        s = next;
    }
    s[0] * s[0] + s[1]
}

#[differentiable]
fn swapped_lists(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1]];
    let mut b = [x[2], x[3]];
    for i in 0..x.len() {
        std::mem::swap(&mut a, &mut b);
        if x[i] > 0.0 {
            a = [a[0] + b[1], b[0] * x[i]];
        } else {
            b[1] -= a[0];
        }
    }
    a[0] * b[1] - a[1] * b[0]
}

#[differentiable]
fn triangular_loops(x: &[f64]) -> f64 {
    let mut l = [[0.0; 3]; 3];
    let a = [
        [4.0 + x[0], x[1], x[2]],
        [x[1], 5.0, x[3]],
        [x[2], x[3], 6.0],
    ];
    for i in 0..3 {
        for j in 0..=i {
            let mut s: f64 = a[i][j];
            for k in 0..j {
                s -= l[i][k] * l[j][k];
            }
            l[i][j] = if i == j { s.sqrt() } else { s / l[j][j] };
        }
    }
    let mut y = [0.0; 3];
    for i in (0..3).rev() {
        let mut s = x[i];
        for k in i + 1..3 {
            s -= l[k][i] * y[k];
        }
        y[i] = s / l[i][i];
    }
    y.iter().sum()
}

scalars! {
    small_struct(&[0.5, -0.25, 0.75, 1.0]);
    small_list(&[0.5, -0.25, 0.75, 1.0]);
    mat2_by_value(&[0.5, -0.25, 0.75, 0.4]);
    mat2_by_reference(&[0.5, -0.25, 0.75, 0.4]);
    mat2_indexed(&[0.5, -0.25, 0.75, 0.4]);
    mat2_generic(&[0.5, -0.25, 0.75, 0.4]);
    slice_of_structs(&[Mass { x: 0.5, y: -0.25, m: 2.0 }, Mass { x: 1.5, y: 0.75, m: 0.5 }]);
    slice_of_lists(&[[0.5, -0.25], [0.75, 1.0]]);
    kalman4(&[0.5, -0.25, 0.75, 1.0, 1.1, 1.3], &[0.4, 0.2]);
    a_nested_list_by_reference(&[0.5, -0.25, 0.75, 1.0]);
    a_const_generic_matrix(&[0.5, -0.25, 0.75, 0.3]);
    a_list_behind_deref(&[0.5, -0.25, 0.75, 0.3]);
    an_option_of_a_list(&[0.5, -0.25, 5.0, 0.3]);
    an_enum_of_lists(&[0.5, -0.25, 0.75, 0.3, 1.5]);
    a_captured_list(&[0.5, -0.25, 0.75, 0.3]);
    stages_of_runge_kutta(&[0.5, -0.25, 0.75, 0.3]);
    swapped_lists(&[0.5, -0.25, 0.75, 0.3]);
    triangular_loops(&[0.5, -0.25, 0.75, 0.3]);
}
