//! Several floats in one register: [`lanes`].
//!
//! Two multiplications of `f64` side by side cost as much as one, if their operands lie side by side in registers too. So operations
//! of one kind that do not depend on each other become one operation on a register of 128 bits: two of `f64`, four of `f32`.
//!
//! The search begins at stores to neighbouring elements, which the groups of [`interleave`](super::interleave) have, and code that
//! was unrolled. It goes on to what is stored there, and to the operands of that, as long as all lanes do the same
//! (S. Larsen and S. Amarasinghe, *Exploiting superword level parallelism with multimedia instruction sets*, PLDI 2000). What is found is
//! kept if it saves more instructions than it takes to pack operands and to take lanes out, and if the block can be ordered anew so that
//! memory is read and written as before. Each lane computes what the scalar operation computed, so results keep their bits.
//!
//! In a loop with such stores the search begins at the terms of a sum that the loop carries as well. Scalars still add the terms one after another.
//! Operands that lie side by side in memory, but of which some are lanes of other registers already, such as the `x[i + 1]` of a stencil, are read from
//! memory a second time: that costs less than packing them.
//!
//! With [`fast_math`](crate::context::ContextBuilder::fast_math) the search begins at calls of one function, too: elementary functions exist for
//! registers, as kernels compute them; and at sums that a loop carries ([`sums`]), which are added in another order. Both give other last bits.
//!
//! Done last, and not to the functions of maps, which may become kernels ([`of_maps`]): no other pass knows these registers.

mod places;
mod sums;

use super::Calls;
use super::dce::remove_dead_values;
use super::effects::InLanes;
use super::memory::Regions;
use crate::arena::Id;
use crate::diag::Span;
use crate::ir::flow::{Flow, Loops};
use crate::ir::{
    Block, Effect, Function, Inst, InstData, Module, Op, Prim, Symbol, Terminator, Type, Value,
    ValueDef,
};
use places::{Line, Place, are_neighbours, is_apart};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Blocks that touch memory more often are left alone: each access is compared with each.
const MAX_ACCESSES: usize = 160;

/// What a call costs, in instructions, at least.
const CALL: i64 = 20;

/// How many operations deep the search goes from a store, a call or a sum.
const MAX_DEPTH: usize = 48;

/// The functions of maps, and those that they call.
pub(super) fn of_maps(module: &Module) -> FxHashSet<Symbol> {
    let insts = |function: &Function| -> Vec<Op> {
        let blocks = function.blocks_in_order();
        let insts = blocks.flat_map(|(_, data)| data.insts.iter());
        insts.map(|&inst| function.insts[inst].op).collect()
    };
    let mut open: Vec<Symbol> = Vec::new();
    for op in module.functions.values().flat_map(insts) {
        if let Op::Map(name) = op {
            open.push(name);
        }
    }
    let mut found = FxHashSet::default();
    while let Some(name) = open.pop() {
        if found.insert(name) {
            let callees = module.functions.get(&name).map(insts).unwrap_or_default();
            open.extend(callees.iter().filter_map(|op| match op {
                Op::Call(callee) => callee.function(),
                Op::Map(name) => Some(*name),
                _ => None,
            }));
        }
    }
    found
}

/// Uses registers of several floats in the loops of a function that is compiled for the CPU.
pub fn lanes(function: &mut Function, calls: &Calls) -> bool {
    let mut blocks = function.layout.clone();
    blocks.retain(|&block| {
        let rows = function.blocks[block].insts.iter();
        let rows = rows.map(|&inst| &function.insts[inst]);
        let begins = |row: &&InstData| {
            let is_call = matches!(row.op, Op::Call(_)) && calls.in_lanes().is_some();
            is_call || stored(function, row).is_some()
        };
        let sums = calls.in_lanes().is_some() && !function.blocks[block].params.is_empty();
        sums || rows.filter(begins).count() > 1
    });
    if blocks.is_empty() {
        return false;
    }
    let flow = Flow::new(function);
    let loops = Loops::new(function, &flow);
    blocks.retain(|&block| loops.of(block).is_some());
    if blocks.is_empty() {
        return false;
    }
    let (regions, homes) = (Regions::new(function, &flow, calls), homes(function));
    let mut changed = false;
    for block in blocks {
        if let Some(found) = find(function, calls, &regions, &homes, block) {
            rewrite(function, block, &found);
            changed = true;
        }
    }
    if changed {
        remove_dead_values(function, calls);
    }
    changed
}

