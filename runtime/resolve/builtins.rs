//! The built-in methods: which types have them, and what they mean. Elaboration expands them.

use crate::front::ty::{OPTION, Ty};
use crate::front::typed::Intrinsic;
use crate::ir::{Const, Prim, Symbol, Type};

/// The meaning of a method call.
#[derive(Clone, Debug)]
pub struct ChosenMethod {
    /// How many `Mut`s and `Box`es are dereferenced to reach the receiver.
    pub derefs: u32,
    /// Whether the method is one of slices and the receiver a list or vector.
    pub unsize: bool,
    /// The kind of method that is called.
    pub kind: MethodKind,
}

/// The kinds of methods that a call can mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MethodKind {
    /// A built-in method.
    Builtin(Builtin),
    /// A differentiable function, found in `Facts::calls`. `true`: it takes `&mut self`.
    Call(bool),
    /// A function of a pack or of the host.
    Rule(Symbol),
    /// A scalar function, applied to every element.
    Lifted(Symbol),
    /// A method of a `dyn Trait`.
    Dispatch,
}

/// A built-in method, which elaboration writes out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// A method of numbers.
    Intrinsic(Intrinsic),
    /// Returns the receiver: the result is a reference to it, or erased to the same type.
    Identity,
    /// Returns the receiver with values in the place of references.
    Copied,
    /// A deep copy.
    Clone,
    /// The order of two values, part by part: `partial_cmp`, or (`true`) `cmp`.
    Compare(bool),
    /// The number of elements.
    Len,
    /// `push(x)`
    Push,
    /// `pop()`
    Pop,
    /// `truncate(n)`
    Truncate,
    /// `truncate(0)`
    Clear,
    /// A list or vector as a slice.
    AsSlice,
    /// The content of a cell, by reference.
    Content,
    /// The content of a cell, copied or moved out.
    Get,
    /// `&mut` of the content of a cell.
    ContentMut,
    /// `cell.set(x)`
    Set,
    /// `cell.replace(x)`
    Replace,
    /// `cell.take()`, `option.take()`: leaves the default.
    Take,
    /// Whether an enum's value is this variant.
    IsVariant(u32),
    /// The payload of this variant, or a panic.
    Unwrap(u32),
    /// The payload of this variant, or a panic with a message.
    Expect(u32),
    /// `Option<T>` in a place as `Option<&mut T>`.
    AsMut,
    /// `Option<Box<T>>` as `Option<&T>`, or (true) in a place as `Option<&mut T>`.
    AsDeref(bool),
    /// For the library: makes an empty vector one of that many zeros. For elements that are not numbers it only reserves memory.
    Prepare,
    /// For the library: sets an element of a vector that `Prepare` has made. Elements that are not numbers are pushed.
    Put,
    /// For the library: a list with the length of this one, filled with copies of a value.
    FilledWith,
    /// `array.map(f)`, `array.map2(&other, f)`, `array.map3(&other, &third, f)`
    MapArray,
    /// `x.into()`
    Into,
}

/// The built-in method of this name for a type whose outermost form is resolved; `None` if there is none. `is_literal`: the type is that of an open
/// literal.
pub fn builtin(name: &str, receiver: Ty, is_literal: bool) -> Option<Builtin> {
    // All integer types have these methods with the same result, so the type of a literal need not be known.
    if is_literal && name.starts_with("wrapping_") {
        return of_numbers(name, Type::I32);
    }
    if matches!(receiver, Ty::Slice(_) | Ty::SliceMut(_)) {
        return of_slices(name);
    }
    if let (
        "partial_cmp" | "cmp",
        Ty::Adt(..) | Ty::Tuple(_) | Ty::Vec(_) | Ty::List(..) | Ty::OpenList(..),
    ) = (name, receiver)
        && !crate::stdlib::is_iterator(receiver)
    {
        return Some(Builtin::Compare(name == "cmp"));
    }
    match receiver {
        Ty::Scalar(ty) => of_numbers(name, ty),
        Ty::Array(_) => match name {
            "map" | "map2" | "map3" => Some(Builtin::MapArray),
            "clone" | "to_owned" => Some(Builtin::Identity),
            _ => None,
        },
        Ty::Cell(_, kind) if kind.counted && name == "clone" => Some(Builtin::Identity),
        Ty::Cell(..) => of_cells(name),
        Ty::Vec(_) => of_vectors(name),
        Ty::List(..) | Ty::OpenList(..) => match name {
            "len" => Some(Builtin::Len),
            "as_slice" | "as_mut_slice" => Some(Builtin::AsSlice),
            "clone" | "to_owned" => Some(Builtin::Clone),
            "filled_with" => Some(Builtin::FilledWith),
            _ => None,
        },
        Ty::Adt(adt, _) if receiver.is_try() => of_options(name, *adt == OPTION),
        Ty::Closure(_) if name == "clone" => Some(Builtin::Clone),
        Ty::Dyn(_) | Ty::Closure(_) | Ty::Item(_) => match name {
            "clone" | "to_owned" | "as_ref" | "as_mut" | "to_string" => Some(Builtin::Identity),
            _ => None,
        },
        Ty::Str => match name {
            "clone" | "to_owned" | "to_string" | "as_ref" | "as_str" | "borrow" | "deref"
            | "into_boxed_str" | "into_string" => Some(Builtin::Identity),
            "into" => Some(Builtin::Into),
            _ => None,
        },
        Ty::Adt(..) | Ty::Tuple(_) => match name {
            "clone" | "to_owned" => Some(Builtin::Clone),
            "as_ref" | "borrow" | "deref" => Some(Builtin::Identity),
            "into" => Some(Builtin::Into),
            _ => None,
        },
        Ty::Boxed(_) => match name {
            "clone" => Some(Builtin::Clone),
            "as_ref" | "deref" => Some(Builtin::Content),
            "as_mut" | "deref_mut" => Some(Builtin::ContentMut),
            _ => None,
        },
        Ty::Never | Ty::Slice(_) | Ty::SliceMut(_) | Ty::Mut(_) => None,
        Ty::Const(_) | Ty::Param(_) | Ty::Infer(_) => None,
    }
}

