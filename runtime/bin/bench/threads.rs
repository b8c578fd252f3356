//! What threads gain within a call: a log-density over shards of data, in order and with `par_sum`, by turns in one process.

use super::Filter;
use super::measure::{Contestant, SAMPLE, context, in_turns};
use mooncake::Const;
use mooncake::prelude::*;

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

/// Measures the values and gradients whose names match, and shows how many times faster threads are.
pub fn run(json: bool, filter: Filter<'_>) -> Result<String, Box<dyn std::error::Error>> {
    let rows = measure(filter)?;
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
        return Ok(format!("{}\n", serde_json::to_string_pretty(&rows)?));
    }
    let mut text = format!(
        "{:<28} {:>12} {:>12} {:>7}\n",
        "", "in order", "threads", "ratio"
    );
    for row in rows {
        let (one, many) = (row.in_order_ns / 1e3, row.threads_ns / 1e3);
        let name = row.name;
        text += &format!(
            "{name:<28} {one:>9.1} µs {many:>9.1} µs {:>7.2}\n",
            one / many
        );
    }
    text += &format!(
        "\nratio: in order / threads, of which there are {}.\n",
        processors()
    );
    Ok(text)
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn measure(filter: Filter<'_>) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
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
    macro_rules! pair {
        ($name:literal, $one:ident, $many:ident, $method:ident($given:ident)) => {
            (
                $name,
                [
                    contestant!($one.$method($given)),
                    contestant!($many.$method($given)),
                ],
            )
        };
    }
    let all: Vec<(&'static str, [Contestant<'_>; 2])> = vec![
        pair!("value", one, many, value(of_weights)),
        pair!("gradient", one, many, value_and_gradient(of_weights)),
        pair!(
            "gradient, of the data too",
            one,
            many,
            value_and_gradient(of_all)
        ),
        pair!("1,000 squares, value", few_one, few_many, value(few)),
        pair!(
            "1,000 squares, gradient",
            few_one,
            few_many,
            value_and_gradient(few)
        ),
    ];
    let chosen = filter.choose(all, |(name, _)| name)?;
    let (names, pairs): (Vec<&'static str>, Vec<_>) = chosen.into_iter().unzip();
    let mut contestants: Vec<Contestant<'_>> = pairs.into_iter().flatten().collect();
    let times = in_turns(&mut contestants, SAMPLE)?;
    let rows = names.into_iter().zip(times.chunks(2));
    let row = |(name, pair): (&'static str, &[f64])| Row {
        name,
        in_order_ns: pair[0],
        threads_ns: pair[1],
    };
    Ok(rows.map(row).collect())
}
