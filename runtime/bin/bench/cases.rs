//! The functions that are measured. The first two are those of the Mooncake talk.

#![allow(
    clippy::needless_range_loop,
    reason = "the functions are written as those that others have measured"
)]

use super::Case;
use super::long::long;
use super::loops::{kron_sum, large_block, logreg, lv_rk4, mlp, wave};
use super::measure::{Row, Task, builder, context, measure, milliseconds};
use super::small::{
    Mass, kalman4, mat2_by_reference, mat2_by_value, mat2_generic, mat2_indexed, slice_of_lists,
    slice_of_structs, small_list, small_struct, state_by_value,
};
use super::stages::stages;
use mooncake::Const;
use mooncake::prelude::*;
use std::hint::black_box;

#[differentiable]
fn sum_cos_exp(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for n in 0..x.len() {
        s += x[n].exp().cos();
    }
    s
}

#[differentiable]
fn sum_5x(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for n in 0..x.len() {
        s += 5.0 * x[n];
    }
    s
}

#[differentiable]
fn sum_sin(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for n in 0..x.len() {
        s += x[n].sin();
    }
    s
}

/// Neighbouring windows have an element in common.
#[differentiable]
fn windows(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for pair in x.windows(2) {
        sum += pair[0] * pair[1];
    }
    sum
}

/// Powers by constants, which are products.
#[differentiable]
fn sum_powi(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for n in 0..x.len() {
        s += x[n].powi(2) + x[n].powi(3);
    }
    s
}

/// The sine of the pack, by its address.
mod of_pack {
    use mooncake::prelude::*;

    #[differentiable]
    #[pack = "std"]
    extern "pack" {
        pub fn sin(x: f64) -> f64;
    }
}

#[differentiable]
fn sum_sin_of_pack(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for n in 0..x.len() {
        s += of_pack::sin(x[n]);
    }
    s
}

#[differentiable]
fn map_sin_cos_exp(x: &[f64], y: &mut [f64]) -> f64 {
    for i in 0..x.len() {
        y[i] = x[i].exp().cos().sin();
    }
    let mut s = 0.0;
    for i in 0..y.len() {
        s += y[i];
    }
    s
}

#[differentiable]
fn branchy(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let v = x[i];
        if v > 0.0 {
            if v > 1.0 {
                s += v.ln();
            } else {
                s += v * v;
            }
        } else if v > -1.0 {
            s += v.sin() * v;
        } else {
            s += v * v * v;
        }
    }
    s
}

#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() - 1 {
        let a = 1.0 - x[i];
        let b = x[i + 1] - x[i] * x[i];
        s += a * a + 100.0 * b * b;
    }
    s
}

#[differentiable]
fn for_loop_sin(x: f64) -> f64 {
    let mut y = x;
    for _ in 0..500 {
        y = y.sin();
    }
    y
}

/// The energy of a swing with a spring.
#[differentiable]
fn energy(q: f64, p: f64, k: &[f64]) -> f64 {
    0.5 * p * p + k[0] * (1.0 - q.cos()) + k[1] * k[1] * q * q * q * q
}

/// Where it is after some steps of Hamilton's equations, of which the program takes the derivatives.
#[differentiable]
fn leapfrog(k: &[f64]) -> f64 {
    let (mut q, mut p) = (1.0, 0.0);
    for _ in 0..1000 {
        p -= 0.01 * mooncake::gradient(|q| energy(q, p, k), q);
        q += 0.01 * mooncake::gradient(|p| energy(q, p, k), p);
    }
    q
}

/// The same with derivatives that are written by hand.
fn leapfrog_by_hand(k: &[f64]) -> f64 {
    let (mut q, mut p) = (1.0f64, 0.0);
    for _ in 0..1000 {
        p -= 0.01 * (k[0] * q.sin() + 4.0 * k[1] * k[1] * q * q * q);
        q += 0.01 * p;
    }
    q
}

/// `c = a · b` for `a` of 100 × 30 and `b` of 30 × 50, then the sum of squares.
#[differentiable]
fn matmul(a: &[f64], b: &[f64], c: &mut [f64]) -> f64 {
    for i in 0..100 {
        for j in 0..50 {
            c[i * 50 + j] = 0.0;
            for k in 0..30 {
                c[i * 50 + j] += a[i * 30 + k] * b[k * 50 + j];
            }
        }
    }
    let mut s = 0.0;
    for i in 0..c.len() {
        s += c[i] * c[i];
    }
    s
}

