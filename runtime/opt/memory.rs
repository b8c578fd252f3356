//! Which loads see the same memory: every read gets a number, and two reads of one place with equal numbers give
//! equal values.
//!
//! Memory is divided by where a slice comes from. A `SliceMut` parameter names memory that no other parameter names,
//! a `Slice` parameter memory that does not change, the tape is apart from both; whatever cannot be traced to one of
//! these may be any of the first kind. A number counts the states that such a part has gone through, along dominating
//! paths; where paths with different states meet, a new state begins.

use super::effects::Calls;
use crate::arena::Id;
use crate::ir::flow::{Flow, Loops};
use crate::ir::{Block, Const, Effect, Function, Inst, InstData, Op, Prim, Type, Value, ValueDef};
use std::collections::HashMap;

/// The state of memory that each instruction sees.
pub struct Memory {
    states: HashMap<Inst, u32>,
    /// For each state that a store has made: the store, and the state before it.
    made: HashMap<u32, (Inst, u32)>,
}

/// A part of memory; an index into the states.
type Part = usize;
const TAPE: Part = 0;
const UNKNOWN: Part = 1;
/// The parameters follow. Those beyond the width of a set count as unknown.
const FIRST: Part = 2;
const LIMIT: usize = 62;

/// What an instruction does to memory.
enum Access {
    None,
    /// Reads what never changes.
    Constant,
    Reads(Part),
    Writes(Part),
    /// A call of a function of the user's, which may write everything.
    Everything,
}

impl Memory {
    /// Numbers all reads and writes.
    pub fn new(function: &Function, flow: &Flow, calls: &Calls) -> Self {
        let parts = Parts::new(function);
        let writes = parts.writes(function, calls);
        let mut walk = Walk {
            exits: HashMap::new(),
            next: 1,
            states: HashMap::new(),
            made: HashMap::new(),
        };
        let loops = Loops::new(function, flow);
        let mut written: HashMap<Block, u64> = HashMap::new();
        for (_, data) in loops.all() {
            let all = data.blocks.iter().fold(0, |set, b| set | writes[b.index()]);
            written.insert(data.header, all);
        }
        for &block in flow.reverse_postorder() {
            let mut state = walk.entry(flow, &parts, block, written.get(&block).copied());
            for &inst in &function.blocks[block].insts {
                walk.step(
                    &parts,
                    &mut state,
                    inst,
                    parts.access(function, calls, inst),
                );
            }
            walk.exits.insert(block, state);
        }
        Memory {
            states: walk.states,
            made: walk.made,
        }
    }
    /// The state that a read sees, or that a write leaves behind. `None` if the instruction does neither.
    pub fn state(&self, inst: Inst) -> Option<u32> {
        self.states.get(&inst).copied()
    }
    /// The state that a read of `slice[index]` sees, with stores to other places of the same slice left out.
    pub fn state_of_place(&self, function: &Function, read: Inst) -> Option<u32> {
        let mut state = self.state(read)?;
        let &[slice, index] = &function.insts[read].args[..] else {
            return Some(state);
        };
        while let Some(&(store, before)) = self.made.get(&state) {
            let args = &function.insts[store].args;
            let elsewhere = args[0] == slice && differ(function, args[1], index);
            if !elsewhere {
                break;
            }
            state = before;
        }
        Some(state)
    }
}

/// Whether two indices are certainly different: the same value plus different constants, or two constants.
pub fn differ(function: &Function, a: Value, b: Value) -> bool {
    let ((a, j), (b, k)) = (based(function, a), based(function, b));
    a == b && j != k
}

/// A value as another one plus a constant, or as a constant alone.
fn based(function: &Function, value: Value) -> (Option<Value>, i64) {
    let constant = |v: Value| match function.as_const(v) {
        Some(Const::Int(c)) => Some(c),
        _ => None,
    };
    if let Some(c) = constant(value) {
        return (None, c);
    }
    let sum = function.def_inst(value).and_then(|inst| {
        let &[a, b] = &inst.args[..] else { return None };
        match inst.op {
            Op::Prim(Prim::Add) => Some((a, constant(b)?)),
            Op::Prim(Prim::Sub) => Some((a, constant(b)?.wrapping_neg())),
            _ => None,
        }
    });
    match sum {
        Some((base, c)) => (Some(base), c),
        None => (Some(value), 0),
    }
}

/// Whether `a[i]` and `b[j]` may be the same place, one of them written to.
pub fn may_be_same(function: &Function, (a, i): (Value, Value), (b, j): (Value, Value)) -> bool {
    may_overlap(function, a, b) && !(a == b && differ(function, i, j))
}

/// Whether two slices, one of them written to, may share memory.
pub fn may_overlap(function: &Function, a: Value, b: Value) -> bool {
    let parts = Parts::new(function);
    match (parts.of(function, a), parts.of(function, b)) {
        (None, _) | (_, None) => false,
        (Some(UNKNOWN), _) | (_, Some(UNKNOWN)) => true,
        (Some(x), Some(y)) => x == y,
    }
}

