//! Typed trees, lowered and run: what each form means. Whole programs are in `language` and `wide`.

use super::programs::normalised;
use crate::diag::{Error, Span};
use crate::front::tree::Binary;
use crate::front::ty::{Adt, ByHand, Dyn, Field, RefKind, Ty, Variant};
use crate::front::typed::*;
use crate::interp::{Datum, Nothing, run};
use crate::ir::verify::verify;
use crate::ir::{Const, Fault, Module, Symbol, Type};
use crate::lower::lower;
use crate::registry::{ContextKind, Registry};
use std::collections::BTreeMap;

const F64: Ty = Ty::Scalar(Type::F64);
const USIZE: Ty = Ty::USIZE;
const SPAN: Span = Span {
    file: "a.rs",
    line: 7,
    column: 1,
};

fn expr(ty: Ty, kind: ExprKind) -> Expr {
    let span = SPAN;
    Expr { ty, span, kind }
}
fn boxed(e: Expr) -> Box<Expr> {
    Box::new(e)
}
fn float(x: f64) -> Expr {
    expr(F64, ExprKind::Const(Const::Float(x)))
}
fn index(n: i64) -> Expr {
    expr(USIZE, ExprKind::Const(Const::Int(n)))
}
fn unit() -> Expr {
    expr(Ty::UNIT, ExprKind::Const(Const::Unit))
}
fn place(local: LocalId, projections: Vec<Projection>) -> Place {
    let base = Base::Local(local);
    Place { base, projections }
}
fn value(e: Expr) -> Place {
    let (base, projections) = (Base::Value(boxed(e)), vec![]);
    Place { base, projections }
}
fn read(ty: Ty, local: LocalId, projections: Vec<Projection>) -> Expr {
    let place = place(local, projections);
    expr(ty, ExprKind::Read { place, copy: true })
}
fn at(n: Expr, ty: Ty) -> Projection {
    Projection::Index(boxed(n), ty, SPAN)
}
fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    let ty = match op {
        Binary::Eq | Binary::Lt | Binary::Gt => Ty::BOOL,
        _ => a.ty,
    };
    expr(ty, ExprKind::Binary(op, boxed(a), boxed(b)))
}
fn add(a: Expr, b: Expr) -> Expr {
    binary(Binary::Add, a, b)
}
fn mul(a: Expr, b: Expr) -> Expr {
    binary(Binary::Mul, a, b)
}
fn call(ty: Ty, name: &str, args: Vec<Expr>) -> Expr {
    expr(ty, ExprKind::Call(Symbol::new(name), args))
}
fn bind(local: LocalId) -> Pattern {
    Pattern::Bind(local, false, None)
}
fn let_(local: LocalId, e: Expr) -> Statement {
    Statement::Let(bind(local), value(e), None)
}
fn assign(to: Place, e: Expr) -> Statement {
    Statement::Expr(expr(Ty::UNIT, ExprKind::Assign(to, boxed(e))))
}
fn update(to: Place, e: Expr) -> Statement {
    let kind = ExprKind::AssignBinary(Binary::Add, to, boxed(e));
    Statement::Expr(expr(Ty::UNIT, kind))
}
fn push(to: LocalId, e: Expr) -> Statement {
    let kind = ExprKind::Push(place(to, vec![]), boxed(e));
    Statement::Expr(expr(Ty::UNIT, kind))
}
fn block(statements: Vec<Statement>, result: Expr) -> Expr {
    let ty = result.ty;
    expr(ty, ExprKind::Block(statements, Some(boxed(result))))
}
fn does(statements: Vec<Statement>) -> Expr {
    expr(Ty::UNIT, ExprKind::Block(statements, None))
}
fn range(from: i64, to: i64) -> Iter {
    Iter {
        source: Source::Range(boxed(index(from)), boxed(index(to)), false),
        rev: false,
        step: None,
        enumerate: false,
        item: USIZE,
    }
}
fn for_(id: LoopId, pattern: Pattern, iter: Iter, body: Expr) -> Statement {
    Statement::Expr(expr(
        Ty::UNIT,
        ExprKind::For(id, pattern, iter, boxed(body)),
    ))
}
fn as_f64(e: Expr) -> Expr {
    expr(F64, ExprKind::Cast(boxed(e)))
}

