//! Rust's types and constants, as the output of the macro asks for them.
//!
//! The macro sees only tokens. It cannot know whether a path names a type, a variant or a constant, or which traits a type has. So it writes code that
//! rustc resolves: method calls that find one implementation for the expected case, and otherwise a fallback from one of the traits here. This works
//! because rustc prefers inherent methods to those of traits, and methods found with fewer references to others.

use super::tree::Constant;
use super::ty::{Adt, Dyn, ORDERING, RefKind, Trait, Ty};
use crate::ir::{Const, Type};
use std::any::TypeId;
use std::cell::{Cell, Ref, RefCell, RefMut};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

/// Gives a trait the message for types that do not have it.
macro_rules! of_the_language {
    ($item:item) => {
        #[diagnostic::on_unimplemented(
            message = "`{Self}` is not a type that differentiable functions handle",
            label = "not supported in a differentiable function",
            note = "a struct or an enum of your own needs `#[derive(Differentiable)]` before it, a trait `#[differentiable]`",
            note = "supported are numbers up to 64 bits, `bool`, tuples, slices, `[T; N]`, functions, and `Vec`, `Box`, `Rc`, `Cell`, `RefCell`, `Option`, `Result` and `Array` (`Array<T>` with the bound `T: FloatElement`)",
            note = "in place of a map, a set or a queue write a `Vec`, in place of a lock the value itself; what is only read can be computed outside and passed as a parameter",
            note = "in place of a vector of `nalgebra` or an array of `ndarray` take a slice, and pass `x.as_slice()`"
        )]
        $item
    };
}

of_the_language! {
/// A Rust type that differentiable functions handle.
pub trait Typed {
    /// The type that holds its cotangent: floats and arrays for themselves, a `Vec` of cotangents for slices and vectors, `()` for types without a
    /// derivative. The gradient of a type with content (`Box`, `Rc`, `RefCell`, a struct) has the same form.
    type Gradient: Clone + Debug + PartialEq + 'static;
    /// The type that holds the cotangent of a sequence of this type; `()` if it has none.
    type SliceGradient: Clone + Debug + PartialEq + 'static;
    /// The type in the language. Shared references are erased.
    fn ty() -> Ty;
}
}

of_the_language! {
/// A pointee: the type behind a reference, box or similar pointer.
pub trait TypeBehind {
    /// See [`Typed::Gradient`].
    type Gradient: Clone + Debug + PartialEq + 'static;
    /// The gradient of `Box<Self>`. Recursive types need the indirection.
    type BoxGradient: Clone + Debug + PartialEq + 'static;
    /// The gradient of `Rc<Self>`. Cyclic structures have cyclic gradients.
    type RcGradient: Clone + Debug + PartialEq + 'static;
    /// The type of `&Self` in the language.
    fn shared() -> Ty;
    /// The type of `&mut Self` in the language.
    fn mutable() -> Ty {
        Ty::mutable(Self::shared())
    }
    /// The type of `Box<Self>` in the language.
    fn boxed() -> Ty {
        Ty::boxed(Self::shared())
    }
}
}

/// A type with a lifetime in place of those that are left out of it, of a function type that returns it: that of `fn(&()) -> View` is `View<'a>`.
pub trait WithLifetime<'a> {
    /// The type.
    type Of;
}
impl<'a, T, F: FnOnce(&'a ()) -> T> WithLifetime<'a> for F {
    // This is `T`. But rustc finds `T` too late for bounds with `for<'a>`, and would say that the implementation is not general enough.
    type Of = F::Output;
}

/// A number or a bool.
pub trait Scalar: Typed {
    /// Its type in the IR.
    const TYPE: Type;
}

/// A struct or enum that `#[derive(Differentiable)]` has read.
pub trait Described {
    /// Its variants and fields.
    fn adt() -> &'static Adt;
}

