//! Walking over strided operands in the row-major order of one shape, in runs along the innermost axis.
//!
//! Axes are merged first where every operand allows it, so that dense arrays of any number of dimensions are one run and the
//! odometer turns seldom. The walk can start at any element: that is how threads share it, and since each element is
//! computed by itself no result depends on where the cuts are.

use crate::array::backend::Dims;
use crate::array::shape::Axes;
use crate::exec::threads;
use smallvec::SmallVec;

/// Positions in the buffers of the operands.
pub type Positions = SmallVec<[usize; 4]>;

/// A shape, and for each operand where its first element lies and how far the next one is along each axis.
#[derive(Clone, Debug)]
pub struct Walk {
    shape: Dims,
    operands: SmallVec<[Operand; 4]>,
}

/// One operand: invariant: as many strides as the walk has axes.
#[derive(Clone, Debug)]
struct Operand {
    offset: usize,
    strides: Dims,
}

impl Walk {
    /// A walk over `shape` with operands given by offset and strides.
    pub fn new<'a>(
        shape: &[usize],
        operands: impl IntoIterator<Item = (usize, &'a [usize])>,
    ) -> Self {
        let (offsets, strides): (Positions, SmallVec<[&[usize]; 4]>) = operands.into_iter().unzip();
        let mut axes = Axes::new(shape, &strides);
        if axes.extents.is_empty() {
            axes.extents.push(1);
            axes.strides.iter_mut().for_each(|own| own.push(0));
        }
        let operands = offsets.into_iter().zip(axes.strides);
        let operands = operands.map(|(offset, strides)| Operand { offset, strides });
        Walk {
            shape: axes.extents,
            operands: operands.collect(),
        }
    }

    /// The stride of an operand within a run.
    pub fn stride(&self, operand: usize) -> usize {
        self.operands[operand].strides[self.shape.len() - 1]
    }

    /// The number of elements in a whole run.
    pub fn run_length(&self) -> usize {
        self.shape[self.shape.len() - 1]
    }

    /// Rows, columns and distance between columns, if the one operand is a matrix whose columns are dense and whose rows are
    /// not: a transpose.
    pub fn as_transpose(&self) -> Option<(usize, usize, usize)> {
        match (&self.shape[..], &self.operands[..]) {
            ([rows, columns], [operand]) if operand.strides[0] == 1 && operand.strides[1] > 1 => {
                Some((*rows, *columns, operand.strides[1]))
            }
            _ => None,
        }
    }

    /// A walk with longer runs, if this one has one operand and short runs: it leaves out the last axes, which are short. The second result has the distances
    /// from an element of the new walk to the elements that the left-out axes have there, in row-major order: only 0 if no axis is left out. To go through long
    /// runs once for each distance costs less than to turn the odometer after every few elements.
    pub fn with_longer_runs(self) -> (Walk, Positions) {
        let is_short = |extent: usize| (1..LONG).contains(&extent);
        let (mut left, mut inner) = (self.shape.len(), Positions::from_elem(0, 1));
        let [operand] = &self.operands[..] else {
            return (self, inner);
        };
        while left > 1
            && is_short(self.shape[left - 1])
            && self.shape[left - 1] * inner.len() <= MANY
        {
            left -= 1;
            let steps = (0..self.shape[left]).map(|n| n * operand.strides[left]);
            let all = steps.flat_map(|step| inner.iter().map(move |own| step + own));
            inner = all.collect();
        }
        let (shape, strides) = (&self.shape[..left], &operand.strides[..left]);
        match shape.last() > self.shape.last() {
            true => (Walk::new(shape, [(operand.offset, strides)]), inner),
            false => (self, Positions::from_elem(0, 1)),
        }
    }

    /// Visits the elements `start..start + len` run by run: `visit(at, positions, run)` for `run` elements from the
    /// `at`-th of those asked for, at these positions of the operands.
    pub fn runs(&self, start: usize, len: usize, mut visit: impl FnMut(usize, &[usize], usize)) {
        if len == 0 {
            return;
        }
        let (mut index, mut positions) = self.locate(start);
        let inner = self.shape.len() - 1;
        let mut at = 0;
        while at < len {
            let run = (self.shape[inner] - index[inner]).min(len - at);
            visit(at, &positions, run);
            at += run;
            index[inner] += run;
            for (position, operand) in positions.iter_mut().zip(&self.operands) {
                *position += run * operand.strides[inner];
            }
            self.carry(&mut index, &mut positions);
        }
    }

    /// The index and the positions of the `start`-th element.
    fn locate(&self, start: usize) -> (Dims, Positions) {
        let mut index = Dims::from_elem(0, self.shape.len());
        let mut positions: Positions = self.operands.iter().map(|o| o.offset).collect();
        let mut rest = start;
        for axis in (0..self.shape.len()).rev() {
            index[axis] = rest % self.shape[axis];
            rest /= self.shape[axis];
            for (position, operand) in positions.iter_mut().zip(&self.operands) {
                *position += index[axis] * operand.strides[axis];
            }
        }
        (index, positions)
    }