/// Variables by position: type, and whether it is in memory.
fn function(name: &str, locals: &[(Ty, bool)], params: usize, body: Expr) -> Function {
    let local = |&(ty, in_memory): &(Ty, bool)| Local {
        name: "",
        ty,
        in_memory,
    };
    Function {
        name: Symbol::new(name),
        span: SPAN,
        locals: locals.iter().map(local).collect(),
        params: (0..params).collect(),
        ret: body.ty,
        body,
        is_constant: false,
        is_library: false,
        parallel: None,
        may_lend: true,
    }
}
/// The typed module of these functions, the first of them the root.
fn module(functions: Vec<Function>, dispatches: Vec<(Symbol, Dispatch)>) -> Result<Module, Error> {
    let program = Program {
        root: functions[0].name,
        functions: functions.into_iter().map(|f| (f.name, f)).collect(),
        passed_on_guards: Vec::new(),
        dispatches: BTreeMap::from_iter(dispatches),
    };
    let module = lower(&program, &Registry::default())?;
    verify(&module, &|_, _| None).unwrap_or_else(|e| panic!("{e}\n{module}"));
    Ok(module)
}
/// What the program gives, before and after normalisation.
fn outcome(functions: Vec<Function>, args: &[Datum]) -> Result<Datum, Error> {
    let typed = module(functions, vec![])?;
    let normal = normalised(&typed, &Registry::default(), ContextKind::Default)?;
    let [typed, normal] = [typed, normal].map(|module| run(&module, args, &Nothing));
    assert_eq!(format!("{typed:?}"), format!("{normal:?}"));
    typed
}
fn gives(functions: Vec<Function>, args: &[Datum], expected: f64) {
    let found = outcome(functions, args).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(found, Datum::float(expected));
}
fn fails(functions: Vec<Function>, args: &[Datum], text: &str) {
    match outcome(functions, args) {
        Err(Error::Fault(diagnostic)) => {
            assert_eq!(diagnostic.message, text);
            assert_eq!(diagnostic.span, SPAN);
        }
        other => panic!("expected a fault, found {other:?}"),
    }
}

#[test]
fn a_vector_grows_and_shrinks() {
    let floats = Ty::vec(F64);
    for in_memory in [false, true] {
        let locals = [
            (floats, in_memory),
            (USIZE, false),
            (Ty::option(F64), false),
        ];
        let pop = expr(Ty::option(F64), ExprKind::Pop(place(0, vec![])));
        let truncate = ExprKind::Truncate(place(0, vec![]), boxed(index(3)));
        let payload = Projection::Payload {
            variant: 1,
            field: 0,
            ty: F64,
        };
        let length = expr(USIZE, ExprKind::Len(boxed(read(floats, 0, vec![]))));
        let element = |n| read(F64, 0, vec![at(index(n), F64)]);
        // [0, 1, …, 9]: 9 is popped, three are left, the second of them is 1 and is set to 10.
        let body = block(
            vec![
                let_(0, expr(floats, ExprKind::List(vec![]))),
                for_(
                    0,
                    bind(1),
                    range(0, 10),
                    does(vec![push(0, as_f64(read(USIZE, 1, vec![])))]),
                ),
                let_(2, pop),
                Statement::Expr(expr(Ty::UNIT, truncate)),
                update(place(0, vec![at(index(1), F64)]), float(9.0)),
            ],
            add(
                add(read(F64, 2, vec![payload]), as_f64(length)),
                add(element(1), element(2)),
            ),
        );
        gives(
            vec![function("f", &locals, 0, body)],
            &[],
            9.0 + 3.0 + 10.0 + 2.0,
        );
    }
}

#[test]
fn elements_are_checked_against_the_length_and_not_the_capacity() {
    let floats = Ty::vec(F64);
    let body = block(
        vec![
            let_(0, expr(floats, ExprKind::List(vec![]))),
            push(0, float(1.0)),
        ],
        read(F64, 0, vec![at(index(1), F64)]),
    );
    let text = "index out of bounds: the len is 1 but the index is 1";
    fails(vec![function("f", &[(floats, false)], 0, body)], &[], text);
}

#[test]
fn vectors_of_vectors_keep_their_rows_and_clones_have_their_own() {
    let row = Ty::vec(F64);
    let rows = Ty::vec(row);
    let list = |x: f64| expr(row, ExprKind::List(vec![float(x), float(x + 1.0)]));
    let element = |local, i, j| read(F64, local, vec![at(index(i), row), at(index(j), F64)]);
    let clone = expr(rows, ExprKind::Clone(boxed(read(rows, 0, vec![]))));
    let body = block(
        vec![
            let_(0, expr(rows, ExprKind::List(vec![list(1.0)]))),
            push(0, list(3.0)),
            let_(1, clone),
            update(
                place(0, vec![at(index(1), row), at(index(0), F64)]),
                float(10.0),
            ),
        ],
        add(
            mul(element(0, 1, 0), float(100.0)),
            add(element(1, 1, 0), element(0, 0, 1)),
        ),
    );
    gives(
        vec![function("f", &[(rows, false), (rows, false)], 0, body)],
        &[],
        1305.0,
    );
}

