//! Union-find over unknown types.

use crate::diag::Result;
use crate::front::ty::{Dyn, Item, Ty};
use crate::ir::Type;
use crate::resolve::builtins::{self, Builtin};

/// The state of an unknown type.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Known {
    /// Nothing is known.
    Nothing,
    /// The type of a float literal: a float type, `f64` by default.
    Float,
    /// The type of an integer literal: an integer type, `i32` by default.
    Int,
    /// A written `&[T]`: it becomes a `Slice` or a `SliceMut`, as its origin requires.
    Slice(Ty),
    /// Equal to another type, which may contain unknowns.
    Is(Ty),
}

/// Two types that cannot be unified.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mismatch(pub Ty, pub Ty);

/// The unknown types of a program.
#[derive(Default)]
pub struct Unifier {
    known: Vec<Known>,
    /// The changes since an attempt began: the unknown, and its state before.
    log: Vec<(u32, Known)>,
}

impl Unifier {
    /// A new unknown type.
    pub fn fresh(&mut self) -> Ty {
        self.variable(Known::Nothing)
    }
    /// A new unknown for a float literal (`true`) or an integer literal.
    pub fn literal(&mut self, float: bool) -> Ty {
        self.variable(if float { Known::Float } else { Known::Int })
    }
    fn variable(&mut self, known: Known) -> Ty {
        self.known.push(known);
        Ty::Infer(self.known.len() as u32 - 1)
    }
    /// A written type, with these type arguments. Omitted parts become unknowns, and it stays open whether a slice is mutable.
    pub fn declare(&mut self, ty: Ty, arguments: &[Ty]) -> Ty {
        ty.map(&mut |ty| match ty {
            Ty::Param(n) => Some(match arguments.get(n as usize) {
                Some(&argument) => argument,
                None => self.fresh(),
            }),
            Ty::Infer(u32::MAX) => Some(self.fresh()),
            Ty::Slice(&element) => {
                let element = self.declare(element, arguments);
                Some(self.variable(Known::Slice(element)))
            }
            // A function behind a `dyn` value may be called from everywhere, so nothing may stay open.
            Ty::Dyn(Dyn::Fn(..)) if ty != ty.slices_mut() => {
                Some(self.declare(ty.slices_mut(), arguments))
            }
            _ => None,
        })
    }

    fn state(&self, n: u32) -> Known {
        self.known
            .get(n as usize)
            .copied()
            .unwrap_or(Known::Nothing)
    }
    fn set(&mut self, n: u32, state: Known) {
        self.log.push((n, self.state(n)));
        if let Some(known) = self.known.get_mut(n as usize) {
            *known = state;
        }
    }
    /// Runs `fact`. If it fails, all its changes are undone.
    pub fn attempt<T>(&mut self, fact: impl FnOnce(&mut Self) -> Result<T, Mismatch>) -> Option<T> {
        let mark = self.log.len();
        match fact(self) {
            Ok(value) => Some(value),
            Err(_) => {
                self.undo(mark);
                None
            }
        }
    }
    fn undo(&mut self, mark: usize) {
        for (n, state) in self.log.split_off(mark).into_iter().rev() {
            self.known[n as usize] = state;
        }
    }
    /// Whether two types could be unified. Changes nothing.
    pub fn could_be(&mut self, a: Ty, b: Ty) -> bool {
        self.could(|u| u.unify(a, b).is_ok())
    }
    /// Runs `fact`, returns its result, and undoes all its changes.
    pub fn could(&mut self, fact: impl FnOnce(&mut Self) -> bool) -> bool {
        let mark = self.log.len();
        let fits = fact(self);
        self.undo(mark);
        fits
    }

