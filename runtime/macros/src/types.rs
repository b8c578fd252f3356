//! Types in signatures, `let` and casts.
//!
//! A type is emitted as it is written and resolved by rustc, so aliases work. Only types that can never be supported are refused here, where a message
//! can give advice.

use crate::generics;
use crate::reader::Reader;
use crate::tree::{Node, Word};
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Lifetime, ParenthesizedGenericArguments, Type, TypeBareFn, TypePath, TypeReference, parse_quote,
};

/// A function that returns the type: `<T as Typed>::ty`.
pub fn function(reader: &mut Reader, ty: &Type) -> TokenStream {
    check(reader, ty);
    if let Type::Never(_) = ty {
        return quote!(|| __mc::Ty::Never);
    }
    reader.names.function(ty)
}

/// The same, in a node.
pub fn node(reader: &mut Reader, ty: &Type) -> Node {
    Node::ty(function(reader, ty))
}

/// `&[…]`: of a parameter that is a function, the types of the function's own parameters that are references to arrays, vectors and slices, and unknown
/// types for the others; nothing if there are none.
pub fn taken(reader: &mut Reader, ty: &Type) -> TokenStream {
    let Some(bound) = reader.names.function_bound(ty) else {
        return quote!(&[]);
    };
    if !bound.inputs.iter().any(is_view) {
        return quote!(&[]);
    }
    let inputs = bound.inputs.iter().map(|input| match is_view(input) {
        true => function(reader, input),
        false => function(reader, &parse_quote!(_)),
    });
    let inputs: Vec<TokenStream> = inputs.collect();
    quote!(&[#(#inputs),*])
}

/// Whether a type is written as a reference to an array, a vector or a slice.
fn is_view(ty: &Type) -> bool {
    let Type::Reference(reference) = ty else {
        return false;
    };
    match &*reference.elem {
        Type::Array(_) | Type::Slice(_) => true,
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "Vec"),
        _ => false,
    }
}

/// The `RefKind` of a type. For named types rustc determines it, from the type with parameters erased.
pub fn ref_kind(
    ty: &Type,
    erased: &dyn Fn(&Type) -> Type,
    is_parameter: &dyn Fn(&proc_macro2::Ident) -> bool,
) -> TokenStream {
    let ref_kind = |ty: &Type| ref_kind(ty, erased, is_parameter);
    match ty {
        Type::Reference(reference) => {
            let content = ref_kind(&reference.elem);
            quote!(__mc::RefKind::by_reference(#content))
        }
        Type::Path(path) => {
            let is_single = path.qself.is_none() && path.path.segments.len() == 1;
            let first = path.path.segments.first();
            let is_open = first.is_none_or(|first| {
                let projects = !is_single && first.ident == "Self";
                path.qself.is_some() || projects || is_parameter(&first.ident)
            });
            if is_open {
                return quote!(__mc::RefKind::Unknown);
            }
            let named = erased(ty);
            let named = quote!(<__mc::Has<#named>>::FORM);
            match counted(path) {
                Some(content) => {
                    let content = ref_kind(content);
                    quote!(__mc::RefKind::of_pointer(#named, #content))
                }
                None => named,
            }
        }
        Type::Group(inner) => ref_kind(&inner.elem),
        Type::Paren(inner) => ref_kind(&inner.elem),
        Type::Tuple(_)
        | Type::Array(_)
        | Type::Slice(_)
        | Type::TraitObject(_)
        | Type::Never(_) => quote!(__mc::RefKind::Value),
        _ => quote!(__mc::RefKind::Unknown),
    }
}

/// The type of the elements of a list, or of a list behind a reference.
pub fn element(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(reference) => element(&reference.elem),
        Type::Slice(slice) => Some(&slice.elem),
        Type::Array(array) => Some(&array.elem),
        Type::Path(path) => {
            let last = path
                .path
                .segments
                .last()
                .filter(|last| last.ident == "Vec")?;
            match &last.arguments {
                syn::PathArguments::AngleBracketed(list) => match list.args.first()? {
                    syn::GenericArgument::Type(ty) => Some(ty),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}

/// The pointee of an `Rc` or similar pointer, by its spelling.
fn counted(path: &TypePath) -> Option<&Type> {
    let last = path.path.segments.last()?;
    let syn::PathArguments::AngleBracketed(list) = &last.arguments else {
        return None;
    };
    let is_it = ["Rc", "Arc", "Ref", "RefMut"]
        .iter()
        .any(|name| last.ident == name);
    list.args
        .iter()
        .filter(|_| is_it)
        .find_map(|argument| match argument {
            syn::GenericArgument::Type(ty) => Some(ty),
            _ => None,
        })
}

/// The function that returns a type, with its parameters replaced. rustc reports here if it is not a type of the language: of `&[T]` that `T` is none, and
/// of `&[T]` itself nothing then. All such reports have one form, and rustc prints those that are equal once.
pub fn given(ty: &Type, place: Span) -> TokenStream {
    let mut parts = Vec::new();
    parts_of(ty, &mut parts);
    let is_whole = std::ptr::eq(parts[0], ty);
    parts.retain(|part| is_of_an_item(part));
    let part = |ty: &Type| {
        let ty = moved(ty.to_token_stream(), place);
        quote_spanned!(place=> <#ty as __mc::TypeBehind>::shared)
    };
    let checked = parts.iter().map(|ty| part(ty));
    let whole = moved(ty.to_token_stream(), place);
    match (is_whole, parts.is_empty()) {
        (_, true) => quote_spanned!(place=> <#whole as __mc::Typed>::ty),
        (true, false) => part(ty),
        (false, false) => {
            quote_spanned!(place=> { #(let _ = #checked;)* <__mc::Has<#whole>>::TY })
        }
    }
}

/// The tokens with the same meaning at another place.
pub fn moved(tokens: TokenStream, place: Span) -> TokenStream {
    let token = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let mut moved = Group::new(group.delimiter(), self::moved(group.stream(), place));
            moved.set_span(group.span().located_at(place));
            moved.into()
        }
        mut token => {
            token.set_span(token.span().located_at(place));
            token
        }
    };
    tokens.into_iter().map(token).collect()
}

/// The first of the parts of a type.
pub fn named(ty: &Type) -> &Type {
    let mut parts = Vec::new();
    parts_of(ty, &mut parts);
    parts[0]
}

/// Adds the types of which a type is made up: those behind references, in slices, arrays, tuples and the most common containers of std. The type is
/// supported if its parts are. There is at least one part.
fn parts_of<'t>(ty: &'t Type, parts: &mut Vec<&'t Type>) {
    match ty {
        Type::Reference(reference) => parts_of(&reference.elem, parts),
        Type::Slice(slice) => parts_of(&slice.elem, parts),
        Type::Array(array) => parts_of(&array.elem, parts),
        Type::Group(inner) => parts_of(&inner.elem, parts),
        Type::Paren(inner) => parts_of(&inner.elem, parts),
        Type::Tuple(tuple) if (1..=12).contains(&tuple.elems.len()) => {
            tuple.elems.iter().for_each(|ty| parts_of(ty, parts));
        }
        Type::Path(path) => match contained(path) {
            Some(content) => content.into_iter().for_each(|ty| parts_of(ty, parts)),
            None => parts.push(ty),
        },
        _ => parts.push(ty),
    }
}

/// Whether a type is written as `dyn Trait + 'a`.
fn is_bound_to_a_lifetime(ty: &Type) -> bool {
    let is_lifetime =
        |bound: &syn::TypeParamBound| matches!(bound, syn::TypeParamBound::Lifetime(_));
    matches!(ty, Type::TraitObject(object) if object.bounds.iter().any(is_lifetime))
}

/// The type arguments of a container of std, by its spelling.
fn contained(path: &TypePath) -> Option<Vec<&Type>> {
    let last = path.path.segments.last()?;
    const CONTAINERS: [&str; 8] = [
        "Vec", "Box", "Rc", "Arc", "Cell", "RefCell", "Option", "Result",
    ];
    let is_container = CONTAINERS.iter().any(|name| last.ident == name);
    let syn::PathArguments::AngleBracketed(list) = &last.arguments else {
        return None;
    };
    let arguments: Option<Vec<&Type>> = { list.args.iter() }
        .map(|argument| match argument {
            syn::GenericArgument::Type(ty) => Some(ty),
            _ => None,
        })
        .collect();
    arguments.filter(|arguments| is_container && !arguments.is_empty())
}

/// Whether a type is written as the path of an item or as `dyn` with such paths, and not as a built-in type or one that the macro writes.
fn is_of_an_item(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => {
            let first = path.path.segments.first();
            let is_item = |name: &str| name != "__mc" && !is_primitive(name);
            path.qself.is_none() && first.is_some_and(|first| is_item(&first.ident.to_string()))
        }
        Type::TraitObject(object) => !object.bounds.iter().any(is_function),
        _ => false,
    }
}

/// Where a type begins.
pub fn start(ty: &Type) -> Span {
    let first = ty.to_token_stream().into_iter().next();
    first.map_or_else(Span::call_site, |token| token.span())
}

/// The type with the lifetimes of the function's own left out, so that the lifetime of a reference and that of a struct that borrows (`View`) are alike
/// in a signature. `'static` and the lifetimes of the parameters of functions stay.
pub fn elided(ty: &Type) -> Type {
    struct Elide;
    impl VisitMut for Elide {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            if lifetime.ident != "static" {
                *lifetime = Lifetime::new("'_", lifetime.span());
            }
        }
        fn visit_type_bare_fn_mut(&mut self, _: &mut TypeBareFn) {}
        fn visit_parenthesized_generic_arguments_mut(
            &mut self,
            _: &mut ParenthesizedGenericArguments,
        ) {
        }
        fn visit_bound_lifetimes_mut(&mut self, _: &mut syn::BoundLifetimes) {}
    }
    let mut ty = ty.clone();
    Elide.visit_type_mut(&mut ty);
    ty
}

/// The type with one lifetime in place of all that the function leaves open. Where a lifetime is left out of a struct, `View`, only rustc knows that there
/// is one. It puts them in where a function type says nothing of them, and `WithLifetime` gives them a value.
pub fn with_lifetime(ty: &Type, lifetime: &str) -> TokenStream {
    let (ty, lifetime) = (elided(ty), Lifetime::new(lifetime, Span::call_site()));
    quote_spanned!(ty.span()=> <fn(&()) -> #ty as ::mooncake::__private::WithLifetime<#lifetime>>::Of)
}

/// Whether values of the type can only be passed to other differentiable functions: they borrow, or the type has no name.
pub fn is_internal(ty: &Type) -> bool {
    struct Search(bool);
    impl Visit<'_> for Search {
        fn visit_type(&mut self, ty: &Type) {
            let found = match ty {
                Type::Reference(reference) => reference
                    .lifetime
                    .as_ref()
                    .is_none_or(|l| l.ident != "static"),
                Type::ImplTrait(_) | Type::BareFn(_) | Type::Never(_) => true,
                Type::TraitObject(object) => object.bounds.iter().any(is_function),
                _ => false,
            };
            self.0 |= found;
            visit::visit_type(self, ty);
        }
        fn visit_lifetime(&mut self, lifetime: &Lifetime) {
            self.0 |= lifetime.ident != "static";
        }
    }
    let mut search = Search(false);
    search.visit_type(ty);
    search.0
}

/// Whether the type contains a lifetime, written or omitted.
pub fn borrows(ty: &Type) -> bool {
    struct Search(bool);
    impl Visit<'_> for Search {
        fn visit_type_reference(&mut self, _: &TypeReference) {
            self.0 = true;
        }
        fn visit_lifetime(&mut self, _: &Lifetime) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    search.visit_type(ty);
    search.0
}

/// `Send` and `Sync`.
fn is_of_threads(bound: &syn::TypeParamBound) -> bool {
    matches!(bound, syn::TypeParamBound::Trait(bound) if bound.path.is_ident("Send") || bound.path.is_ident("Sync"))
}

/// `Fn(f64) -> f64` and similar bounds.
fn is_function(bound: &syn::TypeParamBound) -> bool {
    matches!(bound, syn::TypeParamBound::Trait(bound)
        if bound.path.segments.last().is_some_and(|last| matches!(last.arguments, syn::PathArguments::Parenthesized(_))))
}

/// Whether the type contains `impl Trait`.
pub fn has_impl_trait(ty: &Type) -> bool {
    struct Search(bool);
    impl Visit<'_> for Search {
        fn visit_type_impl_trait(&mut self, _: &syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    search.visit_type(ty);
    search.0
}

/// Refuses types that are not supported, as far as the syntax tells.
pub fn check(reader: &mut Reader, ty: &Type) {
    check_written(reader, ty, false);
}

/// The same for the type of a field, in which rustc expands macros.
pub fn check_field(reader: &mut Reader, ty: &Type) {
    check_written(reader, ty, true);
}

fn check_written(reader: &mut Reader, ty: &Type, with_macros: bool) {
    struct Check<'r>(&'r mut Reader, bool);
    impl Visit<'_> for Check<'_> {
        fn visit_type(&mut self, ty: &Type) {
            let advice = match ty {
                Type::Ptr(_) => {
                    "raw pointers cannot be differentiated; take a reference or a slice"
                }
                Type::Macro(_) if self.1 => return,
                Type::Macro(_) => "macros are not expanded in types; write the type out",
                Type::TraitObject(object) if object.bounds.iter().any(is_of_threads) => {
                    "values of differentiable functions stay in one thread: leave out `+ Send` and `+ Sync` here"
                }
                Type::Path(path) if is_array_of_halves(path) => return,
                // Any type may be named in it: there is no value of it.
                Type::Path(path) if last_segment(path) == "PhantomData" => return,
                Type::Path(path) => match scalar_advice(path) {
                    Some(advice) => advice,
                    None => return visit::visit_type(self, ty),
                },
                _ => return visit::visit_type(self, ty),
            };
            self.0.refuse(ty, advice);
        }
        // `impl Fn(f64) -> f64` is never emitted.
        fn visit_type_impl_trait(&mut self, _: &syn::TypeImplTrait) {}
    }
    Check(reader, with_macros).visit_type(ty);
}

/// Whether this is `Array<f16>`: arrays have elements that are no numbers of the language.
fn is_array_of_halves(path: &TypePath) -> bool {
    let Some(last) = path.path.segments.last() else {
        return false;
    };
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return false;
    };
    let halves = |argument: &syn::GenericArgument| matches!(argument, syn::GenericArgument::Type(Type::Path(path)) if path.path.is_ident("f16"));
    last.ident == "Array" && arguments.args.len() == 1 && arguments.args.iter().all(halves)
}

fn scalar_advice(path: &TypePath) -> Option<&'static str> {
    Some(match path.path.get_ident()?.to_string().as_str() {
        "char" => "characters are not supported; take numbers",
        "i128" | "u128" => "128-bit integers are not supported; use `i64` or `u64`",
        "f16" => {
            "numbers of this float type are not supported; use `f32`, and `Array<f16>` for an array that is stored in 16 bits"
        }
        "f128" => "this float type is not supported; use `f32` or `f64`",
        _ => return None,
    })
}

/// The last name of a path.
pub fn last_segment(path: &TypePath) -> String {
    path.path
        .segments
        .last()
        .map(|segment| segment.ident.to_string())
        .unwrap_or_default()
}

/// Whether this is the name of a built-in type of Rust.
pub fn is_primitive(name: &str) -> bool {
    matches!(
        name,
        "bool"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "isize"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "usize"
            | "f32"
            | "f64"
            | "str"
            | "char"
    )
}

/// The name of a scalar type's variant of `Type`, by a literal's suffix.
pub fn suffix(name: &str) -> Option<Word<'static>> {
    Some(Word(match name {
        "i8" => "I8",
        "i16" => "I16",
        "i32" => "I32",
        "i64" => "I64",
        "isize" => "Isize",
        "u8" => "U8",
        "u16" => "U16",
        "u32" => "U32",
        "u64" => "U64",
        "usize" => "Usize",
        "f32" => "F32",
        "f64" => "F64",
        _ => return None,
    }))
}

/// A type of a function's signature as an item beside the function states it: as in the function's source, with holes for type parameters, but with the
/// whole path in place of `__mc`.
pub fn outside(ty: &Type, names: &generics::Names) -> Type {
    struct Whole;
    impl VisitMut for Whole {
        fn visit_path_mut(&mut self, path: &mut syn::Path) {
            visit_mut::visit_path_mut(self, path);
            if path.segments[0].ident == "__mc" {
                let rest = path.segments.iter().skip(1);
                *path = syn::parse_quote!(::mooncake::__private::#(#rest)::*);
            }
        }
    }
    let mut ty = names.erased(ty);
    Whole.visit_type_mut(&mut ty);
    ty
}

/// The associated types of type parameters in a type, such as `M::State`.
fn associated(ty: &Type, generics: &syn::Generics) -> Vec<Type> {
    struct Associated<'a>(&'a syn::Generics, Vec<Type>);
    impl<'a> Visit<'a> for Associated<'_> {
        fn visit_type_path(&mut self, ty: &'a TypePath) {
            let segments = &ty.path.segments;
            let is_param = |param: &syn::TypeParam| param.ident == segments[0].ident;
            if ty.qself.is_some() || segments.len() > 1 && self.0.type_params().any(is_param) {
                self.1.push(ty.clone().into());
            }
            visit::visit_type_path(self, ty);
        }
    }
    let mut found = Associated(generics, Vec::new());
    found.visit_type(ty);
    found.1
}

/// The generics of an implementation for a function: without lifetimes, and with three conditions. The associated types among the parameters are types of
/// the language, so are the types of items, and the result can be returned. The latter two conditions are bound to a lifetime, so that it is no error here
/// if they do not hold. Where a type is not supported, the function's source has the error; where a result cannot be returned, the function can only be
/// called by others.
pub fn static_generics(
    generics: &syn::Generics,
    params: &[&Type],
    output: &Type,
    names: &generics::Names,
) -> syn::Generics {
    let is_single =
        |ty: &&Type| is_of_an_item(ty) && !names.depends(ty) && !is_bound_to_a_lifetime(ty);
    let items: Vec<&Type> = { params.iter() }
        .map(|ty| named(ty))
        .filter(is_single)
        .collect();
    let associated = associated(&parse_quote!((#(#params,)*)), generics);
    let mut generics = generics.clone();
    struct Static(Lifetime);
    impl VisitMut for Static {
        fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
            reference.lifetime = Some(self.0.clone());
            visit_mut::visit_type_reference_mut(self, reference);
        }
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            *lifetime = self.0.clone();
        }
        fn visit_trait_bound_mut(&mut self, bound: &mut syn::TraitBound) {
            if bound.lifetimes.is_none() {
                visit_mut::visit_trait_bound_mut(self, bound);
            }
        }
        fn visit_predicate_type_mut(&mut self, predicate: &mut syn::PredicateType) {
            if predicate.lifetimes.is_none() {
                visit_mut::visit_predicate_type_mut(self, predicate);
            }
        }
    }
    generics.params = generics
        .params
        .into_iter()
        .filter(|param| !matches!(param, syn::GenericParam::Lifetime(_)))
        .collect();
    if let Some(clause) = &mut generics.where_clause {
        clause.predicates = std::mem::take(&mut clause.predicates)
            .into_iter()
            .filter(|predicate| !matches!(predicate, syn::WherePredicate::Lifetime(_)))
            .collect();
    }
    Static(Lifetime::new("'static", Span::call_site())).visit_generics_mut(&mut generics);
    let written = generics.clone();
    for param in generics.type_params_mut() {
        let (bound, _) = generics::typed(param, &written);
        param.bounds.push(syn::parse_quote!(#bound));
        param.bounds.push(syn::parse_quote!('static));
    }
    let clause = generics.make_where_clause();
    clause
        .predicates
        .extend(associated.iter().map(|ty| -> syn::WherePredicate {
            let ty = with_lifetime(ty, "'static");
            syn::parse_quote!(#ty: ::mooncake::__private::Typed + 'static)
        }));
    let items = items.iter().map(|ty| -> syn::WherePredicate {
        match ty {
            Type::TraitObject(_) => {
                parse_quote!(for<'__mc> (#ty): ::mooncake::__private::TypeBehind)
            }
            _ => {
                let ty = with_lifetime(ty, "'static");
                parse_quote!(for<'__mc> #ty: ::mooncake::__private::Typed)
            }
        }
    });
    clause.predicates.extend(items);
    clause
        .predicates
        .push(syn::parse_quote!(for<'__mc> #output: ::mooncake::Returned));
    generics
}
