//! Forward mode: derivatives along directions, and what is built from it: Jacobians, products with Hessians.

#[path = "support/devices.rs"]
mod common;

use common::devices;
use mooncake::Const;
use mooncake::prelude::*;

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    let near = (found - expected).abs() <= 1e-13 * expected.abs().max(1.0);
    assert!(near, "found {found}, expected {expected}");
}

#[differentiable]
fn talk(x: &[f64], a: f64) -> f64 {
    let mut s = 0.0;
    for n in 0..x.len() {
        s += (a * x[n]).exp().cos();
    }
    s
}

#[test]
fn a_loop_over_a_slice() {
    let ctx = Context::default();
    let rule = ctx.build_frule::<talk>().unwrap();
    let (x, dx) = ([0.3, -0.7, 1.1], [1.0, 0.5, -2.0]);
    let (y, dy) = rule.value_and_derivative((&x, 0.6), (&dx, 0.25)).unwrap();
    let slope = |v: f64, d: f64| -(0.6 * v).exp().sin() * (0.6 * v).exp() * (0.6 * d + 0.25 * v);
    assert_eq!(y, talk(&x, 0.6));
    assert_near(dy, x.iter().zip(dx).map(|(&v, d)| slope(v, d)).sum());
    // In any container, and `()` for what does not move.
    let (x, dx) = (x.to_vec(), dx.to_vec());
    let (_, along_a) = rule.value_and_derivative((&x, 0.6), ((), 0.25)).unwrap();
    let (_, along_x) = rule.value_and_derivative((&x, 0.6), (&dx, ())).unwrap();
    assert_near(along_a + along_x, dy);
    let (_, still) = rule.value_and_derivative((&x, 0.6), ((), ())).unwrap();
    assert_eq!(still, 0.0);
    let constant = rule.value_and_derivative((Const(&x), 0.6), ((), 0.25));
    assert_eq!(constant.unwrap().1, along_a);
    let text = ctx.dual_ir::<talk>().unwrap();
    assert!(text.contains("cos.with_partials"), "{text}");
}

#[test]
fn tangents_of_another_size_are_errors() {
    let rule = Context::default().build_frule::<talk>().unwrap();
    let error = rule
        .value_and_derivative((&[1.0, 2.0, 3.0], 1.0), (&[1.0, 2.0], ()))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the tangent of argument 1 has length 2; expected length 3"
    );
    let constant = rule.value_and_derivative((Const(&[1.0]), 1.0), (&[1.0], ()));
    assert_eq!(
        constant.unwrap_err().to_string(),
        "argument 1 is constant: its tangent is `()`"
    );
}

#[test]
fn rules_are_shared_between_threads() {
    let rule = Context::default().build_frule::<talk>().unwrap();
    let derivative = |rule: &FRule<talk>| {
        rule.value_and_derivative((&[0.5, 1.5], 2.0), (&[1.0, 1.0], 0.0))
            .unwrap()
    };
    let expected = derivative(&rule);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let rule = rule.clone();
            std::thread::spawn(move || derivative(&rule))
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), expected);
    }
}

#[differentiable]
fn branches(x: f64, y: f64, n: usize) -> f64 {
    let mut z = x;
    let mut i = 0;
    while i < n {
        if z > y {
            z = z * 0.5 + y;
        } else {
            z = z.sin() + x * y;
        }
        i += 1;
        if i == 7 {
            break;
        }
    }
    z
}

#[differentiable]
fn smooth(u: &mut [f64], a: f64) -> f64 {
    for i in 1..u.len() {
        u[i] = a * u[i - 1] * u[i] + u[i].sin();
    }
    u[0] = 2.0;
    u[u.len() - 1]
}

#[differentiable]
fn power(x: f64, n: u32) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[differentiable]
fn fill(u: &mut [f64], x: f64, n: usize) -> f64 {
    if n == 0 {
        x
    } else {
        u[n - 1] = x * n as f64;
        fill(u, x * 0.5, n - 1) + u[n - 1] * u[n - 1]
    }
}

#[differentiable]
fn mixed(p: (f64, usize), x: f32) -> (f64, usize, (f32, bool)) {
    let y = p.0 * p.0 * x as f64;
    (y, p.1 + 1, (x * p.0 as f32, y > 0.0))
}

