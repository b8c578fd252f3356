//! How values of the language are represented in the IR.
//!
//! | Rust | IR |
//! | --- | --- |
//! | numbers, bools | themselves |
//! | arrays of numbers | themselves |
//! | arrays of bools | arrays of `u32`, 0 and 1: no device has a smaller element |
//! | tuples, structs | the tuple of the fields |
//! | enums | a tag (`usize`, the variant's position), then slots: the fields of all variants share those of equal type; unused ones are zero |
//! | `&T`, `Rc<T>` | as `T` |
//! | `&[T]`, `&mut [T]` | a slice if T is a scalar, else address and length |
//! | `Vec<T>` | buffer and length; the buffer is a mutable slice as long as the capacity if T is a scalar, else address and capacity |
//! | `[T; N]` | the address of its elements |
//! | `Box<T>`, `&mut T`, `Cell<T>`, `RefCell<T>` | the address of an object |
//! | closures | the tuple of the captures |
//! | `dyn` | a tag (`usize`: which type), the address of the value |
//! | text | a number that stands for it: see `front::text` |
//! | functions, `!` | `()` |
//!
//! A field that contains its own struct or enum by value (possible because `&` and `Rc` are erased) is the address of an
//! object instead: see [`is_indirect`].
//!
//! In memory a `[T; N]` is its elements, wherever it stands: in a struct, in a slice, in another `[T; N]`. The value of such an array is an address into
//! the memory that holds it, and storing the value copies the elements. [`Memory`] says where everything stands. Elements stand [`stride`] bytes apart:
//! scalars as in Rust, fixed arrays one after the other, others at multiples of eight bytes.

use super::ty::{Dyn, Ty};
use crate::ir::Type;
use crate::ir::layout;
use crate::tangent::leaves;

/// The type in IR of values of a type without unknowns.
pub fn repr(ty: Ty) -> Type {
    match ty {
        Ty::Scalar(ty) => ty,
        Ty::Tuple(fields) => Type::tuple(&all(fields)),
        Ty::Slice(&element) => match element.scalar() {
            Some(scalar) => Type::slice(scalar),
            None => Type::tuple(&[Type::Ptr, Type::Usize]),
        },
        Ty::SliceMut(&element) => match element.scalar() {
            Some(scalar) => Type::slice_mut(scalar),
            None => Type::tuple(&[Type::Ptr, Type::Usize]),
        },
        Ty::Vec(&element) => Type::tuple(&[buffer(element), Type::Usize]),
        Ty::Array(&element) => Type::array(array_element(element)),
        Ty::Adt(adt, _) if adt.is_enum => {
            let mut fields = vec![Type::Usize];
            fields.extend(slots(ty).types);
            Type::tuple(&fields)
        }
        Ty::Adt(..) => {
            let fields = ty.fields(0);
            let fields: Vec<Type> = fields.iter().map(|&(_, t)| field(ty, t)).collect();
            Type::tuple(&fields)
        }
        Ty::List(..) | Ty::OpenList(..) | Ty::Boxed(_) | Ty::Mut(_) | Ty::Cell(_, _) => Type::Ptr,
        Ty::Closure(closure) => Type::tuple(&all(closure.captures)),
        Ty::Dyn(Dyn::Fn(..) | Dyn::Trait(_)) => Type::tuple(&[Type::Usize, Type::Ptr]),
        Ty::Str => Type::U64,
        Ty::Never | Ty::Item(_) | Ty::Const(_) | Ty::Param(_) | Ty::Infer(_) => Type::UNIT,
    }
}

/// The type in IR of the elements of an array.
pub fn array_element(element: Ty) -> Type {
    match repr(element) {
        Type::Bool => Type::U32,
        other => other,
    }
}

fn all(types: &[Ty]) -> Vec<Type> {
    types.iter().map(|&ty| repr(ty)).collect()
}

/// The buffer of a vector. Its length is the capacity.
pub fn buffer(element: Ty) -> Type {
    match element.scalar() {
        Some(scalar) => Type::slice_mut(scalar),
        None => Type::tuple(&[Type::Ptr, Type::Usize]),
    }
}

/// The bytes from one element to the next.
pub fn stride(element: Ty) -> usize {
    match element.scalar().and_then(Type::size) {
        Some(bytes) => bytes,
        None => size(element),
    }
}

/// The bytes of an object for a value of this type.
pub fn size(ty: Ty) -> usize {
    match ty {
        Ty::List(&element, n) if is_inline(ty) => stride(element).saturating_mul(n),
        _ => memory(ty).end.next_multiple_of(8) as usize,
    }
}

