//! Frames that are not in use.
//!
//! A small frame belongs to its thread: the next call takes it, of whatever program, without an atomic operation. Such an operation
//! takes as long as all the rest of taking a frame. A frame that has grown large belongs to the program that it grew for. So large
//! memory is given to nobody who needs little, and is freed with the program.

use super::frame::Frame;
use super::parallel::Part;
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

/// A frame that holds more bytes is large. A call that fills so many takes far longer than the lock of its program's frames.
const LARGE: usize = 256 << 10;

/// A thread or a program with more idle frames than this frees them: a burst of calls should not keep its memory for ever.
pub const IDLE_FRAMES: usize = 64;

thread_local! {
    #[allow(clippy::vec_box, reason = "the address of a frame is its identity")]
    static SMALL: RefCell<Vec<Box<Frame>>> = const { RefCell::new(Vec::new()) };
}

/// What a program keeps for its next call.
#[derive(Default)]
pub struct Pool {
    frames: Arc<LargeFrames>,
    /// What threads have added to, for others to use again: new memory costs more than the work of a short iteration.
    parts: Mutex<Vec<Part>>,
}

/// Idle large frames.
#[derive(Default)]
pub struct LargeFrames {
    #[allow(clippy::vec_box, reason = "the address of a frame is its identity")]
    frames: Mutex<Vec<Box<Frame>>>,
    /// How many there are, to be seen without the lock.
    count: AtomicUsize,
}

impl LargeFrames {
    fn take(&self) -> Option<Box<Frame>> {
        if self.count.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let mut frames = self.frames.lock().unwrap_or_else(|e| e.into_inner());
        let frame = frames.pop();
        self.count.store(frames.len(), Ordering::Relaxed);
        frame
    }
    fn give(&self, frame: Box<Frame>) {
        let mut frames = self.frames.lock().unwrap_or_else(|e| e.into_inner());
        if frames.len() < IDLE_FRAMES {
            frames.push(frame);
            self.count.store(frames.len(), Ordering::Relaxed);
        }
    }
}

impl Pool {
    /// The copies that threads have added to.
    pub fn parts(&self) -> MutexGuard<'_, Vec<Part>> {
        self.parts.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// A frame without records and objects.
    pub fn take(&self) -> Box<Frame> {
        let idle = self.frames.take().or_else(take_small);
        let mut frame = idle.unwrap_or_else(|| Frame::new(Default::default()));
        frame.reset();
        frame
    }

    /// Says whose a frame is once a call has used it.
    pub fn claim(&self, frame: &mut Frame) {
        if frame.bytes() > LARGE && frame.home.strong_count() == 0 {
            frame.home = Arc::downgrade(&self.frames);
        }
    }

    /// Takes a frame back that a call has used.
    pub fn give(&self, mut frame: Box<Frame>) {
        self.claim(&mut frame);
        give(frame);
    }
}

/// Whose a frame is if it is large: nobody's at first.
pub type Home = Weak<LargeFrames>;

/// Takes a frame back, to whom it belongs.
pub fn give(mut frame: Box<Frame>) {
    frame.drop_pullbacks();
    match frame.bytes() > LARGE {
        false => give_small(frame),
        true => {
            if let Some(home) = frame.home.upgrade() {
                home.give(frame);
            }
        }
    }
}

// A thread that is ending has no frames any more.

fn take_small() -> Option<Box<Frame>> {
    let taken = SMALL.try_with(|small| small.borrow_mut().pop());
    taken.ok().flatten()
}

fn give_small(frame: Box<Frame>) {
    let _ = SMALL.try_with(|small| {
        let mut frames = small.borrow_mut();
        if frames.len() < IDLE_FRAMES {
            frames.push(frame);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_frame_is_the_threads() {
        let (one, other) = (Pool::default(), Pool::default());
        let frame = one.take();
        let address = &raw const *frame;
        one.give(frame);
        let again = other.take();
        assert_eq!(&raw const *again, address);
        other.give(again);
        let elsewhere = std::thread::spawn(move || {
            let frame = Pool::default().take();
            &raw const *frame as usize
        });
        assert_ne!(elsewhere.join().unwrap(), address as usize);
    }

    #[test]
    fn a_large_frame_is_the_programs_for_which_it_grew() {
        let (one, other) = (Pool::default(), Pool::default());
        let mut frame = one.take();
        frame.alloc(LARGE + 1).unwrap();
        let address = &raw const *frame;
        one.give(frame);
        let small = other.take();
        assert_ne!(&raw const *small, address);
        assert_eq!(&raw const *one.take(), address);
    }

    #[test]
    fn a_large_frame_goes_with_its_program() {
        let one = Pool::default();
        let mut frame = one.take();
        frame.alloc(LARGE + 1).unwrap();
        one.claim(&mut frame);
        let frames = Arc::downgrade(&one.frames);
        drop(one);
        give(frame);
        assert_eq!(frames.strong_count(), 0);
    }
}
