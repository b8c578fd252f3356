//! Freed vectors, kept for the next result of about the same length.
//!
//! A system gives fresh pages one fault at a time and the allocator gives freed ones back: for results of some megabytes that
//! costs several times what computing them does. For results of some kilobytes it is the zeros that would be written into new memory that cost as
//! much as computing them. Programs on arrays ask for the same few lengths again and again.

use bytemuck::Pod;
use half::f16;
use std::collections::VecDeque;
use std::sync::Mutex;

/// Smaller vectors are left to the allocator, which keeps them itself.
pub const SMALLEST: usize = 1 << 12;

/// So many of the vectors that were freed last are looked at: in a long list of others a fitting one is rare.
const NEAR: usize = 32;

/// How many bytes the vectors of one element type may hold while nobody uses them: as many as all arrays had at once, but no less than this, ...
const LEAST: usize = 1 << 24;

/// ... and no more than this.
const MOST: usize = 1 << 28;

/// Freed vectors of one element type.
pub struct Pool<T>(Mutex<Free<T>>);

struct Free<T> {
    /// The last freed one is last.
    vectors: VecDeque<Vec<T>>,
    /// Their bytes.
    held: usize,
}

impl<T> Free<T> {
    const fn new() -> Free<T> {
        Free {
            vectors: VecDeque::new(),
            held: 0,
        }
    }
}

fn bytes<T>(vector: &Vec<T>) -> usize {
    vector.capacity() * size_of::<T>()
}

/// An element type with a pool.
pub trait Pooled: Pod + Send + Sync {
    /// Its pool: one in a process.
    fn pool() -> &'static Pool<Self>;
}

macro_rules! pools {
    ($($t:ident)*) => {$(
        impl Pooled for $t {
            fn pool() -> &'static Pool<$t> {
                static POOL: Pool<$t> = Pool(Mutex::new(Free::new()));
                &POOL
            }
        }
    )*};
}
pools!(f16 f32 f64 i32 u32 u64);

impl<T: Pooled> Pool<T> {
    /// A vector of `count` elements, whatever they are; `None` if there is none of a fitting size.
    pub fn take(&self, count: usize) -> Option<Vec<T>> {
        if count * size_of::<T>() < SMALLEST {
            return None;
        }
        let mut free = self.0.lock().unwrap_or_else(|e| e.into_inner());
        // The last freed one is the likeliest to be in a cache.
        let fits = |v: &Vec<T>| v.len() >= count && v.len() / 2 <= count;
        let from = free.vectors.len().saturating_sub(NEAR);
        let near = || free.vectors.range(from..).rev();
        // A longer one would be cut off, and then be missed where its length is asked for again.
        let exact = near().position(|v| v.len() == count);
        let behind = exact.or_else(|| near().position(fits))?;
        let found = free.vectors.len() - 1 - behind;
        let mut vector = free.vectors.remove(found)?;
        free.held -= bytes(&vector);
        vector.truncate(count);
        Some(vector)
    }

    /// Keeps a vector, in place of the longest kept if there are too many. `peak` is how many bytes all arrays had at once.
    pub fn give(&self, vector: Vec<T>, peak: usize) {
        // What was cut off by `take` is not counted as elements again.
        if bytes(&vector) < SMALLEST || vector.len() < vector.capacity() / 2 {
            return;
        }
        let mut free = self.0.lock().unwrap_or_else(|e| e.into_inner());
        free.held += bytes(&vector);
        free.vectors.push_back(vector);
        let most = peak.clamp(LEAST, MOST);
        while free.held > most
            && let Some(oldest) = free.vectors.pop_front()
        {
            free.held -= bytes(&oldest);
        }
    }

    /// Gives all memory back.
    pub fn clear(&self) {
        *self.0.lock().unwrap_or_else(|e| e.into_inner()) = Free::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_fits_and_keeps_within_bounds() {
        let pool = Pool::<f32>(Mutex::new(Free::new()));
        assert!(pool.take(1 << 20).is_none());
        pool.give(vec![7.0; 1 << 20], MOST);
        assert!(
            pool.take(1 << 9).is_none(),
            "small vectors are the allocator's"
        );
        assert!(pool.take(1 << 18).is_none(), "most of it would be wasted");
        assert!(pool.take((1 << 20) + 1).is_none());
        let taken = pool.take((1 << 20) - 5).unwrap();
        assert_eq!((taken.len(), taken[3]), ((1 << 20) - 5, 7.0));
        assert!(pool.take(1 << 20).is_none());
        for _ in 0..5 {
            pool.give(vec![0.0; MOST / 16], usize::MAX);
        }
        let kept = pool.0.lock().unwrap().vectors.len();
        assert_eq!(kept, 4, "no more than is allowed");
        pool.clear();
        assert!(pool.take(MOST / 16).is_none());
        // Two lengths that take turns do not take each other's.
        pool.give(vec![1.0; 3000], MOST);
        pool.give(vec![2.0; 3001], MOST);
        let (shorter, longer) = (pool.take(3000).unwrap(), pool.take(3001).unwrap());
        assert_eq!((shorter[0], longer[0]), (1.0, 2.0));
        // A program of small arrays leaves less behind.
        for _ in 0..100 {
            pool.give(vec![0.0; LEAST / 16], 5 * LEAST / 4);
        }
        assert_eq!(pool.0.lock().unwrap().vectors.len(), 5);
        pool.clear();
        // One that fits is found behind others, but not behind many.
        pool.give(vec![0.0; 3000], MOST);
        (0..NEAR / 2).for_each(|_| pool.give(vec![0.0; 9000], MOST));
        assert!(pool.take(3000).is_some());
        pool.give(vec![0.0; 3000], MOST);
        (0..NEAR).for_each(|_| pool.give(vec![0.0; 9000], MOST));
        assert!(pool.take(3000).is_none());
    }
}