    /// The type with its outermost form resolved; its parts may still be unknowns.
    pub fn builtin(&self, name: &str, receiver: Ty) -> Option<Builtin> {
        let receiver = self.head(receiver);
        builtins::builtin(name, receiver, self.is_literal(receiver))
    }
    pub fn head(&self, ty: Ty) -> Ty {
        match ty {
            Ty::Infer(n) => match self.state(n) {
                Known::Is(next) => self.head(next),
                _ => ty,
            },
            // The pointee of a reference may have become known since.
            Ty::Mut(&content) => match self.head(content) {
                Ty::Slice(element) | Ty::SliceMut(element) => Ty::SliceMut(element),
                Ty::Infer(n) => match self.state(n) {
                    Known::Slice(element) => Ty::slice_mut(element),
                    _ => ty,
                },
                dynamic @ Ty::Dyn(_) => dynamic,
                _ => ty,
            },
            Ty::OpenList(&element, &length) => Ty::list_of(element, self.head(length)),
            _ => ty,
        }
    }
    /// The type with all known parts resolved. An `Infer` that remains is a representative.
    pub fn resolve(&self, ty: Ty) -> Ty {
        ty.map(&mut |ty| match self.head(ty) {
            found if found == ty => None,
            found => Some(self.resolve(found)),
        })
    }
    /// Like [`Self::resolve`]; slices that are still open become mutable.
    pub fn finish(&self, ty: Ty) -> Ty {
        self.resolve(ty).map(&mut |ty| match ty {
            Ty::Infer(n) => match self.state(n) {
                Known::Slice(element) => Some(Ty::slice_mut(self.finish(element))),
                _ => None,
            },
            _ => None,
        })
    }
    /// The type of an element, if this is a slice, list, vector or array.
    pub fn element(&self, ty: Ty) -> Option<Ty> {
        match self.head(ty) {
            Ty::Infer(n) => match self.state(n) {
                Known::Slice(element) => Some(element),
                _ => None,
            },
            known => known.element(),
        }
    }
    /// Whether this is a slice, shared, mutable or still open.
    pub fn is_slice(&self, ty: Ty) -> bool {
        match self.head(ty) {
            Ty::Infer(n) => matches!(self.state(n), Known::Slice(_)),
            known => matches!(known, Ty::Slice(_) | Ty::SliceMut(_)),
        }
    }
    /// Whether nothing is known about a type: not even that it is a number or a slice.
    pub fn is_unknown(&self, ty: Ty) -> bool {
        matches!(self.head(ty), Ty::Infer(n) if self.state(n) == Known::Nothing)
    }
    /// Whether the type is that of a literal and still open.
    pub fn is_literal(&self, ty: Ty) -> bool {
        matches!(self.head(ty), Ty::Infer(n) if matches!(self.state(n), Known::Float | Known::Int))
    }
    /// Whether the type is that of a float literal and still open.
    pub fn is_float_literal(&self, ty: Ty) -> bool {
        matches!(self.head(ty), Ty::Infer(n) if self.state(n) == Known::Float)
    }
    /// Whether a type has unknown parts. A slice of which only the mutability is open does not count.
    pub fn is_open(&self, ty: Ty) -> bool {
        self.finish(ty)
            .any(&mut |ty| matches!(ty, Ty::Infer(_) | Ty::Param(_)))
    }

    /// Unifies two types.
    pub fn unify(&mut self, a: Ty, b: Ty) -> Result<(), Mismatch> {
        let (a, b) = (self.head(a), self.head(b));
        let all = |this: &mut Self, x: &[Ty], y: &[Ty]| {
            x.iter().zip(y).try_for_each(|(&x, &y)| this.unify(x, y))
        };
        match (a, b) {
            _ if a == b => Ok(()),
            (Ty::Never, _) | (_, Ty::Never) => Ok(()),
            (Ty::Infer(n), Ty::Infer(m)) => {
                let state = match (self.state(n), self.state(m)) {
                    (Known::Nothing, other) | (other, Known::Nothing) => other,
                    (Known::Slice(x), Known::Slice(y)) => {
                        self.unify(x, y)?;
                        Known::Slice(x)
                    }
                    (x, y) if x == y => x,
                    _ => return Err(Mismatch(a, b)),
                };
                self.set(m, state);
                self.set(n, Known::Is(b));
                Ok(())
            }
            (Ty::Infer(n), known) | (known, Ty::Infer(n)) => {
                match (self.state(n), known) {
                    (Known::Float, Ty::Scalar(t)) if t.is_float() => {}
                    (Known::Int, Ty::Scalar(t)) if t.is_int() => {}
                    (Known::Slice(x), Ty::Slice(&y) | Ty::SliceMut(&y)) => self.unify(x, y)?,
                    (Known::Nothing, _) if !self.occurs(n, known) => {}
                    _ => return Err(Mismatch(a, b)),
                }
                self.set(n, Known::Is(known));
                Ok(())
            }
            (Ty::Tuple(x), Ty::Tuple(y)) if x.len() == y.len() => all(self, x, y),
            (Ty::Adt(p, x), Ty::Adt(q, y)) if p == q && x.len() == y.len() => all(self, x, y),
            (Ty::List(x, n), Ty::List(y, m)) if n == m => self.unify(*x, *y),
            (Ty::OpenList(x, length), Ty::List(y, n))
            | (Ty::List(y, n), Ty::OpenList(x, length)) => {
                self.unify(*x, *y)?;
                self.unify(*length, Ty::Const(n as i64))
            }
            (Ty::OpenList(x, n), Ty::OpenList(y, m)) => {
                self.unify(*x, *y)?;
                self.unify(*n, *m)
            }
            // The unknown pointee turns out to be a slice.
            (Ty::Mut(x), Ty::SliceMut(_)) => self.unify(*x, b),
            (Ty::SliceMut(_), Ty::Mut(y)) => self.unify(a, *y),
            (Ty::Mut(x), Ty::Dyn(_)) if self.is_unknown(*x) => self.unify(*x, b),
            (Ty::Dyn(_), Ty::Mut(y)) if self.is_unknown(*y) => self.unify(a, *y),
            (Ty::Slice(x), Ty::Slice(y))
            | (Ty::SliceMut(x), Ty::SliceMut(y))
            | (Ty::Vec(x), Ty::Vec(y))
            | (Ty::Array(x), Ty::Array(y))
            | (Ty::Boxed(x), Ty::Boxed(y))
            | (Ty::Mut(x), Ty::Mut(y)) => self.unify(*x, *y),
            // A reference into an `Rc` coerces silently.
            (Ty::Cell(x, a), Ty::Cell(y, b)) if a.borrows == b.borrows => self.unify(*x, *y),
            (Ty::Item(Item::Source(p, x)), Ty::Item(Item::Source(q, y)))
                if std::ptr::eq(p, q) && x.len() == y.len() =>
            {
                all(self, x, y)
            }
            (Ty::Item(Item::Overloaded(x, n, s)), Ty::Item(Item::Overloaded(y, m, t)))
                if n == m && s == t =>
            {
                self.unify(*x, *y)
            }
            (Ty::Item(Item::Constructor(x, n)), Ty::Item(Item::Constructor(y, m))) if n == m => {
                self.unify(*x, *y)
            }
            (Ty::Dyn(Dyn::Fn(x, r)), Ty::Dyn(Dyn::Fn(y, s))) if x.len() == y.len() => {
                all(self, x, y)?;
                self.unify(*r, *s)
            }
            _ => Err(Mismatch(a, b)),
        }
    }

