//! The page of all that is refused: `README.md` beside this file, renewed with `BLESS=1 cargo test --test unsupported`.

use crate::{Program, rustc};
use mooncake::{__private::inventory, Context, Device, Result};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The groups: the title, the file with its programs here, and the files of `runtime/macros/tests/ui` that belong to it.
const GROUPS: [(&str, &str, &[&str]); 7] = [
    (
        "Language",
        "language",
        &[
            "bodies",
            "captures",
            "constants",
            "forms",
            "functions",
            "generics",
            "macros",
            "methods",
            "names",
            "not_differentiable",
            "overlays",
            "overrides",
            "several",
            "traits",
            "unsafe_code",
        ],
    ),
    (
        "Standard library",
        "library",
        &["refused_types", "std_functions", "types"],
    ),
    ("Arguments and results", "boundary", &["derives", "structs"]),
    ("Modes and threads", "modes", &[]),
    ("Arrays and devices", "arrays", &[]),
    ("GPUs", "gpu", &[]),
    ("Packs", "packs", &["packs", "own_rules"]),
];

/// A message that another test has: of a build without rules.
const WITHOUT_RULE: (&str, &str) = ("What has no rule", include_str!("../no_rules.rs"));

const HEAD: &str = "\
# What is not supported

Programs that are refused, with the message that each gives and, in it, the way out. What the macro refuses does not compile; the others
fail when the rule is built, when its derivative is asked for, or when the call comes to the place. Nothing on this page gives a wrong number.
Mistakes that beginners make are under \"Arguments and results\"; the README lists them with their remedies.
The page is the snapshot of `cargo test --test unsupported`, which runs the programs or asks rustc, and of `runtime/macros/tests/ui`.
";

/// What stands for the message of a program that is supported.
const NOT_REFUSED: &str = "it is not refused";

/// What stands for the message of a GPU that there is not.
const NO_ADAPTER: &str = "no adapter";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("unsupported")
}

fn ui() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/macros/tests/ui")
}

/// What a program says when it is attempted.
pub fn message(attempt: fn(&Context) -> Result<()>) -> String {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    match attempt(&ctx) {
        Ok(()) => NOT_REFUSED.to_owned(),
        Err(error) => error.to_string(),
    }
}

/// What a program says on this machine's GPU, without what is this adapter's own. Without an adapter that is what is on the page, and the test says so;
/// `MOONCAKE_REQUIRE_GPU=1` makes that a failure.
pub fn message_on_gpu(attempt: fn(&Device) -> Result<()>) -> String {
    let gpu = match Device::gpu() {
        Ok(gpu) => gpu,
        Err(error) => {
            let required = std::env::var("MOONCAKE_REQUIRE_GPU").is_ok_and(|v| v == "1");
            assert!(!required, "MOONCAKE_REQUIRE_GPU=1, but: {error}");
            eprintln!("not tested on a GPU: {error}");
            return NO_ADAPTER.to_owned();
        }
    };
    let Err(error) = attempt(&gpu) else {
        return NOT_REFUSED.to_owned();
    };
    let text = error.to_string().replace(gpu.name(), "the adapter");
    match text.split_once("bytes: expected at most ") {
        Some((before, rest)) => {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{before}bytes: expected at most …{rest}")
        }
        None => text,
    }
}

/// The message of a program on the page as it is written.
fn written(page: &str, title: &str) -> String {
    let section = page
        .split(&format!("\n### {title}\n"))
        .nth(1)
        .unwrap_or_default();
    let text = section.split("```text\n").nth(1).unwrap_or_default();
    text.split("```").next().unwrap_or_default().to_owned()
}

/// A message without the numbers of lines, which change with every edit.
fn without_numbers(message: &str) -> String {
    let mut text = String::new();
    for line in message.lines() {
        let (gutter, code) = line.split_once(" |").unwrap_or_default();
        let is_source = gutter.trim().is_empty() || gutter.trim().parse::<u32>().is_ok();
        let _ = match line.trim_start().strip_prefix("--> ") {
            Some(place) => writeln!(
                text,
                "  --> {}",
                place.split(':').next().unwrap_or_default()
            ),
            None if line.contains(" |") && is_source => writeln!(text, "   |{}", code.trim_end()),
            None => writeln!(text, "{}", line.trim_end()),
        };
    }
    text
}

