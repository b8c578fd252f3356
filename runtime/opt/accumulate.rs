//! Makes a variable of a place in memory that a short loop adds to in each iteration, such as `dw[2] += …` in a reverse pass. Reading back what
//! was just written takes longer than an addition, so the loop reads the place once before it begins and writes it once after it ends.
//!
//! [`promote_elements`](super::promote_elements) does the same before derivation. This pass runs after everything else, when derived loops are
//! rotated: the one block of such a loop runs whenever the loop is entered, so the place exists. Loops that may fail or call are left alone.

use super::aliases::Aliases;
use super::effects::Calls;
use super::licm::preheader;
use super::memory::{Location, Regions};
use crate::arena::Id;
use crate::diag::Span;
use crate::ir::flow::{Flow, Loops};
use crate::ir::{
    Args, Block, Edge, Effect, Function, Inst, InstData, Op, Prim, Terminator, Type, Value,
};

/// Makes variables of places that loops of one block both read and write.
pub fn accumulate(function: &mut Function, calls: &Calls) -> bool {
    let mut changed = false;
    while let Some(found) = find(function, calls) {
        found.rewrite(function);
        changed = true;
    }
    changed
}

/// A place, and the loop in which it is to be a variable.
struct Accumulator {
    place: Location,
    /// What reads the place.
    read: Op,
    args: Args,
    ty: Type,
    /// The loop's only block, and the one in front of it.
    body: Block,
    preheader: Block,
}

fn find(function: &Function, calls: &Calls) -> Option<Accumulator> {
    let flow = Flow::new(function);
    let loops = Loops::new(function, &flow);
    let short = loops.all().filter(|(_, data)| data.blocks.len() == 1);
    let mut short =
        short.filter_map(|(_, data)| Some((data.header, preheader(function, &flow, data)?)));
    let parts = Regions::new(function, &flow, calls);
    let defined = function.defining_blocks();
    short.find_map(|(body, preheader)| {
        let insts = &function.blocks[body].insts;
        let stays = |inst: &Inst| {
            let effect = calls.effect(function, &function.insts[*inst]);
            !matches!(effect, Effect::Guard | Effect::Call)
        };
        if !insts.iter().all(stays) {
            return None;
        }
        let outside = |v: &Value| defined[v.index()] != Some(body);
        insts.iter().find_map(|&inst| {
            let row = &function.insts[inst];
            let (place, read, args) = write(function, row)?;
            let ty = function.ty(*row.args.last()?);
            let is_read = |other: &Inst| {
                let row = &function.insts[*other];
                row.op == read && Location::of(function, row) == Some(place)
            };
            let fits = |other: &Inst| {
                let row = &function.insts[*other];
                let Some(touched) = Location::of(function, row) else {
                    return true;
                };
                match touched == place {
                    true => accessed(function, row) == ty,
                    false => !parts.may_be_same(function, touched, place),
                }
            };
            let wins =
                args.iter().all(outside) && insts.iter().any(is_read) && insts.iter().all(fits);
            wins.then_some(Accumulator {
                place,
                read,
                args,
                ty,
                body,
                preheader,
            })
        })
    })
}

/// The place that an instruction writes, and how it is read.
fn write(function: &Function, row: &InstData) -> Option<(Location, Op, Args)> {
    let read = match row.op {
        Op::Prim(Prim::Store) => Prim::Load,
        Op::Prim(Prim::Set(at)) => Prim::Get(at),
        _ => return None,
    };
    let (_, place) = row.args.split_last()?;
    Some((
        Location::of(function, row)?,
        Op::Prim(read),
        Args::from_slice(place),
    ))
}

/// The type of what an instruction reads or writes.
fn accessed(function: &Function, row: &InstData) -> Type {
    match row.op {
        Op::Prim(Prim::Store | Prim::Set(_)) => function.ty(row.args[row.args.len() - 1]),
        _ => function.ty(row.result),
    }
}

impl Accumulator {
    fn rewrite(&self, function: &mut Function) {
        let start = function.append(self.preheader, self.read, &self.args, self.ty, Span::NONE);
        let param = function.add_param(self.body, self.ty);
        if let Terminator::Jump(edge) = &mut function.blocks[self.preheader].terminator {
            edge.args.push(start);
        }
        let mut aliases = Aliases::new(function);
        let (mut now, mut last) = (param, None);
        let mut insts = std::mem::take(&mut function.blocks[self.body].insts);
        insts.retain(|&inst| {
            let row = &function.insts[inst];
            if Location::of(function, row) != Some(self.place) {
                return true;
            }
            match row.op == self.read {
                true => aliases.set(row.result, now),
                false => {
                    now = aliases.resolve(row.args[row.args.len() - 1]);
                    last = Some(inst);
                }
            }
            false
        });
        function.blocks[self.body].insts = insts;
        aliases.apply(function);
        if let Some(write) = last {
            self.leave(function, write, now);
        }
    }
    /// Passes the variable on, and lets each way out of the loop write it.
    fn leave(&self, function: &mut Function, write: Inst, now: Value) {
        let row = function.insts[write].clone();
        let mut args = self.args.clone();
        args.push(now);
        let mut terminator = std::mem::replace(
            &mut function.blocks[self.body].terminator,
            Terminator::Missing,
        );
        for edge in terminator.edges_mut() {
            if edge.block == self.body {
                edge.args.push(now);
                continue;
            }
            let exit = function.add_block();
            function.append(exit, row.op, &args, Type::UNIT, row.span);
            let onward = std::mem::replace(edge, Edge::new(exit, Vec::new()));
            function.blocks[exit].terminator = Terminator::Jump(onward);
        }
        function.blocks[self.body].terminator = terminator;
    }
}
