//! The types of the language. `repr` translates them to the types of the IR.
//!
//! Shared references and `Rc` are erased: memory cannot change while it is shared, so `&T` and `Rc<T>` are `T`. Memory that can change while it is shared
//! is a [`Ty::Cell`], which is an address; a mark says whether the cell is in an `Rc`, because `clone` depends on it. Types are interned and `Copy`.
//! Structs and enums are nominal, so a type may contain itself behind a `Box`.

use super::tree::Source;
use crate::ir::{Symbol, Type};
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, OnceLock};

/// A type of the language.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ty {
    /// `!`, the type of expressions that diverge. It is accepted everywhere.
    Never,
    /// A number or a bool.
    Scalar(Type),
    /// Text, `&str` and `String`. It has no derivative, and nothing computes with it.
    Str,
    /// A tuple; `()` is the empty one.
    Tuple(&'static [Ty]),
    /// `&[T]`
    Slice(&'static Ty),
    /// `&mut [T]`
    SliceMut(&'static Ty),
    /// `[T; N]`
    List(&'static Ty, usize),
    /// `[T; N]`, where N is a const parameter or not known yet. It exists only during inference.
    OpenList(&'static Ty, &'static Ty),
    /// `Vec<T>`
    Vec(&'static Ty),
    /// `mooncake::Array<T>`
    Array(&'static Ty),
    /// A struct or an enum with its type arguments.
    Adt(&'static Adt, &'static [Ty]),
    /// `Box<T>`
    Boxed(&'static Ty),
    /// `&mut T`, T not a slice. Guards of `RefCell::borrow_mut` too.
    Mut(&'static Ty),
    /// `Cell<T>`, `RefCell<T>`
    Cell(&'static Ty, CellKind),
    /// A named function as a value without size.
    Item(Item),
    /// A closure.
    Closure(&'static Closure),
    /// `dyn Fn(A) -> R`, `fn(A) -> R`, `dyn Trait`
    Dyn(&'static Dyn),
    /// The value of a const parameter as a type argument. Unsigned values are stored as bits, a `bool` as 0 or 1.
    Const(i64),
    /// A type or const parameter of a generic function, by its position.
    Param(u32),
    /// An unknown type. It exists only during inference; `u32::MAX` stands for a new unknown wherever it occurs.
    Infer(u32),
}

/// What is known about a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellKind {
    /// The cell is in an `Rc`.
    pub counted: bool,
    /// It is a `RefCell`.
    pub borrows: bool,
}

/// A struct or an enum. The derive macro makes one; `Option` and `Result` are built in.
#[derive(Debug)]
pub struct Adt {
    /// Unique in the program.
    pub path: &'static str,
    /// The name without the path.
    pub name: &'static str,
    /// Whether it is an enum, so that values have a tag.
    pub is_enum: bool,
    /// The number of type and const parameters; field types mention them as `Ty::Param`.
    pub params: u32,
    /// Whether it implements `Clone`.
    pub is_clone: bool,
    /// The traits whose implementations are written by hand.
    pub by_hand: ByHand,
    /// The variants in order. A struct has one.
    pub variants: &'static [Variant],
    /// Whether it implements `Deref`.
    pub derefs: bool,
}

/// Traits of a struct or enum whose implementations are, or may be, written by hand. They may behave differently from derived ones, which go part by
/// part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByHand {
    /// `PartialEq`
    pub eq: bool,
    /// `PartialOrd` or `Ord`
    pub ord: bool,
    /// `Clone`
    pub clone: bool,
    /// `Default`
    pub default: bool,
}

impl ByHand {
    /// All implementations are derived.
    pub const NOTHING: ByHand = ByHand {
        eq: false,
        ord: false,
        clone: false,
        default: false,
    };
}

/// A variant of an enum, or the fields of a struct.
#[derive(Debug)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// The fields in order.
    pub fields: &'static [Field],
}

/// How a type is written: as a value, a reference or a pointer. A [`Ty`] does not say so, because shared references are erased in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefKind {
    /// `&T` or `&mut T`, where T is a value.
    Reference,
    /// `Rc<T>`, `Arc<T>` or a guard of a cell, where T is a value.
    Pointer,
    /// A reference or pointer to a T that may be a reference or pointer itself.
    Nested,
    /// Neither a reference nor a pointer.
    Value,
    /// A type parameter, or a type without a name.
    Unknown,
}

impl RefKind {
    /// The ref kind of a reference to this.
    pub const fn by_reference(self) -> RefKind {
        match self {
            RefKind::Value => RefKind::Reference,
            _ => RefKind::Nested,
        }
    }
    /// The ref kind of `P<T>`, given those of `P<_>` and `T`.
    pub const fn of_pointer(self, argument: RefKind) -> RefKind {
        match (self, argument) {
            (RefKind::Value, _) => RefKind::Value,
            (_, RefKind::Value) => RefKind::Pointer,
            _ => RefKind::Nested,
        }
    }
    /// Whether its deref is certainly a value, unless it is a box.
    pub fn is_to_value(self) -> bool {
        matches!(self, RefKind::Reference | RefKind::Pointer)
    }
    /// Whether it is certainly a reference or pointer.
    pub fn is_reference(self) -> bool {
        self.is_to_value() || self == RefKind::Nested
    }
}

/// A field; those of tuple structs are named `0`, `1`, …
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub ty: fn() -> Ty,
    /// How that is written.
    pub ref_kind: RefKind,
}

/// A function as a value.
#[derive(Clone, Copy, Debug)]
pub enum Item {
    /// A differentiable function and its type arguments.
    Source(&'static Source, &'static [Ty]),
    /// A method by its name, with its trait if one is written. The receiver is the first argument: `f64::sin`.
    Method(Symbol, Option<&'static Trait>),
    /// An associated function of a type that has several with this name, such as `Complex::from`. The arguments decide which one is meant.
    Overloaded(&'static Ty, Symbol, Option<&'static Trait>),
    /// A constructor: `Some`, `Shape::Circle`; the type and the variant.
    Constructor(&'static Ty, u32),
}

/// A closure expression in an instance of a function. Each has its own type.
#[derive(Debug)]
pub struct Closure {
    /// The unique name of the closure's function.
    pub name: Symbol,
    /// The types of its captures, by value or as `Ty::Mut`.
    pub captures: &'static [Ty],
}

/// What a `dyn` value offers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Dyn {
    /// It can be called.
    Fn(Vec<Ty>, Ty),
    /// It has the methods of a differentiable trait.
    Trait(&'static Trait),
}

/// A differentiable trait.
#[derive(Debug)]
pub struct Trait {
    /// Unique in the program.
    pub path: &'static str,
    /// The name without the path.
    pub name: &'static str,
}

impl PartialEq for Trait {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}
impl Eq for Trait {}
impl Hash for Trait {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.path.hash(state)
    }
}

impl PartialEq for Adt {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}
impl Eq for Adt {}
impl Hash for Adt {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.path.hash(state)
    }
}
impl PartialEq for Closure {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.captures == other.captures
    }
}
impl Eq for Closure {}
impl Hash for Closure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state)
    }
}
impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Item::Source(a, x), Item::Source(b, y)) => std::ptr::eq(*a, *b) && x == y,
            (Item::Method(a, s), Item::Method(b, t)) => a == b && s == t,
            (Item::Overloaded(a, x, s), Item::Overloaded(b, y, t)) => a == b && x == y && s == t,
            (Item::Constructor(a, x), Item::Constructor(b, y)) => a == b && x == y,
            _ => false,
        }
    }
}
impl Eq for Item {}
impl Hash for Item {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Item::Source(source, _) => source.path.hash(state),
            Item::Method(name, _) => name.hash(state),
            Item::Overloaded(ty, name, _) => (ty, name).hash(state),
            Item::Constructor(ty, variant) => (ty, variant).hash(state),
        }
    }
}

