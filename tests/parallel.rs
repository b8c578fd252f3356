//! Iterations that threads share: `par_sum`, `par_map`, `par_for`.

use mooncake::prelude::*;
use mooncake::{Const, Error};
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

#[differentiable]
fn density(shards: &[usize], data: &[f64], mean: f64, scale: f64) -> f64 {
    let sum = par_sum(shards, |&shard| {
        let mut sum = 0.0;
        for i in shard * 10..shard * 10 + 10 {
            let z = (data[i] - mean) / scale;
            sum += -0.5 * z * z - scale.ln();
        }
        sum
    });
    sum - mean * mean
}

/// The same without threads.
#[differentiable]
fn density_in_order(shards: &[usize], data: &[f64], mean: f64, scale: f64) -> f64 {
    let mut sum = 0.0;
    for &shard in shards {
        for i in shard * 10..shard * 10 + 10 {
            let z = (data[i] - mean) / scale;
            sum += -0.5 * z * z - scale.ln();
        }
    }
    sum - mean * mean
}

#[differentiable]
fn products(x: &[f64], w: &[f64]) -> f64 {
    let total = par_sum(x, |v| {
        let mut product = 1.0;
        for (k, w) in w.iter().enumerate() {
            if *w > 0.0 {
                product *= (w * v).sin() + k as f64;
            } else {
                product -= v;
            }
        }
        product
    });
    total * total
}

#[differentiable]
fn single(x: &[f32], a: f32) -> f32 {
    let half = 0.5;
    par_sum(x, |v| (v * a).tanh() * half)
}

/// A float of one type is captured where the sum is of the other.
#[differentiable]
fn mixed(x: &[f64], w: &[f32], a: f32) -> f64 {
    par_sum(x, |v| (v * (a * w[0]) as f64).sin())
}

#[differentiable]
fn mapped(x: &[f64], w: &[f64]) -> f64 {
    let y = par_map(x, |v| {
        let mut z = *v;
        for w in w {
            z = (z * w).sin() + v;
        }
        z
    });
    let mut sum = 0.0;
    for i in 0..y.len() {
        sum += y[i] * y[y.len() - 1 - i];
    }
    sum
}

#[differentiable]
fn changed(x: &mut [f64], by: f64, w: &[f64]) -> f64 {
    let before = x[0];
    par_for(x, |i, v| *v = (*v * by).sin() * w[i % w.len()] * *v);
    par_for(x, |i, v| *v += by * i as f64);
    before * x.iter().sum::<f64>()
}

/// The elements, and the slice that they are of.
#[differentiable]
fn against_the_first(x: &[f64]) -> f64 {
    par_sum(x, |v| v * x[0] * x[x.len() - 1])
}

/// What is made by the program itself.
#[differentiable]
fn of_locals(a: f64, n: usize) -> f64 {
    let mut x = vec![a; n];
    for i in 1..n {
        x[i] = x[i - 1] * 0.9 + a;
    }
    let squares = par_map(&x, |v| v * v);
    x[0] = 2.0;
    par_sum(&squares, |v| (v * a).cos()) + par_sum(&x, |v| v.sqrt())
}

#[differentiable]
fn nested(x: &[f64], w: &[f64]) -> f64 {
    par_sum(x, |v| {
        let inner = par_map(w, |w| (w * v).sin());
        par_sum(&inner, |u| u * u * v) + par_sum(w, |u| u * v)
    })
}

#[differentiable]
fn recursive(x: &[f64], depth: usize) -> f64 {
    if depth == 0 {
        par_sum(x, |v| v.sin())
    } else {
        par_sum(x, |v| v * recursive(x, depth - 1) * 0.01) + recursive(&x[1..], depth - 1)
    }
}

#[differentiable]
fn in_a_loop(x: &[f64], a: f64) -> f64 {
    let mut y = a;
    let mut n = 0;
    while y < 30.0 && n < 9 {
        y += par_sum(x, |v| (v * y).sin().abs()) * 0.1;
        n += 1;
    }
    y
}

