//! Sums and maxima, in an order that depends on the shape alone.
//!
//! Sums are blocked and pairwise (Higham, *The Accuracy of Floating Point Summation*, 1993): the error grows with the logarithm of the
//! length. Blocks are cut at fixed places, threads take whole blocks, and the partial sums are added in a fixed tree, so
//! the result is the same for any number of threads.

use super::memory::{elements, room, zeroed};
use super::walk::{Walk, in_parts};
use super::{Float, dense};
use crate::array::backend::{Reduction, View};
use crate::diag::Result;
use rayon::prelude::*;

/// Reduces all elements to one.
pub fn reduce_all<T: Float>(op: Reduction, view: &View) -> Result<Vec<T>> {
    let owned;
    let view = &in_memory_order(view);
    let values: &[T] = match view.is_dense() {
        true => &elements::<T>(view)?[..view.len()],
        false => {
            owned = dense::<T>(view)?;
            &owned
        }
    };
    Ok(vec![match op {
        Reduction::Sum => sum(values),
        Reduction::Max => maximum(values),
    }])
}

/// The same elements with the axes in the order of their strides: the sum of a transpose is the sum of the matrix.
fn in_memory_order(view: &View) -> View {
    let mut axes: Vec<usize> = (0..view.shape.len()).collect();
    axes.sort_by_key(|&axis| std::cmp::Reverse(view.strides[axis]));
    View {
        shape: axes.iter().map(|&axis| view.shape[axis]).collect(),
        strides: axes.iter().map(|&axis| view.strides[axis]).collect(),
        ..view.clone()
    }
}

/// Elements summed one after another (in lanes) before the tree begins.
const BLOCK: usize = 1 << 10;

/// Elements that one thread sums at a time; a power of two times [`BLOCK`], so that threads do not change the tree.
const SHARE: usize = 1 << 15;

/// The sum of a slice.
pub fn sum<T: Float>(values: &[T]) -> T {
    if values.len() <= SHARE {
        return pairwise(values, BLOCK, &sum_block);
    }
    let shares = values.par_chunks(SHARE);
    let partial: Vec<T> = shares
        .map(|share| pairwise(share, BLOCK, &sum_block))
        .collect();
    pairwise(&partial, 1, &|one| one.first().copied().unwrap_or(T::ZERO))
}

/// Adds up `values` in a balanced tree whose leaves are runs of at most `leaf` elements.
fn pairwise<T: Float>(values: &[T], leaf: usize, block: &impl Fn(&[T]) -> T) -> T {
    if values.len() <= leaf {
        return block(values);
    }
    let middle = (values.len() / 2).next_multiple_of(leaf);
    let (left, right) = values.split_at(middle);
    pairwise(left, leaf, block) + pairwise(right, leaf, block)
}

/// Sixteen running results, so that operations overlap and the compiler can use vectors.
fn lanes<T: Float>(values: &[T], start: T, f: impl Fn(T, T) -> T) -> [T; 16] {
    let mut lanes = [start; 16];
    let chunks = values.chunks_exact(16);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane = f(*lane, value);
        }
    }
    for (lane, &value) in lanes.iter_mut().zip(rest) {
        *lane = f(*lane, value);
    }
    lanes
}

fn sum_block<T: Float>(values: &[T]) -> T {
    pairwise(&lanes(values, T::ZERO, |a, b| a + b), 1, &|one| one[0])
}

/// The greatest element of a slice, or NaN if one is NaN; −∞ of none.
pub fn maximum<T: Float>(values: &[T]) -> T {
    let of = |part: &[T]| {
        let lanes = lanes(part, T::NEG_INFINITY, T::greater);
        lanes.into_iter().fold(T::NEG_INFINITY, T::greater)
    };
    if values.len() <= SHARE {
        return of(values);
    }
    let parts: Vec<T> = values.par_chunks(SHARE).map(of).collect();
    of(&parts)
}

/// Reduces along one axis.
///
/// Where the elements of the other axes lie next to each other, whole rows are combined; otherwise each result walks
/// along the axis by itself.
pub fn reduce_axis<T: Float>(op: Reduction, view: &View, axis: usize) -> Result<Vec<T>> {
    let values = elements::<T>(view)?;
    let (extent, stride) = (view.shape[axis], view.strides[axis]);
    let mut rest = view.clone();
    rest.shape.remove(axis);
    rest.strides.remove(axis);
    if view.is_empty() {
        return zeroed(rest.len());
    }
    let mut out: Vec<T> = room(rest.len())?;
    let walk = Walk::new(&rest.shape, [(0, &rest.strides[..])]);
    let lines = Lines { extent, stride };
    let rows = walk.stride(0) == 1 && stride != 1;
    in_parts(&mut out, extent, |start, part| {
        walk.runs(start, part.len(), |at, positions, run| {
            let out = &mut part[at..at + run];
            match rows {
                true => lines.combine_rows(op, &values[positions[0]..], out),
                false => lines.combine_each(op, &values[positions[0]..], walk.stride(0), out),
            }
        });
    });
    Ok(out)
}

/// How the elements to be combined follow each other.
#[derive(Clone, Copy)]
struct Lines {
    extent: usize,
    stride: usize,
}

/// Rows added one after another before the tree begins.
const ROWS: usize = 64;

impl Lines {
    /// One result after another; their lines begin `step` apart.
    fn combine_each<T: Float>(self, op: Reduction, values: &[T], step: usize, out: &mut [T]) {
        let mut gathered = Vec::new();
        for (k, out) in out.iter_mut().enumerate() {
            let line = self.line(values, k * step, &mut gathered);
            *out = match op {
                Reduction::Sum => sum(line),
                Reduction::Max => maximum(line),
            };
        }
    }

    /// The elements of one line, gathered if they do not lie together.
    fn line<'a, T: Float>(
        self,
        values: &'a [T],
        start: usize,
        gathered: &'a mut Vec<T>,
    ) -> &'a [T] {
        if self.stride == 1 {
            return &values[start..start + self.extent];
        }
        gathered.clear();
        gathered.extend((0..self.extent).map(|n| values[start + n * self.stride]));
        gathered
    }

    /// All results of a run at once, row by row.
    fn combine_rows<T: Float>(self, op: Reduction, values: &[T], out: &mut [T]) {
        match op {
            Reduction::Sum => self.sum_rows(values, 0, self.extent, out),
            Reduction::Max => {
                out.fill(T::NEG_INFINITY);
                self.fold_rows(values, 0, self.extent, out, T::greater);
            }
        }
    }

    /// The sum of the rows `from..to`, as a tree.
    fn sum_rows<T: Float>(self, values: &[T], from: usize, to: usize, out: &mut [T]) {
        out.fill(T::ZERO);
        if to - from <= ROWS {
            return self.fold_rows(values, from, to, out, |a, b| a + b);
        }
        let middle = from + (to - from).div_ceil(2);
        self.sum_rows(values, from, middle, out);
        let mut right = vec![T::ZERO; out.len()];
        self.sum_rows(values, middle, to, &mut right);
        out.iter_mut().zip(&right).for_each(|(a, &b)| *a = *a + b);
    }

    fn fold_rows<T: Float>(
        self,
        values: &[T],
        from: usize,
        to: usize,
        out: &mut [T],
        f: impl Fn(T, T) -> T,
    ) {
        for n in from..to {
            let row = &values[n * self.stride..][..out.len()];
            out.iter_mut().zip(row).for_each(|(a, &b)| *a = f(*a, b));
        }
    }
}
