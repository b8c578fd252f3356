//! Plans of nothing but small kernels, with all decided that layouts decide.
//!
//! A loop over arrays of eight elements asks for a kernel every hundred nanoseconds. What [`Cluster::run`] does for any plan takes longer than
//! that: it passes arrays from step to step, compares strides, and makes room for one result after the other. A [`Quick`] plan knows the
//! layout of every array, so the results of all kernels have fixed places in one piece of the slab, and inputs are found by number.

use super::plan::{Added, Given, Plan, Stage, Step, Written};
use super::{CPU, Cluster, Known, Ready, constant, source, unmade};
use crate::arena::Id;
use crate::array::backend::Dims;
use crate::array::cluster::nodes::Arg;
use crate::array::cluster::trace;
use crate::array::cpu::lanes;
use crate::array::host::{ArrayHost, Entry};
use crate::array::small::{Layout, Small};
use crate::diag::Result;
use crate::exec::{LaneKernel, Source};
use crate::ir::{Inst, Op, Prim, Value};
use crate::registry::HostOp;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::Arc;

/// A plan of small kernels for arguments whose layouts are known.
pub struct Quick {
    kernels: Vec<Kernel>,
    /// Numbers that are arrays: where they are in the room, and their bits.
    fills: Vec<(usize, u64)>,
    /// Where parts of arrays begin.
    starts: Vec<Start>,
    /// The words that all results of the kernels take.
    room: usize,
    /// Results that are copied, once all kernels are done.
    copies: Vec<Copied>,
    /// What is added to parts of arguments, after that.
    sums: Vec<Sum>,
    results: Vec<Output>,
}

struct Kernel {
    code: Arc<LaneKernel>,
    /// Its place among the steps of the plan.
    step: usize,
    inputs: SmallVec<[Input; 8]>,
    /// The first word of its results, which lie one after another, each from a word on.
    at: usize,
}

/// Where a part of an array begins, counted from where another part or the whole does.
struct Start {
    /// The part that it is a part of.
    of: Option<usize>,
    /// The position along an axis.
    at: Position,
    /// The greatest that it may be.
    most: u64,
    /// The step along that axis, in elements.
    step: usize,
}

#[derive(Clone, Copy)]
enum Position {
    /// This word of the arguments.
    Word(usize),
    /// This one.
    Is(u64),
}

/// A result that is a part of an array, or an array with other axes. It would need a handle of its own kind, which takes longer to make than a copy of
/// so few bytes.
struct Copied {
    of: Input,
    /// The first word of the copy.
    at: usize,
    layout: &'static Layout,
}

/// Results of at most so many bytes are copied.
const COPIED: usize = 1 << 10;

/// The sum of an argument that nobody reads again and of an array at a part of it, or the argument with that part replaced.
struct Sum {
    /// The instruction that says where the part belongs.
    place: Inst,
    /// The argument.
    whole: usize,
    /// The word of the room where the array begins.
    part: usize,
    layout: &'static Layout,
    /// The numbers among the arguments of the instruction; 0 for its arrays.
    numbers: SmallVec<[Position; 6]>,
}

/// Where a kernel finds an input. A part of an array has the number of its start.
enum Input {
    /// The array of an argument.
    Array(usize, Option<usize>),
    /// The array that begins at this word of the room.
    Made(usize, Option<usize>),
    /// The word of an argument.
    Word(usize),
    /// These bits.
    Bits(u64),
}

