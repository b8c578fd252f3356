//! One call in the making: arguments on the way in.
//!
//! A value goes into a call as its leaves (`front::repr`). They are the call's arguments, or they stand in objects that the call
//! owns; each object has a shadow of the same layout beside it, if the call is one that has shadows. Slices and the
//! buffers of vectors behind shared references are not copied as long as they are arguments themselves.

use super::gradient_sink::GradientSink;
use super::layout::{ValueLayout, value_layout};
use super::linear;
use super::reader::{Pair, Reader, Where};
use super::rows;
use super::value::{Cotangent, Value};
use super::visit::{Number, Visit, Visitor};
use crate::array::host::ArrayHost;
use crate::array::{Array, Element};
use crate::codegen::cpu::words;
use crate::diag::{Error, Result};
use crate::exec::{Address, Args, Halves, HalvesCall, Leaf, Program, Scalar};
use crate::front::text;
use crate::front::ty::Ty;
use crate::front::types::Typed;
use crate::ir::Type;
use crate::tangent::{self, Home};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The arguments of a call, the table of its arrays, and its objects.
pub struct Call<'s> {
    pub(super) args: Args<'s>,
    given: &'s mut CallState,
    pub(super) tables: &'s mut Tables,
    pub(super) host: &'s ArrayHost,
    /// The types of the primal's parameters.
    params: &'s [Type],
    /// Where leaves go.
    sink: Sink,
    /// Leaves that are not in their order yet.
    list: Vec<(Leaf<'static>, Shadow)>,
    /// The structs and enums that are being given.
    levels: SmallVec<[OpenAggregate; 2]>,
    /// What is going on.
    phase: Phase,
    /// The first leaf of the argument that is being given.
    start: usize,
    /// Whether the gradient is not asked for.
    constant: bool,
    /// Whether floats in objects stay zero.
    pub(super) blank: bool,
    /// Whether what the gradient's places hold counts: the cotangents of the final contents of memory.
    pub(super) add: bool,
    /// The next place that lends its memory belongs to this.
    cursor: Cursor,
    /// The shadows of borrowed slices, by the slices' leaves.
    lent: SmallVec<[(usize, Leaf<'s>); 8]>,
    /// Whether gradients that lend get the length of what they are gradients of.
    fits: bool,
    /// Whether what lends is the tangent of a gradient.
    unknown: bool,
    /// Whether what is lent becomes zero first.
    clears: bool,
    failed: Option<Error>,
    /// Whether the gradient holds tangents: those of leaves that are values go into the call too.
    forward: bool,
    /// The leaves that tangents are to come for, and whether they are given: the others are zero.
    expected: VecDeque<(usize, bool)>,
}

/// What is left of a call's arguments when nothing is borrowed any more.
pub struct CallState {
    pub(super) halves: Halves,
    /// Whether objects have shadows.
    shadowed: bool,
    /// The leaves of the primal's arguments.
    leaves: SmallVec<[Kept; 16]>,
    /// Those among the arguments that know themselves how their gradients are read.
    values: SmallVec<[Entry; 4]>,
    /// The objects of the cells that were given, by address and type of the cell.
    pub(super) cells: Table<(usize, Ty), Spot>,
    /// The texts that were given, by the numbers that stand for them.
    texts: Table<u64, Box<str>>,
    /// The leaves of the result, with their shadows.
    pub(super) returned: Pairs,
    /// The tangents of leaves that are values, by the leaves.
    pub(super) moved: Table<usize, u64>,
}

/// A table of a call. Most stay empty, and cost nothing then: there is no secret to be drawn for the hashes of addresses.
pub type Table<K, V> = FxHashMap<K, V>;

/// The leaves of a value.
pub type Pairs = SmallVec<[Pair; 4]>;

/// A leaf of an argument.
#[derive(Clone, Copy, Debug)]
struct Kept {
    ty: Type,
    /// Of the address of a row that is borrowed, the second is its bytes.
    words: [u64; 2],
    shadow: Shadow,
    is_borrowed: bool,
    /// Whether it has a cotangent that a place of the gradient takes.
    live: bool,
}

impl Kept {
    /// Whether it is the address of a row that is borrowed.
    fn is_row(&self) -> bool {
        self.is_borrowed && self.ty == Type::Ptr
    }
}

/// The shadow of a leaf.
#[derive(Clone, Copy, Debug)]
enum Shadow {
    /// None, or not known yet: the leaf is a value, or nobody asks for its gradient.
    None,
    /// These words: it is in objects.
    Inside([u64; 2]),
    /// The place of the gradient lends its memory.
    Lent,
}

/// An argument that knows itself how its gradient is read.
struct Entry {
    start: usize,
    end: usize,
    /// Whether slices in it are borrowed.
    shared: bool,
    /// Whether the leaf is the address of it.
    behind: bool,
    /// Whether nobody sees what becomes of it, but for its cells.
    own: bool,
    /// Whether there may be cells in it. If there are none, all of its gradient is overwritten when the results are read.
    may_hold_cells: fn() -> bool,
    /// The type of the gradient.
    gradient: TypeId,
    write: fn(&dyn Any, &mut Reader<'_>) -> Result<()>,
    read: fn(&mut dyn Any, &mut Reader<'_>) -> Result<()>,
}

/// What identifies objects beyond a single value. Apart from what else is left of a call: it cannot go to another thread.
#[derive(Default)]
pub struct Tables {
    /// The `Rc`s of cells, by the objects' addresses.
    pub owners: Table<Address, Rc<dyn Any>>,
    /// Those that were given: what the call has made of them is taken over also where nothing leads to them any more, or not yet again.
    pub shared: Vec<Rc<dyn Shared>>,
    /// The gradients of cells in `Rc`s, by the shadows' addresses.
    pub gradients: Table<Address, Rc<dyn Any>>,
    /// Cells that have been visited, by their addresses.
    pub visited: Table<Address, ()>,
    /// Cells whose gradients have been written: the shadows' addresses, and the gradients'.
    pub written: Table<(Address, usize), ()>,
    /// What the places of gradients hold to which more is added that has begun from nothing, by the arguments.
    pub own: Table<usize, Own>,
}

/// A cell in an `Rc`.
pub trait Shared {
    /// Takes over what the call has changed in it, unless that has been done.
    fn update(&self, reader: &mut Reader<'_>) -> Result<()>;
}

/// What the place of a gradient holds, to be added once the gradient is there.
pub struct Own {
    pub held: Box<dyn Any>,
    pub has_cells: bool,
}

/// What becomes of what the place of a gradient holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum GradientUpdate {
    Replaced,
    Increased,
    /// Replaced, but in cells, which must be those that have been written.
    Written,
}

/// Tables that wait for the second half of a call. They wait with the thread: if there are `Rc`s among the arguments, the call cannot
/// leave it, and if there are none, the tables are empty.
pub struct Waiting(Option<u64>);

thread_local! {
    static WAITING: RefCell<FxHashMap<u64, Tables>> = RefCell::default();
}

impl Waiting {
    /// Keeps tables.
    pub fn new(tables: Tables) -> Waiting {
        if tables.owners.is_empty() {
            return Waiting(None);
        }
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        WAITING.with(|waiting| waiting.borrow_mut().insert(id, tables));
        Waiting(Some(id))
    }
    /// The tables.
    pub fn take(&mut self) -> Tables {
        // While a thread ends there is nothing to be found.
        let found = self.0.take().and_then(|id| {
            let found = WAITING.try_with(|waiting| waiting.borrow_mut().remove(&id));
            found.ok().flatten()
        });
        found.unwrap_or_default()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.take();
    }
}

/// A place in an object, and in the object's shadow: null if there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    pub primal: Address,
    pub shadow: Address,
}

impl Spot {
    /// No place at all.
    pub const NULL: Spot = Spot {
        primal: Address::NULL,
        shadow: Address::NULL,
    };
    /// The place that many bytes on.
    pub fn offset(self, bytes: usize) -> Spot {
        let offset = |at: Address| match at.is_null() {
            true => at,
            false => at.offset(bytes),
        };
        Spot {
            primal: offset(self.primal),
            shadow: offset(self.shadow),
        }
    }
    fn words(self) -> [u64; 2] {
        [self.primal.to_word(), self.shadow.to_word()]
    }
}

/// Where leaves go.
#[derive(Clone, Copy)]
enum Sink {
    /// They are arguments.
    Arguments,
    /// To the list, from this position on.
    List(usize),
    /// To an object: that many bytes from the place on are filled.
    Object(Spot, usize),
}

/// A struct, tuple or enum that is being given.
struct OpenAggregate {
    shape: Rc<ValueLayout>,
    variant: usize,
    field: usize,
    base: Sink,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The primal's arguments are given.
    Primal,
    /// They are given again, to borrow again what they had borrowed. The rest is known.
    Again,
    /// Something else is given.
    Rest,
}

/// A position among the arguments that have gradients.
#[derive(Clone, Copy, Default)]
pub struct Cursor {
    pub(super) leaf: usize,
    value: usize,
}

/// What the next place of a gradient belongs to.
pub enum Next {
    /// A leaf.
    Leaf(usize),
    /// An argument that reads it itself.
    Value(usize),
    /// Unknown: arguments that were given as tangents.
    Unknown,
}

impl CallState {
    /// Goes to what the next place of the gradient belongs to.
    pub(super) fn next(&self, cursor: &mut Cursor) -> Next {
        let later = self.leaves.iter().enumerate().skip(cursor.leaf);
        let live = { later }.find(|(_, kept)| kept.live).map(|(n, _)| n);
        match (self.values.get(cursor.value), live) {
            (Some(entry), live) if live.is_none_or(|n| entry.start <= n) => {
                cursor.leaf = entry.end;
                cursor.value += 1;
                Next::Value(cursor.value - 1)
            }
            (_, Some(n)) => {
                cursor.leaf = n + 1;
                Next::Leaf(n)
            }
            _ => Next::Unknown,
        }
    }
    /// Whether the next place of the gradient belongs to an argument with this gradient: a tuple behind `&mut`, where other tuples are
    /// their fields.
    pub(super) fn next_is<G: 'static>(&self, mut cursor: Cursor) -> bool {
        let is = |n: usize| self.values[n].gradient == TypeId::of::<G>();
        matches!(self.next(&mut cursor), Next::Value(n) if is(n))
    }
    /// The argument with this gradient that begins with this leaf.
    pub(super) fn value_at<G: 'static>(&self, leaf: usize) -> Option<usize> {
        let own = |entry: &Entry| entry.start == leaf && entry.gradient == TypeId::of::<G>();
        self.values.iter().position(own)
    }
    /// Whether a part of the argument has the gradient itself as its shadow.
    pub(super) fn is_lent(&self, value: usize) -> bool {
        let Entry { start, end, .. } = self.values[value];
        let lent = |kept: &Kept| kept.live && matches!(kept.shadow, Shadow::Lent);
        self.leaves[start..end].iter().any(lent)
    }
    /// Where the shadow of a leaf is, if it is in objects, and how long it is.
    pub(super) fn shadow(&self, leaf: usize) -> Option<(Address, usize)> {
        match self.leaves[leaf].shadow {
            Shadow::Inside([at, length]) => Some((Address::from_word(at), length as usize)),
            Shadow::None | Shadow::Lent => None,
        }
    }
    /// The leaves of an argument that reads its gradient itself. `word` gives the cotangent of a leaf with one.
    fn pairs(
        &self,
        start: usize,
        end: usize,
        mut word: impl FnMut(usize, Type) -> Result<Option<u64>>,
    ) -> Result<Pairs> {
        let mut pairs = Pairs::new();
        for (n, kept) in self.leaves[start..end].iter().enumerate() {
            let shadow = match kept.shadow {
                Shadow::Inside(words) => words,
                Shadow::None | Shadow::Lent => [word(start + n, kept.ty)?.unwrap_or_default(), 0],
            };
            pairs.push(Pair {
                ty: kept.ty,
                // A row that is borrowed is no object.
                primal: if kept.is_row() { [0; 2] } else { kept.words },
                shadow,
                place: Where::Leaf(n),
                lent: matches!(kept.shadow, Shadow::Lent),
            });
        }
        Ok(pairs)
    }
    /// Reads the gradient of an argument that does it itself.
    pub(super) fn read_value(
        &mut self,
        value: usize,
        gradient: &mut dyn Any,
        tables: &mut Tables,
        host: &ArrayHost,
        held: GradientUpdate,
        word: impl FnMut(usize, Type) -> Result<Option<u64>>,
    ) -> Result<()> {
        let Entry {
            start,
            end,
            behind,
            read,
            ..
        } = self.values[value];
        let pairs = self.pairs(start, end, word)?;
        let mut reader = self.reading(tables, host, pairs);
        reader.add = held == GradientUpdate::Increased;
        reader.same_cells = held == GradientUpdate::Written;
        match behind {
            true => reader.object(|reader| read(gradient, reader)),
            false => read(gradient, &mut reader),
        }
    }
    /// Takes over what the call has changed: nothing, if all arguments are values or memory of the caller's.
    pub(super) fn update(
        &mut self,
        tables: &mut Tables,
        host: &ArrayHost,
        update: impl FnOnce(&mut Reader<'_>) -> Result<()>,
    ) -> Result<()> {
        let address = |ty| matches!(ty, Type::Ptr | Type::Slice(_) | Type::SliceMut(_));
        let is_object = |kept: &Kept| !kept.is_borrowed && address(kept.ty);
        if !self.leaves.iter().any(is_object) {
            return Ok(());
        }
        let pairs = self.pairs(0, self.leaves.len(), |_, _| Ok(None))?;
        tables.visited.clear();
        let mut reader = self.reading(tables, host, pairs);
        update(&mut reader)?;
        let shared = std::mem::take(&mut reader.tables.shared);
        let updated = shared.iter().try_for_each(|cell| cell.update(&mut reader));
        reader.tables.shared = shared;
        updated
    }
    /// Reads a value of these leaves.
    pub(super) fn reading<'r>(
        &'r mut self,
        tables: &'r mut Tables,
        host: &'r ArrayHost,
        pairs: Pairs,
    ) -> Reader<'r> {
        let known = (&self.cells, &self.texts);
        Reader::new(self.halves.objects(), host, known, tables, pairs)
    }
}

