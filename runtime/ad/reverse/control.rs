//! The way back: the graph that the reverse pass walks, and the control flow of the forward pass as data.
//!
//! Each block has a reverse block; an edge becomes its opposite. Where the forward pass merged, the reverse pass must
//! know which way it came: the condition of the branch above if it alone decides, else an integer parameter that the
//! forward pass is given. A loop is entered at one place whatever its exits are: [`Node::Enter`] fetches the number of
//! iterations and what the loop uses from outside; a counted loop goes on at its header, any other at [`Node::Head`],
//! which begins the reverse of one iteration at its end: where the loop was left the first time, then at the latch.
//!
//! Parts without anything to reverse are stepped over.

use super::action::Actions;
use super::activity::Activity;
use super::primal::{LoopScope, Primal};
use super::tapeless_loops::{TapelessLoops, body_block};
use crate::diag::Span;
use crate::ir::flow::Loop;
use crate::ir::{Block, Const, Op, Prim, Terminator, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// A node of the reverse graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Node {
    /// The reverse of a block.
    Block(Block),
    /// In front of the reverse of a loop.
    Enter(Loop),
    /// The begin of the reverse of an iteration of a loop that is not counted.
    Head(Loop),
}

/// How the reverse pass knows which way the forward pass came.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// A condition: from the first if it was true, else from the second.
    Condition(Value, Block, Block),
    /// A number: the position in the list.
    Number(Value, Vec<Block>),
}

/// What is reversed as a unit: it is run forwards and then backwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Region {
    /// The loop whose iteration it is; `None` for the whole function.
    pub scope: LoopScope,
    pub first: Block,
    pub last: Block,
}

/// Everything about the way back.
#[derive(Default)]
pub(super) struct Control {
    /// Blocks where several ways meet that need not be told apart: where the reverse goes on instead.
    skips: FxHashMap<Block, Block>,
    /// Loops without anything to reverse.
    inert: FxHashSet<Loop>,
    /// For each block where ways meet that must be told apart.
    pub origins: FxHashMap<Block, Origin>,
    /// The number of completed iterations of each loop that is walked backwards.
    pub trips: FxHashMap<Loop, Value>,
    /// All loops that are walked backwards.
    pub walked: FxHashSet<Loop>,
    fused: FxHashSet<Loop>,
}

impl Control {
    /// Plans the way back and adds to the forward pass what it takes to find it.
    pub fn new(
        primal: &mut Primal,
        activity: &Activity,
        actions: &Actions,
        tapeless: &TapelessLoops,
    ) -> Control {
        let mut control = Control {
            fused: tapeless.loops.keys().copied().collect(),
            ..Control::default()
        };
        let idle = idle_blocks(primal, activity, actions);
        control.find_inert(primal, activity, &idle);
        control.find_skips(primal, activity, &idle);
        for region in control.regions(primal) {
            for node in control.order(primal, region) {
                control.instrument(primal, region, node);
            }
        }
        primal.index();
        control
    }
    /// The whole function and the iterations of the fused loops.
    pub fn regions(&self, primal: &Primal) -> Vec<Region> {
        let function = primal.end().map(|last| Region {
            scope: None,
            first: primal.function.entry(),
            last,
        });
        let fused = primal.loops.all().map(|(l, _)| l);
        let fused = fused.filter(|&l| self.is_fused(l));
        function
            .into_iter()
            .chain(fused.map(|l| iteration(primal, l)))
            .collect()
    }
    /// Whether the loop's reverse body runs inside the forward loop.
    pub fn is_fused(&self, l: Loop) -> bool {
        self.fused.contains(&l)
    }

