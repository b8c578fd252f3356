//! Walks a typed tree, to change it or to see what it does.

use crate::front::tree;
use crate::front::ty::Ty;
use crate::front::typed::{
    Arm, Base, Expr, Iter, Kind, LocalId, Pattern, Place, Source, Statement, Step,
};
use crate::ir::Symbol;
use std::collections::HashSet;

/// What is changed on the way.
pub(super) trait Visitor {
    /// A type.
    fn ty(&mut self, _ty: &mut Ty) {}
    /// A place, before what it consists of.
    fn place(&mut self, _place: &mut Place) {}
    /// An expression, after what it consists of.
    fn expr(&mut self, _expr: &mut Expr) {}
    /// A variable that a pattern binds.
    fn bound(&mut self, _local: &mut LocalId) {}
}

/// Walks an expression.
pub(super) fn expr(expr: &mut Expr, v: &mut dyn Visitor) {
    v.ty(&mut expr.ty);
    match &mut expr.kind {
        Kind::Const(_) | Kind::Continue(_) | Kind::Enter(_) => {}
        Kind::Read { place: p, .. } | Kind::Address(p) | Kind::Pop(p) => place(p, v),
        Kind::AsSlice(a)
        | Kind::Len(a)
        | Kind::WithCapacity(a)
        | Kind::NewObject(a)
        | Kind::Neg(a)
        | Kind::Not(a)
        | Kind::Cast(a)
        | Kind::MakeDyn(a, ..)
        | Kind::Labelled(_, a)
        | Kind::Loop(_, a)
        | Kind::Clone(a)
        | Kind::StopGradient(a)
        | Kind::Scope(_, a, _)
        | Kind::Leave(_, a, _) => self::expr(a, v),
        Kind::Slice(a, from, to, _) => {
            self::expr(a, v);
            from.iter_mut().chain(to).for_each(|end| self::expr(end, v));
        }
        Kind::Tuple(all)
        | Kind::Aggregate(_, all)
        | Kind::List(all)
        | Kind::Intrinsic(_, all)
        | Kind::Call(_, all)
        | Kind::Rule(_, all)
        | Kind::Map(_, all)
        | Kind::Fail(_, all) => all.iter_mut().for_each(|a| self::expr(a, v)),
        Kind::Repeat(a, b)
        | Kind::Binary(_, a, b)
        | Kind::Lazy(_, a, b)
        | Kind::While(_, a, b)
        | Kind::Swap(a, b)
        | Kind::Replace(a, b) => {
            self::expr(a, v);
            self::expr(b, v);
        }
        Kind::If(a, b, c) => {
            self::expr(a, v);
            self::expr(b, v);
            c.iter_mut().for_each(|c| self::expr(c, v));
        }
        Kind::Let(p, pat) => {
            place(p, v);
            pattern(pat, v);
        }
        Kind::Match(p, arms) => {
            place(p, v);
            for Arm {
                pattern: pat,
                guard,
                body,
            } in arms
            {
                pattern(pat, v);
                guard.iter_mut().for_each(|guard| self::expr(guard, v));
                self::expr(body, v);
            }
        }
        Kind::Block(statements, value) => {
            for statement in statements {
                match statement {
                    Statement::Let(pat, p, otherwise) => {
                        place(p, v);
                        pattern(pat, v);
                        otherwise.iter_mut().for_each(|e| self::expr(e, v));
                    }
                    Statement::Expr(e) => self::expr(e, v),
                }
            }
            value.iter_mut().for_each(|value| self::expr(value, v));
        }
        Kind::For(_, pat, items, body) => {
            iter(items, v);
            pattern(pat, v);
            self::expr(body, v);
        }
        Kind::Break(_, value) | Kind::Return(value) => {
            value.iter_mut().for_each(|value| self::expr(value, v));
        }
        Kind::Assign(p, a)
        | Kind::AssignBinary(_, p, a)
        | Kind::Push(p, a)
        | Kind::Truncate(p, a) => {
            place(p, v);
            self::expr(a, v);
        }
        Kind::Assert(a, _, shown) => {
            self::expr(a, v);
            shown.iter_mut().for_each(|a| self::expr(a, v));
        }
    }
    v.expr(expr);
}

/// As [`super::elaborate`] asks it; `source`: the function that a call is of.
pub(super) fn interfere(
    target: &mut Place,
    value: &mut Expr,
    failing: bool,
    source: &dyn Fn(Symbol) -> Option<&'static tree::Source>,
) -> bool {
    let of = || Deeds {
        source,
        calls: false,
        fails: false,
        read: HashSet::new(),
        changed: HashSet::new(),
    };
    let (mut a, mut b) = (of(), of());
    place(target, &mut a);
    expr(value, &mut b);
    let acts = |deeds: &Deeds| deeds.calls || failing && deeds.fails;
    acts(&a) && acts(&b) || b.changed.iter().any(|local| a.read.contains(local))
}

