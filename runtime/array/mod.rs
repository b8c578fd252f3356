//! Arrays on devices.
//!
//! An [`Array`] is an immutable, reference-counted, n-dimensional array on a [`Device`]. Its methods are the ones that
//! differentiable functions use; here they run at once. **No method panics and no operator returns a `Result`**: a failed operation
//! gives an array in error state, which carries the first error through whatever follows until [`Array::to_vec`],
//! [`Array::item`] or [`Array::error`] reports it. That keeps formulas formulas, and it is how devices work anyway:
//! what goes wrong on a GPU is known only when something is read back.
//!
//! `tensor` holds the operations, for any element type; `backend` is what a device must do; `cpu` and `gpu` do it.
//! This module knows nothing of derivatives.

pub mod backend;
mod choice;
mod cpu;
#[cfg(feature = "gpu")]
mod gpu;
pub mod cluster;
mod device;
mod display;
mod element;
mod functions;
pub mod host;
mod kept;
pub mod kernels;
mod operators;
mod parts;
mod reduce;
mod reductions;
mod rehearsal;
mod scatter;
mod shader;
mod shape;
mod small;
mod tensor;

pub use device::Device;
pub use element::{Element, FloatElement, NumberElement};
pub use operators::MapArgument;
pub use parts::{ArrayIndex, Arrays, AxisIndex, Parts};
pub use shape::IntoShape;

use crate::diag::{Error, Result};
use backend::{failed, in_method};
use std::marker::PhantomData;
use std::sync::Arc;
use tensor::Argument;
pub(crate) use tensor::Tensor;

/// An n-dimensional array of `T` on a device; or the error that kept it from being one.
///
/// Elements are `f32`, `f64`, `i32`, `u32`, `bool`, or [`f16`](crate::f16), which is only stored: see [`Element`].
///
/// Its methods and operators mean the same in and outside differentiable functions. They never panic: an operation that fails gives an array that
/// carries the error, which is reported when a value is asked for.
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn loss(w: &Array<f32>, x: &Array<f32>) -> Array<f32> {
///     x.matmul(w).map(|y| y * y).sum()
/// }
///
/// # fn main() -> mooncake::Result<()> {
/// let w = Array::from_vec(vec![1.0f32, -1.0], [2, 1]);
/// let x = Array::from_vec(vec![1.0f32, 2.0, 3.0, 4.0], [2, 2]);
/// let rule = Context::default().build_rrule::<loss>()?;
/// let (value, (dw, _dx)) = rule.value_and_gradient((&w, &x))?;
/// assert_eq!(value.item()?, 2.0);
/// assert_eq!(dw.to_vec()?, [-8.0, -12.0]);
///
/// let wrong = w.matmul(&w); // of shapes [2, 1] and [2, 1]
/// assert!(wrong.to_vec().is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Array<T> {
    state: Result<Tensor, Arc<Failed>>,
    element: PhantomData<T>,
}

/// Equal in shape and elements; reads both back from their devices. What is in error state equals nothing.
impl<T: Element + PartialEq> PartialEq for Array<T> {
    fn eq(&self, other: &Self) -> bool {
        self.shape() == other.shape()
            && matches!((self.to_vec(), other.to_vec()), (Ok(a), Ok(b)) if a == b)
    }
}

/// What an array in error state knows.
#[derive(Debug)]
struct Failed {
    error: Error,
    device: Device,
}

