//! What std knows about an iterator by its type. This decides how many items `zip` takes from the longer iterator, which a program can observe if its
//! closures have effects. The rules follow `core::iter::adapters::zip` of Rust 1.95.

use super::{Find, adaptors, all_parts_have, is_iterator, types};
use crate::front::ty::{Adt, Ty};

/// Whether a property holds. It is `Perhaps` for some vectors: references are erased, so it is not known whether they are iterated by value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    No,
    Perhaps,
    Yes,
}
use Certainty::{No, Perhaps, Yes};

/// The properties of an iterator that std knows by its type.
#[derive(Clone, Copy)]
pub struct IterProperties {
    /// std knows its length (`TrustedLen`).
    pub length: Certainty,
    /// std takes items by position in consumers that take all of them (`TrustedRandomAccessNoCoerce`).
    pub items: Certainty,
    /// std takes items by position in `next`, too (`TrustedRandomAccess`).
    pub next: Certainty,
}

impl IterProperties {
    const NOTHING: IterProperties = IterProperties::of(No, No, No);
    const LENGTH: IterProperties = IterProperties::of(Yes, No, No);

    const fn of(length: Certainty, items: Certainty, next: Certainty) -> IterProperties {
        IterProperties {
            length,
            items,
            next,
        }
    }
    /// The properties that both have.
    pub fn and(self, other: IterProperties) -> IterProperties {
        IterProperties::of(
            self.length.min(other.length),
            self.items.min(other.items),
            self.next.min(other.next),
        )
    }
}

