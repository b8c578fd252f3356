//! Patterns.

use super::place::variable;
use super::{Elaborator, copies, key};
use crate::diag::Result;
use crate::front::repr::repr;
use crate::front::tree::{
    At, Expr as Tree, ExprKind as TreeKind, Pattern as TreePattern, PatternKind,
};
use crate::front::ty::Ty;
use crate::front::typed::{Expr, ExprKind, Pattern, Place, Projection, Statement};
use crate::infer::check::find_variant;
use crate::infer::patterns::{positions, rest_type, slice_place};
use crate::ir::{Const, Type};

impl Elaborator<'_, '_> {
    /// Matches a pattern against a place.
    pub(super) fn bind(
        &mut self,
        pattern: &'static TreePattern,
        place: Place,
        ty: Ty,
        statements: &mut Vec<Statement>,
        otherwise: Option<Expr>,
    ) -> Result<()> {
        let pattern = self.pattern(pattern, ty, false)?;
        self.borrowed(&place, &pattern);
        statements.push(Statement::Let(pattern, place, otherwise));
        Ok(())
    }
    /// Notes that a pattern borrows a part of the matched variable, which must then be in memory.
    pub(super) fn borrowed(&mut self, place: &Place, pattern: &Pattern) {
        if let Some(local) = variable(place)
            && borrows(pattern)
        {
            self.changed.insert(local);
            self.locals[local].in_memory = true;
        }
    }

