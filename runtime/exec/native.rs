//! Calls of packs' functions over slices and arrays: from the words of a site to what is lent, and back.
//!
//! The frame keeps the pullbacks that `rrule`s give, as a stack: the reverse pass comes to them in the opposite order, as it does to
//! the records on the tape.

use super::{Asked, Host};
use crate::codegen::cpu::{LeafWord, NativeRole, NativeSite, Site};
use crate::diag::{Error, Result};
use crate::ir::{Symbol, Type};
use crate::plugin::{
    Callee, Loans, Made, MadeArrays, Pullback, View, Views, call_pullback, failed, invoke, view,
    zeroed,
};
use crate::tangent::{self, Home};
use mooncake_pack::abi::{DTYPE_F32, DTYPE_F64, KIND_ARRAY, KIND_SLICE_MUT};
use smallvec::SmallVec;
use std::ffi::c_void;
use std::sync::Arc;

/// Memory of the host's that holds elements nobody changes.
pub trait HostMemory: Send + Sync {
    /// All of it.
    fn bytes(&self) -> &[u8];
}

/// A dense array, lent by its host for the time of a call.
pub struct Lent {
    /// Its extents.
    pub shape: SmallVec<[usize; 4]>,
    /// Where its elements are.
    pub memory: Arc<dyn HostMemory>,
    /// The first of them, counted in bytes.
    pub offset: usize,
}

impl Lent {
    /// The array as a view. Its elements are read only.
    pub(super) fn view(&self, element: Type) -> Result<View> {
        let size = element.size().unwrap_or(8);
        let bytes = self.shape.iter().product::<usize>() * size;
        let elements = self.memory.bytes().get(self.offset..);
        let Some(elements) = elements.filter(|rest| rest.len() >= bytes) else {
            return Err(Error::Internal(format!(
                "an array of shape {:?} is larger than its memory",
                self.shape
            )));
        };
        let data = elements.as_ptr().cast::<c_void>().cast_mut();
        match data.addr() % size {
            0 => Ok(view::array(data, &self.shape, element)),
            _ => Err(Error::Internal("an array is not aligned".to_owned())),
        }
    }
}

/// A call of a kernel.
pub struct KernelCall<'a> {
    /// The function.
    pub name: Symbol,
    /// The types of the arguments, with their words.
    pub args: SmallVec<[(Type, u64); 6]>,
    /// The types of the results.
    pub results: &'a [LeafWord],
}

/// A native function that is called, the words that it is called with, and the host of its arrays.
pub struct NativeCall<'a> {
    /// The function.
    pub native: &'a NativeSite,
    /// Where it is called.
    pub site: &'a Site,
    /// The words of the site's arguments.
    pub args: &'a [u64],
    /// Lends and takes arrays.
    pub host: &'a dyn Host,
}

/// The arrays that are lent to one call.
type Arrays = SmallVec<[Lent; 4]>;