/// A value that a constant may have.
#[diagnostic::on_unimplemented(
    message = "a constant of type `{Self}` cannot be used in a differentiable function",
    label = "not a number, a bool, text, or a tuple, an array or a struct of them",
    note = "a struct or an enum of your own needs `#[derive(Differentiable)]`; otherwise pass the value as a parameter",
    note = "a function is called by its name, `f(x)`; in place of a tuple struct that makes values, as in `.map(W)`, write `|x| W(x)`"
)]
pub trait ToConstant {
    /// The constant.
    fn to_constant(&self) -> Constant;
}

/// Tells which traits a written type has: its inherent constants, which exist only with the trait, come before the constants of the fallback trait.
pub struct Has<T: ?Sized>(PhantomData<T>);

/// The answers for types without the traits.
#[allow(missing_docs, reason = "they are the traits' names")]
pub trait HasNot {
    const EQ: bool = false;
    const PARTIAL_ORD: bool = false;
    const ORD: bool = false;
    const CLONE: bool = false;
    const COPY: bool = false;
    const DEFAULT: bool = false;
    const DEREF: bool = false;
    const FORM: RefKind = RefKind::Value;
    const TY: fn() -> Ty = panic!("differentiable functions do not handle this type");
}
impl<T: ?Sized> HasNot for Has<T> {}

impl<T: Typed + ?Sized> Has<T> {
    /// The function that returns the type.
    pub const TY: fn() -> Ty = T::ty;
}

macro_rules! has {
    ($($name:ident $of:ident)*) => {$(
        impl<T: $of> Has<T> {
            /// The type has the trait.
            pub const $name: bool = true;
        }
    )*};
}
has! { EQ PartialEq PARTIAL_ORD PartialOrd ORD Ord CLONE Clone COPY Copy DEFAULT Default DEREF Deref }

macro_rules! references {
    ($($ty:ty)*) => {$(
        impl<T: ?Sized> Has<$ty> {
            /// The type is a reference, or a pointer that is erased like one. The pointee is examined separately.
            pub const FORM: RefKind = RefKind::Nested;
        }
    )*};
}
references! { &T &mut T std::rc::Rc<T> std::sync::Arc<T> std::cell::Ref<'_, T> std::cell::RefMut<'_, T> }

/// Stands for the `N`-th type parameter of a generic item in the description of its source.
pub type Hole<const N: u32> = TypeArgumentLeftOut<N>;

/// A [`Hole`] with the name that rustc shows to users: it is the default of a type parameter, and appears in messages where a rule is built for `f`
/// instead of `f<f64>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct TypeArgumentLeftOut<const N: u32>;

/// Stands for an omitted type argument.
pub type Unknown = Hole<{ u32::MAX }>;

/// The argument of `__mc_ty`, see [`Open`].
pub const OPEN: Unknown = TypeArgumentLeftOut;

#[diagnostic::do_not_recommend]
impl<const N: u32> Typed for Hole<N> {
    type Gradient = ();
    type SliceGradient = ();
    fn ty() -> Ty {
        match N {
            u32::MAX => Ty::Infer(N),
            n => Ty::Param(n),
        }
    }
}

/// The type of a const parameter.
pub trait Parameter: Copy {
    /// The value as a type argument. A number that stands for a const parameter becomes that parameter.
    fn ty(self) -> Ty;
}

/// Numbers that stand for const parameters in the description of a source, as [`Hole`] stands for types. The upper half of their bits marks them; no type
/// of a program has such a length. The lower half is the position of the parameter; all ones stand for an omitted argument.
pub mod hole {
    const MARK: u64 = 0xC0DE_5EED;

    macro_rules! holes {
        ($($t:ident)*) => {$(
            /// The number that stands for the `n`-th parameter.
            pub const fn $t(n: u32) -> $t {
                const HALF: u32 = $t::BITS / 2;
                ((MARK << HALF) as $t) | (n as $t & ((1 << HALF) - 1))
            }
            impl super::Parameter for $t {
                fn ty(self) -> super::Ty {
                    let position = self ^ $t(0);
                    match position >> ($t::BITS / 2) {
                        0 if self == $t(u32::MAX) => super::Ty::Infer(u32::MAX),
                        0 => super::Ty::Param(position as u32),
                        _ => super::Ty::Const(self as i64),
                    }
                }
            }
        )*};
    }
    holes! { usize u64 u32 isize i64 i32 }
}

