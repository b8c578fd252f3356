//! Native functions as the author of a pack writes them: what crosses the boundary as addresses, as safe types.
//!
//! The function that [`native!`](crate::native) puts at the boundary reads the [`Call`] that the host passes, hands its parts to the
//! author's function, and turns an error or a panic into a status. Nothing is copied: arrays and slices are the host's
//! own memory, lent for the time of the call.

use crate::abi::{self, Call, Services, Text, View};
use crate::call::during;
use crate::guard::caught;
use std::cell::Cell;
use std::ffi::c_void;
use std::mem::offset_of;

/// What a native function gives: nothing besides what it writes to its results, or what is wrong.
pub type Outcome = Result<(), String>;

/// A number or a bool as it crosses the boundary.
pub trait Element: Copy + 'static + sealed::Sealed {
    /// `DTYPE_*`
    const DTYPE: u32;
}

mod sealed {
    /// What crosses is decided by [`abi`](crate::abi).
    pub trait Sealed {}
}

macro_rules! elements {
    ($($t:ty = $dtype:ident;)*) => {$(
        impl sealed::Sealed for $t {}
        impl Element for $t {
            const DTYPE: u32 = abi::$dtype;
        }
    )*};
}
elements! {
    bool = DTYPE_BOOL; i8 = DTYPE_I8; i16 = DTYPE_I16; i32 = DTYPE_I32; i64 = DTYPE_I64; isize = DTYPE_ISIZE;
    u8 = DTYPE_U8; u16 = DTYPE_U16; u32 = DTYPE_U32; u64 = DTYPE_U64; usize = DTYPE_USIZE;
    f32 = DTYPE_F32; f64 = DTYPE_F64;
}

/// A dense array in row-major order, lent to be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArrayView<'a, T> {
    pub(crate) shape: &'a [usize],
    pub(crate) data: &'a [T],
}

impl<'a, T> ArrayView<'a, T> {
    /// The extents; none for a single element.
    pub fn shape(&self) -> &'a [usize] {
        self.shape
    }
    /// The elements.
    pub fn data(&self) -> &'a [T] {
        self.data
    }
    /// The rows and columns of a matrix.
    pub fn matrix(&self) -> Result<(usize, usize), String> {
        match *self.shape {
            [rows, columns] => Ok((rows, columns)),
            _ => Err(format!(
                "expected a matrix, found an array of shape {:?}",
                self.shape
            )),
        }
    }
    /// The extent of a square matrix.
    pub fn square(&self) -> Result<usize, String> {
        match *self.shape {
            [rows, columns] if rows == columns => Ok(rows),
            _ => Err(format!(
                "expected a square matrix, found an array of shape {:?}",
                self.shape
            )),
        }
    }
}

/// A result that is an array: its shape is the function's to say.
pub struct ArrayOut<'a, T> {
    call: &'a Call,
    view: *mut View,
    element: std::marker::PhantomData<T>,
}

impl<'a, T: Element> ArrayOut<'a, T> {
    /// The array with these extents, filled with zeros, to be written in row-major order.
    pub fn allocate(self, shape: &[usize]) -> Result<&'a mut [T], String> {
        // SAFETY: the host's services live as long as the process. Those of an older host are shorter, so there is no reference to them.
        let allocate = unsafe { (*self.call.services).allocate };
        self.made(allocate, shape)
    }
    /// The array with these extents, for a function that writes all elements: what they are before may be anything. It saves the writing of zeros.
    pub fn allocate_any(self, shape: &[usize]) -> Result<&'a mut [T], String> {
        let services = self.call.services;
        let needed = offset_of!(Services, allocate_any) + size_of::<usize>();
        // SAFETY: as above; what an older host does not have is not read.
        let allocate = unsafe {
            match (&raw const (*services).size).read() < needed {
                true => (*services).allocate,
                false => (*services).allocate_any,
            }
        };
        self.made(allocate, shape)
    }
    fn made(self, allocate: Allocate, shape: &[usize]) -> Result<&'a mut [T], String> {
        let data = allocate(self.call.context, self.view, shape.len(), shape.as_ptr());
        if data.is_null() {
            return Err(HOST_KNOWS.to_owned());
        }
        // SAFETY: the boundary's contract: room for as many elements of the view's type, which `out` has compared, as the extents
        // say; it is ours alone until the call ends.
        Ok(unsafe { std::slice::from_raw_parts_mut(data.cast(), shape.iter().product()) })
    }
}

/// A service that makes room for an array.
type Allocate = extern "C" fn(*mut c_void, *mut View, usize, *const usize) -> *mut c_void;

