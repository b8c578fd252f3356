//! Places in the user's source, and what can go wrong.
//!
//! Three kinds of failure, three mechanisms: a user's mistake is a [`Diagnostic`] with a [`Span`]; a bug of ours is
//! a verifier error ([`Error::Internal`]); the world's failures are the other variants of [`Error`]. What is no failure but
//! should be known, such as the device that is used, is a [`notice`].

use std::fmt;

/// A place in the user's source: file, line and column counted from 1. `Span::NONE` is nowhere. For a step of a method of arrays also the method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The path as rustc gave it.
    pub file: &'static str,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// The method of arrays of which the code is a step, as users know it: errors name the method, not the step. Empty for other code.
    pub method: &'static str,
}

impl Span {
    /// No place: code that the compiler made up.
    pub const NONE: Span = Span {
        file: "",
        line: 0,
        column: 0,
        method: "",
    };
    /// Whether this span names a place.
    pub fn is_known(self) -> bool {
        self.line != 0
    }
    /// The same place, in a step of a method; of methods within each other the outer one counts.
    pub fn in_method(self, method: &'static str) -> Span {
        match method {
            "" => self,
            method => Span { method, ..self },
        }
    }
    /// What the span of an instruction becomes when its function becomes part of another one. Code without a place takes the place of the call; the
    /// method that the call is a step of contains the called one.
    pub fn inlined_at(self, call: Span) -> Span {
        match self.is_known() {
            true if !self.method.is_empty() => self,
            true => self.in_method(call.method),
            false => Span {
                method: self.method,
                ..call
            }
            .in_method(call.method),
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_known() {
            true => write!(f, "{}:{}:{}", self.file, self.line, self.column),
            false => f.write_str("<generated>"),
        }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A user's mistake: what is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong, in the user's terms: found and expected.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to do: one sentence, or empty.
    pub help: String,
}

impl Diagnostic {
    /// A diagnostic without advice.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            span,
            help: String::new(),
        }
    }
    /// Adds advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if self.span.is_known() {
            write!(f, "\n  --> {}", self.span)?;
            if let Some(text) = source_line(self.span) {
                let number = self.span.line.to_string();
                let pad = " ".repeat(number.len());
                let marks = marks(&text, self.span.column);
                write!(f, "\n {pad} |\n {number} | {text}\n {pad} | {marks}")?;
            }
        }
        if !self.help.is_empty() {
            write!(f, "\n  help: {}", self.help)?;
        }
        Ok(())
    }
}

/// What stands below a line to mark the word that begins in a column: tabs are where the line has them, so that the marks are below the word.
fn marks(line: &str, column: u32) -> String {
    let before = column.saturating_sub(1) as usize;
    let indent = line.chars().chain(std::iter::repeat(' ')).take(before);
    let indent = indent.map(|c| if c == '\t' { '\t' } else { ' ' });
    let word = line.chars().skip(before);
    let word = word.take_while(|c| c.is_alphanumeric() || *c == '_');
    let width = word.count().max(1);
    indent.chain(std::iter::repeat_n('^', width)).collect()
}

/// The line a span points into, if the file is still where rustc saw it. rustc names files from the folder of the workspace; the tests of a package run in
/// the folder of the package, which lies below it.
fn source_line(span: Span) -> Option<String> {
    let folder = std::env::current_dir().ok()?;
    let read = |folder: &std::path::Path| std::fs::read_to_string(folder.join(span.file)).ok();
    let text = folder.ancestors().find_map(read)?;
    text.lines().nth(span.line as usize - 1).map(str::to_owned)
}

/// All errors of this library.
///
/// `{:?}` prints what `{}` prints, so that a `main` which returns a `Result` ends with a message that people can read.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The differentiable function or its arguments are wrong.
    #[error("{0}")]
    User(Diagnostic),
    /// The function failed while it ran: an index out of range, an overflow, a panic, a failed assertion.
    #[error("{0}")]
    Fault(Diagnostic),
    /// A rule pack could not be loaded, or misbehaved.
    #[error("pack {pack}: {message}")]
    Pack {
        /// The pack's name, or its path while the name is unknown.
        pack: String,
        /// One line.
        message: String,
    },
    /// A device is missing, was lost, or cannot do what was asked.
    #[error("device {device}: {message}")]
    Device {
        /// The device's name.
        device: String,
        /// One line.
        message: String,
    },
    /// No device has this name.
    #[error("unknown device `{name}`{place}: expected auto, gpu or cpu")]
    UnknownDevice {
        /// The name.
        name: String,
        /// Where it was found: ` in ` and the variable, or nothing.
        place: &'static str,
    },
    /// Arrays whose shapes, types or devices do not fit the operation.
    #[error("{0}")]
    Array(String),
    /// Memory or tape limits were reached.
    #[error("out of memory: {0}")]
    Memory(String),
    /// A test has found a rule to be wrong.
    #[error("the rule of {rule} is wrong ({property}): {message}")]
    Rule {
        /// The function.
        rule: String,
        /// What does not hold.
        property: &'static str,
        /// Found and expected.
        message: String,
    },
    /// A bug of this library: the verifier or an internal check refused the result of a pass.
    #[error("internal error (please report this): {0}")]
    Internal(String),
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Error::User(diagnostic)
    }
}

/// The result of everything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Tells the user something in one line that is no error: through the program's logger if it has one (the crate `log`, target `mooncake`), and otherwise
/// on stderr.
///
/// A program that has set `log::max_level` to `Off` counts as one without a logger, because `log` cannot distinguish the two.
pub fn notice(level: log::Level, message: impl fmt::Display) {
    notice_of("mooncake", level, message);
}

/// A [`notice`] on behalf of a pack, whose name is the target.
pub fn notice_of(name: &str, level: log::Level, message: impl fmt::Display) {
    match log::max_level() {
        log::LevelFilter::Off => eprintln!("{name}: {message}"),
        _ => log::log!(target: name, level, "{message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_of_a_column_is_marked() {
        assert_eq!(marks("    x.sin().twice()", 13), "            ^^^^^");
        assert_eq!(marks("\ta + x[7]", 6), "\t    ^");
        assert_eq!(marks("\ta + x[7]", 4), "\t  ^");
        assert_eq!(marks("Φ = ψ_2(x)", 5), "    ^^^");
        // Beyond the end of a line that has changed since, and no column.
        assert_eq!(marks("a", 4), "   ^");
        assert_eq!(marks("a", 0), "^");
    }

    #[test]
    fn what_main_prints_is_the_message() {
        let error = Error::Array("add: shapes [2] and [3] do not fit".into());
        assert_eq!(
            format!("Error: {error:?}"),
            "Error: add: shapes [2] and [3] do not fit"
        );
    }
}
