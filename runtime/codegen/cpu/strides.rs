//! Addresses that go on by the same distance in each iteration of an innermost loop: the element `a[i * 30 + k]`, in a loop over `k`
//! or over `i`.
//!
//! Such an address is a pointer that the loop carries, and that is moved once per iteration. Otherwise each iteration would
//! compute the index anew, and the slice's address, which lives from the function's start to its end, would lie on
//! the stack in the innermost loop, where registers are scarce. Accesses whose addresses differ by constants share one
//! pointer. An address that the machine has a mode for, a slice's plus its index times the element's size, stays as it is; so does one
//! whose index is computed anyway, because a guard looks at it.
//!
//! Addresses wrap around as the IR's integers do, so all of this is exact whatever the indices are.

use crate::arena::Id;
use crate::ir::flow::{Flow, Loop, LoopData, Loops};
use crate::ir::linear::Linear;
use crate::ir::{Block, Const, Function, InstData, Op, Prim, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// So many pointers may a loop carry. With more of them registers would not suffice.
const MAX_POINTERS: usize = 6;

/// A pointer that a loop carries. At first it is `base + per · start + Σ factor · term`, all in bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct Pointer {
    /// A slice or an address that exists before the loop.
    pub base: Value,
    /// The bytes that the address moves when the induction variable moves by one.
    pub per: i64,
    /// Numbers that exist before the loop, with their factors.
    pub terms: BTreeMap<Value, i64>,
    /// Which parameter of the header is the induction variable.
    pub induction: usize,
    /// The bytes that the address moves in one iteration.
    pub step: i64,
}

/// The pointers of a function's loops.
#[derive(Default)]
pub struct Strides {
    /// By the loops' headers.
    pointers: FxHashMap<Block, Vec<Pointer>>,
    /// By the results of instructions that access memory: the header, the number of the pointer, and the distance from it.
    accesses: FxHashMap<Value, (Block, usize, i32)>,
}

impl Strides {
    /// Finds the pointers of all innermost loops.
    pub fn new(function: &Function, flow: &Flow, loops: &Loops) -> Strides {
        let mut strides = Strides::default();
        let (defining, needed) = (function.defining_blocks(), needed(function));
        let parents: FxHashSet<Loop> = loops.all().filter_map(|(_, data)| data.parent).collect();
        for (l, data) in loops.all().filter(|(l, _)| !parents.contains(l)) {
            let outside = |v: Value| defining[v.index()].is_some_and(|b| loops.of(b) != Some(l));
            strides.find(function, flow, data, &outside, &needed);
        }
        strides
    }
    /// The pointers that a loop carries, if the block is its header.
    pub fn of(&self, header: Block) -> &[Pointer] {
        self.pointers.get(&header).map_or(&[], Vec::as_slice)
    }
    /// The pointer by which an instruction accesses memory: its loop's header, its number, and the distance from it.
    pub fn access(&self, result: Value) -> Option<(Block, usize, i32)> {
        self.accesses.get(&result).copied()
    }

    fn find(
        &mut self,
        function: &Function,
        flow: &Flow,
        data: &LoopData,
        outside: &dyn Fn(Value) -> bool,
        needed: &FxHashSet<Value>,
    ) {
        let inductions = inductions(function, flow, data);
        let forms = Forms {
            function,
            outside,
            needed,
            inductions: &inductions,
        };
        let mut found: Vec<(Pointer, Vec<(Value, i32)>)> = Vec::new();
        for &block in &data.blocks {
            for &inst in &function.blocks[block].insts {
                let row = &function.insts[inst];
                let Some((pointer, distance)) = forms.of_access(row) else {
                    continue;
                };
                match found.iter_mut().find(|(known, _)| *known == pointer) {
                    Some((_, accesses)) => accesses.push((row.result, distance)),
                    None => found.push((pointer, vec![(row.result, distance)])),
                }
            }
        }
        // Those that serve most accesses come first; the order of equals is that of the program.
        found.sort_by_key(|(_, accesses)| std::cmp::Reverse(accesses.len()));
        found.truncate(MAX_POINTERS);
        for (number, (_, accesses)) in found.iter().enumerate() {
            let accesses = accesses.iter();
            let accesses = accesses.map(|&(v, distance)| (v, (data.header, number, distance)));
            self.accesses.extend(accesses);
        }
        let pointers = found.into_iter().map(|(pointer, _)| pointer);
        self.pointers.insert(data.header, pointers.collect());
    }
}

