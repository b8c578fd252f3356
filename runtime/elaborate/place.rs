//! Places, and the conversion of values to the types that are expected.

use super::expr::within;
use super::{Elaborator, copies, key, read_local};
use crate::diag::{Result, Span};
use crate::front::tree::{At, Expr as Tree, ExprKind as TreeKind};
use crate::front::ty::{Dyn, Ty, intern};
use crate::front::typed::{Base, Expr, ExprKind, LocalId, Pattern, Place, Projection};
use crate::infer::Deref;
use crate::infer::patterns::slice_place;
use crate::resolve::builtins::{Builtin, MethodKind};
use crate::stdlib;

/// `&mut T` for any `T`, including the address of a variable that holds a slice.
pub(super) fn raw_mut(ty: Ty) -> Ty {
    Ty::Mut(&intern(&[ty])[0])
}

/// Whether a type is a box of another one, or a reference to it.
fn is_behind(ty: Ty, inner: Ty) -> bool {
    match ty {
        Ty::Mut(&content) | Ty::Boxed(&content) => content == inner || is_behind(content, inner),
        _ => false,
    }
}

impl Elaborator<'_, '_> {
    /// The place that an expression names, or a temporary; and its type.
    pub(super) fn place(&mut self, expr: &'static Tree) -> Result<(Place, Ty)> {
        self.place_for(expr, false)
    }
    /// Like [`Self::place`], for a place that is changed.
    pub(super) fn place_mut(&mut self, expr: &'static Tree) -> Result<(Place, Ty)> {
        self.place_for(expr, true)
    }
    /// Like [`Self::place`], for the target of an assignment. Rust assigns only through what is mutable. If `*e` is something else here, its type was
    /// confused with another one and the assignment would go to a copy; that is reported as an internal error.
    pub(super) fn target(&mut self, expr: &'static Tree) -> Result<(Place, Ty)> {
        if let TreeKind::Deref(inner) = &expr.kind
            && !matches!(self.ty(inner)?, Ty::Mut(_) | Ty::Boxed(_))
            && !self.row().facts.dereferenced.contains(&key(expr))
        {
            return self.refuse(
                expr.at,
                "the target of this reference cannot be assigned here",
                "differentiable functions do not distinguish a reference to a reference, or to a slice, from the inner one: return the new reference instead",
            );
        }
        self.place_mut(expr)
    }
    fn place_for(&mut self, expr: &'static Tree, changes: bool) -> Result<(Place, Ty)> {
        self.stays(expr);
        self.place_of(expr, changes)
    }
    fn place_of(&mut self, expr: &'static Tree, changes: bool) -> Result<(Place, Ty)> {
        match &expr.kind {
            TreeKind::Local(name) => match self.row().facts.uses.get(&key(expr)) {
                Some(&local) => {
                    let ty = self.known(self.locals[local].ty, expr.at)?;
                    Ok((Place::of(local), ty))
                }
                None => self.bug(expr.at, format!("the variable `{name}` is not known here")),
            },
            TreeKind::Field(base, name) => {
                let (place, ty) = self.place_for(base, changes)?;
                let (mut place, mut ty) = self.deref_all(place, ty);
                while !has_field(ty, name) && self.user_deref(ty).is_some() {
                    (place, ty) = self.dereference(place, ty, changes, expr.at)?;
                    (place, ty) = self.deref_all(place, ty);
                }
                self.field(place, ty, name, expr.at)
            }
            TreeKind::Index(base, index) if changes && self.is_subslice(expr)? => {
                let slice = self.subslice(expr, base, index, changes)?;
                let ty = slice.ty;
                Ok((as_place(slice), ty))
            }
            TreeKind::Index(base, index) if !self.is_subslice(expr)? => {
                if self.row().facts.methods.contains_key(&key(expr)) {
                    return self.indexed(expr, base, index, changes);
                }
                let (place, ty) = self.place_for(base, changes)?;
                let (mut place, mut ty) = self.deref_all(place, ty);
                while ty.element().is_none() && self.user_deref(ty).is_some() {
                    (place, ty) = self.dereference(place, ty, changes, expr.at)?;
                    (place, ty) = self.deref_all(place, ty);
                }
                let index = self.value(index, Ty::USIZE)?;
                match ty.element() {
                    Some(element) => {
                        let step = Projection::Index(Box::new(index), element, self.span(expr.at));
                        Ok((place.then(step), element))
                    }
                    None => self.bug(expr.at, format!("`{ty}` cannot be indexed")),
                }
            }
            TreeKind::Deref(inner) => {
                let (place, ty) = self.place_for(inner, changes)?;
                if self.row().facts.dereferenced.contains(&key(expr)) {
                    return self.dereference(place, ty, changes, expr.at);
                }
                Ok(match ty {
                    Ty::Mut(&content) | Ty::Boxed(&content) => {
                        (place.then(Projection::Deref(content)), content)
                    }
                    // Shared references are erased.
                    _ => (pointee(place, ty), ty.uncounted()),
                })
            }
            TreeKind::Ref(false, inner) => self.place_for(inner, false),
            TreeKind::Method(_, _, _, args) => {
                let chosen = self.row().facts.methods.get(&key(expr)).cloned();
                match (chosen.as_ref().map(|chosen| chosen.kind), args) {
                    (Some(MethodKind::Builtin(Builtin::Content)), [receiver]) => {
                        let (place, ty) =
                            self.receiver(receiver, chosen.map_or(0, |c| c.derefs), changes)?;
                        let content = match ty {
                            Ty::Cell(&content, _) | Ty::Boxed(&content) => content,
                            other => other,
                        };
                        let step = self.step_into_cell(expr, content, false);
                        Ok((place.then(step), content))
                    }
                    (Some(MethodKind::Builtin(Builtin::Identity)), [receiver]) => {
                        self.receiver(receiver, chosen.map_or(0, |c| c.derefs), changes)
                    }
                    _ => self.temporary_place(expr),
                }
            }
            _ => self.temporary_place(expr),
        }
    }
    fn temporary_place(&mut self, expr: &'static Tree) -> Result<(Place, Ty)> {
        let value = self.rvalue(expr)?;
        let ty = value.ty;
        Ok((as_place(value), ty))
    }
    /// `x[i]` of a type that defines it.
    fn indexed(
        &mut self,
        expr: &'static Tree,
        base: &'static Tree,
        index: &'static Tree,
        changes: bool,
    ) -> Result<(Place, Ty)> {
        let by_mut = changes && self.row().facts.calls.contains_key(&(key(expr) | 1));
        let call = self.call(if by_mut { key(expr) | 1 } else { key(expr) }, expr.at)?;
        let receiver = self.known(call.params[0], expr.at)?;
        let param = self.known(call.params[1], expr.at)?;
        let (place, ty) = self.place_for(base, changes)?;
        let (place, ty) = self.deref_all(place, ty);
        let span = self.span(expr.at);
        let receiver = match receiver {
            Ty::Mut(_) => self.address(place, ty, span)?,
            _ => self.read(place, ty, span, false),
        };
        let index = self.value(index, param)?;
        let value = self.call_with(&call, vec![receiver, index], expr.at)?;
        let ty = value.ty;
        Ok(match ty {
            Ty::Mut(&content) => (
                Place::value(value).then(Projection::Deref(content)),
                content,
            ),
            _ => (pointee(Place::value(value), ty), ty),
        })
    }
    /// The receiver of a method, after so many derefs of references and boxes.
    pub(super) fn receiver(
        &mut self,
        expr: &'static Tree,
        derefs: u32,
        changes: bool,
    ) -> Result<(Place, Ty)> {
        let (mut place, mut ty) = self.place_for(expr, changes)?;
        for _ in 0..derefs {
            match ty {
                Ty::Mut(_) | Ty::Boxed(_) => (place, ty) = self.deref_once(place, ty),
                _ if self.user_deref(ty).is_some() => {
                    (place, ty) = self.dereference(place, ty, changes, expr.at)?;
                }
                _ => {}
            }
        }
        Ok((place, ty))
    }
    /// The place after one deref.
    pub(super) fn deref_once(&self, place: Place, ty: Ty) -> (Place, Ty) {
        match ty {
            Ty::Mut(&content) | Ty::Boxed(&content) => {
                (place.then(Projection::Deref(content)), content)
            }
            _ => (place, ty),
        }
    }
    /// The place after all derefs of references and boxes.
    pub(super) fn deref_all(&self, mut place: Place, mut ty: Ty) -> (Place, Ty) {
        while let Ty::Mut(&content) | Ty::Boxed(&content) = ty {
            place = place.then(Projection::Deref(content));
            ty = content;
        }
        (place, ty)
    }
    /// The place after all derefs of references.
    pub(super) fn deref_muts(&self, mut place: Place, mut ty: Ty) -> (Place, Ty) {
        while let Ty::Mut(&content) = ty {
            place = place.then(Projection::Deref(content));
            ty = content;
        }
        (place, ty)
    }
    fn field(&self, place: Place, ty: Ty, name: &str, at: At) -> Result<(Place, Ty)> {
        let found = match ty {
            Ty::Tuple(fields) => name
                .parse::<usize>()
                .ok()
                .and_then(|n| Some((n, *fields.get(n)?))),
            Ty::Adt(..) => ty
                .fields(0)
                .into_iter()
                .enumerate()
                .find_map(|(n, field)| (field.0 == name).then_some((n, field.1))),
            _ => None,
        };
        match found {
            Some((n, field)) => Ok((place.then(Projection::Field(n as u32, field)), field)),
            None => self.bug(at, format!("`{ty}` has no field `{name}`")),
        }
    }