fn of_slices(name: &str) -> Option<Builtin> {
    Some(match name {
        "len" => Builtin::Len,
        "partial_cmp" | "cmp" => Builtin::Compare(name == "cmp"),
        "as_ref" | "as_mut" | "as_slice" | "as_mut_slice" | "clone" | "borrow" => Builtin::Identity,
        _ => return None,
    })
}

fn of_vectors(name: &str) -> Option<Builtin> {
    Some(match name {
        "push" => Builtin::Push,
        "prepare" => Builtin::Prepare,
        "put" => Builtin::Put,
        "pop" => Builtin::Pop,
        "truncate" => Builtin::Truncate,
        "clear" => Builtin::Clear,
        "len" => Builtin::Len,
        "as_slice" | "as_mut_slice" | "as_ref" | "as_mut" | "deref" => Builtin::AsSlice,
        "clone" | "to_owned" | "to_vec" => Builtin::Clone,
        "into_boxed_slice" | "into_vec" => Builtin::Identity,
        _ => return None,
    })
}

fn of_cells(name: &str) -> Option<Builtin> {
    Some(match name {
        // The method of the `Rc`.
        "as_ref" => Builtin::Identity,
        "borrow" => Builtin::Content,
        "borrow_mut" | "get_mut" => Builtin::ContentMut,
        "get" | "into_inner" => Builtin::Get,
        "set" => Builtin::Set,
        "replace" => Builtin::Replace,
        "take" => Builtin::Take,
        "clone" => Builtin::Clone,
        _ => return None,
    })
}

fn of_options(name: &str, option: bool) -> Option<Builtin> {
    // The value is in the second variant of `Option` and in the first of `Result`.
    let value = u32::from(option);
    Some(match (name, option) {
        ("is_some", true) | ("is_ok", false) => Builtin::IsVariant(value),
        ("is_none" | "is_residual", true) | ("is_err" | "is_residual", false) => {
            Builtin::IsVariant(1 - value)
        }
        ("unwrap", _) => Builtin::Unwrap(value),
        ("expect", _) => Builtin::Expect(value),
        ("unwrap_err", false) => Builtin::Unwrap(1),
        ("as_deref", true) => Builtin::AsDeref(false),
        ("as_deref_mut", true) => Builtin::AsDeref(true),
        ("as_ref", _) => Builtin::Identity,
        ("copied", _) => Builtin::Copied,
        ("as_mut", true) => Builtin::AsMut,
        ("take", true) => Builtin::Take,
        ("replace", true) => Builtin::Replace,
        ("clone" | "cloned", _) => Builtin::Clone,
        _ => return None,
    })
}