/// What a block becomes.
struct Found {
    groups: Vec<Group>,
    order: Vec<Unit>,
    /// The results of members that something needs as scalars.
    alone: FxHashSet<Value>,
    /// The operands that are read from memory a second time, instead of being packed, and how they are read.
    reads: FxHashMap<Vec<Value>, InstData>,
}

/// The groups of a block, and an order for it.
fn find(
    function: &Function,
    calls: &Calls,
    regions: &Regions,
    homes: &[Home],
    block: Block,
) -> Option<Found> {
    let insts = &function.blocks[block].insts;
    let access = |&inst: &Inst| Some((inst, Place::of(function, &function.insts[inst])?));
    let accesses: FxHashMap<Inst, Place> = insts.iter().filter_map(access).collect();
    let beginnings = beginnings(function, insts, &accesses);
    let equal_calls = match calls.in_lanes() {
        Some(in_lanes) => equal_calls(function, calls, insts, in_lanes),
        None => Vec::new(),
    };
    let keeps_order = calls.in_lanes().is_none();
    let sums = match keeps_order && beginnings.is_empty() {
        true => Vec::new(),
        false => sums::sums(function, block),
    };
    if beginnings.is_empty() && equal_calls.is_empty() && sums.is_empty() {
        return None;
    }
    let mut search = Search::new(function, calls, regions, homes, block, accesses)?;
    search.in_lanes = equal_calls.iter().flatten().copied().collect();
    beginnings.iter().for_each(|stores| search.begin(stores));
    for results in equal_calls {
        search.begin_at_calls(&results);
    }
    for sum in sums {
        match keeps_order {
            true => search.begin_at_terms(&sum),
            false => search.begin_at_sum(sum),
        }
    }
    let order = search.order().filter(|_| !search.groups.is_empty())?;
    let reads = search.reads();
    let alone = search.used_alone(&reads);
    Some(Found {
        groups: search.groups,
        order,
        alone,
        reads,
    })
}

/// Stores to neighbouring places, as many as a register has lanes, in the order of the program.
fn beginnings(
    function: &Function,
    insts: &[Inst],
    accesses: &FxHashMap<Inst, Place>,
) -> Vec<Vec<Inst>> {
    let mut lines: Vec<(&Line, Type, BTreeMap<i64, Vec<Inst>>)> = Vec::new();
    for inst in insts {
        let (Some(ty), Some(place)) =
            (stored(function, &function.insts[*inst]), accesses.get(inst))
        else {
            continue;
        };
        let known = lines
            .iter()
            .position(|(line, t, _)| (*line, *t) == (&place.line, ty));
        let at = known.unwrap_or_else(|| {
            lines.push((&place.line, ty, BTreeMap::new()));
            lines.len() - 1
        });
        lines[at].2.entry(place.at).or_default().push(*inst);
    }
    let mut found = Vec::new();
    for (_, ty, stores) in lines {
        let count = count(ty);
        // A place that is written twice has no one value to store.
        let single = stores.values().filter(|stores| stores.len() == 1);
        let single: Vec<Inst> = single.map(|stores| stores[0]).collect();
        let mut from = 0;
        while from + count <= single.len() {
            let some = &single[from..from + count];
            let neighbours = are_neighbours(accesses, some);
            if neighbours {
                found.push(some.to_vec());
            }
            from += if neighbours { count } else { 1 };
        }
    }
    found
}

