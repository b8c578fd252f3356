//! Writes the checks of borrows that can fail, and removes all other guards and scopes.

use super::key;
use crate::diag::Span;
use crate::front::tree::Binary;
use crate::front::ty::Ty;
use crate::front::typed::{
    Base, Borrow, Expr, ExprKind, Function, GuardId, Intrinsic, Local, LocalId, Over, Pattern,
    Place, Program, Projection, ScopeId, Statement,
};
use crate::front::visit::{self, Visitor};
use crate::ir::{Const, Fault, Prim, Symbol, Type};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Rewrites all functions. Borrows of cells with these contents are checked.
pub(super) fn write(program: &mut Program, contents: &FxHashSet<Ty>) {
    for function in program.functions.values_mut() {
        let mut guards = Guards::default();
        if !contents.is_empty() {
            let mut collect = Collect(contents, &mut guards, &mut function.locals);
            visit::expr(&mut function.body, &mut collect);
        }
        let Function { locals, body, .. } = function;
        visit::expr(
            body,
            &mut Checks {
                contents,
                guards,
                locals,
            },
        );
    }
}

/// The guards of a function whose borrows are checked.
#[derive(Default)]
struct Guards {
    /// The guards in the order of creation.
    all: BTreeMap<GuardId, Guard>,
}

/// A guard: a variable for its cell, and one that says whether the guard lives.
#[derive(Clone, Copy)]
struct Guard {
    cell: LocalId,
    lives: LocalId,
    borrow: Borrow,
}

/// Finds the guards whose borrows are checked.
struct Collect<'a>(&'a FxHashSet<Ty>, &'a mut Guards, &'a mut Vec<Local>);

impl Visitor for Collect<'_> {
    fn place(&mut self, place: &mut Place) {
        for step in &place.projections {
            let Projection::Borrow(borrow) = step else {
                continue;
            };
            if let (Some(guard), true) = (borrow.guard, self.0.contains(&key(borrow.content))) {
                let cell = local(self.2, "cell", Ty::cell(borrow.content));
                let lives = local(self.2, "borrowed", Ty::BOOL);
                let borrow = *borrow;
                self.1.all.insert(
                    guard.id,
                    Guard {
                        cell,
                        lives,
                        borrow,
                    },
                );
            }
        }
    }
}

fn local(locals: &mut Vec<Local>, name: &'static str, ty: Ty) -> LocalId {
    locals.push(Local {
        name,
        ty,
        in_memory: false,
    });
    locals.len() - 1
}

/// Writes the checks.
struct Checks<'a> {
    contents: &'a FxHashSet<Ty>,
    guards: Guards,
    locals: &'a mut Vec<Local>,
}

impl Visitor for Checks<'_> {
    fn place(&mut self, place: &mut Place) {
        while let Some(n) = place
            .projections
            .iter()
            .position(|s| matches!(s, Projection::Borrow(_)))
        {
            let Projection::Borrow(borrow) = place.projections[n] else {
                return;
            };
            let rest = place.projections.split_off(n + 1);
            place.projections.pop();
            if self.contents.contains(&key(borrow.content)) {
                let cell = Place {
                    base: std::mem::replace(&mut place.base, Base::Local(0)),
                    projections: std::mem::take(&mut place.projections),
                };
                place.base = Base::Value(Box::new(self.borrowed(cell, borrow)));
            }
            place.projections.push(Projection::Deref(borrow.content));
            place.projections.extend(rest);
        }
    }
    fn expr(&mut self, expr: &mut Expr) {
        let span = expr.span;
        let kind = std::mem::replace(&mut expr.kind, ExprKind::Const(Const::Unit));
        expr.kind = match kind {
            ExprKind::NewObject(content) => match expr.ty {
                Ty::Cell(&ty, _) if self.contents.contains(&key(ty)) => {
                    let counted = ExprKind::Tuple(vec![*content, number(0, span)]);
                    let ty = Ty::tuple(&[ty, COUNT]);
                    ExprKind::NewObject(Box::new(counted.of(ty, span)))
                }
                _ => ExprKind::NewObject(content),
            },
            ExprKind::Scope(scope, inner, conditional) => self.scope(scope, *inner, conditional),
            ExprKind::Enter(scope) => ExprKind::Block(self.enter(scope, span), None),
            ExprKind::Leave(over, inner, before) => self.leave(&over, *inner, before),
            kind => kind,
        };
    }
}

