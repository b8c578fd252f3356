//! Functions that ask for derivatives, when they are called natively.
//!
//! rustc keeps nothing of a function from which a derivative could be derived. So a function that calls `mooncake::gradient` or a similar function
//! natively calls the code that a default context compiles of it. Only rustc knows whether a path that ends in `gradient` means `mooncake::gradient`, so
//! the generated code asks `Callable::COMPILED`.

use crate::types;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{
    FnArg, GenericParam, Ident, ItemFn, Pat, Path, ReturnType, Signature, Type, parse_quote,
};

/// Whether a function of this name may ask for derivatives.
pub fn may_be_a_derivative(name: &str) -> bool {
    matches!(
        name,
        "gradient" | "value_and_gradient" | "derivative" | "hvp"
    )
}

/// The native form of the function. If one of the called functions asks for derivatives, it only calls the compiled code. `None` if the function stays as
/// it is written: it calls no such function, it is generic, or its arguments cannot come from outside.
pub fn calling_what_is_compiled(function: &ItemFn, derivatives: &[Path]) -> Option<ItemFn> {
    if derivatives.is_empty() || !can_be_called_from_outside(&function.sig) {
        return None;
    }
    let mut function = function.clone();
    let (mut args, mut patterns) = (Vec::<Ident>::new(), TokenStream::new());
    for (n, input) in function.sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(param) = input else {
            return None;
        };
        let arg = match &*param.pat {
            Pat::Ident(name)
                if name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none() =>
            {
                name.ident.clone()
            }
            pattern => {
                let arg = format_ident!("__mc_arg{n}");
                patterns.extend(quote!(let #pattern = #arg;));
                *param.pat = parse_quote!(#arg);
                arg
            }
        };
        args.push(arg);
    }
    let (name, statements) = (&function.sig.ident, &function.block.stmts);
    function.block = parse_quote!({
        #[allow(clippy::needless_return)]
        if #(<#derivatives as ::mooncake::Callable>::COMPILED)||* {
            static __MC_COMPILED: ::std::sync::OnceLock<::mooncake::Primal<#name>> = ::std::sync::OnceLock::new();
            return ::mooncake::__private::compiled(&__MC_COMPILED, (#(#args,)*));
        }
        #patterns
        #(#statements)*
    });
    Some(function)
}

/// Whether a rule of the function can be built without type arguments and called with values from outside.
fn can_be_called_from_outside(signature: &Signature) -> bool {
    let mut generics = signature.generics.params.iter();
    let is_lifetime = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
    let holds_function = |ty: &Type| {
        let mut words = ty.to_token_stream().into_iter().flat_map(words);
        words.any(|word| word == "dyn" || word == "fn")
    };
    let is_of_values = |input: &FnArg| match input {
        FnArg::Typed(param) => !types::has_impl_trait(&param.ty) && !holds_function(&param.ty),
        FnArg::Receiver(_) => false,
    };
    generics.all(is_lifetime)
        && signature.inputs.iter().all(is_of_values)
        && !matches!(&signature.output, ReturnType::Type(_, ty) if types::is_internal(ty))
}

/// The words of a token, including those in brackets.
fn words(token: TokenTree) -> Vec<String> {
    match token {
        TokenTree::Group(group) => group.stream().into_iter().flat_map(words).collect(),
        other => vec![other.to_string()],
    }
}
