//! What all elements of a map have in common is computed once, in front of the map: [`hoist`].
//!
//! `x.map(|v| v * (n - 1) as f32)` computes `(n - 1) as f32` for each element, in integers of a width that GPUs may not have. Here the map is given the float
//! itself. It is done with integers and bools alone, and what is made of them: they have no derivatives, so nothing that is added up over the elements
//! changes. Checks stay in the map, with their conditions computed in front of it: without elements nothing fails.

use super::licm::is_total;
use super::{fresh_name, rewrite_maps};
use crate::ir::build::{remove_params, substitute};
use crate::ir::{Block, Effect, Function, Inst, InstData, Module, Op, Prim, Symbol, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Hoists out of the maps of every function. The functions of what is left join the module as `f.part0`, `f.part1`, …; functions that nothing uses any more
/// leave it.
pub fn hoist(module: Module) -> Module {
    rewrite_maps(module, hoist_in)
}

/// Hoists out of the maps of one function, and returns the functions of what is left.
fn hoist_in(module: &Module, function: &mut Function) -> Vec<Function> {
    let mut made: Vec<Function> = Vec::new();
    for block in function.layout.clone() {
        for map in function.blocks[block].insts.clone() {
            if let Op::Map(of) = function.insts[map].op
                && let Some(kernel) = module.functions.get(&of)
                && let Some(common) = Common::new(function, kernel, map)
            {
                let name = fresh_name(module, &made, of, "part");
                made.extend(common.take_out(function, (block, map), kernel, name));
            }
        }
    }
    made
}

/// What the elements of a map have in common.
struct Common {
    /// The parameters of the function that are no elements, with their positions.
    params: FxHashMap<Value, usize>,
    /// What is computed from these and constants alone, in order.
    computed: Vec<Value>,
    /// Those of the computed values that the rest of the function uses, in order.
    given: Vec<Value>,
}

impl Common {
    /// None if there is nothing to be taken out.
    fn new(function: &Function, kernel: &Function, map: Inst) -> Option<Common> {
        let args = function.insts[map].args.iter();
        let params = { kernel.params().iter().zip(args).enumerate() }
            .filter(|(_, (param, arg))| {
                !function.ty(**arg).is_array() && is_exact(kernel.ty(**param))
            })
            .map(|(n, (&param, _))| (param, n));
        let params: FxHashMap<Value, usize> = params.collect();
        if params.is_empty() {
            return None;
        }
        let (mut computed, mut known) = (Vec::new(), FxHashSet::default());
        let mut used = FxHashSet::default();
        for (_, data) in kernel.blocks_in_order() {
            for &inst in &data.insts {
                let row = &kernel.insts[inst];
                let is_known = |arg: &Value| params.contains_key(arg) || known.contains(arg);
                if is_exact_step(kernel, row) && row.args.iter().any(is_known) && {
                    row.args.iter()
                }
                .all(|arg| is_known(arg) || kernel.as_const(*arg).is_some())
                {
                    computed.push(row.result);
                    known.insert(row.result);
                } else {
                    used.extend(row.args.iter().copied());
                }
            }
            data.terminator.for_each_value(|value| {
                used.insert(value);
            });
        }
        let given: Vec<Value> = { computed.iter().copied() }
            .filter(|value| used.contains(value))
            .collect();
        let common = Common {
            params,
            computed,
            given,
        };
        (!common.given.is_empty()).then_some(common)
    }
    /// Computes it in front of the map, and returns the function of the rest.
    fn take_out(
        &self,
        function: &mut Function,
        (block, map): (Block, Inst),
        kernel: &Function,
        name: Symbol,
    ) -> Option<Function> {
        let mut rest = kernel.clone();
        rest.name = name;
        let entry = rest.entry();
        let aliases =
            { self.given.iter() }.map(|&value| (value, rest.add_param(entry, kernel.ty(value))));
        let aliases: FxHashMap<Value, Value> = aliases.collect();
        substitute(&mut rest, &aliases);
        for block in rest.layout.clone() {
            let is_left = |inst: &Inst| !self.computed.contains(&kernel.insts[*inst].result);
            rest.blocks[block].insts.retain(is_left);
        }
        let unused: FxHashSet<Value> = { self.params.keys().copied() }
            .filter(|&param| !is_read(&rest, param))
            .collect();
        remove_params(&mut rest, |param| unused.contains(&param));

        let args = function.insts[map].args.clone();
        let mut outside: FxHashMap<Value, Value> = FxHashMap::default();
        outside.extend(self.params.iter().map(|(&param, &n)| (param, args[n])));
        let mut before = Vec::new();
        for &value in &self.computed {
            let row = kernel.def_inst(value)?;
            let mut own = Vec::new();
            for &arg in &row.args {
                own.push(match outside.get(&arg) {
                    Some(&known) => known,
                    None => {
                        let constant = Op::Const(kernel.as_const(arg)?);
                        let made = function.make_inst(constant, &[], kernel.ty(arg), row.span);
                        before.push(made);
                        function.insts[made].result
                    }
                });
            }
            let made = function.make_inst(row.op, &own, kernel.ty(value), row.span);
            before.push(made);
            outside.insert(value, function.insts[made].result);
        }
        let insts = &mut function.blocks[block].insts;
        let at = insts.iter().position(|&inst| inst == map)?;
        insts.splice(at..at, before);
        let kept = { kernel.params().iter().zip(&args) }
            .filter(|(param, _)| !unused.contains(param))
            .map(|(_, &arg)| arg);
        let given = self.given.iter().map(|value| outside[value]);
        function.insts[map].args = kept.chain(given).collect();
        function.insts[map].op = Op::Map(name);
        Some(rest)
    }
}

/// Whether values of a type are integers or bools.
fn is_exact(ty: Type) -> bool {
    ty.is_int() || ty == Type::Bool
}

/// Whether an instruction makes an integer, a bool, or a float by a cast, of integers and bools, and cannot fail.
fn is_exact_step(function: &Function, row: &InstData) -> bool {
    matches!(row.op, Op::Prim(_))
        && row.op.effect() == Effect::Pure
        && is_total(function, row)
        && (is_exact(function.ty(row.result)) || row.op == Op::Prim(Prim::Cast))
        && row.args.iter().all(|&arg| is_exact(function.ty(arg)))
}

/// Whether an instruction or a terminator reads a value.
fn is_read(function: &Function, value: Value) -> bool {
    let mut read = false;
    for (_, data) in function.blocks_in_order() {
        read |= { data.insts.iter() }.any(|&inst| function.insts[inst].args.contains(&value));
        data.terminator
            .for_each_value(|other| read |= other == value);
    }
    read
}
