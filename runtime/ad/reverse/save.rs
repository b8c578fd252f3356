//! Which primal values the reverse pass needs, and how it gets each: the least that must be stored.
//!
//! A value is needed *at a level*: that of the innermost loop around both its definition and its use. There it has one
//! content per iteration (a loop's result, used after the loop, is one value per iteration of what is around the loop).
//! Such a pair is a [`Slot`]. In order of cost:
//!
//! 1. constants and parameters are there;
//! 2. what cheap pure instructions make from values that are there anyway is computed again, loads included: from memory that
//!    nothing in the function writes, or that nothing writes from the loop on at whose level it is read, and, at the level of a loop that does not write it,
//!    from memory in which the reverse pass undoes all that the function has written. When it comes to the loop, such memory is as it was;
//! 3. what grows by the same number in each iteration of a loop is computed from the number of the iteration;
//! 4. at a level whose reverse runs in the same function and iteration, an SSA value is used as it is;
//! 5. in a counted loop, a row per iteration of one block of tape, reserved in front of the loop;
//! 6. in any other loop, a record that is pushed at the end of each iteration;
//! 7. outside of loops, if the pullback is a function of its own, one record: a small one is pushed last, and merges bring its values there; a larger one
//!    is pushed first, and each way through the function writes what it defines.
//!
//! Numbers and addresses that are defined on ways of which an iteration takes only one share a place in its row or record, so that it is as
//! large as the longest way needs, and not as large as all of them together.
//!
//! Of an array the reverse pass may need the shape alone. A row or record of a loop has an array of that shape then that takes no memory, and the
//! array itself may be gone long before.

use super::action::{Action, Actions, is_first_write, may_be_null};
use super::control::{Control, Node, Origin, Region, iteration};
use super::objects::{MemoryClass, written};
use super::place_merges::definitions;
use super::primal::{Induction, LoopScope, Primal};
use crate::ir::flow::Loop;
use crate::ir::{Block, Inst, Op, Prim, Type, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// A value at a level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ScopedValue {
    pub value: Value,
    pub scope: LoopScope,
}

/// How the reverse pass gets the content of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// It is a parameter or a constant.
    There,
    /// The instruction is done again.
    Again,
    /// It is `start + iteration · step` of a loop.
    Induction,
    /// It was kept: in a register or on the tape, whatever the level does.
    Kept,
}

/// What a level does with the values it keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Store {
    /// SSA values: the reverse runs in the same function and iteration.
    Registers,
    /// A record of the call: see [`Saved::record_first`].
    SplitRecord,
    /// Rows of one block of tape.
    Rows,
    /// A record that is pushed at the end of each iteration.
    Records,
}

/// The needs of a derivation.
#[derive(Default)]
pub(super) struct Saved {
    pub sources: BTreeMap<ScopedValue, Source>,
    /// Bytes in the level's row or record, for kept slots of levels that use the tape.
    pub offsets: FxHashMap<ScopedValue, u32>,
    /// The size of a level's row or record.
    pub sizes: FxHashMap<LoopScope, u32>,
    /// Arrays in rows and records of which the reverse pass reads the shape alone.
    pub shapes: FxHashSet<ScopedValue>,
    /// What the reverse of a loop uses from outside: fetched once, in front of it.
    pub imports: BTreeMap<Loop, BTreeSet<ScopedValue>>,
    /// Loops that reserve rows and in which other things are pushed, so that the rows are not on top when the reverse
    /// comes to the loop.
    pub rows_below_top: FxHashSet<Loop>,
    /// Whether the record of a forward half is pushed where the function begins, and not where it ends. The pullback needs a second record to find it then,
    /// which costs as much as to bring a few values to the end of the function.
    pub record_first: bool,
    /// Whether other things are pushed after the record of a forward half, so that it is not on top when the pullback begins.
    pub record_below_top: bool,
}

/// A record of so many bytes is pushed last.
const SMALL_RECORD: usize = 64;

/// Beyond this many cheap operations, a value is stored rather than computed again.
const BUDGET: u32 = 12;

