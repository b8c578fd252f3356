//! Rows of plain values, which go into objects and whose gradients come out of them at once.
//!
//! Of a slice of numbers, of tuples, structs and fixed arrays of them, it is known before the program runs where everything stands ([`Plain`]): so
//! elements are written one after the other, each number at a constant distance from the element's first byte. What fixed arrays in them have
//! stands behind all elements, in the order in which it is met. Whoever reads finds the same order, unless the function has put other arrays in
//! their place; then each is looked for.

use super::call::Spot;
use super::value::{Cotangent, Value};
use super::visit::{Number, Visitor};
use crate::diag::Result;
use crate::exec::{Address, Leaf, Objects, Scalar};
use bytemuck::bytes_of_mut;

/// How a plain value stands in an object: as `ir::layout` has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plain {
    /// Its bytes.
    size: usize,
    /// What the distance of its first byte from the object's is a multiple of.
    align: usize,
    /// The bytes from one to the next in a row.
    stride: usize,
    /// The bytes that its fixed arrays take behind the row.
    behind: usize,
    /// Whether Rust's memory has it as objects do: the same numbers at the same distances.
    in_place: bool,
}

impl Plain {
    /// A number.
    pub const fn number<T: Scalar>() -> Plain {
        let size = size_of::<T>();
        Plain {
            size,
            align: size,
            stride: size,
            behind: 0,
            in_place: true,
        }
    }
    /// A struct or tuple, if its fields are plain. Rust keeps each so many bytes from its start, and it has so many bytes there.
    pub const fn of_fields(fields: &[(Option<Plain>, usize)], bytes: usize) -> Option<Plain> {
        let (mut end, mut behind, mut in_place, mut n) = (0_usize, 0_usize, true, 0);
        while n < fields.len() {
            let (Some(field), offset) = fields[n] else {
                return None;
            };
            let start = end.next_multiple_of(field.align);
            end = start + field.size;
            behind = behind.saturating_add(field.behind);
            in_place &= field.in_place && (offset == start || field.size == 0);
            n += 1;
        }
        let stride = end.next_multiple_of(8);
        Some(Plain {
            size: end,
            align: if fields.is_empty() { 1 } else { 8 },
            stride,
            behind,
            in_place: in_place && bytes == stride,
        })
    }
    /// A fixed array, which is the address of its elements.
    pub(super) const fn array(element: Option<Plain>, count: usize) -> Option<Plain> {
        let Some(Plain { stride, behind, .. }) = element else {
            return None;
        };
        Some(Plain {
            size: 8,
            align: 8,
            stride: 8,
            behind: count.saturating_mul(stride.saturating_add(behind)),
            in_place: false,
        })
    }
}

/// The plain form of `T`: of one that is not plain nothing is asked.
const fn plain<T: Value>() -> Plain {
    match T::PLAIN {
        Some(plain) => plain,
        None => Plain {
            size: 0,
            align: 1,
            stride: 0,
            behind: 0,
            in_place: false,
        },
    }
}

/// Whether a row of `T` can be passed where it is.
pub(super) fn is_in_place<T: Value>() -> bool {
    plain::<T>().in_place
}

/// Whether gradients of a `T` that can be passed where it is are nothing but floats in the same places: then a row of them is the shadow.
pub(super) fn lends<T: Value>() -> bool {
    size_of::<T>() == size_of::<T::Gradient>() && shadow(&mut [T::Gradient::empty()]).is_some()
}

/// A row of gradients as the shadow of a row of values, if they are nothing but floats.
pub(super) fn shadow<G: Cotangent>(gradients: &mut [G]) -> Option<Leaf<'_>> {
    Leaf::row_mut(gradients, |gradient, each| {
        gradient.visit(&mut Visitor::new(&mut |number, _| match number {
            Number::F32(x) => each(bytes_of_mut(x)),
            Number::F64(x) => each(bytes_of_mut(x)),
            Number::F32s(_) | Number::F64s(_) | Number::Bits(_) => {}
        }));
    })
}

/// The fields of a struct or tuple, of which some have been gone through.
pub struct Fields<Bytes> {
    bytes: Bytes,
    end: usize,
}

impl<Bytes> Fields<Bytes> {
    /// Those of a value that stands in these bytes.
    #[inline]
    pub fn new(bytes: Bytes) -> Self {
        Fields { bytes, end: 0 }
    }
    /// The first byte of the next field, and the one after its last.
    #[inline]
    fn next<T: Value>(&mut self) -> (usize, usize) {
        let start = self.end.next_multiple_of(plain::<T>().align);
        self.end = start + plain::<T>().size;
        (start, self.end)
    }
}

impl Fields<&mut [u8]> {
    /// Writes the next field.
    #[inline]
    pub fn put<T: Value, const NUMBERS: bool>(&mut self, field: &T, behind: &mut Row<'_>) {
        let (start, end) = self.next::<T>();
        field.put::<NUMBERS>(&mut self.bytes[start..end], behind);
    }
}

impl Fields<&[u8]> {
    /// Reads the gradient of the next field.
    #[inline]
    pub fn pick<T: Value>(&mut self, gradient: &mut T::Gradient, behind: &mut Cotangents<'_>) {
        let (start, end) = self.next::<T>();
        T::pick(gradient, &self.bytes[start..end], behind);
    }
}

