//! Calls of native functions over slices and arrays: what is lent to them, and what they may request during the call.
//!
//! A call is a `mooncake_pack::abi::Call` on the caller's stack. Its arguments are lent as views of their memory. Results that are arrays are
//! allocated here, when the function says their extents.
//!
//! Compiled code comes here through its frame (`SiteOp::Native` in `exec`): the array host lends the dense memory of arrays and adopts the
//! arrays that the function makes.

use super::check_faults;
use super::request::{self, Functions};
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

/// Everything that is lent in one call. Lists that an entry does not need are empty.
#[derive(Default)]
pub struct Loans {
    /// The arguments.
    pub args: Views,
    /// The results.
    pub results: Views,
    /// The tangents of the arguments, for an `frule`.
    pub tangents: Views,
    /// The tangents of the results, for an `frule`.
    pub result_tangents: Views,
    /// The cotangents of the results, for a pullback.
    pub seeds: Views,
    /// The cotangents of the arguments, for a pullback.
    pub cotangents: Views,
    /// The tangents of the seeds, for the pullback of a `second`.
    pub seed_tangents: Views,
    /// The tangents of the cotangents, for the pullback of a `second`.
    pub cotangent_tangents: Views,
}

/// The pullback that a call of an `rrule` returns. It belongs to the pack and is dropped exactly once, whether or not it was called.
#[derive(Debug)]
pub struct Pullback(abi::Pullback);

// SAFETY: the boundary's contract: a pullback may be called and dropped on another thread than the one that made it.
unsafe impl Send for Pullback {}

impl Pullback {
    /// No pullback.
    pub fn none() -> Pullback {
        Pullback(abi::Pullback {
            data: null_mut(),
            call: null(),
            drop: null(),
        })
    }
}

impl Drop for Pullback {
    fn drop(&mut self) {
        if !self.0.drop.is_null() {
            // SAFETY: the boundary's contract for an address that is not null.
            let drop = unsafe {
                std::mem::transmute::<*const c_void, extern "C" fn(*mut c_void)>(self.0.drop)
            };
            drop(self.0.data);
        }
    }
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

    /// A slice with this number of elements.
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

/// The code of a scalar type in the ABI.
pub fn dtype(ty: Type) -> u32 {
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
        // These types do not cross the boundary.
        Type::F16
        | Type::F32x4
        | Type::F64x2
        | Type::Tuple(_)
        | Type::Slice(_)
        | Type::SliceMut(_)
        | Type::Array(_)
        | Type::Ptr
        | Type::Addr
        | Type::Infer(_) => 0,
    }
}

/// The called function, for messages.
#[derive(Clone, Copy, Debug)]
pub struct Callee {
    /// The pack.
    pub pack: Symbol,
    /// The function.
    pub name: Symbol,
    /// Where the call is.
    pub span: Span,
}

/// The data behind the `context` of a call.
pub(super) struct State<'a> {
    /// The called function.
    pub callee: Callee,
    /// Makes the calls that the function requests.
    pub functions: &'a dyn Functions,
    /// The error of the last request that failed.
    pub refused: Option<String>,
    error: Option<String>,
    /// The arrays made so far, with the address of the view that they were made for.
    made: SmallVec<[(*mut View, Made); 2]>,
    /// The views for which arrays may be made: those of the results, and of their tangents.
    results: [(*mut View, usize); 2],
}

static SERVICES: Services = Services {
    size: size_of::<Services>(),
    allocate,
    set_error,
    call: request::call,
    release: request::release,
    allocate_any,
};

/// Calls a native function, and takes the pullback that it gives. `functions` makes the calls that it asks for. `made` gets the arrays among the results and
/// among their tangents, in order, `None` for a tangent that it has not made; scalars are where their views say.
///
/// # Safety
///
/// `code` is the address of a function of the boundary's, and the views are of memory that is as they say, for the time of the call; no
/// memory that is written to overlaps with other memory among them.
pub unsafe fn invoke(
    code: NativeCode,
    callee: &Callee,
    loans: &mut Loans,
    pullback: Option<&mut Pullback>,
    functions: &dyn Functions,
    made: &mut MadeArrays,
) -> Result<()> {
    let mut state = State::new(loans, callee, functions);
    let mut call = state.call(code, loans);
    call.pullback = pullback.map_or(null_mut(), |pullback| &raw mut pullback.0);
    // SAFETY: the caller's promise.
    let function = unsafe {
        std::mem::transmute::<*const (), extern "C" fn(*const Call) -> u32>(
            code.address as *const (),
        )
    };
    let status = function(&call);
    outcome(status, &mut state, callee)?;
    arrays(&mut state, loans, callee, made)
}