    /// The value of a place.
    pub(super) fn read(&self, place: Place, ty: Ty, span: Span, copy: bool) -> Expr {
        match place {
            Place {
                base: Base::Value(value),
                projections,
            } if projections.is_empty() => *value,
            place => {
                let copy = copy && copies(ty);
                let kind = ExprKind::Read { place, copy };
                kind.of(ty, span)
            }
        }
    }
    /// Notes that a variable is changed, if the place belongs to one.
    pub(super) fn change(&mut self, place: &Place) {
        if let Some(local) = variable(place) {
            self.changed.insert(local);
        }
    }
    /// `&mut place`
    pub(super) fn address(&mut self, place: Place, ty: Ty, span: Span) -> Result<Expr> {
        let target = Ty::mutable(ty);
        if !matches!(target, Ty::Mut(_)) {
            // The value is an address already.
            return Ok(self.read(place, ty, span, false));
        }
        self.change(&place);
        if let Some(local) = variable(&place) {
            self.locals[local].in_memory = true;
        }
        let is_temporary = matches!(place.base, Base::Value(_));
        if is_temporary
            && !place.projections.iter().any(|step| {
                matches!(
                    step,
                    Projection::Deref(_) | Projection::Borrow(_) | Projection::Index(..)
                )
            })
        {
            return Ok(self.address_of_temporary(place, target, span));
        }
        Ok(ExprKind::Address(place).of(target, span))
    }
    /// The address of a temporary value, which is put into a variable.
    fn address_of_temporary(&mut self, place: Place, target: Ty, span: Span) -> Expr {
        let Place {
            base: Base::Value(value),
            projections,
        } = place
        else {
            return ExprKind::Address(place).of(target, span);
        };
        let mut statements = Vec::new();
        let local = self.hold(*value, &mut statements);
        self.locals[local].in_memory = true;
        let address = ExprKind::Address(Place {
            base: Base::Local(local),
            projections,
        })
        .of(target, span);
        ExprKind::Block(statements, Some(Box::new(address))).of(target, span)
    }
    /// The address of a variable, also of one that holds a slice.
    pub(super) fn address_of_local(&mut self, local: LocalId, span: Span) -> Expr {
        self.changed.insert(local);
        self.locals[local].in_memory = true;
        ExprKind::Address(Place::of(local)).of(raw_mut(self.locals[local].ty), span)
    }

