//! Clusters of array operations: done together, in as few kernels as their shapes allow.
//!
//! A cluster is a straight line of array operations (`opt::cluster`). Before the first call with arguments of given shapes
//! one operation after the other is rehearsed with the shapes alone: what is wrong about shapes is found there, and all shapes are known
//! afterwards. From them a [`Plan`] is made (`nodes`, `plan`), which serves this call and all later ones with arguments of the same shapes.
//!
//! The device of the context computes the kernels. Where some arrays are in the device's memory and others in the host's, because the device
//! cannot hold their elements, operations are done as they are written.
//!
//! A cluster keeps its first four plans together with the layouts of their arguments, so that it finds a plan without a lock and without a
//! hash.

mod nodes;
mod plan;
mod products;
mod quick;
pub mod trace;

use super::backend::{Dims, IndexUse, KernelInput, KernelProgram, at_place, called, dense_strides};
use super::cpu::lanes::Overwritten;
use super::cpu::{self, memory};
use super::device::Device;
use super::host::{self, ArrayHost, Entry};
use super::rehearsal;
use super::small::{Layout, Small};
use super::tensor::{Factors, Tensor};
use crate::arena::Id;
use crate::diag::{Error, Result, Span};
use crate::exec::{Host, LaneKernel, ScalarFunction, Site, SiteOp, Source};
use crate::ir::eval::{evaluate, from_bits, to_bits};
use crate::ir::linear::Linear;
use crate::ir::{Const, Function, HostOp, Inst, Op, Prim, Symbol, Terminator, Type, Value};
use crate::registry::Registry;
use nodes::Arg;
#[cfg(test)]
pub use nodes::{DONE_IN_PARTS, IN_PARTS};
use plan::{Added, Given, Index, Plan, Product, Stage, Step, Written};
use quick::Quick;
#[cfg(test)]
pub use quick::done as done_by_quick_plans;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

/// The words of one value: a tuple has several.
type Words = SmallVec<[u64; 2]>;

/// A cluster, and the plans that were made for it.
pub struct Cluster {
    function: Function,
    registry: Arc<Registry>,
    /// By instruction: what to ask the host for.
    sites: FxHashMap<Inst, Site>,
    /// The types of the elements of its arrays.
    elements: SmallVec<[Type; 4]>,
    /// The words of the arguments.
    params: SmallVec<[Param; 8]>,
    /// The whole numbers on which no shape depends.
    positions: FxHashSet<Value>,
    /// The words of the arguments that are arrays which nobody reads again.
    moved: SmallVec<[usize; 4]>,
    /// Where the words of each value are.
    places: Vec<Range<usize>>,
    /// How many words there are.
    width: usize,
    plans: Mutex<FxHashMap<Signature, Arc<Plan>>>,
    /// On the CPU: the plans that were made first, each with what its arguments are like. They are found without a lock.
    first: [OnceLock<Known>; KNOWN],
}

/// A word of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Param {
    /// An array.
    Array,
    /// A number that may decide shapes.
    Decides,
    /// A number that does not: a float, or the position where a part of an array begins.
    Number,
}

/// So many plans of a cluster are found by looking at its arguments alone. A loop needs two: in the first iteration cotangents are absent.
const KNOWN: usize = 4;

/// A plan, and the arguments that it is for.
struct Known {
    args: SmallVec<[Expected; 8]>,
    plan: Arc<Plan>,
    /// The plan, if it has small kernels only.
    quick: Option<Quick>,
}

/// What an argument is like.
enum Expected {
    /// An array whose elements lie like this.
    Array(&'static Layout),
    /// This word: the absent array, or a number that decides shapes.
    Word(u64),
    /// Any number.
    Number,
}

impl Known {
    /// What the arguments of a call are like, for calls with such.
    fn new(host: &ArrayHost, args: &[u64], params: &[Param], plan: Arc<Plan>) -> Result<Known> {
        let expected = args.iter().zip(params).map(|(&word, param)| match param {
            Param::Array if word != 0 => host.with(word, |tensor| match tensor {
                Some(tensor) => Expected::Array(Layout::of(tensor.view()).kept()),
                None => Expected::Word(word),
            }),
            Param::Number => Ok(Expected::Number),
            Param::Array | Param::Decides => Ok(Expected::Word(word)),
        });
        let args = expected.collect::<Result<_>>()?;
        let quick = None;
        Ok(Known { args, plan, quick })
    }

    fn is_for(&self, entries: &[Entry], args: &[u64]) -> bool {
        let mut pairs = self.args.iter().zip(args);
        pairs.all(|(expected, &word)| match expected {
            Expected::Number => true,
            Expected::Word(expected) => word == *expected,
            Expected::Array(layout) => match entries.get((word as usize).wrapping_sub(1)) {
                Some(Entry::Small(small)) => std::ptr::eq(small.layout, *layout),
                Some(Entry::Tensor(tensor)) => {
                    tensor.device().is_cpu() && layout.is_of(tensor.view())
                }
                Some(Entry::Gone) | None => false,
            },
        })
    }
}

/// An array that the steps of a plan pass on.
enum Passed {
    /// That of a handle.
    Handle(u64),
    /// One that only the plan knows.
    Entry(Entry),
}

/// Those of a plan, by slot.
type Slots = SmallVec<[Option<Passed>; 8]>;

static CPU: LazyLock<Device> = LazyLock::new(Device::cpu);

/// The words of all values of a cluster, in one call: first those of the arguments.
#[derive(Clone)]
pub struct Values<'c> {
    places: &'c [Range<usize>],
    words: SmallVec<[u64; 32]>,
}

