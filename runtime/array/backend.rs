//! What a device can do: the boundary between arrays and the CPU and GPU behind them.
//!
//! A backend works on **views**: a buffer with an offset, a shape and strides. It checks no shapes (the array layer
//! has), but it refuses what it cannot hold. It may return before the work is done: results are buffers that can be
//! used at once, and only [`Backend::download`] waits. What goes wrong on the device in the meantime (loss of the
//! device, lack of memory, an index out of range) is reported by the next `download`, and the backend stays usable
//! unless the device was lost.
//!
//! A backend knows nothing of differentiation and nothing of packs beyond the scalar functions in a [`MapProgram`].

use crate::diag::{Error, Result, Span};
use crate::exec::HostMemory;
use crate::ir::{Module, Symbol, Type};
use crate::kernel;
use crate::registry::{Kernel, Registry};
use smallvec::SmallVec;
use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Memory on a device, shared by reference count. Only the backend that made it can read it: it finds its own type by
/// downcasting. Contents do not change once other code holds the buffer.
pub type Buffer = Arc<dyn Memory>;

/// Memory of one device.
pub trait Memory: Any + Send + Sync + fmt::Debug {
    /// The same memory, if the host can read it.
    fn on_host(self: Arc<Self>) -> Option<Arc<dyn HostMemory>> {
        None
    }
}

/// Extents or strides, outermost axis first.
pub type Dims = SmallVec<[usize; 4]>;

/// Places along an axis: the first, and the distance from one to the next.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    pub axis: usize,
    pub start: usize,
    pub step: usize,
}

/// A rectangular selection of a buffer's elements.
#[derive(Clone, Debug)]
pub struct View {
    /// The memory.
    pub buffer: Buffer,
    /// The element type.
    pub ty: Type,
    /// The first element, counted in elements.
    pub offset: usize,
    /// Extents; none for a single element.
    pub shape: Dims,
    /// Steps in elements, one for each extent; 0 repeats one element along the axis.
    pub strides: Dims,
}

impl View {
    /// The whole of a buffer in row-major order.
    pub fn dense(buffer: Buffer, ty: Type, shape: &[usize]) -> View {
        View {
            buffer,
            ty,
            offset: 0,
            shape: shape.into(),
            strides: dense_strides(shape),
        }
    }
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }
    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }
    /// Whether the elements lie one after another in row-major order, starting at `offset`. Axes of extent 1 have no say.
    pub fn is_dense(&self) -> bool {
        is_dense(&self.shape, &self.strides)
    }
    /// The same elements with two axes exchanged.
    pub fn swap_axes(mut self, a: usize, b: usize) -> View {
        self.shape.swap(a, b);
        self.strides.swap(a, b);
        self
    }
    /// The same elements repeated along new leading axes and along axes of extent 1. `None` if the shapes do not fit.
    pub fn broadcast_to(&self, shape: &[usize]) -> Option<View> {
        let lead = shape.len().checked_sub(self.shape.len())?;
        let mut strides = Dims::from_elem(0, shape.len());
        for (axis, (&extent, &stride)) in self.shape.iter().zip(&self.strides).enumerate() {
            match extent {
                _ if extent == shape[lead + axis] => strides[lead + axis] = stride,
                1 => {}
                _ => return None,
            }
        }
        let (buffer, shape) = (self.buffer.clone(), shape.into());
        let (ty, offset) = (self.ty, self.offset);
        Some(View {
            buffer,
            ty,
            offset,
            shape,
            strides,
        })
    }
}

/// Whether the elements of a shape with such strides lie one after another in their order.
pub fn is_dense(shape: &[usize], strides: &[usize]) -> bool {
    let mut expected = 1;
    for (&extent, &stride) in shape.iter().zip(strides).rev() {
        if extent != 1 && stride != expected {
            return shape.contains(&0);
        }
        expected *= extent;
    }
    true
}

/// The strides of a row-major array.
pub fn dense_strides(shape: &[usize]) -> Dims {
    let mut strides = Dims::from_elem(1, shape.len());
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis].max(1);
    }
    strides
}

/// An argument of an elementwise kernel.
#[derive(Clone, Debug)]
pub enum Operand {
    /// One element for each element of the result: the shape is the kernel's, broadcasting is in the strides.
    View(View),
    /// The same value everywhere: its bits, zero-extended, and its type.
    Scalar(u64, Type),
}

impl Operand {
    /// The array, if it is one.
    pub fn view(&self) -> Option<&View> {
        match self {
            Operand::View(view) => Some(view),
            Operand::Scalar(..) => None,
        }
    }
    /// The type of an element.
    pub fn ty(&self) -> Type {
        match self {
            Operand::View(view) => view.ty,
            Operand::Scalar(_, ty) => *ty,
        }
    }
}