/// The values that are not only the index or the address of accesses.
fn needed(function: &Function) -> FxHashSet<Value> {
    let mut needed = FxHashSet::default();
    for (_, data) in function.blocks_in_order() {
        for &inst in &data.insts {
            let row = &function.insts[inst];
            let place = match row.op {
                Op::Prim(Prim::Load | Prim::Store | Prim::LoadLanes | Prim::StoreLanes) => Some(1),
                Op::Prim(Prim::Peek(_) | Prim::Poke(_)) => Some(0),
                _ => None,
            };
            let args = row.args.iter().enumerate();
            needed.extend(args.filter(|(n, _)| Some(*n) != place).map(|(_, &arg)| arg));
        }
        data.terminator.for_each_value(|value| {
            needed.insert(value);
        });
    }
    needed
}

/// The parameters of a header that go on by a constant: position and step.
fn inductions(function: &Function, flow: &Flow, data: &LoopData) -> FxHashMap<Value, (usize, i64)> {
    let [latch] = data.latches[..] else {
        return FxHashMap::default();
    };
    let edges = function.blocks[latch].terminator.edges();
    let back: Vec<_> = edges.filter(|edge| edge.block == data.header).collect();
    // Pointers start at the end of a block from which the loop is entered.
    let reachable = |b: &Block| flow.is_reachable(*b);
    let (&[edge], true) = (
        &back[..],
        flow.predecessors(data.header).iter().all(reachable),
    ) else {
        return FxHashMap::default();
    };
    let params = function.blocks[data.header].params.iter().zip(&edge.args);
    let steps = params.enumerate().filter_map(|(n, (&param, &next))| {
        let (mut value, mut step) = (next, 0_i64);
        while value != param {
            let by;
            (value, by) = moved(function, value)?;
            step = step.wrapping_add(by);
        }
        is_word(function.ty(param)).then_some((param, (n, step)))
    });
    steps.collect()
}

/// What a constant is added to, and the constant.
fn moved(function: &Function, value: Value) -> Option<(Value, i64)> {
    let row = function.def_inst(value)?;
    let &[a, by] = &row.args[..] else {
        return None;
    };
    let by = constant(function, by)?;
    match row.op {
        Op::Prim(Prim::Add) => Some((a, by)),
        Op::Prim(Prim::Sub) => Some((a, by.wrapping_neg())),
        _ => None,
    }
}

/// Whether a type's arithmetic is that of addresses.
fn is_word(ty: Type) -> bool {
    matches!(ty, Type::I64 | Type::U64 | Type::Isize | Type::Usize)
}

/// A constant integer, as a distance.
fn constant(function: &Function, value: Value) -> Option<i64> {
    match function.as_const(value) {
        Some(Const::Int(c)) => Some(c),
        _ => None,
    }
}

/// How many steps an address may be away from the one that it is counted from.
const DEPTH: usize = 8;

/// Numbers and addresses as sums.
struct Forms<'a> {
    function: &'a Function,
    /// Whether a value exists before the loop.
    outside: &'a dyn Fn(Value) -> bool,
    needed: &'a FxHashSet<Value>,
    inductions: &'a FxHashMap<Value, (usize, i64)>,
}

