//! Packs made in memory, with every fault that an entry can have, through the same door as all others.

use super::*;
use crate::ir::{Callee, Symbol, Type};
use crate::registry::Registry;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::RStr;
use expect_test::{Expect, expect};
use mooncake_pack::abi::{
    self, List, NativeEntry, Range, Root, RuleEntry, ScalarEntry, Table, Text,
};
use mooncake_pack::note::Note;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::ffi::c_void;
use std::ptr::null;

/// The tables that this thread's root gives out: the functions of a root have no argument to find them by.
#[derive(Clone, Copy)]
struct Given {
    note: *const Note,
    status: u32,
    scalar: *const Table,
    rule: *const Table,
    native: *const Table,
}
thread_local!(static GIVEN: Cell<Given> = const { Cell::new(Given { note: null(), status: abi::OK, scalar: null(), rule: null(), native: null() }) });

extern "C" fn note() -> *const c_void {
    GIVEN.get().note.cast()
}
extern "C" fn init(_host: *const c_void) -> u32 {
    GIVEN.get().status
}
extern "C" fn extension(id: RStr<'static>) -> *const c_void {
    match id.as_str() {
        abi::SCALAR => GIVEN.get().scalar.cast(),
        abi::RULE => GIVEN.get().rule.cast(),
        abi::NATIVE => GIVEN.get().native.cast(),
        _ => null(),
    }
}

fn root() -> super::root::Root {
    let root = Root {
        note,
        init,
        extension,
    };
    super::root::Root::Rust(root.leak_into_prefix())
}

fn keep<T>(value: T) -> *const T {
    Box::leak(Box::new(value))
}

fn table<T: Copy>(items: &[T], layout: u64) -> Table {
    Table {
        size: size_of::<Table>(),
        item_size: size_of::<T>(),
        count: items.len(),
        layout,
        items: items.to_vec().leak().as_ptr().cast(),
    }
}

extern "C" fn native(x: f64) -> f64 {
    x * x
}

/// A good entry, to be spoiled.
fn square() -> ScalarEntry {
    ScalarEntry {
        size: size_of::<ScalarEntry>(),
        flags: abi::FLAG_PURE | abi::FLAG_THREAD_SAFE,
        context: 1,
        signature: Text::new("square(x: T) -> T"),
        docs: Text::new(" `x²`\n"),
        domain: List::new(&[Range {
            low: -1.0,
            high: 1.0,
        }]),
        partials: List::new(&[const { Text::new("2 * x") }]),
        body: Text::new("x * x"),
        wgsl: Text::new("fn mc_square(x: f32) -> f32 { return x * x; }"),
        native_f32: null(),
        native_f64: native as *const c_void,
        with_partials_f32: null(),
        with_partials_f64: null(),
    }
}

fn total() -> RuleEntry {
    RuleEntry {
        size: size_of::<RuleEntry>(),
        flags: abi::FLAG_PURE | abi::FLAG_THREAD_SAFE,
        context: 0,
        signature: Text::new("total(a: array<T>) -> array<T>"),
        docs: Text::new(""),
        body: Text::new("sum(a)"),
        pullback: List::new(&[const { Text::new("expand(dy, a)") }]),
        tangent: List::ABSENT,
    }
}

/// A pack of these entries under a name of its own.
fn pack(name: &str, scalars: &[ScalarEntry], rules: &[RuleEntry]) -> Result<Pack> {
    GIVEN.set(Given {
        note: keep(Note::new(name, "1.2.3", "MIT", "A. U. Thor")),
        status: abi::OK,
        scalar: keep(table(scalars, ScalarEntry::LAYOUT)),
        rule: keep(table(rules, RuleEntry::LAYOUT)),
        native: null(),
    });
    table::read(&root(), None)
}

/// What comes of installing packs in an empty registry.
fn installed(packs: Vec<Pack>, options: &Options) -> Result<Registry> {
    let packs: Vec<_> = packs.into_iter().map(Arc::new).collect();
    install(&Registry::default(), &packs, options)
}

/// The whole message for a pack with one entry, spoiled.
fn scalar_refused(spoil: fn(&mut ScalarEntry), message: Expect) {
    let mut entry = square();
    spoil(&mut entry);
    let outcome =
        pack("sample", &[entry], &[]).and_then(|pack| installed(vec![pack], &Options::default()));
    message.assert_eq(&outcome.expect_err("a spoiled entry").to_string());
}

fn rule_refused(spoil: fn(&mut RuleEntry), message: Expect) {
    rule_refused_of("sample", spoil, message);
}

/// Rules of what the host computes are of the pack `std`.
fn rule_refused_of(name: &str, spoil: fn(&mut RuleEntry), message: Expect) {
    let mut entry = total();
    spoil(&mut entry);
    let outcome =
        pack(name, &[], &[entry]).and_then(|pack| installed(vec![pack], &Options::default()));
    message.assert_eq(&outcome.expect_err("a spoiled entry").to_string());
}

extern "C" fn nothing(_call: *const abi::Call) -> u32 {
    abi::OK
}

