//! Matrix products.

use super::map::{plain_step, word};
use super::pipelines::Shape;
use super::reduce::scalar;
use super::{Gpu, size};
use crate::array::backend::{Buffer, Reduction, View};
use crate::diag::Result;
use crate::ir::Type;
use mooncake_shaders::{Contiguous, Fours, InSubgroups, Scalar, Tile};

/// Steps along k for one invocation: well below what loops may have, and a multiple of 16.
const LONGEST_PIECE: usize = 16_384;

/// How a matrix is read: what is contiguous, and offset and strides in the units of that.
#[derive(Clone, Copy)]
struct Matrix {
    contiguous: Option<Contiguous>,
    offset: usize,
    row: usize,
    column: usize,
    /// From one matrix to the next.
    batch: usize,
}

impl Matrix {
    /// In groups of four where also the extent along them is a multiple of four.
    fn new(view: &View) -> Matrix {
        let whole = |matrix: &Matrix| {
            let extent = match matrix.contiguous {
                Some(Contiguous::Columns) => view.shape[1],
                Some(Contiguous::Rows) | None => view.shape[2],
            };
            extent.is_multiple_of(4)
        };
        let element_by_element = || Matrix::in_units_of(1, None, view);
        Matrix::in_fours(view)
            .filter(whole)
            .unwrap_or_else(element_by_element)
    }

    /// In groups of four. `None` if they do not lie at multiples of four.
    fn in_fours(view: &View) -> Option<Matrix> {
        let (row, column) = (view.strides[1], view.strides[2]);
        let fours = |list: [usize; 3]| list.iter().all(|n| n.is_multiple_of(4));
        let contiguous = match () {
            _ if column == 1 && fours([view.offset, batch_stride(view), row]) => Contiguous::Rows,
            _ if row == 1 && fours([view.offset, batch_stride(view), column]) => {
                Contiguous::Columns
            }
            _ => return None,
        };
        Some(Matrix::in_units_of(4, Some(contiguous), view))
    }

    fn in_units_of(unit: usize, contiguous: Option<Contiguous>, view: &View) -> Matrix {
        Matrix {
            contiguous,
            offset: view.offset / unit,
            row: view.strides[1] / unit,
            column: view.strides[2] / unit,
            batch: batch_stride(view) / unit,
        }
    }

    fn words(&self) -> [u32; 4] {
        [self.offset, self.row, self.column, self.batch].map(word)
    }
}

/// The stride from one matrix to the next; 0 if there is one.
fn batch_stride(view: &View) -> usize {
    match view.shape[0] {
        1 => 0,
        _ => view.strides[0],
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
        let (a, first) = self.matrix(tile, a)?;
        let (b, second) = self.matrix(tile, b)?;
        let (rows, columns) = tile.extents();
        let (down, across) = (m.div_ceil(rows), n.div_ceil(columns));
        let piece = self
            .piece(k, batch * down * across)
            .max(k.div_ceil(most / batch).next_multiple_of(16));
        let pieces = k.div_ceil(piece).max(1);
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
        let text = self.product_text(tile, scalar(a.ty), (first, second), (k, n));
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

    /// The kernel for two matrices. The second has `k` rows and `n` columns.
    fn product_text(
        &self,
        tile: Tile,
        scalar: Scalar,
        (a, b): (Matrix, Matrix),
        (k, n): (usize, usize),
    ) -> String {
        match tile {
            Tile::Register => {
                mooncake_shaders::matmul_in_registers(scalar, a.contiguous, b.contiguous)
            }
            Tile::Shared => {
                mooncake_shaders::matmul_in_shared_memory(scalar, a.contiguous, b.contiguous)
            }
            Tile::Subgroup => {
                let fours = match self.wide {
                    true => Fours::U64,
                    false => Fours::F32,
                };
                let along = |matrix: Matrix| matrix.contiguous.unwrap_or(Contiguous::Rows);
                mooncake_shaders::matmul_in_subgroups(InSubgroups {
                    fours,
                    a: along(a),
                    b: along(b),
                    ragged: !k.is_multiple_of(4),
                    whole_rows: n.is_multiple_of(4),
                })
            }
        }
    }

    /// A matrix as the kernel of a tile reads it. Kernels for subgroups read groups of four only: a matrix that does not lie so is copied first, which costs
    /// less than reading it element by element for each tile.
    fn matrix(&self, tile: Tile, view: &View) -> Result<(View, Matrix)> {
        if tile != Tile::Subgroup {
            return Ok((view.clone(), Matrix::new(view)));
        }
        if let Some(matrix) = Matrix::in_fours(view) {
            return Ok((view.clone(), matrix));
        }
        let mut padded = view.clone();
        // What is read beyond the end of a row counts for nothing.
        padded.shape[2] = padded.shape[2].next_multiple_of(4);
        let is_repeated = batch_stride(view) == 0;
        if is_repeated {
            padded.shape[0] = 1;
        }
        let mut copy = View::dense(self.copy_view(&padded)?, view.ty, &padded.shape);
        copy.shape = view.shape.clone();
        if is_repeated {
            copy.strides[0] = 0;
        }
        let matrix = Matrix::in_units_of(4, Some(Contiguous::Rows), &copy);
        Ok((copy, matrix))
    }

    /// The length of the pieces of k: a multiple of 16, at least 128 unless k is shorter.
    fn piece(&self, k: usize, tiles: usize) -> usize {
        let wanted = (self.profile.busy_tiles / tiles.max(1)).max(1);
        let piece = k.div_ceil(wanted).clamp(128, LONGEST_PIECE);
        piece.next_multiple_of(16)
    }
}
