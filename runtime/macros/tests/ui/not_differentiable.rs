//! What is called must be differentiable: rustc finds no type of its name.
use mooncake::differentiable;
use std::hint;

fn plain(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn calls_plain(x: f64) -> f64 {
    plain(x) + f64::sin(x)
}

#[differentiable]
fn calls_imported(x: f64) -> f64 {
    hint::spin_loop();
    x
}

#[differentiable(overlay = plain)]
fn with_overlay(x: f64) -> f64 {
    x
}

fn main() {}
