//! Methods of std, written in the language itself: those of iterators, options, slices, vectors and numbers that are not built in (`resolve::builtins`).
//!
//! The attribute `#[library]` before a module makes its functions sources. They are read and never compiled, so parameters need hardly any types; each
//! call infers them anew. They are inlined into their callers like other functions, and their checks carry the place of the call. Panics have std's
//! message.
//!
//! An iterator is a struct of [`types`], or a type of the program that has a method `next`. Every type with `next` has all other methods of iterators.
//!
//! The functions call closures, and `eq`, `partial_cmp`, `cmp`, `clone` and `next` of the program's types, as often as std documents. Where std leaves this open,
//! closures with effects are refused (`elaborate/counts.rs`). Provided methods that a program overrides are refused (`runtime/macros/src/overrides.rs`).

mod adaptors;
pub mod arrays;
mod consumers;
mod derivatives;
mod numbers;
mod options;
mod parallel;
mod iter_properties;
mod sequences;
mod steps;
mod types;

use crate::front::tree::{Method, Source};
use crate::front::ty::{Adt, OPTION, ORDERING, RESULT, Ty};
use crate::ir::Type;
pub use iter_properties::{any_uneven, is_scan, skips};
use iter_properties::{is_fused, runs_no_code};
pub use parallel::roles;
pub use types::dyn_iterator;

/// Finds a function of a module by its name.
type Find = fn(&str) -> Option<&'static Source>;

/// The function for a method; `None` if the library does not have it.
pub fn method(name: &str, receiver: Ty) -> Option<&'static Source> {
    modules(receiver).into_iter().find_map(|find| find(name))
}

/// The modules with the methods of a type, in the order in which they are searched.
fn modules(receiver: Ty) -> Vec<Find> {
    match receiver {
        Ty::Scalar(Type::Bool) => vec![options::of_bools::find],
        Ty::Scalar(Type::F16) => vec![numbers::of_halves::find],
        Ty::Scalar(ty) if ty.is_float() => vec![numbers::of_floats::find],
        Ty::Scalar(ty) if ty.is_signed() => {
            vec![numbers::of_signed::find, numbers::of_integers::find]
        }
        // An integer literal that is used as an index.
        Ty::Infer(_) => vec![numbers::of_indices::find, arrays::of_extents::find],
        Ty::Scalar(Type::Usize) => vec![
            numbers::of_indices::find,
            parallel::of_indices::find,
            arrays::of_extents::find,
            numbers::of_unsigned::find,
            numbers::of_integers::find,
        ],
        Ty::Scalar(_) => vec![numbers::of_unsigned::find, numbers::of_integers::find],
        Ty::Slice(_) => vec![
            adaptors::of_shared::find,
            adaptors::of_slices::find,
            sequences::of_slices::find,
            arrays::of_shapes::find,
            arrays::of_lists::find,
        ],
        Ty::SliceMut(&element) => vec![
            match is_float(element) {
                true => parallel::of_mutable_floats::find,
                false => parallel::of_mutable::find,
            },
            adaptors::of_mutable::find,
            adaptors::of_slices::find,
            sequences::of_slices::find,
            arrays::of_shapes::find,
            arrays::of_lists::find,
        ],
        Ty::Vec(&element) => vec![
            match is_float(element) {
                true => parallel::of_vectors_of_floats::find,
                false => parallel::of_vectors::find,
            },
            adaptors::of_owned::find,
            sequences::of_vectors::find,
            match element {
                Ty::BOOL => arrays::of_vectors_of_bools::find,
                _ => arrays::of_vectors::find,
            },
            arrays::of_shapes::find,
            arrays::of_lists::find,
        ],
        // `map` on a list needs a first element, whose result fills the list of results.
        Ty::List(_, 1..) | Ty::OpenList(..) => {
            vec![
                adaptors::of_owned_lists::find,
                sequences::of_lists::find,
                arrays::of_lists_of_extents::find,
                arrays::of_lists::find,
            ]
        }
        Ty::List(..) => vec![
            adaptors::of_owned_lists::find,
            arrays::of_lists_of_extents::find,
            arrays::of_lists::find,
        ],
        Ty::Mut(Ty::Vec(_) | Ty::List(..) | Ty::OpenList(..)) => vec![adaptors::of_mutable::find],
        Ty::Mut(inner) if inner.is_try() => vec![adaptors::of_mutable::find],
        Ty::Tuple(&[a, b]) if is_iterator(a) && is_iterator(b) => {
            vec![iter_properties::zipped(a, b), arrays::of_2::find]
        }
        Ty::Tuple(parts) => {
            let slices: [Find; 6] = [
                arrays::of_1::find,
                arrays::of_2::find,
                arrays::of_3::find,
                arrays::of_4::find,
                arrays::of_5::find,
                arrays::of_6::find,
            ];
            let found = parts.len().checked_sub(1).and_then(|n| slices.get(n));
            found.copied().into_iter().collect()
        }
        // A mutable reference to an iterator is an iterator.
        Ty::Mut(&inner) if is_iterator(inner) => {
            let fused = is_fused(inner).then_some(adaptors::of_fused::find as Find);
            let all = [consumers::by_value::find, adaptors::of_iterators::find];
            fused.into_iter().chain(all).collect()
        }
        Ty::Cell(_, kind) if kind.borrows => vec![sequences::of_cells::find],
        Ty::Cell(..) => vec![sequences::of_plain_cells::find],
        Ty::Array(&Ty::BOOL) => vec![arrays::of_masks::find, arrays::of_arrays::find],
        Ty::Array(_) => vec![arrays::of_arrays::find],
        Ty::Adt(adt, _) if *adt == OPTION => vec![options::of_options::find],
        Ty::Adt(adt, _) if *adt == RESULT => vec![options::of_results::find],
        Ty::Adt(adt, _) if *adt == ORDERING => vec![options::of_orderings::find],
        Ty::Adt(adt, _) => {
            let mut found: Vec<Find> = types::own_methods(adt).into_iter().collect();
            if found.iter().any(|find| find("first_of").is_some()) {
                found.push(steps::of_ranges::find);
            }
            found.extend(types::taken(adt));
            if is_iterator(receiver) {
                if runs_no_code(receiver) {
                    found.push(adaptors::of_silent::find);
                }
                if is_fused(receiver) {
                    found.push(adaptors::of_fused::find);
                }
                found.push(consumers::by_reference::find);
                found.push(consumers::by_value::find);
                found.push(adaptors::of_iterators::find);
            }
            found
        }
        _ => Vec::new(),
    }
}

