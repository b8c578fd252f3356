//! Single arguments of a test: what can be done to one of them whatever its type.

use super::argument::{Mutable, Owned, Shared, Slice, SliceMut};
use crate::api::{Activity, Copies, Number, Visitor};
use crate::array::Array;
use std::any::Any;

/// One argument.
pub trait Part {
    /// Goes through its numbers.
    fn numbers(&mut self, visitor: &mut Visitor<'_>);
    /// How many flat parameters it stands for.
    fn width(&self) -> usize;
    /// Whether it holds slices or arrays that another argument can be given as well.
    fn lends(&mut self) -> bool;
    /// Makes it a copy of another argument of its type; false if that is of another.
    fn assign(&mut self, from: &mut dyn Part, copies: &mut Copies) -> bool;
    /// The argument, to look for its type.
    fn any(&mut self) -> &mut dyn Any;
}

impl<T: Owned> Part for T {
    fn numbers(&mut self, visitor: &mut Visitor<'_>) {
        self.visit(visitor);
    }
    fn width(&self) -> usize {
        let mut leaves = Activity::default();
        T::activity(&mut leaves);
        leaves.len()
    }
    fn lends(&mut self) -> bool {
        Owned::lends(self)
    }
    fn assign(&mut self, from: &mut dyn Part, copies: &mut Copies) -> bool {
        let copy = (from.any().downcast_ref::<T>()).and_then(|from| from.copy(copies).ok());
        copy.map(|copy| *self = copy).is_some()
    }
    fn any(&mut self) -> &mut dyn Any {
        self
    }
}

/// Gives arrays buffers of their own.
pub fn separate(part: &mut dyn Part) {
    part.numbers(&mut Visitor::new(&mut |number, _| match number {
        Number::F32s(x) => {
            if let Ok(data) = x.to_vec() {
                *x = Array::from_vec_on(x.device(), data, x.shape());
            }
        }
        Number::F64s(x) => {
            if let Ok(data) = x.to_vec() {
                *x = Array::from_vec_on(x.device(), data, x.shape());
            }
        }
        Number::F32(_) | Number::F64(_) | Number::F16s(_) | Number::Bits(_) => {}
    }));
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
