//! A root module's tables, read into data of ours.
//!
//! The one place that follows the addresses a pack gives. What can be checked is: sizes, layouts, counts, null, UTF-8,
//! numbers. That an address which is not null is what the boundary says has to be believed.

use super::root::Root;
use super::signature::{Pattern, Signature};
use super::{Declaration, DeclarationKind, KernelText, Pack, UnreadRow, fault};
use crate::diag::Result;
use crate::ir::Symbol;
use crate::registry::{ContextKind, Effects, NativeFn};
use mooncake_pack::abi::{
    self, CaseEntry, CaseValue, List, NativeEntry, Range, RuleEntry, ScalarEntry, Table, Text,
};
use mooncake_pack::note::{self, Note};
use mooncake_pack::{Case, Value};
use std::ffi::c_void;
use std::mem::{MaybeUninit, offset_of};

/// The maximal number of rows of a table. A larger number is a fault.
const MAX_ROWS: usize = 100_000;
/// The maximal number of bytes of a text.
const MAX_TEXT: usize = 1 << 24;

/// Initialises a pack and reads everything it declares. `file` is what its file's note said; a linked pack has no file.
/// An entry that cannot be read is kept as a fault: whether the pack is of use without it is for the user to say.
pub(super) fn read(root: &Root, file: Option<&note::Description>) -> Result<Pack> {
    let note = describe(root).ok_or_else(|| match file {
        Some(file) => fault(&file.name, "its root gives no note"),
        None => fault("(linked)", "its root gives no note"),
    })?;
    if file.is_some_and(|file| *file != note) {
        return Err(fault(
            &note.name,
            "its root's note differs from the one in its file",
        ));
    }
    let status = root.init(super::fault::host());
    if status != abi::OK {
        return Err(fault(
            &note.name,
            format!("it refused to start (status {status})"),
        ));
    }
    let scalars = rows::<ScalarEntry>(
        root,
        &note.name,
        abi::SCALAR,
        ScalarEntry::LAYOUT,
        ScalarEntry::SIZE,
    )?;
    let rules = rows::<RuleEntry>(
        root,
        &note.name,
        abi::RULE,
        RuleEntry::LAYOUT,
        RuleEntry::SIZE,
    )?;
    let natives = rows::<NativeEntry>(
        root,
        &note.name,
        abi::NATIVE,
        abi::NATIVE_LAYOUT,
        NativeEntry::SIZE,
    )?;
    let (mut declarations, mut unread) = (Vec::new(), Vec::new());
    let scalars = scalars.iter().map(|row| (row.signature, scalar(row)));
    let rules = rules.iter().map(|row| (row.signature, rule(row)));
    let natives = natives.iter().map(|row| (row.signature, native(row)));
    for (signature, outcome) in scalars.chain(rules).chain(natives) {
        match outcome {
            Ok(declaration) => declarations.push(declaration),
            Err(message) => unread.push(UnreadRow {
                name: name_in(signature),
                message,
            }),
        }
    }
    declarations.sort_by_key(|declaration| declaration.signature.name);
    Ok(Pack {
        name: note.name,
        version: note.version,
        licence: note.licence,
        authors: note.authors,
        compiler: note.compiler,
        abi: (note.major, note.minor),
        path: None,
        sha256: None,
        declarations,
        unread,
        root: *root,
    })
}

/// The name in a signature of which the rest may be wrong.
fn name_in(signature: Text) -> Option<Symbol> {
    let (name, _) = text(signature).ok()?.split_once('(')?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = name.trim();
    (!name.is_empty() && name.chars().all(is_name)).then(|| Symbol::new(name))
}

/// The cases of a pack.
pub(super) fn cases(root: &Root, pack: &str) -> Result<Vec<Case>> {
    let rows = rows::<CaseEntry>(root, pack, abi::CASES, CaseEntry::LAYOUT, CaseEntry::SIZE)?;
    rows.iter()
        .map(|entry| case(entry).map_err(|message| fault(pack, message)))
        .collect()
}

fn case(entry: &CaseEntry) -> Result<Case, String> {
    let function = text(entry.function)?;
    let wrong = |what: String| format!("a case of `{function}`: {what}");
    let arguments = list::<CaseValue>(entry.arguments, "arguments").map_err(wrong)?;
    let arguments = arguments
        .iter()
        .map(argument)
        .collect::<Result<Vec<_>, _>>();
    Ok(Case::new(function, arguments.map_err(wrong)?))
}

