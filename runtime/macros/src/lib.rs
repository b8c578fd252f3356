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
mod forwarding;
mod invocation;
mod library;
mod literal;
mod methods;
mod native;
mod overrides;
mod own_methods;
mod pack;
mod path;
mod pattern;
mod reader;
mod refuse;
mod rule;
mod body_digest;
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
/// # A rule of one's own
///
/// `#[differentiable(rrule = f_rrule, frule = f_frule)]`, either or both, before a function or before a method of a differentiable `impl`: the body is not read, and may be
/// anything. `f_rrule` takes what `f` takes and returns the value and a pullback, `f_frule` takes what `f` takes and then the tangents, and returns the value and its tangent.
///
/// ```text
/// #[differentiable(rrule = f_rrule, frule = f_frule)]
/// fn f(x: &[f64], p: &Point, n: usize) -> f64 { … }
///
/// fn f_rrule(x: &[f64], p: &Point, n: usize) -> (f64, impl FnOnce(f64, &mut [f64]) -> PointGradient + use<>) { … }
/// fn f_frule(x: &[f64], p: &Point, n: usize, dx: &[f64], dp: &PointGradient) -> (f64, f64) { … }
/// ```
///
/// | parameter | the pullback | the `frule` |
/// | --- | --- | --- |
/// | `f64`, `Array<f64>`, tuples and structs, by value or by `&` | returns the cotangent | takes the tangent, by value or by `&` as the parameter is |
/// | `&[f64]` | is passed the shadow, `&mut [f64]`, and adds to it | takes the tangent, `&[f64]` |
/// | `&mut [f64]` | is passed the shadow, which holds the cotangent of the final contents before and that of the initial contents after | takes the tangent, `&mut [f64]`, and changes it as it changes the slice |
/// | integers, bools, slices of them | nothing | nothing |
///
/// The pullback takes the cotangent of the value first, `()` if it has none, and then the shadows. What it returns is `()`, one cotangent by itself, or a tuple of them. What a function
/// writes to a `&mut [T]` is undone by itself. The pullback captures no references and is `Send`. Tangents and cotangents are of the types of gradients; an argument that nobody asks the
/// gradient of has a shadow all the same, and a tangent of zeros. Arrays arrive on the CPU, whatever device they are on.
///
/// Such a rule is of first order (an `overlay` is of any), and is in force in every context. Panics in it are errors of the call.
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
        Role::Constant | Role::Overlay(_) | Role::Own(_) => matches!(parsed, Item::Fn(_)),
    };
    let refusal = match parsed {
        Item::Fn(item) if takes_role => return Ok(function::expand(written, item, &role)),
        other if !takes_role => syn::Error::new_spanned(
            first_token(&other),
            match role {
                Role::Blanket => methods::BLANKET,
                _ => "this attribute applies to a single function; write it before that function",
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
    /// It has a rule of its own.
    Own(Box<rule::NamedRules>),
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
                        "name the function that derivatives use instead: `overlay = other_function`",
                    )),
                }
            }
            "rrule" | "frule" => own(input, name).map(|given| Role::Own(Box::new(given))),
            _ => Err(syn::Error::new(
                name.span(),
                "the attribute takes nothing, `constant`, `overlay = other_function`, or `rrule = f_rrule, frule = f_frule`; before a trait also `blanket`",
            )),
        }
    }
}

/// The functions that are the rule of a function, the name of the first having been read.
fn own(input: ParseStream, first: Ident) -> syn::Result<rule::NamedRules> {
    let mut given = rule::NamedRules::default();
    let mut name = first;
    loop {
        let place = match name.to_string().as_str() {
            "rrule" => &mut given.rrule,
            "frule" => &mut given.frule,
            _ => return Err(syn::Error::new(name.span(), "expected `rrule` or `frule`")),
        };
        let path = input
            .parse::<Token![=]>()
            .and_then(|_| input.call(Path::parse_mod_style));
        let Ok(path) = path else {
            let message = format!("name the function: `{name} = f_{name}`");
            return Err(syn::Error::new(name.span(), message));
        };
        if place.replace(path).is_some() {
            return Err(syn::Error::new(
                name.span(),
                format!("`{name}` is given twice"),
            ));
        }
        if input.parse::<Option<Token![,]>>()?.is_none() || input.is_empty() {
            return Ok(given);
        }
        name = input.parse()?;
    }
}

impl Role {
    fn tokens(&self, reader: &Reader) -> TokenStream {
        match self {
            Role::Derived | Role::Blanket | Role::Own(_) => quote!(__mc::Role::Derived),
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
