//! A program as a surface tree, as the macro would write it.

use crate::library::{self, E, L, S};
use crate::program::{A, Ex, Exit, Helper, N, Name, Op, Program, St, T, U, X};
use mooncake::__private as mc;
use mooncake::__private::{Kind, Shape, Statement, Typed};
use mooncake::{Callable, DifferentiableFn};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

thread_local! {
    static CURRENT: Cell<Option<&'static mc::Source>> = const { Cell::new(None) };
    /// Which of the threads this is that test programs.
    static WORKER: Cell<usize> = const { Cell::new(0) };
}

/// How many threads may test programs.
pub const WORKERS: usize = 16;

/// The helpers of each worker's program. A callee is asked by whatever thread infers.
static HELPERS: Mutex<[Option<&'static mc::Source>; 2 * WORKERS]> = Mutex::new([None; 2 * WORKERS]);

/// Makes this thread one that tests programs.
pub fn enter(worker: usize) {
    WORKER.set(worker);
}

fn helpers() -> MutexGuard<'static, [Option<&'static mc::Source>; 2 * WORKERS]> {
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

/// Makes a program the current one.
pub fn set(program: &Program) {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let n = COUNT.fetch_add(1, Ordering::Relaxed);
    for (index, helper) in program.helpers.iter().enumerate() {
        // A function that calls itself finds itself among the helpers when its body is inferred: by then it is there.
        let source = self::helper(helper, index, n);
        helpers()[2 * WORKER.get() + index] = Some(source);
    }
    let params = vec![
        param("x", <&[f64]>::ty),
        param("u", <&mut [f64]>::ty),
        param("a", f64::ty),
        param("n", usize::ty),
    ];
    let body = block(&program.body, Some(&program.value));
    CURRENT.set(Some(source(format!("program{n}"), params, f64::ty, body)));
}

fn leak<V>(value: V) -> &'static V {
    Box::leak(Box::new(value))
}
fn list<V>(values: impl IntoIterator<Item = V>) -> &'static [V] {
    Vec::leak(values.into_iter().collect())
}

fn source(
    name: String,
    params: Vec<mc::Param>,
    ret: mc::TyFn,
    body: mc::Block,
) -> &'static mc::Source {
    let name = name.leak();
    leak(mc::Source {
        path: name,
        name,
        file: file!(),
        at: mc::At(1, 1),
        generics: 0,
        params: list(params),
        ret,
        body: mc::Body::Block(body),
        role: mc::Role::Derived,
    })
}

fn param(name: &'static str, ty: mc::TyFn) -> mc::Param {
    mc::Param {
        pattern: bind(name),
        ty,
    }
}

