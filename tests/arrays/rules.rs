//! Gradients of programs over arrays, on the CPU, against differences.

use mooncake::Const;
use mooncake::prelude::*;

#[differentiable]
fn squares(x: &Array<f32>) -> Array<f32> {
    (x * x).sum()
}

#[differentiable]
fn layer(x: &Array<f32>, w: &Array<f32>, b: &Array<f32>) -> Array<f32> {
    let h = (x.matmul(w) + b).tanh();
    (&h * &h).mean()
}

#[differentiable]
fn cross_entropy(x: &Array<f32>, labels: &Array<u32>, w: &Array<f32>) -> Array<f32> {
    let scores = x.matmul(w).log_softmax(1);
    -scores.gather(1, labels).mean()
}

#[differentiable]
fn mapped(x: &Array<f32>, a: f32) -> Array<f32> {
    let y = x.map(|v| if v > 0.0 { a * v * v.sin() } else { v.exp() });
    (y.reshape([2, 3]).t().sum_axis(0) * 2.0).sum() * a
}

#[differentiable]
fn repeated(x: &Array<f32>, n: usize) -> Array<f32> {
    let mut y = x * 0.5;
    for _ in 0..n {
        y = (&y * x).sin() + &y;
    }
    y.max_axis(0).sum()
}

fn data(n: usize) -> Vec<f32> {
    (0..n)
        .map(|i| ((i * 37 % 23) as f32 - 11.0) / 9.0)
        .collect()
}

fn array(shape: &[usize]) -> Array<f32> {
    Array::from_vec_on(&Device::cpu(), data(shape.iter().product()), shape)
}

/// Compares a gradient with differences of a function of one array.
fn check(name: &str, x: &Array<f32>, gradient: &Array<f32>, f: impl Fn(&Array<f32>) -> f32) {
    let (values, gradient) = (x.to_vec().unwrap(), gradient.to_vec().unwrap());
    assert_eq!(values.len(), gradient.len(), "{name}");
    for i in 0..values.len() {
        let step = 1e-2;
        let at = |delta: f32| {
            let mut moved = values.clone();
            moved[i] += delta;
            f(&Array::from_vec_on(&Device::cpu(), moved, x.shape()))
        };
        let difference = (at(step) - at(-step)) / (2.0 * step);
        let found = gradient[i];
        assert!(
            (found - difference).abs() < 2e-3 * (1.0 + found.abs()),
            "{name}: d{i} = {found}, differences give {difference}"
        );
    }
}

#[test]
fn sums_of_squares() {
    let rule = Context::default().build_rrule::<squares>().unwrap();
    let x = array(&[2, 3]);
    let (y, (dx,)) = rule.value_and_gradient((&x,)).unwrap();
    assert_eq!(y.item().unwrap(), squares(&x).item().unwrap());
    let twice: Vec<f32> = data(6).iter().map(|v| 2.0 * v).collect();
    assert_eq!((dx.shape(), dx.to_vec().unwrap()), (&[2, 3][..], twice));
    let broken = Array::from_vec_on(&Device::cpu(), data(2), [3]);
    assert!(rule.value_and_gradient((&broken,)).is_err());
}

#[test]
fn a_layer() {
    let rule = Context::default().build_rrule::<layer>().unwrap();
    let (x, w, b) = (array(&[4, 3]), array(&[3, 2]), array(&[2]));
    let (y, (dx, dw, db)) = rule.value_and_gradient((&x, &w, &b)).unwrap();
    let native = |x: &_, w: &_, b: &_| layer(x, w, b).item().unwrap();
    assert!((y.item().unwrap() - native(&x, &w, &b)).abs() < 1e-6);
    check("dx", &x, &dx, |x| native(x, &w, &b));
    check("dw", &w, &dw, |w| native(&x, w, &b));
    check("db", &b, &db, |b| native(&x, &w, b));
    let (_, ((), dw_alone, ())) = rule.value_and_gradient((Const(&x), &w, Const(&b))).unwrap();
    assert_eq!(dw_alone.to_vec().unwrap(), dw.to_vec().unwrap());
    let (y, pullback) = rule.value_and_pullback((&x, &w, &b)).unwrap();
    let (_, twice, _) = pullback(Array::full_on(&Device::cpu(), y.shape(), 2.0));
    for (a, b) in twice.to_vec().unwrap().iter().zip(dw.to_vec().unwrap()) {
        assert!((a - 2.0 * b).abs() < 1e-5);
    }
}

#[test]
fn indices_have_no_gradient() {
    let rule = Context::default().build_rrule::<cross_entropy>().unwrap();
    let (x, w) = (array(&[3, 4]), array(&[4, 5]));
    let labels = Array::from_vec_on(&Device::cpu(), vec![4_u32, 0, 4], [3, 1]);
    let (_, (dx, (), dw)) = rule.value_and_gradient((&x, &labels, &w)).unwrap();
    check("dx", &x, &dx, |x| {
        cross_entropy(x, &labels, &w).item().unwrap()
    });
    check("dw", &w, &dw, |w| {
        cross_entropy(&x, &labels, w).item().unwrap()
    });
}

#[test]
fn maps_of_closures_with_captures() {
    let rule = Context::default().build_rrule::<mapped>().unwrap();
    let x = array(&[6]);
    let native = |x: &_, a| mapped(x, a).item().unwrap();
    let (y, (dx, da)) = rule.value_and_gradient((&x, 0.8)).unwrap();
    assert!((y.item().unwrap() - native(&x, 0.8)).abs() < 1e-5);
    check("dx", &x, &dx, |x| native(x, 0.8));
    let difference = (native(&x, 0.81) - native(&x, 0.79)) / 0.02;
    assert!((da - difference).abs() < 1e-2, "{da} {difference}");
}

#[test]
fn arrays_in_loops() {
    let rule = Context::default().build_rrule::<repeated>().unwrap();
    let x = array(&[3, 2]);
    let (y, (dx, ())) = rule.value_and_gradient((&x, 4)).unwrap();
    assert!((y.item().unwrap() - repeated(&x, 4).item().unwrap()).abs() < 1e-5);
    check("dx", &x, &dx, |x| repeated(x, 4).item().unwrap());
}

#[test]
fn a_gradient_needs_one_element() {
    #[differentiable]
    fn double(x: &Array<f32>) -> Array<f32> {
        x + x
    }
    let rule = Context::default().build_rrule::<double>().unwrap();
    let x = array(&[2]);
    let error = rule.value_and_gradient((&x,)).unwrap_err();
    assert!(
        error.to_string().contains("call value_and_pullback"),
        "{error}"
    );
    let (_, pullback) = rule.value_and_pullback((&x,)).unwrap();
    let (dx,) = pullback(array(&[2]));
    assert_eq!(
        dx.to_vec().unwrap(),
        data(2).iter().map(|v| 2.0 * v).collect::<Vec<_>>()
    );
}
