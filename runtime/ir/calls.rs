//! The call graph.

use super::{Callee, Function, Inst, Module, Op, Symbol, Type};
use std::collections::BTreeSet;

/// A function that an instruction calls, or maps over arrays.
pub struct Called {
    /// Which one.
    pub callee: Callee,
    /// The types that it is called with: of elements, if it is mapped.
    pub types: Vec<Type>,
    /// Whether it is mapped.
    pub is_mapped: bool,
}

impl Function {
    /// The functions that it calls or maps over arrays, and that of the function whose derivative it is.
    pub fn callees(&self) -> BTreeSet<Symbol> {
        let names = self.ops().filter_map(|op| match op {
            Op::Call(callee) => callee.function(),
            Op::Map(name) => Some(name),
            Op::Const(_) | Op::Prim(_) => None,
        });
        let of = self.derivative.iter().map(|derivative| derivative.of);
        names.chain(of).collect()
    }

    /// Has it call and map other names.
    pub fn rename_callees(&mut self, new: impl Fn(Symbol) -> Symbol) {
        for block in self.layout.clone() {
            for &inst in &self.blocks[block].insts {
                if let Op::Call(Callee::Function(name)) | Op::Map(name) = &mut self.insts[inst].op {
                    *name = new(*name);
                }
            }
        }
        if let Some(derivative) = &mut self.derivative {
            derivative.of = new(derivative.of);
        }
    }

    /// What an instruction calls, or maps over arrays.
    pub fn callee(&self, inst: Inst) -> Option<Called> {
        let row = &self.insts[inst];
        let (callee, is_mapped) = match row.op {
            Op::Call(callee) => (callee, false),
            Op::Map(name) => (name.into(), true),
            Op::Const(_) | Op::Prim(_) => return None,
        };
        let element = |ty: Type| ty.element().filter(|_| is_mapped).unwrap_or(ty);
        let types = row.args.iter().map(|&arg| element(self.ty(arg))).collect();
        Some(Called {
            callee,
            types,
            is_mapped,
        })
    }

    pub(super) fn ops(&self) -> impl Iterator<Item = Op> {
        let insts = self.blocks_in_order().flat_map(|(_, data)| &data.insts);
        insts.map(|&inst| self.insts[inst].op)
    }
}

impl Module {
    /// The functions of the module that these are or lead to.
    pub fn reached(&self, from: impl IntoIterator<Item = Symbol>) -> BTreeSet<Symbol> {
        let mut reached = BTreeSet::new();
        let mut stack: Vec<Symbol> = from.into_iter().collect();
        while let Some(name) = stack.pop() {
            if let Some(function) = self.functions.get(&name)
                && reached.insert(name)
            {
                stack.extend(function.callees());
            }
        }
        reached
    }

    /// The functions that are mapped over arrays, and what those call: they run in kernels.
    pub fn mapped(&self) -> BTreeSet<Symbol> {
        let ops = self.functions.values().flat_map(Function::ops);
        self.reached(ops.filter_map(|op| match op {
            Op::Map(name) => Some(name),
            Op::Const(_) | Op::Prim(_) | Op::Call(_) => None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse_module;

    #[test]
    fn what_kernels_run_is_reached_through_maps() {
        let module = parse_module(
            "
fn @f(%x: array<f64>, %y: f64) -> array<f64> {
b0:
    %z: f64 = call @g(%y)
    %m: array<f64> = map @h(%x)
    return %m
}
fn @g(%x: f64) -> f64 { b0: %y: f64 = call @sin(%x) return %y }
fn @h(%x: f64) -> f64 { b0: %y: f64 = call @i(%x) return %y }
fn @i(%x: f64) -> f64 { b0: %y: f64 = call @h(%x) return %y }
fn @j(%x: f64) -> f64 { b0: return %x }",
        )
        .unwrap();
        let names =
            |found: BTreeSet<Symbol>| found.iter().map(Symbol::to_string).collect::<Vec<_>>();
        assert_eq!(names(module.root().callees()), ["g", "h"]);
        assert_eq!(names(module.reached([module.root])), ["f", "g", "h", "i"]);
        assert_eq!(names(module.mapped()), ["h", "i"]);
    }
}
