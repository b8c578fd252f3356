//! Memory that pointers lead to: objects that are shared, overwritten, passed on and returned.

use super::*;
use crate::arena::Id;
use crate::array::host::ArrayHost;
use crate::array::{Array, Device};
use crate::ir::{Function, Inst, Module, Op, Prim, Symbol, Type};

fn split(text: &str, active: &[bool]) -> Module {
    Subject::new(text, active).split
}

fn signature<'m>(module: &'m Module, name: &str) -> (Vec<Type>, Type) {
    let function: &'m Function = &module.functions[&Symbol::new(name)];
    (function.param_types(), function.ret)
}

#[test]
fn a_returned_slice_comes_with_its_shadow() {
    let derived = split("fn @f(%x: [f64]) -> [f64] { b0: return %x }", &[true]);
    let (x, shadow) = (Type::slice(Type::F64), Type::slice_mut(Type::F64));
    let both = Type::tuple(&[x, shadow]);
    assert_eq!(signature(&derived, "f.forward"), (vec![x, shadow], both));
    let unit = Type::UNIT;
    assert_eq!(signature(&derived, "f.pullback"), (vec![x, shadow], unit));
    let inactive = split("fn @f(%x: [f64]) -> [f64] { b0: return %x }", &[false]);
    assert_eq!(signature(&inactive, "f.forward"), (vec![x], x));
}

/// Cells that hold floats.
fn row(x: &[f64]) -> Vec<Cell> {
    x.iter().map(|&x| Cell::X(x)).collect()
}

#[test]
fn a_struct_behind_a_pointer_is_changed_in_a_loop() {
    let text = "
fn @f(%p: ptr, %n: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    jump b1(%zero)
b1(%i: usize):
    %more: bool = lt %i, %n
    branch %more, b2, b3
b2:
    %x: f64 = get.0 %p
    %v: f64 = get.8 %p
    %p1: f64 = mul %x, %v
    %s: f64 = call @sin(%p1)
    set.0 %p, %s
    %y: f64 = get.0 %p
    %w: f64 = add %y, %v
    set.8 %p, %w
    %j: usize = add %i, %one
    jump b1(%j)
b3:
    %r: f64 = get.0 %p
    %q: f64 = get.8 %p
    %t: f64 = mul %r, %q
    return %t
}";
    for n in [0, 1, 4] {
        let heap = Heap {
            objects: vec![row(&[0.7, 0.4])],
            args: vec![Given::P(0), Given::N(n)],
            ..Heap::default()
        };
        check_heap(text, &heap);
    }
}

#[test]
fn a_list_is_summed_by_a_loop() {
    let text = "
fn @f(%list: ptr) -> f64 {
b0:
    %s0: f64 = 0.0
    %null: ptr = null
    %n0: usize = 0
    %one: usize = 1
    jump b1(%list, %s0, %n0)
b1(%p: ptr, %s: f64, %n: usize):
    %three: usize = 3
    %more: bool = lt %n, %three
    branch %more, b2, b3
b2:
    %x: f64 = get.0 %p
    %y: f64 = mul %x, %x
    %t: f64 = add %s, %y
    %q: ptr = get.8 %p
    %m: usize = add %n, %one
    jump b1(%q, %t, %m)
b3:
    return %s
}";
    let heap = Heap {
        objects: vec![
            vec![Cell::X(0.3), Cell::P(Some(2))],
            vec![Cell::X(0.5), Cell::P(None)],
            vec![Cell::X(0.7), Cell::P(Some(1))],
        ],
        args: vec![Given::P(0)],
        ..Heap::default()
    };
    check_heap(text, &heap);
    // A ring, in which an object is met again.
    let mut ring = heap.clone();
    ring.objects[2][1] = Cell::P(Some(0));
    check_heap(text, &ring);
}

