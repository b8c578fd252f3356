//! What a program means: its syntax, walked.

use crate::Args;
use crate::library::{self, E, L, S};
use crate::program::{A, Ex, Exit, N, Name, Op, Program, St, T, U, X};
use std::collections::HashMap;

#[derive(Clone, Debug)]
enum Value {
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
    Closure(Name, Ex, HashMap<Name, Value>),
}

/// Where an evaluation ends early.
enum Stop {
    /// A panic.
    Fault,
    Break(Option<Name>),
    Continue(Option<Name>),
    Return(Value),
}

type Eval<V> = Result<V, Stop>;

macro_rules! parts {
    ($($name:ident $variant:ident $t:ty;)*) => {
        impl Value {$(
            fn $name(self) -> $t {
                match self {
                    Value::$variant(x) => x,
                    other => panic!("expected {}, found {other:?}", stringify!($name)),
                }
            }
        )*}
        impl Machine<'_> {$(
            fn $name(&mut self, e: &Ex) -> Eval<$t> {
                Ok(self.eval(e)?.$name())
            }
        )*}
    };
}
parts! {
    float Float f64;
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
    path: &'p mut u64,
}

/// What a program does.
pub struct Outcome {
    /// None if it panics.
    pub value: Option<f64>,
    /// The decisions on the way.
    pub path: u64,
}

/// Runs a program; `u` in the arguments is changed.
pub fn run(program: &Program, args: &mut Args) -> Outcome {
    let names = HashMap::from([
        (X, Value::Floats(args.x.clone())),
        (U, Value::Floats(args.u.clone())),
        (A, Value::Float(args.a)),
        (N, Value::Int(args.n as i64)),
    ]);
    let mut path = 0;
    let mut machine = Machine {
        program,
        names,
        path: &mut path,
    };
    let value = match machine.body(&program.body, &program.value) {
        Ok(value) => Some(value.float()),
        Err(_) => None,
    };
    args.u = machine.names[&U].clone().floats();
    Outcome { value, path }
}

impl Machine<'_> {
    fn decide(&mut self, choice: u64) {
        let mixed = (*self.path ^ choice).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        *self.path = mixed.rotate_left(23).wrapping_add(1);
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
                let Value::Closure(param, body, mut names) = self.get(name).clone() else {
                    panic!("v{name} is no closure");
                };
                names.insert(param, x);
                let mut machine = Machine {
                    program: self.program,
                    names,
                    path: self.path,
                };
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
                Value::Closure(param, body.clone(), self.names.clone())
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
                let args = args
                    .iter()
                    .map(|e| self.eval(e))
                    .collect::<Eval<Vec<_>>>()?;
                match (name, &args[..]) {
                    ("total", [Value::List(l)]) => Value::Float(library::total(l)),
                    ("root", [Value::Float(x)]) => Value::Option(library::root(*x)),
                    ("both", [Value::Float(x), Value::Float(y)]) => {
                        Value::Option(library::both(*x, *y))
                    }
                    ("ratio", [Value::Float(x), Value::Float(y)]) => {
                        Value::Result(library::ratio(*x, *y))
                    }
                    ("chained", [Value::Float(x), Value::Float(y)]) => {
                        Value::Result(library::chained(*x, *y))
                    }
                    ("size", [Value::Struct(s), Value::Float(k)]) => Value::Float(s.size(*k)),
                    other => panic!("{other:?}"),
                }
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
            program: self.program,
            names: params.copied().zip(args).collect(),
            path: self.path,
        };
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
    /// Writes to a place what `f` makes of what it holds.
    fn change(&mut self, place: &Ex, f: impl FnOnce(Place<'_>)) -> Eval<()> {
        let mut fields = Vec::new();
        let mut base = place;
        while let Ex::Node(Op::Field(name), inner) = base {
            fields.push(*name);
            base = &inner[0];
        }
        let mut place = match base {
            Ex::Var(name, _) => match self.get(*name) {
                Value::Float(x) => Place::Float(x),
                Value::Pair(pair) => Place::Pair(pair),
                Value::Struct(s) => Place::Struct(s),
                Value::List(l) => Place::List(l),
                other => panic!("{other:?} is no place"),
            },
            Ex::Node(Op::At, parts) => {
                let [Ex::Var(name, ty), index] = &parts[..] else {
                    panic!("{base:?} is no place");
                };
                if *ty == T::Structs {
                    let length = self.structs(*name).len();
                    let index = self.index(index, length)?;
                    Place::Struct(&mut self.structs(*name)[index])
                } else {
                    let length = self.vector(*name).len();
                    let index = self.index(index, length)?;
                    Place::Float(&mut self.vector(*name)[index])
                }
            }
            other => panic!("{other:?} is no place"),
        };
        for field in fields.iter().rev() {
            place = match (place, *field) {
                (Place::Pair(pair), "0") => Place::Float(&mut pair.0),
                (Place::Pair(pair), _) => Place::Float(&mut pair.1),
                (Place::Struct(s), "a") => Place::Float(&mut s.a),
                (Place::Struct(s), _) => Place::Pair(&mut s.b),
                _ => panic!("no field {field}"),
            };
        }
        f(place);
        Ok(())
    }
    fn statement(&mut self, statement: &St) -> Eval<()> {
        match statement {
            St::Let(name, _, e) | St::Assign(name, e) => {
                let value = self.eval(e)?;
                self.names.insert(*name, value);
            }
            St::Closure(name, param, body) => {
                let closure = Value::Closure(*param, body.clone(), self.names.clone());
                self.names.insert(*name, closure);
            }
            St::Update(op, place, e) => {
                let by = self.float(e)?;
                self.change(place, |x| match *op {
                    "add" => *x.float() += by,
                    "sub" => *x.float() -= by,
                    _ => *x.float() *= by,
                })?;
            }
            St::Set(place, e) => match self.eval(e)? {
                Value::Struct(value) => self.change(place, |s| *s.strukt() = value)?,
                value => {
                    let value = value.float();
                    self.change(place, |x| *x.float() = value)?;
                }
            },
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
                if *name == "shift" || *name == "turn" {
                    let by = self.float(e)?;
                    self.change(place, |s| match *name {
                        "shift" => {
                            library::shift(s.strukt(), by);
                        }
                        _ => s.strukt().turn(by),
                    })?;
                } else {
                    let by = self.float(e)?;
                    match *name {
                        "bump" => self.change(place, |x| library::bump(x.float(), by))?,
                        _ => self.change(place, |l| library::grow(l.list(), by))?,
                    }
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
            St::Mutating([_, param, result, captured], body, a, b) => {
                let mut results = Vec::new();
                for e in [a, b] {
                    let x = self.eval(e)?;
                    let value = self.with([(*param, x.clone())], body)?.float();
                    self.names.insert(*captured, Value::Float(value));
                    results.push(value * x.float());
                }
                let sum = results[0] + results[1];
                self.names.insert(*result, Value::Float(sum));
            }
        }
        Ok(())
    }
}

enum Place<'v> {
    Float(&'v mut f64),
    Pair(&'v mut (f64, f64)),
    Struct(&'v mut S),
    List(&'v mut L),
}

impl<'v> Place<'v> {
    fn float(self) -> &'v mut f64 {
        match self {
            Place::Float(x) => x,
            _ => panic!("a float is expected"),
        }
    }
    fn strukt(self) -> &'v mut S {
        match self {
            Place::Struct(s) => s,
            _ => panic!("a struct is expected"),
        }
    }
    fn list(self) -> &'v mut L {
        match self {
            Place::List(l) => l,
            _ => panic!("a list is expected"),
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
