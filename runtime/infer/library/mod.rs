//! Methods that are written in the language itself.
//!
//! They are inlined into their callers like every function; their checks carry the place of the call.

mod integers;
mod slices;

use crate::front::tree::Source;
use crate::front::ty::{Adt, Ty};
use mooncake::Callable;

/// The function that a method is; `None` if it is not one of these.
pub(super) fn method(name: &str, receiver: Ty) -> Option<&'static Source> {
    match receiver {
        Ty::Scalar(ty) if ty.is_int() => integers::find(name, ty),
        Ty::Slice(_) | Ty::SliceMut(_) => slices::find(name),
        _ => None,
    }
}

/// The struct that a range is when it is a value: by what is written of its ends.
pub(super) fn range(_from: bool, _to: bool, _inclusive: bool) -> Option<&'static Adt> {
    None
}

/// Whether a function is one of these.
pub(super) fn contains(source: &Source) -> bool {
    source.path.starts_with(concat!(module_path!(), "::"))
}

/// The source of a function.
fn source<F: Callable>() -> Option<&'static Source> {
    Some(F::callee().0)
}
