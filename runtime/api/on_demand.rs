//! What is derived when a call first comes to it: the functions to which values lead that are chosen while the program runs.

use super::pipeline;
use crate::context::Context;
use crate::diag::{Error, Result};
use crate::exec::{OnDemand, Program};
use crate::ir::{Module, Symbol};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;

/// A call may come to a new function deep in a recursion, where there is no stack left to derive it on.
const STACK: usize = 8 << 20;

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
    fn compile(&self, name: Symbol) -> Result<(Arc<Program>, Vec<Symbol>)> {
        let (module, roots) = pipeline::on_demand(&self.ctx, &self.normal, name)?;
        let program = Program::compile(&module, self.ctx.registry(), &roots)?;
        Ok((program, roots))
    }
}

impl OnDemand for Callees {
    fn make(&self, name: Symbol) -> Result<(Arc<Program>, usize)> {
        // Locked until it is there, so that nothing is derived twice.
        let mut made = self.made.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(found) = made.get(&name) {
            return Ok(found.clone());
        }
        let (program, roots) = thread::scope(|scope| {
            let thread = thread::Builder::new().stack_size(STACK);
            let compile = thread.spawn_scoped(scope, || self.compile(name));
            let compile = compile.map_err(|error| {
                Error::Memory(format!("no thread to derive @{name} on: {error}"))
            })?;
            let panic = |_| Error::Internal(format!("a panic while @{name} was derived"));
            compile.join().map_err(panic)?
        })?;
        for (root, other) in roots.into_iter().enumerate() {
            made.insert(other, (program.clone(), root));
        }
        let missing = || Error::Internal(format!("@{name} is not among what was derived"));
        made.get(&name).cloned().ok_or_else(missing)
    }
}
