//! Programs differentiated and compared with differences: value, gradient in both modes, restored memory, empty tape.

mod check;
mod straight;
mod maps;
mod loops;
mod nested;
mod calls;
mod random;
mod errors;
