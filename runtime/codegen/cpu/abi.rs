//! What compiled code and its caller agree on: the head of a call's frame, and the signatures between them.
//!
//! Compiled code addresses the fields by offset, and reaches everything it does not do itself (a fresh tape chunk,
//! an array operation) through the function pointers in the frame. So the code generator knows this layout and no
//! more of the executor.

/// The head of the frame that every compiled function gets as its first argument.
#[repr(C)]
pub struct Header {
    /// The first free byte of the tape. Invariant: 8-aligned, from `tape_start` to `tape_end`.
    pub tape_top: usize,
    /// The first byte of the tape's current chunk.
    pub tape_start: usize,
    /// The end of the tape's current chunk.
    pub tape_end: usize,
    /// A pop from above this address is reported to `tape_pop`, which keeps the peak.
    pub tape_peak: usize,
    /// No call may begin with the stack pointer below this address.
    pub stack_limit: usize,
    /// Reserves that many bytes when the chunk is full. Null on failure, which it has noted.
    pub tape_push: unsafe extern "C" fn(*mut Header, usize) -> usize,
    /// Removes and gives the top record of that many bytes when it is not in the current chunk, or the peak is new.
    pub tape_pop: unsafe extern "C" fn(*mut Header, usize) -> usize,
    /// The first free byte for objects; from there to `object_end` all is zero. Invariant: 16-aligned.
    pub object_top: usize,
    /// The end of the current chunk for objects. Invariant: 16-aligned.
    pub object_end: usize,
    /// Makes an object of that many bytes when the chunk is full. Null on failure, which it has noted.
    pub alloc: unsafe extern "C" fn(*mut Header, usize) -> usize,
    /// Runs the operation of a site of the program. Not zero on failure, which it has noted.
    pub host: unsafe extern "C" fn(*mut Header, u32, *const u64, *mut u64) -> u32,
    /// Calls the declared function of that number. Not zero on failure, which it has noted.
    pub on_demand: unsafe extern "C" fn(*mut Header, u32, *const u64, *mut u64) -> u32,
    /// Calls the parallel function of that number. Not zero on failure, which it has noted.
    pub parallel: unsafe extern "C" fn(*mut Header, u32, *const u64, *mut u64) -> u32,
    /// The index of the fault in the program's table; [`NO_FAULT`] if none.
    pub fault_site: u32,
    /// The values that the fault shows.
    pub fault_values: [u64; FAULT_VALUES],
}

/// `fault_site` while nothing has failed in compiled code.
pub const NO_FAULT: u32 = u32::MAX;

/// How many values a fault can show.
pub const FAULT_VALUES: usize = 4;

/// A compiled root: arguments and results are leaves, one in each word (a scalar by its bits, zero-extended; a slice as
/// address and length; an array as its handle; a pointer as its address). 0 is success.
pub type Entry = unsafe extern "C" fn(*mut Header, *const u64, *mut u64) -> u32;

/// A compiled elementwise kernel: over `n` elements, inputs as address and step in bytes, outputs as address.
pub type Kernel = unsafe extern "C" fn(*mut Header, usize, *const [usize; 2], *const usize) -> u32;

/// A compiled kernel over lanes: the words of `super::lanes`. Not zero if an index was out of range. Its frame may be null, since it notes nothing there.
pub type Lanes = unsafe extern "C" fn(*mut Header, *const u64) -> u32;
