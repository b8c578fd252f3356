//! A panic in a function that a native rule calls through the host; in a process of its own, as the pack is poisoned.

use mooncake::prelude::*;
use mooncake_pack::{Float, Outcome, call, native};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

mooncake_pack::pack!();

native! {
    /// `x²`, up to 100.
    private fn small_square(x: T) -> T {
        primal: square,
        pullback: ["2 * x * dy"],
        tangent: ["2 * x * dx"],
    }
}

fn square<T: Float>(x: T, y: &mut T) -> Outcome {
    assert!(x * x < T::from_f64(100.0), "the square is too large");
    *y = x * x;
    Ok(())
}

native! {
    /// The square of the square, each of which another function computes.
    fn fourth_power(x: T) -> T {
        primal: fourth,
        pullback: ["4 * x * x * x * dy"],
        tangent: ["4 * x * x * x * dx"],
    }
}

/// What has been held on to while a call was made and not given back: nothing, also where that fails.
static HELD: AtomicUsize = AtomicUsize::new(0);

struct Held;

impl Drop for Held {
    fn drop(&mut self) {
        HELD.fetch_sub(1, Relaxed);
    }
}

fn fourth<T: Float>(x: T, y: &mut T) -> Outcome {
    HELD.fetch_add(1, Relaxed);
    let _held = Held;
    let square: T = call("small_square", [x.into()])?;
    *y = call("small_square", [square.into()])?;
    Ok(())
}

#[differentiable]
extern "pack" {
    fn fourth_power(x: f64) -> f64;
}

#[test]
fn a_panic_in_what_is_called_is_an_error_of_the_call() {
    let rule = Context::default().build_rrule::<fourth_power>().unwrap();
    assert_eq!(rule.value_and_gradient((1.5,)).unwrap(), (5.0625, (13.5,)));
    let error = rule.value((4.0,)).unwrap_err().to_string();
    assert!(
        error.contains("pack mooncake-tests: `small_square` panicked: the square is too large"),
        "{error}"
    );
    assert_eq!(HELD.load(Relaxed), 0);
    // The pack is not used any further.
    assert!(rule.value((1.5,)).is_err());
}
