//! The conventions of the source tree, as tests whose failure says what to do.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of `runtime/lib.rs` in the order of data flow; see ARCHITECTURE.md.
const ORDER: &[&str] = &[
    "arena",
    "diag",
    "ir",
    "kernel",
    "tangent",
    "registry",
    "plugin",
    "context",
    "interp",
    "front",
    "stdlib",
    "resolve",
    "infer",
    "elaborate",
    "borrows",
    "lower",
    "normalise",
    "ad",
    "opt",
    "codegen",
    "exec",
    "array",
    "api",
    "parallel",
    "derivatives",
    "inspect",
    "testing",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file under the given entries of the repository.
fn rust_files(entries: &[&str]) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = entries.iter().map(|entry| root().join(entry)).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The path inside the repository, for messages.
fn short(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

/// The file's lines without comments and without what follows `#[cfg(test)]` (tests may use everything).
fn code_lines(path: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .enumerate()
        .take_while(|(_, line)| line.trim() != "#[cfg(test)]")
        .map(|(number, line)| {
            (
                number + 1,
                line.split("//").next().unwrap_or_default().to_owned(),
            )
        })
        .collect()
}

/// The modules that `runtime/lib.rs` declares, in order.
fn declared_modules() -> Vec<String> {
    let text = fs::read_to_string(root().join("runtime/lib.rs")).unwrap();
    text.lines()
        .map(str::trim)
        .filter_map(|line| {
            line.strip_prefix("pub ")
                .unwrap_or(line)
                .strip_prefix("mod ")
        })
        .filter_map(|rest| rest.strip_suffix(';'))
        .map(str::to_owned)
        .collect()
}

/// The files of a module: `name.rs` and everything in `name/`.
fn module_files(name: &str) -> Vec<PathBuf> {
    let (file, folder) = (
        root().join(format!("runtime/{name}.rs")),
        format!("runtime/{name}"),
    );
    let mut files = if root().join(&folder).is_dir() {
        rust_files(&[&folder])
    } else {
        Vec::new()
    };
    if file.exists() {
        files.push(file);
    }
    files
}

/// The identifier a text starts with.
fn word(text: &str) -> String {
    text.chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

/// The names after `crate::` in a line, also inside `crate::{a::…, b::…}`.
fn crate_paths(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices("crate::") {
        // `$crate::` in a macro is a path for users, who see the whole library.
        if line[..at].ends_with('$') {
            continue;
        }
        let rest = &line[at + "crate::".len()..];
        let Some(list) = rest.strip_prefix('{') else {
            found.push(word(rest));
            continue;
        };
        let (mut depth, mut start) = (0, true);
        for (i, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => start = true,
                c if start && !c.is_whitespace() => {
                    found.push(word(&list[i..]));
                    start = false;
                }
                _ => {}
            }
        }
    }
    found
}

#[test]
fn modules_stand_in_the_order_of_data_flow() {
    let declared = declared_modules();
    let expected: Vec<&str> = ORDER
        .iter()
        .copied()
        .filter(|name| declared.iter().any(|d| d == name))
        .collect();
    assert_eq!(
        declared, expected,
        "runtime/lib.rs declares its modules in another order than tests/tidy.rs (and ARCHITECTURE.md): \
         move the `mod` line, or, for a new module, decide its place in the order and add it to all three"
    );
}

#[test]
fn a_module_uses_only_those_above_it() {
    let declared = declared_modules();
    let mut wrong = Vec::new();
    for (rank, module) in declared.iter().enumerate() {
        for path in module_files(module) {
            for (number, line) in code_lines(&path) {
                for used in crate_paths(&line) {
                    if declared
                        .iter()
                        .position(|m| *m == used)
                        .is_some_and(|r| r > rank)
                    {
                        wrong.push(format!(
                            "{}:{number}: `{module}` uses `{used}`, which comes after it",
                            short(&path)
                        ));
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "data flows one way. Move the code to the later module, or pass what it needs as an argument or trait:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn forward_mode_takes_nothing_from_reverse_mode() {
    for path in rust_files(&["runtime/ad/forward"]) {
        for (number, line) in code_lines(&path) {
            assert!(
                !line.contains("reverse::"),
                "{}:{number}: what both modes need belongs to runtime/ad/rule.rs or another module beside them",
                short(&path)
            );
        }
    }
}

#[test]
fn every_file_opens_with_its_purpose() {
    let missing: Vec<String> = rust_files(&[
        "runtime",
        "plugins",
        "rules-std",
        "rules-linalg",
        "shaders",
        "examples",
        "tests",
    ])
    .into_iter()
    .filter(|path| !path.components().any(|part| part.as_os_str() == "ui"))
    .filter(|path| !fs::read_to_string(path).unwrap().starts_with("//!"))
    .map(|path| short(&path))
    .collect();
    assert!(
        missing.is_empty(),
        "begin these files with a `//!` line that says what they are for: {missing:#?}"
    );
}

/// Cargo finds no test by itself here, because the folder is shared by two packages.
#[test]
fn every_test_is_named_by_a_package() {
    let manifest = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let named = manifest("Cargo.toml")
        + &manifest("tests/Cargo.toml").replace("path = \"", "path = \"tests/");
    let tests = fs::read_dir(root().join("tests")).unwrap();
    let missing: Vec<String> = tests
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            if path.is_dir() {
                path.join("main.rs")
            } else {
                path
            }
        })
        .filter(|path| path.is_file() && path.extension().is_some_and(|end| end == "rs"))
        .map(|path| short(&path))
        .filter(|path| !named.contains(&format!("path = \"{path}\"")))
        .collect();
    assert!(
        missing.is_empty(),
        "these tests never run: name them in tests/Cargo.toml, or in Cargo.toml if they run the tool: {missing:#?}"
    );
}

/// The types that users name first, and where they are.
const FIRST: &[(&str, &str)] = &[
    ("Array", "runtime/array/mod.rs"),
    ("Const", "runtime/api/argument.rs"),
    ("Context", "runtime/context.rs"),
    ("ContextBuilder", "runtime/context.rs"),
    ("Device", "runtime/array/device.rs"),
    ("FRule", "runtime/api/frule.rs"),
    ("Hvp", "runtime/api/second.rs"),
    ("Primal", "runtime/api/primal.rs"),
    ("RRule", "runtime/api/rrule.rs"),
];

#[test]
fn the_types_that_users_name_first_have_an_example() {
    for (name, file) in FIRST {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let opens = |line: &&str| line.starts_with("pub struct ") && word(&line[11..]) == *name;
        let at = lines.iter().position(opens);
        let at = at.unwrap_or_else(|| panic!("{file} declares no `{name}`: correct `FIRST`"));
        let docs = lines[..at].iter().rev();
        let docs = docs.take_while(|line| line.starts_with("///") || line.starts_with("#["));
        assert!(
            { docs }.any(|line| *line == "/// ```"),
            "{file}: give `{name}` an example in its documentation"
        );
    }
}

#[test]
fn unsafe_code_stays_at_the_machine_and_the_pack_boundary() {
    // The macros name the keyword to refuse it.
    let allowed = [
        "runtime/codegen",
        "runtime/exec",
        "runtime/plugin",
        "runtime/macros",
    ];
    let mut wrong = Vec::new();
    for path in rust_files(&["runtime", "shaders", "examples"]) {
        if allowed.iter().any(|start| short(&path).starts_with(start)) {
            continue;
        }
        for (number, line) in code_lines(&path) {
            if line
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|word| word == "unsafe")
            {
                wrong.push(format!("{}:{number}", short(&path)));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "`unsafe` belongs to codegen, exec, plugin and the packs' boundary. Offer a safe function there instead:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn nothing_is_left_unfinished() {
    let mut wrong = Vec::new();
    for path in rust_files(&[
        "runtime",
        "plugins",
        "rules-std",
        "rules-linalg",
        "shaders",
        "examples",
    ]) {
        for (number, line) in code_lines(&path) {
            let call = |name: &str| line.contains(&format!("{name}!(")) && !line.contains('"');
            if call("todo") || call("unimplemented") || line.contains("#[ignore") {
                wrong.push(format!("{}:{number}: {}", short(&path), line.trim()));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "finish these, or refuse with an error that says what to do:\n{}",
        wrong.join("\n")
    );
}
