//! The sample packs `plugins/special` and `plugins/fft`: programs differentiate through both at once. That their rules are right, `pack check`
//! says in CI.

mod support;

use mooncake::prelude::*;
use support::{built, built_c};

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

#[differentiable]
#[pack = "bad-rows"]
extern "pack" {
    fn doubled(a: &Array<f64>) -> Array<f64>;
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

#[differentiable]
#[pack = "fft"]
extern "pack" {
    #[allow(dead_code, reason = "its kernel is called by compiled code")]
    fn back_axis(re: &Array<f32>, im: &Array<f32>, axis: usize) -> (Array<f32>, Array<f32>);
}

mod single {
    use mooncake::prelude::*;

    #[differentiable]
    #[pack = "fft"]
    extern "pack" {
        pub fn fft(re: &Array<f32>, im: &Array<f32>) -> (Array<f32>, Array<f32>);
        pub fn fft_axis(re: &Array<f32>, im: &Array<f32>, axis: usize) -> (Array<f32>, Array<f32>);
    }
}

/// Both parts of a transform, one after the other, along an axis or, of one line, along all.
#[differentiable]
fn transformed(x: &Array<f32>, y: &Array<f32>, axis: usize, whole: bool) -> Array<f32> {
    let (re, im) = if whole {
        single::fft(x, y)
    } else {
        single::fft_axis(x, y, axis)
    };
    re.concat(&im, 0)
}

#[differentiable]
fn power(x: &Array<f32>, y: &Array<f32>, w: &Array<f32>, axis: usize) -> Array<f32> {
    let (re, im) = single::fft_axis(x, y, axis);
    let (a, b) = back_axis(&(&re * w), &im, axis);
    (&a * &re + &b * &im).sum()
}

/// The GPU. Without an adapter this says so; `MOONCAKE_REQUIRE_GPU=1` makes that a failure.
fn gpu() -> Option<Device> {
    match Device::gpu() {
        Ok(gpu) => Some(gpu),
        Err(error) if std::env::var_os("MOONCAKE_REQUIRE_GPU").is_some() => panic!("{error}"),
        Err(error) => {
            eprintln!("not tested on a GPU: {error}");
            None
        }
    }
}

/// The kernel gives what `rustfft` gives; so does what it leaves to the host.
#[test]
fn transforms_on_a_gpu() {
    let host = context();
    let Some(gpu) = gpu() else { return };
    let mut ctx = Context::builder().device(gpu.clone()).build().unwrap();
    ctx.load_pack(built("fft-pack")).unwrap();
    let [on_host, on_gpu] = [&host, &ctx].map(|ctx| ctx.build_rrule::<transformed>().unwrap());
    let shapes: &[(&[usize], usize, bool)] = &[
        (&[8], 0, true),
        (&[2048], 0, true),
        (&[2], 0, false),
        (&[3, 16], 1, false),
        (&[16, 3], 0, false),
        (&[2, 4, 512, 3], 2, false),
        // Moved to the host.
        (&[6], 0, true),
        (&[4096], 0, true),
        (&[4, 6], 1, false),
        (&[4, 4], 0, true),
        (&[2, 1, 2, 2, 4], 4, false),
        (&[0], 0, true),
        (&[3, 1], 1, false),
    ];
    for &(shape, axis, whole) in shapes {
        let n: usize = shape.iter().product();
        let part = |device: &Device, start: f32| {
            let data = (0..n).map(|i| (start + 0.37 * i as f32).sin()).collect();
            Array::from_vec_on(device, data, shape)
        };
        let parts = |device: &Device| (part(device, 0.5), part(device, 2.0));
        let value = |rule: &RRule<transformed>, (x, y): (Array<f32>, Array<f32>)| {
            rule.value((&x, &y, axis, whole)).unwrap()
        };
        let found = value(&on_gpu, parts(&gpu));
        let expected = value(&on_host, parts(&Device::cpu()));
        assert_eq!(found.shape(), expected.shape(), "{shape:?}");
        let (found, expected) = (found.to_vec().unwrap(), expected.to_vec().unwrap());
        let size = expected.iter().fold(1.0_f32, |a, x| a.max(x.abs()));
        for (x, y) in found.iter().zip(&expected) {
            assert!(
                (x - y).abs() <= 2e-6 * size,
                "{shape:?}, {axis}: {x}, expected {y}"
            );
        }
    }
    let of = |start: f32| {
        let data = (0..24).map(|i| (start + 0.7 * i as f32).sin()).collect();
        Array::from_vec_on(&gpu, data, [3, 8])
    };
    test_rule::<power>(&ctx, (&of(0.5), &of(1.0), &of(2.0), 1)).unwrap();
    // What the kernel cannot do is said by the host.
    let rule = ctx.build_rrule::<transformed>().unwrap();
    let error = rule
        .value((&of(0.5), &of(1.0), 2, false))
        .and_then(|y| y.to_vec());
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("no axis 2 in an array of shape [3, 8]"),
        "{error}"
    );
}