impl Values<'_> {
    /// The words of a value.
    pub fn of(&self, value: Value) -> &[u64] {
        &self.words[self.places[value.index()].clone()]
    }
    /// The word of a value that has one; 0 if it has none.
    pub fn word(&self, value: Value) -> u64 {
        self.of(value).first().copied().unwrap_or(0)
    }
    fn set(&mut self, value: Value, words: &[u64]) {
        self.words[self.places[value.index()].clone()].copy_from_slice(words);
    }
}

/// What a plan depends on: for each argument a number of dimensions, then extents and strides; numbers that are shapes or axes.
type Signature = SmallVec<[u64; 32]>;

/// A cluster with more plans than this is one whose shapes are always new: nothing is planned any more.
const MOST_PLANS: usize = 256;

impl Cluster {
    /// A cluster of a compiled program.
    pub fn new(source: &ScalarFunction) -> Result<Cluster> {
        let missing = || Error::Internal(format!("no cluster @{}", source.function));
        let function = source
            .module
            .functions
            .get(&source.function)
            .ok_or_else(missing)?;
        let mut sites = FxHashMap::default();
        for &inst in &function.blocks[function.entry()].insts {
            let row = &function.insts[inst];
            let (op, name) = match row.op {
                Op::Map(name) => {
                    let mapped = ScalarFunction {
                        module: source.module.clone(),
                        function: name,
                        registry: source.registry.clone(),
                        made: OnceLock::new(),
                    };
                    (SiteOp::Map(mapped), name)
                }
                Op::Call(callee) => match callee.host_op() {
                    Some(op) => (SiteOp::Host(op), op.symbol()),
                    None => return Err(Error::Internal(format!("@{callee} is in a cluster"))),
                },
                Op::Const(_) | Op::Prim(_) => continue,
            };
            let params = row.args.iter().map(|&v| function.ty(v)).collect();
            let site = Site::new(op, name, params, function.ty(row.result), row.span);
            sites.insert(inst, site);
        }
        let mut elements: SmallVec<[Type; 4]> = SmallVec::new();
        for (_, value) in function.values.iter() {
            for leaf in crate::tangent::leaves(value.ty) {
                elements.extend(leaf.element().filter(|element| !elements.contains(element)));
            }
        }
        let mut places = vec![0..0; function.values.len()];
        let mut end = 0;
        let made = function.blocks[function.entry()].insts.iter();
        let made = made.map(|&inst| function.insts[inst].result);
        for value in function.params().iter().copied().chain(made) {
            let start = end;
            end += crate::codegen::cpu::words(function.ty(value));
            places[value.index()] = start..end;
        }
        let moved = function.params().iter().zip(&function.moved);
        let moved = moved
            .filter(|(param, moved)| **moved && function.ty(**param).is_array())
            .map(|(param, _)| places[param.index()].start)
            .collect();
        let positions = positions(function);
        let params = function.params().iter().flat_map(|param| {
            let is_number = positions.contains(param);
            let leaves = crate::tangent::leaves(function.ty(*param)).into_iter();
            leaves.map(move |ty| match ty {
                Type::Array(_) => Param::Array,
                ty if ty.is_float() || is_number => Param::Number,
                _ => Param::Decides,
            })
        });
        let params = params.collect();
        Ok(Cluster {
            moved,
            elements,
            params,
            positions,
            places,
            width: end,
            function: function.clone(),
            registry: source.registry.clone(),
            sites,
            plans: Mutex::default(),
            first: std::array::from_fn(|_| OnceLock::new()),
        })
    }

    /// Computes the cluster's results. It is at this place in the user's source.
    pub fn call(
        &self,
        host: &ArrayHost,
        place: Span,
        args: &[u64],
        results: &mut [u64],
    ) -> Result<()> {
        if args.len() != self.params.len() {
            return Err(Error::Internal(
                "a cluster was given other arguments".into(),
            ));
        }
        // Between clusters no array is without a handle.
        host.put_in_order();
        let known = self.known(host, args);
        let is_done = match known {
            Some(Known {
                quick: Some(quick),
                plan,
                ..
            }) => quick.run(self, plan, host, args, results)?,
            _ => false,
        };
        if !is_done {
            at_place(place, || self.compute(host, known, args, results))?;
        }
        // What the steps of a plan have not taken.
        self.moved.iter().for_each(|&arg| host.forget(args[arg]));
        Ok(())
    }

    fn compute(
        &self,
        host: &ArrayHost,
        known: Option<&Known>,
        args: &[u64],
        results: &mut [u64],
    ) -> Result<()> {
        let mut values = Values {
            places: &self.places,
            words: SmallVec::new(),
        };
        values.words.extend_from_slice(args);
        values.words.resize(self.width, 0);
        if let Some(known) = known {
            return self.done(host, &known.plan, &mut values, results);
        }
        let device = host.device()?;
        let mut signature = Signature::new();
        if !self.sign(host, &device, args, &mut signature)? {
            return self.unplanned(host, &mut values, results);
        }
        let plans = || self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let known = plans().get(&signature).cloned();
        let plan = match known {
            Some(plan) => plan,
            None if plans().len() >= MOST_PLANS => {
                return self.unplanned(host, &mut values, results);
            }
            None => {
                let (shapes, first) = self.rehearse(host, args)?;
                let plan = Arc::new(plan::make(self, &device, &shapes, &first)?);
                plans().insert(signature, plan.clone());
                plan
            }
        };
        if device.is_cpu()
            && let Some(free) = self.first.iter().find(|known| known.get().is_none())
        {
            let mut known = Known::new(host, args, &self.params, plan.clone())?;
            known.quick = Quick::new(self, &plan, &known.layouts())?;
            free.get_or_init(|| known);
        }
        self.done(host, &plan, &mut values, results)
    }

