//! Format strings: their text, and the values that they name.

/// The text of a format string without values.
pub fn plain(format: &str) -> Option<String> {
    let mut text = String::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        text.push(c);
        // Braces are escaped by doubling.
        if matches!(c, '{' | '}') && chars.next_if_eq(&c).is_none() {
            return None;
        }
    }
    Some(text)
}

/// The names of the values in a format string, in order, if all are written plainly: `{}`, `{x:?}`, `{0}`.
pub fn braces(format: &str) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find(['{', '}']) {
        let (inside, after) = rest[at..].strip_prefix('{')?.split_once('}')?;
        let name = inside.strip_suffix(":?").unwrap_or(inside);
        if name.contains([':', '{']) || after.starts_with('}') {
            return None;
        }
        names.push(name);
        rest = after;
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::{braces, plain};

    #[test]
    fn values_that_are_put_as_they_are() {
        assert_eq!(braces("a {} b {x:?} c {0}"), Some(vec!["", "x", "0"]));
        assert_eq!(braces("no braces"), Some(vec![]));
        for other in ["{x:.3}", "{{}}", "{", "}", "{x:>4}"] {
            assert_eq!(braces(other), None, "{other}");
        }
    }

    #[test]
    fn only_a_text_without_values_is_known() {
        assert_eq!(plain("a {{b}} c").as_deref(), Some("a {b} c"));
        assert_eq!(plain("").as_deref(), Some(""));
        assert_eq!(plain("{x}"), None);
        assert_eq!(plain("{{{}}}"), None);
        assert_eq!(plain("{x:?} {{"), None);
    }
}
