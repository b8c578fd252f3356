//! What calls do besides giving results: those of ordered functions of packs, and of functions of the module that call such.

use crate::diag::{Diagnostic, Result};
use crate::ir::{Called, Function, Inst, Module, Op, Symbol};
use crate::registry::{Effects, Registry};
use std::collections::BTreeMap;

/// The effects of a module's functions.
pub struct Ordered<'a> {
    registry: &'a Registry,
    /// Of every function of the module: the strongest of what it calls, directly or through others.
    functions: BTreeMap<Symbol, Effects>,
}

impl<'a> Ordered<'a> {
    /// Propagates from calls of packs' functions to callers until nothing changes.
    pub fn new(module: &Module, registry: &'a Registry) -> Ordered<'a> {
        let names = module.functions.keys();
        let mut ordered = Ordered {
            registry,
            functions: names.map(|&name| (name, Effects::Pure)).collect(),
        };
        let mut changed = true;
        while changed {
            changed = false;
            for function in module.functions.values() {
                let found = ordered.of_body(function);
                changed |= ordered.functions.insert(function.name, found) != Some(found);
            }
        }
        ordered
    }
    /// What an instruction does besides computing its result.
    pub fn of(&self, function: &Function, inst: Inst) -> Effects {
        let Some(Called { callee, types, .. }) = function.callee(inst) else {
            return Effects::Pure;
        };
        match callee.function().and_then(|name| self.functions.get(&name)) {
            Some(&known) => known,
            None => self.registry.effects(callee, &types),
        }
    }
    /// What a function of the module does.
    pub fn of_function(&self, name: Symbol) -> Effects {
        self.functions.get(&name).copied().unwrap_or_default()
    }
    fn of_body(&self, function: &Function) -> Effects {
        let insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
        insts
            .map(|&inst| self.of(function, inst))
            .max()
            .unwrap_or_default()
    }
}

/// An error where a function with effects is mapped over an array: the elements of an array have no order in which kernels compute them.
pub fn refuse_ordered_maps(module: &Module, registry: &Registry) -> Result<()> {
    let ordered = Ordered::new(module, registry);
    for function in module.functions.values() {
        let insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
        for &inst in insts {
            let row = &function.insts[inst];
            if matches!(row.op, Op::Map(_)) && ordered.of(function, inst).is_ordered() {
                let message = format!(
                    "`map` in `{}` applies a function that calls an ordered function of a pack, and the elements of an array have no order",
                    function.name
                );
                let help = "call the ordered function once, with the whole array, or in a loop";
                return Err(Diagnostic::new(row.span, message).help(help).into());
            }
        }
    }
    Ok(())
}
