//! A program as a surface tree, as the macro would write it.

use crate::program::{A, Ex, Helper, N, Name, Program as Source_, St, T, U, X};
use mooncake::__private as mc;
use mooncake::{Callable, Differentiable, DifferentiableFn};
use std::cell::Cell;

/// Upstream of everything: `S { a, b, n }`.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct S {
    a: f64,
    b: (f64, f64),
    n: i64,
}

/// An enum with variants of every kind.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub enum E {
    One(f64),
    Two { x: f64, n: i64 },
    None,
}

thread_local! {
    static CURRENT: Cell<Option<&'static mc::Source>> = const { Cell::new(None) };
    static HELPERS: Cell<[Option<&'static mc::Source>; 4]> = const { Cell::new([None; 4]) };
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
pub fn set(program: &Source_) {
    thread_local!(static COUNT: Cell<usize> = const { Cell::new(0) });
    let n = COUNT.get();
    COUNT.set(n + 1);
    let mut helpers = [None; 4];
    helpers[3] = Some(bump(n));
    HELPERS.set(helpers);
    for (index, helper) in program.helpers.iter().enumerate() {
        helpers[index] = Some(self::helper(helper, index, n));
        HELPERS.set(helpers);
    }
    let params = vec![
        param("x", <&[f64] as mc::Typed>::ty),
        param("u", <&mut [f64] as mc::Typed>::ty),
        param("a", <f64 as mc::Typed>::ty),
        param("n", <usize as mc::Typed>::ty),
    ];
    let body = block(&program.body, Some(&program.value));
    CURRENT.set(Some(source(&format!("program{n}"), params, body)));
}

fn leak<V>(value: V) -> &'static V {
    Box::leak(Box::new(value))
}
fn leak_list<V>(values: Vec<V>) -> &'static [V] {
    Box::leak(values.into_boxed_slice())
}

fn source(name: &str, params: Vec<mc::Param>, body: mc::Block) -> &'static mc::Source {
    let name: &'static str = leak(name.to_owned()).as_str();
    leak(mc::Source {
        path: name,
        name,
        file: file!(),
        at: AT,
        generics: 0,
        params: leak_list(params),
        ret: <f64 as mc::Typed>::ty,
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

/// `fn bump(p: &mut f64, by: f64) { *p = p.sin() + by * *p; }`
fn bump(n: usize) -> &'static mc::Source {
    use mc::Kind::*;
    let local = |name| expr(Local(name));
    let star = |name| expr(Deref(leak(local(name))));
    let sine = expr(Method("sin", &[], leak_list(vec![local("p")])));
    let product = expr(Binary(mc::Binary::Mul, leak(local("by")), leak(star("p"))));
    let sum = expr(Binary(mc::Binary::Add, leak(sine), leak(product)));
    let store = expr(Assign(leak(star("p")), leak(sum)));
    let body = mc::Block {
        statements: leak_list(vec![mc::Statement::Expr(store)]),
        value: None,
    };
    let params = vec![
        param("p", <&mut f64 as mc::Typed>::ty),
        param("by", <f64 as mc::Typed>::ty),
    ];
    let name: &'static str = leak(format!("bump{n}")).as_str();
    leak(mc::Source {
        path: name,
        name,
        file: file!(),
        at: AT,
        generics: 0,
        params: leak_list(params),
        ret: <() as mc::Typed>::ty,
        body: mc::Body::Block(body),
        role: mc::Role::Derived,
    })
}

fn helper(helper: &Helper, index: usize, n: usize) -> &'static mc::Source {
    let mut params: Vec<mc::Param> = Vec::new();
    params.extend(
        helper
            .fuel
            .iter()
            .map(|&f| param(name(f), <i64 as mc::Typed>::ty)),
    );
    params.extend(
        helper
            .params
            .iter()
            .map(|&p| param(name(p), <f64 as mc::Typed>::ty)),
    );
    let mut body = Vec::new();
    if let Some(fuel) = helper.fuel {
        let zero = expr(mc::Kind::Int(0, None));
        let done = binary(mc::Binary::Le, local(fuel), zero);
        let first = expr(mc::Kind::Return(Some(leak(local(helper.params[0])))));
        body.push(mc::Statement::Expr(when(done, first)));
    }
    body.extend(helper.body.iter().flat_map(statements));
    let body = mc::Block {
        statements: leak_list(body),
        value: Some(leak(ex(&helper.value))),
    };
    // A function that calls itself finds itself among the helpers when its body is inferred: by then it is there.
    source(&format!("h{index}_{n}"), params, body)
}

