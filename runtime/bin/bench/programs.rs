//! Programs as people write them, with as much data as they have. What a gradient costs beyond the call itself shows here.

#[allow(clippy::all, reason = "they stand as they were brought")]
mod numeric;

use super::Case;
use super::measure::{Task, context, measure, milliseconds};
use numeric::{Network, Op, Vec3};
use std::f64::consts::PI;
use std::hint::black_box;

/// Numbers between `low` and `high` that look irregular.
fn numbers(n: usize, low: f64, high: f64) -> Vec<f64> {
    let fraction = |i: usize| ((i + 1) as f64 * PI * PI).fract();
    (0..n).map(|i| low + (high - low) * fraction(i)).collect()
}

/// Rows of such numbers.
fn table(rows: usize, columns: usize, low: f64, high: f64) -> Vec<Vec<f64>> {
    let all = numbers(rows * columns, low, high);
    all.chunks(columns).map(<[f64]>::to_vec).collect()
}

/// A diagonal that is larger than the rest of its row makes a matrix that can be inverted.
fn dominant(n: usize) -> Vec<Vec<f64>> {
    let mut rows = table(n, n, -1.0, 1.0);
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] += n as f64;
    }
    rows
}

/// One case for each program: its name, how many numbers it takes, its arguments.
macro_rules! programs {
    ($($f:ident, $n:expr, { $($setup:stmt;)* }, ($($arg:expr),*);)*) => {
        /// All programs, in the order in which they are shown.
        pub const PROGRAMS: &[Case] = &[$(Case {
            name: stringify!($f),
            n: $n,
            published: "",
            run: |case| {
                $($setup)*
                let ctx = context()?;
                let primal = ctx.build_primal::<numeric::$f>()?;
                let rule = ctx.build_rrule::<numeric::$f>()?;
                let (_, mut gradient) = rule.value_and_gradient(($($arg,)*))?;
                measure(case, |task| {
                    Ok(match task {
                        Task::Native => {
                            let _ = black_box(numeric::$f($(black_box($arg)),*));
                            0.0
                        }
                        Task::Primal => {
                            let _ = black_box(primal.call(($(black_box($arg),)*))?);
                            0.0
                        }
                        Task::Gradient => {
                            let args = ($(black_box($arg),)*);
                            let (value, stats) = rule.value_gradient_and_stats_into(args, &mut gradient)?;
                            let _ = black_box(value);
                            stats.tape_bytes as f64
                        }
                        Task::First => {
                            let fresh = context()?;
                            milliseconds(|| {
                                let rule = fresh.build_rrule::<numeric::$f>()?;
                                rule.value_and_gradient_into(($($arg,)*), &mut gradient)
                            })?
                        }
                    })
                })
            },
        }),*];
    };
}

programs! {
    pendulum, 3, {}, (0.4, 9.81, 0.3);
    render, 4, {}, (Vec3 { x: 0.1, y: 0.2, z: 3.0 }, 1.0);
    log_likelihood, 1208, {
        let counts = numbers(200, 0.0, 3.0);
        let features = table(200, 5, -1.0, 1.0);
        let beta = numbers(5, -0.5, 0.5);
    }, (&counts, &features, &beta);
    kalman, 102, { let seen = numbers(100, 0.0, 2.0); }, (&seen, 0.2, 0.5);
    alignment, 60, {
        let (a, b) = (numbers(30, 0.0, 3.0), numbers(30, 0.5, 2.0));
    }, (&a, &b);
    root, 2, {}, (2.0, 1.5);
    network, 372, {
        let mut layers = Network::new(3, 16);
        let x = [0.2, -0.4, 0.7];
    }, (&mut layers, &x);
    recurrent, 103, { let inputs = numbers(100, -1.0, 1.0); }, (&inputs, 0.4, -0.6, 0.2);
    solve, 420, {
        let (a, b) = (dominant(20), numbers(20, -1.0, 1.0));
    }, (&a, &b);
    option_price, 5, {}, (100.0, 95.0, 0.02, 0.25, 0.5);
    expression, 1, {}, (1.3);
    graph, 2, {}, (0.7, 0.2);
    springs, 101, {
        let positions = numbers(100, 0.0, 50.0);
        let edges: Vec<(usize, usize)> = (0..200).map(|k| (k % 100, (7 * k + 3) % 100)).collect();
    }, (&positions, &edges, 1.0);
    viterbi, 204, { let seen = table(100, 2, 0.1, 0.9); }, (&seen, [[0.7, 0.3], [0.4, 0.6]]);
    polynomial, 21, { let coefficients = numbers(20, -1.0, 1.0); }, (&coefficients, 0.9);
    quadrature, 1, {}, (0.3);
    tree, 100, { let keys = numbers(100, -1.0, 1.0); }, (&keys);
    adam, 2, {}, (&[0.5, -0.3], 50);
    utility, 100, {
        let (weights, returns) = (numbers(50, 0.0, 1.0), numbers(50, -0.1, 0.2));
    }, (&weights, &returns);
    convolution, 109, {
        let (signal, kernel) = (numbers(100, -1.0, 1.0), numbers(9, 0.0, 0.5));
    }, (&signal, &kernel);
    stack_machine, 51, {
        let program: Vec<Op> = (0..50).flat_map(|k| {
            let last = if k % 3 == 0 { Op::Sin } else { Op::Add };
            [Op::Push(1.0 / f64::from(k + 1)), if k % 2 == 0 { Op::Mul } else { last }]
        }).collect();
    }, (&program, 0.4);
    solids, 1000, {}, (0.5, 0.35, 1000);
    attention, 128, { let tokens = table(16, 8, -1.0, 1.0); }, (&tokens);
}