    /// The reverse graph of a region from its end to its begin, each node before its successors but for back edges.
    pub fn order(&self, primal: &Primal, region: Region) -> Vec<Node> {
        let start = Node::Block(region.last);
        let mut seen = FxHashSet::from_iter([start]);
        let mut order = Vec::new();
        let mut stack = vec![(start, self.successors(primal, region, start))];
        while let Some((node, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) if seen.insert(next) => {
                    stack.push((next, self.successors(primal, region, next)));
                }
                Some(_) => {}
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }
    /// Where the reverse can go on after a node.
    pub fn successors(&self, primal: &Primal, region: Region, node: Node) -> Vec<Node> {
        match node {
            Node::Enter(l) => vec![self.start(primal, l)],
            Node::Head(l) => self
                .iteration_ends(primal, l)
                .into_iter()
                .map(|(_, n)| n)
                .collect(),
            Node::Block(block) if block == region.first => Vec::new(),
            Node::Block(block) => match self.walked_header(primal, block) {
                Some(l) => vec![self.again(primal, l), Node::Block(primal.preheader(l))],
                None => self.origins_of(primal, block),
            },
        }
    }
    /// The loop that a block is the header of, if the reverse pass walks it.
    pub fn walked_header(&self, primal: &Primal, block: Block) -> Option<Loop> {
        let l = primal.headed(block)?;
        (!self.is_fused(l) && !self.inert.contains(&l)).then_some(l)
    }
    /// Where the reverse of a loop begins, after [`Node::Enter`].
    pub fn start(&self, primal: &Primal, l: Loop) -> Node {
        match primal.counted(l) {
            Some(_) => Node::Block(primal.data(l).header),
            None => Node::Head(l),
        }
    }
    /// Where the reverse of the iteration before begins.
    fn again(&self, primal: &Primal, l: Loop) -> Node {
        match primal.counted(l) {
            Some(_) => Node::Block(primal.latch(l)),
            None => Node::Head(l),
        }
    }
    /// The places where an iteration of a loop that is not counted can end, by number: 0 is the latch, the others are
    /// the loop's exits.
    pub fn iteration_ends(&self, primal: &Primal, l: Loop) -> Vec<(usize, Node)> {
        let mut ends = vec![(0, Node::Block(primal.latch(l)))];
        for (n, (from, _)) in primal.exits(l).into_iter().enumerate() {
            let inner = primal.child(Some(l), primal.scope(from));
            let node = match inner {
                None => Node::Block(from),
                Some(inner) => self.loop_entry(primal, inner),
            };
            ends.push((n + 1, node));
        }
        ends
    }
    /// The reverse of leaving a loop.
    fn loop_entry(&self, primal: &Primal, l: Loop) -> Node {
        match self.inert.contains(&l) || self.is_fused(l) {
            true => Node::Block(primal.preheader(l)),
            false => Node::Enter(l),
        }
    }
    fn origins_of(&self, primal: &Primal, block: Block) -> Vec<Node> {
        match self.skips.get(&block) {
            Some(&above) => vec![Node::Block(above)],
            None => {
                let from = primal.flow.predecessors(block).iter();
                from.map(|&p| self.target(primal, p, block)).collect()
            }
        }
    }
    /// Where the reverse of the edge between two blocks leads.
    pub fn target(&self, primal: &Primal, from: Block, to: Block) -> Node {
        match primal.left(from, to).last() {
            Some(&l) => self.loop_entry(primal, l),
            None => Node::Block(from),
        }
    }
    /// Where the reverse goes on instead, at a block whose origins need not be told apart.
    pub fn skip(&self, block: Block) -> Option<Block> {
        self.skips.get(&block).copied()
    }

    /// Loops in which nothing happens.
    fn find_inert(&mut self, primal: &Primal, activity: &Activity, idle: &FxHashSet<Block>) {
        for (l, data) in primal.loops.all() {
            let carries = |p: &Value| activity.is_active(primal, *p);
            let params = &primal.function.blocks[data.header].params;
            if data.blocks.iter().all(|b| idle.contains(b)) && !params.iter().any(carries) {
                self.inert.insert(l);
            }
        }
    }
    /// Merges of ways on which nothing happens.
    fn find_skips(&mut self, primal: &Primal, activity: &Activity, idle: &FxHashSet<Block>) {
        for &block in primal.order() {
            let merges =
                primal.flow.predecessors(block).len() > 1 && primal.headed(block).is_none();
            let Some(above) = primal.flow.idom(block).filter(|_| merges) else {
                continue;
            };
            let carries = |p: &Value| activity.is_active(primal, *p);
            let quiet = primal.scope(above) == primal.scope(block)
                && !primal.function.blocks[block].params.iter().any(carries)
                && between(primal, above, block)
                    .iter()
                    .all(|b| idle.contains(b));
            if quiet {
                self.skips.insert(block, above);
            }
        }
    }

    /// Adds to the forward pass what a node of the reverse graph needs to know.
    fn instrument(&mut self, primal: &mut Primal, region: Region, node: Node) {
        match node {
            Node::Enter(l) => {
                let trip = match primal.counted(l) {
                    Some(_) => counted_trip(primal, l),
                    None => trip_counter(primal, l),
                };
                self.trips.insert(l, trip);
                self.walked.insert(l);
            }
            Node::Block(block) if block != region.first => {
                let several = primal.flow.predecessors(block).len() > 1;
                if several && primal.headed(block).is_none() && self.skip(block).is_none() {
                    let origin =
                        by_condition(primal, block).unwrap_or_else(|| by_number(primal, block));
                    self.origins.insert(block, origin);
                }
            }
            Node::Block(_) | Node::Head(_) => {}
        }
    }
}

/// The body of a fused loop, from the block after the header to the latch.
pub(super) fn iteration(primal: &Primal, l: Loop) -> Region {
    Region {
        scope: Some(l),
        first: body_block(primal, l),
        last: primal.latch(l),
    }
}

/// Blocks without actions, which pass no active values on.
fn idle_blocks(primal: &Primal, activity: &Activity, actions: &Actions) -> FxHashSet<Block> {
    let idle = |block: &&Block| {
        let data = &primal.function.blocks[**block];
        let passes = |edge: &crate::ir::Edge| {
            let params = primal.function.blocks[edge.block].params.iter();
            params
                .zip(&edge.args)
                .any(|(&p, &a)| activity.is_active(primal, p) && activity.is_active(primal, a))
        };
        !data.insts.iter().any(|i| actions.contains_key(i)) && !data.terminator.edges().any(passes)
    };
    primal.order().iter().filter(idle).copied().collect()
}

/// The blocks on ways from `above` to `block`, which it dominates, without the two.
fn between(primal: &Primal, above: Block, block: Block) -> FxHashSet<Block> {
    let mut found = FxHashSet::default();
    let mut stack = primal.flow.predecessors(block).to_vec();
    while let Some(next) = stack.pop() {
        if next != above && next != block && found.insert(next) {
            stack.extend(primal.flow.predecessors(next));
        }
    }
    found
}

/// The branch above, if each of its ways leads here over one predecessor only.
fn by_condition(primal: &Primal, block: Block) -> Option<Origin> {
    let [a, b] = *primal.flow.predecessors(block) else {
        return None;
    };
    let above = primal.flow.idom(block)?;
    let Terminator::Branch {
        condition,
        then,
        otherwise,
    } = &primal.function.blocks[above].terminator
    else {
        return None;
    };
    let over = |way: Block, pred: Block| {
        primal.only_predecessor(way) == Some(above) && primal.flow.dominates(way, pred)
    };
    let (yes, no) = (then.block, otherwise.block);
    if over(yes, a) && over(no, b) {
        Some(Origin::Condition(*condition, a, b))
    } else if over(yes, b) && over(no, a) {
        Some(Origin::Condition(*condition, b, a))
    } else {
        None
    }
}

/// A new parameter that says over which edge the block was reached.
fn by_number(primal: &mut Primal, block: Block) -> Origin {
    let number = primal.function.add_param(block, Type::U32);
    let sources = primal.flow.predecessors(block).to_vec();
    for (n, &source) in sources.iter().enumerate() {
        let c = append(
            primal,
            source,
            Op::Const(Const::Int(n as i64)),
            &[],
            Type::U32,
        );
        pass(primal, source, block, c);
    }
    Origin::Number(number, sources)
}

/// A new parameter of the header that counts the iterations.
fn trip_counter(primal: &mut Primal, l: Loop) -> Value {
    let (header, latch, before) = (primal.data(l).header, primal.latch(l), primal.preheader(l));
    let count = primal.function.add_param(header, Type::Usize);
    let zero = append(primal, before, Op::Const(Const::Int(0)), &[], Type::Usize);
    pass(primal, before, header, zero);
    let one = append(primal, latch, Op::Const(Const::Int(1)), &[], Type::Usize);
    let next = append(
        primal,
        latch,
        Op::Prim(Prim::Add),
        &[count, one],
        Type::Usize,
    );
    pass(primal, latch, header, next);
    count
}

/// The number of iterations of a counted loop, computed in front of it.
fn counted_trip(primal: &mut Primal, l: Loop) -> Value {
    let before = primal.preheader(l);
    let Some(counted) = primal.counted(l).cloned() else {
        return trip_counter(primal, l);
    };
    let (mut from, mut to) = (counted.start, counted.end);
    if let Some(c) = primal.function.as_const(to) {
        // A constant bound may stand inside the loop.
        to = append(primal, before, Op::Const(c), &[], primal.ty(to));
    }
    if counted.step < 0 {
        std::mem::swap(&mut from, &mut to);
    }
    let prim = |primal: &mut Primal, prim: Prim, args: &[Value], ty: Type| {
        append(primal, before, Op::Prim(prim), args, ty)
    };
    let any = prim(primal, Prim::Lt, &[from, to], Type::Bool);
    let zero = append(primal, before, Op::Const(Const::Int(0)), &[], Type::Usize);
    // Sign-extended to 64 bits, the difference of two integers of any type is right as an unsigned number.
    let usize_of = |primal: &mut Primal, v: Value| match primal.ty(v) {
        Type::Usize => v,
        _ => append(primal, before, Op::Prim(Prim::Cast), &[v], Type::Usize),
    };
    let (from, to) = (usize_of(primal, from), usize_of(primal, to));
    let mut trips = prim(primal, Prim::Sub, &[to, from], Type::Usize);
    let step = counted.step.unsigned_abs();
    if step > 1 {
        let number = |primal: &mut Primal, n: u64| {
            append(
                primal,
                before,
                Op::Const(Const::Int(n as i64)),
                &[],
                Type::Usize,
            )
        };
        // ⌈d / s⌉ as (d − 1) / s + 1, which cannot overflow where d is positive; where it is not, it is not used.
        let (one, by) = (number(primal, 1), number(primal, step));
        let less = prim(primal, Prim::Sub, &[trips, one], Type::Usize);
        let quotient = prim(primal, Prim::Div, &[less, by], Type::Usize);
        trips = prim(primal, Prim::Add, &[quotient, one], Type::Usize);
    }
    prim(primal, Prim::Select, &[any, trips, zero], Type::Usize)
}

/// Appends an instruction to a block of the forward pass.
fn append(primal: &mut Primal, block: Block, op: Op, args: &[Value], ty: Type) -> Value {
    primal.function.append(block, op, args, ty, Span::NONE)
}

/// Passes one more argument on the edge between two blocks.
fn pass(primal: &mut Primal, source: Block, target: Block, value: Value) {
    let edges = primal.function.blocks[source].terminator.edges_mut();
    for edge in edges.filter(|e| e.block == target) {
        edge.args.push(value);
    }
}
