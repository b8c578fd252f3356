//! Values while they are interpreted.

use super::heap::{read, write};
use super::internal;
use crate::diag::Result;
use crate::ir::eval::{from_bits, to_bits};
use crate::ir::{Const, Type};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// A value.
#[derive(Clone)]
pub enum Datum {
    /// A number, a bool, `()`.
    Scalar(Const),
    /// Several floats in one register.
    Lanes(Vec<Const>),
    /// A tuple that is not empty.
    Tuple(Vec<Datum>),
    /// A slice.
    Slice(Slice),
    /// An address of an object; 0 is the address of nothing.
    Ptr(u64),
    /// An address of the tape.
    Addr(usize),
    /// An array by the handle that [`super::Outside`] gave it; 0 is the null array.
    Array(u64),
}

/// A part of memory. Clones refer to the same memory.
#[derive(Clone)]
pub struct Slice {
    memory: Storage,
    /// The type of the elements in an object. Elements from outside carry their types.
    element: Type,
    /// The start: in bytes for an object, otherwise in elements.
    start: usize,
    length: usize,
}

/// Memory is shared, so every reference to it sees each write.
#[derive(Clone)]
pub(super) enum Storage {
    /// A slice from outside.
    Elements(Rc<RefCell<Vec<Const>>>),
    /// An object.
    Object(Rc<RefCell<Vec<u8>>>),
}

impl Storage {
    /// The memory of a new object.
    pub fn object(bytes: usize) -> Storage {
        Storage::Object(Rc::new(RefCell::new(vec![0; bytes])))
    }
    /// A key that is equal exactly for clones of the same memory, while one of them lives.
    pub fn key(&self) -> usize {
        match self {
            Storage::Elements(elements) => Rc::as_ptr(elements) as usize,
            Storage::Object(bytes) => Rc::as_ptr(bytes) as usize,
        }
    }
}

impl Datum {
    /// `()`
    pub const UNIT: Datum = Datum::Scalar(Const::Unit);

    /// A slice of new memory with these elements.
    pub fn slice(elements: Vec<Const>) -> Datum {
        let length = elements.len();
        let memory = Storage::Elements(Rc::new(RefCell::new(elements)));
        Datum::Slice(Slice::new(memory, Type::UNIT, 0, length))
    }
    /// A slice of new memory with these floats.
    pub fn floats(elements: &[f64]) -> Datum {
        Datum::slice(elements.iter().copied().map(Const::Float).collect())
    }
    /// A float.
    pub fn float(x: f64) -> Datum {
        Datum::Scalar(Const::Float(x))
    }
    /// An integer of type usize.
    pub fn index(i: usize) -> Datum {
        Datum::Scalar(Const::Int(i as i64))
    }
    /// A constant of a type.
    pub fn constant(c: Const, ty: Type) -> Datum {
        match (c, ty) {
            (Const::Int(i), Type::Addr) => Datum::Addr(i as usize),
            (Const::Null, Type::Array(_)) => Datum::Array(0),
            (Const::Null, Type::Ptr) => Datum::Ptr(0),
            (Const::Null, _) => Datum::slice(Vec::new()),
            _ => Datum::Scalar(c),
        }
    }
    /// The scalar that it is.
    pub fn scalar(&self) -> Result<Const> {
        match self {
            Datum::Scalar(c) => Ok(*c),
            _ => internal(format!("expected a scalar, found {self:?}")),
        }
    }
    /// The bool that it is.
    pub fn bool(&self) -> Result<bool> {
        match self {
            Datum::Scalar(Const::Bool(b)) => Ok(*b),
            _ => internal(format!("expected a bool, found {self:?}")),
        }
    }
    /// The index that it is.
    pub fn usize(&self) -> Result<usize> {
        match self {
            Datum::Scalar(Const::Int(i)) => Ok(*i as usize),
            _ => internal(format!("expected an index, found {self:?}")),
        }
    }
    /// The float that it is.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Datum::Scalar(Const::Float(x)) => Some(*x),
            _ => None,
        }
    }
}

