//! Removes stores that nobody can see: overwritten before the place is read, and before the function can end.

use super::effects::Calls;
use super::memory::may_be_same;
use crate::ir::{Effect, Function, Inst, Op, Prim, Value};

/// Removes overwritten stores, within blocks. A guard or a call between the two keeps the first: after a fault, what
/// was written stays written.
pub fn stores(function: &mut Function, calls: &Calls) -> bool {
    let mut changed = false;
    for block in function.layout.clone() {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let before = insts.len();
        // Backwards: places that will be overwritten before anyone looks.
        let mut doomed = Vec::new();
        let mut kept: Vec<Inst> = insts
            .into_iter()
            .rev()
            .filter(|&inst| is_seen(function, calls, &mut doomed, inst))
            .collect();
        kept.reverse();
        changed |= kept.len() != before;
        function.blocks[block].insts = kept;
    }
    changed
}

/// Whether an instruction matters, given the places that are overwritten behind it; takes note of what it does.
fn is_seen(
    function: &Function,
    calls: &Calls,
    doomed: &mut Vec<(Value, Value)>,
    inst: Inst,
) -> bool {
    let row = &function.insts[inst];
    match (row.op, &row.args[..]) {
        (Op::Prim(Prim::Store), &[slice, index, _]) => {
            if doomed.contains(&(slice, index)) {
                return false;
            }
            doomed.push((slice, index));
        }
        (Op::Prim(Prim::Load), &[slice, index]) => {
            doomed.retain(|&place| !may_be_same(function, place, (slice, index)));
        }
        _ => match calls.effect(function, row) {
            Effect::Guard | Effect::Call => doomed.clear(),
            Effect::Pure | Effect::Read | Effect::Write | Effect::Allocate => {}
        },
    }
    true
}
