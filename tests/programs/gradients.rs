//! Gradients of functions as people write them, by `test_rule`.

#![allow(
    clippy::assign_op_pattern,
    clippy::manual_is_multiple_of,
    clippy::manual_swap,
    reason = "the forms that people write are what is tested"
)]

use mooncake::prelude::*;

/// Tests the rule of a function.
macro_rules! check {
    ($f:ident($($arg:expr),*)) => {{
        let tested = test_rule::<$f>(&Context::default(), ($($arg,)*));
        tested.unwrap_or_else(|error| panic!("{error}"));
    }};
}

const X: [f64; 5] = [0.3, -1.2, 2.5, 0.7, -0.4];

#[differentiable]
fn sum_cos_exp(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for n in 0..x.len() {
        s += x[n].exp().cos();
    }
    s
}

#[differentiable]
fn sum_5x(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for n in 0..x.len() {
        s += 5.0 * x[n];
    }
    s
}

#[differentiable]
fn every_third(x: &[f64]) -> f64 {
    let mut s = 1.0;
    let mut p = 0.5;
    for n in (1..x.len()).step_by(3) {
        p = p * x[n] + s;
        s += x[n].exp() * p;
    }
    s
}

#[test]
fn the_functions_of_the_talk() {
    check!(sum_cos_exp(&X[..]));
    check!(sum_5x(&X[..]));
    check!(sum_5x(&[0.0; 0][..]));
    // Iterations run in groups: every remainder, and none.
    for n in 0..10 {
        let x: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        check!(sum_cos_exp(&x[..]));
        check!(every_third(&x[..]));
    }
}

#[differentiable]
fn polynomial(x: f64, y: f64) -> f64 {
    let z = x * y - 3.0 / y;
    let z = z * z + x;
    -z + 0.5 * x * x * x
}

#[differentiable]
fn elementary(x: f64, y: f64) -> f64 {
    x.sin() * y.exp() + (x * x + 1.0).ln() - y.sqrt()
        + x.tanh().powi(3)
        + y.powf(x)
        + x.atan2(y)
        + x.hypot(y)
        + x.abs()
        + f64::max(x, y)
        + y.min(x)
}

#[differentiable]
fn deferred(x: f64) -> f64 {
    let y;
    let mut z = x;
    if x > 0.5 {
        y = x * x;
        z += 1.0;
    } else {
        y = -x;
    }
    z *= y;
    z -= 2.0 * x;
    z /= 1.0 + x * x;
    z
}

#[differentiable]
fn constants(x: f64) -> f64 {
    const HALF: f64 = 0.5;
    std::f64::consts::PI * x * HALF + f64::EPSILON
}

#[test]
fn straight_lines() {
    check!(polynomial(1.3, -0.7));
    check!(elementary(1.3, 0.7));
    check!(deferred(0.8));
    check!(deferred(0.2));
    check!(constants(0.2));
}

#[differentiable]
fn branchy(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let v = x[i];
        if v > 1.0 {
            s += v.ln();
        } else if v > 0.0 && i % 2 == 0 || v < -1.0 {
            s += v * v;
        } else {
            s += if v < -0.3 { v.sin() * v } else { v * v * v };
        }
    }
    s
}

#[differentiable]
fn early_return(x: f64, n: f64) -> f64 {
    if x < 0.0 {
        return x * x;
    }
    let mut y = x;
    while y < n {
        if y > 3.0 {
            return y * n;
        }
        y = y * 2.0;
    }
    y.sin()
}

#[differentiable]
fn newton(x: f64) -> f64 {
    let mut r = x;
    let mut steps = 0;
    while (r * r - x).abs() > 1e-12 {
        r = 0.5 * (r + x / r);
        steps += 1;
        if steps > 50 {
            break;
        }
    }
    r
}

