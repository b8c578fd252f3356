//! The reverse pass: the reverse graph, node by node, and the reverse of each instruction.

use super::action::{Action, Partial, may_be_null};
use super::assemble::{Assembly, Back};
use super::control::{Node, Origin, Region};
use super::save::Store;
use super::vjp::{Argument, Outcome, Vjp};
use super::{DerivedKind, Halves};
use crate::ad::checked;
use crate::diag::Result;
use crate::ir::flow::Loop;
use crate::ir::{Block, Callee, Edge, HostOp, Inst, Op, Prim, Terminator, Type, Value};
use crate::registry::Entry;
use crate::tangent;
use rustc_hash::FxHashMap;

pub(super) const ACCUMULATE: Callee = Callee::Host(HostOp::Accumulate);
pub(super) const OR_ZEROS: Callee = Callee::Host(HostOp::OrZeros);
const FROM_SLICE: Callee = Callee::Host(HostOp::FromSlice);
const OVERWRITE: Callee = Callee::Host(HostOp::Overwrite);
const UNBROADCAST: Callee = Callee::Host(HostOp::Unbroadcast);
const SUM_TO_SCALAR: Callee = Callee::Host(HostOp::SumToScalar);

impl Assembly<'_> {
    /// Builds the reverse of a region where the builder stands, and leaves the builder at its end.
    pub fn reverse(&mut self, region: Region) -> Result<()> {
        let primal = &self.plan.primal;
        let order = self.plan.control.order(primal, region);
        let outside = std::mem::replace(&mut self.region, region);
        let nodes = self.make_nodes(region, &order);
        let nodes = std::mem::replace(&mut self.nodes, nodes);
        for value in self
            .plan
            .liveness
            .crossing(primal, &self.plan.control, region.scope)
        {
            self.forget(value);
        }
        let mut end = self.b.block();
        for &node in &order {
            self.b.switch_to(self.nodes[&node].0);
            self.known.clear();
            self.fetched.clear();
            match node {
                Node::Enter(l) => self.enter(l)?,
                Node::Head(l) => self.head(l)?,
                Node::Block(block) => {
                    self.reverse_block(block)?;
                    if block == region.first {
                        end = self.b.block();
                    } else {
                        self.go_back(block)?;
                    }
                }
            }
        }
        self.b.switch_to(end);
        self.nodes = nodes;
        self.region = outside;
        Ok(())
    }
    /// A block for each node; the first is where the builder stands.
    fn make_nodes(&mut self, region: Region, order: &[Node]) -> FxHashMap<Node, (Block, usize)> {
        let mut nodes = FxHashMap::default();
        for &node in order {
            let block = match nodes.is_empty() {
                true => self.b.block(),
                false => self.b.new_block(),
            };
            nodes.insert(node, (block, 0));
        }
        for &node in order {
            for next in self
                .plan
                .control
                .successors(&self.plan.primal, region, node)
            {
                if let Some((_, edges)) = nodes.get_mut(&next) {
                    *edges += 1;
                }
            }
        }
        nodes
    }
    /// Sets all adjoints of a value to zero.
    pub fn forget(&mut self, value: Value) {
        for leaf in self.smooth_leaves(value) {
            let zero = self.b.zero(self.leaf_type((value, leaf)));
            let variable = self.adjoint_variable((value, leaf));
            self.b.define(variable, zero);
        }
    }
    /// Goes on at a node: ends the current block.
    fn go_to(&mut self, node: Node) -> Result<()> {
        let Some(&(block, _)) = self.nodes.get(&node) else {
            return Err(self.internal(format!("{node:?} is not on the way back")));
        };
        self.b.jump(block, &[]);
        if let Some((_, edges)) = self.nodes.get_mut(&node) {
            *edges -= 1;
            if *edges == 0 {
                self.b.seal(block);
            }
        }
        Ok(())
    }
    /// Goes on in one of two fresh blocks.
    fn fork(&mut self, condition: Value) -> (Block, Block) {
        let (yes, no) = (self.b.new_block(), self.b.new_block());
        self.b.branch(condition, (yes, &[]), (no, &[]));
        self.b.seal(yes);
        self.b.seal(no);
        (yes, no)
    }
    /// The variables of a loop's reverse.
    pub fn back(&mut self, l: Loop) -> Back {
        let b = &mut self.b;
        *self.backs.entry(l).or_insert_with(|| Back {
            index: b.declare(Type::Usize),
            end: b.declare(Type::U32),
            base: b.declare(Type::Addr),
            row: b.declare(Type::Addr),
        })
    }

    /// In front of the reverse of a loop.
    fn enter(&mut self, l: Loop) -> Result<()> {
        let plan = self.plan;
        self.context = plan.primal.parent(l);
        let back = self.back(l);
        let trips = self.fetch(plan.control.trips[&l])?;
        self.b.define(back.index, trips);
        if self.has_rows(l) {
            let base = match plan.saved.rows_below_top.contains(&l) {
                true => self.pop_address(),
                false => {
                    let bytes = self.rows_size(l, trips);
                    self.b.prim(Prim::TapePop, &[bytes])
                }
            };
            self.b.define(back.base, base);
            let row = self.row_address(l, base, trips);
            self.b.define(back.row, row);
        }
        let mut imports = FxHashMap::default();
        for &slot in plan.saved.imports.get(&l).into_iter().flatten() {
            imports.insert(slot, self.fetch_at(slot.value, slot.scope)?);
        }
        self.imports.insert(l, imports);
        self.go_to(plan.control.start(&plan.primal, l))
    }
    fn has_rows(&self, l: Loop) -> bool {
        self.store(Some(l)) == Store::Rows && self.plan.saved.sizes.contains_key(&Some(l))
    }
    /// Where the reverse of an iteration begins, if the loop is not counted.
    fn head(&mut self, l: Loop) -> Result<()> {
        self.context = Some(l);
        let back = self.back(l);
        self.pop_record(Some(l));
        let end = self.b.read(back.end);
        let ends = self.plan.control.iteration_ends(&self.plan.primal, l);
        let ways: Vec<Way> = ends
            .into_iter()
            .map(|(n, node)| Way {
                number: n,
                node,
                leaves: Vec::new(),
            })
            .collect();
        self.dispatch(end, &ways)
    }
    /// Goes on at the way whose number a value is; at the last if it is none of the others.
    fn dispatch(&mut self, number: Value, ways: &[Way]) -> Result<()> {
        let Some((last, others)) = ways.split_last() else {
            return Err(self.internal("a merge without ways".to_owned()));
        };
        for way in others {
            let ty = self.b.function.ty(number);
            let this = self.b.int(way.number as i64, ty);
            let is_this = self.b.prim(Prim::Eq, &[number, this]);
            let (yes, no) = self.fork(is_this);
            self.b.switch_to(yes);
            self.take(way)?;
            self.b.switch_to(no);
        }
        self.take(last)
    }
    fn take(&mut self, way: &Way) -> Result<()> {
        for &(l, end) in &way.leaves {
            let variable = self.back(l).end;
            let end = self.b.int(end as i64, Type::U32);
            self.b.define(variable, end);
        }
        self.go_to(way.node)
    }
    /// The reverse of the edge between two blocks.
    fn way(&self, from: Block, to: Block, number: usize) -> Way {
        let primal = &self.plan.primal;
        let ends = |l: Loop| {
            let exits = primal.exits(l);
            let exit = exits.iter().position(|&edge| edge == (from, to));
            (l, exit.map_or(0, |n| n + 1))
        };
        let walked =
            |l: &Loop| self.plan.control.walked.contains(l) && primal.counted(*l).is_none();
        Way {
            number,
            node: self.plan.control.target(primal, from, to),
            leaves: primal
                .left(from, to)
                .into_iter()
                .filter(walked)
                .map(ends)
                .collect(),
        }
    }

    /// Ends the reverse of a block: goes on where the forward pass came from.
    fn go_back(&mut self, block: Block) -> Result<()> {
        let plan = self.plan;
        if let Some(l) = plan.control.walked_header(&plan.primal, block) {
            return self.next_iteration(l);
        }
        if let Some(above) = plan.control.skip(block) {
            return self.go_to(Node::Block(above));
        }
        match plan.control.origins.get(&block) {
            Some(Origin::Condition(condition, yes, no)) => {
                let condition = self.fetch(*condition)?;
                let ways = [self.way(*yes, block, 1), self.way(*no, block, 0)];
                let (on_true, on_false) = self.fork(condition);
                self.b.switch_to(on_true);
                self.take(&ways[0])?;
                self.b.switch_to(on_false);
                self.take(&ways[1])
            }
            Some(Origin::Number(number, sources)) => {
                let number = self.fetch(*number)?;
                let ways: Vec<Way> = sources
                    .iter()
                    .enumerate()
                    .map(|(n, &source)| self.way(source, block, n))
                    .collect();
                self.dispatch(number, &ways)
            }
            None => match plan.primal.only_predecessor(block) {
                Some(source) => {
                    let way = self.way(source, block, 0);
                    self.take(&way)
                }
                None => Err(self.internal(format!("{block} has no way back"))),
            },
        }
    }
    /// At the begin of an iteration: to the end of the one before, or out of the loop.
    fn next_iteration(&mut self, l: Loop) -> Result<()> {
        let plan = self.plan;
        let back = self.back(l);
        let index = self.b.read(back.index);
        let zero = self.usize(0);
        let more = self.b.prim(Prim::Gt, &[index, zero]);
        let (again, out) = self.fork(more);
        self.b.switch_to(again);
        let minus_one = self.b.int(-1, Type::Usize);
        let index = self.b.prim(Prim::Add, &[index, minus_one]);
        self.b.define(back.index, index);
        if self.has_rows(l) {
            let base = self.b.read(back.base);
            let row = self.row_address(l, base, index);
            self.b.define(back.row, row);
        }
        let latch = self.b.int(0, Type::U32);
        self.b.define(back.end, latch);
        let next = match plan.primal.counted(l) {
            Some(_) => Node::Block(plan.primal.latch(l)),
            None => Node::Head(l),
        };
        self.go_to(next)?;
        self.b.switch_to(out);
        self.go_to(Node::Block(plan.primal.preheader(l)))
    }

    /// The reverse of a block, in which the builder stands: its terminator, its instructions, its parameters.
    fn reverse_block(&mut self, block: Block) -> Result<()> {
        let plan = self.plan;
        let data = &plan.primal.function.blocks[block];
        self.place = block;
        self.context = plan.primal.scope(block);
        self.reverse_terminator(block, &data.terminator)?;
        for &inst in data.insts.iter().rev() {
            if let Some(action) = plan.actions.get(&inst) {
                self.b.span = plan.primal.function.insts[inst].span;
                self.reverse_inst(inst, action)?;
            }
        }
        if let Some(source) = plan.primal.only_predecessor(block) {
            let edges = plan.primal.function.blocks[source].terminator.edges();
            if let Some(edge) = edges.into_iter().find(|e| e.block == block) {
                self.reverse_edge(edge, block)?;
            }
        }
        Ok(())
    }
    fn reverse_terminator(&mut self, block: Block, terminator: &Terminator) -> Result<()> {
        match terminator {
            Terminator::Return(value) => {
                let mut seeds: Vec<(u32, Value)> =
                    self.seeds.iter().map(|(&n, &v)| (n, v)).collect();
                seeds.sort();
                for (leaf, seed) in seeds {
                    self.add((*value, leaf), seed);
                }
                Ok(())
            }
            Terminator::Jump(edge) => {
                if let Some(l) = self
                    .leads_into(block)
                    .filter(|l| self.plan.saved.rows_below_top.contains(l))
                {
                    let trips = self.fetch(self.plan.control.trips[&l])?;
                    let bytes = self.rows_size(l, trips);
                    self.b.prim(Prim::TapePop, &[bytes]);
                }
                match self.plan.primal.only_predecessor(edge.block) {
                    // Done at the end of the reverse of that block.
                    Some(_) => Ok(()),
                    None => self.reverse_edge(edge, block),
                }
            }
            Terminator::Branch { .. } | Terminator::Error(..) | Terminator::Missing => Ok(()),
        }
    }
    /// Moves the adjoints of the target's parameters to the arguments. All are read before any is added to: an argument
    /// may itself be one of the parameters.
    fn reverse_edge(&mut self, edge: &Edge, from: Block) -> Result<()> {
        let plan = self.plan;
        let fused = self
            .closes(from)
            .is_some_and(|l| plan.control.is_fused(l) && self.region.scope == Some(l));
        let params = &plan.primal.function.blocks[edge.block].params;
        let mut moved = Vec::new();
        for (&param, &arg) in params.iter().zip(&edge.args) {
            if !plan.activity.is_active(&plan.primal, param) {
                continue;
            }
            if fused {
                moved.extend(self.carried.get(&param).map(|&adjoint| ((arg, 0), adjoint)));
                continue;
            }
            for leaf in self.smooth_leaves(param) {
                let variable = self.adjoint_variable((param, leaf));
                let known = self.known.get(&(param, leaf)).copied();
                let adjoint = known.unwrap_or_else(|| Some(self.b.read(variable)));
                self.clear((param, leaf));
                moved.extend(adjoint.map(|adjoint| ((arg, leaf), adjoint)));
            }
        }
        for (key, adjoint) in moved {
            self.add(key, adjoint);
        }
        Ok(())
    }
    /// The leaves of a value that have adjoints.
    fn smooth_leaves(&self, value: Value) -> Vec<u32> {
        let leaves = tangent::leaves(self.plan.primal.ty(value));
        let smooth = leaves
            .iter()
            .enumerate()
            .filter(|(_, t)| tangent::home(**t) == tangent::Home::Rdata);
        smooth.map(|(n, _)| n as u32).collect()
    }

    fn adjoint_variable(&mut self, key: (Value, u32)) -> crate::ir::build::Variable {
        let ty = self.leaf_type(key);
        let b = &mut self.b;
        *self.adjoints.entry(key).or_insert_with(|| b.declare(ty))
    }
    /// The adjoint of a leaf so far; `None` is zero.
    fn adjoint(&mut self, key: (Value, u32)) -> Option<Value> {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        if !self.plan.liveness.is_live(key.0, self.place) {
            return None;
        }
        let variable = self.adjoint_variable(key);
        Some(self.b.read(variable))
    }
    /// Adds to the adjoint of a leaf, if it has one.
    fn add(&mut self, key: (Value, u32), contribution: Value) {
        if !self.plan.activity.is_active(&self.plan.primal, key.0) || self.is_carried(key.0) {
            return;
        }
        let sum = match self.adjoint(key) {
            Some(so_far) => self.sum(so_far, contribution),
            None => contribution,
        };
        self.known.insert(key, Some(sum));
        let variable = self.adjoint_variable(key);
        self.b.define(variable, sum);
    }
    /// Whether a value is an accumulator of a fused loop that is being reversed: its adjoint is known already.
    fn is_carried(&self, value: Value) -> bool {
        let header = self.plan.primal.def_block(value);
        let headed = self.plan.primal.headed(header);
        headed.is_some_and(|l| {
            self.plan.control.is_fused(l) && self.plan.primal.encloses(Some(l), self.region.scope)
        }) && self.carried.contains_key(&value)
    }
    /// The adjoint of a leaf, whose definition the reverse has come to.
    fn adjoint_of(&mut self, key: (Value, u32)) -> Option<Value> {
        let adjoint = self.adjoint(key);
        self.clear(key);
        adjoint
    }
    /// Sets an adjoint to zero. Outside of loops nobody will ask again.
    fn clear(&mut self, key: (Value, u32)) {
        self.known.insert(key, None);
        if self.plan.primal.def_scope(key.0) != self.region.scope {
            let zero = self.b.zero(self.leaf_type(key));
            let variable = self.adjoint_variable(key);
            self.b.define(variable, zero);
        }
    }

    fn reverse_inst(&mut self, inst: Inst, action: &Action) -> Result<()> {
        let row = &self.plan.primal.function.insts[inst];
        let (result, args) = (row.result, &row.args);
        match action {
            Action::Scalar { entry, args, terms } => {
                let Some(adjoint) = self.adjoint_of((result, 0)) else {
                    return Ok(());
                };
                for &(arg, kind) in terms {
                    let partial = self.partial(entry, args, result, kind)?;
                    let term = match (partial, kind) {
                        (None, _) => adjoint,
                        (Some(partial), Partial::Formula(output)) => {
                            self.times(entry, output, adjoint, partial)
                        }
                        (Some(partial), _) => self.b.prim(Prim::Mul, &[adjoint, partial]),
                    };
                    if let Some(partial) = partial.filter(|_| self.plan.checked) {
                        let n = args.iter().position(|&a| a == arg).unwrap_or_default();
                        if let Partial::Formula(output) = kind {
                            let inputs = self.formula_inputs(entry, args, result, output)?;
                            checked::guard_partial(
                                &mut self.b,
                                entry.name,
                                n,
                                &inputs,
                                None,
                                partial,
                            );
                        }
                        let factors = [adjoint, partial];
                        checked::guard_term(&mut self.b, entry.name, n, false, factors, term);
                    }
                    self.add((arg, 0), term);
                }
                Ok(())
            }
            Action::Array {
                entry,
                args,
                results,
            } => self.reverse_general(inst, entry, args, results),
            Action::Map(vjp) => self.reverse_map(inst, vjp),
            Action::Call { callee, results } => self.reverse_call(inst, callee, results),
            Action::Load => {
                let Some(adjoint) = self.adjoint_of((result, 0)) else {
                    return Ok(());
                };
                let Some(shadow) = self.shadow(args[0])? else {
                    return Err(self.internal(format!("no shadow for {}", args[0])));
                };
                let index = self.fetch(args[1])?;
                let old = self.b.prim(Prim::Load, &[shadow, index]);
                let sum = self.b.prim(Prim::Add, &[old, adjoint]);
                self.b.prim(Prim::Store, &[shadow, index, sum]);
                Ok(())
            }
            Action::FromSlice => {
                let Some(adjoint) = self.adjoint_of((result, 0)) else {
                    return Ok(());
                };
                let Some(shadow) = self.shadow(args[0])? else {
                    return Err(self.internal(format!("no shadow for {}", args[0])));
                };
                let old = self
                    .b
                    .call(FROM_SLICE, &[shadow], self.plan.primal.ty(result));
                let sum = self.sum(old, adjoint);
                self.b.call(OVERWRITE, &[shadow, sum], Type::UNIT);
                Ok(())
            }
            Action::Overwrite { old } => self.reverse_overwrite(args, *old),
            Action::Get(field) => {
                let Some(adjoint) = self.adjoint_of((result, 0)) else {
                    return Ok(());
                };
                let Some(shadow) = self.shadow(args[0])? else {
                    return Err(self.internal(format!("no shadow for {}", args[0])));
                };
                let ty = tangent::widened(self.plan.primal.ty(result));
                let old = self.b.prim_to(Prim::Get(*field), &[shadow], ty);
                let sum = self.sum(old, adjoint);
                self.b.prim(Prim::Set(*field), &[shadow, sum]);
                Ok(())
            }
            Action::Missing(_) => Ok(()),
            Action::Store { old } => self.reverse_store(args, *old),
            Action::Set { field, old } => self.reverse_set(args, *field, *old),
            Action::Select => {
                let Some(adjoint) = self.adjoint_of((result, 0)) else {
                    return Ok(());
                };
                let condition = self.fetch(args[0])?;
                let zero = self.b.zero(tangent::widened(self.plan.primal.ty(result)));
                let yes = self.b.prim(Prim::Select, &[condition, adjoint, zero]);
                self.add((args[1], 0), yes);
                let no = self.b.prim(Prim::Select, &[condition, zero, adjoint]);
                self.add((args[2], 0), no);
                Ok(())
            }
            Action::Cast => {
                let Some(adjoint) = self.adjoint_of((result, 0)) else {
                    return Ok(());
                };
                let ty = tangent::widened(self.plan.primal.ty(args[0]));
                let cast = self.b.prim_to(Prim::Cast, &[adjoint], ty);
                self.add((args[0], 0), cast);
                Ok(())
            }
            Action::Tuple => {
                let mut leaf = 0;
                for &arg in args {
                    leaf = self.move_leaves((result, leaf), (arg, 0), arg);
                }
                Ok(())
            }
            Action::Field(n) => {
                let Type::Tuple(fields) = self.plan.primal.ty(args[0]) else {
                    return Err(self.internal(format!("{} is not a tuple", args[0])));
                };
                let before = fields[..*n as usize].iter();
                let offset: usize = before.map(|&t| tangent::leaves(t).len()).sum();
                self.move_leaves((result, 0), (args[0], offset as u32), result);
                Ok(())
            }
        }
    }
    /// Moves the adjoints of as many leaves as `like` has from one place to another; gives the leaf after the last.
    fn move_leaves(&mut self, from: (Value, u32), to: (Value, u32), like: Value) -> u32 {
        let count = tangent::leaves(self.plan.primal.ty(like)).len() as u32;
        for n in 0..count {
            if tangent::home(self.leaf_type((from.0, from.1 + n))) == tangent::Home::Rdata
                && let Some(adjoint) = self.adjoint_of((from.0, from.1 + n))
            {
                self.add((to.0, to.1 + n), adjoint);
            }
        }
        from.1 + count
    }
    /// What a formula is computed from, to be guarded.
    fn formula_inputs(
        &mut self,
        entry: &Entry,
        args: &[Value],
        result: Value,
        output: usize,
    ) -> Result<Vec<Value>> {
        let partials = crate::ad::rule::scalar(entry).map(|rule| &rule.partials);
        let used = partials.map(|p| crate::ad::rule::dependencies(p, output).0);
        let used = used.unwrap_or_default().into_iter();
        used.map(|n| self.fetch(*args.get(n).unwrap_or(&result)))
            .collect()
    }
    /// A partial derivative; `None` is one.
    fn partial(
        &mut self,
        entry: &Entry,
        args: &[Value],
        result: Value,
        partial: Partial,
    ) -> Result<Option<Value>> {
        match partial {
            Partial::One => Ok(None),
            Partial::Native(value) => self.fetch(value).map(Some),
            Partial::Formula(output) => {
                let value = |n: usize| *args.get(n).unwrap_or(&result);
                self.formula(entry, output, &mut |a, n| a.fetch(value(n)))
                    .map(Some)
            }
        }
    }
    /// Whether the cotangent of an array may be absent.
    fn may_be_null(&self, value: Value) -> bool {
        let plan = self.plan;
        may_be_null(&plan.primal, &plan.actions, !plan.kind.is_split(), value)
    }
    /// The cotangent of an array or a float that the reverse has come to, never null.
    fn whole_adjoint(&mut self, key: (Value, u32), value: Value) -> Result<Option<Value>> {
        let Some(adjoint) = self.adjoint_of(key) else {
            return Ok(None);
        };
        if !self.may_be_null(value) {
            return Ok(Some(adjoint));
        }
        let like = self.fetch(value)?;
        let ty = tangent::widened(self.plan.primal.ty(value));
        Ok(Some(self.b.call(OR_ZEROS, &[adjoint, like], ty)))
    }
    /// The cotangents of the leaves of a result that can have one, none of them absent. `None` if all are zero and not `always` wanted.
    fn whole_adjoints(
        &mut self,
        result: Value,
        leaves: &[Value],
        always: bool,
    ) -> Result<Option<Vec<Value>>> {
        let ty = |a: &Self, v: Value| a.plan.primal.ty(v);
        let mut adjoints = Vec::new();
        for (n, &leaf) in leaves.iter().enumerate() {
            if tangent::has_rdata(ty(self, leaf)) {
                adjoints.push((leaf, self.adjoint_of((result, n as u32))));
            }
        }
        if !always && adjoints.iter().all(|(_, adjoint)| adjoint.is_none()) {
            return Ok(None);
        }
        let mut whole = Vec::new();
        for (leaf, adjoint) in adjoints {
            whole.push(self.whole(adjoint, leaf)?);
        }
        Ok(Some(whole))
    }
    /// The cotangent of a value, not absent; zeros if there is none.
    fn whole(&mut self, adjoint: Option<Value>, of: Value) -> Result<Value> {
        let ty = tangent::widened(self.plan.primal.ty(of));
        let given = adjoint.is_some() && !self.may_be_null(of);
        let adjoint = adjoint.unwrap_or_else(|| self.b.zero(ty));
        match given || !ty.is_array() {
            true => Ok(adjoint),
            false => {
                let like = self.fetch(of)?;
                Ok(self.b.call(OR_ZEROS, &[adjoint, like], ty))
            }
        }
    }
    fn reverse_general(
        &mut self,
        inst: Inst,
        entry: &Entry,
        wanted: &[usize],
        results: &[Value],
    ) -> Result<()> {
        let row = &self.plan.primal.function.insts[inst];
        let Some(rule) = crate::ad::rule::array_rule(entry) else {
            return Err(self.internal(format!("{} has no pullback", entry.name)));
        };
        let linked = self.plan.primal.is_linked(inst);
        let Some(adjoints) = self.whole_adjoints(row.result, results, linked)? else {
            return Ok(());
        };
        let params = rule.pullback.params();
        let mut copies = FxHashMap::default();
        for &i in wanted {
            for n in crate::ad::rule::dependencies(&rule.pullback, i).0 {
                let values = row.args.iter().chain(results);
                let value = match values.copied().nth(n) {
                    Some(value) => self.fetch(value)?,
                    None => adjoints[n - row.args.len() - results.len()],
                };
                copies.insert(params[n], value);
            }
        }
        for &i in wanted {
            let cotangent =
                crate::ad::rule::inline_output(&mut self.b, &rule.pullback, i, &mut copies);
            let Some(cotangent) = cotangent else {
                return Err(self.internal(format!("{} has no cotangent {i}", entry.name)));
            };
            self.add((row.args[i], 0), cotangent);
        }
        Ok(())
    }
    fn reverse_map(&mut self, inst: Inst, vjp: &Vjp) -> Result<()> {
        let row = &self.plan.primal.function.insts[inst];
        let values = vjp.results_of(&self.plan.primal, row.result);
        let mut seeds = Vec::new();
        for (n, value) in values.into_iter().enumerate() {
            seeds.push(match value {
                Some(value) => self.whole_adjoint((row.result, n as u32), value)?,
                None => None,
            });
        }
        if seeds.iter().all(Option::is_none) {
            return Ok(());
        }
        let mut args = Vec::new();
        for arg in &vjp.args {
            args.push(match arg {
                Argument::Primal(n) => self.fetch(row.args[*n])?,
                Argument::Result => self.fetch(row.result)?,
                Argument::Seed(n) => self.seed(&seeds, *n)?,
            });
        }
        let element = |v: Value| self.plan.primal.ty(v).element();
        let mut computed = Vec::new();
        if let Some(kernel) = vjp.function {
            let types: Vec<Type> = vjp.fields.iter().map(|&t| Type::array(t)).collect();
            let tuple = self.b.map(kernel, &args, Type::tuple(&types));
            for n in 0..types.len() {
                computed.push(self.b.prim(Prim::Field(n as u32), &[tuple]));
            }
        }
        for &(n, outcome) in &vjp.results {
            let cotangent = match outcome {
                Outcome::Zero => continue,
                Outcome::Seed(seed) => self.seed(&seeds, seed)?,
                Outcome::Field(k) => computed[k],
            };
            let arg = row.args[n];
            let cotangent = match element(arg) {
                Some(_) => {
                    let like = self.fetch(arg)?;
                    let ty = tangent::widened(self.plan.primal.ty(arg));
                    self.b.call(UNBROADCAST, &[cotangent, like], ty)
                }
                None => {
                    let ty = tangent::widened(self.plan.primal.ty(arg));
                    self.b.call(SUM_TO_SCALAR, &[cotangent], ty)
                }
            };
            self.add((arg, 0), cotangent);
        }
        Ok(())
    }
    fn seed(&self, seeds: &[Option<Value>], n: usize) -> Result<Value> {
        let seed = seeds.get(n).copied().flatten();
        seed.ok_or_else(|| self.internal(format!("result {n} of a map has no cotangent")))
    }
    fn reverse_set(&mut self, args: &[Value], field: u32, old: Option<Value>) -> Result<()> {
        let ty = tangent::widened(self.plan.primal.ty(args[1]));
        if tangent::has_rdata(ty)
            && let Some(shadow) = self.shadow(args[0])?
        {
            if self.plan.activity.is_active(&self.plan.primal, args[1]) {
                let adjoint = self.b.prim_to(Prim::Get(field), &[shadow], ty);
                self.add((args[1], 0), adjoint);
            }
            let zero = self.b.zero(ty);
            self.b.prim(Prim::Set(field), &[shadow, zero]);
        }
        if let Some(old) = old {
            let (object, old) = (self.fetch(args[0])?, self.fetch(old)?);
            self.b.prim(Prim::Set(field), &[object, old]);
        }
        Ok(())
    }
    fn reverse_overwrite(&mut self, args: &[Value], old: Option<Value>) -> Result<()> {
        let ty = self.plan.primal.ty(args[1]);
        if tangent::has_rdata(ty)
            && let Some(shadow) = self.shadow(args[0])?
        {
            if self.plan.activity.is_active(&self.plan.primal, args[1]) {
                let adjoint = self.b.call(FROM_SLICE, &[shadow], ty);
                self.add((args[1], 0), adjoint);
            }
            let zero = self.b.zero(ty);
            self.b.call(OVERWRITE, &[shadow, zero], Type::UNIT);
        }
        if let Some(old) = old {
            let (slice, old) = (self.fetch(args[0])?, self.fetch(old)?);
            self.b.call(OVERWRITE, &[slice, old], Type::UNIT);
        }
        Ok(())
    }
    fn reverse_store(&mut self, args: &[Value], old: Option<Value>) -> Result<()> {
        let index = self.fetch(args[1])?;
        if let Some(shadow) = self.shadow(args[0])? {
            let ty = self.plan.primal.ty(args[2]);
            if self.plan.activity.is_active(&self.plan.primal, args[2]) {
                let adjoint = self.b.prim(Prim::Load, &[shadow, index]);
                self.add((args[2], 0), adjoint);
            }
            let zero = self.b.zero(ty);
            self.b.prim(Prim::Store, &[shadow, index, zero]);
        }
        if let Some(old) = old {
            let (slice, old) = (self.fetch(args[0])?, self.fetch(old)?);
            self.b.prim(Prim::Store, &[slice, index, old]);
        }
        Ok(())
    }
    fn reverse_call(&mut self, inst: Inst, callee: &Halves, results: &[Value]) -> Result<()> {
        let row = &self.plan.primal.function.insts[inst];
        let mut args = Vec::new();
        for &arg in &row.args {
            args.push(self.fetch(arg)?);
        }
        for &result in results {
            if self.plan.primal.ty(result).is_array() {
                args.push(self.fetch(result)?);
            }
        }
        let types: Vec<Type> = row.args.iter().map(|&v| self.plan.primal.ty(v)).collect();
        let types = &types[..callee.active.len()];
        for (n, &arg) in row.args[..types.len()].iter().enumerate() {
            let fdata = tangent::home(types[n]) == tangent::Home::Fdata;
            if callee.active[n] && fdata && !callee.takes_shadows {
                let Some(shadow) = self.shadow(arg)? else {
                    return Err(self.internal(format!("no shadow for {arg}")));
                };
                if self.plan.checked {
                    let Op::Call(name) = row.op else {
                        return Err(self.internal(format!("{:?} is no call", row.op)));
                    };
                    checked::guard_length(&mut self.b, name.symbol(), n, args[n], shadow);
                }
                args.push(shadow);
            }
        }
        let leaves = tangent::leaves(self.plan.primal.ty(row.result));
        for (n, &ty) in leaves.iter().enumerate() {
            if tangent::home(ty) == tangent::Home::Rdata {
                let key = (row.result, n as u32);
                let active = self.plan.activity.is_active(&self.plan.primal, row.result);
                let adjoint = if active { self.adjoint_of(key) } else { None };
                args.push(match results.get(n) {
                    Some(&leaf) => self.whole(adjoint, leaf)?,
                    None => adjoint.unwrap_or_else(|| self.b.zero(tangent::widened(ty))),
                });
            }
        }
        let ret = Type::tuple(&tangent::cotangents(types, &callee.active));
        let results = self.b.inst(Op::Call(callee.pullback), &args, ret);
        let smooth = (0..types.len())
            .filter(|&n| callee.active[n] && tangent::home(types[n]) == tangent::Home::Rdata);
        for (field, n) in smooth.enumerate() {
            let cotangent = self.b.prim(Prim::Field(field as u32), &[results]);
            self.add((row.args[n], 0), cotangent);
        }
        Ok(())
    }

    /// At the end: the cotangents of the active parameters, zeros where nothing depends on them.
    pub fn cotangents(&mut self) -> Result<Vec<Value>> {
        let primal = &self.plan.primal;
        let mut cotangents = Vec::new();
        for (&param, &active) in primal.function.params().iter().zip(self.plan.kind.active()) {
            let ty = tangent::widened(primal.ty(param));
            if !active || tangent::home(ty) != tangent::Home::Rdata {
                continue;
            }
            let adjoint = match self.plan.activity.is_active(primal, param) {
                true => self.adjoint((param, 0)),
                false => None,
            };
            let adjoint = adjoint.unwrap_or_else(|| self.b.zero(ty));
            cotangents.push(match (ty.is_array(), &self.plan.kind) {
                (true, DerivedKind::Gradient { .. } | DerivedKind::Split { .. }) => {
                    let like = self.copy(param)?;
                    self.b.call(OR_ZEROS, &[adjoint, like], ty)
                }
                _ => adjoint,
            });
        }
        Ok(cotangents)
    }
}

/// A way that the reverse can take.
struct Way {
    /// Its number among the ways.
    number: usize,
    node: Node,
    /// The loops it enters at one of their exits, with the exit's number among the ends of an iteration.
    leaves: Vec<(Loop, usize)>,
}
