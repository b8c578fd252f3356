//! The results of a call, read in order.

use super::call::{CallState, Cursor, GradientUpdate, Next, Tables, Twin, other_type};
use super::layout::value_layout;
use super::linear;
use super::reader::{Pair, Reader, Where};
use super::value::{Cotangent, Value};
use crate::array::host::ArrayHost;
use crate::array::{Array, Element};
use crate::diag::{Error, Result};
use crate::exec::Scalar;
use crate::ir::Type;
use crate::tangent::{self, Home};
use smallvec::SmallVec;

/// The results of a call.
pub struct Results<'s> {
    words: &'s [u64],
    host: &'s ArrayHost,
    given: &'s mut CallState,
    tables: &'s mut Tables,
    /// For each of the primal's flat parameters whether it has a cotangent.
    active: &'s [bool],
    add: bool,
    /// The next place of the gradient belongs to this.
    cursor: Cursor,
    /// The leaf that is being read.
    leaf: Option<usize>,
}

impl<'s> Results<'s> {
    /// Results that replace what is there, or that are added to it.
    pub(super) fn new(
        words: &'s [u64],
        host: &'s ArrayHost,
        (given, tables): (&'s mut CallState, &'s mut Tables),
        active: &'s [bool],
        add: bool,
    ) -> Self {
        Results {
            words,
            host,
            given,
            tables,
            active,
            add,
            cursor: Cursor::default(),
            leaf: None,
        }
    }
    /// Whether cotangents are added to what is there.
    pub(super) fn add(&self) -> bool {
        self.add
    }
    fn word(&mut self) -> Result<u64> {
        next(&mut self.words)
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

    /// The value of the function.
    pub(super) fn value<T: Value>(&mut self) -> Result<T> {
        if let Some(ty) = T::SCALAR {
            let primal = self.words_of(ty)?;
            let value = T::of_word(primal[0]);
            let pair = Pair {
                ty,
                primal,
                shadow: [0; 2],
                place: Where::Leaf(0),
                lent: false,
            };
            self.given.returned.clear();
            self.given.returned.push(pair);
            return value.ok_or_else(|| Error::Internal("a number is no word".to_owned()));
        }
        let mut pairs = SmallVec::new();
        let shape = value_layout::<T>();
        for (n, &ty) in shape.leaves.iter().enumerate() {
            pairs.push(Pair {
                ty,
                primal: self.words_of(ty)?,
                shadow: [0; 2],
                place: Where::Leaf(n),
                lent: false,
            });
        }
        self.given.returned = pairs.clone();
        self.tables.visited.clear();
        T::decode(&mut self.reader(pairs))
    }
    /// The shadows of the value's leaves, after the value.
    pub(super) fn shadows(&mut self) -> Result<()> {
        let mut returned = std::mem::take(&mut self.given.returned);
        for pair in &mut returned {
            if tangent::home(pair.ty) == Home::Fdata {
                pair.shadow = self.words_of(pair.ty)?;
            }
        }
        self.given.returned = returned;
        Ok(())
    }
    /// The tangent of the value, after the value.
    pub(super) fn tangent<T: Value>(&mut self) -> Result<T::Gradient> {
        let mut returned = self.given.returned.clone();
        for pair in &mut returned {
            if tangent::has_tangent(pair.ty) {
                pair.shadow = self.words_of(pair.ty)?;
            }
        }
        let mut found = T::Gradient::empty();
        self.tables.gradients.clear();
        T::read(&mut found, &mut self.reader(returned))?;
        Ok(found)
    }
    fn words_of(&mut self, ty: Type) -> Result<[u64; 2]> {
        let first = self.word()?;
        let second = match ty {
            Type::Slice(_) | Type::SliceMut(_) => self.word()?,
            _ => 0,
        };
        Ok([first, second])
    }
    fn reader(&mut self, pairs: SmallVec<[Pair; 4]>) -> Reader<'_> {
        self.given.reading(self.tables, self.host, pairs)
    }