macro_rules! parameters {
    ($($t:ident)*) => {$(
        impl Parameter for $t {
            fn ty(self) -> Ty {
                Ty::Const(self as i64)
            }
        }
    )*};
}
parameters! { bool char u16 u8 i16 i8 }

/// Finds the type that a path in an expression means (`List::Nil`, `Shape::area(&s)`): the macro writes `List::__mc_ty(OPEN)`. The derive macro gives
/// each type an inherent function of this name; for generic types it belongs to `List<Unknown>`. rustc prefers it to the function here and takes the type
/// arguments from it. A differentiable trait has a method of this name with `OPEN` as receiver.
pub trait Open {
    /// The type, with unknown type arguments.
    fn __mc_ty(open: Unknown) -> Ty
    where
        Self: TypeBehind;
}
impl<T: ?Sized> Open for T {
    fn __mc_ty(_: Unknown) -> Ty
    where
        Self: TypeBehind,
    {
        Self::shared()
    }
}

/// Finds the type that `Cell` means in `Cell::new(x)`: std's type, with one unknown type argument, or a type of the user with that name, whose inherent
/// function rustc prefers.
pub trait Std {
    /// The type, with unknown type arguments.
    fn __mc_std(_: Unknown) -> Ty
    where
        Self: Typed,
    {
        Self::ty()
    }
    /// The type of the value that `Some`, `None`, `Ok` or `Err` constructs: see [`Made`].
    fn __mc_made_like_std(&self) -> PhantomData<Self> {
        PhantomData
    }
}
macro_rules! std_types {
    ($($t:ty)*) => { $(impl Std for $t {})* };
}
std_types! {
    Vec<Unknown> Box<Unknown> Rc<Unknown> Arc<Unknown> RefCell<Unknown> Cell<Unknown> Ref<'_, Unknown> RefMut<'_, Unknown>
    Option<Unknown> Result<Unknown, Unknown> PhantomData<Unknown>
}

/// Finds the type that an expression or pattern like `Point { x, y }` or `Circle(r)` constructs or matches. The macro cannot know whether the name is a
/// struct or an imported variant, but rustc infers the type of the value that the pattern `Circle { .. }` matches. As for [`Open`], the derive macro
/// gives types an inherent method that rustc prefers.
pub trait Made {
    /// The type, as a `PhantomData`.
    fn __mc_made(&self) -> PhantomData<Self>
    where
        Self: TypeBehind;
}
impl<T> Made for T {
    fn __mc_made(&self) -> PhantomData<T>
    where
        T: TypeBehind,
    {
        PhantomData
    }
}

/// Compiles only if both arguments are the same function, or have a common function pointer type.
pub fn one_function<F>(_: F, _: F) {}

/// The same for `f64::sqrt`, which means the inherent method of the type. A function of a module named `f64` must be called by a longer path:
/// `self::f64::sqrt`.
pub fn called_like_a_built_in_type<F>(_: F, _: F) {}

/// The same for `f64::mul` as a value, which means the operator.
pub fn called_like_an_operator<F>(_: F, _: F) {}

/// The result type of a probe method that rustc finds only if no trait has a method of the name. Its size distinguishes it from all other types.
pub struct OfTheType(#[allow(dead_code, reason = "it is never made")] [u8; 1_299_709]);

/// What the path of a function means in a probe if the type has no inherent function of the name.
pub struct NoInherentFunction;

/// Whether what a path means is a function, and not the constant of a probe.
pub fn is_inherent<T: 'static>(_: T) -> bool {
    TypeId::of::<T>() != TypeId::of::<NoInherentFunction>()
}

/// A reference to each float type, of each kind.
pub type FloatReferences = (
    &'static f64,
    &'static f32,
    &'static mut f64,
    &'static mut f32,
);

