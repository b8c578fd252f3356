//! Patterns: first the tests in order, then the bindings.

use super::body::{Binding, Body};
use super::copy::Copying;
use super::place::{Spot, reached};
use super::sequence::{Elements, Sequence};
use super::{Lowered, Stop, malformed};
use crate::front::repr::stride;
use crate::front::ty::Ty;
use crate::front::typed::{Expr, LocalId, Pattern, Projection};
use crate::ir::{Block, Const, Prim, Type, Value};

/// The matched value.
#[derive(Clone, Copy)]
pub(super) struct Subject<'s> {
    pub spot: &'s Spot,
    pub ty: Ty,
    /// The tag, if it has been read already.
    pub tag: Option<Value>,
    pub taking: Taking,
}

/// How values are bound to names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Taking {
    /// The place is temporary: values are moved out.
    Move,
    /// The place stays and may change: values are copied.
    Copy,
    /// The place does not change while the names are in scope: a value is copied only if the name's variable changes.
    Borrow,
}

impl<'p> Body<'_, 'p> {
    /// Continues with the names bound if the pattern matches, and otherwise jumps to `fail`. Without `fail` the pattern is known to match.
    pub fn matches(
        &mut self,
        pattern: &'p Pattern,
        subject: Subject,
        fail: Option<Block>,
    ) -> Lowered<()> {
        match pattern {
            Pattern::Wild => {}
            Pattern::Bind(local, address, inner) => {
                if let Some(inner) = inner {
                    self.matches(inner, subject, fail)?;
                }
                self.bind_name(*local, *address, subject)?;
            }
            Pattern::Parts(parts) => {
                self.match_parts(parts, subject, fail)?;
            }
            Pattern::Variant(_, parts) => {
                self.test(pattern, subject, fail)?;
                self.match_parts(parts, subject, fail)?;
            }
            Pattern::Equal(..) | Pattern::Between(..) => self.test(pattern, subject, fail)?,
            Pattern::Or(_) if is_test(pattern) => self.test(pattern, subject, fail)?,
            Pattern::Or(alternatives) => self.any(alternatives, None, subject, fail)?,
            Pattern::Slice(front, rest, behind, open, ty) => {
                let sequence = self.sequence(subject.spot, subject.ty)?;
                self.test_length(
                    &sequence,
                    subject.ty,
                    front.len() + behind.len(),
                    *open,
                    fail,
                );
                self.match_elements(front, behind, &sequence, subject, fail)?;
                if let Some(rest) = rest {
                    let spot = self.rest(&sequence, front.len(), behind.len(), *ty);
                    self.matches(rest, subject.part(&spot, *ty), fail)?;
                }
            }
        }
        Ok(())
    }
    fn match_parts(
        &mut self,
        parts: &'p [(Projection, Pattern)],
        subject: Subject,
        fail: Option<Block>,
    ) -> Lowered<()> {
        for (step, part) in parts {
            let (spot, ty) = self.step(subject.spot.clone(), subject.ty, step)?;
            let elsewhere = matches!(step, Projection::Deref(_) | Projection::Index(..));
            let mut subject = subject.part(&spot, ty);
            subject.stays_if(elsewhere);
            self.matches(part, subject, fail)?;
        }
        Ok(())
    }
    /// Continues if the condition holds, and otherwise jumps to `fail`.
    pub fn otherwise(&mut self, condition: Value, fail: Block) {
        let go_on = self.b.new_block();
        self.b.branch(condition, (go_on, &[]), (fail, &[]));
        self.b.seal(go_on);
        self.b.switch_to(go_on);
    }
    fn test(&mut self, pattern: &Pattern, subject: Subject, fail: Option<Block>) -> Lowered<()> {
        if let Some(fail) = fail
            && let Some(condition) = self.condition_of(pattern, subject)?
        {
            self.otherwise(condition, fail);
        }
        Ok(())
    }
    /// The condition that a pattern tests first; `None` if it always holds.
    fn condition_of(&mut self, pattern: &Pattern, subject: Subject) -> Lowered<Option<Value>> {
        Ok(Some(match pattern {
            Pattern::Equal(Const::Bool(wanted), _) => {
                let value = self.read(subject.spot, subject.ty);
                match wanted {
                    true => value,
                    false => self.prim(Prim::Not, &[value]),
                }
            }
            Pattern::Equal(constant, ty) => {
                let value = self.read(subject.spot, subject.ty);
                let constant = self.number(*constant, *ty);
                self.prim(Prim::Eq, &[value, constant])
            }
            Pattern::Between(low, high, inclusive, ty) => {
                let value = self.read(subject.spot, subject.ty);
                let below = if *inclusive { Prim::Le } else { Prim::Lt };
                let mut tests = Vec::new();
                for (compare, bound) in [(Prim::Ge, low), (below, high)] {
                    if let Some(bound) = bound {
                        let bound = self.number(*bound, *ty);
                        tests.push(self.prim(compare, &[value, bound]));
                    }
                }
                match tests[..] {
                    [low, high] => self.prim(Prim::And, &[low, high]),
                    [one] => one,
                    _ => return Ok(None),
                }
            }
            Pattern::Variant(variant, _) => {
                if matches!(subject.ty, Ty::Adt(adt, _) if adt.variants.len() == 1) {
                    return Ok(None);
                }
                let tag = match subject.tag {
                    Some(tag) => tag,
                    None => self.tag(subject.spot, subject.ty),
                };
                self.is_variant(tag, *variant as usize)
            }
            Pattern::Or(alternatives) => {
                let mut any = self.b.bool(false);
                for alternative in alternatives {
                    let Some(condition) = self.condition_of(alternative, subject)? else {
                        return Ok(None);
                    };
                    any = self.prim(Prim::Or, &[any, condition]);
                }
                any
            }
            _ => return malformed("a pattern that is no test"),
        }))
    }
    /// The tag of an enum.
    pub fn tag(&mut self, spot: &Spot, ty: Ty) -> Value {
        let spot = self.project(spot.clone(), ty, 0);
        self.read_as(&spot, Type::Usize)
    }
    /// Whether a tag is that of a variant.
    pub fn is_variant(&mut self, tag: Value, variant: usize) -> Value {
        let variant = self.usize(variant);
        self.prim(Prim::Eq, &[tag, variant])
    }
    /// A constant number.
    pub fn number(&mut self, constant: Const, ty: Type) -> Value {
        match constant {
            Const::Float(x) => self.b.float(x, ty),
            constant => self.b.constant(constant, ty),
        }
    }
    /// Continues if an alternative matches and its guard, if there is one, holds.
    pub fn any(
        &mut self,
        alternatives: &'p [Pattern],
        guard: Option<&'p Expr>,
        subject: Subject,
        fail: Option<Block>,
    ) -> Lowered<()> {
        let outer = std::mem::replace(&mut self.in_alternatives, true);
        let done = self.b.new_block();
        let mut goes_on = false;
        for (n, alternative) in alternatives.iter().enumerate() {
            let next = (n + 1 < alternatives.len()).then(|| self.b.new_block());
            if reached(self.alternative(alternative, guard, subject, next.or(fail)))?.is_some() {
                self.b.jump(done, &[]);
                goes_on = true;
            }
            if let Some(next) = next {
                self.b.seal(next);
                self.b.switch_to(next);
            }
        }
        self.b.seal(done);
        self.b.switch_to(done);
        self.in_alternatives = outer;
        if !goes_on {
            self.unreachable();
            return Err(Stop::Diverged);
        }
        Ok(())
    }
    fn alternative(
        &mut self,
        pattern: &'p Pattern,
        guard: Option<&'p Expr>,
        subject: Subject,
        fail: Option<Block>,
    ) -> Lowered<()> {
        self.matches(pattern, subject, fail)?;
        match (guard, fail) {
            (Some(guard), Some(fail)) => self.condition(guard, fail),
            _ => Ok(()),
        }
    }
    fn bind_name(&mut self, local: LocalId, address: bool, subject: Subject) -> Lowered<()> {
        let element = match (subject.spot, address) {
            (&Spot::Element { slice, index }, true) => Some((slice, index)),
            (&Spot::Borrowed { slice, index }, false) => Some((slice, index)),
            _ => None,
        };
        if let Some((slice, index)) = element
            && !self.in_alternatives
            && self.locals.get(local).is_some_and(|local| !local.in_memory)
        {
            self.bindings[local] = Binding::Element { slice, index };
            return Ok(());
        }
        let value = match address {
            true => self.address(subject.spot, subject.ty)?,
            false => self.taken(local, subject)?,
        };
        self.bind(local, value)
    }
    fn taken(&mut self, local: LocalId, subject: Subject) -> Lowered {
        let borrow = subject.taking == Taking::Borrow && Copying::Lists.changes(subject.ty);
        if subject.taking == Taking::Copy || borrow && self.careful.contains(&local) {
            return self.take(subject.spot, subject.ty);
        }
        if borrow {
            self.borrowed.insert(local);
        }
        Ok(self.read(subject.spot, subject.ty))
    }

    fn test_length(
        &mut self,
        sequence: &Sequence,
        ty: Ty,
        count: usize,
        open: bool,
        fail: Option<Block>,
    ) {
        if let Some(fail) = fail
            && !matches!(ty, Ty::List(..))
        {
            let wanted = self.usize(count);
            let compare = if open { Prim::Ge } else { Prim::Eq };
            let fits = self.prim(compare, &[sequence.length, wanted]);
            self.otherwise(fits, fail);
        }
    }
    fn match_elements(
        &mut self,
        front: &'p [Pattern],
        behind: &'p [Pattern],
        sequence: &Sequence,
        subject: Subject,
        fail: Option<Block>,
    ) -> Lowered<()> {
        for (n, pattern) in front.iter().chain(behind).enumerate() {
            if matches!(pattern, Pattern::Wild) {
                continue;
            }
            let index = match n < front.len() {
                true => self.usize(n),
                false => {
                    let back = self.usize(front.len() + behind.len() - n);
                    self.prim(Prim::Sub, &[sequence.length, back])
                }
            };
            let spot = self.element(sequence, index);
            let mut part = subject.part(&spot, sequence.element);
            part.stays_if(matches!(subject.ty, Ty::Slice(_) | Ty::SliceMut(_)));
            self.matches(pattern, part, fail)?;
        }
        Ok(())
    }
    /// The elements between the first and the last ones.
    fn rest(&mut self, sequence: &Sequence, front: usize, behind: usize, ty: Ty) -> Spot {
        let [start, taken] = [front, front + behind].map(|n| self.usize(n));
        if let Ty::List(&element, _) = ty {
            let bytes = self.usize(front * stride(element));
            let address = match sequence.elements {
                Elements::Numbers(slice) => self.prim(Prim::Base, &[slice]),
                Elements::Objects(address) => address,
            };
            return Spot::Value(self.prim(Prim::Offset, &[address, bytes]));
        }
        let count = self.prim(Prim::Sub, &[sequence.length, taken]);
        Spot::Value(self.part_of(sequence, start, count))
    }
}

impl Subject<'_> {
    fn part<'s>(self, spot: &'s Spot, ty: Ty) -> Subject<'s> {
        Subject {
            spot,
            ty,
            tag: None,
            taking: self.taking,
        }
    }
    /// Pointees stay where they are.
    fn stays_if(&mut self, behind: bool) {
        if behind && self.taking == Taking::Move {
            self.taking = Taking::Copy;
        }
    }
}

/// Whether a pattern binds nothing and tests only one number or tag.
fn is_test(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Equal(..) | Pattern::Between(..) => true,
        Pattern::Variant(_, parts) => parts.iter().all(|(_, part)| matches!(part, Pattern::Wild)),
        Pattern::Or(alternatives) => alternatives.iter().all(is_test),
        _ => false,
    }
}
