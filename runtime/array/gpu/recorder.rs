//! Commands, recorded in order and submitted in batches; what goes wrong with them; and the one place that waits.
//!
//! **A fault belongs to arrays.** An operation that can fail has a word in the report buffer, and a buffer remembers the operations on
//! which its contents depend and of which nothing is known yet (its *doubts*). A read brings the report along and settles all
//! operations before it: using or reading what depends on one that failed gives its error, and nothing else is touched.
//!
//! What goes wrong with the device itself (lack of memory, say) belongs to no operation. Operations have numbers, and a buffer
//! remembers the one that fills it (`born`): everything born since the last time all was well is **suspect** then.

use super::adapter::trouble;
use super::pipelines::{PARAMETER_BYTES, Pipeline};
use super::pool::{Doubt, Doubts, GpuMemory, Pool, lock};
use super::{Gpu, WORD};
use crate::array::backend::IndexUse;
use crate::array::cluster::trace;
use crate::diag::{Diagnostic, Error, Result};
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc;

/// The bytes of parameters that one batch has room for.
const RING_BYTES: u64 = 256 << 10;
/// Dispatches after which a batch is submitted, so that the device works while the host records.
const BATCH: usize = 64;
/// Operations in doubt at a time: each has a word in the report.
const REPORTS: usize = 1024;
/// The bytes of the report.
const REPORT_BYTES: u64 = 4 * REPORTS as u64;
/// The bytes that the host maps at least.
const SMALLEST: u64 = 16;
/// Suspect ranges kept apart; beyond that the oldest two become one.
const RANGES: usize = 256;
/// When the host has written so many bytes since the last submission, they are submitted. A copy is counted as so many at least.
pub(super) const MOST_UNSUBMITTED: usize = 64 << 20;
const LEAST_COPY: usize = 4 << 10;

/// One dispatch.
#[derive(Clone)]
pub struct Step<'a> {
    pub pipeline: Arc<Pipeline>,
    pub inputs: SmallVec<[&'a GpuMemory; 8]>,
    /// A buffer that is written to without being new.
    pub update: Option<&'a GpuMemory>,
    /// The bytes of each new buffer.
    pub outputs: SmallVec<[usize; 2]>,
    pub params: Vec<u32>,
    /// In what ways the kernel can fail: for each the word of the parameters that takes its place in the report, and what a report means.
    pub checks: SmallVec<[(usize, Check); 1]>,
    pub groups: [u32; 3],
}

/// What a fault report of an operation means.
#[derive(Clone, Debug)]
pub enum Check {
    /// An index was out of the range of an axis of this extent.
    Index(IndexUse, usize),
    /// A guard in a scalar function did not hold.
    Guards(Arc<Vec<Diagnostic>>),
}

impl Check {
    /// Of several that an operation fails, the first counts.
    fn order(&self) -> usize {
        match self {
            Check::Index(own, _) => own.order,
            Check::Guards(_) => 0,
        }
    }
    fn error(&self, found: u32) -> Error {
        match self {
            Check::Index(
                IndexUse {
                    operation, place, ..
                },
                extent,
            ) => {
                let index = found.wrapping_sub(1);
                let message = format!(
                    "{operation}: found index {index} along an axis of extent {extent}: expected an index below the extent"
                );
                match place.is_known() {
                    true => Error::Fault(Diagnostic::new(*place, message)),
                    false => Error::Array(message),
                }
            }
            Check::Guards(list) => match list.get((found as usize).wrapping_sub(1)) {
                Some(diagnostic) => Error::Fault(diagnostic.clone()),
                None => Error::Internal(format!("a kernel reported the unknown fault {found}")),
            },
        }
    }
}

/// An operation that may have failed.
struct Open {
    number: u64,
    /// Its word in the report.
    word: u32,
    check: Check,
    doubt: Arc<Doubt>,
}

/// What callbacks of the device have said.
#[derive(Default, Debug)]
pub struct Events {
    pub lost: Option<String>,
    pub error: Option<String>,
}