fn copied() -> NativeEntry {
    NativeEntry {
        size: size_of::<NativeEntry>(),
        flags: abi::FLAG_PURE | abi::FLAG_THREAD_SAFE,
        context: 0,
        signature: Text::new("copied(a: array<T>) -> (array<T>, usize)"),
        docs: Text::new(""),
        body: Text::new(""),
        pullback: List::new(&[const { Text::new("dy.0") }]),
        tangent: List::new(&[const { Text::new("(dx,)") }]),
        primal: nothing as *const c_void,
        rrule: null(),
        frule: null(),
        kernel: Text::new(""),
        kernel_params: List::ABSENT,
        kernel_shapes: List::ABSENT,
        kernel_workgroups: Text::new(""),
        second: std::ptr::null(),
    }
}

/// What comes of a pack with one function in machine code.
fn native_installed(entry: NativeEntry) -> Result<Registry> {
    GIVEN.set(Given {
        note: keep(Note::new("sample", "1.2.3", "MIT", "A. U. Thor")),
        status: abi::OK,
        scalar: null(),
        rule: null(),
        native: keep(table(&[entry], abi::NATIVE_LAYOUT)),
    });
    installed(vec![table::read(&root(), None)?], &Options::default())
}

fn native_refused(spoil: fn(&mut NativeEntry), message: Expect) {
    let mut entry = copied();
    spoil(&mut entry);
    let outcome = native_installed(entry);
    message.assert_eq(&outcome.expect_err("a spoiled entry").to_string());
}

#[test]
fn functions_with_effects_are_checked() {
    let ordered = |more: u32| NativeEntry {
        flags: abi::FLAG_ORDERED | abi::FLAG_THREAD_SAFE | more,
        ..copied()
    };
    let array = Type::array(Type::F32);
    for (entry, effects) in [
        (copied(), Effects::Pure),
        (ordered(0), Effects::Ordered),
        (ordered(abi::FLAG_LINKED), Effects::Linked),
    ] {
        let registry = native_installed(entry).unwrap();
        let name = Symbol::new("sample::copied");
        assert_eq!(registry.effects(name, &[array]), effects);
        assert_eq!(
            registry.is_pure(name.into(), &[array]),
            effects == Effects::Pure
        );
    }
    for flags in [
        abi::FLAG_THREAD_SAFE,
        abi::FLAG_ORDERED,
        abi::FLAG_ORDERED | abi::FLAG_PURE | abi::FLAG_THREAD_SAFE,
        abi::FLAG_LINKED | abi::FLAG_THREAD_SAFE,
        abi::FLAG_LINKED | abi::FLAG_PURE | abi::FLAG_THREAD_SAFE,
        abi::FLAG_PURE | abi::FLAG_THREAD_SAFE | 64,
    ] {
        let error = native_installed(NativeEntry { flags, ..copied() }).unwrap_err();
        let text = format!(
            "pack sample: `copied`: flags {flags:#x}; expected a pure and thread-safe function (0x3), or a native one that is ordered and thread-safe (0xa)"
        );
        assert_eq!(error.to_string(), text);
    }
    scalar_refused(
        |e| e.flags = abi::FLAG_ORDERED | abi::FLAG_THREAD_SAFE,
        expect![
            "pack sample: `square`: flags 0xa; expected a pure and thread-safe function (0x3), or a native one that is ordered and thread-safe (0xa)"
        ],
    );
    native_refused(
        |e| {
            e.flags = abi::FLAG_ORDERED | abi::FLAG_THREAD_SAFE;
            e.kernel = Text::new("@compute");
            e.kernel_shapes = List::new(&[const { Text::new("a") }, const { Text::new("a") }]);
        },
        expect![
            "pack sample: `copied(a: array<T>) -> (array<T>, usize)`: an ordered function has no `kernel`: its effects happen where its machine code runs"
        ],
    );
    native_refused(
        |e| {
            e.flags = abi::FLAG_ORDERED | abi::FLAG_THREAD_SAFE;
            e.body = Text::new("(a, 1)");
        },
        expect![
            "pack sample: `copied(a: array<T>) -> (array<T>, usize)`: an ordered function has no `body`: expressions have no effects"
        ],
    );
}

#[test]
fn what_is_pure_does_not_call_what_is_ordered() {
    let with = |rule: RuleEntry| {
        let ordered = NativeEntry {
            flags: abi::FLAG_ORDERED | abi::FLAG_THREAD_SAFE,
            signature: Text::new("sent(a: array<T>) -> array<T>"),
            pullback: List::new(&[const { Text::new("sent(dy)") }]),
            tangent: List::new(&[const { Text::new("sent(dx)") }]),
            ..copied()
        };
        GIVEN.set(Given {
            note: keep(Note::new("sample", "1.2.3", "MIT", "A. U. Thor")),
            status: abi::OK,
            scalar: null(),
            rule: keep(table(&[rule], RuleEntry::LAYOUT)),
            native: keep(table(&[ordered], abi::NATIVE_LAYOUT)),
        });
        let outcome = installed(
            vec![table::read(&root(), None).unwrap()],
            &Options::default(),
        );
        outcome.err().map(|error| error.to_string())
    };
    let twice = RuleEntry {
        signature: Text::new("twice(a: array<T>) -> array<T>"),
        body: Text::new("a + a"),
        context: 1,
        pullback: List::new(&[const { Text::new("dy + dy") }]),
        ..total()
    };
    assert_eq!(with(twice), None);
    let message = "pack sample: `twice(a: array<T>) -> array<T>`: its expressions call `sample::sent`, which is ordered: only the expressions of a `native!` row that is ordered itself may call it";
    let in_body = RuleEntry {
        body: Text::new("sent(a) + a"),
        ..twice
    };
    assert_eq!(with(in_body).as_deref(), Some(message));
    let in_pullback = RuleEntry {
        pullback: List::new(&[const { Text::new("sent(dy) + dy") }]),
        ..twice
    };
    assert_eq!(with(in_pullback).as_deref(), Some(message));
}

