//! A program as a surface tree, as the macro would write it.

use crate::library::{self, Ball, Brick, D, E, L, Point, S, Solid};
use crate::program::{A, Ex, Exit, Helper, N, Name, Op, Program, St, T, U, X};
use mooncake::__private as mc;
use mooncake::__private::{ExprKind, PatternKind, Statement, Typed};
use mooncake::{Array, Callable, DifferentiableFn};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

thread_local! {
    static CURRENT: Cell<Option<&'static mc::Source>> = const { Cell::new(None) };
    /// Which of the threads this is that test programs.
    static WORKER: Cell<usize> = const { Cell::new(0) };
}

/// How many threads may test programs.
pub const WORKERS: usize = 16;

/// What can be called of each worker's program: two helpers, and the program itself.
const CALLEES: usize = 3;
/// The place of the program itself among these.
const MAIN: usize = 2;
type Callees = [Option<&'static mc::Source>; CALLEES * WORKERS];

/// The helpers of each worker's program, and the program. A callee is asked by whatever thread infers.
static HELPERS: Mutex<Callees> = Mutex::new([None; CALLEES * WORKERS]);

/// Makes this thread one that tests programs.
pub fn enter(worker: usize) {
    WORKER.set(worker);
}

fn helpers() -> MutexGuard<'static, Callees> {
    HELPERS.lock().unwrap_or_else(|e| e.into_inner())
}

/// The current program as a function.
pub enum Random {}

impl Callable for Random {
    fn callee() -> mc::Instance {
        (CURRENT.get().expect("a program is set"), Vec::new())
    }
}
impl DifferentiableFn for Random {
    type Args<'a> = (&'a [f64], &'a mut [f64], f64, usize);
    type Output = f64;
    type Gradient = (Vec<f64>, Vec<f64>, f64, ());
    fn native(_: Self::Args<'_>) -> f64 {
        panic!("random programs are run by walking their syntax")
    }
}

/// The current program as the closure of a `map`: its memory is made of the element and of numbers that the closure captures.
pub enum Mapped {}

impl Callable for Mapped {
    fn callee() -> mc::Instance {
        let params = [param("e", <&Array<f64>>::ty)].into_iter();
        let params = params.chain(["p", "q", "r", "s", "t", "w", "a"].map(|n| param(n, f64::ty)));
        let params = params.chain([param("n", usize::ty)]).collect();
        let local = |name: &&'static str| expr(ExprKind::Local(name));
        let memory = |mutable, name, items: &[&'static str]| {
            let items = expr(ExprKind::List(list(items.iter().map(local))));
            let pattern = pattern(PatternKind::Name(name, mutable, None));
            Statement::Let(pattern, None, Some(items), None)
        };
        let args = [
            refer(false, local(&"x")),
            refer(true, local(&"u")),
            local(&"a"),
            local(&"n"),
        ];
        let closure = give(
            [
                memory(false, "x", &["v", "p", "q", "r"]),
                memory(true, "u", &["s", "t", "w"]),
            ],
            expr(ExprKind::Call(helper_callee(MAIN), list(args))),
        );
        let mapped = method("map", [local(&"e"), lambda([bind("v")], closure)]);
        let body = mc::Block {
            statements: &[],
            value: Some(leak(method("sum", [mapped]))),
        };
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        (
            source("mapped".to_owned(), n, params, Array::<f64>::ty, body),
            Vec::new(),
        )
    }
}
impl DifferentiableFn for Mapped {
    type Args<'a> = (&'a Array<f64>, f64, f64, f64, f64, f64, f64, f64, usize);
    type Output = Array<f64>;
    type Gradient = (Array<f64>, f64, f64, f64, f64, f64, f64, f64, ());
    fn native(_: Self::Args<'_>) -> Array<f64> {
        panic!("random programs are run by walking their syntax")
    }
}

/// Makes a program the current one; its functions, the program itself last.
pub fn set(program: &Program) -> Vec<&'static mc::Source> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let n = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut sources = Vec::new();
    for (index, helper) in program.helpers.iter().enumerate() {
        // A function that calls itself finds itself among the helpers when its body is inferred: by then it is there.
        let source = self::helper(helper, index, n);
        helpers()[CALLEES * WORKER.get() + index] = Some(source);
        sources.push(source);
    }
    let params = vec![
        param("x", <&[f64]>::ty),
        param("u", <&mut [f64]>::ty),
        param("a", f64::ty),
        param("n", usize::ty),
    ];
    let body = block(&program.body, Some(&program.value));
    let main = source("program".to_owned(), n, params, f64::ty, body);
    CURRENT.set(Some(main));
    helpers()[CALLEES * WORKER.get() + MAIN] = Some(main);
    sources.push(main);
    sources
}

fn leak<V>(value: V) -> &'static V {
    Box::leak(Box::new(value))
}
fn list<V>(values: impl IntoIterator<Item = V>) -> &'static [V] {
    Vec::leak(values.into_iter().collect())
}