#[test]
fn control_flow_mutation_recursion_and_tuples() {
    let ctx = Context::default();
    for n in [0, 1, 3, 9] {
        test_rule::<branches>(&ctx, (1.7, 0.4, n)).unwrap();
    }
    test_rule::<smooth>(&ctx, (&mut [0.5, -1.0, 2.0, 0.25], 0.7)).unwrap();
    test_rule::<power>(&ctx, (1.3, 5)).unwrap();
    test_rule::<fill>(&ctx, (&mut [1.0, 2.0, 3.0], 0.8, 3)).unwrap();
    test_rule::<mixed>(&ctx, ((1.5, 3), 0.5)).unwrap();
    let minimal = Context::builder().minimal().build().unwrap();
    test_rule::<branches>(&minimal, (1.7, 0.4, 3)).unwrap();
}

#[test]
fn what_is_written_has_its_derivative_in_the_tangent() {
    let rule = Context::default().build_frule::<smooth>().unwrap();
    let (mut u, mut du) = ([3.0, 0.5], [1.0, -1.0]);
    let (y, dy) = rule
        .value_and_derivative((&mut u, 2.0), (&mut du, 0.5))
        .unwrap();
    assert_eq!((u, y), ([2.0, u[1]], u[1]));
    // a u₀ u₁ + sin u₁
    let expected = 0.5 * 3.0 * 0.5 + 2.0 * 0.5 - 2.0 * 3.0 - 0.5f64.cos();
    assert_near(dy, expected);
    assert_eq!(du, [0.0, dy]);
}

#[test]
fn results_have_tangents_of_their_form() {
    let rule = Context::default().build_frule::<mixed>().unwrap();
    let (y, dy) = rule
        .value_and_derivative(((3.0, 7), 2.0), ((1.0, ()), 0.5))
        .unwrap();
    assert_eq!(y, (18.0, 8, (6.0, true)));
    assert_eq!(dy, (16.5, (), (3.5, ())));
}

#[differentiable]
fn stash(u: &mut [f64], x: f64) -> f64 {
    u[0] = x;
    u[0] * u[0]
}

#[test]
fn constant_memory_does_not_swallow_derivatives() {
    let rule = Context::default().build_frule::<stash>().unwrap();
    let (mut u, mut du) = ([1.0], [0.0]);
    let found = rule.value_and_derivative((&mut u, 3.0), (&mut du, 1.0));
    assert_eq!((found.unwrap(), du), ((9.0, 6.0), [1.0]));
    let unseen = rule.value_and_derivative((&mut u, 3.0), ((), 1.0));
    assert_eq!(unseen.unwrap(), (9.0, 6.0));
    let constant = rule.value_and_derivative((Const(&mut u), 3.0), ((), 1.0));
    assert_eq!(constant.unwrap(), (9.0, 6.0));
}

#[differentiable]
fn poles(x: f64, y: f64) -> f64 {
    let c = 0.0 * y;
    x * 3.0 + (c * 2.0).sqrt() + (x * 0.0).sqrt().floor()
}

#[differentiable]
fn two_arguments(x: f64, y: f64) -> f64 {
    x.sqrt() + y.powf(2.0)
}

#[test]
fn what_does_not_move_makes_no_nan() {
    let ctx = Context::default();
    let rule = ctx.build_frule::<poles>().unwrap();
    assert_eq!(
        rule.value_and_derivative((2.0, 5.0), (1.0, ())).unwrap(),
        (6.0, 3.0)
    );
    let rule = ctx.build_frule::<two_arguments>().unwrap();
    // ∂/∂x is infinite at 0, ∂/∂exponent of powf is NaN for negative bases.
    let (_, dy) = rule.value_and_derivative((0.0, -3.0), ((), 1.0)).unwrap();
    assert_eq!(dy, -6.0);
    let (_, dy) = rule.value_and_derivative((0.0, -3.0), (1.0, ())).unwrap();
    assert_eq!(dy, f64::INFINITY);
}

#[differentiable]
fn raised(x: f64, y: f64) -> f64 {
    x.powf(y)
}
#[differentiable]
fn remainder(x: f64, y: f64) -> f64 {
    x % y
}
#[differentiable]
fn euclidean(x: f64, y: f64) -> f64 {
    x.rem_euclid(y)
}
#[differentiable]
fn logarithm(x: f64, y: f64) -> f64 {
    x.log(y)
}
#[differentiable]
fn line(x: f64, y: f64) -> f64 {
    x.mul_add(y, 1.0)
}
#[differentiable]
fn growth(x: f64, y: f64) -> f64 {
    (x * y).exp()
}
#[differentiable]
fn ratio(x: f64, y: f64) -> f64 {
    x / y
}
#[differentiable]
fn distance(x: f64) -> f64 {
    (x * x).sqrt()
}

