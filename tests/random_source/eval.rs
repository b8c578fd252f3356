//! What a program means: its syntax, walked.

use crate::check::{Args, Outcome};
use crate::library::{self, Ball, Brick, D, E, L, Point, S, Solid};
use crate::program::{A, Ex, Exit, N, Name, Op, Program, St, T, U, X};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// What a program may do before it counts as endless. Programs as they are made are far below this; one that is made
/// smaller may have lost what ends it.
const STEPS: u64 = 100_000;
/// How deep its calls may go.
const DEPTH: usize = 40;

/// A value of a program.
#[derive(Clone, Debug)]
pub enum Value {
    Float(f64),
    Single(f32),
    Int(i64),
    Bool(bool),
    Pair((f64, f64)),
    Struct(S),
    Option(Option<f64>),
    Result(Result<f64, f64>),
    /// A vector, array or slice.
    Floats(Vec<f64>),
    Structs(Vec<S>),
    Enum(E),
    List(L),
    Deep(D),
    Shared(Rc<RefCell<f64>>),
    Dyn(Dynamic),
    /// Shared, because closures capture closures.
    Closure(Name, Rc<Ex>, Rc<HashMap<Name, Value>>),
}

/// Every type that is a solid.
#[derive(Clone, Copy, Debug)]
pub enum Dynamic {
    Ball(Ball),
    Brick(Brick),
    Point(Point),
}

impl Dynamic {
    fn solid(&mut self) -> &mut dyn Solid {
        match self {
            Dynamic::Ball(solid) => solid,
            Dynamic::Brick(solid) => solid,
            Dynamic::Point(solid) => solid,
        }
    }
}

/// Where an evaluation ends early.
enum Stop {
    /// A panic.
    Fault,
    /// It has taken too long.
    Endless,
    Break(Option<Name>),
    Continue(Option<Name>),
    Return(Value),
}

type Eval<V> = Result<V, Stop>;

macro_rules! parts {
    ($($name:ident $variant:ident $t:ty;)*) => {
        impl Value {$(
            pub fn $name(self) -> $t {
                match self {
                    Value::$variant(x) => x,
                    other => panic!("expected {}, found {other:?}", stringify!($name)),
                }
            }
        )*}
        impl Machine<'_> {$(
            #[allow(dead_code, reason = "not every kind of value is asked for")]
            fn $name(&mut self, e: &Ex) -> Eval<$t> {
                Ok(self.eval(e)?.$name())
            }
        )*}
    };
}
parts! {
    float Float f64;
    single Single f32;
    variant Enum E;
    deep Deep D;
    shared Shared Rc<RefCell<f64>>;
    dynamic Dyn Dynamic;
    int Int i64;
    bool Bool bool;
    pair Pair (f64, f64);
    strukt Struct S;
    option Option Option<f64>;
    floats Floats Vec<f64>;
    list List L;
}

struct Machine<'p> {
    program: &'p Program,
    names: HashMap<Name, Value>,
    /// The decisions so far.
    path: &'p Cell<u64>,
    /// The steps that are left.
    steps: &'p Cell<u64>,
    /// Whether all numbers so far were finite.
    finite: &'p Cell<bool>,
    depth: usize,
}

/// Runs a program; `u` in the arguments is changed.
pub fn run(program: &Program, args: &mut Args) -> Outcome {
    let names = HashMap::from([
        (X, Value::Floats(args.x.to_vec())),
        (U, Value::Floats(args.u.to_vec())),
        (A, Value::Float(args.a)),
        (N, Value::Int(args.n as i64)),
    ]);
    let (path, steps, finite) = (Cell::new(0), Cell::new(STEPS), Cell::new(true));
    let mut machine = Machine {
        program,
        names,
        path: &path,
        steps: &steps,
        finite: &finite,
        depth: 0,
    };
    let done = machine.body(&program.body, &program.value);
    let u = machine.names[&U].clone().floats();
    args.u = u.try_into().expect("a slice keeps its length");
    Outcome {
        endless: matches!(done, Err(Stop::Endless)),
        value: done.ok().map(Value::float),
        path: path.get(),
        finite: finite.get(),
    }
}