const AT: mc::At = mc::At(1, 1);

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
        n => leak(format!("v{n}")).as_str(),
    }
}
fn expr(kind: mc::Kind) -> mc::Expr {
    mc::Expr { at: place(), kind }
}
fn pattern(kind: mc::Shape) -> mc::Pattern {
    mc::Pattern { at: place(), kind }
}
fn bind(name: &'static str) -> mc::Pattern {
    pattern(mc::Shape::Name(name, false, None))
}
fn local(n: Name) -> mc::Expr {
    match n {
        N => expr(mc::Kind::Cast(
            leak(expr(mc::Kind::Local("n"))),
            <i64 as mc::Typed>::ty,
        )),
        n => expr(mc::Kind::Local(name(n))),
    }
}
fn binary(op: mc::Binary, a: mc::Expr, b: mc::Expr) -> mc::Expr {
    expr(mc::Kind::Binary(op, leak(a), leak(b)))
}
fn method(name: &'static str, args: Vec<mc::Expr>) -> mc::Expr {
    expr(mc::Kind::Method(name, &[], leak_list(args)))
}
/// `if c { e; }`
fn when(c: mc::Expr, e: mc::Expr) -> mc::Expr {
    let then = mc::Block {
        statements: leak_list(vec![mc::Statement::Expr(e)]),
        value: None,
    };
    expr(mc::Kind::If(leak(c), then, None))
}
fn value_block(e: &Ex) -> mc::Block {
    mc::Block {
        statements: &[],
        value: Some(leak(ex(e))),
    }
}

fn callee(index: usize) -> mc::Callee {
    fn at<const I: usize>() -> mc::Instance {
        (HELPERS.get()[I].expect("a helper"), Vec::new())
    }
    [at::<0>, at::<1>, at::<2>, at::<3>][index]
}

/// The index of `v[i % len]`.
fn index(v: &Ex, i: &Ex) -> mc::Expr {
    let position = expr(mc::Kind::Cast(leak(ex(i)), <usize as mc::Typed>::ty));
    binary(mc::Binary::Rem, position, method("len", vec![ex(v)]))
}

