//! Calls of other functions from inside a native function: the host makes them.

use crate::abi::{self, Call, Request, Services, Text, View};
use crate::native::{ArrayView, Element, checked};
use std::cell::Cell;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::offset_of;
use std::ptr::{null, null_mut};

thread_local! {
    /// The call of the native function that runs on this thread: whose call it is that the host is asked for.
    static CURRENT: Cell<*const Call> = const { Cell::new(null()) };
}

/// Runs a native function. While it runs, [`call`] asks the host in the name of this call.
pub(crate) fn during<R>(call: &Call, body: impl FnOnce() -> R) -> R {
    struct Before(*const Call);
    impl Drop for Before {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _before = Before(CURRENT.replace(call));
    body()
}

/// Calls another function from inside a native function: from its `primal`, `rrule`, pullback or `frule`, on the thread that the host called
/// it on.
///
/// A plain name is a row of the same pack, private ones included, else a row of `std` or an operation of the host; rows of other packs are
/// named by their path. The types of the arguments choose among the rows of that name, and `R` says what the function gives: a number, a
/// [`HostArray`], a tuple of these, or `()`. An error is the function's own, or says what the host does not find; returned with `?`
/// it becomes the error of the call.
///
/// A row that has a `kernel` runs on the device of the calling function's arguments, if they are arrays on a device. Arrays that the
/// calling function was given are passed on as they are; others are copied.
///
/// Only values come back: the derivative of what is called is the business of the rule that calls it.
/// The guide, `plugins/README.md`, has an example.
pub fn call<'a, R: Results>(
    function: &str,
    args: impl IntoIterator<Item = Arg<'a>>,
) -> Result<R, String> {
    let Some(host) = Asker::current()? else {
        return Err(format!(
            "`{function}` is called outside of a native function: only functions that the host has called, on the thread they run on, can ask it"
        ));
    };
    let mut args: Vec<Arg<'a>> = args.into_iter().collect();
    let views: Vec<View> = args.iter_mut().map(Arg::view).collect();
    R::ask(&mut |results| host.ask(function, &views, results))
}

/// An argument of [`call`]: made `from` a number, a slice, an [`ArrayView`] or a [`HostArray`].
pub struct Arg<'a> {
    view: View,
    /// The number, if it is one.
    word: u64,
    lent: PhantomData<&'a mut ()>,
}

impl<'a> Arg<'a> {
    fn new(kind: u32, dtype: u32, data: *mut c_void, shape: (usize, &'a [usize])) -> Arg<'a> {
        let (len, extents) = shape;
        Arg {
            view: View {
                kind,
                dtype,
                data,
                len,
                rank: extents.len(),
                shape: extents.as_ptr(),
                active: 0,
                reserved: 0,
            },
            word: 0,
            lent: PhantomData,
        }
    }
    /// The view, which is valid while this stays where it is.
    fn view(&mut self) -> View {
        match self.view.kind {
            abi::KIND_SCALAR => View {
                data: (&raw mut self.word).cast(),
                ..self.view
            },
            _ => self.view,
        }
    }
}

impl<T: Element> From<T> for Arg<'_> {
    fn from(value: T) -> Self {
        let mut arg = Arg::new(abi::KIND_SCALAR, T::DTYPE, null_mut(), (1, &[]));
        // SAFETY: an element is a number of at most eight bytes.
        unsafe { (&raw mut arg.word).cast::<T>().write(value) };
        arg
    }
}
impl<'a, T: Element> From<&'a [T]> for Arg<'a> {
    fn from(slice: &'a [T]) -> Self {
        let data = slice.as_ptr().cast_mut().cast();
        Arg::new(abi::KIND_SLICE, T::DTYPE, data, (slice.len(), &[]))
    }
}
impl<'a, T: Element> From<&'a mut [T]> for Arg<'a> {
    fn from(slice: &'a mut [T]) -> Self {
        let data = slice.as_mut_ptr().cast();
        Arg::new(abi::KIND_SLICE_MUT, T::DTYPE, data, (slice.len(), &[]))
    }
}
impl<'a, T: Element> From<ArrayView<'a, T>> for Arg<'a> {
    fn from(array: ArrayView<'a, T>) -> Self {
        let data = array.data.as_ptr().cast_mut().cast();
        let shape = (array.data.len(), array.shape);
        Arg::new(abi::KIND_ARRAY, T::DTYPE, data, shape)
    }
}
impl<'a, T: Element> From<&'a HostArray<T>> for Arg<'a> {
    fn from(array: &'a HostArray<T>) -> Self {
        array.view().into()
    }
}

