//! Branches, `while`, `loop`, and the jumps out of loops.

use super::{LoopScope, Lowered, Lowering, Stop};
use crate::front::tree::{self, At, Expr, Kind};
use crate::ir::{Block, Prim, Type, Value};

/// The end of one way through a branch, and the value it gives.
type Arm = (Block, Value);

impl Lowering {
    /// `if condition { then } else { otherwise }`
    pub(super) fn conditional(
        &mut self,
        at: At,
        condition: &'static Expr,
        then: &'static tree::Block,
        otherwise: Option<&'static Expr>,
    ) -> Lowered {
        if let Kind::Bool(known) = condition.kind {
            return self.decided(known, then, otherwise);
        }
        let condition = self.condition(condition)?;
        let (on_true, on_false) = (self.builder().new_block(), self.builder().new_block());
        self.set_span(at);
        self.builder()
            .branch(condition, (on_true, &[]), (on_false, &[]));
        let then = self.arm(on_true, |this| this.block(then))?;
        let otherwise = self.arm(on_false, |this| match otherwise {
            Some(otherwise) => this.expr(otherwise),
            None => Ok(this.builder().unit()),
        })?;
        self.join(then, otherwise)
    }
    /// A condition that is known to the compiler.
    fn decided(
        &mut self,
        known: bool,
        then: &'static tree::Block,
        otherwise: Option<&'static Expr>,
    ) -> Lowered {
        match (known, otherwise) {
            (true, _) => self.block(then),
            (false, Some(otherwise)) => self.expr(otherwise),
            (false, None) => Ok(self.builder().unit()),
        }
    }
    fn condition(&mut self, condition: &'static Expr) -> Lowered {
        let value = self.expr(condition)?;
        self.set_span(condition.at);
        self.expect(value, Type::Bool);
        Ok(value)
    }
    /// One way through a branch; `None` if it does not come to its end.
    fn arm(
        &mut self,
        block: Block,
        body: impl FnOnce(&mut Self) -> Lowered,
    ) -> Result<Option<Arm>, Stop> {
        self.builder().seal(block);
        self.builder().switch_to(block);
        match body(self) {
            Ok(value) => Ok(Some((self.builder().block(), value))),
            Err(Stop::Diverged) => Ok(None),
            Err(failed) => Err(failed),
        }
    }
    /// Goes on where two ways meet.
    fn join(&mut self, a: Option<Arm>, b: Option<Arm>) -> Lowered {
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (Some((block, value)), None) | (None, Some((block, value))) => {
                self.builder().switch_to(block);
                return Ok(value);
            }
            (None, None) => return Err(Stop::Diverged),
        };
        let ty = self.common_type(a.1, b.1);
        let merge = self.builder().new_block();
        let result = (ty != Type::UNIT).then(|| self.builder().add_param(merge, ty));
        for (block, value) in [a, b] {
            self.builder().switch_to(block);
            match result {
                Some(_) => self.builder().jump(merge, &[value]),
                None => self.builder().jump(merge, &[]),
            }
        }
        self.builder().seal(merge);
        self.builder().switch_to(merge);
        Ok(match result {
            Some(result) => result,
            None => self.builder().unit(),
        })
    }
    /// The type of two values that are one.
    fn common_type(&mut self, a: Value, b: Value) -> Type {
        let (a, b) = (self.ty(a), self.ty(b));
        let span = self.builder().span;
        self.equate(b, a, span);
        match a {
            Type::Infer(_) => b,
            known => known,
        }
    }
    /// `left && right` (`is_and`), `left || right`: the right side is computed only if it decides.
    pub(super) fn lazy(
        &mut self,
        at: At,
        is_and: bool,
        left: &'static Expr,
        right: &'static Expr,
    ) -> Lowered {
        let left = self.condition(left)?;
        if is_free(right) {
            let right = self.condition(right)?;
            self.set_span(at);
            let prim = if is_and { Prim::And } else { Prim::Or };
            return Ok(self.prim(prim, &[left, right], Type::Bool));
        }
        let (rest, merge) = (self.builder().new_block(), self.builder().new_block());
        let result = self.builder().add_param(merge, Type::Bool);
        self.set_span(at);
        let decided = self.builder().bool(!is_and);
        match is_and {
            true => self
                .builder()
                .branch(left, (rest, &[]), (merge, &[decided])),
            false => self
                .builder()
                .branch(left, (merge, &[decided]), (rest, &[])),
        }
        if let Some((block, right)) = self.arm(rest, |this| this.condition(right))? {
            self.builder().switch_to(block);
            self.builder().jump(merge, &[right]);
        }
        self.builder().seal(merge);
        self.builder().switch_to(merge);
        Ok(result)
    }

    /// `while condition { body }`
    pub(super) fn while_loop(
        &mut self,
        label: Option<&'static str>,
        condition: &'static Expr,
        body: &'static tree::Block,
    ) -> Lowered {
        let [header, inside, exit] = [(); 3].map(|_| self.builder().new_block());
        self.builder().jump(header, &[]);
        self.builder().switch_to(header);
        match self.condition(condition) {
            Ok(condition) => self.builder().branch(condition, (inside, &[]), (exit, &[])),
            Err(stop) => {
                self.builder().seal(header);
                return Err(stop);
            }
        }
        self.arm(inside, |this| this.repeated(label, exit, header, body))?;
        self.builder().seal(header);
        self.go_on(exit)
    }
    /// `loop { body }`
    pub(super) fn endless_loop(
        &mut self,
        label: Option<&'static str>,
        body: &'static tree::Block,
    ) -> Lowered {
        let [header, exit] = [(); 2].map(|_| self.builder().new_block());
        self.builder().jump(header, &[]);
        self.builder().switch_to(header);
        self.enter(label, exit, header);
        let outcome = self.block(body);
        let scope = self.leave();
        match outcome {
            Ok(_) => self.builder().jump(header, &[]),
            Err(Stop::Diverged) => {}
            Err(failed) => return Err(failed),
        }
        self.builder().seal(header);
        if !scope.breaks {
            return Err(Stop::Diverged);
        }
        self.go_on(exit)
    }
    /// The body of a loop, back to `next` at its end.
    fn repeated(
        &mut self,
        label: Option<&'static str>,
        exit: Block,
        next: Block,
        body: &'static tree::Block,
    ) -> Lowered {
        self.enter(label, exit, next);
        let outcome = self.block(body);
        self.leave();
        outcome?;
        self.builder().jump(next, &[]);
        Err(Stop::Diverged)
    }
    pub(super) fn enter(&mut self, label: Option<&'static str>, exit: Block, next: Block) {
        self.frame().loops.push(LoopScope {
            label,
            exit,
            next,
            breaks: false,
            continues: false,
        });
    }
    pub(super) fn leave(&mut self) -> LoopScope {
        self.frame().loops.pop().expect("a loop was entered")
    }
    /// Goes on behind a loop; its value is the parameter of `exit`, if a `break` gave it one.
    pub(super) fn go_on(&mut self, exit: Block) -> Lowered {
        self.builder().seal(exit);
        self.builder().switch_to(exit);
        let value = self.builder().function.blocks[exit].params.first().copied();
        Ok(match value {
            Some(value) => value,
            None => self.builder().unit(),
        })
    }

    pub(super) fn break_loop(
        &mut self,
        at: At,
        label: Option<&'static str>,
        value: Option<&'static Expr>,
    ) -> Lowered {
        let value = value.map(|value| self.expr(value)).transpose()?;
        self.set_span(at);
        let scope = self.find_loop(at, label)?;
        scope.breaks = true;
        let exit = scope.exit;
        match value {
            Some(value) if self.ty(value) != Type::UNIT => {
                self.expect_loop_value(exit, value);
                self.builder().jump(exit, &[value]);
            }
            _ => self.builder().jump(exit, &[]),
        }
        Err(Stop::Diverged)
    }
    /// The first `break` with a value gives the loop its type.
    fn expect_loop_value(&mut self, exit: Block, value: Value) {
        match self.builder().function.blocks[exit].params.first() {
            Some(&result) => {
                let ty = self.ty(result);
                self.expect(value, ty);
            }
            None => {
                let ty = self.ty(value);
                self.builder().add_param(exit, ty);
            }
        }
    }
    pub(super) fn continue_loop(&mut self, at: At, label: Option<&'static str>) -> Lowered {
        self.set_span(at);
        let scope = self.find_loop(at, label)?;
        scope.continues = true;
        let next = scope.next;
        self.builder().jump(next, &[]);
        Err(Stop::Diverged)
    }
    fn find_loop(&mut self, at: At, label: Option<&'static str>) -> Result<&mut LoopScope, Stop> {
        let found = self
            .frame()
            .loops
            .iter()
            .rposition(|scope| label.is_none() || scope.label == label);
        match found {
            Some(position) => Ok(&mut self.frame().loops[position]),
            None => self.fail(at, "there is no such loop around this place", ""),
        }
    }
}

/// Whether an expression can be computed although nobody asked for it: it cannot fail, changes nothing and costs next to
/// nothing. Arithmetic is not among them: it may overflow.
fn is_free(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Float(..) | Kind::Int(..) | Kind::Bool(_) | Kind::Local(_) | Kind::Constant(_) => {
            true
        }
        Kind::Ref(e) | Kind::Deref(e) | Kind::Not(e) | Kind::Field(e, _) | Kind::Cast(e, _) => {
            is_free(e)
        }
        Kind::Lazy(_, a, b) => is_free(a) && is_free(b),
        Kind::Binary(op, a, b) => {
            use tree::Binary::*;
            matches!(op, Eq | Ne | Lt | Le | Gt | Ge | And | Or | Xor) && is_free(a) && is_free(b)
        }
        Kind::Neg(e) => matches!(e.kind, Kind::Float(..) | Kind::Int(..)),
        Kind::Method("len" | "is_empty", [receiver]) => is_free(receiver),
        _ => false,
    }
}
