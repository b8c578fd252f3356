//! Expressions and statements that do not branch.

use super::{Binding, Callee, GenericFunction, Lowered, Lowering, Stop, is_plain_literal, symbol};
use crate::front::tree::{At, Binary, Block, Expr, Kind, Lambda, Source, Statement};
use crate::ir::{Const, Fault, Op, Prim, Symbol, Type, Value};

impl Lowering {
    /// Lowers a block in a scope of its own.
    pub(super) fn block(&mut self, block: &'static Block) -> Lowered {
        self.scoped(|this| {
            for statement in block.statements {
                this.statement(statement)?;
            }
            match block.value {
                Some(value) => this.expr(value),
                None => Ok(this.builder().unit()),
            }
        })
    }
    fn statement(&mut self, statement: &'static Statement) -> Result<(), Stop> {
        match statement {
            Statement::Expr(expr) => {
                self.expr(expr)?;
            }
            Statement::Let(pattern, ty, None) => {
                self.bind_later(pattern, ty.map(|ty| ty()));
            }
            Statement::Let(pattern, None, Some(expr)) => {
                let value = self.expr(expr)?;
                self.bind(pattern, value);
            }
            Statement::Let(pattern, Some(ty), Some(expr)) => {
                let value = self.expr(expr)?;
                self.set_span(expr.at);
                let ty = ty();
                self.expect(value, ty);
                // `let y: &[f64] = x` of a mutable slice: it stays one.
                let found = self.ty(value);
                let is_slice = matches!(found, Type::Slice(_) | Type::SliceMut(_));
                self.bind_as(pattern, value, if is_slice { found } else { ty });
            }
        }
        Ok(())
    }