fn argument(value: &CaseValue) -> Result<Value, String> {
    let floats = list::<f64>(value.floats, "floats")?;
    let integers = list::<i64>(value.integers, "integers")?;
    let shape = list::<usize>(value.shape, "extents")?;
    let elements = shape
        .iter()
        .try_fold(1, |n: usize, &extent| n.checked_mul(extent));
    let one = |found: usize| match found {
        1 => Ok(()),
        _ => Err(format!("{found} numbers for a number")),
    };
    let all = |found: usize| match elements == Some(found) {
        true => Ok(shape.to_vec()),
        false => Err(format!("{found} elements for an array of shape {shape:?}")),
    };
    match value.kind {
        abi::CASE_FLOAT => one(floats.len()).map(|()| Value::Float(floats[0])),
        abi::CASE_INTEGER => one(integers.len()).map(|()| Value::Int(integers[0])),
        abi::CASE_ARRAY => all(floats.len()).map(|shape| Value::Array(shape, floats.to_vec())),
        abi::CASE_INDICES => {
            let indices = integers.iter().map(|&i| u32::try_from(i));
            let indices = indices.collect::<Result<_, _>>();
            let indices = indices.map_err(|_| "an index that is no u32".to_owned())?;
            all(integers.len()).map(|shape| Value::Indices(shape, indices))
        }
        abi::CASE_SHAPE => Ok(Value::Shape(shape.to_vec())),
        other => Err(format!(
            "an argument of kind {other}, which this host does not know"
        )),
    }
}

fn describe(root: &Root) -> Option<note::Description> {
    let address = root.note().cast::<Note>();
    if !address.is_aligned() {
        return None;
    }
    // SAFETY: the boundary's contract: null, or the address of a note for the life of the process; it is aligned.
    Note::describe(&unsafe { address.as_ref() }?.0)
}

/// The rows of one table; none if the pack has no such table. `least` is the size of a row of version 1.0: what a pack of
/// an older version does not have is zero, and so absent.
fn rows<T: Copy>(
    root: &Root,
    pack: &str,
    id: &'static str,
    layout: u64,
    least: usize,
) -> Result<Vec<T>> {
    let address = root.extension(id).cast::<Table>();
    if address.is_null() {
        return Ok(Vec::new());
    }
    // SAFETY: the boundary's contract: a table that is not null is a `Table` for the life of the process. A stranger's may
    // be unaligned.
    let table = unsafe { address.read_unaligned() };
    let wrong = |what: String| Err(fault(pack, format!("table {id}: {what}")));
    if table.size < size_of::<Table>() || table.item_size < least {
        return wrong(format!(
            "header of {} bytes and rows of {}; expected at least {} and {}",
            table.size,
            table.item_size,
            size_of::<Table>(),
            least
        ));
    }
    if table.layout != layout {
        return wrong("its rows have another layout".into());
    }
    if table.count > MAX_ROWS {
        return wrong(format!("{} rows; at most {MAX_ROWS}", table.count));
    }
    if table.items.is_null() && table.count > 0 {
        return wrong(format!("{} rows at no address", table.count));
    }
    let row = |i: usize| {
        let address = table.items.cast::<u8>().wrapping_add(i * table.item_size);
        let mut row = MaybeUninit::<T>::zeroed();
        let known = table.item_size.min(size_of::<T>());
        // SAFETY: row `i` of `count`, `item_size` bytes apart, of which we know the first `known`. Copied as bytes, because a
        // packed table of a stranger's may be unaligned. Rows are numbers and addresses, for which zero is a value.
        unsafe {
            std::ptr::copy_nonoverlapping(address, row.as_mut_ptr().cast::<u8>(), known);
            row.assume_init()
        }
    };
    Ok((0..table.count).map(row).collect())
}

