//! Dead code elimination: what nothing observable depends on goes, including parameters of loops that only feed
//! themselves, and loops that compute nothing.

use super::effects::Calls;
use crate::arena::Id;
use crate::ir::build::{clean, remove_params};
use crate::ir::flow::{Flow, LoopData, Loops};
use crate::ir::{Block, Edge, Effect, Function, Terminator, Value, ValueDef};

/// Removes dead instructions, parameters and loops. Guards are observable.
pub fn dce(function: &mut Function, calls: &Calls) -> bool {
    let mut changed = remove_dead_values(function, calls);
    if remove_dead_loops(function, calls) {
        clean(function);
        remove_dead_values(function, calls);
        changed = true;
    }
    changed
}

/// Marks what is needed, starting from effects and terminators, and removes the rest.
pub(super) fn remove_dead_values(function: &mut Function, calls: &Calls) -> bool {
    let live = Live::new(function, calls);
    let params = function.params().to_vec();
    let is_dead_param = |v: Value| !live.is_live(v) && !params.contains(&v);
    let mut changed = function.layout.iter().any(|&block| {
        let mut params = function.blocks[block].params.iter();
        params.any(|&param| is_dead_param(param))
    });
    remove_params(function, is_dead_param);
    for block in function.layout.clone() {
        let mut insts = std::mem::take(&mut function.blocks[block].insts);
        let before = insts.len();
        insts.retain(|&inst| live.is_live(function.insts[inst].result));
        changed |= insts.len() != before;
        function.blocks[block].insts = insts;
    }
    changed
}

/// The values that are needed. An instruction with an effect counts as needed itself.
struct Live {
    /// Indexed by value.
    live: Vec<bool>,
    open: Vec<Value>,
}

impl Live {
    fn new(function: &Function, calls: &Calls) -> Self {
        let mut live = Live {
            live: vec![false; function.values.len()],
            open: Vec::new(),
        };
        for (_, data) in function.blocks_in_order() {
            for &inst in &data.insts {
                let inst = &function.insts[inst];
                if is_observable(calls.effect(function, inst)) {
                    live.mark(inst.result);
                }
            }
            live.mark_terminator(&data.terminator);
        }
        live.propagate(function);
        live
    }
    fn is_live(&self, value: Value) -> bool {
        self.live[value.index()]
    }
    fn mark(&mut self, value: Value) {
        if !std::mem::replace(&mut self.live[value.index()], true) {
            self.open.push(value);
        }
    }
    /// Arguments of edges are needed only if the parameter is.
    fn mark_terminator(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Branch { condition, .. } => self.mark(*condition),
            Terminator::Return(value) => self.mark(*value),
            Terminator::Error(_, values, _) => values.iter().for_each(|&v| self.mark(v)),
            Terminator::Missing | Terminator::Jump(_) => {}
        }
    }
    fn propagate(&mut self, function: &Function) {
        let sources = sources(function);
        while let Some(value) = self.open.pop() {
            match function.values[value].def {
                ValueDef::Inst(inst) => {
                    let args = &function.insts[inst].args;
                    args.iter().for_each(|&arg| self.mark(arg));
                }
                ValueDef::Param(block, index) => {
                    for &(source, edge) in &sources[block.index()] {
                        let mut edges = function.blocks[source].terminator.edges();
                        if let Some(edge) = edges.nth(edge) {
                            self.mark(edge.args[index as usize]);
                        }
                    }
                }
            }
        }
    }
}

/// For each block the edges into it: their sources, and which of the source's edges each is.
fn sources(function: &Function) -> Vec<Vec<(Block, usize)>> {
    let mut sources = vec![Vec::new(); function.blocks.len()];
    for (block, data) in function.blocks_in_order() {
        for (i, edge) in data.terminator.edges().enumerate() {
            sources[edge.block.index()].push((block, i));
        }
    }
    sources
}

fn is_observable(effect: Effect) -> bool {
    match effect {
        Effect::Write | Effect::Guard | Effect::Call => true,
        Effect::Pure | Effect::Read | Effect::Allocate => false,
    }
}

/// Counted loops end, so one without effects whose values nobody reads need not run: its header leaves at once.
fn remove_dead_loops(function: &mut Function, calls: &Calls) -> bool {
    let flow = Flow::new(function);
    let loops = Loops::new(function, &flow);
    let mut changed = false;
    for (_, data) in loops.all() {
        let Some(counted) = &data.counted else {
            continue;
        };
        if !has_effects(function, calls, data) && !is_read_outside(function, data) {
            let leave = |edge: &&Edge| edge.block == counted.exit;
            let terminator = &function.blocks[data.header].terminator;
            let exit = terminator.edges().find(leave).cloned();
            if let Some(exit) = exit {
                function.blocks[data.header].terminator = Terminator::Jump(exit);
                changed = true;
            }
        }
    }
    changed
}

/// Whether a loop does anything but compute values. Where its body leaves it, it leaves with a fault.
fn has_effects(function: &Function, calls: &Calls, data: &LoopData) -> bool {
    data.blocks.iter().any(|&block| {
        let leaves = |edge: &Edge| block != data.header && !data.blocks.contains(&edge.block);
        let block = &function.blocks[block];
        matches!(
            block.terminator,
            Terminator::Error(..) | Terminator::Return(_) | Terminator::Missing
        ) || block.terminator.edges().any(leaves)
            || block
                .insts
                .iter()
                .any(|&inst| is_observable(calls.effect(function, &function.insts[inst])))
    })
}

/// Whether a value of the loop is used behind it, or passed out of it.
fn is_read_outside(function: &Function, data: &LoopData) -> bool {
    let mut inside = vec![false; function.values.len()];
    for &block in &data.blocks {
        let block = &function.blocks[block];
        let results = block.insts.iter().map(|&inst| function.insts[inst].result);
        for value in block.params.iter().copied().chain(results) {
            inside[value.index()] = true;
        }
    }
    let mut read = false;
    for (block, row) in function.blocks_in_order() {
        if data.blocks.contains(&block) {
            let leaving = row.terminator.edges();
            read |= leaving
                .filter(|edge| !data.blocks.contains(&edge.block))
                .any(|edge| edge.args.iter().any(|v| inside[v.index()]));
            continue;
        }
        for &inst in &row.insts {
            read |= function.insts[inst].args.iter().any(|v| inside[v.index()]);
        }
        row.terminator.for_each_value(|v| read |= inside[v.index()]);
    }
    read
}
