//! The operations on arrays, on elements of any type: checks, views, and the choice of who computes.
//!
//! Both doors lead here: the methods of [`Array`](super::Array), and the sites of compiled programs. Whatever only reorders or repeats
//! elements is a view. Nothing here waits for the device but [`Tensor::to_vec`] and [`Tensor::item`].

use super::backend::{
    Backend, Buffer, Dims, MapProgram, Operand, Places, ShaderCall, View, at_place, called, failed,
};
use super::cluster::trace;
use super::cpu::pool::Pooled;
use super::cpu::{Cpu, memory};
use super::device::Device;
use super::element::{Element, float_bits};
use super::host::at;
use super::kernels;
use super::reduce::{self, Runs};
use super::scatter;
use super::shape::{broadcast, check_axis, check_ndim, numel, reshape_view};
use crate::diag::{Error, Result};
use crate::exec::Lent;
use crate::ir::{HostOp, Prim, Type, Value};
use crate::kernel::Combine;
use crate::plugin::{Made, MadeElements};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::fmt;

/// An array whose element type is known at run time.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// Where it belongs. If that device cannot hold the elements they are in the host's memory all the same.
    device: Device,
    /// The elements. Invariant: the number of elements is within `numel`.
    view: View,
    /// The greatest element of an array of u32 that came from the host, if that is known. So an index out of range is refused
    /// when the operation is asked for; a device could say so only when something is read back, to whoever reads.
    greatest: Option<u32>,
}

/// An argument of a map.
#[derive(Clone, Debug)]
pub enum Argument {
    /// An element for each element of the result.
    Tensor(Tensor),
    /// The same scalar everywhere: bits, zero-extended, and type.
    Scalar(u64, Type),
}

fn fault<T>(operation: &str, message: impl fmt::Display) -> Result<T> {
    Err(failed(operation, message))
}

/// `split` makes so many parts, at most, where no extent says how many there can be: of an axis without elements, and of an error.
pub(super) const MOST_PARTS: usize = 1 << 16;

/// Making and reading.
impl Tensor {
    /// An array with these elements in row-major order.
    pub fn from_vec<T: Element>(device: &Device, data: Vec<T>, shape: &[usize]) -> Result<Tensor> {
        let count = numel(shape)?;
        if count != data.len() {
            return fault(
                "from_vec",
                format!(
                    "found {} elements for shape {shape:?}: expected {count}",
                    data.len()
                ),
            );
        }
        let data = T::store(data);
        if !device.is_host_for(T::TYPE) {
            return Tensor::upload(device, bytemuck::cast_slice(&data), T::TYPE, shape);
        }
        Ok(Tensor::dense(
            device,
            memory::adopt_of_program(data),
            T::TYPE,
            shape,
        ))
    }

    /// One value everywhere: one element in memory, whatever the shape.
    pub fn full(device: &Device, bits: u64, ty: Type, shape: &[usize]) -> Result<Tensor> {
        numel(shape)?;
        let size = ty.size().unwrap_or(8);
        let buffer = device.backend_for(ty).upload(&bits.to_le_bytes()[..size])?;
        let one = View::dense(buffer, ty, &[]);
        let view = one
            .broadcast_to(shape)
            .ok_or_else(|| misfit("full", &[], shape))?;
        Ok(Tensor {
            device: device.clone(),
            view,
            greatest: (ty == Type::U32).then_some(bits as u32),
        })
    }

    /// `first`, `first` + 1, …: so many numbers, counted in the element type.
    pub fn arange(device: &Device, first: u64, ty: Type, count: usize) -> Result<Tensor> {
        numel(&[count])?;
        fn numbers<T: Element + Pooled>(
            device: &Device,
            count: usize,
            at: impl Fn(usize) -> T,
        ) -> Result<Tensor> {
            let mut all: Vec<T> = memory::room(count)?;
            all.iter_mut()
                .zip(0..)
                .for_each(|(place, n)| *place = at(n));
            Tensor::from_vec(device, all, &[count])
        }
        match ty {
            Type::F32 => {
                let first = f32::from_bits(first as u32);
                numbers(device, count, |n| first + n as f32)
            }
            Type::F64 => numbers(device, count, |n| f64::from_bits(first) + n as f64),
            Type::I32 => numbers(device, count, |n| (first as i32).wrapping_add(n as i32)),
            _ => numbers(device, count, |n| (first as u32).wrapping_add(n as u32)),
        }
    }

    /// Zeros, but one number on the diagonal of a square matrix.
    pub fn eye(device: &Device, bits: u64, ty: Type, count: usize) -> Result<Tensor> {
        numel(&[count, count])?;
        fn matrix<T: Element + Pooled>(device: &Device, count: usize, bits: u64) -> Result<Tensor> {
            let mut all: Vec<T> = memory::zeroed(count * count)?;
            let diagonal = all.iter_mut().step_by(count + 1);
            diagonal.for_each(|element| *element = T::from_bits(bits));
            Tensor::from_vec(device, all, &[count, count])
        }
        match ty {
            Type::F32 => matrix::<f32>(device, count, bits),
            Type::F64 => matrix::<f64>(device, count, bits),
            Type::I32 => matrix::<i32>(device, count, bits),
            _ => matrix::<u32>(device, count, bits),
        }
    }

    /// Elements as bytes, in row-major order.
    fn upload(device: &Device, bytes: &[u8], ty: Type, shape: &[usize]) -> Result<Tensor> {
        let buffer = device.backend_for(ty).upload(bytes)?;
        let mut tensor = Tensor::dense(device, buffer, ty, shape);
        if ty == Type::U32 {
            let words = bytes.chunks_exact(size_of::<u32>());
            let numbers = words.map(bytemuck::pod_read_unaligned::<u32>);
            tensor.greatest = Some(numbers.max().unwrap_or(0));
        }
        Ok(tensor)
    }

    /// An array like this one on another device, whose memory this is. Of its numbers nothing is known.
    pub fn like_on(&self, device: &Device, buffer: Buffer) -> Tensor {
        let view = View {
            buffer,
            ..self.view.clone()
        };
        Tensor::of(device, view)
    }

    fn dense(device: &Device, buffer: Buffer, ty: Type, shape: &[usize]) -> Tensor {
        Tensor {
            device: device.clone(),
            view: View::dense(buffer, ty, shape),
            greatest: None,
        }
    }

