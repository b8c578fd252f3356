//! Dynamic values: which types are coerced to a `dyn` type, and which methods are called on it. A call chooses by the tag, among all types that are
//! coerced to the `dyn` type anywhere in the program.

use super::{Call, Session, State, span_of};
use crate::diag::{Diagnostic, Error, Result, Span};
use crate::front::tree::{At, Method, Receiver, Source};
use crate::front::ty::{Dyn, Trait, Ty};
use crate::ir::Symbol;
use crate::resolve::candidates::{declared, has_body};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What is known about the dynamic values of a program.
#[derive(Default)]
pub struct Dynamic {
    /// A type, the `dyn` type to which values of it are coerced, and the place where they are. The types may still contain unknowns.
    coercions: Vec<(Ty, Ty, Span)>,
    /// A function of the program, the `dyn` type to which it is coerced, and its call.
    pub items: Vec<(Ty, Ty, Call)>,
    keys: usize,
    /// A `dyn` type and the method that is called on it; `None` for a call of a `dyn Fn`.
    calls: Vec<(Ty, Option<&'static str>)>,
    /// The types behind each `dyn` type. The position of a type is its tag.
    pub tags: FxHashMap<Ty, Vec<Ty>>,
    /// The dispatch functions that are needed, by name.
    pub dispatches: BTreeMap<Symbol, (Ty, Option<&'static str>)>,
    /// The function that a type has for a method of a `dyn` type.
    pub functions: FxHashMap<(Ty, Ty, &'static str), Call>,
    done: FxHashSet<(Ty, Ty, Option<&'static str>)>,
}

impl Dynamic {
    /// A key that no node has: it is odd, and addresses of nodes are even.
    pub fn new_key(&mut self) -> usize {
        self.keys += 2;
        self.keys - 1
    }
    pub fn coerced(&mut self, given: Ty, to: Ty, span: Span) {
        self.coercions.push((given, to, span));
    }
    pub fn called(&mut self, ty: Ty, method: Option<&'static str>) {
        self.calls.push((ty, method));
    }
}

/// The name of the dispatch function.
pub fn dispatch_name(ty: Ty, method: Option<&str>) -> Symbol {
    match method {
        Some(method) => Symbol::new(&format!("<{}>::{method}", spelled(ty))),
        None => Symbol::new(&format!("<{}>", spelled(ty))),
    }
}

/// A name that only this type has: structs and traits are followed by their paths.
pub fn spelled(ty: Ty) -> String {
    let parts = ty.parts().into_iter();
    let paths: Vec<&str> = parts
        .filter_map(|ty| match ty {
            Ty::Adt(adt, _) => Some(adt.path),
            Ty::Dyn(Dyn::Trait(of)) => Some(of.path),
            _ => None,
        })
        .collect();
    match paths.is_empty() {
        true => ty.to_string(),
        false => format!("{ty} of {}", paths.join(", ")),
    }
}

/// Stands for "no place in the program".
const AT: At = At(0, 0);

impl Session<'_> {
    /// Makes the functions of all types behind `dyn` types, for all methods that are called. Returns whether there was a new one.
    pub fn link_dynamic(&mut self) -> Result<bool> {
        for (given, to, span) in std::mem::take(&mut self.dynamic.coercions) {
            let (given, to) = (self.types.finish(given), self.types.finish(to));
            let tags = self.dynamic.tags.entry(to).or_default();
            if !tags.contains(&given) {
                tags.push(given);
                self.check_implements(given, to, span)?;
            }
        }
        for (item, to, call) in std::mem::take(&mut self.dynamic.items) {
            let (item, to) = (self.types.finish(item), self.types.finish(to));
            self.instance(&call)?;
            self.dynamic.functions.insert((to, item, ""), call);
        }
        for (ty, method) in std::mem::take(&mut self.dynamic.calls) {
            let ty = self.types.finish(ty);
            self.dynamic
                .dispatches
                .insert(dispatch_name(ty, method), (ty, method));
        }
        let mut any = self
            .instances
            .iter()
            .any(|instance| instance.state == State::Waiting);
        for (of, method) in self
            .dynamic
            .dispatches
            .values()
            .copied()
            .collect::<Vec<_>>()
        {
            for given in self.dynamic.tags.get(&of).cloned().unwrap_or_default() {
                if self.dynamic.done.insert((of, given, method)) {
                    any = true;
                    if let (Ty::Dyn(Dyn::Trait(name)), Some(method)) = (of, method) {
                        self.implementation(of, name, given, method)?;
                    }
                }
            }
        }
        Ok(any)
    }
    /// Refuses a coercion to the `dyn` type of a trait that the type implements outside of differentiable code: what its methods do is not known, and
    /// default methods of the trait may be overridden there.
    fn check_implements(&mut self, given: Ty, to: Ty, span: Span) -> Result<()> {
        let Ty::Dyn(Dyn::Trait(of)) = to else {
            return Ok(());
        };
        match self.implements(given, of) {
            true => Ok(()),
            false => {
                let message = format!(
                    "`{given}` becomes a `dyn {}` here, and its `impl` of that trait is not differentiable",
                    of.name
                );
                let help = format!(
                    "write `#[differentiable]` before `impl {} for {given}`, also if it is empty",
                    of.name
                );
                Err(Diagnostic::new(span, message).help(&help).into())
            }
        }
    }
    /// Makes the instance of a type's implementation of a trait method.
    fn implementation(
        &mut self,
        of: Ty,
        of_trait: &Trait,
        ty: Ty,
        name: &'static str,
    ) -> Result<()> {
        let named = self.methods.get(name).into_iter().flatten().copied();
        let (defaults, mut own): (Vec<&Method>, Vec<&Method>) = named
            .filter(|method| method.is_of(of_trait) && has_body(method))
            .partition(|method| method.is_declared_by(of_trait));
        own.retain(|method| self.has_method(method, ty));
        // The call has no place in the program, so errors are reported where the method is defined.
        let told = match own[..] {
            [] => Ok(defaults.first().copied()),
            [method] => self.check_around(method, AT).map(|()| Some(method)),
            _ => match self.equivalent_overload(&own, ty) {
                Some(method) => Ok(Some(method)),
                None => self.ambiguous(AT, name),
            },
        };
        let told = told.and_then(|method| {
            let held = method.map_or(Ok(()), |method| self.check_forwarded(method, AT));
            held.map(|()| method)
        });
        let Some(method) =
            told.map_err(|error| match (error, own.first().or(defaults.first())) {
                (Error::User(mut diagnostic), Some(method)) => {
                    let source = (method.source)();
                    diagnostic.span = span_of(source, source.at);
                    Error::User(diagnostic)
                }
                (error, _) => error,
            })?
        else {
            return Ok(());
        };
        let source = (method.source)();
        let mut arguments: Vec<Ty> = (0..source.generics).map(|_| self.types.fresh()).collect();
        match (method.is_declared_by(of_trait), arguments.first_mut()) {
            (true, Some(own)) => *own = ty,
            _ => {
                let owner = self.types.declare((method.owner)(), &arguments);
                self.types.attempt(|u| u.unify(owner, ty));
            }
        }
        let receiver = match method.receiver {
            Receiver::Mut => Ty::mutable(ty),
            _ => ty,
        };
        let call = self.implementation_call(of, source, arguments, receiver);
        self.instance(&call)?;
        self.dynamic.functions.insert((of, ty, name), call);
        Ok(())
    }
    fn implementation_call(
        &mut self,
        of: Ty,
        source: &'static Source,
        arguments: Vec<Ty>,
        receiver: Ty,
    ) -> Call {
        // The parameters are those of the method in the trait: slices may be shared or mutable.
        let declared = match of {
            Ty::Dyn(Dyn::Trait(name)) => declared(&self.methods, name, source.name),
            _ => None,
        };
        let written = declared.map_or(source, |declared| (declared.source)());
        let mut params = vec![receiver];
        for param in written.params.iter().skip(1) {
            params.push((param.ty)().slices_mut().substitute(&arguments));
        }
        Call {
            source,
            params,
            ret: self.types.declare((source.ret)(), &arguments),
            arguments,
            span: Span::NONE,
            instance: None,
        }
    }
}
