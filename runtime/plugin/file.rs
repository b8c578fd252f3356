//! A pack's file, judged by its bytes alone.
//!
//! The dynamic loader trusts the file it is given: a truncated one ends the process with SIGBUS, and constructors run
//! before anything could be asked. So the headers are read first, and the note that states what the pack was built
//! for.

use mooncake_pack::abi;
use mooncake_pack::note::{self, Description, Note};
use object::read::elf::{Dyn, FileHeader, ProgramHeader, SectionHeader};
use object::{Endianness, FileKind, Object, ObjectSection, elf};

/// What the file's note says, if the file can be loaded into this process; else what is wrong, in one line.
pub fn inspect(bytes: &[u8]) -> Result<Description, String> {
    let note = note(bytes)?;
    compatible(&note)?;
    Ok(note)
}

/// What the file's note says, if it is a library for this machine: also of a pack that this host cannot load.
pub fn note(bytes: &[u8]) -> Result<Description, String> {
    container(bytes)?;
    find_note(bytes)
}

/// How many rows the library has: scalar functions, rules and native functions. `None` if it does not say, as packs in C do not.
pub fn rows(bytes: &[u8]) -> Option<[usize; 3]> {
    let file = object::File::parse(bytes).ok()?;
    let mut names = note::ROW_SECTIONS.into_iter();
    let section = names.find_map(|name| file.section_by_name(name))?;
    let marks = section.data().ok()?;
    Some([b's', b'r', b'n'].map(|kind| marks.iter().filter(|&&mark| mark == kind).count()))
}

/// What the pack wants of the machine that it runs on, in its own words. Empty if it says nothing.
pub fn wants(bytes: &[u8]) -> String {
    let text = || {
        let file = object::File::parse(bytes).ok()?;
        let mut names = note::WANTS_SECTIONS.into_iter();
        let section = names.find_map(|name| file.section_by_name(name))?;
        let text = section.data().ok()?;
        let text = String::from_utf8_lossy(text.get(..MAX_WANTS).unwrap_or(text)).into_owned();
        Some(note::printable(&text))
    };
    text().unwrap_or_default()
}

/// The most bytes of it that are shown.
const MAX_WANTS: usize = 200;

/// The libraries that the system's loader loads with this one, in its order. Nothing if that cannot be read.
pub fn needed(bytes: &[u8]) -> Vec<String> {
    match FileKind::parse(bytes) {
        Ok(FileKind::Elf64) => elf_needed(bytes).unwrap_or_default(),
        _ => imported(bytes),
    }
}

fn elf_needed(bytes: &[u8]) -> object::Result<Vec<String>> {
    let header = elf::FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, bytes)?;
    let Some((entries, strings)) = sections.dynamic(endian, bytes)? else {
        return Ok(Vec::new());
    };
    let strings = sections.strings(endian, bytes, strings)?;
    let needed = entries.iter().filter(|d| d.tag(endian) == elf::DT_NEEDED);
    let name = |d: &elf::Dyn64<Endianness>| strings.get(d.d_val.get(endian) as u32).ok();
    Ok(needed
        .filter_map(name)
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect())
}

/// Mach-O and PE: the libraries that symbols are imported from.
fn imported(bytes: &[u8]) -> Vec<String> {
    let imports = object::File::parse(bytes).and_then(|file| {
        let names = file.imports()?;
        Ok(names
            .filter_map(object::Result::ok)
            .map(|import| String::from_utf8_lossy(import.library()).into_owned())
            .filter(|name| !name.is_empty())
            .collect::<std::collections::BTreeSet<_>>())
    });
    imports.map_or(Vec::new(), |names| names.into_iter().collect())
}

/// Checks that this is a whole shared library for this machine.
fn container(bytes: &[u8]) -> Result<(), String> {
    let expected = own_format();
    let kind = FileKind::parse(bytes).map_err(|_| {
        format!(
            "not a shared library: {}; expected {}",
            start(bytes),
            expected.1
        )
    })?;
    if kind != expected.0 {
        return Err(format!("{}; expected {}", format_name(kind), expected.1));
    }
    match kind {
        FileKind::Elf64 => elf(bytes),
        _ => other(bytes),
    }
}

/// The file format that this process loads.
fn own_format() -> (FileKind, &'static str) {
    let wide = size_of::<usize>() == 8;
    match (cfg!(windows), cfg!(target_vendor = "apple"), wide) {
        (true, _, true) => (FileKind::Pe64, "a 64-bit PE library"),
        (true, _, false) => (FileKind::Pe32, "a 32-bit PE library"),
        (_, true, _) => (FileKind::MachO64, "a 64-bit Mach-O library"),
        (_, _, true) => (FileKind::Elf64, "a 64-bit ELF library"),
        (_, _, false) => (FileKind::Elf32, "a 32-bit ELF library"),
    }
}

fn format_name(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Elf32 => "a 32-bit ELF file",
        FileKind::Elf64 => "a 64-bit ELF file",
        FileKind::MachO32 | FileKind::MachO64 | FileKind::MachOFat32 | FileKind::MachOFat64 => {
            "a Mach-O file"
        }
        FileKind::Pe32 | FileKind::Pe64 => "a PE file",
        FileKind::Archive => "a static library",
        _ => "a file of another kind",
    }
}