/// The error where the host has said already what is wrong.
const HOST_KNOWS: &str = "";

/// A type of a signature, as [`native!`](crate::native) writes it: what an argument and a result of it are.
pub trait Passed {
    /// What an argument arrives as.
    type Argument<'a>: Argument<'a>;
    /// What a result is written to.
    type Out<'a>: Out<'a>;
}

/// `array<T>` of a signature.
pub struct Array<T>(std::marker::PhantomData<T>);

impl<T: Element> Passed for Array<T> {
    type Argument<'a> = ArrayView<'a, T>;
    type Out<'a> = ArrayOut<'a, T>;
}
impl<T: Element> Passed for T {
    type Argument<'a> = T;
    type Out<'a> = &'a mut T;
}
impl<T: Element> Passed for &[T] {
    type Argument<'a> = &'a [T];
    type Out<'a> = NoResult;
}
impl<T: Element> Passed for &mut [T] {
    type Argument<'a> = &'a mut [T];
    type Out<'a> = NoResult;
}

/// No function returns a slice.
pub enum NoResult {}

/// What an argument can arrive as.
pub trait Argument<'a>: Sized {
    /// Reads the view.
    #[doc(hidden)]
    fn from_view(view: &'a View) -> Result<Self, String>;
}

impl<'a, T: Element> Argument<'a> for T {
    fn from_view(view: &'a View) -> Result<T, String> {
        checked::<T>(view, abi::KIND_SCALAR)?;
        // SAFETY: the boundary's contract: the address of a scalar of this type.
        Ok(unsafe { *view.data.cast::<T>() })
    }
}
impl<'a, T: Element> Argument<'a> for &'a [T] {
    fn from_view(view: &'a View) -> Result<Self, String> {
        checked::<T>(view, abi::KIND_SLICE)?;
        Ok(read(view))
    }
}
impl<'a, T: Element> Argument<'a> for &'a mut [T] {
    fn from_view(view: &'a View) -> Result<Self, String> {
        checked::<T>(view, abi::KIND_SLICE_MUT)?;
        Ok(write(view))
    }
}
impl<'a, T: Element> Argument<'a> for ArrayView<'a, T> {
    fn from_view(view: &'a View) -> Result<Self, String> {
        checked::<T>(view, abi::KIND_ARRAY)?;
        let shape = match view.rank {
            0 => &[][..],
            // SAFETY: the boundary's contract: `rank` extents.
            rank => unsafe { std::slice::from_raw_parts(view.shape, rank) },
        };
        let data = read(view);
        Ok(ArrayView { shape, data })
    }
}

/// What a result can be written to.
pub trait Out<'a>: Sized {
    /// Reads the view.
    #[doc(hidden)]
    fn from_view(call: &'a Call, view: *mut View) -> Result<Self, String>;
}

impl<'a, T: Element> Out<'a> for &'a mut T {
    fn from_view(_: &'a Call, view: *mut View) -> Result<Self, String> {
        // SAFETY: `Given` passes the address of a view of the call.
        let view = unsafe { &*view };
        checked::<T>(view, abi::KIND_SCALAR)?;
        // SAFETY: the boundary's contract: the address of a scalar of this type, ours alone until the call ends.
        Ok(unsafe { &mut *view.data.cast::<T>() })
    }
}
impl<'a, T: Element> Out<'a> for ArrayOut<'a, T> {
    fn from_view(call: &'a Call, view: *mut View) -> Result<Self, String> {
        // SAFETY: `Given` passes the address of a view of the call.
        checked::<T>(unsafe { &*view }, abi::KIND_ARRAY)?;
        let element = std::marker::PhantomData;
        Ok(ArrayOut {
            call,
            view,
            element,
        })
    }
}
impl<'a> Out<'a> for NoResult {
    fn from_view(_: &'a Call, _: *mut View) -> Result<Self, String> {
        Err("a slice cannot be a result".to_owned())
    }
}

pub(crate) fn checked<T: Element>(view: &View, kind: u32) -> Outcome {
    match (view.kind, view.dtype) == (kind, T::DTYPE) {
        true => Ok(()),
        false => Err(format!(
            "the host passes {}, the function takes {}",
            written(view.kind, view.dtype),
            written(kind, T::DTYPE)
        )),
    }
}

