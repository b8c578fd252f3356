//! Loops whose iterations' adjoints are independent: their reverse body runs inside the forward loop, without a tape.
//!
//! A loop qualifies if, going backwards over one iteration, the adjoint of each loop-carried value comes out as it went
//! in (accumulators: `s += …`), and if these adjoints are known before the loop begins, because what follows the loop is
//! linear in them. Both are found by running the reverse pass on symbols: an adjoint is zero, a known expression of
//! seeds and of values that exist before the loop, or unknown. Expressions are interned, so equal ones are one id.
//!
//! What is given up: loops whose reverse has calls that are ordered (they would come between those of the forward pass), loops that store, loops with other exits than their header, and loops that read active memory
//! which something later overwrites (its shadow would be cleared after the loop has added to it).

use super::action::{Action, Actions, Partial};
use super::activity::Activity;
use super::objects::{MemoryClass, read, written};
use super::primal::{LoopScope, Primal};
use crate::ad::rule;
use crate::arena::{Table, id};
use crate::ir::flow::Loop;
use crate::ir::{Block, Edge, Inst, Op, Prim, Type, Value};
use crate::tangent;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

id!(
    /// An adjoint known before a loop.
    Known,
    "known"
);

/// An adjoint as an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Expression {
    /// The cotangent of a leaf of the result.
    Seed(u32),
    /// The adjoint of an accumulator of a fused loop around this place: the header's parameter.
    Carried(Value),
    /// `of · ∂` for the partial of a scalar instruction that is the n-th output of its rule.
    Times {
        of: Known,
        inst: Inst,
        output: usize,
    },
    /// In another precision.
    Cast(Known, Type),
    /// The sum of two.
    Sum(Known, Known),
}

/// The loops that are fused, and the adjoint of each accumulator.
#[derive(Default)]
pub(super) struct TapelessLoops {
    pub loops: FxHashMap<Loop, Vec<(Value, Known)>>,
    pub expressions: Table<Known, Expression>,
}

/// An adjoint on symbols; absent from the state means zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Symbolic {
    Known(Known),
    Unknown,
}

/// The adjoints of leaves of values at one place.
type State = BTreeMap<(Value, u32), Symbolic>;

/// Finds the loops to fuse in a function whose seeds are known from the start.
pub(super) fn tapeless_loops(
    primal: &Primal,
    activity: &Activity,
    actions: &Actions,
) -> TapelessLoops {
    let Some(end) = primal.end() else {
        return TapelessLoops::default();
    };
    let mut search = Search {
        primal,
        activity,
        actions,
        expressions: Table::new(),
        interned: FxHashMap::default(),
        candidates: FxHashMap::default(),
    };
    let seeds = search.seeds();
    search.region(None, end, seeds);
    let mut loops = FxHashMap::default();
    // Outer loops come first, so that a parent's fate is decided.
    for (l, _) in primal.loops.all() {
        let open = primal.parent(l).is_none_or(|p| loops.contains_key(&p));
        if let (true, Some(carried)) = (open, search.candidates.remove(&l)) {
            loops.insert(l, carried);
        }
    }
    TapelessLoops {
        loops,
        expressions: search.expressions,
    }
}

struct Search<'a> {
    primal: &'a Primal,
    activity: &'a Activity,
    actions: &'a Actions,
    expressions: Table<Known, Expression>,
    interned: FxHashMap<Expression, Known>,
    candidates: FxHashMap<Loop, Vec<(Value, Known)>>,
}

