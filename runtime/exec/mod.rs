//! Running compiled code.
//!
//! A [`Program`] is immutable and shared; each call gets a frame of its own from the program's pool: the tape, the
//! objects, and what failed. So a program is re-entrant, runs on many threads at once, and an error half-way leaves nothing
//! behind. Array operations leave compiled code through the [`Host`] that the caller brings; this module does not
//! know arrays.
//!
//! Calls are safe: arguments carry their types and borrows ([`Args`]), which are compared with the program's. What
//! compiled code does with them rests on the IR's guards.
//!
//! A function that a module only declares is another program's: an [`OnDemand`] makes it when a call first comes to it, and it runs
//! on the frame of the call.
//!
//! A call of a parallel function (`ir::Function::parallel`) leaves compiled code too: threads share its iterations, each on a frame of its own ([`parallel`]).
//!
//! Arguments and results that are objects live in the frame: [`Program::start`] takes a frame, [`Halves::objects`] makes
//! objects on it and reads them.

mod arena;
mod args;
mod asked;
mod behind;
mod elements;
mod fault;
mod flush;
mod frame;
pub mod gemm;
mod kernel;
mod lanes;
mod native;
mod objects;
mod parallel;
mod pool;
mod stack;
mod tape;
pub mod threads;
pub mod transpose;

pub use crate::codegen::cpu::{ScalarFunction, Site, SiteOp};
pub use args::{Args, Leaf, NumberArgs, Scalar};
pub use asked::{Asked, AskedAlone, PackFunction, PackFunctions};
pub use behind::{Behind, BehindMut};
pub use kernel::{Input, MapKernel, Output};
pub use lanes::{LaneKernel, Source};
pub use native::{HostMemory, KernelCall, Lent};
pub use objects::{Address, Objects};

use crate::codegen::cpu::{self, Code, Root};
use crate::diag::{Error, Result};
use crate::ir::{Module, Origin, Signature, Symbol, Type};
use crate::plugin::{Made, MadeElements, check_faults};
use crate::registry::{Kernel, Registry};
use frame::Frame;
use pool::{IDLE_FRAMES, Pool};
use smallvec::SmallVec;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

/// Does array operations for compiled code.
pub trait Host {
    /// Does the operation of a site: arguments and results are words, arrays are this host's handles.
    fn call(&self, site: &Site, args: &[u64], results: &mut [u64]) -> Result<()>;
    /// Lends an array to the function of a pack.
    fn lend(&self, array: u64, function: Symbol) -> Result<Lent> {
        Err(Error::Internal(format!(
            "`{function}` takes the array {array} of a call without arrays"
        )))
    }
    /// Runs a kernel for these arguments, types and words, where their arrays are. Gives the handles of the results; `None` if they are in
    /// the host's memory.
    fn dispatch(
        &self,
        _kernel: &Kernel,
        _call: &KernelCall<'_>,
    ) -> Result<Option<SmallVec<[u64; 2]>>> {
        Ok(None)
    }
    /// Takes an array that the function of a pack has made, to where the array `like` is, or, if that is 0, to the host's memory. Gives
    /// its handle.
    fn adopt(&self, made: Made, like: u64) -> Result<u64> {
        Err(Error::Internal(format!(
            "an array of shape {:?} like {like} in a call without arrays",
            made.shape
        )))
    }
    /// Takes an array that was made from memory to the device of the call. Gives its handle.
    fn take_in(&self, made: Made) -> Result<u64> {
        Err(Error::Internal(format!(
            "an array of shape {:?} in a call without arrays",
            made.shape
        )))
    }
    /// Whether an array is in the host's memory, as those are that the functions of packs make.
    fn is_at_hand(&self, _array: u64) -> bool {
        true
    }
    /// Memory for so many elements of a type, one of the boundary's `DTYPE_*`, that was used before and is free, whatever is in it.
    fn room(&self, _dtype: u32, _count: usize) -> Option<MadeElements> {
        None
    }
    /// Where the table of its arrays ends now.
    fn mark(&self) -> usize {
        0
    }
    /// Forgets the arrays that came into the table since.
    fn release(&self, _mark: usize) {}
    /// A host for another thread that works for the same call. It knows no arrays yet.
    fn for_thread(&self) -> Box<dyn Host + Send> {
        Box::new(NoHost)
    }
}

/// Makes the functions that programs only declare.
pub trait OnDemand: Send + Sync {
    /// The program that has the function of this name, made of another one, and its place among the program's roots. The program lives as long as `self`.
    fn make(&self, name: Symbol, origin: &Origin) -> Result<(Arc<Program>, usize)>;
}

/// The host of programs without arrays.
pub struct NoHost;

impl Host for NoHost {
    fn call(&self, site: &Site, _args: &[u64], _results: &mut [u64]) -> Result<()> {
        let place = site.span;
        Err(Error::Internal(format!(
            "an array operation without a host, at {place}"
        )))
    }
}

/// What a call has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// The most bytes of tape in use at once.
    pub tape_bytes: usize,
    /// The bytes of the objects that it made, those of its arguments included.
    pub object_bytes: usize,
}

