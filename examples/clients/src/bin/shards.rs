//! One rule, used by all threads of rayon: the log-density of data in shards, and its gradient.
//!
//!     cargo run --release --manifest-path examples/clients/Cargo.toml --bin shards

use mooncake::Const;
use mooncake::prelude::*;
use rayon::prelude::*;
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// The log-density of data under Student's t with four degrees of freedom, without what does not hang on the parameters.
#[differentiable]
fn log_density(data: &[f64], mean: f64, log_scale: f64) -> f64 {
    let inverse = (-log_scale).exp();
    let mut sum = 0.0;
    for i in 0..data.len() {
        let z = (data[i] - mean) * inverse;
        sum += (z * z * 0.25).ln_1p();
    }
    -2.5 * sum - data.len() as f64 * log_scale
}

fn main() -> Outcome<()> {
    let data: Vec<f64> = (0..1 << 21)
        .map(|i| (i as f64 * 0.618).sin() * 3.0 + 1.0)
        .collect();
    let ctx = Context::builder().device(Device::cpu()).build()?;
    let rule = ctx.build_rrule::<log_density>()?;
    let (mean, log_scale) = (0.5, 0.2);

    let began = Instant::now();
    let (value, (_, dmean, dscale)) =
        rule.value_and_gradient((Const(&data[..]), mean, log_scale))?;
    let alone = began.elapsed();

    // The results are added in the order of the shards, so that they are the same in every run.
    let began = Instant::now();
    let parts = data.par_chunks(data.len() / 64).map(|shard| {
        let (value, (_, dmean, dscale)) =
            rule.value_and_gradient((Const(shard), mean, log_scale))?;
        Ok([value, dmean, dscale])
    });
    let parts: Vec<[f64; 3]> = parts.collect::<mooncake::Result<_>>()?;
    let together = began.elapsed();
    let sum = |n: usize| -> f64 { parts.iter().map(|part| part[n]).sum() };

    println!("value {value:.6}, gradient {dmean:.6} {dscale:.6}: {alone:.1?} on one thread");
    println!(
        "value {:.6}, gradient {:.6} {:.6}: {together:.1?} on {} threads, in {} shards",
        sum(0),
        sum(1),
        sum(2),
        rayon::current_num_threads(),
        parts.len()
    );
    for (n, whole) in [value, dmean, dscale].into_iter().enumerate() {
        if (sum(n) - whole).abs() > 1e-9 * whole.abs() {
            return Err("the shards do not add up".into());
        }
    }
    Ok(())
}
