//! Calls: the types of arguments and results, for functions of the program, of packs and of the host, and for built-in methods.

use super::check::{Arg, Wait, arguments, find_variant, key};
use super::overloads::{Named, Overload};
use super::{Call, Constructor, Session, State, is_pack, no_such_function};
use crate::diag::Result;
use crate::front::repr::{language_type, result_type, rule_types};
use crate::front::tree::{self, At, Expr, ExprKind, Receiver, Source};
use crate::front::ty::{Dyn, Item, ORDERING, RefKind, Ty};
use crate::front::typed::Intrinsic;
use crate::ir::expr::scalar_primitive;
use crate::ir::{HostOp, Symbol, Type};
use crate::registry::Entry;
use crate::resolve::builtins::{Builtin, ChosenMethod, MethodKind, scalar_constant, signature};
use crate::resolve::candidates::{AutorefStep, CallSyntax};
use crate::resolve::inherent;
use crate::stdlib;
use std::sync::Arc;

/// The names of the operator methods of numbers.
pub const OPERATORS: &[&str] = &["add", "div", "mul", "neg", "rem", "sub"];

/// The meaning of a method name for a receiver type.
pub enum Found {
    Builtin(Builtin),
    Method(Call, bool),
    Dispatch(Call),
    Rule(Symbol),
    Lifted(Symbol),
    /// The meaning depends on a type that is not known yet.
    Later,
}

