//! Calling native functions over slices and arrays: what is lent to them, and what they may ask for meanwhile.
//!
//! A call is a `mooncake_pack::abi::Call` on the caller's stack. Its arguments are lent as views of the memory they are in; results that
//! are arrays are made here, when the function says their extents.

use super::check_faults;
use crate::diag::{Diagnostic, Error, Result, Span};
use crate::ir::{Symbol, Type};
use crate::registry::NativeCode;
use mooncake_pack::abi::{self, Call, Services, Text, View};
use smallvec::SmallVec;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{null, null_mut};

/// Views of the arguments or the results of a call.
pub type Views = SmallVec<[View; 6]>;

/// An array that a native function has made.
#[derive(Debug)]
pub struct Made {
    /// Its extents.
    pub shape: SmallVec<[usize; 4]>,
    /// Its elements, in row-major order.
    pub elements: MadeElements,
}

/// The elements of an array that a native function has made.
#[derive(Debug)]
pub enum MadeElements {
    /// f32
    F32(Vec<f32>),
    /// f64
    F64(Vec<f64>),
    /// i32
    I32(Vec<i32>),
    /// u32
    U32(Vec<u32>),
}

/// Everything that is lent in one call. What an entry has no use for is empty.
#[derive(Default)]
pub struct Loans {
    /// The arguments.
    pub args: Views,
    /// The results.
    pub results: Views,
}

/// Views of values of a type, which is not a tuple.
pub mod view {
    use super::*;

    /// Nothing.
    pub const ABSENT: View = View {
        kind: abi::KIND_ABSENT,
        dtype: 0,
        data: null_mut(),
        len: 0,
        rank: 0,
        shape: null(),
        active: 0,
        reserved: 0,
    };

    /// A scalar whose bits are in a word, zero-extended.
    pub fn scalar(word: *mut u64, ty: Type) -> View {
        // The value is at the low end of the word.
        let skipped = match cfg!(target_endian = "big") {
            true => size_of::<u64>() - ty.size().unwrap_or(size_of::<u64>()),
            false => 0,
        };
        View {
            kind: abi::KIND_SCALAR,
            dtype: dtype(ty),
            data: word.wrapping_byte_add(skipped).cast(),
            len: 1,
            ..ABSENT
        }
    }

    /// A slice of so many elements.
    pub fn slice(data: *mut c_void, len: usize, element: Type, mutable: bool) -> View {
        View {
            kind: match mutable {
                true => abi::KIND_SLICE_MUT,
                false => abi::KIND_SLICE,
            },
            dtype: dtype(element),
            data,
            len,
            ..ABSENT
        }
    }

    /// A dense array.
    pub fn array(data: *mut c_void, shape: &[usize], element: Type) -> View {
        View {
            kind: abi::KIND_ARRAY,
            dtype: dtype(element),
            data,
            len: shape.iter().product(),
            rank: shape.len(),
            shape: shape.as_ptr(),
            ..ABSENT
        }
    }

    /// An array that is not made yet.
    pub fn to_be_made(element: Type) -> View {
        View {
            kind: abi::KIND_ARRAY,
            dtype: dtype(element),
            ..ABSENT
        }
    }
}

/// How the boundary says a scalar's type.
fn dtype(ty: Type) -> u32 {
    match ty {
        Type::Bool => abi::DTYPE_BOOL,
        Type::I8 => abi::DTYPE_I8,
        Type::I16 => abi::DTYPE_I16,
        Type::I32 => abi::DTYPE_I32,
        Type::I64 => abi::DTYPE_I64,
        Type::Isize => abi::DTYPE_ISIZE,
        Type::U8 => abi::DTYPE_U8,
        Type::U16 => abi::DTYPE_U16,
        Type::U32 => abi::DTYPE_U32,
        Type::U64 => abi::DTYPE_U64,
        Type::Usize => abi::DTYPE_USIZE,
        Type::F32 => abi::DTYPE_F32,
        Type::F64 => abi::DTYPE_F64,
        // None of these crosses.
        Type::Tuple(_)
        | Type::Slice(_)
        | Type::SliceMut(_)
        | Type::Array(_)
        | Type::Ptr
        | Type::Addr
        | Type::Infer(_) => 0,
    }
}

