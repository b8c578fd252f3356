//! Plans of small arrays, with all decided that layouts decide.
//!
//! A loop over arrays of eight elements asks for a kernel every hundred nanoseconds. What [`Cluster::run`] does for any plan takes longer than
//! that: it passes arrays from step to step, compares strides, and makes room for one result after the other. A [`Quick`] plan knows the
//! layout of every array, so the results of all kernels have fixed places in one piece of the slab, and inputs are found by number. What moves
//! elements from array to array, as `roll` does, knows where each element goes ([`Piece`]); the library multiplies matrices where they lie.
//!
//! Large arrays may be results, such as the sum of a weight's gradients: they are made last, in the memory of what they replace if nobody
//! else has it.

mod piece;
mod read;

use super::plan::{Plan, Stage, Step};
use super::{CPU, Cluster, source, trace, unmade};
use crate::array::cpu::lanes::{self, Overwritten};
use crate::array::host::{ArrayHost, Entry};
use crate::array::small::{Layout, Small};
use crate::diag::Result;
use crate::exec::gemm::{Strides, gemm};
use crate::exec::{LaneKernel, Source};
use crate::ir::{HostOp, Symbol, Type};
use bytemuck::Pod;
use piece::Piece;
use smallvec::SmallVec;
use std::sync::Arc;

/// A plan of small arrays for arguments whose layouts are known.
pub struct Quick {
    /// In order.
    tasks: Vec<Task>,
    /// Numbers that are arrays: where they are in the room, and their bits.
    fills: Vec<(usize, u64)>,
    /// Where parts of arrays begin.
    starts: Vec<Start>,
    /// The words that all results of the tasks take.
    room: usize,
    /// Results that are copied, once all tasks are done.
    copies: Vec<Copied>,
    /// What makes the large arrays among the results, after that, in order.
    last: Vec<Last>,
    results: Vec<Output>,
}

/// What makes small arrays of arrays.
enum Task {
    Kernel(Kernel),
    Moved(Moved),
    Product(Product),
}

struct Kernel {
    code: Arc<LaneKernel>,
    /// Its place among the steps of the plan.
    step: usize,
    inputs: SmallVec<[Input; 8]>,
    /// The first word of its results, which lie one after another, each from a word on.
    at: usize,
}

/// An array that is made of elements of others.
struct Moved {
    op: HostOp,
    /// The first word of the array, and its bytes.
    at: usize,
    bytes: usize,
    /// Whether it is zeros at first.
    zeros: bool,
    /// What goes into it, in order.
    pieces: SmallVec<[Going; 2]>,
}

/// Elements of an array that go into another one.
struct Going {
    of: Input,
    piece: Piece,
    /// The number of the start that they are counted from in the other array.
    to: usize,
}