/// Arguments that were given a second time, with zeros for floats: as memory, tangents of the arguments' shadows; and their shadows are
/// tangents of the arguments.
pub struct Twin {
    leaves: SmallVec<[Kept; 16]>,
    values: SmallVec<[Entry; 4]>,
    cells: Table<(usize, Ty), Spot>,
    moved: Table<usize, u64>,
}

impl CallState {
    /// What has been given until now is the twin of what will be.
    pub(super) fn take_twin(&mut self) -> Twin {
        Twin {
            leaves: std::mem::take(&mut self.leaves),
            values: std::mem::take(&mut self.values),
            cells: std::mem::take(&mut self.cells),
            moved: std::mem::take(&mut self.moved),
        }
    }
    /// The twin takes the arguments' place, and the other way round.
    pub(super) fn swap(&mut self, twin: &mut Twin) {
        std::mem::swap(&mut self.leaves, &mut twin.leaves);
        std::mem::swap(&mut self.values, &mut twin.values);
        std::mem::swap(&mut self.cells, &mut twin.cells);
        std::mem::swap(&mut self.moved, &mut twin.moved);
    }
    /// Gradients are read beside the values that others hold, and not beside the memory that they are in themselves: an array whose gradient is
    /// absent has its shape from there.
    pub(super) fn read_beside(&mut self, others: &Twin) {
        for (kept, other) in self.leaves.iter_mut().zip(&others.leaves) {
            if kept.ty == other.ty && !kept.is_borrowed && !other.is_borrowed {
                kept.words = other.words;
            }
        }
    }
    /// From here on the memory itself is what gradients are read from, not its shadow.
    fn turn(&mut self) {
        for kept in &mut self.leaves {
            kept.shadow = match kept.is_borrowed {
                true => Shadow::Lent,
                false => Shadow::Inside(kept.words),
            };
            if !needs_shadow(kept.ty) {
                kept.shadow = Shadow::None;
            }
        }
    }
}

