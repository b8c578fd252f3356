//! What a call gives back: results, arguments that it has changed, gradients.
//!
//! A reader goes through the leaves of a value in order, in step with their shadows. So the value itself can be read, and its
//! gradient can be read and written.

use super::call::{Spot, Table, Tables, placed, stride};
use super::layout::{ValueLayout, value_layout};
use super::value::{Cotangent, Value};
use crate::array::host::ArrayHost;
use crate::array::{Array, Element};
use crate::diag::{Error, Result};
use crate::exec::{Address, Leaf, Objects, Scalar};
use crate::front::text;
use crate::front::ty::Ty;
use crate::front::types::Typed;
use crate::ir::Type;
use smallvec::SmallVec;
use std::rc::Rc;

/// Reads values and gradients out of a call.
pub struct Reader<'r> {
    pub(super) objects: Objects<'r>,
    host: &'r ArrayHost,
    /// The objects of the cells that were given.
    pub(super) cells: &'r Table<(usize, Ty), Spot>,
    /// The texts that were given.
    texts: &'r Table<u64, Box<str>>,
    pub(super) tables: &'r mut Tables,
    pairs: SmallVec<[Pair; 4]>,
    source: Source,
    levels: SmallVec<[OpenAggregate; 2]>,
    /// Whether cotangents are added to what is there.
    pub(super) add: bool,
    /// Whether what is written is tangents: one for each cell.
    pub(super) once: bool,
    /// Whether only what is in cells is written: others see them.
    pub(super) cells_only: bool,
    /// Whether the gradients of cells are to be those that were written.
    pub(super) same_cells: bool,
}

/// A leaf and its shadow.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub ty: Type,
    pub primal: [u64; 2],
    /// The address of the shadow, or, of a float or an array that is no part of an object, the cotangent itself.
    pub shadow: [u64; 2],
    pub place: Where,
    /// Whether the shadow is the gradient itself.
    pub lent: bool,
}

impl Pair {
    /// The place that an address or a slice points to.
    fn spot(&self) -> Spot {
        Spot {
            primal: Address::from_word(self.primal[0]),
            shadow: Address::from_word(self.shadow[0]),
        }
    }
}

/// Where a leaf is.
#[derive(Clone, Copy, Debug)]
pub enum Where {
    /// Among the leaves, at this position.
    Leaf(usize),
    /// In an object, which has its shadow at this address; null if it has none.
    Object(Address),
}

#[derive(Clone, Copy)]
enum Source {
    /// The leaves from this position on.
    Leaves(usize),
    /// An object, of which that many bytes are read.
    Object(Spot, usize),
}

/// A struct, tuple or enum that is being read.
struct OpenAggregate {
    shape: Rc<ValueLayout>,
    variant: usize,
    field: usize,
    base: Source,
}

impl<'r> Reader<'r> {
    /// Reads a value that consists of these leaves.
    pub(super) fn new(
        objects: Objects<'r>,
        host: &'r ArrayHost,
        (cells, texts): (&'r Table<(usize, Ty), Spot>, &'r Table<u64, Box<str>>),
        tables: &'r mut Tables,
        pairs: SmallVec<[Pair; 4]>,
    ) -> Self {
        Reader {
            objects,
            host,
            cells,
            texts,
            tables,
            pairs,
            source: Source::Leaves(0),
            levels: SmallVec::new(),
            add: false,
            once: false,
            cells_only: false,
            same_cells: false,
        }
    }
    /// The leaves, with the cotangents that were written.
    pub(super) fn into_pairs(self) -> SmallVec<[Pair; 4]> {
        self.pairs
    }
    /// Goes over that many leaves.
    pub(super) fn skip_leaves(&mut self, count: usize) {
        if let Source::Leaves(at) = self.source {
            self.source = Source::Leaves(at + count);
        }
    }

