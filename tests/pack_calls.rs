//! Functions of numbers of a pack, called natively: by their address where the pack has one, else as compiled from the body.

use mooncake::prelude::*;
use mooncake_pack::scalar;

mooncake_pack::pack!();

scalar! {
    /// `x² + 1`, in machine code.
    fn in_code(x: T) -> T {
        domain: [(-1.0, 1.0)],
        native: |x| x * x + 1.0,
        partials: ["2 * x"],
    }
}

scalar! {
    /// `x² + 1`, as text alone.
    fn in_text(x: T) -> T {
        domain: [(-1.0, 1.0)],
        body: "x * x + 1",
        partials: ["2 * x"],
    }
}

scalar! {
    /// `a - 2 b + 3 c`: the order of arguments.
    fn ordered(a: T, b: T, c: T) -> T {
        domain: [(-1.0, 1.0), (-1.0, 1.0), (-1.0, 1.0)],
        native: |a, b, c| a - 2.0 * b + 3.0 * c,
        partials: ["1", "-2", "3"],
    }
}

#[differentiable]
extern "pack" {
    fn in_code(x: f64) -> f64;
    fn in_text(x: f64) -> f64;
    fn ordered(a: f32, b: f32, c: f32) -> f32;
    fn powi(x: f64, n: i32) -> f64;
    fn unknown_to_all(x: f64) -> f64;
}

#[differentiable]
fn both(x: f64) -> f64 {
    in_code(x) * in_text(x)
}

#[test]
fn a_function_has_a_native_form_however_it_is_defined() {
    for x in [-2.5, 0.0, 3.25] {
        assert_eq!(in_code(x), x * x + 1.0);
        assert_eq!(in_text(x), x * x + 1.0);
        assert_eq!(powi(x, 3), x.powi(3));
    }
    assert_eq!(ordered(1.0, 10.0, 100.0), 281.0);
    test_rule::<both>(&Context::default(), (0.7,)).unwrap();
}

#[test]
fn native_calls_are_the_same_on_every_thread() {
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                for i in 0..1000 {
                    let x = f64::from(thread * 1000 + i);
                    assert_eq!(in_code(x), x * x + 1.0);
                }
            });
        }
    });
}

#[test]
#[should_panic(expected = "no pack in force defines `unknown_to_all` for (f64)")]
fn what_no_pack_has_is_said_at_the_call() {
    unknown_to_all(1.0);
}
