//! What is known about an iterator by its type.

use super::{Find, adaptors, all_parts_have, is_iterator, types};
use crate::front::ty::{Adt, Ty};

/// Whether `next` runs no code of the program, so that it has no effect and cannot panic.
pub fn runs_no_code(ty: Ty) -> bool {
    match ty {
        Ty::Adt(adt, _) if types::own_methods(adt).is_none() => !is_iterator(ty),
        // The number after the largest one is an error.
        Ty::Adt(adt, _) if *adt == *types::RangeFrom::ADT => false,
        Ty::Adt(adt, arguments)
            if [types::Cloned::ADT, types::Repeat::ADT, types::RepeatN::ADT].contains(&adt) =>
        {
            !has_clone_by_hand(ty) && arguments.iter().all(|&part| runs_no_code(part))
        }
        Ty::Adt(_, arguments) => arguments.iter().all(|&part| runs_no_code(part)),
        Ty::Mut(&inner) => !is_iterator(inner),
        Ty::Closure(_) | Ty::Item(_) | Ty::Dyn(_) => false,
        _ => true,
    }
}

fn has_clone_by_hand(ty: Ty) -> bool {
    ty.any(&mut |ty| matches!(ty, Ty::Adt(adt, _) if adt.by_hand.clone))
}

/// Whether std knows that the iterator returns nothing more after its end (`FusedIterator`).
pub fn is_fused(ty: Ty) -> bool {
    use types::*;
    match ty {
        Ty::Mut(&inner) => is_fused(inner),
        Ty::Adt(adt, arguments) if types::own_methods(adt).is_some() => {
            let is = |all: &[&'static Adt]| all.contains(&adt);
            let mut parts = arguments.iter().filter(|&&part| is_iterator(part));
            let ends_once = is(&[Fuse::ADT, Cycle::ADT]);
            let may_go_on = is(&[FromFn::ADT, MapWhile::ADT, Scan::ADT, StepBy::ADT]);
            ends_once || !may_go_on && parts.all(|&part| is_fused(part))
        }
        _ => false,
    }
}

/// Whether std takes the items of this iterator by position (`TrustedRandomAccess`), so that a `zip` takes none from it for which there is no partner.
fn is_indexed(ty: Ty) -> bool {
    use types::*;
    let Ty::Adt(adt, arguments) = ty else {
        return false;
    };
    let is = |all: &[&'static Adt]| all.contains(&adt);
    let sources = [
        Elements::ADT,
        ElementsMut::ADT,
        Windows::ADT,
        Chunks::ADT,
        RChunks::ADT,
        Range::ADT,
    ];
    let adaptors = [Map::ADT, Cloned::ADT, Enumerate::ADT, Fuse::ADT, ZipAt::ADT];
    let mut parts = arguments.iter().filter(|&&part| is_iterator(part));
    is(&sources) || is(&adaptors) && parts.all(|&part| is_indexed(part))
}

/// The module with the `zip` of two iterators. Loops over positions are faster, but do not run the first iterator for an item without partner, where its code
/// may panic.
pub fn zipped(a: Ty, b: Ty) -> Find {
    let have_positions = [a, b].iter().all(|&ty| all_parts_have(ty, "item_at"));
    match have_positions && (runs_no_code(a) || is_indexed(a) && is_indexed(b)) {
        true => adaptors::by_position::find,
        false => adaptors::in_turn::find,
    }
}

/// Whether the iterator contains a `skip`.
pub fn skips(ty: Ty) -> bool {
    ty.any(&mut |ty| matches!(ty, Ty::Adt(adt, _) if *adt == *types::Skip::ADT))
}

/// Whether the iterator contains one that may have to visit items before its last one, or that has two parts, for which this holds.
pub fn any_uneven(ty: Ty, holds: &mut dyn FnMut(Ty) -> bool) -> bool {
    use types::*;
    let uneven = [
        Zip::ADT,
        ZipAt::ADT,
        Chain::ADT,
        Take::ADT,
        Skip::ADT,
        StepBy::ADT,
    ];
    ty.any(&mut |ty| matches!(ty, Ty::Adt(adt, _) if uneven.contains(&adt)) && holds(ty))
}

/// Whether this is the iterator that `scan` makes.
pub fn is_scan(adt: &Adt) -> bool {
    *adt == *types::Scan::ADT
}
