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
use syn::{
    ExprMethodCall, ItemUse, Path, UseRename, UseTree, parse_quote_spanned, spanned::Spanned,
};

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

/// The calls of such methods in a function: for each name the identifier of its first call, and the number of arguments after the receiver.
#[derive(Default)]
pub struct Calls {
    of_floats: BTreeMap<String, (Ident, usize)>,
    of_arrays: BTreeMap<String, (Ident, usize)>,
    /// What inner blocks import, without its names: traits among it are in scope of some of the calls.
    imports: Vec<ItemUse>,
}

fn is_among(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|known| known == name)
}

impl Calls {
    /// Notes a call if its method is named like one of floats or of arrays.
    pub fn note(&mut self, call: &ExprMethodCall) {
        let name = text(&call.method);
        for (names, noted) in [(FLOATS, &mut self.of_floats), (ARRAYS, &mut self.of_arrays)] {
            if is_among(names, &name) {
                let first = || (call.method.clone(), call.args.len());
                noted.entry(name.clone()).or_insert_with(first);
            }
        }
    }

    /// Notes what an inner block imports.
    pub fn note_import(&mut self, item: &ItemUse) {
        let mut item = item.clone();
        leave_out_names(&mut item.tree);
        self.imports.push(item);
    }

    /// Statements with which rustc checks that no trait has a method of these names that takes an `Array` by value: if one has, rustc finds two and
    /// reports an ambiguity. That of the other trait alone would be found before the array's own method.
    pub fn checked(&self) -> Option<TokenStream> {
        let methods = self.of_arrays.values().map(|(name, count)| {
            let (types, _) = open(*count);
            quote_spanned!(name.span()=> fn #name<#(#types),*>(self #(, _: #types)*) {})
        });
        let calls = self.of_arrays.values().map(|(name, count)| {
            // rustc shows such arguments as `_`.
            let arguments = vec![quote!(::core::unreachable!()); *count];
            quote_spanned!(name.span()=> any::<f64>().#name(#(#arguments),*); any::<f32>().#name(#(#arguments),*);)
        });
        let imports = &self.imports;
        (!self.of_arrays.is_empty()).then(|| {
            quote!({
                #(#imports)*
                trait CalledLikeAMethodOfArray: ::core::marker::Sized {
                    #(#methods)*
                }
                impl<T> CalledLikeAMethodOfArray for __mc::Array<T> {}
                fn any<T>() -> __mc::Array<T> { loop {} }
                #(#calls)*
            })
        })
    }

    /// `&[("exp", false), …]`: for each called method of floats, whether a trait in scope has a method of this name that takes a reference.
    pub fn of_references(&self) -> TokenStream {
        if self.of_floats.is_empty() {
            return quote!(&[]);
        }
        let methods = self.of_floats.values().map(|(name, count)| {
            let (types, _) = open(*count);
            quote_spanned!(name.span()=> fn #name<#(#types),*>(&self #(, _: #types)*) -> __mc::OfTheType { loop {} })
        });
        let rows = self.of_floats.iter().map(|(key, (name, count))| {
            let (_, arguments) = open(*count);
            let references = quote!(references);
            let asked = (0..4usize).map(|n| {
                let n = syn::Index::from(n);
                quote_spanned!(name.span()=> #references.#n.#name(#(#arguments),*))
            });
            quote!((#key, __mc::is_of_a_trait(|#references| (#(#asked),*))))
        });
        let imports = &self.imports;
        quote!(const {
            #(#imports)*
            trait CalledLikeAMethodOfAFloat {
                #(#methods)*
            }
            impl<T: __mc::FloatReference> CalledLikeAMethodOfAFloat for T {}
            &[#(#rows),*]
        })
    }
}

/// `use a::{b, c as d}` as `use a::{b as _, c as _}`.
fn leave_out_names(tree: &mut UseTree) {
    let rename = |ident: &Ident| UseRename {
        ident: ident.clone(),
        as_token: Default::default(),
        rename: Ident::new("_", ident.span()),
    };
    match tree {
        UseTree::Path(path) => leave_out_names(&mut path.tree),
        UseTree::Group(group) => group.items.iter_mut().for_each(leave_out_names),
        UseTree::Name(name) => *tree = UseTree::Rename(rename(&name.ident)),
        UseTree::Rename(name) => *name = rename(&name.ident),
        UseTree::Glob(_) => {}
    }
}

/// Parameters of any type, and arguments for them.
fn open(count: usize) -> (Vec<Ident>, Vec<TokenStream>) {
    let types = (0..count).map(|i| format_ident!("A{i}")).collect();
    (types, vec![quote!(loop {}); count])
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

/// The bounds of a parameter that may have methods named like those of floats.
pub fn unknown<'a>(bounds: impl Iterator<Item = &'a Path>) -> Vec<Path> {
    bounds
        .filter(|path| !is_known_bound(path))
        .cloned()
        .collect()
}
