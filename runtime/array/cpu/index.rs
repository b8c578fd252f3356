//! Elements picked by index along an axis, and elements put at places that are evenly apart.

use super::memory::{adopt, elements, own_elements, room, zeroed};
use super::pool::Pooled;
use super::walk::{PARALLEL, Walk, in_parts, in_parts_of};
use super::{Float, dense};
use crate::array::backend::{Buffer, Places, View, dense_strides, failed};
use crate::diag::Result;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicUsize, Ordering};

/// `out[.., i, ..] = view[.., index[.., i, ..], ..]`. An index out of range is an error of `operation`.
pub fn gather<T: Pooled>(
    operation: &str,
    view: &View,
    axis: usize,
    index: &View,
) -> Result<Vec<T>> {
    let (values, indices) = (elements::<T>(view)?, elements::<u32>(index)?);
    let mut out: Vec<T> = room(index.len())?;
    let (extent, stride) = (view.shape[axis], view.strides[axis]);
    // Along the axis the element comes from the index alone.
    let mut base = view.strides.clone();
    base[axis] = 0;
    let walk = Walk::new(&index.shape, [(0, &base[..]), (0, &index.strides[..])]);
    let wrong = FirstWrong::default();
    in_parts(&mut out, 4, |start, part| {
        let steps = (walk.stride(0), walk.stride(1));
        walk.runs(start, part.len(), |at, positions, run| {
            let indices = &indices[positions[1]..];
            for (k, out) in part[at..at + run].iter_mut().enumerate() {
                let picked = indices[k * steps.1] as usize;
                match picked < extent {
                    true => *out = values[positions[0] + k * steps.0 + picked * stride],
                    false => wrong.note(start + at + k),
                }
            }
        });
    });
    wrong.check(operation, axis, extent, index)?;
    Ok(out)
}

/// An error of `operation` if an index is not below the extent of an axis.
pub fn check(operation: &str, axis: usize, extent: usize, index: &View) -> Result<()> {
    let (indices, wrong) = (elements::<u32>(index)?, FirstWrong::default());
    let walk = Walk::new(&index.shape, [(0, &index.strides[..])]);
    walk.runs(0, index.len(), |at, positions, run| {
        let is_wrong = |k: usize| indices[positions[0] + k * walk.stride(0)] as usize >= extent;
        (0..run)
            .filter(|&k| is_wrong(k))
            .for_each(|k| wrong.note(at + k));
    });
    wrong.check(operation, axis, extent, index)
}

/// Zeros in `shape`, but the elements of `view` at these places.
///
/// It is what `scatter_add` makes of an index that says so, zeros of negative sign included; but it moves whole runs, as no two elements
/// have the same place. The caller has checked that all of them fit into `shape`.
pub fn place<T: Float>(view: &View, places: Places, shape: &[usize]) -> Result<Vec<T>> {
    let mut out: Vec<T> = zeroed(shape.iter().product())?;
    each_placed(view, places, &mut out, shape, |value, _| T::ZERO + value)?;
    Ok(out)
}

/// The elements of `whole`, dense, but `new` of those of `part` and their own at these places; in place if nobody else refers to the memory of `whole`.
pub fn put_placed<T: Pooled>(
    mut whole: View,
    part: &View,
    places: Places,
    new: impl Fn(T, T) -> T + Sync,
) -> Result<Buffer> {
    let shape = whole.shape.clone();
    if whole.is_dense()
        && whole.offset == 0
        && let Some(own) = own_elements::<T>(&mut whole.buffer)
    {
        each_placed(part, places, own, &shape, new)?;
        return Ok(whole.buffer);
    }
    let mut out = dense::<T>(&whole)?;
    each_placed(part, places, &mut out, &shape, new)?;
    Ok(adopt(out))
}

