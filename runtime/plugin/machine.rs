//! What a pack's code may do to the process and the processor behind our back, and how far it may go: for `mooncake pack
//! check`. The control word of the processor is also for kernels (`exec`).

use std::fmt;

/// How the processor computes with floats: rounding, what becomes of denormals, which exceptions trap. Every thread has its
/// own. Compiled code and Rust rely on the default; a function that changes it makes everything after it wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatControl(u64);

impl fmt::Display for FloatControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "control word {:#x}", self.0)
    }
}

#[cfg(target_arch = "x86_64")]
impl FloatControl {
    /// The bits of MXCSR that report what happened rather than say how to compute.
    const FLAGS: u32 = 0x3f;

    /// This thread's, now.
    pub fn read() -> FloatControl {
        let (sse, mut x87) = (sse_control(), 0u16);
        // SAFETY: the instruction stores a control word at the address, and does nothing else.
        unsafe { std::arch::asm!("fnstcw [{}]", in(reg) &raw mut x87, options(nostack)) };
        FloatControl(u64::from(sse & !FloatControl::FLAGS) | u64::from(x87) << 32)
    }

    /// Makes this thread compute so again.
    pub fn restore(self) {
        let (sse, x87) = (self.0 as u32, (self.0 >> 32) as u16);
        set_sse_control(sse);
        // SAFETY: the word was read from the same register.
        unsafe {
            std::arch::asm!("fldcw [{}]", in(reg) &raw const x87, options(nostack, readonly));
        }
    }
}

/// The control word of SSE, MXCSR, of this thread.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn sse_control() -> u32 {
    let mut word = 0u32;
    // SAFETY: the instruction stores the word at the address, and does nothing else.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack)) };
    word
}

/// Makes this thread compute as a control word says: one that [`sse_control`] has given, or that differs from it in what becomes of subnormal numbers or
/// in rounding. Rust's own arithmetic means the word that was there before, so whoever changes it puts it back.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn set_sse_control(word: u32) {
    // SAFETY: the word has no bits that are reserved, and traps no exceptions that were not trapped before.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack)) };
}

#[cfg(target_arch = "aarch64")]
impl FloatControl {
    /// This thread's, now.
    pub fn read() -> FloatControl {
        let word: u64;
        // SAFETY: reads a register.
        unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) word, options(nomem, nostack)) };
        FloatControl(word)
    }

    /// Makes this thread compute so again.
    pub fn restore(self) {
        // SAFETY: the word was read from the same register.
        unsafe { std::arch::asm!("msr fpcr, {}", in(reg) self.0, options(nomem, nostack)) };
    }
}

/// On other processors nothing is known of it, and nothing is noticed.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
impl FloatControl {
    /// This thread's, now.
    pub fn read() -> FloatControl {
        FloatControl(0)
    }

    /// Makes this thread compute so again.
    pub fn restore(self) {}
}

/// Limits the memory that this process may have from now on to so many bytes of its own data (heap, stacks, private
/// mappings), and turns core dumps off. Whether the system has such limits. What needs more fails as where memory is out.
#[cfg(target_os = "linux")]
pub fn limit_memory(bytes: u64) -> bool {
    use std::ffi::c_int;
    #[repr(C)]
    struct Limit {
        soft: u64,
        hard: u64,
    }
    unsafe extern "C" {
        fn setrlimit(resource: c_int, limit: *const Limit) -> c_int;
    }
    const DATA: c_int = 2;
    const CORE: c_int = 4;
    let set = |resource, limit| {
        let limit = Limit {
            soft: limit,
            hard: limit,
        };
        // SAFETY: a structure of the two words that the system reads on 64-bit Linux.
        unsafe { setrlimit(resource, &limit) == 0 }
    };
    cfg!(target_pointer_width = "64") && set(DATA, bytes) && set(CORE, 0)
}
#[cfg(not(target_os = "linux"))]
pub fn limit_memory(_bytes: u64) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_changed_rounding_is_seen_and_undone() {
        let before = FloatControl::read();
        // Towards zero, in SSE.
        FloatControl(before.0 | 0x6000).restore();
        let changed = FloatControl::read();
        before.restore();
        assert_ne!(changed, before);
        assert_eq!(FloatControl::read(), before);
    }
}
