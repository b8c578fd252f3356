//! `#[differentiable]` before a function.

use crate::generics::{self, Names};
use crate::pattern::{self, PatternContext};
use crate::reader::{Reader, at, text};
use crate::tree::{Node, node};
use crate::{Role, native, own_methods, rule, statement, types};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Attribute, Block, FnArg, GenericParam, Generics, ItemFn, Pat, PatType, ReturnType, Signature,
    Type, Visibility, parse_quote,
};

/// The unchanged function, and its enum beside it.
pub fn expand(written: TokenStream, mut function: ItemFn, role: &Role) -> TokenStream {
    if let Role::Derived = role {
        statement::differentiate_functions(&mut function.block);
    }
    let mut names = Names::default();
    names.add_function(&function.sig.generics);
    let mut reader = Reader::new(names);
    if let Some(receiver) = function.sig.receiver() {
        let advice = "a method is differentiable in a differentiable `impl`: write `#[differentiable]` before the `impl`";
        // An `impl` cannot contain an enum.
        let error = syn::Error::new_spanned(receiver, advice).to_compile_error();
        return quote!(#written #error);
    }
    let source = source(
        &mut reader,
        &function.sig,
        Some(&function.block),
        role,
        None,
    );
    let own = match role {
        Role::Own(given) => {
            let path = format!("::{}", text(&function.sig.ident));
            rule::write(&mut reader, &function.sig, given, &path, None)
        }
        _ => TokenStream::new(),
    };
    let native = native::calling_what_is_compiled(&function, &reader.derivatives);
    let written = match &native {
        Some(native) => quote!(#native),
        None => written,
    };
    let companion = Companion::new(&function.attrs, &function.vis, &function.sig);
    let types = companion.types();
    match reader.into_error() {
        Some(error) => {
            let (error, refused) = (error.to_compile_error(), companion.refused());
            quote!(#written #error #types #refused)
        }
        None => {
            let implementation = companion.implementation(&source);
            let native = native.unwrap_or_else(|| function.clone());
            let function = with_items(written, native, implementation);
            quote!(#function #types #own)
        }
    }
}

/// The function and its description: beside it, or inside its body if the body has items to which paths may refer.
pub fn with_items(
    written: TokenStream,
    mut function: ItemFn,
    description: TokenStream,
) -> TokenStream {
    match insert(&mut function.block, &description) {
        true => quote!(#function),
        false => quote!(#written #description),
    }
}

/// Inserts items before those of the block, if it has any.
pub fn insert(block: &mut Block, items: &TokenStream) -> bool {
    let has_items = statement::items(block).next().is_some();
    if has_items {
        block
            .stmts
            .insert(0, syn::Stmt::Item(syn::Item::Verbatim(items.clone())));
    }
    has_items
}

/// `Source { … }` of a function or, with its owner, of a method.
pub fn source(
    reader: &mut Reader,
    signature: &Signature,
    block: Option<&Block>,
    role: &Role,
    owner: Option<&str>,
) -> TokenStream {
    check_signature(reader, signature);
    let (params, body) = reader.scoped(|reader| {
        let params: Vec<_> = signature
            .inputs
            .iter()
            .map(|input| param(reader, input))
            .collect();
        let body = match (block, role) {
            (Some(_), Role::Own(_)) => quote!(__mc::Body::Rule),
            (None, _) => quote!(__mc::Body::Required),
            (Some(block), Role::Overlay(other)) => {
                let own = reader.attempt(|reader| body(reader, block));
                own.unwrap_or_else(|| forwarding(reader, signature, other))
            }
            (Some(block), _) => body(reader, block),
        };
        (params, body)
    });
    describe(reader, signature, params, body, role, owner)
}

fn body(reader: &mut Reader, block: &Block) -> TokenStream {
    statement::check_attributes(reader, block);
    let block = statement::body(reader, block);
    written(block)
}

/// A body that is a block.
pub fn written(block: Node) -> TokenStream {
    let block = block.written();
    quote!(__mc::Body::Block(#block))
}

/// The body of a function that cannot be read but has an overlay. It calls the overlay.
fn forwarding(reader: &mut Reader, signature: &Signature, other: &syn::Path) -> TokenStream {
    let args = signature.inputs.iter().map(|input| match input {
        FnArg::Receiver(receiver) => Ok(Ident::new("self", receiver.self_token.span)),
        FnArg::Typed(param) => match &*param.pat {
            Pat::Ident(name) => Ok(name.ident.clone()),
            other => Err(syn::Error::new_spanned(
                other,
                "a parameter of a function with an overlay needs a name",
            )),
        },
    });
    let args: Vec<Ident> = match args.collect() {
        Ok(args) => args,
        Err(error) => {
            reader.fail(error);
            Vec::new()
        }
    };
    let args = args.iter();
    let args = args.map(|name| Node::at(name.span(), node!(Local, text(name))));
    let callee = Node::callee(crate::path::callee(reader, other));
    let call = node!(Call, callee, args.collect::<Vec<Node>>());
    written(Node::block(
        Vec::new(),
        Some(Node::at(signature.ident.span(), call)),
    ))
}

/// `Source { … }` with its parameters and its body.
pub fn describe(
    reader: &mut Reader,
    signature: &Signature,
    params: Vec<(TokenStream, Node)>,
    body: TokenStream,
    role: &Role,
    owner: Option<&str>,
) -> TokenStream {
    let (name, at) = (text(&signature.ident), at(signature.ident.span()));
    let path = match owner {
        Some(owner) => format!("::{owner}::{name}"),
        None => format!("::{name}"),
    };
    let (role, generics) = (role.tokens(reader), reader.names.count);
    let (params, patterns): (Vec<TokenStream>, Vec<Node>) = params.into_iter().unzip();
    let patterns = Node::default().with(patterns).written();
    let ret = match &signature.output {
        ReturnType::Type(_, ty) => types::function(reader, ty),
        ReturnType::Default => quote!(<() as __mc::Typed>::ty),
    };
    let early = early(reader, signature.ident.span());
    let of_references = reader.calls.of_references();
    let bounds = own_methods::bounds(reader);
    let ret_kind = match &signature.output {
        ReturnType::Type(_, ty) => reader.names.ref_kind(ty),
        ReturnType::Default => quote!(__mc::RefKind::Value),
    };
    let source = quote!(__mc::Source {
        path: ::core::concat!(::core::module_path!(), #path),
        name: #name,
        file: ::core::file!(),
        at: #at,
        generics: #generics,
        params: &[#(#params),*],
        patterns: #patterns,
        ret: #ret,
        ret_kind: #ret_kind,
        body: #body,
        role: #role,
        early: #early,
        of_references: #of_references,
        bounds: #bounds,
    });
    reader.names.with_stand_ins(source)
}

/// Whether temporaries end early in the edition of the code at `span`: a function without parameters. A macro cannot ask for the edition, so the generated
/// code tries it, if the body creates guards of cells; of others it is not asked. Code that a macro writes itself has the edition of the macro.
/// Beside it stands what rustc has to check.
fn early(reader: &mut Reader, span: Span) -> TokenStream {
    let checks = reader.take_checks();
    let checks = (!checks.is_empty()).then(|| quote!(let _ = || { #checks };));
    let early = match reader.borrows {
        true => quote_spanned!(span=> {
            let dropped = ::core::cell::Cell::new(false);
            let (_, early) = ({ __mc::Temporary(&dropped).read() }, dropped.get());
            early
        }),
        false => quote!(true),
    };
    quote!(|| { #checks #early })
}

/// The parameters of a function that has no `self`.
pub fn typed_params(signature: &Signature) -> impl Iterator<Item = &PatType> {
    signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(param) => Some(param),
        FnArg::Receiver(_) => None,
    })
}

/// `Param { … }` and its pattern; declares its names.
pub fn param(reader: &mut Reader, param: &FnArg) -> (TokenStream, Node) {
    let (attributes, ty, ref_kind, element_kind, takes, pattern) = match param {
        FnArg::Typed(param) => {
            let takes = types::taken(reader, &param.ty);
            let ty = types::function(reader, &param.ty);
            let pattern = pattern::read(reader, &param.pat, PatternContext::Irrefutable);
            let (ref_kind, element_kind) = (
                reader.names.ref_kind(&param.ty),
                reader.names.element_kind(&param.ty),
            );
            (&param.attrs, ty, ref_kind, element_kind, takes, pattern)
        }
        FnArg::Receiver(receiver) => {
            reader.declare("self".to_owned());
            let ty = types::function(reader, &receiver.ty);
            (
                &receiver.attrs,
                ty,
                reader.names.ref_kind(&receiver.ty),
                quote!(__mc::RefKind::Unknown),
                quote!(&[]),
                pattern::name(receiver.self_token.span, "self"),
            )
        }
    };
    for attribute in attributes {
        statement::check_attribute(reader, attribute);
    }
    let param = quote!(__mc::Param {
        ty: #ty,
        ref_kind: #ref_kind,
        element_kind: #element_kind,
        takes: #takes,
    });
    (param, pattern)
}

/// Refuses functions that are `async`, `const`, `unsafe` and the like.
pub fn check_signature(reader: &mut Reader, signature: &Signature) {
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
}

/// The empty enum with the name of the function, and its description of the function.
pub struct Companion<'a> {
    conditions: Vec<&'a Attribute>,
    visibility: &'a Visibility,
    signature: &'a Signature,
}

impl<'a> Companion<'a> {
    pub fn new(
        attributes: &'a [Attribute],
        visibility: &'a Visibility,
        signature: &'a Signature,
    ) -> Self {
        Companion {
            conditions: attributes
                .iter()
                .filter(|a| a.path().is_ident("cfg"))
                .collect(),
            visibility,
            signature,
        }
    }
    fn name(&self) -> &Ident {
        &self.signature.ident
    }
    fn generics(&self) -> &Generics {
        &self.signature.generics
    }

    /// The enum. It has the type parameters of the function. Omitted ones are unknown. Where the function is visible beyond its module, there is a last
    /// parameter that is never written. Its default is the signature, so the enum is as private as the types in it, and implementations for it may name
    /// these types: rustc compares visibilities alone.
    pub fn types(&self) -> TokenStream {
        let (conditions, visibility, name) = (&self.conditions, self.visibility, self.name());
        let doc = format!("[`{name}`](fn@{name}) as a type: what its derivative is asked by.");
        let mut params = Vec::new();
        for param in &self.generics().params {
            match param {
                GenericParam::Type(param) => {
                    let name = &param.ident;
                    let bound = generics::may_be_unsized(param, self.generics())
                        .then(|| quote!(: ?::core::marker::Sized));
                    params.push(quote!(#name #bound = ::mooncake::__private::Unknown));
                }
                GenericParam::Const(param) => {
                    let (name, ty) = (&param.ident, &param.ty);
                    let unknown = generics::unwritten(ty);
                    params.push(quote!(const #name: #ty = #unknown));
                }
                GenericParam::Lifetime(_) => {}
            }
        }
        let mut types: Vec<_> = self
            .generics()
            .type_params()
            .map(|param| param.ident.clone())
            .collect();
        if !matches!(self.visibility, Visibility::Inherited) && !self.is_internal() {
            let signature = self.stated_signature();
            params.push(quote!(__McSignature = #signature));
            types.push(format_ident!("__McSignature"));
        }
        let body = match types.is_empty() {
            true => quote!({}),
            false => quote!({
                #[doc(hidden)]
                __Never(::core::convert::Infallible, ::core::marker::PhantomData<(#(::core::marker::PhantomData<fn() -> ::core::marker::PhantomData<#types>>,)*)>)
            }),
        };
        let params = match params.is_empty() {
            true => quote!(),
            false => quote!(<#(#params),*>),
        };
        quote! {
            #(#conditions)*
            #[doc = #doc]
            #[allow(non_camel_case_types, dead_code, deprecated, private_interfaces, clippy::all, clippy::pedantic)]
            #visibility enum #name #params #body
        }
    }
    /// The parameters and the result as a type. Holes stand for the type parameters: the types may ask for bounds, and the parameters of the enum have none.
    fn stated_signature(&self) -> TokenStream {
        let mut names = Names::default();
        names.add_function(self.generics());
        let stated = |ty: &Type| types::outside(ty, &names);
        let args = typed_params(self.signature).map(|param| stated(&param.ty));
        match &self.signature.output {
            ReturnType::Type(_, ty) => {
                let output = stated(ty);
                quote!(fn(#(#args),*) -> #output)
            }
            ReturnType::Default => quote!(fn(#(#args),*)),
        }
    }

    /// The implementations.
    pub fn implementation(&self, source: &TokenStream) -> TokenStream {
        let callable = self.callable(&quote! {
            use ::mooncake::__private as __mc;
            use __mc::{HasNot as _, Made as _, NamedConstant as _, NamedVariant as _, OtherNamed as _, Open as _, Std as _};
            static __MC_SOURCE: __mc::Source = #source;
            &__MC_SOURCE
        });
        match self.is_internal() {
            true => callable,
            false => {
                let differentiable = self.differentiable();
                quote!(#callable #differentiable)
            }
        }
    }
    /// Implementations for a function that was refused, so that its uses get no further errors. Where a type in its signature is refused, they have other
    /// types.
    fn refused(&self) -> TokenStream {
        let callable = self.callable(&quote!(loop {}));
        if !self.is_internal() && self.has_supported_signature() {
            let differentiable = self.differentiable();
            return quote!(#callable #differentiable);
        }
        let (attributes, name) = (self.attributes(), self.name());
        let (params, arguments) = self.parameters();
        quote! {
            #callable
            #attributes
            impl #params ::mooncake::DifferentiableFn for #name #arguments {
                type Args<'a> = ();
                type Output = ();
                type Gradient = ();
                fn native(_: ()) {}
            }
        }
    }
    /// Whether nothing in the signature is refused by its syntax.
    fn has_supported_signature(&self) -> bool {
        let mut reader = Reader::default();
        check_signature(&mut reader, self.signature);
        for param in typed_params(self.signature) {
            types::check(&mut reader, &param.ty);
        }
        if let ReturnType::Type(_, ty) = &self.signature.output {
            types::check(&mut reader, ty);
        }
        reader.into_error().is_none()
    }
    fn attributes(&self) -> TokenStream {
        let conditions = &self.conditions;
        quote! {
            #(#conditions)*
            #[automatically_derived]
            #[allow(unused, deprecated, non_local_definitions, private_bounds, private_interfaces, clippy::all, clippy::pedantic, clippy::nursery)]
        }
    }
    /// The parameters of an `impl`, each type with the only bound that it is one of the language, and the arguments of the enum.
    fn parameters(&self) -> (TokenStream, TokenStream) {
        let params = self
            .generics()
            .params
            .iter()
            .filter_map(|param| match param {
                GenericParam::Type(param) => {
                    let (name, (bound, _)) =
                        (&param.ident, generics::typed(param, self.generics()));
                    let size = generics::may_be_unsized(param, self.generics())
                        .then(|| quote!(+ ?::core::marker::Sized));
                    Some(quote!(#name: #bound + 'static #size))
                }
                GenericParam::Const(param) => {
                    let (name, ty) = (&param.ident, &param.ty);
                    Some(quote!(const #name: #ty))
                }
                GenericParam::Lifetime(_) => None,
            });
        (quote!(<#(#params),*>), generics::arguments(self.generics()))
    }
    /// It is also implemented for unknown arguments, because all instances have the same source.
    fn callable(&self, source: &TokenStream) -> TokenStream {
        let (attributes, name) = (self.attributes(), self.name());
        let (params, arguments) = self.parameters();
        let given = self
            .generics()
            .params
            .iter()
            .filter_map(|param| match param {
                GenericParam::Type(param) if !generics::is_unwritable(param, self.generics()) => {
                    Some(generics::typed(param, self.generics()).1)
                }
                GenericParam::Const(param) => {
                    let name = &param.ident;
                    Some(quote!(::mooncake::__private::Parameter::ty(#name)))
                }
                _ => None,
            });
        quote! {
            #attributes
            impl #params ::mooncake::Callable for #name #arguments {
                fn callee() -> ::mooncake::__private::Instance {
                    let source: &'static ::mooncake::__private::Source = { #source };
                    (source, ::std::vec![#(#given),*])
                }
            }
        }
    }

    /// Whether only differentiable functions can call the function, because a type in its signature cannot be written elsewhere.
    fn is_internal(&self) -> bool {
        let generics = self.generics();
        generics
            .type_params()
            .any(|param| generics::is_unwritable(param, generics))
            || typed_params(self.signature).any(|param| types::has_impl_trait(&param.ty))
            || matches!(&self.signature.output, ReturnType::Type(_, ty) if types::is_internal(ty))
    }

    fn differentiable(&self) -> TokenStream {
        let (attributes, name, signature) = (self.attributes(), self.name(), self.signature);
        let params: Vec<&Type> = typed_params(signature).map(|param| &*param.ty).collect();
        let args = types::with_lifetime(&parse_quote!((#(#params,)*)), "'a");
        let gradients = params.iter().map(|ty| {
            let span = ty.span();
            let ty = types::with_lifetime(ty, "'static");
            quote_spanned!(span=> <#ty as ::mooncake::__private::Typed>::Gradient)
        });
        let gradient = quote_spanned!(signature.paren_token.span.join()=> (#(#gradients,)*));
        let output: Type = match &signature.output {
            ReturnType::Type(_, ty) => (**ty).clone(),
            ReturnType::Default => parse_quote!(()),
        };
        let places: Vec<Ident> = (0..params.len())
            .map(|i| format_ident!("__mc_a{i}"))
            .collect();
        let mut names = Names::default();
        names.add_function(self.generics());
        let generics = types::static_generics(self.generics(), &params, &output, &names);
        let (params, _, clause) = generics.split_for_impl();
        let arguments = generics::arguments(self.generics());
        let turbofish = match arguments.is_empty() {
            true => quote!(),
            false => quote!(::#arguments),
        };
        quote! {
            #attributes
            impl #params ::mooncake::DifferentiableFn for #name #arguments #clause {
                type Args<'a> = #args;
                type Output = #output;
                type Gradient = #gradient;
                fn native(__mc_args: Self::Args<'_>) -> Self::Output {
                    let (#(#places,)*) = __mc_args;
                    #name #turbofish (#(#places),*)
                }
            }
        }
    }
}
