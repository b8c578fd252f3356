//! What becomes of a function in Rust, from what the macro read to machine code: all stages, one of them, or how one differs from another.
//! (`mooncake ir` shows the same of IR as text. Types and names in Rust are resolved by rustc, so it is a program with the function in it
//! that shows its stages.)
//!
//!     cargo run --example stages
//!     cargo run --example stages -- generic
//!     cargo run --example stages -- gradient optimised

use mooncake::Float;
use mooncake::inspect::Stage;
use mooncake::prelude::*;

#[differentiable]
fn weighted<T: Float>(x: &[T], w: T) -> T {
    let mut sum = T::zero();
    for v in x {
        sum += (w * *v).sin();
    }
    sum
}

type Shown = weighted<f64>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let stages: Vec<Stage> = std::env::args()
        .skip(1)
        .map(|name| name.parse())
        .collect::<Result<_, _>>()?;
    let ctx = Context::default();
    match stages[..] {
        [] => {
            for &stage in Stage::ALL {
                println!("--- {stage}: {}\n", stage.meaning());
                println!("{}", ctx.ir::<Shown>(stage)?);
            }
            println!("--- rules\n\n{}", ctx.rules_used::<Shown>()?);
        }
        [stage] => println!("{}", ctx.ir::<Shown>(stage)?),
        [from, to, ..] => println!("{}", ctx.ir_diff::<Shown>(from, to)?),
    }
    Ok(())
}
