//! The typed tree: the result of elaboration and the input of lowering.
//!
//! Every expression has its type, and every name is resolved. Derefs, borrows and coercions that Rust inserts are explicit. Functions are instances
//! without type parameters. The tree is owned data; it is built once and read once.

use super::tree::Binary;
use super::ty::Ty;
use crate::diag::Span;
use crate::ir::{Const, DerivativeKind, Fault, Role, Symbol, Type};
use std::collections::BTreeMap;

/// A function and all functions that it calls.
#[derive(Debug)]
pub struct Program {
    /// The function that was asked for.
    pub root: Symbol,
    /// All instances, including the functions of closures.
    pub functions: BTreeMap<Symbol, Function>,
    /// Dispatch functions: they choose by the tag of their first argument, a `dyn` value.
    pub dispatches: BTreeMap<Symbol, Dispatch>,
    /// The guards of cells that are passed on, so that their lifetimes are not known. Only until [`check_borrows`](crate::borrows).
    pub passed_on_guards: Vec<Borrow>,
}

/// An instance of a function.
#[derive(Debug)]
pub struct Function {
    /// Unique in the program.
    pub name: Symbol,
    /// Its path in the source, by which packs give rules for it; its name if it has none.
    pub path: Symbol,
    /// Its place in the source.
    pub span: Span,
    /// All variables, including the parameters.
    pub locals: Vec<Local>,
    /// One variable for each parameter. The first parameter of a closure is the tuple of its captures.
    pub params: Vec<LocalId>,
    /// The type of the result.
    pub ret: Ty,
    /// `Statement::Let`s for the patterns of the parameters, followed by the body as written.
    pub body: Expr,
    /// `#[non_differentiable]`: lowering stops the derivative of the result.
    pub is_constant: bool,
    /// The function belongs to the library. Its code carries no places, and errors are reported at the call.
    pub is_library: bool,
    /// The roles of its parameters for threads that share its iterations.
    pub parallel: Option<&'static [Role]>,
    /// Whether the result may point into the arguments. Types do not say so, because `&T` is `T` here. If it may, names that are bound to its parameters
    /// get copies, because callers take the result for their own.
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
    /// Whether its address is taken (`&mut x`, a capture by mutable reference). Then the variable is an object; other variables are SSA values.
    pub in_memory: bool,
}

/// A dispatch function.
#[derive(Debug)]
pub struct Dispatch {
    /// The types of the parameters; the first is the `Ty::Dyn`.
    pub params: Vec<Ty>,
    /// The type of the result.
    pub ret: Ty,
    /// The choice for each tag. Other tags cannot occur.
    pub arms: Vec<Choice>,
}

/// The choice of a dispatch function for one tag.
#[derive(Debug)]
pub struct Choice {
    /// The tag.
    pub tag: u32,
    /// The type of the value behind the address.
    pub ty: Ty,
    /// The function that is called with the value as its first argument.
    pub function: Symbol,
    /// Whether the first parameter is `&mut` of the type, so that the address is passed instead of the value. `None` if there is no such parameter (a
    /// function without captures).
    pub receiver: Option<bool>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its type; never `Infer` or `Param`.
    pub ty: Ty,
    /// Its place in the source.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

impl Expr {
    /// A constant `usize`.
    pub fn index(n: usize, span: Span) -> Expr {
        ExprKind::Const(Const::Int(n as i64)).of(Ty::USIZE, span)
    }
    /// An expression around this one, with the same type and place.
    pub fn inside(self, kind: impl FnOnce(Box<Expr>) -> ExprKind) -> Expr {
        let (ty, span) = (self.ty, self.span);
        kind(Box::new(self)).of(ty, span)
    }
}

impl ExprKind {
    /// An expression of this kind, of a type, at a place in the source.
    pub fn of(self, ty: Ty, span: Span) -> Expr {
        let kind = self;
        Expr { ty, span, kind }
    }
    /// A statement of this kind, whose value is `()`.
    pub fn statement(self, span: Span) -> Statement {
        Statement::Expr(self.of(Ty::UNIT, span))
    }
    /// `a op b`
    pub fn binary(op: Binary, a: Expr, b: Expr) -> ExprKind {
        ExprKind::Binary(op, Box::new(a), Box::new(b))
    }
}

/// A place: a variable or temporary, and the projections into it.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable or temporary.
    pub base: Base,
    /// The projections, outermost first.
    pub projections: Vec<Projection>,
}

/// The base of a place.
#[derive(Clone, Debug)]
pub enum Base {
    /// A variable.
    Local(LocalId),
    /// A temporary, which is computed once.
    Value(Box<Expr>),
}