/// Along each argument forward mode gives what reverse mode gives for it: a partial that is NaN or infinite does not reach the others.
#[test]
fn zero_tangents_meet_no_partial_that_is_nan() {
    let ctx = Context::default();
    macro_rules! agrees {
        ($f:ident, $x:expr, $y:expr) => {{
            let (x, y): (f64, f64) = ($x, $y);
            let rule = ctx.build_frule::<$f>().unwrap();
            let along = |dx: f64, dy: f64| rule.value_and_derivative((x, y), (dx, dy)).unwrap();
            let reverse = ctx.build_rrule::<$f>().unwrap();
            let (value, gradient) = reverse.value_and_gradient((x, y)).unwrap();
            let found = [along(1.0, 0.0), along(0.0, 1.0)];
            let same = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan();
            assert!(found.iter().all(|&(v, _)| same(v, value)));
            let agree = same(found[0].1, gradient.0) && same(found[1].1, gradient.1);
            assert!(agree, "{}: {found:?}, {gradient:?}", stringify!($f));
            (found[0].1, found[1].1)
        }};
    }
    let (dx, dy) = agrees!(raised, -3.0, 2.0);
    assert!(dx == -6.0 && dy.is_nan());
    assert_eq!(agrees!(raised, -2.0, 3.0).0, 12.0);
    assert_eq!(agrees!(raised, 0.0, 0.5).1, 0.0);
    assert_eq!(agrees!(remainder, 5.0, f64::INFINITY).0, 1.0);
    assert_eq!(agrees!(euclidean, 5.0, f64::INFINITY).0, 1.0);
    agrees!(euclidean, -5.0, f64::INFINITY);
    agrees!(remainder, 5.0, 0.0);
    agrees!(logarithm, 0.0, 2.0);
    agrees!(logarithm, 2.0, 0.0);
    agrees!(logarithm, 2.0, 1.0);
    agrees!(logarithm, 1.0, 1.0);
    agrees!(line, 0.5, 3.0);
    agrees!(growth, 30.0, 40.0);
    agrees!(ratio, 2.0, 0.5);
    // A direction that does not move `x * x` does not move its root, whose slope is infinite. Reverse mode goes the other way, and multiplies that by zero.
    let rule = ctx.build_frule::<distance>().unwrap();
    assert_eq!(rule.value_and_derivative((0.0,), (1.0,)).unwrap().1, 0.0);
    let rule = ctx.build_rrule::<distance>().unwrap();
    assert!(rule.value_and_gradient((0.0,)).unwrap().1.0.is_nan());
}

/// Functions with infinite slopes, of what a branch has set to zero.
#[differentiable]
fn of_zeros(x: f64) -> f64 {
    let zero = if x > 100.0 { x } else { 0.0 };
    let logarithm = (zero.ln().exp() + x.exp()).ln();
    let root = (zero.sqrt() + x).sin();
    let inverse = (-1.0 / zero.abs()).exp() + x * x;
    let list = [zero, x];
    let power = list[0].powf(0.5) + list[1].powf(1.5);
    logarithm + root + inverse + power + (x - zero.cbrt()) * x
}

#[differentiable]
fn log_sum_exp(v: &[f64]) -> f64 {
    let largest = v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let origin = if largest.is_finite() { largest } else { 0.0 };
    v.iter().map(|x| (x - origin).exp()).sum::<f64>().ln() + origin
}

/// The log-likelihood of a chain of states, some of which cannot be reached.
#[differentiable]
fn unreachable_states(e: &[f64]) -> f64 {
    const NO: f64 = f64::NEG_INFINITY;
    let steps = [[-0.7, -0.7, NO], [NO, -0.7, -0.7], [NO, NO, 0.0]];
    let mut a = [0.0, NO, NO];
    for k in 0..3 {
        let mut next = [0.0; 3];
        for j in 0..3 {
            let ways = [a[0] + steps[0][j], a[1] + steps[1][j], a[2] + steps[2][j]];
            next[j] = log_sum_exp(&ways) + e[3 * j + k];
        }
        a = next;
    }
    log_sum_exp(&a)
}

