//! The cotangent that makes a pullback the gradient: one, or for a function that returns an array, ones in the array's shape.
//!
//! The gradient makes this cotangent itself. So multiplications by one fold away, and value and gradient of an array are one function, whose
//! array operations become common kernels. The shape of an array is known only once the array has been computed.

use crate::diag::Span;
use crate::ir::build::{remove_params, substitute};
use crate::ir::flow::Flow;
use crate::ir::{
    Const, Function, HostOp, Inst, Module, Op, Prim, Terminator, Type, Value, ValueDef,
};
use rustc_hash::FxHashMap;

/// Lets the root, the gradient `(p…, shadows…, seed) -> (y, r…)` of a function that returns a float or an array of floats, make its seed; the
/// parameter is gone. False, and nothing has changed, for other results, and if the seed of an array is needed before `y` is there: by a
/// loop that is its own reverse.
pub fn seed_within(module: &mut Module, ret: Type) -> bool {
    let element = match ret {
        Type::F32 | Type::F64 => return seed_number(module, ret),
        Type::Array(&element) => element,
        _ => return false,
    };
    let Some(root) = module.functions.get_mut(&module.root) else {
        return false;
    };
    let found = root.params().last().copied().zip(result(root));
    let Some((seed, y)) = found.filter(|&(seed, y)| root.ty(seed) == ret && root.ty(y) == ret)
    else {
        return false;
    };
    let Some(uses) = Uses::after(root, y) else {
        return false;
    };
    if !element.is_float() || !uses.hold_all_of(root, seed) {
        return false;
    }
    let (block, place) = (uses.block, uses.place);
    let span = match root.values[y].def {
        ValueDef::Inst(inst) => root.insts[inst].span,
        ValueDef::Param(..) => Span::NONE,
    };
    let one = root.make_inst(Op::Const(Const::Float(1.0)), &[], element, span);
    let ones = Op::Call(HostOp::FullLike.into());
    let ones = root.make_inst(ones, &[root.insts[one].result, y], ret, span);
    root.blocks[block].insts.splice(place..place, [one, ones]);
    let ones = root.insts[ones].result;
    substitute(root, &FxHashMap::from_iter([(seed, ones)]));
    remove_params(root, |param| param == seed);
    true
}

/// The same for a function that returns a float.
fn seed_number(module: &mut Module, ret: Type) -> bool {
    let Some(root) = module.functions.get_mut(&module.root) else {
        return false;
    };
    let Some(&seed) = root.params().last().filter(|&&seed| root.ty(seed) == ret) else {
        return false;
    };
    let one = root.make_inst(Op::Const(Const::Float(1.0)), &[], ret, Span::NONE);
    let entry = root.entry();
    root.blocks[entry].insts.insert(0, one);
    let one = root.insts[one].result;
    substitute(root, &FxHashMap::from_iter([(seed, one)]));
    remove_params(root, |param| param == seed);
    true
}

/// What the function returns first, if it returns at one place.
fn result(function: &Function) -> Option<Value> {
    let mut returned = function
        .blocks_in_order()
        .filter_map(|(_, data)| match data.terminator {
            Terminator::Return(value) => Some(value),
            _ => None,
        });
    let ValueDef::Inst(inst) = function.values[returned.next()?].def else {
        return None;
    };
    let row = &function.insts[inst];
    match (row.op, returned.next()) {
        (Op::Prim(Prim::Tuple), None) => row.args.first().copied(),
        _ => None,
    }
}

/// The places at which a value is there.
struct Uses {
    flow: Flow,
    block: crate::ir::Block,
    /// In its block before this instruction it is not.
    place: usize,
}

impl Uses {
    fn after(function: &Function, value: Value) -> Option<Uses> {
        let flow = Flow::new(function);
        let (block, place) = match function.values[value].def {
            ValueDef::Param(block, _) => (block, 0),
            ValueDef::Inst(inst) => {
                let place = |insts: &[Inst]| insts.iter().position(|&other| other == inst);
                let mut blocks = function.blocks_in_order();
                blocks.find_map(|(block, data)| Some((block, place(&data.insts)? + 1)))?
            }
        };
        Some(Uses { flow, block, place })
    }
    /// Whether another value is used nowhere else.
    fn hold_all_of(&self, function: &Function, other: Value) -> bool {
        function.blocks_in_order().all(|(block, data)| {
            let is_own = block == self.block;
            if !is_own && self.flow.dominates(self.block, block) {
                return true;
            }
            let before = if is_own { self.place } else { data.insts.len() };
            let mut insts = data.insts[..before].iter();
            let mut is_used = insts.any(|&inst| function.insts[inst].args.contains(&other));
            if !is_own {
                let mut ends = |value| is_used |= value == other;
                data.terminator.for_each_value(&mut ends);
            }
            !is_used
        })
    }
}
