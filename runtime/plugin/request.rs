//! Calls that native functions request from the host (`Services::call`): their checks, and their results.
//!
//! [`Functions`] makes the calls; this module knows neither programs nor arrays. `exec::asked` implements it: it runs a compiled program that
//! consists of one call, on the same array host. `api/packs.rs` finds the function and compiles that program once for the packs of the process.
//! As `exec` does not know `api`, the two are connected through `inventory` (`exec::PackFunctions`).

use super::invoke::{Callee, MadeElements, State, dtype};
use crate::diag::{Error, Result};
use crate::ir::Type;
use mooncake_pack::abi::{self, Request, Text, View};
use std::cell::Cell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Makes the calls that native functions ask for.
pub trait Functions {
    /// Calls a function by the name that the native function `by` uses for it, and gives its results. The views are of numbers, slices and
    /// arrays, and of known types.
    ///
    /// # Safety
    ///
    /// The views are of memory that is as they say until this returns; what mutable ones are of is nobody else's.
    unsafe fn call(&self, by: &Callee, name: &str, args: &[View]) -> Result<Vec<Answer>>;
    /// Memory for elements of a type, which may be reused and contain any data.
    fn room(&self, _dtype: u32, _count: usize) -> Option<MadeElements> {
        None
    }
}

/// A result of a call that a native function has asked for.
pub enum Answer {
    /// A number or a bool, in a word.
    Number(Type, u64),
    /// An array of elements of a type.
    Array(Type, Box<dyn Kept>),
}

impl Answer {
    fn ty(&self) -> Type {
        match self {
            Answer::Number(ty, _) => *ty,
            Answer::Array(element, _) => Type::array(*element),
        }
    }
}

/// An array that a pack keeps until it releases it.
pub trait Kept: Send + Sync {
    /// Keeps its memory alive.
    fn view(&self) -> Result<View>;
}

/// The maximal depth of nested calls through the host. It is enough for rules that use rules, and small enough that a rule that calls itself endlessly
/// does not exhaust the stack.
const MAX_DEPTH: usize = 16;

thread_local! {
    /// The number of such calls that are running on this thread.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Counts one nested call while it lives.
struct NestedCall;

impl NestedCall {
    fn enter() -> Option<NestedCall> {
        let depth = DEPTH.get();
        (depth < MAX_DEPTH).then(|| {
            DEPTH.set(depth + 1);
            NestedCall
        })
    }
}

impl Drop for NestedCall {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// The type of the content of a view; `None` if it cannot be passed on.
pub fn type_of(view: &View) -> Option<Type> {
    use Type::*;
    let all = [
        Bool, I8, I16, I32, I64, Isize, U8, U16, U32, U64, Usize, F32, F64,
    ];
    let element = all.into_iter().find(|ty| dtype(*ty) == view.dtype)?;
    match view.kind {
        abi::KIND_SCALAR => Some(element),
        abi::KIND_SLICE => Some(Type::slice(element)),
        abi::KIND_SLICE_MUT => Some(Type::slice_mut(element)),
        abi::KIND_ARRAY if matches!(element, F32 | F64 | I32 | U32) => Some(Type::array(element)),
        _ => None,
    }
}

/// The bits of a scalar in a word, zero-extended.
///
/// # Safety
///
/// The view is of a scalar of this type.
pub unsafe fn read_word(view: &View, ty: Type) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        match ty.size() {
            Some(1) => view.data.cast::<u8>().read().into(),
            Some(2) => view.data.cast::<u16>().read().into(),
            Some(4) => view.data.cast::<u32>().read().into(),
            _ => view.data.cast::<u64>().read(),
        }
    }
}

/// Writes the low bits of a word to where a scalar is.
///
/// # Safety
///
/// The view is of room for a scalar of this type.
unsafe fn write_word(view: &View, ty: Type, word: u64) {
    // SAFETY: the caller's promise.
    unsafe {
        match ty.size() {
            Some(1) => view.data.cast::<u8>().write(word as u8),
            Some(2) => view.data.cast::<u16>().write(word as u16),
            Some(4) => view.data.cast::<u32>().write(word as u32),
            _ => view.data.cast::<u64>().write(word),
        }
    }
}

