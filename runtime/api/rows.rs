//! Rows of plain values, which go into objects and whose gradients come out of them at once.
//!
//! Of a slice of numbers, of tuples, structs, enums, fixed arrays and vectors of them, it is known before the program runs where everything stands
//! ([`Plain`]): so elements are written one after the other, each number at a constant distance from the element's first byte. The elements of
//! vectors in them stand behind all elements, in the order in which they are met. Whoever reads finds the same order, unless the function has
//! put others in their place; then each is looked for.

use super::call::Spot;
use super::fields::{EachCotangent, EachField, EachGradient};
use super::value::{Cotangent, Sequence, Value, deeper};
use super::visit::{Number, Visitor};
use crate::diag::Result;
use crate::exec::{Address, Leaf, Objects, Scalar};
use crate::front::repr::MOST_INLINE;
use crate::ir::Type;
use bytemuck::bytes_of_mut;
use std::marker::PhantomData;

/// How a plain value stands in an object: as `front::repr::Memory` has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plain {
    /// Its bytes.
    size: usize,
    /// What the distance of its first byte from the object's is a multiple of.
    align: usize,
    /// The bytes from one to the next in a row.
    stride: usize,
    /// Whether values differ in what they take behind the row ([`Value::behind`] says it): there are vectors, slices or enums in them. Others take nothing.
    varies: bool,
    /// Whether Rust's memory has it as objects do: the same numbers at the same distances.
    in_place: bool,
    /// What is equal for types that the same type in IR represents, and for no others.
    code: u64,
}

/// The fields of each variant of an enum.
pub type Variants = &'static [&'static [Option<Plain>]];

/// The slots that the fields of an enum take, after the tag (`front::repr::slots`). An enum with more is not plain.
const MOST_SLOTS: usize = 16;

impl Plain {
    /// A number.
    pub const fn number<T: Scalar>() -> Plain {
        let size = size_of::<T>();
        Plain {
            size,
            align: size,
            stride: size,
            varies: false,
            in_place: true,
            code: code(T::TYPE),
        }
    }
    /// A vector of so many words: the address of its elements, how many there are, and for how many there is room; or a slice, without the last.
    /// Its elements may be of any type: that of a vector may have this one in it.
    pub(super) const fn list(words: usize, element: Option<Type>) -> Plain {
        // The address of numbers and their number are one leaf.
        let element = match element {
            Some(ty) => code(ty),
            None => 0,
        };
        Plain {
            size: 8 * words,
            align: 8,
            stride: 8 * words,
            varies: true,
            in_place: false,
            code: mixed(mixed(LIST, words as u64), element),
        }
    }
    /// A struct or tuple, if its fields are plain. Rust keeps each so many bytes from its start, and it has so many bytes there.
    pub const fn of_fields(fields: &[(Option<Plain>, usize)], bytes: usize) -> Option<Plain> {
        let (mut end, mut n) = (0_usize, 0);
        let (mut varies, mut in_place, mut code) = (false, true, TUPLE);
        while n < fields.len() {
            let (Some(field), offset) = fields[n] else {
                return None;
            };
            let start = end.next_multiple_of(field.align);
            end = start + field.size;
            varies |= field.varies;
            code = mixed(code, field.code);
            in_place &= field.in_place && (offset == start || field.size == 0);
            n += 1;
        }
        let stride = end.next_multiple_of(8);
        Some(Plain {
            size: end,
            align: if fields.is_empty() { 1 } else { 8 },
            stride,
            varies,
            in_place: in_place && bytes == stride,
            code,
        })
    }
    /// An enum, if the fields of all variants are plain.
    pub const fn of_variants(variants: Variants) -> Option<Plain> {
        let Some((slots, count, _)) = slots(variants, usize::MAX, 0) else {
            return None;
        };
        if !Starts::has_room_for(variants) {
            return None;
        }
        let mut fields = [(Some(TAG), 0); MOST_SLOTS + 1];
        let mut n = 0;
        while n < count {
            fields[n + 1].0 = Some(slots[n]);
            n += 1;
        }
        match Plain::of_fields(fields.split_at(count + 1).0, 0) {
            // Only the value says which variant it is.
            Some(plain) => Some(Plain {
                varies: true,
                in_place: false,
                ..plain
            }),
            None => None,
        }
    }
    /// The first byte of a field of an enum; 0 if that is not plain.
    const fn start(variants: Variants, variant: usize, field: usize) -> usize {
        let Some((slots, _, slot)) = slots(variants, variant, field) else {
            return 0;
        };
        let (mut end, mut n) = (TAG.size, 0);
        while n < slot {
            end = end.next_multiple_of(slots[n].align) + slots[n].size;
            n += 1;
        }
        end.next_multiple_of(slots[slot].align)
    }
    /// A fixed array, if it is its elements.
    pub(super) const fn array(element: Option<Plain>, count: usize) -> Option<Plain> {
        let Some(element) = element else {
            return None;
        };
        let size = count.saturating_mul(element.stride);
        if size > MOST_INLINE {
            return None;
        }
        Some(Plain {
            size,
            align: if element.stride == 0 {
                1
            } else {
                element.align
            },
            stride: size,
            varies: element.varies,
            in_place: element.in_place,
            code: mixed(mixed(ARRAY, element.code), count as u64),
        })
    }
}

