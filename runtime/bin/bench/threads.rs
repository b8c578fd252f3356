//! What threads gain within a call: a log-density over shards of data, in order and with `par_sum`, by turns in one process.

use super::measure::{SAMPLE, context, in_turns, median};
use mooncake::prelude::*;
use mooncake::{Const, Result};

const SHARDS: usize = 64;
/// Observations of a shard, and numbers of each.
const ROWS: usize = 1024;
const COLUMNS: usize = 8;

/// The log-likelihood of logistic regression, of one shard.
#[differentiable]
fn shard(n: usize, x: &[f64], y: &[f64], w: &[f64]) -> f64 {
    let mut total = 0.0;
    for row in n * ROWS..(n + 1) * ROWS {
        let mut z = 0.0;
        for k in 0..COLUMNS {
            z += x[row * COLUMNS + k] * w[k];
        }
        total += y[row] * z - (1.0 + z.exp()).ln();
    }
    total
}

#[differentiable]
fn in_order(shards: &[usize], x: &[f64], y: &[f64], w: &[f64]) -> f64 {
    let mut total = 0.0;
    for &n in shards {
        total += shard(n, x, y, w);
    }
    total
}

#[differentiable]
fn shared(shards: &[usize], x: &[f64], y: &[f64], w: &[f64]) -> f64 {
    par_sum(shards, |&n| shard(n, x, y, w))
}

/// Prints the times of both, and how many times faster threads are.
pub fn run(json: bool) -> Result<()> {
    let ctx = context()?;
    let (one, many) = (ctx.build_rrule::<in_order>()?, ctx.build_rrule::<shared>()?);
    let shards: Vec<usize> = (0..SHARDS).collect();
    let number = |n: usize| (n as f64 * 0.7).sin();
    let x: Vec<f64> = (0..SHARDS * ROWS * COLUMNS).map(number).collect();
    let y: Vec<f64> = (0..SHARDS * ROWS).map(|n| (n % 3 / 2) as f64).collect();
    let w: Vec<f64> = (0..COLUMNS).map(|n| 0.1 * number(n)).collect();
    let given = || (&shards[..], Const(&x[..]), Const(&y[..]), &w[..]);
    let everything = || (&shards[..], &x[..], Const(&y[..]), &w[..]);
    let _ = median;
    let mut contestants: Vec<super::measure::Contestant> = vec![
        (
            "value, in order",
            Box::new(|n| (0..n).try_for_each(|_| one.value(given()).map(drop))),
        ),
        (
            "value, threads",
            Box::new(|n| (0..n).try_for_each(|_| many.value(given()).map(drop))),
        ),
        (
            "gradient, in order",
            Box::new(|n| (0..n).try_for_each(|_| one.value_and_gradient(given()).map(drop))),
        ),
        (
            "gradient, threads",
            Box::new(|n| (0..n).try_for_each(|_| many.value_and_gradient(given()).map(drop))),
        ),
        (
            "gradient of the data too, in order",
            Box::new(|n| (0..n).try_for_each(|_| one.value_and_gradient(everything()).map(drop))),
        ),
        (
            "gradient of the data too, threads",
            Box::new(|n| (0..n).try_for_each(|_| many.value_and_gradient(everything()).map(drop))),
        ),
    ];
    let names: Vec<&str> = contestants.iter().map(|(name, _)| *name).collect();
    let times = in_turns(&mut contestants, SAMPLE)?;
    for (pair, names) in times.chunks(2).zip(names.chunks(2)) {
        let (in_order, threads) = (pair[0], pair[1]);
        println!(
            "{:<40} {:>9.1} µs {:>9.1} µs {:>6.2}",
            names[1],
            in_order / 1e3,
            threads / 1e3,
            in_order / threads
        );
    }
    let _ = json;
    Ok(())
}
