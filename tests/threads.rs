//! Rules are used by many threads at once, from within themselves, and after calls that failed half-way.
//!
//! This program is a pack too: its native function calls back into the rule that called it.

mooncake_pack::pack!();

#[path = "support/devices.rs"]
mod devices;

use mooncake::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

#[differentiable]
fn until_large(x: &[f64]) -> f64 {
    let mut y: f64 = 1.0;
    let mut i = 0;
    while y < 100.0 {
        y += 0.5 * y.sin() * x[i] + x[i];
        i += 1;
    }
    y
}

#[differentiable]
fn smooth(x: &mut [f64], a: f64) -> f64 {
    for i in 1..x.len() {
        x[i] = x[i] * a + x[i - 1].sin();
    }
    x[0] * x[x.len() - 1]
}

#[differentiable]
fn layer(w: &Array<f32>, x: &Array<f32>) -> Array<f32> {
    w.matmul(x).tanh().mean()
}

/// As many threads as are likely to meet each other.
const THREADS: usize = 8;

fn on_threads(work: impl Fn(usize) + Sync) {
    std::thread::scope(|scope| {
        for n in 0..THREADS {
            let work = &work;
            scope.spawn(move || work(n));
        }
    });
}

#[test]
fn the_first_calls_of_a_rule_may_come_at_once() {
    let ctx = Context::default();
    let (rule, forward) = (
        ctx.build_rrule::<until_large>().unwrap(),
        ctx.build_frule::<until_large>().unwrap(),
    );
    let x = vec![0.5; 400];
    on_threads(|n| match n % 4 {
        0 => drop(rule.value((&x,)).unwrap()),
        1 => drop(rule.value_and_gradient((&x,)).unwrap()),
        2 => drop(rule.value_and_pullback((&x,)).unwrap().1(1.0)),
        _ => drop(forward.value_and_derivative((&x,), (&x,)).unwrap()),
    });
}

#[test]
fn calls_that_fail_disturb_no_others() {
    let rule = Context::default().build_rrule::<until_large>().unwrap();
    let arguments = |n: usize, round: usize| vec![0.3 + 0.05 * ((n + round) % 5) as f64; 500];
    let expected: Vec<_> = (0..5)
        .map(|n| rule.value_and_gradient((&arguments(n, 0),)).unwrap())
        .collect();
    let failed = AtomicUsize::new(0);
    on_threads(|n| {
        for round in 0..20 {
            let x = arguments(n, round);
            let (_, waiting) = rule.pullback((&x,)).unwrap();
            // Too short: it fails after some of its records are on the tape.
            if rule.value_and_gradient((&x[..9],)).is_err() && rule.pullback((&x[..9],)).is_err() {
                failed.fetch_add(1, Ordering::Relaxed);
            }
            let expected = &expected[(n + round) % 5];
            assert_eq!(&rule.value_and_gradient((&x,)).unwrap(), expected);
            assert_eq!(waiting.apply(1.0).unwrap(), expected.1);
        }
    });
    assert_eq!(failed.into_inner(), 20 * THREADS);
}

#[test]
fn mutated_arguments_are_restored_on_every_thread() {
    let rule = Context::default().build_rrule::<smooth>().unwrap();
    let start: Vec<f64> = (0..50).map(|i| 0.1 * f64::from(i)).collect();
    let expected = rule.value_and_gradient((&mut start.clone(), 0.9)).unwrap();
    on_threads(|_| {
        let mut x = start.clone();
        let (mut dx, mut da) = (vec![0.0; x.len()], 0.0);
        for _ in 0..20 {
            let y = rule.value_and_gradient_into((&mut x, 0.9), (&mut dx, &mut da));
            assert_eq!(y.unwrap(), expected.0);
            assert_eq!((&dx, da), (&expected.1.0, expected.1.1));
            assert_eq!(x, start);
        }
    });
}

#[test]
fn a_pullback_may_be_called_on_another_thread() {
    let rule = Context::default().build_rrule::<until_large>().unwrap();
    let x = vec![0.5; 400];
    let (_, expected) = rule.value_and_gradient((&x,)).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            let (_, pullback) = rule.pullback((&x,)).unwrap();
            let expected = &expected;
            scope.spawn(move || assert_eq!(&pullback.apply(1.0).unwrap(), expected));
        }
    });
}

#[test]
fn arrays_are_shared_by_threads() {
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let rule = ctx.build_rrule::<layer>().unwrap();
    let array = |shape: [usize; 2]| {
        let data = (0..shape[0] * shape[1]).map(|i| (i as f32 * 0.37).sin());
        Array::from_vec_on(&Device::cpu(), data.collect(), shape)
    };
    let (w, x, wrong) = (array([3, 4]), array([4, 5]), array([5, 4]));
    let (y, (dw, dx)) = rule.value_and_gradient((&w, &x)).unwrap();
    let expected = (
        y.item().unwrap(),
        dw.to_vec().unwrap(),
        dx.to_vec().unwrap(),
    );
    on_threads(|_| {
        for _ in 0..10 {
            assert!(rule.value_and_gradient((&w, &wrong)).is_err());
            let (y, (dw, dx)) = rule.value_and_gradient((&w, &x)).unwrap();
            let found = (
                y.item().unwrap(),
                dw.to_vec().unwrap(),
                dx.to_vec().unwrap(),
            );
            assert_eq!(found, expected);
        }
    });
}

