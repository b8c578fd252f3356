//! The types of expressions and statements.

use super::overloads::Named;
use super::{Facts, Instance, Lambda, Session, State, bug, span_of};
use crate::diag::{Diagnostic, Error, Result, Span};
use crate::front::tree::{
    self, At, Binary, Block, Body, Constant, Expr, ExprKind, Source, Statement,
};
use crate::front::ty::{Adt, Closure, Dyn, Item, OPTION, RESULT, RefKind, Ty, Variant};
use crate::ir::Symbol;
use crate::resolve::candidates::CallSyntax;
use crate::stdlib;
use rustc_hash::FxHashMap;

/// The variables that names stand for.
pub type Scope = FxHashMap<&'static str, usize>;

/// The position of the check in the program.
#[derive(Default)]
pub struct Frame {
    pub instance: usize,
    /// The closure whose body is being checked.
    pub closure: Option<usize>,
    pub scopes: Vec<Scope>,
    pub loops: Vec<Loop>,
    pub ret: Option<Ty>,
}

/// A loop or labelled block around the expression that is being checked.
pub struct Loop {
    label: Option<&'static str>,
    is_loop: bool,
    /// The type of its value, known from the first `break` with a value.
    value: Option<Ty>,
    breaks: bool,
}

/// An argument of a call. It has a type once it is checked.
#[derive(Clone, Copy)]
pub struct Arg {
    pub expr: Option<&'static Expr>,
    pub ty: Option<Ty>,
}

impl Arg {
    /// An argument of a type that stands nowhere in the source.
    pub fn of(ty: Ty) -> Arg {
        let (expr, ty) = (None, Some(ty));
        Arg { expr, ty }
    }
}

/// An expression that cannot be decided before more types are known.
#[derive(Clone)]
pub struct Pending {
    pub instance: usize,
    pub closure: Option<usize>,
    pub span: Span,
    /// The address of the expression.
    pub key: usize,
    pub result: Ty,
    pub what: Wait,
}

/// What has to be decided.
#[derive(Clone)]
pub enum Wait {
    Method(Named, Vec<Arg>),
    CallValue(Ty, Vec<Arg>),
    Field(Ty, &'static str),
    Binary(Binary, Ty, Ty),
    Neg(Ty),
    Index(Ty, Ty),
}

/// The address of a node.
pub fn key<T>(node: &'static T) -> usize {
    std::ptr::from_ref(node) as usize
}

impl Session<'_> {
    pub fn here(&mut self) -> &mut Instance {
        let id = self.frame.instance;
        &mut self.instances[id]
    }
    pub fn facts(&mut self) -> &mut Facts {
        &mut self.here().facts
    }
    pub fn span(&mut self, at: At) -> Span {
        span_of(self.here().body, at)
    }
    pub fn refuse<T>(&mut self, at: At, message: impl Into<String>, help: &str) -> Result<T> {
        let error = Diagnostic::new(self.span(at), message).help(help);
        Err(self.here().blamed(error.into()))
    }
    /// What rustc would not have accepted either.
    pub fn bug<T>(&mut self, at: At, message: impl Into<String>) -> Result<T> {
        Err(bug(self.span(at), message))
    }
    /// A type as it is written in the function that is checked.
    pub fn declare(&mut self, ty: Ty) -> Ty {
        let arguments = self.here().arguments.clone();
        self.types.declare(ty, &arguments)
    }

    /// Checks the body of an instance.
    pub fn check_instance(&mut self, id: usize) -> Result<()> {
        let (body, ret) = (self.instances[id].body, self.instances[id].ret);
        self.depth += 1;
        if self.depth > 200 {
            let span = span_of(body, body.at);
            return Err(Diagnostic::new(
                span,
                "calls of functions whose results have no written type are nested too deeply",
            )
            .help("write the result types of the functions")
            .into());
        }
        self.instances[id].state = State::Running;
        let frame = Frame {
            instance: id,
            scopes: vec![Scope::default()],
            ret: Some(ret),
            ..Frame::default()
        };
        let outer = std::mem::replace(&mut self.frame, frame);
        let checked = self.check_body(body, ret);
        self.frame = outer;
        self.depth -= 1;
        self.instances[id].state = State::Done;
        checked
    }
    fn check_body(&mut self, source: &'static Source, ret: Ty) -> Result<()> {
        let params = self.here().params.clone();
        let patterns = source.patterns.node()?.iter();
        for ((param, pattern), ty) in source.params.iter().zip(patterns).zip(params) {
            self.pattern(pattern, ty, false)?;
            self.set_ref_kind(pattern, param.ref_kind, param.element_kind);
            self.set_written_type(pattern, Some((param.ty)()));
        }
        match &source.body {
            Body::Block(written) => {
                let block = written.node()?;
                let found = self.block(block, Some(ret))?;
                let at = block.value.map_or(source.at, |value| value.at);
                self.coerce(found, ret, at)
            }
            Body::Pack(_) | Body::Rule => Ok(()),
            Body::Required => self.bug(source.at, format!("`{}` has no body here", source.name)),
        }
    }
    /// Checks the body of a closure, if that has not been done.
    pub fn check_closure(&mut self, id: usize) -> Result<()> {
        if self.closures[id].state != State::Waiting {
            return Ok(());
        }
        self.closures[id].state = State::Running;
        let Lambda {
            instance,
            lambda,
            ret,
            ..
        } = self.closures[id];
        let params = self.closures[id].params.clone();
        let mut scopes = self.closures[id].scopes.clone();
        scopes.push(Scope::default());
        let frame = Frame {
            instance,
            closure: Some(id),
            scopes,
            loops: Vec::new(),
            ret: Some(ret),
        };
        let outer = std::mem::replace(&mut self.frame, frame);
        let checked = (|| {
            for ((pattern, _), ty) in lambda.params.iter().zip(params) {
                self.pattern(pattern, ty, false)?;
            }
            self.coerce_expr(lambda.body, ret)
        })();
        self.frame = outer;
        self.closures[id].state = State::Done;
        checked
    }