/// What an expression does.
struct Deeds<'s> {
    source: &'s dyn Fn(Symbol) -> Option<&'static tree::Source>,
    /// Whether it calls something, or goes elsewhere.
    calls: bool,
    /// Whether it may panic by itself.
    fails: bool,
    read: HashSet<LocalId>,
    changed: HashSet<LocalId>,
}

impl Visitor for Deeds<'_> {
    fn place(&mut self, place: &mut Place) {
        if let Base::Local(local) = place.base {
            self.read.insert(local);
        }
        let mut steps = place.steps.iter();
        self.fails |= steps.any(|step| matches!(step, Step::Index(..) | Step::Borrow(_)));
    }
    fn expr(&mut self, expr: &mut Expr) {
        match &expr.kind {
            Kind::Address(place)
            | Kind::Pop(place)
            | Kind::Assign(place, _)
            | Kind::AssignBinary(_, place, _)
            | Kind::Push(place, _)
            | Kind::Truncate(place, _) => {
                if let Base::Local(local) = place.base {
                    self.changed.insert(local);
                }
            }
            // What takes nothing that can change does nothing but fail.
            Kind::Call(name, args) => {
                let source = (self.source)(*name);
                let written = |n: usize| source?.params.get(n).map(|param| (param.ty)());
                let changes = args.iter().enumerate().any(|(n, arg)| {
                    // It takes `&[T]` of what could change elsewhere.
                    let ty = match (written(n), arg.ty) {
                        (Some(Ty::Slice(_)), Ty::SliceMut(&element)) => element,
                        (_, ty) => ty,
                    };
                    can_change(ty, &mut HashSet::new())
                });
                self.calls |= changes;
                self.fails = true;
            }
            Kind::Swap(..)
            | Kind::Replace(..)
            | Kind::Break(..)
            | Kind::Continue(_)
            | Kind::Return(_) => self.calls = true,
            Kind::Assert(..) | Kind::Fail(..) | Kind::Slice(..) => self.fails = true,
            _ => {}
        }
    }
}

/// Whether a function may change what is in or behind a value of a type.
fn can_change(ty: Ty, seen: &mut HashSet<Ty>) -> bool {
    let mut parts = Vec::new();
    let changes = ty.any(&mut |ty| {
        parts.push(ty);
        matches!(
            ty,
            Ty::Mut(_) | Ty::SliceMut(_) | Ty::Cell(..) | Ty::Dyn(_) | Ty::Closure(_)
        )
    });
    changes
        || parts.into_iter().any(|part| match part {
            Ty::Adt(adt, _) if seen.insert(part) => {
                let mut variants = 0..adt.variants.len() as u32;
                variants.any(|variant| {
                    let mut fields = part.fields(variant).into_iter();
                    fields.any(|(_, field)| can_change(field, seen))
                })
            }
            _ => false,
        })
}

fn place(place: &mut Place, v: &mut dyn Visitor) {
    v.place(place);
    if let Base::Value(value) = &mut place.base {
        expr(value, v);
    }
    place.steps.iter_mut().for_each(|s| step(s, v));
}

fn step(step: &mut Step, v: &mut dyn Visitor) {
    match step {
        Step::Field(_, ty) | Step::Payload { ty, .. } | Step::Deref(ty) => v.ty(ty),
        Step::Borrow(borrow) => v.ty(&mut borrow.content),
        Step::Index(index, ty, _) => {
            v.ty(ty);
            expr(index, v);
        }
    }
}

fn pattern(pat: &mut Pattern, v: &mut dyn Visitor) {
    match pat {
        Pattern::Wild | Pattern::Equal(..) | Pattern::Between(..) => {}
        Pattern::Bind(local, _, inner) => {
            v.bound(local);
            inner.iter_mut().for_each(|inner| pattern(inner, v));
        }
        Pattern::Parts(parts) | Pattern::Variant(_, parts) => {
            for (s, part) in parts {
                step(s, v);
                pattern(part, v);
            }
        }
        Pattern::Or(all) => all.iter_mut().for_each(|p| pattern(p, v)),
        Pattern::Slice(front, rest, back, _, ty) => {
            v.ty(ty);
            front.iter_mut().chain(back).for_each(|p| pattern(p, v));
            rest.iter_mut().for_each(|p| pattern(p, v));
        }
    }
}

fn iter(items: &mut Iter, v: &mut dyn Visitor) {
    v.ty(&mut items.item);
    match &mut items.source {
        Source::Range(a, b, _) | Source::Windows(a, b) | Source::Chunks(a, b, _) => {
            expr(a, v);
            expr(b, v);
        }
        Source::Elements(a, _) => expr(a, v),
        Source::Zip(a, b) => {
            iter(a, v);
            iter(b, v);
        }
    }
    items.step.iter_mut().for_each(|step| expr(step, v));
}
