//! Dynamic borrows: where a `RefCell` may be borrowed while a guard of one lives that forbids it, the program is made to look.
//!
//! First it is found out whether that can happen at all, by the types of the contents: cells of one type may be the same cell. If it
//! cannot, nothing is left of guards and scopes. If it can, every cell of that type has a count behind its content (how many guards read it,
//! or −1 for one that changes it), a borrow looks at it and counts itself, and the end of a guard takes that back. All of that is written
//! with expressions that other code is written with, so nothing after this knows about borrows.
//!
//! How long guards live is said by `elaborate::guards`.

mod checks;
mod conflicts;

use crate::diag::Diagnostic;
use crate::diag::Result;
use crate::front::ty::Ty;
use crate::front::typed::{Expr, ExprKind, Place, Program, Projection};
use crate::front::visit::{self, Visitor};
use crate::ir::Symbol;
use conflicts::Conflicts;
use std::collections::{BTreeMap, HashSet};

/// What a function may borrow, itself or by what it calls: cells of which content, and whether mutably.
type Effects = HashSet<(Ty, bool)>;

/// Writes checks before the borrows that can fail, and removes guards and scopes from the tree.
///
/// # Errors
/// [`Error::User`](crate::diag::Error::User) where a guard is passed on and its cell may be borrowed while the guard lives.
pub fn check_borrows(mut program: Program) -> Result<Program> {
    let passed_on = std::mem::take(&mut program.passed_on_guards);
    let effects = effects(&mut program);
    if effects.values().all(HashSet::is_empty) {
        // There may be scopes all the same: of what is left by a jump.
        checks::write(&mut program, &HashSet::new());
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
            let help = "use the guard where it is made: give away what is read, or let a function take the cell and borrow it";
            return Err(Diagnostic::new(guard.span, message).help(help).into());
        }
    }
    checks::write(&mut program, &contents);
    Ok(program)
}

/// A content as it is compared: what is known of `Rc`s around cells, and which slices can change, makes no difference.
fn key(content: Ty) -> Ty {
    content.slices_mut().without_rc_marks()
}

/// What each function and dispatch may borrow.
fn effects(program: &mut Program) -> BTreeMap<Symbol, Effects> {
    #[derive(Default)]
    struct Found {
        effects: Effects,
        calls: HashSet<Symbol>,
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
        effects.insert(name, Effects::new());
        calls.insert(name, dispatch.arms.iter().map(|arm| arm.function).collect());
    }
    // What is called adds to who calls, until nothing is new.
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