/// A list as an enum: a tag that is 0 at the end, and a pointer to a value, the next tag and the next pointer.
const SUM: &str = "
fn @f(%tag: usize, %p: ptr, %a: f64) -> f64 {
b0:
    %zero: usize = 0
    %c: bool = eq %tag, %zero
    branch %c, b1, b2
b1:
    return %a
b2:
    %x: f64 = get.0 %p
    %next: usize = get.8 %p
    %q: ptr = get.16 %p
    %y: f64 = mul %x, %a
    %r: f64 = call @f(%next, %q, %y)
    %s: f64 = mul %r, %x
    %t: f64 = add %s, %x
    return %t
}";

fn tagged(x: &[f64]) -> Heap {
    let cell = |(n, x): (usize, &f64)| match x {
        x if n + 1 < 3 => vec![Cell::X(*x), Cell::N(1), Cell::P(Some(n + 1))],
        x => vec![Cell::X(*x), Cell::N(0), Cell::P(None)],
    };
    Heap {
        objects: x.iter().enumerate().map(cell).collect(),
        args: vec![Given::N(1), Given::P(0), Given::X(0.9)],
        ..Heap::default()
    }
}

#[test]
fn a_list_is_walked_by_recursion() {
    let subject = check_heap(SUM, &tagged(&[0.3, 0.5, 0.7]));
    // The nodes are read again, and what is passed on is computed again; only the call's result is kept.
    let text = subject.split.functions[&Symbol::new("f.forward")].to_string();
    assert_eq!(text.matches("tape_push").count(), 1, "{text}");
    assert_eq!(text.matches("poke").count(), 1, "{text}");
    let mut empty = tagged(&[0.3, 0.5, 0.7]);
    empty.args[0] = Given::N(0);
    check_heap(SUM, &empty);
}

#[test]
fn a_list_is_scaled_in_place_by_recursion_and_walked_again() {
    let text = "
fn @f(%tag: usize, %p: ptr, %a: f64) -> f64 {
b0:
    %r: f64 = call @walk(%tag, %p, %a)
    %x: f64 = get.0 %p
    %y: f64 = mul %r, %x
    %q: f64 = call @walk(%tag, %p, %y)
    %z: f64 = mul %q, %a
    return %z
}
fn @walk(%tag: usize, %p: ptr, %a: f64) -> f64 {
b0:
    %zero: usize = 0
    %c: bool = eq %tag, %zero
    branch %c, b1, b2
b1:
    return %a
b2:
    %x: f64 = get.0 %p
    %next: usize = get.8 %p
    %q: ptr = get.16 %p
    %y: f64 = mul %x, %a
    set.0 %p, %y
    %r: f64 = call @walk(%next, %q, %y)
    %s: f64 = call @sin(%r)
    %z: f64 = get.0 %p
    %w: f64 = mul %z, %s
    set.0 %p, %w
    %t: f64 = add %w, %x
    return %t
}";
    check_heap(text, &tagged(&[0.3, 0.5, 0.7]));
}

const NODES: &[Shape] = &[Shape {
    floats: &[0],
    pointers: &[(2, 0)],
}];

#[test]
fn a_list_is_built_by_recursion_and_returned() {
    let text = "
fn @f(%n: usize, %a: f64) -> (usize, ptr) {
b0:
    %zero: usize = 0
    %one: usize = 1
    %c: bool = eq %n, %zero
    branch %c, b1, b2
b1:
    %null: ptr = null
    %end: (usize, ptr) = tuple %zero, %null
    return %end
b2:
    %m: usize = sub %n, %one
    %b: f64 = call @sin(%a)
    %rest: (usize, ptr) = call @f(%m, %b)
    %tag: usize = field.0 %rest
    %q: ptr = field.1 %rest
    %size: usize = 24
    %p: ptr = alloc %size
    %y: f64 = mul %a, %b
    set.0 %p, %y
    set.8 %p, %tag
    set.16 %p, %q
    %list: (usize, ptr) = tuple %one, %p
    return %list
}";
    for n in [0, 1, 3] {
        let heap = Heap {
            args: vec![Given::N(n), Given::X(0.6)],
            shapes: NODES,
            ..Heap::default()
        };
        check_heap(text, &heap);
    }
}