/// What does not move has no part in a derivative, also where its slope is infinite: in forward mode as in reverse mode, and in products with Hessians.
#[test]
fn what_a_branch_has_set_to_zero_does_not_move() {
    let ctx = Context::default();
    let (x, h) = (1.5_f64, 1e-6);
    let reverse = ctx.build_rrule::<of_zeros>().unwrap();
    let slope = |x: f64| reverse.value_and_gradient((x,)).unwrap().1.0;
    let rule = ctx.build_frule::<of_zeros>().unwrap();
    let derivative = rule.value_and_derivative((x,), (1.0,)).unwrap().1;
    assert!(
        (derivative - slope(x)).abs() < 1e-12,
        "{derivative} {}",
        slope(x)
    );
    let by_differences = (of_zeros(x + h) - of_zeros(x - h)) / (2.0 * h);
    assert!((derivative - by_differences).abs() < 1e-8);
    let rule = ctx.build_hvp::<of_zeros>().unwrap();
    let (_, _, (second,)) = rule.value_gradient_and_hvp((x,), (1.0,)).unwrap();
    let by_differences = (slope(x + h) - slope(x - h)) / (2.0 * h);
    assert!(
        (second - by_differences).abs() < 1e-6,
        "{second} {by_differences}"
    );
    let e = [-0.3, 0.2, 0.1, -0.9, 0.4, 0.8, 0.5, -0.2, 0.0];
    let rule = ctx.build_frule::<unreachable_states>().unwrap();
    let derivative = rule.value_and_derivative((&e,), (&[1.0; 9],)).unwrap().1;
    assert!((derivative - 3.0).abs() < 1e-12, "{derivative}");
    let rule = ctx.build_hvp::<unreachable_states>().unwrap();
    let (_, _, (product,)) = rule.value_gradient_and_hvp((&e,), (&[1.0; 9],)).unwrap();
    assert!(product.iter().all(|v| v.abs() < 1e-12), "{product:?}");
    test_rule::<unreachable_states>(&ctx, (&e,)).unwrap();
}

#[differentiable]
fn kernel(a: f64, b: f64) -> f64 {
    let d = ((a - b) * (a - b)).sqrt();
    if d == 0.0 {
        return 1.0;
    }
    (-d).exp()
}
/// The distance of a point from itself is compared, and not used.
#[differentiable]
fn matern(x: f64) -> f64 {
    kernel(x, x) + kernel(x, 0.8)
}
#[differentiable]
fn cardinal(x: f64, y: f64) -> f64 {
    let n = (x * x + y * y).sqrt();
    if n < 1e-9 { x } else { n.sin() / n * x }
}
/// What is overwritten does not matter.
#[differentiable]
fn last_root(x: f64) -> f64 {
    let mut root = 0.0;
    for i in 0..3 {
        root = (x * i as f64).sqrt();
    }
    root
}
/// A loop without a tape.
#[differentiable]
fn no_roots(x: &[f64], weight: f64) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += weight * v.sqrt() + v.cbrt() * 0.0;
    }
    sum
}
#[differentiable]
fn power_of_nothing(x: f64, p: f64) -> f64 {
    let t = (x - x.abs()).powf(p);
    if t == 0.0 { x } else { t }
}
#[differentiable]
fn chosen_roots(x: &Array<f32>) -> f32 {
    { x.gt(0.0) }.select(x.sqrt(), 0.0).sum().to_scalar()
}
#[differentiable]
fn mapped_roots(x: &Array<f32>) -> f32 {
    x.map(|v| {
        let root = v.sqrt();
        if v > 0.0 { root } else { v }
    })
    .sum()
    .to_scalar()
}

#[differentiable]
fn clipped_root(x: f64) -> f64 {
    (x - 5.0).max(0.0).sqrt() + x
}
#[differentiable]
fn clamped_power(x: f64) -> f64 {
    (x / 3.0 - 2.0).clamp(0.0, 9.0).powf(0.5) + (x.abs().min(0.0) / 12.0).sqrt() + x
}
#[differentiable]
fn infinite_but_not_chosen(x: f64) -> f64 {
    x.sqrt().max(1.0) + x
}
#[differentiable]
fn clipped_roots(x: &Array<f32>) -> f32 {
    x.map(|v| (v - 2.0).max(0.0).sqrt()).sum().to_scalar()
}

