//! Copies that nobody can tell from what they are copies of.
//!
//! A fixed array is a value in the language and an address in the IR, so it is copied where it is passed, returned or assigned:
//! `state = step(state)` copies the argument and the result. Such a copy is a new object that a counted loop fills. The program means the same with
//! the first object in the new one's place
//! - if nothing reads or writes the first object afterwards: the copy takes it over;
//! - or if nothing writes to the copy, and nothing to the first object as long as the copy is read.
//!
//! Before the AD transform: what is not made has no shadow, and a reverse pass need not go through it. Small objects are variables by then
//! (`promote`), whose copies cost nothing.

use super::effects::Calls;
use crate::arena::Id;
use crate::ir::build::substitute;
use crate::ir::flow::{Definitions, Flow, LoopData, Loops};
use crate::ir::roots::{is_address, is_part, start};
use crate::ir::{
    Block, Const, Edge, Effect, Function, Inst, InstData, Module, Op, Prim, Terminator, Type,
    Value, ValueDef,
};
use crate::registry::Registry;
use rustc_hash::{FxHashMap, FxHashSet};

/// Lets objects take the place of their copies in all functions of a module in normal form, which it stays in.
pub fn elide_copies(mut module: Module, registry: &Registry) -> Module {
    let calls = Calls::new(&module, registry);
    for function in module.functions.values_mut() {
        elide(function, &calls);
    }
    module
}

/// Lets objects take the place of their copies, in a function in normal form.
pub fn elide(function: &mut Function, calls: &Calls) {
    while let Some(copy) = find(function, calls) {
        copy.elide(function);
    }
}

/// A copy that the program means the same without.
fn find(function: &Function, calls: &Calls) -> Option<Copy> {
    let flow = Flow::new(function);
    let loops = Loops::new(function, &flow);
    let copies: Vec<Copy> = { loops.all() }
        .filter_map(|(_, data)| Copy::new(function, &flow, data))
        .collect();
    if copies.is_empty() {
        return None;
    }
    let addresses = Addresses::new(function, &flow, calls);
    { copies.into_iter() }.find(|copy| addresses.takes_over(copy) || addresses.stay_equal(copy))
}

/// A loop that fills a new object with the content of another.
struct Copy {
    /// The address of the first object.
    from: Value,
    /// The instruction that makes the new object, and its address.
    alloc: Inst,
    to: Value,
    preheader: Block,
    blocks: [Block; 2],
    exit: Block,
}

/// A place that a loop reads or writes in each of its turns: in an object, so many bytes from its start on, and further on by a constant
/// distance with each turn.
struct Place {
    object: Value,
    start: u32,
    stride: i64,
}

impl Copy {
    /// A loop that does nothing else but to fill a new object, all of it.
    fn new(function: &Function, flow: &Flow, data: &LoopData) -> Option<Copy> {
        let counted = data.counted.as_ref()?;
        let &[header, body] = &data.blocks[..] else {
            return None;
        };
        let int = |value: Value| match function.as_const(value) {
            Some(Const::Int(c)) => Some(c),
            _ => None,
        };
        let turns = int(counted.end)?;
        if int(counted.start) != Some(0) || counted.step != 1 || turns <= 0 {
            return None;
        }
        let (from, to, stride) = moved(function, data, counted.induction)?;
        let ValueDef::Inst(alloc) = function.values[to].def else {
            return None;
        };
        let row = &function.insts[alloc];
        let is_whole =
            row.op == Op::Prim(Prim::Alloc) && int(row.args[0]) == turns.checked_mul(stride);
        let outside = |b: &&Block| !data.blocks.contains(b);
        let preheader = *flow.predecessors(header).iter().find(outside)?;
        let enters = matches!(function.blocks[preheader].terminator, Terminator::Jump(_));
        let copy = Copy {
            from,
            alloc,
            to,
            preheader,
            blocks: [header, body],
            exit: counted.exit,
        };
        let fits = is_whole
            && enters
            && Definitions::new(function, flow).is_before(from, to)
            && !is_read_outside(function, data)
            && copy.is_used_behind_alone(function, flow);
        fits.then_some(copy)
    }
    /// Whether the new object is used nowhere but in the loop and behind it.
    fn is_used_behind_alone(&self, function: &Function, flow: &Flow) -> bool {
        if flow.predecessors(self.exit) != [self.blocks[0]] {
            return false;
        }
        let mut parts: FxHashSet<Value> = [self.to].into_iter().collect();
        for &block in flow.reverse_postorder() {
            let may_use = flow.dominates(self.exit, block) || self.blocks.contains(&block);
            let data = &function.blocks[block];
            for &inst in &data.insts {
                let row = &function.insts[inst];
                let is_use = row.args.iter().any(|v| parts.contains(v));
                match is_use {
                    true if is_part(row.op) => {
                        parts.insert(row.result);
                    }
                    true if !may_use => return false,
                    _ => {}
                }
            }
            let mut passed = values_in(&data.terminator).into_iter();
            if !may_use && passed.any(|v| parts.contains(&v)) {
                return false;
            }
        }
        true
    }
    /// The first object takes the new one's place; the loop is gone.
    fn elide(&self, function: &mut Function) {
        let leaving = { function.blocks[self.blocks[0]].terminator.edges() }
            .find(|edge| edge.block == self.exit)
            .cloned();
        if let Some(edge) = leaving {
            function.blocks[self.preheader].terminator = Terminator::Jump(edge);
            function.layout.retain(|block| !self.blocks.contains(block));
            for &block in &function.layout {
                function.blocks[block].insts.retain(|&i| i != self.alloc);
            }
            substitute(function, &[(self.to, self.from)].into_iter().collect());
        }
    }
}

