//! What goes wrong between ranks: each fault ends the job, or is an error of every rank, within a time limit and with a message that says who did what. Nothing hangs.

#[path = "../ranks/launch.rs"]
mod launch;

use launch::{Ended, Job, is_rank, purpose};
use mooncake::prelude::*;
use mooncake_mpi as _;
use std::io::Write;
use std::time::Duration;

#[differentiable]
extern "pack" {
    fn allreduce_sum(x: &Array<f64>) -> Array<f64>;
    fn barrier();
    fn rank() -> usize;
    fn size() -> usize;
}

mod numbers {
    use mooncake::prelude::*;
    #[differentiable]
    extern "pack" {
        pub fn broadcast(x: f64, root: usize) -> f64;
        pub fn allreduce_sum(x: f64) -> f64;
        pub fn send(x: f64, to: usize, tag: i32) -> f64;
        pub fn recv(like: f64, from: usize, tag: i32) -> f64;
    }
}

mod slices {
    use mooncake::prelude::*;
    #[differentiable]
    extern "pack" {
        pub fn send(x: &[f64], to: usize, tag: i32);
        pub fn recv(x: &mut [f64], from: usize, tag: i32);
        pub fn halo_exchange(x: &mut [f64], width: usize, periodic: bool);
    }
}

#[differentiable]
fn loss(x: &Array<f64>) -> Array<f64> {
    allreduce_sum(&(x * x)).sum()
}

#[differentiable]
fn rooted(x: f64, root: usize) -> f64 {
    numbers::broadcast(x, root)
}

#[differentiable]
fn only_the_first(x: f64) -> f64 {
    if rank() == 0 {
        numbers::allreduce_sum(x)
    } else {
        x
    }
}

#[differentiable]
fn waits_for_a_message(x: f64) -> f64 {
    if rank() == 1 {
        numbers::recv(x, 0, 4)
    } else {
        x
    }
}

#[differentiable]
fn too_much(x: &mut [f64]) -> f64 {
    if rank() == 0 {
        numbers::send(x[0], 1, 2);
    } else {
        slices::recv(x, 0, 2);
    }
    x[0]
}

#[differentiable]
fn narrow(x: &mut [f64], width: usize) -> f64 {
    slices::halo_exchange(x, width, true);
    x[0]
}

/// Something that takes longer than the others' patience, and is not this pack's.
fn be_busy() {
    std::thread::sleep(Duration::from_secs(4));
}

/// What a rank does for a purpose; an error is one of the call.
fn act(purpose: &str) -> mooncake::Result<()> {
    let ctx = Context::builder().device(Device::cpu()).build()?;
    let of = |n: usize| Array::from_vec_on(&Device::cpu(), vec![1.0; n], [n]);
    match purpose {
        "sizes" => {
            let x = of(2 + rank());
            ctx.build_rrule::<loss>()?.value_and_gradient((&x,))?;
        }
        "roots" => {
            ctx.build_rrule::<rooted>()?.value((1.0, rank()))?;
        }
        "no such root" => {
            ctx.build_rrule::<rooted>()?.value((1.0, 5))?;
        }
        "one alone" => {
            ctx.build_rrule::<only_the_first>()?.value((1.0,))?;
        }
        "one alone, and then another" => {
            ctx.build_rrule::<only_the_first>()?.value((1.0,))?;
            barrier();
        }
        "panic" => {
            barrier();
            assert!(rank() != 1, "rank 1 has had enough");
            barrier();
        }
        "exit" => {
            barrier();
            if rank() == 1 {
                std::process::exit(3);
            }
            barrier();
        }
        "killed" => {
            barrier();
            if rank() == 1 {
                std::process::abort();
            }
            barrier();
        }
        "no message" => {
            ctx.build_rrule::<waits_for_a_message>()?.value((1.0,))?;
        }
        "nobody receives" => {
            // More than fits anywhere on the way.
            let x = vec![1.0; 1 << 20];
            if rank() == 0 {
                slices::send(&x, 1, 0);
            } else {
                be_busy();
            }
        }
        "too much" => {
            let mut x = [1.0; 3];
            ctx.build_rrule::<too_much>()?.value((&mut x,))?;
            // The sender has no error: it is done when the receiver finds out.
            barrier();
        }
        "narrow" => {
            let mut x = vec![1.0; 2 + 3 * rank()];
            ctx.build_rrule::<narrow>()?.value((&mut x, 1))?;
        }
        "finalised" => {
            barrier();
            let rule = ctx.build_rrule::<loss>()?;
            // SAFETY: MPI was started, and nothing of it is used any more, but for what is tested.
            unsafe { mpi::ffi::MPI_Finalize() };
            rule.value_and_gradient((&of(2),))?;
        }
        "single" => {
            let universe = mpi::initialize().expect("MPI was not started before");
            let outcome = ctx.build_rrule::<loss>()?.value_and_gradient((&of(2),));
            let started = universe.world();
            mpi::traits::CommunicatorCollectives::barrier(&started);
            outcome?;
        }
        "handled" => {
            // An error that every rank handles: they go on together.
            let x = of(2 + rank());
            let rule = ctx.build_rrule::<loss>()?;
            assert!(rule.value_and_gradient((&x,)).is_err());
            let (y, _) = rule.value_and_gradient((&of(2),))?;
            assert_eq!(y.to_vec()?, [2.0 * size() as f64]);
        }
        other => panic!("no purpose is called {other}"),
    }
    Ok(())
}