    /// Does one operation after the other with the shapes of the arguments alone: what is wrong about shapes is found, and all shapes are known.
    fn rehearse(&self, host: &ArrayHost, args: &[u64]) -> Result<(ArrayHost, Values<'_>)> {
        let (device, shapes) = (Device::rehearsal(), ArrayHost::new());
        // The first array says where others are made.
        shapes.put(Tensor::full(&device, 0, Type::F32, &[])?);
        let mut values = Values {
            places: &self.places,
            words: SmallVec::new(),
        };
        for (&word, param) in args.iter().zip(&self.params) {
            let array = match param {
                Param::Array => host.with(word, |tensor| {
                    tensor.map(|tensor| tensor.like_on(&device, rehearsal::nothing()))
                })?,
                Param::Decides | Param::Number => None,
            };
            let handle = array.map(|array| shapes.put(array));
            values.words.push(handle.unwrap_or(word));
        }
        values.words.resize(self.width, 0);
        let (done, _) = trace::watched(|| self.one_by_one(&shapes, &mut values));
        done.map(|()| (shapes, values))
    }

    /// The plan of a call, if it is one of the first.
    fn known(&self, host: &ArrayHost, args: &[u64]) -> Option<&Known> {
        if !host.is_on_cpu() {
            return None;
        }
        let entries = host.entries();
        let mut known = self.first.iter().map_while(OnceLock::get);
        known.find(|known| known.is_for(&entries, args))
    }

    fn done(
        &self,
        host: &ArrayHost,
        plan: &Plan,
        values: &mut Values,
        results: &mut [u64],
    ) -> Result<()> {
        if plan.is_as_written() {
            return self.unplanned(host, values, results);
        }
        self.run(host, plan, values)?;
        self.give(values, results)
    }

    /// Writes the signature of a call. False if operations are to be done as they are written.
    fn sign(
        &self,
        host: &ArrayHost,
        device: &Device,
        args: &[u64],
        signature: &mut Signature,
    ) -> Result<bool> {
        signature.push(device.is_gpu().into());
        if !self.has_one_home(device) {
            return Ok(false);
        }
        for (&word, param) in args.iter().zip(&self.params) {
            match param {
                Param::Array => {
                    let is_home = host.with(word, |tensor| {
                        let Some(tensor) = tensor else {
                            signature.push(u64::MAX);
                            return true;
                        };
                        let view = tensor.view();
                        signature.push(view.shape.len() as u64);
                        signature.extend(view.shape.iter().map(|&n| n as u64));
                        signature.extend(view.strides.iter().map(|&n| n as u64));
                        tensor.device() == device
                    })?;
                    if !is_home {
                        return Ok(false);
                    }
                }
                Param::Number => {}
                Param::Decides => signature.push(word),
            }
        }
        Ok(true)
    }

    /// Whether all arrays of the cluster are in the device's own memory: elements that a device cannot hold are in the host's.
    fn has_one_home(&self, device: &Device) -> bool {
        let at_host = |&ty: &Type| device.is_host_for(ty);
        !device.is_gpu() || !self.elements.iter().any(at_host)
    }

    /// Does one operation after the other, and lets go of all arrays but the results.
    fn unplanned(&self, host: &ArrayHost, values: &mut Values, results: &mut [u64]) -> Result<()> {
        let before = host.mark() as u64;
        self.one_by_one(host, values)?;
        self.give(values, results)?;
        let made = before + 1..=host.mark() as u64;
        { made.filter(|handle| !results.contains(handle)) }.for_each(|handle| host.forget(handle));
        Ok(())
    }

    /// Does one operation after the other.
    fn one_by_one(&self, host: &ArrayHost, values: &mut Values) -> Result<()> {
        for &inst in &self.function.blocks[self.function.entry()].insts {
            self.operation(host, inst, values)?;
        }
        Ok(())
    }

    fn operation(&self, host: &ArrayHost, inst: Inst, values: &mut Values) -> Result<()> {
        let row = &self.function.insts[inst];
        if let Op::Prim(Prim::Tuple) = row.op {
            let mut to = self.places[row.result.index()].start;
            for arg in &row.args {
                let from = self.places[arg.index()].clone();
                values.words.copy_within(from.clone(), to);
                to += from.len();
            }
            return Ok(());
        }
        let ty = self.function.ty(row.result);
        let made: Words = match row.op {
            Op::Const(c) => constant(c, ty)?,
            Op::Prim(prim) => self.scalar(prim, inst, values)?,
            Op::Call(_) | Op::Map(_) => {
                let args = row
                    .args
                    .iter()
                    .flat_map(|&arg| values.of(arg).iter().copied());
                let args: SmallVec<[u64; 8]> = args.collect();
                let mut made = Words::from_elem(0, crate::codegen::cpu::words(ty));
                host.carry_out(&self.sites[&inst], &args, &mut made)?;
                made
            }
        };
        values.set(row.result, &made);
        Ok(())
    }

