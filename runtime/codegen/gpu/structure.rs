//! Structured control flow out of a control-flow graph.
//!
//! WGSL has `if`, `loop`, `break` and `continue`, each of the innermost construct only, and no jumps. As in Ramsey, *Beyond
//! Relooper* (ICFP 2022), the nesting is that of the dominator tree: the code of a block holds the code of the blocks
//! it dominates, and those with several predecessors stand after it, in reverse post-order. Where Ramsey leaves a
//! construct by a numbered `br`, we note the target in a variable ([`Stmt::Go`]), fall off the end, and guard what does
//! not stand directly at the target ([`Stmt::Guard`]). Two departures keep the text shallow:
//!
//! * a block that a loop dominates but does not contain stands after the loop, so the rest of a function does not pile
//!   up inside its loops (which are what drivers are bad at);
//! * a guard that can only be true is left out, so `if`, `else` and single-exit loops come out as they were written.
//!
//! Values must be visible wherever the code of their uses stands; the printer declares those that cross blocks at the
//! top of the function.

use crate::arena::Id;
use crate::diag::{Error, Result};
use crate::ir::flow::{Flow, Loop, Loops};
use crate::ir::{Block, Function, Terminator, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Structured code.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// The block's instructions.
    Insts(Block),
    /// The n-th edge out of the block: its arguments become the target's parameters.
    Edge(Block, usize),
    /// Leaves the function as the block's terminator says.
    Leave(Block),
    /// One of two.
    If(Value, Vec<Stmt>, Vec<Stmt>),
    /// For ever, until a `Break`.
    Loop(Vec<Stmt>),
    /// Out of the innermost loop.
    Break,
    /// The innermost loop again.
    Continue,
    /// Notes that the block is next. Falls through to it.
    Go(Block),
    /// If the block was noted as the next.
    Guard(Block, Vec<Stmt>),
}

/// The function's blocks as structured code. The graph must be reducible.
pub fn structure(function: &Function) -> Result<Vec<Stmt>> {
    let flow = Flow::new(function);
    let loops = Loops::new(function, &flow);
    let mut planner = Planner::new(function, &flow, &loops)?;
    let mut out = Vec::new();
    planner.tree(function.entry(), &mut out);
    if !has_guard(&out) {
        drop_notes(&mut out);
    }
    Ok(out)
}

/// The targets noted by paths that fall off the end of a text.
type Pending = BTreeSet<Block>;

struct Planner<'a> {
    function: &'a Function,
    loops: &'a Loops,
    /// Forward edges into each block.
    entries: BTreeMap<Block, usize>,
    /// The loop that starts at each header.
    headers: BTreeMap<Block, Loop>,
    /// The blocks whose text stands in that of a block, in reverse post-order.
    kids: BTreeMap<Block, Vec<Block>>,
    parent: BTreeMap<Block, Block>,
    /// The blocks whose text stands after that of a loop, in reverse post-order.
    after: BTreeMap<Loop, Vec<Block>>,
    /// The loops around the text being written, and the blocks outside each to which it is left.
    nest: Vec<(Loop, Pending)>,
}

impl<'a> Planner<'a> {
    fn new(function: &'a Function, flow: &'a Flow, loops: &'a Loops) -> Result<Self> {
        let mut planner = Planner {
            function,
            loops,
            entries: BTreeMap::new(),
            headers: loops.all().map(|(id, data)| (data.header, id)).collect(),
            kids: BTreeMap::new(),
            parent: BTreeMap::new(),
            after: BTreeMap::new(),
            nest: Vec::new(),
        };
        planner.count_entries(flow)?;
        for &block in flow.reverse_postorder() {
            planner.find_place(block, flow);
        }
        Ok(planner)
    }

    fn count_entries(&mut self, flow: &Flow) -> Result<()> {
        let mut seen = vec![false; self.function.blocks.len()];
        for &source in flow.reverse_postorder() {
            seen[source.index()] = true;
            for edge in self.function.blocks[source].terminator.edges() {
                if !seen[edge.block.index()] {
                    *self.entries.entry(edge.block).or_default() += 1;
                } else if !flow.dominates(edge.block, source) {
                    return Err(Error::Internal(format!(
                        "@{}: {} can be entered in two ways: expected a reducible graph",
                        self.function.name, edge.block
                    )));
                }
            }
        }
        Ok(())
    }

    /// In its dominator's text, or after the outermost loop that holds the dominator but not the block.
    fn find_place(&mut self, block: Block, flow: &Flow) {
        let Some(idom) = flow.idom(block) else { return };
        let mut left = None;
        let mut around = self.loops.of(idom);
        while let Some(found) = around.filter(|&found| !self.loops.contains(found, block)) {
            left = Some(found);
            around = self.loops[found].parent;
        }
        match left {
            Some(left) => self.after.entry(left).or_default().push(block),
            None => {
                self.kids.entry(idom).or_default().push(block);
                self.parent.insert(block, idom);
            }
        }
    }

