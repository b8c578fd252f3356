//! What has no content that a call could see, and what has, but cannot be passed from outside.

use super::{Call, Copies, Cotangent, Reader, Result, Seen, Value, refuse};
use crate::front::types::{Pointee, Typed, for_functions};
use std::marker::PhantomData;
use std::rc::Rc;

/// Text and markers: nothing is passed.
macro_rules! empty {
    ($([$($generics:tt)*] $ty:ty => $value:expr;)*) => {$(
        impl<$($generics)*> Value for $ty {
            fn give(&self, _call: &mut Call<'_>) -> Result<()> {
                Ok(())
            }
            fn take(_reader: &mut Reader<'_>) -> Result<Self> {
                $value
            }
            fn copy(&self, _seen: &mut Copies) -> Result<Self> {
                Ok(self.clone())
            }
            fn zero(&self, _seen: &mut Seen) {}
            fn read(_gradient: &mut (), _reader: &mut Reader<'_>) -> Result<()> {
                Ok(())
            }
            fn write(_gradient: &(), _reader: &mut Reader<'_>) -> Result<()> {
                Ok(())
            }
        }
            )*};
}
empty! {
    [] String => no_text();
    [] &str => no_text();
    [] Rc<str> => no_text();
    [] Box<str> => no_text();
    [T: ?Sized] PhantomData<T> => Ok(PhantomData);
}

fn no_text<T>() -> Result<T> {
    refuse(
        "text cannot be read back from a call",
        "keep it outside of what the function returns or changes",
    )
}

/// Values of which only the compiler knows what they are.
macro_rules! refused {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        #[allow(coherence_leak_check, reason = "no type is both `fn(A)` and `fn(&A)`")]
        impl<$($generics)*> Value for $ty {
            fn give(&self, _call: &mut Call<'_>) -> Result<()> {
                no_dynamic()
            }
            fn take(_reader: &mut Reader<'_>) -> Result<Self> {
                no_dynamic()
            }
            fn copy(&self, _seen: &mut Copies) -> Result<Self> {
                no_dynamic()
            }
            fn zero(&self, _seen: &mut Seen) {}
            fn read(_gradient: &mut (), reader: &mut Reader<'_>) -> Result<()> {
                reader.skip::<Self>()
            }
            fn write(_gradient: &(), reader: &mut Reader<'_>) -> Result<()> {
                reader.skip::<Self>()
            }
        }
            )*};
}

/// The error for a value of which only the compiler knows what it is.
pub fn no_dynamic<T>() -> Result<T> {
    refuse(
        "functions and `dyn` values cannot be passed to a differentiable function from outside, nor returned",
        "make them inside, in a function that takes what they capture",
    )
}

macro_rules! functions {
    ([$($bound:tt)*] [$($param:tt)*] [$($ty:tt)*]) => {
        refused! {
            [$($bound)* R: Typed] fn($($param)*) -> R;
            [$($bound)* R: Typed] Box<dyn Fn($($param)*) -> R + '_>;
            [$($bound)* R: Typed] Rc<dyn Fn($($param)*) -> R + '_>;
            [$($bound)* R: Typed] &(dyn Fn($($param)*) -> R + '_);
            [$($bound)* R: Typed] Box<dyn FnMut($($param)*) -> R + '_>;
            [$($bound)* R: Typed] &mut (dyn FnMut($($param)*) -> R + '_);
            [$($bound)* R: Typed] Box<dyn FnOnce($($param)*) -> R + '_>;
        }
    };
}
for_functions! { functions }

/// A field that is a `&mut`: what is behind it would have to be found again after the call.
macro_rules! exclusive {
    ($($ty:ty => $gradient:ty;)*) => {$(
        impl<T: Value> Value for $ty {
            fn give(&self, _call: &mut Call<'_>) -> Result<()> {
                no_exclusive()
            }
            fn take(_reader: &mut Reader<'_>) -> Result<Self> {
                no_exclusive()
            }
            fn copy(&self, _seen: &mut Copies) -> Result<Self> {
                no_exclusive()
            }
            fn zero(&self, _seen: &mut Seen) -> $gradient {
                Cotangent::hollow()
            }
            fn read(_gradient: &mut $gradient, reader: &mut Reader<'_>) -> Result<()> {
                reader.skip::<Self>()
            }
            fn write(_gradient: &$gradient, reader: &mut Reader<'_>) -> Result<()> {
                reader.skip::<Self>()
            }
        }
    )*};
}
exclusive! {
    &mut T => T::Gradient;
    &mut [T] => T::SliceGradient;
}

fn no_exclusive<T>() -> Result<T> {
    refuse(
        "a value that holds a `&mut` cannot be passed to a differentiable function from outside",
        "pass the `&mut` as an argument of its own",
    )
}
