//! Makes programs that fail smaller.

use crate::ir::build::{clean, substitute};
use crate::ir::flow::Flow;
use crate::ir::{
    Block, Const, Edge, Effect, Function, Inst, Module, Op, Terminator, Type, canonical,
};
use crate::registry::Registry;
use crate::testing::programs::verified;
use std::collections::HashSet;

/// Makes a failing program smaller for as long as it fails.
pub fn shrink(mut module: Module, registry: &Registry, fails: impl Fn(&Module) -> bool) -> Module {
    'again: loop {
        for candidate in smaller(&module) {
            if verified(&candidate, registry).is_ok() && fails(&candidate) {
                module = candidate;
                continue 'again;
            }
        }
        return module;
    }
}

/// Programs with one thing less, the largest things first. Some of them are none.
fn smaller(module: &Module) -> Vec<Module> {
    let mut candidates = Vec::new();
    for name in module.functions.keys().filter(|name| **name != module.root) {
        let mut copy = module.clone();
        copy.functions.remove(name);
        candidates.push(copy);
    }
    let root = module.root();
    let mut with = |change: &dyn Fn(&mut Function)| {
        let mut copy = module.clone();
        change(copy.root_mut());
        clean(copy.root_mut());
        while join(copy.root_mut()) {}
        sweep(copy.root_mut());
        clean(copy.root_mut());
        copy = canonical(&copy);
        if copy != *module {
            candidates.push(copy);
        }
    };
    for &block in &root.layout {
        if let Terminator::Branch {
            then, otherwise, ..
        } = &root.blocks[block].terminator
        {
            for edge in [then, otherwise] {
                let edge: Edge = edge.clone();
                with(&|f| f.blocks[block].terminator = Terminator::Jump(edge.clone()));
            }
        }
    }
    for (block, data) in root.blocks_in_order() {
        for &inst in &data.insts {
            with(&|f| remove(f, block, inst));
        }
    }
    candidates
}

/// Replaces an instruction by zero, or drops it if it gives nothing.
fn remove(f: &mut Function, block: Block, inst: Inst) {
    let ty = f.ty(f.insts[inst].result);
    let c = match ty {
        Type::F64 => Const::Float(0.0),
        Type::Usize => Const::Int(0),
        Type::Bool => Const::Bool(false),
        Type::Tuple([]) => return f.blocks[block].insts.retain(|i| *i != inst),
        _ => return,
    };
    f.insts[inst].op = Op::Const(c);
    f.insts[inst].args.clear();
}

/// Makes one block of two, of which the first alone leads to the second and to no other; says whether there were any.
fn join(f: &mut Function) -> bool {
    let flow = Flow::new(f);
    let joins = |block: &Block| match &f.blocks[*block].terminator {
        Terminator::Jump(edge) => flow.predecessors(edge.block).len() == 1,
        _ => false,
    };
    let Some(first) = f.layout.iter().copied().find(joins) else {
        return false;
    };
    let jump = std::mem::replace(&mut f.blocks[first].terminator, Terminator::Missing);
    let Terminator::Jump(edge) = jump else {
        return false;
    };
    let second = std::mem::replace(&mut f.blocks[edge.block].terminator, Terminator::Missing);
    let insts = std::mem::take(&mut f.blocks[edge.block].insts);
    f.blocks[first].insts.extend(insts);
    f.blocks[first].terminator = second;
    f.layout.retain(|block| *block != edge.block);
    let params = std::mem::take(&mut f.blocks[edge.block].params);
    substitute(f, &params.into_iter().zip(edge.args).collect());
    true
}

/// Drops what is not used and does nothing else.
fn sweep(f: &mut Function) {
    loop {
        let mut used = HashSet::new();
        for (_, data) in f.blocks_in_order() {
            for &inst in &data.insts {
                used.extend(f.insts[inst].args.iter().copied());
            }
            data.terminator.for_each_value(|v| used.extend([v]));
        }
        let mut changed = false;
        for block in f.layout.clone() {
            let mut insts = std::mem::take(&mut f.blocks[block].insts);
            let before = insts.len();
            insts.retain(|&inst| {
                let data = &f.insts[inst];
                let pure = !matches!(data.op.effect(), Effect::Write | Effect::Guard);
                used.contains(&data.result) || !pure
            });
            changed |= insts.len() != before;
            f.blocks[block].insts = insts;
        }
        if !changed {
            return;
        }
    }
}
