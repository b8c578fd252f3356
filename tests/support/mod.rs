//! What several tests of packs need.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

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
    let status = cargo
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .unwrap();
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