/// Where the leaves of a value stand in memory. They stand as `ir::layout` says, except that a fixed array is its elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// The distance of each leaf from the first byte, depth first.
    pub leaves: Vec<(u32, Stored)>,
    /// The first byte behind the last leaf.
    pub end: u32,
}

/// What stands in memory for a leaf.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stored {
    /// The leaf.
    Leaf(Type),
    /// The elements of a fixed array. The leaf is their address.
    Elements {
        element: Type,
        memory: Box<Memory>,
        count: usize,
    },
}

/// A part of a value.
#[derive(Clone, Copy)]
pub enum Part {
    /// A value of a type of the language.
    Value(Ty),
    /// What the representation adds, such as a tag or an address, by its type in IR.
    Word(Type),
}

/// Where the leaves of a value stand in memory.
pub fn memory(ty: Ty) -> Memory {
    let mut memory = Memory {
        leaves: Vec::new(),
        end: 0,
    };
    memory.place(Part::Value(ty));
    memory
}

impl Memory {
    fn place(&mut self, part: Part) {
        match part {
            Part::Word(ty) => self.place_words(ty),
            Part::Value(ty @ Ty::List(&element, count)) if is_inline(ty) => {
                let at = self.end.next_multiple_of(alignment(ty));
                let elements = Stored::Elements {
                    element: repr(element),
                    memory: Box::new(memory(element)),
                    count,
                };
                self.leaves.push((at, elements));
                self.end = at.saturating_add(u32::try_from(size(ty)).unwrap_or(u32::MAX));
            }
            Part::Value(ty) => match parts(ty) {
                Some(parts) if parts.is_empty() => {}
                Some(parts) => {
                    self.end = self.end.next_multiple_of(8);
                    parts.into_iter().for_each(|part| self.place(part));
                }
                None => self.place_words(repr(ty)),
            },
        }
    }
    fn place_words(&mut self, ty: Type) {
        let mut places = Vec::new();
        layout::place(ty, &mut places, &mut self.end);
        let places = places.into_iter().map(|(at, ty)| (at, Stored::Leaf(ty)));
        self.leaves.extend(places);
    }
}

/// Whether storing a value of this type copies elements of fixed arrays.
pub fn has_elements(ty: Ty) -> bool {
    let mut leaves = memory(ty).leaves.into_iter();
    leaves.any(|leaf| matches!(leaf.1, Stored::Elements { .. }))
}

/// The parts of a value, in the order of the tuple that represents it; `None` if it is a single leaf.
pub fn parts(ty: Ty) -> Option<Vec<Part>> {
    let of_fields = |fields: &[Ty]| Some(fields.iter().map(|&field| Part::Value(field)).collect());
    match ty {
        Ty::Tuple(fields) => of_fields(fields),
        // A closure mostly refers to what it has captured, so fixed arrays in it are addresses in memory too.
        Ty::Closure(closure) => {
            let captures = closure.captures.iter();
            Some(captures.map(|&capture| Part::Word(repr(capture))).collect())
        }
        Ty::Adt(adt, _) if adt.is_enum => {
            let mut parts = vec![Part::Word(Type::Usize)];
            parts.extend(slots(ty).parts);
            Some(parts)
        }
        Ty::Adt(..) => {
            let fields = ty.fields(0).into_iter();
            Some(fields.map(|(_, field)| field_part(ty, field)).collect())
        }
        _ => match repr(ty) {
            Type::Tuple(words) => Some(words.iter().map(|&word| Part::Word(word)).collect()),
            _ => None,
        },
    }
}

impl Part {
    /// The type in IR.
    pub fn repr(self) -> Type {
        match self {
            Part::Value(ty) => repr(ty),
            Part::Word(ty) => ty,
        }
    }
}

fn field_part(owner: Ty, field: Ty) -> Part {
    match is_indirect(owner, field) {
        true => Part::Word(Type::Ptr),
        false => Part::Value(field),
    }
}

/// The distance of the n-th part of a value from its first byte.
pub fn offset_of(ty: Ty, n: u32) -> u32 {
    let before = parts(ty).into_iter().flatten().take(n as usize);
    let before = before.map(|part| leaves(part.repr()).len()).sum::<usize>();
    memory(ty).leaves.get(before).map_or(0, |leaf| leaf.0)
}

/// What the distance of a value from the start of an object is a multiple of.
pub fn alignment(ty: Ty) -> u32 {
    match ty {
        Ty::List(&element, _) if is_inline(ty) && stride(element) == 0 => 1,
        Ty::List(&element, _) if is_inline(ty) => alignment(element),
        _ => match ty.scalar().and_then(Type::size) {
            Some(bytes) => bytes as u32,
            None => 8,
        },
    }
}