fn scalar(entry: &ScalarEntry) -> Result<Declaration, String> {
    let signature = Signature::parse(text(entry.signature)?)?;
    let name = signature.name;
    let wrong = |what: String| format!("`{name}`: {what}");
    checked(entry.size, ScalarEntry::SIZE, entry.flags).map_err(wrong)?;
    let native = [native_of(entry.native_f32), native_of(entry.native_f64)];
    let with_partials = [
        native_of(entry.with_partials_f32),
        native_of(entry.with_partials_f64),
    ];
    let arity = signature.params.len();
    let domain = items::<Range>(entry.domain, arity, "sampling ranges")
        .map_err(wrong)?
        .iter()
        .map(|r| (r.low, r.high))
        .collect();
    if with_partials.iter().any(Option::is_some)
        && signature.params.iter().any(|(_, p)| *p != Pattern::Float)
    {
        return Err(wrong(
            "`with_partials` needs arguments of type T only".into(),
        ));
    }
    Ok(Declaration {
        docs: text(entry.docs).map_err(wrong)?.trim().to_owned(),
        private: entry.flags & abi::FLAG_PRIVATE != 0,
        effects: Effects::Pure,
        context: context(entry.context).map_err(wrong)?,
        kind: DeclarationKind::Scalar {
            domain,
            partials: texts(entry.partials, arity, "partials").map_err(wrong)?,
            body: text(entry.body).map_err(wrong)?.to_owned(),
            wgsl: text(entry.wgsl).map_err(wrong)?.to_owned(),
            native,
            with_partials,
        },
        signature,
    })
}

fn rule(entry: &RuleEntry) -> Result<Declaration, String> {
    let signature = Signature::parse(text(entry.signature)?)?;
    let name = signature.name;
    let wrong = |what: String| format!("`{name}`: {what}");
    checked(entry.size, RuleEntry::SIZE, entry.flags).map_err(wrong)?;
    let arity = signature.params.len();
    let optional = |list: List, what: &str| match list.data.is_null() {
        true => Ok(Vec::new()),
        false => texts(list, arity, what),
    };
    let covers = |end: usize| entry.size >= end;
    let tangent = match covers(offset_of!(RuleEntry, tangent) + size_of::<List>()) {
        true => optional(entry.tangent, "tangents").map_err(wrong)?,
        false => Vec::new(),
    };
    Ok(Declaration {
        docs: text(entry.docs).map_err(wrong)?.trim().to_owned(),
        private: entry.flags & abi::FLAG_PRIVATE != 0,
        effects: Effects::Pure,
        context: context(entry.context).map_err(wrong)?,
        kind: DeclarationKind::Rule {
            body: text(entry.body).map_err(wrong)?.to_owned(),
            pullback: optional(entry.pullback, "pullbacks").map_err(wrong)?,
            tangent,
        },
        signature,
    })
}

fn native(entry: &NativeEntry) -> Result<Declaration, String> {
    let signature = Signature::parse(text(entry.signature)?)?;
    let name = signature.name;
    let wrong = |what: String| format!("`{name}`: {what}");
    sized(entry.size, NativeEntry::SIZE).map_err(wrong)?;
    let effects = effects(entry.flags).map_err(wrong)?;
    let arity = signature.params.len();
    let optional = |list: List, what: &str| match list.data.is_null() {
        true => Ok(Vec::new()),
        false => texts(list, arity, what).map_err(wrong),
    };
    if entry.primal.is_null() {
        return Err(wrong("no primal: its address is null".to_owned()));
    }
    Ok(Declaration {
        docs: text(entry.docs).map_err(wrong)?.trim().to_owned(),
        private: entry.flags & abi::FLAG_PRIVATE != 0,
        effects,
        context: context(entry.context).map_err(wrong)?,
        kind: DeclarationKind::Native {
            body: text(entry.body).map_err(wrong)?.to_owned(),
            pullback: optional(entry.pullback, "pullbacks")?,
            tangent: optional(entry.tangent, "tangents")?,
            primal: entry.primal as usize,
            rrule: code(entry.rrule),
            frule: code(entry.frule),
            second: code(entry.second),
            kernel: kernel(entry).map_err(wrong)?,
        },
        signature,
    })
}

fn sized(size: usize, expected: usize) -> Result<(), String> {
    match size < expected {
        true => Err(format!(
            "an entry of {size} bytes; expected at least {expected}"
        )),
        false => Ok(()),
    }
}

fn checked(size: usize, expected: usize, flags: u32) -> Result<(), String> {
    sized(size, expected)?;
    match effects(flags)? {
        Effects::Pure => Ok(()),
        Effects::Ordered | Effects::Linked => Err(wrong_flags(flags)),
    }
}

