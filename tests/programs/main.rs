//! Programs as people bring them. Each is differentiated as it stands, in both modes, and compared with its native value and
//! with differences of it.

mod idioms;
mod numeric;