/// What `max`, `min` and `clamp` do not choose has no part in a derivative, also where what comes of the choice has an infinite partial.
#[test]
fn what_is_not_chosen_meets_no_infinite_cotangent() {
    let ctx = Context::default();
    macro_rules! is_one {
        ($f:ident, $x:expr) => {
            let rule = ctx.build_rrule::<$f>().unwrap();
            assert_eq!(rule.value_and_gradient(($x,)).unwrap().1, (1.0,));
            let hvp = ctx.build_hvp::<$f>().unwrap();
            let (_, gradient, product) = hvp.value_gradient_and_hvp(($x,), (1.0,)).unwrap();
            assert_eq!((gradient, product), ((1.0,), (0.0,)));
        };
    }
    is_one!(clipped_root, 2.0);
    is_one!(clamped_power, 2.0);
    is_one!(infinite_but_not_chosen, 0.0);
    let rule = ctx.build_frule::<infinite_but_not_chosen>().unwrap();
    assert_eq!(rule.value_and_derivative((0.0,), (1.0,)).unwrap().1, 1.0);
    for device in devices() {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let x = Array::from_vec_on(&device, vec![1.0, 6.0], [2]);
        let rule = ctx.build_rrule::<clipped_roots>().unwrap();
        let (_, (found,)) = rule.value_and_gradient((&x,)).unwrap();
        assert_eq!(found.to_vec().unwrap(), [0.0, 0.25], "{device:?}");
    }
}

/// A cotangent of zero adds nothing, also where the partial is infinite; and forward mode agrees.
#[test]
fn zero_cotangents_meet_no_infinite_partial() {
    let ctx = Context::default();
    let gradient = |(_, (g,)): (f64, (f64,))| g;
    let rule = ctx.build_rrule::<matern>().unwrap();
    let found = gradient(rule.value_and_gradient((0.6,)).unwrap());
    let expected = (-(0.8_f64 - 0.6)).exp();
    assert!((found - expected).abs() < 1e-14, "{found}");
    let (_, forward) = { ctx.build_frule::<matern>().unwrap() }
        .value_and_derivative((0.6,), (1.0,))
        .unwrap();
    assert!((found - forward).abs() < 1e-14);
    let hvp = ctx.build_hvp::<matern>().unwrap();
    let (_, _, (found,)) = hvp.value_gradient_and_hvp((0.6,), (1.0,)).unwrap();
    assert!((found - expected).abs() < 1e-13, "{found}");

    let rule = ctx.build_rrule::<cardinal>().unwrap();
    assert_eq!(rule.value_and_gradient((0.0, 0.0)).unwrap().1, (1.0, 0.0));
    let rule = ctx.build_rrule::<last_root>().unwrap();
    let found = gradient(rule.value_and_gradient((0.5,)).unwrap());
    assert!((found - 1.0).abs() < 1e-15, "{found}");
    let rule = ctx.build_rrule::<no_roots>().unwrap();
    let (_, (found, _)) = rule.value_and_gradient((&[0.0, 4.0], 0.0)).unwrap();
    assert_eq!(found, [0.0, 0.0]);
    let (_, (found, _)) = rule.value_and_gradient((&[0.0, 4.0], 2.0)).unwrap();
    assert_eq!(found, [f64::INFINITY, 0.5]);
    let rule = ctx.build_rrule::<power_of_nothing>().unwrap();
    assert_eq!(rule.value_and_gradient((0.6, 0.5)).unwrap().1, (1.0, 0.0));
}

#[test]
fn elements_that_are_not_chosen_have_no_infinite_partials() {
    for device in devices() {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let x = Array::from_vec_on(&device, vec![0.0, 4.0, 0.0], [3]);
        let rule = ctx.build_rrule::<chosen_roots>().unwrap();
        let (_, (found,)) = rule.value_and_gradient((&x,)).unwrap();
        assert_eq!(found.to_vec().unwrap(), [0.0, 0.25, 0.0], "{device:?}");
        let rule = ctx.build_rrule::<mapped_roots>().unwrap();
        let (_, (found,)) = rule.value_and_gradient((&x,)).unwrap();
        assert_eq!(found.to_vec().unwrap(), [1.0, 0.25, 1.0], "{device:?}");
    }
}

#[differentiable]
fn bowl(x: &[f64]) -> f64 {
    x[0].powf(x[1]) + x[2] * x[2]
}

