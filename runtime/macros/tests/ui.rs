//! What `#[differentiable]` refuses: place, reason and advice, as whole texts. `TRYBUILD=overwrite` writes them anew.

#[test]
fn refusals() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
