//! Finds out which traits of a type are derived, so that `==` compares all fields and `clone` clones every field.
//!
//! A derive macro does not see the other derives of its item. But differentiable functions may expand `==` only if it compares the fields. So this file
//! reads the source file at the place of the type's name. If there is no such place, as for a type that another macro writes, only `#[derives(PartialEq,
//! Clone)]` before the type counts.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{DeriveInput, Path, Token, punctuated::Punctuated};

/// The traits that differentiable functions can expand if they are derived.
const KNOWN: [&str; 5] = ["PartialEq", "PartialOrd", "Ord", "Clone", "Default"];

/// The names of the derived traits among these, as far as they can be seen.
pub fn derived(input: &DeriveInput) -> Vec<&'static str> {
    let name = input.ident.to_string();
    let text = match proc_macro::is_available() {
        true => written(&input.ident, &name),
        false => None,
    };
    let mut found = match text.and_then(|text| text.parse::<TokenStream>().ok()) {
        Some(tokens) => of_all(tokens, &name).unwrap_or_default(),
        None => Vec::new(),
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

/// The text of the file in which the struct or enum of this name is defined.
fn written(ident: &syn::Ident, name: &str) -> Option<String> {
    let span = ident.span().unwrap();
    let text = std::fs::read_to_string(span.local_file()?).ok()?;
    let line = text.lines().nth(span.line().checked_sub(1)?)?;
    let (before, after) = line.split_at_checked(span.column().checked_sub(1)?)?;
    let is_item = ["struct", "enum"]
        .iter()
        .any(|word| before.trim_end().ends_with(word));
    (is_item && after.starts_with(name)).then_some(text)
}

/// The traits that all types of this name in a file derive. Several modules may define one.
fn of_all(tokens: TokenStream, name: &str) -> Option<Vec<&'static str>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut common: Option<Vec<&'static str>> = None;
    let mut meet = |found: Vec<&'static str>| match &mut common {
        Some(common) => common.retain(|name| found.contains(name)),
        None => common = Some(found),
    };
    for (n, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => of_all(group.stream(), name).into_iter().for_each(&mut meet),
            TokenTree::Ident(ident) if n > 0 && ident == name && is_keyword(&tokens[n - 1]) => {
                meet(before(&tokens[..n - 1]));
            }
            _ => {}
        }
    }
    common
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
        let of = |name: &str| {
            let mut found = of_all(text.parse().unwrap(), name);
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
