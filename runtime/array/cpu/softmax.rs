//! Softmax and its logarithm along an axis.
//!
//! The greatest element of a line is subtracted first, so that no exponential overflows; a line of −∞ alone, or with +∞ or NaN
//! in it, is NaN, as the formula says.

use super::memory::{elements, room};
use super::reduce::{maximum, sum};
use super::walk::{Walk, in_parts};
use super::{Float, dense};
use crate::array::backend::View;
use crate::diag::Result;

/// `exp(x) / sum(exp(x))` along `axis`, or its logarithm, dense in the view's shape.
pub fn softmax<T: Float>(view: &View, axis: usize, log: bool) -> Result<Vec<T>> {
    let last = view.shape.len() - 1;
    let mut lines = view.clone().swap_axes(axis, last);
    if lines.strides[last] > 1 {
        let made = super::memory::adopt(dense::<T>(&lines)?);
        lines = View::dense(made, view.ty, &lines.shape);
    }
    let mut out = along_last::<T>(&lines, log)?;
    if axis != last {
        // The lines were made contiguous: put the axis back in its place.
        let made = View::dense(super::memory::adopt(out), view.ty, &lines.shape);
        out = dense(&made.swap_axes(axis, last))?;
    }
    Ok(out)
}

fn along_last<T: Float>(view: &View, log: bool) -> Result<Vec<T>> {
    let values = elements::<T>(view)?;
    let last = view.shape.len() - 1;
    let (extent, stride) = (view.shape[last], view.strides[last]);
    let mut out: Vec<T> = room(view.len())?;
    if out.is_empty() {
        return Ok(out);
    }
    let starts = Walk::new(&view.shape[..last], [(0, &view.strides[..last])]);
    let mut lines: Vec<&mut [T]> = out.chunks_mut(extent).collect();
    in_parts(&mut lines, 16 * extent, |start, part| {
        starts.runs(start, part.len(), |at, positions, run| {
            for (k, line) in part[at..at + run].iter_mut().enumerate() {
                let start = positions[0] + k * starts.stride(0);
                for (n, x) in line.iter_mut().enumerate() {
                    *x = values[start + n * stride];
                }
                normalise(line, log);
            }
        });
    });
    Ok(out)
}

/// One line, in place.
fn normalise<T: Float>(line: &mut [T], log: bool) {
    let top = maximum(line);
    line.iter_mut().for_each(|x| *x = *x - top);
    if log {
        let exponentials: Vec<T> = line.iter().map(|x| x.exp()).collect();
        let shift = sum(&exponentials).ln();
        line.iter_mut().for_each(|x| *x = *x - shift);
    } else {
        line.iter_mut().for_each(|x| *x = x.exp());
        let total = sum(line);
        line.iter_mut().for_each(|x| *x = *x / total);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::cpu::memory::adopt;
    use crate::ir::Type;

    #[test]
    fn exponentials_that_are_too_large_do_not_overflow() -> Result<()> {
        let view = View::dense(adopt(vec![1000.0, 1001.0]), Type::F64, &[2]);
        let total = 1.0 + 1f64.exp();
        let near = |found: &[f64], expected: [f64; 2]| {
            let mut pairs = found.iter().zip(expected);
            pairs.all(|(a, b)| (a - b).abs() < 1e-12)
        };
        let found = softmax::<f64>(&view, 0, false)?;
        assert!(near(&found, [1.0 / total, 1.0 - 1.0 / total]), "{found:?}");
        let found = softmax::<f64>(&view, 0, true)?;
        assert!(near(&found, [-total.ln(), 1.0 - total.ln()]), "{found:?}");
        Ok(())
    }
}