#[test]
fn objects_made_without_active_arguments_are_filled_later() {
    let text = "
fn @f(%n: usize, %a: f64) -> f64 {
b0:
    %list: (usize, ptr) = call @make(%n)
    %tag: usize = field.0 %list
    %p: ptr = field.1 %list
    set.0 %p, %a
    %q: ptr = get.16 %p
    %x: f64 = get.0 %q
    %y: f64 = mul %x, %a
    set.0 %q, %y
    %z: f64 = call @sum(%tag, %p)
    return %z
}
fn @make(%n: usize) -> (usize, ptr) {
b0:
    %zero: usize = 0
    %one: usize = 1
    %c: bool = eq %n, %zero
    branch %c, b1, b2
b1:
    %null: ptr = null
    %end: (usize, ptr) = tuple %zero, %null
    return %end
b2:
    %m: usize = sub %n, %one
    %rest: (usize, ptr) = call @make(%m)
    %tag: usize = field.0 %rest
    %q: ptr = field.1 %rest
    %size: usize = 24
    %p: ptr = alloc %size
    %y: f64 = cast %n
    set.0 %p, %y
    set.8 %p, %tag
    set.16 %p, %q
    %list: (usize, ptr) = tuple %one, %p
    return %list
}
fn @sum(%tag: usize, %p: ptr) -> f64 {
b0:
    %zero: usize = 0
    %c: bool = eq %tag, %zero
    branch %c, b1, b2
b1:
    %none: f64 = 0.5
    return %none
b2:
    %x: f64 = get.0 %p
    %next: usize = get.8 %p
    %q: ptr = get.16 %p
    %r: f64 = call @sum(%next, %q)
    %s: f64 = mul %r, %x
    %t: f64 = add %s, %x
    return %t
}";
    let heap = Heap {
        args: vec![Given::N(3), Given::X(0.6)],
        ..Heap::default()
    };
    check_heap(text, &heap);
}

#[test]
fn a_box_is_overwritten_after_it_was_read() {
    let text = "
fn @f(%p: ptr, %a: f64) -> f64 {
b0:
    %x: f64 = get.0 %p
    %y: f64 = mul %x, %a
    set.0 %p, %a
    %z: f64 = get.0 %p
    %w: f64 = mul %z, %y
    set.0 %p, %w
    %c: f64 = 1.5
    set.8 %p, %c
    %v: f64 = get.8 %p
    %u: f64 = mul %v, %w
    return %u
}";
    let heap = Heap {
        objects: vec![row(&[0.3, 0.8])],
        args: vec![Given::P(0), Given::X(0.6)],
        ..Heap::default()
    };
    check_heap(text, &heap);
}

#[test]
fn one_object_by_two_pointers() {
    let text = "
fn @f(%p: ptr, %q: ptr) -> f64 {
b0:
    %x: f64 = get.0 %p
    %y: f64 = get.8 %q
    %z: f64 = mul %x, %y
    set.0 %q, %z
    %u: f64 = get.0 %p
    %v: f64 = mul %u, %y
    set.8 %p, %v
    %s: f64 = get.8 %q
    %t: f64 = mul %s, %u
    return %t
}";
    for second in [0, 1] {
        let heap = Heap {
            objects: vec![row(&[0.3, 0.8]), row(&[0.4, 0.9])],
            args: vec![Given::P(0), Given::P(second)],
            ..Heap::default()
        };
        check_heap(text, &heap);
    }
}

