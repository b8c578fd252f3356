//! Running compiled code.
//!
//! A [`Program`] is immutable and shared; each call gets a frame of its own from the program's pool: the tape, and
//! what failed. So a program is re-entrant, runs on many threads at once, and an error half-way leaves nothing
//! behind. Array operations leave compiled code through the [`Host`] that the caller brings; this module does not
//! know arrays.
//!
//! Calls are safe: arguments carry their types and borrows ([`Args`]), which are compared with the program's. What
//! compiled code does with them rests on the IR's guards.

mod args;
mod fault;
mod frame;
pub mod gemm;
mod kernel;
mod stack;
mod tape;

pub use crate::codegen::cpu::{ScalarFunction, Site, SiteOp};
pub use args::{Args, Scalar};
pub use kernel::{Input, MapKernel, Output};

use crate::codegen::cpu::{self, Code, Root, words};
use crate::diag::{Error, Result};
use crate::ir::{Module, Symbol, Type};
use crate::plugin::check_faults;
use crate::registry::Registry;
use frame::Frame;
use std::sync::{Arc, Mutex};

/// Does array operations for compiled code.
pub trait Host {
    /// Does the operation of a site: arguments and results are words, arrays are this host's handles.
    fn call(&self, site: &Site, args: &[u64], results: &mut [u64]) -> Result<()>;
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
}

/// Compiled functions, ready to be called from any thread.
pub struct Program {
    code: Code,
    pool: Pool,
}

/// Frames that are not in use.
struct Pool {
    #[allow(clippy::vec_box, reason = "the address of a frame is its identity")]
    frames: Mutex<Vec<Box<Frame>>>,
    tape_limit: usize,
}

/// More idle frames than this are freed: a burst of threads should not keep its memory for ever.
const IDLE_FRAMES: usize = 64;

impl Pool {
    fn new() -> Pool {
        Pool {
            frames: Mutex::new(Vec::with_capacity(IDLE_FRAMES)),
            tape_limit: tape::DEFAULT_LIMIT,
        }
    }
    fn take(&self) -> Box<Frame> {
        let frame = self.frames.lock().unwrap_or_else(|e| e.into_inner()).pop();
        let mut frame = frame.unwrap_or_else(|| Frame::new(self.tape_limit));
        frame.reset();
        frame
    }
    fn give(&self, frame: Box<Frame>) {
        let mut frames = self.frames.lock().unwrap_or_else(|e| e.into_inner());
        if frames.len() < IDLE_FRAMES {
            frames.push(frame);
        }
    }
}

impl Program {
    /// Compiles functions of a typed module, and everything they call. They are called by their place in `roots`.
    pub fn compile(
        module: &Module,
        registry: &Arc<Registry>,
        roots: &[Symbol],
    ) -> Result<Arc<Program>> {
        Ok(Arc::new(Program {
            code: cpu::compile(module, registry, roots)?,
            pool: Pool::new(),
        }))
    }

    /// The number of words that a root's result takes.
    pub fn result_words(&self, root: usize) -> usize {
        words(self.code.roots[root].ret)
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
        let mut frame = self.pool.take();
        let outcome = self.run(&mut frame, root, args, results, host);
        let tape_bytes = frame.tape_peak();
        self.pool.give(frame);
        outcome.map(|()| Stats { tape_bytes })
    }

    /// Starts a call in two halves: what the first leaves on the tape is there for the second.
    pub fn start(self: &Arc<Self>) -> Halves {
        Halves {
            frame: Some(self.pool.take()),
            program: self.clone(),
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
            entry,
            ..
        } = &self.code.roots[root];
        if args.types() != params.as_slice() || results.len() != words(*ret) {
            return Err(Error::Internal(format!(
                "@{name} takes {params:?} and gives {ret}, not {:?} and {} words",
                args.types(),
                results.len()
            )));
        }
        let (words, out) = (args.words().as_ptr(), results.as_mut_ptr());
        frame.run(&self.code.sites, &self.code.faults, host, |header| {
            // SAFETY: the code is alive as `self` is; the words are of the types it was compiled for, and what they
            // point to is borrowed by `args` as the types say; there is room for the results.
            unsafe { entry(header, words, out) }
        })?;
        check_faults(self.code.packs.iter().copied())
    }
}

/// A call in two halves on one frame: forward, then pullback.
pub struct Halves {
    program: Arc<Program>,
    // Taken only by `drop`.
    frame: Option<Box<Frame>>,
}

impl Halves {
    /// Calls a root on this call's frame.
    pub fn call(
        &mut self,
        root: usize,
        args: &Args<'_>,
        results: &mut [u64],
        host: &dyn Host,
    ) -> Result<()> {
        match &mut self.frame {
            Some(frame) => self.program.run(frame, root, args, results, host),
            None => Err(Error::Internal("a call that is over".to_owned())),
        }
    }
    /// What it has used so far.
    pub fn stats(&self) -> Stats {
        let tape_bytes = self.frame.as_ref().map_or(0, |frame| frame.tape_peak());
        Stats { tape_bytes }
    }
}

impl Drop for Halves {
    fn drop(&mut self) {
        if let Some(frame) = self.frame.take() {
            self.program.pool.give(frame);
        }
    }
}

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