impl Machine<'_> {
    fn decide(&mut self, choice: u64) {
        let mixed = (self.path.get() ^ choice).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.path.set(mixed.rotate_left(23).wrapping_add(1));
    }
    fn condition(&mut self, e: &Ex) -> Eval<bool> {
        let holds = self.bool(e)?;
        self.decide(holds.into());
        Ok(holds)
    }
    fn body(&mut self, body: &[St], value: &Ex) -> Eval<Value> {
        match self.block(body) {
            Err(Stop::Return(value)) => return Ok(value),
            other => other?,
        }
        match self.eval(value) {
            Err(Stop::Return(value)) => Ok(value),
            other => other,
        }
    }
    fn with<const K: usize>(&mut self, names: [(Name, Value); K], e: &Ex) -> Eval<Value> {
        self.names.extend(names);
        self.eval(e)
    }
    fn step(&mut self) -> Eval<()> {
        let left = self.steps.get().checked_sub(1).ok_or(Stop::Endless)?;
        self.steps.set(left);
        Ok(())
    }
    fn get(&mut self, name: Name) -> &mut Value {
        self.names.get_mut(&name).expect("a variable in scope")
    }
    fn vector(&mut self, name: Name) -> &mut Vec<f64> {
        match self.get(name) {
            Value::Floats(items) => items,
            other => panic!("{other:?} is no vector"),
        }
    }
    fn structs(&mut self, name: Name) -> &mut Vec<S> {
        match self.get(name) {
            Value::Structs(items) => items,
            other => panic!("{other:?} is no vector of structs"),
        }
    }
    fn index(&mut self, e: &Ex, length: usize) -> Eval<usize> {
        let index = self.int(e)? as usize;
        index.checked_rem(length).ok_or(Stop::Fault)
    }

    fn eval(&mut self, e: &Ex) -> Eval<Value> {
        let value = self.value(e)?;
        if let Value::Float(x) = value {
            self.finite.set(self.finite.get() && x.is_finite());
        }
        Ok(value)
    }
    fn value(&mut self, e: &Ex) -> Eval<Value> {
        self.step()?;
        let (op, args) = match e {
            Ex::Float(x) => return Ok(Value::Float(*x)),
            Ex::Int(n) => return Ok(Value::Int(*n)),
            Ex::Bool(b) => return Ok(Value::Bool(*b)),
            Ex::Var(name, _) => return Ok(self.get(*name).clone()),
            Ex::Node(op, args) => (op, &args[..]),
        };
        Ok(match (*op, args) {
            (Op::Unary(name), [e]) => unary(name, self.eval(e)?),
            (Op::Binary(name @ ("and" | "or")), [a, b]) => {
                let left = self.condition(a)?;
                Value::Bool(match name {
                    "and" => left && self.bool(b)?,
                    _ => left || self.bool(b)?,
                })
            }
            (Op::Binary(name), [a, b]) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                if let ("max" | "min", Value::Float(a), Value::Float(b)) = (name, &a, &b) {
                    self.decide((a < b).into());
                }
                binary(name, a, b).ok_or(Stop::Fault)?
            }
            (Op::If, [c, a, b]) => match self.condition(c)? {
                true => self.eval(a)?,
                false => self.eval(b)?,
            },
            (Op::ToFloat, [e]) => Value::Float(match self.eval(e)? {
                Value::Int(n) => n as f64,
                Value::Single(x) => x.into(),
                other => other.float(),
            }),
            (Op::ToSingle, [e]) => Value::Single(self.float(e)? as f32),
            (Op::ToInt, [e]) => {
                let n = self.float(e)? as i64;
                self.decide(n as u64);
                Value::Int(n)
            }
            (Op::Pair, [a, b]) => Value::Pair((self.float(a)?, self.float(b)?)),
            (Op::Struct, [a, b, n]) => Value::Struct(S {
                a: self.float(a)?,
                b: self.pair(b)?,
                n: self.int(n)?,
            }),
            (Op::Some, [e]) => Value::Option(Some(self.float(e)?)),
            (Op::None, []) => Value::Option(None),
            (Op::Ok, [e]) => Value::Result(Ok(self.float(e)?)),
            (Op::Err, [e]) => Value::Result(Err(self.float(e)?)),
            (Op::One, [e]) => Value::Enum(E::One(self.float(e)?)),
            (Op::Two, [x, n]) => Value::Enum(E::Two {
                x: self.float(x)?,
                n: self.int(n)?,
            }),
            (Op::Empty, []) => Value::Enum(E::None),
            (Op::Cons, [value, rest]) => {
                let value = self.float(value)?;
                Value::List(L::Node(value, Box::new(self.list(rest)?)))
            }
            (Op::End, []) => Value::List(L::End),
            (Op::List, items) if e.ty() == T::Structs => {
                Value::Structs(items.iter().map(|e| self.strukt(e)).collect::<Eval<_>>()?)
            }
            (Op::List | Op::Array, items) => {
                Value::Floats(items.iter().map(|e| self.float(e)).collect::<Eval<_>>()?)
            }
            (Op::Slice(from, to), [e]) => Value::Floats(self.floats(e)?[from..to].to_vec()),
            (Op::Clone, [e]) => self.eval(e)?,
            (Op::Field(name), [e]) => match (self.eval(e)?, name) {
                (Value::Pair(pair), "0") => Value::Float(pair.0),
                (Value::Pair(pair), _) => Value::Float(pair.1),
                (Value::Struct(s), "a") => Value::Float(s.a),
                (Value::Struct(s), "b") => Value::Pair(s.b),
                (Value::Struct(s), _) => Value::Int(s.n),
                (Value::Deep(d), "s") => Value::Struct(d.s),
                (Value::Deep(d), "o") => Value::Option(d.o),
                (Value::Deep(d), "v") => Value::Floats(d.v),
                (Value::Deep(d), _) => Value::Enum(d.e),
                (other, _) => panic!("{other:?} has no field {name}"),
            },
            (Op::At | Op::Raw, [list, index]) => {
                let list = self.eval(list)?;
                let length = match &list {
                    Value::Structs(items) => items.len(),
                    other => other.clone().floats().len(),
                };
                let index = match op {
                    Op::At => self.index(index, length)?,
                    _ => self.int(index)? as usize,
                };
                match list {
                    Value::Structs(items) => Value::Struct(*items.get(index).ok_or(Stop::Fault)?),
                    other => Value::Float(*other.floats().get(index).ok_or(Stop::Fault)?),
                }
            }
            (Op::MatchOption(name), [option, some, none]) => {
                let option = self.option(option)?;
                self.decide(option.is_some().into());
                match option {
                    Some(x) => self.with([(name, Value::Float(x))], some)?,
                    None => self.eval(none)?,
                }
            }
            (Op::MatchResult(v, w), [result, good, bad]) => {
                let Value::Result(result) = self.eval(result)? else {
                    panic!("{e:?} is no result");
                };
                self.decide(result.is_ok().into());
                match result {
                    Ok(x) => self.with([(v, Value::Float(x))], good)?,
                    Err(x) => self.with([(w, Value::Float(x))], bad)?,
                }
            }
            (Op::MatchEnum(v, n), [value, one, two, empty]) => {
                let Value::Enum(value) = self.eval(value)? else {
                    panic!("{e:?} is no enum");
                };
                match value {
                    E::One(x) => {
                        self.decide(1);
                        self.with([(v, Value::Float(x))], one)?
                    }
                    E::Two { x, n: k } => {
                        self.decide(2);
                        self.with([(v, Value::Float(x)), (n, Value::Int(k))], two)?
                    }
                    E::None => {
                        self.decide(3);
                        self.eval(empty)?
                    }
                }
            }
            (Op::MatchList(v, rest), [list, some, end]) => match self.list(list)? {
                L::Node(x, tail) => {
                    self.with([(v, Value::Float(x)), (rest, Value::List(*tail))], some)?
                }
                L::End => self.eval(end)?,
            },
            (Op::Call(index, _), args) => {
                let args = args.iter().map(|e| self.eval(e)).collect::<Eval<_>>()?;
                self.call(index, args)?
            }
            (Op::CallVar(name), [e]) => {
                let x = self.eval(e)?;
                let Value::Closure(param, body, captured) = self.get(name).clone() else {
                    panic!("v{name} is no closure");
                };
                let mut names = HashMap::clone(&captured);
                names.insert(param, x);
                let mut machine = Machine { names, ..*self };
                machine.eval(&body)?
            }
            (Op::Apply(param), [body, a, b]) => {
                let a = self.eval(a)?;
                let left = self.with([(param, a)], body)?.float();
                let b = self.eval(b)?;
                Value::Float(left + self.with([(param, b)], body)?.float())
            }
            (Op::Choose(param), [c, a, b]) => {
                let body = if self.condition(c)? { a } else { b };
                Value::Closure(param, Rc::new(body.clone()), Rc::new(self.names.clone()))
            }
            (Op::Chain(kind, param), [list, body]) => {
                let mut results = Vec::new();
                for x in self.floats(list)? {
                    results.push(self.with([(param, Value::Float(x))], body)?.float());
                }
                Value::Float(match kind {
                    "sum" => results.iter().sum(),
                    "fold" => results.iter().fold(0.5, |sum, x| sum * 0.5 + x),
                    _ => {
                        results.iter().for_each(|x| self.decide((*x > 0.0).into()));
                        results.iter().filter(|x| **x > 0.0).sum()
                    }
                })
            }
            (Op::Lib(name), args) => {
                let args: Vec<Value> = args.iter().map(|e| self.eval(e)).collect::<Eval<_>>()?;
                let native = library::function(name).native;
                native_call(|| native(&mut args.into_iter()))?
            }
            (Op::MatchInt(v), [number, a, b, guard, guarded, other]) => {
                let number = self.int(number)?;
                self.decide(number as u64);
                match number {
                    0 => self.eval(a)?,
                    1 | 2 => self.eval(b)?,
                    n => {
                        self.names.insert(v, Value::Int(n));
                        match self.condition(guard)? {
                            true => self.eval(guarded)?,
                            false => self.eval(other)?,
                        }
                    }
                }
            }
            (Op::MatchGuard(v), [option, guard, guarded, other]) => {
                let option = self.option(option)?;
                self.decide(option.is_some().into());
                let fits = match option {
                    Some(x) => {
                        self.names.insert(v, Value::Float(x));
                        self.condition(guard)?
                    }
                    None => false,
                };
                self.eval(if fits { guarded } else { other })?
            }
            (Op::Map(v) | Op::AndThen(v) | Op::Filter(v), [option, body]) => {
                let option = self.option(option)?;
                self.decide(option.is_some().into());
                let Some(x) = option else {
                    return Ok(Value::Option(None));
                };
                match (op, self.with([(v, Value::Float(x))], body)?) {
                    (_, Value::Float(y)) => Value::Option(Some(y)),
                    (_, Value::Bool(holds)) => {
                        self.decide(holds.into());
                        Value::Option(holds.then_some(x))
                    }
                    (_, other) => other,
                }
            }
            (Op::UnwrapOr, [option, other]) => {
                let (option, other) = (self.option(option)?, self.float(other)?);
                self.decide(option.is_some().into());
                Value::Float(option.unwrap_or(other))
            }
            (Op::Unwrap, [option]) => Value::Float(self.option(option)?.ok_or(Stop::Fault)?),
            (Op::Loop(v, k), [first, body, stop]) => {
                let mut value = self.eval(first)?;
                for turn in 0.. {
                    self.names.insert(k, Value::Int(turn));
                    value = self.with([(v, value)], body)?;
                    self.names.insert(k, Value::Int(turn + 1));
                    self.names.insert(v, value.clone());
                    if turn + 1 >= 3 || self.condition(stop)? {
                        break;
                    }
                }
                value
            }
            (Op::Deep, [s, o, v, e]) => Value::Deep(D {
                s: self.strukt(s)?,
                o: self.option(o)?,
                v: self.floats(v)?,
                e: self.variant(e)?,
            }),
            (Op::Shared, [e]) => Value::Shared(Rc::new(RefCell::new(self.float(e)?))),
            (Op::Borrow, [cell]) => Value::Float(*self.shared(cell)?.borrow()),
            (Op::Ball, [r]) => Value::Dyn(Dynamic::Ball(Ball { r: self.float(r)? })),
            (Op::Brick, [sides, n]) => Value::Dyn(Dynamic::Brick(Brick {
                sides: self.pair(sides)?,
                n: self.int(n)?,
            })),
            (Op::Point, []) => Value::Dyn(Dynamic::Point(Point)),
            (Op::Size | Op::Twice, [of, k]) => {
                let (of, k) = (self.eval(of)?, self.float(k)?);
                Value::Float(match (of, op) {
                    (Value::Struct(s), _) => s.size(k),
                    (of, Op::Size) => of.dynamic().solid().size(k),
                    (of, _) => of.dynamic().solid().twice(k),
                })
            }
            (Op::Pairs(kind, v, w), [parts @ .., body]) => {
                let lists: Vec<Vec<f64>> =
                    parts.iter().map(|e| self.floats(e)).collect::<Eval<_>>()?;
                let float = |(a, b): (&f64, &f64)| (*a, Value::Float(*b));
                let items: Vec<(f64, Value)> = match (kind, &lists[..]) {
                    ("zip", [a, b]) => a.iter().zip(b).map(float).collect(),
                    ("windows", [a]) => a.windows(2).map(|p| float((&p[0], &p[1]))).collect(),
                    ("chunks", [a]) => a
                        .chunks(2)
                        .map(|p| float((&p[0], &p[p.len() - 1])))
                        .collect(),
                    ("enumerate", [a]) => {
                        let numbered = a.iter().enumerate();
                        numbered.map(|(i, a)| (*a, Value::Int(i as i64))).collect()
                    }
                    other => panic!("{other:?}"),
                };
                let mut results = Vec::new();
                for (a, b) in items {
                    let names = [(v, Value::Float(a)), (w, b)];
                    results.push(self.with(names, body)?.float());
                }
                Value::Float(results.iter().sum())
            }
            (Op::Try, [e]) => {
                let option = self.option(e)?;
                self.decide(option.is_some().into());
                Value::Float(option.ok_or(Stop::Return(Value::Option(None)))?)
            }
            other => panic!("{other:?}"),
        })
    }
    fn call(&mut self, index: usize, args: Vec<Value>) -> Eval<Value> {
        let helper = &self.program.helpers[index];
        let params = helper.fuel.iter().chain(&helper.params);
        let mut machine = Machine {
            names: params.copied().zip(args).collect(),
            depth: self.depth + 1,
            ..*self
        };
        if machine.depth > DEPTH {
            return Err(Stop::Endless);
        }
        if let Some(fuel) = helper.fuel
            && machine.get(fuel).clone().int() <= 0
        {
            let first = machine.get(helper.params[0]).clone();
            return Ok(match helper.gives {
                T::Option => Value::Option(Some(first.float())),
                _ => first,
            });
        }
        machine.body(&helper.body, &helper.value)
    }

    fn block(&mut self, block: &[St]) -> Eval<()> {
        block.iter().try_for_each(|s| self.statement(s))
    }
    /// One turn of a loop; whether it goes on.
    fn turn(&mut self, label: Name, body: &[St]) -> Eval<bool> {
        match self.block(body) {
            Ok(()) | Err(Stop::Continue(None)) => Ok(true),
            Err(Stop::Break(None)) => Ok(false),
            Err(Stop::Continue(Some(l))) if l == label => Ok(true),
            Err(Stop::Break(Some(l))) if l == label => Ok(false),
            Err(other) => Err(other),
        }
    }
    fn leave(&mut self, exit: &Exit) -> Eval<()> {
        Err(match exit {
            Exit::Break(label) => Stop::Break(*label),
            Exit::Continue(label) => Stop::Continue(*label),
            Exit::Return(e) => Stop::Return(self.eval(e)?),
        })
    }
    /// Where a place begins and the way to it: its indices are evaluated.
    fn way(&mut self, place: &Ex) -> Eval<(Name, Vec<Step>)> {
        match place {
            Ex::Var(name, _) => Ok((*name, Vec::new())),
            Ex::Node(Op::Field(field), inner) => {
                let (name, mut way) = self.way(&inner[0])?;
                way.push(Step::Field(field));
                Ok((name, way))
            }
            Ex::Node(Op::At, parts) => {
                let index = self.int(&parts[1])?;
                let (name, mut way) = self.way(&parts[0])?;
                way.push(Step::Index(index as usize));
                Ok((name, way))
            }
            other => panic!("{other:?} is no place"),
        }
    }
    /// Does something with a place.
    fn change(&mut self, place: &Ex, f: impl FnOnce(Place<'_>)) -> Eval<()> {
        let (name, way) = self.way(place)?;
        let place = Place::of(self.get(name));
        let place = way.into_iter().try_fold(place, Place::step);
        let place = place.ok_or(Stop::Fault)?;
        native_call(|| f(place))
    }
    fn statement(&mut self, statement: &St) -> Eval<()> {
        self.step()?;
        match statement {
            St::Let(name, _, e) | St::Assign(name, e) => {
                let value = self.eval(e)?;
                self.names.insert(*name, value);
            }
            St::Closure(name, param, body) => {
                let captured = Rc::new(self.names.clone());
                let closure = Value::Closure(*param, Rc::new(body.clone()), captured);
                self.names.insert(*name, closure);
            }
            St::Update(op, place, e) => {
                let by = self.float(e)?;
                self.change(place, |x| update(op, x.float(), by))?;
            }
            St::Set(place, e) => {
                let value = self.eval(e)?;
                self.change(place, |place| place.set(value))?;
            }
            St::Push(name, e) => match self.eval(e)? {
                Value::Struct(value) => self.structs(*name).push(value),
                value => self.vector(*name).push(value.float()),
            },
            St::Pop(list, name, body) => {
                let long = self.vector(*list).len() > 1;
                self.decide(long.into());
                if long && let Some(x) = self.vector(*list).pop() {
                    self.names.insert(*name, Value::Float(x));
                    self.block(body)?;
                }
            }
            St::Drain(list, name, body, value) => {
                while let Some(x) = self.vector(*list).pop() {
                    self.names.insert(*name, Value::Float(x));
                    if !self.turn(*name, body)? {
                        break;
                    }
                }
                let value = self.float(value)?;
                self.vector(*list).push(value);
            }
            St::If(c, then, otherwise) => match self.condition(c)? {
                true => self.block(then)?,
                false => self.block(otherwise)?,
            },
            St::For(name, end, body) => {
                for i in 0..self.int(end)? {
                    self.names.insert(*name, Value::Int(i));
                    if !self.turn(*name, body)? {
                        break;
                    }
                }
            }
            St::ForEach(name, list, body) => {
                for x in self.floats(list)? {
                    self.names.insert(*name, Value::Float(x));
                    if !self.turn(*name, body)? {
                        break;
                    }
                }
            }
            St::ForMut(name, list, from, e) => {
                for i in *from..self.vector(*list).len() {
                    let x = self.vector(*list)[i];
                    let value = self.with([(*name, Value::Float(x))], e)?.float();
                    self.vector(*list)[i] = value;
                }
            }
            St::ForTurn(_, list, e) => {
                for i in 0..self.structs(*list).len() {
                    let by = self.float(e)?;
                    self.structs(*list)[i].turn(by);
                }
            }
            St::While(name, c, body) => {
                let mut k = 0;
                while k < 4 && self.condition(c)? {
                    k += 1;
                    if !self.turn(*name, body)? {
                        break;
                    }
                }
            }
            St::Leave(c, exit) => {
                if self.condition(c)? {
                    self.leave(exit)?;
                }
            }
            St::Call(name, place, e) => {
                let by = self.float(e)?;
                let native = library::mutator(name).native;
                self.change(place, |place| native(place, by))?;
                // What is changed may be looked at by nobody.
                let (name, _) = self.way(place)?;
                let text = format!("{:?}", self.get(name));
                let finite = !text.contains("inf") && !text.contains("NaN");
                self.finite.set(self.finite.get() && finite);
            }
            St::Edit(edit, list, a, b) => self.edit(edit, *list, a, b)?,
            St::Swap(v, w) => {
                let (a, b) = (self.get(*v).clone(), self.get(*w).clone());
                self.names.extend([(*v, b), (*w, a)]);
            }
            St::Either(op, _, c, [a, b], e) => {
                let by = self.float(e)?;
                let place = if self.condition(c)? { a } else { b };
                self.change(place, |x| update(op, x.float(), by))?;
            }
            St::Add(op, cell, e) => {
                let by = self.float(e)?;
                update(op, &mut self.shared(cell)?.borrow_mut(), by);
            }
            St::Split(list, v, w, [at, left, right]) => {
                let at = self.int(at)?;
                let length = self.vector(*list).len();
                let at = at as usize % (length + 1);
                for i in 0..at.min(length - at) {
                    let (x, y) = (self.vector(*list)[i], self.vector(*list)[at + i]);
                    self.names
                        .extend([(*v, Value::Float(x)), (*w, Value::Float(y))]);
                    let (x, y) = (self.float(left)?, self.float(right)?);
                    self.vector(*list)[i] = x;
                    self.vector(*list)[at + i] = y;
                }
            }
            St::IfSome(name, e, body) => {
                let option = self.option(e)?;
                self.decide(option.is_some().into());
                if let Some(x) = option {
                    self.names.insert(*name, Value::Float(x));
                    self.block(body)?;
                }
            }
            St::LetElse(name, e, exit) => {
                let option = self.option(e)?;
                self.decide(option.is_some().into());
                match option {
                    Some(x) => {
                        self.names.insert(*name, Value::Float(x));
                    }
                    None => self.leave(exit)?,
                }
            }
            St::Mutating([_, param, result, captured], through, [body, a, b]) => {
                let call = |machine: &mut Self, x: f64| {
                    let value = machine.with([(*param, Value::Float(x))], body)?.float();
                    machine.names.insert(*captured, Value::Float(value));
                    Ok(value * x)
                };
                let x = self.float(a)?;
                let mut first = call(self, x)?;
                if *through {
                    first -= 0.5 * call(self, 0.25)?;
                }
                let x = self.float(b)?;
                let sum = first + call(self, x)?;
                self.names.insert(*result, Value::Float(sum));
            }
        }
        Ok(())
    }
    fn edit(&mut self, edit: &str, list: Name, a: &Ex, b: &Ex) -> Eval<()> {
        if edit == "extend" {
            let more = self.floats(a)?;
            self.vector(list).extend(more);
            return Ok(());
        }
        let length = self.vector(list).len();
        if edit == "remove" {
            self.decide((length > 1).into());
            if length < 2 {
                return Ok(());
            }
        }
        let place = match edit {
            "reverse" => 0,
            _ => self.int(a)? as usize,
        };
        let value = match edit {
            "insert" => self.float(b)?,
            _ => 0.0,
        };
        let other = match edit {
            "swap" => self.int(b)? as usize,
            _ => 0,
        };
        let list = self.vector(list);
        match edit {
            "insert" => list.insert(place % (length + 1), value),
            "swap" => list.swap(
                place.checked_rem(length).ok_or(Stop::Fault)?,
                other.checked_rem(length).ok_or(Stop::Fault)?,
            ),
            "remove" => drop(list.remove(place % length)),
            "truncate" => list.truncate(1 + place % 3),
            _ => list.reverse(),
        }
        Ok(())
    }
}

