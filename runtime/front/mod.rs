//! The data of the front end: the surface tree that the macro writes, the types of the language and their representation in the IR, and the typed
//! tree that elaboration writes.
//!
//! It does not know how one tree becomes the other, and it does not know derivatives.

pub mod ty;
pub mod tree;
pub mod written;
pub mod types;
pub mod float;
pub mod text;
pub mod repr;
pub mod tangents;
pub mod typed;
pub mod visit;

use crate::diag::Error;

// Not in `written.rs`: the tests of the macro compile that file without `diag`.
impl From<written::Unreadable> for Error {
    fn from(_: written::Unreadable) -> Error {
        Error::Internal(
            "the text of a differentiable function cannot be read: `mooncake` and its macros have different versions".to_owned(),
        )
    }
}