    /// Gives every open literal its default type. Returns whether there was one.
    pub fn default_literals(&mut self) -> bool {
        let mut any = false;
        for n in 0..self.known.len() as u32 {
            let default = match self.state(n) {
                Known::Float => Type::F64,
                Known::Int => Type::I32,
                Known::Nothing | Known::Slice(_) | Known::Is(_) => continue,
            };
            self.set(n, Known::Is(Ty::Scalar(default)));
            any = true;
        }
        any
    }

    /// The name of a type for messages.
    pub fn describe(&self, ty: Ty) -> String {
        match self.resolve(ty) {
            Ty::Infer(n) => match self.state(n) {
                Known::Float => "a float".to_owned(),
                Known::Int => "an integer".to_owned(),
                Known::Slice(element) => format!("`{}`", Ty::slice(self.resolve(element))),
                Known::Nothing | Known::Is(_) => "a type not known yet".to_owned(),
            },
            known => format!("`{known}`"),
        }
    }

    /// Whether unknown `n` occurs inside a type: such a type would be infinite.
    fn occurs(&self, n: u32, ty: Ty) -> bool {
        self.resolve(ty).any(&mut |ty| ty == Ty::Infer(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const F32: Ty = Ty::Scalar(Type::F32);

    #[test]
    fn a_literal_takes_the_type_it_meets() {
        let mut u = Unifier::default();
        let (a, b) = (u.literal(true), u.fresh());
        u.unify(b, a).unwrap();
        u.unify(F32, b).unwrap();
        assert_eq!(u.resolve(a), F32);
        let f64 = Ty::Scalar(Type::F64);
        assert_eq!(u.unify(a, f64), Err(Mismatch(F32, f64)));
    }

    #[test]
    fn a_float_literal_is_no_integer() {
        let mut u = Unifier::default();
        let a = u.literal(true);
        assert!(u.unify(a, Ty::USIZE).is_err());
        assert!(u.default_literals());
        assert_eq!(u.resolve(a), Ty::Scalar(Type::F64));
    }

    #[test]
    fn tuples_unify_by_field_and_never_with_themselves() {
        let mut u = Unifier::default();
        let (a, b, c) = (u.fresh(), u.fresh(), u.fresh());
        u.unify(Ty::tuple(&[a, Ty::BOOL]), Ty::tuple(&[F32, b]))
            .unwrap();
        assert_eq!(u.resolve(Ty::tuple(&[a, b])), Ty::tuple(&[F32, Ty::BOOL]));
        assert!(u.unify(c, Ty::tuple(&[c])).is_err());
    }

    #[test]
    fn a_list_says_what_its_const_parameter_is() {
        let mut u = Unifier::default();
        let n = u.fresh();
        let written = u.declare(Ty::list_of(F32, Ty::Param(0)), &[n]);
        assert!(u.is_open(written));
        u.unify(written, Ty::list(F32, 3)).unwrap();
        assert_eq!(
            (u.resolve(n), u.resolve(written)),
            (Ty::Const(3), Ty::list(F32, 3))
        );
        assert!(u.unify(written, Ty::list(F32, 2)).is_err());
    }

    #[test]
    fn a_written_slice_is_what_it_is_given() {
        let mut u = Unifier::default();
        let written = u.declare(Ty::option(Ty::slice(F32)), &[]);
        assert!(!u.is_open(written));
        u.unify(written, Ty::option(Ty::slice_mut(F32))).unwrap();
        assert_eq!(u.finish(written), Ty::option(Ty::slice_mut(F32)));
    }

    #[test]
    fn an_attempt_that_fails_leaves_nothing_behind() {
        let mut u = Unifier::default();
        let a = u.fresh();
        let pair = Ty::tuple(&[a, Ty::BOOL]);
        assert_eq!(u.attempt(|u| u.unify(pair, Ty::tuple(&[F32, F32]))), None);
        assert!(u.is_unknown(a));
        assert!(u.could_be(pair, Ty::tuple(&[F32, Ty::BOOL])));
        assert!(u.is_unknown(a));
    }
}