fn source(
    name: String,
    n: usize,
    params: Vec<(mc::Pattern, mc::Param)>,
    ret: mc::TyFn,
    body: mc::Block,
) -> &'static mc::Source {
    let (patterns, params): (Vec<_>, Vec<_>) = params.into_iter().unzip();
    leak(mc::Source {
        path: format!("{name}_{n}").leak(),
        name: name.leak(),
        file: file!(),
        at: mc::At(1, 1),
        generics: 0,
        params: list(params),
        patterns: mc::Written::of(leak(list(patterns))),
        ret,
        ret_kind: mc::RefKind::Unknown,
        body: mc::Body::Block(mc::Written::of(leak(body))),
        role: mc::Role::Derived,
        early: || true,
        of_references: &[],
        bounds: &[],
    })
}

fn param(name: &'static str, ty: mc::TyFn) -> (mc::Pattern, mc::Param) {
    let param = mc::Param {
        ty,
        ref_kind: mc::RefKind::Unknown,
        element_kind: mc::RefKind::Unknown,
        takes: &[],
    };
    (bind(name), param)
}

fn helper(helper: &Helper, index: usize, n: usize) -> &'static mc::Source {
    let mut params: Vec<(mc::Pattern, mc::Param)> = Vec::new();
    params.extend(helper.fuel.iter().map(|&f| param(name(f), i64::ty)));
    params.extend(helper.params.iter().map(|&p| param(name(p), f64::ty)));
    let mut body = Vec::new();
    if let Some(fuel) = helper.fuel {
        let done = binary(mc::Binary::Le, local(fuel), expr(ExprKind::Int(0, None)));
        let first = local(helper.params[0]);
        let first = match helper.gives {
            T::Option => expr(ExprKind::Construct(OPTION, Some("Some"), list([first]))),
            _ => first,
        };
        body.push(when(done, expr(ExprKind::Return(Some(leak(first))))));
    }
    body.extend(helper.body.iter().flat_map(statements));
    let body = mc::Block {
        statements: list(body),
        value: Some(leak(ex(&helper.value))),
    };
    let ret: mc::TyFn = match helper.gives {
        T::Option => Option::<f64>::ty,
        _ => f64::ty,
    };
    source(format!("h{index}"), n, params, ret, body)
}

/// A place of its own for every form, as in real text.
fn place() -> mc::At {
    thread_local!(static LINE: Cell<u32> = const { Cell::new(0) });
    LINE.set(LINE.get() + 1);
    mc::At(LINE.get(), 1)
}

fn name(n: Name) -> &'static str {
    match n {
        X => "x",
        U => "u",
        A => "a",
        N => "n",
        n => format!("v{n}").leak(),
    }
}
fn label(n: Name) -> &'static str {
    format!("l{n}").leak()
}
fn expr(kind: ExprKind) -> mc::Expr {
    let at = place();
    mc::Expr { at, kind }
}
fn pattern(kind: PatternKind) -> mc::Pattern {
    let at = place();
    mc::Pattern { at, kind }
}
fn bind(name: &'static str) -> mc::Pattern {
    pattern(PatternKind::Name(name, false, None))
}
fn named(n: Name) -> mc::Pattern {
    bind(name(n))
}
fn local(n: Name) -> mc::Expr {
    match n {
        N => cast(expr(ExprKind::Local("n")), i64::ty),
        n => expr(ExprKind::Local(name(n))),
    }
}
fn cast(e: mc::Expr, ty: mc::TyFn) -> mc::Expr {
    expr(ExprKind::Cast(leak(e), ty))
}
fn refer(mutable: bool, e: mc::Expr) -> mc::Expr {
    expr(ExprKind::Ref(mutable, leak(e)))
}
fn binary(op: mc::Binary, a: mc::Expr, b: mc::Expr) -> mc::Expr {
    expr(ExprKind::Binary(op, leak(a), leak(b)))
}
fn method(name: &'static str, args: impl IntoIterator<Item = mc::Expr>) -> mc::Expr {
    expr(ExprKind::Method(name, None, &[], list(args)))
}
fn construct(
    ty: mc::TyFn,
    variant: &'static str,
    args: impl IntoIterator<Item = mc::Expr>,
) -> mc::Expr {
    expr(ExprKind::Construct(ty, Some(variant), list(args)))
}
fn boxed(e: mc::Expr) -> mc::Expr {
    expr(ExprKind::Associated(
        Box::<mc::Unknown>::ty,
        None,
        "new",
        &[],
        list([e]),
    ))
}
fn number(n: i64) -> mc::Expr {
    let size = expr(ExprKind::Int(
        n.unsigned_abs().into(),
        Some(mooncake::Type::I64),
    ));
    match n < 0 {
        true => expr(ExprKind::Neg(leak(size))),
        false => size,
    }
}
/// `if c { e; }`
fn when(c: mc::Expr, e: mc::Expr) -> Statement {
    Statement::Expr(expr(ExprKind::If(
        leak(c),
        inner([Statement::Expr(e)]),
        None,
    )))
}
fn inner(statements: impl IntoIterator<Item = Statement>) -> mc::Block {
    mc::Block {
        statements: list(statements),
        value: None,
    }
}
fn value_block(e: &Ex) -> mc::Block {
    mc::Block {
        statements: &[],
        value: Some(leak(ex(e))),
    }
}
fn closure(param: Name, body: mc::Expr, moves: bool) -> mc::Expr {
    expr(ExprKind::Closure(mc::Lambda {
        params: list([(named(param), Some(f64::ty as mc::TyFn))]),
        ret: None,
        body: leak(body),
        moves,
    }))
}
/// `|pattern| body`
fn lambda(params: impl IntoIterator<Item = mc::Pattern>, body: mc::Expr) -> mc::Expr {
    expr(ExprKind::Closure(mc::Lambda {
        params: list(params.into_iter().map(|p| (p, None))),
        ret: None,
        body: leak(body),
        moves: false,
    }))
}
fn give(statements: impl IntoIterator<Item = Statement>, value: mc::Expr) -> mc::Expr {
    let block = mc::Block {
        statements: list(statements),
        value: Some(leak(value)),
    };
    expr(ExprKind::Block(None, block))
}
fn declared(n: Name, ty: mc::TyFn, e: mc::Expr) -> Statement {
    Statement::Let(named(n), Some(ty), Some(e), None)
}
fn deref(e: mc::Expr) -> mc::Expr {
    expr(ExprKind::Deref(leak(e)))
}
/// `e % length` of an integer.
fn modulo(e: mc::Expr, length: mc::Expr) -> mc::Expr {
    binary(mc::Binary::Rem, cast(e, usize::ty), length)
}
fn length(name: Name) -> mc::Expr {
    method("len", [local(name)])
}
fn small(n: i128) -> mc::Expr {
    expr(ExprKind::Int(n, None))
}

