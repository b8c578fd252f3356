//! The one object that a pack exports: a root module of abi_stable's, or the plain C structure of a pack that is not written in Rust.

use mooncake_pack::abi::{self, CRoot, RootRef, Text};
use std::ffi::c_void;
use std::fmt;

/// A pack's root.
#[derive(Clone, Copy)]
pub(super) enum Root {
    /// What `mooncake_pack::export!` exports.
    Rust(RootRef),
    /// What `MOONCAKE_PACK` of `mooncake_pack.h` exports.
    C(CRoot),
}

impl Root {
    /// The root behind the address that a pack's symbol [`abi::C_ROOT`] has. Its functions are optional in the type, because
    /// a C compiler promises nothing; a pack without them is refused here.
    ///
    /// # Safety
    ///
    /// `address` is null, or a `CRoot` of as many bytes as its `size` says, for the rest of the process's life.
    pub(super) unsafe fn from_c(address: *const CRoot) -> Result<Root, String> {
        let size = match address.is_null() || !address.is_aligned() {
            true => 0,
            // SAFETY: the caller's promise: every root has at least its size.
            false => unsafe { *address.cast::<usize>() },
        };
        if size < CRoot::SIZE {
            return Err(format!(
                "its root has {size} bytes; expected at least {}",
                CRoot::SIZE
            ));
        }
        // SAFETY: `size` covers the structure.
        let root = unsafe { *address };
        match root.extension {
            Some(_) => Ok(Root::C(root)),
            None => Err("its root has no function `extension`".into()),
        }
    }

    /// The address of the pack's note.
    pub(super) fn note(&self) -> *const c_void {
        match self {
            Root::Rust(root) => root.note()(),
            Root::C(root) => root.note,
        }
    }

    /// Gives the pack the host's services; its status. A pack in C that needs none has no such function.
    pub(super) fn init(&self, host: *const c_void) -> u32 {
        match self {
            Root::Rust(root) => root.init()(host),
            Root::C(root) => root.init.map_or(abi::OK, |init| init(host)),
        }
    }

    /// The address of the table of that id, or null.
    pub(super) fn extension(&self, id: &'static str) -> *const c_void {
        match self {
            Root::Rust(root) => root.extension()(id.into()),
            Root::C(root) => {
                (root.extension).map_or(std::ptr::null(), |extension| extension(Text::new(id)))
            }
        }
    }
}

impl fmt::Debug for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Root::Rust(_) => "Root::Rust",
            Root::C(_) => "Root::C",
        })
    }
}