/// Which variant of an enum is alive.
const TAG: Plain = Plain::number::<usize>();

/// The slots of an enum, their number, and that of one field: each variant's fields take the first free slots of their types.
const fn slots(
    variants: Variants,
    variant: usize,
    field: usize,
) -> Option<([Plain; MOST_SLOTS], usize, usize)> {
    let (mut slots, mut count, mut slot) = ([TAG; MOST_SLOTS], 0, 0);
    let mut v = 0;
    while v < variants.len() {
        let (mut taken, mut f) = ([false; MOST_SLOTS], 0);
        while f < variants[v].len() {
            let Some(plain) = variants[v][f] else {
                return None;
            };
            let mut n = 0;
            while n < count && (taken[n] || slots[n].code != plain.code) {
                n += 1;
            }
            if n == MOST_SLOTS {
                return None;
            }
            if n == count {
                slots[n] = plain;
                count += 1;
            }
            taken[n] = true;
            if v == variant && f == field {
                slot = n;
            }
            f += 1;
        }
        v += 1;
    }
    Some((slots, count, slot))
}

/// Where the fields of an enum begin.
struct Starts {
    /// By their positions among the fields of all variants.
    fields: [usize; MOST_FIELDS],
    /// The position of each variant's first field.
    variants: [u8; MOST_FIELDS],
}

/// The variants of an enum, and the fields of all its variants together. An enum with more is not plain.
const MOST_FIELDS: usize = 64;

impl Starts {
    const fn has_room_for(variants: Variants) -> bool {
        let (mut fields, mut v) = (0, 0);
        while v < variants.len() {
            fields += variants[v].len();
            v += 1;
        }
        variants.len() <= MOST_FIELDS && fields <= MOST_FIELDS
    }
    /// Those of an enum that is plain; of others nothing is asked.
    const fn of(variants: Variants) -> Starts {
        let mut starts = Starts {
            fields: [0; MOST_FIELDS],
            variants: [0; MOST_FIELDS],
        };
        if Plain::of_variants(variants).is_none() {
            return starts;
        }
        let (mut position, mut v) = (0, 0);
        while v < variants.len() {
            starts.variants[v] = position as u8;
            let mut f = 0;
            while f < variants[v].len() {
                starts.fields[position] = Plain::start(variants, v, f);
                position += 1;
                f += 1;
            }
            v += 1;
        }
        starts
    }
}

/// What the codes of fixed arrays, of tuples and of lists begin with.
const ARRAY: u64 = 100;
const TUPLE: u64 = 101;
const LIST: u64 = 102;

/// The code of a number.
const fn code(ty: Type) -> u64 {
    match ty {
        Type::Bool => 1,
        Type::I8 => 2,
        Type::I16 => 3,
        Type::I32 => 4,
        Type::I64 => 5,
        Type::Isize => 6,
        Type::U8 => 7,
        Type::U16 => 8,
        Type::U32 => 9,
        Type::U64 => 10,
        Type::Usize => 11,
        Type::F32 => 12,
        Type::F64 => 13,
        _ => panic!("not a number"),
    }
}