impl NativeCall<'_> {
    fn callee(&self) -> Callee {
        Callee {
            pack: self.native.pack,
            name: self.native.name,
            span: self.site.span,
        }
    }

    /// Borrows the arrays among some arguments, absent ones excepted.
    fn borrow(&self, leaves: &[LeafWord], arrays: &mut Arrays) -> Result<()> {
        for leaf in leaves.iter().filter(|leaf| leaf.ty.is_array()) {
            match self.args[leaf.word] {
                ABSENT => {}
                handle => arrays.push(self.host.lend(handle, self.native.name)?),
            }
        }
        Ok(())
    }

    /// The view of an argument, whose array, if it is one, is the next of those that were borrowed.
    fn view<'l>(
        &self,
        leaf: &LeafWord,
        arrays: &mut impl Iterator<Item = &'l Lent>,
    ) -> Result<View> {
        let word = &self.args[leaf.word];
        let slice = |element: Type, mutable| {
            let data = std::ptr::with_exposed_provenance_mut(*word as usize);
            let len = self.args[leaf.word + 1] as usize;
            view::slice(data, len, element, mutable)
        };
        match leaf.ty {
            Type::Array(_) if *word == ABSENT => Ok(view::ABSENT),
            Type::Array(element) => match arrays.next() {
                Some(array) => array.view(*element),
                None => Err(Error::Internal("an array was not lent".to_owned())),
            },
            Type::Slice(element) => Ok(slice(*element, false)),
            Type::SliceMut(element) => Ok(slice(*element, true)),
            // Only read.
            ty => Ok(view::scalar(std::ptr::from_ref(word).cast_mut(), ty)),
        }
    }

    /// Adds views of the i-th value of a list for each position that has one, absent at others. Views are written where they stay: lists of them are large
    /// to move.
    fn spread<'l>(
        &self,
        has: impl Iterator<Item = bool>,
        mut leaves: impl Iterator<Item = &'l LeafWord>,
        arrays: &Arrays,
        views: &mut Views,
    ) -> Result<()> {
        let mut arrays = arrays.iter();
        for has in has {
            views.push(match has.then(|| leaves.next()).flatten() {
                Some(leaf) => self.view(leaf, &mut arrays)?,
                None => view::ABSENT,
            });
        }
        Ok(())
    }

    /// Which results can have tangents.
    fn smooth(&self) -> impl Iterator<Item = bool> {
        let results = self.native.results.iter();
        results.map(|leaf| tangent::home(leaf.ty) == Home::Rdata)
    }

    /// Which parameters are active and can have a tangent.
    fn active(&self) -> impl Iterator<Item = bool> {
        let params = self.native.params.iter().zip(&self.native.active);
        params.map(|(leaf, active)| *active && tangent::has_tangent(leaf.ty))
    }

    /// The handle of the first array among the arguments: results are made where it is.
    fn like(&self) -> Result<u64> {
        let arrays = self.native.params.iter().filter(|leaf| leaf.ty.is_array());
        let handle = arrays.map(|leaf| self.args[leaf.word]).next();
        let missing = || format!("@{} makes an array of nothing", self.native.name);
        handle.ok_or_else(|| Error::Internal(missing()))
    }

    /// Who makes the calls that the function asks for: the arrays among these views of arguments have handles.
    fn asked(&self, args: &Views) -> Asked<'_> {
        let mut asked = Asked::new(self.host);
        for (view, leaf) in args.iter().zip(&self.native.params) {
            if leaf.ty.is_array() && view.kind == KIND_ARRAY {
                asked.lend(*view, self.args[leaf.word]);
            }
        }
        asked
    }

    /// Does what the site says.
    ///
    /// # Safety
    ///
    /// The words are those of the site's types; those of slices are addresses and lengths of memory that is alive and, if it is mutable,
    /// nobody else's but for shadows, of which two may be the same.
    pub unsafe fn run(&self, results: &mut [u64], pullbacks: &mut Vec<Pullback>) -> Result<()> {
        match self.native.role {
            // SAFETY: passed on.
            NativeRole::Pullback | NativeRole::PullbackDual => unsafe {
                self.back(results, pullbacks)
            },
            NativeRole::Primal | NativeRole::Rrule | NativeRole::Frule | NativeRole::RruleDual => {
                // SAFETY: passed on.
                unsafe { self.forward(results, pullbacks) }
            }
        }
    }

    /// Runs the kernel, if the function has one and the arrays are where it runs. Says whether it did.
    fn on_device(&self, results: &mut [u64]) -> Result<bool> {
        let native = self.native;
        let Some(kernel) = native
            .kernel
            .as_ref()
            .filter(|_| native.role == NativeRole::Primal)
        else {
            return Ok(false);
        };
        let args = native.params.iter();
        let call = KernelCall {
            name: native.name,
            args: args.map(|leaf| (leaf.ty, self.args[leaf.word])).collect(),
            results: &native.results,
        };
        let Some(handles) = self.host.dispatch(kernel, &call)? else {
            return Ok(false);
        };
        for (leaf, handle) in native.results.iter().zip(handles) {
            results[leaf.word] = handle;
        }
        Ok(true)
    }

    /// Calls a primal, an `rrule` or an `frule`.
    unsafe fn forward(&self, results: &mut [u64], pullbacks: &mut Vec<Pullback>) -> Result<()> {
        let native = self.native;
        if self.on_device(results)? {
            return Ok(());
        }
        let (mut arrays, mut moved) = (Arrays::new(), Arrays::new());
        self.borrow(&native.params, &mut arrays)?;
        self.borrow(&native.shadows, &mut moved)?;
        let all = native.params.iter().map(|_| true);
        let mut loans = Loans::default();
        self.spread(all, native.params.iter(), &arrays, &mut loans.args)?;
        places(native.results.iter().map(Some), results, &mut loans.results);
        for (view, active) in loans.args.iter_mut().zip(self.active()) {
            view.active = active.into();
        }
        if let NativeRole::Frule | NativeRole::RruleDual = native.role {
            let shadows = native.shadows.iter();
            match native.role {
                NativeRole::Frule => {
                    self.spread(self.active(), shadows, &moved, &mut loans.tangents)?;
                }
                _ => self.moved(0..native.params.len(), &mut loans.tangents)?,
            }
            let mut given = native.given.iter();
            let given = self.smooth().map(|smooth| match smooth {
                true => given.next(),
                false => None,
            });
            places(given, results, &mut loans.result_tangents);
        }
        let fine = !native.checked || loans.args.iter().chain(&loans.tangents).all(is_finite);
        let mut pullback = Pullback::none();
        let keeps = matches!(native.role, NativeRole::Rrule | NativeRole::RruleDual);
        let keep = keeps.then_some(&mut pullback);
        let asked = self.asked(&loans.args);
        let mut made = MadeArrays::new();
        let callee = self.callee();
        // SAFETY: the registry has the address from a pack. The views of scalars are of words of the site, those of arrays of memory that
        // `arrays` and `moved` keep, those of slices are the caller's promise.
        unsafe { invoke(native.code, &callee, &mut loans, keep, &asked, &mut made) }?;
        if keeps {
            pullbacks.push(pullback);
        }
        if native.checked && fine {
            let outputs = loans.results.iter().chain(&loans.result_tangents);
            let mutable = loans.args.iter().chain(&loans.tangents);
            if !outputs.chain(mutable).all(is_finite) {
                return Err(self.not_finite("it gives"));
            }
        }
        let places = native.results.iter().chain(&native.given);
        for (leaf, made) in places.filter(|leaf| leaf.ty.is_array()).zip(made) {
            results[leaf.word] = match made {
                Some(made) => self.host.adopt(made, self.like()?)?,
                None => ABSENT,
            };
        }
        Ok(())
    }

    /// Adds views of the tangents of some of the arguments.
    fn moved(&self, arguments: std::ops::Range<usize>, views: &mut Views) -> Result<()> {
        for leaf in &self.native.moved[arguments] {
            views.push(match leaf {
                Some(leaf) => self.view(leaf, &mut std::iter::empty())?,
                None => view::ABSENT,
            });
        }
        Ok(())
    }

    /// Of the dual of a pullback: for each argument where the tangent of its cotangent is.
    fn cotangent_tangents(&self, results: &mut [u64]) -> Result<Views> {
        let native = self.native;
        let first = native.params.len();
        let mut shadows = Views::new();
        self.moved(first..first + native.shadows.len(), &mut shadows)?;
        let mut shadows = shadows.into_iter();
        let mut given = native.given_tangents.iter();
        let each = native.params.iter().zip(self.active());
        let view = |(leaf, active): (&LeafWord, bool)| match (leaf.ty, active) {
            (_, false) => view::ABSENT,
            (Type::Slice(_) | Type::SliceMut(_), true) => shadows.next().unwrap_or(view::ABSENT),
            (ty, true) => given.next().map_or(view::ABSENT, |place| {
                view::scalar(results.as_mut_ptr().wrapping_add(place.word), ty)
            }),
        };
        Ok(each.map(view).collect())
    }

    /// Calls the pullback that was kept last.
    unsafe fn back(&self, results: &mut [u64], pullbacks: &mut Vec<Pullback>) -> Result<()> {
        let native = self.native;
        let none = || Error::Internal(format!("no pullback of @{} is left", native.name));
        let pullback = pullbacks.pop().ok_or_else(none)?;
        let [mut args, mut primal, mut seeds] = [Arrays::new(), Arrays::new(), Arrays::new()];
        self.borrow(&native.params, &mut args)?;
        self.borrow(&native.results, &mut primal)?;
        self.borrow(&native.seeds, &mut seeds)?;
        let is_memory = |leaf: &LeafWord| {
            leaf.ty.is_array() || matches!(leaf.ty, Type::Slice(_) | Type::SliceMut(_))
        };
        let of_memory = |leaf: &&LeafWord| is_memory(leaf);
        let mut loans = Loans::default();
        let has = native.params.iter().map(is_memory);
        let memory = native.params.iter().filter(of_memory);
        self.spread(has, memory, &args, &mut loans.args)?;
        let has = native.results.iter().map(is_memory);
        let memory = native.results.iter().filter(of_memory);
        self.spread(has, memory, &primal, &mut loans.results)?;
        self.spread(self.smooth(), native.seeds.iter(), &seeds, &mut loans.seeds)?;
        let first_shadow = native.params.len();
        if native.role == NativeRole::PullbackDual {
            self.moved(0..first_shadow, &mut loans.tangents)?;
            for (view, leaf) in loans.tangents.iter_mut().zip(&native.params) {
                if !is_memory(leaf) {
                    *view = view::ABSENT;
                }
            }
            let first_seed = first_shadow + native.shadows.len();
            let mut seeds = Views::new();
            self.moved(first_seed..first_seed + native.seeds.len(), &mut seeds)?;
            let mut seeds = seeds.into_iter();
            let each = self
                .smooth()
                .map(|smooth| smooth.then(|| seeds.next()).flatten());
            loans.seed_tangents = each.map(|view| view.unwrap_or(view::ABSENT)).collect();
            loans.cotangent_tangents = self.cotangent_tangents(results)?;
        }
        let (mut made, mut scratch) = (SmallVec::<[Made; 4]>::new(), Vec::new());
        for n in 0..loans.cotangent_tangents.len() {
            let view = loans.cotangent_tangents[n];
            if view.kind == KIND_SLICE_MUT {
                let before = loans.cotangent_tangents[..n].iter().copied().collect();
                loans.cotangent_tangents[n] = apart(view, &before, &mut scratch);
            }
        }
        let mut given = native.given.iter();
        let mut shadows = native.shadows.iter();
        let mut arrays = args.iter();
        for (leaf, active) in native.params.iter().zip(self.active()) {
            let array = leaf.ty.is_array().then(|| arrays.next()).flatten();
            loans.cotangents.push(match (leaf.ty, active) {
                (_, false) => view::ABSENT,
                (Type::Slice(_) | Type::SliceMut(_), true) => {
                    let shadow = shadows.next().ok_or_else(none)?;
                    let shadow = self.view(shadow, &mut std::iter::empty())?;
                    apart(shadow, &loans.cotangents, &mut scratch)
                }
                (Type::Array(element), true) => {
                    given.next();
                    let shape = array.map_or(&[][..], |array| &array.shape);
                    let (zeros, data) = zeroed(*element, shape)?;
                    made.push(zeros);
                    view::array(data, array.map_or(&[], |array| &array.shape), *element)
                }
                (ty, true) => {
                    let place = given.next().ok_or_else(none)?;
                    view::scalar(results.as_mut_ptr().wrapping_add(place.word), ty)
                }
            });
        }
        let before = loans.args.iter().chain(&loans.seeds);
        let fine = !native.checked || before.chain(&loans.cotangents).all(is_finite);
        // SAFETY: as in `forward`; cotangents of arrays are in `made`, and shadows that overlap others in `scratch`.
        let asked = self.asked(&loans.args);
        unsafe { call_pullback(pullback, native.code, &self.callee(), &mut loans, &asked) }?;
        if native.checked && fine && !loans.cotangents.iter().all(is_finite) {
            return Err(self.not_finite("its pullback gives"));
        }
        for (shadow, sums) in scratch {
            // SAFETY: the shadow is alive, and nobody else reads or writes it until this returns.
            unsafe { add(&shadow, &sums) };
        }
        let places = native.given.iter().filter(|leaf| leaf.ty.is_array());
        for (leaf, made) in places.zip(made) {
            results[leaf.word] = self.host.adopt(made, self.like()?)?;
        }
        Ok(())
    }

    fn not_finite(&self, what: &str) -> Error {
        let message = format!("debug: {what} what is not finite for finite numbers");
        failed(&self.callee(), &message)
    }
}

