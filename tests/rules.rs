//! Every rule of every pack in this repository, on every device there is, and the derived rules of functions that use
//! them: `test_rule` with a counting allocator.

#[path = "support/devices.rs"]
mod common;

use common::devices;
use mooncake::Type;
use mooncake::prelude::*;
use mooncake::registry::EntryKind;
use mooncake::testing::{Options, test_case, test_rule, test_rule_with, test_scalar};
use mooncake_pack::Case;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts what each thread allocates.
struct Counting;

thread_local!(static ALLOCATIONS: Cell<u64> = const { Cell::new(0) });

fn count() {
    // A thread that ends has no counter any more.
    let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
}

// SAFETY: all of it is the system's allocator; counting touches no memory that it hands out.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's promise.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn every_scalar_rule_has_the_derivative_of_its_value() {
    let ctx = Context::default();
    let mut tested = 0;
    for entry in ctx.registry().entries() {
        if matches!(entry.kind, EntryKind::Scalar(_)) {
            test_scalar(&ctx, entry).unwrap_or_else(|error| panic!("{error}"));
            tested += 1;
        }
    }
    assert!(tested > 80, "only {tested} scalar rules");
}

#[test]
fn every_case_passes_on_every_device() {
    let ctx = Context::default();
    // Slices are of programs: `pack check` tests their rules at these cases, and `tests/blas` in programs.
    let slice = |ty: &Type| matches!(ty, Type::Slice(_) | Type::SliceMut(_));
    let on_slices = |case: &Case| {
        let mut named = { ctx.registry().entries() }.filter(|e| e.row() == case.function);
        named.any(|e| e.params.len() == case.arguments.len() && e.params.iter().any(slice))
    };
    let mut cases = [rules_std::cases(), rules_linalg::cases()].concat();
    cases.retain(|case| !on_slices(case));
    for device in devices() {
        for case in &cases {
            test_case(&ctx, case, &device)
                .unwrap_or_else(|error| panic!("{}: {error}", device.name()));
        }
    }
}

#[test]
fn every_array_rule_has_a_case() {
    let ctx = Context::default();
    let cases = [rules_std::cases(), rules_linalg::cases()].concat();
    let without: Vec<&str> = ctx
        .registry()
        .entries()
        .filter(|entry| matches!(entry.kind, EntryKind::Array(_)))
        .filter(|entry| entry.params.iter().any(|ty| ty.is_array()))
        .map(|entry| entry.row())
        .filter(|name| cases.iter().all(|case| case.function != *name))
        .collect();
    assert!(without.is_empty(), "add cases to the packs for {without:?}");
}

#[differentiable]
fn sum_cos_exp(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for n in 0..x.len() {
        s += x[n].exp().cos();
    }
    s
}

#[differentiable]
fn prefix(x: &mut [f32], w: &[f32]) -> f32 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s = s * 0.5 + x[i] * w[i];
        x[i] = s.tanh();
    }
    s
}

#[differentiable]
fn newton(a: f64) -> f64 {
    let mut x = a;
    while (x * x - a).abs() > 1e-12 {
        x = 0.5 * (x + a / x);
    }
    x
}

#[differentiable]
fn power(x: f64, n: u32) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[differentiable]
fn counted(x: &[f64], from: usize) -> (f64, usize) {
    let mut best = x[from];
    let mut count = 0;
    for i in from..x.len() {
        if x[i] > best {
            best = x[i];
            count += 1;
        }
    }
    (best * best, count)
}

#[test]
fn derived_rules_pass_and_allocate_nothing() {
    let ctx = Context::default();
    let options = Options::default().allocations(|| ALLOCATIONS.get());
    let x: Vec<f64> = (0..20).map(|i| (i as f64 * 0.7).sin()).collect();
    test_rule_with::<sum_cos_exp>(&ctx, (&x,), options).unwrap();
    let w: Vec<f32> = x.iter().map(|&x| x as f32).collect();
    test_rule_with::<prefix>(&ctx, (&mut w.clone(), &w), options).unwrap();
    test_rule_with::<newton>(&ctx, (2.0,), options).unwrap();
    test_rule_with::<power>(&ctx, (1.25, 7), options).unwrap();
    test_rule::<counted>(&ctx, (&x, 3)).unwrap();
    // The native function panics, so the rule must fail.
    test_rule::<counted>(&ctx, (&x, 20)).unwrap();
}
