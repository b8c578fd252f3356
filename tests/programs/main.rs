//! Programs as people bring them. Each is differentiated as it stands, in both modes, and compared with its native value and
//! with differences of it.

#![allow(clippy::all, reason = "they stand as they were brought")]

#[macro_use]
#[path = "../support/check.rs"]
mod check;
mod derive;
mod fixed_arrays;
mod functions;
mod generics;
mod gradients;
mod idioms;
mod names;
mod newcomers;
mod numeric;
mod resolution;