#[differentiable]
fn labelled(x: &[f64]) -> f64 {
    let mut s: f64 = 1.0;
    'outer: for i in 0..x.len() {
        let mut j = 0;
        loop {
            if j == x.len() {
                break;
            }
            if j > i {
                continue 'outer;
            }
            if s > 1e6 {
                break 'outer;
            }
            s += x[i] * x[j] * s.cos();
            j += 1;
        }
    }
    s
}

#[differentiable]
fn loop_value(x: f64) -> f64 {
    let mut y = x;
    let found = loop {
        y = y * 1.5 + 0.1;
        if y > 10.0 {
            break y * x;
        }
    };
    found + y
}

#[test]
fn control_flow_that_depends_on_values() {
    check!(branchy(&X[..]));
    check!(early_return(-1.5, 2.0));
    check!(early_return(1.6, 5.0));
    check!(early_return(1.6, 2.0));
    check!(newton(7.0));
    check!(labelled(&X[..]));
    check!(loop_value(1.1));
}

#[differentiable]
fn iterators(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v * v;
    }
    for (i, v) in x.iter().enumerate() {
        s += (i as f64) * v.sin();
    }
    for i in (1..x.len()).rev() {
        s -= x[i] * x[i - 1];
    }
    for i in (0..x.len()).step_by(2) {
        s *= 1.0 + 0.1 * x[i];
    }
    for i in 1..=2 {
        s += x[i];
    }
    s
}

#[differentiable]
fn matrix_sum(x: &[f64]) -> f64 {
    let n = x.len();
    let mut total = 0.0;
    for i in 0..n {
        let mut row = 0.0;
        for j in 0..=i {
            row += x[j] * (i + j) as f64;
        }
        total += row * row;
    }
    total
}

#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() - 1 {
        let a = 1.0 - x[i];
        let b = x[i + 1] - x[i] * x[i];
        s += a * a + 100.0 * b * b;
    }
    s
}

#[differentiable]
fn iterated_sin(x: f64) -> f64 {
    let mut y = x;
    for _ in 0..50 {
        y = y.sin();
    }
    y
}

#[differentiable]
fn slices_of_slices(x: &[f64]) -> f64 {
    let head = &x[..2];
    let tail = &x[2..];
    let mut s = 0.0;
    for i in 0..head.len() {
        s += head[i] * tail[i];
    }
    s * x[1..=2][0]
}

#[test]
fn loops() {
    check!(iterators(&X[..]));
    check!(matrix_sum(&X[..]));
    check!(rosenbrock(&X[..]));
    check!(iterated_sin(0.7));
    check!(slices_of_slices(&X[..]));
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn both(x: f64, y: f64) -> (f64, f64) {
    (square(x) + y, x * square(y))
}

#[differentiable]
fn calls(x: f64, y: f64) -> f64 {
    let (a, b) = both(x, y);
    let pair = both(b, a);
    pair.0 * pair.1.sin() + square(a)
}

#[differentiable]
fn power(x: f64, n: u32) -> f64 {
    if n == 0 {
        1.0
    } else if n % 2 == 0 {
        let h = power(x, n / 2);
        h * h
    } else {
        x * power(x, n - 1)
    }
}

#[differentiable]
fn even_sum(x: &[f64], i: usize) -> f64 {
    if i >= x.len() {
        0.0
    } else {
        x[i] * x[i] + odd_sum(x, i + 1)
    }
}

#[differentiable]
fn odd_sum(x: &[f64], i: usize) -> f64 {
    if i >= x.len() {
        1.0
    } else {
        x[i].sin() * even_sum(x, i + 1)
    }
}

#[test]
fn calls_and_recursion() {
    check!(calls(1.1, -0.4));
    check!(power(1.1, 11u32));
    check!(even_sum(&X[..], 0usize));
}

#[differentiable]
fn prefix_products(x: &[f64], work: &mut [f64]) -> f64 {
    work[0] = x[0];
    for i in 1..x.len() {
        work[i] = work[i - 1] * x[i];
    }
    let mut s = 0.0;
    for v in work.iter_mut() {
        *v = v.sin();
        s += *v;
    }
    s
}

#[differentiable]
fn stencil(u: &mut [f64], steps: usize) -> f64 {
    for _ in 0..steps {
        for i in 1..u.len() - 1 {
            u[i] = 0.25 * u[i - 1] + 0.5 * u[i] * u[i] + 0.25 * u[i + 1];
        }
    }
    let mut s = 0.0;
    for i in 0..u.len() {
        s += u[i] * u[i];
    }
    s
}

#[differentiable]
fn swap_sort(x: &mut [f64]) -> f64 {
    for i in 0..x.len() {
        for j in 0..x.len() - 1 - i {
            if x[j] > x[j + 1] {
                let t = x[j];
                x[j] = x[j + 1];
                x[j + 1] = t;
            }
        }
    }
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        s += v * (i + 1) as f64 * v;
    }
    s
}

