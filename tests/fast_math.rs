//! `fast_math`: elementary functions in the loops of derived code, several at a time. They agree with native Rust but for last bits, also where
//! neighbours in a register are rare arguments, and whatever is left over at the end of a loop.

use mooncake::inspect::Stage;
use mooncake::prelude::*;

fn fast() -> Context {
    Context::builder()
        .device(Device::cpu())
        .fast_math(true)
        .build()
        .unwrap()
}

/// How far apart two numbers are: the distance in units of the last place of the second.
macro_rules! ulps {
    ($t:ty, $a:expr, $b:expr) => {{
        let (a, b): ($t, $t) = ($a, $b);
        let unit = (b.abs().next_up() - b.abs()).max(<$t>::MIN_POSITIVE);
        match a == b || a.is_nan() && b.is_nan() {
            true => 0.0,
            false => f64::from((a - b).abs() / unit),
        }
    }};
}

/// For each function of one number: its values and derivatives at all places, with registers and without.
macro_rules! functions {
    ($t:ident, $register:literal, $($name:ident: |$x:ident| $body:expr, $points:expr;)*) => {
        mod $t {
            use super::*;
            $(
                #[differentiable]
                fn $name(x: &[$t], y: &mut [$t]) -> $t {
                    let mut sum = 0.0;
                    for i in 0..x.len() {
                        let $x = x[i];
                        y[i] = $body;
                        sum += y[i];
                    }
                    sum
                }
            )*

            #[test]
            fn values_and_derivatives_agree_but_for_last_bits() {
                let (fast, exact) = (fast(), Context::builder().device(Device::cpu()).build().unwrap());
                $({
                    let what = stringify!($name);
                    // A register, or a tuple of registers.
                    let calls = [" = call", ") = call"].map(|call| format!("{}{call}", $register));
                    let in_lanes = |ctx: &Context| {
                        let text = ctx.ir::<$name>(Stage::Optimised).unwrap();
                        calls.iter().any(|call| text.contains(call))
                    };
                    assert!(in_lanes(&fast), "{what} has no registers");
                    assert!(!in_lanes(&exact), "{what} has registers without fast_math");
                    let all: Vec<$t> = ($points).to_vec();
                    let rules = [&fast, &exact].map(|ctx| {
                        let rule = ctx.build_rrule::<$name>().unwrap();
                        (ctx.build_primal::<$name>().unwrap(), rule)
                    });
                    // All numbers of elements that are left over.
                    for length in (0..18).chain([all.len()]) {
                        let x: Vec<$t> = all.iter().cycle().skip(length).take(length).copied().collect();
                        let [(fast_y, fast_dx), (y, dx)] = rules.each_ref().map(|(primal, rule)| {
                            let (mut y, mut again) = (vec![0.0; length], vec![0.0; length]);
                            primal.call((&x, &mut y)).unwrap();
                            let (mut dx, mut dy) = (vec![0.0; length], vec![0.0; length]);
                            let (args, slots) = ((&x, &mut again), (&mut dx, &mut dy));
                            rule.value_and_gradient_into(args, slots).unwrap();
                            (y, dx)
                        });
                        for i in 0..length {
                            let at = format!("{what} at {:?}, element {i} of {length}", x[i]);
                            let off = ulps!($t, fast_y[i], y[i]);
                            assert!(off <= 3.0, "{at}: {} instead of {}, {off} ulp", fast_y[i], y[i]);
                            let off = ulps!($t, fast_dx[i], dx[i]);
                            assert!(off <= 16.0, "{at}: derivative {} instead of {}, {off} ulp", fast_dx[i], dx[i]);
                        }
                    }
                })*
            }
        }
    };
}

functions! {
    f64, "f64x2",
    exp: |x| x.exp(), [0.5, -3.0, 0.0, -0.0, 709.0, 710.0, -745.0, f64::INFINITY, 1.0, f64::NAN, f64::NEG_INFINITY, 1e-300, 20.5];
    ln: |x| x.ln(), [0.5, 3.0, 1.0, 1e300, 5e-324, 0.0, 2.0, f64::INFINITY, 0.999, f64::NAN, 1e-310, 7.25, 10.0];
    sin: |x| x.sin(), [0.5, -3.0, 0.0, -0.0, 1e5, 1e22, 2.0, f64::INFINITY, 1.0, f64::NAN, 1e300, 0.1, -20.5];
    cos: |x| x.cos(), [0.5, -3.0, 0.0, -0.0, 1e5, 1e22, 2.0, f64::INFINITY, 1.0, f64::NAN, 1e300, 0.1, -20.5];
    tanh: |x| x.tanh(), [0.5, -3.0, 0.0, -0.0, 1e5, 19.0, 2.0, f64::INFINITY, 1.0, f64::NAN, 1e-300, 0.1, -20.5];
    sigmoid: |x| 1.0 / (1.0 + (-x).exp()), [0.5, -3.0, 0.0, -0.0, 20.0, 700.0, 2.0, 1.0, f64::NAN, 1e-300, 0.1, -20.5, 3.0];
    softplus: |x| x.exp().ln_1p(), [0.5, -3.0, 0.0, -0.0, 20.0, 300.0, 2.0, 1.0, f64::NAN, 1e-300, 0.1, -20.5, 3.0];
    both: |x| x.sin() * x.cos(), [0.5, -3.0, 0.0, 0.7, 20.0, 300.0, 2.0, 1.0, 1e22, 1e-300, 0.1, -20.5, 3.0];
}

