//! Loop-invariant code motion: what every iteration computes anew from the same values moves before the loop.

use super::effects::Calls;
use super::memory::{Location, Regions};
use crate::arena::Id;
use crate::ir::flow::{Flow, LoopData, Loops};
use crate::ir::{
    Block, Const, Effect, Function, Inst, InstData, Op, Prim, Terminator, Type, Value,
};

/// Hoists pure instructions, innermost loops first, and from the header's start, which runs whenever the loop is
/// entered, guards and loads too. Loops without a preheader are left alone.
pub fn licm(function: &mut Function, calls: &Calls) -> bool {
    move_invariants(function, calls, true)
}

/// The same before a function is derived. There what may not run must not be computed from floats in vain: its partial
/// derivatives may be infinite, and zero times them is NaN. So only what is made of other things moves from such blocks.
pub fn licm_before_derivation(function: &mut Function, calls: &Calls) -> bool {
    move_invariants(function, calls, false)
}

fn move_invariants(function: &mut Function, calls: &Calls, floats: bool) -> bool {
    let flow = Flow::new(function);
    let loops = Loops::new(function, &flow);
    let mut hoisting = Hoisting {
        calls,
        flow: &flow,
        floats,
        parts: Regions::new(function, &flow, calls),
        place: function.defining_blocks(),
    };
    let mut changed = false;
    for (_, data) in loops.all().rev() {
        if let Some(target) = preheader(function, &flow, data) {
            changed |= hoisting.hoist(function, data, target);
        }
    }
    changed
}

/// The block from which the loop is entered, if it leads nowhere else.
pub(super) fn preheader(function: &Function, flow: &Flow, data: &LoopData) -> Option<Block> {
    let mut outside = flow
        .predecessors(data.header)
        .iter()
        .filter(|p| !data.latches.contains(p));
    let (&only, None) = (outside.next()?, outside.next()) else {
        return None;
    };
    matches!(function.blocks[only].terminator, Terminator::Jump(_)).then_some(only)
}

/// What hoisting needs to know about a function.
struct Hoisting<'a> {
    calls: &'a Calls<'a>,
    flow: &'a Flow,
    /// Whether floats move from where they may not be computed.
    floats: bool,
    parts: Regions,
    /// The block of each value's definition, indexed by value.
    place: Vec<Option<Block>>,
}

impl Hoisting<'_> {
    /// Moves what is invariant to the end of `target`. One walk suffices: definitions come before uses.
    ///
    /// From a block that may not run, only what can neither fail nor cost much is moved. At the start of the header,
    /// before the first guard or effect that stays, everything is moved: it would happen next anyway. Pure operations and
    /// reads, which see no write of the loop's, are moved from behind writes too.
    fn hoist(&mut self, function: &mut Function, data: &LoopData, target: Block) -> bool {
        let mut inside = vec![false; function.blocks.len()];
        data.blocks.iter().for_each(|b| inside[b.index()] = true);
        let mut changed = false;
        for &block in &data.blocks {
            let dominates = |&l: &Block| self.flow.dominates(block, l);
            let always = data.latches.iter().all(dominates);
            // Whether nothing that stays comes before, and whether the loop comes here as soon as it is entered.
            let (mut first, mut certain) = (block == data.header, block == data.header);
            // The list stays in its place until the end: loads look for stores in it.
            let insts = function.blocks[block].insts.clone();
            let (moved, kept): (Vec<Inst>, Vec<Inst>) = insts.into_iter().partition(|&inst| {
                let row = &function.insts[inst];
                let outside = |v: Value| self.place[v.index()].is_none_or(|b| !inside[b.index()]);
                let effect = self.calls.effect(function, row);
                let may_go = match effect {
                    Effect::Pure if certain => true,
                    Effect::Pure if !self.floats && holds_floats(function.ty(row.result)) => false,
                    Effect::Pure => is_total(function, row) && (always || is_cheap(row.op)),
                    Effect::Read => certain && !self.is_written(function, data, row),
                    Effect::Guard => first,
                    Effect::Write | Effect::Allocate | Effect::Call => false,
                };
                let hoisted = may_go && row.args.iter().all(|&v| outside(v));
                match hoisted {
                    true => self.place[row.result.index()] = Some(target),
                    false => {
                        first &= is_harmless(effect);
                        certain &= is_harmless(effect) || effect == Effect::Write;
                    }
                }
                hoisted
            });
            changed |= !moved.is_empty();
            function.blocks[block].insts = kept;
            function.blocks[target].insts.extend(moved);
        }
        changed
    }

    /// Whether the loop may write to what is read. The tape counts as written.
    fn is_written(&self, function: &Function, data: &LoopData, read: &InstData) -> bool {
        let Some(place) = Location::of(function, read) else {
            return true;
        };
        let insts = data.blocks.iter().flat_map(|&b| &function.blocks[b].insts);
        insts
            .map(|&inst| &function.insts[inst])
            .any(|row| match self.calls.effect(function, row) {
                Effect::Write => Location::of(function, row)
                    .is_some_and(|written| self.parts.may_be_same(function, written, place)),
                effect => effect == Effect::Call,
            })
    }
}

/// Whether others may be moved in front of an instruction of this effect.
fn is_harmless(effect: Effect) -> bool {
    matches!(effect, Effect::Pure | Effect::Read)
}

fn holds_floats(ty: Type) -> bool {
    match ty {
        Type::Tuple(fields) => fields.iter().any(|&t| holds_floats(t)),
        ty => ty.is_float() || ty.is_array(),
    }
}

/// Whether the instruction may run where the program does not run it: integer division needs a divisor that is known to
/// be harmless, and operations on arrays fail where shapes, axes or elements do not fit.
pub(super) fn is_total(function: &Function, inst: &InstData) -> bool {
    match inst.op {
        Op::Prim(Prim::Div | Prim::Rem) if !function.ty(inst.result).is_float() => {
            matches!(function.as_const(inst.args[1]), Some(Const::Int(c)) if c != 0 && c != -1)
        }
        // A part of a slice or an object is a claim about memory.
        Op::Prim(Prim::Subslice | Prim::View) => false,
        Op::Call(_) | Op::Map(_) => {
            let is_array = |&value: &Value| function.ty(value).is_array();
            !is_array(&inst.result) && !inst.args.iter().any(is_array)
        }
        _ => true,
    }
}

/// Whether running it once too often is no loss. Calls and maps are worth hoisting only if each iteration makes them.
fn is_cheap(op: Op) -> bool {
    !matches!(op, Op::Call(_) | Op::Map(_))
}