/// Decides how each value is had. `split` says that forward and reverse are two functions.
pub(super) fn plan(primal: &Primal, actions: &Actions, control: &Control, split: bool) -> Saved {
    let mut planner = Planner {
        primal,
        control,
        split,
        written: written_memory(primal),
        unrestored: unrestored_memory(primal, actions),
        unchanged: FxHashMap::default(),
        wanted: BTreeSet::new(),
        costs: FxHashMap::default(),
        saved: Saved::default(),
    };
    let (contents, shapes) = needs(primal, actions, control, split);
    for &(value, scope) in contents.iter().chain(&shapes) {
        planner.want(value, scope);
    }
    for (value, scope) in contents {
        planner.require(value, scope, scope);
    }
    let read: FxHashSet<ScopedValue> = planner.saved.sources.keys().copied().collect();
    for (value, scope) in shapes {
        planner.require(value, scope, scope);
    }
    planner.lay_out();
    planner.find_shapes(&read);
    planner.find_buried(actions);
    planner.saved
}

/// The level of a slot's value, seen from a use.
pub(super) fn home(primal: &Primal, value: Value, scope: LoopScope) -> LoopScope {
    primal.common(primal.def_scope(value), scope)
}

/// The region in which a level's registers are.
pub(super) fn region(primal: &Primal, scope: LoopScope) -> Region {
    match scope {
        Some(l) => iteration(primal, l),
        None => Region {
            scope: None,
            first: primal.function.entry(),
            last: primal.end().unwrap_or(primal.function.entry()),
        },
    }
}

/// What a level does with the values it keeps.
pub(super) fn store(control: &Control, primal: &Primal, split: bool, scope: LoopScope) -> Store {
    match scope {
        None if split => Store::SplitRecord,
        None => Store::Registers,
        Some(l) if control.is_fused(l) => Store::Registers,
        Some(l) if primal.counted(l).is_some() => Store::Rows,
        Some(_) => Store::Records,
    }
}

/// Every value that some node of the reverse graph needs, with the level at which it does; then the arrays of which it needs the shape.
fn needs(primal: &Primal, actions: &Actions, control: &Control, split: bool) -> (Needs, Needs) {
    let null = |v: Value| may_be_null(primal, actions, !split, v);
    let (mut needs, mut shapes) = (Vec::new(), Vec::new());
    for region in control.regions(primal) {
        for node in control.order(primal, region) {
            match node {
                Node::Enter(l) => needs.push((control.trips[&l], primal.parent(l))),
                Node::Head(_) => {}
                Node::Block(block) => {
                    let scope = primal.scope(block);
                    for &inst in &primal.function.blocks[block].insts {
                        if let Some(action) = actions.get(&inst) {
                            let values = action.needs(primal, inst);
                            needs.extend(values.into_iter().map(|v| (v, scope)));
                            let arrays = action.shapes(primal, inst, &null);
                            shapes.extend(arrays.into_iter().map(|v| (v, scope)));
                        }
                    }
                    if let Some(origin) = control.origins.get(&block) {
                        let (Origin::Condition(value, ..) | Origin::Number(value, _)) = origin;
                        needs.push((*value, scope));
                    }
                }
            }
        }
    }
    (needs, shapes)
}

/// Values, each with the level at which it is needed.
type Needs = Vec<(Value, LoopScope)>;

/// The memory that the function may write.
fn written_memory(primal: &Primal) -> FxHashSet<MemoryClass> {
    let all = insts_of(primal, primal.order());
    all.flat_map(|i| written(primal, i)).collect()
}

/// The memory in which the reverse pass does not undo by itself all that the function may write.
fn unrestored_memory(primal: &Primal, actions: &Actions) -> FxHashSet<MemoryClass> {
    let is_undone = |inst: &Inst| {
        let is_first =
            actions.contains_key(inst) && is_first_write(primal, primal.block_of(*inst), *inst);
        is_first
            || matches!(
                actions.get(inst),
                Some(
                    Action::Store { old: Some(_) }
                        | Action::Set { old: Some(_), .. }
                        | Action::Overwrite { old: Some(_) }
                )
            )
    };
    let rest = insts_of(primal, primal.order()).filter(|inst| !is_undone(inst));
    rest.flat_map(|i| written(primal, i)).collect()
}

/// The instructions of some blocks.
fn insts_of(primal: &Primal, blocks: &[Block]) -> impl Iterator<Item = Inst> {
    { blocks.iter() }.flat_map(|&b| primal.function.blocks[b].insts.iter().copied())
}

struct Planner<'a> {
    primal: &'a Primal,
    control: &'a Control,
    split: bool,
    written: FxHashSet<MemoryClass>,
    unrestored: FxHashSet<MemoryClass>,
    /// What is known of the memory that loops read.
    unchanged: FxHashMap<(Loop, MemoryClass), bool>,
    /// What the reverse pass needs in any case.
    wanted: BTreeSet<ScopedValue>,
    /// The cost of computing a slot again; `None` if it cannot be.
    costs: FxHashMap<ScopedValue, Option<u32>>,
    saved: Saved,
}

