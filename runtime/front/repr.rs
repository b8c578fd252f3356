//! How values of the language are represented in the IR.
//!
//! | Rust | IR |
//! | --- | --- |
//! | numbers, bools | themselves |
//! | tuples, structs | the tuple of the fields |
//! | enums | a tag (`usize`, the variant's position), then slots: the leaves of all variants share those of equal type; unused ones are zero |
//! | `&T`, `Rc<T>` | as `T` |
//! | `&[T]`, `&mut [T]` | a slice if T is a scalar, else address and length |
//! | `Vec<T>` | buffer and length; the buffer is a mutable slice as long as the capacity if T is a scalar, else address and capacity |
//! | `[T; N]`, `Box<T>`, `&mut T`, `Cell<T>`, `RefCell<T>` | the address of an object |
//! | closures | the tuple of the captures |
//! | `dyn` | a tag (`usize`: which type), the address of the value |
//! | functions, text, `!` | `()` |
//!
//! Elements that are no scalars stand `layout::size` bytes apart, those that are stand as in Rust.

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
        Ty::Array(&element) => Type::array(repr(element)),
        Ty::Adt(adt, _) if adt.is_enum => {
            let mut fields = vec![Type::Usize];
            fields.extend(slots(ty).leaves);
            Type::tuple(&fields)
        }
        Ty::Adt(..) => {
            let fields: Vec<Type> = ty.fields(0).iter().map(|&(_, t)| repr(t)).collect();
            Type::tuple(&fields)
        }
        Ty::List(..) | Ty::Boxed(_) | Ty::Mut(_) | Ty::Cell(_) => Type::Ptr,
        Ty::Closure(closure) => Type::tuple(&all(closure.captures)),
        Ty::Dyn(Dyn::Fn(..) | Dyn::Trait(_)) => Type::tuple(&[Type::Usize, Type::Ptr]),
        Ty::Never | Ty::Str | Ty::Item(_) | Ty::Param(_) | Ty::Infer(_) => Type::UNIT,
    }
}

fn all(types: &[Ty]) -> Vec<Type> {
    types.iter().map(|&ty| repr(ty)).collect()
}

/// What a vector's elements are in: its length is the capacity.
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
        None => layout::size(repr(element)) as usize,
    }
}

/// Where the leaves of an enum's variants are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slots {
    /// The types of the slots, which follow the tag.
    pub leaves: Vec<Type>,
    /// For each variant and each leaf of its fields in order the position among `leaves`.
    pub variants: Vec<Vec<usize>>,
}

/// The slots of an enum: each variant's leaves take the first free slots of their types.
pub fn slots(ty: Ty) -> Slots {
    let mut slots = Slots {
        leaves: Vec::new(),
        variants: Vec::new(),
    };
    let Ty::Adt(adt, _) = ty else {
        return slots;
    };
    for variant in 0..adt.variants.len() as u32 {
        let fields = ty.fields(variant);
        let mut taken: Vec<usize> = Vec::new();
        for leaf in fields.iter().flat_map(|&(_, field)| leaves(repr(field))) {
            let free = (0..slots.leaves.len())
                .find(|slot| slots.leaves[*slot] == leaf && !taken.contains(slot));
            let slot = free.unwrap_or_else(|| {
                slots.leaves.push(leaf);
                slots.leaves.len() - 1
            });
            taken.push(slot);
        }
        slots.variants.push(taken);
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_share_slots_of_equal_type() {
        let float = Ty::Scalar(Type::F64);
        let error = Ty::tuple(&[Ty::BOOL, float]);
        let ty = Ty::result(Ty::tuple(&[float, float]), error);
        let slots = slots(ty);
        assert_eq!(slots.leaves, [Type::F64, Type::F64, Type::Bool]);
        assert_eq!(slots.variants, [vec![0, 1], vec![2, 0]]);
        assert_eq!(repr(ty).to_string(), "(usize, f64, f64, bool)");
        assert_eq!(repr(Ty::option(Ty::UNIT)).to_string(), "(usize,)");
    }

    #[test]
    fn vectors_are_buffer_and_length() {
        let row = Ty::vec(Ty::Scalar(Type::F64));
        assert_eq!(repr(row).to_string(), "([mut f64], usize)");
        assert_eq!(repr(Ty::vec(row)).to_string(), "((ptr, usize), usize)");
        assert_eq!(stride(row), 24);
    }
}
