//! Derivatives that a program asks for. They become calls of functions that `ad::nested` makes when the differentiated function is in normal form.

use super::body::Body;
use super::copy::Copying;
use super::sequence::Elements;
use super::{Job, Lowered, malformed, result_type};
use crate::front::repr::repr;
use crate::front::ty::Ty;
use crate::front::typed::Expr;
use crate::ir::{Derivative, DerivativeKind, HostOp, Prim, Signature, Symbol, Type, Value};
use crate::tangent::{self, Home};

/// A function that is differentiated, and its arguments.
struct Differentiated {
    name: Symbol,
    /// The type of its result, in the language and in IR.
    gives: Ty,
    ret: Type,
    /// The leaves of its captures and, from `first` on, of its argument.
    args: Vec<Value>,
    types: Vec<Type>,
    first: usize,
}

impl<'p> Body<'_, 'p> {
    /// The pair of value and gradient of a function, or of value and derivative along a direction. The arguments are its captures, its argument, and the
    /// direction.
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
        let types = vec![self.ty(values[0]), self.ty(values[1])];
        let ret = result_type(callee.ret, &types);
        let constant = self.constant || callee.is_constant;
        let name = self.all.name(Job::Instance(name, types, constant));
        let mut args_of = self.b.leaves(values[0]);
        let first = args_of.len();
        args_of.extend(self.b.leaves(values[1]));
        let of = Differentiated {
            name,
            gives: callee.ret,
            ret,
            types: args_of.iter().map(|&v| self.ty(v)).collect(),
            args: args_of,
            first,
        };
        let tys: Vec<Ty> = args.iter().map(|arg| arg.ty).collect();
        match kind {
            DerivativeKind::Gradient => self.gradient(of, &values, &tys),
            DerivativeKind::Tangent => self.along(of, &values, &tys),
        }
    }
    fn gradient(&mut self, of: Differentiated, values: &[Value], tys: &[Ty]) -> Lowered {
        let smooth = |&ty: &Type| tangent::home(ty) != Home::Nowhere;
        let mut active = vec![false; of.first];
        active.extend(of.types[of.first..].iter().map(smooth));
        let gradient = self.zeros_like(values[1], tys[1])?;
        // The shadows of captured objects are not used, but the function requires them.
        let captured = match of.types[..of.first].contains(&Type::Ptr) {
            true => self.duplicate(values[0], tys[0], Copying::Deep)?,
            false => values[0],
        };
        let mut shadows = self.b.leaves(captured);
        shadows.extend(self.b.leaves(gradient));
        let asked = tangent::asked_shadows(&of.types, &active);
        let shadows = shadows.into_iter().zip(asked).filter(|(_, asked)| *asked);
        let mut args = of.args.clone();
        args.extend(shadows.map(|(shadow, _)| shadow));
        args.push(match of.ret {
            // The result is an array without axes, as sums are.
            Type::Array(&element) => {
                let (one, shape) = (self.b.float(1.0, element), self.b.unit());
                let full = Symbol::from_static(HostOp::Full.name());
                self.b.call(full, &[one, shape], of.ret)
            }
            _ => self.b.float(1.0, of.ret),
        });
        let ret = tangent::gradient_result(of.ret, &of.types, &active);
        let both = self.call_derivative(DerivativeKind::Gradient, of.name, active, &args, ret);
        let mut found = self.b.leaves(both).into_iter();
        let value = found.next().unwrap_or(both);
        let gradient = self.gradient_of(values[1], gradient, tys[1], &mut found);
        Ok(self.tuple(&[value, gradient]))
    }
    fn along(&mut self, of: Differentiated, values: &[Value], tys: &[Ty]) -> Lowered {
        let mut active = vec![false; of.first];
        let moves = |&ty: &Type| tangent::has_tangent(ty);
        active.extend(of.types[of.first..].iter().map(moves));
        let direction = self.tangent_of(values[1], values[2], tys[1])?;
        let mut args = of.args.clone();
        for (n, tangent) in (of.first..).zip(self.b.leaves(direction)) {
            if active[n] {
                args.push(self.b.slice_as(tangent, of.types[n]));
            }
        }
        let ret = tangent::dual(of.ret, 1);
        let both = self.call_derivative(DerivativeKind::Tangent, of.name, active, &args, ret);
        let value = self.field(both, 0);
        let leaves = tangent::leaves(of.ret).into_iter();
        let count = leaves.filter(|&ty| tangent::has_tangent(ty)).count();
        let parts: Vec<Value> = (1..=count as u32).map(|n| self.field(both, n)).collect();
        let derivative = self.derivative_of(value, of.gives, &mut parts.into_iter());
        Ok(self.tuple(&[value, derivative]))
    }

    fn call_derivative(
        &mut self,
        kind: DerivativeKind,
        of: Symbol,
        active: Vec<bool>,
        args: &[Value],
        ret: Type,
    ) -> Value {
        let what = match kind {
            DerivativeKind::Gradient => "vjp",
            DerivativeKind::Tangent => "jvp",
        };
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
            origin: None,
        };
        self.all.derivatives.insert(name, signature);
        self.b.call(name, args, ret)
    }

    /// A value of the same form with zeros: a shadow.
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
                let zeros = self.zeros(element, count)?;
                Ok(self.whole(zeros, count))
            }
            // As large as the capacity, which may exceed the length.
            Ty::Vec(&element) => {
                let (buffer, length) = (self.field(value, 0), self.field(value, 1));
                let (_, count) = self.parts(buffer, element);
                let zeros = self.zeros(element, count)?;
                let buffer = self.whole(zeros, count);
                Ok(self.tuple(&[buffer, length]))
            }
            Ty::Array(_) => Ok(value),
            flat => self.zero_of(flat),
        }
    }
    /// Elements that are zero.
    fn zeros(&mut self, element: Ty, count: Value) -> Lowered<Elements> {
        // New memory is zero.
        Ok(self.allocate(count, element))
    }
    /// Zero, as a value of its own.
    fn zero_of(&mut self, ty: Ty) -> Lowered {
        match ty {
            Ty::List(&element, n) => {
                let count = self.usize(n);
                let elements = self.zeros(element, count)?;
                Ok(self.finished(elements, count, ty))
            }
            Ty::Tuple(parts) => {
                let mut zeros = Vec::new();
                for &part in parts {
                    zeros.push(self.zero_of(part)?);
                }
                Ok(self.tuple(&zeros))
            }
            other => Ok(self.zero(repr(other))),
        }
    }

    /// The gradient with respect to a value, from its shadow and from the cotangents of leaves without a shadow.
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

    /// The tangent of a value along a direction, which has the form of a gradient. It has its own memory, which must not be the shadow of the value.
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
    /// The elements of a vector, which must be `count`, in new memory with capacity `room`.
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
            let item = this.element_value(from, index, element);
            let item = this.duplicate_to_store(item, element, Copying::Deep)?;
            this.put(elements, index, element, item)
        })?;
        Ok(self.whole(elements, room))
    }

    /// The derivative of a value, from the tangents of its leaves.
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
    /// A slice in IR whose tangent is the next leaf.
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