/// A module of a file: its documentation, and its lines without what every program has.
struct Text {
    title: String,
    note: String,
    program: String,
}

fn text(source: &str, name: &str) -> Text {
    let lines: Vec<&str> = source.lines().collect();
    let opening = format!("mod {name} {{");
    let start = lines.iter().position(|line| **line == opening).unwrap();
    let first = lines[..start]
        .iter()
        .rposition(|line| !line.starts_with("///"))
        .map_or(0, |at| at + 1);
    let docs: Vec<&str> = lines[first..start]
        .iter()
        .map(|line| line.trim_start_matches("/// "))
        .collect();
    let body = lines[start + 1..].iter().take_while(|line| **line != "}");
    let shown = body
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .filter(|line| {
            !line.starts_with("use ")
                && !line.starts_with("refused!(f")
                && !line.starts_with("refused_on_gpu!")
        });
    let program: Vec<&str> = shown.collect();
    Text {
        title: docs[0].to_owned(),
        note: docs[1..].join(" "),
        program: program.join("\n").trim().to_owned(),
    }
}

/// The programs that rustc refuses, by the bounds of the library's traits or since a name means nothing, with what it says of each.
fn bounds() -> Vec<(Text, Vec<String>)> {
    let files = ["bounds.rs", "names.rs"];
    files.into_iter().flat_map(bounds_of).collect()
}

fn bounds_of(file: &str) -> Vec<(Text, Vec<String>)> {
    let source = std::fs::read_to_string(folder().join(file)).unwrap();
    let refusals = rustc::refusals(&format!("tests/unsupported/{file}"));
    let lines: Vec<&str> = source.lines().collect();
    let modules = lines.iter().enumerate().filter_map(|(at, line)| {
        let name = line.strip_prefix("mod ")?.strip_suffix(" {")?;
        let length = lines[at..].iter().position(|line| *line == "}")?;
        let inside = at + 1..=at + 1 + length;
        // What is said once is said again for other parts of the type.
        let mut said = BTreeSet::new();
        let of_it = refusals.iter().filter(|refusal| {
            inside.contains(&refusal.line) && said.insert(refusal.text.lines().next())
        });
        let texts = of_it.map(|refusal| refusal.text.clone()).collect();
        Some((text(&source, name), texts))
    });
    modules.collect()
}

/// The programs of a group, in the order of its file.
fn programs(group: &str) -> Vec<(&'static str, &'static Program)> {
    let mut found: Vec<_> = inventory::iter::<Program>
        .into_iter()
        .filter_map(|program| {
            let mut path = program.module.split("::").skip(1);
            (path.next() == Some(group)).then_some((path.next()?, program))
        })
        .collect();
    found.sort_by_key(|(_, program)| program.line);
    found
}

/// The errors of a file of the macro's tests, each once: rustc reports some for every use.
fn refusals(stem: &str) -> Vec<String> {
    let text = std::fs::read_to_string(ui().join(format!("{stem}.stderr"))).unwrap();
    let mut found: Vec<String> = Vec::new();
    let mut current: Option<String> = None;
    let mut seen = BTreeSet::new();
    for line in text.lines().chain([""]) {
        if line.starts_with("error") && seen.insert(line.to_owned()) {
            current = Some(String::new());
        }
        // What follows are long lists, and places inside the library.
        let ends = line.is_empty()
            || line.contains("= help: the following other types")
            || line.starts_with("note: required by");
        match &mut current {
            Some(_) if ends => found.extend(current.take()),
            Some(error) => {
                let _ = writeln!(error, "{line}");
            }
            None => {}
        }
    }
    found
}

