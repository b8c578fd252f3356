//! Tells the crate which compiler builds it: the note of a pack states it.
use std::process::Command;

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_else(|| "rustc (unknown)".into());
    println!("cargo::rustc-env=MOONCAKE_PACK_COMPILER={}", version.trim());
    println!("cargo::rerun-if-changed=build.rs");
}
