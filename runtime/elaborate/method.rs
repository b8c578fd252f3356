//! Methods.

use super::derived_traits::DerivedTrait;
use super::expr::{text_constant, unit, within};
use super::place::{as_place, pointee};
use super::{Elaborator, key, read_local};
use crate::diag::Result;
use crate::diag::Span;
use crate::front::repr::{result_type, rule_types};
use crate::front::tree::{At, Expr as Tree, ExprKind as TreeKind};
use crate::front::ty::{Dyn, OPTION, Ty};
use crate::front::typed::{
    Arm, Base, Borrow, Expr, ExprKind, Pattern, Place, Projection, Statement,
};
use crate::ir::{Const, Fault, Symbol};
use crate::resolve::builtins::{Builtin, ChosenMethod, MethodKind, signature};

impl Elaborator<'_, '_> {
    /// `receiver.name(args)`
    pub(super) fn method(
        &mut self,
        expr: &'static Tree,
        name: &'static str,
        args: &'static [Tree],
    ) -> Result<Expr> {
        let span = self.span(expr.at);
        let Some(chosen) = self.row().facts.methods.get(&key(expr)).cloned() else {
            return self.free_function(expr, name, args);
        };
        let Some((receiver, rest)) = args.split_first() else {
            return self.bug(expr.at, format!("`{name}` has no receiver"));
        };
        self.stays(receiver);
        match chosen.kind {
            MethodKind::Builtin(builtin) => self.builtin(expr, chosen, builtin, receiver, rest),
            MethodKind::Call(by_mut) => {
                let call = self.call(key(expr), expr.at)?;
                let wanted = self.known(call.params[0], expr.at)?;
                // A method that takes a mutable slice changes it.
                let changes = by_mut || matches!((call.source.params[0].ty)(), Ty::SliceMut(_));
                let (place, ty) = self.receiver(receiver, chosen.derefs, changes)?;
                let by_reference = call.source.params[0].ref_kind.is_to_value();
                // Methods of the library do not change what they take by value.
                let by_value = !by_reference && !crate::stdlib::contains(call.source);
                let first = match by_mut {
                    true if !chosen.unsize => self.address(place, ty, span)?,
                    _ if chosen.unsize => self.as_slice(place, ty, span),
                    // The receiver may be a reference to what is passed by value.
                    _ if by_value => self.read(pointee(place, ty), ty, span, true),
                    _ => self.read(place, ty, span, !by_reference),
                };
                let mut values = vec![self.coerce(first, wanted)?];
                values.extend(self.arguments(rest, &call.params[1..], expr.at)?);
                self.call_with(&call, values, expr.at)
            }
            MethodKind::Dispatch => {
                let (place, ty) = self.receiver(receiver, chosen.derefs, false)?;
                let Ty::Dyn(Dyn::Trait(of)) = ty else {
                    return self.bug(expr.at, format!("`{ty}` is not dynamic"));
                };
                let declared =
                    crate::resolve::candidates::declared(&self.session.methods, of, name);
                let Some(source) = declared.map(|method| (method.source)()) else {
                    return self.bug(expr.at, format!("`{ty}` has no method `{name}`"));
                };
                let params: Vec<Ty> = source
                    .params
                    .iter()
                    .skip(1)
                    .map(|param| (param.ty)().slices_mut())
                    .collect();
                let mut values = vec![self.read(place, ty, span, false)];
                values.extend(self.arguments(rest, &params, expr.at)?);
                Ok(self.dispatch(
                    ty,
                    Some(source.name),
                    values,
                    (source.ret)().slices_mut(),
                    span,
                ))
            }
            MethodKind::Rule(row) => {
                let values = self.rule_arguments(chosen.derefs, args)?;
                self.rule(row, values, expr.at)
            }
            MethodKind::Lifted(row) => {
                let values = self.rule_arguments(chosen.derefs, args)?;
                let ty = self.ty(expr)?;
                Ok(ExprKind::Map(row, values).of(ty, span.in_method(name)))
            }
        }
    }
    /// A function of a pack or of the host.
    pub(super) fn rule(&self, symbol: Symbol, values: Vec<Expr>, at: At) -> Result<Expr> {
        let types: Vec<Ty> = values.iter().map(|value| value.ty).collect();
        let span = self.span(at);
        let found =
            rule_types(&types).and_then(|types| self.session.registry.call_type(symbol, &types));
        match found {
            Some(ty) => Ok(ExprKind::Rule(symbol, values).of(result_type(&types, ty), span)),
            None => Err(crate::infer::no_such_function(
                symbol.as_str(),
                &types,
                span,
            )),
        }
    }
    /// Numbers and arrays; a list of numbers is a tuple.
    fn rule_arguments(&mut self, derefs: u32, args: &'static [Tree]) -> Result<Vec<Expr>> {
        let mut values = Vec::new();
        for (n, arg) in args.iter().enumerate() {
            let span = self.span(arg.at);
            let (place, ty) = match n {
                0 if derefs > 0 => self.receiver(arg, derefs, false)?,
                _ => {
                    let value = self.rvalue(arg)?;
                    let ty = value.ty;
                    (as_place(value), ty)
                }
            };
            let (place, ty) = self.deref_all(place, ty);
            let value = self.read(place, ty, span, false);
            let span = span.in_method(value.span.method);
            values.push(match (value.ty, value.kind) {
                (Ty::List(&element, n), ExprKind::List(items)) => {
                    ExprKind::Tuple(items).of(Ty::tuple(&vec![element; n]), span)
                }
                (ty, kind) => kind.of(ty, span),
            });
        }
        Ok(values)
    }