/// What a loop with this counter does if it only moves values from one object to the same places of another, all bytes of a turn: the two objects, and how
/// far the places of one turn are from those of the turn before.
fn moved(function: &Function, data: &LoopData, counter: Value) -> Option<(Value, Value, i64)> {
    let mut read: FxHashMap<Value, Place> = FxHashMap::default();
    let mut found: Option<(Value, Value, i64)> = None;
    let (mut starts, mut bytes) = (FxHashSet::default(), 0);
    for &inst in data.blocks.iter().flat_map(|&b| &function.blocks[b].insts) {
        let row = &function.insts[inst];
        match row.op {
            Op::Prim(Prim::Load | Prim::Get(_)) => {
                read.insert(row.result, place(function, counter, row)?);
            }
            Op::Prim(Prim::Store | Prim::Set(_)) => {
                let (to, &value) = (place(function, counter, row)?, row.args.last()?);
                let from = read.get(&value)?;
                let objects = (from.object, to.object, to.stride);
                let is_same_place = (from.start, from.stride) == (to.start, to.stride);
                if !is_same_place
                    || *found.get_or_insert(objects) != objects
                    || !starts.insert(to.start)
                {
                    return None;
                }
                bytes += function.ty(value).size()? as i64;
            }
            op if op.effect() == Effect::Pure => {}
            _ => return None,
        }
    }
    found.filter(|(.., stride)| bytes == *stride)
}

/// The place that a load or store accesses in each turn of a loop with this counter.
fn place(function: &Function, counter: Value, row: &InstData) -> Option<Place> {
    let inst = |value: Value| function.def_inst(value);
    let (object, start, stride) = match row.op {
        Op::Prim(Prim::Load | Prim::Store) if row.args[1] == counter => {
            let view = inst(row.args[0]).filter(|view| view.op == Op::Prim(Prim::View))?;
            let element = function.ty(row.args[0]).element()?;
            (view.args[0], 0, element.size()? as i64)
        }
        Op::Prim(Prim::Get(start) | Prim::Set(start)) => {
            let at = inst(row.args[0]).filter(|at| at.op == Op::Prim(Prim::Offset))?;
            let times = inst(at.args[1]).filter(|times| times.op == Op::Prim(Prim::Mul))?;
            let Some(Const::Int(stride)) = function.as_const(times.args[1]) else {
                return None;
            };
            (times.args[0] == counter).then_some((at.args[0], start, stride))?
        }
        _ => return None,
    };
    Some(Place {
        object,
        start,
        stride,
    })
}

/// Whether anything behind a loop reads what is computed in it.
fn is_read_outside(function: &Function, data: &LoopData) -> bool {
    let own: FxHashSet<Value> = { data.blocks.iter() }
        .flat_map(|&b| values_of(function, b))
        .collect();
    let uses = |block: Block| uses_in(function, block).into_iter();
    let mut outside = function.layout.iter().filter(|b| !data.blocks.contains(b));
    let leaves = |edge: &Edge| !data.blocks.contains(&edge.block);
    let header = function.blocks[data.header].terminator.edges();
    let mut passed = header.filter(|e| leaves(e)).flat_map(|edge| &edge.args);
    outside.any(|&b| uses(b).any(|v| own.contains(&v))) || passed.any(|v| own.contains(v))
}

