//! Branches, matches, `while`, `loop`, and the jumps out of them.

use super::body::{Binding, Body, LoopScope};
use super::pattern::{Subject, Taking};
use super::place::{Spot, reached};
use super::{Lowered, Stop, malformed, thaw};
use crate::front::repr::repr;
use crate::front::tree::Binary;
use crate::front::ty::Ty;
use crate::front::typed::{
    Arm, Base, Expr, ExprKind, LoopId, Pattern, Place, Projection, Statement,
};
use crate::ir::{Block, Const, Prim, Type, Value};

/// The last block of one branch, and its value.
type End = (Block, Value);

impl<'p> Body<'_, 'p> {
    /// Statements, then a value.
    pub fn block(&mut self, statements: &'p [Statement], value: Option<&'p Expr>) -> Lowered {
        for statement in statements {
            match statement {
                Statement::Expr(expr) => {
                    self.expr(expr)?;
                }
                Statement::Let(pattern, place, otherwise) => {
                    self.let_statement(pattern, place, otherwise.as_ref())?;
                }
            }
        }
        match value {
            Some(value) => self.expr(value),
            None => Ok(self.b.unit()),
        }
    }
    fn let_statement(
        &mut self,
        pattern: &'p Pattern,
        place: &'p Place,
        otherwise: Option<&'p Expr>,
    ) -> Lowered<()> {
        let fail = otherwise.map(|_| self.b.new_block());
        self.match_place(place, pattern, fail)?;
        if let (Some(fail), Some(otherwise)) = (fail, otherwise) {
            let go_on = self.b.block();
            self.b.seal(fail);
            self.b.switch_to(fail);
            if reached(self.expr(otherwise))?.is_some() {
                self.unreachable();
            }
            self.b.switch_to(go_on);
        }
        Ok(())
    }
    /// How values are bound by a pattern for this place. A parameter has no name of its own, so only the names that its pattern binds can change it.
    fn taking(&self, place: &Place) -> Taking {
        match place.base {
            Base::Value(_) if place.projections.is_empty() => Taking::Move,
            Base::Local(local)
                if local < self.shared
                    && place.projections.is_empty()
                    && !self.locals[local].in_memory =>
            {
                Taking::Borrow
            }
            _ => Taking::Copy,
        }
    }

    /// Continues if a place matches, and otherwise jumps to `fail`.
    fn match_place(
        &mut self,
        place: &'p Place,
        pattern: &'p Pattern,
        fail: Option<Block>,
    ) -> Lowered<()> {
        let (spot, ty) = self.place(place)?;
        let subject = Subject {
            spot: &spot,
            ty,
            tag: None,
            taking: self.taking(place),
        };
        self.matches(pattern, subject, fail)
    }

    /// `if condition { then } else { otherwise }`
    pub fn conditional(
        &mut self,
        expr: &'p Expr,
        condition: &'p Expr,
        then: &'p Expr,
        otherwise: Option<&'p Expr>,
    ) -> Lowered {
        if let Some(known) = self.known(condition) {
            return match (known, otherwise) {
                (true, _) => self.expr(then),
                (false, Some(otherwise)) => self.expr(otherwise),
                (false, None) => Ok(self.b.unit()),
            };
        }
        let (can_hold, on_false) = self.branch_on(condition, expr)?;
        let mut ends = Vec::new();
        if can_hold {
            self.end(then, &mut ends)?;
        }
        self.b.switch_to(on_false);
        match otherwise {
            Some(otherwise) => self.end(otherwise, &mut ends)?,
            None => {
                let unit = self.b.unit();
                ends.push((self.b.block(), unit));
            }
        }
        self.join(&ends)
    }
    /// The value of a condition that is a constant, or a variable with a constant value here.
    fn known(&mut self, condition: &Expr) -> Option<bool> {
        let value = match &condition.kind {
            ExprKind::Const(Const::Bool(known)) => return Some(*known),
            ExprKind::Read { place, .. } if place.projections.is_empty() => match place.base {
                Base::Local(local) => match self.bindings[local] {
                    Binding::Variable(variable) => self.b.read(variable),
                    _ => return None,
                },
                Base::Value(_) => return None,
            },
            _ => return None,
        };
        match self.b.function.as_const(value) {
            Some(Const::Bool(known)) => Some(known),
            _ => None,
        }
    }
    /// Continues where the condition holds, if that is possible. Returns the block where it does not hold.
    fn branch_on(&mut self, condition: &'p Expr, at: &Expr) -> Lowered<(bool, Block)> {
        if has_let(condition) {
            let on_false = self.b.new_block();
            let outcome = reached(self.condition(condition, on_false))?;
            self.b.seal(on_false);
            return Ok((outcome.is_some(), on_false));
        }
        let condition = self.expr(condition)?;
        let [on_true, on_false] = [(); 2].map(|_| self.b.new_block());
        self.b.span = at.span;
        self.b.branch(condition, (on_true, &[]), (on_false, &[]));
        self.b.seal(on_true);
        self.b.seal(on_false);
        self.b.switch_to(on_true);
        Ok((true, on_false))
    }
    /// Continues where the condition holds, which may bind names, and otherwise jumps to `fail`.
    pub fn condition(&mut self, condition: &'p Expr, fail: Block) -> Lowered<()> {
        match &condition.kind {
            ExprKind::Let(place, pattern) => self.match_place(place, pattern, Some(fail)),
            ExprKind::Lazy(true, a, b) if has_let(condition) => {
                self.condition(a, fail)?;
                self.condition(b, fail)
            }
            _ => {
                let value = self.expr(condition)?;
                self.otherwise(value, fail);
                Ok(())
            }
        }
    }
    /// `let pattern = place` as a value.
    pub fn let_value(&mut self, expr: &'p Expr) -> Lowered {
        let [fail, merge] = [(); 2].map(|_| self.b.new_block());
        let result = self.b.add_param(merge, Type::Bool);
        self.condition(expr, fail)?;
        for (block, outcome) in [(self.b.block(), true), (fail, false)] {
            self.b.switch_to(block);
            let outcome = self.b.bool(outcome);
            self.b.jump(merge, &[outcome]);
        }
        self.b.seal(fail);
        self.b.seal(merge);
        self.b.switch_to(merge);
        Ok(result)
    }
    /// Lowers one branch in the current block.
    fn end(&mut self, body: &'p Expr, ends: &mut Vec<End>) -> Lowered<()> {
        if let Some(value) = reached(self.expr(body))? {
            ends.push((self.b.block(), value));
        }
        Ok(())
    }
    /// Continues where several branches meet.
    fn join(&mut self, ends: &[End]) -> Lowered {
        let (first, value) = match ends {
            [] => return Err(Stop::Diverged),
            [(block, value)] => {
                self.b.switch_to(*block);
                return Ok(*value);
            }
            [first, ..] => *first,
        };
        let ty = self.ty(value);
        let equal = ends.iter().all(|&(_, value)| self.ty(value) == ty);
        let ty = if equal { ty } else { thaw(ty) };
        let merge = self.b.new_block();
        let result = (ty != Type::UNIT).then(|| self.b.add_param(merge, ty));
        self.b.switch_to(first);
        for &(block, value) in ends {
            self.b.switch_to(block);
            match result {
                Some(_) => {
                    let value = self.fit(value, ty);
                    self.b.jump(merge, &[value]);
                }
                None => self.b.jump(merge, &[]),
            }
        }
        self.b.seal(merge);
        self.b.switch_to(merge);
        Ok(match result {
            Some(result) => result,
            None => self.b.unit(),
        })
    }
    /// `match place { arms }`
    pub fn match_arms(&mut self, expr: &'p Expr, place: &'p Place, arms: &'p [Arm]) -> Lowered {
        let (mut spot, ty) = self.place(place)?;
        self.b.span = expr.span;
        // The tag that all arms test is read once.
        let tag = match ty {
            Ty::Scalar(_) if !arms.iter().any(|arm| binds_address(&arm.pattern)) => {
                spot = Spot::Value(self.read(&spot, ty));
                None
            }
            Ty::Adt(adt, _) if adt.variants.len() > 1 => Some(self.tag(&spot, ty)),
            _ => None,
        };
        let subject = Subject {
            spot: &spot,
            ty,
            tag,
            taking: self.taking(place),
        };
        let mut ends = Vec::new();
        for (n, arm) in arms.iter().enumerate() {
            // A value that no arm matches cannot occur.
            let last = n + 1 == arms.len() && arm.guard.is_none();
            let next = (!last).then(|| self.b.new_block());
            let body = self.arm(arm, subject, next);
            if let Some(value) = reached(body)? {
                ends.push((self.b.block(), value));
            }
            if let Some(next) = next {
                self.b.seal(next);
                self.b.switch_to(next);
            }
            if next.is_some() && n + 1 == arms.len() {
                self.unreachable();
            }
        }
        self.join(&ends)
    }
    fn arm(&mut self, arm: &'p Arm, subject: Subject, next: Option<Block>) -> Lowered {
        match (&arm.pattern, &arm.guard, next) {
            (pattern @ Pattern::Or(all), Some(guard), Some(next)) if pattern.may_match_again() => {
                self.any(all, Some(guard), subject, Some(next))?;
            }
            (pattern, guard, next) => {
                self.matches(pattern, subject, next)?;
                if let (Some(guard), Some(next)) = (guard, next) {
                    self.condition(guard, next)?;
                }
            }
        }
        self.expr(&arm.body)
    }
    /// `left && right` (`is_and`), `left || right`: the right side is computed only if it decides.
    pub fn lazy(
        &mut self,
        expr: &'p Expr,
        is_and: bool,
        left: &'p Expr,
        right: &'p Expr,
    ) -> Lowered {
        if has_let(expr) {
            return self.let_value(expr);
        }
        let left = self.expr(left)?;
        if self.is_free(right) {
            let right = self.expr(right)?;
            self.b.span = expr.span;
            let prim = if is_and { Prim::And } else { Prim::Or };
            return Ok(self.prim(prim, &[left, right]));
        }
        let [rest, merge] = [(); 2].map(|_| self.b.new_block());
        let result = self.b.add_param(merge, Type::Bool);
        self.b.span = expr.span;
        let decided = self.b.bool(!is_and);
        match is_and {
            true => self.b.branch(left, (rest, &[]), (merge, &[decided])),
            false => self.b.branch(left, (merge, &[decided]), (rest, &[])),
        }
        self.b.seal(rest);
        self.b.switch_to(rest);
        if let Some(right) = reached(self.expr(right))? {
            self.b.jump(merge, &[right]);
        }
        self.b.seal(merge);
        self.b.switch_to(merge);
        Ok(result)
    }

    /// `while condition { body }`
    pub fn while_loop(&mut self, id: LoopId, condition: &'p Expr, body: &'p Expr) -> Lowered {
        let [header, inside, exit] = [(); 3].map(|_| self.b.new_block());
        self.b.jump(header, &[]);
        self.b.switch_to(header);
        let entered = match has_let(condition) {
            true => self.condition(condition, exit),
            false => self.expr(condition).map(|value| {
                self.b.branch(value, (inside, &[]), (exit, &[]));
                self.b.seal(inside);
                self.b.switch_to(inside);
            }),
        };
        let entered = reached(entered)?;
        if entered.is_some() {
            self.enter(id, exit, header);
            if reached(self.expr(body))?.is_some() {
                self.b.jump(header, &[]);
            }
            self.leave(id);
        }
        self.b.seal(header);
        match entered.is_some() || has_let(condition) {
            true => self.go_on(exit),
            false => Err(Stop::Diverged),
        }
    }
    /// `loop { body }`
    pub fn endless_loop(&mut self, id: LoopId, ty: Ty, body: &'p Expr) -> Lowered {
        let [header, exit] = [(); 2].map(|_| self.b.new_block());
        self.expect_value(exit, ty);
        self.b.jump(header, &[]);
        self.b.switch_to(header);
        self.enter(id, exit, header);
        if reached(self.expr(body))?.is_some() {
            self.b.jump(header, &[]);
        }
        self.b.seal(header);
        match self.leave(id).breaks {
            true => self.go_on(exit),
            false => Err(Stop::Diverged),
        }
    }
    /// `'label: { … }`
    pub fn labelled(&mut self, id: LoopId, ty: Ty, body: &'p Expr) -> Lowered {
        let exit = self.b.new_block();
        self.expect_value(exit, ty);
        self.enter(id, exit, exit);
        let value = reached(self.expr(body))?;
        if let Some(value) = value {
            self.leave_with(exit, Some(value));
        }
        match self.leave(id).breaks || value.is_some() {
            true => self.go_on(exit),
            false => Err(Stop::Diverged),
        }
    }
    /// Gives the block after a loop a parameter for its value.
    fn expect_value(&mut self, exit: Block, ty: Ty) {
        let ty = thaw(repr(ty));
        if ty != Type::UNIT {
            self.b.add_param(exit, ty);
        }
    }
    fn leave_with(&mut self, exit: Block, value: Option<Value>) {
        let param = self.b.function.blocks[exit].params.first().copied();
        match (param, value) {
            (Some(param), Some(value)) => {
                let value = self.fit(value, self.ty(param));
                self.b.jump(exit, &[value]);
            }
            _ => self.b.jump(exit, &[]),
        }
    }
    pub fn enter(&mut self, id: LoopId, exit: Block, next: Block) {
        let scope = LoopScope {
            exit,
            next,
            breaks: false,
            continues: false,
        };
        self.loops.insert(id, scope);
    }
    pub fn leave(&mut self, id: LoopId) -> LoopScope {
        self.loops.remove(&id).expect("a loop was entered")
    }
    /// Continues after a loop. Its value is the parameter of `exit`, if it has one.
    pub fn go_on(&mut self, exit: Block) -> Lowered {
        self.b.seal(exit);
        self.b.switch_to(exit);
        let value = self.b.function.blocks[exit].params.first().copied();
        Ok(match value {
            Some(value) => value,
            None => self.b.unit(),
        })
    }
    pub fn break_loop(&mut self, expr: &Expr, id: LoopId, value: Option<&'p Expr>) -> Lowered {
        let value = value.map(|value| self.expr(value)).transpose()?;
        self.b.span = expr.span;
        let scope = self.scope(id)?;
        scope.breaks = true;
        let exit = scope.exit;
        self.leave_with(exit, value);
        Err(Stop::Diverged)
    }
    pub fn continue_loop(&mut self, expr: &Expr, id: LoopId) -> Lowered {
        self.b.span = expr.span;
        let scope = self.scope(id)?;
        scope.continues = true;
        let next = scope.next;
        self.b.jump(next, &[]);
        Err(Stop::Diverged)
    }
    fn scope(&mut self, id: LoopId) -> Lowered<&mut LoopScope> {
        match self.loops.get_mut(&id) {
            Some(scope) => Ok(scope),
            None => malformed(format!("loop {id} is not around this place")),
        }
    }

    /// Whether an expression may be computed speculatively: it cannot fail, changes nothing and is cheap. Arithmetic is excluded, because it may
    /// overflow.
    fn is_free(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Const(_) => true,
            ExprKind::Read { place, .. } => {
                // Not behind an address, and not in a variant that may not be live.
                let is_field = |step: &Projection| matches!(step, Projection::Field(..));
                matches!(place.base, Base::Local(_)) && place.projections.iter().all(is_field)
            }
            ExprKind::Not(e) | ExprKind::Cast(e) | ExprKind::Len(e) => self.is_free(e),
            ExprKind::Lazy(_, a, b) => !has_let(expr) && self.is_free(a) && self.is_free(b),
            ExprKind::Binary(op, a, b) => {
                use Binary::*;
                matches!(op, Eq | Ne | Lt | Le | Gt | Ge | And | Or | Xor)
                    && self.is_free(a)
                    && self.is_free(b)
            }
            _ => false,
        }
    }
}

/// Whether a condition binds names.
fn has_let(condition: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Let(..) => true,
        ExprKind::Lazy(true, a, b) => has_let(a) || has_let(b),
        _ => false,
    }
}

/// Whether a pattern needs the place and not only its value.
fn binds_address(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Bind(_, address, inner) => {
            *address || inner.as_ref().is_some_and(|inner| binds_address(inner))
        }
        Pattern::Or(alternatives) => alternatives.iter().any(binds_address),
        _ => false,
    }
}
