//! The figures of the pack's page: how much faster two ranks are than one, and what a collective costs besides MPI.
//!
//!     cargo build --release --example figures
//!     for n in 1 2; do mpirun -n $n target/release/examples/figures; done

use mooncake::Const;
use mooncake::prelude::*;
use mooncake_mpi as _;
use mpi::collective::SystemOperation;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

#[differentiable]
#[pack = "mpi"]
extern "pack" {
    fn allreduce_sum(x: f64) -> f64;
    fn barrier();
    fn rank() -> usize;
    fn size() -> usize;
}
mod doubles {
    use mooncake::prelude::*;
    #[differentiable]
    #[pack = "mpi"]
    extern "pack" {
        pub fn allreduce_sum(x: &Array<f64>) -> Array<f64>;
    }
}
mod slices {
    use mooncake::prelude::*;
    #[differentiable]
    #[pack = "mpi"]
    extern "pack" {
        pub fn allreduce_sum(x: &mut [f64]);
    }
}
mod singles {
    use mooncake::prelude::*;
    #[differentiable]
    #[pack = "mpi"]
    extern "pack" {
        pub fn allreduce_sum(x: &Array<f32>) -> Array<f32>;
    }
}

/// The log-density of data that are spread over the ranks, under Student's t with four degrees of freedom.
#[differentiable]
fn log_density(data: &[f64], mean: f64, log_scale: f64) -> f64 {
    let (count, ranks) = (data.len() as f64, size() as f64);
    let (mean, log_scale) = (
        allreduce_sum(mean) / ranks,
        allreduce_sum(log_scale) / ranks,
    );
    let inverse = (-log_scale).exp();
    let mut sum = 0.0;
    for i in 0..data.len() {
        let z = (data[i] - mean) * inverse;
        sum += (z * z * 0.25).ln_1p();
    }
    allreduce_sum(-2.5 * sum - count * log_scale)
}

#[differentiable]
fn sum_of_doubles(x: &Array<f64>) -> Array<f64> {
    doubles::allreduce_sum(x)
}
#[differentiable]
fn sum_of_singles(x: &Array<f32>) -> Array<f32> {
    singles::allreduce_sum(x)
}

#[differentiable]
fn sum_in_place(x: &mut [f64]) -> f64 {
    slices::allreduce_sum(x);
    x[0]
}

