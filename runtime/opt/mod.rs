//! The optimiser: what is known statically is not computed, what is computed twice is computed once.
//!
//! Every pass is exact: results keep their bits (but for the payload of a NaN), faults stay and keep their order. A
//! pass is one file with one public verb, works on one function, and says whether it changed anything. None knows
//! about derivatives: what the AD transform leaves to be cleaned up is ordinary redundancy.
//!
//! [`lanes`] comes last: what it makes is for the CPU, and unknown to the others.
//!
//! [`promote_objects`], [`thread_jumps`], [`unroll_loops`], [`elide_copies`], [`promote_elements`], [`hoist`] and [`fuse_maps`] stand apart: they work on a module
//! before the AD transform. The first makes variables of local objects, which then need no shadows, the second spares branches that are decided
//! already, the third makes straight-line code of loops over small objects, which then are variables, too, the fourth lets objects take the place of
//! their copies, the fifth makes variables of elements that a loop accumulates in, which then need no tape, the sixth computes in front of a map what
//! all of its elements have in common; the last merges elementwise maps so that a cluster has one backward kernel.
//! [`if_convert`], [`cluster`] and [`moves`] stand apart, too: they prepare array operations for the host, once everything else is done.

mod effects;
mod aliases;
mod memory;
mod objects;
mod promote;
mod elements;
mod simplify;
mod straighten;
mod thread;
mod nest;
mod unroll;
mod gvn;
mod bounds;
mod licm;
mod stores;
mod dce;
mod interleave;
mod lanes;
mod rotate;
mod accumulate;
mod hoist;
mod fuse_maps;
mod if_convert;
mod cluster;
mod copies;
mod moves;

pub use accumulate::accumulate;
pub use bounds::bounds;
pub use cluster::cluster;
pub use copies::elide_copies;
pub use dce::dce;
pub use effects::{Calls, InLanes};
pub use elements::promote_elements;
pub use fuse_maps::fuse_maps;
pub use gvn::gvn;
pub use hoist::hoist;
pub use if_convert::if_convert;
pub use interleave::interleave;
pub use lanes::lanes;
pub use licm::licm;
pub use moves::moves;
pub use promote::{promote, promote_objects};
pub use rotate::rotate;
pub use simplify::simplify;
pub use stores::stores;
pub use straighten::straighten;
pub use thread::{thread, thread_jumps};
pub use unroll::{settle_objects, unroll_loops};

use crate::diag::Result;
use crate::ir::{Function, Module, Op, Symbol, verify::verify};
use crate::registry::Registry;

/// `f.map0` or what comes next: a name that neither the module nor the functions made so far have.
fn fresh_name(module: &Module, made: &[Function], name: Symbol, what: &str) -> Symbol {
    let is_new =
        |candidate: &Symbol| !module.has(*candidate) && made.iter().all(|f| f.name != *candidate);
    let mut candidates = (0..).map(|n| Symbol::new(&format!("{name}.{what}{n}")));
    candidates.find(is_new).unwrap_or(name)
}

/// Rewrites the functions with maps by something that changes one and returns the functions that it applies now. These join the module; functions that
/// nothing uses any more leave it.
fn rewrite_maps(
    mut module: Module,
    rewrite: impl Fn(&Module, &mut Function) -> Vec<Function>,
) -> Module {
    let has_maps = |function: &&Function| {
        let mut insts = { function.blocks_in_order() }.flat_map(|(_, data)| &data.insts);
        insts.any(|&inst| matches!(function.insts[inst].op, Op::Map(_)))
    };
    let functions = module.functions.values().filter(has_maps);
    let names: Vec<Symbol> = functions.map(|function| function.name).collect();
    let mut changed = false;
    for name in names {
        let mut function = module.functions[&name].clone();
        let made = rewrite(&module, &mut function);
        changed |= !made.is_empty();
        made.into_iter().for_each(|f| module.insert(f));
        module.insert(function);
    }
    if changed {
        let reached = module.reached([module.root]);
        module.functions.retain(|name, _| reached.contains(name));
    }
    module
}

/// A pass over one function; says whether it changed anything.
type Pass = fn(&mut Function, &Calls) -> bool;

/// One round. Objects that are variables come first, then folding, because everything else matches on its results; loops are looked at once their
/// guards are gone; what was left behind is swept up last.
const ROUND: &[Pass] = &[
    promote, simplify, straighten, gvn, stores, bounds, licm, dce,
];

/// Afterwards, what ends the form in which the passes above know loops. More can leave rotated loops.
const LAST: &[Pass] = &[
    thread, interleave, rotate, straighten, gvn, stores, licm, accumulate, dce,
];

/// A pass may open the way for an earlier one (a guard that is gone lets blocks merge), seldom twice.
const ROUNDS: usize = 3;

/// Optimises every function of a typed module. `registry` says which calls are pure, `in_lanes` which of them may be made with registers of
/// several floats, where they give other bits; `None` if all bits must stay.
pub fn optimise(
    mut module: Module,
    registry: &Registry,
    in_lanes: Option<InLanes>,
) -> Result<Module> {
    let calls = Calls::new(&module, registry).with_lanes(in_lanes);
    let names: Vec<Symbol> = module.functions.keys().copied().collect();
    let of_maps = lanes::of_maps(&module);
    for name in names {
        optimise_function(&mut module, name, &calls)?;
        if !of_maps.contains(&name) {
            run(&[lanes], &mut module, name, &calls)?;
        }
    }
    Ok(module)
}

/// Rounds until nothing changes, then the last passes.
fn optimise_function(module: &mut Module, name: Symbol, calls: &Calls) -> Result<()> {
    for _ in 0..ROUNDS {
        if !run(ROUND, module, name, calls)? {
            break;
        }
    }
    run(LAST, module, name, calls)?;
    Ok(())
}

/// Runs passes over one function; debug builds verify after each. Says whether anything changed.
fn run(passes: &[Pass], module: &mut Module, name: Symbol, calls: &Calls) -> Result<bool> {
    let mut changed = false;
    for pass in passes {
        if let Some(function) = module.functions.get_mut(&name) {
            changed |= pass(function, calls);
        }
        if cfg!(debug_assertions) {
            verify(module, &|callee, types| {
                calls.registry().call_type(callee, types)
            })?;
        }
    }
    Ok(changed)
}
