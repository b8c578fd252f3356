//! How many items a `zip` takes of the longer iterator, as closures with effects see it: what std does differs with the types of both and with
//! what uses the pairs. The compiled function gives the native value and both modes its derivative, whichever is longer.

use mooncake::prelude::*;
use std::cell::Cell;

const X: &[f64] = &[0.5, 1.5, 2.0, 0.25, 3.0];
const Y: &[f64] = &[1.25, 0.75, 0.5, 1.75, 0.625];

/// Of the first iterator and the second.
const LENGTHS: [(usize, usize); 6] = [(5, 3), (3, 5), (4, 4), (5, 0), (0, 3), (0, 0)];

/// A test of a function at all lengths: its value, and that both modes have the same derivative, which the first of them compares with
/// differences. It must not panic there: nothing would be said of its derivative.
macro_rules! at_all_lengths {
    ($($f:ident)*) => {
        mod tested {
            use super::*;
            $(#[test]
            fn $f() {
                let ctx = Context::default();
                let reverse = ctx.build_rrule::<super::$f>().unwrap();
                let forward = ctx.build_frule::<super::$f>().unwrap();
                for (n, m) in LENGTHS {
                    let (x, y) = (&X[..n], &Y[..m]);
                    let value = super::$f(x, y);
                    let (reversed, (dx, dy)) = reverse.value_and_gradient((x, y)).unwrap();
                    let (forwarded, slope) = forward.value_and_derivative((x, y), (x, y)).unwrap();
                    assert_eq!((reversed, forwarded), (value, value), "lengths {n} and {m}");
                    let along = dx.iter().zip(x).chain(dy.iter().zip(y)).map(|(d, v)| d * v);
                    let difference = (along.sum::<f64>() - slope).abs();
                    assert!(difference <= 1e-10 * (1.0 + slope.abs()), "lengths {n} and {m}");
                }
                let tested = test_rule::<super::$f>(&ctx, (X, &Y[..3]));
                tested.unwrap_or_else(|error| panic!("{error}"));
            })*
        }
    };
}

/// Functions of two lists with a closure that gives twice its argument and counts its calls in what they return.
macro_rules! counting {
    (|$x:ident, $y:ident, $take:ident, $sum:ident| $($f:ident {$($body:tt)*})*) => {$(
        #[differentiable]
        fn $f($x: &[f64], $y: &[f64]) -> f64 {
            let taken = Cell::new(1.0);
            let $take = |v: f64| {
                taken.set(1.25 * taken.get() + v);
                2.0 * v
            };
            let mut $sum = 0.25;
            $($body)*
            $sum + taken.get()
        }
    )*};
}

/// Functions that zip an iterator in the three ways that differ: a loop with a part of a slice, `fold`, and a loop with a slice.
macro_rules! three_ways {
    (|$x:ident, $y:ident, $take:ident| $($f:ident: $items:expr;)*) => {
        at_all_lengths! { $($f)* }
        counting! { |$x, $y, $take, sum| $($f {
            for (a, b) in $items.zip($y.iter().take(2)) {
                sum += a * b;
            }
            sum += $items.zip($y).map(|(a, b)| a * b).sum::<f64>();
            for (a, b) in $items.zip($y) {
                sum += a * b;
            }
            sum += 0.25 * $x.len() as f64;
        })* }
    };
}

