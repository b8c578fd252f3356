//! Builds the functions that a plan describes.

use super::control::{Node, Region};
use super::save::{ScopedValue, Source, Store, region, store};
use super::{DerivedKind, Plan};
use crate::diag::{Error, Result};
use crate::ir::build::{Builder, Variable};
use crate::ir::flow::Loop;
use crate::ir::{Block, Fault, Function, Symbol, Terminator, Type, Value};
use crate::tangent;
use rustc_hash::FxHashMap;

/// One or two functions, as the form says.
pub(super) fn assemble(plan: &Plan) -> Result<Vec<Function>> {
    let mut functions = match &plan.kind {
        DerivedKind::Split {
            forward, pullback, ..
        } => vec![
            forward_function(plan, *forward)?,
            pullback_function(plan, *pullback)?,
        ],
        DerivedKind::Gradient { .. } | DerivedKind::Elementwise { .. } => {
            vec![whole_function(plan)?]
        }
    };
    for function in &mut functions {
        super::super::sweep(function);
    }
    Ok(functions)
}

/// A function under construction, and where everything of the primal is in it.
pub(super) struct Assembly<'a> {
    pub plan: &'a Plan,
    pub b: Builder,
    /// Copies of the primal's values.
    pub copies: FxHashMap<Value, Value>,
    /// Copies of the primal's blocks.
    pub blocks: FxHashMap<Block, Block>,
    /// How many edges into a copied block are still to come.
    pub awaited: FxHashMap<Block, usize>,
    /// What is kept until the iteration's record is pushed, for each offset in the record.
    pub kept: FxHashMap<(super::primal::LoopScope, u32), Variable>,
    /// The parameters by which merges take values that not all ways define.
    pub merged: FxHashMap<(ScopedValue, Block), Value>,
    /// The record of a forward half that is pushed first.
    pub record: Option<Value>,
    /// The values read from records that have been popped.
    pub popped: FxHashMap<ScopedValue, Value>,
    /// The tape of each loop, forwards.
    pub rows: FxHashMap<Loop, Rows>,
    /// The adjoints of fused loops' accumulators.
    pub carried: FxHashMap<Value, Value>,

    /// What is being reversed.
    pub region: Region,
    /// The block whose reverse is being built, and the level of what is being built.
    pub place: Block,
    pub context: super::primal::LoopScope,
    pub adjoints: FxHashMap<(Value, u32), Variable>,
    /// Adjoints in the current reverse block: `None` is zero.
    pub known: FxHashMap<(Value, u32), Option<Value>>,
    /// What was fetched in the current reverse block.
    pub fetched: FxHashMap<ScopedValue, Value>,
    /// What was fetched in front of the reverse of a loop.
    pub imports: FxHashMap<Loop, FxHashMap<ScopedValue, Value>>,
    /// The reverse of each loop.
    pub backs: FxHashMap<Loop, Back>,
    /// By parameter.
    pub shadows: FxHashMap<Value, Value>,
    /// By leaf of the result.
    pub seeds: FxHashMap<u32, Value>,
    /// Where the nodes of the region being reversed begin, and how many edges into them are still to come.
    pub nodes: FxHashMap<Node, (Block, usize)>,
}

/// The rows of a counted loop, forwards.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    /// The block of tape.
    pub base: Value,
    /// The number of the iteration; `None` if the induction variable is it.
    pub counter: Option<Variable>,
    /// The address of this iteration's row: set in the header.
    pub row: Option<Value>,
}

/// The state of the reverse of a loop.
#[derive(Clone, Copy)]
pub(super) struct Back {
    /// The number of the iteration.
    pub index: Variable,
    /// Where the iteration ended: its number among the loop's ends.
    pub end: Variable,
    /// The block of tape.
    pub base: Variable,
    /// The address of this iteration's row.
    pub row: Variable,
}

/// Forward and reverse in one function.
fn whole_function(plan: &Plan) -> Result<Function> {
    let (name, ret) = whole_signature(plan);
    let seeds = seed_leaves(plan);
    let types = reverse_types(plan, &seeds);
    let (mut a, extra) = Assembly::new(plan, name, &types, ret);
    a.bind(&extra, &seeds);
    let Some(end) = a.forward()? else {
        return Ok(a.b.finish());
    };
    a.b.switch_to(end);
    a.reverse(a.region)?;
    let cotangents = a.cotangents()?;
    let result = match (&plan.kind, plan.primal.returned()) {
        (DerivedKind::Gradient { .. }, Some(value)) => {
            let all: Vec<Value> = [a.copies[&value]].into_iter().chain(cotangents).collect();
            a.tuple(&all)
        }
        (DerivedKind::Elementwise { .. }, Some(value)) if plan.primal.ty(value).is_float() => {
            let all: Vec<Value> = cotangents.into_iter().chain([a.copies[&value]]).collect();
            a.tuple(&all)
        }
        _ => a.tuple(&cotangents),
    };
    a.b.ret(result);
    Ok(a.b.finish())
}

