//! `#[differentiable]` before `extern "pack" { … }`: functions that a rule pack defines.

use crate::Role;
use crate::function::{Companion, check_signature, describe, param, typed_params};
use crate::reader::{Reader, text};
use crate::types::{self, last_segment};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Attribute, Expr, ExprLit, ForeignItem, ForeignItemFn, ItemForeignMod, Lit, Meta, Pat,
    ReturnType, Type,
};

/// Writes each function of the block as a native function that calls the pack, with its enum.
pub fn expand(block: &ItemForeignMod) -> TokenStream {
    let abi = block.abi.name.as_ref().map(|name| name.value());
    if abi.as_deref() != Some("pack") {
        let message = "only `extern \"pack\"` can be differentiated: the functions of a rule pack; write a Rust function for others";
        return syn::Error::new_spanned(&block.abi, message).to_compile_error();
    }
    let items = block.items.iter();
    items.map(|item| one(item, &block.attrs)).collect()
}

fn one(item: &ForeignItem, of_block: &[Attribute]) -> TokenStream {
    match item {
        ForeignItem::Fn(function) => declaration(function, of_block),
        other => syn::Error::new_spanned(
            other,
            "a pack provides functions; declare them as `fn name(x: f32) -> f32;`",
        )
        .to_compile_error(),
    }
}

fn declaration(function: &ForeignItemFn, of_block: &[Attribute]) -> TokenStream {
    let mut reader = Reader::default();
    check_signature(&mut reader, &function.sig);
    check_types(&mut reader, function);
    let (of_pack, others): (Vec<Attribute>, Vec<Attribute>) =
        { function.attrs.iter().cloned() }.partition(|attribute| attribute.path().is_ident("pack"));
    let function = &ForeignItemFn {
        attrs: others,
        ..function.clone()
    };
    let name = text(&function.sig.ident);
    let of_block = of_block.iter().filter(|one| one.path().is_ident("pack"));
    let name = match { of_pack.iter() }.chain(of_block).next() {
        Some(attribute) => format!("{}::{name}", pack(&mut reader, attribute)),
        None => name,
    };
    let native = native(function, &name);
    let source = reader.scoped(|reader| {
        let params: Vec<_> = function
            .sig
            .inputs
            .iter()
            .map(|input| param(reader, input))
            .collect();
        describe(
            reader,
            &function.sig,
            params,
            quote!(__mc::Body::Pack(#name)),
            &Role::Derived,
            None,
        )
    });
    match reader.into_error() {
        Some(error) => error.to_compile_error(),
        None => {
            let companion = Companion::new(&function.attrs, &function.vis, &function.sig);
            let (types, implementation) = (companion.types(), companion.implementation(&source));
            quote!(#native #types #implementation)
        }
    }
}

/// The pack that `#[pack = "gelu"]` names.
fn pack(reader: &mut Reader, attribute: &Attribute) -> String {
    if let Meta::NameValue(pair) = &attribute.meta
        && let Expr::Lit(ExprLit {
            lit: Lit::Str(name),
            ..
        }) = &pair.value
    {
        // As it stands in the paths of its functions.
        return name.value().replace('-', "_");
    }
    reader.refuse(
        attribute,
        "name the pack that defines the function: `#[pack = \"gelu\"]`",
    );
    String::new()
}

/// Refuses types that no pack takes or returns.
fn check_types(reader: &mut Reader, function: &ForeignItemFn) {
    if let Some(param) = function.sig.generics.params.first() {
        reader.refuse(
            param,
            "a function of a pack has no type parameters; declare one function for each type",
        );
    }
    for param in typed_params(&function.sig) {
        if types::has_impl_trait(&param.ty) {
            reader.refuse(&param.ty, TAKES);
        }
        if !matches!(*param.pat, Pat::Ident(_)) {
            reader.refuse(&param.pat, "give the parameter a name");
        }
    }
    match &function.sig.output {
        ReturnType::Type(_, ty) if types::is_internal(ty) => reader.refuse(
            ty,
            "a function of a pack returns numbers, arrays, and tuples and structs of these; for slices pass a `&mut [T]` to which it writes",
        ),
        _ => {}
    }
}

const TAKES: &str = "a function of a pack takes numbers, arrays, slices of numbers, and tuples and structs of these";

/// The native function. It looks up the name among the packs that the process has loaded.
fn native(function: &ForeignItemFn, name: &str) -> TokenStream {
    let (attributes, visibility, signature) = (&function.attrs, &function.vis, &function.sig);
    let arguments: Vec<_> = typed_params(signature)
        .filter_map(|param| match &*param.pat {
            Pat::Ident(name) => Some(&name.ident),
            _ => None,
        })
        .collect();
    let own = &signature.ident;
    let compiled = quote!(::mooncake::__private::call_pack::<#own>((#(#arguments,)*)));
    let call = match is_of_numbers(function) {
        true => quote! {
            static __MC_SITE: ::mooncake::__private::PackFunction = ::mooncake::__private::PackFunction::new(#name);
            match __MC_SITE.call((#(#arguments,)*)) {
                ::core::option::Option::Some(__mc_value) => __mc_value,
                // The pack has the function only as text, or no pack has it: this call handles both.
                ::core::option::Option::None => #compiled,
            }
        },
        false => compiled,
    };
    quote! {
        #(#attributes)*
        #[track_caller]
        #visibility #signature {
            #call
        }
    }
}

/// Whether packs may have a native function with this signature that takes numbers in registers: up to six floats of one type, or a float and an `i32`.
fn is_of_numbers(function: &ForeignItemFn) -> bool {
    let ReturnType::Type(_, ret) = &function.sig.output else {
        return false;
    };
    let name = |ty: &Type| match ty {
        Type::Path(path) => Some(last_segment(path)),
        _ => None,
    };
    let Some(ret) = name(ret).filter(|ret| ret == "f32" || ret == "f64") else {
        return false;
    };
    let params: Vec<Option<String>> = typed_params(&function.sig)
        .map(|param| name(&param.ty))
        .collect();
    match &params[..] {
        [Some(float), Some(int)] if int == "i32" => *float == ret,
        params => {
            (1..=6).contains(&params.len())
                && params.iter().all(|param| *param == Some(ret.clone()))
        }
    }
}
