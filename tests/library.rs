//! Methods of std that the library has: native and compiled, both modes.

use mooncake::prelude::*;

#[differentiable]
fn map_sum(x: &[f64]) -> f64 {
    x.iter().map(|v| v.sin()).sum()
}

#[test]
fn adaptors() {
    let ctx = Context::default();
    test_rule::<map_sum>(&ctx, (&[0.5, 1.5, -2.0][..],)).unwrap_or_else(|e| panic!("{e}"));
}
