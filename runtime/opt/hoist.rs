//! What all elements of a map have in common is computed once, in front of the map: [`hoist`].
//!
//! `x.map(|v| v * (n - 1) as f32)` computes `(n - 1) as f32` for each element, in integers of a width that GPUs may not have. Here the map is given the float
//! itself. It is done with integers and bools alone, and what is made of them: they have no derivatives, so nothing that is added up over the elements
//! changes. Checks stay in the map, with their conditions computed in front of it: without elements nothing fails.

use super::fresh_name;
use super::fuse_maps::drop_unused;
use super::licm::is_total;
use crate::ir::build::{remove_params, substitute};
use crate::ir::{Block, Effect, Function, Inst, Module, Op, Prim, Symbol, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Hoists out of the maps of every function. The functions of what is left join the module as `f.part0`, `f.part1`, …; functions that nothing uses any more
/// leave it.
pub fn hoist(mut module: Module) -> Module {
    let names: Vec<Symbol> = module.functions.keys().copied().collect();
    let mut hoisted = false;
    for name in names {
        let mut function = module.functions[&name].clone();
        let made = hoist_in(&module, &mut function);
        if !made.is_empty() {
            hoisted = true;
            made.into_iter().for_each(|f| module.insert(f));
            module.insert(function);
        }
    }
    if hoisted {
        drop_unused(&mut module);
    }
    module
}

/// Hoists out of the maps of one function, and returns the functions of what is left.
fn hoist_in(module: &Module, function: &mut Function) -> Vec<Function> {
    let mut made: Vec<Function> = Vec::new();
    for block in function.layout.clone() {
        for map in function.blocks[block].insts.clone() {
            let Op::Map(of) = function.insts[map].op else {
                continue;
            };
            let Some(kernel) = module.functions.get(&of) else {
                continue;
            };
            let common = Common::new(function, kernel, map);
            if common.is_used(kernel) {
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
    insts: Vec<Inst>,
    values: FxHashSet<Value>,
}

impl Common {
    fn new(function: &Function, kernel: &Function, map: Inst) -> Common {
        let is_exact = |ty: Type| ty.is_int() || ty == Type::Bool;
        let args = function.insts[map].args.iter();
        let params = { kernel.params().iter().zip(args).enumerate() }
            .filter(|(_, (param, arg))| {
                !function.ty(**arg).is_array() && is_exact(kernel.ty(**param))
            })
            .map(|(n, (&param, _))| (param, n));
        let mut common = Common {
            params: params.collect(),
            insts: Vec::new(),
            values: FxHashSet::default(),
        };
        if common.params.is_empty() {
            return common;
        }
        for (_, data) in kernel.blocks_in_order() {
            for &inst in &data.insts {
                let row = &kernel.insts[inst];
                let is_known =
                    |arg: &Value| common.params.contains_key(arg) || common.values.contains(arg);
                let is_exact_or_cast =
                    is_exact(kernel.ty(row.result)) || row.op == Op::Prim(Prim::Cast);
                let is_common = matches!(row.op, Op::Prim(_))
                    && row.op.effect() == Effect::Pure
                    && is_total(kernel, row)
                    && is_exact_or_cast
                    && row.args.iter().any(is_known)
                    && { row.args.iter() }.all(|arg| {
                        is_exact(kernel.ty(*arg))
                            && (is_known(arg) || kernel.as_const(*arg).is_some())
                    });
                if is_common {
                    common.insts.push(inst);
                    common.values.insert(row.result);
                }
            }
        }
        common
    }
    /// The values that the rest of the function uses, in order.
    fn given(&self, kernel: &Function) -> Vec<Value> {
        let own: FxHashSet<Inst> = self.insts.iter().copied().collect();
        let mut used = FxHashSet::default();
        for (_, data) in kernel.blocks_in_order() {
            let others = data.insts.iter().filter(|inst| !own.contains(inst));
            used.extend(others.flat_map(|&inst| kernel.insts[inst].args.iter().copied()));
            data.terminator.for_each_value(|value| {
                used.insert(value);
            });
        }
        let results = self.insts.iter().map(|&inst| kernel.insts[inst].result);
        results.filter(|value| used.contains(value)).collect()
    }
    fn is_used(&self, kernel: &Function) -> bool {
        !self.insts.is_empty() && !self.given(kernel).is_empty()
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
        let given = self.given(kernel);
        let entry = rest.entry();
        let aliases = given
            .iter()
            .map(|&value| (value, rest.add_param(entry, kernel.ty(value))));
        let aliases: FxHashMap<Value, Value> = aliases.collect();
        substitute(&mut rest, &aliases);
        let own: FxHashSet<Inst> = self.insts.iter().copied().collect();
        for block in rest.layout.clone() {
            rest.blocks[block].insts.retain(|inst| !own.contains(inst));
        }
        let unused: FxHashSet<Value> = { self.params.keys().copied() }
            .filter(|&param| !is_read(&rest, param))
            .collect();
        remove_params(&mut rest, |param| unused.contains(&param));

        let args = function.insts[map].args.clone();
        let mut outside: FxHashMap<Value, Value> = FxHashMap::default();
        outside.extend(self.params.iter().map(|(&param, &n)| (param, args[n])));
        let mut before = Vec::new();
        for &inst in &self.insts {
            let row = &kernel.insts[inst];
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
            let made = function.make_inst(row.op, &own, kernel.ty(row.result), row.span);
            before.push(made);
            outside.insert(row.result, function.insts[made].result);
        }
        let insts = &mut function.blocks[block].insts;
        let at = insts
            .iter()
            .position(|&inst| inst == map)
            .unwrap_or(insts.len());
        insts.splice(at..at, before);
        let is_kept = |n: usize| !unused.contains(&kernel.params()[n]);
        let kept = { args.iter().enumerate() }.filter(|(n, _)| is_kept(*n));
        let kept = kept.map(|(_, &arg)| arg);
        function.insts[map].args = kept
            .chain(given.iter().map(|value| outside[value]))
            .collect();
        function.insts[map].op = Op::Map(name);
        Some(rest)
    }
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