/// A projection into a place, with the type of the result.
#[derive(Clone, Debug)]
pub enum Projection {
    /// A field of a tuple or struct, or a capture of a closure.
    Field(u32, Ty),
    /// A field of a variant that is known to be live.
    Payload {
        /// The variant.
        variant: u32,
        /// Its field.
        field: u32,
        /// The field's type.
        ty: Ty,
    },
    /// The content of a `Boxed`, `Mut` or `Cell`. If the place has the type of the content already, it is a temporary value that was a reference before
    /// references were erased. Then the step goes nowhere, but says that the place belongs to something else, which may change it.
    Deref(Ty),
    /// The content of a `Cell`, with a dynamic borrow. It exists only until `borrows`, which replaces it by a `Deref` and, if needed, a check.
    Borrow(Borrow),
    /// An element of a slice, list or vector, with a bounds check. The index is a `usize`; the span is that of the index expression.
    Index(Box<Expr>, Ty, Span),
}

/// A dynamic borrow.
#[derive(Clone, Copy, Debug)]
pub struct Borrow {
    /// The type of the content.
    pub content: Ty,
    /// Whether the borrow is mutable: `borrow_mut`, and methods that call it.
    pub mutable: bool,
    /// The guard that holds the borrow; `None` if the borrow ends after one use of the content.
    pub guard: Option<Guard>,
    /// The place in the source.
    pub span: Span,
}

/// A guard, `Ref` or `RefMut`, that is created at one place of a function.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// Unique in the function.
    pub id: GuardId,
    /// The scope at whose end it is dropped.
    pub scope: ScopeId,
}

/// Names a guard of a function.
pub type GuardId = usize;

/// Names a scope of guards of a function.
pub type ScopeId = usize;

/// A guard or scope that ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    /// A scope ends, and all its guards are dropped.
    Scope(ScopeId),
    /// A guard is dropped before the end of its scope.
    Guard(GuardId),
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, a bool, `()` (also text and functions as values).
    Const(Const),
    /// Reads a place. With `copy` the value is independent, so lists in it are copied; otherwise it is only inspected or moved out.
    Read {
        /// The place.
        place: Place,
        /// Whether lists are copied.
        copy: bool,
    },
    /// `&mut place`, of type `Ty::Mut`. If no projection is a `Deref` or `Index`, the variable is in memory.
    Address(Place),
    /// A vector or list as a slice, of type `SliceMut` because its memory can change. Also a `Slice` as a `SliceMut`.
    AsSlice(Box<Expr>),
    /// `slice[from..to]`, checked: slice, from, to, inclusive.
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>, bool),
    /// The number of elements of a slice, list or vector (a value).
    Len(Box<Expr>),
    /// A tuple, a closure (its captures).
    Tuple(Vec<Expr>),
    /// A variant of an enum, or a struct (variant 0), with all fields in the order of declaration.
    Aggregate(u32, Vec<Expr>),
    /// A list or a vector of these elements; the type says which.
    List(Vec<Expr>),
    /// A list or a vector of deep copies of a value: the value and the count, a `usize`.
    Repeat(Box<Expr>, Box<Expr>),
    /// An empty vector with room for that many elements.
    WithCapacity(Box<Expr>),
    /// A new object for a `Boxed` or `Cell`, with this content.
    NewObject(Box<Expr>),
    /// `-e` of a number or array; integers are checked.
    Neg(Box<Expr>),
    /// `!e` of an integer or bool.
    Not(Box<Expr>),
    /// An operator on numbers of one type (integers are checked), on bools, or on arrays and numbers.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `as` between number types.
    Cast(Box<Expr>),
    /// A method of numbers that lowering expresses with primitives.
    Intrinsic(Intrinsic, Vec<Expr>),
    /// `a && b` (true), `a || b` (false)
    Lazy(bool, Box<Expr>, Box<Expr>),
    /// A call of an instance or of a dispatch function.
    Call(Symbol, Vec<Expr>),
    /// A call of a row of a pack or of a host operation, on numbers and arrays, tuples of numbers, and lists of `usize` written as `Tuple`.
    Rule(Symbol, Vec<Expr>),
    /// A scalar function (instance, pack function, primitive) applied to every element of arrays and numbers.
    Map(Symbol, Vec<Expr>),
    /// The pair of value and gradient of an instance, or of value and derivative along a direction. The arguments are the captures of the function, its
    /// argument, and the direction.
    Derivative(DerivativeKind, Symbol, Vec<Expr>),
    /// A `dyn` value: the value, its tag, and whether the value is already an address (`Boxed`, `Mut`) and needs no new object.
    MakeDyn(Box<Expr>, u32, bool),
    /// `if`; the condition may hold `Let`s under `&&`.
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// Whether a place matches a pattern. The names are bound in the rest of the condition and in the body.
    Let(Place, Box<Pattern>),
    /// `match`: the place, the arms in order. A value that no arm matches cannot occur.
    Match(Place, Vec<Arm>),
    /// Statements, then a value (`None`: `()`, or never reached).
    Block(Vec<Statement>, Option<Box<Expr>>),
    /// `'label: { … }`: a block that `break` may leave with a value.
    Labelled(LoopId, Box<Expr>),
    /// A loop that ends only by `break`.
    Loop(LoopId, Box<Expr>),
    /// A loop with a condition, which may contain `Let`s.
    While(LoopId, Box<Expr>, Box<Expr>),
    /// A counted loop: the pattern is bound to each item in turn.
    For(LoopId, Pattern, Iter, Box<Expr>),
    /// `break`: leaves a loop or labelled block, with an optional value.
    Break(LoopId, Option<Box<Expr>>),
    /// `continue`: begins the next iteration of a loop.
    Continue(LoopId),
    /// `return`.
    Return(Option<Box<Expr>>),
    /// `place = value`: the value is evaluated before the operands of the place.
    Assign(Place, Box<Expr>),
    /// `place op= value` of numbers or arrays: the value is evaluated first.
    AssignBinary(Binary, Place, Box<Expr>),
    /// Faults if the condition is false. The message shows the further values.
    Assert(Box<Expr>, Fault, Vec<Expr>),
    /// Faults. The message shows the values.
    Fail(Fault, Vec<Expr>),
    /// `vec.push(value)`
    Push(Place, Box<Expr>),
    /// `vec.pop()`: the type is an `Option`.
    Pop(Place),
    /// `vec.truncate(n)`
    Truncate(Place, Box<Expr>),
    /// Swaps the pointees of two `Mut`s.
    Swap(Box<Expr>, Box<Expr>),
    /// Stores through a `Mut` and returns the previous value.
    Replace(Box<Expr>, Box<Expr>),
    /// A deep copy of a value. Pointees of `&` and `Rc` stay shared; cells outside an `Rc` were refused before.
    Clone(Box<Expr>),
    /// The value as a constant, without derivative.
    StopGradient(Box<Expr>),
    /// A scope of guards around an expression. `true`: around an `if` or `while` whose condition contains a `let`; the scope then covers one iteration
    /// and ends where the condition is false. This and the next two exist only until `borrows`.
    Scope(ScopeId, Box<Expr>, bool),
    /// A scope of guards begins.
    Enter(ScopeId),
    /// Guards and scopes that end after the value is computed, or (`true`) before.
    Leave(Vec<Over>, Box<Expr>, bool),
}