/// An input of a kernel of the kernel IR, borrowed for its run.
#[derive(Clone, Copy, Debug)]
pub enum KernelInput<'a> {
    /// Where the memory begins, and its strides.
    View(&'a View),
    /// The same value everywhere: its bits, zero-extended, and its type.
    Scalar(u64, Type),
    /// `a[b,m,k] · b[b,k,n]` for each b, as a dense array. At most one input is a product, and the points are its elements.
    Product(&'a View, &'a View),
}

impl KernelInput<'_> {
    /// What an elementwise kernel reads; `None` of a product.
    pub fn operand(&self) -> Option<Operand> {
        match *self {
            KernelInput::View(view) => Some(Operand::View(view.clone())),
            KernelInput::Scalar(bits, ty) => Some(Operand::Scalar(bits, ty)),
            KernelInput::Product(..) => None,
        }
    }
}

/// A compute shader of a pack's that is to be run.
pub struct ShaderCall<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The function, for messages.
    pub name: Symbol,
    /// The arrays among the arguments.
    pub inputs: &'a [View],
    /// Its parameters.
    pub params: &'a [u32],
    /// The bytes of each result.
    pub outputs: &'a [usize],
    /// The number of workgroups.
    pub groups: [u32; 3],
}

/// A scalar function to apply to every element, and what each backend has compiled it to.
pub struct MapProgram {
    /// Holds `function`, and every module function it calls. All types are scalars; calls are of module functions and of scalar entries.
    pub module: Arc<Module>,
    /// Its parameters are the operands' element types; it returns a scalar, or a tuple of scalars: one output each.
    pub function: Symbol,
    /// Resolves the calls of packs' functions.
    pub registry: Arc<Registry>,
    /// The element types of the outputs.
    pub outputs: SmallVec<[Type; 2]>,
    /// Belongs to the CPU backend.
    pub cpu: OnceLock<Result<Arc<dyn Any + Send + Sync>>>,
    /// Belongs to the GPU backend.
    pub gpu: OnceLock<Result<Arc<dyn Any + Send + Sync>>>,
}

impl MapProgram {
    /// A program that is not compiled yet. `function` must be in `module`.
    pub fn new(module: Arc<Module>, function: Symbol, registry: Arc<Registry>) -> MapProgram {
        let outputs = match module.functions[&function].ret {
            Type::Tuple(fields) => fields.into(),
            single => SmallVec::from_slice(&[single]),
        };
        MapProgram {
            module,
            function,
            registry,
            outputs,
            cpu: OnceLock::new(),
            gpu: OnceLock::new(),
        }
    }
}

impl fmt::Debug for MapProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MapProgram({})", self.function)
    }
}

/// The operation of a program that reads an input of a kernel through an index: errors name it.
#[derive(Clone, Copy, Debug)]
pub struct IndexUse {
    /// What users know it as.
    pub operation: &'static str,
    /// The axis that the index is for.
    pub axis: usize,
    /// Where it is in the source, if that is known.
    pub place: Span,
    /// Of several whose index is out of range, the one with the lowest number has failed.
    pub order: usize,
}

impl IndexUse {
    /// The operation that this thread does now, or a step of it.
    pub fn now(operation: &'static str) -> IndexUse {
        IndexUse {
            operation: called(operation),
            axis: 0,
            place: place(),
            order: 0,
        }
    }
}

/// A kernel of the kernel IR that is right, and what the backend that runs it has compiled it to.
pub struct KernelProgram {
    /// Its inputs' steps are those of the operands that it is run on.
    pub kernel: kernel::Kernel,
    /// Resolves the calls of packs' functions.
    pub registry: Arc<Registry>,
    /// By number of the input: which operation reads it through an index, or uses it as the index of the output. `None` where the kernel is an operation by
    /// itself: then that is what the thread does which runs the kernel ([`IndexUse::now`]).
    pub uses: SmallVec<[Option<IndexUse>; 8]>,
    /// Belongs to the backend.
    pub compiled: OnceLock<Result<Arc<dyn Any + Send + Sync>>>,
}

impl KernelProgram {
    /// A kernel that is not compiled yet. Nobody knows what it is part of.
    pub fn new(kernel: kernel::Kernel, registry: Arc<Registry>) -> KernelProgram {
        let uses = kernel.inputs.iter().map(|input| {
            input.gather.map(|_| IndexUse {
                operation: "gather",
                axis: 0,
                place: Span::NONE,
                order: 0,
            })
        });
        KernelProgram {
            uses: uses.collect(),
            kernel,
            registry,
            compiled: OnceLock::new(),
        }
    }

    /// What `compile` makes at the first call.
    pub fn compiled<T: Any + Send + Sync>(
        &self,
        compile: impl FnOnce() -> Result<T>,
    ) -> Result<Arc<T>> {
        let made = || Ok(Arc::new(compile()?) as Arc<dyn Any + Send + Sync>);
        let kept = self.compiled.get_or_init(made).clone()?;
        let other = |_| Error::Internal("a kernel was compiled by another device".into());
        kept.downcast().map_err(other)
    }
}