/// The rank that the launcher says this process is: of Open MPI, or of MPICH.
fn launched_as() -> String {
    let of = |name: &str| std::env::var(name).ok();
    let rank = of("OMPI_COMM_WORLD_RANK").or_else(|| of("PMI_RANK"));
    rank.unwrap_or_default()
}

fn main() {
    if is_rank() {
        match act(&purpose()) {
            Ok(()) => return,
            Err(error) => {
                // Each rank says what it has found before the first ends the others.
                let line = format!("rank {}: {error}\n", launched_as());
                let _ = std::io::stderr().write_all(line.as_bytes());
                std::thread::sleep(Duration::from_millis(300));
                std::process::exit(1);
            }
        }
    }
    let job = |purpose: &str| {
        let job = Job::new(2, purpose).limit(Duration::from_secs(60));
        job.env("MOONCAKE_MPI_TIMEOUT", "2")
    };
    let says = |purpose: &str, expected: &[&str]| {
        let ended = job(purpose).run();
        let Ended { code, text, took } = ended;
        assert!(
            !matches!(code, None | Some(0)),
            "{purpose}: {code:?}\n{text}"
        );
        assert!(
            took < Duration::from_secs(20),
            "{purpose}: {took:?}\n{text}"
        );
        for part in expected {
            assert!(
                text.contains(part),
                "{purpose}: expected `{part}` in\n{text}"
            );
        }
        println!(
            "{purpose}: ended with code {code:?} after {:.1} s",
            took.as_secs_f64()
        );
    };
    let differ = "the ranks do not call the same: rank 0 calls allreduce_sum of 2 f64, rank 1 calls allreduce_sum of 3 f64";
    says("sizes", &["rank 0: ", "rank 1: ", differ]);
    says(
        "roots",
        &[
            "the ranks do not call the same: rank 0 calls broadcast of 1 f64 with root 0, rank 1 calls broadcast of 1 f64 with root 1",
        ],
    );
    says(
        "no such root",
        &["`mpi::broadcast`: the root is rank 5 of 2"],
    );
    says(
        "one alone",
        &[
            "mooncake-mpi: rank 0 of 2 has waited in allreduce_sum for the other ranks for 2 s (MOONCAKE_MPI_TIMEOUT): it ends the job",
        ],
    );
    says(
        "one alone, and then another",
        &[
            "the ranks do not call the same: rank 0 calls allreduce_sum of 1 f64, rank 1 calls barrier",
        ],
    );
    says(
        "panic",
        &[
            "rank 1 has had enough",
            "mooncake-mpi: rank 1 of 2 ends with exit code 101: it ends the job",
        ],
    );
    says(
        "exit",
        &["mooncake-mpi: rank 1 of 2 ends with exit code 3: it ends the job"],
    );
    // The launcher says so, each in its words.
    says("killed", &["signal 6"]);
    says(
        "no message",
        &[
            "mooncake-mpi: rank 1 of 2 has waited in recv for a message with tag 4 from rank 0 for 2 s",
        ],
    );
    says(
        "nobody receives",
        &[
            "mooncake-mpi: rank 0 of 2 has waited at its end for a message that nobody receives for 2 s",
        ],
    );
    says(
        "too much",
        &["rank 1 expects 3 f64 from rank 0 with tag 2, and gets 1 f64"],
    );
    says(
        "narrow",
        &[
            "a halo of 1 elements, and a strip of 0",
            "rank 0 refuses its arguments of halo_exchange",
        ],
    );
    says(
        "finalised",
        &["MPI is finalised: functions of this pack cannot be called any more"],
    );
    says(
        "single",
        &[
            "MPI was started for one thread only: call `mpi::initialize_with_threading(Threading::Serialized)`",
        ],
    );
    let ended = job("handled").run();
    assert_eq!(ended.code, Some(0), "{}", ended.text);
    println!("handled: every rank goes on");
}
