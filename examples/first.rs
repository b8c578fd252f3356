//! The first program: the gradient of a loop, its derivative along a direction, its Hessian.
//!
//!     cargo run --example first

use mooncake::prelude::*;

#[differentiable]
fn f(x: &[f64], a: f64) -> f64 {
    let mut s = 0.0;
    for n in 0..x.len() {
        s += (a * x[n]).exp().cos();
    }
    s
}

fn main() -> mooncake::Result<()> {
    let ctx = Context::default();
    let rule = ctx.build_rrule::<f>()?;
    let x = vec![0.1, 0.2, 0.3];

    let (y, (dx, da)) = rule.value_and_gradient((&x, 2.0))?;
    println!("f = {y}\n∂f/∂x = {dx:?}\n∂f/∂a = {da}");
    assert_eq!(y, f(&x, 2.0));

    // The same into memory of ours, as a training loop would do it.
    let (mut dx, mut da) = (vec![0.0; 3], 0.0);
    let y = rule.value_and_gradient_into((&x, 2.0), (&mut dx, &mut da))?;
    println!("again: f = {y}, ∂f/∂x = {dx:?}, ∂f/∂a = {da}");

    // Any cotangent, not just 1.
    let (y, pullback) = rule.value_and_pullback((&x, 2.0))?;
    println!("f = {y}; pulled back from 3: {:?}", pullback(3.0));

    // Along a direction: x₀ moves, the rest does not.
    let frule = ctx.build_frule::<f>()?;
    let (_, dy) = frule.value_and_derivative((&x, 2.0), (&[1.0, 0.0, 0.0], ()))?;
    println!("∂f/∂x₀ = {dy}");

    // Second derivatives: along a direction, and all of them.
    let hvp = ctx.build_hvp::<f>()?;
    let (_, _, hv) = hvp.value_gradient_and_hvp((&x, 2.0), (&[1.0, 0.0, 0.0], 0.5))?;
    let (_, _, h) = ctx.value_gradient_and_hessian::<f>((&x, 2.0))?;
    let (_, jac) = ctx.value_and_jacobian::<f>((&x, 2.0))?;
    println!("H v = {hv:?}\nH = {h:?}\nJ = {jac:?}");

    println!("\nWhat was compiled:\n{}", ctx.primal_ir::<f>()?);
    Ok(())
}