/// The median of so many runs in seconds, each begun by all ranks together.
fn median(runs: usize, mut run: impl FnMut() -> Outcome<()>) -> Outcome<f64> {
    let mut times = Vec::new();
    for _ in 0..runs {
        barrier();
        let began = Instant::now();
        run()?;
        times.push(began.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(times[runs / 2])
}

/// The same on one rank.
#[differentiable]
fn log_density_alone(data: &[f64], mean: f64, log_scale: f64) -> f64 {
    let inverse = (-log_scale).exp();
    let mut sum = 0.0;
    for i in 0..data.len() {
        let z = (data[i] - mean) * inverse;
        sum += (z * z * 0.25).ln_1p();
    }
    -2.5 * sum - data.len() as f64 * log_scale
}

/// By turns the first rank alone with all the data, while the others sleep, and all ranks with a part of it each.
fn density(ctx: &Context) -> Outcome<()> {
    // 64 MB of data altogether.
    let all = 8 << 20;
    let (rank, size) = (rank(), size());
    let data: Vec<f64> = (0..all)
        .map(|i| (i as f64 * 0.618).sin() * 3.0 + 1.0)
        .collect();
    let own = &data[rank * (all / size)..(rank + 1) * (all / size)];
    let together = ctx.build_rrule::<log_density>()?;
    let alone = ctx.build_rrule::<log_density_alone>()?;
    let world = SimpleCommunicator::world();
    let (mut one, mut many) = (Vec::new(), Vec::new());
    for _ in 0..25 {
        if rank == 0 {
            let began = Instant::now();
            alone.value_and_gradient((Const(&data[..]), 0.5, 0.2))?;
            one.push(began.elapsed().as_secs_f64());
            (1..size).for_each(|other| world.process_at_rank(other as i32).send(&0u8));
        } else {
            while world.process_at_rank(0).immediate_probe().is_none() {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            world.process_at_rank(0).receive::<u8>();
        }
        barrier();
        let began = Instant::now();
        together.value_and_gradient((Const(own), 0.5, 0.2))?;
        many.push(began.elapsed().as_secs_f64());
    }
    let mut ratios: Vec<f64> = one.iter().zip(&many).map(|(a, b)| a / b).collect();
    for times in [&mut one, &mut many, &mut ratios] {
        times.sort_by(f64::total_cmp);
    }
    if rank == 0 {
        let middle = ratios.len() / 2;
        println!(
            "gradient of a log-density, 64 MB: {:.1} ms on one rank, {:.1} ms on {size}, {:.2} times as fast (medians)",
            one[middle] * 1e3,
            many[middle] * 1e3,
            ratios[middle]
        );
    }
    Ok(())
}

macro_rules! sums {
    ($ctx:ident $float:ident $rule:ident) => {{
        const N: usize = 1_000_000;
        let x = Array::from_vec_on($ctx.device(), vec![0.5 as $float; N], [N]);
        let rule = $ctx.build_rrule::<$rule>()?;
        let world = SimpleCommunicator::world();
        let (from, mut to) = (vec![0.5 as $float; N], vec![0.0 as $float; N]);
        let (mut ours, mut plain) = (Vec::new(), Vec::new());
        // By turns, so that what else the machine does falls on both alike.
        for _ in 0..9 {
            ours.push(median(5, || {
                let (y, pullback) = rule.value_and_pullback((&x,))?;
                drop(pullback(y));
                Ok(())
            })?);
            plain.push(median(5, || {
                for _ in 0..2 {
                    world.all_reduce_into(&from[..], &mut to[..], SystemOperation::sum());
                }
                Ok(())
            })?);
        }
        let mut ratios: Vec<f64> = ours.iter().zip(&plain).map(|(a, b)| a / b).collect();
        for times in [&mut ours, &mut plain, &mut ratios] {
            times.sort_by(f64::total_cmp);
        }
        if rank() == 0 {
            println!(
                "allreduce_sum of 1,000,000 {} and its pullback on {} ranks: {:.2} ms, two MPI_Allreduce {:.2} ms, ratio {:.3}",
                stringify!($float), size(), ours[4] * 1e3, plain[4] * 1e3, ratios[4]
            );
        }
    }};
}

fn in_place(ctx: &Context) -> Outcome<()> {
    const N: usize = 1_000_000;
    let rule = ctx.build_rrule::<sum_in_place>()?;
    let world = SimpleCommunicator::world();
    let (from, mut to) = (vec![0.5; N], vec![0.0; N]);
    let (mut x, mut dx) = (vec![0.5; N], vec![0.5; N]);
    let mut ratios = Vec::new();
    let mut last = (0.0, 0.0);
    for _ in 0..9 {
        let ours = median(5, || {
            rule.value_and_gradient_into((&mut x[..],), (&mut dx[..],))?;
            Ok(())
        })?;
        let plain = median(5, || {
            for _ in 0..2 {
                world.all_reduce_into(&from[..], &mut to[..], SystemOperation::sum());
            }
            Ok(())
        })?;
        ratios.push(ours / plain);
        last = (ours, plain);
    }
    ratios.sort_by(f64::total_cmp);
    if rank() == 0 {
        println!(
            "allreduce_sum of a slice of 1,000,000 f64 and its pullback on {} ranks: {:.2} ms, two MPI_Allreduce {:.2} ms, ratio {:.3}",
            size(),
            last.0 * 1e3,
            last.1 * 1e3,
            ratios[4]
        );
    }
    Ok(())
}

fn latency(ctx: &Context) -> Outcome<()> {
    #[differentiable]
    fn one(x: f64) -> f64 {
        allreduce_sum(x)
    }
    const CALLS: usize = 1000;
    let rule = ctx.build_rrule::<one>()?;
    let seconds = median(9, || {
        for _ in 0..CALLS {
            rule.value_and_gradient((1.0,))?;
        }
        Ok(())
    })?;
    let world = SimpleCommunicator::world();
    let plain = median(9, || {
        let mut y = 0.0;
        for _ in 0..2 * CALLS {
            world.all_reduce_into(&1.0, &mut y, SystemOperation::sum());
        }
        Ok(())
    })?;
    if rank() == 0 {
        let each = |seconds: f64| seconds * 1e6 / CALLS as f64;
        println!(
            "allreduce_sum of one number and its pullback on {} ranks: {:.1} µs, two MPI_Allreduce {:.1} µs",
            size(),
            each(seconds),
            each(plain)
        );
    }
    Ok(())
}

fn main() -> Outcome<()> {
    let ctx = Context::builder().device(Device::cpu()).build()?;
    density(&ctx)?;
    sums!(ctx f64 sum_of_doubles);
    sums!(ctx f32 sum_of_singles);
    in_place(&ctx)?;
    latency(&ctx)
}
