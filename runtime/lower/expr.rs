//! Expressions.

use super::body::Body;
use super::copy::Copying;
use super::{Job, Lowered, Stop};
use crate::diag::Diagnostic;
use crate::front::repr::{is_indirect, repr, slots};
use crate::front::ty::Ty;
use crate::front::typed::{Expr, ExprKind};
use crate::ir::{Const, Op, Prim, Symbol, Type, Value};

impl<'p> Body<'_, 'p> {
    /// Lowers an expression.
    pub fn expr(&mut self, expr: &'p Expr) -> Lowered {
        let value = match &expr.kind {
            ExprKind::Const(constant) => self.constant(*constant, expr),
            ExprKind::Read { place, copy } => {
                let (spot, ty) = self.read_place(place)?;
                self.b.span = expr.span;
                match copy {
                    true => self.take(&spot, ty)?,
                    false => self.read(&spot, ty),
                }
            }
            ExprKind::Address(place) => {
                let (spot, ty) = self.changed_place(place)?;
                self.b.span = expr.span;
                match ty {
                    // A reborrow of a slice is the slice.
                    Ty::Slice(_) | Ty::SliceMut(_) if expr.ty == ty => self.read(&spot, ty),
                    _ => self.address(&spot, ty)?,
                }
            }
            ExprKind::AsSlice(inner) => self.as_slice(inner)?,
            ExprKind::Slice(slice, from, to, inclusive) => {
                self.subslice(expr, slice, from.as_deref(), to.as_deref(), *inclusive)?
            }
            ExprKind::Len(inner) => self.sequence_of(inner)?.length,
            ExprKind::Tuple(fields) => {
                let fields = self.exprs(fields)?;
                self.b.span = expr.span;
                self.tuple(&fields)
            }
            ExprKind::Aggregate(variant, fields) => {
                let fields = self.exprs(fields)?;
                self.b.span = expr.span;
                self.aggregate(expr.ty, *variant, &fields)?
            }
            ExprKind::List(items) => self.list(expr, items)?,
            ExprKind::Repeat(item, count) => self.repeat(expr, item, count)?,
            ExprKind::WithCapacity(capacity) => self.with_capacity(expr, capacity)?,
            ExprKind::NewObject(content) => {
                let value = self.expr(content)?;
                self.b.span = expr.span;
                self.object_of(value, content.ty)?
            }
            ExprKind::Neg(operand) => {
                let operand = self.expr(operand)?;
                self.b.span = expr.span;
                self.negate(operand)
            }
            ExprKind::Not(operand) => {
                let operand = self.expr(operand)?;
                self.b.span = expr.span;
                self.prim(Prim::Not, &[operand])
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.expr(left)?;
                let right = self.expr(right)?;
                self.b.span = expr.span;
                self.binary(*op, left, right, expr.ty)
            }
            ExprKind::Cast(operand) => {
                let (of_bool, to) = (operand.ty == Ty::BOOL, repr(expr.ty));
                let mut operand = self.expr(operand)?;
                self.b.span = expr.span;
                // `f64::from(true)`: a bool converts to an integer first.
                if of_bool && to.is_float() {
                    operand = self.b.prim_to(Prim::Cast, &[operand], Type::U32);
                }
                // Every `f16` is an `f32`, so nothing is rounded twice.
                if self.b.function.ty(operand) == Type::F16 && to != Type::F16 {
                    operand = self.b.prim_to(Prim::Cast, &[operand], Type::F32);
                }
                self.b.prim_to(Prim::Cast, &[operand], to)
            }
            ExprKind::Intrinsic(method, args) => self.intrinsic(expr, *method, args)?,
            ExprKind::Lazy(is_and, left, right) => self.lazy(expr, *is_and, left, right)?,
            ExprKind::Call(name, args) => {
                let args = self.exprs(args)?;
                self.b.span = expr.span;
                self.call(*name, &args)?
            }
            ExprKind::Rule(name, args) => self.rule(expr, *name, args)?,
            ExprKind::Map(name, args) => self.map(expr, *name, args)?,
            ExprKind::Derivative(kind, name, args) => self.derivative(expr, *kind, *name, args)?,
            ExprKind::MakeDyn(value, tag, address) => self.make_dyn(expr, value, *tag, *address)?,
            ExprKind::If(condition, then, otherwise) => {
                self.conditional(expr, condition, then, otherwise.as_deref())?
            }
            ExprKind::Let(..) => self.let_value(expr)?,
            ExprKind::Match(place, arms) => self.match_arms(expr, place, arms)?,
            ExprKind::Block(statements, value) => self.block(statements, value.as_deref())?,
            ExprKind::Labelled(id, body) => self.labelled(*id, expr.ty, body)?,
            ExprKind::Loop(id, body) => self.endless_loop(*id, expr.ty, body)?,
            ExprKind::While(id, condition, body) => self.while_loop(*id, condition, body)?,
            ExprKind::For(id, pattern, iter, body) => {
                self.for_loop(expr, *id, pattern, iter, body)?
            }
            ExprKind::Break(id, value) => self.break_loop(expr, *id, value.as_deref())?,
            ExprKind::Continue(id) => self.continue_loop(expr, *id)?,
            ExprKind::Return(value) => self.return_value(expr, value.as_deref())?,
            ExprKind::Assign(place, value) => self.assign_place(place, value)?,
            ExprKind::AssignBinary(op, place, value) => {
                let value = self.expr(value)?;
                let (spot, ty) = self.changed_place(place)?;
                self.b.span = expr.span;
                let old = self.read(&spot, ty);
                let new = self.binary(*op, old, value, ty);
                self.write(&spot, ty, new)?;
                self.b.unit()
            }
            ExprKind::Assert(condition, fault, shown) => {
                let condition = self.expr(condition)?;
                let mut args = vec![condition];
                args.extend(self.exprs(shown)?);
                self.b.span = expr.span;
                self.prim(Prim::Assert(*fault), &args)
            }
            ExprKind::Fail(fault, shown) => {
                let shown = self.exprs(shown)?;
                self.b.span = expr.span;
                self.b.error(*fault, &shown);
                return Err(Stop::Diverged);
            }
            ExprKind::Push(place, value) => self.push(expr, place, value)?,
            ExprKind::Pop(place) => self.pop(expr, place)?,
            ExprKind::Truncate(place, count) => self.truncate(place, count)?,
            ExprKind::Swap(a, b) => self.swap(a, b)?,
            ExprKind::Replace(place, value) => self.replace(place, value)?,
            ExprKind::Clone(inner) => {
                let value = self.expr(inner)?;
                self.b.span = expr.span;
                self.duplicate(value, inner.ty, Copying::Deep)?
            }
            ExprKind::StopGradient(inner) => {
                let value = self.expr(inner)?;
                self.b.span = expr.span;
                self.duplicate(value, inner.ty, Copying::Stopped)?
            }
            ExprKind::Scope(..) | ExprKind::Enter(_) | ExprKind::Leave(..) => {
                return super::malformed("a scope of guards that is not written out");
            }
        };
        if expr.ty == Ty::Never {
            self.unreachable();
            return Err(Stop::Diverged);
        }
        Ok(value)
    }
    pub fn exprs(&mut self, exprs: &'p [Expr]) -> Lowered<Vec<Value>> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }
    fn constant(&mut self, constant: Const, expr: &Expr) -> Value {
        self.b.span = expr.span;
        match (expr.ty.scalar(), expr.ty) {
            (Some(ty), _) => self.number(constant, ty),
            (None, Ty::Str) => self.number(constant, repr(Ty::Str)),
            // Functions are represented by `()`.
            (None, _) => self.zero(repr(expr.ty)),
        }
    }
    /// A struct, or a variant of an enum, of these fields.
    pub fn aggregate(&mut self, ty: Ty, variant: u32, fields: &[Value]) -> Lowered {
        let types = ty.fields(variant);
        let fields: Vec<Value> = fields
            .iter()
            .zip(&types)
            .map(|(&field, &(_, field_ty))| match is_indirect(ty, field_ty) {
                true => self.object_of(field, field_ty),
                false => Ok(field),
            })
            .collect::<Lowered<_>>()?;
        if !matches!(ty, Ty::Adt(adt, _) if adt.is_enum) {
            return Ok(self.tuple(&fields));
        }
        let slots = slots(ty);
        let mut parts = vec![self.usize(variant as usize)];
        for (n, &slot) in slots.types.iter().enumerate() {
            let field = slots.variants[variant as usize]
                .iter()
                .position(|&s| s == n);
            parts.push(match field.and_then(|field| fields.get(field)) {
                Some(&field) => field,
                None => self.zero(slot),
            });
        }
        Ok(self.tuple(&parts))
    }
    /// A call of a function of a pack or of the host.
    fn rule(&mut self, expr: &'p Expr, name: Symbol, args: &'p [Expr]) -> Lowered {
        let args: Vec<Value> = args
            .iter()
            .map(|arg| self.argument_of_rule(arg))
            .collect::<Lowered<_>>()?;
        self.b.span = expr.span;
        let types: Vec<Type> = args.iter().map(|&arg| self.ty(arg)).collect();
        let registry = self.all.registry;
        let (y, ret) = if let Some(ret) = registry.call_type(name, &types) {
            (self.b.call(name, &args, ret), ret)
        } else if let Some(entry) = registry.find_by_leaves(name, &types) {
            let leaves: Vec<Value> = args.iter().flat_map(|&arg| self.b.leaves(arg)).collect();
            let mut leaves = leaves.into_iter();
            let params = entry.params.iter();
            let args: Vec<Value> = params.map(|&ty| self.grouped(ty, &mut leaves)).collect();
            (self.b.call(name, &args, entry.ret), entry.ret)
        } else {
            let types = Type::tuple(&types);
            let message = format!("no pack defines `{name}` for arguments of types {types}");
            let diagnostic = Diagnostic::new(expr.span, message);
            return Err(Stop::Failed(Box::new(diagnostic.into())));
        };
        let wanted = repr(expr.ty);
        if ret == wanted {
            return Ok(y);
        }
        let leaves = self.b.leaves(y);
        Ok(self.grouped(wanted, &mut leaves.into_iter()))
    }
    /// Builds a value of a type from its leaves in order.
    fn grouped(&mut self, ty: Type, leaves: &mut impl Iterator<Item = Value>) -> Value {
        match ty {
            Type::Tuple(fields) => {
                let fields = fields.iter();
                let fields: Vec<Value> = fields.map(|&ty| self.grouped(ty, leaves)).collect();
                self.tuple(&fields)
            }
            ty => leaves.next().unwrap_or_else(|| self.zero(ty)),
        }
    }
    /// Rules take lists, such as shapes, as tuples.
    fn argument_of_rule(&mut self, arg: &'p Expr) -> Lowered {
        let Ty::List(&element, n) = arg.ty else {
            return self.expr(arg);
        };
        let mut items = Vec::new();
        if let ExprKind::List(list) = &arg.kind {
            items = self.exprs(list)?;
        } else {
            let sequence = self.sequence_of(arg)?;
            for n in 0..n {
                let index = self.usize(n);
                let spot = self.element(&sequence, index);
                items.push(self.read(&spot, element));
            }
        }
        Ok(self.tuple(&items))
    }
    /// A scalar function that is applied to all elements of arrays.
    fn map(&mut self, expr: &'p Expr, name: Symbol, args: &'p [Expr]) -> Lowered {
        let args = self.exprs(args)?;
        self.b.span = expr.span;
        let mut function = name;
        if let Some(callee) = self.all.program.functions.get(&name) {
            let number = |ty: Type| match ty {
                Type::Array(&element) => element,
                ty => ty,
            };
            let types = args.iter().map(|&arg| number(self.ty(arg))).collect();
            let constant = self.constant || callee.is_constant;
            function = self.all.name(Job::Instance(name, types, constant));
        }
        Ok(self.b.inst(Op::Map(function), &args, repr(expr.ty)))
    }
    fn return_value(&mut self, expr: &'p Expr, value: Option<&'p Expr>) -> Lowered {
        let (value, ty) = match value {
            Some(value) => (self.expr(value)?, value.ty),
            None => (self.b.unit(), Ty::UNIT),
        };
        self.b.span = expr.span;
        self.ret(value, ty)?;
        Err(Stop::Diverged)
    }
}