fn ex(e: &Ex) -> mc::Expr {
    use mc::Kind;
    let list = |items: &[Ex]| leak_list(items.iter().map(ex).collect());
    expr(match e {
        Ex::Float(x) => Kind::Float(*x, None),
        Ex::Int(n) => Kind::Int((*n).into(), None),
        Ex::Bool(b) => Kind::Bool(*b),
        Ex::Var(n, _) => return local(*n),
        Ex::Unary("neg", e) => Kind::Neg(leak(ex(e))),
        Ex::Unary("not", e) => Kind::Not(leak(ex(e))),
        Ex::Unary("half", e) => return binary(mc::Binary::Mul, ex(&Ex::Float(0.5)), ex(e)),
        // The receiver of a method has a type of its own.
        Ex::Unary(name, e) => return method(name, vec![typed(e)]),
        Ex::Binary(name @ ("max" | "min"), a, b) => return method(name, vec![typed(a), ex(b)]),
        Ex::Binary("and", a, b) => Kind::Lazy(true, leak(ex(a)), leak(ex(b))),
        Ex::Binary("or", a, b) => Kind::Lazy(false, leak(ex(a)), leak(ex(b))),
        Ex::Binary(name, a, b) => {
            let op = match *name {
                "add" => mc::Binary::Add,
                "sub" => mc::Binary::Sub,
                "mul" => mc::Binary::Mul,
                "lt" => mc::Binary::Lt,
                "le" => mc::Binary::Le,
                _ => mc::Binary::Eq,
            };
            return binary(op, ex(a), ex(b));
        }
        Ex::If(c, a, b) => {
            let otherwise = expr(Kind::Block(None, value_block(b)));
            Kind::If(leak(ex(c)), value_block(a), Some(leak(otherwise)))
        }
        Ex::ToFloat(e) => Kind::Cast(leak(ex(e)), <f64 as mc::Typed>::ty),
        Ex::Pair(a, b) => Kind::Tuple(leak_list(vec![ex(a), ex(b)])),
        Ex::Struct(a, b, n) => Kind::Struct(
            <S as mc::Typed>::ty,
            None,
            leak_list(vec![("a", ex(a)), ("b", ex(b)), ("n", ex(n))]),
            None,
        ),
        Ex::Some(e) => Kind::Construct(OPTION, Some("Some"), leak_list(vec![ex(e)])),
        Ex::None => Kind::Construct(OPTION, Some("None"), &[]),
        Ex::One(e) => Kind::Construct(<E as mc::Typed>::ty, Some("One"), leak_list(vec![ex(e)])),
        Ex::Two(x, n) => Kind::Struct(
            <E as mc::Typed>::ty,
            Some("Two"),
            leak_list(vec![("x", ex(x)), ("n", ex(n))]),
            None,
        ),
        Ex::Empty => Kind::Construct(<E as mc::Typed>::ty, Some("None"), &[]),
        Ex::List(items) => Kind::VecList(list(items)),
        Ex::Field(e, name) => Kind::Field(leak(ex(e)), name),
        Ex::At(v, i) => Kind::Index(leak(ex(v)), leak(index(v, i))),
        Ex::MatchOption(o, v, a, b) => Kind::Match(
            leak(ex(o)),
            leak_list(vec![
                arm(pattern(some(*v)), a),
                arm(
                    pattern(mc::Shape::TupleStruct(OPTION, Some("None"), &[])),
                    b,
                ),
            ]),
        ),
        Ex::MatchEnum(e, v, n, a, b, c) => {
            let ty = <E as mc::Typed>::ty;
            let one = mc::Shape::TupleStruct(ty, Some("One"), leak_list(vec![bind(name(*v))]));
            let fields = vec![("x", bind(name(*v))), ("n", bind(name(*n)))];
            let two = mc::Shape::Struct(ty, Some("Two"), leak_list(fields));
            let none = mc::Shape::TupleStruct(ty, Some("None"), &[]);
            let arms = vec![
                arm(pattern(one), a),
                arm(pattern(two), b),
                arm(pattern(none), c),
            ];
            Kind::Match(leak(ex(e)), leak_list(arms))
        }
        Ex::Call(index, args) => Kind::Call(callee(*index), list(args)),
        Ex::CallVar(v, e) => Kind::CallValue(leak(local(*v)), leak_list(vec![ex(e)])),
    })
}

/// `e as f64`, which gives a literal its type.
fn typed(e: &Ex) -> mc::Expr {
    expr(mc::Kind::Cast(leak(ex(e)), <f64 as mc::Typed>::ty))
}

const OPTION: mc::TyFn = <Option<mc::Unknown> as mc::Typed>::ty;

fn some(v: Name) -> mc::Shape {
    mc::Shape::TupleStruct(OPTION, Some("Some"), leak_list(vec![bind(name(v))]))
}

fn arm(pattern: mc::Pattern, body: &Ex) -> mc::Arm {
    mc::Arm {
        pattern,
        guard: None,
        body: ex(body),
    }
}

fn block(body: &[St], value: Option<&Ex>) -> mc::Block {
    let statements = body.iter().flat_map(statements).collect();
    mc::Block {
        statements: leak_list(statements),
        value: value.map(|e| leak(ex(e))),
    }
}

fn declare(n: Name, e: mc::Expr) -> mc::Statement {
    mc::Statement::Let(bind(name(n)), None, Some(e), None)
}

