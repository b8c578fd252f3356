//! Removes guards and branches whose outcome dominating conditions, loop ranges and definitions decide.
//!
//! What is known is a set of inequalities `a ≤ b + k` between integer values, or between one and zero, read as
//! mathematical integers: an edge from `a` to `b` of length `k`. The shortest path from `x` to `y` bounds `x - y`; a
//! comparison is decided if that bound suffices (Bodik, Gupta, Sarkar, *ABCD: Eliminating Array Bounds Checks on Demand*,
//! PLDI 2000). Facts hold from where they are learned to the end of what that place dominates, so the walk goes down the
//! dominator tree and forgets on the way up.

use super::effects::Calls;
use super::simplify::inverse;
use crate::arena::Id;
use crate::diag::Span;
use crate::ir::eval::{bits, widen};
use crate::ir::flow::{Flow, LoopData, Loops};
use crate::ir::{Args, Block, Const, Function, Inst, Op, Prim, Terminator, Type, Value};
use rustc_hash::FxHashMap;

/// Decides comparisons and overflow checks, and removes asserts that hold. Does not touch loops or move guards.
pub fn bounds(function: &mut Function, _calls: &Calls) -> bool {
    let flow = Flow::new(function);
    let starts = counters(function, &flow);
    let mut walk = Walk {
        facts: Facts::default(),
        starts,
        changed: false,
    };
    let children = dominated(function, &flow);
    // Blocks to enter, and how much was known when their fathers were entered.
    let mut stack = vec![Visit::Enter(function.entry())];
    while let Some(step) = stack.pop() {
        match step {
            Visit::Enter(block) => {
                stack.push(Visit::Leave(walk.facts.log.len()));
                walk.enter(function, &flow, block);
                stack.extend(children[block.index()].iter().map(|&b| Visit::Enter(b)));
            }
            Visit::Leave(length) => walk.facts.forget(length),
        }
    }
    walk.changed
}

enum Visit {
    Enter(Block),
    Leave(usize),
}

/// The children of each block in the dominator tree.
fn dominated(function: &Function, flow: &Flow) -> Vec<Vec<Block>> {
    let mut children = vec![Vec::new(); function.blocks.len()];
    for &block in flow.reverse_postorder() {
        if let Some(parent) = flow.idom(block) {
            children[parent.index()].push(block);
        }
    }
    children
}

/// A counter of a loop: its first value, and whether it goes up from there.
struct Counter {
    induction: Value,
    start: Value,
    goes_up: bool,
}

/// The counters of counted loops by their headers. One that runs until it is equal to its end may start beyond it and
/// wrap around: it has no range.
fn counters(function: &Function, flow: &Flow) -> FxHashMap<Block, Counter> {
    let loops = Loops::new(function, flow);
    let counter = |data: &LoopData| {
        let counted = data.counted.as_ref()?;
        if !ends_by_order(function, data.header) {
            return None;
        }
        let counter = Counter {
            induction: counted.induction,
            start: counted.start,
            goes_up: counted.step > 0,
        };
        Some((data.header, counter))
    };
    loops.all().filter_map(|(_, data)| counter(data)).collect()
}

/// Whether a header's condition is an order, not an equality.
pub(super) fn ends_by_order(function: &Function, header: Block) -> bool {
    let Terminator::Branch { condition, .. } = function.blocks[header].terminator else {
        return false;
    };
    let op = function.def_inst(condition).map(|inst| inst.op);
    !matches!(op, Some(Op::Prim(Prim::Eq | Prim::Ne)))
}

/// An end of an inequality: a value, or zero.
type Node = Option<Value>;

/// What is known at the current place.
#[derive(Default)]
struct Facts {
    /// `a ≤ b + k` under `a`.
    above: FxHashMap<Node, Vec<(Node, i128)>>,
    /// Conditions whose value is known.
    truth: FxHashMap<Value, bool>,
    /// Operations on these operands that are known not to overflow, under the checking primitive.
    exact: FxHashMap<(Prim, Args), usize>,
    /// What was added, in order.
    log: Vec<Fact>,
}

