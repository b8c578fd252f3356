//! Pieces of work that threads share, within one call.
//!
//! The thread that has the work begins with it, and idle threads of rayon's pool help as they come. Rayon's own iterators let the thread that calls them sleep
//! until the pool has done everything; a piece of work takes some ten microseconds here, and so does waking a thread. Nobody waits for a helper that has not
//! begun: when it comes, it finds that all is done, and leaves.

use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// Calls `work` with each number below `count`, on this thread and on others. Which thread takes which number is left open; a panic of one is passed on when
/// no other is at work any more.
pub fn share(count: usize, work: impl Fn(usize) + Sync) {
    let helpers = rayon::current_num_threads().min(count).saturating_sub(1);
    if helpers == 0 {
        return (0..count).for_each(work);
    }
    let work: &(dyn Fn(usize) + Sync) = &work;
    // SAFETY: only the lifetime changes, and `Crew::work` says why nobody calls it after this borrow.
    let work: Work = unsafe { std::mem::transmute(work) };
    let crew = Arc::new(Crew {
        work,
        count,
        next: AtomicUsize::new(0),
        threads: helpers + 1,
        helping: AtomicUsize::new(0),
        panic: Mutex::new(None),
        owner: std::thread::current(),
    });
    for _ in 0..helpers {
        if ASKED.fetch_add(1, Ordering::Relaxed) >= MOST_ASKED {
            ASKED.fetch_sub(1, Ordering::Relaxed);
            break;
        }
        let crew = crew.clone();
        rayon::spawn(move || {
            ASKED.fetch_sub(1, Ordering::Relaxed);
            if crew.enter() {
                crew.work();
                crew.leave();
            }
        });
    }
    crew.work();
    crew.close();
    let mut panic = crew.panic.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(panic) = panic.take() {
        resume_unwind(panic);
    }
}

/// `f` of each number below `count`, in their order.
pub fn map<R: Send + Sync>(count: usize, f: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let made: Vec<OnceLock<R>> = (0..count).map(|_| OnceLock::new()).collect();
    share(count, |n| {
        let _ = made[n].set(f(n));
    });
    let all: Vec<R> = made.into_iter().filter_map(OnceLock::into_inner).collect();
    assert_eq!(all.len(), count, "every number is taken once");
    all
}

/// `f` of the number of each item, and the item, in their order.
pub fn each<I: Send, R: Send + Sync>(
    items: impl Iterator<Item = I>,
    f: impl Fn(usize, I) -> R + Sync,
) -> Vec<R> {
    let items: Vec<Mutex<Option<I>>> = items.map(|item| Mutex::new(Some(item))).collect();
    let one = |n: usize| {
        let item = items[n].lock().unwrap_or_else(|e| e.into_inner()).take();
        item.map(|item| f(n, item))
    };
    map(items.len(), one).into_iter().flatten().collect()
}

/// How many helpers have been asked and have not come yet, in the whole process.
static ASKED: AtomicUsize = AtomicUsize::new(0);

/// No more of them are asked: where all threads of a pool are busy for long, the queue of those that are to help would grow with every call.
const MOST_ASKED: usize = 1 << 10;

/// What does one piece of work. It is borrowed from the caller of [`share`].
type Work = *const (dyn Fn(usize) + Sync);

/// Pieces of work, and who is at them.
struct Crew {
    work: Work,
    count: usize,
    /// The next number that nobody has.
    next: AtomicUsize,
    /// How many threads there are at most.
    threads: usize,
    /// How many helpers are at work, and [`CLOSED`].
    helping: AtomicUsize,
    /// What the first of those said that panicked.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    /// The thread that has the work.
    owner: Thread,
}

// SAFETY: what the pointer leads to is shared among threads as its type allows; all else is of types that threads may share.
unsafe impl Send for Crew {}
// SAFETY: the same.
unsafe impl Sync for Crew {}

/// Nobody may enter any more.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// So long the owner looks again and again whether the helpers are done. They have a piece each at most, and it would take as long to wake up.
const PATIENCE: Duration = Duration::from_micros(30);

impl Crew {
    /// Takes numbers as long as there are any.
    fn work(&self) {
        // SAFETY: the owner calls this before it closes the crew, and helpers between `enter` and `leave` alone. `enter` lets nobody in once the crew is closed,
        // and the owner returns to whom it has borrowed the work from when all have left, whether a piece panics or not.
        let work = unsafe { &*self.work };
        let taken = catch_unwind(AssertUnwindSafe(|| {
            while let Some(numbers) = self.take() {
                numbers.for_each(work);
            }
        }));
        if let Err(panic) = taken {
            self.next.store(self.count, Ordering::Relaxed);
            let mut first = self.panic.lock().unwrap_or_else(|e| e.into_inner());
            first.get_or_insert(panic);
        }
    }