/// One copy of each distinct list of types.
pub fn intern(types: &[Ty]) -> &'static [Ty] {
    static LISTS: OnceLock<Mutex<HashSet<&'static [Ty]>>> = OnceLock::new();
    let lists = LISTS.get_or_init(Default::default);
    let mut lists = lists.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(found) = lists.get(types) {
        return found;
    }
    let types: &'static [Ty] = Box::leak(types.to_vec().into_boxed_slice());
    lists.insert(types);
    types
}

fn one(ty: Ty) -> &'static Ty {
    &intern(&[ty])[0]
}

impl Ty {
    /// `()`
    pub const UNIT: Ty = Ty::Tuple(&[]);
    /// `bool`
    pub const BOOL: Ty = Ty::Scalar(Type::Bool);
    /// `usize`
    pub const USIZE: Ty = Ty::Scalar(Type::Usize);

    /// The tuple of `fields`.
    pub fn tuple(fields: &[Ty]) -> Ty {
        Ty::Tuple(intern(fields))
    }
    /// `&[element]`
    pub fn slice(element: Ty) -> Ty {
        Ty::Slice(one(element))
    }
    /// `&mut [element]`
    pub fn slice_mut(element: Ty) -> Ty {
        Ty::SliceMut(one(element))
    }
    /// `[element; n]`
    pub fn list(element: Ty, n: usize) -> Ty {
        Ty::List(one(element), n)
    }
    /// `[element; length]`, where the length is a number, a const parameter or unknown.
    pub fn list_of(element: Ty, length: Ty) -> Ty {
        match length {
            Ty::Const(n) => Ty::list(element, n as usize),
            open => Ty::OpenList(one(element), one(open)),
        }
    }
    /// `Vec<element>`
    pub fn vec(element: Ty) -> Ty {
        Ty::Vec(one(element))
    }
    /// `Array<element>`
    pub fn array(element: Ty) -> Ty {
        Ty::Array(one(element))
    }
    /// A struct or an enum.
    pub fn adt(adt: &'static Adt, arguments: &[Ty]) -> Ty {
        Ty::Adt(adt, intern(arguments))
    }
    /// `Box<content>`
    pub fn boxed(content: Ty) -> Ty {
        Ty::Boxed(one(content))
    }
    /// `&mut T`; for a slice it is the mutable slice, as after a reborrow.
    pub fn mutable(content: Ty) -> Ty {
        match content {
            Ty::Slice(element) | Ty::SliceMut(element) => Ty::SliceMut(element),
            // A `dyn` value is already an address.
            Ty::Dyn(_) => content,
            content => Ty::Mut(one(content)),
        }
    }
    /// `RefCell<content>`
    pub fn cell(content: Ty) -> Ty {
        let kind = CellKind {
            counted: false,
            borrows: true,
        };
        Ty::Cell(one(content), kind)
    }
    /// `Cell<content>`
    pub fn plain_cell(content: Ty) -> Ty {
        let kind = CellKind {
            counted: false,
            borrows: false,
        };
        Ty::Cell(one(content), kind)
    }
    /// `Rc<Self>`
    pub fn counted(self) -> Ty {
        match self {
            Ty::Cell(content, kind) => Ty::Cell(
                content,
                CellKind {
                    counted: true,
                    ..kind
                },
            ),
            other => other,
        }
    }
    /// The type of the content of an `Rc` of this type.
    pub fn uncounted(self) -> Ty {
        match self {
            Ty::Cell(content, kind) => Ty::Cell(
                content,
                CellKind {
                    counted: false,
                    ..kind
                },
            ),
            other => other,
        }
    }
    /// This type without the marks that say which cells are in an `Rc`: a reference into an `Rc` coerces silently.
    pub fn without_rc_marks(self) -> Ty {
        self.map(&mut |ty| match ty {
            Ty::Cell(&content, _) => Some(Ty::cell(content.without_rc_marks())),
            _ => None,
        })
    }
    /// `Option<content>`
    pub fn option(content: Ty) -> Ty {
        Ty::adt(&OPTION, &[content])
    }
    /// `Result<ok, error>`
    pub fn result(ok: Ty, error: Ty) -> Ty {
        Ty::adt(&RESULT, &[ok, error])
    }
    /// The type of a `dyn` value.
    pub fn dynamic(kind: Dyn) -> Ty {
        static KINDS: OnceLock<Mutex<HashSet<&'static Dyn>>> = OnceLock::new();
        let kinds = KINDS.get_or_init(Default::default);
        let mut kinds = kinds.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(found) = kinds.get(&kind) {
            return Ty::Dyn(found);
        }
        let kind: &'static Dyn = Box::leak(Box::new(kind));
        kinds.insert(kind);
        Ty::Dyn(kind)
    }
    /// The number type, if it is one.
    pub fn scalar(self) -> Option<Type> {
        match self {
            Ty::Scalar(ty) => Some(ty),
            _ => None,
        }
    }
    /// The type of an element of a slice, list, vector or array.
    pub fn element(self) -> Option<Ty> {
        match self {
            Ty::Slice(t)
            | Ty::SliceMut(t)
            | Ty::List(t, _)
            | Ty::OpenList(t, _)
            | Ty::Vec(t)
            | Ty::Array(t) => Some(*t),
            _ => None,
        }
    }
    /// This type with `arguments` in place of its parameters; parameters beyond them stay.
    pub fn substitute(self, arguments: &[Ty]) -> Ty {
        self.map(&mut |ty| match ty {
            Ty::Param(n) => arguments.get(n as usize).copied(),
            _ => None,
        })
    }
    /// This type with each part replaced for which `f` returns another type. Outer parts come first.
    pub fn map(self, f: &mut dyn FnMut(Ty) -> Option<Ty>) -> Ty {
        if let Some(other) = f(self) {
            return other;
        }
        let mut all = |types: &[Ty]| types.iter().map(|t| t.map(f)).collect::<Vec<Ty>>();
        match self {
            Ty::Tuple(fields) => Ty::tuple(&all(fields)),
            Ty::Adt(adt, arguments) => Ty::adt(adt, &all(arguments)),
            Ty::Slice(t) => Ty::slice(t.map(f)),
            Ty::SliceMut(t) => Ty::slice_mut(t.map(f)),
            Ty::List(t, n) => Ty::list(t.map(f), n),
            Ty::OpenList(t, n) => Ty::list_of(t.map(f), n.map(f)),
            Ty::Vec(t) => Ty::vec(t.map(f)),
            Ty::Array(t) => Ty::array(t.map(f)),
            Ty::Boxed(t) => Ty::boxed(t.map(f)),
            Ty::Mut(t) => Ty::mutable(t.map(f)),
            Ty::Cell(t, kind) => Ty::Cell(one(t.map(f)), kind),
            Ty::Dyn(Dyn::Fn(params, ret)) => {
                let params = all(params);
                Ty::dynamic(Dyn::Fn(params, ret.map(f)))
            }
            Ty::Item(Item::Source(source, arguments)) => {
                Ty::Item(Item::Source(source, intern(&all(arguments))))
            }
            Ty::Item(Item::Overloaded(ty, name, of)) => {
                Ty::Item(Item::Overloaded(one(ty.map(f)), name, of))
            }
            Ty::Item(Item::Constructor(ty, variant)) => {
                Ty::Item(Item::Constructor(one(ty.map(f)), variant))
            }
            Ty::Never
            | Ty::Scalar(_)
            | Ty::Str
            | Ty::Item(Item::Method(..))
            | Ty::Closure(_)
            | Ty::Dyn(Dyn::Trait(_))
            | Ty::Const(_)
            | Ty::Param(_)
            | Ty::Infer(_) => self,
        }
    }
    /// Whether `is` holds for this type or a part of it.
    pub fn any(self, is: &mut dyn FnMut(Ty) -> bool) -> bool {
        let mut found = false;
        self.map(&mut |ty| {
            found = found || is(ty);
            found.then_some(ty)
        });
        found
    }
    /// This type and all its parts.
    pub fn parts(self) -> Vec<Ty> {
        let mut parts = Vec::new();
        self.map(&mut |ty| {
            parts.push(ty);
            None
        });
        parts
    }
    /// Whether this is `Option` or `Result`.
    pub fn is_try(self) -> bool {
        matches!(self, Ty::Adt(adt, _) if *adt == OPTION || *adt == RESULT)
    }
    /// This type with every slice mutable.
    pub fn slices_mut(self) -> Ty {
        self.map(&mut |ty| match ty {
            Ty::Slice(element) => Some(Ty::slice_mut(element.slices_mut())),
            _ => None,
        })
    }
    /// The fields of a variant: names, and types with the arguments of this type. Slices in them are `SliceMut`, because a struct may be made of memory
    /// that can change.
    pub fn fields(self, variant: u32) -> Vec<(&'static str, Ty)> {
        match self {
            Ty::Adt(adt, arguments) => adt.variants[variant as usize]
                .fields
                .iter()
                .map(|field| (field.name, (field.ty)().slices_mut().substitute(arguments)))
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// `Option<T>`
pub static OPTION: Adt = Adt {
    path: "core::option::Option",
    name: "Option",
    is_enum: true,
    derefs: false,
    params: 1,
    is_clone: true,
    by_hand: ByHand::NOTHING,
    variants: &[
        Variant {
            name: "None",
            fields: &[],
        },
        Variant {
            name: "Some",
            fields: &[Field {
                name: "0",
                ty: || Ty::Param(0),
                ref_kind: RefKind::Unknown,
            }],
        },
    ],
};

/// `Result<T, E>`
pub static RESULT: Adt = Adt {
    path: "core::result::Result",
    name: "Result",
    is_enum: true,
    derefs: false,
    params: 2,
    is_clone: true,
    by_hand: ByHand::NOTHING,
    variants: &[
        Variant {
            name: "Ok",
            fields: &[Field {
                name: "0",
                ty: || Ty::Param(0),
                ref_kind: RefKind::Unknown,
            }],
        },
        Variant {
            name: "Err",
            fields: &[Field {
                name: "0",
                ty: || Ty::Param(1),
                ref_kind: RefKind::Unknown,
            }],
        },
    ],
};

/// `std::cmp::Ordering`
pub static ORDERING: Adt = Adt {
    path: "core::cmp::Ordering",
    name: "Ordering",
    is_enum: true,
    derefs: false,
    params: 0,
    is_clone: true,
    by_hand: ByHand::NOTHING,
    variants: &[
        Variant {
            name: "Less",
            fields: &[],
        },
        Variant {
            name: "Equal",
            fields: &[],
        },
        Variant {
            name: "Greater",
            fields: &[],
        },
    ],
};

/// As Rust writes it, without erased references.
impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |types: &[Ty]| {
            let types: Vec<String> = types.iter().map(Ty::to_string).collect();
            types.join(", ")
        };
        match self {
            Ty::Never => f.write_str("!"),
            Ty::Scalar(ty) => write!(f, "{ty}"),
            Ty::Str => f.write_str("str"),
            Ty::Tuple([one]) => write!(f, "({one},)"),
            Ty::Tuple(fields) => write!(f, "({})", list(fields)),
            Ty::Slice(t) => write!(f, "&[{t}]"),
            Ty::SliceMut(t) => write!(f, "&mut [{t}]"),
            Ty::List(t, n) => write!(f, "[{t}; {n}]"),
            Ty::OpenList(t, n) => write!(f, "[{t}; {n}]"),
            Ty::Vec(t) => write!(f, "Vec<{t}>"),
            Ty::Array(t) => write!(f, "Array<{t}>"),
            Ty::Adt(adt, []) => f.write_str(adt.name),
            Ty::Adt(adt, arguments) => write!(f, "{}<{}>", adt.name, list(arguments)),
            Ty::Boxed(t) => write!(f, "Box<{t}>"),
            Ty::Mut(t) => write!(f, "&mut {t}"),
            Ty::Cell(t, kind) if kind.borrows => write!(f, "RefCell<{t}>"),
            Ty::Cell(t, _) => write!(f, "Cell<{t}>"),
            Ty::Item(Item::Source(source, _)) => write!(f, "fn {}", source.name),
            Ty::Item(Item::Method(name, _) | Item::Overloaded(_, name, _)) => {
                write!(f, "fn {name}")
            }
            Ty::Item(Item::Constructor(ty, _)) => write!(f, "a constructor of {ty}"),
            Ty::Closure(_) => f.write_str("a closure"),
            Ty::Dyn(Dyn::Fn(params, ret)) if *ret == Ty::UNIT => {
                write!(f, "dyn Fn({})", list(params))
            }
            Ty::Dyn(Dyn::Fn(params, ret)) => write!(f, "dyn Fn({}) -> {ret}", list(params)),
            Ty::Dyn(Dyn::Trait(of)) => write!(f, "dyn {}", of.name),
            Ty::Const(n) => write!(f, "{n}"),
            Ty::Param(n) => write!(f, "T{n}"),
            Ty::Infer(_) => f.write_str("_"),
        }
    }
}

impl fmt::Debug for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
