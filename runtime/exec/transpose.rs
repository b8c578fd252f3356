//! Matrices whose columns are next to each other in memory, copied into rows.

use super::threads;
use bytemuck::Pod;

/// Rows and columns of a tile.
const TILE: usize = 32;

/// From this many elements on threads share the work.
const SHARED: usize = 1 << 16;

/// Copies a matrix whose columns are dense, `stride` apart, into rows of so many `columns`: as many rows as `out` has room for.
///
/// Tile by tile: otherwise every element read would bring a cache line of which nothing else is used before it is gone.
/// And by way of a tile of our own: where rows are a power of two apart they compete for the same places of the
/// cache, so each line of the source and of the target is used up at once.
///
/// # Panics
///
/// If `values` is shorter than the last column reaches.
pub fn transpose<T: Pod + Send + Sync>(values: &[T], out: &mut [T], columns: usize, stride: usize) {
    let is_shared = out.len() >= SHARED;
    let bands = out.chunks_mut(TILE * columns);
    let copy = |number: usize, band: &mut [T]| {
        let values = &values[number * TILE..];
        for left in (0..columns).step_by(TILE) {
            let width = TILE.min(columns - left);
            transpose_tile(&values[left * stride..], stride, band, columns, left, width);
        }
    };
    match is_shared {
        true => drop(threads::each(bands, copy)),
        false => bands
            .enumerate()
            .for_each(|(number, band)| copy(number, band)),
    }
}

/// One tile: as many columns as `width`, into a band of rows from column `left` on.
fn transpose_tile<T: Pod>(
    source: &[T],
    stride: usize,
    band: &mut [T],
    columns: usize,
    left: usize,
    width: usize,
) {
    let rows = band.len() / columns;
    let mut tile = [[T::zeroed(); TILE]; TILE];
    for column in 0..width {
        for (row, &value) in source[column * stride..][..rows].iter().enumerate() {
            tile[row][column] = value;
        }
    }
    for (row, line) in tile.iter().take(rows).enumerate() {
        band[row * columns + left..][..width].copy_from_slice(&line[..width]);
    }
}
