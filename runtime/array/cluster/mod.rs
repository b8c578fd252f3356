//! Clusters of array operations: done together, in as few kernels as their shapes allow.
//!
//! A cluster is a straight line of array operations (`opt::cluster`). The first call with arguments of given shapes does one operation
//! after the other, as they are written: what is wrong about shapes is found there, and all shapes are known afterwards. From them a [`Plan`]
//! is made (`nodes`, `plan`), which serves this call and all later ones with arguments of the same shapes.
//!
//! The device of the context computes the kernels. Where some arrays are in the device's memory and others in the host's, because the device
//! cannot hold their elements, operations are done as they are written.

mod nodes;
mod plan;
pub mod trace;

use super::backend::{Dims, KernelInput, KernelProgram, View};
use super::device::Device;
use super::host::ArrayHost;
use super::tensor::Tensor;
use crate::arena::Id;
use crate::diag::{Error, Result};
use crate::exec::{Host, ScalarFunction, Site, SiteOp};
use crate::ir::eval::{evaluate, from_bits, to_bits};
use crate::ir::{Const, Function, Inst, Op, Prim, Terminator, Type, Value};
use crate::kernel::{Input, Kernel, Output, PerAxis};
use crate::registry::{HostOp, Registry};
use nodes::Arg;
use plan::{Given, Plan, Stage, Step, Written};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The words of one value: a tuple has several.
type Words = SmallVec<[u64; 2]>;

/// A cluster, and the plans that were made for it.
pub struct Cluster {
    function: Function,
    registry: Arc<Registry>,
    /// By instruction: what to ask the host for.
    sites: HashMap<Inst, Site>,
    /// The types of the elements of its arrays.
    elements: SmallVec<[Type; 4]>,
    /// The types of the words of the arguments.
    params: SmallVec<[Type; 8]>,
    /// Where the words of each value are.
    places: Vec<Range<usize>>,
    /// How many words there are.
    width: usize,
    plans: Mutex<FxHashMap<Signature, Arc<Plan>>>,
}