    /// Turns the odometer where an axis has come to its end.
    fn carry(&self, index: &mut [usize], positions: &mut [usize]) {
        for axis in (1..self.shape.len()).rev() {
            if index[axis] < self.shape[axis] {
                return;
            }
            index[axis] = 0;
            index[axis - 1] += 1;
            for (position, operand) in positions.iter_mut().zip(&self.operands) {
                // Forward first: positions stay non-negative whatever the order of the strides.
                *position += operand.strides[axis - 1];
                *position -= self.shape[axis] * operand.strides[axis];
            }
        }
    }
}

/// An axis of so many elements is not short: after so many it is worth turning the odometer.
const LONG: usize = 12;

/// The short axes that a walk leaves out have at most so many elements together: the memory that a thread fills at a time is gone through once for each.
const MANY: usize = 64;

/// Elements from which work is shared between threads: below, waking them costs more than it saves.
pub const PARALLEL: usize = 1 << 16;

/// Elements that one thread takes at a time.
const CHUNK: usize = 1 << 14;

/// Calls `fill(start, part)` for consecutive parts of `out`, which begin at its `start`-th element: on all cores if
/// there is much to do. `cost` is the work per element of `out`, in elements read.
pub fn in_parts<T: Send>(out: &mut [T], cost: usize, fill: impl Fn(usize, &mut [T]) + Sync) {
    in_parts_of(out, 1, cost, fill);
}

/// The same for parts of which each has a multiple of so many elements, if `out` has.
pub fn in_parts_of<T: Send>(
    out: &mut [T],
    unit: usize,
    cost: usize,
    fill: impl Fn(usize, &mut [T]) + Sync,
) {
    let cost = cost.max(1);
    if out.len().saturating_mul(cost) < PARALLEL {
        return fill(0, out);
    }
    let chunk = (CHUNK / cost).max(1).next_multiple_of(unit);
    threads::each(out.chunks_mut(chunk), |i, part| fill(i * chunk, part));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::backend::dense_strides;

    /// All positions, by the definition of strides.
    fn naive(shape: &[usize], offset: usize, strides: &[usize]) -> Vec<usize> {
        let count = shape.iter().product();
        let dense = dense_strides(shape);
        (0..count)
            .map(|n| {
                let digits = (0..shape.len()).map(|k| n / dense[k] % shape[k] * strides[k]);
                offset + digits.sum::<usize>()
            })
            .collect()
    }

    #[test]
    fn visits_every_element_in_order_from_any_start() {
        let shapes: &[&[usize]] = &[&[], &[1], &[5], &[2, 3], &[3, 1, 4], &[2, 3, 2, 2], &[0, 3]];
        for shape in shapes {
            let mut transposed = dense_strides(shape);
            transposed.reverse();
            let dense = dense_strides(shape);
            let repeated = Dims::from_elem(0, shape.len());
            let count: usize = shape.iter().product();
            for strides in [&dense, &transposed, &repeated] {
                let walk = Walk::new(shape, [(7, &strides[..]), (0, &dense[..])]);
                let expected = naive(shape, 7, strides);
                for start in 0..count {
                    let mut found = vec![usize::MAX; count - start];
                    walk.runs(start, count - start, |at, positions, run| {
                        for k in 0..run {
                            found[at + k] = positions[0] + k * walk.stride(0);
                            assert_eq!(positions[1] + k * walk.stride(1), start + at + k);
                        }
                    });
                    assert_eq!(
                        found,
                        expected[start..],
                        "{shape:?} {strides:?} from {start}"
                    );
                }
            }
        }
    }

    #[test]
    fn short_runs_are_part_of_longer_ones() {
        for (shape, strides, longer) in [
            (&[40, 2][..], &[1, 40][..], Some(40)),
            (&[40, 2], &[5, 1], Some(40)),
            (&[3, 20, 2, 2], &[80, 1, 20, 40], Some(20)),
            (&[2, 30, 3], &[0, 3, 2], Some(30)),
            (&[2, 30, 3], &[100, 0, 30], Some(30)),
            (&[16, 5, 3, 11], &[1, 16, 0, 80], None),
            (&[2, 2], &[1, 2], None),
            (&[20, 0], &[1, 1], None),
            (&[], &[], None),
        ] {
            let walk = Walk::new(shape, [(7, strides)]);
            let run = walk.run_length();
            let (outer, inner) = walk.with_longer_runs();
            let expected = longer.unwrap_or(run);
            assert_eq!(outer.run_length(), expected, "{shape:?} {strides:?}");
            assert_eq!(inner.len() > 1, longer.is_some(), "{shape:?} {strides:?}");
            let count = shape.iter().product::<usize>() / inner.len();
            let mut all = vec![usize::MAX; shape.iter().product()];
            for (k, own) in inner.iter().enumerate() {
                outer.runs(0, count, |at, positions, run| {
                    for n in 0..run {
                        all[(at + n) * inner.len() + k] = positions[0] + own + n * outer.stride(0);
                    }
                });
            }
            assert_eq!(all, naive(shape, 7, strides), "{shape:?} {strides:?}");
        }
    }

    #[test]
    fn dense_operands_are_one_run() {
        let dense = dense_strides(&[4, 5, 6]);
        let walk = Walk::new(&[4, 5, 6], [(0, &dense[..]), (3, &dense[..])]);
        let mut runs = Vec::new();
        walk.runs(0, 120, |at, positions, run| {
            runs.push((at, positions[1], run))
        });
        assert_eq!(runs, [(0, 3, 120)]);
    }
}