#[test]
fn lists_are_values() {
    let list = Ty::list(F64, 2);
    let element = |local, i| read(F64, local, vec![at(index(i), F64)]);
    for in_memory in [false, true] {
        let body = block(
            vec![
                let_(0, expr(list, ExprKind::List(vec![float(1.0), float(2.0)]))),
                let_(1, read(list, 0, vec![])),
                assign(place(0, vec![at(index(0), F64)]), float(5.0)),
            ],
            add(mul(element(0, 0), float(10.0)), element(1, 0)),
        );
        let locals = [(list, in_memory), (list, in_memory)];
        gives(vec![function("f", &locals, 0, body)], &[], 51.0);
    }
}

#[test]
fn a_table_of_constants_is_made_once() {
    let list = Ty::list(F64, 2);
    let table = || expr(list, ExprKind::List(vec![float(3.0), float(4.0)]));
    let base = Base::Value(boxed(table()));
    let projections = vec![at(read(USIZE, 1, vec![]), F64)];
    let place_in_table = Place { base, projections };
    let element = ExprKind::Read {
        place: place_in_table,
        copy: true,
    };
    let turn = does(vec![update(place(0, vec![]), expr(F64, element))]);
    let slice = expr(Ty::slice_mut(F64), ExprKind::AsSlice(boxed(table())));
    let over_table = Iter {
        source: Source::Elements(boxed(slice), false),
        item: F64,
        ..range(0, 0)
    };
    let again = for_(
        1,
        bind(2),
        over_table,
        does(vec![update(place(0, vec![]), read(F64, 2, vec![]))]),
    );
    let body = block(
        vec![
            let_(0, float(0.0)),
            for_(
                0,
                bind(1),
                range(0, 2),
                block(vec![Statement::Expr(turn), again], unit()),
            ),
        ],
        read(F64, 0, vec![]),
    );
    let locals = [(F64, false), (USIZE, false), (F64, false)];
    let typed = module(vec![function("f", &locals, 0, body)], vec![]).unwrap();
    assert_eq!(run(&typed, &[], &Nothing).unwrap(), Datum::float(21.0));
    let entry = typed.root().entry();
    let made = |block| {
        let rows = &typed.root().insts;
        let insts = typed.root().blocks[block].insts.iter();
        insts
            .filter(|&&i| rows[i].op == crate::ir::Op::Prim(crate::ir::Prim::Alloc))
            .count()
    };
    assert_eq!(made(entry), 2, "{typed}");
    let all: usize = typed.root().layout.iter().map(|&block| made(block)).sum();
    assert_eq!(all, 2, "{typed}");
}

#[test]
fn a_list_that_a_loop_binds_is_copied_if_it_is_changed() {
    let row = Ty::list(F64, 1);
    let rows = Ty::list(row, 1);
    let list = expr(
        rows,
        ExprKind::List(vec![expr(row, ExprKind::List(vec![float(1.0)]))]),
    );
    let iter = Iter {
        source: Source::Elements(boxed(read(rows, 0, vec![])), false),
        item: row,
        ..range(0, 0)
    };
    let change = does(vec![update(place(1, vec![at(index(0), F64)]), float(5.0))]);
    let body = block(
        vec![let_(0, list), for_(0, bind(1), iter, change)],
        read(F64, 0, vec![at(index(0), row), at(index(0), F64)]),
    );
    gives(
        vec![function("f", &[(rows, false), (row, false)], 0, body)],
        &[],
        1.0,
    );
}