/// A code that depends on both and their order.
const fn mixed(code: u64, next: u64) -> u64 {
    // The multiplier of Knuth's linear congruential generator.
    let mixed = (code ^ next.rotate_left(32)).wrapping_mul(6_364_136_223_846_793_005);
    (mixed ^ (mixed >> 29)).wrapping_add(next)
}

/// The plain form of `T`: of one that is not plain nothing is asked.
const fn plain<T: Value>() -> Plain {
    match T::PLAIN {
        Some(plain) => plain,
        None => Plain {
            size: 0,
            align: 1,
            stride: 0,
            varies: false,
            in_place: false,
            code: 0,
        },
    }
}

/// So many bytes, and those until the next place for a word.
const fn whole_words(bytes: usize) -> usize {
    match bytes.checked_next_multiple_of(8) {
        Some(bytes) => bytes,
        None => usize::MAX,
    }
}

/// Whether values of `T` are passed without looking into them one by one.
pub(super) fn is_fixed<T: Value>() -> bool {
    T::PLAIN.is_some() && !plain::<T>().varies
}

/// Whether a row of `T` can be passed where it is.
pub(super) fn is_in_place<T: Value>() -> bool {
    plain::<T>().in_place
}

/// Whether gradients of a `T` that can be passed where it is are nothing but floats in the same places: then a row of them is the shadow.
pub(super) fn lends<T: Value>() -> bool {
    size_of::<T>() == size_of::<T::Gradient>() && shadow(&mut [T::Gradient::empty()]).is_some()
}

/// A row of tangents as the shadow of a row of values, if they are nothing but floats.
pub(super) fn tangents<G: Cotangent>(tangents: &[G]) -> Option<Leaf<'_>> {
    shadow(&mut [G::empty()])?;
    Some(Leaf::row(tangents))
}

/// A row of gradients as the shadow of a row of values, if they are nothing but floats.
pub(super) fn shadow<G: Cotangent>(gradients: &mut [G]) -> Option<Leaf<'_>> {
    Leaf::row_mut(gradients, |gradient, each| {
        gradient.visit(&mut Visitor::new(&mut |number, _| match number {
            Number::F32(x) => each(bytes_of_mut(x)),
            Number::F64(x) => each(bytes_of_mut(x)),
            Number::F32s(_) | Number::F64s(_) | Number::F16s(_) | Number::Bits(_) => {}
        }));
    })
}

/// The fields of an `S`, of which some have been gone through.
struct Fields<S, Bytes> {
    /// The bytes in which the value stands.
    bytes: Bytes,
    /// The first byte behind the field before.
    end: usize,
    /// The position of the next field among the fields of all variants of an enum.
    position: usize,
    of: PhantomData<S>,
}

impl<S: Value, Bytes> Fields<S, Bytes> {
    #[inline(always)]
    fn new(bytes: Bytes) -> Self {
        Fields {
            bytes,
            end: 0,
            position: 0,
            of: PhantomData,
        }
    }
    #[inline(always)]
    fn starts() -> &'static Starts {
        const { &Starts::of(S::VARIANTS) }
    }
    /// The next fields are those of this variant of an enum.
    #[inline(always)]
    fn variant(&mut self, variant: usize) {
        let first = Self::starts().variants.get(variant);
        self.position = first.map_or(0, |&first| first.into());
    }
    /// The first byte of the next field, and the one after its last. A field of a struct stands behind the one before; where those of an enum stand is looked up.
    #[inline(always)]
    fn next<T: Value>(&mut self) -> (usize, usize) {
        if !S::IS_STRUCT {
            let start = Self::starts().fields.get(self.position);
            self.end = start.copied().unwrap_or_default();
            self.position += 1;
        }
        let start = self.end.next_multiple_of(plain::<T>().align);
        self.end = start + plain::<T>().size;
        (start, self.end)
    }
}

/// Writes the fields of an `S`.
pub(super) struct Put<'p, 'b, 'r, S, const WHAT: u8> {
    fields: Fields<S, &'p mut [u8]>,
    behind: &'b mut Row<'r>,
}

