//! Kernels of the kernel IR: as maps where nothing is reduced along rows, else a worker for each row.

use super::Gpu;
use super::map::{Flat, scalar_word, word};
use super::pipelines::{Pipeline, Shape};
use super::pool::{GpuMemory, lock};
use super::recorder::{Check, Step};
use crate::array::backend::{Buffer, KernelProgram, Operand, Reduction, View};
use crate::codegen::gpu::rows::{Layout, Word, Worker, is_of_points, row_kernel};
use crate::diag::{Diagnostic, Error, Result};
use crate::ir::Type;
use crate::kernel::{Combine, Kernel, Output};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// What a [`KernelProgram`] remembers.
enum Compiled {
    Flat(Flat),
    /// By device and layout.
    Rows(Mutex<HashMap<(u64, Layout), Arc<Rows>>>),
}

/// A kernel with reductions along rows, ready to run.
struct Rows {
    pipeline: Arc<Pipeline>,
    words: Vec<Word>,
    faults: Arc<Vec<Diagnostic>>,
}

/// Invocations of a workgroup: each with a row of its own, and all with one.
const THREADS: u32 = 64;
const GROUP: u32 = 256;

/// Rows from which on an invocation takes one alone, on hardware, if neighbours read neighbouring memory.
const MANY: usize = 4096;

/// Steps of a row that an invocation takes alone on hardware.
const SHORT: usize = 64;

impl Gpu {
    /// A kernel's outputs.
    pub(super) fn run_kernel(
        &self,
        program: &KernelProgram,
        inputs: &[Operand],
    ) -> Result<SmallVec<[Buffer; 2]>> {
        let kernel = &program.kernel;
        let compile = || {
            Ok(match is_flat(kernel) {
                true => Compiled::Flat(Flat::new(kernel, &program.registry)?),
                false => Compiled::Rows(Mutex::default()),
            })
        };
        match &*program.compiled(compile)? {
            Compiled::Flat(flat) => self.flat_kernel(flat, kernel, inputs),
            Compiled::Rows(made) => self.row_kernel(made, program, inputs),
        }
    }

    /// One element of those that workers have given.
    pub(super) fn finish_total(
        &self,
        combine: Combine,
        parts: Buffer,
        count: usize,
    ) -> Result<Buffer> {
        match count {
            1 => Ok(parts),
            _ => {
                let parts = View::dense(parts, Type::F32, &[count]);
                self.reduce_axis(reduction(combine), &parts, 0)
            }
        }
    }

