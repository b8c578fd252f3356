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
//! - Memory is freed by the side that made it: arrays by the host, the data of a pullback by the pack.

use abi_stable::StableAbi;
use abi_stable::library::RootModule;
use abi_stable::sabi_types::VersionStrings;
use abi_stable::std_types::RStr;
use std::ffi::c_void;
use std::mem::{align_of, offset_of, size_of};

/// The boundary's version; the host loads packs of its own major version.
pub const MAJOR: u16 = 1;
/// Grows when fields or tables are appended.
pub const MINOR: u16 = 4;

/// The id of the table of [`ScalarEntry`]s.
pub const SCALAR: &str = "mooncake.scalar/1";
/// The id of the table of [`RuleEntry`]s.
pub const RULE: &str = "mooncake.rule/1";
/// The id of the table of [`CaseEntry`]s.
pub const CASES: &str = "mooncake.cases/1";
/// The symbol that a pack exports which is not written in Rust: a [`CRoot`].
pub const C_ROOT: &str = "mooncake_pack_root";

/// The id of the table of [`NativeEntry`]s. Since 1.2.
pub const NATIVE: &str = "mooncake.native/1";

/// Success.
pub const OK: u32 = 0;
/// The host's services are not what the pack needs.
pub const REFUSED: u32 = 1;
/// A native function reports an error, whose text it has given to [`Services::set_error`].
pub const FAILED: u32 = 2;
/// A native function panicked, and has given the text to [`Host::raise`].
pub const PANICKED: u32 = 3;

/// There is no value here: a tangent that is zero, a cotangent that nobody wants.
pub const KIND_ABSENT: u32 = 0;
/// A number or a bool.
pub const KIND_SCALAR: u32 = 1;
/// Memory that is read: `&[T]`.
pub const KIND_SLICE: u32 = 2;
/// Memory that is read and written: `&mut [T]`.
pub const KIND_SLICE_MUT: u32 = 3;
/// A dense array in row-major order.
pub const KIND_ARRAY: u32 = 4;

/// The types of numbers, as [`View::dtype`] says them.
pub const DTYPE_BOOL: u32 = 1;
/// See [`DTYPE_BOOL`].
pub const DTYPE_I8: u32 = 2;
/// See [`DTYPE_BOOL`].
pub const DTYPE_I16: u32 = 3;
/// See [`DTYPE_BOOL`].
pub const DTYPE_I32: u32 = 4;
/// See [`DTYPE_BOOL`].
pub const DTYPE_I64: u32 = 5;
/// See [`DTYPE_BOOL`].
pub const DTYPE_ISIZE: u32 = 6;
/// See [`DTYPE_BOOL`].
pub const DTYPE_U8: u32 = 7;
/// See [`DTYPE_BOOL`].
pub const DTYPE_U16: u32 = 8;
/// See [`DTYPE_BOOL`].
pub const DTYPE_U32: u32 = 9;
/// See [`DTYPE_BOOL`].
pub const DTYPE_U64: u32 = 10;
/// See [`DTYPE_BOOL`].
pub const DTYPE_USIZE: u32 = 11;
/// See [`DTYPE_BOOL`].
pub const DTYPE_F32: u32 = 12;
/// See [`DTYPE_BOOL`].
pub const DTYPE_F64: u32 = 13;

/// The function has no effect besides its result, and equal arguments give equal bits. Required, but for native functions that say
/// [`FLAG_ORDERED`] instead.
pub const FLAG_PURE: u32 = 1;
/// The function may run on several threads at once. Required in version 1.
pub const FLAG_THREAD_SAFE: u32 = 2;
/// Only expressions of the entry's own pack can use it. Since 1.2.
pub const FLAG_PRIVATE: u32 = 4;
/// Since 1.4, of a native function, in the place of [`FLAG_PURE`]: the function has an effect. Its calls happen as often as the program
/// makes them and in the program's order, and those of its derivatives in the mirrored order.
pub const FLAG_ORDERED: u32 = 8;
/// Since 1.4, with [`FLAG_ORDERED`]: what one call takes another call gives, perhaps in another process. Each call has its derivative,
/// whether or not its own arguments vary and its own results are used.
pub const FLAG_LINKED: u32 = 16;

/// A case's argument is a float.
pub const CASE_FLOAT: u32 = 0;
/// A case's argument is an integer.
pub const CASE_INTEGER: u32 = 1;
/// A case's argument is an array of floats.
pub const CASE_ARRAY: u32 = 2;
/// A case's argument is an array of `u32`.
pub const CASE_INDICES: u32 = 3;
/// A case's argument is a shape.
pub const CASE_SHAPE: u32 = 4;

