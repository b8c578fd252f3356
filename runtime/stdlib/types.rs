//! The structs of the library: iterators and ranges.

use super::{Find, adaptors, steps};
use crate::front::ty::{Adt, ByHand, Dyn, Field, RefKind, Ty, Variant};
use crate::front::types::{TypeBehind, Typed, Unknown};
use crate::ir::Type;
use std::marker::PhantomData;

/// `Array<T>`, as the functions of the library name it. It is only a name: `array` comes after this module.
pub struct Array<T>(PhantomData<T>);

#[diagnostic::do_not_recommend]
impl<T: Typed> Typed for Array<T> {
    type Gradient = ();
    type SliceGradient = ();
    fn ty() -> Ty {
        Ty::array(T::ty())
    }
}

/// The type of the elements of `Array<f16>`, as the functions of the library name it. Programs have no numbers of this type.
pub struct Half;

#[diagnostic::do_not_recommend]
impl Typed for Half {
    type Gradient = ();
    type SliceGradient = ();
    fn ty() -> Ty {
        Ty::Scalar(Type::F16)
    }
}

/// As for arrays in programs, see [`Open`](crate::front::types::Open).
impl Array<Unknown> {
    #[doc(hidden)]
    pub fn __mc_ty(_: Unknown) -> Ty {
        Ty::array(Unknown::ty())
    }
}

macro_rules! structs {
    ($($name:ident $methods:ident { $($field:ident $n:literal),* })*) => {$(
        /// The struct, as functions of the library write its constructor.
        pub struct $name;

        impl $name {
            /// The description of the struct.
            pub const ADT: &'static Adt = &Adt {
                path: concat!(module_path!(), "::", stringify!($name)),
                name: stringify!($name),
                is_enum: false,
                derefs: false,
                params: 0 $(+ { let _: u32 = $n; 1 })*,
                is_clone: true,
                by_hand: ByHand::NOTHING,
                variants: &[Variant {
                    name: stringify!($name),
                    fields: &[$(Field {
                        name: stringify!($field),
                        ty: || Ty::Param($n),
                        ref_kind: RefKind::Unknown,
                    }),*],
                }],
            };
        }
        #[diagnostic::do_not_recommend]
        impl Typed for $name {
            type Gradient = ();
            type SliceGradient = ();
            fn ty() -> Ty {
                Ty::adt($name::ADT, &[$(Ty::Infer([u32::MAX, $n][0])),*])
            }
        }
    )*
        /// The module with the methods that a struct has beside those of all iterators; `None` if the struct does not belong to the library.
        pub fn own_methods(adt: &Adt) -> Option<Find> {
            $(if *adt == *$name::ADT {
                return Some(steps::$methods::find);
            })*
            None
        }
    };
}

structs! {
    Elements elements { slice 0, at 1, end 2 }
    ElementsMut elements_mut { slice 0, at 1, end 2 }
    Owned elements { slice 0, at 1, end 2 }
    OwnedList elements { slice 0, at 1, end 2 }
    Part elements { slice 0, at 1, end 2 }
    PartMut elements_mut { slice 0, at 1, end 2 }
    Windows windows { slice 0, size 1, at 2, end 3 }
    Chunks chunks { slice 0, size 1, at 2, end 3 }
    RChunks rchunks { slice 0, size 1, end 2 }
    Range range { start 0, end 1 }
    RangeInclusive range_inclusive { start 0, end 1 }
    RangeFrom range_from { start 0 }
    RangeTo range_to { end 0 }
    RangeToInclusive range_to_inclusive { end 0 }
    RangeFull range_full { }
    Counted counted { first 0, at 1, end 2 }
    Map map { iter 0, f 1 }
    Filter filter { iter 0, f 1 }
    FilterMap filter_map { iter 0, f 1 }
    Enumerate enumerate { iter 0, count 1 }
    Zip zip { a 0, b 1 }
    ZipAt zip_at { a 0, b 1, at 2, end 3 }
    Take take { iter 0, n 1 }
    Skip skip { iter 0, n 1 }
    StepBy step_by { iter 0, gap 1, is_first 2 }
    Chain chain { a 0, b 1, a_ended 2, b_ended 3 }
    Rev rev { iter 0 }
    TakeWhile take_while { iter 0, f 1, ended 2 }
    SkipWhile skip_while { iter 0, f 1, started 2 }
    MapWhile map_while { iter 0, f 1 }
    Inspect inspect { iter 0, f 1 }
    Cloned cloned { iter 0 }
    Flatten flatten { iter 0, front 1 }
    Scan scan { iter 0, state 1, f 2 }
    Peekable peekable { iter 0, peeked 1 }
    Fuse fuse { iter 0, ended 1 }
    Cycle cycle { original 0, iter 1 }
    Once once { item 0 }
    Repeat repeat { item 0 }
    RepeatN repeat_n { item 0, n 1 }
    FromFn from_fn { f 0 }
    RepeatWith repeat_with { f 0 }
    Successors successors { item 0, f 1 }
}

macro_rules! ranges {
    ($($name:ident [$($end:expr),*])*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Typed<Gradient = ()>> Typed for std::ops::$name<T> {
            type Gradient = ();
            type SliceGradient = ();
            fn ty() -> Ty {
                Ty::adt($name::ADT, &[$($end),*])
            }
        }
    )*};
}

/// A `dyn Iterator` is a `from_fn` of a `dyn Fn`: its `next` is all that can be called on it without knowing what it is.
#[diagnostic::do_not_recommend]
impl<T: Typed> TypeBehind for dyn Iterator<Item = T> + '_ {
    type Gradient = ();
    type BoxGradient = ();
    type RcGradient = ();
    fn shared() -> Ty {
        let next = Ty::dynamic(Dyn::Fn(Vec::new(), Ty::option(T::ty())));
        Ty::adt(FromFn::ADT, &[next])
    }
    fn mutable() -> Ty {
        Self::shared()
    }
    fn boxed() -> Ty {
        Self::shared()
    }
}

/// The function that is the `next` of a `dyn Iterator`, and the type of its items.
pub fn dyn_iterator(ty: Ty) -> Option<(&'static Dyn, Ty)> {
    match ty {
        Ty::Adt(adt, &[Ty::Dyn(next)]) if *adt == *FromFn::ADT => match next {
            Dyn::Fn(params, item) if params.is_empty() => Some((next, *item)),
            _ => None,
        },
        _ => None,
    }
}

// Ranges of integers in signatures and in `let`.
ranges! {
    Range [T::ty(), T::ty()]
    RangeInclusive [T::ty(), T::ty()]
    RangeFrom [T::ty()]
    RangeTo [T::ty()]
    RangeToInclusive [T::ty()]
}

/// The module that skips and takes items of subslices without visiting them. A taken part is an iterator of the same kind, as in std.
pub fn taken(adt: &'static Adt) -> Vec<Find> {
    use adaptors::{of_elements, of_mutable_parts, of_parts};
    match adt {
        _ if *adt == *Elements::ADT => vec![of_elements::find, of_parts::find],
        _ if *adt == *ElementsMut::ADT => vec![of_elements::find, of_mutable_parts::find],
        _ if [Owned::ADT, OwnedList::ADT, Part::ADT].contains(&adt) => vec![of_parts::find],
        _ if *adt == *PartMut::ADT => vec![of_mutable_parts::find],
        _ => Vec::new(),
    }
}
