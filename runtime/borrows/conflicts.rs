//! Finds cells that may be borrowed while a conflicting guard lives.
//!
//! The walk follows the order of evaluation and keeps the guards that may live at each point. Where branches meet, a guard may live if it may live on one
//! of them.

use super::{Effects, key};
use crate::front::ty::Ty;
use crate::front::typed::{
    Base, Borrow, Expr, ExprKind, Iter, Over, Place, Projection, ScopeId, Source, Statement,
};
use crate::ir::Symbol;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Looks for conflicts, function by function.
pub(super) struct Conflicts<'p> {
    effects: &'p BTreeMap<Symbol, Effects>,
    live: Vec<Live>,
    /// The contents of cells whose borrows can fail.
    found: FxHashSet<Ty>,
}

/// A guard that may live at this point.
#[derive(Clone, Copy, PartialEq)]
struct Live {
    id: usize,
    content: Ty,
    mutable: bool,
    scope: ScopeId,
}

impl<'p> Conflicts<'p> {
    pub fn new(effects: &'p BTreeMap<Symbol, Effects>) -> Self {
        Conflicts {
            effects,
            live: Vec::new(),
            found: FxHashSet::default(),
        }
    }
    /// The contents of cells whose borrows can fail.
    pub fn found(self) -> FxHashSet<Ty> {
        self.found
    }
    pub fn function(&mut self, body: &Expr) {
        self.live.clear();
        self.expr(body);
    }

    fn borrows(&mut self, content: Ty, mutable: bool) {
        let forbids = |guard: &Live| guard.content == content && (mutable || guard.mutable);
        if self.live.iter().any(forbids) {
            self.found.insert(content);
        }
    }
    fn borrow(&mut self, borrow: &Borrow) {
        let content = key(borrow.content);
        self.borrows(content, borrow.mutable);
        if let Some(guard) = borrow.guard {
            self.live.push(Live {
                id: guard.id,
                content,
                mutable: borrow.mutable,
                scope: guard.scope,
            });
        }
    }
    fn over(&mut self, over: Over) {
        self.live.retain(|guard| match over {
            Over::Guard(id) => guard.id != id,
            Over::Scope(scope) => guard.scope != scope,
        });
    }
    /// Walks code that may run or not.
    fn perhaps(&mut self, run: impl FnOnce(&mut Self)) {
        let before = self.live.clone();
        run(self);
        self.meet(before);
    }
    /// Merges the guards that may live on another branch.
    fn meet(&mut self, other: Vec<Live>) {
        for guard in other {
            if !self.live.contains(&guard) {
                self.live.push(guard);
            }
        }
    }

