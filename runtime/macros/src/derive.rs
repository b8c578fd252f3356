//! `#[derive(Differentiable)]`: writes the description of a struct or an enum, the type of its gradient, and how its values go into calls and come back.
//!
//! The gradient type of `Point` is `PointGradient`, with the same fields. Each field has the gradient type of the original field. The gradient of a type
//! without fields is `()`.

use crate::generics::{Names, Own, StandIn, is_unwritable};
use crate::reader::Reader;
use crate::{path, types};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::punctuated::Punctuated;
use syn::{
    Data, DeriveInput, Error, Fields, GenericParam, Generics, Ident, Result, Token, Type,
    TypeParamBound, WherePredicate, parse_quote,
};

/// The items that are written beside the struct or enum.
pub fn expand(input: &DeriveInput) -> TokenStream {
    let mut input = input.clone();
    place_types(&mut input);
    match Item::read(&input) {
        Ok(item) => item.expand(),
        Err(error) => error.to_compile_error(),
    }
}

/// Gives each type of a field the place at which a type that it names first stands, so that rustc reports once that such a type is not supported.
fn place_types(input: &mut DeriveInput) {
    let names = Names::default();
    let fields: Vec<&mut syn::Field> = match &mut input.data {
        Data::Struct(data) => data.fields.iter_mut().collect(),
        Data::Enum(data) => (data.variants.iter_mut())
            .flat_map(|variant| variant.fields.iter_mut())
            .collect(),
        Data::Union(_) => Vec::new(),
    };
    for field in fields {
        let place = names.place(&field.ty);
        if let Ok(ty) = syn::parse2(types::moved(field.ty.to_token_stream(), place)) {
            field.ty = ty;
        }
    }
}

/// A struct or an enum, as far as this macro reads it.
struct Item<'a> {
    input: &'a DeriveInput,
    is_enum: bool,
    variants: Vec<Variant<'a>>,
    /// The type and const parameters.
    params: Vec<&'a GenericParam>,
    /// The types that stand for the parameters outside of the `impl`.
    holes: Names,
    /// The types that stand for omitted arguments.
    omitted: Names,
}

/// A variant, or the fields of a struct.
struct Variant<'a> {
    name: &'a Ident,
    fields: &'a Fields,
}

impl Variant<'_> {
    /// Names for the fields: `a0`, `a1`, …
    fn names(&self, prefix: &str) -> Vec<Ident> {
        let name = |(i, field): (usize, &syn::Field)| {
            let span = Span::call_site().located_at(types::start(&field.ty));
            format_ident!("{prefix}{i}", span = span)
        };
        self.fields.iter().enumerate().map(name).collect()
    }
}

/// Whether the discriminants of an enum are known to increase from one variant to the next.
fn ascends(data: &syn::DataEnum) -> bool {
    let mut last: Option<i128> = None;
    data.variants.iter().all(|variant| {
        let next = match &variant.discriminant {
            None => last.map_or(Some(0), |n| n.checked_add(1)),
            Some((_, value)) => literal(value),
        };
        let grows = next.is_some() && last < next;
        last = next;
        grows
    })
}

/// A written integer, with an optional sign.
fn literal(value: &syn::Expr) -> Option<i128> {
    match value {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(n),
            ..
        }) => n.base10_parse().ok(),
        syn::Expr::Unary(syn::ExprUnary {
            op: syn::UnOp::Neg(_),
            expr,
            ..
        }) => Some(-literal(expr)?),
        _ => None,
    }
}