/// Who is called, for messages.
#[derive(Clone, Copy, Debug)]
pub struct Callee {
    /// The pack.
    pub pack: Symbol,
    /// The function.
    pub name: Symbol,
    /// Where the call is.
    pub span: Span,
}

/// What is behind the `context` of a call.
struct State {
    error: Option<String>,
    /// The arrays made so far, with the address of the view that they were made for.
    made: SmallVec<[(*mut View, Made); 2]>,
    /// The views for which arrays may be made.
    results: (*mut View, usize),
}

static SERVICES: Services = Services {
    size: size_of::<Services>(),
    allocate,
    set_error,
};

/// Calls a native primal. Gives the arrays among the results, in order; scalars are where their views say.
///
/// # Safety
///
/// `code` is the address of a function of the boundary's, and the views are of memory that is as they say, for the time of the call; no
/// memory that is written to overlaps with other memory among them.
pub unsafe fn invoke(
    code: NativeCode,
    callee: &Callee,
    loans: &mut Loans,
) -> Result<SmallVec<[Made; 2]>> {
    let results = (loans.results.as_mut_ptr(), loans.results.len());
    let mut state = State {
        error: None,
        made: SmallVec::new(),
        results,
    };
    let call = Call {
        size: size_of::<Call>(),
        services: &SERVICES,
        context: (&raw mut state).cast(),
        float: dtype(code.float),
        reserved: 0,
        args: loans.args.as_ptr(),
        arg_count: loans.args.len(),
        results: results.0,
        result_count: results.1,
        pullback: null_mut(),
        tangents: null(),
        result_tangents: null_mut(),
        seeds: null(),
        cotangents: null(),
    };
    // SAFETY: the caller's promise.
    let function = unsafe {
        std::mem::transmute::<*const (), extern "C" fn(*const Call) -> u32>(
            code.address as *const (),
        )
    };
    let status = function(&call);
    outcome(status, &mut state, callee)?;
    arrays(state, loans, callee)
}

/// What a status says.
fn outcome(status: u32, state: &mut State, callee: &Callee) -> Result<()> {
    let message = match status {
        abi::OK => return Ok(()),
        abi::FAILED => {
            { state.error.take() }.unwrap_or_else(|| "it failed without saying why".to_owned())
        }
        abi::PANICKED => {
            check_faults([callee.pack])?;
            "it panicked".to_owned()
        }
        other => format!("it gave the status {other}, which does not exist"),
    };
    Err(failed(callee, &message))
}

/// The error of a call.
fn failed(callee: &Callee, message: &str) -> Error {
    let message = format!("`{}`: {message}", callee.name);
    Error::Fault(Diagnostic::new(callee.span, message))
}

/// The arrays that the results ask for, in order.
fn arrays(state: State, loans: &Loans, callee: &Callee) -> Result<SmallVec<[Made; 2]>> {
    let mut made = state.made;
    let mut arrays = SmallVec::new();
    for (n, view) in loans.results.iter().enumerate() {
        if view.kind != abi::KIND_ARRAY {
            continue;
        }
        let at = made.iter().position(|(of, _)| std::ptr::eq(*of, view));
        match at {
            Some(at) => arrays.push(made.swap_remove(at).1),
            None => {
                let message = format!("it gave no array as its result {n}");
                return Err(failed(callee, &message));
            }
        }
    }
    Ok(arrays)
}

extern "C" fn set_error(context: *mut c_void, message: Text) {
    // SAFETY: packs pass on the context of their call, which is on the stack of `invoke`.
    let state = unsafe { &mut *context.cast::<State>() };
    // SAFETY: the boundary's contract: readable during the call. The copy is made before it ends.
    let message = unsafe { message.read() };
    state.error = Some(message.unwrap_or("(text that is not UTF-8)").to_owned());
}

