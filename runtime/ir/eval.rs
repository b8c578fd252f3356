//! What the pure primitives compute, on constants.
//!
//! One definition serves the builder's folding, the optimiser and the reference interpreter. Arithmetic of `f32` is
//! done in `f32`, so every result has the bits that a machine gives (but for the payload of a NaN, which Rust leaves
//! open too; the builder therefore never folds to a NaN).

use super::*;
use half::f16;

/// The value of a pure scalar primitive on constants of these types; `ret` is the type of the result. `None` if the
/// operation is not scalar, is not defined on these values (division by zero), or the types do not fit.
pub fn evaluate(prim: Prim, args: &[Const], types: &[Type], ret: Type) -> Option<Const> {
    use Const::{Bool, Float, Int};
    let ty = *types.first()?;
    match (prim, args) {
        (Prim::Cast, [c]) => cast(*c, ty, ret),
        (Prim::Bitcast, [c]) => Some(from_bits(to_bits(*c, ty)?, ret)),
        (Prim::Select, [Bool(c), a, b]) => Some(if *c { *a } else { *b }),
        (_, [Float(_), ..]) if ty == Type::F16 => None,
        (_, [Float(a)]) if ty == Type::F32 => Some(Float(float1(prim, *a as f32)?.into())),
        (_, [Float(a)]) => Some(Float(float1(prim, *a)?)),
        (_, [Float(a), Float(b)]) => match compare(prim, a.partial_cmp(b)) {
            Some(c) => Some(Bool(c)),
            None if ty == Type::F32 => Some(Float(float2(prim, *a as f32, *b as f32)?.into())),
            None => Some(Float(float2(prim, *a, *b)?)),
        },
        (Prim::Not, [Bool(a)]) => Some(Bool(!a)),
        (_, [Bool(a), Bool(b)]) => bool2(prim, *a, *b).map(Bool),
        (Prim::Neg, [Int(a)]) => Some(Int(wrap(-i128::from(*a), ty))),
        (Prim::Not, [Int(a)]) => Some(Int(wrap(!i128::from(*a), ty))),
        (_, [Int(a), Int(b)]) => int2(prim, widen(*a, ty), widen(*b, ty), ty),
        _ => None,
    }
}

/// Operations on one float, in its own precision.
fn float1<T: Float>(prim: Prim, a: T) -> Option<T> {
    Some(match prim {
        Prim::Neg => a.neg(),
        Prim::Sqrt => a.sqrt(),
        Prim::Abs => a.abs(),
        Prim::Floor => a.floor(),
        Prim::Ceil => a.ceil(),
        Prim::Trunc => a.trunc(),
        _ => return None,
    })
}

/// Operations on two floats, in their own precision.
fn float2<T: Float>(prim: Prim, a: T, b: T) -> Option<T> {
    Some(match prim {
        Prim::Add => a + b,
        Prim::Sub => a - b,
        Prim::Mul => a * b,
        Prim::Div => a / b,
        Prim::Rem => a % b,
        Prim::Copysign => a.copysign(b),
        _ => return None,
    })
}

/// What `float1` and `float2` need, for both precisions.
trait Float:
    Copy
    + std::ops::Neg<Output = Self>
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
    + std::ops::Rem<Output = Self>
{
    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn trunc(self) -> Self;
    fn copysign(self, sign: Self) -> Self;
}

macro_rules! float {
    ($t:ty) => {
        impl Float for $t {
            fn sqrt(self) -> Self {
                <$t>::sqrt(self)
            }
            fn abs(self) -> Self {
                <$t>::abs(self)
            }
            fn floor(self) -> Self {
                <$t>::floor(self)
            }
            fn ceil(self) -> Self {
                <$t>::ceil(self)
            }
            fn trunc(self) -> Self {
                <$t>::trunc(self)
            }
            fn copysign(self, sign: Self) -> Self {
                <$t>::copysign(self, sign)
            }
        }
    };
}
float!(f32);
float!(f64);

/// The comparisons; `None` as the order means unordered.
fn compare(prim: Prim, order: Option<std::cmp::Ordering>) -> Option<bool> {
    use std::cmp::Ordering::*;
    Some(match prim {
        Prim::Eq => order == Some(Equal),
        Prim::Ne => order != Some(Equal),
        Prim::Lt => order == Some(Less),
        Prim::Le => matches!(order, Some(Less | Equal)),
        Prim::Gt => order == Some(Greater),
        Prim::Ge => matches!(order, Some(Greater | Equal)),
        _ => return None,
    })
}