impl Search<'_> {
    fn intern(&mut self, expression: Expression) -> Known {
        let table = &mut self.expressions;
        *self
            .interned
            .entry(expression)
            .or_insert_with(|| table.push(expression))
    }
    fn seeds(&mut self) -> State {
        let Some(value) = self.primal.returned() else {
            return State::new();
        };
        let leaves = tangent::leaves(self.primal.ty(value));
        let mut state = State::new();
        for (leaf, _) in leaves
            .iter()
            .enumerate()
            .filter(|(_, t)| tangent::home(**t) == tangent::Home::Rdata)
        {
            let leaf = leaf as u32;
            let seed = self.intern(Expression::Seed(leaf));
            state.insert((value, leaf), Symbolic::Known(seed));
        }
        state
    }

    /// Runs the reverse pass over the blocks at one level, from the state at the end of `end`; gives the state at the
    /// start of each block.
    fn region(&mut self, scope: LoopScope, end: Block, state: State) -> FxHashMap<Block, State> {
        let mut states: FxHashMap<Block, State> = FxHashMap::default();
        let primal = self.primal;
        for &block in primal.order().iter().rev() {
            let within =
                scope.is_none_or(|l| primal.within(l, block) && primal.headed(block) != Some(l));
            let child = primal.child(scope, primal.scope(block));
            match child {
                _ if !within => {}
                Some(l) if primal.headed(block) == Some(l) => {
                    let state = self.loop_state(l, &states);
                    states.insert(block, state);
                }
                // Inside of a loop at this level: dealt with at its header.
                Some(_) => {}
                None => {
                    let state = match block == end {
                        true => state.clone(),
                        false => self.after(block, &states),
                    };
                    let state = self.before(block, state);
                    states.insert(block, state);
                }
            }
        }
        states
    }
    /// The state at the end of a block, from those at the start of its successors.
    fn after(&mut self, block: Block, states: &FxHashMap<Block, State>) -> State {
        let edges: Vec<&Edge> = self.primal.function.blocks[block]
            .terminator
            .edges()
            .collect();
        let mut joined: Option<State> = None;
        for edge in edges {
            let Some(state) = states.get(&edge.block) else {
                continue;
            };
            let state = self.through(edge, state.clone());
            joined = Some(match joined {
                None => state,
                Some(other) => join(other, state),
            });
        }
        joined.unwrap_or_default()
    }
    /// Moves the adjoints of the target's parameters to the edge's arguments.
    fn through(&mut self, edge: &Edge, mut state: State) -> State {
        let params = &self.primal.function.blocks[edge.block].params;
        let mut moved = Vec::new();
        for (&param, &arg) in params.iter().zip(&edge.args) {
            let leaves = tangent::leaves(self.primal.ty(param)).len() as u32;
            moved.extend((0..leaves).map(|n| ((arg, n), state.remove(&(param, n)))));
        }
        for (to, adjoint) in moved {
            self.add(&mut state, to, adjoint);
        }
        state
    }
    fn add(&mut self, state: &mut State, to: (Value, u32), adjoint: Option<Symbolic>) {
        let Some(adjoint) = adjoint else { return };
        if !self.activity.is_active(self.primal, to.0) {
            return;
        }
        let sum = match (state.get(&to).copied(), adjoint) {
            (None, a) => a,
            (Some(Symbolic::Known(a)), Symbolic::Known(b)) => {
                Symbolic::Known(self.intern(Expression::Sum(a, b)))
            }
            _ => Symbolic::Unknown,
        };
        state.insert(to, sum);
    }
    /// The state at the start of a block from that at its end.
    fn before(&mut self, block: Block, mut state: State) -> State {
        for &inst in self.primal.function.blocks[block].insts.iter().rev() {
            if let Some(action) = self.actions.get(&inst) {
                self.step(inst, action, &mut state);
            }
        }
        state
    }
    fn step(&mut self, inst: Inst, action: &Action, state: &mut State) {
        let row = &self.primal.function.insts[inst];
        match action {
            Action::Scalar { terms, .. } => {
                let Some(adjoint) = state.remove(&(row.result, 0)) else {
                    return;
                };
                for &(arg, partial) in terms {
                    let adjoint = match (adjoint, partial) {
                        (known, Partial::One) => known,
                        (Symbolic::Known(of), Partial::Formula(output)) => {
                            Symbolic::Known(self.intern(Expression::Times { of, inst, output }))
                        }
                        _ => Symbolic::Unknown,
                    };
                    self.add(state, (arg, 0), Some(adjoint));
                }
            }
            Action::Cast => {
                let adjoint = state.remove(&(row.result, 0)).map(|adjoint| match adjoint {
                    Symbolic::Known(of) => {
                        let ty = self.primal.ty(row.args[0]);
                        Symbolic::Known(self.intern(Expression::Cast(of, ty)))
                    }
                    Symbolic::Unknown => Symbolic::Unknown,
                });
                self.add(state, (row.args[0], 0), adjoint);
            }
            Action::Tuple => {
                let mut leaf = 0;
                for &arg in &row.args {
                    for i in 0..tangent::leaves(self.primal.ty(arg)).len() as u32 {
                        let adjoint = state.remove(&(row.result, leaf));
                        self.add(state, (arg, i), adjoint);
                        leaf += 1;
                    }
                }
            }
            _ => {
                state.retain(|key, _| key.0 != row.result);
                for target in action.targets(self.primal, self.activity, inst) {
                    let leaves = tangent::leaves(self.primal.ty(target)).len();
                    for leaf in 0..leaves as u32 {
                        state.insert((target, leaf), Symbolic::Unknown);
                    }
                }
            }
        }
    }

    /// The state at the start of a loop's header, and whether the loop can be fused.
    fn loop_state(&mut self, l: Loop, states: &FxHashMap<Block, State>) -> State {
        let primal = self.primal;
        let data = primal.data(l);
        let header = data.header;
        let exits = primal.exits(l);
        let [(from, exit)] = exits[..] else {
            return self.unknown(states);
        };
        let edge = primal.function.blocks[from]
            .terminator
            .edges()
            .find(|e| e.block == exit)
            .cloned();
        let (Some(edge), Some(after)) = (edge, states.get(&exit)) else {
            return self.unknown(states);
        };
        let after = self.through(&edge, after.clone());
        let tuples = primal.function.blocks[header]
            .params
            .iter()
            .any(|&p| primal.ty(p).size().is_none());
        if from != header || tuples || self.is_active_block(header) {
            return self.spoil(l, after);
        }
        let carried: Vec<Value> = primal.function.blocks[header]
            .params
            .iter()
            .copied()
            .filter(|&p| self.activity.is_active(primal, p))
            .collect();
        let body = self.iteration(l, &carried);
        let invariant = carried.iter().all(|&p| {
            let itself = self.intern(Expression::Carried(p));
            body.get(&(p, 0)) == Some(&Symbolic::Known(itself))
        });
        if !invariant {
            return self.spoil(l, after);
        }
        let known: Option<Vec<(Value, Known)>> = carried
            .iter()
            .map(|&p| match after.get(&(p, 0)) {
                Some(Symbolic::Known(known)) => Some((p, *known)),
                _ => None,
            })
            .collect();
        if let Some(known) = known
            && !self.has_order(l)
            && self.stays_within(l, &after)
            && self.leaves_memory(l)
            && known.iter().all(|&(_, k)| self.exists_before(l, k))
        {
            self.candidates.insert(l, known);
        }
        // Accumulators pass their adjoints on; what the body uses from outside gets what only the body knows.
        let mut state = after;
        for key in body.keys().filter(|(v, _)| !carried.contains(v)) {
            state.insert(*key, Symbolic::Unknown);
        }
        state
    }
    /// The state before one iteration, given that the adjoints of the accumulators after it are themselves.
    fn iteration(&mut self, l: Loop, carried: &[Value]) -> State {
        let primal = self.primal;
        let (header, latch) = (primal.data(l).header, primal.latch(l));
        let mut end = State::new();
        for &p in carried {
            let itself = self.intern(Expression::Carried(p));
            end.insert((p, 0), Symbolic::Known(itself));
        }
        let edges = primal.function.blocks[latch].terminator.edges();
        if let Some(edge) = edges.into_iter().find(|e| e.block == header).cloned() {
            end = self.through(&edge, end);
        }
        let states = self.region(Some(l), latch, end);
        let first = body_block(primal, l);
        let mut state = states.get(&first).cloned().unwrap_or_default();
        let edges = primal.function.blocks[header].terminator.edges();
        if let Some(edge) = edges.into_iter().find(|e| e.block == first).cloned() {
            state = self.through(&edge, state);
        }
        state
    }
    fn is_active_block(&self, block: Block) -> bool {
        let insts = &self.primal.function.blocks[block].insts;
        insts.iter().any(|i| self.actions.contains_key(i))
    }
    /// A loop of which nothing is known but that it changes the adjoints of what it uses.
    fn spoil(&mut self, l: Loop, mut state: State) -> State {
        let primal = self.primal;
        for &block in &primal.data(l).blocks {
            let data = &primal.function.blocks[block];
            for &inst in &data.insts {
                if let Some(action) = self.actions.get(&inst) {
                    for target in action.targets(primal, self.activity, inst) {
                        state.insert((target, 0), Symbolic::Unknown);
                    }
                }
            }
            for &arg in data.terminator.edges().flat_map(|e| &e.args) {
                if self.activity.is_active(primal, arg) {
                    state.insert((arg, 0), Symbolic::Unknown);
                }
            }
            for &param in &data.params {
                if self.activity.is_active(primal, param) {
                    state.insert((param, 0), Symbolic::Unknown);
                }
            }
        }
        state
    }
    /// After a loop with several exits: nothing is known any more.
    fn unknown(&self, states: &FxHashMap<Block, State>) -> State {
        let mut state = State::new();
        for key in states.values().flat_map(|s| s.keys()) {
            state.insert(*key, Symbolic::Unknown);
        }
        for value in self.primal.function.values.keys() {
            if self.activity.is_active(self.primal, value) {
                state.insert((value, 0), Symbolic::Unknown);
            }
        }
        state
    }

    /// Whether no value of the loop but its header's parameters has an adjoint after it.
    fn stays_within(&self, l: Loop, after: &State) -> bool {
        let primal = self.primal;
        after.keys().all(|(v, _)| {
            let block = primal.def_block(*v);
            !primal.within(l, block) || block == primal.data(l).header
        })
    }
    /// Whether the reverse of an ordered call is in the loop.
    fn has_order(&self, l: Loop) -> bool {
        let mut blocks = self.primal.data(l).blocks.iter();
        blocks.any(|&block| {
            let mut insts = self.primal.function.blocks[block].insts.iter();
            insts.any(|i| self.primal.is_ordered(*i) && self.actions.contains_key(i))
        })
    }
    /// Whether the loop neither writes, nor reads active memory that something after its begin overwrites.
    fn leaves_memory(&self, l: Loop) -> bool {
        let primal = self.primal;
        let insts = |b: &Block| primal.function.blocks[*b].insts.clone();
        let inside: Vec<Inst> = primal.data(l).blocks.iter().flat_map(insts).collect();
        if inside.iter().any(|&i| !written(primal, i).is_empty()) {
            return false;
        }
        let read: Vec<MemoryClass> = inside.iter().flat_map(|&i| read(primal, i)).collect();
        let later = primal.reachable(primal.data(l).header);
        !later
            .iter()
            .flat_map(insts)
            .flat_map(|i| written(primal, i))
            .any(|memory| read.contains(&memory))
    }
    /// Whether an adjoint can be computed in front of the loop.
    fn exists_before(&self, l: Loop, known: Known) -> bool {
        match self.expressions[known] {
            Expression::Seed(_) | Expression::Carried(_) => true,
            Expression::Cast(of, _) => self.exists_before(l, of),
            Expression::Sum(a, b) => self.exists_before(l, a) && self.exists_before(l, b),
            Expression::Times { of, inst, output } => {
                let needs = formula_needs(self.primal, self.actions, inst, output);
                self.exists_before(l, of) && needs.iter().all(|&v| is_early(self.primal, l, v, 8))
            }
        }
    }
}

