//! Plans of nothing but small kernels, with all decided that layouts decide.
//!
//! A loop over arrays of eight elements asks for a kernel every hundred nanoseconds. What [`Cluster::run`] does for any plan takes longer than
//! that: it passes arrays from step to step, compares strides, and makes room for one result after the other. A [`Quick`] plan knows the
//! layout of every array, so the results of all kernels have fixed places in one piece of the slab, and inputs are found by number.

use super::plan::{Given, Plan, Stage, Step, Written};
use super::{CPU, Cluster, Known, Ready, constant, number, rooms, source, unmade};
use crate::arena::Id;
use crate::array::backend::Dims;
use crate::array::cluster::nodes::Arg;
use crate::array::cluster::trace;
use crate::array::cpu::lanes;
use crate::array::host::{ArrayHost, Entry};
use crate::array::small::{Layout, Small};
use crate::diag::Result;
use crate::exec::{LaneKernel, Source};
use crate::ir::{Op, Prim, Value};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::Arc;

/// A plan of small kernels for arguments whose layouts are known.
pub struct Quick {
    kernels: Vec<Kernel>,
    /// Numbers that are arrays: where they are in the room, and their bits.
    fills: Vec<(usize, u64)>,
    /// The words that all results of the kernels take.
    room: usize,
    results: Vec<Output>,
}

struct Kernel {
    code: Arc<LaneKernel>,
    /// Its place among the steps of the plan.
    step: usize,
    inputs: SmallVec<[Input; 8]>,
    /// The first word of its results, which lie one after another.
    at: usize,
    /// The bytes of each result.
    outputs: SmallVec<[usize; 4]>,
}

/// Where a kernel finds an input.
enum Input {
    /// The array of an argument.
    Array(usize),
    /// The array that begins at this word of the room.
    Made(usize),
    /// The word of an argument.
    Word(usize),
    /// These bits.
    Bits(u64),
}

/// A word that the cluster gives.
enum Output {
    /// The array that begins at this word of the room.
    Made(usize, Arc<Layout>),
    /// The array of an argument.
    Array(usize),
    /// The one element, of so many bytes, of the array that begins at this word of the room.
    Item(usize, usize),
    /// The word of an argument.
    Word(usize),
    /// These bits.
    Bits(u64),
}

/// An array while a plan is read.
#[derive(Clone)]
struct Seen {
    from: From,
    layout: Arc<Layout>,
}

#[derive(Clone, Copy)]
enum From {
    Array(usize),
    Made(usize),
}

impl Quick {
    /// The quick plan for arguments with these layouts; `None` if some step of the plan is none of a small kernel's.
    pub fn new(
        cluster: &Cluster,
        plan: &Plan,
        layouts: &[Option<Arc<Layout>>],
    ) -> Result<Option<Quick>> {
        let mut reader = Reader {
            cluster,
            plan,
            layouts,
            seen: HashMap::new(),
            items: HashMap::new(),
            constants: plan.known.iter().copied().collect(),
            quick: Quick {
                kernels: Vec::new(),
                fills: Vec::new(),
                room: 0,
                results: Vec::new(),
            },
        };
        for (number, step) in plan.steps.iter().enumerate() {
            if !reader.step(number, step)? {
                return Ok(None);
            }
        }
        Ok(Some(reader.quick))
    }

    /// Computes the results.
    pub fn run(
        &self,
        cluster: &Cluster,
        plan: &Plan,
        host: &ArrayHost,
        args: &[u64],
        results: &mut [u64],
    ) -> Result<()> {
        let base = self.kernels(cluster, plan, host, args)?;
        for (result, output) in results.iter_mut().zip(&self.results) {
            *result = match output {
                Output::Made(at, layout) => {
                    let (layout, at) = (layout.clone(), base + at);
                    host.enter(Entry::Small(Small { layout, at }))
                }
                Output::Array(arg) => host.enter_again(args[*arg])?,
                Output::Item(at, size) => host.slab().bits(base + at, *size),
                Output::Word(arg) => args[*arg],
                Output::Bits(bits) => *bits,
            };
        }
        Ok(())
    }

