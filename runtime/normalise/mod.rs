//! The normal form, so that later passes handle few cases: [`normalise`].
//!
//! Afterwards
//! 1. every remaining call is of a registry entry, a host operation, a derivative that the program asks for, or a function of the module that is
//!    not inlined: a recursive one, a large one on demand, one whose iterations threads share, or one that a rule replaces;
//! 2. there are no tuples, except the shape of `reshape`, the results of calls and maps (read at once by `field`), and the
//!    returned value;
//! 3. there is at most one `return`, no unreachable block, no critical edge; a loop has one preheader and one latch,
//!    and its header no other predecessors;
//! 4. no block parameter is the same on every edge;
//! 5. a slice that a block takes is a part of the same parameter of the function on every edge; other slices are split
//!    into address and length, and viewed where they are used.
//!
//! Counted loops keep the shape that `ir::flow` recognises. This module does not know derivatives and devices.

mod in_order;
mod inline;
mod loops;
mod slices;
mod tuples;

pub use inline::{inline_entries, inline_into, inline_rows, inline_small};
pub use loops::shape_graph;

use crate::diag::{Error, Result};
use crate::ir::build::clean;
use crate::ir::verify::verify;
use crate::ir::{Function, Module};
use crate::registry::{ContextKind, Registry};

/// A function on demand with more instructions than this stays a function and is derived when it is first called: deriving what never runs costs more
/// than the calls. Smaller ones are inlined like all others.
pub const LARGE: usize = 128;

/// Brings a typed module into normal form for a context of this kind, in which primitives stay calls. Functions on demand with more instructions than
/// `large` stay calls, too.
///
/// `settle` is applied to each function that uses memory before it is inlined, so that the work is done once and not in each copy. The function is then
/// in normal form, except for tuples among its parameters, and must stay so.
///
/// # Errors
/// [`Error::Internal`] if a pass breaks the IR (debug builds check after each).
pub fn normalise(
    mut module: Module,
    registry: &Registry,
    kind: ContextKind,
    large: usize,
    settle: &dyn Fn(&mut Function),
) -> Result<Module> {
    let check = |module: &Module, pass: &str| match cfg!(debug_assertions) {
        true => verify(module, &|callee, types| registry.call_type(callee, types))
            .map_err(|error| Error::Internal(format!("after {pass}: {error}\n{module}"))),
        false => Ok(()),
    };
    inline::inline_calls(&mut module, registry, kind, large, settle);
    check(&module, "inlining")?;
    for function in module.functions.values_mut() {
        tuples::split_tuples(function);
    }
    check(&module, "splitting tuples")?;
    for function in module.functions.values_mut() {
        loops::shape_graph(function);
    }
    check(&module, "shaping the graph")?;
    for function in module.functions.values_mut() {
        slices::split_slices(function);
        clean(function);
    }
    check(&module, "splitting slices")?;
    Ok(module)
}