/// The type of the count.
const COUNT: Ty = Ty::Scalar(Type::Isize);

impl Checks<'_> {
    /// The cell in a place, after its borrow was checked.
    fn borrowed(&mut self, cell: Place, borrow: Borrow) -> Expr {
        let span = borrow.span;
        let guard = borrow
            .guard
            .and_then(|guard| self.guards.all.get(&guard.id))
            .copied();
        let ty = Ty::cell(borrow.content);
        let held = match guard {
            Some(guard) => guard.cell,
            None => local(self.locals, "cell", ty),
        };
        let address = ExprKind::Read {
            place: cell,
            copy: false,
        };
        let mut statements = vec![assign(Place::of(held), of(ty, address, span))];
        let count = || count(held, borrow.content);
        let (op, says) = match borrow.mutable {
            true => (Binary::Eq, "RefCell already borrowed"),
            false => (Binary::Ge, "RefCell already mutably borrowed"),
        };
        let operands = (Box::new(read(count(), span)), Box::new(number(0, span)));
        let free = of(Ty::BOOL, ExprKind::Binary(op, operands.0, operands.1), span);
        let fault = Fault::Panic(Symbol::from_static(says));
        let check = ExprKind::Assert(Box::new(free), fault, Vec::new());
        statements.push(Statement::Expr(of(Ty::UNIT, check, span)));
        if let Some(guard) = guard {
            let new = match borrow.mutable {
                true => number(-1, span),
                false => plus(count(), 1, span),
            };
            statements.push(assign(count(), new));
            statements.push(assign(Place::of(guard.lives), truth(true, span)));
        }
        let value = ExprKind::Read {
            place: Place::of(held),
            copy: false,
        };
        let value = Some(Box::new(of(ty, value, span)));
        of(ty, ExprKind::Block(statements, value), span)
    }

    fn guards(&self, scope: ScopeId) -> Vec<Guard> {
        let is_its = |guard: &&Guard| guard.borrow.guard.is_some_and(|g| g.scope == scope);
        self.guards.all.values().filter(is_its).copied().collect()
    }
    /// Marks the guards of a scope as not living yet.
    fn enter(&self, scope: ScopeId, span: Span) -> Vec<Statement> {
        let nothing = |guard: Guard| {
            let null = of(
                Ty::cell(guard.borrow.content),
                ExprKind::Const(Const::Null),
                span,
            );
            [
                assign(Place::of(guard.cell), null),
                assign(Place::of(guard.lives), truth(false, span)),
            ]
        };
        self.guards(scope).into_iter().flat_map(nothing).collect()
    }
    /// Guards end.
    fn end(&self, over: &[Over], span: Span) -> Vec<Statement> {
        let guards = over.iter().flat_map(|over| match over {
            Over::Scope(scope) => self.guards(*scope),
            Over::Guard(id) => self.guards.all.get(id).copied().into_iter().collect(),
        });
        guards.map(|guard| end(guard, span)).collect()
    }
    fn leave(&mut self, over: &[Over], inner: Expr, before: bool) -> ExprKind {
        let ends = self.end(over, inner.span);
        match (ends.is_empty(), before) {
            (true, _) => inner.kind,
            (false, true) => ExprKind::Block(ends, Some(Box::new(inner))),
            (false, false) => self.then(Vec::new(), inner, ends),
        }
    }
    fn scope(&mut self, scope: ScopeId, inner: Expr, conditional: bool) -> ExprKind {
        let span = inner.span;
        let ends = || self.end(&[Over::Scope(scope)], span);
        if ends().is_empty() {
            return inner.kind;
        }
        let mut start = self.enter(scope, span);
        match (inner.kind, conditional) {
            (ExprKind::If(condition, then, otherwise), true) => {
                let otherwise = match otherwise {
                    Some(otherwise) => {
                        let ty = otherwise.ty;
                        of(ty, ExprKind::Block(ends(), Some(otherwise)), span)
                    }
                    None => of(Ty::UNIT, ExprKind::Block(ends(), None), span),
                };
                let ty = then.ty;
                let then = of(ty, self.then(Vec::new(), *then, ends()), span);
                let whole = ExprKind::If(condition, Box::new(then), Some(Box::new(otherwise)));
                let whole = of(inner.ty, whole, span);
                ExprKind::Block(start, Some(Box::new(whole)))
            }
            (ExprKind::While(id, condition, body), true) => {
                let leave = of(Ty::Never, ExprKind::Break(id, None), span);
                let otherwise = ExprKind::Block(ends(), Some(Box::new(leave)));
                let otherwise = of(Ty::Never, otherwise, span);
                let ty = body.ty;
                let body = of(ty, self.then(Vec::new(), *body, ends()), span);
                let turn = ExprKind::If(condition, Box::new(body), Some(Box::new(otherwise)));
                start.push(Statement::Expr(of(Ty::UNIT, turn, span)));
                let turn = of(Ty::UNIT, ExprKind::Block(start, None), span);
                ExprKind::Loop(id, Box::new(turn))
            }
            (kind, _) => self.then(start, Expr { kind, ..inner }, ends()),
        }
    }
    /// Statements before a value and after it.
    fn then(&mut self, mut before: Vec<Statement>, value: Expr, after: Vec<Statement>) -> ExprKind {
        let (ty, span) = (value.ty, value.span);
        if ty == Ty::Never {
            return ExprKind::Block(before, Some(Box::new(value)));
        }
        let held = local(self.locals, "value", ty);
        let bind = Pattern::Bind(held, false, None);
        before.push(Statement::Let(bind, Place::value(value), None));
        before.extend(after);
        let value = ExprKind::Read {
            place: Place::of(held),
            copy: false,
        };
        ExprKind::Block(before, Some(Box::new(of(ty, value, span))))
    }
}