/// Calls a pullback that this `rrule` has given, and drops it.
///
/// # Safety
///
/// As for [`invoke`], of the views.
pub unsafe fn call_pullback(
    pullback: Pullback,
    code: NativeCode,
    callee: &Callee,
    loans: &mut Loans,
    functions: &dyn Functions,
) -> Result<()> {
    if pullback.0.call.is_null() {
        return Ok(());
    }
    let mut state = State::new(loans, callee, functions);
    let call = state.call(code, loans);
    // SAFETY: the boundary's contract for an address that is not null.
    let function = unsafe {
        std::mem::transmute::<*const c_void, extern "C" fn(*mut c_void, *const Call) -> u32>(
            pullback.0.call,
        )
    };
    let status = function(pullback.0.data, &call);
    outcome(status, &mut state, callee)
}

/// The arrays that a function has made; `None` for optional ones that it has not made.
pub type MadeArrays = SmallVec<[Option<Made>; 2]>;

impl<'a> State<'a> {
    fn new(loans: &mut Loans, callee: &Callee, functions: &'a dyn Functions) -> State<'a> {
        let views = |views: &mut Views| (views.as_mut_ptr(), views.len());
        State {
            callee: *callee,
            functions,
            refused: None,
            error: None,
            made: SmallVec::new(),
            results: [views(&mut loans.results), views(&mut loans.result_tangents)],
        }
    }

    /// A call with these loans, which outlive it. Its context is this state, which must not move.
    fn call(&mut self, code: NativeCode, loans: &Loans) -> Call {
        let [results, result_tangents] = self.results;
        let list = |views: &Views| match views.is_empty() {
            true => null(),
            false => views.as_ptr(),
        };
        Call {
            size: size_of::<Call>(),
            services: &SERVICES,
            context: (&raw mut *self).cast(),
            data: std::ptr::with_exposed_provenance(code.data),
            float: dtype(code.float),
            reserved: 0,
            args: list(&loans.args),
            arg_count: loans.args.len(),
            results: results.0,
            result_count: results.1,
            pullback: null_mut(),
            tangents: list(&loans.tangents),
            result_tangents: match result_tangents.1 {
                0 => null_mut(),
                _ => result_tangents.0,
            },
            seeds: list(&loans.seeds),
            cotangents: list(&loans.cotangents),
            seed_tangents: list(&loans.seed_tangents),
            cotangent_tangents: list(&loans.cotangent_tangents),
        }
    }
}

/// The meaning of a status.
fn outcome(status: u32, state: &mut State<'_>, callee: &Callee) -> Result<()> {
    let message = match status {
        abi::OK => return Ok(()),
        abi::FAILED => {
            { state.error.take() }.unwrap_or_else(|| "it failed without saying why".to_owned())
        }
        abi::PANICKED => {
            check_faults([callee.pack])?;
            "it panicked".to_owned()
        }
        other => format!(
            "it gave the status {other}: expected {} where it succeeds, {} where it fails and has said why, {} after a panic",
            abi::OK,
            abi::FAILED,
            abi::PANICKED
        ),
    };
    Err(failed(callee, &message))
}

/// The error of a call.
pub fn failed(callee: &Callee, message: &str) -> Error {
    let message = format!("`{}`: {message}", callee.name);
    Error::Fault(Diagnostic::new(callee.span, message))
}

/// The arrays that the results ask for, in order.
fn arrays(
    state: &mut State<'_>,
    loans: &Loans,
    callee: &Callee,
    arrays: &mut MadeArrays,
) -> Result<()> {
    let made = &mut state.made;
    let mut find = |view: &View| {
        let at = made.iter().position(|(of, _)| std::ptr::eq(*of, view));
        at.map(|at| made.swap_remove(at).1)
    };
    for (n, view) in loans.results.iter().enumerate() {
        if view.kind == abi::KIND_ARRAY {
            let Some(found) = find(view) else {
                let message = format!("it gave no array as its result {n}");
                return Err(failed(callee, &message));
            };
            arrays.push(Some(found));
        }
    }
    for (n, view) in loans.result_tangents.iter().enumerate() {
        if view.kind == abi::KIND_ARRAY {
            let tangent = find(view);
            let shape = arrays_before(&loans.results, n);
            let result = arrays.get(shape).and_then(Option::as_ref);
            if let (Some(tangent), Some(result)) = (&tangent, result)
                && tangent.shape != result.shape
            {
                let message = format!(
                    "the tangent of its result {n} has the shape {:?}, the result {:?}",
                    tangent.shape, result.shape
                );
                return Err(failed(callee, &message));
            }
            arrays.push(tangent);
        }
    }
    Ok(())
}

/// How many of the first views are arrays.
fn arrays_before(views: &Views, count: usize) -> usize {
    let arrays = views[..count].iter();
    arrays.filter(|view| view.kind == abi::KIND_ARRAY).count()
}

extern "C" fn set_error(context: *mut c_void, message: Text) {
    // SAFETY: packs pass on the context of their call, which is on the stack of `invoke`.
    let state = unsafe { &mut *context.cast::<State<'_>>() };
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
    allocated(context, view, (rank, shape), true)
}

extern "C" fn allocate_any(
    context: *mut c_void,
    view: *mut View,
    rank: usize,
    shape: *const usize,
) -> *mut c_void {
    allocated(context, view, (rank, shape), false)
}

/// Makes memory for a result, filled with zeros if requested.
fn allocated(
    context: *mut c_void,
    view: *mut View,
    (rank, shape): (usize, *const usize),
    zeros: bool,
) -> *mut c_void {
    // SAFETY: packs pass on the context of their call, which is on the stack of `invoke`.
    let state = unsafe { &mut *context.cast::<State<'_>>() };
    let shape: &[usize] = match rank {
        0 => &[],
        // SAFETY: the boundary's contract: `rank` extents, readable during the call.
        1..=MAX_RANK => unsafe { std::slice::from_raw_parts(shape, rank) },
        _ => {
            state.error = Some(format!("an array of {rank} axes; at most {MAX_RANK}"));
            return null_mut();
        }
    };
    let made = catch_unwind(AssertUnwindSafe(|| make(state, view, shape, zeros)));
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
    state: &mut State<'_>,
    view: *mut View,
    shape: &[usize],
    zeros: bool,
) -> std::result::Result<*mut c_void, String> {
    let among = |&(first, count): &(*mut View, usize)| {
        (0..count).any(|n| std::ptr::eq(first.wrapping_add(n), view))
    };
    let known = state.results.iter().any(among);
    // SAFETY: one of the views of the call.
    let Some(found) = known.then(|| unsafe { &mut *view }) else {
        return Err("it asks for memory for a value that is not one of its results".to_owned());
    };
    if found.kind != abi::KIND_ARRAY || state.made.iter().any(|(of, _)| std::ptr::eq(*of, view)) {
        return Err(
            "it asks for memory for a result that is not an array, or that has its memory already"
                .to_owned(),
        );
    }
    let (mut elements, len) = room(state.functions, found.dtype, shape, zeros)?;
    let data = elements.address();
    (found.data, found.len) = (data, len);
    let shape = shape.into();
    state.made.push((view, Made { shape, elements }));
    Ok(data)
}

/// An array of zeros, with the address of its elements.
pub fn zeroed(element: Type, shape: &[usize]) -> Result<(Made, *mut c_void)> {
    let (mut elements, _) = fresh(dtype(element), shape).map_err(Error::Memory)?;
    let data = elements.address();
    let shape = shape.into();
    Ok((Made { shape, elements }, data))
}

/// Memory for an array, reused if the array host has a fitting one.
fn room(
    functions: &dyn Functions,
    dtype: u32,
    shape: &[usize],
    zeros: bool,
) -> std::result::Result<(MadeElements, usize), String> {
    let count = count(shape)?;
    match functions.room(dtype, count) {
        Some(mut elements) => {
            if zeros {
                elements.clear();
            }
            Ok((elements, count))
        }
        None => fresh(dtype, shape),
    }
}

impl MadeElements {
    fn clear(&mut self) {
        match self {
            MadeElements::F32(data) => data.fill(0.0),
            MadeElements::F64(data) => data.fill(0.0),
            MadeElements::I32(data) => data.fill(0),
            MadeElements::U32(data) => data.fill(0),
        }
    }
    fn address(&mut self) -> *mut c_void {
        match self {
            MadeElements::F32(data) => data.as_mut_ptr().cast(),
            MadeElements::F64(data) => data.as_mut_ptr().cast(),
            MadeElements::I32(data) => data.as_mut_ptr().cast(),
            MadeElements::U32(data) => data.as_mut_ptr().cast(),
        }
    }
}

/// The number of elements of an array of this shape, if there can be such an array.
fn count(shape: &[usize]) -> std::result::Result<usize, String> {
    // Extents of 0 make the array empty, but the strides are products of the others.
    let mut others = shape.iter().filter(|&&extent| extent != 0);
    let product = others.try_fold(1usize, |n, &extent| n.checked_mul(extent));
    match product.is_some_and(|n| n <= isize::MAX as usize / 8) {
        true => Ok(shape.iter().product()),
        false => Err(format!("an array of shape {shape:?} is too large")),
    }
}

/// Zeros for all elements of an array of this shape, and their number.
fn fresh(dtype: u32, shape: &[usize]) -> std::result::Result<(MadeElements, usize), String> {
    fn of<T: Copy + Default>(shape: &[usize]) -> std::result::Result<(Vec<T>, usize), String> {
        let count = count(shape)?;
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