#[test]
fn pointers_in_a_cell_change_places() {
    let text = "
fn @f(%cell: ptr, %n: usize, %a: f64) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    jump b1(%zero, %a)
b1(%i: usize, %s: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b5
b2:
    %p: ptr = get.0 %cell
    %q: ptr = get.8 %cell
    %x: f64 = get.0 %p
    %y: f64 = mul %x, %s
    set.0 %q, %y
    %bit: usize = and %i, %one
    %odd: bool = eq %bit, %one
    branch %odd, b3, b4
b3:
    %size: usize = 8
    %new: ptr = alloc %size
    set.0 %new, %y
    set.0 %cell, %new
    jump b6(%s)
b4:
    set.0 %cell, %q
    set.8 %cell, %p
    jump b6(%y)
b6(%t: f64):
    %j: usize = add %i, %one
    jump b1(%j, %t)
b5:
    %l: ptr = get.8 %cell
    %m: f64 = get.0 %l
    %r: f64 = mul %m, %s
    return %r
}";
    for n in [0, 1, 2, 5] {
        let pair = vec![Cell::P(Some(1)), Cell::P(Some(2))];
        let heap = Heap {
            objects: vec![pair, row(&[0.7]), row(&[1.2])],
            args: vec![Given::P(0), Given::N(n), Given::X(1.1)],
            ..Heap::default()
        };
        check_heap(text, &heap);
    }
}

/// Pushes `x[i] * a`, growing the buffer when it is full, then takes the product's sine.
const GROWTH: &str = "
fn @f(%x: [f64], %a: f64) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %eight: usize = 8
    %n: usize = len %x
    %empty: ptr = null
    jump b1(%zero, %empty, %zero)
b1(%i: usize, %buffer: ptr, %capacity: usize):
    %more: bool = lt %i, %n
    branch %more, b2, b9
b2:
    %full: bool = eq %i, %capacity
    branch %full, b3, b7
b3:
    %twice: usize = add %capacity, %capacity
    %wanted: usize = add %twice, %one
    %bytes: usize = mul %wanted, %eight
    %new: ptr = alloc %bytes
    %from: [f64] = view %buffer, %capacity
    %to: [mut f64] = view %new, %wanted
    jump b4(%zero)
b4(%k: usize):
    %left: bool = lt %k, %capacity
    branch %left, b5, b6
b5:
    %old: f64 = load %from, %k
    store %to, %k, %old
    %next: usize = add %k, %one
    jump b4(%next)
b6:
    jump b8(%new, %wanted)
b7:
    jump b8(%buffer, %capacity)
b8(%now: ptr, %room: usize):
    %e: f64 = load %x, %i
    %y: f64 = mul %e, %a
    %place: [mut f64] = view %now, %room
    store %place, %i, %y
    %j: usize = add %i, %one
    jump b1(%j, %now, %room)
b9:
    %p0: f64 = 1.0
    %all: [f64] = view %buffer, %capacity
    jump b10(%zero, %p0)
b10(%l: usize, %p: f64):
    %rest: bool = lt %l, %n
    branch %rest, b11, b12
b11:
    %z: f64 = load %all, %l
    %sine: f64 = call @sin(%z)
    %product: f64 = mul %p, %sine
    %l2: usize = add %l, %one
    jump b10(%l2, %product)
b12:
    return %p
}";

#[test]
fn a_growing_buffer() {
    for n in [0_usize, 1, 3, 7] {
        let heap = Heap {
            objects: vec![row(&[0.3, 0.8, 1.2, 0.7, 0.4, 1.1, 0.9][..n])],
            args: vec![Given::Slice(0), Given::X(1.1)],
            ..Heap::default()
        };
        check_heap(GROWTH, &heap);
    }
}

#[test]
fn memory_of_its_own_is_not_restored() {
    let subject = Subject::new(GROWTH, &[true, true]);
    let forward = &subject.split.functions[&Symbol::new("f.forward")];
    let loads = |f: &Function| {
        let insts = f.blocks_in_order().flat_map(|(_, data)| &data.insts);
        let load = |i: &&Inst| f.insts[**i].op == Op::Prim(Prim::Load);
        insts.filter(load).count()
    };
    assert_eq!(loads(forward), 3, "{forward}");
}

