//! Bounds for the loops of packs' texts: an endless loop would hold the device until the process ends, and some drivers end it
//! silently with a wrong number.

/// A checked WGSL text in which each loop begins with `guard`; `None` if it has no loops.
pub fn bounded(text: &str, guard: &str) -> Option<String> {
    let (mut bounded, mut rest) = (String::with_capacity(text.len()), text);
    let mut found = false;
    // In the head of a loop: until its body opens. Heads have no braces of their own.
    let mut head = false;
    while let Some(first) = rest.chars().next() {
        let len = token(rest);
        let (token, after) = rest.split_at(len.max(first.len_utf8()));
        bounded.push_str(token);
        rest = after;
        match token {
            "loop" | "for" | "while" => head = true,
            "{" if head => {
                bounded.push_str(guard);
                (head, found) = (false, true);
            }
            _ => {}
        }
    }
    found.then_some(bounded)
}

/// The length of the word or comment that a text begins with; 0 if it begins with neither.
fn token(text: &str) -> usize {
    let is_word = |c: char| c == '_' || c.is_alphanumeric();
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return comment(text);
    }
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// The length of a block comment; they nest.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while let Some(next) = text[at..].find(['/', '*']) {
        at += next;
        match text.get(at..at + 2) {
            Some("/*") => (depth, at) = (depth + 1, at + 2),
            Some("*/") => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(bounded(text, "!").as_deref().unwrap_or("no loops"));
    }

    #[test]
    fn each_loop_gets_its_guard() {
        check(
            "loop { break; } for (var i = 0; i < f(2); i++) { while i < 3 { } }",
            expect!["loop {! break; } for (var i = 0; i < f(2); i++) {! while i < 3 {! } }"],
        );
        check(
            "loop @x(a, b) { continuing { } }",
            expect!["loop @x(a, b) {! continuing { } }"],
        );
    }

    #[test]
    fn what_only_looks_like_a_loop_gets_none() {
        check(
            "fn looped(fortune: f32) -> f32 { if true { } }",
            expect!["no loops"],
        );
        check(
            "// loop {\n/* for /* { */ while { */ fn f() { }",
            expect!["no loops"],
        );
        check(
            "fn f() { // ä loop\n loop /* { */ { } } /*",
            expect!["fn f() { // ä loop\n loop /* { */ {! } } /*"],
        );
    }
}
