//! Programs differentiated and compared with differences: value, gradient in both modes, restored memory, empty tape.

mod check;
mod heap;
mod straight;
mod loops;
mod objects;
mod calls;
mod random;
mod errors;
