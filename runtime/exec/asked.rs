//! Calls that native functions ask for: from views to the words of a compiled program, and back.

use super::native::Lent;
use super::{Args, Host, Leaf, Program};
use crate::codegen::cpu::LeafWord;
use crate::diag::{Error, Result};
use crate::ir::{Symbol, Type};
use crate::plugin::{
    Answer, Callee, Functions, Kept, Made, MadeElements, View, read_word, type_of,
};
use mooncake_pack::abi::KIND_ARRAY;
use smallvec::SmallVec;
use std::sync::Arc;

/// A program that calls one function.
#[derive(Clone)]
pub struct PackFunction {
    /// Its only root calls the function.
    pub program: Arc<Program>,
    /// What the function gives.
    pub ret: Type,
    /// Whether it has a kernel, which runs where its arguments are.
    pub has_kernel: bool,
}

/// Finds and compiles the function that a native function means by a name, for arguments of these types. There is one such, of a later module: it
/// is collected through `inventory`.
pub struct PackFunctions(pub fn(by: Symbol, name: &str, types: &[Type]) -> Result<PackFunction>);

inventory::collect!(PackFunctions);

/// Arrays that a native function was lent, with their handles.
type LentArrays = SmallVec<[(View, u64); 4]>;

/// Who makes the calls that one native function asks for.
pub struct Asked<'a> {
    host: &'a dyn Host,
    /// The handle of the first array among its arguments; 0 without one.
    like: u64,
    /// The arrays that it was lent, with their handles.
    lent: LentArrays,
}

impl<'a> Asked<'a> {
    /// Of a function that was lent no arrays.
    pub(super) fn new(host: &'a dyn Host) -> Asked<'a> {
        let (like, lent) = (0, LentArrays::new());
        Asked { host, like, lent }
    }
    /// Takes note of an array that the function was lent.
    pub(super) fn lend(&mut self, view: View, handle: u64) {
        if self.lent.is_empty() {
            self.like = handle;
        }
        self.lent.push((view, handle));
    }

    /// The handle of an array that is passed on: what was lent is passed on as it is, where the function that is called runs there.
    unsafe fn handle(&self, view: &View, element: Type, on_device: bool) -> Result<u64> {
        let same = |(lent, _): &&(View, u64)| {
            lent.data == view.data && lent.dtype == view.dtype && shape(lent) == shape(view)
        };
        let known = self.lent.iter().find(same).map(|(_, handle)| *handle);
        if let Some(handle) = known.filter(|&handle| on_device || self.host.is_at_hand(handle)) {
            return Ok(handle);
        }
        // SAFETY: the caller's promise.
        let made = unsafe { copied(view, element) }?;
        let like = if on_device { self.like } else { 0 };
        self.host.adopt(made, like)
    }
}

/// Makes the calls of native functions that no program calls, each with a host of its own.
pub struct AskedAlone(pub fn() -> Box<dyn Host>);

impl Functions for AskedAlone {
    unsafe fn call(&self, by: &Callee, name: &str, args: &[View]) -> Result<Vec<Answer>> {
        let host = (self.0)();
        // SAFETY: passed on.
        unsafe { Asked::new(&*host).call(by, name, args) }
    }
}

impl Functions for Asked<'_> {
    unsafe fn call(&self, by: &Callee, name: &str, args: &[View]) -> Result<Vec<Answer>> {
        let unknown = |n| Error::Internal(format!("argument {n} of `{name}` has no type"));
        let types = args.iter().enumerate();
        let types: Vec<Type> = types
            .map(|(n, view)| type_of(view).ok_or_else(|| unknown(n)))
            .collect::<Result<_>>()?;
        let none = || Error::Internal("nobody compiles functions of packs".to_owned());
        let functions = inventory::iter::<PackFunctions>
            .into_iter()
            .next()
            .ok_or_else(none)?;
        let found = (functions.0)(by.name, name, &types)?;
        let mark = self.host.mark();
        // SAFETY: passed on.
        let answers = unsafe { self.run(by, &found, args, &types) };
        self.host.release(mark);
        answers
    }
    fn room(&self, dtype: u32, count: usize) -> Option<MadeElements> {
        self.host.room(dtype, count)
    }
}

impl Asked<'_> {
    /// Runs the program.
    ///
    /// # Safety
    ///
    /// The views are of memory of these types, as for [`Functions::call`].
    unsafe fn run(
        &self,
        by: &Callee,
        function: &PackFunction,
        args: &[View],
        types: &[Type],
    ) -> Result<Vec<Answer>> {
        let mut given = Args::new();
        for (view, &ty) in args.iter().zip(types) {
            // SAFETY: the caller's promise; what is lent lives until the program has run.
            let leaf = unsafe {
                let words = match ty {
                    Type::Array(element) => [self.handle(view, *element, function.has_kernel)?, 0],
                    Type::Slice(_) | Type::SliceMut(_) => {
                        [view.data.expose_provenance() as u64, view.len as u64]
                    }
                    ty => [read_word(view, ty), 0],
                };
                Leaf::outside(ty, words)
            };
            given.leaf(&leaf, None);
        }
        let program = &function.program;
        let mut words = vec![0; program.result_words(0)];
        program.call(0, &given, &mut words, self.host)?;
        let answer = |leaf: LeafWord| match leaf.ty {
            Type::Array(element) => {
                let lent = self.host.lend(words[leaf.word], by.name)?;
                Ok(Answer::Array(*element, Box::new(KeptArray(lent, *element))))
            }
            ty => Ok(Answer::Number(ty, words[leaf.word])),
        };
        let leaves = LeafWord::all(&[function.ret]);
        leaves.into_iter().map(answer).collect()
    }
}

/// An array that was lent, kept by a pack.
struct KeptArray(Lent, Type);

impl Kept for KeptArray {
    fn view(&self) -> Result<View> {
        self.0.view(self.1)
    }
}

/// The extents of an array.
fn shape(view: &View) -> &[usize] {
    match (view.kind, view.rank) {
        (KIND_ARRAY, rank @ 1..) => {
            // SAFETY: views are as they say while the call lasts: `rank` extents.
            unsafe { std::slice::from_raw_parts(view.shape, rank) }
        }
        _ => &[],
    }
}

/// The array of a view, copied.
///
/// # Safety
///
/// The view is of an array of such elements.
unsafe fn copied(view: &View, element: Type) -> Result<Made> {
    let (made, data) = crate::plugin::zeroed(element, shape(view))?;
    let count: usize = made.shape.iter().product();
    if count != view.len {
        return Err(Error::Array(format!(
            "{} elements are no array of shape {:?}",
            view.len, made.shape
        )));
    }
    let bytes = count * element.size().unwrap_or(8);
    // SAFETY: the caller's promise, and `zeroed` has made room for as many.
    unsafe { std::ptr::copy_nonoverlapping(view.data.cast::<u8>(), data.cast(), bytes) };
    Ok(made)
}
