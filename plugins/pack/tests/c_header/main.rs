//! `mooncake_pack.h`, generated from the Rust source of the boundary: `BLESS=1 cargo test -p mooncake-pack` renews it.

mod render;

use mooncake_pack::abi;
use std::path::Path;

/// The tables' layouts, which are computed and cannot be read off the source.
const LAYOUTS: &[(&str, u64)] = &[
    ("LAYOUT", abi::LAYOUT),
    ("SCALAR_LAYOUT", abi::ScalarEntry::LAYOUT),
    ("RULE_LAYOUT", abi::RuleEntry::LAYOUT),
    ("NATIVE_LAYOUT", abi::NATIVE_LAYOUT),
    ("CASES_LAYOUT", abi::CaseEntry::LAYOUT),
];

#[test]
#[cfg(target_pointer_width = "64")]
fn the_header_says_what_the_boundary_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(root.join("src/abi.rs")).unwrap();
    let header = render::header(&source, LAYOUTS);
    let path = root.join("include/mooncake_pack.h");
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &header).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == header,
        "plugins/pack/include/mooncake_pack.h is not what plugins/pack/src/abi.rs says: \
         BLESS=1 cargo test -p mooncake-pack renews it"
    );
}

/// The header alone, as strictly as compilers can be asked.
#[test]
#[cfg(unix)]
fn the_header_is_c99() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c_header");
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join("alone.c");
    std::fs::write(
        &source,
        "#include \"mooncake_pack.h\"\nint main(void) { return 0; }\n",
    )
    .unwrap();
    let output = std::process::Command::new("cc")
        .args([
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-pedantic",
            "-Werror",
            "-fsyntax-only",
            "-I",
        ])
        .arg(root.join("include"))
        .arg(&source)
        .output()
        .expect("the system has a C compiler");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}