/// Parts one after the other along an axis. They fill `shape`.
pub fn concat<T: Pooled>(parts: &[&View], axis: usize, shape: &[usize]) -> Result<Vec<T>> {
    let inner: usize = shape[axis + 1..].iter().product();
    let block = shape[axis] * inner;
    // Of each part, how many elements it has in each block, where they end within it, and how it lies in its memory and in the result.
    let (mut sources, mut end) = (SmallVec::<[_; 2]>::new(), 0);
    let target = dense_strides(shape);
    for part in parts {
        let count = part.shape[axis] * inner;
        let walk = Walk::new(&part.shape, [(0, &part.strides[..]), (end, &target[..])]);
        end += count;
        sources.push((count, end, walk, elements::<T>(part)?));
    }
    let mut out: Vec<T> = room(shape.iter().product())?;
    // Threads share blocks, or parts of a long one.
    let unit = if block < LONG_BLOCK { block } else { 1 };
    in_parts_of(&mut out, unit, 1, |start, piece| {
        let stop = start + piece.len();
        for (count, end, walk, values) in &sources {
            // How many of its elements stand before a place.
            let before = |place: usize| {
                let within = (place % block + count).saturating_sub(*end);
                place / block * count + within.min(*count)
            };
            let (first, last) = (before(start), before(stop));
            let (from, to) = (walk.stride(0), walk.stride(1));
            walk.runs(first, last - first, |_, positions, run| {
                let values = &values[positions[0]..];
                let out = &mut piece[positions[1] - start..];
                match (from, to) {
                    (1, 1) => out[..run].copy_from_slice(&values[..run]),
                    _ => (0..run).for_each(|k| out[k * to] = values[k * from]),
                }
            });
        }
    });
    Ok(out)
}

/// Blocks of so many elements are not left to one thread each.
const LONG_BLOCK: usize = 1 << 12;

/// Replaces the elements of `out`, an array of a shape, to whose places the values of a view go: by `new` of the value and the element.
fn each_placed<T: Pooled>(
    view: &View,
    Places { axis, start, step }: Places,
    out: &mut [T],
    shape: &[usize],
    new: impl Fn(T, T) -> T + Sync,
) -> Result<()> {
    let values = elements::<T>(view)?;
    let mut target = dense_strides(shape);
    let first = start.saturating_mul(target[axis]);
    // Of one element, the distance to the next means nothing.
    target[axis] = target[axis].saturating_mul(step);
    let walk = Walk::new(&view.shape, [(0, &view.strides[..]), (first, &target[..])]);
    let (from, to) = (walk.stride(0), walk.stride(1));
    // The places of a row, an index of the first axis, begin `apart` elements after those of the row before, and end before the next row's begin. `part` holds
    // the rows from number `start / apart` on.
    let (count, apart) = (view.shape[0], target[0]);
    if view.is_empty() {
        return Ok(());
    }
    let inner = view.len() / count;
    let rows = |start: usize, part: &mut [T]| {
        let begin = start / apart;
        let own = part.len().div_ceil(apart).min(count - begin);
        walk.runs(begin * inner, own * inner, |_, positions, run| {
            let values = &values[positions[0]..];
            let out = &mut part[positions[1] - first - start..];
            if (from, to) == (1, 1) {
                for (out, &value) in out[..run].iter_mut().zip(values) {
                    *out = new(value, *out);
                }
                return;
            }
            for k in 0..run {
                out[k * to] = new(values[k * from], out[k * to]);
            }
        });
    };
    let end = first
        .saturating_add(count.saturating_mul(apart))
        .min(out.len());
    match view.len() < PARALLEL {
        true => rows(0, &mut out[first..end]),
        false => in_parts_of(&mut out[first..end], apart, 1, rows),
    }
    Ok(())
}

/// The first element, in row-major order, whose index is out of range: the same for any number of threads.
struct FirstWrong(AtomicUsize);

impl Default for FirstWrong {
    fn default() -> Self {
        FirstWrong(AtomicUsize::new(usize::MAX))
    }
}

impl FirstWrong {
    fn note(&self, at: usize) {
        self.0.fetch_min(at, Ordering::Relaxed);
    }

