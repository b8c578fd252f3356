//! Patterns: names, `_`, tuples of them, and `&name`.

use crate::reader::Reader;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Pat, Type};

/// Reads a pattern and declares its names.
pub fn read(reader: &mut Reader, pattern: &Pat) -> TokenStream {
    match pattern {
        Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
            let name = ident.ident.to_string();
            reader.declare(name.clone());
            quote!(__mc::Pattern::Name(#name))
        }
        Pat::Wild(_) => quote!(__mc::Pattern::Wild),
        Pat::Paren(inner) => read(reader, &inner.pat),
        Pat::Reference(inner) if inner.mutability.is_none() => read(reader, &inner.pat),
        Pat::Tuple(tuple) => {
            let fields: Vec<_> = tuple
                .elems
                .iter()
                .map(|field| read(reader, field))
                .collect();
            quote!(__mc::Pattern::Tuple(&[#(#fields),*]))
        }
        Pat::Type(typed) => {
            reader.refuse(&typed.ty, "a type may stand only after the whole pattern");
            quote!(__mc::Pattern::Wild)
        }
        _ => {
            reader.refuse(
                pattern,
                "this pattern is not supported; bind a name, or a tuple of names",
            );
            quote!(__mc::Pattern::Wild)
        }
    }
}

/// Parts `pattern: type`.
pub fn typed(pattern: &Pat) -> (&Pat, Option<&Type>) {
    match pattern {
        Pat::Type(typed) if matches!(*typed.ty, Type::Infer(_)) => (&typed.pat, None),
        Pat::Type(typed) => (&typed.pat, Some(&typed.ty)),
        other => (other, None),
    }
}
