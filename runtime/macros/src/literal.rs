//! Literals.

use crate::reader::Reader;
use crate::tree::{Node, Word, node};
use crate::types::suffix;
use syn::{Lit, LitFloat, LitInt};

/// The kind of a literal expression.
pub fn kind(reader: &mut Reader, literal: &Lit) -> Node {
    match literal {
        Lit::Bool(b) => {
            let value = b.value;
            node!(Bool, value)
        }
        Lit::Str(text) => node!(Str, text.value()),
        Lit::Byte(b) => {
            node!(Int, i128::from(b.value()), Some(Word("U8")))
        }
        Lit::Int(int) if int.suffix().starts_with('f') => {
            float(reader, int.base10_digits(), int.suffix(), literal)
        }
        Lit::Int(int) => integer(reader, int),
        Lit::Float(x) => float_literal(reader, x),
        _ => {
            reader.refuse(
                literal,
                "characters and bytes of text are not supported; compute with numbers",
            );
            node!(Bool, false)
        }
    }
}

fn integer(reader: &mut Reader, int: &LitInt) -> Node {
    let ty = suffix(int.suffix());
    match int.base10_parse::<i128>() {
        Ok(value) if ty.is_some() || int.suffix().is_empty() => {
            node!(Int, value, ty)
        }
        _ => {
            reader.refuse(
                int,
                "128-bit integers are not supported; use `i64` or `u64`",
            );
            node!(Bool, false)
        }
    }
}

fn float_literal(reader: &mut Reader, x: &LitFloat) -> Node {
    float(reader, x.base10_digits(), x.suffix(), x)
}

/// An `f32` is emitted as an `f64`, which is exact. The type of a literal without suffix is found later, so it must be the same `f32` whether it is
/// rounded once or by way of `f64`. The few literals that are not must have a suffix.
fn float(reader: &mut Reader, digits: &str, suffixed: &str, place: impl quote::ToTokens) -> Node {
    let wide: f64 = digits.parse().unwrap_or(f64::INFINITY);
    let narrow: f32 = digits.parse().unwrap_or(f32::INFINITY);
    let value = match suffixed {
        "f32" => narrow.into(),
        _ => wide,
    };
    if !value.is_finite() {
        reader.refuse(
            place,
            "this number is too large; write `f64::INFINITY` if that is meant",
        );
        return node!(Bool, false);
    }
    if suffixed.is_empty() && wide as f32 != narrow {
        reader.refuse(&place, "this literal rounds to one `f32` directly and to another by way of `f64`; write the suffix `f32` or `f64`");
    }
    if !matches!(suffixed, "" | "f32" | "f64") {
        reader.refuse(
            &place,
            "this float type is not supported; use `f32` or `f64`",
        );
    }
    node!(Float, value, suffix(suffixed))
}
