//! Copies of values: of their lists, of everything that they own, or of their numbers as constants.

use super::body::Body;
use super::place::{Spot, flat};
use super::sequence::Sequence;
use super::{Job, Lowered, Lowering, Stop, error, thaw};
use crate::diag::{Diagnostic, Result};
use crate::front::repr::{is_indirect, is_inline, repr, slots};
use crate::front::ty::Ty;
use crate::ir::{Function, Prim, Symbol, Type, Value};

/// The purpose of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Copying {
    /// An independent value. Lists are copied, because they are values in the language and addresses in the IR. So is what closures own and change.
    Lists,
    /// `clone`: vectors and boxes are copied as well. Pointees of `&` and `Rc`, and cells in an `Rc`, stay shared.
    Deep,
    /// The same numbers as constants.
    Stopped,
    /// The same, but for numbers in memory that the value refers to and does not own, and for functions. They stay what they are.
    StoppedOwned,
}

impl Copying {
    pub fn name(self) -> &'static str {
        match self {
            Copying::Lists => "copy",
            Copying::Deep => "clone",
            Copying::Stopped => "stop",
            Copying::StoppedOwned => "stop_owned",
        }
    }

    /// Whether the numbers of the copy are constants.
    fn stops(self) -> bool {
        matches!(self, Copying::Stopped | Copying::StoppedOwned)
    }
    /// Whether such a copy of a value of this type differs from the value itself.
    pub fn changes(self, ty: Ty) -> bool {
        self.changes_one(ty, &mut Vec::new())
    }
    fn changes_one(self, ty: Ty, seen: &mut Vec<Ty>) -> bool {
        let stopped = self.stops();
        match ty {
            Ty::Scalar(ty) => stopped && ty.is_differentiable(),
            Ty::Tuple(parts) => parts.iter().any(|&part| self.changes_one(part, seen)),
            Ty::Closure(closure) => {
                let mut captures = closure.captures.iter();
                captures.any(|&part| {
                    self.changes_one(part, seen) || !stopped && matches!(part, Ty::Boxed(_))
                })
            }
            Ty::Adt(adt, _) => {
                if seen.contains(&ty) {
                    return false;
                }
                seen.push(ty);
                (0..adt.variants.len() as u32).any(|v| self.field_changes(ty, &ty.fields(v), seen))
            }
            Ty::List(..) | Ty::OpenList(..) if !stopped => true,
            Ty::Vec(_) | Ty::Boxed(_) if self == Copying::Deep => true,
            Ty::Vec(&part)
            | Ty::List(&part, _)
            | Ty::OpenList(&part, _)
            | Ty::Boxed(&part)
            | Ty::Array(&part)
            | Ty::Slice(&part) => stopped && self.changes_one(part, seen),
            Ty::SliceMut(&part) | Ty::Mut(&part) | Ty::Cell(&part, _) => {
                self == Copying::Stopped && self.changes_one(part, seen)
            }
            Ty::Dyn(_) => self == Copying::Stopped,
            Ty::Never | Ty::Str | Ty::Item(_) => false,
            Ty::Const(_) | Ty::Param(_) | Ty::Infer(_) => false,
        }
    }
    /// Whether storing a value of this type copies all that such a copy would copy.
    fn is_storing(self, ty: Ty) -> bool {
        match ty {
            Ty::List(&element, _) if !self.stops() && is_inline(ty) => {
                !self.changes(element) || self.is_storing(element)
            }
            _ => false,
        }
    }
    /// Whether a copy must visit one of these fields. Pointees are shared, unless derivatives are removed.
    fn field_changes(self, owner: Ty, fields: &[(&str, Ty)], seen: &mut Vec<Ty>) -> bool {
        let mut fields = fields.iter().map(|&(_, field)| field);
        fields.any(|field| {
            (self.stops() || !is_indirect(owner, field)) && self.changes_one(field, seen)
        })
    }
}

