//! Methods that a trait of std provides and an `impl` overrides.
//!
//! Derived code compares by `eq`, orders by `partial_cmp` or `cmp`, copies by `clone` and takes items by `next`; the methods that those traits provide
//! are computed from these. An override that computes something else would silently be passed over, through adaptors and in sorting as well, so
//! an `impl` may define only the methods of this table.

use syn::{Ident, Path};

/// The traits of std with provided methods, and the methods that an `impl` may define. `size_hint` only reserves memory.
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

/// What is said of a method that overrides one of these.
pub fn refusal(of_trait: &Path, method: &Ident) -> Option<String> {
    let first = of_trait.segments.first()?.ident.to_string();
    if ["crate", "self", "super"].contains(&first.as_str()) {
        return None;
    }
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
         the type under another name"
    ))
}
