//! Collective operations over MPI as a rule pack: programs that communicate have gradients.
//!
//! The page of the pack, `README.md`, says what each function computes, what its derivative means, and what it costs. In short: every rank runs the
//! same program and holds a loss of its own, and the gradient is that of the *sum* of all ranks' losses. So the adjoint of a sum over all ranks is a
//! sum over all ranks, that of a broadcast is a reduction, that of a send is a receive.
//!
//! `world` knows processes and nothing of numbers; `collective` has the operations on memory; `rows` are the functions of arrays and numbers, whose
//! derivatives are expressions over rows of this pack and so of any order; `slices` are the same on `&[T]` and `&mut [T]`.

mooncake_pack::pack!(cases, wants: world::BUILT);

mod world;
mod collective;
mod rows;
mod slices;

use mooncake_pack::{Case, Value};

/// Calls on which the pack's functions are tested, with one rank.
pub fn cases() -> Vec<Case> {
    let array = || Value::array(&[3, 2]);
    let stacked = || Value::array(&[1, 3, 2]);
    let number = || Value::Float(0.75);
    let zero = || Value::Int(0);
    let mut cases = Vec::new();
    for name in ["allreduce_sum", "allreduce_max"] {
        cases.push(Case::new(name, [array()]));
        cases.push(Case::new(name, [number()]));
    }
    for name in ["reduce_sum", "broadcast"] {
        cases.push(Case::new(name, [array(), zero()]));
        cases.push(Case::new(name, [number(), zero()]));
    }
    cases.extend([
        Case::new("gather", [array(), zero()]),
        Case::new("scatter", [stacked(), zero()]),
        Case::new("allgather", [array()]),
        Case::new("reduce_scatter", [stacked()]),
        Case::new("halo_exchange", [array(), Value::Int(1), Value::Int(1)]),
        Case::new("halo_sum", [array(), Value::Int(1), Value::Int(1)]),
        Case::new("gather_like", [array(), stacked(), zero()]),
        Case::new("scatter_like", [stacked(), array(), zero()]),
        Case::new("first_with_max", [array(), array()]),
        Case::new("first_with_max", [number(), number()]),
        Case::new("rank", []),
        Case::new("size", []),
        Case::new("barrier", []),
        Case::new("gather", [array(), array(), zero()]),
        Case::new("scatter", [array(), array(), zero()]),
        Case::new("allgather", [array(), array()]),
        Case::new("reduce_scatter", [array(), array()]),
    ]);
    cases
}