/// The pullback of `par_map` runs the iterations a second time, and pushes onto the tape. What the reverse of the loop around it reads after that must still be what the
/// loop has kept.
#[differentiable]
fn in_a_search(x: &[f64], a: f64) -> f64 {
    let mut y = a;
    let mut n = 0;
    while n < 5 {
        let p = (y * a).exp();
        let w = p.sin();
        let mapped = par_map(x, |v| {
            let mut z = v * w;
            let mut k = 0;
            while z < 4.0 && k < 6 {
                z = z.exp() * 0.7 + w;
                k += 1;
            }
            z.sin()
        });
        y = w.cos() + 0.1 * mapped[n] * mapped[0];
        n += 1;
        if y > 20.0 {
            return w;
        }
    }
    y
}

#[differentiable]
fn of_rows(rows: &[[f64; 3]], pairs: &[(f64, f64)], a: f64) -> f64 {
    let sizes = par_map(rows, |row| row[0] * row[1] + row[2] * a);
    par_sum(pairs, |(x, y)| x * y * a) + par_sum(&sizes, |s| s.sin())
}

#[differentiable]
fn of_vectors(rows: &[Vec<f64>], a: f64) -> f64 {
    let doubled = par_map(rows, |row| row.iter().map(|v| v * a).collect::<Vec<f64>>());
    par_sum(&doubled, |row| row.iter().sum::<f64>().sin())
}

#[differentiable]
fn of_integers(x: &[f64], n: &[i32]) -> f64 {
    let squares = par_map(n, |n| n * n);
    let mut sum = 0.0;
    for (v, n) in x.iter().zip(&squares) {
        sum += v * *n as f64;
    }
    sum
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * 0.37).sin() + 0.1).collect()
}

fn shards(n: usize) -> Vec<usize> {
    (0..n).collect()
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(work)
}

/// Value and gradient with as many threads, all of it as bits.
macro_rules! same_on_all_threads {
    ($($f:ident($($arg:expr),*);)*) => {$({
        let rule = Context::default().build_rrule::<$f>().unwrap();
        let run = || format!("{:?}", rule.value_and_gradient(($($arg,)*)).unwrap());
        let expected = run();
        for threads in [1, 2, 3, 8] {
            for _ in 0..3 {
                assert_eq!(on_threads(threads, run), expected, "{} on {threads}", stringify!($f));
            }
        }
    })*};
}

#[test]
fn results_do_not_depend_on_threads() {
    let (x, w) = (&numbers(1000)[..], &numbers(40)[..]);
    same_on_all_threads! {
        density(&shards(640), &numbers(6400), 0.3, 1.2);
        products(x, w);
        mapped(x, w);
        against_the_first(x);
        nested(&x[..100], w);
        recursive(&x[..9], 2);
        of_locals(0.7, 500);
        in_a_loop(x, 1.5);
    }
}

#[test]
fn values_are_those_of_the_native_function() {
    let ctx = Context::default();
    let (x, w) = (&numbers(1003)[..], &numbers(40)[..]);
    for n in [0, 1, 2, 63, 64, 65, 128, 129, 1003] {
        let rule = ctx.build_rrule::<products>().unwrap();
        let (y, _) = rule.value_and_gradient((&x[..n], w)).unwrap();
        assert_eq!(y.to_bits(), products(&x[..n], w).to_bits(), "{n}");
        assert_eq!(
            y.to_bits(),
            rule.value((&x[..n], w)).unwrap().to_bits(),
            "{n}"
        );
        let rule = ctx.build_rrule::<mapped>().unwrap();
        let (y, _) = rule.value_and_gradient((&x[..n], w)).unwrap();
        assert_eq!(y.to_bits(), mapped(&x[..n], w).to_bits(), "{n}");
    }
    let rule = ctx.build_rrule::<single>().unwrap();
    let x: Vec<f32> = x.iter().map(|&v| v as f32).collect();
    let (y, _) = rule.value_and_gradient((&x, 0.8)).unwrap();
    assert_eq!(y.to_bits(), single(&x, 0.8).to_bits());
}

