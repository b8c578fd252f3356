//! The scopes of guards: how long the `Ref` and `RefMut` of a `RefCell` live, by Rust's rules for temporaries and variables.
//!
//! This file only finds out when guards are dropped. Whether a borrow can fail because of them, and what happens then, is decided in `borrows`.

use super::{Elaborator, key};
use crate::diag::Result;
use crate::front::tree::{
    Block, Expr as Tree, ExprKind as TreeKind, Pattern as TreePattern, PatternKind,
};
use crate::front::ty::Ty;
use crate::front::typed::{
    Borrow, Expr, ExprKind, Guard, GuardId, LocalId, Over, Projection, ScopeId, Statement,
};
use crate::resolve::builtins::{Builtin, MethodKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// The kinds of guards that end with a scope.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// Temporaries: the scope is a statement, a condition, or the body of a branch.
    Temporaries,
    /// Temporaries that end early (see `Source::early`): the scope is the last expression of a block, or an `if let` without its `else`.
    Early,
    /// Variables: the scope is a block.
    Variables,
}

/// The scopes around the current expression, and the guards in them.
#[derive(Default)]
pub(super) struct Guards {
    open: Vec<Open>,
    next: ScopeId,
    /// The guards of the instance, in the order of creation.
    all: Vec<Borrow>,
    /// The guard that an expression creates.
    made: FxHashMap<usize, GuardId>,
    /// The guards that a variable may hold.
    variables: FxHashMap<LocalId, Vec<GuardId>>,
    /// Expressions whose guard lives until the end of a block.
    extended: FxHashMap<usize, ScopeId>,
    /// Expressions whose guard is not passed on: it is dereferenced, or becomes the first value of a variable.
    stays: FxHashSet<usize>,
}

struct Open {
    id: ScopeId,
    ends: Ends,
    used: bool,
}

impl Guards {
    /// The number of guards of the instance so far.
    pub fn count(&self) -> usize {
        self.all.len()
    }
    /// The number of open scopes, for [`Elaborator::left`].
    pub fn depth(&self) -> usize {
        self.open.len()
    }
    /// Begins the body of a closure, which is in none of the scopes around the closure.
    pub fn close_all(&mut self) -> Scopes {
        Scopes(std::mem::take(&mut self.open))
    }
    /// Returns to the function around the closure.
    pub fn reopen(&mut self, scopes: Scopes) {
        self.open = scopes.0;
    }
    pub fn open(&mut self, ends: Ends) {
        let id = self.next;
        self.next += 1;
        let used = false;
        self.open.push(Open { id, ends, used });
    }
    /// Ends a scope. Returns it if a guard may live in it.
    pub fn close(&mut self) -> Option<ScopeId> {
        self.open.pop().filter(|open| open.used).map(|open| open.id)
    }
    /// A new guard that an expression creates. `early`: see `Source::early`.
    fn lives(&mut self, node: usize, early: bool) -> Guard {
        let extended = self.extended.get(&node).copied();
        let is_its = |open: &&mut Open| match extended {
            Some(scope) => open.id == scope,
            None => open.ends == Ends::Temporaries || early && open.ends == Ends::Early,
        };
        let scope = self.open.iter_mut().rev().find(is_its).map(|open| {
            open.used = true;
            open.id
        });
        Guard {
            id: self.all.len(),
            scope: scope.unwrap_or(ScopeId::MAX),
        }
    }
}

/// The scopes of the function around a closure.
pub(super) struct Scopes(Vec<Open>);

impl Elaborator<'_, '_> {
    /// An expression in a scope of its own.
    pub(super) fn scoped(
        &mut self,
        ends: Ends,
        inside: impl FnOnce(&mut Self) -> Result<Expr>,
    ) -> Result<Expr> {
        self.guards.open(ends);
        let value = inside(self);
        let scope = self.guards.close();
        Ok(in_scope(scope, value?, false))
    }
    /// An expression that leaves all scopes that are deeper than `depth`: `return`, `break`, `continue`.
    pub(super) fn left(&self, depth: usize, value: Expr, before: bool) -> Expr {
        let scopes = self.guards.open.iter().skip(depth).rev();
        let over: Vec<Over> = scopes.map(|open| Over::Scope(open.id)).collect();
        leave(over, value, before)
    }