fn bool2(prim: Prim, a: bool, b: bool) -> Option<bool> {
    Some(match prim {
        Prim::And => a & b,
        Prim::Or => a | b,
        Prim::Xor => a ^ b,
        _ => return compare(prim, Some(a.cmp(&b))),
    })
}

/// Operations on two integers, given at full width: 128 bits hold every sum of 64-bit numbers, and every product but
/// those of two `u64` from 2^127 on, which wrap to negative numbers and so do not fit either.
fn int2(prim: Prim, a: i128, b: i128, ty: Type) -> Option<Const> {
    let bits = i128::from(bits(ty)?);
    let exact = match prim {
        Prim::Add | Prim::AddOverflows => a + b,
        Prim::Sub | Prim::SubOverflows => a - b,
        Prim::Mul | Prim::MulOverflows => a.wrapping_mul(b),
        // Also refuses MIN / -1, which does not fit.
        Prim::Div => a.checked_div(b).filter(|&q| fits(q, ty))?,
        Prim::Rem => a.checked_rem(b).filter(|_| fits(a / b, ty))?,
        Prim::And => a & b,
        Prim::Or => a | b,
        Prim::Xor => a ^ b,
        Prim::Shl if (0..bits).contains(&b) => a << b,
        Prim::Shr if (0..bits).contains(&b) => a >> b,
        _ => return compare(prim, Some(a.cmp(&b))).map(Const::Bool),
    };
    Some(match prim {
        Prim::AddOverflows | Prim::SubOverflows | Prim::MulOverflows => {
            Const::Bool(!fits(exact, ty))
        }
        _ => Const::Int(wrap(exact, ty)),
    })
}

/// The width of an integer type.
pub fn bits(ty: Type) -> Option<u32> {
    ty.is_int()
        .then(|| ty.size().map(|bytes| 8 * bytes as u32))?
}

/// The number that a constant of an integer type stands for (`u64` above `i64::MAX` is stored by its bits).
pub fn widen(value: i64, ty: Type) -> i128 {
    match ty {
        Type::U64 | Type::Usize => i128::from(value as u64),
        _ => i128::from(value),
    }
}

/// Whether an integer type has this number.
pub fn fits(value: i128, ty: Type) -> bool {
    widen(wrap(value, ty), ty) == value
}

/// The number of an integer type that `value` wraps to, as a constant stores it.
pub fn wrap(value: i128, ty: Type) -> i64 {
    match ty {
        Type::I8 => value as i8 as i64,
        Type::I16 => value as i16 as i64,
        Type::I32 => value as i32 as i64,
        Type::U8 => value as u8 as i64,
        Type::U16 => value as u16 as i64,
        Type::U32 => value as u32 as i64,
        _ => value as i64,
    }
}

/// Rust's `as` between scalars.
fn cast(c: Const, from: Type, to: Type) -> Option<Const> {
    match (c, to) {
        (Const::Bool(b), _) if to.is_int() => Some(Const::Int(b.into())),
        (Const::Bool(_), Type::Bool) => Some(c),
        (Const::Int(i), _) if to.is_int() => Some(Const::Int(wrap(widen(i, from), to))),
        (Const::Int(i), Type::F64) => Some(Const::Float(widen(i, from) as f64)),
        (Const::Int(i), Type::F32) => Some(Const::Float((widen(i, from) as f32).into())),
        (Const::Float(x), Type::F64) => Some(Const::Float(x)),
        (Const::Float(x), Type::F32) => Some(Const::Float((x as f32).into())),
        (Const::Float(x), Type::F16) => Some(Const::Float(f16::from_f32(x as f32).into())),
        (Const::Float(x), _) => float_to_int(x, to).map(Const::Int),
        _ => None,
    }
}

/// Saturates; NaN becomes 0.
fn float_to_int(x: f64, to: Type) -> Option<i64> {
    Some(match to {
        Type::I8 => (x as i8).into(),
        Type::I16 => (x as i16).into(),
        Type::I32 => (x as i32).into(),
        Type::I64 | Type::Isize => x as i64,
        Type::U8 => (x as u8).into(),
        Type::U16 => (x as u16).into(),
        Type::U32 => (x as u32).into(),
        Type::U64 | Type::Usize => x as u64 as i64,
        _ => return None,
    })
}

/// The bits of a scalar, zero-extended; `None` if the constant is not one.
pub fn to_bits(c: Const, ty: Type) -> Option<u64> {
    let mask = match ty.size()? {
        8 => u64::MAX,
        bytes => (1 << (8 * bytes)) - 1,
    };
    match c {
        Const::Bool(b) => Some(b.into()),
        Const::Int(i) => Some(i as u64 & mask),
        Const::Float(x) if ty == Type::F16 => Some(f16::from_f64(x).to_bits().into()),
        Const::Float(x) if ty == Type::F32 => Some((x as f32).to_bits().into()),
        Const::Float(x) => Some(x.to_bits()),
        Const::Unit | Const::Null => None,
    }
}