    /// What goes along with array operations: numbers, and fields of tuples.
    fn scalar(&self, prim: Prim, inst: Inst, values: &Values) -> Result<Words> {
        let row = &self.function.insts[inst];
        let ty = self.function.ty(row.result);
        let words = || row.args.iter().map(|&arg| values.of(arg));
        match prim {
            Prim::Field(n) => {
                let Type::Tuple(fields) = self.function.ty(row.args[0]) else {
                    return Err(Error::Internal("a field of no tuple".into()));
                };
                let count = |fields: &[Type]| -> usize {
                    fields
                        .iter()
                        .map(|&ty| crate::codegen::cpu::words(ty))
                        .sum()
                };
                let start = count(&fields[..n as usize]);
                let own = count(&fields[n as usize..][..1]);
                Ok(values.of(row.args[0])[start..start + own].into())
            }
            _ => {
                let types: SmallVec<[Type; 3]> =
                    row.args.iter().map(|&v| self.function.ty(v)).collect();
                let args: SmallVec<[Const; 3]> = words()
                    .zip(&types)
                    .map(|(words, &ty)| from_bits(words[0], ty))
                    .collect();
                let made = evaluate(prim, &args, &types, ty);
                let undefined =
                    || Error::Internal(format!("{} in a cluster has no value", prim.mnemonic()));
                constant(made.ok_or_else(undefined)?, ty)
            }
        }
    }

    fn give(&self, values: &Values, results: &mut [u64]) -> Result<()> {
        let returned = match self.function.blocks[self.function.entry()].terminator {
            Terminator::Return(value) => values.of(value),
            _ => return Err(Error::Internal("a cluster does not return".into())),
        };
        if returned.len() != results.len() {
            return Err(Error::Internal("a cluster gives other results".into()));
        }
        results.copy_from_slice(returned);
        Ok(())
    }

    /// Does the steps of a plan.
    fn run(&self, host: &ArrayHost, plan: &Plan, values: &mut Values) -> Result<()> {
        let mut made = Slots::new();
        made.resize_with(plan.slots, || None);
        for &(value, word) in &plan.known {
            values.set(value, &[word]);
        }
        for (n, step) in plan.steps.iter().enumerate() {
            match step {
                Step::Operation(written) => {
                    let following = &plan.steps[n + 1..];
                    self.written(host, written, following, &mut made, values)?;
                }
                Step::Kernel(stage) => match host.is_on_cpu() {
                    true => {
                        { self.cpu_stage(host, stage, &plan.steps[n + 1..], &mut made, values) }
                            .map_err(|error| self.wrong_index(host, plan, &made).unwrap_or(error))?
                    }
                    false => self.stage(host, plan, stage, &mut made, values)?,
                },
                Step::Add(added) => self.add(host, added, &mut made, values)?,
                Step::Number(value, slot) => {
                    let bits = match passed(&made, *slot)? {
                        Passed::Entry(Entry::Small(small)) => host.slab().item(small),
                        other => other.tensor(host)?.item()?,
                    };
                    values.set(*value, &[bits]);
                }
                Step::View(view) => {
                    let seen = match passed(&made, view.of)? {
                        Passed::Entry(Entry::Small(small)) => {
                            // The strides of a signature's arguments decide those of all arrays, so this is the same in every call.
                            let seen = || small.layout.seen_as(&view.shape, &view.axes).kept();
                            let (layout, at) = (*view.layout.get_or_init(seen), small.at);
                            Entry::Small(Small { layout, at })
                        }
                        other => {
                            let tensor = other.tensor(host)?;
                            Entry::Tensor(Box::new(tensor.seen_as(&view.shape, &view.axes)))
                        }
                    };
                    made[view.slot] = Some(Passed::Entry(seen));
                }
                Step::Slice(part) => {
                    let whole = passed(&made, part.of)?.tensor(host)?;
                    let seen = whole.narrow(part.axis, part.from, part.count)?;
                    made[part.slot] = Some(Passed::Entry(Entry::Tensor(Box::new(seen))));
                }
                Step::Take(value, slot) => {
                    let word = values.word(*value);
                    let place = self.places[value.index()].start;
                    made[*slot] = match self.moved.contains(&place) {
                        true => host.take_out(word).map(Passed::Entry),
                        false => (word != 0).then_some(Passed::Handle(word)),
                    };
                }
                Step::Fill(fill) => {
                    let bits = match fill.with {
                        Arg::Number(value) => values.word(value),
                        Arg::Const(c, ty) => constant(c, ty)?[0],
                        Arg::Node(_) => return Err(unmade()),
                    };
                    let layout = fill.layout;
                    let filled = match host.is_on_cpu() {
                        true => Entry::Small(host.slab().filled(layout, bits)?),
                        false => {
                            let device = host.device()?;
                            let full = Tensor::full(&device, bits, layout.ty, &layout.shape)?;
                            Entry::Tensor(Box::new(full))
                        }
                    };
                    made[fill.slot] = Some(Passed::Entry(filled));
                }
                Step::Positions(positions) => {
                    let device = host.device()?;
                    let known = match positions.made.get() {
                        Some(known) if *known.device() == device => known.clone(),
                        _ => Tensor::arange(&device, 0, positions.ty, positions.extent)?,
                    };
                    positions.made.get_or_init(|| known.clone());
                    made[positions.slot] = Some(Passed::Entry(Entry::Tensor(Box::new(known))));
                }
                Step::Forget(slot) => made[*slot] = None,
            }
        }
        Ok(())
    }

