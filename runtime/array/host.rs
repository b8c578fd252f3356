//! Array operations for compiled programs.
//!
//! A call that handles arrays brings an [`ArrayHost`]: the table of the arrays it has been given or has made. In compiled code an array
//! is its place in that table plus one; 0 is the **absent array**, which stands for zeros of whatever shape: the
//! cotangent of a value that nothing has contributed to. Operations that are linear in an argument keep it absent.
//! The table goes with the call, and the arrays with the table, except those that a cluster was the last to read (`opt/moves.rs`): they go at once.

use super::backend::{Buffer, Dims, MapProgram, at_place};
use super::cluster::{Cluster, trace};
use super::cpu::pool::Pooled;
use super::element::float_bits;
use super::shader;
use super::small::{Slab, Small};
use super::tensor::{self, Argument, Tensor};
use super::{Array, Device, Element};
use crate::context::Context;
use crate::diag::{Diagnostic, Error, Result, Span, notice};
use crate::exec::{Host, KernelCall, Lent, ScalarFunction, Site, SiteOp};
use crate::ir::{Checked, Const, HostOp, Op, ShapeCheck, Symbol, Type};
use crate::plugin::{Made, MadeElements};
use crate::registry::Kernel;
use half::f16;
use log::Level;
use mooncake_pack::abi;
use smallvec::SmallVec;
use std::cell::{Ref, RefCell, RefMut};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The arrays of one call.
#[derive(Default)]
pub struct ArrayHost {
    table: RefCell<Vec<Entry>>,
    /// The elements of small arrays.
    slab: RefCell<Slab>,
    /// Whether what operations give is looked at: debug mode.
    checked: bool,
    /// The context on whose device programs make arrays; `None` if this program makes none.
    context: Option<Context>,
}

/// An array that a call knows.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// In memory of its own. Tables of small arrays are long, so their entries are short.
    Tensor(Box<Tensor>),
    /// In the slab of the call, which is on the CPU.
    Small(Small),
    /// Nowhere any more: nobody reads it.
    Gone,
}

impl Entry {
    /// Steps in elements.
    pub(super) fn strides(&self) -> Result<&Dims> {
        match self {
            Entry::Tensor(tensor) => Ok(&tensor.view().strides),
            Entry::Small(small) => Ok(&small.layout.strides),
            Entry::Gone => Err(gone()),
        }
    }
}

/// The handle of the absent array.
const ABSENT: u64 = 0;

impl ArrayHost {
    /// A host without arrays.
    pub fn new() -> ArrayHost {
        ArrayHost::default()
    }

    /// A host for programs that make arrays on the device of a context, if they make any. With `checked` it looks for numbers that are not
    /// finite though those they are made of are.
    #[inline]
    pub fn of(checked: bool, context: Option<Context>) -> ArrayHost {
        ArrayHost {
            table: RefCell::default(),
            slab: RefCell::default(),
            checked,
            context,
        }
    }

    /// Where arrays are made that no other array says the device of.
    pub fn device(&self) -> Result<Device> {
        if let Some(context) = &self.context {
            return Ok(context.device().clone());
        }
        // A rule that is tested alone: beside its arguments.
        Ok(match self.table.borrow().first() {
            Some(Entry::Tensor(tensor)) => tensor.device().clone(),
            Some(Entry::Small(_) | Entry::Gone) | None => Device::cpu(),
        })
    }

    /// Whether that is the CPU.
    pub(super) fn is_on_cpu(&self) -> bool {
        match (&self.context, self.table.borrow().first()) {
            (Some(context), _) => context.device().is_cpu(),
            (None, Some(Entry::Tensor(tensor))) => tensor.device().is_cpu(),
            (None, Some(Entry::Small(_) | Entry::Gone) | None) => true,
        }
    }

