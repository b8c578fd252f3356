//! The attribute macros of mooncake.
//!
//! `#[differentiable]` does not change a function. Beside it, it writes an empty enum of the same name, in the type namespace, which holds the
//! source of the function as static data (`mooncake::__private::Source`). The macro reads only syntax. It emits every type and path as it is
//! written, so rustc resolves them.
//!
//! What is not supported is refused here, at its place in the source, with the reason and with what to write instead. All refusals of a function
//! are reported at once.

#![deny(missing_docs)]

mod as_function;
mod derive;
mod derived;
mod expr;
mod format;
mod function;
mod generics;
mod hidden;
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
mod tree;
mod types;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use reader::Reader;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, Item, Path, Token};

/// Makes a function, the methods of an `impl` or a trait, or the functions of an `extern "pack"` block, differentiable.
///
/// The function itself does not change. Beside it, the macro writes an empty enum with the name of the function, so that
/// `ctx.build_rrule::<f>()` can name it. The enum of a generic function has its type parameters: `ctx.build_rrule::<f<f64>>()`.
///
/// So the function's name is taken among types and modules too: a module, a type, a trait or an `extern crate` of this name in the same module is an
/// error (*the name is defined multiple times*), and one that is imported by `*`, or a dependency of this name, is hidden there: write
/// `::name` for the dependency.
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
/// An `extern "pack"` block declares functions that a rule pack defines. They take numbers, `&Array<T>`, `&[T]`, `&mut [T]`, and tuples and
/// structs of numbers and arrays, which are passed as their fields in order. They return numbers, arrays, and tuples and structs of these. When
/// they are called natively, they call the pack that the process has loaded. If there is none, they panic; a function that returns an array
/// returns an array that carries the error instead. `#[pack = "gelu"]` before a function or the block names the pack. This is needed only if two
/// packs have a function of this name.
///
/// `#[differentiable(blanket)]` belongs before a trait with a blanket `impl`, such as `impl<T: Shape> Double for T`. Without it, the type that
/// stands for type parameters would have the trait twice, and rustc would report conflicting implementations.
///
/// `#[differentiable(overlay = other)]`: derivatives are derived from the body of `other`, which has the same signature. The function's own body
/// may then contain any Rust code.
///
/// # Rules of methods
///
/// Rules are built for functions. `#[differentiable(function = name)]` before a method of an `impl` writes a function of that name beside the `impl`. It
/// takes the arguments of the method, `self` first, and calls it. It is as public as the method.
///
/// ```text
/// #[differentiable]
/// impl Model {
///     #[differentiable(function = model_energy)]
///     fn energy(&self, x: &[f64]) -> f64 { … }
/// }
///
/// ctx.build_rrule::<model_energy>()?.value_and_gradient((&model, &x))?
/// ```
///
/// # A function with its own rule
///
/// `#[differentiable(rrule = f_rrule, frule = f_frule)]`, with one of the two or both, before a function or a method of a differentiable `impl`:
/// the body is not read and may contain any Rust code. `f_rrule` takes the arguments of `f`, and returns the value and a pullback. `f_frule`
/// takes the arguments of `f` and then their tangents, and returns the value and its tangent.
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
/// The pullback takes the cotangent of the value, `()` if it has none, and then the shadows. It returns `()`, one cotangent, or a tuple of
/// cotangents. It captures no references and is `Send`. What the function writes to a `&mut [T]` is undone automatically. Tangents and cotangents
/// have the types of gradients. An argument whose gradient is not requested still has a shadow, and its tangent is zero. Arrays are passed on the
/// CPU, whatever their device.
///
/// Such a rule gives first derivatives (an `overlay` gives derivatives of any order), and is in force in every context. A panic in it is an error
/// of the call.
///
/// # Names
///
/// The macro decides by the spelling of a name what it means, following Rust's conventions: `Upper` is a type or a variant, `UPPER` is a
/// constant, and other names are variables and functions. So
///
/// * write a variant with its type, `Shape::Circle`; do not import it by itself;
/// * call a function of a trait as a method, `shape.area()`, by the trait, `Shape::area(&shape)`, or with the type, `<T as Shape>::area(&shape)`;
/// * call only functions that are differentiable or known to this library. For another function rustc reports that it *expected a type*: it looks
///   for the enum beside the function.
///
/// Type arguments may be omitted in expressions and patterns (`List::Nil`, `helper(x)`), but not in types, as in Rust.
///
/// # Panics and overflow
///
/// The message of a panic shows the values in its braces if they are numbers or bools in variables, fields or lengths; other messages are shown
/// as they are written. Text that `format!` makes of numbers has no known content. Integer overflow, bounds and assertions are checked as in
/// Rust's debug builds. This differs from a native function in a release build, whose integers wrap around: derived code returns an error there.
#[proc_macro_attribute]
pub fn differentiable(
    attribute: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand(attribute.into(), item.into())
        .unwrap_or_else(|e| e.to_compile_error())
        .into()
}

