//! What rustc says of the programs of `bounds.rs` and `names.rs`, with the library as it was built for this test: in a second, where a build for them would
//! take minutes.

use crate::rustc_with_library::rustc;

/// An error: the line that it is about, and its text with our notes and without lists of implementations and places in the library.
pub struct Refusal {
    pub line: usize,
    pub text: String,
}

/// Arguments that are too many, lifetimes and generics that are missing, associated types, bounds, functions, methods and traits where types are
/// expected, and names that mean two things.
const CODES: [&str; 10] = [
    "error[E0061]",
    "error[E0106]",
    "error[E0107]",
    "error[E0223]",
    "error[E0271]",
    "error[E0277]",
    "error[E0573]",
    "error[E0659]",
    "error[E0747]",
    "error[E0782]",
];

/// The errors of a file, in its order.
pub fn refusals(file: &str) -> Vec<Refusal> {
    let output = rustc()
        .args(["--crate-type", "lib", "--crate-name", "bounds"])
        .args(["--emit", "metadata"])
        .arg(file)
        .output()
        .unwrap();
    assert!(!output.status.success(), "{file} compiles");
    let said = String::from_utf8_lossy(&output.stderr);
    let mut found: Vec<Refusal> = Vec::new();
    for block in said.split("\n\n") {
        // What follows from a bound that does not hold is said of methods as well: `E0599`.
        if CODES.iter().any(|code| block.starts_with(code)) {
            found.push(refusal(block, file));
        }
    }
    found.sort_by_key(|refusal| refusal.line);
    found
}

fn refusal(block: &str, file: &str) -> Refusal {
    let mut lines = block.lines();
    let is_of_rustc = |line: &&str| line.starts_with("help:") || line.contains("= help:");
    let place = lines
        .clone()
        .find_map(|line| line.trim().strip_prefix("--> "));
    let place = place.and_then(|place| place.strip_prefix(file)?.split(':').nth(1));
    let mut text = String::new();
    let head: Vec<&str> = lines
        .by_ref()
        .take_while(|line| !is_of_rustc(line))
        .collect();
    let is_ours = |line: &&str| {
        let note = line.trim().strip_prefix("= note: ");
        note.is_some_and(|note| {
            // Where rustc has written the full name of a long type is of this machine alone.
            ![
                "required for",
                "this error",
                "the full name for the type",
                "consider using",
            ]
            .iter()
            .any(|start| note.starts_with(start))
        })
    };
    let notes = lines.filter(is_ours);
    for line in head.into_iter().chain(notes) {
        if line.starts_with("note:") {
            break;
        }
        let line = match line.trim_start() {
            note if note.starts_with("= note:") => &format!("   {note}"),
            _ => line,
        };
        text.push_str(&without_places(line, file));
        text.push('\n');
    }
    Refusal {
        line: place.and_then(|line| line.parse().ok()).unwrap_or_default(),
        text,
    }
}

/// A line without the places in the names of closures.
fn without_places(line: &str, file: &str) -> String {
    match line.split_once(&format!("@{file}:")) {
        Some((before, rest)) => format!(
            "{before}{}",
            rest.trim_start_matches(|c| "0123456789: ".contains(c))
        ),
        None => line.to_owned(),
    }
}
