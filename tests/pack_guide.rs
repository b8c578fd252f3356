//! `plugins/README.md`: its Rust is compiled and run as documentation tests of the library; its C is compiled here, and its commands are
//! those that the tool has.
#![cfg(unix)]

mod support;

use std::path::Path;
use std::process::Command;
use support::built_c_file;

/// The texts between lines of three backquotes that begin with a word.
fn blocks(language: &str) -> Vec<String> {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugins/README.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let fence = format!("```{language}\n");
    let parts = guide.split(fence.as_str()).skip(1);
    parts
        .map(|part| part.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn the_c_of_the_guide_is_a_pack_that_passes() {
    let sources = blocks("c");
    assert!(!sources.is_empty());
    for (i, source) in sources.iter().enumerate() {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide");
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("guide{i}.c"));
        std::fs::write(&path, source).unwrap();
        let pack = built_c_file(&path, &format!("guide{i}"), &[]);
        let output = Command::new(env!("CARGO_BIN_EXE_mooncake"))
            .args(["pack", "check"])
            .arg(pack)
            .output()
            .unwrap();
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{report}");
    }
}

/// What a new pack is, is what the guide shows; and each command of the tool in it is one that the tool has.
#[test]
fn the_commands_of_the_guide_exist() {
    let commands = blocks("sh");
    let lines: Vec<&str> = commands.iter().flat_map(|block| block.lines()).collect();
    let of_tool: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("mooncake pack "))
        .collect();
    for name in ["new", "check", "info", "lock"] {
        let used = of_tool
            .iter()
            .any(|line| line.split(' ').next() == Some(name));
        assert!(used, "the guide does not show `mooncake pack {name}`");
    }
    for line in of_tool {
        let name = line.split(' ').next().unwrap_or_default();
        let output = Command::new(env!("CARGO_BIN_EXE_mooncake"))
            .args(["pack", name, "--help"])
            .output()
            .unwrap();
        assert!(output.status.success(), "mooncake pack {line}");
    }
}