    /// Extents.
    pub fn shape(&self) -> &[usize] {
        &self.view.shape
    }
    /// The element type.
    pub fn ty(&self) -> Type {
        self.view.ty
    }
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.view.len()
    }
    /// Where it belongs.
    pub fn device(&self) -> &Device {
        &self.device
    }
    fn backend(&self) -> &dyn Backend {
        self.device.backend_for(self.ty())
    }
    fn with_view(&self, view: View) -> Tensor {
        Tensor {
            device: self.device.clone(),
            view,
            greatest: self.greatest,
        }
    }

    /// The elements, once they are computed.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        if self.ty() != T::TYPE {
            return fault(
                "to_vec",
                format!("found an array of {}: expected {}", self.ty(), T::TYPE),
            );
        }
        if self.device.is_host_for(self.ty()) {
            return super::cpu::dense(&self.view).map(T::restore);
        }
        let bytes = self.backend().download(&self.view)?;
        Ok(T::restore(bytemuck::pod_collect_to_vec(&bytes)))
    }

    /// The bits of the one element, once it is computed.
    pub fn item(&self) -> Result<u64> {
        if self.len() != 1 {
            return fault(
                "item",
                format!(
                    "found an array of shape {:?}: expected one element",
                    self.shape()
                ),
            );
        }
        let bytes = self.backend().download(&self.view)?;
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(&bytes);
        Ok(u64::from_le_bytes(word))
    }

    /// The same elements on another device.
    pub fn to_device(&self, device: &Device) -> Result<Tensor> {
        if self.device == *device {
            return Ok(self.clone());
        }
        let bytes = self.backend().download(&self.view)?;
        Tensor::upload(device, &bytes, self.ty(), self.shape())
    }

    /// The elements in the host's memory, dense, to be read by others.
    pub fn lend(&self) -> Result<Lent> {
        let mut view = self.on_host()?;
        if !view.is_dense() {
            let buffer = Cpu.copy(&view)?;
            view = View::dense(buffer, view.ty, &view.shape);
        }
        let foreign = || Error::Internal(format!("{:?} is not of the host", view.buffer));
        Ok(Lent {
            offset: view.offset * view.ty.size().unwrap_or(8),
            memory: view.buffer.clone().on_host().ok_or_else(foreign)?,
            shape: view.shape,
        })
    }

    /// An array on `device` with these elements.
    pub fn adopt(device: &Device, made: Made) -> Result<Tensor> {
        let shape = &made.shape[..];
        match made.elements {
            MadeElements::F32(data) => Tensor::from_vec(device, data, shape),
            MadeElements::F64(data) => Tensor::from_vec(device, data, shape),
            MadeElements::I32(data) => Tensor::from_vec(device, data, shape),
            MadeElements::U32(data) => Tensor::from_vec(device, data, shape),
        }
    }

    /// What a compute shader of a pack's gives for arrays of one device, of these types and shapes.
    pub fn shader(
        call: &ShaderCall,
        device: &Device,
        results: &[(Type, Dims)],
    ) -> Result<SmallVec<[Tensor; 2]>> {
        let buffers = device.backend().shader(call)?;
        let made = buffers.into_iter().zip(results);
        Ok(made
            .map(|(buffer, (ty, shape))| Tensor::dense(device, buffer, *ty, shape))
            .collect())
    }

    /// An array with these elements.
    pub(super) fn of(device: &Device, view: View) -> Tensor {
        Tensor {
            device: device.clone(),
            view,
            greatest: None,
        }
    }
    /// The same elements with other axes: which of its own each is; the others repeat.
    pub(super) fn seen_as(&self, shape: &[usize], axes: &[Option<usize>]) -> Tensor {
        let strides = axes
            .iter()
            .map(|axis| axis.map_or(0, |axis| self.view.strides[axis]));
        self.with_view(View {
            shape: shape.into(),
            strides: strides.collect(),
            ..self.view.clone()
        })
    }

    /// Where the elements are.
    pub(super) fn view(&self) -> &View {
        &self.view
    }

    /// The view, in the host's memory.
    fn on_host(&self) -> Result<View> {
        match self.device.is_host_for(self.ty()) {
            true => Ok(self.view.clone()),
            false => Ok(self.to_device(&Device::cpu())?.view),
        }
    }
}

/// Views: no element moves, except where a reshape has to.
impl Tensor {
    /// The transpose of a matrix.
    pub fn transpose(&self) -> Result<Tensor> {
        check_ndim("t", self.shape(), 2)?;
        Ok(self.with_view(self.view.clone().swap_axes(0, 1)))
    }

    /// Another shape of as many elements.
    pub fn reshape(&self, shape: &[usize]) -> Result<Tensor> {
        if numel(shape)? != self.len() {
            return fault(
                "reshape",
                format!(
                    "found shape {shape:?} for an array of shape {:?}: expected {} elements",
                    self.shape(),
                    self.len()
                ),
            );
        }
        if let Some(view) = reshape_view(&self.view, shape) {
            return Ok(self.with_view(view));
        }
        let buffer = self.backend().copy(&self.view)?;
        Ok(Tensor::dense(&self.device, buffer, self.ty(), shape))
    }

    /// The same elements one after another, in memory that nobody else refers to.
    pub fn dense_copy(&self) -> Result<Tensor> {
        let buffer = self.backend().copy(&self.view)?;
        Ok(Tensor {
            greatest: self.greatest,
            ..Tensor::dense(&self.device, buffer, self.ty(), self.shape())
        })
    }

    /// Repeated to `shape`, as in an elementwise operation with an array of that shape.
    pub fn broadcast_to(&self, operation: &str, shape: &[usize]) -> Result<Tensor> {
        numel(shape)?;
        match self.view.broadcast_to(shape) {
            Some(view) => Ok(self.with_view(view)),
            None => Err(misfit(operation, self.shape(), shape)),
        }
    }

    /// One element, repeated to the shape of `like`.
    pub fn expand(&self, like: &Tensor) -> Result<Tensor> {
        if self.len() != 1 {
            return fault(
                "expand",
                format!(
                    "found an array of shape {:?}: expected one element",
                    self.shape()
                ),
            );
        }
        self.reshape(&[])?.broadcast_to("expand", like.shape())
    }

    /// Repeated along `axis` of `like`, which this array does not have.
    pub fn expand_axis(&self, like: &Tensor, axis: usize) -> Result<Tensor> {
        check_axis("expand_axis", like.shape(), axis)?;
        let mut one = Dims::from_slice(like.shape());
        one[axis] = 1;
        if self.len() != one.iter().product::<usize>() || self.view.shape.len() + 1 != one.len() {
            return Err(misfit("expand_axis", self.shape(), like.shape()));
        }
        self.reshape(&one)?
            .broadcast_to("expand_axis", like.shape())
    }