impl CallState {
    /// Nothing yet, for a call on this frame. With `shadowed` its objects get shadows.
    #[inline]
    pub(super) fn new(halves: Halves, shadowed: bool) -> CallState {
        CallState {
            halves,
            shadowed,
            leaves: SmallVec::new(),
            values: SmallVec::new(),
            cells: Table::default(),
            texts: Table::default(),
            returned: SmallVec::new(),
            moved: Table::default(),
        }
    }
}

impl<'s> Call<'s> {
    /// A call of a function with these flat parameters.
    pub(super) fn new(
        given: &'s mut CallState,
        tables: &'s mut Tables,
        host: &'s ArrayHost,
        params: &'s [Type],
    ) -> Self {
        Call::with(given, tables, host, params, Phase::Primal)
    }
    /// The same call again: arguments that are given borrow again what they had borrowed, and are otherwise as before.
    pub(super) fn again(
        given: &'s mut CallState,
        tables: &'s mut Tables,
        host: &'s ArrayHost,
        params: &'s [Type],
    ) -> Self {
        tables.visited.clear();
        tables.written.clear();
        Call::with(given, tables, host, params, Phase::Again)
    }
    fn with(
        given: &'s mut CallState,
        tables: &'s mut Tables,
        host: &'s ArrayHost,
        params: &'s [Type],
        phase: Phase,
    ) -> Self {
        Call {
            args: Args::new(),
            given,
            tables,
            host,
            params,
            sink: Sink::Arguments,
            list: Vec::new(),
            levels: SmallVec::new(),
            phase,
            start: 0,
            constant: false,
            blank: false,
            add: false,
            cursor: Cursor::default(),
            lent: SmallVec::new(),
            fits: true,
            unknown: false,
            clears: false,
            failed: None,
            forward: false,
            expected: VecDeque::new(),
        }
    }
    /// Calls a root of the program.
    pub(super) fn run(
        &mut self,
        program: &Program,
        root: usize,
        results: &mut [u64],
    ) -> Result<()> {
        let halves = &mut self.given.halves;
        halves.call(program, root, &self.args, results, self.host)
    }
    /// The same call, to be made beside others.
    pub(super) fn beside_others<'c>(&'c mut self, results: &'c mut [u64]) -> HalvesCall<'c> {
        HalvesCall {
            halves: &mut self.given.halves,
            args: &self.args,
            results,
        }
    }
    /// What comes now is not the primal's arguments.
    pub(super) fn rest(&mut self) {
        self.phase = Phase::Rest;
    }