impl Body<'_, '_> {
    /// A copy of a value.
    pub fn duplicate(&mut self, value: Value, ty: Ty, how: Copying) -> Lowered {
        if !how.changes(ty) {
            return Ok(value);
        }
        match ty {
            Ty::Scalar(_) | Ty::Array(_) => Ok(self.stop_leaf(value)),
            Ty::Tuple(parts) => self.duplicate_parts(value, parts, how),
            Ty::Closure(closure) => self.duplicate_captures(value, closure.captures, how),
            Ty::Dyn(_) | Ty::Mut(_) | Ty::Cell(_, _) | Ty::SliceMut(_) => {
                let message = format!("`{ty}` cannot be made a constant here");
                let diagnostic = Diagnostic::new(self.b.span, message).help(
                    "call `stop_gradient` on the numbers that you read through the reference",
                );
                Err(Stop::Failed(Box::new(diagnostic.into())))
            }
            _ => {
                let whole = thaw(repr(ty));
                let value = self.fit(value, whole);
                Ok(self.call_job(Job::Copy(how, ty), &[value], whole))
            }
        }
    }
    fn duplicate_parts(&mut self, value: Value, parts: &[Ty], how: Copying) -> Lowered {
        let mut copies = Vec::new();
        for (n, &part) in parts.iter().enumerate() {
            let part_value = self.field(value, n as u32);
            copies.push(self.duplicate(part_value, part, how)?);
        }
        Ok(self.tuple(&copies))
    }
    /// A closure keeps what it owns and changes in boxes. Its copy gets boxes of its own.
    fn duplicate_captures(&mut self, value: Value, captures: &[Ty], how: Copying) -> Lowered {
        let mut copies = Vec::new();
        for (n, &capture) in captures.iter().enumerate() {
            let part = self.field(value, n as u32);
            copies.push(match capture {
                Ty::Boxed(&content) if how == Copying::Lists => {
                    self.copied_object(part, content, how)?
                }
                _ => self.duplicate(part, capture, how)?,
            });
        }
        Ok(self.tuple(&copies))
    }
    /// A number or array without its derivative. Other leaves have no derivative themselves.
    pub fn stop_leaf(&mut self, value: Value) -> Value {
        match self.ty(value) {
            ty @ (Type::F16 | Type::F32 | Type::F64) => {
                let bits = match ty {
                    Type::F16 | Type::F32 => Type::U32,
                    _ => Type::U64,
                };
                let bits = self.b.prim_to(Prim::Bitcast, &[value], bits);
                self.b.prim_to(Prim::Bitcast, &[bits], ty)
            }
            ty @ Type::Array(&element) if element.is_differentiable() => {
                let name = self.all.name(Job::StopNumber(element));
                self.b.map(name, &[value], ty)
            }
            _ => value,
        }
    }
    /// The body of a copying function.
    fn copied(&mut self, value: Value, ty: Ty, how: Copying) -> Lowered {
        match ty {
            Ty::Adt(adt, _) if adt.is_enum => self.copied_enum(value, ty, how),
            Ty::Adt(..) => {
                let fields = ty.fields(0);
                let places = 0..fields.len();
                self.copied_fields(value, ty, &fields, &places.collect::<Vec<_>>(), how)
            }
            Ty::Boxed(&content) => self.copied_object(value, content, how),
            Ty::List(&element, count) if flat(element, count) != (element, count) => {
                let (number, count) = flat(element, count);
                self.copied(value, Ty::list(number, count), how)
            }
            _ => {
                let sequence = self.sequence(&Spot::Value(value), ty)?;
                let Sequence {
                    length, element, ..
                } = sequence;
                let copy = self.allocate(length, element);
                self.times(length, |this, index| {
                    let from = this.element(&sequence, index);
                    let item = this.read(&from, element);
                    let item = this.duplicate_to_store(item, element, how)?;
                    this.put(copy, index, element, item)
                })?;
                let owner = match ty {
                    Ty::Slice(_) => Ty::vec(element),
                    ty => ty,
                };
                let copy = self.finished(copy, length, owner);
                Ok(match ty {
                    Ty::Slice(_) => self.field(copy, 0),
                    _ => copy,
                })
            }
        }
    }
    fn copied_object(&mut self, address: Value, content: Ty, how: Copying) -> Lowered {
        let value = self.load(address, 0, content);
        let value = self.duplicate_to_store(value, content, how)?;
        self.object_of(value, content)
    }
    /// A copy of a value that is stored next: that alone copies fixed arrays.
    pub fn duplicate_to_store(&mut self, value: Value, ty: Ty, how: Copying) -> Lowered {
        match how.is_storing(ty) {
            true => Ok(value),
            false => self.duplicate(value, ty, how),
        }
    }
    /// A tuple in IR with copies of the fields at these positions.
    fn copied_fields(
        &mut self,
        value: Value,
        owner: Ty,
        fields: &[(&'static str, Ty)],
        places: &[usize],
        how: Copying,
    ) -> Lowered {
        let Type::Tuple(types) = self.ty(value) else {
            return Ok(value);
        };
        let mut parts: Vec<Value> = (0..types.len() as u32)
            .map(|n| self.field(value, n))
            .collect();
        for (&(_, field), &place) in fields.iter().zip(places) {
            parts[place] = match is_indirect(owner, field) {
                true if how.stops() && how.changes(field) => {
                    self.copied_object(parts[place], field, how)?
                }
                true => parts[place],
                false => self.duplicate(parts[place], field, how)?,
            };
        }
        Ok(self.tuple(&parts))
    }
    fn copied_enum(&mut self, value: Value, ty: Ty, how: Copying) -> Lowered {
        let whole = self.ty(value);
        let tag = self.field(value, 0);
        let done = self.b.new_block();
        let result = self.b.add_param(done, whole);
        for (variant, slots) in slots(ty).variants.iter().enumerate() {
            let fields = ty.fields(variant as u32);
            if !how.field_changes(ty, &fields, &mut Vec::new()) {
                continue;
            }
            let next = self.b.new_block();
            let is_this = self.is_variant(tag, variant);
            self.otherwise(is_this, next);
            self.b.seal(next);
            let places: Vec<usize> = slots.iter().map(|slot| slot + 1).collect();
            let copy = self.copied_fields(value, ty, &fields, &places, how)?;
            self.b.jump(done, &[copy]);
            self.b.switch_to(next);
        }
        self.b.jump(done, &[value]);
        self.b.seal(done);
        self.b.switch_to(done);
        Ok(result)
    }
}

impl Lowering<'_> {
    /// The function that copies values of a type.
    pub fn copy(&mut self, name: Symbol, how: Copying, ty: Ty) -> Result<Function> {
        let whole = thaw(repr(ty));
        let mut body = Body::new(self, Function::new(name, &[whole], whole));
        let value = body.b.function.params()[0];
        let copy = body.copied(value, ty, how).map_err(error)?;
        let copy = body.fit(copy, whole);
        body.b.ret(copy);
        Ok(body.finish())
    }
    /// The function that makes a number a constant.
    pub fn stop_number(&mut self, name: Symbol, ty: Type) -> Result<Function> {
        let mut body = Body::new(self, Function::new(name, &[ty], ty));
        let value = body.b.function.params()[0];
        let stopped = body.stop_leaf(value);
        body.b.ret(stopped);
        Ok(body.finish())
    }
}