/// Making arrays.
impl<T: Element> Array<T> {
    /// An array with these elements in row-major order, on the default device.
    pub fn from_vec(data: Vec<T>, shape: impl IntoShape) -> Array<T> {
        Array::from_vec_on(Device::default_device(), data, shape)
    }
    /// An array with these elements in row-major order.
    pub fn from_vec_on(device: &Device, data: Vec<T>, shape: impl IntoShape) -> Array<T> {
        Array::new(device, Tensor::from_vec(device, data, &shape.into_shape()))
    }
    /// One value everywhere, on the default device.
    pub fn full(shape: impl IntoShape, value: T) -> Array<T> {
        Array::full_on(Device::default_device(), shape, value)
    }
    /// One value everywhere. One element in memory, whatever the shape.
    pub fn full_on(device: &Device, shape: impl IntoShape, value: T) -> Array<T> {
        {
            let shape = shape.into_shape();
            Array::new(
                device,
                Tensor::full(device, value.to_bits(), T::TYPE, &shape),
            )
        }
    }
    /// Zeros, on the default device.
    pub fn zeros(shape: impl IntoShape) -> Array<T> {
        Array::full(shape, T::ZERO)
    }
    /// Ones, on the default device.
    pub fn ones(shape: impl IntoShape) -> Array<T> {
        Array::full(shape, T::ONE)
    }
    /// One element without dimensions, on the default device.
    pub fn scalar(value: T) -> Array<T> {
        Array::full([], value)
    }
    /// The same elements on a device.
    pub fn to_device(&self, device: &Device) -> Array<T> {
        self.with(|t| t.to_device(device))
    }
}

/// Reading arrays.
impl<T: Element> Array<T> {
    /// The extents; none for an array in error state.
    pub fn shape(&self) -> &[usize] {
        self.state.as_ref().map_or(&[], |t| t.shape())
    }
    /// The number of elements; 0 for an array in error state.
    pub fn len(&self) -> usize {
        self.state.as_ref().map_or(0, |t| t.len())
    }
    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The number of axes.
    pub fn ndim(&self) -> usize {
        self.shape().len()
    }
    /// The extent of an axis; 0 if there is no such axis, which is an error in differentiable functions.
    pub fn dim(&self, axis: usize) -> usize {
        self.shape().get(axis).copied().unwrap_or(0)
    }
    /// Where the array is, or would be.
    pub fn device(&self) -> &Device {
        match &self.state {
            Ok(tensor) => tensor.device(),
            Err(failed) => &failed.device,
        }
    }
    /// The elements in row-major order. Waits for the device. A differentiable function may compute with them one by one; an array in error state ends
    /// its call, so there the result is always `Ok`.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.tensor()?.to_vec()
    }
    /// The one element. Waits for the device.
    pub fn item(&self) -> Result<T> {
        Ok(T::from_bits(self.tensor()?.item()?))
    }
    /// The error that this array carries. What fails on the device is not known before the elements are read.
    pub fn error(&self) -> Option<&Error> {
        self.state.as_ref().err().map(|failed| &failed.error)
    }
}