    /// Adds a scalar.
    #[inline]
    pub(crate) fn scalar<T: Scalar>(&mut self, value: T) -> Result<()> {
        self.put(Leaf::scalar(value), Shadow::None)
    }
    /// Adds a text, by the number that stands for it.
    pub(super) fn text(&mut self, text: &str) -> Result<()> {
        let given = &self.given.texts;
        let taken = |number| text::known(number).or_else(|| given.get(&number).map(|text| &**text));
        let number = text::number(text, taken);
        if taken(number).is_none() {
            self.given.texts.insert(number, text.into());
        }
        self.scalar(number)
    }
    /// Adds a slice that is only read.
    pub(crate) fn slice<T: Scalar>(&mut self, slice: &'s [T]) -> Result<()> {
        self.put(Leaf::slice(slice), Shadow::Lent)
    }
    /// Adds the tangents of a slice: floats, and rows of nothing but floats, as they are, others to its elements' shadows.
    pub(super) fn slice_of<G: Cotangent>(&mut self, tangents: &'s Vec<G>) -> Result<()>
    where
        Vec<G>: Cotangent,
    {
        if let Some(leaf) = G::read_floats(tangents) {
            self.put(leaf, Shadow::Lent)?;
            self.pass_tangents(1);
            return Ok(());
        }
        let row = { self.given.leaves.get(self.cursor.leaf) }.filter(|kept| {
            let is_lent = kept.is_row() && matches!(kept.shadow, Shadow::Lent);
            is_lent && kept.words[1] == size_of_val(&tangents[..]) as u64
        });
        match row.and_then(|_| rows::tangents(tangents)) {
            Some(leaf) => {
                self.put(leaf, Shadow::Lent)?;
                // Behind the row is its length.
                self.pass_tangents(2);
                Ok(())
            }
            None => self.tangent(tangents),
        }
    }
    /// Adds a slice that may be written.
    pub(crate) fn slice_mut<T: Scalar>(&mut self, slice: &'s mut [T]) -> Result<()> {
        self.put(Leaf::slice_mut(slice), Shadow::Lent)
    }
    /// Passes the shared slices of some arguments for those of others, which are of the same type, as well.
    pub(crate) fn share(&mut self, from: Range<usize>, to: Range<usize>) {
        for (a, b) in from.zip(to) {
            let (source, target) = (self.given.leaves[a], self.given.leaves[b]);
            let shared = |kept: Kept| kept.is_borrowed && matches!(kept.ty, Type::Slice(_));
            if shared(source) && shared(target) && self.args.share(a, b) {
                self.given.leaves[b].words = source.words;
            }
        }
    }
    /// Adds a leaf that may be borrowed.
    #[inline]
    pub(super) fn borrowed(&mut self, leaf: Leaf<'s>) -> Result<()> {
        self.put(leaf, Shadow::Lent)
    }
    /// Adds an array.
    pub(crate) fn array<T: Element>(&mut self, array: &Array<T>) -> Result<()> {
        let handle = self.host.give(array)?;
        let leaf = Leaf::inside(Type::Array(&<T as Element>::TYPE), [handle, 0]);
        self.put(leaf, Shadow::None)
    }
    /// Adds the address of a place.
    pub(super) fn pointer(&mut self, spot: Spot) -> Result<()> {
        let [primal, shadow] = spot.words();
        let leaf = Leaf::inside(Type::Ptr, [primal, 0]);
        self.put(leaf, Shadow::Inside([shadow, 0]))
    }
    /// Adds a slice of elements at a place.
    pub(super) fn view(&mut self, ty: Type, spot: Spot, length: usize) -> Result<()> {
        let [primal, shadow] = spot.words();
        let length = length as u64;
        let shadow = Shadow::Inside([shadow, if shadow == 0 { 0 } else { length }]);
        self.put(Leaf::inside(ty, [primal, length]), shadow)
    }

    /// Adds a leaf where leaves go. The arguments of the primal are added inline: the words of a leaf then stay in registers. To read both at once
    /// from memory, where they were just written one by one, would take as long as all the rest.
    #[inline(always)]
    fn put(&mut self, leaf: Leaf<'s>, shadow: Shadow) -> Result<()> {
        match (self.sink, self.phase) {
            (Sink::Arguments, Phase::Primal) => {
                self.primal_argument(leaf, shadow);
                Ok(())
            }
            (Sink::Arguments, _) => self.later_argument(leaf),
            (Sink::List(_) | Sink::Object(..), _) => self.put_inside(leaf, shadow),
        }
    }
    fn put_inside(&mut self, leaf: Leaf<'s>, shadow: Shadow) -> Result<()> {
        match self.sink {
            Sink::Arguments => Err(Error::Internal("an argument is inside nothing".to_owned())),
            Sink::List(at) => {
                if leaf.is_borrowed() {
                    let message = "a borrowed slice was put into an enum".to_owned();
                    return Err(Error::Internal(message));
                }
                self.list[at] = (Leaf::inside(leaf.ty(), leaf.words()), shadow);
                self.sink = Sink::List(at + 1);
                Ok(())
            }
            Sink::Object(spot, end) => {
                let (at, end) = placed(leaf.ty(), end)?;
                let mut objects = self.given.halves.objects();
                if !self.blank || tangent::home(leaf.ty()) != Home::Rdata {
                    objects.write_leaf(spot.primal.offset(at), &leaf)?;
                }
                if let Shadow::Inside(words) = shadow
                    && !spot.shadow.is_null()
                {
                    let leaf = Leaf::inside(leaf.ty(), words);
                    objects.write_leaf(spot.shadow.offset(at), &leaf)?;
                }
                self.sink = Sink::Object(spot, end);
                Ok(())
            }
        }
    }
    #[inline(always)]
    fn primal_argument(&mut self, leaf: Leaf<'s>, shadow: Shadow) {
        let ty = leaf.ty();
        let lent = matches!(shadow, Shadow::Lent);
        // Of rows, only those of floats ask for the memory of a gradient.
        let is_float = ty.element().unwrap_or(ty).is_float() || lent && ty == Type::Ptr;
        let shadow = match is_float && !self.constant || !lent {
            true => shadow,
            false => Shadow::None,
        };
        let n = self.given.leaves.len();
        self.args.leaf(&leaf, self.params.get(n).copied());
        let [first, second] = leaf.words();
        self.given.leaves.push(Kept {
            ty,
            words: [first, second],
            shadow,
            is_borrowed: leaf.is_borrowed(),
            live: is_float && !self.constant,
        });
    }
    fn later_argument(&mut self, leaf: Leaf<'s>) -> Result<()> {
        if self.phase == Phase::Rest {
            self.zero_tangents()?;
            self.expected.pop_front();
            self.args.leaf(&leaf, None);
            return Ok(());
        }
        // Its position among the arguments so far.
        let n = self.args.types().len();
        let gone = || Error::Internal("an argument has got more leaves".to_owned());
        let kept = self.given.leaves.get_mut(n).ok_or_else(gone)?;
        let param = self.params.get(n).copied();
        if kept.is_borrowed {
            kept.words = leaf.words();
            self.args.leaf(&leaf, param);
        } else {
            self.args.leaf(&Leaf::inside(kept.ty, kept.words), param);
        }
        Ok(())
    }

    /// Gives what the gradient is not asked for.
    pub(crate) fn constant(&mut self, give: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let (before, values) = (self.constant, self.given.values.len());
        self.constant = true;
        let done = give(self);
        self.constant = before;
        self.given.values.truncate(values);
        done
    }
    /// Gives an argument that reads its gradient itself. If it is `shared`, its slices are borrowed where they are leaves.
    pub(super) fn value<T: Value>(
        &mut self,
        shared: bool,
        give: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.entry::<T>((shared, false, !shared), give)
    }
    /// Gives a slice whose elements the function may change.
    pub(super) fn slice_place<T: Value>(
        &mut self,
        give: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.entry::<T>((false, false, false), give)
    }
    /// Gives an argument that is the address of what the function may change.
    pub(crate) fn place<T: Value>(&mut self, value: &T) -> Result<()> {
        let size = value_layout::<T>().size;
        self.entry::<T>((false, true, false), |call| {
            call.object(size, |call| value.encode(call))
        })
    }
    fn entry<T: Value>(
        &mut self,
        (shared, behind, own): (bool, bool, bool),
        give: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        fn write<T: Value>(gradient: &dyn Any, reader: &mut Reader<'_>) -> Result<()> {
            match gradient.downcast_ref() {
                Some(gradient) => T::write(gradient, reader),
                None => Err(other_type()),
            }
        }
        fn read<T: Value>(gradient: &mut dyn Any, reader: &mut Reader<'_>) -> Result<()> {
            match gradient.downcast_mut() {
                Some(gradient) => T::read(gradient, reader),
                None => Err(other_type()),
            }
        }
        let start = self.given.leaves.len();
        let outer = std::mem::replace(&mut self.start, start);
        let done = give(self);
        self.start = outer;
        done?;
        let end = self.given.leaves.len();
        let has_gradient = !T::Gradient::is_none();
        // The place of its gradient reads it.
        let is_leaf = T::IS_LEAF && end == start + 1 && self.given.leaves[start].live;
        if self.phase == Phase::Primal && has_gradient && !is_leaf && !self.constant {
            self.given.values.push(Entry {
                start,
                end,
                shared,
                behind,
                own,
                may_hold_cells: || value_layout::<T>().may_hold_cells,
                gradient: TypeId::of::<T::Gradient>(),
                write: write::<T>,
                read: read::<T>,
            });
        }
        Ok(())
    }

    /// Gives a struct, a tuple or a variant of an enum: `fill` gives each field.
    pub(super) fn fields<T: Typed>(
        &mut self,
        variant: usize,
        fill: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let shape = value_layout::<T>();
        let outer = self.sink;
        let base = match outer {
            // In arguments, leaves have to be in order.
            Sink::Arguments if shape.is_enum => {
                let start = self.list.len();
                let leaves = shape.leaves.iter();
                let none = leaves.map(|&ty| (Leaf::inside(ty, [0; 2]), Shadow::Inside([0; 2])));
                self.list.extend(none);
                Sink::List(start)
            }
            Sink::Object(spot, end) => Sink::Object(spot.offset(end.next_multiple_of(8)), 0),
            other => other,
        };
        self.sink = base;
        if !(matches!(outer, Sink::Arguments) && shape.is_enum && self.phase == Phase::Again) {
            if shape.is_enum {
                self.scalar(variant)?;
            }
            self.levels.push(OpenAggregate {
                shape: shape.clone(),
                variant,
                field: 0,
                base,
            });
            let done = fill(self);
            self.levels.pop();
            done?;
        }
        self.sink = match (outer, base) {
            (Sink::List(at), _) => Sink::List(at + shape.leaves.len()),
            (outer, _) => outer,
        };
        if let (Sink::Arguments, Sink::List(start)) = (outer, base) {
            for (leaf, shadow) in self.list.split_off(start) {
                let shadow = match leaf.ty() {
                    Type::Ptr | Type::Slice(_) | Type::SliceMut(_) => shadow,
                    _ => Shadow::None,
                };
                self.put(Leaf::inside(leaf.ty(), leaf.words()), shadow)?;
            }
        }
        Ok(())
    }
    /// Gives the next field.
    pub(super) fn field<T: Value>(&mut self, field: &T) -> Result<()> {
        match self.enter_field()? {
            true => self.object(value_layout::<T>().size, |call| field.encode(call)),
            false => field.encode(self),
        }
    }
    /// Gives the next field of something that is only read. Its slices may be borrowed.
    pub(super) fn shared_field<T: Value>(&mut self, field: &'s T) -> Result<()> {
        match self.enter_field()? {
            true => self.object(value_layout::<T>().size, |call| field.encode(call)),
            false => field.give_shared(self),
        }
    }
    /// Goes to the place of the next field; says whether that is in an object of its own.
    fn enter_field(&mut self) -> Result<bool> {
        let level = self.levels.last_mut();
        let level = level.ok_or_else(|| Error::Internal("a field of nothing".to_owned()))?;
        let place = level.shape.variants[level.variant][level.field];
        level.field += 1;
        self.sink = match level.base {
            Sink::Arguments => Sink::Arguments,
            Sink::List(start) => Sink::List(start + place.leaf),
            Sink::Object(spot, _) => Sink::Object(spot.offset(place.offset), 0),
        };
        Ok(place.indirect)
    }

    /// A new object of that many bytes, and its shadow.
    fn alloc(&mut self, bytes: usize) -> Result<Spot> {
        let mut objects = self.given.halves.objects();
        // Every object has an address of its own.
        let primal = objects.alloc(bytes.max(1))?;
        let shadow = match self.given.shadowed {
            true => objects.alloc(bytes.max(1))?,
            false => Address::NULL,
        };
        Ok(Spot { primal, shadow })
    }
    /// Gives what `fill` gives in a new object, by its address.
    pub(super) fn object(
        &mut self,
        bytes: usize,
        fill: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if self.phase == Phase::Again {
            return self.pointer(Spot::NULL);
        }
        let spot = self.alloc(bytes)?;
        self.at(spot, fill)?;
        self.pointer(spot)
    }
    /// Gives at a place.
    pub(super) fn at(
        &mut self,
        spot: Spot,
        fill: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let outer = std::mem::replace(&mut self.sink, Sink::Object(spot, 0));
        let done = fill(self);
        self.sink = outer;
        done
    }
    /// A copy of elements in a new object.
    pub(super) fn elements<T: Value>(&mut self, values: &[T]) -> Result<Spot> {
        if self.phase == Phase::Again {
            return Ok(Spot::NULL);
        }
        // A row of plain values is written at once.
        if T::SCALAR.is_none()
            && T::PLAIN.is_some()
            && let Some(bytes) = rows::bytes(values)
        {
            let spot = self.alloc(bytes)?;
            let mut objects = self.given.halves.objects();
            rows::write(values, self.blank, &mut objects, spot, bytes)?;
            return Ok(spot);
        }
        let spot = self.alloc(values.len().saturating_mul(stride::<T>()))?;
        T::give_all(values, self, spot)?;
        Ok(spot)
    }
    /// Whether rows of `T` are passed where they are. Of arguments whose floats are to be zero none is, unless the memory of a gradient takes its place.
    pub(super) fn passes_rows_in_place<T: Value>(&self) -> bool {
        let is_argument = matches!(self.sink, Sink::Arguments);
        rows::is_in_place::<T>() && is_argument && (!self.blank || self.shadow_is_lent::<T>())
    }
    /// Whether the shadow of a row of `T` that comes now is the gradient itself: it begins an argument, and has nothing but floats.
    fn shadow_is_lent<T: Value>(&self) -> bool {
        self.given.leaves.len() == self.start && rows::lends::<T>()
    }
    /// Gives the address of a row that is passed where it is.
    pub(super) fn row_in_place<T: Value>(&mut self, values: &'s [T]) -> Result<()> {
        let leaf = Leaf::row(values);
        let shadow = match self.phase {
            Phase::Primal if self.given.shadowed && !self.constant => {
                match self.shadow_is_lent::<T>() {
                    true => Shadow::Lent,
                    false => Shadow::Inside([self.zeros(size_of_val(values))?, 0]),
                }
            }
            _ => Shadow::None,
        };
        self.put(leaf, shadow)
    }
    /// Gives a fixed array: its elements, where it is a part of an object, and their address where it is an argument.
    pub(super) fn fixed_array<T: Value, const N: usize>(&mut self, values: &[T; N]) -> Result<()> {
        let layout = value_layout::<[T; N]>();
        match self.sink {
            Sink::Object(spot, end) if layout.is_inline => {
                let start = end.next_multiple_of(layout.align);
                T::give_all(values, self, spot.offset(start))?;
                self.sink = Sink::Object(spot, start + layout.size);
                Ok(())
            }
            _ => {
                let spot = self.elements(values)?;
                self.pointer(spot)
            }
        }
    }
    /// Writes scalars one after the other.
    pub(super) fn write<T: Scalar>(&mut self, at: Address, values: &[T]) -> Result<()> {
        if self.blank && T::TYPE.is_float() {
            return Ok(());
        }
        self.given.halves.objects().write_slice(at, values)
    }
    /// Gives a cell by its address. Whoever gives it first fills it.
    pub(super) fn cell<T: Typed>(
        &mut self,
        address: usize,
        fill: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Spot> {
        if self.phase == Phase::Again {
            self.pointer(Spot::NULL)?;
            return Ok(Spot::NULL);
        }
        let key = (address, T::ty());
        let spot = match self.given.cells.get(&key) {
            Some(&spot) => spot,
            None => {
                let spot = self.alloc(value_layout::<T>().cell)?;
                self.given.cells.insert(key, spot);
                self.at(spot, fill)?;
                spot
            }
        };
        self.pointer(spot)?;
        Ok(spot)
    }

    /// The places of the gradient lend their memory to the call, and what they held before does not count. Memory that is lent becomes zero here, because
    /// the call adds to it. A value in which there may be cells becomes zero as well: of a cell that the call does not come to, no gradient is read. All other
    /// places are overwritten when the results of the call are read.
    pub(super) fn lend_zeros<G>(&mut self, places: &'s mut impl GradientSink<G>) {
        self.clears = true;
        places.lend(self);
        self.clears = false;
    }
    /// The place of the next gradient lends nothing, or its floats.
    pub(super) fn lend_floats<T: Scalar>(&mut self, floats: &'s mut [T]) {
        match self.given.next(&mut self.cursor) {
            Next::Leaf(n) => self.lend_to(n, floats),
            Next::Value(n) if self.given.values[n].shared => {
                let after = self.cursor;
                self.cursor.leaf = self.given.values[n].start;
                self.lend_next(|_| floats);
                self.cursor = after;
            }
            Next::Value(_) if self.add => self.fail(Error::Array(
                "a gradient is added to a slice: give the place as a `Vec`".to_owned(),
            )),
            Next::Value(_) => {}
            // The tangents of an argument.
            Next::Unknown => self.args.slice_mut(floats),
        }
    }
    /// The place of the next gradient is that of an argument that reads it itself.
    pub(super) fn lend<G: Cotangent>(&mut self, gradient: &'s mut G) {
        match self.given.next(&mut self.cursor) {
            Next::Value(n) => {
                let outer = self.cursor;
                let entry = &self.given.values[n];
                self.cursor.leaf = entry.start;
                let (shared, may_hold_cells) = (entry.shared, entry.may_hold_cells);
                if self.clears && may_hold_cells() {
                    clear(gradient);
                }
                self.begin(n, gradient);
                if shared {
                    gradient.lend_parts(self);
                }
                self.cursor = outer;
            }
            Next::Leaf(n) => {
                if self.forward && tangent::home(self.given.leaves[n].ty) == Home::Rdata {
                    let (host, mut word) = (self.host, Ok(0));
                    gradient.visit(&mut Visitor::new(&mut |number, _| {
                        word = match number {
                            Number::F32(x) => Ok(x.to_word()),
                            Number::F64(x) => Ok(x.to_word()),
                            Number::F32s(x) => host.give(x),
                            Number::F64s(x) => host.give(x),
                            Number::F16s(_) | Number::Bits(_) => return,
                        };
                    }));
                    match word {
                        Ok(word) => drop(self.given.moved.insert(n, word)),
                        Err(error) => self.fail(error),
                    }
                }
                let after = self.cursor;
                self.cursor.leaf = n;
                self.fits = false;
                gradient.lend_parts(self);
                self.fits = true;
                self.cursor = after;
            }
            Next::Unknown => {
                if self.clears {
                    clear(gradient);
                }
                self.unknown = true;
                gradient.lend_parts(self);
                self.unknown = false;
            }
        }
    }
    /// Whether the next place is that of a tuple as a whole.
    pub(super) fn next_is<G: 'static>(&self) -> bool {
        self.given.next_is::<G>(self.cursor)
    }
    /// The place of the next gradient is that of a tuple as a whole.
    pub(super) fn lend_tuple<G: Cotangent>(&mut self, gradient: impl FnOnce() -> G) {
        if let Next::Value(n) = self.given.next(&mut self.cursor)
            && self.add
        {
            self.begin(n, &gradient());
        }
    }
    /// The gradient of an argument begins as what its place holds, if that counts.
    fn begin<G: Cotangent>(&mut self, value: usize, gradient: &G) {
        if !self.add {
            return;
        }
        let writes = match self.begins_from_zero(value) {
            true => self.keep(value, gradient),
            false => Ok(true),
        };
        let done = writes.and_then(|writes| match writes {
            true => self.write_value(value, gradient).map(drop),
            false => Ok(()),
        });
        if let Err(error) = done {
            self.fail(error);
        }
    }
    /// Keeps what the place of a gradient holds. Says whether it has cells.
    fn keep<G: Cotangent>(&mut self, value: usize, gradient: &G) -> Result<bool> {
        let (held, has_cells) = linear::own(gradient)?;
        let held = Box::new(held);
        self.tables.own.insert(value, Own { held, has_cells });
        Ok(has_cells)
    }
    /// Whether what the place of its gradient holds is no cotangent of what becomes of an argument: nobody sees that, but for its cells.
    fn begins_from_zero(&self, value: usize) -> bool {
        self.add && !self.forward && self.given.values[value].own
    }
    fn write_value(&mut self, value: usize, gradient: &dyn Any) -> Result<Pairs> {
        let Entry {
            start,
            end,
            behind,
            write,
            ..
        } = self.given.values[value];
        let cells_only = self.begins_from_zero(value);
        let pairs = self.given.pairs(start, end, |_, _| Ok(None))?;
        let mut reader = self.given.reading(self.tables, self.host, pairs);
        reader.once = self.forward || !self.add;
        reader.cells_only = cells_only;
        match behind {
            true => reader.object(|reader| write(gradient, reader))?,
            false => write(gradient, &mut reader)?,
        }
        let pairs = reader.into_pairs();
        if self.forward {
            for (n, pair) in (start..).zip(&pairs) {
                self.given.moved.insert(n, pair.shadow[0]);
            }
        }
        Ok(pairs)
    }
    /// That many leaves of the arguments have got their tangents, or have none.
    pub(super) fn pass_tangents(&mut self, leaves: usize) {
        self.cursor.leaf += leaves;
    }
    /// Adds the tangent of the next argument, which is one that reads and writes gradients itself.
    #[doc(hidden)]
    pub fn tangent<G: Cotangent>(&mut self, tangent: &G) -> Result<()> {
        let found = self.given.value_at::<G>(self.cursor.leaf);
        let found = found.ok_or_else(other_type)?;
        let (start, end) = (self.given.values[found].start, self.given.values[found].end);
        for n in start..end {
            let kept = self.given.leaves[n];
            if needs_shadow(kept.ty) && !matches!(kept.shadow, Shadow::Inside(_)) {
                self.given.leaves[n].shadow = Shadow::Inside(self.scratch(n)?);
            }
        }
        let pairs = self.write_value(found, tangent)?;
        for (n, pair) in (start..).zip(pairs) {
            if tangent::has_tangent(pair.ty) {
                self.given.moved.insert(n, pair.shadow[0]);
                self.zero_tangents()?;
                self.expected.pop_front();
                let param = self.params.get(n).copied();
                let ty = tangent::widened(pair.ty);
                self.args.leaf(&Leaf::inside(ty, pair.shadow), param);
            }
        }
        self.cursor.leaf = end;
        Ok(())
    }
    /// What comes now is tangents, of the leaves that are given; those of other active leaves are zero.
    pub(super) fn expect_tangents(&mut self, active: &[bool], given: &[bool]) {
        self.rest();
        let leaves = (0..active.len()).filter(|&n| active[n]);
        self.expected = leaves.map(|n| (n, given[n])).collect();
    }
    /// Adds the tangents before the next that is given, or all that are left.
    pub(super) fn zero_tangents(&mut self) -> Result<()> {
        while let Some(&(n, false)) = self.expected.front() {
            self.expected.pop_front();
            self.add_tangent(n, None)?;
        }
        Ok(())
    }
    /// Adds the tangents that the gradient's places hold. Afterwards they can be read as gradients are, with the words that this gives
    /// for results.
    pub(super) fn add_tangents<S>(
        &mut self,
        lend: impl FnOnce(&mut Self) -> S,
    ) -> Result<Vec<u64>> {
        (self.add, self.forward) = (true, true);
        lend(self);
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut words = Vec::new();
        let mut lent = std::mem::take(&mut self.lent).into_iter().peekable();
        for (n, _) in std::mem::take(&mut self.expected) {
            while lent.next_if(|(leaf, _)| *leaf < n).is_some() {}
            let own = lent.next_if(|(leaf, _)| *leaf == n);
            words.extend(self.add_tangent(n, own.map(|(_, leaf)| leaf))?);
        }
        Ok(words)
    }
    /// Adds the tangent of a leaf: what is lent, or its shadow. Gives the word of one that is a value.
    fn add_tangent(&mut self, n: usize, lent: Option<Leaf<'s>>) -> Result<Option<u64>> {
        let kept = self.given.leaves[n];
        // A tangent of memory has the type of what it is a tangent of.
        let param = self.params.get(n).copied();
        match (tangent::home(kept.ty), lent) {
            (Home::Nowhere, _) => Ok(None),
            (Home::Rdata, _) => {
                let word = self.given.moved.get(&n).copied().unwrap_or_default();
                let ty = tangent::widened(kept.ty);
                self.args.leaf(&Leaf::inside(ty, [word, 0]), None);
                Ok(Some(word))
            }
            (Home::Fdata, Some(leaf)) => {
                self.args.leaf(&leaf, param);
                Ok(None)
            }
            (Home::Fdata, None) => {
                let words = self.inside(n)?;
                self.args.leaf(&Leaf::inside(kept.ty, words), param);
                Ok(None)
            }
        }
    }
    /// Does something with the arguments' twin in their place. Arguments without objects need none.
    pub(super) fn in_twin(
        &mut self,
        twin: Option<&mut Twin>,
        act: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.cursor = Cursor::default();
        let Some(twin) = twin else { return act(self) };
        self.given.swap(twin);
        act(self)?;
        self.given.swap(twin);
        Ok(())
    }
    /// Adds the tangents of the arguments, which `direction` gives, and those of the arguments' shadows, which `product` lends.
    pub(super) fn add_second<D>(
        &mut self,
        twin: Option<&mut Twin>,
        active: &[bool],
        direction: impl FnOnce(&mut Self) -> Result<D>,
        product: impl FnOnce(&mut Self),
    ) -> Result<()> {
        self.in_twin(twin, |call| {
            direction(call)?;
            call.given.turn();
            call.cursor = Cursor::default();
            call.lent.clear();
            product(call);
            call.add_shadows(active)
        })
    }
    /// A slice or vector among the leaves gets its shadow: the next one that is borrowed and has floats.
    /// Vectors in a gradient of several parts get the right length first.
    pub(super) fn lend_next<T: Scalar>(
        &mut self,
        floats: impl FnOnce(Option<usize>) -> &'s mut [T],
    ) {
        if self.unknown {
            return self.args.slice_mut(floats(None));
        }
        let later = self.given.leaves.iter().enumerate().skip(self.cursor.leaf);
        let found = { later }.find(|(_, kept)| kept.is_borrowed && kept.live);
        let Some((n, kept)) = found else {
            return self.fail(other_type());
        };
        let length = kept.words[1] as usize;
        self.cursor.leaf = n + 1;
        self.lend_to(n, floats(self.fits.then_some(length)));
    }
    /// The row that an argument begins with, if it is passed where it is, gets its shadow: gradients in the same places. If they are others, it
    /// gets one in objects, and they are read from there.
    pub(super) fn lend_row<G: Cotangent>(&mut self, gradients: &'s mut Vec<G>) {
        let n = self.cursor.leaf;
        let found = self.given.leaves.get(n).filter(|kept| {
            kept.is_row() && kept.live && matches!(kept.shadow, Shadow::Lent) && !self.unknown
        });
        let Some(length) =
            found.and_then(|kept| (kept.words[1] as usize).checked_div(size_of::<G>()))
        else {
            return;
        };
        if self.fits {
            gradients.resize_with(length, G::empty);
        }
        if self.clears {
            clear(gradients);
        }
        if gradients.len() == length
            && let Some(leaf) = rows::shadow(gradients)
        {
            self.cursor.leaf = n + 1;
            self.lent.push((n, leaf));
        }
    }
    fn lend_to<T: Scalar>(&mut self, n: usize, floats: &'s mut [T]) {
        if self.clears {
            floats.fill(T::from_word(0));
        }
        let kept = self.given.leaves[n];
        let (expected, found) = (kept.words[1], floats.len());
        if kept.ty.element() != Some(T::TYPE) {
            return self.fail(other_type());
        }
        if expected != found as u64 {
            return self.fail(Error::Array(format!(
                "argument {} has {expected} elements: expected a gradient of that length, found {found}",
                n + 1
            )));
        }
        match kept.shadow {
            Shadow::Inside([at, _]) => {
                if let Err(error) = self.write(Address::from_word(at), floats) {
                    self.fail(error);
                }
            }
            Shadow::None | Shadow::Lent => self.lent.push((n, Leaf::slice_mut(floats))),
        }
    }
    fn fail(&mut self, error: Error) {
        self.failed.get_or_insert(error);
    }

    /// Gives borrowed slices shadows in objects: nobody lends any yet.
    pub(super) fn shadow_borrowed(&mut self, active: &[bool]) -> Result<()> {
        for n in 0..self.given.leaves.len() {
            let kept = self.given.leaves[n];
            if active[n] && needs_shadow(kept.ty) && !matches!(kept.shadow, Shadow::Inside(_)) {
                self.given.leaves[n].shadow = Shadow::Inside(self.scratch(n)?);
            }
        }
        Ok(())
    }
    /// A shadow for a leaf that no place of the gradient belongs to.
    fn scratch(&mut self, n: usize) -> Result<[u64; 2]> {
        let Kept { ty, words, .. } = self.given.leaves[n];
        let bytes = match ty.element().and_then(Type::size) {
            Some(size) => size.saturating_mul(words[1] as usize),
            None => words[1] as usize,
        };
        Ok([self.zeros(bytes)?, words[1]])
    }
    /// The shadow of a leaf that lends none.
    fn inside(&mut self, n: usize) -> Result<[u64; 2]> {
        let kept = self.given.leaves[n];
        if let Shadow::Inside(words) = kept.shadow {
            return Ok(words);
        }
        let words = self.scratch(n)?;
        // Whoever reads the gradient of a row finds it there.
        if kept.is_row() {
            self.given.leaves[n].shadow = Shadow::Inside(words);
        }
        Ok(words)
    }
    /// The address of so many zeros.
    fn zeros(&mut self, bytes: usize) -> Result<u64> {
        let at = self.given.halves.objects().alloc(bytes.max(1))?;
        Ok(at.to_word())
    }
    /// Adds the shadows of the active arguments, in order.
    pub(super) fn add_shadows(&mut self, active: &[bool]) -> Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut next = 0;
        for n in 0..self.given.leaves.len() {
            let kept = self.given.leaves[n];
            let own = { self.lent.get(next) }.filter(|(leaf, _)| *leaf == n);
            next += usize::from(own.is_some());
            if !active[n] || !needs_shadow(kept.ty) {
                continue;
            }
            if let Some((_, leaf)) = own {
                self.args.leaf(leaf, None);
                continue;
            }
            let words = self.inside(n)?;
            let leaf = Leaf::inside(tangent::tangent(kept.ty), words);
            self.args.leaf(&leaf, None);
        }
        Ok(())
    }

