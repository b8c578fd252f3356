//! `Option`, `Result` and tuples: what `#[derive(Differentiable)]` writes, written here for what the language has itself.

use super::{Call, Copies, Cotangent, Reader, Seen, Value};
use crate::api::direct::Numbers;
use crate::api::fields::{EachCotangent, EachField, EachGradient, EachPart, MakeField};
use crate::api::rows::{Plain, Variants};
use crate::diag::{Error, Result as Done};
use rustc_hash::FxHashMap;
use std::any::TypeId;
use std::cell::RefCell;

/// Whether one of these variants ends ([`Cotangent::ENDS`]).
pub const fn one_ends(ends: &[bool]) -> bool {
    let mut n = 0;
    while n < ends.len() && !ends[n] {
        n += 1;
    }
    n < ends.len()
}

/// Makes a gradient of an enum without content, of the first variant that is known to end. `make` makes one of a variant.
#[inline]
pub fn empty_variant<G: 'static>(ends: &[bool], make: impl Fn(usize) -> G) -> G {
    match ends.iter().position(|&ends| ends) {
        Some(variant) => make(variant),
        None => variant_that_ends(ends.len(), make),
    }
}

/// The same where boxes are in every variant. A variant may contain the enum itself. Then the gradient inside is made of the next variant, so that there is an end.
/// The variant that did not contain the enum is remembered.
fn variant_that_ends<G: 'static>(variants: usize, make: impl Fn(usize) -> G) -> G {
    thread_local!(static KNOWN: RefCell<FxHashMap<TypeId, Known>> = RefCell::default());
    let known = |act: &mut dyn FnMut(&mut Known)| {
        KNOWN.with_borrow_mut(|known| act(known.entry(TypeId::of::<G>()).or_default()));
    };
    let (mut variant, mut number) = (0, 0);
    known(&mut |known| {
        variant = known.end.unwrap_or(known.depth % variants);
        known.depth += 1;
        known.made += 1;
        number = known.made;
    });
    let made = make(variant);
    known(&mut |known| {
        known.depth -= 1;
        if known.made == number {
            known.end = Some(variant);
        }
    });
    made
}

/// What is known of an enum whose gradients are made.
#[derive(Default)]
struct Known {
    /// The variant that does not contain the enum.
    end: Option<usize>,
    /// How many of its gradients are being made, and how many have been.
    depth: usize,
    made: usize,
}

impl<T: Value> Value for Option<T> {
    const VARIANTS: Variants = &[&[], &[T::PLAIN]];
    const PLAIN: Option<Plain> = Plain::of_variants(Self::VARIANTS);
    #[inline]
    fn each<'s>(&'s self, fields: &mut impl EachField<'s>) {
        match self {
            None => fields.variant(0),
            Some(value) => {
                fields.variant(1);
                fields.field(value);
            }
        }
    }
    fn make(variant: usize, fields: &mut impl MakeField) -> Option<Self> {
        match variant {
            0 => Some(None),
            1 => fields.field().map(Some),
            _ => None,
        }
    }
    #[inline]
    fn each_gradient(
        gradient: &mut Self::Gradient,
        variant: usize,
        fields: &mut impl EachGradient,
    ) {
        match variant {
            0 => *gradient = None,
            1 => {
                fields.variant(1);
                fields.field::<T>(gradient.get_or_insert_with(Cotangent::empty));
            }
            _ => fields.unknown_variant(),
        }
    }
    fn copy(&self, seen: &mut Copies) -> Done<Self> {
        self.as_ref().map(|value| value.copy(seen)).transpose()
    }
    fn zero(&self, seen: &mut Seen) -> Option<T::Gradient> {
        self.as_ref().map(|value| value.zero(seen))
    }
    fn each_cotangent(gradient: &Self::Gradient, fields: &mut impl EachCotangent) {
        match gradient {
            None => fields.variant(0, "None"),
            Some(gradient) => {
                fields.variant(1, "Some");
                fields.field::<T>(gradient);
            }
        }
    }
}
impl<G: Cotangent> Cotangent for Option<G> {
    const ENDS: bool = true;
    fn empty() -> Self {
        None
    }
}

