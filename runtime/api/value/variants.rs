//! `Option`, `Result` and tuples: what `#[derive(Differentiable)]` writes, written here for what the language has itself.

use super::{Call, Copies, Cotangent, Reader, Seen, Value};
use crate::api::direct::{Direct, Numbers};
use crate::api::own_rule::{Given, Outcome};
use crate::api::rows::{Cotangents, Fields, Place, Plain, Row, Variants, together};
use crate::diag::{Error, Result as Done};

impl<T: Value> Value for Option<T> {
    const VARIANTS: Variants = &[&[], &[T::PLAIN]];
    const PLAIN: Option<Plain> = Plain::of_variants(Self::VARIANTS);
    #[inline]
    fn put<const NUMBERS: bool>(&self, place: &mut [u8], behind: &mut Row<'_>) {
        let mut fields = Fields::new(place);
        fields.put_variant::<NUMBERS>(usize::from(self.is_some()), behind);
        if let Some(value) = self {
            let start = const { Plain::start(Self::VARIANTS, 1, 0) };
            fields.put_at::<T, NUMBERS>(start, value, behind);
        }
    }
    fn behind(&self) -> Option<usize> {
        match self {
            None => Some(0),
            Some(value) => value.behind(),
        }
    }
    #[inline]
    fn pick(gradient: &mut Self::Gradient, place: Place<'_>, behind: &mut Cotangents<'_>) {
        match place.variant() {
            0 => *gradient = None,
            1 => {
                let start = const { Plain::start(Self::VARIANTS, 1, 0) };
                let gradient = gradient.get_or_insert_with(Cotangent::empty);
                Fields::new(place).pick_at::<T>(start, gradient, behind);
            }
            _ => behind.fail(),
        }
    }
    fn encode(&self, call: &mut Call<'_>) -> Done<()> {
        match self {
            None => call.fields::<Self>(0, |_| Ok(())),
            Some(value) => call.fields::<Self>(1, |call| call.field(value)),
        }
    }
    fn decode(reader: &mut Reader<'_>) -> Done<Self> {
        reader.fields::<Self, _>(|reader, variant| match variant {
            0 => Ok(None),
            _ => reader.take_field().map(Some),
        })
    }
    fn refresh(&self, reader: &mut Reader<'_>) -> Done<()> {
        self.iter().try_for_each(|value| value.refresh(reader))
    }
    fn copy(&self, seen: &mut Copies) -> Done<Self> {
        self.as_ref().map(|value| value.copy(seen)).transpose()
    }
    fn zero(&self, seen: &mut Seen) -> Option<T::Gradient> {
        self.as_ref().map(|value| value.zero(seen))
    }
    fn read(gradient: &mut Option<T::Gradient>, reader: &mut Reader<'_>) -> Done<()> {
        reader.fields::<Self, _>(|reader, variant| match variant {
            0 => {
                *gradient = None;
                Ok(())
            }
            _ => reader.read_field::<T>(gradient.get_or_insert_with(Cotangent::empty)),
        })
    }
    fn write(gradient: &Option<T::Gradient>, reader: &mut Reader<'_>) -> Done<()> {
        reader.fields::<Self, _>(|reader, variant| match (variant, gradient) {
            (0, None) => Ok(()),
            (1, Some(gradient)) => reader.write_field::<T>(gradient),
            (_, None) => Err(reader.mismatch("None")),
            (_, Some(_)) => Err(reader.mismatch("Some")),
        })
    }
}
impl<G: Cotangent> Cotangent for Option<G> {
    fn empty() -> Self {
        None
    }
}