    /// Numbers that nobody has: of what is left a thread takes half of its share, so that what it does lies together in memory, and at last one by one, so that
    /// all are done at the same time.
    fn take(&self) -> Option<Range<usize>> {
        let share = |left: usize| (left / (2 * self.threads)).max(1);
        let behind = |from: usize| match self.count.saturating_sub(from) {
            0 => None,
            left => Some(from + share(left)),
        };
        let taken = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, behind);
        let from = taken.ok()?;
        Some(from..behind(from)?)
    }

    /// Whether a helper may work. If so, it has to [`leave`](Self::leave).
    fn enter(&self) -> bool {
        let more = |helping: usize| (helping & CLOSED == 0).then_some(helping + 1);
        let entered = self
            .helping
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        entered.is_ok()
    }

    fn leave(&self) {
        // What the helper has written is seen by the owner, which goes on when nobody is left.
        if self.helping.fetch_sub(1, Ordering::Release) == CLOSED + 1 {
            self.owner.unpark();
        }
    }

    /// Lets nobody in any more, and waits until all have left.
    fn close(&self) {
        self.helping.fetch_or(CLOSED, Ordering::Relaxed);
        let is_alone = || self.helping.load(Ordering::Acquire) == CLOSED;
        let began = Instant::now();
        while !is_alone() && began.elapsed() < PATIENCE {
            std::hint::spin_loop();
        }
        while !is_alone() {
            std::thread::park();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::ThreadPoolBuilder;

    /// One test asks as many helpers as may be asked, and another needs one.
    static ASKING: Mutex<()> = Mutex::new(());

    /// On so many threads.
    fn on<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> R {
        let pool = ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(f)
    }

    #[test]
    fn every_number_is_taken_once_and_results_are_in_order() {
        for threads in [1, 2, 5] {
            for count in [0, 1, 2, 3, 100, 1000] {
                let squares = on(threads, || map(count, |n| n * n));
                assert_eq!(squares, (0..count).map(|n| n * n).collect::<Vec<_>>());
            }
        }
        let mut items = vec![0; 1000];
        for _ in 0..200 {
            each(items.chunks_mut(7), |n, part| {
                part.iter_mut().for_each(|item| *item += n)
            });
        }
        assert!(
            items
                .iter()
                .enumerate()
                .all(|(n, &item)| item == 200 * (n / 7))
        );
    }

    #[test]
    fn several_threads_work() {
        let _alone = ASKING.lock();
        // Each waits for the other: one thread alone would never be done.
        let barrier = std::sync::Barrier::new(2);
        on(2, || {
            share(2, |_| {
                barrier.wait();
            })
        });
        let outside = std::sync::Barrier::new(2);
        if rayon::current_num_threads() > 1 {
            share(2, |_| {
                outside.wait();
            });
        }
    }

    #[test]
    fn nobody_waits_for_threads_that_are_busy() {
        let _alone = ASKING.lock();
        let (busy, done) = std::sync::mpsc::channel::<()>();
        on(2, || {
            rayon::spawn(move || {
                let _ = done.recv();
            });
            for n in 0..2 * MOST_ASKED {
                assert_eq!(map(3, |m| m + n), [n, n + 1, n + 2]);
                assert!(ASKED.load(Ordering::Relaxed) <= 2 * MOST_ASKED);
            }
            drop(busy);
        });
    }

    #[test]
    fn work_may_share_work() {
        let sums = on(3, || map(20, |n| map(n, |m| m).iter().sum::<usize>()));
        assert_eq!(
            sums,
            (0..20)
                .map(|n: usize| n * n.saturating_sub(1) / 2)
                .collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_panic_is_passed_on_when_no_thread_is_at_work() {
        let at_work = AtomicUsize::new(0);
        for _ in 0..50 {
            let work = |n: usize| {
                at_work.fetch_add(1, Ordering::SeqCst);
                let message = (n == 3).then_some("three");
                std::thread::sleep(Duration::from_micros(n as u64));
                at_work.fetch_sub(1, Ordering::SeqCst);
                if let Some(message) = message {
                    std::panic::panic_any(message);
                }
            };
            let caught = on(4, || catch_unwind(|| share(40, work)));
            let panic = caught.unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&"three"));
            assert_eq!(at_work.load(Ordering::SeqCst), 0);
        }
        // The pool works on.
        assert_eq!(map(3, |n| n), [0, 1, 2]);
    }
}