impl<'p, 'b, 'r, S: Value, const WHAT: u8> Put<'p, 'b, 'r, S, WHAT> {
    #[inline(always)]
    pub fn new(place: &'p mut [u8], behind: &'b mut Row<'r>) -> Self {
        let fields = Fields::new(place);
        Put { fields, behind }
    }
}

impl<'s, S: Value, const WHAT: u8> EachField<'s> for Put<'_, '_, '_, S, WHAT> {
    #[inline(always)]
    fn variant(&mut self, variant: usize) {
        variant.put::<WHAT>(&mut self.fields.bytes[..TAG.size], self.behind);
        self.fields.variant(variant);
    }
    #[inline(always)]
    fn field<T: Value>(&mut self, field: &'s T) {
        let (start, end) = self.fields.next::<T>();
        field.put::<WHAT>(&mut self.fields.bytes[start..end], self.behind);
    }
}

/// Reads the gradients of the fields of an `S`.
struct Pick<'p, 'b, 'c, S> {
    fields: Fields<S, Place<'p>>,
    behind: &'b mut Cotangents<'c>,
}

/// See [`Value::pick`].
#[inline(always)]
pub(super) fn pick<S: Value>(
    gradient: &mut S::Gradient,
    place: Place<'_>,
    behind: &mut Cotangents<'_>,
) {
    let variant = match S::IS_STRUCT || S::Gradient::is_none() {
        true => 0,
        false => pick_number::<u64>(place.primal) as usize,
    };
    let fields = Fields::new(place);
    S::each_gradient(gradient, variant, &mut Pick::<S> { fields, behind });
}

impl<S: Value> EachGradient for Pick<'_, '_, '_, S> {
    #[inline(always)]
    fn variant(&mut self, variant: usize) {
        self.fields.variant(variant);
    }
    #[inline(always)]
    fn field<T: Value>(&mut self, gradient: &mut T::Gradient) {
        let (start, end) = self.fields.next::<T>();
        let Place { shadow, primal } = self.fields.bytes;
        let primal = match plain::<T>().varies {
            true => &primal[start..end],
            false => &[],
        };
        let shadow = &shadow[start..end];
        T::pick(gradient, Place { shadow, primal }, self.behind);
    }
    fn unknown_variant(&mut self) {
        // What is found is not what was put: whoever reads looks for each part.
        self.behind.is_elsewhere = true;
    }
}

/// Where the gradient of a plain value stands.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The bytes of the value's shadow.
    pub(super) shadow: &'a [u8],
    /// Those of the value itself, if there are vectors or enums in it: they know how long they are, and which variant.
    primal: &'a [u8],
}

/// The bytes of a row of these values, and of what their vectors have; `None` if no memory has so many, or if in one of their vectors
/// there are values that are not plain.
pub(super) fn bytes<T: Value>(values: &[T]) -> Option<usize> {
    let elements = match T::PLAIN {
        Some(plain) => whole_words(values.len().checked_mul(plain.stride)?),
        None => return values.is_empty().then_some(0),
    };
    elements.checked_add(behind_all(values)?)
}

/// The bytes that these values take behind their row.
pub(super) fn behind_all<T: Value>(values: &[T]) -> Option<usize> {
    match is_fixed::<T>() {
        true => Some(0),
        false => deeper(|| {
            let mut behind = values.iter().map(T::behind);
            behind.try_fold(0_usize, |sum, behind| sum.checked_add(behind?))
        }),
    }
}

/// The bytes that a value takes behind its row: the sum of what its fields take.
#[inline]
pub(super) fn behind<T: Value>(value: &T) -> Option<usize> {
    match T::PLAIN {
        None => None,
        Some(plain) if !plain.varies => Some(0),
        Some(_) => {
            let mut sum = Behind(Some(0));
            value.each(&mut sum);
            sum.0
        }
    }
}

/// The sum so far.
struct Behind(Option<usize>);

impl<'s> EachField<'s> for Behind {
    #[inline]
    fn field<T: Value>(&mut self, field: &'s T) {
        self.0 = { self.0 }.and_then(|sum| sum.checked_add(field.behind()?));
    }
}

/// All of a value is written.
pub(super) const ALL: u8 = 0;
/// All but the floats is written: they stay zero.
pub(super) const BLANK: u8 = 1;
/// Only the addresses of vectors are written.
pub(super) const ADDRESSES: u8 = 2;