#[test]
fn gradients_are_those_without_threads() {
    let ctx = Context::default();
    // So much data that the copies of its shadow are several blocks.
    let (shards, data) = (shards(640), numbers(6400));
    let args = (&shards[..], &data[..], 0.3, 1.2);
    let (y, (.., data_one, mean_one, scale_one)) = {
        let rule = ctx.build_rrule::<density_in_order>().unwrap();
        rule.value_and_gradient(args).unwrap()
    };
    let rule = ctx.build_rrule::<density>().unwrap();
    let (z, (.., data, mean, scale)) = rule.value_and_gradient(args).unwrap();
    let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-12 * a.abs().max(1.0), "{a} {b}");
    close(y, z);
    close(mean_one, mean);
    close(scale_one, scale);
    data_one.iter().zip(&data).for_each(|(&a, &b)| close(a, b));
}

/// Against differences and forward mode, in both modes of reverse, twice, with the memory restored.
#[test]
fn derivatives_are_right() {
    let ctx = Context::default();
    let (x, w) = (&numbers(9)[..], &numbers(3)[..]);
    test_rule::<single>(&ctx, (&[0.5f32, -0.25, 0.75], 0.8)).unwrap();
    test_rule::<mixed>(&ctx, (x, &[0.5f32], 0.8)).unwrap();
    test_rule::<against_the_first>(&ctx, (x,)).unwrap();
    test_rule::<of_locals>(&ctx, (0.7, 9)).unwrap();
    test_rule::<nested>(&ctx, (&x[..6], w)).unwrap();
    test_rule::<recursive>(&ctx, (&x[..3], 1)).unwrap();
    test_rule::<in_a_loop>(&ctx, (x, 1.5)).unwrap();
    test_rule::<in_a_search>(&ctx, (x, 0.4)).unwrap();
    let rows = &[[0.5, 1.5, 2.5], [1.0, 2.0, 3.0]];
    test_rule::<of_rows>(&ctx, (rows, &[(1.0, 2.0), (0.5, 0.25)], 0.7)).unwrap();
    test_rule::<of_vectors>(&ctx, (&[vec![0.5, 1.5], vec![], vec![2.0]], 0.7)).unwrap();
    test_rule::<of_integers>(&ctx, (&[0.5, 1.5], &[2, -3])).unwrap();
    test_rule::<of_arrays>(&ctx, (&[0.5, 1.5], 0.7)).unwrap();
}

#[test]
fn derivatives_are_right_in_every_kind_of_context() {
    for ctx in [
        Context::default(),
        Context::builder().debug(true).build().unwrap(),
        Context::builder().minimal().build().unwrap(),
    ] {
        let (x, w) = (&numbers(9)[..], &numbers(3)[..]);
        test_rule::<density>(&ctx, (&shards(3), &numbers(30), 0.3, 1.2)).unwrap();
        test_rule::<products>(&ctx, (x, w)).unwrap();
        test_rule::<mapped>(&ctx, (x, w)).unwrap();
        test_rule::<changed>(&ctx, (&mut numbers(9), 0.8, w)).unwrap();
    }
}

#[test]
fn products_with_hessians_are_the_derivative_of_the_gradient() {
    let ctx = Context::default();
    let (x, w) = (numbers(70), numbers(5));
    let (v, u) = (numbers(75)[5..].to_vec(), numbers(9)[4..].to_vec());
    let hvp = ctx.build_hvp::<products>().unwrap();
    let (.., (hx, hw)) = hvp.value_gradient_and_hvp((&x, &w), (&v, &u)).unwrap();
    let rule = ctx.build_rrule::<products>().unwrap();
    let step = 1e-6;
    let at = |sign: f64| {
        let moved = |x: &[f64], v: &[f64]| -> Vec<f64> {
            x.iter().zip(v).map(|(x, v)| x + sign * step * v).collect()
        };
        rule.value_and_gradient((&moved(&x, &v), &moved(&w, &u)))
            .unwrap()
            .1
    };
    let (after, before) = (at(1.0), at(-1.0));
    let close = |h: &[f64], a: &[f64], b: &[f64]| {
        for ((h, a), b) in h.iter().zip(a).zip(b) {
            let difference = (a - b) / (2.0 * step);
            assert!(
                (h - difference).abs() < 1e-5 * difference.abs().max(1.0),
                "{h} {difference}"
            );
        }
    };
    close(&hx, &after.0, &before.0);
    close(&hw, &after.1, &before.1);
}