fn is_float(ty: Ty) -> bool {
    ty.scalar().is_some_and(Type::is_float)
}

/// Whether a type has a method `next`.
pub fn is_iterator(ty: Ty) -> bool {
    match ty {
        Ty::Mut(&inner) => is_iterator(inner),
        Ty::Adt(adt, _) => match types::own_methods(adt) {
            Some(find) => find("next").is_some(),
            None => inventory::iter::<Method>
                .into_iter()
                .filter(|method| method.is_of_std("Iterator"))
                .filter(|method| (method.source)().name == "next")
                .any(|method| matches!((method.owner)(), Ty::Adt(owner, _) if owner == adt)),
        },
        _ => false,
    }
}

/// The function for `collect`, `sum` or `product` if the result type is known; otherwise `collect` makes a vector.
pub fn collect(name: &str, iterator: Ty, wanted: Ty) -> Option<&'static Source> {
    let name = match (name, wanted) {
        ("sum", Ty::Adt(adt, _)) if *adt == OPTION => "option_sum",
        ("sum", Ty::Adt(adt, _)) if *adt == RESULT => "result_sum",
        ("product", Ty::Adt(adt, _)) if *adt == OPTION => "option_product",
        ("product", Ty::Adt(adt, _)) if *adt == RESULT => "result_product",
        (_, Ty::Adt(adt, _)) if *adt == OPTION => "option",
        (_, Ty::Adt(adt, _)) if *adt == RESULT => "result",
        _ if all_parts_have(iterator, "len") => "vec_of_known_length",
        _ => "vec",
    };
    is_iterator(iterator).then(|| consumers::collected::find(name))?
}

/// Whether an iterator of the library and all iterators inside it have a method.
fn all_parts_have(iterator: Ty, method: &str) -> bool {
    let Ty::Adt(adt, arguments) = iterator else {
        return false;
    };
    let has_method = types::own_methods(adt).is_some_and(|find| find(method).is_some());
    let mut parts = arguments.iter().filter(|&&part| is_iterator(part));
    has_method && parts.all(|&part| all_parts_have(part, method))
}

/// Whether a function behaves differently for `&vec` and `vec`.
pub fn distinguishes_borrowed(source: &Source) -> bool {
    source.name == "zip" && contains(source)
}

/// A function of `std::iter` or `std::array`.
pub fn function(name: &str) -> Option<&'static Source> {
    match name.split_once("::")? {
        ("iter", name) => adaptors::functions::find(name),
        ("array", name) => sequences::functions_of_lists::find(name),
        _ => None,
    }
}

/// An associated function of a type of std that is used as a value: `Vec::new`, `Box::new`.
pub fn constructor(owner: Ty, name: &str) -> Option<&'static Source> {
    let of = match owner {
        Ty::Vec(_) => "vec",
        Ty::Boxed(_) => "box",
        Ty::Cell(_, kind) if kind.borrows => "refcell",
        Ty::Cell(..) => "cell",
        // `Rc` is erased.
        Ty::Infer(_) => "rc",
        _ => return None,
    };
    sequences::constructors::find(&format!("{of}_{name}"))
}

/// A function of `Array` that makes an array from a vector, or in a shape whose number of axes is known at run time.
pub fn array_function(name: &str) -> Option<&'static Source> {
    arrays::functions::find(name)
}

/// A function of `mooncake` itself, by its name.
pub fn library_function(name: &str) -> Option<&'static Source> {
    parallel::functions::find(name).or_else(|| derivatives::functions::find(name))
}

/// The struct of a range that is used as a value, by which ends are written.
pub fn range(from: bool, to: bool, inclusive: bool) -> &'static Adt {
    match (from, to) {
        (true, true) if inclusive => types::RangeInclusive::ADT,
        (true, true) => types::Range::ADT,
        (true, false) => types::RangeFrom::ADT,
        (false, true) if inclusive => types::RangeToInclusive::ADT,
        (false, true) => types::RangeTo::ADT,
        (false, false) => types::RangeFull::ADT,
    }
}

/// Whether a struct belongs to the library: an iterator or a range.
pub fn is_stdlib_type(adt: &'static Adt) -> bool {
    types::own_methods(adt).is_some()
}

/// Whether a struct of the library is a range.
pub fn is_range(adt: &'static Adt) -> bool {
    is_stdlib_type(adt) && adt.name.starts_with("Range")
}

/// The name of a type for messages: structs of the library are "an iterator" or "a range".
pub fn display_type(ty: Ty) -> String {
    match ty {
        Ty::Adt(adt, _) if is_range(adt) => "a range".to_owned(),
        Ty::Adt(adt, _) if is_stdlib_type(adt) => "an iterator".to_owned(),
        other => other.to_string(),
    }
}

/// Whether a function belongs to the library.
pub fn contains(source: &Source) -> bool {
    source.path.starts_with(concat!(module_path!(), "::"))
}
