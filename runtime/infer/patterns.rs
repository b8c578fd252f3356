//! Patterns: the types of what they match, and the variables that they bind.

use super::check::{Scope, key, unknown};
use super::{Local, Session};
use crate::diag::Result;
use crate::front::tree::{At, Expr, ExprKind, Pattern, PatternKind};
use crate::front::ty::{RefKind, Ty};

impl Session<'_> {
    /// Checks a pattern against the type of the matched value, and declares its names. `by_mut`: the value is behind `&mut`.
    pub fn pattern(&mut self, pattern: &'static Pattern, ty: Ty, by_mut: bool) -> Result<()> {
        let (mut ty, mut by_mut) = (ty, by_mut);
        if !matches!(
            pattern.kind,
            PatternKind::Wild
                | PatternKind::Rest
                | PatternKind::Name(..)
                | PatternKind::Ref(_)
                | PatternKind::Or(_)
        ) {
            while let Ty::Mut(&content) = self.types.head(ty) {
                (ty, by_mut) = (content, true);
            }
        }
        let at = pattern.at;
        match &pattern.kind {
            PatternKind::Wild | PatternKind::Rest => Ok(()),
            PatternKind::Name(name, by_ref_mut, inner) => {
                let bound = match by_mut || *by_ref_mut {
                    true => Ty::mutable(ty),
                    false => ty,
                };
                self.bind(pattern, name, bound)?;
                match inner {
                    Some(Pattern {
                        kind: PatternKind::Rest,
                        ..
                    })
                    | None => Ok(()),
                    Some(inner) => self.pattern(inner, ty, by_mut),
                }
            }
            PatternKind::Tuple(parts) => {
                if !matches!(self.types.head(ty), Ty::Tuple(_)) && rest(parts).is_none() {
                    let fields: Vec<Ty> = parts.iter().map(|_| self.types.fresh()).collect();
                    self.unify(Ty::tuple(&fields), ty, at)?;
                }
                let Ty::Tuple(fields) = self.types.head(ty) else {
                    return self.not_matched(at, ty);
                };
                self.parts(at, parts, fields, by_mut)
            }
            PatternKind::Struct(owner, variant, parts) => {
                let owner = self.declare(owner());
                self.unify(owner, ty, at)?;
                let (position, _) = self.variant(at, owner, *variant)?;
                let fields = self.types.head(owner).fields(position);
                for (name, part) in *parts {
                    match fields.iter().find(|field| field.0 == *name) {
                        Some(&(_, field)) => self.pattern(part, field, by_mut)?,
                        None => {
                            return self.bug(part.at, format!("there is no field `{name}`"));
                        }
                    }
                }
                Ok(())
            }
            PatternKind::TupleStruct(owner, variant, parts) => {
                let owner = self.declare(owner());
                self.unify(owner, ty, at)?;
                let (position, _) = self.variant(at, owner, *variant)?;
                let fields: Vec<Ty> = self
                    .types
                    .head(owner)
                    .fields(position)
                    .into_iter()
                    .map(|field| field.1)
                    .collect();
                self.parts(at, parts, &fields, by_mut)
            }
            PatternKind::Slice(parts) => {
                let Some(element) = self.types.element(ty) else {
                    return self.not_matched(at, ty);
                };
                let by_mut = by_mut || matches!(self.types.head(ty), Ty::SliceMut(_));
                if let Ty::OpenList(..) = self.types.head(ty) {
                    return Err(unknown(self.span(at)));
                }
                for part in *parts {
                    match &part.kind {
                        PatternKind::Name(
                            name,
                            by_ref_mut,
                            Some(Pattern {
                                kind: PatternKind::Rest,
                                ..
                            }),
                        ) => {
                            let ty = self.types.head(ty);
                            let rest = rest_type(ty, element, parts, by_mut, *by_ref_mut);
                            self.bind(part, name, rest)?;
                        }
                        _ => self.pattern(part, element, by_mut)?,
                    }
                }
                Ok(())
            }
            PatternKind::Value(value) => self.coerce_expr(value, ty),
            PatternKind::Range(from, to, _) => {
                for end in [from, to].into_iter().flatten() {
                    self.coerce_expr(end, ty)?;
                }
                Ok(())
            }
            PatternKind::Or(alternatives) => {
                // All alternatives bind the same names. Later alternatives use the variables of the first.
                self.frame.scopes.push(Scope::default());
                for (n, alternative) in alternatives.iter().enumerate() {
                    if n > 0 {
                        self.alternative(alternative, ty, by_mut)?;
                    } else {
                        self.pattern(alternative, ty, by_mut)?;
                    }
                }
                let names = self.frame.scopes.pop().unwrap_or_default();
                if let Some(scope) = self.frame.scopes.last_mut() {
                    scope.extend(names);
                }
                Ok(())
            }
            PatternKind::Ref(inner) => match self.types.head(ty) {
                Ty::Mut(&content) => self.pattern(inner, content, false),
                ty => self.pattern(inner, slice_place(ty), false),
            },
        }
    }
    /// The type of a matched value, for its patterns. A place of type `[T]`, such as `v[1..]` or `*slice`, has the type of a reference to it here, but
    /// patterns bind copies of its elements, where those of a `&mut [T]` bind references.
    pub fn matched_type(&mut self, value: &'static Expr, ty: Ty) -> Ty {
        let ty = self.types.head(ty);
        let is_place = match &value.kind {
            ExprKind::Deref(_) => true,
            ExprKind::Index(base, index) => {
                let facts = self.facts();
                let types = [*base, *index].map(|expr| facts.types.get(&key(expr)).copied());
                let [base, index] = types.map(|ty| ty.map(|ty| self.peel_all(ty)));
                let is_range = index.is_none() || matches!(index, Some(Ty::Adt(..)));
                // An element is a reference itself. What an `Index` of the program gives is a place.
                is_range || base.is_none_or(|base| self.types.element(base).is_none())
            }
            _ => false,
        };
        if is_place && self.types.is_slice(ty) {
            self.facts().slice_places.insert(key(value));
            return slice_place(ty);
        }
        ty
    }
    /// A further alternative. Its names are those of the first one, in the innermost scope.
    fn alternative(&mut self, pattern: &'static Pattern, ty: Ty, by_mut: bool) -> Result<()> {
        let first = self.frame.scopes.pop().unwrap_or_default();
        self.frame.scopes.push(Scope::default());
        self.pattern(pattern, ty, by_mut)?;
        let again = self.frame.scopes.pop().unwrap_or_default();
        for (name, id) in again {
            let Some(&wanted) = first.get(name) else {
                return self.bug(
                    pattern.at,
                    format!("`{name}` is not bound in all alternatives"),
                );
            };
            let locals = &self.facts().locals;
            let (a, b) = (locals[id].ty, locals[wanted].ty);
            self.unify(a, b, pattern.at)?;
            for bound in self
                .facts()
                .binds
                .values_mut()
                .filter(|bound| **bound == id)
            {
                *bound = wanted;
            }
        }
        self.frame.scopes.push(first);
        Ok(())
    }
    pub fn bind(&mut self, pattern: &'static Pattern, name: &'static str, ty: Ty) -> Result<()> {
        let owner = self.frame.closure;
        let facts = self.facts();
        let id = facts.locals.len();
        let ref_kind = RefKind::Unknown;
        facts.locals.push(Local {
            name,
            ty,
            ref_kind,
            element_kind: ref_kind,
            written: None,
            owner,
        });
        if facts.binds.insert(key(pattern), id).is_some() {
            return self.bug(
                pattern.at,
                format!("`{name}` stands for different variables here"),
            );
        }
        if let Some(scope) = self.frame.scopes.last_mut() {
            scope.insert(name, id);
        }
        Ok(())
    }
    /// Notes the ref kinds of the variables that a pattern binds to a value.
    pub fn set_ref_kinds(&mut self, pattern: &'static Pattern, value: &'static Expr) {
        match (&pattern.kind, &value.kind) {
            (PatternKind::Tuple(parts), ExprKind::Tuple(values)) if parts.len() == values.len() => {
                for (part, value) in parts.iter().zip(*values) {
                    self.set_ref_kinds(part, value);
                }
            }
            _ => {
                let (ref_kind, element_kind) =
                    (self.ref_kind_of(value), self.element_kind_of(value));
                self.set_ref_kind(pattern, ref_kind, element_kind);
                let written = self.written_type(value);
                self.set_written_type(pattern, written);
            }
        }
    }
    /// Notes the type of the variable that a pattern binds, as the source writes it.
    pub fn set_written_type(&mut self, pattern: &'static Pattern, written: Option<Ty>) {
        let facts = self.facts();
        if let (PatternKind::Name(_, false, None), Some(&id)) =
            (&pattern.kind, facts.binds.get(&key(pattern)))
        {
            facts.locals[id].written = written;
        }
    }
    /// Notes the ref kind of the variable that a pattern binds, and the one of its elements.
    pub fn set_ref_kind(
        &mut self,
        pattern: &'static Pattern,
        ref_kind: RefKind,
        element_kind: RefKind,
    ) {
        let facts = self.facts();
        if let (PatternKind::Name(_, false, None), Some(&id)) =
            (&pattern.kind, facts.binds.get(&key(pattern)))
        {
            facts.locals[id].ref_kind = ref_kind;
            facts.locals[id].element_kind = element_kind;
        }
    }
    fn parts(
        &mut self,
        at: At,
        parts: &'static [Pattern],
        fields: &[Ty],
        by_mut: bool,
    ) -> Result<()> {
        for (part, field) in positions(parts, fields.len()) {
            match fields.get(field) {
                Some(&ty) => self.pattern(part, ty, by_mut)?,
                None => return self.bug(at, "this pattern has too many parts"),
            }
        }
        Ok(())
    }
    fn not_matched<T>(&mut self, at: At, ty: Ty) -> Result<T> {
        if self.types.is_unknown(ty) {
            return Err(unknown(self.span(at)));
        }
        let ty = self.types.describe(ty);
        self.bug(at, format!("this pattern does not match {ty}"))
    }
}

