//! The typed tree: what inference gives and lowering takes.
//!
//! Every expression has its type, every name is resolved, every deref, borrow and coercion that Rust does by itself is
//! written out. Functions are instances: no type parameter is left. All of it is owned data, made once and read once.

use super::tree::Binary;
use super::ty::Ty;
use crate::diag::Span;
use crate::ir::{Const, DerivativeKind, Fault, Role, Symbol, Type};
use std::collections::BTreeMap;

/// The functions that a function needs, itself included.
#[derive(Debug)]
pub struct Program {
    /// The function that was asked for.
    pub root: Symbol,
    /// Instances, closures' functions among them.
    pub functions: BTreeMap<Symbol, Function>,
    /// Functions that choose by the tag of their first argument, a dynamic value.
    pub dispatches: BTreeMap<Symbol, Dispatch>,
    /// The guards of cells that are passed on, so that their lifetimes are not known. Only until [`check_borrows`](crate::borrows).
    pub passed_on_guards: Vec<Borrow>,
}

/// An instance of a function.
#[derive(Debug)]
pub struct Function {
    /// Unique in the program.
    pub name: Symbol,
    /// Where it was written.
    pub span: Span,
    /// All variables, those of the parameters included.
    pub locals: Vec<Local>,
    /// One variable for each parameter. A closure's first is the tuple of its captures.
    pub params: Vec<LocalId>,
    /// What it returns.
    pub ret: Ty,
    /// `Statement::Let`s of the parameters' patterns, then what was written.
    pub body: Expr,
    /// `#[non_differentiable]`: lowering stops the derivative of the result.
    pub is_constant: bool,
    /// Its own code carries no places: it is part of the library, errors are at the caller's.
    pub is_library: bool,
    /// What its parameters are to the threads that may share its iterations.
    pub parallel: Option<&'static [Role]>,
    /// Whether what it returns may point into its arguments. Types do not tell, because `&T` is `T` here. If it may, names that are bound to its
    /// parameters get copies.
    pub may_lend: bool,
}

/// A variable of a function: an index into `Function::locals`.
pub type LocalId = usize;

/// A variable.
#[derive(Debug)]
pub struct Local {
    /// Its name in the source.
    pub name: &'static str,
    /// Its type.
    pub ty: Ty,
    /// Its address is taken (`&mut x`, a capture by mutable reference): it is an object. Others are SSA values.
    pub in_memory: bool,
}

/// A function that chooses among others.
#[derive(Debug)]
pub struct Dispatch {
    /// The types of the parameters; the first is the `Ty::Dyn`.
    pub params: Vec<Ty>,
    /// What it returns.
    pub ret: Ty,
    /// What to do for each tag; a tag that is not here cannot occur.
    pub arms: Vec<Choice>,
}

/// What a dispatch does for one tag.
#[derive(Debug)]
pub struct Choice {
    /// Which type.
    pub tag: u32,
    /// The type of the value behind the address.
    pub ty: Ty,
    /// Calls this function; its first argument is the value.
    pub function: Symbol,
    /// The function's first parameter is `&mut` of the type: it is given the address, not the value. `None` if it takes no first argument (a function without captures).
    pub receiver: Option<bool>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Never `Infer` or `Param`.
    pub ty: Ty,
    /// Where it was written.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// Something that is stored somewhere: a variable or a temporary value, and the way into it.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it begins.
    pub base: Base,
    /// The way, outermost first.
    pub projections: Vec<Projection>,
}

/// Where a place begins.
#[derive(Clone, Debug)]
pub enum Base {
    /// A variable.
    Local(LocalId),
    /// A value, computed once.
    Value(Box<Expr>),
}

/// One step into a place, and the type of what is there.
#[derive(Clone, Debug)]
pub enum Projection {
    /// A field of a tuple or struct, or a capture of a closure.
    Field(u32, Ty),
    /// A field of a variant that is known to be the live one.
    Payload {
        /// The variant.
        variant: u32,
        /// Its field.
        field: u32,
        /// The field's type.
        ty: Ty,
    },
    /// The content of a `Boxed`, `Mut` or `Cell`.
    Deref(Ty),
    /// The content of a `Cell` that is borrowed for it. Only while inferring: it becomes a `Deref`, and what checks the borrow if one can fail.
    Borrow(Borrow),
    /// An element of a slice, list or vector, bounds checked; the index is a usize. At the span.
    Index(Box<Expr>, Ty, Span),
}

