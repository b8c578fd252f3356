//! Running sums along an axis.

use super::walk::in_parts;
use super::{Float, dense};
use crate::array::backend::View;
use crate::diag::Result;

/// The sums of the elements up to each one along `axis`, in order, dense.
pub fn cumsum<T: Float>(view: &View, axis: usize) -> Result<Vec<T>> {
    let mut out: Vec<T> = dense(view)?;
    let extent = view.shape[axis];
    // Elements that are neighbours along the axis stand so far apart; blocks of all of them are contiguous.
    let apart: usize = view.shape[axis + 1..].iter().product();
    let block = extent * apart;
    if out.is_empty() {
        return Ok(out);
    }
    let mut blocks: Vec<&mut [T]> = out.chunks_mut(block).collect();
    in_parts(&mut blocks, block, |_, blocks| {
        for block in blocks {
            for at in apart..block.len() {
                block[at] = block[at - apart] + block[at];
            }
        }
    });
    Ok(out)
}
