//! The numbers that values and gradients are made of.

use super::visit::{Number, Visit, Visitor};
use crate::array::Array;
use crate::diag::Result;

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
    Ok(Numbers::of(whole)?.floats)
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
        Number::Bits(_) => {}
    }));
    done
}