/// A dynamic borrow.
#[derive(Clone, Copy, Debug)]
pub struct Borrow {
    /// The type of the content.
    pub content: Ty,
    /// `borrow_mut`, and methods that do the same inside.
    pub mutable: bool,
    /// What holds the borrow; `None` if nothing does when the content has been used once.
    pub guard: Option<Guard>,
    /// Where.
    pub span: Span,
}

/// A `Ref` or `RefMut`, made at one place of a function.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// Unique in the function.
    pub id: GuardId,
    /// At the end of which it is dropped.
    pub scope: ScopeId,
}

/// Names a guard of a function.
pub type GuardId = usize;

/// Names a scope of guards of a function.
pub type ScopeId = usize;

/// What is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    /// A scope: its guards are dropped.
    Scope(ScopeId),
    /// A guard, before its scope is.
    Guard(GuardId),
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, a bool, `()` (also text and functions as values).
    Const(Const),
    /// The value of a place. `copy`: it becomes a value of its own, so lists in it are copied; else it is only looked at or moved away.
    Read {
        /// Where.
        place: Place,
        /// Whether lists are copied.
        copy: bool,
    },
    /// `&mut place`: the type is `Ty::Mut`. The variable, if the way has no `Deref` or `Index`, is in memory.
    Address(Place),
    /// A vector or list (a value) as a slice of its elements, which the type says: `SliceMut`, since its memory can change. Also a `Slice` as a `SliceMut`.
    AsSlice(Box<Expr>),
    /// `slice[from..to]`, checked: slice, from, to, inclusive.
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>, bool),
    /// The number of elements of a slice, list or vector (a value).
    Len(Box<Expr>),
    /// A tuple, a closure (its captures).
    Tuple(Vec<Expr>),
    /// A variant of an enum, or a struct (variant 0): all fields in declared order.
    Aggregate(u32, Vec<Expr>),
    /// A list or a vector of these elements, by the type.
    List(Vec<Expr>),
    /// A list or a vector of that many copies (deep ones) of a value: value, count (usize).
    Repeat(Box<Expr>, Box<Expr>),
    /// An empty vector with room for that many elements.
    WithCapacity(Box<Expr>),
    /// A new object for a `Boxed` or `Cell`, with this content.
    NewObject(Box<Expr>),
    /// `-e` of a number or array; integers are checked.
    Neg(Box<Expr>),
    /// `!e` of an integer or bool.
    Not(Box<Expr>),
    /// Of numbers of one type (integers are checked), of bools, of arrays and numbers.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `as` between numbers.
    Cast(Box<Expr>),
    /// A method of numbers that primitives express.
    Intrinsic(Intrinsic, Vec<Expr>),
    /// `a && b` (true), `a || b` (false)
    Lazy(bool, Box<Expr>, Box<Expr>),
    /// An instance of the program, or a dispatch.
    Call(Symbol, Vec<Expr>),
    /// A function of a pack or of the host, on numbers and arrays, tuples of numbers, lists of `usize` written as `Tuple`.
    Rule(Symbol, Vec<Expr>),
    /// A scalar function (instance, pack function, primitive) applied to every element of arrays and numbers.
    Map(Symbol, Vec<Expr>),
    /// The pair of the value of an instance and its gradient, or its derivative along a direction: what the function captures, its argument, the direction.
    Derivative(DerivativeKind, Symbol, Vec<Expr>),
    /// A `dyn` value: the value, its tag, and whether it is an address already (`Boxed`, `Mut`) and not to be put into a new object.
    MakeDyn(Box<Expr>, u32, bool),
    /// `if`; the condition may hold `Let`s under `&&`.
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// Whether a place matches; binds the names for what follows in the condition and the body.
    Let(Place, Box<Pattern>),
    /// `match`: the place, the arms in order. A value that no arm matches cannot occur.
    Match(Place, Vec<Arm>),
    /// Statements, then a value (`None`: `()`, or never reached).
    Block(Vec<Statement>, Option<Box<Expr>>),
    /// `'label: { … }`: a block that `break` may leave with a value.
    Labelled(LoopId, Box<Expr>),
    /// Ends by `break` only.
    Loop(LoopId, Box<Expr>),
    /// While the condition, which may hold `Let`s, is true.
    While(LoopId, Box<Expr>, Box<Expr>),
    /// Counted: the pattern is bound to each item in turn.
    For(LoopId, Pattern, Iter, Box<Expr>),
    /// Leaves a loop or labelled block with a value.
    Break(LoopId, Option<Box<Expr>>),
    /// Goes to a loop's next turn.
    Continue(LoopId),
    /// Leaves the function.
    Return(Option<Box<Expr>>),
    /// The value is computed first, then the place's operands.
    Assign(Place, Box<Expr>),
    /// `place op= value` of numbers or arrays: value first.
    AssignBinary(Binary, Place, Box<Expr>),
    /// Leaves with the fault if the condition is false; further values are shown.
    Assert(Box<Expr>, Fault, Vec<Expr>),
    /// Leaves with the fault.
    Fail(Fault, Vec<Expr>),
    /// `vec.push(value)`
    Push(Place, Box<Expr>),
    /// `vec.pop()`: the type is an `Option`.
    Pop(Place),
    /// `vec.truncate(n)`
    Truncate(Place, Box<Expr>),
    /// Exchanges what two `Mut`s point to.
    Swap(Box<Expr>, Box<Expr>),
    /// Stores through a `Mut` and gives what was there.
    Replace(Box<Expr>, Box<Expr>),
    /// A deep copy of a value. What `&`, `Rc` and cells share stays shared; cells that are in no `Rc` are refused before.
    Clone(Box<Expr>),
    /// The value as a constant: no derivative.
    StopGradient(Box<Expr>),
    /// A scope of guards around an expression; `true`: around an `if` or `while` whose condition has a `let`, each turn of it, and over where
    /// the condition is false. This and the two that follow exist only while inferring.
    Scope(ScopeId, Box<Expr>, bool),
    /// A scope of guards begins.
    Enter(ScopeId),
    /// What is over when the value is known, or (true) before it is computed.
    Leave(Vec<Over>, Box<Expr>, bool),
}