    /// Reads the gradient of the arguments' twin. Arguments without objects need none.
    pub(super) fn in_twin(
        &mut self,
        twin: Option<&mut Twin>,
        read: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.cursor = Cursor::default();
        let Some(twin) = twin else { return read(self) };
        self.given.swap(twin);
        self.given.read_beside(twin);
        read(self)?;
        self.given.swap(twin);
        Ok(())
    }
    /// Whether the next place is that of a tuple as a whole.
    pub(super) fn next_is<G: 'static>(&self) -> bool {
        self.given.next_is::<G>(self.cursor)
    }
    /// Reads the gradient of the next argument.
    pub(super) fn gradient<G: Cotangent>(&mut self, gradient: &mut G) -> Result<()> {
        match self.given.next(&mut self.cursor) {
            Next::Value(n) => {
                let own = self.tables.own.remove(&n);
                let held = match &own {
                    Some(own) if own.has_cells => GradientUpdate::Written,
                    None if self.add => GradientUpdate::Increased,
                    _ => GradientUpdate::Replaced,
                };
                let (words, active) = (&mut self.words, self.active);
                let word = |leaf: usize, ty: Type| {
                    let has = active[leaf] && tangent::home(ty) == Home::Rdata;
                    has.then(|| next(words)).transpose()
                };
                self.given
                    .read_value(n, gradient, self.tables, self.host, held, word)?;
                let Some(own) = own else { return Ok(()) };
                let own = own.held.downcast().map_err(|_| other_type())?;
                linear::add_own(gradient, &own).inspect_err(|_| *gradient = *own)
            }
            Next::Leaf(n) => {
                self.leaf = Some(n);
                gradient.read_leaf(self)
            }
            Next::Unknown => {
                self.leaf = None;
                gradient.read_leaf(self)
            }
        }
    }
    /// Goes over the tangents of that many leaves.
    pub(super) fn pass(&mut self, leaves: usize) {
        self.cursor.leaf += leaves;
    }
    /// Reads the tangent of the next argument, of that many leaves, if it is one that reads it itself.
    pub(super) fn moved<G: Cotangent>(&mut self, leaves: usize, tangent: &mut G) -> Result<()> {
        let start = self.cursor.leaf;
        self.pass(leaves);
        let Some(value) = self.given.value_at::<G>(start) else {
            return Ok(());
        };
        let words = std::mem::take(&mut self.given.moved);
        let word = |leaf: usize, _| Ok(words.get(&leaf).copied());
        let done = { &mut *self.given }.read_value(
            value,
            tangent,
            self.tables,
            self.host,
            GradientUpdate::Replaced,
            word,
        );
        self.given.moved = words;
        done
    }
    /// Reads floats into the place that is their shadow, or into which their shadow is copied.
    pub(super) fn floats<T: Scalar>(&mut self, floats: &mut [T]) -> Result<()> {
        let Some((at, length)) = self.leaf.and_then(|n| self.given.shadow(n)) else {
            return Ok(());
        };
        if length != floats.len() {
            return Err(Reader::wrong_length(floats.len(), length));
        }
        self.given.halves.objects().read_slice(at, floats)
    }
    /// Reads the floats of the next argument into a slice.
    pub(super) fn slice<T: Value<Gradient = T> + Scalar + Cotangent>(
        &mut self,
        floats: &mut [T],
    ) -> Result<()> {
        let before = self.cursor;
        match self.given.next(&mut self.cursor) {
            Next::Leaf(n) => {
                self.leaf = Some(n);
                self.floats(floats)
            }
            Next::Value(n) if !self.given.is_lent(n) => {
                self.cursor = before;
                let mut found: Vec<T> = Vec::new();
                self.gradient(&mut found)?;
                if found.len() != floats.len() {
                    return Err(Reader::wrong_length(floats.len(), found.len()));
                }
                floats.copy_from_slice(&found);
                Ok(())
            }
            Next::Value(_) | Next::Unknown => Ok(()),
        }
    }
}

fn next(words: &mut &[u64]) -> Result<u64> {
    let (first, rest) = words
        .split_first()
        .ok_or_else(|| Error::Internal("compiled code gave too few results".to_owned()))?;
    *words = rest;
    Ok(*first)
}
