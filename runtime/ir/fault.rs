//! The messages for faults, in Rust's words.

use super::*;
use crate::diag::Diagnostic;

/// A value that a fault shows.
#[derive(Clone, Copy, Debug)]
pub enum Shown {
    /// An integer, or a float by its bits.
    Int(i128),
    /// A bool.
    Bool(bool),
    /// A number.
    F32(f32),
    /// A number.
    F64(f64),
}

impl Shown {
    /// The value of a word of a type.
    pub fn of_word(word: u64, ty: Type) -> Shown {
        match ty {
            Type::I8 => Shown::Int(i128::from(word as i8)),
            Type::I16 => Shown::Int(i128::from(word as i16)),
            Type::I32 => Shown::Int(i128::from(word as i32)),
            Type::I64 | Type::Isize => Shown::Int(i128::from(word as i64)),
            Type::Bool => Shown::Bool(word & 1 != 0),
            Type::F32 => Shown::F32(f32::from_bits(word as u32)),
            Type::F64 => Shown::F64(f64::from_bits(word)),
            _ => Shown::Int(i128::from(word)),
        }
    }
    fn int(self) -> i128 {
        match self {
            Shown::Int(i) => i,
            _ => 0,
        }
    }
    fn format(self, debug: bool) -> String {
        match self {
            Shown::Int(i) => i.to_string(),
            Shown::Bool(b) => b.to_string(),
            Shown::F32(x) if debug => format!("{x:?}"),
            Shown::F32(x) => x.to_string(),
            Shown::F64(x) if debug => format!("{x:?}"),
            Shown::F64(x) => x.to_string(),
        }
    }
}

impl Fault {
    /// The diagnostic at a place, for the values that the fault shows. Those that it needs and does not get are zero.
    pub fn diagnostic(self, span: Span, values: &[Shown]) -> Diagnostic {
        let diagnostic = Diagnostic::new(span, message(self, values));
        match self {
            Fault::TooDeep => diagnostic.help(
                "recurse less deeply, write a loop, or call from a thread with a larger stack",
            ),
            Fault::NoRule(_, help) => diagnostic.help(help.as_str()),
            _ => diagnostic,
        }
    }
}

fn message(fault: Fault, values: &[Shown]) -> String {
    let [a, b, c] = [0, 1, 2].map(|n| values.get(n).map_or(0, |value| value.int()));
    match fault {
        Fault::IndexOutOfBounds => {
            format!("index out of bounds: the len is {b} but the index is {a}")
        }
        Fault::SliceOutOfBounds if a > c => {
            format!("range start index {a} out of range for slice of length {c}")
        }
        Fault::SliceOutOfBounds if a > b && b <= c => {
            format!("slice index starts at {a} but ends at {b}")
        }
        // Of an inclusive range the end that is written, so it may be the length.
        Fault::SliceOutOfBounds => {
            format!("range end index {b} out of range for slice of length {c}")
        }
        Fault::Overflow(text) => text.as_str().to_owned(),
        Fault::DivisionByZero => "attempt to divide by zero".to_owned(),
        Fault::TooDeep => "the recursion is too deep for this thread's stack".to_owned(),
        Fault::NotFinite(text) => [a, b, c]
            .iter()
            .fold(text.as_str().to_owned(), |text, &bits| {
                text.replacen("{}", &format!("{:?}", f64::from_bits(bits as u64)), 1)
            }),
        Fault::Panic(text) => filled(text.as_str(), values),
        Fault::NoRule(text, _) => text.as_str().to_owned(),
    }
}

/// A text that shows values, without them: `…` stands in its braces.
pub(crate) fn elided(text: &str, values: usize) -> String {
    let (mut elided, mut rest) = (String::new(), text);
    for _ in 0..values {
        let Some((before, _, after)) = at_braces(rest) else {
            break;
        };
        elided += before;
        elided += "…";
        rest = after;
    }
    elided + rest
}

/// The text before the next braces, in them, and after them.
fn at_braces(text: &str) -> Option<(&str, &str, &str)> {
    let (before, from) = text.split_once('{')?;
    let (braces, after) = from.split_once('}')?;
    Some((before, braces, after))
}

/// A text with the values in its braces, in order. Without values it is no format.
fn filled(text: &str, values: &[Shown]) -> String {
    let (mut filled, mut rest) = (String::new(), text);
    for value in values {
        let Some((before, braces, after)) = at_braces(rest) else {
            break;
        };
        filled += before;
        filled += &value.format(braces.ends_with('?'));
        rest = after;
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_the_braces_or_are_left_out() {
        let text = "bad {x} and {:?}, not {this}";
        let shown = [Shown::F64(1.0), Shown::F64(1.0)];
        assert_eq!(filled(text, &shown), "bad 1 and 1.0, not {this}");
        assert_eq!(elided(text, 2), "bad … and …, not {this}");
        // Without values it is no format.
        assert_eq!(elided(text, 0), text);
    }
}
