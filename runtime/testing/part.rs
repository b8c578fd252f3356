//! Single arguments of a test: what can be done to one of them whatever its type.

use super::argument::{Mutable, Own, Shared, Slice, SliceMut};
use super::leaves::floats_of;
use crate::api::{Call, Value, Visit};
use crate::array::Array;
use crate::exec::Scalar;
use std::any::Any;

/// One argument.
pub trait Part {
    /// How many floats of it carry cotangents.
    fn count(&mut self) -> usize;
    /// The argument, to look for its type.
    fn any(&mut self) -> &mut dyn Any;
}

impl<T: Visit + 'static> Part for T {
    fn count(&mut self) -> usize {
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
    fn slices<T: Value + Scalar + 'static>(
        parts: &mut [&mut dyn Part],
        from: usize,
        to: usize,
    ) -> Option<Pair> {
        let source = parts[from].any().downcast_ref::<Slice<T>>()?.0.clone();
        let address = parts[from].any().downcast_ref::<Slice<T>>()?.0.as_ptr() as usize;
        let target = &mut parts[to].any().downcast_mut::<Slice<T>>()?.0;
        if target.len() != source.len() || source.is_empty() {
            return None;
        }
        target.copy_from_slice(&source);
        let places = [address, target.as_ptr() as usize];
        Some(Pair::Slices(Box::new(source), places))
    }
    let found = slices::<f64>(parts, from, to).or_else(|| slices::<f32>(parts, from, to));
    found.or_else(|| {
        let source = array(parts[from].any())?.clone();
        let source = match shared {
            true => source,
            false => Array::from_vec_on(source.device(), source.to_vec().ok()?, source.shape()),
        };
        let target = array(parts[to].any())?;
        (target.shape() == source.shape()).then(|| *target = source)?;
        Some(Pair::Arrays)
    })
}

fn array(part: &mut dyn Any) -> Option<&mut Array<f32>> {
    if part.is::<Own<Array<f32>>>() {
        return part.downcast_mut::<Own<Array<f32>>>().map(|own| &mut own.0);
    }
    let shared = part.downcast_mut::<Shared<Array<f32>>>();
    shared.map(|shared| &mut shared.0)
}

/// Halves an argument that is a slice or a vector.
pub fn shorten(part: &mut dyn Part) {
    fn halve<T: 'static>(any: &mut dyn Any) {
        let vec = if any.is::<Slice<T>>() {
            any.downcast_mut().map(|Slice::<T>(vec)| vec)
        } else if any.is::<SliceMut<T>>() {
            any.downcast_mut().map(|SliceMut::<T>(vec)| vec)
        } else if any.is::<Shared<Vec<T>>>() {
            any.downcast_mut().map(|Shared::<Vec<T>>(vec)| vec)
        } else {
            any.downcast_mut().map(|Mutable::<Vec<T>>(vec)| vec)
        };
        if let Some(vec) = vec {
            vec.truncate(vec.len() / 2);
        }
    }
    halve::<f64>(part.any());
    halve::<f32>(part.any());
    halve::<usize>(part.any());
}
