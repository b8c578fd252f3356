//! Matrix products.

use super::map::{plain_step, word};
use super::pipelines::Shape;
use super::reduce::scalar;
use super::{Gpu, size};
use crate::array::backend::{Buffer, Reduction, View};
use crate::diag::Result;
use crate::ir::Type;
use mooncake_shaders::{Contiguous, Tile};

/// Steps along k for one invocation: well below what loops may have, and a multiple of 16.
const LONGEST_PIECE: usize = 16_384;

/// How a matrix is read: what is contiguous, and offset and strides in the units of that.
struct Matrix {
    contiguous: Contiguous,
    offset: usize,
    row: usize,
    column: usize,
    /// From one matrix to the next.
    batch: usize,
}

impl Matrix {
    fn new(view: &View) -> Matrix {
        let (offset, row, column) = (view.offset, view.strides[1], view.strides[2]);
        let batch = match view.shape[0] {
            1 => 0,
            _ => view.strides[0],
        };
        let fours = |list: [usize; 4]| list.iter().all(|n| n % 4 == 0);
        let contiguous = match () {
            _ if column == 1 && fours([offset, batch, row, view.shape[2]]) => Contiguous::Rows,
            _ if row == 1 && fours([offset, batch, column, view.shape[1]]) => Contiguous::Columns,
            _ => Contiguous::Nothing,
        };
        let unit = match contiguous {
            Contiguous::Rows | Contiguous::Columns => 4,
            Contiguous::Nothing => 1,
        };
        Matrix {
            contiguous,
            offset: offset / unit,
            row: row / unit,
            column: column / unit,
            batch: batch / unit,
        }
    }
    fn words(&self) -> [u32; 4] {
        [self.offset, self.row, self.column, self.batch].map(word)
    }
}

impl Gpu {
    /// `a[b,m,k] · b[b,k,n]` for each b. The k axis is cut into pieces where it is longer than a loop may be or where there are too few tiles to occupy the
    /// adapter; the pieces are then summed in order.
    pub(super) fn matrix_product(&self, a: &View, b: &View) -> Result<Buffer> {
        let (batch, m, k, n) = (a.shape[0], a.shape[1], a.shape[2], b.shape[2]);
        if batch * m * n == 0 {
            return self.empty();
        }
        let most = self.limits.max_compute_workgroups_per_dimension as usize;
        if batch > most {
            return Err(self.trouble(&format!(
                "{batch} products of matrices at once: expected at most {most}: work on parts of them, or on Device::cpu()"
            )));
        }
        let tile = match self.profile.tile {
            // Subgroups exchange f32.
            Tile::Subgroup if a.ty != Type::F32 => Tile::Register,
            // Most of such a tile would be outside of the result.
            Tile::Subgroup if m < 8 || n < 32 => Tile::Register,
            // One dimension of the dispatch for each of the matrix.
            Tile::Shared if m.max(n).div_ceil(64) > most => Tile::Register,
            tile => tile,
        };
        let (rows, columns) = tile.extents();
        let (down, across) = (m.div_ceil(rows), n.div_ceil(columns));
        let piece = self
            .piece(k, batch * down * across)
            .max(k.div_ceil(most / batch).next_multiple_of(16));
        let pieces = k.div_ceil(piece).max(1);
        let (first, second) = (Matrix::new(a), Matrix::new(b));
        let text =
            mooncake_shaders::matmul(scalar(a.ty), tile, first.contiguous, second.contiguous);
        let tiles = down * across;
        let (invocations, mut groups) = match tile {
            Tile::Register => (16, self.spread(tiles.div_ceil(16) as u64)),
            Tile::Subgroup => (16, self.spread(tiles.div_ceil(2) as u64)),
            Tile::Shared => (0, [word(across), word(down), 1]),
        };
        groups[2] = word(batch * pieces);
        let shape = Shape {
            reads: 2,
            writes: 1,
        };
        let pipeline = self
            .pipelines
            .get(&self.device, "matmul", text, invocations, shape)?;
        let mut params = vec![word(m), word(n), word(k), word(piece), word(pieces)];
        params.extend(first.words());
        params.extend(second.words());
        let memory = [self.memory(&a.buffer)?, self.memory(&b.buffer)?];
        let step = plain_step(
            pipeline,
            &memory,
            batch * pieces * m * n * size(a.ty),
            params,
            groups,
        );
        let made: Buffer = self.run(step)?.swap_remove(0);
        if pieces == 1 {
            return Ok(made);
        }
        let parts = View::dense(made, a.ty, &[batch, pieces, m * n]);
        self.reduce_axis(Reduction::Sum, &parts, 1)
    }

    /// The length of the pieces of k: a multiple of 16, at least 128 unless k is shorter.
    fn piece(&self, k: usize, tiles: usize) -> usize {
        let wanted = (self.profile.busy_tiles / tiles.max(1)).max(1);
        let piece = k.div_ceil(wanted).clamp(128, LONGEST_PIECE);
        piece.next_multiple_of(16)
    }
}