/// What a block defines.
fn values_of(function: &Function, block: Block) -> Vec<Value> {
    let data = &function.blocks[block];
    let results = data.insts.iter().map(|&inst| function.insts[inst].result);
    data.params.iter().copied().chain(results).collect()
}

/// What a block reads.
fn uses_in(function: &Function, block: Block) -> Vec<Value> {
    let data = &function.blocks[block];
    let args = data
        .insts
        .iter()
        .flat_map(|&i| function.insts[i].args.iter());
    args.copied().chain(values_in(&data.terminator)).collect()
}

/// What a terminator reads and passes on.
fn values_in(terminator: &Terminator) -> Vec<Value> {
    let mut values = Vec::new();
    terminator.clone().map_values(|value| {
        values.push(value);
        value
    });
    values
}

/// Objects, one bit for each instruction that makes some, and one for all memory that the function has not made or of which there is no bit.
type Objects = u128;
const OTHERS: Objects = 1;

/// Which objects each address of a function may be in, and which addresses are still used where a block begins.
struct Addresses<'a> {
    function: &'a Function,
    flow: &'a Flow,
    calls: &'a Calls<'a>,
    /// Indexed by value.
    objects: Vec<Objects>,
    /// The objects of which others may know an address: it is stored, passed on or returned.
    known: Objects,
    /// The addresses that are used where a block begins or later.
    live: FxHashMap<Block, FxHashSet<Value>>,
}

impl<'a> Addresses<'a> {
    fn new(function: &'a Function, flow: &'a Flow, calls: &'a Calls<'a>) -> Self {
        let mut addresses = Addresses {
            function,
            flow,
            calls,
            objects: vec![0; function.values.len()],
            known: OTHERS,
            live: FxHashMap::default(),
        };
        addresses.find_objects();
        addresses.find_known();
        addresses.find_live();
        addresses
    }
    fn of(&self, value: Value) -> Objects {
        self.objects[value.index()]
    }
    /// Passes objects on along instructions and edges, until nothing changes.
    fn find_objects(&mut self) {
        let function = self.function;
        let bits = (1..Objects::BITS).map(|n| 1 << n);
        let allocs = function.blocks_in_order().flat_map(|(_, data)| &data.insts);
        let allocs = allocs.filter(|&&i| function.insts[i].op == Op::Prim(Prim::Alloc));
        let bits: FxHashMap<Inst, Objects> = allocs.copied().zip(bits).collect();
        for &param in function.params() {
            self.objects[param.index()] = OTHERS;
        }
        loop {
            let before = self.objects.clone();
            for &block in self.flow.reverse_postorder() {
                let data = &function.blocks[block];
                for &inst in &data.insts {
                    let row = &function.insts[inst];
                    if !is_address(function.ty(row.result)) {
                        continue;
                    }
                    self.objects[row.result.index()] |= match row.op {
                        Op::Prim(Prim::Alloc) => *bits.get(&inst).unwrap_or(&OTHERS),
                        Op::Const(Const::Null) => 0,
                        Op::Prim(Prim::Select) => self.of(row.args[1]) | self.of(row.args[2]),
                        _ if is_part(row.op) => self.of(row.args[0]),
                        _ => OTHERS,
                    };
                }
                for edge in data.terminator.edges() {
                    let params = &function.blocks[edge.block].params;
                    for (&param, &arg) in params.iter().zip(&edge.args) {
                        self.objects[param.index()] |= self.of(arg);
                    }
                }
            }
            if self.objects == before {
                return;
            }
        }
    }
    fn find_known(&mut self) {
        let function = self.function;
        for (_, data) in function.blocks_in_order() {
            for &inst in &data.insts {
                let row = &function.insts[inst];
                let own = match row.op {
                    Op::Prim(
                        Prim::Get(_) | Prim::Set(_) | Prim::Load | Prim::Store | Prim::Len,
                    ) => 1,
                    Op::Prim(Prim::Select) => 3,
                    _ if is_part(row.op) => 1,
                    Op::Call(_)
                        if self.calls.effect(function, row) == Effect::Pure
                            && !holds_addresses(function.ty(row.result)) =>
                    {
                        row.args.len()
                    }
                    _ => 0,
                };
                self.known |= row.args[own..].iter().fold(0, |set, &v| set | self.of(v));
            }
            if let Terminator::Return(value) = data.terminator {
                self.known |= self.of(value);
            }
        }
    }
    fn find_live(&mut self) {
        let function = self.function;
        let mut changed = true;
        while changed {
            changed = false;
            for &block in self.flow.reverse_postorder().iter().rev() {
                let mut live = self.live_after(block);
                let own: FxHashSet<Value> = values_of(function, block).into_iter().collect();
                let uses = uses_in(function, block).into_iter();
                live.extend(uses.filter(|&v| is_address(function.ty(v))));
                live.retain(|value| !own.contains(value));
                changed |= self.live.get(&block).map_or(0, FxHashSet::len) != live.len();
                self.live.insert(block, live);
            }
        }
    }
    /// The addresses that are used behind a block.
    fn live_after(&self, block: Block) -> FxHashSet<Value> {
        let next = self.function.blocks[block].terminator.edges();
        let live = next.filter_map(|edge| self.live.get(&edge.block));
        live.flatten().copied().collect()
    }

