//! Where the parts of a value are: among the leaves of a call, and in objects.

use crate::front::repr::{self, repr};
use crate::front::tangents::may_hold_cells;
use crate::front::ty::Ty;
use crate::front::types::Typed;
use crate::ir::Type;
use crate::tangent::leaves;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// The representation of a type, worked out.
pub struct ValueLayout {
    /// Its leaves, in order.
    pub leaves: Vec<Type>,
    /// The bytes that a value takes in an object, and from one to the next in a row of them.
    pub size: usize,
    /// What its distance from the start of an object is a multiple of.
    pub align: usize,
    /// Whether it is a fixed array that stands in objects as its elements.
    pub is_inline: bool,
    /// The bytes of a cell with such a value.
    pub cell: usize,
    /// Whether there may be cells in it.
    pub may_hold_cells: bool,
    /// Whether the first leaf says which variant is alive.
    pub is_enum: bool,
    /// For each variant its fields. Structs and tuples have one variant, other types none.
    pub variants: Vec<Vec<FieldLayout>>,
}

/// Where a field is.
#[derive(Clone, Copy)]
pub struct FieldLayout {
    /// The position of its first leaf among those of the whole.
    pub leaf: usize,
    /// Its bytes from the start of the whole.
    pub offset: usize,
    /// Whether it is the address of an object with the field's value.
    pub indirect: bool,
}

/// The shape of `T`. Worked out once for each thread.
pub fn value_layout<T: Typed>() -> Rc<ValueLayout> {
    thread_local! {
        // By the function that gives the type: functions with the same address give the same type.
        static SHAPES: RefCell<FxHashMap<usize, Rc<ValueLayout>>> = RefCell::default();
    }
    let key = T::ty as fn() -> Ty as usize;
    let known = SHAPES.with(|shapes| shapes.borrow().get(&key).cloned());
    known.unwrap_or_else(|| {
        let shape = Rc::new(ValueLayout::new(T::ty()));
        SHAPES.with(|shapes| shapes.borrow_mut().insert(key, shape.clone()));
        shape
    })
}

impl ValueLayout {
    fn new(ty: Ty) -> ValueLayout {
        let whole = repr(ty);
        let places = repr::memory(ty).leaves;
        // The first leaf of each part of the tuple that represents the type, and its place.
        let parts: Vec<(usize, usize)> = match whole {
            Type::Tuple(parts) => parts
                .iter()
                .scan(0, |leaf, &part| {
                    let first = *leaf;
                    *leaf += leaves(part).len();
                    // A part without leaves is nowhere.
                    let offset = places.get(first).map_or(0, |place| place.0 as usize);
                    Some((first, offset))
                })
                .collect(),
            _ => Vec::new(),
        };
        let place = |part: usize, indirect: bool| FieldLayout {
            leaf: parts[part].0,
            offset: parts[part].1,
            indirect,
        };
        let is_enum = matches!(ty, Ty::Adt(adt, _) if adt.is_enum);
        let variants = match ty {
            Ty::Adt(..) if is_enum => {
                let slots = repr::slots(ty).variants.into_iter();
                let variants = slots.enumerate().map(|(variant, slots)| {
                    let fields = ty.fields(variant as u32);
                    let fields = fields.iter().zip(slots);
                    let fields =
                        fields.map(|(f, slot)| place(1 + slot, repr::is_indirect(ty, f.1)));
                    fields.collect()
                });
                variants.collect()
            }
            Ty::Adt(..) => {
                let fields = ty.fields(0);
                let fields = fields.iter().enumerate();
                vec![
                    fields
                        .map(|(i, f)| place(i, repr::is_indirect(ty, f.1)))
                        .collect(),
                ]
            }
            Ty::Tuple(fields) => vec![(0..fields.len()).map(|i| place(i, false)).collect()],
            _ => Vec::new(),
        };
        ValueLayout {
            leaves: leaves(whole),
            size: repr::size(ty),
            align: repr::alignment(ty) as usize,
            is_inline: repr::is_inline(ty),
            // Behind the content, the count of its dynamic borrows (`borrows`).
            cell: repr::size(ty).next_multiple_of(8) + 8,
            may_hold_cells: may_hold_cells(ty),
            is_enum,
            variants,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_where_the_representation_has_them() {
        let shape = value_layout::<Result<(f32, bool), (u8, Vec<f64>)>>();
        // (usize, (f32, bool), (u8, ([mut f64], usize)))
        let places = |variant: usize| {
            let fields = shape.variants[variant].iter();
            fields.map(|p| (p.leaf, p.offset)).collect::<Vec<_>>()
        };
        assert!(shape.is_enum);
        assert_eq!((places(0), places(1)), (vec![(1, 8)], vec![(3, 16)]));
        assert_eq!((shape.leaves.len(), shape.size), (6, 48));
        let inner = super::value_layout::<(u8, Vec<f64>)>();
        let places: Vec<_> = (inner.variants[0].iter())
            .map(|p| (p.leaf, p.offset))
            .collect();
        assert_eq!(places, [(0, 0), (1, 8)]);
    }
}