    /// The text of a block and of all that stand in it.
    fn tree(&mut self, block: Block, out: &mut Vec<Stmt>) -> Pending {
        let Some(&around) = self.headers.get(&block) else {
            return self.body(block, out);
        };
        self.nest.push((around, Pending::new()));
        let mut inner = Vec::new();
        let fallen = self.body(block, &mut inner);
        debug_assert!(
            fallen.is_empty(),
            "every path in a loop continues or breaks"
        );
        let (_, mut pending) = self.nest.pop().expect("pushed above");
        out.push(Stmt::Loop(inner));
        self.leave_outer(&mut pending, out);
        for block in self.after.remove(&around).unwrap_or_default() {
            self.place(block, &mut pending, out);
        }
        pending
    }

    /// Directly after a loop: goes on to the targets that the loop around this one does not hold either.
    fn leave_outer(&mut self, pending: &mut Pending, out: &mut Vec<Stmt>) {
        let Some((around, exits)) = self.nest.last_mut() else {
            return;
        };
        let header = self.loops[*around].header;
        let far = |b: &Block| *b == header || !self.loops.contains(*around, *b);
        let targets: Vec<Block> = pending.iter().copied().filter(far).collect();
        for target in targets {
            pending.remove(&target);
            let leave = match target == header {
                true => Stmt::Continue,
                false => Stmt::Break,
            };
            if leave == Stmt::Break {
                exits.insert(target);
            }
            match pending.is_empty() {
                true => out.push(leave),
                false => out.push(Stmt::Guard(target, vec![leave])),
            }
        }
    }

    fn body(&mut self, block: Block, out: &mut Vec<Stmt>) -> Pending {
        out.push(Stmt::Insts(block));
        let mut pending = match &self.function.blocks[block].terminator {
            Terminator::Jump(_) => self.edge(block, 0, out),
            Terminator::Branch { condition, .. } => {
                let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                let mut pending = self.edge(block, 0, &mut then);
                pending.extend(self.edge(block, 1, &mut otherwise));
                out.push(Stmt::If(*condition, then, otherwise));
                pending
            }
            Terminator::Return(_) | Terminator::Error(..) | Terminator::Missing => {
                out.push(Stmt::Leave(block));
                Pending::new()
            }
        };
        for kid in self.kids.get(&block).cloned().unwrap_or_default() {
            if self.entries[&kid] > 1 {
                self.place(kid, &mut pending, out);
            }
        }
        pending
    }

    /// Writes a block at the place that paths fall to.
    fn place(&mut self, block: Block, pending: &mut Pending, out: &mut Vec<Stmt>) {
        pending.remove(&block);
        if pending.is_empty() {
            *pending = self.tree(block, out);
        } else {
            let mut inner = Vec::new();
            let further = self.tree(block, &mut inner);
            pending.extend(further);
            out.push(Stmt::Guard(block, inner));
        }
    }

    fn edge(&mut self, source: Block, n: usize, out: &mut Vec<Stmt>) -> Pending {
        out.push(Stmt::Edge(source, n));
        let edges = self.function.blocks[source].terminator.edges();
        let target = edges.map(|edge| edge.block).nth(n).expect("an edge");
        if let Some((around, exits)) = self.nest.last_mut() {
            if target == self.loops[*around].header {
                out.push(Stmt::Continue);
                return Pending::new();
            }
            if !self.loops.contains(*around, target) {
                exits.insert(target);
                out.extend([Stmt::Go(target), Stmt::Break]);
                return Pending::new();
            }
        }
        if self.parent.get(&target) == Some(&source) && self.entries[&target] == 1 {
            return self.tree(target, out);
        }
        out.push(Stmt::Go(target));
        Pending::from([target])
    }
}

fn has_guard(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match stmt {
        Stmt::Guard(..) => true,
        Stmt::If(_, then, otherwise) => has_guard(then) || has_guard(otherwise),
        Stmt::Loop(body) => has_guard(body),
        _ => false,
    })
}

/// Without a guard nobody reads the notes.
fn drop_notes(stmts: &mut Vec<Stmt>) {
    stmts.retain_mut(|stmt| {
        match stmt {
            Stmt::If(_, then, otherwise) => {
                drop_notes(then);
                drop_notes(otherwise);
            }
            Stmt::Loop(body) | Stmt::Guard(_, body) => drop_notes(body),
            _ => {}
        }
        !matches!(stmt, Stmt::Go(_))
    });
}
