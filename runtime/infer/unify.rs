//! Union-find over the unknown types of generic IR.

use crate::ir::Type;
use std::collections::HashMap;

/// What is known about an unknown type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// Nothing.
    Nothing,
    /// The type of a float literal: some float type, `f64` if nothing else says which.
    Float,
    /// The type of an integer literal: some integer type, `i32` if nothing else says which.
    Int,
    /// The same as another type, which may have unknowns inside.
    Is(Type),
}

/// Two types that cannot be one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mismatch(pub Type, pub Type);

/// The unknowns of one function and its lambdas.
#[derive(Default)]
pub(super) struct Unifier {
    known: HashMap<u32, Known>,
    /// Whether anything was learned since it was last asked.
    changed: bool,
}

impl Unifier {
    /// Whether anything was learned since the last call.
    pub(super) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// The type as far as it is known: an `Infer` in the answer is a representative.
    pub(super) fn resolve(&self, ty: Type) -> Type {
        match ty {
            Type::Infer(n) => match self.known.get(&n) {
                Some(Known::Is(next)) => self.resolve(*next),
                _ => ty,
            },
            Type::Tuple(fields) if !fields.is_empty() => Type::tuple(
                &fields
                    .iter()
                    .map(|&field| self.resolve(field))
                    .collect::<Vec<_>>(),
            ),
            Type::Slice(element) => Type::slice(self.resolve(*element)),
            Type::SliceMut(element) => Type::slice_mut(self.resolve(*element)),
            Type::Array(element) => Type::array(self.resolve(*element)),
            _ => ty,
        }
    }

    /// Whether the type is still unknown and of a literal.
    pub(super) fn is_literal(&self, ty: Type) -> bool {
        matches!(self.resolve(ty), Type::Infer(n) if matches!(self.state(n), Known::Float | Known::Int))
    }

    /// Learns that a type is that of a float literal (`float`) or an integer literal.
    pub(super) fn literal(&mut self, ty: Type, float: bool) -> Result<(), Mismatch> {
        let (kind, default) = if float {
            (Known::Float, Type::F64)
        } else {
            (Known::Int, Type::I32)
        };
        match self.resolve(ty) {
            Type::Infer(n) => match self.state(n) {
                Known::Nothing => {
                    self.set(n, kind);
                    Ok(())
                }
                old if old == kind => Ok(()),
                _ => Err(Mismatch(ty, default)),
            },
            known if (float && known.is_float()) || (!float && known.is_int()) => Ok(()),
            other => Err(Mismatch(other, default)),
        }
    }

    /// Learns that two types are one.
    pub(super) fn unify(&mut self, a: Type, b: Type) -> Result<(), Mismatch> {
        let (a, b) = (self.resolve(a), self.resolve(b));
        match (a, b) {
            _ if a == b => Ok(()),
            (Type::Infer(n), Type::Infer(m)) => {
                let state = match (self.state(n), self.state(m)) {
                    (Known::Nothing, other) | (other, Known::Nothing) => other,
                    (x, y) if x == y => x,
                    _ => return Err(Mismatch(a, b)),
                };
                self.set(m, state);
                self.set(n, Known::Is(b));
                Ok(())
            }
            (Type::Infer(n), known) | (known, Type::Infer(n)) => {
                let fits = match self.state(n) {
                    Known::Float => known.is_float(),
                    Known::Int => known.is_int(),
                    Known::Nothing | Known::Is(_) => !occurs(n, known),
                };
                if !fits {
                    return Err(Mismatch(a, b));
                }
                self.set(n, Known::Is(known));
                Ok(())
            }
            (Type::Tuple(x), Type::Tuple(y)) if x.len() == y.len() => {
                x.iter().zip(y).try_for_each(|(&x, &y)| self.unify(x, y))
            }
            (Type::Slice(x), Type::Slice(y))
            | (Type::SliceMut(x), Type::SliceMut(y))
            | (Type::Array(x), Type::Array(y)) => self.unify(*x, *y),
            _ => Err(Mismatch(a, b)),
        }
    }

    /// Learns that a value of type `given` goes where `wanted` is expected: a `&mut [T]` may go where a `&[T]` is.
    pub(super) fn coerce(&mut self, given: Type, wanted: Type) -> Result<(), Mismatch> {
        match (self.resolve(given), self.resolve(wanted)) {
            (Type::SliceMut(x), Type::Slice(y)) => self.unify(*x, *y),
            (given, wanted) => self.unify(given, wanted),
        }
    }

