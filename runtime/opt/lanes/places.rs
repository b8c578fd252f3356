//! Where instructions read and write: which of them touch neighbours, and which may change their order.

use crate::ir::linear::Linear;
use crate::ir::{Function, Inst, InstData, Op, Prim, Type, Value};
use crate::opt::memory::{Location, Regions};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Where an instruction reads or writes a scalar.
#[derive(Clone)]
pub struct Place {
    pub line: Line,
    /// The distance from the start of the line: in elements of a slice, in bytes elsewhere.
    pub at: i64,
    /// How far the next scalar is.
    step: i64,
}

/// Places at constant distances from each other.
#[derive(Clone, PartialEq)]
pub struct Line {
    memory: Memory,
    terms: BTreeMap<Value, i64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Memory {
    Slice(Value),
    Object,
    Tape,
}

impl Place {
    pub fn of(function: &Function, row: &InstData) -> Option<Place> {
        let written = |n: usize| function.ty(row.args[n]);
        let Op::Prim(prim) = row.op else { return None };
        let (memory, address, offset, ty) = match prim {
            Prim::Load | Prim::Store => (Memory::Slice(row.args[0]), row.args[1], 0, Type::U8),
            Prim::Get(at) => (Memory::Object, row.args[0], at, function.ty(row.result)),
            Prim::Set(at) => (Memory::Object, row.args[0], at, written(1)),
            Prim::Peek(at) => (Memory::Tape, row.args[0], at, function.ty(row.result)),
            Prim::Poke(at) => (Memory::Tape, row.args[0], at, written(1)),
            _ => return None,
        };
        let sum = Linear::of(function, address, &|_| false);
        Some(Place {
            line: Line {
                memory,
                terms: sum.terms,
            },
            at: sum.constant.wrapping_add(i64::from(offset)),
            step: ty.size()? as i64,
        })
    }
    /// Whether the other is the next scalar.
    fn is_before(&self, other: &Place) -> bool {
        self.line == other.line && self.at.wrapping_add(self.step) == other.at
    }
    /// Whether the two have no byte in common; `None` if this does not tell.
    fn is_apart(&self, other: &Place) -> Option<bool> {
        if self.line == other.line {
            let distance = other.at.wrapping_sub(self.at);
            return Some(distance >= self.step || distance <= -other.step);
        }
        let of_tape = |place: &Place| place.line.memory == Memory::Tape;
        match (of_tape(self), of_tape(other)) {
            (true, true) => Some(false),
            (false, false) => None,
            _ => Some(true),
        }
    }
}

/// Whether each access is to the scalar after that of the one before.
pub fn are_neighbours(accesses: &FxHashMap<Inst, Place>, insts: &[Inst]) -> bool {
    insts
        .windows(2)
        .all(|two| match (accesses.get(&two[0]), accesses.get(&two[1])) {
            (Some(a), Some(b)) => a.is_before(b),
            _ => false,
        })
}

/// Whether two instructions, of which one is not a read, may change their order.
pub fn is_apart(
    function: &Function,
    regions: &Regions,
    accesses: &FxHashMap<Inst, Place>,
    a: Inst,
    b: Inst,
) -> bool {
    let (Some(x), Some(y)) = (accesses.get(&a), accesses.get(&b)) else {
        return false;
    };
    let (row_a, row_b) = (&function.insts[a], &function.insts[b]);
    x.is_apart(y).unwrap_or_else(|| {
        match (Location::of(function, row_a), Location::of(function, row_b)) {
            (Some(p), Some(q)) => !regions.may_be_same(function, p, q),
            _ => false,
        }
    })
}
