//! What is refused, in full.

use super::text::{derive, registry};
use crate::ad::Mode;
use crate::diag::Error;
use crate::interp::{Datum, Interpreter, Packs};
use crate::ir::parse::parse_module;
use crate::registry::Registry;
use expect_test::{Expect, expect};
use std::sync::Arc;

fn check_error(text: &str, active: &[bool], expected: Expect) {
    let module = parse_module(text).unwrap();
    let error = derive(&module, &registry(), active, Mode::Combined).unwrap_err();
    expected.assert_eq(&error.to_string());
}

#[test]
fn no_rule_for_an_active_call() {
    check_error(
        "
fn @f(%x: array<f64>) -> array<f64> {
b0:
    %y: array<f64> = call @frobnicate(%x)
    return %y
}",
        &[true],
        expect![[r#"
            no rule gives the derivative of `frobnicate(array<f64>)`, called in `f` with arguments that depend on active parameters
              help: load a pack that has a rule for `frobnicate`, write one (see `mooncake-pack`), mark the function that calls it `#[non_differentiable]` or the parameters it depends on `Const` if the derivative is to be zero, or rewrite the call with functions that have rules"#]],
    );
}

#[test]
fn no_definition_of_a_mapped_function() {
    check_error(
        "
fn @f(%x: array<f64>, %s: f64) -> array<f64> {
b0:
    %y: array<f64> = map @frobnicate(%x, %s)
    return %y
}",
        &[true, true],
        expect![[r#"
            `frobnicate(f64, f64)` is mapped over arrays, but nothing defines it
              help: load the pack that has it"#]],
    );
}

#[test]
fn no_shadow_for_memory_that_derivatives_pass_through() {
    check_error(
        "
fn @f(%x: f64, %u: [mut f64]) -> f64 {
b0:
    %i: usize = 0
    store %u, %i, %x
    %y: f64 = load %u, %i
    return %y
}",
        &[true, false],
        expect![[r#"
            `f` stores values that depend on active parameters in parameter 2, which is marked constant, and reads them back
              help: do not mark that argument `Const`: pass it as it is, and ignore its gradient if you do not need it"#]],
    );
}

#[test]
fn a_scratch_parameter_may_be_constant_if_it_is_not_read() {
    let text = "
fn @f(%x: f64, %u: [mut f64]) -> f64 {
b0:
    %i: usize = 0
    store %u, %i, %x
    %y: f64 = mul %x, %x
    return %y
}";
    let args = [super::text::float(0.5), super::text::floats(&[0.25])];
    super::text::check_active(text, &args, &[true, false]);
}

#[test]
fn no_rule_where_the_program_may_not_come() {
    let text = "
fn @f(%x: f64, %n: usize) -> f64 {
b0:
    %zero: usize = 0
    %c: bool = eq %n, %zero
    branch %c, b1, b2
b1:
    jump b3(%x)
b2:
    %y: f64 = mul %x, %x
    jump b3(%y)
b3(%z: f64):
    return %z
}";
    // Without packs there are no rules.
    let registry = Arc::<Registry>::default();
    let module = parse_module(text).unwrap();
    for mode in [Mode::Combined, Mode::Split] {
        let derived = derive(&module, &registry, &[true, true], mode).unwrap();
        // As read back from its text, too.
        let read = parse_module(&derived.to_string()).unwrap();
        for derived in [derived, read] {
            let outside = Packs(&registry);
            let mut interpreter = Interpreter::new(&derived, &outside);
            let mut call = |n: usize| {
                let mut args = vec![Datum::float(0.7), Datum::index(n)];
                if mode == Mode::Combined {
                    args.push(Datum::float(1.0));
                }
                interpreter.call(derived.root, &args)
            };
            assert!(call(0).is_ok());
            let Err(error @ Error::Fault(_)) = call(1) else {
                panic!("{derived}")
            };
            expect![[r#"
                no rule gives the derivative of `mul(f64, f64)`, called in `f` with arguments that depend on active parameters
                  help: load a pack that has a rule for `mul`, write one (see `mooncake-pack`), mark the function that calls it `#[non_differentiable]` or the parameters it depends on `Const` if the derivative is to be zero, or rewrite the call with functions that have rules"#]].assert_eq(&error.to_string());
        }
    }
}