/// The most bytes of a fixed array that stands in memory as its elements. Storing an array copies it, and distances in an object have only 32 bits.
pub const MOST_INLINE: usize = 1 << 20;

/// Whether a fixed array stands in memory as its elements. Otherwise memory has its address: if the array is large, and if its elements contain the array
/// itself, behind a reference.
pub fn is_inline(list: Ty) -> bool {
    match list {
        Ty::List(&element, n) => {
            !contains(element, list, true, &mut Vec::new())
                && stride(element).saturating_mul(n) <= MOST_INLINE
        }
        _ => false,
    }
}

/// Whether a value of a type contains one of another type other than behind an address; in fixed arrays too, if asked for.
fn contains(ty: Ty, wanted: Ty, in_arrays: bool, seen: &mut Vec<Ty>) -> bool {
    let parts: Vec<Ty> = match ty {
        _ if ty == wanted => return true,
        Ty::Adt(adt, _) if !seen.contains(&ty) => {
            seen.push(ty);
            let variants = 0..adt.variants.len() as u32;
            variants.flat_map(|v| ty.fields(v)).map(|f| f.1).collect()
        }
        Ty::Tuple(fields) => fields.to_vec(),
        Ty::Closure(closure) => closure.captures.to_vec(),
        Ty::List(&element, _) if in_arrays => vec![element],
        _ => return false,
    };
    { parts.into_iter() }.any(|part| contains(part, wanted, in_arrays, seen))
}

/// The type in IR of a field of a struct or enum.
pub fn field(owner: Ty, field: Ty) -> Type {
    match is_indirect(owner, field) {
        true => Type::Ptr,
        false => repr(field),
    }
}

/// Whether the type of a field contains the type of the whole other than behind an address. Only shared references and `Rc` allow that, so the object of
/// such a field never changes.
pub fn is_indirect(owner: Ty, field: Ty) -> bool {
    contains(field, owner, false, &mut Vec::new())
}

/// The slots of the fields of an enum.
#[derive(Clone)]
pub struct Slots {
    /// The types of the slots, which follow the tag.
    pub types: Vec<Type>,
    /// A field of each slot. Others may be in it as well, which stand in memory in the same way.
    pub parts: Vec<Part>,
    /// For each variant and each of its fields: the position of its slot.
    pub variants: Vec<Vec<usize>>,
}

/// The slots of an enum: each variant's fields take the first free slots of their types. A field is in one slot as a
/// whole, so that it has an address of its own.
pub fn slots(ty: Ty) -> Slots {
    let mut slots = Slots {
        types: Vec::new(),
        parts: Vec::new(),
        variants: Vec::new(),
    };
    let Ty::Adt(adt, _) = ty else {
        return slots;
    };
    let alike = |a: Part, b: Part| match (a, b) {
        (Part::Value(a), Part::Value(b)) => a == b || memory(a) == memory(b),
        (Part::Value(ty), Part::Word(_)) | (Part::Word(_), Part::Value(ty)) => !has_elements(ty),
        (Part::Word(_), Part::Word(_)) => true,
    };
    for variant in 0..adt.variants.len() as u32 {
        let mut taken: Vec<usize> = Vec::new();
        for (_, payload) in ty.fields(variant) {
            let part = field_part(ty, payload);
            let free = (0..slots.types.len()).find(|&slot| {
                let fits = slots.types[slot] == part.repr() && alike(slots.parts[slot], part);
                fits && !taken.contains(&slot)
            });
            let slot = free.unwrap_or_else(|| {
                slots.types.push(part.repr());
                slots.parts.push(part);
                slots.types.len() - 1
            });
            taken.push(slot);
        }
        slots.variants.push(taken);
    }
    slots
}

/// The types in IR of the arguments of a rule: numbers, arrays, slices of numbers, lists of numbers, tuples and structs of these; `None` if an argument
/// has another type.
pub fn rule_types(types: &[Ty]) -> Option<Vec<Type>> {
    let rule_type = |&ty: &Ty| match ty {
        Ty::List(&element, n) => Some(Type::tuple(&vec![part_type(element)?; n])),
        ty => part_type(ty),
    };
    types.iter().map(rule_type).collect()
}

