//! Derivatives that programs ask for themselves: `mooncake::gradient` and its kin, in every combination with the modes around them.

// Vectors are meant where vectors are written.
#![allow(clippy::ptr_arg, clippy::useless_vec)]

use mooncake::Const;
use mooncake::prelude::*;
use mooncake::testing::kernels_run;
use mooncake::{derivative, gradient, hvp, value_and_gradient};
use std::cell::Cell;

#[differentiable]
fn cube(x: f64) -> f64 {
    x * x * x
}
#[differentiable]
fn slope(x: f64) -> f64 {
    gradient(cube, x)
}
#[differentiable]
fn second(x: f64) -> f64 {
    gradient(slope, x)
}
#[differentiable]
fn third(x: f64) -> f64 {
    gradient(second, x)
}
#[differentiable]
fn forward_slope(x: f64) -> f64 {
    derivative(cube, x)
}
#[differentiable]
fn forward_second(x: f64) -> f64 {
    derivative(|x| derivative(|x| x * x * x, x), x)
}

thread_local! {
    static DEBUG: Cell<bool> = const { Cell::new(false) };
}

/// On the CPU; in debug mode if `in_debug_mode` is around.
fn context() -> Context {
    let debug = DEBUG.get();
    Context::builder()
        .device(Device::cpu())
        .debug(debug)
        .build()
        .unwrap()
}

/// Runs checks in contexts that check rules while they run.
fn in_debug_mode(checks: impl FnOnce()) {
    DEBUG.set(true);
    checks();
    DEBUG.set(false);
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * (1.0 + b.abs())
}

/// Value, gradient, derivative and second derivative of a function of one number.
macro_rules! at {
    ($f:ident, $x:expr) => {{
        let ctx = context();
        let value = ctx.build_primal::<$f>().unwrap().call(($x,)).unwrap();
        let (same, (reverse,)) = ctx
            .build_rrule::<$f>()
            .unwrap()
            .value_and_gradient(($x,))
            .unwrap();
        assert_eq!(value, same);
        let frule = ctx.build_frule::<$f>().unwrap();
        let (same, forward) = frule.value_and_derivative(($x,), (1.0,)).unwrap();
        assert_eq!(value, same);
        assert!(close(reverse, forward), "{reverse} {forward}");
        let hvp = ctx.build_hvp::<$f>().unwrap();
        let (_, _, (product,)) = hvp.value_gradient_and_hvp(($x,), (1.0,)).unwrap();
        [value, reverse, product]
    }};
}

#[test]
fn derivatives_of_a_cube() {
    assert_eq!(at!(cube, 2.0), [8.0, 12.0, 12.0]);
    assert_eq!(at!(slope, 2.0), [12.0, 12.0, 6.0]);
    assert_eq!(at!(second, 2.0), [12.0, 6.0, 0.0]);
    assert_eq!(at!(third, 2.0), [6.0, 0.0, 0.0]);
}

#[test]
fn forward_derivatives_of_a_cube() {
    assert_eq!(at!(forward_slope, 2.0), [12.0, 12.0, 6.0]);
    assert_eq!(at!(forward_second, 2.0), [12.0, 6.0, 0.0]);
}

#[differentiable]
fn model(w: &[f64], x: f64) -> f64 {
    w[0] * (w[1] * x).sin()
}
#[differentiable]
fn penalised(w: &[f64], x: f64, y: f64) -> f64 {
    let error = model(w, x) - y;
    let slope = gradient(|x| model(w, x), x);
    error * error + 0.1 * slope * slope
}

#[test]
fn gradient_penalty() {
    let rule = Context::default().build_rrule::<penalised>().unwrap();
    let (loss, (dw, ..)) = rule.value_and_gradient((&[1.0, 2.0], 0.5, 0.0)).unwrap();
    let (sin, cos) = 1f64.sin_cos();
    assert!(close(loss, sin * sin + 0.4 * cos * cos));
    assert!(close(dw[0], 2.0 * sin * sin + 0.8 * cos * cos), "{dw:?}");
    // d/dw1: 2 s c x + 0.1 · 2 w1 c (c − w1 x s)
    let expected = 2.0 * sin * cos * 0.5 + 0.4 * cos * (cos - 1.0 * sin);
    assert!(close(dw[1], expected), "{dw:?} {expected}");
}

#[differentiable]
fn inner_step(w: &[f64], data: &[f64]) -> f64 {
    let g = gradient(
        |w: &[f64]| {
            let mut sum = 0.0;
            for i in 0..data.len() {
                let e = w[0] * data[i] + w[1] - data[i] * data[i];
                sum += e * e;
            }
            sum
        },
        w,
    );
    let (a, b) = (w[0] - 0.1 * g[0], w[1] - 0.1 * g[1]);
    let mut sum = 0.0;
    for &d in data {
        let e = a * d + b - d.sin();
        sum += e * e;
    }
    sum
}

