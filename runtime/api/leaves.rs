//! The numbers that values are made of.

use crate::array::Array;
use crate::diag::Result;

/// A value as a list of numbers, in order.
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
    fn shapes(&self, _out: &mut Vec<Vec<usize>>) {}
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

macro_rules! float_leaves {
    ($($ty:ident $single:literal),*) => {$(
        impl Leaves for $ty {
            fn floats(&self, out: &mut Vec<f64>) -> Result<()> {
                out.push((*self).into());
                Ok(())
            }
            fn set_floats(&mut self, from: &mut dyn Iterator<Item = f64>) -> Result<()> {
                if let Some(x) = from.next() {
                    *self = x as $ty;
                }
                Ok(())
            }
            fn bits(&self, out: &mut Vec<u64>) -> Result<()> {
                out.push(if self.is_nan() { u64::MAX } else { self.to_bits().into() });
                Ok(())
            }
            fn describe(&self, traits: &mut Traits) {
                traits.single |= $single;
            }
        }
        impl Leaves for Array<$ty> {
            fn floats(&self, out: &mut Vec<f64>) -> Result<()> {
                self.to_vec()?.floats(out)
            }
            fn set_floats(&mut self, from: &mut dyn Iterator<Item = f64>) -> Result<()> {
                let mut data = self.to_vec()?;
                data.set_floats(from)?;
                *self = Array::from_vec_on(self.device(), data, self.shape());
                Ok(())
            }
            fn bits(&self, out: &mut Vec<u64>) -> Result<()> {
                self.to_vec()?.bits(out)
            }
            fn describe(&self, traits: &mut Traits) {
                traits.single |= $single;
                traits.arrays = true;
            }
            fn shapes(&self, out: &mut Vec<Vec<usize>>) {
                out.push(self.shape().to_vec());
            }
        }
    )*};
}
float_leaves!(f32 true, f64 false);

macro_rules! other_leaves {
    ($($ty:ident),*) => {$(
        impl Leaves for $ty {
            fn floats(&self, _out: &mut Vec<f64>) -> Result<()> {
                Ok(())
            }
            fn set_floats(&mut self, _from: &mut dyn Iterator<Item = f64>) -> Result<()> {
                Ok(())
            }
            fn bits(&self, out: &mut Vec<u64>) -> Result<()> {
                out.push(*self as u64);
                Ok(())
            }
            fn describe(&self, _traits: &mut Traits) {}
        }
    )*};
}
other_leaves!(bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

macro_rules! index_arrays {
    ($($ty:ident),*) => {$(
        impl Leaves for Array<$ty> {
            fn floats(&self, _out: &mut Vec<f64>) -> Result<()> {
                Ok(())
            }
            fn set_floats(&mut self, _from: &mut dyn Iterator<Item = f64>) -> Result<()> {
                Ok(())
            }
            fn bits(&self, out: &mut Vec<u64>) -> Result<()> {
                self.to_vec()?.bits(out)
            }
            fn describe(&self, traits: &mut Traits) {
                traits.arrays = true;
            }
        }
    )*};
}
index_arrays!(i32, u32);

impl<T: Leaves> Leaves for Vec<T> {
    fn floats(&self, out: &mut Vec<f64>) -> Result<()> {
        self.iter().try_for_each(|x| x.floats(out))
    }
    fn set_floats(&mut self, from: &mut dyn Iterator<Item = f64>) -> Result<()> {
        self.iter_mut().try_for_each(|x| x.set_floats(from))
    }
    fn bits(&self, out: &mut Vec<u64>) -> Result<()> {
        self.iter().try_for_each(|x| x.bits(out))
    }
    fn describe(&self, traits: &mut Traits) {
        self.iter().take(1).for_each(|x| x.describe(traits));
    }
    fn shapes(&self, out: &mut Vec<Vec<usize>>) {
        self.iter().for_each(|x| x.shapes(out));
    }
}

macro_rules! tuple_leaves {
    ($($A:ident $P:ident $n:tt),*) => {
        #[allow(unused_variables, reason = "the empty tuple")]
        impl<$($A: Leaves),*> Leaves for ($($A,)*) {
            fn floats(&self, out: &mut Vec<f64>) -> Result<()> {
                $(self.$n.floats(out)?;)*
                Ok(())
            }
            fn set_floats(&mut self, from: &mut dyn Iterator<Item = f64>) -> Result<()> {
                $(self.$n.set_floats(from)?;)*
                Ok(())
            }
            fn bits(&self, out: &mut Vec<u64>) -> Result<()> {
                $(self.$n.bits(out)?;)*
                Ok(())
            }
            fn describe(&self, traits: &mut Traits) {
                $(self.$n.describe(traits);)*
            }
            fn shapes(&self, out: &mut Vec<Vec<usize>>) {
                $(self.$n.shapes(out);)*
            }
        }
    };
}
crate::api::for_tuples!(tuple_leaves);