    /// Whether a scalar of type `given`, as far as that is known, could be of type `wanted`.
    pub(super) fn could_be(&self, given: Type, wanted: Type) -> bool {
        match self.resolve(given) {
            Type::Infer(n) => match self.state(n) {
                Known::Float => wanted.is_float(),
                Known::Int => wanted.is_int(),
                Known::Nothing | Known::Is(_) => true,
            },
            known => known == wanted,
        }
    }

    /// Gives every literal in `types` that is still unknown its default; whether there was one.
    pub(super) fn default_literals(&mut self, types: impl Iterator<Item = Type>) -> bool {
        let mut any = false;
        for ty in types {
            if let Type::Infer(n) = self.resolve(ty) {
                let default = match self.state(n) {
                    Known::Float => Type::F64,
                    Known::Int => Type::I32,
                    Known::Nothing | Known::Is(_) => continue,
                };
                self.set(n, Known::Is(default));
                any = true;
            }
        }
        any
    }

    /// How to name a type in a message.
    pub(super) fn describe(&self, ty: Type) -> String {
        match self.resolve(ty) {
            Type::Infer(n) => match self.state(n) {
                Known::Float => "a float".to_owned(),
                Known::Int => "an integer".to_owned(),
                Known::Nothing | Known::Is(_) => "a type not known yet".to_owned(),
            },
            known => format!("`{}`", rust_name(known)),
        }
    }

    fn state(&self, n: u32) -> Known {
        self.known.get(&n).copied().unwrap_or(Known::Nothing)
    }

    fn set(&mut self, n: u32, state: Known) {
        self.changed |= self.known.insert(n, state) != Some(state);
    }
}

/// Whether unknown `n` occurs inside a type: such a type would be infinite.
fn occurs(n: u32, ty: Type) -> bool {
    match ty {
        Type::Infer(m) => n == m,
        Type::Tuple(fields) => fields.iter().any(|&field| occurs(n, field)),
        Type::Slice(t) | Type::SliceMut(t) | Type::Array(t) => occurs(n, *t),
        _ => false,
    }
}

/// A type as it is written in Rust.
pub(super) fn rust_name(ty: Type) -> String {
    match ty {
        Type::Slice(t) => format!("&[{}]", rust_name(*t)),
        Type::SliceMut(t) => format!("&mut [{}]", rust_name(*t)),
        Type::Array(t) => format!("Array<{}>", rust_name(*t)),
        Type::Tuple(fields) => {
            let names: Vec<_> = fields.iter().map(|&field| rust_name(field)).collect();
            format!(
                "({}{})",
                names.join(", "),
                if fields.len() == 1 { "," } else { "" }
            )
        }
        Type::Infer(_) => "_".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_takes_the_type_it_meets() {
        let mut u = Unifier::default();
        u.literal(Type::Infer(0), true).unwrap();
        u.unify(Type::Infer(1), Type::Infer(0)).unwrap();
        u.unify(Type::F32, Type::Infer(1)).unwrap();
        assert_eq!(u.resolve(Type::Infer(0)), Type::F32);
        assert_eq!(
            u.unify(Type::Infer(0), Type::F64),
            Err(Mismatch(Type::F32, Type::F64))
        );
    }

    #[test]
    fn a_float_literal_is_no_integer() {
        let mut u = Unifier::default();
        u.literal(Type::Infer(0), true).unwrap();
        assert!(u.unify(Type::Infer(0), Type::I32).is_err());
        assert!(u.default_literals([Type::Infer(0)].into_iter()));
        assert_eq!(u.resolve(Type::Infer(0)), Type::F64);
    }

    #[test]
    fn tuples_unify_by_field_and_never_with_themselves() {
        let mut u = Unifier::default();
        u.unify(
            Type::tuple(&[Type::Infer(0), Type::Bool]),
            Type::tuple(&[Type::I8, Type::Infer(1)]),
        )
        .unwrap();
        assert_eq!(
            u.resolve(Type::tuple(&[Type::Infer(0), Type::Infer(1)])),
            Type::tuple(&[Type::I8, Type::Bool])
        );
        assert!(
            u.unify(Type::Infer(2), Type::tuple(&[Type::Infer(2)]))
                .is_err()
        );
    }
}
