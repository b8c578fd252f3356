//! Clusters of array operations: what the array host computes together.
//!
//! The operations of a block on arrays become calls of new functions, `f.arrays0`, `f.arrays1`, …, each a straight line of array
//! operations ([`crate::ir::Function::clustered`]). The host sees a whole cluster at once, with the shapes of a call, and decides then
//! which operations become one kernel. Done last, after differentiation and all else, so forward and reverse pass meet in one cluster.
//!
//! A cluster takes in all that it can: an operation waits for those of its arguments that are no array operations, and an instruction
//! that is none waits for the clusters that it reads. Whole numbers that depend on elements are computed outside: those within a cluster
//! depend on shapes alone, so that shapes decide all there is to plan. (Where a part of an array begins comes from outside and decides nothing.) Instructions with effects keep their order; array operations have none but that they
//! may fail, so of two failures in one block another one may be reported than in the order of the source.

use super::effects::Calls;
use super::fresh_name;
use crate::ir::build::Builder;
use crate::ir::linear::Linear;
use crate::ir::{
    Args, Block, Callee, Const, Effect, Function, HostOp, Inst, InstData, Module, Op, Prim, Symbol,
    Type, Value, ValueDef,
};
use crate::registry::{EntryKind, Registry};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;
use std::collections::BTreeSet;

/// Makes clusters of the array operations of every function.
pub fn cluster(mut module: Module, registry: &Registry) -> Module {
    let names: Vec<Symbol> = module.functions.keys().copied().collect();
    for name in names {
        let mut function = module.functions[&name].clone();
        let clusters = cluster_function(&module, &mut function, registry);
        if !clusters.is_empty() {
            clusters.into_iter().for_each(|f| module.insert(f));
            module.insert(function);
        }
    }
    module
}

fn cluster_function(
    module: &Module,
    function: &mut Function,
    registry: &Registry,
) -> Vec<Function> {
    let mut made: Vec<Function> = Vec::new();
    let calls = Calls::new(module, registry);
    let ends = name_counts(function);
    bring_fields(function);
    for block in function.layout.clone() {
        let schedule = Schedule::new(module, function, registry, (&calls, &ends), block);
        if schedule
            .layers
            .iter()
            .any(|layer| Schedule::is_worth_it(function, layer))
        {
            schedule.rewrite(module, function, block, &mut made);
        }
    }
    made
}

/// Slices of neighbours become operations that say how many there are, and not where they end, if that number is constant. Then where they begin decides no
/// shape, and one plan serves a loop over `x.slice(i..i + 3)`. An array with a replaced part needs the end; it is computed beside the operation, from the start.
/// Gives the instructions that compute ends: they belong to clusters.
fn name_counts(function: &mut Function) -> FxHashSet<Inst> {
    let mut ends = FxHashSet::default();
    for block in function.layout.clone() {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            let InstData { op, args, span, .. } = function.insts[inst].clone();
            let op = match op {
                Op::Call(callee) => callee.host_op(),
                _ => None,
            };
            let is_one = |value: Value| function.as_const(value) == Some(Const::Int(1));
            let count = |start: Value, end: Value| {
                let count = Linear::distance(function, start, end)?;
                (count >= 0 && function.as_const(start).is_none()).then_some(Const::Int(count))
            };
            let mut made = |function: &mut Function, op: Op, args: &[Value]| {
                let new = function.make_inst(op, args, Type::Usize, span);
                kept.push(new);
                (new, function.insts[new].result)
            };
            let becomes: Option<(HostOp, Args)> = match (op, &args[..]) {
                (Some(HostOp::SliceAxis), &[a, axis, start, end, step]) if is_one(step) => {
                    count(start, end).map(|count| {
                        let (_, count) = made(function, Op::Const(count), &[]);
                        (HostOp::Narrow, smallvec![a, axis, start, count])
                    })
                }
                // As many elements of `like` as `g` has become those of `g`.
                (Some(HostOp::UnsliceAxis), &[g, axis, start, _, step, like]) if is_one(step) => {
                    Some((HostOp::Place, smallvec![g, axis, start, like]))
                }
                (Some(op @ HostOp::ReplaceAxis), &[a, axis, start, end, step, part])
                    if is_one(step) =>
                {
                    count(start, end).map(|count| {
                        let (_, count) = made(function, Op::Const(count), &[]);
                        let (sum, end) = made(function, Op::Prim(Prim::Add), &[start, count]);
                        ends.insert(sum);
                        (op, smallvec![a, axis, start, end, step, part])
                    })
                }
                _ => None,
            };
            if let Some((op, args)) = becomes {
                function.insts[inst].op = Op::Call(op.into());
                function.insts[inst].args = args;
            }
            kept.push(inst);
        }
        function.blocks[block].insts = kept;
    }
    ends
}

