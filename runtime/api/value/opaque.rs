//! Text, markers, and what cannot be passed from outside.

use super::{Call, Copies, Cotangent, InRc, Reader, Result, Seen, Value, refuse};
use crate::front::types::{TypeBehind, Typed, for_functions};
use crate::ir::Symbol;
use std::marker::PhantomData;
use std::rc::Rc;

/// Text: what is passed is a number that stands for it.
macro_rules! texts {
    ($($ty:ty, |$text:ident| $take:expr;)*) => {$(
        impl Value for $ty {
            fn encode(&self, call: &mut Call<'_>) -> Result<()> {
                call.text(self)
            }
            fn decode(reader: &mut Reader<'_>) -> Result<Self> {
                let $text = reader.text()?;
                Ok($take)
            }
            fn copy(&self, _seen: &mut Copies) -> Result<Self> {
                Ok(self.clone())
            }
            fn zero(&self, _seen: &mut Seen) {}
            fn read(_gradient: &mut (), reader: &mut Reader<'_>) -> Result<()> {
                reader.scalar::<u64>().map(drop)
            }
            fn write(_gradient: &(), reader: &mut Reader<'_>) -> Result<()> {
                reader.scalar::<u64>().map(drop)
            }
        }
    )*};
}
texts! {
    String, |text| text.to_owned();
    Box<str>, |text| text.into();
    // A reference outlives the call: the text is kept for good, once.
    &str, |text| Symbol::new(text).as_str();
}

impl InRc for str {
    fn give_in_rc(this: &Rc<str>, call: &mut Call<'_>) -> Result<()> {
        call.text(this)
    }
    fn take_in_rc(reader: &mut Reader<'_>) -> Result<Rc<str>> {
        reader.text().map(Rc::from)
    }
    fn copy_in_rc(this: &Rc<str>, _seen: &mut Copies) -> Result<Rc<str>> {
        Ok(this.clone())
    }
    fn zero_in_rc(_this: &Rc<str>, _seen: &mut Seen) {}
    fn read_in_rc(_gradient: &mut (), reader: &mut Reader<'_>) -> Result<()> {
        reader.scalar::<u64>().map(drop)
    }
    fn write_in_rc(_gradient: &(), reader: &mut Reader<'_>) -> Result<()> {
        reader.scalar::<u64>().map(drop)
    }
}

impl<T: ?Sized> Value for PhantomData<T> {
    fn encode(&self, _call: &mut Call<'_>) -> Result<()> {
        Ok(())
    }
    fn decode(_reader: &mut Reader<'_>) -> Result<Self> {
        Ok(PhantomData)
    }
    fn copy(&self, _seen: &mut Copies) -> Result<Self> {
        Ok(PhantomData)
    }
    fn zero(&self, _seen: &mut Seen) {}
    fn read(_gradient: &mut (), _reader: &mut Reader<'_>) -> Result<()> {
        Ok(())
    }
    fn write(_gradient: &(), _reader: &mut Reader<'_>) -> Result<()> {
        Ok(())
    }
}

/// Values of which only the compiler knows what they are.
macro_rules! refused {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        #[allow(coherence_leak_check, reason = "no type is both `fn(A)` and `fn(&A)`")]
        impl<$($generics)*> Value for $ty {
            fn encode(&self, _call: &mut Call<'_>) -> Result<()> {
                no_dynamic()
            }
            fn decode(_reader: &mut Reader<'_>) -> Result<Self> {
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
fn no_dynamic<T>() -> Result<T> {
    refuse(
        "functions and `dyn Iterator` values cannot be passed to a differentiable function from outside, nor returned",
        "make them inside, in a function that takes what they capture",
    )
}

macro_rules! functions {
    ([$($bound:tt)*] [$($param:tt)*] [$($ty:tt)*]) => {
        refused! {
            [$($bound)* R: Typed] fn($($param)*) -> R;
            [$($bound)* R: Typed] Box<dyn Fn($($param)*) -> R + '_>;
            [$($bound)* R: Typed] &(dyn Fn($($param)*) -> R + '_);
            [$($bound)* R: Typed] Box<dyn FnMut($($param)*) -> R + '_>;
            [$($bound)* R: Typed] &mut (dyn FnMut($($param)*) -> R + '_);
            [$($bound)* R: Typed] Box<dyn FnOnce($($param)*) -> R + '_>;
        }
        #[allow(coherence_leak_check, reason = "no type is both `dyn Fn(A)` and `dyn Fn(&A)`")]
        impl<$($bound)* R: Typed> InRc for dyn Fn($($param)*) -> R + '_ {
            fn give_in_rc(_this: &Rc<Self>, _call: &mut Call<'_>) -> Result<()> {
                no_dynamic()
            }
            fn take_in_rc(_reader: &mut Reader<'_>) -> Result<Rc<Self>> {
                no_dynamic()
            }
            fn copy_in_rc(_this: &Rc<Self>, _seen: &mut Copies) -> Result<Rc<Self>> {
                no_dynamic()
            }
            fn zero_in_rc(_this: &Rc<Self>, _seen: &mut Seen) {}
            fn read_in_rc(_gradient: &mut (), reader: &mut Reader<'_>) -> Result<()> {
                reader.skip::<Rc<Self>>()
            }
            fn write_in_rc(_gradient: &(), reader: &mut Reader<'_>) -> Result<()> {
                reader.skip::<Rc<Self>>()
            }
        }
    };
}
for_functions! { functions }
refused! {
    [T: Typed] Box<dyn Iterator<Item = T> + '_>;
    [T: Typed] &mut (dyn Iterator<Item = T> + '_);
}

/// A field that is a `&mut`: what is behind it would have to be found again after the call.
macro_rules! exclusive {
    ($($ty:ty => $gradient:ty;)*) => {$(
        impl<T: Value> Value for $ty {
            fn encode(&self, _call: &mut Call<'_>) -> Result<()> {
                no_exclusive()
            }
            fn decode(_reader: &mut Reader<'_>) -> Result<Self> {
                no_exclusive()
            }
            fn copy(&self, _seen: &mut Copies) -> Result<Self> {
                no_exclusive()
            }
            fn zero(&self, _seen: &mut Seen) -> $gradient {
                Cotangent::empty()
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
