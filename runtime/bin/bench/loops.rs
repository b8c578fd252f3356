//! Loops over matrices, a model, an integrator and a long straight line: the functions of `PERFORMANCE.md` that
//! others have measured besides those of the Mooncake talk.

#![allow(
    clippy::needless_range_loop,
    reason = "the functions are written as those that others have measured"
)]

use mooncake::prelude::*;

/// `k = a ⊗ b` for `a` of 20 × 20 and `b` of 40 × 40, then its sum.
#[differentiable]
pub fn kron_sum(a: &[f64], b: &[f64], k: &mut [f64]) -> f64 {
    for i in 0..20 {
        for j in 0..20 {
            for p in 0..40 {
                for q in 0..40 {
                    k[(i * 40 + p) * 800 + j * 40 + q] = a[i * 20 + j] * b[p * 40 + q];
                }
            }
        }
    }
    let mut s = 0.0;
    for i in 0..k.len() {
        s += k[i];
    }
    s
}

/// A dense layer without a bias.
#[differentiable]
fn dense(w: &[f64], x: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        let mut s = 0.0;
        for j in 0..x.len() {
            s += w[i * x.len() + j] * x[j];
        }
        y[i] = s;
    }
}

/// The squared error of two dense layers with a rectifier between, 32–64–32, over 16 samples.
#[differentiable]
pub fn mlp(w1: &[f64], w2: &[f64], x: &[f64], t: &[f64]) -> f64 {
    let mut h = vec![0.0; 64];
    let mut y = vec![0.0; 32];
    let mut loss = 0.0;
    for n in 0..16 {
        dense(w1, &x[n * 32..(n + 1) * 32], &mut h);
        for i in 0..h.len() {
            if h[i] < 0.0 {
                h[i] = 0.0;
            }
        }
        dense(w2, &h, &mut y);
        for i in 0..y.len() {
            let d = y[i] - t[n * 32 + i];
            loss += d * d;
        }
    }
    loss
}

/// The log-density of weights in a logistic regression with the prior N(0, 1): each row of `x` is for one of `y`.
#[differentiable]
pub fn logreg(w: &[f64], x: &[f64], y: &[f64]) -> f64 {
    let d = w.len() - 1;
    let mut s = 0.0;
    for j in 0..w.len() {
        s -= 0.5 * w[j] * w[j];
    }
    for i in 0..y.len() {
        let mut z = w[d];
        for j in 0..d {
            z += x[i * d + j] * w[j];
        }
        s += y[i] * z - (1.0 + z.exp()).ln();
    }
    s
}

/// Where prey and predators of Lotka and Volterra's equations are after 1000 steps of Runge and Kutta's method.
#[differentiable]
pub fn lv_rk4(u: f64, v: f64, a: f64, b: f64, c: f64, d: f64) -> f64 {
    let h = 0.01;
    let (mut u, mut v) = (u, v);
    for _ in 0..1000 {
        let (u1, v1) = (a * u - b * u * v, d * u * v - c * v);
        let (p, q) = (u + 0.5 * h * u1, v + 0.5 * h * v1);
        let (u2, v2) = (a * p - b * p * q, d * p * q - c * q);
        let (p, q) = (u + 0.5 * h * u2, v + 0.5 * h * v2);
        let (u3, v3) = (a * p - b * p * q, d * p * q - c * q);
        let (p, q) = (u + h * u3, v + h * v3);
        let (u4, v4) = (a * p - b * p * q, d * p * q - c * q);
        u += h / 6.0 * (u1 + 2.0 * u2 + 2.0 * u3 + u4);
        v += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
    }
    u + v
}

/// A wave on a square, whose rows are vectors, and three states that take turns.
#[differentiable]
pub fn wave(p: &[f64]) -> f64 {
    let n = 40;
    let mut before = vec![vec![0.0; n]; n];
    let mut now = vec![vec![0.0; n]; n];
    let mut next = vec![vec![0.0; n]; n];
    now[n / 2][n / 2] = p[0];
    for _ in 0..20 {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let around = now[i + 1][j] + now[i - 1][j] + now[i][j + 1] + now[i][j - 1];
                next[i][j] = 2.0 * now[i][j] - before[i][j] + p[1] * (around - 4.0 * now[i][j]);
            }
        }
        std::mem::swap(&mut before, &mut now);
        std::mem::swap(&mut now, &mut next);
    }
    now.iter().flatten().map(|x| x * x).sum()
}

/// 400 multiplications in two chains, without a loop.
#[differentiable]
pub fn large_block(x: f64, y: f64) -> f64 {
    let (a, b) = (x, y);
    let a = a * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y;
    let b = b * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x;
    let a = a * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y;
    let b = b * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x;
    let a = a * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y;
    let b = b * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x;
    let a = a * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y;
    let b = b * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x;
    let a = a * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y;
    let b = b * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x;
    let a = a * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y;
    let b = b * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x;
    let a = a * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y;
    let b = b * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x;
    let a = a * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y;
    let b = b * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x;
    let a = a * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y;
    let b = b * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x;
    let a = a * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y;
    let b = b * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x * y * x;
    a + b
}
