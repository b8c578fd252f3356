//! What the interpreter promises.

use super::*;
use crate::ir::parse::parse_module;
use crate::ir::verify::verify;

/// Runs the root of a text that only uses primitives.
fn run_text(text: &str, args: &[Datum]) -> Result<Datum> {
    let module = parse_module(text).unwrap();
    verify(&module, &|_, _| None).unwrap();
    let mut interpreter = Interpreter::new(&module, &Nothing).with_fuel(200_000);
    let value = interpreter.call(module.root, args)?;
    assert_eq!(interpreter.tape_bytes(), 0);
    Ok(value)
}

const SUM: &str = "
fn @sum(%x: [f64]) -> f64 {
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
    %t: f64 = add %s, %v
    %j: usize = add %i, %one
    jump b1(%j, %t)
b3:
    return %s
}";

#[test]
fn a_loop_over_a_slice() {
    let x = Datum::floats(&[1.0, 2.5, -0.25]);
    assert_eq!(run_text(SUM, &[x]).unwrap(), Datum::float(3.25));
}

#[test]
fn stores_are_seen_through_every_name_of_the_memory() {
    let text = "
fn @f(%x: [mut f64]) -> f64 {
b0:
    %one: usize = 1
    %two: usize = 2
    %part: [mut f64] = subslice %x, %one, %two
    %v: f64 = 7.0
    store %part, %one, %v
    %w: f64 = load %x, %two
    return %w
}";
    let x = Datum::floats(&[1.0, 2.0, 3.0]);
    assert_eq!(
        run_text(text, std::slice::from_ref(&x)).unwrap(),
        Datum::float(7.0)
    );
    assert_eq!(x, Datum::floats(&[1.0, 2.0, 7.0]));
}

#[test]
fn the_tape_gives_back_what_it_was_given() {
    let text = "
fn @f(%x: f32, %b: bool) -> (f32, bool) {
b0:
    %size: usize = 12
    %at: addr = tape_push %size
    poke.4 %at, %x
    poke.8 %at, %b
    %again: addr = tape_pop %size
    %y: f32 = peek.4 %again
    %c: bool = peek.8 %again
    %r: (f32, bool) = tuple %y, %c
    return %r
}";
    let args = [
        Datum::float(0.1f32.into()),
        Datum::Scalar(Const::Bool(true)),
    ];
    assert_eq!(run_text(text, &args).unwrap(), Datum::Tuple(args.to_vec()));
}

#[test]
fn what_was_not_written_is_not_read() {
    let text = "
fn @f() -> f64 {
b0:
    %size: usize = 8
    %at: addr = tape_push %size
    %again: addr = tape_pop %size
    %y: f64 = peek.0 %again
    return %y
}";
    let error = run_text(text, &[]).unwrap_err().to_string();
    assert!(
        error.contains("8 bytes at 0 of the tape are read but not written"),
        "{error}"
    );
}

#[test]
fn recursion_needs_no_stack_but_ends() {
    let text = "
fn @f(%n: u32) -> u32 {
b0:
    %one: u32 = 1
    %m: u32 = add %n, %one
    %r: u32 = call @f(%m)
    return %r
}";
    let error = run_text(text, &[Datum::index(0)]).unwrap_err();
    assert!(matches!(error, Error::Fault(_)), "{error}");
}

#[test]
fn an_endless_loop_runs_out_of_fuel() {
    let text = "fn @f() -> () { b0: jump b1 b1: jump b1 }";
    let error = run_text(text, &[]).unwrap_err().to_string();
    assert!(
        error.contains("took more steps than it was given"),
        "{error}"
    );
}

#[test]
fn a_failed_guard_is_a_fault_with_its_values() {
    let text = "
fn @f(%i: usize, %n: usize) -> () {
b0:
    %c: bool = lt %i, %n
    assert %c else index(%i, %n)
    %u: () = ()
    return %u
}";
    let error = run_text(text, &[Datum::index(7), Datum::index(3)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "index out of bounds: the len is 3 but the index is 7"
    );
}

#[test]
fn calls_go_to_the_module_then_outside() {
    struct Square;
    impl Outside for Square {
        fn call(&self, _: Callee, _: &[Type], args: &[Datum], _: Type) -> Result<Datum> {
            let x = args[0].as_float().unwrap();
            Ok(Datum::float(x * x))
        }
    }
    let text = "
fn @f(%x: f64) -> f64 {
b0:
    %y: f64 = call @square(%x)
    %z: f64 = call @double(%y)
    return %z
}
fn @double(%x: f64) -> f64 {
b0:
    %y: f64 = add %x, %x
    return %y
}";
    let module = parse_module(text).unwrap();
    let value = run(&module, &[Datum::float(3.0)], &Square).unwrap();
    assert_eq!(value, Datum::float(18.0));
}

/// Makes an object of two words and reads a float at an offset.
const OBJECT: &str = "
fn @f(%at: usize) -> f64 {
b0:
    %size: usize = 16
    %p: ptr = alloc %size
    %guard: ptr = alloc %size
    %q: ptr = offset %p, %at
    %x: f64 = get.8 %q
    return %x
}";

#[test]
fn what_is_outside_an_object_is_noticed() {
    let run = |at| run_text(OBJECT, &[Datum::index(at)]);
    assert_eq!(run(0).unwrap(), Datum::float(0.0));
    for at in [1, 8, 16, usize::MAX - 8] {
        let error = run(at).unwrap_err().to_string();
        assert!(error.contains("are in no object"), "{at}: {error}");
    }
}

#[test]
fn a_view_is_no_longer_than_its_object() {
    let text = "
fn @f(%n: usize) -> usize {
b0:
    %size: usize = 16
    %p: ptr = alloc %size
    %v: [f64] = view %p, %n
    %m: usize = len %v
    return %m
}";
    let run = |n| run_text(text, &[Datum::index(n)]);
    assert_eq!(run(2).unwrap(), Datum::index(2));
    assert!(run(3).is_err());
    assert!(run(usize::MAX).is_err());
}

#[test]
fn exhausted_memory_is_an_error() {
    let text = "
fn @f(%n: usize) -> ptr {
b0:
    %p: ptr = alloc %n
    jump b1
b1:
    %q: ptr = alloc %n
    jump b1
}";
    for n in [1 << 20, usize::MAX] {
        let error = run_text(text, &[Datum::index(n)]).unwrap_err();
        assert!(matches!(error, Error::Memory(_)), "{error}");
    }
}

#[test]
fn arguments_are_placed_on_the_heap_and_stay_there() {
    let text = "
fn @double(%p: ptr) -> ptr {
b0:
    %x: f64 = get.0 %p
    %y: f64 = add %x, %x
    set.0 %p, %y
    %n: usize = 8
    %q: ptr = offset %p, %n
    return %q
}";
    let module = parse_module(text).unwrap();
    verify(&module, &|_, _| None).unwrap();
    let mut interpreter = Interpreter::new(&module, &Nothing);
    let p = interpreter.heap().alloc(16).unwrap();
    let heap = interpreter.heap();
    heap.set(p, &Datum::float(1.5), Type::F64).unwrap();
    for expected in [3.0, 6.0] {
        let q = interpreter.call(module.root, &[Datum::Ptr(p)]).unwrap();
        assert_eq!(q, Datum::Ptr(p + 8));
        let x = interpreter.heap().get(p, Type::F64).unwrap();
        assert_eq!(x, Datum::float(expected));
    }
}