/// The values that one partial of a scalar instruction is computed from.
pub(super) fn formula_needs(
    primal: &Primal,
    actions: &Actions,
    inst: Inst,
    output: usize,
) -> Vec<Value> {
    let Some(Action::Scalar { entry, args, .. }) = actions.get(&inst) else {
        return Vec::new();
    };
    let result = primal.function.insts[inst].result;
    let partials = rule::scalar(entry).map(|r| &r.partials);
    let used = partials.map(|p| rule::dependencies(p, output).0);
    let used = used.unwrap_or_default().into_iter();
    used.map(|n| *args.get(n).unwrap_or(&result)).collect()
}

/// Whether a value can be had in front of a loop: it is there, or pure cheap instructions that cannot trap make it from
/// what is there.
pub(super) fn is_early(primal: &Primal, l: Loop, value: Value, depth: u32) -> bool {
    if primal
        .flow
        .dominates(primal.def_block(value), primal.preheader(l))
    {
        return true;
    }
    let Some(row) = primal.function.def_inst(value) else {
        return false;
    };
    let safe = match row.op {
        Op::Const(_) => true,
        Op::Prim(prim) => can_go_early(prim, primal.ty(value)),
        Op::Call(_) | Op::Map(_) => false,
    };
    depth > 0 && safe && row.args.iter().all(|&v| is_early(primal, l, v, depth - 1))
}