#[test]
fn a_step_within() {
    let rule = Context::default().build_rrule::<inner_step>().unwrap();
    let (w, data) = ([0.3, -0.2], [0.5, 1.0, -0.7]);
    let (value, (dw, dd)) = rule.value_and_gradient((&w, &data)).unwrap();
    let h = 1e-6;
    for i in 0..2 {
        let mut p = w;
        p[i] += h;
        let mut m = w;
        m[i] -= h;
        let d = (rule.value((&p, &data)).unwrap() - rule.value((&m, &data)).unwrap()) / (2.0 * h);
        assert!((d - dw[i]).abs() < 1e-6, "{d} {}", dw[i]);
    }
    for i in 0..3 {
        let mut p = data;
        p[i] += h;
        let mut m = data;
        m[i] -= h;
        let d = (rule.value((&w, &p)).unwrap() - rule.value((&w, &m)).unwrap()) / (2.0 * h);
        assert!((d - dd[i]).abs() < 1e-6, "{d} {}", dd[i]);
    }
    assert!(value.is_finite());
    // What is constant outside is so inside.
    let (same, (dw_alone, ())) = rule.value_and_gradient((&w, Const(&data))).unwrap();
    assert_eq!((same, &dw_alone), (value, &dw));
    let (same, ((), dd_alone)) = rule.value_and_gradient((Const(&w), &data)).unwrap();
    assert_eq!((same, &dd_alone), (value, &dd));
    let vectors = Context::default().build_rrule::<step_on_vectors>().unwrap();
    let (w, data) = (w.to_vec(), data.to_vec());
    assert_eq!(
        vectors.value_and_gradient((&w, &data)).unwrap(),
        (value, (dw.clone(), dd))
    );
    let found = vectors.value_and_gradient((&w, Const(&data))).unwrap();
    assert_eq!(found, (value, (dw, ())));
}

#[differentiable]
fn step_on_vectors(w: &Vec<f64>, data: &Vec<f64>) -> f64 {
    inner_step(w, data)
}

/// Reverse mode, forward mode and differences agree, for a function of two slices that gives a number.
macro_rules! agree {
    ($f:ident, $x:expr, $y:expr) => {{
        let ctx = context();
        let rule = ctx.build_rrule::<$f>().unwrap();
        let (x, y) = ($x, $y);
        let (value, (dx, dy)) = rule.value_and_gradient((&x, &y)).unwrap();
        assert!(value.is_finite());
        let frule = ctx.build_frule::<$f>().unwrap();
        let hvp = ctx.build_hvp::<$f>().unwrap();
        let h = 1e-5;
        for i in 0..x.len() + y.len() {
            let (mut vx, mut vy) = (x.map(|_| 0.0), y.map(|_| 0.0));
            match i < x.len() {
                true => vx[i] = 1.0,
                false => vy[i - x.len()] = 1.0,
            }
            let at = |s: f64| {
                let (mut x, mut y) = (x, y);
                x.iter_mut().zip(&vx).for_each(|(x, v)| *x += s * v);
                y.iter_mut().zip(&vy).for_each(|(y, v)| *y += s * v);
                rule.value_and_gradient((&x, &y)).unwrap()
            };
            let difference = (at(h).0 - at(-h).0) / (2.0 * h);
            let reverse = if i < x.len() { dx[i] } else { dy[i - x.len()] };
            let (_, forward) = frule.value_and_derivative((&x, &y), (&vx, &vy)).unwrap();
            assert!(
                (reverse - difference).abs() < 1e-6 * (1.0 + reverse.abs()),
                "{i}: reverse {reverse}, differences {difference}"
            );
            assert!(
                close(reverse, forward),
                "{i}: reverse {reverse}, forward {forward}"
            );
            let (_, _, (hx, hy)) = hvp.value_gradient_and_hvp((&x, &y), (&vx, &vy)).unwrap();
            let (up, down) = (at(h).1, at(-h).1);
            let slopes = up.0.iter().chain(&up.1).zip(down.0.iter().chain(&down.1));
            for (n, (product, (up, down))) in hx.iter().chain(&hy).zip(slopes).enumerate() {
                let difference = (up - down) / (2.0 * h);
                assert!(
                    (product - difference).abs() < 1e-5 * (1.0 + product.abs()),
                    "{i}, {n}: product {product}, differences {difference}"
                );
            }
        }
    }};
}

#[test]
fn reverse_forward_and_differences_agree() {
    agree!(inner_step, [0.3, -0.2], [0.5, 1.0, -0.7]);
    agree!(product_within, [0.3, -0.2], [0.5, 1.1]);
    agree!(along_itself, [0.3, -0.2], [0.5, 1.1]);
    agree!(arguments_are_changed, [0.3, -0.2], [0.5, 1.1]);
    agree!(vectors_are_changed_in_place, [0.3, -0.2], [0.5, 1.1]);
    agree!(terms_of_a_sum, [0.3, -0.2], [0.5, 1.1, 0.4]);
    agree!(behind_a_trait, [0.3, -0.2], [0.5, 1.1]);
    agree!(reassigned, [0.3, -0.2], [0.5, 1.1]);
    agree!(captures_of_captures, [0.3, -0.2], [0.5, 1.1]);
    agree!(in_one_branch, [0.3, -0.2], [0.5, 1.1]);
    agree!(ways_out_and_loops, [0.3, -0.2], [0.5, 1.1]);
    agree!(in_a_search, [0.3, -0.2], [0.5, 1.1]);
    agree!(in_iterators, [0.3, -0.2], [0.5, 1.1, 0.4]);
    agree!(nested_vectors_are_captured, [0.3, -0.2], [0.5, 1.1]);
    agree!(rows, [0.3, -0.2], [0.5, 1.1]);
    agree!(of_options, [0.3, -0.2], [0.5, 1.1]);
    agree!(newton_on_lists, [0.3, -0.2], [0.5, 1.1]);
    agree!(lists_that_are_captured, [0.3, -0.2], [0.5, 1.1]);
    agree!(in_a_loop, [0.3, -0.2], [0.5, 1.1]);
    agree!(of_vectors, [0.3, -0.2], [0.5, 1.1, 0.4]);
    agree!(overlapping, [0.3, -0.2], [0.5, 1.1, 0.4]);
    agree!(of_several, [0.3, -0.2], [0.5, 1.1]);
    agree!(two_within_each_other, [0.3, -0.2], [0.5, 1.1]);
    agree!(recursive, [0.3, -0.2], [0.5, 1.1]);
    agree!(along, [0.3, -0.2], [0.5, 1.1]);
}