/// The bytes of a row of that many values, and of what their arrays have; `None` if no memory has so many.
pub(super) fn bytes<T: Value>(length: usize) -> Option<usize> {
    let Plain { stride, behind, .. } = plain::<T>();
    length.checked_mul(stride.checked_add(behind)?)
}

/// Writes a row of values into a new object, which has as many bytes as [`bytes`] says.
pub(super) fn write<T: Value>(values: &[T], objects: &mut Objects<'_>, spot: Spot) -> Result<()> {
    write_at::<T, true>(values, objects, spot.primal)?;
    // A shadow begins with the addresses of its arrays, and zeros.
    match plain::<T>().behind == 0 || spot.shadow.is_null() {
        true => Ok(()),
        false => write_at::<T, false>(values, objects, spot.shadow),
    }
}

fn write_at<T: Value, const NUMBERS: bool>(
    values: &[T],
    objects: &mut Objects<'_>,
    start: Address,
) -> Result<()> {
    let total = bytes::<T>(values.len()).unwrap_or(usize::MAX);
    let elements = values.len() * plain::<T>().stride;
    let (places, rest) = objects.bytes_mut(start, total)?.split_at_mut(elements);
    let address = start.to_word() + elements as u64;
    T::put_all::<NUMBERS>(values, places, &mut Row { rest, address });
    Ok(())
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
    let (elements, rest) = bytes.split_at(gradients.len() * plain::<T>().stride);
    let mut behind = Cotangents {
        rest,
        address: spot.shadow.to_word() + elements.len() as u64,
        is_elsewhere: false,
    };
    T::pick_all(gradients, elements, &mut behind);
    !behind.is_elsewhere
}

/// Writes values one after the other.
#[inline]
pub(super) fn put_each<T: Value, const NUMBERS: bool>(
    values: &[T],
    bytes: &mut [u8],
    behind: &mut Row<'_>,
) {
    if plain::<T>().stride > 0 {
        let places = bytes.chunks_exact_mut(plain::<T>().stride);
        for (value, place) in values.iter().zip(places) {
            value.put::<NUMBERS>(place, behind);
        }
    }
}

/// Reads the gradients of values that stand one after the other.
#[inline]
pub(super) fn pick_each<T: Value>(
    gradients: &mut [T::Gradient],
    bytes: &[u8],
    behind: &mut Cotangents<'_>,
) {
    if plain::<T>().stride > 0 {
        let places = bytes.chunks_exact(plain::<T>().stride);
        for (gradient, place) in gradients.iter_mut().zip(places) {
            T::pick(gradient, place, behind);
        }
    }
}

/// What is behind the elements of a row in the making.
pub struct Row<'a> {
    /// What has not been taken.
    rest: &'a mut [u8],
    /// The address of its first byte.
    address: u64,
}

impl Row<'_> {
    /// Writes a fixed array: its address, and behind everything its elements.
    #[inline]
    pub(super) fn array<T: Value, const NUMBERS: bool>(&mut self, values: &[T], place: &mut [u8]) {
        put_number(self.address, place);
        let elements = values.len() * plain::<T>().stride;
        let (elements, rest) = std::mem::take(&mut self.rest).split_at_mut(elements);
        (self.rest, self.address) = (rest, self.address + elements.len() as u64);
        // Elements without arrays have no addresses.
        if NUMBERS || plain::<T>().behind > 0 {
            T::put_all::<NUMBERS>(values, elements, self);
        }
    }
}

/// What is behind the elements of a row's shadow, being read.
pub struct Cotangents<'a> {
    rest: &'a [u8],
    address: u64,
    /// Whether an array does not stand where it was put.
    is_elsewhere: bool,
}

impl Cotangents<'_> {
    /// Reads those of a fixed array.
    #[inline]
    pub(super) fn array<T: Value>(&mut self, gradients: &mut [T::Gradient], place: &[u8]) {
        let elements = gradients.len() * plain::<T>().stride;
        if pick_number::<u64>(place) != self.address || self.is_elsewhere {
            self.is_elsewhere = true;
            return;
        }
        let (elements, rest) = self.rest.split_at(elements);
        (self.rest, self.address) = (rest, self.address + elements.len() as u64);
        T::pick_all(gradients, elements, self);
    }
}

/// Writes a number, in as many bytes as it has.
#[inline]
pub(super) fn put_number<T: Scalar>(number: T, place: &mut [u8]) {
    let word = number.to_word();
    match size_of::<T>() {
        1 => place[0] = word as u8,
        2 => place[..2].copy_from_slice(&(word as u16).to_ne_bytes()),
        4 => place[..4].copy_from_slice(&(word as u32).to_ne_bytes()),
        _ => place[..8].copy_from_slice(&word.to_ne_bytes()),
    }
}

/// Reads a float or an address.
#[inline]
pub(super) fn pick_number<T: Scalar>(place: &[u8]) -> T {
    T::from_word(match size_of::<T>() {
        4 => u32::from_ne_bytes(place[..4].try_into().unwrap_or_default()).into(),
        _ => u64::from_ne_bytes(place[..8].try_into().unwrap_or_default()),
    })
}
