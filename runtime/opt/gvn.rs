//! Global value numbering: what a dominating instruction has computed is not computed again.
//!
//! Covers pure primitives, constants, pure calls and maps, loads of memory that has not changed in between, and loads
//! of what was just stored, and guards: a condition that a dominating guard has found to hold is not looked at again. Not `alloc`: each makes an object of its own. A call that is made twice, once for its value and once for value and partials, is made once.

use super::aliases::Aliases;
use super::effects::Calls;
use super::memory::MemoryStates;
use super::simplify::mirrored;
use crate::ir::build::remove_params;
use crate::ir::flow::Flow;
use crate::ir::{Args, Block, Callee, Effect, Function, Inst, Op, Prim, Type, Value, ValueDef};
use rustc_hash::FxHashMap;

/// Merges equal computations. Does not move any: a computation on one of two paths is not available after them.
pub fn gvn(function: &mut Function, calls: &Calls) -> bool {
    let flow = Flow::new(function);
    let merged = merge_parameters(function, &flow);
    let mut numbering = Numbering {
        memory: MemoryStates::new(function, &flow, calls),
        flow: &flow,
        calls,
        aliases: Aliases::new(function),
        available: FxHashMap::default(),
        asserted: FxHashMap::default(),
        dropped: false,
    };
    for &block in flow.reverse_postorder() {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            numbering.visit(function, block, &mut kept, inst);
        }
        function.blocks[block].insts = kept;
    }
    numbering.aliases.apply(function) | merged | numbering.dropped
}

/// What makes two instructions equal: operation, arguments, the result's type where these do not decide it, and the
/// state of memory that is read.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    op: Op,
    args: Args,
    ty: Type,
    state: u32,
}

struct Numbering<'a> {
    memory: MemoryStates,
    flow: &'a Flow,
    calls: &'a Calls<'a>,
    aliases: Aliases,
    /// The values that have been computed, and where.
    available: FxHashMap<Key, Vec<(Block, Value)>>,
    /// The conditions that guards have found to hold, and where.
    asserted: FxHashMap<Value, Vec<Block>>,
    /// Whether a guard is gone.
    dropped: bool,
}

impl Numbering<'_> {
    /// Keeps the instruction, or lets its result stand for an earlier one.
    fn visit(&mut self, function: &mut Function, block: Block, kept: &mut Vec<Inst>, inst: Inst) {
        for arg in &mut function.insts[inst].args {
            *arg = self.aliases.resolve(*arg);
        }
        if self.is_known_to_hold(function, block, inst) {
            self.dropped = true;
            return;
        }
        let result = function.insts[inst].result;
        if let Some(key) = self.key(function, inst) {
            if let Some(value) = self.find(&key, block) {
                self.aliases.set(result, value);
                return;
            }
            self.share_partials(function, block, kept, inst);
            // The operation may have become another, which is not the key's any more; its value is.
            self.available.entry(key).or_default().push((block, result));
        }
        self.note_store(function, block, inst);
        kept.push(inst);
    }

    /// Whether the instruction is a guard behind another one with the same condition; notes its condition if it is not.
    fn is_known_to_hold(&mut self, function: &Function, block: Block, inst: Inst) -> bool {
        let data = &function.insts[inst];
        let (Op::Prim(Prim::Assert(_)), Some(&condition)) = (data.op, data.args.first()) else {
            return false;
        };
        let known = self.asserted.entry(condition).or_default();
        let holds = known.iter().any(|&at| self.flow.dominates(at, block));
        if !holds {
            known.push(block);
        }
        holds
    }

    /// A computation that dominates `block`, of which the current position is in.
    fn find(&self, key: &Key, block: Block) -> Option<Value> {
        let found = self.available.get(key)?;
        let dominating = found
            .iter()
            .rev()
            .find(|(at, _)| self.flow.dominates(*at, block))?;
        Some(self.aliases.resolve(dominating.1))
    }

    /// `None` if equal keys do not mean equal values.
    fn key(&self, function: &Function, inst: Inst) -> Option<Key> {
        let data = &function.insts[inst];
        let state = match self.calls.effect(function, data) {
            Effect::Pure => 0,
            Effect::Read => self.memory.state_of_place(function, inst)?,
            Effect::Write | Effect::Allocate | Effect::Guard | Effect::Call => return None,
        };
        let ty = match data.op {
            Op::Const(_)
            | Op::Prim(Prim::Cast | Prim::Bitcast | Prim::Peek(_) | Prim::Get(_) | Prim::View) => {
                function.ty(data.result)
            }
            _ => Type::UNIT,
        };
        let (op, args) = canonical(data.op, &data.args);
        Some(Key {
            op,
            args,
            ty,
            state,
        })
    }

    /// After `s[i] = v`, `s[i]` is `v`; and so for objects and the tape.
    fn note_store(&mut self, function: &Function, block: Block, inst: Inst) {
        let data = &function.insts[inst];
        let (op, ty) = match data.op {
            Op::Prim(Prim::Store) => (Op::Prim(Prim::Load), Type::UNIT),
            Op::Prim(Prim::Set(at)) => (Op::Prim(Prim::Get(at)), function.ty(data.args[1])),
            Op::Prim(Prim::Poke(at)) => (Op::Prim(Prim::Peek(at)), function.ty(data.args[1])),
            _ => return,
        };
        let (Some((&value, place)), Some(state)) =
            (data.args.split_last(), self.memory.state(inst))
        else {
            return;
        };
        let key = Key {
            op,
            args: Args::from_slice(place),
            ty,
            state,
        };
        self.available.entry(key).or_default().push((block, value));
    }

    /// `f(x)` and `f.with_partials(x)` are one call if both are made. If the plain one comes first, it becomes the other
    /// where both stand in one block, because then both are needed.
    fn share_partials(
        &mut self,
        function: &mut Function,
        block: Block,
        kept: &mut Vec<Inst>,
        inst: Inst,
    ) {
        let data = &function.insts[inst];
        let Op::Call(callee) = data.op else { return };
        let args = data.args.clone();
        let key = |callee: Callee| Key {
            op: Op::Call(callee),
            args: args.clone(),
            ty: Type::UNIT,
            state: 0,
        };
        match callee {
            Callee::Function(name) => {
                let combined = key(Callee::WithPartials(name));
                if let Some(tuple) = self.find(&combined, block) {
                    take_field(function, inst, tuple);
                }
            }
            Callee::WithPartials(name) => {
                let Some(value) = self.find(&key(Callee::Function(name)), block) else {
                    return;
                };
                if let ValueDef::Inst(earlier) = function.values[value].def
                    && let Some(at) = kept.iter().position(|&i| i == earlier)
                {
                    let result = function.insts[inst].result;
                    let (ty, span) = (function.ty(result), function.insts[earlier].span);
                    let combined = function.make_inst(Op::Call(callee), &args, ty, span);
                    kept.insert(at, combined);
                    let tuple = function.insts[combined].result;
                    take_field(function, earlier, tuple);
                    // This instruction is left without uses.
                    self.aliases.set(result, tuple);
                }
            }
            Callee::Host(_) | Callee::SameShape(_) | Callee::Native(_) => {}
        }
    }
}

