//! From normal IR to what machines run.
pub mod cpu;
pub mod gpu;
