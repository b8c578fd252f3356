//! Expressions.

use super::derived_traits::DerivedTrait;
use super::guards::{Ends, has_let, in_scope};
use super::interference;
use super::pattern::says_ref_mut;
use super::place::as_place;
use super::{Elaborator, key, read_local};
use crate::diag::Result;
use crate::diag::Span;
use crate::front::text;
use crate::front::tree::{
    At, Binary, Constant, Expr as Tree, ExprKind as TreeKind, Pattern as TreePattern,
};
use crate::front::ty::{Dyn, Item, OPTION, RefKind, Ty};
use crate::front::typed::{
    Arm, Base, Expr, ExprKind, Intrinsic, Iter, Pattern, Place, Projection, Source, Statement,
};
use crate::infer::Constructor;
use crate::infer::check::{constant_type, find_variant};
use crate::infer::iterators::{Access, Counted, Items, counted};
use crate::ir::{Const, Fault, HostOp, Symbol, Type};
use crate::resolve::builtins::MethodKind;
use crate::stdlib;

impl Elaborator<'_, '_> {
    /// An expression as a value of its own type.
    pub(super) fn rvalue(&mut self, expr: &'static Tree) -> Result<Expr> {
        let at = expr.at;
        let span = self.span(at);
        let of = |ty: Ty, kind: ExprKind| kind.of(ty, span);
        Ok(match &expr.kind {
            TreeKind::Local(_) | TreeKind::Field(..) | TreeKind::Deref(_) => {
                self.given_away(expr);
                let (place, ty) = self.place(expr)?;
                self.read(place, ty, span, true)
            }
            TreeKind::Index(base, index) => match self.is_subslice(expr)? {
                true => self.subslice(expr, base, index, false)?,
                false => {
                    let (place, ty) = self.place(expr)?;
                    self.read(place, ty, span, true)
                }
            },
            TreeKind::Float(x, _) => match self.ty(expr)? {
                // A literal is read as an f64.
                ty @ Ty::Scalar(Type::F32) => {
                    of(ty, ExprKind::Const(Const::Float(f64::from(*x as f32))))
                }
                ty => of(ty, ExprKind::Const(Const::Float(*x))),
            },
            TreeKind::Int(n, _) => of(self.ty(expr)?, ExprKind::Const(Const::Int(*n as i64))),
            TreeKind::Parameter(n, _) => {
                let ty = self.ty(expr)?;
                let argument = self.row().arguments.get(*n as usize).copied();
                match self.known(argument.unwrap_or(Ty::Param(*n)), at)? {
                    Ty::Const(value) if ty == Ty::BOOL => {
                        of(ty, ExprKind::Const(Const::Bool(value != 0)))
                    }
                    Ty::Const(value) => of(ty, ExprKind::Const(Const::Int(value))),
                    other => return self.bug(at, format!("`{other}` as a const parameter")),
                }
            }
            TreeKind::Bool(b) => of(Ty::BOOL, ExprKind::Const(Const::Bool(*b))),
            TreeKind::Str(text) => of(Ty::Str, text_constant(text)),
            TreeKind::Formatted(_) => {
                self.output.formats = true;
                of(Ty::Str, ExprKind::Const(Const::Int(text::UNKNOWN as i64)))
            }
            TreeKind::Constant(constant) => {
                let ty = self.ty(expr)?;
                self.constant_value(&constant(), ty, expr.at)?
            }
            TreeKind::Function(_) | TreeKind::MethodValue(..) => {
                of(self.ty(expr)?, ExprKind::Const(Const::Unit))
            }
            TreeKind::Neg(operand) => self.negate(expr, operand)?,
            TreeKind::Not(operand) if self.row().facts.methods.contains_key(&key(expr)) => {
                self.operator(expr, &[operand])?
            }
            TreeKind::Not(operand) => {
                let ty = self.ty(expr)?;
                let operand = self.value(operand, ty)?;
                match ty {
                    // Arrays of bools hold 0 and 1.
                    Ty::Array(_) => {
                        let one = number_of(Ty::Scalar(Type::U32), 1.0, span);
                        of(ty, ExprKind::binary(Binary::Xor, operand, one))
                    }
                    _ => of(ty, ExprKind::Not(Box::new(operand))),
                }
            }
            TreeKind::Binary(op, left, right) => self.binary(expr, *op, left, right)?,
            TreeKind::Lazy(is_and, left, right) => {
                let left = self.condition(left)?;
                let right = self.condition(right)?;
                of(
                    Ty::BOOL,
                    ExprKind::Lazy(*is_and, Box::new(left), Box::new(right)),
                )
            }
            TreeKind::Let(pattern, value) => {
                let (place, ty) = self.matched(value, says_ref_mut(pattern))?;
                let pattern = self.pattern(pattern, ty, false)?;
                self.borrowed(&place, &pattern);
                of(Ty::BOOL, ExprKind::Let(place, Box::new(pattern)))
            }
            TreeKind::Assign(place, value) => self.assign(place, value, span)?,
            TreeKind::AssignBinary(op, place, value) => {
                self.assign_binary(expr, *op, place, value)?
            }
            TreeKind::Call(_, args) => {
                let call = self.call(key(expr), at)?;
                let args = self.arguments(args, &call.params, at)?;
                self.call_with(&call, args, at)?
            }
            TreeKind::CallValue(callee, args) => self.call_value(expr, callee, args)?,
            TreeKind::Method(name, _, _, args) => self.method(expr, name, args)?,
            TreeKind::Associated(_, _, name, _, args) => self.associated(expr, name, args)?,
            TreeKind::Struct(_, variant, fields, base) => {
                self.structure(expr, *variant, fields, *base)?
            }
            TreeKind::Construct(_, variant, args) => {
                let ty = self.ty(expr)?;
                let Ty::Adt(adt, _) = ty else {
                    return Ok(of(ty, ExprKind::Const(Const::Unit)));
                };
                let variant = find_variant(adt, *variant).map_or(0, |found| found.0);
                let types: Vec<Ty> = ty
                    .fields(variant)
                    .into_iter()
                    .map(|field| field.1)
                    .collect();
                let args = self.arguments(args, &types, at)?;
                of(ty, ExprKind::Aggregate(variant, args))
            }
            TreeKind::Range(from, to, _) => {
                let ty = self.ty(expr)?;
                let types: Vec<Ty> = ty.fields(0).into_iter().map(|field| field.1).collect();
                let mut values = Vec::new();
                for (end, ty) in [from, to].into_iter().flatten().zip(types) {
                    values.push(self.value(end, ty)?);
                }
                of(ty, ExprKind::Aggregate(0, values))
            }
            TreeKind::Tuple(fields) => {
                let ty = self.ty(expr)?;
                let types: Vec<Ty> = match ty {
                    Ty::Tuple(types) => types.to_vec(),
                    _ => Vec::new(),
                };
                let fields = self.arguments(fields, &types, at)?;
                match fields.is_empty() {
                    true => of(ty, ExprKind::Const(Const::Unit)),
                    false => of(ty, ExprKind::Tuple(fields)),
                }
            }
            TreeKind::List(items) | TreeKind::VecList(items) => {
                let ty = self.ty(expr)?;
                let element = ty.element().unwrap_or(Ty::UNIT);
                let items = self.arguments(items, &vec![element; items.len()], at)?;
                of(ty, ExprKind::List(items))
            }
            TreeKind::Repeat(value, _) => {
                let ty = self.ty(expr)?;
                let value = self.value(value, ty.element().unwrap_or(Ty::UNIT))?;
                let count = match ty {
                    Ty::List(_, count) => ExprKind::Const(Const::Int(count as i64)),
                    other => return self.bug(at, format!("`{other}` as a list")),
                };
                let count = of(Ty::USIZE, count);
                of(ty, ExprKind::Repeat(Box::new(value), Box::new(count)))
            }
            TreeKind::VecRepeat(value, count) => {
                let ty = self.ty(expr)?;
                self.part_by_part(ty, DerivedTrait::Clone, span)?;
                let value = self.value(value, ty.element().unwrap_or(Ty::UNIT))?;
                let count = self.value(count, Ty::USIZE)?;
                of(ty, ExprKind::Repeat(Box::new(value), Box::new(count)))
            }
            TreeKind::Ref(false, inner) => {
                if self.is_subslice(inner)? {
                    return self.rvalue(inner);
                }
                let (place, ty) = self.place(inner)?;
                self.read(place, ty, span, false)
            }
            TreeKind::Ref(true, inner) => self.borrow_mut(expr, inner)?,
            TreeKind::Cast(value, _) => self.cast(expr, value)?,
            TreeKind::If(condition, then, otherwise) => {
                let ty = self.ty(expr)?;
                if let (TreeKind::Bool(known), false) = (&condition.kind, ty == Ty::Never) {
                    // The compiler knows the value.
                    return match (known, otherwise) {
                        (true, _) => self.block(then, Some(ty), at),
                        (false, Some(otherwise)) => self.value(otherwise, ty),
                        (false, None) => Ok(unit(span)),
                    };
                }
                self.guards.open(Ends::Early);
                let condition = self.condition(condition)?;
                let then = self.scoped(Ends::Temporaries, |this| this.block(then, Some(ty), at))?;
                let scope = self.guards.close();
                let otherwise = match otherwise {
                    Some(otherwise) => {
                        let value = |this: &mut Self| this.value(otherwise, ty);
                        Some(Box::new(self.scoped(Ends::Temporaries, value)?))
                    }
                    None => None,
                };
                let whole = of(
                    ty,
                    ExprKind::If(Box::new(condition), Box::new(then), otherwise),
                );
                in_scope(scope, whole, true)
            }
            TreeKind::Match(value, arms) => {
                let ty = self.ty(expr)?;
                let by_mut = arms.iter().any(|arm| says_ref_mut(&arm.pattern));
                let (place, matched) = self.matched(value, by_mut)?;
                let mut all = Vec::new();
                for arm in *arms {
                    let mut pattern = self.pattern(&arm.pattern, matched, false)?;
                    self.borrowed(&place, &pattern);
                    if arm.guard.is_some() {
                        let all = <[Pattern; 1]>::try_from(pattern.alternatives());
                        pattern = all.map_or_else(Pattern::Or, |[one]| one);
                    }
                    let before = self.guards.count();
                    let guard = match &arm.guard {
                        Some(guard) => Some(self.condition(guard)?),
                        None => None,
                    };
                    if let Some(guard) = arm.guard.as_ref()
                        && has_let(guard)
                        && self.guards.count() > before
                    {
                        return self.refuse(
                            guard.at,
                            "a borrow in an `if let` of an arm is not supported",
                            "write the `if let` in the arm, or read the cell before the `match`",
                        );
                    }
                    let body = self.scoped(Ends::Temporaries, |this| this.value(&arm.body, ty))?;
                    all.push(Arm {
                        pattern,
                        guard,
                        body,
                    });
                }
                of(ty, ExprKind::Match(place, all))
            }
            TreeKind::Try(inner) => self.question(expr, inner)?,
            TreeKind::Closure(lambda) => self.closure(expr, lambda)?,
            TreeKind::Block(None, block) => self.block(block, None, at)?,
            TreeKind::Block(label, block) => {
                let ty = self.ty(expr)?;
                let id = self.enter(*label, false, ty);
                let body = self.block(block, Some(ty), at)?;
                self.loops.pop();
                of(ty, ExprKind::Labelled(id, Box::new(body)))
            }
            TreeKind::While(label, condition, body) => {
                let id = self.enter(*label, true, Ty::UNIT);
                self.guards.open(Ends::Temporaries);
                // A `break` in the condition leaves the outer loop.
                let own = self.loops.pop();
                let condition = self.condition(condition)?;
                self.loops.extend(own);
                let body = self.turn(body, at)?;
                let scope = self.guards.close();
                let whole = ExprKind::While(id, Box::new(condition), Box::new(body));
                in_scope(scope, of(Ty::UNIT, whole), true)
            }
            TreeKind::Loop(label, body) => {
                let ty = self.ty(expr)?;
                let id = self.enter(*label, true, ty);
                let body = self.turn(body, at)?;
                of(ty, ExprKind::Loop(id, Box::new(body)))
            }
            TreeKind::For(label, pattern, iterable, body) => {
                self.for_loop(expr, *label, pattern, iterable, body)?
            }
            TreeKind::Break(label, value) => {
                let (id, ty, depth) = self.find_loop(*label, at)?;
                self.jump(value.map(|value| (value, ty)), depth, span, |value| {
                    ExprKind::Break(id, value)
                })?
            }
            TreeKind::Continue(label) => {
                let (id, _, depth) = self.find_loop(*label, at)?;
                self.jump(None, depth, span, |_| ExprKind::Continue(id))?
            }
            TreeKind::Return(value) => {
                let ret = self.known(self.ret, at)?;
                self.jump(value.map(|value| (value, ret)), 0, span, ExprKind::Return)?
            }
            TreeKind::Assert(condition, text, values) => {
                let condition = self.value(condition, Ty::BOOL)?;
                let (fault, shown) = self.panic(text, values)?;
                of(
                    Ty::UNIT,
                    ExprKind::Assert(Box::new(condition), fault, shown),
                )
            }
            TreeKind::Panic(text, values) => {
                let (fault, shown) = self.panic(text, values)?;
                of(Ty::Never, ExprKind::Fail(fault, shown))
            }
        })
    }

