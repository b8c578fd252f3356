//! The solver of diffsol on predators and prey (Lotka and Volterra): how the animals of a later time hang on the rates. The solver asks for
//! derivatives of the right-hand side along directions, which a forward rule gives.
//!
//!     cargo run --release --manifest-path examples/clients/Cargo.toml --bin sensitivities

use diffsol::{
    DenseMatrix, MatrixCommon, NalgebraLU, NalgebraMat, OdeBuilder, SensitivitiesOdeSolverMethod,
};
use mooncake::Const;
use mooncake::prelude::*;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;
type Matrix = NalgebraMat<f64>;
type Solver = NalgebraLU<f64>;

/// How fast prey and predators become more: births and deaths of both.
#[differentiable]
fn change(animals: &[f64], rates: &[f64], out: &mut [f64]) {
    let (prey, predators) = (animals[0], animals[1]);
    out[0] = rates[0] * prey - rates[1] * prey * predators;
    out[1] = rates[2] * prey * predators - rates[3] * predators;
}

/// The animals at a time, and their derivatives with respect to each rate.
fn solve(rule: &FRule<change>, rates: [f64; 4], time: f64) -> Outcome<([f64; 2], [[f64; 2]; 4])> {
    // diffsol has no place for errors here; numbers that are none end its steps.
    let along_animals = |x: &[f64], p: &[f64], _: f64, v: &[f64], out: &mut [f64]| {
        let mut value = [0.0; 2];
        out.fill(0.0);
        let args = (x, Const(p), &mut value[..]);
        let done = rule.value_and_derivative(args, (v, (), &mut *out));
        if done.is_err() {
            out.fill(f64::NAN);
        }
    };
    let along_rates = |x: &[f64], p: &[f64], _: f64, v: &[f64], out: &mut [f64]| {
        let mut value = [0.0; 2];
        out.fill(0.0);
        let args = (Const(x), p, &mut value[..]);
        let done = rule.value_and_derivative(args, ((), v, &mut *out));
        if done.is_err() {
            out.fill(f64::NAN);
        }
    };
    let problem = OdeBuilder::<Matrix>::new()
        .p(rates)
        .rtol(1e-9)
        .atol([1e-9, 1e-9])
        .sens_rtol(1e-9)
        .sens_atol([1e-9, 1e-9])
        .rhs_sens_implicit(
            |x: &[f64], p: &[f64], _: f64, out: &mut [f64]| change(x, p, out),
            along_animals,
            along_rates,
        )
        .init_sens(
            |_: &[f64], _: f64, animals: &mut [f64]| animals.copy_from_slice(&[1.0, 0.5]),
            |_: &[f64], _: f64, _: &[f64], moved: &mut [f64]| moved.fill(0.0),
            2,
        )
        .build()?;
    let mut solver = problem.bdf_sens::<Solver>()?;
    let (animals, sensitivities, _) = solver.solve_dense_sensitivities(&[0.0, time])?;
    let last = |matrix: &Matrix| [0, 1].map(|row| matrix.get_index(row, matrix.ncols() - 1));
    let mut moved = [[0.0; 2]; 4];
    for (moved, matrix) in moved.iter_mut().zip(&sensitivities) {
        *moved = last(matrix);
    }
    Ok((last(&animals), moved))
}

fn main() -> Outcome<()> {
    let ctx = Context::builder().device(Device::cpu()).build()?;
    let rule = ctx.build_frule::<change>()?;
    let (rates, time) = ([1.1, 0.4, 0.1, 0.4], 10.0);
    let (animals, moved) = solve(&rule, rates, time)?;
    println!(
        "prey {:.4}, predators {:.4} at {time}",
        animals[0], animals[1]
    );
    let mut worst: f64 = 0.0;
    for (n, name) in [
        "births of prey",
        "prey eaten",
        "births of predators",
        "deaths of predators",
    ]
    .iter()
    .enumerate()
    {
        // By differences of whole solutions.
        let step = 1e-4 * rates[n];
        let [above, below] = [step, -step].map(|step| {
            let mut near = rates;
            near[n] += step;
            solve(&rule, near, time)
        });
        let (above, below) = (above?.0, below?.0);
        let difference = [0, 1].map(|k| (above[k] - below[k]) / (2.0 * step));
        println!(
            "with {name:20} prey {:9.4} predators {:9.4}  (by differences {:9.4} {:9.4})",
            moved[n][0], moved[n][1], difference[0], difference[1]
        );
        for k in 0..2 {
            worst = worst.max((moved[n][k] - difference[k]).abs() / (1.0 + difference[k].abs()));
        }
    }
    match worst < 1e-3 {
        true => Ok(()),
        false => Err(format!("the sensitivities are {worst:.1e} off").into()),
    }
}
