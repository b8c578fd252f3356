//! The objects of a call: memory handed out from chunks of growing size, all of it given back when the call is over.
//!
//! Compiled code bumps the top inside the current chunk by itself and comes here when a chunk is full. Memory above the
//! top is zero at all times: chunks come zeroed from the system, and what a call has used is zeroed when it is over. So
//! an allocation is an addition. Chunks are kept for the next call.

use crate::codegen::cpu::abi::Header;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// Objects start at multiples of this.
pub const ALIGNMENT: usize = 16;

/// The first chunk's size. Small functions never need a second one.
const FIRST_CHUNK: usize = 64 << 10;

/// Memory for objects. The top and the end of the current chunk are in the call's header.
pub struct Arena {
    chunks: Vec<Chunk>,
    /// The chunk whose bounds are in the header. Meaningless while there are no chunks.
    current: usize,
    /// The bytes of all chunks.
    bytes: usize,
    /// The most bytes that it may hold.
    limit: usize,
}

/// Invariant: `memory` is an allocation of `bytes`, and zero beyond what is in use.
struct Chunk {
    memory: NonNull<u8>,
    bytes: usize,
    /// Bytes in use when the next chunk became the current one.
    used: usize,
}

impl Chunk {
    /// `None` if the machine has not as much.
    fn new(bytes: usize) -> Option<Chunk> {
        let layout = Layout::from_size_align(bytes, ALIGNMENT).ok()?;
        // SAFETY: the layout has a size: no chunk is smaller than the first.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Chunk {
            memory,
            bytes,
            used: 0,
        })
    }
    fn start(&self) -> usize {
        self.memory.as_ptr() as usize
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        if let Ok(layout) = Layout::from_size_align(self.bytes, ALIGNMENT) {
            // SAFETY: `new` has made it with this layout.
            unsafe { dealloc(self.memory.as_ptr(), layout) }
        }
    }
}

impl Arena {
    /// An empty arena that holds at most `limit` bytes.
    pub fn new(limit: usize) -> Arena {
        Arena {
            chunks: Vec::new(),
            current: 0,
            bytes: 0,
            limit,
        }
    }

    /// Takes all objects back: the header gets the first chunk, if there is one.
    pub fn reset(&mut self, header: &mut Header) {
        self.note_used(header);
        for chunk in self.chunks.iter_mut().take(self.current + 1) {
            // SAFETY: `used` bytes of the chunk are its own. No call is running, so nothing else refers to them.
            unsafe { chunk.memory.write_bytes(0, chunk.used) };
            chunk.used = 0;
        }
        self.enter(header, 0);
    }

    /// The bytes that it holds, in use or not.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The bytes of all objects that are there now.
    pub fn in_use(&self, header: &Header) -> usize {
        let full = self.chunks.iter().take(self.current);
        full.map(|chunk| chunk.used).sum::<usize>() + self.used_of_current(header)
    }

    /// A new object, zeroed. `None` if that is more than the limit or the memory of the machine.
    pub fn alloc(&mut self, header: &mut Header, bytes: usize) -> Option<usize> {
        let bytes = bytes.checked_next_multiple_of(ALIGNMENT)?;
        if self.in_use(header).checked_add(bytes)? > self.limit {
            return None;
        }
        if header.object_end - header.object_top < bytes || self.chunks.is_empty() {
            self.note_used(header);
            let next = match self.chunks.is_empty() {
                true => 0,
                false => self.current + 1,
            };
            self.provide(next, bytes)?;
            self.enter(header, next);
        }
        let address = header.object_top;
        header.object_top += bytes;
        Some(address)
    }

    /// How many bytes there are from the address to the end of the chunk of objects that it is in; `None` if it is in none.
    pub fn bytes_from(&self, header: &Header, address: usize) -> Option<usize> {
        let chunks = self.chunks.iter().take(self.current + 1).enumerate();
        let bytes = chunks.filter_map(|(i, chunk)| {
            let used = match i == self.current {
                true => self.used_of_current(header),
                false => chunk.used,
            };
            used.checked_sub(address.checked_sub(chunk.start())?)
        });
        // Where one chunk ends, another may begin.
        bytes.max()
    }

    /// Makes chunk `index` hold at least `bytes`.
    fn provide(&mut self, index: usize, bytes: usize) -> Option<()> {
        if self.chunks.get(index).is_some_and(|c| c.bytes >= bytes) {
            return Some(());
        }
        let before = index.checked_sub(1).map_or(0, |i| self.chunks[i].bytes);
        let chunk = Chunk::new(bytes.max(FIRST_CHUNK).max(2 * before))?;
        // The chunks after it would be smaller than it.
        self.chunks.truncate(index);
        self.chunks.push(chunk);
        self.bytes = self.chunks.iter().map(|chunk| chunk.bytes).sum();
        Some(())
    }

    fn enter(&mut self, header: &mut Header, index: usize) {
        self.current = index;
        let bounds = self.chunks.get(index).map(|c| (c.start(), c.bytes));
        let (start, bytes) = bounds.unwrap_or((0, 0));
        header.object_top = start;
        header.object_end = start + bytes;
    }

    fn used_of_current(&self, header: &Header) -> usize {
        let chunk = self.chunks.get(self.current);
        chunk.map_or(0, |chunk| header.object_top - chunk.start())
    }

    fn note_used(&mut self, header: &Header) {
        let used = self.used_of_current(header);
        if let Some(chunk) = self.chunks.get_mut(self.current) {
            chunk.used = used;
        }
    }
}