    /// The arrays that the call knows, by handle less one.
    pub(super) fn entries(&self) -> Ref<'_, [Entry]> {
        Ref::map(self.table.borrow(), |table| &table[..])
    }

    /// The elements of small arrays.
    pub(super) fn slab(&self) -> RefMut<'_, Slab> {
        self.slab.borrow_mut()
    }

    /// The handle of an argument; its error if the array is in error state.
    pub fn give<T: Element>(&self, array: &Array<T>) -> Result<u64> {
        Ok(self.put(array.tensor()?.clone()))
    }

    /// The array of a result; `None` if it is absent.
    pub fn take<T: Element>(&self, handle: u64) -> Result<Option<Array<T>>> {
        let found = self.get(handle)?;
        Ok(found.map(|tensor| Array::new(&tensor.device().clone(), Ok(tensor))))
    }

    /// As [`take`](Self::take), of whatever elements; an error if it is absent.
    pub fn take_tensor(&self, handle: u64) -> Result<Tensor> {
        self.get(handle)?.ok_or_else(|| absent("a call"))
    }

    /// The shape of an array; `None` if it is absent.
    pub fn shape(&self, handle: u64) -> Result<Option<Vec<usize>>> {
        let found = self.get(handle)?;
        Ok(found.map(|tensor| tensor.shape().to_vec()))
    }

    /// An error if a cotangent or a tangent has another shape than its array.
    pub fn check_shape(&self, found: u64, array: u64) -> Result<()> {
        let table = self.entries();
        let shape = |handle: u64| match table.get((handle as usize).wrapping_sub(1))? {
            Entry::Tensor(tensor) => Some(tensor.shape()),
            Entry::Small(small) => Some(&small.layout.shape[..]),
            Entry::Gone => None,
        };
        match (shape(found), shape(array)) {
            (Some(found), Some(like)) if found != like => Err(misshapen(found, like)),
            _ => Ok(()),
        }
    }

    /// The handle of an array.
    pub fn put(&self, tensor: Tensor) -> u64 {
        self.enter(Entry::Tensor(Box::new(tensor)))
    }

    /// The handle of an array in the slab or in memory of its own.
    pub(super) fn enter(&self, entry: Entry) -> u64 {
        let mut table = self.table.borrow_mut();
        table.push(entry);
        table.len() as u64
    }

    /// Another handle of an array.
    pub(super) fn enter_again(&self, handle: u64) -> Result<u64> {
        let entry = self
            .entries()
            .get((handle as usize).wrapping_sub(1))
            .cloned();
        Ok(self.enter(entry.ok_or_else(|| unknown(handle))?))
    }

    /// The array of a handle; `None` if it is absent.
    pub fn get(&self, handle: u64) -> Result<Option<Tensor>> {
        self.with(handle, |found| found.cloned())
    }

    /// What `look` finds at the array of a handle; at `None` if it is absent. It makes no arrays.
    pub fn with<R>(&self, handle: u64, look: impl FnOnce(Option<&Tensor>) -> R) -> Result<R> {
        if handle == ABSENT {
            return Ok(look(None));
        }
        let table = self.table.borrow();
        match table.get(handle as usize - 1) {
            Some(Entry::Tensor(tensor)) => Ok(look(Some(tensor))),
            Some(Entry::Small(small)) => {
                let tensor = self.slab.borrow().tensor(small)?;
                Ok(look(Some(&tensor)))
            }
            Some(Entry::Gone) => Err(gone()),
            None => Err(unknown(handle)),
        }
    }

    /// The array of a handle that nobody uses again; `None` if it is absent.
    pub(super) fn take_out(&self, handle: u64) -> Option<Entry> {
        let mut table = self.table.borrow_mut();
        let entry = table.get_mut((handle as usize).wrapping_sub(1))?;
        Some(std::mem::replace(entry, Entry::Gone))
    }

    /// The memory of an array that nobody uses again. If the array has none of its own, or somebody else refers to that, it stays what it is.
    pub(super) fn take_memory(&self, handle: u64) -> Option<Buffer> {
        let mut table = self.table.borrow_mut();
        let entry = table.get_mut((handle as usize).wrapping_sub(1))?;
        let Entry::Tensor(tensor) = entry else {
            return None;
        };
        if !tensor.has_own_memory() {
            return None;
        }
        let buffer = tensor.view().buffer.clone();
        *entry = Entry::Gone;
        Some(buffer)
    }

    /// Takes back the room of small arrays that nobody reads any more, if it has become much. All that somebody reads have a handle.
    pub(super) fn put_in_order(&self) {
        let mut slab = self.slab.borrow_mut();
        if slab.is_full() {
            let mut table = self.table.borrow_mut();
            slab.put_in_order(table.iter_mut().filter_map(|entry| match entry {
                Entry::Small(small) => Some(small),
                Entry::Tensor(_) | Entry::Gone => None,
            }));
        }
    }

    /// The bytes of memory for small arrays.
    #[cfg(test)]
    pub(crate) fn small_bytes(&self) -> usize {
        self.slab.borrow().bytes(0).len()
    }

    /// Frees the memory of an array, if it has some of its own. Nobody uses the handle again.
    pub(super) fn forget(&self, handle: u64) {
        drop(self.take_out(handle));
    }
}

fn unknown(handle: u64) -> Error {
    Error::Internal(format!("no array has the handle {handle}"))
}

fn gone() -> Error {
    Error::Internal("an array is read after it was moved".into())
}

impl Host for ArrayHost {
    fn for_thread(&self) -> Box<dyn Host + Send> {
        Box::new(ArrayHost::of(self.checked, self.context.clone()))
    }
    fn call(&self, site: &Site, args: &[u64], results: &mut [u64]) -> Result<()> {
        let run = || self.carry_out(site, args, results);
        trace::alone(|| self.device(), &site.op, run)
    }
    fn lend(&self, array: u64, function: Symbol) -> Result<Lent> {
        let tensor = self.get(array)?.ok_or_else(|| absent(function.as_str()))?;
        let is_moved = !tensor.device().is_host_for(tensor.ty());
        if is_moved && HostOp::from_name(function.as_str()).is_none() {
            say_moved(function, tensor.device());
        }
        tensor.lend()
    }
    fn dispatch(
        &self,
        kernel: &Kernel,
        call: &KernelCall<'_>,
    ) -> Result<Option<SmallVec<[u64; 2]>>> {
        let mut arrays = Vec::new();
        for &(ty, word) in call.args.iter().filter(|(ty, _)| ty.is_array()) {
            let tensor = self.get(word)?.ok_or_else(|| absent(call.name.as_str()))?;
            let ty = ty.element().unwrap_or(ty);
            // Kernels of packs are for f32.
            if tensor.device().is_host_for(ty) || ty == Type::F64 || tensor.len() == 0 {
                return Ok(None);
            }
            arrays.push(tensor);
        }
        let results: Vec<Type> = call.results.iter().map(|leaf| leaf.ty).collect();
        let made = shader::run(kernel, call.name, &call.args, &arrays, &results)?;
        Ok(made.map(|made| made.into_iter().map(|tensor| self.put(tensor)).collect()))
    }
    fn adopt(&self, made: Made, like: u64) -> Result<u64> {
        let device = match self.get(like)? {
            Some(like) => like.device().clone(),
            None => Device::cpu(),
        };
        Ok(self.put(Tensor::adopt(&device, made)?))
    }
    fn take_in(&self, made: Made) -> Result<u64> {
        Ok(self.put(Tensor::adopt(&self.device()?, made)?))
    }
    fn is_at_hand(&self, array: u64) -> bool {
        let tensor = self.get(array).ok().flatten();
        tensor.is_some_and(|tensor| *tensor.device() == Device::cpu())
    }
    fn room(&self, dtype: u32, count: usize) -> Option<MadeElements> {
        match dtype {
            abi::DTYPE_F32 => f32::pool().take(count).map(MadeElements::F32),
            abi::DTYPE_F64 => f64::pool().take(count).map(MadeElements::F64),
            _ => None,
        }
    }
    fn mark(&self) -> usize {
        self.table.borrow().len()
    }
    fn release(&self, mark: usize) {
        self.table.borrow_mut().truncate(mark);
    }
}

