//! `#[differentiable]` before `extern "pack" { … }`: functions that a rule pack defines.

use crate::Role;
use crate::function::{Companion, check_signature, describe, param, typed_params};
use crate::reader::Reader;
use crate::types::last_segment;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{ForeignItem, ForeignItemFn, ItemForeignMod, Pat, ReturnType, Type};

/// Each function of the block, as a native function that calls the pack, with its enum.
pub fn expand(block: &ItemForeignMod) -> TokenStream {
    let abi = block.abi.name.as_ref().map(|name| name.value());
    if abi.as_deref() != Some("pack") {
        let message = "only `extern \"pack\"` can be differentiated: the functions of a rule pack; write a Rust function for others";
        return syn::Error::new_spanned(&block.abi, message).to_compile_error();
    }
    block.items.iter().map(item).collect()
}

fn item(item: &ForeignItem) -> TokenStream {
    match item {
        ForeignItem::Fn(function) => declaration(function),
        other => syn::Error::new_spanned(
            other,
            "a pack provides functions; declare them as `fn name(x: f32) -> f32;`",
        )
        .to_compile_error(),
    }
}

fn declaration(function: &ForeignItemFn) -> TokenStream {
    let mut reader = Reader::default();
    check_signature(&mut reader, &function.sig);
    if let Some(param) = function.sig.generics.params.first() {
        reader.refuse(
            param,
            "a function of a pack has no type parameters; declare one function for each type",
        );
    }
    let native = native(&mut reader, function);
    let name = function.sig.ident.to_string();
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
            &params,
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

/// The function that native code calls: it looks the name up among the packs that the process has loaded.
fn native(reader: &mut Reader, function: &ForeignItemFn) -> TokenStream {
    let hook = match float_type(function).as_deref() {
        Some("f64") => quote!(call_pack_f64),
        Some("f32") => quote!(call_pack_f32),
        _ => {
            reader.refuse(
                &function.sig,
                "a function of a pack takes and returns numbers of one float type, `f32` or `f64`; \
                 array functions are methods of `Array`",
            );
            quote!(call_pack_f32)
        }
    };
    let (attributes, visibility, signature) = (&function.attrs, &function.vis, &function.sig);
    let arguments: Vec<_> = typed_params(signature)
        .map(|param| match &*param.pat {
            Pat::Ident(name) => quote!(#name),
            other => {
                reader.refuse(other, "give the parameter a name");
                quote!(0.0)
            }
        })
        .collect();
    let name = signature.ident.to_string();
    quote! {
        #(#attributes)*
        #visibility #signature {
            ::mooncake::__private::#hook(#name, &[#(#arguments),*])
        }
    }
}

/// The one type of all parameters and the result.
fn float_type(function: &ForeignItemFn) -> Option<String> {
    let ReturnType::Type(_, ret) = &function.sig.output else {
        return None;
    };
    let name = |ty: &Type| match ty {
        Type::Path(path) => Some(last_segment(path)),
        _ => None,
    };
    let ret = name(ret)?;
    typed_params(&function.sig)
        .all(|param| name(&param.ty).as_deref() == Some(&ret))
        .then_some(ret)
}