/// The results of calls of one pure function that exists for registers, in the order of the program.
fn equal_calls(
    function: &Function,
    calls: &Calls,
    insts: &[Inst],
    in_lanes: InLanes,
) -> Vec<Vec<Value>> {
    let mut found: Vec<(Op, Type, Vec<Value>)> = Vec::new();
    for &inst in insts {
        let row = &function.insts[inst];
        let ty = function.ty(row.result);
        if !matches!(row.op, Op::Call(_)) || calls.effect(function, row) != Effect::Pure {
            continue;
        }
        match found
            .iter_mut()
            .find(|(op, t, _)| (*op, *t) == (row.op, ty))
        {
            Some((.., results)) => results.push(row.result),
            None => found.push((row.op, ty, vec![row.result])),
        }
    }
    found.retain(|(op, ty, results)| {
        let types = function.def_inst(results[0]).into_iter();
        let types = types.flat_map(|row| row.args.iter().map(|&arg| function.ty(arg)));
        let types: Option<Vec<Type>> = types.map(Type::in_lanes).collect();
        match (op, types, ty.in_lanes()) {
            (Op::Call(callee), Some(types), Some(ty)) if results.len() > 1 => {
                in_lanes(*callee, &types, ty)
            }
            _ => false,
        }
    });
    found.into_iter().map(|(.., results)| results).collect()
}

/// Where a value is used.
#[derive(Clone, Copy, PartialEq)]
enum Home {
    Nowhere,
    /// By instructions of one block.
    Block(Block),
    /// By several blocks, or at the end of one.
    Open,
}

/// Where each value is used.
fn homes(function: &Function) -> Vec<Home> {
    let mut homes = vec![Home::Nowhere; function.values.len()];
    for (block, data) in function.blocks_in_order() {
        for &arg in data
            .insts
            .iter()
            .flat_map(|&inst| &function.insts[inst].args)
        {
            let home = &mut homes[arg.index()];
            *home = match *home {
                Home::Nowhere => Home::Block(block),
                known if known == Home::Block(block) => known,
                _ => Home::Open,
            };
        }
        let end: &Terminator = &data.terminator;
        end.for_each_value(|value| homes[value.index()] = Home::Open);
    }
    homes
}

/// Operations that become one.
struct Group {
    /// One for each lane; of a sum, all steps.
    members: Vec<Inst>,
    /// The operands that are registers.
    operands: Vec<Operand>,
    /// The parameter of the block that the members are added to, and its number, if they are the steps of a sum.
    carried: Option<(Value, usize)>,
}

/// What an operation on registers takes.
enum Operand {
    /// The result of another group.
    Group(usize),
    /// Scalars, one for each lane, that must be packed.
    Packed(Vec<Value>),
}

/// What is emitted at once: a group, or an instruction as it was.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Unit {
    Group(usize),
    Single(Inst),
}

/// The search in one block.
struct Search<'a> {
    function: &'a Function,
    /// The block's instructions, and where they are.
    insts: &'a [Inst],
    places: FxHashMap<Inst, usize>,
    /// Where the block's instructions read and write.
    accesses: FxHashMap<Inst, Place>,
    /// By place: the earlier instructions that must stay before it.
    before: Vec<Vec<Inst>>,
    /// Those that must stay before or behind another one.
    ordered: FxHashSet<Inst>,
    homes: &'a [Home],
    block: Block,
    /// The uses of values in the block.
    users: FxHashMap<Value, Vec<Inst>>,
    groups: Vec<Group>,
    /// The group of each instruction that is in one.
    of: FxHashMap<Inst, usize>,
    /// The group whose lanes are these values.
    by_lanes: FxHashMap<Vec<Value>, usize>,
    /// The results of calls of functions that exist for registers.
    in_lanes: FxHashSet<Value>,
}

