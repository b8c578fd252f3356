//! Structs, enums and tuples, field by field.
//!
//! A type says once how to go through its fields ([`Value::each`], [`Value::make`]), through their gradients ([`Value::each_gradient`],
//! [`Value::each_cotangent`]), and through the fields of its own gradient ([`Cotangent::each_part`]). What calls do with each field is said here, once for all types.

use super::call::Call;
use super::direct::Direct;
use super::own_rule::{Given, Outcome, no_leaves};
use super::reader::Reader;
use super::value::{Cotangent, Value};
use crate::diag::Result;

/// Does something with each field of a value.
pub trait EachField<'s> {
    /// The fields of this variant of an enum follow.
    #[inline(always)]
    fn variant(&mut self, variant: usize) {
        let _ = variant;
    }
    /// The next field.
    fn field<T: Value>(&mut self, field: &'s T);
}

/// Makes each field of a value.
pub trait MakeField {
    /// The next field. `None` if it cannot be made: then nothing more is asked for.
    fn field<T: Value>(&mut self) -> Option<T>;
}

/// Does something with the gradient of each field of a value.
pub trait EachGradient {
    /// Those of this variant of an enum follow.
    #[inline(always)]
    fn variant(&mut self, variant: usize) {
        let _ = variant;
    }
    /// That of the next field, which is a `T`.
    fn field<T: Value>(&mut self, gradient: &mut T::Gradient);
    /// There is no such variant.
    fn unknown_variant(&mut self);
}

