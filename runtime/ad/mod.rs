//! Automatic differentiation: functions of the normal form to functions that compute derivatives.
//!
//! It holds no derivative of any function. What it knows by itself is structure: control flow, memory, tuples,
//! conversions between floats, broadcasting. Everything else is looked up in the registry by name.

mod rule;
pub mod ordered;
pub mod checked;
pub mod forward;
pub mod reverse;
pub mod nested;
pub mod seed;
mod parallel;

use crate::ir::{Function, Module, Op, Signature, Symbol, Terminator};
pub use forward::forward;
pub use reverse::reverse;
use std::collections::BTreeMap;

/// What is asked of [`reverse`](fn@reverse).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// For each parameter of the root: whether its derivative is wanted. Parameters without tangents may be either.
    pub active: Vec<bool>,
    /// One function, or two.
    pub mode: Mode,
}

/// How value and gradient are computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Mode {
    /// One function, `f.gradient(p…, shadows…, seed…) -> (y, r…)`.
    Combined,
    /// Two: `f.forward(p…) -> y`, which leaves its records on the tape, and `f.pullback(p…, shadows…, seed…) -> (r…)`.
    Split,
}

/// A module of derived functions, those that are declared, and those of the original that they call.
fn with_callees(
    original: &Module,
    mut functions: BTreeMap<Symbol, Function>,
    mut declared: BTreeMap<Symbol, Signature>,
    root: Symbol,
) -> Module {
    let called = original.reached(functions.values().flat_map(Function::callees));
    for name in called {
        let original = || original.functions[&name].clone();
        functions.entry(name).or_insert_with(original);
    }
    declared.extend(original.declared.clone());
    Module {
        root,
        functions,
        declared,
    }
}

/// The name that no function of the module has: derivatives that a program asks for are functions of the module too.
fn unused(module: &Module, name: &str) -> Symbol {
    let plain = [Symbol::new(name)].into_iter();
    let others = (2..).map(|n| Symbol::new(&format!("{name}#{n}")));
    let mut all = plain.chain(others);
    let free = all.find(|name| !module.functions.contains_key(name));
    free.unwrap_or(Symbol::new(name))
}

/// `_0_2` for the first and third; `_none` for none.
fn positions(mask: &[bool]) -> String {
    if !mask.contains(&true) {
        return "_none".to_owned();
    }
    let set = mask.iter().enumerate().filter(|(_, set)| **set);
    set.map(|(i, _)| format!("_{i}")).collect()
}

/// Removes instructions whose results nobody needs and that do nothing else. Block parameters stay.
fn sweep(function: &mut Function) {
    let mut used = vec![false; function.values.len()];
    let mut stack = Vec::new();
    for (_, data) in function.blocks_in_order() {
        data.terminator.for_each_value(|v| stack.push(v));
        for &inst in &data.insts {
            let data = &function.insts[inst];
            if !is_removable(data.op) {
                stack.extend(&data.args);
                stack.push(data.result);
            }
        }
    }
    while let Some(value) = stack.pop() {
        let index = crate::arena::Id::index(value);
        if !std::mem::replace(&mut used[index], true)
            && let Some(inst) = function.def_inst(value)
        {
            stack.extend(&inst.args);
        }
    }
    for block in function.layout.clone() {
        let mut insts = std::mem::take(&mut function.blocks[block].insts);
        insts.retain(|&inst| used[crate::arena::Id::index(function.insts[inst].result)]);
        function.blocks[block].insts = insts;
    }
}

/// Whether an instruction can go if its result is not needed.
fn is_removable(op: Op) -> bool {
    use crate::ir::Effect::*;
    match op.effect() {
        Pure | Read | Allocate => true,
        Write | Guard | Call => false,
    }
}

/// Whether control can leave a block to the function's end at all.
fn leads_on(terminator: &Terminator) -> bool {
    !matches!(terminator, Terminator::Error(..))
}