impl Forms<'_> {
    /// The pointer for an access, and the distance from it. `None` if there is none, or if the machine has a mode for the address.
    fn of_access(&self, row: &InstData) -> Option<(Pointer, i32)> {
        let (base, form) = match (row.op, &row.args[..]) {
            (
                Op::Prim(Prim::Load | Prim::Store | Prim::LoadLanes | Prim::StoreLanes),
                &[slice, index, ..],
            ) if !self.needed.contains(&index) => self.element(slice, index)?,
            (Op::Prim(Prim::Peek(_) | Prim::Poke(_)), &[address, ..])
                if !self.needed.contains(&address) =>
            {
                self.address(address, DEPTH)?
            }
            _ => return None,
        };
        let mut terms = form.terms;
        let mut inductions = terms
            .keys()
            .filter(|term| self.inductions.contains_key(term));
        let (&of, None) = (inductions.next()?, inductions.next()) else {
            return None;
        };
        let (per, &(induction, step)) = (terms.remove(&of)?, self.inductions.get(&of)?);
        let has_mode = terms.is_empty() && matches!(per, 1 | 2 | 4 | 8);
        if has_mode || !terms.keys().all(|&term| (self.outside)(term)) {
            return None;
        }
        let pointer = Pointer {
            base,
            per,
            terms,
            induction,
            step: per.wrapping_mul(step),
        };
        // An access to the tape adds the offset of a value within its record. A record holds the values of one iteration, so the offset is far
        // below 2^30, and the sum fits into 32 bits.
        let distance = i32::try_from(form.constant).ok()?;
        (distance.unsigned_abs() < 1 << 24).then_some((pointer, distance))
    }
    /// The address of an element: a value that exists before the loop, and the bytes from there.
    fn element(&self, slice: Value, index: Value) -> Option<(Value, Linear)> {
        let size = self.function.ty(slice).element()?.size()? as i64;
        let (base, start) = self.address(slice, DEPTH)?;
        Some((base, start.plus(self.number(index).times(size))))
    }
    fn address(&self, value: Value, depth: usize) -> Option<(Value, Linear)> {
        if (self.outside)(value) {
            return Some((value, Linear::default()));
        }
        let depth = depth.checked_sub(1)?;
        let made = self.function.def_inst(value)?;
        match (made.op, &made.args[..]) {
            (Op::Prim(Prim::View | Prim::Base), &[of, ..]) => self.address(of, depth),
            (Op::Prim(Prim::Subslice), &[of, start, _]) => {
                let size = self.function.ty(of).element()?.size()? as i64;
                let (base, from) = self.address(of, depth)?;
                Some((base, from.plus(self.number(start).times(size))))
            }
            (Op::Prim(Prim::Offset), &[of, bytes]) => {
                let (base, from) = self.address(of, depth)?;
                Some((base, from.plus(self.number(bytes))))
            }
            _ => None,
        }
    }
    /// A number as a sum of induction variables and of numbers that exist before the loop, as far as it is one.
    fn number(&self, value: Value) -> Linear {
        let is_term = |v| self.inductions.contains_key(&v) || (self.outside)(v);
        Linear::of(self.function, value, &is_term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse_module;

    #[test]
    fn accesses_that_differ_by_constants_share_a_pointer() {
        let text = "fn @f(%0: [f64], %1: [mut f64], %2: usize) -> f64 {
b0:
    %3: usize = 0
    %4: usize = 1
    %5: usize = 30
    %6: f64 = 0.0
    jump b1(%3, %6)
b1(%7: usize, %8: f64):
    %9: bool = lt %7, %5
    branch %9, b2, b3
b2:
    %10: usize = mul %7, %5
    %11: usize = add %10, %2
    %18: usize = add %10, %4
    %12: usize = add %18, %2
    %13: f64 = load %0, %11
    %14: f64 = load %0, %12
    %15: f64 = load %1, %7
    %16: f64 = add %8, %13
    %17: usize = add %7, %4
    jump b1(%17, %16)
b3:
    return %8
}";
        let module = parse_module(text).unwrap();
        let function = module.root();
        let flow = Flow::new(function);
        let strides = Strides::new(function, &flow, &Loops::new(function, &flow));
        let header = function.layout[1];
        let base = function.params()[0];
        let pointer = Pointer {
            base,
            per: 240,
            terms: BTreeMap::from([(function.params()[2], 8)]),
            induction: 0,
            step: 240,
        };
        assert_eq!(strides.of(header), [pointer]);
        let insts = function.blocks[function.layout[2]].insts.iter();
        let loads = insts.map(|&inst| &function.insts[inst]);
        let loads = loads.filter(|row| row.op == Op::Prim(Prim::Load));
        let found: Vec<_> = loads.map(|row| strides.access(row.result)).collect();
        // The machine has a mode for the last: its index is the counter.
        assert_eq!(found, [Some((header, 0, 0)), Some((header, 0, 8)), None]);
    }
}