#[differentiable]
fn along(x: &[f64], y: &[f64]) -> f64 {
    derivative(|t| (x[0] + t * y[0]).sin() * (x[1] + t * y[1]), 0.5)
}

#[differentiable]
fn product_within(x: &[f64], v: &[f64]) -> f64 {
    let h = hvp(
        |x: &[f64]| x[0] * x[0] * x[1].sin() + x[1] * v[0],
        x,
        v.to_vec(),
    );
    h[0] * v[0] + h[1] * x[0]
}

#[differentiable]
fn newton_on_lists(x: &[f64], y: &[f64]) -> f64 {
    let at = [x[0], x[1]];
    let (value, g) = value_and_gradient(
        |p: [f64; 2]| (p[0] * y[0]).exp() * p[1] + p[0] * p[1] * y[1],
        at,
    );
    value * g[0] + g[1].sin()
}

/// The direction is the place itself.
#[differentiable]
fn along_itself(x: &[f64], y: &[f64]) -> f64 {
    let at = [x[0], x[1] * y[0]];
    let h = hvp(|p: [f64; 2]| p[0] * p[0] * (p[1] * y[1]).sin(), at, at);
    h[0] * at[1] + h[1]
}

#[differentiable]
fn reassigned(x: &[f64], y: &[f64]) -> f64 {
    let mut v = vec![x[0], y[0], x[1]];
    for _ in 0..2 {
        v = gradient(|v: &[f64]| v[0] * v[1] * v[2] + (v[0] * y[1]).sin(), &v[..]);
        v[1] += v[0] * x[0];
    }
    v[0] + 2.0 * v[1] + v[2] * v[0]
}

#[differentiable]
fn captures_of_captures(x: &[f64], y: &[f64]) -> f64 {
    let scale = |v: f64| v * y[0] + x[1];
    let twice = |v: f64| scale(scale(v) * v);
    let g = gradient(twice, x[0]);
    let other = |v: f64| twice(v) * g;
    g * gradient(other, y[1])
}

#[differentiable]
fn in_one_branch(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = x[0];
    for i in 0..4 {
        if i % 2 == 0 {
            sum += gradient(|v| (v * y[0] + sum).sin() * v, x[1] * i as f64);
        } else {
            sum *= y[1];
        }
    }
    sum
}

#[differentiable]
fn ways_out_and_loops(x: &[f64], y: &[f64]) -> f64 {
    let g = gradient(
        |v: f64| {
            let mut z = v;
            let mut n = 0;
            while z * z < 2.0 {
                z = z * 1.7 + y[0] * v;
                n += 1;
                if n > 7 {
                    return z * z * x[1];
                }
            }
            let mut all = Vec::new();
            for i in 0..n {
                all.push(0.1 * z * i as f64 * y[1]);
            }
            let mut sum = 0.0;
            for a in &all {
                sum += a.sin();
            }
            sum
        },
        x[0],
    );
    g * g
}

/// The pullback of the inner gradient pushes onto the tape. What the reverse of an iteration reads after it must still be what the iteration has kept.
#[differentiable]
fn in_a_search(x: &[f64], y: &[f64]) -> f64 {
    let mut z = x[0];
    let mut n = 0;
    while n < 6 {
        let p = (z * y[1]).exp();
        let w = p.sin();
        let g = gradient(
            |v: f64| {
                let mut a = v;
                while a * a < 4.0 {
                    a = a * 1.5 + (y[0] * v).exp();
                }
                a * x[1] * v
            },
            w,
        );
        z = w.cos() + 0.1 * g.sin();
        n += 1;
        if z > 20.0 {
            return w;
        }
    }
    z
}

#[differentiable]
fn in_iterators(x: &[f64], y: &[f64]) -> f64 {
    let slopes: Vec<f64> = y
        .iter()
        .map(|&v| gradient(|v| v * v * v * x[0], v))
        .collect();
    let sum: f64 = slopes
        .iter()
        .map(|s| gradient(|v| (v * s).cos(), x[1]))
        .sum();
    y.iter()
        .fold(sum, |sum, &v| sum + gradient(|w| w * w * sum, v))
}

