//! Duals of programs in IR: objects, the tape, nesting, what is refused.

use mooncake::ad::Mode;
use mooncake::interp::Datum;
use mooncake::ir::parse::parse_module;
use mooncake::ir::{Module, Symbol};
use mooncake::registry::{ContextKind, Registry};
use mooncake::testing::programs::{compile, dual, normalised, optimised, reverse_module, verified};
use mooncake::{Context, Error};
use std::sync::Arc;

const KIND: ContextKind = ContextKind::Default;

fn registry() -> Arc<Registry> {
    Context::default().registry().clone()
}

fn parse(text: &str) -> Module {
    let module = parse_module(text).unwrap_or_else(|error| panic!("{error}"));
    verified(&module, &registry()).unwrap();
    normalised(&module, &registry(), KIND).unwrap()
}

/// The floats of what a module gives, as it is and optimised.
#[track_caller]
fn run(module: &Module, args: &[Datum]) -> Vec<f64> {
    let registry = registry();
    let found = compile(module, &registry).unwrap().call(args).unwrap();
    let optimised = optimised(module, &registry).unwrap();
    let again = compile(&optimised, &registry).unwrap().call(args).unwrap();
    assert_eq!(found, again, "optimised, it gives something else\n{module}");
    floats(&found)
}

fn floats(datum: &Datum) -> Vec<f64> {
    match datum {
        Datum::Tuple(fields) => fields.iter().flat_map(floats).collect(),
        other => other.as_float().into_iter().collect(),
    }
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64) {
    let near = (found - expected).abs() <= tolerance * expected.abs().max(1.0);
    assert!(near, "found {found}, expected {expected}");
}

/// Checks first and second derivatives of a function `(f64, usize) -> f64` against differences: forward, reverse, forward over
/// reverse and forward over forward.
#[track_caller]
fn check(text: &str, x: f64, n: usize) {
    let registry = registry();
    let primal = parse(text);
    let value = |x: f64| run(&primal, &[Datum::float(x), Datum::index(n)])[0];
    let first = dual(&primal, &registry, KIND, &[true, false]).unwrap();
    let forward = |x: f64| {
        let found = run(
            &first,
            &[Datum::float(x), Datum::index(n), Datum::float(1.0)],
        );
        assert_eq!(found[0], value(x));
        found[1]
    };
    let h = 1e-4;
    let slope = |f: &dyn Fn(f64) -> f64| {
        let at = |h: f64| (f(x + h) - f(x - h)) / (2.0 * h);
        (4.0 * at(h) - at(2.0 * h)) / 3.0
    };
    assert_near(forward(x), slope(&value), 1e-8);
    let second = slope(&forward);

    let twice = dual(&first, &registry, KIND, &[true, false, false]).unwrap();
    let one = Datum::float(1.0);
    let args = [Datum::float(x), Datum::index(n), one.clone(), one.clone()];
    let found = run(&twice, &args);
    assert_eq!(found.len(), 4);
    assert_near(found[3], second, 1e-7);

    let gradient =
        reverse_module(&primal, &registry, KIND, &[true, false], Mode::Combined).unwrap();
    let backwards = run(&gradient, &args[..3]);
    assert_near(backwards[1], forward(x), 1e-13);
    let hessian = dual(&gradient, &registry, KIND, &[true, false, false]).unwrap();
    let found = run(&hessian, &args);
    assert_eq!(found[..2], backwards[..]);
    assert_near(found[2], forward(x), 1e-13);
    assert_near(found[3], second, 1e-7);
}

