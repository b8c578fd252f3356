//! Parts of arrays, other orders of their elements, and what is made by position.

use super::backend::in_method;
use super::element::{Element, FloatElement};
use super::kernels;
use super::operators::MapArgument;
use super::shape::check_axis;
use super::tensor::{Argument, MOST_PARTS, Tensor};
use super::{Array, Device, IntoShape};
use crate::diag::Result;
use crate::ir::{Prim, Type};
use smallvec::SmallVec;
use std::iter::StepBy;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::rc::Rc;
use std::sync::Arc;

/// What is read along one axis.
#[doc(hidden)]
pub struct Places {
    start: usize,
    end: usize,
    step: usize,
    /// It is one place, and the result does not have the axis.
    drops: bool,
}

impl Places {
    fn range(start: usize, end: usize) -> Places {
        Places {
            start,
            end,
            step: 1,
            drops: false,
        }
    }
}

/// What is read along one axis of an array by [`Array::slice`]: a range, a range by steps (`(0..6).step_by(2)`) or a place.
pub trait AxisIndex {
    /// The places along an axis of that extent.
    #[doc(hidden)]
    fn places(&self, extent: usize) -> Places;
}

impl AxisIndex for usize {
    fn places(&self, _extent: usize) -> Places {
        Places {
            drops: true,
            ..Places::range(*self, self.wrapping_add(1))
        }
    }
}
impl AxisIndex for Range<usize> {
    fn places(&self, _extent: usize) -> Places {
        Places::range(self.start, self.end)
    }
}
impl AxisIndex for RangeInclusive<usize> {
    fn places(&self, _extent: usize) -> Places {
        Places::range(*self.start(), self.end().saturating_add(1))
    }
}
impl AxisIndex for RangeFrom<usize> {
    fn places(&self, extent: usize) -> Places {
        Places::range(self.start, extent)
    }
}
impl AxisIndex for RangeTo<usize> {
    fn places(&self, _extent: usize) -> Places {
        Places::range(0, self.end)
    }
}
impl AxisIndex for RangeToInclusive<usize> {
    fn places(&self, _extent: usize) -> Places {
        Places::range(0, self.end.saturating_add(1))
    }
}
impl AxisIndex for RangeFull {
    fn places(&self, extent: usize) -> Places {
        Places::range(0, extent)
    }
}
/// It ends with the last place that it reaches.
impl AxisIndex for StepBy<Range<usize>> {
    fn places(&self, _extent: usize) -> Places {
        let mut places = self.clone();
        let Some(start) = places.next() else {
            return Places::range(0, 0);
        };
        let step = places.next().map_or(1, |second| second - start);
        Places {
            start,
            end: start + (self.len() - 1) * step + 1,
            step,
            drops: false,
        }
    }
}

/// What [`Array::slice`] takes: an [`AxisIndex`] for the first axis, or a tuple of up to six, one for each of the first axes.
pub trait ArrayIndex {
    /// One for each axis.
    #[doc(hidden)]
    fn axes(&self) -> SmallVec<[&dyn AxisIndex; 6]>;
}

macro_rules! one_axis {
    ($($t:ty)*) => {$(
        impl ArrayIndex for $t {
            fn axes(&self) -> SmallVec<[&dyn AxisIndex; 6]> {
                SmallVec::from_iter([self as &dyn AxisIndex])
            }
        }
    )*};
}
one_axis! {
    usize Range<usize> RangeInclusive<usize> RangeFrom<usize> RangeTo<usize> RangeToInclusive<usize> RangeFull StepBy<Range<usize>>
}

macro_rules! several_axes {
    ($($t:ident $n:tt)*) => {
        impl<$($t: AxisIndex),*> ArrayIndex for ($($t,)*) {
            fn axes(&self) -> SmallVec<[&dyn AxisIndex; 6]> {
                SmallVec::from_iter([$(&self.$n as &dyn AxisIndex),*])
            }
        }
    };
}
several_axes!(A 0);
several_axes!(A 0 B 1);
several_axes!(A 0 B 1 C 2);
several_axes!(A 0 B 1 C 2 D 3);
several_axes!(A 0 B 1 C 2 D 3 E 4);
several_axes!(A 0 B 1 C 2 D 3 E 4 F 5);

/// What [`Array::concat`] and [`Array::stack`] join to an array: an array, or a list of arrays.
pub trait Arrays<T> {
    /// All of them, in order.
    #[doc(hidden)]
    fn arrays(&self) -> Vec<&Array<T>>;
}

