//! Derivatives that a program asks for: calls of functions that are made when the one that is differentiated is in normal form
//! (`ad::nested`).

use super::body::Body;
use super::copy::Copying;
use super::{Job, Lowered, malformed, result_type};
use crate::front::ty::Ty;
use crate::front::typed::Expr;
use crate::ir::{Derivative, DerivativeKind, Prim, Signature, Symbol, Type, Value};
use crate::registry::HostOp;
use crate::tangent::{self, Home};

impl<'p> Body<'_, 'p> {
    /// The pair of a function's value and its gradient, or its derivative along a direction: of what it captures, of its argument, the direction.
    pub fn derivative(
        &mut self,
        expr: &'p Expr,
        kind: DerivativeKind,
        name: Symbol,
        args: &'p [Expr],
    ) -> Lowered {
        let values = self.exprs(args)?;
        self.b.span = expr.span;
        let Some(callee) = self.all.program.functions.get(&name) else {
            return malformed(format!("nothing is named {name:?}"));
        };
        let types = [self.ty(values[0]), self.ty(values[1])];
        let ret = result_type(callee.ret, &types);
        let constant = self.constant || callee.is_constant;
        let of = self.all.name(Job::Instance(name, types.to_vec(), constant));
        let mut given = Vec::new();
        self.leaves_of(values[0], &mut given);
        let captured = given.len();
        self.leaves_of(values[1], &mut given);
        let types: Vec<Type> = given.iter().map(|&v| self.ty(v)).collect();
        let is_x = |n: usize| n >= captured;
        let x = args[1].ty;
        match kind {
            DerivativeKind::Gradient => {
                let active: Vec<bool> = { 0..types.len() }
                    .map(|n| is_x(n) && tangent::home(types[n]) != Home::Nowhere)
                    .collect();
                // The shadows of objects that are captured are of no interest, but there have to be some.
                let mut shadows = Vec::new();
                if types[..captured].contains(&Type::Ptr) {
                    let scratch = self.duplicate(values[0], args[0].ty, Copying::Deep)?;
                    self.leaves_of(scratch, &mut shadows);
                } else {
                    shadows.extend(&given[..captured]);
                }
                let gradient = self.zeros_like(values[1], x)?;
                self.leaves_of(gradient, &mut shadows);
                let mut all = given.clone();
                for (n, &ty) in types.iter().enumerate() {
                    if tangent::home(ty) == Home::Fdata && (is_x(n) || ty == Type::Ptr) {
                        all.push(shadows[n]);
                    }
                }
                let seed = match ret {
                    // Of an array without axes, as sums are.
                    Type::Array(&element) => {
                        let (one, shape) = (self.b.float(1.0, element), self.b.unit());
                        let full = Symbol::from_static(HostOp::Full.name());
                        self.b.call(full, &[one, shape], ret)
                    }
                    _ => self.b.float(1.0, ret),
                };
                all.push(seed);
                let cotangents = tangent::cotangents(&types, &active);
                let results = Type::tuple(&[&[ret], &cotangents[..]].concat());
                let both = self.call_derivative("vjp", of, kind, active, &all, results);
                let value = self.field(both, 0);
                let parts: Vec<Value> = { 0..cotangents.len() as u32 }
                    .map(|n| self.field(both, n + 1))
                    .collect();
                let gradient = self.gradient_of(values[1], gradient, x, &mut parts.into_iter());
                Ok(self.tuple(&[value, gradient]))
            }
            DerivativeKind::Tangent => {
                let active: Vec<bool> = { 0..types.len() }
                    .map(|n| is_x(n) && tangent::has_tangent(types[n]))
                    .collect();
                let mut all = given.clone();
                let direction = self.tangent_of(values[1], values[2], x)?;
                let mut tangents = Vec::new();
                self.leaves_of(direction, &mut tangents);
                let moving = active[captured..].iter().zip(tangents);
                for ((&moves, tangent), &ty) in moving.zip(&types[captured..]) {
                    if moves {
                        all.push(self.seen_as(tangent, ty));
                    }
                }
                let results = tangent::dual(ret);
                let both = self.call_derivative("jvp", of, kind, active, &all, results);
                let value = self.field(both, 0);
                let count = match results {
                    Type::Tuple(fields) => fields.len() as u32,
                    _ => 0,
                };
                let parts: Vec<Value> = (1..count).map(|n| self.field(both, n)).collect();
                let derivative = self.derivative_of(value, callee.ret, &mut parts.into_iter());
                Ok(self.tuple(&[value, derivative]))
            }
        }
    }

    /// Memory that does not change meanwhile, as a slice of this type.
    fn seen_as(&mut self, slice: Value, ty: Type) -> Value {
        if !matches!(ty, Type::Slice(_)) {
            return slice;
        }
        let base = self.prim(Prim::Base, &[slice]);
        let count = self.prim(Prim::Len, &[slice]);
        self.b.prim_to(Prim::View, &[base, count], ty)
    }

    fn call_derivative(
        &mut self,
        what: &str,
        of: Symbol,
        kind: DerivativeKind,
        active: Vec<bool>,
        args: &[Value],
        ret: Type,
    ) -> Value {
        let name = Symbol::new(&format!("{of}.{what}"));
        let signature = Signature {
            params: args.iter().map(|&arg| self.ty(arg)).collect(),
            ret,
            derivative: Some(Derivative {
                of,
                active,
                kind,
                along: Vec::new(),
            }),
        };
        self.all.derivatives.insert(name, signature);
        self.b.call(name, args, ret)
    }

    /// A value of the same form, of zeros: a shadow.
    fn zeros_like(&mut self, value: Value, ty: Ty) -> Lowered {
        match ty {
            Ty::Tuple(parts) => {
                let mut zeros = Vec::new();
                for (n, &part) in parts.iter().enumerate() {
                    let value = self.field(value, n as u32);
                    zeros.push(self.zeros_like(value, part)?);
                }
                Ok(self.tuple(&zeros))
            }
            Ty::Slice(&element) | Ty::SliceMut(&element) => {
                let (_, count) = self.parts(value, element);
                self.zeros(element, count)
            }
            // As large as the memory, which may have room for more.
            Ty::Vec(&element) => {
                let (buffer, length) = (self.field(value, 0), self.field(value, 1));
                let (_, count) = self.parts(buffer, element);
                let zeros = self.zeros(element, count)?;
                Ok(self.tuple(&[zeros, length]))
            }
            Ty::Array(_) => Ok(value),
            flat => self.zero_of(flat),
        }
    }
    /// So many elements that are zero, as a slice in IR.
    fn zeros(&mut self, element: Ty, count: Value) -> Lowered {
        let elements = self.allocate(count, element);
        if holds_lists(element) {
            self.times(count, |this, index| {
                let zero = this.zero_of(element)?;
                this.put(elements, index, element, zero)
            })?;
        }
        Ok(self.whole(elements, count))
    }
    /// Zero, as a value of its own.
    fn zero_of(&mut self, ty: Ty) -> Lowered {
        match ty {
            Ty::List(&element, n) => {
                let count = self.usize(n);
                let elements = self.allocate(count, element);
                if holds_lists(element) {
                    self.times(count, |this, index| {
                        let zero = this.zero_of(element)?;
                        this.put(elements, index, element, zero)
                    })?;
                }
                Ok(self.finished(elements, count, ty))
            }
            Ty::Tuple(parts) => {
                let mut zeros = Vec::new();
                for &part in parts {
                    zeros.push(self.zero_of(part)?);
                }
                Ok(self.tuple(&zeros))
            }
            other => Ok(self.zero(crate::front::repr::repr(other))),
        }
    }

    /// The gradient with respect to a value, of its shadow and of the cotangents of what has none.
    fn gradient_of(
        &mut self,
        value: Value,
        shadow: Value,
        ty: Ty,
        cotangents: &mut impl Iterator<Item = Value>,
    ) -> Value {
        match ty {
            Ty::Scalar(_) | Ty::Array(_) => cotangents.next().unwrap_or(shadow),
            Ty::Tuple(parts) => {
                let mut all = Vec::new();
                for (n, &part) in parts.iter().enumerate() {
                    let n = n as u32;
                    let (value, shadow) = (self.field(value, n), self.field(shadow, n));
                    all.push(self.gradient_of(value, shadow, part, cotangents));
                }
                self.tuple(&all)
            }
            Ty::Slice(&element) | Ty::SliceMut(&element) => {
                let (_, count) = self.parts(value, element);
                self.tuple(&[shadow, count])
            }
            _ => shadow,
        }
    }

    /// The tangent of a value along a direction, which has the form of a gradient. It is in memory of its own: its shadow must not be that of the value.
    fn tangent_of(&mut self, value: Value, direction: Value, ty: Ty) -> Lowered {
        match ty {
            Ty::Tuple(parts) => {
                let mut all = Vec::new();
                for (n, &part) in parts.iter().enumerate() {
                    let n = n as u32;
                    let (value, direction) = (self.field(value, n), self.field(direction, n));
                    all.push(self.tangent_of(value, direction, part)?);
                }
                Ok(self.tuple(&all))
            }
            Ty::Slice(&element) | Ty::SliceMut(&element) => {
                let (_, count) = self.parts(value, element);
                self.copied_elements(direction, count, count, element)
            }
            Ty::Vec(&element) => {
                let (buffer, length) = (self.field(value, 0), self.field(value, 1));
                let (_, room) = self.parts(buffer, element);
                let tangent = self.copied_elements(direction, length, room, element)?;
                Ok(self.tuple(&[tangent, length]))
            }
            _ => self.duplicate(direction, ty, Copying::Deep),
        }
    }
    /// The elements of a vector, of which there have to be `count`, in memory of their own that has room for `room` of them.
    fn copied_elements(
        &mut self,
        vector: Value,
        count: Value,
        room: Value,
        element: Ty,
    ) -> Lowered {
        let (buffer, length) = (self.field(vector, 0), self.field(vector, 1));
        let fits = self.prim(Prim::Eq, &[length, count]);
        self.require(
            fits,
            "the direction of a derivative has not the length of the argument",
        );
        let (from, _) = self.parts(buffer, element);
        let elements = self.allocate(room, element);
        self.times(count, |this, index| {
            let item = this.element_value(from, length, index, element);
            let item = this.duplicate(item, element, Copying::Deep)?;
            this.put(elements, index, element, item)
        })?;
        Ok(self.whole(elements, room))
    }

    /// The derivative of a value, of the tangents of its leaves.
    fn derivative_of(
        &mut self,
        value: Value,
        ty: Ty,
        tangents: &mut impl Iterator<Item = Value>,
    ) -> Value {
        match ty {
            Ty::Tuple(parts) => {
                let mut all = Vec::new();
                for (n, &part) in parts.iter().enumerate() {
                    let value = self.field(value, n as u32);
                    all.push(self.derivative_of(value, part, tangents));
                }
                self.tuple(&all)
            }
            Ty::Slice(&element) | Ty::SliceMut(&element) => {
                let (_, count) = self.parts(value, element);
                let tangent = self.slice_of(tangents, element, count);
                self.tuple(&[tangent, count])
            }
            Ty::Vec(&element) => {
                let (buffer, length) = (self.field(value, 0), self.field(value, 1));
                let (_, room) = self.parts(buffer, element);
                let tangent = self.slice_of(tangents, element, room);
                self.tuple(&[tangent, length])
            }
            _ => tangents.next().unwrap_or(value),
        }
    }
    /// A slice in IR whose leaf with a tangent is the next one.
    fn slice_of(
        &mut self,
        tangents: &mut impl Iterator<Item = Value>,
        element: Ty,
        count: Value,
    ) -> Value {
        let tangent = tangents.next().unwrap_or(count);
        match element.scalar() {
            Some(_) => tangent,
            None => self.tuple(&[tangent, count]),
        }
    }
}

/// Whether elements of this type are more than zero memory: lists are addresses.
fn holds_lists(ty: Ty) -> bool {
    match ty {
        Ty::List(..) => true,
        Ty::Tuple(parts) => parts.iter().any(|&part| holds_lists(part)),
        _ => false,
    }
}
