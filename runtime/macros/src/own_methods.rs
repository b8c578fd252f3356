//! Asks rustc whether a trait in scope is found before an inherent method of the same name.
//!
//! At each step of a receiver, rustc looks for methods that take it by value, by `&` and by `&mut`, and at each of these for inherent methods first.
//! `f64::exp` takes a value and `Array::sum` a reference. So for a `&f64` a method of a trait may come before `exp`, and for an `Array` a method that
//! takes it by value may come before `sum`. Inference sees only differentiable traits, so the generated code asks rustc, in the module of the call.

use crate::generics::is_known_bound;
use crate::path;
use crate::reader::{Reader, text};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::BTreeMap;
use syn::{ExprMethodCall, Path, parse_quote_spanned, spanned::Spanned};

/// The methods of `f32` and `f64` that take a value.
const FLOATS: &str = "abs abs_sub acos acosh asin asinh atan atan2 atanh cbrt ceil clamp classify copysign cos cosh div_euclid exp \
    exp2 exp_m1 floor fract hypot is_finite is_infinite is_nan is_normal is_sign_negative is_sign_positive \
    is_subnormal ln ln_1p log log10 log2 max midpoint min mul_add next_down next_up powf powi recip rem_euclid \
    round round_ties_even signum sin sin_cos sinh sqrt tan tanh to_be_bytes to_bits to_degrees to_int_unchecked \
    to_le_bytes to_ne_bytes to_radians trunc";

/// The methods of `Array` that take a reference. Many methods of floats are methods of `Array`, too.
const ARRAYS: &str = "abs acos acosh all all_axis all_keep amax amin any any_axis any_keep argmax argmax_axis argmax_keep argmin argmin_axis \
    argmin_keep asin asinh atan atan2 atanh broadcast_to cbrt ceil cholesky clamp concat copysign cos cosh cumprod cumsum \
    det device dim dot eigh eq_elements error exp exp2 exp_m1 expand_dims flip floor fract gather ge gt hypot index_axis \
    insert_axis inv is_empty is_nan item kron le len ln ln_1p log10 log2 log_softmax logdet logsumexp logsumexp_axis \
    logsumexp_keep lstsq lt lu map map2 map3 matmul max max_axis max_keep mean mean_axis mean_keep min min_axis \
    min_keep mul_add narrow ndim ne_elements norm norm_axis norm_keep one_hot outer pad pad_with permute powf powi prod \
    prod_axis prod_keep qr recip repeat reshape roll round scatter_add select shape signum sin sinh slice slogdet softmax \
    solve solve_triangular solve_triangular_t split sqrt squeeze stack std std_axis std_keep sum sum_axis sum_keep svd \
    swap_axes t take tan tanh to_bool to_degrees to_device to_f16 to_f32 to_f64 to_i32 to_radians to_scalar to_u32 to_vec trace tril triu \
    trunc var var_axis var_keep with_slice";

/// The calls of such methods in a function: their names, and the number of arguments after the receiver.
#[derive(Default)]
pub struct Calls(BTreeMap<(String, usize), Ident>);

fn is_among(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|known| known == name)
}

/// Notes a call, and makes rustc check that no trait has a method of this name that takes an `Array` by value.
pub fn note(reader: &mut Reader, call: &ExprMethodCall) {
    let (name, count) = (text(&call.method), call.args.len());
    if is_among(ARRAYS, &name) {
        let statements = || of_arrays(&call.method, count);
        reader.check(format!("array.{name}.{count}"), statements);
    }
    if is_among(FLOATS, &name) {
        let calls = &mut reader.calls.0;
        calls.entry((name, count)).or_insert(call.method.clone());
    }
}

/// Parameters of any type, and arguments for them.
fn open(count: usize) -> (Vec<Ident>, Vec<TokenStream>) {
    let types = (0..count).map(|i| format_ident!("A{i}")).collect();
    (types, vec![quote!(::core::unreachable!()); count])
}

/// If another trait has such a method, rustc finds two and reports an ambiguity. This one alone would be found before the array's own method.
fn of_arrays(name: &Ident, count: usize) -> TokenStream {
    let (types, arguments) = open(count);
    quote_spanned! {name.span()=> {
        trait CalledLikeAMethodOfArray: ::core::marker::Sized {
            fn #name<#(#types),*>(self #(, _: #types)*) {}
        }
        impl<T> CalledLikeAMethodOfArray for __mc::Array<T> {}
        let _ = |x: __mc::Array<f64>| { let _ = x.#name(#(#arguments),*); };
        let _ = |x: __mc::Array<f32>| { let _ = x.#name(#(#arguments),*); };
    }}
}

/// `&[("exp", false), …]`: for each called method of floats, whether a trait in scope has a method of this name that takes a reference.
pub fn of_references(calls: &Calls) -> TokenStream {
    let rows = calls.0.iter().map(|((key, count), name)| {
        let (types, arguments) = open(*count);
        let asked = ["&'static f64", "&'static f32", "&'static mut f64", "&'static mut f32"].map(|ty| {
            let ty: syn::Type = syn::parse_str(ty).unwrap_or_else(|_| syn::parse_quote!(()));
            quote_spanned!(name.span()=> __mc::is_of_a_trait(|x: #ty| x.#name(#(#arguments),*)))
        });
        quote_spanned! {name.span()=> (#key, const {
            trait CalledLikeAMethodOfAFloat {
                fn #name<#(#types),*>(&self #(, _: #types)*) -> __mc::OfTheType { ::core::unreachable!() }
            }
            impl<T: __mc::FloatReference> CalledLikeAMethodOfAFloat for T {}
            #(#asked)||*
        })}
    });
    let rows: Vec<_> = rows.collect();
    quote!(&[#(#rows),*])
}

/// `&[(0, || None), …]`: the traits that bound type parameters, unless the macro knows that they have no method named like one of a float.
pub fn bounds(reader: &Reader) -> TokenStream {
    let rows = reader
        .names
        .bounds()
        .iter()
        .map(|(n, bound): &(u32, Path)| {
            let hole: syn::Type = parse_quote_spanned!(bound.span()=> __mc::Hole<#n>);
            let of = path::trait_of(&hole, &reader.names.erased_path(bound));
            quote!((#n, #of))
        });
    let rows: Vec<_> = rows.collect();
    quote!(&[#(#rows),*])
}

/// The bounds of a parameter that may have unknown methods; none if it is a `Float`, which has the methods of floats.
pub fn unknown<'a>(bounds: impl Iterator<Item = &'a Path> + Clone) -> Vec<Path> {
    let is_float = |path: &Path| {
        path.segments
            .last()
            .is_some_and(|last| last.ident == "Float")
    };
    match bounds.clone().any(is_float) {
        true => Vec::new(),
        false => bounds
            .filter(|path| !is_known_bound(path))
            .cloned()
            .collect(),
    }
}