fn statements(s: &St) -> Vec<mc::Statement> {
    use mc::Kind;
    let one = |kind| vec![mc::Statement::Expr(expr(kind))];
    match s {
        St::Let(n, ty, e) => {
            let ty: Option<mc::TyFn> = match ty {
                T::Float => Some(<f64 as mc::Typed>::ty),
                T::Int => Some(<i64 as mc::Typed>::ty),
                _ => None,
            };
            vec![mc::Statement::Let(bind(name(*n)), ty, Some(ex(e)), None)]
        }
        St::Closure(n, param, body) => {
            let params = vec![(bind(name(*param)), Some(<f64 as mc::Typed>::ty as mc::TyFn))];
            let lambda = mc::Lambda {
                params: leak_list(params),
                ret: None,
                body: leak(ex(body)),
                moves: true,
            };
            vec![declare(*n, expr(Kind::Closure(lambda)))]
        }
        St::Assign(n, e) => one(Kind::Assign(leak(local(*n)), leak(ex(e)))),
        St::AddTo(n, e) => one(Kind::AssignBinary(
            mc::Binary::Add,
            leak(local(*n)),
            leak(ex(e)),
        )),
        St::SetField(n, path, e) => {
            let place = path
                .iter()
                .fold(local(*n), |place, f| expr(Kind::Field(leak(place), f)));
            one(Kind::Assign(leak(place), leak(ex(e))))
        }
        St::SetAt(v, i, e) => {
            let place = expr(Kind::Index(leak(ex(v)), leak(index(v, i))));
            one(Kind::Assign(leak(place), leak(ex(e))))
        }
        St::Push(n, e) => vec![mc::Statement::Expr(method("push", vec![local(*n), ex(e)]))],
        St::If(c, a, b) => {
            let otherwise = expr(Kind::Block(None, block(b, None)));
            one(Kind::If(leak(ex(c)), block(a, None), Some(leak(otherwise))))
        }
        St::For(n, end, body) => {
            let from = expr(Kind::Int(0, Some(mooncake::Type::I64)));
            let range = expr(Kind::Range(Some(leak(from)), Some(leak(ex(end))), false));
            one(Kind::For(
                None,
                leak(bind(name(*n))),
                leak(range),
                block(body, None),
            ))
        }
        St::ForEach(n, body) => {
            let item = pattern(mc::Shape::Ref(leak(bind(name(*n)))));
            let over = expr(Kind::Local("x"));
            one(Kind::For(None, leak(item), leak(over), block(body, None)))
        }
        St::ForMut(n, e) => {
            // The body reads the value under the name of the place.
            let place: &'static str = leak(format!("p{n}")).as_str();
            let star = || expr(Kind::Deref(leak(expr(Kind::Local(place)))));
            let read = declare(*n, star());
            let store = mc::Statement::Expr(expr(Kind::Assign(leak(star()), leak(ex(e)))));
            let body = mc::Block {
                statements: leak_list(vec![read, store]),
                value: None,
            };
            let over = method("iter_mut", vec![expr(Kind::Local("u"))]);
            one(Kind::For(None, leak(bind(place)), leak(over), body))
        }
        St::While(n, c, body) => {
            let four = expr(Kind::Int(4, None));
            let few = binary(mc::Binary::Lt, local(*n), four);
            let condition = expr(Kind::Lazy(true, leak(few), leak(ex(c))));
            let step = Kind::AssignBinary(
                mc::Binary::Add,
                leak(local(*n)),
                leak(expr(Kind::Int(1, None))),
            );
            let mut inner = vec![mc::Statement::Expr(expr(step))];
            inner.extend(body.iter().flat_map(statements));
            let body = mc::Block {
                statements: leak_list(inner),
                value: None,
            };
            let counter = declare(*n, expr(Kind::Int(0, None)));
            vec![
                counter,
                mc::Statement::Expr(expr(Kind::While(None, leak(condition), body))),
            ]
        }
        St::Leave(true, c) => vec![mc::Statement::Expr(when(
            ex(c),
            expr(Kind::Break(None, None)),
        ))],
        St::Leave(false, c) => vec![mc::Statement::Expr(when(ex(c), expr(Kind::Continue(None))))],
        St::Return(c, e) => {
            vec![mc::Statement::Expr(when(
                ex(c),
                expr(Kind::Return(Some(leak(ex(e))))),
            ))]
        }
        St::Bump(n, e) => {
            let address = expr(Kind::Ref(true, leak(local(*n))));
            one(Kind::Call(callee(3), leak_list(vec![address, ex(e)])))
        }
        St::IfSome(n, e, body) => {
            let condition = expr(Kind::Let(leak(pattern(some(*n))), leak(ex(e))));
            one(Kind::If(leak(condition), block(body, None), None))
        }
    }
}
