//! Points of kernels that are added up where an index chooses.
//!
//! The code of such a kernel computes the points of a tile into memory of their own; here they are added to the output. No two rows have an element of the
//! output in common, so pieces are whole rows, which threads share; the points of a row are added one after another.

use super::{LaneKernel, Piece, Source, TILE, Target, position};
use crate::diag::{Error, Result};
use crate::exec::threads;
use crate::ir::Type;
use crate::kernel::{Output, Scatter};
use bytemuck::Pod;
use smallvec::SmallVec;
use std::ops::{Add, Range};

/// As what the code computes the points: those of a column next to each other if that is how they are added.
pub fn points(scatter: Scatter) -> Output {
    match scatter.across {
        true => Output::Across,
        false => Output::Points,
    }
}

/// The columns of a tile: its points stay in the nearest caches.
pub fn tile(pieces: &[Piece]) -> usize {
    let rows = pieces.iter().map(|(rows, _)| rows.len()).max();
    (TILE / rows.unwrap_or(1)).max(1)
}

impl LaneKernel {
    /// Computes the sums. An index out of range is an error, and the sums mean nothing then.
    pub(super) fn scattered(
        &self,
        scatter: Scatter,
        sources: &[Source<'_>],
        inputs: &[usize],
        outputs: &mut [&mut [u8]],
    ) -> Result<()> {
        let missing = || Error::Internal("a kernel that scatters has one output".into());
        let output = outputs.first_mut().ok_or_else(missing)?;
        output[..self.sizes[0].0].fill(0);
        let rows = self.kernel.row_count();
        let sums = Target {
            address: output.as_mut_ptr(),
            size: self.sizes[0].1,
            first: [0; 2],
            steps: match scatter.across {
                true => [1, rows],
                false => [scatter.extent, 1],
            },
        };
        let add = |piece: &Piece| match self.types[0] {
            Type::F32 => self.scattered_piece::<f32>(scatter, piece, sources, inputs, &sums),
            _ => self.scattered_piece::<f64>(scatter, piece, sources, inputs, &sums),
        };
        match self.is_shared {
            true => {
                { threads::map(self.pieces.len(), |n| add(&self.pieces[n])).into_iter() }.collect()
            }
            false => self.pieces.iter().try_for_each(add),
        }
    }

    fn scattered_piece<T: Pod + Add<Output = T>>(
        &self,
        scatter: Scatter,
        (rows, columns): &Piece,
        sources: &[Source<'_>],
        inputs: &[usize],
        sums: &Target,
    ) -> Result<()> {
        let mut scratch = self.scratch(rows, columns);
        let scratch = scratch.words();
        let width = columns.len().min(self.tile);
        let mut points = vec![T::zeroed(); rows.len() * width];
        let last = self.kernel.rows.last().copied().unwrap_or(1);
        let mut at = rows.start;
        while at < rows.end {
            // Within one line of the last axis steps are the same.
            let line = at..rows.end.min((at / last + 1) * last);
            for from in columns.clone().step_by(self.tile) {
                let tile = from..columns.end.min(from + self.tile);
                let target = Target {
                    address: points.as_mut_ptr().cast(),
                    size: size_of::<T>(),
                    first: [line.start, tile.start],
                    steps: match scatter.across {
                        true => [1, line.len()],
                        false => [tile.len(), 1],
                    },
                };
                let none: &mut SmallVec<[u64; 4]> = &mut SmallVec::new();
                let targets = std::slice::from_ref(&target);
                let (rows, columns) = (line.clone(), tile.clone());
                let words = self.words(rows, columns, inputs, targets, scratch, none);
                // SAFETY: `check` has found every element that the steps and indices reach inside the inputs, there is room for all points of the tile, and
                // the scratch memory is this call's own.
                unsafe { self.call(&words)? };
                let points = &points[..line.len() * tile.len()];
                let adding = Adding {
                    scatter,
                    indices: self.indices(scatter, &line, &tile, sources),
                    rows: line.clone(),
                    columns: tile.len(),
                    sums,
                };
                match scatter.across {
                    true => adding.across(points)?,
                    false => adding.rows(points)?,
                }
            }
            at = line.end;
        }
        Ok(())
    }

    /// The indices of a tile.
    fn indices<'a>(
        &self,
        scatter: Scatter,
        rows: &Range<usize>,
        columns: &Range<usize>,
        sources: &[Source<'a>],
    ) -> Indices<'a> {
        let (input, source) = (&self.kernel.inputs[scatter.by], sources[scatter.by]);
        let (axes, size) = (self.kernel.rows.len(), size_of::<u32>());
        let whole = source.bytes.len() / size * size;
        Indices {
            all: bytemuck::cast_slice(&source.bytes[..whole]),
            first: source.start as isize + position(&self.kernel, input, rows.start, columns.start),
            steps: [input.steps[axes - 1], input.steps[axes]],
        }
    }
}

/// A tile of points that are to be added.
struct Adding<'a> {
    scatter: Scatter,
    indices: Indices<'a>,
    rows: Range<usize>,
    /// How many there are.
    columns: usize,
    sums: &'a Target,
}

impl Adding<'_> {
    /// Adds points, of which those of a row lie next to each other.
    fn rows<T: Pod + Add<Output = T>>(&self, points: &[T]) -> Result<()> {
        for (n, points) in points.chunks(self.columns).enumerate() {
            let first = (self.rows.start + n) * self.sums.steps[0];
            let start = self.sums.address.cast::<T>();
            // SAFETY: `check` has found the output long enough, and nobody else writes or reads the elements of this row.
            let sums =
                unsafe { std::slice::from_raw_parts_mut(start.add(first), self.scatter.extent) };
            for (column, &x) in points.iter().enumerate() {
                let sum = sums.get_mut(self.indices.at(n, column));
                let sum = sum.ok_or_else(|| self.scatter.fault())?;
                *sum = *sum + x;
            }
        }
        Ok(())
    }

    /// Adds points, of which those of a column lie next to each other.
    fn across<T: Pod + Add<Output = T>>(&self, points: &[T]) -> Result<()> {
        // One index for several rows, or one for each.
        let together = match self.indices.steps[0] {
            0 => self.rows.len(),
            _ => 1,
        };
        for (column, points) in points.chunks(self.rows.len()).enumerate() {
            for (n, points) in points.chunks(together).enumerate() {
                let index = self.indices.at(n, column);
                if index >= self.scatter.extent {
                    return Err(self.scatter.fault());
                }
                let first = index * self.sums.steps[1] + self.rows.start + n * together;
                let start = self.sums.address.cast::<T>();
                // SAFETY: `check` has found the output long enough, the index is in range, and nobody else writes or reads the elements of these rows.
                let sums =
                    unsafe { std::slice::from_raw_parts_mut(start.add(first), points.len()) };
                for (sum, &x) in sums.iter_mut().zip(points) {
                    *sum = *sum + x;
                }
            }
        }
        Ok(())
    }
}

/// The indices of a tile.
struct Indices<'a> {
    all: &'a [u32],
    /// The one of the first point.
    first: isize,
    /// From one row to the next, and from one column to the next.
    steps: [isize; 2],
}

impl Indices<'_> {
    fn at(&self, row: usize, column: usize) -> usize {
        let [of_row, of_column] = self.steps;
        let at = self.first + row as isize * of_row + column as isize * of_column;
        self.all[at as usize] as usize
    }
}
