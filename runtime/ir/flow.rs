//! Control flow: predecessors, orders, dominators, natural loops, counted loops.
//!
//! All of it is computed from a finished function and valid until its graph changes. Nothing here recurses: a
//! function of a hundred thousand blocks needs no deeper stack than one of three.

use super::eval::{fits, widen};
use super::*;
use crate::arena::Id;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// The successors or predecessors of a block. Most blocks have at most two, which need no memory of their own.
type Neighbours = SmallVec<[Block; 2]>;

/// The position of unreachable blocks.
const UNREACHABLE: u32 = u32::MAX;

/// Predecessors, reverse post-order and dominators (Cooper, Harvey, Kennedy, *A Simple, Fast Dominance Algorithm*).
#[derive(Clone)]
pub struct Flow {
    order: Vec<Block>,
    /// Indexed by block: its place in `order`.
    position: Vec<u32>,
    predecessors: Vec<Neighbours>,
    idom: Vec<Option<Block>>,
    /// Indexed by block: when a walk over the dominator tree enters and leaves it. `a` dominates `b` if its interval
    /// encloses that of `b`.
    interval: Vec<(u32, u32)>,
}

impl Flow {
    /// Analyses a function.
    pub fn new(function: &Function) -> Flow {
        let order = reverse_postorder(function);
        let mut position = vec![UNREACHABLE; function.blocks.len()];
        for (i, block) in order.iter().enumerate() {
            position[block.index()] = i as u32;
        }
        let predecessors = predecessors(function);
        let idom = dominators(&order, &position, &predecessors);
        let interval = intervals(&order, &idom);
        Flow {
            order,
            position,
            predecessors,
            idom,
            interval,
        }
    }
    /// The blocks reachable from the entry, each before its successors but for back edges.
    pub fn reverse_postorder(&self) -> &[Block] {
        &self.order
    }
    /// The blocks with an edge to `block`; one entry per edge.
    pub fn predecessors(&self, block: Block) -> &[Block] {
        &self.predecessors[block.index()]
    }
    /// The immediate dominator; `None` for the entry and unreachable blocks.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.idom[block.index()]
    }
    /// Whether every path to `b` passes through `a` (also true for a == b, and for every a if b is unreachable).
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        if !self.is_reachable(b) {
            return true;
        }
        let (a, b) = (self.interval[a.index()], self.interval[b.index()]);
        a.0 <= b.0 && b.1 <= a.1
    }
    /// Whether a path leads from the entry to `block`.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.position[block.index()] != UNREACHABLE
    }
}

