//! The surface tree: what `#[differentiable]` emits for a function, as static data.
//!
//! The macro writes these constructors with `&'static` references, so rustc checks the tree and places it in the binary; a call to
//! another differentiable function is a path to its type, resolved by rustc. Only accepted forms have a constructor: what the
//! language does not have cannot be written here.

use super::ty::{Dyn, RefKind, Trait, Ty};
use crate::ir::{Const, Type};
use std::any::Any;
use std::cell::Cell;

/// A differentiable function's source. Types may mention `Ty::Param(n)`, the n-th type or const parameter of the function or of the `impl` it is
/// in (those of the `impl` come first), and unknowns, which inference finds for each instance. In a method that a trait declares
/// `Ty::Param(0)` is `Self`, and the type parameters of the trait follow.
#[derive(Debug)]
pub struct Source {
    /// `module_path!()::name`, for methods `module_path!()::Type::name`: unique in the program but for items inside bodies.
    pub path: &'static str,
    /// The name alone.
    pub name: &'static str,
    /// The file, as rustc spells it.
    pub file: &'static str,
    /// Where the function's name stands.
    pub at: At,
    /// The number of type and const parameters.
    pub generics: u32,
    /// In order; a method's `self` is the first, bound to the name `self`.
    pub params: &'static [Param],
    /// Gives the declared return type; unknown if it cannot be written as a type of its own (`impl Fn(f64) -> f64`).
    pub ret: fn() -> Ty,
    /// How that is written.
    pub ret_kind: RefKind,
    /// What it is made of.
    pub body: Body,
    /// What differentiation makes of it.
    pub role: Role,
    /// Whether temporary values end early where editions of Rust differ: those of a block's last expression before its variables, and those
    /// of an `if let` before its `else`. They do since the edition of 2024.
    pub early: fn() -> bool,
    /// The methods of floats by themselves that are called here: whether a trait in scope gives references to floats one of that name, which rustc
    /// finds first.
    pub of_references: &'static [(&'static str, bool)],
    /// The traits that bound type parameters, by their positions: nothing for one that is not differentiable. Those that have no method called like one
    /// of a float are left out, and all of a parameter that is a `Float`.
    pub bounds: &'static [(u32, TraitFn)],
}

/// A temporary value that says when it is dropped, for [`Source::early`]: a macro cannot ask which edition a text is written in.
#[derive(Debug)]
pub struct Temporary<'a>(pub &'a Cell<bool>);

impl Temporary<'_> {
    /// Something else.
    pub fn read(&self) -> bool {
        self.0.get()
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        self.0.set(true);
    }
}

/// What differentiation makes of a function.
#[derive(Debug)]
pub enum Role {
    /// It is derived from the body.
    Derived,
    /// `#[non_differentiable]`: its results count as constants.
    Constant,
    /// `#[differentiable(overlay = other)]`: derivatives see the body of `other`.
    Overlay(Callee),
}

/// What a function is made of.
#[derive(Debug)]
pub enum Body {
    /// A body to lower.
    Block(Block),
    /// Declared in an `extern` block: a pack defines the function of this name.
    Pack(&'static str),
    /// Not read: the function has a rule of its own, which the registry has by its path.
    Rule,
    /// A method that a trait declares without a body: the types that implement the trait have one.
    Required,
}

/// A method that `#[differentiable]` has read in an `impl` or a trait. All of them are collected through `inventory`.
#[derive(Debug)]
pub struct Method {
    /// The type that has the method, with `Ty::Param` for the type parameters of the `impl`. For a method of a trait: `Ty::Dyn` of the trait.
    pub owner: fn() -> Ty,
    /// The trait that the method is of, by its name; empty for inherent ones.
    pub of_trait: &'static str,
    /// The trait itself, if it is a differentiable one and the type parameters of the `impl` allow to say so.
    pub implements: TraitFn,
    /// Its source; its name is the method's.
    pub source: fn() -> &'static Source,
    /// How the receiver is taken.
    pub receiver: Receiver,
    /// Whether the type of the `impl` is a reference.
    pub ref_kind: RefKind,
    /// What it says, references aside.
    pub digest: BodyDigest,
}

impl Method {
    /// Whether it is a method of this trait. What the trait of a generic `impl` is may be known by its name alone.
    pub fn is_of(&self, of: &Trait) -> bool {
        match (self.implements)() {
            Some(found) => found == of,
            None => self.of_trait == of.name && is_generic((self.owner)()),
        }
    }
    /// Whether this is of a trait of std, by its name.
    pub fn is_of_std(&self, name: &str) -> bool {
        self.of_trait == name && (self.implements)().is_none()
    }
    /// Whether the trait itself declares it, with a body or without.
    pub fn is_declared_by(&self, of: &Trait) -> bool {
        matches!((self.owner)(), Ty::Dyn(Dyn::Trait(other)) if *other == of)
    }
}

fn is_generic(owner: Ty) -> bool {
    owner.any(&mut |ty| matches!(ty, Ty::Param(_)))
}

/// What a method of an `impl` of a trait says, references aside: of two that say the same it does not matter which is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyDigest {
    /// What is not compared.
    NotCompared,
    /// It calls the method of what its arguments refer to.
    Forwards,
    /// A hash of the text.
    Text(u64),
}