    fn all(&mut self, all: &[Expr]) {
        all.iter().for_each(|one| self.expr(one));
    }
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Continue(_) | ExprKind::Enter(_) => {}
            ExprKind::Read { place, .. } | ExprKind::Address(place) | ExprKind::Pop(place) => {
                self.place(place)
            }
            ExprKind::AsSlice(a)
            | ExprKind::Len(a)
            | ExprKind::WithCapacity(a)
            | ExprKind::NewObject(a)
            | ExprKind::Neg(a)
            | ExprKind::Not(a)
            | ExprKind::Cast(a)
            | ExprKind::MakeDyn(a, ..)
            | ExprKind::Clone(a)
            | ExprKind::StopGradient(a) => self.expr(a),
            ExprKind::Slice(a, from, to, _) => {
                self.expr(a);
                from.iter().chain(to).for_each(|end| self.expr(end));
            }
            ExprKind::Call(name, all) | ExprKind::Derivative(_, name, all) => {
                self.all(all);
                for &(content, mutable) in self.effects.get(name).into_iter().flatten() {
                    self.borrows(content, mutable);
                }
            }
            ExprKind::Tuple(all)
            | ExprKind::Aggregate(_, all)
            | ExprKind::List(all)
            | ExprKind::Intrinsic(_, all)
            | ExprKind::Rule(_, all)
            | ExprKind::Map(_, all)
            | ExprKind::Fail(_, all) => self.all(all),
            ExprKind::Repeat(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Swap(a, b)
            | ExprKind::Replace(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Lazy(_, a, b) => {
                self.expr(a);
                self.perhaps(|this| this.expr(b));
            }
            ExprKind::If(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise.as_deref(), None);
            }
            ExprKind::Scope(scope, inner, conditional) => {
                match &inner.kind {
                    ExprKind::If(condition, then, otherwise) if *conditional => {
                        self.conditional(condition, then, otherwise.as_deref(), Some(*scope));
                    }
                    _ => self.expr(inner),
                }
                self.over(Over::Scope(*scope));
            }
            ExprKind::Leave(over, inner, before) => {
                let (first, last) = match before {
                    true => (&over[..], &[][..]),
                    false => (&[][..], &over[..]),
                };
                first.iter().for_each(|&over| self.over(over));
                self.expr(inner);
                last.iter().for_each(|&over| self.over(over));
            }
            ExprKind::Let(place, _) => self.place(place),
            ExprKind::Match(place, arms) => {
                self.place(place);
                for arm in arms {
                    self.perhaps(|this| {
                        arm.guard.iter().for_each(|guard| this.expr(guard));
                        this.expr(&arm.body);
                    });
                }
            }
            ExprKind::Block(statements, value) => {
                for statement in statements {
                    match statement {
                        Statement::Let(_, place, otherwise) => {
                            self.place(place);
                            if let Some(otherwise) = otherwise {
                                self.perhaps(|this| this.expr(otherwise));
                            }
                        }
                        Statement::Expr(expr) => self.expr(expr),
                    }
                }
                value.iter().for_each(|value| self.expr(value));
            }
            // A `break` may skip the end of a guard.
            ExprKind::Loop(_, body) | ExprKind::Labelled(_, body) => {
                self.perhaps(|this| this.expr(body))
            }
            ExprKind::While(_, condition, body) => {
                self.expr(condition);
                self.perhaps(|this| this.expr(body));
            }
            ExprKind::For(_, _, items, body) => {
                self.iter(items);
                self.perhaps(|this| this.expr(body));
            }
            ExprKind::Break(_, value) | ExprKind::Return(value) => {
                value.iter().for_each(|value| self.expr(value));
            }
            // The value comes first.
            ExprKind::Assign(place, value) | ExprKind::AssignBinary(_, place, value) => {
                self.expr(value);
                self.place(place);
            }
            ExprKind::Push(place, value) | ExprKind::Truncate(place, value) => {
                self.place(place);
                self.expr(value);
            }
            ExprKind::Assert(condition, _, shown) => {
                self.expr(condition);
                self.all(shown);
            }
        }
    }
    /// `if`, with a scope that ends where the condition is false.
    fn conditional(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: Option<&Expr>,
        scope: Option<ScopeId>,
    ) {
        self.expr(condition);
        let before = self.live.clone();
        self.expr(then);
        let after = std::mem::replace(&mut self.live, before);
        if let Some(scope) = scope {
            self.over(Over::Scope(scope));
        }
        otherwise
            .into_iter()
            .for_each(|otherwise| self.expr(otherwise));
        self.meet(after);
    }
    fn place(&mut self, place: &Place) {
        if let Base::Value(value) = &place.base {
            self.expr(value);
        }
        for step in &place.projections {
            match step {
                Projection::Borrow(borrow) => self.borrow(borrow),
                Projection::Index(index, ..) => self.expr(index),
                Projection::Field(..) | Projection::Payload { .. } | Projection::Deref(_) => {}
            }
        }
    }
    fn iter(&mut self, items: &Iter) {
        match &items.source {
            Source::Range(a, b, _) | Source::Windows(a, b) | Source::Chunks(a, b, _) => {
                self.expr(a);
                self.expr(b);
            }
            Source::Elements(a, _) => self.expr(a),
            Source::Zip(a, b) => {
                self.iter(a);
                self.iter(b);
            }
        }
        items.step.iter().for_each(|step| self.expr(step));
    }
}
