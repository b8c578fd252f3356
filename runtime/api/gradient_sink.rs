//! Where gradients go.

use super::call::Call;
use super::direct::Direct;
use super::fields::{LendDirect, TakeDirect};
use super::reader::Reader;
use super::results::Results;
use super::value::Cotangent;
use super::visit::{Number, Visitor};
use crate::array::{Array, FloatElement};
use crate::diag::{Error, Result};
use crate::exec::{Leaf, Scalar};
use std::cell::RefCell;
use std::rc::Rc;

/// A place for a cotangent of type `G`: that type itself, and `Vec<f64>`, `[f64]` and `[f64; N]` for that of a slice of numbers. Tuples of
/// `&mut` places are places for tuples of cotangents. A vector that is the gradient of a slice must have the slice's length;
/// other gradients take the form of their values.
#[diagnostic::on_unimplemented(
    message = "a gradient of type `{G}` cannot be written to `{Self}`",
    label = "no place for `{G}`",
    note = "gradients are a tuple of `&mut` places, one for each argument: `&mut dx` with a `Vec` or a list for a slice, the argument's `zero_tangent` otherwise; \
            that of a constant argument is `&mut ()`"
)]
pub trait GradientSink<G> {
    /// Lends what is accumulated in place to the call.
    #[doc(hidden)]
    fn lend<'s>(&'s mut self, call: &mut Call<'s>);
    /// Whether it is nothing but places for floats and slices of floats, which can be lent to a [`Direct`] call.
    #[doc(hidden)]
    const IS_DIRECT: bool = false;
    /// Lends slices to such a call, filled with zeros.
    #[doc(hidden)]
    fn lend_direct<'s>(&'s mut self, call: &mut Direct<'_, 's>) {
        let _ = call;
    }
    /// Takes the floats that such a call gives.
    #[doc(hidden)]
    fn take_direct(&mut self, words: &mut &[u64]) {
        let _ = words;
    }
    /// Puts what the call returns here, or adds it if the results are to be added.
    #[doc(hidden)]
    fn read(&mut self, results: &mut Results<'_>) -> Result<()>;
    /// Marks it as unknown: NaN, or an array that carries the error.
    #[doc(hidden)]
    fn fail(&mut self, error: &Error);
    /// What is there.
    #[doc(hidden)]
    fn get(&self) -> G;
    /// Puts something there.
    #[doc(hidden)]
    fn put(&mut self, gradient: G) -> Result<()>;
}

impl GradientSink<()> for () {
    fn lend<'s>(&'s mut self, _call: &mut Call<'s>) {}
    const IS_DIRECT: bool = true;
    fn read(&mut self, _results: &mut Results<'_>) -> Result<()> {
        Ok(())
    }
    fn fail(&mut self, _error: &Error) {}
    fn get(&self) {}
    fn put(&mut self, _gradient: ()) -> Result<()> {
        Ok(())
    }
}

/// What a gradient does as the place for a gradient of its own type.
pub mod itself {
    use super::*;

    /// See [`GradientSink::lend`].
    pub fn lend<'s, G: Cotangent>(gradient: &'s mut G, call: &mut Call<'s>) {
        call.lend(gradient);
    }
    /// See [`GradientSink::lend_direct`].
    #[inline]
    pub fn lend_direct<'s, G: Cotangent>(gradient: &'s mut G, call: &mut Direct<'_, 's>) {
        gradient.each_part(&mut LendDirect(call));
    }
    /// See [`GradientSink::take_direct`].
    #[inline]
    pub fn take_direct<G: Cotangent>(gradient: &mut G, words: &mut &[u64]) {
        gradient.each_part(&mut TakeDirect(words));
    }
    /// See [`GradientSink::read`].
    pub fn read<G: Cotangent>(gradient: &mut G, results: &mut Results<'_>) -> Result<()> {
        results.gradient(gradient)
    }
    /// See [`GradientSink::fail`].
    pub fn fail<G: Cotangent>(gradient: &mut G, error: &Error) {
        gradient.visit(&mut Visitor::new(&mut |number, _| match number {
            Number::F32(x) => *x = f32::NAN,
            Number::F64(x) => *x = f64::NAN,
            Number::F32s(x) => *x = Array::new(x.device(), Err(error.clone())),
            Number::F64s(x) => *x = Array::new(x.device(), Err(error.clone())),
            Number::F16s(_) | Number::Bits(_) => {}
        }));
    }
}

#[inline]
fn take_number<T: Scalar>(place: &mut T, words: &mut &[u64]) {
    if let Some((&word, rest)) = words.split_first() {
        (*place, *words) = (T::from_word(word), rest);
    }
}