impl<T> Arrays<T> for Array<T> {
    fn arrays(&self) -> Vec<&Array<T>> {
        vec![self]
    }
}
impl<T, A: Arrays<T>> Arrays<T> for [A] {
    fn arrays(&self) -> Vec<&Array<T>> {
        self.iter().flat_map(Arrays::arrays).collect()
    }
}
impl<T, A: Arrays<T>, const N: usize> Arrays<T> for [A; N] {
    fn arrays(&self) -> Vec<&Array<T>> {
        self[..].arrays()
    }
}
impl<T, A: Arrays<T>> Arrays<T> for Vec<A> {
    fn arrays(&self) -> Vec<&Array<T>> {
        self[..].arrays()
    }
}

macro_rules! pointers_to_arrays {
    ($($t:ty)*) => {$(
        impl<T, A: Arrays<T> + ?Sized> Arrays<T> for $t {
            fn arrays(&self) -> Vec<&Array<T>> {
                (**self).arrays()
            }
        }
    )*};
}
pointers_to_arrays! { &A Box<A> Rc<A> Arc<A> }

/// What [`Array::split`] makes of an axis: a number of equal parts, or a list of the extents of the parts.
pub trait Parts {
    /// How many there are.
    #[doc(hidden)]
    fn count(&self) -> usize;
    /// Their extents along an axis.
    #[doc(hidden)]
    fn extents(&self, of: &Tensor, axis: usize) -> Result<Vec<usize>>;
}

impl Parts for usize {
    fn count(&self) -> usize {
        *self
    }
    fn extents(&self, of: &Tensor, axis: usize) -> Result<Vec<usize>> {
        Ok(vec![of.split_extent(axis, *self)?; *self])
    }
}

macro_rules! lists_of_parts {
    ($([$($n:tt)*] $t:ty;)*) => {$(
        impl<$($n)*> Parts for $t {
            fn count(&self) -> usize {
                self.len()
            }
            fn extents(&self, of: &Tensor, axis: usize) -> Result<Vec<usize>> {
                let total = self.iter().fold(0usize, |sum, &n| sum.saturating_add(n));
                of.split_total(axis, total)?;
                Ok(self.to_vec())
            }
        }
    )*};
}
lists_of_parts! { [] &[usize]; [] Vec<usize>; [] &Vec<usize>; [const N: usize] [usize; N]; [const N: usize] &[usize; N]; }

/// The array before each step of a slice, and what is read of it; the last axis comes first, since a place takes its axis away. Then the slice.
fn steps(
    tensor: &Tensor,
    index: &impl ArrayIndex,
) -> Result<(Vec<(Tensor, usize, Places)>, Tensor)> {
    let (mut steps, mut rest) = (Vec::new(), tensor.clone());
    for (axis, index) in index.axes().into_iter().enumerate().rev() {
        let places = index.places(rest.shape().get(axis).copied().unwrap_or(0));
        let mut part = rest.slice_axis(axis, places.start, places.end, places.step)?;
        if places.drops {
            part = part.squeeze(axis)?;
        }
        steps.push((rest, axis, places));
        rest = part;
    }
    Ok((steps, rest))
}

/// The array that a slice was taken of, with a part in the place of the slice.
fn put_back(part: Tensor, steps: Vec<(Tensor, usize, Places)>) -> Result<Tensor> {
    let mut part = part;
    for (whole, axis, places) in steps.into_iter().rev() {
        if places.drops {
            part = part.expand_dims(axis)?;
        }
        part = whole.replaced(axis, (places.start, places.end, places.step), &part)?;
    }
    Ok(part)
}