/// Views and selections.
impl<T: Element> Array<T> {
    /// The transpose of a matrix. Moves nothing.
    pub fn t(&self) -> Array<T> {
        self.with(Tensor::transpose)
    }
    /// The elements in another shape. Moves nothing where strides can express it.
    pub fn reshape(&self, shape: impl IntoShape) -> Array<T> {
        self.with(|t| t.reshape(&shape.into_shape()))
    }
    /// Repeated to `shape`: along new leading axes and axes of extent 1. Moves nothing.
    pub fn broadcast_to(&self, shape: impl IntoShape) -> Array<T> {
        self.with(|t| t.broadcast_to("broadcast_to", &shape.into_shape()))
    }
    /// The elements `start..start + count` along `axis`. Moves nothing.
    pub fn narrow(&self, axis: usize, start: usize, count: usize) -> Array<T> {
        self.with(|t| t.narrow(axis, start, count))
    }
    /// The elements at one place along `axis`, which the result does not have. Moves nothing.
    pub fn index_axis(&self, axis: usize, at: usize) -> Array<T> {
        in_method("index_axis", || {
            self.with(|t| t.narrow(axis, at, 1)?.squeeze(axis))
        })
    }
    /// Two axes exchanged. Moves nothing.
    pub fn swap_axes(&self, i: usize, j: usize) -> Array<T> {
        self.with(|t| t.swap_axes(i, j))
    }
    /// A new axis of extent 1. Moves nothing.
    pub fn expand_dims(&self, axis: usize) -> Array<T> {
        self.with(|t| t.expand_dims(axis))
    }
    /// Without `axis`, whose extent is 1. Moves nothing.
    pub fn squeeze(&self, axis: usize) -> Array<T> {
        self.with(|t| t.squeeze(axis))
    }
    /// `out[.., i, ..] = self[.., index[.., i, ..], ..]` along `axis`; other extents equal.
    pub fn gather(&self, axis: usize, index: &Array<u32>) -> Array<T> {
        self.with(|t| t.gather(axis, index.tensor()?))
    }
    /// Zeros added before and after along `axis`.
    pub fn pad(&self, axis: usize, before: usize, after: usize) -> Array<T> {
        self.with(|t| t.pad(axis, before, after, T::ZERO.to_bits()))
    }
    /// A value added before and after along `axis`.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1, 2], [2]);
    /// assert_eq!(x.pad_with(0, 1, 2, 7).to_vec()?, [7, 1, 2, 7, 7]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn pad_with(&self, axis: usize, before: usize, after: usize, value: T) -> Array<T> {
        in_method("pad_with", || {
            self.with(|t| t.pad(axis, before, after, value.to_bits()))
        })
    }
    /// This array, and after it another one or several along `axis`.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let (x, y) = (Array::from_vec(vec![1, 2], [2]), Array::from_vec(vec![3], [1]));
    /// assert_eq!(x.concat(&y, 0).to_vec()?, [1, 2, 3]);
    /// assert_eq!(x.concat(&[&y, &x], 0).to_vec()?, [1, 2, 3, 1, 2]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn concat(&self, others: &(impl Arrays<T> + ?Sized), axis: usize) -> Array<T> {
        self.joined("concat", others, axis, |t| Ok(t.clone()))
    }
    /// This array and another one or several of its shape along a new axis.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let (x, y) = (Array::from_vec(vec![1, 2], [2]), Array::from_vec(vec![3, 4], [2]));
    /// assert_eq!(x.stack(&y, 1).to_vec()?, [1, 3, 2, 4]);
    /// assert_eq!(x.stack(&[&y, &x], 0).shape(), [3, 2]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn stack(&self, others: &(impl Arrays<T> + ?Sized), axis: usize) -> Array<T> {
        in_method("stack", || {
            self.joined("stack", others, axis, |t| t.expand_dims(axis))
        })
    }
    fn joined(
        &self,
        operation: &str,
        others: &(impl Arrays<T> + ?Sized),
        axis: usize,
        part: impl Fn(&Tensor) -> Result<Tensor>,
    ) -> Array<T> {
        self.with(|t| {
            let mut parts = vec![part(t)?];
            for other in others.arrays() {
                parts.push(part(other.tensor()?)?);
            }
            Tensor::concat(operation, &parts, axis)
        })
    }
    /// In the opposite order along `axis`.
    pub fn flip(&self, axis: usize) -> Array<T> {
        self.with(|t| t.flip(axis))
    }
    /// Moved by `by` places along `axis`, which may be negative; what leaves at one end comes in at the other.
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let x = Array::from_vec(vec![1, 2, 3], [3]);
    /// assert_eq!(x.roll(0, 1).to_vec()?, [3, 1, 2]);
    /// assert_eq!(x.roll(0, -1).to_vec()?, [2, 3, 1]);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn roll(&self, axis: usize, by: impl TryInto<i128>) -> Array<T> {
        self.with(|t| {
            let by = by.try_into();
            let by =
                by.map_err(|_| failed("roll", "found a number of places that no i128 holds"))?;
            t.roll(axis, by)
        })
    }
    /// Every element through a Rust function, on the host: between compiled operations that means copies to and fro if the
    /// array is on a GPU. Inside a differentiable function the same method is a kernel on the device.
    pub fn map<R: Element>(&self, f: impl Fn(T) -> R) -> Array<R> {
        self.through(|t| {
            choice::on_the_host("map", t.device());
            let data = t.to_vec::<T>()?.into_iter().map(f).collect();
            Tensor::from_vec(t.device(), data, t.shape())
        })
    }
}

