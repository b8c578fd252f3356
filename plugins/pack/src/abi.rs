//! What crosses the boundary: the frozen root module, and the tables it gives out.
//!
//! The root never changes. Everything that may grow is a plain C table that is fetched by a versioned id, so that a
//! pack and a host of different minor versions work together with what both know:
//!
//! - Each entry begins with its `size`. Fields are appended, never moved; a reader looks at a field only if the size
//!   covers it. What is optional never becomes required within a major version.
//! - Pointers may be null, which means *absent*. Statuses, flags and kinds are `u32` constants, never enums: an
//!   unknown number is data, an unknown enum value is undefined behaviour.
//! - Text is UTF-8, given by address and length, and lives as long as the process: packs are never unloaded.
//! - Memory is freed by the side that made it. Version 1 frees nothing.

use abi_stable::StableAbi;
use abi_stable::library::RootModule;
use abi_stable::sabi_types::VersionStrings;
use abi_stable::std_types::RStr;
use std::ffi::c_void;
use std::mem::{align_of, offset_of, size_of};

/// The boundary's version; the host loads packs of its own major version.
pub const MAJOR: u16 = 1;
/// Grows when fields or tables are appended.
pub const MINOR: u16 = 1;

/// The id of the table of [`ScalarEntry`]s.
pub const SCALAR: &str = "mooncake.scalar/1";
/// The id of the table of [`RuleEntry`]s.
pub const RULE: &str = "mooncake.rule/1";

/// Success.
pub const OK: u32 = 0;
/// The host's services are not what the pack needs.
pub const REFUSED: u32 = 1;

/// The function has no effect besides its result, and equal arguments give equal bits. Required in version 1.
pub const FLAG_PURE: u32 = 1;
/// The function may run on several threads at once. Required in version 1.
pub const FLAG_THREAD_SAFE: u32 = 2;

/// In which contexts an entry is a primitive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Context {
    /// What AD cannot do without: functions that have no body to derive.
    Minimal = 0,
    /// Rules that exist for speed or accuracy.
    Default = 1,
}