    /// Decides pending expressions, checks waiting closures and gives literals their default types, until nothing is pending.
    pub fn decide_pending(&mut self) -> Result<()> {
        loop {
            if self.retry(false)? {
                continue;
            }
            if let Some(id) =
                (0..self.closures.len()).find(|&id| self.closures[id].state == State::Waiting)
            {
                self.check_closure(id)?;
                continue;
            }
            if !self.retry(true)? && !self.types.default_literals() {
                break;
            }
        }
        match self.pending.first() {
            None => Ok(()),
            Some(pending) => Err(unknown(pending.span)),
        }
    }
    /// Tries to decide the pending expressions. Returns whether it decided one. With `force`, operands of unknown type are taken for numbers.
    pub fn retry(&mut self, force: bool) -> Result<bool> {
        let mut any = false;
        for pending in std::mem::take(&mut self.pending) {
            let frame = Frame {
                instance: pending.instance,
                closure: pending.closure,
                ..Frame::default()
            };
            let outer = std::mem::replace(&mut self.frame, frame);
            let done = self.try_pending(&pending, force);
            self.frame = outer;
            match done? {
                true => any = true,
                false => self.pending.push(pending),
            }
        }
        Ok(any)
    }
    fn try_pending(&mut self, pending: &Pending, force: bool) -> Result<bool> {
        let Pending {
            span, key, result, ..
        } = *pending;
        let at = At(span.line, span.column);
        let found = match &pending.what {
            Wait::Method(named, args) => {
                self.try_method(key, at, named, &mut args.clone(), Some(result))?
            }
            Wait::CallValue(callee, args) => {
                self.try_call_value(key, at, *callee, &mut args.clone(), Some(result))?
            }
            Wait::Field(base, name) => self.try_field(at, *base, name)?,
            Wait::Binary(op, a, b) => self.try_binary(key, at, *op, *a, *b, force)?,
            Wait::Neg(a) => self.try_neg(key, at, *a)?,
            Wait::Index(base, index) => self.try_index(key, at, *base, *index)?,
        };
        match found {
            Some(ty) => self.unify(ty, result, at).map(|()| true),
            None => Ok(false),
        }
    }
    /// The type that was found; otherwise a new unknown, and `what` is decided later.
    pub fn or_wait(&mut self, at: At, key: usize, found: Option<Ty>, what: Wait) -> Ty {
        if let Some(ty) = found {
            return ty;
        }
        let result = self.types.fresh();
        let span = self.span(at);
        self.pending.push(Pending {
            instance: self.frame.instance,
            closure: self.frame.closure,
            span,
            key,
            result,
            what,
        });
        result
    }
    /// Tries to find the outermost form of a type, by deciding pending expressions.
    pub fn learn_head(&mut self, ty: Ty) -> Result<Ty> {
        if self.types.is_unknown(ty) && !self.pending.is_empty() {
            while self.types.is_unknown(ty) && self.retry(false)? {}
        }
        Ok(self.types.head(ty))
    }

    /// Checks an expression and returns its type. `want` is the type that is expected of it, if one is known.
    pub fn expr(&mut self, expr: &'static Expr, want: Option<Ty>) -> Result<Ty> {
        let ty = match self.facts().checked.remove(&key(expr)) {
            Some(ty) => ty,
            None => self.kind(expr, want)?,
        };
        if let Some(before) = self.facts().types.insert(key(expr), ty) {
            self.unify(before, ty, expr.at)?;
        }
        Ok(ty)
    }

