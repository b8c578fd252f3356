//! Passes on texts: what goes in, what comes out.

use super::*;
use crate::ir::Type;
use crate::ir::parse::parse_module;
use crate::ir::print::canonical;
use crate::registry::{ContextKind, Effects, Entry, EntryKind, NativeFn, ScalarRule};
use expect_test::{Expect, expect};

/// Functions `sin` and `exp` of one f64 with partials; nothing here runs them.
fn registry() -> Registry {
    let mut registry = Registry::default();
    for name in ["sin", "exp"] {
        let text =
            "fn @partials(%x: f64, %y: f64) -> (f64,) { b0: %0: (f64,) = tuple %y return %0 }";
        let never_called = NativeFn(1);
        let rule = ScalarRule {
            native: Some(never_called),
            with_partials: Some(never_called),
            body: None,
            partials: parse_module(text).unwrap().root().clone(),
            wgsl: None,
            domain: vec![(-1.0, 1.0)],
        };
        let entry = Entry {
            name: Symbol::new(name),
            param_names: vec![Symbol::new("x")],
            params: vec![Type::F64],
            ret: Type::F64,
            context: ContextKind::Default,
            pack: Symbol::new("tests"),
            effects: Effects::Pure,
            kind: EntryKind::Scalar(rule),
        };
        assert!(registry.insert(entry).is_ok());
    }
    registry
}

/// Runs a pass over the root, verifies before and after, and compares what it prints.
fn check(pass: Pass, text: &str, expected: Expect) {
    let registry = registry();
    let externals = |callee: Symbol, types: &[Type]| registry.call_type(callee, types);
    let mut module = parse_module(text).unwrap();
    verify(&module, &externals).unwrap();
    let before = canonical(&module);
    let calls = Calls::new(&module, &registry);
    let changed = pass(module.root_mut(), &calls);
    verify(&module, &externals).unwrap_or_else(|e| panic!("{e}\n{module}"));
    let after = canonical(&module);
    assert!(
        changed || before == after,
        "the pass changed something and did not say so"
    );
    expected.assert_eq(&after.to_string());
}

/// Runs all passes.
fn check_all(text: &str, expected: Expect) {
    let module = optimise(parse_module(text).unwrap(), &registry(), None).unwrap();
    expected.assert_eq(&canonical(&module).to_string());
}