impl<'a, T> ArrayView<'a, T> {
    /// Elements in row-major order as an array of this shape, to be passed to [`call`].
    pub fn new(shape: &'a [usize], data: &'a [T]) -> Result<Self, String> {
        let count = shape
            .iter()
            .try_fold(1usize, |n, &extent| n.checked_mul(extent));
        match count == Some(data.len()) {
            true => Ok(ArrayView { shape, data }),
            false => Err(format!(
                "{} elements are no array of shape {shape:?}",
                data.len()
            )),
        }
    }
}

/// An array that a [`call`] gave: the host's memory, which goes back to it when this is dropped. It may outlive the call, in a
/// pullback for instance.
pub struct HostArray<T> {
    view: View,
    /// Gives the memory back.
    _owner: Owner,
    element: PhantomData<T>,
}

impl<T: Element> HostArray<T> {
    /// Extents and elements, as native functions are given them.
    pub fn view(&self) -> ArrayView<'_, T> {
        ArrayView {
            shape: self.shape(),
            data: self.data(),
        }
    }
    /// The extents; none for a single element.
    pub fn shape(&self) -> &[usize] {
        match self.view.rank {
            0 => &[],
            // SAFETY: the boundary's contract: `rank` extents, until the owner is released.
            rank => unsafe { std::slice::from_raw_parts(self.view.shape, rank) },
        }
    }
    /// The elements, in row-major order.
    pub fn data(&self) -> &[T] {
        match self.view.len {
            0 => &[],
            // SAFETY: the boundary's contract: `len` elements of the type that was compared, which nobody writes to, until the owner is
            // released.
            len => unsafe { std::slice::from_raw_parts(self.view.data.cast(), len) },
        }
    }
}

/// What is to be given back to the host.
#[derive(Debug)]
struct Owner {
    owner: *mut c_void,
    release: extern "C" fn(*mut c_void),
}

// SAFETY: the boundary's contract: an owner may be released from any thread, and what it owns is only read.
unsafe impl Send for Owner {}
// SAFETY: as above.
unsafe impl Sync for Owner {}
// SAFETY: the view is of memory that nobody writes to, and that `owner` keeps.
unsafe impl<T: Element> Send for HostArray<T> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for HostArray<T> {}

impl Drop for Owner {
    fn drop(&mut self) {
        if !self.owner.is_null() {
            (self.release)(self.owner);
        }
    }
}