impl<T: Value, E: Value> Value for Result<T, E> {
    const VARIANTS: Variants = &[&[T::PLAIN], &[E::PLAIN]];
    const PLAIN: Option<Plain> = Plain::of_variants(Self::VARIANTS);
    #[inline]
    fn each<'s>(&'s self, fields: &mut impl EachField<'s>) {
        match self {
            Ok(value) => {
                fields.variant(0);
                fields.field(value);
            }
            Err(error) => {
                fields.variant(1);
                fields.field(error);
            }
        }
    }
    fn make(variant: usize, fields: &mut impl MakeField) -> Option<Self> {
        match variant {
            0 => fields.field().map(Ok),
            1 => fields.field().map(Err),
            _ => None,
        }
    }
    #[inline]
    fn each_gradient(
        gradient: &mut Self::Gradient,
        variant: usize,
        fields: &mut impl EachGradient,
    ) {
        match (variant, &*gradient) {
            (0, Err(_)) => *gradient = Ok(Cotangent::empty()),
            (1, Ok(_)) => *gradient = Err(Cotangent::empty()),
            (0 | 1, _) => {}
            _ => return fields.unknown_variant(),
        }
        match gradient {
            Ok(gradient) => {
                fields.variant(0);
                fields.field::<T>(gradient);
            }
            Err(gradient) => {
                fields.variant(1);
                fields.field::<E>(gradient);
            }
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
    fn each_cotangent(gradient: &Self::Gradient, fields: &mut impl EachCotangent) {
        match gradient {
            Ok(gradient) => {
                fields.variant(0, "Ok");
                fields.field::<T>(gradient);
            }
            Err(gradient) => {
                fields.variant(1, "Err");
                fields.field::<E>(gradient);
            }
        }
    }
}
impl<G: Cotangent, H: Cotangent> Cotangent for Result<G, H> {
    const ENDS: bool = G::ENDS || H::ENDS;
    fn empty() -> Self {
        empty_variant(&[G::ENDS, H::ENDS], |n| match n {
            0 => Ok(G::empty()),
            _ => Err(H::empty()),
        })
    }
}

macro_rules! tuples {
    () => {
        impl Value for () {
            const IS_STRUCT: bool = true;
            fn encode(&self, _call: &mut Call<'_>) -> Done<()> {
                Ok(())
            }
            fn decode(_reader: &mut Reader<'_>) -> Done<()> {
                Ok(())
            }
            fn make(_variant: usize, _fields: &mut impl MakeField) -> Option<()> {
                Some(())
            }
            fn copy(&self, _seen: &mut Copies) -> Done<Self> {
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
            const IS_STRUCT: bool = true;
            const NUMBERS: Option<Numbers> = Numbers::all(&[$($A::NUMBERS),*]);
            const PLAIN: Option<Plain> = Plain::of_fields(
                &[$(($A::PLAIN, std::mem::offset_of!(Self, $n))),*],
                size_of::<Self>(),
            );
            #[inline]
            fn each<'s>(&'s self, fields: &mut impl EachField<'s>) {
                $(fields.field(&self.$n);)*
            }
            fn make(_variant: usize, fields: &mut impl MakeField) -> Option<Self> {
                Some(($(fields.field::<$A>()?,)*))
            }
            #[inline]
            fn each_gradient(
                gradient: &mut Self::Gradient,
                _variant: usize,
                fields: &mut impl EachGradient,
            ) {
                $(fields.field::<$A>(&mut gradient.$n);)*
            }
            fn give_argument<'s>(&'s self, shared: bool, call: &mut Call<'s>) -> Done<()> {
                $(self.$n.give_argument(shared, call)?;)*
                Ok(())
            }
            fn copy(&self, seen: &mut Copies) -> Done<Self> {
                Ok(($(self.$n.copy(seen)?,)*))
            }
            fn zero(&self, seen: &mut Seen) -> Self::Gradient {
                ($(self.$n.zero(seen),)*)
            }
            fn each_cotangent(gradient: &Self::Gradient, fields: &mut impl EachCotangent) {
                $(fields.field::<$A>(&gradient.$n);)*
            }
            fn failed(error: &Error) -> Option<Self> {
                Some(($($A::failed(error)?,)*))
            }
        }
        impl<$($A: Cotangent),*> Cotangent for ($($A,)*) {
            const ENDS: bool = true $(&& $A::ENDS)*;
            fn empty() -> Self {
                ($($A::empty(),)*)
            }
            #[inline]
            fn each_part<'s>(&'s mut self, parts: &mut impl EachPart<'s>) {
                $(parts.part(&mut self.$n);)*
            }
        }
    };
}
crate::api::for_tuples!(tuples);
