//! `mooncake pack new`: what it writes builds, and passes `mooncake pack check` at once.

use expect_test::{Expect, expect};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("new")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn new(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mooncake"))
        .args(["pack", "new"])
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn a_new_pack_passes_the_check_at_once() {
    let folder = folder("good");
    let sdk = root().join("plugins/pack");
    let output = new(&folder, &["my-rules", "--path", sdk.to_str().unwrap()]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    expect![[r#"
        the pack my-rules is in my-rules; next:
          cd my-rules
          cargo build --release --workspace
          mooncake pack check target/release/libmy_rules_pack.so
    "#]]
    .assert_eq(&String::from_utf8(output.stdout).unwrap());
    let pack = folder.join("my-rules");
    // The versions of this repository, which are on this machine.
    std::fs::copy(root().join("Cargo.lock"), pack.join("Cargo.lock")).unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("new-target");
    let built = Command::new(env!("CARGO"))
        .args([
            "build",
            "--quiet",
            "--offline",
            "--workspace",
            "--target-dir",
        ])
        .arg(&target)
        .current_dir(&pack)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success() && said.is_empty(), "{said}");
    let library = target
        .join("debug")
        .join(libloading::library_filename("my_rules_pack"));
    let checked = Command::new(env!("CARGO_BIN_EXE_mooncake"))
        .args(["pack", "check"])
        .arg(&library)
        .output()
        .unwrap();
    let report = String::from_utf8(checked.stdout).unwrap();
    assert!(checked.status.success(), "{report}");
    assert!(report.contains("\nok    softplus(x: T) -> T\n"), "{report}");
    assert!(
        report.contains("\nok    sum_of_squares(a: array<T>) -> array<T>\n"),
        "{report}"
    );
}

#[test]
fn without_a_folder_the_published_version_is_meant() {
    let folder = folder("published");
    assert!(
        new(&folder, &["published", "--folder", "here"])
            .status
            .success()
    );
    let manifest = std::fs::read_to_string(folder.join("here/Cargo.toml")).unwrap();
    assert!(manifest.contains("mooncake-pack = \"1\"\n"), "{manifest}");
}

#[test]
fn a_folder_with_a_space_is_quoted_for_the_shell() {
    let folder = folder("spaces");
    let output = new(
        &folder,
        &["spaced", "--folder", "a b/c", "--version", "1.0.0-rc.1"],
    );
    let said = String::from_utf8(output.stdout).unwrap();
    let quoted = if cfg!(windows) {
        "\"a b/c\""
    } else {
        "'a b/c'"
    };
    assert!(said.contains(&format!("  cd {quoted}\n")), "{said}");
    let manifest = std::fs::read_to_string(folder.join("a b/c/Cargo.toml")).unwrap();
    assert!(
        manifest.contains("mooncake-pack = \"1.0.0-rc.1\"\n"),
        "{manifest}"
    );
}

#[test]
fn what_cannot_be_a_pack_is_refused() {
    let folder = folder("refused");
    let refused = |args: &[&str], message: Expect| {
        let output = new(&folder, args);
        assert_eq!(output.status.code(), Some(1));
        message.assert_eq(&String::from_utf8(output.stderr).unwrap());
    };
    refused(
        &["My Rules"],
        expect![[r#"
            mooncake: `My Rules` cannot be a pack's name: expected lower-case letters, digits and single `-` between them, a letter first, such as `my-rules`
        "#]],
    );
    refused(
        &["fn"],
        expect![[r#"
            mooncake: `fn` cannot be a pack's name: it is a keyword of Rust, and a crate needs a name that can be written in paths
        "#]],
    );
    refused(
        &["linalg"],
        expect![[r#"
            mooncake: `linalg` cannot be a pack's name: it is taken, or ends in `-pack`, as the crate of the loadable form does
        "#]],
    );
    refused(
        &["rules-pack"],
        expect![[r#"
            mooncake: `rules-pack` cannot be a pack's name: it is taken, or ends in `-pack`, as the crate of the loadable form does
        "#]],
    );
    std::fs::create_dir_all(folder.join("there")).unwrap();
    refused(
        &["there"],
        expect![[r#"
            mooncake: there exists already
        "#]],
    );
    refused(
        &["fine", "--path", "nowhere"],
        expect![[r#"
            mooncake: nowhere: No such file or directory (os error 2)
        "#]],
    );
    refused(
        &["fine", "--path", "."],
        expect![[r#"
            mooncake: ./Cargo.toml: No such file or directory (os error 2)
        "#]],
    );
    let other = root().join("plugins/gelu");
    let other = other.to_str().unwrap();
    let output = new(&folder, &["fine", "--path", other]);
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        format!(
            "mooncake: {other} is not the crate mooncake-pack: expected the folder plugins/pack of a checkout\n"
        )
    );
    refused(
        &["fine", "--version", "x\"y"],
        expect![[r#"
            mooncake: `x"y` is no version: unexpected character after wildcard in version req
        "#]],
    );
    assert!(!folder.join("fine").exists());
}