impl<'a> Search<'a> {
    fn new(
        function: &'a Function,
        calls: &Calls,
        regions: &Regions,
        homes: &'a [Home],
        block: Block,
        accesses: FxHashMap<Inst, Place>,
    ) -> Option<Search<'a>> {
        let insts = &function.blocks[block].insts[..];
        let effect = |inst: Inst| calls.effect(function, &function.insts[inst]);
        let touching = insts
            .iter()
            .copied()
            .filter(|&inst| effect(inst) != Effect::Pure);
        let touching: Vec<(Inst, Effect)> = touching.map(|inst| (inst, effect(inst))).collect();
        if touching.len() > MAX_ACCESSES {
            return None;
        }
        let places: FxHashMap<Inst, usize> = insts.iter().copied().zip(0..).collect();
        let mut before = vec![Vec::new(); insts.len()];
        let mut ordered = FxHashSet::default();
        for (n, &(later, how)) in touching.iter().enumerate() {
            for &(earlier, earlier_how) in &touching[..n] {
                let both_read = how == Effect::Read && earlier_how == Effect::Read;
                if !both_read && !is_apart(function, regions, &accesses, earlier, later) {
                    before[places[&later]].push(earlier);
                    ordered.extend([earlier, later]);
                }
            }
        }
        let mut users: FxHashMap<Value, Vec<Inst>> = FxHashMap::default();
        for &inst in insts {
            for &arg in &function.insts[inst].args {
                users.entry(arg).or_default().push(inst);
            }
        }
        Some(Search {
            function,
            insts,
            places,
            accesses,
            before,
            ordered,
            homes,
            block,
            users,
            groups: Vec::new(),
            of: FxHashMap::default(),
            by_lanes: FxHashMap::default(),
            in_lanes: FxHashSet::default(),
        })
    }

    fn row(&self, inst: Inst) -> &'a InstData {
        &self.function.insts[inst]
    }

    /// Makes groups of these stores and of what they need, if that pays and is possible: of all that they need, else of what is stored.
    fn begin(&mut self, stores: &[Inst]) {
        let known = self.groups.len();
        let value = |store: &Inst| self.row(*store).args.last().copied();
        let values: Vec<Value> = stores.iter().filter_map(value).collect();
        for depth in [MAX_DEPTH, 1] {
            self.add(stores.to_vec(), Vec::new());
            let value = self.operand(values.clone(), depth);
            self.groups[known].operands.push(value);
            if self.keeps(known, 0) {
                return;
            }
        }
    }

    /// Makes groups of calls of one function, as many as there are for whole registers, and of what they need.
    fn begin_at_calls(&mut self, results: &[Value]) {
        let is_free = |result: &Value| {
            let call = self.made_by(*result);
            call.is_some_and(|call| !self.of.contains_key(&call))
        };
        let free: Vec<Value> = results.iter().copied().filter(is_free).collect();
        let ty = free.first().map(|&result| self.function.ty(result));
        let Some(count) = ty.map(|ty| match ty {
            Type::Tuple(fields) => count(fields[0]),
            single => count(single),
        }) else {
            return;
        };
        for values in free.chunks_exact(count) {
            for depth in [MAX_DEPTH, 1] {
                let known = self.groups.len();
                self.operand(values.to_vec(), depth);
                if self.keeps(known, 0) {
                    break;
                }
            }
        }
    }

    /// Makes a group of the steps of a sum, and of their terms.
    fn begin_at_sum(&mut self, sum: sums::Sum) {
        let count = count(self.function.ty(sum.param));
        let is_free = sum.steps.iter().all(|step| !self.of.contains_key(step));
        if !is_free || !sum.steps.len().is_multiple_of(count) {
            return;
        }
        for depth in [MAX_DEPTH, 1] {
            let known = self.add(sum.steps.clone(), Vec::new());
            self.groups[known].carried = Some((sum.param, sum.index));
            for terms in sum.terms.chunks(count) {
                let term = self.operand(terms.to_vec(), depth);
                self.groups[known].operands.push(term);
            }
            if self.keeps(known, 0) {
                return;
            }
        }
    }

    /// Makes groups of the terms of a sum, which scalars add one after another all the same.
    fn begin_at_terms(&mut self, sum: &sums::Sum) {
        let count = count(self.function.ty(sum.param));
        for terms in sum.terms.chunks_exact(count) {
            let known = self.groups.len();
            self.operand(terms.to_vec(), MAX_DEPTH);
            // An operation on scalars reads one operand from memory by itself, so nothing is saved there.
            let is_read = |group: &&Group| is_read(self.row(group.members[0]).op);
            let reads = self.groups[known..].iter().filter(is_read).count();
            self.keeps(known, reads as i64);
        }
    }

    /// Whether the groups from this number on save more than so many instructions and are possible. If not, they are taken back.
    fn keeps(&mut self, known: usize, price: i64) -> bool {
        if self.gain(known).is_some_and(|gain| gain > price) && self.order().is_some() {
            return true;
        }
        for group in self.groups.drain(known..) {
            for member in group.members {
                self.of.remove(&member);
            }
        }
        self.by_lanes.retain(|_, group| *group < known);
        false
    }

    /// The instruction of the block that makes a value.
    fn made_by(&self, value: Value) -> Option<Inst> {
        match self.function.values[value].def {
            ValueDef::Inst(inst) => self.places.contains_key(&inst).then_some(inst),
            ValueDef::Param(..) => None,
        }
    }

    fn add(&mut self, members: Vec<Inst>, operands: Vec<Operand>) -> usize {
        let group = self.groups.len();
        self.of
            .extend(members.iter().map(|&member| (member, group)));
        self.groups.push(Group {
            members,
            operands,
            carried: None,
        });
        group
    }

    /// These values as lanes: of a group that does the same in each, if there can be one.
    fn operand(&mut self, values: Vec<Value>, depth: usize) -> Operand {
        if let Some(&group) = self.by_lanes.get(&values) {
            return Operand::Group(group);
        }
        let Some(members) = self.members(&values).filter(|_| depth > 0) else {
            return Operand::Packed(values);
        };
        let group = self.add(members.clone(), Vec::new());
        self.by_lanes.insert(values, group);
        let first = self.row(members[0]);
        if is_read(first.op) {
            return Operand::Group(group);
        }
        let mut lines: Vec<Vec<Value>> = vec![Vec::new(); first.args.len()];
        for &member in &members {
            let mut args = self.row(member).args.clone();
            if matches!(first.op, Op::Prim(Prim::Add | Prim::Mul))
                && self.is_swapped(&first.args, &args)
            {
                args.swap(0, 1);
            }
            for (line, arg) in lines.iter_mut().zip(args) {
                line.push(arg);
            }
        }
        for line in lines {
            let operand = self.operand(line, depth - 1);
            self.groups[group].operands.push(operand);
        }
        self.add_fields(group);
        Operand::Group(group)
    }

    /// Makes groups of the fields of a group of tuples: lanes cannot be taken out of a tuple.
    fn add_fields(&mut self, group: usize) {
        let members = self.groups[group].members.clone();
        let Type::Tuple(fields) = self.function.ty(self.row(members[0]).result) else {
            return;
        };
        for n in 0..fields.len() as u32 {
            let field = |&member: &Inst| {
                let users = self.users.get(&self.row(member).result)?;
                let is_it = |user: &&Inst| self.row(**user).op == Op::Prim(Prim::Field(n));
                users.iter().find(is_it).copied()
            };
            let Some(insts) = members.iter().map(field).collect::<Option<Vec<Inst>>>() else {
                continue;
            };
            if insts.iter().any(|inst| self.of.contains_key(inst)) {
                continue;
            }
            let values = insts.iter().map(|&inst| self.row(inst).result).collect();
            let fields = self.add(insts, vec![Operand::Group(group)]);
            self.by_lanes.insert(values, fields);
        }
    }

    /// Whether operands fit those of the first lane the other way round only.
    fn is_swapped(&self, first: &[Value], args: &[Value]) -> bool {
        let kind = |value: Value| self.function.def_inst(value).map(|row| row.op);
        let fits = |a: Value, b: Value| a == b || kind(a) == kind(b);
        !(fits(first[0], args[0]) && fits(first[1], args[1]))
            && fits(first[0], args[1])
            && fits(first[1], args[0])
    }

    /// The instructions that compute these values, if one operation on registers can take their place.
    fn members(&self, values: &[Value]) -> Option<Vec<Inst>> {
        let members = values.iter().map(|&value| self.made_by(value));
        let members: Vec<Inst> = members.collect::<Option<_>>()?;
        let distinct: BTreeSet<Inst> = members.iter().copied().collect();
        if distinct.len() != members.len() || members.iter().any(|m| self.of.contains_key(m)) {
            return None;
        }
        let first = self.row(members[0]);
        let ty = self.function.ty(first.result);
        ty.in_lanes()?;
        let mut rows = members.iter().map(|&member| self.row(member));
        let fits = rows.all(|row| {
            let same = match is_read(first.op) {
                true => is_read(row.op),
                false => row.op == first.op && self.has_lanes(row),
            };
            same && self.function.ty(row.result) == ty
        });
        (fits && (!is_read(first.op) || are_neighbours(&self.accesses, &members)))
            .then_some(members)
    }

    /// Whether an operation exists for registers. Primitives give the same bits there.
    fn has_lanes(&self, row: &InstData) -> bool {
        use Prim::*;
        match row.op {
            Op::Prim(prim) => {
                let is_arithmetic = matches!(
                    prim,
                    Add | Sub | Mul | Div | Neg | Sqrt | Abs | Floor | Ceil | Trunc
                );
                is_arithmetic || matches!(prim, Field(_)) && self.in_lanes.contains(&row.args[0])
            }
            Op::Call(_) => self.in_lanes.contains(&row.result),
            _ => false,
        }
    }

    /// How many instructions the groups from this number on save. `None` if a tuple of registers is made of tuples of scalars, or used as such.
    fn gain(&self, from: usize) -> Option<i64> {
        let (mut gain, mut packed) = (0, FxHashSet::default());
        for group in &self.groups[from..] {
            let first = self.row(group.members[0]);
            gain += match first.op {
                Op::Call(_) => CALL * (group.members.len() as i64 - 1),
                Op::Prim(Prim::Field(_)) => 0,
                _ => group.members.len() as i64 - 1,
            };
            if let Type::Tuple([_, ..]) = self.function.ty(first.result)
                && group
                    .members
                    .iter()
                    .any(|&member| self.is_used_alone(member))
            {
                return None;
            }
            for operand in &group.operands {
                let Operand::Packed(values) = operand else {
                    continue;
                };
                if !self.function.ty(values[0]).is_float() {
                    return None;
                }
                if packed.insert(values) {
                    gain -= self.cost_of_packing(values);
                }
            }
            if group.carried.is_some() {
                // A step of scalars waits for the one before. With fewer steps there is less to wait for.
                gain += group.members.len() as i64;
                continue;
            }
            // The first lane of a register is a scalar as it is.
            let rest = group.members[1..].iter();
            gain -= rest.filter(|&&member| self.is_used_alone(member)).count() as i64;
        }
        Some(gain)
    }

    /// How one instruction reads these values, if they lie side by side in memory that the block does not write. Some of them may be lanes of other groups.
    fn read(&self, values: &[Value]) -> Option<InstData> {
        let insts = values.iter().map(|&value| self.made_by(value));
        let insts: Vec<Inst> = insts.collect::<Option<_>>()?;
        let first = self.row(insts[0]);
        let ty = self.function.ty(first.result);
        let can_be_read = |&inst: &Inst| {
            let row = self.row(inst);
            is_read(row.op) && self.function.ty(row.result) == ty && !self.ordered.contains(&inst)
        };
        (insts.iter().all(can_be_read) && are_neighbours(&self.accesses, &insts))
            .then(|| first.clone())
    }

    /// The operands that are read a second time, and how.
    fn reads(&self) -> FxHashMap<Vec<Value>, InstData> {
        let operands = self.groups.iter().flat_map(|group| &group.operands);
        let read = |operand: &Operand| match operand {
            Operand::Packed(values) => Some((values.clone(), self.read(values)?)),
            Operand::Group(_) => None,
        };
        operands.filter_map(read).collect()
    }

    fn cost_of_packing(&self, values: &[Value]) -> i64 {
        if self.read(values).is_some() {
            return 1;
        }
        let same = values.iter().all(|value| *value == values[0]);
        let is_inside = match self.function.values[values[0]].def {
            ValueDef::Inst(inst) => self.places.contains_key(&inst),
            ValueDef::Param(block, _) => block == self.block,
        };
        let is_constant = self.function.as_const(values[0]).is_some();
        match same {
            // Once before the loop.
            true if is_constant || !is_inside => 0,
            true => 1,
            false => values.len() as i64 - 1,
        }
    }

    /// Whether something that is in no group needs the result of a member.
    fn is_used_alone(&self, member: Inst) -> bool {
        let result = self.row(member).result;
        let home = self.homes[result.index()];
        let mut users = self.users.get(&result).into_iter().flatten();
        home != Home::Nowhere && home != Home::Block(self.block)
            || users.any(|user| !self.of.contains_key(user))
    }

    /// The results of members that something needs as scalars.
    fn used_alone(&self, reads: &FxHashMap<Vec<Value>, InstData>) -> FxHashSet<Value> {
        let groups = self.groups.iter().filter(|group| group.carried.is_none());
        let members = groups.flat_map(|group| &group.members);
        let members = members.filter(|&&member| self.is_used_alone(member));
        let mut alone: FxHashSet<Value> = members.map(|&m| self.row(m).result).collect();
        for operand in self.groups.iter().flat_map(|group| &group.operands) {
            if let Operand::Packed(values) = operand
                && !reads.contains_key(values)
            {
                alone.extend(values);
            }
        }
        alone
    }

    /// An order of the block in which each group is one instruction. `None` if there is none.
    fn order(&self) -> Option<Vec<Unit>> {
        let mut last: FxHashMap<usize, usize> = FxHashMap::default();
        for (group, data) in self.groups.iter().enumerate() {
            let places = data.members.iter().map(|member| self.places[member]);
            last.insert(group, places.max().unwrap_or(0));
        }
        let mut order = Order {
            search: self,
            done: FxHashMap::default(),
            units: Vec::new(),
        };
        for (place, &inst) in self.insts.iter().enumerate() {
            let unit = self.unit(inst);
            let waits = matches!(unit, Unit::Group(group) if last[&group] > place);
            if !waits && !order.emit(unit) {
                return None;
            }
        }
        Some(order.units)
    }

    fn unit(&self, inst: Inst) -> Unit {
        self.of
            .get(&inst)
            .map_or(Unit::Single(inst), |&group| Unit::Group(group))
    }
}

