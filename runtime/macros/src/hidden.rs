//! Asks rustc which methods of a trait are hidden by inherent methods of the type.
//!
//! `x.name()` and `Type::name(x)` mean an inherent method of the type before they mean a method of a trait. Inference knows the inherent methods of
//! differentiable `impl`s only. So an `impl` of a trait asks for each of its functions whether the type has an inherent one of this name, and inference
//! refuses calls that would otherwise mean the trait's.
//!
//! The question is the path `<Type>::name` in a module in which one trait is in scope, whose constant `name` every type has. rustc takes an inherent
//! function first. A type parameter cannot be named there, so an `impl` with type parameters does not ask.

use crate::reader::text;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{
    FnArg, GenericParam, Generics, ImplItem, ItemImpl, Lifetime, Signature, Type, parse_quote,
};

/// Registers for each function of an `impl` whether the type has an inherent one of its name, too. `owner` is the function that returns the type.
pub fn ask(item: &ItemImpl, owner: &TokenStream) -> Option<TokenStream> {
    if !has_lifetimes_alone(&item.generics) || !matches!(*item.self_ty, Type::Path(_)) {
        return None;
    }
    // A function with parameters of its own has types that a path leaves open.
    let functions: Vec<_> = item
        .items
        .iter()
        .filter_map(|item| match item {
            ImplItem::Fn(method) if is_concrete(&method.sig) => Some(&method.sig.ident),
            _ => None,
        })
        .collect();
    if functions.is_empty() {
        return None;
    }
    let mut ty = (*item.self_ty).clone();
    Forever.visit_type_mut(&mut ty);
    let constants = functions.iter().map(
        |name| quote_spanned!(name.span()=> const #name: NoInherentFunction = NoInherentFunction;),
    );
    let rows = functions.iter().map(|name| {
        let key = text(name);
        quote_spanned!(name.span()=> (#key, is_inherent(<<Asked as Of>::Type>::#name)))
    });
    Some(quote! {
        #[allow(unused, deprecated, non_local_definitions, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            use ::mooncake::__private as __mc;
            #[no_implicit_prelude]
            #[allow(non_upper_case_globals, private_interfaces)]
            mod asked {
                use ::mooncake::__private::{NoInherentFunction, is_inherent};
                pub(super) struct Asked;
                pub(super) trait Of {
                    type Type;
                }
                trait OfEveryType {
                    #(#constants)*
                }
                impl<T> OfEveryType for T {}
                pub(super) fn functions() -> ::std::vec::Vec<(&'static ::core::primitive::str, ::core::primitive::bool)> {
                    ::std::vec![#(#rows),*]
                }
            }
            impl asked::Of for asked::Asked {
                type Type = #ty;
            }
            __mc::inventory::submit! {
                __mc::InherentFunctions { owner: #owner, functions: asked::functions }
            }
        };
    })
}

/// Whether a path to a function leaves no type open.
fn is_concrete(signature: &Signature) -> bool {
    let is_open = |input: &FnArg| match input {
        FnArg::Typed(input) => matches!(*input.ty, Type::ImplTrait(_)),
        FnArg::Receiver(_) => false,
    };
    has_lifetimes_alone(&signature.generics) && !signature.inputs.iter().any(is_open)
}

fn has_lifetimes_alone(generics: &Generics) -> bool {
    let mut params = generics.params.iter();
    params.all(|param| matches!(param, GenericParam::Lifetime(_)))
}

/// Makes all lifetimes `'static`.
struct Forever;

impl VisitMut for Forever {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        *lifetime = parse_quote!('static);
    }
}
