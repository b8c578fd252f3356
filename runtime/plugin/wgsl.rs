//! The WGSL of packs' rows: checked where there are GPUs, and with names that no other row has.

#[cfg(feature = "gpu")]
mod validate;

#[cfg(feature = "gpu")]
pub(super) use validate::{check, check_f64, check_kernel};

/// A build without GPUs runs no text of a function, and does not look at it.
#[cfg(not(feature = "gpu"))]
pub(super) fn check(_name: &str, _params: &[crate::ir::Type], _text: &str) -> Result<(), String> {
    Ok(())
}

#[cfg(not(feature = "gpu"))]
pub(super) fn check_f64(
    _name: &str,
    _params: &[crate::ir::Type],
    _text: &str,
) -> Result<(), String> {
    Ok(())
}

/// Nor at that of a compute shader.
#[cfg(not(feature = "gpu"))]
pub(super) fn check_kernel(_text: &str, _arrays: usize) -> Result<(), String> {
    Ok(())
}

/// The line before what a text has for f64.
const DOUBLE: &str = "// f64\n";

/// What a row's text has for f32 and for f64.
pub(super) fn parts(text: &str) -> [&str; 2] {
    let (single, double) = text.split_once(DOUBLE).unwrap_or((text, ""));
    [single, double].map(str::trim)
}

/// The checked text of the function `name` with `mc_<name>`, and all names that begin so, beginning with `target` instead.
pub(super) fn renamed(text: &str, name: &str, target: &str) -> String {
    let own = format!("mc_{name}");
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut renamed = String::with_capacity(text.len());
    let mut end = 0;
    for (at, _) in text.match_indices(&own) {
        let after = &text[at + own.len()..];
        let continues = after.starts_with(|c: char| is_word(c) && c != '_');
        if !continues && !text[..at].ends_with(is_word) {
            renamed.push_str(&text[end..at]);
            renamed.push_str(target);
            end = at + own.len();
        }
    }
    renamed.push_str(&text[end..]);
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn names_are_those_of_the_row() {
        let text = "fn mc_f_g(mc_fx: f32) -> f32 { return mc_fx; } fn mc_f(x: f32) -> f32 { return mc_f_g(x); }";
        expect!["fn mc_p__f_g(mc_fx: f32) -> f32 { return mc_fx; } fn mc_p__f(x: f32) -> f32 { return mc_p__f_g(x); }"]
            .assert_eq(&renamed(text, "f", "mc_p__f"));
    }
}