#[test]
fn products_with_hessians_have_no_nan_where_the_exponent_is_still() {
    let ctx = Context::default();
    let rule = ctx.build_hvp::<bowl>().unwrap();
    let x = [-3.0, 2.0, 0.5];
    let along = [1.0, 0.0, 1.0];
    let product = rule.value_gradient_and_hvp((&x[..],), (&along[..],));
    let (value, (gradient,), (product,)) = product.unwrap();
    assert_eq!((value, gradient[0], gradient[2]), (9.25, -6.0, 1.0));
    assert_near(product[0], 2.0);
    assert_near(product[2], 2.0);
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

#[differentiable]
fn distances(a: &Array<f32>, b: &Array<f32>) -> (Array<f32>, Array<f32>) {
    let d = a - b;
    (d.softmax(0), (a * &d).sum_axis(0))
}

fn array(device: &Device, shape: &[usize], start: usize) -> Array<f32> {
    let count = start + shape.iter().product::<usize>();
    let data = (start..count).map(|i| ((i * 37 % 23) as f32 - 11.0) / 9.0);
    Array::from_vec_on(device, data.collect(), shape)
}

#[test]
fn arrays_on_every_device() {
    for device in devices() {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let a = |shape: &[usize], start| array(&device, shape, start);
        test_rule::<layer>(&ctx, (&a(&[4, 3], 0), &a(&[3, 2], 5), &a(&[2], 1))).unwrap();
        let labels = Array::from_vec_on(&device, vec![0u32, 2, 1, 1], [4, 1]);
        test_rule::<cross_entropy>(&ctx, (&a(&[4, 3], 0), &labels, &a(&[3, 3], 7))).unwrap();
        test_rule::<mapped>(&ctx, (&a(&[6], 0), 0.7)).unwrap();
        test_rule::<repeated>(&ctx, (&a(&[3, 2], 0), 3)).unwrap();
        test_rule::<distances>(&ctx, (&a(&[5], 0), &a(&[5], 3))).unwrap();
    }
}

#[test]
fn tangents_of_arrays() {
    let rule = Context::default().build_frule::<layer>().unwrap();
    let a = |shape: &[usize], start| array(&Device::cpu(), shape, start);
    let (x, w, b) = (a(&[4, 3], 0), a(&[3, 2], 5), a(&[2], 1));
    let dw = a(&[3, 2], 9);
    let (y, dy) = rule
        .value_and_derivative((&x, &w, &b), ((), &dw, ()))
        .unwrap();
    assert_eq!(y.item().unwrap(), layer(&x, &w, &b).item().unwrap());
    let at = |t: f32| layer(&x, &(&w + &dw * t), &b).item().unwrap();
    let difference = (at(1e-2) - at(-1e-2)) / 2e-2;
    assert!((dy.item().unwrap() - difference).abs() < 1e-3);
    let (_, still) = rule
        .value_and_derivative((&x, &w, &b), ((), (), ()))
        .unwrap();
    assert_eq!(still.to_vec().unwrap(), [0.0]);
    let error = rule
        .value_and_derivative((&x, &w, &b), ((), &a(&[2, 3], 0), ()))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the tangent of argument 2 has shape [2, 3]; expected shape [3, 2]"
    );
}

#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() {
        let a = x[i] - x[i - 1] * x[i - 1];
        let b = 1.0 - x[i - 1];
        s += 100.0 * a * a + b * b;
    }
    s
}

/// The Hessian of the Rosenbrock function of three numbers.
fn rosenbrock_hessian(x: &[f64; 3]) -> Vec<Vec<f64>> {
    let d = |i: usize| 1200.0 * x[i] * x[i] - 400.0 * x[i + 1] + 2.0;
    let o = |i: usize| -400.0 * x[i];
    vec![
        vec![d(0), o(0), 0.0],
        vec![o(0), 200.0 + d(1), o(1)],
        vec![0.0, o(1), 200.0],
    ]
}

#[test]
fn products_with_hessians() {
    let ctx = Context::default();
    let hvp = ctx.build_hvp::<rosenbrock>().unwrap();
    let (x, v) = ([1.2, -0.5, 0.8], [1.0, 2.0, -1.0]);
    let (y, (g,), (hv,)) = hvp.value_gradient_and_hvp((&x,), (&v,)).unwrap();
    let (value, (gradient,)) = ctx
        .build_rrule::<rosenbrock>()
        .unwrap()
        .value_and_gradient((&x,))
        .unwrap();
    assert_eq!((y, g), (value, gradient.clone()));
    let expected = rosenbrock_hessian(&x);
    for (found, row) in hv.iter().zip(&expected) {
        assert_near(*found, row.iter().zip(v).map(|(h, v)| h * v).sum());
    }
    let (y, (g,), h) = ctx.value_gradient_and_hessian::<rosenbrock>((&x,)).unwrap();
    assert_eq!((y, g), (value, gradient));
    for (found, expected) in h.iter().flatten().zip(expected.iter().flatten()) {
        assert_near(*found, *expected);
    }
    let error = hvp.value_gradient_and_hvp((&x,), (&[1.0],)).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the tangent of argument 1 has length 1; expected length 3"),
        "{error}"
    );
}

