//! The attribute macros of mooncake.
//!
//! `#[differentiable]` leaves a function as it is and writes beside it an empty enum of the same name, in the type
//! namespace, that gives the function's source as static data (`mooncake::__private::Source`). The macro reads
//! syntax and nothing else: types and names are rustc's affair, because every path is emitted as a path.
//!
//! What the language does not have is refused here, at the place where it is written, with the reason and what to
//! write instead; all refusals of a function are reported at once.

mod derive;
mod derived;
mod expr;
mod format;
mod function;
mod generics;
mod held;
mod invocation;
mod library;
mod literal;
mod methods;
mod overrides;
mod pack;
mod path;
mod pattern;
mod reader;
mod refuse;
mod says;
mod statement;
mod types;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use reader::Reader;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, Item, Path, Token};

/// Makes a function, the methods of an `impl` or a trait, or the functions of an `extern "pack"` block, differentiable.
///
/// The function itself stays as it is. Beside it stands an empty enum of its name, so that `ctx.build_rrule::<f>()`
/// names it; that of a generic function has its type parameters, `ctx.build_rrule::<f<f64>>()`.
///
/// ```ignore
/// #[differentiable]
/// fn square(x: f64) -> f64 {
///     x * x
/// }
///
/// #[differentiable]
/// impl Point {
///     fn norm(&self) -> f64 {
///         self.x.hypot(self.y)
///     }
/// }
///
/// #[differentiable]
/// trait Shape {
///     fn area(&self) -> f64;
/// }
///
/// #[differentiable]
/// extern "pack" {
///     fn gelu(x: f32) -> f32;
/// }
/// ```
///
/// In `extern "pack"` stand functions that a rule pack defines. They take numbers, `&Array<T>`, `&[T]`, `&mut [T]`, and tuples and structs of numbers and
/// arrays, which are passed as their fields in order; they give numbers, arrays, and tuples and structs of these. Natively they call the pack that the process
/// has loaded, and panic if there is none, but for those that give arrays: an array carries the error. `#[pack = "gelu"]` before a function or the
/// block names the pack, which is needed where two packs have a function of the name.
///
/// `#[differentiable(blanket)]` before a trait that has an `impl` for all types of a kind, `impl<T: Shape> Double for T`: without it the type that stands
/// for type parameters would have the trait twice, and rustc says that implementations conflict.
///
/// `#[differentiable(overlay = other)]`: derivatives see the body of `other`, which has the same signature. The function's own body may then
/// be anything.
///
/// What a path means is told by how its names are written, as Rust's conventions have it: `Upper` is a type or a variant, `UPPER` a
/// constant, other names are variables and functions. So
///
/// * a variant is written with its type, `Shape::Circle`, not imported by itself;
/// * a function of a trait is called as a method, `shape.area()`, by the trait, `Shape::area(&shape)`, or with the type, `<T as Shape>::area(&shape)`;
/// * functions that are called are differentiable, or known; of others rustc says that it *expected a type*: the enum beside the function.
///
/// Type arguments may be left out in expressions and patterns (`List::Nil`, `helper(x)`), not in types, as in Rust. What stands in the braces of a panic's message is shown if it is there already, a number or a
/// bool in a variable, a field, or a length; other messages are taken as they are written. What `format!` makes of numbers is not known. Overflow of integers, bounds and assertions are checked
/// as in Rust's debug builds, also where the native function is built for release and integers wrap around: derived code gives an error there.
#[proc_macro_attribute]
pub fn differentiable(
    attribute: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand(attribute.into(), item.into())
        .unwrap_or_else(|e| e.to_compile_error())
        .into()
}