    /// A condition or a part of one. Its temporaries end with it, unless it contains a `let`.
    fn condition(&mut self, expr: &'static Tree) -> Result<Expr> {
        match has_let(expr) {
            true => self.value(expr, Ty::BOOL),
            false => self.scoped(Ends::Temporaries, |this| this.value(expr, Ty::BOOL)),
        }
    }
    /// The body of the innermost loop.
    fn turn(&mut self, body: &'static crate::front::tree::Block, at: At) -> Result<Expr> {
        let body = self.scoped(Ends::Temporaries, |this| this.block(body, None, at));
        self.loops.pop();
        body
    }
    /// Leaves all scopes deeper than `depth`, with an optional value.
    fn jump(
        &mut self,
        value: Option<(&'static Tree, Ty)>,
        depth: usize,
        span: Span,
        kind: impl FnOnce(Option<Box<Expr>>) -> ExprKind,
    ) -> Result<Expr> {
        let ty = Ty::Never;
        let Some((value, wanted)) = value else {
            let kind = kind(None);
            return Ok(self.left(depth, kind.of(ty, span), true));
        };
        let value = self.value(value, wanted)?;
        let kind = kind(Some(Box::new(self.left(depth, value, false))));
        Ok(kind.of(ty, span))
    }

    /// A panic with the values that its message shows. If a value is neither a number nor a bool, the message is not shown.
    fn panic(&mut self, text: &str, values: &'static [Tree]) -> Result<(Fault, Vec<Expr>)> {
        let mut shown = Vec::new();
        for value in values {
            self.stays(value);
            let value = self.operand(value)?;
            if value.ty.scalar().is_none() {
                // The macro has appended the two sides of a comparison to the values that the user's text shows.
                return match text.strip_suffix("\n  left: {:?}\n right: {:?}") {
                    Some(own) => self.panic(own, &values[..values.len().saturating_sub(2)]),
                    None => Ok((Fault::Panic(Symbol::new(text)), Vec::new())),
                };
            }
            shown.push(value);
        }
        Ok((Fault::Panic(Symbol::new(text)), shown))
    }

    /// A negative literal is one constant, because `128i8` alone would overflow.
    fn negate(&mut self, expr: &'static Tree, operand: &'static Tree) -> Result<Expr> {
        if self.row().facts.methods.contains_key(&key(expr)) {
            return self.operator(expr, &[operand]);
        }
        let ty = self.ty(expr)?;
        self.computes(ty, expr.at)?;
        let mut value = self.value(operand, ty)?;
        value.span = self.span(expr.at);
        match value.kind {
            ExprKind::Const(Const::Int(n)) => {
                value.kind = ExprKind::Const(Const::Int(n.wrapping_neg()))
            }
            ExprKind::Const(Const::Float(x)) => value.kind = ExprKind::Const(Const::Float(-x)),
            kind => {
                let inner = kind.of(ty, value.span);
                value.kind = ExprKind::Neg(Box::new(inner));
            }
        }
        Ok(value)
    }
    /// A call of an operator that a type of the program implements.
    fn operator(&mut self, expr: &'static Tree, operands: &[&'static Tree]) -> Result<Expr> {
        let call = self.call(key(expr), expr.at)?;
        let mut args = Vec::new();
        for (operand, &param) in operands.iter().zip(&call.params) {
            let param = self.known(param, expr.at)?;
            args.push(match param {
                Ty::Mut(_) => {
                    let (place, ty) = self.target(operand)?;
                    match ty {
                        Ty::Mut(_) => self.read(place, ty, self.span(expr.at), false),
                        _ => self.address(place, ty, self.span(expr.at))?,
                    }
                }
                _ => self.value(operand, param)?,
            });
        }
        self.call_with(&call, args, expr.at)
    }
    fn binary(
        &mut self,
        expr: &'static Tree,
        op: Binary,
        left: &'static Tree,
        right: &'static Tree,
    ) -> Result<Expr> {
        let span = self.span(expr.at);
        if self.row().facts.methods.contains_key(&key(expr)) {
            let call = self.operator(expr, &[left, right])?;
            return Ok(match op {
                Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => super::order::holds(op, call),
                Binary::Ne => ExprKind::Not(Box::new(call)).of(Ty::BOOL, span),
                _ => call,
            });
        }
        let (a, b) = (self.operand(left)?, self.operand(right)?);
        self.computes(a.ty, expr.at)?;
        if is_comparison(op) && !matches!(a.ty, Ty::Scalar(_)) {
            return self.compare(op, a, b, span);
        }
        let (a, b) = match (a.ty, b.ty) {
            (Ty::Array(_), _) => (a, number_of_bool(b)),
            (_, Ty::Array(_)) => (number_of_bool(a), b),
            _ => (a, b),
        };
        let ty = match op {
            _ if is_comparison(op) => Ty::BOOL,
            Binary::Shl | Binary::Shr => a.ty,
            _ if matches!(b.ty, Ty::Array(_)) => b.ty,
            _ => a.ty,
        };
        Ok(ExprKind::binary(op, a, b).of(ty, span))
    }
    /// Refuses to compute with elements of an array that only stores them.
    fn computes(&self, ty: Ty, at: At) -> Result<()> {
        match ty {
            Ty::Scalar(Type::F16) => {
                let (message, help) = crate::infer::ONLY_STORED;
                self.refuse(at, message, help)
            }
            _ => Ok(()),
        }
    }
    /// An operand: numbers behind references are numbers.
    fn operand(&mut self, expr: &'static Tree) -> Result<Expr> {
        let value = self.rvalue(expr)?;
        match value.ty {
            Ty::Mut(_) | Ty::Boxed(_) => {
                let (span, ty) = (value.span, value.ty);
                let (place, ty) = self.deref_all(as_place(value), ty);
                Ok(self.read(place, ty, span, false))
            }
            _ => Ok(value),
        }
    }
    /// Compares two values of one type, part by part.
    pub(super) fn ordered(&mut self, a: Expr, b: Expr, span: Span) -> Result<Expr> {
        self.part_by_part(a.ty, DerivedTrait::Order, span)?;
        let found = super::order::partial_cmp(self.output, a, b, span);
        found.map_err(|error| self.row().blamed(error))
    }
    /// `a == b` of structs, enums and tuples, part by part.
    fn compare(&mut self, op: Binary, a: Expr, b: Expr, span: Span) -> Result<Expr> {
        let (a, b) = match (a.ty.element(), b.ty.element()) {
            (Some(x), Some(y)) if a.ty != b.ty => (
                self.coerce(a, Ty::slice_mut(x))?,
                self.coerce(b, Ty::slice_mut(y))?,
            ),
            _ => (a, b),
        };
        if !matches!(op, Binary::Eq | Binary::Ne) {
            let found = self.ordered(a, b, span)?;
            return Ok(super::order::holds(op, found));
        }
        self.part_by_part(a.ty, DerivedTrait::Eq, span)?;
        let equal = super::equality::equal(self.output, a, b, span);
        let equal = equal.map_err(|error| self.row().blamed(error))?;
        Ok(match op {
            Binary::Ne => ExprKind::Not(Box::new(equal)).of(Ty::BOOL, span),
            _ => equal,
        })
    }
    fn assign(&mut self, place: &'static Tree, value: &'static Tree, span: Span) -> Result<Expr> {
        match &place.kind {
            TreeKind::Local("_") => {
                let value = self.rvalue(value)?;
                Ok(ExprKind::Block(vec![Statement::Expr(value)], None).of(Ty::UNIT, span))
            }
            TreeKind::Tuple(_)
            | TreeKind::Struct(..)
            | TreeKind::Construct(..)
            | TreeKind::List(_) => {
                let ty = self.ty(place)?;
                let value = self.value(value, ty)?;
                let mut statements = Vec::new();
                let held = self.hold(value, &mut statements);
                self.destructure(place, Place::of(held), ty, &mut statements)?;
                Ok(ExprKind::Block(statements, None).of(Ty::UNIT, span))
            }
            _ => {
                // A guard that is assigned to a variable after its declaration.
                self.given_away(place);
                let (target, ty) = self.target(place)?;
                let value = self.value(value, ty)?;
                self.change(&target);
                Ok(ExprKind::Assign(target, Box::new(value)).of(Ty::UNIT, span))
            }
        }
    }
    /// `(a, b[0]) = value`: the parts are assigned from left to right.
    fn destructure(
        &mut self,
        target: &'static Tree,
        from: Place,
        ty: Ty,
        statements: &mut Vec<Statement>,
    ) -> Result<()> {
        let span = self.span(target.at);
        let parts: Vec<(&'static Tree, Projection, Ty)> = match (&target.kind, ty) {
            (TreeKind::Local("_"), _) => return Ok(()),
            (TreeKind::Tuple(parts), Ty::Tuple(types)) => parts
                .iter()
                .zip(types)
                .enumerate()
                .map(|(n, (part, &ty))| (part, Projection::Field(n as u32, ty), ty))
                .collect(),
            (TreeKind::Construct(_, None, parts), Ty::Adt(..)) => parts
                .iter()
                .zip(ty.fields(0))
                .enumerate()
                .map(|(n, (part, (_, ty)))| (part, Projection::Field(n as u32, ty), ty))
                .collect(),
            (TreeKind::List(parts), Ty::List(&element, _)) => {
                let index = |n: usize| Expr::index(n, span);
                parts
                    .iter()
                    .enumerate()
                    .map(|(n, part)| {
                        (
                            part,
                            Projection::Index(Box::new(index(n)), element, span),
                            element,
                        )
                    })
                    .collect()
            }
            (
                TreeKind::Tuple(_)
                | TreeKind::Construct(..)
                | TreeKind::List(_)
                | TreeKind::Struct(..),
                _,
            ) => {
                return self.refuse(
                    target.at,
                    "this cannot be assigned to here",
                    "assign the parts one by one",
                );
            }
            _ => {
                let value = self.read(from, ty, span, true);
                let (place, wanted) = self.target(target)?;
                let value = self.coerce(value, wanted)?;
                self.change(&place);
                statements.push(ExprKind::Assign(place, Box::new(value)).statement(span));
                return Ok(());
            }
        };
        let Base::Local(local) = from.base else {
            return self.refuse(
                target.at,
                "this cannot be assigned to here",
                "assign the parts one by one",
            );
        };
        for (part, step, ty) in parts {
            let value = self.read(Place::of(local).then(step), ty, span, true);
            let held = self.hold(value, statements);
            self.destructure(part, Place::of(held), ty, statements)?;
        }
        Ok(())
    }
    fn assign_binary(
        &mut self,
        expr: &'static Tree,
        op: Binary,
        place: &'static Tree,
        value: &'static Tree,
    ) -> Result<Expr> {
        if self.row().facts.methods.contains_key(&key(expr)) {
            return self.operator(expr, &[place, value]);
        }
        let span = self.span(expr.at);
        let mut first = Vec::new();
        let before = self.guards.count();
        let ty = self.ty(place)?;
        let is_parameter = self.row().arguments.contains(&ty);
        let ref_kind = self.row().facts.assigned.get(&key(value));
        let ref_kind = ref_kind.copied().unwrap_or(RefKind::Unknown);
        let (value, target) = match ty {
            // The implementation of a trait is called, also that of numbers if the right side is a reference. It evaluates the place first.
            ty if matches!(ty, Ty::Array(_)) || ref_kind.is_reference() => {
                let (target, ty) = self.target(place)?;
                let (mut target, ty) = self.deref_muts(target, ty);
                let is_borrowed = self.guards.count() > before;
                let mut value = self.operand(value)?;
                if is_borrowed || self.interfere(&mut target, &mut value, true) {
                    let address = self.address(target, ty, span)?;
                    target = Place::of(self.hold(address, &mut first)).then(Projection::Deref(ty));
                }
                (value, target)
            }
            _ => {
                let mut value = self.operand(value)?;
                let (target, ty) = self.target(place)?;
                let mut target = self.deref_muts(target, ty).0;
                let is_told = ref_kind == RefKind::Value && !is_parameter;
                if !is_told && self.interfere(&mut target, &mut value, false) {
                    return self.refuse(
                        expr.at,
                        "cannot tell which side of this assignment is computed first: it depends on whether the right side is a reference",
                        "first bind the right side, or the index, to a variable",
                    );
                }
                (value, target)
            }
        };
        self.change(&target);
        let assign = ExprKind::AssignBinary(op, target, Box::new(value)).of(Ty::UNIT, span);
        Ok(within(first, assign))
    }

