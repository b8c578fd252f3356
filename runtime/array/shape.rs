//! Shapes and strides: pure index arithmetic, no elements.
//!
//! A shape lists the extents, row-major: the last axis is the contiguous one of a dense array. Strides count elements; a stride
//! of 0 repeats one element along its axis (broadcasting). Every product of extents is checked here, once, so the
//! code that loops over elements may multiply freely.

use super::backend::{Dims, View, dense_strides, failed, is_dense};
use crate::diag::{Error, Result};
use smallvec::SmallVec;

/// What the methods of arrays accept as a shape: `[2, 3]`, `&[2, 3]`, a slice, a `Vec`, or one extent.
pub trait IntoShape {
    /// The extents.
    fn into_shape(self) -> Dims;
}

impl<const N: usize> IntoShape for [usize; N] {
    fn into_shape(self) -> Dims {
        Dims::from_slice(&self)
    }
}
impl<const N: usize> IntoShape for &[usize; N] {
    fn into_shape(self) -> Dims {
        Dims::from_slice(self)
    }
}
impl IntoShape for &[usize] {
    fn into_shape(self) -> Dims {
        Dims::from_slice(self)
    }
}
impl IntoShape for Vec<usize> {
    fn into_shape(self) -> Dims {
        Dims::from_slice(&self)
    }
}
impl IntoShape for &Vec<usize> {
    fn into_shape(self) -> Dims {
        Dims::from_slice(self)
    }
}
impl IntoShape for usize {
    fn into_shape(self) -> Dims {
        Dims::from_slice(&[self])
    }
}

/// Axes that several views are walked along together: extents, and each view's strides.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Axes {
    pub extents: Dims,
    /// One list of strides for each view.
    pub strides: SmallVec<[Dims; 4]>,
}

impl Axes {
    /// The axes of extent 1 left out, and neighbours joined where all views step evenly across both.
    pub fn new(extents: &[usize], strides: &[&[usize]]) -> Axes {
        let mut axes = Axes {
            extents: Dims::new(),
            strides: strides.iter().map(|_| Dims::new()).collect(),
        };
        for (axis, &extent) in extents.iter().enumerate() {
            if extent == 1 {
                continue;
            }
            let even = |(own, all): (&Dims, &&[usize])| {
                own.last()
                    .is_some_and(|&last| last == all[axis].wrapping_mul(extent))
            };
            if axes.extents.is_empty() || !axes.strides.iter().zip(strides).all(even) {
                axes.extents.push(1);
                axes.strides.iter_mut().for_each(|own| own.push(0));
            }
            if let Some(last) = axes.extents.last_mut() {
                *last *= extent;
            }
            for (own, all) in axes.strides.iter_mut().zip(strides) {
                if let Some(last) = own.last_mut() {
                    *last = all[axis];
                }
            }
        }
        axes
    }

    /// As `new`, if one axis is left at most: its extent and each view's stride. An axis without elements is walked with any stride.
    #[cfg(feature = "gpu")]
    pub fn single(extents: &[usize], strides: &[&[usize]]) -> Option<(usize, Vec<usize>)> {
        if extents.contains(&0) {
            return Some((0, vec![0; strides.len()]));
        }
        let axes = Axes::new(extents, strides);
        match axes.extents[..] {
            [] => Some((1, vec![0; strides.len()])),
            [extent] => Some((extent, axes.strides.iter().map(|s| s[0]).collect())),
            _ => None,
        }
    }
}

/// The number of elements; an error if it does not fit a `usize`, or the bytes of 64-bit elements an `isize`.
///
/// An extent of 0 makes the array empty whatever the others are, but the product of the others must still fit: the
/// strides of such an array are made of them.
pub fn numel(shape: &[usize]) -> Result<usize> {
    let fits = |n: usize| n <= isize::MAX as usize / 8;
    let product = shape
        .iter()
        .filter(|&&extent| extent != 0)
        .try_fold(1usize, |n, &extent| {
            n.checked_mul(extent).filter(|&n| fits(n))
        });
    match product {
        Some(_) if shape.contains(&0) => Ok(0),
        Some(n) => Ok(n),
        None => Err(Error::Array(format!(
            "an array of shape {shape:?} has more elements than memory has addresses"
        ))),
    }
}

/// The shape that arrays of these shapes broadcast to, as in NumPy: aligned at the last axis, an extent of 1 repeats.
pub fn broadcast(operation: &str, shapes: &[&[usize]]) -> Result<Dims> {
    let ndim = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
    let mut out = Dims::from_elem(1, ndim);
    for shape in shapes {
        let skipped = ndim - shape.len();
        for (found, &extent) in out[skipped..].iter_mut().zip(*shape) {
            match (*found, extent) {
                (1, _) => *found = extent,
                (a, b) if a == b || b == 1 => {}
                _ => return Err(no_broadcast(operation, shapes)),
            }
        }
    }
    numel(&out)?;
    Ok(out)
}

fn no_broadcast(operation: &str, shapes: &[&[usize]]) -> Error {
    let list: Vec<String> = shapes.iter().map(|s| format!("{s:?}")).collect();
    let between = if list.len() == 2 { " and " } else { ", " };
    failed(
        operation,
        format_args!(
            "shapes {} do not broadcast together: expected equal extents, or 1, counting from the last axis",
            list.join(between)
        ),
    )
}