    fn kind(&mut self, expr: &'static Expr, want: Option<Ty>) -> Result<Ty> {
        let at = expr.at;
        Ok(match &expr.kind {
            ExprKind::Float(_, Some(ty)) | ExprKind::Int(_, Some(ty)) => Ty::Scalar(*ty),
            ExprKind::Float(_, None) => self.types.literal(true),
            ExprKind::Int(_, None) => self.types.literal(false),
            ExprKind::Bool(_) => Ty::BOOL,
            ExprKind::Str(_) | ExprKind::Formatted(_) => Ty::Str,
            ExprKind::Local(name) => self.local(expr, name)?,
            ExprKind::Parameter(_, ty) => ty(),
            ExprKind::Constant(constant) => self.declare(constant_type(&constant())),
            ExprKind::Function(callee) => {
                let (source, arguments) = self.callee(*callee);
                Ty::Item(Item::Source(source, crate::front::ty::intern(&arguments)))
            }
            ExprKind::MethodValue(ty, of, name) => self.method_value(ty(), *of, name, at)?,
            ExprKind::Neg(operand) => {
                let ty = self.expr(operand, want)?;
                self.learn_head(ty)?;
                self.facts().operands.insert(key(expr), vec![operand]);
                let found = self.try_neg(key(expr), at, ty)?;
                self.or_wait(at, key(expr), found, Wait::Neg(ty))
            }
            ExprKind::Not(operand) => {
                let ty = self.expr(operand, want)?;
                self.learn_head(ty)?;
                match self.peel(ty) {
                    ty @ Ty::Adt(..) => {
                        self.facts().operands.insert(key(expr), vec![operand]);
                        self.operator(key(expr), at, "not", &[ty])?
                    }
                    ty => ty,
                }
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.expr(left, None)?, self.expr(right, None)?);
                self.learn_head(a)?;
                self.learn_head(b)?;
                self.facts().operands.insert(key(expr), vec![left, right]);
                let found = self.try_binary(key(expr), at, *op, a, b, false)?;
                self.or_wait(at, key(expr), found, Wait::Binary(*op, a, b))
            }
            ExprKind::Lazy(_, left, right) => {
                self.coerce_expr(left, Ty::BOOL)?;
                self.coerce_expr(right, Ty::BOOL)?;
                Ty::BOOL
            }
            ExprKind::Let(pattern, value) => {
                let ty = self.expr(value, None)?;
                self.learn_head(ty)?;
                let ty = self.matched_type(value, ty);
                self.pattern(pattern, ty, false)?;
                Ty::BOOL
            }
            ExprKind::Assign(place, value) => {
                let wanted = self.target(place)?;
                self.coerce_expr(value, wanted)?;
                Ty::UNIT
            }
            ExprKind::AssignBinary(op, place, value) => {
                let (a, b) = (self.expr(place, None)?, self.expr(value, None)?);
                self.facts().operands.insert(key(expr), vec![place, value]);
                let ref_kind = self.ref_kind_of(value);
                self.facts().assigned.insert(key(*value), ref_kind);
                self.assign_binary(key(expr), at, *op, a, b)?;
                Ty::UNIT
            }
            ExprKind::Call(callee, args) => self.call_expr(expr, *callee, args, want)?,
            ExprKind::CallValue(callee, args) => {
                let callee = self.expr(callee, None)?;
                self.learn_head(callee)?;
                let mut args = arguments(args);
                match self.try_call_value(key(expr), at, callee, &mut args, want)? {
                    Some(ty) => ty,
                    None => {
                        self.check_arguments(&mut args)?;
                        self.or_wait(at, key(expr), None, Wait::CallValue(callee, args))
                    }
                }
            }
            ExprKind::Method(name, of, generics, args) => {
                let syntax = of.map_or(CallSyntax::Method, CallSyntax::StdTraitPath);
                self.method_expr(expr, name, syntax, generics, args, want)?
            }
            ExprKind::Associated(owner, of, name, generics, args) => {
                self.associated(expr, owner(), *of, name, generics, args, want)?
            }
            ExprKind::Struct(ty, variant, fields, base) => {
                let ty = self.declare(ty());
                self.hint(ty, want);
                self.struct_fields(at, ty, *variant, fields)?;
                if let Some(base) = base {
                    self.coerce_expr(base, ty)?;
                }
                ty
            }
            ExprKind::Construct(ty, variant, args) => {
                self.construct(at, ty(), *variant, args, want)?
            }
            ExprKind::Index(base, index) => {
                let base = self.expr(base, None)?;
                self.learn_head(base)?;
                if let ExprKind::Range(from, to, _) = &index.kind {
                    for end in [from, to].into_iter().flatten() {
                        self.coerce_expr(end, Ty::USIZE)?;
                    }
                    self.subslice(base, at)?
                } else {
                    let index = self.expr(index, None)?;
                    let found = self.try_index(key(expr), at, base, index)?;
                    self.or_wait(at, key(expr), found, Wait::Index(base, index))
                }
            }
            ExprKind::Range(from, to, inclusive) => self.range(*from, *to, *inclusive)?,
            ExprKind::Field(base, name) => {
                let base = self.expr(base, None)?;
                self.learn_head(base)?;
                let found = self.try_field(at, base, name)?;
                self.or_wait(at, key(expr), found, Wait::Field(base, name))
            }
            ExprKind::Tuple(fields) => {
                let wants: Vec<Option<Ty>> = match want.map(|ty| self.types.head(ty)) {
                    Some(Ty::Tuple(types)) if types.len() == fields.len() => {
                        types.iter().copied().map(Some).collect()
                    }
                    _ => vec![None; fields.len()],
                };
                let mut types = Vec::new();
                for (field, want) in fields.iter().zip(wants) {
                    types.push(self.expr_as(field, want)?);
                }
                Ty::tuple(&types)
            }
            ExprKind::List(items) => {
                // `&[…]` may be expected to be a slice.
                let element = want.and_then(|ty| self.types.element(ty));
                Ty::list(self.common(items.iter(), element)?, items.len())
            }
            ExprKind::Repeat(value, count) => {
                let element = want.and_then(|ty| self.types.element(ty));
                let count = self.declare(count());
                Ty::list_of(self.expr_as(value, element)?, count)
            }
            ExprKind::VecList(items) => {
                let element = want.and_then(|ty| self.types.element(ty));
                Ty::vec(self.common(items.iter(), element)?)
            }
            ExprKind::VecRepeat(value, count) => {
                let element = want.and_then(|ty| self.types.element(ty));
                let element = self.expr_as(value, element)?;
                self.coerce_expr(count, Ty::USIZE)?;
                Ty::vec(element)
            }
            ExprKind::Ref(mutable, inner) => {
                let inner_want = match want.map(|ty| self.types.head(ty)) {
                    Some(Ty::Mut(&content)) if *mutable => Some(content),
                    _ => want,
                };
                let ty = self.expr(inner, inner_want)?;
                match mutable {
                    true => match self.learn_head(ty)? {
                        // What a variable refers to is borrowed again.
                        Ty::Mut(content) if !is_place_of_reference(inner) => Ty::mutable(*content),
                        _ if self.types.is_slice(ty) => self.slice_of(ty),
                        known => Ty::mutable(known),
                    },
                    false => ty,
                }
            }
            ExprKind::Deref(inner) => {
                let ty = self.expr(inner, None)?;
                match self.learn_head(ty)? {
                    Ty::Mut(&content) | Ty::Boxed(&content) => content,
                    ty @ Ty::Adt(adt, _) if adt.derefs => {
                        let ref_kind = self.ref_kind_of(inner);
                        if ref_kind.is_to_value() {
                            return Ok(ty);
                        }
                        if ref_kind == RefKind::Value
                            && let Some(target) = self.deref(ty, at)?
                        {
                            self.facts().dereferenced.insert(key(expr));
                            return Ok(target);
                        }
                        // Whether this is a reference to it or it is itself is not known here.
                        return self.refuse(
                            at,
                            format!(
                                "cannot tell whether this `*` calls the `Deref` of `{}` or reads through a reference to it",
                                adt.name
                            ),
                            "name the field, or call `deref()`; a copy is `.clone()`",
                        );
                    }
                    // A reference that only reads is erased.
                    known => known.uncounted(),
                }
            }
            ExprKind::Cast(value, to) => {
                let to = self.declare(to());
                let found = self.expr(value, None)?;
                if is_plain_literal(value, to) {
                    self.unify(found, to, at)?;
                }
                if matches!(to, Ty::Dyn(_)) || stdlib::dyn_iterator(to).is_some() {
                    self.coerce(found, to, at)?;
                }
                to
            }
            ExprKind::If(condition, then, otherwise) => {
                let mut join = Join::new(self, want);
                self.frame.scopes.push(Scope::default());
                self.coerce_expr(condition, Ty::BOOL)?;
                let found = self.block(then, join.expected())?;
                join.add(self, found, at)?;
                self.frame.scopes.pop();
                match otherwise {
                    Some(otherwise) => {
                        let found = self.expr(otherwise, join.expected())?;
                        join.add(self, found, otherwise.at)?;
                    }
                    None => join.add(self, Ty::UNIT, at)?,
                }
                join.ty()
            }
            ExprKind::Match(value, arms) => {
                let ty = self.expr(value, None)?;
                self.learn_head(ty)?;
                let ty = self.matched_type(value, ty);
                let mut join = Join::new(self, want);
                for arm in *arms {
                    self.frame.scopes.push(Scope::default());
                    self.pattern(&arm.pattern, ty, false)?;
                    if let Some(guard) = &arm.guard {
                        self.coerce_expr(guard, Ty::BOOL)?;
                    }
                    let found = self.expr(&arm.body, join.expected())?;
                    join.add(self, found, arm.body.at)?;
                    self.frame.scopes.pop();
                }
                join.ty()
            }
            ExprKind::Try(inner) => self.question(expr, inner)?,
            ExprKind::Closure(lambda) => self.closure(expr, lambda, want)?,
            ExprKind::Block(None, block) => self.block(block, want)?,
            ExprKind::Block(label, block) => {
                self.enter(*label, false);
                let found = self.block(block, want)?;
                let scope = self.frame.loops.pop();
                match scope.and_then(|scope| scope.value) {
                    Some(value) => {
                        self.coerce(found, value, at)?;
                        value
                    }
                    None => found,
                }
            }
            ExprKind::While(label, condition, body) => {
                self.frame.scopes.push(Scope::default());
                self.coerce_expr(condition, Ty::BOOL)?;
                self.enter(*label, true);
                self.unit_block(body)?;
                self.frame.loops.pop();
                self.frame.scopes.pop();
                Ty::UNIT
            }
            ExprKind::Loop(label, body) => {
                self.enter(*label, true);
                self.unit_block(body)?;
                match self.frame.loops.pop() {
                    Some(Loop {
                        value: Some(value), ..
                    }) => value,
                    Some(Loop { breaks: true, .. }) => Ty::UNIT,
                    _ => Ty::Never,
                }
            }
            ExprKind::For(label, pattern, iterable, body) => {
                let item = self.items(expr, iterable)?;
                self.frame.scopes.push(Scope::default());
                self.pattern(pattern, item, false)?;
                self.enter(*label, true);
                self.unit_block(body)?;
                self.frame.loops.pop();
                self.frame.scopes.pop();
                Ty::UNIT
            }
            ExprKind::Break(label, value) => self.break_loop(at, *label, *value)?,
            ExprKind::Continue(_) => Ty::Never,
            ExprKind::Return(value) => {
                let ret = self.frame.ret.unwrap_or(Ty::UNIT);
                match value {
                    Some(value) => self.coerce_expr(value, ret)?,
                    None => self.unify(Ty::UNIT, ret, at)?,
                }
                Ty::Never
            }
            ExprKind::Assert(condition, _, values) => {
                self.coerce_expr(condition, Ty::BOOL)?;
                for value in *values {
                    self.expr(value, None)?;
                }
                Ty::UNIT
            }
            ExprKind::Panic(_, values) => {
                for value in *values {
                    self.expr(value, None)?;
                }
                Ty::Never
            }
        })
    }

    /// Checks an expression that becomes part of something: of the expected type if one is known.
    pub fn expr_as(&mut self, expr: &'static Expr, want: Option<Ty>) -> Result<Ty> {
        match want {
            Some(want) => self.coerce_expr(expr, want).map(|()| want),
            None => self.expr(expr, None),
        }
    }
    /// The type of several expressions that are of one.
    fn common(
        &mut self,
        items: impl Iterator<Item = &'static Expr>,
        want: Option<Ty>,
    ) -> Result<Ty> {
        let mut join = Join::new(self, want);
        for item in items {
            let found = self.expr(item, join.expected())?;
            join.add(self, found, item.at)?;
        }
        Ok(match join.found {
            Some(ty) => ty,
            None => self.types.fresh(),
        })
    }
    /// Lets what is expected of an expression say what its type leaves open.
    pub fn hint(&mut self, ty: Ty, want: Option<Ty>) {
        if let Some(want) = want
            && !self.types.is_unknown(ty)
        {
            self.types.attempt(|u| u.unify(ty, want));
        }
    }

    fn local(&mut self, expr: &'static Expr, name: &'static str) -> Result<Ty> {
        let found = self
            .frame
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(name))
            .copied();
        let Some(id) = found else {
            if name == "_" {
                return Ok(self.types.fresh());
            }
            return self.bug(expr.at, format!("the variable `{name}` is not known here"));
        };
        let facts = self.facts();
        if facts
            .uses
            .insert(key(expr), id)
            .is_some_and(|before| before != id)
        {
            return self.bug(
                expr.at,
                format!("`{name}` stands for different variables here"),
            );
        }
        Ok(self.facts().locals[id].ty)
    }
    /// The type of what is assigned to; a tuple of places is one too.
    fn target(&mut self, place: &'static Expr) -> Result<Ty> {
        self.expr(place, None)
    }

    fn callee(&mut self, callee: tree::Callee) -> (&'static Source, Vec<Ty>) {
        let (source, given) = callee();
        let mut arguments: Vec<Ty> = given.into_iter().map(|ty| self.declare(ty)).collect();
        while arguments.len() < source.generics as usize {
            arguments.push(self.types.fresh());
        }
        (source, arguments)
    }

    fn try_neg(&mut self, key: usize, at: At, operand: Ty) -> Result<Option<Ty>> {
        let ty = self.peel(operand);
        if self.types.is_unknown(ty) {
            return Ok(None);
        }
        match ty {
            Ty::Scalar(_) | Ty::Array(_) | Ty::Infer(_) => Ok(Some(ty)),
            _ => self.operator(key, at, "neg", &[ty]).map(Some),
        }
    }
    fn try_field(&mut self, at: At, base: Ty, name: &str) -> Result<Option<Ty>> {
        let ty = self.peel_all(base);
        if self.types.is_unknown(ty) {
            return Ok(None);
        }
        let found = match ty {
            Ty::Tuple(fields) => name
                .parse::<usize>()
                .ok()
                .and_then(|n| fields.get(n).copied()),
            Ty::Adt(adt, _) if !adt.is_enum => ty
                .fields(0)
                .into_iter()
                .find(|field| field.0 == name)
                .map(|field| field.1),
            _ => None,
        };
        match found {
            Some(field) => Ok(Some(self.types.head(field))),
            None => {
                if let Some(target) = self.deref(ty, at)? {
                    return self.try_field(at, target, name);
                }
                self.refuse_deref(ty, at)?;
                let ty = self.types.describe(ty);
                self.bug(at, format!("{ty} has no field `{name}` here"))
            }
        }
    }
    fn try_index(&mut self, key: usize, at: At, base: Ty, index: Ty) -> Result<Option<Ty>> {
        let ty = self.peel_all(base);
        if self.types.is_unknown(ty) {
            return Ok(None);
        }
        match (ty, self.types.element(ty)) {
            (Ty::Array(_), _) | (_, None) if !matches!(ty, Ty::Adt(..)) => {
                let shown = self.types.describe(ty);
                let message = format!("{shown} cannot be indexed");
                self.refuse(at, message, super::advice(Some(ty)))
            }
            (_, Some(element)) => {
                let index = self.peel(index);
                if let Ty::Adt(adt, ends) = index
                    && stdlib::is_range(adt)
                {
                    for &end in ends {
                        self.unify(end, Ty::USIZE, at)?;
                    }
                    return self.subslice(ty, at).map(Some);
                }
                if self.types.is_unknown(index)
                    || self.types.is_literal(index)
                    || index == Ty::USIZE
                {
                    self.unify(index, Ty::USIZE, at)?;
                    return Ok(Some(element));
                }
                self.refuse(
                    at,
                    "this index is neither a `usize` nor a range of them",
                    "write `x[i]` with a `usize`, or `x[from..to]`",
                )
            }
            (_, None) => {
                // It is known only later whether the element is read or changed, so both operators are looked up.
                self.find_operator(key | 1, at, "index_mut", &[ty, index])?;
                if let Some(found) = self.find_operator(key, at, "index", &[ty, index])? {
                    return Ok(Some(found));
                }
                if let Some(target) = self.deref(ty, at)? {
                    return self.try_index(key, at, target, index);
                }
                self.refuse_deref(ty, at)?;
                self.operator(key, at, "index", &[ty, index]).map(Some)
            }
        }
    }
    /// The type of a subslice.
    fn subslice(&mut self, base: Ty, at: At) -> Result<Ty> {
        let ty = self.peel_all(base);
        match ty {
            _ if self.types.is_slice(ty) => Ok(ty),
            Ty::Vec(&element) | Ty::List(&element, _) | Ty::OpenList(&element, _) => {
                Ok(Ty::slice_mut(element))
            }
            _ if self.types.is_unknown(ty) => Err(unknown(self.span(at))),
            _ => {
                if let Some(target) = self.deref(ty, at)? {
                    return self.subslice(target, at);
                }
                self.refuse_deref(ty, at)?;
                let shown = self.types.describe(ty);
                let message = format!("{shown} cannot be indexed");
                self.refuse(at, message, super::advice(Some(ty)))
            }
        }
    }
    /// Refuses a type whose `Deref` is needed and is not differentiable.
    fn refuse_deref(&mut self, ty: Ty, at: At) -> Result<()> {
        match ty {
            Ty::Adt(adt, _) if adt.derefs => self.refuse(
                at,
                format!("the `Deref` of `{}` is not differentiable", adt.name),
                "write `#[differentiable]` before its `impl`, or name the field",
            ),
            _ => Ok(()),
        }
    }
    /// The type of `&mut` of a slice, list or vector.
    fn slice_of(&mut self, ty: Ty) -> Ty {
        match self.types.element(ty) {
            Some(element) => Ty::slice_mut(element),
            None => ty,
        }
    }
    /// A range that is used as a value: a struct of the library.
    fn range(
        &mut self,
        from: Option<&'static Expr>,
        to: Option<&'static Expr>,
        inclusive: bool,
    ) -> Result<Ty> {
        let mut ty = self.types.fresh();
        for end in [from, to].into_iter().flatten() {
            let found = self.expr(end, Some(ty))?;
            let found = self.peel(found);
            self.coerce(found, ty, end.at)?;
            ty = self.types.head(ty);
        }
        let adt = stdlib::range(from.is_some(), to.is_some(), inclusive);
        Ok(Ty::adt(adt, &vec![ty; adt.params as usize]))
    }

    /// The variant that an expression or pattern names, and its position.
    pub fn variant(
        &mut self,
        at: At,
        ty: Ty,
        name: Option<&'static str>,
    ) -> Result<(u32, &'static Variant)> {
        let Ty::Adt(adt, _) = self.types.head(ty) else {
            let ty = self.types.describe(ty);
            return self.bug(at, format!("{ty} is no struct or enum"));
        };
        match find_variant(adt, name) {
            Some(found) => Ok(found),
            None => self.refuse(
                at,
                format!(
                    "`{}` has no variant `{}`",
                    adt.name,
                    name.unwrap_or_default()
                ),
                "write it as `Enum::Variant`, with the original name",
            ),
        }
    }
    fn struct_fields(
        &mut self,
        at: At,
        ty: Ty,
        variant: Option<&'static str>,
        fields: &'static [(&'static str, Expr)],
    ) -> Result<()> {
        let (position, _) = self.variant(at, ty, variant)?;
        let types = self.types.head(ty).fields(position);
        for (name, value) in fields {
            match types.iter().find(|field| field.0 == *name) {
                Some(&(_, wanted)) => self.coerce_expr(value, wanted)?,
                None => return self.bug(value.at, format!("there is no field `{name}`")),
            }
        }
        Ok(())
    }
    fn construct(
        &mut self,
        at: At,
        ty: Ty,
        variant: Option<&'static str>,
        args: &'static [Expr],
        want: Option<Ty>,
    ) -> Result<Ty> {
        let ty = self.declare(ty);
        if ty == Ty::UNIT && args.is_empty() {
            // `PhantomData`
            return Ok(ty);
        }
        let (position, row) = self.variant(at, ty, variant)?;
        if args.is_empty() && !row.fields.is_empty() {
            let one = crate::front::ty::intern(&[ty]);
            return Ok(Ty::Item(Item::Constructor(&one[0], position)));
        }
        self.hint(ty, want);
        let fields = self.types.head(ty).fields(position);
        for (arg, (_, wanted)) in args.iter().zip(fields) {
            self.coerce_expr(arg, wanted)?;
        }
        Ok(ty)
    }

    /// `e?`
    fn question(&mut self, expr: &'static Expr, inner: &'static Expr) -> Result<Ty> {
        let ty = self.expr(inner, None)?;
        let ret = self.frame.ret.unwrap_or(Ty::UNIT);
        match self.learn_head(ty)? {
            Ty::Adt(adt, &[value]) if *adt == OPTION => {
                let other = Ty::option(self.types.fresh());
                self.unify(ret, other, expr.at)?;
                Ok(value)
            }
            Ty::Adt(adt, &[value, error]) if *adt == RESULT => {
                let other = self.types.fresh();
                let wanted = Ty::result(self.types.fresh(), other);
                self.unify(ret, wanted, expr.at)?;
                if self.types.attempt(|u| u.unify(error, other)).is_none() {
                    self.convert(key(expr), expr.at, None, error, other)?;
                }
                Ok(value)
            }
            _ => {
                let ty = self.types.describe(ty);
                self.bug(expr.at, format!("`?` does not take {ty} here"))
            }
        }
    }

    /// A closure: its body is checked when its parameters are known.
    fn closure(
        &mut self,
        expr: &'static Expr,
        lambda: &'static tree::Lambda,
        want: Option<Ty>,
    ) -> Result<Ty> {
        if self.facts().closures.contains_key(&key(expr)) {
            return self.bug(expr.at, "this closure was read twice");
        }
        let params: Vec<Ty> = lambda
            .params
            .iter()
            .map(|(_, ty)| match ty {
                // It may be called with shared and with mutable slices.
                Some(ty) => self.declare(ty().slices_mut()),
                None => self.types.fresh(),
            })
            .collect();
        let ret = match lambda.ret {
            Some(ret) => self.declare(ret()),
            None => self.types.fresh(),
        };
        let id = self.closures.len();
        let instance = self.here();
        let name = format!("{}.closure{}", instance.name, instance.facts.closures.len());
        let name = Symbol::new(&name);
        instance.facts.closures.insert(key(expr), id);
        if let Some(Ty::Dyn(Dyn::Fn(wanted, result))) = want.map(|ty| self.types.head(ty))
            && wanted.len() == params.len()
        {
            for (&param, &wanted) in params.iter().zip(wanted) {
                self.types.attempt(|u| u.unify(param, wanted));
            }
            self.types.attempt(|u| u.unify(ret, *result));
        }
        let known = params.iter().all(|&ty| !self.types.is_unknown(ty));
        self.closures.push(Lambda {
            name,
            instance: self.frame.instance,
            lambda,
            params,
            ret,
            scopes: self.frame.scopes.clone(),
            state: State::Waiting,
        });
        if known {
            self.check_closure(id)?;
        }
        let captures = crate::front::ty::intern(&[]);
        Ok(Ty::Closure(Box::leak(Box::new(Closure { name, captures }))))
    }
    /// The closure of a closure type.
    pub fn closure_id(&self, closure: &Closure) -> usize {
        let position = self
            .closures
            .iter()
            .position(|other| other.name == closure.name);
        position.expect("closure types are made with their closures")
    }

    fn enter(&mut self, label: Option<&'static str>, is_loop: bool) {
        self.frame.loops.push(Loop {
            label,
            is_loop,
            value: None,
            breaks: false,
        });
    }
    fn break_loop(
        &mut self,
        at: At,
        label: Option<&'static str>,
        value: Option<&'static Expr>,
    ) -> Result<Ty> {
        let found = self.frame.loops.iter().rposition(|scope| match label {
            None => scope.is_loop,
            label => scope.label == label,
        });
        let Some(position) = found else {
            return self.bug(at, "there is no such loop around this place");
        };
        self.frame.loops[position].breaks = true;
        let known = self.frame.loops[position].value;
        let found = match value {
            Some(value) => self.expr(value, known)?,
            None => Ty::UNIT,
        };
        match known {
            Some(known) => self.coerce(found, known, at)?,
            None if found != Ty::Never => self.frame.loops[position].value = Some(found),
            None => {}
        }
        Ok(Ty::Never)
    }

    /// A block whose value is `()`.
    fn unit_block(&mut self, block: &'static Block) -> Result<()> {
        let found = self.block(block, None)?;
        let at = block.value.map_or(At(0, 0), |value| value.at);
        self.coerce(found, Ty::UNIT, at)
    }
    /// Checks a block in a scope of its own.
    fn block(&mut self, block: &'static Block, want: Option<Ty>) -> Result<Ty> {
        self.frame.scopes.push(Scope::default());
        let mut diverges = false;
        for statement in block.statements {
            diverges |= self.statement(statement)?;
        }
        let ty = match block.value {
            Some(value) => self.expr(value, want)?,
            None if diverges => Ty::Never,
            None => Ty::UNIT,
        };
        self.frame.scopes.pop();
        Ok(ty)
    }
    /// Checks a statement. Returns whether it diverges.
    fn statement(&mut self, statement: &'static Statement) -> Result<bool> {
        match statement {
            Statement::Expr(expr) => {
                let ty = self.expr(expr, None)?;
                Ok(self.types.head(ty) == Ty::Never)
            }
            Statement::Let(pattern, written, value, otherwise) => {
                let declared = written.map(|ty| self.declare(ty()));
                let ty = match (value, declared) {
                    (Some(value), Some(declared)) => {
                        self.coerce_expr(value, declared)?;
                        declared
                    }
                    (Some(value), None) => self.expr(value, None)?,
                    (None, Some(declared)) => declared,
                    (None, None) => self.types.fresh(),
                };
                if let Some(otherwise) = otherwise {
                    self.block(otherwise, None)?;
                }
                self.learn_head(ty)?;
                let matched = match value {
                    Some(value) => self.matched_type(value, ty),
                    None => ty,
                };
                self.pattern(pattern, matched, false)?;
                // A coercion does not change whether the value is a reference.
                if let Some(value) = value {
                    self.set_ref_kinds(pattern, value);
                }
                if let Some(written) = written {
                    self.set_written_type(pattern, Some(written()));
                }
                Ok(value.is_some() && self.types.head(ty) == Ty::Never)
            }
        }
    }
}

