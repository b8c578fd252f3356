//! Functions of packs that take more than numbers of one type: declared in `extern "pack"`, called natively and in programs; and the methods
//! of arrays that are rules of packs.

#[path = "support/devices.rs"]
mod common;

use common::devices;
use expect_test::expect;
use mooncake::prelude::*;

#[derive(Differentiable, Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
extern "pack" {
    fn dot(a: &Array<f64>, b: &Array<f64>) -> Array<f64>;
    fn norm(a: &Array<f64>) -> Array<f64>;
    fn powi(x: f64, n: i32) -> f64;
    fn hypot(p: &Point) -> f64;
    fn atan2(p: (f64, f64)) -> f64;
}

mod singles {
    use super::*;

    #[differentiable]
    extern "pack" {
        pub fn dot(a: &Array<f32>, b: &Array<f32>) -> Array<f32>;
    }
}

#[differentiable]
fn cosine(a: &Array<f64>, b: &Array<f64>) -> Array<f64> {
    dot(a, b) / (norm(a) * norm(b))
}

#[differentiable]
fn cosine_by_methods(a: &Array<f32>, b: &Array<f32>) -> Array<f32> {
    a.dot(b) / (a.norm() * b.norm())
}

#[differentiable]
fn single_dot(a: &Array<f32>, b: &Array<f32>) -> Array<f32> {
    singles::dot(a, &(b * b))
}

#[differentiable]
fn polar(p: Point, n: i32) -> f64 {
    powi(hypot(&p), n) + atan2((p.y, p.x))
}

fn data(n: usize, seed: f64) -> Vec<f64> {
    (0..n)
        .map(|i| (i as f64 * 0.7 + seed).sin() + 0.25)
        .collect()
}

fn doubles(seed: f64) -> Array<f64> {
    Array::from_vec_on(&Device::cpu(), data(6, seed), [2, 3])
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-6 * a.abs().max(1.0), "{a} and {b}");
}

#[test]
fn array_functions_of_packs_have_a_native_form() {
    let (a, b) = (doubles(0.1), doubles(1.3));
    let (x, y) = (data(6, 0.1), data(6, 1.3));
    let sum: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
    near(dot(&a, &b).item().unwrap(), sum);
    near(a.dot(&b).item().unwrap(), sum);
    let squares: f64 = x.iter().map(|x| x * x).sum();
    near(norm(&a).item().unwrap(), squares.sqrt());
    near(a.norm().item().unwrap(), squares.sqrt());
    assert_eq!(a.dot(&b).shape(), &[] as &[usize]);
}

#[test]
fn numbers_of_several_types_and_structs_have_a_native_form() {
    let p = Point { x: 3.0, y: 4.0 };
    assert_eq!(powi(1.5, 3), 1.5_f64.powi(3));
    assert_eq!(hypot(&p), 5.0);
    assert_eq!(atan2((1.0, -2.0)), 1.0_f64.atan2(-2.0));
}

#[test]
fn array_functions_of_packs_are_differentiated_on_every_device() {
    for device in devices() {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let of = |seed| {
            let data = data(6, seed).into_iter().map(|x| x as f32).collect();
            Array::from_vec_on(&device, data, [2, 3])
        };
        let args = (&of(0.1), &of(1.3));
        test_rule::<cosine_by_methods>(&ctx, args).unwrap_or_else(|e| panic!("{device}: {e}"));
        test_rule::<single_dot>(&ctx, args).unwrap_or_else(|e| panic!("{device}: {e}"));
    }
}

#[test]
fn functions_and_methods_are_one_rule_in_both_contexts() {
    let (a, b) = (doubles(0.1), doubles(1.3));
    let minimal = Context::builder().minimal().device(Device::cpu()).build();
    let default = Context::builder().device(Device::cpu()).build().unwrap();
    let mut gradients = Vec::new();
    for ctx in [default, minimal.unwrap()] {
        test_rule::<cosine>(&ctx, (&a, &b)).unwrap();
        test_rule::<dot>(&ctx, (&a, &b)).unwrap();
        test_rule::<norm>(&ctx, (&a,)).unwrap();
        let rule = ctx.build_rrule::<cosine>().unwrap();
        let (_, (da, _)) = rule.value_and_gradient((&a, &b)).unwrap();
        gradients.push(da.to_vec().unwrap());
    }
    let [default, minimal] = &gradients[..] else {
        panic!("two contexts");
    };
    default.iter().zip(minimal).for_each(|(a, b)| near(*a, *b));
}

#[test]
fn structs_and_tuples_are_passed_as_their_leaves() {
    let p = Point { x: 0.6, y: -1.1 };
    test_rule::<polar>(&Context::default(), (p, 3)).unwrap();
    let rule = Context::default().build_rrule::<polar>().unwrap();
    let (value, (dp, ())) = rule.value_and_gradient((p, 3)).unwrap();
    near(value, polar(p, 3));
    let r = p.x.hypot(p.y);
    near(dp.x, 3.0 * r * p.x - p.y / (r * r));
    near(dp.y, 3.0 * r * p.y + p.x / (r * r));
}

#[test]
fn what_fails_in_a_pack_is_an_array_in_error_state() {
    let broken = Array::from_vec_on(&Device::cpu(), vec![1.0, 2.0], [3]);
    let error = dot(&broken, &broken).item().unwrap_err().to_string();
    expect![[r#"from_vec: found 2 elements for shape [3]: expected 3"#]].assert_eq(&error);
    let (a, b) = (
        doubles(0.0),
        Array::from_vec_on(&Device::cpu(), vec![1.0; 4], [4]),
    );
    let error = a.dot(&b).item().unwrap_err().to_string();
    assert!(error.contains("[2, 3]") && error.contains("[4]"), "{error}");
}

#[test]
fn what_is_declared_otherwise_than_the_pack_says_is_an_error() {
    mod wrong {
        use super::*;

        #[differentiable]
        extern "pack" {
            pub fn norm(a: &Array<f64>) -> f64;
            pub fn dot(a: &Array<f64>, n: usize) -> Array<f64>;
        }
    }
    #[differentiable]
    fn of_norm(a: &Array<f64>) -> f64 {
        wrong::norm(a)
    }
    #[differentiable]
    fn of_dot(a: &Array<f64>) -> Array<f64> {
        wrong::dot(a, 3)
    }
    let error = Context::default().build_rrule::<of_norm>().err().unwrap();
    expect![[r#"
        the pack's `norm` gives array<f64>, and is declared to give `f64`
          --> tests/pack_functions.rs:162:9
             |
         162 |         wrong::norm(a)
             |         ^^^^^
          help: declare it with the result that `mooncake pack list` shows; a tuple or a struct stands for its fields in order"#]].assert_eq(&error.to_string());
    let error = Context::default().build_rrule::<of_dot>().err().unwrap();
    expect![[r#"
        no pack in force defines `dot` for (Array<f64>, usize)
          --> tests/pack_functions.rs:166:9
             |
         166 |         wrong::dot(a, 3)
             |         ^^^^^
          help: declare it with the arguments that it takes: there is `linalg::dot(usize, [f32], usize, [f32], usize)`, `linalg::dot(usize, [f64], usize, [f64], usize)`, `linalg::dot(array<f32>, array<f32>)`, `linalg::dot(array<f64>, array<f64>)`"#]].assert_eq(&error.to_string());
    let error = wrong::dot(&doubles(0.0), 3).item().unwrap_err().to_string();
    assert!(
        error.starts_with("no pack in force defines `dot` for"),
        "{error}"
    );
}