/// Functions of pairs that std makes one after the other, and the same of pairs that it makes by position.
macro_rules! two_zips {
    (|$x:ident, $y:ident, $take:ident, $pairs:ident, $sum:ident| $($f:ident $body:tt)*) => {
        mod in_turn {
            use super::*;
            at_all_lengths! { $($f)* }
            two_zips! { @ ($x.iter().rev()) |$x, $y, $take, $pairs, $sum| $($f $body)* }
        }
        mod by_position {
            use super::*;
            at_all_lengths! { $($f)* }
            two_zips! { @ ($x.iter()) |$x, $y, $take, $pairs, $sum| $($f $body)* }
        }
    };
    (@ $items:tt |$x:ident, $y:ident, $take:ident, $pairs:ident, $sum:ident| $($f:ident $body:tt)*) => {$(
        two_zips! { @ one $f $items $body |$x, $y, $take, $pairs, $sum| }
    )*};
    (@ one $f:ident ($items:expr) {$($body:tt)*} |$x:ident, $y:ident, $take:ident, $pairs:ident, $sum:ident|) => {
        counting! { |$x, $y, $take, $sum| $f {
            let $pairs = || $items.map(|v| $take(*v)).zip($y).map(|(a, b)| a * b);
            $($body)*
        } }
    };
}

mod sources {
    use super::*;

    three_ways! { |x, y, take|
        mapped: x.iter().map(|v| take(*v));
        reversed: x.iter().rev().map(|v| take(*v));
        filtered: x.iter().filter(|v| take(**v) < 5.0).copied();
        chunked: x.chunks(1).map(|c| take(c[0]));
        part: x.iter().take(4).map(|v| take(*v));
        skipping: x.iter().map(|v| take(*v)).skip(1);
        cloned: x.iter().map(|v| take(*v)).enumerate().map(|(i, v)| v * i as f64);
        counted: (1..=5).map(|i| take(f64::from(i)));
        endless: (0..).map(|i| take(f64::from(i)));
        repeated: std::iter::repeat_with(|| take(0.5));
        chained: x.iter().map(|v| take(*v)).chain(y.iter().map(|v| take(*v)));
        inspected: x.iter().copied().inspect(|v| { take(*v); });
        flattened: x.iter().flat_map(|v| vec![take(*v), 1.0]);
        arrays: x.iter().flat_map(|v| [take(*v), 1.0]);
        zipped: x.iter().map(|v| take(*v)).zip(y).map(|(a, b)| a * b);
        stepped: x.iter().map(|v| take(*v)).step_by(2);
        peekable: x.iter().map(|v| take(*v)).peekable();
        scanned: x.iter().scan(0.5, |s, v| { *s += take(*v); Some(*s) });
        skipped_while: x.iter().map(|v| take(*v)).skip_while(|v| take(*v) < 5.0);
        ended: x.iter().map(|v| take(*v)).map_while(|v| if take(v) < 9.0 { Some(v) } else { None }).fuse();
    }
}