    /// The elements `start..start + count` along `axis`.
    pub fn narrow(&self, axis: usize, start: usize, count: usize) -> Result<Tensor> {
        check_axis("narrow", self.shape(), axis)?;
        let (end, extent) = (start.saturating_add(count), self.shape()[axis]);
        if end > extent {
            return fault(
                "narrow",
                format!(
                    "found {start}..{end} along axis {axis} of an array of shape {:?}: expected a range within the extent {extent}",
                    self.shape(),
                ),
            );
        }
        let mut view = self.view.clone();
        view.shape[axis] = count;
        // Of no elements, none is the first.
        if !view.is_empty() {
            view.offset += start * view.strides[axis];
        }
        Ok(self.with_view(view))
    }

    /// The same view, so many elements behind.
    pub fn skip(&self, count: usize) -> Tensor {
        let mut view = self.view.clone();
        view.offset = view.offset.wrapping_add(count);
        self.with_view(view)
    }

    /// Every `step`th element of `start..end` along `axis`.
    pub fn slice_axis(&self, axis: usize, start: usize, end: usize, step: usize) -> Result<Tensor> {
        let count = check_slice(self.shape(), axis, start, end, step)?;
        let mut view = self.view.clone();
        view.shape[axis] = count;
        if !view.is_empty() {
            view.offset += start * view.strides[axis];
        }
        // Of one element, the distance to the next means nothing.
        view.strides[axis] = view.strides[axis].saturating_mul(step);
        Ok(self.with_view(view))
    }

    /// The axes in another order: axis n of the result is axis `axes[n]` of this array.
    pub fn permute(&self, axes: &[usize]) -> Result<Tensor> {
        self.check_permutation("permute", axes)?;
        let shape: Dims = axes.iter().map(|&axis| self.view.shape[axis]).collect();
        let axes: SmallVec<[Option<usize>; 4]> = axes.iter().copied().map(Some).collect();
        Ok(self.seen_as(&shape, &axes))
    }

    /// The inverse of [`permute`](Tensor::permute).
    pub fn unpermute(&self, axes: &[usize]) -> Result<Tensor> {
        self.check_permutation("unpermute", axes)?;
        let mut inverse = Dims::from_slice(axes);
        for (to, &from) in axes.iter().enumerate() {
            inverse[from] = to;
        }
        self.permute(&inverse)
    }

    fn check_permutation(&self, operation: &str, axes: &[usize]) -> Result<()> {
        let mut sorted = Dims::from_slice(axes);
        sorted.sort_unstable();
        match sorted.iter().copied().eq(0..self.shape().len()) {
            true => Ok(()),
            false => fault(
                operation,
                format!(
                    "found axes {axes:?} for an array of shape {:?}: expected each axis once",
                    self.shape()
                ),
            ),
        }
    }

    /// The listed axes as one, the last, in the order of the list; the other axes before it.
    pub fn merge_axes(&self, axes: &[usize]) -> Result<Tensor> {
        let (order, count) = self.merged(axes)?;
        let moved = self.permute(&order)?;
        let kept = order.len() - axes.len();
        let mut shape = Dims::from_slice(&moved.shape()[..kept]);
        shape.push(count);
        moved.reshape(&shape)
    }

    /// The inverse of [`merge_axes`](Tensor::merge_axes), in the shape of `like`.
    pub fn unmerge_axes(&self, like: &Tensor, axes: &[usize]) -> Result<Tensor> {
        let (order, _) = like.merged(axes)?;
        let shape: Dims = order.iter().map(|&axis| like.shape()[axis]).collect();
        self.reshape(&shape)?.unpermute(&order)
    }

    /// All axes, those that are listed last; and the product of the extents of these.
    fn merged(&self, axes: &[usize]) -> Result<(Dims, usize)> {
        let all = 0..self.shape().len();
        let mut order: Dims = all.filter(|axis| !axes.contains(axis)).collect();
        order.extend_from_slice(axes);
        if order.len() != self.shape().len() || axes.iter().any(|axis| *axis >= order.len()) {
            return fault(
                "merge_axes",
                format!(
                    "found the axes {axes:?} for an array of shape {:?}: expected axes below {}, each once",
                    self.shape(),
                    self.shape().len()
                ),
            );
        }
        let extents = axes.iter().map(|&axis| self.shape()[axis]);
        Ok((order, extents.product()))
    }

    /// Repeated `count` times along a new axis at `axis`.
    pub fn insert_axis(&self, axis: usize, count: usize) -> Result<Tensor> {
        let one = self.with_axis("insert_axis", axis)?;
        let mut shape = Dims::from_slice(one.shape());
        shape[axis] = count;
        numel(&shape)?;
        one.broadcast_to("insert_axis", &shape)
    }

    /// An index of one axis in the shape in which [`gather`](Tensor::gather) reads `like` along `axis`: repeated along its other axes. An index of other
    /// shapes as it is.
    pub fn index_along(&self, axis: usize, like: &[usize]) -> Result<Tensor> {
        let &[count] = self.shape() else {
            return Ok(self.clone());
        };
        if axis >= like.len() {
            return Ok(self.clone());
        }
        let mut shape = Dims::from_elem(1, like.len());
        shape[axis] = count;
        let line = self.reshape(&shape)?;
        shape = like.into();
        shape[axis] = count;
        numel(&shape)?;
        line.broadcast_to("gather", &shape)
    }

    /// The axis replaced by axes of these extents, which have as many elements together.
    pub fn unflatten(&self, axis: usize, extents: &[usize]) -> Result<Tensor> {
        check_axis("take", self.shape(), axis)?;
        let mut shape = self.shape().to_vec();
        shape.splice(axis..=axis, extents.iter().copied());
        self.reshape(&shape)
    }

    /// The extent of each of `count` equal parts along `axis`.
    pub fn split_extent(&self, axis: usize, count: usize) -> Result<usize> {
        check_axis("split", self.shape(), axis)?;
        let extent = self.shape()[axis];
        match extent.checked_rem(count) {
            // An axis without elements could be split into any number of parts.
            Some(0) if extent == 0 && count > MOST_PARTS => fault(
                "split",
                format!(
                    "found {count} parts along axis {axis} of an array of shape {:?}: expected at most {MOST_PARTS} of an axis without elements",
                    self.shape()
                ),
            ),
            Some(0) => Ok(extent / count),
            _ => fault(
                "split",
                format!(
                    "found {count} parts along axis {axis} of an array of shape {:?}: expected a number that divides the extent {extent}",
                    self.shape()
                ),
            ),
        }
    }