/// The type of a view, for messages.
fn written(kind: u32, dtype: u32) -> String {
    let names = [
        "bool", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "f32",
        "f64",
    ];
    let name = { dtype.checked_sub(abi::DTYPE_BOOL) }.and_then(|n| names.get(n as usize));
    let name = name.unwrap_or(&"an unknown type");
    match kind {
        abi::KIND_ABSENT => "nothing".to_owned(),
        abi::KIND_SCALAR => (*name).to_owned(),
        abi::KIND_SLICE => format!("&[{name}]"),
        abi::KIND_SLICE_MUT => format!("&mut [{name}]"),
        abi::KIND_ARRAY => format!("array<{name}>"),
        _ => format!("an unknown kind of {name}"),
    }
}

/// The elements of a view whose type was checked.
fn read<T: Element>(view: &View) -> &[T] {
    match view.len {
        0 => &[],
        // SAFETY: the boundary's contract: `len` elements of this type, which nobody writes to while the call lasts.
        len => unsafe { std::slice::from_raw_parts(view.data.cast(), len) },
    }
}

/// The elements of a view whose type was checked, to be written. Each view is asked for once.
#[allow(clippy::mut_from_ref, reason = "the view is not the memory")]
fn write<T: Element>(view: &View) -> &mut [T] {
    match view.len {
        0 => &mut [],
        // SAFETY: the boundary's contract: `len` elements of this type, ours alone while the call lasts.
        len => unsafe { std::slice::from_raw_parts_mut(view.data.cast(), len) },
    }
}

/// A call, whose arguments and results are asked for in order, each once.
pub struct Given<'a> {
    call: &'a Call,
    args: Cell<usize>,
    results: Cell<usize>,
}

impl<'a> Given<'a> {
    /// The next argument.
    pub fn argument<V: Argument<'a>>(&self) -> Result<V, String> {
        let n = self.args.replace(self.args.get() + 1);
        V::from_view(view(self.call.args, self.call.arg_count, n)?)
    }
    /// What the next result is written to.
    pub fn out<V: Out<'a>>(&self) -> Result<V, String> {
        let n = self.results.replace(self.results.get() + 1);
        match n < self.call.result_count {
            true => V::from_view(self.call, self.call.results.wrapping_add(n)),
            false => Err(format!("the host passes no result {n}")),
        }
    }
    /// Whether the signature's `T` is f32.
    pub fn is_f32(&self) -> bool {
        self.call.float == abi::DTYPE_F32
    }
}

/// The n-th view of a list of so many.
fn view<'a>(list: *const View, count: usize, n: usize) -> Result<&'a View, String> {
    match n < count && !list.is_null() {
        // SAFETY: the boundary's contract: a list that is not null has as many views as there are arguments or results, for the
        // time of the call; callers keep what they get no longer than the call.
        true => Ok(unsafe { &*list.add(n) }),
        false => Err(format!("the host passes no value {n}")),
    }
}

/// Runs a native function of a pack on a call. Gives a status; an error's text goes to the host.
///
/// # Safety
///
/// `call` is the address of a [`Call`] as the boundary describes it.
pub unsafe fn run(
    pack: &'static str,
    function: &'static str,
    call: *const Call,
    body: impl FnOnce(&Given<'_>) -> Outcome,
) -> u32 {
    // SAFETY: the caller's promise.
    let call = unsafe { &*call };
    let given = Given {
        call,
        args: Cell::new(0),
        results: Cell::new(0),
    };
    status(pack, function, call, || body(&given))
}

/// The status of what a function gives.
fn status(
    pack: &'static str,
    function: &'static str,
    call: &Call,
    body: impl FnOnce() -> Outcome,
) -> u32 {
    match caught(pack, function, || during(call, body)) {
        Some(Ok(())) => abi::OK,
        Some(Err(message)) if message == HOST_KNOWS => abi::FAILED,
        Some(Err(message)) => {
            let text = Text {
                data: message.as_ptr(),
                len: message.len(),
            };
            // SAFETY: the host's services live as long as the process.
            let set_error = unsafe { (*call.services).set_error };
            set_error(call.context, text);
            abi::FAILED
        }
        None => abi::PANICKED,
    }
}

/// The cotangents of one call, for the pullback that an `rrule` has given. Arguments and results are counted from 0, as in the
/// signature. What is written to can be asked for once.
pub struct Cotangents<'a> {
    call: &'a Call,
    /// The arguments whose cotangents have been given out, those whose memory has been, and the same of the tangents of both.
    taken: [Cell<u64>; 4],
}