functions! {
    f32, "f32x4",
    exp: |x| x.exp(), [0.5, -3.0, 0.0, -0.0, 88.0, 89.0, -103.0, f32::INFINITY, 1.0, f32::NAN, f32::NEG_INFINITY, 1e-30, 20.5];
    ln: |x| x.ln(), [0.5, 3.0, 1.0, 1e38, 1e-45, 0.0, 2.0, f32::INFINITY, 0.999, f32::NAN, 1e-40, 7.25, 10.0];
    sin: |x| x.sin(), [0.5, -3.0, 0.0, -0.0, 1e5, 1e22, 2.0, f32::INFINITY, 1.0, f32::NAN, 1e30, 0.1, -20.5];
    cos: |x| x.cos(), [0.5, -3.0, 0.0, -0.0, 1e5, 1e22, 2.0, f32::INFINITY, 1.0, f32::NAN, 1e30, 0.1, -20.5];
    tanh: |x| x.tanh(), [0.5, -3.0, 0.0, -0.0, 1e5, 9.0, 2.0, f32::INFINITY, 1.0, f32::NAN, 1e-30, 0.1, -20.5];
}

/// The negative logarithm of a mixture's density.
#[differentiable]
fn mixture(x: &[f64], m: f64, s: f64) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() {
        let (a, b) = ((x[i] - m) / s, (x[i] + m) / s);
        total -= ((-0.5 * a * a).exp() + 0.5 * (-0.5 * b * b).exp()).ln() - s.ln();
    }
    total
}

#[test]
fn forward_mode_and_hessian_products_agree() {
    let exact = Context::builder().device(Device::cpu()).build().unwrap();
    let x: Vec<f64> = (0..37).map(|i| (0.7 * f64::from(i)).sin()).collect();
    let along: Vec<f64> = (0..37).map(|i| (0.3 * f64::from(i)).cos()).collect();
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-13 * b.abs().max(1.0);
    let of = |ctx: &Context| {
        let frule = ctx.build_frule::<mixture>().unwrap();
        let (value, derivative) = frule
            .value_and_derivative((&x, 0.3, 0.8), (&along, 1.0, -0.5))
            .unwrap();
        let hvp = ctx.build_hvp::<mixture>().unwrap();
        let (_, gradient, product) = hvp
            .value_gradient_and_hvp((&x, 0.3, 0.8), (&along, 1.0, -0.5))
            .unwrap();
        let mut all = vec![value, derivative];
        for (dx, dm, ds) in [gradient, product] {
            all.extend(dx);
            all.extend([dm, ds]);
        }
        all
    };
    let (fast, exact) = (of(&fast()), of(&exact));
    for (n, (a, b)) in fast.iter().zip(&exact).enumerate() {
        assert!(near(*a, *b), "number {n}: {a} instead of {b}");
    }
}

#[test]
fn rules_pass_their_test() {
    let x: Vec<f64> = (0..21).map(|i| (0.7 * f64::from(i)).sin()).collect();
    test_rule::<mixture>(&fast(), (&x, 0.3, 0.8)).unwrap();
}

#[test]
fn sums_are_added_in_parts_always_in_the_same() {
    #[differentiable]
    fn dot(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * y[i];
        }
        sum
    }
    #[differentiable]
    fn single(x: &[f32]) -> f32 {
        let mut sum = 0.5;
        for i in 0..x.len() {
            sum -= x[i];
        }
        sum
    }
    let ctx = fast();
    let text = ctx.ir::<dot>(Stage::Optimised).unwrap();
    assert!(
        text.contains(": f64x2)"),
        "no loop carries a register:\n{text}"
    );
    let (dot_rule, single_rule) = (
        ctx.build_rrule::<dot>().unwrap(),
        ctx.build_rrule::<single>().unwrap(),
    );
    for length in 0..40 {
        let x: Vec<f64> = (0..length).map(|i| (1.3 * f64::from(i)).sin()).collect();
        let y: Vec<f64> = x.iter().map(|x| 1.0 - x).collect();
        let (value, (dx, dy)) = dot_rule.value_and_gradient((&x, &y)).unwrap();
        assert!(
            (value - dot(&x, &y)).abs() < 1e-14 * f64::from(length).max(1.0),
            "{length}"
        );
        assert_eq!((dx, dy), (y.clone(), x.clone()));
        let (again, _) = dot_rule.value_and_gradient((&x, &y)).unwrap();
        assert_eq!(value.to_bits(), again.to_bits());
        let x: Vec<f32> = x.iter().map(|&x| x as f32).collect();
        let (value, _) = single_rule.value_and_gradient((&x,)).unwrap();
        assert!(
            (value - single(&x)).abs() < 1e-6 * length.max(1) as f32,
            "{length}"
        );
    }
}
