//! Freed vectors, kept for the next result of about the same length.
//!
//! A system gives fresh pages one fault at a time and the allocator gives freed ones back: for results of some megabytes that
//! costs several times what computing them does. Programs on arrays ask for the same few lengths again and again.

use bytemuck::Pod;
use std::sync::Mutex;

/// Smaller vectors are left to the allocator, which keeps them itself.
pub const SMALLEST: usize = 1 << 16;

/// How many bytes the vectors of one element type may hold while nobody uses them.
const MOST: usize = 1 << 28;

/// Freed vectors of one element type, the last freed one last.
pub struct Pool<T>(Mutex<Vec<Vec<T>>>);

/// An element type with a pool.
pub trait Pooled: Pod + Send + Sync {
    /// Its pool: one in a process.
    fn pool() -> &'static Pool<Self>;
}

macro_rules! pools {
    ($($t:ident)*) => {$(
        impl Pooled for $t {
            fn pool() -> &'static Pool<$t> {
                static POOL: Pool<$t> = Pool(Mutex::new(Vec::new()));
                &POOL
            }
        }
    )*};
}
pools!(f32 f64 i32 u32 u64);

impl<T: Pooled> Pool<T> {
    /// A vector of `count` elements, whatever they are; `None` if there is none of a fitting size.
    pub fn take(&self, count: usize) -> Option<Vec<T>> {
        if count * size_of::<T>() < SMALLEST {
            return None;
        }
        let mut free = self.0.lock().unwrap_or_else(|e| e.into_inner());
        // The last freed one is the likeliest to be in a cache.
        let fits = |v: &Vec<T>| v.len() >= count && v.len() / 2 <= count;
        let found = free.iter().rposition(fits)?;
        let mut vector = free.remove(found);
        vector.truncate(count);
        Some(vector)
    }

    /// Keeps a vector, in place of the longest kept if there are too many.
    pub fn give(&self, vector: Vec<T>) {
        let bytes = |v: &Vec<T>| v.capacity() * size_of::<T>();
        // What was cut off by `take` is not counted as elements again.
        if bytes(&vector) < SMALLEST || vector.len() < vector.capacity() / 2 {
            return;
        }
        let mut free = self.0.lock().unwrap_or_else(|e| e.into_inner());
        free.push(vector);
        let mut held: usize = free.iter().map(bytes).sum();
        while held > MOST {
            held -= bytes(&free.remove(0));
        }
    }

    /// Gives all memory back.
    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(|e| e.into_inner()).clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_fits_and_keeps_within_bounds() {
        let pool = Pool::<f32>(Mutex::new(Vec::new()));
        assert!(pool.take(1 << 20).is_none());
        pool.give(vec![7.0; 1 << 20]);
        assert!(
            pool.take(1 << 10).is_none(),
            "small vectors are the allocator's"
        );
        assert!(pool.take(1 << 18).is_none(), "most of it would be wasted");
        assert!(pool.take((1 << 20) + 1).is_none());
        let taken = pool.take((1 << 20) - 5).unwrap();
        assert_eq!((taken.len(), taken[3]), ((1 << 20) - 5, 7.0));
        assert!(pool.take(1 << 20).is_none());
        for _ in 0..5 {
            pool.give(vec![0.0; MOST / 16]);
        }
        assert_eq!(pool.0.lock().unwrap().len(), 4, "no more than is allowed");
        pool.clear();
        assert!(pool.take(MOST / 16).is_none());
    }
}
