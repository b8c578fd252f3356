//! Primal values in the reverse pass.

use super::assemble::Assembly;
use super::primal::{Induction, LoopScope};
use super::save::{ScopedValue, Source, Store, home};
use crate::ad::rule;
use crate::diag::Result;
use crate::ir::eval::wrap;
use crate::ir::{Const, Op, Prim, Type, Value};
use crate::registry::Entry;
use rustc_hash::FxHashMap;

impl Assembly<'_> {
    /// A value needed at the level of what is being built.
    pub fn fetch(&mut self, value: Value) -> Result<Value> {
        self.fetch_at(value, self.context)
    }
    /// A value as it was in the iteration of `level` that is being reversed.
    pub fn fetch_at(&mut self, value: Value, scope: LoopScope) -> Result<Value> {
        let primal = &self.plan.primal;
        if let Some(c) = primal.function.as_const(value) {
            return Ok(self.b.constant(c, primal.ty(value)));
        }
        if primal.is_param(value) {
            return self.copy(value);
        }
        let slot = ScopedValue {
            value,
            scope: home(primal, value, scope),
        };
        if let Some(found) = self.at_hand(slot) {
            return Ok(found);
        }
        let found = match self.plan.saved.sources.get(&slot) {
            Some(Source::Kept) => self.kept_value(slot)?,
            Some(Source::Again) => self.again(slot)?,
            Some(Source::Induction) => self.induction(value)?,
            Some(Source::There) | None => {
                let scope = slot
                    .scope
                    .map_or("the function".to_owned(), |l| l.to_string());
                return Err(self.internal(format!("{value} was not planned for {scope}")));
            }
        };
        self.fetched.insert(slot, found);
        Ok(found)
    }
    /// What needs no instruction: values of the same iteration, and what was fetched before.
    fn at_hand(&self, slot: ScopedValue) -> Option<Value> {
        let primal = &self.plan.primal;
        let same_run = self.store(slot.scope) == Store::Registers
            && primal.encloses(slot.scope, self.region.scope)
            && primal
                .flow
                .dominates(primal.def_block(slot.value), self.region.last);
        if same_run && let Some(&copy) = self.copies.get(&slot.value) {
            return Some(copy);
        }
        self.fetched.get(&slot).copied().or_else(|| {
            let inside = primal
                .around(self.context)
                .take_while(|&l| Some(l) != slot.scope);
            let mut maps = inside.filter_map(|l| self.imports.get(&l));
            maps.find_map(|map| map.get(&slot).copied())
        })
    }
    fn kept_value(&mut self, slot: ScopedValue) -> Result<Value> {
        match (self.store(slot.scope), slot.scope) {
            (Store::Registers, _) => self.merged_value(slot),
            (Store::Rows, Some(l)) => {
                let row = self.back(l).row;
                let row = self.b.read(row);
                Ok(self.peek(slot, row))
            }
            (Store::SplitRecord, _) if let Some(record) = self.record => {
                Ok(self.peek(slot, record))
            }
            (Store::SplitRecord | Store::Records, _) | (_, None) => match self.popped.get(&slot) {
                Some(&value) => Ok(value),
                None => Err(self.internal(format!("{} was not popped", slot.value))),
            },
        }
    }
    fn peek(&mut self, slot: ScopedValue, record: Value) -> Value {
        let at = Prim::Peek(self.plan.saved.offsets[&slot]);
        self.b
            .prim_to(at, &[record], self.plan.primal.ty(slot.value))
    }
    fn again(&mut self, slot: ScopedValue) -> Result<Value> {
        let Some(row) = self.plan.primal.function.def_inst(slot.value) else {
            return Err(self.internal(format!("{} has no instruction", slot.value)));
        };
        let mut args = Vec::new();
        for &arg in &row.args {
            args.push(self.fetch_at(arg, slot.scope)?);
        }
        Ok(self.b.emit(row.op, &args, self.plan.primal.ty(slot.value)))
    }
    /// `start + index · step`, in the induction variable's type.
    fn induction(&mut self, value: Value) -> Result<Value> {
        let Some(Induction { of, start, step }) = self.plan.primal.induction(value) else {
            return Err(self.internal(format!("{value} is no induction variable")));
        };
        let ty = self.plan.primal.ty(value);
        let start = self.fetch_at(start, self.plan.primal.parent(of))?;
        let index = self.back(of).index;
        let index = self.b.read(index);
        let index = self.b.prim_to(Prim::Cast, &[index], ty);
        // Downwards it is what the type wraps it to.
        let step = self.b.int(wrap(step.into(), ty), ty);
        let distance = self.b.prim(Prim::Mul, &[index, step]);
        Ok(self.b.prim(Prim::Add, &[start, distance]))
    }
    /// The shadow of a slice or pointer: a value of the primal, or the same part of its parameter's.
    pub fn shadow(&mut self, slice: Value) -> Result<Option<Value>> {
        if let Some(shadow) = self.plan.primal.shadows.of(slice) {
            return self.fetch(shadow).map(Some);
        }
        if self.plan.primal.is_param(slice) {
            return Ok(self.shadows.get(&slice).copied());
        }
        let Some(row) = self.plan.primal.function.def_inst(slice) else {
            return Ok(None);
        };
        let scope = home(&self.plan.primal, slice, self.context);
        let (Op::Prim(Prim::Subslice), &[of, start, length]) = (row.op, &row.args[..]) else {
            return Ok(None);
        };
        let Some(of) = self.shadow(of)? else {
            return Ok(None);
        };
        let start = self.fetch_at(start, scope)?;
        let length = self.fetch_at(length, scope)?;
        Ok(Some(self.b.prim(Prim::Subslice, &[of, start, length])))
    }
    /// One output of a scalar rule's partials, over the rule's parameters: arguments and result.
    pub fn formula(
        &mut self,
        entry: &Entry,
        output: usize,
        argument: &mut dyn FnMut(&mut Self, usize) -> Result<Value>,
    ) -> Result<Value> {
        let Some(rule) = rule::scalar(entry) else {
            return Err(self.internal(format!("{} has no partials", entry.name)));
        };
        let mut copies = FxHashMap::default();
        for n in rule::dependencies(&rule.partials, output).0 {
            let value = argument(self, n)?;
            copies.insert(rule.partials.params()[n], value);
        }
        rule::inline_output(&mut self.b, &rule.partials, output, &mut copies)
            .ok_or_else(|| self.internal(format!("{} has no partial {output}", entry.name)))
    }
    /// A cotangent times that output. A cotangent of zero gives zero: a square root that is only compared, or not used where its argument is 0, has no part
    /// in the gradient.
    pub fn times(&mut self, entry: &Entry, output: usize, adjoint: Value, partial: Value) -> Value {
        let product = rule::product(&mut self.b, partial, adjoint);
        match rule::scalar(entry).is_some_and(|r| rule::may_be_singular(&r.partials, output)) {
            true => rule::unless_zero(&mut self.b, adjoint, product, product),
            false => product,
        }
    }
    /// Finds the record of the forward half. What nothing has been pushed after is popped at once.
    pub fn find_record(&mut self) {
        let Some(&size) = self.plan.saved.sizes.get(&None) else {
            return;
        };
        if !self.plan.saved.record_first {
            return self.pop_record(None);
        }
        self.record = Some(match self.plan.saved.record_below_top {
            true => self.pop_address(),
            false => {
                let size = self.usize(size);
                self.b.prim(Prim::TapePop, &[size])
            }
        });
    }
    /// Pops the record where all that was pushed after it has been popped.
    pub fn leave_record(&mut self) {
        if let Some(&size) = self.plan.saved.sizes.get(&None)
            && self.plan.saved.record_below_top
        {
            let size = self.usize(size);
            self.b.prim(Prim::TapePop, &[size]);
        }
    }
    /// Pops an address that stands on the tape by itself.
    pub fn pop_address(&mut self) -> Value {
        let size = self.usize(8);
        let record = self.b.prim(Prim::TapePop, &[size]);
        self.b.prim_to(Prim::Peek(0), &[record], Type::Addr)
    }
    /// Pops what a level has kept as one record, and reads all of it at once. Later on it may be gone: a pullback that is called may push onto the tape, if it
    /// runs iterations a second time or takes another derivative.
    pub fn pop_record(&mut self, scope: LoopScope) {
        let Some(&size) = self.plan.saved.sizes.get(&scope) else {
            return;
        };
        let size = self.usize(size);
        let record = self.b.prim(Prim::TapePop, &[size]);
        for slot in self.values_in_scope(scope) {
            let value = self.peek(slot, record);
            self.popped.insert(slot, value);
        }
    }
    /// a + b, of floats or arrays.
    pub fn sum(&mut self, a: Value, b: Value) -> Value {
        let ty = self.b.function.ty(a);
        if ty.is_array() {
            return self.b.call(super::backward::ACCUMULATE, &[a, b], ty);
        }
        // Zero adjoints are not worth an addition; that −0 becomes +0 is no loss for a derivative.
        let is_zero = |assembly: &Self, v: Value| {
            matches!(assembly.b.function.as_const(v), Some(Const::Float(0.0)))
        };
        match (is_zero(self, a), is_zero(self, b)) {
            (true, _) => b,
            (_, true) => a,
            _ => rule::sum(&mut self.b, a, b),
        }
    }
    /// The type of the adjoint of one leaf.
    pub fn leaf_type(&self, key: (Value, u32)) -> Type {
        let leaves = crate::tangent::leaves(self.plan.primal.ty(key.0));
        let leaf = leaves.get(key.1 as usize).copied();
        crate::tangent::widened(leaf.unwrap_or(Type::UNIT))
    }
}