impl<'a> Item<'a> {
    fn read(input: &'a DeriveInput) -> Result<Item<'a>> {
        let variants = match &input.data {
            Data::Struct(data) => vec![Variant {
                name: &input.ident,
                fields: &data.fields,
            }],
            Data::Enum(data) => (data.variants.iter())
                .map(|v| Variant {
                    name: &v.ident,
                    fields: &v.fields,
                })
                .collect(),
            Data::Union(data) => {
                let message = "a union does not record which of its fields is valid; use an enum";
                return Err(Error::new(data.union_token.span, message));
            }
        };
        let mut reader = Reader::default();
        let fields = variants.iter().flat_map(|variant| variant.fields);
        fields.for_each(|field| types::check_field(&mut reader, &field.ty));
        if let Some(error) = reader.into_error() {
            return Err(error);
        }
        let mut params = input.generics.type_params();
        let is_refused = |param: &&syn::TypeParam| {
            is_unwritable(param, &input.generics)
                && StandIn::new(param, &input.generics, 0).is_none()
        };
        if let Some(param) = params.find(is_refused) {
            let message = "the bound of this parameter does not say what it iterates over, so that no type can stand for the parameter; \
                 write `I: Iterator<Item = f64>`, or leave the bound out here and write it before the methods that need it: `impl<I: Iterator<Item = f64>> …`";
            return Err(Error::new(param.ident.span(), message));
        }
        let params = input.generics.params.iter();
        let mut holes = Names::default();
        holes.add_owner(&input.generics);
        let omitted = holes.clone().omitted();
        Ok(Item {
            holes: with_own(input, holes),
            omitted: with_own(input, omitted),
            input,
            is_enum: matches!(input.data, Data::Enum(_)),
            variants,
            params: params
                .filter(|p| !matches!(p, GenericParam::Lifetime(_)))
                .collect(),
        })
    }

    fn expand(&self) -> TokenStream {
        let gradient = self.gradient_type();
        let described = self.described();
        let typed = self.typed();
        let open = self.open();
        let undropped = self.undropped();
        let stand_ins = [self.holes.stand_ins(), self.omitted.stand_ins()];
        let constant = self.constant();
        let value = self.value();
        let cotangent = self.cotangent();
        quote! {
            #gradient
            #[allow(unused, deprecated, clippy::all, clippy::pedantic, clippy::nursery)]
            const _: () = {
                use ::mooncake::__private as __mc;
                use __mc::HasNot as _;
                #(#stand_ins)*
                #described
                #typed
                #open
                #undropped
                #constant
                __mc::marshal! {
                    #value
                    #cotangent
                }
            };
        }
    }

    /// Compiled code drops nothing, so a `Drop` of the type would not run. If the type implements `Drop`, these two implementations conflict and rustc
    /// reports it.
    fn undropped(&self) -> TokenStream {
        let name = &self.input.ident;
        let (implement, arguments, clause) = self.input.generics.split_for_impl();
        quote! {
            trait ATypeWithDropIsNotDifferentiable {}
            #[allow(drop_bounds)]
            impl<T: ?::core::marker::Sized + ::core::ops::Drop> ATypeWithDropIsNotDifferentiable for T {}
            #[automatically_derived]
            impl #implement ATypeWithDropIsNotDifferentiable for #name #arguments #clause {}
        }
    }

    /// Writes the values of constant items.
    fn constant(&self) -> TokenStream {
        let name = &self.input.ident;
        let mut generics = self.bounded(&quote!(__mc::Typed));
        let params = generics.type_params_mut();
        params.for_each(|param| param.bounds.push(parse_quote!(__mc::ToConstant)));
        let (implement, arguments, clause) = generics.split_for_impl();
        let found = self.match_self(|n, _, fields| {
            let n = n as u32;
            quote!(__mc::Constant::of_fields::<Self, _>(#n, [#((&&&__mc::FieldValue(#fields)).constant()),*]))
        });
        quote! {
            #[automatically_derived]
            impl #implement __mc::ToConstant for #name #arguments #clause {
                fn to_constant(&self) -> __mc::Constant {
                    use __mc::{ConstantField as _, OtherField as _, TypedField as _};
                    #found
                }
            }
        }
    }

    fn fields(&self) -> impl Iterator<Item = &syn::Field> {
        self.variants.iter().flat_map(|v| v.fields.iter())
    }
    /// Whether the gradient type is a new type.
    fn has_gradient(&self) -> bool {
        self.fields().next().is_some()
    }
    fn gradient_name(&self) -> Ident {
        format_ident!("{}Gradient", self.input.ident)
    }
    /// The type as it is written, with `Self` replaced by its name and all lifetimes by `'static`.
    fn stated(&self, ty: &Type) -> Type {
        with_own(self.input, Names::default()).erased(ty)
    }
    fn names(&self) -> Vec<&Ident> {
        let names = self.params.iter().filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            GenericParam::Const(param) => Some(&param.ident),
            GenericParam::Lifetime(_) => None,
        });
        names.collect()
    }
    /// The generics of an `impl`, with an additional bound for each parameter. Types live for ever here, so what else is said of their lifetimes is left out.
    fn bounded(&self, bound: &TokenStream) -> Generics {
        let mut generics = self.input.generics.clone();
        let is_trait = |bound: &TypeParamBound| !matches!(bound, TypeParamBound::Lifetime(_));
        let retain = |bounds: &mut Punctuated<TypeParamBound, Token![+]>| {
            *bounds = std::mem::take(bounds)
                .into_iter()
                .filter(is_trait)
                .collect();
        };
        for param in generics.type_params_mut() {
            retain(&mut param.bounds);
            param.bounds.push(parse_quote!(#bound));
            param.bounds.push(parse_quote!('static));
        }
        for predicate in generics
            .where_clause
            .iter_mut()
            .flat_map(|clause| &mut clause.predicates)
        {
            if let WherePredicate::Type(predicate) = predicate {
                retain(&mut predicate.bounds);
            }
        }
        generics
    }
    /// The same for the gradient type, which has no lifetimes.
    fn gradient_generics(&self, bound: &TokenStream) -> Generics {
        let mut generics = self.bounded(bound);
        generics.params = (generics.params.into_iter())
            .filter(|p| !matches!(p, GenericParam::Lifetime(_)))
            .collect();
        if let Some(clause) = &mut generics.where_clause {
            clause.predicates = (std::mem::take(&mut clause.predicates).into_iter())
                .filter(|p| !matches!(p, WherePredicate::Lifetime(_)))
                .collect();
        }
        generics
    }
    fn gradient_of(&self, field: &syn::Field) -> TokenStream {
        let ty = self.stated(&field.ty);
        quote!(<#ty as ::mooncake::__private::Typed>::Gradient)
    }

    /// `PointGradient`
    fn gradient_type(&self) -> TokenStream {
        if !self.has_gradient() {
            return TokenStream::new();
        }
        let (name, own) = (self.gradient_name(), &self.input.ident);
        let visibility = &self.input.vis;
        let generics = self.gradient_generics(&quote!(::mooncake::__private::Typed));
        let (_, _, clause) = generics.split_for_impl();
        let body = |variant: &Variant| {
            let fields = variant.fields.iter().map(|field| {
                let (vis, ty) = (&field.vis, self.gradient_of(field));
                let doc = field.ident.as_ref().map(|name| {
                    let doc = format!("That of `{name}`.");
                    quote!(#[doc = #doc] #vis #name:)
                });
                let doc = doc.unwrap_or_else(|| quote!(#vis));
                quote!(#doc #ty)
            });
            match variant.fields {
                Fields::Named(_) => quote!({ #(#fields),* }),
                Fields::Unnamed(_) => quote!((#(#fields),*)),
                Fields::Unit => TokenStream::new(),
            }
        };
        let doc = format!("The gradient of a [`{own}`]: that of each of its fields.");
        // `derive` would demand the traits of type parameters, too, although only the gradients of these need them.
        let (derived, written) = match self.params.is_empty() {
            true => (
                quote!(#[derive(::core::clone::Clone, ::core::cmp::PartialEq, ::core::fmt::Debug)]),
                TokenStream::new(),
            ),
            false => (TokenStream::new(), self.gradient_traits(&generics)),
        };
        let derives = quote! {
            #[doc = #doc]
            #derived
            #[allow(dead_code, private_bounds, private_interfaces, clippy::all, clippy::pedantic)]
        };
        let definition = if self.is_enum {
            let variants = self.variants.iter().map(|variant| {
                let doc = format!("That of [`{own}::{}`].", variant.name);
                let (name, body) = (variant.name, body(variant));
                quote!(#[doc = #doc] #name #body)
            });
            quote!(#derives #visibility enum #name #generics #clause { #(#variants),* })
        } else {
            let body = body(&self.variants[0]);
            match self.variants[0].fields {
                Fields::Named(_) => {
                    quote!(#derives #visibility struct #name #generics #clause #body)
                }
                _ => quote!(#derives #visibility struct #name #generics #body #clause;),
            }
        };
        let default = self.gradient_default(&generics);
        quote!(#definition #default #written)
    }

    /// The traits that every gradient has, for a generic type.
    fn gradient_traits(&self, generics: &Generics) -> TokenStream {
        let name = self.gradient_name();
        let (implement, arguments, clause) = generics.split_for_impl();
        let this = quote!(Self);
        let cloned = self.match_self(|_, variant, names| {
            construct(&this, variant, self.is_enum, |i, _| {
                let field = &names[i];
                quote!(::core::clone::Clone::clone(#field))
            })
        });
        let compared = self.variants.iter().map(|variant| {
            let (a, b) = (
                self.pattern(&this, variant, "a"),
                self.pattern(&this, variant, "b"),
            );
            let equal = (0..variant.fields.len()).map(|i| {
                let (a, b) = (format_ident!("a{i}"), format_ident!("b{i}"));
                quote!(*#a == *#b)
            });
            quote!((#a, #b) => true #(&& #equal)*)
        });
        let shown = self.match_self(|_, variant, names| {
            let text = match self.is_enum {
                true => variant.name.to_string(),
                false => name.to_string(),
            };
            let named = matches!(variant.fields, Fields::Named(_));
            let fields = variant.fields.iter().enumerate().map(|(i, field)| {
                let (value, name) = (&names[i], field_name(i, field));
                match named {
                    true => quote!(.field(#name, #value)),
                    false => quote!(.field(#value)),
                }
            });
            let kind = match named {
                true => quote!(debug_struct),
                false => quote!(debug_tuple),
            };
            quote!(f.#kind(#text) #(#fields)* .finish())
        });
        quote! {
            #[automatically_derived]
            #[allow(private_bounds, private_interfaces, clippy::all, clippy::pedantic)]
            const _: () = {
                impl #implement ::core::clone::Clone for #name #arguments #clause {
                    fn clone(&self) -> Self {
                        #cloned
                    }
                }
                impl #implement ::core::cmp::PartialEq for #name #arguments #clause {
                    fn eq(&self, other: &Self) -> bool {
                        match (self, other) {
                            #(#compared,)*
                            #[allow(unreachable_patterns)]
                            _ => false,
                        }
                    }
                }
                impl #implement ::core::fmt::Debug for #name #arguments #clause {
                    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                        #shown
                    }
                }
            };
        }
    }

    /// `match self { … }` with an arm for each variant, whose fields are bound to the names. A type without values has no arms.
    fn match_self(&self, arm: impl Fn(usize, &Variant, &[Ident]) -> TokenStream) -> TokenStream {
        if self.variants.is_empty() {
            return quote!(match *self {});
        }
        let arms = self.variants.iter().enumerate().map(|(n, variant)| {
            let pattern = self.pattern(&quote!(Self), variant, "a");
            let body = arm(n, variant, &variant.names("a"));
            quote!(#pattern => #body)
        });
        quote!(match self { #(#arms,)* })
    }
    /// `let Self { … } = self;`, for a struct: binds its fields to the names.
    fn unpack(&self) -> (TokenStream, Vec<Ident>) {
        let variant = &self.variants[0];
        let pattern = self.pattern(&quote!(Self), variant, "a");
        (quote!(let #pattern = self;), variant.names("a"))
    }
    /// A statement that tells a visitor which variant of an enum is live.
    fn visited_variant(&self, n: usize) -> Option<TokenStream> {
        let n = n as u64;
        self.is_enum.then(|| quote!(visitor.bits(#n);))
    }

    /// `Self::Circle { radius: a0 }`
    fn pattern(&self, ty: &TokenStream, variant: &Variant, prefix: &str) -> TokenStream {
        construct(ty, variant, self.is_enum, |i, _| {
            let name = format_ident!("{prefix}{i}");
            quote!(#name)
        })
    }

    /// `Default` for the gradient: for a struct whose fields all have a default, and for an enum with a variant without fields.
    fn gradient_default(&self, generics: &Generics) -> TokenStream {
        let name = self.gradient_name();
        let mut generics = generics.clone();
        let value = if self.is_enum {
            match self.variants.iter().find(|v| v.fields.is_empty()) {
                Some(variant) => construct(&quote!(Self), variant, self.is_enum, |_, _| quote!()),
                None => return TokenStream::new(),
            }
        } else {
            let clause = generics.make_where_clause();
            for field in self.fields() {
                let ty = self.gradient_of(field);
                // A condition that is bound to a lifetime is no error where it does not hold.
                let bound = parse_quote!(for<'__mc> #ty: ::core::default::Default);
                clause.predicates.push(bound);
            }
            construct(&quote!(Self), &self.variants[0], false, |_, _| {
                quote!(::core::default::Default::default())
            })
        };
        let (implement, arguments, clause) = generics.split_for_impl();
        quote! {
            #[automatically_derived]
            #[allow(private_bounds, private_interfaces)]
            impl #implement ::core::default::Default for #name #arguments #clause {
                fn default() -> Self {
                    #value
                }
            }
        }
    }

    fn described(&self) -> TokenStream {
        let name = &self.input.ident;
        let text = name.to_string();
        let (implement, arguments, clause) = self.input.generics.split_for_impl();
        let (is_enum, params) = (self.is_enum, self.params.len() as u32);
        let by_hand = self.by_hand();
        let variants = self.variants.iter().map(|variant| {
            let name = variant.name.to_string();
            let fields = variant.fields.iter().enumerate().map(|(i, field)| {
                let name = field_name(i, field);
                let (ty, ref_kind) = (
                    self.holes.function(&field.ty),
                    self.holes.ref_kind(&field.ty),
                );
                quote!(__mc::Field { name: #name, ty: #ty, ref_kind: #ref_kind })
            });
            quote!(__mc::Variant { name: #name, fields: &[#(#fields),*] })
        });
        quote! {
            #[automatically_derived]
            impl #implement __mc::Described for #name #arguments #clause {
                fn adt() -> &'static __mc::Adt {
                    static ADT: __mc::Adt = __mc::Adt {
                        path: ::core::concat!(::core::module_path!(), "::", #text, ":", ::core::line!(), ":", ::core::column!()),
                        name: #text,
                        is_enum: #is_enum,
                        params: #params,
                        #by_hand
                        variants: &[#(#variants),*],
                    };
                    &ADT
                }
            }
        }
    }

    /// Whether the type implements `Clone`, and which traits are implemented by hand, that is, not derived. A generic type may implement them only for
    /// some arguments, so a trait that it does not derive counts as hand-written; this is used only where rustc has found the trait.
    fn by_hand(&self) -> TokenStream {
        let derived = crate::derived::derived(self.input);
        // Variants are ordered by their discriminants, not by their position.
        let renumbered = match &self.input.data {
            Data::Enum(data) => !ascends(data),
            _ => false,
        };
        let own = own(&self.holes);
        let is_generic = !self.params.is_empty();
        let asked = |constant: &str| {
            let constant = format_ident!("{constant}");
            quote!(<__mc::Has<#own>>::#constant)
        };
        let has = |name: &str, constant: &str| match derived.contains(&name) {
            true => quote!(false),
            false if is_generic => quote!(true),
            false => asked(constant),
        };
        let (eq, partial) = (has("PartialEq", "EQ"), has("PartialOrd", "PARTIAL_ORD"));
        // A type may implement `PartialOrd` without `Ord`.
        let total = match derived.contains(&"Ord") {
            true => quote!(false),
            false => asked("ORD"),
        };
        let (clone, default) = (has("Clone", "CLONE"), has("Default", "DEFAULT"));
        // If the type has no `Clone`, only references to it can be cloned.
        let is_clone = match is_generic || derived.contains(&"Clone") {
            true => quote!(true),
            false => asked("CLONE"),
        };
        quote! {
            derefs: <__mc::Has<#own>>::DEREF,
            is_clone: #is_clone,
            by_hand: __mc::ByHand {
                eq: #eq,
                ord: #renumbered || #partial || #total,
                clone: #clone,
                default: #default,
            },
        }
    }

    fn typed(&self) -> TokenStream {
        let name = &self.input.ident;
        let generics = self.bounded(&quote!(__mc::Typed));
        let (implement, arguments, clause) = generics.split_for_impl();
        let gradient = self.gradient();
        let params = self.params.iter().zip(self.names());
        let params = params.map(|(param, name)| match param {
            GenericParam::Const(_) => quote!(__mc::Parameter::ty(#name)),
            _ => quote!(<#name as __mc::Typed>::ty()),
        });
        let slice = match self.has_gradient() {
            true => quote!(::std::vec::Vec<#gradient>),
            false => quote!(()),
        };
        quote! {
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl #implement __mc::Typed for #name #arguments #clause {
                type Gradient = #gradient;
                type SliceGradient = #slice;
                fn ty() -> __mc::Ty {
                    __mc::Ty::adt(<Self as __mc::Described>::adt(), &[#(#params),*])
                }
            }
        }
    }
    /// The meaning of a path without type arguments in a differentiable function: `List::Nil` has the type `List<_>`. See `Open`.
    fn open(&self) -> TokenStream {
        let own = own(&self.omitted);
        let mut generics = self.input.generics.clone();
        let mut predicates: Vec<syn::WherePredicate> = Vec::new();
        for param in generics.type_params() {
            let (name, bounds) = (&param.ident, &param.bounds);
            let bounds = bounds.iter().filter(|bound| match bound {
                syn::TypeParamBound::Trait(bound) => {
                    matches!(bound.modifier, syn::TraitBoundModifier::None)
                }
                _ => false,
            });
            predicates.extend(bounds.map(|bound| parse_quote!(#name: #bound)));
        }
        predicates.extend(generics.make_where_clause().predicates.iter().cloned());
        for predicate in &mut predicates {
            *predicate = self.omitted.erased_predicate(predicate);
            if let syn::WherePredicate::Type(predicate) = predicate
                && predicate.lifetimes.is_none()
            {
                // Bound to a lifetime, a condition that does not hold is no error: then type arguments have to be written.
                for bound in &mut predicate.bounds {
                    if let syn::TypeParamBound::Trait(bound) = bound {
                        let lifetimes = bound.lifetimes.get_or_insert_default();
                        lifetimes.lifetimes.push(parse_quote!('__mc));
                    }
                }
            }
        }
        let name = self.input.ident.to_string();
        let like_std = path::is_generic_in_std(&name).then(|| {
            quote! {
                #[doc(hidden)]
                pub fn __mc_std(_: __mc::Unknown) -> __mc::Ty {
                    <Self as __mc::Typed>::ty()
                }
            }
        });
        let made_like_std = { self.variants.iter() }
            .any(|variant| path::is_variant_in_std(&variant.name.to_string()))
            .then(|| {
                quote! {
                    #[doc(hidden)]
                    pub fn __mc_made_like_std(&self) -> ::core::marker::PhantomData<Self> {
                        ::core::marker::PhantomData
                    }
                }
            });
        quote! {
            #[automatically_derived]
            impl #own where #(#predicates),* {
                #[doc(hidden)]
                pub fn __mc_ty(_: __mc::Unknown) -> __mc::Ty {
                    <Self as __mc::Typed>::ty()
                }
                #like_std
                #made_like_std
                #[doc(hidden)]
                pub fn __mc_made(&self) -> ::core::marker::PhantomData<Self> {
                    ::core::marker::PhantomData
                }
            }
        }
    }
    /// How values go into calls and come back, and how they are arguments.
    fn value(&self) -> TokenStream {
        let name = &self.input.ident;
        let generics = self.bounded(&quote!(__mc::Value));
        let (implement, arguments, clause) = generics.split_for_impl();
        let gradient = self.gradient();
        let this = quote!(Self);
        let zero = self.match_self(|_, variant, names| {
            self.gradient_value(variant, |i, _| {
                let name = &names[i];
                quote!(__mc::Value::zero(#name, seen))
            })
        });
        let copy = self.match_self(|_, variant, names| {
            let value = construct(&this, variant, self.is_enum, |i, _| {
                let name = &names[i];
                quote!(__mc::Value::copy(#name, seen)?)
            });
            quote!(__mc::Result::Ok(#value))
        });
        let visit = self.match_self(|n, _, names| {
            let which = self.visited_variant(n);
            quote!({ #which #(__mc::Visit::visit(#names, visitor);)* })
        });
        let (form, fields) = (self.form(), self.each_field());
        let tested = self.tested();
        quote! {
            #[automatically_derived]
            impl #implement __mc::Value for #name #arguments #clause {
                #form
                #fields
                fn zero(&self, seen: &mut __mc::Seen) -> #gradient {
                    #zero
                }
                fn copy(&self, seen: &mut __mc::Copies) -> __mc::Result<Self> {
                    #copy
                }
            }
            #[automatically_derived]
            impl #implement __mc::Visit for #name #arguments #clause {
                #[inline]
                fn visit(&mut self, visitor: &mut __mc::Visitor<'_>) {
                    #visit
                }
            }
            #tested
            #[automatically_derived]
            impl #implement __mc::Argument<#name #arguments> for #name #arguments #clause {
                type Gradient = #gradient;
                fn activity(activity: &mut __mc::Activity) {
                    __mc::argument_itself::activity::<Self>(activity);
                }
                fn encode<'mc>(&'mc mut self, call: &mut __mc::Call<'mc>) -> __mc::Result<()> {
                    __mc::argument_itself::encode::<Self>(self, call)
                }
                const NUMBERS: ::core::option::Option<__mc::Numbers> = <Self as __mc::Value>::NUMBERS;
                #[inline]
                fn give<'mc>(&'mc self, call: &mut __mc::Direct<'_, 'mc>) {
                    __mc::Value::give_numbers(self, call);
                }
                fn gradient(&self) -> #gradient {
                    __mc::argument_itself::gradient::<Self>(self)
                }
                fn update(&mut self, reader: &mut __mc::Reader<'_>) -> __mc::Result<()> {
                    __mc::argument_itself::update::<Self>(self, reader)
                }
            }
        }
    }
    /// The gradient as a tangent, for parameters by value and by reference.
    fn tangents(&self) -> TokenStream {
        let (name, own) = (self.gradient_name(), &self.input.ident);
        let (_, of, _) = self.input.generics.split_for_impl();
        let mut generics = self.bounded(&quote!(__mc::Value));
        let written: [GenericParam; 2] = [
            parse_quote!(__McParam: __mc::Passed<#own #of>),
            parse_quote!(__McArgument: __mc::Argument<__McParam>),
        ];
        generics.params.extend(written);
        let params = self.names();
        let (implement, _, clause) = generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #implement __mc::Tangent<__McParam, __McArgument> for #name<#(#params),*> #clause {
                fn activity(activity: &mut __mc::Activity) {
                    __mc::tangent_itself::activity::<__McParam, __McArgument>(activity);
                }
                fn encode<'mc>(&'mc mut self, call: &mut __mc::Call<'mc>) -> __mc::Result<()> {
                    __mc::tangent_itself::encode(self, call)
                }
                fn moved(&mut self, results: &mut __mc::Results<'_>) -> __mc::Result<()> {
                    __mc::tangent_itself::moved::<__McParam, __McArgument, Self>(self, results)
                }
            }
        }
    }
    /// How rules can be tested on values of the type; not for types with references.
    fn tested(&self) -> TokenStream {
        if self.input.generics.lifetimes().next().is_some() {
            return TokenStream::new();
        }
        let name = &self.input.ident;
        let generics = self.bounded(&quote!(__mc::Value));
        let (implement, arguments, clause) = generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #implement __mc::TestArgument<#name #arguments> for #name #arguments #clause {
                type Owned = __mc::Own<Self>;
                fn own(&self, copies: &mut __mc::Copies) -> __mc::Result<Self::Owned> {
                    __mc::own_value(self, copies)
                }
            }
        }
    }
    /// The gradient of a variant, with values from `value`; `()` if it has none.
    fn gradient_value(
        &self,
        variant: &Variant,
        value: impl Fn(usize, &syn::Field) -> TokenStream,
    ) -> TokenStream {
        let name = self.gradient_name();
        match self.has_gradient() {
            true => construct(&quote!(#name), variant, self.is_enum, value),
            false => quote!(()),
        }
    }
    /// The constants that say what values are made of, and how they stand in rows if their fields are plain.
    fn form(&self) -> TokenStream {
        if !self.is_enum {
            let fields = self.variants[0].fields;
            let types: Vec<&Type> = fields.iter().map(|field| &field.ty).collect();
            let members = fields.members();
            return quote! {
                const IS_STRUCT: bool = true;
                const NUMBERS: ::core::option::Option<__mc::Numbers> = __mc::Numbers::all(&[#(<#types as __mc::Value>::NUMBERS),*]);
                const PLAIN: ::core::option::Option<__mc::Plain> = __mc::Plain::of_fields(
                    &[#((<#types as __mc::Value>::PLAIN, ::core::mem::offset_of!(Self, #members))),*],
                    ::core::mem::size_of::<Self>(),
                );
            };
        }
        if self.variants.is_empty() {
            return TokenStream::new();
        }
        let forms = self.variants.iter().map(|variant| {
            let types = variant.fields.iter().map(|field| &field.ty);
            quote!(&[#(<#types as __mc::Value>::PLAIN),*])
        });
        quote! {
            const VARIANTS: __mc::Variants = &[#(#forms),*];
            const PLAIN: ::core::option::Option<__mc::Plain> =
                __mc::Plain::of_variants(<Self as __mc::Value>::VARIANTS);
        }
    }
    /// How to go through the fields, to make a value of them, and to go through their gradients.
    fn each_field(&self) -> TokenStream {
        let this = quote!(Self);
        // Those of an enum follow the number of its variant.
        let number = |n: usize| self.is_enum.then(|| quote!(fields.variant(#n);));
        let each = self.match_self(|n, _, names| {
            let number = number(n);
            quote!({ #number #(fields.field(#names);)* })
        });
        let made = self.variants.iter().enumerate().map(|(n, variant)| {
            let value = construct(&this, variant, self.is_enum, |_, _| quote!(fields.field()?));
            match self.is_enum {
                true => quote!(#n => #value,),
                false => value,
            }
        });
        let made = match self.is_enum {
            true => quote!(match variant { #(#made)* _ => return ::core::option::Option::None }),
            false => quote!(#(#made)*),
        };
        // The gradient of what has no fields is `()`.
        let gradients = self.has_gradient().then(|| self.each_gradient(number));
        quote! {
            #[inline]
            fn each<'mc>(&'mc self, fields: &mut impl __mc::EachField<'mc>) {
                #each
            }
            fn make(variant: usize, fields: &mut impl __mc::MakeField) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(#made)
            }
            #gradients
        }
    }
    /// How to go through the gradients of the fields, to change them and to read them. `number` is what precedes the fields of a variant.
    fn each_gradient(&self, number: impl Fn(usize) -> Option<TokenStream>) -> TokenStream {
        let (name, gradient) = (self.gradient_name(), self.gradient());
        let each = self.variants.iter().enumerate().map(|(n, variant)| {
            let pattern = self.pattern(&quote!(#name), variant, "a");
            let names = variant.names("a");
            let types = variant.fields.iter().map(|field| &field.ty);
            let number = number(n);
            let each = quote!(#number #(fields.field::<#types>(#names);)*);
            match self.is_enum {
                true => quote!(#pattern => { #each }),
                false => quote!(let #pattern = gradient; #each),
            }
        });
        let all = match self.is_enum {
            true => {
                let numbers = self.variants.iter().enumerate().map(|(n, variant)| {
                    let variant = &variant.name;
                    quote!(#name::#variant { .. } => #n)
                });
                let others = self.variants.iter().enumerate().map(|(n, variant)| {
                    let empty =
                        self.gradient_value(variant, |_, _| quote!(__mc::Cotangent::empty()));
                    quote!(#n => #empty)
                });
                // A gradient that is read again nearly always is of the right variant already, so the first branch is predicted well. Variants
                // differ from value to value, so a branch that depends on them is not: there is one, the last.
                quote! {
                    let found: usize = match gradient { #(#numbers,)* };
                    if found != variant {
                        *gradient = match variant {
                            #(#others,)*
                            _ => return fields.unknown_variant(),
                        };
                    }
                    match gradient { #(#each,)* }
                }
            }
            false => quote!(#(#each)*),
        };
        let cotangents = self.variants.iter().enumerate().map(|(n, variant)| {
            let pattern = self.pattern(&quote!(#name), variant, "a");
            let names = variant.names("a");
            let types = variant.fields.iter().map(|field| &field.ty);
            let text = variant.name.to_string();
            let number = self.is_enum.then(|| quote!(fields.variant(#n, #text);));
            quote!(#pattern => { #number #(fields.field::<#types>(#names);)* })
        });
        quote! {
            #[inline]
            fn each_gradient(gradient: &mut #gradient, variant: usize, fields: &mut impl __mc::EachGradient) {
                #all
            }
            fn each_cotangent(gradient: &#gradient, fields: &mut impl __mc::EachCotangent) {
                match gradient { #(#cotangents,)* }
            }
        }
    }
    /// The traits of the gradient type for the runtime: it has numbers that can be visited, and it can receive a gradient.
    fn cotangent(&self) -> TokenStream {
        if !self.has_gradient() {
            return TokenStream::new();
        }
        let name = self.gradient_name();
        let generics = self.gradient_generics(&quote!(__mc::Value));
        let (implement, arguments, clause) = generics.split_for_impl();
        let empty = self.empty();
        let visit = self.match_self(|n, _, names| {
            let which = self.visited_variant(n);
            quote!({ #which #(__mc::Visit::visit(#names, visitor);)* })
        });
        // Which variant of an enum is alive is not known before the call.
        let parts = (!self.is_enum).then(|| {
            let (unpack, names) = self.unpack();
            quote! {
                #[inline]
                fn each_part<'mc>(&'mc mut self, parts: &mut impl __mc::EachPart<'mc>) {
                    #unpack
                    #(parts.part(#names);)*
                }
            }
        });
        let direct = (!self.is_enum).then(|| {
            let fields = self.variants[0].fields.iter();
            let types: Vec<TokenStream> = fields.map(|field| self.gradient_of(field)).collect();
            quote! {
                const IS_DIRECT: bool = true #(&& <#types as __mc::GradientSink<#types>>::IS_DIRECT)*;
                #[inline]
                fn lend_direct<'mc>(&'mc mut self, call: &mut __mc::Direct<'_, 'mc>) {
                    __mc::gradient_sink_itself::lend_direct(self, call);
                }
                #[inline]
                fn take_direct(&mut self, words: &mut &[u64]) {
                    __mc::gradient_sink_itself::take_direct(self, words);
                }
            }
        });
        let tangents = self.tangents();
        let (duplicate, zip) = self.linear();
        quote! {
            #[automatically_derived]
            impl #implement __mc::Linear for #name #arguments #clause {
                fn duplicate(&self, known: &mut __mc::Duplicates) -> __mc::Result<Self> {
                    #duplicate
                }
                fn zip(&mut self, with: &Self, zip: &mut __mc::Zip) -> ::core::result::Result<(), __mc::Differ> {
                    #zip
                }
            }
            #[automatically_derived]
            impl #implement __mc::Cotangent for #name #arguments #clause {
                #empty
                #parts
            }
            #[automatically_derived]
            impl #implement __mc::Visit for #name #arguments #clause {
                fn visit(&mut self, visitor: &mut __mc::Visitor<'_>) {
                    #visit
                }
            }
            #[automatically_derived]
            impl #implement __mc::GradientSink<#name #arguments> for #name #arguments #clause {
                fn lend<'mc>(&'mc mut self, call: &mut __mc::Call<'mc>) {
                    __mc::gradient_sink_itself::lend(self, call);
                }
                #direct
                fn read(&mut self, results: &mut __mc::Results<'_>) -> __mc::Result<()> {
                    __mc::gradient_sink_itself::read(self, results)
                }
                fn fail(&mut self, error: &__mc::Error) {
                    __mc::gradient_sink_itself::fail(self, error);
                }
                fn get(&self) -> Self {
                    ::core::clone::Clone::clone(self)
                }
                fn put(&mut self, gradient: Self) -> __mc::Result<()> {
                    *self = gradient;
                    __mc::Result::Ok(())
                }
            }
            #tangents
        }
    }
    /// How to make a gradient without content. That of an enum is one of a variant with few fields, which do not contain the enum itself.
    fn empty(&self) -> TokenStream {
        let this = quote!(Self);
        let empty = |variant: &Variant| {
            construct(&this, variant, self.is_enum, |_, _| {
                quote!(__mc::Cotangent::empty())
            })
        };
        let ends = |variant: &Variant| {
            let types = variant.fields.iter().map(|field| self.gradient_of(field));
            quote!(true #(&& <#types as __mc::Cotangent>::ENDS)*)
        };
        let mut variants: Vec<&Variant> = self.variants.iter().collect();
        variants.sort_by_key(|variant| variant.fields.len());
        let (ends, empty) = match &variants[..] {
            [first, ..] if !self.is_enum || first.fields.is_empty() => (ends(first), empty(first)),
            _ => {
                let each = variants.iter().map(|variant| ends(variant));
                let each = quote!(&[#(#each),*]);
                let arms = variants.iter().enumerate().map(|(n, variant)| {
                    let value = empty(variant);
                    match n + 1 == variants.len() {
                        true => quote!(_ => #value),
                        false => quote!(#n => #value),
                    }
                });
                (
                    quote!(__mc::one_ends(#each)),
                    quote!(__mc::empty_variant(#each, |n| match n { #(#arms),* })),
                )
            }
        };
        quote! {
            const ENDS: bool = #ends;
            fn empty() -> Self {
                #empty
            }
        }
    }
    /// Copies a gradient, and walks over two gradients in step.
    fn linear(&self) -> (TokenStream, TokenStream) {
        let this = quote!(Self);
        let duplicate = self.match_self(|_, variant, names| {
            construct(&this, variant, self.is_enum, |i, _| {
                let field = &names[i];
                quote!(__mc::Linear::duplicate(#field, known)?)
            })
        });
        let both = self.variants.iter().map(|variant| {
            let (a, b) = (
                self.pattern(&this, variant, "a"),
                self.pattern(&this, variant, "b"),
            );
            let fields = variant.fields.iter().enumerate().map(|(i, field)| {
                let (a, b) = (format_ident!("a{i}"), format_ident!("b{i}"));
                let name = field_name(i, field);
                quote!(fields.field(#name, #a, #b);)
            });
            quote!((#a, #b) => { #(#fields)* fields.done() })
        });
        let other = self.is_enum.then(|| {
            let names = self.variants.iter().map(|variant| {
                let (pattern, name) =
                    (self.pattern(&this, variant, "_a"), variant.name.to_string());
                quote!(#pattern => #name)
            });
            quote! {
                (a, b) => {
                    let name = |of: &Self| match of { #(#names,)* };
                    ::core::result::Result::Err(__mc::Differ::variants(name(a), name(b)))
                }
            }
        });
        let duplicate = quote!(__mc::Result::Ok(#duplicate));
        let zip = quote! {
            let mut fields = zip.fields();
            match (self, with) { #(#both)* #other }
        };
        (duplicate, zip)
    }
    /// The gradient type with its parameters, or `()`.
    fn gradient(&self) -> TokenStream {
        let (name, params) = (self.gradient_name(), self.names());
        match self.has_gradient() {
            true => quote!(#name<#(#params),*>),
            false => quote!(()),
        }
    }
}

/// The name of a field, or its position.
fn field_name(position: usize, field: &syn::Field) -> String {
    match &field.ident {
        Some(name) => name.to_string().trim_start_matches("r#").to_owned(),
        None => position.to_string(),
    }
}

/// `Point { x: …, y: … }` for any kind of fields, with values from `value`.
fn construct(
    ty: &TokenStream,
    variant: &Variant,
    is_enum: bool,
    value: impl Fn(usize, &syn::Field) -> TokenStream,
) -> TokenStream {
    let name = is_enum.then_some(variant.name);
    let path = match name {
        Some(name) => quote!(#ty::#name),
        None => ty.clone(),
    };
    let fields = variant.fields.iter().enumerate().map(|(i, field)| {
        let value = value(i, field);
        let member = syn::Member::from(i);
        match &field.ident {
            Some(name) => quote!(#name: #value),
            None => quote!(#member: #value),
        }
    });
    quote!(#path { #(#fields),* })
}

/// The names, with the type itself for `Self`.
fn with_own(input: &DeriveInput, mut names: Names) -> Names {
    let (name, (_, arguments, _)) = (&input.ident, input.generics.split_for_impl());
    names.own = Some(Own {
        ty: names.erased(&parse_quote!(#name #arguments)),
        of_trait: None,
        associated: Vec::new(),
        is_trait: false,
        is_generic: names.count > 0,
    });
    names
}

/// The type itself.
fn own(names: &Names) -> Option<&Type> {
    names.own.as_ref().map(|own| &own.ty)
}
