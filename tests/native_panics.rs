//! A rule in machine code that panics: an error of the call, and of every later one; in a process of its own, as the pack is poisoned.

use mooncake::prelude::*;
use mooncake_pack::{Cotangents, Float, Outcome, native};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

mooncake_pack::pack!();

static MADE: AtomicUsize = AtomicUsize::new(0);
static DROPPED: AtomicUsize = AtomicUsize::new(0);

struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Relaxed);
    }
}

native! {
    /// `x²`, up to 100.
    fn small_square(x: T) -> T {
        primal: square,
        rrule: square_rrule,
    }
}

fn square<T: Float>(x: T, y: &mut T) -> Outcome {
    assert!(x * x < T::from_f64(100.0), "the square is too large");
    *y = x * x;
    Ok(())
}

fn square_rrule<T: Float + Send>(
    x: T,
    y: &mut T,
) -> Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static + use<T>, String> {
    square(x, y)?;
    let kept = Counted;
    MADE.fetch_add(1, Relaxed);
    Ok(move |c: &Cotangents| {
        let _kept = kept;
        if let Some(dx) = c.of::<T>(0)? {
            dx[0] = dx[0] + (x + x) * c.seed::<T>(0)?[0];
        }
        Ok(())
    })
}

#[differentiable]
extern "pack" {
    fn small_square(x: f64) -> f64;
}

#[differentiable]
fn tower(x: f64) -> f64 {
    small_square(small_square(small_square(x)))
}

#[test]
fn a_panic_drops_the_pullbacks_and_poisons_the_pack() {
    let rule = Context::default().build_rrule::<tower>().unwrap();
    let (y, (dx,)) = rule.value_and_gradient((1.25,)).unwrap();
    assert_eq!((y, dx), (1.25f64.powi(8), 8.0 * 1.25f64.powi(7)));
    assert_eq!((MADE.load(Relaxed), DROPPED.load(Relaxed)), (3, 3));
    let error = rule.value_and_gradient((4.0,)).unwrap_err().to_string();
    assert_eq!(
        error,
        "pack mooncake-tests: `small_square` panicked: the square is too large (the pack is not used any further in this process)"
    );
    assert_eq!((MADE.load(Relaxed), DROPPED.load(Relaxed)), (4, 4));
    // The pack is not called again.
    assert!(rule.value_and_gradient((1.25,)).is_err());
    assert_eq!((MADE.load(Relaxed), DROPPED.load(Relaxed)), (4, 4));
}
