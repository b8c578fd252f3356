//! Finds parallel functions whose iterations must run in order all the same: [`keep_in_order`].

use crate::ir::{Function, Module, Op, Symbol, Type};
use crate::registry::Registry;
use std::collections::BTreeSet;

/// Removes the mark from parallel functions whose iterations threads cannot share: functions that call themselves, functions that are mapped over arrays,
/// and functions that lead to array operations (the host of a call runs these one after the other), to ordered functions of packs, or to functions that
/// are made on demand. They then are ordinary functions.
pub(super) fn keep_in_order(
    module: &mut Module,
    registry: &Registry,
    recursive: &BTreeSet<Symbol>,
) {
    let marked = module.functions.values().filter(|f| f.parallel.is_some());
    let marked: Vec<Symbol> = marked.map(|f| f.name).collect();
    let mapped = module.mapped();
    for name in marked {
        let reached = module.reached([name]);
        let stays = |callee: &Symbol| {
            let function = module.functions.get(callee);
            function.is_none_or(|f| f.on_demand || needs_the_host(module, registry, f))
        };
        let in_order = recursive.contains(&name) || mapped.contains(&name);
        if (in_order || reached.iter().any(stays))
            && let Some(function) = module.functions.get_mut(&name)
        {
            function.parallel = None;
        }
    }
}

/// Whether a function uses arrays, or calls an ordered or only declared function.
fn needs_the_host(module: &Module, registry: &Registry, function: &Function) -> bool {
    let mut insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
    let mut values = function.values.iter();
    values.any(|(_, data)| holds_array(data.ty))
        || insts.any(|&inst| match function.insts[inst].op {
            Op::Call(callee) if module.called(callee).is_some() => false,
            Op::Call(callee) if module.has_called(callee) => true,
            Op::Call(_) => function
                .callee(inst)
                .is_some_and(|called| registry.effects(called.callee, &called.types).is_ordered()),
            Op::Map(_) => true,
            Op::Const(_) | Op::Prim(_) => false,
        })
}

fn holds_array(ty: Type) -> bool {
    match ty {
        Type::Tuple(fields) => fields.iter().any(|&field| holds_array(field)),
        other => other.is_array(),
    }
}