/// What a [`call`] can give: a number, a [`HostArray`], a tuple of up to six of these, or `()`.
pub trait Results: Sized + sealed::Results {
    #[doc(hidden)]
    fn ask(host: &mut Ask<'_>) -> Result<Self, String>;
}

/// Has these results filled in.
type Ask<'a> = dyn FnMut(&mut [Place]) -> Result<(), String> + 'a;

mod sealed {
    pub trait Results {}
}

/// A result on its way.
#[derive(Debug)]
#[doc(hidden)]
pub struct Place {
    view: View,
    word: u64,
    owner: Option<Owner>,
}

impl Place {
    fn new(kind: u32, dtype: u32) -> Place {
        Place {
            view: View {
                kind,
                dtype,
                data: null_mut(),
                len: 0,
                rank: 0,
                shape: null(),
                active: 0,
                reserved: 0,
            },
            word: 0,
            owner: None,
        }
    }
}

/// One result.
trait Single: Sized {
    fn place() -> Place;
    fn take(place: Place) -> Result<Self, String>;
}

impl<T: Element> Single for T {
    fn place() -> Place {
        Place::new(abi::KIND_SCALAR, T::DTYPE)
    }
    fn take(place: Place) -> Result<T, String> {
        checked::<T>(&place.view, abi::KIND_SCALAR)?;
        // SAFETY: the host has written a number of this type there; before, it was zeros.
        Ok(unsafe { (&raw const place.word).cast::<T>().read() })
    }
}

impl<T: Element> Single for HostArray<T> {
    fn place() -> Place {
        Place::new(abi::KIND_ARRAY, T::DTYPE)
    }
    fn take(place: Place) -> Result<Self, String> {
        checked::<T>(&place.view, abi::KIND_ARRAY)?;
        let missing = || "the host has given no array".to_owned();
        Ok(HostArray {
            view: place.view,
            _owner: place.owner.ok_or_else(missing)?,
            element: PhantomData,
        })
    }
}

impl<T: Element> sealed::Results for T {}
impl<T: Element> Results for T {
    fn ask(host: &mut Ask<'_>) -> Result<Self, String> {
        <(T,)>::ask(host).map(|(value,)| value)
    }
}
impl<T: Element> sealed::Results for HostArray<T> {}
impl<T: Element> Results for HostArray<T> {
    fn ask(host: &mut Ask<'_>) -> Result<Self, String> {
        <(HostArray<T>,)>::ask(host).map(|(array,)| array)
    }
}

macro_rules! results {
    ($($name:ident)*) => {
        impl<$($name: Single),*> sealed::Results for ($($name,)*) {}
        #[allow(private_bounds, reason = "what a result can be is decided here")]
        impl<$($name: Single),*> Results for ($($name,)*) {
            fn ask(host: &mut Ask<'_>) -> Result<Self, String> {
                let mut places = [$($name::place()),*];
                host(&mut places)?;
                #[allow(unused_variables, unused_mut, reason = "of no result")]
                let mut places = places.into_iter();
                Ok(($({
                    let place = places.next().ok_or("a result is missing")?;
                    $name::take(place)?
                },)*))
            }
        }
    };
}
results! {}
results! { A }
results! { A B }
results! { A B C }
results! { A B C D }
results! { A B C D E }
results! { A B C D E F }

/// The host, asked in the name of the call that runs on this thread.
struct Asker {
    context: *mut c_void,
    call: extern "C" fn(*mut c_void, *mut Request) -> u32,
    release: extern "C" fn(*mut c_void),
}

impl Asker {
    /// `None` outside of native functions.
    fn current() -> Result<Option<Asker>, String> {
        // SAFETY: `during` has set it, and its call lasts until `during` returns, on this thread.
        let Some(call) = (unsafe { CURRENT.get().as_ref() }) else {
            return Ok(None);
        };
        let services = call.services;
        let needed = offset_of!(Services, release) + size_of::<usize>();
        // SAFETY: the boundary's contract: every host's services have their size, and fields up to it.
        unsafe {
            if (&raw const (*services).size).read() < needed {
                return Err("the host is too old to call functions for a pack: it needs version 1.3 of the boundary".to_owned());
            }
            Ok(Some(Asker {
                context: call.context,
                call: (*services).call,
                release: (*services).release,
            }))
        }
    }

    fn ask(&self, function: &str, args: &[View], results: &mut [Place]) -> Result<(), String> {
        let place = |place: &mut Place| match place.view.kind {
            abi::KIND_SCALAR => View {
                data: (&raw mut place.word).cast(),
                len: 1,
                ..place.view
            },
            _ => place.view,
        };
        let mut views: Vec<View> = results.iter_mut().map(place).collect();
        let mut owners = vec![null_mut(); views.len()];
        let mut request = Request {
            size: size_of::<Request>(),
            function: Text {
                data: function.as_ptr(),
                len: function.len(),
            },
            args: args.as_ptr(),
            arg_count: args.len(),
            results: views.as_mut_ptr(),
            result_count: views.len(),
            owners: owners.as_mut_ptr(),
            error: Text::new(""),
        };
        let status = (self.call)(self.context, &mut request);
        for ((place, view), owner) in results.iter_mut().zip(views).zip(owners) {
            let release = self.release;
            place.view = view;
            place.owner = (!owner.is_null()).then_some(Owner { owner, release });
        }
        match status {
            abi::OK => Ok(()),
            _ => {
                // SAFETY: the boundary's contract: readable until this function asks again. It is copied.
                let text = unsafe { request.error.read() };
                Err(text.unwrap_or("(text that is not UTF-8)").to_owned())
            }
        }
    }
}
