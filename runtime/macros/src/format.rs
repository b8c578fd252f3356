//! Format strings: what they say where nothing is put into them.

/// The text that a format string stands for, if no values are put into it.
pub fn plain(format: &str) -> Option<String> {
    let mut text = String::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        text.push(c);
        // Braces are written twice.
        if matches!(c, '{' | '}') && chars.next_if_eq(&c).is_none() {
            return None;
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn only_a_text_without_values_is_known() {
        assert_eq!(plain("a {{b}} c").as_deref(), Some("a {b} c"));
        assert_eq!(plain("").as_deref(), Some(""));
        assert_eq!(plain("{x}"), None);
        assert_eq!(plain("{{{}}}"), None);
        assert_eq!(plain("{x:?} {{"), None);
    }
}