#[test]
fn views_and_cells_of_one_object() {
    let text = "
fn @f(%x: [mut f64], %p: ptr, %i: usize) -> f64 {
b0:
    %at: ptr = base %x
    %eight: usize = 8
    %second: ptr = offset %at, %eight
    %two: usize = 2
    %v: [mut f64] = view %second, %two
    %a: f64 = load %v, %i
    %b: f64 = get.8 %at
    %c: f64 = mul %a, %b
    set.0 %second, %c
    %d: f64 = load %x, %two
    %e: f64 = get.0 %p
    %g: f64 = mul %d, %e
    store %v, %i, %g
    %h: f64 = get.16 %at
    %k: f64 = mul %h, %c
    set.8 %p, %k
    return %k
}";
    for i in [0, 1] {
        let heap = Heap {
            objects: vec![row(&[0.3, 0.8, 1.3]), row(&[0.4, 0.9])],
            args: vec![Given::Slice(0), Given::P(1), Given::N(i)],
            ..Heap::default()
        };
        check_heap(text, &heap);
    }
}

#[test]
fn a_slice_of_one_argument_or_another() {
    let text = "
fn @f(%x: [f64], %y: [mut f64], %n: usize, %a: f64) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %c: bool = eq %n, %zero
    %p: ptr = base %x
    %q: ptr = base %y
    %l: usize = len %x
    branch %c, b1, b2
b1:
    jump b3(%p)
b2:
    jump b3(%q)
b3(%r: ptr):
    %s: [f64] = view %r, %l
    %v: f64 = load %s, %one
    %w: f64 = mul %v, %a
    store %y, %one, %w
    %u: f64 = load %s, %one
    %t: f64 = mul %u, %w
    return %t
}";
    for n in [0, 1] {
        let heap = Heap {
            objects: vec![row(&[0.3, 0.8]), row(&[0.4, 0.9])],
            args: vec![Given::Slice(0), Given::Slice(1), Given::N(n), Given::X(1.4)],
            ..Heap::default()
        };
        check_heap(text, &heap);
        // What is not asked for is active where it cannot be told apart.
        let subject = Subject::new(text, &[false, false, false, true]);
        subject.check(&heap).unwrap();
    }
}

#[test]
fn a_slice_variable_that_changes_its_origin() {
    let text = "
fn @f(%x: [f64], %y: [f64], %n: usize, %a: f64) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %c: bool = eq %n, %zero
    branch %c, b1, b2
b1:
    jump b3(%x, %a)
b2:
    %two: usize = 2
    %part: [f64] = subslice %y, %one, %two
    jump b3(%part, %a)
b3(%s: [f64], %t: f64):
    %l: usize = len %s
    %more: bool = gt %l, %zero
    branch %more, b4, b5
b4:
    %v: f64 = load %s, %zero
    %w: f64 = mul %v, %t
    %u: f64 = call @sin(%w)
    %k: usize = sub %l, %one
    %rest: [f64] = subslice %s, %one, %k
    jump b3(%rest, %u)
b5:
    return %t
}";
    for n in [0, 1] {
        let heap = Heap {
            objects: vec![row(&[0.3, 0.8]), row(&[0.4, 0.9, 1.2])],
            args: vec![Given::Slice(0), Given::Slice(1), Given::N(n), Given::X(1.4)],
            ..Heap::default()
        };
        check_heap(text, &heap);
    }
}