fn helper(helper: &Helper, index: usize, n: usize) -> &'static mc::Source {
    let mut params: Vec<mc::Param> = Vec::new();
    params.extend(helper.fuel.iter().map(|&f| param(name(f), i64::ty)));
    params.extend(helper.params.iter().map(|&p| param(name(p), f64::ty)));
    let mut body = Vec::new();
    if let Some(fuel) = helper.fuel {
        let done = binary(mc::Binary::Le, local(fuel), expr(Kind::Int(0, None)));
        let first = local(helper.params[0]);
        let first = match helper.gives {
            T::Option => expr(Kind::Construct(OPTION, Some("Some"), list([first]))),
            _ => first,
        };
        body.push(when(done, expr(Kind::Return(Some(leak(first))))));
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
    source(format!("h{index}_{n}"), params, ret, body)
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
fn expr(kind: Kind) -> mc::Expr {
    mc::Expr { at: place(), kind }
}
fn pattern(kind: Shape) -> mc::Pattern {
    mc::Pattern { at: place(), kind }
}
fn bind(name: &'static str) -> mc::Pattern {
    pattern(Shape::Name(name, false, None))
}
fn named(n: Name) -> mc::Pattern {
    bind(name(n))
}
fn local(n: Name) -> mc::Expr {
    match n {
        N => cast(expr(Kind::Local("n")), i64::ty),
        n => expr(Kind::Local(name(n))),
    }
}
fn cast(e: mc::Expr, ty: mc::TyFn) -> mc::Expr {
    expr(Kind::Cast(leak(e), ty))
}
fn refer(mutable: bool, e: mc::Expr) -> mc::Expr {
    expr(Kind::Ref(mutable, leak(e)))
}
fn binary(op: mc::Binary, a: mc::Expr, b: mc::Expr) -> mc::Expr {
    expr(Kind::Binary(op, leak(a), leak(b)))
}
fn method(name: &'static str, args: impl IntoIterator<Item = mc::Expr>) -> mc::Expr {
    expr(Kind::Method(name, &[], list(args)))
}
fn construct(
    ty: mc::TyFn,
    variant: &'static str,
    args: impl IntoIterator<Item = mc::Expr>,
) -> mc::Expr {
    expr(Kind::Construct(ty, Some(variant), list(args)))
}
fn boxed(e: mc::Expr) -> mc::Expr {
    expr(Kind::Associated(
        Box::<mc::Unknown>::ty,
        None,
        "new",
        &[],
        list([e]),
    ))
}
fn number(n: i64) -> mc::Expr {
    let ty = (n.abs() > 100).then_some(mooncake::Type::I64);
    let size = expr(Kind::Int(n.unsigned_abs().into(), ty));
    match n < 0 {
        true => expr(Kind::Neg(leak(size))),
        false => size,
    }
}
/// `if c { e; }`
fn when(c: mc::Expr, e: mc::Expr) -> Statement {
    Statement::Expr(expr(Kind::If(leak(c), inner([Statement::Expr(e)]), None)))
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
    expr(Kind::Closure(mc::Lambda {
        params: list([(named(param), Some(f64::ty as mc::TyFn))]),
        ret: None,
        body: leak(body),
        moves,
    }))
}

fn helper_callee(index: usize) -> mc::Callee {
    fn at<const I: usize>() -> mc::Instance {
        (helpers()[I].expect("a helper"), Vec::new())
    }
    macro_rules! all {
        ($($n:literal)*) => { [$(at::<$n> as mc::Callee),*] };
    }
    const ALL: [mc::Callee; 2 * WORKERS] = all! {
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    };
    ALL[2 * WORKER.get() + index]
}

const OPTION: mc::TyFn = Option::<mc::Unknown>::ty;
const RESULT: mc::TyFn = Result::<mc::Unknown, mc::Unknown>::ty;

/// The index of `v[i % len]`.
fn index(v: &Ex, i: &Ex) -> mc::Expr {
    let position = cast(ex(i), usize::ty);
    binary(mc::Binary::Rem, position, method("len", [ex(v)]))
}

/// Whether a number's type is only known from elsewhere: it cannot be a receiver.
fn is_open(e: &Ex) -> bool {
    match e {
        Ex::Float(_) => true,
        Ex::Node(Op::Unary("neg" | "half"), args) => args.iter().all(is_open),
        Ex::Node(Op::Binary("add" | "sub" | "mul"), args) => args.iter().all(is_open),
        Ex::Node(Op::If, args) => args[1..].iter().all(is_open),
        Ex::Node(Op::Field("0" | "1"), args) => is_open(&args[0]),
        Ex::Node(Op::Pair, args) => args.iter().any(is_open),
        Ex::Node(Op::MatchOption(_) | Op::MatchResult(..), args) => args.iter().any(is_open),
        Ex::Node(Op::MatchEnum(..) | Op::MatchList(..), args) => args[1..].iter().all(is_open),
        Ex::Node(Op::Some, args) => is_open(&args[0]),
        _ => false,
    }
}
fn receiver(e: &Ex) -> mc::Expr {
    match is_open(e) {
        true => cast(ex(e), f64::ty),
        false => ex(e),
    }
}

fn ex(e: &Ex) -> mc::Expr {
    let (op, args) = match e {
        Ex::Float(x) => return expr(Kind::Float(*x, None)),
        Ex::Int(n) => return number(*n),
        Ex::Bool(b) => return expr(Kind::Bool(*b)),
        Ex::Var(n, _) => return local(*n),
        Ex::Node(op, args) => (op, &args[..]),
    };
    let all = || list(args.iter().map(ex));
    expr(match (*op, args) {
        (Op::Unary("neg"), [e]) => Kind::Neg(leak(ex(e))),
        (Op::Unary("not"), [e]) => Kind::Not(leak(ex(e))),
        (Op::Unary("half"), [e]) => return binary(mc::Binary::Mul, ex(&Ex::Float(0.5)), ex(e)),
        (Op::Unary(name), [e]) => return method(name, [receiver(e)]),
        (Op::Binary(name @ ("max" | "min")), [a, b]) => return method(name, [receiver(a), ex(b)]),
        (Op::Binary("and"), [a, b]) => Kind::Lazy(true, leak(ex(a)), leak(ex(b))),
        (Op::Binary("or"), [a, b]) => Kind::Lazy(false, leak(ex(a)), leak(ex(b))),
        (Op::Binary(name), [a, b]) => return binary(operator(name), ex(a), ex(b)),
        (Op::If, [c, a, b]) => {
            let otherwise = expr(Kind::Block(None, value_block(b)));
            Kind::If(leak(ex(c)), value_block(a), Some(leak(otherwise)))
        }
        (Op::ToFloat, [e]) => return cast(ex(e), f64::ty),
        (Op::ToSingle, [e]) => return cast(ex(e), f32::ty),
        (Op::ToInt, [e]) => return cast(ex(e), i64::ty),
        (Op::Pair, _) => Kind::Tuple(all()),
        (Op::Struct, [a, b, n]) => Kind::Struct(
            S::ty,
            None,
            list([("a", ex(a)), ("b", ex(b)), ("n", ex(n))]),
            None,
        ),
        (Op::Some, _) => Kind::Construct(OPTION, Some("Some"), all()),
        (Op::None, _) => Kind::Construct(OPTION, Some("None"), &[]),
        (Op::Ok, _) => Kind::Construct(RESULT, Some("Ok"), all()),
        (Op::Err, _) => Kind::Construct(RESULT, Some("Err"), all()),
        (Op::One, _) => Kind::Construct(E::ty, Some("One"), all()),
        (Op::Two, [x, n]) => {
            Kind::Struct(E::ty, Some("Two"), list([("x", ex(x)), ("n", ex(n))]), None)
        }
        (Op::Empty, _) => Kind::Construct(E::ty, Some("None"), &[]),
        (Op::Cons, [value, rest]) => {
            return construct(L::ty, "Node", [ex(value), boxed(ex(rest))]);
        }
        (Op::End, _) => Kind::Construct(L::ty, Some("End"), &[]),
        (Op::List, _) => Kind::VecList(all()),
        (Op::Array, _) => Kind::List(all()),
        (Op::Slice(from, to), [e]) => {
            let end = |n: usize| Some(leak(expr(Kind::Int(n as i128, None))));
            let range = expr(Kind::Range(end(from), end(to), false));
            return refer(false, expr(Kind::Index(leak(ex(e)), leak(range))));
        }
        (Op::Clone, [e]) => return method("clone", [ex(e)]),
        (Op::Field(name), [e]) => Kind::Field(leak(ex(e)), name),
        (Op::At, [v, i]) => Kind::Index(leak(ex(v)), leak(index(v, i))),
        (Op::Raw, [v, i]) => Kind::Index(leak(ex(v)), leak(cast(ex(i), usize::ty))),
        (Op::MatchOption(v), [o, a, b]) => Kind::Match(
            leak(ex(o)),
            list([
                arm(variant(OPTION, "Some", [named(v)]), a),
                arm(variant(OPTION, "None", []), b),
            ]),
        ),
        (Op::MatchResult(v, w), [r, a, b]) => Kind::Match(
            leak(ex(r)),
            list([
                arm(variant(RESULT, "Ok", [named(v)]), a),
                arm(variant(RESULT, "Err", [named(w)]), b),
            ]),
        ),
        (Op::MatchEnum(v, n), [e, a, b, c]) => {
            let fields = list([("x", named(v)), ("n", named(n))]);
            let two = pattern(Shape::Struct(E::ty, Some("Two"), fields));
            let one = variant(E::ty, "One", [named(v)]);
            let arms = [arm(one, a), arm(two, b), arm(variant(E::ty, "None", []), c)];
            Kind::Match(leak(ex(e)), list(arms))
        }
        (Op::MatchList(v, rest), [l, a, b]) => {
            let some = variant(L::ty, "Node", [named(v), named(rest)]);
            // Behind a reference the value is one too.
            let arms = [arm_of_list(some, v, a), arm(variant(L::ty, "End", []), b)];
            Kind::Match(leak(refer(false, ex(l))), list(arms))
        }
        (Op::Call(index, _), _) => Kind::Call(helper_callee(index), all()),
        (Op::CallVar(v), _) => Kind::CallValue(leak(local(v)), all()),
        (Op::Apply(v), [body, a, b]) => {
            let f = || expr(Kind::Local("f"));
            let call = |e| expr(Kind::CallValue(leak(f()), list([ex(e)])));
            let sum = binary(mc::Binary::Add, call(a), call(b));
            let bound = Statement::Let(bind("f"), None, Some(closure(v, ex(body), false)), None);
            Kind::Block(
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
                value: Some(leak(boxed(closure(v, ex(e), true)))),
            };
            let otherwise = expr(Kind::Block(None, block(b)));
            Kind::If(leak(ex(c)), block(a), Some(leak(otherwise)))
        }
        (Op::Chain(kind, v), [of, body]) => {
            let iter = method("iter", [ex(of)]);
            let item = pattern(Shape::Ref(leak(named(v))));
            let lambda = expr(Kind::Closure(mc::Lambda {
                params: list([(item, None)]),
                ret: None,
                body: leak(ex(body)),
                moves: false,
            }));
            let mapped = method("map", [iter, lambda]);
            return match kind {
                "sum" => expr(Kind::Method(
                    "sum",
                    list([f64::ty as mc::TyFn]),
                    list([mapped]),
                )),
                "fold" => {
                    let name = |n| expr(Kind::Local(n));
                    let half = expr(Kind::Float(0.5, None));
                    let less = binary(mc::Binary::Mul, name("s"), half);
                    let lambda = expr(Kind::Closure(mc::Lambda {
                        params: list([(bind("s"), None), (bind("e"), None)]),
                        ret: None,
                        body: leak(binary(mc::Binary::Add, less, name("e"))),
                        moves: false,
                    }));
                    method("fold", [mapped, expr(Kind::Float(0.5, None)), lambda])
                }
                _ => {
                    let item = expr(Kind::Deref(leak(expr(Kind::Local("e")))));
                    let zero = expr(Kind::Float(0.0, None));
                    let lambda = expr(Kind::Closure(mc::Lambda {
                        params: list([(bind("e"), None)]),
                        ret: None,
                        body: leak(binary(mc::Binary::Gt, item, zero)),
                        moves: false,
                    }));
                    let kept = method("filter", [mapped, lambda]);
                    expr(Kind::Method(
                        "sum",
                        list([f64::ty as mc::TyFn]),
                        list([kept]),
                    ))
                }
            };
        }
        (Op::Lib("size"), _) => return method("size", args.iter().map(ex)),
        (Op::Lib("total"), [l]) => {
            let arg = match l.ty() {
                T::Rest => ex(l),
                _ => refer(false, ex(l)),
            };
            Kind::Call(library::total::callee, list([arg]))
        }
        (Op::Lib(name), _) => {
            let callee: mc::Callee = match name {
                "root" => library::root::callee,
                "both" => library::both::callee,
                "ratio" => library::ratio::callee,
                _ => library::chained::callee,
            };
            Kind::Call(callee, all())
        }
        (Op::Try, [e]) => Kind::Try(leak(ex(e))),
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
    pattern(Shape::TupleStruct(ty, Some(variant), list(parts)))
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
    let value = expr(Kind::Deref(leak(local(v))));
    let body = mc::Block {
        statements: list([Statement::Let(named(v), None, Some(value), None)]),
        value: Some(leak(ex(body))),
    };
    mc::Arm {
        pattern,
        guard: None,
        body: expr(Kind::Block(None, body)),
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
        Exit::Break(l) => Kind::Break(l.map(label), None),
        Exit::Continue(l) => Kind::Continue(l.map(label)),
        Exit::Return(e) => Kind::Return(Some(leak(ex(e)))),
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
                _ => None,
            };
            vec![Statement::Let(named(*n), ty, Some(ex(e)), None)]
        }
        St::Closure(n, param, body) => vec![declare(*n, closure(*param, ex(body), true))],
        St::Assign(n, e) => one(Kind::Assign(leak(local(*n)), leak(ex(e)))),
        St::Update(op, place, e) => one(Kind::AssignBinary(
            operator(op),
            leak(ex(place)),
            leak(ex(e)),
        )),
        St::Set(place, e) => one(Kind::Assign(leak(ex(place)), leak(ex(e)))),
        St::Push(n, e) => vec![Statement::Expr(method("push", [local(*n), ex(e)]))],
        St::Pop(v, n, body) => {
            let one = expr(Kind::Int(1, None));
            let long = binary(mc::Binary::Gt, method("len", [local(*v)]), one);
            let popped = method("pop", [local(*v)]);
            let some = variant(OPTION, "Some", [named(*n)]);
            let taken = expr(Kind::Let(leak(some), leak(popped)));
            let then = Statement::Expr(expr(Kind::If(leak(taken), block(body, None), None)));
            vec![Statement::Expr(expr(Kind::If(
                leak(long),
                inner([then]),
                None,
            )))]
        }
        St::Drain(v, n, body, e) => {
            let some = variant(OPTION, "Some", [named(*n)]);
            let popped = method("pop", [local(*v)]);
            let taken = expr(Kind::Let(leak(some), leak(popped)));
            let body = block(body, None);
            vec![
                Statement::Expr(expr(Kind::While(Some(label(*n)), leak(taken), body))),
                Statement::Expr(method("push", [local(*v), ex(e)])),
            ]
        }
        St::If(c, a, b) => {
            let otherwise = expr(Kind::Block(None, block(b, None)));
            one(Kind::If(leak(ex(c)), block(a, None), Some(leak(otherwise))))
        }
        St::For(n, end, body) => {
            let from = expr(Kind::Int(0, Some(mooncake::Type::I64)));
            let range = expr(Kind::Range(Some(leak(from)), Some(leak(ex(end))), false));
            let body = block(body, None);
            one(Kind::For(
                Some(label(*n)),
                leak(named(*n)),
                leak(range),
                body,
            ))
        }
        St::ForEach(n, over, body) => {
            let item = pattern(Shape::Ref(leak(named(*n))));
            let body = block(body, None);
            one(Kind::For(Some(label(*n)), leak(item), leak(ex(over)), body))
        }
        St::ForMut(n, of, from, e) => {
            // The body reads the value under the name of the place.
            let place: &'static str = format!("p{n}").leak();
            let star = || expr(Kind::Deref(leak(expr(Kind::Local(place)))));
            let read = declare(*n, star());
            let store = Statement::Expr(expr(Kind::Assign(leak(star()), leak(ex(e)))));
            let of = match from {
                0 => local(*of),
                _ => {
                    let from = Some(leak(expr(Kind::Int(*from as i128, None))));
                    let range = expr(Kind::Range(from, None, false));
                    expr(Kind::Index(leak(local(*of)), leak(range)))
                }
            };
            let over = method("iter_mut", [of]);
            let body = inner([read, store]);
            one(Kind::For(None, leak(bind(place)), leak(over), body))
        }
        St::ForTurn(n, of, e) => {
            let over = method("iter_mut", [local(*of)]);
            let body = inner([Statement::Expr(method("turn", [local(*n), ex(e)]))]);
            one(Kind::For(None, leak(named(*n)), leak(over), body))
        }
        St::While(n, c, body) => {
            let few = binary(mc::Binary::Lt, local(*n), expr(Kind::Int(4, None)));
            let condition = expr(Kind::Lazy(true, leak(few), leak(ex(c))));
            let by = expr(Kind::Int(1, None));
            let step = Kind::AssignBinary(mc::Binary::Add, leak(local(*n)), leak(by));
            let mut turn = vec![Statement::Expr(expr(step))];
            turn.extend(body.iter().flat_map(statements));
            let body = inner(turn);
            vec![
                declare(*n, expr(Kind::Int(0, None))),
                Statement::Expr(expr(Kind::While(Some(label(*n)), leak(condition), body))),
            ]
        }
        St::Leave(c, e) => vec![when(ex(c), exit(e))],
        St::Call("turn", place, e) => vec![Statement::Expr(method("turn", [ex(place), ex(e)]))],
        St::Call(name, place, e) => {
            let callee: mc::Callee = match *name {
                "bump" => library::bump::callee,
                "shift" => library::shift::callee,
                _ => library::grow::callee,
            };
            one(Kind::Call(callee, list([refer(true, ex(place)), ex(e)])))
        }
        St::IfSome(n, e, body) => {
            let some = variant(OPTION, "Some", [named(*n)]);
            let condition = expr(Kind::Let(leak(some), leak(ex(e))));
            one(Kind::If(leak(condition), block(body, None), None))
        }
        St::LetElse(n, e, leave) => {
            let some = variant(OPTION, "Some", [named(*n)]);
            let otherwise = inner([Statement::Expr(exit(leave))]);
            vec![Statement::Let(some, None, Some(ex(e)), Some(otherwise))]
        }
        St::Mutating([g, param, result, captured], body, a, b) => {
            let store = expr(Kind::Assign(leak(local(*captured)), leak(ex(body))));
            let product = binary(mc::Binary::Mul, local(*captured), local(*param));
            let body = expr(Kind::Block(
                None,
                mc::Block {
                    statements: list([Statement::Expr(store)]),
                    value: Some(leak(product)),
                },
            ));
            let call = |e| expr(Kind::CallValue(leak(local(*g)), list([ex(e)])));
            vec![
                declare(*g, closure(*param, body, false)),
                declare(*result, binary(mc::Binary::Add, call(a), call(b))),
            ]
        }
    }
}