impl Session<'_> {
    pub fn call_expr(
        &mut self,
        expr: &'static Expr,
        callee: tree::Callee,
        args: &'static [Expr],
        want: Option<Ty>,
    ) -> Result<Ty> {
        let (source, given) = callee();
        let given: Vec<Ty> = given.into_iter().map(|ty| self.declare(ty)).collect();
        let call = self.call(source, given, None, expr.at);
        self.finish_call(key(expr), expr.at, call, &arguments(args), want)
    }

    /// A call of a function whose arguments are not checked yet. Missing type arguments are unknowns.
    pub fn call(
        &mut self,
        source: &'static Source,
        given: Vec<Ty>,
        receiver: Option<Ty>,
        at: At,
    ) -> Call {
        let mut generics = given;
        while generics.len() < source.generics as usize {
            generics.push(self.types.fresh());
        }
        let mut params: Vec<Ty> = Vec::new();
        for (n, param) in source.params.iter().enumerate() {
            params.push(match receiver {
                Some(receiver) if n == 0 => receiver,
                _ => self.types.declare((param.ty)(), &generics),
            });
        }
        Call {
            source,
            params,
            ret: self.types.declare((source.ret)(), &generics),
            arguments: generics,
            span: self.span(at),
            instance: None,
        }
    }
    /// Checks the arguments of a call and finds its result.
    pub fn finish_call(
        &mut self,
        key: usize,
        at: At,
        mut call: Call,
        args: &[Arg],
        want: Option<Ty>,
    ) -> Result<Ty> {
        if let Some(want) = want
            && matches!(
                self.types.head(want),
                Ty::Scalar(_)
                    | Ty::Adt(..)
                    | Ty::Tuple(_)
                    | Ty::Vec(_)
                    | Ty::List(..)
                    | Ty::OpenList(..)
                    | Ty::Boxed(_)
            )
        {
            self.types.attempt(|u| u.unify(call.ret, want));
        }
        if stdlib::distinguishes_borrowed(call.source) {
            self.pass_borrowed(args, &call.params)?;
        }
        self.pass(args, &call.params.clone(), at)?;
        self.declare_closures(&call);
        let ret = call.ret;
        if !is_pack(call.source) && self.must_be_checked(&call) {
            let id = self.instance(&call)?;
            call.instance = Some(id);
            if self.instances[id].state == State::Waiting {
                self.check_instance(id)?;
            }
            let found = self.instances[id].ret;
            self.unify(found, ret, at)?;
        }
        self.facts().calls.insert(key, call);
        Ok(self.types.head(ret))
    }
    /// Whether the result type is not written, so that only the body says what the function returns.
    fn must_be_checked(&mut self, call: &Call) -> bool {
        // Such functions have few types. And the types of a closure's parameters are known when the iterator around it is used.
        if stdlib::contains(call.source) {
            return true;
        }
        // The types of a closure's parameters are known where it is called.
        if call.params.iter().any(|&ty| self.has_open_closure(ty)) {
            return true;
        }
        let written = (call.source.ret)();
        if written.any(&mut |ty| matches!(ty, Ty::Infer(_) | Ty::Slice(_))) {
            return true;
        }
        let is_function = |ty: Ty| {
            let ty = self.types.resolve(ty);
            ty.any(&mut |ty| matches!(ty, Ty::Closure(_) | Ty::Item(_)))
        };
        self.types.is_open(call.ret)
            && !self.types.is_literal(call.ret)
            && call.params.iter().any(|&ty| is_function(ty))
    }
    /// Whether values of a type contain a closure whose body is not checked yet.
    fn has_open_closure(&self, ty: Ty) -> bool {
        let is_waiting = |closure| self.closures[self.closure_id(closure)].state == State::Waiting;
        let ty = self.types.resolve(ty);
        ty.any(&mut |ty| matches!(ty, Ty::Closure(closure) if is_waiting(closure)))
    }
    /// Checks arguments against the types of parameters. Closures come last, because the other arguments may determine the types of their parameters.
    fn pass(&mut self, args: &[Arg], params: &[Ty], at: At) -> Result<()> {
        if args.len() != params.len() {
            let message = format!("expected {} arguments, found {}", params.len(), args.len());
            return self.bug(at, message);
        }
        for closures in [false, true] {
            for (arg, &param) in args.iter().zip(params) {
                let is_closure = arg
                    .expr
                    .is_some_and(|expr| matches!(expr.kind, ExprKind::Closure(_)));
                if is_closure == closures {
                    self.pass_one(arg, param, at)?;
                }
            }
        }
        Ok(())
    }
    /// The parameters of closures that are arguments get the types that the function declares for them, as if the closures did: what they are called with
    /// may have one of several types that rustc coerces.
    fn declare_closures(&mut self, call: &Call) {
        for (param, &ty) in call.source.params.iter().zip(&call.params) {
            let Ty::Closure(closure) = self.peel_all(ty) else {
                continue;
            };
            let id = self.closure_id(closure);
            let own = self.closures[id].params.clone();
            for (own, takes) in own.into_iter().zip(param.takes) {
                let declared = self.types.declare(takes().slices_mut(), &call.arguments);
                self.types.attempt(|u| u.unify(own, declared));
            }
        }
    }
    /// Passes `&vec` and `&array` as slices, because iteration over them goes over a slice.
    fn pass_borrowed(&mut self, args: &[Arg], params: &[Ty]) -> Result<()> {
        for (arg, &param) in args.iter().zip(params) {
            let Some(expr) = arg.expr else { continue };
            if arg.ty.is_none() && matches!(expr.kind, ExprKind::Ref(false, _)) {
                let ty = self.expr(expr, None)?;
                if let Ty::Vec(&element) | Ty::List(&element, _) | Ty::OpenList(&element, _) =
                    self.peel(ty)
                {
                    self.unify(Ty::slice(element), param, expr.at)?;
                }
            }
        }
        Ok(())
    }
    fn pass_one(&mut self, arg: &Arg, param: Ty, at: At) -> Result<()> {
        match (arg.ty, arg.expr) {
            (Some(ty), expr) => self.coerce(ty, param, expr.map_or(at, |expr| expr.at)),
            (None, Some(expr)) => self.coerce_expr(expr, param),
            (None, None) => Ok(()),
        }
    }
    /// The type of an argument, which is checked at most once.
    pub fn argument(&mut self, arg: &mut Arg) -> Result<Ty> {
        let ty = match (arg.ty, arg.expr) {
            (Some(ty), _) => ty,
            (None, Some(expr)) => self.expr(expr, None)?,
            (None, None) => Ty::UNIT,
        };
        arg.ty = Some(ty);
        Ok(ty)
    }
    /// Checks arguments for which no type is expected.
    pub fn check_arguments(&mut self, args: &mut [Arg]) -> Result<()> {
        args.iter_mut()
            .try_for_each(|arg| self.argument(arg).map(|_| ()))
    }

    /// `f(a)`, where `f` is a value.
    pub fn try_call_value(
        &mut self,
        key: usize,
        at: At,
        callee: Ty,
        args: &mut [Arg],
        want: Option<Ty>,
    ) -> Result<Option<Ty>> {
        match self.peel_all(callee) {
            Ty::Closure(closure) => {
                let id = self.closure_id(closure);
                let params = self.closures[id].params.clone();
                if params.len() != args.len() {
                    let message =
                        format!("expected {} arguments, found {}", params.len(), args.len());
                    return self.bug(at, message);
                }
                for (arg, &param) in args.iter_mut().zip(&params) {
                    let ty = match (arg.ty, arg.expr) {
                        (None, Some(expr)) => self.expr(expr, Some(param))?,
                        _ => self.argument(arg)?,
                    };
                    let ty = match self.types.is_unknown(param) {
                        true => self.parameter(arg, ty),
                        false => ty,
                    };
                    self.coerce(ty, param, at)?;
                }
                self.check_closure(id)?;
                Ok(Some(self.types.head(self.closures[id].ret)))
            }
            Ty::Dyn(kind @ Dyn::Fn(params, ret)) => {
                self.pass(args, params, at)?;
                self.dynamic.called(Ty::Dyn(kind), None);
                Ok(Some(self.types.head(*ret)))
            }
            Ty::Item(Item::Source(source, arguments)) => {
                let call = self.call(source, arguments.to_vec(), None, at);
                self.finish_call(key, at, call, args, want).map(Some)
            }
            Ty::Item(Item::Method(name, of)) => {
                self.check_arguments(args)?;
                let named = Named::item(name, of);
                self.try_method(key, at, &named, args, want)
            }
            Ty::Item(Item::Overloaded(&owner, name, of)) => {
                let named = Named::item(name, of);
                let all = self.functions_of(owner, named.syntax, named.name, at)?;
                match self.overload(&all, owner, None, args, at)? {
                    Overload::One(method) => {
                        let given = self.owner_arguments(method, owner, &[]);
                        let call =
                            self.call((method.source)(), given.unwrap_or_default(), None, at);
                        self.finish_call(key, at, call, args, want).map(Some)
                    }
                    Overload::Other => self.try_method(key, at, &named, args, want),
                    Overload::Later => Ok(None),
                }
            }
            Ty::Item(Item::Constructor(&ty, variant)) => {
                let fields: Vec<Ty> = self
                    .types
                    .head(ty)
                    .fields(variant)
                    .into_iter()
                    .map(|field| field.1)
                    .collect();
                self.pass(args, &fields, at)?;
                Ok(Some(ty))
            }
            other if self.types.is_unknown(other) => Ok(None),
            other => {
                let other = self.types.describe(other);
                self.bug(at, format!("{other} is no function"))
            }
        }
    }

    /// The type of a closure's parameter, taken from its first argument. The closure may be called with shared and with mutable slices, and with `&vec`
    /// where it takes a slice. What it is declared to take is not visible where it is called.
    fn parameter(&self, arg: &Arg, ty: Ty) -> Ty {
        let is_borrowed = arg
            .expr
            .is_some_and(|expr| matches!(expr.kind, ExprKind::Ref(false, _)));
        match self.types.finish(ty) {
            Ty::Vec(&element) | Ty::List(&element, _) | Ty::OpenList(&element, _)
                if is_borrowed =>
            {
                Ty::slice_mut(element)
            }
            ty @ Ty::Slice(_) => ty.slices_mut(),
            // A part of an argument is either shared or mutable, not both.
            ty => ty,
        }
    }

    /// `receiver.name(args)`
    pub fn method_expr(
        &mut self,
        expr: &'static Expr,
        name: &'static str,
        syntax: CallSyntax,
        generics: &'static [tree::TyFn],
        args: &'static [Expr],
        want: Option<Ty>,
    ) -> Result<Ty> {
        let at = expr.at;
        if let Some(ty) = self.free_function(key(expr), at, name, args, want)? {
            return Ok(ty);
        }
        let generics = generics.iter().map(|ty| self.declare(ty())).collect();
        let named = Named {
            name,
            syntax,
            generics,
            owner: None,
        };
        let mut args = arguments(args);
        if let Some(receiver) = args.first_mut() {
            let ty = self.argument(receiver)?;
            self.learn_head(ty)?;
            receiver.ty = Some(ty);
        }
        if let Some(ty) = self.try_method(key(expr), at, &named, &mut args, want)? {
            return Ok(ty);
        }
        self.check_arguments(&mut args)?;
        let wait = Wait::Method(named, args);
        Ok(self.or_wait(at, key(expr), None, wait))
    }
    /// Functions of std that the macro writes as methods although they are not, such as `mem::swap`.
    fn free_function(
        &mut self,
        key: usize,
        at: At,
        name: &str,
        args: &'static [Expr],
        want: Option<Ty>,
    ) -> Result<Option<Ty>> {
        Ok(Some(match (name, args) {
            ("mem::swap", [a, b]) => {
                let a = self.expr(a, None)?;
                self.coerce_expr(b, a)?;
                Ty::UNIT
            }
            ("mem::replace", [place, value]) => {
                let content = self.replaced(place, at)?;
                self.coerce_expr(value, content)?;
                content
            }
            ("mem::take", [place]) => self.replaced(place, at)?,
            ("drop", [value]) => {
                self.expr(value, None)?;
                Ty::UNIT
            }
            ("stop_gradient" | "identity", [value]) => self.expr(value, want)?,
            ("__value_and_gradient", [_, _]) | ("__value_and_derivative", [_, _, _]) => {
                self.value_and_derivative(key, at, args)?
            }
            _ => match stdlib::function(name) {
                Some(source) => {
                    let call = self.call(source, Vec::new(), None, at);
                    self.finish_call(key, at, call, &arguments(args), want)?
                }
                None => return Ok(None),
            },
        }))
    }
    /// The type of the value that `mem::replace` returns. Behind a reference, a `Box<dyn Trait>` cannot be distinguished from the value inside.
    fn replaced(&mut self, place: &'static Expr, at: At) -> Result<Ty> {
        let ty = self.expr(place, None)?;
        let known = self.learn_head(ty)?;
        match (known, &place.kind) {
            (Ty::Dyn(_), ExprKind::Ref(true, _)) => Ok(known),
            (Ty::Dyn(_), _) => self.refuse(
                at,
                format!("a `Box<{known}>` behind a reference cannot be replaced here"),
                "give the function the struct that holds the box, and write `std::mem::replace(&mut holder.field, …)`",
            ),
            _ => self.content(ty, at),
        }
    }
    /// The type of the pointee of a `&mut`.
    fn content(&mut self, ty: Ty, at: At) -> Result<Ty> {
        match self.learn_head(ty)? {
            Ty::Mut(&content) => Ok(content),
            known if self.types.is_slice(known) => Ok(known),
            _ => {
                let ty = self.types.describe(ty);
                self.bug(at, format!("expected a `&mut`, found {ty}"))
            }
        }
    }

    /// Decides a method call if the type of the receiver is known.
    pub fn try_method(
        &mut self,
        key: usize,
        at: At,
        named: &Named,
        args: &mut [Arg],
        want: Option<Ty>,
    ) -> Result<Option<Ty>> {
        let name = named.name;
        let Some(receiver) = args.first_mut() else {
            return self.bug(at, format!("`{name}` has no receiver"));
        };
        let receiver = self.argument(receiver)?;
        let mut ty = self.types.head(receiver);
        let (mut derefs, mut unsize) = (0, false);
        let expr = args.first().and_then(|arg| arg.expr);
        let mut seen =
            AutorefStep::of_ref_kind(expr.map_or(RefKind::Unknown, |expr| self.ref_kind_of(expr)));
        loop {
            if self.types.is_unknown(ty) {
                return Ok(None);
            }
            ty = self.index_literal(name, ty);
            let is_meant = named
                .owner
                .is_none_or(|owner| self.types.could_be(owner, ty));
            let found = match is_meant {
                true => self.find(at, named, ty, seen, args, want)?,
                false => None,
            };
            if let Some(found) = found {
                return self.choose(
                    key,
                    at,
                    ty,
                    ChosenMethod {
                        derefs,
                        unsize,
                        kind: MethodKind::Rule(Symbol::new(name)),
                    },
                    found,
                    args,
                    want,
                );
            }
            (ty, seen) = match ty {
                Ty::Mut(&content) => (self.types.head(content), AutorefStep::ByMutRef),
                Ty::Boxed(&content) => (self.types.head(content), AutorefStep::Unknown),
                Ty::Vec(&element) | Ty::List(&element, _) | Ty::OpenList(&element, _) => {
                    unsize = true;
                    (Ty::slice_mut(element), AutorefStep::Unknown)
                }
                _ => match self.deref(ty, at)? {
                    Some(target) => (target, AutorefStep::Unknown),
                    None => break,
                },
            };
            derefs += u32::from(!unsize);
        }
        // The receiver is a literal, or the arguments may have several types.
        let all: Vec<Ty> = args
            .iter_mut()
            .map(|arg| self.argument(arg))
            .collect::<Result<_>>()?;
        if self.types.is_literal(ty) || all.iter().any(|&ty| self.types.is_open(ty)) {
            return Ok(None);
        }
        let types: Vec<Ty> = all.iter().map(|&ty| self.types.finish(ty)).collect();
        let types: Vec<Ty> = types.iter().map(|&ty| self.peel(ty)).collect();
        let span = self.span(at);
        if ty == Ty::Str {
            return self.refuse(
                at,
                format!("`{name}` of text is not supported: differentiable functions pass text on, return and compare it, but do not compute with it"),
                "write literals, or make the text outside; to tell cases apart use an enum instead of text",
            );
        }
        if matches!(ty, Ty::Array(_)) && inherent::inherent(ty, false, name).is_some() {
            if let Some((reason, help)) = super::not_inside(name) {
                return self.refuse(
                    at,
                    format!("`{name}` of arrays is not supported: {reason}"),
                    help,
                );
            }
            let types: Vec<String> = types.iter().map(Ty::to_string).collect();
            return self.bug(at, format!("`{name}` does not take ({})", types.join(", ")));
        }
        Err(self.here().blamed(no_such_function(name, &types, span)))
    }

    /// The type of the pointee, for a type of the program that implements `Deref`.
    pub fn deref(&mut self, ty: Ty, at: At) -> Result<Option<Ty>> {
        let Ty::Adt(adt, _) = ty else {
            return Ok(None);
        };
        if !adt.derefs {
            return Ok(None);
        }
        let wanted = self.types.finish(ty);
        let mut known = self.instances[self.frame.instance].facts.derefs.iter();
        if let Some(deref) = known.find(|deref| self.types.finish(deref.ty) == wanted) {
            return Ok(Some(self.types.head(deref.target)));
        }
        let Some((shared, target)) = self.deref_call("deref", "Deref", ty, at)? else {
            return Ok(None);
        };
        let by_mut = self.deref_call("deref_mut", "DerefMut", ty, at)?;
        self.facts().derefs.push(super::Deref {
            ty,
            target,
            shared,
            by_mut: by_mut.map(|(key, _)| key),
        });
        Ok(Some(self.types.head(target)))
    }
    fn deref_call(
        &mut self,
        name: &str,
        of_trait: &str,
        ty: Ty,
        at: At,
    ) -> Result<Option<(usize, Ty)>> {
        let mut all = self.candidates(name);
        all.retain(|method| method.is_of_std(of_trait));
        for method in all {
            if method.receiver != Receiver::None
                && let Some((call, _)) = self.method_call(method, ty, &[], at)
            {
                let args = self.with_receiver(&call, &[Arg::of(ty)]);
                // The surface tree has no node for this call.
                let key = self.dynamic.new_key();
                let target = self.finish_call(key, at, call, &args, None)?;
                return Ok(Some((key, self.peel(target))));
            }
        }
        Ok(None)
    }
    /// A literal is a `usize` if it is an argument of a method that the library has only for `usize`, as in `x.get(1)`.
    fn index_literal(&mut self, name: &str, ty: Ty) -> Ty {
        if self.types.is_literal(ty) {
            let source = stdlib::method(name, Ty::USIZE);
            let takes = source
                .and_then(|source| source.params.first())
                .map(|param| (param.ty)());
            if takes == Some(Ty::USIZE) {
                self.types.attempt(|u| u.unify(ty, Ty::USIZE));
            }
        }
        self.types.head(ty)
    }
    /// The meaning of a method name for a type: first the methods of the program, then the built-in ones, then those of the library, then those of packs.
    fn find(
        &mut self,
        at: At,
        named: &Named,
        ty: Ty,
        seen: AutorefStep,
        args: &mut [Arg],
        want: Option<Ty>,
    ) -> Result<Option<Found>> {
        let (name, generics) = (named.name, &named.generics[..]);
        if let Ty::Dyn(Dyn::Trait(of)) = ty {
            if let Some(method) = crate::resolve::candidates::declared(&self.methods, of, name) {
                self.check_forwarded(method, at)?;
            }
            let own = self.trait_method(of, name, ty, at).map(Found::Dispatch);
            // A reference or an `Rc` is copied. A `Box` has no `clone`, or one that the program implements, which is refused later.
            let copy = (name == "clone").then_some(Found::Builtin(Builtin::Clone));
            return Ok(own.or(copy));
        }
        if let Some((call, by_mut)) = self.program_method(named, ty, seen, args, at)? {
            self.check_own_call(&call, ty, at)?;
            return Ok(Some(Found::Method(call, by_mut)));
        }
        // For a type without `Clone`, `clone` clones the pointee; for a reference to an `Rc` or a reference, it copies the pointer.
        let clones = matches!(name, "clone" | "to_owned");
        if let Ty::Adt(adt, _) = ty
            && clones
            && adt.derefs
            && !adt.is_clone
        {
            let receiver = args.first().and_then(|arg| arg.expr);
            return match receiver.map(|expr| self.ref_kind_of(expr)) {
                Some(RefKind::Value) => Ok(None),
                Some(ref_kind) if ref_kind.is_reference() && name == "clone" => {
                    Ok(Some(Found::Builtin(Builtin::Identity)))
                }
                _ => self.refuse(
                    at,
                    format!(
                        "ambiguous `.clone()`: of the pointer, or of the `{}` behind it?",
                        adt.name
                    ),
                    "write `Rc::clone(&x)`, or clone the field",
                ),
            };
        }
        if let Some(found) = self.types.builtin(name, ty) {
            return Ok(Some(Found::Builtin(found)));
        }
        if let Some(found) = self.total(at, name, ty, generics, want)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.library_method(at, name, ty, generics, want) {
            return Ok(Some(found));
        }
        Ok(self.method_of_std(named, ty))
    }
    /// The row that the language itself means by a method of a float or an array: one of its inherent methods, or an operator by the name of its trait's
    /// method. Every other name belongs to the program, whatever packs call their rows.
    fn method_of_std(&self, named: &Named, ty: Ty) -> Option<Found> {
        let Named { name, syntax, .. } = *named;
        let is_float = ty.scalar().is_some_and(Type::is_float) || self.types.is_float_literal(ty);
        let is_array = matches!(ty, Ty::Array(_));
        if OPERATORS.contains(&name) && syntax.may_be_operator() && (is_float || is_array) {
            let symbol = Symbol::new(name);
            return Some(match is_array {
                true => Found::Lifted(symbol),
                false => Found::Rule(symbol),
            });
        }
        if syntax.of().is_some() || matches!(syntax, CallSyntax::StdTraitPath(_)) {
            return None;
        }
        if is_array {
            return inherent::array_method(name).map(|method| match method {
                inherent::ArrayMethod::Elementwise(symbol) => Found::Lifted(symbol),
                inherent::ArrayMethod::Operation(symbol) => Found::Rule(symbol),
            });
        }
        if let Some(row) = inherent::slice_method(name).filter(|_| self.types.is_slice(ty)) {
            return Some(Found::Rule(row));
        }
        let symbol = Symbol::new(name);
        let is_own = is_float && inherent::inherent(ty, true, name).is_some();
        (is_own && !self.registry.named(symbol).is_empty()).then_some(Found::Rule(symbol))
    }

    /// Looks for a method of the library.
    fn library_method(
        &mut self,
        at: At,
        name: &str,
        ty: Ty,
        generics: &[Ty],
        want: Option<Ty>,
    ) -> Option<Found> {
        let receiver = self.types.finish(ty);
        let wanted = generics.first().copied().or(want);
        let collected = wanted.filter(|&ty| match name {
            "collect" => true,
            "sum" | "product" => self.types.head(ty).is_try(),
            _ => false,
        });
        let source = match collected {
            Some(wanted) => stdlib::collect(name, receiver, self.types.head(wanted)),
            None if name == "collect" => stdlib::collect(name, receiver, Ty::UNIT),
            None => stdlib::method(name, receiver),
        }?;
        let mut given: Vec<Ty> = (0..source.generics).map(|_| self.types.fresh()).collect();
        let written = generics.iter().rev().filter(|_| collected.is_none());
        for (slot, &ty) in given.iter_mut().rev().zip(written) {
            *slot = ty;
        }
        let call = self.call(source, given, None, at);
        let is_place = |ty: Ty| matches!(ty, Ty::Mut(_) | Ty::SliceMut(_));
        let by_mut = source
            .params
            .first()
            .is_some_and(|param| is_place((param.ty)()));
        let place = if by_mut { Ty::mutable(ty) } else { ty };
        let &first = call.params.first()?;
        let fits = self.types.attempt(|u| {
            if let Some(wanted) = collected {
                u.unify(call.ret, wanted)?;
            }
            u.unify(first, place)
        });
        fits.map(|()| Found::Method(call, by_mut && !matches!(place, Ty::SliceMut(_))))
    }

    #[allow(clippy::too_many_arguments, reason = "they are what a method call is")]
    fn choose(
        &mut self,
        key: usize,
        at: At,
        ty: Ty,
        mut chosen: ChosenMethod,
        found: Found,
        args: &mut [Arg],
        want: Option<Ty>,
    ) -> Result<Option<Ty>> {
        let ret = match found {
            Found::Builtin(builtin) => {
                chosen.kind = MethodKind::Builtin(builtin);
                match self.apply(key, at, ty, builtin, args, want)? {
                    Some(ty) => ty,
                    None => return Ok(None),
                }
            }
            Found::Method(call, by_mut) => {
                chosen.kind = MethodKind::Call(by_mut);
                let args: Vec<Arg> = self.with_receiver(&call, args);
                self.finish_call(key, at, call, &args, want)?
            }
            Found::Dispatch(call) => {
                chosen.kind = MethodKind::Dispatch;
                self.dynamic.called(ty, Some(call.source.name));
                self.pass(&args[1..], &call.params[1..], at)?;
                call.ret
            }
            Found::Rule(row) => {
                chosen.kind = MethodKind::Rule(row);
                let mut args = self.dereferenced(ty, args)?;
                match self.rule(at, row, &mut args, want)? {
                    Some(ty) => ty,
                    None => return Ok(None),
                }
            }
            Found::Later => return Ok(None),
            Found::Lifted(row) => {
                chosen.kind = MethodKind::Lifted(row);
                let mut args = self.dereferenced(ty, args)?;
                match self.lifted(at, row, &mut args, want)? {
                    Some(ty) => ty,
                    None => return Ok(None),
                }
            }
        };
        self.facts().methods.insert(key, chosen);
        Ok(Some(ret))
    }
    /// Checks the arguments. A receiver whose type implements `Deref` counts as its pointee.
    fn dereferenced(&mut self, ty: Ty, args: &mut [Arg]) -> Result<Vec<Arg>> {
        self.check_arguments(args)?;
        let mut args = args.to_vec();
        if let (Some(first), Ty::Scalar(_) | Ty::Array(_)) = (args.first_mut(), ty) {
            first.ty = Some(ty);
        }
        Ok(args)
    }
    /// The arguments, where the receiver has the type that the function takes. Elaboration writes out the derefs and borrows.
    pub fn with_receiver(&self, call: &Call, args: &[Arg]) -> Vec<Arg> {
        let mut args = args.to_vec();
        if let (Some(first), Some(&ty)) = (args.first_mut(), call.params.first()) {
            first.ty = Some(ty);
        }
        args
    }

    /// The types of the arguments and of the result of a built-in method.
    fn apply(
        &mut self,
        key: usize,
        at: At,
        ty: Ty,
        builtin: Builtin,
        args: &mut [Arg],
        want: Option<Ty>,
    ) -> Result<Option<Ty>> {
        let (receiver, args) = match args.split_first_mut() {
            Some((receiver, args)) => (receiver.expr, args),
            None => (None, args),
        };
        let element = self.types.element(ty).unwrap_or(Ty::UNIT);
        let content = match ty {
            Ty::Cell(&content, _) | Ty::Boxed(&content) => content,
            Ty::Adt(_, arguments) => arguments.first().copied().unwrap_or(Ty::UNIT),
            _ => Ty::UNIT,
        };
        let (params, ret) = match builtin {
            Builtin::Intrinsic(intrinsic) => {
                let (count, ret) = signature(intrinsic, ty.scalar().unwrap_or(Type::I32));
                let ret = if ty.scalar().is_some() { ret } else { ty };
                (vec![ty; count], ret)
            }
            Builtin::Identity | Builtin::Copied | Builtin::Clone => (vec![], ty),
            Builtin::Compare(total) => {
                let ordering = Ty::adt(&ORDERING, &[]);
                (
                    vec![ty],
                    if total {
                        ordering
                    } else {
                        Ty::option(ordering)
                    },
                )
            }
            Builtin::Len => (vec![], Ty::USIZE),
            Builtin::Push => (vec![element], Ty::UNIT),
            Builtin::Pop => (vec![], Ty::option(element)),
            Builtin::Truncate => (vec![Ty::USIZE], Ty::UNIT),
            Builtin::Clear => (vec![], Ty::UNIT),
            Builtin::AsSlice => (vec![], Ty::slice_mut(element)),
            Builtin::Content | Builtin::Get => (vec![], content),
            Builtin::ContentMut => (vec![], Ty::mutable(content)),
            Builtin::Set => (vec![content], Ty::UNIT),
            Builtin::Replace => match ty {
                Ty::Cell(_, _) => (vec![content], content),
                _ => (vec![content], ty),
            },
            Builtin::Take => (
                vec![],
                if matches!(ty, Ty::Cell(_, _)) {
                    content
                } else {
                    ty
                },
            ),
            Builtin::IsVariant(_) => (vec![], Ty::BOOL),
            Builtin::Unwrap(variant) => (vec![], payload(ty, variant)),
            Builtin::Expect(variant) => (vec![Ty::Str], payload(ty, variant)),
            Builtin::AsMut => (vec![], Ty::option(Ty::mutable(content))),
            Builtin::AsDeref(by_mut) => {
                let inner = match self.learn_head(content)? {
                    Ty::Boxed(&inner) if by_mut => Ty::mutable(inner),
                    Ty::Boxed(&inner) => inner,
                    Ty::Vec(&element) => Ty::slice_mut(element),
                    known if by_mut => Ty::mutable(known),
                    known => known,
                };
                (vec![], Ty::option(inner))
            }
            Builtin::Prepare => (vec![Ty::USIZE], Ty::UNIT),
            Builtin::Put => (vec![Ty::USIZE, element], Ty::UNIT),
            Builtin::FilledWith => {
                let length = match ty {
                    Ty::List(_, count) => Ty::Const(count as i64),
                    Ty::OpenList(_, &length) => length,
                    _ => return self.bug(at, "`filled_with` of what is no list"),
                };
                let element = self.types.fresh();
                (vec![element], Ty::list_of(element, length))
            }
            Builtin::MapArray => return self.map_array(key, at, ty, args),
            Builtin::Into => {
                let Some(want) = want.filter(|&ty| !self.types.is_unknown(ty)) else {
                    return Ok(None);
                };
                let from = self.peel(ty);
                let numbers = from.scalar().is_some() && self.types.head(want).scalar().is_some();
                if !numbers && self.types.attempt(|u| u.unify(from, want)).is_none() {
                    self.convert(key, at, receiver, from, want)?;
                }
                (vec![], want)
            }
        };
        self.pass(args, &params, at)?;
        // The value read has the type of the content.
        Ok(Some(self.types.head(ret)))
    }
    /// `array.map(f)`, `array.map2(&other, f)`
    fn map_array(&mut self, key: usize, at: At, array: Ty, args: &mut [Arg]) -> Result<Option<Ty>> {
        let Some((function, others)) = args.split_last_mut() else {
            return self.bug(at, "`map` takes a function");
        };
        // The library also passes numbers as the other arguments.
        let mut elements = vec![self.types.element(array).unwrap_or(Ty::UNIT)];
        for other in others {
            let ty = self.argument(other)?;
            elements.push(match self.peel(ty) {
                Ty::Array(&element) => self.types.head(element),
                number if self.types.is_unknown(number) => return Ok(None),
                number => number,
            });
        }
        let function = self.argument(function)?;
        let mut args: Vec<Arg> = { elements.into_iter() }.map(Arg::of).collect();
        Ok(self
            .try_call_value(key, at, function, &mut args, None)?
            .map(Ty::array))
    }

    /// A function of a pack or of the host. The types of the arguments decide which row is meant.
    fn rule(
        &mut self,
        at: At,
        name: Symbol,
        args: &mut [Arg],
        want: Option<Ty>,
    ) -> Result<Option<Ty>> {
        let mut types = Vec::new();
        for arg in args {
            let ty = self.argument(arg)?;
            types.push(self.peel(ty));
        }
        let op = HostOp::from_name(name.as_str());
        if let (Some(op), Some(&(Ty::Slice(&element) | Ty::SliceMut(&element)))) =
            (op.filter(|op| op.is_of_memory()), types.first())
        {
            return self.memory_op(at, op, element, &types[1..]).map(Some);
        }
        if let Some(op) = op.filter(|_| types.iter().any(|ty| matches!(ty, Ty::Array(_)))) {
            return self.host_op(at, op, &types, want);
        }
        self.candidate(at, name, &types)
    }
    /// An operation of the host on a slice of elements of this type, and on arrays of them.
    fn memory_op(&mut self, at: At, op: HostOp, element: Ty, arrays: &[Ty]) -> Result<Ty> {
        if self.types.finish(element) == Ty::Scalar(Type::F16) {
            let (message, help) = super::ONLY_STORED;
            return self.refuse(at, message, help);
        }
        let array = Ty::array(element);
        for &given in arrays {
            self.unify(given, array, at)?;
        }
        Ok(match op {
            HostOp::FromSlice => array,
            _ => Ty::UNIT,
        })
    }
    fn host_op(
        &mut self,
        at: At,
        op: HostOp,
        types: &[Ty],
        want: Option<Ty>,
    ) -> Result<Option<Ty>> {
        for &ty in &types[1..] {
            match ty {
                // Axes and extents.
                Ty::Tuple(fields) => fields
                    .iter()
                    .try_for_each(|&field| self.unify(field, Ty::USIZE, at))?,
                Ty::List(&element, _) => self.unify(element, Ty::USIZE, at)?,
                Ty::Array(&element) if op == HostOp::Gather => {
                    self.unify(element, Ty::Scalar(Type::U32), at)?
                }
                // `a.matmul(&Array::eye(n))`. An index and what it is for have nothing in common.
                Ty::Array(&element)
                    if self.types.is_unknown(element) && op != HostOp::IndexAlong =>
                {
                    self.unify(ty, types[0], at)?
                }
                _ if self.types.is_literal(ty) && op != HostOp::FullLike => {
                    self.unify(ty, Ty::USIZE, at)?
                }
                _ => {}
            }
        }
        let types: Vec<Ty> = types.iter().map(|&ty| self.types.finish(ty)).collect();
        if types.iter().any(|&ty| self.types.is_open(ty)) {
            return self.learn_element(at, op, &types, want).map(|()| None);
        }
        let given = types.clone();
        match rule_types(&types).and_then(|types| op.result(&types)) {
            Some(ret) => Ok(Some(result_type(&given, ret))),
            None if matches!(given[0], Ty::Array(Ty::Scalar(Type::F16))) => {
                let (message, help) = super::ONLY_STORED;
                self.refuse(at, message, help)
            }
            None => {
                let types: Vec<String> = types.iter().map(Ty::to_string).collect();
                self.bug(
                    at,
                    format!("`{}` does not take ({})", op.name(), types.join(", ")),
                )
            }
        }
    }
    /// What can be said of an operation on an array whose element type is not known yet, as in `let mut h = Array::zeros([n])`: that type, if the other
    /// arguments leave one, and the type of the result, if it is the same array or does not depend on the elements. The operation itself waits.
    fn learn_element(&mut self, at: At, op: HostOp, types: &[Ty], want: Option<Ty>) -> Result<()> {
        let mut elements = types.iter().filter_map(|&ty| match ty {
            Ty::Array(&element) if self.types.is_open(element) => Some(element),
            _ => None,
        });
        let Some(unknown) = elements.next() else {
            return Ok(());
        };
        let numbers = [Type::F32, Type::F64, Type::F16, Type::I32, Type::U32];
        let mut all: Vec<Ty> = numbers.map(Ty::Scalar).to_vec();
        all.push(Ty::BOOL);
        all.retain(|&element| self.types.could_be(unknown, element));
        let result = |element: Ty| -> Option<Ty> {
            let known = types.iter().map(|&ty| match ty {
                Ty::Array(&open) if open == unknown => Ty::array(element),
                ty => ty,
            });
            let known: Vec<Ty> = known.collect();
            if known.iter().any(|&ty| self.types.is_open(ty)) {
                return None;
            }
            let ret = op.result(&rule_types(&known)?)?;
            Some(result_type(&known, ret))
        };
        let possible: Vec<(Ty, Ty)> = { all.into_iter() }
            .filter_map(|element| Some((element, result(element)?)))
            .collect();
        let &[(element, ret), ref others @ ..] = &possible[..] else {
            return Ok(());
        };
        if others.is_empty() {
            return self.unify(unknown, element, at);
        }
        let is_same_array = possible
            .iter()
            .all(|&(element, ret)| ret == Ty::array(element));
        let ret = match is_same_array {
            true => Ty::array(unknown),
            false if others.iter().all(|&(_, other)| other == ret) => ret,
            false => return Ok(()),
        };
        if let Some(want) = want {
            self.types.attempt(|u| u.unify(want, ret));
        }
        Ok(())
    }
    /// A scalar function that is applied to every element.
    fn lifted(
        &mut self,
        at: At,
        name: Symbol,
        args: &mut [Arg],
        want: Option<Ty>,
    ) -> Result<Option<Ty>> {
        let mut elements = Vec::new();
        for arg in args {
            let ty = self.argument(arg)?;
            let ty = self.peel(ty);
            elements.push(match ty {
                Ty::Array(&element) => self.types.head(element),
                _ => ty,
            });
        }
        if scalar_primitive(name.as_str()).is_some() {
            for &other in &elements[1..] {
                self.unify(other, elements[0], at)?;
            }
            return Ok(Some(Ty::array(elements[0])));
        }
        let found = self.candidate(at, name, &elements)?;
        // Which row is meant is open, but most give numbers of the type that they take.
        let keeps_type = |entry: &Arc<Entry>| entry.params.first() == Some(&entry.ret);
        if let (None, Some(want)) = (found, want)
            && self.registry.named(name).iter().all(keeps_type)
        {
            let ret = Ty::array(elements[0]);
            self.types.attempt(|u| u.unify(want, ret));
        }
        Ok(found.map(Ty::array))
    }
    /// The row of this name that takes arguments of these types. A choice between `f32` and `f64` stays open until the types of the arguments are known.
    fn candidate(&mut self, at: At, name: Symbol, types: &[Ty]) -> Result<Option<Ty>> {
        let mut found = Vec::new();
        for entry in self.registry.named(name) {
            let params: Option<Vec<Ty>> = entry
                .params
                .iter()
                .map(|&ty| Some(language_type(ty)))
                .collect();
            let params = params.unwrap_or_default();
            if params.len() == types.len()
                && types
                    .iter()
                    .zip(&params)
                    .all(|(&a, &b)| self.types.could_be(a, b))
            {
                found.push((params, language_type(entry.ret)));
            }
        }
        match &found[..] {
            [(params, ret)] => {
                for (&ty, &param) in types.iter().zip(params) {
                    self.unify(ty, param, at)?;
                }
                Ok(Some(*ret))
            }
            [] => {
                let types: Vec<Ty> = types.iter().map(|&ty| self.types.finish(ty)).collect();
                if types
                    .iter()
                    .any(|&ty| self.types.is_unknown(ty) || self.types.is_literal(ty))
                {
                    return Ok(None);
                }
                let error = no_such_function(name.as_str(), &types, self.span(at));
                Err(self.here().blamed(error))
            }
            _ => Ok(None),
        }
    }

    /// `Type::name(args)`
    #[allow(clippy::too_many_arguments, reason = "they are what such a call is")]
    pub fn associated(
        &mut self,
        expr: &'static Expr,
        written: Ty,
        of: Option<tree::WrittenTrait>,
        name: &'static str,
        generics: &'static [tree::TyFn],
        args: &'static [Expr],
        want: Option<Ty>,
    ) -> Result<Ty> {
        let (at, key) = (expr.at, key(expr));
        let syntax = self.path_syntax(written, of, name);
        let owner = self.declare(written);
        let generics: Vec<Ty> = generics.iter().map(|ty| self.declare(ty())).collect();
        let list = arguments(args);
        // `Default::default()`
        let owner = match want {
            Some(want) if name == "default" && self.types.is_unknown(owner) => want,
            _ => owner,
        };
        // `Vec::from(list)`
        let written_name = name;
        let name = match self.types.head(owner) {
            Ty::Vec(_) if name == "from" => "to_vec",
            _ => name,
        };
        // `Rc::new`: an erased type is no type of the program.
        let mut all = self.functions_of(owner, syntax, name, at)?;
        if all.is_empty() {
            self.check_plain(syntax, name, owner, at)?;
        }
        all.retain(|method| {
            method.receiver == Receiver::None && (method.source)().params.len() == args.len()
        });
        if !all.is_empty() {
            let mut list = list;
            // std implements `f64::from` beside the implementations of the program.
            let std = match self.types.head(owner) {
                Ty::Scalar(to) if name == "from" => Some(to),
                _ => None,
            };
            let method = match all[..] {
                [method] if std.is_none() => method,
                _ => match (
                    self.overload(&all, owner, None, &mut list, at)?,
                    std,
                    &list[..],
                ) {
                    (Overload::One(method), ..) => method,
                    (
                        Overload::Other,
                        Some(to),
                        &[
                            Arg {
                                ty: Some(found), ..
                            },
                        ],
                    ) => {
                        self.facts().constructors.insert(key, Constructor::Number);
                        return Ok(self.number_from(found, to));
                    }
                    _ => return self.undecided(at, name),
                },
            };
            let given = self.owner_arguments(method, owner, &generics);
            let call = self.call((method.source)(), given.unwrap_or_default(), None, at);
            return self.finish_call(key, at, call, &list, want);
        }
        // `Self::A`, where `Self` depends on type parameters.
        if let (Ty::Adt(adt, _), []) = (self.types.head(owner), args)
            && adt.is_enum
            && let Some((variant, _)) = find_variant(adt, Some(name))
        {
            self.hint(owner, want);
            let constructor = Constructor::Variant(variant);
            self.facts().constructors.insert(key, constructor);
            return Ok(owner);
        }
        let mut list = list;
        if let Some(ty) = self.array_function(key, at, owner, name, &mut list, want)? {
            return Ok(ty);
        }
        if let Some((constructor, ty)) = self.constructor(at, owner, name, args, &list, want)? {
            self.facts().constructors.insert(key, constructor);
            return Ok(ty);
        }
        if args.is_empty() {
            let help = super::advice(Some(self.types.head(owner)));
            let owner = self.types.describe(owner);
            return self.refuse(at, format!("nothing defines `{name}` for {owner}"), help);
        }
        // `Rc::clone(&x)` shares the value. `T::clone(&x)` names a type that is known.
        let is_shared = name == "clone" && self.types.is_unknown(owner);
        // A method that is called by its path.
        let found = match owner {
            Ty::Dyn(_) => self.expr(&args[0], None)?,
            _ if matches!(owner, Ty::Scalar(_)) && name == "try_from" => {
                let given = self.expr(&args[0], None)?;
                let given = self.types.finish(given);
                return Err(no_such_function(name, &[given], self.span(at)));
            }
            _ if matches!(owner, Ty::Scalar(_)) => {
                self.coerce_expr(&args[0], owner)?;
                owner
            }
            _ => self.expr(&args[0], Some(owner))?,
        };
        list[0].ty = Some(found);
        if is_shared {
            let mut ty = self.learn_head(found)?;
            let mut derefs = 0;
            while let Ty::Mut(&content) = ty {
                ty = self.types.head(content);
                derefs += 1;
            }
            let kind = MethodKind::Builtin(Builtin::Identity);
            let chosen = ChosenMethod {
                derefs,
                unsize: false,
                kind,
            };
            self.facts().methods.insert(key, chosen);
            return Ok(ty.counted());
        }
        let is_told =
            name == written_name && !matches!(owner, Ty::Dyn(_)) && !self.types.is_unknown(owner);
        let named = Named {
            name,
            syntax,
            generics,
            owner: is_told.then_some(owner),
        };
        match self.try_method(key, at, &named, &mut list, want)? {
            Some(ty) => Ok(ty),
            None => {
                self.check_arguments(&mut list)?;
                Ok(self.or_wait(at, key, None, Wait::Method(named, list)))
            }
        }
    }
    /// `f64::from(x)` of a number.
    fn number_from(&mut self, found: Ty, to: Type) -> Ty {
        let found = self.peel(found);
        if self.types.is_literal(found) {
            self.types.attempt(|u| u.unify(found, Ty::Scalar(to)));
        }
        Ty::Scalar(to)
    }
    /// The functions of `Array` in the library: `from_vec`, and `zeros` and similar ones if the shape is a slice or a vector.
    fn array_function(
        &mut self,
        key: usize,
        at: At,
        owner: Ty,
        name: &str,
        args: &mut [Arg],
        want: Option<Ty>,
    ) -> Result<Option<Ty>> {
        let (Ty::Array(&element), Some(source)) =
            (self.types.head(owner), stdlib::array_function(name))
        else {
            return Ok(None);
        };
        if args.len() != source.params.len() {
            return Ok(None);
        }
        self.hint(owner, want);
        let first = self.argument(&mut args[0])?;
        let first = self.peel(first);
        match self.types.head(first) {
            Ty::Vec(&number) if name == "from_vec" => {
                self.unify(number, element, at)?;
            }
            Ty::Slice(_) | Ty::SliceMut(_) | Ty::Vec(_) => {}
            _ => return Ok(None),
        }
        let call = self.call(source, Vec::new(), None, at);
        let made = self.finish_call(key, at, call, args, Some(owner))?;
        self.unify(owner, made, at)?;
        Ok(Some(owner))
    }
    /// The shape of a new array: a list of extents, or a single extent.
    fn extents(&mut self, shape: &'static Expr, given: Option<Ty>) -> Result<()> {
        let found = match given {
            Some(found) => found,
            None => self.expr(shape, None)?,
        };
        let found = self.peel(found);
        match self.types.head(found) {
            Ty::List(&extent, _) => self.unify(extent, Ty::USIZE, shape.at),
            found if self.types.is_literal(found) || found == Ty::USIZE => {
                self.unify(found, Ty::USIZE, shape.at)
            }
            found => {
                let found = self.types.finish(found);
                self.refuse(
                    shape.at,
                    format!("an array is made in the shape of a list of extents, not of `{found}`"),
                    "write the extents, `Array::zeros([n, m])`",
                )
            }
        }
    }
    /// The associated functions that a type of std has by itself.
    fn constructor(
        &mut self,
        at: At,
        owner: Ty,
        name: &str,
        args: &'static [Expr],
        list: &[Arg],
        want: Option<Ty>,
    ) -> Result<Option<(Constructor, Ty)>> {
        self.hint(owner, want);
        let given = |n: usize| list.get(n).and_then(|arg: &Arg| arg.ty);
        let head = self.types.head(owner);
        Ok(Some(match (head, name, args) {
            (Ty::Vec(_) | Ty::Str, "new", []) => (Constructor::Default, head),
            (Ty::Str, "from", [value]) => {
                self.coerce_expr(value, Ty::Str)?;
                (Constructor::Same, head)
            }
            (known, "default", []) if !self.types.is_unknown(known) => {
                (Constructor::Default, known)
            }
            (Ty::Vec(_), "with_capacity", [count]) => {
                self.coerce_expr(count, Ty::USIZE)?;
                (Constructor::Capacity, head)
            }
            (Ty::Boxed(&content) | Ty::Cell(&content, _), "new", [value]) => {
                let wanted = match want.map(|ty| self.types.head(ty)) {
                    // A closure that becomes a `dyn` value keeps its type inside the box.
                    Some(want @ Ty::Dyn(_)) => {
                        let found = self.expr(value, Some(want))?;
                        self.unify(content, found, at)?;
                        return Ok(Some((Constructor::Object, head)));
                    }
                    _ => content,
                };
                let found = self.expr(value, Some(wanted))?;
                self.coerce(found, wanted, value.at)?;
                (Constructor::Object, head)
            }
            (Ty::Array(_), "arange" | "eye", [count]) => {
                self.coerce_expr(count, Ty::USIZE)?;
                let made = match name {
                    "arange" => Constructor::Arange,
                    _ => Constructor::Eye,
                };
                (made, head)
            }
            (Ty::Array(_), "zeros" | "ones", [shape]) => {
                self.extents(shape, given(0))?;
                let made = match name {
                    "zeros" => Constructor::Zeros,
                    _ => Constructor::Ones,
                };
                (made, head)
            }
            (Ty::Array(&element), "full", [shape, value]) => {
                self.extents(shape, given(0))?;
                self.coerce_expr(value, element)?;
                (Constructor::Full, head)
            }
            (Ty::Array(&element), "scalar", [value]) => {
                self.coerce_expr(value, element)?;
                (Constructor::Scalar, head)
            }
            // Only the library calls this.
            (Ty::Adt(_, &[content, ..]), "from_output", [value]) if head.is_try() => {
                self.coerce_expr(value, content)?;
                (Constructor::Output, head)
            }
            // `Rc::new(x)`, `Rc::clone(&x)`: `Rc` is erased, so the result has the type of `x`.
            (_, "new", [value]) if !matches!(head, Ty::Adt(..) | Ty::Scalar(_) | Ty::Tuple(_)) => {
                // An unknown type must not be unified with the content of the `Rc`.
                let want = want.map(|want| self.types.head(want));
                let want = want.filter(|&want| !self.types.is_unknown(want));
                let found = self.expr(value, want.map(Ty::uncounted))?;
                let found = self.types.head(found).counted();
                self.unify(owner, found, at)?;
                (Constructor::Same, found)
            }
            (Ty::Scalar(to), "from", [value]) => {
                let found = self.expr(value, None)?;
                (Constructor::Number, self.number_from(found, to))
            }
            (Ty::Scalar(ty), _, []) => match scalar_constant(ty, name) {
                Some(value) => (Constructor::Constant(value), owner),
                None => return Ok(None),
            },
            (
                Ty::Scalar(ty),
                "from_f64" | "from_f32" | "from_usize" | "from_i32" | "from_i64" | "from_u32",
                [value],
            ) if ty.is_float() => {
                let from = match name {
                    "from_f64" => Type::F64,
                    "from_f32" => Type::F32,
                    "from_usize" => Type::Usize,
                    "from_i32" => Type::I32,
                    "from_i64" => Type::I64,
                    _ => Type::U32,
                };
                self.coerce_expr(value, Ty::Scalar(from))?;
                (Constructor::Number, owner)
            }
            (Ty::Scalar(ty), "from_bits", [value]) if ty.is_float() => {
                let (_, bits) = signature(Intrinsic::ToBits, ty);
                self.coerce_expr(value, bits)?;
                (Constructor::FromBits, owner)
            }
            _ => return Ok(None),
        }))
    }
}

/// The type of the only field of a variant.
fn payload(ty: Ty, variant: u32) -> Ty {
    ty.fields(variant).first().map_or(Ty::UNIT, |field| field.1)
}
