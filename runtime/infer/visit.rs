//! Walks a typed tree to change it.

use crate::front::ty::Ty;
use crate::front::typed::{
    Arm, Base, Expr, Iter, Kind, LocalId, Pattern, Place, Source, Statement, Step,
};

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
        | Kind::Derivative(_, _, all)
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

/// Walks a place.
pub(super) fn place(place: &mut Place, v: &mut dyn Visitor) {
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