/// Says, once for each function, that arrays are moved for it.
fn say_moved(function: Symbol, device: &Device) {
    static SAID: Mutex<BTreeSet<Symbol>> = Mutex::new(BTreeSet::new());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.insert(function) {
        notice(
            Level::Warn,
            format_args!(
                "`{function}` runs on the CPU: arrays are moved there from {} and back",
                device.name()
            ),
        );
    }
}

/// Does an operation of a place in the user's source, which its errors name.
pub(super) fn placed<R>(span: Span, operation: impl FnOnce() -> Result<R>) -> Result<R> {
    at_place(span, operation).map_err(|error| at(span, error))
}

/// An error of arrays, with the place in the user's source.
pub(super) fn at(span: Span, error: Error) -> Error {
    match error {
        Error::Array(message) => Error::Fault(Diagnostic::new(span, message)),
        other => other,
    }
}

/// What an operation gives.
enum Outcome {
    Array(Tensor),
    Absent,
    Word(u64),
}

/// Whether a word of a call is finite, or an array of finite numbers.
fn is_finite(host: &ArrayHost, word: u64, ty: Type) -> Result<bool> {
    fn all<T: Element + Into<f64>>(tensor: &Tensor) -> Result<bool> {
        let data = tensor.to_vec::<T>()?;
        Ok(data.into_iter().all(|x| x.into().is_finite()))
    }
    Ok(match ty {
        Type::F32 => f32::from_bits(word as u32).is_finite(),
        Type::F64 => f64::from_bits(word).is_finite(),
        Type::Array(element) if element.is_differentiable() => match host.get(word)? {
            Some(tensor) => match *element {
                Type::F16 => all::<f16>(&tensor)?,
                Type::F32 => all::<f32>(&tensor)?,
                _ => all::<f64>(&tensor)?,
            },
            None => true,
        },
        _ => true,
    })
}

/// Whether the program itself has written an infinity or NaN into a function, as into a mask for attention.
fn names_what_is_not_finite(function: &ScalarFunction) -> bool {
    let functions = function.module.functions.values();
    let mut insts = functions.flat_map(|f| f.insts.iter());
    insts.any(|(_, inst)| matches!(inst.op, Op::Const(Const::Float(x)) if !x.is_finite()))
}

impl ArrayHost {
    /// Fails if an operation has given what is not finite for what is.
    fn look(&self, site: &Site, args: &[u64], results: &[u64]) -> Result<()> {
        if let SiteOp::Map(function) = &site.op
            && names_what_is_not_finite(function)
        {
            return Ok(());
        }
        let all = |words: &[u64], types: &[Type]| -> Result<bool> {
            let leaves = types.iter().flat_map(|&ty| crate::tangent::leaves(ty));
            let mut pairs = words.iter().zip(leaves);
            pairs.try_fold(true, |so_far, (&word, ty)| {
                Ok(so_far && is_finite(self, word, ty)?)
            })
        };
        if all(results, &[site.ret])? || !all(args, &site.params)? {
            return Ok(());
        }
        let name = match &site.op {
            SiteOp::Host(op) => op.name(),
            SiteOp::SameShape(_) => HostOp::SameShape.name(),
            SiteOp::Map(function) | SiteOp::Cluster(function) => function.function.as_str(),
            SiteOp::Native(_) => site.name.as_str(),
        };
        Err(Error::Array(format!(
            "debug: `{name}` gives what is not finite for arrays of finite numbers"
        )))
    }

    /// Carries out the operation of a site: as part of a cluster, or because the program is not clustered there.
    pub(super) fn carry_out(&self, site: &Site, args: &[u64], results: &mut [u64]) -> Result<()> {
        let done = match &site.op {
            SiteOp::Host(op) => at_place(site.span, || {
                trace::operation(*op);
                self.operation(*op, site, args, results)
            }),
            SiteOp::SameShape(_) => at_place(site.span, || {
                self.operation(HostOp::SameShape, site, args, results)
            }),
            SiteOp::Map(function) => at_place(site.span, || {
                trace::map(function.function);
                self.map(function, site, args, results)
            }),
            SiteOp::Cluster(function) => self.cluster(function, site.span, args, results),
            SiteOp::Native(_) => Err(Error::Internal(format!(
                "`{}` is called by the frame, not by its host",
                site.name
            ))),
        };
        let done = match self.checked {
            true => done.and_then(|()| self.look(site, args, results)),
            false => done,
        };
        done.map_err(|error| at(site.span, error))
    }

    fn cluster(
        &self,
        function: &ScalarFunction,
        place: Span,
        args: &[u64],
        results: &mut [u64],
    ) -> Result<()> {
        let made = match function.made.get() {
            Some(made) => made,
            None => {
                let cluster = std::sync::Arc::new(Cluster::new(function)?);
                function.made.get_or_init(|| cluster)
            }
        };
        let foreign = || Error::Internal("a site's program is not a cluster's".into());
        let cluster: &Cluster = made.downcast_ref().ok_or_else(foreign)?;
        cluster.call(self, place, args, results)
    }

