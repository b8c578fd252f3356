//! `#[differentiable]` before an `impl` or a trait.

use crate::function::{self, insert, source};
use crate::generics::{Names, Own};
use crate::reader::{Reader, at, text};
use crate::tree::{Node, node};
use crate::{
    Role, as_function, body_digest, forwarding, hidden, overrides, path, refuse, rule, statement,
    types,
};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Attribute, Block, Expr, FnArg, ImplItem, ImplItemConst, ImplItemFn, ItemImpl, ItemTrait, Path,
    ReturnType, Signature, TraitItem, Type, TypeParamBound, parse_quote,
};

/// The unchanged `impl`, and its functions in the inventory.
pub fn expand_impl(mut item: ItemImpl) -> TokenStream {
    let is_str = |ty: &Type| matches!(ty, Type::Path(path) if path.path.is_ident("str"));
    if matches!(&*item.self_ty, Type::Slice(_) | Type::TraitObject(_)) || is_str(&item.self_ty) {
        let error = syn::Error::new_spanned(&item.self_ty, refuse::UNSIZED).to_compile_error();
        return quote!(#item #error);
    }
    let mut names = Names::default();
    names.add_owner(&item.generics);
    let ty = names.erased(&item.self_ty);
    let of_trait = item.trait_.as_ref().map(|(_, path, _)| path.clone());
    let owner = Owner {
        thunk: names.with_stand_ins(names.function(&item.self_ty)),
        text: match &of_trait {
            Some(of_trait) => format!("<{} as {}>", spelled(&item.self_ty), spelled(of_trait)),
            None => spelled(&item.self_ty),
        },
        of_trait: of_trait
            .as_ref()
            .and_then(|path| path.segments.last())
            .map(|last| text(&last.ident))
            .unwrap_or_default(),
        implements: match &of_trait {
            Some(of_trait) => {
                names.with_stand_ins(path::trait_of(&ty, &names.erased_path(of_trait)))
            }
            None => quote!(|| ::core::option::Option::None),
        },
        ref_kind: names.with_stand_ins(names.ref_kind(&item.self_ty)),
        of: of_trait
            .clone()
            .map(|of_trait| ((*item.self_ty).clone(), of_trait)),
        ty: Some(((*item.self_ty).clone(), of_trait.clone())),
    };
    let associated = item.items.iter().filter_map(|item| match item {
        ImplItem::Type(item) => Some((item.ident.clone(), names.erased_alone(&item.ty)?)),
        _ => None,
    });
    names.own = Some(Own {
        ty,
        associated: associated.collect(),
        of_trait: of_trait.as_ref().map(|path| names.erased_path(path)),
        is_trait: false,
        is_generic: names.count > 0,
    });
    let mut output = Output::default();
    if let Some(of_trait) = &of_trait
        && item.generics.params.is_empty()
        && !types::borrows(&item.self_ty)
        && !types::borrows(&parse_quote!(#of_trait))
    {
        output
            .beside
            .extend(implementor(&owner, &item.self_ty, of_trait));
    }
    let is_forwarding = of_trait
        .as_ref()
        .is_some_and(|of_trait| forwarding::is_forwarding(&item, of_trait));
    if is_forwarding {
        output.beside.extend(held(&owner, &item));
    } else if forwarding::is_to_dyn(&item.self_ty) {
        output.errors.refuse(&item.self_ty, refuse::OF_A_POINTER);
    }
    if let Some(of_trait) = &of_trait {
        output.check_overrides(of_trait, &item.items);
        output.beside.extend(clone_of_copy(&names, &item, of_trait));
    }
    if of_trait.is_some() {
        output.beside.extend(hidden::ask(&item, &owner.thunk));
    }
    let leaves_a_trace = |item: &ImplItem| matches!(item, ImplItem::Fn(_) | ImplItem::Const(_));
    if of_trait.is_some() && !item.items.iter().any(leaves_a_trace) {
        output.beside.extend(empty(&owner));
    }
    output.functions(&mut item);
    for item in &mut item.items {
        match item {
            ImplItem::Fn(method) if is_forwarding && !owner.forwards(method) => {
                output.errors.refuse(&method.sig.ident, refuse::HELD);
            }
            ImplItem::Const(constant) if is_forwarding && !owner.is_same(constant) => {
                output.errors.refuse(&constant.ident, refuse::HELD);
            }
            _ => {}
        }
        match item {
            ImplItem::Fn(item) => output.method(
                &owner,
                &names,
                &mut item.attrs,
                &item.sig,
                Some(&mut item.block),
            ),
            ImplItem::Const(item) => {
                let constant = Constant {
                    attributes: &item.attrs,
                    name: &item.ident,
                    ty: &item.ty,
                    value: Some(&item.expr),
                };
                output.constant(&owner, &names, &constant);
            }
            _ => {}
        }
    }
    output.finish(item)
}

/// Makes rustc check that a type with a hand-written `clone` is not `Copy`: std copies elements of `Copy` types without calling `clone`.
fn clone_of_copy(names: &Names, item: &ItemImpl, of_trait: &Path) -> TokenStream {
    let is_clone = of_trait
        .segments
        .last()
        .is_some_and(|last| last.ident == "Clone");
    let copies: Block = parse_quote!({ *self });
    let is_copy = |item: &ImplItem| matches!(item, ImplItem::Fn(method) if method.block == copies);
    if !is_clone || item.items.iter().any(is_copy) {
        return TokenStream::new();
    }
    let copy = names.erased(&item.self_ty);
    let copy = names.with_stand_ins(quote!(<__mc::Has<#copy>>::COPY));
    quote_spanned! {item.self_ty.span()=>
        #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            use ::mooncake::__private as __mc;
            use __mc::HasNot as _;
            assert!(
                !#copy,
                "this type is `Copy`, so std copies it without calling its `clone`: write `*self` as the body of `clone`, or do not derive `Copy`"
            );
        };
    }
}

/// Registers a type that implements the trait, because values of it may come from outside behind a `dyn`. Types with lifetimes are not registered: it
/// could not be told which of several types that differ only in lifetimes a value has.
fn implementor(owner: &Owner, ty: &Type, of_trait: &Path) -> TokenStream {
    let (of, thunk) = (&owner.implements, &owner.thunk);
    let (boxed, shared) = (
        path::hidden("boxed", of_trait),
        path::hidden("shared", of_trait),
    );
    quote! {
        #[allow(unused, deprecated, non_local_definitions, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            use ::mooncake::__private as __mc;
            use __mc::HasNot as _;
            __mc::inventory::submit! {
                __mc::Implementor { of: #of, ty: #thunk, values: __mc::values!(#ty, #boxed, #shared, #of_trait) }
            }
        };
    }
}

/// Registers an `impl` of a trait that has no functions and no constants, which are registered otherwise.
fn empty(owner: &Owner) -> TokenStream {
    let (of, of_trait, thunk) = (&owner.implements, &owner.of_trait, &owner.thunk);
    quote! {
        #[allow(unused, deprecated, non_local_definitions, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            use ::mooncake::__private as __mc;
            use __mc::HasNot as _;
            __mc::inventory::submit! {
                __mc::EmptyImpl { owner: #thunk, of_trait: #of_trait, implements: #of }
            }
        };
    }
}

/// Registers a forwarding impl with the methods that it defines.
fn held(owner: &Owner, item: &ItemImpl) -> TokenStream {
    let methods = item.items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) => Some(method.sig.ident.to_string()),
        _ => None,
    });
    let (of, name) = (&owner.implements, &owner.of_trait);
    quote! {
        #[allow(unused, deprecated, non_local_definitions, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            use ::mooncake::__private as __mc;
            __mc::inventory::submit! {
                __mc::ForwardingImpl { of: #of, of_trait: #name, methods: &[#(#methods),*], file: ::core::file!() }
            }
        };
    }
}

/// The unchanged trait, its functions in the inventory, and the meaning of `dyn Trait` and of type parameters with this bound.
pub fn expand_trait(mut item: ItemTrait, role: &Role) -> TokenStream {
    let mut names = Names::default();
    names.count = 1;
    names.add_owner(&item.generics);
    names.own = Some(Own {
        ty: parse_quote!(__mc::Hole<0u32>),
        of_trait: None,
        associated: Vec::new(),
        is_trait: true,
        is_generic: true,
    });
    let name = text(&item.ident);
    let itself = itself(&name, &quote!(__mc));
    let owner = Owner {
        thunk: quote!(|| __mc::Ty::dynamic(__mc::Dyn::Trait(&#itself))),
        text: name.clone(),
        of_trait: name.clone(),
        implements: quote!(|| ::core::option::Option::Some(&#itself)),
        ref_kind: quote!(__mc::RefKind::Unknown),
        of: None,
        ty: None,
    };
    let mut output = Output::default();
    for item in &mut item.items {
        match item {
            TraitItem::Fn(item) => output.method(
                &owner,
                &names,
                &mut item.attrs,
                &item.sig,
                item.default.as_mut(),
            ),
            TraitItem::Const(item) => {
                let constant = Constant {
                    attributes: &item.attrs,
                    name: &item.ident,
                    ty: &item.ty,
                    value: item.default.as_ref().map(|(_, value)| value),
                };
                output.constant(&owner, &names, &constant);
            }
            _ => {}
        }
    }
    let hole = match role {
        // A blanket `impl` applies to this type as well.
        Role::Blanket => TokenStream::new(),
        _ => hole(&item),
    };
    let dynamic = dynamic(&item);
    output.beside.extend(quote!(#dynamic #hole));
    if is_dyn_compatible(&item) {
        item.items.extend(behind(&item.ident));
    }
    item.items.extend(hidden(&item.ident));
    output.finish(item)
}

/// `Trait { … }`: the description of a trait.
fn itself(name: &str, mc: &TokenStream) -> TokenStream {
    quote!(#mc::Trait {
        path: ::core::concat!(::core::module_path!(), "::", #name, ":", ::core::line!(), ":", ::core::column!()),
        name: #name,
    })
}

/// Hidden methods with which the trait describes itself. rustc finds them where the macro knows only the path of the trait.
fn hidden(name: &syn::Ident) -> [TraitItem; 2] {
    let mc = quote!(::mooncake::__private);
    let itself = itself(&text(name), &mc);
    let hidden = path::hidden("trait", &name.clone().into());
    [
        parse_quote! {
            #[doc(hidden)]
            #[allow(non_snake_case)]
            fn #hidden() -> ::core::option::Option<&'static #mc::Trait> where Self: ::core::marker::Sized {
                ::core::option::Option::Some(&#itself)
            }
        },
        parse_quote! {
            #[doc(hidden)]
            fn __mc_ty(self) -> #mc::Ty where Self: ::core::marker::Sized {
                #mc::Ty::dynamic(#mc::Dyn::Trait(&#itself))
            }
        },
    ]
}

/// Hidden methods that return the value behind a `dyn` of the trait, and that make a `dyn` of a value. Only the trait itself can define them.
fn behind(name: &syn::Ident) -> [TraitItem; 4] {
    let mc = quote!(::mooncake::__private);
    let of_trait: Path = name.clone().into();
    let (boxed, shared) = (
        path::hidden("boxed", &of_trait),
        path::hidden("shared", &of_trait),
    );
    [
        parse_quote! {
            #[doc(hidden)]
            fn __mc_behind(&self) -> #mc::Behind<'_> {
                #mc::Behind::new(self)
            }
        },
        parse_quote! {
            #[doc(hidden)]
            fn __mc_behind_mut(&mut self) -> #mc::BehindMut<'_> {
                #mc::BehindMut::new(self)
            }
        },
        parse_quote! {
            #[doc(hidden)]
            #[allow(non_snake_case)]
            fn #boxed(self: ::std::boxed::Box<Self>) -> ::std::boxed::Box<dyn ::core::any::Any>
            where
                Self: ::core::marker::Sized + 'static,
            {
                let value: ::std::boxed::Box<dyn #name> = self;
                ::std::boxed::Box::new(value)
            }
        },
        parse_quote! {
            #[doc(hidden)]
            #[allow(non_snake_case)]
            fn #shared(self: ::std::rc::Rc<Self>) -> ::std::boxed::Box<dyn ::core::any::Any>
            where
                Self: ::core::marker::Sized + 'static,
            {
                let value: ::std::rc::Rc<dyn #name> = self;
                ::std::boxed::Box::new(value)
            }
        },
    ]
}

/// The owner of methods: an `impl` or a trait.
struct Owner {
    thunk: TokenStream,
    /// The prefix of paths.
    text: String,
    of_trait: String,
    /// The function that returns the trait.
    implements: TokenStream,
    /// The ref kind of the type.
    ref_kind: TokenStream,
    /// The type and the trait of an `impl`.
    of: Option<(Type, Path)>,
    /// The type of an `impl`, and the trait if there is one.
    ty: Option<(Type, Option<Path>)>,
}

impl Owner {
    fn forwards(&self, method: &ImplItemFn) -> bool {
        let is_so =
            |(ty, of): &(Type, Path)| forwarding::forwards(&method.sig, &method.block, ty, of);
        self.of.as_ref().is_some_and(is_so)
    }
    fn is_same(&self, constant: &ImplItemConst) -> bool {
        let is_so = |(ty, of): &(Type, Path)| forwarding::is_same(constant, ty, of);
        self.of.as_ref().is_some_and(is_so)
    }
    /// The body digest of a method of a trait.
    fn digest(&self, signature: &Signature, block: Option<&Block>) -> TokenStream {
        match (&self.of, block) {
            (Some((ty, of)), Some(block)) => body_digest::method(signature, block, ty, of),
            _ => quote!(__mc::BodyDigest::NotCompared),
        }
    }
    /// Registers a method, with its attributes, its source and its receiver.
    fn entry(
        &self,
        attributes: &[Attribute],
        source: &TokenStream,
        receiver: &TokenStream,
        digest: &TokenStream,
    ) -> TokenStream {
        let ref_kind = &self.ref_kind;
        let conditions = attributes.iter().filter(|a| a.path().is_ident("cfg"));
        let (thunk, of_trait, implements) = (&self.thunk, &self.of_trait, &self.implements);
        quote! {
            #(#conditions)*
            #[allow(unused, deprecated, non_local_definitions, clippy::all, clippy::pedantic, clippy::nursery)]
            const _: () = {
                use ::mooncake::__private as __mc;
                use __mc::{HasNot as _, LazyConstant as _, Made as _, NamedConstant as _, NamedVariant as _, OtherNamed as _, Open as _, Std as _, OtherLazy as _, TypedLazy as _, Unheard as _};
                static __MC_SOURCE: __mc::Source = #source;
                __mc::inventory::submit! {
                    __mc::Method { owner: #thunk, of_trait: #of_trait, implements: #implements, source: || &__MC_SOURCE, receiver: __mc::Receiver::#receiver, ref_kind: #ref_kind, digest: #digest }
                }
            };
        }
    }
}

/// The tokens as text, without unnecessary spaces.
fn spelled(written: &impl ToTokens) -> String {
    let text = written.to_token_stream().to_string();
    let mut spelled = String::new();
    for (i, c) in text.char_indices() {
        let neighbours = (
            text[..i].chars().next_back(),
            text[i + c.len_utf8()..].chars().next(),
        );
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        if c != ' ' || is_word(neighbours.0) && is_word(neighbours.1) {
            spelled.push(c);
        }
        if c == ',' {
            spelled.push(' ');
        }
    }
    spelled
}

/// The output, and the refusals.
#[derive(Default)]
struct Output {
    beside: TokenStream,
    errors: Reader,
}

/// An associated constant, with its value if it has one.
struct Constant<'a> {
    attributes: &'a [Attribute],
    name: &'a syn::Ident,
    ty: &'a Type,
    value: Option<&'a Expr>,
}

impl Output {
    /// Refuses overrides of provided methods of traits of std.
    fn check_overrides(&mut self, of_trait: &Path, items: &[ImplItem]) {
        for item in items {
            if let ImplItem::Fn(method) = item
                && let Some(refusal) = overrides::refusal(of_trait, &method.sig.ident)
            {
                self.errors.refuse(&method.sig.ident, refusal);
            }
        }
    }
    /// Reads an associated constant as a function without parameters. If its type depends on a parameter, it is evaluated for each instance; otherwise
    /// rustc evaluates it here if it can.
    fn constant(&mut self, owner: &Owner, names: &Names, constant: &Constant) {
        let mut reader = Reader::new(names.clone());
        let (name, ty) = (text(constant.name), names.erased(constant.ty));
        let body = match constant.value {
            None => quote!(__mc::Body::Required),
            Some(value) => {
                let value = match names.depends(value) || names.depends(constant.ty) {
                    true => crate::expr::read(&mut reader, value),
                    false => {
                        let value = names.erased_expr(value);
                        let value = quote!(|| (&&&__mc::Lazy::<#ty>(|| #value)).constant());
                        Node::at(constant.name.span(), node!(Constant, Node::constant(value)))
                    }
                };
                function::written(Node::block(Vec::new(), Some(value)))
            }
        };
        if let Some(error) = reader.into_error() {
            return self.errors.fail(error);
        }
        let (path, at) = (
            format!("::{}::{name}", owner.text),
            at(constant.name.span()),
        );
        let generics = names.count;
        let patterns = Node::default().with(Vec::<Node>::new()).written();
        let source = quote!(__mc::Source {
            path: ::core::concat!(::core::module_path!(), #path),
            name: #name,
            file: ::core::file!(),
            at: #at,
            generics: #generics,
            params: &[],
            patterns: #patterns,
            ret: || __mc::Known::<#ty>::ty(),
            ret_kind: __mc::RefKind::Unknown,
            body: #body,
            role: __mc::Role::Derived,
            early: || true,
            of_references: &[],
            bounds: &[],
        });
        let source = names.with_stand_ins(source);
        let digest = match constant.value {
            Some(value) => body_digest::text(value),
            None => quote!(__mc::BodyDigest::NotCompared),
        };
        let entry = owner.entry(constant.attributes, &source, &quote!(None), &digest);
        self.beside.extend(entry);
    }
    /// Writes the functions that call methods of an `impl`, and removes the attributes that ask for them.
    fn functions(&mut self, item: &mut ItemImpl) {
        let mut asked = Vec::new();
        for item in &mut item.items {
            if let ImplItem::Fn(method) = item
                && let Some(name) = as_function::take(&mut method.attrs)
            {
                asked.push((name, method.clone()));
            }
        }
        for (name, method) in asked {
            match as_function::write(&name, &method, item) {
                Ok(function) => self.beside.extend(function),
                Err(error) => self.errors.fail(error),
            }
        }
    }
    /// Reads a method and removes its attributes of this library.
    fn method(
        &mut self,
        owner: &Owner,
        names: &Names,
        attributes: &mut Vec<Attribute>,
        signature: &Signature,
        mut block: Option<&mut Block>,
    ) {
        let role = match take_role(attributes) {
            Ok(role) => role,
            Err(error) => return self.errors.fail(error),
        };
        if let (Role::Derived, Some(block)) = (&role, &mut block) {
            statement::differentiate_functions(block);
        }
        let mut names = names.clone();
        names.add_function(&signature.generics);
        let mut reader = Reader::new(names);
        let source = source(
            &mut reader,
            signature,
            block.as_deref(),
            &role,
            Some(&owner.text),
        );
        if let Role::Own(given) = &role {
            let Some(of) = &owner.ty else {
                let advice = "a method that a trait declares cannot have its own rule; give a rule to the methods of the types";
                return self.errors.refuse(&signature.ident, advice);
            };
            let path = format!("::{}::{}", owner.text, text(&signature.ident));
            let rule = rule::write(&mut reader, signature, given, &path, Some(of));
            if let Some(error) = reader.into_error() {
                return self.errors.fail(error);
            }
            self.beside.extend(rule);
        } else if let Some(error) = reader.into_error() {
            return self.errors.fail(error);
        }
        let digest = owner.digest(signature, block.as_deref());
        let entry = owner.entry(attributes, &source, &receiver(signature), &digest);
        let inside = block.is_some_and(|block| insert(block, &entry));
        if !inside {
            self.beside.extend(entry);
        }
    }
    fn finish(self, item: impl ToTokens) -> TokenStream {
        let beside = self.beside;
        match self.errors.into_error() {
            Some(error) => {
                let error = error.to_compile_error();
                quote!(#item #error)
            }
            None => quote!(#item #beside),
        }
    }
}

/// The message that says where `blanket` belongs.
pub const BLANKET: &str = "`blanket` belongs before a trait with an `impl` for all types with a bound, as in `impl<T: Shape> Double for T`";

/// The message that says where `function` belongs.
pub const FUNCTION: &str = "`function = name` belongs before a method of an `impl`, and only once: it writes a function that calls the method";

/// The role of a method, from its attributes, which are removed.
fn take_role(attributes: &mut Vec<Attribute>) -> syn::Result<Role> {
    let mut role = Role::Derived;
    let mut result = Ok(());
    attributes.retain(|attribute| {
        let Some(name) = attribute
            .path()
            .segments
            .last()
            .map(|last| last.ident.to_string())
        else {
            return true;
        };
        match name.as_str() {
            "non_differentiable" => role = Role::Constant,
            "differentiable" => {
                // Without arguments it repeats the attribute before the `impl`.
                if let Ok(list) = attribute.meta.require_list() {
                    match syn::parse2(list.tokens.clone()) {
                        Ok(Role::Blanket) => {
                            result = Err(syn::Error::new_spanned(list, BLANKET));
                        }
                        Ok(Role::Function(_)) => {
                            result = Err(syn::Error::new_spanned(list, FUNCTION));
                        }
                        Ok(given) => role = given,
                        Err(error) => result = Err(error),
                    }
                }
            }
            _ => return true,
        }
        false
    });
    result.map(|()| role)
}

fn receiver(signature: &Signature) -> TokenStream {
    match signature.receiver().map(|receiver| &*receiver.ty) {
        None => quote!(None),
        Some(Type::Reference(reference)) if reference.mutability.is_some() => quote!(Mut),
        Some(Type::Reference(_)) => quote!(Shared),
        Some(_) => quote!(Value),
    }
}

/// `dyn Trait` as a type, if that is possible, and pointers to it as arguments and results.
fn dynamic(item: &ItemTrait) -> TokenStream {
    if !is_dyn_compatible(item) {
        return TokenStream::new();
    }
    let name = &item.ident;
    let itself = itself(&text(name), &quote!(::mooncake::__private));
    let boxed = pointer(
        name,
        &quote!(::std::boxed::Box<dyn #name + 'mc>),
        &quote!(__mc::dynamic_itself::take_box::<::std::boxed::Box<dyn #name>>(__MC_TRAIT, reader)),
        &quote!(__mc::dynamic_itself::copy_box::<::std::boxed::Box<dyn #name>>(__MC_TRAIT, &#name::__mc_behind(&**self), seen)),
    );
    let shared = shared(name);
    let reference = pointer(
        name,
        &quote!(&'mc (dyn #name + 'mc)),
        &quote!(__mc::dynamic_itself::no_reference()),
        &quote!(__mc::dynamic_itself::no_reference()),
    );
    let exclusive = exclusive(name);
    quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl ::mooncake::__private::TypeBehind for dyn #name + '_ {
            type Gradient = ::mooncake::__private::DynGradient;
            type BoxGradient = ::mooncake::__private::DynGradient;
            type RcGradient = ::mooncake::__private::DynGradient;
            fn shared() -> ::mooncake::__private::Ty {
                ::mooncake::__private::Ty::dynamic(::mooncake::__private::Dyn::Trait(&#itself))
            }
            fn mutable() -> ::mooncake::__private::Ty {
                Self::shared()
            }
            fn boxed() -> ::mooncake::__private::Ty {
                Self::shared()
            }
        }
        const _: () = {
            use ::mooncake::__private as __mc;
            use __mc::HasNot as _;
            __mc::inventory::submit! {
                __mc::BoxOfTrait { of: &#itself, is_clone: <__mc::Has<::std::boxed::Box<dyn #name>>>::CLONE }
            }
            __mc::marshal! {
                const __MC_TRAIT: &__mc::Trait = &#itself;
                #boxed
                #shared
                #reference
                #exclusive
            }
        };
    }
}

/// The `dyn` of the trait behind an `Rc`, and the numbers in it.
fn shared(name: &syn::Ident) -> TokenStream {
    let owned = quote!(::std::rc::Rc<dyn #name>);
    quote! {
        #[automatically_derived]
        impl<'mc> __mc::Visit for dyn #name + 'mc {
            fn visit(&mut self, visitor: &mut __mc::Visitor<'_>) {
                __mc::dynamic_itself::visit(__MC_TRAIT, #name::__mc_behind_mut(self), visitor);
            }
        }
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic)]
        impl<'mc> __mc::InRc for dyn #name + 'mc {
            fn give_in_rc(this: &::std::rc::Rc<Self>, call: &mut __mc::Call<'_>) -> __mc::Result<()> {
                __mc::dynamic_itself::encode(__MC_TRAIT, &#name::__mc_behind(&**this), call)
            }
            fn take_in_rc(reader: &mut __mc::Reader<'_>) -> __mc::Result<::std::rc::Rc<Self>> {
                __mc::dynamic_itself::take_rc::<#owned>(__MC_TRAIT, reader)
            }
            fn refresh_in_rc(this: &::std::rc::Rc<Self>, reader: &mut __mc::Reader<'_>) -> __mc::Result<()> {
                __mc::dynamic_itself::refresh(__MC_TRAIT, &#name::__mc_behind(&**this), reader)
            }
            fn copy_in_rc(this: &::std::rc::Rc<Self>, seen: &mut __mc::Copies) -> __mc::Result<::std::rc::Rc<Self>> {
                __mc::dynamic_itself::copy_rc::<#owned>(__MC_TRAIT, &#name::__mc_behind(&**this), seen)
            }
            fn zero_in_rc(this: &::std::rc::Rc<Self>, seen: &mut __mc::Seen) -> __mc::DynGradient {
                __mc::dynamic_itself::zero(__MC_TRAIT, &#name::__mc_behind(&**this), seen)
            }
            fn read_in_rc(gradient: &mut __mc::DynGradient, reader: &mut __mc::Reader<'_>) -> __mc::Result<()> {
                __mc::dynamic_itself::read(__MC_TRAIT, gradient, reader)
            }
            fn write_in_rc(gradient: &__mc::DynGradient, reader: &mut __mc::Reader<'_>) -> __mc::Result<()> {
                __mc::dynamic_itself::write(__MC_TRAIT, gradient, reader)
            }
        }
        #[automatically_derived]
        impl __mc::TestArgument<::std::boxed::Box<dyn #name>> for ::std::boxed::Box<dyn #name> {
            type Owned = __mc::Own<Self>;
            fn own(&self, copies: &mut __mc::Copies) -> __mc::Result<Self::Owned> {
                __mc::own_value(self, copies)
            }
        }
    }
}

/// A pointer to a `dyn` of the trait: the value behind it, whose type is found at run time.
fn pointer(
    name: &syn::Ident,
    ty: &TokenStream,
    take: &TokenStream,
    copy: &TokenStream,
) -> TokenStream {
    quote! {
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic)]
        impl<'mc> __mc::Value for #ty {
            fn encode(&self, call: &mut __mc::Call<'_>) -> __mc::Result<()> {
                __mc::dynamic_itself::encode(__MC_TRAIT, &#name::__mc_behind(&**self), call)
            }
            fn decode(reader: &mut __mc::Reader<'_>) -> __mc::Result<Self> {
                #take
            }
            fn refresh(&self, reader: &mut __mc::Reader<'_>) -> __mc::Result<()> {
                __mc::dynamic_itself::refresh(__MC_TRAIT, &#name::__mc_behind(&**self), reader)
            }
            fn copy(&self, seen: &mut __mc::Copies) -> __mc::Result<Self> {
                #copy
            }
            fn zero(&self, seen: &mut __mc::Seen) -> __mc::DynGradient {
                __mc::dynamic_itself::zero(__MC_TRAIT, &#name::__mc_behind(&**self), seen)
            }
            fn read(gradient: &mut __mc::DynGradient, reader: &mut __mc::Reader<'_>) -> __mc::Result<()> {
                __mc::dynamic_itself::read(__MC_TRAIT, gradient, reader)
            }
            fn write(gradient: &__mc::DynGradient, reader: &mut __mc::Reader<'_>) -> __mc::Result<()> {
                __mc::dynamic_itself::write(__MC_TRAIT, gradient, reader)
            }
        }
        #[automatically_derived]
        impl<'mc> __mc::Argument<#ty> for #ty {
            type Gradient = __mc::DynGradient;
            fn activity(activity: &mut __mc::Activity) {
                __mc::argument_itself::activity::<#ty>(activity);
            }
            fn encode<'mc_call>(&'mc_call mut self, call: &mut __mc::Call<'mc_call>) -> __mc::Result<()> {
                __mc::argument_itself::encode::<#ty>(self, call)
            }
            fn gradient(&self) -> __mc::DynGradient {
                __mc::argument_itself::gradient::<#ty>(self)
            }
            fn update(&mut self, reader: &mut __mc::Reader<'_>) -> __mc::Result<()> {
                __mc::argument_itself::update::<#ty>(self, reader)
            }
        }
        #[automatically_derived]
        impl<'mc, __McArgument: __mc::Argument<#ty>> __mc::Tangent<#ty, __McArgument> for __mc::DynGradient {
            fn activity(activity: &mut __mc::Activity) {
                __mc::tangent_itself::activity::<#ty, __McArgument>(activity);
            }
            fn encode<'mc_call>(&'mc_call mut self, call: &mut __mc::Call<'mc_call>) -> __mc::Result<()> {
                __mc::tangent_itself::encode(self, call)
            }
            fn moved(&mut self, results: &mut __mc::Results<'_>) -> __mc::Result<()> {
                __mc::tangent_itself::moved::<#ty, __McArgument, Self>(self, results)
            }
        }
    }
}

/// `&mut dyn Trait` as an argument: the value behind it changes in the call.
fn exclusive(name: &syn::Ident) -> TokenStream {
    let ty = quote!(&'mc mut (dyn #name + 'mc));
    let read = quote!(&'mc (dyn #name + 'mc));
    quote! {
        #[automatically_derived]
        impl<'mc> __mc::Argument<#ty> for #ty {
            type Gradient = __mc::DynGradient;
            fn activity(activity: &mut __mc::Activity) {
                __mc::argument_itself::activity::<#read>(activity);
            }
            fn encode<'mc_call>(&'mc_call mut self, call: &mut __mc::Call<'mc_call>) -> __mc::Result<()> {
                let value: &(dyn #name + '_) = &**self;
                __mc::argument_itself::encode(&value, call)
            }
            fn gradient(&self) -> __mc::DynGradient {
                let value: &(dyn #name + '_) = &**self;
                __mc::argument_itself::gradient(&value)
            }
            fn update(&mut self, reader: &mut __mc::Reader<'_>) -> __mc::Result<()> {
                __mc::dynamic_itself::refresh(__MC_TRAIT, &#name::__mc_behind(&**self), reader)?;
                __mc::dynamic_itself::update(__MC_TRAIT, #name::__mc_behind_mut(&mut **self), reader)
            }
        }
    }
}

/// Whether `dyn Trait` is a type, as far as the syntax tells.
fn is_dyn_compatible(item: &ItemTrait) -> bool {
    const OTHERS: [&str; 19] = [
        "Sized",
        "Copy",
        "Clone",
        "Default",
        "PartialEq",
        "Eq",
        "PartialOrd",
        "Ord",
        "Hash",
        "Float",
        "Add",
        "Sub",
        "Mul",
        "Div",
        "Rem",
        "Neg",
        "Sum",
        "Product",
        "Typed",
    ];
    let is_other = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => bound
            .path
            .segments
            .last()
            .is_some_and(|last| OTHERS.iter().any(|other| last.ident == other)),
        _ => false,
    };
    item.generics.params.is_empty()
        && !item.supertraits.iter().any(is_other)
        && item.items.iter().all(|item| match item {
            TraitItem::Fn(item) => item.sig.asyncness.is_none() && is_dispatchable(&item.sig),
            TraitItem::Type(_) | TraitItem::Const(_) => false,
            _ => true,
        })
}

/// Whether a method allows `dyn Trait`: it can be called on a `dyn`, or requires `Self: Sized`.
fn is_dispatchable(signature: &Signature) -> bool {
    let clause = signature
        .generics
        .where_clause
        .to_token_stream()
        .to_string();
    let mentions_self = |ty: &Type| {
        ty.to_token_stream()
            .into_iter()
            .any(|token| matches!(token, proc_macro2::TokenTree::Ident(name) if name == "Self"))
            || ty
                .to_token_stream()
                .to_string()
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| word == "Self")
    };
    let params = function::typed_params(signature).map(|param| &*param.ty);
    let ret = match &signature.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    clause.contains("Self : Sized")
        || signature.receiver().is_some()
            && signature.generics.type_params().next().is_none()
            && signature.generics.const_params().next().is_none()
            && !params
                .chain(ret)
                .any(|ty| mentions_self(ty) || types::has_impl_trait(ty))
}

/// The type that stands for a type parameter implements the trait too, because bounds of types may require it.
fn hole(item: &ItemTrait) -> TokenStream {
    let is_possible = item.items.iter().all(|item| match item {
        TraitItem::Fn(item) => match &item.sig.output {
            ReturnType::Type(_, ty) => item.default.is_some() || !types::has_impl_trait(ty),
            ReturnType::Default => true,
        },
        TraitItem::Type(_) => false,
        _ => true,
    });
    if !is_possible {
        return TokenStream::new();
    }
    let name = &item.ident;
    let mut generics = item.generics.clone();
    let of_trait: Path = {
        let (_, arguments, _) = item.generics.split_for_impl();
        parse_quote!(#name #arguments)
    };
    generics.params.push(parse_quote!(const __MC_N: u32));
    let supertraits: Vec<_> = item
        .supertraits
        .iter()
        .filter(|bound| matches!(bound, TypeParamBound::Trait(_)))
        .collect();
    if !supertraits.is_empty() {
        let clause = generics.make_where_clause();
        clause
            .predicates
            .push(parse_quote!(::mooncake::__private::Hole<__MC_N>: #(#supertraits)+*));
    }
    let (params, _, clause) = generics.split_for_impl();
    let methods = item.items.iter().filter_map(|item| match item {
        TraitItem::Fn(item) if item.default.is_none() => {
            let conditions = item.attrs.iter().filter(|a| a.path().is_ident("cfg"));
            let mut signature = item.sig.clone();
            for input in &mut signature.inputs {
                if let FnArg::Typed(param) = input {
                    param.attrs.clear();
                }
            }
            Some(quote!(#(#conditions)* #signature { ::core::unreachable!() }))
        }
        TraitItem::Const(item) if item.default.is_none() => {
            let conditions = item.attrs.iter().filter(|a| a.path().is_ident("cfg"));
            let (name, ty) = (&item.ident, &item.ty);
            Some(quote!(#(#conditions)* const #name: #ty = ::core::unreachable!();))
        }
        _ => None,
    });
    quote! {
        #[automatically_derived]
        #[allow(unused, deprecated, clippy::all, clippy::pedantic, clippy::nursery)]
        impl #params #of_trait for ::mooncake::__private::Hole<__MC_N> #clause {
            #(#methods)*
        }
    }
}