    /// Runs the kernels; gives where the room begins.
    fn kernels(
        &self,
        cluster: &Cluster,
        plan: &Plan,
        host: &ArrayHost,
        args: &[u64],
    ) -> Result<usize> {
        let entries = host.entries();
        let mut slab = host.slab();
        let base = slab.room(8 * self.room)?;
        for &(at, bits) in &self.fills {
            slab.split(base + at).1[..8].copy_from_slice(&bits.to_le_bytes());
        }
        for kernel in &self.kernels {
            let (before, free) = slab.split(base + kernel.at);
            let mut sources: SmallVec<[Source; 8]> = SmallVec::new();
            for input in &kernel.inputs {
                sources.push(match input {
                    Input::Made(at) => Source {
                        bytes: bytemuck::cast_slice(&before[base + at..]),
                        start: 0,
                    },
                    Input::Array(arg) => {
                        let entry = entries.get((args[*arg] as usize).wrapping_sub(1));
                        source(entry.ok_or_else(unmade)?, before)?
                    }
                    Input::Word(arg) => number(&args[*arg]),
                    Input::Bits(bits) => number(bits),
                });
            }
            let mut outputs = rooms(free, kernel.outputs.iter().copied());
            let run = || kernel.code.run(&sources, &mut outputs);
            match &plan.steps[kernel.step] {
                Step::Kernel(stage) => {
                    let ready = stage.ready.get().ok_or_else(unmade)?;
                    trace::kernel(&CPU, &ready.program.kernel, cluster.function.name, run)?
                }
                _ => return Err(unmade()),
            }
        }
        Ok(base)
    }
}

/// Reads a plan.
struct Reader<'a> {
    cluster: &'a Cluster,
    plan: &'a Plan,
    /// Of the arguments that are arrays.
    layouts: &'a [Option<Arc<Layout>>],
    /// The arrays in slots.
    seen: HashMap<usize, Seen>,
    /// Numbers that are the one element of an array: the word of the room, and the bytes.
    items: HashMap<Value, (usize, usize)>,
    /// Constants.
    constants: HashMap<Value, u64>,
    quick: Quick,
}