/// Writes a row of values into a new object, which has as many bytes as [`bytes`] says. If it is `blank`, floats stay zero.
pub(super) fn write<T: Value>(
    values: &[T],
    blank: bool,
    objects: &mut Objects<'_>,
    spot: Spot,
    bytes: usize,
) -> Result<()> {
    match blank {
        true if lends::<T>() => {}
        true => write_at::<T, BLANK>(values, objects, spot.primal, bytes)?,
        false => write_at::<T, ALL>(values, objects, spot.primal, bytes)?,
    }
    // A shadow begins with the addresses of its vectors, and zeros.
    match !plain::<T>().varies || spot.shadow.is_null() {
        true => Ok(()),
        false => write_at::<T, ADDRESSES>(values, objects, spot.shadow, bytes),
    }
}

fn write_at<T: Value, const WHAT: u8>(
    values: &[T],
    objects: &mut Objects<'_>,
    start: Address,
    bytes: usize,
) -> Result<()> {
    let elements = whole_words(values.len() * plain::<T>().stride);
    let (places, rest) = objects.bytes_mut(start, bytes)?.split_at_mut(elements);
    let address = start.to_word() + elements as u64;
    T::put_all::<WHAT>(values, places, &mut Row { rest, address });
    Ok(())
}

/// Reads the gradients of a row of values from its shadow. Says whether they were found: not if vectors stand elsewhere.
pub(super) fn read<T: Value>(
    gradients: &mut [T::Gradient],
    objects: &Objects<'_>,
    spot: Spot,
) -> bool {
    let elements = whole_words(gradients.len().saturating_mul(plain::<T>().stride));
    let split = |at: Address| {
        let (elements, bytes) = objects.bytes_from(at).ok()?.split_at_checked(elements)?;
        let address = at.to_word() + elements.len() as u64;
        Some((elements, Rest { bytes, address }))
    };
    let Some((shadow, rest)) = split(spot.shadow) else {
        return false;
    };
    let (primal, primals) = match plain::<T>().varies.then(|| split(spot.primal)) {
        Some(Some((primal, rest))) => (primal, Some(rest)),
        Some(None) => return false,
        None => (&[][..], None),
    };
    let mut behind = Cotangents {
        rest,
        primals,
        is_elsewhere: false,
    };
    T::pick_all(gradients, Place { shadow, primal }, &mut behind);
    !behind.is_elsewhere
}

/// Adds the gradients of a row of values without vectors and enums to its shadow.
pub(super) fn add<T: Value>(
    gradients: &[T::Gradient],
    objects: &mut Objects<'_>,
    shadow: Address,
) -> Result<()> {
    let bytes = gradients.len().saturating_mul(plain::<T>().stride);
    T::add_all(gradients, objects.bytes_mut(shadow, bytes)?);
    Ok(())
}

/// Adds gradients to shadows that stand one after the other.
#[inline]
pub(super) fn add_each<T: Value>(gradients: &[T::Gradient], shadows: &mut [u8]) {
    if plain::<T>().stride > 0 {
        let shadows = shadows.chunks_exact_mut(plain::<T>().stride);
        for (gradient, shadow) in gradients.iter().zip(shadows) {
            T::add(gradient, shadow);
        }
    }
}

/// Adds the gradients of the fields of an `S` to their shadows.
pub(super) struct Add<'p, S>(Fields<S, &'p mut [u8]>);

impl<'p, S: Value> Add<'p, S> {
    #[inline(always)]
    pub fn new(shadow: &'p mut [u8]) -> Self {
        Add(Fields::new(shadow))
    }
}

impl<S: Value> EachCotangent for Add<'_, S> {
    #[inline(always)]
    fn variant(&mut self, variant: usize, _name: &'static str) {
        self.0.variant(variant);
    }
    #[inline(always)]
    fn field<T: Value>(&mut self, gradient: &T::Gradient) {
        let (start, end) = self.0.next::<T>();
        T::add(gradient, &mut self.0.bytes[start..end]);
    }
}

