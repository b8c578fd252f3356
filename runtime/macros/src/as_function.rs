//! `#[differentiable(function = model_energy)]` before a method: a function that calls it, because rules are built for functions. rustc has no types for the
//! methods of a type, and `build_rrule::<…>` takes a type.

use crate::{Role, types};
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, FnArg, GenericParam, Generics, Ident, ImplItem, ImplItemFn, ItemImpl, Pat,
    ReturnType, Type, TypePath, parse_quote,
};

/// The name of the function, if there is to be one. The attribute that says so is removed.
pub fn take(attributes: &mut Vec<Attribute>) -> Option<Ident> {
    let name = |attribute: &Attribute| {
        let last = attribute.path().segments.last();
        last.filter(|last| last.ident == "differentiable")?;
        let list = attribute.meta.require_list().ok()?;
        match syn::parse2(list.tokens.clone()) {
            Ok(Role::Function(name)) => Some(name),
            _ => None,
        }
    };
    let (n, name) = attributes
        .iter()
        .enumerate()
        .find_map(|(n, attribute)| Some((n, name(attribute)?)))?;
    attributes.remove(n);
    Some(name)
}

/// The function with this name that calls a method of an `impl`.
pub fn write(name: &Ident, method: &ImplItemFn, owner: &ItemImpl) -> syn::Result<TokenStream> {
    let mut signature = method.sig.clone();
    let mut args = Vec::<Ident>::new();
    for (n, input) in signature.inputs.iter_mut().enumerate() {
        let arg = match input {
            FnArg::Receiver(_) => Ident::new("this", name.span()),
            FnArg::Typed(param) => match &*param.pat {
                Pat::Ident(pattern) => pattern.ident.clone(),
                _ => format_ident!("arg{n}"),
            },
        };
        let ty = match input {
            FnArg::Receiver(receiver) => &receiver.ty,
            FnArg::Typed(param) => &param.ty,
        };
        *input = parse_quote!(#arg: #ty);
        args.push(arg);
    }
    Own(owner).visit_signature_mut(&mut signature);
    if let ReturnType::Type(_, ty) = &signature.output
        && types::is_internal(ty)
    {
        let message = "no rule can be built for a method that returns a reference or a function; let it return numbers, or a struct of numbers";
        return Err(syn::Error::new_spanned(ty, message));
    }
    let conditions = method.attrs.iter().filter(|a| a.path().is_ident("cfg"));
    let visibility = &method.vis;
    let called = &method.sig.ident;
    let ty = &owner.self_ty;
    let callee = match &owner.trait_ {
        Some((_, of_trait, _)) => quote!(<#ty as #of_trait>::#called),
        None => quote!(<#ty>::#called),
    };
    let doc = format!("The method `{called}` as a function, for which rules are built.");
    signature.ident = name.clone();
    signature.generics = with(&owner.generics, &signature.generics);
    // Messages about the function point to the method.
    Ok(quote_spanned! {called.span()=>
        #(#conditions)*
        #[doc = #doc]
        #[allow(dead_code, clippy::too_many_arguments, clippy::ptr_arg)]
        #[::mooncake::differentiable]
        #visibility #signature {
            #callee(#(#args),*)
        }
    })
}

/// The parameters and conditions of an `impl` and of a method of it. Lifetimes come first.
fn with(outer: &Generics, inner: &Generics) -> Generics {
    let mut generics = outer.clone();
    generics.params.extend(inner.params.iter().cloned());
    let (lifetimes, others): (Vec<_>, Vec<_>) = std::mem::take(&mut generics.params)
        .into_iter()
        .partition(|param| matches!(param, GenericParam::Lifetime(_)));
    generics.params.extend(lifetimes.into_iter().chain(others));
    if let Some(clause) = &inner.where_clause {
        let predicates = clause.predicates.iter().cloned();
        generics.make_where_clause().predicates.extend(predicates);
    }
    generics
}

/// Replaces `Self` by the type of an `impl`, and `Self::Output` by the type that the `impl` gives this name.
struct Own<'a>(&'a ItemImpl);

impl Own<'_> {
    fn replaced(&self, path: &TypePath) -> Option<Type> {
        let mut segments = path.path.segments.iter();
        let is_own = path.qself.is_none() && segments.next()?.ident == "Self";
        let associated = segments.next().map(|segment| &segment.ident);
        match associated.filter(|_| is_own) {
            Some(name) => self.0.items.iter().find_map(|item| match item {
                ImplItem::Type(item) if item.ident == *name => Some(item.ty.clone()),
                _ => None,
            }),
            None => is_own.then(|| (*self.0.self_ty).clone()),
        }
    }
}

impl VisitMut for Own<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && let Some(replaced) = self.replaced(path)
        {
            *ty = replaced;
            return self.visit_type_mut(ty);
        }
        visit_mut::visit_type_mut(self, ty);
    }
}