fn helper_callee(index: usize) -> mc::Callee {
    fn at<const I: usize>() -> mc::Instance {
        (helpers()[I].expect("a helper"), Vec::new())
    }
    macro_rules! all {
        ($($n:literal)*) => { [$(at::<$n> as mc::Callee),*] };
    }
    const ALL: [mc::Callee; CALLEES * WORKERS] = all! {
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47
    };
    ALL[CALLEES * WORKER.get() + index]
}

const OPTION: mc::TyFn = Option::<mc::Unknown>::ty;
const RESULT: mc::TyFn = Result::<mc::Unknown, mc::Unknown>::ty;

/// The index of `v[i % len]`.
fn index(v: &Ex, i: &Ex) -> mc::Expr {
    let position = cast(ex(i), usize::ty);
    binary(mc::Binary::Rem, position, method("len", [ex(v)]))
}

/// Whether a number's type is only known from elsewhere: it cannot be a receiver, nor what a variable is made of.
fn is_open(e: &Ex) -> bool {
    let (op, args) = match e {
        Ex::Float(_) => return true,
        Ex::Node(op, args) => (op, args),
        _ => return false,
    };
    match op {
        Op::Unary("neg" | "half") | Op::Binary("add" | "sub" | "mul") => args.iter().all(is_open),
        Op::If | Op::MatchOption(_) | Op::MatchResult(..) => args[1..].iter().all(is_open),
        Op::MatchEnum(..) | Op::MatchList(..) => args[1..].iter().all(is_open),
        Op::MatchGuard(_) => args[2..].iter().all(is_open),
        Op::MatchInt(_) => [1, 2, 4, 5].iter().all(|&n| is_open(&args[n])),
        _ => false,
    }
}
fn receiver(e: &Ex) -> mc::Expr {
    match is_open(e) {
        true => cast(ex(e), f64::ty),
        false => ex(e),
    }
}

/// A place to be written to: indices are computed before it is borrowed.
fn place_of(e: &Ex, before: &mut Vec<Statement>) -> mc::Expr {
    match e {
        Ex::Node(Op::Field(field), args) => {
            expr(ExprKind::Field(leak(place_of(&args[0], before)), field))
        }
        Ex::Node(Op::At, args) => {
            let name: &'static str = format!("i{}", before.len()).leak();
            let index = index(&args[0], &args[1]);
            before.push(Statement::Let(bind(name), None, Some(index), None));
            let of = place_of(&args[0], before);
            expr(ExprKind::Index(leak(of), leak(expr(ExprKind::Local(name)))))
        }
        e => ex(e),
    }
}
/// A statement about a place.
fn at_place(e: &Ex, f: impl FnOnce(mc::Expr) -> mc::Expr) -> Vec<Statement> {
    let mut all = Vec::new();
    let place = place_of(e, &mut all);
    all.push(Statement::Expr(f(place)));
    match all.len() {
        1 => all,
        _ => vec![Statement::Expr(expr(ExprKind::Block(None, inner(all))))],
    }
}