/// A gradient of a program that shares iterations, inside a program.
#[differentiable]
fn slope(x: &[f64], a: f64) -> f64 {
    mooncake::gradient(|a: f64| par_sum(x, |v| (v * a).sin() * v), a)
}

#[test]
fn programs_may_take_the_derivatives_of_such_functions() {
    let ctx = Context::default();
    test_rule::<slope>(&ctx, (&numbers(70), 0.7)).unwrap();
}

static SEEN: Mutex<Vec<ThreadId>> = Mutex::new(Vec::new());
static EXPECTED: AtomicUsize = AtomicUsize::new(1);

/// Notes which thread calls. From the second call on it waits a while for as many threads as are expected.
#[differentiable(rrule = watched_rrule)]
fn watched(x: f64) -> f64 {
    SEEN.lock().unwrap().push(thread::current().id());
    let begin = Instant::now();
    while seen() < EXPECTED.load(Ordering::Relaxed)
        && SEEN.lock().unwrap().len() > 1
        && begin.elapsed() < Duration::from_secs(20)
    {
        thread::sleep(Duration::from_millis(1));
    }
    // So much work that help is asked for.
    thread::sleep(Duration::from_millis(1));
    x * x
}

/// How many threads have called.
fn seen() -> usize {
    let all: HashSet<ThreadId> = SEEN.lock().unwrap().iter().copied().collect();
    all.len()
}

fn watched_rrule(x: f64) -> (f64, impl FnOnce(f64) -> f64 + use<>) {
    (watched(x), move |dy| dy * 2.0 * x)
}

#[differentiable]
fn watched_sum(x: &[f64], a: f64) -> f64 {
    par_sum(x, |v| watched(*v) * a)
}

#[differentiable]
fn watched_map(x: &[f64], a: f64) -> f64 {
    par_map(x, |v| watched(*v) * a).iter().sum()
}

#[differentiable]
fn watched_for(x: &mut [f64], a: f64) -> f64 {
    par_for(x, |_, v| *v = watched(*v) * a);
    x.iter().sum()
}

#[test]
fn several_threads_run() {
    let ctx = Context::default();
    let x = &[1.0, 2.0, 3.0][..];
    let (sum, map, each) = (
        ctx.build_rrule::<watched_sum>().unwrap(),
        ctx.build_rrule::<watched_map>().unwrap(),
        ctx.build_rrule::<watched_for>().unwrap(),
    );
    for threads in [2, 1] {
        EXPECTED.store(threads, Ordering::Relaxed);
        let check = || {
            assert_eq!(seen(), threads);
            SEEN.lock().unwrap().clear();
        };
        on_threads(threads, || {
            assert_eq!(sum.value((x, 2.0)).unwrap(), 28.0);
            check();
            let expected = (28.0, (vec![4.0, 8.0, 12.0], 14.0));
            assert_eq!(sum.value_and_gradient((x, 2.0)).unwrap(), expected);
            check();
            assert_eq!(map.value((x, 2.0)).unwrap(), 28.0);
            check();
            assert_eq!(map.value_and_gradient((x, 2.0)).unwrap(), expected);
            check();
            assert_eq!(each.value((&mut x.to_vec(), 2.0)).unwrap(), 28.0);
            check();
            let found = each.value_and_gradient((&mut x.to_vec(), 2.0)).unwrap();
            assert_eq!(found.0, 28.0);
            check();
        });
    }
}

