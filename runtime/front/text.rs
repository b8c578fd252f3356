//! Text in differentiable code. It is passed on, returned and compared, but nothing computes with it. So a number stands for each text.
//!
//! The numbers are hashes, so the IR of a program is the same in every process. The texts of programs are kept for the life of the process. Each call
//! also knows the texts among its arguments.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex};

/// The number of a text with unknown content: numbers were formatted into it.
pub const UNKNOWN: u64 = 0;

static TEXTS: LazyLock<Mutex<HashMap<u64, &'static str>>> = LazyLock::new(Mutex::default);

/// The number of a text that is kept for the life of the process.
pub fn of_program(text: &str) -> u64 {
    let mut texts = TEXTS.lock().unwrap_or_else(|e| e.into_inner());
    let number = number(text, |number| texts.get(&number).copied());
    texts
        .entry(number)
        .or_insert_with(|| text.to_owned().leak());
    number
}

/// The text of a program that a number stands for.
pub fn known(number: u64) -> Option<&'static str> {
    let texts = TEXTS.lock().unwrap_or_else(|e| e.into_inner());
    texts.get(&number).copied()
}

/// The number of a text that differs from the numbers of all known texts.
pub fn number<'t>(text: &str, taken: impl Fn(u64) -> Option<&'t str>) -> u64 {
    let hash = |turn: u64| {
        let mut hasher = DefaultHasher::new();
        (turn, text).hash(&mut hasher);
        hasher.finish()
    };
    let fits =
        |number: &u64| *number != UNKNOWN && taken(*number).is_none_or(|other| other == text);
    (0..).map(hash).find(fits).unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_number_and_a_number_one_text() {
        let (a, b) = (of_program("a"), of_program("b"));
        assert_ne!(a, b);
        assert_eq!(
            (of_program("a"), known(a), known(b)),
            (a, Some("a"), Some("b"))
        );
        assert_eq!(known(UNKNOWN), None);
        // If the number is taken, another one is used.
        let other = number("a", |number| (number == a).then_some("b"));
        assert!(other != a && other != UNKNOWN);
    }
}
