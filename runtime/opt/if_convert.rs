//! If-conversion (Allen, Kennedy, Porterfield and Warren, 1983): a scalar function that branches, without loops, becomes a straight line
//! that computes both sides and selects between their results.
//!
//! The pass converts the functions of maps, after everything else. Kernels compute several points at a time, and the points may take different
//! sides; and only straight-line code becomes part of a larger kernel. A function stays as it is if it has loops, faults, memory or calls of
//! functions of the program. So does one that calls a pack's function without an expression, which might panic for arguments that the program
//! never gives it. A selected value keeps its bits, and nothing of the other side reaches it.

use super::effects::Calls;
use crate::ir::build::Builder;
use crate::ir::flow::{Flow, Loops};
use crate::ir::{
    Block, Callee, Edge, Effect, Function, InstData, Module, Op, Prim, Symbol, Terminator, Type,
    Value,
};
use crate::kernel::cost;
use crate::registry::Registry;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A function that costs more than this at a point is not converted, because computing both sides would cost more than a kernel gains.
const DEAR: usize = 400;

/// Converts the functions of maps.
pub fn if_convert(mut module: Module, registry: &Registry) -> Module {
    let calls = Calls::new(&module, registry);
    let mapped: BTreeSet<Symbol> = module.functions.values().flat_map(maps).collect();
    let converted: Vec<Function> = mapped
        .into_iter()
        .filter_map(|name| straight_line(module.functions.get(&name)?, &calls))
        .collect();
    converted
        .into_iter()
        .for_each(|function| module.insert(function));
    module
}

/// The functions that a function maps over arrays.
fn maps(function: &Function) -> Vec<Symbol> {
    let insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
    let callees = insts.filter_map(|&inst| match function.insts[inst].op {
        Op::Map(callee) => Some(callee),
        _ => None,
    });
    callees.collect()
}

/// The function without branches, if it has any and may be converted.
fn straight_line(function: &Function, calls: &Calls) -> Option<Function> {
    let flow = Flow::new(function);
    if function.layout.len() == 1 || Loops::new(function, &flow).all().next().is_some() {
        return None;
    }
    let blocks = || {
        flow.reverse_postorder()
            .iter()
            .map(|&block| &function.blocks[block])
    };
    let insts = || {
        blocks()
            .flat_map(|data| &data.insts)
            .map(|&inst| &function.insts[inst])
    };
    let may_be_computed = insts().all(|inst| is_harmless(function, inst, calls));
    let ends = blocks().all(|data| {
        matches!(
            data.terminator,
            Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Return(_)
        )
    });
    let params = blocks()
        .flat_map(|data| &data.params)
        .all(|&param| function.ty(param).is_scalar());
    let returns = blocks().filter(|data| matches!(data.terminator, Terminator::Return(_)));
    let has_one_result = function.ret.is_scalar() || returns.count() == 1;
    let total: usize = insts().map(|inst| cost(inst.op)).sum();
    (may_be_computed && ends && params && has_one_result && total <= DEAR)
        .then(|| converted(function, &flow))
}

/// Whether an instruction may be computed where the function would not come to it.
fn is_harmless(function: &Function, inst: &InstData, calls: &Calls) -> bool {
    match inst.op {
        Op::Const(_) => true,
        // A processor does not divide integers by zero.
        Op::Prim(Prim::Div | Prim::Rem) => function.ty(inst.result).is_float(),
        Op::Prim(prim) => Op::Prim(prim).effect() == Effect::Pure,
        Op::Call(Callee::Function(name) | Callee::WithPartials(name)) => {
            let types: Vec<Type> = inst.args.iter().map(|&v| function.ty(v)).collect();
            let entry = calls.registry().find(name, &types);
            let has_body = entry.is_some_and(|entry| entry.body().is_some());
            has_body && calls.effect(function, inst) == Effect::Pure
        }
        Op::Call(_) | Op::Map(_) => false,
    }
}

/// The straight line. In reverse post-order all ways into a block are known before the block.
fn converted(function: &Function, flow: &Flow) -> Function {
    let mut straight = Straight {
        function,
        builder: Builder::new(function.shell()),
        copies: FxHashMap::default(),
        ways: FxHashMap::default(),
        returned: Vec::new(),
    };
    let params = straight.builder.function.params().to_vec();
    straight
        .copies
        .extend(function.params().iter().copied().zip(params));
    let entry = vec![(Condition::new(), Vec::new())];
    straight.ways.insert(function.entry(), entry);
    for &block in flow.reverse_postorder() {
        straight.block(block);
    }
    let returned = std::mem::take(&mut straight.returned);
    let result = straight.chosen(&returned);
    straight.builder.ret(result);
    straight.builder.finish()
}

