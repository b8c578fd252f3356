//! What the language allows, also where nobody would write it so: the compiled function gives the native value, bit for bit, and
//! both modes the derivative of the native function.

#![allow(
    clippy::all,
    dead_code,
    unused_assignments,
    unused_variables,
    unused_mut,
    irrefutable_let_patterns,
    path_statements,
    for_loops_over_fallibles,
    unused_must_use,
    unreachable_code,
    overlapping_range_endpoints,
    reason = "the point is what the language allows, not what is good style"
)]

#[macro_use]
#[path = "../support/check.rs"]
mod check;
mod constants;
mod dereferences;
mod guards;
mod oddities;
mod operators;
mod parameters;
mod slice_patterns;
mod std_impls;
