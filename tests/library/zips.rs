//! How many items a `zip` takes of the longer iterator, as closures with effects see it: what std does differs with the types of both and with
//! what uses the pairs.

use mooncake::prelude::*;
use std::cell::Cell;

const X: &[f64] = &[0.5, 1.5, 2.0, 0.25, 3.0];
const Y: &[f64] = &[1.25, 0.75, 0.5];

check! {
    mapped(X, Y);
    reversed(X, Y);
    owned(X, Y);
    filtered(X, Y);
    chunked(X, Y);
    part(X, Y);
    skipping(X, Y);
    cloned(X, Y);
    counted(X, Y);
    endless(X, Y);
    repeated(X, Y);
    chained(X, Y);
    inspected(X, Y);
    flattened(X, Y);
    arrays(X, Y);
    zipped(X, Y);
    stepped(X, Y);
    peekable(X, Y);
    scanned(X, Y);
    folded(X, Y);
    folded_by_position(X, Y);
    ended(X, Y);
    ended_by_position(X, Y);
    collected(X, Y);
    collected_by_position(X, Y);
    parted(X, Y);
    parted_by_position(X, Y);
    searched(X, Y);
    searched_by_position(X, Y);
    adapted(X, Y);
    adapted_by_position(X, Y);
    nested(X, Y);
    nested_by_position(X, Y);
    by_turns(X, Y);
    by_turns_by_position(X, Y);
    compared(X, Y);
    from_the_back(X, Y);
    borrowed(X, Y);
    of_slices(X, Y);
}

/// A panic in the closure shows that it runs: for the item after the last pair, where std takes it.
#[test]
fn panics_where_std_does() {
    let (short, long) = ([2.0], [1.0, 3.0, 0.0]);
    let ctx = Context::default();
    let of_sum = ctx.build_rrule::<summed>().unwrap();
    let of_loop = ctx.build_rrule::<looped>().unwrap();
    assert_eq!(of_sum.value_and_gradient((&long, &short)).unwrap().0, 4.0);
    let error = of_loop.value_and_gradient((&long, &short)).unwrap_err();
    assert!(error.to_string().contains("one item more"), "{error}");
    assert!(std::panic::catch_unwind(|| looped(&long, &short)).is_err());
}

#[differentiable]
fn summed(x: &[f64], y: &[f64]) -> f64 {
    let twice = |v: &f64| {
        assert!(*v == 1.0, "one item more");
        2.0 * v
    };
    x.iter().take(3).map(twice).zip(y).map(|(a, b)| a * b).sum()
}
#[differentiable]
fn looped(x: &[f64], y: &[f64]) -> f64 {
    let twice = |v: &f64| {
        assert!(*v == 1.0, "one item more");
        2.0 * v
    };
    let mut sum = 0.0;
    for (a, b) in x.iter().take(3).map(twice).zip(y) {
        sum += a * b;
    }
    sum
}

