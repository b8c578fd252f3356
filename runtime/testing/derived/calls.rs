//! Functions that call themselves and each other.

use super::text::*;

#[test]
fn a_power_by_recursion() {
    let text = "
fn @f(%x: f64, %n: u32) -> f64 {
b0:
    %zero: u32 = 0
    %c: bool = eq %n, %zero
    branch %c, b1, b2
b1:
    %one: f64 = 1.0
    return %one
b2:
    %i: u32 = 1
    %m: u32 = sub %n, %i
    %r: f64 = call @f(%x, %m)
    %e: f64 = call @sin(%r)
    %p: f64 = mul %e, %x
    %q: f64 = add %p, %r
    return %q
}";
    for n in [0, 1, 4] {
        check(text, &[float(0.7), Arg::Int(n)]);
    }
}

#[test]
fn two_calls_of_oneself() {
    let text = "
fn @f(%x: f64, %n: u32) -> f64 {
b0:
    %two: u32 = 2
    %c: bool = lt %n, %two
    branch %c, b1, b2
b1:
    %k: f64 = cast %n
    %y: f64 = mul %k, %x
    %z: f64 = add %y, %x
    return %z
b2:
    %i: u32 = 1
    %m: u32 = sub %n, %i
    %l: u32 = sub %n, %two
    %r: f64 = call @f(%x, %m)
    %s: f64 = call @f(%r, %l)
    %p: f64 = mul %r, %s
    %q: f64 = call @sin(%p)
    return %q
}";
    for n in [0, 1, 2, 4] {
        check(text, &[float(0.7), Arg::Int(n)]);
    }
}

const EVEN_ODD: &str = "
fn @even(%x: f64, %n: u32) -> f64 {
b0:
    %zero: u32 = 0
    %c: bool = eq %n, %zero
    branch %c, b1, b2
b1:
    return %x
b2:
    %i: u32 = 1
    %m: u32 = sub %n, %i
    %r: f64 = call @odd(%x, %m)
    %e: f64 = call @sin(%r)
    return %e
}
fn @odd(%x: f64, %n: u32) -> f64 {
b0:
    %zero: u32 = 0
    %c: bool = eq %n, %zero
    branch %c, b1, b2
b1:
    %y: f64 = mul %x, %x
    return %y
b2:
    %i: u32 = 1
    %m: u32 = sub %n, %i
    %r: f64 = call @even(%x, %m)
    %e: f64 = mul %r, %x
    return %e
}";

#[test]
fn mutual_recursion() {
    for n in [0, 1, 2, 5] {
        check(EVEN_ODD, &[float(0.7), Arg::Int(n)]);
    }
}

#[test]
fn recursion_over_parts_of_slices() {
    let text = "
fn @f(%x: [f64], %w: f64) -> (f64, f64) {
b0:
    %n: usize = len %x
    %one: usize = 1
    %zero: usize = 0
    %c: bool = lt %n, %one
    branch %c, b1, b2
b1:
    %fone: f64 = 1.0
    %t: (f64, f64) = tuple %w, %fone
    return %t
b2:
    %a: f64 = load %x, %zero
    %m: usize = sub %n, %one
    %rest: [f64] = subslice %x, %one, %m
    %r: (f64, f64) = call @f(%rest, %a)
    %p: f64 = field.0 %r
    %q: f64 = field.1 %r
    %u: f64 = mul %p, %a
    %v: f64 = mul %q, %w
    %y: f64 = add %v, %u
    %z: (f64, f64) = tuple %u, %y
    return %z
}";
    check(text, &[Arg::Floats(noise(5, 1)), float(0.7)]);
    check(text, &[floats(&[]), float(0.7)]);
    check_active(
        text,
        &[Arg::Floats(noise(5, 1)), float(0.7)],
        &[true, false],
    );
    check_active(
        text,
        &[Arg::Floats(noise(5, 1)), float(0.7)],
        &[false, true],
    );
}

#[test]
fn recursion_that_writes_memory() {
    let text = "
fn @f(%u: [mut f64], %s: f64) -> f64 {
b0:
    %n: usize = len %u
    %one: usize = 1
    %zero: usize = 0
    %c: bool = le %n, %one
    branch %c, b1, b2
b1:
    return %s
b2:
    %a: f64 = load %u, %zero
    %b: f64 = load %u, %one
    %p: f64 = mul %a, %b
    %e: f64 = call @sin(%p)
    store %u, %one, %e
    %m: usize = sub %n, %one
    %rest: [mut f64] = subslice %u, %one, %m
    %t: f64 = add %s, %e
    %r: f64 = call @f(%rest, %t)
    %d: f64 = load %u, %one
    %g: f64 = mul %d, %r
    store %u, %zero, %g
    return %g
}";
    check(text, &[Arg::Floats(noise(5, 1)), float(0.7)]);
}

#[test]
fn recursion_in_loops() {
    let text = "
fn @f(%x: f64, %n: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    jump b1(%zero, %x)
b1(%i: usize, %s: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b3
b2:
    %r: f64 = call @f(%s, %i)
    %e: f64 = call @sin(%r)
    %t: f64 = mul %e, %x
    %j: usize = add %i, %one
    jump b1(%j, %t)
b3:
    return %s
}";
    for n in [0, 1, 4] {
        check(text, &[float(0.9), Arg::Int(n)]);
    }
    // As a sum, the loop's iterations are independent: each runs forwards and backwards.
    let sum = text
        .replace(
            "jump b1(%zero, %x)",
            "%start: f64 = 0.1 jump b1(%zero, %start)",
        )
        .replace("call @f(%s, %i)", "call @f(%x, %i)")
        .replace("%t: f64 = mul %e, %x", "%t: f64 = add %e, %s");
    for n in [0, 1, 4] {
        check(&sum, &[float(0.9), Arg::Int(n)]);
    }
    let whiles = text
        .replace("branch %more, b2, b3", "%limit: f64 = 0.2 %no: bool = lt %s, %limit %stop: bool = or %no, %more branch %stop, b2, b3")
        .replace("%j: usize = add %i, %one", "%j0: usize = add %i, %one %j: usize = select %more, %j0, %i")
        .replace("%t: f64 = mul %e, %x", "%t: f64 = add %e, %x");
    for n in [0, 1, 3] {
        check(&whiles, &[float(0.9), Arg::Int(n)]);
    }
}

#[test]
fn calls_without_active_arguments_stay_calls() {
    let text = "
fn @f(%x: f64, %c: f64, %n: u32) -> f64 {
b0:
    %p: f64 = call @power(%c, %n)
    %y: f64 = mul %p, %x
    return %y
}
fn @power(%x: f64, %n: u32) -> f64 {
b0:
    %zero: u32 = 0
    %c: bool = eq %n, %zero
    branch %c, b1, b2
b1:
    return %x
b2:
    %i: u32 = 1
    %m: u32 = sub %n, %i
    %r: f64 = call @power(%x, %m)
    %e: f64 = mul %r, %x
    return %e
}";
    let args = [float(0.7), float(0.4), Arg::Int(3)];
    let derived = check_active(text, &args, &[true, false, false]);
    assert_eq!(derived.calls("power"), 1);
    assert_eq!(derived.combined.functions.len(), 2);
    check(text, &args);
}