enum Fact {
    Above(Node),
    Truth(Value),
    Exact(Prim, Args),
}

impl Facts {
    fn forget(&mut self, length: usize) {
        for fact in self.log.drain(length..).rev() {
            match fact {
                Fact::Above(node) => {
                    if let Some(edges) = self.above.get_mut(&node) {
                        edges.pop();
                    }
                }
                Fact::Truth(value) => {
                    self.truth.remove(&value);
                }
                Fact::Exact(prim, args) => {
                    if let Some(count) = self.exact.get_mut(&(prim, args)) {
                        *count -= 1;
                    }
                }
            }
        }
    }
    /// `a ≤ b + k`
    fn add(&mut self, a: (Node, i128), b: (Node, i128), k: i128) {
        let k = k + b.1 - a.1;
        // What is so far away says nothing, and sums of such numbers might overflow.
        if a.0 != b.0 && k.unsigned_abs() < 1 << 100 {
            self.above.entry(a.0).or_default().push((b.0, k));
            self.log.push(Fact::Above(a.0));
        }
    }
    fn is_exact(&self, prim: Prim, args: &Args) -> bool {
        self.exact
            .get(&(prim, args.clone()))
            .is_some_and(|&count| count > 0)
    }
}

/// A value as a node and a distance from it.
fn term(function: &Function, value: Value) -> (Node, i128) {
    match function.as_const(value) {
        Some(Const::Int(c)) => (None, widen(c, function.ty(value))),
        _ => (Some(value), 0),
    }
}

/// The smallest and the largest number of an integer type.
fn range(ty: Type) -> Option<(i128, i128)> {
    let bits = bits(ty)?;
    Some(match ty.is_signed() {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1 << bits) - 1),
    })
}

/// How many edges a path may have, and how many are looked at in all, so that the pass is linear.
const DEPTH: usize = 6;
const BUDGET: usize = 60;

/// A search for the shortest path.
struct Search<'a> {
    facts: &'a Facts,
    function: &'a Function,
    budget: usize,
}

impl Search<'_> {
    /// An upper bound on `a - b`.
    fn distance(&mut self, a: Node, b: Node, depth: usize) -> Option<i128> {
        if a == b {
            return Some(0);
        }
        self.budget = self.budget.checked_sub(1)?;
        let mut best = self.by_type(a, b);
        if depth == 0 {
            return best;
        }
        let facts = self.facts;
        for &(next, k) in facts.above.get(&a).into_iter().flatten() {
            if let Some(rest) = self.distance(next, b, depth - 1) {
                best = Some(best.map_or(k + rest, |found| found.min(k + rest)));
            }
        }
        if let Some(chosen) = self.of_select(a, b, depth) {
            best = Some(best.map_or(chosen, |found| found.min(chosen)));
        }
        best
    }
    /// `a ≤ MAX` and `0 ≤ b - MIN`.
    fn by_type(&self, a: Node, b: Node) -> Option<i128> {
        match (a, b) {
            (Some(a), None) => Some(upper_by_definition(self.function, a)?),
            (None, Some(b)) => Some(-range(self.function.ty(b))?.0),
            _ => None,
        }
    }
    /// One of two values is no more than the greater of them.
    fn of_select(&mut self, a: Node, b: Node, depth: usize) -> Option<i128> {
        let inst = self.function.def_inst(a?)?;
        let (Op::Prim(Prim::Select), &[_, x, y]) = (inst.op, &inst.args[..]) else {
            return None;
        };
        let mut arm = |value: Value| {
            let (node, k) = term(self.function, value);
            Some(k + self.distance(node, b, depth - 1)?)
        };
        Some(arm(x)?.max(arm(y)?))
    }
}

/// The largest number that a value of its type can be. No object is larger than half the address space.
fn upper_by_definition(function: &Function, value: Value) -> Option<i128> {
    let (_, max) = range(function.ty(value))?;
    let length = function.def_inst(value).and_then(|inst| {
        let element = function.ty(*inst.args.first()?).element()?;
        (inst.op == Op::Prim(Prim::Len)).then(|| element.size().unwrap_or(1))
    });
    Some(match length {
        Some(size) => i128::from(i64::MAX) / size.max(1) as i128,
        None => max,
    })
}