#[test]
fn a_list_is_built_and_summed() {
    let text = "
fn @f(%x: f64, %n: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %size: usize = 16
    %null: ptr = null
    jump b1(%zero, %null, %x)
b1(%i: usize, %list: ptr, %v: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b3
b2:
    %node: ptr = alloc %size
    set.0 %node, %v
    set.8 %node, %list
    %w: f64 = mul %v, %x
    %s: f64 = call @sin(%w)
    %j: usize = add %i, %one
    jump b1(%j, %node, %s)
b3:
    %start: f64 = 0.0
    jump b4(%list, %zero, %start)
b4(%at: ptr, %k: usize, %sum: f64):
    %left: bool = lt %k, %n
    branch %left, b5, b6
b5:
    %y: f64 = get.0 %at
    %next: ptr = get.8 %at
    %square: f64 = mul %y, %y
    %total: f64 = add %sum, %square
    %l: usize = add %k, %one
    jump b4(%next, %l, %total)
b6:
    return %sum
}";
    for n in [0, 1, 4] {
        check(text, 0.8, n);
    }
}

#[test]
fn slices_of_objects_are_filled_and_read() {
    let text = "
fn @f(%x: f64, %n: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    %eight: usize = 8
    %n1: usize = add %n, %one
    %bytes: usize = mul %n1, %eight
    %memory: ptr = alloc %bytes
    %u: [mut f64] = view %memory, %n1
    store %u, %zero, %x
    jump b1(%zero)
b1(%i: usize):
    %more: bool = lt %i, %n
    branch %more, b2, b3
b2:
    %v: f64 = load %u, %i
    %j: usize = add %i, %one
    %w: f64 = mul %v, %x
    %e: f64 = call @exp(%w)
    store %u, %j, %e
    jump b1(%j)
b3:
    %part: [mut f64] = subslice %u, %n, %one
    %start: ptr = base %part
    %last: f64 = get.0 %start
    %count: usize = mul %n, %eight
    %end: ptr = offset %memory, %count
    set.0 %end, %x
    %again: f64 = load %u, %n
    %p: f64 = mul %last, %again
    return %p
}";
    for n in [0, 1, 3] {
        check(text, 0.3, n);
    }
}

#[test]
fn recursive_functions_return_objects() {
    // Both with and without a value that varies.
    let text = "
fn @f(%x: f64, %n: usize) -> f64 {
b0:
    %two: f64 = 2.0
    %a: ptr = call @chain(%x, %n)
    %b: ptr = call @chain(%two, %n)
    %zero: usize = 0
    %is: bool = eq %n, %zero
    %c: ptr = select %is, %a, %b
    %y: f64 = get.0 %a
    %z: f64 = get.0 %c
    %r: f64 = mul %y, %z
    %q: f64 = mul %r, %x
    return %q
}
fn @chain(%x: f64, %n: usize) -> ptr {
b0:
    %zero: usize = 0
    %is: bool = eq %n, %zero
    branch %is, b1, b2
b1:
    %size: usize = 8
    %end: ptr = alloc %size
    set.0 %end, %x
    jump b3(%end)
b2:
    %one: usize = 1
    %m: usize = sub %n, %one
    %half: f64 = 0.5
    %y: f64 = mul %x, %half
    %rest: ptr = call @chain(%y, %m)
    %v: f64 = get.0 %rest
    %w: f64 = mul %v, %x
    %s: f64 = call @cos(%w)
    set.0 %rest, %s
    jump b3(%rest)
b3(%p: ptr):
    return %p
}";
    for n in [0, 1, 3] {
        check(text, 0.9, n);
    }
}

#[test]
fn tape_that_a_loop_leaves_is_doubled() {
    let text = "
fn @f(%x: f64, %n: usize) -> f64 {
b0:
    %zero: usize = 0
    %one: usize = 1
    jump b1(%zero, %x)
b1(%i: usize, %v: f64):
    %more: bool = lt %i, %n
    branch %more, b2, b5
b2:
    %low: bool = lt %v, %x
    branch %low, b3, b4
b3:
    %t: f64 = call @tanh(%v)
    %u: f64 = div %t, %x
    jump b6(%u)
b4:
    %s: f64 = call @sin(%v)
    %w: f64 = call @powf(%x, %s)
    jump b6(%w)
b6(%y: f64):
    %j: usize = add %i, %one
    jump b1(%j, %y)
b5:
    return %v
}";
    for n in [0, 1, 2, 7] {
        check(text, 0.7, n);
    }
}

#[test]
fn perturbations_are_not_confused() {
    // d/dx (x · d/dy (x + y)) = 1; a confused perturbation gives 2.
    let registry = registry();
    let inner = parse("fn @g(%x: f64, %y: f64) -> f64 { b0: %s: f64 = add %x, %y return %s }");
    let mut module = dual(&inner, &registry, KIND, &[false, true]).unwrap();
    let outer = parse_module(
        "fn @h(%x: f64) -> f64 { b0:
            %one: f64 = 1.0
            %d: (f64, f64) = call @g.dual(%x, %x, %one)
            %dy: f64 = field.1 %d
            %p: f64 = mul %x, %dy
            return %p
        }",
    )
    .unwrap();
    module.insert(outer.root().clone());
    module.root = Symbol::new("h");
    for module in [&module, &normalised(&module, &registry, KIND).unwrap()] {
        let derived = dual(module, &registry, KIND, &[true]).unwrap();
        assert_eq!(
            run(&derived, &[Datum::float(3.0), Datum::float(1.0)]),
            [3.0, 1.0]
        );
    }
}