/// How many floats of a type a register holds.
fn count(ty: Type) -> usize {
    let lanes = ty.in_lanes().and_then(Type::lanes);
    lanes.map_or(1, |(_, count)| count)
}

/// The operation on registers that does in each lane what this one does.
fn in_lanes(op: Op) -> Op {
    match op {
        Op::Prim(Prim::Load) => Op::Prim(Prim::LoadLanes),
        Op::Prim(Prim::Store) => Op::Prim(Prim::StoreLanes),
        op => op,
    }
}

/// Whether an operation reads memory.
fn is_read(op: Op) -> bool {
    matches!(op, Op::Prim(Prim::Load | Prim::Get(_) | Prim::Peek(_)))
}

/// The type of what an instruction writes, if a register holds several of it.
fn stored(function: &Function, row: &InstData) -> Option<Type> {
    let is_write = matches!(row.op, Op::Prim(Prim::Store | Prim::Set(_) | Prim::Poke(_)));
    let ty = function.ty(*row.args.last().filter(|_| is_write)?);
    ty.in_lanes().map(|_| ty)
}

/// An order in the making.
struct Order<'a, 'f> {
    search: &'a Search<'f>,
    /// False while what a unit needs is being emitted.
    done: FxHashMap<Unit, bool>,
    units: Vec<Unit>,
}