    /// Lowers an expression.
    pub(super) fn expr(&mut self, expr: &'static Expr) -> Lowered {
        let at = expr.at;
        match &expr.kind {
            Kind::Float(x, ty) => self.literal(at, Const::Float(*x), *ty),
            Kind::Int(n, ty) => self.literal(at, Const::Int(*n as i64), *ty),
            Kind::Bool(b) => Ok(self.builder().bool(*b)),
            Kind::Local(name) => self.local(name, at),
            Kind::Constant(constant) => {
                let (value, ty) = constant();
                Ok(self.builder().constant(value, ty))
            }
            Kind::Neg(operand) => self.negate(at, operand),
            Kind::Not(operand) => {
                let operand = self.expr(operand)?;
                self.set_span(at);
                let ty = self.ty(operand);
                Ok(self.prim(Prim::Not, &[operand], ty))
            }
            Kind::Binary(op, left, right) => {
                let left = self.expr(left)?;
                let right = self.expr(right)?;
                self.set_span(at);
                Ok(self.binary(*op, left, right))
            }
            Kind::Lazy(is_and, left, right) => self.lazy(at, *is_and, left, right),
            Kind::Assign(place, value) => {
                let value = self.expr(value)?;
                self.assign(place, value)?;
                Ok(self.builder().unit())
            }
            Kind::AssignBinary(op, place, value) => self.assign_binary(at, *op, place, value),
            Kind::Call(callee, args) => {
                let args = self.exprs(args)?;
                self.set_span(at);
                Ok(self.call_source(callee(), &args))
            }
            Kind::Method(name, args) => {
                let args = self.exprs(args)?;
                self.set_span(at);
                let ty = self.fresh();
                Ok(self.builder().call(Symbol::new(name), &args, ty))
            }
            Kind::Map(array, lambda) => self.map(at, array, lambda),
            Kind::Index(slice, index) => {
                let place = self.element(at, slice, index)?;
                Ok(self.load(place))
            }
            Kind::Slice(slice, from, to, inclusive) => {
                self.subslice(at, slice, *from, *to, *inclusive)
            }
            Kind::Field(tuple, n) => {
                let tuple = self.expr(tuple)?;
                self.set_span(at);
                Ok(self.field(tuple, *n))
            }
            Kind::Tuple([]) => Ok(self.builder().unit()),
            Kind::Tuple(fields) | Kind::List(fields) => {
                let fields = self.exprs(fields)?;
                self.set_span(at);
                Ok(self.builder().prim(Prim::Tuple, &fields))
            }
            Kind::Ref(inner) | Kind::Deref(inner) => self.expr(inner),
            Kind::Cast(value, ty) => self.cast(at, value, ty()),
            Kind::If(condition, then, otherwise) => {
                self.conditional(at, condition, then, *otherwise)
            }
            Kind::Block(block) => self.block(block),
            Kind::While(label, condition, body) => self.while_loop(*label, condition, body),
            Kind::Loop(label, body) => self.endless_loop(*label, body),
            Kind::For(label, pattern, iter, body) => self.for_loop(at, *label, pattern, iter, body),
            Kind::Break(label, value) => self.break_loop(at, *label, *value),
            Kind::Continue(label) => self.continue_loop(at, *label),
            Kind::Return(value) => {
                let value = match value {
                    Some(value) => self.expr(value)?,
                    None => self.builder().unit(),
                };
                self.set_span(at);
                self.ret(value);
                Err(Stop::Diverged)
            }
            Kind::Assert(condition, text) => {
                let condition = self.expr(condition)?;
                self.set_span(at);
                self.expect(condition, Type::Bool);
                Ok(self.assert(Fault::Panic(Symbol::new(text)), &[condition]))
            }
            Kind::Panic(text) => {
                self.set_span(at);
                self.builder().error(Fault::Panic(Symbol::new(text)), &[]);
                Err(Stop::Diverged)
            }
        }
    }
    fn exprs(&mut self, exprs: &'static [Expr]) -> Result<Vec<Value>, Stop> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn literal(&mut self, at: At, value: Const, ty: Option<Type>) -> Lowered {
        self.set_span(at);
        let ty = ty.unwrap_or_else(|| self.fresh());
        Ok(self.builder().constant(value, ty))
    }
    /// A negative literal is a literal: `-128i8` has no positive half.
    fn negate(&mut self, at: At, operand: &'static Expr) -> Lowered {
        match &operand.kind {
            Kind::Int(n, ty) => self.literal(at, Const::Int(-*n as i64), *ty),
            Kind::Float(x, ty) => self.literal(at, Const::Float(-x), *ty),
            _ => {
                let operand = self.expr(operand)?;
                self.set_span(at);
                let ty = self.ty(operand);
                Ok(self.prim(Prim::Neg, &[operand], ty))
            }
        }
    }
    /// An operator of two operands.
    pub(super) fn binary(&mut self, op: Binary, left: Value, right: Value) -> Value {
        let (a, b) = (self.ty(left), self.ty(right));
        let ty = match op {
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
                Type::Bool
            }
            Binary::Shl | Binary::Shr => a,
            _ if a == b => a,
            _ => self.fresh(),
        };
        self.prim(primitive(op), &[left, right], ty)
    }
    fn cast(&mut self, at: At, expr: &'static Expr, ty: Type) -> Lowered {
        let value = self.expr(expr)?;
        self.set_span(at);
        if is_plain_literal(expr, ty) {
            self.expect(value, ty);
        }
        Ok(self.prim(Prim::Cast, &[value], ty))
    }
    pub(super) fn assert(&mut self, fault: Fault, args: &[Value]) -> Value {
        self.prim(Prim::Assert(fault), args, Type::UNIT)
    }

    /// A call of a differentiable function.
    pub(super) fn call_source(&mut self, source: &'static Source, args: &[Value]) -> Value {
        for (&arg, param) in args.iter().zip(source.params) {
            self.expect(arg, (param.ty)());
        }
        let value = self.builder().call(symbol(source), args, (source.ret)());
        self.frame().callees.insert(value, Callee::Source(source));
        value
    }
    fn map(&mut self, at: At, array: &'static Expr, lambda: &'static Lambda) -> Lowered {
        let array = self.expr(array)?;
        self.set_span(at);
        let (name, args, callee) = match lambda {
            Lambda::Path(callee) => {
                let source = callee();
                (symbol(source), vec![array], Callee::Source(source))
            }
            Lambda::Closure(param, body) => {
                let (closure, captures) = self.closure(param, body)?;
                let name = closure.function.name;
                self.closures.push(closure);
                // The function itself is at position 0.
                let callee = Callee::Closure(self.closures.len());
                (name, [&[array], &captures[..]].concat(), callee)
            }
        };
        self.set_span(at);
        let ty = self.fresh();
        let value = self.builder().inst(Op::Map(name), &args, ty);
        self.frame().callees.insert(value, callee);
        Ok(value)
    }
    /// Lowers a closure; gives also the values it captures.
    fn closure(
        &mut self,
        param: &'static str,
        body: &'static Expr,
    ) -> Result<(GenericFunction, Vec<Value>), Stop> {
        let (param_ty, ret) = (self.fresh(), self.fresh());
        let name = Symbol::new(&format!("{}.closure{}", self.name(), self.closures.len()));
        self.open(name, &[param_ty], ret);
        let value = self.builder().function.params()[0];
        self.label(value, param);
        let variable = self.builder().declare(param_ty);
        self.builder().define(variable, value);
        // The parameter hides captures of its name: their scope is the outer one.
        self.frame().scopes.push(Default::default());
        self.declare(param, Binding::Variable(variable));
        match self.expr(body) {
            Ok(value) => {
                self.set_span(body.at);
                self.ret(value);
            }
            Err(Stop::Diverged) => {}
            Err(failed) => return Err(failed),
        }
        Ok(self.close())
    }
}

/// The primitive of an operator.
fn primitive(op: Binary) -> Prim {
    match op {
        Binary::Add => Prim::Add,
        Binary::Sub => Prim::Sub,
        Binary::Mul => Prim::Mul,
        Binary::Div => Prim::Div,
        Binary::Rem => Prim::Rem,
        Binary::And => Prim::And,
        Binary::Or => Prim::Or,
        Binary::Xor => Prim::Xor,
        Binary::Shl => Prim::Shl,
        Binary::Shr => Prim::Shr,
        Binary::Eq => Prim::Eq,
        Binary::Ne => Prim::Ne,
        Binary::Lt => Prim::Lt,
        Binary::Le => Prim::Le,
        Binary::Gt => Prim::Gt,
        Binary::Ge => Prim::Ge,
    }
}