    /// Adds the cotangent of the result: that of each leaf with one; what has its cotangent in memory has it written there.
    pub(super) fn seed<T: Value>(&mut self, cotangent: &T::Gradient) -> Result<()> {
        let returned = self.given.returned.clone();
        let mut reader = self.given.reading(self.tables, self.host, returned);
        T::write(cotangent, &mut reader)?;
        for pair in reader.into_pairs() {
            if tangent::home(pair.ty) == Home::Rdata {
                let ty = tangent::widened(pair.ty);
                self.args.leaf(&Leaf::inside(ty, pair.shadow), None);
            }
        }
        Ok(())
    }
}

impl Call<'_> {
    /// An error unless the cotangents of the result, which are the arguments from the `first` on, are as large as the result. That of an array may be absent:
    /// then it is zero.
    pub(super) fn check_seeds(&self, first: usize) -> Result<()> {
        let mut at: usize = self.args.types()[..first].iter().map(|&ty| words(ty)).sum();
        let results = self.given.returned.iter();
        for pair in results.filter(|pair| tangent::home(pair.ty) == Home::Rdata) {
            let seed = self.args.words().get(at..).unwrap_or_default();
            let is_absent = pair.ty.is_array() && seed.first() == Some(&0);
            if !is_absent && let Some(misfit) = misfit(self.host, pair.ty, &pair.primal, seed)? {
                return Err(Error::Array(format!(
                    "the cotangent of the result {misfit}"
                )));
            }
            at += words(tangent::widened(pair.ty));
        }
        Ok(())
    }
}

