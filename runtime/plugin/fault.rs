//! The services that packs are given, and the faults they report.
//!
//! A function that panics answers NaN to the code that called it, which may be compiled code on any thread. Nothing is
//! unwound; who started the computation asks here afterwards. The pack counts as poisoned from then on: what state a
//! panic left behind in it is unknown, so every later call that needs it is refused.

use crate::diag::{Result, notice_of};
use crate::ir::Symbol;
use log::Level;
use mooncake_pack::abi::{Host, Text};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether any pack reported a fault: the one thing that the normal path looks at.
static ANY: AtomicBool = AtomicBool::new(false);
/// The first fault of each poisoned pack.
static FAULTS: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

static HOST: Host = Host {
    size: size_of::<Host>(),
    raise,
    log,
};

/// The services, as packs are given them.
pub(super) fn host() -> *const c_void {
    (&raw const HOST).cast()
}

/// Whether any pack is poisoned.
#[inline]
pub(super) fn any() -> bool {
    ANY.load(Ordering::Acquire)
}

/// An error if one of these packs is poisoned: to be asked before and after every computation that calls them. One load if none is.
pub fn check_faults(packs: impl IntoIterator<Item = Symbol>) -> Result<()> {
    if !any() {
        return Ok(());
    }
    let faults = FAULTS.lock().unwrap_or_else(|e| e.into_inner());
    match packs
        .into_iter()
        .find_map(|pack| Some((pack, faults.get(pack.as_str())?)))
    {
        None => Ok(()),
        Some((pack, message)) => Err(super::fault(pack, message)),
    }
}

extern "C" fn raise(pack: Text, function: Text, message: Text) {
    let (pack, function, message) = (owned(pack), owned(function), owned(message));
    let message = format!(
        "`{function}` panicked: {message} (the pack is not used any further in this process)"
    );
    FAULTS
        .lock()
        .unwrap_or_else(|e| e.into_inner())
        .entry(pack)
        .or_insert(message);
    ANY.store(true, Ordering::Release);
}

extern "C" fn log(pack: Text, message: Text) {
    notice_of(&owned(pack), Level::Info, owned(message));
}

/// A copy: the text is the caller's and may go when the call returns.
fn owned(text: Text) -> String {
    // SAFETY: the boundary's contract: readable during the call. The copy is made before it ends.
    unsafe { text.read() }
        .unwrap_or("(text that is not UTF-8)")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_poisons_its_pack_and_no_other() {
        raise(Text::new("fault-test"), Text::new("f"), Text::new("no"));
        raise(Text::new("fault-test"), Text::new("g"), Text::new("again"));
        assert!(check_faults([Symbol::new("rules-std")]).is_ok());
        let error =
            check_faults([Symbol::new("rules-std"), Symbol::new("fault-test")]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "pack fault-test: `f` panicked: no (the pack is not used any further in this process)"
        );
    }
}
