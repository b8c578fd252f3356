//! Tests of rules, hand-written and derived.
//!
//! [`test_rule`](fn@test_rule) tests the reverse rule of a differentiable function, however it came about. [`test_case`](fn@test_case) and
//! [`test_scalar`](fn@test_scalar) test a pack's rules one by one. All of them return an error that says which property does not hold;
//! none knows what the right derivative is: they compare with differences of values.

mod argument;
#[doc(hidden)]
pub mod check;
#[doc(hidden)]
pub mod differences;
mod entry;
mod part;
#[doc(hidden)]
pub mod programs;
#[doc(hidden)]
pub mod random;
mod rule;
mod subject;

use crate::api::leaves;

pub use crate::array::cluster::trace::{Ran, submissions, watched as kernels_run};
pub use argument::{Lend, Own, Owned, TestArgument, own_value};
pub use entry::{test_case, test_scalar};
pub use rule::{Options, test_rule, test_rule_with};

#[cfg(test)]
mod language;
#[cfg(test)]
mod lanes;
#[cfg(test)]
mod tests;
#[cfg(all(test, feature = "rules-std"))]
mod wide;
#[cfg(all(test, feature = "rules-std"))]
mod clusters;
#[cfg(all(test, feature = "rules-std"))]
mod derived;
#[cfg(all(test, feature = "rules-std"))]
mod std_tests;
#[cfg(all(test, feature = "rules-std", feature = "rules-linalg"))]
mod native_tests;