/// The scalar of this type that has these bits.
pub fn from_bits(bits: u64, ty: Type) -> Const {
    match ty {
        Type::Bool => Const::Bool(bits & 1 == 1),
        Type::F16 => Const::Float(f16::from_bits(bits as u16).into()),
        Type::F32 => Const::Float(f32::from_bits(bits as u32).into()),
        Type::F64 => Const::Float(f64::from_bits(bits)),
        Type::I8 | Type::I16 | Type::I32 | Type::U8 | Type::U16 | Type::U32 => {
            Const::Int(wrap(bits.into(), ty))
        }
        _ => Const::Int(bits as i64),
    }
}

/// Zero of a type: what a variable holds that was never given a value.
pub fn zero(ty: Type) -> Const {
    match ty {
        Type::Bool => Const::Bool(false),
        Type::F16 | Type::F32 | Type::F64 => Const::Float(0.0),
        Type::Array(_) | Type::Slice(_) | Type::SliceMut(_) | Type::Ptr => Const::Null,
        Type::Tuple(_) => Const::Unit,
        _ => Const::Int(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(prim: Prim, a: i64, b: i64, ty: Type) -> Option<Const> {
        evaluate(prim, &[Const::Int(a), Const::Int(b)], &[ty, ty], ty)
    }

    #[test]
    fn integers_wrap_at_their_width() {
        assert_eq!(int(Prim::Add, 127, 1, Type::I8), Some(Const::Int(-128)));
        assert_eq!(
            int(Prim::Sub, 0, 1, Type::U32),
            Some(Const::Int(u32::MAX.into()))
        );
        assert_eq!(int(Prim::Sub, 0, 1, Type::U64), Some(Const::Int(-1)));
        assert_eq!(int(Prim::Mul, i64::MAX, 2, Type::I64), Some(Const::Int(-2)));
        assert_eq!(int(Prim::Lt, -1, 0, Type::U64), Some(Const::Bool(false)));
        assert_eq!(int(Prim::Shr, -8, 1, Type::I32), Some(Const::Int(-4)));
        assert_eq!(int(Prim::Shl, 1, 32, Type::I32), None);
    }

    #[test]
    fn undefined_divisions_have_no_value() {
        assert_eq!(int(Prim::Div, 1, 0, Type::I32), None);
        assert_eq!(int(Prim::Div, i32::MIN.into(), -1, Type::I32), None);
        assert_eq!(int(Prim::Rem, i64::MIN, -1, Type::I64), None);
        assert_eq!(int(Prim::Div, -7, 2, Type::I32), Some(Const::Int(-3)));
    }

    #[test]
    fn overflow_is_seen() {
        assert_eq!(
            int(Prim::AddOverflows, 255, 1, Type::U8),
            Some(Const::Bool(true))
        );
        assert_eq!(
            int(Prim::SubOverflows, 0, 1, Type::Usize),
            Some(Const::Bool(true))
        );
        assert_eq!(
            int(Prim::MulOverflows, 1 << 31, 2, Type::I64),
            Some(Const::Bool(false))
        );
    }

    #[test]
    fn casts_are_those_of_rust() {
        let cast = |c, from, to| evaluate(Prim::Cast, &[c], &[from], to);
        let float = Const::Float;
        assert_eq!(cast(float(-1.5), Type::F64, Type::U8), Some(Const::Int(0)));
        assert_eq!(
            cast(float(1e30), Type::F64, Type::I32),
            Some(Const::Int(i32::MAX.into()))
        );
        assert_eq!(
            cast(float(f64::NAN), Type::F64, Type::I32),
            Some(Const::Int(0))
        );
        assert_eq!(
            cast(Const::Int(-1), Type::I8, Type::U16),
            Some(Const::Int(65535))
        );
        assert_eq!(
            cast(Const::Int(-1), Type::U64, Type::F64),
            Some(float(u64::MAX as f64))
        );
        assert_eq!(
            cast(float(0.1), Type::F64, Type::F32),
            Some(float(0.1f32 as f64))
        );
    }

    #[test]
    fn f32_is_rounded_at_every_step() {
        let tenth = Const::Float(0.1f32.into());
        let types = [Type::F32, Type::F32];
        let sum = evaluate(Prim::Add, &[tenth, tenth], &types, Type::F32);
        assert_eq!(sum, Some(Const::Float((0.1f32 + 0.1f32).into())));
    }
}
