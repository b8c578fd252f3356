//! rustc with the library as it was built for the test that asks: in seconds, where a build by cargo would take minutes.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The library that is newest beside this test: a change to it has been built before the test runs.
fn library(deps: &Path) -> PathBuf {
    let files = std::fs::read_dir(deps).unwrap().flatten();
    let libraries = files.filter(|file| {
        let name = file.file_name().into_string().unwrap_or_default();
        name.starts_with("libmooncake-") && name.ends_with(".rlib")
    });
    let newest = libraries.max_by_key(|file| file.metadata().and_then(|data| data.modified()).ok());
    newest.expect("the library is built").path()
}

/// rustc in the folder of the repository. What it compiles may use the library; its output goes to the folder for temporary files.
pub fn rustc() -> Command {
    let test = std::env::current_exe().unwrap();
    let deps = test.parent().unwrap();
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    rustc
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .args(["--edition", "2024", "--color", "never", "-A", "warnings"])
        .args(["--out-dir", env!("CARGO_TARGET_TMPDIR")])
        .arg("-L")
        .arg(format!("dependency={}", deps.display()))
        .arg("--extern")
        .arg(format!("mooncake={}", library(deps).display()));
    rustc
}
