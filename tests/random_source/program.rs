//! Programs: their syntax, how they are made, how they are written in Rust.

use mooncake::testing::random::Random;
use std::fmt;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum T {
    Float,
    Int,
    Bool,
    /// `(f64, f64)`
    Pair,
    /// `S { a: f64, b: (f64, f64), n: i64 }`
    Struct,
    /// `Option<f64>`
    Option,
    /// `Vec<f64>`, never empty
    Vec,
    /// `E::One(f64) | E::Two { x: f64, n: i64 } | E::None`
    Enum,
}

pub type Name = usize;

/// An expression.
#[derive(Clone, Debug)]
pub enum Ex {
    Float(f64),
    Int(i64),
    Bool(bool),
    Var(Name, T),
    /// `sin cos tanh neg half`
    Unary(&'static str, Box<Ex>),
    /// `add sub mul max min lt le eq and or not`
    Binary(&'static str, Box<Ex>, Box<Ex>),
    If(Box<Ex>, Box<Ex>, Box<Ex>),
    ToFloat(Box<Ex>),
    Pair(Box<Ex>, Box<Ex>),
    Struct(Box<Ex>, Box<Ex>, Box<Ex>),
    Some(Box<Ex>),
    None,
    One(Box<Ex>),
    Two(Box<Ex>, Box<Ex>),
    Empty,
    /// `vec![a, b]`
    List(Vec<Ex>),
    /// A field of a pair or struct: `0 1 a b n`.
    Field(Box<Ex>, &'static str),
    /// Element of a vector or slice at `index % len`.
    At(Box<Ex>, Box<Ex>),
    /// `match o { Some(v) => …, None => … }`
    MatchOption(Box<Ex>, Name, Box<Ex>, Box<Ex>),
    /// `match e { E::One(v) => …, E::Two { x: v, n } => …, E::None => … }`
    MatchEnum(Box<Ex>, Name, Name, Box<Ex>, Box<Ex>, Box<Ex>),
    /// A function of the program.
    Call(usize, Vec<Ex>),
    /// A variable that holds a closure of a float.
    CallVar(Name, Box<Ex>),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum St {
    Let(Name, T, Ex),
    /// `let f = |v| body;`
    Closure(Name, Name, Ex),
    Assign(Name, Ex),
    AddTo(Name, Ex),
    /// `x.field = e`, `x.b.0 = e`
    SetField(Name, &'static [&'static str], Ex),
    /// `v[i % len] = e`, of a vector or of `u`
    SetAt(Ex, Ex, Ex),
    Push(Name, Ex),
    /// `if let Some(v) = x.pop() { .. }` of a vector with more than one element
    If(Ex, Vec<St>, Vec<St>),
    /// `for i in 0..n { }`
    For(Name, Ex, Vec<St>),
    /// `for v in x.iter() { }` of `x`, of `u` with mutation: `for v in u.iter_mut() { *v = e }`
    ForEach(Name, Vec<St>),
    ForMut(Name, Ex),
    /// A loop of at most four turns: `let mut k = 0; while k < 4 && c { k += 1; … }`
    While(Name, Ex, Vec<St>),
    /// `if c { break }`, `if c { continue }` inside loops
    Leave(bool, Ex),
    /// `if c { return e }`
    Return(Ex, Ex),
    /// `bump(&mut x, e)`: a function with a mutable reference to a float
    Bump(Name, Ex),
    /// `if let Some(v) = o { … }`
    IfSome(Name, Ex, Vec<St>),
}

/// A helper function: of floats, by value. With `fuel`, it may call itself: its first parameter is an `i64`.
#[derive(Clone, Debug)]
pub struct Helper {
    pub params: Vec<Name>,
    pub fuel: Option<Name>,
    pub body: Vec<St>,
    pub value: Ex,
}

/// A program: helpers, then `fn program(x: &[f64], u: &mut [f64], a: f64, n: usize) -> f64`.
#[derive(Clone, Debug)]
pub struct Program {
    pub helpers: Vec<Helper>,
    pub body: Vec<St>,
    pub value: Ex,
}

/// The names of the main function's parameters.
pub const X: Name = 0;
pub const U: Name = 1;
pub const A: Name = 2;
pub const N: Name = 3;

struct Maker<'r> {
    random: &'r mut Random,
    /// Names in scope, whether they may be assigned to.
    scope: Vec<(Name, T, bool)>,
    closures: Vec<Name>,
    next: Name,
    /// The helpers there are: number of parameters, whether they take fuel.
    helpers: Vec<(usize, bool)>,
    /// The helper being made may call itself with one less of this.
    own: Option<(usize, usize, Name)>,
    in_loop: bool,
    /// Whether `x` and `u` are there.
    main: bool,
    budget: usize,
}

impl Program {
    /// A program of modest size.
    pub fn random(random: &mut Random) -> Program {
        let mut helpers = Vec::new();
        let mut known = Vec::new();
        for index in 0..random.below(3) {
            let helper = Helper::random(random, index, &known);
            known.push((helper.params.len(), helper.fuel.is_some()));
            helpers.push(helper);
        }
        let mut maker = Maker {
            random,
            scope: vec![(A, T::Float, true)],
            closures: Vec::new(),
            next: 10,
            helpers: known,
            own: None,
            in_loop: false,
            main: true,
            budget: 40,
        };
        let count = 3 + maker.random.below(6);
        let body = maker.block(count, 3);
        let value = maker.float(3);
        Program {
            helpers,
            body,
            value,
        }
    }
}

impl Helper {
    fn random(random: &mut Random, index: usize, known: &[(usize, bool)]) -> Helper {
        let params: Vec<Name> = (0..1 + random.below(2)).map(|i| 4 + i).collect();
        let fuel = (random.below(2) == 0).then_some(9);
        let mut maker = Maker {
            random,
            scope: params.iter().map(|&p| (p, T::Float, true)).collect(),
            closures: Vec::new(),
            next: 10,
            helpers: known.to_vec(),
            own: fuel.map(|fuel| (index, params.len(), fuel)),
            in_loop: false,
            main: false,
            budget: 12,
        };
        let count = 1 + maker.random.below(3);
        let body = maker.block(count, 2);
        let value = maker.float(2);
        Helper {
            params,
            fuel,
            body,
            value,
        }
    }
}

impl Maker<'_> {
    fn fresh(&mut self) -> Name {
        self.next += 1;
        self.next - 1
    }
    fn chance(&mut self, of: usize) -> bool {
        self.random.below(of) == 0
    }
    fn pick(&mut self, ty: T, mutable: bool) -> Option<Name> {
        let fits: Vec<Name> = self
            .scope
            .iter()
            .filter(|&&(_, t, m)| t == ty && (m || !mutable))
            .map(|s| s.0)
            .collect();
        match fits.is_empty() {
            true => None,
            false => Some(self.random.choose(&fits)),
        }
    }
    /// A block of its own scope.
    fn block(&mut self, count: usize, depth: usize) -> Vec<St> {
        let (names, closures) = (self.scope.len(), self.closures.len());
        let mut block = Vec::new();
        for _ in 0..count {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            block.push(self.statement(depth));
        }
        // The main body's names stay in scope for the value.
        if depth < 3 && (self.main || depth < 2) {
            self.scope.truncate(names);
            self.closures.truncate(closures);
        }
        block
    }
    fn looped(&mut self, count: usize, depth: usize) -> Vec<St> {
        let outer = std::mem::replace(&mut self.in_loop, true);
        let block = self.block(count, depth);
        self.in_loop = outer;
        block
    }
    fn statement(&mut self, depth: usize) -> St {
        let deep = depth > 0;
        match self.random.below(20) {
            0 | 1 => self.declare(T::Float),
            2 => self.declare(T::Pair),
            3 => self.declare(T::Struct),
            4 => self.declare(T::Option),
            5 => self.declare(T::Vec),
            6 => self.declare(T::Enum),
            7 => {
                let (name, param) = (self.fresh(), self.fresh());
                let body = self.closed(param);
                self.closures.push(name);
                St::Closure(name, param, body)
            }
            8 if deep => {
                let condition = self.bool(1);
                let (then, otherwise) = (self.block(2, depth - 1), self.block(1, depth - 1));
                St::If(condition, then, otherwise)
            }
            9 if deep => {
                let name = self.fresh();
                let end = if self.main && self.chance(2) {
                    Ex::Var(N, T::Int)
                } else {
                    Ex::Int(3)
                };
                self.scope.push((name, T::Int, false));
                let body = self.looped(2, depth - 1);
                self.scope.retain(|s| s.0 != name);
                St::For(name, end, body)
            }
            10 if deep && self.main => {
                let name = self.fresh();
                self.scope.push((name, T::Float, false));
                let body = self.looped(2, depth - 1);
                self.scope.retain(|s| s.0 != name);
                St::ForEach(name, body)
            }
            11 if self.main => {
                let name = self.fresh();
                St::ForMut(name, self.closed(name))
            }
            12 if deep => {
                let name = self.fresh();
                let condition = self.bool(1);
                St::While(name, condition, self.looped(2, depth - 1))
            }
            13 if self.main => {
                let (index, value) = (self.int(1), self.float(2));
                St::SetAt(Ex::Var(U, T::Vec), index, value)
            }
            14 if self.in_loop => St::Leave(self.random.below(2) == 0, self.bool(1)),
            15 if self.chance(3) => St::Return(self.bool(1), self.float(1)),
            16 => match self.pick(T::Float, true) {
                Some(name) => St::Bump(name, self.float(1)),
                None => self.declare(T::Float),
            },
            17 if deep => {
                let name = self.fresh();
                let option = self.option(1);
                self.scope.push((name, T::Float, false));
                let body = self.block(2, depth - 1);
                self.scope.retain(|s| s.0 != name);
                St::IfSome(name, option, body)
            }
            _ => self.mutate(),
        }
    }
    /// An expression of one more name that sees values only: what a `move` closure may take along.
    fn closed(&mut self, param: Name) -> Ex {
        let scope = self.scope.clone();
        let closures = std::mem::take(&mut self.closures);
        let main = std::mem::replace(&mut self.main, false);
        self.scope.retain(|s| s.1 != T::Vec);
        self.scope.push((param, T::Float, false));
        let body = self.float(2);
        (self.scope, self.closures, self.main) = (scope, closures, main);
        body
    }
    fn mutate(&mut self) -> St {
        let kind = self.random.below(7);
        let ty = [
            T::Float,
            T::Float,
            T::Pair,
            T::Struct,
            T::Vec,
            T::Vec,
            T::Option,
        ][kind];
        let Some(name) = self.pick(ty, true) else {
            return self.declare(ty);
        };
        match kind {
            0 => St::Assign(name, self.float(2)),
            1 => St::AddTo(name, self.float(2)),
            2 => {
                let path: &[&str] = if self.chance(2) { &["0"] } else { &["1"] };
                St::SetField(name, path, self.float(2))
            }
            3 => {
                let path: &[&str] = if self.chance(2) { &["a"] } else { &["b", "1"] };
                St::SetField(name, path, self.float(2))
            }
            4 => {
                let (index, value) = (self.int(1), self.float(2));
                St::SetAt(Ex::Var(name, T::Vec), index, value)
            }
            5 => St::Push(name, self.float(1)),
            _ => St::Assign(name, self.option(1)),
        }
    }
    fn declare(&mut self, ty: T) -> St {
        let value = self.value(ty, 2);
        let name = self.fresh();
        self.scope.push((name, ty, true));
        St::Let(name, ty, value)
    }
    fn value(&mut self, ty: T, depth: usize) -> Ex {
        match ty {
            T::Float => self.float(depth),
            T::Int => self.int(depth),
            T::Bool => self.bool(depth),
            T::Pair => self.pair(depth),
            T::Struct => {
                let (a, b, n) = (self.float(depth), self.pair(depth), self.int(1));
                Ex::Struct(a.into(), b.into(), n.into())
            }
            T::Option => self.option(depth),
            T::Vec => {
                let count = 1 + self.random.below(3);
                Ex::List((0..count).map(|_| self.float(1)).collect())
            }
            T::Enum => self.variant(depth),
        }
    }
    fn pair(&mut self, depth: usize) -> Ex {
        if let (Some(name), true) = (self.pick(T::Pair, false), self.chance(2)) {
            return Ex::Var(name, T::Pair);
        }
        Ex::Pair(
            self.float(depth.saturating_sub(1)).into(),
            self.float(depth.saturating_sub(1)).into(),
        )
    }
    fn option(&mut self, depth: usize) -> Ex {
        match (self.pick(T::Option, false), self.random.below(3)) {
            (Some(name), 0) => Ex::Var(name, T::Option),
            (_, 1) => {
                let (c, v) = (self.bool(1), self.float(depth.saturating_sub(1)));
                Ex::If(c.into(), Ex::Some(v.into()).into(), Ex::None.into())
            }
            _ => Ex::Some(self.float(depth.saturating_sub(1)).into()),
        }
    }
    fn variant(&mut self, depth: usize) -> Ex {
        let float = self.float(depth.saturating_sub(1));
        let one = Ex::One(float.into());
        let two = Ex::Two(
            self.float(depth.saturating_sub(1)).into(),
            self.int(1).into(),
        );
        match self.random.below(4) {
            0 => one,
            1 => two,
            2 => Ex::If(self.bool(1).into(), one.into(), two.into()),
            _ => Ex::If(self.bool(1).into(), one.into(), Ex::Empty.into()),
        }
    }
    fn leaf(&mut self) -> Ex {
        match (self.pick(T::Float, false), self.random.below(5)) {
            (_, 0) => Ex::Float((1 + self.random.below(8)) as f64 / 4.0),
            (_, 1) if self.main => {
                let index = self.int(0);
                let of = if self.chance(3) { U } else { X };
                Ex::At(Ex::Var(of, T::Vec).into(), index.into())
            }
            (Some(name), _) => Ex::Var(name, T::Float),
            (None, _) => Ex::Float(0.5),
        }
    }
    fn float(&mut self, depth: usize) -> Ex {
        if depth == 0 || self.chance(5) {
            return self.leaf();
        }
        let d = depth - 1;
        match self.random.below(16) {
            0..=2 => {
                let op = self.random.choose(&["sin", "cos", "tanh", "neg", "half"]);
                Ex::Unary(op, self.float(d).into())
            }
            3..=6 => {
                let op = self
                    .random
                    .choose(&["add", "sub", "mul", "mul", "max", "min"]);
                Ex::Binary(op, self.float(d).into(), self.float(d).into())
            }
            7 => Ex::If(
                self.bool(d).into(),
                self.float(d).into(),
                self.float(d).into(),
            ),
            8 => Ex::ToFloat(self.int(d).into()),
            9 => match self.pick(T::Pair, false) {
                Some(name) => {
                    let field = self.random.choose(&["0", "1"]);
                    Ex::Field(Ex::Var(name, T::Pair).into(), field)
                }
                None => Ex::Field(self.pair(d).into(), "1"),
            },
            10 => match self.pick(T::Struct, false) {
                Some(name) if self.chance(2) => Ex::Field(Ex::Var(name, T::Struct).into(), "a"),
                Some(name) => {
                    Ex::Field(Ex::Field(Ex::Var(name, T::Struct).into(), "b").into(), "0")
                }
                None => self.leaf(),
            },
            11 => match self.pick(T::Vec, false) {
                Some(name) => Ex::At(Ex::Var(name, T::Vec).into(), self.int(d).into()),
                None => self.leaf(),
            },
            12 => {
                let name = self.fresh();
                let option = self.option(d);
                self.scope.push((name, T::Float, false));
                let then = self.float(d);
                self.scope.pop();
                Ex::MatchOption(option.into(), name, then.into(), self.float(d).into())
            }
            13 => {
                let (v, n) = (self.fresh(), self.fresh());
                let value = match self.pick(T::Enum, false) {
                    Some(name) => Ex::Var(name, T::Enum),
                    None => self.variant(d),
                };
                self.scope.push((v, T::Float, false));
                let one = self.float(d);
                self.scope.push((n, T::Int, false));
                let two = self.float(d);
                self.scope.truncate(self.scope.len() - 2);
                Ex::MatchEnum(
                    value.into(),
                    v,
                    n,
                    one.into(),
                    two.into(),
                    self.float(d).into(),
                )
            }
            14 => self.call(d),
            _ => match self.closures.is_empty() {
                true => self.leaf(),
                false => {
                    let closures = self.closures.clone();
                    Ex::CallVar(self.random.choose(&closures), self.float(d).into())
                }
            },
        }
    }
    fn call(&mut self, depth: usize) -> Ex {
        if let (Some((index, params, fuel)), true) = (self.own, self.chance(2)) {
            let less = Ex::Binary("sub", Ex::Var(fuel, T::Int).into(), Ex::Int(1).into());
            let mut args = vec![less];
            args.extend((0..params).map(|_| self.float(depth.min(1))));
            return Ex::Call(index, args);
        }
        if self.helpers.is_empty() {
            return self.leaf();
        }
        let index = self.random.below(self.helpers.len());
        let (params, fuel) = self.helpers[index];
        let mut args = Vec::new();
        if fuel {
            args.push(Ex::Int(2));
        }
        args.extend((0..params).map(|_| self.float(depth)));
        Ex::Call(index, args)
    }
    fn int(&mut self, depth: usize) -> Ex {
        match (self.pick(T::Int, false), self.random.below(4)) {
            (Some(name), 0) => Ex::Var(name, T::Int),
            (_, 1) if self.main => Ex::Var(N, T::Int),
            (_, 2) if depth > 0 => {
                let op = self.random.choose(&["add", "mul"]);
                Ex::Binary(op, self.int(0).into(), self.int(0).into())
            }
            (_, 3) => match self.pick(T::Struct, false) {
                Some(name) => Ex::Field(Ex::Var(name, T::Struct).into(), "n"),
                None => Ex::Int(1),
            },
            _ => Ex::Int(self.random.below(4) as i64),
        }
    }
    fn bool(&mut self, depth: usize) -> Ex {
        match self.random.below(5) {
            0 if depth > 0 => {
                let op = self.random.choose(&["and", "or"]);
                Ex::Binary(op, self.bool(depth - 1).into(), self.bool(depth - 1).into())
            }
            1 => Ex::Binary("eq", self.int(1).into(), self.int(0).into()),
            2 => Ex::Unary(
                "not",
                Ex::Binary("le", self.float(1).into(), self.float(0).into()).into(),
            ),
            _ => Ex::Binary("lt", self.float(1).into(), self.float(0).into()),
        }
    }
}

impl fmt::Display for Ex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |args: &[Ex]| {
            args.iter()
                .map(Ex::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        };
        match self {
            Ex::Float(x) => write!(f, "{x:?}"),
            Ex::Int(n) => write!(f, "{n}"),
            Ex::Bool(b) => write!(f, "{b}"),
            Ex::Var(X, _) => write!(f, "x"),
            Ex::Var(U, _) => write!(f, "u"),
            Ex::Var(A, _) => write!(f, "a"),
            Ex::Var(N, _) => write!(f, "(n as i64)"),
            Ex::Var(n, _) => write!(f, "v{n}"),
            Ex::Unary("neg", e) => write!(f, "(-{e})"),
            Ex::Unary("not", e) => write!(f, "(!{e})"),
            Ex::Unary("half", e) => write!(f, "(0.5 * {e})"),
            Ex::Unary(name, e) => write!(f, "{e}.{name}()"),
            Ex::Binary(name @ ("max" | "min"), a, b) => write!(f, "{a}.{name}({b})"),
            Ex::Binary(name, a, b) => write!(f, "({a} {} {b})", symbol(name)),
            Ex::If(c, a, b) => write!(f, "(if {c} {{ {a} }} else {{ {b} }})"),
            Ex::ToFloat(e) => write!(f, "({e} as f64)"),
            Ex::Pair(a, b) => write!(f, "({a}, {b})"),
            Ex::Struct(a, b, n) => write!(f, "S {{ a: {a}, b: {b}, n: {n} }}"),
            Ex::Some(e) => write!(f, "Some({e})"),
            Ex::None => write!(f, "None"),
            Ex::One(e) => write!(f, "E::One({e})"),
            Ex::Two(x, n) => write!(f, "E::Two {{ x: {x}, n: {n} }}"),
            Ex::Empty => write!(f, "E::None"),
            Ex::List(items) => write!(f, "vec![{}]", list(items)),
            Ex::Field(e, name) => write!(f, "{e}.{name}"),
            Ex::At(v, i) => write!(f, "{v}[({i}) as usize % {v}.len()]"),
            Ex::MatchOption(o, v, a, b) => {
                write!(f, "(match {o} {{ Some(v{v}) => {a}, None => {b} }})")
            }
            Ex::MatchEnum(e, v, n, a, b, c) => write!(
                f,
                "(match {e} {{ E::One(v{v}) => {a}, E::Two {{ x: v{v}, n: v{n} }} => {b}, E::None => {c} }})"
            ),
            Ex::Call(index, args) => write!(f, "h{index}({})", list(args)),
            Ex::CallVar(name, e) => write!(f, "v{name}({e})"),
        }
    }
}

