//! The methods of scalars and slices that are not functions of packs: what they take and give.

use crate::ir::{Prim, Type};

/// A method that inference itself turns into primitives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    /// `clone`, `to_owned`: the value.
    Identity,
    /// A primitive of the receiver and, if it takes two, an argument of the same type. Not guarded: `wrapping_add`, `sqrt`, …
    Prim(Prim),
    /// The smaller of two integers; floats have a rule.
    Min,
    /// The larger of two integers.
    Max,
    /// `|a|` of an integer, overflow guarded.
    Abs,
    /// `|a - b|` of unsigned integers.
    AbsDiff,
    /// `a - b`, or 0 where that is negative; unsigned.
    SaturatingSub,
    /// `a % b` that is never negative; integers.
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
    /// The float's bits as an unsigned integer.
    ToBits,
    /// `(a.sin(), a.cos())`
    SinCos,
    /// The number of elements of a slice.
    Len,
    /// Whether a slice has no elements.
    IsEmpty,
    /// Exchanges two elements of a slice.
    Swap,
}

/// The built-in method of a type; `None` if the name is for a pack to define, or unknown.
pub(super) fn builtin(name: &str, receiver: Type) -> Option<Builtin> {
    use Builtin::*;
    let unsigned = receiver.is_int() && !receiver.is_signed();
    Some(match (name, receiver) {
        ("clone" | "to_owned", t) if t.is_scalar() || t.is_array() => Identity,
        ("sqrt", t) if t.is_float() => Prim(crate::ir::Prim::Sqrt),
        ("abs", t) if t.is_float() => Prim(crate::ir::Prim::Abs),
        ("floor", t) if t.is_float() => Prim(crate::ir::Prim::Floor),
        ("ceil", t) if t.is_float() => Prim(crate::ir::Prim::Ceil),
        ("trunc", t) if t.is_float() => Prim(crate::ir::Prim::Trunc),
        ("copysign", t) if t.is_float() => Prim(crate::ir::Prim::Copysign),
        ("is_nan", t) if t.is_float() => IsNan,
        ("is_finite", t) if t.is_float() => IsFinite,
        ("is_infinite", t) if t.is_float() => IsInfinite,
        ("is_sign_negative", t) if t.is_float() => IsSignNegative,
        ("is_sign_positive", t) if t.is_float() => IsSignPositive,
        ("to_bits", t) if t.is_float() => ToBits,
        ("sin_cos", t) if t.is_float() => SinCos,
        ("min", t) if t.is_int() => Min,
        ("max", t) if t.is_int() => Max,
        ("abs", t) if t.is_signed() => Abs,
        ("abs_diff", _) if unsigned => AbsDiff,
        ("saturating_sub", _) if unsigned => SaturatingSub,
        ("rem_euclid", t) if t.is_int() => RemEuclid,
        ("wrapping_add", t) if t.is_int() => Prim(crate::ir::Prim::Add),
        ("wrapping_sub", t) if t.is_int() => Prim(crate::ir::Prim::Sub),
        ("wrapping_mul", t) if t.is_int() => Prim(crate::ir::Prim::Mul),
        ("wrapping_neg", t) if t.is_int() => Prim(crate::ir::Prim::Neg),
        ("len", Type::Slice(_) | Type::SliceMut(_)) => Len,
        ("is_empty", Type::Slice(_) | Type::SliceMut(_)) => IsEmpty,
        ("swap", Type::SliceMut(_)) => Swap,
        _ => return None,
    })
}

impl Builtin {
    /// The types of the arguments after the receiver, and of the result.
    pub(super) fn signature(self, receiver: Type) -> (Vec<Type>, Type) {
        use Builtin::*;
        match self {
            Identity => (vec![], receiver),
            Prim(prim) => (vec![receiver; prim.arity().unwrap_or(1) - 1], receiver),
            Abs => (vec![], receiver),
            Min | Max | AbsDiff | SaturatingSub | RemEuclid => (vec![receiver], receiver),
            IsNan | IsFinite | IsInfinite | IsSignNegative | IsSignPositive | IsEmpty => {
                (vec![], Type::Bool)
            }
            ToBits => (vec![], bits_type(receiver)),
            SinCos => (vec![], Type::tuple(&[receiver, receiver])),
            Len => (vec![], Type::Usize),
            Swap => (vec![Type::Usize, Type::Usize], Type::UNIT),
        }
    }
}

/// The unsigned integer as wide as a float.
pub(super) fn bits_type(float: Type) -> Type {
    match float {
        Type::F32 => Type::U32,
        _ => Type::U64,
    }
}
