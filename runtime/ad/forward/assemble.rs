//! Walks a function and builds its dual, block by block.

use super::activity::Activity;
use super::step::{Assembly, Dual, Tangent, is_address};
use super::{Derivation, DualKind};
use crate::diag::Result;
use crate::ir::build::Builder;
use crate::ir::flow::Flow;
use crate::ir::{Block, Const, Edge, Function, Op, Prim, Symbol, Terminator, Value};
use crate::tangent::{self, has_tangent, leaves};
use rustc_hash::{FxHashMap, FxHashSet};

/// A dual.
pub(super) struct Derived {
    pub function: Function,
    /// Elementwise: along each direction, for each leaf of the primal's result, which of the dual's results is its tangent.
    pub tangents: Vec<Vec<Option<usize>>>,
}

/// The dual of a function, with tangents for the active parameters.
pub(super) fn derive(
    derivation: &mut Derivation,
    function: &Function,
    name: Symbol,
    active: &[bool],
    dual_kind: DualKind,
) -> Result<Derived> {
    let flow = Flow::new(function);
    let activity = Activity::new(derivation, function, active, &flow)?;
    let mut types = function.param_types();
    types.extend(tangent::tangents(&types, active, derivation.directions));
    // Of an elementwise function it is known at the end which tangents there are.
    let ret = tangent::dual(function.ret, derivation.directions);
    let dual = Function::new(name, &types, ret);
    let assembly = Assembly {
        derivation,
        dual_kind,
        user: function.name,
        b: Builder::new(dual),
        certain: false,
        present: FxHashSet::default(),
    };
    let walk = Walk {
        function,
        activity,
        assembly,
        blocks: FxHashMap::default(),
        duals: FxHashMap::default(),
        tangents: Vec::new(),
    };
    walk.run(active, &flow)
}

/// A function and its dual so far.
struct Walk<'f, 'a, 'd> {
    function: &'f Function,
    activity: Activity,
    assembly: Assembly<'a, 'd>,
    blocks: FxHashMap<Block, Block>,
    duals: FxHashMap<Value, Dual>,
    tangents: Vec<Vec<Option<usize>>>,
}