    fn builtin(
        &mut self,
        expr: &'static Tree,
        chosen: ChosenMethod,
        builtin: Builtin,
        receiver: &'static Tree,
        rest: &'static [Tree],
    ) -> Result<Expr> {
        let span = self.span(expr.at);
        let changes = matches!(
            builtin,
            Builtin::Push
                | Builtin::Prepare
                | Builtin::Put
                | Builtin::Pop
                | Builtin::Truncate
                | Builtin::Clear
                | Builtin::ContentMut
                | Builtin::Set
                | Builtin::Replace
                | Builtin::Take
                | Builtin::AsMut
                | Builtin::AsDeref(true)
        ) || matches!(&expr.kind, TreeKind::Method(name, ..) if name.ends_with("_mut") || *name == "as_mut_slice");
        let before = self.guards.count();
        let (mut place, ty) = self.receiver(receiver, chosen.derefs, changes)?;
        let mut first = Vec::new();
        if matches!(builtin, Builtin::Set | Builtin::Replace) && self.guards.count() > before {
            // The receiver is borrowed before the argument is evaluated.
            let (address, by_address) = match ty {
                Ty::Cell(..) => (self.read(place, ty, span, false), false),
                _ => (self.address(place, ty, span)?, true),
            };
            let held = Place::of(self.hold(address, &mut first));
            place = match by_address {
                true => held.then(Projection::Deref(ty)),
                false => held,
            };
        }
        let element = ty.element().unwrap_or(Ty::UNIT);
        let of = |ty: Ty, kind: ExprKind| kind.of(ty, span);
        let content = match ty {
            Ty::Cell(&content, _) | Ty::Boxed(&content) => content,
            Ty::Adt(_, arguments) => arguments.first().copied().unwrap_or(Ty::UNIT),
            _ => Ty::UNIT,
        };
        let borrowed_once = Projection::Borrow(Borrow {
            content,
            mutable: true,
            guard: None,
            span,
        });
        let value = match builtin {
            Builtin::Intrinsic(intrinsic) => {
                let scalar = ty.scalar().unwrap_or(crate::ir::Type::F64);
                let (count, ret) = signature(intrinsic, scalar);
                let mut values = vec![self.read(place, ty, span, false)];
                values.extend(self.arguments(rest, &vec![ty; count], expr.at)?);
                of(ret, ExprKind::Intrinsic(intrinsic, values))
            }
            Builtin::Identity => self.read(place, ty, span, true),
            Builtin::Copied => self.read(pointee(place, ty), ty, span, true),
            Builtin::Compare(total) => {
                let a = self.read(place, ty, span, false);
                let b = self.value(&rest[0], ty)?;
                let found = self.ordered(a, b, span)?;
                if total {
                    super::order::cmp(found)
                } else {
                    found
                }
            }
            Builtin::Clone => {
                self.part_by_part(ty, DerivedTrait::Clone, span)?;
                let value = self.read(place, ty, span, false);
                of(ty, ExprKind::Clone(Box::new(value)))
            }
            Builtin::Len => {
                let value = self.read(place, ty, span, false);
                of(Ty::USIZE, ExprKind::Len(Box::new(value)))
            }
            Builtin::Push => {
                let value = self.value(&rest[0], element)?;
                self.change(&place);
                of(Ty::UNIT, ExprKind::Push(place, Box::new(value)))
            }
            Builtin::Pop => {
                self.change(&place);
                of(Ty::option(element), ExprKind::Pop(place))
            }
            Builtin::Truncate => {
                let count = self.value(&rest[0], Ty::USIZE)?;
                self.change(&place);
                of(Ty::UNIT, ExprKind::Truncate(place, Box::new(count)))
            }
            Builtin::Clear => {
                self.change(&place);
                of(
                    Ty::UNIT,
                    ExprKind::Truncate(place, Box::new(Expr::index(0, span))),
                )
            }
            Builtin::AsSlice => self.as_slice(place, ty, span),
            Builtin::Content => {
                let step = self.step_into_cell(expr, content, false);
                self.read(place.then(step), content, span, true)
            }
            Builtin::Get => self.read(place.then(Projection::Deref(content)), content, span, true),
            Builtin::ContentMut => {
                let step = self.step_into_cell(expr, content, true);
                self.address(place.then(step), content, span)?
            }
            Builtin::Set => {
                let value = self.value(&rest[0], content)?;
                of(
                    Ty::UNIT,
                    ExprKind::Assign(place.then(Projection::Deref(content)), Box::new(value)),
                )
            }
            Builtin::Replace => {
                let mut value = self.value(&rest[0], content)?;
                let (place, found) = match ty {
                    Ty::Cell(_, kind) if kind.borrows => (place.then(borrowed_once), content),
                    Ty::Cell(..) => (place.then(Projection::Deref(content)), content),
                    _ => {
                        value = of(ty, ExprKind::Aggregate(1, vec![value]));
                        (place, ty)
                    }
                };
                self.replace(place, found, value, span)?
            }
            Builtin::Take => {
                let (place, found) = match ty {
                    Ty::Cell(_, kind) if kind.borrows => (place.then(borrowed_once), content),
                    Ty::Cell(..) => (place.then(Projection::Deref(content)), content),
                    _ => (place, ty),
                };
                let value = self.default(found, expr.at)?;
                self.replace(place, found, value, span)?
            }
            Builtin::IsVariant(variant) => {
                let answer = |value: bool| of(Ty::BOOL, ExprKind::Const(Const::Bool(value)));
                let arms = vec![
                    Arm::new(Pattern::Variant(variant, vec![]), answer(true)),
                    Arm::new(Pattern::Wild, answer(false)),
                ];
                of(Ty::BOOL, ExprKind::Match(place, arms))
            }
            Builtin::Unwrap(variant) | Builtin::Expect(variant) => {
                let text = match (builtin, rest) {
                    (
                        Builtin::Expect(_),
                        [
                            Tree {
                                kind: TreeKind::Str(text),
                                ..
                            },
                        ],
                    ) => text,
                    _ if ty_is_option(ty) => "called `Option::unwrap()` on a `None` value",
                    _ if variant == 1 => "called `Result::unwrap_err()` on an `Ok` value",
                    _ => "called `Result::unwrap()` on an `Err` value",
                };
                self.payload_or_panic(place, ty, variant, text, span)
            }
            Builtin::AsMut | Builtin::AsDeref(_) => {
                self.option_of_parts(expr, place, content, builtin, span)?
            }
            Builtin::Prepare => {
                let count = Box::new(self.value(&rest[0], Ty::USIZE)?);
                let vector = match element.scalar() {
                    Some(_) => ExprKind::Repeat(Box::new(self.default(element, expr.at)?), count),
                    None => ExprKind::WithCapacity(count),
                };
                self.change(&place);
                of(Ty::UNIT, ExprKind::Assign(place, Box::new(of(ty, vector))))
            }
            Builtin::Put => {
                let value = Box::new(self.value(&rest[1], element)?);
                self.change(&place);
                match element.scalar() {
                    Some(_) => {
                        let at = Box::new(self.value(&rest[0], Ty::USIZE)?);
                        let place = place.then(Projection::Index(at, element, span));
                        of(Ty::UNIT, ExprKind::Assign(place, value))
                    }
                    None => of(Ty::UNIT, ExprKind::Push(place, value)),
                }
            }
            Builtin::FilledWith => {
                let found = self.ty(expr)?;
                let (element, count) = match found {
                    Ty::List(&element, count) => (element, count),
                    _ => (element, 0),
                };
                let value = self.value(&rest[0], element)?;
                let count = Expr::index(count, span);
                of(found, ExprKind::Repeat(Box::new(value), Box::new(count)))
            }
            Builtin::MapArray => self.map_array(expr, place, ty, rest)?,
            Builtin::Into => {
                let wanted = self.ty(expr)?;
                let (place, found) = self.deref_all(place, ty);
                let value = self.read(place, found, span, true);
                if self.row().facts.calls.contains_key(&key(expr)) {
                    let call = self.call(key(expr), expr.at)?;
                    return self.call_with(&call, vec![value], expr.at);
                }
                match (found, wanted) {
                    _ if found == wanted => value,
                    (Ty::Scalar(_), Ty::Scalar(_)) => of(wanted, ExprKind::Cast(Box::new(value))),
                    _ => self.coerce(value, wanted)?,
                }
            }
        };
        Ok(within(first, value))
    }
    /// The payload of a variant, or a panic. The message shows the payload of the other variant if that is a number.
    fn payload_or_panic(
        &mut self,
        place: Place,
        ty: Ty,
        variant: u32,
        text: &str,
        span: Span,
    ) -> Expr {
        let (payload, pattern, body) = self.payload(ty, variant, span);
        let (other, mut pattern_of_other, value) = self.payload(ty, 1 - variant, span);
        let is_shown = other.scalar().is_some() && !text.contains('{');
        let (text, shown) = match is_shown {
            true => (Symbol::new(&format!("{text}: {{:?}}")), vec![value]),
            false => (Symbol::new(text), vec![]),
        };
        if !is_shown {
            pattern_of_other = Pattern::Wild;
        }
        let fail = ExprKind::Fail(Fault::Panic(text), shown).of(Ty::Never, span);
        let arms = vec![Arm::new(pattern, body), Arm::new(pattern_of_other, fail)];
        ExprKind::Match(place, arms).of(payload, span)
    }
    /// The type of a variant's one field, a pattern that binds it, and its value there.
    fn payload(&mut self, ty: Ty, variant: u32, span: Span) -> (Ty, Pattern, Expr) {
        let payload = ty.fields(variant).first().map_or(Ty::UNIT, |field| field.1);
        let (local, bind) = self.bound(payload, false);
        let step = Projection::Payload {
            variant,
            field: 0,
            ty: payload,
        };
        let pattern = Pattern::Variant(variant, vec![(step, bind)]);
        (payload, pattern, read_local(local, payload, span))
    }
    /// `as_mut`, `as_deref`, `as_deref_mut` of an `Option`.
    fn option_of_parts(
        &mut self,
        expr: &'static Tree,
        place: Place,
        content: Ty,
        builtin: Builtin,
        span: Span,
    ) -> Result<Expr> {
        let target = self.ty(expr)?;
        let by_mut = matches!(builtin, Builtin::AsMut | Builtin::AsDeref(true));
        let behind = match (builtin, content) {
            (Builtin::AsDeref(_), Ty::Boxed(&inner)) => Some(inner),
            _ => None,
        };
        let (bound, by_address) = match behind {
            Some(inner) => (inner, by_mut),
            None => (content, by_mut),
        };
        let (local, bind) = self.bound(bound, by_address);
        let held = self.locals[local].ty;
        let bind = match behind {
            Some(inner) => Pattern::Parts(vec![(Projection::Deref(inner), bind)]),
            None => bind,
        };
        let step = Projection::Payload {
            variant: 1,
            field: 0,
            ty: content,
        };
        let pattern = Pattern::Variant(1, vec![(step, bind)]);
        self.borrowed(&place, &pattern);
        let value = read_local(local, held, span);
        let wanted = match target {
            Ty::Adt(_, &[wanted]) => wanted,
            _ => held,
        };
        let value = self.coerce(value, wanted)?;
        let of = |kind: ExprKind| kind.of(target, span);
        let arms = vec![
            Arm::new(pattern, of(ExprKind::Aggregate(1, vec![value]))),
            Arm::new(Pattern::Wild, of(ExprKind::Aggregate(0, vec![]))),
        ];
        Ok(of(ExprKind::Match(place, arms)))
    }
    /// Exchanges two places whose operands are variables.
    fn exchange(
        &mut self,
        a: Place,
        b: Place,
        ty: Ty,
        statements: &mut Vec<Statement>,
        span: Span,
    ) -> Result<()> {
        let (a_again, b_again) = (again(&a, span), again(&b, span));
        let (x, y) = (self.read(a, ty, span, true), self.read(b, ty, span, true));
        let (x, y) = (self.hold(x, statements), self.hold(y, statements));
        for (place, value) in [(a_again, y), (b_again, x)] {
            self.change(&place);
            let value = Box::new(read_local(value, ty, span));
            statements.push(ExprKind::Assign(place, value).statement(span));
        }
        Ok(())
    }
    /// Stores a value in a place and returns the previous value.
    fn replace(&mut self, place: Place, ty: Ty, value: Expr, span: Span) -> Result<Expr> {
        if is_simple(&place) {
            let mut statements = Vec::new();
            let new = self.hold(value, &mut statements);
            let again = again(&place, span);
            let old = self.read(place, ty, span, true);
            let old = self.hold(old, &mut statements);
            self.change(&again);
            statements
                .push(ExprKind::Assign(again, Box::new(read_local(new, ty, span))).statement(span));
            return Ok(within(statements, read_local(old, ty, span)));
        }
        if let Ty::Dyn(_) = ty {
            return self.refuse_at(
                span,
                "a `Box<dyn …>` at an index that is computed cannot be replaced here",
                "bind the index to a name before",
            );
        }
        let address = self.address(place, ty, span)?;
        Ok(ExprKind::Replace(Box::new(address), Box::new(value)).of(ty, span))
    }
    /// `T::default()`
    pub(super) fn default(&mut self, ty: Ty, at: At) -> Result<Expr> {
        let span = self.span(at);
        let of = |kind: ExprKind| kind.of(ty, span);
        Ok(match ty {
            Ty::Scalar(scalar) if scalar.is_float() => of(ExprKind::Const(Const::Float(0.0))),
            Ty::Scalar(scalar) if scalar.is_int() => of(ExprKind::Const(Const::Int(0))),
            Ty::Scalar(_) => of(ExprKind::Const(Const::Bool(false))),
            Ty::Tuple([]) => of(ExprKind::Const(Const::Unit)),
            Ty::Str => of(text_constant("")),
            Ty::Tuple(fields) => {
                let mut values = Vec::new();
                for &field in fields {
                    values.push(self.default(field, at)?);
                }
                of(ExprKind::Tuple(values))
            }
            Ty::Vec(_) => {
                let zero = Expr::index(0, span);
                of(ExprKind::WithCapacity(Box::new(zero)))
            }
            Ty::List(&element, n) => {
                let value = self.default(element, at)?;
                let count = Expr::index(n, span);
                of(ExprKind::Repeat(Box::new(value), Box::new(count)))
            }
            Ty::Boxed(&content) | Ty::Cell(&content, _) => {
                let value = self.default(content, at)?;
                of(ExprKind::NewObject(Box::new(value)))
            }
            Ty::Adt(adt, _) if *adt == OPTION => of(ExprKind::Aggregate(0, vec![])),
            Ty::Adt(adt, _) if !adt.is_enum => {
                self.part_by_part(ty, DerivedTrait::Default, span)?;
                let mut values = Vec::new();
                for (_, field) in ty.fields(0) {
                    values.push(self.default(field, at)?);
                }
                of(ExprKind::Aggregate(0, values))
            }
            _ => {
                return self.refuse_at(
                    span,
                    format!("the default of `{ty}` is not known here"),
                    "write `#[differentiable] impl Default` for the type and call that by its name; in place of `std::mem::take(place)` write `std::mem::replace(place, T::default())`",
                );
            }
        })
    }

