//! Fusion of elementwise maps: a cluster of maps becomes one map of one composed scalar function.
//!
//! Done before the AD transform, so that a cluster has one forward kernel and one backward kernel, which recomputes what
//! it needs. An intermediate array disappears if only the cluster reads it.
//!
//! Broadcasting: the nested and the composed map give the same values, because broadcasting shapes together is
//! associative. But a map over a small array that is then broadcast (the `exp` of a row of biases) is computed once
//! per element of the small array if nested, and once per element of the result if composed. So a function that costs
//! something is only taken in where its own result provably has the shape of the cluster's.

use super::straighten::merge_blocks;
use super::{fresh_name, rewrite_maps};
use crate::ir::build::{Builder, clean};
use crate::ir::expr::scalar_primitive;
use crate::ir::{Block, Function, HostOp, Inst, Module, Op, Prim, Symbol, Type, Value, ValueDef};
use crate::normalise::inline_into;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A kernel reads at most this many arrays: its derivative binds each twice, and devices limit bindings.
const MAX_ARRAYS: usize = 6;
/// The number of maps in a cluster, which bounds what a backward kernel recomputes.
const MAX_MAPS: usize = 24;
/// What a map may cost per element that is computed more often than it need be. A function call costs more.
const CHEAP: usize = 6;

/// Fuses the maps of every function. The composed functions join the module as `f.map0`, `f.map1`, …; functions that
/// nothing uses any more leave it. Only maps in one block are fused.
pub fn fuse_maps(module: Module) -> Module {
    rewrite_maps(module, fuse_function)
}

/// Fuses the maps of one function and returns the composed functions.
fn fuse_function(module: &Module, function: &mut Function) -> Vec<Function> {
    let mut composed: Vec<Function> = Vec::new();
    // What is learned here stays right while clusters are replaced: a cluster reads what its maps have read.
    let uses = uses(function);
    let mut shapes = Shapes::default();
    for block in function.layout.clone() {
        // The last map first: what it takes in is then not looked at on its own.
        let mut taken = FxHashSet::default();
        for inst in function.blocks[block].insts.clone().into_iter().rev() {
            if taken.contains(&inst) || !is_map(function, inst) {
                continue;
            }
            let cluster = grow(module, function, &uses, &mut shapes, block, inst);
            let name = fresh_name(module, &composed, function.name, "map");
            if let Some(kernel) = compose(module, function, &cluster, inst, name) {
                composed.push(kernel);
                taken.extend(cluster.into_iter().filter(|&member| member != inst));
            }
        }
        let insts = &mut function.blocks[block].insts;
        insts.retain(|inst| !taken.contains(inst));
    }
    composed
}

/// Whether an instruction is a map with one array as its result.
fn is_map(function: &Function, inst: Inst) -> bool {
    let row = &function.insts[inst];
    matches!(row.op, Op::Map(_)) && function.ty(row.result).is_array()
}

/// The maps that can be computed together with `root`, in the block's order.
fn grow(
    module: &Module,
    function: &Function,
    uses: &FxHashMap<Value, Vec<User>>,
    shapes: &mut Shapes,
    block: Block,
    root: Inst,
) -> Vec<Inst> {
    let shape = shapes.of(function, function.insts[root].result);
    let mut cluster = Cluster {
        module,
        function,
        uses,
        shapes,
        members: FxHashSet::from_iter([root]),
    };
    let candidates: FxHashSet<Inst> = function.blocks[block].insts.iter().copied().collect();
    while let Some(next) = cluster.next(&candidates, &shape) {
        cluster.members.insert(next);
    }
    let insts = function.blocks[block].insts.iter();
    insts
        .copied()
        .filter(|inst| cluster.members.contains(inst))
        .collect()
}

/// A cluster that grows.
struct Cluster<'a> {
    module: &'a Module,
    function: &'a Function,
    uses: &'a FxHashMap<Value, Vec<User>>,
    shapes: &'a mut Shapes,
    members: FxHashSet<Inst>,
}

/// What uses a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum User {
    Inst(Inst),
    Terminator,
}

