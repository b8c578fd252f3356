//! `mooncake bench --calls`: what a call costs beyond the work, by the form of its arguments. The functions do next to nothing.

use super::Filter;
use super::measure::{Contestant, context, in_turns};
use mooncake::Const;
use mooncake::prelude::*;
use std::hint::black_box;
use std::time::Duration;

#[derive(Clone, Copy, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
fn of_number(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn of_five(a: f64, b: f64, c: f64, d: f64, e: f64) -> f64 {
    a * b + c * d + e
}

#[differentiable]
fn of_slice(x: &[f64]) -> f64 {
    x[0] * x[1]
}

#[differentiable]
fn of_struct(p: &Point) -> f64 {
    p.x * p.y
}

#[differentiable]
fn of_data(x: &[f64], data: &[f64], scale: f64) -> f64 {
    x[0] * data[0] * scale
}

#[differentiable]
fn of_vectors(rows: &[Vec<f64>]) -> f64 {
    rows[0][0] * rows[1][0]
}

/// An integer is among its fields, so that its gradient does not look like it in memory.
#[derive(Clone, Copy, Differentiable)]
struct Sample {
    at: f64,
    group: usize,
}

#[differentiable]
fn of_structs(points: &[Point]) -> f64 {
    points[0].x * points[1].y
}

#[differentiable]
fn of_samples(samples: &[Sample]) -> f64 {
    samples[0].at * samples[samples[0].group].at
}

/// A derivative and a Hessian product of one function of a slice, along these tangents.
macro_rules! directions {
    ($all:ident, $name:literal, $f:ident, $slice:expr, $tangents:expr) => {
        let ctx = context()?;
        directions!(@one $all, concat!($name, ", derivative"), ctx.build_frule::<$f>()?, value_and_derivative, $slice, $tangents);
        directions!(@one $all, concat!($name, ", Hessian product"), ctx.build_hvp::<$f>()?, value_gradient_and_hvp, $slice, $tangents);
    };
    (@one $all:ident, $name:expr, $rule:expr, $method:ident, $slice:expr, $tangents:expr) => {
        let (rule, slice, tangents) = ($rule, $slice, $tangents);
        $all.push(($name, Box::new(move |calls| {
            for _ in 0..calls {
                let (args, tangents) = black_box(((&slice[..],), (&tangents,)));
                black_box(rule.$method(args, tangents)?);
            }
            Ok(())
        })));
    };
}

/// The value and the gradient of one function, called so many times.
macro_rules! contestants {
    ($all:ident, $name:literal, $f:ident, ($($arg:expr),*), $gradient:expr) => {
        let ctx = context()?;
        let (value, rule) = (ctx.build_primal::<$f>()?, ctx.build_rrule::<$f>()?);
        let mut gradient = $gradient;
        $all.push(($name, Box::new(move |calls| {
            for _ in 0..calls {
                black_box(value.call(($(black_box($arg),)*))?);
            }
            Ok(())
        })));
        $all.push((concat!($name, ", gradient"), Box::new(move |calls| {
            for _ in 0..calls {
                black_box(rule.value_and_gradient_into(($(black_box($arg),)*), &mut gradient)?);
            }
            Ok(())
        })));
    };
}

/// Measures the calls whose names match.
pub fn run(json: bool, filter: Filter<'_>) -> Result<String, Box<dyn std::error::Error>> {
    let (x, point) = ([0.5, 1.5], Point { x: 0.5, y: 1.5 });
    let rows = &vec![vec![0.5], vec![1.5]];
    let mut all: Vec<Contestant<'_>> = Vec::new();
    contestants!(all, "one number", of_number, (0.5), (0.0,));
    contestants!(
        all,
        "five numbers",
        of_five,
        (0.5, 1.5, 2.0, 3.0, 4.0),
        (0.0, 0.0, 0.0, 0.0, 0.0)
    );
    contestants!(all, "one slice", of_slice, (&x[..]), (vec![0.0; 2],));
    contestants!(
        all,
        "a small struct",
        of_struct,
        (&point),
        (PointGradient { x: 0.0, y: 0.0 },)
    );
    contestants!(
        all,
        "constants",
        of_data,
        (&x[..], Const(&x[..]), Const(2.0)),
        (vec![0.0; 2], (), ())
    );
    contestants!(
        all,
        "two vectors in a vector",
        of_vectors,
        (&rows[..]),
        (rows.clone(),)
    );
    let (point, sample) = (
        PointGradient { x: 1.0, y: 0.5 },
        SampleGradient { at: 1.0, group: () },
    );
    directions!(
        all,
        "1,000 structs",
        of_structs,
        vec![Point { x: 0.5, y: 1.5 }; 1000],
        vec![point.clone(); 1000]
    );
    directions!(
        all,
        "1,000 structs with integers",
        of_samples,
        vec![Sample { at: 0.5, group: 1 }; 1000],
        vec![sample.clone(); 1000]
    );
    let mut all = filter.choose(all, |(name, _)| name)?;
    let times = in_turns(&mut all, Duration::from_micros(100))?;
    let names = all.iter().map(|(name, _)| *name);
    if json {
        let rows = names.zip(&times);
        let rows: Vec<serde_json::Value> = rows
            .map(|(name, ns)| serde_json::json!({ "name": name, "ns": ns }))
            .collect();
        return Ok(format!("{}\n", serde_json::to_string_pretty(&rows)?));
    }
    let lines = names.zip(&times);
    let lines = lines.map(|(name, ns)| format!("{name:<44} {ns:>8.1} ns\n"));
    Ok(lines.collect())
}