/// Whether a primitive may be computed although the program might never have come to it.
fn can_go_early(prim: Prim, ty: Type) -> bool {
    use Prim::*;
    match prim {
        Add | Sub | Mul | Neg | Abs | Sqrt | Floor | Ceil | Trunc | Copysign | Eq | Ne | Lt
        | Le | Gt | Ge | And | Or | Xor | Not | Select | Cast | Bitcast | Len => true,
        Div => ty.is_float(),
        Rem | Shl | Shr | AddOverflows | SubOverflows | MulOverflows | Tuple | Field(_) | Load
        | Store | Subslice | Assert(_) | TapePush | TapePop | Offset | Peek(_) | Poke(_)
        | Alloc | Get(_) | Set(_) | View | Base | Pack | Lane(_) | LoadLanes | StoreLanes => false,
    }
}

/// The header's successor inside the loop.
pub(super) fn body_block(primal: &Primal, l: Loop) -> Block {
    let header = primal.data(l).header;
    let mut edges = primal.function.blocks[header].terminator.edges();
    edges
        .find(|e| primal.within(l, e.block))
        .map_or(header, |e| e.block)
}

/// What holds on both ways: where they differ, nothing.
fn join(a: State, b: State) -> State {
    let mut joined = State::new();
    for key in a.keys().chain(b.keys()) {
        let same = a.get(key) == b.get(key);
        let value = match a.get(key) {
            Some(&known) if same => known,
            _ => Symbolic::Unknown,
        };
        joined.insert(*key, value);
    }
    joined
}
