//! Reductions and softmax: a view becomes [outer, axis, inner] with one stride each, long axes are cut into stretches, and
//! what comes of the stretches is reduced again. The order of additions depends on the shape alone, so results reproduce.

use super::map::{Axes, plain_step, word};
use super::pipelines::Shape;
use super::pool::GpuMemory;
use super::{Gpu, size};
use crate::array::backend::{Buffer, Dims, Reduction, View};
use crate::diag::Result;
use crate::ir::Type;
use mooncake_shaders::{Combine, Scalar, Worker};

/// A view as the kernels see it: extents and strides of [outer, axis, inner].
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    pub offset: usize,
    pub outer: (usize, usize),
    pub axis: (usize, usize),
    pub inner: (usize, usize),
}

impl Lines {
    /// `None` if the axes before or after `axis` are not evenly spaced.
    pub fn new(view: &View, axis: usize) -> Option<Lines> {
        let part = |range: std::ops::Range<usize>| {
            let (extent, strides) =
                Axes::single(&view.shape[range.clone()], &[&view.strides[range]])?;
            Some((extent, strides[0]))
        };
        Some(Lines {
            offset: view.offset,
            outer: part(0..axis)?,
            axis: (view.shape[axis], view.strides[axis]),
            inner: part(axis + 1..view.shape.len())?,
        })
    }
    fn count(&self) -> usize {
        self.outer.0 * self.inner.0
    }
}

/// Elements that one invocation takes at most: well below what its loops may have.
const LONGEST: usize = 16_384;
/// Invocations of a workgroup of the kernels here.
const THREADS: usize = 64;
const GROUP: usize = 256;
const SOFTMAX_GROUP: usize = 128;

impl Gpu {
    /// Everything to one element.
    pub(super) fn reduce_all(&self, op: Reduction, view: &View) -> Result<Buffer> {
        let flat = match flattened(view) {
            Some(flat) => flat,
            None => {
                let copy = self.dense(view)?;
                let shape = [copy.len()];
                View {
                    shape: Dims::from_slice(&shape),
                    strides: Dims::from_slice(&[1]),
                    ..copy
                }
            }
        };
        self.reduce_axis(op, &flat, 0)
    }

    /// One axis to one element.
    pub(super) fn reduce_axis(&self, op: Reduction, view: &View, axis: usize) -> Result<Buffer> {
        let Some(mut lines) = Lines::new(view, axis) else {
            return self.reduce_axis(op, &self.dense(view)?, axis);
        };
        if lines.count() == 0 {
            return self.empty();
        }
        let mut buffer = view.buffer.clone();
        loop {
            let (stretch, made) = self.reduce_once(op, view.ty, self.memory(&buffer)?, &lines)?;
            buffer = made;
            let chunks = lines.axis.0.div_ceil(stretch).max(1);
            if chunks == 1 {
                return Ok(buffer);
            }
            let inner = lines.inner.0;
            lines = Lines {
                offset: 0,
                outer: (lines.outer.0, chunks * inner),
                axis: (chunks, inner),
                inner: (inner, 1),
            };
        }
    }

    /// Stretches of the axis to one element each; their length.
    fn reduce_once(
        &self,
        op: Reduction,
        ty: Type,
        memory: &GpuMemory,
        lines: &Lines,
    ) -> Result<(usize, Buffer)> {
        let combine = match op {
            Reduction::Sum => Combine::Sum,
            Reduction::Max => Combine::Max,
        };
        let worker = self.worker(lines);
        let stretch = self.stretch(lines, worker);
        let chunks = lines.axis.0.div_ceil(stretch).max(1);
        let total = lines.count() * chunks;
        let unit = match worker {
            Worker::ThreadVec4 => 4,
            Worker::Thread | Worker::Group => 1,
        };
        let params = [
            total,
            lines.axis.0,
            stretch / unit,
            chunks,
            lines.inner.0,
            lines.offset / unit,
            lines.outer.1 / unit,
            lines.axis.1,
            lines.inner.1,
        ];
        let (invocations, groups) = match worker {
            Worker::Group => (GROUP, total),
            Worker::Thread | Worker::ThreadVec4 => (THREADS, total.div_ceil(THREADS)),
        };
        let text = mooncake_shaders::reduce(scalar(ty), combine, worker);
        let shape = Shape {
            reads: 1,
            writes: 1,
        };
        let pipeline =
            self.pipelines
                .get(&self.device, "reduce", text, word(invocations), shape)?;
        let params = params.map(word).to_vec();
        let step = plain_step(
            pipeline,
            &[memory],
            total * size(ty),
            params,
            self.spread(groups as u64),
        );
        Ok((stretch, self.run(step)?.swap_remove(0)))
    }