impl Planner<'_> {
    fn slot(&self, value: Value, scope: LoopScope) -> ScopedValue {
        ScopedValue {
            value,
            scope: home(self.primal, value, scope),
        }
    }
    fn store(&self, scope: LoopScope) -> Store {
        store(self.control, self.primal, self.split, scope)
    }
    fn is_there(&self, value: Value) -> bool {
        self.primal.is_param(value) || self.primal.function.as_const(value).is_some()
    }
    /// What a slot is in each iteration of its loop, if it is an induction variable and the reverse pass counts the iterations.
    fn induction(&self, slot: ScopedValue) -> Option<Induction> {
        let induction = self.primal.induction(slot.value)?;
        let is_counted = slot.scope == Some(induction.of) && !self.control.is_fused(induction.of);
        is_counted.then_some(induction)
    }
    /// Notes that a slot will be had in any case; slices, which cannot be stored, want what they are made from.
    fn want(&mut self, value: Value, scope: LoopScope) {
        let slot = self.slot(value, scope);
        if self.is_there(value) || !self.wanted.insert(slot) {
            return;
        }
        if let (true, Some(row)) = (
            self.must_repeat(value),
            self.primal.function.def_inst(value),
        ) {
            for &arg in &row.args {
                self.want(arg, slot.scope);
            }
        }
    }
    fn must_repeat(&self, value: Value) -> bool {
        self.primal.ty(value).size().is_none()
    }

    /// Sees to it that a slot can be had, and what it takes. `context` is the level at which it is used.
    fn require(&mut self, value: Value, scope: LoopScope, context: LoopScope) {
        let slot = self.slot(value, scope);
        self.import(slot, context);
        if self.saved.sources.contains_key(&slot) {
            return;
        }
        let source = self.source(slot);
        self.saved.sources.insert(slot, source);
        match source {
            Source::There | Source::Kept => {}
            Source::Again => {
                let row = self.primal.function.def_inst(value);
                for arg in row.map(|row| row.args.clone()).unwrap_or_default() {
                    self.require(arg, slot.scope, slot.scope);
                }
            }
            Source::Induction => {
                if let Some(induction) = self.induction(slot) {
                    let outside = self.primal.parent(induction.of);
                    self.require(induction.start, outside, slot.scope);
                }
            }
        }
    }
    /// Has a slot fetched in front of the outermost loop, among those it is used in, that it is from outside of.
    fn import(&mut self, slot: ScopedValue, context: LoopScope) {
        if self.is_there(slot.value) || slot.scope == context {
            return;
        }
        // The iterations of a fused loop see the forward pass's own values.
        let mut outer = self.primal.child(slot.scope, context);
        while let Some(l) = outer.filter(|&l| self.control.is_fused(l)) {
            outer = self.primal.child(Some(l), context);
        }
        if let Some(l) = outer {
            self.saved.imports.entry(l).or_default().insert(slot);
        }
    }
    fn source(&mut self, slot: ScopedValue) -> Source {
        if self.is_there(slot.value) {
            return Source::There;
        }
        if self.induction(slot).is_some() {
            return Source::Induction;
        }
        let again = match self.store(slot.scope) {
            _ if self.must_repeat(slot.value) => true,
            Store::Registers => false,
            Store::SplitRecord | Store::Rows | Store::Records => self.cost(slot).is_some(),
        };
        if again { Source::Again } else { Source::Kept }
    }
    /// What it costs to compute a slot again from what is had in any case.
    fn cost(&mut self, slot: ScopedValue) -> Option<u32> {
        if let Some(&known) = self.costs.get(&slot) {
            return known;
        }
        // Nothing is its own argument; the entry only guards against broken input.
        self.costs.insert(slot, None);
        let cost = self.fresh_cost(slot);
        self.costs.insert(slot, cost);
        cost
    }
    fn fresh_cost(&mut self, slot: ScopedValue) -> Option<u32> {
        let in_place = self.primal.def_scope(slot.value) == slot.scope;
        let ValueDef::Inst(inst) = self.primal.function.values[slot.value].def else {
            return None;
        };
        let row = self.primal.function.insts[inst].clone();
        let mut cost = match row.op {
            Op::Prim(prim) if in_place => {
                self.price(prim, &row.args, self.primal.ty(row.result), slot.scope)?
            }
            _ => return None,
        };
        for &arg in &row.args {
            cost += self.argument_cost(arg, slot.scope)?;
        }
        (cost <= BUDGET).then_some(cost)
    }
    fn argument_cost(&mut self, arg: Value, scope: LoopScope) -> Option<u32> {
        let slot = self.slot(arg, scope);
        let had = self.is_there(arg)
            || self.induction(slot).is_some()
            || self.store(slot.scope) == Store::Registers
            || self.wanted.contains(&slot);
        // An address from outside of the loop is kept once for all of its iterations.
        let is_base = self.primal.ty(arg) == Type::Ptr && slot.scope != scope;
        match had {
            true => Some(0),
            false => self.cost(slot).or(is_base.then_some(1)),
        }
    }
    /// What a primitive costs, if it may be done again at a level.
    fn price(&mut self, prim: Prim, args: &[Value], ty: Type, scope: LoopScope) -> Option<u32> {
        use Prim::*;
        match prim {
            Add | Sub | Mul | Neg | Abs | Copysign | Eq | Ne | Lt | Le | Gt | Ge | And | Or
            | Xor | Not | Shl | Shr | AddOverflows | SubOverflows | MulOverflows | Select
            | Cast | Bitcast | Len | Subslice | View | Base | Offset => Some(1),
            Floor | Ceil | Trunc => Some(2),
            Div | Sqrt if ty.is_float() => Some(5),
            Div | Sqrt | Rem => Some(8),
            Load | Get(_) => {
                let memory = self.primal.memory(args[0])?.of(ty);
                self.is_unchanged(memory, scope).then_some(1)
            }
            Tuple | Field(_) | Store | Assert(_) | TapePush | TapePop | Peek(_) | Poke(_)
            | Alloc | Set(_) | Pack | Lane(_) | LoadLanes | StoreLanes => None,
        }
    }

    /// Whether the reverse of one iteration of a loop finds memory as the iteration found it, and as it left it.
    fn is_unchanged(&mut self, memory: MemoryClass, scope: LoopScope) -> bool {
        let Some(l) = scope.filter(|_| self.written.contains(&memory)) else {
            return !self.written.contains(&memory);
        };
        if let Some(&known) = self.unchanged.get(&(l, memory)) {
            return known;
        }
        let header = self.primal.data(l).header;
        let stays = |blocks: &[Block]| {
            let mut insts = insts_of(self.primal, blocks);
            insts.all(|inst| !written(self.primal, inst).contains(&memory))
        };
        let is_unchanged = !self.unrestored.contains(&memory) && stays(&self.primal.data(l).blocks)
            || stays(&self.primal.reachable(header));
        self.unchanged.insert((l, memory), is_unchanged);
        is_unchanged
    }

    /// Gives each kept slot of a level that uses the tape its place in the row or record, big ones first.
    fn lay_out(&mut self) {
        let mut kept: Vec<(std::cmp::Reverse<usize>, ScopedValue)> = self
            .saved
            .sources
            .iter()
            .filter(|(_, source)| **source == Source::Kept)
            .map(|(&slot, _)| (self.primal.ty(slot.value).size().unwrap_or(8), slot))
            .map(|(size, slot)| (std::cmp::Reverse(size), slot))
            .collect();
        kept.sort();
        let of_call = kept.iter().filter(|(_, slot)| slot.scope.is_none());
        let size_of_record: usize = of_call.map(|(std::cmp::Reverse(size), _)| size).sum();
        self.saved.record_first = size_of_record > SMALL_RECORD;
        let mut places = SharedPlaces::default();
        for (std::cmp::Reverse(size), slot) in kept {
            if self.store(slot.scope) == Store::Registers {
                continue;
            }
            let free = *self.saved.sizes.entry(slot.scope).or_insert(0);
            let at = match slot.scope.is_some() || self.saved.record_first {
                true => places.find(self.primal, slot, free),
                false => free,
            };
            self.saved.offsets.insert(slot, at);
            if at == free {
                self.saved.sizes.insert(slot.scope, at + size as u32);
            }
        }
        for size in self.saved.sizes.values_mut() {
            *size = size.next_multiple_of(8);
        }
    }
    /// Notes the arrays of floats in rows and records that are not among those whose elements are read. An array that an edge passes to a value which
    /// is kept lives on in any case.
    fn find_shapes(&mut self, read: &FxHashSet<ScopedValue>) {
        let kept: FxHashSet<Value> = read.iter().map(|slot| slot.value).collect();
        let function = &self.primal.function;
        let mut lives_on: FxHashSet<Value> = FxHashSet::default();
        for (_, data) in function.blocks_in_order() {
            for edge in data.terminator.edges() {
                let params = &function.blocks[edge.block].params;
                let passed = params.iter().zip(&edge.args);
                lives_on.extend(passed.filter(|(p, _)| kept.contains(p)).map(|(_, v)| *v));
            }
        }
        let of_shape = |slot: &&ScopedValue| {
            let is_float = self
                .primal
                .ty(slot.value)
                .element()
                .is_some_and(Type::is_float);
            let in_loop = matches!(self.store(slot.scope), Store::Rows | Store::Records);
            is_float && in_loop && !read.contains(slot) && !lives_on.contains(&slot.value)
        };
        let shapes = self.saved.offsets.keys().filter(of_shape);
        self.saved.shapes = shapes.copied().collect();
    }
    fn find_buried(&mut self, actions: &Actions) {
        let is_call = |inst: &Inst| matches!(actions.get(inst), Some(Action::Call { .. }));
        let pushes = self.saved.sizes.keys().any(Option::is_some);
        let mut insts = insts_of(self.primal, self.primal.order());
        let is_left_behind = pushes || insts.any(|inst| is_call(&inst));
        self.saved.record_below_top = self.saved.record_first && is_left_behind;
        for &l in &self.control.walked {
            let within = |inner: Loop| inner != l && self.primal.encloses(Some(l), Some(inner));
            let pushes = self
                .saved
                .sizes
                .keys()
                .flatten()
                .any(|&inner| within(inner));
            let mut insts = insts_of(self.primal, &self.primal.data(l).blocks);
            let calls = insts.any(|inst| is_call(&inst));
            let rows = self.saved.sizes.contains_key(&Some(l)) && self.primal.counted(l).is_some();
            if rows && (pushes || calls) {
                self.saved.rows_below_top.insert(l);
            }
        }
    }
}

