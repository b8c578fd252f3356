//! Arrays on every device: their values, elements, errors, holders and gradients.

#[path = "../support/devices.rs"]
mod devices;
mod closures;
mod elements;
mod errors;
mod holders;
mod rules;
mod values;