/// Moves what takes the results of maps apart to the blocks of the maps, because clusters give single arrays. It stands in other blocks where two maps
/// have become one.
fn bring_fields(function: &mut Function) {
    let mut fields: FxHashMap<Value, Vec<Inst>> = FxHashMap::default();
    for (_, data) in function.blocks_in_order() {
        let maps = data.insts.iter().map(|&inst| &function.insts[inst]);
        let maps = maps.filter(|row| matches!(row.op, Op::Map(_)));
        let tuples = maps.filter(|row| matches!(function.ty(row.result), Type::Tuple(_)));
        fields.extend(tuples.map(|row| (row.result, Vec::new())));
    }
    if fields.is_empty() {
        return;
    }
    for block in function.layout.clone() {
        let mut insts = std::mem::take(&mut function.blocks[block].insts);
        insts.retain(|&inst| {
            let row = &function.insts[inst];
            let of_map = match row.op {
                Op::Prim(Prim::Field(_)) => fields.get_mut(&row.args[0]),
                _ => None,
            };
            of_map.map(|fields| fields.push(inst)).is_none()
        });
        function.blocks[block].insts = insts;
    }
    for block in function.layout.clone() {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        for inst in insts {
            let own = fields.remove(&function.insts[inst].result);
            let own = own.into_iter().flatten();
            function.blocks[block]
                .insts
                .extend([inst].into_iter().chain(own));
        }
    }
}

/// The instructions of a block by the number of clusters that they wait for.
struct Schedule {
    /// Before each cluster the others that it may wait for, in order; then its own instructions.
    layers: Vec<Layer>,
}

#[derive(Default)]
struct Layer {
    before: Vec<Inst>,
    cluster: Vec<Inst>,
}

impl Schedule {
    fn new(
        module: &Module,
        function: &Function,
        registry: &Registry,
        (calls, ends): (&Calls, &FxHashSet<Inst>),
        block: Block,
    ) -> Schedule {
        let mut depth: FxHashMap<Value, (usize, bool)> = FxHashMap::default();
        let mut layers: Vec<Layer> = Vec::new();
        let mut effects = 0;
        for &inst in &function.blocks[block].insts {
            let row = &function.insts[inst];
            let args = || row.args.iter().filter_map(|arg| depth.get(arg));
            let after_cluster = args().any(|&(_, clustered)| clustered);
            let belongs = is_array_operation(module, function, registry, row)
                || ends.contains(&inst)
                || (after_cluster && goes_along(function, row));
            let waits =
                args().map(|&(layer, clustered)| layer + usize::from(clustered && !belongs));
            let mut layer = waits.max().unwrap_or(0);
            if !belongs && calls.effect(function, row) != Effect::Pure {
                layer = layer.max(effects);
                effects = layer;
            }
            if layers.len() <= layer {
                layers.resize_with(layer + 1, Layer::default);
            }
            match belongs {
                true => layers[layer].cluster.push(inst),
                false => layers[layer].before.push(inst),
            }
            depth.insert(row.result, (layer, belongs));
        }
        Schedule { layers }
    }

    /// Whether a cluster has an operation that gives an array, or several of any kind. A plan does even one operation in less time than the host needs to
    /// find out what to do.
    fn is_worth_it(function: &Function, layer: &Layer) -> bool {
        let mut calls = 0;
        layer.cluster.iter().any(|&inst| {
            let row = &function.insts[inst];
            match row.op {
                Op::Map(_) => true,
                Op::Call(_) => {
                    calls += 1;
                    calls > 1 || function.ty(row.result).is_array()
                }
                _ => false,
            }
        })
    }

