//! How deep this thread's stack may get.

use std::cell::Cell;
use std::ops::Range;

/// Below the limit, compiled code still calls packs and the host: they get this much, on small stacks a half.
const RESERVE: usize = 128 << 10;

thread_local! {
    static LIMIT: Cell<usize> = const { Cell::new(0) };
}

/// The lowest stack address at which a recursive call of compiled code may begin on this thread.
pub fn limit() -> usize {
    LIMIT.with(|limit| {
        if limit.get() == 0 {
            let stack = bounds().unwrap_or_else(assumed);
            limit.set(stack.start + RESERVE.min((stack.end - stack.start) / 2));
        }
        limit.get()
    })
}

/// What is left at least on systems that do not tell: no system gives a thread less than 64 KiB without being asked to.
fn assumed() -> Range<usize> {
    let here = 0_u8;
    let end = &raw const here as usize;
    end - (48 << 10)..end
}

/// The whole stack of this thread, its guard page excluded.
#[cfg(target_os = "linux")]
fn bounds() -> Option<Range<usize>> {
    // Larger than `pthread_attr_t` of any libc.
    type Attributes = [u64; 32];
    unsafe extern "C" {
        fn pthread_self() -> usize;
        fn pthread_getattr_np(thread: usize, attributes: *mut Attributes) -> i32;
        fn pthread_attr_getstack(
            attributes: *const Attributes,
            address: *mut usize,
            size: *mut usize,
        ) -> i32;
        fn pthread_attr_destroy(attributes: *mut Attributes) -> i32;
    }
    const GUARD: usize = 64 << 10;
    let (mut attributes, mut address, mut size): (Attributes, _, _) = ([0; 32], 0, 0);
    // SAFETY: the attributes are initialised by the first call, used by the second and released by the third.
    let known = unsafe {
        pthread_getattr_np(pthread_self(), &mut attributes) == 0 && {
            let known = pthread_attr_getstack(&attributes, &mut address, &mut size) == 0;
            pthread_attr_destroy(&mut attributes);
            known
        }
    };
    let guard = GUARD.min(size / 8);
    known.then_some(address + guard..address + size)
}

/// The whole stack of this thread.
#[cfg(target_os = "macos")]
fn bounds() -> Option<Range<usize>> {
    unsafe extern "C" {
        fn pthread_self() -> usize;
        fn pthread_get_stackaddr_np(thread: usize) -> usize;
        fn pthread_get_stacksize_np(thread: usize) -> usize;
    }
    // SAFETY: both take any running thread and only read.
    let (end, size) = unsafe {
        let thread = pthread_self();
        (
            pthread_get_stackaddr_np(thread),
            pthread_get_stacksize_np(thread),
        )
    };
    Some(end - size..end)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn bounds() -> Option<Range<usize>> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_lies_inside_the_stack() {
        for size in [64 << 10, 256 << 10, 8 << 20] {
            let thread = std::thread::Builder::new().stack_size(size).spawn(move || {
                let here = 0_u8;
                (&raw const here as usize, limit())
            });
            let (here, limit) = thread.unwrap().join().unwrap();
            assert!(limit < here && here - limit < size, "{size}");
        }
    }
}