    /// See [`interference::interfere`].
    fn interfere(&self, target: &mut Place, value: &mut Expr, failing: bool) -> bool {
        let instances = &self.session.instances;
        interference::interfere(target, value, failing, &|name| {
            let mut named = instances.iter();
            let found = named.find(|instance| instance.name == name);
            found.map(|instance| instance.source)
        })
    }

    fn call_value(
        &mut self,
        expr: &'static Tree,
        callee: &'static Tree,
        args: &'static [Tree],
    ) -> Result<Expr> {
        let at = expr.at;
        let span = self.span(at);
        let (place, ty) = self.place(callee)?;
        let (place, ty) = self.deref_all(place, ty);
        match ty {
            Ty::Closure(closure) => {
                let id = self.session.closure_id(closure);
                let (params, ret) = (
                    self.session.closures[id].params.clone(),
                    self.session.closures[id].ret,
                );
                let ret = self.known(ret, at)?;
                let mut values = vec![self.read(place, ty, span, false)];
                values.extend(self.arguments(args, &params, at)?);
                Ok(ExprKind::Call(closure.name, values).of(ret, span))
            }
            Ty::Dyn(Dyn::Fn(params, ret)) => {
                let mut values = vec![self.read(place, ty, span, false)];
                values.extend(self.arguments(args, params, at)?);
                Ok(self.dispatch(ty, None, values, *ret, span))
            }
            Ty::Item(Item::Overloaded(_, name, _))
                if !self.row().facts.calls.contains_key(&key(expr)) =>
            {
                self.method(expr, name.as_str(), args)
            }
            Ty::Item(Item::Source(..) | Item::Overloaded(..)) => {
                let call = self.call(key(expr), at)?;
                let args = self.arguments(args, &call.params, at)?;
                self.call_with(&call, args, at)
            }
            Ty::Item(Item::Constructor(&ty, variant)) => {
                let ty = self.known(ty, at)?;
                let types: Vec<Ty> = ty
                    .fields(variant)
                    .into_iter()
                    .map(|field| field.1)
                    .collect();
                let args = self.arguments(args, &types, at)?;
                Ok(ExprKind::Aggregate(variant, args).of(ty, span))
            }
            Ty::Item(Item::Method(name, _)) => self.method(expr, name.as_str(), args),
            _ => self.bug(at, format!("`{ty}` is no function")),
        }
    }

