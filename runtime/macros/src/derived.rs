//! Finds out which traits of a type are derived, so that `==` compares all fields and `clone` clones every field.
//!
//! A derive macro does not see the other derives of its item. But differentiable functions may expand `==` only if it compares the fields. So this file
//! reads the source file at the place of the type's name. If there is no such place, as for a type that another macro writes, only `#[derives(PartialEq,
//! Clone)]` before the type counts.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::{cell::RefCell, collections::HashMap};
use syn::{DeriveInput, Path, Token, punctuated::Punctuated};

/// The traits that differentiable functions can expand if they are derived.
const KNOWN: [&str; 5] = ["PartialEq", "PartialOrd", "Ord", "Clone", "Default"];

/// The names of the derived traits among these, as far as they can be seen.
pub fn derived(input: &DeriveInput) -> Vec<&'static str> {
    let name = input.ident.to_string();
    let mut found = match proc_macro::is_available() {
        true => written(&input.ident, &name).unwrap_or_default(),
        false => Vec::new(),
    };
    for attribute in &input.attrs {
        if attribute.path().is_ident("derives")
            && let Ok(stated) =
                attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)
        {
            found.extend(stated.iter().filter_map(known));
        }
    }
    found
}

/// What the source file says that the struct or enum of this name derives.
fn written(ident: &syn::Ident, name: &str) -> Option<Vec<&'static str>> {
    let span = ident.span().unwrap();
    let text = std::fs::read_to_string(span.local_file()?).ok()?;
    let line = text.lines().nth(span.line().checked_sub(1)?)?;
    let (before, after) = line.split_at_checked(span.column().checked_sub(1)?)?;
    let is_item = ["struct", "enum"]
        .iter()
        .any(|word| before.trim_end().ends_with(word));
    (is_item && after.starts_with(name)).then_some(())?;
    // The text is parsed once for all types of a file.
    thread_local!(static LAST: RefCell<Option<(String, Derives)>> = const { RefCell::new(None) });
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(known, _)| *known != text) {
            let mut derives = Derives::new();
            note(text.parse().ok()?, &mut derives);
            *last = Some((text, derives));
        }
        last.as_ref()?.1.get(name).cloned()
    })
}

/// By the name of a type: the traits that all types of this name in a file derive. Several modules may define one.
type Derives = HashMap<String, Vec<&'static str>>;

/// Notes what the structs and enums among these tokens derive.
fn note(tokens: TokenStream, derives: &mut Derives) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (n, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => note(group.stream(), derives),
            TokenTree::Ident(name) if n > 0 && is_keyword(&tokens[n - 1]) => {
                let found = before(&tokens[..n - 1]);
                derives
                    .entry(name.to_string())
                    .and_modify(|common| common.retain(|name| found.contains(name)))
                    .or_insert(found);
            }
            _ => {}
        }
    }
}

fn is_keyword(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == "struct" || ident == "enum")
}

/// The traits that the attributes at the end of these tokens derive. A visibility may follow the attributes.
fn before(tokens: &[TokenTree]) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut rest = match tokens {
        [rest @ .., TokenTree::Ident(word)] if word == "pub" => rest,
        [rest @ .., TokenTree::Ident(word), TokenTree::Group(_)] if word == "pub" => rest,
        rest => rest,
    };
    while let [
        earlier @ ..,
        TokenTree::Punct(mark),
        TokenTree::Group(group),
    ] = rest
    {
        if mark.as_char() != '#' || group.delimiter() != Delimiter::Bracket {
            break;
        }
        let attribute: Vec<TokenTree> = group.stream().into_iter().collect();
        if let [TokenTree::Ident(word), TokenTree::Group(list)] = &attribute[..]
            && word == "derive"
        {
            found.extend(listed(list.stream()));
        }
        rest = earlier;
    }
    found
}

fn listed(list: TokenStream) -> Vec<&'static str> {
    use syn::parse::Parser;
    let paths = Punctuated::<Path, Token![,]>::parse_terminated.parse2(list);
    paths.iter().flatten().filter_map(known).collect()
}

/// A trait of std by its name alone, or by its path.
fn known(path: &Path) -> Option<&'static str> {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let is_std = names.len() == 1 || ["std", "core"].contains(&names[0].as_str());
    let last = names.last()?;
    KNOWN.into_iter().find(|name| is_std && name == last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derives_are_those_before_the_type() {
        let text = r#"
            #[derive(Clone, std::cmp::PartialEq, other::Default)]
            /// Text.
            #[repr(C)]
            #[derive(Debug, PartialOrd)]
            pub(crate) enum Mode { A }
            #[derive(Clone)]
            struct Other;
            mod inner {
                #[derive(Clone, PartialEq)]
                pub struct Twice;
                fn f() {
                    #[derive(Clone, PartialOrd)]
                    struct Twice;
                }
            }
            struct Plain;
        "#;
        let mut derives = Derives::new();
        note(text.parse().unwrap(), &mut derives);
        let of = |name: &str| {
            let mut found = derives.get(name).cloned();
            found.iter_mut().for_each(|found| found.sort_unstable());
            found
        };
        assert_eq!(of("Mode"), Some(vec!["Clone", "PartialEq", "PartialOrd"]));
        assert_eq!(of("Other"), Some(vec!["Clone"]));
        assert_eq!(of("Twice"), Some(vec!["Clone"]));
        assert_eq!(of("Plain"), Some(vec![]));
        assert_eq!(of("Absent"), None);
    }
}