    fn row_kernel(
        &self,
        made: &Mutex<HashMap<(u64, Layout), Arc<Rows>>>,
        program: &KernelProgram,
        inputs: &[Operand],
    ) -> Result<SmallVec<[Buffer; 2]>> {
        let kernel = &program.kernel;
        let layout = self.row_layout(kernel, inputs);
        let rows = self.rows(made, program, inputs, layout)?;
        let unit = if layout.wide { 4 } else { 1 };
        let row_count = kernel.row_count();
        let stretch = self.stretch_of(kernel, layout, unit);
        let stretches = (kernel.columns / unit).div_ceil(stretch);
        let items = row_count * stretches;
        let mut params = Vec::new();
        for &own in &rows.words {
            params.push(match own {
                Word::Items => word(items),
                Word::Operation => 0,
                Word::Rows => word(row_count),
                Word::Columns => word(kernel.columns / unit),
                Word::Stretch => word(stretch),
                Word::Extent(axis) => word(kernel.rows[axis]),
                Word::Offset(n) => match &inputs[n] {
                    Operand::View(view) => word(view.offset / width(kernel, n, unit)),
                    Operand::Scalar(..) => 0,
                },
                Word::Step(n, axis) => {
                    let step = kernel.inputs[n].steps[axis] / width(kernel, n, unit) as isize;
                    step as i32 as u32
                }
                Word::Number(n) => match inputs[n] {
                    Operand::Scalar(bits, ty) => scalar_word(bits, ty)?,
                    Operand::View(_) => 0,
                },
            });
        }
        let buffers: SmallVec<[&GpuMemory; 8]> = views(inputs)
            .map(|view| self.memory(&view.buffer))
            .collect::<Result<_>>()?;
        let outputs = kernel.outputs.iter().enumerate().map(|(n, output)| {
            let elements = match output {
                Output::Points => kernel.output_len(n),
                Output::Rows | Output::Total(_) | Output::RowTotal(_) => items,
            };
            elements * kernel.output_type(n).size().unwrap_or(4)
        });
        let groups = match layout.worker {
            Worker::Group => items,
            Worker::Thread => items.div_ceil(THREADS as usize),
        };
        let operation = rows.words.iter().position(|&w| w == Word::Operation);
        let step = Step {
            pipeline: rows.pipeline.clone(),
            inputs: buffers,
            update: None,
            outputs: outputs.collect(),
            params,
            check: operation
                .filter(|_| !rows.faults.is_empty())
                .map(|at| (at, Check::Guards(rows.faults.clone()))),
            groups: self.spread(groups as u64),
        };
        let made = self.run(step)?;
        let finished = made.into_iter().enumerate().map(|(n, memory)| {
            let memory = memory as Buffer;
            match kernel.outputs[n] {
                Output::Points => Ok(memory),
                Output::Rows if stretches == 1 => Ok(memory),
                Output::Rows => {
                    let parts = View::dense(memory, Type::F32, &[stretches, row_count]);
                    self.reduce_axis(reduction(row_combine(kernel, n)), &parts, 0)
                }
                Output::Total(combine) | Output::RowTotal(combine) => {
                    self.finish_total(combine, memory, items)
                }
            }
        });
        finished.collect()
    }

    fn rows(
        &self,
        kept: &Mutex<HashMap<(u64, Layout), Arc<Rows>>>,
        program: &KernelProgram,
        inputs: &[Operand],
        layout: Layout,
    ) -> Result<Arc<Rows>> {
        let key = (self.id, layout);
        if let Some(found) = lock(kept).get(&key) {
            return Ok(found.clone());
        }
        let is_number: Vec<bool> = { inputs.iter() }
            .map(|operand| matches!(operand, Operand::Scalar(..)))
            .collect();
        let made = row_kernel(&program.kernel, &is_number, &program.registry, layout)?;
        let shape = Shape {
            reads: views(inputs).count(),
            writes: program.kernel.outputs.len() + usize::from(!made.faults.is_empty()),
        };
        let most = self.limits.max_storage_buffers_per_shader_stage as usize;
        if shape.reads + shape.writes > most {
            return Err(Error::Internal(format!(
                "a kernel with more than the {most} arrays that the device allows"
            )));
        }
        let made = Arc::new(Rows {
            pipeline: self
                .pipelines
                .get(&self.device, "rows", made.text, 0, shape)?,
            words: made.words,
            faults: Arc::new(made.faults),
        });
        lock(kept).insert(key, made.clone());
        Ok(made)
    }

    fn row_layout(&self, kernel: &Kernel, inputs: &[Operand]) -> Layout {
        let stretches = is_reductions_only(kernel);
        let wide = is_wide(kernel, inputs);
        let steps = kernel.columns / if wide { 4 } else { 1 };
        let phases = kernel
            .known()
            .iter()
            .map(|known| known.phase)
            .max()
            .unwrap_or(0)
            + 1;
        let fits = phases * steps < self.profile.loop_limit as usize || stretches;
        let in_groups = match self.profile.reduce_in_groups {
            false => !fits,
            true => {
                let along_rows = kernel.row_count() >= MANY && !rows_are_dense(kernel);
                !(fits && (steps <= SHORT || along_rows))
            }
        };
        let (worker, workgroup) = match in_groups {
            true => (Worker::Group, GROUP),
            false => (Worker::Thread, THREADS),
        };
        Layout {
            worker,
            wide,
            stretches,
            workgroup,
            fuel: self.profile.loop_limit,
        }
    }