/// Names a loop or labelled block of a function.
pub type LoopId = usize;

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// What it is for.
    pub pattern: Pattern,
    /// Sees the names that the pattern binds. Asked again for each alternative of an `Or` that matches, until it holds; such are not deeper in the pattern.
    pub guard: Option<Expr>,
    /// What it gives.
    pub body: Expr,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Binds a place (`Base::Value` for computed values); an irrefutable pattern, or what to do else, which diverges.
    Let(Pattern, Place, Option<Expr>),
    /// Computed for its effects.
    Expr(Expr),
}

/// A pattern, matched against a place.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Matches all.
    Wild,
    /// Binds a variable to the place's value, or to its address (true: the variable is a `Ty::Mut`), if the inner pattern matches.
    Bind(LocalId, bool, Option<Box<Pattern>>),
    /// Equal to the number or bool.
    Equal(Const, Type),
    /// Between; inclusive or not.
    Between(Option<Const>, Option<Const>, bool, Type),
    /// All the parts match, each a step into the place.
    Parts(Vec<(Projection, Pattern)>),
    /// The live variant is this one, and its payload matches.
    Variant(u32, Vec<(Projection, Pattern)>),
    /// One of them matches; all bind the same variables.
    Or(Vec<Pattern>),
    /// A slice, list or vector of at least (rest) or exactly that many elements: those in front, the rest if it is bound, those behind. The type is the slice's.
    Slice(Vec<Pattern>, Option<Box<Pattern>>, Vec<Pattern>, bool, Ty),
}

