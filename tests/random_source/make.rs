//! Programs made at random.

use crate::library;
use crate::program::{A, Ex, Exit, Helper, N, Name, Op, Program, St, T, U, X, node};
use mooncake::testing::random::Random;

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
    ways: Ways,
}

/// What a program may do at all.
#[derive(Clone, Copy)]
struct Ways {
    /// What may panic.
    faults: bool,
    /// Compute in single precision: differences say nothing of such a program.
    singles: bool,
}

impl Program {
    /// A program of at most so many statements.
    pub fn random(random: &mut Random, size: usize) -> Program {
        let ways = Ways {
            faults: random.below(4) == 0,
            singles: random.below(5) == 0,
        };
        let mut helpers = Vec::new();
        let mut known = Vec::new();
        for index in 0..random.below(3) {
            let helper = Helper::random(random, index, &known, ways);
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
            budget: size,
            ways,
        };
        let count = 3 + maker.random.below(size);
        let body = maker.statements(count, 3);
        let value = maker.float(3);
        let value = maker.with_memory(value);
        Program {
            helpers,
            body,
            value,
        }
    }
}

impl Helper {
    fn random(random: &mut Random, index: usize, known: &[(usize, bool, T)], ways: Ways) -> Helper {
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
            ways,
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
    /// A value and some of what the variables hold at the end, so that what was done to them matters.
    fn with_memory(&mut self, value: Ex) -> Ex {
        let scope = self.scope.clone();
        let mut sum = value;
        for (name, ty, _) in scope {
            if let Some(part) = self.part(Ex::Var(name, ty))
                && !self.chance(3)
            {
                sum = node(Op::Binary("add"), [sum, part]);
            }
        }
        sum
    }
    /// A float of what a variable holds.
    fn part(&mut self, var: Ex) -> Option<Ex> {
        Some(match var.ty() {
            T::Float => var,
            T::Pair => {
                let side = self.random.choose(&["0", "1"]);
                node(Op::Field(side), [var])
            }
            T::Struct => node(Op::Size, [var, Ex::Float(0.75)]),
            T::Option => node(Op::UnwrapOr, [var, Ex::Float(0.25)]),
            T::Vec | T::Array => node(Op::Lib("halved"), [var]),
            T::Structs => {
                let one = node(Op::At, [var, Ex::Int(1)]);
                node(Op::Field("a"), [one])
            }
            T::List => node(Op::Lib("total"), [var]),
            T::Deep => node(Op::Lib("weigh"), [var, Ex::Float(0.5)]),
            T::Shared => node(Op::Borrow, [var]),
            T::Dyn => node(Op::Twice, [var, Ex::Float(0.5)]),
            T::Enum => {
                let (v, n) = (self.fresh(), self.fresh());
                let (one, two) = (Ex::Var(v, T::Float), Ex::Var(v, T::Float));
                node(Op::MatchEnum(v, n), [var, one, two, Ex::Float(0.5)])
            }
            _ => return None,
        })
    }
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
        self.scope
            .retain(|s| !matches!(s.1, T::Deep | T::Shared | T::Dyn));
        let made = self.inside(param);
        (self.scope, self.closures) = (scope, closures);
        made
    }
    /// The body of a closure.
    fn inside(&mut self, param: Name) -> Ex {
        self.within(param, |m| m.float(2))
    }
    fn within(&mut self, param: Name, f: impl FnOnce(&mut Self) -> Ex) -> Ex {
        let (memory, may_return) = (self.memory, self.may_return);
        (self.memory, self.may_return) = (false, false);
        self.scope.push((param, T::Float, false));
        let body = f(self);
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
        let made = match self.random.below(40) {
            0..=9 => None,
            10 if self.main => Some(self.declare(T::Slice)),
            11 => Some(self.declare(T::Fun)),
            12 => {
                let (name, param) = (self.fresh(), self.fresh());
                let body = self.closed(param);
                self.closures.push(name);
                Some(St::Closure(name, param, body))
            }
            13 if !self.loops.is_empty() || self.chance(3) => {
                let condition = self.bool(1);
                self.exit().map(|exit| St::Leave(condition, exit))
            }
            14 => {
                let option = self.option(1);
                self.exit().map(|exit| {
                    let name = self.fresh();
                    self.scope.push((name, T::Float, false));
                    St::LetElse(name, option, exit)
                })
            }
            15 => self.mutating(),
            16..=22 if depth > 0 => self.nested(depth - 1),
            // There may be nothing to change in one way, but in another.
            _ => (0..4).find_map(|_| self.mutate()),
        };
        match made {
            Some(made) => made,
            None => {
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
                    T::Deep,
                    T::Shared,
                    T::Dyn,
                ];
                let kind = match self.random.choose(&kinds) {
                    T::Single if !self.ways.singles => T::Float,
                    kind => kind,
                };
                self.declare(kind)
            }
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
        let through = self.chance(2);
        Some(St::Mutating(names, through, [body, a, b]))
    }
    /// A float that may be written to.
    fn place(&mut self) -> Option<Ex> {
        let field =
            |e, path: &[&'static str]| path.iter().fold(e, |e, field| node(Op::Field(field), [e]));
        Some(match self.random.below(8) {
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
            6 => {
                let deep = Ex::Var(self.pick(T::Deep, true)?, T::Deep);
                node(Op::At, [node(Op::Field("v"), [deep]), self.int(1)])
            }
            _ if self.memory => node(Op::At, [Ex::Var(U, T::Vec), self.int(1)]),
            _ => return None,
        })
    }
    fn struct_place(&mut self) -> Option<Ex> {
        match self.random.below(4) {
            0 => Some(node(
                Op::Field("s"),
                [Ex::Var(self.pick(T::Deep, true)?, T::Deep)],
            )),
            1 | 2 => Some(Ex::Var(self.pick(T::Struct, true)?, T::Struct)),
            _ => {
                let list = Ex::Var(self.pick(T::Structs, true)?, T::Structs);
                Some(node(Op::At, [list, self.int(1)]))
            }
        }
    }
    fn mutate(&mut self) -> Option<St> {
        Some(match self.random.below(20) {
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
                    T::Deep,
                    T::Shared,
                    T::Dyn,
                ]);
                let name = self.pick(ty, true)?;
                St::Assign(name, self.value(ty, 2))
            }
            8..=10 => {
                let mutator = self.random.below(library::MUTATORS.len());
                let mutator = &library::MUTATORS[mutator];
                let place = match mutator.place {
                    T::Float => self.place()?,
                    T::Struct => self.struct_place()?,
                    T::Vec => self.list_place()?,
                    ty => Ex::Var(self.pick(ty, true)?, ty),
                };
                // What the place is in is borrowed.
                St::Call(mutator.name, place, self.leaf_without_places())
            }
            13 => {
                let list = self.pick(T::Vec, true)?;
                let edits = ["insert", "remove", "swap", "truncate", "extend", "reverse"];
                let edit = self.random.choose(&edits);
                let first = match edit {
                    "extend" => self.without(list, |m| m.floats().unwrap_or(Ex::Int(0))),
                    _ => self.int(1),
                };
                let second = match edit {
                    "insert" => self.without(list, |m| m.float(1)),
                    _ => self.int(0),
                };
                if edit == "extend" && first == Ex::Int(0) {
                    return None;
                }
                St::Edit(edit, list, first, second)
            }
            14 => {
                let ty = self.random.choose(&[
                    T::Float,
                    T::Pair,
                    T::Struct,
                    T::Vec,
                    T::Array,
                    T::Option,
                    T::List,
                    T::Deep,
                    T::Dyn,
                    T::Shared,
                ]);
                let (v, w) = (self.pick(ty, true)?, self.pick(ty, true)?);
                match v == w {
                    true => return None,
                    false => St::Swap(v, w),
                }
            }
            15 => {
                let (name, op) = (self.fresh(), self.random.choose(&["add", "sub", "mul"]));
                let (condition, value) = (self.bool(1), self.float(2));
                St::Either(op, name, condition, [self.place()?, self.place()?], value)
            }
            16 | 17 => {
                let cell = Ex::Var(self.pick(T::Shared, false)?, T::Shared);
                let op = self.random.choose(&["set", "add", "sub", "mul"]);
                St::Add(op, cell, self.float(2))
            }
            18 => {
                let (v, w, at) = (self.fresh(), self.fresh(), self.int(1));
                let list = match self.memory && self.chance(2) {
                    true => U,
                    false => self.pick(T::Vec, true)?,
                };
                let with = [(v, T::Float), (w, T::Float)];
                let memory = std::mem::replace(&mut self.memory, false);
                let may_return = std::mem::replace(&mut self.may_return, false);
                let left = self.without(list, |m| m.with(&with, |m| m.float(1)));
                let right = self.without(list, |m| m.with(&with, |m| m.float(1)));
                (self.memory, self.may_return) = (memory, may_return);
                St::Split(list, v, w, [at, left, right])
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
    /// A slice, vector or array to be written to.
    fn list_place(&mut self) -> Option<Ex> {
        Some(match self.random.below(4) {
            0 => Ex::Var(self.pick(T::Array, true)?, T::Array),
            1 => {
                let deep = Ex::Var(self.pick(T::Deep, true)?, T::Deep);
                node(Op::Field("v"), [deep])
            }
            2 if self.memory => Ex::Var(U, T::Slice),
            _ => Ex::Var(self.pick(T::Vec, true)?, T::Vec),
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
                if self.chance(5) {
                    let (s, e) = (self.value(T::Struct, less), self.variant(less));
                    return node(Op::Lib("turned"), [s, e]);
                }
                let (a, b, n) = (self.float(depth), self.pair(depth), self.int(1));
                node(Op::Struct, [a, b, n])
            }
            T::Deep => {
                if let (Some(var), true) = (self.pick_var(T::Deep), self.chance(3)) {
                    return node(Op::Clone, [var]);
                }
                let (s, o) = (self.value(T::Struct, 0), self.option(1));
                node(Op::Deep, [s, o, self.value(T::Vec, 1), self.variant(1)])
            }
            T::Shared => match (self.pick_var(T::Shared), self.chance(2)) {
                (Some(var), true) => node(Op::Clone, [var]),
                _ => node(Op::Shared, [self.float(depth)]),
            },
            T::Dyn => {
                let ball = node(Op::Ball, [self.float(less)]);
                let brick = node(Op::Brick, [self.pair(less), self.int(1)]);
                let point = node(Op::Point, []);
                match self.random.below(4) {
                    0 => point,
                    1 => ball,
                    2 => node(Op::If, [self.bool(1), ball, brick]),
                    _ => node(Op::If, [self.bool(1), brick, point]),
                }
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
        match self.random.below(5) {
            4 => node(Op::Lib("single"), [self.single(d), self.single(d)]),
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
        if self.chance(6) {
            return node(Op::Lib("swapped"), [self.float(d), self.float(d)]);
        }
        node(Op::Pair, [self.float(d), self.float(d)])
    }
    fn option(&mut self, depth: usize) -> Ex {
        let d = depth.saturating_sub(1);
        match (self.pick_var(T::Option), self.random.below(11)) {
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
            (_, 6) => node(Op::Lib("combined"), [self.option(d), self.float(d)]),
            (_, 7 | 8) if depth > 0 => {
                let (v, option) = (self.fresh(), self.option(d));
                match self.random.below(3) {
                    0 => node(Op::Map(v), [option, self.inside(v)]),
                    1 => node(Op::AndThen(v), [option, self.within(v, |m| m.option(d))]),
                    _ => node(Op::Filter(v), [option, self.within(v, |m| m.bool(1))]),
                }
            }
            (_, 9) => match self.pick_var(T::Deep) {
                Some(deep) => node(Op::Field("o"), [deep]),
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
        Some(match self.random.below(40) {
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
                false if self.ways.singles => node(Op::ToFloat, [self.single(d)]),
                false => return None,
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
                    _ => node(Op::Size, [holder, self.float(d)]),
                }
            }
            12 | 13 => {
                let list = self.floats()?;
                let op = match self.ways.faults && self.chance(2) {
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
            18 => match self.chance(3) {
                true => node(Op::Lib("total"), [self.pick_var(T::Rest)?]),
                false => node(Op::Lib("total"), [self.pick_var(T::List)?]),
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
            24..=27 => self.library(d)?,
            28 => {
                let (v, number) = (self.fresh(), self.int(1));
                let (a, b) = (self.float(d), self.float(d));
                let with = [(v, T::Int)];
                let guard = self.with(&with, |m| m.bool(1));
                let guarded = self.with(&with, |m| m.float(d));
                node(
                    Op::MatchInt(v),
                    [number, a, b, guard, guarded, self.float(d)],
                )
            }
            29 => {
                let (v, option) = (self.fresh(), self.option(d));
                let guard = self.with(&[(v, T::Float)], |m| m.bool(1));
                let guarded = self.with(&[(v, T::Float)], |m| m.float(d));
                node(Op::MatchGuard(v), [option, guard, guarded, self.float(d)])
            }
            30 => match self.ways.faults && self.chance(3) {
                true => node(Op::Unwrap, [self.option(d)]),
                false => node(Op::UnwrapOr, [self.option(d), self.float(d)]),
            },
            31 => {
                let (v, k) = (self.fresh(), self.fresh());
                let (first, with) = (self.float(d), [(v, T::Float), (k, T::Int)]);
                let body = self.with(&with, |m| m.float(d));
                let stop = self.with(&with, |m| m.bool(1));
                node(Op::Loop(v, k), [first, body, stop])
            }
            32 | 33 => node(Op::Borrow, [self.pick_var(T::Shared)?]),
            34 => {
                let op = self.random.choose(&[Op::Size, Op::Twice]);
                node(op, [self.pick_var(T::Dyn)?, self.float(d)])
            }
            35 | 36 => {
                let (v, w, list) = (self.fresh(), self.fresh(), self.floats()?);
                let kind = self
                    .random
                    .choose(&["zip", "windows", "chunks", "enumerate"]);
                let second = match kind {
                    "enumerate" => T::Int,
                    _ => T::Float,
                };
                let (memory, may_return) = (self.memory, self.may_return);
                (self.memory, self.may_return) = (false, false);
                let body = self.with(&[(v, T::Float), (w, second)], |m| m.float(1));
                (self.memory, self.may_return) = (memory, may_return);
                let mut parts = vec![list];
                if kind == "zip" {
                    parts.push(self.floats()?);
                }
                parts.push(body);
                node(Op::Pairs(kind, v, w), parts)
            }
            _ => match self.closures.is_empty() {
                true => return None,
                false => {
                    let closures = self.closures.clone();
                    node(Op::CallVar(self.random.choose(&closures)), [self.float(d)])
                }
            },
        })
    }
    /// A call of a function of the library.
    fn library(&mut self, depth: usize) -> Option<Ex> {
        let fits = |f: &library::Function| f.gives == T::Float && (self.ways.faults || !f.faults);
        let fits: Vec<usize> = (0..library::FUNCTIONS.len())
            .filter(|&n| fits(&library::FUNCTIONS[n]))
            .collect();
        let function = &library::FUNCTIONS[self.random.choose(&fits)];
        let argument = |ty: &T| match ty {
            T::Slice => self.floats(),
            T::List | T::Deep => self.pick_var(*ty),
            ty => Some(self.value(*ty, depth)),
        };
        let args = function.params.iter().map(argument);
        Some(node(
            Op::Lib(function.name),
            args.collect::<Option<Vec<_>>>()?,
        ))
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
        match self.random.below(4) {
            0 => Some(node(Op::Field("s"), [self.pick_var(T::Deep)?])),
            1 | 2 => self.pick_var(T::Struct),
            _ => {
                let list = self.pick_var(T::Structs)?;
                Some(node(Op::At, [list, self.int(1)]))
            }
        }
    }
    /// Several floats.
    fn floats(&mut self) -> Option<Ex> {
        match self.random.below(5) {
            4 => Some(node(Op::Field("v"), [self.pick_var(T::Deep)?])),
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
            (_, 3) if depth > 0 && self.ways.faults => self.risky(),
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
