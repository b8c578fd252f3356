//! Kernels of single operations, which a program has asked for by themselves (`reduce`, `scatter`), kept for the next call.
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
pub trait Single: Clone + Eq + Hash {
    /// What says which body and which kind of output the kernel has.
    type Operation: Copy + PartialEq;

    /// Which operation it is.
    fn operation(&self) -> Self::Operation;
    /// Whether the host runs it, and not a device.
    fn on_host(&self) -> bool;
    /// The extents of the rows, that of the columns, and the inputs.
    fn extents(&self) -> (PerAxis<usize>, usize, Vec<Input>);
    /// The one output.
    fn output(&self) -> Output;
    /// The body, with the scalar functions of a registry.
    fn body(&self, registry: &Arc<Registry>) -> Result<Function>;
}

/// A kernel that is kept.
#[derive(Clone)]
pub enum Kept {
    /// Of the host.
    Lanes(Arc<LaneKernel>),
    /// Of devices.
    Program(Arc<KernelProgram>),
}

/// The error of a kernel that was kept for another device.
pub fn misplaced() -> Error {
    Error::Internal("a kernel was kept for another device".into())
}

/// The kernels that are kept.
pub struct Table<K: Single>(Mutex<Kernels<K>>);

struct Kernels<K: Single> {
    all: FxHashMap<K, Kept>,
    /// Those of the host that were compiled. They serve all extents, so there are few.
    compiled: Vec<(K::Operation, Arc<LaneKernel>)>,
}

/// When there are so many, all are made anew.
const MOST_KEPT: usize = 1 << 12;

impl<K: Single> Table<K> {
    /// A table without kernels.
    pub const fn new() -> Table<K> {
        Table(Mutex::new(Kernels {
            all: FxHashMap::with_hasher(FxBuildHasher),
            compiled: Vec::new(),
        }))
    }

    fn kernels(&self) -> MutexGuard<'_, Kernels<K>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The kernel that is known by a key. The first call makes it.
    pub fn kernel(&self, key: K) -> Result<Kept> {
        if let Some(found) = self.kernels().all.get(&key) {
            return Ok(found.clone());
        }
        let made = self.make(&key)?;
        let mut kernels = self.kernels();
        if kernels.all.len() >= MOST_KEPT {
            kernels.all.clear();
        }
        kernels.all.insert(key, made.clone());
        Ok(made)
    }

    #[cold]
    fn make(&self, key: &K) -> Result<Kept> {
        let (operation, output) = (key.operation(), key.output());
        let (rows, columns, inputs) = key.extents();
        let resized = |(own, compiled): &(K::Operation, Arc<LaneKernel>)| match *own == operation {
            true => compiled.resized(&rows, columns, &inputs, output.scatter()),
            false => None,
        };
        if key.on_host()
            && let Some(found) = self.kernels().compiled.iter().find_map(resized)
        {
            return Ok(Kept::Lanes(Arc::new(found)));
        }
        let registry = kernels::linked();
        let kernel = Kernel {
            rows,
            columns,
            inputs,
            outputs: vec![output],
            body: key.body(registry)?,
        };
        if cfg!(debug_assertions) {
            crate::kernel::check(&kernel, &|name, types| registry.call_type(name, types))?;
        }
        if !key.on_host() {
            let program = KernelProgram::new(kernel, registry.clone());
            return Ok(Kept::Program(Arc::new(program)));
        }
        let made = Arc::new(LaneKernel::compile(kernel, registry)?);
        self.kernels().compiled.push((operation, made.clone()));
        Ok(Kept::Lanes(made))
    }
}
