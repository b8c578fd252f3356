//! Kernels and products of `f32` give zero instead of numbers that are too small to be normal, on processors that take many times as long for those.

#[cfg(target_arch = "x86_64")]
use crate::plugin::{set_sse_control, sse_control};

/// Computes something; if it is to be flushed, results that would be subnormal become zeros meanwhile, on this thread. Arguments may be subnormal, and
/// keep their values. What is computed must be calls of machine code or of functions that the compiler does not look into: it knows nothing of the
/// processor's state, and might move arithmetic of its own across.
///
/// A cotangent that vanishes would be subnormal for many steps on its way to zero, each some twenty times as slow as others on Intel's processors. XLA
/// and most GPUs compute so too. Other architectures have no such cost, so that nothing is changed there.
pub fn flushed_if<R>(is_flushed: bool, compute: impl FnOnce() -> R) -> R {
    let _before = is_flushed.then(Before::flush);
    compute()
}

/// The SSE control word of the thread before. Restored when dropped.
#[cfg(target_arch = "x86_64")]
struct Before(u32);

#[cfg(target_arch = "x86_64")]
impl Before {
    /// The bit of MXCSR for it (Intel 64 Architectures Software Developer's Manual, volume 1, section 10.2.3.3).
    const FLUSH_TO_ZERO: u32 = 1 << 15;

    fn flush() -> Before {
        let before = sse_control();
        set_sse_control(before | Before::FLUSH_TO_ZERO);
        Before(before)
    }
}

#[cfg(target_arch = "x86_64")]
impl Drop for Before {
    fn drop(&mut self) {
        set_sse_control(self.0);
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
        assert_eq!(flushed_if(true, tiny), 0.0);
        assert_ne!(flushed_if(false, tiny), 0.0);
        assert_eq!(flushed_if(true, || product(1e-40, 1e10)), 1e-40 * 1e10);
        assert_ne!(tiny(), 0.0);
        let panics = std::panic::catch_unwind(|| flushed_if(true, || panic!("within")));
        assert!(panics.is_err());
        assert_ne!(tiny(), 0.0);
    }
}