/// Commands that are not submitted yet, and the state of what was.
pub struct Recorder {
    // The pass first: it must end before its encoder is dropped.
    pass: Option<wgpu::ComputePass<'static>>,
    encoder: Option<wgpu::CommandEncoder>,
    params: Vec<u8>,
    dispatches: usize,
    /// The number of the batch being recorded.
    batch: u64,
    /// The number of the next operation.
    next: u64,
    /// All operations before this one are known to be good, or suspect.
    settled: u64,
    suspect: Vec<(u64, u64, Error)>,
    /// Operations that may report a fault and have not been settled.
    checks: Vec<Open>,
    /// Words of the report that no operation has.
    free: Vec<u32>,
    ring: wgpu::Buffer,
    /// What the ring holds once all that was submitted is done.
    in_ring: Vec<u8>,
    report: wgpu::Buffer,
    staging: Vec<wgpu::Buffer>,
    /// How many bytes the host has written since the last submission. The driver holds a copy of them until the next one.
    pub(super) unsubmitted: usize,
    alignment: usize,
}

impl Recorder {
    pub fn new(device: &wgpu::Device) -> Recorder {
        let buffer = |label, size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        use wgpu::BufferUsages as Usage;
        Recorder {
            pass: None,
            encoder: None,
            params: Vec::new(),
            dispatches: 0,
            batch: 1,
            next: 1,
            settled: 1,
            suspect: Vec::new(),
            checks: Vec::new(),
            free: (0..REPORTS as u32).rev().collect(),
            ring: buffer("parameters", RING_BYTES, Usage::UNIFORM),
            in_ring: Vec::new(),
            report: buffer("report", REPORT_BYTES, Usage::STORAGE | Usage::COPY_SRC),
            staging: Vec::new(),
            unsubmitted: 0,
            alignment: device.limits().min_uniform_buffer_offset_alignment.max(16) as usize,
        }
    }

    fn next_operation(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    fn check_suspect(&self, memory: &GpuMemory) -> Result<()> {
        let born = memory.born;
        let found = self
            .suspect
            .iter()
            .find(|(first, last, _)| (first..=last).contains(&&born));
        match found {
            Some((_, _, error)) => Err(error.clone()),
            None => Ok(()),
        }
    }

    fn suspect_since(&mut self, first: u64, error: Error) {
        if self.suspect.len() >= RANGES {
            let (first, _, _) = self.suspect.remove(0);
            self.suspect[0].0 = first;
        }
        self.suspect.push((first, self.next - 1, error));
    }

    fn encoder(&mut self, device: &wgpu::Device) -> &mut wgpu::CommandEncoder {
        self.encoder.get_or_insert_with(|| {
            device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: None })
        })
    }

    /// The bytes of a step's parameters join the batch's; their offset.
    fn place_params(&mut self, words: &[u32]) -> u32 {
        let offset = self.params.len().next_multiple_of(self.alignment);
        self.params.resize(offset, 0);
        self.params.extend_from_slice(bytemuck::cast_slice(words));
        offset as u32
    }

    fn is_full(&self) -> bool {
        let room = RING_BYTES - 2 * PARAMETER_BYTES;
        self.dispatches >= BATCH || self.params.len() as u64 > room
    }

    /// Brings the batch's parameters to the ring. A program that does the same again needs none but those that are there.
    fn write_params(&mut self, queue: &wgpu::Queue) {
        let bytes = self.params.len().next_multiple_of(16);
        self.params.resize(bytes, 0);
        if !self.in_ring.starts_with(&self.params) {
            // In order with the submissions: the previous batch has its own parameters until it is done.
            queue.write_buffer(&self.ring, 0, &self.params);
            self.in_ring.resize(self.in_ring.len().max(bytes), 0);
            self.in_ring[..bytes].copy_from_slice(&self.params);
        }
        self.params.clear();
    }

    /// Submits what is recorded.
    fn flush(&mut self, queue: &wgpu::Queue) -> Option<wgpu::SubmissionIndex> {
        self.pass = None;
        let encoder = self.encoder.take()?;
        self.write_params(queue);
        self.dispatches = 0;
        self.unsubmitted = 0;
        self.batch += 1;
        trace::submission();
        Some(queue.submit([encoder.finish()]))
    }
}

