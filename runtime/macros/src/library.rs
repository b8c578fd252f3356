//! `#[library]` before a module: its functions are read but not compiled, so nothing in them needs a type.

use crate::Role;
use crate::function;
use crate::generics::Names;
use crate::reader::{Reader, text};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Item, ItemMod};

/// The module with its functions replaced by a function `find`. Its other items stay.
pub fn expand(module: &ItemMod) -> syn::Result<TokenStream> {
    let Some((_, items)) = &module.content else {
        return Err(syn::Error::new_spanned(
            module,
            "write the functions into the module, here",
        ));
    };
    let (mut others, mut arms) = (Vec::new(), Vec::new());
    for item in items {
        let Item::Fn(item) = item else {
            others.push(item);
            continue;
        };
        let mut names = Names::default();
        names.add_function(&item.sig.generics);
        let mut reader = Reader::new(names);
        reader.is_library = true;
        let source = function::source(
            &mut reader,
            &item.sig,
            Some(&item.block),
            &Role::Derived,
            None,
        );
        if let Some(error) = reader.into_error() {
            return Err(error);
        }
        let name = text(&item.sig.ident);
        arms.push(quote!(#name => {
            static SOURCE: __mc::Source = #source;
            &SOURCE
        }));
    }
    let (attributes, visibility, name) = (&module.attrs, &module.vis, &module.ident);
    Ok(quote! {
        #(#attributes)*
        #visibility mod #name {
            #(#others)*

            /// Finds a function by its name.
            #[allow(clippy::all)]
            pub fn find(name: &str) -> ::core::option::Option<&'static ::mooncake::__private::Source> {
                use ::mooncake::__private as __mc;
                #[allow(unused_imports)]
                use __mc::{HasNot as _, Made as _, NamedConstant as _, NamedVariant as _, OtherNamed as _, Open as _, Std as _};
                ::core::option::Option::Some(match name {
                    #(#arms,)*
                    _ => return ::core::option::Option::None,
                })
            }
        }
    })
}
