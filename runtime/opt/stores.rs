//! Removes stores that nobody can see: overwritten before the place is read and before the function can end, or to
//! objects of the function's own that are never read.

use super::effects::Calls;
use super::memory::{Location, NeverRead, Regions};
use crate::ir::flow::Flow;
use crate::ir::{Effect, Function, Inst};

/// Removes overwritten stores, within blocks. A guard or a call between the two keeps the first: after a fault, what
/// was written stays written.
pub fn stores(function: &mut Function, calls: &Calls) -> bool {
    let parts = Regions::new(function, &Flow::new(function), calls);
    let never_read = parts.never_read(function, calls);
    let mut changed = false;
    for block in function.layout.clone() {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let before = insts.len();
        let mut walk = Walk {
            function,
            calls,
            parts: &parts,
            never_read: &never_read,
            doomed: Vec::new(),
        };
        let mut kept: Vec<Inst> = insts
            .into_iter()
            .rev()
            .filter(|&i| walk.is_seen(i))
            .collect();
        kept.reverse();
        changed |= kept.len() != before;
        function.blocks[block].insts = kept;
    }
    changed
}

/// A walk backwards through a block.
struct Walk<'a> {
    function: &'a Function,
    calls: &'a Calls<'a>,
    parts: &'a Regions,
    never_read: &'a NeverRead<'a>,
    /// Places that will be overwritten before anyone looks.
    doomed: Vec<Location>,
}

impl Walk<'_> {
    /// Whether an instruction matters; takes note of what it does.
    fn is_seen(&mut self, inst: Inst) -> bool {
        let function = self.function;
        let row = &function.insts[inst];
        let effect = self.calls.effect(function, row);
        match (effect, Location::of(function, row)) {
            (Effect::Write, Some(place)) => {
                let is_unseen =
                    self.doomed.contains(&place) || self.never_read.contains(function, place);
                if is_unseen {
                    return false;
                }
                self.doomed.push(place);
            }
            (Effect::Read, Some(place)) => {
                let is_apart = |&other: &Location| !self.parts.may_be_same(function, other, place);
                self.doomed.retain(is_apart);
            }
            (Effect::Guard | Effect::Call, _) => self.doomed.clear(),
            (Effect::Pure | Effect::Read | Effect::Write | Effect::Allocate, _) => {}
        }
        true
    }
}
