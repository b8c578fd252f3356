//! Forward mode: derivatives along directions.

use mooncake::prelude::*;

#[differentiable]
fn f(x: &[f64], a: f64) -> f64 {
    let mut s = 0.0;
    for n in 0..x.len() {
        s += (a * x[n]).exp().cos();
    }
    s
}

#[test]
fn a_loop_over_a_slice() {
    let ctx = Context::default();
    let rule = ctx.build_frule::<f>().unwrap();
    let (x, dx) = ([0.3, -0.7, 1.1], [1.0, 0.5, -2.0]);
    let (y, dy) = rule.value_and_derivative((&x, 0.6), (&dx, 0.25)).unwrap();
    println!("{}", ctx.dual_ir::<f>().unwrap());
    let (value, (gx, ga)) = ctx
        .build_rrule::<f>()
        .unwrap()
        .value_and_gradient((&x, 0.6))
        .unwrap();
    assert_eq!(y, value);
    let expected: f64 = gx.iter().zip(dx).map(|(g, d)| g * d).sum::<f64>() + 0.25 * ga;
    assert!((dy - expected).abs() < 1e-14, "{dy} {expected}");
}