#[test]
fn functions_in_machine_code_are_checked() {
    let registry = native_installed(copied()).unwrap();
    let array = Type::array(Type::F32);
    let entry = registry
        .find(Symbol::new("sample::copied"), &[array])
        .unwrap();
    assert_eq!(entry.ret, Type::tuple(&[array, Type::Usize]));
    native_refused(
        |e| e.primal = null(),
        expect!["pack sample: `copied`: no primal: its address is null"],
    );
    native_refused(
        |e| e.pullback = List::ABSENT,
        expect![
            "pack sample: `copied(a: array<T>) -> (array<T>, usize)`: no derivative: it needs `pullback`, or `rrule`"
        ],
    );
    native_refused(
        |e| e.tangent = List::new(&[const { Text::new("dx") }]),
        expect![
            "pack sample: `copied(a: array<T>) -> (array<T>, usize)`: tangent of `a`: `dx` is array<f32>; expected (array<f32>,): what the tangent adds to the floats of the result, with () for those that it adds nothing to"
        ],
    );
    native_refused(
        |e| e.tangent = List::new(&[const { Text::new("(dx, dx)") }]),
        expect![
            "pack sample: `copied(a: array<T>) -> (array<T>, usize)`: tangent of `a`: `(dx, dx)` is (array<f32>, array<f32>); expected (array<f32>,): what the tangent adds to the floats of the result, with () for those that it adds nothing to"
        ],
    );
    native_refused(
        |e| e.pullback = List::new(&[const { Text::new("dy.1") }]),
        expect![
            "pack sample: `copied(a: array<T>) -> (array<T>, usize)`: pullback: 1:1: unknown name `dy`: the parameters are a, y.0, y.1, dy.0"
        ],
    );
    native_refused(
        |e| e.signature = Text::new("copied(a: array<bool>) -> usize"),
        expect![
            "pack sample: `copied(a: array<bool>) -> usize`: a native function cannot take array<bool>; it takes numbers, slices of numbers, and arrays of f32, f64, i32, u32"
        ],
    );
    native_refused(
        |e| e.signature = Text::new("copied(a: T) -> array<T>"),
        expect![
            "pack sample: `copied(a: T) -> array<T>`: no argument is an array, so nothing says on which device the result is"
        ],
    );
    native_refused(
        |e| e.signature = Text::new("copied(a: shape) -> usize"),
        expect![
            "pack sample: `copied(a: shape) -> usize`: a native function cannot take (); it takes numbers, slices of numbers, and arrays of f32, f64, i32, u32"
        ],
    );
    native_refused(
        |e| e.signature = Text::new("copied(a: &[T]) -> &[T]"),
        expect![
            "pack sample: `copied(a: &[T]) -> &[T]`: a native function cannot return [f32]; it returns numbers, and arrays of f32, f64, i32, u32"
        ],
    );
}

/// A function with a compute shader, spoiled.
fn kernel_refused(spoil: fn(&mut NativeEntry), message: Expect) {
    let mut entry = copied();
    entry.signature = Text::new("copied(a: array<T>) -> array<T>");
    entry.pullback = List::new(&[const { Text::new("dy") }]);
    entry.tangent = List::new(&[const { Text::new("dx") }]);
    entry.kernel =
        Text::new("@compute @workgroup_size(1) fn main() { y[0] = f32(params.n) + a[0]; }");
    entry.kernel_params = List::new(&[const { Text::new("n = a.0") }]);
    entry.kernel_shapes = List::new(&[const { Text::new("1") }]);
    entry.kernel_workgroups = Text::new("1");
    native_installed(entry).unwrap();
    spoil(&mut entry);
    let outcome = native_installed(entry);
    message.assert_eq(&outcome.expect_err("a spoiled entry").to_string());
}