    fn check(&self, operation: &str, axis: usize, extent: usize, index: &View) -> Result<()> {
        let at = self.0.load(Ordering::Relaxed);
        if at == usize::MAX {
            return Ok(());
        }
        let mut place = Vec::new();
        let mut position = 0;
        for (&stride, (&wide, &extent)) in dense_strides(&index.shape)
            .iter()
            .zip(index.strides.iter().zip(&index.shape))
        {
            place.push(at / stride % extent);
            position += at / stride % extent * wide;
        }
        let found = elements::<u32>(index)?[position];
        Err(failed(
            operation,
            format_args!(
                "found index {found} at {place:?}: expected indices below {extent}, the extent of axis {axis}"
            ),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::cpu::memory::adopt;
    use crate::array::reduce::Runs;
    use crate::array::scatter::scatter_add;
    use crate::ir::Type;

    /// The numbers 1, 2, … but for a zero of negative sign at their beginning.
    fn numbered(shape: &[usize]) -> View {
        let count = shape.iter().product();
        let mut numbers: Vec<f64> = (1..=count).map(|n: usize| n as f64).collect();
        if let Some(first) = numbers.first_mut() {
            *first = -0.0;
        }
        View::dense(adopt(numbers), Type::F64, shape)
    }

    /// Parts in every order of their axes, repeated and empty ones among them, few elements and so many that threads share them.
    #[test]
    fn parts_stand_one_after_the_other() -> Result<()> {
        for (n, m) in [(3, 5), (40, 700)] {
            let parts = [
                numbered(&[n, m]),
                numbered(&[m, n]).swap_axes(0, 1),
                numbered(&[n, 0]),
                numbered(&[n, 1]).broadcast_to(&[n, m]).unwrap(),
                numbered(&[1, m]).broadcast_to(&[n, m]).unwrap(),
            ];
            let all = parts.iter().collect::<Vec<_>>();
            let columns: usize = parts.iter().map(|part| part.shape[1]).sum();
            let found = concat::<f64>(&all, 1, &[n, columns])?;
            let mut expected = Vec::new();
            for row in 0..n {
                for part in &parts {
                    let dense = dense::<f64>(part)?;
                    expected.extend_from_slice(&dense[row * part.shape[1]..][..part.shape[1]]);
                }
            }
            assert_eq!(found, expected);
            let turned: Vec<View> = parts.iter().map(|p| p.clone().swap_axes(0, 1)).collect();
            let all = turned.iter().collect::<Vec<_>>();
            let found = concat::<f64>(&all, 0, &[columns, n])?;
            let of_rows = View::dense(adopt(expected), Type::F64, &[n, columns]);
            assert_eq!(found, dense::<f64>(&of_rows.swap_axes(0, 1))?);
        }
        Ok(())
    }

    #[test]
    fn what_is_placed_is_what_an_index_scatters() -> Result<()> {
        let shapes: &[&[usize]] = &[&[1], &[4], &[3, 2], &[1, 3], &[2, 0], &[2, 3, 4]];
        // Threads share these.
        let large: &[&[usize]] = &[&[70_001], &[300, 301], &[3, 200, 150]];
        assert!({ large.iter() }.all(|shape| shape.iter().product::<usize>() > PARALLEL));
        for (shape, start, step) in shapes.iter().chain(large).flat_map(|&shape| {
            [(0, 1), (2, 1), (0, 2), (1, 3)].map(|(start, step)| (shape, start, step))
        }) {
            for axis in 0..shape.len() {
                let mut room = shape.to_vec();
                room[axis] = start + step * shape[axis] + 1;
                let mut index_shape = vec![1; shape.len()];
                index_shape[axis] = shape[axis];
                let along = (0..shape[axis]).map(|n| (start + n * step) as u32);
                let index = View::dense(adopt(along.collect()), Type::U32, &index_shape);
                let mut views = vec![numbered(shape)];
                let mut turned = shape.to_vec();
                turned.reverse();
                if shape.len() == 2 {
                    views.push(numbered(&turned).swap_axes(0, 1));
                }
                let mut one = shape.to_vec();
                one[axis] = 1;
                views.extend(numbered(&one).broadcast_to(shape));
                for view in views {
                    let index = index.broadcast_to(shape).unwrap();
                    let expected = scatter_add(Runs::Host, &view, axis, &index, &room)?;
                    let expected = dense::<f64>(&expected)?;
                    let places = Places { axis, start, step };
                    let found = place::<f64>(&view, places, &room)?;
                    let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    assert_eq!(
                        bits(&found),
                        bits(&expected),
                        "{view:?} {axis} {start} {step}"
                    );
                }
            }
        }
        Ok(())
    }
}
