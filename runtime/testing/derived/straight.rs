//! Straight lines and branches.

use super::text::*;
use crate::ad::Mode;
use crate::ir::build::Builder;
use crate::ir::{Function, Module, Prim, Symbol, Type};

#[test]
fn products_and_quotients() {
    let text = "
fn @f(%x: f64, %y: f64) -> f64 {
b0:
    %a: f64 = mul %x, %y
    %b: f64 = div %a, %x
    %c: f64 = sub %b, %a
    %d: f64 = neg %c
    %e: f64 = mul %d, %d
    %r: f64 = sqrt %e
    return %r
}";
    check(text, &[float(1.3), float(-0.4)]);
}

#[test]
fn a_value_used_many_times() {
    let text = "
fn @f(%x: f64) -> f64 {
b0:
    %a: f64 = mul %x, %x
    %b: f64 = mul %a, %a
    %c: f64 = add %b, %a
    %d: f64 = mul %c, %x
    %e: f64 = add %d, %d
    return %e
}";
    check(text, &[float(0.7)]);
}

#[test]
fn elementary_functions() {
    let text = "
fn @f(%x: f64, %y: f64) -> f64 {
b0:
    %a: f64 = call @sin(%x)
    %b: f64 = call @exp(%y)
    %c: f64 = mul %a, %b
    %d: f64 = call @cos(%c)
    %e: f64 = call @tanh(%d)
    %g: f64 = call @powf(%b, %x)
    %h: f64 = add %e, %g
    return %h
}";
    let derived = check(text, &[float(0.7), float(0.3)]);
    assert_eq!(derived.calls("sin.with_partials"), 1);
    assert_eq!(derived.calls("sin") + derived.calls("cos"), 0);
}

#[test]
fn nested_tuples_and_integers_are_returned() {
    let text = "
fn @f(%x: f64, %n: i32) -> (f64, (i32, f64), bool) {
b0:
    %a: f64 = mul %x, %x
    %m: f64 = cast %n
    %b: f64 = mul %m, %x
    %one: i32 = 1
    %k: i32 = add %n, %one
    %t: (i32, f64) = tuple %k, %b
    %c: bool = lt %x, %a
    %r: (f64, (i32, f64), bool) = tuple %a, %t, %c
    return %r
}";
    check(text, &[float(0.7), Arg::Int(3)]);
}

#[test]
fn no_active_parameter() {
    let text = "
fn @f(%x: f64, %n: i64) -> f64 {
b0:
    %m: f64 = cast %n
    %b: f64 = mul %m, %x
    return %b
}";
    let derived = check_active(text, &[float(0.7), Arg::Int(3)], &[false, false]);
    assert_eq!(derived.count(Prim::Mul), 1);
}

#[test]
fn inactive_values_get_no_code() {
    let text = "
fn @f(%x: f64, %c: f64) -> f64 {
b0:
    %a: f64 = mul %c, %c
    %b: f64 = call @exp(%a)
    %d: f64 = mul %b, %x
    %unused: f64 = call @sin(%x)
    return %d
}";
    let derived = check_active(text, &[float(0.7), float(0.2)], &[true, false]);
    assert_eq!(derived.count(Prim::Mul), 3);
    assert_eq!(derived.calls("sin.with_partials"), 0);
}

#[test]
fn select_and_extrema() {
    let text = "
fn @f(%x: f64, %y: f64) -> f64 {
b0:
    %m: f64 = call @max(%x, %y)
    %n: f64 = call @min(%x, %y)
    %c: bool = lt %x, %y
    %a: f64 = mul %m, %n
    %b: f64 = mul %m, %m
    %s: f64 = select %c, %a, %b
    %r: f64 = mul %s, %n
    return %r
}";
    check(text, &[float(0.7), float(0.3)]);
    check(text, &[float(-0.7), float(0.3)]);
}

const BRANCH: &str = "
fn @f(%x: f64, %y: f64) -> f64 {
b0:
    %zero: f64 = 0.0
    %c: bool = lt %x, %zero
    branch %c, b1, b2
b1:
    %a: f64 = mul %x, %y
    %e: f64 = call @exp(%a)
    %f: f64 = mul %e, %e
    jump b3(%f, %x)
b2:
    %b: f64 = call @sin(%x)
    jump b3(%b, %y)
b3(%p: f64, %q: f64):
    %r: f64 = mul %p, %q
    return %r
}";

#[test]
fn a_branch() {
    check(BRANCH, &[float(0.7), float(0.3)]);
    check(BRANCH, &[float(-0.7), float(0.3)]);
}