    /// The extent of `axis`, if the parts that it is split into have it in total.
    pub fn split_total(&self, axis: usize, total: usize) -> Result<usize> {
        check_axis("split", self.shape(), axis)?;
        let extent = self.shape()[axis];
        match extent == total {
            true => Ok(extent),
            false => fault(
                "split",
                format!(
                    "found parts of {total} in total along axis {axis} of an array of shape {:?}: expected {extent}",
                    self.shape()
                ),
            ),
        }
    }

    /// Two axes exchanged.
    pub fn swap_axes(&self, i: usize, j: usize) -> Result<Tensor> {
        check_axis("swap_axes", self.shape(), i)?;
        check_axis("swap_axes", self.shape(), j)?;
        Ok(self.with_view(self.view.clone().swap_axes(i, j)))
    }

    /// A new axis of extent 1 at `axis`.
    pub fn expand_dims(&self, axis: usize) -> Result<Tensor> {
        self.with_axis("expand_dims", axis)
    }
    fn with_axis(&self, operation: &str, axis: usize) -> Result<Tensor> {
        if axis > self.shape().len() {
            return fault(
                operation,
                format!(
                    "axis {axis} for an array of shape {:?}: expected an axis up to {}",
                    self.shape(),
                    self.shape().len()
                ),
            );
        }
        let mut view = self.view.clone();
        view.shape.insert(axis, 1);
        view.strides.insert(axis, 0);
        Ok(self.with_view(view))
    }

    /// Without `axis`, whose extent is 1.
    pub fn squeeze(&self, axis: usize) -> Result<Tensor> {
        check_axis("squeeze", self.shape(), axis)?;
        if self.shape()[axis] != 1 {
            return fault(
                "squeeze",
                format!(
                    "axis {axis} of an array of shape {:?} has extent {}: expected 1",
                    self.shape(),
                    self.shape()[axis]
                ),
            );
        }
        let mut view = self.view.clone();
        view.shape.remove(axis);
        view.strides.remove(axis);
        Ok(self.with_view(view))
    }

    /// The extent of one axis.
    pub fn dim(&self, axis: usize) -> Result<usize> {
        check_axis("dim", self.shape(), axis)?;
        Ok(self.shape()[axis])
    }
}

/// The number of elements of a slice, if it is within the extent.
fn check_slice(
    shape: &[usize],
    axis: usize,
    start: usize,
    end: usize,
    step: usize,
) -> Result<usize> {
    check_axis("slice", shape, axis)?;
    if start > end || end > shape[axis] || step == 0 {
        let by = match step {
            1 => String::new(),
            step => format!(" by steps of {step}"),
        };
        return fault(
            "slice",
            format!(
                "found {start}..{end}{by} along axis {axis} of an array of shape {shape:?}: expected a range within the extent {}",
                shape[axis]
            ),
        );
    }
    Ok((end - start).div_ceil(step))
}

fn misfit(operation: &str, found: &[usize], expected: &[usize]) -> Error {
    failed(
        operation,
        format_args!(
            "found an array of shape {found:?}: expected one that broadcasts to {expected:?}"
        ),
    )
}

/// Computing.
impl Tensor {
    /// `a[.., m,k] · b[.., k,n]`, or a product with a vector.
    pub fn matmul(&self, b: &Tensor) -> Result<Tensor> {
        self.product(HostOp::Matmul, b)
    }
    /// `matmul`; `matmul_nt`, which is `a[.., m,k] · b[.., n,k]ᵀ`; or `matmul_tn`, which is `a[.., k,m]ᵀ · b[.., k,n]`. Of vectors and numbers the
    /// latter two are what the cotangents of `matmul` need: outer products.
    pub fn product(&self, op: HostOp, b: &Tensor) -> Result<Tensor> {
        let (factors, dropped) = self.as_matrices(op, b)?;
        product(
            Factors::new(op.name(), self, b, factors)?,
            op,
            dropped,
            self,
        )
    }
    /// The factors of such a product, of matrices or of more axes.
    pub fn factors(&self, op: HostOp, b: &Tensor) -> Result<Factors> {
        let (factors, _) = self.as_matrices(op, b)?;
        Factors::new(op.name(), self, b, factors)
    }
    /// The factors of such a product as matrices and with their transpositions, and the axes that only these matrices have.
    fn as_matrices(&self, op: HostOp, b: &Tensor) -> Result<((Tensor, Tensor), &'static [usize])> {
        let single = |number: &Tensor| number.reshape(&[1, 1]);
        Ok(match (op, self.shape().len(), b.shape().len()) {
            (HostOp::MatmulNt, 0, 1) => ((single(self)?, b.as_row()?), &[0]),
            (HostOp::MatmulNt, 1, 2) => ((self.as_row()?, b.turned()?), &[0]),
            (HostOp::MatmulTn, 1, 0) => ((self.as_column()?, single(b)?), &[1]),
            (HostOp::MatmulTn, 2, 1) => ((self.turned()?, b.as_column()?), &[1]),
            (HostOp::MatmulNt | HostOp::MatmulTn, 1, 1) => ((self.as_column()?, b.as_row()?), &[]),
            (HostOp::MatmulNt, ..) => ((self.clone(), b.turned()?), &[]),
            (HostOp::MatmulTn, ..) => ((self.turned()?, b.clone()), &[]),
            (_, 1, 1) => ((self.as_row()?, b.as_column()?), &[0, 0]),
            (_, 1, 2) => ((self.as_row()?, b.clone()), &[0]),
            (_, 2, 1) => ((self.clone(), b.as_column()?), &[1]),
            _ => ((self.clone(), b.clone()), &[]),
        })
    }
    fn as_row(&self) -> Result<Tensor> {
        self.expand_dims(0)
    }
    fn as_column(&self) -> Result<Tensor> {
        self.expand_dims(1)
    }
    /// The last two axes exchanged; an array with fewer stays as it is.
    fn turned(&self) -> Result<Tensor> {
        match self.shape().len() {
            0 | 1 => Ok(self.clone()),
            n => self.swap_axes(n - 2, n - 1),
        }
    }

