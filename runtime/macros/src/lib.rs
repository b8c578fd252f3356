//! The attribute macros of mooncake.
//!
//! `#[differentiable]` leaves a function as it is and writes beside it an empty enum of the same name, in the type
//! namespace, that gives the function's source as static data (`mooncake::__private::Source`). The macro reads
//! syntax and nothing else: types and names are rustc's affair, because every path is emitted as a path.
//!
//! What the language does not have is refused here, at the place where it is written, with the reason and what to
//! write instead; all refusals of a function are reported at once.

mod derive;
mod expr;
mod function;
mod iter;
mod literal;
mod pack;
mod pattern;
mod reader;
mod refuse;
mod statement;
mod types;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Item;

/// Makes a function, or the functions of an `extern "pack"` block, differentiable.
///
/// The function itself stays as it is. Beside it stands an empty enum of its name, so that `ctx.build_rrule::<f>()`
/// names it.
///
/// ```ignore
/// #[differentiable]
/// fn square(x: f64) -> f64 {
///     x * x
/// }
///
/// #[differentiable]
/// extern "pack" {
///     fn gelu(x: f32) -> f32;
/// }
/// ```
#[proc_macro_attribute]
pub fn differentiable(
    attribute: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand(attribute.into(), item.into())
        .unwrap_or_else(|e| e.to_compile_error())
        .into()
}

/// Makes a struct or an enum a type of differentiable functions, and of their arguments and results.
///
/// The gradient of a `Point` is a `PointGradient`: a type that is written beside it, with the same fields, each of the gradient type of
/// the field's type: `f64` for `f64`, `()` for what has no derivative, `Vec<f64>` for `Vec<f64>`. That of an enum has the same variants.
/// A type without any fields has the gradient `()`.
///
/// ```ignore
/// #[derive(Differentiable)]
/// struct Layer {
///     weights: Vec<f64>,
///     bias: f64,
/// }
/// ```
#[proc_macro_derive(Differentiable)]
pub fn derive_differentiable(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let item = syn::parse_macro_input!(item as syn::DeriveInput);
    derive::expand(&item).into()
}

fn expand(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    if !attribute.is_empty() {
        let message = "`#[differentiable]` takes no arguments; remove the parentheses";
        return Err(syn::Error::new_spanned(attribute, message));
    }
    let written = item.clone();
    match syn::parse2(item)? {
        Item::Fn(item) => Ok(function::expand(&item)),
        Item::ForeignMod(item) => Ok(pack::expand(&item)),
        other => {
            let mut error = syn::Error::new_spanned(
                first_token(&other),
                "`#[differentiable]` stands before a function or an `extern \"pack\"` block; \
                 methods, structs and traits are not supported yet: write free functions",
            )
            .to_compile_error();
            error.extend(written);
            Ok(error)
        }
    }
}

/// Where an error about a whole item points.
fn first_token(item: &Item) -> TokenStream {
    item.to_token_stream().into_iter().take(1).collect()
}
