//! The surface tree: what `#[differentiable]` emits for a function.
//!
//! A [`Source`] is static data in the user's binary. Its patterns and its body are text, which is read when the function is first needed (`written.rs`); a
//! call to another differentiable function is a path to its type, resolved by rustc. Only accepted forms have a constructor: what the language does not
//! have cannot be written here.

use super::ty::{Dyn, RefKind, Trait, Ty};
use super::written::Written;
use crate::ir::{Const, Type};
use std::any::Any;
use std::cell::Cell;
use std::sync::LazyLock;

/// The source of a differentiable function. Its types may contain `Ty::Param(n)`, the n-th type or const parameter of the function or of its `impl`
/// (those of the `impl` come first), and unknowns, which inference finds for each instance. In a method that a trait declares, `Ty::Param(0)` is `Self`,
/// followed by the type parameters of the trait.
#[derive(Debug)]
pub struct Source {
    /// `module_path!()::name`, for methods `module_path!()::Type::name`. It is unique in the program, except for items inside function bodies.
    pub path: &'static str,
    /// The name without the path.
    pub name: &'static str,
    /// The file, as rustc spells it.
    pub file: &'static str,
    /// Where the function's name stands.
    pub at: At,
    /// The number of type and const parameters.
    pub generics: u32,
    /// The parameters in order. `self` of a method is the first, bound to the name `self`.
    pub params: &'static [Param],
    /// The pattern of each parameter.
    pub patterns: Written<&'static [Pattern]>,
    /// The declared return type; unknown if it cannot be written as a type (`impl Fn(f64) -> f64`).
    pub ret: fn() -> Ty,
    /// How the return type is written.
    pub ret_kind: RefKind,
    /// Its body.
    pub body: Body,
    /// How it is differentiated.
    pub role: Role,
    /// Whether temporaries end early, as they do since the 2024 edition: those of the last expression of a block end before its variables, and those of
    /// an `if let` before its `else`.
    pub early: fn() -> bool,
    /// For each inherent method of floats that the function calls: whether a trait in scope gives references to floats a method of the same name, which
    /// rustc would find first.
    pub of_references: &'static [(&'static str, bool)],
    /// The traits that bound type parameters, with the position of the parameter; `None` for a trait that is not differentiable, other than `Float`.
    /// Traits without methods named like those of floats are omitted.
    pub bounds: &'static [(u32, TraitFn)],
}

/// A temporary that records when it is dropped, for [`Source::early`]. A macro cannot ask for the edition of its input.
#[derive(Debug)]
pub struct Temporary<'a>(pub &'a Cell<bool>);

impl Temporary<'_> {
    /// Whether another temporary was already dropped.
    pub fn read(&self) -> bool {
        self.0.get()
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        self.0.set(true);
    }
}

/// How a function is differentiated.
#[derive(Debug)]
pub enum Role {
    /// The derivative is derived from the body.
    Derived,
    /// `#[non_differentiable]`: its results are constants.
    Constant,
    /// `#[differentiable(overlay = other)]`: the derivative is derived from the body of `other`.
    Overlay(Callee),
}

