//! Inference: from the surface tree to the typed tree.

use crate::diag::Result;
use crate::front::tree::Source;
use crate::front::ty::Ty;
use crate::front::typed::Program;
use crate::registry::Registry;

/// The instance of a function for its type arguments, and all that it calls. With `overlays`, functions that have one are
/// what it says: so derivatives see them, never primals.
pub fn infer(
    _root: &'static Source,
    _arguments: &[Ty],
    _registry: &Registry,
    _overlays: bool,
) -> Result<Program> {
    todo!()
}