/// The walk down the dominator tree.
struct Walk {
    facts: Facts,
    starts: FxHashMap<Block, Counter>,
    changed: bool,
}

impl Walk {
    fn enter(&mut self, function: &mut Function, flow: &Flow, block: Block) {
        self.learn_entry(function, flow, block);
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            if self.visit(function, inst) {
                kept.push(inst);
            }
        }
        function.blocks[block].insts = kept;
        self.decide_branch(function, block);
    }

    /// What the way into the block says: the branch taken, the range of a counter.
    fn learn_entry(&mut self, function: &Function, flow: &Flow, block: Block) {
        if let Some(counter) = self.starts.get(&block) {
            let i = term(function, counter.induction);
            let start = term(function, counter.start);
            match counter.goes_up {
                true => self.facts.add(start, i, 0),
                false => self.facts.add(i, start, 0),
            }
        }
        let [only] = flow.predecessors(block) else {
            return;
        };
        if let Terminator::Branch {
            condition, then, ..
        } = &function.blocks[*only].terminator
        {
            self.learn(function, *condition, then.block == block);
        }
    }

    /// A condition is known.
    fn learn(&mut self, function: &Function, condition: Value, truth: bool) {
        if self.facts.truth.contains_key(&condition) {
            return;
        }
        self.facts.truth.insert(condition, truth);
        self.facts.log.push(Fact::Truth(condition));
        let Some(inst) = function.def_inst(condition) else {
            return;
        };
        let Op::Prim(prim) = inst.op else { return };
        match (prim, &inst.args[..]) {
            (Prim::Not, &[a]) => self.learn(function, a, !truth),
            (Prim::And, &[a, b]) if truth => {
                self.learn(function, a, true);
                self.learn(function, b, true);
            }
            (Prim::Or, &[a, b]) if !truth => {
                self.learn(function, a, false);
                self.learn(function, b, false);
            }
            (Prim::AddOverflows | Prim::SubOverflows | Prim::MulOverflows, _) if !truth => {
                self.learn_exact(prim, &inst.args);
            }
            (_, &[a, b]) if function.ty(a).is_int() => {
                let prim = match truth {
                    true => Some(prim),
                    false => inverse(prim, false),
                };
                if let Some(prim) = prim {
                    self.learn_comparison(function, prim, a, b);
                }
            }
            _ => {}
        }
    }
    fn learn_exact(&mut self, prim: Prim, args: &Args) {
        let key = (prim, args.clone());
        *self.facts.exact.entry(key).or_default() += 1;
        self.facts.log.push(Fact::Exact(prim, args.clone()));
    }
    fn learn_comparison(&mut self, function: &Function, prim: Prim, a: Value, b: Value) {
        let (x, y) = (term(function, a), term(function, b));
        match prim {
            Prim::Lt => self.facts.add(x, y, -1),
            Prim::Le => self.facts.add(x, y, 0),
            Prim::Gt => self.facts.add(y, x, -1),
            Prim::Ge => self.facts.add(y, x, 0),
            Prim::Eq => {
                self.facts.add(x, y, 0);
                self.facts.add(y, x, 0);
            }
            // At the end of a range, unequal is beyond.
            Prim::Ne if self.at_most(function, x, y, 0) => self.facts.add(x, y, -1),
            Prim::Ne if self.at_most(function, y, x, 0) => self.facts.add(y, x, -1),
            _ => {}
        }
    }

    /// Whether `a ≤ b + k` follows from what is known.
    fn at_most(&self, function: &Function, a: (Node, i128), b: (Node, i128), k: i128) -> bool {
        self.distance(function, a.0, b.0)
            .is_some_and(|bound| bound + a.1 <= b.1 + k)
    }
    fn distance(&self, function: &Function, a: Node, b: Node) -> Option<i128> {
        let mut search = Search {
            facts: &self.facts,
            function,
            budget: BUDGET,
        };
        search.distance(a, b, DEPTH)
    }
    /// The smallest and the largest number that a value can be.
    fn range(&self, function: &Function, value: Value) -> Option<(i128, i128)> {
        let (node, k) = term(function, value);
        let low = -self.distance(function, None, node)?;
        Some((low + k, self.distance(function, node, None)? + k))
    }

    /// Decides or learns from one instruction; says whether it stays.
    fn visit(&mut self, function: &mut Function, inst: Inst) -> bool {
        let Op::Prim(prim) = function.insts[inst].op else {
            return true;
        };
        let args = function.insts[inst].args.clone();
        let result = function.insts[inst].result;
        if let Prim::Assert(_) = prim {
            if self.known(function, args[0]) == Some(true) {
                self.changed = true;
                return false;
            }
            self.learn(function, args[0], true);
            return true;
        }
        if let Some(truth) = self.decide(function, prim, &args) {
            function.insts[inst].op = Op::Const(Const::Bool(truth));
            function.insts[inst].args.clear();
            self.changed = true;
        } else if function.ty(result).is_int() {
            self.define(function, prim, &args, result);
        }
        true
    }
    fn known(&self, function: &Function, condition: Value) -> Option<bool> {
        match function.as_const(condition) {
            Some(Const::Bool(truth)) => Some(truth),
            _ => self.facts.truth.get(&condition).copied(),
        }
    }
    fn decide_branch(&mut self, function: &mut Function, block: Block) {
        let Terminator::Branch { condition, .. } = function.blocks[block].terminator else {
            return;
        };
        if function.as_const(condition).is_some() {
            return;
        }
        let Some(&truth) = self.facts.truth.get(&condition) else {
            return;
        };
        let op = Op::Const(Const::Bool(truth));
        let decided = function.append(block, op, &[], Type::Bool, Span::NONE);
        if let Terminator::Branch { condition, .. } = &mut function.blocks[block].terminator {
            *condition = decided;
        }
        self.changed = true;
    }

    /// The value of a comparison or an overflow check.
    fn decide(&self, function: &Function, prim: Prim, args: &Args) -> Option<bool> {
        let &[a, b] = &args[..] else { return None };
        if !function.ty(a).is_int() {
            return None;
        }
        let (x, y) = (term(function, a), term(function, b));
        let at_most = |x, y, k| self.at_most(function, x, y, k);
        let less = |x, y| match (at_most(x, y, -1), at_most(y, x, 0)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        let unequal = || at_most(x, y, -1) || at_most(y, x, -1);
        match prim {
            Prim::Lt => less(x, y),
            Prim::Gt => less(y, x),
            Prim::Le => less(y, x).map(|truth| !truth),
            Prim::Ge => less(x, y).map(|truth| !truth),
            Prim::Eq => unequal().then_some(false),
            Prim::Ne => unequal().then_some(true),
            Prim::AddOverflows | Prim::SubOverflows | Prim::MulOverflows => {
                let exact = self.facts.is_exact(prim, args) || self.fits(function, prim, a, b);
                exact.then_some(false)
            }
            _ => None,
        }
    }
    /// Whether the exact result is in the type's range.
    fn fits(&self, function: &Function, prim: Prim, a: Value, b: Value) -> bool {
        let ty = function.ty(a);
        // `a - b` of unsigned numbers is about the two together.
        if prim == Prim::SubOverflows && !ty.is_signed() {
            return self.at_most(function, term(function, b), term(function, a), 0);
        }
        let ends = || {
            let (low, high) = match prim {
                Prim::MulOverflows => self.product(function, a, b)?,
                _ => {
                    let ((a, b), (c, d)) = (self.range(function, a)?, self.range(function, b)?);
                    match prim {
                        Prim::AddOverflows => (a + c, b + d),
                        _ => (a - d, b - c),
                    }
                }
            };
            let (min, max) = range(ty)?;
            Some(min <= low && high <= max)
        };
        ends().unwrap_or(false)
    }
    /// The smallest and the largest that a product can be.
    fn product(&self, function: &Function, a: Value, b: Value) -> Option<(i128, i128)> {
        let ((a, b), (c, d)) = (self.range(function, a)?, self.range(function, b)?);
        let corners = [
            a.checked_mul(c)?,
            a.checked_mul(d)?,
            b.checked_mul(c)?,
            b.checked_mul(d)?,
        ];
        let far = |corner: &i128| corner.unsigned_abs() >= 1 << 100;
        if corners.iter().any(far) {
            return None;
        }
        Some((*corners.iter().min()?, *corners.iter().max()?))
    }

    /// What follows from how an integer is computed.
    fn define(&mut self, function: &Function, prim: Prim, args: &Args, result: Value) {
        let r = (Some(result), 0);
        let is_unsigned = !function.ty(result).is_signed();
        match (prim, &args[..]) {
            (Prim::Add, &[a, b]) if self.is_exact(function, Prim::AddOverflows, args) => {
                self.define_sum(function, r, a, b);
                self.define_sum(function, r, b, a);
            }
            (Prim::Sub, &[a, b]) if self.is_exact(function, Prim::SubOverflows, args) => {
                let Some((low, high)) = self.range(function, b) else {
                    return;
                };
                let a = term(function, a);
                self.facts.add(r, a, -low);
                self.facts.add(a, r, high);
            }
            (Prim::Mul, &[a, b]) if self.is_exact(function, Prim::MulOverflows, args) => {
                if let Some((low, high)) = self.product(function, a, b) {
                    self.facts.add(r, (None, 0), high);
                    self.facts.add((None, 0), r, -low);
                }
            }
            (Prim::Div | Prim::Shr, &[a, _]) if is_unsigned => {
                self.facts.add(r, term(function, a), 0);
            }
            (Prim::Rem, &[a, b]) if is_unsigned => {
                self.facts.add(r, term(function, a), 0);
                self.facts.add(r, term(function, b), -1);
            }
            (Prim::And, &[a, b]) if is_unsigned => {
                self.facts.add(r, term(function, a), 0);
                self.facts.add(r, term(function, b), 0);
            }
            (Prim::Select, &[c, a, b]) => self.define_minimum(function, r, c, a, b),
            (Prim::Cast, &[a]) if function.ty(a).is_int() => self.define_cast(function, r, a),
            _ => {}
        }
    }
    fn is_exact(&self, function: &Function, check: Prim, args: &Args) -> bool {
        self.decide(function, check, args) == Some(false)
    }
    /// `r = a + b` lies between `a` plus the least and `a` plus the greatest that `b` can be.
    fn define_sum(&mut self, function: &Function, r: (Node, i128), a: Value, b: Value) {
        let Some((low, high)) = self.range(function, b) else {
            return;
        };
        let a = term(function, a);
        self.facts.add(r, a, high);
        self.facts.add(a, r, -low);
    }
    /// The smaller of two is at most either.
    fn define_minimum(
        &mut self,
        function: &Function,
        r: (Node, i128),
        condition: Value,
        a: Value,
        b: Value,
    ) {
        let Some(inst) = function.def_inst(condition) else {
            return;
        };
        let is_minimum = match (inst.op, &inst.args[..]) {
            (Op::Prim(Prim::Lt | Prim::Le), &[x, y]) => (x, y) == (a, b),
            (Op::Prim(Prim::Gt | Prim::Ge), &[x, y]) => (x, y) == (b, a),
            _ => false,
        };
        if is_minimum {
            self.facts.add(r, term(function, a), 0);
            self.facts.add(r, term(function, b), 0);
        }
    }
    /// A number that the new type has stays what it is.
    fn define_cast(&mut self, function: &Function, r: (Node, i128), a: Value) {
        let (Some(value), Node::Some(result)) = (self.range(function, a), r.0) else {
            return;
        };
        if range(function.ty(result)).is_some_and(|(min, max)| min <= value.0 && value.1 <= max) {
            let a = term(function, a);
            self.facts.add(r, a, 0);
            self.facts.add(a, r, 0);
        }
    }
}