#[test]
fn compute_shaders_are_checked() {
    kernel_refused(
        |e| e.kernel = Text::new("fn main() {}"),
        expect![
            "pack sample: `copied(a: array<T>) -> array<T>`: kernel: WGSL: expected one entry point, `@compute … fn main`"
        ],
    );
    kernel_refused(
        |e| e.kernel = Text::new("@compute @workgroup_size(1) fn main() {\n y[0] = z; }"),
        expect![
            "pack sample: `copied(a: array<T>) -> array<T>`: kernel: WGSL 2:9: no definition in scope for identifier: `z`"
        ],
    );
    kernel_refused(
        |e| {
            e.kernel = Text::new(
                "@group(0) @binding(7) var<storage> z: array<f32>; @compute @workgroup_size(1) fn main() { y[0] = z[0]; }",
            )
        },
        expect![
            "pack sample: `copied(a: array<T>) -> array<T>`: kernel: WGSL: a binding of its own; the host declares them"
        ],
    );
    kernel_refused(
        |e| e.kernel_shapes = List::ABSENT,
        expect!["pack sample: `copied`: no shapes of a kernel's results at their address 0x0"],
    );
    kernel_refused(
        |e| {
            e.pullback = List::ABSENT;
            e.tangent = List::ABSENT;
            e.kernel = Text::new("");
            (e.rrule, e.second) = (e.primal, e.primal);
        },
        expect![
            "pack sample: `copied(a: array<T>) -> array<T>`: `second` is for functions over numbers and slices that have an `rrule`"
        ],
    );
    kernel_refused(
        |e| e.kernel_workgroups = Text::new(""),
        expect![
            "pack sample: `copied(a: array<T>) -> array<T>`: kernel: expected the number of workgroups along one, two or three axes"
        ],
    );
    kernel_refused(
        |e| e.kernel_workgroups = Text::new("b"),
        expect![
            "pack sample: `copied(a: array<T>) -> array<T>`: kernel: 1:2: unknown name `b`: the parameters are a, a.0, a.1, a.2, a.3, a.4, a.5, a.6, a.7"
        ],
    );
    kernel_refused(
        |e| e.kernel_params = List::new(&[const { Text::new("a.0") }]),
        expect![
            "pack sample: `copied(a: array<T>) -> array<T>`: kernel: parameter `a.0`: expected `name = expression`"
        ],
    );
    kernel_refused(
        |e| e.kernel_params = List::new(&[const { Text::new("n = 1") }]),
        expect![
            "pack sample: `copied(a: array<T>) -> array<T>`: kernel: the parameter `n` is f64; expected usize, u32, i32, bool or f32"
        ],
    );
}

#[test]
fn good_entries_are_installed_for_both_floats() {
    let registry = installed(
        vec![pack("sample", &[square()], &[total()]).unwrap()],
        &Options::default(),
    )
    .unwrap();
    let entry = registry
        .find(Symbol::new("sample::square"), &[Type::F64])
        .unwrap();
    assert_eq!(
        (entry.pack.as_str(), entry.context),
        ("sample", ContextKind::Default)
    );
    assert!(
        registry
            .find(Symbol::new("sample::square"), &[Type::F32])
            .is_some(),
        "by its body"
    );
    assert!(
        registry
            .find(Symbol::new("sample::total"), &[Type::array(Type::F32)])
            .is_some()
    );
    assert_eq!(
        registry.call_type(Symbol::new("square.with_partials"), &[Type::F64]),
        None
    );
}

#[test]
fn packs_of_one_program_may_use_each_other() {
    let mut user = square();
    user.signature = Text::new("fourth(x: T) -> T");
    user.body = Text::new("sample::square(sample::square(x))");
    user.partials = List::new(&[const { Text::new("4 * x * sample::square(x)") }]);
    user.wgsl = Text::new("");
    let packs = vec![
        pack("a-user", &[user], &[]).unwrap(),
        pack("sample", &[square()], &[]).unwrap(),
    ];
    assert_eq!(
        installed(packs, &Options::default())
            .unwrap()
            .entries()
            .count(),
        4
    );
}

#[test]
fn a_path_is_not_that_of_another_packs_row() {
    let mut other = square();
    other.signature = Text::new("sample::square(x: T) -> T");
    other.context = 1;
    other.body = Text::new("");
    other.wgsl = Text::new("");
    other.native_f64 = null();
    let packs = vec![
        pack("sample", &[square()], &[]).unwrap(),
        pack("user", &[other], &[]).unwrap(),
    ];
    let error = installed(packs, &Options::default()).unwrap_err();
    expect![
        "pack user: `sample::square(x: T) -> T`: `sample::square` is a row of another pack, which has its own rule: rows are named by paths for functions of the pack std and of programs"
    ]
    .assert_eq(&error.to_string());
}

#[test]
fn a_faulty_row_with_the_name_of_an_operation_does_not_take_its_place() {
    let mut add = square();
    add.signature = Text::new("add(x: T, z: T) -> T");
    add.domain = List::new(
        &[const {
            Range {
                low: 0.0,
                high: 1.0,
            }
        }; 2],
    );
    add.partials = List::new(&[const { Text::new("1") }; 2]);
    add.body = Text::new("x - z");
    add.wgsl = Text::new("");
    add.native_f64 = null();
    let mut sum = total();
    sum.signature = Text::new("total(a: array<T>) -> array<T>");
    sum.body = Text::new("sum(a + a)");
    sum.pullback = List::new(&[const { Text::new("expand(dy + dy, a)") }]);
    sum.tangent = List::new(&[const { Text::new("sum(dx + dx)") }]);
    let partial = Options {
        allow_partial: true,
        ..Options::default()
    };
    let registry = installed(vec![pack("sample", &[add], &[sum]).unwrap()], &partial).unwrap();
    let array = Type::array(Type::F64);
    let entry = registry.find(Symbol::new("sample::total"), &[array]);
    let body = entry.and_then(|entry| entry.body()).unwrap();
    let text = crate::ir::Module::new(body.clone()).to_string();
    assert!(text.contains("map @add("), "{text}");
}