/// The properties of an iterator type.
pub fn iter_properties(ty: Ty) -> IterProperties {
    use types::*;
    let (adt, arguments) = match ty {
        Ty::Mut(&inner) if is_iterator(inner) => {
            return IterProperties::of(iter_properties(inner).length, No, No);
        }
        Ty::Adt(adt, arguments) => (adt, arguments),
        _ => return IterProperties::NOTHING,
    };
    let is = |all: &[&'static Adt]| all.contains(&adt);
    let parts = arguments.iter().filter(|&&part| is_iterator(part));
    let inner = |n: usize| {
        arguments
            .get(n)
            .map_or(IterProperties::NOTHING, |&ty| iter_properties(ty))
    };
    if is(&[
        Elements::ADT,
        ElementsMut::ADT,
        Windows::ADT,
        Chunks::ADT,
        RChunks::ADT,
        Range::ADT,
    ]) {
        IterProperties::of(Yes, Yes, Yes)
    } else if is(&[Owned::ADT, OwnedList::ADT]) {
        IterProperties::of(Yes, Yes, Perhaps)
    } else if is(&[
        Part::ADT,
        PartMut::ADT,
        Counted::ADT,
        RangeInclusive::ADT,
        RangeFrom::ADT,
        Once::ADT,
        Repeat::ADT,
        RepeatN::ADT,
        RepeatWith::ADT,
    ]) {
        IterProperties::LENGTH
    } else if is(&[
        Map::ADT,
        Cloned::ADT,
        Enumerate::ADT,
        Fuse::ADT,
        Zip::ADT,
        ZipAt::ADT,
        ZipFew::ADT,
        ZipUnsure::ADT,
    ]) {
        parts.fold(IterProperties::of(Yes, Yes, Yes), |all, &part| {
            all.and(iter_properties(part))
        })
    } else if is(&[Chain::ADT, Take::ADT, Rev::ADT, Peekable::ADT]) {
        let length = parts.map(|&part| iter_properties(part).length).min();
        IterProperties::of(length.unwrap_or(Yes), No, No)
    } else if is(&[Skip::ADT]) {
        let IterProperties { items, next, .. } = inner(0);
        IterProperties::of(next, items, next)
    } else if is(&[StepBy::ADT]) {
        IterProperties::of(inner(0).next, No, No)
    } else if is(&[Flatten::ADT]) {
        let part = match arguments {
            &[_, Ty::Adt(_, &[Ty::Adt(part, _)])] => part,
            _ => return IterProperties::NOTHING,
        };
        // The parts are arrays, by value or not. Mutable elements may also be vectors.
        let of_arrays = match part {
            _ if *part == *OwnedList::ADT => Yes,
            _ if *part == *ElementsMut::ADT => Perhaps,
            _ => No,
        };
        IterProperties::of(inner(0).length.min(of_arrays), No, No)
    } else {
        IterProperties::NOTHING
    }
}

/// Whether `next` has no observable effect: it runs no code of the program.
pub fn next_has_no_effects(ty: Ty) -> bool {
    match ty {
        Ty::Adt(adt, _) if types::own_methods(adt).is_none() => !is_iterator(ty),
        // The number after the largest one is an error.
        Ty::Adt(adt, _) if *adt == *types::RangeFrom::ADT => false,
        Ty::Adt(adt, arguments)
            if [types::Cloned::ADT, types::Repeat::ADT, types::RepeatN::ADT].contains(&adt) =>
        {
            !has_clone_by_hand(ty) && arguments.iter().all(|&part| next_has_no_effects(part))
        }
        Ty::Adt(_, arguments) => arguments.iter().all(|&part| next_has_no_effects(part)),
        Ty::Mut(&inner) => !is_iterator(inner),
        Ty::Closure(_) | Ty::Item(_) | Ty::Dyn(_) => false,
        _ => true,
    }
}

fn has_clone_by_hand(ty: Ty) -> bool {
    let mut found = false;
    ty.map(&mut |ty| {
        found |= matches!(ty, Ty::Adt(adt, _) if adt.by_hand.clone);
        None
    });
    found
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

/// Whether this is a `zip` that runs until one of its iterators ends.
pub fn is_zip(adt: &Adt) -> bool {
    *adt == *types::Zip::ADT || *adt == *types::ZipUnsure::ADT
}

/// Whether the iterator contains a `zip` for which `fold` takes other items than repeated calls of `next`, so that a program can observe which of them
/// runs.
pub fn fold_differs_from_next(ty: Ty) -> bool {
    let Ty::Adt(adt, arguments) = ty else {
        return false;
    };
    is_zip(adt) && !next_has_no_effects(arguments[0])
        || arguments.iter().any(|&part| fold_differs_from_next(part))
}

/// Whether the iterator contains a `skip`. Skipped items are visited from the front, but not from the back.
fn skips(ty: Ty) -> bool {
    match ty {
        Ty::Adt(adt, _) if *adt == *types::Skip::ADT => true,
        Ty::Adt(_, arguments) => arguments.iter().any(|&part| skips(part)),
        _ => false,
    }
}

/// Whether the innermost iterator may be a vector by value, whose memory std reuses when it collects.
fn is_of_vector(ty: Ty) -> bool {
    match ty {
        Ty::Adt(adt, _) if *adt == *types::Owned::ADT || *adt == *types::OwnedList::ADT => true,
        Ty::Adt(adt, arguments) if types::own_methods(adt).is_some() => {
            arguments.first().is_some_and(|&part| is_of_vector(part))
        }
        _ => false,
    }
}

/// Whether it is unknown whether std collects the iterator with `fold` or with `next`.
pub fn collect_order_is_unknown(ty: Ty) -> bool {
    let IterProperties { length, items, .. } = iter_properties(ty);
    length == Perhaps || is_of_vector(ty) && length != items
}

/// The module with the `zip` of two iterators.
pub fn zipped(a: Ty, b: Ty) -> Find {
    let both = iter_properties(a).and(iter_properties(b));
    let by_position = [a, b].iter().all(|&ty| all_parts_have(ty, "item_at"));
    let silent = (next_has_no_effects(a), next_has_no_effects(b));
    match both.next {
        _ if by_position && (both.next == Yes || silent == (true, true)) => {
            adaptors::by_position::find
        }
        // Skipped items are observed even where nothing is left.
        No if silent.0 && !silent.1 && skips(b) => adaptors::in_turn::find,
        Perhaps if by_position && silent.0 && skips(b) => adaptors::by_position_if_any::find,
        _ if by_position && silent.0 => adaptors::by_position_eagerly::find,
        Perhaps if !silent.0 && (skips(a) || skips(b)) => adaptors::unsurely_skipping::find,
        Perhaps if !silent.0 => adaptors::unsurely::find,
        _ => adaptors::in_turn::find,
    }
}

/// The module with `==` of two iterators: whether std compares their lengths first, which a program can observe if `next` has effects.
pub fn compared(a: Ty, b: Ty) -> Find {
    let both = iter_properties(a).and(iter_properties(b));
    let next_has_no_effects = next_has_no_effects(a) && next_has_no_effects(b);
    match both.length {
        Yes if !next_has_no_effects && !flattens(a) && !flattens(b) => adaptors::of_lengths::find,
        _ => adaptors::of_other_lengths::find,
    }
}

/// The module with `fold` of a `zip` whose `next` takes one item more from the longer iterator.
pub fn folded(a: Ty, b: Ty) -> Option<Find> {
    let both = iter_properties(a).and(iter_properties(b));
    let by_position = [a, b].iter().all(|&ty| all_parts_have(ty, "item_at"));
    match both.items.max(both.length) {
        No => None,
        _ if [a, b].iter().any(|&ty| has_unsure_zip(ty)) => {
            Some(adaptors::of_unknown_effects::find)
        }
        Yes if by_position => Some(adaptors::of_indexed_zips::find),
        Yes if !flattens(b) => Some(adaptors::of_zips::find),
        Yes | Perhaps => Some(adaptors::of_unsure_zips::find),
    }
}

/// Whether a `zip` inside the iterator may take one item more from its first iterator than `fold` of the whole takes.
fn has_unsure_zip(ty: Ty) -> bool {
    let Ty::Adt(adt, arguments) = ty else {
        return false;
    };
    let is_unsure = match arguments {
        &[a, b, ..] if is_zip(adt) && !next_has_no_effects(a) => {
            flattens(b) || iter_properties(ty).length == Perhaps
        }
        _ => false,
    };
    is_unsure || arguments.iter().any(|&part| has_unsure_zip(part))
}

/// Whether the iterator contains a `flatten`, so that its length is known only at its end.
fn flattens(ty: Ty) -> bool {
    match ty {
        Ty::Adt(adt, _) if *adt == *types::Flatten::ADT => true,
        Ty::Adt(_, arguments) => arguments.iter().any(|&part| flattens(part)),
        _ => false,
    }
}

/// Whether the iterator is reversed twice: std goes through such a `zip` forwards and with `fold`.
pub fn is_reversed_twice(adt: &Adt, arguments: &[Ty]) -> bool {
    fn has_rev(ty: Ty) -> bool {
        match ty {
            Ty::Adt(adt, _) if *adt == *types::Rev::ADT => fold_differs_from_next(ty),
            Ty::Adt(_, arguments) => arguments.iter().any(|&part| has_rev(part)),
            _ => false,
        }
    }
    *adt == *types::Rev::ADT && arguments.iter().any(|&part| has_rev(part))
}

/// Whether this is a chain whose first part std asks for its end more often than this library does, if it advances by several items at once. Items that a
/// `zip` inside a `flatten` skips would be visited again.
pub fn chain_end_is_unknown(adt: &Adt, arguments: &[Ty]) -> bool {
    let part = arguments.first().filter(|_| *adt == *types::Chain::ADT);
    part.is_some_and(|&part| flattens(part) && fold_differs_from_next(part) && skips(part))
}

/// Whether `collect` reserves memory for all items at once.
pub fn has_known_length(ty: Ty) -> bool {
    all_parts_have(ty, "len") && !flattens(ty)
}