    /// Translates a pattern, given the type of the matched value.
    pub(super) fn pattern(
        &mut self,
        pattern: &'static TreePattern,
        ty: Ty,
        by_mut: bool,
    ) -> Result<Pattern> {
        let at = pattern.at;
        let passes = matches!(
            pattern.kind,
            PatternKind::Wild
                | PatternKind::Rest
                | PatternKind::Name(..)
                | PatternKind::Ref(_)
                | PatternKind::Or(_)
        );
        if let (false, Ty::Mut(&content)) = (passes, ty) {
            let inner = self.pattern(pattern, content, true)?;
            return Ok(Pattern::Parts(vec![(Projection::Deref(content), inner)]));
        }
        Ok(match &pattern.kind {
            PatternKind::Wild | PatternKind::Rest => Pattern::Wild,
            PatternKind::Name(_, by_ref_mut, inner) => {
                let Some(&local) = self.row().facts.binds.get(&key(pattern)) else {
                    return self.bug(at, "this name is not known here");
                };
                let inner = match inner {
                    Some(TreePattern {
                        kind: PatternKind::Rest,
                        ..
                    })
                    | None => None,
                    Some(inner) => Some(Box::new(self.pattern(inner, ty, by_mut)?)),
                };
                let by_mut = (by_mut || *by_ref_mut) && matches!(Ty::mutable(ty), Ty::Mut(_));
                Pattern::Bind(local, by_mut, inner)
            }
            PatternKind::Tuple(parts) => {
                let Ty::Tuple(fields) = ty else {
                    return self.bug(at, format!("this pattern does not match `{ty}`"));
                };
                let mut all = Vec::new();
                for (part, n) in positions(parts, fields.len()) {
                    let field = fields.get(n).copied().unwrap_or(Ty::UNIT);
                    let inner = self.pattern(part, field, by_mut)?;
                    all.push((Projection::Field(n as u32, field), inner));
                }
                Pattern::Parts(all)
            }
            PatternKind::Struct(_, variant, parts) => {
                let (variant, fields, is_enum) = self.fields(ty, *variant, at)?;
                let mut all = Vec::new();
                for (name, part) in *parts {
                    let found = fields.iter().position(|field| field.0 == *name);
                    let Some(n) = found else {
                        return self.bug(part.at, format!("there is no field `{name}`"));
                    };
                    let inner = self.pattern(part, fields[n].1, by_mut)?;
                    all.push((step(is_enum, variant, n, fields[n].1), inner));
                }
                parts_of(is_enum, variant, all)
            }
            PatternKind::TupleStruct(_, variant, parts) => {
                let (variant, fields, is_enum) = self.fields(ty, *variant, at)?;
                let mut all = Vec::new();
                for (part, n) in positions(parts, fields.len()) {
                    let Some(&(_, field)) = fields.get(n) else {
                        return self.bug(at, "this pattern has too many parts");
                    };
                    let inner = self.pattern(part, field, by_mut)?;
                    all.push((step(is_enum, variant, n, field), inner));
                }
                parts_of(is_enum, variant, all)
            }
            PatternKind::Slice(parts) => self.slice_pattern(parts, ty, by_mut, at)?,
            PatternKind::Value(value) => {
                if ty.scalar().is_none() {
                    let found = self.rvalue(value)?;
                    return self.constant_pattern(found, value.at);
                }
                let (value, scalar) = self.constant(value, ty)?;
                Pattern::Equal(value, scalar)
            }
            PatternKind::Range(from, to, inclusive) => {
                let mut ends = [None, None];
                for (slot, end) in ends.iter_mut().zip([from, to]) {
                    if let Some(end) = end {
                        *slot = Some(self.constant(end, ty)?.0);
                    }
                }
                let Some(scalar) = ty.scalar() else {
                    return self.bug(at, format!("this pattern does not match `{ty}`"));
                };
                let [from, to] = ends;
                Pattern::Between(from, to, *inclusive, scalar)
            }
            PatternKind::Or(alternatives) => {
                let mut all = Vec::new();
                for alternative in *alternatives {
                    all.push(self.pattern(alternative, ty, by_mut)?);
                }
                Pattern::Or(all)
            }
            PatternKind::Ref(inner) => match ty {
                Ty::Mut(&content) => {
                    let inner = self.pattern(inner, content, false)?;
                    Pattern::Parts(vec![(Projection::Deref(content), inner)])
                }
                // The reference may be a temporary value: what is bound is a copy.
                _ if copies(ty) => {
                    let inner = self.pattern(inner, ty, false)?;
                    Pattern::Parts(vec![(Projection::Deref(ty), inner)])
                }
                _ => self.pattern(inner, slice_place(ty), false)?,
            },
        })
    }
    fn slice_pattern(
        &mut self,
        parts: &'static [TreePattern],
        ty: Ty,
        by_mut: bool,
        at: At,
    ) -> Result<Pattern> {
        let Some(element) = ty.element() else {
            return self.bug(at, format!("this pattern does not match `{ty}`"));
        };
        let by_mut = by_mut || matches!(ty, Ty::SliceMut(_));
        let mut slice = rest_type(ty, element, parts, by_mut, false);
        let (mut front, mut back, mut rest, mut has_rest) = (Vec::new(), Vec::new(), None, false);
        for part in parts {
            match &part.kind {
                PatternKind::Rest => has_rest = true,
                PatternKind::Name(
                    _,
                    by_ref_mut,
                    Some(TreePattern {
                        kind: PatternKind::Rest,
                        ..
                    }),
                ) => {
                    has_rest = true;
                    slice = rest_type(ty, element, parts, by_mut, *by_ref_mut);
                    rest = Some(Box::new(self.pattern(part, slice, false)?));
                }
                _ => {
                    let part = self.pattern(part, element, by_mut)?;
                    if has_rest { &mut back } else { &mut front }.push(part);
                }
            }
        }
        Ok(Pattern::Slice(front, rest, back, has_rest, slice))
    }
    /// A variant, its fields, and whether it is one of an enum.
    fn fields(
        &self,
        ty: Ty,
        variant: Option<&str>,
        at: At,
    ) -> Result<(u32, Vec<(&'static str, Ty)>, bool)> {
        let found = match ty {
            Ty::Adt(adt, _) => {
                find_variant(adt, variant).map(|(n, _)| (n, ty.fields(n), adt.is_enum))
            }
            _ => None,
        };
        match found {
            Some(found) => Ok(found),
            None => self.bug(at, format!("this pattern does not match `{ty}`")),
        }
    }
    /// A constant as a pattern. rustc accepts constants of types whose `PartialEq` is derived.
    fn constant_pattern(&mut self, value: Expr, at: At) -> Result<Pattern> {
        let Expr { ty, kind, .. } = value;
        Ok(match (kind, ty) {
            (ExprKind::Const(Const::Unit), _) => Pattern::Wild,
            (ExprKind::Const(number), Ty::Str) => {
                self.output.text_pattern.get_or_insert(self.span(at));
                Pattern::Equal(number, repr(Ty::Str))
            }
            (ExprKind::Const(number), Ty::Scalar(scalar)) => Pattern::Equal(number, scalar),
            (ExprKind::Aggregate(variant, values), Ty::Adt(adt, _)) => {
                let mut parts = Vec::new();
                for (n, value) in values.into_iter().enumerate() {
                    let step = step(adt.is_enum, variant, n, value.ty);
                    parts.push((step, self.constant_pattern(value, at)?));
                }
                parts_of(adt.is_enum, variant, parts)
            }
            (ExprKind::Tuple(values), _) => {
                let mut parts = Vec::new();
                for (n, value) in values.into_iter().enumerate() {
                    let step = Projection::Field(n as u32, value.ty);
                    parts.push((step, self.constant_pattern(value, at)?));
                }
                Pattern::Parts(parts)
            }
            (ExprKind::List(values), Ty::List(&element, _)) => {
                let parts = values.into_iter();
                let parts = parts.map(|value| self.constant_pattern(value, at));
                let parts = parts.collect::<Result<Vec<Pattern>>>()?;
                Pattern::Slice(parts, None, Vec::new(), false, Ty::slice_mut(element))
            }
            _ => {
                return self.refuse(
                    at,
                    "this constant cannot be used as a pattern here",
                    "compare in a guard: `x if x == …`",
                );
            }
        })
    }
    /// The value of a number pattern.
    fn constant(&mut self, expr: &'static Tree, ty: Ty) -> Result<(Const, Type)> {
        let negative = matches!(expr.kind, TreeKind::Neg(_));
        let value = self.rvalue(expr)?;
        match (value.kind, ty.scalar()) {
            (ExprKind::Const(value), Some(scalar)) => Ok((value, scalar)),
            (ExprKind::Neg(inner), Some(scalar)) if negative => match inner.kind {
                ExprKind::Const(Const::Int(n)) => Ok((Const::Int(n.wrapping_neg()), scalar)),
                ExprKind::Const(Const::Float(x)) => Ok((Const::Float(-x), scalar)),
                _ => self.bug(expr.at, "this constant cannot be used as a pattern here"),
            },
            _ => self.refuse(
                expr.at,
                "this constant cannot be used as a pattern here",
                "compare in a guard: `x if x == …`",
            ),
        }
    }
}

fn step(is_enum: bool, variant: u32, field: usize, ty: Ty) -> Projection {
    let field = field as u32;
    match is_enum {
        true => Projection::Payload { variant, field, ty },
        false => Projection::Field(field, ty),
    }
}

fn parts_of(is_enum: bool, variant: u32, parts: Vec<(Projection, Pattern)>) -> Pattern {
    match is_enum {
        true => Pattern::Variant(variant, parts),
        false => Pattern::Parts(parts),
    }
}

/// Whether a pattern contains `ref mut`.
pub(super) fn says_ref_mut(pattern: &TreePattern) -> bool {
    match &pattern.kind {
        PatternKind::Name(_, by_ref_mut, inner) => *by_ref_mut || inner.is_some_and(says_ref_mut),
        PatternKind::Tuple(parts)
        | PatternKind::TupleStruct(_, _, parts)
        | PatternKind::Slice(parts)
        | PatternKind::Or(parts) => parts.iter().any(says_ref_mut),
        PatternKind::Struct(_, _, fields) => fields.iter().any(|(_, part)| says_ref_mut(part)),
        PatternKind::Ref(inner) => says_ref_mut(inner),
        PatternKind::Wild | PatternKind::Rest | PatternKind::Value(_) | PatternKind::Range(..) => {
            false
        }
    }
}

/// Whether a pattern takes the address of a part of the matched value itself, not of a pointee.
fn borrows(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Wild | Pattern::Equal(..) | Pattern::Between(..) => false,
        Pattern::Bind(_, by_mut, inner) => *by_mut || inner.as_deref().is_some_and(borrows),
        Pattern::Parts(parts) | Pattern::Variant(_, parts) => parts
            .iter()
            .any(|(step, part)| !matches!(step, Projection::Deref(_)) && borrows(part)),
        Pattern::Or(all) => all.iter().any(borrows),
        // Elements are always in memory.
        Pattern::Slice(..) => false,
    }
}