#[test]
fn what_is_known_to_be_zero_costs_nothing() {
    let text = "fn @f(%x: f64, %y: f64) -> f64 { b0:
        %a: f64 = mul %y, %y
        %b: f64 = call @floor(%x)
        %c: f64 = call @sqrt(%a)
        %d: f64 = add %b, %c
        %e: f64 = add %d, %x
        return %e
    }";
    let derived = dual(&parse(text), &registry(), KIND, &[true, false]).unwrap();
    // The five of the primal, and the tuple.
    let insts = &derived.root().blocks[derived.root().entry()].insts;
    assert_eq!(insts.len(), 6, "{derived}");
    let args = [Datum::float(1.5), Datum::float(0.0), Datum::float(2.0)];
    assert_eq!(run(&derived, &args), [2.5, 2.0]);
}

#[test]
fn refusals_say_why() {
    let refused = |text: &str, active: &[bool]| {
        let error = dual(&parse(text), &registry(), KIND, active).unwrap_err();
        error.to_string()
    };
    let text = "fn @f(%p: ptr, %x: f64) -> f64 { b0: set.0 %p, %x %y: f64 = get.0 %p return %y }";
    let message = refused(text, &[false, true]);
    assert!(
        message.contains("parameter 1, which has no tangent, and reads them back"),
        "{message}"
    );
    let text = "fn @f(%c: bool, %p: ptr, %q: ptr) -> f64 { b0:
        %r: ptr = select %c, %p, %q
        %y: f64 = get.0 %r
        return %y
    }";
    let message = refused(text, &[false, true, false]);
    assert!(
        message.contains("memory that has a tangent, or to memory that has none"),
        "{message}"
    );
    let text = "fn @f(%x: f64) -> f64 { b0: %y: f64 = call @sin(%x) return %y }";
    let empty = Registry::default();
    let error = dual(&parse(text), &empty, KIND, &[true])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("no rule gives the derivative of `sin(f64)`"),
        "{error}"
    );
}

#[test]
fn what_has_no_rule_is_an_error_where_it_runs() {
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
    let registry = Registry::default();
    let derived = dual(&parse(text), &registry, KIND, &[true, false]).unwrap();
    let compiled = compile(&derived, &Arc::new(registry)).unwrap();
    let call = |n| compiled.call(&[Datum::float(0.7), Datum::index(n), Datum::float(1.0)]);
    assert!(call(0).is_ok());
    let Err(Error::Fault(fault)) = call(1) else {
        panic!("{derived}")
    };
    let expected = "no rule gives the derivative of `mul(f64, f64)`, called in `f`";
    assert!(fault.message.starts_with(expected), "{fault}");
}
