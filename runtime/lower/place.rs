//! Places: variables, objects and the projections into them; reading, writing, and taking addresses.

use super::body::{Binding, Body};
use super::copy::Copying;
use super::sequence::{Elements, Sequence};
use super::{Lowered, Stop, malformed, thaw};
use crate::front::repr::{
    Part, Stored, has_elements, is_indirect, is_inline, memory, offset_of, parts, repr, size, slots,
};
use crate::front::ty::Ty;
use crate::front::typed::{Base, Expr, ExprKind, LocalId, Place, Projection};
use crate::ir::layout::layout;
use crate::ir::{Const, Fault, Prim, Type, Value};

/// A place with its operands computed and its bounds checked. Its content is read only on demand.
#[derive(Clone)]
pub(super) enum Spot {
    /// A temporary value.
    Value(Value),
    /// A variable in SSA form, and the positions of fields inside.
    Variable(LocalId, Vec<u32>),
    /// An element of a slice of numbers.
    Element { slice: Value, index: Value },
    /// The temporary address of such an element, not computed yet.
    Borrowed { slice: Value, index: Value },
    /// The memory at an address plus an offset.
    Memory(Value, u32),
    /// A temporary pair of the contents of two places.
    Pair(Box<(Spot, Ty)>, Box<(Spot, Ty)>),
}

/// The elements of a fixed array that are copied without a loop.
const MOST_IN_LINE: usize = 8;

