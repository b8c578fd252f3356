//! `#[differentiable]` before a function.

use crate::reader::{Reader, at};
use crate::{pattern, statement, types};
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, Ident, ItemFn, PatType, ReturnType, Signature, Type, Visibility};

/// The function as it was, and beside it its enum.
pub fn expand(function: &ItemFn) -> TokenStream {
    let mut reader = Reader::default();
    check_signature(&mut reader, &function.sig);
    let source = reader.scoped(|reader| {
        let params: Vec<_> = typed_params(&function.sig)
            .map(|p| param(reader, p))
            .collect();
        let body = statement::block(reader, &function.block);
        source(
            reader,
            &function.sig,
            &params,
            quote!(__mc::Body::Block(#body)),
        )
    });
    let companion = match reader.into_error() {
        Some(error) => refused(function, &error),
        None => companion(&function.attrs, &function.vis, &function.sig, &source),
    };
    quote!(#function #companion)
}

/// The errors, and the enum all the same, so that its users add no errors of their own.
fn refused(function: &ItemFn, error: &syn::Error) -> TokenStream {
    let (visibility, name) = (&function.vis, &function.sig.ident);
    let error = error.to_compile_error();
    if function.sig.receiver().is_some() {
        // Among the items of an `impl` no enum may stand.
        return error;
    }
    quote! {
        #error
        #[allow(non_camel_case_types, dead_code, missing_docs)]
        #visibility enum #name {}
        impl ::mooncake::DifferentiableFn for #name {
            type Args<'a> = ();
            type Output = ();
            type Gradient = ();
            fn source() -> &'static ::mooncake::__private::Source {
                loop {}
            }
            fn native(_: ()) {}
        }
    }
}

/// The parameters of a function that has no `self`.
pub fn typed_params(signature: &Signature) -> impl Iterator<Item = &PatType> {
    signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(param) => Some(param),
        FnArg::Receiver(_) => None,
    })
}

/// `Param { … }`; declares its names.
pub fn param(reader: &mut Reader, param: &PatType) -> TokenStream {
    statement::check_attributes(reader, &param.attrs);
    let ty = types::function(reader, &param.ty);
    let pattern = pattern::read(reader, &param.pat);
    quote!(__mc::Param { pattern: #pattern, ty: #ty })
}

/// What makes a function no ordinary one.
pub fn check_signature(reader: &mut Reader, signature: &Signature) {
    let generics = &signature.generics;
    if let Some(token) = &signature.asyncness {
        reader.refuse(
            token,
            "asynchronous code cannot be differentiated; make the function synchronous",
        );
    }
    if let Some(token) = &signature.unsafety {
        reader.refuse(
            token,
            "`unsafe` code cannot be differentiated; write it with slices and indices",
        );
    }
    if let Some(abi) = &signature.abi {
        reader.refuse(
            abi,
            "only functions with Rust's own calling convention are supported; remove `extern`",
        );
    }
    if let Some(param) = generics.type_params().next() {
        reader.refuse(
            param,
            "generic functions are not supported yet; write one function for each type",
        );
    }
    if let Some(param) = generics.const_params().next() {
        reader.refuse(
            param,
            "generic functions are not supported yet; pass the number as a `usize` parameter",
        );
    }
    if let Some(receiver) = signature.receiver() {
        reader.refuse(
            receiver,
            "methods are not supported yet; write a free function",
        );
    }
    for param in typed_params(signature) {
        types::check(reader, &param.ty);
    }
    if let ReturnType::Type(_, ty) = &signature.output {
        check_result(reader, ty);
    }
}

/// A result is a value of its own: a reference would need to say what it refers to.
fn check_result(reader: &mut Reader, ty: &Type) {
    match ty {
        Type::Reference(reference) => reader.refuse(
            reference,
            "references cannot be returned; return a number, a tuple or an array, or write into a `&mut [f64]` parameter",
        ),
        Type::Never(_) => reader.refuse(ty, "a function that never returns has no derivative; give it a result"),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| check_result(reader, ty)),
        other => types::check(reader, other),
    }
}

/// `Source { … }` as the body of `fn source`.
pub fn source(
    reader: &mut Reader,
    signature: &Signature,
    params: &[TokenStream],
    body: TokenStream,
) -> TokenStream {
    let (name, at) = (signature.ident.to_string(), at(signature.ident.span()));
    let ret = result(signature);
    let ret = reader.thunk(quote!(<#ret as __mc::Typed>::ty()));
    quote! {
        use ::mooncake::__private as __mc;
        static __MC_SOURCE: __mc::Source = __mc::Source {
            path: ::core::concat!(::core::module_path!(), "::", #name),
            name: #name,
            file: ::core::file!(),
            at: #at,
            params: &[#(#params),*],
            ret: #ret,
            body: #body,
        };
        &__MC_SOURCE
    }
}

/// The declared result type.
fn result(signature: &Signature) -> Type {
    match &signature.output {
        ReturnType::Type(_, ty) => types::with_lifetime(ty, "'static"),
        ReturnType::Default => syn::parse_quote!(()),
    }
}

/// The empty enum of the function's name, and what it says about the function.
pub fn companion(
    attributes: &[Attribute],
    visibility: &Visibility,
    signature: &Signature,
    source: &TokenStream,
) -> TokenStream {
    let name = Ident::new(&signature.ident.to_string(), signature.ident.span());
    let conditions = attributes.iter().filter(|a| a.path().is_ident("cfg"));
    let doc = format!("[`{name}`](fn@{name}) as a type: what its derivative is asked by.");
    let params: Vec<&Type> = typed_params(signature).map(|param| &*param.ty).collect();
    let args = params.iter().map(|ty| types::with_lifetime(ty, "'a"));
    let gradients = params.iter().map(|ty| {
        let span = ty.span();
        let ty = types::with_lifetime(ty, "'static");
        quote::quote_spanned!(span=> <#ty as ::mooncake::__private::Typed>::Gradient)
    });
    let conditions: Vec<_> = conditions.collect();
    let output = result(signature);
    let places: Vec<Ident> = (0..params.len())
        .map(|i| quote::format_ident!("a{i}"))
        .collect();
    quote! {
        #(#conditions)*
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code)]
        #visibility enum #name {}
        #(#conditions)*
        #[automatically_derived]
        #[allow(unused, deprecated, clippy::all, clippy::pedantic, clippy::nursery)]
        impl ::mooncake::DifferentiableFn for #name {
            type Args<'a> = (#(#args,)*);
            type Output = #output;
            type Gradient = (#(#gradients,)*);
            fn source() -> &'static ::mooncake::__private::Source {
                #source
            }
            fn native(__mc_args: Self::Args<'_>) -> Self::Output {
                let (#(#places,)*) = __mc_args;
                #name(#(#places),*)
            }
        }
    }
}
