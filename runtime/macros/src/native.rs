//! Functions that take derivatives, called natively.
//!
//! Natively there is no derivative of a function: rustc keeps nothing that it could be made of. So a function that calls `mooncake::gradient` or one of its kin
//! calls what a default context compiles of it. Whether a path that ends in `gradient` is that function rustc says, by `Callable::COMPILED`.

use crate::types;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{FnArg, Ident, ItemFn, Pat, Path, parse_quote};

/// Whether a function of this name may be one that exists in compiled code only.
pub fn may_be_a_derivative(name: &str) -> bool {
    matches!(
        name,
        "gradient" | "value_and_gradient" | "derivative" | "hvp"
    )
}

/// Has the function call what is compiled of it, if one of these functions is such a one. Not those whose arguments cannot come from outside, or differ
/// with type parameters.
pub fn call_what_is_compiled(function: &mut ItemFn, derivatives: &[Path]) -> bool {
    let signature = &function.sig;
    let is_dynamic = |arg: &FnArg| {
        let words: Vec<String> = { arg.to_token_stream().into_iter() }
            .flat_map(words)
            .collect();
        words.iter().any(|word| word == "dyn" || word == "fn")
    };
    let is_internal = match &signature.output {
        syn::ReturnType::Type(_, ty) => types::is_internal(ty),
        syn::ReturnType::Default => false,
    };
    let is_generic = signature.generics.type_params().next().is_some()
        || signature.generics.const_params().next().is_some();
    if derivatives.is_empty()
        || is_generic
        || is_internal
        || signature.inputs.iter().any(is_dynamic)
        || signature.inputs.iter().any(|arg| match arg {
            FnArg::Typed(param) => types::has_impl_trait(&param.ty),
            FnArg::Receiver(_) => true,
        })
    {
        return false;
    }
    let name = &function.sig.ident;
    let (mut args, mut patterns) = (Vec::<Ident>::new(), TokenStream::new());
    for (n, input) in function.sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(param) = input else {
            continue;
        };
        match &*param.pat {
            Pat::Ident(plain)
                if plain.by_ref.is_none()
                    && plain.mutability.is_none()
                    && plain.subpat.is_none() =>
            {
                args.push(plain.ident.clone());
            }
            pattern => {
                let arg = format_ident!("__mc_arg{n}");
                patterns.extend(quote!(let #pattern = #arg;));
                *param.pat = parse_quote!(#arg);
                args.push(arg);
            }
        }
    }
    let statements = &function.block.stmts;
    function.block = parse_quote!({
        #[allow(clippy::needless_return)]
        if #(<#derivatives as ::mooncake::Callable>::COMPILED)||* {
            static __MC_COMPILED: ::std::sync::OnceLock<::mooncake::Primal<#name>> = ::std::sync::OnceLock::new();
            return ::mooncake::__private::compiled(&__MC_COMPILED, (#(#args,)*));
        }
        #patterns
        #(#statements)*
    });
    true
}

/// The words of a token, also of those in brackets.
fn words(token: proc_macro2::TokenTree) -> Vec<String> {
    match token {
        proc_macro2::TokenTree::Group(group) => {
            group.stream().into_iter().flat_map(words).collect()
        }
        other => vec![other.to_string()],
    }
}