/// A word that the cluster gives.
enum Output {
    /// The array that begins at this word of the room.
    Made(usize, &'static Layout),
    /// The array of an argument.
    Array(usize),
    /// The array of this sum.
    Sum(usize),
    /// The one element, of so many bytes, of the array that begins at this word of the room.
    Item(usize, usize),
    /// The word of an argument.
    Word(usize),
    /// These bits.
    Bits(u64),
}

/// An array while a plan is read.
#[derive(Clone, Copy)]
struct Seen {
    from: From,
    layout: &'static Layout,
    /// Where it begins, if it is a part of an array.
    start: Option<usize>,
}

#[derive(Clone, Copy)]
enum From {
    Array(usize),
    Made(usize),
}

impl Seen {
    fn input(&self) -> Input {
        match self.from {
            From::Array(arg) => Input::Array(arg, self.start),
            From::Made(at) => Input::Made(at, self.start),
        }
    }
}

impl Quick {
    /// The quick plan for arguments with these layouts; `None` if some step of the plan is none of a small kernel's.
    pub fn new(
        cluster: &Cluster,
        plan: &Plan,
        layouts: &[Option<&'static Layout>],
    ) -> Result<Option<Quick>> {
        let mut reader = Reader {
            cluster,
            plan,
            layouts,
            seen: HashMap::new(),
            items: HashMap::new(),
            constants: plan.known.iter().copied().collect(),
            sums: HashMap::new(),
            quick: Quick {
                kernels: Vec::new(),
                fills: Vec::new(),
                starts: Vec::new(),
                copies: Vec::new(),
                sums: Vec::new(),
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

    /// Computes the results. False, and nothing is done, if that does not work: a part does not lie within its array, say, or an index is out of range.
    /// The plan itself knows how to name the operation that fails.
    pub fn run(
        &self,
        cluster: &Cluster,
        plan: &Plan,
        host: &ArrayHost,
        args: &[u64],
        results: &mut [u64],
    ) -> Result<bool> {
        let Some(starts) = self.starts(args) else {
            return Ok(false);
        };
        let Ok(base) = self.kernels(cluster, plan, host, args, &starts) else {
            return Ok(false);
        };
        let mut sums: SmallVec<[Option<Entry>; 2]> = SmallVec::new();
        for sum in &self.sums {
            sums.push(Some(sum.compute(cluster, host, args, base)?));
        }
        for (result, output) in results.iter_mut().zip(&self.results) {
            *result = match output {
                Output::Made(at, layout) => {
                    let at = base + at;
                    host.enter(Entry::Small(Small { layout, at }))
                }
                Output::Array(arg) => host.enter_again(args[*arg])?,
                Output::Sum(sum) => host.enter(sums[*sum].take().ok_or_else(unmade)?),
                Output::Item(at, size) => host.slab().bits(base + at, *size),
                Output::Word(arg) => args[*arg],
                Output::Bits(bits) => *bits,
            };
        }
        Ok(true)
    }

    /// The element at which each part begins; `None` if one does not lie within its array.
    fn starts(&self, args: &[u64]) -> Option<SmallVec<[usize; 4]>> {
        let mut starts: SmallVec<[usize; 4]> = SmallVec::new();
        for start in &self.starts {
            let at = start.at.of(args);
            if at > start.most {
                return None;
            }
            let of = start.of.map_or(0, |of| starts[of]);
            starts.push(of + at as usize * start.step);
        }
        Some(starts)
    }

    /// Runs the kernels; gives where the room begins.
    fn kernels(
        &self,
        cluster: &Cluster,
        plan: &Plan,
        host: &ArrayHost,
        args: &[u64],
        starts: &[usize],
    ) -> Result<usize> {
        let entries = host.entries();
        let mut slab = host.slab();
        let base = slab.room(8 * self.room)?;
        let call = Call {
            args,
            entries: &entries,
            starts,
            base,
        };
        for &(at, bits) in &self.fills {
            slab.split(base + at).1[..8].copy_from_slice(&bits.to_le_bytes());
        }
        for kernel in &self.kernels {
            let (before, room) = slab.split(base + kernel.at);
            let mut sources: SmallVec<[Source; 8]> = SmallVec::new();
            for input in &kernel.inputs {
                sources.push(call.source(input, before)?);
            }
            if !trace::is_on() {
                kernel.code.run_into(&sources, room)?;
                continue;
            }
            let Step::Kernel(stage) = &plan.steps[kernel.step] else {
                return Err(unmade());
            };
            let ready = stage.ready.get().ok_or_else(unmade)?;
            let work = trace::Work::of(&ready.program.kernel);
            let run = || kernel.code.run_into(&sources, room);
            trace::kernel(&CPU, work, cluster.function.name, run)?;
        }
        for copy in &self.copies {
            let (before, room) = slab.split(base + copy.at);
            let Source { bytes, start } = call.source(&copy.of, before)?;
            let count = copy.layout.bytes;
            let from = bytes.get(start * copy.layout.size()..);
            let from = from.and_then(|bytes| bytes.get(..count));
            room[..count].copy_from_slice(from.ok_or_else(unmade)?);
        }
        Ok(base)
    }
}

/// What inputs refer to.
struct Call<'a> {
    args: &'a [u64],
    entries: &'a [Entry],
    /// The element at which each part begins.
    starts: &'a [usize],
    /// The word of the slab where the room begins.
    base: usize,
}

impl<'a> Call<'a> {
    /// Where an input is, given what is in the slab before what is made of it.
    #[inline(always)]
    fn source(&self, input: &'a Input, before: &'a [u64]) -> Result<Source<'a>> {
        let start = |start: &Option<usize>| start.map_or(0, |start| self.starts[start]);
        Ok(match input {
            Input::Made(at, part) => Source {
                bytes: bytemuck::cast_slice(&before[self.base + at..]),
                start: start(part),
            },
            Input::Array(arg, part) => {
                let entry = self.entries.get((self.args[*arg] as usize).wrapping_sub(1));
                let mut source = source(entry.ok_or_else(unmade)?, before)?;
                source.start += start(part);
                source
            }
            Input::Word(arg) => Source::number(&self.args[*arg]),
            Input::Bits(bits) => Source::number(bits),
        })
    }
}

impl Position {
    fn of(self, args: &[u64]) -> u64 {
        match self {
            Position::Word(arg) => args[arg],
            Position::Is(at) => at,
        }
    }
}

impl Sum {
    fn compute(
        &self,
        cluster: &Cluster,
        host: &ArrayHost,
        args: &[u64],
        base: usize,
    ) -> Result<Entry> {
        let (layout, at) = (self.layout, base + self.part);
        let part = host.slab().tensor(&Small { layout, at })?;
        let Some(Entry::Tensor(whole)) = host.take_out(args[self.whole]) else {
            return Err(unmade());
        };
        let number = |n: usize| self.numbers[n].of(args) as usize;
        let sum = cluster.put(self.place, *whole, &part, number)?;
        Ok(Entry::Tensor(Box::new(sum)))
    }
}

/// Reads a plan.
struct Reader<'a> {
    cluster: &'a Cluster,
    plan: &'a Plan,
    /// Of the arguments that are arrays.
    layouts: &'a [Option<&'static Layout>],
    /// The arrays in slots.
    seen: HashMap<usize, Seen>,
    /// Numbers that are the one element of an array: the word of the room, and the bytes.
    items: HashMap<Value, (usize, usize)>,
    /// Constants.
    constants: HashMap<Value, u64>,
    /// By slot, the sums.
    sums: HashMap<usize, usize>,
    quick: Quick,
}

impl Reader<'_> {
    /// Reads a step; false if a quick plan cannot have it.
    fn step(&mut self, number: usize, step: &Step) -> Result<bool> {
        match step {
            Step::Take(value, slot) => {
                self.seen
                    .extend(self.argument(*value).map(|seen| (*slot, seen)));
                Ok(true)
            }
            Step::Kernel(stage) if stage.room.is_some() => self.kernel(number, stage),
            Step::View(view) => {
                let Some(of) = self.seen.get(&view.of) else {
                    return Ok(false);
                };
                let seen = Seen {
                    layout: of.layout.seen_as(&view.shape, &view.axes).kept(),
                    ..*of
                };
                self.seen.insert(view.slot, seen);
                Ok(true)
            }
            Step::Fill(fill) => {
                let Arg::Const(c, ty) = fill.with else {
                    return Ok(false);
                };
                let (at, layout) = (self.quick.room, fill.layout);
                self.quick.fills.push((at, constant(c, ty)?[0]));
                self.quick.room += 1;
                let seen = Seen {
                    from: From::Made(at),
                    layout,
                    start: None,
                };
                self.seen.insert(fill.slot, seen);
                Ok(true)
            }
            Step::Forget(_) => Ok(true),
            Step::Number(value, slot) => match self.seen.get(slot) {
                Some(Seen {
                    from: From::Made(at),
                    layout,
                    start: None,
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
                Ok(self.part(written).is_some() || self.results(number, written))
            }
            Step::Add(added) => Ok(self.sum(added).is_some()),
            Step::Kernel(_) | Step::Positions(_) => Ok(false),
        }
    }

    /// The array of an argument.
    fn argument(&self, value: Value) -> Option<Seen> {
        let arg = self.cluster.places[value.index()].start;
        let layout = (*self.layouts.get(arg)?)?;
        Some(Seen {
            from: From::Array(arg),
            layout,
            start: None,
        })
    }

    /// Reads a `narrow`; `None` if it is something else, or a quick plan cannot have it.
    fn part(&mut self, written: &Written) -> Option<()> {
        let row = &self.cluster.function.insts[written.inst];
        let (Op::Call(name), &[array, axis, at, count]) = (row.op, &row.args[..]) else {
            return None;
        };
        if HostOp::from_name(name.as_str()) != Some(HostOp::Narrow) {
            return None;
        }
        let lent = written.lent.iter().find(|(lent, _)| *lent == array);
        let seen = match lent {
            Some((_, slot)) => *self.seen.get(slot)?,
            None => self.argument(array)?,
        };
        let known = |value: Value| match self.number(value)? {
            Input::Bits(bits) => usize::try_from(bits).ok(),
            _ => None,
        };
        let (axis, count) = (known(axis)?, known(count)?);
        let at = self.position(at)?;
        let (extent, step) = (*seen.layout.shape.get(axis)?, seen.layout.strides[axis]);
        let most = extent.checked_sub(count).filter(|_| count > 0)? as u64;
        let mut shape = seen.layout.shape.clone();
        shape[axis] = count;
        let layout = Layout::new(seen.layout.ty, shape, seen.layout.strides.clone());
        let part = Seen {
            from: seen.from,
            layout: layout.kept(),
            start: Some(self.quick.starts.len()),
        };
        let of = seen.start;
        self.quick.starts.push(Start { of, at, most, step });
        self.seen.insert(written.taken?, part);
        Some(())
    }

    /// Reads what is put into a part of an array; `None` if a quick plan cannot have it.
    fn sum(&mut self, added: &Added) -> Option<()> {
        let (whole, part) = (*self.seen.get(&added.whole)?, *self.seen.get(&added.part)?);
        let (From::Array(arg), From::Made(from)) = (whole.from, part.from) else {
            return None;
        };
        let is_taken = added.is_last && self.cluster.moved.contains(&arg);
        let is_whole = whole.start.is_none() && part.start.is_none();
        // Small arrays are not changed where they are.
        let is_large = self.layouts[arg] == Some(whole.layout) && !whole.layout.is_small();
        if !(is_taken && is_whole && is_large) {
            return None;
        }
        let function = &self.cluster.function;
        let args = function.insts[added.place].args.iter();
        let numbers = args.map(|&arg| match function.ty(arg).is_array() {
            true => Some(Position::Is(0)),
            false => self.position(arg),
        });
        let sum = Sum {
            place: added.place,
            whole: arg,
            part: from,
            layout: part.layout,
            numbers: numbers.collect::<Option<_>>()?,
        };
        self.sums.insert(added.slot, self.quick.sums.len());
        self.quick.sums.push(sum);
        Some(())
    }

    /// Where a part begins, if that is known when the cluster is called.
    fn position(&self, value: Value) -> Option<Position> {
        match self.number(value)? {
            Input::Word(arg) => Some(Position::Word(arg)),
            Input::Bits(bits) => Some(Position::Is(bits)),
            Input::Array(..) | Input::Made(..) => None,
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
                Given::Slot(..) | Given::Gathered(_) | Given::Product(_) => {
                    let Some(seen) = given.slot().and_then(|slot| self.seen.get(&slot)) else {
                        return Ok(false);
                    };
                    strides.push(seen.layout.strides.clone());
                    seen.input()
                }
            });
        }
        let ready: &Ready = self.cluster.ready(stage, strides.iter())?;
        ready.check(strides.iter())?;
        let at = self.quick.room;
        for output in &stage.outputs {
            let seen = Seen {
                from: From::Made(self.quick.room),
                layout: output.layout,
                start: None,
            };
            self.quick.room += output.layout.bytes.div_ceil(8);
            self.seen.insert(output.slot, seen);
        }
        self.quick.kernels.push(Kernel {
            code: lanes::compiled(&ready.program)?,
            step,
            inputs,
            at,
        });
        Ok(true)
    }