/// Whether a method on any of these references belongs to a trait, by the types of its results. The method is not called.
pub const fn is_of_a_trait<R>(_: fn(FloatReferences) -> R) -> bool {
    size_of::<R>() != 4 * size_of::<OfTheType>()
}

/// References to floats.
pub trait FloatReference {}
impl FloatReference for &f32 {}
impl FloatReference for &f64 {}
impl FloatReference for &mut f32 {}
impl FloatReference for &mut f64 {}

/// The type that a function returns as `PhantomData`. The function is not called.
pub fn made<T, U: TypeBehind>(_: fn(&T) -> PhantomData<U>) -> Ty {
    U::shared()
}

/// Finds the differentiable trait that a path names, if it is one. `T::__mc_trait_Shape()`, where only that trait bounds `T`, is the answer of the trait
/// itself; if the trait is not differentiable, it is the answer of a trait that all types have, because rustc prefers methods of bounds. The question is
/// asked in `Probe::<Own>::found()`, which is inherent if the type implements the trait. This trait gives the answer for types that do not, as far as
/// that can be told without type parameters.
pub trait NotFound {
    /// The trait.
    fn found() -> Option<&'static Trait> {
        None
    }
}
impl<T: ?Sized> NotFound for T {}

/// The value and the name of a path `Owner::NAME`, which may be a constant or a variant. rustc tries the methods of [`NamedConstant`], [`NamedVariant`] and
/// [`OtherNamed`] in this order.
pub struct Named<V>(pub V, pub &'static str);

/// For constants.
pub trait NamedConstant {
    /// The constant.
    fn constant(&self) -> Constant;
}
impl<V: ToConstant> NamedConstant for &&Named<V> {
    fn constant(&self) -> Constant {
        self.0.to_constant()
    }
}

/// For variants without fields.
pub trait NamedVariant {
    /// The variant, as a constant.
    fn constant(&self) -> Constant;
}
impl<V: Typed> NamedVariant for &Named<V> {
    fn constant(&self) -> Constant {
        Constant::Variant(V::ty(), self.1)
    }
}

/// For all other values. rustc reports that there is no such constant.
pub trait OtherNamed<V> {
    /// The constant.
    fn constant(&self) -> Constant
    where
        V: ToConstant;
}
impl<V> OtherNamed<V> for Named<V> {
    fn constant(&self) -> Constant
    where
        V: ToConstant,
    {
        self.0.to_constant()
    }
}

/// An associated constant, and the function that evaluates it. rustc tries the methods of [`LazyConstant`], [`TypedLazy`] and [`OtherLazy`] in this
/// order.
pub struct Lazy<V>(pub fn() -> V);

/// For types that can be constants.
pub trait LazyConstant {
    /// The constant.
    fn constant(&self) -> Constant;
}
impl<V: ToConstant> LazyConstant for &&Lazy<V> {
    fn constant(&self) -> Constant {
        (self.0)().to_constant()
    }
}

/// For other types of the language.
pub trait TypedLazy {
    /// A constant that cannot be used, with its type if that is known.
    fn constant(&self) -> Constant;
}
impl<V: Typed> TypedLazy for &Lazy<V> {
    fn constant(&self) -> Constant {
        Constant::Other(V::ty())
    }
}

/// For all other types.
pub trait OtherLazy {
    /// A constant that cannot be used, with its type if that is known.
    fn constant(&self) -> Constant;
}
impl<V> OtherLazy for Lazy<V> {
    fn constant(&self) -> Constant {
        Constant::Other(Ty::UNIT)
    }
}

/// A type that may not belong to the language: the inherent function is preferred if it does.
pub struct Known<T: ?Sized>(PhantomData<T>);

impl<T: Typed> Known<T> {
    /// The type.
    pub fn ty() -> Ty {
        T::ty()
    }
}

/// For types that do not belong to the language.
pub trait Unheard {
    /// Stands for such a type: no constant of it can be used.
    fn ty() -> Ty {
        Ty::UNIT
    }
}
impl<T: ?Sized> Unheard for Known<T> {}

/// A field of a constant struct or variant. rustc tries the methods of [`ConstantField`], [`TypedField`] and [`OtherField`] in this order.
pub struct FieldValue<V>(pub V);

/// For fields whose types can be constants.
pub trait ConstantField {
    /// The constant.
    fn constant(&self) -> Constant;
}
impl<V: ToConstant> ConstantField for &&FieldValue<&V> {
    fn constant(&self) -> Constant {
        self.0.to_constant()
    }
}

/// For other types of the language.
pub trait TypedField {
    /// A constant that cannot be used, with its type.
    fn constant(&self) -> Constant;
}
impl<V: Typed> TypedField for &FieldValue<&V> {
    fn constant(&self) -> Constant {
        Constant::Other(V::ty())
    }
}

/// For all other types, which are an error elsewhere.
pub trait OtherField {
    /// A constant that cannot be used.
    fn constant(&self) -> Constant;
}
impl<V> OtherField for FieldValue<V> {
    fn constant(&self) -> Constant {
        Constant::Other(Ty::UNIT)
    }
}

macro_rules! scalars {
    ($($t:ident $ty:ident ($gradient:ty) ($slice_gradient:ty) $constant:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Typed for $t {
            type Gradient = $gradient;
            type SliceGradient = $slice_gradient;
            fn ty() -> Ty {
                Ty::Scalar(Type::$ty)
            }
        }
        impl Scalar for $t {
            const TYPE: Type = Type::$ty;
        }
        impl ToConstant for $t {
            fn to_constant(&self) -> Constant {
                let constant: fn($t) -> Const = $constant;
                Constant::Scalar(constant(*self), Type::$ty)
            }
        }
    )*};
}
scalars! {
    bool Bool (()) (()) Const::Bool;
    i8 I8 (()) (()) |x| Const::Int(x.into());
    i16 I16 (()) (()) |x| Const::Int(x.into());
    i32 I32 (()) (()) |x| Const::Int(x.into());
    i64 I64 (()) (()) Const::Int;
    isize Isize (()) (()) |x| Const::Int(x as i64);
    u8 U8 (()) (()) |x| Const::Int(x.into());
    u16 U16 (()) (()) |x| Const::Int(x.into());
    u32 U32 (()) (()) |x| Const::Int(x.into());
    u64 U64 (()) (()) |x| Const::Int(x as i64);
    usize Usize (()) (()) |x| Const::Int(x as i64);
    f32 F32 (f32) (Vec<f32>) |x| Const::Float(x.into());
    f64 F64 (f64) (Vec<f64>) Const::Float;
}

#[diagnostic::do_not_recommend]
impl<T: Typed> TypeBehind for T {
    type Gradient = T::Gradient;
    type BoxGradient = Box<T::Gradient>;
    type RcGradient = Rc<T::Gradient>;
    fn shared() -> Ty {
        T::ty()
    }
}
#[diagnostic::do_not_recommend]
impl<T: Typed> TypeBehind for [T] {
    type Gradient = T::SliceGradient;
    type BoxGradient = T::SliceGradient;
    type RcGradient = T::SliceGradient;
    fn shared() -> Ty {
        Ty::slice(T::ty())
    }
    fn boxed() -> Ty {
        Ty::vec(T::ty())
    }
}
#[diagnostic::do_not_recommend]
impl TypeBehind for str {
    type Gradient = ();
    type BoxGradient = ();
    type RcGradient = ();
    fn shared() -> Ty {
        Ty::Str
    }
    fn boxed() -> Ty {
        Ty::Str
    }
}

macro_rules! pointers {
    ($([$($generics:tt)*] $t:ty => $gradient:ty, $ty:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Typed for $t {
            type Gradient = $gradient;
            type SliceGradient = Vec<$gradient>;
            fn ty() -> Ty {
                $ty
            }
        }
    )*};
}
pointers! {
    [T: TypeBehind + ?Sized] &T => T::Gradient, T::shared();
    [T: TypeBehind + ?Sized] &mut T => T::Gradient, T::mutable();
    [T: TypeBehind + ?Sized] Box<T> => T::BoxGradient, T::boxed();
    [T: TypeBehind + ?Sized] Rc<T> => T::RcGradient, T::shared().counted();
    [T: Typed] Vec<T> => T::SliceGradient, Ty::vec(T::ty());
    [T: Typed, const N: usize] [T; N] => [T::Gradient; N], Ty::list_of(T::ty(), N.ty());
    [T: Typed] Cell<T> => RefCell<T::Gradient>, Ty::plain_cell(T::ty());
    [T: Typed] RefCell<T> => RefCell<T::Gradient>, Ty::cell(T::ty());
    [T: Typed] Option<T> => Option<T::Gradient>, Ty::option(T::ty());
    [T: Typed, E: Typed] Result<T, E> => Result<T::Gradient, E::Gradient>, Ty::result(T::ty(), E::ty());
}

#[diagnostic::do_not_recommend]
impl Typed for String {
    type Gradient = ();
    type SliceGradient = ();
    fn ty() -> Ty {
        Ty::Str
    }
}
#[diagnostic::do_not_recommend]
impl<T: ?Sized> Typed for PhantomData<T> {
    type Gradient = ();
    type SliceGradient = ();
    fn ty() -> Ty {
        Ty::UNIT
    }
}

/// Calls a macro for every parameter list that a function value may have. A parameter is passed by value `A`, or by reference `&A` or `&mut A` with any
/// lifetime. There are lists of one and two parameters, and some of three and four without `&mut`. The macro gets `[A: bound, …] [A, …] [type, …]`.
macro_rules! for_functions {
    ($macro:ident) => {
        for_functions! { @each $macro []
            [[A]] [[&A]] [[&mut A]]
            [[A] [B]] [[A] [&B]] [[A] [&mut B]] [[&A] [B]] [[&A] [&B]] [[&A] [&mut B]]
            [[&mut A] [B]] [[&mut A] [&B]] [[&mut A] [&mut B]]
            [[A] [B] [C]] [[A] [B] [&C]] [[A] [&B] [C]] [[A] [&B] [&C]]
            [[&A] [B] [C]] [[&A] [B] [&C]] [[&A] [&B] [C]] [[&A] [&B] [&C]]
            [[A] [B] [C] [D]] [[&A] [&B] [&C] [&D]]
        }
    };
    (@each $macro:ident $([$($param:tt)*])*) => {$(
        for_functions! { @one $macro [] [] [] $($param)* }
    )*};
    (@one $macro:ident [$($bound:tt)*] [$($param:tt)*] [$($ty:tt)*] [$name:ident] $($rest:tt)*) => {
        for_functions! { @one $macro [$($bound)* [$name: Typed]] [$($param)* [$name]] [$($ty)* [$name::ty()]] $($rest)* }
    };
    (@one $macro:ident [$($bound:tt)*] [$($param:tt)*] [$($ty:tt)*] [&$name:ident] $($rest:tt)*) => {
        for_functions! { @one $macro [$($bound)* [$name: TypeBehind + ?Sized]] [$($param)* [&$name]] [$($ty)* [$name::shared()]] $($rest)* }
    };
    (@one $macro:ident [$($bound:tt)*] [$($param:tt)*] [$($ty:tt)*] [&mut $name:ident] $($rest:tt)*) => {
        for_functions! { @one $macro [$($bound)* [$name: TypeBehind + ?Sized]] [$($param)* [&mut $name]] [$($ty)* [$name::mutable()]] $($rest)* }
    };
    (@one $macro:ident [$([$($bound:tt)*])*] [$([$($param:tt)*])*] [$([$($ty:tt)*])*]) => {
        $macro! { [$($($bound)*,)*] [$($($param)*),*] [$($($ty)*),*] }
    };
}
#[allow(
    unused_imports,
    reason = "where only syntax and types are tested there are no others"
)]
pub(crate) use for_functions;