fn of_numbers(name: &str, ty: Type) -> Option<Builtin> {
    use Intrinsic::*;
    let is_unsigned = ty.is_int() && !ty.is_signed();
    let intrinsic = match name {
        "clone" | "to_owned" => return Some(Builtin::Identity),
        "into" => return Some(Builtin::Into),
        _ if ty.is_float() => match name {
            "sqrt" => Prim(self::Prim::Sqrt),
            "abs" => Prim(self::Prim::Abs),
            "floor" => Prim(self::Prim::Floor),
            "ceil" => Prim(self::Prim::Ceil),
            "trunc" => Prim(self::Prim::Trunc),
            "copysign" => Prim(self::Prim::Copysign),
            "is_nan" => IsNan,
            "is_finite" => IsFinite,
            "is_infinite" => IsInfinite,
            "is_sign_negative" => IsSignNegative,
            "is_sign_positive" => IsSignPositive,
            "to_bits" => ToBits,
            "sin_cos" => SinCos,
            "clamp" => Clamp,
            _ => return None,
        },
        "abs" if ty.is_signed() => Abs,
        "abs_diff" if is_unsigned => AbsDiff,
        "cast_unsigned" if ty.is_signed() => Unsigned,
        "cast_signed" if is_unsigned => Signed,
        "saturating_sub" if is_unsigned => SaturatingSub,
        _ if ty.is_int() => match name {
            "min" => Min,
            "max" => Max,
            "rem_euclid" => RemEuclid,
            "wrapping_add" => Prim(self::Prim::Add),
            "wrapping_sub" => Prim(self::Prim::Sub),
            "wrapping_mul" => Prim(self::Prim::Mul),
            "wrapping_neg" => Prim(self::Prim::Neg),
            // For the library: Rust has no such methods.
            "add_overflows" => Prim(self::Prim::AddOverflows),
            "sub_overflows" => Prim(self::Prim::SubOverflows),
            "mul_overflows" => Prim(self::Prim::MulOverflows),
            _ => return None,
        },
        _ => return None,
    };
    Some(Builtin::Intrinsic(intrinsic))
}

/// The types of an intrinsic's arguments after the receiver, and of its result.
pub fn signature(intrinsic: Intrinsic, receiver: Type) -> (usize, Ty) {
    use Intrinsic::*;
    let same = Ty::Scalar(receiver);
    match intrinsic {
        Prim(self::Prim::AddOverflows | self::Prim::SubOverflows | self::Prim::MulOverflows) => {
            (1, Ty::BOOL)
        }
        Prim(prim) => (prim.arity().unwrap_or(1) - 1, same),
        Min | Max | AbsDiff | SaturatingSub | RemEuclid => (1, same),
        Abs => (0, same),
        Unsigned | Signed => (0, Ty::Scalar(other_sign(receiver))),
        Clamp => (2, same),
        IsNan | IsFinite | IsInfinite | IsSignNegative | IsSignPositive => (0, Ty::BOOL),
        ToBits if receiver == Type::F32 => (0, Ty::Scalar(Type::U32)),
        ToBits => (0, Ty::Scalar(Type::U64)),
        FromBits if receiver == Type::U32 => (0, Ty::Scalar(Type::F32)),
        FromBits => (0, Ty::Scalar(Type::F64)),
        SinCos => (0, Ty::tuple(&[same, same])),
    }
}

/// The integer type of the same width, signed if this one is not.
fn other_sign(ty: Type) -> Type {
    const PAIRS: [(Type, Type); 5] = [
        (Type::I8, Type::U8),
        (Type::I16, Type::U16),
        (Type::I32, Type::U32),
        (Type::I64, Type::U64),
        (Type::Isize, Type::Usize),
    ];
    let found = PAIRS.into_iter().find_map(|(a, b)| match ty {
        _ if ty == a => Some(b),
        _ if ty == b => Some(a),
        _ => None,
    });
    found.unwrap_or(ty)
}

/// The value of `T::name()` for a number type.
pub fn scalar_constant(ty: Type, name: &str) -> Option<Const> {
    use std::f64::consts;
    if ty.is_float() {
        let is_single = ty == Type::F32;
        let of = |single: f32, double: f64| if is_single { single.into() } else { double };
        let value = match name {
            "zero" | "default" => 0.0,
            "one" => 1.0,
            "two" => 2.0,
            "half" => 0.5,
            "pi" => consts::PI,
            "e" => consts::E,
            "tau" => consts::TAU,
            "ln_2" => consts::LN_2,
            "sqrt_2" => consts::SQRT_2,
            "infinity" => f64::INFINITY,
            "neg_infinity" => f64::NEG_INFINITY,
            "nan" => f64::NAN,
            "epsilon" => of(f32::EPSILON, f64::EPSILON),
            "max_value" => of(f32::MAX, f64::MAX),
            "min_value" => of(f32::MIN, f64::MIN),
            "min_positive_value" => of(f32::MIN_POSITIVE, f64::MIN_POSITIVE),
            _ => return None,
        };
        return Some(Const::Float(of(value as f32, value)));
    }
    match name {
        "zero" if ty.is_int() => Some(Const::Int(0)),
        "one" if ty.is_int() => Some(Const::Int(1)),
        "default" if ty.is_int() => Some(Const::Int(0)),
        "default" if ty == Type::Bool => Some(Const::Bool(false)),
        // For the library: the width.
        "bits" if ty.is_int() => Some(Const::Int(8 * ty.size()? as i64)),
        _ => None,
    }
}