/// Calls what may panic.
fn native_call<R>(f: impl FnOnce() -> R) -> Eval<R> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|_| Stop::Fault)
}

fn update(op: &str, x: &mut f64, by: f64) {
    match op {
        "set" => *x = by,
        "add" => *x += by,
        "sub" => *x -= by,
        _ => *x *= by,
    }
}

/// A step into a place.
enum Step {
    Field(&'static str),
    /// Modulo the length.
    Index(usize),
}

/// What can be written to.
pub enum Place<'v> {
    Float(&'v mut f64),
    Int(&'v mut i64),
    Pair(&'v mut (f64, f64)),
    Struct(&'v mut S),
    Structs(&'v mut Vec<S>),
    Floats(&'v mut Vec<f64>),
    Option(&'v mut Option<f64>),
    Enum(&'v mut E),
    List(&'v mut L),
    Deep(&'v mut D),
    Dyn(&'v mut Dynamic),
}

macro_rules! places {
    ($($name:ident $variant:ident $t:ty;)*) => {
        impl<'v> Place<'v> {$(
            pub fn $name(self) -> &'v mut $t {
                match self {
                    Place::$variant(x) => x,
                    _ => panic!("{} is expected", stringify!($name)),
                }
            }
        )*}
    };
}
places! {
    float Float f64;
    strukt Struct S;
    floats Floats Vec<f64>;
    list List L;
    deep Deep D;
    dynamic Dyn Dynamic;
}

impl<'v> Place<'v> {
    fn of(value: &'v mut Value) -> Place<'v> {
        match value {
            Value::Float(x) => Place::Float(x),
            Value::Pair(x) => Place::Pair(x),
            Value::Struct(x) => Place::Struct(x),
            Value::Structs(x) => Place::Structs(x),
            Value::Floats(x) => Place::Floats(x),
            Value::List(x) => Place::List(x),
            Value::Deep(x) => Place::Deep(x),
            Value::Dyn(x) => Place::Dyn(x),
            other => panic!("{other:?} is no place"),
        }
    }
    pub fn solid(self) -> &'v mut dyn Solid {
        self.dynamic().solid()
    }
    /// None where the index is of an empty list.
    fn step(self, step: Step) -> Option<Place<'v>> {
        Some(match (self, step) {
            (Place::Floats(items), Step::Index(i)) => {
                let i = i.checked_rem(items.len())?;
                Place::Float(&mut items[i])
            }
            (Place::Structs(items), Step::Index(i)) => {
                let i = i.checked_rem(items.len())?;
                Place::Struct(&mut items[i])
            }
            (Place::Pair(pair), Step::Field("0")) => Place::Float(&mut pair.0),
            (Place::Pair(pair), Step::Field("1")) => Place::Float(&mut pair.1),
            (Place::Struct(s), Step::Field("a")) => Place::Float(&mut s.a),
            (Place::Struct(s), Step::Field("b")) => Place::Pair(&mut s.b),
            (Place::Struct(s), Step::Field("n")) => Place::Int(&mut s.n),
            (Place::Deep(d), Step::Field("s")) => Place::Struct(&mut d.s),
            (Place::Deep(d), Step::Field("o")) => Place::Option(&mut d.o),
            (Place::Deep(d), Step::Field("v")) => Place::Floats(&mut d.v),
            (Place::Deep(d), Step::Field("e")) => Place::Enum(&mut d.e),
            _ => panic!("no such place"),
        })
    }
    fn set(self, value: Value) {
        match (self, value) {
            (Place::Float(place), Value::Float(x)) => *place = x,
            (Place::Int(place), Value::Int(x)) => *place = x,
            (Place::Pair(place), Value::Pair(x)) => *place = x,
            (Place::Struct(place), Value::Struct(x)) => *place = x,
            (Place::Floats(place), Value::Floats(x)) => *place = x,
            (Place::Option(place), Value::Option(x)) => *place = x,
            (Place::Enum(place), Value::Enum(x)) => *place = x,
            (_, other) => panic!("{other:?} does not fit"),
        }
    }
}

fn unary(name: &str, value: Value) -> Value {
    match value {
        Value::Bool(b) => Value::Bool(!b),
        Value::Single(x) => Value::Single(-x),
        value => {
            let x = value.float();
            Value::Float(match name {
                "sin" => x.sin(),
                "cos" => x.cos(),
                "tanh" => x.tanh(),
                "neg" => -x,
                _ => 0.5 * x,
            })
        }
    }
}

/// None for a panic.
fn binary(name: &str, a: Value, b: Value) -> Option<Value> {
    macro_rules! floats {
        ($of:path, $a:ident, $b:ident) => {
            match name {
                "add" => $of($a + $b),
                "sub" => $of($a - $b),
                "mul" => $of($a * $b),
                "max" => $of($a.max($b)),
                "min" => $of($a.min($b)),
                "lt" => Value::Bool($a < $b),
                _ => Value::Bool($a <= $b),
            }
        };
    }
    Some(match (a, b) {
        (Value::Int(a), Value::Int(b)) => match name {
            "add" => Value::Int(a.checked_add(b)?),
            "sub" => Value::Int(a.checked_sub(b)?),
            "mul" => Value::Int(a.checked_mul(b)?),
            "div" => Value::Int(a.checked_div(b)?),
            "rem" => Value::Int(a.checked_rem(b)?),
            "lt" => Value::Bool(a < b),
            _ => Value::Bool(a == b),
        },
        (Value::Single(a), Value::Single(b)) => floats!(Value::Single, a, b),
        (Value::Float(a), Value::Float(b)) => floats!(Value::Float, a, b),
        other => panic!("{name} of {other:?}"),
    })
}