impl Walk<'_, '_, '_> {
    fn run(mut self, active: &[bool], flow: &Flow) -> Result<Derived> {
        let order = flow.reverse_postorder();
        self.open(active, order);
        let is_end = |&b: &Block| {
            let end = &self.function.blocks[b].terminator;
            matches!(end, Terminator::Return(_))
        };
        let end = order.iter().copied().find(is_end);
        for &block in order {
            let always = end.is_none_or(|end| flow.dominates(block, end));
            self.assembly.certain = self.assembly.dual_kind == DualKind::Root && always;
            self.assembly.b.switch_to(self.blocks[&block]);
            let data = &self.function.blocks[block];
            for &inst in &data.insts {
                let row = &self.function.insts[inst];
                self.assembly.b.span = row.span;
                let args: Vec<Dual> = row.args.iter().map(|v| self.duals[v].clone()).collect();
                let ty = self.function.ty(row.result);
                let dual = match row.op {
                    Op::Prim(Prim::Alloc) if !self.activity.varies(row.result) => {
                        self.assembly.constant(row.op, &args, ty)
                    }
                    op => self.assembly.step(op, &args, ty)?,
                };
                self.name(row.result, dual.value);
                self.duals.insert(row.result, dual);
            }
            self.terminator(&data.terminator)?;
        }
        let mut function = self.assembly.b.finish();
        super::super::sweep(&mut function);
        Ok(Derived {
            function,
            tangents: self.tangents,
        })
    }
    /// Makes the blocks and their parameters.
    fn open(&mut self, active: &[bool], order: &[Block]) {
        let entry = self.function.entry();
        let b = &mut self.assembly.b;
        self.blocks.insert(entry, b.block());
        let all = b.function.params().to_vec();
        let (values, tangents) = all.split_at(active.len());
        if self.assembly.dual_kind == DualKind::Root {
            self.assembly.present.extend(tangents);
        }
        let count = active.iter().filter(|&&active| active).count();
        let mut next = 0;
        for ((&param, &value), &active) in self.function.params().iter().zip(values).zip(active) {
            let mut found = vec![None; leaves(self.function.ty(param)).len()];
            let along = self.assembly.directions().map(|d| {
                if active {
                    found[0] = tangents.get(d * count + next).copied();
                }
                found.clone()
            });
            let along = along.collect();
            next += usize::from(active);
            self.enter(param, value, along);
        }
        for param in self.activity.shadowed.clone() {
            let value = self.duals[&param].value;
            let along = self.assembly.directions().map(|_| {
                let shadow = self.assembly.b.zeros_like(value, self.assembly.ty(value));
                vec![Some(shadow)]
            });
            let along = along.collect();
            self.enter(param, value, along);
        }
        for &block in order.iter().filter(|&&block| block != entry) {
            let copy = self.assembly.b.new_block();
            self.blocks.insert(block, copy);
            for &param in &self.function.blocks[block].params {
                let ty = self.function.ty(param);
                let value = self.assembly.b.add_param(copy, ty);
                let (varies, nothing) =
                    (self.activity.varies(param), self.activity.is_nothing(param));
                let mut tangents = Vec::new();
                for _ in self.assembly.directions() {
                    let tangent = leaves(ty).into_iter().map(|leaf| match varies {
                        true => has_tangent(leaf).then(|| {
                            let ty = tangent::widened(leaf);
                            self.assembly.b.add_param(copy, ty)
                        }),
                        // In the entry, so that it is there wherever the parameter is.
                        false => (nothing && is_address(leaf))
                            .then(|| self.assembly.b.constant(Const::Null, leaf)),
                    });
                    tangents.push(tangent.collect());
                }
                self.enter(param, value, tangents);
            }
        }
    }
    fn enter(&mut self, param: Value, value: Value, tangents: Vec<Tangent>) {
        self.name(param, value);
        self.duals.insert(param, Dual { value, tangents });
    }
    /// Keeps the user's name.
    fn name(&mut self, from: Value, to: Value) {
        let name = self.function.values[from].name;
        let row = &mut self.assembly.b.function.values[to];
        row.name = row.name.or(name);
    }

    fn terminator(&mut self, terminator: &Terminator) -> Result<()> {
        match terminator {
            Terminator::Jump(edge) => {
                let (block, args) = self.edge(edge)?;
                self.assembly.b.jump(block, &args);
            }
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.duals[condition].value;
                let (then, otherwise) = (self.edge(then)?, self.edge(otherwise)?);
                let otherwise = (otherwise.0, &otherwise.1[..]);
                let then = (then.0, &then.1[..]);
                self.assembly.b.branch(condition, then, otherwise);
            }
            Terminator::Return(value) => {
                let result = self.result(&self.duals[value].clone())?;
                self.assembly.b.ret(result);
            }
            Terminator::Error(fault, values, span) => {
                let values: Vec<Value> = values.iter().map(|v| self.duals[v].value).collect();
                self.assembly.b.span = *span;
                self.assembly.b.error(*fault, &values);
            }
            Terminator::Missing => return Err(self.assembly.internal("it is unfinished".into())),
        }
        Ok(())
    }
    /// The arguments of an edge, with the tangents of the parameters that vary.
    fn edge(&mut self, edge: &Edge) -> Result<(Block, Vec<Value>)> {
        let mut args = Vec::new();
        for (param, arg) in self.function.blocks[edge.block]
            .params
            .iter()
            .zip(&edge.args)
        {
            let arg = self.duals[arg].clone();
            args.push(arg.value);
            let values = self.assembly.b.leaves(arg.value);
            let types = leaves(self.function.ty(*param));
            for tangent in arg.tangents {
                for (n, &ty) in types.iter().enumerate() {
                    let carried = has_tangent(ty) && self.activity.varies(*param);
                    match (carried, tangent[n]) {
                        (true, Some(tangent)) => args.push(tangent),
                        (true, None) => {
                            let ty = tangent::widened(ty);
                            args.push(self.assembly.zero(ty, values[n])?);
                        }
                        (false, None) => {}
                        (false, Some(shadow)) if self.assembly.is_nothing(shadow) => {}
                        (false, Some(_)) => {
                            let message = format!("the tangent of {param} is lost");
                            return Err(self.assembly.internal(message));
                        }
                    }
                }
            }
        }
        Ok((self.blocks[&edge.block], args))
    }
    /// What is returned, as the form says.
    fn result(&mut self, dual: &Dual) -> Result<Value> {
        let types = leaves(self.function.ret);
        let a = &mut self.assembly;
        let values = a.b.leaves(dual.value);
        if a.dual_kind == DualKind::Elementwise {
            let mut results = values;
            for tangent in &dual.tangents {
                let mut places = Vec::new();
                for leaf in tangent {
                    places.push(leaf.map(|_| results.len()));
                    results.extend(leaf);
                }
                self.tangents.push(places);
            }
            let tuple = a.b.prim(Prim::Tuple, &results);
            a.b.function.ret = a.ty(tuple);
            return Ok(tuple);
        }
        let mut results = vec![dual.value];
        let along = dual.tangents.iter().flat_map(|tangent| {
            let typed = types.iter().zip(tangent);
            typed.zip(&values)
        });
        for ((&ty, tangent), &value) in along {
            if has_tangent(ty) {
                let tangent = match tangent {
                    Some(tangent) => *tangent,
                    None => a.zero(tangent::widened(ty), value)?,
                };
                results.push(match a.dual_kind {
                    DualKind::Root => a.whole(tangent, value),
                    DualKind::Callee | DualKind::Elementwise => tangent,
                });
            }
        }
        Ok(a.b.prim(Prim::Tuple, &results))
    }
}
