//! Reductions: along one axis, along several or over all elements, also keeping the axes with extent 1.
//!
//! For each there is `…_axis(axes)`, `…_keep(axes)` and, over all elements, a method without axes. `axes` is an axis or a list of axes, each of
//! them once; an axis that the array does not have is an error. Of a list, the elements count in the order of the list: so `argmax` gives
//! the place in the row-major order of the listed axes.

use super::backend::in_method;
use super::element::{Element, FloatElement, NumberElement};
use super::operators::MapArgument;
use super::tensor::Tensor;
use super::{Array, IntoShape, kernels};
use crate::ir::{Prim, Type};

impl<T: Element> Array<T> {
    /// Along one axis directly; several become one first.
    fn reduced<U: Element>(
        &self,
        axes: impl IntoShape,
        f: impl FnOnce(&Array<T>, usize) -> Array<U>,
    ) -> Array<U> {
        let axes = axes.into_shape();
        match axes[..] {
            [axis] => f(self, axis),
            _ => {
                let line = self.with(|t| t.merge_axes(&axes));
                f(&line, self.ndim().wrapping_sub(axes.len()))
            }
        }
    }
    /// What a reduction has given, with the axes that it took away.
    fn kept<U: Element>(&self, axes: &[usize], reduced: Array<U>) -> Array<U> {
        let mut axes = axes.to_vec();
        axes.sort_unstable();
        axes.into_iter()
            .fold(reduced, |x, axis| x.expand_dims(axis))
    }
    fn all_in_line(&self) -> Array<T> {
        self.with(|t| t.reshape(&[t.len()]))
    }
}

