//! Kernels of single operations, which a program has asked for by themselves (`reduce`, `scatter`, `cpu::map`), kept for the next call.
//!
//! A kernel is known by its extents and strides ([`Single`]). On the host the machine code of one kernel serves others as well
//! ([`LaneKernel::resized`]), so an array of a new length is not a reason to compile.

use super::backend::KernelProgram;
use super::kernels;
use crate::diag::{Error, Result};
use crate::exec::LaneKernel;
use crate::ir::Function;
use crate::kernel::{Input, Kernel, Output, PerAxis};
use crate::registry::Registry;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The kernel of one operation, for arrays that lie in a certain way.
pub trait Single {
    /// What the kernel is known by in its table.
    type Key: Clone + Eq + Hash;
    /// What says which body and which kinds of outputs the kernel has, among those of a table.
    type Operation: Copy + PartialEq;

    /// What it is known by.
    fn key(&self) -> &Self::Key;
    /// Which operation it is.
    fn operation(&self) -> Self::Operation;
    /// Whether the host runs it, and not a device.
    fn on_host(&self) -> bool;
    /// The extents of the rows, that of the columns, and the inputs.
    fn extents(&self) -> (PerAxis<usize>, usize, Vec<Input>);
    /// The outputs.
    fn outputs(&self) -> Vec<Output>;
    /// The scalar functions that the body may call.
    fn registry(&self) -> &Arc<Registry> {
        kernels::linked()
    }
    /// The body.
    fn body(&self) -> Result<Arc<Function>>;
}

/// A kernel that is kept.
#[derive(Clone)]
pub enum Kept {
    /// Of the host.
    Lanes(Arc<LaneKernel>),
    /// Of devices.
    Program(Arc<KernelProgram>),
}

/// A table for the operations of all programs keeps so many kernels.
pub const MOST_KEPT: usize = 1 << 12;

/// The error of a kernel that was kept for another device.
pub fn misplaced() -> Error {
    Error::Internal("a kernel was kept for another device".into())
}

/// The kernels that are kept, by what they are known by and by their operations.
pub struct Table<K, O> {
    kernels: Mutex<Kernels<K, O>>,
    /// When there are so many, all are made anew.
    most: usize,
}

struct Kernels<K, O> {
    all: FxHashMap<K, Kept>,
    /// Those of the host that were compiled. They serve all extents, so there are few.
    compiled: Vec<(O, Arc<LaneKernel>)>,
}

impl<K: Clone + Eq + Hash, O: Copy + PartialEq> Table<K, O> {
    /// A table without kernels, which keeps at most so many.
    pub const fn new(most: usize) -> Table<K, O> {
        Table {
            kernels: Mutex::new(Kernels {
                all: FxHashMap::with_hasher(FxBuildHasher),
                compiled: Vec::new(),
            }),
            most,
        }
    }

    fn kernels(&self) -> MutexGuard<'_, Kernels<K, O>> {
        self.kernels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many kernels of the host were compiled.
    #[cfg(test)]
    pub fn compilations(&self) -> usize {
        self.kernels().compiled.len()
    }

    /// The kernel of an operation. The first call makes it.
    pub fn kernel(&self, single: &impl Single<Key = K, Operation = O>) -> Result<Kept> {
        if let Some(found) = self.kernels().all.get(single.key()) {
            return Ok(found.clone());
        }
        let made = self.make(single)?;
        let mut kernels = self.kernels();
        if kernels.all.len() >= self.most {
            kernels.all.clear();
        }
        kernels.all.insert(single.key().clone(), made.clone());
        Ok(made)
    }

    #[cold]
    fn make(&self, single: &impl Single<Key = K, Operation = O>) -> Result<Kept> {
        let (operation, outputs) = (single.operation(), single.outputs());
        let (rows, columns, inputs) = single.extents();
        let scatter = outputs.first().and_then(|output| output.scatter());
        let resized = |(own, compiled): &(O, Arc<LaneKernel>)| match *own == operation {
            true => compiled.resized(&rows, columns, &inputs, scatter),
            false => None,
        };
        if single.on_host()
            && let Some(found) = self.kernels().compiled.iter().find_map(resized)
        {
            return Ok(Kept::Lanes(Arc::new(found)));
        }
        let registry = single.registry();
        let kernel = Kernel {
            rows,
            columns,
            inputs,
            outputs,
            body: single.body()?,
        };
        // Views that repeat elements may have more of them than there is memory for, and so may results.
        crate::kernel::check(&kernel, &|name, types| registry.call_type(name, types))?;
        if !single.on_host() {
            let program = KernelProgram::new(kernel, registry.clone());
            return Ok(Kept::Program(Arc::new(program)));
        }
        let made = Arc::new(LaneKernel::compile(kernel, registry)?);
        self.kernels().compiled.push((operation, made.clone()));
        Ok(Kept::Lanes(made))
    }
}
