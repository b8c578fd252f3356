//! One call in the making: arguments on the way in, results on the way out.

use crate::array::host::ArrayHost;
use crate::array::{Array, Element};
use crate::diag::{Error, Result};
use crate::exec::{Args, Scalar};
use smallvec::SmallVec;

/// The arguments of a call, and the table of its arrays.
pub struct Call<'s> {
    pub(super) args: Args<'s>,
    host: &'s ArrayHost,
    /// Whether each argument to come is added; all are after the last flag.
    kept: std::vec::IntoIter<bool>,
}

impl<'s> Call<'s> {
    pub(super) fn new(host: &'s ArrayHost) -> Self {
        Call {
            args: Args::new(),
            host,
            kept: Vec::new().into_iter(),
        }
    }
    /// Of the arguments that come now adds the active ones: data given so are the tangents of data like them.
    pub(crate) fn keep(&mut self, active: &Activity) {
        self.kept = active.flags().to_vec().into_iter();
    }
    fn keeps(&mut self) -> bool {
        self.kept.next().unwrap_or(true)
    }
    pub(crate) fn scalar<T: Scalar>(&mut self, value: T) {
        if self.keeps() {
            self.args.scalar(value);
        }
    }
    pub(crate) fn slice<T: Scalar>(&mut self, slice: &'s [T]) {
        if self.keeps() {
            self.args.slice(slice);
        }
    }
    pub(crate) fn slice_mut<T: Scalar>(&mut self, slice: &'s mut [T]) {
        if self.keeps() {
            self.args.slice_mut(slice);
        }
    }
    /// Passes one memory for two slices of equal type and length that were added; see [`Args::share`].
    pub(crate) fn share<T: Scalar>(&mut self, both: &'s [T], places: [usize; 2]) {
        self.args.share(both, places);
    }
    pub(crate) fn array<T: Scalar + Element>(&mut self, array: &Array<T>) -> Result<()> {
        if self.keeps() {
            let handle = self.host.give(array)?;
            self.args.array::<T>(handle);
        }
        Ok(())
    }
}

/// Which of the function's parameters carry cotangents; tuples count as their fields.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Activity(SmallVec<[bool; 32]>);

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

/// The results of a call, read in order.
pub struct Results<'s> {
    words: &'s [u64],
    host: &'s ArrayHost,
    add: bool,
}

impl<'s> Results<'s> {
    /// Results that replace what is there, or that are added to it.
    pub(super) fn new(words: &'s [u64], host: &'s ArrayHost, add: bool) -> Self {
        Results { words, host, add }
    }
    /// Whether cotangents are added to what is there.
    pub(super) fn add(&self) -> bool {
        self.add
    }
    fn word(&mut self) -> Result<u64> {
        let (first, rest) = self
            .words
            .split_first()
            .ok_or_else(|| Error::Internal("compiled code gave too few results".to_owned()))?;
        self.words = rest;
        Ok(*first)
    }
    pub(super) fn scalar<T: Scalar>(&mut self) -> Result<T> {
        Ok(T::from_word(self.word()?))
    }
    pub(super) fn array<T: Element>(&mut self) -> Result<Array<T>> {
        let handle = self.word()?;
        self.host
            .take(handle)?
            .ok_or_else(|| Error::Internal("compiled code gave an absent array".to_owned()))
    }
}