    /// Whether an expression creates a guard, by a method of a `RefCell` that returns one.
    pub(super) fn is_guard(&self, expr: &'static Tree) -> bool {
        let (TreeKind::Method(name, ..) | TreeKind::Associated(_, _, name, ..)) = &expr.kind else {
            return false;
        };
        let chosen = self.row().facts.methods.get(&key(expr));
        matches!(
            (*name, chosen.map(|chosen| chosen.kind)),
            ("borrow", Some(MethodKind::Builtin(Builtin::Content)))
                | ("borrow_mut", Some(MethodKind::Builtin(Builtin::ContentMut)))
        )
    }
    /// The projection into a cell that a method borrows, or reads without a guard.
    pub(super) fn step_into_cell(
        &mut self,
        expr: &'static Tree,
        content: Ty,
        mutable: bool,
    ) -> Projection {
        if !self.is_guard(expr) {
            return Projection::Deref(content);
        }
        let early = (self.row().body.early)();
        let guard = self.guards.lives(key(expr), early);
        let borrow = Borrow {
            content,
            mutable,
            guard: Some(guard),
            span: self.span(expr.at),
        };
        self.guards.made.insert(key(expr), guard.id);
        self.guards.all.push(borrow);
        if !self.guards.stays.contains(&key(expr)) {
            self.output.passed_on_guards.push(borrow);
        }
        Projection::Borrow(borrow)
    }
    /// Notes that the guard that an expression creates is dereferenced and not passed on.
    pub(super) fn stays(&mut self, expr: &'static Tree) {
        self.guards.stays.insert(key(expr));
    }
    /// Notes that a variable is used as a value: if it holds a guard, the guard is passed on.
    pub(super) fn given_away(&mut self, expr: &'static Tree) {
        let local = self.row().facts.uses.get(&key(expr));
        if let Some(local) = local.copied()
            && !self.guards.stays.contains(&key(expr))
        {
            self.lose(local);
        }
    }
    /// Notes that a variable is passed on, so that the lifetime of its guard is unknown.
    pub(super) fn lose(&mut self, local: LocalId) {
        let guards = self.guards.variables.get(&local).into_iter().flatten();
        let guards = guards.map(|&guard| self.guards.all[guard]);
        self.output.passed_on_guards.extend(guards);
    }
    /// `drop(value)`, which may drop a guard.
    pub(super) fn dropped(&mut self, expr: &'static Tree) -> Result<Expr> {
        let local = self.row().facts.uses.get(&key(expr)).copied();
        let own = local.filter(|&local| self.owners[local] == self.closure);
        let mut guards = own.map_or(Vec::new(), |local| {
            let guards = self.guards.variables.get(&local);
            guards.cloned().unwrap_or_default()
        });
        if !guards.is_empty() || self.is_guard(expr) {
            self.stays(expr);
        }
        let value = self.rvalue(expr)?;
        let span = value.span;
        guards.extend(self.guards.made.get(&key(expr)));
        let value = ExprKind::Block(vec![Statement::Expr(value)], None).of(Ty::UNIT, span);
        let over = guards.into_iter().map(Over::Guard).collect();
        Ok(leave(over, value, false))
    }