#[test]
fn what_has_an_address_is_changed_through_it() {
    let pair = Ty::tuple(&[F64, F64]);
    let address = Ty::mutable(F64);
    let bump = function(
        "bump",
        &[(address, false)],
        1,
        does(vec![update(
            place(0, vec![Projection::Deref(F64)]),
            float(10.0),
        )]),
    );
    let field = || Projection::Field(1, F64);
    let to_field = expr(address, ExprKind::Address(place(0, vec![field()])));
    let old = expr(
        F64,
        ExprKind::Replace(
            boxed(expr(
                address,
                ExprKind::Address(place(0, vec![Projection::Field(0, F64)])),
            )),
            boxed(float(7.0)),
        ),
    );
    let swap = ExprKind::Swap(
        boxed(expr(
            address,
            ExprKind::Address(place(0, vec![Projection::Field(0, F64)])),
        )),
        boxed(expr(address, ExprKind::Address(place(0, vec![field()])))),
    );
    let body = block(
        vec![
            let_(0, expr(pair, ExprKind::Tuple(vec![float(1.0), float(2.0)]))),
            Statement::Expr(call(Ty::UNIT, "bump", vec![to_field])),
            let_(1, old),
            Statement::Expr(expr(Ty::UNIT, swap)),
        ],
        // (12, 7), and 1 was replaced.
        add(
            read(F64, 1, vec![]),
            add(
                mul(read(F64, 0, vec![Projection::Field(0, F64)]), float(100.0)),
                read(F64, 0, vec![field()]),
            ),
        ),
    );
    let root = function("f", &[(pair, true), (F64, false)], 0, body);
    gives(vec![root, bump], &[], 1208.0);
}

/// `enum List { Nil, Cons(f64, P<List>) }`: P is `Rc` or `Box`.
macro_rules! list {
    ($name:ident, $text:literal, $rest:expr) => {
        static $name: Adt = Adt {
            path: $text,
            name: $text,
            is_enum: true,
            derefs: false,
            params: 0,
            is_clone: true,
            by_hand: ByHand::NOTHING,
            variants: &[
                Variant {
                    name: "Nil",
                    fields: &[],
                },
                Variant {
                    name: "Cons",
                    fields: &[
                        Field {
                            name: "0",
                            ty: || F64,
                            ref_kind: RefKind::Value,
                        },
                        Field {
                            name: "1",
                            ty: || $rest,
                            ref_kind: RefKind::Value,
                        },
                    ],
                },
            ],
        };
    };
}
list!(SHARED, "Shared", Ty::adt(&SHARED, &[]));
list!(OWNED, "Owned", Ty::boxed(Ty::adt(&OWNED, &[])));

fn payload(field: u32, ty: Ty) -> Projection {
    Projection::Payload {
        variant: 1,
        field,
        ty,
    }
}

/// Adds up a list by recursion; `owned` says whether the rest is boxed.
fn sum(list: Ty, owned: bool) -> Function {
    let rest = if owned { Ty::boxed(list) } else { list };
    let parts = vec![(payload(0, F64), bind(1)), (payload(1, rest), bind(2))];
    let projections = if owned {
        vec![Projection::Deref(list)]
    } else {
        vec![]
    };
    let cons = add(
        read(F64, 1, vec![]),
        call(F64, "sum", vec![read(list, 2, projections)]),
    );
    let arms = vec![
        Arm {
            pattern: Pattern::Variant(1, parts),
            guard: None,
            body: cons,
        },
        Arm {
            pattern: Pattern::Variant(0, vec![]),
            guard: None,
            body: float(0.0),
        },
    ];
    let body = expr(F64, ExprKind::Match(place(0, vec![]), arms));
    function(
        "sum",
        &[(list, false), (F64, false), (rest, false)],
        1,
        body,
    )
}

#[test]
fn recursive_types_are_built_cloned_and_walked() {
    for (adt, owned) in [(&SHARED, false), (&OWNED, true)] {
        let list = Ty::adt(adt, &[]);
        let cons = |x: f64, rest: Expr| {
            let rest = match owned {
                true => expr(Ty::boxed(list), ExprKind::NewObject(boxed(rest))),
                false => rest,
            };
            expr(list, ExprKind::Aggregate(1, vec![float(x), rest]))
        };
        let nil = expr(list, ExprKind::Aggregate(0, vec![]));
        let clone = expr(list, ExprKind::Clone(boxed(read(list, 0, vec![]))));
        let body = block(
            vec![
                let_(0, cons(1.0, cons(2.0, nil))),
                let_(1, clone),
                assign(place(0, vec![payload(0, F64)]), float(10.0)),
            ],
            add(
                mul(call(F64, "sum", vec![read(list, 0, vec![])]), float(100.0)),
                call(F64, "sum", vec![read(list, 1, vec![])]),
            ),
        );
        let root = function("f", &[(list, false), (list, false)], 0, body);
        gives(vec![root, sum(list, owned)], &[], 1203.0);
    }
}