#[differentiable]
fn nested_vectors_are_captured(x: &[f64], y: &[f64]) -> f64 {
    let m = vec![vec![x[0], x[1]], vec![y[0], y[1] * x[0]]];
    let pairs = vec![[x[1], y[0]], [y[1], x[0] * x[0]]];
    let g = gradient(
        |v: &[f64]| {
            let mut sum = 0.0;
            for i in 0..2 {
                for j in 0..2 {
                    sum += v[i] * m[i][j] * v[j] * pairs[i][j];
                }
            }
            sum * v[0]
        },
        y,
    );
    g[0] * m[1][0] + g[1] * pairs[1][1]
}

#[differentiable]
fn rows(x: &[f64], y: &[f64]) -> f64 {
    let rows = vec![[x[0], x[1]], [y[0], y[1]], [x[0] * y[0], 1.0]];
    let g = gradient(
        |rows: Vec<[f64; 2]>| {
            let mut sum = 0.0;
            for row in &rows {
                sum += (row[0] * y[1]).sin() * row[1] * row[1];
            }
            sum
        },
        rows,
    );
    let (pairs, other) = gradient(
        |(pairs, s): ([(f64, f64); 2], f64)| {
            let (a, b) = (pairs[0], pairs[1]);
            a.0 * b.1 * s + a.1 * b.0 * s * s
        },
        ([(x[0], x[1]), (y[0], y[1])], x[1]),
    );
    let mut sum = other;
    for row in &g {
        sum += row[0] * row[1];
    }
    sum + pairs[0].0 * pairs[1].1 + pairs[0].1
}

#[differentiable]
fn of_options(x: &[f64], y: &[f64]) -> f64 {
    let some = if x[0] > 0.0 { Some(y[0]) } else { None };
    gradient(
        |v| match some {
            Some(w) => v * v * w * x[1],
            None => v,
        },
        y[1],
    )
}

/// What the function does to its argument stays there.
#[differentiable]
fn arguments_are_changed(x: &[f64], y: &[f64]) -> f64 {
    let v = vec![x[0], x[1] * y[0]];
    let g = gradient(
        |mut v: Vec<f64>| {
            v.push(v[0] * v[1]);
            v[0] *= v[2].sin();
            v[0] * v[1] * y[1]
        },
        v.clone(),
    );
    let at = [v[0], v[1]];
    let h = gradient(
        |mut p: [f64; 2]| {
            p[0] *= p[1];
            p[1] += p[0] * y[0];
            p[0] * p[1].cos()
        },
        at,
    );
    g[0] * h[1] + g[1] * at[0] + h[0] * v[1]
}

/// Without a push, which would move what is changed to other memory.
#[differentiable]
fn vectors_are_changed_in_place(x: &[f64], y: &[f64]) -> f64 {
    let g = gradient(
        |mut w: Vec<f64>| {
            w[0] = w[0] * w[0] * x[1];
            w[0] * w[1]
        },
        vec![x[0], y[0]],
    );
    let (h, k) = gradient(
        |(mut w, k): (Vec<f64>, f64)| {
            for i in 0..2 {
                w[i] = w[0] * w[1] * k;
            }
            w[1] * w[0]
        },
        (x.to_vec(), y[1]),
    );
    let moved = hvp(
        |mut w: Vec<f64>| {
            for i in 0..2 {
                w[i] = (w[0] * w[1]).sin();
            }
            w[1]
        },
        x.to_vec(),
        vec![1.0, y[0]],
    );
    g[0] * h[1] + g[1] * k + h[0] * moved[1] + moved[0]
}

#[differentiable]
fn terms_of_a_sum(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..y.len() {
        let g = gradient(|x: &[f64]| (x[0] * y[i]).sin() * x[1], x);
        sum += g[0] * g[0] + gradient(|s| s * s * x[1] * y[i], y[i]);
    }
    sum
}

#[differentiable]
trait Potential {
    fn at(&self, q: f64) -> f64;
}
#[derive(Differentiable)]
struct Spring(f64);
#[derive(Differentiable)]
struct Well {
    depth: f64,
    width: f64,
}
#[differentiable]
impl Potential for Spring {
    fn at(&self, q: f64) -> f64 {
        self.0 * q * q
    }
}
#[differentiable]
impl Potential for Well {
    fn at(&self, q: f64) -> f64 {
        -self.depth * (-q * q * self.width).exp()
    }
}
#[differentiable]
fn behind_a_trait(x: &[f64], y: &[f64]) -> f64 {
    gradient(
        |q| {
            let all: [Box<dyn Potential>; 2] = [
                Box::new(Spring(y[0])),
                Box::new(Well {
                    depth: y[1],
                    width: x[1] * x[1],
                }),
            ];
            let mut sum = 0.0;
            for one in &all {
                sum += one.at(q);
            }
            sum
        },
        x[0],
    )
}

#[differentiable]
fn lists_that_are_captured(x: &[f64], y: &[f64]) -> f64 {
    let m = [[x[0], x[1] * x[0]], [y[0], y[1]]];
    let mut sum = 0.0;
    let g = gradient(
        |v: [f64; 2]| {
            let mut sum = 0.0;
            for i in 0..2 {
                for j in 0..2 {
                    sum += v[i] * m[i][j] * v[j] * v[j];
                }
            }
            sum
        },
        [y[1], x[0]],
    );
    for i in 0..2 {
        sum += g[i] * m[1][i];
    }
    sum
}

