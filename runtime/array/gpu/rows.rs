//! Kernels of the kernel IR: as maps where nothing is reduced along rows, else a worker for each row.

use super::Gpu;
use super::map::{Flat, scalar_words, word};
use super::pipelines::{Pipeline, Shape};
use super::pool::lock;
use super::recorder::{Check, Step};
use crate::array::backend::{Buffer, IndexUse, KernelProgram, Operand, View};
use crate::array::reduce;
use crate::codegen::gpu::rows::{Layout, Word, Worker, is_of_points, is_wide, row_kernel};
use crate::diag::{Diagnostic, Result};
use crate::ir::Type;
use crate::kernel::{Combine, Input, Kernel, Output};
use crate::registry::Registry;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex};

/// What a [`KernelProgram`] remembers.
pub(super) enum Compiled {
    Flat(Flat),
    Rows(Rows),
}

impl Compiled {
    fn of(program: &KernelProgram) -> Result<Arc<Compiled>> {
        let kernel = &program.kernel;
        program.compiled(|| {
            Ok(match is_flat(kernel) {
                true => Compiled::Flat(Flat::new(kernel, &program.registry)?),
                false => Compiled::Rows(Rows::new(kernel, &program.registry)),
            })
        })
    }
    /// Whether it has numbers of 64 bits.
    fn is_wide(&self) -> bool {
        match self {
            Compiled::Flat(flat) => flat.is_wide(),
            Compiled::Rows(rows) => rows.wide,
        }
    }
    /// A kernel that is a map, if its function is straight-line and cannot fail.
    pub(super) fn straight(&self) -> Option<&Flat> {
        let is_straight = |flat: &&Flat| {
            let function = flat.function();
            !function.loops && !function.memory && function.faults.is_empty()
        };
        match self {
            Compiled::Flat(flat) => Some(flat).filter(is_straight),
            Compiled::Rows(_) => None,
        }
    }
}

/// What is known of a kernel with reductions along rows, and its pipelines by device and layout.
pub(super) struct Rows {
    /// How often a row is gone along.
    walks: usize,
    /// The reductions that the outputs are, if they are nothing else, and of what depends on no others: then stretches of rows can be reduced.
    stretched: Option<Vec<Combine>>,
    /// Whether groups of four elements of a row never cross its end, and lie at multiples of four in all arrays that begin at one.
    in_fours: bool,
    /// Whether the arrays that are read at each point lie along the columns.
    dense: bool,
    /// Whether it has numbers of 64 bits.
    wide: bool,
    ready: Mutex<FxHashMap<(u64, Layout), Arc<Ready>>>,
}

/// A kernel with reductions along rows, for a layout.
struct Ready {
    pipeline: Arc<Pipeline>,
    /// The parameters, but for what calls decide.
    params: Vec<u32>,
    /// What calls decide: a word, and the input of which it is the offset or the bits.
    open: Vec<(OpenWord, usize)>,
    /// The place of the operation's word, and what a fault means, if there are any.
    faults: Option<(usize, Arc<Vec<Diagnostic>>)>,
    /// The places of the words that indices report to, with the inputs that are read through them, or that are the index of the output.
    reports: Vec<(usize, usize)>,
    /// Into how many stretches a row is cut.
    stretches: usize,
    /// How many workers have work.
    items: usize,
    /// For a scattered output: the place of the word that says at which step of a row a dispatch begins, and how the work is divided.
    adding: Option<(usize, Adding)>,
}

/// How the additions of a scattered output are divided. There are several copies of the output, each for some of the points of all rows, which are added up
/// in the end; an invocation owns some elements of a row of a copy.
struct Adding {
    /// Points of a row that an invocation looks at in one dispatch.
    stretch: usize,
    copies: usize,
    /// Invocations for a row of a copy.
    owners: usize,
    /// Elements of a row that an invocation owns.
    share: usize,
}

/// A word that calls decide: its place, and which half of a number's bits it is.
#[derive(Clone, Copy)]
struct OpenWord {
    place: usize,
    half: usize,
}

/// Invocations of a workgroup: each with a row of its own, and all with one, at most.
const THREADS: u32 = 64;
const GROUP: u32 = 256;

/// The invocations of a workgroup that takes rows of so many steps: such that each of them takes a few.
fn group_for(steps: usize) -> u32 {
    let wanted = (steps / 4).next_power_of_two();
    wanted.clamp(32, GROUP as usize) as u32
}

/// Rows from which on an invocation takes one alone, on hardware, if neighbours read neighbouring memory.
const MANY: usize = 4096;

/// The same if an invocation may take a stretch of a row, of arrays with so many elements: another kernel reduces what stretches give.
const FEW: usize = 64;
const LARGE: usize = 1 << 23;

