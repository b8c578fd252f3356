//! The heap as the IR describes it: objects in bytes at addresses of their own. Slices that the program asks for the
//! address of (`base`) get one too, so that a view of it names the same memory.

use super::datum::{Datum, Slice, Storage};
use super::internal;
use crate::diag::{Error, Result};
use crate::ir::Type;
use crate::ir::eval::{from_bits, to_bits};
use rustc_hash::FxHashMap;

/// More than any test needs.
const LIMIT: usize = 1 << 26;

/// The address of the first object: small numbers are the address of nothing.
const FIRST: u64 = 1 << 12;

/// The alignment of objects. There is at least as much space between them, so that an access beyond an end is noticed.
const ALIGNMENT: usize = 16;

/// All memory that has an address.
#[derive(Default)]
pub struct Heap {
    /// In order of their addresses.
    regions: Vec<Region>,
    /// The addresses of the memory of slices, by where it is in this process. It stays there: a region holds it.
    starts: FxHashMap<usize, u64>,
    used: usize,
}

/// Memory at an address.
struct Region {
    start: u64,
    bytes: usize,
    memory: Storage,
    /// The type of the elements; unknown for an object.
    element: Option<Type>,
}

impl Heap {
    /// A new object, all zero; its address.
    pub fn alloc(&mut self, bytes: usize) -> Result<u64> {
        if bytes > LIMIT - self.used {
            let message = format!("an object of {bytes} bytes does not fit");
            return Err(Error::Memory(message));
        }
        self.used += bytes;
        Ok(self.add(bytes, Storage::object(bytes), None))
    }
    /// The value of that type at an address.
    pub fn get(&self, at: u64, ty: Type) -> Result<Datum> {
        let (region, offset) = self.find(at, size(ty)?)?;
        match &region.memory {
            Storage::Object(bytes) => Ok(decode(read(&bytes.borrow(), offset, ty), ty)),
            Storage::Elements(elements) => {
                let index = region.index(offset, ty)?;
                Ok(Datum::Scalar(elements.borrow()[index]))
            }
        }
    }
    /// Writes a value of that type at an address.
    pub fn set(&mut self, at: u64, value: &Datum, ty: Type) -> Result<Datum> {
        let (region, offset) = self.find(at, size(ty)?)?;
        match &region.memory {
            Storage::Object(bytes) => {
                write(&mut bytes.borrow_mut(), offset, encode(value, ty)?, ty)
            }
            Storage::Elements(elements) => {
                let index = region.index(offset, ty)?;
                elements.borrow_mut()[index] = value.scalar()?;
            }
        }
        Ok(Datum::UNIT)
    }
    /// A slice of elements from an address on.
    pub fn view(&self, at: u64, length: usize, element: Type) -> Result<Datum> {
        if length == 0 {
            return Ok(Datum::slice(Vec::new()));
        }
        let (region, offset) = self.find(at, length.saturating_mul(size(element)?))?;
        let start = match region.element {
            Some(_) => region.index(offset, element)?,
            None => offset,
        };
        let memory = region.memory.clone();
        Ok(Datum::Slice(Slice::new(memory, element, start, length)))
    }
    /// The address of a slice's first element.
    pub fn base(&mut self, slice: &Slice, element: Type) -> Result<u64> {
        let (memory, start) = slice.place();
        let (bytes, start) = match memory {
            Storage::Object(bytes) => (bytes.borrow().len(), start),
            Storage::Elements(elements) => {
                let size = size(element)?;
                (elements.borrow().len() * size, start * size)
            }
        };
        let known = self.starts.get(&memory.key()).copied();
        let region = known.unwrap_or_else(|| self.add(bytes, memory.clone(), Some(element)));
        Ok(region + start as u64)
    }

    fn add(&mut self, bytes: usize, memory: Storage, element: Option<Type>) -> u64 {
        let end = |region: &Region| region.start + region.bytes as u64 + ALIGNMENT as u64;
        let start = self.regions.last().map_or(FIRST, end);
        let start = start.next_multiple_of(ALIGNMENT as u64);
        self.starts.insert(memory.key(), start);
        self.regions.push(Region {
            start,
            bytes,
            memory,
            element,
        });
        start
    }
    /// The region that contains a number of bytes from an address on, and the offset in it.
    fn find(&self, at: u64, size: usize) -> Result<(&Region, usize)> {
        let after = self.regions.partition_point(|region| region.start <= at);
        let region = after.checked_sub(1).map(|i| &self.regions[i]);
        match region.map(|region| (region, (at - region.start) as usize)) {
            Some((region, offset)) if offset <= region.bytes && size <= region.bytes - offset => {
                Ok((region, offset))
            }
            _ => internal(format!("{size} bytes at address {at} are in no object")),
        }
    }
}

impl Region {
    /// The place of an element of a slice.
    fn index(&self, offset: usize, ty: Type) -> Result<usize> {
        let size = size(ty)?;
        match self.element == Some(ty) && offset.is_multiple_of(size) {
            true => Ok(offset / size),
            false => internal(format!("a value of type {ty} {offset} bytes into a slice")),
        }
    }
}

fn size(ty: Type) -> Result<usize> {
    match ty.size() {
        Some(size) => Ok(size),
        None => internal(format!("{ty} is not held in memory as a whole")),
    }
}

/// The bits of a value of that type in an object.
pub fn read(bytes: &[u8], at: usize, ty: Type) -> u64 {
    let size = ty.size().unwrap_or(0);
    let mut bits = [0; 8];
    bits[..size].copy_from_slice(&bytes[at..][..size]);
    u64::from_le_bytes(bits)
}

/// Writes the bits of a value of that type into an object.
pub fn write(bytes: &mut [u8], at: usize, bits: u64, ty: Type) {
    let size = ty.size().unwrap_or(0);
    bytes[at..][..size].copy_from_slice(&bits.to_le_bytes()[..size]);
}

/// The value whose bits these are.
pub fn decode(bits: u64, ty: Type) -> Datum {
    match ty {
        Type::Addr => Datum::Addr(bits as usize),
        Type::Ptr => Datum::Ptr(bits),
        Type::Array(_) => Datum::Array(bits),
        _ => Datum::Scalar(from_bits(bits, ty)),
    }
}

/// The bits of a value.
pub fn encode(value: &Datum, ty: Type) -> Result<u64> {
    let bits = match value {
        Datum::Addr(at) => Some(*at as u64),
        Datum::Ptr(at) => Some(*at),
        Datum::Array(handle) => Some(*handle),
        Datum::Scalar(c) => to_bits(*c, ty),
        Datum::Lanes(_) | Datum::Tuple(_) | Datum::Slice(_) => None,
    };
    match bits {
        Some(bits) => Ok(bits),
        None => internal(format!("{ty} is not held in memory as a whole")),
    }
}