#[test]
fn branches_within_branches() {
    let text = "
fn @f(%x: f64, %y: f64) -> f64 {
b0:
    %zero: f64 = 0.0
    %c: bool = lt %x, %zero
    %d: bool = lt %y, %zero
    branch %c, b1, b2
b1:
    branch %d, b3, b4
b2:
    branch %d, b5, b6
b3:
    %a: f64 = mul %x, %y
    jump b7(%a)
b4:
    %b: f64 = call @exp(%x)
    jump b7(%b)
b5:
    %e: f64 = call @sin(%y)
    jump b7(%e)
b6:
    jump b7(%y)
b7(%p: f64):
    %g: bool = lt %p, %x
    branch %g, b8, b9
b8:
    %h: f64 = mul %p, %p
    jump b9x(%h)
b9:
    jump b9x(%p)
b9x(%q: f64):
    %r: f64 = mul %q, %x
    return %r
}";
    for (x, y) in [(0.5, 0.25), (-0.5, 0.25), (0.5, -0.25), (-0.5, -0.25)] {
        check(text, &[float(x), float(y)]);
    }
}

#[test]
fn early_returns() {
    let text = "
fn @f(%x: f64, %y: f64) -> f64 {
b0:
    %zero: f64 = 0.0
    %c: bool = lt %x, %zero
    branch %c, b1, b2
b1:
    %a: f64 = mul %x, %x
    return %a
b2:
    %d: bool = lt %y, %zero
    branch %d, b3, b4
b3:
    return %y
b4:
    %b: f64 = mul %x, %y
    return %b
}";
    for (x, y) in [(0.5, 0.25), (-0.5, 0.25), (0.5, -0.25)] {
        check(text, &[float(x), float(y)]);
    }
}

#[test]
fn idle_branches_are_stepped_over() {
    let text = "
fn @f(%x: f64, %n: i64) -> f64 {
b0:
    %zero: i64 = 0
    %c: bool = lt %n, %zero
    branch %c, b1, b2
b1:
    %a: i64 = neg %n
    jump b3(%a)
b2:
    jump b3(%n)
b3(%m: i64):
    %k: f64 = cast %m
    %r: f64 = mul %x, %k
    return %r
}";
    let derived = check(text, &[float(0.5), Arg::Int(-3)]);
    let blocks = derived.combined.root().blocks_in_order();
    let branches = blocks.filter(|(_, data)| data.terminator.edges().count() == 2);
    assert_eq!(branches.count(), 1);
}

#[test]
fn stores_are_undone() {
    let text = "
fn @f(%u: [mut f64], %x: f64) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %a: f64 = load %u, %zero
    %b: f64 = mul %a, %x
    store %u, %zero, %b
    store %u, %one, %x
    %c: f64 = load %u, %zero
    %d: f64 = load %u, %one
    %e: f64 = mul %c, %d
    %half: f64 = 0.5
    store %u, %one, %half
    %g: f64 = call @sin(%c)
    store %u, %zero, %g
    return %e
}";
    check(text, &[floats(&[0.7, 0.3]), float(1.5)]);
}

/// So many times `if v < w { v = sin(v) }`.
fn many_branches(count: usize) -> Module {
    let params = [Type::F64, Type::F64];
    let mut b = Builder::new(Function::new(Symbol::new("f"), &params, Type::F64));
    let (mut v, w) = (b.function.params()[0], b.function.params()[1]);
    for _ in 0..count {
        let c = b.prim(Prim::Lt, &[v, w]);
        let [yes, no, after] = [(); 3].map(|_| b.new_block());
        b.branch(c, (yes, &[]), (no, &[]));
        b.switch_to(yes);
        let s = b.call(Symbol::new("sin"), &[v], Type::F64);
        b.jump(after, &[s]);
        b.switch_to(no);
        b.jump(after, &[v]);
        v = b.add_param(after, Type::F64);
        for block in [yes, no, after] {
            b.seal(block);
        }
        b.switch_to(after);
    }
    b.ret(v);
    Module::new(b.finish())
}

#[test]
fn what_branches_keep_costs_nothing_at_later_merges() {
    let registry = registry();
    let rows = |count: usize| {
        let module = many_branches(count);
        let derived = derive(&module, &registry, &[true, false], Mode::Combined).unwrap();
        derived.root().values.len()
    };
    assert!(rows(200) < 3 * rows(100));
    check_module(
        many_branches(20),
        &[float(0.9), float(0.8)],
        &[true, false],
        "",
    );
}