pub fn symbol(name: &str) -> &'static str {
    match name {
        "add" => "+",
        "sub" => "-",
        "mul" => "*",
        "lt" => "<",
        "le" => "<=",
        "eq" => "==",
        "and" => "&&",
        _ => "||",
    }
}

fn write_block(f: &mut fmt::Formatter<'_>, block: &[St], indent: usize) -> fmt::Result {
    block.iter().try_for_each(|s| s.write(f, indent))
}

impl St {
    fn write(&self, f: &mut fmt::Formatter<'_>, indent: usize) -> fmt::Result {
        let pad = "    ".repeat(indent);
        let name = |n: &Name| Ex::Var(*n, T::Float).to_string();
        let (head, blocks): (String, Vec<&[St]>) = match self {
            St::Let(n, _, e) => return writeln!(f, "{pad}let mut v{n} = {e};"),
            St::Closure(n, p, e) => return writeln!(f, "{pad}let v{n} = move |v{p}: f64| {e};"),
            St::Assign(n, e) => return writeln!(f, "{pad}{} = {e};", name(n)),
            St::AddTo(n, e) => return writeln!(f, "{pad}{} += {e};", name(n)),
            St::SetField(n, path, e) => return writeln!(f, "{pad}v{n}.{} = {e};", path.join(".")),
            St::SetAt(v, i, e) => {
                writeln!(f, "{pad}let length = {v}.len();")?;
                return writeln!(f, "{pad}{v}[({i}) as usize % length] = {e};");
            }
            St::Push(n, e) => return writeln!(f, "{pad}v{n}.push({e});"),
            St::Leave(true, c) => return writeln!(f, "{pad}if {c} {{ break; }}"),
            St::Leave(false, c) => return writeln!(f, "{pad}if {c} {{ continue; }}"),
            St::Return(c, e) => return writeln!(f, "{pad}if {c} {{ return {e}; }}"),
            St::Bump(n, e) => return writeln!(f, "{pad}bump(&mut {}, {e});", name(n)),
            St::ForMut(n, e) => {
                return writeln!(
                    f,
                    "{pad}for v{n} in u.iter_mut() {{ *v{n} = {e}; }}  // v{n} is its value"
                );
            }
            St::If(c, a, b) => (format!("if {c}"), vec![a, b]),
            St::For(n, e, b) => (format!("for v{n} in 0..{e}"), vec![b]),
            St::ForEach(n, b) => (format!("for &v{n} in x"), vec![b]),
            St::While(n, c, b) => {
                writeln!(f, "{pad}let mut v{n} = 0;")?;
                writeln!(f, "{pad}while v{n} < 4 && {c} {{")?;
                writeln!(f, "{pad}    v{n} += 1;")?;
                write_block(f, b, indent + 1)?;
                return writeln!(f, "{pad}}}");
            }
            St::IfSome(n, e, b) => (format!("if let Some(v{n}) = {e}"), vec![b]),
        };
        writeln!(f, "{pad}{head} {{")?;
        for (i, block) in blocks.iter().enumerate() {
            if i > 0 {
                writeln!(f, "{pad}}} else {{")?;
            }
            write_block(f, block, indent + 1)?;
        }
        writeln!(f, "{pad}}}")
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "fn bump(p: &mut f64, by: f64) {{ *p = p.sin() + by * *p; }}"
        )?;
        for (index, helper) in self.helpers.iter().enumerate() {
            let mut params: Vec<String> =
                helper.fuel.iter().map(|n| format!("v{n}: i64")).collect();
            params.extend(helper.params.iter().map(|n| format!("mut v{n}: f64")));
            writeln!(f, "fn h{index}({}) -> f64 {{", params.join(", "))?;
            if let Some(fuel) = helper.fuel {
                writeln!(f, "    if v{fuel} <= 0 {{ return v{}; }}", helper.params[0])?;
            }
            write_block(f, &helper.body, 1)?;
            writeln!(f, "    {}\n}}", helper.value)?;
        }
        writeln!(
            f,
            "fn program(x: &[f64], u: &mut [f64], mut a: f64, n: usize) -> f64 {{"
        )?;
        write_block(f, &self.body, 1)?;
        writeln!(f, "    {}\n}}", self.value)
    }
}