#[test]
fn a_stopped_list_has_the_same_numbers() {
    let list = Ty::adt(&OWNED, &[]);
    let nil = expr(list, ExprKind::Aggregate(0, vec![]));
    let rest = expr(Ty::boxed(list), ExprKind::NewObject(boxed(nil)));
    let one = expr(list, ExprKind::Aggregate(1, vec![float(3.0), rest]));
    let stopped = expr(list, ExprKind::StopGradient(boxed(one)));
    let root = function("f", &[], 0, call(F64, "sum", vec![stopped]));
    let functions = vec![root, sum(list, true)];
    gives(functions, &[], 3.0);
}

#[test]
fn arms_are_tried_in_order() {
    // match x { n if n > 10 => n, 0 | 2 => 100, 3..=5 => 200, Some-like last arm: 300 }
    let arm = |pattern: Pattern, guard: Option<Expr>, body: Expr| Arm {
        pattern,
        guard,
        body,
    };
    let equal = |n| Pattern::Equal(Const::Int(n), Type::Usize);
    let body = || {
        let arms = vec![
            arm(
                bind(1),
                Some(binary(Binary::Gt, read(USIZE, 1, vec![]), index(10))),
                as_f64(read(USIZE, 1, vec![])),
            ),
            arm(Pattern::Or(vec![equal(0), equal(2)]), None, float(100.0)),
            arm(
                Pattern::Between(Some(Const::Int(3)), Some(Const::Int(5)), true, Type::Usize),
                None,
                float(200.0),
            ),
            arm(Pattern::Wild, None, float(300.0)),
        ];
        expr(F64, ExprKind::Match(place(0, vec![]), arms))
    };
    for (n, expected) in [
        (11, 11.0),
        (0, 100.0),
        (2, 100.0),
        (5, 200.0),
        (6, 300.0),
        (1, 300.0),
    ] {
        let root = function("f", &[(USIZE, false), (USIZE, false)], 1, body());
        gives(vec![root], &[Datum::index(n)], expected);
    }
}

#[test]
fn alternatives_bind_the_same_name() {
    let result = Ty::result(F64, F64);
    let either = |n| Projection::Payload {
        variant: n,
        field: 0,
        ty: F64,
    };
    let pattern = || {
        let one = |n| Pattern::Variant(n, vec![(either(n), bind(1))]);
        Pattern::Or(vec![one(0), one(1)])
    };
    for variant in [0, 1] {
        let made = expr(result, ExprKind::Aggregate(variant, vec![float(4.0)]));
        let statement = Statement::Let(pattern(), value(made), None);
        let body = block(vec![statement], read(F64, 1, vec![]));
        let root = function("f", &[(F64, false), (F64, false)], 0, body);
        gives(vec![root], &[], 4.0);
    }
}

#[test]
fn conditions_bind_and_let_else_leaves() {
    let option = Ty::option(F64);
    let some = || Pattern::Variant(1, vec![(payload(0, F64), bind(1))]);
    let let_some = || expr(Ty::BOOL, ExprKind::Let(place(0, vec![]), Box::new(some())));
    let positive = || binary(Binary::Gt, read(F64, 1, vec![]), float(0.0));
    let root = |made: Expr| {
        let both = expr(
            Ty::BOOL,
            ExprKind::Lazy(true, boxed(let_some()), boxed(positive())),
        );
        let if_let = ExprKind::If(
            boxed(both),
            boxed(read(F64, 1, vec![])),
            Some(boxed(float(-1.0))),
        );
        let leave = expr(Ty::Never, ExprKind::Return(Some(boxed(float(-2.0)))));
        let body = block(
            vec![
                let_(0, made),
                Statement::Let(some(), place(0, vec![]), Some(leave)),
            ],
            expr(F64, if_let),
        );
        vec![function("f", &[(option, false), (F64, false)], 0, body)]
    };
    let some = |x: f64| expr(option, ExprKind::Aggregate(1, vec![float(x)]));
    gives(root(some(3.0)), &[], 3.0);
    gives(root(some(-3.0)), &[], -1.0);
    gives(
        root(expr(option, ExprKind::Aggregate(0, vec![]))),
        &[],
        -2.0,
    );
}

/// `for … in iter { s = s * 10 + f(item) }`
fn folded(locals: &[(Ty, bool)], pattern: Pattern, iter: Iter, item: Expr) -> Function {
    let all = [&[(Ty::slice(F64), false), (F64, false)], locals].concat();
    let old = mul(read(F64, 1, vec![]), float(10.0));
    let turn = does(vec![assign(place(1, vec![]), add(old, item))]);
    let body = block(
        vec![let_(1, float(0.0)), for_(0, pattern, iter, turn)],
        read(F64, 1, vec![]),
    );
    function("f", &all, 1, body)
}
fn elements(of: LocalId) -> Iter {
    Iter {
        source: Source::Elements(boxed(read(Ty::slice(F64), of, vec![])), false),
        item: F64,
        ..range(0, 0)
    }
}