    /// The next leaf, which has this type.
    fn next(&mut self, ty: Type) -> Result<Pair> {
        match self.source {
            Source::Leaves(at) => {
                let pair = self.pairs.get(at).copied();
                self.source = Source::Leaves(at + 1);
                let pair = pair.ok_or_else(|| {
                    Error::Internal("compiled code gave too few results".to_owned())
                })?;
                Ok(Pair {
                    place: Where::Leaf(at),
                    ..pair
                })
            }
            Source::Object(spot, end) => {
                let (at, end) = placed(ty, end)?;
                self.source = Source::Object(spot, end);
                let spot = spot.offset(at);
                let words = |at: Address| match at.is_null() {
                    true => Ok([0; 2]),
                    false => self.objects.read_leaf(at, ty),
                };
                Ok(Pair {
                    ty,
                    primal: words(spot.primal)?,
                    shadow: words(spot.shadow)?,
                    place: Where::Object(spot.shadow),
                    lent: false,
                })
            }
        }
    }
    /// A scalar.
    pub(super) fn scalar<T: Scalar>(&mut self) -> Result<T> {
        Ok(T::from_word(self.next(T::TYPE)?.primal[0]))
    }
    /// A text that was given, or one of the program's.
    pub(super) fn text(&mut self) -> Result<&'r str> {
        let number: u64 = self.scalar()?;
        match (text::known(number), self.texts.get(&number)) {
            (Some(text), _) => Ok(text),
            (None, Some(text)) => Ok(text),
            (None, None) => Err(Error::Array(
                "text that `format!` makes of numbers cannot be returned from a call; return the numbers, for example in an enum".to_owned(),
            )),
        }
    }
    /// The cotangent of a scalar, added to what is there or in its place.
    pub(super) fn cotangent<T: Scalar>(&mut self) -> Result<(T, bool)> {
        let pair = self.next(T::TYPE)?;
        let add = self.add && matches!(pair.place, Where::Leaf(_));
        Ok((T::from_word(pair.shadow[0]), add))
    }
    /// Adds to the cotangent of a scalar: memory may be that of an argument, which has one already.
    pub(super) fn add_cotangent<T: Scalar + std::ops::Add<Output = T>>(
        &mut self,
        value: T,
    ) -> Result<()> {
        let pair = self.next(T::TYPE)?;
        let sum = match pair.place {
            Where::Leaf(_) => value,
            Where::Object(_) => T::from_word(pair.shadow[0]) + value,
        };
        self.set(pair, &Leaf::scalar(sum))
    }
    fn set(&mut self, pair: Pair, shadow: &Leaf<'_>) -> Result<()> {
        match pair.place {
            _ if self.cells_only => {}
            Where::Leaf(at) => self.pairs[at].shadow = shadow.words(),
            Where::Object(at) if at.is_null() => {}
            Where::Object(at) => self.objects.write_leaf(at, shadow)?,
        }
        Ok(())
    }
    /// An array.
    pub(super) fn array<T: Element>(&mut self) -> Result<Array<T>> {
        let handle = self.next(Type::Array(&<T as Element>::TYPE))?.primal[0];
        self.present(handle)
    }
    fn present<T: Element>(&self, handle: u64) -> Result<Array<T>> {
        let array = self.host.take(handle)?;
        array.ok_or_else(|| Error::Internal("compiled code gave an absent array".to_owned()))
    }
    /// The cotangent of an array, to be added or not.
    pub(super) fn array_cotangent<P: Element, T: Element>(&mut self) -> Result<(Array<T>, bool)> {
        let pair = self.next(Type::Array(&<P as Element>::TYPE))?;
        let add = self.add && matches!(pair.place, Where::Leaf(_));
        let found = match self.host.take(pair.shadow[0])? {
            Some(found) => {
                self.host.check_shape(pair.shadow[0], pair.primal[0])?;
                found
            }
            None => {
                let primal: Array<P> = self.present(pair.primal[0])?;
                Array::full_on(primal.device(), primal.shape(), T::ZERO)
            }
        };
        Ok((found, add))
    }
    /// Adds to the cotangent of an array.
    pub(super) fn add_array_cotangent<P: Element, T: Element>(
        &mut self,
        array: &Array<T>,
        sum: impl FnOnce(&Array<T>, &Array<T>) -> Array<T>,
    ) -> Result<()> {
        let ty = Type::Array(&<T as Element>::TYPE);
        let pair = self.next(Type::Array(&<P as Element>::TYPE))?;
        if self.cells_only {
            return Ok(());
        }
        let before = match pair.place {
            Where::Leaf(_) => None,
            Where::Object(_) => self.host.take(pair.shadow[0])?,
        };
        let handle = match before {
            Some(before) => self.host.give(&sum(&before, array))?,
            None => self.host.give(array)?,
        };
        self.set(pair, &Leaf::inside(ty, [handle, 0]))
    }
    /// Whether the gradient of a cell, which is at this address, has not been written yet. One cell may have several gradients,
    /// if it was reached in several ways: their sum. But it moves in one way.
    pub(super) fn enter(&mut self, spot: Spot, gradient: usize) -> Result<bool> {
        if spot.shadow.is_null() {
            return Ok(false);
        }
        let known = self.tables.visited.insert(spot.shadow, ()).is_some();
        let new = (self.tables.written)
            .insert((spot.shadow, gradient), ())
            .is_none();
        match known && new && self.once {
            true => Err(Error::Array(
                "one cell has two tangents: where arguments hold the same `Rc`, their tangents hold the same one".to_owned(),
            )),
            false => Ok(new),
        }
    }
    /// Makes sure that what was written into a cell's gradient, which is at this address, is in the shadow of the same cell.
    pub(super) fn is_same_cell(&self, spot: Spot, gradient: usize) -> Result<()> {
        let known = || self.tables.written.contains_key(&(spot.shadow, gradient));
        match !self.same_cells || spot.shadow.is_null() || known() {
            true => Ok(()),
            false => Err(Error::Array(
                "a gradient cannot be added to one whose cells the function has moved: take it alone, and add it with `increment`".to_owned(),
            )),
        }
    }
    /// Reads or writes the gradient of what is in a cell, as others see it.
    pub(super) fn cell(
        &mut self,
        spot: Spot,
        go: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let outer = (self.cells_only, self.same_cells);
        (self.cells_only, self.same_cells) = (false, false);
        let done = self.at(spot, go);
        (self.cells_only, self.same_cells) = outer;
        done
    }
    /// The place that the next leaf points to.
    pub(super) fn pointer(&mut self) -> Result<Spot> {
        Ok(self.next(Type::Ptr)?.spot())
    }
    /// The elements of a fixed array.
    pub(super) fn fixed_array<T: Value, const N: usize>(&mut self) -> Result<Spot> {
        let layout = value_layout::<[T; N]>();
        match self.source {
            Source::Object(spot, end) if layout.is_inline => {
                let start = end.next_multiple_of(layout.align);
                self.source = Source::Object(spot, start + layout.size);
                Ok(spot.offset(start))
            }
            _ => self.pointer(),
        }
    }
    /// Reads what the next leaf points to.
    pub(super) fn object<R>(&mut self, read: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        let spot = self.pointer()?;
        self.at(spot, read)
    }
    /// Reads at a place.
    pub(super) fn at<R>(
        &mut self,
        spot: Spot,
        read: impl FnOnce(&mut Self) -> Result<R>,
    ) -> Result<R> {
        let outer = std::mem::replace(&mut self.source, Source::Object(spot, 0));
        let done = read(self);
        self.source = outer;
        done
    }
    /// Elements and their number, and whether their shadow is the gradient itself: those of a slice or, with `buffer`, of a vector.
    pub(super) fn elements<T: Value>(&mut self, buffer: bool) -> Result<(Spot, usize, bool)> {
        let (pair, length) = match T::SCALAR {
            Some(ty) => {
                let pair = self.next(Type::slice(ty))?;
                (pair, pair.primal[1])
            }
            None => (self.next(Type::Ptr)?, self.scalar()?),
        };
        let length = match buffer {
            true => self.scalar()?,
            false => length,
        };
        Ok((pair.spot(), length as usize, pair.lent))
    }
    /// Does something with each of a row of elements.
    pub(super) fn each<T: Value>(
        &mut self,
        spot: Spot,
        length: usize,
        mut f: impl FnMut(&mut Self, usize) -> Result<()>,
    ) -> Result<()> {
        let stride = stride::<T>();
        (0..length).try_for_each(|i| self.at(spot.offset(i * stride), |reader| f(reader, i)))
    }

    /// Reads a struct, a tuple, or the variant of an enum that is alive, with a function that reads each field.
    pub(super) fn fields<T: Typed, R>(
        &mut self,
        read: impl FnOnce(&mut Self, usize) -> Result<R>,
    ) -> Result<R> {
        let shape = value_layout::<T>();
        let outer = self.source;
        let base = match outer {
            Source::Object(spot, end) => Source::Object(spot.offset(end.next_multiple_of(8)), 0),
            leaves => leaves,
        };
        self.source = base;
        let variant: usize = if shape.is_enum { self.scalar()? } else { 0 };
        if variant >= shape.variants.len() {
            return Err(Self::unknown_variant());
        }
        self.levels.push(OpenAggregate {
            shape: shape.clone(),
            variant,
            field: 0,
            base,
        });
        let done = read(self, variant);
        self.levels.pop();
        self.source = match outer {
            Source::Leaves(at) => Source::Leaves(at + shape.leaves.len()),
            object => object,
        };
        done
    }
    /// Reads the next field with a function.
    fn field<R>(&mut self, read: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        let level = self.levels.last_mut();
        let level = level.ok_or_else(|| Error::Internal("a field of nothing".to_owned()))?;
        let place = level.shape.variants[level.variant][level.field];
        level.field += 1;
        self.source = match level.base {
            Source::Leaves(at) => Source::Leaves(at + place.leaf),
            Source::Object(spot, _) => Source::Object(spot.offset(place.offset), 0),
        };
        match place.indirect {
            true => self.object(read),
            false => read(self),
        }
    }
    /// Reads the next field.
    pub(super) fn take_field<T: Value>(&mut self) -> Result<T> {
        self.field(T::decode)
    }
    /// Reads the gradient of the next field.
    pub(super) fn read_field<T: Value>(&mut self, gradient: &mut T::Gradient) -> Result<()> {
        self.field(|reader| T::read(gradient, reader))
    }
    /// Writes the gradient of the next field.
    pub(super) fn write_field<T: Value>(&mut self, gradient: &T::Gradient) -> Result<()> {
        self.field(|reader| T::write(gradient, reader))
    }
    /// Goes over a value without gradient.
    pub(super) fn skip<T: Typed>(&mut self) -> Result<()> {
        if let Source::Leaves(_) = self.source {
            self.skip_leaves(value_layout::<T>().leaves.len());
        }
        Ok(())
    }
    /// The error for a variant that there is not.
    pub(super) fn unknown_variant() -> Error {
        Error::Internal("compiled code gave a variant that there is not".to_owned())
    }
    /// The error for a cotangent of another form than the value's.
    pub(super) fn mismatch(found: &str) -> Error {
        Error::Array(format!(
            "a cotangent has another form than the value: found {found}, the value is another variant"
        ))
    }
    /// The error for a cotangent of another length than the value's.
    pub(super) fn wrong_length(found: usize, expected: usize) -> Error {
        Error::Array(format!(
            "a cotangent has {found} elements, the value has {expected}"
        ))
    }
    /// Reads a gradient that is held in a shared place. Places that are the same in the call are the same here.
    pub(super) fn shared_gradient<G: Cotangent>(
        &mut self,
        spot: Spot,
        own: &mut Rc<std::cell::RefCell<G>>,
        read: impl FnOnce(&mut Self, &mut G) -> Result<()>,
    ) -> Result<()> {
        self.is_same_cell(spot, Rc::as_ptr(own).addr())?;
        if let Some(known) = self.tables.gradients.get(&spot.shadow)
            && let Ok(known) = known.clone().downcast()
        {
            *own = known;
            return Ok(());
        }
        // Others may hold it for another object.
        let known = self.tables.gradients.values();
        let taken = { known }.any(|other| std::ptr::addr_eq(Rc::as_ptr(other), Rc::as_ptr(own)));
        if taken {
            *own = Rc::new(std::cell::RefCell::new(G::empty()));
        }
        self.tables.gradients.insert(spot.shadow, own.clone());
        // Taken out meanwhile, so that a cycle finds the cell free.
        let mut gradient = own.replace(G::empty());
        let done = self.cell(spot, |reader| read(reader, &mut gradient));
        own.replace(gradient);
        done
    }
}