/// How a method takes its receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Receiver {
    /// It has none: `Point::origin()`.
    None,
    /// `self`: the value, or what holds it.
    Value,
    /// `&self`
    Shared,
    /// `&mut self`: the place.
    Mut,
}

inventory::collect!(Method);

/// An `impl` of a trait by a type without parameters. All of them are collected through `inventory`.
pub struct Implementor {
    /// The trait.
    pub of: TraitFn,
    /// The type.
    pub ty: TyFn,
    /// What calls have to know of the type's values, if there may be values of it from outside: `api` makes it and looks at it.
    pub values: fn() -> Option<Box<dyn Any + Send + Sync>>,
}

inventory::collect!(Implementor);

/// An `impl` of a trait for what holds a value that has it: a pointer, a reference. What it holds stands for it, so what the `impl` does not write
/// must not be written for what it holds either. All of them are collected through `inventory`.
pub struct ForwardingImpl {
    /// The trait, if the type parameters of the `impl` allow to say so.
    pub of: TraitFn,
    /// The trait's name.
    pub of_trait: &'static str,
    /// The methods that it writes.
    pub methods: &'static [&'static str],
    /// The file that it is in.
    pub file: &'static str,
}

inventory::collect!(ForwardingImpl);

/// The types that a `dyn` value of the trait may have that comes from outside. The order is that of their tags.
pub fn implementors(of: &Trait) -> Vec<&'static Implementor> {
    let spelled = |ty: Ty| match ty {
        Ty::Adt(adt, _) => (adt.path, ty.to_string()),
        ty => ("", ty.to_string()),
    };
    let mut found: Vec<&Implementor> = inventory::iter::<Implementor>
        .into_iter()
        .filter(|one| (one.of)() == Some(of) && (one.values)().is_some())
        .collect();
    found.sort_by_cached_key(|one| spelled((one.ty)()));
    found
}

/// Line and column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At(pub u32, pub u32);

/// Gives a type.
pub type TyFn = fn() -> Ty;

/// Gives a trait, if it is a differentiable one.
pub type TraitFn = fn() -> Option<&'static Trait>;

/// A differentiable function, by its type's path, and its type arguments (unknown ones as `Ty::Infer(u32::MAX)`).
pub type Callee = fn() -> Instance;