#[test]
fn iterators_go_over_their_items_in_order() {
    let x = [Datum::floats(&[1.0, 2.0, 3.0, 4.0, 5.0])];
    let one = || read(F64, 2, vec![]);
    let check = |iter: Iter, expected| {
        gives(
            vec![folded(&[(F64, false)], bind(2), iter, one())],
            &x,
            expected,
        );
    };
    check(elements(0), 12345.0);
    check(
        Iter {
            rev: true,
            ..elements(0)
        },
        54321.0,
    );
    let step = || Some(boxed(index(2)));
    check(
        Iter {
            step: step(),
            ..elements(0)
        },
        135.0,
    );
    check(
        Iter {
            rev: true,
            step: step(),
            ..elements(0)
        },
        531.0,
    );
    // Positions are those in the source.
    let pair = Ty::tuple(&[USIZE, F64]);
    let numbered = Iter {
        enumerate: true,
        rev: true,
        item: pair,
        ..elements(0)
    };
    let parts = Pattern::Parts(vec![
        (Projection::Field(0, USIZE), bind(3)),
        (Projection::Field(1, F64), Pattern::Wild),
    ]);
    let position = as_f64(read(USIZE, 3, vec![]));
    let locals = [(F64, false), (USIZE, false)];
    gives(
        vec![folded(&locals, parts, numbered, position)],
        &x,
        43210.0,
    );
    // Pairs as wholes; the shorter ends the loop.
    let zip = Iter {
        source: Source::Zip(Box::new(elements(0)), Box::new(range(2, 5))),
        item: Ty::tuple(&[F64, USIZE]),
        ..range(0, 0)
    };
    let second = as_f64(read(USIZE, 2, vec![Projection::Field(1, USIZE)]));
    gives(
        vec![folded(&[(zip.item, false)], bind(2), zip, second)],
        &x,
        234.0,
    );
}

#[test]
fn parts_of_slices_are_as_long_as_std_makes_them() {
    let x = [Datum::floats(&[1.0, 2.0, 3.0, 4.0, 5.0])];
    let slice = Ty::slice(F64);
    let all = || boxed(read(slice, 0, vec![]));
    let size = |n| boxed(index(n));
    let length = || as_f64(expr(USIZE, ExprKind::Len(boxed(read(slice, 2, vec![])))));
    let first = || read(F64, 2, vec![at(index(0), F64)]);
    let check = |source: &dyn Fn() -> Source, lengths, firsts| {
        for (item, expected) in [(length(), lengths), (first(), firsts)] {
            let iter = Iter {
                source: source(),
                item: slice,
                ..range(0, 0)
            };
            let root = folded(&[(slice, false)], bind(2), iter, item);
            gives(vec![root], &x, expected);
        }
    };
    check(&|| Source::Windows(all(), size(3)), 333.0, 123.0);
    check(&|| Source::Windows(all(), size(6)), 0.0, 0.0);
    check(&|| Source::Chunks(all(), size(2), false), 221.0, 135.0);
    check(&|| Source::Chunks(all(), size(2), true), 22.0, 13.0);
    let none = Source::Chunks(all(), boxed(index(0)), false);
    let iter = Iter {
        source: none,
        item: slice,
        ..range(0, 0)
    };
    let root = folded(&[(slice, false)], bind(2), iter, length());
    fails(vec![root], &x, "chunk size must be non-zero");
}

#[test]
fn a_loop_over_places_of_numbers_needs_no_addresses() {
    let slice = Ty::slice_mut(F64);
    let iter = Iter {
        source: Source::Elements(boxed(read(slice, 0, vec![])), true),
        item: Ty::mutable(F64),
        ..range(0, 0)
    };
    let turn = does(vec![update(
        place(1, vec![Projection::Deref(F64)]),
        float(1.0),
    )]);
    let body = does(vec![for_(0, bind(1), iter, turn)]);
    let root = function("f", &[(slice, false), (Ty::mutable(F64), false)], 1, body);
    let module = module(vec![root], vec![]).unwrap();
    let text = module.to_string();
    assert!(text.contains("store") && !text.contains("offset"), "{text}");
    let x = Datum::floats(&[1.0, 2.0]);
    run(&module, std::slice::from_ref(&x), &Nothing).unwrap();
    assert_eq!(x, Datum::floats(&[2.0, 3.0]));
}

