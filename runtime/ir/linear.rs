//! Indices and addresses as sums: `Σ factor · term + constant`.

use super::{Const, Function, Op, Prim, Value};
use std::collections::BTreeMap;

/// A sum. Its numbers wrap around as the machine's words do, so that it is exact whatever the terms are.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Linear {
    /// The factor of each term; none is zero.
    pub terms: BTreeMap<Value, i64>,
    /// What is added to them.
    pub constant: i64,
}

/// How deep a number may be made of others.
const DEPTH: usize = 8;

impl Linear {
    /// A word or an address as a sum. What `is_term` says is a term, and what is neither a sum nor a difference nor a multiple.
    pub fn of(function: &Function, value: Value, is_term: &dyn Fn(Value) -> bool) -> Linear {
        Linear::within(function, value, is_term, DEPTH)
    }
    fn within(
        function: &Function,
        value: Value,
        is_term: &dyn Fn(Value) -> bool,
        depth: usize,
    ) -> Linear {
        if let Some(constant) = integer(function, value) {
            let terms = BTreeMap::new();
            return Linear { terms, constant };
        }
        let of = |value| Linear::within(function, value, is_term, depth - 1);
        let row = function.def_inst(value);
        let row = row.filter(|_| depth > 0 && !is_term(value));
        let made = row.and_then(|row| match (row.op, &row.args[..]) {
            (Op::Prim(Prim::Add | Prim::Offset), &[a, b]) => Some(of(a).plus(of(b))),
            (Op::Prim(Prim::Sub), &[a, b]) => Some(of(a).plus(of(b).times(-1))),
            (Op::Prim(Prim::Mul), &[a, b]) => match (integer(function, a), integer(function, b)) {
                (_, Some(factor)) => Some(of(a).times(factor)),
                (Some(factor), _) => Some(of(b).times(factor)),
                _ => None,
            },
            _ => None,
        });
        made.unwrap_or_else(|| Linear {
            terms: BTreeMap::from([(value, 1)]),
            constant: 0,
        })
    }
    /// By how much one number is greater than another, if that is the same whatever they are.
    pub fn distance(function: &Function, from: Value, to: Value) -> Option<i64> {
        let [from, to] = [from, to].map(|value| Linear::of(function, value, &|_| false));
        let difference = to.plus(from.times(-1));
        difference.terms.is_empty().then_some(difference.constant)
    }
    /// The sum of two.
    pub fn plus(mut self, other: Linear) -> Linear {
        self.constant = self.constant.wrapping_add(other.constant);
        for (term, factor) in other.terms {
            let sum = self.terms.entry(term).or_default();
            *sum = sum.wrapping_add(factor);
        }
        self.terms.retain(|_, factor| *factor != 0);
        self
    }
    /// A multiple.
    pub fn times(mut self, by: i64) -> Linear {
        self.constant = self.constant.wrapping_mul(by);
        for factor in self.terms.values_mut() {
            *factor = factor.wrapping_mul(by);
        }
        self.terms.retain(|_, factor| *factor != 0);
        self
    }
}

/// The integer that a value is, if it is a constant.
fn integer(function: &Function, value: Value) -> Option<i64> {
    match function.as_const(value) {
        Some(Const::Int(c)) => Some(c),
        _ => None,
    }
}
