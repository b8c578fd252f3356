//! What whole matrices of derivatives cost: Hessians and Jacobians with several directions at once, and with one at a time, by turns in
//! one process.

use super::Filter;
use super::measure::{Contestant, SAMPLE, context, in_turns};
use mooncake::prelude::*;
use mooncake::{Pattern, Result};
use serde_json::json;

/// Every variable meets every other.
#[differentiable]
fn dense(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() {
        let mut sum = 0.0;
        for j in 0..x.len() {
            sum += x[j] * ((i * j) % 7) as f64;
        }
        total += sum * sum + x[i].sin();
    }
    total
}

#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() - 1 {
        let (a, b) = (1.0 - x[i], x[i + 1] - x[i] * x[i]);
        total += a * a + 100.0 * b * b;
    }
    total
}

const HEIGHT: usize = 30;

#[differentiable]
fn residuals(x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; HEIGHT];
    for i in 0..HEIGHT {
        y[i] = x[i] * x[i + 20] + x[i].sin() * x[(3 * i) % x.len()];
    }
    y
}

/// The name, the number of variables, and the nanoseconds of one derivative, of the matrix with one direction at a time, with several at once, and of its band.
struct Row {
    name: &'static str,
    n: usize,
    times: Vec<f64>,
}

/// `band` has the pattern of the Hessian, if it has one.
fn hessian<F>(name: &'static str, n: usize, band: Option<Pattern>) -> Result<Row>
where
    F: for<'a> DifferentiableFn<Args<'a> = (&'a [f64],), Output = f64, Gradient = (Vec<f64>,)>,
{
    let ctx = context()?;
    let x = point(n);
    let (gradient, product) = (ctx.build_rrule::<F>()?, ctx.build_hvp::<F>()?);
    let whole = ctx.build_hessian::<F>()?;
    let mut contestants: Vec<Contestant<'_>> = vec![
        (
            "gradient",
            Box::new(|count| {
                (0..count).try_for_each(|_| gradient.value_and_gradient((&x,)).map(drop))
            }),
        ),
        (
            "one at a time",
            Box::new(|count| {
                (0..count).try_for_each(|_| {
                    each_unit(n, |dx| {
                        product.value_gradient_and_hvp((&x,), (dx,)).map(drop)
                    })
                })
            }),
        ),
        (
            "at once",
            Box::new(|count| {
                (0..count).try_for_each(|_| whole.value_gradient_and_hessian((&x,)).map(drop))
            }),
        ),
    ];
    if let Some(band) = &band {
        contestants.push((
            "the band",
            Box::new(|count| {
                (0..count).try_for_each(|_| {
                    whole
                        .value_gradient_and_sparse_hessian((&x,), band)
                        .map(drop)
                })
            }),
        ));
    }
    let times = in_turns(&mut contestants, SAMPLE)?;
    Ok(Row { name, n, times })
}

fn jacobian(name: &'static str, n: usize, _band: Option<Pattern>) -> Result<Row> {
    let ctx = context()?;
    let x = point(n);
    let derivative = ctx.build_frule::<residuals>()?;
    let whole = ctx.build_jacobian::<residuals>()?;
    let mut contestants: Vec<Contestant<'_>> = vec![
        (
            "derivative",
            Box::new(|count| {
                (0..count).try_for_each(|_| derivative.value_and_derivative((&x,), (&x,)).map(drop))
            }),
        ),
        (
            "one at a time",
            Box::new(|count| {
                (0..count).try_for_each(|_| {
                    each_unit(n, |dx| {
                        derivative.value_and_derivative((&x,), (dx,)).map(drop)
                    })
                })
            }),
        ),
        (
            "at once",
            Box::new(|count| {
                (0..count).try_for_each(|_| whole.value_and_jacobian((&x,)).map(drop))
            }),
        ),
    ];
    let times = in_turns(&mut contestants, SAMPLE)?;
    Ok(Row { name, n, times })
}

fn point(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.3 + (i as f64 * 0.7).sin() * 0.5).collect()
}

fn each_unit(n: usize, mut act: impl FnMut(&[f64]) -> Result<()>) -> Result<()> {
    let mut unit = vec![0.0; n];
    for i in 0..n {
        unit[i] = 1.0;
        act(&unit)?;
        unit[i] = 0.0;
    }
    Ok(())
}

/// Measures the matrices whose names match.
pub fn run(json: bool, filter: Filter<'_>) -> Result<String, Box<dyn std::error::Error>> {
    type Measure = fn(&'static str, usize, Option<Pattern>) -> Result<Row>;
    let band = |n: usize| Some(Pattern::band(n, 1));
    let all: Vec<(&'static str, usize, Option<Pattern>, Measure)> = vec![
        ("hessian_dense", 200, None, hessian::<dense>),
        ("hessian_rosenbrock", 200, band(200), hessian::<rosenbrock>),
        ("hessian_rosenbrock", 8, band(8), hessian::<rosenbrock>),
        ("jacobian_50_30", 50, None, jacobian),
    ];
    let chosen = filter.choose(all, |(name, ..)| name)?;
    let rows: Result<Vec<Row>> = chosen
        .into_iter()
        .map(|(name, n, band, run)| run(name, n, band))
        .collect();
    let rows = rows?;
    if json {
        let rows = rows.iter().map(|row| {
            json!({
                "name": row.name,
                "n": row.n,
                "one_derivative_ns": row.times[0],
                "one_at_a_time_ns": row.times[1],
                "at_once_ns": row.times[2],
                "band_ns": row.times.get(3),
            })
        });
        return Ok(format!("{}\n", serde_json::Value::from_iter(rows)));
    }
    let mut text = format!(
        "{:<20} {:>4} {:>15} {:>15} {:>12} {:>6} {:>12}\n",
        "", "n", "one derivative", "one at a time", "at once", "ratio", "the band"
    );
    for Row { name, n, times } in rows {
        text += &format!(
            "{name:<20} {n:>4} {:>12.2} µs {:>12.2} µs {:>9.2} µs {:>6.2} {:>12}\n",
            times[0] / 1e3,
            times[1] / 1e3,
            times[2] / 1e3,
            times[1] / times[2],
            { times.get(3) }.map_or(String::new(), |t| format!("{:.2} µs", t / 1e3)),
        );
    }
    text += "\none derivative: a gradient, or a derivative along one direction. ratio: one at a time / at once.\n";
    Ok(text)
}
