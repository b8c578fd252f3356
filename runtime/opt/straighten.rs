//! Straightens control flow: decided branches become jumps, blocks that only pass on are skipped, and a block with one
//! way in joins the block it follows.

use super::aliases::Aliases;
use super::effects::Calls;
use crate::arena::Id;
use crate::ir::build::clean;
use crate::ir::flow::Flow;
use crate::ir::{Block, Const, Edge, Function, Op, Prim, Terminator, Value, ValueDef};
use rustc_hash::FxHashMap;

/// Straightens; also removes unreachable blocks and trivial parameters. Leaves loops a preheader and one latch if they
/// had them.
pub fn straighten(function: &mut Function, _calls: &Calls) -> bool {
    let before = shape(function);
    decide(function);
    clean(function);
    thread(function);
    clean(function);
    merge_blocks(function);
    shape(function) != before
}

/// What this pass can change: how many blocks, edges and parameters there are.
fn shape(function: &Function) -> (usize, usize, usize) {
    let data = || function.blocks_in_order().map(|(_, data)| data);
    (
        function.layout.len(),
        data().map(|d| d.terminator.edges().count()).sum(),
        data().map(|d| d.params.len()).sum(),
    )
}

/// Branches on constants, on negations, and to one place.
fn decide(function: &mut Function) {
    for block in function.layout.clone() {
        let terminator =
            std::mem::replace(&mut function.blocks[block].terminator, Terminator::Missing);
        function.blocks[block].terminator = decided(function, terminator);
    }
}

fn decided(function: &Function, terminator: Terminator) -> Terminator {
    let Terminator::Branch {
        condition,
        then,
        otherwise,
    } = terminator
    else {
        return terminator;
    };
    match (function.as_const(condition), function.def_inst(condition)) {
        (Some(Const::Bool(true)), _) => Terminator::Jump(then),
        (Some(Const::Bool(false)), _) => Terminator::Jump(otherwise),
        _ if then == otherwise => Terminator::Jump(then),
        (_, Some(inst)) if inst.op == Op::Prim(Prim::Not) => Terminator::Branch {
            condition: inst.args[0],
            then: otherwise,
            otherwise: then,
        },
        _ => Terminator::Branch {
            condition,
            then,
            otherwise,
        },
    }
}

/// Edges to a block without instructions go where that block would send them.
fn thread(function: &mut Function) {
    let flow = Flow::new(function);
    let is_header = |block: Block| {
        flow.predecessors(block)
            .iter()
            .any(|&p| flow.dominates(block, p))
    };
    let local = parameters_used_locally(function);
    let headers: Vec<bool> = function.blocks.keys().map(is_header).collect();
    for block in function.layout.clone() {
        let mut terminator =
            std::mem::replace(&mut function.blocks[block].terminator, Terminator::Missing);
        for edge in terminator.edges_mut() {
            // A chain of empty blocks; bounded, for it may be a ring.
            for _ in 0..8 {
                let passes_on = function.blocks[edge.block].insts.is_empty()
                    && local[edge.block.index()]
                    && edge.block != block
                    && !headers[edge.block.index()];
                match onward(function, edge).filter(|next| {
                    passes_on && !headers[next.block.index()] && next.block != edge.block
                }) {
                    Some(next) => *edge = next,
                    None => break,
                }
            }
        }
        function.blocks[block].terminator = terminator;
    }
}

/// Where an edge to an empty block leads on to, if that is known: it jumps, or branches on a constant it is given.
fn onward(function: &Function, edge: &Edge) -> Option<Edge> {
    let data = &function.blocks[edge.block];
    let given: FxHashMap<Value, Value> = data
        .params
        .iter()
        .copied()
        .zip(edge.args.iter().copied())
        .collect();
    let translate = |value: &Value| *given.get(value).unwrap_or(value);
    let next = match &data.terminator {
        Terminator::Jump(next) => next,
        Terminator::Branch {
            condition,
            then,
            otherwise,
        } => match function.as_const(translate(condition))? {
            Const::Bool(true) => then,
            _ => otherwise,
        },
        Terminator::Missing | Terminator::Return(_) | Terminator::Error(..) => return None,
    };
    let args: Vec<Value> = next.args.iter().map(translate).collect();
    Some(Edge::new(next.block, args))
}

/// For each block, whether its parameters are used by its own terminator alone. If others use them, edges into the block
/// must keep leading there.
fn parameters_used_locally(function: &Function) -> Vec<bool> {
    let mut local = vec![true; function.blocks.len()];
    for (block, data) in function.blocks_in_order() {
        let mut note = |value: Value, in_terminator: bool| {
            if let ValueDef::Param(owner, _) = function.values[value].def
                && !(in_terminator && owner == block)
            {
                local[owner.index()] = false;
            }
        };
        for &inst in &data.insts {
            function.insts[inst]
                .args
                .iter()
                .for_each(|&v| note(v, false));
        }
        data.terminator.for_each_value(|v| note(v, true));
    }
    local
}

/// A block that is entered by one jump continues the block it is entered from.
pub fn merge_blocks(function: &mut Function) {
    let mut entries = vec![0; function.blocks.len()];
    for (_, data) in function.blocks_in_order() {
        data.terminator
            .edges()
            .for_each(|edge| entries[edge.block.index()] += 1);
    }
    let mut aliases = Aliases::new(function);
    let mut gone = vec![false; function.blocks.len()];
    for block in function.layout.clone() {
        if gone[block.index()] {
            continue;
        }
        while let Terminator::Jump(edge) = &function.blocks[block].terminator
            && entries[edge.block.index()] == 1
            && edge.block != block
        {
            let edge = edge.clone();
            absorb(function, &mut aliases, block, &edge);
            gone[edge.block.index()] = true;
        }
    }
    function.layout.retain(|block| !gone[block.index()]);
    aliases.apply(function);
}

/// Moves the target's instructions and terminator into `block`.
fn absorb(function: &mut Function, aliases: &mut Aliases, block: Block, edge: &Edge) {
    let target = &mut function.blocks[edge.block];
    let params = std::mem::take(&mut target.params);
    let insts = std::mem::take(&mut target.insts);
    let terminator = std::mem::replace(&mut target.terminator, Terminator::Missing);
    for (param, &arg) in params.into_iter().zip(&edge.args) {
        aliases.set(param, aliases.resolve(arg));
    }
    function.blocks[block].insts.extend(insts);
    function.blocks[block].terminator = terminator;
}