/// The effects of a function in machine code, by its flags: it is pure or ordered, and always thread-safe.
fn effects(flags: u32) -> Result<Effects, String> {
    const PURE: u32 = abi::FLAG_PURE | abi::FLAG_THREAD_SAFE;
    const ORDERED: u32 = abi::FLAG_ORDERED | abi::FLAG_THREAD_SAFE;
    const LINKED: u32 = ORDERED | abi::FLAG_LINKED;
    match flags & !abi::FLAG_PRIVATE {
        PURE => Ok(Effects::Pure),
        ORDERED => Ok(Effects::Ordered),
        LINKED => Ok(Effects::Linked),
        _ => Err(wrong_flags(flags)),
    }
}

fn wrong_flags(flags: u32) -> String {
    format!(
        "flags {flags:#x}; expected a pure and thread-safe function ({:#x}), or a native one that is ordered and thread-safe ({:#x})",
        abi::FLAG_PURE | abi::FLAG_THREAD_SAFE,
        abi::FLAG_ORDERED | abi::FLAG_THREAD_SAFE
    )
}

fn context(number: u32) -> Result<ContextKind, String> {
    match number {
        0 => Ok(ContextKind::Minimal),
        1 => Ok(ContextKind::Default),
        2 => Ok(ContextKind::Derived),
        _ => Err(format!(
            "context {number}; expected 0 (Minimal), 1 (Default) or 2 (Derived)"
        )),
    }
}

fn native_of(address: *const c_void) -> Option<NativeFn> {
    (!address.is_null()).then_some(NativeFn(address as usize))
}

/// Reads the compute shader of a row.
fn kernel(entry: &NativeEntry) -> Result<Option<KernelText>, String> {
    if entry.size < size_of::<NativeEntry>() || entry.kernel.len == 0 {
        return Ok(None);
    }
    let list = |list: List, what| texts(list, list.len.min(MAX_ROWS), what);
    Ok(Some(KernelText {
        wgsl: text(entry.kernel)?.to_owned(),
        params: match entry.kernel_params.len {
            0 => Vec::new(),
            _ => list(entry.kernel_params, "parameters of a kernel")?,
        },
        shapes: list(entry.kernel_shapes, "shapes of a kernel's results")?,
        workgroups: text(entry.kernel_workgroups)?.to_owned(),
    }))
}

fn code(address: *const c_void) -> Option<usize> {
    (!address.is_null()).then_some(address as usize)
}

fn text(text: Text) -> Result<&'static str, String> {
    if text.len > MAX_TEXT {
        return Err(format!("a text of {} bytes; at most {MAX_TEXT}", text.len));
    }
    if text.data.is_null() && text.len > 0 {
        return Err(format!("a text of {} bytes at no address", text.len));
    }
    // SAFETY: the boundary's contract: null, or readable for the life of the process.
    unsafe { text.read() }.map_err(|e| format!("a text is not UTF-8: {e}"))
}

fn texts(list: List, arity: usize, what: &str) -> Result<Vec<String>, String> {
    items::<Text>(list, arity, what)?
        .iter()
        .map(|&item| text(item).map(str::to_owned))
        .collect()
}

/// A list with one item for each argument.
fn items<T>(list: List, arity: usize, what: &str) -> Result<&'static [T], String> {
    if list.len != arity {
        return Err(format!("{} {what} for {arity} arguments", list.len));
    }
    list_at(list, what)
}

/// A list that may be absent.
fn list<T>(list: List, what: &str) -> Result<&'static [T], String> {
    match list.data.is_null() && list.len == 0 {
        true => Ok(&[]),
        false => list_at(list, what),
    }
}

fn list_at<T>(list: List, what: &str) -> Result<&'static [T], String> {
    if list.data.is_null() || !list.data.cast::<T>().is_aligned() {
        return Err(format!(
            "no {what} at their address {:#x}",
            list.data as usize
        ));
    }
    if list.len > MAX_TEXT {
        return Err(format!("{} {what}; at most {MAX_TEXT}", list.len));
    }
    // SAFETY: the boundary's contract: `len` items of that type; `len`, null and alignment were checked.
    Ok(unsafe { list.read::<T>() })
}