    /// Whether behind a copy nothing but the copy could read or write the first object.
    fn takes_over(&self, copy: &Copy) -> bool {
        let from = self.of(copy.from);
        let header = &self.function.blocks[copy.blocks[0]].terminator;
        let passed = header.edges().filter(|edge| edge.block == copy.exit);
        let passed = passed.flat_map(|edge| edge.args.iter().copied());
        let later = self.live[&copy.exit].iter().copied().chain(passed);
        let mut others = later.filter(|&address| start(self.function, address) != copy.to);
        from & self.known == 0 && others.all(|address| self.of(address) & from == 0)
    }
    /// Whether nothing is written to a copy, and nothing to the first object as long as the copy is used.
    fn stay_equal(&self, copy: &Copy) -> bool {
        let object = self.of(copy.to);
        let is_copy = |v: Value| self.of(v) & object != 0;
        if object & (OTHERS | self.known) != 0 || self.is_merged_or_written(copy, object) {
            return false;
        }
        let mut open = vec![copy.exit];
        let mut seen: FxHashSet<Block> = copy.blocks.into_iter().collect();
        while let Some(block) = open.pop() {
            if !seen.insert(block) || !self.live[&block].iter().any(|&v| is_copy(v)) {
                continue;
            }
            let stays = self.live_after(block).into_iter().any(is_copy);
            let data = &self.function.blocks[block];
            let passes = { data.insts.iter() }.take_while(|&&inst| inst != copy.alloc);
            let insts: Vec<Inst> = passes.copied().collect();
            let reads = |&inst: &Inst| {
                let mut args = self.function.insts[inst].args.iter();
                args.any(|&v| is_copy(v))
            };
            let last = insts.iter().rposition(reads);
            let until = if stays { Some(insts.len()) } else { last };
            let mut used = insts.iter().take(until.unwrap_or(0));
            if used.any(|&inst| self.may_write(inst, self.of(copy.from))) {
                return false;
            }
            if insts.len() == data.insts.len() {
                open.extend(data.terminator.edges().map(|edge| edge.block));
            }
        }
        true
    }
    /// Whether an object is one of several that an address may be in, or written to by anything but the loop that fills it.
    fn is_merged_or_written(&self, copy: &Copy, object: Objects) -> bool {
        let function = self.function;
        function.blocks_in_order().any(|(block, data)| {
            let merges = data.params.iter().any(|&v| self.of(v) & object != 0);
            let insts = || data.insts.iter();
            let chooses = insts().any(|&inst| {
                let row = &function.insts[inst];
                row.op == Op::Prim(Prim::Select) && self.of(row.result) & object != 0
            });
            let writes =
                !copy.blocks.contains(&block) && insts().any(|&inst| self.may_write(inst, object));
            merges || chooses || writes
        })
    }
    /// Whether an instruction may write to one of these objects.
    fn may_write(&self, inst: Inst, objects: Objects) -> bool {
        let row = &self.function.insts[inst];
        // Who knows an address of other memory may know that of each object that is not this function's alone.
        let met = |set: Objects| match set & OTHERS {
            0 => set,
            _ => set | self.known,
        };
        match row.op {
            Op::Prim(Prim::Store | Prim::Set(_)) => met(self.of(row.args[0])) & met(objects) != 0,
            _ if self.calls.effect(self.function, row) == Effect::Call => {
                let given = row.args.iter().fold(self.known, |set, &v| set | self.of(v));
                given & met(objects) != 0
            }
            _ => false,
        }
    }
}

/// Whether values of a type are addresses or contain some.
fn holds_addresses(ty: Type) -> bool {
    match ty {
        Type::Tuple(fields) => fields.iter().any(|&field| holds_addresses(field)),
        ty => is_address(ty),
    }
}
