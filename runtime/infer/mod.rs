//! Inference: from the surface tree to the typed tree.

use crate::diag::Result;
use crate::front::tree::Source;
use crate::front::ty::Ty;
use crate::front::typed::Program;
use crate::registry::Registry;

/// The instance of a function for its type arguments, and all that it calls.
pub fn infer(_root: &'static Source, _arguments: &[Ty], _registry: &Registry) -> Result<Program> {
    todo!()
}
