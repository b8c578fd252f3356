//! Parts of arrays, written where they belong in others.

use super::map::word;
use super::pipelines::Shape;
use super::pool::GpuMemory;
use super::recorder::Step;
use super::{Gpu, scalar, size};
use crate::array::backend::{Buffer, Places, View};
use crate::array::shape::Axes;
use crate::codegen::gpu::KernelText;
use crate::diag::Result;
use crate::ir::Type;
use mooncake_shaders::Placing;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// Invocations of a workgroup.
const THREADS: usize = 64;

impl Gpu {
    /// See [`Backend::place`](crate::array::backend::Backend::place).
    pub(super) fn placed(
        &self,
        whole: View,
        part: &View,
        places: Places,
        add: bool,
    ) -> Result<Buffer> {
        let (ty, shape) = (whole.ty, whole.shape.clone());
        let is_own = Arc::strong_count(&whole.buffer) == 1 && whole.is_dense() && whole.offset == 0;
        let buffer = match is_own {
            true => whole.buffer,
            false => self.copy_view(&whole)?,
        };
        let placing = match add {
            true => Placing::Sums(scalar(ty)),
            false => moved(ty),
        };
        let target = Target {
            update: Some(self.memory(&buffer)?),
            shape: &shape,
            ty,
        };
        self.place_step(part, places, placing, target)?;
        Ok(buffer)
    }

    /// See [`Backend::concat`](crate::array::backend::Backend::concat).
    pub(super) fn joined(&self, parts: &[&View], axis: usize, shape: &[usize]) -> Result<Buffer> {
        let (mut start, mut whole): (usize, Option<Arc<GpuMemory>>) = (0, None);
        for part in parts {
            let places = Places {
                axis,
                start,
                step: 1,
            };
            // The first part makes the memory, which no other part finds filled.
            let target = Target {
                update: whole.as_deref(),
                shape,
                ty: part.ty,
            };
            let made = self.place_step(part, places, moved(part.ty), target)?;
            whole = whole.or(made.into_iter().next());
            start += part.shape[axis];
        }
        match whole {
            Some(whole) => Ok(whole),
            None => self.empty(),
        }
    }

    fn place_step(
        &self,
        part: &View,
        places: Places,
        placing: Placing,
        target: Target<'_>,
    ) -> Result<SmallVec<[Arc<GpuMemory>; 2]>> {
        let axis = places.axis;
        let single = |range: std::ops::Range<usize>| {
            let (extents, strides) = (&part.shape[range.clone()], &part.strides[range]);
            Axes::single(extents, &[strides])
        };
        let (Some((outer, outer_stride)), Some((inner, inner_stride))) =
            (single(0..axis), single(axis + 1..part.shape.len()))
        else {
            return self.place_step(&self.dense(part)?, places, placing, target);
        };
        let (count, shape) = (part.shape[axis], target.shape);
        let total = outer * count * inner;
        let params = [
            total,
            inner,
            count,
            shape[axis],
            places.start,
            places.step,
            part.offset,
            outer_stride[0],
            part.strides[axis],
            inner_stride[0],
        ];
        let text = KernelText::checked(mooncake_shaders::place(placing));
        let layout = Shape {
            reads: 1,
            writes: 1,
        };
        let elements: usize = shape.iter().product();
        self.run(Step {
            pipeline: self
                .pipelines
                .get(&self.device, "place", text, word(THREADS), layout)?,
            inputs: smallvec![self.memory(&part.buffer)?],
            update: target.update,
            outputs: match target.update {
                Some(_) => smallvec![],
                None => smallvec![elements * size(target.ty)],
            },
            params: params.map(word).to_vec(),
            checks: smallvec![],
            groups: self.spread(total.div_ceil(THREADS) as u64),
        })
    }
}

/// How elements are placed that are not added.
fn moved(ty: Type) -> Placing {
    match size(ty) {
        2 => Placing::Halfwords,
        8 => Placing::DoubleWords,
        _ => Placing::Words,
    }
}

/// The array in which a part is placed.
struct Target<'a> {
    /// Its memory, if there is one.
    update: Option<&'a GpuMemory>,
    shape: &'a [usize],
    ty: Type,
}