fn ex(e: &Ex) -> mc::Expr {
    let (op, args) = match e {
        Ex::Float(x) => return expr(ExprKind::Float(*x, None)),
        Ex::Int(n) => return number(*n),
        Ex::Bool(b) => return expr(ExprKind::Bool(*b)),
        Ex::Var(n, _) => return local(*n),
        Ex::Node(op, args) => (op, &args[..]),
    };
    let all = || list(args.iter().map(ex));
    let known = || list(args.iter().map(receiver));
    expr(match (*op, args) {
        (Op::Unary("neg"), [e]) => ExprKind::Neg(leak(ex(e))),
        (Op::Unary("not"), [e]) => ExprKind::Not(leak(ex(e))),
        (Op::Unary("half"), [e]) => return binary(mc::Binary::Mul, ex(&Ex::Float(0.5)), ex(e)),
        (Op::Unary(name), [e]) => return method(name, [receiver(e)]),
        (Op::Binary(name @ ("max" | "min")), [a, b]) => return method(name, [receiver(a), ex(b)]),
        (Op::Binary("and"), [a, b]) => ExprKind::Lazy(true, leak(ex(a)), leak(ex(b))),
        (Op::Binary("or"), [a, b]) => ExprKind::Lazy(false, leak(ex(a)), leak(ex(b))),
        (Op::Binary(name), [a, b]) => return binary(operator(name), ex(a), ex(b)),
        (Op::If, [c, a, b]) => {
            let otherwise = expr(ExprKind::Block(None, value_block(b)));
            ExprKind::If(leak(ex(c)), value_block(a), Some(leak(otherwise)))
        }
        (Op::ToFloat, [e]) => return cast(ex(e), f64::ty),
        (Op::ToSingle, [e]) => return cast(ex(e), f32::ty),
        (Op::ToInt, [e]) => return cast(ex(e), i64::ty),
        (Op::Pair, _) => ExprKind::Tuple(known()),
        (Op::Struct, [a, b, n]) => ExprKind::Struct(
            S::ty,
            None,
            list([("a", ex(a)), ("b", ex(b)), ("n", ex(n))]),
            None,
        ),
        (Op::Some, _) => ExprKind::Construct(OPTION, Some("Some"), known()),
        (Op::None, _) => ExprKind::Construct(OPTION, Some("None"), &[]),
        (Op::Ok, _) => ExprKind::Construct(RESULT, Some("Ok"), known()),
        (Op::Err, _) => ExprKind::Construct(RESULT, Some("Err"), known()),
        (Op::One, _) => ExprKind::Construct(E::ty, Some("One"), known()),
        (Op::Two, [x, n]) => {
            ExprKind::Struct(E::ty, Some("Two"), list([("x", ex(x)), ("n", ex(n))]), None)
        }
        (Op::Empty, _) => ExprKind::Construct(E::ty, Some("None"), &[]),
        (Op::Cons, [value, rest]) => {
            return construct(L::ty, "Node", [ex(value), boxed(ex(rest))]);
        }
        (Op::End, _) => ExprKind::Construct(L::ty, Some("End"), &[]),
        (Op::List, _) => ExprKind::VecList(known()),
        (Op::Array, _) => ExprKind::List(known()),
        (Op::Slice(from, to), [e]) => {
            let end = |n: usize| Some(leak(expr(ExprKind::Int(n as i128, None))));
            let range = expr(ExprKind::Range(end(from), end(to), false));
            return refer(false, expr(ExprKind::Index(leak(ex(e)), leak(range))));
        }
        (Op::Clone, [e]) => return method("clone", [ex(e)]),
        (Op::Field(name), [e]) => ExprKind::Field(leak(ex(e)), name),
        (Op::At, [v, i]) => ExprKind::Index(leak(ex(v)), leak(index(v, i))),
        (Op::Raw, [v, i]) => ExprKind::Index(leak(ex(v)), leak(cast(ex(i), usize::ty))),
        (Op::MatchOption(v), [o, a, b]) => ExprKind::Match(
            leak(ex(o)),
            list([
                arm(variant(OPTION, "Some", [named(v)]), a),
                arm(variant(OPTION, "None", []), b),
            ]),
        ),
        (Op::MatchResult(v, w), [r, a, b]) => ExprKind::Match(
            leak(ex(r)),
            list([
                arm(variant(RESULT, "Ok", [named(v)]), a),
                arm(variant(RESULT, "Err", [named(w)]), b),
            ]),
        ),
        (Op::MatchEnum(v, n), [e, a, b, c]) => {
            let fields = list([("x", named(v)), ("n", named(n))]);
            let two = pattern(PatternKind::Struct(E::ty, Some("Two"), fields));
            let one = variant(E::ty, "One", [named(v)]);
            let arms = [arm(one, a), arm(two, b), arm(variant(E::ty, "None", []), c)];
            ExprKind::Match(leak(ex(e)), list(arms))
        }
        (Op::MatchList(v, rest), [l, a, b]) => {
            let some = variant(L::ty, "Node", [named(v), named(rest)]);
            // Behind a reference the value is one too.
            let arms = [arm_of_list(some, v, a), arm(variant(L::ty, "End", []), b)];
            ExprKind::Match(leak(refer(false, ex(l))), list(arms))
        }
        (Op::Call(index, _), _) => ExprKind::Call(helper_callee(index), all()),
        (Op::CallVar(v), _) => ExprKind::CallValue(leak(local(v)), all()),
        (Op::Apply(v), [body, a, b]) => {
            let f = || expr(ExprKind::Local("f"));
            let call = |e| expr(ExprKind::CallValue(leak(f()), list([ex(e)])));
            let sum = binary(mc::Binary::Add, call(a), call(b));
            let bound = Statement::Let(
                bind("f"),
                None,
                Some(closure(v, receiver(body), false)),
                None,
            );
            ExprKind::Block(
                None,
                mc::Block {
                    statements: list([bound]),
                    value: Some(leak(sum)),
                },
            )
        }
        (Op::Choose(v), [c, a, b]) => {
            let block = |e| mc::Block {
                statements: &[],
                value: Some(leak(boxed(closure(v, receiver(e), true)))),
            };
            let otherwise = expr(ExprKind::Block(None, block(b)));
            ExprKind::If(leak(ex(c)), block(a), Some(leak(otherwise)))
        }
        (Op::Chain(kind, v), [of, body]) => {
            let iter = method("iter", [ex(of)]);
            let item = pattern(PatternKind::Ref(leak(named(v))));
            let mapped = method("map", [iter, lambda([item], receiver(body))]);
            return match kind {
                "sum" => expr(ExprKind::Method(
                    "sum",
                    None,
                    list([f64::ty as mc::TyFn]),
                    list([mapped]),
                )),
                "fold" => {
                    let name = |n| expr(ExprKind::Local(n));
                    let half = expr(ExprKind::Float(0.5, None));
                    let less = binary(mc::Binary::Mul, name("s"), half);
                    let sum = binary(mc::Binary::Add, less, name("e"));
                    let first = cast(expr(ExprKind::Float(0.5, None)), f64::ty);
                    method("fold", [mapped, first, lambda([bind("s"), bind("e")], sum)])
                }
                _ => {
                    let item = deref(expr(ExprKind::Local("e")));
                    let zero = expr(ExprKind::Float(0.0, None));
                    let lambda = lambda([bind("e")], binary(mc::Binary::Gt, item, zero));
                    let kept = method("filter", [mapped, lambda]);
                    expr(ExprKind::Method(
                        "sum",
                        None,
                        list([f64::ty as mc::TyFn]),
                        list([kept]),
                    ))
                }
            };
        }
        (Op::Lib(name), args) => {
            let function = library::function(name);
            let args = args.iter().zip(function.params).map(|(e, ty)| match ty {
                T::List | T::Deep | T::Slice if !matches!(e.ty(), T::Rest | T::Slice) => {
                    refer(false, ex(e))
                }
                _ => ex(e),
            });
            ExprKind::Call(function.callee, list(args))
        }
        (Op::MatchInt(v), [number, a, b, guard, guarded, other]) => {
            let value = |n| pattern(PatternKind::Value(leak(small(n))));
            let guarded = mc::Arm {
                guard: Some(ex(guard)),
                ..arm(named(v), guarded)
            };
            let or = pattern(PatternKind::Or(list([value(1), value(2)])));
            let rest = arm(pattern(PatternKind::Wild), other);
            ExprKind::Match(
                leak(ex(number)),
                list([arm(value(0), a), arm(or, b), guarded, rest]),
            )
        }
        (Op::MatchGuard(v), [option, guard, guarded, other]) => {
            let guarded = mc::Arm {
                guard: Some(ex(guard)),
                ..arm(variant(OPTION, "Some", [named(v)]), guarded)
            };
            let rest = arm(pattern(PatternKind::Wild), other);
            ExprKind::Match(leak(ex(option)), list([guarded, rest]))
        }
        (Op::Map(v), [o, body]) => {
            return method("map", [ex(o), lambda([named(v)], receiver(body))]);
        }
        (Op::AndThen(v), [o, body]) => {
            return method("and_then", [ex(o), lambda([named(v)], ex(body))]);
        }
        (Op::Filter(v), [o, body]) => {
            let item = pattern(PatternKind::Ref(leak(named(v))));
            return method("filter", [ex(o), lambda([item], ex(body))]);
        }
        (Op::UnwrapOr, _) => return method("unwrap_or", args.iter().map(ex)),
        (Op::Unwrap, _) => return method("unwrap", args.iter().map(ex)),
        (Op::Loop(v, k), [first, body, stop]) => {
            let store = ExprKind::Assign(leak(local(v)), leak(ex(body)));
            let step = ExprKind::AssignBinary(mc::Binary::Add, leak(local(k)), leak(small(1)));
            let enough = binary(mc::Binary::Ge, local(k), small(3));
            let stop = expr(ExprKind::Lazy(false, leak(enough), leak(ex(stop))));
            let leave = expr(ExprKind::Break(None, Some(leak(local(v)))));
            let turn = [
                Statement::Expr(expr(store)),
                Statement::Expr(expr(step)),
                when(stop, leave),
            ];
            let first = [
                declared(v, f64::ty, ex(first)),
                declared(k, i64::ty, small(0)),
            ];
            return give(first, expr(ExprKind::Loop(None, inner(turn))));
        }
        (Op::Deep, [s, o, v, e]) => {
            let fields = [("s", ex(s)), ("o", ex(o)), ("v", ex(v)), ("e", ex(e))];
            ExprKind::Struct(D::ty, None, list(fields), None)
        }
        (Op::Shared, [e]) => {
            let new = |ty, e| expr(ExprKind::Associated(ty, None, "new", &[], list([e])));
            let cell = new(RefCell::<mc::Unknown>::ty, receiver(e));
            return new(Rc::<mc::Unknown>::ty, cell);
        }
        (Op::Borrow, [cell]) => {
            // What is borrowed is given back before the value is used.
            let value = deref(method("borrow", [ex(cell)]));
            let read = Statement::Let(bind("r"), None, Some(value), None);
            return give([read], expr(ExprKind::Local("r")));
        }
        (Op::Ball, [r]) => {
            let ball = ExprKind::Struct(Ball::ty, None, list([("r", ex(r))]), None);
            return boxed(expr(ball));
        }
        (Op::Brick, [sides, n]) => {
            let fields = [("sides", ex(sides)), ("n", ex(n))];
            let brick = ExprKind::Struct(Brick::ty, None, list(fields), None);
            return boxed(expr(brick));
        }
        (Op::Point, _) => return boxed(expr(ExprKind::Construct(Point::ty, None, &[]))),
        (Op::Size, _) => return method("size", args.iter().map(ex)),
        (Op::Twice, _) => return method("twice", args.iter().map(ex)),
        (Op::Pairs(kind, v, w), [parts @ .., body]) => {
            let body = receiver(body);
            let by_ref = |n| pattern(PatternKind::Ref(leak(named(n))));
            let (over, lambda) = match (kind, parts) {
                ("zip", [a, b]) => {
                    let both = method("zip", [method("iter", [ex(a)]), method("iter", [ex(b)])]);
                    let pair = pattern(PatternKind::Tuple(list([by_ref(v), by_ref(w)])));
                    (both, lambda([pair], body))
                }
                ("enumerate", [a]) => {
                    let numbered = method("enumerate", [method("iter", [ex(a)])]);
                    let pair = pattern(PatternKind::Tuple(list([bind("i"), by_ref(v)])));
                    let number = cast(expr(ExprKind::Local("i")), i64::ty);
                    let body = give([declare(w, number)], body);
                    (numbered, lambda([pair], body))
                }
                (kind, [a, ..]) => {
                    let part = |index| {
                        let part = expr(ExprKind::Local("c"));
                        expr(ExprKind::Index(leak(part), leak(index)))
                    };
                    let length = method("len", [expr(ExprKind::Local("c"))]);
                    let last = binary(mc::Binary::Sub, length, small(1));
                    let read = [declare(v, part(small(0))), declare(w, part(last))];
                    let parts = method(kind, [ex(a), small(2)]);
                    (parts, lambda([bind("c")], give(read, body)))
                }
                other => panic!("{other:?}"),
            };
            return expr(ExprKind::Method(
                "sum",
                None,
                list([f64::ty as mc::TyFn]),
                list([method("map", [over, lambda])]),
            ));
        }
        (Op::Try, [e]) => ExprKind::Try(leak(ex(e))),
        other => panic!("{other:?}"),
    })
}