    /// Who runs kernels that read this array.
    fn runs(&self) -> Runs<'_> {
        match self.device.is_host_for(self.ty()) {
            true => Runs::Host,
            false => Runs::On(self.backend()),
        }
    }

    /// The sum of all elements, 0-d; of integers modulo 2³².
    pub fn sum(&self) -> Result<Tensor> {
        let sum = reduce::total(self.runs(), Combine::Sum, &self.view)?;
        Ok(Tensor::of(&self.device, sum))
    }
    /// The mean of all elements, 0-d; NaN of none.
    pub fn mean(&self) -> Result<Tensor> {
        let count = float_bits(self.len() as f64, self.ty())?;
        let arguments = [
            Argument::Tensor(self.sum()?),
            Argument::Scalar(count, self.ty()),
        ];
        let divide = kernels::primitive(Prim::Div, self.ty())?;
        first(map(&divide, &arguments)?)
    }
    /// Sums along an axis, which the result does not have.
    pub fn sum_axis(&self, axis: usize) -> Result<Tensor> {
        check_axis("sum_axis", self.shape(), axis)?;
        let sums = reduce::along(self.runs(), Combine::Sum, &self.view, axis)?;
        Ok(Tensor::of(&self.device, sums))
    }
    /// Maxima along an axis, which the result does not have; NaN where there is one.
    pub fn max_axis(&self, axis: usize) -> Result<Tensor> {
        check_axis("max_axis", self.shape(), axis)?;
        if self.shape()[axis] == 0 {
            return fault(
                "max_axis",
                format!(
                    "found no elements along axis {axis} of an array of shape {:?}: expected at least one",
                    self.shape()
                ),
            );
        }
        let maxima = reduce::along(self.runs(), Combine::Max, &self.view, axis)?;
        Ok(Tensor::of(&self.device, maxima))
    }
    /// `exp(x) / sum(exp(x))` along an axis.
    pub fn softmax(&self, axis: usize) -> Result<Tensor> {
        self.normalise("softmax", axis, false)
    }
    /// `x - ln(sum(exp(x)))` along an axis.
    pub fn log_softmax(&self, axis: usize) -> Result<Tensor> {
        self.normalise("log_softmax", axis, true)
    }
    fn normalise(&self, operation: &str, axis: usize, log: bool) -> Result<Tensor> {
        self.floats(operation)?;
        check_axis(operation, self.shape(), axis)?;
        let made = reduce::softmax(self.runs(), &self.view, axis, log)?;
        Ok(Tensor::of(&self.device, made))
    }

    /// `out[.., i, ..] = self[.., index[.., i, ..], ..]`
    pub fn gather(&self, axis: usize, index: &Tensor) -> Result<Tensor> {
        self.gather_for("gather", axis, index)
    }
    fn gather_for(&self, operation: &'static str, axis: usize, index: &Tensor) -> Result<Tensor> {
        let operation = called(operation);
        check_index(operation, self.shape(), axis, index)?;
        let (backend, index_view) = self.beside(operation, index)?;
        let buffer = backend.gather(operation, &self.view, axis, &index_view)?;
        Ok(Tensor::dense(
            &self.device,
            buffer,
            self.ty(),
            index.shape(),
        ))
    }

    /// An error of an operation if one of these is no index below an extent along an axis. On the host all are looked at, and the error names the place;
    /// of those in a device's memory only the greatest is known, if they came from the host.
    pub fn check_indices(&self, operation: &str, axis: usize, extent: usize) -> Result<()> {
        if self.device.is_host_for(self.ty()) {
            return super::cpu::check_indices(operation, axis, extent, &self.view);
        }
        match self.greatest.filter(|_| self.len() > 0) {
            Some(found) if found as usize >= extent => fault(
                operation,
                format!(
                    "found index {found}: expected indices below {extent}, the extent of axis {axis}"
                ),
            ),
            _ => Ok(()),
        }
    }

    /// Zeros in the shape of `like`, plus the elements added at the indices; repeated indices accumulate.
    pub fn scatter_add(&self, axis: usize, index: &Tensor, like: &Tensor) -> Result<Tensor> {
        self.floats("scatter_add")?;
        check_index("scatter_add", like.shape(), axis, index)?;
        if self.shape() != index.shape() {
            return fault(
                "scatter_add",
                format!(
                    "found an array of shape {:?}: expected the shape of the index, {:?}",
                    self.shape(),
                    index.shape()
                ),
            );
        }
        let (_, index) = self.beside("scatter_add", index)?;
        let sums = scatter::scatter_add(self.runs(), &self.view, axis, &index, like.shape())?;
        Ok(Tensor::of(&self.device, sums))
    }

    /// Zeros in the shape of `like`, but these elements from `start` on along `axis`.
    pub fn place(&self, axis: usize, start: usize, like: &Tensor) -> Result<Tensor> {
        self.place_for("place", axis, start, like)
    }
    fn place_for(
        &self,
        operation: &str,
        axis: usize,
        start: usize,
        like: &Tensor,
    ) -> Result<Tensor> {
        check_axis(operation, like.shape(), axis)?;
        let (own, all) = (self.shape(), like.shape());
        let fits = own.len() == all.len()
            && (0..all.len()).all(|k| k == axis || own[k] == all[k])
            && start
                .checked_add(own[axis])
                .is_some_and(|end| end <= all[axis]);
        if !fits {
            return fault(
                operation,
                format!(
                    "found an array of shape {own:?} from {start} on along axis {axis}: expected one that fits into {all:?}"
                ),
            );
        }
        self.place_evenly(operation, axis, (start, 1), like)
    }

    /// Zeros in the shape of `like`, but these elements where [`slice_axis`](Tensor::slice_axis) reads.
    pub fn unslice_axis(
        &self,
        axis: usize,
        start: usize,
        end: usize,
        step: usize,
        like: &Tensor,
    ) -> Result<Tensor> {
        self.check_part(axis, (start, end, step), like)?;
        self.place_evenly("slice", axis, (start, step), like)
    }

    /// The sum of this array and what [`unslice_axis`](Tensor::unslice_axis) makes of a part of it. Nobody uses this array again: on the host, if
    /// nobody else has it either, its memory becomes that of the sum.
    pub fn add_unsliced(
        self,
        axis: usize,
        (start, end, step): (usize, usize, usize),
        part: &Tensor,
    ) -> Result<Tensor> {
        part.check_part(axis, (start, end, step), &self)?;
        part.floats("slice")?;
        same_device("slice", &self.device, &part.device)?;
        self.with_part(part, Places { axis, start, step }, true)
    }

    /// This array, but the elements of `part` where [`slice_axis`](Tensor::slice_axis) reads. Nobody uses this array again: on the host, if nobody else has
    /// it either, its memory becomes that of the result.
    pub fn replaced(
        mut self,
        axis: usize,
        (start, end, step): (usize, usize, usize),
        part: &Tensor,
    ) -> Result<Tensor> {
        part.check_part(axis, (start, end, step), &self)?;
        same_device("slice", &self.device, &part.device)?;
        if part.shape() == self.shape() {
            return Ok(part.clone());
        }
        self.greatest = (self.greatest.zip(part.greatest)).map(|(a, b)| a.max(b));
        self.with_part(part, Places { axis, start, step }, false)
    }
    /// Whether its elements are all that is in their memory, one after another, and nobody else refers to that memory. It is the host's.
    pub fn has_own_memory(&mut self) -> bool {
        self.own_bytes().is_some()
    }
    /// The bytes of its elements, to be changed, if they are in [memory of its own](Self::has_own_memory).
    pub fn own_bytes(&mut self) -> Option<&mut [u8]> {
        let (ty, bytes) = (self.ty(), self.len() * self.ty().size().unwrap_or(0));
        let is_whole = self.view.offset == 0 && self.view.is_dense();
        let own = memory::own_bytes(&mut self.view.buffer, ty).filter(|_| is_whole)?;
        (own.len() == bytes).then_some(own)
    }

    /// This array, but at these places the elements of `part`, or the sums with them.
    fn with_part(self, part: &Tensor, places: Places, add: bool) -> Result<Tensor> {
        if part.len() == 0 {
            return Ok(self);
        }
        let (ty, shape) = (self.ty(), self.view.shape.clone());
        let backend = self.device.backend_for(ty);
        let buffer = backend.place(self.view, &part.view, places, add)?;
        Ok(Tensor {
            greatest: self.greatest,
            ..Tensor::dense(&self.device, buffer, ty, &shape)
        })
    }

    /// An error if this is no array for the places of a slice of another one.
    fn check_part(
        &self,
        axis: usize,
        (start, end, step): (usize, usize, usize),
        like: &Tensor,
    ) -> Result<()> {
        let count = check_slice(like.shape(), axis, start, end, step)?;
        let (own, all) = (self.shape(), like.shape());
        let fits = own.len() == all.len()
            && (0..all.len()).all(|k| own[k] == if k == axis { count } else { all[k] });
        match fits {
            true => Ok(()),
            false => fault(
                "slice",
                format!(
                    "found an array of shape {own:?} for {count} places along axis {axis} of an array of shape {all:?}: expected equal extents elsewhere"
                ),
            ),
        }
    }

    /// Zeros in the shape of `like`, but these elements along `axis` from `start` on and each `step` further, where they fit.
    fn place_evenly(
        &self,
        operation: &str,
        axis: usize,
        (start, step): (usize, usize),
        like: &Tensor,
    ) -> Result<Tensor> {
        self.floats(operation)?;
        let places = Places { axis, start, step };
        if self.device.is_host_for(self.ty()) {
            let buffer = super::cpu::place(&self.view, places, like.shape())?;
            return Ok(Tensor::dense(&self.device, buffer, self.ty(), like.shape()));
        }
        same_device(operation, &self.device, &like.device)?;
        // Added to zeros, so that zeros have no sign on any device.
        let zeros = Tensor::full(&self.device, 0, self.ty(), like.shape())?;
        zeros.with_part(self, places, true)
    }

    /// The sums of the elements up to each one along `axis`.
    pub fn cumsum(&self, axis: usize) -> Result<Tensor> {
        check_axis("cumsum", self.shape(), axis)?;
        let buffer = self.backend().cumsum(&self.view, axis)?;
        Ok(Tensor::dense(&self.device, buffer, self.ty(), self.shape()))
    }

    /// A value added before and after along `axis`: its bits.
    pub fn pad(&self, axis: usize, before: usize, after: usize, bits: u64) -> Result<Tensor> {
        check_axis("pad", self.shape(), axis)?;
        let mut shape = Dims::from_slice(self.shape());
        let end = before.checked_add(shape[axis]);
        let extent = end.and_then(|end| end.checked_add(after));
        let (Some(end), Some(extent)) = (end, extent) else {
            return fault(
                "pad",
                format!(
                    "found {before} and {after} elements to be added along axis {axis} of an array of shape {:?}: expected fewer",
                    self.shape()
                ),
            );
        };
        shape[axis] = extent;
        let whole = Tensor::full(&self.device, bits, self.ty(), &shape)?;
        whole.replaced(axis, (before, end, 1), self)
    }

    /// Arrays one after the other along `axis`.
    pub fn concat(operation: &str, parts: &[Tensor], axis: usize) -> Result<Tensor> {
        let Some((one, others)) = parts.split_first() else {
            return fault(operation, "found no arrays: expected at least one");
        };
        check_axis(operation, one.shape(), axis)?;
        let mut shape = Dims::from_slice(one.shape());
        for other in others {
            same_device(operation, &one.device, &other.device)?;
            let (a, b) = (one.shape(), other.shape());
            if a.len() != b.len() || (0..a.len()).any(|k| k != axis && a[k] != b[k]) {
                return fault(
                    operation,
                    format!(
                        "found shapes {a:?} and {b:?}: expected equal extents but along axis {axis}"
                    ),
                );
            }
            shape[axis] = shape[axis].saturating_add(b[axis]);
        }
        numel(&shape)?;
        let parts: SmallVec<[&Tensor; 4]> = parts.iter().filter(|part| part.len() > 0).collect();
        if let [part] = parts[..] {
            return Ok(part.clone());
        }
        if parts.is_empty() {
            return Tensor::full(&one.device, 0, one.ty(), &shape);
        }
        let views: SmallVec<[&View; 4]> = parts.iter().map(|part| &part.view).collect();
        let buffer = one.backend().concat(&views, axis, &shape)?;
        let mut greatest = parts.iter().map(|part| part.greatest);
        Ok(Tensor {
            greatest: greatest.try_fold(0, |a, b| Some(a.max(b?))),
            ..Tensor::dense(&one.device, buffer, one.ty(), &shape)
        })
    }

    /// Moved by so many places along `axis`; what leaves at one end comes in at the other.
    pub fn roll(&self, axis: usize, by: i128) -> Result<Tensor> {
        check_axis("roll", self.shape(), axis)?;
        let extent = self.shape()[axis];
        match by.checked_rem_euclid(extent as i128) {
            None | Some(0) => Ok(self.clone()),
            Some(by) => {
                let stay = extent - by as usize;
                let parts = [
                    self.narrow(axis, stay, by as usize)?,
                    self.narrow(axis, 0, stay)?,
                ];
                Tensor::concat("roll", &parts, axis)
            }
        }
    }

    /// In the opposite order along `axis`.
    pub fn flip(&self, axis: usize) -> Result<Tensor> {
        check_axis("flip", self.shape(), axis)?;
        if self.device.is_host_for(self.ty()) {
            let buffer = super::cpu::flip(&self.view, axis)?;
            return Ok(Tensor::dense(&self.device, buffer, self.ty(), self.shape()));
        }
        if self.len() == 0 {
            return Ok(self.clone());
        }
        // A negative step wraps, as it does in the numbers of 32 bits of kernels: the places that it leads to are right.
        let mut view = self.view.clone();
        view.offset += (view.shape[axis] - 1) * view.strides[axis];
        view.strides[axis] = view.strides[axis].wrapping_neg();
        let buffer = self.backend().copy(&view)?;
        Ok(Tensor {
            greatest: self.greatest,
            ..Tensor::dense(&self.device, buffer, self.ty(), self.shape())
        })
    }

    /// Who works on this array, and another array's view where that backend can read it.
    fn beside(&self, operation: &str, other: &Tensor) -> Result<(&dyn Backend, View)> {
        same_device(operation, &self.device, &other.device)?;
        match self.device.is_host_for(self.ty()) {
            true => Ok((&Cpu, other.on_host()?)),
            false => Ok((self.backend(), other.view.clone())),
        }
    }

    /// Summed over the axes along which an array of the shape of `like` was repeated to give this shape.
    pub fn unbroadcast(&self, like: &Tensor) -> Result<Tensor> {
        let lead = self.shape().len().checked_sub(like.shape().len());
        let fits = lead.is_some_and(|lead| {
            let pairs = self.shape()[lead..].iter().zip(like.shape());
            pairs.into_iter().all(|(a, b)| a == b || *b == 1)
        });
        let (true, Some(lead)) = (fits, lead) else {
            return fault(
                "unbroadcast",
                format!(
                    "the cotangent has shape {:?}; the result has shape {:?}",
                    like.shape(),
                    self.shape()
                ),
            );
        };
        if self.shape() == like.shape() {
            return Ok(self.clone());
        }
        if like.len() == 1 {
            return self.sum()?.reshape(like.shape());
        }
        let mut sum = self.clone();
        for axis in (0..self.shape().len()).rev() {
            let repeated = axis < lead || like.shape()[axis - lead] != self.shape()[axis];
            if repeated {
                sum = sum.sum_axis(axis)?;
            }
        }
        sum.reshape(like.shape())
    }

    /// `self + other`, of equal shapes.
    pub fn accumulate(&self, other: &Tensor) -> Result<Tensor> {
        if self.shape() != other.shape() {
            return fault(
                "accumulate",
                format!(
                    "found shapes {:?} and {:?}: expected equal ones",
                    self.shape(),
                    other.shape()
                ),
            );
        }
        let arguments = [self, other].map(|t| Argument::Tensor(t.clone()));
        let add = kernels::primitive(Prim::Add, self.ty())?;
        first(map(&add, &arguments)?)
    }

    /// One value in the shape of this array.
    pub fn full_like(&self, bits: u64) -> Result<Tensor> {
        Tensor::full(&self.device, bits, self.ty(), self.shape())
    }

    fn floats(&self, operation: &str) -> Result<()> {
        match self.ty().is_float() {
            true => Ok(()),
            false => fault(
                operation,
                format!("found an array of {}: expected floats", self.ty()),
            ),
        }
    }
}