impl<'a> Cotangents<'a> {
    /// The cotangent of a result: its elements, one for a scalar.
    pub fn seed<T: Element>(&self, result: usize) -> Result<&'a [T], String> {
        let view = view(self.call.seeds, self.call.result_count, result)?;
        checked::<T>(view, view.kind)?;
        Ok(read(view))
    }
    /// The cotangent of an argument, to be added to: its elements, one for a scalar. `None` if nobody wants it.
    pub fn of<T: Element>(&self, argument: usize) -> Result<Option<&'a mut [T]>, String> {
        let view = view(self.call.cotangents, self.call.arg_count, argument)?;
        if view.kind == abi::KIND_ABSENT {
            return Ok(None);
        }
        checked::<T>(view, view.kind)?;
        take(&self.taken[0], argument)?;
        Ok(Some(write(view)))
    }
    /// An argument that is an array, or a slice that is read.
    pub fn argument<V: ReadAgain<'a>>(&self, argument: usize) -> Result<V, String> {
        V::from_view(view(self.call.args, self.call.arg_count, argument)?)
    }
    /// An argument that is a mutable slice: with its final contents before, with its initial contents after.
    pub fn memory<T: Element>(&self, argument: usize) -> Result<&'a mut [T], String> {
        take(&self.taken[1], argument)?;
        Argument::from_view(view(self.call.args, self.call.arg_count, argument)?)
    }
    /// In the pullback of a `second`: the tangent of the cotangent of a result. `None` if it is zero.
    pub fn seed_tangent<T: Element>(&self, result: usize) -> Result<Option<&'a [T]>, String> {
        let view = view(self.call.seed_tangents, self.call.result_count, result)?;
        match view.kind {
            abi::KIND_ABSENT => Ok(None),
            kind => checked::<T>(view, kind).map(|()| Some(read(view))),
        }
    }
    /// In the pullback of a `second`: the tangent of the cotangent of an argument, to be added to, or changed, as that is.
    pub fn tangent_of<T: Element>(&self, argument: usize) -> Result<Option<&'a mut [T]>, String> {
        let view = view(self.call.cotangent_tangents, self.call.arg_count, argument)?;
        if view.kind == abi::KIND_ABSENT {
            return Ok(None);
        }
        checked::<T>(view, view.kind)?;
        take(&self.taken[2], argument)?;
        Ok(Some(write(view)))
    }
    /// In the pullback of a `second`: the tangent of an argument that is a slice which is read. `None` if it is zero.
    pub fn argument_tangent<T: Element>(&self, argument: usize) -> Result<Option<&'a [T]>, String> {
        let view = view(self.call.tangents, self.call.arg_count, argument)?;
        match view.kind {
            abi::KIND_ABSENT => Ok(None),
            kind => checked::<T>(view, kind).map(|()| Some(read(view))),
        }
    }
    /// In the pullback of a `second`: the tangent of an argument that is a mutable slice: of its final contents before, of its initial
    /// contents after.
    pub fn memory_tangent<T: Element>(
        &self,
        argument: usize,
    ) -> Result<Option<&'a mut [T]>, String> {
        let view = view(self.call.tangents, self.call.arg_count, argument)?;
        if view.kind == abi::KIND_ABSENT {
            return Ok(None);
        }
        take(&self.taken[3], argument)?;
        Argument::from_view(view).map(Some)
    }
    /// A result that is an array.
    pub fn result<T: Element>(&self, result: usize) -> Result<ArrayView<'a, T>, String> {
        Argument::from_view(view(self.call.results, self.call.result_count, result)?)
    }
}

/// Arguments that a pullback may read again.
pub trait ReadAgain<'a>: Argument<'a> {}
impl<'a, T: Element> ReadAgain<'a> for &'a [T] {}
impl<'a, T: Element> ReadAgain<'a> for ArrayView<'a, T> {}

/// Notes that something was given out; an error if it was before. There are at most 64 arguments.
fn take(taken: &Cell<u64>, n: usize) -> Outcome {
    let bit = 1 << (n as u32 % u64::BITS);
    match taken.replace(taken.get() | bit) & bit {
        0 => Ok(()),
        _ => Err(format!("what belongs to argument {n} is asked for twice")),
    }
}

/// The tangents of one call, for an `frule`. Arguments and results are counted from 0, as in the signature. What is written
/// to can be asked for once.
pub struct Tangents<'a> {
    call: &'a Call,
    /// The arguments and the results whose tangents have been given out to be written.
    taken: [Cell<u64>; 2],
}

