//! Types of the standard library that are not supported.
use mooncake::differentiable;
use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

#[differentiable]
fn maps(x: f64) -> f64 {
    let mut m = HashMap::new();
    m.insert(1, x);
    m[&1]
}

#[differentiable]
fn queues(q: &VecDeque<f64>) -> f64 {
    q[0]
}

#[differentiable]
fn locks(x: &Mutex<f64>) -> f64 {
    *x.lock().unwrap()
}

#[differentiable]
fn classes(x: f64) -> f64 {
    match x.classify() {
        std::num::FpCategory::Zero => 0.0,
        _ => x,
    }
}

fn main() {}