#[test]
fn objects_in_objects() {
    let text = "
fn @f(%outer: ptr, %a: f64) -> ptr {
b0:
    %inner: ptr = get.8 %outer
    %rows: ptr = get.0 %inner
    %n: usize = get.8 %inner
    %x: [mut f64] = view %rows, %n
    %one: usize = 1
    %v: f64 = load %x, %one
    %w: f64 = mul %v, %a
    %size: usize = 16
    %new: ptr = alloc %size
    set.0 %new, %w
    set.8 %new, %inner
    %scale: f64 = get.0 %outer
    %z: f64 = mul %w, %scale
    store %x, %one, %z
    %again: ptr = get.8 %new
    set.8 %outer, %new
    %back: ptr = get.0 %again
    set.0 %outer, %z
    set.0 %back, %z
    return %outer
}";
    let heap = Heap {
        objects: vec![
            vec![Cell::X(0.7), Cell::P(Some(1))],
            vec![Cell::P(Some(2)), Cell::N(2)],
            row(&[0.3, 0.8]),
        ],
        args: vec![Given::P(0), Given::X(1.4)],
        shapes: &[
            Shape {
                floats: &[0],
                pointers: &[(1, 1)],
            },
            Shape {
                floats: &[0],
                pointers: &[(1, 2)],
            },
            Shape {
                floats: &[],
                pointers: &[(0, 3)],
            },
            Shape {
                floats: &[0, 1],
                pointers: &[],
            },
        ],
    };
    check_heap(text, &heap);
}

#[test]
fn slices_are_returned_by_calls() {
    let text = "
fn @f(%x: [mut f64], %n: usize, %a: f64) -> [mut f64] {
b0:
    %part: ([mut f64], f64) = call @part(%x, %n, %a)
    %s: [mut f64] = field.0 %part
    %b: f64 = field.1 %part
    %zero: usize = 0
    %v: f64 = load %s, %zero
    %w: f64 = mul %v, %b
    store %s, %zero, %w
    %u: f64 = load %x, %n
    %z: f64 = mul %u, %a
    store %x, %zero, %z
    return %s
}
fn @part(%x: [mut f64], %n: usize, %a: f64) -> ([mut f64], f64) {
b0:
    %zero: usize = 0
    %one: usize = 1
    %c: bool = eq %n, %zero
    branch %c, b1, b2
b1:
    %end: ([mut f64], f64) = tuple %x, %a
    return %end
b2:
    %l: usize = len %x
    %k: usize = sub %l, %one
    %rest: [mut f64] = subslice %x, %one, %k
    %first: f64 = load %x, %zero
    %b: f64 = mul %first, %a
    store %rest, %zero, %b
    %m: usize = sub %n, %one
    %all: ([mut f64], f64) = call @part(%rest, %m, %b)
    return %all
}";
    let heap = Heap {
        objects: vec![row(&[0.3, 0.8, 1.2, 0.7])],
        args: vec![Given::Slice(0), Given::N(2), Given::X(1.4)],
        ..Heap::default()
    };
    check_heap(text, &heap);
}

#[test]
fn views_are_passed_to_functions_of_slices() {
    let text = "
fn @f(%p: ptr, %a: f64) -> f64 {
b0:
    %three: usize = 3
    %v: [mut f64] = view %p, %three
    %r: f64 = call @g(%v, %a)
    %x: f64 = get.8 %p
    %y: f64 = mul %x, %r
    return %y
}
fn @g(%u: [mut f64], %s: f64) -> f64 {
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
    %r: f64 = call @g(%rest, %t)
    %d: f64 = load %u, %one
    %g: f64 = mul %d, %r
    store %u, %zero, %g
    return %g
}";
    let heap = Heap {
        objects: vec![row(&[0.3, 0.8, 1.2])],
        args: vec![Given::P(0), Given::X(1.4)],
        ..Heap::default()
    };
    check_heap(text, &heap);
}