impl<T: Value, E: Value> Value for Result<T, E> {
    const VARIANTS: Variants = &[&[T::PLAIN], &[E::PLAIN]];
    const PLAIN: Option<Plain> = Plain::of_variants(Self::VARIANTS);
    #[inline]
    fn put<const NUMBERS: bool>(&self, place: &mut [u8], behind: &mut Row<'_>) {
        let mut fields = Fields::new(place);
        fields.put_variant::<NUMBERS>(usize::from(self.is_err()), behind);
        match self {
            Ok(value) => {
                let start = const { Plain::start(Self::VARIANTS, 0, 0) };
                fields.put_at::<T, NUMBERS>(start, value, behind);
            }
            Err(error) => {
                let start = const { Plain::start(Self::VARIANTS, 1, 0) };
                fields.put_at::<E, NUMBERS>(start, error, behind);
            }
        }
    }
    fn behind(&self) -> Option<usize> {
        match self {
            Ok(value) => value.behind(),
            Err(error) => error.behind(),
        }
    }
    #[inline]
    fn pick(gradient: &mut Self::Gradient, place: Place<'_>, behind: &mut Cotangents<'_>) {
        match (place.variant(), &*gradient) {
            (0, Err(_)) => *gradient = Ok(Cotangent::empty()),
            (1, Ok(_)) => *gradient = Err(Cotangent::empty()),
            (0 | 1, _) => {}
            _ => return behind.fail(),
        }
        let mut fields = Fields::new(place);
        match gradient {
            Ok(gradient) => {
                let start = const { Plain::start(Self::VARIANTS, 0, 0) };
                fields.pick_at::<T>(start, gradient, behind);
            }
            Err(gradient) => {
                let start = const { Plain::start(Self::VARIANTS, 1, 0) };
                fields.pick_at::<E>(start, gradient, behind);
            }
        }
    }
    fn encode(&self, call: &mut Call<'_>) -> Done<()> {
        match self {
            Ok(value) => call.fields::<Self>(0, |call| call.field(value)),
            Err(error) => call.fields::<Self>(1, |call| call.field(error)),
        }
    }
    fn decode(reader: &mut Reader<'_>) -> Done<Self> {
        reader.fields::<Self, _>(|reader, variant| match variant {
            0 => reader.take_field().map(Ok),
            _ => reader.take_field().map(Err),
        })
    }
    fn refresh(&self, reader: &mut Reader<'_>) -> Done<()> {
        match self {
            Ok(value) => value.refresh(reader),
            Err(error) => error.refresh(reader),
        }
    }
    fn copy(&self, seen: &mut Copies) -> Done<Self> {
        match self {
            Ok(value) => value.copy(seen).map(Ok),
            Err(error) => error.copy(seen).map(Err),
        }
    }
    fn zero(&self, seen: &mut Seen) -> Result<T::Gradient, E::Gradient> {
        match self {
            Ok(value) => Ok(value.zero(seen)),
            Err(error) => Err(error.zero(seen)),
        }
    }
    fn read(gradient: &mut Result<T::Gradient, E::Gradient>, reader: &mut Reader<'_>) -> Done<()> {
        reader.fields::<Self, _>(|reader, variant| {
            match (variant, &*gradient) {
                (0, Err(_)) => *gradient = Ok(Cotangent::empty()),
                (1, Ok(_)) => *gradient = Err(Cotangent::empty()),
                _ => {}
            }
            match gradient {
                Ok(gradient) => reader.read_field::<T>(gradient),
                Err(gradient) => reader.read_field::<E>(gradient),
            }
        })
    }
    fn write(gradient: &Result<T::Gradient, E::Gradient>, reader: &mut Reader<'_>) -> Done<()> {
        reader.fields::<Self, _>(|reader, variant| match (variant, gradient) {
            (0, Ok(gradient)) => reader.write_field::<T>(gradient),
            (1, Err(gradient)) => reader.write_field::<E>(gradient),
            (_, Ok(_)) => Err(reader.mismatch("Ok")),
            (_, Err(_)) => Err(reader.mismatch("Err")),
        })
    }
}
impl<G: Cotangent, H: Cotangent> Cotangent for Result<G, H> {
    fn empty() -> Self {
        Ok(G::empty())
    }
}

