//! Iterations side by side: [`interleave`].
//!
//! `s += cos(exp(x[i]))` spends its time in calls, each of which waits for the one before, while the next iteration's
//! could already run: the machine looks only so many instructions ahead, fewer than one iteration has. So four
//! iterations run together: first everything that does not depend on the iterations before (loads from memory that
//! does not change, arithmetic, pure calls), instruction by instruction for all four; then the rest, iteration by iteration. Sums
//! are added in the same order as before, so results keep their bits. The loop as it was follows for what is left.
//!
//! Done once, last: the copies would only cost the other passes time. Measured on `s += cos(exp(x[i]))` with its
//! gradient: 6 per cent.

use super::Calls;
use super::licm::is_total;
use crate::arena::Id;
use crate::diag::Span;
use crate::ir::eval::fits;
use crate::ir::flow::{Counted, Flow, Loops};
use crate::ir::roots::{Root, Roots};
use crate::ir::{
    Block, Const, Edge, Effect, Function, Inst, InstData, Op, Prim, Terminator, Type, Value,
};
use std::collections::{HashMap, HashSet};

/// How many iterations run together.
const WIDTH: i64 = 4;

/// Longer bodies fill the machine's window by themselves.
const MAX_BODY: usize = 48;

/// Interleaves the iterations of innermost loops of one block that call scalar functions. Whatever reads or writes
/// memory that changes, or can fail, keeps its order.
pub fn interleave(function: &mut Function, calls: &Calls) -> bool {
    let flow = Flow::new(function);
    let loops = Loops::new(function, &flow);
    let roots = Roots::new(function);
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
    header: Block,
    body: Block,
    induction: Value,
    end: Value,
    step: i64,
    /// The instructions of the body that do not depend on other iterations.
    free: HashSet<Inst>,
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
        let insts = &function.blocks[body].insts;
        let simple = counted.body == body
            && function.blocks[body].params.is_empty()
            && insts.len() <= MAX_BODY
            && (1..1 << 16).contains(&counted.step)
            && fits(
                (WIDTH * counted.step).into(),
                function.ty(counted.induction),
            )
            && tests_only(function, header, body, counted);
        if !simple {
            return None;
        }
        let free = free_instructions(function, calls, roots, header, body, counted.induction);
        let is_call = |&inst: &Inst| matches!(function.insts[inst].op, Op::Call(_));
        free.iter().any(is_call).then_some(Candidate {
            header,
            body,
            induction: counted.induction,
            end: counted.end,
            step: counted.step,
            free,
        })
    }

    /// Puts a loop over groups of iterations before the loop.
    fn rewrite(&self, function: &mut Function) {
        let wide = function.add_block();
        let group = function.add_block();
        self.redirect_entry(function, wide);
        let params = function.blocks[self.header].params.clone();
        let mut carried = HashMap::new();
        for &param in &params {
            let copy = function.add_param(wide, function.ty(param));
            carried.insert(param, copy);
        }
        self.test(function, wide, group, carried[&self.induction]);
        let next = self.copies(function, group, &carried);
        let args: Vec<Value> = params.iter().map(|param| next[param]).collect();
        function.blocks[group].terminator = Terminator::Jump(Edge::new(wide, args));
        place_before(function, self.header, &[wide, group]);
    }

    /// Every edge into the loop from outside leads to the wide loop now.
    fn redirect_entry(&self, function: &mut Function, wide: Block) {
        let outside: Vec<Block> = function
            .layout
            .iter()
            .copied()
            .filter(|&block| block != self.body)
            .collect();
        for block in outside {
            for edge in function.blocks[block].terminator.edges_mut() {
                if edge.block == self.header {
                    edge.block = wide;
                }
            }
        }
    }

    /// `if i < end && end - i >= WIDTH * step`: a group; else the loop as it was. The difference means something only
    /// under the first condition.
    fn test(&self, function: &mut Function, wide: Block, group: Block, i: Value) {
        let ty = function.ty(i);
        let mut emit = |op, args: &[Value], ty| function.append(wide, op, args, ty, Span::NONE);
        let more = emit(Op::Prim(Prim::Lt), &[i, self.end], Type::Bool);
        let left = emit(Op::Prim(Prim::Sub), &[self.end, i], ty);
        let needed = emit(Op::Const(Const::Int(WIDTH * self.step)), &[], ty);
        let enough = emit(Op::Prim(Prim::Ge), &[left, needed], Type::Bool);
        let condition = emit(Op::Prim(Prim::And), &[more, enough], Type::Bool);
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
        carried: &HashMap<Value, Value>,
    ) -> HashMap<Value, Value> {
        let insts = function.blocks[self.body].insts.clone();
        let mut copies = self.inductions(function, group, carried[&self.induction]);
        for &inst in insts.iter().filter(|inst| self.free.contains(inst)) {
            for copy in &mut copies {
                clone_inst(function, group, inst, copy);
            }
        }
        let mut carried = carried.clone();
        for mut copy in copies {
            let induction = copy[&self.induction];
            copy.extend(&carried);
            copy.insert(self.induction, induction);
            for &inst in insts.iter().filter(|inst| !self.free.contains(inst)) {
                clone_inst(function, group, inst, &mut copy);
            }
            carried = self.after(function, &copy);
        }
        carried
    }

    /// The induction variable of each iteration.
    fn inductions(
        &self,
        function: &mut Function,
        group: Block,
        first: Value,
    ) -> Vec<HashMap<Value, Value>> {
        let ty = function.ty(first);
        let mut values = vec![first];
        for k in 1..WIDTH {
            let constant = Op::Const(Const::Int(k * self.step));
            let distance = function.append(group, constant, &[], ty, Span::NONE);
            let add = Op::Prim(Prim::Add);
            values.push(function.append(group, add, &[first, distance], ty, Span::NONE));
        }
        let start = |value| HashMap::from([(self.induction, value)]);
        values.into_iter().map(start).collect()
    }

    /// What the header gets from an iteration.
    fn after(&self, function: &Function, copy: &HashMap<Value, Value>) -> HashMap<Value, Value> {
        let Terminator::Jump(edge) = &function.blocks[self.body].terminator else {
            return HashMap::new();
        };
        let params = function.blocks[self.header].params.iter();
        params
            .zip(&edge.args)
            .map(|(&param, arg)| (param, copy.get(arg).copied().unwrap_or(*arg)))
            .collect()
    }
}

