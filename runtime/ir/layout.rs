//! How values are laid out in objects.
//!
//! A type's leaves stand one after the other, each at its own alignment; a tuple in it begins at a multiple of eight bytes,
//! so that it is laid out alike wherever it is; the whole is as long as a multiple of eight bytes, so that elements of
//! equal type in a row are aligned too. Only slices of scalars are denser: as in Rust, one
//! element after the other. A slice inside an object is two words: address and length.

use super::Type;

/// The size and the alignment of a leaf in an object; `None` for leaves that objects cannot hold.
pub fn leaf(ty: Type) -> Option<u32> {
    match ty {
        Type::Slice(_) | Type::SliceMut(_) => Some(16),
        Type::Tuple(_) | Type::Infer(_) | Type::Addr => None,
        other => other.size().map(|size| size as u32),
    }
}

/// Where each leaf of a type stands, depth first, and the bytes of the whole.
pub fn layout(ty: Type) -> (Vec<(u32, Type)>, u32) {
    let (mut places, mut end) = (Vec::new(), 0);
    place(ty, &mut places, &mut end);
    (places, end.next_multiple_of(8))
}

/// Places the leaves of a type behind others, which end at `end`.
pub fn place(ty: Type, places: &mut Vec<(u32, Type)>, end: &mut u32) {
    if let Type::Tuple(fields @ [_, ..]) = ty {
        *end = end.next_multiple_of(8);
        fields.iter().for_each(|&field| place(field, places, end));
    } else if let Some(size) = leaf(ty) {
        let at = end.next_multiple_of(size.min(8));
        places.push((at, ty));
        *end = at + size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_aligned_and_the_whole_is_a_row_of_words() {
        let inner = Type::tuple(&[Type::F32, Type::Ptr]);
        let ty = Type::tuple(&[Type::Bool, inner, Type::slice(Type::F64), Type::U16]);
        let places = [
            (0, Type::Bool),
            (8, Type::F32),
            (16, Type::Ptr),
            (24, Type::slice(Type::F64)),
            (40, Type::U16),
        ];
        assert_eq!(layout(ty), (places.to_vec(), 48));
        assert_eq!(layout(inner).0, [(0, Type::F32), (8, Type::Ptr)]);
        assert_eq!(layout(Type::UNIT), (vec![], 0));
    }
}
