//! Programs that once failed, as Rust: made smaller, then written down.

use crate::same;
use mooncake::{Context, Device, differentiable};

/// Value and memory are those of the native call, reverse agrees with forward.
macro_rules! agree {
    ($f:ident, $n:expr) => {{
        let ctx = Context::builder().device(Device::cpu()).build().unwrap();
        let (x, u, a, n) = ([0.31, -0.72, 0.45, 0.18], [0.52, -0.13, 0.64], -0.37, $n);
        let mut after = u;
        let expected = $f(&x, &mut after, a, n);
        let primal = ctx.build_primal::<$f>().unwrap();
        let mut found = u;
        let value = primal.call((&x[..], &mut found[..], a, n)).unwrap();
        same("the value", &[value], &[expected]).unwrap();
        same("memory", &found, &after).unwrap();

        let rule = ctx.build_rrule::<$f>().unwrap();
        let (value, (dx, du, da, ())) = rule
            .value_and_gradient((&x[..], &mut u.clone()[..], a, n))
            .unwrap();
        same("the value with the gradient", &[value], &[expected]).unwrap();
        let frule = ctx.build_frule::<$f>().unwrap();
        let direction = ([0.2, 0.7, -0.4, 0.9], [0.6, -0.8, 0.3], 0.5);
        let (_, slope) = frule
            .value_and_derivative(
                (&x[..], &mut u.clone()[..], a, n),
                (
                    &direction.0[..],
                    &mut direction.1.clone()[..],
                    direction.2,
                    (),
                ),
            )
            .unwrap();
        let along: f64 = dx.iter().zip(&direction.0).map(|(g, d)| g * d).sum::<f64>()
            + du.iter().zip(&direction.1).map(|(g, d)| g * d).sum::<f64>()
            + da * direction.2;
        assert!((along - slope).abs() < 1e-9, "{along} {slope}");
    }};
}

/// Bounds of products that no integer holds.
#[differentiable]
fn far_apart(_x: &[f64], _u: &mut [f64], a: f64, n: usize) -> f64 {
    let m = n as i64;
    if m * (n as i64) == n as i64 { a } else { 0.5 }
}

/// A slice of a vector on each way around a decided branch.
#[differentiable]
fn drained(x: &[f64], _u: &mut [f64], a: f64, n: usize) -> f64 {
    let mut v = vec![a, x[1]];
    let o = Some(a);
    if n > 2 {
        while let Some(_last) = v.pop() {}
        v.push(0.25);
    }
    let m = match o {
        Some(b) => b * 0.5,
        None => 0.5,
    };
    for p in v.iter_mut() {
        *p *= m;
    }
    v[0]
}

/// Closures that capture nothing, chosen by a constant.
#[differentiable]
fn chosen(_x: &[f64], _u: &mut [f64], a: f64, n: usize) -> f64 {
    let f: Box<dyn Fn(f64) -> f64> = if true {
        Box::new(move |_| 0.5)
    } else {
        Box::new(move |v| v * n as f64)
    };
    f(a)
}

#[test]
fn what_was_found_stays_found() {
    for n in [0, 1, 3] {
        agree!(far_apart, n);
        agree!(drained, n);
        agree!(chosen, n);
    }
}