/// What threads share is the gradient, its dual and the dual of the function, not the function alone.
#[test]
fn every_mode_is_shared() {
    let ctx = Context::default();
    let shared = |text: String| text.matches("parallel(from, to, ").count();
    assert_eq!(shared(ctx.primal_ir::<products>().unwrap()), 1);
    assert_eq!(shared(ctx.dual_ir::<products>().unwrap()), 1);
    // One that notes what it adds to, for long slices, and one that does not.
    assert_eq!(shared(ctx.reverse_ir::<products>().unwrap()), 2);
    // What several threads cannot run, in order.
    assert_eq!(shared(ctx.primal_ir::<of_rows>().unwrap()), 1);
    assert_eq!(shared(ctx.primal_ir::<of_arrays>().unwrap()), 0);
    assert_eq!(shared(ctx.primal_ir::<recursive>().unwrap()), 1);
}

/// Iterations that work with arrays run in order.
#[differentiable]
fn of_arrays(x: &[f64], a: f64) -> f64 {
    par_sum(x, |v| Array::full([3], *v).map(|u| u * a).sum().to_scalar())
}

#[differentiable]
fn reads_beyond(at: &[usize], x: &[f64]) -> f64 {
    par_sum(at, |&i| {
        let mut y = x[i];
        for _ in 0..1000 {
            y = y.sin() + x[i];
        }
        y
    })
}

#[differentiable]
fn counts_beyond(at: &[usize], x: &[f64]) -> f64 {
    par_map(at, |&i| x[0] * ((i - 3) as f64).sin()).iter().sum()
}

#[differentiable]
fn panics(x: &mut [f64], a: f64) -> f64 {
    par_for(x, |i, v| {
        if i == 500 {
            panic!("five hundred");
        }
        assert!(i != 600, "six hundred");
        *v *= a;
    });
    x[0]
}

#[test]
fn faults_are_those_of_the_first_iteration() {
    let ctx = Context::default();
    let mut at = vec![1; 1000];
    (at[300], at[500], at[999]) = (7, 9, 8);
    let x = numbers(5);
    let fault = |error: Error| error.to_string();
    let text = |threads: usize| {
        on_threads(threads, || {
            let rule = ctx.build_rrule::<reads_beyond>().unwrap();
            let one = fault(rule.value_and_gradient((&at, &x)).unwrap_err());
            assert_eq!(fault(rule.value((&at, &x)).unwrap_err()), one);
            let rule = ctx.build_rrule::<counts_beyond>().unwrap();
            let two = fault(rule.value_and_gradient((&at, &x)).unwrap_err());
            let rule = ctx.build_rrule::<panics>().unwrap();
            let three = fault(
                rule.value_and_gradient((&mut numbers(1000), 2.0))
                    .unwrap_err(),
            );
            // The rules work as before.
            let y = ctx.build_rrule::<panics>().unwrap();
            let y = y.value_and_gradient((&mut numbers(100), 2.0)).unwrap();
            assert_eq!(y.1.1, numbers(1)[0]);
            [one, two, three]
        })
    };
    let expected = text(1);
    assert!(
        expected[0].contains("the len is 5 but the index is 7"),
        "{}",
        expected[0]
    );
    assert!(
        expected[1].contains("attempt to subtract with overflow"),
        "{}",
        expected[1]
    );
    assert!(expected[2].contains("five hundred"), "{}", expected[2]);
    for threads in [2, 3, 8] {
        for _ in 0..5 {
            assert_eq!(text(threads), expected);
        }
    }
}

#[test]
fn constants_have_no_gradient() {
    let rule = Context::default().build_rrule::<density>().unwrap();
    let (shards, data) = (shards(64), numbers(640));
    let args = (&shards[..], Const(&data[..]), 0.3, Const(1.2));
    let (y, (.., (), mean, ())) = rule.value_and_gradient(args).unwrap();
    let all = rule
        .value_and_gradient((&shards[..], &data[..], 0.3, 1.2))
        .unwrap();
    assert_eq!((y, mean), (all.0, all.1.2));
}

#[test]
fn many_threads_may_call() {
    let rule = Context::default().build_rrule::<products>().unwrap();
    let (x, w) = (numbers(1000), numbers(40));
    let expected = rule.value_and_gradient((&x, &w)).unwrap();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..10 {
                    assert_eq!(rule.value_and_gradient((&x, &w)).unwrap(), expected);
                }
            });
        }
    });
}
