//! Running sums.

use super::map::word;
use super::pipelines::Shape;
use super::recorder::Step;
use super::{Gpu, size};
use crate::array::backend::{Buffer, View};
use crate::codegen::gpu::scan_text;
use crate::diag::Result;
use mooncake_shaders::Scan;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// Invocations of a workgroup.
const THREADS: usize = 64;

/// The fewest elements that an invocation takes, if a line has more.
const LEAST: usize = 32;

/// How a dense array of the shape [outer, extent, inner] is cut up.
#[derive(Clone, Copy)]
struct Lines {
    outer: usize,
    extent: usize,
    inner: usize,
    /// Elements of a piece of a line, and how many pieces a line has.
    piece: usize,
    pieces: usize,
}

impl Gpu {
    /// See [`Backend::cumsum`](crate::array::backend::Backend::cumsum).
    ///
    /// A line is added up by one invocation. Long lines, where there are few, are cut into pieces: their sums come first, then the sums before each piece,
    /// and then the elements of each piece.
    pub(super) fn running_sums(&self, view: &View, axis: usize) -> Result<Buffer> {
        let view = self.dense(view)?;
        if view.is_empty() {
            return self.empty();
        }
        let extent = view.shape[axis];
        let inner: usize = view.shape[axis + 1..].iter().product();
        let outer = view.len() / extent / inner;
        let wanted = (self.profile.reduce_spread / 4 / (outer * inner)).max(1);
        let most = self.profile.loop_limit as usize;
        let piece = extent.div_ceil(wanted).max(LEAST).min(extent).min(most);
        let lines = Lines {
            outer,
            extent,
            inner,
            piece,
            pieces: extent.div_ceil(piece),
        };
        if lines.pieces == 1 {
            return self.scan(Scan::Through, &view, None, lines);
        }
        let sums = self.scan(Scan::Pieces, &view, None, lines)?;
        let sums = View::dense(sums, view.ty, &[outer, lines.pieces, inner]);
        let whole = Lines {
            extent: lines.pieces,
            piece: lines.pieces,
            pieces: 1,
            ..lines
        };
        let before = self.scan(Scan::Before, &sums, None, whole)?;
        let before = View::dense(before, view.ty, &sums.shape);
        self.scan(Scan::Continued, &view, Some(&before), lines)
    }

    fn scan(&self, kind: Scan, view: &View, before: Option<&View>, lines: Lines) -> Result<Buffer> {
        let items = lines.outer * lines.pieces * lines.inner;
        let elements = match kind {
            Scan::Pieces => items,
            Scan::Through | Scan::Before | Scan::Continued => view.len(),
        };
        let shape = Shape {
            reads: 2,
            writes: 1,
        };
        let text = scan_text(kind, view.ty)?;
        let memory = self.memory(&view.buffer)?;
        let made = self.run(Step {
            pipeline: self.pipelines.get(&self.device, "cumsum", text, 0, shape)?,
            inputs: smallvec![
                memory,
                match before {
                    Some(before) => self.memory(&before.buffer)?,
                    // Not read.
                    None => memory,
                }
            ],
            update: None,
            outputs: smallvec![elements * size(view.ty)],
            params: [
                items,
                lines.inner,
                lines.extent,
                lines.piece,
                lines.pieces,
                view.offset,
            ]
            .map(word)
            .to_vec(),
            checks: SmallVec::new(),
            groups: self.spread(items.div_ceil(THREADS) as u64),
        })?;
        let made = made.into_iter().next().map(|made| made as Arc<_>);
        made.map_or_else(|| self.empty(), Ok)
    }
}
