//! Where adjoints can be other than zero.
//!
//! The adjoint of a value is zero wherever no use of the value that matters lies ahead. Knowing that, the reverse pass
//! starts sums with their first term, and merges carry no zeros.

use super::action::Actions;
use super::activity::Activity;
use super::control::Control;
use super::primal::{LoopScope, Primal};
use crate::ir::{Block, Terminator, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Live adjoints.
pub(super) struct Liveness {
    /// The values with uses that matter after the end of a block.
    after: FxHashMap<Block, BTreeSet<Value>>,
    /// Values whose adjoints are added to by fused loops, ahead of the reverse pass of what is around the loops.
    early: BTreeSet<Value>,
}

impl Liveness {
    /// Iterates over the blocks until nothing changes.
    pub fn new(
        primal: &Primal,
        activity: &Activity,
        actions: &Actions,
        control: &Control,
    ) -> Liveness {
        let uses: FxHashMap<Block, Vec<Value>> = primal
            .order()
            .iter()
            .map(|&block| (block, uses(primal, activity, actions, block)))
            .collect();
        let mut before: FxHashMap<Block, BTreeSet<Value>> = FxHashMap::default();
        let mut after: FxHashMap<Block, BTreeSet<Value>> = FxHashMap::default();
        let mut changed = true;
        while changed {
            changed = false;
            for &block in primal.order().iter().rev() {
                let edges = primal.function.blocks[block].terminator.edges();
                let live: BTreeSet<Value> = edges
                    .filter_map(|e| before.get(&e.block))
                    .flatten()
                    .copied()
                    .collect();
                let mut start = live.clone();
                start.extend(&uses[&block]);
                start.retain(|&v| primal.def_block(v) != block);
                start.extend(passed_in(primal, activity, block));
                after.insert(block, live);
                changed |= before.insert(block, start.clone()) != Some(start);
            }
        }
        let early = early(primal, control, &uses);
        Liveness { after, early }
    }
    /// Whether the adjoint of a value can be other than zero where the reverse of a block begins.
    pub fn is_live(&self, value: Value, block: Block) -> bool {
        self.early.contains(&value)
            || self
                .after
                .get(&block)
                .is_some_and(|live| live.contains(&value))
    }
    /// The values whose adjoints pass between the reverse blocks of a region, but for the early ones.
    pub fn crossing(
        &self,
        primal: &Primal,
        control: &Control,
        scope: LoopScope,
    ) -> BTreeSet<Value> {
        let live = self.after.values().flatten().copied();
        live.filter(|v| !self.early.contains(v) && owner(primal, control, *v) == scope)
            .collect()
    }
    /// The early values that are defined in a region.
    pub fn early_in(&self, primal: &Primal, control: &Control, scope: LoopScope) -> Vec<Value> {
        let early = self.early.iter().copied();
        early
            .filter(|&v| owner(primal, control, v) == scope)
            .collect()
    }
}

/// The region in which a value's adjoint comes to its end: the innermost fused loop around its definition. A header's
/// parameters belong to what is around the loop.
fn owner(primal: &Primal, control: &Control, value: Value) -> LoopScope {
    let block = primal.def_block(value);
    let mut around = primal.around(primal.scope(block));
    around.find(|&l| control.is_fused(l) && primal.data(l).header != block)
}

/// The values whose adjoints the reverse of a block adds to, its terminator included.
fn uses(primal: &Primal, activity: &Activity, actions: &Actions, block: Block) -> Vec<Value> {
    let data = &primal.function.blocks[block];
    let mut uses: Vec<Value> = data
        .insts
        .iter()
        .filter_map(|i| Some((i, actions.get(i)?)))
        .flat_map(|(&i, action)| action.targets(primal, activity, i))
        .collect();
    for edge in data.terminator.edges() {
        if primal.only_predecessor(edge.block).is_none() {
            uses.extend(active_args(primal, activity, edge));
        }
    }
    if let Terminator::Return(value) = data.terminator {
        uses.push(value);
    }
    uses.retain(|&v| activity.is_active(primal, v));
    uses
}

/// What the only edge into a block passes: its adjoints are added to at the end of the block's reverse.
fn passed_in(primal: &Primal, activity: &Activity, block: Block) -> Vec<Value> {
    let Some(source) = primal.only_predecessor(block) else {
        return Vec::new();
    };
    let edges = primal.function.blocks[source].terminator.edges();
    edges
        .filter(|e| e.block == block)
        .flat_map(|e| active_args(primal, activity, e))
        .collect()
}

fn active_args(primal: &Primal, activity: &Activity, edge: &crate::ir::Edge) -> Vec<Value> {
    let params = primal.function.blocks[edge.block].params.iter();
    params
        .zip(&edge.args)
        .filter(|(p, a)| activity.is_active(primal, **p) && activity.is_active(primal, **a))
        .map(|(_, &a)| a)
        .collect()
}

fn early(
    primal: &Primal,
    control: &Control,
    uses: &FxHashMap<Block, Vec<Value>>,
) -> BTreeSet<Value> {
    let mut early = BTreeSet::new();
    let fused: FxHashSet<_> = primal
        .loops
        .all()
        .map(|(l, _)| l)
        .filter(|&l| control.is_fused(l))
        .collect();
    for &l in &fused {
        for block in primal
            .data(l)
            .blocks
            .iter()
            .filter(|&&b| b != primal.data(l).header)
        {
            let outer = uses[block].iter().filter(|&&v| {
                let within = primal.around(owner(primal, control, v)).any(|o| o == l);
                !within && primal.def_block(v) != primal.data(l).header
            });
            early.extend(outer);
        }
    }
    early
}
