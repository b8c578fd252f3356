//! What users read when a guard fails: Rust's own words.

use super::*;
use crate::diag::Diagnostic;

impl Fault {
    /// The diagnostic at a place, for the values that the fault shows. Those that it needs and does not get are zero.
    pub fn diagnostic(self, span: Span, values: &[i128]) -> Diagnostic {
        let mut shown = [0; 3];
        for (shown, value) in shown.iter_mut().zip(values) {
            *shown = *value;
        }
        let diagnostic = Diagnostic::new(span, message(self, shown));
        match self {
            Fault::TooDeep => diagnostic.help(
                "recurse less deeply, write a loop, or call from a thread with a larger stack",
            ),
            Fault::NoRule(_, help) => diagnostic.help(help.as_str()),
            _ => diagnostic,
        }
    }
}

fn message(fault: Fault, [a, b, c]: [i128; 3]) -> String {
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
        Fault::Panic(text) | Fault::NoRule(text, _) => text.as_str().to_owned(),
    }
}
