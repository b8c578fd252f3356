//! Minimisers of argmin: L-BFGS with gradients, and Newton's method in a trust region, whose steps come from conjugate gradients (Steihaug 1983). These
//! ask for the Hessian only as a product with a vector, so no Hessian is ever made.
//!
//!     cargo run --release --manifest-path examples/clients/Cargo.toml --bin optimise

use argmin::core::{CostFunction, Error, Executor, Gradient, Hessian, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use argmin::solver::trustregion::{Steihaug, TrustRegion};
use argmin_math::ArgminDot;
use mooncake::Hvp;
use mooncake::prelude::*;

/// Rosenbrock's function: its minimum is 0, where all variables are 1.
#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let (a, b) = (1.0 - x[i], x[i + 1] - x[i] * x[i]);
        sum += a * a + 100.0 * b * b;
    }
    sum
}

/// What argmin minimises.
struct Problem {
    rule: RRule<rosenbrock>,
    products: Hvp<rosenbrock>,
}

impl CostFunction for Problem {
    type Param = Vec<f64>;
    type Output = f64;
    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        Ok(self.rule.value((&x[..],))?)
    }
}

impl Gradient for Problem {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;
    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let (_, (gradient,)) = self.rule.value_and_gradient((&x[..],))?;
        Ok(gradient)
    }
}

impl Hessian for Problem {
    type Param = Vec<f64>;
    type Hessian = Curvature;
    fn hessian(&self, x: &Vec<f64>) -> Result<Curvature, Error> {
        Ok(Curvature {
            products: self.products.clone(),
            at: x.clone(),
        })
    }
}

/// The Hessian at a point, as what it does to vectors.
#[derive(Clone)]
struct Curvature {
    products: Hvp<rosenbrock>,
    at: Vec<f64>,
}

impl ArgminDot<Vec<f64>, Vec<f64>> for Curvature {
    fn dot(&self, direction: &Vec<f64>) -> Vec<f64> {
        let (at, direction) = ((&self.at[..],), (&direction[..],));
        match self.products.value_gradient_and_hvp(at, direction) {
            Ok((_, _, (product,))) => product,
            // argmin has no place for an error here; it ends where numbers are none.
            Err(_) => vec![f64::NAN; self.at.len()],
        }
    }
}

fn main() -> Result<(), Error> {
    let ctx = Context::builder().device(Device::cpu()).build()?;
    let problem = || -> Result<Problem, Error> {
        Ok(Problem {
            rule: ctx.build_rrule::<rosenbrock>()?,
            products: ctx.build_hvp::<rosenbrock>()?,
        })
    };
    let start = vec![0.0; 100];

    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 10);
    let found = Executor::new(problem()?, solver)
        .configure(|state| {
            state
                .param(start.clone())
                .max_iters(1000)
                .target_cost(1e-12)
        })
        .run()?;
    report(
        "L-BFGS",
        found.state().get_iter(),
        found.state().get_best_cost(),
    )?;

    let solver = TrustRegion::new(Steihaug::new().with_max_iters(50));
    let found = Executor::new(problem()?, solver)
        .configure(|state| state.param(start).max_iters(1000).target_cost(1e-12))
        .run()?;
    let (iterations, cost) = (found.state().get_iter(), found.state().get_best_cost());
    report("Newton's method in a trust region", iterations, cost)
}

fn report(method: &str, iterations: u64, cost: f64) -> Result<(), Error> {
    println!("{method}: {cost:.3e} after {iterations} iterations");
    match cost < 1e-8 {
        true => Ok(()),
        false => Err(Error::msg(format!("{method} has not found the minimum"))),
    }
}