#[test]
fn a_sum_over_objects_needs_no_tape() {
    let text = "
fn @f(%p: ptr, %n: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %s0: f64 = 0.0
    jump b1(%zero, %s0)
b1(%i: usize, %s: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b3
b2:
    %x: f64 = get.0 %p
    %y: f64 = get.8 %p
    %z: f64 = mul %x, %y
    %t: f64 = add %s, %z
    %j: usize = add %i, %one
    jump b1(%j, %t)
b3:
    return %s
}";
    let heap = Heap {
        objects: vec![row(&[0.3, 0.8])],
        args: vec![Given::P(0), Given::N(3)],
        ..Heap::default()
    };
    let subject = check_heap(text, &heap);
    assert!(!subject.split.to_string().contains("tape_push"));
}

#[test]
fn integers_alone_leave_no_trace() {
    let text = "
fn @f(%p: ptr, %n: usize) -> usize {
b0:
    %m: usize = get.0 %p
    %k: usize = mul %m, %n
    return %k
}";
    let derived = split(text, &[false, true]);
    let pullback = &derived.functions[&Symbol::new("f.pullback")];
    assert_eq!(
        pullback.blocks[pullback.entry()].insts.len(),
        1,
        "{derived}"
    );
    assert!(!derived.to_string().contains("tape"));
}

#[test]
fn a_broken_derivative_is_noticed() {
    let heap = tagged(&[0.3, 0.5, 0.7]);
    let subject = Subject::new(SUM, &[true; 3]);
    subject.check(&heap).unwrap();
    let broken = |of: fn(&mut Subject) -> &mut Module, from: Prim, to: Prim| {
        let mut subject = Subject::new(SUM, &[true; 3]);
        let module = of(&mut subject);
        let mut count = 0;
        for function in module.functions.values_mut() {
            for inst in (0..function.insts.len()).map(Inst::new) {
                if function.insts[inst].op == Op::Prim(from) {
                    function.insts[inst].op = Op::Prim(to);
                    count += 1;
                }
            }
        }
        assert!(count > 0);
        subject.check(&heap)
    };
    assert!(broken(|s| &mut s.split, Prim::Add, Prim::Sub).is_err());
    assert!(broken(|s| &mut s.combined, Prim::Mul, Prim::Add).is_err());
    // The shadow of the list's first node is written where its tag is.
    let error = broken(|s| &mut s.split, Prim::Set(0), Prim::Set(16)).unwrap_err();
    assert!(error.contains("is lost"), "{error}");
}

/// Handles stand in objects; where the shadow holds none, the cotangent is zero.
#[test]
fn arrays_in_objects() {
    let text = "
fn @f(%x: array<f64>, %n: usize) -> array<f64> {
b0:
    %size: usize = 16
    %cell: ptr = alloc %size
    set.0 %cell, %x
    set.8 %cell, %x
    %y: array<f64> = get.0 %cell
    %square: array<f64> = map @mul(%y, %x)
    set.0 %cell, %square
    %zero: usize = 0
    %c: bool = eq %n, %zero
    branch %c, b1, b2
b1:
    jump b3
b2:
    %again: array<f64> = get.0 %cell
    set.8 %cell, %again
    jump b3
b3:
    %a: array<f64> = get.0 %cell
    %b: array<f64> = get.8 %cell
    %z: array<f64> = map @mul(%a, %b)
    return %z
}";
    let subject = Subject::new(text, &[true, true]);
    // x³, or x⁴.
    for (n, expected) in [(0, [0.75, 12.0]), (1, [0.5, 32.0])] {
        let gradient = subject.combined.root;
        let program = Program::compile(&subject.combined, &subject.registry, &[gradient]).unwrap();
        let host = ArrayHost::new();
        let array = |x: &[f64]| {
            host.give(&Array::from_vec_on(&Device::cpu(), x.to_vec(), [x.len()]))
                .unwrap()
        };
        let mut args = Args::new();
        args.array::<f64>(array(&[0.5, 2.0]));
        args.scalar(n as usize);
        args.array::<f64>(array(&[1.0, 1.0]));
        let mut results = [0; 2];
        program.call(0, &args, &mut results, &host).unwrap();
        let found: Option<Array<f64>> = host.take(results[1]).unwrap();
        let found = found.expect("a cotangent").to_vec().unwrap();
        assert_eq!(found, expected, "{}", subject.combined);
    }
}
