//! Where gradients go.

use super::call::{Call, Results};
use crate::array::Array;
use crate::diag::{Error, Result};

/// A place for a cotangent of type `G`: `Vec<f64>`, `[f64]` and `[f64; N]` for that of a slice, `f64`, `Array<f32>`, `()`. Tuples of
/// `&mut` places are places for tuples of cotangents.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no place for a cotangent of type `{G}`",
    note = "gradients are a tuple of `&mut` places, one for each argument; that of a constant argument is `&mut ()`"
)]
pub trait Slot<G> {
    /// Makes it zero.
    #[doc(hidden)]
    fn clear(&mut self);
    /// Lends what is accumulated in place to the call.
    #[doc(hidden)]
    fn lend<'s>(&'s mut self, call: &mut Call<'s>);
    /// Puts what the call returns here, or adds it if the results are to be added.
    #[doc(hidden)]
    fn read(&mut self, results: &mut Results<'_>) -> Result<()>;
    /// Marks it as unknown: NaN, or an array that carries the error.
    #[doc(hidden)]
    fn fail(&mut self, error: &Error);
}

impl Slot<()> for () {
    fn clear(&mut self) {}
    fn lend<'s>(&'s mut self, _call: &mut Call<'s>) {}
    fn read(&mut self, _results: &mut Results<'_>) -> Result<()> {
        Ok(())
    }
    fn fail(&mut self, _error: &Error) {}
}

macro_rules! slots {
    ($($ty:ident),*) => {$(
        impl Slot<$ty> for $ty {
            fn clear(&mut self) {
                *self = 0.0;
            }
            fn lend<'s>(&'s mut self, _call: &mut Call<'s>) {}
            fn read(&mut self, results: &mut Results<'_>) -> Result<()> {
                let before = if results.add() { *self } else { 0.0 };
                *self = before + results.scalar::<$ty>()?;
                Ok(())
            }
            fn fail(&mut self, _error: &Error) {
                *self = $ty::NAN;
            }
        }
        slots!(@slice $ty, [] Vec<$ty>);
        slots!(@slice $ty, [] [$ty]);
        slots!(@slice $ty, [const N: usize] [$ty; N]);
        impl Slot<Array<$ty>> for Array<$ty> {
            fn clear(&mut self) {}
            fn lend<'s>(&'s mut self, _call: &mut Call<'s>) {}
            fn read(&mut self, results: &mut Results<'_>) -> Result<()> {
                let found = results.array()?;
                *self = if results.add() { &*self + &found } else { found };
                Ok(())
            }
            fn fail(&mut self, error: &Error) {
                *self = Array::new(self.device(), Err(error.clone()));
            }
        }
    )*};
    (@slice $element:ident, [$($generics:tt)*] $ty:ty) => {
        impl<$($generics)*> Slot<Vec<$element>> for $ty {
            fn clear(&mut self) {
                self[..].fill(0.0);
            }
            fn lend<'s>(&'s mut self, call: &mut Call<'s>) {
                call.slice_mut(&mut self[..]);
            }
            fn read(&mut self, _results: &mut Results<'_>) -> Result<()> {
                Ok(())
            }
            fn fail(&mut self, _error: &Error) {
                self[..].fill($element::NAN);
            }
        }
    };
}
slots!(f32, f64);

impl<G, S: Slot<G> + ?Sized> Slot<G> for &mut S {
    fn clear(&mut self) {
        S::clear(self);
    }
    fn lend<'s>(&'s mut self, call: &mut Call<'s>) {
        S::lend(self, call);
    }
    fn read(&mut self, results: &mut Results<'_>) -> Result<()> {
        S::read(self, results)
    }
    fn fail(&mut self, error: &Error) {
        S::fail(self, error);
    }
}

macro_rules! tuple_slots {
    () => {};
    ($($A:ident $P:ident $n:tt),*) => {
        impl<$($A: Slot<$P>, $P),*> Slot<($($P,)*)> for ($($A,)*) {
            fn clear(&mut self) {
                $(self.$n.clear();)*
            }
            fn lend<'s>(&'s mut self, call: &mut Call<'s>) {
                $(self.$n.lend(call);)*
            }
            fn read(&mut self, results: &mut Results<'_>) -> Result<()> {
                $(self.$n.read(results)?;)*
                Ok(())
            }
            fn fail(&mut self, error: &Error) {
                $(self.$n.fail(error);)*
            }
        }
    };
}
super::for_tuples!(tuple_slots);