impl Gpu {
    /// Records a step; gives its new buffers.
    pub(super) fn run(&self, mut step: Step) -> Result<SmallVec<[Arc<GpuMemory>; 2]>> {
        let mut recorder = lock(&self.recorder);
        self.alive()?;
        while step.checks.len() > recorder.free.len() {
            drop(recorder);
            self.fetch(None)?;
            recorder = lock(&self.recorder);
        }
        let mut doubts = Doubts::new();
        for memory in step.inputs.iter().chain(&step.update) {
            recorder.check_suspect(memory)?;
            memory.doubt(&mut doubts)?;
        }
        if step.params.len() as u64 * 4 > PARAMETER_BYTES {
            return Err(
                self.trouble("an operation has more inputs and axes than fit its parameters")
            );
        }
        let operation = recorder.next_operation();
        let made: SmallVec<[Arc<GpuMemory>; 2]> = step
            .outputs
            .iter()
            .map(|&bytes| self.allocate(&mut recorder, bytes, operation).map(Arc::new))
            .collect::<Result<_>>()?;
        let reports = !step.checks.is_empty();
        step.checks.sort_by_key(|(_, check)| check.order());
        for (at, check) in step.checks.drain(..) {
            // There are enough: a kernel has fewer inputs than there are words.
            let Some(word) = recorder.free.pop() else {
                break;
            };
            step.params[at] = word;
            let doubt = Arc::new(Doubt::new());
            doubts.push(doubt.clone());
            recorder.checks.push(Open {
                number: operation,
                word,
                check,
                doubt,
            });
        }
        for memory in made.iter().map(|m| &**m).chain(step.update) {
            *lock(&memory.doubts) = doubts.clone();
        }
        self.dispatch(&mut recorder, &step, &made, reports);
        if recorder.is_full() {
            recorder.flush(&self.queue);
        }
        Ok(made)
    }

    fn dispatch(
        &self,
        recorder: &mut Recorder,
        step: &Step,
        made: &[Arc<GpuMemory>],
        reports: bool,
    ) {
        let written = step.update.into_iter().chain(made.iter().map(|m| &**m));
        let buffers: SmallVec<[&GpuMemory; 8]> =
            step.inputs.iter().copied().chain(written).collect();
        for memory in &buffers {
            memory.last_batch.store(recorder.batch, Ordering::Relaxed);
        }
        if std::mem::take(&mut lock(&self.pool).released) {
            self.pipelines.forget_groups();
        }
        let report = reports.then_some(&recorder.report);
        let ring = &recorder.ring;
        let group = self
            .pipelines
            .group(&self.device, &step.pipeline, ring, &buffers, report);
        let offset = recorder.place_params(&step.params);
        if recorder.pass.is_none() {
            let encoder = recorder.encoder(&self.device);
            let pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            recorder.pass = Some(pass.forget_lifetime());
        }
        if let Some(pass) = &mut recorder.pass {
            pass.set_pipeline(&step.pipeline.pipeline);
            pass.set_bind_group(0, &group, &[offset]);
            let [x, y, z] = step.groups;
            pass.dispatch_workgroups(x, y, z);
        }
        recorder.dispatches += 1;
    }

    /// A buffer for that many bytes: from the pool, or new; if there is no memory left, once more without what the pool keeps.
    fn allocate(&self, recorder: &mut Recorder, bytes: usize, born: u64) -> Result<GpuMemory> {
        let (size, largest) = {
            let pool = lock(&self.pool);
            (pool.size_for(bytes), pool.largest())
        };
        if bytes as u64 > largest {
            return Err(self.trouble(&format!(
                "an array of {bytes} bytes: expected at most {largest}, the largest buffer that this adapter can bind: work on parts of it, or on Device::cpu()"
            )));
        }
        if let Some(found) = Pool::take(&self.pool, size, born) {
            return Ok(found);
        }
        if let Ok(made) = self.create(size, born) {
            return Ok(made);
        }
        recorder.flush(&self.queue);
        lock(&self.pool).clear();
        self.pipelines.forget_groups();
        // Memory comes back once the commands that use it are done.
        let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
        self.create(size, born)
    }

