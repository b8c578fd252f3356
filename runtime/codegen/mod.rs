//! From normal IR to what machines run.
pub mod cpu;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod scalars;
