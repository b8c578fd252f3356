//! What of a function drivers must not compute otherwise than it is written, and what need not always be computed.
//!
//! Drivers take floats for real numbers. Mesa's make `x` of `(x + c) - c`, by which elementary functions round to an integer, and a minimum of
//! `select(x < c, x, c)`, which is `c` where `x` is NaN. WGSL has no word against that, so such values pass `mcx_keep`.
//!
//! The zero comes from the size of the dispatch. It is no parameter, because Mesa compiles a kernel again for the values of parameters on which
//! loops depend.

use crate::ir::{Const, Function, InstData, Op, Prim, Type, Value};
use crate::registry::Registry;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the values of a function.
#[derive(Default)]
pub struct Exact {
    /// Sums and differences of f32 that are operands of others. A driver that does not see a sum in an operand cannot rearrange the two. (Of f64 every
    /// result is kept.) And those with a constant that are multiplied by another one: NVIDIA's compiler makes `x · b - ab` of `(x - a) · b`, which is
    /// far from it where `x` is near `a`. And those with a constant that rounds to integers.
    pub kept: BTreeSet<Value>,
    /// Comparisons of two floats that choose between these two.
    pub bounds: BTreeSet<Value>,
    /// Calls of packs' functions whose result is only the third operand of one `select` of the same block. They need to run only where the
    /// condition does not hold: so elementary functions treat rare arguments.
    pub rare: BTreeSet<Value>,
}

impl Exact {
    pub fn new(function: &Function, registry: &Registry) -> Exact {
        let mut exact = Exact::default();
        let uses = uses(function);
        for (_, block) in function.blocks_in_order() {
            let mut calls = BTreeSet::new();
            for &inst in &block.insts {
                let row = &function.insts[inst];
                match row.op {
                    Op::Call(_) if is_of_packs(function, row, registry) => {
                        calls.insert(row.result);
                    }
                    Op::Prim(Prim::Add | Prim::Sub) => {
                        if is_sum(function, row.result) && has_rounder(function, row) {
                            exact.kept.insert(row.result);
                        }
                        let sums = row.args.iter().filter(|&&arg| is_sum(function, arg));
                        exact.kept.extend(sums);
                    }
                    Op::Prim(Prim::Mul | Prim::Div) if has_constant(function, row) => {
                        let sums = row.args.iter().filter(|&&arg| is_shifted(function, arg));
                        exact.kept.extend(sums);
                    }
                    Op::Prim(Prim::Select) => exact.select(function, row, &calls, &uses),
                    _ => {}
                }
            }
        }
        exact
    }

    fn select(
        &mut self,
        function: &Function,
        row: &InstData,
        calls: &BTreeSet<Value>,
        uses: &BTreeMap<Value, usize>,
    ) {
        let (condition, otherwise) = (row.args[0], row.args[2]);
        if chooses_what_it_compares(function, condition, &row.args[1..]) {
            self.bounds.insert(condition);
        }
        if calls.contains(&otherwise) && uses.get(&otherwise) == Some(&1) {
            self.rare.insert(otherwise);
        }
    }
}

fn is_of_packs(function: &Function, row: &InstData, registry: &Registry) -> bool {
    let types: Vec<Type> = row.args.iter().map(|&arg| function.ty(arg)).collect();
    matches!(row.op, Op::Call(callee) if registry.entry(callee, &types).is_some())
}

/// How often each value is used.
fn uses(function: &Function) -> BTreeMap<Value, usize> {
    let mut uses = BTreeMap::new();
    let mut used = |value: Value| *uses.entry(value).or_default() += 1;
    for (_, block) in function.blocks_in_order() {
        for &inst in &block.insts {
            function.insts[inst]
                .args
                .iter()
                .copied()
                .for_each(&mut used);
        }
        block.terminator.for_each_value(&mut used);
        for edge in block.terminator.edges() {
            edge.args.iter().copied().for_each(&mut used);
        }
    }
    uses
}

fn is_sum(function: &Function, value: Value) -> bool {
    let inst = function.def_inst(value);
    function.ty(value) == Type::F32
        && inst.is_some_and(|row| matches!(row.op, Op::Prim(Prim::Add | Prim::Sub)))
}

/// Whether one of the two is a constant so large that sums with it are rounded to integers. What such a sum goes into may be in another function.
fn has_rounder(function: &Function, row: &InstData) -> bool {
    let is_rounder = |&arg: &Value| matches!(function.as_const(arg), Some(Const::Float(x)) if x.abs() >= 4_194_304.0);
    row.args.iter().any(is_rounder)
}

fn has_constant(function: &Function, row: &InstData) -> bool {
    let mut args = row.args.iter();
    args.any(|&arg| function.as_const(arg).is_some())
}

/// Whether it is the sum of a number and a constant.
fn is_shifted(function: &Function, value: Value) -> bool {
    let inst = function.def_inst(value);
    is_sum(function, value) && inst.is_some_and(|row| has_constant(function, row))
}

fn chooses_what_it_compares(function: &Function, condition: Value, chosen: &[Value]) -> bool {
    let Some(row) = function.def_inst(condition) else {
        return false;
    };
    let is_order = matches!(row.op, Op::Prim(Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge));
    let constant = |value| function.as_const(value);
    let same = |a: Value, b: Value| a == b || (constant(a).is_some() && constant(a) == constant(b));
    let compared = |&value: &Value| row.args.iter().any(|&arg| same(arg, value));
    is_order && function.ty(row.args[0]).is_float() && chosen.iter().all(compared)
}
