//! What threads gain within a call: a log-density over shards of data, in order and with `par_sum`, by turns in one process.

use super::measure::{Contestant, SAMPLE, context, in_turns};
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

/// Too little to share: what is measured is what asking costs.
#[differentiable]
fn few_in_order(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for v in x {
        total += v * v;
    }
    total
}

#[differentiable]
fn few_shared(x: &[f64]) -> f64 {
    par_sum(x, |v| v * v)
}

/// One line of the table.
struct Row {
    name: &'static str,
    in_order_ns: f64,
    threads_ns: f64,
}

/// Measures values and gradients, and prints how many times faster threads are.
pub fn run(json: bool) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let rows = measure()?;
    if json {
        let rows = rows.iter().map(|row| {
            serde_json::json!({
                "name": row.name,
                "in_order_ns": row.in_order_ns,
                "threads_ns": row.threads_ns,
                "ratio": row.in_order_ns / row.threads_ns,
            })
        });
        let rows: Vec<serde_json::Value> = rows.collect();
        println!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(());
    }
    println!(
        "{:<28} {:>12} {:>12} {:>7}",
        "", "in order", "threads", "ratio"
    );
    for row in rows {
        let (one, many) = (row.in_order_ns / 1e3, row.threads_ns / 1e3);
        let name = row.name;
        println!(
            "{name:<28} {one:>9.1} µs {many:>9.1} µs {:>7.2}",
            one / many
        );
    }
    println!(
        "\nratio: in order / threads, of which there are {}.",
        processors()
    );
    Ok(())
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn measure() -> Result<Vec<Row>> {
    let ctx = context()?;
    let (one, many) = (ctx.build_rrule::<in_order>()?, ctx.build_rrule::<shared>()?);
    let few_one = ctx.build_rrule::<few_in_order>()?;
    let few_many = ctx.build_rrule::<few_shared>()?;
    let shards: Vec<usize> = (0..SHARDS).collect();
    let number = |n: usize| (n as f64 * 0.7).sin();
    let x: Vec<f64> = (0..SHARDS * ROWS * COLUMNS).map(number).collect();
    let y: Vec<f64> = (0..SHARDS * ROWS).map(|n| (n % 3 / 2) as f64).collect();
    let w: Vec<f64> = (0..COLUMNS).map(|n| 0.1 * number(n)).collect();
    let of_weights = || (&shards[..], Const(&x[..]), Const(&y[..]), &w[..]);
    let of_all = || (&shards[..], &x[..], Const(&y[..]), &w[..]);
    let few = || (&x[..1000],);
    macro_rules! contestant {
        ($rule:ident.$method:ident($given:ident)) => {
            (
                stringify!($method),
                Box::new(|n| (0..n).try_for_each(|_| $rule.$method($given()).map(drop))),
            )
        };
    }
    let mut contestants: Vec<Contestant> = vec![
        contestant!(one.value(of_weights)),
        contestant!(many.value(of_weights)),
        contestant!(one.value_and_gradient(of_weights)),
        contestant!(many.value_and_gradient(of_weights)),
        contestant!(one.value_and_gradient(of_all)),
        contestant!(many.value_and_gradient(of_all)),
        contestant!(few_one.value(few)),
        contestant!(few_many.value(few)),
        contestant!(few_one.value_and_gradient(few)),
        contestant!(few_many.value_and_gradient(few)),
    ];
    let times = in_turns(&mut contestants, SAMPLE)?;
    let names = [
        "value",
        "gradient",
        "gradient, of the data too",
        "1,000 squares, value",
        "1,000 squares, gradient",
    ];
    let rows = names.into_iter().zip(times.chunks(2));
    let row = |(name, pair): (&'static str, &[f64])| Row {
        name,
        in_order_ns: pair[0],
        threads_ns: pair[1],
    };
    Ok(rows.map(row).collect())
}
