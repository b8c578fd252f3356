//! Packs as files: copies of the library of `plugins/gelu` with every fault that a file can have.
//!
//! A process of its own, apart from `packs.rs`: several packs here define the same functions, and a native call could
//! not choose.

mod support;

use expect_test::{Expect, expect};
use mooncake::Type;
use mooncake::prelude::*;
use std::path::{Path, PathBuf};
use support::{built, gelu_pack};

/// A file of this test with these bytes.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packs");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The whole message with which a file is refused, its folder left out.
fn refused(path: &Path, message: Expect) {
    let error = Context::default()
        .load_pack(path)
        .expect_err("a faulty pack")
        .to_string();
    assert_eq!(error.lines().count(), 1, "{error}");
    let folder = format!("{}/", path.parent().unwrap().display());
    let start = format!("pack {folder}");
    message.assert_eq(&error.replacen(&start, "pack ", 1));
}

/// A copy of the gelu pack, changed.
fn changed(name: &str, change: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
    let mut bytes = std::fs::read(gelu_pack()).unwrap();
    change(&mut bytes);
    file(name, &bytes)
}

/// Where a text begins in the file.
fn find(bytes: &[u8], text: &[u8]) -> usize {
    bytes
        .windows(text.len())
        .position(|window| window == text)
        .expect("the text is in the file")
}

/// Where the pack's note begins. A linker may have left another copy of it elsewhere: only the section counts.
fn note(bytes: &[u8]) -> usize {
    use object::{Object, ObjectSection};
    let file = object::File::parse(bytes).expect("a library");
    let section = file.sections().find(|section| {
        let name = section.name().unwrap_or_default();
        name == ".mooncake" || name.ends_with("mooncake")
    });
    let (at, _) = section.and_then(|s| s.file_range()).expect("a note");
    at as usize
}

#[test]
fn files_that_are_no_packs_are_refused() {
    refused(
        &file("absent.so", b"").with_file_name("no-such.so"),
        expect!["pack no-such.so: there is no such file"],
    );
    refused(
        Path::new(env!("CARGO_TARGET_TMPDIR")),
        expect!["pack tmp: not a file"],
    );
    refused(
        &file("empty.so", b""),
        expect!["pack empty.so: not a shared library: it is empty; expected a 64-bit ELF library"],
    );
    refused(
        &file(
            "text.so",
            b"This is a text.\nIt is long enough to be a header of any kind of file.\n",
        ),
        expect![
            "pack text.so: not a shared library: it starts with `This is a te`; expected a 64-bit ELF library"
        ],
    );
    refused(
        &file(
            "archive.so",
            b"!<arch>\nlibrary.o/                                ",
        ),
        expect!["pack archive.so: a static library; expected a 64-bit ELF library"],
    );
}

/// A name is what the system's loader would search its folders for.
#[test]
fn names_without_a_folder_are_refused() {
    refused(
        Path::new("libgelu_pack.so"),
        expect![
            "pack libgelu_pack.so: a name without a folder, for which loaders search: write the path, for example ./libgelu_pack.so"
        ],
    );
}

#[test]
#[cfg(target_os = "linux")]
fn damaged_libraries_are_refused_before_they_are_loaded() {
    // The system's loader would end the process on some of these.
    let size = std::fs::metadata(gelu_pack()).unwrap().len() as usize;
    let parts = (1..32).map(|part| size * part / 32);
    for len in [40, 200, size - 1].into_iter().chain(parts) {
        let path = changed("cut.so", |b| b.truncate(len));
        let error = Context::default().load_pack(&path).unwrap_err().to_string();
        assert!(error.contains("truncated or damaged: "), "{error}");
    }
    refused(
        &changed("header.so", |b| b.truncate(40)),
        expect![
            "pack header.so: truncated or damaged: its header is cut off (the file has 40 bytes)"
        ],
    );
}