/// `Services::call`
pub(super) extern "C" fn call(context: *mut c_void, request: *mut Request) -> u32 {
    // SAFETY: packs pass on the context of their call, which is on the stack of `invoke`, and a request that lasts as long as this.
    let (state, request) = unsafe { (&mut *context.cast::<State<'_>>(), &mut *request) };
    // SAFETY: the boundary's contract: what the request refers to lasts as long as it.
    let answered = catch_unwind(AssertUnwindSafe(|| unsafe { answer(state, request) }));
    let panic = |_| Err("a panic while a function was called".to_owned());
    match answered.unwrap_or_else(panic) {
        Ok(()) => abi::OK,
        Err(message) => {
            let message = state.refused.insert(message);
            request.error = Text {
                data: message.as_ptr(),
                len: message.len(),
            };
            abi::FAILED
        }
    }
}

/// `Services::release`. Null, which stands for nothing, is left alone.
pub(super) extern "C" fn release(owner: *mut c_void) {
    if owner.is_null() {
        return;
    }
    // SAFETY: the boundary's contract: what `answer` has given, once.
    drop(unsafe { Box::from_raw(owner.cast::<Box<dyn Kept>>()) });
}

/// Makes the requested call and stores the results.
unsafe fn answer(state: &State<'_>, request: &Request) -> std::result::Result<(), String> {
    // SAFETY: the caller's promise; the text is not used any longer than it.
    let name = unsafe { request.function.read() };
    let name = name.map_err(|_| "the name of a function that is not UTF-8".to_owned())?;
    let is_missing = |count: usize, is_null: bool| count > 0 && is_null;
    if is_missing(request.arg_count, request.args.is_null())
        || is_missing(request.result_count, request.results.is_null())
        || is_missing(request.result_count, request.owners.is_null())
    {
        return Err(
            "arguments, results or owners are null, but their count is not zero".to_owned(),
        );
    }
    let args: &[View] = match request.arg_count {
        0 => &[],
        // SAFETY: the caller's promise.
        count => unsafe { std::slice::from_raw_parts(request.args, count) },
    };
    let (results, owners): (&mut [View], &mut [*mut c_void]) = match request.result_count {
        0 => (&mut [], &mut []),
        // SAFETY: the caller's promise.
        count => unsafe {
            (
                std::slice::from_raw_parts_mut(request.results, count),
                std::slice::from_raw_parts_mut(request.owners, count),
            )
        },
    };
    if let Some(n) = args.iter().position(|view| type_of(view).is_none()) {
        return Err(format!(
            "argument {n} of `{name}` is no number, slice or array of numbers"
        ));
    }
    apart(name, args)?;
    let Some(_level) = NestedCall::enter() else {
        let by = state.callee.name;
        return Err(format!(
            "`{by}` calls `{name}`: calls through the host are nested more than {MAX_DEPTH} deep"
        ));
    };
    // SAFETY: the caller's promise; mutable slices are apart.
    let answers = unsafe { state.functions.call(&state.callee, name, args) }.map_err(said)?;
    let types = |types: &mut dyn Iterator<Item = Option<Type>>| -> Vec<String> {
        let text = |ty: Option<Type>| ty.map_or("nothing".to_owned(), |ty| ty.to_string());
        types.map(text).collect()
    };
    let given = types(&mut answers.iter().map(|answer| Some(answer.ty())));
    let expected = types(&mut results.iter().map(type_of));
    if given != expected {
        return Err(format!(
            "`{name}` gives ({}); the call expects ({})",
            given.join(", "),
            expected.join(", ")
        ));
    }
    let mut views = Vec::new();
    for answer in &answers {
        views.push(match answer {
            Answer::Number(..) => None,
            Answer::Array(_, kept) => Some(kept.view().map_err(said)?),
        });
    }
    for (((result, owner), answer), view) in results.iter_mut().zip(owners).zip(answers).zip(views)
    {
        match answer {
            Answer::Number(ty, word) => {
                // SAFETY: the caller's promise: there is room for a scalar of the type that was compared.
                unsafe { write_word(result, ty, word) };
                *owner = std::ptr::null_mut();
            }
            Answer::Array(_, kept) => {
                *result = view.unwrap_or(*result);
                *owner = Box::into_raw(Box::new(kept)).cast();
            }
        }
    }
    Ok(())
}

/// The message of an error without its place. The place is that of the function that requests the call.
fn said(error: Error) -> String {
    match error {
        Error::Fault(diagnostic) | Error::User(diagnostic) => diagnostic.message,
        other => other.to_string(),
    }
}

/// An error if memory that is written to is also passed as another argument.
fn apart(name: &str, args: &[View]) -> std::result::Result<(), String> {
    let range = |view: &View| {
        let size = type_of(view).and_then(|ty| ty.element().unwrap_or(ty).size());
        let start = view.data.addr();
        start..start.saturating_add(view.len.saturating_mul(size.unwrap_or(1)))
    };
    for (n, view) in args.iter().enumerate() {
        let own = range(view);
        let meets = |(m, other): (usize, &View)| {
            let other = range(other);
            m != n && own.start.max(other.start) < own.end.min(other.end)
        };
        if view.kind == abi::KIND_SLICE_MUT && args.iter().enumerate().any(meets) {
            return Err(format!(
                "argument {n} of `{name}`, which is written to, overlaps with another argument"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::view;
    use super::*;

    #[test]
    fn what_is_written_to_is_apart_from_all_else() {
        let memory = [0f64; 6].as_mut_ptr();
        let part = |from: usize, len: usize, mutable| {
            let data = memory.wrapping_add(from).cast();
            view::slice(data, len, Type::F64, mutable)
        };
        let written = "argument 1 of `f`, which is written to, overlaps with another argument";
        assert_eq!(
            apart("f", &[part(0, 4, false), part(3, 3, true)]),
            Err(written.to_owned())
        );
        assert_eq!(apart("f", &[part(0, 3, false), part(3, 3, true)]), Ok(()));
        assert_eq!(apart("f", &[part(0, 6, false), part(0, 6, false)]), Ok(()));
        assert_eq!(apart("f", &[part(0, 6, false), part(3, 0, true)]), Ok(()));
    }

    #[test]
    fn null_owns_nothing() {
        release(std::ptr::null_mut());
    }
}
