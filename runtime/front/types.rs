//! Rust's types and constants, as the macro's output asks for them.

use crate::ir::{Const, Type};

/// A Rust type that differentiable functions handle.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type that differentiable functions handle",
    label = "not supported in a differentiable function",
    note = "supported are `f32`, `f64`, integers up to 64 bits, `bool`, tuples of these, slices `&[T]` and `&mut [T]` of numbers, and `Array`"
)]
pub trait Typed {
    /// What its cotangent is held in: `Vec<f64>` for `&[f64]`, floats and arrays themselves, `()` for what has no derivative.
    type Gradient;
    /// The type in IR; a reference to a number or an array is the number or the array.
    fn ty() -> Type;
}

/// A number or a bool: what slices hold and constants are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number",
    label = "slices in differentiable functions hold numbers or bools"
)]
pub trait Scalar: Typed {
    /// What the cotangent of a slice of it is held in.
    type SliceGradient;
    /// The type in IR.
    const TYPE: Type;
}

/// What a constant path may name.
#[diagnostic::on_unimplemented(
    message = "a constant of type `{Self}` cannot be used in a differentiable function",
    label = "not a number or a bool",
    note = "constants may be numbers and bools; a function is called by its name, `f(x)`; pass anything else as a parameter"
)]
pub trait IntoConstant {
    /// The constant and its type in IR.
    fn into_constant(self) -> (Const, Type);
}

macro_rules! scalars {
    ($($t:ident $ty:ident ($gradient:ty) ($slice_gradient:ty) $constant:expr;)*) => {$(
        impl Typed for $t {
            type Gradient = $gradient;
            fn ty() -> Type {
                Type::$ty
            }
        }
        impl Scalar for $t {
            type SliceGradient = $slice_gradient;
            const TYPE: Type = Type::$ty;
        }
        impl IntoConstant for $t {
            fn into_constant(self) -> (Const, Type) {
                let constant: fn($t) -> Const = $constant;
                (constant(self), Type::$ty)
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

impl<T: Typed> Typed for &T {
    type Gradient = T::Gradient;
    fn ty() -> Type {
        T::ty()
    }
}
impl<T: Scalar> Typed for &[T] {
    type Gradient = T::SliceGradient;
    fn ty() -> Type {
        Type::slice(T::TYPE)
    }
}
impl<T: Scalar> Typed for &mut [T] {
    type Gradient = T::SliceGradient;
    fn ty() -> Type {
        Type::slice_mut(T::TYPE)
    }
}

macro_rules! tuples {
    ($(($($t:ident)*))*) => {$(
        impl<$($t: Typed),*> Typed for ($($t,)*) {
            type Gradient = ($($t::Gradient,)*);
            fn ty() -> Type {
                Type::tuple(&[$($t::ty()),*])
            }
        }
    )*};
}
tuples! { () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) }