macro_rules! functions {
    ([$($bound:tt)*] [$($param:tt)*] [$($ty:expr),*]) => {
        functions! { @dyn Fn [$($bound)*] [$($param)*] [$($ty),*] }
        functions! { @dyn FnMut [$($bound)*] [$($param)*] [$($ty),*] }
        functions! { @dyn FnOnce [$($bound)*] [$($param)*] [$($ty),*] }
        #[allow(coherence_leak_check, reason = "no type is both `fn(A)` and `fn(&A)`")]
        #[diagnostic::do_not_recommend]
        impl<$($bound)* R: Typed> Typed for fn($($param)*) -> R {
            type Gradient = ();
            type SliceGradient = ();
            fn ty() -> Ty {
                Ty::dynamic(Dyn::Fn(vec![$($ty),*], R::ty()))
            }
        }
    };
    (@dyn $kind:ident [$($bound:tt)*] [$($param:tt)*] [$($ty:expr),*]) => {
        #[allow(coherence_leak_check, reason = "no type is both `dyn Fn(A)` and `dyn Fn(&A)`")]
        #[diagnostic::do_not_recommend]
        impl<$($bound)* R: Typed> TypeBehind for dyn $kind($($param)*) -> R + '_ {
            type Gradient = ();
            type BoxGradient = ();
            type RcGradient = ();
            fn shared() -> Ty {
                Ty::dynamic(Dyn::Fn(vec![$($ty),*], R::ty()))
            }
            fn mutable() -> Ty {
                Self::shared()
            }
            fn boxed() -> Ty {
                Self::shared()
            }
        }
    };
}
for_functions! { functions }