/// Does something with the gradient of each field of a value, which stays as it is.
pub trait EachCotangent {
    /// Those of this variant of an enum follow; its name is for messages.
    fn variant(&mut self, variant: usize, name: &'static str);
    /// That of the next field, which is a `T`.
    fn field<T: Value>(&mut self, gradient: &T::Gradient);
}

/// Does something with each field of a gradient.
pub trait EachPart<'s> {
    /// The next field.
    fn part<G: Cotangent>(&mut self, part: &'s mut G);
}

/// Which variant of an enum is live; 0 for others.
struct LiveVariant(usize);

impl<'s> EachField<'s> for LiveVariant {
    fn variant(&mut self, variant: usize) {
        self.0 = variant;
    }
    fn field<T: Value>(&mut self, _field: &'s T) {}
}

/// What is done with each field until there is an error.
struct Until<On, E> {
    on: On,
    done: std::result::Result<(), E>,
}

impl<On, E> Until<On, E> {
    fn new(on: On) -> Self {
        Until { on, done: Ok(()) }
    }
    fn go(&mut self, go: impl FnOnce(&mut On) -> std::result::Result<(), E>) {
        if self.done.is_ok() {
            self.done = go(&mut self.on);
        }
    }
}

/// Gives fields to a call.
struct Encode<'c, 'v>(&'c mut Call<'v>);

impl<'s> EachField<'s> for Until<Encode<'_, '_>, crate::Error> {
    fn field<T: Value>(&mut self, field: &'s T) {
        self.go(|encode| encode.0.field(field));
    }
}

/// See [`Value::encode`].
pub(super) fn encode<T: Value>(value: &T, call: &mut Call<'_>) -> Result<()> {
    let mut live = LiveVariant(0);
    value.each(&mut live);
    call.fields::<T>(live.0, |call| {
        let mut each = Until::new(Encode(call));
        value.each(&mut each);
        each.done
    })
}

/// Gives fields that are only read.
struct Share<'c, 's>(&'c mut Call<'s>);

impl<'s> EachField<'s> for Until<Share<'_, 's>, crate::Error> {
    fn field<T: Value>(&mut self, field: &'s T) {
        self.go(|share| share.0.shared_field(field));
    }
}

/// See [`Value::give_shared`]; of a struct or a tuple.
pub(super) fn share<'s, T: Value>(value: &'s T, call: &mut Call<'s>) -> Result<()> {
    call.fields::<T>(0, |call| {
        let mut each = Until::new(Share(call));
        value.each(&mut each);
        each.done
    })
}

/// Brings the cells in fields up to date.
struct Refresh<'c, 'r>(&'c mut Reader<'r>);

impl<'s> EachField<'s> for Until<Refresh<'_, '_>, crate::Error> {
    fn field<T: Value>(&mut self, field: &'s T) {
        self.go(|refresh| field.refresh(refresh.0));
    }
}

/// See [`Value::refresh`].
pub(super) fn refresh<T: Value>(value: &T, reader: &mut Reader<'_>) -> Result<()> {
    let mut each = Until::new(Refresh(reader));
    value.each(&mut each);
    each.done
}

/// Makes fields until there is an error.
struct Make<On, E> {
    on: On,
    error: Option<E>,
}

impl<On, E> Make<On, E> {
    fn go<T>(&mut self, go: impl FnOnce(&mut On) -> std::result::Result<T, E>) -> Option<T> {
        go(&mut self.on)
            .map_err(|error| self.error = Some(error))
            .ok()
    }
}

/// Reads fields.
struct Decode<'c, 'r>(&'c mut Reader<'r>);

impl MakeField for Make<Decode<'_, '_>, crate::Error> {
    fn field<T: Value>(&mut self) -> Option<T> {
        self.go(|decode| decode.0.take_field())
    }
}

/// See [`Value::decode`].
pub(super) fn decode<T: Value>(reader: &mut Reader<'_>) -> Result<T> {
    reader.fields::<T, _>(|reader, variant| {
        let mut each = Make {
            on: Decode(reader),
            error: None,
        };
        let made = T::make(variant, &mut each);
        made.ok_or_else(|| each.error.unwrap_or_else(Reader::unknown_variant))
    })
}

/// Reads the gradients of fields.
struct Read<'c, 'r>(&'c mut Reader<'r>);

impl EachGradient for Until<Read<'_, '_>, crate::Error> {
    fn field<T: Value>(&mut self, gradient: &mut T::Gradient) {
        self.go(|read| read.0.read_field::<T>(gradient));
    }
    fn unknown_variant(&mut self) {
        self.go(|_| Err(Reader::unknown_variant()));
    }
}

/// See [`Value::read`].
pub(super) fn read<T: Value>(gradient: &mut T::Gradient, reader: &mut Reader<'_>) -> Result<()> {
    if T::Gradient::is_none() {
        return reader.skip::<T>();
    }
    reader.fields::<T, _>(|reader, variant| {
        let mut each = Until::new(Read(reader));
        T::each_gradient(gradient, variant, &mut each);
        each.done
    })
}

/// Adds the gradients of fields to their shadows.
struct Write<'c, 'r> {
    reader: &'c mut Reader<'r>,
    /// The live variant of the value.
    variant: usize,
}

impl EachCotangent for Until<Write<'_, '_>, crate::Error> {
    fn variant(&mut self, variant: usize, name: &'static str) {
        self.go(|write| match write.variant == variant {
            true => Ok(()),
            false => Err(Reader::mismatch(name)),
        });
    }
    fn field<T: Value>(&mut self, gradient: &T::Gradient) {
        self.go(|write| write.reader.write_field::<T>(gradient));
    }
}

/// See [`Value::write`].
pub(super) fn write<T: Value>(gradient: &T::Gradient, reader: &mut Reader<'_>) -> Result<()> {
    if T::Gradient::is_none() {
        return reader.skip::<T>();
    }
    reader.fields::<T, _>(|reader, variant| {
        let mut each = Until::new(Write { reader, variant });
        T::each_cotangent(gradient, &mut each);
        each.done
    })
}

/// The leaves of fields, as the host passes them to a rule.
struct OfLeaves<'c, 'g>(&'c Given<'g>);

impl MakeField for Make<OfLeaves<'_, '_>, String> {
    fn field<T: Value>(&mut self) -> Option<T> {
        self.go(|leaves| T::of_leaves(leaves.0))
    }
}

/// See [`Value::of_leaves`].
pub(super) fn of_leaves<T: Value>(given: &Given<'_>) -> std::result::Result<T, String> {
    let mut each = Make {
        on: OfLeaves(given),
        error: None,
    };
    // Rules do not get to know which variant is live.
    let made = T::IS_STRUCT.then(|| T::make(0, &mut each)).flatten();
    made.ok_or_else(|| each.error.unwrap_or_else(no_leaves::<T>))
}

/// Writes the leaves of fields.
struct ToLeaves<'c, 'g>(&'c Given<'g>);

impl<'s> EachField<'s> for Until<ToLeaves<'_, '_>, String> {
    fn field<T: Value>(&mut self, field: &'s T) {
        self.go(|leaves| field.to_leaves(leaves.0));
    }
}

/// See [`Value::to_leaves`].
pub(super) fn to_leaves<T: Value>(value: &T, given: &Given<'_>) -> Outcome {
    if !T::IS_STRUCT {
        return Err(no_leaves::<T>());
    }
    let mut each = Until::new(ToLeaves(given));
    value.each(&mut each);
    each.done
}

/// Gives numbers to a call of numbers and slices of numbers.
pub(super) struct GiveNumbers<'c, 'p, 'v>(pub &'c mut Direct<'p, 'v>);

impl<'s> EachField<'s> for GiveNumbers<'_, '_, '_> {
    #[inline(always)]
    fn field<T: Value>(&mut self, field: &'s T) {
        field.give_numbers(self.0);
    }
}

/// Lends the vectors of a gradient: see [`Cotangent::lend_parts`].
pub(super) struct LendParts<'c, 's>(pub &'c mut Call<'s>);

impl<'s> EachPart<'s> for LendParts<'_, 's> {
    fn part<G: Cotangent>(&mut self, part: &'s mut G) {
        part.lend_parts(self.0);
    }
}

/// Lends the slices of a gradient to a call of numbers and slices of numbers.
pub(super) struct LendDirect<'c, 'p, 's>(pub &'c mut Direct<'p, 's>);

impl<'s> EachPart<'s> for LendDirect<'_, '_, 's> {
    #[inline(always)]
    fn part<G: Cotangent>(&mut self, part: &'s mut G) {
        part.lend_direct(self.0);
    }
}

/// Takes the floats that such a call gives.
pub(super) struct TakeDirect<'c, 'w>(pub &'c mut &'w [u64]);

impl<'s> EachPart<'s> for TakeDirect<'_, '_> {
    #[inline(always)]
    fn part<G: Cotangent>(&mut self, part: &'s mut G) {
        part.take_direct(self.0);
    }
}
