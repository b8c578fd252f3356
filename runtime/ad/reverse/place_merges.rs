//! Where values that are kept in registers meet the ways on which they are not defined.
//!
//! The reverse pass begins where the forward pass ends, and what only one branch has defined must be there too: a merge
//! takes it as a parameter, with zero from the other ways. Such parameters are needed in the iterated dominance frontier
//! of the definition only. Variables of the builder would find that out as well, but at the cost of a provisional
//! parameter at *every* merge in between, for each value: quadratic in programs of many branches.

use super::control::{Control, Region};
use super::primal::Primal;
use super::save::{Saved, ScopedValue, Source, Store, region, store};
use crate::ir::Block;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The merges of kept values.
#[derive(Default)]
pub(super) struct Merges {
    /// The slots that a merge takes as parameters, in order.
    pub params: FxHashMap<Block, Vec<ScopedValue>>,
    /// Where each slot that is not defined on all ways is defined, and the merge that the end of its region sees.
    pub places: FxHashMap<ScopedValue, Places>,
}

/// The places of one slot.
pub(super) struct Places {
    /// Where it becomes known.
    pub defined: BTreeSet<Block>,
    /// The last merge: it dominates the end of the region.
    pub last: Block,
}

/// Finds the merges for all slots that are kept outside of the tape, or until the forward function ends.
pub(super) fn place_merges(
    primal: &Primal,
    control: &Control,
    saved: &Saved,
    split: bool,
) -> Merges {
    let mut merged = Merges::default();
    let frontiers = frontiers(primal);
    for (&slot, &source) in &saved.sources {
        let kind = store(control, primal, split, slot.scope);
        let is_merged = match kind {
            Store::Registers => true,
            Store::SplitRecord => !saved.record_first,
            Store::Rows | Store::Records => false,
        };
        if source != Source::Kept || !is_merged {
            continue;
        }
        let region = region(primal, slot.scope);
        if primal
            .flow
            .dominates(primal.def_block(slot.value), region.last)
        {
            continue;
        }
        let defined = definitions(primal, slot);
        let merges = iterated(primal, &frontiers, &defined, region);
        for &merge in &merges {
            merged.params.entry(merge).or_default().push(slot);
        }
        // Of two blocks that dominate the end, one dominates the other.
        let seen = merges
            .iter()
            .copied()
            .filter(|&m| primal.flow.dominates(m, region.last));
        let last = seen.reduce(|a, b| if primal.flow.dominates(a, b) { b } else { a });
        let last = last.unwrap_or(region.last);
        merged.places.insert(slot, Places { defined, last });
    }
    merged
}

/// Where a slot becomes known: at the value's definition, or at the exits of the loop whose result it is.
pub(super) fn definitions(primal: &Primal, slot: ScopedValue) -> BTreeSet<Block> {
    let block = primal.def_block(slot.value);
    match primal.child(slot.scope, primal.scope(block)) {
        None => BTreeSet::from([block]),
        Some(l) => primal
            .exits(l)
            .into_iter()
            .filter(|&(from, _)| primal.flow.dominates(block, from))
            .map(|(_, to)| to)
            .collect(),
    }
}

/// The dominance frontier of each block, as Cooper, Harvey and Kennedy compute it.
fn frontiers(primal: &Primal) -> FxHashMap<Block, Vec<Block>> {
    let mut frontiers: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
    for &block in primal.order() {
        let sources = primal.flow.predecessors(block);
        if sources.len() < 2 {
            continue;
        }
        for &source in sources {
            let mut at = Some(source);
            while let Some(runner) = at.filter(|&r| Some(r) != primal.flow.idom(block)) {
                let frontier = frontiers.entry(runner).or_default();
                if !frontier.contains(&block) {
                    frontier.push(block);
                }
                at = primal.flow.idom(runner);
            }
        }
    }
    frontiers
}

fn iterated(
    primal: &Primal,
    frontiers: &FxHashMap<Block, Vec<Block>>,
    defined: &BTreeSet<Block>,
    region: Region,
) -> BTreeSet<Block> {
    // The header of the region's own loop begins the next iteration.
    let inside = |block: Block| match region.scope {
        None => true,
        Some(l) => primal.within(l, block) && primal.data(l).header != block,
    };
    let mut merges = BTreeSet::new();
    let mut seen: FxHashSet<Block> = defined.iter().copied().collect();
    let mut stack: Vec<Block> = defined.iter().copied().collect();
    while let Some(block) = stack.pop() {
        for &merge in frontiers.get(&block).into_iter().flatten() {
            if inside(merge) {
                merges.insert(merge);
                if seen.insert(merge) {
                    stack.push(merge);
                }
            }
        }
    }
    merges
}
