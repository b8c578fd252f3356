//! Collectives on 1, 2, 3 and 4 ranks: every function, and random programs of them, against the same program simulated in one process and against
//! differences; forwards, backwards, and products with the Hessian.
//!
//! The test starts itself under `mpirun` (or what `MPIRUN` names) once for each number of ranks. A job that takes too long is ended: it is a failure, not a hang.

mod programs;
mod launch;

use launch::{Job, is_rank};
use mooncake::prelude::*;
use mooncake_mpi as _;
use std::time::Duration;

fn main() {
    if is_rank() {
        return programs::run();
    }
    for ranks in 1..=4 {
        let outcome = Job::new(ranks, "").limit(Duration::from_secs(120)).run();
        let Some(0) = outcome.code else {
            panic!("{ranks} ranks: {:?}\n{}", outcome.code, outcome.text);
        };
        let last = outcome.text.lines().last().unwrap_or_default();
        println!("{ranks} ranks: {last}");
        let counted = outcome.text.matches(" programs agree").count();
        assert_eq!(counted, ranks, "every rank says so:\n{}", outcome.text);
    }
    // Without `mpirun` there is one rank, and no more is needed.
    let ctx = Context::default();
    assert!(ctx.is_primitive("mpi::allreduce_sum", &[mooncake::Type::F64]));
}
