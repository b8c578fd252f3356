//! Elements of slices, parts of slices, and assignment.

use super::{Binding, Lowered, Lowering, Stop, read};
use crate::front::tree::{At, Binary, Expr, Kind};
use crate::ir::build::Variable;
use crate::ir::{Fault, Prim, Type, Value};

/// What can be assigned to, its operands computed and its bounds checked.
pub(super) enum Place {
    Variable(Variable, &'static str),
    Element(Element),
    /// A field of a tuple that is itself in a place.
    Field(Box<Place>, u32),
}

/// An element of a slice.
#[derive(Clone, Copy)]
pub(super) struct Element {
    slice: Value,
    index: Value,
}

impl Lowering {
    /// Computes slice and index and checks the bounds.
    pub(super) fn element(
        &mut self,
        at: At,
        slice: &'static Expr,
        index: &'static Expr,
    ) -> Result<Element, Stop> {
        let slice = self.expr(slice)?;
        let index = self.expr(index)?;
        self.set_span(at);
        self.expect(index, Type::Usize);
        let length = self.prim(Prim::Len, &[slice], Type::Usize);
        let inside = self.prim(Prim::Lt, &[index, length], Type::Bool);
        self.assert(Fault::IndexOutOfBounds, &[inside, index, length]);
        Ok(Element { slice, index })
    }
    pub(super) fn load(&mut self, element: Element) -> Value {
        let ty = match self.ty(element.slice).element() {
            Some(ty) => ty,
            None => self.fresh(),
        };
        self.prim(Prim::Load, &[element.slice, element.index], ty)
    }
    /// `x[from..to]`, with the checks that Rust makes.
    pub(super) fn subslice(
        &mut self,
        at: At,
        slice: &'static Expr,
        from: Option<&'static Expr>,
        to: Option<&'static Expr>,
        inclusive: bool,
    ) -> Lowered {
        let slice = self.expr(slice)?;
        let from = self.bound(from)?;
        let to = self.bound(to)?;
        self.set_span(at);
        let length = self.prim(Prim::Len, &[slice], Type::Usize);
        let to = match (to, inclusive) {
            (Some(to), true) => {
                let one = self.usize(1);
                Some(self.prim(Prim::Add, &[to, one], Type::Usize))
            }
            (to, _) => to,
        };
        let start = match from {
            Some(from) => from,
            None => self.usize(0),
        };
        let end = to.unwrap_or(length);
        let shown = [start, end, length];
        if from.is_some() {
            self.check_order(start, end, shown);
        }
        if to.is_some() {
            self.check_order(end, length, shown);
        }
        // Just checked: it cannot overflow.
        self.unset_span();
        let count = self.prim(Prim::Sub, &[end, start], Type::Usize);
        self.set_span(at);
        let ty = self.ty(slice);
        Ok(self.prim(Prim::Subslice, &[slice, start, count], ty))
    }
    fn bound(&mut self, bound: Option<&'static Expr>) -> Result<Option<Value>, Stop> {
        let Some(bound) = bound else {
            return Ok(None);
        };
        let value = self.expr(bound)?;
        self.set_span(bound.at);
        self.expect(value, Type::Usize);
        Ok(Some(value))
    }
    fn check_order(&mut self, low: Value, high: Value, shown: [Value; 3]) {
        let ordered = self.prim(Prim::Le, &[low, high], Type::Bool);
        let [from, to, length] = shown;
        self.assert(Fault::SliceOutOfBounds, &[ordered, from, to, length]);
    }

    /// Gives a place a value that is computed already: Rust computes the operands of the place after it.
    pub(super) fn assign(&mut self, place: &'static Expr, value: Value) -> Result<(), Stop> {
        if let Kind::Tuple(places) = &place.kind {
            self.set_span(place.at);
            for (n, place) in places.iter().enumerate() {
                let field = self.field(value, n as u32);
                self.assign(place, field)?;
            }
            return Ok(());
        }
        let target = self.place(place)?;
        self.set_span(place.at);
        self.store(place.at, &target, value)
    }
    /// `place += value`: of numbers, Rust computes the value first.
    pub(super) fn assign_binary(
        &mut self,
        at: At,
        op: Binary,
        place: &'static Expr,
        value: &'static Expr,
    ) -> Lowered {
        let value = self.expr(value)?;
        let target = self.place(place)?;
        self.set_span(at);
        let old = self.read_place(&target);
        let new = self.binary(op, old, value);
        self.store(at, &target, new)?;
        Ok(self.builder().unit())
    }

    fn place(&mut self, place: &'static Expr) -> Result<Place, Stop> {
        match &place.kind {
            Kind::Local(name) => match self.lookup(name) {
                Some(Binding::Variable(variable)) => Ok(Place::Variable(variable, name)),
                Some(Binding::Place { slice, index }) => {
                    Ok(Place::Element(Element { slice, index }))
                }
                None => self.fail(
                    place.at,
                    &format!("the variable `{name}` is not known here"),
                    "",
                ),
            },
            Kind::Index(slice, index) => Ok(Place::Element(self.element(place.at, slice, index)?)),
            Kind::Field(tuple, n) => Ok(Place::Field(Box::new(self.place(tuple)?), *n)),
            Kind::Deref(inner) | Kind::Ref(inner) => self.place(inner),
            _ => self.fail(
                place.at,
                "this cannot be assigned to",
                "assign to a variable, an element of a slice, or a field of a tuple",
            ),
        }
    }
    fn read_place(&mut self, place: &Place) -> Value {
        match place {
            Place::Variable(variable, name) => {
                let value = read(self.builder(), Binding::Variable(*variable));
                self.label(value, name);
                value
            }
            Place::Element(element) => self.load(*element),
            Place::Field(tuple, n) => {
                let tuple = self.read_place(tuple);
                self.field(tuple, *n)
            }
        }
    }
    fn store(&mut self, at: At, place: &Place, value: Value) -> Result<(), Stop> {
        match place {
            Place::Variable(variable, name) => {
                let ty = self.builder().variable_type(*variable);
                self.expect(value, ty);
                self.builder().define(*variable, value);
                self.label(value, name);
            }
            Place::Element(Element { slice, index }) => {
                if let Some(element) = self.ty(*slice).element() {
                    self.expect(value, element);
                }
                self.prim(Prim::Store, &[*slice, *index, value], Type::UNIT);
            }
            Place::Field(tuple, n) => {
                let old = self.read_place(tuple);
                let Type::Tuple(types) = self.ty(old) else {
                    return self.fail(
                        at,
                        "a field is assigned in a tuple whose type is not known here",
                        "write the type of the tuple where it is declared",
                    );
                };
                let mut fields: Vec<Value> = (0..types.len() as u32)
                    .map(|n| self.field(old, n))
                    .collect();
                let Some(field) = fields.get_mut(*n as usize) else {
                    return self.fail(at, "the tuple has no such field", "");
                };
                *field = value;
                self.expect(value, types[*n as usize]);
                let new = self.prim(Prim::Tuple, &fields, Type::tuple(types));
                self.store(at, tuple, new)?;
            }
        }
        Ok(())
    }
}