    /// Functions of std that the macro writes as methods.
    fn free_function(
        &mut self,
        expr: &'static Tree,
        name: &str,
        args: &'static [Tree],
    ) -> Result<Expr> {
        let span = self.span(expr.at);
        match (name, args) {
            ("mem::swap", [a, b]) => {
                if let (TreeKind::Ref(true, x), TreeKind::Ref(true, y)) = (&a.kind, &b.kind) {
                    let (x, ty) = self.place_mut(x)?;
                    let (y, other) = self.place_mut(y)?;
                    if is_simple(&x) && is_simple(&y) && ty == other {
                        let mut statements = Vec::new();
                        self.exchange(x, y, ty, &mut statements, span)?;
                        return Ok(ExprKind::Block(statements, None).of(Ty::UNIT, span));
                    }
                }
                let a = self.rvalue(a)?;
                let b = self.value(b, a.ty)?;
                if !matches!(a.ty, Ty::Mut(_)) {
                    return self.refuse(
                        expr.at,
                        "slices behind references cannot be swapped here",
                        "swap the variables: `(a, b) = (b, a)`",
                    );
                }
                Ok(ExprKind::Swap(Box::new(a), Box::new(b)).of(Ty::UNIT, span))
            }
            ("mem::replace" | "mem::take", [place, rest @ ..]) => {
                let (place, ty) = match &place.kind {
                    TreeKind::Ref(true, inner) => {
                        let (place, ty) = self.place_mut(inner)?;
                        (place, ty)
                    }
                    _ => {
                        let (place, ty) = self.place_mut(place)?;
                        self.deref_once(place, ty)
                    }
                };
                let value = match rest {
                    [value] => self.value(value, ty)?,
                    _ => self.default(ty, expr.at)?,
                };
                self.replace(place, ty, value, span)
            }
            ("drop", [value]) => self.dropped(value),
            ("stop_gradient", [value]) => {
                let value = self.rvalue(value)?;
                let ty = value.ty;
                Ok(ExprKind::StopGradient(Box::new(value)).of(ty, span))
            }
            ("identity", [value]) => self.rvalue(value),
            ("__value_and_gradient" | "__value_and_derivative", _) => {
                self.value_and_derivative(expr, args)
            }
            _ if self.row().facts.calls.contains_key(&key(expr)) => {
                let call = self.call(key(expr), expr.at)?;
                let values = self.arguments(args, &call.params, expr.at)?;
                self.call_with(&call, values, expr.at)
            }
            _ => self.bug(expr.at, format!("`{name}` is not known here")),
        }
    }
}