    fn map(
        &self,
        function: &ScalarFunction,
        site: &Site,
        args: &[u64],
        results: &mut [u64],
    ) -> Result<()> {
        let made = function.made.get_or_init(|| {
            let (module, registry) = (function.module.clone(), function.registry.clone());
            std::sync::Arc::new(MapProgram::new(module, function.function, registry))
        });
        let foreign = || Error::Internal("a site's program is not a map's".into());
        let program: &MapProgram = made.downcast_ref().ok_or_else(foreign)?;
        let arguments = args.iter().zip(&site.params).map(|(&word, &ty)| match ty {
            Type::Array(_) => match self.get(word)? {
                Some(tensor) => Ok(Argument::Tensor(tensor)),
                None => Err(absent("map")),
            },
            scalar => Ok(Argument::Scalar(word, scalar)),
        });
        let arguments: Vec<Argument> = arguments.collect::<Result<_>>()?;
        let outputs = tensor::map(program, &arguments)?;
        for (result, output) in results.iter_mut().zip(outputs) {
            *result = self.put(output);
        }
        Ok(())
    }

    fn operation(&self, op: HostOp, site: &Site, args: &[u64], results: &mut [u64]) -> Result<()> {
        let outcome = self.compute(&Arguments {
            host: self,
            op,
            site,
            args,
        })?;
        let word = match outcome {
            Outcome::Array(tensor) => self.put(tensor),
            Outcome::Absent => ABSENT,
            Outcome::Word(word) => word,
        };
        let short = || Error::Internal(format!("no room for the result of {}", op.name()));
        *results.first_mut().ok_or_else(short)? = word;
        Ok(())
    }

    fn compute(&self, args: &Arguments) -> Result<Outcome> {
        let axis = |n: usize| args.word(n).map(|word| word as usize);
        match args.op {
            op @ (HostOp::Matmul | HostOp::MatmulNt | HostOp::MatmulTn) => {
                args.bilinear(|a, b| a.product(op, b))
            }
            HostOp::Transpose => args.linear(Tensor::transpose),
            HostOp::Reshape => {
                let shape: Vec<usize> = args.args.iter().skip(1).map(|&n| n as usize).collect();
                args.linear(|a| a.reshape(&shape))
            }
            HostOp::Ndim => Ok(Outcome::Word(args.array(0)?.shape().len() as u64)),
            HostOp::Full => {
                let Type::Array(&ty) = args.site.ret else {
                    return Err(Error::Internal("`full` gives no array".into()));
                };
                let shape: Vec<usize> = args.args.iter().skip(1).map(|&n| n as usize).collect();
                Tensor::full(&self.device()?, args.word(0)?, ty, &shape).map(Outcome::Array)
            }
            HostOp::BroadcastTo => {
                let shape: Vec<usize> = args.args.iter().skip(1).map(|&n| n as usize).collect();
                args.linear(|a| a.broadcast_to("broadcast_to", &shape))
            }
            HostOp::SliceAxis => {
                args.linear(|a| a.slice_axis(axis(1)?, axis(2)?, axis(3)?, axis(4)?))
            }
            HostOp::UnsliceAxis => args.linear(|a| {
                a.unslice_axis(axis(1)?, axis(2)?, axis(3)?, axis(4)?, &args.array(5)?)
            }),
            // In derivatives, what replaces zeros is zeros.
            HostOp::ReplaceAxis => args.linear(|a| {
                let range = (axis(2)?, axis(3)?, axis(4)?);
                a.clone().replaced(axis(1)?, range, &args.array(5)?)
            }),
            HostOp::Permute => args.linear(|a| a.permute(&args.list(1))),
            HostOp::Unpermute => args.linear(|a| a.unpermute(&args.list(1))),
            HostOp::IndexAlong => {
                let like = args.array(2)?;
                let made = args.array(0)?.index_along(axis(1)?, like.shape());
                made.map(Outcome::Array)
            }
            HostOp::Unflatten => args.linear(|a| a.unflatten(axis(1)?, args.array(2)?.shape())),
            HostOp::InsertAxis => args.linear(|a| a.insert_axis(axis(1)?, axis(2)?)),
            HostOp::MergeAxes => args.linear(|a| a.merge_axes(&args.list(1))),
            HostOp::UnmergeAxes => args.linear(|a| a.unmerge_axes(&args.array(1)?, &args.list(2))),
            HostOp::Arange | HostOp::Eye => {
                let Type::Array(&ty) = args.site.ret else {
                    return Err(Error::Internal("an array is made of no type".into()));
                };
                let make = match args.op {
                    HostOp::Eye => Tensor::eye,
                    _ => Tensor::arange,
                };
                make(&self.device()?, args.word(0)?, ty, axis(1)?).map(Outcome::Array)
            }
            HostOp::Cumsum => args.linear(|a| a.cumsum(axis(1)?)),
            HostOp::SplitExtent => {
                let extent = args.array(0)?.split_extent(axis(1)?, axis(2)?)?;
                Ok(Outcome::Word(extent as u64))
            }
            HostOp::SplitTotal => {
                let extent = args.array(0)?.split_total(axis(1)?, axis(2)?)?;
                Ok(Outcome::Word(extent as u64))
            }
            HostOp::Narrow => args.linear(|a| a.narrow(axis(1)?, axis(2)?, axis(3)?)),
            HostOp::NarrowLike => args.linear(|a| {
                let count = args.array(3)?.dim(axis(1)?)?;
                a.narrow(axis(1)?, axis(2)?, count)
            }),
            HostOp::Place => args.linear(|a| a.place(axis(1)?, axis(2)?, &args.array(3)?)),
            HostOp::Pad => args.linear(|a| a.pad(axis(1)?, axis(2)?, axis(3)?, 0)),
            HostOp::Concat => {
                let parts = [args.array(0)?, args.array(1)?];
                Tensor::concat("concat", &parts, axis(2)?).map(Outcome::Array)
            }
            HostOp::SwapAxes => args.linear(|a| a.swap_axes(axis(1)?, axis(2)?)),
            HostOp::ExpandDims => args.linear(|a| a.expand_dims(axis(1)?)),
            HostOp::Squeeze => args.linear(|a| a.squeeze(axis(1)?)),
            HostOp::Flip => args.linear(|a| a.flip(axis(1)?)),
            HostOp::Roll => args.linear(|a| a.roll(axis(1)?, (args.word(2)? as i64).into())),
            HostOp::ReshapeLike => args.linear(|a| a.reshape(args.array(1)?.shape())),
            HostOp::BroadcastLike => {
                args.linear(|a| a.broadcast_to("broadcast_to", args.array(1)?.shape()))
            }
            HostOp::Flatten => args.linear(|a| a.reshape(&[a.len()])),
            HostOp::Sum => args.linear(Tensor::sum),
            HostOp::Mean => args.linear(Tensor::mean),
            HostOp::SumAxis => args.linear(|a| a.sum_axis(axis(1)?)),
            HostOp::MaxAxis => args.array(0)?.max_axis(axis(1)?).map(Outcome::Array),
            HostOp::Expand => args.linear(|a| a.expand(&args.array(1)?)),
            HostOp::ExpandAxis => args.linear(|a| a.expand_axis(&args.array(1)?, axis(2)?)),
            HostOp::Gather => args.linear(|a| a.gather(axis(1)?, &args.array(2)?)),
            HostOp::ScatterAdd => {
                args.linear(|a| a.scatter_add(axis(1)?, &args.array(2)?, &args.array(3)?))
            }
            HostOp::Softmax => args.array(0)?.softmax(axis(1)?).map(Outcome::Array),
            HostOp::LogSoftmax => args.array(0)?.log_softmax(axis(1)?).map(Outcome::Array),
            HostOp::Numel => {
                let a = args.array(0)?;
                let count = a.len();
                let bits = match a.ty() {
                    Type::I32 | Type::U32 => Ok(count as u32 as u64),
                    float => float_bits(count as f64, float),
                };
                bits.map(Outcome::Word)
            }
            HostOp::Dim => {
                let extent = args.array(0)?.dim(axis(1)?)?;
                Ok(Outcome::Word(extent as u64))
            }
            HostOp::Unbroadcast => args.linear(|a| a.unbroadcast(&args.array(1)?)),
            // An absent array is zeros; so are the bits of 0.0.
            HostOp::SumToScalar => match args.optional(0)? {
                Some(a) => a.sum()?.item().map(Outcome::Word),
                None => Ok(Outcome::Word(0)),
            },
            HostOp::Accumulate => Ok(match (args.optional(0)?, args.optional(1)?) {
                (Some(a), Some(b)) => Outcome::Array(a.accumulate(&b)?),
                (Some(one), None) | (None, Some(one)) => Outcome::Array(one),
                (None, None) => Outcome::Absent,
            }),
            HostOp::OrZeros => match (args.optional(0)?, args.optional(1)?) {
                (Some(a), Some(like)) if a.shape() != like.shape() => {
                    Err(misshapen(a.shape(), like.shape()))
                }
                (Some(a), _) => Ok(Outcome::Array(a)),
                (None, Some(like)) => args.full_like(0, &like).map(Outcome::Array),
                // What a variant without the array holds in the array's place is absent, and so is its cotangent.
                (None, None) => Ok(Outcome::Absent),
            },
            HostOp::Item => args.array(0)?.item().map(Outcome::Word),
            HostOp::SameShape => args.linear(|a| {
                let like = args.array(1)?;
                match a.shape() == like.shape() {
                    true => Ok(a.clone()),
                    false => Err(args.other_shape(a.shape(), like.shape())),
                }
            }),
            HostOp::FullLike => {
                let value = args.word(0)?;
                args.full_like(value, &args.array(1)?).map(Outcome::Array)
            }
            HostOp::FromSlice | HostOp::Overwrite => Err(Error::Internal(format!(
                "{}: only compiled code's own memory has slices",
                args.op.name()
            ))),
        }
    }
}