/// A product of two matrices.
struct Product {
    op: HostOp,
    ty: Type,
    /// m, k and n: `m` by `k` times `k` by `n`.
    extents: (usize, usize, usize),
    factors: [(Input, Strides); 2],
    /// The first word of the product.
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

/// What makes large arrays. They are results, and nothing else here reads them.
enum Last {
    Sum(Sum),
    Kernel(Large),
}

/// A kernel some of whose results are large.
struct Large {
    code: Arc<LaneKernel>,
    /// Its place among the steps of the plan.
    step: usize,
    inputs: SmallVec<[Input; 8]>,
    over: SmallVec<[Over; 2]>,
}

/// An argument that a kernel may overwrite: nobody reads it again.
struct Over {
    input: usize,
    output: usize,
    arg: usize,
}

/// The sum of an argument that nobody reads again and of an array at a part of it, or the argument with that part replaced.
struct Sum {
    op: HostOp,
    /// The argument.
    whole: usize,
    part: Going,
}

/// Where a task finds an input. A part of an array has the number of its start.
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
#[derive(Clone)]
enum Output {
    /// The array that begins at this word of the room.
    Made(usize, &'static Layout),
    /// The array of an argument.
    Array(usize),
    /// The array of this number among those that are made last.
    Last(usize),
    /// The one element, of so many bytes, of the array that begins at this word of the room.
    Item(usize, usize),
    /// The word of an argument.
    Word(usize),
    /// These bits.
    Bits(u64),
}

/// How many kernels, arrays made of pieces, products and large results quick plans have made on this thread.
#[cfg(test)]
pub fn done() -> [usize; 4] {
    DONE.get()
}
#[cfg(test)]
thread_local!(static DONE: std::cell::Cell<[usize; 4]> = const { std::cell::Cell::new([0; 4]) });

impl Quick {
    /// Notes what a call has done.
    #[cfg(test)]
    fn count(&self) {
        let mut done = DONE.get();
        for task in &self.tasks {
            done[match task {
                Task::Kernel(_) => 0,
                Task::Moved(_) => 1,
                Task::Product(_) => 2,
            }] += 1;
        }
        done[3] += self.last.len();
        DONE.set(done);
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
        let Ok(base) = self.tasks(cluster, plan, host, args, &starts) else {
            return Ok(false);
        };
        let call = Working {
            cluster,
            plan,
            host,
            args,
            starts: &starts,
            base,
            room: self.room,
        };
        let mut made: SmallVec<[Entry; 4]> = SmallVec::new();
        for last in &self.last {
            match last {
                Last::Sum(sum) => made.push(sum.compute(&call)?),
                Last::Kernel(kernel) => kernel.compute(&call, &mut made)?,
            }
        }
        #[cfg(test)]
        self.count();
        for (result, output) in results.iter_mut().zip(&self.results) {
            *result = match output {
                Output::Made(at, layout) => {
                    let at = base + at;
                    host.enter(Entry::Small(Small { layout, at }))
                }
                Output::Array(arg) => host.enter_again(args[*arg])?,
                Output::Last(n) => host.enter(made[*n].clone()),
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

    /// Does the tasks; gives where the room begins.
    fn tasks(
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
        for task in &self.tasks {
            let (before, room) = slab.split(base + task.at());
            match task {
                Task::Kernel(kernel) => kernel.compute(cluster, plan, &call, before, room)?,
                Task::Moved(moved) => {
                    noted(cluster, moved.op, || moved.compute(&call, before, room))?;
                }
                Task::Product(product) => {
                    noted(cluster, product.op, || product.compute(&call, before, room))?;
                }
            }
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

/// Does an operation of a cluster, and notes it if someone looks at what runs.
fn noted(cluster: &Cluster, op: HostOp, run: impl FnOnce() -> Result<()>) -> Result<()> {
    if !trace::is_on() {
        return run();
    }
    let name = Symbol::from_static(op.name());
    trace::written(&CPU, name, cluster.function.name, || {
        run()?;
        trace::operation(op);
        Ok(())
    })
}

impl Task {
    /// The first word of what it makes.
    fn at(&self) -> usize {
        match self {
            Task::Kernel(kernel) => kernel.at,
            Task::Moved(moved) => moved.at,
            Task::Product(product) => product.at,
        }
    }
}

impl Kernel {
    fn compute(
        &self,
        cluster: &Cluster,
        plan: &Plan,
        call: &Call,
        before: &[u64],
        room: &mut [u8],
    ) -> Result<()> {
        let mut sources: SmallVec<[Source; 8]> = SmallVec::new();
        for input in &self.inputs {
            sources.push(call.source(input, before)?);
        }
        if !trace::is_on() {
            return self.code.run_into(&sources, room);
        }
        let work = work(plan, self.step)?;
        let run = || self.code.run_into(&sources, room);
        trace::kernel(&CPU, work, cluster.function.name, run)
    }
}

/// The stage of a step that is a kernel.
fn stage(plan: &Plan, step: usize) -> Result<&Stage> {
    match &plan.steps[step] {
        Step::Kernel(stage) => Ok(stage),
        _ => Err(unmade()),
    }
}

/// What the kernel of a step does, for those who look at it.
fn work(plan: &Plan, step: usize) -> Result<trace::Work<'_>> {
    let ready = stage(plan, step)?.ready.get().ok_or_else(unmade)?;
    Ok(trace::Work::of(&ready.program.kernel))
}

impl Moved {
    fn compute(&self, call: &Call, before: &[u64], room: &mut [u8]) -> Result<()> {
        let room = room.get_mut(..self.bytes).ok_or_else(unmade)?;
        if self.zeros {
            room.fill(0);
        }
        for going in &self.pieces {
            let Source { bytes, start } = call.source(&going.of, before)?;
            going
                .piece
                .put((bytes, start), (room, call.starts[going.to]))?;
        }
        Ok(())
    }
}

impl Product {
    fn compute(&self, call: &Call, before: &[u64], room: &mut [u8]) -> Result<()> {
        match self.ty {
            Type::F32 => self.multiply::<f32>(call, before, room),
            _ => self.multiply::<f64>(call, before, room),
        }
    }
    fn multiply<T: Pod + Send + Sync>(
        &self,
        call: &Call,
        before: &[u64],
        room: &mut [u8],
    ) -> Result<()> {
        let factor = |n: usize| -> Result<(&[T], Strides)> {
            let (input, strides) = &self.factors[n];
            let Source { bytes, start } = call.source(input, before)?;
            let elements: Option<&[T]> = bytemuck::try_cast_slice(bytes).ok();
            let elements = elements.and_then(|elements| elements.get(start..));
            Ok((elements.ok_or_else(unmade)?, *strides))
        };
        let (m, k, n) = self.extents;
        let room = room.get_mut(..m * n * size_of::<T>());
        let made = room.and_then(|room| bytemuck::try_cast_slice_mut(room).ok());
        gemm(
            self.extents,
            factor(0)?,
            factor(1)?,
            made.ok_or_else(unmade)?,
        );
        let size = size_of::<T>();
        let (count, extents) = (1, (m, k, n));
        let work = trace::Product {
            count,
            extents,
            size,
        };
        trace::product(self.op, work);
        Ok(())
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

/// A call whose tasks are done.
struct Working<'a> {
    cluster: &'a Cluster,
    plan: &'a Plan,
    host: &'a ArrayHost,
    args: &'a [u64],
    starts: &'a [usize],
    /// The word of the slab where the room begins, and how many words it has.
    base: usize,
    room: usize,
}

impl Working<'_> {
    /// Does what needs arrays that are there. All that was made lies before the end of the room.
    fn with<R>(&self, work: impl FnOnce(&Call, &[u64]) -> Result<R>) -> Result<R> {
        let (entries, mut slab) = (self.host.entries(), self.host.slab());
        let (before, _) = slab.split(self.base + self.room);
        let call = Call {
            args: self.args,
            entries: &entries,
            starts: self.starts,
            base: self.base,
        };
        work(&call, before)
    }
}

impl Large {
    fn compute(&self, working: &Working, made: &mut SmallVec<[Entry; 4]>) -> Result<()> {
        let overwritten = |over: &Over| {
            let buffer = working.host.take_memory(working.args[over.arg])?;
            Some(Overwritten {
                input: over.input,
                output: over.output,
                buffer,
            })
        };
        let over: SmallVec<[Overwritten; 2]> = self.over.iter().filter_map(overwritten).collect();
        let buffers = working.with(|call, before| {
            let mut sources: SmallVec<[Source; 8]> = SmallVec::new();
            for (n, input) in self.inputs.iter().enumerate() {
                // The kernel reads what it overwrites in the memory of its output.
                let is_over = over.iter().any(|own| own.input == n);
                sources.push(match is_over {
                    true => Source::number(&0),
                    false => call.source(input, before)?,
                });
            }
            let work = work(working.plan, self.step)?;
            let run = || lanes::run(&self.code, &sources, over);
            trace::kernel(&CPU, work, working.cluster.function.name, run)
        })?;
        let outputs = &stage(working.plan, self.step)?.outputs;
        for (buffer, output) in buffers.into_iter().zip(outputs) {
            made.push(Entry::Tensor(Box::new(output.tensor(&CPU, buffer))));
        }
        Ok(())
    }
}

impl Sum {
    fn compute(&self, working: &Working) -> Result<Entry> {
        let Working { cluster, host, .. } = *working;
        let Some(Entry::Tensor(mut whole)) = host.take_out(working.args[self.whole]) else {
            return Err(unmade());
        };
        if !whole.has_own_memory() {
            *whole = whole.dense_copy()?;
        }
        working.with(|call, before| {
            let Source { bytes, start } = call.source(&self.part.of, before)?;
            let own = whole.own_bytes().ok_or_else(unmade)?;
            let to = call.starts[self.part.to];
            noted(cluster, self.op, || {
                self.part.piece.put((bytes, start), (own, to))
            })
        })?;
        Ok(Entry::Tensor(whole))
    }
}
