//! Iterations that threads share: calls of parallel functions ([`crate::ir::Function::parallel`]).
//!
//! The thread that calls begins with the iterations, on the frame of its call. If there is enough left to do, others help: each takes the next group of iterations
//! that nobody has, on a frame of its own. What an iteration took in the last call says whether there is enough to do. No result depends on who does what. A group adds to copies of its own, and how many groups there are depends on how many
//! iterations there are and on how much there is to copy; the copies, and the floats that the iterations return, are added in their order. Of several faults the
//! first in this order is that of the call, as it would be without threads.

use super::frame::Frame;
use super::threads::{self, WORTH_HELP};
use super::{Host, IDLE_FRAMES, Program, Scalar};
use crate::codegen::cpu::{Parallel, words};
use crate::diag::{Error, Result};
use crate::ir::{BLOCK, Role, Type};
use std::collections::BTreeMap;
use std::ops::{AddAssign, Range};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// So many floats are copied in all, if that leaves some groups, where nobody knows which of them the iterations add to: making copies and adding them is work
/// that there is not without threads.
const COPIED: usize = 1 << 20;

/// As many groups there are at least, if there are as many iterations.
const LEAST_GROUPS: usize = 8;

/// More than that is not copied at all: such iterations run in order.
const LARGEST_COPY: usize = 1 << 25;

/// A call of a parallel function.
pub(super) struct Shared<'a> {
    function: &'a Parallel,
    program: &'a Program,
    /// The words of its arguments.
    args: &'a [u64],
    added: Vec<Added>,
    /// The place, among the words, of the bytes that say what is added to, and how many there are.
    touched: Option<(usize, usize)>,
    /// The number of iterations.
    count: usize,
    /// The number of groups of them.
    groups: usize,
    /// The next group that nobody has begun.
    next: AtomicUsize,
    done: Mutex<Done>,
}

/// Memory that iterations add to: a slice of floats.
#[derive(Clone, Copy)]
struct Added {
    /// Its place among the words of the arguments.
    word: usize,
    element: Type,
    length: usize,
}

impl Added {
    fn words(&self) -> usize {
        let bytes = self.length * self.element.size().unwrap_or(8);
        bytes.div_ceil(8)
    }
}

/// What the iterations have given.
struct Done {
    /// How many groups have been added.
    added: usize,
    /// Those that wait for one before them.
    waiting: BTreeMap<usize, Part>,
    /// The sums of the results.
    sums: Vec<u64>,
    /// The first group that has failed, and why.
    failed: Option<(usize, Error)>,
    /// Parts that have been added, for others to use again.
    free: Vec<Part>,
}

/// What a thread has to itself while it makes groups, one after another.
struct Worker {
    /// The words of the arguments of its iterations.
    args: Vec<u64>,
    part: Part,
}

/// What one group gives, and room for that. Until then, and afterwards, all of it but the results is zero.
#[derive(Default)]
pub(super) struct Part {
    /// Of each memory that it adds to.
    copies: Vec<Vec<u64>>,
    /// Which blocks of them it has added to.
    touched: Vec<u8>,
    /// The words of the results of its iterations.
    results: Vec<u64>,
}

// SAFETY: the addresses among the words are of memory that the caller has lent until the call is over. Threads only read what is shared; no two of them know
// the same element of what is their own; what they add to they have copies of, and whoever holds the lock of `done` adds these.
unsafe impl Sync for Shared<'_> {}

