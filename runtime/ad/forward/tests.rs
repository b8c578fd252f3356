//! Duals.
