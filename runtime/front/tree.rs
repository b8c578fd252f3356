//! The surface tree: what `#[differentiable]` emits for a function, as static data.
//!
//! The macro writes these constructors with `&'static` references, so rustc checks the tree and places it in the binary; a call to
//! another differentiable function is a path to its type, resolved by rustc. Only accepted forms have a constructor: what the
//! language does not have cannot be written here.

use crate::ir::{Const, Type};

/// A differentiable function's source.
#[derive(Debug)]
pub struct Source {
    /// `module_path!()::name`: unique in the program.
    pub path: &'static str,
    /// The name alone.
    pub name: &'static str,
    /// The file, as rustc spells it.
    pub file: &'static str,
    /// Where the function's name stands.
    pub at: At,
    /// In order.
    pub params: &'static [Param],
    /// Gives the declared return type.
    pub ret: fn() -> Type,
    /// What it is made of.
    pub body: Body,
}

/// What a function is made of.
#[derive(Debug)]
pub enum Body {
    /// A body to lower.
    Block(Block),
    /// Declared in an `extern` block: a pack defines the function of this name.
    Pack(&'static str),
}

/// Line and column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At(pub u32, pub u32);

/// A parameter.
#[derive(Debug)]
pub struct Param {
    /// The binding.
    pub pattern: Pattern,
    /// Gives its type (`&T` of a scalar or an array is the type of T).
    pub ty: fn() -> Type,
}

/// What binds values.
#[derive(Debug)]
pub enum Pattern {
    /// `name`, `mut name`, `&name` (of a scalar).
    Name(&'static str),
    /// `_`
    Wild,
    /// `(a, b)`
    Tuple(&'static [Pattern]),
}

/// `{ statements; value }`
#[derive(Debug)]
pub struct Block {
    /// In order.
    pub statements: &'static [Statement],
    /// The last expression without semicolon.
    pub value: Option<&'static Expr>,
}

/// A statement.
#[derive(Debug)]
pub enum Statement {
    /// `let pattern: ty = value;` (no value: deferred initialisation)
    Let(Pattern, Option<fn() -> Type>, Option<Expr>),
    /// `expr;`
    Expr(Expr),
}

/// An expression and its place.
#[derive(Debug)]
pub struct Expr {
    /// Where.
    pub at: At,
    /// What.
    pub kind: Kind,
}

/// `+ - * / % & | ^ << >>` and the comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// A callee: a differentiable function, by its type's path.
pub type Callee = fn() -> &'static Source;

/// The forms of an expression.
#[derive(Debug)]
pub enum Kind {
    /// `1.5`, `1.5f32`: the type if there is a suffix.
    Float(f64, Option<Type>),
    /// `3`, `3usize`
    Int(i128, Option<Type>),
    /// `true`
    Bool(bool),
    /// A variable.
    Local(&'static str),
    /// A constant item or associated constant: `std::f64::consts::PI`, `f64::EPSILON`.
    Constant(fn() -> (Const, Type)),
    /// `-e`
    Neg(&'static Expr),
    /// `!e`
    Not(&'static Expr),
    /// `a + b`
    Binary(Binary, &'static Expr, &'static Expr),
    /// `a && b` (true), `a || b` (false)
    Lazy(bool, &'static Expr, &'static Expr),
    /// `place = e`
    Assign(&'static Expr, &'static Expr),
    /// `place += e`
    AssignBinary(Binary, &'static Expr, &'static Expr),
    /// `f(a, b)` of a differentiable function
    Call(Callee, &'static [Expr]),
    /// `x.method(a)`, also `f64::method(x, a)`: receiver first. The type of the receiver decides.
    Method(&'static str, &'static [Expr]),
    /// `x.map(|v| …)` over an array
    Map(&'static Expr, Lambda),
    /// `x[i]`
    Index(&'static Expr, &'static Expr),
    /// `x[a..b]`: either end may be missing; inclusive or not.
    Slice(
        &'static Expr,
        Option<&'static Expr>,
        Option<&'static Expr>,
        bool,
    ),
    /// `x.0`
    Field(&'static Expr, u32),
    /// `(a, b)`, `()`
    Tuple(&'static [Expr]),
    /// `[a, b]`: a list of extents for array methods
    List(&'static [Expr]),
    /// `&e`, `&mut e`
    Ref(&'static Expr),
    /// `*e`
    Deref(&'static Expr),
    /// `e as T`
    Cast(&'static Expr, fn() -> Type),
    /// `if c { } else { }`
    If(&'static Expr, Block, Option<&'static Expr>),
    /// `{ … }`
    Block(Block),
    /// `'label: while c { }`
    While(Option<&'static str>, &'static Expr, Block),
    /// `'label: loop { }`
    Loop(Option<&'static str>, Block),
    /// `'label: for pattern in iterator { }`
    For(Option<&'static str>, Pattern, Iter, Block),
    /// `break 'label value`
    Break(Option<&'static str>, Option<&'static Expr>),
    /// `continue 'label`
    Continue(Option<&'static str>),
    /// `return e`
    Return(Option<&'static Expr>),
    /// `assert!(c, "text")`: text is the panic message.
    Assert(&'static Expr, &'static str),
    /// `panic!("text")`, `unreachable!()`, `todo!()`
    Panic(&'static str),
}

/// The argument of `map`.
#[derive(Debug)]
pub enum Lambda {
    /// A path to a differentiable function of one scalar.
    Path(Callee),
    /// `|v| e`; captured scalars become further arguments of the map.
    Closure(&'static str, &'static Expr),
}

/// What a `for` runs over.
#[derive(Debug)]
pub enum Iter {
    /// `a..b`, `a..=b` (true)
    Range(&'static Expr, &'static Expr, bool),
    /// `(a..b).rev()`
    RangeRev(&'static Expr, &'static Expr, bool),
    /// `(a..b).step_by(k)`
    RangeStep(&'static Expr, &'static Expr, bool, &'static Expr),
    /// `x`: elements of a slice, or places if it is mutable; with `true`, `.enumerate()`.
    Items(&'static Expr, bool),
    /// `x.iter()`, `&x`: elements of a slice; with `true`, `.enumerate()`.
    Elements(&'static Expr, bool),
    /// `x.iter_mut()`, `&mut x`: places in a slice; with `true`, `.enumerate()`.
    Places(&'static Expr, bool),
}