#[differentiable]
fn in_a_loop(x: &[f64], y: &[f64]) -> f64 {
    let mut w = vec![x[0], x[1]];
    for step in 0..3 {
        let rate = 0.1 * (step as f64 + 1.0) * y[0];
        let g = gradient(
            |w: &[f64]| (w[0] * w[1] - y[1]).powi(2) + w[0].cos(),
            &w[..],
        );
        for i in 0..2 {
            w[i] -= rate * g[i];
        }
    }
    w[0] * w[1] + w[0]
}

#[differentiable]
fn of_vectors(x: &[f64], y: &[f64]) -> f64 {
    let v: Vec<f64> = y.iter().map(|y| y * x[0]).collect();
    let g = gradient(
        |v: Vec<f64>| v.iter().map(|v| v.powi(3)).sum::<f64>() * x[1],
        v,
    );
    g.iter().zip(y).map(|(g, y)| g * y).sum()
}

#[differentiable]
fn overlapping(x: &[f64], y: &[f64]) -> f64 {
    let v: Vec<f64> = y.iter().map(|y| y * x[0]).collect();
    let (all, rest) = (&v[..], &v[1..]);
    let g = gradient(
        |s| {
            let mut sum = 0.0;
            for i in 0..rest.len() {
                sum += (all[i] * s).sin() * rest[i] * s;
            }
            sum
        },
        x[1],
    );
    g * v[0]
}

#[differentiable]
fn of_several(x: &[f64], y: &[f64]) -> f64 {
    let (dq, (dp, ds)) = gradient(
        |(q, (p, s)): (f64, ([f64; 2], Vec<f64>))| q * p[0] * s[1] + p[1] * q * q * s[0].exp(),
        (x[0], ([x[1], y[0]], y.to_vec())),
    );
    dq * dp[0] + dp[1] * ds[0] + ds[1]
}

#[differentiable]
fn two_within_each_other(x: &[f64], y: &[f64]) -> f64 {
    // d/da (a · d/db (a b² x0 + b y0)) at b = a y1
    gradient(
        |a| a * gradient(|b| a * b * b * x[0] + (b * y[0]).sin(), a * y[1]),
        x[1],
    )
}

#[differentiable]
fn power(x: f64, n: usize) -> f64 {
    match n {
        0 => 1.0,
        n => x * power(x, n - 1),
    }
}
#[differentiable]
fn recursive(x: &[f64], y: &[f64]) -> f64 {
    gradient(|a| power(a * y[0], 3) + power(a, 2) * y[1], x[0]) * power(x[1], 3)
}

#[test]
fn natively_they_are_what_is_compiled() {
    assert_eq!(slope(2.0), 12.0);
    assert_eq!(third(2.0), 6.0);
    assert_eq!(forward_second(2.0), 12.0);
    let rule = Context::default().build_rrule::<penalised>().unwrap();
    let value = rule.value((&[1.0, 2.0], 0.5, 0.0)).unwrap();
    assert_eq!(penalised(&[1.0, 2.0], 0.5, 0.0), value);
}

mod another {
    use mooncake::prelude::*;

    #[differentiable]
    pub fn gradient(x: f64) -> f64 {
        2.0 * x
    }
    /// A function of that name of one's own is what it is.
    #[differentiable]
    pub fn calls_it(x: f64) -> f64 {
        gradient(x) + gradient(1.0)
    }
}
#[test]
fn other_functions_of_that_name() {
    assert_eq!(another::calls_it(3.0), 8.0);
    assert_eq!(at!(calls_other, 3.0), [8.0, 2.0, 0.0]);
}
#[differentiable]
fn calls_other(x: f64) -> f64 {
    another::calls_it(x)
}

/// Taylor coefficients of exp(sin x) at 0, to order 6: 1, 1, 1/2, 0, −1/8, −1/15, −1/240.
mod taylor {
    use mooncake::derivative;
    use mooncake::prelude::*;

    #[differentiable]
    fn d0(x: f64) -> f64 {
        x.sin().exp()
    }
    #[differentiable]
    fn d1(x: f64) -> f64 {
        derivative(d0, x)
    }
    #[differentiable]
    fn d2(x: f64) -> f64 {
        derivative(d1, x)
    }
    #[differentiable]
    fn d3(x: f64) -> f64 {
        derivative(d2, x)
    }
    #[differentiable]
    fn d4(x: f64) -> f64 {
        derivative(d3, x)
    }
    #[differentiable]
    fn d5(x: f64) -> f64 {
        derivative(d4, x)
    }
    #[differentiable]
    pub fn coefficients(x: f64) -> [f64; 7] {
        let d6 = derivative(d5, x);
        [
            d0(x),
            d1(x),
            d2(x) / 2.0,
            d3(x) / 6.0,
            d4(x) / 24.0,
            d5(x) / 120.0,
            d6 / 720.0,
        ]
    }
    #[differentiable]
    pub fn fifth(x: f64) -> f64 {
        d5(x)
    }
}
#[test]
fn taylor_coefficients() {
    let expected = [1.0, 1.0, 0.5, 0.0, -0.125, -1.0 / 15.0, -1.0 / 240.0];
    let found = taylor::coefficients(0.0);
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    }
    let rule = Context::default().build_rrule::<taylor::fifth>().unwrap();
    let (value, (slope,)) = rule.value_and_gradient((0.0,)).unwrap();
    assert!(
        close(value, 120.0 * expected[5]) && close(slope, 720.0 * expected[6]),
        "{value} {slope}"
    );
}

