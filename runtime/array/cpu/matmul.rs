//! Matrix multiplication: strides go to the library as they are, so that a transpose is never copied.

use super::Float;
use super::memory::{elements, room};
use crate::array::backend::View;
use crate::diag::Result;
use crate::exec::gemm::{Strides, gemm};

/// `a[m,k] · b[k,n]`
pub fn matmul<T: Float>(a: &View, b: &View) -> Result<Vec<T>> {
    let size = (a.shape[0], a.shape[1], b.shape[1]);
    let mut out: Vec<T> = room(size.0 * size.2)?;
    let (at, bt) = (strides(a), strides(b));
    gemm(size, (elements(a)?, at), (elements(b)?, bt), &mut out);
    Ok(out)
}

fn strides(view: &View) -> Strides {
    Strides {
        row: view.strides[0],
        column: view.strides[1],
    }
}
