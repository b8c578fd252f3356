//! Buffers, reused.
//!
//! A buffer returns to the pool when the last array that names it is dropped, even if commands that use it are still to
//! run: there is one queue, and it runs in order, so whoever gets the buffer next comes after them. The one
//! exception are writes by the host, which do not wait for commands that are not submitted yet; `last_batch` is for them.

use crate::array::backend::Memory;
use crate::diag::{Error, Result};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Locks; a panic elsewhere does not make what is behind the lock unusable.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An operation that the device may report to have failed: not known yet, well, or the error.
pub type Doubt = OnceLock<Option<Error>>;

/// Operations in doubt.
pub type Doubts = SmallVec<[Arc<Doubt>; 2]>;

/// Memory on the GPU.
#[derive(Debug)]
pub struct GpuMemory {
    slot: Slot,
    /// The operation that fills it.
    pub born: u64,
    /// What its contents depend on and that may have gone wrong.
    pub doubts: Mutex<Doubts>,
    /// The last batch of commands that uses it.
    pub last_batch: AtomicU64,
    pool: Arc<Mutex<Pool>>,
}

/// A buffer with the name under which bind groups are cached.
#[derive(Clone, Debug)]
struct Slot {
    id: u64,
    buffer: wgpu::Buffer,
    last_batch: u64,
    /// The how manieth it was to be given back.
    given: u64,
}

impl GpuMemory {
    pub fn id(&self) -> u64 {
        self.slot.id
    }
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.slot.buffer
    }
    /// Adds the operations on which its contents depend and of which nothing is known yet; the error of one that failed.
    pub fn doubt(&self, all: &mut Doubts) -> Result<()> {
        let mut own = lock(&self.doubts);
        own.retain(|doubt| !matches!(doubt.get(), Some(None)));
        for doubt in own.iter() {
            if let Some(Some(error)) = doubt.get() {
                return Err(error.clone());
            }
            if !all.iter().any(|other| Arc::ptr_eq(other, doubt)) {
                all.push(doubt.clone());
            }
        }
        Ok(())
    }
    /// Whether it came from this pool.
    pub fn is_from(&self, pool: &Arc<Mutex<Pool>>) -> bool {
        Arc::ptr_eq(&self.pool, pool)
    }
}

impl Memory for GpuMemory {}

impl Drop for GpuMemory {
    fn drop(&mut self) {
        let slot = Slot {
            last_batch: self.last_batch.load(Ordering::Relaxed),
            ..self.slot.clone()
        };
        lock(&self.pool).give(slot);
    }
}

/// Free buffers by size.
#[derive(Debug)]
pub struct Pool {
    free: FxHashMap<u64, VecDeque<Slot>>,
    free_bytes: u64,
    /// How many buffers have ever been given back.
    given: u64,
    /// The bytes of all arrays, and the most at once.
    used_bytes: u64,
    most_bytes: u64,
    /// The most ever.
    peak_bytes: u64,
    /// Free memory is kept for reuse up to so many bytes beyond that: what needed so much once will need it again, and drivers take milliseconds for memory
    /// that is new.
    pub kept: u64,
    next_id: u64,
    /// No buffer is larger than what a binding may be.
    largest: u64,
    /// Set when buffers were let go of: caches that hold on to them must be cleared.
    pub released: bool,
}

/// See [`Pool::kept`].
const KEPT: u64 = 1 << 30;

impl Pool {
    pub fn new(limits: &wgpu::Limits) -> Pool {
        Pool {
            free: FxHashMap::default(),
            free_bytes: 0,
            given: 0,
            used_bytes: 0,
            most_bytes: 0,
            peak_bytes: 0,
            kept: KEPT,
            next_id: 0,
            largest: limits
                .max_buffer_size
                .min(limits.max_storage_buffer_binding_size)
                / 32
                * 32,
            released: false,
        }
    }
    /// The most bytes an array may have.
    pub fn largest(&self) -> u64 {
        self.largest
    }
    /// The size of the buffer for that many bytes: a power of two or one of three steps between two of them, so that
    /// sizes repeat; a multiple of 32, so that kernels may touch whole groups of four elements.
    pub fn size_for(&self, bytes: usize) -> u64 {
        let bytes = (bytes as u64).max(256);
        let step = (bytes.next_power_of_two() / 8).max(64);
        match bytes.next_multiple_of(step) {
            size if size <= self.largest => size,
            _ => bytes.next_multiple_of(32),
        }
    }
    /// A free buffer of exactly that size.
    pub fn take(this: &Arc<Mutex<Pool>>, size: u64, born: u64) -> Option<GpuMemory> {
        let mut pool = lock(this);
        let slot = pool.free.get_mut(&size)?.pop_back()?;
        pool.free_bytes -= size;
        pool.count(size);
        drop(pool);
        Some(GpuMemory {
            born,
            doubts: Mutex::default(),
            last_batch: AtomicU64::new(slot.last_batch),
            slot,
            pool: this.clone(),
        })
    }
    /// A buffer that was just made.
    pub fn adopt(this: &Arc<Mutex<Pool>>, buffer: wgpu::Buffer, born: u64) -> GpuMemory {
        let mut pool = lock(this);
        pool.next_id += 1;
        pool.count(buffer.size());
        let slot = Slot {
            id: pool.next_id,
            buffer,
            last_batch: 0,
            given: 0,
        };
        GpuMemory {
            slot,
            born,
            doubts: Mutex::default(),
            last_batch: AtomicU64::new(0),
            pool: this.clone(),
        }
    }
    /// Keeps a buffer. Those that have been free for the longest go if there are too many: sizes that no program asks for any more.
    fn give(&mut self, slot: Slot) {
        let size = slot.buffer.size();
        self.used_bytes -= size;
        self.free_bytes += size;
        self.given += 1;
        let given = self.given;
        let kept = self.free.entry(size).or_default();
        kept.push_back(Slot { given, ..slot });
        let most = self.peak_bytes + self.kept;
        while self.used_bytes + self.free_bytes > most && self.drop_oldest() {}
    }
    /// Lets go of the buffer that has been free for the longest. Whether there was one.
    fn drop_oldest(&mut self) -> bool {
        let ages = self
            .free
            .iter()
            .filter_map(|(&size, slots)| Some((slots.front()?.given, size)));
        let Some((_, size)) = ages.min() else {
            return false;
        };
        let dropped = self.free.get_mut(&size).and_then(VecDeque::pop_front);
        self.free_bytes -= dropped.map_or(0, |_| size);
        self.released = true;
        true
    }
    fn count(&mut self, size: u64) {
        self.used_bytes += size;
        self.most_bytes = self.most_bytes.max(self.used_bytes);
        self.peak_bytes = self.peak_bytes.max(self.used_bytes);
    }
    /// The most bytes of arrays at once since the last call of this.
    pub fn most(&mut self) -> u64 {
        std::mem::replace(&mut self.most_bytes, self.used_bytes)
    }
    /// Lets go of all free buffers.
    pub fn clear(&mut self) {
        self.free.clear();
        self.free_bytes = 0;
        self.released = true;
    }
}