/// Writes values one after the other.
#[inline]
pub(super) fn put_each<T: Value, const WHAT: u8>(
    values: &[T],
    bytes: &mut [u8],
    behind: &mut Row<'_>,
) {
    if plain::<T>().stride > 0 {
        let places = bytes.chunks_exact_mut(plain::<T>().stride);
        for (value, place) in values.iter().zip(places) {
            value.put::<WHAT>(place, behind);
        }
    }
}

/// Reads the gradients of values that stand one after the other.
#[inline]
pub(super) fn pick_each<T: Value>(
    gradients: &mut [T::Gradient],
    places: Place<'_>,
    behind: &mut Cotangents<'_>,
) {
    let stride = plain::<T>().stride;
    if stride == 0 {
        return;
    }
    let shadows = gradients.iter_mut().zip(places.shadow.chunks_exact(stride));
    if !plain::<T>().varies {
        let primal = &[];
        shadows.for_each(|(gradient, shadow)| T::pick(gradient, Place { shadow, primal }, behind));
        return;
    }
    for ((gradient, shadow), primal) in shadows.zip(places.primal.chunks_exact(stride)) {
        T::pick(gradient, Place { shadow, primal }, behind);
    }
}

/// What is behind the elements of a row in the making.
pub struct Row<'a> {
    /// What has not been taken.
    rest: &'a mut [u8],
    /// The address of its first byte.
    address: u64,
}

impl Row<'_> {
    /// Writes a slice or a vector: its address and its length, which the shadow of one of numbers has too, and behind everything its elements.
    #[inline]
    pub(super) fn list<T: Value, const WHAT: u8>(&mut self, values: &[T], place: &mut [u8]) {
        let words = place[8..].chunks_exact_mut(8);
        let lengths = match (WHAT, T::SCALAR) {
            (ADDRESSES, Some(_)) => 1,
            (ADDRESSES, None) => 0,
            _ => 2,
        };
        { words.take(lengths) }.for_each(|word| put_number(values.len(), word));
        put_number(self.address, place);
        let elements = whole_words(values.len() * plain::<T>().stride);
        let (elements, rest) = std::mem::take(&mut self.rest).split_at_mut(elements);
        (self.rest, self.address) = (rest, self.address + elements.len() as u64);
        match plain::<T>().varies {
            true => deeper(|| T::put_all::<WHAT>(values, elements, self)),
            // Such elements have no addresses.
            false if WHAT == ADDRESSES => {}
            false => T::put_all::<WHAT>(values, elements, self),
        }
    }
}

/// What is behind the elements of a row's shadow, being read.
pub struct Cotangents<'a> {
    rest: Rest<'a>,
    /// What is behind the elements of the row itself, if vectors are in it.
    primals: Option<Rest<'a>>,
    /// Whether a vector does not stand where it was put.
    is_elsewhere: bool,
}

/// Bytes that have not been read, and the address of the first.
#[derive(Clone, Copy)]
struct Rest<'a> {
    bytes: &'a [u8],
    address: u64,
}

impl<'a> Rest<'a> {
    /// So many of the bytes, if `place` is the address of the first.
    #[inline]
    fn take(&mut self, count: usize, place: &[u8]) -> Option<&'a [u8]> {
        match pick_number::<u64>(place) == self.address {
            true => self.next(count),
            false => None,
        }
    }
    /// So many of the bytes.
    #[inline]
    fn next(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, bytes) = self.bytes.split_at_checked(count)?;
        let address = self.address + count as u64;
        *self = Rest { bytes, address };
        Some(taken)
    }
}

impl Cotangents<'_> {
    /// Reads those of so many elements; of what has no gradients there are none.
    #[inline(always)]
    fn elements<T: Value>(
        &mut self,
        gradients: &mut [T::Gradient],
        length: usize,
        place: Place<'_>,
    ) {
        let elements = whole_words(length.saturating_mul(plain::<T>().stride));
        let shadow = self.rest.take(elements, place.shadow);
        let primal = match (&mut self.primals, plain::<T>().varies) {
            (Some(primals), true) => primals.take(elements, place.primal),
            (Some(primals), false) => primals.next(elements).map(|_| &[][..]),
            (None, _) => Some(&[][..]),
        };
        match (shadow, primal) {
            (Some(shadow), Some(primal)) if !self.is_elsewhere => {
                T::pick_all(gradients, Place { shadow, primal }, self);
            }
            _ => self.is_elsewhere = true,
        }
    }
    /// Reads those of a slice or vector.
    #[inline]
    pub(super) fn list<T: Value>(&mut self, gradients: &mut T::SliceGradient, place: Place<'_>) {
        let length = pick_number::<u64>(&place.primal[8..]) as usize;
        let is_there = match T::PLAIN {
            Some(plain) => length.saturating_mul(plain.stride) <= self.rest.bytes.len(),
            None => length == 0,
        };
        match is_there {
            true if is_fixed::<T>() => self.elements::<T>(gradients.fit(length), length, place),
            true => deeper(|| self.elements::<T>(gradients.fit(length), length, place)),
            false => self.is_elsewhere = true,
        }
    }
}

