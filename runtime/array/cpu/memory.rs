//! Elements in the host's memory: typed vectors behind the backend's untyped buffers.

use super::pool::{Pooled, SMALLEST};
use crate::array::backend::{Buffer, Memory, View};
use crate::diag::{Error, Result};
use crate::exec::HostMemory;
use crate::ir::Type;
use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A vector that nobody changes any more.
pub struct Elements<T: Pooled> {
    vector: Vec<T>,
    /// Whether its memory goes to the pool. That of a vector from the program does not: nothing is taken from the pool for such vectors, so it would only
    /// grow.
    is_pooled: bool,
}

impl<T: Pooled> Drop for Elements<T> {
    fn drop(&mut self) {
        HELD.give(size_of_val(&self.vector[..]));
        if self.is_pooled {
            T::pool().give(std::mem::take(&mut self.vector), HELD.peak());
        }
    }
}

/// The bytes of all arrays that are large enough for the pool.
pub static HELD: Held = Held {
    now: AtomicUsize::new(0),
    most: AtomicUsize::new(0),
    peak: AtomicUsize::new(0),
};

/// How much is in use, and how much was at once.
pub struct Held {
    now: AtomicUsize,
    most: AtomicUsize,
    peak: AtomicUsize,
}

impl Held {
    fn take(&self, bytes: usize) {
        if bytes >= SMALLEST {
            let before = self.now.fetch_add(bytes, Ordering::Relaxed);
            self.most.fetch_max(before + bytes, Ordering::Relaxed);
            self.peak.fetch_max(before + bytes, Ordering::Relaxed);
        }
    }
    fn give(&self, bytes: usize) {
        if bytes >= SMALLEST {
            self.now.fetch_sub(bytes, Ordering::Relaxed);
        }
    }
    /// The most at once since the process began.
    fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }
    /// The most at once since the last call of this.
    pub fn most(&self) -> usize {
        let now = self.now.load(Ordering::Relaxed);
        self.most.swap(now, Ordering::Relaxed)
    }
}

impl<T: Pooled> Memory for Elements<T> {
    fn on_host(self: Arc<Self>) -> Option<Arc<dyn HostMemory>> {
        Some(self)
    }
}

impl<T: Pooled> HostMemory for Elements<T> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.vector)
    }
}

impl<T: Pooled> fmt::Debug for Elements<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} elements in host memory", self.vector.len())
    }
}

/// Makes a buffer of a vector without a copy.
pub fn adopt<T: Pooled>(vector: Vec<T>) -> Buffer {
    held(vector, true)
}

/// The same of a vector that the program has made.
pub fn adopt_of_program<T: Pooled>(vector: Vec<T>) -> Buffer {
    held(vector, false)
}

fn held<T: Pooled>(vector: Vec<T>, is_pooled: bool) -> Buffer {
    HELD.take(size_of_val(&vector[..]));
    Arc::new(Elements { vector, is_pooled })
}

/// Copies bytes into memory that is aligned for every element type.
pub fn adopt_bytes(bytes: &[u8]) -> Result<Buffer> {
    let mut words: Vec<u64> = room(bytes.len().div_ceil(8))?;
    bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
    Ok(adopt(words))
}

/// The elements behind a buffer, from a view's offset on. An error for memory of another device or element type.
pub fn elements<T: Pooled>(view: &View) -> Result<&[T]> {
    let memory: &dyn Any = &*view.buffer;
    let all = match memory.downcast_ref::<Elements<T>>() {
        Some(found) => Some(&found.vector[..]),
        None => memory
            .downcast_ref::<Elements<u64>>()
            .map(|words| bytemuck::cast_slice(&words.vector)),
    };
    all.and_then(|all| all.get(view.offset..)).ok_or_else(|| {
        Error::Internal(format!(
            "an array of {} is in memory that the CPU cannot read: {:?}",
            view.ty, view.buffer
        ))
    })
}

/// The elements of a buffer that nobody else refers to, to be changed; `None` if somebody does, or if they are of another type.
pub fn own_elements<T: Pooled>(buffer: &mut Buffer) -> Option<&mut [T]> {
    let memory: &mut dyn Any = Arc::get_mut(buffer)?;
    let elements = memory.downcast_mut::<Elements<T>>()?;
    Some(&mut elements.vector)
}

/// The bytes of a buffer of elements of a type that nobody else refers to, to be changed; `None` if somebody does, or if they are of another type.
pub fn own_bytes(buffer: &mut Buffer, ty: Type) -> Option<&mut [u8]> {
    fn of<T: Pooled>(buffer: &mut Buffer) -> Option<&mut [u8]> {
        own_elements::<T>(buffer).map(bytemuck::cast_slice_mut)
    }
    match ty {
        Type::F16 => of::<half::f16>(buffer),
        Type::F32 => of::<f32>(buffer),
        Type::F64 => of::<f64>(buffer),
        Type::I32 => of::<i32>(buffer),
        Type::U32 => of::<u32>(buffer),
        _ => None,
    }
}

/// All bytes of the memory behind a view.
pub fn bytes(view: &View) -> Result<&[u8]> {
    fn of<T: Pooled>(memory: &dyn Any) -> Option<&[u8]> {
        let elements = memory.downcast_ref::<Elements<T>>()?;
        Some(bytemuck::cast_slice(&elements.vector))
    }
    let memory: &dyn Any = &*view.buffer;
    let found = of::<f32>(memory)
        .or_else(|| of::<f64>(memory))
        .or_else(|| of::<half::f16>(memory))
        .or_else(|| of::<u32>(memory))
        .or_else(|| of::<i32>(memory))
        .or_else(|| of::<u64>(memory));
    found.ok_or_else(|| {
        Error::Internal(format!(
            "memory that the CPU cannot read: {:?}",
            view.buffer
        ))
    })
}

/// `count` elements to be overwritten, whatever they are now; an error if there is no memory for them.
pub fn room<T: Pooled>(count: usize) -> Result<Vec<T>> {
    match T::pool().take(count) {
        Some(vector) => Ok(vector),
        None => fresh(count),
    }
}

/// `count` zeros; an error if there is no memory for them.
pub fn zeroed<T: Pooled>(count: usize) -> Result<Vec<T>> {
    match T::pool().take(count) {
        Some(mut vector) => {
            vector.fill(T::zeroed());
            Ok(vector)
        }
        None => fresh(count),
    }
}

/// Zeros in new memory, which the system has ready as zero pages.
fn fresh<T: Pooled>(count: usize) -> Result<Vec<T>> {
    let zeros = || bytemuck::allocation::try_zeroed_vec(count).ok();
    let again = || {
        T::pool().clear();
        zeros()
    };
    zeros().or_else(again).ok_or_else(|| {
        let bytes = count.saturating_mul(size_of::<T>());
        Error::Memory(format!("an array of {count} elements ({bytes} bytes)"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing is taken from the pool for such vectors.
    #[test]
    fn memory_of_vectors_of_the_program_does_not_go_to_the_pool() {
        let count = 123_457;
        let from_pool = |at: *const u64| {
            let taken = u64::pool().take(count);
            taken.is_some_and(|vector| vector.as_ptr() == at)
        };
        let vector = vec![1u64; count];
        let at = vector.as_ptr();
        drop(adopt_of_program(vector));
        assert!(!from_pool(at));
        let vector = vec![1u64; count];
        let at = vector.as_ptr();
        drop(adopt(vector));
        assert!(from_pool(at));
    }
}