    fn rewrite(
        self,
        module: &Module,
        function: &mut Function,
        block: Block,
        made: &mut Vec<Function>,
    ) {
        let mut insts = Vec::new();
        let worth: Vec<bool> = self
            .layers
            .iter()
            .map(|layer| Schedule::is_worth_it(function, layer))
            .collect();
        for (layer, worth) in self.layers.into_iter().zip(worth) {
            insts.extend(layer.before);
            match worth {
                true => {
                    let name = fresh_name(module, made, function.name, "arrays");
                    made.push(outline(function, &layer.cluster, name, &mut insts));
                }
                false => insts.extend(layer.cluster),
            }
        }
        function.blocks[block].insts = insts;
    }
}

/// Whether the array host computes an instruction.
pub(super) fn is_array_operation(
    module: &Module,
    function: &Function,
    registry: &Registry,
    row: &InstData,
) -> bool {
    match row.op {
        Op::Map(_) => true,
        Op::Call(callee) if !module.has_called(callee) && callee.memory_op().is_none() => {
            let types: Vec<Type> = row.args.iter().map(|&v| function.ty(v)).collect();
            let by_host = match registry.entry(callee, &types).map(|entry| &entry.kind) {
                Some(EntryKind::Array(rule)) => rule.body.is_none() && rule.native.is_none(),
                Some(_) => false,
                None => true,
            };
            let op = callee.host_op().filter(|_| by_host);
            op.is_some_and(|op| op != HostOp::Item || function.ty(row.result).is_float())
        }
        _ => false,
    }
}

/// Whether an instruction after array operations can be done between them: arithmetic on numbers that they give, tuples and fields of what they give.
/// A whole number or a bool that a float decides cannot: it may be an extent.
fn goes_along(function: &Function, row: &InstData) -> bool {
    let Op::Prim(prim) = row.op else { return false };
    let result = function.ty(row.result);
    let mut args = row.args.iter().map(|&arg| function.ty(arg));
    match prim {
        Prim::Field(_) => true,
        // The host is given single words: no slices, no tuples that hold some.
        Prim::Tuple => args.all(|ty| ty.is_array() || ty.is_scalar()),
        _ => {
            let is_float = result.is_float();
            prim.effect() == Effect::Pure
                && result.is_scalar()
                && args.all(|ty| ty.is_scalar() && (is_float || !ty.is_float()))
        }
    }
}

/// Makes a function of instructions, appends a call of it in their place to `insts`, and what takes its results apart.
pub(super) fn outline(
    function: &mut Function,
    cluster: &[Inst],
    name: Symbol,
    insts: &mut Vec<Inst>,
) -> Function {
    let members: FxHashSet<Inst> = cluster.iter().copied().collect();
    let made: FxHashSet<Value> = cluster.iter().map(|&i| function.insts[i].result).collect();
    let mut read: Vec<Value> = Vec::new();
    for &inst in cluster {
        for &arg in &function.insts[inst].args {
            if !made.contains(&arg) && function.as_const(arg).is_none() && !read.contains(&arg) {
                read.push(arg);
            }
        }
    }
    let results = used_outside(function, &members, &made);
    let types: Vec<Type> = read.iter().map(|&v| function.ty(v)).collect();
    let given: Vec<Type> = results.iter().map(|&v| function.ty(v)).collect();
    let ret = Type::tuple(&given);
    let mut builder = Builder::new(Function::new(name, &types, ret));
    builder.function.clustered = true;
    let params = builder.function.params().to_vec();
    let mut copies: FxHashMap<Value, Value> = read.iter().copied().zip(params).collect();
    for &inst in cluster {
        let row = &function.insts[inst];
        builder.span = row.span;
        let args: Vec<Value> = row
            .args
            .iter()
            .map(|arg| match (copies.get(arg), function.as_const(*arg)) {
                (Some(&copy), _) => copy,
                (None, Some(c)) => builder.constant(c, function.ty(*arg)),
                (None, None) => *arg,
            })
            .collect();
        let copy = builder.inst(row.op, &args, function.ty(row.result));
        copies.insert(row.result, copy);
    }
    let span = function.insts[cluster[0]].span;
    let out: Vec<Value> = results.iter().map(|v| copies[v]).collect();
    let tuple = builder.inst(Op::Prim(Prim::Tuple), &out, ret);
    builder.ret(tuple);

    let call = function.make_inst(Op::Call(Callee::Function(name)), &read, ret, span);
    insts.push(call);
    let tuple = function.insts[call].result;
    for (n, &value) in results.iter().enumerate() {
        let field = Op::Prim(Prim::Field(n as u32));
        let inst = function.make_inst(field, &[tuple], function.ty(value), span);
        // The value keeps its name: whoever uses it need not be changed.
        let fresh = function.insts[inst].result;
        function.insts[inst].result = value;
        function.values[value].def = ValueDef::Inst(inst);
        debug_assert_ne!(fresh, value);
        insts.push(inst);
    }
    builder.finish()
}

