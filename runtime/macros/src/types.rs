//! Types as the signature and `let` write them.
//!
//! A type is emitted as it is written and rustc resolves it, so aliases work; only forms that can never be
//! supported are refused here, where there is a place to give advice.

use crate::reader::Reader;
use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{Lifetime, Type, TypeReference};

/// A function that gives the type: `<T as Typed>::ty`.
pub fn function(reader: &mut Reader, ty: &Type) -> TokenStream {
    check(reader, ty);
    let ty = with_lifetime(ty, "'static");
    // A type may name an alias that a `use` in the body brings in.
    reader.thunk(quote!(<#ty as __mc::Typed>::ty()))
}

/// The type with every lifetime, also those left out, replaced by one.
pub fn with_lifetime(ty: &Type, lifetime: &str) -> Type {
    struct Replace(Lifetime);
    impl VisitMut for Replace {
        fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
            reference.lifetime = Some(self.0.clone());
            visit_mut::visit_type_reference_mut(self, reference);
        }
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            *lifetime = self.0.clone();
        }
    }
    let mut ty = ty.clone();
    let span = proc_macro2::Span::call_site();
    Replace(Lifetime::new(lifetime, span)).visit_type_mut(&mut ty);
    ty
}

/// Refuses what is not a type of this language, as far as syntax tells.
pub fn check(reader: &mut Reader, ty: &Type) {
    match ty {
        Type::Paren(inner) => check(reader, &inner.elem),
        Type::Group(inner) => check(reader, &inner.elem),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| check(reader, ty)),
        Type::Reference(reference) => check_reference(reader, reference),
        Type::Path(path) => check_path(reader, path),
        Type::Array(_) => reader.refuse(
            ty,
            "arrays of a fixed length are not supported yet; take a slice, `&[f64]`",
        ),
        Type::Slice(_) => reader.refuse(ty, "a slice is passed by reference: `&[f64]`"),
        Type::ImplTrait(_) | Type::TraitObject(_) | Type::BareFn(_) => reader.refuse(
            ty,
            "functions as values are not supported yet; call a `#[differentiable]` function by its name",
        ),
        Type::Ptr(_) => reader.refuse(ty, "raw pointers cannot be differentiated; take a slice"),
        _ => reader.refuse(
            ty,
            "this type is not supported; use numbers, bools, tuples, slices and `Array<f32>`",
        ),
    }
}

fn check_reference(reader: &mut Reader, reference: &TypeReference) {
    match &*reference.elem {
        Type::Slice(slice) => check(reader, &slice.elem),
        other if reference.mutability.is_some() => reader.refuse(
            other,
            "behind `&mut` only a slice is supported, `&mut [f64]`; return the new value instead",
        ),
        Type::Path(path) if last_segment(path) == "Vec" => reader.refuse(
            reference,
            "vectors are not supported yet; take a slice, `&[f64]`",
        ),
        other => check(reader, other),
    }
}

fn check_path(reader: &mut Reader, path: &syn::TypePath) {
    let advice = match last_segment(path).as_str() {
        "Vec" => "vectors are not supported yet; take a slice, `&[f64]` or `&mut [f64]`",
        "String" | "str" | "char" => "text is not supported; take numbers",
        "Option" | "Result" | "Box" | "Rc" | "Arc" | "RefCell" | "Cell" => {
            "this type is not supported yet; take numbers, tuples, slices and `Array<f32>`"
        }
        "i128" | "u128" => "128-bit integers are not supported; use `i64` or `u64`",
        "f16" | "f128" => "this float type is not supported; use `f32` or `f64`",
        _ => return,
    };
    reader.refuse(path, advice);
}

/// The last name of a path.
pub fn last_segment(path: &syn::TypePath) -> String {
    path.path
        .segments
        .last()
        .map(|segment| segment.ident.to_string())
        .unwrap_or_default()
}

/// Whether this is the name of a scalar type.
pub fn is_scalar(name: &str) -> bool {
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
    )
}

/// The constructor of a scalar type, by a literal's suffix.
pub fn suffix(name: &str) -> Option<TokenStream> {
    let variant = match name {
        "i8" => quote!(I8),
        "i16" => quote!(I16),
        "i32" => quote!(I32),
        "i64" => quote!(I64),
        "isize" => quote!(Isize),
        "u8" => quote!(U8),
        "u16" => quote!(U16),
        "u32" => quote!(U32),
        "u64" => quote!(U64),
        "usize" => quote!(Usize),
        "f32" => quote!(F32),
        "f64" => quote!(F64),
        _ => return None,
    };
    Some(quote!(__mc::Type::#variant))
}