macro_rules! tuples {
    ($(($($t:ident $n:tt)*))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($t: Typed),*> Typed for ($($t,)*) {
            type Gradient = ($($t::Gradient,)*);
            type SliceGradient = Vec<($($t::Gradient,)*)>;
            fn ty() -> Ty {
                Ty::tuple(&[$($t::ty()),*])
            }
        }
        impl<$($t: ToConstant),*> ToConstant for ($($t,)*) {
            fn to_constant(&self) -> Constant {
                Constant::Tuple(vec![$(self.$n.to_constant()),*])
            }
        }
    )*};
}
tuples! {
    () (A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4) (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11)
}

impl<T: ToConstant + Typed> ToConstant for [T] {
    fn to_constant(&self) -> Constant {
        let items = self.iter().map(T::to_constant).collect();
        Constant::List(items, T::ty())
    }
}
impl<T: ToConstant + Typed, const N: usize> ToConstant for [T; N] {
    fn to_constant(&self) -> Constant {
        self[..].to_constant()
    }
}
impl<T: ToConstant + ?Sized> ToConstant for &T {
    fn to_constant(&self) -> Constant {
        (**self).to_constant()
    }
}
impl<T: ToConstant + Typed> ToConstant for Option<T> {
    fn to_constant(&self) -> Constant {
        let fields: Vec<Constant> = self.iter().map(T::to_constant).collect();
        Constant::Adt(Self::ty(), self.is_some().into(), fields)
    }
}
impl ToConstant for str {
    fn to_constant(&self) -> Constant {
        Constant::Str(self.to_owned())
    }
}

// Guards of cells are erased like references.
pointers! {
    [T: TypeBehind + ?Sized] Arc<T> => T::Gradient, T::shared().counted();
    [T: TypeBehind + ?Sized] std::cell::Ref<'_, T> => T::Gradient, T::shared();
    [T: TypeBehind + ?Sized] std::cell::RefMut<'_, T> => T::Gradient, T::mutable();
}
#[diagnostic::do_not_recommend]
impl Typed for std::cmp::Ordering {
    type Gradient = ();
    type SliceGradient = ();
    fn ty() -> Ty {
        Ty::adt(&ORDERING, &[])
    }
}