    /// A number that is known when the cluster is called, or that one of its kernels makes.
    fn number(&self, value: Value) -> Option<Input> {
        if let Some(&bits) = self.constants.get(&value) {
            return Some(Input::Bits(bits));
        }
        if let Some(&(at, _)) = self.items.get(&value) {
            return Some(Input::Made(at, None));
        }
        let place = self.cluster.places[value.index()].clone();
        (place.len() == 1 && place.end <= self.layouts.len()).then_some(Input::Word(place.start))
    }

    /// A copy of an array.
    fn copied(&mut self, seen: Seen) -> Output {
        let (at, layout) = (self.quick.room, seen.layout);
        let of = seen.input();
        self.quick.copies.push(Copied { of, at, layout });
        self.quick.room += layout.bytes.div_ceil(8);
        Output::Made(at, layout)
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
            if let Some(&sum) = lent.and_then(|(_, slot)| self.sums.get(slot)) {
                self.quick.results.push(Output::Sum(sum));
                continue;
            }
            if let Some((_, slot)) = lent {
                let Some(seen) = self.seen.get(slot) else {
                    return false;
                };
                let is_whole = seen.start.is_none();
                let output = match seen.from {
                    From::Made(at) if is_whole => Output::Made(at, seen.layout),
                    From::Array(arg) if is_whole && Some(seen.layout) == self.layouts[arg] => {
                        Output::Array(arg)
                    }
                    _ if seen.layout.bytes <= COPIED => self.copied(*seen),
                    _ => return false,
                };
                self.quick.results.push(output);
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
    pub fn layouts(&self) -> Vec<Option<&'static Layout>> {
        let layouts = self.args.iter().map(|expected| match expected {
            super::Expected::Array(layout) => Some(*layout),
            _ => None,
        });
        layouts.collect()
    }
}
