//! Overrides of provided methods of std's traits.
//!
//! Derived code compares with `eq`, orders with `partial_cmp` or `cmp`, copies with `clone` and takes items with `next`; the provided methods of those
//! traits are computed from these. An override with another result would silently be ignored, in adaptors and in sorting as well. So an `impl` may define
//! only the methods in this table.

use syn::{Ident, Path};

/// The traits of std with provided methods, and the methods that an `impl` may define. `size_hint` is allowed because it only reserves memory.
const DEFINED: [(&str, &[&str]); 8] = [
    ("Clone", &["clone"]),
    ("DoubleEndedIterator", &["next_back"]),
    ("ExactSizeIterator", &[]),
    ("Iterator", &["next", "size_hint"]),
    ("Ord", &["cmp"]),
    ("PartialEq", &["eq"]),
    ("PartialOrd", &["partial_cmp"]),
    ("ToOwned", &["to_owned"]),
];

/// The message for an override of another method. Whatever the path of the trait, it may be std's: a module of the program can export it again. A trait of
/// the program's own with the name of one of std's is refused too, if it has other methods.
pub fn refusal(of_trait: &Path, method: &Ident) -> Option<String> {
    let name = of_trait.segments.last()?.ident.to_string();
    let (_, defined) = DEFINED.iter().find(|(known, _)| *known == name)?;
    if defined.iter().any(|known| method == known) {
        return None;
    }
    let instead = match defined.first() {
        Some(known) => format!("differentiable functions only call `{known}`"),
        None => "differentiable functions do not call it".to_owned(),
    };
    Some(format!(
        "this overrides the method `{method}` that std's trait `{name}` provides, and {instead}; leave the method out, or move it to an `impl` of \
         the type under another name; if the trait is your own, give it another name"
    ))
}