fn reverse_postorder(function: &Function) -> Vec<Block> {
    let successors = |b: Block| -> Neighbours {
        let edges = function.blocks[b].terminator.edges();
        edges.map(|e| e.block).collect()
    };
    let entry = function.entry();
    let mut seen = vec![false; function.blocks.len()];
    seen[entry.index()] = true;
    let mut order = Vec::with_capacity(function.layout.len());
    // Successors are popped from the back: the last is visited first, so that the reversed order keeps `then` first.
    let mut stack = vec![(entry, successors(entry))];
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if !seen[next.index()] => {
                seen[next.index()] = true;
                stack.push((next, successors(next)));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn predecessors(function: &Function) -> Vec<Neighbours> {
    let mut predecessors = vec![Neighbours::new(); function.blocks.len()];
    for (block, data) in function.blocks_in_order() {
        for edge in data.terminator.edges() {
            predecessors[edge.block.index()].push(block);
        }
    }
    predecessors
}

fn dominators(
    order: &[Block],
    position: &[u32],
    predecessors: &[Neighbours],
) -> Vec<Option<Block>> {
    // By position in `order`; the entry is its own dominator while this runs.
    let mut idom: Vec<Option<u32>> = vec![None; order.len()];
    idom[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for (i, block) in order.iter().enumerate().skip(1) {
            let known = predecessors[block.index()]
                .iter()
                .map(|p| position[p.index()])
                .filter(|&p| p != UNREACHABLE && idom[p as usize].is_some());
            let new = known.reduce(|a, b| intersect(&idom, a, b));
            changed |= idom[i] != new;
            idom[i] = new;
        }
    }
    let mut result = vec![None; position.len()];
    for (i, block) in order.iter().enumerate().skip(1) {
        result[block.index()] = idom[i].map(|d| order[d as usize]);
    }
    result
}

/// The nearest common ancestor in the dominator tree so far.
fn intersect(idom: &[Option<u32>], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        if a < b {
            std::mem::swap(&mut a, &mut b);
        }
        // A position below another has a dominator already: it was visited before.
        a = idom[a as usize].unwrap_or(0);
    }
    a
}

fn intervals(order: &[Block], idom: &[Option<Block>]) -> Vec<(u32, u32)> {
    // A dominator comes before what it dominates, so sizes of subtrees add up backwards and places follow forwards.
    let mut size = vec![1u32; idom.len()];
    for block in order.iter().rev() {
        if let Some(parent) = idom[block.index()] {
            size[parent.index()] += size[block.index()];
        }
    }
    let mut interval = vec![(1, 0); idom.len()];
    let mut next = vec![0u32; idom.len()];
    for block in order {
        let start = match idom[block.index()] {
            None => 0,
            Some(parent) => {
                let start = next[parent.index()];
                next[parent.index()] += size[block.index()];
                start
            }
        };
        interval[block.index()] = (start, start + size[block.index()] - 1);
        next[block.index()] = start + 1;
    }
    interval
}

/// Where the values of a function are defined.
pub struct Definitions {
    flow: Flow,
    /// Indexed by value: the block, and the place in it, behind its parameters.
    places: Vec<Option<(Block, usize)>>,
}

impl Definitions {
    /// Finds all definitions.
    pub fn new(function: &Function, flow: &Flow) -> Definitions {
        let mut places = vec![None; function.values.len()];
        for (block, data) in function.blocks_in_order() {
            for param in &data.params {
                places[param.index()] = Some((block, 0));
            }
            for (n, &inst) in data.insts.iter().enumerate() {
                places[function.insts[inst].result.index()] = Some((block, n + 1));
            }
        }
        Definitions {
            flow: flow.clone(),
            places,
        }
    }
    /// Whether one value is known whenever another is computed.
    pub fn is_before(&self, value: Value, other: Value) -> bool {
        let place = |value: Value| self.places.get(value.index()).copied().flatten();
        match (place(value), place(other)) {
            (Some((a, n)), Some((b, m))) if a == b => n < m,
            (Some((a, _)), Some((b, _))) => self.flow.dominates(a, b),
            _ => false,
        }
    }
}

id!(
    /// A natural loop.
    Loop,
    "loop"
);

/// A natural loop: a header that dominates its latches.
#[derive(Clone, Debug)]
pub struct LoopData {
    /// The block all iterations start in.
    pub header: Block,
    /// The sources of the back edges.
    pub latches: Vec<Block>,
    /// All blocks, inner loops' included, header first, in reverse post-order.
    pub blocks: Vec<Block>,
    /// The loop around this one.
    pub parent: Option<Loop>,
    /// Set if the number of iterations is known before the first.
    pub counted: Option<Counted>,
}

/// A loop that runs its body for `induction = start, start + step, …` while `induction < end`, and leaves in no other way
/// (faults aside): the header ends in `branch (lt induction, end)` (or `gt`, `ne` with matching step) and is the only exit.
///
/// The addition in the latch does not wrap: with a step of one it cannot, and the front end guards all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// A parameter of the header.
    pub induction: Value,
    /// Its value on entry.
    pub start: Value,
    /// Loop invariant: defined outside the loop, or a constant.
    pub end: Value,
    /// A constant other than zero.
    pub step: i64,
    /// The header's successor inside the loop.
    pub body: Block,
    /// The header's successor outside the loop.
    pub exit: Block,
}

/// The loops of a function.
pub struct Loops {
    loops: Table<Loop, LoopData>,
    /// Indexed by block.
    innermost: Vec<Option<Loop>>,
}

impl Loops {
    /// Finds the loops. Irreducible graphs do not arise: the source language is structured.
    pub fn new(function: &Function, flow: &Flow) -> Loops {
        let mut loops = Loops {
            loops: Table::new(),
            innermost: vec![None; function.blocks.len()],
        };
        // An outer header dominates an inner one, so it comes first in reverse post-order.
        for &header in flow.reverse_postorder() {
            let back = |p: &&Block| flow.is_reachable(**p) && flow.dominates(header, **p);
            let mut latches: Vec<Block> = flow
                .predecessors(header)
                .iter()
                .filter(back)
                .copied()
                .collect();
            latches.dedup();
            if !latches.is_empty() {
                loops.add(function, flow, header, latches);
            }
        }
        loops
    }
    /// The innermost loop of a block.
    pub fn of(&self, block: Block) -> Option<Loop> {
        self.innermost[block.index()]
    }
    /// All loops, outer before inner.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = (Loop, &LoopData)> {
        self.loops.iter()
    }
    /// Whether `block` is in `outer` or in a loop within it.
    pub fn contains(&self, outer: Loop, block: Block) -> bool {
        let mut next = self.of(block);
        while let Some(found) = next {
            if found == outer {
                return true;
            }
            next = self.loops[found].parent;
        }
        false
    }

    fn add(&mut self, function: &Function, flow: &Flow, header: Block, latches: Vec<Block>) {
        let blocks = body(flow, header, &latches);
        let parent = self.innermost[header.index()];
        let id = self.loops.push(LoopData {
            header,
            latches,
            blocks,
            parent,
            counted: None,
        });
        for block in &self.loops[id].blocks {
            self.innermost[block.index()] = Some(id);
        }
        // Inner loops are not known yet: all blocks of this loop, and no others, are marked with it now.
        let within = |block: Block| self.innermost[block.index()] == Some(id);
        self.loops[id].counted = counted(function, flow, &self.loops[id], &within);
    }
}

