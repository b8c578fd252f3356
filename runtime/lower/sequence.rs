//! Slices, lists and vectors: their elements, and the operations of vectors.

use super::body::Body;
use super::copy::Copying;
use super::place::Spot;
use super::{Job, Lowered, Lowering, malformed, thaw};
use crate::diag::Result;
use crate::front::repr::{buffer, repr, stride};
use crate::front::ty::Ty;
use crate::front::typed::{Base, Expr, ExprKind, Place, Projection};
use crate::ir::{Const, Fault, Function, Prim, Symbol, Type, Value};

/// Elements one after the other.
#[derive(Clone, Copy)]
pub(super) struct Sequence {
    pub elements: Elements,
    pub length: Value,
    /// The type of an element.
    pub element: Ty,
}

/// Where the elements are.
#[derive(Clone, Copy)]
pub(super) enum Elements {
    /// Numbers: a slice that is at least as long as the sequence.
    Numbers(Value),
    /// Others: the address of the first.
    Objects(Value),
}

const UNREACHABLE: &str = "internal error: entered unreachable code";

impl<'p> Body<'_, 'p> {
    /// The elements of the content of a place.
    pub fn sequence(&mut self, spot: &Spot, ty: Ty) -> Lowered<Sequence> {
        let (elements, length, element) = match ty {
            Ty::Slice(&element) | Ty::SliceMut(&element) => {
                let value = self.read(spot, ty);
                let (elements, length) = self.parts(value, element);
                (elements, length, element)
            }
            Ty::Vec(&element) => {
                let held = self.project(spot.clone(), ty, 0);
                let held = self.read_as(&held, buffer(element));
                let (elements, _) = self.parts(held, element);
                let length = self.project(spot.clone(), ty, 1);
                (elements, self.read_as(&length, Type::Usize), element)
            }
            Ty::List(&element, n) => {
                let address = self.read(spot, ty);
                let length = self.usize(n);
                (self.at(address, length, element), length, element)
            }
            Ty::Mut(&content) | Ty::Boxed(&content) | Ty::Cell(&content, _) => {
                let spot = self.content(spot.clone(), ty);
                return self.sequence(&spot, content);
            }
            ty => return malformed(format!("{ty} has no elements")),
        };
        Ok(Sequence {
            elements,
            length,
            element,
        })
    }
    /// The elements of the value of an expression. From a place only the needed parts are read.
    pub fn sequence_of(&mut self, expr: &'p Expr) -> Lowered<Sequence> {
        let (spot, ty) = match &expr.kind {
            ExprKind::Read { place, copy } => {
                let (spot, ty) = self.place(place)?;
                self.b.span = expr.span;
                match *copy && self.may_change(place) {
                    true => (Spot::Value(self.take(&spot, ty)?), ty),
                    false => (spot, ty),
                }
            }
            _ => (Spot::Value(self.expr(expr)?), expr.ty),
        };
        self.b.span = expr.span;
        self.sequence(&spot, ty)
    }
    /// Whether a place may change while its elements are in use. A variable and its fields are assumed to stay. If the function changes the variable,
    /// `changed_place` stops the lowering, which then starts again with a copy.
    fn may_change(&mut self, place: &Place) -> bool {
        let is_field = |step: &Projection| matches!(step, Projection::Field(..));
        match place.base {
            Base::Local(local) if place.projections.iter().all(is_field) => {
                let changes = self.careful.contains(&local);
                if !changes {
                    self.borrowed.insert(local);
                }
                changes
            }
            _ => true,
        }
    }
    /// The elements of a slice or buffer in IR, and its length.
    pub fn parts(&mut self, value: Value, element: Ty) -> (Elements, Value) {
        match element.scalar() {
            Some(_) => (Elements::Numbers(value), self.prim(Prim::Len, &[value])),
            None => (
                Elements::Objects(self.field(value, 0)),
                self.field(value, 1),
            ),
        }
    }
    /// Elements at an address.
    pub fn at(&mut self, address: Value, length: Value, element: Ty) -> Elements {
        match element.scalar() {
            Some(number) => {
                let ty = Type::slice_mut(number);
                Elements::Numbers(self.b.prim_to(Prim::View, &[address, length], ty))
            }
            None => Elements::Objects(address),
        }
    }
    /// A slice or buffer in IR of these elements.
    pub fn whole(&mut self, elements: Elements, length: Value) -> Value {
        match elements {
            Elements::Numbers(slice) => slice,
            Elements::Objects(address) => self.tuple(&[address, length]),
        }
    }
    /// The address of an element that is no number.
    pub fn object_at(&mut self, address: Value, index: Value, element: Ty) -> Value {
        let size = self.usize(stride(element));
        let offset = self.prim(Prim::Mul, &[index, size]);
        self.prim(Prim::Offset, &[address, offset])
    }
    /// A part of a sequence whose bounds are checked, as a slice in IR.
    pub fn part_of(&mut self, sequence: &Sequence, start: Value, count: Value) -> Value {
        match sequence.elements {
            Elements::Numbers(slice) => self.prim(Prim::Subslice, &[slice, start, count]),
            Elements::Objects(address) => {
                let address = self.object_at(address, start, sequence.element);
                self.tuple(&[address, count])
            }
        }
    }
    /// A vector or list as a slice.
    pub fn as_slice(&mut self, expr: &'p Expr) -> Lowered {
        if matches!(expr.ty, Ty::Slice(_) | Ty::SliceMut(_)) {
            return self.expr(expr);
        }
        let sequence = self.sequence_of(expr)?;
        Ok(match (sequence.elements, expr.ty) {
            (Elements::Numbers(slice), Ty::List(..)) => slice,
            _ => {
                let zero = self.usize(0);
                self.part_of(&sequence, zero, sequence.length)
            }
        })
    }
    /// `x[from..to]`, with the checks that Rust makes.
    pub fn subslice(
        &mut self,
        expr: &'p Expr,
        slice: &'p Expr,
        from: Option<&'p Expr>,
        to: Option<&'p Expr>,
        inclusive: bool,
    ) -> Lowered {
        let sequence = self.sequence_of(slice)?;
        let from = from.map(|from| self.expr(from)).transpose()?;
        let to = to.map(|to| self.expr(to)).transpose()?;
        self.b.span = expr.span;
        let length = sequence.length;
        let end = match to {
            Some(to) if inclusive => {
                let one = self.usize(1);
                self.checked(Prim::Add, to, one)
            }
            to => to.unwrap_or(length),
        };
        let start = match from {
            Some(from) => from,
            None => self.usize(0),
        };
        let checks = [
            from.map(|_| (start, end, end)),
            to.map(|written| (end, length, written)),
        ];
        for (low, high, shown) in checks.into_iter().flatten() {
            let ordered = self.prim(Prim::Le, &[low, high]);
            let fault = Prim::Assert(Fault::SliceOutOfBounds);
            self.prim(fault, &[ordered, start, shown, length]);
        }
        let count = self.prim(Prim::Sub, &[end, start]);
        Ok(self.part_of(&sequence, start, count))
    }

    /// Allocates memory for elements.
    pub fn allocate(&mut self, count: Value, element: Ty) -> Elements {
        if let (Some(number), Some(Const::Int(0))) =
            (element.scalar(), self.b.function.as_const(count))
        {
            let nothing = self.b.constant(Const::Null, Type::slice_mut(number));
            return Elements::Numbers(nothing);
        }
        let size = self.usize(stride(element));
        let bytes = self.prim(Prim::Mul, &[count, size]);
        let address = match self.b.function.as_const(bytes) {
            Some(Const::Int(0)) => self.b.constant(Const::Null, Type::Ptr),
            _ => self.prim(Prim::Alloc, &[bytes]),
        };
        self.at(address, count, element)
    }
    /// Like `allocate`, with a check that the number of elements is not too large.
    fn allocate_checked(&mut self, count: Value, element: Ty) -> Elements {
        if let Some(most) = (isize::MAX as usize).checked_div(stride(element)) {
            let most = self.usize(most);
            let fits = self.prim(Prim::Le, &[count, most]);
            self.require(fits, "capacity overflow");
        }
        self.allocate(count, element)
    }
    /// A list or vector of these elements, all of them.
    pub fn finished(&mut self, elements: Elements, count: Value, ty: Ty) -> Value {
        match (ty, elements) {
            (Ty::List(..), Elements::Objects(address)) => address,
            (Ty::List(..), Elements::Numbers(slice)) => self.prim(Prim::Base, &[slice]),
            _ => {
                let buffer = self.whole(elements, count);
                self.tuple(&[buffer, count])
            }
        }
    }
    /// `[a, b]`, `vec![a, b]`
    pub fn list(&mut self, expr: &'p Expr, items: &'p [Expr]) -> Lowered {
        let values = self.exprs(items)?;
        self.b.span = expr.span;
        let (Ty::List(&element, _) | Ty::Vec(&element)) = expr.ty else {
            return malformed(format!("{} is no list", expr.ty));
        };
        if values.is_empty() {
            return Ok(self.zero(repr(expr.ty)));
        }
        let count = self.usize(values.len());
        let elements = self.allocate(count, element);
        for (n, value) in values.into_iter().enumerate() {
            let index = self.usize(n);
            self.put(elements, index, element, value)?;
        }
        Ok(self.finished(elements, count, expr.ty))
    }
    /// `[x; n]`, `vec![x; n]`
    pub fn repeat(&mut self, expr: &'p Expr, item: &'p Expr, count: &'p Expr) -> Lowered {
        let value = self.expr(item)?;
        let count = self.expr(count)?;
        self.b.span = expr.span;
        let elements = match expr.ty {
            Ty::List(..) => self.allocate(count, item.ty),
            _ => self.allocate_checked(count, item.ty),
        };
        // New memory is zero.
        let zero = crate::ir::eval::zero(self.ty(value));
        if !item
            .ty
            .scalar()
            .is_some_and(|_| self.b.function.as_const(value) == Some(zero))
        {
            self.times(count, |this, index| {
                let copy = this.duplicate_to_store(value, item.ty, Copying::Deep)?;
                this.put(elements, index, item.ty, copy)
            })?;
        }
        Ok(self.finished(elements, count, expr.ty))
    }
    /// An empty vector with a capacity.
    pub fn with_capacity(&mut self, expr: &'p Expr, capacity: &'p Expr) -> Lowered {
        let capacity = self.expr(capacity)?;
        self.b.span = expr.span;
        let Ty::Vec(&element) = expr.ty else {
            return malformed(format!("{} is no vector", expr.ty));
        };
        let elements = self.allocate_checked(capacity, element);
        let buffer = self.whole(elements, capacity);
        let length = self.usize(0);
        Ok(self.tuple(&[buffer, length]))
    }
    /// The value of an element.
    pub fn element_value(&mut self, elements: Elements, index: Value, element: Ty) -> Value {
        let spot = self.unchecked(elements, index, element);
        self.read(&spot, element)
    }
    /// Stores a value in an element.
    pub fn put(
        &mut self,
        elements: Elements,
        index: Value,
        element: Ty,
        value: Value,
    ) -> Lowered<()> {
        let spot = self.unchecked(elements, index, element);
        self.write(&spot, element, value)
    }
    /// The place of an element that is known to exist.
    fn unchecked(&mut self, elements: Elements, index: Value, element: Ty) -> Spot {
        let length = index;
        let sequence = Sequence {
            elements,
            length,
            element,
        };
        self.element(&sequence, index)
    }
    /// A loop that runs `body` with 0, 1, … up to `count`, exclusive.
    pub fn times(
        &mut self,
        count: Value,
        body: impl FnOnce(&mut Self, Value) -> Lowered<()>,
    ) -> Lowered<()> {
        let span = self.b.span;
        self.unset_span();
        let (start, one) = (self.usize(0), self.usize(1));
        let [header, inside, exit] = [(); 3].map(|_| self.b.new_block());
        let index = self.b.add_param(header, Type::Usize);
        self.b.jump(header, &[start]);
        self.b.switch_to(header);
        let more = self.prim(Prim::Lt, &[index, count]);
        self.b.branch(more, (inside, &[]), (exit, &[]));
        self.b.seal(inside);
        self.b.switch_to(inside);
        self.b.span = span;
        body(self, index)?;
        self.unset_span();
        let next = self.prim(Prim::Add, &[index, one]);
        self.b.jump(header, &[next]);
        self.b.seal(header);
        self.b.seal(exit);
        self.b.switch_to(exit);
        self.b.span = span;
        Ok(())
    }

    /// The element type of a vector in a place.
    fn vector(&mut self, place: &'p Place) -> Lowered<(Spot, Ty, Ty)> {
        match self.changed_place(place)? {
            (spot, ty @ Ty::Vec(&element)) => Ok((spot, ty, element)),
            (_, ty) => malformed(format!("{ty} is no vector")),
        }
    }
    /// `vec.push(value)`
    pub fn push(&mut self, expr: &'p Expr, place: &'p Place, value: &'p Expr) -> Lowered {
        let (spot, ty, element) = self.vector(place)?;
        let value = self.expr(value)?;
        self.b.span = expr.span;
        let held = self.project(spot.clone(), ty, 0);
        let length_spot = self.project(spot.clone(), ty, 1);
        let old = self.read_as(&held, buffer(element));
        let (_, capacity) = self.parts(old, element);
        let length = self.read_as(&length_spot, Type::Usize);
        let full = self.prim(Prim::Eq, &[length, capacity]);
        let [grow, go_on] = [(); 2].map(|_| self.b.new_block());
        // The content of the object is passed on, so that it is not read again.
        let in_memory = matches!(spot, Spot::Memory(..));
        let passed = in_memory.then(|| self.b.add_param(go_on, buffer(element)));
        let args = |value: Value| if in_memory { vec![value] } else { vec![] };
        self.b.branch(full, (grow, &[]), (go_on, &args(old)));
        self.b.seal(grow);
        self.b.switch_to(grow);
        let new = self.call_job(Job::Grow(element), &[old], buffer(element));
        self.write_as(&held, new)?;
        self.b.jump(go_on, &args(new));
        self.b.seal(go_on);
        self.b.switch_to(go_on);
        let held = match passed {
            Some(held) => held,
            None => self.read_as(&held, buffer(element)),
        };
        let (elements, _) = self.parts(held, element);
        self.put(elements, length, element, value)?;
        let one = self.usize(1);
        let length = self.prim(Prim::Add, &[length, one]);
        self.write_as(&length_spot, length)?;
        Ok(self.b.unit())
    }
    /// `vec.pop()`
    pub fn pop(&mut self, expr: &'p Expr, place: &'p Place) -> Lowered {
        let (spot, ty, element) = self.vector(place)?;
        self.b.span = expr.span;
        let sequence = self.sequence(&spot, ty)?;
        let (zero, one) = (self.usize(0), self.usize(1));
        let empty = self.prim(Prim::Eq, &[sequence.length, zero]);
        let result = thaw(repr(expr.ty));
        let none = self.zero(result);
        let [some, go_on] = [(); 2].map(|_| self.b.new_block());
        let option = self.b.add_param(go_on, result);
        self.b.branch(empty, (go_on, &[none]), (some, &[]));
        self.b.seal(some);
        self.b.switch_to(some);
        let last = self.prim(Prim::Sub, &[sequence.length, one]);
        let length = self.project(spot.clone(), ty, 1);
        self.write_as(&length, last)?;
        let found = self.element(&sequence, last);
        // The next element that is pushed stands in its place.
        let value = self.take(&found, element)?;
        let value = self.aggregate(expr.ty, 1, &[value])?;
        let value = self.fit(value, result);
        self.b.jump(go_on, &[value]);
        self.b.seal(go_on);
        self.b.switch_to(go_on);
        Ok(option)
    }
    /// `vec.truncate(n)`
    pub fn truncate(&mut self, place: &'p Place, count: &'p Expr) -> Lowered {
        let (spot, ty, _) = self.vector(place)?;
        let count = self.expr(count)?;
        let spot = self.project(spot, ty, 1);
        let length = self.read_as(&spot, Type::Usize);
        let shorter = self.prim(Prim::Lt, &[count, length]);
        let length = self.prim(Prim::Select, &[shorter, count, length]);
        self.write_as(&spot, length)?;
        Ok(self.b.unit())
    }
    /// Ends a block that cannot be reached.
    pub fn unreachable(&mut self) {
        let fault = Fault::Panic(Symbol::from_static(UNREACHABLE));
        self.b.error(fault, &[]);
    }
}

impl Lowering<'_> {
    /// Moves the elements of a full buffer to one of twice the size, at least four.
    pub fn grow(&mut self, name: Symbol, element: Ty) -> Result<Function> {
        let ty = buffer(element);
        let mut body = Body::new(self, Function::new(name, &[ty], ty));
        let old = body.b.function.params()[0];
        let (elements, length) = body.parts(old, element);
        let [zero, two, four] = [0, 2, 4].map(|n| body.usize(n));
        let empty = body.prim(Prim::Eq, &[length, zero]);
        let doubled = body.prim(Prim::Mul, &[length, two]);
        let capacity = body.prim(Prim::Select, &[empty, four, doubled]);
        let new = body.allocate(capacity, element);
        let sequence = Sequence {
            elements,
            length,
            element,
        };
        let copied = body.times(length, |body, index| {
            let from = body.element(&sequence, index);
            let value = body.read(&from, element);
            body.put(new, index, element, value)
        });
        copied.map_err(super::error)?;
        let new = body.whole(new, capacity);
        body.b.ret(new);
        Ok(body.finish())
    }
}