/// The handle of the absent array.
pub(super) const ABSENT: u64 = 0;

/// Adds views of results, to be written.
fn places<'l>(
    leaves: impl Iterator<Item = Option<&'l LeafWord>>,
    words: &mut [u64],
    views: &mut Views,
) {
    let first = words.as_mut_ptr();
    let view = |leaf: Option<&LeafWord>| match leaf.map(|leaf| (leaf.ty, leaf.word)) {
        None => view::ABSENT,
        Some((Type::Array(element), _)) => view::to_be_made(*element),
        Some((ty, word)) => view::scalar(first.wrapping_add(word), ty),
    };
    leaves.for_each(|leaf| views.push(view(leaf)));
}

/// A shadow to be added to. If it overlaps with another of the call (a slice that is passed twice has one shadow), zeros of its own, to be added
/// to it afterwards: what two references may write to must be apart.
fn apart(shadow: View, others: &Views, scratch: &mut Vec<(View, Vec<u64>)>) -> View {
    let range = |view: &View| {
        let start = view.data.addr();
        start..start + view.len * width(view)
    };
    let own = range(&shadow);
    let overlaps = |other: &View| {
        let other = range(other);
        own.start < other.end && other.start < own.end
    };
    if !others.iter().any(overlaps) {
        return shadow;
    }
    let mut sums = vec![0u64; own.len().div_ceil(size_of::<u64>())];
    let data = sums.as_mut_ptr().cast();
    scratch.push((shadow, sums));
    View { data, ..shadow }
}