/// Makes a function callable in differentiable functions. They take its result, and what it writes to memory behind references, as constants, so
/// their derivatives are zero. Memory that it does not write keeps its derivative. It may also stand before a method of a differentiable `impl`.
///
/// The body is read and compiled as that of a differentiable function is, so it can use only what these can use. A function whose body cannot be read,
/// because it does I/O, starts threads or calls other crates, is written with `#[differentiable(rrule = …)]`, or with
/// `#[differentiable(overlay = …)]`: then the body may contain any Rust code.
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

/// Makes a struct or an enum usable in differentiable functions, and as an argument or result of them.
///
/// The gradient of a `Point` is a `PointGradient`, a type that is written beside it. It has the same fields, each with the gradient type of the
/// field's type: `f64` for `f64`, `()` for types without a derivative, `Vec<f64>` for `Vec<f64>`. The gradient of an enum has the same variants.
/// The gradient of a type without fields is `()`.
///
/// ```ignore
/// #[derive(Differentiable)]
/// struct Layer {
///     weights: Vec<f64>,
///     bias: f64,
/// }
/// ```
/// `==`, `<`, `clone()` and `default()` mean what `#[derive]` makes of them, or what a `#[differentiable] impl` defines. The macro reads the
/// derives in the source file. For a type that another macro writes, repeat them after `#[derive(Differentiable)]`: `#[derives(PartialEq, Clone)]`.
#[proc_macro_derive(Differentiable, attributes(derives))]
pub fn derive_differentiable(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let item = syn::parse_macro_input!(item as syn::DeriveInput);
    derive::expand(&item).into()
}

/// For the library of std's methods inside mooncake: replaces the functions of a module by a function `find`, which returns their sources by name.
/// Types may be omitted with `_`.
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
        Role::Function(_) => false,
    };
    let refusal = match parsed {
        Item::Fn(item) if takes_role => return Ok(function::expand(written, item, &role)),
        other if !takes_role => syn::Error::new_spanned(
            first_token(&other),
            match role {
                Role::Blanket => methods::BLANKET,
                Role::Function(_) => methods::FUNCTION,
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

/// The arguments of the attribute.
enum Role {
    Derived,
    Constant,
    Overlay(Box<Path>),
    /// The function has its own rule.
    Own(Box<rule::NamedRules>),
    /// Of a trait: it has an `impl` for all types of a kind.
    Blanket,
    /// Of a method: a function of this name calls it.
    Function(Ident),
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
            "function" => {
                let function = input
                    .parse::<Token![=]>()
                    .and_then(|_| input.call(Ident::parse));
                function.map(Role::Function).map_err(|_| {
                    let message = "name the function that calls the method: `function = name`";
                    syn::Error::new(name.span(), message)
                })
            }
            "rrule" | "frule" => own(input, name).map(|given| Role::Own(Box::new(given))),
            _ => Err(syn::Error::new(
                name.span(),
                "the attribute takes nothing, `constant`, `overlay = other_function`, or `rrule = f_rrule, frule = f_frule`; before a trait also `blanket`, before a method also `function = name`",
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
            Role::Derived | Role::Blanket | Role::Function(_) | Role::Own(_) => {
                quote!(__mc::Role::Derived)
            }
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
