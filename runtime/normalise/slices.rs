//! A slice that depends on the path taken is split into an address and a length.

use crate::arena::Id;
use crate::diag::Span;
use crate::ir::build::{Folded, fold, remove_params, substitute};
use crate::ir::{Block, Function, Inst, Op, Prim, Type, Value};
use rustc_hash::FxHashMap;

/// Splits every slice parameter of a block, unless all arguments for it are parts of the same parameter of the function. The block then takes a `ptr` and
/// a `usize` and makes a `view` of them. So after the entry, slices are known parts of parameters, or views.
pub(super) fn split_slices(function: &mut Function) {
    let stems = Stems::new(function);
    let entry = function.entry();
    let mut split: Vec<(Block, Value)> = Vec::new();
    for (block, data) in function
        .blocks_in_order()
        .filter(|(block, _)| *block != entry)
    {
        let is_split = |&&param: &&Value| is_slice(function.ty(param)) && !stems.is_one(param);
        split.extend(
            data.params
                .iter()
                .filter(is_split)
                .map(|&param| (block, param)),
        );
    }
    if split.is_empty() {
        return;
    }
    let mut views = FxHashMap::default();
    for &(block, param) in &split {
        let at = function.add_param(block, Type::Ptr);
        let length = function.add_param(block, Type::Usize);
        for part in [at, length] {
            function.values[part].name = function.values[param].name;
        }
        let op = Op::Prim(Prim::View);
        let view = function.make_inst(op, &[at, length], function.ty(param), Span::NONE);
        function.blocks[block].insts.insert(0, view);
        views.insert(param, function.insts[view].result);
    }
    substitute(function, &views);
    pass_parts(function, &split);
    remove_params(function, |param| views.contains_key(&param));
}

/// Passes the address and length of the arguments for these parameters, at the end of the argument list.
fn pass_parts(function: &mut Function, split: &[(Block, Value)]) {
    for block in function.layout.clone() {
        let mut terminator = function.blocks[block].terminator.clone();
        for edge in terminator.edges_mut() {
            let params = function.blocks[edge.block].params.clone();
            let given = params.iter().zip(edge.args.clone());
            let slices: Vec<Value> = given
                .filter(|(param, _)| split.contains(&(edge.block, **param)))
                .map(|(_, arg)| arg)
                .collect();
            for slice in slices {
                edge.args
                    .push(part(function, block, Prim::Base, Type::Ptr, slice));
                edge.args
                    .push(part(function, block, Prim::Len, Type::Usize, slice));
            }
        }
        function.blocks[block].terminator = terminator;
    }
}

/// The address or length of a slice, computed at the end of a block if it is not known yet.
fn part(function: &mut Function, block: Block, prim: Prim, ty: Type, slice: Value) -> Value {
    let op = match fold(function, prim, &[slice], ty) {
        Some(Folded::Value(value)) => return value,
        Some(Folded::Const(c)) => return function.append(block, Op::Const(c), &[], ty, Span::NONE),
        None => Op::Prim(prim),
    };
    let is_same =
        |&&inst: &&Inst| function.insts[inst].op == op && function.insts[inst].args[..] == [slice];
    match function.blocks[block].insts.iter().find(is_same) {
        Some(&inst) => function.insts[inst].result,
        None => function.append(block, op, &[slice], ty, Span::NONE),
    }
}

fn is_slice(ty: Type) -> bool {
    matches!(ty, Type::Slice(_) | Type::SliceMut(_))
}

/// The parameters that slices are parts of.
struct Stems {
    /// Indexed by value. The outer `None`: nothing is known to reach it; the inner: more than one parameter, or none.
    stems: Vec<Option<Option<Value>>>,
}

impl Stems {
    /// Every slice is assumed to be part of one parameter until something else reaches it.
    fn new(function: &Function) -> Stems {
        let mut stems = Stems {
            stems: vec![None; function.values.len()],
        };
        for &param in function.params() {
            stems.meet(param, Some(param));
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (_, data) in function.blocks_in_order() {
                for &inst in &data.insts {
                    let data = &function.insts[inst];
                    match data.op {
                        _ if !is_slice(function.ty(data.result)) => {}
                        Op::Prim(Prim::Subslice) => {
                            changed |= stems.flow(data.result, data.args[0])
                        }
                        _ => changed |= stems.meet(data.result, None),
                    }
                }
                for edge in data.terminator.edges() {
                    let params = &function.blocks[edge.block].params;
                    for (&param, &arg) in params.iter().zip(&edge.args) {
                        if is_slice(function.ty(param)) {
                            changed |= stems.flow(param, arg);
                        }
                    }
                }
            }
        }
        stems
    }
    fn flow(&mut self, value: Value, from: Value) -> bool {
        let stem = self.stems[from.index()];
        stem.is_some_and(|stem| self.meet(value, stem))
    }
    fn meet(&mut self, value: Value, stem: Option<Value>) -> bool {
        let known = &mut self.stems[value.index()];
        let met = known.map_or(stem, |known| known.filter(|_| known == stem));
        known.replace(met) != Some(met)
    }
    fn is_one(&self, value: Value) -> bool {
        matches!(self.stems[value.index()], Some(Some(_)))
    }
}