extern "C" fn allocate(
    context: *mut c_void,
    view: *mut View,
    rank: usize,
    shape: *const usize,
) -> *mut c_void {
    // SAFETY: packs pass on the context of their call, which is on the stack of `invoke`.
    let state = unsafe { &mut *context.cast::<State>() };
    let shape: &[usize] = match rank {
        0 => &[],
        // SAFETY: the boundary's contract: `rank` extents, readable during the call.
        1..=MAX_RANK => unsafe { std::slice::from_raw_parts(shape, rank) },
        _ => {
            state.error = Some(format!("an array of {rank} axes; at most {MAX_RANK}"));
            return null_mut();
        }
    };
    let made = catch_unwind(AssertUnwindSafe(|| make(state, view, shape)));
    match made.unwrap_or_else(|_| Err("a panic while an array was made".to_owned())) {
        Ok(data) => data,
        Err(message) => {
            state.error = Some(message);
            null_mut()
        }
    }
}

/// The most axes of an array that a pack makes.
const MAX_RANK: usize = 32;

/// Makes the array of a result.
fn make(
    state: &mut State,
    view: *mut View,
    shape: &[usize],
) -> std::result::Result<*mut c_void, String> {
    let (first, count) = state.results;
    let known = (0..count).any(|n| std::ptr::eq(first.wrapping_add(n), view));
    // SAFETY: one of the views of the call.
    let Some(found) = known.then(|| unsafe { &mut *view }) else {
        return Err("it asks for memory for what is not one of its results".to_owned());
    };
    if found.kind != abi::KIND_ARRAY || state.made.iter().any(|(of, _)| std::ptr::eq(*of, view)) {
        return Err("it asks for memory for what is no array, or has its memory".to_owned());
    }
    let (mut elements, len) = zeros(found.dtype, shape)?;
    let data = match &mut elements {
        MadeElements::F32(data) => data.as_mut_ptr().cast(),
        MadeElements::F64(data) => data.as_mut_ptr().cast(),
        MadeElements::I32(data) => data.as_mut_ptr().cast(),
        MadeElements::U32(data) => data.as_mut_ptr().cast(),
    };
    (found.data, found.len) = (data, len);
    let shape = shape.into();
    state.made.push((view, Made { shape, elements }));
    Ok(data)
}

/// As many zeros as an array of this shape has elements, and their number.
fn zeros(dtype: u32, shape: &[usize]) -> std::result::Result<(MadeElements, usize), String> {
    fn of<T: Copy + Default>(shape: &[usize]) -> std::result::Result<(Vec<T>, usize), String> {
        // Extents of 0 make the array empty, but the strides are products of the others.
        let mut others = shape.iter().filter(|&&extent| extent != 0);
        let product = others.try_fold(1usize, |n, &extent| n.checked_mul(extent));
        let fits = product.is_some_and(|n| n <= isize::MAX as usize / 8);
        let count: usize = match fits {
            true => shape.iter().product(),
            false => return Err(format!("an array of shape {shape:?} is too large")),
        };
        if Vec::<T>::new().try_reserve_exact(count).is_err() {
            return Err(format!(
                "there is no memory for an array of shape {shape:?}"
            ));
        }
        Ok((vec![T::default(); count], count))
    }
    match dtype {
        abi::DTYPE_F32 => of(shape).map(|(data, n)| (MadeElements::F32(data), n)),
        abi::DTYPE_F64 => of(shape).map(|(data, n)| (MadeElements::F64(data), n)),
        abi::DTYPE_I32 => of(shape).map(|(data, n)| (MadeElements::I32(data), n)),
        abi::DTYPE_U32 => of(shape).map(|(data, n)| (MadeElements::U32(data), n)),
        other => Err(format!("no array has elements of type {other}")),
    }
}