/// A function and its type arguments.
pub type Instance = (&'static Source, Vec<Ty>);

/// A parameter.
#[derive(Debug)]
pub struct Param {
    /// The binding.
    pub pattern: Pattern,
    /// Gives its type.
    pub ty: TyFn,
    /// Whether the type is a reference, as it is written.
    pub ref_kind: RefKind,
    /// The same of the elements, for slices, arrays and vectors.
    pub element_kind: RefKind,
}

/// A pattern and its place.
#[derive(Debug)]
pub struct Pattern {
    /// Where.
    pub at: At,
    /// What.
    pub kind: PatternKind,
}

/// The forms of a pattern.
#[derive(Debug)]
pub enum PatternKind {
    /// `_`
    Wild,
    /// `..` in a tuple, a tuple struct or a slice
    Rest,
    /// `name`, `mut name`, `ref mut name` (true), `name @ pattern`; `ref name` is `name @ _`
    Name(&'static str, bool, Option<&'static Pattern>),
    /// `(a, b, ..)`
    Tuple(&'static [Pattern]),
    /// `Point { x, y: p, .. }`, `Shape::Circle { r }`: the type, the variant if it is one
    Struct(
        TyFn,
        Option<&'static str>,
        &'static [(&'static str, Pattern)],
    ),
    /// `Point(x, y)`, `Some(x)`, `None`, `Shape::Empty`
    TupleStruct(TyFn, Option<&'static str>, &'static [Pattern]),
    /// `[a, b, .., c]`, `[first, rest @ ..]`
    Slice(&'static [Pattern]),
    /// `1.5`, `-3`, `true`, a constant
    Value(&'static Expr),
    /// `a..=b`, `a..b`, `a..`
    Range(Option<&'static Expr>, Option<&'static Expr>, bool),
    /// `a | b`
    Or(&'static [Pattern]),
    /// `&p`, `&mut p`
    Ref(&'static Pattern),
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
    /// `let pattern: ty = value else { … };` (no value: deferred initialisation)
    Let(Pattern, Option<TyFn>, Option<Expr>, Option<Block>),
    /// `expr;`
    Expr(Expr),
}

/// An expression and its place.
#[derive(Debug)]
pub struct Expr {
    /// Where.
    pub at: At,
    /// What.
    pub kind: ExprKind,
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

impl Binary {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Rem => "%",
            Binary::And => "&",
            Binary::Or => "|",
            Binary::Xor => "^",
            Binary::Shl => "<<",
            Binary::Shr => ">>",
            Binary::Eq => "==",
            Binary::Ne => "!=",
            Binary::Lt => "<",
            Binary::Le => "<=",
            Binary::Gt => ">",
            Binary::Ge => ">=",
        }
    }
}

/// The value of a constant item.
#[derive(Clone, Debug)]
pub enum Constant {
    /// A number or a bool.
    Scalar(Const, Type),
    /// A tuple.
    Tuple(Vec<Constant>),
    /// An array or a slice of such, and the type of an element.
    List(Vec<Constant>, Ty),
    /// Text.
    Str(&'static str),
    /// A variant without fields whose name looks like a constant's, of an enum: `Axis::X`. An error if the type has no such variant.
    Variant(Ty, &'static str),
    /// A struct, or an enum with its variant.
    Adt(Ty, u32, Vec<Constant>),
    /// What is no constant here, of that type. An error.
    Other(Ty),
}

/// The forms of an expression.
#[derive(Debug)]
pub enum ExprKind {
    /// `1.5`, `1.5f32`: the type if there is a suffix.
    Float(f64, Option<Type>),
    /// `3`, `3usize`
    Int(i128, Option<Type>),
    /// `true`
    Bool(bool),
    /// `"text"`
    Str(&'static str),
    /// `format!("x = {x}")`: text that values are put into. What it says is not known.
    Formatted(&'static str),
    /// A variable, `self` included.
    Local(&'static str),
    /// The value of a const parameter, by its position among the parameters, and its type.
    Parameter(u32, TyFn),
    /// A constant or static item or associated constant: `std::f64::consts::PI`, `f64::EPSILON`.
    Constant(fn() -> Constant),
    /// A differentiable function as a value: `let g = f;`
    Function(Callee),
    /// A method of a type as a value: `f64::sin`, `Point::norm`, `<Point as Norm>::norm` with the trait.
    MethodValue(TyFn, Option<TraitFn>, &'static str),
    /// `-e`
    Neg(&'static Expr),
    /// `!e`
    Not(&'static Expr),
    /// `a + b`
    Binary(Binary, &'static Expr, &'static Expr),
    /// `a && b` (true), `a || b` (false)
    Lazy(bool, &'static Expr, &'static Expr),
    /// `let pattern = e` as a condition
    Let(&'static Pattern, &'static Expr),
    /// `place = e`
    Assign(&'static Expr, &'static Expr),
    /// `place += e`
    AssignBinary(Binary, &'static Expr, &'static Expr),
    /// `f(a, b)` of a differentiable function
    Call(Callee, &'static [Expr]),
    /// `(e)(a, b)`, `g(a)` of a variable
    CallValue(&'static Expr, &'static [Expr]),
    /// `x.method::<T>(a)`: receiver first. The type of the receiver decides. With a name: `Clone::clone(x)`, of that trait of std.
    Method(
        &'static str,
        Option<&'static str>,
        &'static [TyFn],
        &'static [Expr],
    ),
    /// `Type::function(a)`: `Vec::new()`, `f64::max(a, b)`, `Point::origin()`, `Self::helper(x)`; `Trait::method(x)`, whose type is the trait's `dyn`;
    /// `<Type as Trait>::function(a)`, with the trait.
    Associated(
        TyFn,
        Option<TraitFn>,
        &'static str,
        &'static [TyFn],
        &'static [Expr],
    ),
    /// `Point { x: 1.0, ..base }`, `Shape::Circle { r }`: the type, the variant if it is one
    Struct(
        TyFn,
        Option<&'static str>,
        &'static [(&'static str, Expr)],
        Option<&'static Expr>,
    ),
    /// `Point(1.0)`, `Some(x)`, `None`, `Shape::Empty`; without arguments also as a function: `Some`
    Construct(TyFn, Option<&'static str>, &'static [Expr]),
    /// `x[i]`; the index may be a `Range`
    Index(&'static Expr, &'static Expr),
    /// `a..b`: either end may be missing; inclusive or not.
    Range(Option<&'static Expr>, Option<&'static Expr>, bool),
    /// `x.0`, `p.x`
    Field(&'static Expr, &'static str),
    /// `(a, b)`, `()`
    Tuple(&'static [Expr]),
    /// `[a, b]`
    List(&'static [Expr]),
    /// `[x; N]`, N as a type argument
    Repeat(&'static Expr, TyFn),
    /// `vec![a, b]`
    VecList(&'static [Expr]),
    /// `vec![x; n]`
    VecRepeat(&'static Expr, &'static Expr),
    /// `&e` (false), `&mut e` (true)
    Ref(bool, &'static Expr),
    /// `*e`
    Deref(&'static Expr),
    /// `e as T`
    Cast(&'static Expr, TyFn),
    /// `if c { } else { }`
    If(&'static Expr, Block, Option<&'static Expr>),
    /// `match e { arms }`
    Match(&'static Expr, &'static [Arm]),
    /// `e?`
    Try(&'static Expr),
    /// `|a, b| e`
    Closure(Lambda),
    /// `{ … }`, `'label: { … }`
    Block(Option<&'static str>, Block),
    /// `'label: while c { }`
    While(Option<&'static str>, &'static Expr, Block),
    /// `'label: loop { }`
    Loop(Option<&'static str>, Block),
    /// `'label: for pattern in iterable { }`
    For(Option<&'static str>, &'static Pattern, &'static Expr, Block),
    /// `break 'label value`
    Break(Option<&'static str>, Option<&'static Expr>),
    /// `continue 'label`
    Continue(Option<&'static str>),
    /// `return e`
    Return(Option<&'static Expr>),
    /// `assert!(c, "text", values)`: the panic message and what stands in its braces, in order; nothing if not all of it is known.
    Assert(&'static Expr, &'static str, &'static [Expr]),
    /// `panic!("text", values)`, `unreachable!()`, `todo!()`
    Panic(&'static str, &'static [Expr]),
}

/// An arm of a `match`.
#[derive(Debug)]
pub struct Arm {
    /// What it is for.
    pub pattern: Pattern,
    /// `if guard`
    pub guard: Option<Expr>,
    /// What it gives.
    pub body: Expr,
}

/// A closure.
#[derive(Debug)]
pub struct Lambda {
    /// In order.
    pub params: &'static [(Pattern, Option<TyFn>)],
    /// The type of the result if it is written.
    pub ret: Option<TyFn>,
    /// What it computes.
    pub body: &'static Expr,
    /// `move`
    pub moves: bool,
}