/// Whether the header does nothing but test `induction < end`, and the body does not use what the test gave.
fn tests_only(function: &Function, header: Block, body: Block, counted: &Counted) -> bool {
    let data = &function.blocks[header];
    let Terminator::Branch { condition, .. } = data.terminator else {
        return false;
    };
    let less = function.def_inst(condition).is_some_and(|inst| {
        inst.op == Op::Prim(Prim::Lt) && inst.args[..] == [counted.induction, counted.end]
    });
    let alone = match data.insts[..] {
        [] => true,
        [inst] => function.insts[inst].result == condition,
        _ => false,
    };
    let body = &function.blocks[body];
    let mut used = body
        .insts
        .iter()
        .any(|&i| function.insts[i].args.contains(&condition));
    body.terminator
        .for_each_value(|value| used |= value == condition);
    less && alone && !used
}

/// The instructions of the body that depend on the induction variable and on constants of the loop alone, and may run
/// earlier.
fn free_instructions(
    function: &Function,
    calls: &Calls,
    roots: &Roots,
    header: Block,
    body: Block,
    induction: Value,
) -> HashSet<Inst> {
    let mut bound: HashSet<Value> = function.blocks[header].params.iter().copied().collect();
    bound.remove(&induction);
    let mut free = HashSet::new();
    let insts = &function.blocks[body].insts;
    // A load stays behind its guard, and behind those of the iterations before.
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
fn clone_inst(function: &mut Function, block: Block, inst: Inst, copy: &mut HashMap<Value, Value>) {
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
}