/// Two stacks of matrices, `[count, m, k]` and `[count, k, n]`, to be multiplied.
pub struct Factors {
    pub left: View,
    pub right: View,
    /// The extents before the matrices' own, of which `count` is the product.
    lead: Dims,
}

impl Factors {
    /// The factors of a product of `a` and `b`, which are `factors` as matrices and with their transpositions.
    fn new(operation: &str, a: &Tensor, b: &Tensor, factors: (Tensor, Tensor)) -> Result<Factors> {
        a.floats(operation)?;
        same_device(operation, &a.device, &b.device)?;
        let (left, right) = (factors.0.shape(), factors.1.shape());
        let (p, q) = (left.len(), right.len());
        let fits = p >= 2 && q >= 2 && left[p - 1] == right[q - 2] && a.ty() == b.ty();
        let lead = match fits {
            true => broadcast(operation, &[&left[..p - 2], &right[..q - 2]]).ok(),
            false => None,
        };
        let Some(lead) = lead else {
            return fault(
                operation,
                format!(
                    "found shapes {:?} and {:?}: expected matrices with equal inner extents{}",
                    a.shape(),
                    b.shape(),
                    match p.max(q) {
                        0..=2 => "",
                        _ => " and leading extents that broadcast",
                    }
                ),
            );
        };
        let mut shape = lead.clone();
        shape.extend_from_slice(&[left[p - 2], right[q - 1]]);
        numel(&shape)?;
        let count = lead.iter().product();
        let stacked = |factor: &Tensor| -> Result<View> {
            let matrix = &factor.shape()[factor.shape().len() - 2..];
            let mut all = lead.clone();
            all.extend_from_slice(matrix);
            let all = factor.broadcast_to(operation, &all)?;
            Ok(all.reshape(&[count, matrix[0], matrix[1]])?.view)
        };
        let (left, right) = (stacked(&factors.0)?, stacked(&factors.1)?);
        Ok(Factors { left, right, lead })
    }

