//! Work that threads share within one call.
//!
//! The thread that has the work begins with it, and idle threads of rayon's pool help as they come. Rayon's own iterators and scopes would let that thread wait
//! until each thread that was asked has come; but waking a thread takes some ten microseconds, and so does a piece of work here. So nobody waits for a
//! helper that has not begun: when it comes, it finds that all is done, and leaves.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// Less work than this is done before others have begun to help.
pub const WORTH_HELP: Duration = Duration::from_micros(30);

/// How many threads share work.
pub fn count() -> usize {
    rayon::current_num_threads()
}

/// Calls `work` with each number below `count`, on this thread and on others. Which thread takes which number is left open. A panic of one is passed on when
/// no thread is at work any more.
pub fn share(count: usize, work: impl Fn(usize) + Sync) {
    let threads = self::count().min(count);
    if threads <= 1 {
        return (0..count).for_each(work);
    }
    // The first number that nobody has taken.
    let next = AtomicUsize::new(0);
    // A thread takes half of its share of what is left, so that what it does lies together in memory; at last numbers are taken one by one, so that all
    // threads are done at about the same time.
    let behind = |from: usize| match count.saturating_sub(from) {
        0 => None,
        left => Some(from + (left / (2 * threads)).max(1)),
    };
    let take_all = || {
        while let Ok(from) = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, behind) {
            (from..behind(from).unwrap_or(count)).for_each(&work);
        }
    };
    with_helpers(threads - 1, take_all, take_all);
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

/// Calls `own` on this thread, and `help` on so many others at most, once on each that comes before `own` has returned. Returns when all of them have. A
/// panic, of `own` before one of `help`, is passed on then.
pub fn with_helpers<R>(helpers: usize, help: impl Fn() + Sync, own: impl FnOnce() -> R) -> R {
    let help: &(dyn Fn() + Sync) = &help;
    // SAFETY: only the lifetime changes. `Crew::help` says why nobody calls it after this function has returned.
    let help: Help = unsafe { std::mem::transmute(help) };
    let crew = Arc::new(Crew {
        help,
        helping: AtomicUsize::new(0),
        panic: Mutex::new(None),
        owner: std::thread::current(),
    });
    let done = catch_unwind(AssertUnwindSafe(|| {
        (0..helpers).take_while(|_| crew.ask()).for_each(drop);
        own()
    }));
    crew.close();
    let panicked = crew.panic.lock().unwrap_or_else(|e| e.into_inner()).take();
    match (done, panicked) {
        (Ok(made), None) => made,
        (Err(panic), _) | (Ok(_), Some(panic)) => resume_unwind(panic),
    }
}

/// How many helpers have been asked and have not come yet, in the whole process.
static ASKED: AtomicUsize = AtomicUsize::new(0);

/// So many may have been asked: where all threads of a pool are busy for long, the queue of those that are to help would grow with every call.
const MOST_ASKED: usize = 1 << 10;

/// What a helper does. It is borrowed from the caller of [`with_helpers`].
type Help = *const (dyn Fn() + Sync);

/// A thread that has work, and its helpers.
struct Crew {
    help: Help,
    /// How many helpers are at work, and [`CLOSED`].
    helping: AtomicUsize,
    /// What the first helper that panicked left.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    /// The thread that has the work.
    owner: Thread,
}

// SAFETY: the pointer leads to what threads may share, as its type says; all else is of types that threads may share.
unsafe impl Send for Crew {}
// SAFETY: the same.
unsafe impl Sync for Crew {}

/// No helper begins any more.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// For so long the owner looks again and again whether the helpers are done: they are soon, and it would take as long to wake up.
const PATIENCE: Duration = Duration::from_micros(30);

impl Crew {
    /// Asks another thread to help. Gives whether more may be asked.
    fn ask(self: &Arc<Self>) -> bool {
        if ASKED.fetch_add(1, Ordering::Relaxed) >= MOST_ASKED {
            ASKED.fetch_sub(1, Ordering::Relaxed);
            return false;
        }
        let crew = self.clone();
        rayon::spawn(move || {
            ASKED.fetch_sub(1, Ordering::Relaxed);
            crew.help();
        });
        true
    }

    /// Helps, unless the crew is closed.
    fn help(&self) {
        let more = |helping: usize| (helping & CLOSED == 0).then_some(helping + 1);
        let entered = self
            .helping
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        if entered.is_err() {
            return;
        }
        // SAFETY: the crew was not closed, and this thread counts as helping: `with_helpers` closes the crew and waits until nobody helps, before it returns to
        // whom it has borrowed this from, whether anything panics or not.
        let help = unsafe { &*self.help };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(help)) {
            let mut first = self.panic.lock().unwrap_or_else(|e| e.into_inner());
            first.get_or_insert(panic);
        }
        // The owner, which goes on when nobody is left, sees what has been written here.
        if self.helping.fetch_sub(1, Ordering::Release) == CLOSED + 1 {
            self.owner.unpark();
        }
    }

    /// Lets nobody begin any more, and waits for those who have.
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
        // Helpers come even when their pool is gone; until then no others may be asked.
        while ASKED.load(Ordering::Relaxed) >= MOST_ASKED / 2 {
            std::thread::yield_now();
        }
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