/// Sums of numbers.
impl<T: NumberElement> Array<T> {
    /// The sum of all elements, without dimensions; of integers modulo 2³².
    pub fn sum(&self) -> Array<T> {
        self.with(Tensor::sum)
    }
}

/// Computing.
impl<T: FloatElement> Array<T> {
    /// The product of matrices, `[m, k]` and `[k, n]`; of batches of them, whose leading axes broadcast, `[.., m, k]` and `[.., k, n]`; of a vector
    /// with a matrix or a vector, which gives one axis less. Other shapes are an error. (A vector meets a batch as a matrix: see
    /// [`expand_dims`](Array::expand_dims).)
    ///
    /// ```
    /// # use mooncake::prelude::*;
    /// let a = Array::<f64>::ones([5, 1, 2, 3]);
    /// let b = Array::<f64>::ones([4, 3, 2]);
    /// assert_eq!(a.matmul(&b).shape(), [5, 4, 2, 2]);
    /// let v = Array::<f64>::ones(3);
    /// assert_eq!(v.matmul(&v).item()?, 3.0);
    /// # Ok::<(), mooncake::Error>(())
    /// ```
    pub fn matmul(&self, other: &Array<T>) -> Array<T> {
        self.with(|t| t.matmul(other.tensor()?))
    }
    /// The mean of all elements, without dimensions; NaN of none.
    pub fn mean(&self) -> Array<T> {
        self.with(Tensor::mean)
    }
    /// The one element; NaN where [`item`](Array::item) gives an error. Waits for the device.
    pub fn to_scalar(&self) -> T {
        self.item().unwrap_or_else(|_| T::from_f64(f64::NAN))
    }

    /// `exp(x) / sum(exp(x))` along an axis.
    pub fn softmax(&self, axis: usize) -> Array<T> {
        self.with(|t| t.softmax(axis))
    }
    /// `x - ln(sum(exp(x)))` along an axis.
    pub fn log_softmax(&self, axis: usize) -> Array<T> {
        self.with(|t| t.log_softmax(axis))
    }
}

/// Between arrays and tensors.
impl<T: Element> Array<T> {
    /// The array that an operation on a device gave.
    pub(crate) fn new(device: &Device, result: Result<Tensor>) -> Array<T> {
        let failed = |error| Failed {
            error,
            device: device.clone(),
        };
        Array {
            state: result.map_err(|error| Arc::new(failed(error))),
            element: PhantomData,
        }
    }
    /// The tensor, or the first error.
    pub(crate) fn tensor(&self) -> Result<&Tensor> {
        self.state.as_ref().map_err(|failed| failed.error.clone())
    }
    /// An operation on this array; an array in error state stays as it is.
    fn with(&self, f: impl FnOnce(&Tensor) -> Result<Tensor>) -> Array<T> {
        match &self.state {
            Ok(tensor) => Array::new(tensor.device(), f(tensor)),
            Err(_) => self.clone(),
        }
    }
    /// As [`with`](Self::with), with a result of another element type.
    fn through<R: Element>(&self, f: impl FnOnce(&Tensor) -> Result<Tensor>) -> Array<R> {
        Array::new(self.device(), self.tensor().and_then(f))
    }
    /// A scalar function by name on arguments of which this array is one.
    fn elementwise(&self, name: &str, arguments: &[Result<Argument>]) -> Array<T> {
        let apply = || {
            let arguments: Vec<Argument> = arguments.iter().cloned().collect::<Result<_>>()?;
            let types: Vec<_> = arguments.iter().map(Argument::ty).collect();
            let program = kernels::named(name, &types, T::TYPE)?;
            tensor::first(tensor::map(&program, &arguments)?)
        };
        Array::new(self.device(), apply())
    }
}
