//! The table of all rows: `README.md` beside this file, renewed with `BLESS=1 cargo test --test conformance table`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// The sections, and the files their tests are in.
const SECTIONS: [(&str, &str, &str); 5] = [
    ("Programs", "transform.rs", include_str!("transform.rs")),
    ("Tangents", "tangents.rs", include_str!("tangents.rs")),
    ("Builtins", "builtins.rs", include_str!("builtins.rs")),
    ("Memory", "memory.rs", include_str!("memory.rs")),
    ("Devices", "devices.rs", include_str!("devices.rs")),
];

/// A test: its upstream case, what differs, its name.
struct Row {
    case: String,
    note: String,
    name: String,
}

/// The rows of a file: a test with documentation, or an entry of a table with documentation. A table is a call of one of the macros that
/// write tests.
fn rows(source: &str) -> Vec<Row> {
    const TABLES: [&str; 5] = [
        "rows! {",
        "types! {",
        "active! {",
        "vectors! {",
        "devices! {",
    ];
    let (mut found, mut docs) = (Vec::new(), Vec::new());
    let (mut in_table, mut is_test) = (false, false);
    for line in source.lines() {
        in_table = (in_table || TABLES.contains(&line)) && line != "}";
        let line = line.trim();
        if let Some(doc) = line.strip_prefix("/// ") {
            docs.push(doc.to_owned());
            continue;
        }
        if line == "#[test]" {
            is_test = true;
            continue;
        }
        let docs = std::mem::take(&mut docs);
        if !(std::mem::take(&mut is_test) || in_table) || docs.is_empty() {
            continue;
        }
        let name = line.trim_start_matches("fn ").chars();
        found.push(Row {
            case: docs[0].clone(),
            note: docs[1..].join(" "),
            name: name
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect(),
        });
    }
    found
}

fn page() -> String {
    let mut page = String::from(
        "# Conformance\n\nThe test corpus of Mooncake.jl and the tests of ours that stand for it. Each runs in reverse and in forward mode through `test_rule`, \
         which also compares the compiled primal with native Rust, or says what it does instead; all pass, or CI fails. Written by `table.rs` from the tests' documentation.\n",
    );
    for (title, file, source) in SECTIONS {
        let _ = write!(
            page,
            "\n## {title} (`{file}`)\n\n| test | upstream | in Rust |\n| --- | --- | --- |\n"
        );
        let mut rows = rows(source);
        if title == "Programs" {
            rows.sort_by(|a, b| a.name.cmp(&b.name));
        }
        for row in rows {
            let case = row.case.replace('|', "\\|");
            let _ = writeln!(page, "| `{}` | {case} | {} |", row.name, row.note);
        }
    }
    page
}

#[test]
fn the_table_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/README.md");
    let page = page();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "tests/conformance/README.md is not what the tests say: run `BLESS=1 cargo test --test conformance table`"
    );
}

#[test]
fn every_program_of_the_corpus_has_its_test() {
    let ids: BTreeSet<u32> = rows(include_str!("transform.rs"))
        .iter()
        .filter_map(|row| row.name.get(1..4)?.parse().ok())
        .collect();
    let missing: Vec<u32> = (1..=128).filter(|id| !ids.contains(id)).collect();
    assert!(missing.is_empty(), "no test for {missing:?}");
}

#[test]
fn every_row_has_a_name_of_its_own_and_every_test_has_a_row() {
    for (title, _, source) in SECTIONS {
        let rows = rows(source);
        let names: BTreeSet<&str> = rows.iter().map(|row| &row.name[..]).collect();
        assert_eq!(names.len(), rows.len(), "{title}");
        assert!(!names.contains(""), "{title}");
        // Not those in macros, which stand for the rows of tables.
        let tests = source.lines().filter(|line| *line == "#[test]").count();
        let plain = rows
            .iter()
            .filter(|row| source.contains(&format!("fn {}() {{", row.name)));
        assert_eq!(plain.count(), tests, "{title}");
    }
}