/// Places in rows and records that are used by several values, of which an iteration, or a call, defines at most one.
#[derive(Default)]
struct SharedPlaces {
    /// For each level and type: the offset of a place, and the blocks in which the values that share it become known.
    places: FxHashMap<(LoopScope, Type), Vec<(u32, BTreeSet<Block>)>>,
    /// See [`after`].
    after: FxHashMap<(LoopScope, Block), FxHashSet<Block>>,
}

impl SharedPlaces {
    /// The offset of a value that can share its place with others, or the one that is free.
    fn find(&mut self, primal: &Primal, slot: ScopedValue, free: u32) -> u32 {
        let ty = primal.ty(slot.value);
        if !ty.is_scalar() && ty != Type::Ptr {
            return free;
        }
        let scope = slot.scope;
        // What every iteration defines shares with nothing.
        let last = scope.map_or(primal.end(), |l| Some(primal.latch(l)));
        let block = primal.def_block(slot.value);
        if last.is_none_or(|last| primal.flow.dominates(block, last)) {
            return free;
        }
        let defined = definitions(primal, slot);
        for &block in &defined {
            let after = || after(primal, scope, block);
            self.after.entry((scope, block)).or_insert_with(after);
        }
        let is_after = |a: &Block, b: &Block| self.after[&(scope, *a)].contains(b);
        let excluded = |a: &Block, b: &Block| a != b && !is_after(a, b) && !is_after(b, a);
        let places = self.places.entry((scope, ty)).or_default();
        let shared = places.iter_mut().find(|(_, others)| {
            let mut pairs = others
                .iter()
                .flat_map(|a| defined.iter().map(move |b| (a, b)));
            pairs.all(|(a, b)| excluded(a, b))
        });
        match shared {
            Some((at, others)) => {
                others.extend(defined);
                *at
            }
            None => {
                places.push((free, defined));
                free
            }
        }
    }
}

/// The blocks that an iteration of a loop, or a call, can come to after a block, with those to which it leaves the loop.
fn after(primal: &Primal, scope: LoopScope, block: Block) -> FxHashSet<Block> {
    let mut found = FxHashSet::default();
    let mut stack = vec![block];
    while let Some(block) = stack.pop() {
        if scope.is_some_and(|l| !primal.within(l, block)) {
            continue;
        }
        for edge in primal.function.blocks[block].terminator.edges() {
            let is_next_iteration = scope.is_some_and(|l| edge.block == primal.data(l).header);
            if !is_next_iteration && found.insert(edge.block) {
                stack.push(edge.block);
            }
        }
    }
    found
}