/// Finds the common type of the branches of an expression.
struct Join {
    want: Option<Ty>,
    found: Option<Ty>,
}

impl Join {
    fn new(session: &Session, want: Option<Ty>) -> Self {
        // An expected type decides if its outermost form is known. Every branch is then coerced to it.
        let want = want.filter(|&ty| !session.types.is_unknown(ty));
        Join { want, found: want }
    }
    fn expected(&self) -> Option<Ty> {
        self.found
    }
    fn add(&mut self, session: &mut Session, ty: Ty, at: At) -> Result<()> {
        let known = session.types.head(ty);
        match self.found {
            _ if known == Ty::Never => {}
            None => self.found = Some(ty),
            Some(found) if self.want.is_some() => session.coerce(ty, found, at)?,
            // If one branch is a shared slice and another a mutable one, the type is the mutable one.
            Some(found)
                if matches!(
                    (session.types.head(found), known),
                    (Ty::Slice(_), Ty::SliceMut(_))
                ) =>
            {
                session.coerce(found, ty, at)?;
                self.found = Some(ty);
            }
            Some(found) => session.coerce(ty, found, at)?,
        }
        Ok(())
    }
    fn ty(self) -> Ty {
        self.found.unwrap_or(Ty::Never)
    }
}

/// The variant of that name. A struct has one variant, whatever the name.
pub fn find_variant(adt: &'static Adt, name: Option<&str>) -> Option<(u32, &'static Variant)> {
    let position = match name {
        Some(name) if adt.is_enum => adt
            .variants
            .iter()
            .position(|variant| variant.name == name)?,
        _ => 0,
    };
    Some((position as u32, adt.variants.get(position)?))
}