#[differentiable]
fn mapped(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x.iter().map(|v| take(*v)).zip(y.iter().take(2)) {
        sum += a * b;
    }
    sum += x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x.iter().map(|v| take(*v)).zip(y) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn reversed(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x.iter().rev().map(|v| take(*v)).zip(y.iter().take(2)) {
        sum += a * b;
    }
    sum += x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x.iter().rev().map(|v| take(*v)).zip(y) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn owned(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    sum += x
        .to_vec()
        .into_iter()
        .map(take)
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x.to_vec().into_iter().map(take).zip(y.iter().rev()) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn filtered(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x
        .iter()
        .filter(|v| take(**v) < 5.0)
        .copied()
        .zip(y.iter().take(2))
    {
        sum += a * b;
    }
    sum += x
        .iter()
        .filter(|v| take(**v) < 5.0)
        .copied()
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x.iter().filter(|v| take(**v) < 5.0).copied().zip(y) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn chunked(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x.chunks(1).map(|c| take(c[0])).zip(y.iter().take(2)) {
        sum += a * b;
    }
    sum += x
        .chunks(1)
        .map(|c| take(c[0]))
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x.chunks(1).map(|c| take(c[0])).zip(y) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn part(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x.iter().take(4).map(|v| take(*v)).zip(y.iter().take(2)) {
        sum += a * b;
    }
    sum += x
        .iter()
        .take(4)
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x.iter().take(4).map(|v| take(*v)).zip(y) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn skipping(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x.iter().map(|v| take(*v)).skip(1).zip(y.iter().take(2)) {
        sum += a * b;
    }
    sum += x
        .iter()
        .map(|v| take(*v))
        .skip(1)
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x.iter().map(|v| take(*v)).skip(1).zip(y) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn cloned(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x
        .iter()
        .map(|v| take(*v))
        .enumerate()
        .map(|(i, v)| v * i as f64)
        .zip(y.iter().take(2))
    {
        sum += a * b;
    }
    sum += x
        .iter()
        .map(|v| take(*v))
        .enumerate()
        .map(|(i, v)| v * i as f64)
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x
        .iter()
        .map(|v| take(*v))
        .enumerate()
        .map(|(i, v)| v * i as f64)
        .zip(y)
    {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn counted(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in (1..=5).map(|i| take(f64::from(i))).zip(y.iter().take(2)) {
        sum += a * b;
    }
    sum += (1..=5)
        .map(|i| take(f64::from(i)))
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in (1..=5).map(|i| take(f64::from(i))).zip(y) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn endless(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in (0..).map(|i| take(f64::from(i))).zip(y.iter().take(2)) {
        sum += a * b;
    }
    sum += (0..)
        .map(|i| take(f64::from(i)))
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in (0..).map(|i| take(f64::from(i))).zip(y) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn repeated(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in std::iter::repeat_with(|| take(0.5)).zip(y.iter().take(2)) {
        sum += a * b;
    }
    sum += std::iter::repeat_with(|| take(0.5))
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in std::iter::repeat_with(|| take(0.5)).zip(y) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn chained(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x
        .iter()
        .map(|v| take(*v))
        .chain(y.iter().map(|v| take(*v)))
        .zip(y.iter().take(2))
    {
        sum += a * b;
    }
    sum += x
        .iter()
        .map(|v| take(*v))
        .chain(y.iter().map(|v| take(*v)))
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x
        .iter()
        .map(|v| take(*v))
        .chain(y.iter().map(|v| take(*v)))
        .zip(y)
    {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn inspected(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x
        .iter()
        .copied()
        .inspect(|v| {
            take(*v);
        })
        .zip(y.iter().take(2))
    {
        sum += a * b;
    }
    sum += x
        .iter()
        .copied()
        .inspect(|v| {
            take(*v);
        })
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x
        .iter()
        .copied()
        .inspect(|v| {
            take(*v);
        })
        .zip(y)
    {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn flattened(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x
        .iter()
        .flat_map(|v| vec![take(*v), 1.0])
        .zip(y.iter().take(2))
    {
        sum += a * b;
    }
    sum += x
        .iter()
        .flat_map(|v| vec![take(*v), 1.0])
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x.iter().flat_map(|v| vec![take(*v), 1.0]).zip(y) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn arrays(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x.iter().flat_map(|v| [take(*v), 1.0]).zip(y.iter().take(2)) {
        sum += a * b;
    }
    sum += x
        .iter()
        .flat_map(|v| [take(*v), 1.0])
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x.iter().flat_map(|v| [take(*v), 1.0]).zip(y) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn zipped(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .zip(y.iter().take(2))
    {
        sum += a * b;
    }
    sum += x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x.iter().map(|v| take(*v)).zip(y).map(|(a, b)| a * b).zip(y) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn stepped(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x.iter().map(|v| take(*v)).step_by(2).zip(y.iter().take(2)) {
        sum += a * b;
    }
    sum += x
        .iter()
        .map(|v| take(*v))
        .step_by(2)
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x.iter().map(|v| take(*v)).step_by(2).zip(y) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn peekable(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x.iter().map(|v| take(*v)).peekable().zip(y.iter().take(2)) {
        sum += a * b;
    }
    sum += x
        .iter()
        .map(|v| take(*v))
        .peekable()
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x.iter().map(|v| take(*v)).peekable().zip(y) {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn scanned(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x
        .iter()
        .scan(0.5, |s, v| {
            *s += take(*v);
            Some(*s)
        })
        .zip(y.iter().take(2))
    {
        sum += a * b;
    }
    sum += x
        .iter()
        .scan(0.5, |s, v| {
            *s += take(*v);
            Some(*s)
        })
        .zip(y)
        .map(|(a, b)| a * b)
        .sum::<f64>();
    for (a, b) in x
        .iter()
        .scan(0.5, |s, v| {
            *s += take(*v);
            Some(*s)
        })
        .zip(y)
    {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn folded(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    sum += x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .fold(0.5, |s, v| s * 0.5 + v);
    x.iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .for_each(|(a, b)| sum += a * b);
    sum += x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .product::<f64>();
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn folded_by_position(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    sum += x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .fold(0.5, |s, v| s * 0.5 + v);
    x.iter()
        .map(|v| take(*v))
        .zip(y)
        .for_each(|(a, b)| sum += a * b);
    sum += x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .product::<f64>();
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn ended(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    sum += x.iter().rev().map(|v| take(*v)).zip(y).count() as f64;
    sum += x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .last()
        .unwrap();
    sum += x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .max_by(|a, b| a.total_cmp(b))
        .unwrap();
    sum += x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .reduce(|a, b| 0.5 * a + b)
        .unwrap();
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn ended_by_position(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    sum += x.iter().map(|v| take(*v)).zip(y).count() as f64;
    sum += x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .last()
        .unwrap();
    sum += x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .max_by(|a, b| a.total_cmp(b))
        .unwrap();
    sum += x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .reduce(|a, b| 0.5 * a + b)
        .unwrap();
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn collected(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    let all: Vec<f64> = x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .collect();
    let some: Vec<f64> = x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .filter(|v| *v > 1.0)
        .collect();
    let known: Option<Vec<f64>> = x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| Some(a * b))
        .collect();
    let total: Option<f64> = x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| Some(a * b))
        .sum();
    sum += all[0] + some.len() as f64 + known.unwrap()[0] + total.unwrap();
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn collected_by_position(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    let all: Vec<f64> = x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .collect();
    let some: Vec<f64> = x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .filter(|v| *v > 1.0)
        .collect();
    let known: Option<Vec<f64>> = x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| Some(a * b))
        .collect();
    let total: Option<f64> = x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| Some(a * b))
        .sum();
    sum += all[0] + some.len() as f64 + known.unwrap()[0] + total.unwrap();
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn parted(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    let (a, b): (Vec<f64>, Vec<f64>) = x.iter().rev().map(|v| take(*v)).zip(y).unzip();
    let (c, d): (Vec<f64>, Vec<f64>) = x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .partition(|v| *v > 1.0);
    let mut e = vec![0.5];
    e.extend(x.iter().rev().map(|v| take(*v)).zip(y).map(|(a, b)| a * b));
    sum += a[0] * b[0] + c.len() as f64 + d.len() as f64 * 0.5 + e[1];
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn parted_by_position(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    let (a, b): (Vec<f64>, Vec<f64>) = x.iter().map(|v| take(*v)).zip(y).unzip();
    let (c, d): (Vec<f64>, Vec<f64>) = x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .partition(|v| *v > 1.0);
    let mut e = vec![0.5];
    e.extend(x.iter().map(|v| take(*v)).zip(y).map(|(a, b)| a * b));
    sum += a[0] * b[0] + c.len() as f64 + d.len() as f64 * 0.5 + e[1];
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn searched(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    if x.iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .any(|(a, b)| a * b > 100.0)
    {
        sum += 1.0;
    }
    sum += x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .nth(2)
        .map_or(0.0, |(a, b)| a * b);
    sum += x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .find(|v| *v > 100.0)
        .unwrap_or(0.5);
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn searched_by_position(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    if x.iter()
        .map(|v| take(*v))
        .zip(y)
        .any(|(a, b)| a * b > 100.0)
    {
        sum += 1.0;
    }
    sum += x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .nth(2)
        .map_or(0.0, |(a, b)| a * b);
    sum += x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .find(|v| *v > 100.0)
        .unwrap_or(0.5);
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn adapted(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    sum += x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .skip(1)
        .sum::<f64>()
        + x.iter()
            .rev()
            .map(|v| take(*v))
            .zip(y)
            .map(|(a, b)| a * b)
            .skip(9)
            .sum::<f64>();
    sum += x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .skip_while(|v| *v > 0.5)
        .sum::<f64>();
    sum += x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .take(2)
        .sum::<f64>()
        + x.iter()
            .rev()
            .map(|v| take(*v))
            .zip(y)
            .map(|(a, b)| a * b)
            .chain([1.0])
            .sum::<f64>();
    sum += x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .enumerate()
        .map(|(i, (a, b))| a * b * i as f64)
        .sum::<f64>();
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn adapted_by_position(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    sum += x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .skip(1)
        .sum::<f64>()
        + x.iter()
            .map(|v| take(*v))
            .zip(y)
            .map(|(a, b)| a * b)
            .skip(9)
            .sum::<f64>();
    sum += x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .skip_while(|v| *v > 0.5)
        .sum::<f64>();
    sum += x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .take(2)
        .sum::<f64>()
        + x.iter()
            .map(|v| take(*v))
            .zip(y)
            .map(|(a, b)| a * b)
            .chain([1.0])
            .sum::<f64>();
    sum += x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .enumerate()
        .map(|(i, (a, b))| a * b * i as f64)
        .sum::<f64>();
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn nested(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    sum += y
        .iter()
        .flat_map(|k| {
            x.iter()
                .rev()
                .map(|v| take(*v))
                .zip(y)
                .map(move |(a, b)| a * b * k)
        })
        .sum::<f64>();
    for v in y.iter().flat_map(|k| {
        x.iter()
            .rev()
            .map(|v| take(*v))
            .zip(y)
            .map(move |(a, b)| a * b * k)
    }) {
        sum += v;
    }
    for ((a, b), c) in x.iter().rev().map(|v| take(*v)).zip(y).zip(&[5.0]) {
        sum += a * b * c;
    }
    sum += x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .zip(&[5.0])
        .map(|((a, b), c)| a * b * c)
        .sum::<f64>();
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn nested_by_position(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    sum += y
        .iter()
        .flat_map(|k| {
            x.iter()
                .map(|v| take(*v))
                .zip(y)
                .map(move |(a, b)| a * b * k)
        })
        .sum::<f64>();
    for v in y.iter().flat_map(|k| {
        x.iter()
            .map(|v| take(*v))
            .zip(y)
            .map(move |(a, b)| a * b * k)
    }) {
        sum += v;
    }
    for ((a, b), c) in x.iter().map(|v| take(*v)).zip(y).zip(&[5.0]) {
        sum += a * b * c;
    }
    sum += x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .zip(&[5.0])
        .map(|((a, b), c)| a * b * c)
        .sum::<f64>();
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn by_turns(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    let mut pairs = x.iter().rev().map(|v| take(*v)).zip(y).map(|(a, b)| a * b);
    sum += pairs.next().unwrap();
    sum += pairs.by_ref().take(1).sum::<f64>();
    sum += pairs.sum::<f64>();
    let mut pairs = x
        .iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .peekable();
    sum += *pairs.peek().unwrap();
    sum += pairs.sum::<f64>();
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn by_turns_by_position(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    let mut pairs = x.iter().map(|v| take(*v)).zip(y).map(|(a, b)| a * b);
    sum += pairs.next().unwrap();
    sum += pairs.by_ref().take(1).sum::<f64>();
    sum += pairs.sum::<f64>();
    let mut pairs = x
        .iter()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .peekable();
    sum += *pairs.peek().unwrap();
    sum += pairs.sum::<f64>();
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn compared(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    if x.iter()
        .rev()
        .map(|v| take(*v))
        .zip(y)
        .map(|(a, b)| a * b)
        .eq(x.iter().copied())
    {
        sum += 1.0;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn from_the_back(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    for (a, b) in x.iter().map(|v| take(*v)).zip(y).rev() {
        sum = 0.5 * sum + a * b;
    }
    sum += y
        .iter()
        .zip(x.iter().map(|v| take(*v)))
        .map(|(a, b)| a * b)
        .rev()
        .fold(0.5, |s, v| 0.5 * s + v);
    for (a, b) in x.iter().rev().map(|v| take(*v)).zip(y).rev() {
        sum = 0.5 * sum + a * b;
    }
    let mut pairs = x.iter().map(|v| take(*v)).zip(y).map(|(a, b)| a * b);
    sum += pairs.next_back().unwrap();
    for v in pairs {
        sum += v;
    }
    let none: &[f64] = &[];
    for (a, b) in x.iter().map(|v| take(*v)).zip(none).rev() {
        sum += a * b;
    }
    for (a, b) in x.iter().rev().map(|v| take(*v)).zip(none).rev() {
        sum += a * b;
    }
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn borrowed(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    let mut all = x.iter().map(|v| take(*v));
    sum += all.by_ref().zip(y).map(|(a, b)| a * b).sum::<f64>();
    sum += all.next().unwrap_or(0.5);
    let mut all = x.iter().map(|v| take(*v));
    for (a, b) in all.by_ref().zip(y) {
        sum += a * b;
    }
    sum += all.next().unwrap_or(0.5);
    sum + x[0] * y[0] + taken.get()
}

#[differentiable]
fn of_slices(x: &[f64], y: &[f64]) -> f64 {
    let taken = Cell::new(1.0);
    let take = |v: f64| {
        taken.set(1.25 * taken.get() + v);
        2.0 * v
    };
    let mut sum = 0.25;
    sum += take(y[1]);
    sum += x.chunks(2).zip(y).map(|(c, b)| c[0] * b).sum::<f64>();
    sum += x
        .windows(2)
        .zip(x.windows(2).skip(1))
        .map(|(a, b)| a[0] * b[1])
        .sum::<f64>();
    sum += x
        .rchunks(2)
        .enumerate()
        .map(|(i, c)| c[0] * i as f64)
        .sum::<f64>();
    sum += x
        .rchunks(2)
        .zip(y.chunks(2))
        .map(|(a, b)| a[0] * b[0])
        .sum::<f64>();
    sum + x[0] * y[0] + taken.get()
}