/// Turns an instruction into the first field of a tuple.
fn take_field(function: &mut Function, inst: Inst, tuple: Value) {
    function.insts[inst].op = Op::Prim(Prim::Field(0));
    function.insts[inst].args = Args::from_slice(&[tuple]);
}

/// Operands that may be exchanged stand in order of their numbers.
fn canonical(op: Op, args: &Args) -> (Op, Args) {
    let mut args = args.clone();
    if let Op::Prim(prim) = op
        && let [a, b] = args[..]
        && b < a
        && let Some(exchanged) = mirrored(prim)
    {
        args.swap(0, 1);
        return (Op::Prim(exchanged), args);
    }
    (op, args)
}

/// Parameters of one block that are equal on every edge, assuming that they are equal: two counters of one loop.
fn merge_parameters(function: &mut Function, flow: &Flow) -> bool {
    let mut aliases = Aliases::new(function);
    let mut gone: Vec<Value> = Vec::new();
    for &block in &flow.reverse_postorder()[1..] {
        // Every pair is looked at, so a block with very many parameters is looked at in part.
        let mut params = function.blocks[block].params.clone();
        params.truncate(32);
        for (i, &kept) in params.iter().enumerate() {
            for (j, &other) in params.iter().enumerate().skip(i + 1) {
                let fits = !gone.contains(&kept)
                    && !gone.contains(&other)
                    && function.ty(kept) == function.ty(other);
                if fits && equal_on_every_edge(function, flow, block, (i, kept), (j, other)) {
                    aliases.set(other, kept);
                    gone.push(other);
                }
            }
        }
    }
    remove_params(function, |param| gone.contains(&param));
    aliases.apply(function)
}

fn equal_on_every_edge(
    function: &Function,
    flow: &Flow,
    block: Block,
    a: (usize, Value),
    b: (usize, Value),
) -> bool {
    flow.predecessors(block).iter().all(|&p| {
        let mut edges = function.blocks[p].terminator.edges();
        edges.all(|edge| {
            edge.block != block
                || congruent(function, edge.args[a.0], edge.args[b.0], (a.1, b.1), 4)
        })
    })
}

/// Whether two values are equal provided that those of `assumed` are. Looks `depth` instructions deep.
fn congruent(
    function: &Function,
    a: Value,
    b: Value,
    assumed: (Value, Value),
    depth: usize,
) -> bool {
    if a == b || (a, b) == assumed || (b, a) == assumed {
        return true;
    }
    let (Some(x), Some(y)) = (function.def_inst(a), function.def_inst(b)) else {
        return false;
    };
    let is_pure = matches!(x.op, Op::Const(_) | Op::Prim(_)) && x.op.effect() == Effect::Pure;
    depth > 0
        && is_pure
        && x.op == y.op
        && function.ty(a) == function.ty(b)
        && x.args.len() == y.args.len()
        && x.args
            .iter()
            .zip(&y.args)
            .all(|(&a, &b)| congruent(function, a, b, assumed, depth - 1))
}
