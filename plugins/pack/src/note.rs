//! The note: 256 bytes in a section of their own, by which a pack is judged before any of its code runs.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0..8 | `MOONCAKE` |
//! | 8..10, 10..12 | major and minor version of the boundary |
//! | 12, 13, 14 | bytes of a pointer; 1 for little-endian, 2 for big-endian; 1 if panics abort |
//! | 16..24 | hash of the layouts |
//! | 24..72, 72..96, 96..136, 136..208, 208..248 | name, version, licence, authors, compiler |
//!
//! Numbers are little-endian, texts are UTF-8 filled up with zeros.

/// The bytes of a note.
pub const SIZE: usize = 256;
/// The first bytes of a note.
pub const MAGIC: &[u8; 8] = b"MOONCAKE";
/// The section's name in an ELF file.
pub const SECTION_ELF: &str = ".mooncake";
/// The section's name in a Mach-O file (segment `__DATA`).
pub const SECTION_MACHO: &str = "__mooncake";
/// The section's name in a PE file (at most eight characters).
pub const SECTION_PE: &str = ".mooncke";

/// The sections that have a byte for each row of a Rust pack (`s`, `r` or `n`), for ELF, Mach-O and PE.
pub const ROW_SECTIONS: [&str; 3] = [".mooncake_rows", "__mooncake_rows", ".mcrows"];

/// The sections that say what a Rust pack wants of the machine that it runs on, as UTF-8 text, for ELF, Mach-O and PE. Most packs want nothing.
pub const WANTS_SECTIONS: [&str; 3] = [".mooncake_wants", "__mooncake_wants", ".mcwants"];

/// A note as it lies in the file.
#[repr(C, align(8))]
#[derive(Clone, Copy)]
pub struct Note(pub [u8; SIZE]);

/// What a note says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The boundary's major version.
    pub major: u16,
    /// The boundary's minor version.
    pub minor: u16,
    /// The bytes of a pointer.
    pub pointer_size: u8,
    /// 1 little, 2 big.
    pub endianness: u8,
    /// Whether a panic ends the process.
    pub panic_aborts: bool,
    /// The hash of the layouts.
    pub layout: u64,
    /// The pack's name.
    pub name: String,
    /// The pack's version.
    pub version: String,
    /// The pack's licence.
    pub licence: String,
    /// The pack's authors.
    pub authors: String,
    /// The compiler that built it.
    pub compiler: String,
}

const NAME: (usize, usize) = (24, 72);
const VERSION: (usize, usize) = (72, 96);
const LICENCE: (usize, usize) = (96, 136);
const AUTHORS: (usize, usize) = (136, 208);
const COMPILER: (usize, usize) = (208, 248);

/// This build's endianness as the note writes it.
pub const ENDIANNESS: u8 = if cfg!(target_endian = "little") { 1 } else { 2 };

impl Note {
    /// The note of a pack that this build makes. Texts that are too long are cut, except for the name: faults are reported
    /// under it, so a name that is too long is refused when the pack is compiled.
    pub const fn new(name: &str, version: &str, licence: &str, authors: &str) -> Self {
        assert!(
            name.len() <= NAME.1 - NAME.0,
            "a pack's name has at most 48 bytes"
        );
        let mut bytes = [0; SIZE];
        bytes = put(bytes, (0, 8), MAGIC);
        bytes = put(bytes, (8, 10), &crate::abi::MAJOR.to_le_bytes());
        bytes = put(bytes, (10, 12), &crate::abi::MINOR.to_le_bytes());
        bytes[12] = size_of::<usize>() as u8;
        bytes[13] = ENDIANNESS;
        bytes[14] = cfg!(panic = "abort") as u8;
        bytes = put(bytes, (16, 24), &crate::abi::LAYOUT.to_le_bytes());
        bytes = put(bytes, NAME, name.as_bytes());
        bytes = put(bytes, VERSION, version.as_bytes());
        bytes = put(bytes, LICENCE, licence.as_bytes());
        bytes = put(bytes, AUTHORS, authors.as_bytes());
        bytes = put(bytes, COMPILER, env!("MOONCAKE_PACK_COMPILER").as_bytes());
        Note(bytes)
    }
    /// Reads a note; `None` if these bytes are not one.
    pub fn describe(bytes: &[u8]) -> Option<Description> {
        let bytes: &[u8; SIZE] = bytes.try_into().ok()?;
        if &bytes[..8] != MAGIC {
            return None;
        }
        let text = |(from, to): (usize, usize)| {
            let text = &bytes[from..to];
            let end = text.iter().position(|&b| b == 0).unwrap_or(text.len());
            printable(&String::from_utf8_lossy(&text[..end]))
        };
        Some(Description {
            major: u16::from_le_bytes([bytes[8], bytes[9]]),
            minor: u16::from_le_bytes([bytes[10], bytes[11]]),
            pointer_size: bytes[12],
            endianness: bytes[13],
            panic_aborts: bytes[14] != 0,
            layout: u64::from_le_bytes(bytes[16..24].try_into().ok()?),
            name: text(NAME),
            version: text(VERSION),
            licence: text(LICENCE),
            authors: text(AUTHORS),
            compiler: text(COMPILER),
        })
    }
}

/// A file's text on one line and without control characters: it is going to be shown in messages.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

/// `text` at `place`, cut at the last whole character that leaves room.
const fn put(mut bytes: [u8; SIZE], place: (usize, usize), text: &[u8]) -> [u8; SIZE] {
    let room = place.1 - place.0;
    let mut len = if text.len() < room { text.len() } else { room };
    // A UTF-8 character is not cut in two: step back over its continuation bytes.
    while len < text.len() && len > 0 && text[len] & 0xc0 == 0x80 {
        len -= 1;
    }
    let mut i = 0;
    while i < len {
        bytes[place.0 + i] = text[i];
        i += 1;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_says_what_was_put_in() {
        let note = Note::new("gelu", "0.1.0", "MIT", &"ä".repeat(50));
        let found = Note::describe(&note.0).unwrap();
        assert_eq!(
            (found.major, found.minor),
            (crate::abi::MAJOR, crate::abi::MINOR)
        );
        assert_eq!(
            (
                found.name.as_str(),
                found.version.as_str(),
                found.licence.as_str()
            ),
            ("gelu", "0.1.0", "MIT")
        );
        assert_eq!(found.authors, "ä".repeat(36), "cut between characters");
        assert!(found.compiler.starts_with("rustc "), "{}", found.compiler);
    }

    #[test]
    fn other_bytes_are_no_note() {
        assert_eq!(Note::describe(&[0; SIZE]), None);
        assert_eq!(Note::describe(MAGIC), None);
    }
}
