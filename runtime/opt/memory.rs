//! Which loads see the same memory: every read gets a number, and two reads of one place with equal numbers give
//! equal values.
//!
//! Memory is divided by where an address comes from ([`Roots`]). A `SliceMut` parameter names memory that no other
//! parameter names (if the function is called from outside: borrows guarantee it), a `Slice` parameter memory that does not change, an `alloc` memory that nothing else names but by
//! way of the object's address, the tape is apart from all of them. Whatever cannot be traced to one of these (a pointer
//! that was passed or read) may be any parameter's memory and any object whose address has left the sight of this
//! function. A number counts the states that such a part has gone through, along dominating paths; where paths with
//! different states meet, a new state begins.

use super::effects::Calls;
use crate::arena::Id;
use crate::ir::flow::{Definitions, Flow, Loops};
use crate::ir::roots::{Root, Roots, is_address, start};
use crate::ir::{
    Block, Const, Effect, Function, Inst, InstData, Op, Prim, Terminator, Type, Value,
};
use rustc_hash::FxHashMap;

/// The state of memory that each instruction sees.
pub struct MemoryStates {
    states: FxHashMap<Inst, u32>,
    /// For each state that a store has made: the store, and the state before it.
    made: FxHashMap<u32, (Inst, u32)>,
}

/// A part of memory; an index into the states.
type Region = usize;
const TAPE: Region = 0;
const UNKNOWN: Region = 1;
/// Parameters and objects follow. Those beyond the width of a set count as unknown.
const FIRST: Region = 2;
const LIMIT: usize = RegionSet::BITS as usize;
/// Parts, one bit for each.
type RegionSet = u64;

/// The memory that one access touches, apart from the tape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// The element of a slice at an index.
    Element(Value, Value),
    /// A value of this type in an object: at an address plus an offset.
    Bytes(Value, u32, Type),
}

impl Location {
    /// What an instruction reads or writes there.
    pub fn of(function: &Function, inst: &InstData) -> Option<Location> {
        match (inst.op, &inst.args[..]) {
            (Op::Prim(Prim::Load), &[slice, index]) => Some(Location::Element(slice, index)),
            (Op::Prim(Prim::Store), &[slice, index, _]) => Some(Location::Element(slice, index)),
            (Op::Prim(Prim::Get(at)), &[p]) => {
                Some(Location::Bytes(p, at, function.ty(inst.result)))
            }
            (Op::Prim(Prim::Set(at)), &[p, v]) => Some(Location::Bytes(p, at, function.ty(v))),
            _ => None,
        }
    }
    fn address(self) -> Value {
        match self {
            Location::Element(address, _) | Location::Bytes(address, ..) => address,
        }
    }
    /// Whether what stands there is a float. Memory that holds one never holds anything else: each field, and each slot of an enum, has one type.
    fn is_float(self, function: &Function) -> bool {
        match self {
            Location::Element(slice, _) => function.ty(slice).element().is_some_and(Type::is_float),
            Location::Bytes(.., ty) => ty.is_float(),
        }
    }
    /// Whether two places are certainly apart, by their types or by their distances from the same address.
    fn is_apart(self, function: &Function, other: Location) -> bool {
        if self.is_float(function) != other.is_float(function) {
            return true;
        }
        let size = |ty: Type| ty.size().unwrap_or(0) as u32;
        match (self, other) {
            (Location::Element(a, i), Location::Element(b, j)) => a == b && differ(function, i, j),
            (Location::Bytes(a, i, n), Location::Bytes(b, j, m)) => {
                a == b && (i + size(n) <= j || j + size(m) <= i)
            }
            _ => false,
        }
    }
}

/// What an instruction does to memory.
enum Access {
    None,
    /// Reads what never changes.
    Constant,
    Reads(Region),
    Writes(Region),
    /// A call of a function of the user's, which may write everything.
    Everything,
}

impl MemoryStates {
    /// Numbers all reads and writes.
    pub fn new(function: &Function, flow: &Flow, calls: &Calls) -> Self {
        let parts = Regions::new(function, flow, calls);
        let writes = parts.writes(function, calls);
        let mut walk = Walk {
            exits: FxHashMap::default(),
            next: 1,
            states: FxHashMap::default(),
            made: FxHashMap::default(),
        };
        let loops = Loops::new(function, flow);
        let mut written: FxHashMap<Block, RegionSet> = FxHashMap::default();
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
        MemoryStates {
            states: walk.states,
            made: walk.made,
        }
    }
    /// The state that a read sees, or that a write leaves behind. `None` if the instruction does neither.
    pub fn state(&self, inst: Inst) -> Option<u32> {
        self.states.get(&inst).copied()
    }
    /// The state that a read sees, with stores to other places of the same slice or object left out.
    pub fn state_of_place(&self, function: &Function, read: Inst) -> Option<u32> {
        let mut state = self.state(read)?;
        let Some(place) = Location::of(function, &function.insts[read]) else {
            return Some(state);
        };
        while let Some(&(store, before)) = self.made.get(&state)
            && let Some(written) = Location::of(function, &function.insts[store])
            && written.is_apart(function, place)
        {
            state = before;
        }
        Some(state)
    }
}

