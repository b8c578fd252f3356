//! Iterations side by side: [`interleave`].
//!
//! `s += cos(exp(x[i]))` spends its time in calls, each of which waits for the one before, while the next iteration's
//! could already run: the machine looks only so many instructions ahead, fewer than one iteration has. So four
//! iterations run together: first everything that does not depend on the iterations before (loads from memory that
//! does not change, arithmetic, pure calls), instruction by instruction for all four; then the rest, iteration by iteration. Sums
//! are added in the same order as before, so results keep their bits. The loop as it was follows for what is left.
//!
//! A short loop without calls, such as `dw[j] += x[j] * dy`, gains for another reason: counting, testing and moving addresses on take half
//! of its instructions, and four iterations share them. Loops of a reverse pass count down.
//!
//! A guard that looks at an element whose index goes on with the iterations, `i` or `i + k`, is not in the copies: before the groups begin, the
//! first and the last index are compared with the length. Where they do not fit there are no groups, and the loop as it was finds what fails.
//!
//! A longer loop that writes neighbouring floats gains for a third: the copies have operations of one kind side by side, of which
//! [`lanes`](fn@super::lanes) makes operations on registers of several floats.
//!
//! A stencil, such as `(x[i + 1] - x[i]).powi(2)`, gains for a fourth: `i + 1` of one iteration is `i` of the next, and both are one value in the copies. So
//! what one iteration has read the next one need not read again ([`gvn`](super::gvn())), and what it writes and the next one overwrites is not written
//! ([`stores`](super::stores())).
//!
//! Done once, last: the copies would only cost the other passes time. Measured with gradients: 6 per cent on
//! `s += cos(exp(x[i]))`, a fifth on a product of matrices, a third on a network of dense layers.

