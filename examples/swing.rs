//! Learns the energy of a swing from its motion.
//!
//! What is measured is an angle every few hundredths of a second, with errors. The model is an energy: half the momentum squared, and a potential of the
//! angle with unknown coefficients. The forces are its derivatives (`mooncake::gradient` inside the program), the motion follows from Hamilton's equations, and the
//! loss says how far it is from what was measured. Its gradient with respect to the coefficients goes through 400 steps, each with two derivatives.
//!
//! `cargo run --release --example swing`

use mooncake::prelude::*;
use mooncake::{Const, gradient};

const STEP: f64 = 0.02;
/// Angles are measured once in so many steps.
const EVERY: usize = 5;
const MEASURED: usize = 80;

/// The energy: of a pendulum 1 − cos q is q²/2 − q⁴/24 + q⁶/720 − …
#[differentiable]
fn energy(q: f64, p: f64, c: &[f64]) -> f64 {
    let square = q * q;
    let mut potential = 0.0;
    for i in (0..c.len()).rev() {
        potential = (potential + c[i]) * square;
    }
    0.5 * p * p + potential
}

/// The mean square of the differences between the model's motion and what was measured.
#[differentiable]
fn loss(c: &[f64], angles: &[f64]) -> f64 {
    let (mut q, mut p) = (angles[0], 0.0);
    let mut sum = 0.0;
    for angle in angles {
        let error = q - angle;
        sum += error * error;
        for _ in 0..EVERY {
            p -= STEP * gradient(|q| energy(q, p, c), q);
            q += STEP * gradient(|p| energy(q, p, c), p);
        }
    }
    sum / angles.len() as f64
}

/// What is measured: a real pendulum, pushed to an angle of 2, and errors of about a hundredth.
fn measure() -> Vec<f64> {
    let (mut q, mut p) = (2.0f64, 0.0);
    let mut random = mooncake::tangents::normal(7);
    (0..MEASURED)
        .map(|n| {
            let angle = q + if n == 0 { 0.0 } else { 0.01 * random() };
            for _ in 0..EVERY {
                p -= STEP * q.sin();
                q += STEP * p;
            }
            angle
        })
        .collect()
}

fn main() -> mooncake::Result<()> {
    let angles = measure();
    let ctx = Context::builder().device(Device::cpu()).build()?;
    let rule = ctx.build_rrule::<loss>()?;
    // A spring, to begin with.
    let mut c = [0.4, 0.0, 0.0];
    let say = |step: usize, value: f64| {
        println!("step {step:4}  mean error of the angle {:.4}", value.sqrt());
    };
    // Adam (Kingma and Ba 2014) comes near,
    let rates = [1e-2, 2e-3, 2e-4];
    let (mut mean, mut square) = ([0.0; 3], [0.0; 3]);
    for step in 1..=1000 {
        let (value, (slope, ())) = rule.value_and_gradient((&c, Const(&angles)))?;
        for i in 0..3 {
            mean[i] = 0.9 * mean[i] + 0.1 * slope[i];
            square[i] = 0.999 * square[i] + 0.001 * slope[i] * slope[i];
            let mean = mean[i] / (1.0 - 0.9f64.powi(step));
            let square = square[i] / (1.0 - 0.999f64.powi(step));
            c[i] -= rates[i] * mean / (square.sqrt() + 1e-12);
        }
        if step == 1 || step % 250 == 0 {
            say(step as usize, value);
        }
    }
    // and Newton's method finds the place: the Hessian of a program that takes derivatives itself.
    let hvp = ctx.build_hvp::<loss>()?;
    for step in 1001..=1006 {
        let (mut value, mut gradient, mut hessian) = (0.0, Vec::new(), Vec::new());
        for i in 0..3 {
            let mut unit = [0.0; 3];
            unit[i] = 1.0;
            let args = (&c, Const(&angles));
            let (y, (slope, ()), (product, ())) = hvp.value_gradient_and_hvp(args, (&unit, ()))?;
            (value, gradient) = (y, slope);
            hessian.extend(product);
        }
        say(step, value);
        let hessian = Array::from_vec(hessian, [3, 3]);
        let change = hessian.solve(&Array::from_vec(gradient, [3])).to_vec()?;
        for i in 0..3 {
            c[i] -= change[i];
        }
    }
    println!("\nangle  potential learned  of a pendulum");
    for n in 0..=4 {
        let q = 0.5 * n as f64;
        println!(
            "{q:5.1}  {:17.4}  {:13.4}",
            energy(q, 0.0, &c),
            1.0 - q.cos()
        );
    }
    Ok(())
}