    /// The operation of the program that indices belong to.
    fn index_use(&self, index: &Index) -> Result<IndexUse> {
        let site = self.sites.get(&index.inst).ok_or_else(unmade)?;
        let SiteOp::Host(op) = site.op else {
            return Err(unmade());
        };
        Ok(at_place(site.span, || IndexUse {
            operation: called(op.name()),
            axis: index.axis,
            place: site.span,
            order: index.inst.index(),
        }))
    }

    /// The error of the first operation of the program whose index is out of range, as far as that is known without waiting for a device. A kernel
    /// may use an index for several operations, and a later one before an earlier one.
    fn wrong_index(&self, host: &ArrayHost, plan: &Plan, made: &Slots) -> Option<Error> {
        let mut uses: Vec<Index> = plan.indices().collect();
        uses.sort_by_key(|index| index.inst);
        let checked = uses.into_iter().map(|index| {
            // What is not there yet is looked at later, what is gone was looked at before.
            let Some(array) = &made[index.slot] else {
                return Ok(());
            };
            let (own, array) = (self.index_use(&index)?, array.tensor(host)?);
            host::placed(own.place, || {
                array.check_indices(own.operation, own.axis, index.extent)
            })
        });
        checked.collect::<Result<()>>().err()
    }

    /// Does an operation as it is written.
    fn written(
        &self,
        host: &ArrayHost,
        written: &Written,
        following: &[Step],
        made: &mut Slots,
        values: &mut Values,
    ) -> Result<()> {
        let mark = host.mark();
        let is_result = self.function.insts[written.inst].op == Op::Prim(Prim::Tuple);
        for &(arg, slot) in &written.lent {
            let lent = written.lent.iter().filter(|lent| lent.1 == slot);
            if is_result && lent.count() == 1 && is_forgotten(slot, following) {
                let given = made[slot].take().ok_or_else(unmade)?;
                values.set(arg, &[given.handle(host)?]);
                continue;
            }
            let handle = match passed(made, slot)? {
                // Whoever takes a result for its own must be its only owner.
                Passed::Handle(handle) if is_result => host.enter_again(*handle)?,
                Passed::Handle(handle) => *handle,
                Passed::Entry(entry) => host.enter(entry.clone()),
            };
            values.set(arg, &[handle]);
        }
        let inst = written.inst;
        match self.sites.get(&inst) {
            Some(site) => {
                let device = host.device()?;
                trace::written(&device, site.name, self.function.name, || {
                    self.operation(host, inst, values)
                })?
            }
            // A number, or a part of a tuple.
            None => self.operation(host, inst, values)?,
        }
        if let Some(slot) = written.taken {
            let result = self.function.insts[written.inst].result;
            if let Some(tensor) = host.get(values.word(result))? {
                host.release(mark);
                made[slot] = Some(Passed::Entry(Entry::Tensor(Box::new(tensor))));
            }
        }
        Ok(())
    }

    /// Adds a part of an array to it, or replaces that part.
    fn add(
        &self,
        host: &ArrayHost,
        added: &Added,
        made: &mut Slots,
        values: &Values,
    ) -> Result<()> {
        let part = passed(made, added.part)?.tensor(host)?;
        let whole = match made[added.whole].take() {
            Some(Passed::Entry(Entry::Tensor(tensor))) if added.is_last => *tensor,
            other => {
                made[added.whole] = other;
                passed(made, added.whole)?.tensor(host)?
            }
        };
        let args = &self.function.insts[added.place].args;
        let sum = self.put(added.place, whole, &part, |n| values.word(args[n]) as usize)?;
        made[added.slot] = Some(Passed::Entry(Entry::Tensor(Box::new(sum))));
        Ok(())
    }

    /// An array with a part added to it or in its place, as an instruction says, of which these are the numbers among its arguments.
    fn put(
        &self,
        place: Inst,
        whole: Tensor,
        part: &Tensor,
        number: impl Fn(usize) -> usize,
    ) -> Result<Tensor> {
        let row = &self.function.insts[place];
        let op = match row.op {
            Op::Call(callee) => callee.host_op(),
            _ => None,
        };
        let op = op.ok_or_else(unmade)?;
        let (axis, start) = (number(1), number(2));
        let range = match op {
            HostOp::UnsliceAxis | HostOp::ReplaceAxis => (start, number(3), number(4)),
            _ => {
                let count = part.shape().get(axis).copied().unwrap_or(0);
                (start, start.saturating_add(count), 1)
            }
        };
        let name = Symbol::from_static(op.name());
        trace::written(part.device(), name, self.function.name, || {
            let made = host::placed(row.span, || match op {
                HostOp::ReplaceAxis => whole.replaced(axis, range, part),
                _ => whole.add_unsliced(axis, range, part),
            })?;
            trace::operation(op);
            Ok(made)
        })
    }

