//! Loops.

use super::text::*;
use crate::ir::Prim;

const SUM_COS_EXP: &str = "
fn @f(%x: [f64]) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %start: f64 = 0.0
    %n: usize = len %x
    jump b1(%zero, %start)
b1(%i: usize, %s: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b3
b2:
    %v: f64 = load %x, %i
    %e: f64 = call @exp(%v)
    %c: f64 = call @cos(%e)
    %t: f64 = add %s, %c
    %j: usize = add %i, %one
    jump b1(%j, %t)
b3:
    return %s
}";

#[test]
fn a_reduction_is_one_loop_without_tape() {
    let derived = check(SUM_COS_EXP, &[Arg::Floats(noise(9, 1))]);
    assert_eq!(derived.loops(), 1);
    assert_eq!(derived.count(Prim::TapePush), 0);
    assert_eq!(derived.calls("cos.with_partials"), 1);
    assert_eq!(derived.calls("exp"), 1);
    assert_eq!(derived.calls("cos") + derived.calls("sin"), 0);
    check(SUM_COS_EXP, &[floats(&[])]);
    check(SUM_COS_EXP, &[floats(&[0.5])]);
}

/// `for i in 0..n { body }` with one carried float `%s`, starting at `%start`; the body ends in `jump latch(%t)`.
fn counted(params: &str, before: &str, body: &str) -> String {
    format!(
        "
fn @f({params}) -> f64 {{
b0:
    %zero: usize = 0
    %one: usize = 1
    {before}
    jump b1(%zero, %start)
b1(%i: usize, %s: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b3
b2:
    {body}
latch(%t: f64):
    %j: usize = add %i, %one
    jump b1(%j, %t)
b3:
    return %s
}}"
    )
}

#[test]
fn sum_5x() {
    let text = counted(
        "%x: [f64]",
        "%n: usize = len %x %start: f64 = 0.0",
        "%v: f64 = load %x, %i %five: f64 = 5.0 %p: f64 = mul %five, %v %q: f64 = add %s, %p jump latch(%q)",
    );
    let derived = check(&text, &[Arg::Floats(noise(9, 1))]);
    assert_eq!(derived.loops(), 1);
    assert_eq!(derived.count(Prim::TapePush), 0);
    assert_eq!(derived.count(Prim::Load), 2);
}

#[test]
fn a_reduction_with_a_scalar_parameter() {
    let text = counted(
        "%x: [f64], %a: f64",
        "%n: usize = len %x %start: f64 = mul %a, %a",
        "%v: f64 = load %x, %i %p: f64 = mul %a, %v %e: f64 = call @sin(%p) %q: f64 = sub %s, %e jump latch(%q)",
    );
    let derived = check(&text, &[Arg::Floats(noise(7, 1)), float(0.7)]);
    assert_eq!((derived.loops(), derived.count(Prim::TapePush)), (1, 0));
}

#[test]
fn a_reduction_with_a_branch() {
    let body = "%v: f64 = load %x, %i %c: bool = lt %v, %a branch %c, l, r
l:
    %p: f64 = mul %v, %v
    %q: f64 = add %s, %p
    jump latch(%q)
r:
    %c2: bool = lt %a, %start
    branch %c2, rl, rr
rl:
    jump latch(%s)
rr:
    %e: f64 = call @exp(%v)
    %q2: f64 = sub %s, %e
    jump latch(%q2)";
    let text = counted(
        "%x: [f64], %a: f64",
        "%n: usize = len %x %start: f64 = 0.2",
        body,
    );
    for a in [0.1, 0.3, -2.0, 2.0] {
        let derived = check(&text, &[Arg::Floats(noise(12, 3)), float(a)]);
        assert_eq!((derived.loops(), derived.count(Prim::TapePush)), (1, 0));
    }
}

#[test]
fn the_mean_is_known_before_the_loop() {
    let text = "
fn @f(%x: [f64]) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %start: f64 = 0.0
    %n: usize = len %x
    jump b1(%zero, %start)
b1(%i: usize, %s: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b3
b2:
    %v: f64 = load %x, %i
    %p: f64 = mul %v, %v
    %t: f64 = add %s, %p
    %j: usize = add %i, %one
    jump b1(%j, %t)
b3:
    %m: f64 = cast %n
    %y: f64 = div %s, %m
    return %y
}";
    let derived = check(text, &[Arg::Floats(noise(7, 1))]);
    assert_eq!((derived.loops(), derived.count(Prim::TapePush)), (1, 0));
}

#[test]
fn two_reductions_multiplied_keep_their_order() {
    let text = "
fn @f(%x: [f64], %y: [f64]) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %start: f64 = 0.0
    %n: usize = len %x
    jump b1(%zero, %start, %start)
b1(%i: usize, %s: f64, %r: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b3
b2:
    %v: f64 = load %x, %i
    %w: f64 = load %y, %i
    %e: f64 = call @sin(%v)
    %s2: f64 = add %s, %e
    %p: f64 = mul %w, %e
    %r2: f64 = add %r, %p
    %j: usize = add %i, %one
    jump b1(%j, %s2, %r2)
b3:
    %z: f64 = mul %s, %r
    return %z
}";
    let derived = check(text, &[Arg::Floats(noise(7, 1)), Arg::Floats(noise(7, 2))]);
    assert_eq!(derived.loops(), 2);
    assert_eq!(derived.count(Prim::TapePush), 1);
}

#[test]
fn a_recurrence() {
    let text = counted(
        "%x: f64, %n: usize",
        "%start: f64 = mul %x, %x",
        "%e: f64 = call @sin(%s) %q: f64 = mul %e, %x jump latch(%q)",
    );
    for n in [0, 1, 2, 7] {
        let derived = check(&text, &[float(0.7), Arg::Int(n)]);
        assert_eq!(derived.loops(), 2);
    }
}

#[test]
fn a_carried_pair() {
    let text = "
fn @f(%x: f64, %y: f64, %n: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %two: f64 = 2.0
    jump b1(%zero, %x, %y)
b1(%i: usize, %a: f64, %b: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b3
b2:
    %c: f64 = mul %two, %a
    %j: usize = add %i, %one
    jump b1(%j, %b, %c)
b3:
    %d: f64 = mul %two, %b
    %z: f64 = add %a, %d
    return %z
}";
    for n in [0, 1, 2, 5] {
        let derived = check(text, &[float(0.7), float(-0.4), Arg::Int(n)]);
        assert_eq!(derived.count(Prim::TapePush), 0);
    }
}

#[test]
fn a_nonlinear_carried_pair() {
    let text = "
fn @f(%x: f64, %y: f64, %n: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    jump b1(%zero, %x, %y)
b1(%i: usize, %a: f64, %b: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b3
b2:
    %c: f64 = mul %b, %a
    %j: usize = add %i, %one
    jump b1(%j, %b, %c)
b3:
    return %b
}";
    for n in [0, 1, 5] {
        check(text, &[float(0.7), float(-0.4), Arg::Int(n)]);
    }
}

#[test]
fn nested_reductions_are_fused() {
    let text = "
fn @f(%a: [f64], %x: [f64], %n: usize, %m: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %start: f64 = 0.0
    jump b1(%zero, %start)
b1(%i: usize, %s: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b6
b2:
    jump b3(%zero, %s)
b3(%j: usize, %r: f64):
    %more2: bool = lt %j, %m
    branch %more2, b4, b5
b4:
    %row: usize = mul %i, %m
    %at: usize = add %row, %j
    %v: f64 = load %a, %at
    %w: f64 = load %x, %j
    %p: f64 = mul %v, %w
    %q: f64 = add %r, %p
    %j2: usize = add %j, %one
    jump b3(%j2, %q)
b5:
    %i2: usize = add %i, %one
    jump b1(%i2, %r)
b6:
    return %s
}";
    let args = [
        Arg::Floats(noise(12, 1)),
        Arg::Floats(noise(4, 2)),
        Arg::Int(3),
        Arg::Int(4),
    ];
    let derived = check(text, &args);
    assert_eq!((derived.loops(), derived.count(Prim::TapePush)), (2, 0));
}

/// For each row: a dot product, then something nonlinear of it.
const ROWS: &str = "
fn @f(%a: [f64], %x: [f64], %n: usize, %m: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %start: f64 = 0.0
    jump b1(%zero, %start)
b1(%i: usize, %s: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b6
b2:
    %row: usize = mul %i, %m
    jump b3(%zero, %start)
b3(%j: usize, %r: f64):
    %more2: bool = lt %j, %m
    branch %more2, b4, b5
b4:
    %at: usize = add %row, %j
    %v: f64 = load %a, %at
    %w: f64 = load %x, %j
    %p: f64 = mul %v, %w
    %q: f64 = add %r, %p
    %j2: usize = add %j, %one
    jump b3(%j2, %q)
b5:
    %l: f64 = call @tanh(%r)
    %t: f64 = add %s, %l
    %i2: usize = add %i, %one
    jump b1(%i2, %t)
b6:
    return %s
}";

#[test]
fn the_outer_of_two_loops_is_fused() {
    let args = [
        Arg::Floats(noise(12, 1)),
        Arg::Floats(noise(4, 2)),
        Arg::Int(3),
        Arg::Int(4),
    ];
    let derived = check(ROWS, &args);
    assert_eq!((derived.loops(), derived.count(Prim::TapePush)), (3, 0));
}

#[test]
fn a_recurrence_within_a_loop() {
    let text = ROWS
        .replace(
            "%q: f64 = add %r, %p",
            "%q0: f64 = add %r, %p %q: f64 = call @sin(%q0)",
        )
        .replace("return %s", "%y: f64 = mul %s, %s return %y");
    let args = [
        Arg::Floats(noise(12, 1)),
        Arg::Floats(noise(4, 2)),
        Arg::Int(3),
        Arg::Int(4),
    ];
    let derived = check(&text, &args);
    assert_eq!(derived.loops(), 4);
    check(
        &text,
        &[
            floats(&[]),
            Arg::Floats(noise(4, 2)),
            Arg::Int(0),
            Arg::Int(4),
        ],
    );
    check(&text, &[floats(&[]), floats(&[]), Arg::Int(3), Arg::Int(0)]);
}

#[test]
fn an_in_place_stencil() {
    let text = "
fn @f(%u: [mut f64], %steps: usize) -> () {
b0:
    %zero: usize = 0
    %one: usize = 1
    %half: f64 = 0.5
    %n: usize = len %u
    %last: usize = sub %n, %one
    jump b1(%zero)
b1(%k: usize):
    %more: bool = lt %k, %steps
    branch %more, b2, b6
b2:
    jump b3(%one)
b3(%i: usize):
    %more2: bool = lt %i, %last
    branch %more2, b4, b5
b4:
    %before: usize = sub %i, %one
    %after: usize = add %i, %one
    %a: f64 = load %u, %before
    %b: f64 = load %u, %after
    %c: f64 = mul %a, %b
    %d: f64 = add %a, %c
    %e: f64 = mul %half, %d
    store %u, %i, %e
    jump b3(%after)
b5:
    %k2: usize = add %k, %one
    jump b1(%k2)
b6:
    %unit: () = ()
    return %unit
}";
    for steps in [0, 1, 3] {
        check(text, &[Arg::Floats(noise(6, 4)), Arg::Int(steps)]);
    }
}

#[test]
fn read_modify_write_in_nested_loops() {
    let text = "
fn @f(%c: [mut f64], %a: [f64], %b: [f64], %n: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    jump b1(%zero)
b1(%i: usize):
    %m1: bool = lt %i, %n
    branch %m1, b2, b9
b2:
    jump b3(%zero)
b3(%j: usize):
    %m2: bool = lt %j, %n
    branch %m2, b4, b8
b4:
    %row: usize = mul %i, %n
    %at: usize = add %row, %j
    jump b5(%zero)
b5(%k: usize):
    %m3: bool = lt %k, %n
    branch %m3, b6, b7
b6:
    %ai: usize = add %row, %k
    %brow: usize = mul %k, %n
    %bi: usize = add %brow, %j
    %x: f64 = load %a, %ai
    %y: f64 = load %b, %bi
    %p: f64 = mul %x, %y
    %old: f64 = load %c, %at
    %new: f64 = add %old, %p
    store %c, %at, %new
    %k2: usize = add %k, %one
    jump b5(%k2)
b7:
    %j2: usize = add %j, %one
    jump b3(%j2)
b8:
    %i2: usize = add %i, %one
    jump b1(%i2)
b9:
    %first: f64 = load %c, %zero
    %r: f64 = mul %first, %first
    return %r
}";
    let args = [
        Arg::Floats(noise(4, 4)),
        Arg::Floats(noise(4, 5)),
        Arg::Floats(noise(4, 6)),
        Arg::Int(2),
    ];
    check(text, &args);
}

#[test]
fn accumulation_at_places_that_depend_on_data() {
    let text = "
fn @f(%u: [mut f64], %x: [f64], %at: [usize]) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %start: f64 = 0.0
    %n: usize = len %x
    jump b1(%zero, %start)
b1(%i: usize, %s: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b3
b2:
    %j: usize = load %at, %i
    %v: f64 = load %x, %i
    %old: f64 = load %u, %j
    %p: f64 = mul %old, %v
    %e: f64 = call @sin(%p)
    %new: f64 = add %old, %e
    store %u, %j, %new
    %s2: f64 = add %s, %new
    %i2: usize = add %i, %one
    jump b1(%i2, %s2)
b3:
    %q: f64 = mul %s, %s
    return %q
}";
    let args = [
        Arg::Floats(noise(3, 4)),
        Arg::Floats(noise(5, 5)),
        Arg::Ints(vec![0, 2, 0, 0, 2]),
    ];
    check(text, &args);
}

#[test]
fn a_map_into_memory_that_is_read_afterwards() {
    let text = "
fn @f(%y: [mut f64], %x: [f64]) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %start: f64 = 0.0
    %n: usize = len %x
    jump b1(%zero)
b1(%i: usize):
    %more: bool = lt %i, %n
    branch %more, b2, b3
b2:
    %v: f64 = load %x, %i
    %e: f64 = call @exp(%v)
    %c: f64 = call @cos(%e)
    store %y, %i, %c
    %i2: usize = add %i, %one
    jump b1(%i2)
b3:
    jump b4(%zero, %start)
b4(%k: usize, %s: f64):
    %more2: bool = lt %k, %n
    branch %more2, b5, b6
b5:
    %w: f64 = load %y, %k
    %w2: f64 = mul %w, %w
    %s2: f64 = add %s, %w2
    %k2: usize = add %k, %one
    jump b4(%k2, %s2)
b6:
    return %s
}";
    let derived = check(text, &[Arg::Floats(noise(5, 4)), Arg::Floats(noise(5, 5))]);
    assert_eq!(derived.loops(), 3);
}

/// The reverse of the store takes the cotangent of its element and leaves zero: the loop must not have added to it before.
#[test]
fn a_sum_over_memory_that_is_overwritten_afterwards() {
    let text = counted(
        "%u: [mut f64], %x: [f64]",
        "%n: usize = len %x %start: f64 = 0.0",
        "%v: f64 = load %u, %i %w: f64 = load %x, %i %p: f64 = mul %v, %w %q: f64 = add %s, %p jump latch(%q)",
    );
    let end = "%a: f64 = load %x, %zero store %u, %one, %a return %s";
    let text = text.replace("return %s", end);
    check(&text, &[Arg::Floats(noise(4, 1)), Arg::Floats(noise(4, 2))]);
}

#[test]
fn loops_run_down_and_in_steps() {
    let body = "
fn @f(%x: [f64], %y: f64) -> f64 {
b0:
    %from: i32 = FROM
    %to: i32 = TO
    %start: f64 = 1.0
    jump b1(%from, %start)
b1(%i: i32, %s: f64):
    %more: bool = CMP %i, %to
    branch %more, b2, b3
b2:
    %at: usize = cast %i
    %v: f64 = load %x, %at
    %k: f64 = cast %i
    %p: f64 = mul %v, %k
    %e: f64 = call @sin(%p)
    %q: f64 = add %s, %e
    %t: f64 = mul %q, %y
    %step: i32 = STEP
    %i2: i32 = add %i, %step
    jump b1(%i2, %t)
b3:
    return %s
}";
    for (from, to, cmp, step) in [
        ("7", "0", "gt", "-1"),
        ("7", "0", "gt", "-3"),
        ("1", "8", "lt", "2"),
        ("1", "9", "lt", "4"),
        ("5", "2", "lt", "1"),
        ("2", "6", "ne", "1"),
    ] {
        let text = body
            .replace("FROM", from)
            .replace("TO", to)
            .replace("CMP", cmp)
            .replace("STEP", step);
        check(&text, &[Arg::Floats(noise(9, 8)), float(0.8)]);
    }
}

/// `while s < limit { s = s + s * s * x; }`
const WHILE: &str = "
fn @f(%x: f64, %limit: f64) -> f64 {
b0:
    jump b1(%x)
b1(%s: f64):
    %more: bool = lt %s, %limit
    branch %more, b2, b3
b2:
    %a: f64 = mul %s, %s
    %b: f64 = mul %a, %x
    %c: f64 = add %s, %b
    %d: f64 = call @exp(%b)
    %e: f64 = mul %c, %d
    jump b1(%e)
b3:
    %y: f64 = mul %s, %s
    return %y
}";

#[test]
fn a_while_loop_whose_trips_depend_on_values() {
    for limit in [0.1, 0.8, 2.0, 9.0] {
        check_active(WHILE, &[float(0.7), float(limit)], &[true, false]);
    }
    check(WHILE, &[float(0.7), float(2.0)]);
}

#[test]
fn a_loop_with_breaks_and_continues() {
    let text = "
fn @f(%x: [f64], %a: f64) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %start: f64 = 1.0
    %n: usize = len %x
    %fzero: f64 = 0.0
    %big: f64 = 3.0
    jump b1(%zero, %start)
b1(%i: usize, %s: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b8
b2:
    %v: f64 = load %x, %i
    %i2: usize = add %i, %one
    %c: bool = lt %v, %fzero
    branch %c, b3, b4
b3:
    jump b1(%i2, %s)
b4:
    %e: f64 = mul %v, %a
    %p: f64 = call @exp(%e)
    %t: f64 = mul %s, %p
    %d: bool = lt %big, %t
    branch %d, b5, b6
b5:
    %early: f64 = mul %t, %v
    jump b9(%early)
b6:
    jump b1(%i2, %t)
b8:
    jump b9(%s)
b9(%r: f64):
    %y: f64 = mul %r, %r
    return %y
}";
    for a in [0.3, 1.0, 2.0, 5.0] {
        check(text, &[Arg::Floats(noise(7, 2)), float(a)]);
    }
    check(text, &[floats(&[]), float(1.0)]);
    check(text, &[floats(&[-0.5, 1.5]), float(1.0)]);
}

/// `'outer: loop { loop { if … break; if … break 'outer } }` with work at all places.
const BREAKS: &str = "
fn @f(%x: f64, %limit: f64, %inner: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    jump b1(%x)
b1(%s: f64):
    %s1: f64 = call @sin(%s)
    %s2: f64 = add %s1, %s
    jump b2(%zero, %s2)
b2(%k: usize, %r: f64):
    %a: f64 = mul %r, %x
    %a2: f64 = add %a, %r
    %c: bool = lt %limit, %a2
    branch %c, b3, b4
b3:
    %y: f64 = mul %a2, %a2
    jump b7(%y)
b4:
    %e: f64 = call @cos(%a2)
    %e2: f64 = mul %e, %e
    %g: f64 = add %a2, %e2
    %d: bool = lt %k, %inner
    branch %d, b5, b6
b5:
    %k2: usize = add %k, %one
    %h: f64 = mul %g, %x
    %h2: f64 = add %h, %a
    jump b2(%k2, %h2)
b6:
    %z: f64 = mul %g, %s
    %z2: f64 = add %z, %g
    jump b1(%z2)
b7(%w: f64):
    %w2: f64 = mul %w, %x
    return %w2
}";

#[test]
fn breaks_out_of_two_loops() {
    for limit in [0.5, 1.5, 3.0, 8.0] {
        for inner in [0, 1, 3] {
            check_active(
                BREAKS,
                &[float(0.7), float(limit), Arg::Int(inner)],
                &[true, false, false],
            );
        }
    }
}

#[test]
fn a_loop_whose_body_runs_once() {
    let text = "
fn @f(%x: f64) -> f64 {
b0:
    jump b1(%x)
b1(%s: f64):
    %a: f64 = mul %s, %s
    %limit: f64 = 0.0
    %c: bool = lt %a, %limit
    branch %c, b2, b3
b2:
    jump b1(%a)
b3:
    %b: f64 = call @sin(%a)
    return %b
}";
    check(text, &[float(0.7)]);
}

#[test]
fn values_of_the_last_iteration_are_used_after_the_loop() {
    let text = "
fn @f(%x: [f64], %a: f64) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    jump b1(%zero, %a)
b1(%i: usize, %s: f64):
    %v: f64 = load %x, %i
    %p: f64 = mul %v, %s
    %e: f64 = call @sin(%p)
    %i2: usize = add %i, %one
    %n: usize = len %x
    %more: bool = lt %i2, %n
    branch %more, b2, b3
b2:
    jump b1(%i2, %e)
b3:
    %q: f64 = mul %p, %v
    %r: f64 = mul %q, %e
    %z: f64 = mul %r, %s
    return %z
}";
    check(text, &[Arg::Floats(noise(4, 2)), float(1.5)]);
    check(text, &[floats(&[0.3]), float(1.5)]);
}

#[test]
fn general_loops_nest_in_counted_ones_and_the_other_way_round() {
    let text = "
fn @f(%x: [f64], %a: f64, %m: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %n: usize = len %x
    jump b1(%zero, %a)
b1(%i: usize, %s: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b9
b2:
    %v: f64 = load %x, %i
    %v2: f64 = mul %v, %s
    jump b3(%v2)
b3(%r: f64):
    %limit: f64 = 2.0
    %c: bool = lt %r, %limit
    branch %c, b4, b8
b4:
    %g: f64 = mul %r, %r
    %h1: f64 = call @sin(%g)
    jump b5(%zero, %h1)
b5(%j: usize, %q: f64):
    %more3: bool = lt %j, %m
    branch %more3, b6, b7
b6:
    %k: f64 = call @sin(%q)
    %l: f64 = mul %k, %v
    %o: f64 = add %l, %q
    %j2: usize = add %j, %one
    jump b5(%j2, %o)
b7:
    %t: f64 = mul %q, %a
    %tenth: f64 = 0.1
    %t1: f64 = mul %t, %tenth
    %most: f64 = 0.9
    %r1: f64 = add %r, %most
    %t2: f64 = add %t1, %r1
    jump b3(%t2)
b8:
    %w: f64 = mul %r, %s
    %i2: usize = add %i, %one
    jump b1(%i2, %w)
b9:
    %y: f64 = mul %s, %s
    return %y
}";
    for m in [0, 1, 3] {
        let args = [Arg::Floats(noise(4, 2)), float(1.2), Arg::Int(m)];
        check(text, &args);
    }
}

#[test]
fn slices_that_move_in_a_loop() {
    let text = "
fn @f(%x: [f64], %y: f64) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %start: f64 = 1.0
    jump b1(%x, %start)
b1(%s: [f64], %r: f64):
    %n: usize = len %s
    %c: bool = lt %one, %n
    branch %c, b2, b3
b2:
    %a: f64 = load %s, %zero
    %b: f64 = load %s, %one
    %p: f64 = mul %a, %b
    %q: f64 = mul %r, %y
    %t: f64 = add %p, %q
    %m: usize = sub %n, %one
    %rest: [f64] = subslice %s, %one, %m
    jump b1(%rest, %t)
b3:
    return %r
}";
    check(text, &[Arg::Floats(noise(5, 2)), float(1.2)]);
}

#[test]
fn loops_that_do_nothing_active_are_not_walked() {
    let text = "
fn @f(%x: f64, %n: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %three: usize = 3
    jump b1(%n, %zero)
b1(%m: usize, %k: usize):
    %c: bool = lt %one, %m
    branch %c, b2, b3
b2:
    %m2: usize = div %m, %three
    %k2: usize = add %k, %one
    jump b1(%m2, %k2)
b3:
    %f: f64 = cast %k
    %y: f64 = mul %x, %f
    return %y
}";
    let derived = check(text, &[float(0.7), Arg::Int(40)]);
    assert_eq!((derived.loops(), derived.count(Prim::TapePush)), (1, 0));
}
