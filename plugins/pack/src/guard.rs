//! The pack's side of a call: a panic becomes a report to the host, never a dead process.

use crate::abi::{Host, OK, REFUSED, Text};
use std::ffi::c_void;
use std::mem::offset_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicPtr, Ordering};

/// The host's services. One per image: packs that are linked into the same program share it.
static HOST: AtomicPtr<Host> = AtomicPtr::new(std::ptr::null_mut());

/// Keeps the host's services; refuses a host that lacks what version 1.0 has.
///
/// # Safety
///
/// `host` is null or points to a [`Host`] of as many bytes as its `size` says, for the rest of the process's life.
pub(crate) unsafe fn init(host: *const c_void) -> u32 {
    let needed = offset_of!(Host, log) + size_of::<usize>();
    // SAFETY: every host has at least its size.
    if host.is_null() || unsafe { *host.cast::<usize>() } < needed {
        return REFUSED;
    }
    HOST.store(host.cast_mut().cast(), Ordering::Release);
    OK
}

/// Runs a pack's function. If it panics, the host hears of it and the call gives `fallback`.
#[inline(always)]
pub fn guarded<R>(
    pack: &'static str,
    function: &'static str,
    fallback: R,
    body: impl FnOnce() -> R,
) -> R {
    caught(pack, function, body).unwrap_or(fallback)
}

/// Runs a pack's function. If it panics, the host hears of it and the call gives `None`.
#[inline(always)]
pub fn caught<R>(
    pack: &'static str,
    function: &'static str,
    body: impl FnOnce() -> R,
) -> Option<R> {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(value) => Some(value),
        Err(panic) => {
            raise(pack, function, panic);
            None
        }
    }
}

#[cold]
fn raise(pack: &'static str, function: &'static str, panic: Box<dyn std::any::Any + Send>) {
    let message = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "a panic".to_owned(),
    };
    // A payload whose own destructor panics must not get past us either; it is not worth its memory.
    std::mem::forget(panic);
    // SAFETY: `init` stored a host that lives as long as the process.
    if let Some(host) = unsafe { HOST.load(Ordering::Acquire).as_ref() } {
        let text = Text {
            data: message.as_ptr(),
            len: message.len(),
        };
        (host.raise)(Text::new(pack), Text::new(function), text);
    }
}