/// Perturbation confusion (Siskind and Pearlmutter 2005): d/dx (x · d/dy (x + y) at 1) at 1 is 1, not 2; and with a product that mixes them.
#[differentiable]
fn confused(x: f64) -> f64 {
    derivative(|x| x * derivative(|y| x + y, 1.0), x)
}
#[differentiable]
fn confused_in_reverse(x: f64) -> f64 {
    gradient(|x| x * gradient(|y| x * y + y * y * y, x), x)
}
#[differentiable]
fn confused_in_both(x: f64) -> f64 {
    derivative(|x| x * gradient(|y| (x * y).sin(), 2.0 * x), x)
}
#[differentiable]
fn confused_the_other_way(x: f64) -> f64 {
    gradient(|x| x * derivative(|y| (x * y).sin(), 2.0 * x), x)
}
#[test]
fn no_perturbation_confusion() {
    assert_eq!(at!(confused, 1.0), [1.0, 0.0, 0.0]);
    // x (x + 3 x²) = x² + 3 x³
    assert_eq!(at!(confused_in_reverse, 2.0), [40.0, 38.0, 18.0]);
    // x · x cos(2 x²)
    let (x, f) = (0.7f64, |x: f64| {
        2.0 * x * (2.0 * x * x).cos() - 4.0 * x.powi(3) * (2.0 * x * x).sin()
    });
    for found in [at!(confused_in_both, x), at!(confused_the_other_way, x)] {
        let h = 1e-5;
        assert!(close(found[0], f(x)), "{found:?}");
        assert!((found[1] - (f(x + h) - f(x - h)) / (2.0 * h)).abs() < 1e-8);
        assert!((found[2] - (f(x + h) - 2.0 * f(x) + f(x - h)) / (h * h)).abs() < 1e-3);
    }
}

/// Hamilton's equations from the energy alone, by the leapfrog method: the gradient of what comes after some steps.
#[differentiable]
fn energy(q: &[f64; 2], p: &[f64; 2], k: f64) -> f64 {
    0.5 * (p[0] * p[0] + p[1] * p[1]) + 0.5 * k * (q[0] * q[0] + q[1] * q[1]) + q[0] * q[0] * q[1]
        - q[1].powi(3) / 3.0
}
#[differentiable]
fn leapfrog(start: &[f64], k: &[f64]) -> f64 {
    let (mut q, mut p) = ([start[0], start[1]], [start[2], start[3]]);
    for _ in 0..5 {
        for half in 0..2 {
            let force = gradient(|q: [f64; 2]| energy(&q, &p, k[0]), q);
            for i in 0..2 {
                p[i] -= 0.05 * force[i];
            }
            if half == 0 {
                let speed = gradient(|p: [f64; 2]| energy(&q, &p, k[0]), p);
                for i in 0..2 {
                    q[i] += 0.1 * speed[i];
                }
            }
        }
    }
    q[0] + 2.0 * q[1] + p[0] * p[1]
}
#[test]
fn a_hamiltonian_system() {
    agree!(leapfrog, [0.1, 0.2, 0.3, -0.1], [1.3]);
}

/// Arrays, on the device of the context.
#[differentiable]
fn of_arrays(x: &Array<f64>, w: &Array<f64>) -> Array<f64> {
    let g = gradient(|x: &Array<f64>| ((x * w).sin() * x).sum(), x);
    (&g * &g * w).sum()
}
#[test]
fn arrays() {
    let ctx = Context::default();
    let x = Array::from_vec(vec![0.3, -0.7, 1.2], [3]);
    let w = Array::from_vec(vec![0.5, 0.9, -0.4], [3]);
    let rule = ctx.build_rrule::<of_arrays>().unwrap();
    let (_, (dx, dw)) = rule.value_and_gradient((&x, &w)).unwrap();
    let frule = ctx.build_frule::<of_arrays>().unwrap();
    let h = 1e-6;
    for i in 0..3 {
        let unit = |s: f64| {
            let mut v = vec![0.0; 3];
            v[i] = s;
            Array::from_vec(v, [3])
        };
        let zero = Array::from_vec(vec![0.0; 3], [3]);
        let at = |a: &Array<f64>, b: &Array<f64>| rule.value((a, b)).unwrap().item().unwrap();
        let along_x = (at(&(&x + &unit(h)), &w) - at(&(&x - &unit(h)), &w)) / (2.0 * h);
        let along_w = (at(&x, &(&w + &unit(h))) - at(&x, &(&w - &unit(h)))) / (2.0 * h);
        let (gx, gw) = (dx.to_vec().unwrap()[i], dw.to_vec().unwrap()[i]);
        assert!((gx - along_x).abs() < 1e-7, "{gx} {along_x}");
        assert!((gw - along_w).abs() < 1e-7, "{gw} {along_w}");
        let (_, forward) = frule
            .value_and_derivative((&x, &w), (&unit(1.0), &zero))
            .unwrap();
        assert!(close(forward.item().unwrap(), gx), "{forward} {gx}");
    }
}