/// The words of all values of a cluster, in one call: first those of the arguments.
#[derive(Clone)]
pub struct Values<'c> {
    places: &'c [Range<usize>],
    words: SmallVec<[u64; 64]>,
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
        let mut sites = HashMap::new();
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
                Op::Call(name) => match HostOp::from_name(name.as_str()) {
                    Some(op) => (SiteOp::Host(op), name),
                    None => return Err(Error::Internal(format!("@{name} is in a cluster"))),
                },
                Op::Const(_) | Op::Prim(_) => continue,
            };
            let site = Site {
                op,
                name,
                params: row.args.iter().map(|&v| function.ty(v)).collect(),
                ret: function.ty(row.result),
                span: row.span,
            };
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
        let params = function.params().iter().map(|&param| function.ty(param));
        Ok(Cluster {
            elements,
            params: params.flat_map(crate::tangent::leaves).collect(),
            places,
            width: end,
            function: function.clone(),
            registry: source.registry.clone(),
            sites,
            plans: Mutex::default(),
        })
    }

    /// Computes the cluster's results.
    pub fn call(&self, host: &ArrayHost, args: &[u64], results: &mut [u64]) -> Result<()> {
        if args.len() != self.params.len() {
            return Err(Error::Internal(
                "a cluster was given other arguments".into(),
            ));
        }
        let mut values = Values {
            places: &self.places,
            words: SmallVec::from_elem(0, self.width),
        };
        values.words[..args.len()].copy_from_slice(args);
        let device = host.device()?;
        let mut signature = Signature::new();
        if !self.sign(host, &device, args, &mut signature)? {
            self.one_by_one(host, &mut values)?;
            return self.give(&values, results);
        }
        let plans = || self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let known = plans().get(&signature).cloned();
        let plan = match known {
            Some(plan) => plan,
            None => {
                let mark = host.mark();
                let mut first = values.clone();
                let (done, ran) = trace::watched(|| self.one_by_one(host, &mut first));
                done?;
                let plan = Arc::new(plan::make(self, host, &first)?);
                let mut plans = plans();
                if plans.len() >= MOST_PLANS || plan.is_as_written() {
                    if plans.len() < MOST_PLANS {
                        plans.insert(signature, plan);
                    }
                    drop(plans);
                    // So it was no rehearsal.
                    trace::note(|| ran);
                    return self.give(&first, results);
                }
                host.release(mark);
                plans.insert(signature, plan.clone());
                plan
            }
        };
        match plan.is_as_written() {
            true => self.one_by_one(host, &mut values)?,
            false => self.run(host, &device, &plan, &mut values)?,
        }
        self.give(&values, results)
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
        for (&word, ty) in args.iter().zip(&self.params) {
            match ty {
                Type::Array(_) => {
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
                float if float.is_float() => {}
                _ => signature.push(word),
            }
        }
        Ok(true)
    }

    /// Whether all arrays of the cluster are in the device's own memory: elements that a device cannot hold are in the host's.
    fn has_one_home(&self, device: &Device) -> bool {
        let at_host = |&ty: &Type| device.is_host_for(ty);
        !device.is_gpu() || !self.elements.iter().any(at_host)
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
                crate::exec::Host::call(host, &self.sites[&inst], &args, &mut made)?;
                made
            }
        };
        values.set(row.result, &made);
        Ok(())
    }

    /// What goes along with array operations: numbers, and tuples taken apart.
    fn scalar(&self, prim: Prim, inst: Inst, values: &Values) -> Result<Words> {
        let row = &self.function.insts[inst];
        let ty = self.function.ty(row.result);
        let words = || row.args.iter().map(|&arg| values.of(arg));
        match prim {
            Prim::Tuple => Ok(words().flatten().copied().collect()),
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
    fn run(
        &self,
        host: &ArrayHost,
        device: &Device,
        plan: &Plan,
        values: &mut Values,
    ) -> Result<()> {
        let mut made: SmallVec<[Option<Tensor>; 4]> = SmallVec::new();
        made.resize_with(plan.slots, || None);
        for &(value, word) in &plan.known {
            values.set(value, &[word]);
        }
        for step in &plan.steps {
            match step {
                Step::Operation(written) => {
                    self.written(host, device, written, &mut made, values)?;
                }
                Step::Kernel(stage) => self.stage(device, stage, &mut made, values)?,
                Step::Number(value, slot) => {
                    let tensor = made[*slot].as_ref().ok_or_else(unmade)?;
                    values.set(*value, &[tensor.item()?]);
                }
                Step::View(view) => {
                    let of = made[view.of].as_ref().ok_or_else(unmade)?;
                    made[view.slot] = Some(of.seen_as(&view.shape, &view.axes));
                }
                Step::Take(value, slot) => made[*slot] = host.get(values.word(*value))?,
                Step::Fill(fill) => {
                    let bits = match fill.with {
                        Arg::Number(value) => values.word(value),
                        Arg::Const(c, ty) => constant(c, ty)?[0],
                        Arg::Node(_) => return Err(unmade()),
                    };
                    let filled = Tensor::full(device, bits, fill.ty, &fill.shape)?;
                    made[fill.slot] = Some(filled);
                }
                Step::Forget(slot) => made[*slot] = None,
            }
        }
        Ok(())
    }

    /// Does an operation as it is written.
    fn written(
        &self,
        host: &ArrayHost,
        device: &Device,
        written: &Written,
        made: &mut [Option<Tensor>],
        values: &mut Values,
    ) -> Result<()> {
        let mark = host.mark();
        for &(arg, slot) in &written.lent {
            let tensor = made[slot].clone().ok_or_else(unmade)?;
            values.set(arg, &[host.put(tensor)]);
        }
        let inst = written.inst;
        match self.sites.get(&inst) {
            Some(site) => trace::written(device, site.name, self.function.name, || {
                self.operation(host, inst, values)
            })?,
            // A number, or a part of a tuple.
            None => self.operation(host, inst, values)?,
        }
        if let Some(slot) = written.taken {
            let result = self.function.insts[written.inst].result;
            if let Some(tensor) = host.get(values.word(result))? {
                host.release(mark);
                made[slot] = Some(tensor);
            }
        }
        Ok(())
    }

    /// Runs one kernel.
    fn stage(
        &self,
        device: &Device,
        stage: &Stage,
        made: &mut [Option<Tensor>],
        values: &Values,
    ) -> Result<()> {
        let mut inputs: SmallVec<[KernelInput; 8]> = SmallVec::new();
        for (given, &param) in stage.inputs.iter().zip(stage.body.params()) {
            let scalar = |bits| KernelInput::Scalar(bits, stage.body.ty(param));
            inputs.push(match given {
                Given::Slot(slot, _) => {
                    KernelInput::View(made[*slot].as_ref().ok_or_else(unmade)?.view())
                }
                Given::Hidden(bits) => scalar(*bits),
                Given::Number(value) => scalar(values.word(*value)),
            });
        }
        let ready = match stage.ready.get() {
            Some(ready) => ready,
            None => {
                let ready = Ready::new(stage, &inputs, &self.registry)?;
                stage.ready.get_or_init(|| ready)
            }
        };
        ready.check(&inputs)?;
        let run = || device.backend().kernel(&ready.program, &inputs);
        let buffers = trace::kernel(device, &ready.program.kernel, self.function.name, run)?;
        drop(inputs);
        for (buffer, output) in buffers.into_iter().zip(&stage.outputs) {
            let view = View {
                buffer,
                ty: output.ty,
                offset: 0,
                shape: output.shape.clone(),
                strides: output.strides.clone(),
            };
            made[output.slot] = Some(Tensor::of(device, view));
        }
        Ok(())
    }
}

/// A stage's kernel for the strides of its inputs.
pub struct Ready {
    program: KernelProgram,
    strides: Vec<Dims>,
}

impl Ready {
    fn new(stage: &Stage, inputs: &[KernelInput], registry: &Arc<Registry>) -> Result<Ready> {
        let views: Vec<&View> = inputs.iter().filter_map(KernelInput::view).collect();
        let kernel = stage.kernel(&views)?;
        if cfg!(debug_assertions) {
            crate::kernel::check(&kernel, &|name, types| registry.call_type(name, types))?;
        }
        Ok(Ready {
            program: KernelProgram::new(kernel, registry.clone()),
            strides: views.iter().map(|view| view.strides.clone()).collect(),
        })
    }
    /// The strides of a signature's arguments decide those of all arrays in between; other ones would be read wrongly.
    fn check(&self, inputs: &[KernelInput]) -> Result<()> {
        let views = inputs.iter().filter_map(KernelInput::view);
        let strides = views.map(|view| &view.strides);
        match self.strides.iter().eq(strides) {
            true => Ok(()),
            false => Err(Error::Internal(
                "an array of a cluster lies in memory in another way than before".into(),
            )),
        }
    }
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

/// The kernel of a rectangle whose axes are those of a domain, with axes joined that lie one after the other in all inputs.
pub fn rectangle(
    domain: &[usize],
    reduced: Option<usize>,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    body: Function,
) -> Kernel {
    // Axes in the order of the outputs; the reduced one is last.
    let mut order: Vec<usize> = (0..domain.len())
        .filter(|&axis| Some(axis) != reduced)
        .collect();
    let columns = match reduced {
        Some(axis) => Some(axis),
        None => order.pop(),
    };
    let step = |input: &Input, axis: usize| input.steps[axis];
    // (extent, steps of the inputs)
    let mut rows: Vec<(usize, Vec<isize>)> = Vec::new();
    let mut join = |extent: usize, steps: Vec<isize>| {
        if extent == 1 {
            return;
        }
        if let Some((outer, outer_steps)) = rows.last_mut() {
            let joins = outer_steps
                .iter()
                .zip(&steps)
                .all(|(&a, &b)| a == b * extent as isize);
            if joins {
                *outer *= extent;
                *outer_steps = steps;
                return;
            }
        }
        rows.push((extent, steps));
    };
    for &axis in &order {
        join(
            domain[axis],
            inputs.iter().map(|input| step(input, axis)).collect(),
        );
    }
    let mut last = (1, vec![0; inputs.len()]);
    if let Some(axis) = columns {
        last = (
            domain[axis],
            inputs.iter().map(|input| step(input, axis)).collect(),
        );
        if reduced.is_none() {
            join(last.0, last.1.clone());
            last = rows.pop().unwrap_or(last);
        }
    }
    if rows.is_empty() {
        rows.push((1, vec![0; inputs.len()]));
    }
    let inputs = inputs.into_iter().enumerate().map(|(n, input)| Input {
        ty: input.ty,
        steps: rows
            .iter()
            .map(|(_, steps)| steps[n])
            .chain([last.1[n]])
            .collect(),
    });
    Kernel {
        rows: rows
            .iter()
            .map(|(extent, _)| *extent)
            .collect::<PerAxis<usize>>(),
        columns: last.0,
        inputs: inputs.collect(),
        outputs,
        body,
    }
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