use super::Calls;
use super::licm::is_total;
use crate::arena::Id;
use crate::diag::Span;
use crate::ir::eval::{fits, wrap};
use crate::ir::flow::{Counted, Flow, Loops};
use crate::ir::roots::{Root, Roots};
use crate::ir::{
    Block, Const, Edge, Effect, Function, Inst, InstData, Op, Prim, Terminator, Type, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many iterations run together.
const WIDTH: i64 = 4;

/// How many iterations run together if they call functions that exist for registers of several floats. The instructions of such a function
/// wait for each other, so the machine has time for several calls side by side.
const WIDE: i64 = 8;

/// Longer bodies fill the machine's window by themselves.
const MAX_BODY: usize = 48;

/// Longer bodies without calls have so much work to do that counting and testing cost little.
const SHORT_BODY: usize = 20;

/// Interleaves the iterations of innermost loops of one block that call scalar functions or are short. Whatever reads or writes
/// memory that changes, or can fail, keeps its order.
pub fn interleave(function: &mut Function, calls: &Calls) -> bool {
    let flow = Flow::new(function);
    let loops = Loops::new(function, &flow);
    let roots = Roots::new(function, &flow);
    let mut found = Vec::new();
    for (_, data) in loops.all() {
        if let (Some(counted), [header, body]) = (&data.counted, &data.blocks[..]) {
            found.extend(Candidate::new(
                function, calls, &roots, *header, *body, counted,
            ));
        }
    }
    for candidate in &found {
        candidate.rewrite(function);
    }
    !found.is_empty()
}

/// A loop that is worth it.
struct Candidate {
    /// How many iterations run together.
    width: i64,
    header: Block,
    body: Block,
    induction: Value,
    end: Value,
    step: i64,
    /// The instructions of an iteration but for the guards below, in order: those of the header, then those of the body.
    insts: Vec<Inst>,
    /// Those that do not depend on other iterations.
    free: FxHashSet<Inst>,
    /// The guards that hold for all iterations if they hold for the first and the last.
    guards: Vec<Guard>,
}

/// `assert i + offset < length`, for the induction variable `i` and what does not change in the loop.
struct Guard {
    inst: Inst,
    offset: Option<Value>,
    length: Value,
}

impl Candidate {
    fn new(
        function: &Function,
        calls: &Calls,
        roots: &Roots,
        header: Block,
        body: Block,
        counted: &Counted,
    ) -> Option<Candidate> {
        let end = &function.blocks[body].terminator;
        let simple = counted.body == body
            && function.blocks[body].params.is_empty()
            && matches!(end, Terminator::Jump(edge) if edge.block == header)
            && (1..1 << 16).contains(&counted.step.unsigned_abs())
            && counted.step.unsigned_abs().is_power_of_two()
            && fits(
                (WIDE * counted.step).unsigned_abs().into(),
                function.ty(counted.induction),
            );
        if !simple {
            return None;
        }
        let mut insts = iteration(function, calls, header, body, counted)?;
        let guards = guards(function, header, &insts, counted.induction);
        insts.retain(|inst| guards.iter().all(|guard| guard.inst != *inst));
        let free = free_instructions(function, calls, roots, header, &insts, counted.induction);
        let is_call = |inst: &Inst| matches!(function.insts[*inst].op, Op::Call(_));
        let is_short = insts.len() <= SHORT_BODY && insts.iter().all(|&i| is_plain(function, i));
        let pays = insts.len() <= MAX_BODY && free.iter().any(is_call);
        let line = counted.step.abs() == 1
            && insts.len() <= MAX_BODY
            && writes_line(function, header, &insts, counted.induction);
        let width = match calls.in_lanes() {
            Some(_) if pays && insts.len() <= MAX_BODY / 2 => WIDE,
            _ => WIDTH,
        };
        (is_short || pays || line).then_some(Candidate {
            width,
            header,
            body,
            induction: counted.induction,
            end: counted.end,
            step: counted.step,
            insts,
            free,
            guards,
        })
    }

    /// Puts a loop over groups of iterations before the loop.
    fn rewrite(&self, function: &mut Function) {
        let [before, wide, group] = [(); 3].map(|_| function.add_block());
        self.redirect_entry(function, before);
        let params = function.blocks[self.header].params.clone();
        let [first, carried] = [before, wide].map(|block| {
            let copies = params.iter().map(|&param| {
                let copy = function.add_param(block, function.ty(param));
                (param, copy)
            });
            copies.collect::<FxHashMap<Value, Value>>()
        });
        let end = self.end_of_groups(function, before, first[&self.induction]);
        let args: Vec<Value> = params.iter().map(|param| first[param]).collect();
        function.blocks[before].terminator = Terminator::Jump(Edge::new(wide, args));
        self.test(function, wide, group, (carried[&self.induction], end));
        let next = self.copies(function, group, &carried);
        let args: Vec<Value> = params.iter().map(|param| next[param]).collect();
        function.blocks[group].terminator = Terminator::Jump(Edge::new(wide, args));
        place_before(function, self.header, &[before, wide, group]);
    }

    /// Every edge into the loop from outside leads to the groups now.
    fn redirect_entry(&self, function: &mut Function, before: Block) {
        let outside: Vec<Block> = function
            .layout
            .iter()
            .copied()
            .filter(|&block| block != self.body)
            .collect();
        for block in outside {
            for edge in function.blocks[block].terminator.edges_mut() {
                if edge.block == self.header {
                    edge.block = before;
                }
            }
        }
    }

    /// The comparison under which there is another iteration.
    fn order(&self) -> Prim {
        match self.step > 0 {
            true => Prim::Lt,
            false => Prim::Gt,
        }
    }

    /// Where the groups end that begin at `i`, as many as are full: `end - (end - i) % (width * step)`, or `i` if there are no iterations
    /// or a guard does not hold for all of them.
    /// A loop that counts down has `end + (i - end) % …`. The steps are powers of two, so the remainder is right even where the
    /// difference does not fit its type.
    fn end_of_groups(&self, function: &mut Function, before: Block, i: Value) -> Value {
        let ty = function.ty(i);
        let mask = Op::Const(Const::Int((self.width * self.step).abs() - 1));
        let mask = function.append(before, mask, &[], ty, Span::NONE);
        let (distance, back) = match self.step > 0 {
            true => ([self.end, i], Prim::Sub),
            false => ([i, self.end], Prim::Add),
        };
        let mut emit = |prim, args: &[Value], ty| {
            function.append(before, Op::Prim(prim), args, ty, Span::NONE)
        };
        let left = emit(Prim::Sub, &distance, ty);
        let rest = emit(Prim::And, &[left, mask], ty);
        let full = emit(back, &[self.end, rest], ty);
        let mut run = emit(self.order(), &[i, self.end], Type::Bool);
        for guard in &self.guards {
            let holds = self.holds(function, before, guard, (i, left));
            let both = Op::Prim(Prim::And);
            run = function.append(before, both, &[run, holds], Type::Bool, Span::NONE);
        }
        let select = Op::Prim(Prim::Select);
        function.append(before, select, &[run, full, i], ty, Span::NONE)
    }

    /// Whether a guard holds for all iterations from `i` on that cover the distance `left`: the first index is less than the length, and the
    /// distance is no more than what is left above it, or below it if the loop counts down. Nothing of this wraps around.
    fn holds(
        &self,
        function: &mut Function,
        before: Block,
        guard: &Guard,
        (i, left): (Value, Value),
    ) -> Value {
        let ty = function.ty(i);
        let mut emit = |op, args: &[Value], ty| function.append(before, op, args, ty, Span::NONE);
        let first = match guard.offset {
            Some(offset) => emit(Op::Prim(Prim::Add), &[i, offset], ty),
            None => i,
        };
        let room = match self.step > 0 {
            true => emit(Op::Prim(Prim::Sub), &[guard.length, first], ty),
            false => {
                let one = emit(Op::Const(Const::Int(1)), &[], ty);
                emit(Op::Prim(Prim::Add), &[first, one], ty)
            }
        };
        let begins = emit(Op::Prim(Prim::Lt), &[first, guard.length], Type::Bool);
        let ends = emit(Op::Prim(Prim::Le), &[left, room], Type::Bool);
        emit(Op::Prim(Prim::And), &[begins, ends], Type::Bool)
    }

    /// `if i < end`: a group; else the loop as it was, for what is left. `end` is that of the groups.
    fn test(&self, function: &mut Function, wide: Block, group: Block, (i, end): (Value, Value)) {
        let order = Op::Prim(self.order());
        let condition = function.append(wide, order, &[i, end], Type::Bool, Span::NONE);
        let args = function.blocks[wide].params.clone();
        function.blocks[wide].terminator = Terminator::Branch {
            condition,
            then: Edge::new(group, Vec::new()),
            otherwise: Edge::new(self.header, args),
        };
    }

    /// The iterations of a group, and what the loop's parameters are after it.
    fn copies(
        &self,
        function: &mut Function,
        group: Block,
        carried: &FxHashMap<Value, Value>,
    ) -> FxHashMap<Value, Value> {
        let insts = &self.insts;
        let mut indices = Indices::new(group, carried[&self.induction]);
        let mut copies = Vec::new();
        for k in 0..self.width {
            let induction = indices.at(function, k * self.step);
            copies.push(FxHashMap::from_iter([(self.induction, induction)]));
        }
        let distances: Vec<(Inst, Option<i64>)> = insts
            .iter()
            .map(|&inst| (inst, distance(function, inst, self.induction)))
            .collect();
        let mut clone = |function: &mut Function,
                         (inst, distance): (Inst, Option<i64>),
                         k: i64,
                         copy: &mut FxHashMap<Value, Value>| match distance
        {
            Some(distance) => {
                let index = indices.at(function, (k * self.step).wrapping_add(distance));
                copy.insert(function.insts[inst].result, index);
            }
            None => clone_inst(function, group, inst, copy),
        };
        for &row in distances.iter().filter(|row| self.free.contains(&row.0)) {
            for (k, copy) in (0..).zip(&mut copies) {
                clone(function, row, k, copy);
            }
        }
        let mut carried = carried.clone();
        for (k, mut copy) in (0..).zip(copies) {
            let induction = copy[&self.induction];
            copy.extend(&carried);
            copy.insert(self.induction, induction);
            for &row in distances.iter().filter(|row| !self.free.contains(&row.0)) {
                clone(function, row, k, &mut copy);
            }
            carried = self.after(function, &copy);
        }
        carried
    }

    /// What the header gets from an iteration.
    fn after(
        &self,
        function: &Function,
        copy: &FxHashMap<Value, Value>,
    ) -> FxHashMap<Value, Value> {
        let Terminator::Jump(edge) = &function.blocks[self.body].terminator else {
            return FxHashMap::default();
        };
        let params = function.blocks[self.header].params.iter();
        params
            .zip(&edge.args)
            .map(|(&param, arg)| (param, copy.get(arg).copied().unwrap_or(*arg)))
            .collect()
    }
}

/// The instructions of an iteration, if the header computes nothing that can fail and tests `induction < end` (`induction > end` if the loop
/// counts down), and nothing else uses what the test gives.
fn iteration(
    function: &Function,
    calls: &Calls,
    header: Block,
    body: Block,
    counted: &Counted,
) -> Option<Vec<Inst>> {
    let Terminator::Branch { condition, .. } = function.blocks[header].terminator else {
        return None;
    };
    let order = match counted.step > 0 {
        true => Prim::Lt,
        false => Prim::Gt,
    };
    let test = function.def_inst(condition)?;
    if test.op != Op::Prim(order) || test.args[..] != [counted.induction, counted.end] {
        return None;
    }
    let mut insts = function.blocks[header].insts.clone();
    insts.retain(|&inst| function.insts[inst].result != condition);
    let is_pure = insts.iter().all(|&inst| {
        let row = &function.insts[inst];
        calls.effect(function, row) == Effect::Pure && is_total(function, row)
    });
    insts.extend(&function.blocks[body].insts);
    let mut used = insts
        .iter()
        .any(|&i| function.insts[i].args.contains(&condition));
    let end = &function.blocks[body].terminator;
    end.for_each_value(|value| used |= value == condition);
    (is_pure && !used).then_some(insts)
}

/// The guards of an iteration that look at an index which goes on with the induction variable.
fn guards(function: &Function, header: Block, insts: &[Inst], induction: Value) -> Vec<Guard> {
    let inside = inside(function, header, insts);
    let guard = |&inst: &Inst| {
        let row = &function.insts[inst];
        let (Op::Prim(Prim::Assert(_)), Some(&condition)) = (row.op, row.args.first()) else {
            return None;
        };
        let test = function.def_inst(condition)?;
        let (Op::Prim(Prim::Lt), &[index, length]) = (test.op, &test.args[..]) else {
            return None;
        };
        let offset = offset(function, index, induction)?;
        let stays = offset.iter().chain([&length]).all(|v| !inside.contains(v));
        (stays && function.ty(index) == Type::Usize).then_some(Guard {
            inst,
            offset,
            length,
        })
    };
    insts.iter().filter_map(guard).collect()
}

/// The values of an iteration.
fn inside(function: &Function, header: Block, insts: &[Inst]) -> FxHashSet<Value> {
    let params = function.blocks[header].params.iter().copied();
    params
        .chain(insts.iter().map(|&inst| function.insts[inst].result))
        .collect()
}

/// What an index adds to the induction variable; `Some(None)` if it is that, `None` if it is something else.
fn offset(function: &Function, index: Value, induction: Value) -> Option<Option<Value>> {
    if index == induction {
        return Some(None);
    }
    let sum = function.def_inst(index)?;
    match (sum.op, &sum.args[..]) {
        (Op::Prim(Prim::Add), &[a, b]) if a == induction => Some(Some(b)),
        (Op::Prim(Prim::Add), &[a, b]) if b == induction => Some(Some(a)),
        _ => None,
    }
}

/// The indices of a group at constant distances from its first one. Each is one value, whichever iteration names it: `i + 1` of one is `i` of the
/// next. So what one iteration has read or written is found again by the next.
struct Indices {
    group: Block,
    first: Value,
    known: FxHashMap<i64, Value>,
}

impl Indices {
    fn new(group: Block, first: Value) -> Indices {
        let known = FxHashMap::from_iter([(0, first)]);
        Indices {
            group,
            first,
            known,
        }
    }
    fn at(&mut self, function: &mut Function, distance: i64) -> Value {
        let (group, first, ty) = (self.group, self.first, function.ty(self.first));
        *self.known.entry(distance).or_insert_with(|| {
            let (on, by) = match distance > 0 {
                true => (Prim::Add, distance),
                false => (Prim::Sub, distance.wrapping_neg()),
            };
            let constant = Op::Const(Const::Int(wrap(by.into(), ty)));
            let constant = function.append(group, constant, &[], ty, Span::NONE);
            function.append(group, Op::Prim(on), &[first, constant], ty, Span::NONE)
        })
    }
}

/// The constant that an instruction adds to the induction variable, if it does that and nothing else.
fn distance(function: &Function, inst: Inst, induction: Value) -> Option<i64> {
    let row = &function.insts[inst];
    let constant = |value: Value| match function.as_const(value) {
        Some(Const::Int(c)) => Some(c),
        _ => None,
    };
    match (row.op, &row.args[..]) {
        (Op::Prim(Prim::Add), &[a, b]) if a == induction => constant(b),
        (Op::Prim(Prim::Add), &[a, b]) if b == induction => constant(a),
        (Op::Prim(Prim::Sub), &[a, b]) if a == induction => constant(b)?.checked_neg(),
        _ => None,
    }
}

/// Whether the iterations write floats one next to the other, and call nothing.
fn writes_line(function: &Function, header: Block, insts: &[Inst], induction: Value) -> bool {
    let inside = inside(function, header, insts);
    let goes_on = |index: Value| {
        let offset = offset(function, index, induction);
        offset.is_some_and(|offset| offset.is_none_or(|offset| !inside.contains(&offset)))
    };
    let rows = || insts.iter().map(|&inst| &function.insts[inst]);
    let writes = |row: &InstData| match (row.op, &row.args[..]) {
        (Op::Prim(Prim::Store), &[_, index, value]) => {
            function.ty(value).in_lanes().is_some() && goes_on(index)
        }
        _ => false,
    };
    let calls =
        rows().any(|row| matches!(row.op, Op::Call(_) | Op::Map(_)) || !is_scalar(function, row));
    !calls && rows().any(writes)
}

/// Whether an instruction is arithmetic, a guard, or reads or writes memory: nothing beside which counting and testing cost little.
fn is_plain(function: &Function, inst: Inst) -> bool {
    let row = &function.insts[inst];
    is_scalar(function, row)
        && match row.op {
            Op::Const(_) => true,
            Op::Prim(prim) => !matches!(
                prim,
                Prim::Alloc | Prim::TapePush | Prim::TapePop | Prim::Div | Prim::Rem | Prim::Sqrt
            ),
            _ => false,
        }
}

/// The instructions of the body that depend on the induction variable and on constants of the loop alone, and may run
/// earlier.
fn free_instructions(
    function: &Function,
    calls: &Calls,
    roots: &Roots,
    header: Block,
    insts: &[Inst],
    induction: Value,
) -> FxHashSet<Inst> {
    let mut bound: FxHashSet<Value> = function.blocks[header].params.iter().copied().collect();
    bound.remove(&induction);
    let mut free = FxHashSet::default();
    // A load stays behind a guard that is left, and behind those of the iterations before.
    let can_fail = insts.iter().any(|&inst| {
        let effect = calls.effect(function, &function.insts[inst]);
        matches!(effect, Effect::Guard | Effect::Call)
    });
    for &inst in insts {
        let row = &function.insts[inst];
        let movable = match calls.effect(function, row) {
            Effect::Pure => is_scalar(function, row) && is_total(function, row),
            Effect::Read => !can_fail && is_constant_load(function, roots, row),
            Effect::Write | Effect::Allocate | Effect::Guard | Effect::Call => false,
        };
        match movable && row.args.iter().all(|arg| !bound.contains(arg)) {
            true => free.insert(inst),
            false => bound.insert(row.result),
        };
    }
    free
}

/// Arrays are the host's: nothing is gained by running their operations side by side.
fn is_scalar(function: &Function, inst: &InstData) -> bool {
    let none = |v: Value| !function.ty(v).is_array();
    none(inst.result) && inst.args.iter().copied().all(none)
}

/// Whether a load reads a shared slice that the function was given. Views of objects may change.
fn is_constant_load(function: &Function, roots: &Roots, inst: &InstData) -> bool {
    inst.op == Op::Prim(Prim::Load)
        && matches!(roots.of(inst.args[0]), Root::Param(p) if matches!(function.ty(p), Type::Slice(_)))
}

/// Appends a copy of an instruction with its arguments replaced, and notes its result.
fn clone_inst(
    function: &mut Function,
    block: Block,
    inst: Inst,
    copy: &mut FxHashMap<Value, Value>,
) {
    let InstData {
        op,
        args,
        result,
        span,
    } = function.insts[inst].clone();
    let args: Vec<Value> = args
        .iter()
        .map(|arg| copy.get(arg).copied().unwrap_or(*arg))
        .collect();
    let ty = function.ty(result);
    let new = function.append(block, op, &args, ty, span);
    copy.insert(result, new);
}

/// New blocks stand before the block they lead to.
fn place_before(function: &mut Function, block: Block, new: &[Block]) {
    function.layout.retain(|b| !new.contains(b));
    let at = function
        .layout
        .iter()
        .position(|&b| b.index() == block.index());
    let at = at.unwrap_or(function.layout.len());
    function.layout.splice(at..at, new.iter().copied());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::{Datum, Packs, run};
    use crate::ir::parse::parse_module;
    use crate::ir::verify::verify;
    use crate::ir::{Module, Symbol};
    use crate::registry::{ContextKind, Effects, Entry, EntryKind, Registry, ScalarRule};

    /// `half(x) = 0.5 * x`, as a pack would define it.
    fn registry() -> Registry {
        let body = "fn @half(%x: f64) -> f64 { b0: %h: f64 = 0.5 %y: f64 = mul %h, %x return %y }";
        let partials = "fn @p(%x: f64, %y: f64) -> (f64,) { b0: %h: f64 = 0.5 %r: (f64,) = tuple %h return %r }";
        let function = |text| parse_module(text).unwrap().root().clone();
        let rule = ScalarRule {
            native: None,
            with_partials: None,
            body: Some(function(body)),
            partials: function(partials),
            wgsl: None,
            domain: Vec::new(),
        };
        let mut registry = Registry::default();
        let entry = Entry {
            name: Symbol::new("half"),
            param_names: Vec::new(),
            params: vec![Type::F64],
            ret: Type::F64,
            context: ContextKind::Default,
            pack: Symbol::new("test"),
            effects: Effects::Pure,
            kind: EntryKind::Scalar(rule),
        };
        registry.insert(entry).unwrap();
        registry
    }

    fn interleaved(text: &str) -> (Module, Module, bool) {
        let (module, registry) = (parse_module(text).unwrap(), registry());
        let mut after = module.clone();
        let calls = Calls::new(&module, &registry);
        let changed = interleave(after.root_mut(), &calls);
        verify(&after, &|name, types: &[Type]| {
            registry.call_type(name, types)
        })
        .unwrap();
        (module, after, changed)
    }

    /// `y[i] = s; s = half(x[i]) * s + half(s)` with a store between the iterations' loads.
    const RECURRENCE: &str = "
fn @f(%x: [f64], %y: [mut f64], %n: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %s0: f64 = 1.0
    jump head(%zero, %s0)
head(%i: usize, %s: f64):
    %more: bool = lt %i, %n
    branch %more, body, done
body:
    %xi: f64 = load %x, %i
    %h: f64 = call @half(%xi)
    %old: f64 = load %y, %zero
    store %y, %i, %s
    %t: f64 = call @half(%s)
    %p: f64 = mul %h, %s
    %q: f64 = add %p, %t
    %r: f64 = add %q, %old
    %next: usize = add %i, %one
    jump head(%next, %r)
done:
    return %s
}";

    #[test]
    fn groups_and_the_rest_give_what_the_loop_gave() {
        let (before, after, changed) = interleaved(RECURRENCE);
        assert!(changed);
        let x: Vec<f64> = (0..11).map(|i| 1.0 + f64::from(i)).collect();
        let registry = registry();
        for n in 0..=x.len() {
            let value = |module| {
                let y = Datum::floats(&[0.25; 11]);
                let args = [Datum::floats(&x), y.clone(), Datum::index(n)];
                let result = run(module, &args, &Packs(&registry)).unwrap();
                let Datum::Slice(y) = y else {
                    panic!("a slice")
                };
                (result.as_float().map(f64::to_bits), y.elements())
            };
            assert_eq!(value(&after), value(&before), "{n}");
        }
    }

    #[test]
    fn independent_calls_come_first() {
        let (_, after, _) = interleaved(RECURRENCE);
        let root = after.root();
        let group = root
            .blocks_in_order()
            .max_by_key(|(_, data)| data.insts.len());
        let ops: Vec<Op> = group
            .unwrap()
            .1
            .insts
            .iter()
            .map(|&i| root.insts[i].op)
            .collect();
        let calls = ops
            .windows(4)
            .any(|w| w.iter().all(|op| matches!(op, Op::Call(_))));
        assert!(calls, "{after}");
    }

    #[test]
    fn guarded_loads_keep_their_place() {
        let text = RECURRENCE.replace(
            "    %xi: f64",
            "    %len: usize = len %x\n    %in: bool = lt %i, %len\n    assert %in else index(%i, %len)\n    %xi: f64",
        );
        assert!(!interleaved(&text).2);
    }

    /// Short loops: one counts up and looks at `x[i + k]`, one counts down and writes `y[j]`.
    const SHORT: &str = "
fn @f(%x: [f64], %y: [mut f64], %k: usize, %n: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %s0: f64 = 1.0
    %len: usize = len %x
    %leny: usize = len %y
    jump up(%zero, %s0)
up(%i: usize, %s: f64):
    %more: bool = lt %i, %n
    branch %more, b1, turn
b1:
    %at: usize = add %i, %k
    %in: bool = lt %at, %len
    assert %in else index(%at, %len)
    %v: f64 = load %x, %at
    %t: f64 = mul %s, %v
    %next: usize = add %i, %one
    jump up(%next, %t)
turn:
    jump down(%n, %s)
down(%j: usize, %d: f64):
    %left: bool = gt %j, %zero
    branch %left, b2, done
b2:
    %iny: bool = lt %j, %leny
    assert %iny else index(%j, %leny)
    store %y, %j, %d
    %e: f64 = add %d, %s0
    %below: usize = sub %j, %one
    jump down(%below, %e)
done:
    return %d
}";

    #[test]
    fn groups_run_while_guards_hold() {
        let (before, after, changed) = interleaved(SHORT);
        assert!(changed);
        let x: Vec<f64> = (0..11).map(|i| 1.0 + f64::from(i)).collect();
        let registry = registry();
        let end = usize::MAX;
        for k in [0, 1, 3, 9, 11, 40, end / 2, end - 8, end - 3, end - 1, end] {
            for n in 0..20 {
                let value = |module| {
                    let y = Datum::floats(&[0.25; 15]);
                    let args = [
                        Datum::floats(&x),
                        y.clone(),
                        Datum::index(k),
                        Datum::index(n),
                    ];
                    let result = run(module, &args, &Packs(&registry));
                    let result = result.map(|value| value.as_float().map(f64::to_bits));
                    let Datum::Slice(y) = y else {
                        panic!("a slice")
                    };
                    (result.map_err(|error| error.to_string()), y.elements())
                };
                assert_eq!(value(&after), value(&before), "{k}, {n}");
            }
        }
    }

    #[test]
    fn groups_have_no_guards() {
        let (before, after, _) = interleaved(SHORT);
        let count = |module: &Module| {
            let insts = module.root().blocks_in_order().flat_map(|(_, b)| &b.insts);
            let op = |i: &&Inst| module.root().insts[**i].op;
            insts
                .filter(|i| matches!(op(i), Op::Prim(Prim::Assert(_))))
                .count()
        };
        assert_eq!((count(&before), count(&after)), (2, 2));
    }
}
