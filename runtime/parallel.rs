//! Loops whose iterations do not depend on each other.
//!
//! Called as they are, they run on all threads. Derived code, and what a context compiles, runs the iterations of one call in order: that
//! has the same meaning, since none sees what another does, and it makes the derivative of what all of them read a sum in a fixed
//! order. Calls of a rule at several points run on several threads as ever.

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