/// The body of a function.
#[derive(Debug)]
pub enum Body {
    /// A body to lower.
    Block(Written<Block>),
    /// The function is declared in an `extern` block: a pack defines the row of this name.
    Pack(&'static str),
    /// The body is not read: the function has its own rule, which the registry finds by the path.
    Rule,
    /// A method that a trait declares without a body.
    Required,
}

/// A method in a differentiable `impl` or trait. All of them are collected through `inventory`.
#[derive(Debug)]
pub struct Method {
    /// The type that has the method, with `Ty::Param` for the type parameters of the `impl`. For a method that a trait declares it is `Ty::Dyn` of the
    /// trait.
    pub owner: fn() -> Ty,
    /// The name of the method's trait; empty for inherent methods.
    pub of_trait: &'static str,
    /// The trait itself, if it is differentiable and the type parameters of the `impl` allow to name it.
    pub implements: TraitFn,
    /// Its source, which has the name of the method.
    pub source: fn() -> &'static Source,
    /// How it takes its receiver.
    pub receiver: Receiver,
    /// How the type of the `impl` is written.
    pub ref_kind: RefKind,
    /// A digest of its body, without references.
    pub digest: BodyDigest,
}

/// An `impl` of a trait without functions and constants, so that no [`Method`] tells of it. All of them are collected through `inventory`.
pub struct EmptyImpl {
    /// The type, as in [`Method::owner`].
    pub owner: fn() -> Ty,
    /// The name of the trait.
    pub of_trait: &'static str,
    /// The trait itself, as in [`Method::implements`].
    pub implements: TraitFn,
}

inventory::collect!(EmptyImpl);

impl EmptyImpl {
    /// Whether it is an `impl` of this trait.
    pub fn is_of(&self, of: &Trait) -> bool {
        is_impl_of(self.implements, self.of_trait, self.owner, of)
    }
}

/// What rustc says of the functions in an `impl` of a trait by a type without type parameters. All of them are collected through `inventory`.
pub struct InherentFunctions {
    /// The type, as in [`Method::owner`].
    pub owner: fn() -> Ty,
    /// For each function of the `impl`, whether the type has an inherent one of this name, too.
    pub functions: fn() -> Vec<(&'static str, bool)>,
}

inventory::collect!(InherentFunctions);

/// Whether a type has an inherent function of this name, be it differentiable or not. It is known for the functions of its traits.
pub fn has_inherent(ty: Ty, name: &str) -> bool {
    static FOUND: LazyLock<Vec<(Ty, &str)>> = LazyLock::new(|| {
        let all = inventory::iter::<InherentFunctions>.into_iter();
        let found = all.flat_map(|one| {
            let own = (one.functions)()
                .into_iter()
                .filter(|(_, is_inherent)| *is_inherent);
            own.map(|(name, _)| ((one.owner)(), name))
        });
        found.collect()
    });
    FOUND.contains(&(ty, name))
}

/// Whether an `impl` is of this trait. For a generic `impl`, the trait may be known only by its name.
fn is_impl_of(implements: TraitFn, name: &str, owner: fn() -> Ty, of: &Trait) -> bool {
    match implements() {
        Some(found) => found == of,
        None => name == of.name && is_generic(owner()),
    }
}

impl Method {
    /// Whether it is a method of this trait.
    pub fn is_of(&self, of: &Trait) -> bool {
        is_impl_of(self.implements, self.of_trait, self.owner, of)
    }
    /// Whether it is a method of the trait with this name that is not differentiable itself: of a trait of std, or of one without the attribute.
    pub fn is_of_std(&self, name: &str) -> bool {
        self.of_trait == name && (self.implements)().is_none()
    }
    /// Whether the trait itself declares it, with or without a body.
    pub fn is_declared_by(&self, of: &Trait) -> bool {
        matches!((self.owner)(), Ty::Dyn(Dyn::Trait(other)) if *other == of)
    }
}

fn is_generic(owner: Ty) -> bool {
    owner.any(&mut |ty| matches!(ty, Ty::Param(_)))
}

/// A digest of the body of a method of a trait, without references. If two candidates have the same digest, it does not matter which of them is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyDigest {
    /// The body is not compared.
    NotCompared,
    /// The body only forwards to the method of the pointees of its arguments.
    Forwards,
    /// A hash of the text of the body.
    Text(u64),
}

/// How a method takes its receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Receiver {
    /// There is no receiver: `Point::origin()`.
    None,
    /// `self`: by value, or a pointer to the value.
    Value,
    /// `&self`
    Shared,
    /// `&mut self`
    Mut,
}

inventory::collect!(Method);

/// An `impl` of a trait by a type without parameters. All of them are collected through `inventory`.
pub struct Implementor {
    /// The trait.
    pub of: TraitFn,
    /// The type.
    pub ty: TyFn,
    /// What calls must know about values of the type that come from outside. `api` creates and reads it.
    pub values: fn() -> Option<Box<dyn Any + Send + Sync>>,
}

inventory::collect!(Implementor);

/// An `impl` of a trait for a pointer or reference to a type with the trait. In differentiable code the pointer is erased, so a default method that this
/// `impl` does not forward must not be overridden for the pointee. All of them are collected through `inventory`.
pub struct ForwardingImpl {
    /// The trait, if the type parameters of the `impl` allow to name it.
    pub of: TraitFn,
    /// The trait's name.
    pub of_trait: &'static str,
    /// The methods that the `impl` defines.
    pub methods: &'static [&'static str],
    /// The file of the `impl`.
    pub file: &'static str,
}

inventory::collect!(ForwardingImpl);