#[test]
fn scalars_are_checked() {
    scalar_refused(
        |e| e.signature = Text::new("square(x: T) -> U"),
        expect![
            "pack sample: signature `square(x: T) -> U`: unknown type `U`; expected `T`, `array<T>`, `shape`, or a type such as `i32` or `array<u32>`"
        ],
    );
    scalar_refused(
        |e| e.signature = Text::new("square(x: array<T>) -> T"),
        expect![
            "pack sample: `square(x: array<T>) -> T`: a scalar function takes scalars and returns a T"
        ],
    );
    scalar_refused(
        |e| e.signature = Text::new("square(x: f32) -> f64"),
        expect![
            "pack sample: `square(x: f32) -> f64`: `scalar!` has floats of one type, here f64, and there is an f32: write a `rule!` or a `native!` for floats of both types"
        ],
    );
    scalar_refused(
        |e| e.signature = Text::new("square(y: T) -> T"),
        expect![
            "pack sample: `square(y: T) -> T`: a parameter cannot be called `y`: in expressions that is the result's name"
        ],
    );
    scalar_refused(
        |e| e.signature = Text::new("square(x: T, n: T) -> T"),
        expect!["pack sample: `square`: 1 sampling ranges for 2 arguments"],
    );
    scalar_refused(
        |e| e.signature = Text::new("square(x: usize) -> T"),
        expect!["pack sample: signature `square(x: usize) -> T`: no parameter says what T is"],
    );
    scalar_refused(
        |e| e.size = 16,
        expect!["pack sample: `square`: an entry of 16 bytes; expected at least 144"],
    );
    scalar_refused(
        |e| e.flags = 1,
        expect![
            "pack sample: `square`: flags 0x1; expected a pure and thread-safe function (0x3), or a native one that is ordered and thread-safe (0xa)"
        ],
    );
    scalar_refused(
        |e| e.context = 7,
        expect![
            "pack sample: `square`: context 7; expected 0 (Minimal), 1 (Default) or 2 (Derived)"
        ],
    );
    scalar_refused(
        |e| (e.context, e.body, e.native_f64) = (0, Text::new(""), null()),
        expect!["pack sample: `square(x: T) -> T`: no primal for f32: it needs `native` or `body`"],
    );
    scalar_refused(
        |e| e.body = Text::new("x *"),
        expect![
            "pack sample: `square(x: T) -> T`: body: 1:4: expected an expression, found the end of the text"
        ],
    );
    scalar_refused(
        |e| e.body = Text::new("x < 0"),
        expect!["pack sample: `square(x: T) -> T`: body: `x < 0` is bool; expected f32"],
    );
    scalar_refused(
        |e| e.partials = List::new(&[const { Text::new("2 * z") }]),
        expect![
            "pack sample: `square(x: T) -> T`: partials: 1:5: unknown name `z`: the parameters are x, y"
        ],
    );
    scalar_refused(
        |e| e.partials = List::new(&[const { Text::new("2 * cosine(x)") }]),
        expect![
            "pack sample: `square(x: T) -> T`: partials: 1:5: no function `cosine` takes (f32)"
        ],
    );
    scalar_refused(
        |e| e.partials = List::new(&[const { Text::new("") }]),
        expect!["pack sample: `square(x: T) -> T`: partials of `x`: missing"],
    );
    scalar_refused(
        |e| e.partials = List::new::<Text>(&[]),
        expect!["pack sample: `square`: 0 partials for 1 arguments"],
    );
    scalar_refused(
        |e| {
            e.domain = List::new(&[Range {
                low: 1.0,
                high: -1.0,
            }])
        },
        expect!["pack sample: `square(x: T) -> T`: sampling range 1..-1 is empty or not finite"],
    );
    scalar_refused(
        |e| e.wgsl = Text::new("fn mc_square(x: f32) -> f32 { return y; }"),
        expect![
            "pack sample: `square(x: T) -> T`: WGSL 1:38: no definition in scope for identifier: `y`"
        ],
    );
    scalar_refused(
        |e| e.wgsl = Text::new("fn square(x: f32) -> f32 { return x * x; }"),
        expect![
            "pack sample: `square(x: T) -> T`: WGSL: the name `square`; expected names that start with `mc_square`"
        ],
    );
    scalar_refused(
        |e| {
            e.docs = Text {
                data: [0xff, 0xfe].as_ptr(),
                len: 2,
            }
        },
        expect![
            "pack sample: `square`: a text is not UTF-8: invalid utf-8 sequence of 1 bytes from index 0"
        ],
    );
}

