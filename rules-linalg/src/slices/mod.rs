//! BLAS and LAPACK on slices in scalar code, in the names and the order of arguments of their users.
//!
//! Matrices are column-major: element (i, j) is at `i + j · ld` of its slice, where the leading dimension `ld` is at least the number of rows (and at
//! least 1). Vectors have an increment of at least 1. A character of BLAS is a bool: `trans` for 'T' against 'N', `left`
//! for 'L' against 'R', `lower` for 'L' against 'U', `unit` for 'U' against 'N'. Only the triangle that is named is read and written.
//!
//! As in BLAS, with `beta = 0` the initial contents of the output are not read, and with `alpha = 0` the inputs are not. Derivatives
//! with respect to `alpha` and `beta` exist everywhere. Sizes that do not fit are errors, and so are matrices that are singular or not positive definite.
//! Rust's borrow rules refuse outputs that overlap with inputs; two inputs may be one slice.
//!
//! The pullback restores the memory that the call has overwritten, from a copy that the forward pass makes. Second derivatives are
//! forward mode over it: see `second`.

mod cholesky;
mod copy;
mod kernels;
mod lu;
mod operand;
mod product;
mod routine;
mod second;
mod stored;
mod stored_triangular;
mod symmetric;
mod triangular;
mod vector;

use mooncake_pack::Case;

/// Calls on which these rules are tested, where arrays stand for slices.
pub(crate) fn cases() -> Vec<Case> {
    [
        vector::cases(),
        copy::cases(),
        product::cases(),
        symmetric::cases(),
        stored::cases(),
        stored_triangular::cases(),
        triangular::cases(),
        cholesky::cases(),
        lu::cases(),
    ]
    .concat()
}