/// The test before this one moves arrays many times, for two functions: in a process of its own, each says so once.
#[test]
fn a_move_to_the_host_is_said_once() {
    if gpu().is_none() {
        return;
    }
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "transforms_on_a_gpu", "--nocapture"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    for function in ["fft::fft", "fft::fft_axis"] {
        let line = format!("`{function}` runs on the CPU: arrays are moved there");
        assert_eq!(said.matches(&line).count(), 1, "{said}");
    }
}

/// The derivative of a function of a loaded pack, within a function.
#[differentiable]
fn slope(x: f64) -> f64 {
    mooncake::derivative(|x| x * log_gamma(x), x)
}

/// Natively, a function that takes derivatives is compiled: with the packs that the process has loaded.
#[test]
fn functions_that_take_derivatives_call_loaded_packs() {
    let ctx = context();
    let x = 1.7;
    assert_eq!(
        slope(x),
        ctx.build_primal::<slope>().unwrap().call((x,)).unwrap()
    );
    test_rule::<slope>(&ctx, (x,)).unwrap();
}

#[differentiable]
fn doubled_total(a: &Array<f64>) -> Array<f64> {
    doubled(a).sin().sum()
}

/// Of a pack that a context has accepted without some of its rows, the others are called natively, too.
#[test]
fn the_right_rows_of_a_partial_pack_are_called_natively() {
    let builder = Context::builder().device(Device::cpu());
    let mut ctx = builder.allow_partial_packs().build().unwrap();
    ctx.load_pack(built_c("tests/planted/rows.c", "rows-in-part", &[]))
        .unwrap();
    let a = array(4, |i| i - 1.5);
    let expected = (0..4)
        .map(|i| (2.0 * f64::from(i) - 3.0).sin())
        .sum::<f64>();
    assert!((doubled_total(&a).item().unwrap() - expected).abs() < 1e-12);
    test_rule::<doubled_total>(&ctx, (&a,)).unwrap();
}

/// A rule in machine code with a `second` has no third derivative.
#[differentiable]
#[pack = "linalg"]
extern "pack" {
    fn nrm2(n: usize, x: &[f64], incx: usize) -> f64;
}

#[differentiable]
fn curvature(x: &[f64]) -> f64 {
    let length = |v: &[f64]| nrm2(2, v, 1);
    mooncake::hvp(length, x, x.to_vec())[0]
}

#[test]
fn what_has_no_third_derivative_says_so() {
    let rule = Context::default().build_rrule::<curvature>().unwrap();
    let error = rule.value_and_gradient((&[3.0, 4.0][..],)).unwrap_err();
    let error = error.to_string();
    let part = "the rule of `linalg::nrm2` is second order: its second derivative";
    assert!(error.contains(part), "{error}");
}