#[test]
fn the_same_in_debug_mode() {
    in_debug_mode(|| {
        derivatives_of_a_cube();
        forward_derivatives_of_a_cube();
        no_perturbation_confusion();
        agree!(product_within, [0.3, -0.2], [0.5, 1.1]);
        agree!(of_vectors, [0.3, -0.2], [0.5, 1.1, 0.4]);
    });
}

/// The message with which a rule is refused.
fn refused<F: mooncake::DifferentiableFn>() -> String {
    let rule = Context::default().build_rrule::<F>();
    rule.expect_err("it should be refused").to_string()
}

#[differentiable]
fn of_itself(x: f64, n: usize) -> f64 {
    match n {
        0 => x * x,
        n => gradient(|x| of_itself(x, n - 1), x),
    }
}
#[derive(Clone, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}
#[differentiable]
fn captures_a_cell(x: f64) -> f64 {
    let cell = std::cell::Cell::new(x);
    gradient(
        |x| {
            cell.set(cell.get() + x);
            cell.get() * x
        },
        x,
    )
}
#[differentiable]
fn captures_a_struct(p: &Point, x: f64) -> f64 {
    gradient(|x| x * x * p.x + p.y * x, x)
}

#[test]
fn what_is_refused() {
    let text = refused::<of_itself>();
    assert!(text.contains("takes a derivative of itself"), "{text}");
    let text = refused::<captures_a_cell>();
    assert!(
        text.contains("a function that captures a `Cell<f64>` has no derivative"),
        "{text}"
    );
}

/// A step of a state in its place: what the closure reads is copied before it.
#[differentiable]
fn kick(p: &mut Point) {
    let stiffness = p.y;
    p.y -= gradient(|x| x * x * stiffness, p.x);
}
#[differentiable]
fn kicked(x: f64) -> f64 {
    let mut p = Point { x, y: 3.0 };
    for _ in 0..2 {
        kick(&mut p);
    }
    p.y
}
#[differentiable]
fn of_elements(v: &[f64], x: f64) -> f64 {
    let mut sum = 0.0;
    for a in v {
        let a = *a;
        sum += gradient(|t| t * t * a, x);
    }
    sum
}
#[differentiable]
fn of_local_elements(x: f64) -> f64 {
    of_elements(&[x, 2.0], x)
}

#[test]
fn what_is_behind_a_reference_is_copied_and_captured() {
    let ctx = Context::default();
    // 3 (1 - 2x)²
    let rule = ctx.build_rrule::<kicked>().unwrap();
    assert_eq!(rule.value_and_gradient((0.25,)).unwrap(), (0.75, (-6.0,)));
    // 2x² + 4x
    let rule = ctx.build_rrule::<of_local_elements>().unwrap();
    assert_eq!(rule.value_and_gradient((0.5,)).unwrap(), (2.5, (6.0,)));
}

#[test]
fn structs_are_captured() {
    let rule = Context::default()
        .build_rrule::<captures_a_struct>()
        .unwrap();
    let (value, (dp, dx)) = rule
        .value_and_gradient((&Point { x: 2.0, y: 5.0 }, 3.0))
        .unwrap();
    assert_eq!((value, dp.x, dp.y, dx), (17.0, 6.0, 1.0, 4.0));
}

#[differentiable]
fn too_short(x: &[f64]) -> f64 {
    hvp(|x: &[f64]| x[0] * x[1], x, vec![1.0])[0]
}
#[differentiable]
fn fails_inside(x: &[f64], i: usize) -> f64 {
    gradient(|x: &[f64]| x[i] * x[i], x)[0]
}
#[differentiable]
fn of_many(x: &Array<f64>) -> Array<f64> {
    gradient(|x: &Array<f64>| x * x, x)
}
#[test]
fn failures_are_errors() {
    let ctx = Context::default();
    let rule = ctx.build_rrule::<too_short>().unwrap();
    let error = rule.value((&[1.0, 2.0],)).unwrap_err().to_string();
    assert!(error.contains("has not the length"), "{error}");
    let rule = ctx.build_rrule::<fails_inside>().unwrap();
    assert_eq!(rule.value_and_gradient((&[1.0, 2.0], 0)).unwrap().0, 2.0);
    let error = rule
        .value_and_gradient((&[1.0, 2.0], 2))
        .unwrap_err()
        .to_string();
    assert!(error.contains("index out of bounds"), "{error}");
    // Afterwards it works again.
    assert_eq!(rule.value_and_gradient((&[1.0, 2.0], 0)).unwrap().0, 2.0);
    let panicked = std::panic::catch_unwind(|| fails_inside(&[1.0], 1));
    assert!(panicked.is_err());
    // Of an array with axes it is the gradient of the sum.
    let found = of_many(&Array::from_vec(vec![1.0, 2.0], [2]));
    assert_eq!(found.to_vec().unwrap(), [2.0, 4.0]);
}

#[derive(Differentiable)]
struct Model(f64);
#[differentiable]
impl Model {
    fn slope(&self, x: f64) -> f64 {
        gradient(|x| x * x * self.0, x)
    }
}
#[differentiable]
fn by_a_method(w: f64, x: f64) -> f64 {
    Model(w * w).slope(x)
}
#[differentiable]
fn generic<
    T: mooncake::Float + mooncake::derivatives::Variable<Gradient = T> + mooncake::derivatives::Loss,