impl Slice {
    pub(super) fn new(memory: Storage, element: Type, start: usize, length: usize) -> Slice {
        Slice {
            memory,
            element,
            start,
            length,
        }
    }
    /// Its memory and where it starts there: in an object in bytes, else in elements.
    pub(super) fn place(&self) -> (&Storage, usize) {
        (&self.memory, self.start)
    }
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.length
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }
    /// The elements now.
    pub fn elements(&self) -> Vec<Const> {
        (0..self.length).map(|i| self.element(i)).collect()
    }
    /// The element at `i`. An index out of range is an error: a guard is missing.
    pub fn load(&self, i: usize) -> Result<Datum> {
        self.check(i)?;
        Ok(Datum::Scalar(self.element(i)))
    }
    /// Writes the element at `i`.
    pub fn store(&self, i: usize, value: Const) -> Result<Datum> {
        self.check(i)?;
        let at = self.at(i);
        match &self.memory {
            Storage::Elements(elements) => elements.borrow_mut()[at] = value,
            Storage::Object(bytes) => {
                let bits = to_bits(value, self.element).unwrap_or(0);
                write(&mut bytes.borrow_mut(), at, bits, self.element);
            }
        }
        Ok(Datum::UNIT)
    }
    fn element(&self, i: usize) -> Const {
        let at = self.at(i);
        match &self.memory {
            Storage::Elements(elements) => elements.borrow()[at],
            Storage::Object(bytes) => {
                from_bits(read(&bytes.borrow(), at, self.element), self.element)
            }
        }
    }
    /// Where element `i` is, or would be.
    fn at(&self, i: usize) -> usize {
        match self.memory {
            Storage::Elements(_) => self.start + i,
            Storage::Object(_) => self.start + i * self.element.size().unwrap_or(0),
        }
    }
    /// A part of it.
    pub fn subslice(&self, start: usize, length: usize) -> Result<Slice> {
        match start.checked_add(length) {
            Some(end) if end <= self.length => {
                let (memory, at) = (self.memory.clone(), self.at(start));
                Ok(Slice::new(memory, self.element, at, length))
            }
            _ => internal(format!(
                "unguarded range {start} + {length} of {}",
                self.length
            )),
        }
    }
    fn check(&self, i: usize) -> Result<()> {
        match i < self.length {
            true => Ok(()),
            false => internal(format!("unguarded index {i} of {}", self.length)),
        }
    }
}

/// Compares values: slices with equal elements are equal.
impl PartialEq for Datum {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Datum::Scalar(a), Datum::Scalar(b)) => a == b,
            (Datum::Lanes(a), Datum::Lanes(b)) => a == b,
            (Datum::Tuple(a), Datum::Tuple(b)) => a == b,
            (Datum::Slice(a), Datum::Slice(b)) => a.elements() == b.elements(),
            (Datum::Ptr(a), Datum::Ptr(b)) => a == b,
            (Datum::Addr(a), Datum::Addr(b)) => a == b,
            (Datum::Array(a), Datum::Array(b)) => a == b,
            _ => false,
        }
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Scalar(Const::Unit) => f.write_str("()"),
            Datum::Scalar(Const::Bool(b)) => write!(f, "{b}"),
            Datum::Scalar(Const::Int(i)) => write!(f, "{i}"),
            Datum::Scalar(Const::Float(x)) => write!(f, "{x:?}"),
            Datum::Scalar(Const::Null) => f.write_str("null"),
            Datum::Lanes(lanes) => {
                f.write_str("<")?;
                list(f, lanes.iter().map(|&lane| Datum::Scalar(lane)))?;
                f.write_str(">")
            }
            Datum::Tuple(fields) => {
                f.write_str("(")?;
                list(f, fields.iter())?;
                f.write_str(if fields.len() == 1 { ",)" } else { ")" })
            }
            Datum::Slice(slice) => {
                f.write_str("[")?;
                list(f, slice.elements().into_iter().map(Datum::Scalar))?;
                f.write_str("]")
            }
            Datum::Ptr(0) => f.write_str("null"),
            Datum::Ptr(at) => write!(f, "object at {at}"),
            Datum::Addr(at) => write!(f, "tape + {at}"),
            Datum::Array(handle) => write!(f, "array {handle}"),
        }
    }
}

impl fmt::Debug for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn list(f: &mut fmt::Formatter<'_>, items: impl Iterator<Item = impl fmt::Display>) -> fmt::Result {
    for (i, item) in items.enumerate() {
        write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
    }
    Ok(())
}