/// Names a loop or labelled block of a function.
pub type LoopId = usize;

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Its pattern.
    pub pattern: Pattern,
    /// The guard condition, which may use the names of the pattern. It is evaluated for each matching alternative of an `Or` until it holds. Such
    /// alternatives occur only at the top of the pattern.
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Expr,
}

impl Arm {
    /// An arm without a guard.
    pub fn new(pattern: Pattern, body: Expr) -> Arm {
        Arm {
            pattern,
            guard: None,
            body,
        }
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Binds a place (`Base::Value` for computed values) to an irrefutable pattern, or to a pattern with an `else` block, which diverges.
    Let(Pattern, Place, Option<Expr>),
    /// An expression that is evaluated for its effects.
    Expr(Expr),
}

/// A pattern, matched against a place.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Matches everything.
    Wild,
    /// Binds a variable to the value of the place, or (`true`) to its address as a `Ty::Mut`, if the inner pattern matches.
    Bind(LocalId, bool, Option<Box<Pattern>>),
    /// Matches an equal number or bool.
    Equal(Const, Type),
    /// Matches a range: start, end, whether the end is included, type.
    Between(Option<Const>, Option<Const>, bool, Type),
    /// Matches if all parts match, each at a projection of the place.
    Parts(Vec<(Projection, Pattern)>),
    /// Matches if this variant is live and its payload matches.
    Variant(u32, Vec<(Projection, Pattern)>),
    /// Matches if an alternative matches. All alternatives bind the same variables.
    Or(Vec<Pattern>),
    /// Matches a slice, list or vector: the first elements, the pattern for the rest if it is bound, the last elements, whether there is a rest, and the
    /// type of the slice.
    Slice(Vec<Pattern>, Option<Box<Pattern>>, Vec<Pattern>, bool, Ty),
}

impl Pattern {
    /// Whether more than one alternative may match, so that a guard may be evaluated several times.
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
    /// The pattern as a list of alternatives without inner alternatives, in the order in which they are tried.
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

/// All combinations of the alternatives of the parts. The last part varies fastest.
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

/// The iterable of a counted `for`. Adaptors apply to the items in this order: `enumerate`, `rev`, `step`.
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
    /// Pairs, as many as the shorter source has items.
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