#[test]
fn immutable_slices_stay_so_until_they_meet_mutable_ones() {
    let slice = Ty::slice(F64);
    // let mut rest = x; rest = &rest[1..]; …; first(rest)
    let first = || {
        let element = read(F64, 0, vec![at(index(0), F64)]);
        function("first", &[(slice, false)], 1, element)
    };
    let root = |other: Vec<Statement>| {
        let rest = boxed(read(slice, 1, vec![]));
        let tail = ExprKind::Slice(rest, Some(boxed(index(1))), None, false);
        let mut statements = vec![
            let_(1, read(slice, 0, vec![])),
            assign(place(1, vec![]), expr(slice, tail)),
        ];
        statements.extend(other);
        let body = block(statements, call(F64, "first", vec![read(slice, 1, vec![])]));
        function("f", &[(slice, false), (slice, false)], 1, body)
    };
    let x = [Datum::floats(&[1.0, 2.0])];
    let typed = module(vec![root(vec![]), first()], vec![]).unwrap();
    assert!(!typed.to_string().contains("[mut"), "{typed}");
    gives(vec![root(vec![]), first()], &x, 2.0);
    // rest = &vec![4.0]
    let list = expr(Ty::vec(F64), ExprKind::List(vec![float(4.0)]));
    let other = assign(
        place(1, vec![]),
        expr(slice, ExprKind::AsSlice(boxed(list))),
    );
    gives(vec![root(vec![other]), first()], &x, 4.0);
}

#[test]
fn slice_patterns_take_both_ends() {
    let slice = Ty::slice(F64);
    let rest = Some(Box::new(bind(2)));
    let pattern = Pattern::Slice(vec![bind(1)], rest, vec![bind(3)], true, slice);
    let condition = expr(Ty::BOOL, ExprKind::Let(place(0, vec![]), Box::new(pattern)));
    let length = as_f64(expr(USIZE, ExprKind::Len(boxed(read(slice, 2, vec![])))));
    let some = add(
        mul(read(F64, 1, vec![]), float(100.0)),
        add(mul(read(F64, 3, vec![]), float(10.0)), length),
    );
    let body = || {
        expr(
            F64,
            ExprKind::If(boxed(condition), boxed(some), Some(boxed(float(-1.0)))),
        )
    };
    let locals = [(slice, false), (F64, false), (slice, false), (F64, false)];
    let root = function("f", &locals, 1, body());
    let typed = module(vec![root], vec![]).unwrap();
    let at = |x: &[f64]| run(&typed, &[Datum::floats(x)], &Nothing).unwrap();
    assert_eq!(at(&[1.0, 9.0, 9.0, 2.0]), Datum::float(122.0));
    assert_eq!(at(&[1.0, 2.0]), Datum::float(120.0));
    assert_eq!(at(&[1.0]), Datum::float(-1.0));
}

#[test]
fn labelled_blocks_and_loops_give_values() {
    let leave = |id, x: f64| expr(Ty::Never, ExprKind::Break(id, Some(boxed(float(x)))));
    let positive = binary(Binary::Gt, read(F64, 0, vec![]), float(0.0));
    let early = ExprKind::If(boxed(positive), boxed(leave(0, 1.0)), None);
    let endless = expr(
        F64,
        ExprKind::Loop(
            1,
            boxed(expr(
                Ty::UNIT,
                ExprKind::Block(vec![Statement::Expr(leave(1, 2.0))], None),
            )),
        ),
    );
    let body = block(vec![Statement::Expr(expr(Ty::UNIT, early))], endless);
    let root = function(
        "f",
        &[(F64, false)],
        1,
        expr(F64, ExprKind::Labelled(0, boxed(body))),
    );
    let typed = module(vec![root], vec![]).unwrap();
    for (x, expected) in [(1.0, 1.0), (-1.0, 2.0)] {
        let found = run(&typed, &[Datum::float(x)], &Nothing).unwrap();
        assert_eq!(found, Datum::float(expected));
    }
}

