//! Typed 32-bit ids and the tables they index.
//!
//! `Block` is an id, `BlockData` the row it names: nothing in the IR holds a reference to another part of it,
//! so functions clone, move between threads and print without care. How an id prints is how the text format
//! spells it.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A key of a [`Table`]: a 32-bit index with a type of its own.
pub trait Id: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug {
    /// The id of row `index`.
    fn new(index: usize) -> Self;
    /// The row this id names.
    fn index(self) -> usize;
}

/// Declares a 32-bit id type and the prefix with which it prints.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);
        impl $crate::arena::Id for $name {
            fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a table holds at most 2^32 rows"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}
pub(crate) use id;

/// Rows of `T` in order of creation, indexed by `K`. Rows are never removed.
#[derive(Clone, PartialEq)]
pub struct Table<K, T> {
    rows: Vec<T>,
    key: PhantomData<K>,
}

impl<K: Id, T> Table<K, T> {
    /// A table without rows.
    pub fn new() -> Self {
        Self {
            rows: Vec::new(),
            key: PhantomData,
        }
    }
    /// Appends a row and returns its id.
    pub fn push(&mut self, row: T) -> K {
        self.rows.push(row);
        K::new(self.rows.len() - 1)
    }
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
    /// Whether `key` names a row of this table.
    pub fn contains(&self, key: K) -> bool {
        key.index() < self.rows.len()
    }
    /// All ids in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> + use<K, T> {
        (0..self.rows.len()).map(K::new)
    }
    /// All rows with their ids, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &T)> {
        self.rows
            .iter()
            .enumerate()
            .map(|(i, row)| (K::new(i), row))
    }
}

impl<K: Id, T> Default for Table<K, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Id, T> Index<K> for Table<K, T> {
    type Output = T;
    fn index(&self, key: K) -> &T {
        &self.rows[key.index()]
    }
}

impl<K: Id, T> IndexMut<K> for Table<K, T> {
    fn index_mut(&mut self, key: K) -> &mut T {
        &mut self.rows[key.index()]
    }
}

impl<K: Id, T: std::fmt::Debug> std::fmt::Debug for Table<K, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