    /// `Point { x: 1.0, ..base }`: the fields are computed in the order in which they are written.
    fn structure(
        &mut self,
        expr: &'static Tree,
        variant: Option<&'static str>,
        fields: &'static [(&'static str, Tree)],
        base: Option<&'static Tree>,
    ) -> Result<Expr> {
        let (ty, span) = (self.ty(expr)?, self.span(expr.at));
        let Ty::Adt(adt, _) = ty else {
            return self.bug(expr.at, format!("`{ty}` is no struct"));
        };
        let variant = find_variant(adt, variant).map_or(0, |found| found.0);
        let declared = ty.fields(variant);
        let mut statements = Vec::new();
        let mut values: Vec<Option<Expr>> = declared.iter().map(|_| None).collect();
        let in_order = fields
            .iter()
            .map(|field| field.0)
            .eq(declared.iter().map(|field| field.0));
        for (name, value) in fields {
            let Some(n) = declared.iter().position(|field| field.0 == *name) else {
                return self.bug(value.at, format!("there is no field `{name}`"));
            };
            let value = self.value(value, declared[n].1)?;
            values[n] = Some(match in_order || matches!(value.kind, ExprKind::Const(_)) {
                true => value,
                false => {
                    let (ty, span) = (value.ty, value.span);
                    let local = self.hold(value, &mut statements);
                    read_local(local, ty, span)
                }
            });
        }
        if let Some(base) = base {
            let (place, found) = self.place(base)?;
            let (place, found) = self.deref_all(place, found);
            let whole = self.read(place, found, span, false);
            let local = self.hold(whole, &mut statements);
            for (n, value) in values
                .iter_mut()
                .enumerate()
                .filter(|(_, value)| value.is_none())
            {
                let ty = declared[n].1;
                let place = Place::of(local).then(Projection::Field(n as u32, ty));
                *value = Some(self.read(place, ty, span, true));
            }
        }
        let Some(values) = values.into_iter().collect::<Option<Vec<Expr>>>() else {
            return self.bug(expr.at, "a field is missing");
        };
        let whole = ExprKind::Aggregate(variant, values).of(ty, span);
        Ok(within(statements, whole))
    }

    fn borrow_mut(&mut self, expr: &'static Tree, inner: &'static Tree) -> Result<Expr> {
        let (ty, span) = (self.ty(expr)?, self.span(expr.at));
        if !matches!(ty, Ty::Mut(_)) {
            // A slice or a `dyn` value.
            if let TreeKind::Index(base, index) = &inner.kind
                && self.is_subslice(inner)?
            {
                let slice = self.subslice(inner, base, index, true)?;
                return self.coerce(slice, ty);
            }
            let (place, found) = self.place_mut(inner)?;
            let value = self.read(place, found, span, false);
            return self.coerce(value, ty);
        }
        let (place, found) = self.place_mut(inner)?;
        match found == ty {
            // The pointee is reborrowed.
            true => Ok(self.read(place, found, span, false)),
            false => self.address(place, found, span),
        }
    }
    fn cast(&mut self, expr: &'static Tree, value: &'static Tree) -> Result<Expr> {
        let (ty, span) = (self.ty(expr)?, self.span(expr.at));
        let value = self.operand(value)?;
        match (value.ty, ty) {
            (from, _) if from == ty => Ok(value),
            (Ty::Scalar(_), Ty::Scalar(_)) => Ok(ExprKind::Cast(Box::new(value)).of(ty, span)),
            // An enum without fields is cast to the number of its variant.
            (Ty::Adt(adt, _), Ty::Scalar(to))
                if adt.is_enum
                    && adt.variants.iter().all(|v| v.fields.is_empty())
                    && to.is_int() =>
            {
                self.refuse(
                    expr.at,
                    format!("`{}` cannot be cast to `{ty}` here", value.ty),
                    "write a `match` that returns the number for each variant",
                )
            }
            _ if matches!(ty, Ty::Dyn(_)) || stdlib::dyn_iterator(ty).is_some() => {
                self.coerce(value, ty)
            }
            (from, _) => self.refuse(
                expr.at,
                format!("`{from}` cannot be cast to `{ty}` here"),
                "pointers cannot be cast to numbers",
            ),
        }
    }

    /// `e?`
    fn question(&mut self, expr: &'static Tree, inner: &'static Tree) -> Result<Expr> {
        let span = self.span(expr.at);
        let value = self.rvalue(inner)?;
        let ty = value.ty;
        let Ty::Adt(adt, arguments) = ty else {
            return self.bug(expr.at, format!("`?` does not take `{ty}` here"));
        };
        let ret = self.known(self.ret, expr.at)?;
        let is_option = *adt == OPTION;
        let good = u32::from(is_option);
        let (local, bind) = self.bound(arguments[0], false);
        let found = Arm::new(
            Pattern::Variant(
                good,
                vec![(
                    Projection::Payload {
                        variant: good,
                        field: 0,
                        ty: arguments[0],
                    },
                    bind,
                )],
            ),
            read_local(local, arguments[0], span),
        );
        let (pattern, failure) = match is_option {
            true => (Pattern::Wild, ExprKind::Aggregate(0, vec![]).of(ret, span)),
            false => {
                let error = arguments[1];
                let (local, bind) = self.bound(error, false);
                let mut value = read_local(local, error, span);
                if self.row().facts.calls.contains_key(&key(expr)) {
                    let call = self.call(key(expr), expr.at)?;
                    value = self.call_with(&call, vec![value], expr.at)?;
                }
                let wanted = match ret {
                    Ty::Adt(_, &[_, wanted]) => wanted,
                    _ => error,
                };
                let value = self.coerce(value, wanted)?;
                let step = Projection::Payload {
                    variant: 1,
                    field: 0,
                    ty: error,
                };
                (
                    Pattern::Variant(1, vec![(step, bind)]),
                    ExprKind::Aggregate(1, vec![value]).of(ret, span),
                )
            }
        };
        let leave =
            ExprKind::Return(Some(Box::new(self.left(0, failure, false)))).of(Ty::Never, span);
        let missing = Arm::new(pattern, leave);
        Ok(ExprKind::Match(Place::value(value), vec![found, missing]).of(arguments[0], span))
    }

    fn for_loop(
        &mut self,
        expr: &'static Tree,
        label: Option<&'static str>,
        pattern: &'static TreePattern,
        iterable: &'static Tree,
        body: &'static crate::front::tree::Block,
    ) -> Result<Expr> {
        let span = self.span(expr.at);
        let counted_loop =
            counted(iterable).filter(|_| self.row().facts.counted.contains(&key(expr)));
        if let Some(counted_loop) = counted_loop {
            let iter = self.iter(&counted_loop)?;
            let pattern = self.pattern(pattern, iter.item, false)?;
            let id = self.enter(label, true, Ty::UNIT);
            let body = self.turn(body, expr.at)?;
            return Ok(ExprKind::For(id, pattern, iter, Box::new(body)).of(Ty::UNIT, span));
        }
        // loop { match it.next() { Some(pattern) => body, None => break } }
        let Some(chosen) = self.row().facts.methods.get(&key(expr)).cloned() else {
            return self.bug(iterable.at, "a loop without `next`");
        };
        let call = self.call(key(expr), expr.at)?;
        let value = self.rvalue(iterable)?;
        let mut statements = Vec::new();
        let ty = value.ty;
        let state = self.hold(value, &mut statements);
        let (mut place, mut found) = (Place::of(state), ty);
        for _ in 0..chosen.derefs {
            (place, found) = self.deref_once(place, found);
        }
        let receiver = match chosen.kind {
            MethodKind::Call(true) => self.address(place, found, span)?,
            _ => self.read(place, found, span, false),
        };
        let next = self.call_with(&call, vec![receiver], expr.at)?;
        let item = match next.ty {
            Ty::Adt(_, &[item]) => item,
            _ => Ty::UNIT,
        };
        let id = self.enter(label, true, Ty::UNIT);
        let inner = self.pattern(pattern, item, false)?;
        let body = self.turn(body, expr.at)?;
        let step = Projection::Payload {
            variant: 1,
            field: 0,
            ty: item,
        };
        let leave = ExprKind::Break(id, None).of(Ty::Never, span);
        let arms = vec![
            Arm::new(Pattern::Variant(1, vec![(step, inner)]), body),
            Arm::new(Pattern::Wild, leave),
        ];
        let turn = ExprKind::Match(Place::value(next), arms).of(Ty::UNIT, span);
        let whole = ExprKind::Loop(id, Box::new(turn)).of(Ty::UNIT, span);
        Ok(within(statements, whole))
    }
    fn iter(&mut self, counted_loop: &Counted) -> Result<Iter> {
        let (source, item) = match &counted_loop.source {
            Items::Range(from, to, inclusive) => {
                let from = self.operand(from)?;
                let item = from.ty;
                let to = self.value(to, item)?;
                (
                    Source::Range(Box::new(from), Box::new(to), *inclusive),
                    item,
                )
            }
            Items::Elements(expr, access) => {
                let found = self.ty(expr)?;
                let item = self.session.element_item(found, *access);
                let mut slice = self.slice_for(expr, *access == Access::Mut)?;
                // A fixed array that is given by value is a copy, whatever the loop does to the place from which it comes.
                if let (Access::Own, Ty::List(..)) = (*access, found)
                    && let ExprKind::AsSlice(array) = &mut slice.kind
                    && let ExprKind::Read { copy, .. } = &mut array.kind
                {
                    *copy = true;
                }
                let by_mut = matches!(item, Ty::Mut(_))
                    && *access != Access::Shared
                    && *access != Access::Copied;
                (Source::Elements(Box::new(slice), by_mut), item)
            }
            Items::Windows(expr, n) => {
                let slice = self.slice(expr)?;
                let item = slice.ty;
                let n = self.value(n, Ty::USIZE)?;
                (Source::Windows(Box::new(slice), Box::new(n)), item)
            }
            Items::Chunks(expr, n, exact, access) => {
                let slice = self.slice_for(expr, *access == Access::Mut)?;
                let item = slice.ty;
                let n = self.value(n, Ty::USIZE)?;
                (Source::Chunks(Box::new(slice), Box::new(n), *exact), item)
            }
            Items::Zip(a, b) => {
                let (a, b) = (self.iter(a)?, self.iter(b)?);
                let item = Ty::tuple(&[a.item, b.item]);
                (Source::Zip(Box::new(a), Box::new(b)), item)
            }
        };
        let step = match counted_loop.step {
            Some(step) => Some(Box::new(self.value(step, Ty::USIZE)?)),
            None => None,
        };
        Ok(Iter {
            source,
            rev: counted_loop.rev,
            step,
            enumerate: counted_loop.enumerate,
            item: match counted_loop.enumerate {
                true => Ty::tuple(&[Ty::USIZE, item]),
                false => item,
            },
        })
    }

    /// The value of a constant item.
    fn constant_value(&mut self, constant: &Constant, ty: Ty, at: At) -> Result<Expr> {
        let kind = match constant {
            Constant::Scalar(value, _) => ExprKind::Const(*value),
            Constant::Tuple(fields) if fields.is_empty() => ExprKind::Const(Const::Unit),
            Constant::Tuple(fields) => {
                let types: Vec<Ty> = fields.iter().map(constant_type).collect();
                ExprKind::Tuple(self.constant_values(fields, &types, at)?)
            }
            Constant::List(items, element) => {
                let types = vec![*element; items.len()];
                ExprKind::List(self.constant_values(items, &types, at)?)
            }
            Constant::Str(text) => text_constant(text),
            Constant::Variant(_, name) => match ty {
                Ty::Adt(adt, _) if adt.is_enum => match find_variant(adt, Some(name)) {
                    Some((variant, _)) => ExprKind::Aggregate(variant, Vec::new()),
                    None => return self.bug(at, format!("`{ty}` has no variant `{name}`")),
                },
                _ => return self.no_constant(ty, at),
            },
            Constant::Adt(_, variant, fields) => {
                let types: Vec<Ty> = ty.fields(*variant).iter().map(|field| field.1).collect();
                ExprKind::Aggregate(*variant, self.constant_values(fields, &types, at)?)
            }
            Constant::Other(_) => return self.no_constant(ty, at),
        };
        let span = self.span(at);
        Ok(kind.of(ty, span))
    }
    fn no_constant<T>(&self, ty: Ty, at: At) -> Result<T> {
        self.refuse(
            at,
            format!("a constant of type `{ty}` cannot be used here"),
            "pass it as a parameter",
        )
    }
    fn constant_values(
        &mut self,
        constants: &[Constant],
        types: &[Ty],
        at: At,
    ) -> Result<Vec<Expr>> {
        let mut values = Vec::new();
        for (constant, &wanted) in constants.iter().zip(types) {
            let ty = self.known(constant_type(constant), at)?;
            let value = self.constant_value(constant, ty, at)?;
            values.push(self.coerce(value, wanted)?);
        }
        Ok(values)
    }

    /// `Type::name(args)`
    fn associated(
        &mut self,
        expr: &'static Tree,
        name: &'static str,
        args: &'static [Tree],
    ) -> Result<Expr> {
        let at = expr.at;
        if self.row().facts.methods.contains_key(&key(expr)) {
            return self.method(expr, name, args);
        }
        if self.row().facts.calls.contains_key(&key(expr)) {
            let call = self.call(key(expr), at)?;
            let args = self.arguments(args, &call.params, at)?;
            return self.call_with(&call, args, at);
        }
        let Some(&constructor) = self.row().facts.constructors.get(&key(expr)) else {
            return self.bug(at, format!("nothing is known of `{name}`"));
        };
        self.construct(constructor, self.ty(expr)?, args, at)
    }
    /// `Type::name(args)` of a function that a type has by itself.
    fn construct(
        &mut self,
        constructor: Constructor,
        ty: Ty,
        args: &'static [Tree],
        at: At,
    ) -> Result<Expr> {
        let span = self.span(at);
        let of = |kind: ExprKind| kind.of(ty, span);
        Ok(match (constructor, ty, args) {
            (Constructor::Constant(value), _, []) => of(ExprKind::Const(value)),
            (Constructor::Default, _, []) => self.default(ty, at)?,
            (Constructor::Variant(variant), _, []) => of(ExprKind::Aggregate(variant, Vec::new())),
            (Constructor::Capacity, _, [count]) => {
                let count = self.value(count, Ty::USIZE)?;
                of(ExprKind::WithCapacity(Box::new(count)))
            }
            (Constructor::Object, Ty::Boxed(&content) | Ty::Cell(&content, _), [value]) => {
                let value = self.value(value, content)?;
                of(ExprKind::NewObject(Box::new(value)))
            }
            (Constructor::Same, _, [value]) => self.value(value, ty)?,
            (Constructor::Number, _, [value]) => {
                let value = self.operand(value)?;
                match value.ty == ty {
                    true => value,
                    false => of(ExprKind::Cast(Box::new(value))),
                }
            }
            (Constructor::FromBits, _, [value]) => {
                let value = self.operand(value)?;
                of(ExprKind::Intrinsic(Intrinsic::FromBits, vec![value]))
            }
            (Constructor::Output, Ty::Adt(adt, &[content, ..]), [value]) => {
                let value = self.value(value, content)?;
                of(ExprKind::Aggregate(u32::from(*adt == OPTION), vec![value]))
            }
            (Constructor::Arange, Ty::Array(&element), [count]) => {
                self.counted("arange", element, 0.0, count, at)?
            }
            (Constructor::Eye, Ty::Array(&element), [count]) => {
                self.counted("eye", element, 1.0, count, at)?
            }
            (Constructor::Zeros, Ty::Array(&element), [extents]) => {
                self.filled(element, Some(extents), Filling::Number(0.0), at)?
            }
            (Constructor::Ones, Ty::Array(&element), [extents]) => {
                self.filled(element, Some(extents), Filling::Number(1.0), at)?
            }
            (Constructor::Full, Ty::Array(&element), [extents, value]) => {
                self.filled(element, Some(extents), Filling::Value(value), at)?
            }
            (Constructor::Scalar, Ty::Array(&element), [value]) => {
                self.filled(element, None, Filling::Value(value), at)?
            }
            _ => {
                return self.bug(
                    at,
                    format!("a function that makes a `{ty}` has other arguments"),
                );
            }
        })
    }
    /// `Array::arange(count)` and `Array::eye(count)`: a rule that is told the first element.
    fn counted(
        &mut self,
        rule: &'static str,
        element: Ty,
        first: f64,
        count: &'static Tree,
        at: At,
    ) -> Result<Expr> {
        let first = number_of(element, first, self.span(at));
        let count = self.value(count, Ty::USIZE)?;
        self.rule(Symbol::from_static(rule), vec![first, count], at)
    }
    /// `Array::zeros(shape)` and similar functions: one value in a shape.
    fn filled(
        &mut self,
        element: Ty,
        extents: Option<&'static Tree>,
        filling: Filling,
        at: At,
    ) -> Result<Expr> {
        let span = self.span(at);
        // The shape is the first argument, so it is computed first.
        let mut statements = Vec::new();
        let mut shape = Vec::new();
        if let Some(extents) = extents {
            let extents = self.rvalue(extents)?;
            let ty = extents.ty;
            let held = self.hold(extents, &mut statements);
            shape.push(read_local(held, ty, span));
        }
        let value = match filling {
            Filling::Number(n) => number_of(element, n, span),
            Filling::Value(value) => self.value(value, element)?,
        };
        let types: Vec<Ty> = shape.iter().map(|extent| extent.ty).collect();
        let shape = match shape.pop() {
            Some(list) if matches!(list.ty, Ty::List(..)) => list,
            one => ExprKind::Tuple(one.into_iter().collect()).of(Ty::tuple(&types), span),
        };
        let full = Symbol::from_static(HostOp::Full.name());
        let value = match element {
            Ty::BOOL => number_of_bool(value),
            _ => value,
        };
        let mut filled = self.rule(full, vec![value, shape], at)?;
        filled.ty = Ty::array(element);
        Ok(within(statements, filled))
    }
}