/// The numbering under way.
struct Walk {
    /// The states of all parts at the ends of blocks.
    exits: HashMap<Block, Vec<u32>>,
    next: u32,
    states: HashMap<Inst, u32>,
    made: HashMap<u32, (Inst, u32)>,
}

impl Walk {
    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
    /// The states at the start of a block. In a loop's header, what the loop writes is in a new state.
    fn entry(
        &mut self,
        flow: &Flow,
        parts: &Parts,
        block: Block,
        written: Option<u64>,
    ) -> Vec<u32> {
        let known: Vec<Vec<u32>> = flow
            .predecessors(block)
            .iter()
            .filter_map(|p| self.exits.get(p).cloned())
            .collect();
        (0..parts.count)
            .map(|part| {
                let changes = written.is_some_and(|set| set & (1 << part) != 0);
                let first = known.first().map_or(1, |states| states[part]);
                match known.iter().all(|states| states[part] == first) && !changes {
                    true => first,
                    false => self.fresh(),
                }
            })
            .collect()
    }
    fn step(&mut self, parts: &Parts, state: &mut [u32], inst: Inst, access: Access) {
        let seen = match access {
            Access::None => return,
            Access::Constant => 0,
            Access::Reads(part) => state[part],
            Access::Writes(part) => {
                let before = state[part];
                for other in parts.touched(part) {
                    state[other] = self.fresh();
                }
                if part != TAPE {
                    self.made.insert(state[part], (inst, before));
                }
                state[part]
            }
            Access::Everything => {
                state.iter_mut().for_each(|part| *part = self.fresh());
                return;
            }
        };
        self.states.insert(inst, seen);
    }
}

/// The parts of a function's memory.
struct Parts {
    params: HashMap<Value, Part>,
    count: usize,
}

impl Parts {
    fn new(function: &Function) -> Self {
        let mutable = |v: &&Value| matches!(function.ty(**v), Type::SliceMut(_));
        let params: HashMap<Value, Part> = function
            .params()
            .iter()
            .filter(mutable)
            .take(LIMIT)
            .enumerate()
            .map(|(i, &param)| (param, FIRST + i))
            .collect();
        Parts {
            count: FIRST + params.len(),
            params,
        }
    }
    /// The part that a slice lies in; `None` if it never changes.
    fn of(&self, function: &Function, mut slice: Value) -> Option<Part> {
        loop {
            match function.values[slice].def {
                ValueDef::Param(block, _) if block == function.entry() => {
                    return match function.ty(slice) {
                        Type::Slice(_) => None,
                        _ => Some(*self.params.get(&slice).unwrap_or(&UNKNOWN)),
                    };
                }
                ValueDef::Inst(inst) => match function.insts[inst].op {
                    Op::Prim(Prim::Subslice | Prim::Cast) => slice = function.insts[inst].args[0],
                    _ => return Some(UNKNOWN),
                },
                ValueDef::Param(..) => return Some(UNKNOWN),
            }
        }
    }
    /// The parts whose state a write to `part` changes.
    fn touched(&self, part: Part) -> Vec<Part> {
        match part {
            TAPE => vec![TAPE],
            UNKNOWN => (UNKNOWN..self.count).collect(),
            _ => vec![UNKNOWN, part],
        }
    }
    fn access(&self, function: &Function, calls: &Calls, inst: Inst) -> Access {
        let data: &InstData = &function.insts[inst];
        match data.op {
            Op::Prim(Prim::Load) => match self.of(function, data.args[0]) {
                None => Access::Constant,
                Some(part) => Access::Reads(part),
            },
            Op::Prim(Prim::Store) => {
                Access::Writes(self.of(function, data.args[0]).unwrap_or(UNKNOWN))
            }
            // Objects are not told apart from each other nor from slices.
            Op::Prim(Prim::Get(_)) => Access::Reads(UNKNOWN),
            Op::Prim(Prim::Set(_)) => Access::Writes(UNKNOWN),
            Op::Prim(Prim::Peek(_)) => Access::Reads(TAPE),
            Op::Prim(Prim::Poke(_) | Prim::TapePush | Prim::TapePop) => Access::Writes(TAPE),
            _ if calls.effect(function, data) == Effect::Call => Access::Everything,
            _ => Access::None,
        }
    }
    /// For each block the set of parts whose state it changes.
    fn writes(&self, function: &Function, calls: &Calls) -> Vec<u64> {
        let mut writes = vec![0; function.blocks.len()];
        for (block, data) in function.blocks_in_order() {
            for &inst in &data.insts {
                writes[block.index()] |= match self.access(function, calls, inst) {
                    Access::Writes(part) => {
                        self.touched(part).iter().fold(0, |set, p| set | 1 << p)
                    }
                    Access::Everything => u64::MAX,
                    Access::None | Access::Constant | Access::Reads(_) => 0,
                };
            }
        }
        writes
    }
}