#[differentiable]
fn picked(x: &Array<f32>, index: &Array<u32>) -> f32 {
    let y = x.gather(0, index);
    (&y * &y).sum().to_scalar()
}

/// A device finds an index that is out of range while it works for others.
#[test]
fn an_index_out_of_range_fails_where_it_is_and_nowhere_else() {
    for device in devices::devices() {
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let rule = ctx.build_rrule::<picked>().unwrap();
        on_threads(|thread| {
            let is_bad = thread % 2 == 1;
            for round in 0..10 {
                let length = 100 + 50 * thread + round;
                let data: Vec<f32> = (0..length).map(|i| (i % 7) as f32).collect();
                let x = Array::from_vec_on(&device, data.clone(), [length]);
                let place = |i: usize| match is_bad && i == 40 {
                    true => 100_000,
                    false => (i * 3 % length) as u32,
                };
                let places: Vec<u32> = (0..60).map(place).collect();
                // Made on the device: the host does not know the indices.
                let index = Array::from_vec_on(&device, places.clone(), [60]);
                let index = &index + &Array::from_vec_on(&device, vec![0u32; 60], [60]);
                let beside = &x * 2.0;
                let alone = x.gather(0, &index);
                let found = rule.value_and_gradient((&x, &index));
                let after = &beside + &x;
                let picked = |i: u32| data[i as usize];
                match (is_bad, found) {
                    (true, Err(error)) => {
                        let error = error.to_string();
                        assert!(error.contains("found index 100000"), "{error}");
                        assert!(error.contains("tests/threads.rs"), "{error}");
                        assert!(alone.to_vec().is_err());
                    }
                    (false, Ok((y, (dx, _)))) => {
                        let mut expected = vec![0.0; length];
                        for &i in &places {
                            expected[i as usize] += 2.0 * picked(i);
                        }
                        let sum: f32 = places.iter().map(|&i| picked(i) * picked(i)).sum();
                        assert_eq!((y, dx.to_vec().unwrap()), (sum, expected));
                        let values: Vec<f32> = places.iter().map(|&i| picked(i)).collect();
                        assert_eq!(alone.to_vec().unwrap(), values);
                    }
                    (_, found) => panic!("{}, thread {thread}: {found:?}", device.name()),
                }
                let tripled: Vec<f32> = data.iter().map(|x| 3.0 * x).collect();
                assert_eq!(after.to_vec().unwrap(), tripled);
            }
        });
    }
}

mooncake_pack::scalar! {
    /// Calls the rule of `outer`, which calls this, until `x` is small. The derivative is made up.
    fn call_back(x: T) -> T {
        domain: [(0.0, 1.0)],
        native: |x| back(x as f64) as T,
        partials: ["3"],
    }
}

static OUTER: OnceLock<RRule<outer>> = OnceLock::new();

fn back(x: f64) -> f64 {
    match OUTER.get() {
        Some(rule) if x > 1.0 => {
            let (y, (dx, ())) = rule.value_and_gradient((0.5 * x, 3)).unwrap();
            // The inner call fails (2 - 3 overflows), and the outer ones go on.
            assert!(rule.value_and_gradient((0.5 * x, 2)).is_err());
            y + dx
        }
        _ => x,
    }
}

mod pack {
    use mooncake::prelude::*;

    #[differentiable]
    extern "pack" {
        pub fn call_back(x: f64) -> f64;
    }
}

#[differentiable]
fn outer(x: f64, n: u8) -> f64 {
    let mut y = x;
    let mut i: u8 = n - 3;
    while i < 10 {
        y = y.sin() + x;
        i += 1;
    }
    y + pack::call_back(x)
}

#[test]
fn a_rule_may_be_called_from_within_itself() {
    let rule = Context::default().build_rrule::<outer>().unwrap();
    let rule = OUTER.get_or_init(|| rule);
    let (y, (dx, ())) = rule.value_and_gradient((0.5, 3)).unwrap();
    let (z, (dz, ())) = rule.value_and_gradient((1.0, 3)).unwrap();
    // 4 calls 2, which calls 1.
    let expected = outer(4.0, 3);
    on_threads(|_| {
        for _ in 0..10 {
            assert_eq!(rule.value_and_gradient((0.5, 3)).unwrap(), (y, (dx, ())));
            assert_eq!(rule.value_and_gradient((1.0, 3)).unwrap(), (z, (dz, ())));
            let (found, _) = rule.value_and_gradient((4.0, 3)).unwrap();
            assert_eq!(found, expected);
        }
    });
}