/// Numbers between -2 and 2, the same in every run and in every call: one list for all calls is what the published ratios were
/// measured with. The processor learns by heart which way each of its elements takes through `cos`; with new
/// numbers in each call all contestants slow down by the same nanoseconds, which makes the ratio smaller.
fn inputs(n: usize) -> Vec<f64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        4.0 * ((state >> 11) as f64 / (1_u64 << 53) as f64) - 2.0
    };
    std::iter::repeat_with(next).take(n).collect()
}

/// Defines a benchmark's runner: the function's arguments and the places of its gradient are made from what `let`s set up.
macro_rules! runner {
    ($name:ident, $function:ident, |$case:ident| $setup:tt, $args:tt, $slots:tt) => {
        runner!($name, $function, $function, context, |$case| $setup, $args, $slots);
    };
    ($name:ident, $function:ident, $native:ident, $context:expr, |$case:ident| { $($setup:stmt;)* }, ($($arg:expr),*), ($($slot:expr),*)) => {
        fn $name($case: &Case) -> mooncake::Result<Row> {
            $($setup)*
            let ctx = $context()?;
            let primal = ctx.build_primal::<$function>()?;
            let rule = ctx.build_rrule::<$function>()?;
            measure($case, |task| match task {
                Task::Native => Ok(black_box($native)($(black_box($arg)),*)),
                Task::Primal => primal.call(($(black_box($arg),)*)),
                Task::Gradient => {
                    let (_, stats) =
                        rule.value_gradient_and_stats_into(($(black_box($arg),)*), ($($slot,)*))?;
                    Ok(stats.tape_bytes as f64)
                }
                Task::First => {
                    let fresh = $context()?;
                    milliseconds(|| {
                        let rule = fresh.build_rrule::<$function>()?;
                        rule.value_and_gradient_into(($($arg,)*), ($($slot,)*))
                    })
                }
            })
        }
    };
}

/// A runner of a function of one slice.
macro_rules! slice_runner {
    ($name:ident, $function:ident) => {
        slice_runner!($name, $function, $function);
    };
    ($name:ident, $function:ident, $native:ident) => {
        slice_runner!($name, $function, $native, context);
    };
    ($name:ident, $function:ident, $native:ident, $context:expr) => {
        runner!(
            $name,
            $function,
            $native,
            $context,
            |case| {
                let x = inputs(case.n);
                let mut dx = vec![0.0; case.n];
            },
            (&x),
            (&mut dx)
        );
    };
}

slice_runner!(run_sum_cos_exp, sum_cos_exp);
slice_runner!(run_sum_cos_exp_fast, sum_cos_exp, sum_cos_exp, fast_context);
slice_runner!(run_sum_5x, sum_5x);
slice_runner!(run_sum_sin, sum_sin);
slice_runner!(run_sum_powi, sum_powi);
slice_runner!(run_windows, windows);
slice_runner!(run_sum_sin_of_pack, sum_sin_of_pack);
slice_runner!(run_branchy, branchy);
slice_runner!(run_rosenbrock, rosenbrock);
slice_runner!(run_leapfrog, leapfrog, leapfrog_by_hand);
runner!(
    run_map_sin_cos_exp,
    map_sin_cos_exp,
    |case| {
        let x = inputs(case.n);
        let mut y = vec![0.0; case.n];
        let (mut dx, mut dy) = (y.clone(), y.clone());
    },
    (&x, &mut y),
    (&mut dx, &mut dy)
);
runner!(
    run_for_loop_sin,
    for_loop_sin,
    |case| {
        let x = inputs(1)[0];
        let mut dx = 0.0;
    },
    (x),
    (&mut dx)
);
runner!(
    run_matmul,
    matmul,
    |case| {
        let (a, b) = (inputs(3000), inputs(1500));
        let mut c = vec![0.0; 5000];
        let (mut da, mut db, mut dc) = (vec![0.0; 3000], vec![0.0; 1500], c.clone());
    },
    (&a, &b, &mut c),
    (&mut da, &mut db, &mut dc)
);

runner!(
    run_kron_sum,
    kron_sum,
    |case| {
        let (a, b) = (inputs(400), inputs(1600));
        let mut k = vec![0.0; 640_000];
        let (mut da, mut db, mut dk) = (vec![0.0; 400], vec![0.0; 1600], k.clone());
    },
    (&a, &b, &mut k),
    (&mut da, &mut db, &mut dk)
);
runner!(
    run_mlp,
    mlp,
    |case| {
        let (w1, w2, x, t) = (inputs(2048), inputs(2048), inputs(512), inputs(512));
        let (mut dw1, mut dw2) = (vec![0.0; 2048], vec![0.0; 2048]);
        let (mut dx, mut dt) = (vec![0.0; 512], vec![0.0; 512]);
    },
    (&w1, &w2, &x, &t),
    (&mut dw1, &mut dw2, &mut dx, &mut dt)
);
/// [`logreg`] of data that is constant to the rule.
fn logreg_of_data(w: &[f64], x: Const<&Vec<f64>>, y: Const<&Vec<f64>>) -> f64 {
    logreg(w, x.0, y.0)
}

