//! Kernels and products of `f32` give zero instead of numbers that are too small to be normal, on processors that take many times as long for those.

/// Computes something while results that would be subnormal become zeros, on this thread. Arguments may be subnormal, and keep their values.
///
/// A cotangent that vanishes would be subnormal for many steps on its way to zero, each some twenty times as slow as others on Intel's processors. XLA
/// and most GPUs compute so too. Other architectures have no such cost, so that nothing is changed there.
pub fn flushed<R>(compute: impl FnOnce() -> R) -> R {
    let _before = Before::flush();
    compute()
}

/// How the thread computed before. Restores it when dropped.
#[cfg(target_arch = "x86_64")]
struct Before(u32);

#[cfg(target_arch = "x86_64")]
impl Before {
    /// The bit of MXCSR for it (Intel 64 Architectures Software Developer's Manual, volume 1, section 10.2.3.3).
    const FLUSH_TO_ZERO: u32 = 1 << 15;

    fn flush() -> Before {
        let mut before = 0u32;
        // SAFETY: the instruction stores the control word at the address, and does nothing else.
        unsafe {
            std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut before, options(nostack, preserves_flags));
        }
        load(before | Before::FLUSH_TO_ZERO);
        Before(before)
    }
}

#[cfg(target_arch = "x86_64")]
impl Drop for Before {
    fn drop(&mut self) {
        load(self.0);
    }
}

/// Makes this thread compute as the control word says.
#[cfg(target_arch = "x86_64")]
fn load(word: u32) {
    // SAFETY: the word was read from the same register, and differs in one bit at most, which changes results of arithmetic only. What is computed
    // until it is restored is the machine code of kernels and the library's products. Neither Cranelift nor the compiler of the library has moved
    // anything across: both see a call.
    unsafe {
        std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack, preserves_flags));
    }
}

#[cfg(not(target_arch = "x86_64"))]
struct Before;

#[cfg(not(target_arch = "x86_64"))]
impl Before {
    fn flush() -> Before {
        Before
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn only_results_within_are_flushed() {
        // The compiler keeps what is between two black boxes between them.
        let product = |a: f32, b: f32| black_box(black_box(a) * black_box(b));
        let tiny = || product(1e-30, 1e-10);
        assert_ne!(tiny(), 0.0);
        assert_eq!(flushed(tiny), 0.0);
        assert_eq!(flushed(|| product(1e-40, 1e10)), 1e-40 * 1e10);
        assert_ne!(tiny(), 0.0);
        let panics = std::panic::catch_unwind(|| flushed(|| panic!("within")));
        assert!(panics.is_err());
        assert_ne!(tiny(), 0.0);
    }
}