two_zips! { |x, y, take, pairs, sum|
    folded {
        sum += pairs().fold(0.5, |s, v| s * 0.5 + v);
        pairs().for_each(|v| sum += v);
        sum += pairs().product::<f64>();
    }
    ended {
        sum += pairs().count() as f64;
        sum += pairs().last().unwrap_or(0.5);
        sum += pairs().max_by(|a, b| a.total_cmp(b)).unwrap_or(0.5);
        sum += pairs().reduce(|a, b| 0.5 * a + b).unwrap_or(0.5);
    }
    collected {
        let all: Vec<f64> = pairs().collect();
        let some: Vec<f64> = pairs().filter(|v| *v > 1.0).collect();
        let known: Option<Vec<f64>> = pairs().map(Some).collect();
        let total: Option<f64> = pairs().map(Some).sum();
        sum += all.iter().sum::<f64>() + some.len() as f64;
        sum += known.unwrap().iter().sum::<f64>() + total.unwrap();
    }
    parted {
        let (a, b): (Vec<f64>, Vec<f64>) = pairs().map(|v| (v, take(v))).unzip();
        let (c, d): (Vec<f64>, Vec<f64>) = pairs().partition(|v| *v > 1.0);
        let mut e = vec![0.5];
        e.extend(pairs());
        for all in [a, b, c, d, e] {
            sum = 0.5 * sum + all.iter().sum::<f64>();
        }
    }
    searched {
        if pairs().any(|v| v > 100.0) {
            sum += 1.0;
        }
        sum += pairs().nth(2).unwrap_or(0.5);
        sum += pairs().find(|v| *v > 100.0).unwrap_or(0.5);
    }
    adapted {
        sum += pairs().skip(1).sum::<f64>() + pairs().skip(9).sum::<f64>();
        sum += pairs().skip_while(|v| *v > 0.6).sum::<f64>();
        sum += pairs().take(2).sum::<f64>() + pairs().chain([1.0]).sum::<f64>();
        sum += pairs().enumerate().map(|(i, v)| v * i as f64).sum::<f64>();
    }
    by_turns {
        let mut some = pairs();
        sum += some.next().unwrap_or(0.5);
        sum += some.by_ref().take(1).sum::<f64>();
        sum += some.sum::<f64>();
        let mut some = pairs().peekable();
        sum += some.peek().copied().unwrap_or(0.5);
        sum += some.sum::<f64>();
    }
    nested {
        sum += y.iter().flat_map(|k| pairs().map(move |v| v * k)).sum::<f64>();
        for v in y.iter().flat_map(|k| pairs().map(move |v| v * k)) {
            sum += v;
        }
        for (v, c) in pairs().zip(&[5.0]) {
            sum += v * c;
        }
        sum += pairs().zip(&[5.0]).map(|(v, c)| v * c).sum::<f64>();
    }
    past_the_end {
        let mut some = pairs();
        for _ in 0..7 {
            sum = 0.5 * sum + some.next().unwrap_or(0.5);
        }
        let mut some = pairs().fuse();
        for _ in 0..7 {
            sum = 0.5 * sum + some.next().unwrap_or(0.5);
        }
        let mut some = pairs().map_while(|v| if v < 2.1 { Some(v) } else { None }).fuse();
        for _ in 0..7 {
            sum = 0.5 * sum + some.next().unwrap_or(0.5);
        }
        let mut some = pairs().map_while(|v| if v < 2.1 { Some(v) } else { None });
        for _ in 0..7 {
            sum = 0.5 * sum + some.next().unwrap_or(0.5);
        }
        let mut some = pairs().map_while(|v| if v < 2.1 { Some([v]) } else { None }).flatten();
        for _ in 0..7 {
            sum = 0.5 * sum + some.next().unwrap_or(0.5);
        }
    }
    skipped_in_a_chain {
        sum += y.iter().map(|v| take(*v)).chain(pairs().skip(1)).sum::<f64>();
        let loud = y.iter().map(|v| take(*v)).chain(pairs().skip_while(|v| take(*v) > 3.0));
        loud.for_each(|v| sum += take(v));
        sum += y.iter().copied().chain(pairs().skip(2).skip(9)).fold(0.5, |s, v| 0.5 * s + take(v));
        for v in y.iter().copied().chain(pairs().skip(2)) {
            sum = 0.5 * sum + take(v);
        }
    }
    skipped_in_parts {
        let mut some = y.iter().flat_map(|k| pairs().skip(1).map(move |v| v * k));
        sum += some.next().unwrap_or(0.5);
        some.for_each(|v| sum = 0.5 * sum + take(v));
        let all = pairs().flat_map(|v| [v, take(v)]).skip_while(|v| *v > 2.0).skip(1);
        sum += all.fold(0.5, |s, v| 0.5 * s + take(v));
    }
    skipped_all {
        let all = y.iter().map(|v| take(*v)).skip(3);
        for (a, b) in x.iter().take(4).zip(all) {
            sum += a * b;
        }
        let none = pairs().skip_while(|v| take(*v) > 0.0);
        sum += none.skip(3).fold(0.5, |s, v| 0.5 * s + take(v));
        sum += pairs().skip(9).skip_while(|v| take(*v) > 0.0).sum::<f64>();
    }
    stepped {
        sum += pairs().step_by(2).fold(0.5, |s, v| 0.5 * s + take(v));
        for v in pairs().flat_map(|v| [v, 1.0]).step_by(2) {
            sum = 0.5 * sum + take(v);
        }
        sum += pairs().flat_map(|v| [v, 1.0]).step_by(2).fold(0.5, |s, v| 0.5 * s + take(v));
    }
}

