//! Small values of fixed size, in the forms in which people write them: a hundred products, a Kalman filter, slices of them.

#![allow(
    clippy::needless_range_loop,
    reason = "the functions are written as people write them"
)]

use mooncake::prelude::*;
use std::ops::{Add, Index, IndexMut, Mul, Sub};

/// How many products there are.
const PRODUCTS: usize = 100;

/// A vector with operators.
#[derive(Clone, Copy, Differentiable)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
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
impl Vec3 {
    fn cross(self, other: Vec3) -> Vec3 {
        Vec3 {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }
}

#[differentiable]
pub fn small_struct(x: &[f64]) -> f64 {
    let a = Vec3 {
        x: x[0],
        y: x[1],
        z: x[2],
    };
    let mut v = Vec3 {
        x: x[3],
        y: 1.0,
        z: 0.5,
    };
    for _ in 0..PRODUCTS {
        v = v * 0.9 + a.cross(v) * 0.1;
    }
    v.x + v.y + v.z
}

#[differentiable]
fn crossed(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
}

#[differentiable]
pub fn small_list(x: &[f64]) -> f64 {
    let a = [x[0], x[1], x[2]];
    let mut v = [x[3], 1.0, 0.5];
    for _ in 0..PRODUCTS {
        let c = crossed(a, v);
        for i in 0..3 {
            v[i] = v[i] * 0.9 + c[i] * 0.1;
        }
    }
    v.iter().sum()
}

/// A state that is too large for scalars.
#[derive(Clone, Copy, Differentiable)]
struct State {
    x: [f64; 64],
    p: [[f64; 8]; 8],
    t: f64,
}

#[differentiable]
fn tick(mut s: State, a: f64) -> State {
    let i = (s.t as usize) % 64;
    s.x[i] = s.x[i] * a + s.p[i / 8][i % 8];
    s.p[i / 8][i % 8] += s.x[i] * 0.1;
    s.t += 1.0;
    s
}

#[differentiable]
pub fn state_by_value(x: &[f64]) -> f64 {
    let mut s = State {
        x: [x[0]; 64],
        p: [[x[1]; 8]; 8],
        t: 0.0,
    };
    for _ in 0..1000 {
        s = tick(s, x[2]);
    }
    s.x.iter().sum::<f64>() + s.p[1][2] * x[3]
}

type Pairs = [[f64; 2]; 2];

#[differentiable]
fn product_of_values(a: Pairs, b: Pairs) -> Pairs {
    let mut c = [[0.0; 2]; 2];
    for i in 0..2 {
        for j in 0..2 {
            for k in 0..2 {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

#[differentiable]
pub fn mat2_by_value(x: &[f64]) -> f64 {
    let a = [[x[0], x[1]], [x[2], x[3]]];
    let mut m = [[1.0, 0.0], [0.0, 1.0]];
    for _ in 0..PRODUCTS {
        m = product_of_values(m, a);
    }
    m[0][0] + m[0][1] + m[1][0] + m[1][1]
}

#[differentiable]
fn product_of_references(a: &Pairs, b: &Pairs) -> Pairs {
    let mut c = [[0.0; 2]; 2];
    for i in 0..2 {
        for j in 0..2 {
            c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j];
        }
    }
    c
}

#[differentiable]
pub fn mat2_by_reference(x: &[f64]) -> f64 {
    let a = [[x[0], x[1]], [x[2], x[3]]];
    let mut m = [[1.0, 0.0], [0.0, 1.0]];
    for _ in 0..PRODUCTS {
        m = product_of_references(&m, &a);
    }
    m[0][0] + m[0][1] + m[1][0] + m[1][1]
}

/// A matrix with an index of its own.
#[derive(Clone, Copy, Differentiable)]
struct Indexed {
    rows: Pairs,
}

#[differentiable]
impl Index<(usize, usize)> for Indexed {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.rows[i][j]
    }
}

#[differentiable]
impl IndexMut<(usize, usize)> for Indexed {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.rows[i][j]
    }
}

#[differentiable]
impl Mul for Indexed {
    type Output = Indexed;
    fn mul(self, other: Indexed) -> Indexed {
        let mut c = Indexed {
            rows: [[0.0; 2]; 2],
        };
        for i in 0..2 {
            for j in 0..2 {
                for k in 0..2 {
                    c[(i, j)] += self[(i, k)] * other[(k, j)];
                }
            }
        }
        c
    }
}

#[differentiable]
pub fn mat2_indexed(x: &[f64]) -> f64 {
    let a = Indexed {
        rows: [[x[0], x[1]], [x[2], x[3]]],
    };
    let mut m = Indexed {
        rows: [[1.0, 0.0], [0.0, 1.0]],
    };
    for _ in 0..PRODUCTS {
        m = m * a;
    }
    m[(0, 0)] + m[(0, 1)] + m[(1, 0)] + m[(1, 1)]
}

/// A matrix of any size.
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
impl<const R: usize, const C: usize> Matrix<R, C> {
    fn from_fn(f: impl Fn(usize, usize) -> f64) -> Self {
        Matrix(std::array::from_fn(|i| std::array::from_fn(|j| f(i, j))))
    }
    fn transposed(&self) -> Matrix<C, R> {
        Matrix::from_fn(|i, j| self[(j, i)])
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
    type Output = Matrix<R, C>;
    fn add(self, other: Matrix<R, C>) -> Matrix<R, C> {
        Matrix::from_fn(|i, j| self[(i, j)] + other[(i, j)])
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
pub fn mat2_generic(x: &[f64]) -> f64 {
    let a = Matrix([[x[0], x[1]], [x[2], x[3]]]);
    let mut m = Matrix([[1.0, 0.0], [0.0, 1.0]]);
    for _ in 0..PRODUCTS {
        m = m * a;
    }
    m[(0, 0)] + m[(0, 1)] + m[(1, 0)] + m[(1, 1)]
}

/// A filter of positions and velocities in the plane, of which positions are measured: the log-likelihood of the measurements, two
/// numbers each, given the noises.
#[differentiable]
pub fn kalman4(z: &[f64], noise: &[f64]) -> f64 {
    let dt = 0.1;
    let f = Matrix([
        [1.0, 0.0, dt, 0.0],
        [0.0, 1.0, 0.0, dt],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]);
    let h = Matrix([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]);
    let q = Matrix::<4, 4>::from_fn(|i, j| if i == j { noise[0] * noise[0] } else { 0.0 });
    let r = Matrix::<2, 2>::from_fn(|i, j| if i == j { noise[1] * noise[1] } else { 0.0 });
    let mut x = Matrix([[z[0]], [z[1]], [0.0], [0.0]]);
    let mut p = Matrix::<4, 4>::from_fn(|i, j| if i == j { 1.0 } else { 0.0 });
    let mut total = 0.0;
    for t in 0..z.len() / 2 {
        x = f * x;
        p = f * p * f.transposed() + q;
        let seen = Matrix([[z[2 * t]], [z[2 * t + 1]]]);
        let y = seen - h * x;
        let s = h * p * h.transposed() + r;
        let d = s[(0, 0)] * s[(1, 1)] - s[(0, 1)] * s[(1, 0)];
        let inverse = Matrix([
            [s[(1, 1)] / d, -s[(0, 1)] / d],
            [-s[(1, 0)] / d, s[(0, 0)] / d],
        ]);
        let k = p * h.transposed() * inverse;
        x = x + k * y;
        p = p - k * h * p;
        let distance = y.transposed() * inverse * y;
        total -= 0.5 * (distance[(0, 0)] + d.ln());
    }
    total
}

/// A weighted point.
#[derive(Clone, Copy, Differentiable)]
pub struct Mass {
    pub x: f64,
    pub y: f64,
    pub m: f64,
}

#[differentiable]
pub fn slice_of_structs(masses: &[Mass]) -> f64 {
    let mut sum = 0.0;
    for mass in masses {
        sum += mass.m * (mass.x * mass.x + mass.y * mass.y);
    }
    sum
}

#[differentiable]
pub fn slice_of_lists(pairs: &[[f64; 2]]) -> f64 {
    let mut sum = 0.0;
    for pair in pairs {
        sum += pair[0] * pair[1];
    }
    sum
}