impl std::ops::Index<Loop> for Loops {
    type Output = LoopData;
    fn index(&self, id: Loop) -> &LoopData {
        &self.loops[id]
    }
}

/// The blocks that reach a latch without passing the header, in reverse post-order.
fn body(flow: &Flow, header: Block, latches: &[Block]) -> Vec<Block> {
    let mut found = FxHashSet::from_iter([header]);
    let mut stack = latches.to_vec();
    while let Some(block) = stack.pop() {
        if found.insert(block) {
            let known = |p: &&Block| flow.is_reachable(**p);
            stack.extend(flow.predecessors(block).iter().filter(known));
        }
    }
    let mut blocks: Vec<Block> = found.into_iter().collect();
    blocks.sort_by_key(|b| flow.position[b.index()]);
    blocks
}

/// Recognises a counted loop.
fn counted(
    function: &Function,
    flow: &Flow,
    data: &LoopData,
    within: &impl Fn(Block) -> bool,
) -> Option<Counted> {
    let Terminator::Branch {
        condition,
        then,
        otherwise,
    } = &function.blocks[data.header].terminator
    else {
        return None;
    };
    let (body, exit, negated) = match (within(then.block), within(otherwise.block)) {
        (true, false) => (then.block, otherwise.block, false),
        (false, true) => (otherwise.block, then.block, true),
        _ => return None,
    };
    let [latch] = data.latches[..] else {
        return None;
    };
    if body == data.header || !leaves_only_at_header(function, data, within) {
        return None;
    }
    let outside = |p: &&Block| !within(**p);
    let mut entering = flow.predecessors(data.header).iter().filter(outside);
    let (Some(&preheader), None) = (entering.next(), entering.next()) else {
        return None;
    };
    let (prim, a, b) = comparison(function, *condition, negated)?;
    // Either side may be the induction variable: `n > i` is `i < n`.
    [(prim, a, b), (mirrored(prim), b, a)]
        .into_iter()
        .find_map(|(prim, induction, end)| {
            let index = match function.values[induction].def {
                ValueDef::Param(block, index) if block == data.header => index as usize,
                _ => return None,
            };
            let next = argument(function, latch, data.header, index)?;
            let start = argument(function, preheader, data.header, index)?;
            let step = step(function, induction, next)?;
            let matching = match prim {
                Prim::Lt => step > 0,
                Prim::Gt => step < 0,
                Prim::Ne => step == 1 || step == -1,
                _ => false,
            };
            let invariant = function.as_const(end).is_some() || !defined_in(function, data, end);
            let goes_straight = match prim {
                Prim::Ne => is_between(function, start, end, step),
                _ => stays(function.ty(induction), step, function.as_const(end)),
            } || is_checked(function, data, next);
            (matching && invariant && goes_straight).then_some(Counted {
                induction,
                start,
                end,
                step,
                body,
                exit,
            })
        })
}

/// Whether a counter that is compared with its end by order does not wrap around on its last step. In 64 bits, what does would run for years.
fn stays(ty: Type, step: i64, end: Option<Const>) -> bool {
    let narrow = !matches!(ty, Type::I64 | Type::U64 | Type::Isize | Type::Usize);
    match (step, end) {
        (1 | -1, _) => true,
        (_, Some(Const::Int(end))) if narrow => fits(
            widen(end, ty) - i128::from(step.signum()) + i128::from(step),
            ty,
        ),
        _ => !narrow,
    }
}

/// Whether a counter comes to an end that it is to be unequal to without wrapping around.
fn is_between(function: &Function, start: Value, end: Value, step: i64) -> bool {
    let ty = function.ty(start);
    match (function.as_const(start), function.as_const(end)) {
        (Some(Const::Int(start)), Some(Const::Int(end))) => {
            let (start, end) = (widen(start, ty), widen(end, ty));
            if step > 0 { start <= end } else { start >= end }
        }
        _ => false,
    }
}