fn page() -> String {
    let on_disk = std::fs::read_to_string(folder().join("README.md")).unwrap_or_default();
    let mut page = HEAD.to_owned();
    for (title, group, files) in GROUPS {
        let _ = write!(page, "\n## {title}\n");
        let source = std::fs::read_to_string(folder().join(format!("{group}.rs"))).unwrap();
        for (name, program) in programs(group) {
            let Text {
                title,
                note,
                program: code,
            } = text(&source, name);
            let message = match (program.message)() {
                message if message == NO_ADAPTER => written(&on_disk, &title),
                message => without_numbers(&message),
            };
            let _ = write!(page, "\n### {title}\n\n");
            if !note.is_empty() {
                let _ = write!(page, "{note}\n\n");
            }
            let _ = write!(page, "```rust\n{code}\n```\n\n```text\n{message}```\n");
        }
        if group == "boundary" {
            for (module, refusals) in bounds() {
                let Text {
                    title,
                    note,
                    program,
                } = module;
                let _ = write!(page, "\n### {title}\n\n");
                if !note.is_empty() {
                    let _ = write!(page, "{note}\n\n");
                }
                let _ = write!(page, "```rust\n{program}\n```\n\n");
                for refusal in refusals {
                    let _ = write!(page, "```text\n{}```\n", without_numbers(&refusal));
                }
            }
        }
        if group == "packs" {
            let (title, source) = WITHOUT_RULE;
            let text = source
                .split("expect![[r#\"\n")
                .nth(1)
                .and_then(|rest| rest.split("\"#]]").next())
                .unwrap();
            let lines: Vec<&str> = text
                .lines()
                .map(|line| line.strip_prefix("        ").unwrap_or(line))
                .collect();
            let _ = write!(
                page,
                "\n### {title}\n\n```text\n{}```\n",
                without_numbers(&lines.join("\n"))
            );
        }
        for stem in files {
            let source = std::fs::read_to_string(ui().join(format!("{stem}.rs"))).unwrap();
            let title = source
                .lines()
                .next()
                .unwrap_or_default()
                .trim_start_matches("//! ");
            let _ = write!(page, "\n### {}\n\n", title.trim_end_matches('.'));
            for error in refusals(stem) {
                let _ = write!(page, "```text\n{}```\n", without_numbers(&error));
            }
        }
    }
    page
}

#[test]
fn every_program_is_refused_with_its_place_and_a_way_out() {
    for program in inventory::iter::<Program> {
        let (module, message) = (program.module, (program.message)());
        assert!(message != NOT_REFUSED, "{module} is supported: remove it");
        assert!(!message.contains("internal error"), "{module}: {message}");
        // What is about the source shows it; the others are about values that were given.
        let of_source = ["language", "library"]
            .iter()
            .any(|group| module.contains(group));
        let advises =
            message.contains("^\n  help: ") || message.lines().next().unwrap().contains(": ");
        let drawn =
            message.contains("  --> tests/unsupported/") && message.contains("^") && advises;
        assert!(drawn || !of_source, "{module}: {message}");
    }
}

#[test]
fn what_does_not_compile_says_what_to_do() {
    for (Text { title, note, .. }, refusals) in bounds() {
        assert!(!refusals.is_empty(), "{title}: it compiles");
        for refusal in refusals {
            let advises = refusal.contains("= note: ") || !note.is_empty();
            assert!(advises, "{title}: {refusal}");
        }
    }
}

/// The second column of the table in the repository's README.
#[test]
fn the_common_mistakes_say_what_the_readme_tells() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let section = readme.split("\n## Common mistakes\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows: Vec<&str> = section
        .lines()
        .filter(|line| line.starts_with('|'))
        .skip(2)
        .collect();
    assert!(rows.len() > 10, "{section}");
    let page = page();
    for row in rows {
        let seen = row.split(" | ").nth(1).unwrap();
        assert!(
            page.contains(seen),
            "README.md, Common mistakes: no program says \"{seen}\""
        );
    }
}

#[test]
fn every_refusal_of_the_macro_is_on_the_page() {
    let listed: BTreeSet<&str> = GROUPS
        .iter()
        .flat_map(|(.., files)| *files)
        .copied()
        .collect();
    let files = std::fs::read_dir(ui())
        .unwrap()
        .map(|file| file.unwrap().path());
    for path in files.filter(|path| path.extension().is_some_and(|end| end == "stderr")) {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        assert!(
            listed.contains(stem),
            "{stem}.stderr belongs to no group of tests/unsupported/page.rs"
        );
    }
}

#[test]
fn the_page_is_up_to_date() {
    let path = folder().join("README.md");
    let page = page();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = written.lines().zip(page.lines()).find(|(a, b)| a != b);
    assert!(
        written == page,
        "tests/unsupported/README.md is not what the programs say, first at {differs:?}: run `BLESS=1 cargo test --test unsupported`, \
         and remove the programs that are supported by now"
    );
}
