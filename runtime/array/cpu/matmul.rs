//! Matrix multiplication: strides go to `exec::gemm` as they are, which copies a transpose only where the library would be slow to read it.

use super::Float;
use super::memory::{elements, room};
use crate::array::backend::View;
use crate::diag::Result;
use crate::exec::gemm::{Strides, gemm};
use crate::exec::threads;

/// `a[b,m,k] · b[b,k,n]`
pub fn matmul<T: Float>(a: &View, b: &View) -> Result<Vec<T>> {
    let size = (a.shape[1], a.shape[2], b.shape[2]);
    let mut out: Vec<T> = room(a.shape[0] * size.0 * size.2)?;
    let (left, right) = (elements::<T>(a)?, elements::<T>(b)?);
    let (at, bt) = (strides(a), strides(b));
    let each = (size.0 * size.2).max(1);
    let one = |n: usize, out: &mut [T]| {
        // Matrices without elements may begin anywhere.
        let left = left.get(n * a.strides[0]..).unwrap_or_default();
        let right = right.get(n * b.strides[0]..).unwrap_or_default();
        gemm(size, (left, at), (right, bt), out);
    };
    match is_shared(a.shape[0], size) {
        true => drop(threads::each(out.chunks_mut(each), one)),
        false => { out.chunks_mut(each).enumerate() }.for_each(|(n, out)| one(n, out)),
    }
    Ok(out)
}

/// Matrices of fewer elements than this are not divided among threads.
const ALONE: usize = 1 << 15;

/// From so many multiplications on threads pay.
const SHARED: usize = 1 << 20;

/// Whether threads share the products of a batch: where each of them is too small to be shared, and there is enough to do.
fn is_shared(batch: usize, (m, k, n): (usize, usize, usize)) -> bool {
    batch > 1 && (m + n) * k < ALONE && batch * m * k * n >= SHARED
}

fn strides(view: &View) -> Strides {
    Strides {
        row: view.strides[1],
        column: view.strides[2],
    }
}