/// Whether the loop fails where the next value of its counter would wrap around.
fn is_checked(function: &Function, data: &LoopData, next: Value) -> bool {
    let Some(made) = function.def_inst(next) else {
        return false;
    };
    let asserts = |inst: &InstData| {
        let wrong = inst
            .args
            .first()
            .and_then(|&right| function.def_inst(right));
        let test = { wrong.filter(|inst| inst.op == Op::Prim(Prim::Not)) }
            .and_then(|inst| function.def_inst(inst.args[0]));
        matches!(inst.op, Op::Prim(Prim::Assert(_)))
            && test.is_some_and(|test| {
                let overflows = match made.op {
                    Op::Prim(Prim::Add) => Prim::AddOverflows,
                    _ => Prim::SubOverflows,
                };
                test.op == Op::Prim(overflows) && test.args == made.args
            })
    };
    // In the block of the step itself: elsewhere it may not be reached.
    let mut blocks = data
        .blocks
        .iter()
        .map(|&block| &function.blocks[block].insts);
    blocks.any(|insts| {
        insts
            .iter()
            .any(|&inst| function.insts[inst].result == next)
            && insts.iter().any(|&inst| asserts(&function.insts[inst]))
    })
}

/// Whether no block but the header has an edge out of the loop or returns.
fn leaves_only_at_header(
    function: &Function,
    data: &LoopData,
    within: &impl Fn(Block) -> bool,
) -> bool {
    data.blocks[1..].iter().all(|&block| {
        let terminator = &function.blocks[block].terminator;
        !matches!(terminator, Terminator::Return(_) | Terminator::Missing)
            && terminator.edges().all(|edge| {
                // An edge to a block that only fails is a fault, not an exit.
                within(edge.block)
                    || matches!(
                        function.blocks[edge.block].terminator,
                        Terminator::Error(..)
                    )
            })
    })
}

/// The comparison of two integers that a condition is.
fn comparison(
    function: &Function,
    condition: Value,
    negated: bool,
) -> Option<(Prim, Value, Value)> {
    let inst = function.def_inst(condition)?;
    let (Op::Prim(prim), [a, b]) = (inst.op, &inst.args[..]) else {
        return None;
    };
    let prim = match (prim, negated) {
        (Prim::Lt, false) | (Prim::Ge, true) => Prim::Lt,
        (Prim::Gt, false) | (Prim::Le, true) => Prim::Gt,
        (Prim::Ne, false) | (Prim::Eq, true) => Prim::Ne,
        _ => return None,
    };
    function.ty(*a).is_int().then_some((prim, *a, *b))
}

fn mirrored(prim: Prim) -> Prim {
    match prim {
        Prim::Lt => Prim::Gt,
        Prim::Gt => Prim::Lt,
        other => other,
    }
}

/// The constant that `next` adds to `induction`.
pub fn step(function: &Function, induction: Value, next: Value) -> Option<i64> {
    let inst = function.def_inst(next)?;
    let constant = |v| match function.as_const(v) {
        Some(Const::Int(step)) if step != 0 => Some(step),
        _ => None,
    };
    match (inst.op, &inst.args[..]) {
        (Op::Prim(Prim::Add), &[a, b]) if a == induction => constant(b),
        (Op::Prim(Prim::Add), &[a, b]) if b == induction => constant(a),
        (Op::Prim(Prim::Sub), &[a, b]) if a == induction => constant(b)?.checked_neg(),
        _ => None,
    }
}

/// The argument for a parameter on the edge from `source` to `target`; `None` if two such edges differ.
pub fn argument(function: &Function, source: Block, target: Block, index: usize) -> Option<Value> {
    let mut edges = function.blocks[source].terminator.edges();
    let mut found = edges
        .by_ref()
        .filter(|edge| edge.block == target)
        .map(|edge| edge.args.get(index).copied());
    let first = found.next()??;
    found.all(|other| other == Some(first)).then_some(first)
}

/// Whether a value is defined in a block of the loop.
fn defined_in(function: &Function, data: &LoopData, value: Value) -> bool {
    match function.values[value].def {
        ValueDef::Param(block, _) => data.blocks.contains(&block),
        ValueDef::Inst(inst) => data
            .blocks
            .iter()
            .any(|&block| function.blocks[block].insts.contains(&inst)),
    }
}

#[cfg(test)]
mod tests {
    use super::build::Builder;
    use super::*;