impl<'a> Shared<'a> {
    /// A call with arguments of these words.
    pub fn new(function: &'a Parallel, program: &'a Program, args: &'a [u64]) -> Shared<'a> {
        let (mut word, mut added, mut touched) = (0, Vec::new(), None);
        for (&ty, &role) in function.root.params.iter().zip(&function.roles) {
            if let (Role::Added, Type::SliceMut(&element)) = (role, ty) {
                let length = args[word + 1] as usize;
                added.push(Added {
                    word,
                    element,
                    length,
                });
            }
            if role == Role::Touched {
                touched = Some((word, args[word + 1] as usize));
            }
            word += words(ty);
        }
        let count = args[1].saturating_sub(args[0]) as usize;
        let length: usize = added.iter().map(|added: &Added| added.length).sum();
        Shared {
            count,
            groups: match length {
                0..=LARGEST_COPY if touched.is_some() => count,
                0..=LARGEST_COPY => count.min((COPIED / length.max(1)).max(LEAST_GROUPS)),
                _ => 1,
            },
            touched,
            done: Mutex::new(Done {
                added: 0,
                waiting: BTreeMap::new(),
                sums: vec![0; function.root.words],
                failed: None,
                free: Vec::new(),
            }),
            next: AtomicUsize::new(0),
            function,
            program,
            args,
            added,
        }
    }

    /// Makes all iterations, with the help of other threads if it is worth it, and gives the sums of the results.
    pub fn run(self, frame: &mut Frame, host: &dyn Host) -> Result<Vec<u64>> {
        if self.groups <= 1 || self.is_overlapping() {
            return self.run_in_order(frame);
        }
        let known = self.function.nanoseconds.load(Ordering::Relaxed);
        let expected = Duration::from_nanos(known.saturating_mul(self.count as u64));
        let threads = threads::count().min(self.groups);
        if (threads == 1 || known > 0 && expected < WORTH_HELP) && self.added.is_empty() {
            return self.run_one_by_one(frame);
        }
        let mut worker = self.worker();
        // Whoever is asked comes a while later: if the last call was worth it, nobody waits to see whether this one is.
        if threads > 1 && expected >= WORTH_HELP {
            self.run_with_others(frame, &mut worker, host, threads - 1);
        } else if threads > 1 {
            let began = Instant::now();
            let mut begun = 0usize;
            while self.work_on(frame, &mut worker) {
                begun += 1;
                // Groups may take less time than reading the clock.
                if !begun.is_power_of_two() && !begun.is_multiple_of(8) {
                    continue;
                }
                let left = self.groups - begun;
                let elapsed = began.elapsed();
                self.note_time(elapsed, self.first_of(begun));
                let expected = elapsed * left as u32 / begun as u32;
                if left > 1 && expected > WORTH_HELP {
                    self.run_with_others(frame, &mut worker, host, left.min(threads) - 1);
                    break;
                }
            }
        } else {
            while self.work_on(frame, &mut worker) {}
        }
        let mut done = self.done.into_inner().unwrap_or_else(|e| e.into_inner());
        let mut kept = self.program.pool.parts();
        kept.push(worker.part);
        kept.append(&mut done.free);
        kept.truncate(IDLE_FRAMES);
        drop(kept);
        match done.failed {
            None => Ok(done.sums),
            Some((_, error)) => Err(error),
        }
    }

    /// Keeps how long one of so many iterations has taken this thread, for the next call.
    fn note_time(&self, elapsed: Duration, iterations: usize) {
        if let Some(each) = elapsed.as_nanos().checked_div(iterations as u128) {
            let each = u64::try_from(each).unwrap_or(u64::MAX).max(1);
            self.function.nanoseconds.store(each, Ordering::Relaxed);
        }
    }

    /// The first iteration of a group.
    fn first_of(&self, group: usize) -> usize {
        group * self.count / self.groups
    }

    /// Makes all iterations on this thread, a call for each, and adds what they return as it is added where threads share them: the sums are the same. Only for
    /// iterations that add to no memory.
    fn run_one_by_one(&self, frame: &mut Frame) -> Result<Vec<u64>> {
        let began = Instant::now();
        let mut sums = vec![0; self.function.root.words];
        let mut results = sums.clone();
        let mut args = self.args.to_vec();
        for iteration in 0..self.count as u64 {
            args[0] = self.args[0] + iteration;
            args[1] = args[0] + 1;
            let out = results.as_mut_ptr();
            frame.run_part(self.function, self.program, args.as_ptr(), out)?;
            self.add_results(&results, &mut sums);
        }
        self.note_time(began.elapsed(), self.count);
        Ok(sums)
    }

    /// Makes all iterations in one call, as if there were no threads. Sums may be rounded in another way than those of single iterations.
    fn run_in_order(&self, frame: &mut Frame) -> Result<Vec<u64>> {
        let mut sums = vec![0; self.function.root.words];
        let (args, out) = (self.args.as_ptr(), sums.as_mut_ptr());
        frame.run_part(self.function, self.program, args, out)?;
        Ok(sums)
    }

    /// Makes what is left, with so many helpers.
    fn run_with_others(
        &self,
        frame: &mut Frame,
        worker: &mut Worker,
        host: &dyn Host,
        helpers: usize,
    ) {
        let hosts = (0..helpers).map(|_| host.for_thread()).collect();
        let hosts: Mutex<Vec<Box<dyn Host + Send>>> = Mutex::new(hosts);
        let help = || {
            let host = hosts.lock().unwrap_or_else(|e| e.into_inner()).pop();
            if let Some(host) = host {
                self.help(&*host);
            }
        };
        threads::with_helpers(helpers, help, || {
            let began = Instant::now();
            let mut made = 0;
            while self.work_on(frame, worker) {
                made += 1;
            }
            // Groups are equally large, but for one iteration.
            self.note_time(began.elapsed(), self.first_of(made));
        });
    }

    /// Makes the next group on the frame of the call. Gives whether there was one.
    fn work_on(&self, frame: &mut Frame, worker: &mut Worker) -> bool {
        let run = |words, out| frame.run_part(self.function, self.program, words, out);
        self.work(worker, run)
    }

    /// Makes groups as long as there are any, on a frame of this thread's own.
    fn help(&self, host: &dyn Host) {
        let (mut worker, mut frame) = (self.worker(), None);
        while self.work(&mut worker, |words, out| {
            let frame = frame.get_or_insert_with(|| self.program.pool.take());
            frame.run_part_apart(self.function, self.program, host, words, out)
        }) {}
        if let Some(frame) = frame {
            self.program.pool.give(frame);
        }
        self.lock().free.push(worker.part);
    }

    /// What a thread begins with.
    fn worker(&self) -> Worker {
        Worker {
            args: self.args.to_vec(),
            part: self.program.pool.parts().pop().unwrap_or_default(),
        }
    }

    /// Makes the next group, each of its iterations with `run`. Gives whether there was one.
    fn work(
        &self,
        worker: &mut Worker,
        mut run: impl FnMut(*const u64, *mut u64) -> Result<()>,
    ) -> bool {
        let group = self.next.fetch_add(1, Ordering::Relaxed);
        if group >= self.groups {
            return false;
        }
        let words = self.function.root.words;
        let iterations = self.first_of(group)..self.first_of(group + 1);
        self.make_room(worker, words * iterations.len());
        let Worker { args, part } = worker;
        let mut done = Ok(());
        for (n, iteration) in iterations.enumerate() {
            args[0] = self.args[0] + iteration as u64;
            args[1] = args[0] + 1;
            let results = &mut part.results[words * n..words * (n + 1)];
            done = run(args.as_ptr(), results.as_mut_ptr());
            if done.is_err() {
                break;
            }
        }
        self.finish(group, done, part);
        true
    }

    /// Room for what a group gives, in which so many words are results; the arguments lead there.
    fn make_room(&self, worker: &mut Worker, results: usize) {
        let Worker { args, part } = worker;
        part.copies.resize_with(self.added.len(), Vec::new);
        for (added, copy) in self.added.iter().zip(&mut part.copies) {
            copy.resize(added.words(), 0);
            args[added.word] = copy.as_mut_ptr().expose_provenance() as u64;
        }
        let (word, blocks) = self.touched.unwrap_or_default();
        part.touched.resize(blocks, 0);
        if self.touched.is_some() {
            args[word] = part.touched.as_mut_ptr().expose_provenance() as u64;
        }
        part.results.resize(results, 0);
    }

    /// Takes what a group has given, and leaves room for another one.
    fn finish(&self, group: usize, outcome: Result<()>, part: &mut Part) {
        let mut done = self.lock();
        match outcome {
            Ok(()) if group == done.added => {
                self.add(part, &mut done.sums);
                done.added += 1;
            }
            Ok(()) => {
                let free = done.free.pop().unwrap_or_default();
                done.waiting.insert(group, std::mem::replace(part, free));
            }
            Err(error) => {
                // Nobody begins another one.
                self.next.fetch_max(self.groups, Ordering::Relaxed);
                if done.failed.as_ref().is_none_or(|&(first, _)| group < first) {
                    done.failed = Some((group, error));
                }
                // What it has written is not zero.
                *part = Part::default();
            }
        }
        let done = &mut *done;
        while let Some(mut part) = done.waiting.remove(&done.added) {
            self.add(&mut part, &mut done.sums);
            done.added += 1;
            done.free.push(part);
        }
    }

    /// Adds what a group has given, and makes zeros of it. The caller holds the lock.
    fn add(&self, part: &mut Part, sums: &mut [u64]) {
        for (added, copy) in self.added.iter().zip(&mut part.copies) {
            let mut add = |elements: Range<usize>| {
                let to = self.args[added.word] as usize;
                let from = copy.as_mut_ptr().expose_provenance();
                match added.element {
                    // SAFETY: both have these elements, of this type, and nobody else knows either while the lock is held.
                    Type::F32 => unsafe { add_all::<f32>(to, from, elements) },
                    // SAFETY: as above.
                    _ => unsafe { add_all::<f64>(to, from, elements) },
                }
            };
            match self.touched {
                None => add(0..added.length),
                Some(_) => {
                    let touched = part.touched.iter().enumerate();
                    for (n, _) in touched.filter(|(_, touched)| **touched != 0) {
                        let elements = n * BLOCK..added.length.min((n + 1) * BLOCK);
                        if !elements.is_empty() {
                            add(elements);
                        }
                    }
                }
            }
        }
        part.touched.fill(0);
        for results in part.results.chunks(self.function.root.words.max(1)) {
            self.add_results(results, sums);
        }
    }

    /// Adds the results of an iteration.
    fn add_results(&self, results: &[u64], sums: &mut [u64]) {
        for leaf in &self.function.sums {
            let (sum, more) = (sums[leaf.word], results[leaf.word]);
            sums[leaf.word] = match leaf.ty {
                Type::F32 => (f32::from_word(sum) + f32::from_word(more)).to_word(),
                _ => (f64::from_word(sum) + f64::from_word(more)).to_word(),
            };
        }
    }

    /// Whether memory that is added to is also the iterations' own, as it may be where a slice is passed twice. Then they run in order.
    fn is_overlapping(&self) -> bool {
        let mut ranges = Vec::new();
        let mut word = 0;
        for (&ty, &role) in self.function.root.params.iter().zip(&self.function.roles) {
            if let (Role::Own | Role::Added, Type::SliceMut(element)) = (role, ty) {
                let bytes = self.args[word + 1] * element.size().unwrap_or(8) as u64;
                let range = self.args[word]..self.args[word] + bytes;
                ranges.push((range, role == Role::Own));
            }
            word += words(ty);
        }
        let mut pairs = { ranges.iter().enumerate() }
            .flat_map(|(n, one)| ranges[..n].iter().map(move |other| (one, other)));
        pairs.any(|((a, own), (b, others_own))| {
            (*own || *others_own) && a.start < b.end && b.start < a.end
        })
    }

    fn lock(&self) -> MutexGuard<'_, Done> {
        self.done.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// Adds some floats of those that begin at one address to the same ones of those that begin at another, and makes zeros of the former.
///
/// # Safety
/// There are floats of the type at both, and nobody else uses them meanwhile.
unsafe fn add_all<T: Copy + Default + AddAssign>(to: usize, from: usize, elements: Range<usize>) {
    if elements.is_empty() {
        return;
    }
    let (first, count) = (elements.start * size_of::<T>(), elements.len());
    let (to, from) = (
        std::ptr::with_exposed_provenance_mut::<T>(to + first),
        std::ptr::with_exposed_provenance_mut::<T>(from + first),
    );
    // SAFETY: the caller says so.
    let (to, from) = unsafe {
        (
            std::slice::from_raw_parts_mut(to, count),
            std::slice::from_raw_parts_mut(from, count),
        )
    };
    for (sum, more) in to.iter_mut().zip(from) {
        *sum += std::mem::take(more);
    }
}
