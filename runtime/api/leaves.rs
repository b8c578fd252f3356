//! The numbers that values and gradients are made of.

use super::visit::{Number, Row, Visit, Visitor};
use crate::array::{Array, FloatElement};
use crate::diag::Result;
use std::cell::{Cell, RefCell};

/// Numbers.
#[derive(Clone, Default, Debug)]
pub struct Numbers {
    /// The floats.
    pub floats: Vec<f64>,
    /// Which of them may change: in cells, and behind `&mut`.
    pub mutable: Vec<bool>,
    /// Everything, by bits; all NaNs are one.
    pub bits: Vec<u64>,
    /// The extents of each array of floats.
    pub shapes: Vec<Vec<usize>>,
    /// Some of the floats are f32.
    pub single: bool,
}

impl Numbers {
    /// Those of a value or a gradient.
    pub fn of(whole: &mut impl Visit) -> Result<Numbers> {
        let mut found = Numbers::default();
        let mut done = Ok(());
        whole.visit(&mut Visitor::new(&mut |number, mutable| match number {
            Number::F32(x) => found.single(*x, mutable),
            Number::F64(x) => found.double(*x, mutable),
            Number::F32s(array) => match array.to_vec() {
                Ok(data) => {
                    found.shapes.push(array.shape().to_vec());
                    data.iter().for_each(|&x| found.single(x, mutable));
                }
                Err(error) => done = Err(error),
            },
            Number::F64s(array) => match array.to_vec() {
                Ok(data) => {
                    found.shapes.push(array.shape().to_vec());
                    data.iter().for_each(|&x| found.double(x, mutable));
                }
                Err(error) => done = Err(error),
            },
            // Nobody moves them by small steps.
            Number::F16s(array) => match array.to_vec() {
                Ok(data) => found
                    .bits
                    .extend(data.iter().map(|x| u64::from(x.to_bits()))),
                Err(error) => done = Err(error),
            },
            Number::Bits(bits) => found.bits.push(bits),
        }));
        done.map(|()| found)
    }
    fn single(&mut self, x: f32, mutable: bool) {
        self.single = true;
        self.float(x.into(), x.to_bits().into(), mutable);
    }
    fn double(&mut self, x: f64, mutable: bool) {
        self.float(x, x.to_bits(), mutable);
    }
    fn float(&mut self, x: f64, bits: u64, mutable: bool) {
        self.floats.push(x);
        self.mutable.push(mutable);
        self.bits.push(if x.is_nan() { u64::MAX } else { bits });
    }
    /// Whether there are arrays of floats.
    pub fn has_arrays(&self) -> bool {
        !self.shapes.is_empty()
    }
}

/// All floats.
pub fn floats_of(whole: &mut impl Visit) -> Result<Vec<f64>> {
    let mut floats = Vec::new();
    floats_into(whole, &mut floats)?;
    Ok(floats)
}

/// Adds all floats to others.
pub fn floats_into(whole: &mut impl Visit, floats: &mut Vec<f64>) -> Result<()> {
    let (floats, mut done) = (RefCell::new(floats), Ok(()));
    let mut arrays = |number: Number<'_>, _| {
        let found = match number {
            Number::F32s(array) => array.to_vec().map(widened),
            Number::F64s(array) => array.to_vec(),
            Number::F32(_) | Number::F64(_) | Number::F16s(_) | Number::Bits(_) => return,
        };
        match found {
            Ok(found) => floats.borrow_mut().extend(found),
            Err(error) => done = Err(error),
        }
    };
    let mut rows = |row: Row<'_>| match row {
        Row::F32(row) => floats
            .borrow_mut()
            .extend(row.iter().map(|&x| f64::from(x))),
        Row::F64(row) => floats.borrow_mut().extend_from_slice(row),
    };
    whole.visit(&mut Visitor::of_floats(&mut arrays, &mut rows));
    done
}

fn widened(data: Vec<f32>) -> Vec<f64> {
    data.into_iter().map(f64::from).collect()
}

/// How many floats there are.
pub fn count_floats(whole: &mut impl Visit) -> usize {
    let count = Cell::new(0);
    let add = |more: usize| count.set(count.get() + more);
    let mut arrays = |number: Number<'_>, _| match number {
        Number::F32s(array) => add(array.len()),
        Number::F64s(array) => add(array.len()),
        Number::F32(_) | Number::F64(_) | Number::F16s(_) | Number::Bits(_) => {}
    };
    let mut rows = |row: Row<'_>| match row {
        Row::F32(row) => add(row.len()),
        Row::F64(row) => add(row.len()),
    };
    whole.visit(&mut Visitor::of_floats(&mut arrays, &mut rows));
    count.get()
}

/// Makes each float what this says of its place. What the floats were does not matter, so arrays are not read.
pub fn fill_floats(whole: &mut impl Visit, at: impl Fn(usize) -> f64) {
    let done = Cell::new(0);
    // The place of the first of so many floats.
    let start = |count: usize| done.replace(done.get() + count);
    let single = |n: usize| at(n) as f32;
    fn fill<T>(row: &mut [T], start: usize, at: impl Fn(usize) -> T) {
        let places = row.iter_mut().zip(start..);
        places.for_each(|(place, n)| *place = at(n));
    }
    fn array<T: FloatElement>(array: &mut Array<T>, start: usize, at: impl Fn(usize) -> T) {
        let data = (start..start + array.len()).map(at).collect();
        *array = Array::from_vec_on(array.device(), data, array.shape());
    }
    let mut arrays = |number: Number<'_>, _| match number {
        Number::F32s(x) => array(x, start(x.len()), single),
        Number::F64s(x) => array(x, start(x.len()), &at),
        Number::F32(_) | Number::F64(_) | Number::F16s(_) | Number::Bits(_) => {}
    };
    let mut rows = |row: Row<'_>| match row {
        Row::F32(row) => fill(row, start(row.len()), single),
        Row::F64(row) => fill(row, start(row.len()), &at),
    };
    whole.visit(&mut Visitor::of_floats(&mut arrays, &mut rows));
}

/// Replaces the floats, as far as there are new ones.
pub fn set_floats(whole: &mut impl Visit, from: &[f64]) -> Result<()> {
    let mut from = from.iter().copied();
    let mut done = Ok(());
    whole.visit(&mut Visitor::new(&mut |number, _| match number {
        Number::F32(x) => *x = from.next().map_or(*x, |x| x as f32),
        Number::F64(x) => *x = from.next().unwrap_or(*x),
        Number::F32s(array) => match array.to_vec() {
            Ok(data) => {
                let data: Vec<f32> = data
                    .iter()
                    .map(|&x| from.next().map_or(x, |x| x as f32))
                    .collect();
                *array = Array::from_vec_on(array.device(), data, array.shape());
            }
            Err(error) => done = Err(error),
        },
        Number::F64s(array) => match array.to_vec() {
            Ok(data) => {
                let data: Vec<f64> = data.iter().map(|&x| from.next().unwrap_or(x)).collect();
                *array = Array::from_vec_on(array.device(), data, array.shape());
            }
            Err(error) => done = Err(error),
        },
        Number::F16s(_) | Number::Bits(_) => {}
    }));
    done
}