impl Pattern {
    /// Whether these are alternatives of which more than one may match: a guard may be asked several times.
    pub fn may_match_again(&self) -> bool {
        let excludes = |pattern: &Pattern| match pattern {
            Pattern::Equal(..) => true,
            Pattern::Variant(_, parts) => {
                parts.iter().all(|(_, part)| matches!(part, Pattern::Wild))
            }
            _ => false,
        };
        matches!(self, Pattern::Or(all) if !all.iter().all(excludes))
    }
    /// The pattern as alternatives none of which has any in it, in the order in which they are tried.
    pub fn alternatives(self) -> Vec<Pattern> {
        match self {
            Pattern::Or(all) if Pattern::Or(all.clone()).may_match_again() => {
                all.into_iter().flat_map(Pattern::alternatives).collect()
            }
            Pattern::Bind(local, by_mut, Some(inner)) => { inner.alternatives().into_iter() }
                .map(|inner| Pattern::Bind(local, by_mut, Some(Box::new(inner))))
                .collect(),
            Pattern::Parts(parts) => combined(parts).into_iter().map(Pattern::Parts).collect(),
            Pattern::Variant(variant, parts) => { combined(parts).into_iter() }
                .map(|parts| Pattern::Variant(variant, parts))
                .collect(),
            Pattern::Slice(front, rest, back, open, ty) => {
                let (at_rest, at_back) = (front.len(), front.len() + usize::from(rest.is_some()));
                let all = front.into_iter().chain(rest.map(|rest| *rest)).chain(back);
                let all = combined(all.map(|part| ((), part)).collect()).into_iter();
                all.map(|parts| {
                    let mut front: Vec<Pattern> = parts.into_iter().map(|part| part.1).collect();
                    let back = front.split_off(at_back);
                    let rest = front.split_off(at_rest).pop().map(Box::new);
                    Pattern::Slice(front, rest, back, open, ty)
                })
                .collect()
            }
            plain => vec![plain],
        }
    }
}

/// All combinations of the alternatives of parts: those of the last part change first.
fn combined<T: Clone>(parts: Vec<(T, Pattern)>) -> Vec<Vec<(T, Pattern)>> {
    let mut all = vec![Vec::new()];
    for (step, part) in parts {
        let part = part.alternatives();
        let with = |before: Vec<(T, Pattern)>| {
            let step = step.clone();
            part.iter().map(move |last| {
                let mut parts = before.clone();
                parts.push((step.clone(), last.clone()));
                parts
            })
        };
        all = all.into_iter().flat_map(with).collect();
    }
    all
}

/// What a counted `for` runs over. What is done to the items is done in this order: `enumerate`, `rev`, `step`.
#[derive(Clone, Debug)]
pub struct Iter {
    /// The items.
    pub source: Source,
    /// From the last to the first.
    pub rev: bool,
    /// Every n-th only; checked to be positive.
    pub step: Option<Box<Expr>>,
    /// Items are pairs of position (in the source, whatever `rev` says) and item.
    pub enumerate: bool,
    /// The type of an item.
    pub item: Ty,
}

/// The items of a counted `for`.
#[derive(Clone, Debug)]
pub enum Source {
    /// Integers from, to, inclusive.
    Range(Box<Expr>, Box<Expr>, bool),
    /// Elements of a slice (a value): values, or `Mut`s (true).
    Elements(Box<Expr>, bool),
    /// Parts of a slice that overlap: `windows(n)`.
    Windows(Box<Expr>, Box<Expr>),
    /// Parts of a slice, the last shorter: `chunks(n)`; exact: without a shorter one.
    Chunks(Box<Expr>, Box<Expr>, bool),
    /// Pairs, as many as the shorter has.
    Zip(Box<Iter>, Box<Iter>),
}

/// Methods of numbers that primitives express. The receiver is the first argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intrinsic {
    /// A primitive of arguments of one type, not checked: `wrapping_add`, `sqrt`, `floor`, …
    Prim(crate::ir::Prim),
    /// The smaller of two integers.
    Min,
    /// The larger of two integers.
    Max,
    /// |a| of an integer, checked.
    Abs,
    /// |a − b| of unsigned integers.
    AbsDiff,
    /// The bits of a signed integer as the unsigned one of the same width.
    Unsigned,
    /// The bits of an unsigned integer as the signed one of the same width.
    Signed,
    /// a − b, or 0 where that is negative; unsigned.
    SaturatingSub,
    /// a % b that is never negative; integers.
    RemEuclid,
    /// Whether a float is not a number.
    IsNan,
    /// Whether a float is neither infinite nor NaN.
    IsFinite,
    /// Whether a float is infinite.
    IsInfinite,
    /// Whether the sign bit is set.
    IsSignNegative,
    /// Whether the sign bit is not set.
    IsSignPositive,
    /// A float's bits as an unsigned integer.
    ToBits,
    /// The float of these bits.
    FromBits,
    /// `(a.sin(), a.cos())`
    SinCos,
    /// `a.clamp(low, high)` of floats: checked as std does, then the rule of `clamp`.
    Clamp,
}