/// Whatever the headers say, judging a file ends in an answer, and none of the file's code runs.
#[test]
fn damaged_headers_never_panic() {
    let whole = std::fs::read(gelu_pack()).unwrap();
    let mut random = mooncake::testing::random::Random::new(1);
    let mut next = |below: usize| random.below(below);
    let (mut refused, header, table) = (0, 1024, 4096);
    for round in 0..96 {
        let mut bytes = whole.clone();
        for _ in 0..=next(8) {
            // The file header and program headers lie at the start, the section headers at the end.
            let at = match round % 2 {
                0 => next(header),
                _ => bytes.len() - 1 - next(table),
            };
            bytes[at] ^= 1 << next(8);
        }
        if let Err(error) = mooncake::Pack::describe(file("damaged.so", &bytes)) {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
            refused += 1;
        }
    }
    assert!(refused > 20, "only {refused} were noticed");
}

#[test]
#[cfg(target_os = "linux")]
fn libraries_of_another_kind_are_refused() {
    refused(
        &changed("arm.so", |b| {
            b[18..20].copy_from_slice(&183u16.to_le_bytes())
        }),
        expect!["pack arm.so: built for aarch64 (machine 183); this process is x86_64"],
    );
    refused(
        &changed("wide.so", |b| b[4] = 1),
        expect!["pack wide.so: a 32-bit ELF file; expected a 64-bit ELF library"],
    );
    refused(
        &changed("object.so", |b| b[16] = 1),
        expect![[
            r#"pack object.so: not a shared library: a pack is built with crate-type = ["cdylib"]"#
        ]],
    );
    refused(
        &built("mooncake-macros"),
        expect![
            "pack libmooncake_macros.so: not a rule pack: it has no note; a pack is exported with mooncake_pack::export!"
        ],
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_search_path_is_refused() {
    // An entry of the dynamic section becomes a DT_RUNPATH: VERNEED is 0x6ffffffe.
    let path = changed("runpath.so", |b| {
        let at = find(b, &0x6fff_fffeu64.to_le_bytes());
        b[at..at + 8].copy_from_slice(&29u64.to_le_bytes());
    });
    refused(
        &path,
        expect![
            "pack runpath.so: it brings a search path for further libraries (RPATH): link it without"
        ],
    );
}

#[test]
fn notes_are_judged() {
    let with = |name, change: fn(&mut [u8])| {
        changed(name, |b| {
            let at = note(b);
            change(&mut b[at..at + 256]);
        })
    };
    refused(
        &with("magic.so", |n| n[0] = b'm'),
        expect!["pack magic.so: damaged: its note does not begin with MOONCAKE"],
    );
    refused(
        &with("major.so", |n| n[8] = 2),
        expect![
            "pack major.so: built for version 2.4 of the pack boundary; this host has 1.4: build it against mooncake-pack 1"
        ],
    );
    refused(
        &with("pointer.so", |n| n[12] = 4),
        expect!["pack pointer.so: damaged: its note states another pointer size or byte order"],
    );
    refused(
        &with("layout.so", |n| n[16..24].fill(7)),
        expect![
            "pack layout.so: its tables have layout 0707070707070707, expected aec5d712c3092386: it was built against a changed copy of mooncake-pack"
        ],
    );
    refused(
        &with("abort.so", |n| n[14] = 1),
        expect![[
            r#"pack abort.so: built with panic = "abort": a panic in it would end this process; build it with panic = "unwind""#
        ]],
    );
    // A newer minor version has more than this host knows, and what it knows.
    Context::default()
        .load_pack(with("minor.so", |n| n[10] = 9))
        .unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn a_library_without_note_or_root_is_no_pack() {
    let renamed = |name, from: &'static [u8], to: &'static [u8]| {
        changed(name, move |b| {
            while let Some(at) = b.windows(from.len()).position(|window| window == from) {
                b[at..at + to.len()].copy_from_slice(to);
            }
        })
    };
    refused(
        &renamed("note.so", b"\0.mooncake\0", b"\0.mooncakX\0"),
        expect![
            "pack note.so: not a rule pack: it has no note; a pack is exported with mooncake_pack::export!"
        ],
    );
    refused(
        &renamed(
            "root.so",
            b"root_bmodule_bloader\0",
            b"root_bmodule_bloadeX\0",
        ),
        expect![
            "pack gelu: it exports no root module: a pack is exported with mooncake_pack::export!"
        ],
    );
}

#[test]
#[cfg(unix)]
fn what_everybody_can_write_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap()
    };
    let path = changed("open.so", |_| {});
    mode(&path, 0o666);
    refused(
        &path,
        expect![
            "pack open.so: the file can be written by everybody (mode 666): anybody could replace the pack"
        ],
    );
    mode(&path, 0o644);
    let folder = path.with_file_name("open");
    std::fs::create_dir_all(&folder).unwrap();
    let inner = folder.join("inner.so");
    std::fs::copy(&path, &inner).unwrap();
    mode(&folder, 0o777);
    refused(
        &inner,
        expect![
            "pack inner.so: its folder can be written by everybody (mode 777): anybody could replace the pack"
        ],
    );
    mode(&folder, 0o755);
    Context::default().load_pack(&inner).unwrap();
}

#[differentiable]
extern "pack" {
    fn mish(x: f64) -> f64;
    #[pack = "rival"]
    fn gelu(x: f64) -> f64;
}

#[differentiable]
fn of_either(x: f64) -> f64 {
    mish(x)
}

#[differentiable]
fn of_the_rival(x: f64) -> f64 {
    gelu(x)
}

/// A copy of the pack `gelu` that calls itself `rival`.
fn rival() -> PathBuf {
    changed("rival.so", |b| {
        let at = note(b) + 24;
        b[at..at + 5].copy_from_slice(b"rival");
    })
}

#[test]
fn two_packs_with_functions_of_one_name_load_together() {
    let mut ctx = Context::default();
    ctx.load_pack(gelu_pack()).unwrap();
    ctx.load_pack(rival()).unwrap();
    for path in ["gelu::gelu", "rival::gelu", "gelu::mish", "rival::mish"] {
        assert!(ctx.is_primitive(path, &[Type::F64]), "{path}");
    }
    let rule = ctx.build_rrule::<of_the_rival>().unwrap();
    let (y, _) = rule.value_and_gradient((0.5,)).unwrap();
    assert_eq!(y, gelu(0.5), "the native call is of the same pack");
    let another = changed("another_rival.so", |b| {
        let at = note(b) + 24;
        b[at..at + 5].copy_from_slice(b"rival");
        b[at + 48..at + 53].copy_from_slice(b"9.9.9");
    });
    ctx.load_pack(another).unwrap_err();
    assert_eq!(y, gelu(0.5), "a pack that is refused leaves nothing behind");
    let rule = ctx.build_rrule::<of_either>();
    let error = rule
        .and_then(|rule| rule.value_and_gradient((0.5,)))
        .unwrap_err();
    let message = error.to_string();
    assert!(
        message.starts_with("the packs gelu and rival both define `mish`"),
        "{message}"
    );
    assert!(message.contains("`#[pack = \"gelu\"]`"), "{message}");
}

#[test]
fn another_build_of_a_pack_does_not_replace_it() {
    let other = changed("other.so", |b| {
        let at = note(b) + 72;
        b[at..at + 5].copy_from_slice(b"9.9.9");
    });
    let mut ctx = Context::default();
    ctx.load_pack(gelu_pack()).unwrap();
    let error = ctx.load_pack(&other).unwrap_err().to_string();
    let start = "pack gelu: a pack of this name is in force already: version 0.1.0 (";
    assert!(
        error.starts_with(start) && error.contains("not loaded: version 9.9.9"),
        "{error}"
    );
}

/// The tool says of a pack for another version what its file says.
#[test]
fn packs_of_another_version_are_shown() {
    let path = changed("other-major.so", |b| {
        let at = note(b);
        b[at + 8] = 2;
    });
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_mooncake"))
        .args(["pack", "info"])
        .arg(&path)
        .output()
        .unwrap();
    let info = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{info}");
    for line in [
        "pack      gelu 0.1.0\n",
        "\nboundary  2.4 (this host: 1.4)",
        "\nrows      3 scalar functions, 0 rules, 0 native functions\n",
        "\nwants     nothing more\n",
        "\nloads     no: built for version 2.4 of the pack boundary",
    ] {
        assert!(info.contains(line), "{line}: {info}");
    }
    let digest = info
        .lines()
        .find_map(|line| line.strip_prefix("sha256    "));
    assert_eq!(digest.map(str::len), Some(64), "{info}");
    if cfg!(target_os = "linux") {
        assert!(info.contains("libc.so.6"), "{info}");
    }
}