    fn create(&self, size: u64, born: u64) -> Result<GpuMemory> {
        use wgpu::BufferUsages as Usage;
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let other = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST,
            mapped_at_creation: false,
        });
        let other = pollster::block_on(other.pop());
        let memory = pollster::block_on(memory.pop());
        match memory.or(other) {
            Some(error) => Err(self.trouble(&format!("no memory for {size} bytes: {error}"))),
            None => Ok(Pool::adopt(&self.pool, buffer, born)),
        }
    }

    /// A new buffer with these contents.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<GpuMemory> {
        let mut recorder = lock(&self.recorder);
        self.alive()?;
        let born = recorder.next_operation();
        let memory = self.allocate(&mut recorder, bytes.len(), born)?;
        // The host's writes come before all commands that are not submitted: those that read the buffer's previous contents go first.
        if memory.last_batch.load(Ordering::Relaxed) == recorder.batch {
            recorder.flush(&self.queue);
            // Nobody may ever ask for what was submitted, and a process that ends while Mesa compiles a kernel is killed by a signal.
            if self.software {
                let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
            }
        }
        let (whole, rest) = bytes.split_at(bytes.len() / WORD * WORD);
        if !whole.is_empty() {
            self.queue.write_buffer(memory.buffer(), 0, whole);
        }
        if !rest.is_empty() {
            let mut last = [0; WORD];
            last[..rest.len()].copy_from_slice(rest);
            let at = whole.len() as u64;
            self.queue.write_buffer(memory.buffer(), at, &last);
        }
        // A program may make many arrays before it computes anything.
        recorder.unsubmitted += bytes.len().max(LEAST_COPY);
        if recorder.unsubmitted > MOST_UNSUBMITTED {
            recorder.unsubmitted = 0;
            self.queue.submit([]);
            let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
        }
        Ok(memory)
    }

    /// Bytes of a buffer, once all that was recorded before is done.
    pub(super) fn read(&self, memory: &GpuMemory, offset: usize, bytes: usize) -> Result<Vec<u8>> {
        self.fetch(Some((memory, offset, bytes)))
    }

    /// Waits until all that was recorded is done.
    pub(super) fn wait(&self) -> Result<()> {
        self.fetch(None).map(drop)
    }

    /// Waits for all that was recorded before, settles it, and gives the bytes of a buffer, if one is asked for.
    fn fetch(&self, wanted: Option<(&GpuMemory, usize, usize)>) -> Result<Vec<u8>> {
        let bytes = wanted.map_or(0, |(.., bytes)| bytes as u64);
        let check = |recorder: &Recorder| match wanted {
            Some((memory, ..)) => {
                recorder.check_suspect(memory)?;
                memory.doubt(&mut Doubts::new())
            }
            None => Ok(()),
        };
        let mut recorder = lock(&self.recorder);
        self.alive()?;
        check(&recorder)?;
        let report_bytes = match recorder.checks.is_empty() {
            true => 0,
            false => REPORT_BYTES,
        };
        // Something is mapped in any case: that is what is waited for.
        let size = (report_bytes + bytes).max(SMALLEST);
        let staging = self.staging(&mut recorder, size);
        let upto = recorder.next;
        recorder.pass = None;
        if report_bytes > 0 {
            let report = recorder.report.clone();
            let encoder = recorder.encoder(&self.device);
            encoder.copy_buffer_to_buffer(&report, 0, &staging, 0, report_bytes);
        }
        if let Some((memory, offset, _)) = wanted {
            let (buffer, offset) = (memory.buffer(), offset as u64);
            let encoder = recorder.encoder(&self.device);
            encoder.copy_buffer_to_buffer(buffer, offset, &staging, report_bytes, bytes);
            memory.last_batch.store(recorder.batch, Ordering::Relaxed);
        }
        let submission = recorder.flush(&self.queue);
        drop(recorder);

        let mut data = self.wait_for(&staging, size, submission)?;
        let mut recorder = lock(&self.recorder);
        recorder.staging.push(staging);
        let report: Vec<u32> = bytemuck::pod_collect_to_vec(&data[..report_bytes as usize]);
        self.settle(&mut recorder, upto, &report);
        self.alive()?;
        check(&recorder)?;
        drop(recorder);
        if let Some(store) = &self.pipelines.store {
            store.save_now_and_then();
        }
        data.drain(..report_bytes as usize);
        data.truncate(bytes as usize);
        Ok(data)
    }

    /// A buffer that the host can read.
    fn staging(&self, recorder: &mut Recorder, size: u64) -> wgpu::Buffer {
        if let Some(found) = recorder.staging.iter().position(|b| b.size() >= size) {
            return recorder.staging.swap_remove(found);
        }
        recorder.staging.clear();
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("staging"),
            size: size.next_power_of_two().max(REPORT_BYTES),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }

    fn wait_for(
        &self,
        staging: &wgpu::Buffer,
        bytes: u64,
        submission_index: Option<wgpu::SubmissionIndex>,
    ) -> Result<Vec<u8>> {
        let (send, receive) = mpsc::channel();
        let range = staging.slice(..bytes);
        range.map_async(wgpu::MapMode::Read, move |result| {
            // Nobody listens if the poll failed.
            let _ = send.send(result);
        });
        let wait = wgpu::PollType::Wait {
            submission_index,
            timeout: None,
        };
        let polled = self.device.poll(wait);
        self.alive()?;
        polled.map_err(|error| self.trouble(&error.to_string()))?;
        let mapped = receive
            .recv()
            .map_err(|_| self.trouble("a read was abandoned"))?;
        mapped.map_err(|error| {
            self.happened()
                .unwrap_or_else(|| self.trouble(&error.to_string()))
        })?;
        let view = range
            .get_mapped_range()
            .map_err(|error| self.trouble(&error.to_string()))?;
        let data = view.to_vec();
        drop(view);
        staging.unmap();
        Ok(data)
    }

    /// All operations before `upto` are done, and this is the report.
    fn settle(&self, recorder: &mut Recorder, upto: u64, report: &[u32]) {
        if let Some(error) = self.happened() {
            let since = recorder.settled;
            recorder.suspect_since(since, error);
        }
        let (done, open) = std::mem::take(&mut recorder.checks)
            .into_iter()
            .partition::<Vec<Open>, _>(|open| open.number < upto);
        recorder.checks = open;
        for Open {
            word, check, doubt, ..
        } in done
        {
            let found = report.get(word as usize).copied().unwrap_or(0);
            if found != 0 {
                // Before whatever gets this word next: that is not submitted yet.
                self.queue
                    .write_buffer(&recorder.report, u64::from(4 * word), &[0; 4]);
            }
            // It is settled once: only those that are open are here.
            let _ = doubt.set((found != 0).then(|| check.error(found)));
            recorder.free.push(word);
        }
        recorder.settled = recorder.settled.max(upto);
    }

    /// The error that the device called back with since the last time, if any.
    fn happened(&self) -> Option<Error> {
        let message = lock(&self.events).error.take()?;
        Some(self.trouble(&message))
    }

    /// An error if the device is lost.
    pub(super) fn alive(&self) -> Result<()> {
        match &lock(&self.events).lost {
            Some(reason) => Err(self.trouble(&format!("the device was lost: {reason}"))),
            None => Ok(()),
        }
    }

    pub(super) fn trouble(&self, message: &str) -> Error {
        trouble(&self.name, message)
    }
}