#[test]
fn rules_are_checked() {
    rule_refused(
        |e| e.body = Text::new(""),
        expect![
            "pack sample: `total(a: array<T>) -> array<T>`: no primal: it needs `body`, since the host has no operation of this name"
        ],
    );
    rule_refused_of(
        "mooncake-rules-std",
        |e| e.signature = Text::new("sum(a: array<T>) -> array<T>"),
        expect![
            "pack mooncake-rules-std: `sum(a: array<T>) -> array<T>`: the host computes this operation: it takes no `body`"
        ],
    );
    rule_refused_of(
        "mooncake-rules-std",
        |e| (e.signature, e.body) = (Text::new("sum(a: array<T>) -> T"), Text::new("")),
        expect![
            "pack mooncake-rules-std: `sum(a: array<T>) -> T`: the host's operation returns array<f32>, the signature says f32"
        ],
    );
    rule_refused_of(
        "mooncake-rules-std",
        |e| (e.signature, e.body) = (Text::new("matmul(a: array<T>) -> array<T>"), Text::new("")),
        expect![
            "pack mooncake-rules-std: `matmul(a: array<T>) -> array<T>`: the host's operation does not take [array<f32>]"
        ],
    );
    rule_refused(
        |e| e.body = Text::new("item(a)"),
        expect![
            "pack sample: `total(a: array<T>) -> array<T>`: body: `item(a)` is f32; expected array<f32>"
        ],
    );
    rule_refused(
        |e| e.pullback = List::new(&[const { Text::new("item(dy)") }]),
        expect![
            "pack sample: `total(a: array<T>) -> array<T>`: pullback of `a`: `item(dy)` is f32; expected array<f32>"
        ],
    );
    rule_refused(
        |e| e.pullback = List::new::<Text>(&[]),
        expect!["pack sample: `total`: 0 pullbacks for 1 arguments"],
    );
    rule_refused(
        |e| e.tangent = List::new(&[const { Text::new("item(dx)") }]),
        expect![
            "pack sample: `total(a: array<T>) -> array<T>`: tangent of `a`: `item(dx)` is f32; expected array<f32>"
        ],
    );
    rule_refused(
        |e| e.tangent = List::new(&[const { Text::new("") }]),
        expect![
            "pack sample: `total(a: array<T>) -> array<T>`: tangent of `a`: missing, though there is a pullback"
        ],
    );
    rule_refused(
        |e| e.tangent = List::new(&[const { Text::new("sum(dx)") }; 2]),
        expect!["pack sample: `total`: 2 tangents for 1 arguments"],
    );
}

#[test]
fn a_pack_of_version_1_0_has_no_tangents() {
    let mut entry = total();
    entry.tangent = List::new(&[const { Text::new("no expression at all") }]);
    let tangents = |entry: RuleEntry, item_size: usize| {
        let rows = Table {
            item_size,
            ..table(&[entry], RuleEntry::LAYOUT)
        };
        GIVEN.set(Given {
            note: keep(Note::new("sample", "1.2.3", "MIT", "")),
            status: abi::OK,
            scalar: null(),
            rule: keep(rows),
            native: null(),
        });
        let pack = table::read(&root(), None).unwrap();
        match &pack.declarations[0].kind {
            DeclarationKind::Rule { tangent, .. } => tangent.len(),
            DeclarationKind::Scalar { .. } | DeclarationKind::Native { .. } => panic!("not a rule"),
        }
    };
    assert_eq!(RuleEntry::SIZE + size_of::<List>(), size_of::<RuleEntry>());
    assert_eq!(tangents(entry, size_of::<RuleEntry>()), 1);
    assert_eq!(
        tangents(entry, RuleEntry::SIZE),
        0,
        "by the table's row size"
    );
    entry.size = RuleEntry::SIZE;
    assert_eq!(
        tangents(entry, size_of::<RuleEntry>()),
        0,
        "by the row's own size"
    );
}

#[test]
fn tables_are_checked() {
    let refused = |spoil: fn(&mut Table), message: Expect| {
        let mut table = table(&[square()], ScalarEntry::LAYOUT);
        spoil(&mut table);
        GIVEN.set(Given {
            note: keep(Note::new("sample", "1.2.3", "MIT", "")),
            scalar: keep(table),
            rule: null(),
            native: null(),
            status: abi::OK,
        });
        message.assert_eq(&table::read(&root(), None).unwrap_err().to_string());
    };
    refused(
        |t| t.size = 8,
        expect![
            "pack sample: table mooncake.scalar/1: header of 8 bytes and rows of 144; expected at least 40 and 144"
        ],
    );
    refused(
        |t| t.item_size = 8,
        expect![
            "pack sample: table mooncake.scalar/1: header of 40 bytes and rows of 8; expected at least 40 and 144"
        ],
    );
    refused(
        |t| t.layout = 0,
        expect!["pack sample: table mooncake.scalar/1: its rows have another layout"],
    );
    refused(
        |t| t.count = usize::MAX,
        expect!["pack sample: table mooncake.scalar/1: 18446744073709551615 rows; at most 100000"],
    );
    refused(
        |t| t.items = null(),
        expect!["pack sample: table mooncake.scalar/1: 1 rows at no address"],
    );
}