    /// `for i in 0..n` with an `if` in the body; returns the function and [entry, header, body, left, merge, exit].
    fn counted_loop() -> (Function, [Block; 6]) {
        let usize = Type::Usize;
        let mut b = Builder::new(Function::new(Symbol::new("f"), &[usize, Type::Bool], usize));
        let (n, c) = (b.function.params()[0], b.function.params()[1]);
        let entry = b.block();
        let [header, body, left, merge, exit] = [(); 5].map(|_| b.new_block());
        let start = b.int(0, usize);
        let i = b.add_param(header, usize);
        b.jump(header, &[start]);
        b.switch_to(header);
        let more = b.prim(Prim::Lt, &[i, n]);
        b.branch(more, (body, &[]), (exit, &[]));
        b.switch_to(body);
        b.branch(c, (left, &[]), (merge, &[]));
        b.switch_to(left);
        b.jump(merge, &[]);
        b.switch_to(merge);
        let one = b.int(1, usize);
        let next = b.prim(Prim::Add, &[i, one]);
        b.jump(header, &[next]);
        b.switch_to(exit);
        b.ret(i);
        for block in [header, body, left, merge, exit] {
            b.seal(block);
        }
        (b.finish(), [entry, header, body, left, merge, exit])
    }

    #[test]
    fn dominators_of_a_loop_with_a_branch() {
        let (f, [entry, header, body, left, merge, exit]) = counted_loop();
        let flow = Flow::new(&f);
        assert_eq!(flow.idom(entry), None);
        assert_eq!(flow.idom(header), Some(entry));
        assert_eq!(flow.idom(merge), Some(body));
        assert_eq!(flow.idom(exit), Some(header));
        assert!(flow.dominates(header, left) && flow.dominates(left, left));
        assert!(!flow.dominates(left, merge) && !flow.dominates(merge, left));
        assert_eq!(flow.predecessors(header), [entry, merge]);
        assert_eq!(flow.reverse_postorder().len(), 6);
    }

    #[test]
    fn finds_a_counted_loop() {
        let (f, [entry, header, body, left, merge, exit]) = counted_loop();
        let flow = Flow::new(&f);
        let loops = Loops::new(&f, &flow);
        let (id, data) = loops.all().next().unwrap();
        assert_eq!(loops.all().count(), 1);
        assert_eq!(data.header, header);
        assert_eq!(data.latches, [merge]);
        assert_eq!(data.blocks, [header, body, left, merge]);
        assert_eq!(
            (loops.of(left), loops.of(exit), loops.of(entry)),
            (Some(id), None, None)
        );
        let counted = data.counted.as_ref().unwrap();
        assert_eq!((counted.step, counted.body, counted.exit), (1, body, exit));
        assert_eq!(counted.end, f.params()[0]);
        assert_eq!(f.as_const(counted.start), Some(Const::Int(0)));
    }

    #[test]
    fn a_second_exit_means_not_counted() {
        let (mut f, [.., left, _, exit]) = counted_loop();
        f.blocks[left].terminator = Terminator::Jump(Edge::new(exit, []));
        let loops = Loops::new(&f, &Flow::new(&f));
        assert!(loops.all().next().unwrap().1.counted.is_none());
    }

    #[test]
    fn a_bound_computed_in_the_loop_means_not_counted() {
        let (mut f, [_, header, ..]) = counted_loop();
        let n = f.params()[0];
        let two = f.make_inst(Op::Prim(Prim::Add), &[n, n], Type::Usize, Span::NONE);
        f.blocks[header].insts.insert(0, two);
        let (condition, bound) = (f.blocks[header].insts[1], f.insts[two].result);
        f.insts[condition].args[1] = bound;
        let loops = Loops::new(&f, &Flow::new(&f));
        assert!(loops.all().next().unwrap().1.counted.is_none());
    }

    #[test]
    fn unreachable_blocks_do_not_disturb() {
        let (mut f, [_, header, .., exit]) = counted_loop();
        let dead = f.add_block();
        f.blocks[dead].terminator = Terminator::Jump(Edge::new(exit, []));
        let flow = Flow::new(&f);
        assert_eq!(flow.idom(exit), Some(header));
        assert_eq!(flow.idom(dead), None);
        assert!(!flow.is_reachable(dead) && !flow.dominates(dead, exit));
    }

    #[test]
    fn long_chains_need_no_stack() {
        let mut b = Builder::new(Function::new(Symbol::new("f"), &[], Type::UNIT));
        for _ in 0..100_000 {
            let next = b.new_block();
            b.jump(next, &[]);
            b.seal(next);
            b.switch_to(next);
        }
        let unit = b.unit();
        b.ret(unit);
        let f = b.finish();
        let flow = Flow::new(&f);
        assert!(flow.dominates(f.entry(), *f.layout.last().unwrap()));
    }
}