/// The error for a cotangent or a tangent of another shape than its array's. It is found where the array is an argument or a result of the program.
fn misshapen(found: &[usize], like: &[usize]) -> Error {
    Error::Array(format!(
        "a cotangent or a tangent has shape {found:?}, and its array shape {like:?}: the rule of a function that is called gives the wrong shape. \
         `Context::builder().debug(true)` finds which"
    ))
}

/// The arguments of one operation.
struct Arguments<'a> {
    host: &'a ArrayHost,
    op: HostOp,
    site: &'a Site,
    args: &'a [u64],
}

impl Arguments<'_> {
    fn word(&self, n: usize) -> Result<u64> {
        let missing = || Error::Internal(format!("{} has no argument {n}", self.op.name()));
        self.args.get(n).copied().ok_or_else(missing)
    }
    /// The shape or the list of axes from argument `n` on.
    fn list(&self, n: usize) -> SmallVec<[usize; 8]> {
        self.args
            .iter()
            .skip(n)
            .map(|&word| word as usize)
            .collect()
    }
    fn optional(&self, n: usize) -> Result<Option<Tensor>> {
        match self.site.params.get(n) {
            Some(Type::Array(_)) => self.host.get(self.word(n)?),
            found => Err(Error::Internal(format!(
                "argument {n} of {} is {found:?}: expected an array",
                self.op.name()
            ))),
        }
    }
    /// One value everywhere in the shape of an array, of the type of the first argument.
    fn full_like(&self, bits: u64, like: &Tensor) -> Result<Tensor> {
        let first = self.site.params.first().copied().unwrap_or(Type::UNIT);
        let ty = first.element().unwrap_or(first);
        Tensor::full(like.device(), bits, ty, like.shape())
    }
    fn array(&self, n: usize) -> Result<Tensor> {
        self.optional(n)?.ok_or_else(|| absent(self.op.name()))
    }
    /// The error for a cotangent or a tangent of another shape than its array's.
    fn other_shape(&self, found: &[usize], like: &[usize]) -> Error {
        let SiteOp::SameShape(ShapeCheck { rule, checked }) = self.site.op else {
            return misshapen(found, like);
        };
        let what = match checked {
            Checked::Seed => format!("the pullback of `{rule}` is given a cotangent"),
            Checked::Cotangent(n) => {
                format!("the pullback of `{rule}` gives its argument {n} a cotangent")
            }
            Checked::Direction(n) => format!("`{rule}` is given, for its argument {n}, a tangent"),
            Checked::Tangent(n) => format!("`{rule}` gives, for its argument {n}, a tangent"),
        };
        Error::Array(format!(
            "debug: {what} of shape {found:?}, expected {like:?}"
        ))
    }
    /// An operation that is linear in its first argument: absent if that is.
    fn linear(&self, f: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<Outcome> {
        match self.optional(0)? {
            Some(a) => f(&a).map(Outcome::Array),
            None => Ok(Outcome::Absent),
        }
    }
    /// An operation that is linear in each of two arguments: absent if one is.
    fn bilinear(&self, f: impl FnOnce(&Tensor, &Tensor) -> Result<Tensor>) -> Result<Outcome> {
        match (self.optional(0)?, self.optional(1)?) {
            (Some(a), Some(b)) => f(&a, &b).map(Outcome::Array),
            _ => Ok(Outcome::Absent),
        }
    }
}

