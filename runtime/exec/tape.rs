//! The tape: a stack of records in chunks of growing size.
//!
//! Compiled code bumps the top inside the current chunk by itself; it comes here when a chunk is full, when the top
//! record lies in the chunk before, and when the peak is passed for the first time. Chunks are kept for the next
//! call, so that a function called again and again allocates nothing.

use crate::codegen::cpu::abi::Header;

/// The first chunk's size. Small functions never need a second one.
const FIRST_CHUNK: usize = 64 << 10;

/// Memory for records, and how much of it was used.
pub struct Tape {
    chunks: Vec<Chunk>,
    /// The chunk whose bounds are in the header. Meaningless while there are no chunks.
    current: usize,
    /// The most that was in use at once during this call.
    peak: usize,
    /// The bytes of all chunks.
    bytes: usize,
    limit: usize,
}

struct Chunk {
    // Words, so that records are 8-aligned.
    memory: Vec<u64>,
    /// Bytes in use when the next chunk became the current one.
    used: usize,
}

impl Chunk {
    fn start(&self) -> usize {
        self.memory.as_ptr() as usize
    }
    fn bytes(&self) -> usize {
        self.memory.capacity() * 8
    }
}

impl Tape {
    /// An empty tape that holds at most `limit` bytes.
    pub fn new(limit: usize) -> Tape {
        Tape {
            chunks: Vec::new(),
            current: 0,
            peak: 0,
            bytes: 0,
            limit,
        }
    }

    /// Forgets all records: the header gets the first chunk, if there is one.
    pub fn reset(&mut self, header: &mut Header) {
        self.peak = 0;
        self.enter(header, 0);
        header.tape_top = header.tape_start;
        self.set_peak_mark(header);
    }

    /// The bytes that it holds, in use or not.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The most that was in use at once, the records that are there now included.
    pub fn peak(&self, header: &Header) -> usize {
        self.peak.max(self.in_use(header))
    }

    /// Reserves `bytes` in a new chunk. `None` if that is more than the limit or the memory of the machine.
    pub fn push(&mut self, header: &mut Header, bytes: usize) -> Option<usize> {
        self.peak = self.peak(header);
        let bytes = bytes.checked_next_multiple_of(8)?;
        if self.in_use(header).checked_add(bytes)? > self.limit {
            return None;
        }
        let next = match self.chunks.get_mut(self.current) {
            Some(chunk) => {
                chunk.used = header.tape_top - chunk.start();
                self.current + 1
            }
            None => 0,
        };
        self.provide(next, bytes)?;
        self.enter(header, next);
        header.tape_top = header.tape_start + bytes;
        self.set_peak_mark(header);
        Some(header.tape_start)
    }

    /// Removes the top record and gives its address.
    pub fn pop(&mut self, header: &mut Header, bytes: usize) -> usize {
        self.peak = self.peak(header);
        while header.tape_top - header.tape_start < bytes && self.current > 0 {
            self.enter(header, self.current - 1);
            header.tape_top = header.tape_start + self.chunks[self.current].used;
        }
        header.tape_top -= bytes.min(header.tape_top - header.tape_start);
        self.set_peak_mark(header);
        header.tape_top
    }

    /// Makes chunk `index` hold at least `bytes`.
    fn provide(&mut self, index: usize, bytes: usize) -> Option<()> {
        if self.chunks.get(index).is_some_and(|c| c.bytes() >= bytes) {
            return Some(());
        }
        let before = index.checked_sub(1).map_or(0, |i| self.chunks[i].bytes());
        let wanted = bytes.max(FIRST_CHUNK).max(2 * before);
        let mut memory = Vec::new();
        memory.try_reserve_exact(wanted / 8).ok()?;
        // The chunks after it would be smaller than it.
        self.chunks.truncate(index);
        self.chunks.push(Chunk { memory, used: 0 });
        self.bytes = self.chunks.iter().map(Chunk::bytes).sum();
        Some(())
    }

    fn enter(&mut self, header: &mut Header, index: usize) {
        self.current = index;
        let bounds = self.chunks.get(index).map(|c| (c.start(), c.bytes()));
        let (start, bytes) = bounds.unwrap_or((0, 0));
        header.tape_start = start;
        header.tape_end = start + bytes;
    }

    fn before(&self) -> usize {
        let full = &self.chunks[..self.current.min(self.chunks.len())];
        full.iter().map(|chunk| chunk.used).sum()
    }

    /// The bytes of the records that are there.
    pub fn in_use(&self, header: &Header) -> usize {
        self.before() + (header.tape_top - header.tape_start)
    }

    /// Below this top nothing new is to be learned about the peak.
    fn set_peak_mark(&self, header: &mut Header) {
        header.tape_peak = header.tape_start + self.peak.saturating_sub(self.before());
    }
}