/// The same elements in another shape of as many elements, without moving one; `None` if no strides do that.
pub fn reshape_view(view: &View, shape: &[usize]) -> Option<View> {
    Some(View {
        shape: shape.into(),
        strides: reshape_strides(&view.shape, &view.strides, shape)?,
        ..view.clone()
    })
}

/// The strides with which an array of `shape` and `strides` is read in shape `target`, which has as many elements; `None` if none do that.
///
/// Both shapes are cut into the shortest runs of axes with equal products; each run of the source must be one evenly
/// spaced run of elements, which the run of the target then divides.
pub fn reshape_strides(shape: &[usize], strides: &[usize], target: &[usize]) -> Option<Dims> {
    if is_dense(shape, strides) {
        return Some(dense_strides(target));
    }
    let axes: Vec<(usize, usize)> = shape
        .iter()
        .copied()
        .zip(strides.iter().copied())
        .filter(|&(extent, _)| extent != 1)
        .collect();
    let mut out = Dims::from_elem(0, target.len());
    let (mut from, mut to) = (0, 0);
    while from < axes.len() {
        let (mut end, mut source) = (from + 1, axes[from].0);
        let (mut stop, mut wanted) = (to, 1);
        while source != wanted {
            if source < wanted {
                source *= axes.get(end)?.0;
                end += 1;
            } else {
                wanted *= target.get(stop)?;
                stop += 1;
            }
        }
        let mut stride = even_stride(&axes[from..end])?;
        for axis in (to..stop).rev() {
            out[axis] = stride;
            stride *= target[axis];
        }
        (from, to) = (end, stop);
    }
    Some(out)
}

/// The distance between successive elements of a run of axes, if it is the same everywhere.
fn even_stride(axes: &[(usize, usize)]) -> Option<usize> {
    let even = axes
        .windows(2)
        .all(|pair| pair[0].1 == pair[1].0 * pair[1].1);
    even.then_some(axes[axes.len() - 1].1)
}

/// Refuses an axis that an array does not have.
pub fn check_axis(operation: &str, shape: &[usize], axis: usize) -> Result<()> {
    match axis < shape.len() {
        true => Ok(()),
        // What is counted from the last axis may be before the first.
        false => Err(failed(
            operation,
            format_args!(
                "axis {} of an array of shape {shape:?}: expected an axis below {}",
                axis as isize,
                shape.len()
            ),
        )),
    }
}

/// Refuses another number of dimensions than the operation takes.
pub fn check_ndim(operation: &str, shape: &[usize], ndim: usize) -> Result<()> {
    match shape.len() == ndim {
        true => Ok(()),
        false => Err(failed(
            operation,
            format_args!("found an array of shape {shape:?}: expected {ndim} dimensions"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn element_counts() {
        assert_eq!(numel(&[]).unwrap(), 1);
        assert_eq!(numel(&[2, 3]).unwrap(), 6);
        assert_eq!(numel(&[2, 0, 3]).unwrap(), 0);
        assert!(numel(&[usize::MAX, 2]).is_err());
        assert!(numel(&[0, usize::MAX, 2]).is_err());
        assert!(numel(&[1 << 40, 1 << 40]).is_err());
    }

    #[test]
    fn broadcasting() {
        let cases: &[(&[&[usize]], Option<&[usize]>)] = &[
            (&[&[2, 3], &[3]], Some(&[2, 3])),
            (&[&[], &[3]], Some(&[3])),
            (&[&[2, 1], &[1, 4]], Some(&[2, 4])),
            (&[&[0, 3], &[1]], Some(&[0, 3])),
            (&[&[1], &[0]], Some(&[0])),
            (&[&[2], &[0]], None),
            (&[&[2, 3], &[2]], None),
        ];
        for (shapes, expected) in cases {
            let found = broadcast("add", shapes).ok();
            assert_eq!(found.as_deref(), *expected, "{shapes:?}");
        }
        let error = broadcast("add", &[&[2, 3], &[2]]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "add: shapes [2, 3] and [2] do not broadcast together: expected equal extents, or 1, counting from the last axis"
        );
    }

    #[test]
    fn reshaping_without_a_copy() {
        type Case<'a> = (&'a [usize], &'a [usize], &'a [usize], Option<&'a [usize]>);
        let cases: &[Case] = &[
            (&[2, 3], &[3, 1], &[6], Some(&[1])),
            (&[2, 3], &[3, 1], &[3, 2], Some(&[2, 1])),
            (&[3, 2], &[1, 3], &[6], None),
            (&[3, 2], &[1, 3], &[3, 1, 2], Some(&[1, 0, 3])),
            (&[4, 3], &[0, 0], &[2, 6], Some(&[0, 0])),
            (&[4, 3], &[0, 1], &[2, 2, 3], Some(&[0, 0, 1])),
            (&[4, 3], &[0, 1], &[12], None),
            (&[2, 1, 3], &[3, 99, 1], &[6], Some(&[1])),
            (&[2, 6], &[12, 1], &[2, 2, 3], Some(&[12, 3, 1])),
        ];
        for (shape, strides, target, expected) in cases {
            let found = reshape_strides(shape, strides, target);
            let same = |found: &Dims| {
                // Strides of axes of extent 1 mean nothing.
                let pairs = found.iter().zip(expected.unwrap_or(&[])).zip(*target);
                pairs
                    .into_iter()
                    .all(|((a, b), &extent)| extent == 1 || a == b)
            };
            assert_eq!(found.is_some(), expected.is_some(), "{shape:?} {target:?}");
            assert!(found.is_none_or(|f| same(&f)), "{shape:?} {target:?}");
        }
    }
}
