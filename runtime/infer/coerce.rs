//! Coercions: which types are accepted where another type is expected.

use super::Session;
use super::check::Arg;
use super::unify::Mismatch;
use crate::diag::Result;
use crate::front::tree::{At, Expr};
use crate::front::ty::{Dyn, Ty};
use crate::resolve::builtins::{Builtin, MethodKind};
use crate::stdlib;

impl Session<'_> {
    /// Unifies two types.
    pub fn unify(&mut self, a: Ty, b: Ty, at: At) -> Result<()> {
        match self.types.unify(a, b) {
            Ok(()) => Ok(()),
            Err(mismatch) => self.mismatch(mismatch, at),
        }
    }
    pub fn mismatch<T>(&mut self, Mismatch(a, b): Mismatch, at: At) -> Result<T> {
        let are_functions = [a, b]
            .iter()
            .all(|&ty| matches!(self.types.head(ty), Ty::Item(_) | Ty::Closure(_)));
        let (a, b) = (self.types.describe(a), self.types.describe(b));
        let help = match are_functions {
            true => {
                "each function has a type of its own: say that they are values of one, as in `let f: fn(f64) -> f64 = …` or `[f64::sin as fn(f64) -> f64, f64::cos]`"
            }
            false => super::OTHERWISE,
        };
        let message = format!("mismatched types: {a} and {b} meet here");
        self.refuse(at, message, help)
    }
    /// Accepts a value of type `given` where `wanted` is expected, or reports that it does not fit.
    pub fn coerce(&mut self, given: Ty, wanted: Ty, at: At) -> Result<()> {
        if self.types.head(given) == Ty::Never
            || self.types.attempt(|u| u.unify(given, wanted)).is_some()
        {
            return Ok(());
        }
        let (from, to) = (self.types.head(given), self.types.head(wanted));
        let inner = self.peel_all(from);
        if let Some((next, item)) = stdlib::dyn_iterator(self.types.resolve(to))
            && stdlib::is_iterator(inner)
            && self.types.attempt(|u| u.unify(inner, wanted)).is_none()
        {
            return self.coerce_iterator(inner, next, item, at);
        }
        match (from, to) {
            (Ty::Boxed(&inner) | Ty::Mut(&inner), Ty::Dyn(_)) => self.coerce(inner, wanted, at),
            (_, Ty::Dyn(kind)) => self.coerce_dynamic(from, kind, at),
            (Ty::Vec(&element) | Ty::List(&element, _) | Ty::OpenList(&element, _), _)
                if self.types.is_slice(to) =>
            {
                self.unify(Ty::slice_mut(element), wanted, at).or_else(|_| {
                    let to = self.types.element(to).unwrap_or(element);
                    self.unify(element, to, at)
                })
            }
            (Ty::Mut(&inner), Ty::Mut(&other))
                if matches!(self.types.head(inner), Ty::Boxed(_) | Ty::Mut(_)) =>
            {
                match self.types.head(inner) {
                    Ty::Boxed(&content) | Ty::Mut(&content) => {
                        self.coerce(Ty::mutable(content), Ty::mutable(other), at)
                    }
                    _ => Ok(()),
                }
            }
            (Ty::Mut(&inner), _)
                if matches!(to, Ty::Mut(_))
                    || self.types.is_slice(to) && matches!(self.types.head(inner), Ty::Adt(..)) =>
            {
                let inner = self.types.head(inner);
                match self.deref(inner, at)? {
                    Some(target) => self.coerce(Ty::mutable(target), wanted, at),
                    None => self.coerce(inner, wanted, at),
                }
            }
            (Ty::Mut(&inner) | Ty::Boxed(&inner), _) => self.coerce(inner, wanted, at),
            (Ty::Adt(..), _) => match self.deref(from, at)? {
                Some(target) => self.coerce(target, wanted, at),
                None => self.mismatch(Mismatch(given, wanted), at),
            },
            _ if self.types.is_slice(from) && self.types.is_slice(to) => {
                match (self.types.element(from), self.types.element(to)) {
                    (Some(a), Some(b)) => self.unify(a, b, at),
                    _ => Ok(()),
                }
            }
            _ => self.mismatch(Mismatch(given, wanted), at),
        }
    }
    /// The coercion of a value of this type to a `dyn` type.
    fn coerce_dynamic(&mut self, from: Ty, kind: &'static Dyn, at: At) -> Result<()> {
        let given = match (from, kind) {
            (Ty::Closure(closure), Dyn::Fn(params, ret)) => {
                let id = self.closure_id(closure);
                let (given, found) = (self.closures[id].params.clone(), self.closures[id].ret);
                if given.len() != params.len() {
                    return self.mismatch(Mismatch(from, Ty::Dyn(kind)), at);
                }
                for (a, &b) in given.into_iter().zip(params) {
                    self.unify(a, b, at)?;
                }
                self.unify(found, *ret, at)?;
                self.check_closure(id)?;
                from
            }
            (Ty::Item(_), Dyn::Fn(params, ret)) => {
                let mut args: Vec<Arg> = params.iter().map(|&ty| Arg::of(ty)).collect();
                // The surface tree has no node for this call.
                let key = self.dynamic.new_key();
                match self.try_call_value(key, at, from, &mut args, Some(*ret))? {
                    Some(found) => self.coerce(found, *ret, at)?,
                    None => return self.mismatch(Mismatch(from, Ty::Dyn(kind)), at),
                }
                let chosen = self.facts().methods.get(&key).map(|chosen| chosen.kind);
                if let Some(MethodKind::Builtin(builtin)) = chosen
                    && !matches!(builtin, Builtin::Intrinsic(_))
                {
                    return self.refuse(
                        at,
                        format!("`{from}` cannot be used as a value here"),
                        "write a closure: `|x| x.method()`",
                    );
                }
                if let Some(call) = self.facts().calls.remove(&key) {
                    self.dynamic.items.push((from, Ty::Dyn(kind), call));
                }
                from
            }
            (Ty::Adt(..) | Ty::Scalar(_) | Ty::Tuple(_), Dyn::Trait(_)) => from,
            _ => return self.mismatch(Mismatch(from, Ty::Dyn(kind)), at),
        };
        let span = self.span(at);
        self.dynamic.coerced(given, Ty::Dyn(kind), span);
        Ok(())
    }
    /// The coercion of an iterator to a `dyn Iterator`, of which the program calls `next`.
    fn coerce_iterator(&mut self, from: Ty, next: &'static Dyn, item: Ty, at: At) -> Result<()> {
        // The surface tree has no node for this call.
        let key = self.dynamic.new_key();
        match self.next(key, Ty::mutable(from), Some(item), at)? {
            Some(found) => self.unify(found, item, at)?,
            None => return self.mismatch(Mismatch(from, Ty::Dyn(next)), at),
        }
        if let Some(call) = self.facts().calls.remove(&key) {
            self.dynamic.items.push((from, Ty::Dyn(next), call));
        }
        let span = self.span(at);
        self.dynamic.coerced(from, Ty::Dyn(next), span);
        Ok(())
    }
    /// Checks an expression and coerces it to a type.
    pub fn coerce_expr(&mut self, expr: &'static Expr, wanted: Ty) -> Result<()> {
        let found = self.expr(expr, Some(wanted))?;
        self.coerce(found, wanted, expr.at)
    }
    /// The type without an outer `&mut`.
    pub fn peel(&self, ty: Ty) -> Ty {
        match self.types.head(ty) {
            Ty::Mut(&content) => self.peel(content),
            known => known,
        }
    }
    /// The type without outer `&mut` and `Box`.
    pub fn peel_all(&self, ty: Ty) -> Ty {
        match self.types.head(ty) {
            Ty::Mut(&content) | Ty::Boxed(&content) => self.peel_all(content),
            known => known,
        }
    }
}