/// Parts and orders.
impl<T: Element> Array<T> {
    /// The elements that ranges, ranges by steps and places choose along the first axes; the axis of a place is gone. Moves nothing.
    ///
    /// A range that is not within the extent, or an axis that the array does not have, is an error.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [2, 3]);
    /// assert_eq!(x.slice((.., 1..3)).to_vec()?, [1.0, 2.0, 4.0, 5.0]);
    /// assert_eq!(x.slice((1, (0..3).step_by(2))).to_vec()?, [3.0, 5.0]);
    /// assert_eq!(x.slice(0).shape(), [3]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn slice(&self, index: impl ArrayIndex) -> Array<T> {
        self.with(|t| Ok(steps(t, &index)?.1))
    }
    /// The axes in another order: axis n of the result is axis `axes[n]` of this array. Moves nothing. Axes that are not each listed
    /// once are an error.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::<f32>::zeros([2, 3, 4]);
    /// assert_eq!(x.permute([2, 0, 1]).shape(), [4, 2, 3]);
    /// ```
    pub fn permute(&self, axes: impl IntoShape) -> Array<T> {
        self.with(|t| t.permute(&axes.into_shape()))
    }
    /// Repeated `count` times along a new axis, as a whole. Moves nothing.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0], [2]);
    /// assert_eq!(x.insert_axis(0, 2).to_vec()?, [1.0, 2.0, 1.0, 2.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn insert_axis(&self, axis: usize, count: usize) -> Array<T> {
        self.with(|t| t.insert_axis(axis, count))
    }
    /// Parts along `axis`: so many equal ones, or one of each of the listed extents. If the extent cannot be divided by the number, or is not the
    /// total of the list, each part is the error. An axis without elements has at most 65,536 parts, and there are at most so many errors.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [4]);
    /// assert_eq!(x.split(0, 2)[1].to_vec()?, [3.0, 4.0]);
    /// assert_eq!(x.split(0, [1, 3])[1].to_vec()?, [2.0, 3.0, 4.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn split(&self, axis: usize, parts: impl Parts) -> Vec<Array<T>> {
        let extents = match self.tensor().and_then(|t| parts.extents(t, axis)) {
            Ok(extents) => extents,
            Err(error) => {
                let failed = Array::new(self.device(), Err(error));
                return vec![failed; parts.count().min(MOST_PARTS)];
            }
        };
        let mut start = 0;
        let part = |&extent: &usize| {
            let part = self.with(|t| t.narrow(axis, start, extent));
            start += extent;
            part
        };
        extents.iter().map(part).collect()
    }
    /// Each element `count` times in turn along `axis`.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0], [2]);
    /// assert_eq!(x.repeat(0, 2).to_vec()?, [1.0, 1.0, 2.0, 2.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn repeat(&self, axis: usize, count: usize) -> Array<T> {
        in_method("repeat", || {
            self.with(|t| {
                check_axis("repeat", t.shape(), axis)?;
                let all = t.insert_axis(axis.saturating_add(1), count)?;
                let mut shape = all.shape().to_vec();
                shape[axis] *= shape.remove(axis + 1);
                all.reshape(&shape)
            })
        })
    }
    /// The elements at these places along `axis`, which the axes of `index` replace: rows of a table for numbers of rows, say. A place
    /// beyond the extent is an error. Places that come several times add up in the gradient.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let table = Array::from_vec(vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [3, 2]);
    /// let words = Array::from_vec(vec![2u32, 0, 2], [3]);
    /// assert_eq!(table.take(0, &words).to_vec()?, [4.0, 5.0, 0.0, 1.0, 4.0, 5.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn take(&self, axis: usize, index: &Array<u32>) -> Array<T> {
        in_method("take", || {
            self.with(|t| {
                check_axis("take", t.shape(), axis)?;
                let index = index.tensor()?;
                let places = index.reshape(&[index.len()])?;
                let places = places.index_along(axis, t.shape())?;
                t.gather(axis, &places)?.unflatten(axis, index.shape())
            })
        })
    }
    /// A copy in which `part`, an array that broadcasts to the shape of the slice or a number, replaces the elements that
    /// [`slice`](Array::slice) reads.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![0.0, 1.0, 2.0, 3.0], [2, 2]);
    /// assert_eq!(x.with_slice((.., 1), 7.0).to_vec()?, [0.0, 7.0, 2.0, 7.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn with_slice(&self, index: impl ArrayIndex, part: impl MapArgument<T>) -> Array<T> {
        in_method("with_slice", || {
            self.with(|t| {
                let (steps, there) = steps(t, &index)?;
                let second = kernels::composed("with_slice", &[T::TYPE; 2], T::TYPE, |_, x| x[1])?;
                let part = kernels::apply(&second, &[Argument::Tensor(there), part.argument()?])?;
                put_back(part, steps)
            })
        })
    }
    /// The lower triangle of the last two axes, with zeros above: what is right of the main diagonal by more than `diagonal` is 0.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.tril(0).to_vec()?, [1.0, 0.0, 3.0, 4.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn tril(&self, diagonal: i32) -> Array<T> {
        in_method("tril", || {
            self.triangle(diagonal, |mask| mask.select(self, T::ZERO))
        })
    }
    /// The upper triangle of the last two axes, with zeros below: what is right of the main diagonal by less than `diagonal` is 0.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.triu(1).to_vec()?, [0.0, 2.0, 0.0, 0.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn triu(&self, diagonal: i32) -> Array<T> {
        in_method("triu", || {
            // Below the least number there is none, and no column is that far to the left.
            self.triangle(diagonal.saturating_sub(1), |mask| {
                mask.select(T::ZERO, self)
            })
        })
    }
    fn triangle(&self, diagonal: i32, choose: impl FnOnce(Array<bool>) -> Array<T>) -> Array<T> {
        let mask = || {
            let tensor = self.tensor()?;
            let columns = tensor.shape().len().wrapping_sub(1);
            let rows = tensor.dim(columns.wrapping_sub(1))?;
            let columns = tensor.dim(columns)?;
            let along = |n| Tensor::arange(tensor.device(), 0, Type::I32, n);
            let is_left = kernels::composed("triangle", &[Type::I32; 3], Type::U32, |b, x| {
                let right = b.prim(Prim::Sub, &[x[0], x[1]]);
                let is_left = b.prim(Prim::Le, &[right, x[2]]);
                b.prim_to(Prim::Cast, &[is_left], Type::U32)
            })?;
            let arguments = [
                Argument::Tensor(along(columns)?),
                Argument::Tensor(along(rows)?.expand_dims(1)?),
                Argument::Scalar(diagonal.to_bits(), Type::I32),
            ];
            kernels::apply(&is_left, &arguments)
        };
        choose(Array::new(self.device(), mask()))
    }
}