/// What is wrong with the size of a tangent or cotangent of a value, by their words: `None` if it is as large as the value.
pub(super) fn misfit(
    host: &ArrayHost,
    ty: Type,
    value: &[u64],
    tangent: &[u64],
) -> Result<Option<String>> {
    let [expected, found] = match ty {
        Type::Slice(_) | Type::SliceMut(_) if value[1] != tangent[1] => {
            [value[1], tangent[1]].map(|len| format!("length {len}"))
        }
        Type::Array(_) => {
            let shapes = [host.shape(value[0])?, host.shape(tangent[0])?];
            if shapes[0] == shapes[1] {
                return Ok(None);
            }
            // A variant without the array has none in its place.
            shapes.map(|shape| match shape {
                Some(shape) => format!("shape {shape:?}"),
                None => "no array".to_owned(),
            })
        }
        _ => return Ok(None),
    };
    Ok(Some(format!("has {found}; expected {expected}")))
}

fn needs_shadow(ty: Type) -> bool {
    tangent::home(ty) == Home::Fdata
}

pub(super) fn other_type() -> Error {
    Error::Internal("a gradient is of another type than its argument's".to_owned())
}

/// Where a leaf stands in an object of which that many bytes are filled, and where it ends.
pub(super) fn placed(ty: Type, end: usize) -> Result<(usize, usize)> {
    let size = crate::ir::layout::leaf(ty);
    let size = size.ok_or_else(|| Error::Internal(format!("no object holds {ty}")))? as usize;
    let at = end.next_multiple_of(size.min(8));
    Ok((at, at + size))
}

