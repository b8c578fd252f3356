//! What a program means: its syntax, walked.

use crate::Args;
use crate::program::{A, Ex, N, Name, Program, St, U, X};
use std::collections::HashMap;

#[derive(Clone, Debug)]
enum Value {
    Float(f64),
    Int(i64),
    Bool(bool),
    Pair(f64, f64),
    Struct(f64, (f64, f64), i64),
    Option(Option<f64>),
    Vec(Vec<f64>),
    One(f64),
    Two(f64, i64),
    Empty,
    Closure(Name, Ex, HashMap<Name, Value>),
}

impl Value {
    fn float(self) -> f64 {
        match self {
            Value::Float(x) => x,
            other => panic!("{other:?} is no float"),
        }
    }
    fn int(self) -> i64 {
        match self {
            Value::Int(n) => n,
            other => panic!("{other:?} is no integer"),
        }
    }
    fn bool(self) -> bool {
        match self {
            Value::Bool(b) => b,
            other => panic!("{other:?} is no bool"),
        }
    }
    fn vec(&mut self) -> &mut Vec<f64> {
        match self {
            Value::Vec(v) => v,
            other => panic!("{other:?} is no vector"),
        }
    }
}

/// How a statement ends.
enum Flow {
    On,
    Break,
    Continue,
    Return(f64),
}

struct Machine<'p> {
    program: &'p Program,
    names: HashMap<Name, Value>,
}

/// The program's value; `u` in the arguments is changed.
pub fn run(program: &Program, args: &mut Args) -> f64 {
    let names = HashMap::from([
        (X, Value::Vec(args.x.clone())),
        (U, Value::Vec(args.u.clone())),
        (A, Value::Float(args.a)),
        (N, Value::Int(args.n as i64)),
    ]);
    let mut machine = Machine { program, names };
    let value = match machine.block(&program.body) {
        Flow::Return(value) => value,
        _ => machine.float(&program.value),
    };
    args.u = machine.names[&U].clone().vec().clone();
    value
}

