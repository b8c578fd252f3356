//! Loops that begin with a loop: `while let Some(x) = filtered.next()` looks for the next item that passes, so each of its turns starts with
//! a loop over those that do not. The two are one loop over all items, and that one counts.

use crate::ir::build::substitute;
use crate::ir::flow::{Flow, Loops};
use crate::ir::{Block, Edge, Function, Terminator, Value};
use crate::normalise::shape_graph;
use rustc_hash::FxHashMap;

/// Makes one loop of two that start at the same place, where that one is counted. Keeps the normal form.
pub fn unnest(function: &mut Function) -> bool {
    let mut changed = false;
    // Each joins two loops into one.
    while let Some(joined) = candidates(function)
        .into_iter()
        .find_map(|pair| joined(function, pair))
    {
        *function = joined;
        changed = true;
    }
    changed
}

/// The headers of loops that do nothing before they enter a loop inside, and the headers of these.
fn candidates(function: &Function) -> Vec<(Block, Block)> {
    let flow = Flow::new(function);
    let loops = Loops::new(function, &flow);
    let mut found = Vec::new();
    for (_, outer) in loops.all() {
        let data = &function.blocks[outer.header];
        let Terminator::Jump(edge) = &data.terminator else {
            continue;
        };
        let mut inside = loops.all().map(|(_, inner)| inner);
        let enters = inside.any(|inner| inner.header == edge.block && inner.counted.is_none());
        if data.insts.is_empty() && enters && edge.block != outer.header {
            found.push((outer.header, edge.block));
        }
    }
    found
}

/// The function with the two loops as one, if it is counted.
fn joined(function: &Function, (outer, inner): (Block, Block)) -> Option<Function> {
    let mut function = function.clone();
    let Terminator::Jump(entry) = function.blocks[outer].terminator.clone() else {
        return None;
    };
    // What the outer loop carries, the inner one carries unchanged.
    let params = function.blocks[outer].params.clone();
    let mut carried = Vec::new();
    for &param in &params {
        let copy = function.add_param(inner, function.ty(param));
        function.values[copy].name = function.values[param].name;
        carried.push(copy);
    }
    let copies = params
        .iter()
        .copied()
        .zip(carried.iter().copied())
        .collect();
    substitute(&mut function, &copies);
    function.layout.retain(|&block| block != outer);
    for block in function.layout.clone() {
        for edge in function.blocks[block].terminator.edges_mut() {
            if edge.block == inner {
                edge.args.extend(&carried);
            } else if edge.block == outer {
                let given: FxHashMap<Value, Value> = params
                    .iter()
                    .copied()
                    .zip(edge.args.iter().copied())
                    .collect();
                let through = entry.args.iter().map(|arg| *given.get(arg).unwrap_or(arg));
                let args: Vec<Value> = through.chain(edge.args.iter().copied()).collect();
                *edge = Edge::new(inner, args);
            }
        }
    }
    shape_graph(&mut function);
    let flow = Flow::new(&function);
    let loops = Loops::new(&function, &flow);
    let counts = loops
        .all()
        .any(|(_, data)| data.header == inner && data.counted.is_some());
    counts.then_some(function)
}