/// The branches on the way to a block, each with the side that was taken. None: the block is always reached.
type Condition = Vec<(Value, bool)>;

/// A straight line in the making.
struct Straight<'f> {
    function: &'f Function,
    builder: Builder,
    /// The value of each value of the function.
    copies: FxHashMap<Value, Value>,
    /// The ways into each block, with what they bring along.
    ways: FxHashMap<Block, Vec<(Condition, Vec<Value>)>>,
    /// What is returned, and when.
    returned: Vec<(Condition, Value)>,
}

impl Straight<'_> {
    fn block(&mut self, block: Block) {
        let function = self.function;
        let ways = self.ways.remove(&block).unwrap_or_default();
        for (n, &param) in function.blocks[block].params.iter().enumerate() {
            if block != function.entry() {
                let values: Vec<_> = ways
                    .iter()
                    .map(|(when, args)| (when.clone(), args[n]))
                    .collect();
                let value = self.chosen(&values);
                self.copies.insert(param, value);
            }
        }
        for &inst in &function.blocks[block].insts {
            let row = &function.insts[inst];
            let args: Vec<Value> = row.args.iter().map(|arg| self.copies[arg]).collect();
            let made = match row.op {
                Op::Const(c) => self.builder.constant(c, function.ty(row.result)),
                op => self.builder.emit(op, &args, function.ty(row.result)),
            };
            self.copies.insert(row.result, made);
        }
        let reached = self.any(ways.into_iter().map(|(when, _)| when).collect());
        match &function.blocks[block].terminator {
            Terminator::Jump(edge) => self.way(edge, reached),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.copies[condition];
                let side = |taken| {
                    reached
                        .iter()
                        .copied()
                        .chain([(condition, taken)])
                        .collect()
                };
                self.way(then, side(true));
                self.way(otherwise, side(false));
            }
            Terminator::Return(value) => self.returned.push((reached, self.copies[value])),
            Terminator::Error(..) | Terminator::Missing => {}
        }
    }

    fn way(&mut self, edge: &Edge, when: Condition) {
        let args = edge.args.iter().map(|arg| self.copies[arg]).collect();
        self.ways.entry(edge.block).or_default().push((when, args));
    }

    /// When one of the ways is taken. Both sides of a branch together are taken whenever the branch is reached.
    fn any(&mut self, mut ways: Vec<Condition>) -> Condition {
        let mut n = 0;
        while n < ways.len() {
            let opposite = |other: &Condition| {
                let (a, b) = (ways[n].split_last(), other.split_last());
                matches!((a, b), (Some((a, above)), Some((b, over))) if above == over && a.0 == b.0 && a.1 != b.1)
            };
            match ways.iter().position(opposite) {
                Some(other) => {
                    ways[n].pop();
                    ways.remove(other);
                    n = 0;
                }
                None => n += 1,
            }
        }
        let Some((first, others)) = ways.split_first() else {
            return Condition::new();
        };
        if others.is_empty() || ways.iter().any(Condition::is_empty) {
            return ways
                .into_iter()
                .min_by_key(Condition::len)
                .unwrap_or_default();
        }
        let mut all = self.holds(first);
        for other in others {
            let other = self.holds(other);
            all = self.builder.prim(Prim::Or, &[all, other]);
        }
        vec![(all, true)]
    }

    /// Whether the branches go that way. At least one is given.
    fn holds(&mut self, condition: &Condition) -> Value {
        let sides: Vec<Value> = condition
            .iter()
            .map(|&(condition, taken)| match taken {
                true => condition,
                false => self.builder.prim(Prim::Not, &[condition]),
            })
            .collect();
        let joined = sides
            .into_iter()
            .reduce(|a, b| self.builder.prim(Prim::And, &[a, b]));
        joined.unwrap_or_else(|| self.builder.bool(true))
    }

    /// The value whose condition holds: one of them does, or nobody reads the result.
    fn chosen(&mut self, values: &[(Condition, Value)]) -> Value {
        let Some(((_, last), others)) = values.split_last() else {
            return self.builder.unit();
        };
        let mut chosen = *last;
        for (when, value) in others.iter().rev().filter(|(_, value)| value != last) {
            let holds = self.holds(when);
            chosen = self.builder.prim(Prim::Select, &[holds, *value, chosen]);
        }
        chosen
    }
}