/// Reductions of numbers.
impl<T: NumberElement> Array<T> {
    /// The sums, along an axis or several, which the result does not have; 0 of none. Those of integers are modulo 2³².
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.sum_axis(1).to_vec()?, [3.0, 7.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn sum_axis(&self, axes: impl IntoShape) -> Array<T> {
        in_method("sum_axis", || {
            self.reduced(axes, |x, axis| x.with(|t| t.sum_axis(axis)))
        })
    }
    /// As [`sum_axis`](Array::sum_axis), with the axes kept with extent 1.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.sum_keep(0).shape(), [1, 2]);
    /// assert_eq!(x.sum_keep([0, 1]).shape(), [1, 1]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn sum_keep(&self, axes: impl IntoShape) -> Array<T> {
        in_method("sum_keep", || {
            let axes = axes.into_shape();
            self.kept(&axes, self.sum_axis(&axes[..]))
        })
    }
    /// The maxima; NaN where there is one, along an axis or several, which the result does not have; an error of none. Equal maxima share the derivative evenly.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.max_axis(1).to_vec()?, [2.0, 4.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn max_axis(&self, axes: impl IntoShape) -> Array<T> {
        in_method("max_axis", || {
            self.reduced(axes, |x, axis| x.with(|t| t.max_axis(axis)))
        })
    }
    /// As [`max_axis`](Array::max_axis), with the axes kept with extent 1.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.max_keep(0).shape(), [1, 2]);
    /// assert_eq!(x.max_keep([0, 1]).shape(), [1, 1]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn max_keep(&self, axes: impl IntoShape) -> Array<T> {
        in_method("max_keep", || {
            let axes = axes.into_shape();
            self.kept(&axes, self.max_axis(&axes[..]))
        })
    }
    /// The greatest element; NaN if there is one, over all elements: without dimensions; an error of none. Equal maxima share the derivative evenly.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.amax().item()?, 4.0);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn amax(&self) -> Array<T> {
        in_method("amax", || self.all_in_line().max_axis(0))
    }
    /// The minima; NaN where there is one, along an axis or several, which the result does not have; an error of none. Equal minima share the derivative evenly.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.min_axis(1).to_vec()?, [1.0, 3.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn min_axis(&self, axes: impl IntoShape) -> Array<T> {
        in_method("min_axis", || {
            // What reverses the order: of integers the complement, which has no exception.
            let reverse = match T::TYPE.is_float() {
                true => Prim::Neg,
                false => Prim::Not,
            };
            let reversed = |x: &Array<T>| -> Array<T> {
                x.computed(kernels::primitive(reverse, T::TYPE), &[x.argument()])
            };
            reversed(&reversed(self).max_axis(axes))
        })
    }
    /// As [`min_axis`](Array::min_axis), with the axes kept with extent 1.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.min_keep(0).shape(), [1, 2]);
    /// assert_eq!(x.min_keep([0, 1]).shape(), [1, 1]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn min_keep(&self, axes: impl IntoShape) -> Array<T> {
        in_method("min_keep", || {
            let axes = axes.into_shape();
            self.kept(&axes, self.min_axis(&axes[..]))
        })
    }
    /// The smallest element; NaN if there is one, over all elements: without dimensions; an error of none. Equal minima share the derivative evenly.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.amin().item()?, 1.0);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn amin(&self) -> Array<T> {
        in_method("amin", || self.all_in_line().min_axis(0))
    }
    /// The products, along an axis or several, which the result does not have; 1 of none. Those of integers are modulo 2³². The derivative is right where elements are 0, too.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.prod_axis(1).to_vec()?, [2.0, 12.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn prod_axis(&self, axes: impl IntoShape) -> Array<T> {
        in_method("prod_axis", || {
            self.reduced(axes, |x, axis| {
                let (mut x, mut n) = (x.clone(), x.dim(axis));
                if n == 0 {
                    return x.sum_axis(axis) + T::ONE;
                }
                while n > 1 {
                    let half = n / 2;
                    let pairs = x.narrow(axis, 0, half) * x.narrow(axis, half, half);
                    x = pairs.concat(&x.narrow(axis, 2 * half, n - 2 * half), axis);
                    n -= half;
                }
                x.squeeze(axis)
            })
        })
    }
    /// As [`prod_axis`](Array::prod_axis), with the axes kept with extent 1.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.prod_keep(0).shape(), [1, 2]);
    /// assert_eq!(x.prod_keep([0, 1]).shape(), [1, 1]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn prod_keep(&self, axes: impl IntoShape) -> Array<T> {
        in_method("prod_keep", || {
            let axes = axes.into_shape();
            self.kept(&axes, self.prod_axis(&axes[..]))
        })
    }
    /// The products, over all elements: without dimensions; 1 of none. Those of integers are modulo 2³². The derivative is right where elements are 0, too.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.prod().item()?, 24.0);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn prod(&self) -> Array<T> {
        in_method("prod", || self.all_in_line().prod_axis(0))
    }
    /// The sums of the elements up to each one along `axis`, in the shape of the array; of integers modulo 2³².
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.cumsum(1).to_vec()?, [1.0, 3.0, 3.0, 7.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn cumsum(&self, axis: usize) -> Array<T> {
        in_method("cumsum", || self.with(|t| t.cumsum(axis)))
    }
    /// The products of the elements up to each one along `axis`, in the shape of the array; of integers modulo 2³².
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.cumprod(1).to_vec()?, [1.0, 2.0, 3.0, 12.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn cumprod(&self, axis: usize) -> Array<T> {
        in_method("cumprod", || {
            let n = self.dim(axis);
            let mut products = self.narrow(axis, 0, n);
            let mut reach = 1;
            while reach < n {
                let first = products.narrow(axis, 0, reach);
                let rest = products.narrow(axis, reach, n - reach);
                products = first.concat(&(rest * products.narrow(axis, 0, n - reach)), axis);
                reach *= 2;
            }
            products
        })
    }
}

/// Reductions of floats.
impl<T: FloatElement> Array<T> {
    /// The means, along an axis or several, which the result does not have; NaN of none.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.mean_axis(1).to_vec()?, [1.5, 3.5]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn mean_axis(&self, axes: impl IntoShape) -> Array<T> {
        in_method("mean_axis", || {
            let axes = axes.into_shape();
            let sum = self.sum_axis(&axes[..]);
            let extents = axes.iter().map(|&axis| self.dim(axis));
            let count = T::from_f64(extents.product::<usize>() as f64);
            sum / count
        })
    }
    /// As [`mean_axis`](Array::mean_axis), with the axes kept with extent 1.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.mean_keep(0).shape(), [1, 2]);
    /// assert_eq!(x.mean_keep([0, 1]).shape(), [1, 1]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn mean_keep(&self, axes: impl IntoShape) -> Array<T> {
        in_method("mean_keep", || {
            let axes = axes.into_shape();
            self.kept(&axes, self.mean_axis(&axes[..]))
        })
    }
    /// The variances, the means of the squared distances from the mean, along an axis or several, which the result does not have; NaN of none.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.var_axis(1).to_vec()?, [0.25, 0.25]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn var_axis(&self, axes: impl IntoShape) -> Array<T> {
        in_method("var_axis", || {
            let axes = axes.into_shape();
            let d = self - self.mean_keep(&axes[..]);
            (&d * &d).mean_axis(&axes[..])
        })
    }
    /// As [`var_axis`](Array::var_axis), with the axes kept with extent 1.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.var_keep(0).shape(), [1, 2]);
    /// assert_eq!(x.var_keep([0, 1]).shape(), [1, 1]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn var_keep(&self, axes: impl IntoShape) -> Array<T> {
        in_method("var_keep", || {
            let axes = axes.into_shape();
            self.kept(&axes, self.var_axis(&axes[..]))
        })
    }
    /// The variances, the means of the squared distances from the mean, over all elements: without dimensions; NaN of none.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.var().item()?, 1.25);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn var(&self) -> Array<T> {
        in_method("var", || self.all_in_line().var_axis(0))
    }
    /// The standard deviations, the roots of the variances, along an axis or several, which the result does not have; NaN of none. Where all elements are equal there is no derivative: it is NaN.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.std_axis(1).to_vec()?, [0.5, 0.5]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn std_axis(&self, axes: impl IntoShape) -> Array<T> {
        in_method("std_axis", || self.var_axis(axes).sqrt())
    }
    /// As [`std_axis`](Array::std_axis), with the axes kept with extent 1.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.std_keep(0).shape(), [1, 2]);
    /// assert_eq!(x.std_keep([0, 1]).shape(), [1, 1]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn std_keep(&self, axes: impl IntoShape) -> Array<T> {
        in_method("std_keep", || {
            let axes = axes.into_shape();
            self.kept(&axes, self.std_axis(&axes[..]))
        })
    }
    /// The standard deviations, the roots of the variances, over all elements: without dimensions; NaN of none. Where all elements are equal there is no derivative: it is NaN.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.std().item()?, 1.25f64.sqrt());
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn std(&self) -> Array<T> {
        in_method("std", || self.all_in_line().std_axis(0))
    }
    /// The Euclidean norms, along an axis or several, which the result does not have; 0 of none. At 0 the derivative is taken to be 0, as that of [`norm`](Array::norm).
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.norm_axis(1).to_vec()?, [5.0f64.sqrt(), 5.0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn norm_axis(&self, axes: impl IntoShape) -> Array<T> {
        in_method("norm_axis", || (self * self).sum_axis(axes).sqrt())
    }
    /// As [`norm_axis`](Array::norm_axis), with the axes kept with extent 1.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.norm_keep(0).shape(), [1, 2]);
    /// assert_eq!(x.norm_keep([0, 1]).shape(), [1, 1]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn norm_keep(&self, axes: impl IntoShape) -> Array<T> {
        in_method("norm_keep", || {
            let axes = axes.into_shape();
            self.kept(&axes, self.norm_axis(&axes[..]))
        })
    }
    /// The logarithms of the sums of the exponentials, also where those are too large for a float, along an axis or several, which the result does not have; −∞ of none.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// let y: Vec<f64> = x.logsumexp_axis(1).to_vec()?;
    /// assert!((y[0] - 2.3132616875182226).abs() < 1e-12);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn logsumexp_axis(&self, axes: impl IntoShape) -> Array<T> {
        in_method("logsumexp_axis", || {
            self.reduced(axes, |x, axis| {
                if x.dim(axis) == 0 {
                    return x.sum_axis(axis).ln();
                }
                let most = x.max_axis(axis);
                // A shift, on which the result does not depend; an infinity, which equals its half, cannot be one.
                let finite = kernels::composed("logsumexp", &[T::TYPE], T::TYPE, |b, x| {
                    let zero = b.zero(T::TYPE);
                    let half = b.float(0.5, T::TYPE);
                    let half = b.prim(Prim::Mul, &[x[0], half]);
                    let differs = b.prim(Prim::Ne, &[half, x[0]]);
                    let is_zero = b.prim(Prim::Eq, &[x[0], zero]);
                    let is_finite = b.prim(Prim::Or, &[differs, is_zero]);
                    b.prim(Prim::Select, &[is_finite, x[0], zero])
                });
                let shift: Array<T> = most.computed(finite, &[most.argument()]);
                (x - shift.expand_dims(axis)).exp().sum_axis(axis).ln() + shift
            })
        })
    }
    /// As [`logsumexp_axis`](Array::logsumexp_axis), with the axes kept with extent 1.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.logsumexp_keep(0).shape(), [1, 2]);
    /// assert_eq!(x.logsumexp_keep([0, 1]).shape(), [1, 1]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn logsumexp_keep(&self, axes: impl IntoShape) -> Array<T> {
        in_method("logsumexp_keep", || {
            let axes = axes.into_shape();
            self.kept(&axes, self.logsumexp_axis(&axes[..]))
        })
    }
    /// The logarithms of the sums of the exponentials, also where those are too large for a float, over all elements: without dimensions; −∞ of none.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// let y: f64 = x.logsumexp().item()?;
    /// assert!((y - 4.440189698561196).abs() < 1e-12);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn logsumexp(&self) -> Array<T> {
        in_method("logsumexp", || self.all_in_line().logsumexp_axis(0))
    }
    /// The places of the maxima, along an axis or several, which the result does not have; an error of none. Of equal elements the first counts, and NaN counts as the greatest.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.argmax_axis(1).to_vec()?, [1, 1]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn argmax_axis(&self, axes: impl IntoShape) -> Array<u32> {
        in_method("argmax_axis", || {
            self.reduced(axes, |x, axis| {
                let most = x.max_axis(axis).expand_dims(axis);
                let is_most = kernels::composed("argmax", &[T::TYPE; 2], Type::U32, |b, x| {
                    let is_equal = b.prim(Prim::Eq, x);
                    let is_nan = b.prim(Prim::Ne, &[x[0], x[0]]);
                    let counts = b.prim(Prim::Or, &[is_equal, is_nan]);
                    b.prim_to(Prim::Cast, &[counts], Type::U32)
                });
                let mask: Array<bool> = x.computed(is_most, &[x.argument(), most.argument()]);
                mask.first(axis)
            })
        })
    }
    /// As [`argmax_axis`](Array::argmax_axis), with the axes kept with extent 1.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.argmax_keep(0).shape(), [1, 2]);
    /// assert_eq!(x.argmax_keep([0, 1]).shape(), [1, 1]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn argmax_keep(&self, axes: impl IntoShape) -> Array<u32> {
        in_method("argmax_keep", || {
            let axes = axes.into_shape();
            self.kept(&axes, self.argmax_axis(&axes[..]))
        })
    }
    /// The places of the maxima, over all elements: without dimensions; an error of none. Of equal elements the first counts, and NaN counts as the greatest.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.argmax().item()?, 3);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn argmax(&self) -> Array<u32> {
        in_method("argmax", || self.all_in_line().argmax_axis(0))
    }
    /// The places of the minima, along an axis or several, which the result does not have; an error of none. Of equal elements the first counts, and NaN counts as the smallest.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.argmin_axis(1).to_vec()?, [0, 0]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn argmin_axis(&self, axes: impl IntoShape) -> Array<u32> {
        in_method("argmin_axis", || (-self).argmax_axis(axes))
    }
    /// As [`argmin_axis`](Array::argmin_axis), with the axes kept with extent 1.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.argmin_keep(0).shape(), [1, 2]);
    /// assert_eq!(x.argmin_keep([0, 1]).shape(), [1, 1]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn argmin_keep(&self, axes: impl IntoShape) -> Array<u32> {
        in_method("argmin_keep", || {
            let axes = axes.into_shape();
            self.kept(&axes, self.argmin_axis(&axes[..]))
        })
    }
    /// The places of the minima, over all elements: without dimensions; an error of none. Of equal elements the first counts, and NaN counts as the smallest.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    /// assert_eq!(x.argmin().item()?, 0);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn argmin(&self) -> Array<u32> {
        in_method("argmin", || self.all_in_line().argmin_axis(0))
    }
}