/// The `Box<dyn Trait>` of each trait that can be one. All of them are collected through `inventory`.
pub struct BoxOfTrait {
    /// The trait.
    pub of: &'static Trait,
    /// Whether the program implements `Clone` for it.
    pub is_clone: bool,
}

inventory::collect!(BoxOfTrait);

/// Whether the program implements `Clone` for a `Box` of this trait.
pub fn is_clone_in_box(of: &Trait) -> bool {
    let mut all = inventory::iter::<BoxOfTrait>.into_iter();
    all.any(|one| one.of == of && one.is_clone)
}

/// The types that a `dyn` value from outside may have. The position of a type is its tag.
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

/// A function that returns a type.
pub type TyFn = fn() -> Ty;

/// A function that returns a trait, if it is differentiable.
pub type TraitFn = fn() -> Option<&'static Trait>;

/// The trait of a path `<T as Trait>::name`.
#[derive(Clone, Copy, Debug)]
pub struct WrittenTrait {
    /// Its name.
    pub name: &'static str,
    /// The trait itself, if it is differentiable.
    pub of: TraitFn,
}

/// A differentiable function and its type arguments, by the path of its type. Unknown arguments are `Ty::Infer(u32::MAX)`.
pub type Callee = fn() -> Instance;

/// A function and its type arguments.
pub type Instance = (&'static Source, Vec<Ty>);

/// A parameter.
#[derive(Debug)]
pub struct Param {
    /// Its type.
    pub ty: TyFn,
    /// How the type is written.
    pub ref_kind: RefKind,
    /// The same for the elements of slices, arrays and vectors.
    pub element_kind: RefKind,
    /// Of a function, as `impl Fn(&[f64; 2], f64)`: the types of its own parameters that are references to arrays, vectors and slices; the others are
    /// unknown here, because calls say what they are. Empty if there are none.
    pub takes: &'static [TyFn],
}

/// A pattern and its place in the source.
#[derive(Debug)]
pub struct Pattern {
    /// Its place in the source.
    pub at: At,
    /// What it is.
    pub kind: PatternKind,
}

/// The kinds of patterns.
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
    /// The statements in order.
    pub statements: &'static [Statement],
    /// The last expression, if it has no semicolon.
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

/// An expression and its place in the source. Inference keeps what it finds about a node by the address of the node.
#[derive(Debug)]
pub struct Expr {
    /// Its place in the source.
    pub at: At,
    /// What it is.
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
    /// The operator as it is written.
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
    Str(String),
    /// A variant without fields whose name looks like a constant: `Axis::X`. An error if the type has no such variant.
    Variant(Ty, &'static str),
    /// A struct, or an enum with its variant.
    Adt(Ty, u32, Vec<Constant>),
    /// A value of this type that cannot be a constant here. Using it is an error.
    Other(Ty),
}

impl Constant {
    /// A struct, or an enum with its variant, and its fields.
    pub fn of_fields<T: super::types::Typed, const N: usize>(
        variant: u32,
        fields: [Constant; N],
    ) -> Constant {
        Constant::Adt(T::ty(), variant, fields.into())
    }
}

/// The kinds of expressions.
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
    /// `format!("x = {x}")`: text with values. Its content is not known in derived code.
    Formatted(&'static str),
    /// A variable, `self` included.
    Local(&'static str),
    /// The value of a const parameter: its position among the parameters, and its type.
    Parameter(u32, TyFn),
    /// A constant or static item or associated constant: `std::f64::consts::PI`, `f64::EPSILON`.
    Constant(fn() -> Constant),
    /// A differentiable function as a value: `let g = f;`
    Function(Callee),
    /// A method as a value: `f64::sin`, `Point::norm`, `<Point as Norm>::norm` with the trait.
    MethodValue(TyFn, Option<WrittenTrait>, &'static str),
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
    /// `x.method::<T>(a)`, with the receiver as first argument; its type decides which method is called. The second field is a trait of std for
    /// `Clone::clone(x)`.
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
        Option<WrittenTrait>,
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
    /// Its pattern.
    pub pattern: Pattern,
    /// `if guard`
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Expr,
}

/// A closure.
#[derive(Debug)]
pub struct Lambda {
    /// The parameters in order, with their types if they are written.
    pub params: &'static [(Pattern, Option<TyFn>)],
    /// The type of the result, if it is written.
    pub ret: Option<TyFn>,
    /// Its body.
    pub body: &'static Expr,
    /// `move`
    pub moves: bool,
}
