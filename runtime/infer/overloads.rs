//! Which function of the program a name means: methods and functions of types and of traits, where several have one name.
//!
//! rustc goes from the type of a receiver to what that refers to, and at each step looks for what takes it by value, by `&` and by `&mut`; a type's own
//! functions come before those of traits, which have to be in scope. Here references are erased, and what is in scope is not known. So where several
//! functions may be meant, the forms of what is written decide if they tell, or all say the same; else the call is refused.

use super::check::Arg;
use super::unify::Unifier;
use super::{Call, Session};
use crate::diag::Result;
use crate::front::float::FLOAT;
use crate::front::tree::{
    self, At, BodyDigest, EmptyImpl, Expr, Method, Receiver, TraitFn, WrittenTrait,
};
use crate::front::ty::{Dyn, Item, RefKind, Trait, Ty, intern};
use crate::ir::Symbol;
use crate::resolve::candidates::{
    AutorefStep, CallSyntax, OF_STD, PRELUDE, declared, has_body, is_of_std, is_one_trait, is_twin,
    retain_fitting_ref_kinds, trait_path,
};
use crate::resolve::inherent;
use crate::stdlib;

/// The name in a method call or path, as it is written.
#[derive(Clone)]
pub struct Named {
    pub name: &'static str,
    pub syntax: CallSyntax,
    pub generics: Vec<Ty>,
    /// The type in front of the name, if one is written.
    pub owner: Option<Ty>,
}

impl Named {
    /// A method that is used as a value.
    pub fn item(name: Symbol, of: Option<&'static Trait>) -> Named {
        Named {
            name: name.as_str(),
            syntax: of.map_or(CallSyntax::Value, CallSyntax::TraitPath),
            generics: Vec::new(),
            owner: None,
        }
    }
}

