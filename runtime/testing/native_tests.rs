//! Functions in machine code whose derivatives are expressions: derivatives of derivatives.

use super::programs::{compile, reverse_module};
use crate::ad::{Mode, forward};
use crate::array::host::ArrayHost;
use crate::array::{Array, Device};
use crate::context::Context;
use crate::interp::Datum;
use crate::ir::parse::parse_module;
use crate::registry::ContextKind;

/// What a program gives for arrays a (3×3) and b (3×2) and more arguments: floats, and the elements of arrays.
fn run(
    program: &super::programs::Compiled,
    arrays: &[(&[f64], [usize; 2])],
    seed: f64,
) -> Vec<f64> {
    let host = ArrayHost::new();
    let give = |(data, shape): &(&[f64], [usize; 2])| {
        let array = Array::from_vec_on(&Device::cpu(), data.to_vec(), shape);
        Datum::Array(host.give(&array).unwrap())
    };
    let mut args: Vec<Datum> = arrays[..2].iter().map(give).collect();
    args.push(Datum::float(seed));
    args.extend(arrays[2..].iter().map(give));
    let Datum::Tuple(fields) = program.call_on(&host, &args).unwrap() else {
        panic!("not a tuple");
    };
    let mut found = Vec::new();
    for field in fields.iter().flat_map(|field| match field {
        Datum::Tuple(fields) => fields.clone(),
        one => vec![one.clone()],
    }) {
        match field {
            Datum::Array(handle) => {
                let array = host.take::<f64>(handle).unwrap().expect("an absent array");
                found.extend(array.to_vec().unwrap());
            }
            number => found.extend(number.as_float()),
        }
    }
    found
}

/// The gradient of a function of a solution, moved along a direction: its differences, and its dual.
#[test]
fn the_gradient_of_a_solution_has_a_derivative() {
    let ctx = Context::default();
    let text = "
        fn @f(%a: array<f64>, %b: array<f64>) -> f64 {
        b0:
          %lower: bool = true
          %transposed: bool = false
          %x: array<f64> = call @linalg::solve_triangular(%a, %b, %lower, %transposed)
          %y: array<f64> = map @mul(%x, %x)
          %s: array<f64> = call @sum(%y)
          %r: f64 = call @item(%s)
          return %r
        }";
    let module = parse_module(text).unwrap();
    let kind = ContextKind::Default;
    let gradient =
        reverse_module(&module, ctx.registry(), kind, &[true; 2], Mode::Combined).unwrap();
    let second = forward(&gradient, ctx.registry(), kind, &[true, true, false], 1).unwrap();
    let (gradient, second) = (
        compile(&gradient, ctx.registry()).unwrap(),
        compile(&second, ctx.registry()).unwrap(),
    );
    let a = [2.0, -9.0, 9.0, 1.5, -1.0, 9.0, 0.5, 1.25, 3.0];
    let b = [1.0, -0.5, 0.25, 2.0, -1.5, 0.75];
    let (da, db) = (
        [0.3, 0.1, -0.2, 0.7, 0.4, 0.6, -0.5, 0.2, 0.9],
        [0.5, -0.25, 1.0, 0.125, -0.75, 0.3],
    );
    let at = |t: f64| {
        let a: Vec<f64> = a.iter().zip(&da).map(|(a, d)| a + t * d).collect();
        let b: Vec<f64> = b.iter().zip(&db).map(|(b, d)| b + t * d).collect();
        run(&gradient, &[(&a, [3, 3]), (&b, [3, 2])], 1.0)
    };
    let (here, h) = (at(0.0), 1e-5);
    let arrays: [(&[f64], [usize; 2]); 4] =
        [(&a, [3, 3]), (&b, [3, 2]), (&da, [3, 3]), (&db, [3, 2])];
    let found = run(&second, &arrays, 1.0);
    let (values, tangents) = found.split_at(here.len());
    assert_eq!(values, here);
    for (i, tangent) in tangents.iter().enumerate() {
        let expected = (at(h)[i] - at(-h)[i]) / (2.0 * h);
        assert!(
            (tangent - expected).abs() < 1e-7 * expected.abs().max(1.0),
            "{i}: {tangent} {expected}"
        );
    }
    assert!(tangents.iter().filter(|t| t.abs() > 0.1).count() > 8);
}