/// The first bytes as text, for messages.
fn start(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "it is empty".into();
    }
    let text: String = bytes
        .iter()
        .take(12)
        .flat_map(|b| b.escape_ascii())
        .map(char::from)
        .collect();
    format!("it starts with `{text}`")
}

const MACHINES: &[(u16, &str)] = &[
    (elf::EM_X86_64.0, "x86_64"),
    (elf::EM_AARCH64.0, "aarch64"),
    (elf::EM_386.0, "x86"),
    (elf::EM_ARM.0, "arm"),
    (elf::EM_RISCV.0, "riscv64"),
    (elf::EM_PPC64.0, "powerpc64"),
    (elf::EM_S390.0, "s390x"),
    (elf::EM_LOONGARCH.0, "loongarch64"),
];

fn elf(bytes: &[u8]) -> Result<(), String> {
    let truncated = |what: &str| {
        format!(
            "truncated or damaged: {what} (the file has {} bytes)",
            bytes.len()
        )
    };
    let header = elf::FileHeader64::<Endianness>::parse(bytes)
        .map_err(|_| truncated("its header is cut off"))?;
    let endian = header
        .endian()
        .map_err(|_| truncated("its byte order is unknown"))?;
    let machine = header.e_machine(endian).0;
    let name = MACHINES
        .iter()
        .find(|m| m.0 == machine)
        .map_or("another architecture", |m| m.1);
    if name != std::env::consts::ARCH {
        return Err(format!(
            "built for {name} (machine {machine}); this process is {}",
            std::env::consts::ARCH
        ));
    }
    if header.e_type(endian) != elf::ET_DYN {
        return Err("not a shared library: a pack is built with crate-type = [\"cdylib\"]".into());
    }
    let len = bytes.len() as u64;
    let fits = |offset: u64, size: u64| offset.checked_add(size).is_some_and(|end| end <= len);
    let segments = header
        .program_headers(endian, bytes)
        .map_err(|_| truncated("its program headers are cut off"))?;
    if !segments
        .iter()
        .all(|s| fits(s.p_offset(endian), s.p_filesz(endian)))
    {
        return Err(truncated("a segment reaches past its end"));
    }
    let sections = header
        .section_headers(endian, bytes)
        .map_err(|_| truncated("its section headers are cut off"))?;
    let stored = |s: &&elf::SectionHeader64<Endianness>| s.sh_type(endian) != elf::SHT_NOBITS;
    if !sections
        .iter()
        .filter(stored)
        .all(|s| fits(s.sh_offset(endian), s.sh_size(endian)))
    {
        return Err(truncated("a section reaches past its end"));
    }
    for segment in segments {
        let dynamic = segment
            .dynamic(endian, bytes)
            .map_err(|_| truncated("its dynamic section is cut off"))?;
        let search =
            |d: &elf::Dyn64<Endianness>| [elf::DT_RPATH, elf::DT_RUNPATH].contains(&d.tag(endian));
        if dynamic.is_some_and(|entries| entries.iter().any(search)) {
            return Err(
                "it brings a search path for further libraries (RPATH): link it without".into(),
            );
        }
    }
    Ok(())
}

/// Mach-O and PE: what the `object` crate checks when it reads the headers.
fn other(bytes: &[u8]) -> Result<(), String> {
    let file = object::File::parse(bytes).map_err(|e| format!("truncated or damaged: {e}"))?;
    let name = match file.architecture() {
        object::Architecture::X86_64 => "x86_64",
        object::Architecture::Aarch64 => "aarch64",
        object::Architecture::I386 => "x86",
        _ => "another architecture",
    };
    match name == std::env::consts::ARCH {
        true => Ok(()),
        false => Err(format!(
            "built for {name}; this process is {}",
            std::env::consts::ARCH
        )),
    }
}

fn find_note(bytes: &[u8]) -> Result<Description, String> {
    let file = object::File::parse(bytes).map_err(|e| format!("truncated or damaged: {e}"))?;
    let names = [note::SECTION_ELF, note::SECTION_MACHO, note::SECTION_PE];
    let section = names
        .into_iter()
        .find_map(|name| file.section_by_name(name))
        .ok_or("not a rule pack: it has no note; a pack is exported with mooncake_pack::export!")?;
    let data = section
        .data()
        .map_err(|e| format!("truncated or damaged: its note: {e}"))?;
    // PE fills sections up.
    let data = data.get(..note::SIZE).unwrap_or(data);
    Note::describe(data).ok_or_else(|| "damaged: its note does not begin with MOONCAKE".into())
}

fn compatible(note: &Description) -> Result<(), String> {
    let own = (abi::MAJOR, abi::MINOR);
    if note.major != own.0 {
        return Err(format!(
            "built for version {}.{} of the pack boundary; this host has {}.{}: build it against mooncake-pack {}",
            note.major, note.minor, own.0, own.1, own.0
        ));
    }
    if (note.pointer_size, note.endianness) != (size_of::<usize>() as u8, note::ENDIANNESS) {
        return Err("damaged: its note states another pointer size or byte order".into());
    }
    if note.layout != abi::LAYOUT {
        return Err(format!(
            "its tables have layout {:016x}, expected {:016x}: it was built against a changed copy of mooncake-pack",
            note.layout,
            abi::LAYOUT
        ));
    }
    if note.panic_aborts {
        return Err("built with panic = \"abort\": a panic in it would end this process; build it with panic = \"unwind\"".into());
    }
    Ok(())
}