impl<'p> Body<'_, 'p> {
    /// Computes a place's operands and checks its bounds.
    pub fn place(&mut self, place: &'p Place) -> Lowered<(Spot, Ty)> {
        let mut projections = &place.projections[..];
        let (mut spot, mut ty) = match &place.base {
            Base::Local(local) => (self.local(*local)?, self.locals[*local].ty),
            Base::Value(value) => match (&value.kind, projections) {
                // `*&mut place` is the place.
                (ExprKind::Address(inner), [Projection::Deref(_), rest @ ..]) => {
                    projections = rest;
                    self.place(inner)?
                }
                _ => (Spot::Value(self.expr(value)?), value.ty),
            },
        };
        for step in projections {
            (spot, ty) = self.step(spot, ty, step)?;
        }
        Ok((spot, ty))
    }
    /// Like `place`, for a place that is only read: an element of a table of constants is in a table that is created once.
    pub fn read_place(&mut self, place: &'p Place) -> Lowered<(Spot, Ty)> {
        if let (Base::Value(table), [Projection::Index(..), ..]) =
            (&place.base, &place.projections[..])
            && matches!(table.kind, ExprKind::List(_))
            && is_constant(table)
        {
            let address = self.on_entry(|this| this.expr(table))?;
            let (mut spot, mut ty) = (Spot::Value(address), table.ty);
            for step in &place.projections {
                (spot, ty) = self.step(spot, ty, step)?;
            }
            return Ok((spot, ty));
        }
        self.place(place)
    }
    /// Like `place`, for a place that is changed.
    pub fn changed_place(&mut self, place: &'p Place) -> Lowered<(Spot, Ty)> {
        match place.base {
            Base::Local(local) if self.borrowed.contains(&local) => Err(Stop::Again(local)),
            _ => self.place(place),
        }
    }
    fn local(&mut self, local: LocalId) -> Lowered<Spot> {
        let Some(&binding) = self.bindings.get(local) else {
            return malformed(format!("there is no variable {local}"));
        };
        Ok(match binding {
            Binding::Nowhere if self.locals[local].in_memory => {
                let object = self.early_object(local);
                Spot::Memory(self.b.read(object), 0)
            }
            Binding::Object(object) => Spot::Memory(self.b.read(object), 0),
            Binding::Nowhere | Binding::Variable(_) => Spot::Variable(local, Vec::new()),
            Binding::Element { slice, index } => Spot::Borrowed { slice, index },
        })
    }
    /// The pointee of an expression of type `Ty::Mut`.
    pub fn target(&mut self, address: &'p Expr) -> Lowered<(Spot, Ty)> {
        match (&address.kind, address.ty) {
            (ExprKind::Address(place), _) => self.changed_place(place),
            (_, Ty::Mut(&ty) | Ty::Boxed(&ty) | Ty::Cell(&ty, _)) => {
                Ok((Spot::Memory(self.expr(address)?, 0), ty))
            }
            (_, ty) => malformed(format!("{ty} is no address")),
        }
    }
    /// Applies one projection.
    pub fn step(&mut self, spot: Spot, ty: Ty, step: &'p Projection) -> Lowered<(Spot, Ty)> {
        match *step {
            Projection::Field(n, field) => Ok((self.part(spot, ty, n, field), field)),
            Projection::Payload {
                variant,
                field,
                ty: payload,
            } => {
                let slot = slots(ty).variants[variant as usize][field as usize];
                Ok((self.part(spot, ty, slot as u32 + 1, payload), payload))
            }
            Projection::Deref(content) if content == ty => Ok((spot, ty)),
            Projection::Deref(content) => Ok((self.content(spot, ty), content)),
            Projection::Borrow(_) => malformed("a borrow that is not written out"),
            Projection::Index(ref index, element, span) => {
                let index = self.expr(index)?;
                self.b.span = span;
                let sequence = self.sequence(&spot, ty)?;
                let length = sequence.length;
                let inside = self.prim(Prim::Lt, &[index, length]);
                let fault = Prim::Assert(Fault::IndexOutOfBounds);
                self.prim(fault, &[inside, index, length]);
                Ok((self.element(&sequence, index), element))
            }
        }
    }
    /// The pointee of a value that is an address.
    pub fn content(&mut self, spot: Spot, ty: Ty) -> Spot {
        match spot {
            Spot::Borrowed { slice, index } => Spot::Element { slice, index },
            spot => Spot::Memory(self.read(&spot, ty), 0),
        }
    }
    /// A field of a struct or a variant, by its position in the tuple in IR.
    fn part(&mut self, spot: Spot, owner: Ty, n: u32, field: Ty) -> Spot {
        let spot = self.project(spot, owner, n);
        match owner {
            Ty::Adt(..) if is_indirect(owner, field) => {
                Spot::Memory(self.read_as(&spot, Type::Ptr), 0)
            }
            // What a closure changes is behind an address, so its captures are only read.
            Ty::Closure(_) => Spot::Value(self.read_as(&spot, repr(field))),
            _ => spot,
        }
    }
    /// The n-th part of the tuple in IR that represents a value.
    pub fn project(&mut self, spot: Spot, owner: Ty, n: u32) -> Spot {
        match spot {
            Spot::Value(value) => Spot::Value(self.field(value, n)),
            Spot::Variable(local, mut way) => {
                way.push(n);
                Spot::Variable(local, way)
            }
            Spot::Memory(address, offset) => Spot::Memory(address, offset + offset_of(owner, n)),
            Spot::Pair(first, second) => {
                if n == 0 {
                    first.0
                } else {
                    second.0
                }
            }
            // Numbers and addresses have no fields.
            spot @ (Spot::Element { .. } | Spot::Borrowed { .. }) => spot,
        }
    }
    /// An element, with a bounds check.
    pub fn element(&mut self, sequence: &Sequence, index: Value) -> Spot {
        match sequence.elements {
            Elements::Numbers(slice) => Spot::Element { slice, index },
            Elements::Objects(address) => {
                let address = self.object_at(address, index, sequence.element);
                Spot::Memory(address, 0)
            }
        }
    }

    /// The value in a place.
    pub fn read(&mut self, spot: &Spot, ty: Ty) -> Value {
        match spot {
            Spot::Memory(address, offset) => self.load(*address, *offset, ty),
            spot => self.read_as(spot, repr(ty)),
        }
    }
    /// The value in a place, for a type in IR without fixed arrays.
    pub fn read_as(&mut self, spot: &Spot, ty: Type) -> Value {
        match spot {
            Spot::Value(value) => *value,
            Spot::Variable(local, way) => {
                let variable = match self.bindings[*local] {
                    Binding::Variable(variable) => variable,
                    // A variable that was never initialised is never read.
                    _ => return self.zero(ty),
                };
                let value = self.b.read(variable);
                if way.is_empty() {
                    self.label(value, self.locals[*local].name);
                }
                way.iter().fold(value, |value, &n| self.field(value, n))
            }
            Spot::Element { slice, index } => self.prim(Prim::Load, &[*slice, *index]),
            Spot::Borrowed { slice, index } => self.element_address(*slice, *index),
            Spot::Memory(address, offset) => self.load_words(*address, *offset, ty),
            Spot::Pair(first, second) => {
                let fields = [first, second].map(|part| self.read(&part.0, part.1));
                self.tuple(&fields)
            }
        }
    }
    /// The value in a place as an independent value: its lists are copied.
    pub fn take(&mut self, spot: &Spot, ty: Ty) -> Lowered {
        let value = self.read(spot, ty);
        self.duplicate(value, ty, Copying::Lists)
    }
    /// Assigns a value to a place.
    pub fn write(&mut self, spot: &Spot, ty: Ty, value: Value) -> Lowered<()> {
        match spot {
            Spot::Memory(address, offset) => {
                let value = match self.constant {
                    true => self.duplicate(value, ty, Copying::StoppedOwned)?,
                    false => value,
                };
                self.store(*address, *offset, ty, value)
            }
            spot => self.write_as(spot, value),
        }
    }
    /// Assigns a value to a place, of a type in IR without fixed arrays.
    pub fn write_as(&mut self, spot: &Spot, value: Value) -> Lowered<()> {
        match spot {
            Spot::Variable(local, way) if way.is_empty() => self.assign(*local, value)?,
            Spot::Variable(local, way) => {
                let Binding::Variable(variable) = self.bindings[*local] else {
                    return malformed("a field of a variable without a value is assigned");
                };
                let old = self.b.read(variable);
                let new = self.with(old, way, value);
                self.assign(*local, new)?;
            }
            Spot::Element { slice, index } => {
                let value = self.stored(value);
                self.prim(Prim::Store, &[*slice, *index, value]);
            }
            Spot::Memory(address, offset) => self.store_words(*address, *offset, value),
            // A write to a temporary cannot be observed.
            Spot::Value(_) | Spot::Borrowed { .. } | Spot::Pair(..) => {}
        }
        Ok(())
    }
    /// A tuple with another value for one of its parts.
    fn with(&mut self, tuple: Value, way: &[u32], value: Value) -> Value {
        let Some((&n, rest)) = way.split_first() else {
            return value;
        };
        let Type::Tuple(types) = self.ty(tuple) else {
            return tuple;
        };
        let mut fields: Vec<Value> = Vec::new();
        for k in 0..types.len() as u32 {
            let field = self.field(tuple, k);
            fields.push(if k == n {
                self.with(field, rest, value)
            } else {
                field
            });
        }
        self.tuple(&fields)
    }
    /// The address of the content of a place. A temporary is moved to a new object.
    pub fn address(&mut self, spot: &Spot, ty: Ty) -> Lowered {
        match spot {
            Spot::Memory(address, offset) => Ok(self.behind(*address, *offset)),
            Spot::Element { slice, index } => Ok(self.element_address(*slice, *index)),
            Spot::Variable(local, _) => {
                let name = self.locals[*local].name;
                malformed(format!("the address of `{name}` is taken, but it has none"))
            }
            Spot::Value(_) | Spot::Borrowed { .. } | Spot::Pair(..) => {
                let value = self.read(spot, ty);
                self.object_of(value, ty)
            }
        }
    }
    /// The address of an element of a slice of numbers.
    fn element_address(&mut self, slice: Value, index: Value) -> Value {
        let element = self.ty(slice).element();
        let size = self.usize(element.and_then(Type::size).unwrap_or(0));
        let base = self.prim(Prim::Base, &[slice]);
        let offset = self.prim(Prim::Mul, &[index, size]);
        self.prim(Prim::Offset, &[base, offset])
    }

    /// The address so many bytes behind another one.
    fn behind(&mut self, address: Value, offset: u32) -> Value {
        match offset {
            0 => address,
            offset => {
                let offset = self.usize(offset as usize);
                self.prim(Prim::Offset, &[address, offset])
            }
        }
    }
    /// A new object for a value of this type; null for a type of size zero.
    pub fn new_object(&mut self, ty: Ty) -> Value {
        match size(ty) {
            0 => self.b.constant(Const::Null, Type::Ptr),
            bytes => {
                let bytes = self.usize(bytes);
                self.prim(Prim::Alloc, &[bytes])
            }
        }
    }
    /// A new object with this value.
    pub fn object_of(&mut self, value: Value, ty: Ty) -> Lowered {
        let object = self.new_object(ty);
        self.store(object, 0, ty, value)?;
        Ok(object)
    }
    /// Reads a value from an object. Slices in objects are mutable. The fixed arrays in it stay where they are.
    pub fn load(&mut self, address: Value, offset: u32, ty: Ty) -> Value {
        let mut found = Vec::new();
        for (place, leaf) in memory(ty).leaves {
            found.push(match leaf {
                Stored::Leaf(leaf) => self.load_leaf(address, offset + place, thaw(leaf)),
                Stored::Elements { .. } => self.behind(address, offset + place),
            });
        }
        self.assemble(repr(ty), &mut found.into_iter())
    }
    /// Reads a value without fixed arrays from an object. Its type in IR says where its leaves are.
    fn load_words(&mut self, address: Value, offset: u32, ty: Type) -> Value {
        let mut found = Vec::new();
        for (place, leaf) in layout(thaw(ty)).0 {
            found.push(self.load_leaf(address, offset + place, leaf));
        }
        self.assemble(ty, &mut found.into_iter())
    }
    fn load_leaf(&mut self, address: Value, at: u32, leaf: Type) -> Value {
        match leaf {
            Type::SliceMut(_) => {
                let base = self.get(address, at, Type::Ptr);
                let length = self.get(address, at + 8, Type::Usize);
                self.b.prim_to(Prim::View, &[base, length], leaf)
            }
            leaf => self.get(address, at, leaf),
        }
    }
    fn get(&mut self, address: Value, offset: u32, ty: Type) -> Value {
        self.b.prim_to(Prim::Get(offset), &[address], ty)
    }
    /// Builds a value from its leaves.
    fn assemble(&mut self, ty: Type, parts: &mut dyn Iterator<Item = Value>) -> Value {
        match ty {
            Type::Tuple(fields) => {
                let fields: Vec<Value> = fields
                    .iter()
                    .map(|&field| self.assemble(field, parts))
                    .collect();
                self.tuple(&fields)
            }
            _ => parts.next().expect("as many leaves as the type has"),
        }
    }
    /// Writes a value into an object. Of fixed arrays in it the elements are copied.
    pub fn store(&mut self, address: Value, offset: u32, ty: Ty, value: Value) -> Lowered<()> {
        match ty {
            _ if !has_elements(ty) => self.store_words(address, offset, value),
            Ty::List(&element, count) if is_inline(ty) => {
                let to = self.behind(address, offset);
                self.copy_elements(value, to, element, count)?;
            }
            Ty::Adt(adt, _) if adt.is_enum => self.store_variant(address, offset, ty, value)?,
            _ => {
                for (n, part) in (0..).zip(parts(ty).into_iter().flatten()) {
                    let value = self.field(value, n);
                    self.store_part(address, offset + offset_of(ty, n), part, value)?;
                }
            }
        }
        Ok(())
    }
    fn store_part(&mut self, address: Value, offset: u32, part: Part, value: Value) -> Lowered<()> {
        match part {
            Part::Value(ty) => self.store(address, offset, ty, value),
            Part::Word(_) => {
                self.store_words(address, offset, value);
                Ok(())
            }
        }
    }
    /// Writes an enum: of the fields with fixed arrays only those of its variant, because others have no elements.
    fn store_variant(&mut self, address: Value, offset: u32, ty: Ty, value: Value) -> Lowered<()> {
        let whole = slots(ty);
        let copied: Vec<bool> = { whole.parts.iter() }
            .map(|&part| matches!(part, Part::Value(ty) if has_elements(ty)))
            .collect();
        let tag = self.field(value, 0);
        self.store_words(address, offset, tag);
        for (n, part) in (1..).zip(&whole.parts) {
            if !copied[n as usize - 1] {
                let value = self.field(value, n);
                self.store_part(address, offset + offset_of(ty, n), *part, value)?;
            }
        }
        for (variant, slots) in whole.variants.iter().enumerate() {
            if !slots.iter().any(|&slot| copied[slot]) {
                continue;
            }
            let next = self.b.new_block();
            let is_this = self.is_variant(tag, variant);
            self.otherwise(is_this, next);
            for (&slot, (_, field)) in slots.iter().zip(ty.fields(variant as u32)) {
                if copied[slot] {
                    let n = slot as u32 + 1;
                    let value = self.field(value, n);
                    self.store(address, offset + offset_of(ty, n), field, value)?;
                }
            }
            self.b.jump(next, &[]);
            self.b.seal(next);
            self.b.switch_to(next);
        }
        Ok(())
    }
    /// Copies the elements of a fixed array.
    fn copy_elements(&mut self, from: Value, to: Value, element: Ty, count: usize) -> Lowered<()> {
        if count == 0 || size(element) == 0 {
            return Ok(());
        }
        let (element, count) = flat(element, count);
        let length = self.usize(count);
        let [from, to] = [from, to].map(|address| self.at(address, length, element));
        let copy = |this: &mut Self, index| {
            let value = this.element_value(from, index, element);
            this.put(to, index, element, value)
        };
        match count <= MOST_IN_LINE {
            true => (0..count).try_for_each(|n| {
                let index = self.usize(n);
                copy(self, index)
            }),
            false => self.times(length, copy),
        }
    }
    /// Writes a value without fixed arrays into an object. Its type in IR says where its leaves go.
    fn store_words(&mut self, address: Value, offset: u32, value: Value) {
        let places = layout(self.ty(value)).0;
        let mut parts = Vec::new();
        self.take_apart(value, &mut parts);
        for ((place, _), part) in places.into_iter().zip(parts) {
            let at = offset + place;
            match self.ty(part) {
                Type::Slice(_) | Type::SliceMut(_) => {
                    let base = self.prim(Prim::Base, &[part]);
                    let length = self.prim(Prim::Len, &[part]);
                    self.prim(Prim::Set(at), &[address, base]);
                    self.prim(Prim::Set(at + 8), &[address, length]);
                }
                _ => {
                    let part = self.stored(part);
                    self.prim(Prim::Set(at), &[address, part]);
                }
            }
        }
    }
    /// A value's leaves.
    fn take_apart(&mut self, value: Value, parts: &mut Vec<Value>) {
        match self.ty(value) {
            Type::Tuple(fields) => {
                for n in 0..fields.len() as u32 {
                    let field = self.field(value, n);
                    self.take_apart(field, parts);
                }
            }
            _ => parts.push(value),
        }
    }
    /// A leaf as it is stored: without its derivative where nothing has a derivative.
    fn stored(&mut self, leaf: Value) -> Value {
        match self.constant {
            true => self.stop_leaf(leaf),
            false => leaf,
        }
    }

    /// `place = value`: the value is computed first.
    pub fn assign_place(&mut self, place: &'p Place, value: &'p Expr) -> Lowered {
        let new = self.expr(value)?;
        if let (Base::Local(local), []) = (&place.base, &place.projections[..])
            && matches!(self.bindings.get(*local), Some(Binding::Nowhere))
            && !self.locals[*local].in_memory
        {
            self.assign(*local, new)?;
        } else {
            let (spot, ty) = self.changed_place(place)?;
            self.write(&spot, ty, new)?;
        }
        Ok(self.b.unit())
    }
    /// Swaps the contents of two places.
    pub fn swap(&mut self, a: &'p Expr, b: &'p Expr) -> Lowered {
        let (a, ty) = self.target(a)?;
        let (b, _) = self.target(b)?;
        // What is read must not change when its place is written.
        let (x, y) = (self.take(&a, ty)?, self.read(&b, ty));
        self.write(&a, ty, y)?;
        self.write(&b, ty, x)?;
        Ok(self.b.unit())
    }
    /// Stores a value and returns the previous one.
    pub fn replace(&mut self, place: &'p Expr, value: &'p Expr) -> Lowered {
        let (spot, ty) = self.target(place)?;
        let new = self.expr(value)?;
        let old = self.take(&spot, ty)?;
        self.write(&spot, ty, new)?;
        Ok(old)
    }
}

/// The numbers of an array of arrays of numbers, which stand one after the other like those of one array. Other arrays stay as they are.
pub(super) fn flat(element: Ty, count: usize) -> (Ty, usize) {
    match element {
        Ty::List(&inner, n) if is_inline(element) => match flat(inner, n) {
            (number, n) if number.scalar().is_some() => (number, count * n),
            _ => (element, count),
        },
        _ => (element, count),
    }
}

/// Whether an expression is made of constants alone.
pub(super) fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(_) => true,
        ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().all(is_constant),
        _ => false,
    }
}

/// Whether lowering continues: `None` if the expression diverged.
pub(super) fn reached<T>(outcome: Lowered<T>) -> Lowered<Option<T>> {
    match outcome {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Diverged) => Ok(None),
        Err(stop) => Err(stop),
    }
}
