//! `CONTRIBUTING.md`: the tests that it names exist, the files that each how-to lists are those that its patch touches, and the patches fit this
//! repository, as do those of the planted bugs.
//! `tests/how_to/run` and `tests/planted_bugs/run` apply them to a copy, and run the tests that they are about.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The patches in a folder, in the order in which its script applies them.
fn patches(folder: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(root().join(folder)).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let mut patches: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "patch"))
        .collect();
    patches.sort();
    patches
}

/// The part of the page for each how-to, by the patch that it names; the last one, of packs, names none.
fn sections(page: &str) -> Vec<(Option<String>, &str)> {
    let sections = page.split("\n### How to add ").skip(1);
    let patch = |section: &str| {
        let (_, rest) = section.split_once("`tests/how_to/")?;
        let (name, _) = rest.split_once(".patch`")?;
        Some(name.to_owned())
    };
    sections.map(|section| (patch(section), section)).collect()
}

/// The files of the numbered list: each item begins with one.
fn listed(section: &str) -> Vec<&str> {
    let items = section.lines().filter_map(|line| {
        let (number, rest) = line.split_once(". `")?;
        number.parse::<u32>().ok()?;
        rest.split('`').next()
    });
    items.collect()
}

/// The files that a patch changes or makes.
fn touched(patch: &str) -> Vec<&str> {
    let made = patch.lines().filter_map(|line| line.strip_prefix("+++ b/"));
    made.collect()
}

#[test]
fn each_how_to_lists_the_files_that_its_patch_touches() {
    let page = std::fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let sections = sections(&page);
    assert_eq!(sections.len(), 5, "CONTRIBUTING.md has five how-tos");
    let named: BTreeSet<&str> = { sections.iter() }
        .filter_map(|(name, _)| name.as_deref())
        .collect();
    let patches = patches("tests/how_to");
    let stems = patches.iter().map(|path| path.file_stem().unwrap());
    let there: BTreeSet<&str> = stems.map(|stem| stem.to_str().unwrap()).collect();
    assert_eq!(
        named, there,
        "CONTRIBUTING.md, and the patches of tests/how_to"
    );
    for (name, section) in sections {
        let Some(name) = name else { continue };
        let patch = root().join(format!("tests/how_to/{name}.patch"));
        let patch = std::fs::read_to_string(patch).unwrap();
        let (listed, touched) = (listed(section), touched(&patch));
        let set = |files: &[&str]| files.iter().map(|&file| file.to_owned()).collect();
        let (in_list, in_patch): (BTreeSet<String>, BTreeSet<String>) =
            (set(&listed), set(&touched));
        let unlisted: Vec<_> = in_patch.difference(&in_list).collect();
        let untouched: Vec<_> = in_list.difference(&in_patch).collect();
        assert!(
            unlisted.is_empty() && untouched.is_empty(),
            "tests/how_to/{name}.patch touches {unlisted:?}, which CONTRIBUTING.md does not list; CONTRIBUTING.md lists {untouched:?}, which the patch does not touch"
        );
        assert_eq!(
            listed.len(),
            in_list.len(),
            "{name}: a file is listed twice"
        );
    }
}

#[test]
fn the_tests_that_the_page_names_exist() {
    let page = std::fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let mut named = 0;
    for rest in page.split("--test ").skip(1) {
        let is_of_name = |c: char| c.is_ascii_lowercase() || c == '_';
        let name: String = rest.chars().take_while(|&c| is_of_name(c)).collect();
        // `NAME` stands for any.
        if name.is_empty() {
            continue;
        }
        let files = [format!("tests/{name}.rs"), format!("tests/{name}/main.rs")];
        assert!(
            files.iter().any(|file| root().join(file).exists()),
            "CONTRIBUTING.md names the test `{name}`: there is neither {} nor {}",
            files[0],
            files[1]
        );
        named += 1;
    }
    assert!(named > 20, "only {named} tests are named");
}

/// Whether patches fit the repository as it is: applied one after the other, and nothing is written.
fn check(patches: &[PathBuf]) {
    let output = Command::new("git")
        .args(["apply", "--check"])
        .args(patches)
        .current_dir(root())
        // Where this repository is a part of another one, `git apply` would pass over files outside of it.
        .env("GIT_CEILING_DIRECTORIES", root().parent().unwrap())
        .output()
        .expect("`git` is needed to look whether the patches fit");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{patches:?} does not fit this repository any more: tests/how_to/renew makes the patches again\n{said}"
    );
}

#[test]
fn every_patch_fits() {
    let patches = patches("tests/how_to");
    for patch in &patches {
        check(std::slice::from_ref(patch));
    }
    check(&patches);
}

/// A patch may fit and yet stand in the wrong place, inside another method for example: only what was written for its place is formatted.
#[test]
fn what_the_patches_write_is_formatted() {
    for patch in patches("tests/how_to") {
        let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("how_to_formatted");
        let _ = std::fs::remove_dir_all(&copy);
        std::fs::create_dir_all(&copy).unwrap();
        let text = std::fs::read_to_string(&patch).unwrap();
        let files = touched(&text);
        for file in &files {
            // The others are new.
            if root().join(file).exists() {
                std::fs::create_dir_all(copy.join(file).parent().unwrap()).unwrap();
                std::fs::copy(root().join(file), copy.join(file)).unwrap();
            }
        }
        let applied = Command::new("git")
            .arg("apply")
            .arg(&patch)
            .current_dir(&copy)
            .env("GIT_CEILING_DIRECTORIES", copy.parent().unwrap())
            .status();
        assert!(applied.unwrap().success(), "{}", patch.display());
        for file in files.iter().filter(|file| file.ends_with(".rs")) {
            // From its standard input `rustfmt` formats one file, without its modules.
            let checked = Command::new("rustfmt")
                .args(["--check", "--edition", "2024"])
                .stdin(std::fs::File::open(copy.join(file)).unwrap())
                .output()
                .unwrap();
            let said = [checked.stdout, checked.stderr].concat();
            assert!(
                checked.status.success(),
                "{}: {file}\n{}",
                patch.display(),
                String::from_utf8_lossy(&said)
            );
        }
    }
}

#[test]
fn every_planted_bug_fits_and_names_its_test() {
    let bugs = patches("tests/planted_bugs");
    assert!(bugs.len() >= 40, "only {} bugs are planted", bugs.len());
    for bug in &bugs {
        check(std::slice::from_ref(bug));
        let text = std::fs::read_to_string(bug).unwrap();
        let mut lines = text.lines();
        let [what, test] = [lines.next(), lines.next()].map(Option::unwrap_or_default);
        assert!(
            what.starts_with("Bug: ") && test.starts_with("Test: cargo test "),
            "{}: its first two lines are `Bug: ` with what it breaks, and `Test: cargo test ` with the arguments of the test that finds it",
            bug.display()
        );
    }
}