/// The arguments of a call, not checked yet.
pub fn arguments(args: &'static [Expr]) -> Vec<Arg> {
    args.iter()
        .map(|expr| Arg {
            expr: Some(expr),
            ty: None,
        })
        .collect()
}

/// The error for a type that stays unknown.
pub fn unknown(span: Span) -> Error {
    Diagnostic::new(span, "the type of this expression could not be found")
        .help("write the type where the value is bound")
        .into()
}

/// Whether an expression is a variable or a field that holds a reference, rather than what it refers to.
fn is_place_of_reference(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Local(_) | ExprKind::Field(..))
}

/// Whether an expression is a number without a written type, so that a cast gives it one.
fn is_plain_literal(expr: &Expr, to: Ty) -> bool {
    match (&expr.kind, to) {
        (ExprKind::Int(_, None), Ty::Scalar(to)) => to.is_int(),
        (ExprKind::Float(_, None), Ty::Scalar(to)) => to.is_float(),
        (ExprKind::Neg(inner), _) => is_plain_literal(inner, to),
        _ => false,
    }
}

/// The type of a constant's value.
pub fn constant_type(constant: &Constant) -> Ty {
    match constant {
        Constant::Scalar(_, ty) => Ty::Scalar(*ty),
        Constant::Tuple(fields) => Ty::tuple(&fields.iter().map(constant_type).collect::<Vec<_>>()),
        Constant::List(items, element) => Ty::list(*element, items.len()),
        Constant::Str(_) => Ty::Str,
        Constant::Variant(ty, _) | Constant::Adt(ty, ..) | Constant::Other(ty) => *ty,
    }
}