/// The types of what the reverse pass takes after the primal's parameters: shadows, if the primal does not take them
/// itself, and seeds.
fn reverse_types(plan: &Plan, seeds: &[(u32, Type)]) -> Vec<Type> {
    let shadows = match plan.primal.shadows.taken {
        true => Vec::new(),
        false => tangent::shadows(&plan.primal.function.param_types(), plan.kind.active()),
    };
    let seeds = seeds.iter().map(|(_, t)| *t);
    shadows.into_iter().chain(seeds).collect()
}

fn whole_signature(plan: &Plan) -> (Symbol, Type) {
    let function = &plan.primal.function;
    let (types, active) = (function.param_types(), plan.kind.active());
    match plan.kind {
        DerivedKind::Elementwise { .. } => {
            let name = Symbol::new(&format!("{}.vjp", function.name));
            let mut fields = tangent::cotangents(&types, active);
            fields.extend(Some(function.ret).filter(|ret| ret.is_float()));
            (name, Type::tuple(&fields))
        }
        DerivedKind::Gradient { .. } | DerivedKind::Split { .. } => {
            let name = Symbol::new(&format!("{}.gradient", function.name));
            (name, tangent::gradient_result(function.ret, &types, active))
        }
    }
}

/// The forward pass alone: it pushes what the pullback needs.
fn forward_function(plan: &Plan, name: Symbol) -> Result<Function> {
    let ret = match plan.kind.is_shadowed() {
        true => tangent::forward_result(plan.primal.function.ret),
        false => plan.primal.function.ret,
    };
    let (mut a, _) = Assembly::new(plan, name, &[], ret);
    if let (Some(end), Some(value)) = (a.forward()?, plan.primal.returned()) {
        a.b.switch_to(end);
        a.end_record()?;
        let mut results = vec![a.copy(value)?];
        for &shadow in plan.primal.shadows.leaves(value) {
            results.push(a.copy(shadow)?);
        }
        let result = match results[..] {
            [result] => result,
            _ => a.tuple(&results),
        };
        a.b.ret(result);
    }
    Ok(a.b.finish())
}

/// The pullback alone: it pops what the forward half has pushed.
fn pullback_function(plan: &Plan, name: Symbol) -> Result<Function> {
    let params = plan.primal.function.param_types();
    let seeds = seed_leaves(plan);
    let types = reverse_types(plan, &seeds);
    let ret = Type::tuple(&tangent::cotangents(&params, plan.kind.active()));
    let (mut a, extra) = Assembly::new(plan, name, &types, ret);
    a.bind(&extra, &seeds);
    if plan.primal.end().is_none() {
        let text = Symbol::from_static("the pullback of a function that does not return");
        a.b.error(Fault::Panic(text), &[]);
        return Ok(a.b.finish());
    }
    a.find_record();
    a.reverse(a.region)?;
    a.leave_record();
    let cotangents = a.cotangents()?;
    let result = a.tuple(&cotangents);
    a.b.ret(result);
    Ok(a.b.finish())
}

/// The leaves of the result that have seeds.
fn seed_leaves(plan: &Plan) -> Vec<(u32, Type)> {
    let leaves = tangent::leaves(plan.primal.function.ret).into_iter();
    leaves
        .enumerate()
        .filter(|(n, ty)| {
            let wanted = match &plan.kind {
                DerivedKind::Elementwise { seeded, .. } => seeded.get(*n).copied().unwrap_or(false),
                DerivedKind::Gradient { .. } | DerivedKind::Split { .. } => true,
            };
            wanted && tangent::home(*ty) == tangent::Home::Rdata
        })
        .map(|(n, ty)| (n as u32, tangent::widened(ty)))
        .collect()
}

