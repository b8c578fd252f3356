//! The syntax of programs.

use crate::library;

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
    /// A struct of several of the above.
    Deep,
    /// `Rc<RefCell<f64>>`
    Shared,
    /// `Box<dyn Solid>`
    Dyn,
}

pub type Name = usize;

/// An expression.
#[derive(Clone, PartialEq, Debug)]
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
    /// `0 1 a b n`, of deep structs `s o v e`
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
    /// `match n { 0 => …, 1 | 2 => …, v if c => …, _ => … }`: the number, then in order
    MatchInt(Name),
    /// `match o { Some(v) if c => …, _ => … }`
    MatchGuard(Name),
    /// `o.map(|v| …)`
    Map(Name),
    /// `o.and_then(|v| …)`
    AndThen(Name),
    /// `o.filter(|&v| …)`
    Filter(Name),
    UnwrapOr,
    Unwrap,
    /// `{ let mut v = first; let mut k = 0; loop { v = body; k += 1; if k >= 3 || c { break v; } } }`: first, body, c
    Loop(Name, Name),
    /// A deep struct: `s o v e`.
    Deep,
    /// `Rc::new(RefCell::new(e))`
    Shared,
    /// `*cell.borrow()`
    Borrow,
    /// `Box<dyn Solid>` of one or another
    Ball,
    Brick,
    Point,
    /// `solid.size(k)`
    Size,
    /// `solid.twice(k)`
    Twice,
    /// `zip windows chunks enumerate` of lists, summed, of a closure of two
    Pairs(&'static str, Name, Name),
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
    /// A function of the library.
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
    /// A function of the library that changes a place.
    Call(&'static str, Ex, Ex),
    /// `insert remove swap truncate extend reverse` of a vector
    Edit(&'static str, Name, Ex, Ex),
    /// `std::mem::swap(&mut v, &mut w)` of variables of one type
    Swap(Name, Name),
    /// `let r = if c { &mut place } else { &mut place }; *r op= e`: names of `r`
    Either(&'static str, Name, Ex, [Ex; 2], Ex),
    /// `*cell.borrow_mut() op= e`
    Add(&'static str, Ex, Ex),
    /// `let (p, q) = list.split_at_mut(i % (list.len() + 1)); for (v, w) in p.iter_mut().zip(q) { *v = …; *w = … }`: the
    /// list, `v`, `w`, i, the values
    Split(Name, Name, Name, [Ex; 3]),
    /// `if let Some(v) = o { … }`
    IfSome(Name, Ex, Vec<St>),
    /// `let Some(v) = o else { exit };`
    LetElse(Name, Ex, Exit),
    /// `let mut g = |p| { v = body; v * p }; let r = g(a) + g(b);`: names of `g`, `p`, `r`, `v`; or `apply(&mut g, a)` of
    /// the library instead of the first call
    Mutating([Name; 4], bool, [Ex; 3]),
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
            Op::MatchEnum(..) | Op::MatchList(..) | Op::MatchInt(_) => args[1].ty(),
            Op::MatchGuard(_) => args[2].ty(),
            Op::ToFloat | Op::CallVar(_) | Op::Apply(_) | Op::Chain(..) | Op::Try => T::Float,
            Op::UnwrapOr | Op::Unwrap | Op::Loop(..) | Op::Borrow | Op::Size | Op::Twice => {
                T::Float
            }
            Op::Pairs(..) => T::Float,
            Op::Map(_) | Op::AndThen(_) | Op::Filter(_) => T::Option,
            Op::Deep => T::Deep,
            Op::Shared => T::Shared,
            Op::Ball | Op::Brick | Op::Point => T::Dyn,
            Op::ToSingle => T::Single,
            Op::ToInt => T::Int,
            Op::Pair => T::Pair,
            Op::Struct => T::Struct,
            Op::Some | Op::None => T::Option,
            Op::Ok | Op::Err => T::Result,
            Op::Lib(name) => library::function(name).gives,
            Op::One | Op::Two | Op::Empty => T::Enum,
            Op::Cons | Op::End => T::List,
            Op::List if args[0].ty() == T::Struct => T::Structs,
            Op::List => T::Vec,
            Op::Array => T::Array,
            Op::Slice(..) => T::Slice,
            Op::Field("n") => T::Int,
            Op::Field("b") => T::Pair,
            Op::Field("s") => T::Struct,
            Op::Field("o") => T::Option,
            Op::Field("v") => T::Vec,
            Op::Field("e") => T::Enum,
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
            St::Edit(.., a, b) | St::Add(_, a, b) => vec![a, b],
            St::Either(_, _, c, [p, q], e) => vec![c, p, q, e],
            St::Split(.., parts) | St::Mutating(.., parts) => parts.iter_mut().collect(),
            St::Pop(..) | St::Swap(..) => Vec::new(),
            St::Drain(.., e) | St::If(e, ..) | St::For(_, e, _) | St::ForEach(_, e, _) => vec![e],
            St::ForMut(.., e) | St::ForTurn(.., e) | St::While(_, e, _) => vec![e],
            St::IfSome(_, e, _) => vec![e],
            St::Leave(c, Exit::Return(e)) | St::LetElse(_, c, Exit::Return(e)) => vec![c, e],
            St::Leave(c, _) | St::LetElse(_, c, _) => vec![c],
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

impl Program {
    /// Whether it computes in single precision.
    pub fn has_singles(&self) -> bool {
        format!("{self:?}").contains("ToSingle")
    }
}