/// Writes a number, in as many bytes as it has.
#[inline]
pub(super) fn put_number<T: Scalar>(number: T, place: &mut [u8]) {
    let word = number.to_word();
    match size_of::<T>() {
        1 => place[0] = word as u8,
        2 => place[..2].copy_from_slice(&(word as u16).to_ne_bytes()),
        4 => place[..4].copy_from_slice(&(word as u32).to_ne_bytes()),
        _ => place[..8].copy_from_slice(&word.to_ne_bytes()),
    }
}

/// Reads a float or an address.
#[inline]
pub(super) fn pick_number<T: Scalar>(place: &[u8]) -> T {
    T::from_word(match size_of::<T>() {
        4 => u32::from_ne_bytes(place[..4].try_into().unwrap_or_default()).into(),
        _ => u64::from_ne_bytes(place[..8].try_into().unwrap_or_default()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::layout::value_layout;

    /// Whether the constants say what the representation in IR says.
    fn agrees<T: Value>() {
        let (layout, plain) = (value_layout::<T>(), T::PLAIN.expect("plain"));
        assert_eq!(plain.stride, layout.size, "{}", T::ty());
        if layout.is_enum {
            assert_eq!(T::VARIANTS.len(), layout.variants.len());
            for (variant, fields) in layout.variants.iter().enumerate() {
                for (n, field) in fields.iter().enumerate() {
                    let starts = Starts::of(T::VARIANTS);
                    let start = starts.fields[usize::from(starts.variants[variant]) + n];
                    assert_eq!(start, field.offset, "{}, {variant}, {n}", T::ty());
                }
            }
        }
    }

    type Pair<T> = Result<T, (bool, T)>;

    #[test]
    fn plain_values_stand_where_the_representation_has_them() {
        agrees::<Vec<f32>>();
        agrees::<Vec<Vec<f64>>>();
        agrees::<Box<[u8]>>();
        agrees::<(bool, f32, Vec<f64>)>();
        agrees::<(Option<bool>, f32)>();
        agrees::<[f32; 3]>();
        agrees::<[[f32; 3]; 5]>();
        agrees::<[(f32, u8); 3]>();
        agrees::<(u8, [f32; 3], [u8; 3], f64)>();
        agrees::<Vec<[Vec<f64>; 2]>>();
        agrees::<[f64; 0]>();
        agrees::<(u8, [f64; 0], u8)>();
        agrees::<Option<[f64; 3]>>();
        agrees::<Result<[f64; 3], [f64; 2]>>();
        agrees::<Result<(f64, [f64; 2]), ([f64; 2], [f64; 2])>>();
        agrees::<Result<([f64; 2], u8), ([f64; 3], u8)>>();
        agrees::<Option<Option<u16>>>();
        agrees::<Result<f64, f64>>();
        agrees::<Result<f32, f64>>();
        agrees::<Result<usize, u64>>();
        agrees::<Result<[f32; 2], [u8; 7]>>();
        agrees::<Result<Vec<f64>, Vec<f32>>>();
        agrees::<Result<Vec<(f64, f64)>, Vec<[f64; 2]>>>();
        agrees::<Result<Vec<f64>, Box<[f64]>>>();
        agrees::<Result<(f64, f64), [f64; 2]>>();
        agrees::<Result<(u8, (f64,)), (f64,)>>();
        agrees::<Pair<Pair<f64>>>();
        agrees::<Pair<Vec<Pair<u8>>>>();
    }
}