impl<'a> Assembly<'a> {
    /// A function with the primal's parameters and more, which are returned.
    fn new(plan: &'a Plan, name: Symbol, more: &[Type], ret: Type) -> (Self, Vec<Value>) {
        let primal = &plan.primal.function;
        let mut types = primal.param_types();
        types.extend(more);
        let mut function = Function::new(name, &types, ret);
        let params = function.params().to_vec();
        for (&old, &new) in primal.params().iter().zip(&params) {
            function.values[new].name = primal.values[old].name;
        }
        let count = primal.params().len();
        let copies = primal
            .params()
            .iter()
            .copied()
            .zip(params[..count].iter().copied());
        let entry = primal.entry();
        let assembly = Assembly {
            plan,
            copies: copies.collect(),
            b: Builder::new(function),
            blocks: FxHashMap::default(),
            awaited: FxHashMap::default(),
            kept: FxHashMap::default(),
            merged: FxHashMap::default(),
            record: None,
            popped: FxHashMap::default(),
            rows: FxHashMap::default(),
            carried: FxHashMap::default(),
            region: region(&plan.primal, None),
            place: entry,
            context: None,
            adjoints: FxHashMap::default(),
            known: FxHashMap::default(),
            fetched: FxHashMap::default(),
            imports: FxHashMap::default(),
            backs: FxHashMap::default(),
            shadows: FxHashMap::default(),
            seeds: FxHashMap::default(),
            nodes: FxHashMap::default(),
        };
        (assembly, params[count..].to_vec())
    }
    /// Says which of the parameters are shadows and which are seeds.
    fn bind(&mut self, extra: &[Value], seeds: &[(u32, Type)]) {
        let mut extra = extra.iter().copied();
        let primal = &self.plan.primal;
        for (&param, &active) in primal.function.params().iter().zip(self.plan.kind.active()) {
            let fdata = tangent::home(primal.ty(param)) == tangent::Home::Fdata;
            if active && fdata && !primal.shadows.taken {
                let shadow = extra.next();
                self.shadows.extend(shadow.map(|s| (param, s)));
            }
        }
        self.seeds = seeds.iter().map(|(leaf, _)| *leaf).zip(extra).collect();
    }
    /// What a level does with what it keeps.
    pub fn store(&self, scope: super::primal::LoopScope) -> Store {
        store(
            &self.plan.control,
            &self.plan.primal,
            self.plan.kind.is_split(),
            scope,
        )
    }
    /// Whether a slot is kept.
    pub fn is_kept(&self, slot: ScopedValue) -> bool {
        self.plan.saved.sources.get(&slot) == Some(&Source::Kept)
    }
    /// The variable that holds a kept slot until its record is pushed: one for each place in the record.
    pub fn variable(&mut self, slot: ScopedValue) -> Variable {
        let ty = self.plan.primal.ty(slot.value);
        let place = (slot.scope, self.plan.saved.offsets[&slot]);
        let b = &mut self.b;
        *self.kept.entry(place).or_insert_with(|| b.declare(ty))
    }
    pub fn tuple(&mut self, values: &[Value]) -> Value {
        match values {
            [] => self.b.unit(),
            values => self.b.prim(crate::ir::Prim::Tuple, values),
        }
    }
    pub fn usize(&mut self, n: u32) -> Value {
        self.b.int(n.into(), Type::Usize)
    }
    pub fn copy(&self, value: Value) -> Result<Value> {
        let found = self.copies.get(&value).copied();
        found.ok_or_else(|| self.internal(format!("{value} has no copy")))
    }
    pub fn internal(&self, message: String) -> Error {
        let name = self.plan.primal.function.name;
        Error::Internal(format!("derivative of {name}: {message}"))
    }
    /// Notes that an edge into a copied block has been built.
    pub fn arrive(&mut self, block: Block) {
        if let Some(rest) = self.awaited.get_mut(&block) {
            *rest -= 1;
            if *rest == 0 {
                self.b.seal(block);
            }
        }
    }
    /// Whether a block of the primal is in front of a loop: the loop.
    pub fn leads_into(&self, block: Block) -> Option<Loop> {
        match &self.plan.primal.function.blocks[block].terminator {
            Terminator::Jump(edge) => {
                let l = self.plan.primal.headed(edge.block)?;
                (!self.plan.primal.within(l, block)).then_some(l)
            }
            _ => None,
        }
    }
    /// The loop that a block is the latch of.
    pub fn closes(&self, block: Block) -> Option<Loop> {
        match &self.plan.primal.function.blocks[block].terminator {
            Terminator::Jump(edge) => {
                let l = self.plan.primal.headed(edge.block)?;
                self.plan.primal.within(l, block).then_some(l)
            }
            _ => None,
        }
    }
}