fn operator(name: &str) -> mc::Binary {
    match name {
        "add" => mc::Binary::Add,
        "sub" => mc::Binary::Sub,
        "mul" => mc::Binary::Mul,
        "div" => mc::Binary::Div,
        "rem" => mc::Binary::Rem,
        "lt" => mc::Binary::Lt,
        "le" => mc::Binary::Le,
        _ => mc::Binary::Eq,
    }
}

fn variant(
    ty: mc::TyFn,
    variant: &'static str,
    parts: impl IntoIterator<Item = mc::Pattern>,
) -> mc::Pattern {
    pattern(PatternKind::TupleStruct(ty, Some(variant), list(parts)))
}
fn arm(pattern: mc::Pattern, body: &Ex) -> mc::Arm {
    mc::Arm {
        pattern,
        guard: None,
        body: ex(body),
    }
}
/// `L::Node(v, rest) => { let v = *v; body }`
fn arm_of_list(pattern: mc::Pattern, v: Name, body: &Ex) -> mc::Arm {
    let value = expr(ExprKind::Deref(leak(local(v))));
    let body = mc::Block {
        statements: list([Statement::Let(named(v), None, Some(value), None)]),
        value: Some(leak(ex(body))),
    };
    mc::Arm {
        pattern,
        guard: None,
        body: expr(ExprKind::Block(None, body)),
    }
}