/// Whether two indices are certainly different: the same value plus different constants, or two constants.
fn differ(function: &Function, a: Value, b: Value) -> bool {
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

/// The numbering under way.
struct Walk {
    /// The states of all parts at the ends of blocks.
    exits: FxHashMap<Block, Vec<u32>>,
    next: u32,
    states: FxHashMap<Inst, u32>,
    made: FxHashMap<u32, (Inst, u32)>,
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
        parts: &Regions,
        block: Block,
        written: Option<RegionSet>,
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
    /// Gives new states to a set of parts.
    fn renew(&mut self, state: &mut [u32], set: RegionSet) {
        for (part, state) in state.iter_mut().enumerate() {
            if set & (1 << part) != 0 {
                *state = self.fresh();
            }
        }
    }
    fn step(&mut self, parts: &Regions, state: &mut [u32], inst: Inst, access: Access) {
        let seen = match access {
            Access::None => return,
            Access::Constant => 0,
            Access::Reads(part) => state[part],
            Access::Writes(part) => {
                let before = state[part];
                self.renew(state, parts.touched(part));
                if part != TAPE {
                    self.made.insert(state[part], (inst, before));
                }
                state[part]
            }
            Access::Everything => {
                self.renew(state, parts.touched_by_calls());
                return;
            }
        };
        self.states.insert(inst, seen);
    }
}

/// The parts of a function's memory.
pub struct Regions {
    roots: Roots,
    params: FxHashMap<Value, Region>,
    objects: FxHashMap<Inst, Region>,
    /// The parts of objects whose addresses nothing outside this function's own accesses gets to know.
    private: RegionSet,
    count: usize,
    definitions: Definitions,
}

impl Regions {
    /// Divides the memory.
    pub fn new(function: &Function, flow: &Flow, calls: &Calls) -> Self {
        let roots = Roots::new(function, flow);
        let mut parts = FIRST..LIMIT;
        let from_outside = !calls.is_called(function.name);
        let mutable = |v: &Value| from_outside && matches!(function.ty(*v), Type::SliceMut(_));
        let params = function.params().iter().copied().filter(mutable);
        let params: FxHashMap<Value, Region> = params.zip(&mut parts).collect();
        let objects: FxHashMap<Inst, Region> = allocations(function).zip(&mut parts).collect();
        let count = FIRST + params.len() + objects.len();
        let private = objects.values().fold(0, |set, part| set | 1 << part);
        let mut parts = Regions {
            roots,
            params,
            objects,
            private,
            count,
            definitions: Definitions::new(function, flow),
        };
        parts.find_escapes(function);
        parts
    }
    /// The part that an address lies in; `None` if it never changes.
    fn of(&self, function: &Function, address: Value) -> Option<Region> {
        match self.roots.of(address) {
            Root::Param(param) => match function.ty(param) {
                Type::Slice(_) => None,
                _ => Some(*self.params.get(&param).unwrap_or(&UNKNOWN)),
            },
            Root::Alloc(inst) => Some(*self.objects.get(&inst).unwrap_or(&UNKNOWN)),
            Root::Unknown => Some(UNKNOWN),
        }
    }
    /// Objects whose address is stored, passed on or returned, or merged with others, are not private.
    fn find_escapes(&mut self, function: &Function) {
        let mut escape = |value: Value, to: Option<Value>| {
            if let Root::Alloc(inst) = self.roots.of(value)
                && let Some(&part) = self.objects.get(&inst)
            {
                let root = to.map(|to| self.roots.of(to));
                if root != Some(Root::Alloc(inst)) {
                    self.private &= !(1 << part);
                }
            }
        };
        for (_, data) in function.blocks_in_order() {
            for &inst in &data.insts {
                let data = &function.insts[inst];
                let own = match data.op {
                    // The address of what is accessed; what is written there is not its own business.
                    Op::Prim(
                        Prim::Get(_) | Prim::Set(_) | Prim::Load | Prim::Store | Prim::Len,
                    ) => 1,
                    _ => 0,
                };
                for &arg in &data.args[own..] {
                    escape(
                        arg,
                        is_address(function.ty(data.result)).then_some(data.result),
                    );
                }
            }
            if let Terminator::Return(value) = data.terminator {
                escape(value, None);
            }
            for edge in data.terminator.edges() {
                for (&param, &arg) in function.blocks[edge.block].params.iter().zip(&edge.args) {
                    escape(arg, Some(param));
                }
            }
        }
    }
    /// The parts whose state a write to `part` changes.
    fn touched(&self, part: Region) -> RegionSet {
        match part {
            UNKNOWN => self.touched_by_calls() & !(1 << TAPE),
            _ if part == TAPE || self.private & (1 << part) != 0 => 1 << part,
            _ => 1 << UNKNOWN | 1 << part,
        }
    }
    /// The parts whose state a call changes: all but private objects.
    fn touched_by_calls(&self) -> RegionSet {
        RegionSet::MAX >> (LIMIT - self.count) & !self.private
    }
    /// Whether two accesses, one of them a write, may touch the same memory.
    pub fn may_be_same(&self, function: &Function, a: Location, b: Location) -> bool {
        let parts = (
            self.of(function, a.address()),
            self.of(function, b.address()),
        );
        let (Some(x), Some(y)) = parts else {
            return false;
        };
        (x == y || self.touched(x) & (1 << y) != 0)
            && !a.is_apart(function, b)
            && !self.is_newer(function, a, b)
            && !self.is_newer(function, b, a)
    }
    /// Whether the first place is in an object that was made when the other address was known already, which is therefore not one of this object's.
    fn is_newer(&self, function: &Function, a: Location, b: Location) -> bool {
        let (object, other) = (start(function, a.address()), start(function, b.address()));
        let makes = |inst: &InstData| inst.op == Op::Prim(Prim::Alloc);
        function.def_inst(object).is_some_and(makes) && self.definitions.is_before(other, object)
    }
    /// The parts that are only written to.
    pub fn never_read(&self, function: &Function, calls: &Calls) -> NeverRead<'_> {
        let mut read = !self.private;
        for (_, data) in function.blocks_in_order() {
            for &inst in &data.insts {
                if let Access::Reads(part) = self.access(function, calls, inst) {
                    read |= 1 << part;
                }
            }
        }
        NeverRead { parts: self, read }
    }
    fn access(&self, function: &Function, calls: &Calls, inst: Inst) -> Access {
        let data: &InstData = &function.insts[inst];
        let part = |address: Value| self.of(function, address);
        match data.op {
            Op::Prim(Prim::Load | Prim::Get(_)) => match part(data.args[0]) {
                None => Access::Constant,
                Some(part) => Access::Reads(part),
            },
            Op::Prim(Prim::Store | Prim::Set(_)) => {
                Access::Writes(part(data.args[0]).unwrap_or(UNKNOWN))
            }
            Op::Prim(Prim::Peek(_)) => Access::Reads(TAPE),
            Op::Prim(Prim::Poke(_) | Prim::TapePush | Prim::TapePop) => Access::Writes(TAPE),
            _ if calls.effect(function, data) == Effect::Call => Access::Everything,
            _ => Access::None,
        }
    }
    /// For each block the set of parts whose state it changes.
    fn writes(&self, function: &Function, calls: &Calls) -> Vec<RegionSet> {
        let mut writes = vec![0; function.blocks.len()];
        for (block, data) in function.blocks_in_order() {
            for &inst in &data.insts {
                writes[block.index()] |= match self.access(function, calls, inst) {
                    Access::Writes(part) => self.touched(part),
                    Access::Everything => self.touched_by_calls(),
                    Access::None | Access::Constant | Access::Reads(_) => 0,
                };
            }
        }
        writes
    }
}

/// Memory of objects that nobody reads.
pub struct NeverRead<'a> {
    parts: &'a Regions,
    read: RegionSet,
}

impl NeverRead<'_> {
    /// Whether a place lies there.
    pub fn contains(&self, function: &Function, place: Location) -> bool {
        let part = self.parts.of(function, place.address());
        part.is_some_and(|part| self.read & (1 << part) == 0)
    }
}

/// All instructions that make objects.
fn allocations(function: &Function) -> impl Iterator<Item = Inst> {
    let insts = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
    insts
        .copied()
        .filter(|&inst| function.insts[inst].op == Op::Prim(Prim::Alloc))
}