    /// What the product moves and computes.
    pub fn work(&self) -> trace::Product {
        let (left, right) = (&self.left.shape, &self.right.shape);
        trace::Product {
            count: left[0],
            extents: (left[1], left[2], right[2]),
            size: self.left.ty.size().unwrap_or(8),
        }
    }

    /// The shape of the product.
    pub fn shape(&self) -> Dims {
        let mut shape = self.lead.clone();
        shape.extend_from_slice(&[self.left.shape[1], self.right.shape[2]]);
        shape
    }

    /// Whether rows of the product are one row, or columns one column, because a factor repeats it.
    pub fn repeats(&self) -> bool {
        repeats(&self.left, 1) || repeats(&self.right, 2)
    }
}

/// Multiplies factors on the device of `a`. `dropped`: the axes that only matrices have.
fn product(factors: Factors, op: HostOp, dropped: &[usize], a: &Tensor) -> Result<Tensor> {
    trace::product(op, factors.work());
    let shape = factors.shape();
    // Rows that are one row of memory, as those of a sum's cotangent are, give one row.
    let (left, right) = (once(factors.left, 1), once(factors.right, 2));
    let buffer = a.backend().matmul(&left, &right)?;
    let mut made = factors.lead;
    made.extend_from_slice(&[left.shape[1], right.shape[2]]);
    let mut made = View::dense(buffer, a.ty(), &made);
    if made.shape != shape {
        made =
            { made.broadcast_to(&shape) }.ok_or_else(|| misfit(op.name(), &made.shape, &shape))?;
    }
    for &axis in dropped {
        made.shape.remove(axis);
        made.strides.remove(axis);
    }
    Ok(Tensor::of(&a.device, made))
}

