//! The forward pass: a copy of the primal that keeps what the reverse pass needs, and that runs the reverse of fused
//! loops' iterations on the way.

use super::action::Action;
use super::assemble::{Assembly, Rows};
use super::backward::OR_ZEROS;
use super::primal::LoopScope;
use super::save::{ScopedValue, Store, region};
use super::tapeless_loops::Expression;
use crate::ad::checked;
use crate::diag::Result;
use crate::ir::flow::Loop;
use crate::ir::{Block, Const, Fault, Inst, Op, Prim, Symbol, Terminator, Type, Value};
use rustc_hash::FxHashSet;

impl Assembly<'_> {
    /// Copies the primal. Gives the block in which it returns, still open.
    pub fn forward(&mut self) -> Result<Option<Block>> {
        self.make_blocks();
        self.reserve_record();
        let mut end = None;
        for &block in self.plan.primal.order() {
            self.b.switch_to(self.blocks[&block]);
            self.begin(block)?;
            for &inst in &self.plan.primal.function.blocks[block].insts {
                self.copy_inst(inst)?;
            }
            match &self.plan.primal.function.blocks[block].terminator {
                Terminator::Return(_) => end = Some(self.b.block()),
                terminator => self.finish(block, terminator)?,
            }
        }
        Ok(end)
    }
    fn make_blocks(&mut self) {
        let primal = &self.plan.primal;
        self.blocks.insert(primal.function.entry(), self.b.block());
        for &block in &primal.order()[1..] {
            let copy = self.b.new_block();
            for &param in &primal.function.blocks[block].params {
                let value = self.b.add_param(copy, primal.ty(param));
                self.b.function.values[value].name = primal.function.values[param].name;
                self.copies.insert(param, value);
            }
            for &slot in self.plan.merged.params.get(&block).into_iter().flatten() {
                let value = self.b.add_param(copy, primal.ty(slot.value));
                self.merged.insert((slot, block), value);
            }
            self.blocks.insert(block, copy);
            let edges = primal.flow.predecessors(block).len();
            self.awaited.insert(copy, edges);
        }
    }

    /// What comes before a block's instructions.
    fn begin(&mut self, block: Block) -> Result<()> {
        let primal = &self.plan.primal;
        if let Some(l) = primal.headed(block) {
            self.begin_iteration(l)?;
        }
        self.forget_early(block);
        if let Some(from) = primal.only_predecessor(block) {
            self.leave_loops(from, block)?;
        }
        for &param in &primal.function.blocks[block].params {
            self.keep(param)?;
        }
        Ok(())
    }
    fn begin_iteration(&mut self, l: Loop) -> Result<()> {
        match self.store(Some(l)) {
            Store::Rows => {
                if let Some(rows) = self.rows.get(&l).copied() {
                    let row = self.forward_row(l, rows)?;
                    self.rows.insert(
                        l,
                        Rows {
                            row: Some(row),
                            ..rows
                        },
                    );
                }
            }
            // So that what an iteration does not define is not what another one did.
            Store::Records => {
                for slot in self.values_in_scope(Some(l)) {
                    let zero = self.b.zero(self.plan.primal.ty(slot.value));
                    let variable = self.variable(slot);
                    self.b.define(variable, zero);
                }
            }
            Store::Registers | Store::SplitRecord => {}
        }
        Ok(())
    }
    fn forward_row(&mut self, l: Loop, rows: Rows) -> Result<Value> {
        let index = match (rows.counter, self.plan.primal.counted(l)) {
            (Some(counter), _) => self.b.read(counter),
            (None, Some(counted)) => self.copy(counted.induction)?,
            (None, None) => return Err(self.internal(format!("{l} has rows but is not counted"))),
        };
        Ok(self.row_address(l, rows.base, index))
    }
    /// The address of a row.
    pub fn row_address(&mut self, l: Loop, base: Value, index: Value) -> Value {
        let size = self.usize(self.plan.saved.sizes[&Some(l)]);
        let bytes = self.b.prim(Prim::Mul, &[index, size]);
        self.b.prim(Prim::Offset, &[base, bytes])
    }
    /// Adjoints that a fused loop inside this iteration adds to begin at zero.
    fn forget_early(&mut self, block: Block) {
        let primal = &self.plan.primal;
        let Some(l) = primal
            .scope(block)
            .filter(|&l| self.plan.control.is_fused(l))
        else {
            return;
        };
        if region(&self.plan.primal, Some(l)).first == block {
            for value in self
                .plan
                .liveness
                .early_in(primal, &self.plan.control, Some(l))
            {
                self.forget(value);
            }
        }
    }
    /// What happens where an edge leaves loops: their results are kept, their last records pushed.
    fn leave_loops(&mut self, from: Block, to: Block) -> Result<()> {
        let primal = &self.plan.primal;
        let left = primal.left(from, to);
        if left.is_empty() || !super::super::leads_on(&primal.function.blocks[to].terminator) {
            return Ok(());
        }
        let late: Vec<ScopedValue> = self
            .plan
            .saved
            .sources
            .keys()
            .copied()
            .filter(|&slot| self.is_kept(slot) && primal.def_scope(slot.value) != slot.scope)
            .filter(|slot| {
                let child = primal.child(slot.scope, primal.def_scope(slot.value));
                child.is_some_and(|l| left.contains(&l))
                    && primal.flow.dominates(primal.def_block(slot.value), from)
            })
            .collect();
        for slot in late {
            let value = self.copy(slot.value)?;
            self.keep_slot(slot, value)?;
        }
        for l in left {
            if self.store(Some(l)) == Store::Records {
                self.push_record(Some(l))?;
            } else if self.plan.saved.rows_below_top.contains(&l)
                && let Some(rows) = self.rows.get(&l)
            {
                self.push_address(rows.base);
            }
        }
        Ok(())
    }

    fn copy_inst(&mut self, inst: Inst) -> Result<()> {
        let row = &self.plan.primal.function.insts[inst];
        self.b.span = row.span;
        if let Some(Action::Missing(diagnostic)) = self.plan.actions.get(&inst) {
            self.b.span = diagnostic.span;
            let [message, help] = [&diagnostic.message, &diagnostic.help].map(|s| Symbol::new(s));
            let never = self.b.bool(false);
            let fault = Fault::NoRule(message, help);
            self.b.prim(Prim::Assert(fault), &[never]);
            self.b.span = row.span;
        }
        let mut args = Vec::with_capacity(row.args.len());
        for &arg in &row.args {
            args.push(self.copy(arg)?);
        }
        let op = match self.plan.actions.get(&inst) {
            Some(Action::Call { callee, .. }) => Op::Call(callee.forward),
            _ => row.op,
        };
        let ty = self.plan.primal.ty(row.result);
        let value = match op {
            // One constant of a kind is enough.
            Op::Const(c) => self.b.constant(c, ty),
            op => self.b.inst(op, &args, ty),
        };
        if self.plan.checked {
            checked::guard_together(&mut self.b, op, &args, value);
        }
        self.copies.insert(row.result, value);
        self.keep(row.result)
    }
    /// Keeps a value where it is defined, if its level does.
    fn keep(&mut self, value: Value) -> Result<()> {
        let scope = self.plan.primal.def_scope(value);
        let slot = ScopedValue { value, scope };
        match self.is_kept(slot) {
            true => {
                let copy = self.copy(value)?;
                self.keep_slot(slot, copy)
            }
            false => Ok(()),
        }
    }
    fn keep_slot(&mut self, slot: ScopedValue, value: Value) -> Result<()> {
        let value = match self.plan.saved.shapes.contains(&slot) {
            true => self.of_same_shape(value),
            false => value,
        };
        match self.store(slot.scope) {
            // See `settle_edge`.
            Store::Registers => {}
            Store::SplitRecord => {
                if let Some(record) = self.record {
                    let at = Prim::Poke(self.plan.saved.offsets[&slot]);
                    self.b.prim(at, &[record, value]);
                }
            }
            Store::Records => {
                let variable = self.variable(slot);
                self.b.define(variable, value);
            }
            Store::Rows => {
                let row = slot.scope.and_then(|l| self.rows.get(&l)?.row);
                let Some(row) = row else {
                    return Err(self.internal(format!("no row for {}", slot.value)));
                };
                let at = Prim::Poke(self.plan.saved.offsets[&slot]);
                self.b.prim(at, &[row, value]);
            }
        }
        Ok(())
    }
    /// Zeros in the shape of an array, which take the memory of one; of an absent array nothing.
    fn of_same_shape(&mut self, array: Value) -> Value {
        let ty = self.b.function.ty(array);
        let absent = self.b.zero(ty);
        self.b.call(OR_ZEROS, &[absent, array], ty)
    }
    /// The slots that a level keeps on the tape.
    pub fn values_in_scope(&self, scope: LoopScope) -> Vec<ScopedValue> {
        let mut slots: Vec<ScopedValue> = self.plan.saved.offsets.keys().copied().collect();
        slots.retain(|slot| slot.scope == scope);
        slots.sort();
        slots
    }
    /// Pushes the record of a forward half, if values are written into it where they are defined.
    fn reserve_record(&mut self) {
        if let Some(&size) = self.plan.saved.sizes.get(&None)
            && self.plan.saved.record_first
        {
            let size = self.usize(size);
            self.record = Some(self.b.prim(Prim::TapePush, &[size]));
        }
    }
    /// Pushes the record of a forward half, or what leads to one that other things have been pushed after.
    pub fn end_record(&mut self) -> Result<()> {
        match self.record {
            None => self.push_record(None),
            Some(record) => {
                if self.plan.saved.record_below_top {
                    self.push_address(record);
                }
                Ok(())
            }
        }
    }
    fn push_address(&mut self, address: Value) {
        let size = self.usize(8);
        let record = self.b.prim(Prim::TapePush, &[size]);
        self.b.prim(Prim::Poke(0), &[record, address]);
    }
    /// Pushes what a level keeps as one record.
    fn push_record(&mut self, scope: LoopScope) -> Result<()> {
        let Some(&size) = self.plan.saved.sizes.get(&scope) else {
            return Ok(());
        };
        let size = self.usize(size);
        let record = self.b.prim(Prim::TapePush, &[size]);
        let mut written = FxHashSet::default();
        for slot in self.values_in_scope(scope) {
            let offset = self.plan.saved.offsets[&slot];
            if !written.insert(offset) {
                continue;
            }
            let value = match self.store(scope) {
                Store::SplitRecord => self.merged_value(slot)?,
                Store::Registers | Store::Rows | Store::Records => {
                    let variable = self.variable(slot);
                    self.b.read(variable)
                }
            };
            self.b.prim(Prim::Poke(offset), &[record, value]);
        }
        Ok(())
    }

    /// What comes after a block's instructions.
    fn finish(&mut self, block: Block, terminator: &Terminator) -> Result<()> {
        if let Some(l) = self.leads_into(block) {
            self.prepare_loop(l)?;
        }
        if let Some(l) = self.closes(block) {
            self.end_iteration(l)?;
        }
        let mut copy = terminator.clone();
        let mut merged = Vec::new();
        for edge in copy.edges_mut() {
            merged.push(self.settle_edge(block, edge.block)?);
            edge.block = self.blocks[&edge.block];
        }
        let mut missing = None;
        copy.map_values(|v| {
            self.copy(v).unwrap_or_else(|error| {
                missing = Some(error);
                v
            })
        });
        if let Some(error) = missing {
            return Err(error);
        }
        for (edge, merged) in copy.edges_mut().zip(merged) {
            edge.args.extend(merged);
        }
        match &copy {
            Terminator::Jump(edge) => self.b.jump(edge.block, &edge.args),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => self.b.branch(
                *condition,
                (then.block, &then.args),
                (otherwise.block, &otherwise.args),
            ),
            Terminator::Error(fault, values, span) => {
                self.b.span = *span;
                self.b.error(*fault, values);
            }
            Terminator::Return(_) | Terminator::Missing => {}
        }
        for edge in copy.edges() {
            self.arrive(edge.block);
        }
        Ok(())
    }
    /// What an edge passes for the parameters that `settle` added to its target.
    fn settle_edge(&mut self, from: Block, to: Block) -> Result<Vec<Value>> {
        let slots = self.plan.merged.params.get(&to);
        let mut values = Vec::new();
        for &slot in slots.into_iter().flatten() {
            let mut at = Some(from);
            // Above the merge's dominator nothing can be defined that is not defined at the merge.
            let stop = self.plan.primal.flow.idom(to);
            let found = loop {
                match at.filter(|&block| Some(block) != stop) {
                    None => break self.b.zero(self.plan.primal.ty(slot.value)),
                    Some(block) => match self.merged_at(slot, block)? {
                        Some(value) => break value,
                        None => at = self.plan.primal.flow.idom(block),
                    },
                }
            };
            values.push(found);
        }
        Ok(values)
    }
    /// The value of a slot that a block defines or merges.
    fn merged_at(&self, slot: ScopedValue, block: Block) -> Result<Option<Value>> {
        if let Some(&value) = self.merged.get(&(slot, block)) {
            return Ok(Some(value));
        }
        let places = self.plan.merged.places.get(&slot);
        match places.is_some_and(|places| places.defined.contains(&block)) {
            true => self.copy(slot.value).map(Some),
            false => Ok(None),
        }
    }
    /// The value of a slot at the end of its region.
    pub fn merged_value(&self, slot: ScopedValue) -> Result<Value> {
        match self.plan.merged.places.get(&slot) {
            None => self.copy(slot.value),
            Some(places) => self
                .merged_at(slot, places.last)?
                .ok_or_else(|| self.internal(format!("{} is not known at the end", slot.value))),
        }
    }
    /// In front of a loop: its rows, and the adjoints of its accumulators.
    fn prepare_loop(&mut self, l: Loop) -> Result<()> {
        let fused = self.plan.tapeless.loops.get(&l);
        for &(param, known) in fused.into_iter().flatten() {
            let adjoint = self.express(l, known)?;
            self.carried.insert(param, adjoint);
        }
        if self.store(Some(l)) == Store::Rows && self.plan.saved.sizes.contains_key(&Some(l)) {
            let trips = self.copy(self.plan.control.trips[&l])?;
            let bytes = self.rows_size(l, trips);
            let base = self.b.prim(Prim::TapePush, &[bytes]);
            let counter = match self.counts_itself(l) {
                true => None,
                false => {
                    let counter = self.b.declare(Type::Usize);
                    let zero = self.usize(0);
                    self.b.define(counter, zero);
                    Some(counter)
                }
            };
            self.rows.insert(
                l,
                Rows {
                    base,
                    counter,
                    row: None,
                },
            );
        }
        Ok(())
    }
    /// The bytes of all rows: one more than there are iterations, for the header runs once more.
    pub fn rows_size(&mut self, l: Loop, trips: Value) -> Value {
        let one = self.usize(1);
        let rows = self.b.prim(Prim::Add, &[trips, one]);
        let size = self.usize(self.plan.saved.sizes[&Some(l)]);
        self.b.prim(Prim::Mul, &[rows, size])
    }
    /// Whether the induction variable is the number of the iteration.
    fn counts_itself(&self, l: Loop) -> bool {
        let primal = &self.plan.primal;
        primal.counted(l).is_some_and(|c| {
            let from_zero = primal.function.as_const(c.start) == Some(Const::Int(0));
            from_zero && c.step == 1 && primal.ty(c.induction) == Type::Usize
        })
    }
    /// At the end of an iteration: the counter, the record, and, if the loop is fused, the reverse of the iteration.
    fn end_iteration(&mut self, l: Loop) -> Result<()> {
        if let Some(counter) = self.rows.get(&l).and_then(|rows| rows.counter) {
            let count = self.b.read(counter);
            let one = self.usize(1);
            let next = self.b.prim(Prim::Add, &[count, one]);
            self.b.define(counter, next);
        }
        if self.store(Some(l)) == Store::Records {
            self.push_record(Some(l))?;
        }
        if self.plan.control.is_fused(l) {
            self.reverse(region(&self.plan.primal, Some(l)))?;
        }
        Ok(())
    }

    /// The value of an adjoint that is known in front of a loop.
    fn express(&mut self, l: Loop, known: super::tapeless_loops::Known) -> Result<Value> {
        match self.plan.tapeless.expressions[known] {
            Expression::Seed(leaf) => match self.seeds.get(&leaf) {
                Some(&seed) => Ok(seed),
                None => {
                    let leaves = crate::tangent::leaves(self.plan.primal.function.ret);
                    Ok(self.b.zero(leaves[leaf as usize]))
                }
            },
            Expression::Carried(param) => match self.carried.get(&param) {
                Some(&value) => Ok(value),
                None => Err(self.internal(format!("the adjoint of {param} is not known yet"))),
            },
            Expression::Cast(of, ty) => {
                let value = self.express(l, of)?;
                Ok(self.b.prim_to(Prim::Cast, &[value], ty))
            }
            Expression::Sum(a, b) => {
                let (a, b) = (self.express(l, a)?, self.express(l, b)?);
                Ok(self.sum(a, b))
            }
            Expression::Times { of, inst, output } => {
                let adjoint = self.express(l, of)?;
                let action = self.plan.actions.get(&inst);
                let Some(Action::Scalar { entry, args, .. }) = action else {
                    return Err(self.internal(format!("{inst} is not scalar")));
                };
                let result = self.plan.primal.function.insts[inst].result;
                let mut values = Vec::new();
                let needs = super::tapeless_loops::formula_needs(
                    &self.plan.primal,
                    &self.plan.actions,
                    inst,
                    output,
                );
                for value in needs {
                    values.push((value, self.early(l, value)?));
                }
                let find = |v: Value| {
                    values
                        .iter()
                        .find(|(old, _)| *old == v)
                        .map(|(_, new)| *new)
                };
                let partial = self.formula(entry, output, &mut |a, n| {
                    let value = *args.get(n).unwrap_or(&result);
                    find(value).ok_or_else(|| a.internal(format!("{value} is not early")))
                })?;
                Ok(self.times(entry, output, adjoint, partial))
            }
        }
    }
    /// A value in front of a loop: as it is, or made there from what is.
    fn early(&mut self, l: Loop, value: Value) -> Result<Value> {
        let primal = &self.plan.primal;
        if primal
            .flow
            .dominates(primal.def_block(value), primal.preheader(l))
        {
            return self.copy(value);
        }
        let Some(row) = primal.function.def_inst(value) else {
            return Err(self.internal(format!("{value} is not known in front of {l}")));
        };
        let mut args = Vec::new();
        for &arg in &row.args {
            args.push(self.early(l, arg)?);
        }
        Ok(self.b.emit(row.op, &args, primal.ty(value)))
    }
}