impl Cluster<'_> {
    /// A map that the cluster can take in.
    fn next(&mut self, candidates: &FxHashSet<Inst>, shape: &BTreeSet<Value>) -> Option<Inst> {
        if self.members.len() >= MAX_MAPS {
            return None;
        }
        let mut members: Vec<Inst> = self.members.iter().copied().collect();
        members.sort();
        let args = members
            .iter()
            .flat_map(|&inst| self.function.insts[inst].args.clone());
        let definitions = args.filter_map(|arg| match self.function.values[arg].def {
            ValueDef::Inst(inst) => Some(inst),
            ValueDef::Param(..) => None,
        });
        let open: BTreeSet<Inst> = definitions
            .filter(|inst| candidates.contains(inst) && !self.members.contains(inst))
            .collect();
        open.into_iter().find(|&inst| self.fits(inst, shape))
    }
    fn fits(&mut self, inst: Inst, shape: &BTreeSet<Value>) -> bool {
        let function = self.function;
        let result = function.insts[inst].result;
        is_map(function, inst)
            && self.uses[&result]
                .iter()
                .all(|user| matches!(user, User::Inst(i) if self.members.contains(i)))
            && self.arrays_with(inst) <= MAX_ARRAYS
            && (cost(self.module, function, inst) <= CHEAP
                || self.shapes.of(function, result) == *shape)
    }
    /// The number of arrays that the cluster reads once it has taken `inst` in.
    fn arrays_with(&self, inst: Inst) -> usize {
        let members: FxHashSet<Inst> = self.members.iter().copied().chain([inst]).collect();
        inputs(self.function, &members)
            .filter(|&v| self.function.ty(v).is_array())
            .collect::<BTreeSet<_>>()
            .len()
    }
}

/// The values that a cluster reads, with repetitions.
fn inputs(function: &Function, members: &FxHashSet<Inst>) -> impl Iterator<Item = Value> {
    let inside: FxHashSet<Value> = members.iter().map(|&i| function.insts[i].result).collect();
    let mut ordered: Vec<Inst> = members.iter().copied().collect();
    ordered.sort();
    let args = ordered
        .into_iter()
        .flat_map(|inst| function.insts[inst].args.clone());
    args.filter(move |arg| !inside.contains(arg))
        .collect::<Vec<_>>()
        .into_iter()
}

fn uses(function: &Function) -> FxHashMap<Value, Vec<User>> {
    let mut uses: FxHashMap<Value, Vec<User>> = FxHashMap::default();
    for (_, data) in function.blocks_in_order() {
        for &inst in &data.insts {
            let row = &function.insts[inst];
            uses.entry(row.result).or_default();
            for &arg in &row.args {
                uses.entry(arg).or_default().push(User::Inst(inst));
            }
        }
        data.terminator
            .for_each_value(|v| uses.entry(v).or_default().push(User::Terminator));
    }
    uses
}

/// What a map computes per element, in additions.
fn cost(module: &Module, function: &Function, inst: Inst) -> usize {
    let Op::Map(callee) = function.insts[inst].op else {
        return 0;
    };
    if let Some(prim) = scalar_primitive(callee.as_str()) {
        return primitive_cost(prim);
    }
    let Some(body) = module.functions.get(&callee) else {
        return CHEAP + 1;
    };
    let insts = body.blocks_in_order().flat_map(|(_, data)| &data.insts);
    insts
        .map(|&inst| match body.insts[inst].op {
            Op::Prim(prim) => primitive_cost(prim),
            Op::Const(_) => 0,
            Op::Call(_) | Op::Map(_) => CHEAP + 1,
        })
        .sum()
}

fn primitive_cost(prim: Prim) -> usize {
    match prim {
        Prim::Div | Prim::Sqrt => 4,
        Prim::Rem => CHEAP + 1,
        _ => 1,
    }
}

/// Shapes as far as they follow from how arrays are made: two arrays whose shapes are broadcast from the same arrays'
/// have equal shapes.
#[derive(Default)]
struct Shapes(FxHashMap<Value, BTreeSet<Value>>);