impl Machine<'_> {
    fn float(&mut self, e: &Ex) -> f64 {
        self.eval(e).float()
    }
    fn with<R>(&mut self, name: Name, value: Value, f: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.names.insert(name, value);
        let result = f(self);
        match before {
            Some(before) => self.names.insert(name, before),
            None => self.names.remove(&name),
        };
        result
    }
    fn eval(&mut self, e: &Ex) -> Value {
        match e {
            Ex::Float(x) => Value::Float(*x),
            Ex::Int(n) => Value::Int(*n),
            Ex::Bool(b) => Value::Bool(*b),
            Ex::Var(name, _) => self.names[name].clone(),
            Ex::Unary(name, e) => self.unary(name, e),
            Ex::Binary(name, a, b) => self.binary(name, a, b),
            Ex::If(c, a, b) => match self.eval(c).bool() {
                true => self.eval(a),
                false => self.eval(b),
            },
            Ex::ToFloat(e) => Value::Float(self.eval(e).int() as f64),
            Ex::Pair(a, b) => Value::Pair(self.float(a), self.float(b)),
            Ex::Struct(a, b, n) => {
                let (a, b, n) = (self.float(a), self.eval(b), self.eval(n).int());
                match b {
                    Value::Pair(x, y) => Value::Struct(a, (x, y), n),
                    other => panic!("{other:?} is no pair"),
                }
            }
            Ex::Some(e) => Value::Option(Some(self.float(e))),
            Ex::None => Value::Option(None),
            Ex::One(e) => Value::One(self.float(e)),
            Ex::Two(x, n) => Value::Two(self.float(x), self.eval(n).int()),
            Ex::Empty => Value::Empty,
            Ex::List(items) => Value::Vec(items.iter().map(|e| self.float(e)).collect()),
            Ex::Field(e, name) => field(self.eval(e), name),
            Ex::At(v, i) => {
                let (mut v, i) = (self.eval(v), self.eval(i).int());
                let v = v.vec();
                Value::Float(v[i as usize % v.len()])
            }
            Ex::MatchOption(o, name, some, none) => match self.eval(o) {
                Value::Option(Some(x)) => self.with(*name, Value::Float(x), |m| m.eval(some)),
                _ => self.eval(none),
            },
            Ex::MatchEnum(e, v, n, one, two, empty) => match self.eval(e) {
                Value::One(x) => self.with(*v, Value::Float(x), |m| m.eval(one)),
                Value::Two(x, k) => self.with(*v, Value::Float(x), |m| {
                    m.with(*n, Value::Int(k), |m| m.eval(two))
                }),
                _ => self.eval(empty),
            },
            Ex::Call(index, args) => {
                let args = args.iter().map(|e| self.eval(e)).collect();
                Value::Float(self.call(*index, args))
            }
            Ex::CallVar(name, e) => {
                let x = self.eval(e);
                let Value::Closure(param, body, mut names) = self.names[name].clone() else {
                    panic!("v{name} is no closure");
                };
                names.insert(param, x);
                let program = self.program;
                Machine { program, names }.eval(&body)
            }
        }
    }
    fn call(&self, index: usize, args: Vec<Value>) -> f64 {
        let helper = &self.program.helpers[index];
        let params = helper.fuel.iter().chain(&helper.params);
        let names: HashMap<Name, Value> = params.copied().zip(args).collect();
        let mut machine = Machine {
            program: self.program,
            names,
        };
        if let Some(fuel) = helper.fuel
            && machine.names[&fuel].clone().int() <= 0
        {
            return machine.names[&helper.params[0]].clone().float();
        }
        match machine.block(&helper.body) {
            Flow::Return(value) => value,
            _ => machine.float(&helper.value),
        }
    }
    fn unary(&mut self, name: &str, e: &Ex) -> Value {
        let value = self.eval(e);
        if name == "not" {
            return Value::Bool(!value.bool());
        }
        let x = value.float();
        Value::Float(match name {
            "sin" => x.sin(),
            "cos" => x.cos(),
            "tanh" => x.tanh(),
            "neg" => -x,
            _ => 0.5 * x,
        })
    }
    fn binary(&mut self, name: &str, a: &Ex, b: &Ex) -> Value {
        let left = self.eval(a);
        match (name, left) {
            ("and", Value::Bool(a)) => Value::Bool(a && self.eval(b).bool()),
            (_, Value::Bool(a)) => Value::Bool(a || self.eval(b).bool()),
            (_, Value::Int(a)) => {
                let b = self.eval(b).int();
                match name {
                    "add" => Value::Int(a + b),
                    "sub" => Value::Int(a - b),
                    "mul" => Value::Int(a * b),
                    _ => Value::Bool(a == b),
                }
            }
            (_, left) => {
                let (a, b) = (left.float(), self.float(b));
                match name {
                    "add" => Value::Float(a + b),
                    "sub" => Value::Float(a - b),
                    "mul" => Value::Float(a * b),
                    "max" => Value::Float(a.max(b)),
                    "min" => Value::Float(a.min(b)),
                    "lt" => Value::Bool(a < b),
                    _ => Value::Bool(a <= b),
                }
            }
        }
    }
    /// Names declared in a block end with it, all but the main one.
    fn block(&mut self, block: &[St]) -> Flow {
        for statement in block {
            match self.statement(statement) {
                Flow::On => {}
                other => return other,
            }
        }
        Flow::On
    }
    fn statement(&mut self, statement: &St) -> Flow {
        match statement {
            St::Let(name, _, e) | St::Assign(name, e) => {
                let value = self.eval(e);
                self.names.insert(*name, value);
            }
            St::Closure(name, param, body) => {
                let closure = Value::Closure(*param, body.clone(), self.names.clone());
                self.names.insert(*name, closure);
            }
            St::AddTo(name, e) => {
                let sum = self.names[name].clone().float() + self.float(e);
                self.names.insert(*name, Value::Float(sum));
            }
            St::SetField(name, path, e) => {
                let value = self.float(e);
                match (self.names.get_mut(name), *path) {
                    (Some(Value::Pair(x, _)), ["0"]) => *x = value,
                    (Some(Value::Pair(_, y)), ["1"]) => *y = value,
                    (Some(Value::Struct(a, ..)), ["a"]) => *a = value,
                    (Some(Value::Struct(_, (_, y), _)), _) => *y = value,
                    other => panic!("{other:?}"),
                }
            }
            St::SetAt(v, i, e) => {
                let (i, value) = (self.eval(i).int(), self.float(e));
                let Ex::Var(name, _) = v else {
                    panic!("{v} is no variable");
                };
                let v = self.names.get_mut(name).expect("a vector").vec();
                let length = v.len();
                v[i as usize % length] = value;
            }
            St::Push(name, e) => {
                let value = self.float(e);
                self.names
                    .get_mut(name)
                    .expect("a vector")
                    .vec()
                    .push(value);
            }
            St::If(c, then, otherwise) => {
                return match self.eval(c).bool() {
                    true => self.block(then),
                    false => self.block(otherwise),
                };
            }
            St::For(name, end, body) => {
                for i in 0..self.eval(end).int() {
                    self.names.insert(*name, Value::Int(i));
                    match self.block(body) {
                        Flow::On | Flow::Continue => {}
                        Flow::Break => break,
                        other => return other,
                    }
                }
            }
            St::ForEach(name, body) => {
                for v in self.names[&X].clone().vec().clone() {
                    self.names.insert(*name, Value::Float(v));
                    match self.block(body) {
                        Flow::On | Flow::Continue => {}
                        Flow::Break => break,
                        other => return other,
                    }
                }
            }
            St::ForMut(name, e) => {
                let mut u = self.names[&U].clone().vec().clone();
                for v in u.iter_mut() {
                    *v = self.with(*name, Value::Float(*v), |m| m.float(e));
                }
                self.names.insert(U, Value::Vec(u));
            }
            St::While(name, c, body) => {
                let mut k = 0;
                while k < 4 && self.eval(c).bool() {
                    k += 1;
                    match self.block(body) {
                        Flow::On | Flow::Continue => {}
                        Flow::Break => break,
                        other => return other,
                    }
                }
                self.names.insert(*name, Value::Int(k));
            }
            St::Leave(ends, c) => {
                return match (self.eval(c).bool(), ends) {
                    (true, true) => Flow::Break,
                    (true, false) => Flow::Continue,
                    (false, _) => Flow::On,
                };
            }
            St::Return(c, e) => {
                if self.eval(c).bool() {
                    return Flow::Return(self.float(e));
                }
            }
            St::Bump(name, e) => {
                let (p, by) = (self.names[name].clone().float(), self.float(e));
                self.names.insert(*name, Value::Float(p.sin() + by * p));
            }
            St::IfSome(name, e, body) => {
                if let Value::Option(Some(x)) = self.eval(e) {
                    self.names.insert(*name, Value::Float(x));
                    return self.block(body);
                }
            }
        }
        Flow::On
    }
}

fn field(value: Value, name: &str) -> Value {
    match (value, name) {
        (Value::Pair(x, _), "0") => Value::Float(x),
        (Value::Pair(_, y), _) => Value::Float(y),
        (Value::Struct(a, ..), "a") => Value::Float(a),
        (Value::Struct(_, (x, y), _), "b") => Value::Pair(x, y),
        (Value::Struct(.., n), _) => Value::Int(n),
        (other, _) => panic!("{other:?} has no field {name}"),
    }
}
