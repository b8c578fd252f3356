//! A random program inside `map`: kernels have locals, loops, calls and memory of every kind.

use crate::check::{Args, Case, Program, near};
use crate::emit::Mapped;
use mooncake::{Array, Context, Device, Error};

/// How often the element is in the array. A kernel begins each with fresh memory.
const COPIES: usize = 3;

/// What is wrong with the program as the closure of a `map`, if it has the value and the gradient of the program itself.
pub fn check_mapped<F: Program>(ctx: &Context, case: &Case) -> Result<(), String> {
    let text = |e: Error| e.to_string();
    let Args { x, u, a, n } = case.args;
    let rule = ctx.build_rrule::<F>().map_err(text)?;
    // A call that fails does not restore the memory that it has changed.
    let mut changed = u;
    let alone = rule.value_and_gradient((&x, &mut changed, a, n));
    let mapped = ctx.build_rrule::<Mapped>().map_err(text)?;
    let element = Array::from_vec_on(&Device::cpu(), vec![x[0]; COPIES], [COPIES]);
    let args = (&element, x[1], x[2], x[3], u[0], u[1], u[2], a, n);
    let found = mapped.value_and_gradient(args);
    let (y, (dx, du, da, ())) = match (alone, &found) {
        (Ok(alone), Ok(_)) => alone,
        (Err(Error::Fault(_)), Err(Error::Fault(_))) => return Ok(()),
        (alone, found) => {
            return Err(format!(
                "in `map` the program gives {found:?}, alone {alone:?}"
            ));
        }
    };
    let (sum, g) = found.map_err(text)?;
    let times = COPIES as f64;
    near(
        "the value in `map`",
        &[sum.item().map_err(text)?],
        &[times * y],
    )?;
    near(
        "the gradient of elements",
        &g.0.to_vec().map_err(text)?,
        &[dx[0]; COPIES],
    )?;
    let captured = [g.1, g.2, g.3, g.4, g.5, g.6, g.7].map(|g| g / times);
    let expected = [dx[1], dx[2], dx[3], du[0], du[1], du[2], da];
    near(
        "the gradient of what the closure captures",
        &captured,
        &expected,
    )
}