/// The type in IR of a part of an argument. A list inside another value is an address, which no rule accepts.
fn part_type(ty: Ty) -> Option<Type> {
    let all = |types: &[Ty]| -> Option<Type> {
        let types: Option<Vec<Type>> = types.iter().map(|&ty| part_type(ty)).collect();
        Some(Type::tuple(&types?))
    };
    match ty {
        Ty::Scalar(ty) => Some(ty),
        Ty::Array(_) | Ty::Slice(Ty::Scalar(_)) | Ty::SliceMut(Ty::Scalar(_)) => Some(repr(ty)),
        Ty::Tuple(fields) => all(fields),
        Ty::Adt(adt, _) if !adt.is_enum => {
            let fields: Vec<Ty> = ty.fields(0).iter().map(|&(_, field)| field).collect();
            match fields.iter().any(|&field| is_indirect(ty, field)) {
                true => None,
                false => all(&fields),
            }
        }
        _ => None,
    }
}

/// The type of the result of a rule in the language. Views of arrays of bools are arrays of bools, although numbers represent them.
pub fn result_type(given: &[Ty], ret: Type) -> Ty {
    match given.first() {
        Some(&mask @ Ty::Array(&Ty::BOOL)) if repr(mask) == ret => mask,
        _ => language_type(ret),
    }
}

/// The type in the language for a type of a rule.
pub fn language_type(ty: Type) -> Ty {
    match ty {
        Type::Array(&element) => Ty::array(language_type(element)),
        Type::Tuple(fields) => Ty::tuple(
            &fields
                .iter()
                .map(|&ty| language_type(ty))
                .collect::<Vec<_>>(),
        ),
        Type::Slice(&element) => Ty::slice(language_type(element)),
        Type::SliceMut(&element) => Ty::slice_mut(language_type(element)),
        other => Ty::Scalar(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::ty::{Adt, ByHand, Field, RefKind, Variant};

    #[test]
    fn variants_share_slots_of_equal_type() {
        let float = Ty::Scalar(Type::F64);
        let pair = Ty::tuple(&[float, float]);
        assert_eq!(
            repr(Ty::result(pair, float)).to_string(),
            "(usize, (f64, f64), f64)"
        );
        let ty = Ty::result(pair, pair);
        assert_eq!(slots(ty).variants, [vec![0], vec![0]]);
        assert_eq!(repr(ty).to_string(), "(usize, (f64, f64))");
        assert_eq!(repr(Ty::option(Ty::UNIT)).to_string(), "(usize, ())");
    }

    /// `enum List { Nil, Cons(f64, Rc<List>) }`
    static LIST: Adt = Adt {
        path: "List",
        name: "List",
        is_enum: true,
        derefs: false,
        params: 0,
        is_clone: true,
        by_hand: ByHand::NOTHING,
        variants: &[
            Variant {
                name: "Nil",
                fields: &[],
            },
            Variant {
                name: "Cons",
                fields: &[
                    Field {
                        name: "0",
                        ty: || Ty::Scalar(Type::F64),
                        ref_kind: RefKind::Value,
                    },
                    Field {
                        name: "1",
                        ty: || Ty::adt(&LIST, &[]),
                        ref_kind: RefKind::Value,
                    },
                ],
            },
        ],
    };

    #[test]
    fn a_type_that_contains_itself_is_behind_an_address() {
        let ty = Ty::adt(&LIST, &[]);
        assert_eq!(repr(ty).to_string(), "(usize, f64, ptr)");
        assert_eq!(
            repr(Ty::option(ty)).to_string(),
            "(usize, (usize, f64, ptr))"
        );
    }

    #[test]
    fn fixed_arrays_are_their_elements_in_memory() {
        let number = |ty| Ty::Scalar(ty);
        let row = Ty::list(number(Type::F32), 3);
        let ty = Ty::tuple(&[number(Type::U8), row, number(Type::Bool)]);
        assert_eq!(repr(ty).to_string(), "(u8, ptr, bool)");
        let places = |ty| {
            memory(ty)
                .leaves
                .iter()
                .map(|leaf| leaf.0)
                .collect::<Vec<_>>()
        };
        assert_eq!((places(ty), size(ty)), (vec![0, 4, 16], 24));
        assert_eq!((stride(row), offset_of(ty, 2)), (12, 16));
        // Arrays of different lengths do not share a slot, though both are addresses as values.
        let pair = Ty::list(number(Type::F32), 2);
        let either = Ty::result(row, pair);
        assert_eq!(repr(either).to_string(), "(usize, ptr, ptr)");
        assert_eq!(places(either), [0, 8, 20]);
    }

    #[test]
    fn vectors_are_buffer_and_length() {
        let row = Ty::vec(Ty::Scalar(Type::F64));
        assert_eq!(repr(row).to_string(), "([mut f64], usize)");
        assert_eq!(repr(Ty::vec(row)).to_string(), "((ptr, usize), usize)");
        assert_eq!(stride(row), 24);
    }
}