impl<'a> Tangents<'a> {
    /// The tangents of a call of an `frule`.
    pub fn new(given: &Given<'a>) -> Self {
        Tangents {
            call: given.call,
            taken: Default::default(),
        }
    }
    /// The tangent of an argument: its elements, one for a scalar. `None` if it is zero.
    pub fn of<T: Element>(&self, argument: usize) -> Result<Option<&'a [T]>, String> {
        let view = view(self.call.tangents, self.call.arg_count, argument)?;
        match view.kind {
            abi::KIND_ABSENT => Ok(None),
            abi::KIND_SLICE_MUT => Err(format!(
                "argument {argument} is a mutable slice: ask for its tangent with `memory`"
            )),
            kind => checked::<T>(view, kind).map(|()| Some(read(view))),
        }
    }
    /// The tangent of an argument that is a mutable slice, to be read and written as the slice is.
    pub fn memory<T: Element>(&self, argument: usize) -> Result<Option<&'a mut [T]>, String> {
        let view = view(self.call.tangents, self.call.arg_count, argument)?;
        if view.kind == abi::KIND_ABSENT {
            return Ok(None);
        }
        take(&self.taken[0], argument)?;
        Argument::from_view(view).map(Some)
    }
    /// Whether an argument has a tangent; else it is zero.
    pub fn has(&self, argument: usize) -> bool {
        let view = view(self.call.tangents, self.call.arg_count, argument);
        view.is_ok_and(|view| view.kind != abi::KIND_ABSENT)
    }
    /// Where the tangent of a result is written, if the result is a scalar.
    pub fn scalar<T: Element>(&self, result: usize) -> Result<&'a mut T, String> {
        take(&self.taken[1], result)?;
        Out::from_view(self.call, self.result(result)?)
    }
    /// Where the tangent of a result is written, if the result is an array.
    pub fn array<T: Element>(&self, result: usize) -> Result<ArrayOut<'a, T>, String> {
        take(&self.taken[1], result)?;
        Out::from_view(self.call, self.result(result)?)
    }
    fn result(&self, n: usize) -> Result<*mut View, String> {
        view(self.call.result_tangents, self.call.result_count, n)?;
        Ok(self.call.result_tangents.wrapping_add(n))
    }
}

/// A pullback in the pack's memory, until the host drops it.
struct Kept<P> {
    pack: &'static str,
    function: &'static str,
    /// `None` once it is called.
    pullback: Option<P>,
}

/// Gives the host the pullback that an `rrule` has made.
pub fn give_pullback<P>(
    given: &Given<'_>,
    pack: &'static str,
    function: &'static str,
    pullback: P,
) -> Outcome
where
    P: for<'a> FnOnce(&Cotangents<'a>) -> Outcome + Send + 'static,
{
    let kept = Box::new(Kept {
        pack,
        function,
        pullback: Some(pullback),
    });
    if given.call.pullback.is_null() {
        return Err("the host takes no pullback".to_owned());
    }
    // SAFETY: the boundary's contract: not null means the address of a `Pullback` to be filled in.
    unsafe {
        *given.call.pullback = abi::Pullback {
            data: Box::into_raw(kept).cast(),
            call: call_pullback::<P> as *const c_void,
            drop: drop_pullback::<P> as *const c_void,
        }
    };
    Ok(())
}

extern "C" fn call_pullback<P>(data: *mut c_void, call: *const Call) -> u32
where
    P: for<'a> FnOnce(&Cotangents<'a>) -> Outcome,
{
    // SAFETY: the host passes the address that `give_pullback` has given it, which is alive until it is dropped, and a call.
    let (kept, call) = unsafe { (&mut *data.cast::<Kept<P>>(), &*call) };
    let cotangents = Cotangents {
        call,
        taken: Default::default(),
    };
    status(kept.pack, kept.function, call, || {
        match kept.pullback.take() {
            Some(pullback) => pullback(&cotangents),
            None => Err("the pullback is called a second time".to_owned()),
        }
    })
}

extern "C" fn drop_pullback<P>(data: *mut c_void) {
    // SAFETY: the host drops once what `give_pullback` has given it.
    let kept = unsafe { Box::from_raw(data.cast::<Kept<P>>()) };
    let (pack, function) = (kept.pack, kept.function);
    caught(pack, function, || drop(kept));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_views_are_written_as_in_rust() {
        let texts = [
            (abi::KIND_SCALAR, abi::DTYPE_BOOL),
            (abi::KIND_SLICE, abi::DTYPE_U32),
            (abi::KIND_SLICE_MUT, abi::DTYPE_F64),
            (abi::KIND_ARRAY, abi::DTYPE_F32),
            (abi::KIND_ABSENT, 0),
            (9, 99),
        ]
        .map(|(kind, dtype)| written(kind, dtype));
        let expected = [
            "bool",
            "&[u32]",
            "&mut [f64]",
            "array<f32>",
            "nothing",
            "an unknown kind of an unknown type",
        ];
        assert_eq!(texts, expected);
    }
}
