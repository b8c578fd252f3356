//! The sample packs `plugins/special` and `plugins/fft`: programs differentiate through both at once. That their rules are right, `pack check`
//! says in CI.

mod support;

use mooncake::prelude::*;
use support::built;

#[differentiable]
extern "pack" {
    fn bessel_j(x: f64, n: i32) -> f64;
    fn log_gamma(x: f64) -> f64;
    #[pack = "fft"]
    fn fft(re: &Array<f64>, im: &Array<f64>) -> (Array<f64>, Array<f64>);
    #[pack = "fft"]
    fn ifft(re: &Array<f64>, im: &Array<f64>) -> (Array<f64>, Array<f64>);
    #[pack = "fft"]
    fn fft_axis(re: &Array<f64>, im: &Array<f64>, axis: usize) -> (Array<f64>, Array<f64>);
}

/// The power of a spectrum, weighed, and a Bessel function of a number.
#[differentiable]
fn both(x: &Array<f64>, y: &Array<f64>, w: &Array<f64>, a: f64) -> Array<f64> {
    let (re, im) = fft(x, y);
    let scale = bessel_j(a, 2) + log_gamma(a);
    ((&re * &re + &im * &im) * w).sum() * scale
}

fn context() -> Context {
    let mut ctx = Context::builder().device(Device::cpu()).build().unwrap();
    ctx.load_pack(built("special-pack")).unwrap();
    ctx.load_pack(built("fft-pack")).unwrap();
    ctx
}

fn array(n: usize, f: impl Fn(f64) -> f64) -> Array<f64> {
    Array::from_vec((0..n).map(|i| f(i as f64)).collect::<Vec<f64>>(), [n])
}

#[test]
fn a_program_differentiates_through_two_packs() {
    let ctx = context();
    let (x, y, w) = (
        array(6, f64::sin),
        array(6, f64::cos),
        array(6, |i| 1.0 / (1.0 + i)),
    );
    test_rule::<both>(&ctx, (&x, &y, &w, 1.5)).unwrap();
}

#[test]
fn transforms_are_those_of_the_definition() {
    let _loaded = context();
    let n = 5;
    let (x, y) = (array(n, |i| (i + 0.5).sin()), array(n, |i| (2.0 * i).cos()));
    let (re, im) = fft(&x, &y);
    let (a, b) = (x.to_vec().unwrap(), y.to_vec().unwrap());
    for (k, (re, im)) in re
        .to_vec()
        .unwrap()
        .into_iter()
        .zip(im.to_vec().unwrap())
        .enumerate()
    {
        let mut sum = (0.0, 0.0);
        for j in 0..n {
            let angle = -std::f64::consts::TAU * (j * k) as f64 / n as f64;
            sum.0 += a[j] * angle.cos() - b[j] * angle.sin();
            sum.1 += a[j] * angle.sin() + b[j] * angle.cos();
        }
        assert!(
            (re - sum.0).abs() < 1e-12 && (im - sum.1).abs() < 1e-12,
            "{k}"
        );
    }
    let (back, _) = ifft(&fft(&x, &y).0, &fft(&x, &y).1);
    let pairs = back.to_vec().unwrap().into_iter().zip(a);
    assert!(pairs.into_iter().all(|(x, y)| (x - y).abs() < 1e-12));
    let wrong = fft_axis(&x, &y, 1).0.to_vec().unwrap_err().to_string();
    assert!(
        wrong.contains("no axis 1 in an array of shape [5]"),
        "{wrong}"
    );
}