fn absent(operation: &str) -> Error {
    Error::Internal(format!("{operation} was given an absent array"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::{Args, Program};
    use crate::ir::{Callee, Function, Module, Op, Prim, Symbol, Terminator};
    use crate::registry::Registry;
    use std::sync::Arc;

    const PLACE: Span = Span {
        file: "loss.rs",
        line: 3,
        column: 5,
        method: "",
    };

    /// An argument of an operation.
    #[derive(Clone, Copy)]
    enum Given<'a> {
        A(&'a Array<f32>),
        U(&'a Array<u32>),
        Null,
        F(f32),
        N(usize),
    }
    use Given::*;

    impl Given<'_> {
        fn ty(self) -> Type {
            match self {
                A(_) | Null => Type::array(Type::F32),
                U(_) => Type::array(Type::U32),
                F(_) => Type::F32,
                N(_) => Type::Usize,
            }
        }
        fn push(self, args: &mut Args, host: &ArrayHost) {
            match self {
                A(a) => args.array::<f32>(host.give(a).unwrap()),
                U(u) => args.array::<u32>(host.give(u).unwrap()),
                Null => args.array::<f32>(ABSENT),
                F(x) => args.scalar(x),
                N(n) => args.scalar(n),
            }
        }
    }

    /// Compiles a function that does one operation, and runs it.
    fn run(op: Op, given: &[Given], ret: Type, read: impl Fn(&ArrayHost, u64)) -> Result<()> {
        let types: Vec<Type> = given.iter().map(|g| g.ty()).collect();
        let mut function = Function::new(Symbol::new("f"), &types, ret);
        let (entry, mut values) = (function.entry(), function.params().to_vec());
        if matches!(op, Op::Call(Callee::Host(op)) if op.takes_shape()) {
            let first = types
                .iter()
                .position(|ty| !ty.is_array() && *ty != Type::F32);
            let first = first.unwrap_or(types.len());
            let dims = values.split_off(first);
            let ty = Type::tuple(&types[first..]);
            values.push(function.append(entry, Op::Prim(Prim::Tuple), &dims, ty, PLACE));
        }
        let result = function.append(entry, op, &values, ret, PLACE);
        function.blocks[entry].terminator = Terminator::Return(result);
        let module = Module::new(function);
        let program = Program::compile(&module, &Arc::new(Registry::default()), &[module.root])?;
        let (host, mut args, mut results) = (ArrayHost::new(), Args::new(), [0]);
        given.iter().for_each(|g| g.push(&mut args, &host));
        program.call(0, &args, &mut results, &host)?;
        read(&host, results[0]);
        Ok(())
    }

    #[track_caller]
    fn gives(op: HostOp, given: &[Given], shape: &[usize], data: &[f32]) {
        gives_elements(op, given, shape, data);
    }

    #[track_caller]
    fn gives_elements<T: Element>(op: HostOp, given: &[Given], shape: &[usize], data: &[T]) {
        let ret = Type::array(T::TYPE);
        let read = |host: &ArrayHost, handle| {
            let array = host.take::<T>(handle).unwrap().expect("an array");
            assert_eq!((array.shape(), &array.to_vec().unwrap()[..]), (shape, data));
        };
        run(Op::Call(op.into()), given, ret, read).unwrap();
    }

    #[track_caller]
    fn gives_absent(op: HostOp, given: &[Given]) {
        let read = |_: &ArrayHost, handle| assert_eq!(handle, ABSENT);
        let ret = Type::array(Type::F32);
        run(Op::Call(op.into()), given, ret, read).unwrap();
    }

    #[track_caller]
    fn gives_word(op: HostOp, given: &[Given], ret: Type, expected: u64) {
        let read = |_: &ArrayHost, word| assert_eq!(word, expected);
        run(Op::Call(op.into()), given, ret, read).unwrap();
    }

    fn array(data: &[f32], shape: &[usize]) -> Array<f32> {
        Array::from_vec_on(&Device::cpu(), data.to_vec(), shape)
    }

    fn indices(data: &[u32], shape: &[usize]) -> Array<u32> {
        Array::from_vec_on(&Device::cpu(), data.to_vec(), shape)
    }

    #[test]
    fn every_operation_runs_from_compiled_code() {
        let m = &array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]);
        let row = &array(&[1.0, 10.0, 100.0], &[3]);
        let one = &array(&[7.0], &[1]);
        let index = &indices(&[2, 2, 0, 1], &[2, 2]);
        let g = &array(&[1.0, 2.0, 3.0, 4.0], &[2, 2]);
        let (half, ln2) = (&array(&[0.0, 0.0], &[2]), -std::f32::consts::LN_2);
        let bits = |x: f32| u64::from(x.to_bits());
        for &op in HostOp::ALL {
            match op {
                HostOp::Matmul => gives(
                    op,
                    &[A(m), A(&row.reshape([3, 1]))],
                    &[2, 1],
                    &[321.0, 654.0],
                ),
                HostOp::MatmulNt => gives(
                    op,
                    &[A(m), A(&row.reshape([1, 3]))],
                    &[2, 1],
                    &[321.0, 654.0],
                ),
                HostOp::MatmulTn => gives(
                    op,
                    &[A(m), A(m)],
                    &[3, 3],
                    &[17.0, 22.0, 27.0, 22.0, 29.0, 36.0, 27.0, 36.0, 45.0],
                ),
                HostOp::Transpose => gives(op, &[A(m)], &[3, 2], &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]),
                HostOp::Reshape => gives(
                    op,
                    &[A(m), N(3), N(2)],
                    &[3, 2],
                    &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
                ),
                HostOp::ReshapeLike => gives(
                    op,
                    &[A(row), A(&row.reshape([3, 1]))],
                    &[3, 1],
                    &[1.0, 10.0, 100.0],
                ),
                HostOp::BroadcastLike => gives(op, &[A(one), A(row)], &[3], &[7.0; 3]),
                HostOp::Flatten => {
                    gives(op, &[A(m)], &[6], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
                    gives_absent(op, &[Null]);
                }
                HostOp::Sum => gives(op, &[A(m)], &[], &[21.0]),
                HostOp::Mean => gives(op, &[A(m)], &[], &[3.5]),
                HostOp::SumAxis => gives(op, &[A(m), N(0)], &[3], &[5.0, 7.0, 9.0]),
                HostOp::MaxAxis => gives(op, &[A(m), N(1)], &[2], &[3.0, 6.0]),
                HostOp::Expand => gives(op, &[A(one), A(row)], &[3], &[7.0; 3]),
                HostOp::ExpandAxis => gives(
                    op,
                    &[A(row), A(m), N(0)],
                    &[2, 3],
                    &[1.0, 10.0, 100.0, 1.0, 10.0, 100.0],
                ),
                HostOp::Gather => {
                    gives(op, &[A(m), N(1), U(index)], &[2, 2], &[3.0, 3.0, 4.0, 5.0])
                }
                HostOp::ScatterAdd => gives(
                    op,
                    &[A(g), N(1), U(index), A(m)],
                    &[2, 3],
                    &[0.0, 0.0, 3.0, 3.0, 4.0, 0.0],
                ),
                HostOp::Softmax => gives(op, &[A(half), N(0)], &[2], &[0.5, 0.5]),
                HostOp::LogSoftmax => gives(op, &[A(half), N(0)], &[2], &[ln2, ln2]),
                HostOp::Numel => gives_word(op, &[A(m)], Type::F32, bits(6.0)),
                HostOp::Dim => gives_word(op, &[A(m), N(1)], Type::Usize, 3),
                HostOp::Unbroadcast => {
                    gives(op, &[A(m), A(row)], &[3], &[5.0, 7.0, 9.0]);
                    gives(op, &[A(m), A(one)], &[1], &[21.0]);
                    gives(
                        op,
                        &[A(m), A(&array(&[0.0; 2], &[2, 1]))],
                        &[2, 1],
                        &[6.0, 15.0],
                    );
                    gives_absent(op, &[Null, A(row)]);
                }
                HostOp::SumToScalar => {
                    gives_word(op, &[A(m)], Type::F32, bits(21.0));
                    gives_word(op, &[Null], Type::F32, 0);
                }
                HostOp::Accumulate => {
                    gives(op, &[A(row), A(row)], &[3], &[2.0, 20.0, 200.0]);
                    gives(op, &[A(row), Null], &[3], &[1.0, 10.0, 100.0]);
                    gives(op, &[Null, A(row)], &[3], &[1.0, 10.0, 100.0]);
                    gives_absent(op, &[Null, Null]);
                }
                HostOp::OrZeros => {
                    gives(op, &[Null, A(row)], &[3], &[0.0; 3]);
                    gives(op, &[A(one), A(one)], &[1], &[7.0]);
                    gives_absent(op, &[Null, Null]);
                }
                HostOp::Ndim => gives_word(op, &[A(m)], Type::Usize, 2),
                HostOp::Full => gives(op, &[F(1.5), N(2), N(1)], &[2, 1], &[1.5; 2]),
                HostOp::BroadcastTo => {
                    gives(op, &[A(one), N(2), N(1)], &[2, 1], &[7.0; 2]);
                    gives_absent(op, &[Null, N(2), N(1)]);
                }
                HostOp::SliceAxis => {
                    gives(
                        op,
                        &[A(m), N(1), N(0), N(3), N(2)],
                        &[2, 2],
                        &[1.0, 3.0, 4.0, 6.0],
                    );
                    gives_absent(op, &[Null, N(1), N(0), N(3), N(2)]);
                }
                HostOp::UnsliceAxis => gives(
                    op,
                    &[A(g), N(1), N(0), N(3), N(2), A(m)],
                    &[2, 3],
                    &[1.0, 0.0, 2.0, 3.0, 0.0, 4.0],
                ),
                HostOp::ReplaceAxis => gives(
                    op,
                    &[A(m), N(1), N(0), N(3), N(2), A(g)],
                    &[2, 3],
                    &[1.0, 2.0, 2.0, 3.0, 5.0, 4.0],
                ),
                HostOp::Permute | HostOp::Unpermute => gives(
                    op,
                    &[A(m), N(1), N(0)],
                    &[3, 2],
                    &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0],
                ),
                HostOp::IndexAlong => {
                    let line = &indices(&[2, 0], &[2]);
                    gives_elements(op, &[U(line), N(1), A(m)], &[2, 2], &[2u32, 0, 2, 0]);
                    gives_elements(op, &[U(index), N(1), A(m)], &[2, 2], &[2u32, 2, 0, 1]);
                }
                HostOp::Unflatten => {
                    let column = &indices(&[0; 3], &[3, 1]);
                    let given = [A(row), N(0), U(column)];
                    gives(op, &given, &[3, 1], &[1.0, 10.0, 100.0]);
                    gives_absent(op, &[Null, N(0), U(index)]);
                }
                HostOp::InsertAxis => gives(op, &[A(one), N(0), N(2)], &[2, 1], &[7.0; 2]),
                HostOp::MergeAxes => gives(
                    op,
                    &[A(m), N(1), N(0)],
                    &[6],
                    &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0],
                ),
                HostOp::UnmergeAxes => gives(
                    op,
                    &[
                        A(&array(&[1.0, 4.0, 2.0, 5.0, 3.0, 6.0], &[6])),
                        A(m),
                        N(1),
                        N(0),
                    ],
                    &[2, 3],
                    &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
                ),
                HostOp::Arange => gives(op, &[F(1.5), N(3)], &[3], &[1.5, 2.5, 3.5]),
                HostOp::Eye => gives(op, &[F(2.0), N(2)], &[2, 2], &[2.0, 0.0, 0.0, 2.0]),
                HostOp::Cumsum => {
                    gives(op, &[A(m), N(0)], &[2, 3], &[1.0, 2.0, 3.0, 5.0, 7.0, 9.0])
                }
                HostOp::SplitExtent => {
                    gives_word(op, &[A(m), N(1), N(3)], Type::Usize, 1);
                }
                HostOp::SplitTotal => {
                    gives_word(op, &[A(m), N(1), N(3)], Type::Usize, 3);
                }
                HostOp::Narrow => {
                    gives(
                        op,
                        &[A(m), N(1), N(1), N(2)],
                        &[2, 2],
                        &[2.0, 3.0, 5.0, 6.0],
                    );
                    gives_absent(op, &[Null, N(1), N(1), N(2)]);
                }
                HostOp::NarrowLike => gives(
                    op,
                    &[A(m), N(1), N(1), A(g)],
                    &[2, 2],
                    &[2.0, 3.0, 5.0, 6.0],
                ),
                HostOp::Place => gives(
                    op,
                    &[A(g), N(1), N(1), A(m)],
                    &[2, 3],
                    &[0.0, 1.0, 2.0, 0.0, 3.0, 4.0],
                ),
                HostOp::Pad => gives(op, &[A(one), N(0), N(1), N(2)], &[4], &[0.0, 7.0, 0.0, 0.0]),
                HostOp::Concat => {
                    gives(op, &[A(row), A(one), N(0)], &[4], &[1.0, 10.0, 100.0, 7.0])
                }
                HostOp::SwapAxes => gives(
                    op,
                    &[A(m), N(0), N(1)],
                    &[3, 2],
                    &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0],
                ),
                HostOp::ExpandDims => gives(op, &[A(row), N(1)], &[3, 1], &[1.0, 10.0, 100.0]),
                HostOp::Squeeze => gives(op, &[A(one), N(0)], &[], &[7.0]),
                HostOp::Flip => gives(op, &[A(row), N(0)], &[3], &[100.0, 10.0, 1.0]),
                HostOp::Roll => gives(op, &[A(row), N(0), N(4)], &[3], &[100.0, 1.0, 10.0]),
                HostOp::Item => gives_word(op, &[A(one)], Type::F32, bits(7.0)),
                HostOp::FullLike => gives(op, &[F(2.5), A(row)], &[3], &[2.5; 3]),
                HostOp::SameShape => gives(op, &[A(row), A(row)], &[3], &[1.0, 10.0, 100.0]),
                // `exec::elements` does these.
                HostOp::FromSlice | HostOp::Overwrite => {}
            }
        }
    }

    #[test]
    fn what_is_linear_keeps_an_absent_array() {
        let m = &array(&[1.0; 4], &[2, 2]);
        gives_absent(HostOp::MatmulNt, &[Null, A(m)]);
        gives_absent(HostOp::MatmulTn, &[A(m), Null]);
        gives_absent(HostOp::Transpose, &[Null]);
        gives_absent(HostOp::ExpandAxis, &[Null, A(m), N(0)]);
        let ret = Type::array(Type::F32);
        let error = run(Op::Map(Symbol::new("sqrt")), &[Null], ret, |_, _| {}).unwrap_err();
        assert!(matches!(error, Error::Internal(_)), "{error}");
    }

    #[test]
    fn maps_take_arrays_and_scalars() {
        let m = &array(&[1.0, 4.0, 9.0, 16.0], &[2, 2]);
        let ret = Type::array(Type::F32);
        let check = |name: &str, given: &[Given], expected: &[f32]| {
            let read = |host: &ArrayHost, handle| {
                let array = host.take::<f32>(handle).unwrap().unwrap();
                assert_eq!(array.to_vec().unwrap(), expected);
            };
            run(Op::Map(Symbol::new(name)), given, ret, read).unwrap();
        };
        check("sqrt", &[A(m)], &[1.0, 2.0, 3.0, 4.0]);
        check("sub", &[F(1.0), A(m)], &[0.0, -3.0, -8.0, -15.0]);
        check("copysign", &[A(&m.sum_axis(0)), F(-1.0)], &[-10.0, -20.0]);
    }

    #[test]
    fn errors_name_the_place() {
        let m = &array(&[1.0; 6], &[2, 3]);
        let op = Op::Call(HostOp::Matmul.into());
        let error = run(op, &[A(m), A(m)], Type::array(Type::F32), |_, _| {}).unwrap_err();
        assert_eq!(
            error.to_string(),
            "matmul: found shapes [2, 3] and [2, 3]: expected matrices with equal inner extents\n  --> loss.rs:3:5"
        );
    }
}