impl Shapes {
    /// The arrays whose shapes, broadcast together, are the value's. Walks from definition to definition with its own stack.
    fn of(&mut self, function: &Function, value: Value) -> BTreeSet<Value> {
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            let sources = shape_sources(function, top);
            let missing = sources
                .iter()
                .find(|v| **v != top && !self.0.contains_key(*v));
            match missing {
                Some(&source) => stack.push(source),
                None => {
                    let shape = match sources[..] {
                        [] => BTreeSet::from([top]),
                        _ => sources.iter().flat_map(|v| self.0[v].clone()).collect(),
                    };
                    self.0.insert(top, shape);
                    stack.pop();
                }
            }
        }
        self.0[&value].clone()
    }
}

/// The arguments of a value's definition that decide its shape; none if it has one of its own.
fn shape_sources(function: &Function, value: Value) -> Vec<Value> {
    let Some(inst) = function.def_inst(value) else {
        return Vec::new();
    };
    let is_array = |v: &Value| function.ty(*v).is_array();
    match inst.op {
        Op::Map(_) if is_array(&inst.result) => {
            inst.args.iter().copied().filter(is_array).collect()
        }
        Op::Call(callee) => match callee.host_op() {
            Some(HostOp::Softmax | HostOp::LogSoftmax) => vec![inst.args[0]],
            Some(HostOp::ReshapeLike | HostOp::Expand | HostOp::FullLike) => vec![inst.args[1]],
            _ => Vec::new(),
        },
        Op::Map(_) | Op::Const(_) | Op::Prim(_) => Vec::new(),
    }
}

/// Replaces `root`, the last of the cluster, by one map over what the cluster reads. Constants move into the function.
/// `None` if there is but one map.
fn compose(
    module: &Module,
    function: &mut Function,
    cluster: &[Inst],
    root: Inst,
    name: Symbol,
) -> Option<Function> {
    if cluster.len() < 2 {
        return None;
    }
    let members: FxHashSet<Inst> = cluster.iter().copied().collect();
    let mut read: Vec<Value> = Vec::new();
    for value in inputs(function, &members) {
        if !is_scalar_constant(function, value) && !read.contains(&value) {
            read.push(value);
        }
    }
    let mut composed = composition(function, cluster, root, name, &read)?;
    inline_into(&mut composed, &|callee, _| module.called(callee).cloned());
    clean(&mut composed);
    merge_blocks(&mut composed);
    function.insts[root].op = Op::Map(name);
    function.insts[root].args = read.into();
    Some(composed)
}

fn is_scalar_constant(function: &Function, value: Value) -> bool {
    function.ty(value).is_scalar() && function.as_const(value).is_some()
}

/// The cluster as a function of elements, calling what its maps apply.
fn composition(
    function: &Function,
    cluster: &[Inst],
    root: Inst,
    name: Symbol,
    read: &[Value],
) -> Option<Function> {
    let element = |v: Value| function.ty(v).element().unwrap_or(function.ty(v));
    let types: Vec<Type> = read.iter().map(|&v| element(v)).collect();
    let ret = element(function.insts[root].result);
    let mut builder = Builder::new(Function::new(name, &types, ret));
    let params = builder.function.params().to_vec();
    let mut scalars: FxHashMap<Value, Value> = read.iter().copied().zip(params).collect();
    for &inst in cluster {
        let row = &function.insts[inst];
        builder.span = match row.op {
            // An error of shapes names the map.
            Op::Map(callee) if row.span.method.is_empty() => {
                row.span.in_method(callee.last_segment())
            }
            _ => row.span,
        };
        let mut args = Vec::new();
        for &arg in &row.args {
            args.push(match scalars.get(&arg) {
                Some(&scalar) => scalar,
                None => builder.constant(function.as_const(arg)?, function.ty(arg)),
            });
        }
        let scalar = apply(&mut builder, row.op, &args, element(row.result));
        scalars.insert(row.result, scalar);
    }
    let result = *scalars.get(&function.insts[root].result)?;
    builder.ret(result);
    Some(builder.finish())
}

/// What a map does to one element.
fn apply(builder: &mut Builder, op: Op, args: &[Value], ret: Type) -> Value {
    match op {
        Op::Map(callee) => match scalar_primitive(callee.as_str()) {
            Some(prim) => builder.prim_to(prim, args, ret),
            None => builder.call(callee, args, ret),
        },
        op => builder.inst(op, args, ret),
    }
}
