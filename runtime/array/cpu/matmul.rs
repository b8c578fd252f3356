//! Matrix multiplication: strides go to the library as they are, so that a transpose is never copied.

use super::Float;
use super::memory::{elements, room};
use crate::array::backend::View;
use crate::diag::Result;
use crate::exec::gemm::{Strides, gemm};

/// `a[b,m,k] · b[b,k,n]`
pub fn matmul<T: Float>(a: &View, b: &View) -> Result<Vec<T>> {
    let size = (a.shape[1], a.shape[2], b.shape[2]);
    let mut out: Vec<T> = room(a.shape[0] * size.0 * size.2)?;
    let (left, right) = (elements::<T>(a)?, elements::<T>(b)?);
    let (at, bt) = (strides(a), strides(b));
    let each = (size.0 * size.2).max(1);
    for (n, out) in out.chunks_mut(each).enumerate() {
        // Matrices without elements may begin anywhere.
        let left = left.get(n * a.strides[0]..).unwrap_or_default();
        let right = right.get(n * b.strides[0]..).unwrap_or_default();
        gemm(size, (left, at), (right, bt), out);
    }
    Ok(out)
}

fn strides(view: &View) -> Strides {
    Strides {
        row: view.strides[1],
        column: view.strides[2],
    }
}