    /// Notes how long the guards live that a `let` creates: until the end of its block, if the guards or what they dereference to get a name.
    pub(super) fn declared(&mut self, pattern: &'static TreePattern, value: &'static Tree) {
        let block = self.guards.open.iter().rev();
        let block = block
            .clone()
            .find(|open| open.ends == Ends::Variables)
            .map(|open| open.id);
        if let Some(block) = block {
            self.declare(pattern, value, block);
        }
    }
    fn declare(&mut self, pattern: &'static TreePattern, value: &'static Tree, block: ScopeId) {
        match (&pattern.kind, &value.kind) {
            (PatternKind::Tuple(parts), TreeKind::Tuple(values))
                if parts.len() == values.len()
                    && !parts
                        .iter()
                        .any(|part| matches!(part.kind, PatternKind::Rest)) =>
            {
                let parts = parts.iter().zip(*values);
                parts.for_each(|(part, value)| self.declare(part, value, block));
            }
            (PatternKind::Name(_, _, None), _)
                if values(value).any(|value| self.is_guard(value)) =>
            {
                let mut made: Vec<&'static Tree> = values(value).collect();
                made.retain(|value| self.is_guard(value));
                for guard in made {
                    self.stays(guard);
                    self.guards.extended.insert(key(guard), block);
                }
            }
            // The value is bound to `_`, so it is a temporary.
            (PatternKind::Wild, _) if self.is_guard(value) => self.stays(value),
            _ => {
                if by_reference(pattern) {
                    self.extend_place(value, block);
                }
                self.extend(value, block);
            }
        }
    }
    /// After [`Self::declared`] and the value: notes which variables hold guards.
    pub(super) fn named(&mut self, pattern: &'static TreePattern, value: &'static Tree) {
        match (&pattern.kind, &value.kind) {
            (PatternKind::Tuple(parts), TreeKind::Tuple(values)) if parts.len() == values.len() => {
                let parts = parts.iter().zip(*values);
                parts.for_each(|(part, value)| self.named(part, value));
            }
            (PatternKind::Name(_, _, None), _) => {
                let guards = values(value).filter_map(|value| self.guards.made.get(&key(value)));
                let guards: Vec<GuardId> = guards.copied().collect();
                if let (Some(&local), false) =
                    (self.row().facts.binds.get(&key(pattern)), guards.is_empty())
                {
                    self.guards.variables.insert(local, guards);
                }
            }
            _ => {}
        }
    }
    /// Rust's *extending expressions*: temporaries whose address they take live until the end of the block.
    fn extend(&mut self, value: &'static Tree, block: ScopeId) {
        match &value.kind {
            TreeKind::Ref(_, inner) => {
                self.extend_place(inner, block);
                self.extend(inner, block);
            }
            TreeKind::Tuple(all) | TreeKind::List(all) | TreeKind::Construct(_, _, all) => {
                all.iter().for_each(|one| self.extend(one, block));
            }
            TreeKind::Struct(_, _, fields, _) => {
                fields.iter().for_each(|field| self.extend(&field.1, block));
            }
            TreeKind::Cast(inner, _) => self.extend(inner, block),
            TreeKind::Block(..) | TreeKind::If(..) | TreeKind::Match(..) => {
                values(value).for_each(|one| self.extend(one, block));
            }
            _ => {}
        }
    }
    /// The temporary that contains the place lives until the end of the block.
    fn extend_place(&mut self, mut place: &'static Tree, block: ScopeId) {
        loop {
            if self.is_guard(place) {
                self.guards.extended.insert(key(place), block);
            }
            match &place.kind {
                TreeKind::Ref(_, next)
                | TreeKind::Deref(next)
                | TreeKind::Field(next, _)
                | TreeKind::Index(next, _) => place = next,
                _ => return,
            }
        }
    }
}

/// The expressions from which a value comes: for branches, the last expression of each.
fn values(expr: &'static Tree) -> Box<dyn Iterator<Item = &'static Tree>> {
    let last = |block: &'static Block| block.value.into_iter().flat_map(values);
    match &expr.kind {
        TreeKind::Block(_, block) => Box::new(last(block)),
        TreeKind::If(_, then, otherwise) => {
            Box::new(last(then).chain(otherwise.iter().copied().flat_map(values)))
        }
        TreeKind::Match(_, arms) => Box::new(arms.iter().flat_map(|arm| values(&arm.body))),
        _ => Box::new(std::iter::once(expr)),
    }
}

/// Whether a pattern binds the matched value, or a part of it, by reference.
fn by_reference(pattern: &TreePattern) -> bool {
    match &pattern.kind {
        PatternKind::Name(_, by_ref_mut, inner) => {
            *by_ref_mut || matches!(inner, Some(inner) if matches!(inner.kind, PatternKind::Wild))
        }
        PatternKind::Tuple(parts)
        | PatternKind::TupleStruct(_, _, parts)
        | PatternKind::Slice(parts) => parts.iter().any(by_reference),
        PatternKind::Struct(_, _, parts) => parts.iter().any(|part| by_reference(&part.1)),
        _ => false,
    }
}

/// Wraps a value in a scope, if the scope has guards.
pub(super) fn in_scope(scope: Option<ScopeId>, value: Expr, conditional: bool) -> Expr {
    match scope {
        Some(scope) => value.inside(|value| ExprKind::Scope(scope, value, conditional)),
        None => value,
    }
}

/// A value, and the scopes and guards that end after (or before) it.
pub(super) fn leave(over: Vec<Over>, value: Expr, before: bool) -> Expr {
    match over.is_empty() {
        true => value,
        false => value.inside(|value| ExprKind::Leave(over, value, before)),
    }
}

/// Whether a condition contains a `let`. Its temporaries live while the body runs.
pub(super) fn has_let(condition: &Tree) -> bool {
    match &condition.kind {
        TreeKind::Let(..) => true,
        TreeKind::Lazy(true, a, b) => has_let(a) || has_let(b),
        _ => false,
    }
}