/// The values of a cluster that others use, in order.
fn used_outside(
    function: &Function,
    members: &FxHashSet<Inst>,
    made: &FxHashSet<Value>,
) -> Vec<Value> {
    let mut used: BTreeSet<Value> = BTreeSet::new();
    for (_, data) in function.blocks_in_order() {
        for inst in data.insts.iter().filter(|inst| !members.contains(inst)) {
            used.extend(
                function.insts[*inst]
                    .args
                    .iter()
                    .filter(|v| made.contains(v)),
            );
        }
        data.terminator.for_each_value(|v| {
            if made.contains(&v) {
                used.insert(v);
            }
        });
    }
    used.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse_module;
    use expect_test::expect;

    #[test]
    fn counts_are_named_where_they_are_constant() {
        let text = "fn @f(%x: array<f64>, %i: usize, %j: usize, %g: array<f64>) -> array<f64> {
            b0:
                %axis: usize = 0
                %one: usize = 1
                %three: usize = 3
                %end: usize = add %i, %three
                %a: array<f64> = call @slice_axis(%x, %axis, %i, %end, %one)
                %b: array<f64> = call @slice_axis(%x, %axis, %i, %j, %one)
                %c: array<f64> = call @slice_axis(%x, %axis, %i, %end, %three)
                %d: array<f64> = call @unslice_axis(%g, %axis, %i, %j, %one, %x)
                %e: array<f64> = call @replace_axis(%x, %axis, %i, %end, %one, %g)
                %f: array<f64> = call @replace_axis(%x, %axis, %i, %j, %one, %g)
                %next: usize = add %i, %one
                %from: usize = mul %i, %three
                %to: usize = mul %next, %three
                %h: array<f64> = call @slice_axis(%x, %axis, %from, %to, %one)
                return %h
            }";
        let mut function = parse_module(text).unwrap().root().clone();
        let ends = name_counts(&mut function);
        assert_eq!(ends.len(), 1);
        expect![[r#"
            fn @f(%0: array<f64>, %1: usize, %2: usize, %3: array<f64>) -> array<f64> {
            b0:
                %4: usize = 0
                %5: usize = 1
                %6: usize = 3
                %7: usize = add %1, %6
                %18: usize = 3
                %8: array<f64> = call @narrow(%0, %4, %1, %18)
                %9: array<f64> = call @slice_axis(%0, %4, %1, %2, %5)
                %10: array<f64> = call @slice_axis(%0, %4, %1, %7, %6)
                %11: array<f64> = call @place(%3, %4, %1, %0)
                %19: usize = 3
                %20: usize = add %1, %19
                %12: array<f64> = call @replace_axis(%0, %4, %1, %20, %5, %3)
                %13: array<f64> = call @replace_axis(%0, %4, %1, %2, %5, %3)
                %14: usize = add %1, %5
                %15: usize = mul %1, %6
                %16: usize = mul %14, %6
                %21: usize = 3
                %17: array<f64> = call @narrow(%0, %4, %15, %21)
                return %17
            }
        "#]]
        .assert_eq(&function.to_string());
    }
}