/// The one exported object. Frozen.
#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = RootRef)))]
#[sabi(missing_field(panic))]
pub struct Root {
    /// The address of the pack's 256-byte [`note`](crate::note).
    pub note: extern "C" fn() -> *const c_void,
    /// Gives the pack the host's services, a [`Host`]. Called once, before anything else of the pack; returns a status.
    pub init: extern "C" fn(*const c_void) -> u32,
    /// The [`Table`] of that id, or null.
    #[sabi(last_prefix_field)]
    pub extension: extern "C" fn(RStr<'static>) -> *const c_void,
}

impl RootModule for RootRef {
    abi_stable::declare_root_module_statics! {RootRef}
    const BASE_NAME: &'static str = "mooncake_pack";
    const NAME: &'static str = "mooncake pack";
    const VERSION_STRINGS: VersionStrings = abi_stable::package_version_strings!();
}

/// Declares C structures, and for each the hash of its layout. Fields after `appended` came with later minor versions.
macro_rules! layout {
    ($(
        $(#[$doc:meta])*
        pub struct $name:ident {
            $($(#[$field_doc:meta])* pub $field:ident: $ty:ty,)*
            $(appended { $($(#[$new_doc:meta])* pub $new:ident: $new_ty:ty,)* })?
        }
    )*) => {$(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $ty,)*
            $($($(#[$new_doc])* pub $new: $new_ty,)*)?
        }

        // SAFETY: plain data; its addresses are of immutable memory that lives as long as the process, or of functions.
        unsafe impl Sync for $name {}
        // SAFETY: as above.
        unsafe impl Send for $name {}

        impl $name {
            /// A hash of the names, types and offsets of the fields of version 1.0.
            pub const LAYOUT: u64 = {
                let mut hash = fnv(FNV, stringify!($name));
                $(
                    hash = fnv(hash, stringify!($field));
                    hash = fnv(hash, stringify!($ty));
                    hash = fnv_byte(hash, offset_of!($name, $field) as u8);
                    hash = fnv_byte(hash, size_of::<$ty>() as u8);
                )*
                hash
            };
            /// The bytes of version 1.0: what every pack has.
            pub const SIZE: usize = {
                let mut end = 0;
                $(
                    let field = offset_of!($name, $field) + size_of::<$ty>();
                    if field > end {
                        end = field;
                    }
                )*
                end.next_multiple_of(align_of::<$name>())
            };
        }
    )*};
}

layout! {
    /// UTF-8 text for the life of the process. Null is the empty text.
    pub struct Text {
        /// The first byte.
        pub data: *const u8,
        /// In bytes.
        pub len: usize,
    }

    /// `len` items one after the other, for the life of the process.
    pub struct List {
        /// The first item.
        pub data: *const c_void,
        /// Their number.
        pub len: usize,
    }

    /// Where tests sample an argument.
    pub struct Range {
        /// From.
        pub low: f64,
        /// To.
        pub high: f64,
    }

    /// A table of entries.
    pub struct Table {
        /// The bytes of this header.
        pub size: usize,
        /// The bytes from one item to the next.
        pub item_size: usize,
        /// The number of items.
        pub count: usize,
        /// `LAYOUT` of the items.
        pub layout: u64,
        /// The first item.
        pub items: *const c_void,
    }

    /// A scalar function.
    ///
    /// The native functions take the signature's arguments (`T` as float or double) by the C calling convention and
    /// return a `T`; `with_partials` takes one more argument, the address of one `T` per argument, where it writes
    /// the partial derivatives. None of them unwinds: a panic inside is given to [`Host::raise`], and NaN is returned.
    pub struct ScalarEntry {
        /// The bytes of this entry.
        pub size: usize,
        /// `FLAG_*`
        pub flags: u32,
        /// A [`Context`] as a number.
        pub context: u32,
        /// `hypot(x: T, y: T) -> T`
        pub signature: Text,
        /// What it is, for people.
        pub docs: Text,
        /// A [`Range`] for each argument.
        pub domain: List,
        /// A [`Text`] for each argument: ∂y/∂argument, an expression over the arguments and `y`. Empty for integers.
        pub partials: List,
        /// The function as an expression over its arguments, or empty.
        pub body: Text,
        /// The function as WGSL over f32, `fn mc_hypot(x: f32, y: f32) -> f32`, or empty.
        pub wgsl: Text,
        /// For `T` = f32, or null.
        pub native_f32: *const c_void,
        /// For `T` = f64, or null.
        pub native_f64: *const c_void,
        /// Value and partials for `T` = f32, or null.
        pub with_partials_f32: *const c_void,
        /// Value and partials for `T` = f64, or null.
        pub with_partials_f64: *const c_void,
    }

    /// A rule over arrays, as expressions.
    pub struct RuleEntry {
        /// The bytes of this entry.
        pub size: usize,
        /// `FLAG_*`
        pub flags: u32,
        /// A [`Context`] as a number.
        pub context: u32,
        /// `matmul(a: array<T>, b: array<T>) -> array<T>`
        pub signature: Text,
        /// What it is, for people.
        pub docs: Text,
        /// The function as an expression over its arguments; empty if the host computes it.
        pub body: Text,
        /// A [`Text`] for each argument: its cotangent, an expression over the arguments, `y` and `dy`. Empty: none.
        pub pullback: List,
        appended {
            /// Since 1.1: a [`Text`] for each argument: what its tangent adds to that of the result, an expression over the
            /// arguments, `y` and `dx`, the argument's tangent. Empty: nothing. No list: as the body says.
            pub tangent: List,
        }
    }

    /// The services a host offers.
    pub struct Host {
        /// The bytes of this structure.
        pub size: usize,
        /// Reports that a function failed: pack, function, message. The host turns it into an error of the call.
        pub raise: extern "C" fn(Text, Text, Text),
        /// Shows a line to the user: pack, message. (A pack's own buffered output may never appear.)
        pub log: extern "C" fn(Text, Text),
    }
}

/// The layouts of everything above, as the note states it.
pub const LAYOUT: u64 = {
    let layouts = [
        Text::LAYOUT,
        List::LAYOUT,
        Range::LAYOUT,
        Table::LAYOUT,
        ScalarEntry::LAYOUT,
        RuleEntry::LAYOUT,
        Host::LAYOUT,
    ];
    let mut hash = FNV;
    let mut i = 0;
    while i < layouts.len() {
        hash = (hash ^ layouts[i]).wrapping_mul(0x100_0000_01b3);
        i += 1;
    }
    hash
};

/// Fowler–Noll–Vo 1a, 64 bits: enough to tell honest layouts apart, and const.
const FNV: u64 = 0xcbf2_9ce4_8422_2325;

const fn fnv_byte(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x100_0000_01b3)
}

const fn fnv(mut hash: u64, text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        // How the compiler spaces a type's text is not part of the layout.
        if bytes[i] != b' ' {
            hash = fnv_byte(hash, bytes[i]);
        }
        i += 1;
    }
    fnv_byte(hash, 0)
}

impl Text {
    /// Text that is in the program.
    pub const fn new(text: &'static str) -> Self {
        Text {
            data: text.as_ptr(),
            len: text.len(),
        }
    }
    /// The text, if it is UTF-8.
    ///
    /// # Safety
    ///
    /// `data` is null, or `len` bytes can be read there for the rest of the process's life.
    pub unsafe fn read(self) -> Result<&'static str, std::str::Utf8Error> {
        if self.data.is_null() {
            return Ok("");
        }
        // SAFETY: the caller's promise.
        std::str::from_utf8(unsafe { std::slice::from_raw_parts(self.data, self.len) })
    }
}

impl List {
    /// No list.
    pub const ABSENT: List = List {
        data: std::ptr::null(),
        len: 0,
    };
    /// A list that is in the program.
    pub const fn new<T>(items: &'static [T]) -> Self {
        List {
            data: items.as_ptr().cast(),
            len: items.len(),
        }
    }
    /// The items.
    ///
    /// # Safety
    ///
    /// `data` is null, or `len` values of `T` can be read there for the rest of the process's life.
    pub unsafe fn read<T>(self) -> &'static [T] {
        if self.data.is_null() {
            return &[];
        }
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(self.data.cast(), self.len) }
    }
}
