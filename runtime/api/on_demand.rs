//! What is derived when a call first comes to it: the functions to which values lead that are chosen while the program runs.

use super::pipeline;
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::exec::{OnDemand, Program};
use crate::ir::{Module, Origin, Symbol};
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};
use std::thread;

/// As much stack is enough to derive and compile a function on.
const STACK: usize = 1 << 20;

/// Derives and compiles where there is enough stack for it: here, or on a thread of its own. The calling thread may have been made with a small stack, and a
/// call may come to a new function deep in a recursion.
///
/// # Errors
/// Those of the work; [`Error::Memory`] if there is no such thread.
pub fn with_stack<R: Send>(work: impl FnOnce() -> Result<R> + Send) -> Result<R> {
    if stacker::remaining_stack().is_some_and(|left| left >= STACK) {
        return work();
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(8 * STACK);
        let thread = thread.spawn_scoped(scope, work).map_err(|error| {
            Error::Memory(format!("no thread to derive a function on: {error}"))
        })?;
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// The functions on demand of one normal form, and what has been made of them.
pub struct Callees {
    ctx: Context,
    normal: Arc<Module>,
    /// By the name of the derived function: the program that has it, and its place among that program's roots.
    made: Mutex<BTreeMap<Symbol, (Arc<Program>, usize)>>,
}

impl Callees {
    pub fn new(ctx: &Context, normal: &Arc<Module>) -> Callees {
        Callees {
            ctx: ctx.clone(),
            normal: normal.clone(),
            made: Mutex::default(),
        }
    }
    /// The names of the derived functions that are there.
    pub fn made(&self) -> Vec<Symbol> {
        let made = self.made.lock().unwrap_or_else(|e| e.into_inner());
        made.keys().copied().collect()
    }
    fn compile(&self, name: Symbol, origin: &Origin) -> Result<(Arc<Program>, Vec<Symbol>)> {
        let (module, roots) = pipeline::on_demand(&self.ctx, &self.normal, name, origin)?;
        let program = Program::compile(&module, self.ctx.registry(), &roots)?;
        Ok((program, roots))
    }
}

impl OnDemand for Callees {
    fn make(&self, name: Symbol, origin: &Origin) -> Result<(Arc<Program>, usize)> {
        // Locked until it is there, so that nothing is derived twice.
        let mut made = self.made.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(found) = made.get(&name) {
            return Ok(found.clone());
        }
        let (program, roots) = with_stack(|| self.compile(name, origin))?;
        for (root, other) in roots.into_iter().enumerate() {
            made.insert(other, (program.clone(), root));
        }
        let missing = || Error::Internal(format!("@{name} is not among what was derived"));
        made.get(&name).cloned().ok_or_else(missing)
    }
}
