//! Loads a pack's file into the process.
//!
//! What was checked must be what is loaded: the file is read once, and a sealed copy in memory is given to the loader
//! (where the system has such a thing). The library is never unloaded.

use super::lock::Lock;
use super::root::Root;
use super::{Pack, PackFile, fault, file, table};
use crate::diag::Result;
use abi_stable::library::{AbiHeaderRef, LibraryError, ROOT_MODULE_LOADER_NAME_WITH_NUL};
use mooncake_pack::abi::{C_ROOT, CRoot, RootRef};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The packs of this process by the SHA-256 of their files.
static LOADED: Mutex<BTreeMap<[u8; 32], Arc<Pack>>> = Mutex::new(BTreeMap::new());

/// A file as it was read.
struct Read {
    path: PathBuf,
    bytes: Vec<u8>,
    sha256: [u8; 32],
}

/// The description of a file, without loading it.
pub(super) fn examine(path: &Path) -> Result<PackFile> {
    let read = read(path)?;
    let note = file::note(&read.bytes).map_err(|message| fault(path.display(), message))?;
    Ok(PackFile {
        path: read.path,
        bytes: read.bytes.len(),
        sha256: read.sha256,
        rows: file::rows(&read.bytes),
        needed: file::needed(&read.bytes),
        wants: file::wants(&read.bytes),
        fits: file::inspect(&read.bytes).map(drop),
        note,
    })
}

/// Loads the pack in this file, or gives the one that was loaded from the same bytes before. A lock decides first.
pub(super) fn load(path: &Path, lock: Option<&Lock>) -> Result<Arc<Pack>> {
    let Read {
        path: absolute,
        bytes,
        sha256,
    } = read(path)?;
    if let Some(lock) = lock {
        let note = file::note(&bytes).ok();
        lock.permit(&sha256, note.as_ref().map(|note| note.name.as_str()), path)?;
    }
    // The messages name the path as it was given: there is no other name yet.
    let note = file::inspect(&bytes).map_err(|message| fault(path.display(), message))?;
    // Held while loading, so that two threads do not load one pack twice.
    let mut loaded = LOADED.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(pack) = loaded.get(&sha256) {
        return Ok(pack.clone());
    }
    let root = root(&bytes, &absolute).map_err(|e| fault(&note.name, e))?;
    let mut pack = table::read(&root, Some(&note))?;
    (pack.path, pack.sha256) = (Some(absolute), Some(sha256));
    let pack = Arc::new(pack);
    loaded.insert(sha256, pack.clone());
    Ok(pack)
}

/// Reads a file that nobody else can replace, once: what is judged is what is loaded.
fn read(path: &Path) -> Result<Read> {
    let read = || {
        let path = trusted(path)?;
        let bytes = std::fs::read(&path).map_err(|e| format!("cannot read the file: {e}"))?;
        let sha256 = Sha256::digest(&bytes).into();
        Ok(Read {
            path,
            bytes,
            sha256,
        })
    };
    read().map_err(|message: String| fault(path.display(), message))
}

/// The absolute path of a file that nobody else can replace.
fn trusted(path: &Path) -> std::result::Result<PathBuf, String> {
    if path.parent() == Some(Path::new("")) {
        return Err(format!(
            "a name without a folder, for which loaders search: write the path, for example ./{}",
            path.display()
        ));
    }
    let path = path.canonicalize().map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => format!("cannot read the file: {e}"),
    })?;
    #[cfg(unix)]
    for (place, what) in [
        (Some(path.as_path()), "the file"),
        (path.parent(), "its folder"),
    ] {
        use std::os::unix::fs::PermissionsExt;
        let Some(place) = place else { continue };
        let mode = place
            .metadata()
            .map_err(|e| format!("cannot read {what}: {e}"))?
            .permissions()
            .mode();
        // A sticky folder, such as /tmp, lets only the owner of a file replace it.
        if mode & 0o002 != 0 && mode & 0o1000 == 0 {
            return Err(format!(
                "{what} can be written by everybody (mode {:o}): anybody could replace the pack",
                mode & 0o7777
            ));
        }
    }
    match path.is_file() {
        true => Ok(path),
        false => Err("not a file".into()),
    }
}

/// Loads the library and gives its root: abi_stable's, or that of a pack in C.
fn root(bytes: &[u8], path: &Path) -> std::result::Result<Root, String> {
    let library = open(bytes, path)?;
    // SAFETY: the symbol that abi_stable defines is the address of a `LibHeader`, which starts with an `AbiHeader`;
    // the note's magic, version and layout were found in the file.
    let header = unsafe { library.get::<AbiHeaderRef>(ROOT_MODULE_LOADER_NAME_WITH_NUL) };
    // SAFETY: by the boundary's contract this symbol, if there is one, is a `CRoot`; its address is what `get` gives.
    let plain = unsafe { library.get::<*const CRoot>(C_ROOT) };
    let (header, plain) = (
        header.map(|symbol| *symbol),
        plain.map(|symbol| symbol.as_raw_ptr()),
    );
    // Never unloaded: compiled code, entries and pullbacks keep addresses in it.
    std::mem::forget(library);
    match (header, plain) {
        (Ok(header), _) => header
            .upgrade()
            .and_then(|header| header.init_root_module::<RootRef>())
            .map(Root::Rust)
            .map_err(|e| refusal(&e)),
        // SAFETY: as above; libraries are never unloaded.
        (Err(_), Ok(address)) => unsafe { Root::from_c(address.cast()) },
        (Err(_), Err(_)) => {
            Err("it exports no root module: a pack is exported with mooncake_pack::export!".into())
        }
    }
}