    /// Runs one kernel on a GPU.
    fn stage(
        &self,
        host: &ArrayHost,
        plan: &Plan,
        stage: &Stage,
        made: &mut Slots,
        values: &Values,
    ) -> Result<()> {
        if stage.indices().next().is_some()
            && let Some(error) = self.wrong_index(host, plan, made)
        {
            return Err(error);
        }
        let mut read: SmallVec<[Read; 8]> = SmallVec::new();
        for given in &stage.inputs {
            if let Given::Product(product) = given {
                read.push(self.product(host, product, made)?);
            } else if let Some(slot) = given.slot() {
                let tensor = passed(made, slot)?.tensor(host)?;
                read.push(Read::Array(match given {
                    Given::Windowed(own) => tensor.skip(own.skipped(&tensor.view().strides)),
                    _ => tensor,
                }));
            }
        }
        let mut arrays = read.iter();
        let mut inputs: SmallVec<[KernelInput; 8]> = SmallVec::new();
        for (given, &param) in stage.inputs.iter().zip(stage.body.params()) {
            let scalar = |bits| KernelInput::Scalar(bits, stage.body.ty(param));
            inputs.push(match given {
                Given::Inside(inside) => scalar(inside.one),
                Given::Slot(..) | Given::Windowed(_) | Given::Gathered(_) | Given::Product(_) => {
                    arrays.next().ok_or_else(unmade)?.input()
                }
                Given::Hidden(bits) => scalar(*bits),
                Given::Number(value) => scalar(values.word(*value)),
            });
        }
        let strides = || read.iter().map(Read::strides);
        let ready = self.ready(stage, strides())?;
        ready.check(strides())?;
        let device = host.device()?;
        let work = trace::Work {
            kernel: &ready.program.kernel,
            product: read.iter().find_map(Read::work),
        };
        let run = || device.backend().kernel(&ready.program, &inputs);
        let buffers = trace::kernel(&device, work, self.function.name, run)?;
        for (buffer, output) in buffers.into_iter().zip(&stage.outputs) {
            let tensor = Box::new(output.tensor(&device, buffer));
            made[output.slot] = Some(Passed::Entry(Entry::Tensor(tensor)));
        }
        Ok(())
    }

    /// The product that a kernel takes as it is made. If all its rows or all its columns are equal, it is made first instead: one of them is computed.
    fn product(&self, host: &ArrayHost, product: &Product, made: &Slots) -> Result<Read> {
        let site = self.sites.get(&product.inst).ok_or_else(unmade)?;
        let SiteOp::Host(op) = site.op else {
            return Err(unmade());
        };
        let [a, b] = product.factors.map(|slot| passed(made, slot)?.tensor(host));
        host::placed(site.span, || {
            let (a, b) = (a?, b?);
            let factors = a.factors(op, &b)?;
            if factors.repeats() {
                return Ok(Read::Array(a.product(op, &b)?));
            }
            let strides = dense_strides(&factors.shape());
            Ok(Read::Product(factors, strides))
        })
    }

    /// Runs one kernel on the CPU. It reads arrays where they are. Its results are small arrays of the call if all are small, or have memory of
    /// their own, or that of arrays which the steps behind it forget.
    fn cpu_stage(
        &self,
        host: &ArrayHost,
        stage: &Stage,
        following: &[Step],
        made: &mut Slots,
        values: &Values,
    ) -> Result<()> {
        let entries = host.entries();
        let slots = stage.inputs.iter().filter_map(Given::slot);
        let ready = match stage.ready.get() {
            Some(ready) => ready,
            None => {
                let strides = slots.map(|slot| entry(made, &entries, slot)?.strides());
                let strides = strides.collect::<Result<Vec<_>>>()?;
                self.ready(stage, strides.into_iter())?
            }
        };
        let Lanes { kernel, over } = ready.lanes(stage, following)?;
        let over = overwritten(over, made);
        let mut slab = host.slab();
        let start = slab.room(8 * stage.room.unwrap_or(0))?;
        let (before, room) = slab.split(start);
        let mut expected = ready.strides.iter();
        let mut sources: SmallVec<[Source; 8]> = SmallVec::new();
        for (n, given) in stage.inputs.iter().enumerate() {
            sources.push(match given {
                Given::Hidden(bits) => Source::number(bits),
                Given::Number(value) => {
                    Source::number(values.of(*value).first().ok_or_else(unmade)?)
                }
                Given::Inside(inside) => Source::number(&inside.one),
                Given::Slot(..) | Given::Windowed(_) | Given::Gathered(_) | Given::Product(_) => {
                    let strides = expected.next();
                    if over.iter().any(|own| own.input == n) {
                        // The kernel reads this array in the memory of its output. Its strides need no look: only dense arrays are overwritten, and the kernel
                        // was made for dense elements.
                        sources.push(Source::number(&0));
                        continue;
                    }
                    let entry = entry(made, &entries, given.slot().ok_or_else(unmade)?)?;
                    if strides != Some(entry.strides()?) {
                        return Err(moved());
                    }
                    let mut source = source(entry, before)?;
                    if let (Given::Windowed(own), Some(strides)) = (given, strides) {
                        source.start = source.start.wrapping_add(own.skipped(strides));
                    }
                    source
                }
            });
        }
        let (work, name) = (trace::Work::of(&ready.program.kernel), self.function.name);
        if stage.room.is_none() {
            let run = || cpu::lanes::run(kernel, &sources, over);
            let buffers = trace::kernel(&CPU, work, name, run)?;
            drop(sources);
            for (buffer, output) in buffers.into_iter().zip(&stage.outputs) {
                let tensor = output.tensor(&CPU, buffer);
                made[output.slot] = Some(Passed::Entry(Entry::Tensor(Box::new(tensor))));
            }
            return Ok(());
        }
        trace::kernel(&CPU, work, name, || kernel.run_into(&sources, room))?;
        drop(sources);
        let mut at = start;
        for output in &stage.outputs {
            let layout = output.layout;
            let words = layout.bytes.div_ceil(8);
            made[output.slot] = Some(Passed::Entry(Entry::Small(Small { layout, at })));
            at += words;
        }
        Ok(())
    }

