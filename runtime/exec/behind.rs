//! The value behind a `dyn Trait`, by its address and its type. `dyn Any` does the same only for trait objects that borrow nothing, which
//! `&'a dyn Trait` may do.

use std::any::{TypeId, type_name};
use std::marker::PhantomData;

/// A value that is read.
pub struct Behind<'a> {
    address: *const (),
    pub(crate) id: TypeId,
    pub(crate) name: &'static str,
    value: PhantomData<&'a ()>,
}

impl<'a> Behind<'a> {
    /// This one.
    pub fn new<T: ?Sized>(value: &'a T) -> Self {
        Behind {
            address: std::ptr::from_ref(value).cast(),
            id: id_of::<T>(),
            name: type_name::<T>(),
            value: PhantomData,
        }
    }
    /// The value, if it is of that type. Only for types that have a differentiable trait of which this is a `dyn`.
    pub(crate) fn get<T: 'static>(&self) -> Option<&'a T> {
        // SAFETY: the address is that of a value of a type that differs from T in lifetimes at most. It does not: the value and T both have the
        // trait, and no trait has two implementations for types that differ in lifetimes alone.
        (self.id == TypeId::of::<T>()).then(|| unsafe { &*self.address.cast::<T>() })
    }
}

/// A value that may change.
pub struct BehindMut<'a> {
    address: *mut (),
    pub(crate) id: TypeId,
    value: PhantomData<&'a mut ()>,
}

impl<'a> BehindMut<'a> {
    /// This one.
    pub fn new<T: ?Sized>(value: &'a mut T) -> Self {
        BehindMut {
            address: std::ptr::from_mut(value).cast(),
            id: id_of::<T>(),
            value: PhantomData,
        }
    }
    /// As [`Behind::get`].
    pub(crate) fn get<T: 'static>(self) -> Option<&'a mut T> {
        // SAFETY: as above; the reference it was made of is not used while this one is.
        (self.id == TypeId::of::<T>()).then(|| unsafe { &mut *self.address.cast::<T>() })
    }
}

/// The id of a type with all its lifetimes `'static`.
fn id_of<T: ?Sized>() -> TypeId {
    trait Id {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<T: ?Sized> Id for PhantomData<T> {
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }
    let marker: &dyn Id = &PhantomData::<T>;
    // SAFETY: lifetimes do not exist at run time, and nothing of this type is ever read.
    unsafe { std::mem::transmute::<&dyn Id, &(dyn Id + 'static)>(marker) }.id()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_by_its_type_alone() {
        let mut value = 1.5_f64;
        let behind = Behind::new(&value);
        assert_eq!(behind.get::<f64>(), Some(&1.5));
        assert_eq!(behind.get::<u64>(), None);
        *BehindMut::new(&mut value).get::<f64>().unwrap() += 1.0;
        assert!(BehindMut::new(&mut value).get::<i64>().is_none());
        assert_eq!(value, 2.5);
        // A slice is no value of its element's type.
        assert_eq!(Behind::new(&[value][..]).get::<f64>(), None);
    }

    #[test]
    fn lifetimes_make_no_difference() {
        fn id<'a>(_: &'a str) -> TypeId {
            id_of::<&'a str>()
        }
        assert_eq!(id(&1.to_string()), TypeId::of::<&'static str>());
    }
}