runner!(
    run_logreg,
    logreg,
    logreg_of_data,
    context,
    |case| {
        let (w, x) = (inputs(11), inputs(10_000));
        let y: Vec<f64> = inputs(1000).iter().map(|&v| f64::from(v > 0.0)).collect();
        let mut dw = vec![0.0; 11];
    },
    (&w, Const(&x), Const(&y)),
    (&mut dw, &mut (), &mut ())
);
runner!(
    run_lv_rk4,
    lv_rk4,
    |case| {
        let (mut du, mut dv) = (0.0, 0.0);
        let (mut da, mut db, mut dc, mut dd) = (0.0, 0.0, 0.0, 0.0);
    },
    (1.0, 1.0, 1.5, 1.0, 3.0, 1.0),
    (&mut du, &mut dv, &mut da, &mut db, &mut dc, &mut dd)
);
runner!(
    run_large_block,
    large_block,
    |case| {
        let (mut dx, mut dy) = (0.0, 0.0);
    },
    (1.01, 0.99),
    (&mut dx, &mut dy)
);

runner!(
    run_long,
    long,
    |case| {
        let (x, w) = (inputs(case.n), inputs(16));
        let mut y = vec![0.5; case.n];
        let (mut dx, mut dw, mut dy) = (vec![0.0; case.n], vec![0.0; 16], vec![0.0; case.n]);
    },
    (&x, &w, &mut y),
    (&mut dx, &mut dw, &mut dy)
);

slice_runner!(run_small_struct, small_struct);
slice_runner!(run_wave, wave);
slice_runner!(run_small_list, small_list);
slice_runner!(run_state_by_value, state_by_value);
slice_runner!(run_mat2_by_value, mat2_by_value);
slice_runner!(run_mat2_by_reference, mat2_by_reference);
slice_runner!(run_mat2_indexed, mat2_indexed);
slice_runner!(run_mat2_generic, mat2_generic);
runner!(
    run_kalman4,
    kalman4,
    |case| {
        let (z, noise) = (inputs(case.n), [0.3, 0.5]);
        let (mut dz, mut dnoise) = (vec![0.0; case.n], vec![0.0; 2]);
    },
    (&z, &noise),
    (&mut dz, &mut dnoise)
);

runner!(
    run_slice_of_structs,
    slice_of_structs,
    |case| {
        let masses: Vec<Mass> = (inputs(case.n).iter())
            .map(|&x| Mass {
                x,
                y: x + 1.0,
                m: 0.5,
            })
            .collect();
        let mut gradient = Vec::new();
    },
    (&masses),
    (&mut gradient)
);
runner!(
    run_slice_of_lists,
    slice_of_lists,
    |case| {
        let pairs: Vec<[f64; 2]> = inputs(case.n).iter().map(|&x| [x, 2.0 - x]).collect();
        let mut gradient = Vec::new();
    },
    (&pairs),
    (&mut gradient)
);

fn at_once() -> mooncake::Result<Context> {
    builder().on_demand_above(usize::MAX).build()
}

/// A runner of `stages` in a context.
macro_rules! stages_runner {
    ($name:ident, $context:expr) => {
        runner!(
            $name,
            stages,
            stages,
            $context,
            |case| {
                let (x, w) = (inputs(case.n), inputs(8));
                let (mut dx, mut dw) = (vec![0.0; case.n], vec![0.0; 8]);
            },
            (&[1, 6, 1], &x, &w),
            (&mut (), &mut dx, &mut dw)
        );
    };
}

stages_runner!(run_stages, context);
stages_runner!(run_stages_at_once, at_once);

/// A context whose elementary functions need not equal those of native Rust bit for bit.
fn fast_context() -> mooncake::Result<Context> {
    builder().fast_math(true).build()
}

