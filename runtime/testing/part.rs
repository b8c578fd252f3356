//! Single arguments of a test: what can be done to one of them whatever its type.

use super::argument::{Mutable, Shared};
use crate::api::{
    Call,
    leaves::{Leaves, floats_of},
};
use crate::array::Array;
use crate::exec::Scalar;
use std::any::Any;

/// One argument.
pub trait Part {
    /// How many floats of it carry cotangents.
    fn count(&self) -> usize;
    /// The argument, to look for its type.
    fn any(&mut self) -> &mut dyn Any;
}

impl<T: Leaves + 'static> Part for T {
    fn count(&self) -> usize {
        // What cannot be read fails where its floats are asked for.
        floats_of(self).map_or(0, |floats| floats.len())
    }
    fn any(&mut self) -> &mut dyn Any {
        self
    }
}

/// A slice that can be passed for two parameters.
pub trait Both {
    /// Passes it for the two slices at these addresses.
    fn share<'s>(&'s self, places: [usize; 2], call: &mut Call<'s>);
}

impl<T: Scalar> Both for Vec<T> {
    fn share<'s>(&'s self, places: [usize; 2], call: &mut Call<'s>) {
        call.share(self, places);
    }
}

/// Two arguments of equal contents.
pub enum Pair {
    /// Shared slices: their contents and their addresses.
    Slices(Box<dyn Both>, [usize; 2]),
    /// Arrays.
    Arrays,
}

/// Makes the argument `to` a copy of the argument `from`, if both are shared slices of one length, or arrays of one shape.
/// Arrays are one buffer if they are `shared`.
pub fn equal(parts: &mut [&mut dyn Part], from: usize, to: usize, shared: bool) -> Option<Pair> {
    fn slices<T: Scalar>(parts: &mut [&mut dyn Part], from: usize, to: usize) -> Option<Pair> {
        let source = parts[from].any().downcast_ref::<Vec<T>>()?.clone();
        let address = parts[from].any().downcast_ref::<Vec<T>>()?.as_ptr() as usize;
        let target = parts[to].any().downcast_mut::<Vec<T>>()?;
        if target.len() != source.len() || source.is_empty() {
            return None;
        }
        target.copy_from_slice(&source);
        let places = [address, target.as_ptr() as usize];
        Some(Pair::Slices(Box::new(source), places))
    }
    let found = slices::<f64>(parts, from, to).or_else(|| slices::<f32>(parts, from, to));
    found.or_else(|| {
        let source = &parts[from].any().downcast_ref::<Shared<Array<f32>>>()?.0;
        let source = match shared {
            true => source.clone(),
            false => Array::from_vec_on(source.device(), source.to_vec().ok()?, source.shape()),
        };
        let target = &mut parts[to].any().downcast_mut::<Shared<Array<f32>>>()?.0;
        (target.shape() == source.shape()).then(|| *target = source)?;
        Some(Pair::Arrays)
    })
}

/// Halves an argument that is a slice.
pub fn shorten(part: &mut dyn Part) {
    fn halve<T: Scalar>(any: &mut dyn Any) {
        if let Some(slice) = any.downcast_mut::<Vec<T>>() {
            slice.truncate(slice.len() / 2);
        } else if let Some(Mutable(slice)) = any.downcast_mut::<Mutable<Vec<T>>>() {
            slice.truncate(slice.len() / 2);
        }
    }
    halve::<f64>(part.any());
    halve::<f32>(part.any());
    halve::<usize>(part.any());
}