    /// Steps of a row that one worker takes: such that all of them together occupy the adapter.
    fn stretch_of(&self, kernel: &Kernel, layout: Layout, unit: usize) -> usize {
        let steps = kernel.columns / unit;
        if !layout.stretches {
            return steps;
        }
        let (least, most) = match layout.worker {
            Worker::Thread => (32, self.profile.loop_limit as usize / 2),
            Worker::Group => (8 * GROUP as usize, (GROUP * (1 << 14)) as usize),
        };
        let wanted = (self.profile.reduce_spread / kernel.row_count()).max(1);
        steps.div_ceil(wanted).clamp(least, most).min(steps)
    }
}

/// The arrays among operands.
fn views(inputs: &[Operand]) -> impl Iterator<Item = &View> {
    inputs.iter().filter_map(|operand| match operand {
        Operand::View(view) => Some(view),
        Operand::Scalar(..) => None,
    })
}

/// In how many elements the offset and the steps of an input count, if rows are loaded `unit` elements at a time.
fn width(kernel: &Kernel, input: usize, unit: usize) -> usize {
    match is_of_points(&kernel.inputs[input]) {
        true => unit,
        false => 1,
    }
}

/// Whether groups of four elements of a row never cross its end, and lie at multiples of four in all inputs.
fn is_wide(kernel: &Kernel, inputs: &[Operand]) -> bool {
    let fours = |n: &isize| n % 4 == 0;
    let aligned = kernel.inputs.iter().zip(inputs).all(|(input, operand)| {
        let (Operand::View(view), Some((column, rows))) = (operand, input.steps.split_last())
        else {
            return true;
        };
        let rows = rows
            .iter()
            .zip(&kernel.rows)
            .filter(|(_, extent)| **extent != 1);
        !is_of_points(input)
            || (*column == 1 && view.offset.is_multiple_of(4) && { rows }
                .all(|(step, _)| fours(step)))
    });
    kernel.columns.is_multiple_of(4) && aligned
}

/// Whether the arrays that are read at each point lie along the columns.
fn rows_are_dense(kernel: &Kernel) -> bool {
    let mut of_points = kernel.inputs.iter().filter(|input| is_of_points(input));
    of_points.all(|input| input.steps.last() == Some(&1))
}

/// Whether all outputs are reductions along the rows, of what does not depend on other reductions: then stretches of rows can be reduced.
fn is_reductions_only(kernel: &Kernel) -> bool {
    let known = kernel.known();
    let results = kernel.results().iter().zip(&kernel.outputs);
    let mut results = results.map(|(value, output)| {
        let reduction = kernel.insts().iter().any(|&inst| {
            kernel.reduction(inst).is_some() && kernel.body.insts[inst].result == *value
        });
        *output == Output::Rows && reduction
    });
    results.all(|fits| fits) && known.iter().all(|known| known.phase <= 1)
}

/// By what the reduction combines that an output is.
fn row_combine(kernel: &Kernel, output: usize) -> Combine {
    let value = kernel.results()[output];
    let mut own = { kernel.insts().iter() }
        .filter(|&&inst| kernel.body.insts[inst].result == value)
        .filter_map(|&inst| kernel.reduction(inst));
    own.next().unwrap_or(Combine::Sum)
}

fn reduction(combine: Combine) -> Reduction {
    match combine {
        Combine::Sum => Reduction::Sum,
        Combine::Max => Reduction::Max,
    }
}

/// Whether nothing of a kernel is about rows: it is a map, and totals of one.
fn is_flat(kernel: &Kernel) -> bool {
    let reduces = kernel
        .insts()
        .iter()
        .any(|&inst| kernel.reduction(inst).is_some());
    let points = |output: &Output| matches!(output, Output::Points | Output::Total(_));
    !reduces && kernel.outputs.iter().all(points)
}
