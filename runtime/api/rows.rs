//! Rows of plain values, which go into objects and whose gradients come out of them at once.
//!
//! Of a slice of numbers, of tuples, structs and fixed arrays of them, it is known where everything stands: so elements are written one after the
//! other, without asking for each number where it goes. What fixed arrays in them have stands behind all elements, in the order in which
//! it is met. Whoever reads finds the same order, unless the function has put other arrays in their place; then each is looked for.

use super::call::{Spot, stride};
use super::shape::{Shape, shape};
use super::value::Value;
use crate::diag::Result;
use crate::exec::{Address, Objects, Scalar};
use std::rc::Rc;

/// The bytes of a row of that many values, and of what their arrays have; `None` if no memory has so many.
pub(super) fn bytes<T: Value>(length: usize) -> Option<usize> {
    length.checked_mul(stride::<T>().checked_add(T::behind())?)
}

/// Writes a row of values into a new object, which has as many bytes as [`bytes`] says.
pub(super) fn write<T: Value>(values: &[T], objects: &mut Objects<'_>, spot: Spot) -> Result<()> {
    let total = bytes::<T>(values.len()).unwrap_or(usize::MAX);
    let mut pass = |start: Address, has_numbers: bool| {
        let mut row = Row {
            bytes: objects.bytes_mut(start, total)?,
            address: start.to_word(),
            has_numbers,
            cursor: Cursor::new(values.len() * stride::<T>()),
        };
        T::put_all(values, &mut row, 0);
        Ok(())
    };
    pass(spot.primal, true)?;
    // A shadow begins with the addresses of its arrays, and zeros.
    match T::behind() == 0 || spot.shadow.is_null() {
        true => Ok(()),
        false => pass(spot.shadow, false),
    }
}

/// Reads the gradients of a row of values from its shadow. Says whether they were found: not if arrays stand elsewhere.
pub(super) fn read<T: Value>(
    gradients: &mut [T::Gradient],
    objects: &Objects<'_>,
    spot: Spot,
) -> bool {
    let found = bytes::<T>(gradients.len()).map(|total| objects.bytes(spot.shadow, total));
    let Some(Ok(bytes)) = found else {
        return false;
    };
    let mut row = Cotangents {
        bytes,
        address: spot.shadow.to_word(),
        is_elsewhere: false,
        cursor: Cursor::new(gradients.len() * stride::<T>()),
    };
    T::pick_all(gradients, &mut row, 0);
    !row.is_elsewhere
}

/// Where the next number stands.
struct Cursor {
    /// The element that it is in.
    element: Element,
    /// The byte from which on nothing is used.
    behind: usize,
}

/// An element of a row.
struct Element {
    /// The byte with which it begins.
    start: usize,
    /// The next one of its leaves.
    leaf: usize,
    /// `None` for a number alone.
    shape: Option<Rc<Shape>>,
}

impl Element {
    /// None yet, of a row of `T`.
    #[inline]
    fn none<T: Value>() -> Element {
        Element {
            start: 0,
            leaf: 0,
            shape: T::SCALAR.is_none().then(shape::<T>),
        }
    }
}

impl Cursor {
    fn new(behind: usize) -> Cursor {
        let (start, leaf, shape) = (0, 0, None);
        Cursor {
            element: Element { start, leaf, shape },
            behind,
        }
    }
    /// The place of the next leaf.
    #[inline]
    fn next(&mut self) -> usize {
        let Element { start, leaf, shape } = &mut self.element;
        let place = shape.as_ref().map_or(0, |shape| shape.places[*leaf]);
        *leaf += 1;
        *start + place
    }
}

/// A row in the making.
pub struct Row<'a> {
    bytes: &'a mut [u8],
    /// That of the first byte.
    address: u64,
    /// Whether numbers are written; if not, only addresses.
    has_numbers: bool,
    cursor: Cursor,
}