    /// An expression as a value of this type.
    pub(super) fn value(&mut self, expr: &'static Tree, want: Ty) -> Result<Expr> {
        let value = self.rvalue(expr)?;
        self.coerce(value, want)
    }
    /// A value where another type is expected.
    pub(super) fn coerce(&mut self, value: Expr, want: Ty) -> Result<Expr> {
        let (from, span) = (value.ty, value.span);
        if from == want || from == Ty::Never {
            return Ok(value);
        }
        let plain = |value: Expr, kind: fn(Box<Expr>) -> ExprKind, ty: Ty| {
            kind(Box::new(value)).of(ty, span)
        };
        Ok(match (from, want) {
            // An iterator coerced to a `dyn Iterator`.
            _ if let Some((next, _)) = stdlib::dyn_iterator(want)
                && !is_behind(from, want) =>
            {
                let next = self.coerce(value, Ty::Dyn(next))?;
                ExprKind::Aggregate(0, vec![next]).of(want, span)
            }
            // `&mut wrapper` coerced to `&mut` of its `Deref` target.
            (Ty::Mut(&inner), Ty::Mut(_) | Ty::SliceMut(_))
                if matches!(inner, Ty::Adt(..)) && self.user_deref(inner).is_some() =>
            {
                let at = At(span.line, span.column);
                let place = as_place(value).then(Projection::Deref(inner));
                let (place, ty) = self.dereference(place, inner, true, at)?;
                let value = self.address(place, ty, span)?;
                self.coerce(value, want)?
            }
            (Ty::Mut(_) | Ty::Boxed(_), Ty::Dyn(kind)) if !matches!(content(from), Ty::Dyn(_)) => {
                let inner = content(from);
                // A box within a box is a value behind an address, too.
                match inner {
                    Ty::Boxed(_) | Ty::Mut(_) => {
                        let inner = self.dereferenced(value);
                        self.coerce(inner, want)?
                    }
                    _ => self.dynamic(value, inner, kind, true)?,
                }
            }
            (Ty::Mut(&inner) | Ty::Boxed(&inner), _)
                if inner == want || !matches!((from, want), (Ty::Mut(_), Ty::Mut(_))) =>
            {
                let inner = self.dereferenced(value);
                self.coerce(inner, want)?
            }
            // `&mut Box<T>` coerced to `&mut T`
            (Ty::Mut(&(Ty::Boxed(&inner) | Ty::Mut(&inner))), Ty::Mut(_)) => {
                let place = as_place(value)
                    .then(Projection::Deref(content(from)))
                    .then(Projection::Deref(inner));
                let value = self.address(place, inner, span)?;
                self.coerce(value, want)?
            }
            (_, Ty::Dyn(kind)) => self.dynamic(value, from, kind, false)?,
            (Ty::Vec(a) | Ty::List(a, _), Ty::Slice(b) | Ty::SliceMut(b)) if a == b => {
                plain(value, ExprKind::AsSlice, want)
            }
            (Ty::Slice(a), Ty::SliceMut(b)) if a == b => plain(value, ExprKind::AsSlice, want),
            _ if from.without_rc_marks() == want.without_rc_marks() => Expr { ty: want, ..value },
            _ if self.user_deref(from).is_some() => {
                let at = At(span.line, span.column);
                let (place, ty) = self.dereference(as_place(value), from, false, at)?;
                let value = self.read(place, ty, span, false);
                self.coerce(value, want)?
            }
            _ => return self.mismatch(from, want, span),
        })
    }
    fn mismatch<T>(&self, from: Ty, want: Ty, span: Span) -> Result<T> {
        let help = match (from, want) {
            (Ty::SliceMut(_), Ty::Slice(_)) => {
                "a slice that can change is used where one that cannot is kept: write the types of both as `&[T]` variables of their own"
            }
            _ => crate::infer::OTHERWISE,
        };
        self.refuse_at(span, format!("expected `{want}`, found `{from}`"), help)
    }
    fn dereferenced(&self, value: Expr) -> Expr {
        let (ty, span) = (content(value.ty), value.span);
        self.read(as_place(value).then(Projection::Deref(ty)), ty, span, false)
    }
    /// A value coerced to a `dyn` type.
    fn dynamic(
        &mut self,
        value: Expr,
        ty: Ty,
        kind: &'static Dyn,
        is_address: bool,
    ) -> Result<Expr> {
        let of = Ty::Dyn(kind);
        let tags = self.session.dynamic.tags.get(&of);
        let tag = tags.and_then(|tags| {
            tags.iter().position(|&other| match (other, ty) {
                (Ty::Closure(a), Ty::Closure(b)) => a.name == b.name,
                _ => other == ty,
            })
        });
        let span = value.span;
        match tag {
            Some(tag) => {
                Ok(ExprKind::MakeDyn(Box::new(value), tag as u32, is_address).of(of, span))
            }
            None => self.mismatch(ty, of, span),
        }
    }