/// Ends the borrow of a guard, if the guard lives.
fn end(guard: Guard, span: Span) -> Statement {
    let count = || count(guard.cell, guard.borrow.content);
    let free = match guard.borrow.mutable {
        true => number(0, span),
        false => plus(count(), -1, span),
    };
    let ends = vec![
        assign(count(), free),
        assign(Place::of(guard.lives), truth(false, span)),
    ];
    let lives = ExprKind::Read {
        place: Place::of(guard.lives),
        copy: false,
    };
    let lives = Box::new(of(Ty::BOOL, lives, span));
    let ends = Box::new(of(Ty::UNIT, ExprKind::Block(ends, None), span));
    Statement::Expr(of(Ty::UNIT, ExprKind::If(lives, ends, None), span))
}

/// The count of the cell in a variable.
fn count(cell: LocalId, content: Ty) -> Place {
    let object = Ty::tuple(&[content, COUNT]);
    Place::of(cell)
        .then(Projection::Deref(object))
        .then(Projection::Field(1, COUNT))
}

fn of(ty: Ty, kind: ExprKind, span: Span) -> Expr {
    kind.of(ty, span)
}

fn number(n: i64, span: Span) -> Expr {
    of(COUNT, ExprKind::Const(Const::Int(n)), span)
}

fn truth(value: bool, span: Span) -> Expr {
    of(Ty::BOOL, ExprKind::Const(Const::Bool(value)), span)
}

fn read(place: Place, span: Span) -> Expr {
    of(COUNT, ExprKind::Read { place, copy: false }, span)
}

fn plus(count: Place, n: i64, span: Span) -> Expr {
    let operands = vec![read(count, span), number(n, span)];
    of(
        COUNT,
        ExprKind::Intrinsic(Intrinsic::Prim(Prim::Add), operands),
        span,
    )
}

fn assign(place: Place, value: Expr) -> Statement {
    let (ty, span) = (Ty::UNIT, value.span);
    Statement::Expr(of(ty, ExprKind::Assign(place, Box::new(value)), span))
}