    fn worker(&self, lines: &Lines) -> Worker {
        let rows = lines.inner.0 == 1 && lines.axis.1 == 1;
        if rows && self.profile.reduce_in_groups && lines.axis.0 >= 2 * GROUP {
            return Worker::Group;
        }
        let fours = lines.offset.is_multiple_of(4)
            && (lines.outer.0 == 1 || lines.outer.1.is_multiple_of(4));
        match rows && fours && lines.axis.0 >= 16 {
            true => Worker::ThreadVec4,
            false => Worker::Thread,
        }
    }

    /// Elements of the axis for one worker: such that all workers together occupy the adapter, but not so few that the next pass has as
    /// much to do; a multiple of four.
    fn stretch(&self, lines: &Lines, worker: Worker) -> usize {
        let (least, most) = match worker {
            Worker::Thread => (32, LONGEST),
            Worker::ThreadVec4 => (32, 4 * LONGEST),
            Worker::Group => (8 * GROUP, GROUP * LONGEST),
        };
        let wanted = (self.profile.reduce_spread / lines.count()).max(1);
        let stretch = lines.axis.0.div_ceil(wanted).clamp(least, most);
        stretch.next_multiple_of(4)
    }

    /// softmax, or its logarithm.
    pub(super) fn normalised_exp(&self, view: &View, axis: usize, log: bool) -> Result<Buffer> {
        let Some(lines) = Lines::new(view, axis) else {
            return self.normalised_exp(&self.dense(view)?, axis, log);
        };
        if view.is_empty() {
            return self.empty();
        }
        let total = lines.count();
        let extent = lines.axis.0;
        let alone = extent <= LONGEST && (!self.profile.reduce_in_groups || extent <= 64);
        let (worker, invocations, groups) = match alone {
            true => (Worker::Thread, THREADS, total.div_ceil(THREADS)),
            false => (Worker::Group, SOFTMAX_GROUP, total),
        };
        // Three loops over the axis.
        if 3 * extent.div_ceil(invocations) > self.profile.loop_limit as usize && !alone {
            return Err(self.trouble(&format!("softmax along an axis of {extent} elements is longer than the loops that this adapter runs: run it on Device::cpu()")));
        }
        let params = [
            total,
            extent,
            lines.inner.0,
            lines.offset,
            lines.outer.1,
            lines.axis.1,
            lines.inner.1,
            usize::from(log),
        ];
        let text = mooncake_shaders::softmax(scalar(view.ty), worker);
        let shape = Shape {
            reads: 1,
            writes: 1,
        };
        let pipeline =
            self.pipelines
                .get(&self.device, "softmax", text, word(invocations), shape)?;
        let memory = [self.memory(&view.buffer)?];
        let params = params.map(word).to_vec();
        let step = plain_step(
            pipeline,
            &memory,
            view.len() * size(view.ty),
            params,
            self.spread(groups as u64),
        );
        Ok(self.run(step)?.swap_remove(0))
    }
}

/// What kernels call the type of floats.
pub fn scalar(ty: Type) -> Scalar {
    match ty {
        Type::F64 => Scalar::F64,
        _ => Scalar::F32,
    }
}

/// The view's elements as one axis, in the order of memory: for reductions of everything, which may take any order.
fn flattened(view: &View) -> Option<View> {
    let mut axes: Vec<(usize, usize)> = view
        .strides
        .iter()
        .copied()
        .zip(view.shape.iter().copied())
        .collect();
    axes.sort_by(|a, b| b.cmp(a));
    let extents: Vec<usize> = axes.iter().map(|a| a.1).collect();
    let strides: Vec<usize> = axes.iter().map(|a| a.0).collect();
    let (extent, stride) = Axes::single(&extents, &[&strides])?;
    Some(View {
        shape: Dims::from_slice(&[extent]),
        strides: Dims::from_slice(&[stride[0]]),
        ..view.clone()
    })
}
