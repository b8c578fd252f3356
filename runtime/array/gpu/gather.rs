//! Gather, and its transpose: elements picked by index, elements added at indices.

use super::map::{Axes, word};
use super::pipelines::Shape;
use super::pool::GpuMemory;
use super::recorder::{Check, Step};
use super::reduce::scalar;
use super::{Gpu, size};
use crate::array::backend::{Buffer, View, called, failed, place};
use crate::diag::Result;
use crate::ir::Type;
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
    /// `out[.., i, ..] = view[.., index[.., i, ..], ..]`
    pub(super) fn gathered(
        &self,
        operation: &'static str,
        view: &View,
        axis: usize,
        index: &View,
    ) -> Result<Buffer> {
        let Some(pair) = Pair::new(view, axis, index) else {
            return self.gathered(operation, &self.dense(view)?, axis, &self.dense(index)?);
        };
        if index.is_empty() {
            return self.empty();
        }
        let (total, extent) = (index.len(), view.shape[axis]);
        let check = Check::Index {
            operation,
            extent,
            place: place(),
        };
        let mut params = vec![
            word(total),
            0,
            word(extent),
            word(index.shape[axis]),
            word(pair.inner),
        ];
        params.extend(pair.words.as_flattened());
        let shape = Shape {
            reads: 2,
            writes: 2,
        };
        let text = mooncake_shaders::gather(size(view.ty) / 4);
        let step = Step {
            pipeline: self
                .pipelines
                .get(&self.device, "gather", text, word(THREADS), shape)?,
            inputs: smallvec![self.memory(&view.buffer)?, self.memory(&index.buffer)?],
            update: None,
            outputs: smallvec![total * size(view.ty)],
            params,
            check: Some((1, check)),
            groups: self.spread(total.div_ceil(THREADS) as u64),
        };
        Ok(self.run(step)?.swap_remove(0))
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
                false => Err(failed(
                    "scatter_add",
                    format_args!(
                        "found {picks} indices along an axis of extent {}: expected none",
                        shape[axis]
                    ),
                )),
            };
        }
        let adder = Adder {
            gpu: self,
            inputs: smallvec![self.memory(&view.buffer)?, self.memory(&index.buffer)?],
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

/// What the dispatches of one `scatter_add` share.
struct Adder<'a> {
    gpu: &'a Gpu,
    inputs: SmallVec<[&'a GpuMemory; 8]>,
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
        let check = Check::Index {
            operation: called("scatter_add"),
            extent: self.extent,
            place: place(),
        };
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
            check: Some((1, check)),
            groups: gpu.spread(total.div_ceil(THREADS) as u64),
        };
        gpu.run(step)
    }
}