/// Steps of a row that an invocation takes alone on hardware.
const SHORT: usize = 64;

/// Invocations over which additions are spread on hardware.
const SCATTERING: usize = 1 << 16;

/// Points of a row for which a copy of the output is worth making.
const LEAST_ADDED: usize = 64;

/// Steps of a row that an invocation adds up in one dispatch: below what loops may have, and few enough that no driver takes the device for hung.
const MOST_ADDED: usize = 1 << 15;

impl Gpu {
    /// A kernel's outputs.
    pub(super) fn run_kernel(
        &self,
        program: &KernelProgram,
        inputs: &[Operand],
    ) -> Result<SmallVec<[Buffer; 2]>> {
        self.compiled(program)?;
        self.run_unchecked(program, inputs)
    }

    /// As `run_kernel`, also where it is not known whether the device computes with f64 what it should.
    pub(super) fn run_unchecked(
        &self,
        program: &KernelProgram,
        inputs: &[Operand],
    ) -> Result<SmallVec<[Buffer; 2]>> {
        match &*Compiled::of(program)? {
            Compiled::Flat(flat) => self.flat_kernel(flat, program, inputs),
            Compiled::Rows(rows) => self.row_kernel(rows, program, inputs),
        }
    }

    pub(super) fn compiled(&self, program: &KernelProgram) -> Result<Arc<Compiled>> {
        let compiled = Compiled::of(program)?;
        if compiled.is_wide() {
            self.must_hold_f64()?;
        }
        Ok(compiled)
    }

    /// One line of elements, of the `count` lines that workers have given.
    pub(super) fn of_parts(
        &self,
        combine: Combine,
        parts: Buffer,
        ty: Type,
        (count, length): (usize, usize),
    ) -> Result<Buffer> {
        if count == 1 {
            return Ok(parts);
        }
        let program = reduce::of_lines(combine, ty, count, length)?;
        let parts = Operand::View(View::dense(parts, ty, &[count, length]));
        let mut made = self.run_unchecked(&program, &[parts])?;
        Ok(made.swap_remove(0))
    }

    pub(super) fn row_kernel(
        &self,
        rows: &Rows,
        program: &KernelProgram,
        inputs: &[Operand],
    ) -> Result<SmallVec<[Buffer; 2]>> {
        let kernel = &program.kernel;
        let layout = self.row_layout(rows, kernel, inputs);
        let ready = self.ready(rows, program, inputs, layout)?;
        let (row_count, items) = (kernel.row_count(), ready.items);
        let mut params = ready.params.clone();
        for &(at, n) in &ready.open {
            params[at.place] = match &inputs[n] {
                Operand::View(view) => word(view.offset / width(kernel, n, layout)),
                Operand::Scalar(bits, ty) => scalar_words(*bits, *ty)?[at.half],
            };
        }
        let outputs = kernel.outputs.iter().enumerate().map(|(n, output)| {
            let elements = match output {
                Output::Points | Output::Across | Output::Scattered(_) => kernel.output_len(n),
                Output::Rows | Output::Total(_) | Output::RowTotal(_) => items,
            };
            elements * kernel.output_type(n).size().unwrap_or(4)
        });
        let groups = match layout.worker {
            Worker::Group => items,
            Worker::Thread => items.div_ceil(THREADS as usize),
        };
        let guards = ready.faults.clone();
        let guards = guards.map(|(at, faults)| (at, Check::Guards(faults)));
        let indices = ready.reports.iter().filter_map(|&(at, n)| {
            let own = program.uses[n].unwrap_or_else(|| IndexUse::now("scatter_add"));
            Some((at, Check::Index(own, kernel.index_bound(n)?)))
        });
        let checks = guards.into_iter().chain(indices).collect();
        let sums = match &ready.adding {
            Some((_, adding)) => {
                let elements = adding.copies * kernel.output_len(0);
                Some(self.zeros(kernel.output_type(0), elements)?)
            }
            None => None,
        };
        let mut step = Step {
            pipeline: ready.pipeline.clone(),
            inputs: { inputs.iter().filter_map(Operand::view) }
                .map(|view| self.memory(&view.buffer))
                .collect::<Result<_>>()?,
            update: sums.as_ref().map(|sums| self.memory(sums)).transpose()?,
            outputs: match sums {
                Some(_) => SmallVec::new(),
                None => outputs.collect(),
            },
            params,
            checks,
            groups: self.spread(groups as u64),
        };
        // One dispatch after another adds a stretch of all rows for each copy.
        if let (Some((first, adding)), Some(sums)) = (&ready.adding, &sums) {
            let together = adding.stretch * adding.copies;
            for begun in (0..kernel.columns).step_by(together) {
                step.params[*first] = word(begun);
                self.run(step.clone())?;
            }
            let (ty, elements) = (kernel.output_type(0), kernel.output_len(0));
            let copies = (adding.copies, elements);
            let made = self.of_parts(Combine::Sum, sums.clone(), ty, copies)?;
            return Ok(SmallVec::from_elem(made, 1));
        }
        let made = self.run(step)?.into_iter().enumerate();
        let finished = made.map(|(n, memory)| {
            let memory = memory as Buffer;
            match (kernel.outputs[n], &rows.stretched) {
                (Output::Rows, Some(combine)) if ready.stretches > 1 => {
                    let ty = kernel.output_type(n);
                    self.of_parts(combine[n], memory, ty, (ready.stretches, row_count))
                }
                (Output::Points | Output::Across | Output::Rows | Output::Scattered(_), _) => {
                    Ok(memory)
                }
                (Output::Total(combine) | Output::RowTotal(combine), _) => {
                    self.of_parts(combine, memory, kernel.output_type(n), (items, 1))
                }
            }
        });
        finished.collect()
    }

