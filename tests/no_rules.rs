//! All calculus is in packs. Built with `--no-default-features` the runtime runs functions and differentiates none; with the
//! default features the same tests ask for the contrary, so that they can fail both ways.

use expect_test::expect;
use mooncake::Type;
use mooncake::prelude::*;

const WITH_RULES: bool = cfg!(feature = "rules-std");

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[test]
fn the_registry_holds_what_the_linked_packs_define() {
    let ctx = Context::default();
    let packs: Vec<&str> = ctx.packs().iter().map(|pack| pack.name.as_str()).collect();
    assert_eq!(packs.contains(&"mooncake-rules-std"), WITH_RULES);
    assert_eq!(packs.is_empty(), ctx.registry().entries().next().is_none());
    assert_eq!(ctx.is_primitive("mul", &[Type::F64; 2]), WITH_RULES);
    assert_eq!(ctx.is_primitive("sin", &[Type::F64]), WITH_RULES);
}

#[test]
fn without_rules_functions_run() {
    let primal = Context::default().build_primal::<square>().unwrap();
    assert_eq!(primal.call((3.0,)).unwrap(), 9.0);
}

#[test]
fn without_rules_nothing_is_differentiated() {
    let outcome = Context::default()
        .build_rrule::<square>()
        .and_then(|rule| rule.value_and_gradient((3.0,)));
    if WITH_RULES {
        assert_eq!(outcome.unwrap(), (9.0, (6.0,)));
        return;
    }
    expect![[r#"
        no rule gives the derivative of `mul(f64, f64)`, called in `no_rules::square` with arguments that depend on active parameters
          --> tests/no_rules.rs:12:5
            |
         12 |     x * x
            |     ^
          help: switch on the feature `rules-std` of the crate `mooncake`, which this build leaves out: it brings functions like `mul`; or load a pack that has a rule for `mul`, write one (see `mooncake-pack`), mark the function that calls it `#[non_differentiable]` or the parameters it depends on `Const` if the derivative is to be zero, or rewrite the call with functions that have rules"#]]
    .assert_eq(&outcome.unwrap_err().to_string());
}

#[differentiable]
fn same(x: f64) -> f64 {
    x
}

#[differentiable]
fn chosen(x: f64, squares: bool) -> f64 {
    let f: fn(f64) -> f64 = if squares { square } else { same };
    f(x)
}

/// Whether a function is derived with those that choose it or when a call comes to it: it is the call that fails, each time, and no
/// other.
#[test]
fn without_rules_what_is_not_chosen_does_no_harm() {
    for large in [0, usize::MAX] {
        let ctx = Context::builder().on_demand_above(large).build().unwrap();
        let rule = ctx.build_rrule::<chosen>().unwrap();
        for _ in 0..2 {
            assert_eq!(
                rule.value_and_gradient((3.0, false)).unwrap(),
                (3.0, (1.0, ()))
            );
            let outcome = rule.value_and_gradient((3.0, true));
            if WITH_RULES {
                assert_eq!(outcome.unwrap(), (9.0, (6.0, ())));
                continue;
            }
            let error = outcome.unwrap_err().to_string();
            // If it is derived at once it is part of its caller.
            let says = "no rule gives the derivative of `mul(f64, f64)`, called in `no_rules::";
            assert!(error.starts_with(says), "{error}");
            assert!(error.contains("--> tests/no_rules.rs:12:5"), "{error}");
        }
    }
}
