//! Maps over arrays: what their reverse takes of the primal.

use super::text::*;
use crate::ad::Mode;
use expect_test::{Expect, expect};

/// The derivative of the function that is mapped in a loop, and what the loop's body keeps.
fn check_map(function: &str, expected: Expect) {
    let text = format!(
        "
fn @f(%x: array<f64>, %n: usize) -> f64 {{
b0:
    %zero: usize = 0
    %one: usize = 1
    jump b1(%zero, %x)
b1(%i: usize, %h: array<f64>):
    %more: bool = lt %i, %n
    branch %more, b2, b3
b2:
    %turned: array<f64> = call @flip(%h, %zero)
    %next: array<f64> = map @g(%turned, %x)
    %j: usize = add %i, %one
    jump b1(%j, %next)
b3:
    %s: f64 = call @sum_to_scalar(%h)
    return %s
}}
fn @g(%a: f64, %b: f64) -> f64 {{
{function}
}}"
    );
    let registry = registry();
    let derived = derive(
        &normal(&text, &registry),
        &registry,
        &[true, false],
        Mode::Combined,
    );
    let text = derived.unwrap().to_string();
    let (root, vjp) = text.split_once("fn @g.vjp").unwrap();
    let vjp = vjp.split_once("\n}").unwrap().0;
    let body = root.lines().filter(|line| {
        let shown = ["map ", "poke", "or_zeros"];
        shown.iter().any(|op| line.contains(op)) && !line.contains(".vjp")
    });
    let body: Vec<&str> = body.map(str::trim).collect();
    expected.assert_eq(&format!("{}\nfn @g.vjp{vjp}\n}}", body.join("\n")));
}

/// The derivative of the hyperbolic tangent is 1 − y². Of the argument that is made in the loop the shape is kept.
#[test]
fn a_result_that_is_enough_is_taken() {
    check_map(
        "b0:
    %sum: f64 = add %a, %b
    %y: f64 = call @tanh(%sum)
    return %y",
        expect![[r#"
            %20: array<f64> = call @or_zeros(%19, %18)
            poke.0 %16, %20
            %22: array<f64> = map @g(%18, %0)
            poke.8 %16, %22
            %48: array<f64> = call @or_zeros(%45, %47)
            %61: array<f64> = call @or_zeros(%60, %0)
            fn @g.vjp(%2: f64, %11: f64) -> (f64, f64) {
            b0:
                %5: f64 = mul %11, %11
                %6: f64 = 1.0
                %7: f64 = sub %6, %5
                %8: f64 = mul %2, %7
                %10: (f64, f64) = tuple %8, %8
                return %10
            }"#]],
    );
}

/// The derivative of a product takes a factor, whatever the result is.
#[test]
fn a_result_that_does_not_help_is_not() {
    check_map(
        "b0:
    %e: f64 = call @exp(%b)
    %y: f64 = mul %a, %e
    return %y",
        expect![[r#"
            poke.0 %16, %18
            %20: array<f64> = map @g(%18, %0)
            %22: array<f64> = call @or_zeros(%21, %20)
            poke.8 %16, %22
            %48: array<f64> = call @or_zeros(%45, %47)
            %61: array<f64> = call @or_zeros(%60, %0)
            fn @g.vjp(%0: f64, %1: f64, %2: f64) -> (f64, f64) {
            b0:
                %3: f64 = call @exp(%1)
                %5: f64 = mul %2, %3
                %6: f64 = mul %2, %0
                %7: f64 = mul %6, %3
                %9: (f64, f64) = tuple %5, %7
                return %9
            }"#]],
    );
}