    fn ready(
        &self,
        rows: &Rows,
        program: &KernelProgram,
        inputs: &[Operand],
        layout: Layout,
    ) -> Result<Arc<Ready>> {
        let key = (self.id, layout);
        if let Some(found) = lock(&rows.ready).get(&key) {
            return Ok(found.clone());
        }
        let kernel = &program.kernel;
        let is_number: Vec<bool> = inputs.iter().map(|input| input.view().is_none()).collect();
        let made = row_kernel(kernel, &is_number, &program.registry, layout)?;
        let shape = Shape {
            reads: is_number.iter().filter(|is_number| !**is_number).count(),
            writes: kernel.outputs.len()
                + usize::from(!made.faults.is_empty() || kernel.has_indices()),
        };
        let (steps, row_count) = (kernel.columns / layout.unit(), kernel.row_count());
        let adding = self.adding(kernel);
        let stretch = match &adding {
            Some(adding) => adding.stretch,
            None => self.stretch_of(row_count, steps, layout),
        };
        let stretches = steps.div_ceil(stretch);
        let items = match &adding {
            Some(adding) => row_count * adding.owners * adding.copies,
            None => row_count * stretches,
        };
        let (mut params, mut open, mut reports) = (Vec::new(), Vec::new(), Vec::new());
        for (at, &own) in made.words.iter().enumerate() {
            params.push(match own {
                Word::Items => word(items),
                Word::Rows => word(row_count),
                Word::Columns => word(steps),
                Word::Stretch => word(stretch),
                Word::Stretches => word(stretches),
                Word::Extent(axis) => word(kernel.rows[axis]),
                Word::Step(n, axis) => {
                    let step = kernel.inputs[n].steps[axis] / width(kernel, n, layout) as isize;
                    step as i32 as u32
                }
                Word::Below(n) => word(kernel.index_bound(n).unwrap_or(0)),
                Word::Gather(n) => {
                    let step = kernel.inputs[n].gather.map_or(0, |gather| gather.step);
                    (step / width(kernel, n, layout) as isize) as i32 as u32
                }
                Word::Report(n) => {
                    reports.push((at, n));
                    0
                }
                Word::Offset(n) | Word::Number(n) => {
                    open.push((OpenWord { place: at, half: 0 }, n));
                    0
                }
                Word::High(n) => {
                    open.push((OpenWord { place: at, half: 1 }, n));
                    0
                }
                // Whoever records the operation knows it, and which stretch it is for.
                Word::Operation | Word::First => 0,
                Word::Own => word(adding.as_ref().map_or(1, |adding| adding.share)),
                Word::Owners => word(adding.as_ref().map_or(1, |adding| adding.owners)),
                Word::Elements => word(kernel.output_len(0)),
            });
        }
        let operation = made.words.iter().position(|&own| own == Word::Operation);
        let first = made.words.iter().position(|&own| own == Word::First);
        let faults = Arc::new(made.faults);
        let ready = Arc::new(Ready {
            pipeline: self
                .pipelines
                .get(&self.device, "rows", made.text, 0, shape)?,
            params,
            open,
            faults: operation
                .filter(|_| !faults.is_empty())
                .map(|at| (at, faults)),
            reports,
            stretches,
            items,
            adding: first.zip(adding),
        });
        lock(&rows.ready).insert(key, ready.clone());
        Ok(ready)
    }