/// The bytes from one element to the next.
pub(super) fn stride<T: Value>() -> usize {
    match T::SCALAR.and_then(Type::size) {
        Some(bytes) => bytes,
        None => value_layout::<T>().size,
    }
}

/// Which of the function's parameters carry cotangents; tuples count as their fields.
#[derive(Clone, Default, Debug)]
pub struct Activity(SmallVec<[bool; 32]>);

impl PartialEq for Activity {
    /// One flag after another: every call asks this of flags that it has just written one by one, and to read them many at once has to wait
    /// for that.
    fn eq(&self, other: &Activity) -> bool {
        self.0.iter().eq(&other.0)
    }
}

impl Activity {
    pub(crate) fn push(&mut self, active: bool) {
        self.0.push(active);
    }
    /// Makes the parameters from the `start`-th on inactive.
    pub(crate) fn deactivate_from(&mut self, start: usize) {
        self.0[start..].fill(false);
    }
    /// The number of parameters so far.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
    /// These flags and then the other ones.
    pub(super) fn and(&self, other: &Activity) -> Activity {
        Activity(self.0.iter().chain(&other.0).copied().collect())
    }
    /// One flag for each parameter.
    pub(super) fn flags(&self) -> &[bool] {
        &self.0
    }
}

/// Makes a gradient zero. Arrays are replaced as a whole.
fn clear(gradient: &mut impl Visit) {
    gradient.visit(&mut Visitor::clearing(&mut |_, _| {}));
}