impl Row<'_> {
    /// Writes elements from this byte on, one after the other.
    pub(super) fn each<T: Value>(&mut self, values: &[T], start: usize) {
        let outer = std::mem::replace(&mut self.cursor.element, Element::none::<T>());
        let stride = stride::<T>();
        for (i, value) in values.iter().enumerate() {
            (self.cursor.element.start, self.cursor.element.leaf) = (start + i * stride, 0);
            value.put(self);
        }
        self.cursor.element = outer;
    }
    /// Writes a number.
    #[inline]
    pub(super) fn number<T: Scalar>(&mut self, number: T) {
        let at = self.cursor.next();
        if self.has_numbers {
            self.word(at, number.to_word(), size_of::<T>());
        }
    }
    /// Writes numbers from this byte on.
    #[inline]
    pub(super) fn numbers<T: Scalar + Value>(&mut self, numbers: &[T], start: usize) {
        if !self.has_numbers {
            return;
        }
        let size = size_of::<T>();
        let target = &mut self.bytes[start..][..size_of_val(numbers)];
        for (target, number) in target.chunks_exact_mut(size).zip(numbers) {
            put(target, number.to_word(), size);
        }
    }
    #[inline]
    fn word(&mut self, at: usize, word: u64, size: usize) {
        put(&mut self.bytes[at..at + size], word, size);
    }
    /// Writes a fixed array: its address, and behind everything its elements.
    pub(super) fn array<T: Value>(&mut self, values: &[T]) {
        let (at, start) = (self.cursor.next(), self.cursor.behind);
        self.word(at, self.address + start as u64, 8);
        self.cursor.behind += values.len() * stride::<T>();
        // Elements without arrays have no addresses.
        if self.has_numbers || T::behind() > 0 {
            T::put_all(values, self, start);
        }
    }
}

/// The shadow of a row, being read.
pub struct Cotangents<'a> {
    bytes: &'a [u8],
    /// That of the first byte.
    address: u64,
    /// Whether an array does not stand where it was put.
    is_elsewhere: bool,
    cursor: Cursor,
}

impl Cotangents<'_> {
    /// Reads the gradients of elements from this byte on, one after the other.
    pub(super) fn each<T: Value>(&mut self, gradients: &mut [T::Gradient], start: usize) {
        let outer = std::mem::replace(&mut self.cursor.element, Element::none::<T>());
        let stride = stride::<T>();
        for (i, gradient) in gradients.iter_mut().enumerate() {
            (self.cursor.element.start, self.cursor.element.leaf) = (start + i * stride, 0);
            T::pick(gradient, self);
        }
        self.cursor.element = outer;
    }
    /// The cotangent of the next number.
    #[inline]
    pub(super) fn number<T: Scalar>(&mut self) -> T {
        let at = self.cursor.next();
        T::from_word(self.word(at, size_of::<T>()))
    }
    /// The cotangents of the numbers from this byte on.
    #[inline]
    pub(super) fn numbers<T: Scalar + Value>(&self, numbers: &mut [T], start: usize) {
        let size = size_of::<T>();
        let source = &self.bytes[start..][..size_of_val(numbers)];
        for (source, number) in source.chunks_exact(size).zip(numbers) {
            *number = T::from_word(take(source, size));
        }
    }
    #[inline]
    fn word(&self, at: usize, size: usize) -> u64 {
        take(&self.bytes[at..at + size], size)
    }
    /// Goes past a number without cotangent.
    #[inline]
    pub(super) fn skip(&mut self) {
        self.cursor.next();
    }
    /// Reads those of a fixed array.
    pub(super) fn array<T: Value>(&mut self, gradients: &mut [T::Gradient]) {
        let (at, start) = (self.cursor.next(), self.cursor.behind);
        if self.word(at, 8) != self.address + start as u64 {
            self.is_elsewhere = true;
            return;
        }
        self.cursor.behind += gradients.len() * stride::<T>();
        T::pick_all(gradients, self, start);
    }
}

/// Writes the number of a word to where it has so many bytes.
#[inline]
fn put(target: &mut [u8], word: u64, size: usize) {
    match size {
        1 => target[0] = word as u8,
        2 => target[..2].copy_from_slice(&(word as u16).to_ne_bytes()),
        4 => target[..4].copy_from_slice(&(word as u32).to_ne_bytes()),
        _ => target[..8].copy_from_slice(&word.to_ne_bytes()),
    }
}

/// The word of a float that has so many bytes.
#[inline]
fn take(source: &[u8], size: usize) -> u64 {
    match size {
        4 => u32::from_ne_bytes(source[..4].try_into().unwrap_or_default()).into(),
        _ => u64::from_ne_bytes(source[..8].try_into().unwrap_or_default()),
    }
}