#[test]
fn roots_are_checked() {
    let refused = |given: Given, message: Expect| {
        GIVEN.set(given);
        message.assert_eq(&table::read(&root(), None).unwrap_err().to_string());
    };
    let good = Given {
        note: keep(Note::new("sample", "1.2.3", "MIT", "")),
        status: abi::OK,
        scalar: null(),
        rule: null(),
        native: null(),
    };
    refused(
        Given {
            note: null(),
            ..good
        },
        expect!["pack (linked): its root gives no note"],
    );
    refused(
        Given {
            status: abi::REFUSED,
            ..good
        },
        expect!["pack sample: it refused to start (status 1)"],
    );
    GIVEN.set(good);
    let other = Note::describe(&Note::new("sample", "1.2.4", "MIT", "").0);
    let error = table::read(&root(), other.as_ref()).unwrap_err();
    expect!["pack sample: its root's note differs from the one in its file"]
        .assert_eq(&error.to_string());
    assert!(table::read(&root(), None).unwrap().declarations.is_empty());
}

#[test]
fn two_definitions_of_one_function_do_not_load() {
    let twice = installed(
        vec![pack("sample", &[square(), square()], &[]).unwrap()],
        &Options::default(),
    );
    expect!["pack sample: `square(x: T) -> T` is declared twice"]
        .assert_eq(&twice.unwrap_err().to_string());
    let both = || {
        vec![
            pack("rules-one", &[square()], &[]).unwrap(),
            pack("mooncake-one", &[square()], &[]).unwrap(),
        ]
    };
    let error = installed(both(), &Options::default()).unwrap_err();
    expect!["pack mooncake-one: `square(x: T) -> T` is already defined by pack rules-one: load only one of them, or rank them with Context::builder().rank([..])"].assert_eq(&error.to_string());
    // Minimal against Default is a conflict too: contexts do not choose between packs.
    let mut minimal = square();
    minimal.context = 0;
    let packs = vec![
        pack("rules-one", &[square()], &[]).unwrap(),
        pack("mooncake-one", &[minimal], &[]).unwrap(),
    ];
    assert!(installed(packs, &Options::default()).is_err());
}

fn named(signature: &'static str, body: &'static str) -> ScalarEntry {
    let (signature, body) = (Text::new(signature), Text::new(body));
    ScalarEntry {
        signature,
        body,
        wgsl: Text::new(""),
        native_f64: null(),
        ..square()
    }
}

#[test]
fn a_body_that_uses_itself_is_refused() {
    let refused = |rows: &[ScalarEntry]| {
        let pack = pack("sample", rows, &[]).unwrap();
        let error = installed(vec![pack], &Options::default()).unwrap_err();
        error.to_string()
    };
    expect!["pack sample: `f(x: T) -> T`: its body uses the function itself"]
        .assert_eq(&refused(&[named("f(x: T) -> T", "x * f(x)")]));
    expect!["pack sample: `f(x: T) -> T`: its body uses the function itself, through `sample::g`"]
        .assert_eq(&refused(&[
            named("f(x: T) -> T", "x * g(x)"),
            named("g(x: T) -> T", "f(x + 1)"),
        ]));
    let mut total = total();
    total.body = Text::new("total(sum(a))");
    let pack = pack("sample", &[], &[total]).unwrap();
    let error = installed(vec![pack], &Options::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("its body uses the function itself"),
        "{error}"
    );
}

#[test]
fn the_default_context_needs_a_body() {
    scalar_refused(
        |e| e.body = Text::new(""),
        expect![
            "pack sample: `square(x: T) -> T`: the context Default needs a `body`: without one the minimal context has nothing to derive"
        ],
    );
}

#[test]
fn a_rank_decides_whatever_the_order() {
    let ranked = |rank: [&str; 2], order: [&str; 2]| {
        let packs = order
            .map(|name| pack(name, &[square()], &[]).unwrap())
            .into_iter()
            .collect();
        let options = Options {
            rank: rank.map(str::to_owned).to_vec(),
            ..Options::default()
        };
        let registry = installed(packs, &options).unwrap();
        registry
            .find(Symbol::new("one::square"), &[Type::F64])
            .unwrap()
            .pack
    };
    for order in [["rules-one", "mooncake-one"], ["mooncake-one", "rules-one"]] {
        assert_eq!(
            ranked(["mooncake-one", "rules-one"], order).as_str(),
            "mooncake-one"
        );
        assert_eq!(
            ranked(["rules-one", "mooncake-one"], order).as_str(),
            "rules-one"
        );
    }
}

#[test]
fn a_partial_pack_keeps_what_is_right() {
    let mut wrong = square();
    wrong.signature = Text::new("wrong(x: T) -> T");
    wrong.body = Text::new("x +");
    let options = Options {
        allow_partial: true,
        ..Options::default()
    };
    let registry = installed(
        vec![pack("sample", &[square(), wrong], &[]).unwrap()],
        &options,
    )
    .unwrap();
    let names: Vec<_> = registry.entries().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["sample::square", "sample::square"]);
}