#[test]
fn dynamic_values_choose_by_their_tag() {
    let scale = Ty::tuple(&[F64]);
    let dynamic = Ty::dynamic(Dyn::Fn(vec![F64], F64));
    let times = function(
        "times",
        &[(scale, false), (F64, false)],
        2,
        mul(
            read(F64, 0, vec![Projection::Field(0, F64)]),
            read(F64, 1, vec![]),
        ),
    );
    let negate = ExprKind::Neg(boxed(read(F64, 0, vec![])));
    let negate = function("negate", &[(F64, false)], 1, expr(F64, negate));
    let count = Ty::mutable(F64);
    let bump = function(
        "bump",
        &[(count, false), (F64, false)],
        2,
        block(
            vec![update(
                place(0, vec![Projection::Deref(F64)]),
                read(F64, 1, vec![]),
            )],
            read(F64, 0, vec![Projection::Deref(F64)]),
        ),
    );
    let choice = |tag, ty, function: &str, receiver| Choice {
        tag,
        ty,
        function: Symbol::new(function),
        receiver,
    };
    let dispatch = || Dispatch {
        params: vec![dynamic, F64],
        ret: F64,
        arms: vec![
            choice(0, scale, "times", Some(false)),
            choice(3, Ty::UNIT, "negate", None),
            choice(4, F64, "bump", Some(true)),
        ],
    };
    let scaled = expr(scale, ExprKind::Tuple(vec![float(3.0)]));
    let counter = expr(count, ExprKind::Address(place(0, vec![])));
    let made = [(scaled, 0, false), (unit(), 3, false), (counter, 4, true)];
    let mut total = read(F64, 0, vec![]);
    for (value, tag, address) in made {
        let value = expr(dynamic, ExprKind::MakeDyn(boxed(value), tag, address));
        // Calls come before the read of the counter.
        total = add(call(F64, "apply", vec![value, float(2.0)]), total);
    }
    let body = block(vec![let_(0, float(0.5))], total);
    let root = function("f", &[(F64, true)], 0, body);
    let functions = vec![root, times, negate, bump];
    let typed = module(functions, vec![(Symbol::new("apply"), dispatch())]).unwrap();
    let found = run(&typed, &[], &Nothing).unwrap();
    assert_eq!(found, Datum::float(2.5 - 2.0 + 6.0 + 2.5));
}

#[test]
fn deferred_variables_in_memory_have_an_object_from_the_start() {
    let address = Ty::mutable(F64);
    let positive = binary(Binary::Gt, read(F64, 0, vec![]), float(0.0));
    let choose = ExprKind::If(
        boxed(positive),
        boxed(does(vec![assign(place(1, vec![]), float(1.0))])),
        Some(boxed(does(vec![assign(place(1, vec![]), float(2.0))]))),
    );
    let body = block(
        vec![
            Statement::Expr(expr(Ty::UNIT, choose)),
            let_(2, expr(address, ExprKind::Address(place(1, vec![])))),
            update(place(2, vec![Projection::Deref(F64)]), float(10.0)),
        ],
        read(F64, 1, vec![]),
    );
    let root = function("f", &[(F64, false), (F64, true), (address, false)], 1, body);
    gives(vec![root], &[Datum::float(-1.0)], 12.0);
}

#[test]
fn checks_fail_with_the_words_of_rust() {
    let i8 = Ty::Scalar(Type::I8);
    let small = |n| expr(i8, ExprKind::Const(Const::Int(n)));
    let statement = |e: Expr| {
        vec![function(
            "f",
            &[],
            0,
            block(vec![Statement::Expr(e)], float(0.0)),
        )]
    };
    for (op, a, b, text) in [
        (Binary::Add, 127, 1, "attempt to add with overflow"),
        (Binary::Div, -128, -1, "attempt to divide with overflow"),
        (
            Binary::Rem,
            1,
            0,
            "attempt to calculate the remainder with a divisor of zero",
        ),
        (Binary::Shl, 1, 8, "attempt to shift left with overflow"),
    ] {
        fails(statement(binary(op, small(a), small(b))), &[], text);
    }
    let clamp = ExprKind::Intrinsic(Intrinsic::Clamp, vec![float(1.0), float(2.0), float(1.0)]);
    let program = statement(expr(F64, clamp));
    let clamp = |_: Symbol, types: &[Type]| types.first().copied();
    let program = Program {
        root: program[0].name,
        functions: program.into_iter().map(|f| (f.name, f)).collect(),
        passed_on_guards: Vec::new(),
        dispatches: BTreeMap::new(),
    };
    let typed = lower(&program, &Registry::default()).unwrap();
    verify(&typed, &clamp).unwrap();
    let error = run(&typed, &[], &Nothing).unwrap_err();
    assert!(
        error.to_string().contains("min > max, or either was NaN"),
        "{error}"
    );
    let capacity = ExprKind::WithCapacity(boxed(index(i64::MAX)));
    fails(
        statement(expr(Ty::vec(F64), capacity)),
        &[],
        "capacity overflow",
    );
    let fail = ExprKind::Fail(Fault::Panic(Symbol::new("no")), vec![]);
    fails(statement(expr(Ty::Never, fail)), &[], "no");
}