    /// A slice of a slice, list or vector that an expression names.
    pub(super) fn slice(&mut self, expr: &'static Tree) -> Result<Expr> {
        self.slice_for(expr, false)
    }
    /// The same, shared or mutable.
    pub(super) fn slice_for(&mut self, expr: &'static Tree, changes: bool) -> Result<Expr> {
        let (place, ty) = self.place_for(expr, changes)?;
        let (mut place, mut ty) = self.deref_all(place, ty);
        while ty.element().is_none() && self.user_deref(ty).is_some() {
            (place, ty) = self.dereference(place, ty, changes, expr.at)?;
            (place, ty) = self.deref_all(place, ty);
        }
        Ok(self.as_slice(place, ty, self.span(expr.at)))
    }
    /// Whether an expression is a part of a list: the index is a range, as it is written or by its type, and no type of the program defines `Index`.
    pub(super) fn is_subslice(&self, expr: &'static Tree) -> Result<bool> {
        let TreeKind::Index(_, index) = &expr.kind else {
            return Ok(false);
        };
        Ok(match &index.kind {
            TreeKind::Range(..) => true,
            _ if self.row().facts.methods.contains_key(&key(expr)) => false,
            _ => matches!(self.ty(index)?, Ty::Adt(adt, _) if stdlib::is_range(adt)),
        })
    }
    /// `base[from..to]`, or `base[range]` with a range that has been computed; shared or mutable.
    pub(super) fn subslice(
        &mut self,
        expr: &'static Tree,
        base: &'static Tree,
        index: &'static Tree,
        changes: bool,
    ) -> Result<Expr> {
        let slice = self.slice_for(base, changes)?;
        let TreeKind::Range(from, to, inclusive) = &index.kind else {
            return self.subslice_by_value(expr, slice, index);
        };
        let mut ends = [None, None];
        for (slot, end) in ends.iter_mut().zip([from, to]) {
            if let Some(end) = end {
                *slot = Some(Box::new(self.value(end, Ty::USIZE)?));
            }
        }
        let [from, to] = ends;
        let (ty, span) = (slice.ty, self.span(expr.at));
        Ok(ExprKind::Slice(Box::new(slice), from, to, *inclusive).of(ty, span))
    }
    fn subslice_by_value(
        &mut self,
        expr: &'static Tree,
        slice: Expr,
        index: &'static Tree,
    ) -> Result<Expr> {
        let (ty, span) = (self.ty(index)?, self.span(expr.at));
        let Ty::Adt(adt, _) = ty else {
            return self.bug(index.at, "this is no range");
        };
        let mut statements = Vec::new();
        let held = self.hold(slice, &mut statements);
        let slice = read_local(held, self.locals[held].ty, span);
        let range = self.value(index, ty)?;
        let range = Place::of(self.hold(range, &mut statements));
        let end = |name: &str| {
            let fields = adt.variants[0].fields.iter();
            let n = fields.clone().position(|field| field.name == name)?;
            let place = range.clone().then(Projection::Field(n as u32, Ty::USIZE));
            let kind = ExprKind::Read { place, copy: false };
            Some(Box::new(kind.of(Ty::USIZE, span)))
        };
        let (from, to) = (end("start"), end("end"));
        let inclusive = adt.name.ends_with("Inclusive");
        let ty = slice.ty;
        let part = ExprKind::Slice(Box::new(slice), from, to, inclusive).of(ty, span);
        Ok(within(statements, part))
    }
    /// The `Deref` of a type of the program, if the current function uses it.
    fn user_deref(&self, ty: Ty) -> Option<Deref> {
        let mut all = self.row().facts.derefs.iter();
        all.find(|deref| self.session.types.finish(deref.ty) == ty)
            .copied()
    }
    /// The place to which a value dereferences, for a type of the program that implements `Deref`.
    fn dereference(&mut self, place: Place, ty: Ty, changes: bool, at: At) -> Result<(Place, Ty)> {
        let Some(deref) = self.user_deref(ty) else {
            return self.bug(at, format!("`{ty}` has no `Deref`"));
        };
        let key = match (changes, deref.by_mut) {
            (false, _) => deref.shared,
            (true, Some(key)) => key,
            (true, None) => {
                return self.refuse(
                    at,
                    format!("`{ty}` is changed through a `DerefMut` that is not differentiable"),
                    "write `#[differentiable]` before its `impl`, or name the field",
                );
            }
        };
        let (call, span) = (self.call(key, at)?, self.span(at));
        let receiver = match self.known(call.params[0], at)? {
            Ty::Mut(_) => self.address(place, ty, span)?,
            _ => self.read(place, ty, span, false),
        };
        let value = self.call_with(&call, vec![receiver], at)?;
        let ty = value.ty;
        Ok(match ty {
            Ty::Mut(&content) => (
                Place::value(value).then(Projection::Deref(content)),
                content,
            ),
            _ => (pointee(Place::value(value), ty), ty),
        })
    }
    pub(super) fn as_slice(&self, place: Place, ty: Ty, span: Span) -> Expr {
        let value = self.read(place, ty, span, false);
        match ty {
            Ty::Vec(&element) | Ty::List(&element, _) => {
                ExprKind::AsSlice(Box::new(value)).of(Ty::slice_mut(element), span)
            }
            _ => value,
        }
    }
    /// The matched or bound value as a place, so that parts of it can be borrowed. `by_mut`: a pattern says `ref mut`. Only then does rustc call
    /// `index_mut` and `deref_mut` for the place.
    pub(super) fn matched(&mut self, expr: &'static Tree, by_mut: bool) -> Result<(Place, Ty)> {
        self.given_away(expr);
        let (place, ty) = self.place_of(expr, by_mut || !is_place(expr))?;
        match self.row().facts.slice_places.contains(&key(expr)) {
            true => Ok((place, slice_place(ty))),
            false => Ok((place, ty)),
        }
    }
    /// `pattern` as a pattern that binds a new variable.
    pub(super) fn bound(&mut self, ty: Ty, by_mut: bool) -> (LocalId, Pattern) {
        let local = self.temporary("value", if by_mut { Ty::mutable(ty) } else { ty });
        let by_mut = by_mut && matches!(self.locals[local].ty, Ty::Mut(_));
        (local, Pattern::Bind(local, by_mut, None))
    }
}