>(
    x: T,
) -> T {
    gradient(|x: T| x * x * x, x)
}
#[differentiable]
fn by_a_generic_function(x: f64) -> f64 {
    generic(x) + generic(x as f32) as f64
}
#[test]
fn methods_and_generic_functions() {
    let rule = Context::default().build_rrule::<by_a_method>().unwrap();
    assert_eq!(
        rule.value_and_gradient((3.0, 2.0)).unwrap(),
        (36.0, (24.0, 18.0))
    );
    assert_eq!(at!(by_a_generic_function, 2.0), [24.0, 24.0, 12.0]);
    let panicked = std::panic::catch_unwind(|| Model(1.0).slope(2.0)).unwrap_err();
    let text = panicked.downcast_ref::<String>().unwrap();
    assert!(
        text.contains("`mooncake::gradient` was called natively"),
        "{text}"
    );
}

/// In the function of a map: kernels have derivatives of their own.
#[differentiable]
fn in_a_map(x: &Array<f64>, w: f64) -> Array<f64> {
    x.map(|x| gradient(|y| (w * y).sin() * y, x)).sum()
}
#[test]
fn inside_a_map() {
    let x = Array::from_vec(vec![0.3, -0.7, 1.2], [3]);
    let rule = Context::default().build_rrule::<in_a_map>().unwrap();
    let (value, (dx, dw)) = rule.value_and_gradient((&x, 0.8)).unwrap();
    // d/dy (y sin wy) = sin wy + wy cos wy
    let f = |x: f64, w: f64| (w * x).sin() + w * x * (w * x).cos();
    let by_x = |x: f64, w: f64| 2.0 * w * (w * x).cos() - w * w * x * (w * x).sin();
    let x = x.to_vec().unwrap();
    let sum: f64 = x.iter().map(|&x| f(x, 0.8)).sum();
    assert!(close(value.item().unwrap(), sum));
    for (found, &x) in dx.to_vec().unwrap().into_iter().zip(&x) {
        assert!(close(found, by_x(x, 0.8)), "{found}");
    }
    let by_w: f64 = x.iter().map(|&x| x / 0.8 * by_x(x, 0.8)).sum();
    assert!(close(dw, by_w), "{dw} {by_w}");
}

/// On whatever device a default context has, in f32.
#[differentiable]
fn penalty_of_arrays(x: &Array<f32>, w: &Array<f32>) -> Array<f32> {
    let g = gradient(|x: &Array<f32>| x.matmul(w).map(|v| v * v * v).sum(), x);
    (&g * &g).sum()
}
#[differentiable]
fn in_a_map_of_f32(x: &Array<f32>, w: f32) -> Array<f32> {
    x.map(|x| gradient(|y| w * y * y * y, x)).sum()
}
#[test]
fn arrays_on_the_default_device() {
    let ctx = Context::default();
    let x = Array::from_vec(vec![0.3f32, -0.7, 1.2, 0.4], [2, 2]);
    let w = Array::from_vec(vec![0.5f32, 0.9, -0.4, 0.2], [2, 2]);
    let rule = ctx.build_rrule::<penalty_of_arrays>().unwrap();
    let (_, (dx, dw)) = rule.value_and_gradient((&x, &w)).unwrap();
    let h = 1e-2;
    for i in 0..4 {
        let unit = |s: f32| {
            let mut v = vec![0.0; 4];
            v[i] = s;
            Array::from_vec(v, [2, 2])
        };
        let at = |a: &Array<f32>, b: &Array<f32>| rule.value((a, b)).unwrap().item().unwrap();
        let along_x = (at(&(&x + &unit(h)), &w) - at(&(&x - &unit(h)), &w)) / (2.0 * h);
        let along_w = (at(&x, &(&w + &unit(h))) - at(&x, &(&w - &unit(h)))) / (2.0 * h);
        let (gx, gw) = (dx.to_vec().unwrap()[i], dw.to_vec().unwrap()[i]);
        assert!(
            (gx - along_x).abs() < 5e-3 * (1.0 + gx.abs()),
            "{gx} {along_x}"
        );
        assert!(
            (gw - along_w).abs() < 5e-3 * (1.0 + gw.abs()),
            "{gw} {along_w}"
        );
    }
    let rule = ctx.build_rrule::<in_a_map_of_f32>().unwrap();
    let (found, ran) = kernels_run(|| rule.value_and_gradient((&x, 2.0)));
    let (value, (dx, dw)) = found.unwrap();
    // Where the arrays are is where the gradient in the map was computed.
    assert_eq!(x.device(), ctx.device());
    assert_eq!(dx.device(), ctx.device());
    assert!(!ran.is_empty());
    let squares: f32 = x.to_vec().unwrap().iter().map(|x| 3.0 * x * x).sum();
    assert!((value.item().unwrap() - 2.0 * squares).abs() < 1e-5);
    assert!((dw - squares).abs() < 1e-5);
    for (found, x) in dx.to_vec().unwrap().into_iter().zip(x.to_vec().unwrap()) {
        assert!((found - 12.0 * x).abs() < 1e-5);
    }
}
