//! rustc with the library as it was built for the test that asks: in seconds, where a build by cargo would take minutes.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The library that this test was linked with: the newest that is not newer than the test. Those that are were built later with other features.
fn library(test: &Path) -> PathBuf {
    let built = |path: &Path| {
        std::fs::metadata(path)
            .and_then(|data| data.modified())
            .unwrap()
    };
    let files = std::fs::read_dir(test.parent().unwrap()).unwrap().flatten();
    let libraries = files.map(|file| file.path()).filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap();
        let is_library = name.starts_with("libmooncake-") && name.ends_with(".rlib");
        is_library && built(path) <= built(test)
    });
    let newest = libraries.max_by_key(|path| built(path));
    newest.expect("the library is built")
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
        .arg(format!("mooncake={}", library(&test).display()));
    rustc
}