impl Order<'_, '_> {
    /// Emits a unit behind what it needs. Says whether that is possible.
    fn emit(&mut self, unit: Unit) -> bool {
        if let Some(&done) = self.done.get(&unit) {
            return done;
        }
        self.done.insert(unit, false);
        let single;
        let members = match unit {
            Unit::Group(group) => &self.search.groups[group].members[..],
            Unit::Single(inst) => {
                single = [inst];
                &single
            }
        };
        for member in members {
            let search = self.search;
            let row = search.row(*member);
            let made = row.args.iter().filter_map(|&arg| search.made_by(arg));
            let earlier = search.before[search.places[member]].iter().copied();
            let is_sum =
                matches!(unit, Unit::Group(group) if search.groups[group].carried.is_some());
            for needed in made.chain(earlier) {
                // Each step of a sum needs the one before.
                if is_sum && search.unit(needed) == unit {
                    continue;
                }
                if !self.emit(search.unit(needed)) {
                    return false;
                }
            }
        }
        self.done.insert(unit, true);
        self.units.push(unit);
        true
    }
}

/// Writes the block anew.
fn rewrite(function: &mut Function, block: Block, found: &Found) {
    let groups = &found.groups;
    function.blocks[block].insts.clear();
    let mut registers: Vec<Option<Value>> = vec![None; groups.len()];
    let mut packed: FxHashMap<Vec<Value>, Value> = FxHashMap::default();
    let mut carried = Vec::new();
    for &unit in &found.order {
        let group = match unit {
            Unit::Single(inst) => {
                function.blocks[block].insts.push(inst);
                continue;
            }
            Unit::Group(group) => group,
        };
        let members = &groups[group].members;
        let row = function.insts[members[0]].clone();
        let mut operands = Vec::new();
        for operand in &groups[group].operands {
            let register = match operand {
                Operand::Group(other) => registers[*other],
                Operand::Packed(values) => {
                    let ty = function.ty(values[0]).in_lanes().unwrap_or(Type::F64x2);
                    let pack = Op::Prim(Prim::Pack);
                    Some(*packed.entry(values.clone()).or_insert_with(|| {
                        match found.reads.get(values) {
                            Some(read) => {
                                let op = in_lanes(read.op);
                                function.append(block, op, &read.args, ty, read.span)
                            }
                            None => function.append(block, pack, values, ty, Span::NONE),
                        }
                    }))
                }
            };
            operands.extend(register);
        }
        let ty = function.ty(row.result).in_lanes().unwrap_or(Type::UNIT);
        if groups[group].carried.is_some() {
            let register = function.add_param(block, ty);
            let mut total = register;
            for term in operands {
                total = function.append(block, row.op, &[total, term], ty, row.span);
            }
            carried.push((group, register, total));
            continue;
        }
        let args = match row.op {
            Op::Prim(Prim::Store) => [&row.args[..2], &operands[..]].concat(),
            Op::Prim(Prim::Set(_) | Prim::Poke(_)) => [&row.args[..1], &operands[..]].concat(),
            op if is_read(op) => row.args.to_vec(),
            _ => operands,
        };
        let register = function.append(block, in_lanes(row.op), &args, ty, row.span);
        registers[group] = Some(register);
        for (n, &member) in members.iter().enumerate() {
            let data = &mut function.insts[member];
            if found.alone.contains(&data.result) {
                data.op = Op::Prim(Prim::Lane(n as u32));
                data.args = [register].into_iter().collect();
                function.blocks[block].insts.push(member);
            }
        }
    }
    let mut left = Vec::new();
    for (group, register, total) in carried {
        let (members, sum) = (&groups[group].members, groups[group].carried);
        if let (Some(&last), Some(sum)) = (members.last(), sum) {
            sums::carry(function, block, sum, register, total);
            left.push((function.insts[last].result, total));
        }
    }
    if !left.is_empty() {
        sums::leave(function, block, &left);
    }
}