fn ty_is_option(ty: Ty) -> bool {
    matches!(ty, Ty::Adt(adt, _) if *adt == OPTION)
}

/// Whether a place can be evaluated twice without a difference.
fn is_simple(place: &Place) -> bool {
    let base = matches!(place.base, Base::Local(_));
    base && place.projections.iter().all(|step| match step {
        Projection::Index(index, ..) => is_variable(index),
        _ => true,
    })
}

fn is_variable(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Const(_) => true,
        ExprKind::Read { place, .. } => {
            matches!(place.base, Base::Local(_)) && place.projections.is_empty()
        }
        _ => false,
    }
}

/// A second copy of a simple place.
fn again(place: &Place, span: Span) -> Place {
    let base = match place.base {
        Base::Local(local) => Base::Local(local),
        Base::Value(_) => Base::Value(Box::new(unit(span))),
    };
    let projections = place.projections.iter().map(|step| match step {
        Projection::Field(n, ty) => Projection::Field(*n, *ty),
        Projection::Payload { variant, field, ty } => Projection::Payload {
            variant: *variant,
            field: *field,
            ty: *ty,
        },
        Projection::Deref(ty) => Projection::Deref(*ty),
        // The cell is borrowed already.
        Projection::Borrow(borrow) => Projection::Deref(borrow.content),
        Projection::Index(index, ty, span) => {
            let kind = match &index.kind {
                ExprKind::Const(value) => ExprKind::Const(*value),
                ExprKind::Read { place, .. } => match place.base {
                    Base::Local(local) => ExprKind::Read {
                        place: Place::of(local),
                        copy: false,
                    },
                    Base::Value(_) => ExprKind::Const(Const::Unit),
                },
                _ => ExprKind::Const(Const::Unit),
            };
            let index = kind.of(index.ty, index.span);
            Projection::Index(Box::new(index), *ty, *span)
        }
    });
    Place {
        base,
        projections: projections.collect(),
    }
}
