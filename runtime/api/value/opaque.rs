//! What has no content that a call could see, and what has, but cannot be passed from outside.

use super::{Call, Reader, Result, Seen, Value, Visitor, refuse};
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
            fn zero(&self, _seen: &mut Seen) {}
            fn read(_gradient: &mut (), _reader: &mut Reader<'_>) -> Result<()> {
                Ok(())
            }
            fn write(_gradient: &(), _reader: &mut Reader<'_>) -> Result<()> {
                Ok(())
            }
            fn visit(&mut self, _visitor: &mut Visitor<'_>) {}
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
        impl<$($generics)*> Value for $ty {
            fn give(&self, _call: &mut Call<'_>) -> Result<()> {
                no_dynamic()
            }
            fn take(_reader: &mut Reader<'_>) -> Result<Self> {
                no_dynamic()
            }
            fn zero(&self, _seen: &mut Seen) {}
            fn read(_gradient: &mut (), reader: &mut Reader<'_>) -> Result<()> {
                reader.skip::<Self>()
            }
            fn write(_gradient: &(), reader: &mut Reader<'_>) -> Result<()> {
                reader.skip::<Self>()
            }
            fn visit(&mut self, _visitor: &mut Visitor<'_>) {}
        }
            )*};
}

fn no_dynamic<T>() -> Result<T> {
    refuse(
        "functions and `dyn` values cannot be passed to a differentiable function from outside, nor returned",
        "make them inside, in a function that takes what they capture",
    )
}

macro_rules! functions {
    ($(($($t:ident)*))*) => {$(
        refused! {
            [$($t: crate::front::types::Typed,)* R: crate::front::types::Typed] fn($($t),*) -> R;
            [$($t: crate::front::types::Typed,)* R: crate::front::types::Typed] Box<dyn Fn($($t),*) -> R + '_>;
            [$($t: crate::front::types::Typed,)* R: crate::front::types::Typed] Rc<dyn Fn($($t),*) -> R + '_>;
            [$($t: crate::front::types::Typed,)* R: crate::front::types::Typed] &(dyn Fn($($t),*) -> R + '_);
        }
    )*};
}
functions! { () (A) (A B) (A B C) (A B C D) }
