//! The numbers that values are made of, in lists.

use super::visit::{Number, Visit, Visitor};
use crate::array::{Array, FloatElement};
use crate::diag::Result;

/// A value as a list of numbers, in order. A value that holds an `Rc` shares it with its clones, so it has not numbers of its own.
pub trait Leaves {
    /// The floats.
    fn floats(&self, out: &mut Vec<f64>) -> Result<()>;
    /// Replaces the floats.
    fn set_floats(&mut self, from: &mut dyn Iterator<Item = f64>) -> Result<()>;
    /// Everything, by bits; all NaNs are one.
    fn bits(&self, out: &mut Vec<u64>) -> Result<()>;
    /// What precision the floats have, and whether there are arrays among them.
    fn describe(&self, traits: &mut Traits);
    /// The extents of each array of floats.
    fn shapes(&self, out: &mut Vec<Vec<usize>>);
}

/// What a test must know about values.
#[derive(Clone, Copy, Default, Debug)]
pub struct Traits {
    /// Some of the floats are f32.
    pub single: bool,
    /// There are arrays: sums are in another order on every device.
    pub arrays: bool,
}

impl Traits {
    /// The precision of the least precise float.
    pub fn epsilon(self) -> f64 {
        if self.single {
            f32::EPSILON.into()
        } else {
            f64::EPSILON
        }
    }
}

/// All floats of a value.
pub fn floats_of(value: &impl Leaves) -> Result<Vec<f64>> {
    let mut out = Vec::new();
    value.floats(&mut out)?;
    Ok(out)
}

/// All bits of a value.
pub fn bits_of(value: &impl Leaves) -> Result<Vec<u64>> {
    let mut out = Vec::new();
    value.bits(&mut out)?;
    Ok(out)
}

/// Calls `f` with every number of a value.
fn each(value: &mut impl Visit, mut f: impl FnMut(Number<'_>) -> Result<()>) -> Result<()> {
    let mut done = Ok(());
    value.visit(&mut Visitor::new(&mut |number| {
        if done.is_ok() {
            done = f(number);
        }
    }));
    done
}

fn replace<T: FloatElement + Into<f64>>(
    array: &mut Array<T>,
    from: &mut dyn Iterator<Item = f64>,
) -> Result<()> {
    let mut data = array.to_vec()?;
    // Where the list ends the rest stays.
    data.iter_mut()
        .zip(from)
        .for_each(|(place, x)| *place = T::from_f64(x));
    *array = Array::from_vec_on(array.device(), data, array.shape());
    Ok(())
}

fn bits<T: Into<f64> + Copy>(x: T, bits: u64) -> u64 {
    if x.into().is_nan() { u64::MAX } else { bits }
}

impl<T: Visit + Clone> Leaves for T {
    fn floats(&self, out: &mut Vec<f64>) -> Result<()> {
        each(&mut self.clone(), |number| {
            match number {
                Number::F32(x) => out.push((*x).into()),
                Number::F64(x) => out.push(*x),
                Number::F32s(x) => out.extend(x.to_vec()?.into_iter().map(f64::from)),
                Number::F64s(x) => out.extend(x.to_vec()?),
                Number::Bits(_) => {}
            }
            Ok(())
        })
    }
    fn set_floats(&mut self, from: &mut dyn Iterator<Item = f64>) -> Result<()> {
        each(self, |number| {
            match number {
                Number::F32(place) => *place = from.next().map_or(*place, |x| x as f32),
                Number::F64(place) => *place = from.next().unwrap_or(*place),
                Number::F32s(array) => replace(array, from)?,
                Number::F64s(array) => replace(array, from)?,
                Number::Bits(_) => {}
            }
            Ok(())
        })
    }
    fn bits(&self, out: &mut Vec<u64>) -> Result<()> {
        each(&mut self.clone(), |number| {
            match number {
                Number::F32(x) => out.push(bits(*x, x.to_bits().into())),
                Number::F64(x) => out.push(bits(*x, x.to_bits())),
                Number::F32s(x) => {
                    out.extend(x.to_vec()?.into_iter().map(|x| bits(x, x.to_bits().into())));
                }
                Number::F64s(x) => {
                    out.extend(x.to_vec()?.into_iter().map(|x| bits(x, x.to_bits())))
                }
                Number::Bits(x) => out.push(x),
            }
            Ok(())
        })
    }
    fn describe(&self, traits: &mut Traits) {
        self.clone().visit(&mut Visitor::new(&mut |number| {
            traits.single |= matches!(number, Number::F32(_) | Number::F32s(_));
            traits.arrays |= matches!(number, Number::F32s(_) | Number::F64s(_));
        }));
    }
    fn shapes(&self, out: &mut Vec<Vec<usize>>) {
        self.clone()
            .visit(&mut Visitor::new(&mut |number| match number {
                Number::F32s(x) => out.push(x.shape().to_vec()),
                Number::F64s(x) => out.push(x.shape().to_vec()),
                Number::F32(_) | Number::F64(_) | Number::Bits(_) => {}
            }));
    }
}