/// abi_stable's errors run to hundreds of lines.
fn refusal(error: &LibraryError) -> String {
    match error {
        LibraryError::AbiInstability(_) => "its root module has another layout: it was built against a changed copy of mooncake-pack".into(),
        LibraryError::IncompatibleVersionNumber { expected_version, actual_version, .. } => {
            format!("its root module has version {actual_version}; this host has {expected_version}")
        }
        LibraryError::InvalidAbiHeader(found) => format!(
            "it was built with abi_stable {}.{}; expected {}.{}",
            found.abi_major,
            found.abi_minor,
            abi_stable::library::AbiHeader::VALUE.abi_major,
            abi_stable::library::AbiHeader::VALUE.abi_minor
        ),
        other => other.to_string().lines().take(2).collect::<Vec<_>>().join("; "),
    }
}

#[cfg(unix)]
use libloading::os::unix::Library;
#[cfg(windows)]
use libloading::os::windows::Library;

/// The loader binds everything now: with lazy binding a library with undefined symbols would load, and die at a call.
#[cfg(unix)]
fn open_path(path: &Path) -> std::result::Result<Library, String> {
    use libloading::os::unix::{RTLD_LOCAL, RTLD_NOW};
    // SAFETY: loading runs the library's constructors, with the user's rights and at the user's request.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map_err(|e| {
        use std::error::Error;
        format!(
            "the system cannot load it: {}",
            e.source().map_or(e.to_string(), |s| s.to_string())
        )
    })
}
#[cfg(windows)]
fn open_path(path: &Path) -> std::result::Result<Library, String> {
    // SAFETY: as above.
    unsafe { Library::new(path) }.map_err(|e| format!("the system cannot load it: {e}"))
}

#[cfg(target_os = "linux")]
fn open(bytes: &[u8], path: &Path) -> std::result::Result<Library, String> {
    match sealed(bytes) {
        // The descriptor stays open: the loader knows libraries by name, and a reused number would give the old one.
        Some(file) => {
            use std::os::fd::IntoRawFd;
            open_path(Path::new(&format!("/proc/self/fd/{}", file.into_raw_fd())))
        }
        None => open_unchanged(bytes, path),
    }
}
#[cfg(not(target_os = "linux"))]
fn open(bytes: &[u8], path: &Path) -> std::result::Result<Library, String> {
    open_unchanged(bytes, path)
}

/// A copy in memory that nobody can change any more; `None` where the kernel or a missing /proc does not allow it.
#[cfg(target_os = "linux")]
fn sealed(bytes: &[u8]) -> Option<std::fs::File> {
    use std::ffi::{c_char, c_int, c_uint};
    use std::io::Write;
    use std::os::fd::{AsRawFd, FromRawFd};
    unsafe extern "C" {
        fn memfd_create(name: *const c_char, flags: c_uint) -> c_int;
        fn fcntl(fd: c_int, command: c_int, ...) -> c_int;
    }
    const MFD_CLOEXEC: c_uint = 1;
    const MFD_ALLOW_SEALING: c_uint = 2;
    const F_ADD_SEALS: c_int = 1033;
    const SEAL_ALL: c_int = 0b1111;
    if !Path::new("/proc/self/fd").is_dir() {
        return None;
    }
    // SAFETY: a C string and flags; the result is a new descriptor or -1.
    let fd = unsafe { memfd_create(c"mooncake-pack".as_ptr(), MFD_CLOEXEC | MFD_ALLOW_SEALING) };
    if fd < 0 {
        return None;
    }
    // SAFETY: a descriptor that nothing else owns.
    let mut file = unsafe { std::fs::File::from_raw_fd(fd) };
    file.write_all(bytes).ok()?;
    // SAFETY: a command with one integer argument on a descriptor of ours.
    let status = unsafe { fcntl(file.as_raw_fd(), F_ADD_SEALS, SEAL_ALL) };
    (status == 0).then_some(file)
}

/// Loads by path, and makes sure that the file is still the one that was checked.
fn open_unchanged(bytes: &[u8], path: &Path) -> std::result::Result<Library, String> {
    let library = open_path(path)?;
    match std::fs::read(path).is_ok_and(|now| now == bytes) {
        true => Ok(library),
        false => {
            std::mem::forget(library);
            Err("the file changed while it was loaded".into())
        }
    }
}