/// The choice among several functions of one name.
pub enum Overload {
    One(&'static Method),
    /// None of them fits.
    Other,
    /// The types of the arguments are not known well enough yet.
    Later,
}

impl Session<'_> {
    /// The functions of the program that have this name and a body, in the order in which rustc prefers them.
    pub fn candidates(&self, name: &str) -> Vec<&'static Method> {
        let named = self.methods.get(name).into_iter().flatten().copied();
        named.filter(|method| has_body(method)).collect()
    }
    /// How a path names its function: by the type that is written in it, and by the trait of `<T as Trait>::name`, which is told if it is differentiable.
    pub fn path_syntax(&mut self, written: Ty, of: Option<WrittenTrait>, name: &str) -> CallSyntax {
        match (of, written) {
            (Some(WrittenTrait { name, of }), _) => match (of(), written) {
                (Some(of), _) => CallSyntax::TraitPath(of),
                (None, Ty::Param(_)) => CallSyntax::ParameterPath,
                (None, _) => CallSyntax::PlainTraitPath(name),
            },
            (None, Ty::Dyn(Dyn::Trait(of))) => CallSyntax::TraitPath(of),
            (None, Ty::Param(n)) => self.syntax_of_parameter(n, name),
            (None, _) => CallSyntax::TypePath,
        }
    }
    /// Refuses the path of a trait that is not differentiable if no method of the program is meant: what the type has itself is not meant either. Of the
    /// traits of std only inherent methods are refused.
    pub fn check_plain(&mut self, syntax: CallSyntax, name: &str, owner: Ty, at: At) -> Result<()> {
        match syntax {
            CallSyntax::PlainTraitPath(of)
                if !OF_STD.contains(&of) || self.inherent(owner, name).is_some() =>
            {
                self.nothing_defines(name, owner, at)
            }
            _ => Ok(()),
        }
    }
    fn nothing_defines(&mut self, name: &str, owner: Ty, at: At) -> Result<()> {
        let error = super::no_such_function(name, &[self.types.finish(owner)], self.span(at));
        Err(self.here().blamed(error))
    }
    /// A function of a type parameter belongs to the trait among its bounds that declares one of this name; rustc reports it if there are two. Traits that
    /// these bounds imply are not known here, so without such a bound it may belong to any trait.
    fn syntax_of_parameter(&mut self, parameter: u32, name: &str) -> CallSyntax {
        let bounds = self.here().source.bounds.iter();
        let mut bounds = bounds.filter_map(|(n, of)| of().filter(|_| *n == parameter));
        let bound = bounds.find(|of| declared(&self.methods, of, name).is_some());
        bound.map_or(CallSyntax::ParameterPath, CallSyntax::TraitPath)
    }
    /// Finds the method of the program that a call means. `true` in the result: the method takes `&mut self`. `seen`: which autoref step reaches the type
    /// of the receiver.
    pub fn program_method(
        &mut self,
        named: &Named,
        ty: Ty,
        seen: AutorefStep,
        args: &mut [Arg],
        at: At,
    ) -> Result<Option<(Call, bool)>> {
        let Named {
            name,
            syntax,
            generics,
            ..
        } = named;
        // The library uses the types of the program only through the traits of std.
        let in_library = matches!(syntax, CallSyntax::Method | CallSyntax::StdTraitPath(_))
            && stdlib::contains(self.here().source);
        let receiver = args.first().and_then(|arg| arg.expr);
        let parameter = receiver.filter(|_| syntax.is_dot() && !in_library);
        let parameter = parameter.and_then(|expr| self.parameter_of(expr));
        let syntax = match parameter {
            Some(n) => self.syntax_of_parameter(n, name),
            None => *syntax,
        };
        let is_known = |method: &Method| is_of_std(method) || stdlib::contains((method.source)());
        let mut all = self.candidates(name);
        all.retain(|method| {
            method.receiver != Receiver::None
                && syntax.allows(method)
                && (!in_library || is_known(method))
        });
        all.retain(|method| self.could_own(method, ty));
        let (own, traits): (Vec<&'static Method>, Vec<&'static Method>) = all
            .into_iter()
            .partition(|method| method.of_trait.is_empty());
        let taken = match own.first() {
            Some(method) => Some(AutorefStep::of_method(method)),
            None => self.inherent(ty, name).map(AutorefStep::of_receiver),
        };
        if let (CallSyntax::Method | CallSyntax::TypePath | CallSyntax::Value, Some(taken)) =
            (syntax, taken)
        {
            if syntax.is_dot() {
                if own.is_empty() && traits.is_empty() && !in_library {
                    self.check_of_reference(name, ty, seen, at)?;
                }
                let is_own_clone = *name == "clone" && !own.is_empty();
                if is_own_clone && self.is_clone_of_pointer(receiver, at)? {
                    return Ok(None);
                }
                let written = receiver.and_then(|expr| self.written_type(expr));
                let is_argument = written.is_none() && self.is_argument(ty);
                let seen = if is_argument { None } else { Some(seen) };
                self.hides(name, taken, &traits, ty, seen, at)?;
            }
            return match own[..] {
                [] => Ok(None),
                [method] => Ok(self.method_call(method, ty, generics, at)),
                _ => match self.overload(&own, ty, Some(seen), args, at)? {
                    Overload::One(method) => Ok(self.method_call(method, ty, generics, at)),
                    _ => self.undecided(at, name),
                },
            };
        }
        let Some((&method, others)) = traits.split_first() else {
            if let (CallSyntax::ParameterPath, false) = (syntax, in_library) {
                self.check_bounds(name, parameter, ty, at)?;
            }
            self.check_plain(syntax, name, ty, at)?;
            return Ok(None);
        };
        if !in_library {
            self.check_inherent(syntax, name, ty, at)?;
        }
        self.check_forwarded(method, at)?;
        self.check_items(method, ty, at)?;
        if syntax.is_dot() && !in_library {
            self.check_prelude(name, &traits, ty, at)?;
        }
        // It is not known which traits are in scope. But within a default method, its own trait is.
        let mut rest = others.iter().copied();
        let other = rest.find(|&other| self.is_another(method, other, ty));
        match (other, self.trait_around()) {
            (None, _) => {}
            (Some(_), Some(around)) if syntax.of().is_none() => {
                let syntax = CallSyntax::TraitPath(around);
                let named = Named {
                    syntax,
                    ..named.clone()
                };
                return self.program_method(&named, ty, seen, args, at);
            }
            (Some(other), _) => return self.ambiguous_traits(at, name, ty, method, other),
        }
        let all = self.overloads(method, others, ty);
        if all.len() == 1 && !self.is_operator_of_numbers(name, ty) {
            self.check_around(method, at)?;
            return Ok(self.method_call(method, ty, generics, at));
        }
        match self.overload(&all, ty, syntax.is_dot().then_some(seen), args, at)? {
            Overload::One(method) => Ok(self.method_call(method, ty, generics, at)),
            Overload::Other => Ok(None),
            Overload::Later => self.undecided(at, name),
        }
    }
    /// Refuses a method of a float where a trait that is not differentiable gives references to floats a method of the same name. rustc was asked whether
    /// there is one (`Source::of_references`).
    fn check_of_reference(&mut self, name: &str, ty: Ty, seen: AutorefStep, at: At) -> Result<()> {
        let is_float = matches!(self.types.finish(ty), Ty::Scalar(scalar) if scalar.is_float());
        let mut asked = self.here().source.of_references.iter();
        if !is_float
            || seen == AutorefStep::ByValue
            || !asked.any(|&(asked, found)| found && asked == name)
        {
            return Ok(());
        }
        let ty = self.types.describe(ty);
        self.refuse(
            at,
            format!("{ty} has an inherent method `{name}`, and a trait that is not differentiable has another for references: cannot tell which is called"),
            "write `Type::method(x)` for the inherent method; for that of the trait write `#[differentiable]` before the trait and its `impl`, and call \
             `Trait::method(&x)`",
        )
    }
    /// A type parameter has the methods of its bounds. The methods of a bound that is not differentiable are not known, so the call is refused, unless
    /// another bound is `Float`: rustc reports methods of one name.
    fn check_bounds(&mut self, name: &str, parameter: Option<u32>, ty: Ty, at: At) -> Result<()> {
        let bounds = self.here().source.bounds;
        let is_float = |n: u32| { bounds.iter() }.any(|&(m, of)| m == n && of() == Some(&FLOAT));
        let is_unknown = |&(n, of): &(u32, TraitFn)| {
            parameter.is_none_or(|parameter| parameter == n) && of().is_none() && !is_float(n)
        };
        if self.inherent(ty, name).is_none() || !bounds.iter().any(is_unknown) {
            return Ok(());
        }
        self.nothing_defines(name, ty, at)
    }
    /// `into_iter` of an iterator returns the iterator. If references to it have an `into_iter` of their own, erased references do not tell which one is
    /// called.
    fn check_items(&mut self, method: &Method, ty: Ty, at: At) -> Result<()> {
        let is_of_reference = method.ref_kind.is_reference() && method.is_of_std("IntoIterator");
        if !is_of_reference || !stdlib::is_iterator(self.types.finish(ty)) {
            return Ok(());
        }
        let ty = self.types.describe(ty);
        self.refuse(
            at,
            format!("{ty} is an iterator, and references to it have an `IntoIterator` of their own: cannot tell which is called"),
            "write a method that returns the items, and call that",
        )
    }
    /// Whether `x.clone()` clones an `Rc`: its method comes before the one of the pointee.
    fn is_clone_of_pointer(&mut self, receiver: Option<&'static Expr>, at: At) -> Result<bool> {
        match receiver.map(|expr| self.ref_kind_of(expr)) {
            Some(RefKind::Pointer) => Ok(true),
            Some(RefKind::Value | RefKind::Reference) => Ok(false),
            Some(RefKind::Unknown | RefKind::Nested) | None => self.ambiguous(at, "clone"),
        }
    }
    /// Refuses a method of a trait of the program if a trait of std's prelude gives the type a method of the same name: it is not known whether the
    /// program's trait is in scope.
    fn check_prelude(
        &mut self,
        name: &str,
        traits: &[&'static Method],
        ty: Ty,
        at: At,
    ) -> Result<()> {
        let mut others = traits.iter().filter(|method| !is_of_std(method));
        let other = others.find(|method| method.digest != BodyDigest::Forwards);
        match other.filter(|_| self.is_in_prelude(name, ty)) {
            None => Ok(()),
            Some(other) => {
                let (ty, of) = (self.types.describe(ty), trait_path(other));
                self.refuse(
                    at,
                    format!("{ty} has a method `{name}` from a trait of std and another from `{of}`: cannot tell which is called"),
                    "name the trait: `Trait::method(&x)`, or `<T as Trait>::method(&x)`",
                )
            }
        }
    }
    /// Whether a trait of std's prelude gives this type a method of the name.
    fn is_in_prelude(&self, name: &str, ty: Ty) -> bool {
        let ty = self.types.finish(ty);
        match ty {
            _ if stdlib::is_iterator(ty) => stdlib::method(name, ty).is_some(),
            Ty::Adt(adt, _) if !ty.is_try() => adt.is_clone && name == "clone",
            _ => PRELUDE.contains(&name) && self.types.builtin(name, ty).is_some(),
        }
    }
    /// How an inherent method of a type of std takes its receiver.
    fn inherent(&self, ty: Ty, name: &str) -> Option<Receiver> {
        let (is_literal, is_float) = (self.types.is_literal(ty), self.types.is_float_literal(ty));
        match self.types.finish(ty) {
            Ty::Infer(_) if !is_literal => None,
            ty => inherent::inherent(ty, is_float, name),
        }
    }
    /// Checks that an inherent method is found before those of traits, or forwards to the same method. Otherwise the call is refused. `seen` is the autoref
    /// step that reaches the type of the receiver; `None` if its type may be a type parameter, which has no inherent methods.
    fn hides(
        &mut self,
        name: &str,
        own: AutorefStep,
        traits: &[&'static Method],
        ty: Ty,
        seen: Option<AutorefStep>,
        at: At,
    ) -> Result<()> {
        for &other in traits {
            let step = AutorefStep::of_method(other);
            let hidden = seen.is_some_and(|seen| {
                seen.is_probed_before(own, step) || self.takes_no_reference(name, ty)
            });
            if !hidden && other.digest != BodyDigest::Forwards && self.has_method(other, ty) {
                let (ty, of) = (self.types.describe(ty), trait_path(other));
                return self.refuse(
                    at,
                    format!("{ty} has an inherent method `{name}` and another from the trait `{of}`: cannot tell which is called"),
                    "write `Type::method(&x)` for the inherent method, `Trait::method(&x)` for that of the trait",
                );
            }
        }
        Ok(())
    }
    /// Refuses a call that would mean a function of a trait, if the type has an inherent one of the name: rustc calls that one, and its `impl` is not
    /// differentiable.
    fn check_inherent(&mut self, syntax: CallSyntax, name: &str, ty: Ty, at: At) -> Result<()> {
        let ty = self.types.finish(ty);
        let may_be = matches!(
            syntax,
            CallSyntax::Method | CallSyntax::TypePath | CallSyntax::Value
        );
        if !may_be || !matches!(ty, Ty::Adt(..)) || !tree::has_inherent(ty, name) {
            return Ok(());
        }
        self.refuse(
            at,
            format!("this calls `{name}` of an `impl {ty}` that is not differentiable"),
            &format!("write `#[differentiable]` before the `impl {ty}` that has `{name}`; to call the one of a trait, write `Trait::{name}`"),
        )
    }
    /// Whether rustc has found that no trait in scope has a method of this name that takes a reference to a float: then all traits of the program that have
    /// one are out of scope.
    fn takes_no_reference(&mut self, name: &str, ty: Ty) -> bool {
        let is_float = matches!(self.types.finish(ty), Ty::Scalar(scalar) if scalar.is_float());
        is_float && self.here().source.of_references.contains(&(name, false))
    }
    /// Refuses a method of a trait that does nothing but call itself. rustc calls another one: an inherent method of the same name, whose `impl` is not
    /// differentiable.
    pub fn check_own_call(&mut self, call: &Call, ty: Ty, at: At) -> Result<()> {
        let (source, name) = (call.source, call.source.name);
        if !std::ptr::eq(source, self.here().body) {
            return Ok(());
        }
        let mut named = self.methods.get(name).into_iter().flatten();
        let calls_itself = |method: &&Method| {
            std::ptr::eq((method.source)(), source) && method.digest == BodyDigest::Forwards
        };
        match named.any(calls_itself) {
            true => {
                let ty = self.types.finish(ty);
                self.refuse(
                    at,
                    format!("this calls the method `{name}` of the trait, which calls itself for ever"),
                    &format!("if `{ty}` has a method `{name}` of its own, write `#[differentiable]` before its `impl`"),
                )
            }
            false => Ok(()),
        }
    }
    /// Refuses a default method that some type overrides if an `impl` for a pointer does not forward it: for the pointer, the default would run instead
    /// of the method of the pointee.
    pub fn check_forwarded(&mut self, method: &Method, at: At) -> Result<()> {
        let of = match (method.owner)() {
            Ty::Dyn(Dyn::Trait(of)) => Some(*of),
            _ => (method.implements)(),
        };
        let name = (method.source)().name;
        let Some(of) = of.filter(|_| !self.forwarding_impls.is_empty()) else {
            return Ok(());
        };
        let is_of = |held: &tree::ForwardingImpl| match (held.of)() {
            Some(found) => found == of,
            None => held.of_trait == of.name,
        };
        let mut held = self.forwarding_impls.iter().copied();
        let Some(held) = held.find(|held| is_of(held) && !held.methods.contains(&name)) else {
            return Ok(());
        };
        let mut all = self.methods.get(name).into_iter().flatten();
        if !all.any(|m| m.is_of(of) && !m.is_declared_by(of)) {
            return Ok(());
        }
        self.refuse(
            at,
            format!(
                "`impl {}` for a pointer in {} does not forward `{name}`: the trait's default would run, not the method of the value behind the pointer",
                of.name, held.file
            ),
            "write the method in that `impl` too, as a call of the one behind the pointer: `(**self).method(…)`",
        )
    }
    /// An `impl` for a reference does what the `impl` for the pointee does only if its body forwards, or if no default method is involved: an `impl` that
    /// omits the method gets the trait's default and leaves no trace here.
    pub fn check_around(&mut self, method: &Method, at: At) -> Result<()> {
        let name = (method.source)().name;
        let is_told = !method.ref_kind.is_reference() || method.digest == BodyDigest::Forwards;
        let Some(of) = (method.implements)().filter(|_| !is_told) else {
            return Ok(());
        };
        let declared = declared(&self.methods, of, name);
        match declared.is_some_and(has_body) {
            false => Ok(()),
            true => self.ambiguous(at, name),
        }
    }
    /// Whether a type also has a function of this name from another trait.
    fn is_another(&mut self, first: &Method, other: &'static Method, ty: Ty) -> bool {
        !is_one_trait(first, other) && self.has_method(other, ty)
    }
    /// Whether a type is one of the type arguments of the function that is being checked.
    fn is_argument(&self, ty: Ty) -> bool {
        let ty = self.types.finish(ty);
        let mut arguments = self.instances[self.frame.instance].arguments.iter();
        arguments.any(|&argument| self.types.finish(argument) == ty)
    }
    fn ambiguous_traits<T>(
        &mut self,
        at: At,
        name: &str,
        ty: Ty,
        one: &Method,
        other: &Method,
    ) -> Result<T> {
        let ty = self.types.describe(ty);
        // Sorted by name, because the linker decides the order of registration.
        let (a, b) = match (trait_path(one), trait_path(other)) {
            (a, b) if a <= b => (a, b),
            (a, b) => (b, a),
        };
        let what = match one.receiver {
            Receiver::None => "function",
            _ => "method",
        };
        self.refuse(
            at,
            format!("{ty} has a {what} `{name}` from the trait `{a}` and another from `{b}`: cannot tell which is called"),
            "name the trait: `Trait::method(&x)`, or `<T as Trait>::method(&x)`",
        )
    }
    /// The trait whose default method is being checked, if one is.
    fn trait_around(&self) -> Option<&'static Trait> {
        let source = self.instances[self.frame.instance].source;
        let mut named = self.methods.get(source.name)?.iter();
        let method = named.find(|method| std::ptr::eq((method.source)(), source))?;
        (method.implements)().filter(|of| method.is_declared_by(of))
    }
    /// Whether a type may have a method, as far as its type arguments are known.
    pub fn has_method(&mut self, method: &'static Method, ty: Ty) -> bool {
        match (method.owner)() {
            Ty::Dyn(Dyn::Trait(of)) => has_body(method) && self.implements(ty, of),
            _ => {
                let (owner, _) = self.owner_of(method);
                self.types.could_be(owner, ty)
            }
        }
    }
    /// The type of the `impl` of a method, with new unknowns as type arguments.
    fn owner_of(&mut self, method: &Method) -> (Ty, Vec<Ty>) {
        let count = (method.source)().generics;
        let given: Vec<Ty> = (0..count).map(|_| self.types.fresh()).collect();
        (self.types.declare((method.owner)(), &given), given)
    }
    /// The call of a method of a type. `true` in the result: the method takes `&mut self`.
    pub fn method_call(
        &mut self,
        method: &'static Method,
        ty: Ty,
        generics: &[Ty],
        at: At,
    ) -> Option<(Call, bool)> {
        let (source, by_mut) = ((method.source)(), method.receiver == Receiver::Mut);
        if method.receiver == Receiver::None {
            return None;
        }
        let given = self.owner_arguments(method, ty, generics)?;
        let receiver = if by_mut { Ty::mutable(ty) } else { ty };
        Some((self.call(source, given, Some(receiver), at), by_mut))
    }
    /// The type arguments of a method for a type; `None` if the type does not have it.
    pub fn owner_arguments(
        &mut self,
        method: &'static Method,
        ty: Ty,
        generics: &[Ty],
    ) -> Option<Vec<Ty>> {
        let (owner, mut given) = self.owner_of(method);
        match (method.owner)() {
            Ty::Dyn(Dyn::Trait(of)) => {
                let is_type = !matches!(
                    self.types.head(ty),
                    Ty::Mut(_) | Ty::Boxed(_) | Ty::Infer(_)
                );
                if !is_type || !self.implements(ty, of) {
                    return None;
                }
                // `Self` is the first type parameter of a trait.
                if let Some(own) = given.first_mut() {
                    *own = ty;
                }
            }
            _ if !self.could_own(method, ty) => return None,
            _ => self.types.attempt(|u| u.unify(owner, ty))?,
        }
        let first = given.len().saturating_sub(generics.len());
        for (slot, &ty) in given[first..].iter_mut().zip(generics) {
            *slot = ty;
        }
        Some(given)
    }
    /// Whether a differentiable `impl` of the trait exists for the type.
    pub fn implements(&mut self, ty: Ty, of: &Trait) -> bool {
        let all = self.methods.values().flatten().copied();
        let impls: Vec<&'static Method> = all
            .filter(|method| !method.is_declared_by(of) && method.is_of(of))
            .collect();
        if impls.into_iter().any(|method| self.has_method(method, ty)) {
            return true;
        }
        let mut empty = inventory::iter::<EmptyImpl>.into_iter();
        empty.any(|one| {
            let owner = (one.owner)();
            one.is_of(of) && {
                let parts = owner.parts().into_iter();
                let given: Vec<Ty> = parts.map(|_| self.types.fresh()).collect();
                let owner = self.types.declare(owner, &given);
                self.types.could_be(owner, ty)
            }
        })
    }
    /// The call of a method of a `dyn Trait`.
    pub fn trait_method(&mut self, of: &Trait, name: &str, ty: Ty, at: At) -> Option<Call> {
        let method = declared(&self.methods, of, name)?;
        let receiver = if method.receiver == Receiver::Mut {
            Ty::mutable(ty)
        } else {
            ty
        };
        Some(self.call((method.source)(), Vec::new(), Some(receiver), at))
    }
    /// `f64::sin`, `Point::norm` as values.
    pub fn method_value(
        &mut self,
        written: Ty,
        of: Option<WrittenTrait>,
        name: &'static str,
        at: At,
    ) -> Result<Ty> {
        let syntax = self.path_syntax(written, of, name);
        let owner = self.declare(written);
        let all = self.functions_of(owner, syntax, name, at)?;
        if let [method] = all[..]
            && !self.is_operator_of_numbers(name, owner)
            && let Some(given) = self.owner_arguments(method, owner, &[])
        {
            return Ok(Ty::Item(Item::Source((method.source)(), intern(&given))));
        }
        if all.is_empty() {
            self.check_plain(syntax, name, owner, at)?;
        } else {
            // The value does not keep that a trait was written, so no inherent method may come first.
            if matches!(syntax, CallSyntax::PlainTraitPath(_)) {
                let found = self.functions_of(owner, CallSyntax::Value, name, at)?;
                if found.first().is_none_or(|first| first.of_trait.is_empty()) {
                    return self.undecided(at, name);
                }
            }
            let owner = &intern(&[owner])[0];
            return Ok(Ty::Item(Item::Overloaded(
                owner,
                Symbol::new(name),
                syntax.of(),
            )));
        }
        if let Some(source) = stdlib::constructor(self.types.head(owner), name) {
            return Ok(Ty::Item(Item::Source(source, &[])));
        }
        Ok(Ty::Item(Item::Method(Symbol::new(name), syntax.of())))
    }
    /// The functions of the program with this name for a type, in the order in which rustc prefers them. `Add::add` names no type yet; its first argument
    /// decides.
    pub fn functions_of(
        &mut self,
        owner: Ty,
        syntax: CallSyntax,
        name: &str,
        at: At,
    ) -> Result<Vec<&'static Method>> {
        let head = self.types.head(owner);
        if self.types.is_unknown(owner) || matches!(head, Ty::Dyn(Dyn::Trait(_))) {
            return Ok(Vec::new());
        }
        let mut all = self.candidates(name);
        all.retain(|method| syntax.allows(method));
        all.retain(|method| self.could_own(method, owner));
        let is_own = |method: &&'static Method| method.of_trait.is_empty();
        match syntax {
            CallSyntax::Method | CallSyntax::TypePath | CallSyntax::Value
                if all.iter().any(is_own) =>
            {
                all.retain(is_own)
            }
            CallSyntax::Method | CallSyntax::TypePath | CallSyntax::Value
                if self.inherent(head, name).is_some() =>
            {
                all.clear()
            }
            _ => {}
        }
        let Some((&first, others)) = all.split_first() else {
            return Ok(Vec::new());
        };
        if !first.of_trait.is_empty() && !stdlib::contains(self.here().source) {
            self.check_inherent(syntax, name, owner, at)?;
        }
        self.check_forwarded(first, at)?;
        for &other in others {
            if !first.of_trait.is_empty() && self.is_another(first, other, owner) {
                return self.ambiguous_traits(at, name, owner, first, other);
            }
        }
        let all = match first.of_trait.is_empty() {
            true => all,
            false => self.overloads(first, others, owner),
        };
        if let [method] = all[..] {
            self.check_around(method, at)?;
        }
        Ok(all)
    }
    /// Whether [`Self::owner_arguments`] would succeed. For an unknown type this unifies it with the type of the function.
    pub fn could_own(&mut self, method: &'static Method, owner: Ty) -> bool {
        match (method.owner)() {
            Ty::Dyn(Dyn::Trait(_)) => self.owner_arguments(method, owner, &[]).is_some(),
            // A literal matches only an `impl` for a number type.
            of if self.types.is_literal(owner) && !matches!(of, Ty::Scalar(_)) => false,
            _ => self.has_method(method, owner),
        }
    }
    /// The functions of one trait and one name for a type, such as `From` for several source types or `Mul` with several right sides.
    pub fn overloads(
        &mut self,
        first: &'static Method,
        others: &[&'static Method],
        owner: Ty,
    ) -> Vec<&'static Method> {
        let is_default = |method: &Method| matches!((method.owner)(), Ty::Dyn(_));
        let mut all = vec![first];
        if !first.of_trait.is_empty() && !is_default(first) {
            let more = others.iter().copied().filter(|other| {
                is_one_trait(first, other) && !is_default(other) && self.has_method(other, owner)
            });
            all.extend(more.collect::<Vec<_>>());
        }
        all
    }
    /// Whether std implements this operator for numbers, beside the implementations of the program.
    pub fn is_operator_of_numbers(&self, name: &str, ty: Ty) -> bool {
        let is_number = matches!(self.types.head(ty), Ty::Scalar(_)) || self.types.is_literal(ty);
        is_number && matches!(name, "add" | "sub" | "mul" | "div" | "rem")
    }
    /// Chooses the function that takes these arguments. `seen`: for a method call, the autoref step that reaches the type of the receiver.
    pub fn overload(
        &mut self,
        all: &[&'static Method],
        owner: Ty,
        seen: Option<AutorefStep>,
        args: &mut [Arg],
        at: At,
    ) -> Result<Overload> {
        let mut types = Vec::new();
        for arg in args.iter_mut() {
            let ty = self.argument(arg)?;
            types.push(self.learn_head(ty)?);
        }
        let types: Vec<Ty> = types.into_iter().map(|ty| self.peel(ty)).collect();
        let mut fitting = all.to_vec();
        fitting.retain(|method| self.fits(method, owner, &types, false));
        self.by_default(&mut fitting, owner, &types);
        let ref_kinds: Vec<RefKind> = { args.iter() }
            .map(|arg| {
                arg.expr
                    .map_or(RefKind::Unknown, |expr| self.ref_kind_of(expr))
            })
            .collect();
        retain_fitting_ref_kinds(&mut fitting, &ref_kinds, seen);
        // Functions that differ in more than references are decided when the types of the arguments are known.
        let is_known = !types.iter().any(|&ty| self.types.is_unknown(ty));
        match fitting[..] {
            [] => Ok(Overload::Other),
            [method] => {
                self.check_around(method, at)?;
                Ok(Overload::One(method))
            }
            [first, ref others @ ..] => {
                let are_twins = others.iter().all(|other| is_twin(first, other));
                let name = (first.source)().name;
                match self.equivalent_overload(&fitting, owner) {
                    _ if !is_known && !are_twins => Ok(Overload::Later),
                    Some(method) => Ok(Overload::One(method)),
                    None if are_twins => self.ambiguous(at, name),
                    None => self.undecided(at, name),
                }
            }
        }
    }
    /// One of several functions for a type if all of them have the same body, apart from references. If the type implements `Deref`, `*` has a meaning of
    /// its own, so bodies are not compared.
    pub fn equivalent_overload(
        &mut self,
        all: &[&'static Method],
        owner: Ty,
    ) -> Option<&'static Method> {
        if matches!(self.types.head(owner), Ty::Adt(adt, _) if adt.derefs) {
            return None;
        }
        // A call `x.name()` inside one of them may mean an inherent method of the type.
        let name = (all.first()?.source)().name;
        let mut own = self.candidates(name);
        own.retain(|method| method.of_trait.is_empty() && self.has_method(method, owner));
        let head = self.types.head(owner);
        let is_told = own.is_empty() && self.inherent(head, name).is_none();
        let mut others =
            { all.iter().copied() }.filter(|m| !is_told || m.digest != BodyDigest::Forwards);
        let first = others.next()?;
        let is_alike = |other: &Method| {
            other.digest == first.digest
                && matches!(first.digest, BodyDigest::Text(_))
                && (other.source)().file == (first.source)().file
        };
        others.all(is_alike).then_some(first)
    }
    /// Whether a function accepts arguments of these types. `default`: literals have their default types.
    fn fits(&mut self, method: &Method, owner: Ty, types: &[Ty], default: bool) -> bool {
        let (of, given) = self.owner_of(method);
        let mut params = Vec::new();
        for param in (method.source)().params {
            let ty = self.types.declare((param.ty)(), &given);
            params.push(self.peel(ty));
        }
        params.len() == types.len()
            && self.types.could(|u| {
                if default {
                    u.default_literals();
                }
                let mut pairs = types.iter().zip(&params);
                u.unify(of, owner).is_ok() && pairs.all(|(&a, &b)| could_pass(u, a, b))
            })
    }
    /// If several functions accept a literal, keeps those that accept its default type.
    fn by_default(&mut self, functions: &mut Vec<&'static Method>, owner: Ty, types: &[Ty]) {
        if functions.len() > 1 && types.iter().any(|&ty| self.types.is_open(ty)) {
            let mut fitting = functions.clone();
            fitting.retain(|method| self.fits(method, owner, types, true));
            if !fitting.is_empty() {
                *functions = fitting;
            }
        }
    }
    /// Refuses a call: the source does not tell whether the `impl` for a type or the one for references to it is meant.
    pub fn ambiguous<T>(&mut self, at: At, name: &str) -> Result<T> {
        self.refuse(
            at,
            format!("a type and references to it implement `{name}` differently: cannot tell which is called"),
            "let one of them call the other, `(**self).method()`, or give them different names",
        )
    }
    pub fn undecided<T>(&mut self, at: At, name: &str) -> Result<T> {
        self.refuse(
            at,
            format!("cannot tell which `{name}` is called"),
            "write down the types of its arguments",
        )
    }
}

/// Whether a value of type `a` is accepted where `b` is expected, as it is or as a slice.
fn could_pass(types: &mut Unifier, a: Ty, b: Ty) -> bool {
    match (types.element(a), types.element(b)) {
        (Some(a), Some(b)) if types.is_slice(b) => types.unify(a, b).is_ok(),
        _ => types.unify(a, b).is_ok(),
    }
}