#[differentiable]
fn iterated(x: &[f64]) -> f64 {
    let mut y = x[0];
    let mut i = 0;
    while y * y < 100.0 && i < 20 {
        if y > x[1] {
            y = y * x[1] + (y * x[2]).sin();
        } else {
            y = y.exp() + x[2].powi(3);
        }
        i += 1;
    }
    y.ln_1p() * x[0]
}

#[differentiable]
fn horner(x: &[f64], at: f64, n: usize) -> f64 {
    if n == 0 {
        at.sin()
    } else {
        x[n - 1].tanh() + at * horner(x, at * x[0], n - 1)
    }
}

#[differentiable]
fn recursive(x: &[f64]) -> f64 {
    horner(x, x[1], x.len()) * x[2]
}

#[differentiable]
fn nested(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        let mut p = x[i];
        for j in 0..i + 2 {
            p = (p * x[j % x.len()]).cos() / (1.0 + s * s);
            s += p.max(x[i]) * s;
        }
    }
    s
}

/// Products with the Hessian are differences of gradients, in both orders.
#[track_caller]
fn check_second<F>(ctx: &Context, x: [f64; 3])
where
    F: for<'a> DifferentiableFn<Args<'a> = (&'a [f64],), Output = f64, Gradient = (Vec<f64>,)>,
{
    let (hvp, rule) = (
        ctx.build_hvp::<F>().unwrap(),
        ctx.build_rrule::<F>().unwrap(),
    );
    let (v, w) = ([0.3, -1.0, 0.7], [1.0, 0.25, -0.5]);
    let along = |d: &[f64; 3]| hvp.value_gradient_and_hvp((&x,), (d,)).unwrap();
    let (y, (g,), (hv,)) = along(&v);
    assert_eq!((y, (g,)), rule.value_and_gradient((&x,)).unwrap());
    let (_, _, (hw,)) = along(&w);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let size = dot(&hv, &hv).sqrt() + dot(&hw, &hw).sqrt();
    assert!(
        (dot(&hv, &w) - dot(&hw, &v)).abs() < 1e-12 * size,
        "not symmetric"
    );
    let step = 1e-5;
    let gradient = |t: f64| {
        let moved = [0, 1, 2].map(|i| x[i] + t * v[i]);
        let (_, (g,)) = rule.value_and_gradient((&moved,)).unwrap();
        g
    };
    let (up, down) = (gradient(step), gradient(-step));
    for (i, found) in hv.iter().enumerate() {
        let expected = (up[i] - down[i]) / (2.0 * step);
        assert!(
            (found - expected).abs() < 1e-6 * size.max(1.0),
            "component {i}: found {found}, differences give {expected}"
        );
    }
}

#[test]
fn tapes_and_recursion_are_differentiated_twice() {
    let ctx = Context::default();
    check_second::<rosenbrock>(&ctx, [0.5, 1.0, -0.3]);
    check_second::<iterated>(&ctx, [0.5, 1.3, 0.9]);
    check_second::<iterated>(&ctx, [0.5, 0.6, 0.9]);
    check_second::<recursive>(&ctx, [0.5, 1.3, 0.9]);
    check_second::<nested>(&ctx, [0.5, 1.3, 0.9]);
    let minimal = Context::builder().minimal().build().unwrap();
    check_second::<iterated>(&minimal, [0.5, 1.3, 0.9]);
}

#[differentiable]
fn several(x: &[f64], u: &mut [f64], a: f64, n: usize) -> f64 {
    for i in 0..n {
        u[i] = u[i] * a + x[i] * x[i] * a;
    }
    let mut s = 0.0;
    for i in 0..u.len() {
        s += u[i] * u[i] * u[i];
    }
    s
}

#[test]
fn several_arguments_have_a_hessian() {
    let ctx = Context::default();
    let (x, mut u, a) = ([0.5, -1.5], [2.0, 0.3], 0.7);
    let (_, g, h) = ctx
        .value_gradient_and_hessian::<several>((&x, &mut u, a, 2))
        .unwrap();
    assert_eq!(u, [2.0, 0.3], "arguments are restored");
    assert_eq!((g.0.len(), g.1.len(), h.len()), (2, 2, 5));
    // s = Σ w³ with w = a (u + x²): ∂²s/∂p∂q = 6 w w_p w_q + 3 w² w_pq
    for i in 0..2 {
        let (w, first) = (a * (u[i] + x[i] * x[i]), [2.0 * a * x[i], a]);
        let slope = u[i] + x[i] * x[i];
        assert_near(
            h[i][i],
            6.0 * w * first[0] * first[0] + 3.0 * w * w * 2.0 * a,
        );
        assert_near(h[2 + i][i], 6.0 * w * first[0] * first[1]);
        assert_near(
            h[4][i],
            6.0 * w * slope * first[0] + 3.0 * w * w * 2.0 * x[i],
        );
        assert_near(h[4][2 + i], 6.0 * w * slope * first[1] + 3.0 * w * w);
    }
    for i in 0..5 {
        for j in 0..5 {
            assert_near(h[i][j], h[j][i]);
        }
    }
    let hvp = ctx.build_hvp::<several>().unwrap();
    let (_, ((), gu, ga, ()), ((), hu, ha, ())) = hvp
        .value_gradient_and_hvp((Const(&x), &mut u, a, 2), ((), (), 1.0, ()))
        .unwrap();
    assert_eq!((gu, ga), (g.1, g.2));
    for i in 0..2 {
        assert_near(hu[i], h[4][2 + i]);
    }
    assert_near(ha, h[4][4]);
}

#[test]
fn second_derivatives_of_arrays() {
    for device in devices() {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let a = |shape: &[usize], start| array(&device, shape, start);
        let (x, w, b) = (a(&[4, 3], 0), a(&[3, 2], 5), a(&[2], 1));
        let dw = a(&[3, 2], 9);
        let hvp = ctx.build_hvp::<layer>().unwrap();
        let (y, g, hv) = hvp
            .value_gradient_and_hvp((&x, &w, Const(&b)), ((), &dw, ()))
            .unwrap();
        let rule = ctx.build_rrule::<layer>().unwrap();
        let gradient = |t: f32| {
            let moved = &w + &dw * t;
            rule.value_and_gradient((&x, &moved, Const(&b))).unwrap()
        };
        let (value, (gx, gw, ())) = gradient(0.0);
        let near = |a: &Array<f32>, b: &Array<f32>, tolerance: f32| {
            let (a, b) = (a.to_vec().unwrap(), b.to_vec().unwrap());
            let far = |(a, b): (&f32, &f32)| (a - b).abs() > tolerance * (1.0 + b.abs());
            assert!(
                a.len() == b.len() && !a.iter().zip(&b).any(far),
                "{a:?}\n{b:?}"
            );
        };
        near(&y, &value, 1e-6);
        near(&g.0, &gx, 1e-6);
        near(&g.1, &gw, 1e-6);
        let step = 1e-2;
        let ((_, up), (_, down)) = (gradient(step), gradient(-step));
        let difference = |up: &Array<f32>, down: &Array<f32>| (up - down) * (0.5 / step);
        near(&hv.0, &difference(&up.0, &down.0), 2e-3);
        near(&hv.1, &difference(&up.1, &down.1), 2e-3);
    }
}

#[differentiable]
fn polar(x: &[f64], n: i32) -> (f64, f64, i32) {
    (x[0] * x[1].cos(), x[0] * x[1].sin(), n)
}

#[test]
fn jacobians() {
    let ctx = Context::default();
    let (r, phi) = (2.0, 0.3f64);
    let (y, jac) = ctx.value_and_jacobian::<polar>((&[r, phi], 3)).unwrap();
    assert_eq!(y, (r * phi.cos(), r * phi.sin(), 3));
    let expected = [[phi.cos(), -r * phi.sin()], [phi.sin(), r * phi.cos()]];
    for (found, expected) in jac.iter().flatten().zip(expected.iter().flatten()) {
        assert_near(*found, *expected);
    }
    let x = array(&Device::cpu(), &[5], 0);
    let ((p, _), jac) = ctx
        .value_and_jacobian::<distances>((&x, &(&x * 0.5)))
        .unwrap();
    assert_eq!((p.len(), jac.len(), jac[0].len()), (5, 6, 10));
    let column: f64 = (0..5).map(|i| jac[i][2]).sum();
    assert!(
        column.abs() < 1e-6,
        "the softmax sums to one, its slope to {column}"
    );
    let error = ctx
        .value_and_jacobian::<smooth>((&mut [1.0], 2.0))
        .unwrap_err();
    assert!(
        error.to_string().contains("`&mut` slice as a parameter"),
        "{error}"
    );
}
