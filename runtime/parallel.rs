//! Loops whose iterations do not depend on each other, on all threads: natively, in what a context compiles, and in derivatives of any mode and order.
//!
//! Results do not depend on how many threads there are, down to the last bit: elements are taken in parts, of which there are at most 64, and what parts give is added in
//! their order, also what they add to the gradient of what all of them read. The first fault in the order of the elements is that of the call. Threads are those of
//! rayon: of the pool in which a rule is called, otherwise of the global one. A thread that calls begins by itself, and asks others for help when there is enough to do.
//!
//! Compiled code runs these loops in order where an iteration works with an [`Array`](crate::Array), calls an ordered function of a pack, asks for a derivative, chooses among
//! functions while the program runs, or leads back to the same loop; where it captures or is given values that are not numbers, bools, and slices and vectors of these (a
//! struct counts as its fields; slices of structs, tuples and fixed arrays are not such values); and where the result of `par_map`, or the element of `par_for`, is not a
//! float. A loop inside an iteration runs in order, too, as does one that captures the slice whose elements it goes through and is asked for its gradient. The meaning is the same.
//!
//! In reverse mode a sum computes its gradient along with its value, so that each iteration runs once; the iterations of `par_map` and `par_for` run a second time
//! in the reverse pass, and no tape outlives an iteration. Each thread has a copy of the gradients of what the iterations share. So where the gradient of much
//! data is asked for, and little is computed for each of its numbers, threads can take longer than one alone: pass data as [`Const`](crate::Const).

use crate::api::library_functions;
use crate::front::float::Float;
use rayon::prelude::*;

/// `f` of every element, in the order of the elements.
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn energy(x: &[f64]) -> f64 {
///     par_map(x, |v| v.sin() * v).iter().sum()
/// }
/// ```
pub fn par_map<T: Sync, R: Send>(x: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    x.par_iter().map(&f).collect()
}

/// Calls `f` with the position and the place of every element.
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn scale(x: &mut [f64], by: f64) {
///     par_for(x, |i, v| *v *= by * i as f64);
/// }
/// ```
pub fn par_for<T: Send>(x: &mut [T], f: impl Fn(usize, &mut T) + Sync) {
    x.par_iter_mut().enumerate().for_each(|(i, v)| f(i, v));
}

/// The sum of `f` of every element. The elements are summed in parts, of which there are at most 64, and then these sums in order: the result is the same on
/// every number of threads.
///
/// ```
/// use mooncake::prelude::*;
///
/// #[differentiable]
/// fn log_density(mean: f64, x: &[f64]) -> f64 {
///     par_sum(x, |v| -0.5 * (v - mean) * (v - mean))
/// }
/// assert_eq!(log_density(1.0, &[1.0, 3.0]), -2.0);
/// ```
pub fn par_sum<T: Sync, R: Float>(x: &[T], f: impl Fn(&T) -> R + Sync) -> R {
    let zero = R::zero();
    let size = x.len().div_ceil(64).max(1);
    let part = |part: &[T]| part.iter().fold(zero, |sum, v| sum + f(v));
    let parts: Vec<R> = x.par_chunks(size).map(part).collect();
    parts.into_iter().fold(zero, |sum, part| sum + part)
}

library_functions! { false: par_map par_for par_sum }