#[test]
fn simplify_moves_signs_and_folds() {
    check(
        simplify,
        r#"
fn @f(%x: f64, %y: f64, %i: usize) -> (f64, f64, f64, f64, f64, usize, bool) {
b0:
    %nx: f64 = neg %x
    %ny: f64 = neg %y
    %m1: f64 = -1.0
    %two: f64 = 2.0
    %eight: f64 = 8.0
    %three: f64 = 3.0
    %a: f64 = mul %m1, %x
    %b: f64 = add %y, %nx
    %c: f64 = mul %nx, %ny
    %d: f64 = div %x, %eight
    %e0: f64 = mul %two, %x
    %e1: f64 = mul %nx, %three
    %e: f64 = sub %e0, %e1
    %g: usize = sub %i, %i
    %l: bool = lt %i, %g
    %h: bool = not %l
    %r: (f64, f64, f64, f64, f64, usize, bool) = tuple %a, %b, %c, %d, %e, %g, %h
    return %r
}
"#,
        expect![[r#"
            fn @f(%0: f64, %1: f64, %2: usize) -> (f64, f64, f64, f64, f64, usize, bool) {
            b0:
                %3: f64 = neg %0
                %4: f64 = neg %1
                %5: f64 = -1.0
                %6: f64 = 2.0
                %7: f64 = 8.0
                %8: f64 = 3.0
                %9: f64 = neg %0
                %10: f64 = sub %1, %0
                %11: f64 = mul %0, %1
                %12: f64 = 0.125
                %13: f64 = mul %0, %12
                %14: f64 = add %0, %0
                %15: f64 = -3.0
                %16: f64 = mul %0, %15
                %17: f64 = sub %14, %16
                %18: usize = 0
                %19: usize = 0
                %20: bool = lt %2, %19
                %21: bool = ge %2, %19
                %22: (f64, f64, f64, f64, f64, usize, bool) = tuple %9, %10, %11, %13, %17, %19, %21
                return %22
            }
        "#]],
    );
}

#[test]
fn simplify_takes_signs_out_of_products() {
    check(
        simplify,
        r#"
fn @f(%x: f64, %y: f64, %s: f64) -> (f64, f64) {
b0:
    %n: f64 = neg %x
    %p: f64 = mul %n, %y
    %a: f64 = add %s, %p
    %q: f64 = mul %y, %n
    %b: f64 = sub %s, %q
    %r: (f64, f64) = tuple %a, %b
    return %r
}
"#,
        expect![[r#"
            fn @f(%0: f64, %1: f64, %2: f64) -> (f64, f64) {
            b0:
                %3: f64 = neg %0
                %4: f64 = mul %0, %1
                %5: f64 = neg %4
                %6: f64 = sub %2, %4
                %7: f64 = mul %1, %0
                %8: f64 = neg %7
                %9: f64 = add %2, %7
                %10: (f64, f64) = tuple %6, %9
                return %10
            }
        "#]],
    );
}

#[test]
fn simplify_keeps_what_is_not_exact() {
    check(
        simplify,
        r#"
fn @f(%x: f64, %y: f64) -> (f64, f64, f64, bool) {
b0:
    %zero: f64 = 0.0
    %three: f64 = 3.0
    %a: f64 = add %x, %zero
    %b: f64 = sub %zero, %x
    %c: f64 = div %x, %three
    %l: bool = lt %x, %y
    %n: bool = not %l
    %r: (f64, f64, f64, bool) = tuple %a, %b, %c, %n
    return %r
}
"#,
        expect![[r#"
            fn @f(%0: f64, %1: f64) -> (f64, f64, f64, bool) {
            b0:
                %2: f64 = 0.0
                %3: f64 = 3.0
                %4: f64 = add %0, %2
                %5: f64 = sub %2, %0
                %6: f64 = div %0, %3
                %7: bool = lt %0, %1
                %8: bool = not %7
                %9: (f64, f64, f64, bool) = tuple %4, %5, %6, %8
                return %9
            }
        "#]],
    );
}

#[test]
fn simplify_turns_comparisons_round() {
    check(
        simplify,
        r#"
fn @f(%x: f64) -> (bool, bool, bool, bool) {
b0:
    %one: f64 = 1.0
    %a: bool = lt %one, %x
    %b: bool = le %one, %x
    %c: bool = gt %one, %x
    %d: bool = ge %one, %x
    %r: (bool, bool, bool, bool) = tuple %a, %b, %c, %d
    return %r
}
"#,
        expect![[r#"
            fn @f(%0: f64) -> (bool, bool, bool, bool) {
            b0:
                %1: f64 = 1.0
                %2: bool = gt %0, %1
                %3: bool = ge %0, %1
                %4: bool = lt %0, %1
                %5: bool = le %0, %1
                %6: (bool, bool, bool, bool) = tuple %2, %3, %4, %5
                return %6
            }
        "#]],
    );
}

#[test]
fn straighten_follows_what_is_decided() {
    check(
        straighten,
        r#"
fn @f(%c: bool, %x: f64) -> f64 {
b0:
    %t: bool = true
    %u: bool = false
    branch %c, b1, b2
b1:
    jump b3(%t, %x)
b2:
    jump b3(%u, %x)
b3(%p: bool, %v: f64):
    branch %p, b4, b5
b4:
    %y: f64 = mul %x, %x
    jump b6(%y)
b5:
    jump b6(%x)
b6(%r: f64):
    jump b7
b7:
    return %r
}
"#,
        expect![[r#"
            fn @f(%0: bool, %1: f64) -> f64 {
            b0:
                %2: bool = true
                %3: bool = false
                branch %0, b1, b2(%1)
            b1:
                %4: f64 = mul %1, %1
                jump b2(%4)
            b2(%5: f64):
                return %5
            }
        "#]],
    );
}

#[test]
fn straighten_keeps_the_shape_of_loops() {
    check(
        straighten,
        r#"
fn @f(%n: usize, %c: bool) -> usize {
b0:
    %0: usize = 0
    branch %c, b1, b5
b1:
    jump b2(%0)
b2(%i: usize):
    %m: bool = lt %i, %n
    branch %m, b3, b6
b3:
    %o: usize = 1
    %j: usize = add %i, %o
    jump b2(%j)
b5:
    return %0
b6:
    return %i
}
"#,
        expect![[r#"
            fn @f(%0: usize, %1: bool) -> usize {
            b0:
                %2: usize = 0
                branch %1, b1, b4
            b1:
                jump b2(%2)
            b2(%3: usize):
                %4: bool = lt %3, %0
                branch %4, b3, b5
            b3:
                %5: usize = 1
                %6: usize = add %3, %5
                jump b2(%6)
            b4:
                return %2
            b5:
                return %3
            }
        "#]],
    );
}

#[test]
fn gvn_merges_pure_computations_and_unchanged_loads() {
    check(
        gvn,
        r#"
fn @f(%x: [f64], %u: [mut f64], %v: [mut f64], %i: usize) -> f64 {
b0:
    %a: f64 = load %u, %i
    %k: f64 = load %x, %i
    store %v, %i, %a
    %b: f64 = load %u, %i
    %p: f64 = mul %a, %k
    %q: f64 = mul %k, %b
    store %u, %i, %p
    %c: f64 = load %u, %i
    %d: f64 = load %x, %i
    %e: f64 = load %v, %i
    %s: f64 = sin %c
    %t: f64 = add %q, %d
    %w: f64 = add %t, %e
    %z: f64 = add %w, %s
    return %z
}
"#
        .replace("sin %c", "call @sin(%c)")
        .as_str(),
        expect![[r#"
            fn @f(%0: [f64], %1: [mut f64], %2: [mut f64], %3: usize) -> f64 {
            b0:
                %4: f64 = load %1, %3
                %5: f64 = load %0, %3
                store %2, %3, %4
                %7: f64 = mul %4, %5
                store %1, %3, %7
                %9: f64 = call @sin(%7)
                %10: f64 = add %7, %5
                %11: f64 = add %10, %4
                %12: f64 = add %11, %9
                return %12
            }
        "#]],
    );
}

#[test]
fn gvn_looks_at_a_condition_once() {
    check(
        gvn,
        r#"
fn @f(%x: f64, %c: bool, %d: bool) -> f64 {
b0:
    branch %d, b1, b2
b1:
    assert %c else panic "first"
    assert %c else panic "second"
    branch %d, b3, b2
b2:
    assert %c else panic "not always behind the first"
    return %x
b3:
    assert %c else panic "third"
    return %x
}
"#,
        expect![[r#"
            fn @f(%0: f64, %1: bool, %2: bool) -> f64 {
            b0:
                branch %2, b1, b2
            b1:
                assert %1 else panic "first"
                branch %2, b3, b2
            b2:
                assert %1 else panic "not always behind the first"
                return %0
            b3:
                return %0
            }
        "#]],
    );
}

/// The parts have an element in common: the first of one is the second of the other.
#[test]
fn gvn_knows_that_parts_of_a_slice_may_overlap() {
    check(
        gvn,
        r#"
fn @f(%u: [mut f64], %v: f64) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %two: usize = 2
    %a: [mut f64] = subslice %u, %zero, %two
    %b: [mut f64] = subslice %u, %one, %two
    %x: f64 = load %a, %one
    store %b, %zero, %v
    %y: f64 = load %a, %one
    %r: f64 = sub %x, %y
    return %r
}
"#,
        expect![[r#"
            fn @f(%0: [mut f64], %1: f64) -> f64 {
            b0:
                %2: usize = 0
                %3: usize = 1
                %4: usize = 2
                %5: [mut f64] = subslice %0, %2, %4
                %6: [mut f64] = subslice %0, %3, %4
                %7: f64 = load %5, %3
                store %6, %2, %1
                %9: f64 = load %5, %3
                %10: f64 = sub %7, %9
                return %10
            }
        "#]],
    );
}

#[test]
fn gvn_knows_what_a_loop_writes() {
    check(
        gvn,
        r#"
fn @f(%u: [mut f64], %v: [mut f64], %n: usize) -> f64 {
b0:
    %0: usize = 0
    %1: usize = 1
    %a: f64 = load %u, %0
    %b: f64 = load %v, %0
    jump b1(%0)
b1(%i: usize):
    %m: bool = lt %i, %n
    branch %m, b2, b3
b2:
    %c: f64 = load %u, %0
    %d: f64 = load %v, %0
    %e: f64 = add %c, %d
    store %v, %i, %e
    %j: usize = add %i, %1
    jump b1(%j)
b3:
    %g: f64 = load %u, %0
    %h: f64 = load %v, %0
    %k: f64 = add %g, %h
    %l: f64 = add %a, %b
    %o: f64 = add %k, %l
    return %o
}
"#,
        expect![[r#"
            fn @f(%0: [mut f64], %1: [mut f64], %2: usize) -> f64 {
            b0:
                %3: usize = 0
                %4: usize = 1
                %5: f64 = load %0, %3
                %6: f64 = load %1, %3
                jump b1(%3)
            b1(%7: usize):
                %8: bool = lt %7, %2
                branch %8, b2, b3
            b2:
                %9: f64 = load %1, %3
                %10: f64 = add %5, %9
                store %1, %7, %10
                %12: usize = add %7, %4
                jump b1(%12)
            b3:
                %13: f64 = load %1, %3
                %14: f64 = add %5, %13
                %15: f64 = add %5, %6
                %16: f64 = add %14, %15
                return %16
            }
        "#]],
    );
}

#[test]
fn gvn_makes_one_call_of_two() {
    check(
        gvn,
        r#"
fn @f(%x: f64) -> (f64, f64, f64) {
b0:
    %a: f64 = call @sin(%x)
    %b: (f64, f64) = call @sin.with_partials(%x)
    %c: f64 = field.1 %b
    %d: f64 = call @sin(%x)
    %r: (f64, f64, f64) = tuple %a, %c, %d
    return %r
}
"#,
        expect![[r#"
            fn @f(%0: f64) -> (f64, f64, f64) {
            b0:
                %1: (f64, f64) = call @sin.with_partials(%0)
                %2: f64 = field.0 %1
                %3: (f64, f64) = call @sin.with_partials(%0)
                %4: f64 = field.1 %1
                %5: (f64, f64, f64) = tuple %2, %4, %2
                return %5
            }
        "#]],
    );
}

#[test]
fn gvn_merges_two_counters() {
    check(
        gvn,
        r#"
fn @f(%n: usize) -> usize {
b0:
    %0: usize = 0
    %1: usize = 1
    jump b1(%0, %0, %1)
b1(%i: usize, %k: usize, %l: usize):
    %m: bool = lt %i, %n
    branch %m, b2, b3
b2:
    %j: usize = add %i, %1
    %o: usize = add %k, %1
    %p: usize = add %l, %1
    jump b1(%j, %o, %p)
b3:
    %q: usize = add %k, %l
    return %q
}
"#,
        expect![[r#"
            fn @f(%0: usize) -> usize {
            b0:
                %1: usize = 0
                %2: usize = 1
                jump b1(%1, %2)
            b1(%3: usize, %4: usize):
                %5: bool = lt %3, %0
                branch %5, b2, b3
            b2:
                %6: usize = add %3, %2
                %7: usize = add %4, %2
                jump b1(%6, %7)
            b3:
                %8: usize = add %3, %4
                return %8
            }
        "#]],
    );
}

#[test]
fn bounds_knows_the_range_of_a_loop() {
    check(
        bounds,
        r#"
fn @f(%x: [f64]) -> f64 {
b0:
    %0: usize = 0
    %1: usize = 1
    %s0: f64 = 0.0
    %n: usize = len %x
    jump b1(%1, %s0)
b1(%i: usize, %s: f64):
    %m: bool = lt %i, %n
    branch %m, b2, b3
b2:
    %in: bool = lt %i, %n
    assert %in else index(%i, %n)
    %a: f64 = load %x, %i
    %o: bool = sub_overflows %i, %1
    %no: bool = not %o
    assert %no else overflow "attempt to subtract with overflow"
    %h: usize = sub %i, %1
    %hin: bool = lt %h, %n
    assert %hin else index(%h, %n)
    %b: f64 = load %x, %h
    %p: bool = add_overflows %i, %1
    %np: bool = not %p
    assert %np else overflow "attempt to add with overflow"
    %j: usize = add %i, %1
    %jin: bool = lt %j, %n
    assert %jin else index(%j, %n)
    %c: f64 = load %x, %j
    %t: f64 = add %s, %a
    %k: usize = add %i, %1
    jump b1(%k, %t)
b3:
    return %s
}
"#,
        expect![[r#"
            fn @f(%0: [f64]) -> f64 {
            b0:
                %1: usize = 0
                %2: usize = 1
                %3: f64 = 0.0
                %4: usize = len %0
                jump b1(%2, %3)
            b1(%5: usize, %6: f64):
                %7: bool = lt %5, %4
                branch %7, b2, b3
            b2:
                %8: bool = true
                %9: f64 = load %0, %5
                %10: bool = false
                %11: bool = not %10
                assert %11 else overflow "attempt to subtract with overflow"
                %13: usize = sub %5, %2
                %14: bool = true
                %15: f64 = load %0, %13
                %16: bool = false
                %17: bool = not %16
                assert %17 else overflow "attempt to add with overflow"
                %19: usize = add %5, %2
                %20: bool = lt %19, %4
                assert %20 else index(%19, %4)
                %22: f64 = load %0, %19
                %23: f64 = add %6, %9
                %24: usize = add %5, %2
                jump b1(%24, %23)
            b3:
                return %6
            }
        "#]],
    );
}

#[test]
fn bounds_knows_constants_casts_and_remainders() {
    check(
        bounds,
        r#"
fn @f(%x: [f64], %i: i32, %k: usize) -> f64 {
b0:
    %0: i32 = 0
    %1: i32 = 1
    %10: i32 = 10
    %n: usize = len %x
    %ten: usize = 10
    %big: bool = ge %n, %ten
    assert %big else panic "too short"
    %zero: f64 = 0.0
    jump b1(%0, %zero)
b1(%j: i32, %s: f64):
    %m: bool = lt %j, %10
    branch %m, b2, b3
b2:
    %c: usize = cast %j
    %in: bool = lt %c, %n
    assert %in else index(%c, %n)
    %a: f64 = load %x, %c
    %mo: bool = mul_overflows %j, %j
    %nmo: bool = not %mo
    assert %nmo else overflow "attempt to multiply with overflow"
    %t: f64 = add %s, %a
    %jj: i32 = add %j, %1
    jump b1(%jj, %t)
b3:
    %r: usize = rem %k, %n
    %rin: bool = lt %r, %n
    assert %rin else index(%r, %n)
    %b: f64 = load %x, %r
    %y: f64 = add %s, %b
    return %y
}
"#,
        expect![[r#"
            fn @f(%0: [f64], %1: i32, %2: usize) -> f64 {
            b0:
                %3: i32 = 0
                %4: i32 = 1
                %5: i32 = 10
                %6: usize = len %0
                %7: usize = 10
                %8: bool = ge %6, %7
                assert %8 else panic "too short"
                %10: f64 = 0.0
                jump b1(%3, %10)
            b1(%11: i32, %12: f64):
                %13: bool = lt %11, %5
                branch %13, b2, b3
            b2:
                %14: usize = cast %11
                %15: bool = true
                %16: f64 = load %0, %14
                %17: bool = false
                %18: bool = not %17
                assert %18 else overflow "attempt to multiply with overflow"
                %20: f64 = add %12, %16
                %21: i32 = add %11, %4
                jump b1(%21, %20)
            b3:
                %22: usize = rem %2, %6
                %23: bool = true
                %24: f64 = load %0, %22
                %25: f64 = add %12, %24
                return %25
            }
        "#]],
    );
}

#[test]
fn bounds_decides_a_branch_below_its_own_condition() {
    check(
        bounds,
        r#"
fn @f(%x: f64, %y: f64) -> f64 {
b0:
    %c: bool = lt %x, %y
    branch %c, b1, b2
b1:
    branch %c, b3, b4
b2:
    return %y
b3:
    assert %c else panic "no"
    return %x
b4:
    return %y
}
"#,
        expect![[r#"
            fn @f(%0: f64, %1: f64) -> f64 {
            b0:
                %2: bool = lt %0, %1
                branch %2, b1, b2
            b1:
                %3: bool = true
                branch %3, b3, b4
            b2:
                return %1
            b3:
                return %0
            b4:
                return %1
            }
        "#]],
    );
}

#[test]
fn licm_hoists_what_may_run_early() {
    check(
        licm,
        r#"
fn @f(%n: usize, %a: f64, %d: usize) -> f64 {
b0:
    %0: usize = 0
    %s0: f64 = 0.0
    jump b1(%0, %s0)
b1(%i: usize, %s: f64):
    %m: bool = lt %i, %n
    branch %m, b2, b3
b2:
    %e: f64 = call @exp(%a)
    %q: usize = div %n, %d
    %two: usize = 2
    %r: usize = div %n, %two
    %v: usize = add %q, %r
    %f: f64 = cast %v
    %g: f64 = mul %e, %f
    %t: f64 = add %s, %g
    %1: usize = 1
    %j: usize = add %i, %1
    jump b1(%j, %t)
b3:
    return %s
}
"#,
        expect![[r#"
            fn @f(%0: usize, %1: f64, %2: usize) -> f64 {
            b0:
                %3: usize = 0
                %4: f64 = 0.0
                %5: f64 = call @exp(%1)
                %6: usize = 2
                %7: usize = div %0, %6
                %8: usize = 1
                jump b1(%3, %4)
            b1(%9: usize, %10: f64):
                %11: bool = lt %9, %0
                branch %11, b2, b3
            b2:
                %12: usize = div %0, %2
                %13: usize = add %12, %7
                %14: f64 = cast %13
                %15: f64 = mul %5, %14
                %16: f64 = add %10, %15
                %17: usize = add %9, %8
                jump b1(%17, %16)
            b3:
                return %10
            }
        "#]],
    );
}

#[test]
fn dce_removes_cycles_and_loops_without_use() {
    check(
        dce,
        r#"
fn @f(%n: usize, %x: f64) -> f64 {
b0:
    %0: usize = 0
    %1: usize = 1
    jump b1(%0, %x)
b1(%i: usize, %s: f64):
    %m: bool = lt %i, %n
    branch %m, b2, b3
b2:
    %t: f64 = call @sin(%s)
    %j: usize = add %i, %1
    jump b1(%j, %t)
b3:
    %y: f64 = mul %x, %x
    return %y
}
"#,
        expect![[r#"
            fn @f(%0: usize, %1: f64) -> f64 {
            b0:
                jump b1
            b1:
                jump b2
            b2:
                %2: f64 = mul %1, %1
                return %2
            }
        "#]],
    );
}

#[test]
fn dce_keeps_guards_and_stores() {
    check(
        dce,
        r#"
fn @f(%n: usize, %u: [mut f64], %x: f64) -> f64 {
b0:
    %0: usize = 0
    %1: usize = 1
    jump b1(%0, %x)
b1(%i: usize, %s: f64):
    %m: bool = lt %i, %n
    branch %m, b2, b3
b2:
    %l: usize = len %u
    %in: bool = lt %i, %l
    assert %in else index(%i, %l)
    store %u, %i, %x
    %t: f64 = call @sin(%s)
    %j: usize = add %i, %1
    jump b1(%j, %t)
b3:
    return %x
}
"#,
        expect![[r#"
            fn @f(%0: usize, %1: [mut f64], %2: f64) -> f64 {
            b0:
                %3: usize = 0
                %4: usize = 1
                jump b1(%3)
            b1(%5: usize):
                %6: bool = lt %5, %0
                branch %6, b2, b3
            b2:
                %7: usize = len %1
                %8: bool = lt %5, %7
                assert %8 else index(%5, %7)
                store %1, %5, %2
                %11: usize = add %5, %4
                jump b1(%11)
            b3:
                return %2
            }
        "#]],
    );
}

#[test]
fn the_passes_together_leave_the_loop_that_one_would_write() {
    check_all(
        r#"
fn @f(%x: [f64], %dx: [mut f64], %seed: f64) -> f64 {
b0:
    %0: usize = 0
    %s0: f64 = 0.0
    %n: usize = len %x
    jump b1(%0, %s0)
b1(%i: usize, %s: f64):
    %m: bool = lt %i, %n
    branch %m, b2, b3
b2:
    %n1: usize = len %x
    %in: bool = lt %i, %n1
    assert %in else index(%i, %n1)
    %v: f64 = load %x, %i
    %five: f64 = 5.0
    %p: f64 = mul %five, %v
    %t: f64 = add %s, %p
    %d: f64 = mul %seed, %five
    %nd: usize = len %dx
    %din: bool = lt %i, %nd
    assert %din else index(%i, %nd)
    %o: f64 = load %dx, %i
    %w: f64 = add %o, %d
    store %dx, %i, %w
    %1: usize = 1
    %j: usize = add %i, %1
    jump b1(%j, %t)
b3:
    return %s
}
"#,
        expect![[r#"
            fn @f(%0: [f64], %1: [mut f64], %2: f64) -> f64 {
            b0:
                %3: usize = 0
                %4: f64 = 0.0
                %5: usize = len %0
                %6: f64 = 5.0
                %7: f64 = mul %2, %6
                %8: usize = len %1
                %9: usize = 1
                %10: usize = 3
                %11: usize = sub %5, %3
                %12: usize = and %11, %10
                %13: usize = sub %5, %12
                %14: bool = lt %3, %5
                %15: usize = sub %8, %3
                %16: bool = lt %3, %8
                %17: bool = le %11, %15
                %18: bool = and %16, %17
                %19: bool = and %14, %18
                %20: usize = select %19, %13, %3
                %21: bool = lt %3, %20
                branch %21, b1, b3(%3, %4)
            b1:
                %22: usize = 2
                jump b2(%3, %4)
            b2(%23: usize, %24: f64):
                %25: usize = add %23, %9
                %26: usize = add %23, %22
                %27: usize = add %23, %10
                %28: f64 = load %0, %23
                %29: f64 = load %0, %25
                %30: f64 = load %0, %26
                %31: f64 = load %0, %27
                %32: f64 = mul %28, %6
                %33: f64 = mul %29, %6
                %34: f64 = mul %30, %6
                %35: f64 = mul %31, %6
                %36: usize = add %27, %9
                %37: f64 = add %24, %32
                %38: f64 = add %37, %33
                %39: f64x2 = load_lanes %1, %23
                %40: f64x2 = pack %7, %7
                %41: f64x2 = add %39, %40
                store_lanes %1, %23, %41
                %43: f64 = add %38, %34
                %44: f64 = add %43, %35
                %45: f64x2 = load_lanes %1, %26
                %46: f64x2 = add %45, %40
                store_lanes %1, %26, %46
                %48: bool = lt %36, %20
                branch %48, b2(%36, %44), b3(%36, %44)
            b3(%49: usize, %50: f64):
                %51: bool = lt %49, %5
                branch %51, b4, b6(%50)
            b4:
                jump b5(%49, %50)
            b5(%52: usize, %53: f64):
                %54: f64 = load %0, %52
                %55: f64 = mul %54, %6
                %56: f64 = add %53, %55
                %57: bool = lt %52, %8
                assert %57 else index(%52, %8)
                %59: f64 = load %1, %52
                %60: f64 = add %59, %7
                store %1, %52, %60
                %62: usize = add %52, %9
                %63: bool = lt %62, %5
                branch %63, b5(%62, %56), b6(%56)
            b6(%64: f64):
                return %64
            }
        "#]],
    );
}

fn check_fuse(text: &str, expected: Expect) {
    let registry = registry();
    let externals = |callee: Symbol, types: &[Type]| registry.call_type(callee, types);
    let module = fuse_maps(parse_module(text).unwrap());
    verify(&module, &externals).unwrap_or_else(|e| panic!("{e}\n{module}"));
    expected.assert_eq(&canonical(&module).to_string());
}

#[test]
fn fuse_composes_a_layer() {
    check_fuse(
        r#"
fn @layer(%x: array<f64>, %w: array<f64>, %b: array<f64>, %s: f64) -> array<f64> {
b0:
    %m: array<f64> = call @matmul(%x, %w)
    %a: array<f64> = map @add(%m, %b)
    %t: array<f64> = map @sin(%a)
    %two: f64 = 2.0
    %d: array<f64> = map @mul(%t, %two)
    %c: array<f64> = map @layer.closure0(%d, %s)
    return %c
}

fn @layer.closure0(%v: f64, %s: f64) -> f64 {
b0:
    %z: f64 = 0.0
    %p: bool = gt %v, %z
    branch %p, b1, b2
b1:
    %q: f64 = mul %v, %s
    jump b3(%q)
b2:
    jump b3(%z)
b3(%r: f64):
    return %r
}
"#,
        expect![[r#"
            fn @layer(%0: array<f64>, %1: array<f64>, %2: array<f64>, %3: f64) -> array<f64> {
            b0:
                %4: array<f64> = call @matmul(%0, %1)
                %5: f64 = 2.0
                %6: array<f64> = map @layer.map0(%4, %2, %3)
                return %6
            }

            fn @layer.map0(%0: f64, %1: f64, %2: f64) -> f64 {
            b0:
                %3: f64 = add %0, %1
                %4: f64 = call @sin(%3)
                %5: f64 = 2.0
                %6: f64 = mul %4, %5
                %7: f64 = 0.0
                %8: bool = gt %6, %7
                branch %8, b1, b2
            b1:
                %9: f64 = mul %6, %2
                jump b3(%9)
            b2:
                jump b3(%7)
            b3(%10: f64):
                return %10
            }
        "#]],
    );
}

#[test]
fn fuse_leaves_what_would_be_computed_again() {
    check_fuse(
        r#"
fn @f(%x: array<f64>, %b: array<f64>) -> (array<f64>, array<f64>) {
b0:
    %e: array<f64> = map @exp(%b)
    %y: array<f64> = map @add(%x, %e)
    %h: array<f64> = map @sin(%x)
    %u: array<f64> = map @mul(%h, %h)
    %k: array<f64> = map @mul(%u, %y)
    %r: (array<f64>, array<f64>) = tuple %k, %y
    return %r
}
"#,
        expect![[r#"
            fn @f(%0: array<f64>, %1: array<f64>) -> (array<f64>, array<f64>) {
            b0:
                %2: array<f64> = map @exp(%1)
                %3: array<f64> = map @add(%0, %2)
                %4: array<f64> = map @sin(%0)
                %5: array<f64> = map @f.map0(%4, %3)
                %6: (array<f64>, array<f64>) = tuple %5, %3
                return %6
            }

            fn @f.map0(%0: f64, %1: f64) -> f64 {
            b0:
                %2: f64 = mul %0, %0
                %3: f64 = mul %2, %1
                return %3
            }
        "#]],
    );
}

#[test]
fn licm_hoists_guards_and_loads_from_the_start_of_a_rotated_loop() {
    check(
        licm,
        r#"
fn @f(%x: [f64], %u: [mut f64], %v: [mut f64], %n: usize, %k: usize) -> () {
b0:
    %0: usize = 0
    %1: usize = 1
    jump b1(%0)
b1(%i: usize):
    %l: usize = len %x
    %in: bool = lt %k, %l
    assert %in else index(%k, %l)
    %a: f64 = load %x, %k
    %b: f64 = load %u, %k
    %c: f64 = load %v, %k
    %lv: usize = len %v
    %inv: bool = lt %i, %lv
    assert %inv else index(%i, %lv)
    %ab: f64 = mul %a, %b
    %abc: f64 = mul %ab, %c
    store %v, %i, %abc
    %d: f64 = load %u, %0
    store %v, %0, %d
    %j: usize = add %i, %1
    %more: bool = lt %j, %n
    branch %more, b1(%j), b2
b2:
    %r: () = ()
    return %r
}
"#,
        expect![[r#"
            fn @f(%0: [f64], %1: [mut f64], %2: [mut f64], %3: usize, %4: usize) -> () {
            b0:
                %5: usize = 0
                %6: usize = 1
                %7: usize = len %0
                %8: bool = lt %4, %7
                assert %8 else index(%4, %7)
                %10: f64 = load %0, %4
                %11: f64 = load %1, %4
                %12: usize = len %2
                %13: f64 = mul %10, %11
                jump b1(%5)
            b1(%14: usize):
                %15: f64 = load %2, %4
                %16: bool = lt %14, %12
                assert %16 else index(%14, %12)
                %18: f64 = mul %13, %15
                store %2, %14, %18
                %20: f64 = load %1, %5
                store %2, %5, %20
                %22: usize = add %14, %6
                %23: bool = lt %22, %3
                branch %23, b1(%22), b2
            b2:
                %24: () = ()
                return %24
            }
        "#]],
    );
}

#[test]
fn stores_that_nobody_sees_go() {
    check(
        stores,
        r#"
fn @f(%u: [mut f64], %v: [mut f64], %i: usize, %x: f64, %c: bool) -> f64 {
b0:
    %1: usize = 1
    %j: usize = add %i, %1
    store %u, %i, %x
    store %u, %j, %x
    %a: f64 = load %u, %j
    %b: f64 = load %v, %i
    store %u, %i, %a
    store %v, %i, %x
    assert %c else panic "no"
    store %v, %i, %b
    %d: f64 = load %v, %j
    store %v, %i, %d
    return %b
}
"#,
        expect![[r#"
            fn @f(%0: [mut f64], %1: [mut f64], %2: usize, %3: f64, %4: bool) -> f64 {
            b0:
                %5: usize = 1
                %6: usize = add %2, %5
                store %0, %6, %3
                %8: f64 = load %0, %6
                %9: f64 = load %1, %2
                store %0, %2, %8
                store %1, %2, %3
                assert %4 else panic "no"
                %13: f64 = load %1, %6
                store %1, %2, %13
                return %9
            }
        "#]],
    );
}

#[test]
fn rotate_tests_after_each_iteration() {
    check(
        rotate,
        r#"
fn @f(%n: usize, %m: usize) -> usize {
b0:
    %0: usize = 0
    %1: usize = 1
    jump b1(%0, %0)
b1(%i: usize, %s: usize):
    %more: bool = lt %i, %n
    branch %more, b2, b6
b2:
    jump b3(%0, %s)
b3(%k: usize, %t: usize):
    %again: bool = lt %k, %m
    branch %again, b4, b5
b4:
    %u: usize = add %t, %i
    %l: usize = add %k, %1
    jump b3(%l, %u)
b5:
    %j: usize = add %i, %1
    jump b1(%j, %t)
b6:
    return %s
}
"#,
        expect![[r#"
            fn @f(%0: usize, %1: usize) -> usize {
            b0:
                %2: usize = 0
                %3: usize = 1
                jump b1(%2, %2)
            b1(%4: usize, %5: usize):
                %6: bool = lt %4, %0
                branch %6, b2, b8(%5)
            b2:
                jump b3(%4, %5)
            b3(%7: usize, %8: usize):
                jump b4(%2, %8)
            b4(%9: usize, %10: usize):
                %11: bool = lt %9, %1
                branch %11, b5, b7(%10)
            b5:
                jump b6(%9, %10)
            b6(%12: usize, %13: usize):
                %14: usize = add %13, %7
                %15: usize = add %12, %3
                %16: bool = lt %15, %1
                branch %16, b6(%15, %14), b7(%14)
            b7(%17: usize):
                %18: usize = add %7, %3
                %19: bool = lt %18, %0
                branch %19, b3(%18, %17), b8(%17)
            b8(%20: usize):
                return %20
            }
        "#]],
    );
}

/// Converts the functions that the root maps, and compares what all of the module prints.
fn check_if_convert(text: &str, expected: Expect) {
    let registry = registry();
    let externals = |callee: Symbol, types: &[Type]| registry.call_type(callee, types);
    let module = parse_module(text).unwrap();
    verify(&module, &externals).unwrap();
    let converted = if_convert(module, &registry);
    verify(&converted, &externals).unwrap_or_else(|e| panic!("{e}\n{converted}"));
    expected.assert_eq(&canonical(&converted).to_string());
}

#[test]
fn if_convert_computes_all_sides_and_selects() {
    check_if_convert(
        r#"
fn @f(%x: array<f64>) -> array<f64> {
b0:
    %y: array<f64> = map @f.choose(%x)
    return %y
}
fn @f.choose(%v: f64) -> f64 {
b0:
    %zero: f64 = 0.0
    %one: f64 = 1.0
    %c: bool = lt %v, %zero
    branch %c, b1(), b2()
b1:
    %n: f64 = neg %v
    jump b5(%n)
b2:
    %d: bool = gt %v, %one
    branch %d, b3(), b4()
b3:
    jump b5(%one)
b4:
    %s: f64 = mul %v, %v
    jump b5(%s)
b5(%w: f64):
    %e: bool = lt %w, %one
    branch %e, b6(), b7()
b6:
    %t: f64 = add %w, %w
    return %t
b7:
    return %w
}
"#,
        expect![[r#"
            fn @f(%0: array<f64>) -> array<f64> {
            b0:
                %1: array<f64> = map @f.choose(%0)
                return %1
            }

            fn @f.choose(%0: f64) -> f64 {
            b0:
                %1: f64 = 0.0
                %2: f64 = 1.0
                %3: bool = lt %0, %1
                %4: f64 = neg %0
                %5: bool = gt %0, %2
                %6: f64 = mul %0, %0
                %7: bool = not %3
                %8: bool = and %7, %5
                %9: f64 = select %8, %2, %6
                %10: f64 = select %3, %4, %9
                %11: bool = lt %10, %2
                %12: f64 = add %10, %10
                %13: f64 = select %11, %12, %10
                return %13
            }
        "#]],
    );
}

#[test]
fn if_convert_leaves_loops_faults_and_what_a_pack_keeps_to_itself() {
    for body in [
        // A loop.
        "b0:\n    jump b1(%v)\nb1(%w: f64):\n    %c: bool = lt %w, %v\n    branch %c, b1(%v), b2()\nb2:\n    return %w\n",
        // A function of a pack without an expression.
        "b0:\n    %z: f64 = 0.0\n    %c: bool = lt %v, %z\n    branch %c, b1(), b2()\nb1:\n    %s: f64 = call @sin(%v)\n    return %s\nb2:\n    return %v\n",
        // A division of integers, which stops the processor.
        "b0:\n    %n: i32 = cast %v\n    %z: i32 = 0\n    %c: bool = ne %n, %z\n    branch %c, b1(), b2()\nb1:\n    %q: i32 = div %n, %n\n    %r: f64 = cast %q\n    return %r\nb2:\n    return %v\n",
    ] {
        let text = format!(
            "fn @f(%x: array<f64>) -> array<f64> {{\nb0:\n    %y: array<f64> = map @f.choose(%x)\n    return %y\n}}\nfn @f.choose(%v: f64) -> f64 {{\n{body}}}\n"
        );
        let before = parse_module(&text).unwrap();
        let after = if_convert(before.clone(), &registry());
        assert_eq!(
            canonical(&before).to_string(),
            canonical(&after).to_string()
        );
    }
}
