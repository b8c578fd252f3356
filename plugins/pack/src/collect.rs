//! Gathers the rows of a pack and gives them out as the tables of [`abi`](crate::abi).
//!
//! `inventory` works within one image: a pack's rows are visible to the host when both are linked into one program, and
//! to the pack itself when it is a loaded library. The order in which rows register varies between builds, so they
//! are sorted.

use crate::abi::{self, CaseEntry, NativeEntry, Root, RootRef, RuleEntry, ScalarEntry, Table};
use crate::case::Case;
use crate::guard::guarded;
use crate::note::Note;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::RStr;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::Mutex;

/// An entry and the crate it was written in.
pub struct Row<T> {
    /// `env!("CARGO_CRATE_NAME")`
    pub pack: &'static str,
    /// The row's byte in the section of marks; the linker keeps it because it is referred to here.
    pub mark: &'static u8,
    /// The entry.
    pub entry: T,
}

/// A pack that is linked into this program.
pub struct Linked {
    /// Its root, as a loaded library would give it.
    pub root: fn() -> RootRef,
}

inventory::collect!(Row<ScalarEntry>);
inventory::collect!(Row<RuleEntry>);
inventory::collect!(Row<NativeEntry>);
inventory::collect!(Linked);

/// A pack crate: what [`pack!`](crate::pack) declares.
pub trait Declared: 'static {
    /// `env!("CARGO_CRATE_NAME")`: the rows of this crate are the pack's.
    const CRATE: &'static str;
    /// What the pack says of itself.
    const NOTE: Note;
    /// What it wants of the machine that it runs on, for people.
    const WANTS: &'static str = "";

    /// Calls on which the pack's functions are tested.
    fn cases() -> Vec<Case> {
        Vec::new()
    }

    /// The pack's root, with its note in a section of the caller's choice.
    fn root(note: extern "C" fn() -> *const c_void) -> RootRef
    where
        Self: Sized,
    {
        Root {
            note,
            init,
            extension: extension::<Self>,
        }
        .leak_into_prefix()
    }
}

/// The roots of the packs linked into this program, in no particular order.
pub fn linked() -> impl Iterator<Item = RootRef> {
    inventory::iter::<Linked>().map(|pack| (pack.root)())
}

/// The note of a linked pack.
pub extern "C" fn note_of<P: Declared>() -> *const c_void {
    (&const { P::NOTE } as *const Note).cast()
}

extern "C" fn init(host: *const c_void) -> u32 {
    // SAFETY: the boundary's contract: hosts pass a `Host`.
    unsafe { crate::guard::init(host) }
}

extern "C" fn extension<P: Declared>(id: RStr<'static>) -> *const c_void {
    let table = match id.as_str() {
        abi::CASES => Some(cases::<P>()),
        id => table(P::CRATE, id),
    };
    table.map_or(std::ptr::null(), |table| (table as *const Table).cast())
}

/// The tables that a pack has given out, by the crate and the id.
type Tables = Mutex<BTreeMap<(&'static str, &'static str), &'static Table>>;

/// The table of a pack's cases, built when it is first asked for. A panic in the making of them leaves the pack without
/// any: a panic must not cross the boundary.
fn cases<P: Declared>() -> &'static Table {
    static TABLES: Tables = Mutex::new(BTreeMap::new());
    let mut tables = TABLES.lock().unwrap_or_else(|e| e.into_inner());
    tables.entry((P::CRATE, abi::CASES)).or_insert_with(|| {
        let cases = guarded(P::CRATE, "cases", Vec::new(), P::cases);
        given(cases.iter().map(Case::entry).collect(), CaseEntry::LAYOUT)
    })
}

/// The table of that id, built when it is first asked for and kept for the rest of the process's life.
fn table(pack: &'static str, id: &str) -> Option<&'static Table> {
    static TABLES: Tables = Mutex::new(BTreeMap::new());
    let id = [abi::SCALAR, abi::RULE, abi::NATIVE]
        .into_iter()
        .find(|&known| known == id)?;
    let mut tables = TABLES.lock().unwrap_or_else(|e| e.into_inner());
    Some(tables.entry((pack, id)).or_insert_with(|| match id {
        abi::SCALAR => build(pack, ScalarEntry::LAYOUT, |e: &ScalarEntry| e.signature),
        abi::RULE => build(pack, RuleEntry::LAYOUT, |e: &RuleEntry| e.signature),
        _ => build(pack, abi::NATIVE_LAYOUT, |e: &NativeEntry| e.signature),
    }))
}

/// One pack's rows of one kind, in order of signature.
fn build<T: Copy + Sync>(pack: &str, layout: u64, signature: fn(&T) -> abi::Text) -> &'static Table
where
    Row<T>: inventory::Collect,
{
    let mut items: Vec<T> = inventory::iter::<Row<T>>()
        .filter(|row| row.pack == pack)
        .map(|row| row.entry)
        .collect();
    // SAFETY: the rows are this image's own; their texts are static.
    items.sort_by_key(|item| unsafe { signature(item).read() }.unwrap_or_default());
    given(items, layout)
}

/// A table of these items for the rest of the process's life.
fn given<T>(items: Vec<T>, layout: u64) -> &'static Table {
    Box::leak(Box::new(Table {
        size: size_of::<Table>(),
        item_size: size_of::<T>(),
        count: items.len(),
        layout,
        items: items.leak().as_ptr().cast(),
    }))
}
