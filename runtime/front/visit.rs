//! A walk over a typed tree that can change it.

use crate::front::ty::Ty;
use crate::front::typed::{
    Arm, Base, Expr, ExprKind, Iter, LocalId, Pattern, Place, Projection, Source, Statement,
};

/// What the walk visits; each method may change its argument.
pub trait Visitor {
    /// A type.
    fn ty(&mut self, _ty: &mut Ty) {}
    /// A place, before its parts.
    fn place(&mut self, _place: &mut Place) {}
    /// An expression, after its parts.
    fn expr(&mut self, _expr: &mut Expr) {}
    /// A variable that a pattern binds.
    fn bound(&mut self, _local: &mut LocalId) {}
}

/// Walks an expression.
pub fn expr(expr: &mut Expr, v: &mut dyn Visitor) {
    v.ty(&mut expr.ty);
    match &mut expr.kind {
        ExprKind::Const(_) | ExprKind::Continue(_) | ExprKind::Enter(_) => {}
        ExprKind::Read { place: p, .. } | ExprKind::Address(p) | ExprKind::Pop(p) => place(p, v),
        ExprKind::AsSlice(a)
        | ExprKind::Len(a)
        | ExprKind::WithCapacity(a)
        | ExprKind::NewObject(a)
        | ExprKind::Neg(a)
        | ExprKind::Not(a)
        | ExprKind::Cast(a)
        | ExprKind::MakeDyn(a, ..)
        | ExprKind::Labelled(_, a)
        | ExprKind::Loop(_, a)
        | ExprKind::Clone(a)
        | ExprKind::StopGradient(a)
        | ExprKind::Scope(_, a, _)
        | ExprKind::Leave(_, a, _) => self::expr(a, v),
        ExprKind::Slice(a, from, to, _) => {
            self::expr(a, v);
            from.iter_mut().chain(to).for_each(|end| self::expr(end, v));
        }
        ExprKind::Tuple(all)
        | ExprKind::Aggregate(_, all)
        | ExprKind::List(all)
        | ExprKind::Intrinsic(_, all)
        | ExprKind::Call(_, all)
        | ExprKind::Rule(_, all)
        | ExprKind::Map(_, all)
        | ExprKind::Derivative(_, _, all)
        | ExprKind::Fail(_, all) => all.iter_mut().for_each(|a| self::expr(a, v)),
        ExprKind::Repeat(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Lazy(_, a, b)
        | ExprKind::While(_, a, b)
        | ExprKind::Swap(a, b)
        | ExprKind::Replace(a, b) => {
            self::expr(a, v);
            self::expr(b, v);
        }
        ExprKind::If(a, b, c) => {
            self::expr(a, v);
            self::expr(b, v);
            c.iter_mut().for_each(|c| self::expr(c, v));
        }
        ExprKind::Let(p, pat) => {
            place(p, v);
            pattern(pat, v);
        }
        ExprKind::Match(p, arms) => {
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
        ExprKind::Block(statements, value) => {
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
        ExprKind::For(_, pat, items, body) => {
            iter(items, v);
            pattern(pat, v);
            self::expr(body, v);
        }
        ExprKind::Break(_, value) | ExprKind::Return(value) => {
            value.iter_mut().for_each(|value| self::expr(value, v));
        }
        ExprKind::Assign(p, a)
        | ExprKind::AssignBinary(_, p, a)
        | ExprKind::Push(p, a)
        | ExprKind::Truncate(p, a) => {
            place(p, v);
            self::expr(a, v);
        }
        ExprKind::Assert(a, _, shown) => {
            self::expr(a, v);
            shown.iter_mut().for_each(|a| self::expr(a, v));
        }
    }
    v.expr(expr);
}

/// Walks a place.
pub fn place(place: &mut Place, v: &mut dyn Visitor) {
    v.place(place);
    if let Base::Value(value) = &mut place.base {
        expr(value, v);
    }
    place.projections.iter_mut().for_each(|s| step(s, v));
}

fn step(step: &mut Projection, v: &mut dyn Visitor) {
    match step {
        Projection::Field(_, ty) | Projection::Payload { ty, .. } | Projection::Deref(ty) => {
            v.ty(ty)
        }
        Projection::Borrow(borrow) => v.ty(&mut borrow.content),
        Projection::Index(index, ty, _) => {
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