fn block(body: &[St], value: Option<&Ex>) -> mc::Block {
    mc::Block {
        statements: list(body.iter().flat_map(statements)),
        value: value.map(|e| leak(ex(e))),
    }
}
fn declare(n: Name, e: mc::Expr) -> Statement {
    Statement::Let(named(n), None, Some(e), None)
}
fn exit(exit: &Exit) -> mc::Expr {
    expr(match exit {
        Exit::Break(l) => ExprKind::Break(l.map(label), None),
        Exit::Continue(l) => ExprKind::Continue(l.map(label)),
        Exit::Return(e) => ExprKind::Return(Some(leak(ex(e)))),
    })
}

fn statements(s: &St) -> Vec<Statement> {
    let one = |kind| vec![Statement::Expr(expr(kind))];
    match s {
        St::Let(n, ty, e) => {
            let ty: Option<mc::TyFn> = match ty {
                T::Float => Some(f64::ty),
                T::Int => Some(i64::ty),
                T::Fun => Some(Box::<dyn Fn(f64) -> f64>::ty),
                T::Option => Some(Option::<f64>::ty),
                T::Result => Some(Result::<f64, f64>::ty),
                T::Array => Some(<[f64; 3]>::ty),
                T::Dyn => Some(Box::<dyn Solid>::ty),
                _ => None,
            };
            vec![Statement::Let(named(*n), ty, Some(ex(e)), None)]
        }
        St::Closure(n, param, body) => vec![declare(*n, closure(*param, receiver(body), true))],
        St::Assign(n, e) => one(ExprKind::Assign(leak(local(*n)), leak(ex(e)))),
        St::Update(op, place, e) => at_place(place, |place| {
            let op = operator(op);
            expr(ExprKind::AssignBinary(op, leak(place), leak(ex(e))))
        }),
        St::Set(place, e) => at_place(place, |place| {
            expr(ExprKind::Assign(leak(place), leak(ex(e))))
        }),
        St::Push(n, e) => vec![Statement::Expr(method("push", [local(*n), ex(e)]))],
        St::Pop(v, n, body) => {
            let one = expr(ExprKind::Int(1, None));
            let long = binary(mc::Binary::Gt, method("len", [local(*v)]), one);
            let popped = method("pop", [local(*v)]);
            let some = variant(OPTION, "Some", [named(*n)]);
            let taken = expr(ExprKind::Let(leak(some), leak(popped)));
            let then = Statement::Expr(expr(ExprKind::If(leak(taken), block(body, None), None)));
            vec![Statement::Expr(expr(ExprKind::If(
                leak(long),
                inner([then]),
                None,
            )))]
        }
        St::Drain(v, n, body, e) => {
            let some = variant(OPTION, "Some", [named(*n)]);
            let popped = method("pop", [local(*v)]);
            let taken = expr(ExprKind::Let(leak(some), leak(popped)));
            let body = block(body, None);
            vec![
                Statement::Expr(expr(ExprKind::While(Some(label(*n)), leak(taken), body))),
                Statement::Expr(method("push", [local(*v), ex(e)])),
            ]
        }
        St::If(c, a, b) => {
            let otherwise = expr(ExprKind::Block(None, block(b, None)));
            one(ExprKind::If(
                leak(ex(c)),
                block(a, None),
                Some(leak(otherwise)),
            ))
        }
        St::For(n, end, body) => {
            let from = expr(ExprKind::Int(0, Some(mooncake::Type::I64)));
            let range = expr(ExprKind::Range(
                Some(leak(from)),
                Some(leak(ex(end))),
                false,
            ));
            let body = block(body, None);
            one(ExprKind::For(
                Some(label(*n)),
                leak(named(*n)),
                leak(range),
                body,
            ))
        }
        St::ForEach(n, over, body) => {
            let item = pattern(PatternKind::Ref(leak(named(*n))));
            let body = block(body, None);
            one(ExprKind::For(
                Some(label(*n)),
                leak(item),
                leak(ex(over)),
                body,
            ))
        }
        St::ForMut(n, of, from, e) => {
            // The body reads the value under the name of the place.
            let place: &'static str = format!("p{n}").leak();
            let star = || expr(ExprKind::Deref(leak(expr(ExprKind::Local(place)))));
            let read = declare(*n, star());
            let store = Statement::Expr(expr(ExprKind::Assign(leak(star()), leak(ex(e)))));
            let of = match from {
                0 => local(*of),
                _ => {
                    let from = Some(leak(expr(ExprKind::Int(*from as i128, None))));
                    let range = expr(ExprKind::Range(from, None, false));
                    expr(ExprKind::Index(leak(local(*of)), leak(range)))
                }
            };
            let over = method("iter_mut", [of]);
            let body = inner([read, store]);
            one(ExprKind::For(None, leak(bind(place)), leak(over), body))
        }
        St::ForTurn(n, of, e) => {
            let over = method("iter_mut", [local(*of)]);
            let body = inner([Statement::Expr(method("turn", [local(*n), ex(e)]))]);
            one(ExprKind::For(None, leak(named(*n)), leak(over), body))
        }
        St::While(n, c, body) => {
            let few = binary(mc::Binary::Lt, local(*n), expr(ExprKind::Int(4, None)));
            let condition = expr(ExprKind::Lazy(true, leak(few), leak(ex(c))));
            let by = expr(ExprKind::Int(1, None));
            let step = ExprKind::AssignBinary(mc::Binary::Add, leak(local(*n)), leak(by));
            let mut turn = vec![Statement::Expr(expr(step))];
            turn.extend(body.iter().flat_map(statements));
            let body = inner(turn);
            vec![
                declare(*n, expr(ExprKind::Int(0, None))),
                Statement::Expr(expr(ExprKind::While(
                    Some(label(*n)),
                    leak(condition),
                    body,
                ))),
            ]
        }
        St::Leave(c, e) => vec![when(ex(c), exit(e))],
        St::Call(name, Ex::Var(U, _), e) => {
            let callee = library::mutator(name).callee.expect("a function");
            one(ExprKind::Call(callee, list([local(U), ex(e)])))
        }
        St::Call(name, place, e) => at_place(place, |place| match library::mutator(name).callee {
            Some(callee) => expr(ExprKind::Call(callee, list([refer(true, place), ex(e)]))),
            None => method(name, [place, ex(e)]),
        }),
        St::Edit(edit, list, a, b) => {
            let at = |e: &Ex| modulo(ex(e), length(*list));
            let call = |args: Vec<mc::Expr>| {
                let all = std::iter::once(local(*list)).chain(args);
                Statement::Expr(method(edit, all))
            };
            vec![match *edit {
                "insert" => {
                    let longer = binary(mc::Binary::Add, length(*list), small(1));
                    call(vec![modulo(ex(a), longer), ex(b)])
                }
                "remove" => {
                    let long = binary(mc::Binary::Gt, length(*list), small(1));
                    let then = inner([call(vec![at(a)])]);
                    Statement::Expr(expr(ExprKind::If(leak(long), then, None)))
                }
                "swap" => {
                    let bound = |n, e| Statement::Let(bind(n), None, Some(at(e)), None);
                    let [i, j] = ["i", "j"].map(|n| expr(ExprKind::Local(n)));
                    let all = inner([bound("i", a), bound("j", b), call(vec![i, j])]);
                    Statement::Expr(expr(ExprKind::Block(None, all)))
                }
                "truncate" => {
                    let some = modulo(ex(a), small(3));
                    call(vec![binary(mc::Binary::Add, some, small(1))])
                }
                "extend" => call(vec![method("copied", [method("iter", [ex(a)])])]),
                _ => call(Vec::new()),
            }]
        }
        St::Swap(v, w) => {
            let both = [v, w].map(|name| refer(true, local(*name)));
            vec![Statement::Expr(method("mem::swap", both))]
        }
        St::Either(op, r, c, [a, b], e) => {
            let (place, by): (&'static str, &'static str) =
                (format!("p{r}").leak(), format!("e{r}").leak());
            let block = |e| {
                let mut before = Vec::new();
                let value = refer(true, place_of(e, &mut before));
                mc::Block {
                    statements: list(before),
                    value: Some(leak(value)),
                }
            };
            let otherwise = expr(ExprKind::Block(None, block(b)));
            let chosen = ExprKind::If(leak(ex(c)), block(a), Some(leak(otherwise)));
            let star = deref(expr(ExprKind::Local(place)));
            let read = |n| leak(expr(ExprKind::Local(n)));
            vec![
                Statement::Let(bind(by), None, Some(receiver(e)), None),
                Statement::Let(bind(place), None, Some(expr(chosen)), None),
                Statement::Expr(expr(ExprKind::AssignBinary(
                    operator(op),
                    leak(star),
                    read(by),
                ))),
            ]
        }
        St::Add(op, cell, e) => {
            // What the value borrows is given back before the cell is written to.
            let place = leak(deref(method("borrow_mut", [ex(cell)])));
            let by = || leak(expr(ExprKind::Local("e")));
            let store = match *op {
                "set" => ExprKind::Assign(place, by()),
                op => ExprKind::AssignBinary(operator(op), place, by()),
            };
            let read = Statement::Let(bind("e"), None, Some(receiver(e)), None);
            one(ExprKind::Block(
                None,
                inner([read, Statement::Expr(expr(store))]),
            ))
        }
        St::Split(of, v, w, [at, left, right]) => {
            let longer = binary(mc::Binary::Add, length(*of), small(1));
            let middle = Statement::Let(bind("m"), None, Some(modulo(ex(at), longer)), None);
            let halves = method("split_at_mut", [local(*of), expr(ExprKind::Local("m"))]);
            let both = pattern(PatternKind::Tuple(list([bind("p"), bind("q")])));
            let iter = |n| method("iter_mut", [expr(ExprKind::Local(n))]);
            let pairs = method("zip", [iter("p"), iter("q")]);
            let star = |n| deref(expr(ExprKind::Local(n)));
            let pair = pattern(PatternKind::Tuple(list([bind("i"), bind("j")])));
            let store = |n, e| {
                Statement::Expr(expr(ExprKind::Assign(
                    leak(star(n)),
                    leak(expr(ExprKind::Local(e))),
                )))
            };
            let body = inner([
                declare(*v, star("i")),
                declare(*w, star("j")),
                Statement::Let(bind("e"), None, Some(ex(left)), None),
                Statement::Let(bind("f"), None, Some(ex(right)), None),
                store("i", "e"),
                store("j", "f"),
            ]);
            let turns = expr(ExprKind::For(None, leak(pair), leak(pairs), body));
            one(ExprKind::Block(
                None,
                inner([
                    middle,
                    Statement::Let(both, None, Some(halves), None),
                    Statement::Expr(turns),
                ]),
            ))
        }
        St::IfSome(n, e, body) => {
            let some = variant(OPTION, "Some", [named(*n)]);
            let condition = expr(ExprKind::Let(leak(some), leak(ex(e))));
            one(ExprKind::If(leak(condition), block(body, None), None))
        }
        St::LetElse(n, e, leave) => {
            let some = variant(OPTION, "Some", [named(*n)]);
            let otherwise = inner([Statement::Expr(exit(leave))]);
            vec![Statement::Let(some, None, Some(ex(e)), Some(otherwise))]
        }
        St::Mutating([g, param, result, captured], through, [body, a, b]) => {
            let store = expr(ExprKind::Assign(leak(local(*captured)), leak(ex(body))));
            let product = binary(mc::Binary::Mul, local(*captured), local(*param));
            let body = give([Statement::Expr(store)], product);
            let call = |e| expr(ExprKind::CallValue(leak(local(*g)), list([ex(e)])));
            let first = match through {
                true => {
                    let args = list([refer(true, local(*g)), ex(a)]);
                    expr(ExprKind::Call(
                        <library::apply as mc::Callable>::callee,
                        args,
                    ))
                }
                false => call(a),
            };
            vec![
                declare(*g, closure(*param, body, false)),
                declare(*result, binary(mc::Binary::Add, first, call(b))),
            ]
        }
    }
}