macro_rules! slots {
    ($([$($generics:tt)*] $ty:ty $({ $($direct:tt)* })?;)*) => {$(
        impl<$($generics)*> GradientSink<$ty> for $ty {
            $($($direct)*)?
            fn lend<'s>(&'s mut self, call: &mut Call<'s>) {
                itself::lend(self, call);
            }
            fn read(&mut self, results: &mut Results<'_>) -> Result<()> {
                itself::read(self, results)
            }
            fn fail(&mut self, error: &Error) {
                itself::fail(self, error);
            }
            fn get(&self) -> $ty {
                self.clone()
            }
            fn put(&mut self, gradient: $ty) -> Result<()> {
                *self = gradient;
                Ok(())
            }
        }
    )*};
}
slots! {
    [] f32 {
        const IS_DIRECT: bool = true;
        #[inline]
        fn take_direct(&mut self, words: &mut &[u64]) {
            take_number(self, words);
        }
    };
    [] f64 {
        const IS_DIRECT: bool = true;
        #[inline]
        fn take_direct(&mut self, words: &mut &[u64]) {
            take_number(self, words);
        }
    };
    [T: FloatElement] Array<T>;
    [G: Cotangent] Vec<G> {
        const IS_DIRECT: bool = G::IS_FLOAT;
        #[inline]
        fn lend_direct<'s>(&'s mut self, call: &mut Direct<'_, 's>) {
            self.fill(G::empty());
            if let Some(floats) = G::floats(self) {
                call.lend(&floats);
            }
        }
    };
    [G: Cotangent, const N: usize] [G; N];
    [G: Cotangent] Option<G>;
    [G: Cotangent, H: Cotangent] std::result::Result<G, H>;
    [G: Cotangent] Box<G>;
    [G: Cotangent] Rc<G>;
    [G: Cotangent] RefCell<G>;
}

macro_rules! slice_slots {
    ($($element:ident [$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> GradientSink<Vec<$element>> for $ty {
            fn lend<'s>(&'s mut self, call: &mut Call<'s>) {
                call.lend_floats(&mut self[..]);
            }
            const IS_DIRECT: bool = true;
            #[inline]
            fn lend_direct<'s>(&'s mut self, call: &mut Direct<'_, 's>) {
                self[..].fill(0.0);
                call.lend(&Leaf::slice_mut(&mut self[..]));
            }
            fn read(&mut self, results: &mut Results<'_>) -> Result<()> {
                results.slice(&mut self[..])
            }
            fn fail(&mut self, _error: &Error) {
                self[..].fill($element::NAN);
            }
            fn get(&self) -> Vec<$element> {
                self.to_vec()
            }
            fn put(&mut self, gradient: Vec<$element>) -> Result<()> {
                if gradient.len() != self.len() {
                    return Err(Reader::wrong_length(self.len(), gradient.len()));
                }
                self[..].copy_from_slice(&gradient);
                Ok(())
            }
        }
    )*};
}
slice_slots! {
    f32 [] [f32];
    f64 [] [f64];
    f32 [const N: usize] [f32; N];
    f64 [const N: usize] [f64; N];
}

impl<G, S: GradientSink<G> + ?Sized> GradientSink<G> for &mut S {
    fn lend<'s>(&'s mut self, call: &mut Call<'s>) {
        S::lend(self, call);
    }
    const IS_DIRECT: bool = S::IS_DIRECT;
    #[inline]
    fn lend_direct<'s>(&'s mut self, call: &mut Direct<'_, 's>) {
        S::lend_direct(self, call);
    }
    #[inline]
    fn take_direct(&mut self, words: &mut &[u64]) {
        S::take_direct(self, words);
    }
    fn read(&mut self, results: &mut Results<'_>) -> Result<()> {
        S::read(self, results)
    }
    fn fail(&mut self, error: &Error) {
        S::fail(self, error);
    }
    fn get(&self) -> G {
        S::get(self)
    }
    fn put(&mut self, gradient: G) -> Result<()> {
        S::put(self, gradient)
    }
}

macro_rules! tuple_slots {
    () => {};
    ($($A:ident $P:ident $n:tt),*) => {
        impl<$($A: GradientSink<$P>, $P: Cotangent),*> GradientSink<($($P,)*)> for ($($A,)*) {
            fn lend<'s>(&'s mut self, call: &mut Call<'s>) {
                if call.next_is::<($($P,)*)>() {
                    return call.lend_tuple(|| self.get());
                }
                $(self.$n.lend(call);)*
            }
            const IS_DIRECT: bool = true $(&& $A::IS_DIRECT)*;
            #[inline]
            fn lend_direct<'s>(&'s mut self, call: &mut Direct<'_, 's>) {
                $(self.$n.lend_direct(call);)*
            }
            #[inline]
            fn take_direct(&mut self, words: &mut &[u64]) {
                $(self.$n.take_direct(words);)*
            }
            fn read(&mut self, results: &mut Results<'_>) -> Result<()> {
                if results.next_is::<($($P,)*)>() {
                    let mut found: ($($P,)*) = Cotangent::empty();
                    results.gradient(&mut found)?;
                    return self.put(found);
                }
                $(self.$n.read(results)?;)*
                Ok(())
            }
            fn fail(&mut self, error: &Error) {
                $(self.$n.fail(error);)*
            }
            fn get(&self) -> ($($P,)*) {
                ($(self.$n.get(),)*)
            }
            fn put(&mut self, gradient: ($($P,)*)) -> Result<()> {
                $(self.$n.put(gradient.$n)?;)*
                Ok(())
            }
        }
    };
}
super::for_tuples!(tuple_slots);
