//! Methods of std that the library has: the compiled function gives the native value, bit for bit, and both modes the derivative
//! of the native function.

#![allow(
    clippy::all,
    for_loops_over_fallibles,
    reason = "each method is used, also where another would be shorter"
)]

#[macro_use]
#[path = "../support/check.rs"]
mod check;
mod counts;
mod methods;
