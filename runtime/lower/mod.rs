//! Lowering: from the typed tree to typed IR.

use crate::diag::Result;
use crate::front::typed::Program;
use crate::ir::Module;
use crate::registry::Registry;

/// The module of a program.
pub fn lower(_program: &Program, _registry: &Registry) -> Result<Module> {
    todo!()
}