    fn row_layout(&self, rows: &Rows, kernel: &Kernel, inputs: &[Operand]) -> Layout {
        let aligned = |(n, operand): (usize, &Operand)| {
            !is_of_points(kernel, n)
                || operand
                    .view()
                    .is_none_or(|view| view.offset.is_multiple_of(4))
        };
        let wide =
            rows.in_fours && kernel.scatter().is_none() && inputs.iter().enumerate().all(aligned);
        let stretches = rows.stretched.is_some();
        let steps = kernel.columns / if wide { 4 } else { 1 };
        let fits = rows.walks * steps < self.profile.loop_limit as usize || stretches;
        let in_groups = match self.profile.reduce_in_groups {
            // The points of a row are added one after another.
            _ if kernel.scatter().is_some() => false,
            false => !fits,
            true => {
                let is_large = kernel.row_count() * kernel.columns >= LARGE;
                let many = if stretches && is_large { FEW } else { MANY };
                let along_rows = kernel.row_count() >= many && !rows.dense;
                !(fits && (steps <= SHORT || along_rows))
            }
        };
        let (worker, workgroup) = match in_groups {
            true => (Worker::Group, group_for(steps)),
            false => (Worker::Thread, THREADS),
        };
        Layout {
            worker,
            wide,
            stretches,
            interleaved: stretches && worker == Worker::Thread && !self.profile.map_blocks,
            workgroup,
            fuel: self.profile.loop_limit,
        }
    }

    /// How the additions of a scattered output are divided. On hardware such that all invocations together occupy the adapter: first by copies, which
    /// together have at most as many elements as there are points, and then by owners, each of which looks at all points of its copy.
    fn adding(&self, kernel: &Kernel) -> Option<Adding> {
        let scatter = kernel.scatter()?;
        let (points, extent) = (kernel.columns, scatter.extent);
        let (copies, owners) = match self.profile.reduce_in_groups {
            true => {
                let wanted = (SCATTERING / kernel.row_count()).max(1);
                let copies = (points / extent.max(LEAST_ADDED)).clamp(1, wanted);
                let owners = (wanted / copies).min(extent).min(points / copies);
                (copies, owners.max(1))
            }
            false => (1, 1),
        };
        let share = extent.div_ceil(owners).max(1);
        Some(Adding {
            stretch: points.div_ceil(copies).clamp(1, MOST_ADDED),
            copies,
            owners: extent.div_ceil(share),
            share,
        })
    }

    /// Steps of a row that one worker takes, of so many: such that all of them together occupy the adapter.
    fn stretch_of(&self, row_count: usize, steps: usize, layout: Layout) -> usize {
        if !layout.stretches {
            return steps;
        }
        let group = layout.workgroup as usize;
        let (invocations, least, most) = match layout.worker {
            Worker::Thread => (1, 32, self.profile.loop_limit as usize / 2),
            Worker::Group => (group, 16 * group, group << 14),
        };
        let wanted = (self.profile.reduce_spread / invocations / row_count).max(1);
        steps.div_ceil(wanted).clamp(least, most).min(steps)
    }
}

impl Rows {
    pub(super) fn new(kernel: &Kernel, registry: &Registry) -> Rows {
        let phases = kernel.phases();
        let all_rows = kernel.outputs.iter().all(|output| *output == Output::Rows);
        let reductions = (0..kernel.outputs.len()).map(|n| kernel.reduced(n));
        let all = || kernel.inputs.iter().enumerate();
        let of_points = || { all() }.filter(|&(n, _)| is_of_points(kernel, n));
        let lies_along = |(n, input): (usize, &Input)| {
            input.steps.last() == Some(&1) && !kernel.index_varies(n, kernel.rows.len())
        };
        let rows_in_fours = |(_, input): (usize, &Input)| {
            let rows = input.steps.iter().zip(&kernel.rows);
            { rows }.all(|(step, &extent)| extent == 1 || step % 4 == 0)
                && input.gather.is_none_or(|gather| gather.step % 4 == 0)
        };
        let dense = of_points().all(lies_along);
        Rows {
            walks: phases + 1,
            stretched: match all_rows && phases <= 1 {
                true => reductions.collect(),
                false => None,
            },
            in_fours: dense && kernel.columns.is_multiple_of(4) && of_points().all(rows_in_fours),
            dense,
            wide: is_wide(kernel, registry),
            ready: Mutex::default(),
        }
    }
}

/// In how many elements the offset and the steps of an input count.
fn width(kernel: &Kernel, input: usize, layout: Layout) -> usize {
    match is_of_points(kernel, input) {
        true => layout.unit(),
        false => 1,
    }
}

/// Whether nothing of a kernel is about rows: it is a map, and totals of one.
fn is_flat(kernel: &Kernel) -> bool {
    let points = |output: &Output| matches!(output, Output::Points | Output::Total(_));
    kernel.phases() == 0 && kernel.outputs.iter().all(points)
}