at_all_lengths! { owned compared from_the_back both_ends borrowed of_slices }

counting! { |x, y, take, sum|
    owned {
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
    }
    compared {
        if x.iter()
            .rev()
            .map(|v| take(*v))
            .zip(y)
            .map(|(a, b)| a * b)
            .eq(x.iter().copied())
        {
            sum += 1.0;
        }
    }
    from_the_back {
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
        sum += pairs.next_back().unwrap_or(0.5);
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
    }
    // From the back the second iterator of a `zip` is asked, and made as long as its own pairs are, also when the first has ended.
    both_ends {
        let inner = x.iter().rev().map(|v| take(*v)).zip(y).map(|(a, b)| a * b);
        let mut pairs = [0.5, 1.5].iter().zip(inner).map(|(a, b)| a * b);
        sum += pairs.next_back().unwrap_or(0.25);
        sum += pairs.next().unwrap_or(0.5);
        for v in pairs.rev() {
            sum = 0.5 * sum + take(v);
        }
    }
    borrowed {
        let mut all = x.iter().map(|v| take(*v));
        sum += all.by_ref().zip(y).map(|(a, b)| a * b).sum::<f64>();
        sum += all.next().unwrap_or(0.5);
        let mut all = x.iter().map(|v| take(*v));
        for (a, b) in all.by_ref().zip(y) {
            sum += a * b;
        }
        sum += all.next().unwrap_or(0.5);
    }
    of_slices {
        sum += take(0.5);
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
    }
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

/// What std asks again at the end of such a chain is not followed: it is an error, not another value.
#[test]
fn ends_that_are_not_known_are_errors() {
    let ctx = Context::default();
    let rule = ctx.build_rrule::<stepped>().unwrap();
    let error = rule.value_and_gradient((X, Y)).unwrap_err().to_string();
    assert!(error.contains("cannot tell how often"), "{error}");
    let rule = ctx.build_rrule::<stepped_alone>().unwrap();
    assert_eq!(
        rule.value_and_gradient((X, Y)).unwrap().0,
        stepped_alone(X, Y)
    );
}

/// A vector that is not borrowed for sure: what is skipped runs in turn only.
#[test]
fn what_is_skipped_where_nothing_is_left_is_an_error() {
    let ctx = Context::default();
    let rule = ctx.build_rrule::<skipped_of_vectors>().unwrap();
    for (n, m) in [(5, 5), (4, 5), (0, 3), (0, 0)] {
        let (x, y) = (&X[..n], &Y[..m]);
        let value = skipped_of_vectors(x, y);
        assert_eq!(rule.value_and_gradient((x, y)).unwrap().0, value);
    }
    let error = rule.value_and_gradient((X, &Y[..3])).unwrap_err();
    assert!(
        error.to_string().contains("cannot tell how often"),
        "{error}"
    );
}

counting! { |x, y, take, sum|
    skipped_of_vectors {
        for (a, b) in x
            .to_vec()
            .into_iter()
            .zip(y.iter().map(|v| take(*v)).skip(3))
        {
            sum += a * b;
        }
    }
    stepped {
        let zips = x
            .chunks(2)
            .flat_map(|c| c.iter().map(|v| take(*v)).zip(y.iter().take(3)).skip(2));
        sum += zips
            .chain([(0.5, &y[0])])
            .step_by(2)
            .map(|(a, b)| a * b)
            .sum::<f64>();
    }
    stepped_alone {
        let zips = x.iter().map(|v| take(*v)).zip(y).skip(2);
        sum += zips
            .chain([(0.5, &y[0])])
            .step_by(2)
            .map(|(a, b)| a * b)
            .sum::<f64>();
    }
}