macro_rules! tuples {
    () => {
        impl Value for () {
            fn encode(&self, _call: &mut Call<'_>) -> Done<()> {
                Ok(())
            }
            fn decode(_reader: &mut Reader<'_>) -> Done<()> {
                Ok(())
            }
            fn copy(&self, _seen: &mut Copies) -> Done<Self> {
                Ok(())
            }
            fn of_leaves(_given: &Given<'_>) -> std::result::Result<Self, String> {
                Ok(())
            }
            fn to_leaves(&self, _given: &Given<'_>) -> Outcome {
                Ok(())
            }
            fn zero(&self, _seen: &mut Seen) {}
            fn read(_gradient: &mut (), _reader: &mut Reader<'_>) -> Done<()> {
                Ok(())
            }
            fn write(_gradient: &(), _reader: &mut Reader<'_>) -> Done<()> {
                Ok(())
            }
        }
    };
    ($($A:ident $P:ident $n:tt),*) => {
        impl<$($A: Value),*> Value for ($($A,)*) {
            const NUMBERS: Option<Numbers> = Numbers::all(&[$($A::NUMBERS),*]);
            #[inline]
            fn give_numbers(&self, call: &mut Direct<'_, '_>) {
                $(self.$n.give_numbers(call);)*
            }
            const PLAIN: Option<Plain> = Plain::of_fields(
                &[$(($A::PLAIN, std::mem::offset_of!(Self, $n))),*],
                size_of::<Self>(),
            );
            #[inline]
            fn put<const NUMBERS: bool>(&self, place: &mut [u8], behind: &mut Row<'_>) {
                let mut fields = Fields::new(place);
                $(fields.put::<$A, NUMBERS>(&self.$n, behind);)*
            }
            #[inline]
            fn behind(&self) -> Option<usize> {
                together([$(self.$n.behind()),*])
            }
            #[inline]
            fn pick(gradient: &mut Self::Gradient, place: Place<'_>, behind: &mut Cotangents<'_>) {
                let mut fields = Fields::new(place);
                $(fields.pick::<$A>(&mut gradient.$n, behind);)*
            }
            fn encode(&self, call: &mut Call<'_>) -> Done<()> {
                call.fields::<Self>(0, |call| {
                    $(call.field(&self.$n)?;)*
                    Ok(())
                })
            }
            fn give_shared<'s>(&'s self, call: &mut Call<'s>) -> Done<()> {
                call.fields::<Self>(0, |call| {
                    $(call.shared_field(&self.$n)?;)*
                    Ok(())
                })
            }
            fn give_argument<'s>(&'s self, shared: bool, call: &mut Call<'s>) -> Done<()> {
                $(self.$n.give_argument(shared, call)?;)*
                Ok(())
            }
            fn decode(reader: &mut Reader<'_>) -> Done<Self> {
                reader.fields::<Self, _>(|reader, _| Ok(($(reader.take_field::<$A>()?,)*)))
            }
            fn refresh(&self, reader: &mut Reader<'_>) -> Done<()> {
                $(self.$n.refresh(reader)?;)*
                Ok(())
            }
            fn copy(&self, seen: &mut Copies) -> Done<Self> {
                Ok(($(self.$n.copy(seen)?,)*))
            }
            fn zero(&self, seen: &mut Seen) -> Self::Gradient {
                ($(self.$n.zero(seen),)*)
            }
            fn read(gradient: &mut Self::Gradient, reader: &mut Reader<'_>) -> Done<()> {
                reader.fields::<Self, _>(|reader, _| {
                    $(reader.read_field::<$A>(&mut gradient.$n)?;)*
                    Ok(())
                })
            }
            fn write(gradient: &Self::Gradient, reader: &mut Reader<'_>) -> Done<()> {
                reader.fields::<Self, _>(|reader, _| {
                    $(reader.write_field::<$A>(&gradient.$n)?;)*
                    Ok(())
                })
            }
            fn of_leaves(given: &Given<'_>) -> std::result::Result<Self, String> {
                Ok(($($A::of_leaves(given)?,)*))
            }
            fn to_leaves(&self, given: &Given<'_>) -> Outcome {
                $(self.$n.to_leaves(given)?;)*
                Ok(())
            }
            fn failed(error: &Error) -> Option<Self> {
                Some(($($A::failed(error)?,)*))
            }
        }
        impl<$($A: Cotangent),*> Cotangent for ($($A,)*) {
            fn empty() -> Self {
                ($($A::empty(),)*)
            }
            fn lend_parts<'s>(&'s mut self, call: &mut Call<'s>) {
                $(self.$n.lend_parts(call);)*
            }
        }
    };
}
crate::api::for_tuples!(tuples);
