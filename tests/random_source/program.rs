//! Programs: their syntax, how they are made.

use mooncake::testing::random::Random;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum T {
    Float,
    /// `f32`
    Single,
    Int,
    Bool,
    /// `(f64, f64)`
    Pair,
    Struct,
    /// `Option<f64>`
    Option,
    /// `Result<f64, f64>`
    Result,
    /// `Vec<f64>`
    Vec,
    /// `[f64; 3]`
    Array,
    /// `&[f64]`
    Slice,
    /// `Vec<S>`
    Structs,
    Enum,
    List,
    /// `&Box<L>`: the rest of a list
    Rest,
    /// `Box<dyn Fn(f64) -> f64>`
    Fun,
}

pub type Name = usize;

/// An expression.
#[derive(Clone, Debug)]
pub enum Ex {
    Float(f64),
    Int(i64),
    Bool(bool),
    Var(Name, T),
    Node(Op, Vec<Ex>),
}

/// What an expression does with its operands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Op {
    /// `sin cos tanh neg half not`
    Unary(&'static str),
    /// `add sub mul div rem max min lt le eq and or`
    Binary(&'static str),
    /// Condition, then, otherwise.
    If,
    ToFloat,
    ToSingle,
    ToInt,
    Pair,
    Struct,
    Some,
    None,
    Ok,
    Err,
    One,
    Two,
    Empty,
    /// `L::Node(value, Box::new(rest))`
    Cons,
    End,
    /// `vec![..]`
    List,
    Array,
    /// `&x[lo..hi]`
    Slice(usize, usize),
    Clone,
    /// `0 1 a b n`
    Field(&'static str),
    /// Element at `index % len`.
    At,
    /// Element at an index that may be too large.
    Raw,
    /// `match o { Some(v) => …, None => … }`
    MatchOption(Name),
    /// `match r { Ok(v) => …, Err(w) => … }`
    MatchResult(Name, Name),
    /// `match e { E::One(v) => …, E::Two { x: v, n } => …, E::None => … }`
    MatchEnum(Name, Name),
    /// `match l { L::Node(v, rest) => …, L::End => … }`
    MatchList(Name, Name),
    /// A function of the program, and what it gives.
    Call(usize, T),
    /// A variable that holds a closure of a float, or `Box<dyn Fn>`.
    CallVar(Name),
    /// `{ let f = |v| body; f(a) + f(b) }`
    Apply(Name),
    /// `if c { Box::new(move |v| …) } else { Box::new(move |v| …) }`
    Choose(Name),
    /// `sum fold filter` over the elements of a list of floats, of a closure's results
    Chain(&'static str, Name),
    /// `total root both ratio chained size` of the library
    Lib(&'static str),
    /// `e?` of an option, in a function that gives one
    Try,
}

/// How a statement leaves.
#[derive(Clone, Debug)]
pub enum Exit {
    Break(Option<Name>),
    Continue(Option<Name>),
    Return(Ex),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum St {
    Let(Name, T, Ex),
    /// `let f = move |v| body;`
    Closure(Name, Name, Ex),
    Assign(Name, Ex),
    /// `place op= e`
    Update(&'static str, Ex, Ex),
    /// `place = e`
    Set(Ex, Ex),
    Push(Name, Ex),
    /// `if v.len() > 1 { if let Some(p) = v.pop() { … } }`
    Pop(Name, Name, Vec<St>),
    /// `while let Some(p) = v.pop() { … } v.push(e);`
    Drain(Name, Name, Vec<St>, Ex),
    If(Ex, Vec<St>, Vec<St>),
    /// `'l: for i in 0..n { }`
    For(Name, Ex, Vec<St>),
    /// `'l: for &v in list { }`
    ForEach(Name, Ex, Vec<St>),
    /// `for v in list[from..].iter_mut() { *v = e }`
    ForMut(Name, Name, usize, Ex),
    /// `for s in list.iter_mut() { s.turn(e) }`
    ForTurn(Name, Name, Ex),
    /// A loop of at most four turns: `let mut k = 0; 'l: while k < 4 && c { k += 1; … }`
    While(Name, Ex, Vec<St>),
    /// `if c { exit }` inside loops
    Leave(Ex, Exit),
    /// `bump shift grow turn` of the library, of a place
    Call(&'static str, Ex, Ex),
    /// `if let Some(v) = o { … }`
    IfSome(Name, Ex, Vec<St>),
    /// `let Some(v) = o else { exit };`
    LetElse(Name, Ex, Exit),
    /// `let mut g = |p| { v = body; v * p }; let r = g(a) + g(b);`: names of `g`, `p`, `r`, `v`
    Mutating([Name; 4], Ex, Ex, Ex),
}

/// A helper function: of floats, by value. With `fuel`, it may call itself: its first parameter is an `i64`.
#[derive(Clone, Debug)]
pub struct Helper {
    pub params: Vec<Name>,
    pub fuel: Option<Name>,
    /// Float or option.
    pub gives: T,
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

pub fn node(op: Op, args: impl Into<Vec<Ex>>) -> Ex {
    Ex::Node(op, args.into())
}

impl Ex {
    pub fn ty(&self) -> T {
        let (op, args) = match self {
            Ex::Float(_) => return T::Float,
            Ex::Int(_) => return T::Int,
            Ex::Bool(_) => return T::Bool,
            Ex::Var(_, ty) => return *ty,
            Ex::Node(op, args) => (op, args),
        };
        match op {
            Op::Unary("not") | Op::Binary("lt" | "le" | "eq" | "and" | "or") => T::Bool,
            Op::Unary(_) | Op::Binary(_) | Op::Clone => args[0].ty(),
            Op::If | Op::MatchOption(_) | Op::MatchResult(..) => args[1].ty(),
            Op::MatchEnum(..) | Op::MatchList(..) => args[1].ty(),
            Op::ToFloat | Op::CallVar(_) | Op::Apply(_) | Op::Chain(..) | Op::Try => T::Float,
            Op::ToSingle => T::Single,
            Op::ToInt => T::Int,
            Op::Pair => T::Pair,
            Op::Struct => T::Struct,
            Op::Some | Op::None | Op::Lib("root" | "both") => T::Option,
            Op::Ok | Op::Err | Op::Lib("ratio" | "chained") => T::Result,
            Op::Lib(_) => T::Float,
            Op::One | Op::Two | Op::Empty => T::Enum,
            Op::Cons | Op::End => T::List,
            Op::List if args[0].ty() == T::Struct => T::Structs,
            Op::List => T::Vec,
            Op::Array => T::Array,
            Op::Slice(..) => T::Slice,
            Op::Field("n") => T::Int,
            Op::Field("b") => T::Pair,
            Op::Field(_) => T::Float,
            Op::At | Op::Raw if args[0].ty() == T::Structs => T::Struct,
            Op::At | Op::Raw => T::Float,
            Op::Call(_, gives) => *gives,
            Op::Choose(_) => T::Fun,
        }
    }
}

impl St {
    /// The expressions in it, those of the blocks in it not.
    pub fn exprs(&mut self) -> Vec<&mut Ex> {
        match self {
            St::Let(.., e) | St::Closure(.., e) | St::Assign(_, e) | St::Push(_, e) => vec![e],
            St::Update(_, a, b) | St::Set(a, b) | St::Call(_, a, b) => vec![a, b],
            St::Pop(..) => Vec::new(),
            St::Drain(.., e) | St::If(e, ..) | St::For(_, e, _) | St::ForEach(_, e, _) => vec![e],
            St::ForMut(.., e) | St::ForTurn(.., e) | St::While(_, e, _) => vec![e],
            St::IfSome(_, e, _) => vec![e],
            St::Leave(c, Exit::Return(e)) | St::LetElse(_, c, Exit::Return(e)) => vec![c, e],
            St::Leave(c, _) | St::LetElse(_, c, _) => vec![c],
            St::Mutating(_, a, b, c) => vec![a, b, c],
        }
    }
    /// The blocks in it.
    pub fn blocks(&mut self) -> Vec<&mut Vec<St>> {
        match self {
            St::If(_, a, b) => vec![a, b],
            St::Pop(.., b) | St::Drain(_, _, b, _) | St::For(.., b) | St::ForEach(.., b) => vec![b],
            St::While(.., b) | St::IfSome(.., b) => vec![b],
            _ => Vec::new(),
        }
    }
}

struct Maker<'r> {
    random: &'r mut Random,
    /// Names in scope, whether they may be assigned to.
    scope: Vec<(Name, T, bool)>,
    /// Names of closures.
    closures: Vec<Name>,
    next: Name,
    /// The helpers there are: number of parameters, whether they take fuel, what they give.
    helpers: Vec<(usize, bool, T)>,
    /// The helper being made may call itself with one less of this.
    own: Option<(usize, usize, Name)>,
    gives: T,
    /// The loops around.
    loops: Vec<Name>,
    /// Whether `x` and `n` are there, and `u`.
    main: bool,
    memory: bool,
    /// Not inside a closure.
    may_return: bool,
    budget: usize,
    /// Whether what may panic is made.
    faults: bool,
}

impl Program {
    /// A program of modest size.
    pub fn random(random: &mut Random) -> Program {
        let faults = random.below(4) == 0;
        let mut helpers = Vec::new();
        let mut known = Vec::new();
        for index in 0..random.below(3) {
            let helper = Helper::random(random, index, &known, faults);
            known.push((helper.params.len(), helper.fuel.is_some(), helper.gives));
            helpers.push(helper);
        }
        let mut maker = Maker {
            random,
            scope: vec![(A, T::Float, true)],
            closures: Vec::new(),
            next: 10,
            helpers: known,
            own: None,
            gives: T::Float,
            loops: Vec::new(),
            main: true,
            memory: true,
            may_return: true,
            budget: 40,
            faults,
        };
        let count = 3 + maker.random.below(6);
        let body = maker.statements(count, 3);
        let value = maker.float(3);
        Program {
            helpers,
            body,
            value,
        }
    }
}

impl Helper {
    fn random(
        random: &mut Random,
        index: usize,
        known: &[(usize, bool, T)],
        faults: bool,
    ) -> Helper {
        let params: Vec<Name> = (0..1 + random.below(2)).map(|i| 4 + i).collect();
        let fuel = (random.below(2) == 0).then_some(9);
        let gives = random.choose(&[T::Float, T::Float, T::Option]);
        let mut maker = Maker {
            random,
            scope: params.iter().map(|&p| (p, T::Float, true)).collect(),
            closures: Vec::new(),
            next: 10,
            helpers: known.to_vec(),
            own: fuel.map(|fuel| (index, params.len(), fuel)),
            gives,
            loops: Vec::new(),
            main: false,
            memory: false,
            may_return: true,
            budget: 12,
            faults,
        };
        let count = 1 + maker.random.below(3);
        let body = maker.statements(count, 2);
        let value = maker.value(gives, 2);
        Helper {
            params,
            fuel,
            gives,
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
    fn pick_var(&mut self, ty: T) -> Option<Ex> {
        self.pick(ty, false).map(|name| Ex::Var(name, ty))
    }
    fn statements(&mut self, count: usize, depth: usize) -> Vec<St> {
        let mut block = Vec::new();
        for _ in 0..count {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            block.push(self.statement(depth));
        }
        block
    }
    /// A block of its own scope, in which these names are there as well.
    fn block(&mut self, count: usize, depth: usize, with: &[(Name, T)]) -> Vec<St> {
        let (names, closures) = (self.scope.len(), self.closures.len());
        self.scope
            .extend(with.iter().map(|&(n, ty)| (n, ty, false)));
        let block = self.statements(count, depth);
        self.scope.truncate(names);
        self.closures.truncate(closures);
        block
    }
    fn looped(&mut self, label: Name, depth: usize, with: &[(Name, T)]) -> Vec<St> {
        self.loops.push(label);
        let block = self.block(2, depth, with);
        self.loops.pop();
        block
    }
    /// What may only be used where it was declared is not there while `f` runs.
    fn without(&mut self, name: Name, f: impl FnOnce(&mut Self) -> Ex) -> Ex {
        let scope = self.scope.clone();
        self.scope.retain(|s| s.0 != name);
        let made = f(self);
        self.scope = scope;
        made
    }
    /// The body of a closure that copies what it captures.
    fn closed(&mut self, param: Name) -> Ex {
        let closures = std::mem::take(&mut self.closures);
        let scope = self.scope.clone();
        self.scope
            .retain(|s| !matches!(s.1, T::Vec | T::Structs | T::List | T::Rest | T::Fun));
        let made = self.inside(param);
        (self.scope, self.closures) = (scope, closures);
        made
    }
    /// The body of a closure.
    fn inside(&mut self, param: Name) -> Ex {
        let (memory, may_return) = (self.memory, self.may_return);
        (self.memory, self.may_return) = (false, false);
        self.scope.push((param, T::Float, false));
        let body = self.float(2);
        self.scope.pop();
        (self.memory, self.may_return) = (memory, may_return);
        body
    }
    fn exit(&mut self) -> Option<Exit> {
        let label = |m: &mut Self| match m.chance(2) {
            true => Some(m.random.choose(&m.loops.clone())),
            false => None,
        };
        Some(match self.random.below(7) {
            0..=2 if !self.loops.is_empty() => Exit::Break(label(self)),
            3..=5 if !self.loops.is_empty() => Exit::Continue(label(self)),
            6 => Exit::Return(self.value(self.gives, 1)),
            _ => return None,
        })
    }
    fn statement(&mut self, depth: usize) -> St {
        let made = match self.random.below(30) {
            n @ 0..=11 => {
                let kinds = [
                    T::Float,
                    T::Single,
                    T::Pair,
                    T::Struct,
                    T::Option,
                    T::Vec,
                    T::Enum,
                    T::Result,
                    T::Array,
                    T::Structs,
                    T::List,
                    T::Int,
                ];
                Some(self.declare(kinds[n]))
            }
            12 if self.main => Some(self.declare(T::Slice)),
            13 => Some(self.declare(T::Fun)),
            14 => {
                let (name, param) = (self.fresh(), self.fresh());
                let body = self.closed(param);
                self.closures.push(name);
                Some(St::Closure(name, param, body))
            }
            15 if !self.loops.is_empty() || self.chance(3) => {
                let condition = self.bool(1);
                self.exit().map(|exit| St::Leave(condition, exit))
            }
            16 => {
                let option = self.option(1);
                self.exit().map(|exit| {
                    let name = self.fresh();
                    self.scope.push((name, T::Float, false));
                    St::LetElse(name, option, exit)
                })
            }
            17 => self.mutating(),
            18..=22 if depth > 0 => self.nested(depth - 1),
            _ => self.mutate(),
        };
        match made {
            Some(made) => made,
            None => self.declare(T::Float),
        }
    }
    /// Statements with blocks.
    fn nested(&mut self, depth: usize) -> Option<St> {
        let name = self.fresh();
        Some(match self.random.below(8) {
            0 | 1 => {
                let condition = self.bool(1);
                let then = self.block(2, depth, &[]);
                St::If(condition, then, self.block(1, depth, &[]))
            }
            2 => {
                let end = match self.main && self.chance(2) {
                    true => Ex::Var(N, T::Int),
                    false => Ex::Int(3),
                };
                St::For(name, end, self.looped(name, depth, &[(name, T::Int)]))
            }
            3 => {
                let mut over = self.pick_var(T::Slice);
                if self.main && self.chance(2) {
                    over = Some(Ex::Var(X, T::Slice));
                }
                let body = self.looped(name, depth, &[(name, T::Float)]);
                St::ForEach(name, over?, body)
            }
            4 => {
                let condition = self.bool(1);
                St::While(name, condition, self.looped(name, depth, &[]))
            }
            5 => {
                let option = self.option(1);
                St::IfSome(name, option, self.block(2, depth, &[(name, T::Float)]))
            }
            6 => {
                let list = self.pick(T::Vec, true)?;
                St::Pop(list, name, self.block(2, depth, &[(name, T::Float)]))
            }
            _ => {
                let list = self.pick(T::Vec, true)?;
                let scope = self.scope.clone();
                self.scope.retain(|s| s.0 != list);
                let body = self.looped(name, depth, &[(name, T::Float)]);
                let value = self.float(1);
                self.scope = scope;
                St::Drain(list, name, body, value)
            }
        })
    }
    fn mutating(&mut self) -> Option<St> {
        let captured = self.pick(T::Float, true)?;
        let names = [self.fresh(), self.fresh(), self.fresh(), captured];
        let body = self.inside(names[1]);
        let a = self.without(captured, |m| m.float(1));
        let b = self.without(captured, |m| m.float(1));
        self.scope.push((names[2], T::Float, true));
        Some(St::Mutating(names, body, a, b))
    }
    /// A float that may be written to.
    fn place(&mut self) -> Option<Ex> {
        let field =
            |e, path: &[&'static str]| path.iter().fold(e, |e, field| node(Op::Field(field), [e]));
        Some(match self.random.below(7) {
            0 => Ex::Var(self.pick(T::Float, true)?, T::Float),
            1 => {
                let pair = Ex::Var(self.pick(T::Pair, true)?, T::Pair);
                let side = self.random.choose(&["0", "1"]);
                field(pair, &[side])
            }
            2 | 3 => {
                let holder = self.struct_place()?;
                match self.random.below(3) {
                    0 => field(holder, &["a"]),
                    1 => field(holder, &["b", "0"]),
                    _ => field(holder, &["b", "1"]),
                }
            }
            4 => {
                let list = Ex::Var(self.pick(T::Vec, true)?, T::Vec);
                node(Op::At, [list, self.int(1)])
            }
            5 => {
                let list = Ex::Var(self.pick(T::Array, true)?, T::Array);
                node(Op::At, [list, self.int(1)])
            }
            _ if self.memory => node(Op::At, [Ex::Var(U, T::Vec), self.int(1)]),
            _ => return None,
        })
    }
    fn struct_place(&mut self) -> Option<Ex> {
        match self.chance(2) {
            true => Some(Ex::Var(self.pick(T::Struct, true)?, T::Struct)),
            false => {
                let list = Ex::Var(self.pick(T::Structs, true)?, T::Structs);
                Some(node(Op::At, [list, self.int(1)]))
            }
        }
    }
    fn mutate(&mut self) -> Option<St> {
        Some(match self.random.below(14) {
            0 | 1 => {
                let place = self.place()?;
                St::Set(place, self.float(2))
            }
            2 | 3 => {
                let place = self.place()?;
                let op = self.random.choose(&["add", "sub", "mul"]);
                St::Update(op, place, self.float(2))
            }
            4 => {
                let place = self.struct_place()?;
                St::Set(place, self.value(T::Struct, 1))
            }
            5 => {
                let (ty, name) = match self.random.below(2) {
                    0 => (T::Float, self.pick(T::Vec, true)?),
                    _ => (T::Struct, self.pick(T::Structs, true)?),
                };
                St::Push(name, self.value(ty, 1))
            }
            6 | 7 => {
                let ty = self.random.choose(&[
                    T::Pair,
                    T::Struct,
                    T::Option,
                    T::Vec,
                    T::Enum,
                    T::Result,
                    T::Array,
                    T::Structs,
                    T::List,
                    T::Single,
                    T::Int,
                ]);
                let name = self.pick(ty, true)?;
                St::Assign(name, self.value(ty, 2))
            }
            8 => {
                let place = self.place()?;
                // What the place is in is borrowed.
                let by = self.leaf_without_places();
                St::Call("bump", place, by)
            }
            9 => {
                let place = self.struct_place()?;
                let by = self.leaf_without_places();
                let name = self.random.choose(&["shift", "turn"]);
                St::Call(name, place, by)
            }
            10 => {
                let list = Ex::Var(self.pick(T::List, true)?, T::List);
                St::Call("grow", list, self.float(1))
            }
            11 | 12 => {
                let name = self.fresh();
                let (list, from) = match self.memory && self.chance(2) {
                    true => (U, self.random.below(2)),
                    false => (self.pick(T::Vec, true)?, 0),
                };
                let body = self.without(list, |m| m.inside(name));
                St::ForMut(name, list, from, body)
            }
            _ => {
                let name = self.fresh();
                let list = self.pick(T::Structs, true)?;
                let by = self.without(list, |m| m.float(1));
                St::ForTurn(name, list, by)
            }
        })
    }
    fn leaf_without_places(&mut self) -> Ex {
        let scope = self.scope.clone();
        self.scope
            .retain(|s| s.1 == T::Float && !s.2 || matches!(s.1, T::Int | T::Slice));
        let memory = std::mem::replace(&mut self.memory, false);
        let closures = std::mem::take(&mut self.closures);
        let made = self.float(1);
        (self.scope, self.memory, self.closures) = (scope, memory, closures);
        made
    }
    fn declare(&mut self, ty: T) -> St {
        let value = self.value(ty, 2);
        let name = self.fresh();
        let mutable = !matches!(ty, T::Slice | T::Fun);
        if ty == T::Fun {
            self.closures.push(name);
        }
        self.scope.push((name, ty, mutable));
        St::Let(name, ty, value)
    }
    fn value(&mut self, ty: T, depth: usize) -> Ex {
        let less = depth.saturating_sub(1);
        match ty {
            T::Float => self.float(depth),
            T::Single => self.single(depth),
            T::Int => self.int(depth),
            T::Bool => self.bool(depth),
            T::Pair => self.pair(depth),
            T::Struct => {
                if let (Some(name), true) = (self.pick_var(T::Struct), self.chance(3)) {
                    return name;
                }
                let (a, b, n) = (self.float(depth), self.pair(depth), self.int(1));
                node(Op::Struct, [a, b, n])
            }
            T::Option => self.option(depth),
            T::Result => match (self.pick_var(T::Result), self.random.below(4)) {
                (Some(var), 0) => var,
                (_, 1) => {
                    let (c, a, b) = (self.bool(1), self.float(less), self.float(less));
                    node(Op::If, [c, node(Op::Ok, [a]), node(Op::Err, [b])])
                }
                _ => {
                    let name = self.random.choose(&["ratio", "chained"]);
                    node(Op::Lib(name), [self.float(less), self.float(less)])
                }
            },
            T::Vec | T::Structs | T::List => {
                if let (Some(var), true) = (self.pick_var(ty), self.chance(3)) {
                    return node(Op::Clone, [var]);
                }
                let count = 1 + self.random.below(3);
                match ty {
                    T::List => (0..count).fold(node(Op::End, []), |rest, _| {
                        node(Op::Cons, [self.float(1), rest])
                    }),
                    T::Vec => {
                        let items: Vec<Ex> = (0..count).map(|_| self.float(1)).collect();
                        node(Op::List, items)
                    }
                    _ => {
                        let items: Vec<Ex> = (0..count).map(|_| self.value(T::Struct, 0)).collect();
                        node(Op::List, items)
                    }
                }
            }
            T::Array => match (self.pick_var(T::Array), self.chance(3)) {
                (Some(var), true) => var,
                _ => node(Op::Array, [self.float(1), self.float(1), self.float(1)]),
            },
            T::Slice | T::Rest => {
                let from = self.random.below(3);
                let to = from + 1 + self.random.below(4 - from);
                node(Op::Slice(from, to), [Ex::Var(X, T::Slice)])
            }
            T::Enum => self.variant(depth),
            T::Fun => {
                let (param, condition) = (self.fresh(), self.bool(1));
                let (a, b) = (self.closed(param), self.closed(param));
                node(Op::Choose(param), [condition, a, b])
            }
        }
    }
    fn single(&mut self, depth: usize) -> Ex {
        let var = self.pick_var(T::Single);
        if depth == 0 || self.chance(4) {
            return match var {
                Some(var) => var,
                None => node(Op::ToSingle, [self.float(0)]),
            };
        }
        let d = depth - 1;
        match self.random.below(4) {
            0 => node(Op::Unary("neg"), [self.single(d)]),
            1 => node(Op::ToSingle, [self.float(d)]),
            2 => node(Op::If, [self.bool(d), self.single(d), self.single(d)]),
            _ => {
                let op = self.random.choose(&["add", "sub", "mul", "max", "min"]);
                node(Op::Binary(op), [self.single(d), self.single(d)])
            }
        }
    }
    fn pair(&mut self, depth: usize) -> Ex {
        if let (Some(var), true) = (self.pick_var(T::Pair), self.chance(2)) {
            return var;
        }
        let d = depth.saturating_sub(1);
        node(Op::Pair, [self.float(d), self.float(d)])
    }
    fn option(&mut self, depth: usize) -> Ex {
        let d = depth.saturating_sub(1);
        match (self.pick_var(T::Option), self.random.below(6)) {
            (Some(var), 0 | 1) => var,
            (_, 2) => {
                let (c, v) = (self.bool(1), self.float(d));
                node(Op::If, [c, node(Op::Some, [v]), node(Op::None, [])])
            }
            (_, 3) => node(Op::Lib("root"), [self.float(d)]),
            (_, 4) => node(Op::Lib("both"), [self.float(d), self.float(d)]),
            (_, 5) => match self.call(d, T::Option) {
                Some(call) => call,
                None => node(Op::Some, [self.float(d)]),
            },
            _ => node(Op::Some, [self.float(d)]),
        }
    }
    fn variant(&mut self, depth: usize) -> Ex {
        let d = depth.saturating_sub(1);
        if let (Some(var), true) = (self.pick_var(T::Enum), self.chance(3)) {
            return var;
        }
        let one = node(Op::One, [self.float(d)]);
        let two = node(Op::Two, [self.float(d), self.int(1)]);
        match self.random.below(4) {
            0 => one,
            1 => two,
            2 => node(Op::If, [self.bool(1), one, two]),
            _ => node(Op::If, [self.bool(1), one, node(Op::Empty, [])]),
        }
    }
    fn leaf(&mut self) -> Ex {
        match (self.pick_var(T::Float), self.random.below(5)) {
            (_, 0) => Ex::Float((1 + self.random.below(8)) as f64 / 4.0),
            (_, 1) if self.main => {
                let (index, memory) = (self.int(0), self.memory && self.chance(3));
                let (of, ty) = if memory { (U, T::Vec) } else { (X, T::Slice) };
                node(Op::At, [Ex::Var(of, ty), index])
            }
            (Some(var), _) => var,
            (None, _) => Ex::Float(0.5),
        }
    }
    fn float(&mut self, depth: usize) -> Ex {
        if depth == 0 || self.chance(5) {
            return self.leaf();
        }
        match self.composite(depth - 1) {
            Some(made) => made,
            None => self.leaf(),
        }
    }
    fn composite(&mut self, d: usize) -> Option<Ex> {
        Some(match self.random.below(26) {
            0..=2 => {
                let op = self.random.choose(&["sin", "cos", "tanh", "neg", "half"]);
                node(Op::Unary(op), [self.float(d)])
            }
            3..=6 => {
                let op = self
                    .random
                    .choose(&["add", "sub", "mul", "mul", "max", "min"]);
                node(Op::Binary(op), [self.float(d), self.float(d)])
            }
            7 => node(Op::If, [self.bool(d), self.float(d), self.float(d)]),
            8 => match self.chance(2) {
                true => node(Op::ToFloat, [self.int(d)]),
                false => node(Op::ToFloat, [self.single(d)]),
            },
            9 => {
                let field = self.random.choose(&["0", "1"]);
                node(Op::Field(field), [self.pair(d)])
            }
            10 | 11 => {
                let holder = self.struct_value()?;
                match self.random.below(4) {
                    0 => node(Op::Field("a"), [holder]),
                    1 => node(Op::Field("0"), [node(Op::Field("b"), [holder])]),
                    2 => node(Op::Field("1"), [node(Op::Field("b"), [holder])]),
                    _ => node(Op::Lib("size"), [holder, self.float(d)]),
                }
            }
            12 | 13 => {
                let list = self.floats()?;
                let op = match self.faults && self.chance(2) {
                    true => Op::Raw,
                    false => Op::At,
                };
                node(op, [list, self.int(d)])
            }
            14 => {
                let name = self.fresh();
                let option = self.option(d);
                let then = self.with(&[(name, T::Float)], |m| m.float(d));
                node(Op::MatchOption(name), [option, then, self.float(d)])
            }
            15 => {
                let (v, w) = (self.fresh(), self.fresh());
                let result = self.value(T::Result, d);
                let good = self.with(&[(v, T::Float)], |m| m.float(d));
                let bad = self.with(&[(w, T::Float)], |m| m.float(d));
                node(Op::MatchResult(v, w), [result, good, bad])
            }
            16 => {
                let (v, n) = (self.fresh(), self.fresh());
                let value = self.variant(d);
                let one = self.with(&[(v, T::Float)], |m| m.float(d));
                let two = self.with(&[(v, T::Float), (n, T::Int)], |m| m.float(d));
                node(Op::MatchEnum(v, n), [value, one, two, self.float(d)])
            }
            17 => {
                let (v, rest) = (self.fresh(), self.fresh());
                let list = self.pick_var(T::List)?;
                let some = self.with(&[(v, T::Float), (rest, T::Rest)], |m| m.float(d));
                node(Op::MatchList(v, rest), [list, some, self.float(d)])
            }
            18 => match (self.pick_var(T::Rest), self.pick_var(T::List)) {
                (Some(rest), _) => node(Op::Lib("total"), [rest]),
                (_, list) => node(Op::Lib("total"), [list?]),
            },
            19 | 20 => self.call(d, T::Float)?,
            21 => {
                let param = self.fresh();
                let body = self.inside(param);
                node(Op::Apply(param), [body, self.float(d), self.float(d)])
            }
            22 => {
                let param = self.fresh();
                let list = self.floats()?;
                let kind = self.random.choose(&["sum", "fold", "filter"]);
                let body = self.inside(param);
                node(Op::Chain(kind, param), [list, body])
            }
            23 if self.may_return && self.gives == T::Option => node(Op::Try, [self.option(d)]),
            _ => match self.closures.is_empty() {
                true => return None,
                false => {
                    let closures = self.closures.clone();
                    node(Op::CallVar(self.random.choose(&closures)), [self.float(d)])
                }
            },
        })
    }
    fn with(&mut self, names: &[(Name, T)], f: impl FnOnce(&mut Self) -> Ex) -> Ex {
        let before = self.scope.len();
        self.scope
            .extend(names.iter().map(|&(n, ty)| (n, ty, false)));
        let made = f(self);
        self.scope.truncate(before);
        made
    }
    /// A struct to look into.
    fn struct_value(&mut self) -> Option<Ex> {
        match self.chance(2) {
            true => self.pick_var(T::Struct),
            false => {
                let list = self.pick_var(T::Structs)?;
                Some(node(Op::At, [list, self.int(1)]))
            }
        }
    }
    /// Several floats.
    fn floats(&mut self) -> Option<Ex> {
        match self.random.below(4) {
            0 => self.pick_var(T::Vec),
            1 => self.pick_var(T::Array),
            2 => self.pick_var(T::Slice),
            _ if self.main => Some(Ex::Var(X, T::Slice)),
            _ => None,
        }
    }
    fn call(&mut self, depth: usize, gives: T) -> Option<Ex> {
        if let (Some((index, params, fuel)), true) = (self.own, self.chance(2))
            && gives == self.gives
        {
            let less = node(Op::Binary("sub"), [Ex::Var(fuel, T::Int), Ex::Int(1)]);
            let mut args = vec![less];
            args.extend((0..params).map(|_| self.float(depth.min(1))));
            return Some(node(Op::Call(index, gives), args));
        }
        let fits: Vec<usize> = (0..self.helpers.len())
            .filter(|&index| self.helpers[index].2 == gives)
            .collect();
        if fits.is_empty() {
            return None;
        }
        let index = self.random.choose(&fits);
        let (params, fuel, _) = self.helpers[index];
        let mut args = Vec::new();
        if fuel {
            args.push(Ex::Int(2));
        }
        args.extend((0..params).map(|_| self.float(depth)));
        Some(node(Op::Call(index, gives), args))
    }
    fn int(&mut self, depth: usize) -> Ex {
        match (self.pick_var(T::Int), self.random.below(6)) {
            (_, 3) if depth > 0 && self.faults => self.risky(),
            (Some(var), 0 | 1) => var,
            (_, 2) if self.main => Ex::Var(N, T::Int),
            (_, 3) if depth > 0 => {
                let op = self.random.choose(&["add", "mul"]);
                node(Op::Binary(op), [self.int(0), self.int(0)])
            }
            (_, 4) => match self.pick_var(T::Struct) {
                Some(var) => node(Op::Field("n"), [var]),
                None => Ex::Int(1),
            },
            (_, 5) if depth > 0 => {
                let float = self.float(depth - 1);
                node(
                    Op::ToInt,
                    [node(Op::Binary("mul"), [Ex::Float(2.5), float])],
                )
            }
            _ => Ex::Int(self.random.below(4) as i64),
        }
    }
    /// An integer that may not be one.
    fn risky(&mut self) -> Ex {
        let op = self.random.choose(&["sub", "mul", "div", "rem"]);
        let large = self
            .random
            .choose(&[0, 1, -1, i64::MAX, -i64::MAX, 1 << 40]);
        let (left, right) = (self.int(0), Ex::Int(large));
        match self.chance(2) {
            true => node(Op::Binary(op), [left, right]),
            false => node(Op::Binary(op), [right, left]),
        }
    }
    fn bool(&mut self, depth: usize) -> Ex {
        match self.random.below(6) {
            0 if depth > 0 => {
                let op = self.random.choose(&["and", "or"]);
                node(Op::Binary(op), [self.bool(depth - 1), self.bool(depth - 1)])
            }
            1 => node(Op::Binary("eq"), [self.int(1), self.int(0)]),
            2 => node(Op::Binary("lt"), [self.int(0), self.int(0)]),
            3 => {
                let compared = node(Op::Binary("le"), [self.float(1), self.float(0)]);
                node(Op::Unary("not"), [compared])
            }
            _ => node(Op::Binary("lt"), [self.float(1), self.float(0)]),
        }
    }
}

impl Program {
    /// Whether it computes in single precision.
    pub fn has_singles(&self) -> bool {
        format!("{self:?}").contains("ToSingle")
    }
}
