//! Gather, and its transpose: elements picked by index, elements added at indices.

use super::map::{Compiled, Extras, function, word};
use super::pipelines::Shape;
use super::pool::GpuMemory;
use super::recorder::{Check, Step};
use super::{Gpu, scalar, size};
use crate::array::backend::{Buffer, IndexUse, Operand, View, called, failed, place};
use crate::array::shape::Axes;
use crate::codegen::gpu::kernel::register;
use crate::diag::Result;
use crate::ir::Type;
use crate::kernel::Gather;
use mooncake_shaders::Scatter;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// Picks for which every element of the output looks through all of them on hardware. For more, and on software adapters, for which that many
/// invocations are dear, every line of the output walks along its picks.
const FEW_PICKS: usize = 16;
/// Picks in one dispatch: below what loops may have.
const MOST_PICKS: usize = 32_768;
/// Invocations of a workgroup.
const THREADS: usize = 64;

/// Two views along an axis: extents outside of it, and offsets and strides [outer, axis, inner] of both.
struct Pair {
    outer: usize,
    inner: usize,
    words: [[u32; 4]; 2],
}

impl Pair {
    /// `None` if the other axes are not evenly spaced in both views.
    fn new(view: &View, axis: usize, index: &View) -> Option<Pair> {
        let part = |range: std::ops::Range<usize>| {
            let extents = &index.shape[range.clone()];
            Axes::single(
                extents,
                &[&view.strides[range.clone()], &index.strides[range]],
            )
        };
        let (outer, outer_strides) = part(0..axis)?;
        let (inner, inner_strides) = part(axis + 1..index.shape.len())?;
        let words = |n: usize, view: &View| {
            [
                view.offset,
                outer_strides[n],
                view.strides[axis],
                inner_strides[n],
            ]
            .map(word)
        };
        Some(Pair {
            outer,
            inner,
            words: [words(0, view), words(1, index)],
        })
    }
}

impl Gpu {
    /// `out[.., i, ..] = view[.., index[.., i, ..], ..]`: a map of what is read through the index.
    pub(super) fn gathered(
        &self,
        operation: &'static str,
        view: &View,
        axis: usize,
        index: &View,
    ) -> Result<Buffer> {
        if index.is_empty() {
            return self.empty();
        }
        if view.shape[axis] == 0 {
            return none_expected(operation, index.shape[axis], 0);
        }
        let ty = view.ty;
        let held = register(ty)?;
        let text = format!("fn gather(index: u32, x: {held}) -> {held} {{ return x; }}\n");
        let compiled = Compiled::new(function("gather", text, &[Type::U32, ty], ty));
        let mut along = View {
            shape: index.shape.clone(),
            ..view.clone()
        };
        along.strides[axis] = 0;
        let gather = Gather {
            by: 0,
            step: view.strides[axis] as isize,
            extent: view.shape[axis],
        };
        let place = place();
        let own = IndexUse {
            operation,
            axis,
            place,
            order: 0,
        };
        let extras = Extras {
            totals: Vec::new(),
            gathers: vec![None, Some((gather, own))],
        };
        let operands = [Operand::View(index.clone()), Operand::View(along)];
        let mut made = self.map_compiled(&compiled, &operands, &index.shape, &extras)?;
        Ok(made.swap_remove(0))
    }

    /// Zeros in `shape`, plus each element of the view at its index.
    pub(super) fn scattered(
        &self,
        view: &View,
        axis: usize,
        index: &View,
        shape: &[usize],
    ) -> Result<Buffer> {
        let Some(pair) = Pair::new(view, axis, index) else {
            return self.scattered(&self.dense(view)?, axis, &self.dense(index)?, shape);
        };
        let (total, picks): (usize, usize) = (shape.iter().product(), index.shape[axis]);
        if total == 0 {
            return match index.is_empty() {
                true => self.empty(),
                false => none_expected("scatter_add", picks, shape[axis]),
            };
        }
        let adder = Adder {
            gpu: self,
            inputs: smallvec![self.memory(&view.buffer)?, self.memory(&index.buffer)?],
            axis,
            extent: shape[axis],
            pair,
            ty: view.ty,
            bytes: total * size(view.ty),
        };
        if picks <= FEW_PICKS && !self.software {
            return Ok(adder.step(Scatter::Element, 0..picks, None)?.swap_remove(0));
        }
        let zeros = self.zeros(view.ty, total)?;
        for start in (0..picks).step_by(MOST_PICKS) {
            let end = picks.min(start + MOST_PICKS);
            adder.step(Scatter::Line, start..end, Some(self.memory(&zeros)?))?;
        }
        Ok(zeros)
    }
}

/// The error of indices where there are no elements.
fn none_expected(operation: &str, found: usize, extent: usize) -> Result<Buffer> {
    let message =
        format_args!("found {found} indices along an axis of extent {extent}: expected none");
    Err(failed(operation, message))
}

/// What the dispatches of one `scatter_add` share.
struct Adder<'a> {
    gpu: &'a Gpu,
    inputs: SmallVec<[&'a GpuMemory; 8]>,
    axis: usize,
    extent: usize,
    pair: Pair,
    ty: Type,
    bytes: usize,
}

impl Adder<'_> {
    fn step(
        &self,
        kind: Scatter,
        picks: std::ops::Range<usize>,
        update: Option<&GpuMemory>,
    ) -> Result<SmallVec<[Arc<GpuMemory>; 2]>> {
        let (gpu, pair) = (self.gpu, &self.pair);
        let lines = pair.outer * pair.inner;
        let total = match kind {
            Scatter::Element => lines * self.extent,
            Scatter::Line => lines,
        };
        let mut params = vec![
            word(total),
            0,
            word(self.extent),
            word(picks.start),
            word(picks.end),
            word(pair.inner),
        ];
        params.extend(pair.words.as_flattened());
        let own = IndexUse {
            operation: called("scatter_add"),
            axis: self.axis,
            place: place(),
            order: 0,
        };
        let check = Check::Index(own, self.extent);
        let text = mooncake_shaders::scatter(scalar(self.ty), kind);
        let shape = Shape {
            reads: 2,
            writes: 2,
        };
        let step = Step {
            pipeline: gpu
                .pipelines
                .get(&gpu.device, "scatter_add", text, word(THREADS), shape)?,
            inputs: self.inputs.iter().copied().collect(),
            update,
            outputs: match update {
                Some(_) => smallvec![],
                None => smallvec![self.bytes],
            },
            params,
            checks: smallvec![(1, check)],
            groups: gpu.spread(total.div_ceil(THREADS) as u64),
        };
        gpu.run(step)
    }
}