impl fmt::Debug for KernelProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kernel.fmt(f)
    }
}

thread_local!(static PLACE: Cell<Span> = const { Cell::new(Span::NONE) });

/// Where in the user's source the operation is that this thread does now, for errors that are known later.
pub fn place() -> Span {
    PLACE.get()
}

/// Does operations of a place in the user's source.
pub fn at_place<R>(place: Span, operations: impl FnOnce() -> R) -> R {
    let before = PLACE.replace(place);
    let done = operations();
    PLACE.set(before);
    done
}

/// Does the steps of a method that consists of several operations: errors name the method. Of methods within each other the outer one counts.
pub fn in_method<R>(method: &'static str, steps: impl FnOnce() -> R) -> R {
    at_place(
        Span {
            method: called(method),
            ..place()
        },
        steps,
    )
}

/// The name under which users know an operation that this thread does now: that of the method of which it is a step, or its own.
pub fn called(operation: &str) -> &str {
    match place().method {
        "" => operation,
        method => method,
    }
}

/// The error of an operation.
pub fn failed(operation: &str, message: impl fmt::Display) -> Error {
    Error::Array(format!("{}: {message}", called(operation)))
}

/// A device. Every result is a dense row-major buffer of its own.
pub trait Backend: Send + Sync + fmt::Debug {
    /// What users see: `cpu`, or the adapter's name.
    fn name(&self) -> &str;
    /// Whether arrays of this element type can live here.
    fn holds(&self, ty: Type) -> bool;

    /// Brings elements of a type this device holds here.
    fn upload(&self, bytes: &[u8]) -> Result<Buffer>;
    /// The most bytes of large arrays that there were at once since this was last asked.
    fn most_bytes(&self) -> usize {
        0
    }
    /// The view's elements, dense in row-major order, once everything asked for so far is done.
    fn download(&self, view: &View) -> Result<Vec<u8>>;
    /// Whether nothing works here any more.
    fn is_lost(&self) -> bool {
        false
    }

    /// The elements of `view`, dense.
    fn copy(&self, view: &View) -> Result<Buffer>;
    /// `program` on every element: one buffer for each of its outputs. Views among the inputs have `shape`.
    fn map(
        &self,
        program: &MapProgram,
        inputs: &[Operand],
        shape: &[usize],
    ) -> Result<SmallVec<[Buffer; 2]>>;
    /// A kernel's outputs, dense. A view says where an input's memory begins, the kernel how it is walked through. Kernels of the host are called
    /// without a backend (`cpu::lanes`), because they also read small arrays of a call.
    fn kernel(&self, _: &KernelProgram, _: &[KernelInput]) -> Result<SmallVec<[Buffer; 2]>> {
        Err(Error::Internal(format!(
            "{} runs no kernels of the kernel IR",
            self.name()
        )))
    }
    /// How many arrays a kernel may read and write.
    fn most_arrays(&self) -> usize {
        usize::MAX
    }
    /// Waits until everything asked for so far is done.
    fn finish(&self) -> Result<()> {
        Ok(())
    }
    /// `a[b,m,k] · b[b,k,n]` for each b, floats, any strides.
    fn matmul(&self, a: &View, b: &View) -> Result<Buffer>;
    /// Whether the device can compute a kernel while it makes a matrix product that the kernel reads ([`KernelInput::Product`]). The product is of
    /// `batch` pairs of matrices, m × k and k × n, with elements of this type.
    fn joins_products(&self, _ty: Type, _batch: usize, _extents: (usize, usize, usize)) -> bool {
        false
    }
    /// Runs a compute shader of a pack's.
    fn shader(&self, call: &ShaderCall) -> Result<SmallVec<[Buffer; 2]>> {
        Err(Error::Internal(format!(
            "`{}` has no kernel for the host",
            call.name
        )))
    }
    /// `out[.., i, ..] = view[.., index[.., i, ..], ..]`, in the shape of `index` (u32), which differs from the view's along `axis` only. An index
    /// out of range is an error that names `operation`.
    fn gather(
        &self,
        operation: &'static str,
        view: &View,
        axis: usize,
        index: &View,
    ) -> Result<Buffer>;
    /// `whole` with the elements of `part` at the places of `places` along `axis`, or with these elements added there. Where nobody else has the memory of
    /// `whole` it becomes that of the result. The caller has checked that all places are there.
    fn place(&self, whole: View, part: &View, places: Places, add: bool) -> Result<Buffer>;
    /// Parts with elements, which together fill `shape`, one after the other along `axis`.
    fn concat(&self, parts: &[&View], axis: usize, shape: &[usize]) -> Result<Buffer>;
    /// The sums of the elements up to each one along `axis`, dense, in the view's shape.
    fn cumsum(&self, view: &View, axis: usize) -> Result<Buffer>;
}