/// The place that a reference leads to. If the reference is a temporary value, which a call has returned, the place belongs to something else, which may
/// change it: to read it by value then copies.
pub(super) fn pointee(place: Place, ty: Ty) -> Place {
    match matches!(place.base, Base::Value(_)) && place.projections.is_empty() && copies(ty) {
        true => place.then(Projection::Deref(ty)),
        false => place,
    }
}

/// Whether an expression is a variable or a part of one.
fn is_place(expr: &Tree) -> bool {
    match &expr.kind {
        TreeKind::Local(_) => true,
        TreeKind::Field(base, _) | TreeKind::Index(base, _) | TreeKind::Deref(base) => {
            is_place(base)
        }
        _ => false,
    }
}

/// The variable whose memory contains the place, if there is one.
pub(super) fn variable(place: &Place) -> Option<LocalId> {
    let own = !place.projections.iter().any(|step| {
        matches!(
            step,
            Projection::Deref(_) | Projection::Borrow(_) | Projection::Index(..)
        )
    });
    match place.base {
        Base::Local(local) if own => Some(local),
        _ => None,
    }
}

/// Whether a struct or a tuple has a field.
fn has_field(ty: Ty, name: &str) -> bool {
    match ty {
        Ty::Tuple(fields) => name.parse::<usize>().is_ok_and(|n| n < fields.len()),
        Ty::Adt(adt, _) if adt.is_enum => false,
        ty => ty.fields(0).iter().any(|field| field.0 == name),
    }
}

/// The pointee of a reference or box.
fn content(ty: Ty) -> Ty {
    match ty {
        Ty::Mut(&content) | Ty::Boxed(&content) | Ty::Cell(&content, _) => content,
        other => other,
    }
}

/// A value as a place: the place from which it is read, or a temporary.
pub(super) fn as_place(value: Expr) -> Place {
    match value.kind {
        ExprKind::Read { place, copy: false } => place,
        _ => Place::value(value),
    }
}