impl Reader<'_> {
    /// Reads a step; false if a quick plan cannot have it.
    fn step(&mut self, number: usize, step: &Step) -> Result<bool> {
        match step {
            Step::Take(value, slot) => {
                let arg = self.cluster.places[value.index()].start;
                if let Some(Some(layout)) = self.layouts.get(arg) {
                    let seen = Seen {
                        from: From::Array(arg),
                        layout: layout.clone(),
                    };
                    self.seen.insert(*slot, seen);
                }
                Ok(true)
            }
            Step::Kernel(stage) if stage.room.is_some() => self.kernel(number, stage),
            Step::View(view) => {
                let Some(of) = self.seen.get(&view.of).cloned() else {
                    return Ok(false);
                };
                let layout = of.layout.seen_as(&view.shape, &view.axes);
                let seen = Seen {
                    from: of.from,
                    layout: Arc::new(layout),
                };
                self.seen.insert(view.slot, seen);
                Ok(true)
            }
            Step::Fill(fill) => {
                let Arg::Const(c, ty) = fill.with else {
                    return Ok(false);
                };
                let (at, layout) = (self.quick.room, fill.layout.clone());
                self.quick.fills.push((at, constant(c, ty)?[0]));
                self.quick.room += 1;
                let from = From::Made(at);
                self.seen.insert(fill.slot, Seen { from, layout });
                Ok(true)
            }
            Step::Forget(_) => Ok(true),
            Step::Number(value, slot) => match self.seen.get(slot) {
                Some(Seen {
                    from: From::Made(at),
                    layout,
                }) => {
                    self.items.insert(*value, (*at, layout.size()));
                    Ok(true)
                }
                _ => Ok(false),
            },
            Step::Operation(written) => {
                let row = &self.cluster.function.insts[written.inst];
                if let Op::Const(c) = row.op {
                    let words = constant(c, self.cluster.function.ty(row.result))?;
                    let one = words.first().filter(|_| words.len() == 1);
                    self.constants.extend(one.map(|&word| (row.result, word)));
                    return Ok(one.is_some());
                }
                Ok(self.results(number, written))
            }
            Step::Kernel(_) | Step::Add(_) | Step::Positions(_) | Step::Index(_) => Ok(false),
        }
    }

    fn kernel(&mut self, step: usize, stage: &Stage) -> Result<bool> {
        let mut inputs = SmallVec::new();
        let mut strides: Vec<Dims> = Vec::new();
        for given in &stage.inputs {
            inputs.push(match given {
                Given::Hidden(bits) => Input::Bits(*bits),
                Given::Number(value) => match self.number(*value) {
                    Some(input) => input,
                    None => return Ok(false),
                },
                Given::Slot(slot, _) => {
                    let Some(seen) = self.seen.get(slot) else {
                        return Ok(false);
                    };
                    strides.push(seen.layout.strides.clone());
                    match seen.from {
                        From::Array(arg) => Input::Array(arg),
                        From::Made(at) => Input::Made(at),
                    }
                }
            });
        }
        let ready: &Ready = self.cluster.ready(stage, strides.iter())?;
        ready.check(strides.iter())?;
        let at = self.quick.room;
        for output in &stage.outputs {
            let seen = Seen {
                from: From::Made(self.quick.room),
                layout: output.layout.clone(),
            };
            self.quick.room += output.layout.bytes.div_ceil(8);
            self.seen.insert(output.slot, seen);
        }
        self.quick.kernels.push(Kernel {
            code: lanes::compiled(&ready.program)?,
            step,
            inputs,
            at,
            outputs: stage.outputs.iter().map(|made| made.layout.bytes).collect(),
        });
        Ok(true)
    }

    /// A number that is known when the cluster is called, or that one of its kernels makes.
    fn number(&self, value: Value) -> Option<Input> {
        if let Some(&bits) = self.constants.get(&value) {
            return Some(Input::Bits(bits));
        }
        if let Some(&(at, _)) = self.items.get(&value) {
            return Some(Input::Made(at));
        }
        let place = self.cluster.places[value.index()].clone();
        (place.len() == 1 && place.end <= self.layouts.len()).then_some(Input::Word(place.start))
    }

    /// Reads the tuple of all results, which is the last operation of a cluster; false if it is another one.
    fn results(&mut self, number: usize, written: &Written) -> bool {
        let row = &self.cluster.function.insts[written.inst];
        let later = &self.plan.steps[number + 1..];
        let is_last = later.iter().all(|step| matches!(step, Step::Forget(_)));
        if row.op != Op::Prim(Prim::Tuple) || !is_last {
            return false;
        }
        for &arg in &row.args {
            let lent = written.lent.iter().find(|(lent, _)| *lent == arg);
            if let Some((_, slot)) = lent {
                let Some(seen) = self.seen.get(slot) else {
                    return false;
                };
                let layout = seen.layout.clone();
                self.quick.results.push(match seen.from {
                    From::Made(at) => Output::Made(at, layout),
                    // An array with other axes needs a handle of its own kind.
                    From::Array(arg) if Some(&layout) == self.layouts[arg].as_ref() => {
                        Output::Array(arg)
                    }
                    From::Array(_) => return false,
                });
                continue;
            }
            if let Some(&(at, size)) = self.items.get(&arg) {
                self.quick.results.push(Output::Item(at, size));
                continue;
            }
            let place = self.cluster.places[arg.index()].clone();
            match self.number(arg) {
                Some(Input::Bits(bits)) => self.quick.results.push(Output::Bits(bits)),
                _ if place.end <= self.layouts.len() => {
                    self.quick.results.extend(place.map(Output::Word));
                }
                _ => return false,
            }
        }
        true
    }
}

impl Known {
    /// The layouts of the arguments that are arrays.
    pub fn layouts(&self) -> Vec<Option<Arc<Layout>>> {
        let layouts = self.args.iter().map(|expected| match expected {
            super::Expected::Array(layout) => Some(layout.clone()),
            _ => None,
        });
        layouts.collect()
    }
}