/// Reductions of masks.
impl Array<bool> {
    /// The first place along an axis where the mask is true: of places with all their bits turned over, the first is the greatest.
    fn first(&self, axis: usize) -> Array<u32> {
        let places = || {
            let count = self.tensor()?.dim(axis)?;
            let mut shape = vec![1; self.ndim()];
            shape[axis] = count;
            Tensor::arange(self.device(), 0, Type::U32, count)?.reshape(&shape)
        };
        let places: Array<u32> = Array::new(self.device(), places());
        let turned = kernels::composed("argmax_place", &[Type::U32; 2], Type::U32, |b, x| {
            let zero = b.zero(Type::U32);
            let counts = b.prim(Prim::Ne, &[x[0], zero]);
            let turned = b.prim(Prim::Not, &[x[1]]);
            b.prim(Prim::Select, &[counts, turned, zero])
        });
        let turned: Array<u32> = self.computed(turned, &[self.argument(), places.argument()]);
        let back = kernels::primitive(Prim::Not, Type::U32);
        let most = turned.max_axis(axis);
        most.computed(back, &[most.argument()])
    }
    /// Whether any element is true, along an axis or several, which the result does not have; false of none.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]).gt(1.0);
    /// assert_eq!(x.any_axis(1).to_vec()?, [true, true]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn any_axis(&self, axes: impl IntoShape) -> Array<bool> {
        in_method("any_axis", || self.to_f32().sum_axis(axes).gt(0.0))
    }
    /// As [`any_axis`](Array::any_axis), with the axes kept with extent 1.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]).gt(1.0);
    /// assert_eq!(x.any_keep(0).shape(), [1, 2]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn any_keep(&self, axes: impl IntoShape) -> Array<bool> {
        in_method("any_keep", || {
            let axes = axes.into_shape();
            self.kept(&axes, self.any_axis(&axes[..]))
        })
    }
    /// Whether any element is true, of all: without dimensions; false of none.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]).gt(1.0);
    /// assert_eq!(x.any().item()?, true);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn any(&self) -> Array<bool> {
        in_method("any", || self.all_in_line().any_axis(0))
    }
    /// Whether all elements are true, along an axis or several, which the result does not have; true of none.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]).gt(1.0);
    /// assert_eq!(x.all_axis(1).to_vec()?, [false, true]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn all_axis(&self, axes: impl IntoShape) -> Array<bool> {
        in_method("all_axis", || {
            (!self).to_f32().sum_axis(axes).eq_elements(0.0)
        })
    }
    /// As [`all_axis`](Array::all_axis), with the axes kept with extent 1.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]).gt(1.0);
    /// assert_eq!(x.all_keep(0).shape(), [1, 2]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn all_keep(&self, axes: impl IntoShape) -> Array<bool> {
        in_method("all_keep", || {
            let axes = axes.into_shape();
            self.kept(&axes, self.all_axis(&axes[..]))
        })
    }
    /// Whether all elements are true, of all: without dimensions; true of none.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]).gt(1.0);
    /// assert_eq!(x.all().item()?, false);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn all(&self) -> Array<bool> {
        in_method("all", || self.all_in_line().all_axis(0))
    }
}