    /// The kernel of a stage; the first call compiles it.
    fn ready<'s, 'd>(
        &self,
        stage: &'s Stage,
        strides: impl Iterator<Item = &'d Dims>,
    ) -> Result<&'s Ready> {
        match stage.ready.get() {
            Some(ready) => Ok(ready),
            None => {
                let ready = Ready::new(self, stage, strides.cloned().collect())?;
                Ok(stage.ready.get_or_init(|| ready))
            }
        }
    }
}

/// What a kernel of a GPU reads.
enum Read {
    Array(Tensor),
    /// A product as it is made, with the strides of the array that it would be.
    Product(Factors, Dims),
}

impl Read {
    fn input(&self) -> KernelInput<'_> {
        match self {
            Read::Array(tensor) => KernelInput::View(tensor.view()),
            Read::Product(factors, _) => KernelInput::Product(&factors.left, &factors.right),
        }
    }
    fn strides(&self) -> &Dims {
        match self {
            Read::Array(tensor) => &tensor.view().strides,
            Read::Product(_, strides) => strides,
        }
    }
    /// What a product moves and computes.
    fn work(&self) -> Option<trace::Product> {
        match self {
            Read::Array(_) => None,
            Read::Product(factors, _) => Some(factors.work()),
        }
    }
}

impl Passed {
    /// The array as a result.
    fn handle(self, host: &ArrayHost) -> Result<u64> {
        match self {
            // Whoever takes a result for its own must be its only owner.
            Passed::Handle(handle) => host.enter_again(handle),
            Passed::Entry(entry) => Ok(host.enter(entry)),
        }
    }
    /// The array, in memory of its own.
    fn tensor(&self, host: &ArrayHost) -> Result<Tensor> {
        match self {
            Passed::Handle(handle) => host.get(*handle)?.ok_or_else(unmade),
            Passed::Entry(Entry::Tensor(tensor)) => Ok(Tensor::clone(tensor)),
            Passed::Entry(Entry::Small(small)) => host.slab().tensor(small),
            Passed::Entry(Entry::Gone) => Err(unmade()),
        }
    }
}

/// Where a kernel reads an array, given what is in the slab before its results.
fn source<'a>(entry: &'a Entry, before: &'a [u64]) -> Result<Source<'a>> {
    match entry {
        Entry::Small(small) => Ok(Source {
            bytes: bytemuck::cast_slice(before.get(small.at..).ok_or_else(unmade)?),
            start: 0,
        }),
        Entry::Tensor(tensor) => Ok(Source {
            bytes: memory::bytes(tensor.view())?,
            start: tensor.view().offset,
        }),
        Entry::Gone => Err(unmade()),
    }
}

/// The array of a slot, which is in the table if the slot has its handle.
fn entry<'a>(made: &'a Slots, entries: &'a [Entry], slot: usize) -> Result<&'a Entry> {
    match passed(made, slot)? {
        Passed::Handle(handle) => entries.get(*handle as usize - 1).ok_or_else(unmade),
        Passed::Entry(entry) => Ok(entry),
    }
}

/// Whether the next steps forget the array of a slot.
fn is_forgotten(slot: usize, following: &[Step]) -> bool {
    let mut forgotten = { following.iter() }.map_while(|step| match step {
        Step::Forget(slot) => Some(*slot),
        _ => None,
    });
    forgotten.any(|forgotten| forgotten == slot)
}

/// A kernel of the CPU as machine code.
struct Lanes {
    kernel: Arc<LaneKernel>,
    /// The arrays whose memory its results may have.
    over: SmallVec<[Over; 2]>,
}

/// An input that a kernel may overwrite. It is read once, and nothing behind the kernel reads the array of the slot.
struct Over {
    slot: usize,
    input: usize,
    output: usize,
}

impl Lanes {
    fn new(program: &KernelProgram, stage: &Stage, following: &[Step]) -> Result<Lanes> {
        let kernel = cpu::lanes::compiled(program)?;
        let mut over: SmallVec<[Over; 2]> = SmallVec::new();
        for &(input, output) in kernel.overwrites() {
            let Given::Slot(slot, _) = stage.inputs[input] else {
                continue;
            };
            let reads = stage.inputs.iter().flat_map(Given::slots);
            let is_read_once = reads.filter(|&read| read == slot).count() == 1;
            let is_free = { over.iter() }.all(|own| own.output != output && own.input != input);
            // Small arrays have no memory of their own.
            if stage.room.is_none() && is_free && is_read_once && is_forgotten(slot, following) {
                over.push(Over {
                    slot,
                    input,
                    output,
                });
            }
        }
        Ok(Lanes { kernel, over })
    }
}