/// The type for the patterns of what a reference to a slice leads to: they bind copies of its elements, unless they say `ref mut`.
pub fn slice_place(ty: Ty) -> Ty {
    match ty {
        Ty::SliceMut(&element) => Ty::slice(element),
        other => other,
    }
}

/// The position of `..` in a pattern.
pub fn rest(parts: &[Pattern]) -> Option<usize> {
    parts
        .iter()
        .position(|part| matches!(part.kind, PatternKind::Rest))
}

/// The parts of a pattern for a tuple with `count` fields, with the field that each part matches.
pub fn positions(parts: &'static [Pattern], fields: usize) -> Vec<(&'static Pattern, usize)> {
    let skipped = (fields + 1).saturating_sub(parts.len());
    let rest = rest(parts);
    let place = |n: usize| match rest {
        Some(rest) if n > rest => n - 1 + skipped,
        _ => n,
    };
    let all = parts.iter().enumerate().filter(|(n, _)| Some(*n) != rest);
    all.map(|(n, part)| (part, place(n))).collect()
}

/// The type of `rest` in `[a, rest @ ..]`, for a matched value of this type. For a list it is a list; for a list that is matched in place it is a slice
/// of that list. `by_mut`: the value is behind `&mut`. `ref_mut`: the pattern says `ref mut`, which it cannot say of what is behind `&`.
pub fn rest_type(ty: Ty, element: Ty, parts: &[Pattern], by_mut: bool, ref_mut: bool) -> Ty {
    match ty {
        Ty::Slice(_) if !ref_mut => ty,
        Ty::List(_, n) if !by_mut && !ref_mut => {
            Ty::list(element, (n + 1).saturating_sub(parts.len()))
        }
        _ => Ty::slice_mut(element),
    }
}
