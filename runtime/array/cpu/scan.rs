//! Lines of elements along an axis, one after another: running sums, and the opposite order.

use super::pool::Pooled;
use super::walk::in_parts;
use super::{Number, dense};
use crate::array::backend::View;
use crate::diag::Result;
use std::ops::Range;

/// So many elements of a line are added up by themselves, and then to the sum of those before them: the rounding of a long sum grows with the number of such
/// parts and the length of one, and not with the number of elements.
const PART: usize = 1024;

/// The sums of the elements up to each one along `axis`, in order, dense.
pub fn cumsum<T: Number>(view: &View, axis: usize) -> Result<Vec<T>> {
    let mut out: Vec<T> = dense(view)?;
    let apart = apart(view, axis);
    each_block(&mut out, view.shape[axis], apart, |blocks| match apart {
        // A sum waits for the one before it, so that several lines at once take no longer than one.
        1 => blocks.chunks_mut(4).for_each(|lines| match lines {
            [a, b, c, d] => {
                for part in parts(a.len()) {
                    for n in part.start + 1..part.end {
                        a[n] = a[n - 1].plus(a[n]);
                        b[n] = b[n - 1].plus(b[n]);
                        c[n] = c[n - 1].plus(c[n]);
                        d[n] = d[n - 1].plus(d[n]);
                    }
                    for line in [&mut *a, b, c, d] {
                        add_last(line, &part, 1);
                    }
                }
            }
            _ => lines.iter_mut().for_each(|line| add_before(line, 1)),
        }),
        _ => blocks.iter_mut().for_each(|block| add_before(block, apart)),
    });
    Ok(out)
}

/// The elements in the opposite order along `axis`, dense.
pub fn flip<T: Pooled>(view: &View, axis: usize) -> Result<Vec<T>> {
    let mut out: Vec<T> = dense(view)?;
    let apart = apart(view, axis);
    each_block(&mut out, view.shape[axis], apart, |blocks| {
        for block in blocks {
            match apart {
                1 => block.reverse(),
                _ => {
                    let half = block.len() / apart / 2 * apart;
                    let upper = block.len() - half;
                    let (low, high) = block.split_at_mut(upper);
                    let pairs = low.chunks_mut(apart).zip(high.chunks_mut(apart).rev());
                    pairs.for_each(|(a, b)| a.swap_with_slice(b));
                }
            }
        }
    });
    Ok(out)
}

/// How far neighbours along an axis stand apart in dense memory.
fn apart(view: &View, axis: usize) -> usize {
    view.shape[axis + 1..].iter().product()
}

/// Shares blocks of dense elements among threads: a block has all elements along an axis, and those between them.
fn each_block<T: Pooled>(
    out: &mut [T],
    extent: usize,
    apart: usize,
    work: impl Fn(&mut [&mut [T]]) + Sync,
) {
    let block = extent * apart;
    if out.is_empty() {
        return;
    }
    let mut blocks: Vec<&mut [T]> = out.chunks_mut(block).collect();
    in_parts(&mut blocks, block, |_, blocks| work(blocks));
}

/// The parts of so many elements along an axis.
fn parts(count: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..count).step_by(PART);
    starts.map(move |start| start..count.min(start + PART))
}

/// Adds to each element what stands so far before it, from the first on.
fn add_before<T: Number>(block: &mut [T], apart: usize) {
    for part in parts(block.len() / apart) {
        for row in part.start + 1..part.end {
            let (before, here) = block.split_at_mut(row * apart);
            add(&before[(row - 1) * apart..], &mut here[..apart]);
        }
        add_last(block, &part, apart);
    }
}

/// Adds the last elements before a part to all in it.
fn add_last<T: Number>(block: &mut [T], part: &Range<usize>, apart: usize) {
    if part.start == 0 {
        return;
    }
    let (before, here) = block.split_at_mut(part.start * apart);
    let last = &before[(part.start - 1) * apart..];
    let here = &mut here[..part.len() * apart];
    match *last {
        [last] => here.iter_mut().for_each(|sum| *sum = last.plus(*sum)),
        _ => here.chunks_mut(apart).for_each(|row| add(last, row)),
    }
}

/// Adds what stands before the elements of a row.
fn add<T: Number>(before: &[T], row: &mut [T]) {
    for (sum, &so_far) in row.iter_mut().zip(before) {
        *sum = so_far.plus(*sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::cpu::memory::adopt;
    use crate::ir::Type;

    /// A sum of so many numbers like this one was wrong by a hundredth when it was made one by one: it is rounded up each time.
    #[test]
    fn long_sums_are_not_far_off() -> Result<()> {
        let count = 1 << 20;
        let numbers = vec![1000.1_f32; count];
        for lines in [1, 5, 32] {
            let shape = [lines, count / lines];
            let given = numbers[..shape[0] * shape[1]].to_vec();
            for (axis, shape) in [(1, shape), (0, [shape[1], lines])] {
                let view = View::dense(adopt(given.clone()), Type::F32, &shape);
                let found: Vec<f32> = cumsum(&view, axis)?;
                let (extent, apart) = (shape[axis], shape[axis + 1..].iter().product::<usize>());
                for line in 0..lines {
                    let at = |n: usize| match axis {
                        1 => line * extent + n,
                        _ => n * apart + line,
                    };
                    let mut sum = 0.0_f64;
                    for n in 0..extent {
                        sum += f64::from(given[at(n)]);
                        let off = (f64::from(found[at(n)]) / sum - 1.0).abs();
                        assert!(off < 1e-4, "element {n} of line {line}, axis {axis}: {off}");
                    }
                }
            }
        }
        Ok(())
    }

    /// More lines than are computed at once, and the other axis.
    #[test]
    fn lines_are_added_up_and_turned_round_one_by_one() -> Result<()> {
        let (rows, columns) = (7, 5);
        let at = |i: usize, j: usize| ((3 * i + j) % 11) as f64;
        let all = (0..rows).flat_map(|i| (0..columns).map(move |j| at(i, j)));
        let view = View::dense(adopt(all.collect()), Type::F64, &[rows, columns]);
        let along: [Vec<f64>; 2] = [0, 1].map(|axis| cumsum(&view, axis).unwrap());
        let turned: [Vec<f64>; 2] = [0, 1].map(|axis| flip(&view, axis).unwrap());
        for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
            let n = i * columns + j;
            let down: f64 = (0..=i).map(|i| at(i, j)).sum();
            let right: f64 = (0..=j).map(|j| at(i, j)).sum();
            assert_eq!([along[0][n], along[1][n]], [down, right], "({i}, {j})");
            let mirrored = [at(rows - 1 - i, j), at(i, columns - 1 - j)];
            assert_eq!([turned[0][n], turned[1][n]], mirrored, "({i}, {j})");
        }
        Ok(())
    }
}