/// How many bytes the parts of a frame may hold.
#[derive(Clone, Copy)]
struct Limits {
    tape: usize,
    objects: usize,
}

impl Default for Limits {
    /// More than today's machines have, less than an overflowed size.
    fn default() -> Self {
        Limits {
            tape: 1 << 40,
            objects: 1 << 40,
        }
    }
}

/// Compiled functions, ready to be called from any thread.
pub struct Program {
    code: Code,
    /// No other program has it.
    id: u64,
    pool: Pool,
    /// The functions that it declares, once they are made. Their maker owns them: they may call each other.
    linked: Vec<OnceLock<(Weak<Program>, usize)>>,
    /// Makes them, and those that they declare.
    maker: Option<Arc<dyn OnDemand>>,
}

impl Program {
    /// Compiles functions of a typed module, and everything they call. They are called by their place in `roots`.
    pub fn compile(
        module: &Module,
        registry: &Arc<Registry>,
        roots: &[Symbol],
    ) -> Result<Arc<Program>> {
        Program::with(module, registry, roots, None)
    }

    /// The same, where `maker` makes what the module declares. A program that is itself made by a maker has none: it asks that
    /// of the program that is called from outside.
    pub fn with(
        module: &Module,
        registry: &Arc<Registry>,
        roots: &[Symbol],
        maker: Option<Arc<dyn OnDemand>>,
    ) -> Result<Arc<Program>> {
        let code = cpu::compile(module, registry, roots)?;
        Ok(Program::of(code, maker))
    }

    fn of(code: cpu::Code, maker: Option<Arc<dyn OnDemand>>) -> Arc<Program> {
        static IDS: AtomicU64 = AtomicU64::new(0);
        Arc::new(Program {
            linked: code.declared.iter().map(|_| OnceLock::new()).collect(),
            code,
            id: IDS.fetch_add(1, Ordering::Relaxed),
            pool: Pool::default(),
            maker,
        })
    }

    /// The program and the root behind a function that this one declares, made by the maker of `first`. `None` if there is no such
    /// function.
    fn linked(&self, number: usize, first: &Program) -> Option<Result<(Arc<Program>, usize)>> {
        let (declared, cell) = self
            .code
            .declared
            .get(number)
            .zip(self.linked.get(number))?;
        if let Some((program, root)) = cell.get()
            && let Some(program) = program.upgrade()
        {
            return Some(Ok((program, *root)));
        }
        let (name, signature) = declared;
        let Signature { params, ret, .. } = signature;
        let missing = || Error::Internal(format!("nobody makes @{name}"));
        let maker = first.maker.as_ref().zip(signature.origin.as_ref());
        Some(maker.ok_or_else(missing).and_then(|(maker, origin)| {
            let (program, root) = maker.make(*name, origin)?;
            let made = &program.code.roots[root];
            if (&made.params, &made.ret) != (params, ret) {
                return Err(Error::Internal(format!(
                    "@{name} takes {:?} and gives {}, but was declared to take {params:?} and give {ret}",
                    made.params, made.ret
                )));
            }
            // Another thread may have been faster, with the same.
            let _ = cell.set((Arc::downgrade(&program), root));
            Ok((program, root))
        }))
    }

    /// An error if a pack whose functions it calls has noted a fault. Asked before the code runs, which may not call such a pack again, and afterwards.
    fn check_packs(&self) -> Result<()> {
        check_faults(self.code.packs.iter().copied())
    }

    /// The number of words that a root's result takes.
    #[inline]
    pub fn result_words(&self, root: usize) -> usize {
        self.code.roots[root].words
    }

    /// The type of a root's result.
    pub fn result_type(&self, root: usize) -> Type {
        self.code.roots[root].ret
    }

    /// Calls a root. `results` has room for its words; they mean nothing if this fails.
    pub fn call(
        &self,
        root: usize,
        args: &Args<'_>,
        results: &mut [u64],
        host: &dyn Host,
    ) -> Result<Stats> {
        let name = self.code.roots[root].name;
        self.on_a_frame(name, |frame| self.run(frame, root, args, results, host))
    }

    /// A call on a frame of the pool, and what it has used.
    #[inline]
    fn on_a_frame(
        &self,
        name: Symbol,
        call: impl FnOnce(&mut Frame) -> Result<()>,
    ) -> Result<Stats> {
        let mut frame = self.pool.take();
        let called = call(&mut frame);
        let stats = frame.stats();
        let done = match called {
            Ok(()) => frame.balance(name.as_str()),
            failed => failed,
        };
        self.pool.give(frame);
        done.map(|()| stats)
    }

    /// Starts a call in two halves: what the first leaves on the tape, and the objects it makes, are there for the
    /// second. Also a whole call that has objects among its arguments or results.
    #[inline]
    pub fn start(&self) -> Halves {
        Halves {
            frame: ManuallyDrop::new(self.pool.take()),
            program: self.id,
        }
    }

