//! Arrays on every device: their values, elements, errors, holders and gradients.

#[path = "../support/devices.rs"]
mod devices;
mod closures;
mod elements;
mod errors;
mod generic;
mod holders;
mod memory;
mod rules;
mod values;
