//! Rules in machine code, of a pack that is this test itself: values and derivatives on every device, and what goes wrong.

use mooncake::prelude::*;
use mooncake::testing::{test_case, test_rule};
use mooncake_pack::{ArrayOut, ArrayView, Case, Float, Outcome, Value, native};

mooncake_pack::pack!();

native! {
    /// The elements squared, the sum of all, and how many are negative.
    fn summary(a: array<T>, scale: T) -> (array<T>, T, usize, array<u32>) {
        primal: summarise,
        pullback: ["scale * 2 * a * dy.0 + full_like(dy.1, a)", "item(sum(a * a * dy.0))"],
        tangent: ["(scale * 2 * a * dx, item(sum(dx)))", "(a * a * dx, ())"],
    }
}

fn summarise<T: Float>(
    a: ArrayView<T>,
    scale: T,
    squares: ArrayOut<T>,
    sum: &mut T,
    negative: &mut usize,
    signs: ArrayOut<u32>,
) -> Outcome {
    let squares = squares.allocate(a.shape())?;
    let signs = signs.allocate(&[a.data().len()])?;
    for (i, &x) in a.data().iter().enumerate() {
        squares[i] = scale * x * x;
        signs[i] = u32::from(x < T::ZERO);
        *sum = *sum + x;
        *negative += signs[i] as usize;
    }
    Ok(())
}

#[differentiable]
extern "pack" {
    fn summary(a: &Array<f64>, scale: f64) -> (Array<f64>, f64, usize, Array<u32>);
}

/// Some results are used, some are not, and which depends on the iteration.
#[differentiable]
fn program(a: &Array<f64>, scale: f64) -> (Array<f64>, f64) {
    let mut x = a * 1.0;
    let mut total = 0.0;
    for i in 0..3 {
        let (squares, sum, negative, _) = summary(&x, scale + i as f64 * 0.125);
        if negative > 4 {
            total += sum * 0.5;
        } else {
            x = &squares * 0.25;
            total += sum;
        }
    }
    (x.sum(), total)
}

native! {
    /// Gives what its number says: an error, a panic, no result.
    fn faulty(a: array<T>, how: i32) -> array<T> {
        primal: faulty,
        pullback: ["dy", ""],
        tangent: ["dx", ""],
    }
}

fn faulty<T: Float>(a: ArrayView<T>, how: i32, out: ArrayOut<T>) -> Outcome {
    match how {
        0 => Err("the matrix is not positive definite".to_owned()),
        1 => Ok(()),
        2 => out.allocate(&[usize::MAX, 2]).map(drop),
        3 => out.allocate(&[1 << 59]).map(drop),
        _ => {
            out.allocate(a.shape())?.copy_from_slice(a.data());
            Ok(())
        }
    }
}

/// The devices to test on. Without an adapter this says so; `MOONCAKE_REQUIRE_GPU=1` makes that a failure.
fn devices() -> Vec<Device> {
    let mut devices = vec![Device::cpu()];
    match Device::gpu() {
        Ok(gpu) => devices.push(gpu),
        Err(error) if std::env::var_os("MOONCAKE_REQUIRE_GPU").is_some() => panic!("{error}"),
        Err(error) => eprintln!("not tested on a GPU: {error}"),
    }
    devices
}

#[test]
fn several_results_of_several_types_have_derivatives() {
    let ctx = Context::default();
    let case = Case::new("summary", [Value::array(&[3, 4]), Value::Float(0.75)]);
    for device in devices() {
        test_case(&ctx, &case, &device).unwrap();
    }
    let debug = Context::builder().debug(true).build().unwrap();
    test_case(&debug, &case, &Device::cpu()).unwrap();
}

#[test]
fn programs_use_several_results() {
    let data: Vec<f64> = (0..10).map(|i| (i as f64 * 1.3 + 0.4).sin()).collect();
    let a = Array::from_vec_on(&Device::cpu(), data, [10]);
    for debug in [false, true] {
        let builder = Context::builder().device(Device::cpu()).debug(debug);
        test_rule::<program>(&builder.build().unwrap(), (&a, 0.75)).unwrap();
    }
}

/// What a call of `faulty` says.
fn fault(how: i64) -> String {
    let ctx = Context::default();
    let case = Case::new("faulty", [Value::array(&[2, 2]), Value::Int(how)]);
    let error = test_case(&ctx, &case, &Device::cpu()).unwrap_err();
    error.to_string()
}

#[test]
fn what_goes_wrong_is_an_error_of_the_call() {
    assert!(
        fault(0).contains("`mooncake::faulty`: the matrix is not positive definite"),
        "{}",
        fault(0)
    );
    assert!(
        fault(1).contains("`mooncake::faulty`: it gave no array as its result 0"),
        "{}",
        fault(1)
    );
    assert!(fault(2).contains("is too large"), "{}", fault(2));
    assert!(
        fault(3).contains("there is no memory for an array of shape"),
        "{}",
        fault(3)
    );
    test_case(
        &Context::default(),
        &Case::new("faulty", [Value::array(&[2, 2]), Value::Int(4)]),
        &Device::cpu(),
    )
    .unwrap();
}