/// Whether a view repeats one element along an axis.
fn repeats(view: &View, axis: usize) -> bool {
    view.strides[axis] == 0 && view.shape[axis] > 1
}

/// A view with one element along an axis that repeats it.
fn once(mut view: View, axis: usize) -> View {
    if repeats(&view, axis) {
        view.shape[axis] = 1;
    }
    view
}

fn check_index(operation: &str, shape: &[usize], axis: usize, index: &Tensor) -> Result<()> {
    check_axis(operation, shape, axis)?;
    let others_equal = index.shape().len() == shape.len()
        && (0..shape.len()).all(|k| k == axis || index.shape()[k] == shape[k]);
    if !others_equal || index.ty() != Type::U32 {
        return fault(
            operation,
            format!(
                "found an index of {} of shape {:?} for shape {shape:?}: expected u32 and equal extents but along axis {axis}",
                index.ty(),
                index.shape()
            ),
        );
    }
    // On the host the operation looks at every index anyway.
    match index.device.is_host_for(index.ty()) {
        true => Ok(()),
        false => index.check_indices(operation, axis, shape[axis]),
    }
}

fn same_device(operation: &str, a: &Device, b: &Device) -> Result<()> {
    match a == b {
        true => Ok(()),
        false => fault(
            operation,
            format!("found arrays on {a} and on {b}: expected one device (`to_device` copies)"),
        ),
    }
}

/// The shape to which arrays of one device broadcast together.
pub fn broadcast_together(operation: &str, tensors: &[&Tensor]) -> Result<Dims> {
    for pair in tensors.windows(2) {
        same_device(operation, &pair[0].device, &pair[1].device)?;
    }
    let shapes: SmallVec<[&[usize]; 4]> = tensors.iter().map(|t| t.shape()).collect();
    broadcast(operation, &shapes)
}

/// Applies a scalar function to every element of arguments that broadcast together; one array for each of its outputs.
pub fn map(program: &MapProgram, arguments: &[Argument]) -> Result<SmallVec<[Tensor; 2]>> {
    let name = kernels::shown(program);
    let tensors: SmallVec<[&Tensor; 4]> = arguments.iter().filter_map(Argument::tensor).collect();
    let Some(device) = tensors.first().map(|t| &t.device) else {
        return fault(name, "found no array among the arguments of a map");
    };
    for tensor in &tensors {
        same_device(name, device, &tensor.device)?;
    }
    let shapes: SmallVec<[&[usize]; 4]> = tensors.iter().map(|t| t.shape()).collect();
    let shape = match broadcast(name, &shapes) {
        Ok(shape) => shape,
        Err(error) => return Err(misfit_in_fused(program, arguments).unwrap_or(error)),
    };
    let mut types = tensors
        .iter()
        .map(|t| t.ty())
        .chain(program.outputs.iter().copied());
    let on_host = types.any(|ty| device.is_host_for(ty));
    let operands = arguments.iter().map(|a| a.operand(&shape, on_host));
    let operands: SmallVec<[Operand; 4]> = operands.collect::<Result<_>>()?;
    let backend: &dyn Backend = if on_host { &Cpu } else { device.backend() };
    let buffers = backend.map(program, &operands, &shape)?;
    let outputs = buffers.into_iter().zip(&program.outputs);
    outputs
        .map(|(buffer, &ty)| Tensor::placed(device, buffer, ty, &shape, on_host))
        .collect()
}

/// The error of the map, among those that a fused function consists of, whose arguments do not broadcast together. `None` if it is not known, because the
/// function is not fused or chooses between branches.
fn misfit_in_fused(program: &MapProgram, arguments: &[Argument]) -> Option<Error> {
    let function = program.module.functions.get(&program.function)?;
    let mut shapes: FxHashMap<Value, Dims> = FxHashMap::default();
    for (&param, argument) in function.params().iter().zip(arguments) {
        if let Some(tensor) = argument.tensor() {
            shapes.insert(param, tensor.shape().into());
        }
    }
    for &inst in &function.blocks[function.entry()].insts {
        let row = &function.insts[inst];
        let read: SmallVec<[&Dims; 4]> = row.args.iter().filter_map(|v| shapes.get(v)).collect();
        if read.is_empty() {
            continue;
        }
        let read: SmallVec<[&[usize]; 4]> = read.into_iter().map(|shape| &shape[..]).collect();
        let shape = at_place(row.span, || broadcast("map", &read));
        drop(read);
        match shape {
            Ok(shape) => shapes.insert(row.result, shape),
            Err(_) if row.span.method.is_empty() => return None,
            Err(error) => return Some(at(row.span, error)),
        };
    }
    None
}

/// The one output of a map.
pub fn first(outputs: SmallVec<[Tensor; 2]>) -> Result<Tensor> {
    let missing = || Error::Internal("a map without outputs".into());
    outputs.into_iter().next().ok_or_else(missing)
}

impl Tensor {
    /// What a map has made: moved to the device if it was computed on the host only because of its arguments.
    fn placed(
        device: &Device,
        buffer: Buffer,
        ty: Type,
        shape: &[usize],
        on_host: bool,
    ) -> Result<Tensor> {
        match on_host && !device.is_host_for(ty) {
            true => Tensor::dense(&Device::cpu(), buffer, ty, shape).to_device(device),
            false => Ok(Tensor::dense(device, buffer, ty, shape)),
        }
    }
}

impl Argument {
    /// The type of an element.
    pub fn ty(&self) -> Type {
        match self {
            Argument::Tensor(tensor) => tensor.ty(),
            Argument::Scalar(_, ty) => *ty,
        }
    }

    fn tensor(&self) -> Option<&Tensor> {
        match self {
            Argument::Tensor(tensor) => Some(tensor),
            Argument::Scalar(..) => None,
        }
    }

    fn operand(&self, shape: &[usize], on_host: bool) -> Result<Operand> {
        match self {
            Argument::Scalar(bits, ty) => Ok(Operand::Scalar(*bits, *ty)),
            Argument::Tensor(tensor) => {
                let view = match on_host {
                    true => tensor.on_host()?,
                    false => tensor.view.clone(),
                };
                let fits = view.broadcast_to(shape);
                fits.map(Operand::View)
                    .ok_or_else(|| misfit("map", tensor.shape(), shape))
            }
        }
    }
}