#[test]
fn a_partial_pack_leaves_out_what_cannot_be_read() {
    let mut wrong = square();
    (wrong.signature, wrong.context) = (Text::new("wrong(x: T) -> T"), 9);
    let pack = pack("sample", &[wrong, square()], &[]).unwrap();
    let messages: Vec<&str> = pack.unread.iter().map(|row| &*row.message).collect();
    assert_eq!(
        messages,
        ["`wrong`: context 9; expected 0 (Minimal), 1 (Default) or 2 (Derived)"]
    );
    let options = Options {
        allow_partial: true,
        ..Options::default()
    };
    assert_eq!(
        installed(vec![pack], &options).unwrap().entries().count(),
        2
    );
}

/// In an expression the name of a row that is left out means that row, and not what others have of this name. So what uses it is left out too, and
/// what uses that.
#[test]
fn a_partial_pack_leaves_out_what_uses_what_is_left_out() {
    let named = |name: &'static str, partial: &'static str, body: &'static str| ScalarEntry {
        signature: Text::new(name),
        partials: List::new(vec![Text::new(partial)].leak()),
        body: Text::new(body),
        wgsl: Text::new(""),
        ..square()
    };
    let of_std = [
        named("sin(x: T) -> T", "1", "x"),
        named("cos(x: T) -> T", "1", "x"),
    ];
    let std = pack("std", &of_std, &[]).unwrap();
    let unread = ScalarEntry {
        context: 9,
        ..named("sin(x: T) -> T", "2", "2 * x")
    };
    let rows = [
        unread,
        named("by_unread(x: T) -> T", "sin(x) / x", "2 * x"),
        named("wrong(x: T) -> T", "no_such(x)", "x"),
        named("by_wrong(x: T) -> T", "wrong(x)", "x"),
        named("by_both(x: T) -> T", "1", "by_wrong(x) + by_unread(x)"),
        // A rule for a function that exists: the function stays, and what uses it.
        named("std::cos(x: T) -> T", "no_such(x)", ""),
        named("by_cos(x: T) -> T", "cos(x)", "x"),
        square(),
    ];
    let mine = pack("mine", &rows, &[]).unwrap();
    let packs = [std, mine].map(Arc::new);
    let (registry, wrong) = install_all(&Registry::default(), &packs, &Options::default()).unwrap();
    let mut messages: Vec<String> = wrong.into_iter().map(|row| row.message).collect();
    messages.dedup();
    expect![[r#"
        `sin`: context 9; expected 0 (Minimal), 1 (Default) or 2 (Derived)
        `std::cos(x: T) -> T`: the function exists and computes its value itself: give its derivatives as expressions, and nothing else
        `by_unread(x: T) -> T`: partials: 1:1: no function `sin` takes (f32)
        `by_unread(x: T) -> T`: partials: 1:1: no function `sin` takes (f64)
        `wrong(x: T) -> T`: partials: 1:1: no function `no_such` takes (f32)
        `wrong(x: T) -> T`: partials: 1:1: no function `no_such` takes (f64)
        `by_both(x: T) -> T`: its expressions use `mine::by_unread`, which is wrong itself
        `by_wrong(x: T) -> T`: its expressions use `mine::wrong`, which is wrong itself
    "#]]
    .assert_eq(&(messages.join("\n") + "\n"));
    let names: BTreeSet<_> = registry.entries().map(|e| e.name.as_str()).collect();
    assert_eq!(
        names.into_iter().collect::<Vec<_>>(),
        ["cos", "mine::by_cos", "mine::square", "sin"]
    );
}

#[test]
fn addresses_are_checked() {
    let nowhere = List {
        data: null(),
        len: 1,
    };
    scalar_refused(
        |e| {
            e.docs = Text {
                data: null(),
                len: 9,
            }
        },
        expect!["pack sample: `square`: a text of 9 bytes at no address"],
    );
    scalar_refused(
        |e| e.docs.len = usize::MAX,
        expect!["pack sample: `square`: a text of 18446744073709551615 bytes; at most 16777216"],
    );
    let mut entry = square();
    entry.partials = nowhere;
    let refused = |entry: ScalarEntry| {
        let unread = pack("sample", &[entry], &[]).unwrap().unread.into_iter();
        unread.map(|row| row.message).collect::<Vec<_>>()
    };
    assert_eq!(
        refused(entry),
        ["`square`: no partials at their address 0x0"]
    );
    let mut entry = square();
    entry.domain = nowhere;
    assert_eq!(
        refused(entry),
        ["`square`: no sampling ranges at their address 0x0"]
    );
    let mut entry = square();
    entry.domain.data = entry.domain.data.wrapping_byte_add(1);
    assert_eq!(refused(entry).len(), 1, "unaligned");
}

#[test]
#[cfg(all(feature = "rules-std", feature = "rules-linalg"))]
fn the_linked_packs_install() {
    let packs = linked().unwrap();
    let names: Vec<&str> = packs.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["mooncake-rules-linalg", "mooncake-rules-std"]);
    let registry = install(&Registry::default(), &packs, &Options::default()).unwrap();
    let sin = Callee::WithPartials(Symbol::new("sin"));
    assert_eq!(
        registry.call_type(sin, &[Type::F64]),
        Some(Type::tuple(&[Type::F64; 2]))
    );
}