/// Makes a function callable in differentiable functions, which take its result as a constant: its derivative is zero. Before a method of a
/// differentiable `impl` too.
///
/// ```ignore
/// #[non_differentiable]
/// fn bucket(x: f64) -> f64 {
///     x.floor()
/// }
/// ```
#[proc_macro_attribute]
pub fn non_differentiable(
    attribute: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let attribute = match attribute.is_empty() {
        true => quote!(constant),
        false => attribute.into(),
    };
    expand(attribute, item.into())
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
/// `==`, `<`, `clone()` and `default()` mean what `#[derive]` makes of them, or what a `#[differentiable] impl` says. The macro sees the derives
/// in the file; of a type that another macro writes they are stated once more: `#[derives(PartialEq, Clone)]` after `#[derive(Differentiable)]`.
#[proc_macro_derive(Differentiable, attributes(derives))]
pub fn derive_differentiable(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let item = syn::parse_macro_input!(item as syn::DeriveInput);
    derive::expand(&item).into()
}

/// For mooncake's own library of methods: replaces the functions of a module by a function `find`, which gives their sources by name. Types
/// may be left out, `_`.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn library(
    _: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let module = syn::parse_macro_input!(item as syn::ItemMod);
    library::expand(&module)
        .unwrap_or_else(|e| e.to_compile_error())
        .into()
}

fn expand(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let role = syn::parse2::<Role>(attribute)?;
    let written = item.clone();
    let parsed = syn::parse2(item)?;
    let takes_role = match role {
        Role::Derived => true,
        Role::Blanket => matches!(parsed, Item::Trait(_)),
        Role::Constant | Role::Overlay(_) => matches!(parsed, Item::Fn(_)),
    };
    let refusal = match parsed {
        Item::Fn(item) if takes_role => return Ok(function::expand(written, item, &role)),
        other if !takes_role => syn::Error::new_spanned(
            first_token(&other),
            match role {
                Role::Blanket => methods::BLANKET,
                _ => "this is about one function; write it before the function itself",
            },
        ),
        Item::ForeignMod(item) => return Ok(pack::expand(&item)),
        Item::Impl(item) => return Ok(methods::expand_impl(item)),
        Item::Trait(item) => return Ok(methods::expand_trait(item, &role)),
        other => syn::Error::new_spanned(
            first_token(&other),
            "`#[differentiable]` stands before a function, an `impl`, a trait or an `extern \"pack\"` block; \
             before a struct or an enum write `#[derive(Differentiable)]`",
        ),
    };
    let error = refusal.to_compile_error();
    Ok(quote!(#written #error))
}

/// What the attribute says about a function.
enum Role {
    Derived,
    Constant,
    Overlay(Box<Path>),
    /// Of a trait: it has an `impl` for all types of a kind.
    Blanket,
}

impl Parse for Role {
    fn parse(input: ParseStream) -> syn::Result<Role> {
        if input.is_empty() {
            return Ok(Role::Derived);
        }
        let name: Ident = input.parse()?;
        match name.to_string().as_str() {
            "constant" => Ok(Role::Constant),
            "blanket" => Ok(Role::Blanket),
            "overlay" => {
                let path = input
                    .parse::<Token![=]>()
                    .and_then(|_| input.call(Path::parse_mod_style));
                match path {
                    Ok(path) => Ok(Role::Overlay(Box::new(path))),
                    Err(_) => Err(syn::Error::new(
                        name.span(),
                        "say what derivatives see: `overlay = other_function`",
                    )),
                }
            }
            _ => Err(syn::Error::new(
                name.span(),
                "the attribute takes nothing, `constant`, or `overlay = other_function`; before a trait also `blanket`",
            )),
        }
    }
}

impl Role {
    fn tokens(&self, reader: &Reader) -> TokenStream {
        match self {
            Role::Derived | Role::Blanket => quote!(__mc::Role::Derived),
            Role::Constant => quote!(__mc::Role::Constant),
            Role::Overlay(path) => {
                let callee = path::callee(reader, path);
                quote!(__mc::Role::Overlay(#callee))
            }
        }
    }
}

/// Where an error about a whole item points.
fn first_token(item: &Item) -> TokenStream {
    item.to_token_stream().into_iter().take(1).collect()
}
