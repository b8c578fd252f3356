//! The standard rules: arithmetic, the elementary functions of `f32` and `f64`, and the array operations.
//!
//! An ordinary pack, written against `mooncake-pack` alone. Names are those of Rust's methods.
//!
//! # Conventions
//!
//! - **Natives are Rust's own methods**, bit for bit.
//! - **Where a derivative is not unique** it is the mean of the one-sided ones, which is also what symmetric differences
//!   see: `abs` has 0 at 0; `max`, `min`, `max_or_nan`, `min_or_nan`, `clamp` and `max_axis` share evenly among ties. `hypot` and `powf`, where the
//!   mean does not exist, have 0 at the corner.
//! - **Where it is infinite** it is infinite: `sqrt` and `cbrt` at 0, `asin` at 1. Where it does not exist it is NaN:
//!   `atan2` at the origin. A result that has no part in what is differentiated adds nothing all the same, and neither does an argument that does not move.
//! - **Step functions** (`floor`, `round`, `signum`, …) have 0 everywhere.
//! - **NaN** in an argument gives NaN or, for `max` and `min`, which ignore it, the derivative of what they return. `max_or_nan` and `min_or_nan` of a NaN are NaN, with derivatives of 0.
//! - `powf` with respect to the exponent is `y ln x`, hence NaN for negative bases: there are no neighbouring exponents.
//! - `with_partials` is given only where it saves work that the expression over `y` does not: sine and cosine come from
//!   one reduction. For `exp` the derivative *is* `y`.
//!
//! # Accuracy on a GPU
//!
//! Drivers' own functions are off by up to 10⁵ units in the last place, so none is used. A GPU computes the expressions of [`lanes`], as the CPU's lanes
//! do. Written out in WGSL is what has no expression there: the remainders, which are loops; what WGSL has as an operation
//! (`mul_add`) or tests bits for (`midpoint`, `round`, `round_ties_even`, `signum`); and the rare arguments that lanes leave to `slow_…`.
//! The largest error against the exact value, in units in the last place, on 65,536 samples per function; the test `wgsl_accuracy` holds each
//! to its bound, and checks zeros, infinities, NaN, subnormal and huge arguments.
//!
//! | functions | software adapter | bound |
//! | --- | --- | --- |
//! | `clamp` `div_euclid` `fract` `max` `max_or_nan` `min` `min_or_nan` `rem_euclid` `round` `round_ties_even` `signum` | 0 | 0 |
//! | `midpoint` `to_degrees` `to_radians` | 0.7 | 1 |
//! | `acos` `acosh` `asin` `asinh` `atan` `atan2` `atanh` `cbrt` `cos` `cosh` `exp` `exp2` `exp_m1` `hypot` `ln` `ln_1p` `log` `log10` `log2` `mul_add` `powf` `recip` `sin` `sinh` `tan` `tanh` | 1.9 | 2 |
//! | `powi`, `-20 <= n <= 20`: a product of rounded factors, as on the CPU | 12.5 | 16 |
//!
//! `sin`, `cos` and `tan` are reduced exactly for every argument. `mul_add` rounds once only where the device's `fma` does.
//! Results below 2⁻¹²⁶ may be flushed to zero: WGSL leaves that to the device.
//!
//! The table was measured once on a real GPU, an NVIDIA H100 (driver 580). Outside of its bounds were `cbrt`, at 12 units, whose rounding that driver
//! rearranged, and quotients, also in `div_euclid`, by divisors above 2¹²⁶. Both are prevented; `cbrt` and `div_euclid` were not measured there again.
//!
//! The WGSL for f64 stands after the line `// f64` of a text. The test
//! `functions_are_as_accurate_as_the_table_says` compares with Rust's own functions, which are within a unit in the last place: on the software adapter
//! the difference is at most 2 units, also for huge arguments of `sin`, `cos` and `tan`. Subnormal arguments are computed with; subnormal results may
//! be flushed to zero.
//!
//! # Accuracy of the expressions
//!
//! Operations of arrays, and what is computed on several elements at once, take the expressions of [`lanes`]; scalar code takes Rust's functions. The largest error
//! against the exact value, in units in the last place, rounded up to a tenth: for f32 on every 2003rd of all numbers, for f64 on some ten thousands. The
//! test `elementary` keeps this table, and checks zeros, infinities, NaN, subnormal numbers and huge arguments.
//!
//! Functions of two numbers, `atan2`, `hypot`, `log` and `powf`, are within two units.
//!
//! The table is for separate multiplications and additions. Kernels on a CPU with fused multiplication and addition contract a product and the sum
//! that it goes into, so their last bit may differ; the same test holds them to 2 units. In `f32` they may give zero where a result would be subnormal.
//!
//! | function | f32 | f64 |
//! | --- | --- | --- |
//! | `acos` | 1.1 | 1.1 |
//! | `acosh` | 1.2 | 1.5 |
//! | `asin` | 1.1 | 1.1 |
//! | `asinh` | 1.5 | 1.5 |
//! | `atan` | 0.9 | 0.9 |
//! | `atanh` | 1.9 | 1.6 |
//! | `cbrt` | 0.8 | 0.7 |
//! | `cos` | 1.0 | 0.7 |
//! | `cosh` | 1.4 | 1.2 |
//! | `exp` | 1.0 | 0.9 |
//! | `exp2` | 1.0 | 1.0 |
//! | `exp_m1` | 1.3 | 1.1 |
//! | `ln` | 0.8 | 0.8 |
//! | `ln_1p` | 0.8 | 0.8 |
//! | `log10` | 0.7 | 0.7 |
//! | `log2` | 0.7 | 0.8 |
//! | `sin` | 1.0 | 0.8 |
//! | `sinh` | 1.6 | 1.5 |
//! | `tan` | 1.4 | 1.2 |
//! | `tanh` | 1.3 | 1.3 |

#![deny(missing_docs)]

mooncake_pack::pack!(cases);

pub mod arithmetic;
pub mod arrays;
pub mod exponential;
pub mod extremum;
pub mod hyperbolic;
pub mod lanes;
pub mod power;
pub mod rounding;
pub mod trigonometric;

use mooncake_pack::Case;

/// Calls on which all rules of this pack are tested and timed.
pub fn cases() -> Vec<Case> {
    [
        arithmetic::cases(),
        exponential::cases(),
        power::cases(),
        trigonometric::cases(),
        hyperbolic::cases(),
        rounding::cases(),
        extremum::cases(),
        arrays::cases(),
    ]
    .concat()
}

/// One case for each point, for a function of one argument.
fn points(function: &'static str, points: &[f64]) -> Vec<Case> {
    points
        .iter()
        .map(|&x| Case::floats(function, &[x]))
        .collect()
}