/// The bytes of an element of a view of floats.
fn width(view: &View) -> usize {
    match view.dtype {
        DTYPE_F32 => size_of::<f32>(),
        _ => size_of::<f64>(),
    }
}

/// Adds sums to a shadow.
///
/// # Safety
///
/// The shadow is of memory that nobody else uses.
unsafe fn add(shadow: &View, sums: &[u64]) {
    fn all<T: Copy + std::ops::AddAssign>(to: &mut [T], from: &[T]) {
        to.iter_mut().zip(from).for_each(|(to, from)| *to += *from);
    }
    // SAFETY: the caller's promise; the sums have room for as many elements, and are aligned for all floats.
    unsafe {
        match shadow.dtype {
            DTYPE_F32 => all::<f32>(
                std::slice::from_raw_parts_mut(shadow.data.cast(), shadow.len),
                std::slice::from_raw_parts(sums.as_ptr().cast(), shadow.len),
            ),
            _ => all::<f64>(
                std::slice::from_raw_parts_mut(shadow.data.cast(), shadow.len),
                std::slice::from_raw_parts(sums.as_ptr().cast(), shadow.len),
            ),
        }
    }
}

/// Whether the floats of a view are finite.
fn is_finite(view: &View) -> bool {
    let data = view.data;
    if data.is_null() || view.len == 0 {
        return true;
    }
    // SAFETY: views are of memory that is alive and as they say while the call lasts.
    unsafe {
        match view.dtype {
            DTYPE_F32 => std::slice::from_raw_parts(data.cast::<f32>(), view.len)
                .iter()
                .all(|x| x.is_finite()),
            DTYPE_F64 => std::slice::from_raw_parts(data.cast::<f64>(), view.len)
                .iter()
                .all(|x| x.is_finite()),
            _ => true,
        }
    }
}
