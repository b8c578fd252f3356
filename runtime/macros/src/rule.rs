//! `#[differentiable(rrule = f_rrule, frule = f_frule)]`: a function with its own rule, in plain Rust.
//!
//! The body is not read. The code that is written beside the function calls the function, its `rrule` and its `frule` with the arguments that the host
//! lends. Numbers, arrays, tuples and structs are values, whose cotangents are returned; slices are memory, whose shadows are passed.

use crate::reader::{Reader, text};
use crate::types;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{FnArg, Path, ReturnType, Signature, Type, TypePath, parse_quote};

/// The functions that the attribute names.
#[derive(Default)]
pub struct NamedRules {
    pub rrule: Option<Path>,
    pub frule: Option<Path>,
}

/// How a parameter is passed.
struct Param {
    /// The type of its value, or of its elements.
    ty: Type,
    kind: Passing,
    /// Whether it has a derivative, as far as the name of its type tells.
    is_differentiable: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Passing {
    /// `T`
    Value,
    /// `&T`
    Shared,
    /// `&[T]`
    Slice,
    /// `&mut [T]`
    SliceMut,
}

/// Registers the rule. `owner` is the type of a method, and its trait.
pub fn write(
    reader: &mut Reader,
    signature: &Signature,
    given: &NamedRules,
    path: &str,
    owner: Option<&(Type, Option<Path>)>,
) -> TokenStream {
    if reader.names.count > 0 || signature.generics.type_params().next().is_some() {
        reader.refuse(
            &signature.generics,
            "a function with its own rule has no type parameters; write one function for each type",
        );
    }
    let params = params(reader, signature, owner);
    let ret = match &signature.output {
        ReturnType::Type(_, ty) if types::is_internal(ty) => {
            reader.refuse(ty, "a function with its own rule returns numbers, arrays, and tuples and structs of these");
            parse_quote!(())
        }
        ReturnType::Type(_, ty) => with_owner(ty, owner),
        ReturnType::Default => parse_quote!(()),
    };
    let name = &signature.ident;
    let primal = match owner {
        None => quote!(#name),
        Some((ty, None)) => quote!(<#ty>::#name),
        Some((ty, Some(of))) => quote!(<#ty as #of>::#name),
    };
    let rule = Rule {
        params,
        ret,
        name: text(name),
    };
    let names = signature.inputs.iter().map(|input| match input {
        FnArg::Receiver(_) => "self".to_owned(),
        FnArg::Typed(param) => match &*param.pat {
            syn::Pat::Ident(name) => text(&name.ident),
            _ => "_".to_owned(),
        },
    });
    let at = crate::reader::at(name.span());
    let types = rule.params.iter().map(Param::typed);
    let (primal, ret) = (rule.primal(&primal), &rule.ret);
    let reverse = optional(&given.rrule, |path| rule.reverse(&of_owner(path, owner)));
    let forward = optional(&given.frule, |path| rule.forward(&of_owner(path, owner)));
    let entry = |path: &Option<Path>, entry: TokenStream| match path {
        Some(_) => quote!(::core::option::Option::Some(__mc::own_rule::#entry::<__Rule>())),
        None => quote!(::core::option::Option::None),
    };
    let (rrule, frule) = (
        entry(&given.rrule, quote!(rrule)),
        entry(&given.frule, quote!(frule)),
    );
    quote! {
        #[allow(unused, deprecated, non_local_definitions, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            use ::mooncake::__private as __mc;
            enum __Rule {}
            impl __mc::own_rule::OwnRule for __Rule {
                #primal
                #reverse
                #forward
            }
            __mc::inventory::submit! {
                __mc::own_rule::ProgramRule {
                    path: ::core::concat!(::core::module_path!(), #path),
                    file: ::core::file!(),
                    at: { let __mc::At(line, column) = #at; (line, column) },
                    names: &[#(#names),*],
                    params: || ::std::vec![#(#types),*],
                    ret: || __mc::own_rule::leaves::<#ret>(),
                    primal: __mc::own_rule::primal::<__Rule>(),
                    rrule: #rrule,
                    frule: #frule,
                }
            }
        };
    }
}

fn optional(path: &Option<Path>, write: impl FnOnce(&Path) -> TokenStream) -> TokenStream {
    path.as_ref().map(write).unwrap_or_default()
}

fn params(
    reader: &mut Reader,
    signature: &Signature,
    owner: Option<&(Type, Option<Path>)>,
) -> Vec<Param> {
    let inputs = signature.inputs.iter();
    let params = inputs.map(|input| match input {
        FnArg::Receiver(receiver) => param(reader, &receiver.ty, owner),
        FnArg::Typed(typed) => param(reader, &typed.ty, owner),
    });
    params.collect()
}

fn param(reader: &mut Reader, ty: &Type, owner: Option<&(Type, Option<Path>)>) -> Param {
    let (kind, content) = match ty {
        Type::Reference(reference) => match (&*reference.elem, reference.mutability) {
            (Type::Slice(slice), None) => (Passing::Slice, &*slice.elem),
            (Type::Slice(slice), Some(_)) => (Passing::SliceMut, &*slice.elem),
            (elem, None) => (Passing::Shared, elem),
            (elem, Some(_)) => {
                reader.refuse(ty, "a function with its own rule can change only `&mut [T]` arguments; return other new values");
                (Passing::Value, elem)
            }
        },
        Type::Group(inner) => return param(reader, &inner.elem, owner),
        Type::Paren(inner) => return param(reader, &inner.elem, owner),
        ty => (Passing::Value, ty),
    };
    if types::has_impl_trait(ty) {
        reader.refuse(ty, "a function with its own rule takes numbers, arrays, slices of numbers, and tuples and structs of these");
    }
    let name = match content {
        Type::Path(path) => types::last_segment(path),
        _ => String::new(),
    };
    let is_float = matches!(name.as_str(), "f32" | "f64");
    let is_slice = matches!(kind, Passing::Slice | Passing::SliceMut);
    if is_slice && !types::is_primitive(&name) {
        reader.refuse(content, "write the type of the numbers in the slice by its own name, `f32`, `f64`, `usize` and so on: it says whether there is a shadow");
    }
    Param {
        ty: with_owner(content, owner),
        kind,
        is_differentiable: is_float || !types::is_primitive(&name),
    }
}

/// The type with `Self` replaced.
fn with_owner(ty: &Type, owner: Option<&(Type, Option<Path>)>) -> Type {
    struct Replace<'a>(&'a Type);
    impl VisitMut for Replace<'_> {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            match ty {
                Type::Path(TypePath { qself: None, path }) if path.is_ident("Self") => {
                    *ty = self.0.clone();
                }
                _ => visit_mut::visit_type_mut(self, ty),
            }
        }
    }
    let mut ty = ty.clone();
    if let Some((own, _)) = owner {
        Replace(own).visit_type_mut(&mut ty);
    }
    ty
}

/// The path of a rule, with `Self` replaced by the owner.
fn of_owner(path: &Path, owner: Option<&(Type, Option<Path>)>) -> TokenStream {
    match (owner, path.segments.first()) {
        (Some((ty, _)), Some(first)) if first.ident == "Self" => {
            let rest = path.segments.iter().skip(1);
            quote_spanned!(path.span()=> <#ty> #(::#rest)*)
        }
        _ => quote!(#path),
    }
}

impl Param {
    fn is_memory(&self) -> bool {
        matches!(self.kind, Passing::Slice | Passing::SliceMut)
    }
    /// The types of its leaves.
    fn typed(&self) -> TokenStream {
        let ty = &self.ty;
        match self.kind {
            Passing::Slice => quote!(__mc::own_rule::slice_type::<#ty>()),
            Passing::SliceMut => quote!(__mc::own_rule::slice_mut_type::<#ty>()),
            Passing::Value | Passing::Shared => quote!(__mc::own_rule::leaves::<#ty>()),
        }
    }
    /// How it is read.
    fn read(&self) -> TokenStream {
        let ty = &self.ty;
        match self.kind {
            Passing::Slice => quote!(given.argument::<&[#ty]>()?),
            Passing::SliceMut => quote!(given.argument::<&mut [#ty]>()?),
            Passing::Value | Passing::Shared => quote!(__mc::own_rule::value::<#ty>(given)?),
        }
    }
    /// How it is passed on.
    fn pass(&self, name: &Ident) -> TokenStream {
        match self.kind {
            Passing::Shared => quote!(&#name),
            Passing::SliceMut => quote!(&mut *#name),
            Passing::Value | Passing::Slice => quote!(#name),
        }
    }
    /// The number of its leaves.
    fn count(&self) -> TokenStream {
        let ty = &self.ty;
        match self.is_memory() {
            true => quote!(1usize),
            false => quote!(__mc::own_rule::leaves::<#ty>().len()),
        }
    }
}

/// The rule that is written.
struct Rule {
    params: Vec<Param>,
    ret: Type,
    name: String,
}

impl Rule {
    fn names(&self, prefix: &str) -> Vec<Ident> {
        let places = 0..self.params.len();
        places.map(|n| format_ident!("{prefix}{n}")).collect()
    }
    /// `let a0 = …;`: the arguments; and their positions among the leaves, `at0`, `at1`, ….
    fn read(&self) -> TokenStream {
        let (args, ats) = (self.names("a"), self.names("at"));
        let reads = self.params.iter().map(Param::read);
        let counts = self.params.iter().map(Param::count);
        quote! {
            let at = 0usize;
            #(let (#ats, at) = (at, at + #counts);)*
            #(let #args = #reads;)*
        }
    }
    fn pass(&self) -> Vec<TokenStream> {
        let args = self.names("a");
        let all = self.params.iter().zip(&args);
        all.map(|(param, name)| param.pass(name)).collect()
    }

    fn primal(&self, function: &TokenStream) -> TokenStream {
        let (read, args, ret) = (self.read(), self.pass(), &self.ret);
        let name = &self.name;
        quote! {
            const NAME: &'static str = #name;
            fn primal(given: &__mc::own_rule::Given<'_>) -> __mc::own_rule::Outcome {
                #read
                let y: #ret = #function(#(#args),*);
                __mc::own_rule::encode(given, &y)
            }
        }
    }

    /// The parameters that have a derivative, with their positions: those whose shadows are passed, or those whose cotangents are
    /// returned.
    fn smooth(&self, memory: bool) -> impl Iterator<Item = (usize, &Param)> {
        let params = self.params.iter().enumerate();
        params.filter(move |(_, param)| param.is_differentiable && param.is_memory() == memory)
    }

    fn reverse(&self, function: &TokenStream) -> TokenStream {
        let (read, args, ret) = (self.read(), self.pass(), &self.ret);
        let (mut before, mut shadows, mut after, mut cotangents) =
            (quote!(), quote!(), quote!(), Vec::new());
        for (n, Param { ty, .. }) in self.smooth(true) {
            let (arg, at, len) = (numbered("a", n), numbered("at", n), numbered("len", n));
            let (shadow, room) = (numbered("d", n), numbered("room", n));
            before.extend(quote!(let #len = #arg.len();));
            shadows.extend(quote! {
                let mut #room = ::std::vec::Vec::new();
                let #shadow = __mc::own_rule::shadow::<#ty>(back, #at, #len, &mut #room)?;
            });
        }
        for (n, Param { ty, .. }) in self.smooth(false) {
            let (at, cotangent) = (numbered("at", n), numbered("d", n));
            after.extend(quote!(__mc::own_rule::add::<#ty>(back, #at, #cotangent)?;));
            cotangents.push(cotangent);
        }
        let params = self.params.iter().enumerate();
        for (n, _) in params.filter(|(_, param)| param.kind == Passing::SliceMut) {
            let (arg, at, kept) = (numbered("a", n), numbered("at", n), numbered("kept", n));
            before.extend(quote!(let #kept = #arg.to_vec();));
            after.extend(quote!(__mc::own_rule::restore(back, #at, &#kept)?;));
        }
        let passed = self.smooth(true).map(|(n, _)| numbered("d", n));
        let cotangents = match &cotangents[..] {
            [one] => quote!(#one),
            all => quote!((#(#all),*)),
        };
        let call = quote_spanned!(function.span()=> #function(#(#args),*));
        quote! {
            fn rrule(given: &__mc::own_rule::Given<'_>) -> __mc::own_rule::Outcome {
                #read
                #before
                let (y, pullback) = #call;
                __mc::own_rule::encode::<#ret>(given, &y)?;
                __mc::own_rule::give_pullback::<Self>(given, move |back| {
                    let seed = __mc::own_rule::seed::<#ret>(back)?;
                    #shadows
                    let #cotangents = pullback(seed, #(#passed),*);
                    #after
                    ::core::result::Result::Ok(())
                })
            }
        }
    }

    fn forward(&self, function: &TokenStream) -> TokenStream {
        let (read, args, ret) = (self.read(), self.pass(), &self.ret);
        let (mut before, mut tangents) = (quote!(), Vec::new());
        let params = self.params.iter().enumerate();
        for (n, Param { ty, kind, .. }) in params.filter(|(_, param)| param.is_differentiable) {
            let (arg, at) = (numbered("a", n), numbered("at", n));
            let (tangent, room) = (numbered("d", n), numbered("room", n));
            let memory = quote!((tangents, #at, #arg.len(), &mut #room)?);
            before.extend(match kind {
                Passing::Slice => quote! {
                    let mut #room = ::std::vec::Vec::new();
                    let #tangent = __mc::own_rule::tangents_of::<#ty> #memory;
                },
                Passing::SliceMut => quote! {
                    let mut #room = ::std::vec::Vec::new();
                    let #tangent = __mc::own_rule::tangents_of_mut::<#ty> #memory;
                },
                Passing::Value | Passing::Shared => {
                    quote!(let #tangent = __mc::own_rule::tangent::<#ty>(tangents, #at, &#arg)?;)
                }
            });
            tangents.push(match kind {
                Passing::Shared => quote!(&#tangent),
                Passing::Value | Passing::Slice | Passing::SliceMut => quote!(#tangent),
            });
        }
        let call = quote_spanned!(function.span()=> #function(#(#args,)* #(#tangents),*));
        quote! {
            fn frule(given: &__mc::own_rule::Given<'_>) -> __mc::own_rule::Outcome {
                let tangents = &__mc::own_rule::Tangents::new(given);
                #read
                #before
                let (y, dy) = #call;
                __mc::own_rule::encode::<#ret>(given, &y)?;
                __mc::own_rule::give_tangent::<#ret>(tangents, dy)
            }
        }
    }
}

fn numbered(prefix: &str, n: usize) -> Ident {
    format_ident!("{prefix}{n}")
}