/// In which contexts an entry is a primitive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Context {
    /// What AD cannot do without: functions that have no body to derive.
    Minimal = 0,
    /// Rules that exist for speed or accuracy.
    Default = 1,
    /// Nowhere: a function that has a body and no rule, derived in every context. Since 1.2.
    Derived = 2,
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

    /// A function in machine code, over scalars, slices and arrays.
    ///
    /// `primal`, `rrule` and `frule` are `fn(*const Call) -> u32`, a status; none of them unwinds. They serve every float
    /// type that the signature's `T` stands for: [`Call::float`] says which.
    ///
    /// The derivative is given by expressions (`pullback`, `tangent`), which makes it differentiable any number of times; or by
    /// `rrule` and `frule`, for the first derivative.
    pub struct NativeEntry {
        /// The bytes of this entry.
        pub size: usize,
        /// `FLAG_*`
        pub flags: u32,
        /// A [`Context`] as a number.
        pub context: u32,
        /// `cholesky(a: array<T>) -> array<T>`
        pub signature: Text,
        /// What it is, for people.
        pub docs: Text,
        /// The function as an expression over its arguments, or empty.
        pub body: Text,
        /// A [`Text`] for each argument: its cotangent, as in [`RuleEntry`]. No list: `rrule` says it.
        pub pullback: List,
        /// A [`Text`] for each argument: what its tangent adds, as in [`RuleEntry`]. No list: `frule` or the body says it.
        pub tangent: List,
        /// Computes the results.
        pub primal: *const c_void,
        /// Computes the results and fills in [`Call::pullback`]; or null.
        pub rrule: *const c_void,
        /// Computes the results and their tangents; or null.
        pub frule: *const c_void,
        appended {
            /// The primal as a compute shader for f32, which runs where the arguments' arrays are; or empty. The host declares the bindings: a
            /// `var<storage>` of each argument that is an array, under its name, one of each result (`y`, or `y0`, `y1`, …), and
            /// `params`, a structure of `kernel_params`. The text has the entry point `main`.
            pub kernel: Text,
            /// [`Text`]s `name = expression`, over extents and numbers: for an array `a`, `a` is the number of its elements and
            /// `a.0` its first extent.
            pub kernel_params: List,
            /// A [`Text`] for each result: its extents, expressions as in `kernel_params`, with commas between them; or `shape(a)`, those of
            /// the argument `a`, whatever their number.
            pub kernel_shapes: List,
            /// The number of workgroups: up to three expressions with commas between them.
            pub kernel_workgroups: Text,
            /// Since 1.3: for second derivatives `rrule` along tangents, or null: it is given the tangents of the arguments, as `frule`, gives those
            /// of the results, and fills in [`Call::pullback`], whose call has the tangents of all that a pullback is given and gives. For
            /// functions over numbers and slices.
            pub second: *const c_void,
        }
    }

    /// A value that one side lends to the other for the time of a call. An address that is not null is aligned for the type.
    pub struct View {
        /// `KIND_*`
        pub kind: u32,
        /// `DTYPE_*`: the type of the scalar or of the elements.
        pub dtype: u32,
        /// Where the scalar is, or the first element. Null for a result that is an array: see [`Services::allocate`].
        pub data: *mut c_void,
        /// The number of elements; 1 for a scalar.
        pub len: usize,
        /// The number of axes of an array.
        pub rank: usize,
        /// The extents of an array.
        pub shape: *const usize,
        /// For an argument of `rrule`: 1 if its cotangent may be wanted, else 0.
        pub active: u32,
        /// 0.
        pub reserved: u32,
    }

    /// What a native function is given. A list that has no meaning for the function at hand is null.
    ///
    /// Tuples and structs of a program arrive as their parts, in order. Mutable slices are never the same memory as another argument.
    pub struct Call {
        /// The bytes of this structure.
        pub size: usize,
        /// What the function may ask of the host.
        pub services: *const Services,
        /// Whose call it is, for the services.
        pub context: *mut c_void,
        /// Null for functions of packs. A host that has rules of its own may tell them apart by this.
        pub data: *const c_void,
        /// `DTYPE_F32` or `DTYPE_F64`: what the signature's `T` stands for.
        pub float: u32,
        /// 0.
        pub reserved: u32,
        /// `arg_count` [`View`]s. A pullback has the slices and arrays among them, as `rrule` has left them; scalars are absent.
        pub args: *const View,
        /// The number of arguments.
        pub arg_count: usize,
        /// `result_count` [`View`]s, to be written. A pullback has the arrays among them, to be read; scalars are absent.
        pub results: *mut View,
        /// The number of results.
        pub result_count: usize,
        /// `rrule`: to be filled in. It is so far all null, which means that nothing has to be done going back.
        pub pullback: *mut Pullback,
        /// `frule`: the tangents of the arguments, absent where they are zero. That of a mutable slice is written to as the slice is.
        pub tangents: *const View,
        /// `frule`: the tangents of the results, to be written; absent for what is not a float.
        pub result_tangents: *mut View,
        /// Pullback: the cotangents of the results; absent for what is not a float.
        pub seeds: *const View,
        /// Pullback: the cotangents of the arguments, to be added to; absent where nobody wants one. That of a mutable slice belongs to
        /// its final contents before and to its initial contents after, which the pullback puts back into the slice.
        pub cotangents: *const View,
        appended {
            /// Since 1.3, pullback of `second`: the tangents of the seeds, absent where they are zero. In `tangents` are those of the slices
            /// among the arguments; those of mutable ones are put back as the slices are.
            pub seed_tangents: *const View,
            /// Since 1.3, pullback of `second`: the tangents of the cotangents, to be added to, or changed, as these are.
            pub cotangent_tangents: *const View,
        }
    }

    /// What goes back from a call of `rrule`. It is called at most once, and dropped exactly once, whether it was called or not; both
    /// may happen on another thread than the one that made it. All null: nothing to do.
    pub struct Pullback {
        /// Its own.
        pub data: *mut c_void,
        /// `fn(data, *const Call) -> u32`, a status.
        pub call: *const c_void,
        /// `fn(data)`, or null.
        pub drop: *const c_void,
    }

    /// What a native function may ask of the host while it runs.
    pub struct Services {
        /// The bytes of this structure.
        pub size: usize,
        /// Makes room, filled with zeros, for an array among the results or their tangents: context, the view, its rank and extents.
        /// The address of the first element, or null, and then the function gives up with `FAILED`.
        pub allocate: extern "C" fn(*mut c_void, *mut View, usize, *const usize) -> *mut c_void,
        /// Says what is wrong: context, message. The function then returns `FAILED`.
        pub set_error: extern "C" fn(*mut c_void, Text),
        appended {
            /// Since 1.3: calls another function: context, what is asked for. A status; if it is not `OK`, [`Request::error`] says why.
            pub call: extern "C" fn(*mut c_void, *mut Request) -> u32,
            /// Since 1.3: gives back what an owner of [`Request::owners`] owns, once, from any thread. Null owns nothing.
            pub release: extern "C" fn(*mut c_void),
            /// Since 1.4: as `allocate`, for a function that writes every element: what they are before may be anything.
            pub allocate_any: extern "C" fn(*mut c_void, *mut View, usize, *const usize) -> *mut c_void,
        }
    }

    /// A call that a native function asks the host for, with [`Services::call`].
    pub struct Request {
        /// The bytes of this structure.
        pub size: usize,
        /// The function. A plain name is a row of the asking pack, private ones included, else a row of `std` or an operation of the host; a row
        /// of another pack is named by its path, `linalg::cholesky`.
        pub function: Text,
        /// `arg_count` [`View`]s: numbers, slices and arrays.
        pub args: *const View,
        /// The number of arguments.
        pub arg_count: usize,
        /// `result_count` [`View`]s of the kinds and types that the function gives. A number's `data` is where it goes; the view of an array
        /// is filled in by the host, to be read until its owner is released.
        pub results: *mut View,
        /// The number of results.
        pub result_count: usize,
        /// `result_count` owners, filled in by the host: for an array what [`Services::release`] takes, else null.
        pub owners: *mut *mut c_void,
        /// If the call fails: what is wrong, to be read until the asking function returns or asks again.
        pub error: Text,
    }

    /// The root of a pack that is not written in Rust, exported as [`C_ROOT`].
    pub struct CRoot {
        /// The bytes of this structure.
        pub size: usize,
        /// The pack's 256-byte note, which lies in a section of its own.
        pub note: *const c_void,
        /// Gives the pack the host's services, a [`Host`]; a status. Null if the pack needs none.
        pub init: Option<extern "C" fn(*const c_void) -> u32>,
        /// The [`Table`] of that id, or null.
        pub extension: Option<extern "C" fn(Text) -> *const c_void>,
    }

    /// A call on which a function is tested.
    pub struct CaseEntry {
        /// The bytes of this entry.
        pub size: usize,
        /// The function's name.
        pub function: Text,
        /// A [`CaseValue`] for each argument.
        pub arguments: List,
    }

    /// An argument of a case.
    pub struct CaseValue {
        /// The bytes of this value.
        pub size: usize,
        /// `CASE_*`
        pub kind: u32,
        /// Floats: the value, or an array's elements in row-major order (`double`s).
        pub floats: List,
        /// Integers: the value, or the elements of an array of indices (64 bits, signed).
        pub integers: List,
        /// The extents of an array, or of a shape (`size_t`s).
        pub shape: List,
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

/// The layouts of what version 1.0 has, as the note states it. Tables that came later say their own.
pub const LAYOUT: u64 = joined(&[
    Text::LAYOUT,
    List::LAYOUT,
    Range::LAYOUT,
    Table::LAYOUT,
    ScalarEntry::LAYOUT,
    RuleEntry::LAYOUT,
    Host::LAYOUT,
]);

/// The layout of the table of native entries: of its rows and of all that their functions are given.
pub const NATIVE_LAYOUT: u64 = joined(&[
    NativeEntry::LAYOUT,
    View::LAYOUT,
    Call::LAYOUT,
    Pullback::LAYOUT,
    Services::LAYOUT,
]);

/// One hash of several layouts.
const fn joined(layouts: &[u64]) -> u64 {
    let mut hash = FNV;
    let mut i = 0;
    while i < layouts.len() {
        hash = (hash ^ layouts[i]).wrapping_mul(0x100_0000_01b3);
        i += 1;
    }
    hash
}

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
