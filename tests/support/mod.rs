//! What several tests of packs need.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The folder of the repository. The tests of the tool belong to the package in this folder, and the other tests to a package in a folder below it.
fn repository() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = package.ancestors().find(|f| f.join("Cargo.lock").is_file());
    workspace.expect("the tests lie in the workspace")
}

/// The library of a package of this repository, built by cargo if it is not up to date.
pub fn built(package: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    // …/target/debug/deps/packs-…
    let profile = test
        .parent()
        .and_then(Path::parent)
        .expect("tests lie two folders deep");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--package", package, "--target-dir"]);
    cargo.arg(
        profile
            .parent()
            .expect("a profile's folder lies in the target folder"),
    );
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    let status = cargo.current_dir(repository()).status().unwrap();
    assert!(status.success(), "cargo could not build {package}");
    profile.join(libloading::library_filename(package.replace('-', "_")))
}

#[allow(
    dead_code,
    reason = "not every test that includes this file loads gelu"
)]
pub fn gelu_pack() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| built("gelu-pack"))
}

/// A pack in C, built by the system's compiler: the source is in the repository, and `flags` are further arguments.
#[cfg(unix)]
#[allow(
    dead_code,
    reason = "not every test that includes this file has packs in C"
)]
pub fn built_c(source: &str, name: &str, flags: &[&str]) -> PathBuf {
    built_c_file(&repository().join(source), name, flags)
}

/// A pack in C, from a source file anywhere.
#[cfg(unix)]
#[allow(
    dead_code,
    reason = "not every test that includes this file has packs in C"
)]
pub fn built_c_file(source: &Path, name: &str, flags: &[&str]) -> PathBuf {
    let root = repository();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c-packs");
    std::fs::create_dir_all(&folder).unwrap();
    let library = folder.join(format!("lib{name}.so"));
    // Made under another name: a test that runs at the same time may be loading it.
    let fresh = folder.join(format!("{name}-{}.so", std::process::id()));
    let output = Command::new("cc")
        .args([
            "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-I",
        ])
        .arg(root.join("plugins/pack/include"))
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(&fresh)
        .arg("-lm")
        .output()
        .expect("the system has a C compiler");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    std::fs::rename(&fresh, &library).unwrap();
    library
}
