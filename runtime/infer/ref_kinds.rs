//! The ref kinds of expressions. Types do not say whether a value is a reference, because shared references are erased. It matters where a type of the
//! program implements an operator for values and for references, and for `*` on a type that implements `Deref`.

use super::Session;
use super::check::key;
use crate::front::tree::{Expr, ExprKind, Source};
use crate::front::ty::{RefKind, Ty};
use crate::resolve::builtins::{Builtin, MethodKind};
use crate::stdlib;

impl Session<'_> {
    /// The ref kind of an expression that has been checked, as far as the source tells.
    pub fn ref_kind_of(&mut self, expr: &'static Expr) -> RefKind {
        match &expr.kind {
            ExprKind::Ref(_, inner) => self.ref_kind_of(inner).by_reference(),
            ExprKind::Local(_) => {
                let facts = self.facts();
                let local = facts.uses.get(&key(expr));
                local.map_or(RefKind::Unknown, |&local| facts.locals[local].ref_kind)
            }
            ExprKind::Deref(inner) if self.ref_kind_of(inner).is_to_value() => {
                // `*` of a box is its content, whether or not the box is behind a reference.
                let ty = self.facts().types.get(&key(*inner)).copied();
                match ty.map(|ty| self.types.head(ty)) {
                    None | Some(Ty::Boxed(_)) => RefKind::Unknown,
                    Some(_) => RefKind::Value,
                }
            }
            ExprKind::Field(base, name) => {
                let base = self.facts().types.get(&key(*base)).copied();
                match base.map(|ty| self.peel_all(ty)) {
                    Some(Ty::Adt(adt, _)) if !adt.is_enum => {
                        let mut fields = adt.variants[0].fields.iter();
                        let field = fields.find(|field| field.name == *name);
                        field.map_or(RefKind::Unknown, |field| field.ref_kind)
                    }
                    _ => RefKind::Unknown,
                }
            }
            ExprKind::Call(..) | ExprKind::Method(..) | ExprKind::Associated(..) => {
                let chosen = { self.facts().methods.get(&key(expr)) }.map(|chosen| chosen.kind);
                let clones = chosen == Some(MethodKind::Builtin(Builtin::Clone));
                let is_of_numbers = matches!(
                    chosen,
                    Some(MethodKind::Rule(_) | MethodKind::Builtin(Builtin::Intrinsic(_)))
                );
                let makes_a_float = is_of_numbers && self.is_float(expr);
                let facts = self.facts();
                match (facts.calls.get(&key(expr)), &expr.kind) {
                    // `sum::<f64>()` makes a number.
                    (Some(call), _) if is_sum(call.source) => RefKind::Value,
                    (Some(call), _) => call.source.ret_kind,
                    // The clone of an `Rc` is another `Rc`.
                    (None, ExprKind::Method(_, _, _, [receiver, ..])) if clones => {
                        match self.ref_kind_of(receiver) {
                            RefKind::Value => RefKind::Value,
                            _ => RefKind::Unknown,
                        }
                    }
                    // `x.max(y)` of floats makes one; of integers it may be a reference.
                    (None, ExprKind::Method(..)) if makes_a_float => RefKind::Value,
                    _ => RefKind::Unknown,
                }
            }
            ExprKind::Block(None, block) => match block.value {
                Some(value) => self.ref_kind_of(value),
                None => RefKind::Unknown,
            },
            // Only where the type of the program does not define `Index`.
            ExprKind::Index(base, index) if !matches!(index.kind, ExprKind::Range(..)) => {
                let called = self.facts().calls.contains_key(&key(expr));
                match called {
                    true => RefKind::Unknown,
                    false => self.element_kind_of(base),
                }
            }
            ExprKind::Struct(..)
            | ExprKind::Construct(..)
            | ExprKind::Tuple(_)
            | ExprKind::List(_)
            | ExprKind::Repeat(..)
            | ExprKind::VecList(_)
            | ExprKind::VecRepeat(..)
            | ExprKind::Float(..)
            | ExprKind::Int(..)
            | ExprKind::Bool(_)
            | ExprKind::Cast(..)
            | ExprKind::Binary(..)
            | ExprKind::Neg(_) => RefKind::Value,
            _ => RefKind::Unknown,
        }
    }
    fn is_float(&mut self, expr: &'static Expr) -> bool {
        let ty = self.facts().types.get(&key(expr)).copied();
        ty.is_some_and(|ty| matches!(self.types.head(ty), Ty::Scalar(ty) if ty.is_float()))
    }
    /// If the type of an expression is written as a type parameter: its position. Such a value has only the methods of its bounds.
    pub fn parameter_of(&mut self, expr: &'static Expr) -> Option<u32> {
        match self.written_type(expr)? {
            Ty::Param(n) => Some(n),
            _ => None,
        }
    }
    /// The type of an expression as the source writes it, without references: type parameters are still parameters in it. `None` if the source does not say.
    pub fn written_type(&mut self, expr: &'static Expr) -> Option<Ty> {
        match &expr.kind {
            ExprKind::Ref(_, inner) => self.written_type(inner),
            ExprKind::Deref(inner) => match self.written_type(inner)? {
                Ty::Boxed(&content) | Ty::Mut(&content) => Some(content),
                Ty::Adt(adt, _) if adt.derefs => None,
                written => Some(written),
            },
            ExprKind::Local(_) => {
                let facts = self.facts();
                let local = *facts.uses.get(&key(expr))?;
                facts.locals[local].written
            }
            ExprKind::Index(base, index) => {
                let index = self.facts().types.get(&key(*index)).copied()?;
                match self.types.head(index) {
                    // A range.
                    Ty::Adt(..) => None,
                    _ => self.content_of_written_type(base)?.element(),
                }
            }
            ExprKind::Field(base, name) => match self.content_of_written_type(base)? {
                written @ Ty::Adt(adt, _) if !adt.is_enum => {
                    let mut fields = written.fields(0).into_iter();
                    Some(fields.find(|field| field.0 == *name)?.1)
                }
                _ => None,
            },
            _ => None,
        }
    }
    /// The same without pointers around it, which indices and fields see through.
    fn content_of_written_type(&mut self, expr: &'static Expr) -> Option<Ty> {
        let mut written = self.written_type(expr)?;
        while let Ty::Boxed(&content) | Ty::Mut(&content) = written {
            written = content;
        }
        Some(written)
    }
    /// The ref kind of the elements of a list, or of a list behind a reference.
    pub fn element_kind_of(&mut self, expr: &'static Expr) -> RefKind {
        match &expr.kind {
            ExprKind::Ref(_, inner) | ExprKind::Deref(inner) => self.element_kind_of(inner),
            ExprKind::Local(_) => {
                let facts = self.facts();
                let local = facts.uses.get(&key(expr));
                local.map_or(RefKind::Unknown, |&local| facts.locals[local].element_kind)
            }
            ExprKind::Repeat(item, _) | ExprKind::VecRepeat(item, _) => self.ref_kind_of(item),
            ExprKind::List([item, ..]) | ExprKind::VecList([item, ..]) => self.ref_kind_of(item),
            ExprKind::Method("to_vec" | "clone", None, _, [list]) => self.element_kind_of(list),
            _ => RefKind::Unknown,
        }
    }
}

/// Whether a function of the library adds or multiplies the items of an iterator.
fn is_sum(source: &'static Source) -> bool {
    stdlib::contains(source) && matches!(source.name, "sum" | "product")
}
