//! Programs whose code would grow too long if every call were inlined, and calls that are better inlined.

use mooncake::inspect::Stage;
use mooncake::prelude::*;

/// Functions each of which calls the next one several times.
macro_rules! towers {
    ($($f:ident $a:ident calls $g:ident $b:ident;)*) => {$(
        #[differentiable]
        fn $f(x: f64) -> f64 {
            let a = $g(x * 0.99);
            if a > 0.0 {
                a * $g(x * 1.01).cos()
            } else {
                $g(x + 0.1) - a
            }
        }

        #[differentiable]
        fn $a(x: &Array<f64>) -> Array<f64> {
            let a = $b(&(x * 0.99));
            a * $b(&(x * 1.01)).cos()
        }
    )*};
}

#[differentiable]
fn f0(x: f64) -> f64 {
    x.sin() + 0.1
}

#[differentiable]
fn a0(x: &Array<f64>) -> Array<f64> {
    x.sin() + 0.1
}

towers! {
    f1 a1 calls f0 a0;
    f2 a2 calls f1 a1;
    f3 a3 calls f2 a2;
    f4 a4 calls f3 a3;
    f5 a5 calls f4 a4;
    f6 a6 calls f5 a5;
    f7 a7 calls f6 a6;
    f8 a8 calls f7 a7;
}

#[differentiable]
fn of_arrays(x: &Array<f64>) -> f64 {
    a8(x).sum().to_scalar()
}

/// Maps apply one of them, whose calls are all inlined: kernels run it.
#[differentiable]
fn mapped(x: &Array<f64>) -> f64 {
    x.map(f5).sum().to_scalar()
}

#[test]
fn code_does_not_double_with_each_function_of_a_chain() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    // Everything inlined, it would have half a million instructions.
    let lines = ctx.ir::<f8>(Stage::Normal).unwrap().lines().count();
    assert!(lines < 20_000, "{lines} lines");
    let x = 0.7;
    let (value, (slope,)) = ctx
        .build_rrule::<f8>()
        .unwrap()
        .value_and_gradient((x,))
        .unwrap();
    assert_eq!(value, f8(x));
    let expected = (f8(x + 1e-6) - f8(x - 1e-6)) / 2e-6;
    assert!((slope - expected).abs() < 1e-8, "{slope}, {expected}");
    let dual = ctx.build_frule::<f8>().unwrap();
    let (value, derivative) = dual.value_and_derivative((x,), (1.0,)).unwrap();
    assert_eq!(value, f8(x));
    assert!((derivative - slope).abs() < 1e-14, "{derivative}, {slope}");
}

#[test]
fn arrays_go_through_calls_that_stay() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let lines = ctx.ir::<of_arrays>(Stage::Normal).unwrap().lines().count();
    assert!(lines < 20_000, "{lines} lines");
    let at = |numbers: [f64; 2]| Array::from_vec_on(&Device::cpu(), numbers.to_vec(), [2]);
    let x = [0.3, 0.7];
    for check in [check::<of_arrays> as Check, check::<mapped>] {
        check(&ctx, &at, x);
    }
}

type Check = fn(&Context, &dyn Fn([f64; 2]) -> Array<f64>, [f64; 2]);

fn check<F>(ctx: &Context, at: &dyn Fn([f64; 2]) -> Array<f64>, x: [f64; 2])
where
    F: for<'a> DifferentiableFn<
            Args<'a> = (&'a Array<f64>,),
            Output = f64,
            Gradient = (Array<f64>,),
        >,
{
    let rule = ctx.build_rrule::<F>().unwrap();
    let (_, (gradient,)) = rule.value_and_gradient((&at(x),)).unwrap();
    let value = |n: usize, by: f64| {
        let mut x = x;
        x[n] += by;
        rule.value((&at(x),)).unwrap()
    };
    for (n, slope) in gradient.to_vec().unwrap().into_iter().enumerate() {
        let expected = (value(n, 1e-6) - value(n, -1e-6)) / 2e-6;
        assert!((slope - expected).abs() < 1e-8, "{slope}, {expected}");
    }
}

macro_rules! powers {
    ($($f:ident: $n:literal;)*) => {
        $(
            #[differentiable]
            fn $f(x: f64) -> f64 {
                x.powi($n)
            }
        )*

        #[test]
        fn powers_by_constants_are_products() {
            let ctx = Context::builder().device(Device::cpu()).build().unwrap();
            $(
                let ir = ctx.ir::<$f>(Stage::Optimised).unwrap();
                assert!(!ir.contains("powi"), "{ir}");
                let rule = ctx.build_rrule::<$f>().unwrap();
                for x in [0.0, -0.0, 0.3, -1.7, 1e200, 1e-200, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
                    let (y, (slope,)) = rule.value_and_gradient((x,)).unwrap();
                    assert!(y.to_bits() == $f(x).to_bits() || y.is_nan() && x.is_nan(), "{x}: {y}");
                    let n: i32 = $n;
                    let expected = if n == 0 { 0.0 } else { f64::from(n) * x.powi(n - 1) };
                    let same = slope == expected || slope.is_nan() && expected.is_nan();
                    assert!(same || (slope / expected - 1.0).abs() < 1e-15, "{x}: {slope}, {expected}");
                }
            )*
        }
    };
}

powers! {
    zeroth: 0;
    first: 1;
    square: 2;
    cube: 3;
    seventh: 7;
    thirty_first: 31;
    inverse: -1;
    inverse_square: -2;
    inverse_fifth: -5;
}

/// The exponent is not known before the call.
#[differentiable]
fn any_power(x: f64, n: i32) -> f64 {
    x.powi(n) + x.powi(40)
}

#[test]
fn other_powers_are_calls() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let rule = ctx.build_rrule::<any_power>().unwrap();
    let (y, (slope, ())) = rule.value_and_gradient((1.1, -3)).unwrap();
    assert_eq!(y, any_power(1.1, -3));
    let expected = -3.0 * 1.1f64.powi(-4) + 40.0 * 1.1f64.powi(39);
    assert!((slope / expected - 1.0).abs() < 1e-14);
}