/// Takes the arrays out of their slots that a kernel may overwrite and that nobody else has. So a sum of gradients in a loop is computed in one place.
fn overwritten(over: &[Over], made: &mut Slots) -> SmallVec<[Overwritten; 2]> {
    let mut taken: SmallVec<[Overwritten; 2]> = SmallVec::new();
    for own in over {
        if let Some(Passed::Entry(Entry::Tensor(tensor))) = &mut made[own.slot]
            && tensor.has_own_memory()
        {
            let buffer = tensor.view().buffer.clone();
            made[own.slot] = None;
            taken.push(Overwritten {
                input: own.input,
                output: own.output,
                buffer,
            });
        }
    }
    taken
}

fn passed(made: &Slots, slot: usize) -> Result<&Passed> {
    made[slot].as_ref().ok_or_else(unmade)
}

/// A stage's kernel for the strides of its inputs.
pub struct Ready {
    program: KernelProgram,
    /// The program as machine code, on the CPU.
    lanes: OnceLock<Lanes>,
    strides: Vec<Dims>,
}

impl Ready {
    fn new(cluster: &Cluster, stage: &Stage, strides: Vec<Dims>) -> Result<Ready> {
        let (kernel, registry) = (stage.kernel(&strides)?, &cluster.registry);
        if cfg!(debug_assertions) {
            crate::kernel::check(&kernel, &|name, types| registry.call_type(name, types))?;
        }
        let mut program = KernelProgram::new(kernel, registry.clone());
        for (own, given) in program.uses.iter_mut().zip(&stage.inputs) {
            if let Given::Gathered(gathered) = given {
                *own = Some(cluster.index_use(&gathered.index)?);
            }
        }
        if let (Some(scatter), Some(index)) = (program.kernel.scatter(), &stage.scattered) {
            program.uses[scatter.by] = Some(cluster.index_use(index)?);
        }
        Ok(Ready {
            program,
            lanes: OnceLock::new(),
            strides,
        })
    }
    /// The kernel as machine code, which the first call compiles. `following` are the steps behind it.
    fn lanes(&self, stage: &Stage, following: &[Step]) -> Result<&Lanes> {
        match self.lanes.get() {
            Some(lanes) => Ok(lanes),
            None => {
                let compiled = Lanes::new(&self.program, stage, following)?;
                Ok(self.lanes.get_or_init(|| compiled))
            }
        }
    }
    /// The strides of a signature's arguments decide those of all arrays in between; other ones would be read wrongly.
    fn check<'s>(&self, strides: impl Iterator<Item = &'s Dims>) -> Result<()> {
        match self.strides.iter().eq(strides) {
            true => Ok(()),
            false => Err(moved()),
        }
    }
}

fn moved() -> Error {
    Error::Internal("an array of a cluster lies in memory in another way than before".into())
}

fn unmade() -> Error {
    Error::Internal("a step of a cluster reads what no step has made".into())
}

fn constant(c: Const, ty: Type) -> Result<Words> {
    match c {
        Const::Unit => Ok(Words::new()),
        Const::Null => Ok(Words::from_elem(0, 1)),
        c => {
            let wrong = || Error::Internal(format!("{c:?} is not a constant of type {ty}"));
            Ok(Words::from_elem(to_bits(c, ty).ok_or_else(wrong)?, 1))
        }
    }
}

/// The whole numbers of a cluster that say where a part of an array begins, and nothing else: shapes do not depend on them, so one plan serves a loop
/// over the parts of an array.
fn positions(function: &Function) -> FxHashSet<Value> {
    let insts = &function.blocks[function.entry()].insts;
    let is_whole = |&value: &Value| {
        let ty = function.ty(value);
        ty.is_scalar() && !ty.is_float()
    };
    let made = insts.iter().map(|&inst| function.insts[inst].result);
    let numbers = function.params().iter().copied().chain(made);
    let mut positions: FxHashSet<Value> = numbers.filter(is_whole).collect();
    for &inst in insts.iter().rev() {
        let row = &function.insts[inst];
        let host = match row.op {
            Op::Call(callee) => callee.host_op(),
            _ => None,
        };
        let begins = matches!(
            host,
            Some(HostOp::Narrow | HostOp::NarrowLike | HostOp::Place)
        );
        // What is replaced may end a constant number of places behind where it begins.
        let is_replaced = host == Some(HostOp::ReplaceAxis)
            && Linear::distance(function, row.args[2], row.args[3]).is_some();
        let makes_position = matches!(row.op, Op::Prim(_)) && positions.contains(&row.result);
        for (n, arg) in row.args.iter().enumerate() {
            let is_place = (begins || is_replaced) && n == 2 || is_replaced && n == 3;
            if !(makes_position || is_place) {
                positions.remove(arg);
            }
        }
        // What the host says is known from shapes.
        if host.is_some() || matches!(row.op, Op::Const(_)) {
            positions.remove(&row.result);
        }
    }
    positions
}

/// The shape of a value's array; `None` if it is absent or no array.
fn shape_of(host: &ArrayHost, words: &[u64], ty: Type) -> Result<Option<Dims>> {
    match ty {
        Type::Array(_) => Ok(host.get(words[0])?.map(|tensor| tensor.shape().into())),
        _ => Ok(None),
    }
}

/// The scalar function of a map in a cluster.
fn mapped(site: &Site) -> Option<&ScalarFunction> {
    match &site.op {
        SiteOp::Map(function) => Some(function),
        _ => None,
    }
}