/// Sums and products by position.
impl<T: FloatElement> Array<T> {
    /// This array plus `values`, added at the places `index` along `axis`: `out[.., index[.., i, ..], ..] += values[.., i, ..]`. Places that
    /// come several times accumulate, in a fixed order. `values` has the shape of the array but along `axis`. `index` has the shape of `values`, or one
    /// axis: then it says where whole parts go, rows of messages to the nodes of a graph, say, as [`take`](Array::take) reads them.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![0.0, 0.0, 5.0], [3]);
    /// let index = Array::from_vec(vec![0u32, 2, 0], [3]);
    /// let values = Array::from_vec(vec![1.0, 2.0, 3.0], [3]);
    /// assert_eq!(x.scatter_add(0, &index, &values).to_vec()?, [4.0, 0.0, 7.0]);
    ///
    /// let rows = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// let to = Array::from_vec(vec![2u32, 2], [2]);
    /// let sums = Array::zeros([3, 2]).scatter_add(0, &to, &rows);
    /// assert_eq!(sums.to_vec()?, [0.0, 0.0, 0.0, 0.0, 4.0, 6.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn scatter_add(&self, axis: usize, index: &Array<u32>, values: &Array<T>) -> Array<T> {
        in_method("scatter_add", || {
            self.with(|t| {
                let values = values.tensor()?;
                let places = index.tensor()?.index_along(axis, values.shape())?;
                t.accumulate(&values.scatter_add(axis, &places, t)?)
            })
        })
    }
    /// The products of each element of this array with each of another one: a matrix, whatever the shapes.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0], [2]);
    /// assert_eq!(x.outer(&x).to_vec()?, [1.0, 2.0, 2.0, 4.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn outer(&self, other: &Array<T>) -> Array<T> {
        in_method("outer", || {
            self.reshape([self.len(), 1]) * other.reshape(other.len())
        })
    }
}

/// Numbers as classes.
impl Array<u32> {
    /// For each number a line of `count` places along a new last axis, true at the number's place alone; all false if the number is
    /// not below `count`.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let classes = Array::from_vec(vec![2u32, 0], [2]);
    /// assert_eq!(classes.one_hot(3).to_f32().to_vec()?, [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn one_hot(&self, count: usize) -> Array<bool> {
        in_method("one_hot", || {
            let classes = Array::new(
                self.device(),
                Tensor::arange(self.device(), 0, Type::U32, count),
            );
            self.expand_dims(self.ndim()).eq_elements(&classes)
        })
    }
}

/// Made without another array.
impl<T: super::NumberElement> Array<T> {
    /// The numbers 0, 1, … below `count`, on the default device.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// assert_eq!(Array::<i32>::arange(3).to_vec()?, [0, 1, 2]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn arange(count: usize) -> Array<T> {
        let device = Device::default_device();
        Array::new(
            device,
            Tensor::arange(device, T::ZERO.to_bits(), T::TYPE, count),
        )
    }
    /// The unit matrix with `count` rows, on the default device.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// assert_eq!(Array::<f64>::eye(2).to_vec()?, [1.0, 0.0, 0.0, 1.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn eye(count: usize) -> Array<T> {
        let device = Device::default_device();
        Array::new(
            device,
            Tensor::eye(device, T::ONE.to_bits(), T::TYPE, count),
        )
    }
}
