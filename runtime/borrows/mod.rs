//! Dynamic borrows: adds checks where a `RefCell` may be borrowed while a conflicting guard lives.
//!
//! First `conflicts` finds out by types whether this can happen at all: two cells with contents of the same type may be the same cell. If it cannot
//! happen, guards and scopes are removed from the tree. If it can, every cell of that type gets a count behind its content: the number of guards that
//! read it, or −1 for a guard that changes it. `checks` then writes code that tests and changes the count at each borrow, and that restores it where a
//! guard ends. This code consists of ordinary expressions, so no later stage knows about borrows.
//!
//! `elaborate::guards` has found out how long guards live.

mod checks;
mod conflicts;

use crate::diag::Diagnostic;
use crate::diag::Result;
use crate::front::ty::Ty;
use crate::front::typed::{Expr, ExprKind, Place, Program, Projection};
use crate::front::visit::{self, Visitor};
use crate::ir::Symbol;
use conflicts::Conflicts;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The cells that a function may borrow, directly or in functions that it calls: the type of the content, and whether mutably.
type Effects = FxHashSet<(Ty, bool)>;

/// Writes checks before the borrows that can fail, and removes guards and scopes from the tree.
///
/// # Errors
/// [`Error::User`](crate::diag::Error::User) where a guard is passed on and its cell may be borrowed while the guard lives.
pub fn check_borrows(mut program: Program) -> Result<Program> {
    let passed_on = std::mem::take(&mut program.passed_on_guards);
    let effects = effects(&mut program);
    if effects.values().all(FxHashSet::is_empty) {
        // There may still be scopes, for expressions that are left by a jump.
        checks::write(&mut program, &FxHashSet::default());
        return Ok(program);
    }
    let mut conflicts = Conflicts::new(&effects);
    for function in program.functions.values() {
        conflicts.function(&function.body);
    }
    let contents = conflicts.found();
    let all: Effects = effects.values().flatten().copied().collect();
    for guard in &passed_on {
        let content = key(guard.content);
        if all.contains(&(content, true)) || guard.mutable && all.contains(&(content, false)) {
            let message = "this passes the guard of a `RefCell` on: cannot tell whether the cell is borrowed again while the guard lives";
            let help = "use the guard in the function that creates it: pass on the value that you read, or pass the cell and borrow it in the called function";
            return Err(Diagnostic::new(guard.span, message).help(help).into());
        }
    }
    checks::write(&mut program, &contents);
    Ok(program)
}

/// The key of a content. Marks of `Rc`s around cells and the mutability of slices make no difference.
fn key(content: Ty) -> Ty {
    content.slices_mut().without_rc_marks()
}

/// The borrows of each function and dispatch.
fn effects(program: &mut Program) -> BTreeMap<Symbol, Effects> {
    #[derive(Default)]
    struct Found {
        effects: Effects,
        calls: FxHashSet<Symbol>,
    }
    impl Visitor for Found {
        fn place(&mut self, place: &mut Place) {
            for step in &place.projections {
                if let Projection::Borrow(borrow) = step {
                    self.effects.insert((key(borrow.content), borrow.mutable));
                }
            }
        }
        fn expr(&mut self, expr: &mut Expr) {
            if let ExprKind::Call(name, _) | ExprKind::Derivative(_, name, _) = expr.kind {
                self.calls.insert(name);
            }
        }
    }
    let mut effects = BTreeMap::new();
    let mut calls = BTreeMap::new();
    for (&name, function) in &mut program.functions {
        let mut found = Found::default();
        visit::expr(&mut function.body, &mut found);
        effects.insert(name, found.effects);
        calls.insert(name, found.calls);
    }
    for (&name, dispatch) in &program.dispatches {
        effects.insert(name, Effects::default());
        calls.insert(name, dispatch.arms.iter().map(|arm| arm.function).collect());
    }
    // Callers get the effects of their callees, until nothing changes.
    let mut changed = true;
    while changed {
        changed = false;
        for (name, callees) in &calls {
            let known = &effects[name];
            let all = callees.iter().filter_map(|callee| effects.get(callee));
            let new = all.flatten().filter(|effect| !known.contains(effect));
            let new: Vec<(Ty, bool)> = new.copied().collect();
            changed |= !new.is_empty();
            effects.entry(*name).or_default().extend(new);
        }
    }
    effects
}