/// All benchmarks, in the order in which they are shown.
pub const CASES: &[Case] = &[
    Case {
        name: "sum_cos_exp",
        n: 1024,
        published: "Mooncake.jl 2.15, Enzyme.jl 2.89, Enzyme (C++) 2.1",
        run: run_sum_cos_exp,
    },
    Case {
        name: "sum_cos_exp_fast",
        n: 1024,
        published: "the same with `fast_math`",
        run: run_sum_cos_exp_fast,
    },
    Case {
        name: "sum_5x",
        n: 1024,
        published: "Mooncake.jl 9.99, Enzyme.jl 6.36, Enzyme (C++) 1.4",
        run: run_sum_5x,
    },
    Case {
        name: "sum_sin",
        n: 1000,
        published: "Mooncake.jl 3.58, Enzyme (C++) 2.1, CoDiPack 5.3",
        run: run_sum_sin,
    },
    Case {
        name: "sum_sin_of_pack",
        n: 1000,
        published: "`sum_sin` with the sine declared in `extern \"pack\"`: calls into a pack",
        run: run_sum_sin_of_pack,
    },
    Case {
        name: "sum_powi",
        n: 1000,
        published: "native is products too",
        run: run_sum_powi,
    },
    Case {
        name: "windows",
        n: 1000,
        published: "an index loop costs the same",
        run: run_windows,
    },
    Case {
        name: "map_sin_cos_exp",
        n: 100,
        published: "Enzyme (C++) 2.2, CoDiPack 3.0",
        run: run_map_sin_cos_exp,
    },
    Case {
        name: "branchy",
        n: 1024,
        published: "Enzyme (C++) 2.5, CoDiPack 7.5",
        run: run_branchy,
    },
    Case {
        name: "rosenbrock",
        n: 1000,
        published: "Enzyme (C++) 1.4-2.2, CoDiPack 45",
        run: run_rosenbrock,
    },
    Case {
        name: "leapfrog",
        n: 2,
        published: "a program that takes gradients; native: derivatives by hand",
        run: run_leapfrog,
    },
    Case {
        name: "for_loop_sin",
        n: 1,
        published: "Enzyme (C++) 1.5, CoDiPack 1.6",
        run: run_for_loop_sin,
    },
    Case {
        name: "matmul",
        n: 4500,
        published: "Enzyme (C++) 2.2, CoDiPack 40",
        run: run_matmul,
    },
    Case {
        name: "kron_sum",
        n: 2000,
        published: "Enzyme (C++) 2.6, CoDiPack 21",
        run: run_kron_sum,
    },
    Case {
        name: "mlp",
        n: 5120,
        published: "Enzyme (C++) 3.5, CoDiPack 33",
        run: run_mlp,
    },
    Case {
        name: "logreg",
        n: 11,
        published: "Enzyme (C++) 2.0, CoDiPack 6.3",
        run: run_logreg,
    },
    Case {
        name: "lv_rk4",
        n: 6,
        published: "Enzyme (C++) 2.4, CoDiPack 9.7",
        run: run_lv_rk4,
    },
    Case {
        name: "large_block",
        n: 2,
        published: "Enzyme (C++) 2.5, CoDiPack 24",
        run: run_large_block,
    },
    Case {
        name: "wave",
        n: 2,
        published: "20 steps on 40 × 40 places, in vectors of vectors",
        run: run_wave,
    },
    Case {
        name: "small_struct",
        n: 4,
        published: "100 products of a struct of 3 floats",
        run: run_small_struct,
    },
    Case {
        name: "small_list",
        n: 4,
        published: "100 products of `[f64; 3]`, by loops and `from_fn`",
        run: run_small_list,
    },
    Case {
        name: "state_by_value",
        n: 4,
        published: "a state of 129 floats passed and returned 1,000 times",
        run: run_state_by_value,
    },
    Case {
        name: "mat2_by_value",
        n: 4,
        published: "100 products of `[[f64; 2]; 2]`",
        run: run_mat2_by_value,
    },
    Case {
        name: "mat2_by_reference",
        n: 4,
        published: "the same behind references",
        run: run_mat2_by_reference,
    },
    Case {
        name: "mat2_indexed",
        n: 4,
        published: "the same behind an `Index` and a `Mul`",
        run: run_mat2_indexed,
    },
    Case {
        name: "mat2_generic",
        n: 4,
        published: "the same, const generic, with `map` and `sum`",
        run: run_mat2_generic,
    },
    Case {
        name: "kalman4",
        n: 100,
        published: "50 steps of a const generic filter: bar for the first gradient 100 ms",
        run: run_kalman4,
    },
    Case {
        name: "slice_of_structs",
        n: 1000,
        published: "a loop over structs of 3 floats",
        run: run_slice_of_structs,
    },
    Case {
        name: "slice_of_lists",
        n: 1000,
        published: "a loop over `[f64; 2]`",
        run: run_slice_of_lists,
    },
    Case {
        name: "long",
        n: 20,
        published: "300 lines: bar for the first gradient 50 ms",
        run: run_long,
    },
    Case {
        name: "stages",
        n: 64,
        published: "2 of 8 kinds behind `dyn` run",
        run: run_stages,
    },
    Case {
        name: "stages_at_once",
        n: 64,
        published: "the same with all 8 derived at once",
        run: run_stages_at_once,
    },
];