    fn run(
        &self,
        frame: &mut Frame,
        root: usize,
        args: &Args<'_>,
        results: &mut [u64],
        host: &dyn Host,
    ) -> Result<()> {
        let Root {
            name,
            params,
            ret,
            words,
            entry,
            ..
        } = &self.code.roots[root];
        if args.types() != params.as_slice() || results.len() != *words {
            return Err(Error::Internal(format!(
                "@{name} takes {params:?} and gives {ret}, not {:?} and {} words",
                args.types(),
                results.len()
            )));
        }
        if !args.inside().iter().all(|&(at, n)| frame.contains(at, n)) {
            return Err(Error::Internal(format!(
                "an argument of @{name} is outside the objects of its call"
            )));
        }
        if args.overlap() {
            return Err(Error::Internal(format!(
                "two mutable slices overlap among the arguments of @{name}"
            )));
        }
        // SAFETY: the words are of the types that the root was compiled for, and what they point to is borrowed by `args` as the types say or lies in
        // the frame's objects; there is room for the results.
        unsafe { self.enter(frame, *entry, args.words(), results, host) }
    }

    /// Runs a root's code.
    ///
    /// # Safety
    ///
    /// The words are of the types of the root's parameters, and what they point to is memory of these types that nobody else writes meanwhile. There is room for
    /// the root's results.
    #[inline]
    unsafe fn enter(
        &self,
        frame: &mut Frame,
        entry: cpu::abi::Entry,
        words: &[u64],
        results: &mut [u64],
        host: &dyn Host,
    ) -> Result<()> {
        self.check_packs()?;
        let (words, out) = (words.as_ptr(), results.as_mut_ptr());
        frame.run(self, host, |header| {
            // SAFETY: the code is alive as `self` is. The caller promises the rest.
            unsafe { entry(header, words, out) }
        })?;
        self.check_packs()
    }

    /// Calls a root once for each of these, on several threads, without a host. Each call has a frame of its own.
    pub fn call_each(&self, root: usize, calls: Vec<HalvesCall<'_>>) -> Vec<Result<()>> {
        threads::each(calls.into_iter(), |_, call| {
            (call.halves).call(self, root, call.args, call.results, &NoHost)
        })
    }

    /// Whether it may call the host.
    #[inline]
    pub fn uses_host(&self) -> bool {
        !self.code.sites.is_empty() || !self.code.declared.is_empty()
    }

    /// The arguments of a call of a root with numbers and slices of numbers alone: none yet.
    #[inline]
    pub fn numbers(&self, root: usize) -> NumberArgs<'_, '_> {
        NumberArgs::new(&self.code.roots[root].params)
    }

    /// Calls a root with such arguments. `results` has room for its words; they mean nothing if this fails. `None` if the arguments or the results are
    /// not those of the root.
    pub fn call_numbers(
        &self,
        root: usize,
        args: &NumberArgs<'_, '_>,
        results: &mut [u64],
        host: &dyn Host,
    ) -> Option<Result<Stats>> {
        let root = &self.code.roots[root];
        if !args.are_those_of(&root.params) || results.len() != root.words {
            return None;
        }
        Some(self.on_a_frame(root.name, |frame| {
            // SAFETY: the words are of the types that the root was compiled for, and what they point to is borrowed by `args` as the types say; there is
            // room for the results.
            unsafe { self.enter(frame, root.entry, args.words(), results, host) }
        }))
    }
}

/// A call in two halves on one frame: forward, then pullback. Its tape and its objects live until it is dropped.
pub struct Halves {
    /// The program that it was started for: what it leaves on the tape means nothing to another one.
    program: u64,
    // Taken only by `drop`.
    frame: ManuallyDrop<Box<Frame>>,
}

/// What one of several calls is made with.
pub struct HalvesCall<'c> {
    /// The frame.
    pub halves: &'c mut Halves,
    /// The arguments, which the caller has lent until all of the calls are over.
    pub args: &'c Args<'c>,
    /// Room for the words of the result.
    pub results: &'c mut [u64],
}

impl Halves {
    /// Calls a root of the program, on this call's frame.
    pub fn call(
        &mut self,
        program: &Program,
        root: usize,
        args: &Args<'_>,
        results: &mut [u64],
        host: &dyn Host,
    ) -> Result<()> {
        if program.id != self.program {
            let message = "a call was started for another program";
            return Err(Error::Internal(message.to_owned()));
        }
        let done = program.run(&mut self.frame, root, args, results, host);
        program.pool.claim(&mut self.frame);
        done
    }
    /// The objects of this call, those that compiled code has made included.
    pub fn objects(&mut self) -> Objects<'_> {
        Objects {
            frame: &mut self.frame,
        }
    }
    /// What it has used so far.
    pub fn stats(&self) -> Stats {
        self.frame.stats()
    }
    /// Whether what was pushed on the tape has been popped, as it must be once the last half of the program has run.
    pub fn balance(&self, program: &Program) -> Result<()> {
        let last = program.code.roots.last();
        let name = last.map_or("the program", |root| root.name.as_str());
        self.frame.balance(name)
    }
}

impl Drop for Halves {
    fn drop(&mut self) {
        // SAFETY: nothing uses the frame after this.
        pool::give(unsafe { ManuallyDrop::take(&mut self.frame) });
    }
}

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