/// What a new array is filled with.
enum Filling {
    Number(f64),
    Value(&'static Tree),
}

/// A number as a constant.
fn number_of(ty: Ty, n: f64, span: Span) -> Expr {
    let kind = match ty {
        Ty::BOOL => Const::Bool(n != 0.0),
        _ if ty.scalar().is_some_and(Type::is_differentiable) => Const::Float(n),
        _ => Const::Int(n as i64),
    };
    ExprKind::Const(kind).of(ty, span)
}

/// A bool as the number 0 or 1, as arrays hold it.
pub(super) fn number_of_bool(value: Expr) -> Expr {
    match value.ty {
        Ty::BOOL => {
            let span = value.span;
            ExprKind::Cast(Box::new(value)).of(Ty::Scalar(Type::U32), span)
        }
        _ => value,
    }
}

fn is_comparison(op: Binary) -> bool {
    use Binary::*;
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}

/// The number that stands for a text.
pub(super) fn text_constant(text: &str) -> ExprKind {
    ExprKind::Const(Const::Int(text::of_program(text) as i64))
}

/// `()`
pub(super) fn unit(span: Span) -> Expr {
    ExprKind::Const(Const::Unit).of(Ty::UNIT, span)
}

/// A block of statements with a value.
pub(super) fn within(statements: Vec<Statement>, value: Expr) -> Expr {
    match statements.is_empty() {
        true => value,
        false => value.inside(|value| ExprKind::Block(statements, Some(value))),
    }
}