#[test]
fn mutation_is_differentiated_and_undone() {
    check!(prefix_products(&X[..], &mut [7.0; 5][..]));
    check!(stencil(&mut X.clone()[..], 3usize));
    check!(swap_sort(&mut X.clone()[..]));
    let rule = Context::default().build_rrule::<prefix_products>().unwrap();
    let (_, (_, dwork)) = rule.value_and_gradient((&X, &mut [7.0; 5])).unwrap();
    assert_eq!(dwork, [0.0; 5], "the initial contents do not count");
}

#[differentiable]
fn single(x: &[f32], a: f32) -> f32 {
    let mut s = 0.0;
    for v in x {
        s += (a * v).tanh();
    }
    s
}

#[differentiable]
fn mixed(x: f32, y: f64, n: i32, flag: bool) -> f64 {
    let scaled = x as f64 * y;
    if flag {
        scaled * n as f64
    } else {
        scaled.floor() + y
    }
}

#[differentiable]
fn gathered(x: &[f64], index: &[usize], w: (f64, f64)) -> f64 {
    let mut s = 0.0;
    for i in index {
        s += w.0 * x[*i];
    }
    s * w.1
}

#[test]
fn other_types() {
    let ctx = Context::default();
    let x = [0.5_f32, -1.0, 2.0];
    let (y, (dx, da)) = ctx
        .build_rrule::<single>()
        .unwrap()
        .value_and_gradient((&x, 0.7))
        .unwrap();
    assert_eq!(y, single(&x, 0.7));
    let slopes: Vec<f32> = x.iter().map(|v| 1.0 - (0.7 * v).tanh().powi(2)).collect();
    for (found, slope) in dx.iter().zip(&slopes) {
        assert!((found - 0.7 * slope).abs() < 1e-6);
    }
    let expected: f32 = x.iter().zip(&slopes).map(|(v, s)| v * s).sum();
    assert!((da - expected).abs() < 1e-5);

    let rule = ctx.build_rrule::<mixed>().unwrap();
    let (y, gradient) = rule.value_and_gradient((1.5, 2.5, 3, true)).unwrap();
    assert_eq!((y, gradient), (11.25, (7.5, 4.5, (), ())));
    let (y, gradient) = rule.value_and_gradient((1.5, 2.5, 3, false)).unwrap();
    assert_eq!(
        (y, gradient),
        (mixed(1.5, 2.5, 3, false), (0.0, 1.0, (), ()))
    );

    let rule = ctx.build_rrule::<gathered>().unwrap();
    let (y, (dx, (), dw)) = rule
        .value_and_gradient((&X, &[1, 1, 4], (2.0, 3.0)))
        .unwrap();
    assert_eq!(y, gathered(&X, &[1, 1, 4], (2.0, 3.0)));
    assert_eq!(dx, [0.0, 12.0, 0.0, 0.0, 6.0]);
    let sum = X[1] + X[1] + X[4];
    assert!((dw.0 - 3.0 * sum).abs() < 1e-12 && (dw.1 - 2.0 * sum).abs() < 1e-12);
}
